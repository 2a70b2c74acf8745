"""From a rack's ports and the choices to the fabrics beside the compute fabric."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from clusterplan import catalog
from clusterplan.core.errors import InputError
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.fabric_plan import count_site_fabric, fabric_design
from clusterplan.planning.support_plan import SupportPlan, count_support_fabrics, support_design

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack
    from clusterplan.sizing.support_totals import SupportFabric


def choices(**chosen: Any) -> Choices:
    named = {name.replace("__", "."): value for name, value in chosen.items()}
    return Choices(catalog.design_fields(), named, Ledger())


def planned(rack: str | Rack, servers: int = 72, **chosen: Any) -> tuple[SupportPlan, Any]:
    row = catalog.rack(rack) if isinstance(rack, str) else rack
    made = choices(**chosen)
    compute = fabric_design(made, row)
    assert compute is not None
    plan = support_design(made, row, compute)
    counted = count_support_fabrics(plan, count_site_fabric(compute, servers), servers)
    return plan, {one.name: one for one in counted}


def switches(plan: SupportPlan) -> dict[str, str]:
    return {one.name: one.site.fabric.request.switch.id for one in plan.design.clos}


def ports(plan: SupportPlan) -> dict[str, int]:
    return {one.name: one.site.fabric.request.rails for one in plan.design.clos}


def codes(plan: SupportPlan) -> list[str]:
    return [warning.code for warning in plan.ledger.warnings]


@pytest.mark.parametrize("rack", [row.id for row in catalog.racks()])
def test_every_rack_has_its_fabrics_or_says_which_not(rack: str) -> None:
    row = catalog.rack(rack)
    made = choices()
    compute = fabric_design(made, row)
    if compute is None:
        return
    plan = support_design(made, row, compute)
    known = row.storage_ports_per_server is not None and row.storage_gbps is not None
    assert bool(plan.design.clos) == known
    assert ("support_fabrics_not_counted" in codes(plan)) == (not known)
    assert sum(ports(plan).values()) == (row.storage_ports_per_server or 0)
    assert plan.design.out_of_band is not None


@pytest.mark.parametrize(
    ("rack", "expected"),
    [
        ("dgx-h100-x4", {"storage": "qm9700", "in-band": "sn5600"}),  # SuperPOD H100
        ("gb200-nvl72", {"storage": "sn5600", "in-band": "sn5600"}),  # SuperPOD GB200: Ethernet
        ("dgx-b300-x4-ac", {"storage": "sn5600", "in-band": "sn5600"}),  # 800G compute, 400G ports
        ("hgx-h100-8x8-liquid", {"converged": "sn5600"}),  # one port
    ],
)
def test_usual_switches(rack: str, expected: dict[str, str]) -> None:
    assert switches(planned(rack)[0]) == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, {"storage": 2, "in-band": 2}),
        ({"fabric__storage_ports": 3}, {"storage": 3, "in-band": 1}),
        ({"fabric__in_band_ports": 1}, {"storage": 3, "in-band": 1}),
        ({"fabric__in_band_ports": 0}, {"converged": 4}),
        ({"fabric__storage_ports": 0}, {"in-band": 4}),
        ({"fabric__storage_ports": 1, "fabric__in_band_ports": 1}, {"storage": 1, "in-band": 1}),
    ],
)
def test_ports_of_a_server(chosen: dict[str, int], expected: dict[str, int]) -> None:
    assert ports(planned("dgx-h100-x4", **chosen)[0]) == expected


def test_an_odd_port_is_for_storage() -> None:
    row = replace(catalog.rack("dgx-h100-x4"), storage_ports_per_server=3)
    assert ports(planned(row)[0]) == {"storage": 2, "in-band": 1}


def test_ports_that_only_the_user_knows() -> None:
    row = replace(catalog.rack("dgx-h100-x4"), storage_ports_per_server=None)
    plan, _ = planned(row, fabric__storage_ports=2, fabric__in_band_ports=1)
    assert ports(plan) == {"storage": 2, "in-band": 1}
    plan, counted = planned(row, fabric__storage_ports=2)
    assert list(counted) == ["out-of-band"]
    assert "support_fabrics_not_counted" in codes(plan)


def test_unknown_management_ports_are_not_counted() -> None:
    row = replace(catalog.rack("dgx-h100-x4"), oob_ports_per_server=None)
    plan, counted = planned(row)
    assert "out-of-band" not in counted
    assert "support_fabrics_not_counted" in codes(plan)


def test_a_speed_that_no_usual_switch_has_is_not_counted() -> None:
    row = replace(catalog.rack("dgx-h100-x4"), storage_gbps=25.0)
    plan, counted = planned(row)
    assert list(counted) == ["out-of-band"]
    assert codes(plan).count("support_fabrics_not_counted") == 2  # storage and in-band


def test_switch_trays_of_a_rack_wide_domain_have_management_ports() -> None:
    def per_rack(rack: str, **chosen: Any) -> int:
        oob = planned(rack, **chosen)[0].design.out_of_band
        assert oob is not None
        return oob.ports_per_rack

    assert per_rack("gb300-nvl72") == 4 + 9  # SuperPOD GB200: 9 switch trays a rack
    assert per_rack("dgx-h100-x4") == 4
    assert per_rack("gb300-nvl72", fabric__oob_ports_per_rack=0) == 0


def test_out_of_band_counts_every_device() -> None:
    _, counted = planned("gb300-nvl72", servers=72)
    # 72 trays, 4 racks of 13, compute 4 leaves and 2 spines, 1 switch each of storage and in-band,
    # 18 storage nodes, 5 management servers
    assert [counted[name].switches for name in ("storage", "in-band")] == [1, 1]
    assert counted["out-of-band"].endpoints == 72 + 4 * 13 + 6 + 2 + 18 + 5


def test_a_fabric_beyond_reach_is_cut() -> None:
    plan, counted = planned("gb200-nvl72", 18 * 200, fabric__storage_switch="cisco-hf6100-32d")
    storage: SupportFabric = counted["storage"]  # 9,000 endpoints, 32^3/4 = 8,192 in one fabric
    assert storage.endpoints == 9000
    assert storage.clusters == 2
    assert counted["in-band"].clusters == 1


@pytest.mark.parametrize(
    ("chosen", "path", "message"),
    [
        ({"fabric__storage_switch": "nope"}, "design.fabric.storage_switch", "unknown switch"),
        ({"fabric__storage_switch": "sn2201"}, "design.fabric.storage_switch", "leaf and spine"),
        ({"fabric__in_band_switch": "nvl72-switch-tray"}, "design.fabric.in_band_switch", "leaf"),
        ({"fabric__in_band_switch": "sn4600"}, "design.fabric.in_band_switch", "no port of 400"),
        ({"fabric__oob_switch": "sn5600"}, "design.fabric.oob_switch", "access switch"),
        (
            {"fabric__oob_aggregation_switch": "qm9700"},
            "design.fabric.oob_aggregation_switch",
            "no port of 100",
        ),
        ({"fabric__storage_ports": 5}, "design.fabric.storage_ports", "has 4"),
        ({"fabric__in_band_ports": 5}, "design.fabric.in_band_ports", "has 4"),
        (
            {"fabric__storage_ports": 3, "fabric__in_band_ports": 2},
            "design.fabric.storage_ports",
            "5 storage and in-band ports",
        ),
    ],
)
def test_bad_choices_name_their_path(chosen: dict[str, Any], path: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        planned("dgx-h100-x4", **chosen)
    assert caught.value.problems[0].path == path


def test_an_oversubscribed_leaf_has_uplinks_that_few_spines_share() -> None:
    _, counted = planned("dgx-h100-x4", 500)
    # 128 ports at 4:1: 96 down and 24 up (the plain 102 and 26 would take 13 spines)
    in_band = counted["in-band"]
    assert in_band.endpoints == 1010
    assert (in_band.leaf_switches, in_band.spine_switches) == (11, 3)
    assert in_band.switch_links == 11 * 24
    assert in_band.oversubscription == 4.0


def test_a_switch_of_few_ports_is_split_by_its_ratio() -> None:
    row = replace(catalog.rack("dgx-h100-x4"), storage_gbps=400.0)
    plan, counted = planned(row, 500, fabric__in_band_switch="cisco-hf6100-32d")
    fabric = plan.design.clos[1].site.fabric
    # 32 ports at 4:1: 25 down and 7 up, since 16 and 4 would leave 12 idle
    assert (fabric.leaf_downlinks, fabric.leaf_uplinks) == (25, 7)
    assert counted["in-band"].oversubscription <= 4.0
