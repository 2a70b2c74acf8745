"""Laws of the fabrics beside the compute fabric, over random designs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.core.wired_fabric import ENDPOINT, LEAF_SPINE, SPINE_CORE
from clusterplan.sizing.clos_wiring import wire_clos
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import count_fabric
from clusterplan.sizing.fabric_optics import FabricEquipment
from clusterplan.sizing.fabric_site import clusters_of, count_site, plan_site_fabric
from clusterplan.sizing.power import PartShare, PowerDesign, it_power
from clusterplan.sizing.support_fabrics import (
    CONVERGED,
    IN_BAND,
    STORAGE,
    ClosBeside,
    OutOfBand,
    SupportDesign,
    count_support,
)

SWITCH = replace(catalog.switch("sn5600"), breakouts=())


@st.composite
def clos(draw: st.DrawFn, name: str) -> ClosBeside:
    radix = 2 * draw(st.integers(2, 16))
    request = FabricRequest(
        switch=replace(SWITCH, ports=radix, cages=radix),
        nic_gbps=800.0,
        rails=draw(st.integers(1, 4)),
        oversubscription_leaf=draw(st.sampled_from([1.0, 2.0, 4.0])),
        leaf_mode="packed",
    )
    module = catalog.get("optics", "2xdr4-800-500m")
    equipment = FabricEquipment(940.0, 2.0, False, radix, False, module, None)
    fabric = plan_fabric(request)
    site = plan_site_fabric(
        fabric, equipment, su_servers=None, servers_per_rack=1, single_cluster=False
    )
    assume(site.reach_servers > 0)
    return ClosBeside(
        name=name,
        site=site,
        storage_port_share=draw(st.floats(0.0, 1.5)),
        management_servers=draw(st.integers(0, 8)),
    )


@st.composite
def designs(draw: st.DrawFn) -> SupportDesign:
    names = draw(st.sampled_from([(STORAGE, IN_BAND), (CONVERGED,), ()]))
    oob = OutOfBand(
        access=catalog.switch("sn2201"),
        aggregation=catalog.switch("sn4600"),
        access_ports=draw(st.integers(2, 48)),
        access_gbps=1.0,
        uplink_gbps=100.0,
        radix=draw(st.integers(2, 128)),
        access_power_w=98.0,
        aggregation_power_w=600.0,
        access_rack_units=1.0,
        aggregation_rack_units=2.0,
        uplink_module=catalog.get("optics", "aoc-100"),
        ports_per_server=draw(st.integers(0, 3)),
        ports_per_rack=draw(st.integers(1, 13)),
        servers_per_rack=draw(st.integers(1, 18)),
        management_servers=draw(st.integers(0, 8)),
    )
    return SupportDesign(clos=tuple(draw(clos(name)) for name in names), out_of_band=oob)


@given(designs(), st.integers(1, 3000), st.integers(0, 5000))
def test_every_port_has_a_place(design: SupportDesign, servers: int, compute: int) -> None:
    counted = count_support(design, servers, compute)
    assert len(counted) == len(design.clos) + 1
    for one, made in zip(design.clos, counted, strict=False):
        fabric = one.site.fabric
        ports = fabric.radix if made.tiers == 1 else fabric.leaf_downlinks
        assert made.endpoints % fabric.request.rails == 0
        assert made.endpoints >= servers * fabric.request.rails
        assert made.endpoints <= made.leaf_switches * ports
        # every port of a switch to switch link exists on both of its ends
        wired = made.endpoints + 2 * made.switch_links
        assert wired <= made.switches * fabric.radix
        assert made.modules is not None
        assert wired <= made.modules * (fabric.radix // one.site.equipment.cages)
    oob, plan = counted[-1], design.out_of_band
    assert plan is not None
    racks = -(-servers // plan.servers_per_rack)
    beside = sum(made.switches for made in counted[:-1])
    others = sum(made.storage_nodes for made in counted[:-1]) + plan.management_servers
    expected = servers * plan.ports_per_server + racks * plan.ports_per_rack
    assert oob.endpoints == expected + compute + beside + others
    assert (oob.leaf_switches - 1) * plan.access_ports < oob.endpoints
    assert oob.endpoints <= oob.leaf_switches * plan.access_ports
    if oob.leaf_switches > 1:
        pairs = oob.spine_switches // 2
        assert (pairs - 1) * plan.radix < oob.leaf_switches <= pairs * plan.radix
        assert oob.switch_links == 2 * oob.leaf_switches
    else:
        assert (oob.spine_switches, oob.switch_links) == (0, 0)


@given(designs(), st.integers(1, 2000), st.integers(1, 200))
def test_more_servers_never_need_less_of_a_fabric_of_the_same_height(
    design: SupportDesign, servers: int, more: int
) -> None:
    few, many = (count_support(design, n, n) for n in (servers, servers + more))
    for before, after in zip(few[:-1], many[:-1], strict=True):
        assert after.endpoints >= before.endpoints
        assert after.clusters >= before.clusters
        if after.regime == before.regime and before.clusters == 1:
            assert after.switches >= before.switches
            assert after.switch_power_kw >= before.switch_power_kw
            assert (after.modules or 0) >= (before.modules or 0)


@given(clos(STORAGE), st.integers(1, 3000))
def test_totals_are_those_of_a_compute_fabric_of_the_same_nodes(
    one: ClosBeside, servers: int
) -> None:
    (made,) = count_support(SupportDesign(clos=(one,), out_of_band=None), servers, 0)
    nodes = made.endpoints // one.site.fabric.request.rails
    same = count_site(one.site, nodes)
    assert made.clusters == same.clusters
    assert made.leaf_switches == same.leaf_switches
    assert made.spine_switches == same.spine_switches
    assert made.core_switches == same.core_switches
    assert made.modules == same.leaf_modules + same.spine_modules + same.core_modules
    assert made.switch_power_kw == same.switch_power_kw
    assert made.optics_power_kw == same.optics_power_kw
    assert made.rack_units == same.switch_rack_units


@given(clos(STORAGE), st.integers(1, 300))
def test_the_wiring_has_the_counted_links_and_uses_no_port_twice(
    one: ClosBeside, servers: int
) -> None:
    (made,) = count_support(SupportDesign(clos=(one,), out_of_band=None), servers, 0)
    fabric = one.site.fabric
    endpoints = between = 0
    for number, nodes in clusters_of(one.site, made.endpoints // fabric.request.rails):
        wired = wire_clos(fabric, count_fabric(fabric, nodes), name=made.name)
        ends: Counter[tuple[int, int]] = Counter()
        for link in wired.links():
            ends.update([(link.a, link.a_port), (link.z, link.z_port)])
            endpoints += number * (link.tier == ENDPOINT)
            between += number * (link.tier in (LEAF_SPINE, SPINE_CORE))
        assert max(ends.values()) == 1
        for (device, port), _ in ends.items():
            assert 1 <= port <= wired.devices[device].ports
    assert (endpoints, between) == (made.endpoints, made.switch_links)


def test_no_servers_have_no_fabrics() -> None:
    assert count_support(SupportDesign(clos=(), out_of_band=None), 0, 0) == ()


@given(
    st.booleans(),
    st.floats(0.0, 0.1),
    st.floats(0.0, 5.0),
    st.tuples(st.floats(0.0, 10.0), st.floats(0.0, 10.0)),
)
def test_counted_switches_raise_a_part_that_the_user_left_open(
    fixed: bool, share: float, stated: float, counted: tuple[float, float]
) -> None:
    part = PartShare(share, stated, fixed)
    design = PowerDesign(100.0, 100.0, 80.0, 110.0, 4, PartShare(), part, part)
    compute = 10.0  # 400 servers, 4 to a rack of 100 kW
    it = it_power(design, 400, (0.0, 0.0), counted)
    planned = share * compute + stated
    for found, least in ((it.storage_mw, counted[0]), (it.management_mw, counted[1])):
        assert found == (planned if fixed else max(planned, least))
    assert it.total_mw == compute + it.storage_mw + it.management_mw
