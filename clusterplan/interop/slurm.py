"""Slurm's description of a network: `topology.conf` and `topology.yaml`.

A tree has a logical leaf for every block of nodes and a root for every fabric. Slurm works out the
distance between all pairs of switches when it starts, so where there are many blocks they are
gathered in a level between, and the physical switches are never listed.
"""

from __future__ import annotations

from json import dumps
from math import isqrt
from typing import TYPE_CHECKING, Literal, NamedTuple, TextIO

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.scheduler_topology import block_sizes, check_torus, stranded_nodes
from clusterplan.interop.hostlist import hostlist

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusterplan.core.scheduler_topology import FabricRoot, Torus

Kind = Literal["tree", "block"]
KINDS: tuple[Kind, ...] = ("tree", "block")
MOST_LEAVES = 128  # under one root before a level comes between
LONGEST_NAME = 64
_SEGMENTS = (2, 4, 8, 16, 32)


class _TreeSwitch(NamedTuple):
    name: str
    children: tuple[str, ...]
    nodes: tuple[str, ...]


def write_topology_conf(
    roots: Sequence[FabricRoot],
    out: TextIO,
    *,
    kind: Kind = "tree",
    base_nodes: int | None = None,
    segments: Sequence[int] = (),
) -> None:
    """Write `topology.conf` for the plugin `topology/tree` or `topology/block`.

    base_nodes: nodes that every block offers; fewer than there are where trays are kept as spares.
    segments: sizes of a job segment whose stranded nodes are told in comments.
    """
    _check(kind)
    if kind == "tree":
        out.write("# TopologyPlugin=topology/tree\n")
        for switch in _tree(roots):
            word, names = ("Switches", switch.children)
            if switch.nodes:
                word, names = ("Nodes", switch.nodes)
            out.write(f"SwitchName={switch.name} {word}={hostlist(names)}\n")
        return
    out.write("# TopologyPlugin=topology/block\n")
    for line in _block_notes(roots, base_nodes, segments):
        out.write(f"# {line}\n")
    sizes = block_sizes(roots, base_nodes)
    for root in roots:
        for block in root.blocks:
            if block not in sizes.short:
                out.write(f"BlockName={block.name} Nodes={hostlist(block.nodes)}\n")
    out.write(f"BlockSizes={','.join(map(str, sizes.sizes))}\n")


def write_topology_yaml(
    roots: Sequence[FabricRoot],
    out: TextIO,
    *,
    kind: Kind = "tree",
    base_nodes: int | None = None,
    segments: Sequence[int] = (),
) -> None:
    """Write the same as `topology.yaml`, which newer releases read instead of `topology.conf`."""
    _check(kind)
    if kind == "block":
        for line in _block_notes(roots, base_nodes, segments):
            out.write(f"# {line}\n")
    out.write(f"- topology: {dumps(kind)}\n  cluster_default: true\n  {kind}:\n")
    if kind == "tree":
        out.write("    switches:\n")
        for switch in _tree(roots):
            out.write(f"      - switch: {dumps(switch.name)}\n")
            word, names = ("children", switch.children)
            if switch.nodes:
                word, names = ("nodes", switch.nodes)
            out.write(f"        {word}: {dumps(hostlist(names))}\n")
        return
    sizes = block_sizes(roots, base_nodes)
    out.write("    block_sizes:\n")
    out.writelines(f"      - {size}\n" for size in sizes.sizes)
    out.write("    blocks:\n")
    for root in roots:
        for block in root.blocks:
            if block not in sizes.short:
                out.write(f"      - block: {dumps(block.name)}\n")
                out.write(f"        nodes: {dumps(hostlist(block.nodes))}\n")


def write_torus_yaml(toruses: Sequence[Torus], out: TextIO) -> None:
    """Write `topology.yaml` of tori; only this form and releases from 26.05 on have them."""
    for torus in toruses:
        check_torus(torus)
        _check_name(torus.name)
    out.write('- topology: "torus3d"\n  cluster_default: true\n  torus3d:\n    toruses:\n')
    for torus in toruses:
        x, y, z = torus.dimensions
        out.write(
            f"      - name: {dumps(torus.name)}\n"
            f"        dims:\n          x: {x}\n          y: {y}\n          z: {z}\n"
            f"        nodes: {dumps(hostlist(torus.nodes))}\n"
        )


def _check(kind: str) -> None:
    if kind not in KINDS:
        message = f"no Slurm topology of that kind: {kind}"
        raise InputError(Problem(message, path="kind", hint=f"one of {', '.join(KINDS)}"))


def _check_name(name: str) -> None:
    if len(name) > LONGEST_NAME:
        message = f"{name}: Slurm takes names of {LONGEST_NAME} characters"
        raise InputError(Problem(message, path="fabric.name", hint="name the fabric shorter"))


def _tree(roots: Sequence[FabricRoot]) -> Iterator[_TreeSwitch]:
    """Switches of the tree, every root before what hangs on it."""
    for root in roots:
        names = tuple(block.name for block in root.blocks)
        for name in names:
            _check_name(name)
        groups: dict[str, tuple[str, ...]] = {}
        if len(names) > MOST_LEAVES:
            size = isqrt(len(names) - 1) + 1
            count = -(-len(names) // size)
            digits = len(str(count))
            for number in range(count):
                part = names[number * size : (number + 1) * size]
                groups[f"{root.name}-group{number + 1:0{digits}d}"] = part
        yield _TreeSwitch(root.name, tuple(groups) or names, ())
        for name, children in groups.items():
            yield _TreeSwitch(name, children, ())
        for block in root.blocks:
            yield _TreeSwitch(block.name, (), block.nodes)


def _block_notes(
    roots: Sequence[FabricRoot], base_nodes: int | None, segments: Sequence[int]
) -> Iterator[str]:
    """What a reader should know: blocks left out, and nodes that segment sizes strand."""
    sizes = block_sizes(roots, base_nodes)
    nodes = sum(len(block.nodes) for root in roots for block in root.blocks)
    for block in sizes.short:
        yield (
            f"left out: {block.name} holds {len(block.nodes)} of the {sizes.base_nodes} due:"
            f" {hostlist(block.nodes)}"
        )
    for segment in segments or [n for n in _SEGMENTS if n <= sizes.base_nodes]:
        stranded = stranded_nodes(roots, segment, base_nodes)
        yield f"segments of {segment} nodes strand {stranded} of {nodes} nodes"
