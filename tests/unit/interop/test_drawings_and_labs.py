"""GraphML, dot and containerlab files as text: escaping, collapsing, what belongs to a lab."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
import yaml

from clusterplan.core.errors import InputError
from clusterplan.interop.containerlab import LabKinds, write_containerlab
from clusterplan.interop.graphml import write_graphml
from clusterplan.interop.graphviz import write_cvt_dot, write_dot

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.wired_fabric import WiredFabric

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def text_of(writer: Callable[..., None], fabric: WiredFabric, **options: Any) -> str:
    out = io.StringIO()
    writer(fabric, out, **options)
    return out.getvalue()


def odd_words(fabric: WiredFabric) -> WiredFabric:
    """The same with a model that needs escaping everywhere."""
    devices = tuple(device._replace(model='R&D <"8" \\ way>') for device in fabric.devices)
    return replace(fabric, name='a "b" & <c>', devices=devices)


def test_graphml_declares_types_and_escapes(wire: Callable[..., WiredFabric]) -> None:
    root = ElementTree.fromstring(text_of(write_graphml, odd_words(wire())))
    types = {key.get("id"): key.get("attr.type") for key in root.iter(f"{GRAPHML}key")}
    assert types["edge_gbps"] == "double"
    assert types["edge_plane"] == types["edge_cable"] == types["node_unit"] == "int"
    used = {data.get("key") for data in root.iter(f"{GRAPHML}data")}
    assert used == set(types)
    models = {d.text for d in root.iter(f"{GRAPHML}data") if d.get("key") == "node_model"}
    assert models == {'R&D <"8" \\ way>'}
    edges = [edge.get("id") for edge in root.iter(f"{GRAPHML}edge")]
    assert len(set(edges)) == len(edges) == len(list(wire().links()))
    graph = root.find(f"{GRAPHML}graph")
    assert graph is not None
    assert graph.get("id") == 'a "b" & <c>'


def counted_lines(text: str) -> int:
    """Links that the lines of a drawing stand for."""
    visible = [line for line in text.splitlines() if " -- " in line and "invis" not in line]
    return sum(
        int(found[1]) if (found := re.search(r'"(\d+) links"', line)) else 1 for line in visible
    )


@pytest.mark.parametrize("nodes", [1, 6, 14, 40])
@pytest.mark.parametrize("full", [False, True])
def test_a_drawing_counts_every_link(
    nodes: int, full: bool, wire: Callable[..., WiredFabric]
) -> None:
    fabric = wire(nodes, fabric_manager_cables=1, planes=2)
    for plane in (None, 2):
        text = text_of(write_dot, fabric, plane=plane, full=full)
        assert counted_lines(text) == len(list(fabric.links(plane)))
    shapes = len(re.findall(r"^  n\d+ \[", text_of(write_dot, fabric, full=full), re.MULTILINE))
    assert shapes == len(fabric.devices) if full else shapes <= len(fabric.devices)


def test_a_drawing_joins_what_is_alike(wire: Callable[..., WiredFabric]) -> None:
    text = text_of(write_dot, wire(8))
    assert text.startswith('graph "compute" {\n')
    assert 'label="node1 .. node4\\n4 nodes"' in text
    assert 'label="node5 .. node8\\n4 nodes"' in text
    assert 'label="leaf-s1-r1"' in text
    assert '[label="4 links"]' in text  # a unit to its leaf of a rail
    many = text_of(write_dot, wire(40))
    assert '"leaf-s01-r1 .. leaf-s01-r2\\n2 leaf switches"' in many
    assert many.count("[label=") < 100
    ranks = re.findall(r"rank=same; ([^}]*)}", many)
    assert len(ranks) == 4
    assert 'graph "a \\"b\\" & <c>"' in text_of(write_dot, odd_words(wire()))


def test_validation_dialect(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(14, kind="ethernet", planes=2)
    text = text_of(write_cvt_dot, fabric)
    assert '  "p1-spine-1" [label="p1-spine-1" role=spine os="cumulus"]\n' in text
    assert '  "p1-leaf-s1-r1":"swp1s0" -- "node01":"nic0p0"\n' in text
    roles = Counter(re.findall(r"role=(\w+)", text))
    assert roles == {"leaf": 8, "spine": 4}
    links = re.findall(r'"([^"]+)":"([^"]+)" -- "([^"]+)":"([^"]+)"', text)
    assert len(links) == len(list(fabric.links()))
    ends = [end for a, p, b, q in links for end in ((a, p), (b, q))]
    assert len(set(ends)) == len(ends)
    three = text_of(write_cvt_dot, wire(40, kind="ethernet"))
    assert "role=super_spine" in three
    with pytest.raises(InputError, match="describes ethernet fabrics"):
        text_of(write_cvt_dot, wire())


def test_a_lab_is_one_unit(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(14, kind="ethernet", fabric_manager_cables=2)
    lab = yaml.safe_load(text_of(write_containerlab, fabric, unit=2))
    assert lab["name"] == "compute-su2"
    topology = lab["topology"]
    groups = Counter(one["group"] for one in topology["nodes"].values())
    spines = sum(device.role == "spine" for device in fabric.devices)
    assert groups["node"] == 4
    assert groups["leaf"] == 2
    assert set(groups) == {"node", "leaf", "spine"}
    assert groups["spine"] <= spines
    assert "node05" in topology["nodes"]
    assert topology["kinds"] == {
        "sonic-vs": {"image": "docker-sonic-vs:latest"},
        "linux": {"image": "alpine:3"},
    }
    ends = [end for link in topology["links"] for end in link["endpoints"]]
    assert len(set(ends)) == len(ends)
    assert {end.split(":")[0] for end in ends} == set(topology["nodes"])
    assert all(re.fullmatch(r"[\w-]+:eth[1-9]\d*", end) for end in ends)
    assert "node05:eth1" in ends
    assert "leaf-s2-r1:eth1" in ends
    downs = sum(end.startswith("node") for end in ends)
    ups = sum(end.startswith("spine") for end in ends)
    assert (downs, ups) == (4 * 2, 2 * 4)


def test_a_lab_of_one_plane_and_one_kind(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(14, planes=2)
    kinds = LabKinds(switch_kind="linux", switch_image="frrouting/frr:latest")
    lab = yaml.safe_load(text_of(write_containerlab, fabric, plane=2, kinds=kinds))
    assert lab["name"] == "compute-su1-plane2"
    nodes = lab["topology"]["nodes"]
    assert {name.split("-")[0] for name in nodes if "-" in name} == {"p2"}
    assert {one["image"] for one in nodes.values()} == {"alpine:3", "frrouting/frr:latest"}
    with pytest.raises(InputError, match="no scalable unit 3") as caught:
        text_of(write_containerlab, fabric, unit=3)
    assert caught.value.problems[0].hint == "1 to 2"


@pytest.mark.parametrize("writer", [write_graphml, write_dot, write_containerlab])
def test_no_such_plane(writer: Callable[..., None], wire: Callable[..., WiredFabric]) -> None:
    with pytest.raises(InputError, match="compute has no plane 2") as caught:
        text_of(writer, wire(), plane=2)
    assert caught.value.problems[0].hint == "it has one, 1"
