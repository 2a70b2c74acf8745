"""One scalable unit as a containerlab topology: its nodes, their switches, every link as Ethernet.

Port n of a device is its interface `ethn`; `eth0` is the lab's own management network.
"""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, NamedTuple, TextIO

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.wired_fabric import ENDPOINT, LEAF_SPINE, NODE
from clusterplan.interop.port_table import check_plane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.wired_fabric import Link, WiredFabric


class LabKinds(NamedTuple):
    """Kind and image of the containers that stand for nodes and for switches."""

    node_kind: str = "linux"
    node_image: str = "alpine:3"
    switch_kind: str = "sonic-vs"
    switch_image: str = "docker-sonic-vs:latest"


def write_containerlab(
    fabric: WiredFabric,
    out: TextIO,
    *,
    unit: int = 1,
    plane: int | None = None,
    kinds: LabKinds | None = None,
) -> None:
    """Write the nodes of a unit, the leaves they reach and the spines of those leaves.

    Fabric managers, cores and other units are left out.
    """
    check_plane(fabric, plane)
    kinds = kinds or LabKinds()
    devices = fabric.devices
    nodes = {n for n, device in enumerate(devices) if device.role == NODE and device.unit == unit}
    if not nodes:
        most = max((device.unit for device in devices if device.role == NODE), default=0)
        message = f"{fabric.name} has no scalable unit {unit}"
        raise InputError(Problem(message, path="--unit", hint=f"1 to {most}" if most else None))
    leaves = {link.z for link in fabric.links(plane) if link.a in nodes}
    spines = {z for a, z in _uplinks(fabric, plane) if a in leaves}
    plane_word = "" if plane is None else f"-{fabric.plane_word}{plane}"
    out.write(f"name: {dumps(f'{fabric.name}-su{unit}{plane_word}')}\n")
    out.write(
        "topology:\n"
        "  kinds:\n"
        f"    {dumps(kinds.switch_kind)}:\n      image: {dumps(kinds.switch_image)}\n"
    )
    if kinds.node_kind != kinds.switch_kind:
        out.write(f"    {dumps(kinds.node_kind)}:\n      image: {dumps(kinds.node_image)}\n")
    out.write("  nodes:\n")
    for group, kind, image in (
        (nodes, kinds.node_kind, kinds.node_image),
        (leaves | spines, kinds.switch_kind, kinds.switch_image),
    ):
        for number in sorted(group):
            out.write(f"    {dumps(devices[number].name)}:\n      kind: {dumps(kind)}\n")
            if kinds.node_kind == kinds.switch_kind:
                out.write(f"      image: {dumps(image)}\n")
            out.write(f"      group: {dumps(devices[number].role)}\n")
    out.write("  links:\n")
    for link in _kept(fabric, plane, nodes, leaves):
        low, high = devices[link.a].name, devices[link.z].name
        ends = f"{dumps(f'{low}:eth{link.a_port}')}, {dumps(f'{high}:eth{link.z_port}')}"
        out.write(f"    - endpoints: [{ends}]\n")


def _uplinks(fabric: WiredFabric, plane: int | None) -> Iterator[tuple[int, int]]:
    return ((link.a, link.z) for link in fabric.links(plane) if link.tier == LEAF_SPINE)


def _kept(
    fabric: WiredFabric, plane: int | None, nodes: set[int], leaves: set[int]
) -> Iterator[Link]:
    for link in fabric.links(plane):
        if (link.tier == ENDPOINT and link.a in nodes) or (
            link.tier == LEAF_SPINE and link.a in leaves
        ):
            yield link
