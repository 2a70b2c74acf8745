"""Laws of the wiring: ports, planes, groups, cables and stages of random fabrics."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.equipment import Breakout, Switch
from clusterplan.core.errors import InputError
from clusterplan.core.wired_fabric import (
    CORE,
    ENDPOINT,
    GLOBAL,
    LEAF,
    LEAF_SPINE,
    MANAGER_TIER,
    NODE,
    SPINE,
    SPINE_CORE,
    WiredFabric,
)
from clusterplan.sizing.clos_wiring import Naming, wire_clos
from clusterplan.sizing.dragonfly_plus import wire_dragonfly
from clusterplan.sizing.fabric import FabricDesign, FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import FabricCounts, count_fabric, reach_nodes

Sample = tuple[FabricDesign, FabricCounts, WiredFabric, tuple[int, ...]]


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    ports = 2 * draw(st.integers(2, 8))
    planes = draw(st.sampled_from([1, 1, 2]))
    switch = Switch(
        id="sample",
        vendor="",
        kind=draw(st.sampled_from(["ethernet", "infiniband"])),
        ports=ports,
        cages=ports // 2,
        gbps_per_port=400,
        breakouts=(Breakout(2 * ports, 200),),
    )
    uplink = draw(st.sampled_from([None, None, None, 200.0, 400.0]))
    own = draw(st.sampled_from([1, 1, 1, 2]))
    rails = draw(st.integers(1, 5))
    request = FabricRequest(
        switch=switch,
        nic_gbps=400,
        rails=1 if own == 2 else rails,
        ports_as_planes=own,
        topology="rail-only" if own == 2 and draw(st.booleans()) else "clos",
        planes=planes,
        nodes_per_su=draw(st.none() | st.integers(1, 2 * ports)),
        oversubscription_leaf=draw(st.sampled_from([1.0, 1.0, 1.5, 2.0, 3.0])),
        oversubscription_spine=draw(st.sampled_from([1.0, 1.0, 2.0])),
        leaf_mode=draw(st.sampled_from(["rail", "rail", "across-sus", "packed"])),
        reserve_nodes=draw(st.integers(0, 2)),
        fabric_manager_cables=draw(st.sampled_from([0, 0, 3])),
        uplink_gbps=uplink,
        spines=draw(st.sampled_from([None, None, None, 2, 3])),
    )
    try:
        design = plan_fabric(request)
    except InputError:
        design = plan_fabric(
            replace(request, uplink_gbps=None, oversubscription_leaf=1.0, spines=None)
        )
    if not reach_nodes(design):
        design = plan_fabric(replace(request, rails=1, spines=None, reserve_nodes=0))
    nodes = min(draw(st.integers(1, 90)), reach_nodes(design))
    counts = count_fabric(design, nodes)
    steps = sorted(set(draw(st.lists(st.integers(1, nodes), max_size=2))) | {nodes})
    return design, counts, wire_clos(design, counts, stages=tuple(steps)), tuple(steps)


@st.composite
def dragonflies(draw: st.DrawFn) -> Sample:
    ports = 2 * draw(st.integers(2, 6))
    switch = Switch(
        id="sample",
        vendor="",
        kind="infiniband",
        ports=ports,
        cages=ports,
        gbps_per_port=400,
        breakouts=(Breakout(2 * ports, 200),),
    )
    request = FabricRequest(
        switch=switch,
        nic_gbps=400,
        rails=draw(st.integers(1, 3)),
        planes=draw(st.sampled_from([1, 1, 2])),
        topology="dragonfly-plus",
        leaf_mode="packed",
        oversubscription_leaf=draw(st.sampled_from([1.0, 2.0])),
        oversubscription_spine=draw(st.sampled_from([1.0, 1.0, 2.0])),
    )
    design = plan_fabric(request)
    nodes = min(draw(st.integers(1, 200)), reach_nodes(design))
    counts = count_fabric(design, nodes)
    steps = sorted(set(draw(st.lists(st.integers(1, nodes), max_size=1))) | {nodes})
    words = {"name": "compute", "stage_names": tuple(map(str, steps)), "naming": Naming()}
    wire = wire_dragonfly if counts.tiers > 1 else wire_clos
    return design, counts, wire(design, counts, stages=tuple(steps), **words), tuple(steps)


@settings(max_examples=150, deadline=None)
@given(dragonflies())
def test_dragonfly_groups_all_meet(sample: Sample) -> None:
    design, counts, fabric, _ = sample
    if counts.tiers == 1:
        return
    pairs: Counter[tuple[int, int, int]] = Counter()
    used: set[tuple[int, int]] = set()
    ports: Counter[int] = Counter()
    for link in fabric.links():
        low, high = fabric.devices[link.a], fabric.devices[link.z]
        for end in ((link.a, link.a_port), (link.z, link.z_port)):
            assert end not in used
            used.add(end)
        assert 1 <= link.a_port <= low.ports
        assert 1 <= link.z_port <= high.ports
        ports[link.z] += 1
        if link.tier == GLOBAL:
            ports[link.a] += 1
            assert low.unit < high.unit
            pairs[link.plane, low.unit, high.unit] += 1
    groups = counts.pods
    assert len(pairs) == design.planes * groups * (groups - 1) // 2
    assert len(set(pairs.values())) <= 1  # the same number of links between any two
    assert sum(pairs.values()) == design.planes * counts.global_links
    wired = Counter(ports[n] for n, one in enumerate(fabric.devices) if one.role == SPINE)
    expected: Counter[int] = Counter()
    for number, load in counts.spine_in_use:
        expected[load] += design.planes * number
    assert wired == expected


@settings(max_examples=300, deadline=None)
@given(samples())
def test_wiring_is_the_count(sample: Sample) -> None:
    design, counts, fabric, _ = sample
    links = list(fabric.links())
    tiers = Counter(link.tier for link in links)
    planes = design.planes
    assert tiers[ENDPOINT] == counts.nodes * design.request.rails * planes
    assert tiers[LEAF_SPINE] == planes * counts.leaf_spine_links
    assert tiers[SPINE_CORE] == planes * counts.spine_core_links
    assert tiers[MANAGER_TIER] <= design.fabric_manager_cables
    roles = Counter(device.role for device in fabric.devices)
    assert roles[NODE] == counts.nodes
    assert roles[LEAF] == planes * counts.leaves
    assert roles[SPINE] == planes * counts.spines
    assert roles[CORE] == planes * counts.cores
    names = [device.name for device in fabric.devices]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 64
    in_use = Counter(
        (link.plane, end) for link in links if link.tier != MANAGER_TIER for end in (link.a, link.z)
    )
    for role, kinds in (
        (SPINE, counts.spine_in_use),
        (CORE, counts.core_in_use),
    ):
        wired = Counter(
            ports for (_, end), ports in in_use.items() if fabric.devices[end].role == role
        )
        expected = Counter({ports: 0 for _, ports in kinds})
        for number, ports in kinds:
            expected[ports] += planes * number
        assert wired == expected


@settings(max_examples=300, deadline=None)
@given(samples() | dragonflies())
def test_no_port_twice_nor_beyond_the_radix(sample: Sample) -> None:
    design, counts, fabric, _ = sample
    seen: set[tuple[int, int]] = set()
    once: Counter[tuple[int, int]] = Counter()
    for link in fabric.links():
        low, high = fabric.devices[link.a], fabric.devices[link.z]
        for end, device, port in ((link.a, low, link.a_port), (link.z, high, link.z_port)):
            assert (end, port) not in seen
            seen.add((end, port))
            assert 1 <= port <= device.ports
            assert fabric.port_name(device, port)
        assert {low.plane, high.plane} <= {0, link.plane}
        if link.tier == ENDPOINT:
            once[link.a, link.plane] += 1
    per_plane = design.request.rails
    assert set(once.values()) <= {per_plane}
    assert len(once) == counts.nodes * design.planes
    for names in fabric.port_names.values():
        assert len(set(names)) == len(names)


@settings(max_examples=200, deadline=None)
@given(samples() | dragonflies())
def test_every_leaf_reaches_every_spine_of_its_group(sample: Sample) -> None:
    design, counts, fabric, _ = sample
    spines_of = defaultdict(set)
    for link in fabric.links():
        if link.tier == LEAF_SPINE:
            spines_of[link.a].add(link.z)
    if counts.tiers == 1:
        assert not spines_of
        return
    packed = design.request.leaf_mode == "packed"
    groups = counts.pods * (1 if packed else design.request.rails) if counts.tiers == 3 else 1
    if design.request.topology == "dragonfly-plus":
        groups = counts.pods
    assert {len(found) for found in spines_of.values()} == {counts.spines // groups}
    assert len({frozenset(found) for found in spines_of.values()}) == groups * design.planes


@settings(max_examples=200, deadline=None)
@given(samples())
def test_cables_are_links_over_lanes(sample: Sample) -> None:
    design, counts, fabric, _ = sample
    cables = defaultdict(Counter)
    for link in fabric.links():
        cables[link.tier][link.cable] += 1
    lanes = max(1, design.spine_radix // design.native_ports)
    split = design.request.planes
    nic_ports = counts.nodes * design.nic_ports_per_node
    assert len(cables[ENDPOINT]) == nic_ports
    assert set(cables[ENDPOINT].values()) == {split}
    for tier, links in (
        (LEAF_SPINE, counts.leaf_spine_links),
        (SPINE_CORE, counts.spine_core_links),
    ):
        assert len(cables[tier]) == design.planes * -(-links // lanes)
        assert max(cables[tier].values(), default=0) <= lanes
    for tier, found in cables.items():
        assert sorted(found) == list(range(1, len(found) + 1)), tier


@settings(max_examples=200, deadline=None)
@given(samples())
def test_a_stage_is_a_fabric_and_moves_no_cable(sample: Sample) -> None:
    design, counts, fabric, steps = sample
    links = list(fabric.links())
    for number, nodes in enumerate(steps, start=1):
        there = [link for link in links if link.stage <= number]
        present = {index for index, device in enumerate(fabric.devices) if device.stage <= number}
        for link in there:  # both ends stand when the cable does
            assert {link.a, link.z} <= present
        tiers = Counter(link.tier for link in there)
        assert tiers[ENDPOINT] == nodes * design.request.rails * design.planes
        leaves = sum(device.role == LEAF and device.stage <= number for device in fabric.devices)
        if counts.tiers > 1:
            assert tiers[LEAF_SPINE] == leaves * design.leaf_uplinks
        # a spine that stands has the uplinks that its downlinks are due, no more
        down = Counter(link.z for link in there if link.tier == LEAF_SPINE)
        up = Counter(link.a for link in there if link.tier == SPINE_CORE)
        if counts.tiers == 3:
            ratio = design.request.oversubscription_spine
            for spine, load in down.items():
                assert load / ratio - 1e-9 <= up[spine] < load / ratio + 1
