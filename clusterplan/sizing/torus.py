"""2D and 3D torus of accelerators (TPU-style pods): links, bisection, wiring. No switches.

Accelerators are numbered x fastest. A dimension above 2 is wrapped (a ring), one of 2 has one link
a pair, one of 1 none. Public rules: Google Cloud TPU system architecture (recalled).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import formula
from clusterplan.core.wired_fabric import NEIGHBOUR, NODE, Device, Link, WiredFabric

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = "torus of accelerators, Google Cloud TPU system architecture (recalled)"
MAX_SIDE = 1024
_AXES = "xyz"


@dataclass(frozen=True)
class TorusDesign:
    """Sides of a torus (2 or 3), speed of a link in one direction, sides of the part in a rack.

    rack_sides is None where a rack is no block of the torus.
    """

    sides: tuple[int, ...]
    link_gbps: float
    rack_sides: tuple[int, ...] | None


@formula(
    title="Accelerators of a torus",
    equation="x * y * z",
    unit="accelerators",
    source=SOURCE,
)
def torus_accelerators(x: int, y: int, z: int) -> int:
    """Accelerators of a torus of three sides; z is 1 in two dimensions."""
    return x * y * z


@formula(
    title="Links of one dimension",
    equation="0 if side == 1 else accelerators // 2 if side == 2 else accelerators",
    unit="links",
    source=SOURCE,
)
def torus_links(accelerators: int, side: int) -> int:
    """Links along one dimension: one an accelerator on a ring, one a pair on a side of two."""
    if side == 1:
        return 0
    return accelerators // 2 if side == 2 else accelerators


@formula(
    title="Links of one dimension between racks",
    equation="0 if side == rack_side else torus_links // rack_side",
    unit="links",
    source=f"{SOURCE}: a rack holds a block of rack_side along the dimension",
)
def torus_links_between(torus_links: int, side: int, rack_side: int) -> int:
    """Links along one dimension that leave a rack; a ring inside one rack stays there."""
    return 0 if side == rack_side else torus_links // rack_side


@formula(
    title="Links across the middle of one dimension",
    equation="accelerators // side * (1 if side == 2 else 2)",
    unit="links",
    source=f"{SOURCE}: a ring is cut twice",
)
def torus_cut(accelerators: int, side: int) -> int:
    """Links that a cut through the middle of an even side takes."""
    return accelerators // side * (1 if side == 2 else 2)


@formula(
    title="Bisection, one direction",
    equation="min(cuts) * link_gbps / 1000",
    unit="Tb/s",
    source=f"{SOURCE}: the smallest cut through the middle of an even side",
)
def torus_bisection_tb_per_s(cuts: tuple[int, ...], link_gbps: float) -> float:
    """Bandwidth between two halves."""
    return min(cuts) * link_gbps / 1000


@formula(
    title="Links between two accelerators at most",
    equation="x // 2 + y // 2 + z // 2",
    unit="links",
    source=SOURCE,
)
def torus_hops(x: int, y: int, z: int) -> int:
    """Diameter of the torus."""
    return x // 2 + y // 2 + z // 2


@formula(
    title="Speed of a link",
    equation="bandwidth_gb_per_s * 8 / 2 / (2 * dimensions)",
    unit="Gb/s",
    source="scale-up bandwidth of the accelerator, both directions, over its links",
)
def torus_link_gbps(bandwidth_gb_per_s: float, dimensions: int) -> float:
    """One direction of one of the two links that an accelerator has along each dimension."""
    return bandwidth_gb_per_s * 8 / 2 / (2 * dimensions)


def parse_sides(text: str, path: str) -> tuple[int, ...]:
    """Sides from "16x20x28". Raises InputError that names `path`."""
    parts = text.lower().replace("×", "x").split("x")
    good = all(part.strip().isdecimal() for part in parts)
    if len(parts) not in (2, 3) or not good:
        hint = "write two or three sides: 16x16 or 16x20x28"
        raise InputError(Problem(f"cannot read {text!r}", path=path, hint=hint))
    sides = tuple(int(part) for part in parts)
    if not all(1 <= side <= MAX_SIDE for side in sides):
        raise InputError(Problem(f"a side of {text!r} is not from 1 to {MAX_SIDE}", path=path))
    return sides


def rack_block(sides: tuple[int, ...], accelerators_per_rack: int) -> tuple[int, ...] | None:
    """Sides of a rack's equal-sided block (4 x 4 x 4 of 64), None where it does not divide."""
    edge = round(accelerators_per_rack ** (1 / len(sides)))
    if edge ** len(sides) != accelerators_per_rack or any(side % edge for side in sides):
        return None
    return (edge,) * len(sides)


def three(sides: tuple[int, ...]) -> tuple[int, int, int]:
    """Sides with a third of 1 in two dimensions."""
    x, y, *rest = sides
    return x, y, rest[0] if rest else 1


def wire_torus(design: TorusDesign, *, model: str, stage: str = "1") -> WiredFabric:
    """Every accelerator and link of a torus."""
    count = torus_accelerators(*three(design.sides))
    digits = len(str(count))
    ports = tuple(f"{axis}{sign}" for axis in _AXES[: len(design.sides)] for sign in "-+")
    devices = tuple(
        Device(f"chip{number + 1:0{digits}d}", NODE, model, len(ports), 0, 1, 1)
        for number in range(count)
    )
    return WiredFabric(
        name="scale-up",
        kind="ici",
        generation="",
        planes=1,
        plane_word="plane",
        stages=(stage,),
        gbps={NEIGHBOUR: design.link_gbps},
        devices=devices,
        port_names={NODE: ports},
        wire=lambda: _links(design.sides, count),
    )


def _links(sides: tuple[int, ...], count: int) -> Iterator[Link]:
    cable, stride = 0, 1
    for axis, side in enumerate(sides):
        for number in range(count if side > 1 else 0):
            place = number // stride % side
            if side == 2 and place == 1:
                continue
            ahead = number + stride if place < side - 1 else number - stride * (side - 1)
            cable += 1
            yield Link(NEIGHBOUR, 1, number, 2 * axis + 2, ahead, 2 * axis + 1, cable, 1)
        stride *= side
