"""networkx reads the GraphML, Graphviz draws the drawings."""

from __future__ import annotations

import io
import subprocess
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from clusterplan.core.equipment import Breakout, Switch
from clusterplan.interop.graphml import write_graphml
from clusterplan.interop.graphviz import write_cvt_dot, write_dot
from clusterplan.sizing.clos_wiring import wire_clos
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import count_fabric
from clusterplan.sizing.fabric_totals import fabric_bisection_tb_per_s

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.wired_fabric import WiredFabric
    from clusterplan.sizing.fabric import FabricDesign
    from clusterplan.sizing.fabric_count import FabricCounts


def read_graph(fabric: WiredFabric, plane: int | None = None) -> nx.Graph:
    text = io.BytesIO()
    with io.TextIOWrapper(text, encoding="utf-8", write_through=True) as out:
        write_graphml(fabric, out, plane=plane)
        return nx.read_graphml(io.BytesIO(text.getvalue()))


def small(
    ports: int, rails: int, nodes: int, ratio: tuple[float, float], planes: int = 1
) -> tuple[FabricDesign, FabricCounts, WiredFabric]:
    switch = Switch(
        id="small",
        vendor="",
        kind="ethernet",
        ports=ports,
        cages=ports,
        gbps_per_port=400,
        breakouts=(Breakout(2 * ports, 200),),
    )
    design = plan_fabric(
        FabricRequest(
            switch=switch,
            nic_gbps=400,
            rails=rails,
            planes=planes,
            oversubscription_leaf=ratio[0],
            oversubscription_spine=ratio[1],
        )
    )
    counts = count_fabric(design, nodes)
    return design, counts, wire_clos(design, counts)


def test_graph_is_the_fabric(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(2, planes=2)
    graph = read_graph(fabric)
    links = list(fabric.links())
    assert graph.is_multigraph()
    assert graph.number_of_nodes() == len(fabric.devices)
    names = [device.name for device in fabric.devices]
    expected = Counter(frozenset((names[link.a], names[link.z])) for link in links)
    assert Counter(frozenset(pair) for pair in graph.edges(keys=False)) == expected
    assert max(expected.values()) > 1  # links that run in parallel were not merged
    ports = {(data["source_port"], data["target_port"]) for *_, data in graph.edges(data=True)}
    assert ("mlx5_0", "P1/1") in ports
    assert {type(data["gbps"]) for *_, data in graph.edges(data=True)} == {float}
    roles = Counter(role for _, role in graph.nodes(data="role"))
    assert roles == Counter(device.role for device in fabric.devices)
    planes = Counter(plane for *_, plane in graph.edges(data="plane"))
    assert planes == Counter(link.plane for link in links)
    one = read_graph(fabric, plane=2)
    assert one.number_of_edges() == planes[2]
    assert {plane for _, plane in one.nodes(data="plane")} == {0, 2}


@pytest.mark.parametrize(
    ("ports", "rails", "nodes", "ratio", "planes"),
    [
        (4, 1, 8, (1.0, 1.0), 1),
        (4, 1, 16, (1.0, 1.0), 2),
        (4, 1, 16, (1.0, 1.0), 1),  # three tiers
        (6, 1, 16, (2.0, 1.0), 1),
        (6, 2, 24, (1.0, 2.0), 1),  # three tiers, the spines oversubscribed
        (8, 2, 16, (1.0, 1.0), 1),
    ],
)
def test_max_flow_between_halves_is_the_bisection(
    ports: int, rails: int, nodes: int, ratio: tuple[float, float], planes: int
) -> None:
    design, counts, fabric = small(ports, rails, nodes, ratio, planes)
    tiers = [counts.nodes * rails, counts.leaf_spine_links]
    if counts.tiers == 3:
        tiers.append(counts.spine_core_links)
    each_gbps = design.planes * design.link_gbps
    reported_tb_per_s = fabric_bisection_tb_per_s(tuple(each_gbps * links for links in tiers))
    flow = nx.DiGraph()
    for low, high, gbps in read_graph(fabric).edges(data="gbps"):
        for a, b in ((low, high), (high, low)):
            before = flow.get_edge_data(a, b, {"capacity": 0.0})["capacity"]
            flow.add_edge(a, b, capacity=before + gbps)
    names = [device.name for device in fabric.devices if device.role == "node"]
    for place, name in enumerate(names):
        if place < len(names) / 2:
            flow.add_edge("source", name)  # no capacity: unlimited
        else:
            flow.add_edge(name, "sink")
    flow_gbps = nx.maximum_flow_value(flow, "source", "sink")
    assert flow_gbps / 1000 == pytest.approx(reported_tb_per_s)
    assert flow_gbps > 0


@pytest.mark.parametrize("units", [1, 4, 16])
def test_dot_draws_every_size(
    units: int, wire: Callable[..., WiredFabric], program: Callable[[str], str]
) -> None:
    fabric = wire(units)
    drawing = io.StringIO()
    write_dot(fabric, drawing)
    svg = render(program("dot"), drawing.getvalue())
    assert "<svg" in svg
    assert f"node{1:0{len(str(32 * units))}d} .. node" in svg
    # a drawing to look at: some dozens of lines, however large the fabric
    assert drawing.getvalue().count(" -- ") < 100


def test_dot_draws_every_link_and_planes(
    wire: Callable[..., WiredFabric], program: Callable[[str], str]
) -> None:
    _, _, fabric = small(4, 1, 16, (1.0, 1.0), planes=2)
    for writer in (write_cvt_dot, lambda *given, **more: write_dot(*given, full=True, **more)):
        drawing = io.StringIO()
        writer(fabric, drawing, plane=1)
        svg = render(program("dot"), drawing.getvalue())
        for device in fabric.devices:
            assert (f">{device.name}<" in svg) == (device.plane in (0, 1))


def render(dot: str, text: str) -> str:
    run = subprocess.run(
        [dot, "-Tsvg"], input=text, timeout=60, check=True, capture_output=True, text=True
    )
    # dot does not know ports that no label declares, which the validation dialect has
    warnings = [line for line in run.stderr.splitlines() if not line.endswith(" unrecognized")]
    assert not warnings
    return unescape(run.stdout)
