"""Laws of the fabric count, and its closed form against an explicit wiring.

The wiring below lays out every slot, leaf, spine and core port by port, in the order that the
counting rules state, and knows nothing of the closed form but the spines of a group; those are
checked by trying every smaller number.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import replace
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.equipment import Switch
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.sizing.fabric import FabricDesign, FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import FabricCounts, count_fabric, most_slots, reach_nodes


def switch(ports: int) -> Switch:
    return Switch(
        id=f"switch-{ports}",
        vendor="",
        kind="ethernet",
        ports=ports,
        cages=ports,
        gbps_per_port=400,
    )


@st.composite
def designs(draw: st.DrawFn, most_ports: int = 16) -> FabricDesign:
    ports = 2 * draw(st.integers(2, most_ports // 2))
    request = FabricRequest(
        switch=switch(ports),
        nic_gbps=400,
        rails=draw(st.integers(1, 6)),
        nodes_per_su=draw(st.none() | st.integers(1, 2 * ports)),
        oversubscription_leaf=draw(st.sampled_from([1.0, 1.0, 1.5, 2.0, 3.0])),
        oversubscription_spine=draw(st.sampled_from([1.0, 1.0, 2.0, 7.0])),
        leaf_mode=draw(st.sampled_from(["rail", "rail", "across-sus", "packed"])),
        reserve_nodes=draw(st.integers(0, 2)),
    )
    return plan_fabric(request)


class Wiring:
    """One plane, every link.

    Ends are ("nic", node, rail), ("leaf", stripe, rail), ("spine", group, i) and ("core", i).
    Groups are sorted by rail, then pod, so that a core's ports spread evenly over the pods even
    where their number is no multiple of the groups.
    """

    def __init__(self, design: FabricDesign, nodes: int, group_size: int | None) -> None:
        self.design, self.nodes = design, nodes
        self.links: list[tuple[tuple, tuple]] = []
        self.leaf_of: dict[tuple[int, int], tuple] = {}
        request = design.request
        slots = nodes + request.reserve_nodes
        stripes: dict[tuple, int] = {}
        for slot in range(slots):
            for rail in range(request.rails):
                if request.leaf_mode == "packed":
                    leaf = ((slot * request.rails + rail) // design.leaf_downlinks, 0)
                    stripes.setdefault(("packed", leaf[0]), leaf[0])
                else:
                    key = self._stripe_key(slot)
                    leaf = (stripes.setdefault(key, len(stripes)), rail)
                self.leaf_of[slot, rail] = leaf
                if slot < nodes:
                    self.links.append((("nic", slot, rail), ("leaf", *leaf)))
        self.leaves = sorted(set(self.leaf_of.values()))
        self.rows = len(stripes)
        if group_size is not None:
            self._wire(group_size)

    def _stripe_key(self, slot: int) -> tuple:
        request, down = self.design.request, self.design.leaf_downlinks
        su = request.nodes_per_su
        if request.leaf_mode == "across-sus" or su is None:
            return (slot // down,)
        if su >= down:
            return (slot // su, slot % su // down)
        return (slot // (down // su * su),)

    def _wire(self, size: int) -> None:
        up = self.design.leaf_uplinks
        three = len(self.leaves) > self.design.spine_radix
        pod_rows = self.design.spine_downlinks_max
        down: Counter[tuple] = Counter()
        for row, rail in self.leaves:
            group = (rail, row // pod_rows) if three else (0, 0)
            for uplink in range(up):
                spine = ("spine", group, uplink % size)
                down[spine] += 1
                self.links.append((("leaf", row, rail), spine))
        self.group_load = down
        if not three:
            return
        ratio = self.design.request.oversubscription_spine
        ups = [
            (spine[2], uplink, spine[1])
            for spine, load in down.items()
            for uplink in range(ceil(load / ratio - 1e-9))
        ]
        for position, (index, _, group) in enumerate(sorted(ups)):
            core = ("core", position // self.design.spine_radix)
            self.links.append((("spine", group, index), core))

    def switches(self, tier: str) -> set[tuple]:
        return {end for link in self.links for end in link if end[0] == tier}

    def between(self, lower: str, upper: str) -> int:
        return sum(a[0] == lower and b[0] == upper for a, b in self.links)

    def ports(self, tier: str) -> Counter[tuple]:
        return Counter(end for link in self.links for end in link if end[0] == tier)

    def hops_from(self, start: tuple) -> dict[tuple, int]:
        near = defaultdict(set)
        for a, b in self.links:
            near[a].add(b)
            near[b].add(a)
        found, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for there in near[here] - found.keys():
                found[there] = found[here] + 1
                queue.append(there)
        return found


def group_size(design: FabricDesign, counts: FabricCounts) -> int:
    if counts.tiers == 2:
        return counts.spines
    per_pod = 1 if design.request.leaf_mode == "packed" else design.request.rails
    return counts.spines // (per_pod * counts.pods)


def smallest_group(design: FabricDesign, wiring: Wiring, three: bool) -> int:
    """The least spines that take the same links from every leaf of the fullest group."""
    most = design.spine_downlinks_max if three else design.spine_radix
    groups = Counter(
        (row // design.spine_downlinks_max, rail) if three else 0 for row, rail in wiring.leaves
    )
    up = design.leaf_uplinks
    return next(
        size
        for size in range(1, up + 1)
        if up % size == 0 and max(groups.values()) * up // size <= most
    )


def tally(in_use: tuple[tuple[int, int], ...]) -> Counter[int]:
    found: Counter[int] = Counter()
    for switches, ports in in_use:
        found[ports] += switches
    return found


@settings(max_examples=120, deadline=None)
@given(designs(), st.integers(1, 120))
def test_closed_form_equals_the_wiring(design: FabricDesign, nodes: int) -> None:
    nodes = min(nodes, reach_nodes(design))
    if nodes < 1:
        return
    counts = count_fabric(design, nodes)
    wiring = Wiring(design, nodes, None if counts.tiers == 1 else group_size(design, counts))
    if counts.tiers == 1:
        assert (nodes + design.request.reserve_nodes) * design.request.rails <= design.radix
        assert counts.leaf_in_use == ((1, nodes * design.request.rails),)
        return
    assert counts.leaves == len(wiring.leaves)
    assert group_size(design, counts) == smallest_group(design, wiring, counts.tiers == 3)
    assert counts.spines == len(wiring.switches("spine"))
    assert counts.cores == len(wiring.switches("core"))
    assert counts.leaf_spine_links == wiring.between("leaf", "spine")
    assert counts.spine_core_links == wiring.between("spine", "core")
    assert nodes * design.request.rails == wiring.between("nic", "leaf")
    up = design.leaf_uplinks
    used = dict.fromkeys(wiring.leaves, 0)
    for a, b in wiring.links:
        if a[0] == "nic":
            used[b[1:]] += 1
    assert tally(counts.leaf_in_use) == Counter(used.values())
    assert tally(counts.spine_in_use) == Counter(wiring.ports("spine").values())
    assert tally(counts.core_in_use) == Counter(wiring.ports("core").values())
    for tier in ("leaf", "spine", "core"):
        assert max(wiring.ports(tier).values(), default=0) <= design.radix
    assert max(used.values()) <= design.leaf_downlinks
    assert design.leaf_downlinks + up <= design.radix


@settings(max_examples=40, deadline=None)
@given(designs(most_ports=8), st.integers(2, 60))
def test_reach_and_hops_of_the_wiring(design: FabricDesign, nodes: int) -> None:
    nodes = min(nodes, reach_nodes(design))
    if nodes < 1 or (counts := count_fabric(design, nodes)).tiers == 1:
        return
    size = group_size(design, counts)
    wiring = Wiring(design, nodes, size)
    spines_of = defaultdict(set)
    for a, b in wiring.links:
        if a[0] == "leaf":
            spines_of[a].add(b)
    assert {len(spines) for spines in spines_of.values()} == {size}  # every spine of its group
    first = wiring.hops_from(("nic", 0, 0))
    # links to the farthest NIC port: one more than the switches between
    farthest = max(first["nic", nodes - 1, rail] for rail in range(design.request.rails))
    assert farthest - 1 <= 2 * counts.tiers - 1


@settings(max_examples=150, deadline=None)
@given(designs(most_ports=40), st.integers(1, 4000), st.integers(1, 40))
def test_counts_never_fall_as_nodes_are_added(design: FabricDesign, nodes: int, more: int) -> None:
    nodes = min(nodes, reach_nodes(design) - more)
    if nodes < 1:
        return
    few, many = count_fabric(design, nodes), count_fabric(design, nodes + more)
    for name in ("tiers", "stripes", "leaves", "spines", "leaf_spine_links"):
        assert getattr(few, name) <= getattr(many, name)
    assert few.leaves + few.spines + few.cores <= many.leaves + many.spines + many.cores
    if design.request.oversubscription_spine == 1.0:
        # With a spine ratio a group of more spines may round up to fewer uplinks in all, since
        # its spines are filled less: the ratio asked for holds on both sides.
        assert few.cores <= many.cores
        assert few.spine_core_links <= many.spine_core_links


@settings(max_examples=150, deadline=None)
@given(designs(most_ports=64))
def test_reach_is_where_feasibility_ends(design: FabricDesign) -> None:
    reach = reach_nodes(design)
    if reach:
        assert count_fabric(design, reach).nodes == reach
    with pytest.raises(InfeasibleError, match=f"most that fit are {reach} nodes"):
        count_fabric(design, reach + 1)
    for tiers in (1, 2):
        slots = most_slots(design, tiers)
        nodes = slots - design.request.reserve_nodes
        if 1 <= nodes < reach:
            assert count_fabric(design, nodes).tiers <= tiers
            assert count_fabric(design, nodes + 1).tiers >= tiers


@settings(max_examples=150, deadline=None)
@given(designs(most_ports=64), st.integers(1, 5000))
def test_ports_and_ratios(design: FabricDesign, nodes: int) -> None:
    nodes = min(nodes, reach_nodes(design))
    if nodes < 1:
        return
    counts, request = count_fabric(design, nodes), design.request
    downlinks = sum(leaves * down for leaves, down in counts.leaf_in_use)
    assert downlinks == nodes * request.rails  # every NIC port has its leaf port
    assert sum(leaves for leaves, _ in counts.leaf_in_use) == counts.leaves
    assert sum(spines for spines, _ in counts.spine_in_use) == counts.spines
    assert sum(cores for cores, _ in counts.core_in_use) == counts.cores
    spine_ports = sum(spines * ports for spines, ports in counts.spine_in_use)
    assert spine_ports == counts.leaf_spine_links + counts.spine_core_links
    assert sum(cores * ports for cores, ports in counts.core_in_use) == counts.spine_core_links
    assert all(ports <= design.radix for _, ports in counts.spine_in_use + counts.core_in_use)
    if counts.tiers > 1:
        assert design.stripe / counts.leaf_uplinks <= request.oversubscription_leaf + 1e-9
        assert counts.spines >= counts.spines_minimum
    if counts.tiers == 3:
        wired = counts.spine_downlinks / counts.spine_uplinks
        assert wired <= request.oversubscription_spine + 1e-9


@settings(max_examples=60, deadline=None)
@given(designs(most_ports=32), st.integers(1, 500), st.integers(1, 8))
def test_packed_never_needs_more_leaves(design: FabricDesign, nodes: int, rails: int) -> None:
    request = replace(design.request, rails=rails, leaf_mode="rail")
    packed, across = (
        plan_fabric(replace(request, leaf_mode=mode)) for mode in ("packed", "across-sus")
    )
    nodes = min(nodes, *(reach_nodes(one) for one in (packed, across, plan_fabric(request))))
    if nodes < 1:
        return
    leaves = [count_fabric(one, nodes).leaves for one in (packed, across, plan_fabric(request))]
    assert leaves == sorted(leaves)


def max_flow(links: list[tuple[tuple, tuple]], sources: set[tuple], sinks: set[tuple]) -> int:
    """Unit-capacity links in both directions; Edmonds-Karp."""
    room: dict[tuple, Counter[tuple]] = defaultdict(Counter)
    for a, b in links:
        room[a][b] += 1
        room[b][a] += 1
    for end in sources:
        room[("source",)][end] = 10**6
    for end in sinks:
        room[end][("sink",)] = 10**6
    flow = 0
    while True:
        came: dict[tuple, tuple] = {("source",): ("source",)}
        queue = deque([("source",)])
        while queue and ("sink",) not in came:
            here = queue.popleft()
            for there, capacity in room[here].items():
                if capacity and there not in came:
                    came[there] = here
                    queue.append(there)
        if ("sink",) not in came:
            return flow
        there = ("sink",)
        while there != ("source",):
            here = came[there]
            room[here][there] -= 1
            room[there][here] += 1
            there = here
        flow += 1


@pytest.mark.parametrize(
    ("ports", "rails", "nodes", "ratio"),
    [(4, 1, 8, (1.0, 1.0)), (4, 1, 16, (1.0, 1.0)), (6, 1, 16, (2.0, 1.0)), (6, 2, 24, (1.0, 2.0))],
)
def test_bisection_is_the_max_flow_between_even_halves(
    ports: int, rails: int, nodes: int, ratio: tuple[float, float]
) -> None:
    request = FabricRequest(
        switch=switch(ports),
        nic_gbps=400,
        rails=rails,
        oversubscription_leaf=ratio[0],
        oversubscription_spine=ratio[1],
    )
    try:
        design = plan_fabric(request)
    except InputError:
        pytest.fail("the sample is meant to be valid")
    counts = count_fabric(design, nodes)
    wiring = Wiring(design, nodes, group_size(design, counts))
    nics = [("nic", node, rail) for node in range(nodes) for rail in range(rails)]
    halves = ({n for n in nics if n[1] < nodes // 2}, {n for n in nics if n[1] >= nodes // 2})
    tiers = (nodes * rails, counts.leaf_spine_links, counts.spine_core_links)[: counts.tiers]
    assert max_flow(wiring.links, *halves) == min(tiers) // 2
