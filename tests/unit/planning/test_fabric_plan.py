"""From a rack and the design choices to the fabric of a site."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.core.record import recording
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.fabric_plan import (
    FabricPlan,
    count_site_fabric,
    fabric_design,
    fabric_reach_racks,
    fabric_section,
)

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack


def choices(**chosen: Any) -> Choices:
    named = {name.replace("__", "."): value for name, value in chosen.items()}
    return Choices(catalog.design_fields(), named, Ledger())


def plan_of(rack: str | Rack, **chosen: Any) -> FabricPlan:
    row = catalog.rack(rack) if isinstance(rack, str) else rack
    plan = fabric_design(choices(**chosen), row)
    assert plan is not None
    return plan


@pytest.mark.parametrize("rack", [row.id for row in catalog.racks()])
def test_every_rack_has_a_fabric_or_says_why_not(rack: str) -> None:
    row = catalog.rack(rack)
    read = choices()
    plan = fabric_design(read, row)
    codes = {w.code for w in read.ledger.warnings}
    if plan is None:
        assert "fabric_not_counted" in codes
        return
    assert "fabric_not_counted" not in codes
    fabric = plan.site.fabric
    ports = row.accelerators_per_server * (row.scale_out_ports_per_accelerator or 0)
    assert fabric.nic_ports_per_node == ports
    section = fabric_section(plan, 4 * row.servers_per_rack)
    assert section.endpoint_cables == 4 * row.servers_per_rack * ports
    assert section.leaf_switches >= 1
    assert section.switch_power_kw > 0.0


@pytest.mark.parametrize("rack", ["trn2-ultraserver-half", "tpu-v5p-cube"])
def test_unknown_ports_or_switch_count_no_fabric(rack: str) -> None:
    # EFA ports of Trainium 2 are not published; no switch offers the 50 Gb/s of TPU v5p
    assert fabric_design(choices(), catalog.rack(rack)) is None


def test_a_custom_rack_takes_the_usual_switch_of_its_ports() -> None:
    row = replace(catalog.rack("gb300-nvl72"), id="mine", su_switch="", su_servers=None)
    plan = plan_of(row)
    assert plan.site.fabric.request.switch.id == "q3400-ra"
    assert plan.site.su_servers is None
    assert plan.site.fabric.su == 72  # stripes of the leaf's downlinks


def test_a_usual_switch_without_the_ports_of_the_rack_names_the_rack() -> None:
    row = replace(catalog.rack("gb300-nvl72"), scale_out_gbps=200.0)
    with pytest.raises(InputError, match="it has 288 x 400 Gb/s, 144 x 800 Gb/s") as caught:
        fabric_design(choices(), row)
    assert caught.value.problems[0].path == "rack.scale_out"


def test_planes_of_the_rack_belong_to_its_usual_switch() -> None:
    # DGX B300 on the busbar comes with two 400G planes on SN5610
    assert plan_of("dgx-b300-x4-busbar").site.fabric.planes == 2
    other = plan_of("dgx-b300-x4-busbar", fabric__switch="q3400-ra")
    assert other.site.fabric.planes == 1


def test_choices_reach_the_request() -> None:
    plan = plan_of(
        "dgx-h100-x4",
        fabric__oversubscription_leaf=2.0,
        fabric__oversubscription_spine=3.0,
        fabric__reserve_nodes=1,
        fabric__leaf_mode="across-sus",
        fabric__nodes_per_su=48,
        fabric__planes=2,
    )
    request = plan.site.fabric.request
    assert (request.oversubscription_leaf, request.oversubscription_spine) == (2.0, 3.0)
    assert (request.reserve_nodes, request.leaf_mode, request.nodes_per_su) == (
        1,
        "across-sus",
        48,
    )
    assert plan.site.fabric.fabric_manager_cables == 4
    assumed = {a.path for a in plan.ledger.assumptions}
    assert "design.fabric.reserve_nodes" not in assumed
    assert "design.fabric.switch" in assumed


@pytest.mark.parametrize(
    ("chosen", "path"),
    [
        ({"fabric__switch": "qm9999"}, "design.fabric.switch"),
        ({"fabric__switch": "nvl72-switch-tray"}, "design.fabric.switch"),  # scale-up
        ({"fabric__planes": 3}, "design.fabric.planes"),
        ({"fabric__leaf_split": "32/32"}, "design.fabric.leaf_split"),
        ({"fabric__leaf_split": "60:20"}, "design.fabric.leaf_split"),
        ({"fabric__spines": 64}, "design.fabric.spines"),
        ({"fabric__switch": "q3450-ld"}, "design.fabric.switch"),
    ],
)
def test_bad_choices_are_named_as_the_user_wrote_them(chosen: dict[str, Any], path: str) -> None:
    with pytest.raises(InputError) as caught:
        fabric_design(choices(**chosen), catalog.rack("dgx-h100-x4"))
    assert caught.value.problems[0].path == path


def test_the_solve_count_and_the_section_agree() -> None:
    plan = plan_of("gb200-nvl72")
    for servers in (18, 144, 576, 5000, 100_000):
        counted = count_site_fabric(plan, servers)
        with recording():
            section = fabric_section(plan, servers)
        assert section.leaf_switches == counted.leaf_switches
        assert section.spine_switches == counted.spine_switches
        assert section.core_switches == counted.core_switches
        assert section.clusters == counted.clusters
        power = section.switch_power_kw + (section.optics_power_kw or 0.0)
        assert power == pytest.approx(counted.network_power_kw)
        if section.clusters == 1:
            assert section.cluster_sizes == ()  # one cluster is the section itself
            continue
        assert sum(row.clusters for row in section.cluster_sizes) == section.clusters
        placed = sum(row.clusters * row.servers for row in section.cluster_sizes)
        assert placed == section.servers == servers


def test_a_site_beyond_one_fabric_is_cut_into_clusters() -> None:
    # H100 on 64 ports: 8,192 servers at most; 20,000 are three clusters of whole units
    plan = plan_of("dgx-h100-x4")
    section = fabric_section(plan, 20_000)
    assert section.clusters == 3
    assert "clusters" in {w.code for w in plan.ledger.warnings}
    assert [row.servers for row in section.cluster_sizes] == [209 * 32, 208 * 32]
    assert section.grows_to_accelerators == 3 * 65536


def test_single_cluster_makes_reach_a_limit() -> None:
    plan = plan_of("dgx-h100-x4", single_cluster=True)
    assert fabric_reach_racks(plan) == 2048
    with pytest.raises(InfeasibleError, match="would hold it: .*planes 2") as caught:
        fabric_section(plan, 8193)
    assert caught.value.limit == "fabric"
    assert fabric_section(plan, 8192).clusters == 1


def test_switch_power_is_assumed_where_none_is_published() -> None:
    # 512 x 800G = 409.6 Tb/s at 20 W, and 9 W a port of built-in optics
    row = replace(catalog.rack("gb300-nvl72"), su_switch="sn6800")
    plan = plan_of(row)
    if catalog.switch("sn6800").planning_power_w is None:
        assert plan.site.equipment.switch_power_w == pytest.approx(8192.0 + 512 * 9.0)
        paths = {a.path for a in plan.ledger.assumptions}
        assert "switches.sn6800.planning_power" in paths
    assert plan.site.equipment.liquid_cooled
    counted = count_site_fabric(plan, 36)
    assert counted.network_liquid_kw == counted.network_power_kw > 0.0
    assert counted.optics_power_kw == 0.0  # optics are built in


def test_counting_is_fast_enough_for_a_solve_loop() -> None:
    import time

    plan = plan_of("dgx-h100-x4")
    start = time.process_time()
    for servers in range(1_000_000, 1_000_200):
        count_site_fabric(plan, servers)
    assert (time.process_time() - start) / 200 < 1e-3  # measured 0.03 ms; slack for slow machines
