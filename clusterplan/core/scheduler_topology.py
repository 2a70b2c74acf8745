"""What a job scheduler has to know of a fabric: which nodes are near each other.

A node of a rail-optimised fabric hangs on a leaf per rail, but a scheduler wants it under one
switch. So the physical switches are left out: the nodes of a scalable unit, or of a scale-up
domain, are one block, and fabrics that share no link have a root each.
"""

from __future__ import annotations

from math import gcd, prod
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.wired_fabric import NODE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusterplan.core.wired_fabric import WiredFabric


class NodeBlock(NamedTuple):
    """Nodes that are nearest to each other: a scalable unit or a scale-up domain."""

    name: str
    nodes: tuple[str, ...]


class FabricRoot(NamedTuple):
    """The blocks that one fabric joins."""

    name: str
    blocks: tuple[NodeBlock, ...]


class Torus(NamedTuple):
    """Nodes of a torus, the x coordinate running fastest, then y, then z."""

    name: str
    dimensions: tuple[int, int, int]
    nodes: tuple[str, ...]


class BlockSizes(NamedTuple):
    """How blocks are given to jobs.

    base_nodes   nodes that every block offers
    sizes        the base, then each the double of the one before: what may be given as one
    short        blocks with fewer nodes than the base, which are left out
    """

    base_nodes: int
    sizes: tuple[int, ...]
    short: tuple[NodeBlock, ...]


def scheduler_topology(
    fabrics: Sequence[WiredFabric], *, nodes_per_domain: int | None = None
) -> tuple[FabricRoot, ...]:
    """A root for every cluster's fabric, with a block a scalable unit.

    nodes_per_domain: blocks of so many consecutive nodes instead (compute trays of an NVLink
    domain).
    """
    if nodes_per_domain is not None and nodes_per_domain < 1:
        message = f"{nodes_per_domain} nodes per domain"
        raise InputError(Problem(message, path="nodes_per_domain", hint="1 or more"))
    _check_shared(fabrics)
    return tuple(
        FabricRoot(fabric.name, tuple(_blocks(fabric, nodes_per_domain))) for fabric in fabrics
    )


def _check_shared(fabrics: Sequence[WiredFabric]) -> None:
    seen: dict[str, str] = {}
    names = [fabric.name for fabric in fabrics]
    for name in names:
        if names.count(name) > 1:
            message = f"two fabrics are called {name}"
            raise InputError(Problem(message, path="fabric", hint="a name for each cluster"))
    for fabric in fabrics:
        for device in fabric.devices:
            if device.role == NODE and seen.setdefault(device.name, fabric.name) != fabric.name:
                message = f"{device.name} is in {seen[device.name]} and in {fabric.name}"
                hint = "give one fabric for each cluster"
                raise InputError(Problem(message, path="fabric", hint=hint))
    if not seen:
        raise InputError(Problem("no node to schedule", path="fabric"))


def _blocks(fabric: WiredFabric, nodes_per_domain: int | None) -> Iterator[NodeBlock]:
    """Nodes by unit, or by domain, in the order of the fabric."""
    word = "su" if nodes_per_domain is None else "domain"
    found: dict[int, list[str]] = {}
    nodes = (device for device in fabric.devices if device.role == NODE)
    for place, device in enumerate(nodes):
        unit = device.unit if nodes_per_domain is None else place // nodes_per_domain + 1
        found.setdefault(unit, []).append(device.name)
    digits = len(str(max(found, default=1)))
    for unit, names in found.items():
        yield NodeBlock(f"{fabric.name}-{word}{unit:0{digits}d}", tuple(names))


def block_sizes(roots: Sequence[FabricRoot], base_nodes: int | None = None) -> BlockSizes:
    """Sizes that a block scheduler may give out.

    The base is the smallest block that has at least half the nodes of the largest; a unit that is
    hardly filled would otherwise set it for all. Doubled sizes join neighbours in the list of
    blocks, so they stop where a pair would reach over two fabrics.
    """
    counts = [len(block.nodes) for root in roots for block in root.blocks]
    most = max(counts)
    base = base_nodes
    if base is None:
        base = min(count for count in counts if 2 * count >= most)
    if not 1 <= base <= most:
        message = f"a block of {base} nodes, but the largest has {most}"
        raise InputError(Problem(message, path="base_nodes", hint=f"1 to {most}"))
    full = [sum(len(block.nodes) >= base for block in root.blocks) for root in roots]
    sizes = [base]
    step = 2
    border = 0 if len(full) == 1 else gcd(*(sum(full[: n + 1]) for n in range(len(full) - 1)))
    while step <= max(full) and border % step == 0:
        sizes.append(base * step)
        step *= 2
    short = tuple(b for root in roots for b in root.blocks if len(b.nodes) < base)
    return BlockSizes(base, tuple(sizes), short)


def stranded_nodes(
    roots: Sequence[FabricRoot], segment_nodes: int, base_nodes: int | None = None
) -> int:
    """Nodes that no job made of segments of that size can use.

    A segment never spans blocks, so each block leaves what is beyond its last whole segment. Where
    `base_nodes` is given the rest of a block are spares, which no job is planned on; all nodes of a
    block below the base are left.
    """
    if segment_nodes < 1:
        message = f"segments of {segment_nodes} nodes"
        raise InputError(Problem(message, path="segment_nodes", hint="1 or more"))
    base = block_sizes(roots, base_nodes).base_nodes
    stranded = 0
    for root in roots:
        for block in root.blocks:
            nodes = len(block.nodes)
            usable = nodes if base_nodes is None else min(nodes, base)
            stranded += usable % segment_nodes if nodes >= base else nodes
    return stranded


def check_torus(torus: Torus) -> None:
    """Refuse a torus whose dimensions do not give its nodes."""
    wanted = prod(torus.dimensions)
    if min(torus.dimensions) < 1 or wanted != len(torus.nodes):
        word = " x ".join(map(str, torus.dimensions))
        message = f"torus {torus.name} of {word} has {len(torus.nodes)} nodes"
        raise InputError(Problem(message, path="fabric.torus", hint=f"{wanted} nodes due"))
