"""Clusters of a site, totals over them, and what the network draws."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.equipment import Optic, Switch
from clusterplan.core.errors import InfeasibleError
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_optics import FabricEquipment
from clusterplan.sizing.fabric_site import (
    SiteFabricDesign,
    count_site,
    cut_into_clusters,
    fabric_reach_racks,
    plan_site_fabric,
)

NDR = Switch(id="ndr-64", vendor="", kind="infiniband", ports=64, cages=32, gbps_per_port=400)
TWIN = Optic(id="twin", kind="2xdr4", speed_gbps=800, power_w=17)
EQUIPMENT = FabricEquipment(
    switch_power_w=747.0,
    rack_units=1.0,
    liquid_cooled=False,
    cages=32,
    copper=False,
    switch_module=TWIN,
    nic_module=None,
)


def site(*, single: bool = False, equipment: FabricEquipment = EQUIPMENT) -> SiteFabricDesign:
    fabric = plan_fabric(FabricRequest(switch=NDR, nic_gbps=400, rails=8, nodes_per_su=32))
    return plan_site_fabric(
        fabric, equipment, su_servers=32, servers_per_rack=4, single_cluster=single
    )


@pytest.mark.parametrize(
    ("servers", "unit", "reach", "expected"),
    [
        (100, 10, 100, ((1, 100),)),
        (100, 10, 35, ((2, 30), (2, 20))),  # 10 units, 3 at most: 3, 3, 2, 2
        (95, 10, 35, ((2, 30), (1, 35))),  # the part-filled fourth unit fits the last cluster
        (71, 10, 36, ((2, 30), (1, 11))),  # 8 units, the last of one server
        (1000, 144, 300, ((3, 288), (1, 136))),  # 7 units: 2, 2, 2, 1 part-filled
        (5, 1, 2, ((2, 2), (1, 1))),
    ],
)
def test_cut_into_clusters(
    servers: int, unit: int, reach: int, expected: tuple[tuple[int, int], ...]
) -> None:
    assert cut_into_clusters(servers, unit, reach) == expected


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 2000), st.integers(1, 50), st.integers(1, 400))
def test_clusters_are_fewest_equal_and_within_reach(servers: int, unit: int, reach: int) -> None:
    if reach < unit and servers > reach:
        with pytest.raises(InfeasibleError):
            cut_into_clusters(servers, unit, reach)
        return
    cut = cut_into_clusters(servers, unit, reach)
    sizes = [size for number, size in cut for _ in range(number)]
    assert sum(sizes) == servers
    assert max(sizes) <= reach
    assert all(size % unit == 0 for size in sizes[:-1])  # the part-filled unit is in the last
    units = [-(-size // unit) for size in sizes]
    assert max(units) - min(units) <= 1
    # with one cluster fewer, no order of sizes one unit apart fits
    total, fewer = sum(units), len(sizes) - 1
    if fewer:
        base, longer = divmod(total, fewer)
        missing = total * unit - servers
        last_is_longer = [base] * (fewer - longer) + [base + 1] * longer
        last_is_shorter = last_is_longer[::-1]
        for order in (last_is_longer, last_is_shorter):
            tried = [n * unit for n in order]
            tried[-1] -= missing
            assert max(tried) > reach


def test_totals_are_the_sum_of_the_clusters() -> None:
    design = site()
    assert design.reach_servers == 8192
    assert fabric_reach_racks(design) == 2048
    # 20,000 servers are 625 units of 32: 3 clusters of 209, 208 and 208 units
    counted = count_site(design, 20000)
    assert [(n, one.nodes) for n, one in counted.fabrics] == [(1, 209 * 32), (2, 208 * 32)]
    assert counted.clusters == 3
    assert counted.leaf_switches == 625 * 8
    assert sum(n * one.leaves for n, one in counted.fabrics) == counted.leaf_switches
    assert sum(n * one.spines for n, one in counted.fabrics) == counted.spine_switches
    assert sum(n * one.cores for n, one in counted.fabrics) == counted.core_switches


def test_a_single_cluster_does_not_reach_further() -> None:
    with pytest.raises(InfeasibleError):
        count_site(site(single=True), 8193)
    assert count_site(site(single=True), 8192).clusters == 1


def test_power_of_one_unit_by_hand() -> None:
    # 32 nodes: 8 leaves of 64 ports, 4 spines of 64: 12 switches x 747 W, 12 x 32 modules x 17 W
    counted = count_site(site(), 32)
    assert (counted.leaf_modules, counted.spine_modules, counted.core_modules) == (256, 128, 0)
    assert counted.switch_power_kw == pytest.approx(12 * 0.747)
    assert counted.optics_power_kw == pytest.approx(384 * 0.017)
    assert counted.network_power_kw == pytest.approx(12 * 0.747 + 384 * 0.017)
    assert counted.network_liquid_kw == 0.0
    assert counted.switch_rack_units == 12.0


def test_liquid_cooled_switches_heat_the_loop() -> None:
    counted = count_site(site(equipment=EQUIPMENT._replace(liquid_cooled=True)), 32)
    assert counted.network_liquid_kw == counted.network_power_kw


def test_built_in_optics_need_no_module() -> None:
    counted = count_site(site(equipment=EQUIPMENT._replace(cages=0, switch_module=None)), 32)
    assert (counted.leaf_modules, counted.optics_power_kw) == (0, 0.0)


def test_missing_nodes_take_modules_away_but_no_uplinks() -> None:
    # 1 node on 8 leaves: 1 port down and 32 up: ceil(33/2) = 17 modules at each leaf
    counted = count_site(site(), 9)
    assert counted.leaf_modules == 8 * ((9 + 32 + 1) // 2)
    assert counted.spine_modules == 4 * 32


def test_no_servers_no_fabric() -> None:
    counted = count_site(site(), 0)
    assert (counted.clusters, counted.leaf_switches, counted.network_power_kw) == (0, 0, 0.0)


def test_uplinks_of_another_speed_fill_cages_of_their_own() -> None:
    switch = replace(NDR, id="e", kind="ethernet", cages=64, gbps_per_port=800)
    request = FabricRequest(
        switch=replace(switch, breakouts=(_breakout(128, 400),)),
        nic_gbps=400,
        rails=1,
        uplink_gbps=800,
    )
    design = plan_site_fabric(
        plan_fabric(request),
        EQUIPMENT._replace(cages=64),
        su_servers=None,
        servers_per_rack=1,
        single_cluster=True,
    )
    # 129 nodes: 3 leaves with 64, 64 and 1 node: 32 + 32 + 1 cages down, 32 up on each
    assert count_site(design, 129).leaf_modules == 65 + 96


def _breakout(ports: int, gbps: float) -> object:
    from clusterplan.core.equipment import Breakout

    return Breakout(ports, gbps)
