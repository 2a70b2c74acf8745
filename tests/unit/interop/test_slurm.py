"""Slurm topology files against the grammar that slurmctld reads, and their block sizes."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from clusterplan.core.errors import InputError
from clusterplan.core.scheduler_topology import (
    FabricRoot,
    NodeBlock,
    Torus,
    block_sizes,
    scheduler_topology,
    stranded_nodes,
)
from clusterplan.interop.hostlist import hostlist
from clusterplan.interop.slurm import (
    MOST_LEAVES,
    write_topology_conf,
    write_topology_yaml,
    write_torus_yaml,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.wired_fabric import WiredFabric


def names_of(text: str) -> list[str]:
    """A hostlist read back."""
    found = []
    for prefix, ranges, plain in re.findall(r"([\w-]*)\[([\d,-]+)\]|([\w-]+)", text):
        found += [plain] if plain else []
        for part in filter(None, ranges.split(",")):
            low, _, high = part.partition("-")
            found += [f"{prefix}{n:0{len(low)}d}" for n in range(int(low), int(high or low) + 1)]
    return found


def blocks(*sizes: int, root: str = "compute") -> FabricRoot:
    found = []
    for number, size in enumerate(sizes, start=1):
        nodes = tuple(f"{root}-n{number}-{node:03d}" for node in range(size))
        found.append(NodeBlock(f"{root}-su{number}", nodes))
    return FabricRoot(root, tuple(found))


def conf(roots: tuple[FabricRoot, ...], **options: object) -> list[str]:
    out = io.StringIO()
    write_topology_conf(roots, out, **options)  # type: ignore[arg-type]
    return [line for line in out.getvalue().splitlines() if not line.startswith("#")]


def from_yaml(roots: tuple[FabricRoot, ...], **options: object) -> dict[str, object]:
    out = io.StringIO()
    write_topology_yaml(roots, out, **options)  # type: ignore[arg-type]
    (only,) = yaml.safe_load(out.getvalue())
    assert list(only)[:2] == ["topology", "cluster_default"]
    assert only["cluster_default"] is True
    return only


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a"], "a"),
        (["n1"], "n1"),
        (["n1", "n2", "n3"], "n[1-3]"),
        (["n01", "n02", "n04"], "n[01-02,04]"),
        (["n0001", "n0002", "n0040"], "n[0001-0002,0040]"),
        (["n9", "n10"], "n9,n10"),
        (["su1-r2", "su1-r3", "x"], "su1-r[2-3],x"),
        ([], ""),
    ],
)
def test_hostlist(names: list[str], expected: str) -> None:
    assert hostlist(names) == expected


@given(
    st.lists(
        st.tuples(st.sampled_from(["node", "a-1-", "x"]), st.integers(0, 120), st.integers(1, 4)),
        max_size=40,
    )
)
def test_hostlist_reads_back(parts: list[tuple[str, int, int]]) -> None:
    names = [f"{prefix}{number:0{width}d}" for prefix, number, width in parts]
    assert names_of(hostlist(names)) == names


def test_blocks_are_units_or_domains(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(14)
    (root,) = scheduler_topology([fabric])
    assert root.name == "compute"
    assert [block.name for block in root.blocks] == [f"compute-su{n}" for n in range(1, 5)]
    assert [len(block.nodes) for block in root.blocks] == [4, 4, 4, 2]
    (root,) = scheduler_topology([fabric], nodes_per_domain=3)
    assert [block.name for block in root.blocks] == [f"compute-domain{n}" for n in range(1, 6)]
    every = [node for block in root.blocks for node in block.nodes]
    assert every == [f"node{n:02d}" for n in range(1, 15)]


def test_one_root_for_each_cluster(wire: Callable[..., WiredFabric]) -> None:
    first, second = wire(6), wire(5, name="compute-c2", first_node=6)
    with pytest.raises(InputError, match="node7 is in compute and in other"):
        scheduler_topology([wire(8), wire(2, name="other", first_node=6)])
    with pytest.raises(InputError, match="two fabrics are called compute"):
        scheduler_topology([first, wire(5, first_node=6)])
    with pytest.raises(InputError, match="no node"):
        scheduler_topology([])
    with pytest.raises(InputError, match="0 nodes per domain"):
        scheduler_topology([first], nodes_per_domain=0)
    second = wire(3, name="compute-c2", first_node=6)
    lines = conf(scheduler_topology([first, second]))
    assert lines == [
        "SwitchName=compute Switches=compute-su[1-2]",
        "SwitchName=compute-su1 Nodes=node[1-4]",
        "SwitchName=compute-su2 Nodes=node[5-6]",
        "SwitchName=compute-c2 Switches=compute-c2-su1",
        "SwitchName=compute-c2-su1 Nodes=node[7-9]",
    ]


def check_tree(switches: dict[str, dict[str, str]], nodes: set[str]) -> None:
    """Children exist, nobody has two parents or both kinds, every node is under one leaf."""
    children = [name for one in switches.values() for name in names_of(one.get("children", ""))]
    under = [name for one in switches.values() for name in names_of(one.get("nodes", ""))]
    assert all(("children" in one) != ("nodes" in one) for one in switches.values())
    assert len(children) == len(set(children))
    assert set(children) <= set(switches)
    assert sorted(under) == sorted(nodes)
    assert max(map(len, switches)) <= 64


@pytest.mark.parametrize("count", [1, 5, MOST_LEAVES, MOST_LEAVES + 1, 1000])
def test_trees_of_both_files_are_the_same(count: int) -> None:
    roots = (blocks(*[2] * count), blocks(3, root="other"))
    switches: dict[str, dict[str, str]] = {}
    for line in conf(roots):
        name, word, names = re.fullmatch(r"SwitchName=(\S+) (Switches|Nodes)=(\S+)", line).groups()
        assert name not in switches
        switches[name] = {"children" if word == "Switches" else "nodes": names}
    tree = from_yaml(roots)["tree"]
    assert {one.pop("switch"): one for one in tree["switches"]} == switches
    check_tree(switches, {n for root in roots for block in root.blocks for n in block.nodes})
    widest = max(len(names_of(one.get("children", ""))) for one in switches.values())
    assert widest <= MOST_LEAVES
    extra = len(switches) - count - 1 - 2  # leaves and the two roots
    assert extra == (0 if count <= MOST_LEAVES else len(names_of(switches["compute"]["children"])))


def test_block_files() -> None:
    roots = (blocks(18, 18, 17, 16, 3),)
    lines = conf(roots, kind="block", base_nodes=16)
    assert lines[-1] == "BlockSizes=16,32,64"
    assert lines[0] == "BlockName=compute-su1 Nodes=compute-n1-[000-017]"
    assert len(lines) == 5  # the block of three nodes is left out
    told = io.StringIO()
    write_topology_conf(roots, told, kind="block", base_nodes=16, segments=[4, 5])
    assert "# left out: compute-su5 holds 3 of the 16 due: compute-n5-[000-002]" in told.getvalue()
    assert "# segments of 4 nodes strand 3 of 72 nodes" in told.getvalue()
    assert "# segments of 5 nodes strand 7 of 72 nodes" in told.getvalue()
    block = from_yaml(roots, kind="block", base_nodes=16)["block"]
    assert block["block_sizes"] == [16, 32, 64]
    assert [one["block"] for one in block["blocks"]] == [f"compute-su{n}" for n in range(1, 5)]
    assert names_of(block["blocks"][3]["nodes"]) == list(roots[0].blocks[3].nodes)


@pytest.mark.parametrize(
    ("roots", "base", "expected"),
    [
        ((blocks(32),), None, (32,)),
        ((blocks(32, 32, 32, 31),), None, (31, 62, 124)),
        ((blocks(32, 32, 32),), None, (32, 64)),
        ((blocks(18, 18, 1),), None, (18, 36)),
        ((blocks(18, 18, 9),), None, (9, 18)),
        ((blocks(18, 18),), 17, (17, 34)),
        # pairs of blocks must not reach over two fabrics
        ((blocks(8, 8), blocks(8, 8, root="b")), None, (8, 16)),
        ((blocks(8, 8, 8), blocks(8, root="b")), None, (8,)),
        ((blocks(*[8] * 6), blocks(*[8] * 8, root="b")), None, (8, 16)),
        ((blocks(*[8] * 4), blocks(*[8] * 6, root="b")), None, (8, 16, 32)),
    ],
)
def test_block_sizes(
    roots: tuple[FabricRoot, ...], base: int | None, expected: tuple[int, ...]
) -> None:
    assert block_sizes(roots, base).sizes == expected


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.integers(1, 40))
def test_block_laws(sizes: list[int], segment: int) -> None:
    roots = (blocks(*sizes),)
    found = block_sizes(roots)
    kept = [size for size in sizes if size >= found.base_nodes]
    assert len(kept) + len(found.short) == len(sizes)
    assert all(big == 2 * small for small, big in zip(found.sizes, found.sizes[1:], strict=False))
    assert found.sizes[-1] <= found.base_nodes * len(kept)
    stranded = stranded_nodes(roots, segment)
    # what is not stranded is whole segments, and no block has room for one more
    assert (sum(sizes) - stranded) % segment == 0
    assert stranded <= (segment - 1) * len(kept) + sum(len(b.nodes) for b in found.short)
    assert stranded_nodes(roots, 1) == sum(len(b.nodes) for b in found.short)


def test_stranded_trays_of_scale_up_domains() -> None:
    # NVL72: 18 trays, jobs in segments of 16 leave 2 in each block; with 2 spares none
    rack = (blocks(18, 18, 18, 18),)
    assert stranded_nodes(rack, 16) == 8
    assert stranded_nodes(rack, 16, base_nodes=16) == 0
    assert stranded_nodes(rack, 18) == 0
    assert stranded_nodes(rack, 20) == 72


@pytest.mark.parametrize("base", [0, -1, 19])
def test_bases_that_no_block_has(base: int) -> None:
    with pytest.raises(InputError, match="a block of"):
        block_sizes((blocks(18, 18),), base)


def test_bad_requests() -> None:
    with pytest.raises(InputError, match="segments of 0 nodes"):
        stranded_nodes((blocks(4),), 0)
    with pytest.raises(InputError, match="no Slurm topology of that kind: ring"):
        conf((blocks(4),), kind="ring")
    with pytest.raises(InputError, match="no Slurm topology of that kind"):
        from_yaml((blocks(4),), kind="flat")
    with pytest.raises(InputError, match="names of 64 characters"):
        conf((blocks(4, root="c" * 64),))


def test_torus() -> None:
    nodes = tuple(f"node{n:02d}" for n in range(1, 25))
    out = io.StringIO()
    write_torus_yaml([Torus("pod-1", (4, 3, 2), nodes)], out)
    (only,) = yaml.safe_load(out.getvalue())
    assert only == {
        "topology": "torus3d",
        "cluster_default": True,
        "torus3d": {
            "toruses": [{"name": "pod-1", "dims": {"x": 4, "y": 3, "z": 2}, "nodes": "node[01-24]"}]
        },
    }
    with pytest.raises(InputError, match="torus pod-1 of 4 x 3 x 3 has 24 nodes"):
        write_torus_yaml([Torus("pod-1", (4, 3, 3), nodes)], out)
    with pytest.raises(InputError):
        write_torus_yaml([Torus("pod-1", (-4, -6, 1), nodes)], out)
