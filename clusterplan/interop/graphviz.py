"""Drawings for Graphviz, and the dot dialect that cable validation programs read."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TextIO

from clusterplan.core.wired_fabric import CORE, HOST, HOST_ROLES, LEAF, MANAGER, NODE, SPINE
from clusterplan.interop.port_table import check_kind, check_plane

if TYPE_CHECKING:
    from clusterplan.core.wired_fabric import Device, WiredFabric

_TOP_DOWN = (CORE, SPINE, LEAF, NODE, HOST, MANAGER)
_RANKS = ((CORE,), (SPINE,), (LEAF,), HOST_ROLES)
_SHAPES = dict.fromkeys(HOST_ROLES, "ellipse")
MOST_SWITCHES = 16  # beyond that alike switches are drawn as one
_CVT_ROLES = {LEAF: "leaf", SPINE: "spine", CORE: "super_spine"}


class _Drawn(NamedTuple):
    """One shape: a device, or several that are wired alike."""

    first: Device
    last: Device
    members: int


def write_dot(
    fabric: WiredFabric, out: TextIO, *, plane: int | None = None, full: bool = False
) -> None:
    """Write a drawing: tiers from top to bottom, lines labelled with the links they stand for.

    Nodes of a unit on the same leaves are one shape; so are switches that reach the same shapes
    where there are many. `full` draws every device.
    """
    check_plane(fabric, plane)
    shape_of = {n: n for n, _ in fabric.devices_of(plane)} if full else _alike(fabric, plane)
    shapes = _shapes(fabric, shape_of)
    out.write(f"graph {_quoted(fabric.name)} {{\n")
    out.write('  ordering=out; ranksep=1.2; node [shape=box, fontname="sans-serif"];\n')
    for number, shape in shapes.items():
        style = _SHAPES.get(shape.first.role, "box")
        out.write(f"  n{number} [label={_label(shape)}, shape={style}];\n")
    _write_ranks(shapes, out)
    links = Counter((shape_of[link.z], shape_of[link.a]) for link in fabric.links(plane))
    for (high, low), count in sorted(links.items()):
        word = f' [label="{count} links"]' if count > 1 else ""
        out.write(f"  n{high} -- n{low}{word};\n")
    out.write("}\n")


def _write_ranks(shapes: dict[int, _Drawn], out: TextIO) -> None:
    """Hold each tier at one height, and the tiers in order even where devices have no link."""
    ranks = [[n for n, shape in shapes.items() if shape.first.role in roles] for roles in _RANKS]
    ranks = [rank for rank in ranks if rank]
    for rank in ranks:
        out.write(f"  {{ rank=same; {' '.join(f'n{n};' for n in rank)} }}\n")
    for high, low in pairwise(ranks):
        out.write(f"  n{high[0]} -- n{low[0]} [style=invis];\n")


def _alike(fabric: WiredFabric, plane: int | None) -> dict[int, int]:
    """Shape of every device, as the number of the first device that is drawn by it.

    Tier by tier from the nodes up: nodes with their unit and the leaves they reach, then, if there
    are many switches, switches of a tier and plane with the shapes below them.
    """
    devices = fabric.devices
    ups: dict[int, Counter[int]] = {n: Counter() for n, _ in fabric.devices_of(plane)}
    downs: dict[int, Counter[int]] = {n: Counter() for n, _ in fabric.devices_of(plane)}
    for link in fabric.links(plane):
        ups[link.a][link.z] += 1
        downs[link.z][link.a] += 1
    shape_of: dict[int, int] = {}
    firsts: dict[tuple[object, ...], int] = {}
    many = sum(devices[n].role not in HOST_ROLES for n in ups) > MOST_SWITCHES
    for role in reversed(_TOP_DOWN):
        for number in (n for n in ups if devices[n].role == role):
            device = devices[number]
            key: tuple[object, ...] = (number,)
            if role in HOST_ROLES:
                key = (role, device.unit, frozenset(ups[number]))
            elif many:
                below = frozenset(shape_of[n] for n in downs[number] if devices[n].role != MANAGER)
                key = (role, device.plane, device.unit, below)
            shape_of[number] = firsts.setdefault(key, number)
    for number in ups:  # roles of other topologies stand for themselves
        shape_of.setdefault(number, number)
    return shape_of


def _shapes(fabric: WiredFabric, shape_of: dict[int, int]) -> dict[int, _Drawn]:
    found: dict[int, _Drawn] = {}
    for number, shape in shape_of.items():
        device = fabric.devices[number]
        before = found.get(shape)
        found[shape] = _Drawn(
            before.first if before else device, device, before.members + 1 if before else 1
        )
    return found


def _label(shape: _Drawn) -> str:
    if shape.members == 1:
        return _quoted(shape.first.name)
    names = f"{shape.first.name} .. {shape.last.name}"
    word = "nodes" if shape.first.role == NODE else f"{shape.first.role} switches"
    if shape.first.role == MANAGER:
        word = "managers"
    return f'{_quoted(names)[:-1]}\\n{shape.members} {word}"'


def write_cvt_dot(
    fabric: WiredFabric, out: TextIO, *, plane: int | None = None, os: str = "cumulus"
) -> None:
    """Write the Ethernet links port by port, as cable validation programs read them.

    os: what the switches run. Ports of nodes are named as in the plan (`nic0` and up) and have to
    be renamed to what the hosts call them.
    """
    check_kind(fabric, "ethernet", "this dot dialect", "write the ibdm topology instead")
    check_plane(fabric, plane)
    out.write(f"graph {_quoted(fabric.name)} {{\n")
    for _, device in fabric.devices_of(plane):
        if device.role not in HOST_ROLES:
            role = _CVT_ROLES.get(device.role, device.role)
            name = _quoted(device.name)
            out.write(f"  {name} [label={name} role={role} os={_quoted(os)}]\n")
    for link in fabric.links(plane):
        low, high = fabric.devices[link.a], fabric.devices[link.z]
        out.write(
            f"  {_quoted(high.name)}:{_quoted(fabric.port_name(high, link.z_port))} --"
            f" {_quoted(low.name)}:{_quoted(fabric.port_name(low, link.a_port))}\n"
        )
    out.write("}\n")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
