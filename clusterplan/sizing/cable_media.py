"""Which medium a link takes: by speed, length and what fits the cage.

Candidates stand in order of preference: passive copper, active copper, active electrical, active
optical cable, then modules with fibre, the shortest reach first. A cage holds one module, so the
links of a bundle (those that share cages) take the first medium that reaches the longest of them.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusterplan.core.equipment import Optic

COPPER, FIBRE = "copper", "fibre"
ATTACHED = ("dac", "acc", "aec", "aoc")  # kinds with their ends attached, in order of preference
CONNECTOR = {
    "sr4": "MPO-12 multimode",
    "2xsr4": "MPO-12 multimode",
    "dr4": "MPO-12 single mode",
    "2xdr4": "MPO-12 single mode",
    "lpo": "MPO-12 single mode",
    "cpo": "MPO-12 single mode",
    "fr4": "duplex LC single mode",
}
_OPTICAL_ONLY_GBPS = 200.0  # InfiniBand above it has no active electrical or optical cables
_SAME_SPEED = 1e-6


class Medium(NamedTuple):
    """One way to make a link of a tier.

    lengths_m   stock lengths that it reaches, ascending
    attached    a cable with its ends; else modules and fibre
    a_module, z_module   what the lower and the upper end take, None where nothing is plugged in
    a_share     of the watts of an end that each lower end draws, below 1 where a cable fans out
    """

    id: str
    sort: str
    name: str
    lengths_m: tuple[float, ...]
    attached: bool
    a_module: Optic | None
    z_module: Optic | None
    a_share: float = 1.0

    def stock_m(self, length_m: float) -> float | None:
        """The shortest length in stock that covers a run, None where there is none."""
        place = bisect_left(self.lengths_m, length_m - 1e-9)
        return self.lengths_m[place] if place < len(self.lengths_m) else None


def copper_cords(cord: Optic, stock: Mapping[str, tuple[float, ...]]) -> tuple[Medium, ...]:
    """The one medium of a management port: a copper cord, nothing plugged in."""
    lengths = _within(stock.get(COPPER, ()), 0.0, cord.reach_max_m)
    return (Medium(cord.id, COPPER, cord.name, lengths, True, None, None),)


def attached_cables(
    media: Iterable[Optic],
    cage_gbps: float,
    stock: Mapping[str, tuple[float, ...]],
    *,
    infiniband: bool,
    far_ports: int = 1,
) -> tuple[Medium, ...]:
    """Copper and active cables for cages of a speed, in order of preference.

    far_ports: ports of the other end that a cage fans out to; above 1 only a twin cable does.
    InfiniBand above 200 Gb/s takes passive and active copper only.
    """
    found = []
    for row in media:
        if row.kind not in ATTACHED or abs(row.speed_gbps - cage_gbps) > _SAME_SPEED * cage_gbps:
            continue
        if far_ports > 1 and not row.twin:
            continue
        if infiniband and row.kind in ("aec", "aoc") and cage_gbps > _OPTICAL_ONLY_GBPS:
            continue
        lengths = _within(stock.get(row.kind, ()), row.reach_min_m, row.reach_max_m)
        if lengths:
            found.append(Medium(row.id, row.kind, row.name, lengths, True, row, row, 1 / far_ports))
    return tuple(sorted(found, key=lambda one: ATTACHED.index(one.sort)))


def fibre_links(
    pairs: Iterable[tuple[Optic | None, Optic | None]], stock: Mapping[str, tuple[float, ...]]
) -> tuple[Medium, ...]:
    """Modules with fibre: (lower, upper) ends, None where the optics are built in.

    The reach is that of the shorter end. In the order given, which is that of preference.
    """
    found = []
    for lower, upper in pairs:
        ends = [end for end in (lower, upper) if end is not None]
        if not ends:
            continue
        reach = min(end.reach_max_m for end in ends)
        main = upper or lower
        assert main is not None
        name = CONNECTOR.get(main.kind, "fibre")
        lengths = _within(stock.get(FIBRE, ()), 0.0, reach)
        found.append(Medium(main.id, FIBRE, name, lengths, False, lower, upper))
    return tuple(found)


def _within(lengths: Sequence[float], low: float, high: float) -> tuple[float, ...]:
    return tuple(length for length in sorted(lengths) if low <= length <= high)


def first_that_reaches(media: Sequence[Medium], length_m: float) -> int | None:
    """Place of the first medium whose stock covers the length, None where none does."""
    for number, medium in enumerate(media):
        if medium.stock_m(length_m) is not None:
            return number
    return None
