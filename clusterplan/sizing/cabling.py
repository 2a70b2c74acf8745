"""Lengths and media of every link, as a stream; what to order, counted in one pass.

A first pass over the links measures: the longest run of every bundle (links whose modules sit in
the same cages) and, where several links share an assembly, of every cable. Later passes need only
those figures, not the links.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.wired_fabric import (
    ENDPOINT,
    HOST_ROLES,
    LEAF,
    LEAF_SPINE,
    MANAGER,
    MANAGER_TIER,
    NODE,
    SPINE_CORE,
    CableRow,
    Link,
    WiredFabric,
)
from clusterplan.sizing.cable_media import Medium, first_that_reaches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusterplan.sizing.cable_placement import Placement

_LETTER = {ENDPOINT: "E", LEAF_SPINE: "L", SPINE_CORE: "C", MANAGER_TIER: "M"}
_OTHER = "X"
_NONE = 255  # of the media of a bundle: none reaches


class CableLine(NamedTuple):
    """Cables of one tier, medium and stock length. `medium` is None where none reaches.

    cables: cable ids; parts: pieces to order, fewer where a twin-port cable serves two of them
    """

    tier: str
    medium: Medium | None
    length_m: float | None
    cables: int
    parts: int


class ModuleLine(NamedTuple):
    """Modules (or cable ends) of one kind at one place: node, leaf, spine, core or manager."""

    place: str
    module: str
    attached: bool
    modules: int
    power_w: float


class Totals(NamedTuple):
    """What one pass over the links of a fabric counts.

    rack_w: watts of modules and cable ends in switch cages, by number of the cabinet
    """

    cables: tuple[CableLine, ...]
    modules: tuple[ModuleLine, ...]
    links: Mapping[str, int]
    longest_m: Mapping[str, float]
    rack_w: Mapping[int, float]


@dataclass(frozen=True, eq=False, repr=False)
class Cabling:
    """A wired fabric on a floor, and the media that each of its tiers may take.

    prefix: of every cable id, empty for the compute fabric of a single cluster
    ports_per_cage: of leaf ports down, of all other switch ports; 0 where optics are built in
    """

    fabric: WiredFabric
    placement: Placement
    media: Mapping[str, tuple[Medium, ...]]
    ports_per_cage: tuple[int, int]
    prefix: str = ""

    @cached_property
    def _measured(self) -> _Measured:
        return _measure(self)

    @cached_property
    def ends(self) -> tuple[list[int], list[float], list[float], list[float]]:
        """By device number: cabinet, x, y and rise to the tray."""
        racks, rises = self.placement.coordinates(self.fabric)
        places = self.placement.racks
        return racks, [places[n].x_m for n in racks], [places[n].y_m for n in racks], rises

    def rows(self) -> Iterator[CableRow]:
        """The cable schedule: one row a link."""
        fabric, measured = self.fabric, self._measured
        racks, _, _, _ = self.ends
        rack_names = [self.placement.racks[n].name for n in racks]
        devices = fabric.devices
        names = [device.name for device in devices]
        units = [self.placement.unit_of[name] for name in names]
        labels = [fabric.port_names[device.role] for device in devices]
        new = tuple.__new__
        stages = ("", *fabric.stages)
        for tier, links in _by_tier(fabric.links()):
            gbps, letter = fabric.gbps[tier], self.prefix + _LETTER.get(tier, _OTHER)
            pick = measured.picker(tier)
            for link in links:
                _, plane, a, a_port, z, z_port, cable, stage, bundle = link
                a_label, z_label = labels[a][a_port - 1], labels[z][z_port - 1]
                length, medium, _ = pick(a, z, cable, bundle)
                yield new(
                    CableRow,
                    (
                        f"{letter}{cable:06d}",
                        fabric.name,
                        tier,
                        plane,
                        rack_names[a],
                        units[a],
                        names[a],
                        a_label,
                        rack_names[z],
                        units[z],
                        names[z],
                        z_label,
                        gbps,
                        length,
                        medium,
                        f"{names[a]}:{a_label}/{names[z]}:{z_label}",
                        stages[stage],
                    ),
                )

    def unreached(self) -> dict[str, float]:
        """The longest run (m) that no medium reaches, by tier; only tiers that have one."""
        found: dict[str, float] = {}
        for tier, runs in self._measured.bundles.items():
            chosen = self._measured.chosen[tier]
            lost = [run for run, number in zip(runs, chosen, strict=True) if number == _NONE]
            if lost and max(lost) > 0.0:
                found[tier] = max(lost)
        return found

    def totals(self) -> Totals:
        """Cables and modules to order."""
        return _count(self, self._measured)


class _Measured(NamedTuple):
    """Longest run by tier and bundle, runs by cable where links share one, and media chosen."""

    cabling: Cabling
    bundles: Mapping[str, Sequence[float]]
    cables: Mapping[str, Sequence[float]]
    chosen: Mapping[str, Sequence[int]]

    def picker(
        self, tier: str
    ) -> Callable[[int, int, int, int], tuple[float | None, str, int | None]]:
        """A function of (a, z, cable, bundle): length in stock, medium id and number.

        Fast enough to be called for every row: one look-up for each different run.
        """
        media, chosen = self.cabling.media[tier], self.chosen[tier]
        longest = self.bundles[tier]
        racks, xs, ys, rises = self.cabling.ends
        shared = self.cables.get(tier)
        slack = self.cabling.placement.grid.slack_m
        known: dict[tuple[int, float], tuple[float | None, str, int | None]] = {}

        def pick(a: int, z: int, cable: int, bundle: int) -> tuple[float | None, str, int | None]:
            number = chosen[bundle]
            if number < _NONE and media[number].attached:
                run = longest[bundle]  # a twin-port cable has one length
            elif shared is not None:
                run = shared[cable]
            elif racks[a] == racks[z]:
                run = abs(rises[a] - rises[z]) + slack
            else:
                run = rises[a] + abs(xs[a] - xs[z]) + abs(ys[a] - ys[z]) + rises[z] + slack
            key = (number, run)
            found = known.get(key)
            if found is None:
                found = (None, "", None)
                if number < _NONE:
                    found = (media[number].stock_m(run), media[number].id, number)
                known[key] = found
            return found

        return pick


def _by_tier(links: Iterable[Link]) -> Iterator[tuple[str, Iterator[Link]]]:
    return groupby(links, key=itemgetter(0))


def _measure(cabling: Cabling) -> _Measured:
    """The first pass: the same runs as `cable_run_m` and `cable_run_inside_m`, written out."""
    racks, xs, ys, rises = cabling.ends
    slack = cabling.placement.grid.slack_m
    bundles: dict[str, array[float]] = {}
    cables: dict[str, array[float]] = {}
    for tier, links in _by_tier(cabling.fabric.links()):
        longest = bundles.setdefault(tier, array("d"))
        shared = cabling.fabric.links_per_cable.get(tier, 1) > 1
        runs = cables.setdefault(tier, array("d")) if shared else array("d")
        for _, _, a, _, z, _, cable, _, bundle in links:
            if racks[a] == racks[z]:
                run = abs(rises[a] - rises[z]) + slack
            else:
                run = rises[a] + abs(xs[a] - xs[z]) + abs(ys[a] - ys[z]) + rises[z] + slack
            if bundle >= len(longest):
                longest.extend([0.0] * (bundle - len(longest) + 1024))
            if run > longest[bundle]:
                longest[bundle] = run
            if shared:
                if cable >= len(runs):
                    runs.extend([0.0] * (cable - len(runs) + 1024))
                if run > runs[cable]:
                    runs[cable] = run
    chosen = {tier: _chosen(cabling.media[tier], longest) for tier, longest in bundles.items()}
    return _Measured(cabling, bundles, cables, chosen)


def _chosen(media: Sequence[Medium], longest: Sequence[float]) -> bytearray:
    """Number of the medium of every bundle, 255 where none reaches."""
    known: dict[float, int] = {}
    found = bytearray()
    for run in longest:
        if run not in known:
            number = first_that_reaches(media, run)
            known[run] = _NONE if number is None else number
        found.append(known[run])
    return found


class _Cages:
    """Cages in use, by medium and side: the modules (or cable ends) to plug in."""

    def __init__(self, cabling: Cabling) -> None:
        self.cabling = cabling
        self.seen: dict[tuple[str, int, str], set[tuple[int, int]]] = {}

    def plug(self, link: Link, medium: int) -> None:
        """Note both ends of a link."""
        devices = self.cabling.fabric.devices
        for side, number, port in (("a", link.a, link.a_port), ("z", link.z, link.z_port)):
            role = devices[number].role
            if role in HOST_ROLES:  # one cage a NIC port, whatever it is split into
                cage = (-1, link.cable)
            else:
                downs, others = self.cabling.ports_per_cage
                if role == LEAF and link.tier in (ENDPOINT, MANAGER_TIER):
                    cage = (number, (port - 1) // downs if downs else 0)
                elif role == LEAF:  # from the last port down, as uplinks are placed
                    cage = (number, -1 - (devices[number].ports - port) // max(1, others))
                else:
                    cage = (number, (port - 1) // max(1, others))
            self.seen.setdefault((link.tier, medium, side), set()).add(cage)

    def lines(self) -> tuple[tuple[ModuleLine, ...], dict[int, float]]:
        """Modules by place and kind, and their watts by cabinet (switch cages only)."""
        found: dict[tuple[str, str, bool], list[float]] = {}
        watts: dict[int, float] = {}
        fabric, placement = self.cabling.fabric, self.cabling.placement
        for (tier, number, side), cages in self.seen.items():
            medium = self.cabling.media[tier][number]
            module = medium.a_module if side == "a" else medium.z_module
            if module is None:
                continue
            watts_each = module.power_w * (medium.a_share if side == "a" else 1.0)
            for device, _ in cages:
                place = NODE if tier == ENDPOINT else MANAGER
                if device >= 0:
                    place = fabric.devices[device].role
                    rack = placement.rack_of[fabric.devices[device].name]
                    watts[rack] = watts.get(rack, 0.0) + watts_each
                line = found.setdefault((place, module.id, medium.attached), [0.0, 0.0])
                line[0] += 1
                line[1] += watts_each
        lines = tuple(
            ModuleLine(place, module, attached, round(count), power)
            for (place, module, attached), (count, power) in found.items()
        )
        return lines, watts


def _count(cabling: Cabling, measured: _Measured) -> Totals:
    lines: Counter[tuple[str, int | None, float | None]] = Counter()
    parts: dict[tuple[str, int | None, float | None], set[tuple[int, int]]] = {}
    links: dict[str, int] = {}
    cages = _Cages(cabling)
    for tier, group in _by_tier(cabling.fabric.links()):
        pick, seen = measured.picker(tier), bytearray()
        for link in group:
            length, _, medium = pick(link.a, link.z, link.cable, link.bundle)
            key = (tier, medium, length)
            if link.cable >= len(seen):
                seen.extend(bytes(link.cable + 1024))
            if not seen[link.cable]:
                seen[link.cable] = 1
                lines[key] += 1
            links[tier] = links.get(tier, 0) + 1
            if medium is not None:
                cages.plug(link, medium)
                if cabling.media[tier][medium].attached:
                    parts.setdefault(key, set()).add((link.plane, link.bundle))
    modules, rack_w = cages.lines()
    return Totals(
        cables=tuple(
            CableLine(
                tier,
                None if medium is None else cabling.media[tier][medium],
                length,
                count,
                len(parts.get((tier, medium, length), ())) or count,
            )
            for (tier, medium, length), count in sorted(
                lines.items(), key=lambda item: _by_tier_and_medium(item[0], list(links))
            )
        ),
        modules=modules,
        links=links,
        longest_m={tier: max(runs) for tier, runs in measured.bundles.items()},
        rack_w=rack_w,
    )


def _by_tier_and_medium(
    key: tuple[str, int | None, float | None], tiers: list[str]
) -> tuple[int, int, float]:
    tier, medium, length = key
    return tiers.index(tier), _NONE if medium is None else medium, length or 0.0
