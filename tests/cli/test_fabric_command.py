"""`clusterplan fabric`: options, refusals, and that every figure can be explained."""

from __future__ import annotations

import math
from typing import Any

import pytest

from clusterplan.cli.fabric import run
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.core.figures import rows_of

H100: dict[str, Any] = {"rails": 8, "nic": "400 Gb/s", "nodes_per_su": 32, "switch": "qm9700"}


@pytest.mark.parametrize(
    "options",
    [
        {"nodes": 8, **H100},
        {"nodes": 95, "reserve_nodes": 1, **H100},
        {"nodes": 400, "oversubscription": "2,3", **H100},
        {"nodes": 400, "leaf_split": "32:16", **H100},
        {"nodes": 32, "spines": 5, **H100},
        {"rack": "gb300-nvl72", "accelerators": 11520},
        {"rack": "gb300-nvl72", "accelerators": 288, "switch": "sn5610", "planes": 2},
        {"rack": "vr-nvl72", "accelerators": 576, "ports_as": "planes"},
        {"rack": "helios-72", "accelerators": 576, "leaf_mode": "packed"},
        {"nodes": 600, "rails": 8, "nic": "400 Gb/s", "switch": "sn5600", "uplink": "800 Gb/s"},
        {"nodes": 600, "rails": 8, "nic": "800 Gb/s", "switch": "q3450-ld"},
        {"nodes": 600, "rails": 8, "nic": "800 Gb/s", "switch": "sn6810"},
        {"nodes": 162, "rails": 1, "nic": "1 Gb/s", "switch": "sn2201"},
        {"rack": "dgx-h100-x4", "accelerators": 4096, "topology": "rail-only"},
        {"rack": "dgx-h100-x4", "accelerators": 16384, "topology": "dragonfly-plus"},
        {"nodes": 9000, **H100},  # the largest that fits is printed
    ],
)
def test_every_figure_is_explained(options: dict[str, Any]) -> None:
    report = run(**options)
    record = report.record
    assert record is not None
    for row in rows_of("fabric", report.parts["fabric"]):
        if row.value is None:
            continue
        names = (row.info.formula or row.name).split("|")
        known = any(record.find(name, row.value) for name in names)
        noted = record.givens.get(row.path)
        assert known or (noted and noted.value == row.value), row.path
    names = {name: getattr(math, name) for name in ("ceil", "floor")}
    for step in record.steps:
        if step.formula.plain:
            again = eval(step.formula.equation, {**names, **step.inputs})
            assert again == pytest.approx(step.result), step.formula.name


def test_report_has_the_parts_of_the_contract() -> None:
    report = run(rack="dgx-h100-x4", accelerators=1016, reserve_nodes=1)
    assert report.schema == "clusterplan/fabric/1"
    assert list(report.parts) == ["fabric", "assumptions", "warnings"]
    section = report.parts["fabric"]
    assert (section.topology, section.switch) == ("two-tier-clos", "qm9700")
    assert (section.leaf_switches, section.spine_switches, section.clusters) == (32, 16, 1)
    assert (section.scale_up_domain_size, section.scale_up_kind) == (8, "nvlink4")
    assumed = {a.path: a.value for a in report.parts["assumptions"]}
    assert assumed["design.fabric.switch"] == "qm9700"
    assert assumed["design.fabric.nodes_per_su"] == 32
    assert assumed["design.fabric.fabric_manager_cables"] == 4
    assert assumed["fabric.medium"] == "optical"


def test_accelerators_are_rounded_up_to_whole_servers() -> None:
    report = run(rack="dgx-h100-x4", accelerators=9)
    assert report.parts["fabric"].accelerators == 16
    assert "rounded_up" in {w.code for w in report.parts["warnings"]}
    exact = run(rack="gb300-nvl72", accelerators=4)  # a tray, though racks come whole
    assert exact.parts["fabric"].servers == 1


def test_without_a_rack_accelerators_are_one_per_rail() -> None:
    section = run(nodes=4, rails=8, nic="400 Gb/s").parts["fabric"]
    assert (section.accelerators, section.switch) == (32, "qm9700")
    section = run(accelerators=12, rails=8, nic="800 Gb/s").parts["fabric"]
    assert (section.servers, section.switch) == (2, "q3400-ra")


def test_flags_beside_the_rack_override_it() -> None:
    report = run(rack="gb300-nvl72", nodes=36, nic="400 Gb/s", rails=8, nodes_per_su=18)
    section = report.parts["fabric"]
    assert (section.nic_gbps, section.rails, section.switch) == (400.0, 8, "qm9700")
    assert section.accelerators == 144  # of the rack, whatever the ports


def test_infeasible_prints_the_largest_that_fits_and_who_would_hold_it() -> None:
    report = run(nodes=9000, **H100)
    assert not report.feasible
    reason = report.infeasible_reason or ""
    assert "most that fit are 8192 nodes (65536 accelerators)" in reason
    assert "planes 2" in reason
    assert "switch q3400-ra" in reason  # 288 ports of 400G
    assert "oversubscription" not in reason  # units of 32 nodes keep their 32 leaf ports
    assert report.parts["fabric"].servers == 8192
    assert report.parts["fabric"].accelerators == 65536


def test_spines_that_the_uplinks_cannot_land_on() -> None:
    report = run(nodes=64, spines=5, **H100)
    assert not report.feasible
    assert "only 20 uplinks a leaf could" in (report.infeasible_reason or "")
    assert report.parts["fabric"].servers == 32


def test_nothing_fits_at_all() -> None:
    with pytest.raises(InfeasibleError, match="0 nodes"):
        run(nodes=1, rails=65, nic="400 Gb/s", switch="qm9700")


def test_uneven_spines_are_a_warning() -> None:
    report = run(nodes=32, spines=5, **H100)
    assert "spines_uneven" in {w.code for w in report.parts["warnings"]}
    assert report.parts["fabric"].spine_switches == 5


def test_a_lost_tier_names_the_choice_that_keeps_it() -> None:
    # GB200: 480 trays x 4 = 1,920 endpoints fit two tiers of 2,048, but stripes by unit do not
    report = run(rack="gb200-nvl72", nodes=480)
    assert report.parts["fabric"].tiers == 3
    lost = [w.message for w in report.parts["warnings"] if w.code == "tier_lost"]
    assert lost
    assert "across-sus" in lost[0]
    assert run(rack="gb200-nvl72", nodes=480, leaf_mode="across-sus").parts["fabric"].tiers == 2


def test_manager_cables_without_a_free_port() -> None:
    # 32 nodes fill the 32 + 32 ports of each leaf
    report = run(nodes=32, fabric_manager_cables=4, **H100)
    assert "fabric_manager_ports" in {w.code for w in report.parts["warnings"]}
    assert report.parts["fabric"].unused_ports == 0
    assert report.parts["fabric"].fabric_manager_cables == 4
    kept = run(nodes=31, reserve_nodes=1, **H100)
    assert kept.parts["fabric"].unused_ports == 4  # 8 ports of the reserve less 4 cables
    assert "fabric_manager_ports" not in {w.code for w in kept.parts["warnings"]}


def test_two_planes_by_ports() -> None:
    rails = run(rack="vr-nvl72", nodes=1728).parts["fabric"]
    planes = run(rack="vr-nvl72", nodes=1728, ports_as="planes").parts["fabric"]
    assert (rails.rails, rails.planes, rails.tiers) == (8, 1, 3)
    assert (planes.rails, planes.planes, planes.tiers) == (4, 2, 2)
    assert rails.endpoint_cables == planes.endpoint_cables == 1728 * 8
    assert rails.endpoint_links == planes.endpoint_links


def test_oversubscription_comes_from_wired_links() -> None:
    section = run(nodes=128, oversubscription="2", **H100).parts["fabric"]
    assert section.oversubscription_leaf == 2.0
    assert section.leaf_spine_links == 512
    # units of 32 keep stripes of 32: at 3:1 u = ceil(32/3) = 11, so 2.91 is wired
    section = run(nodes=128, oversubscription="3:1", **H100).parts["fabric"]
    assert section.oversubscription == pytest.approx(32 / 11)


def test_bisection_by_hand() -> None:
    # 512 nodes x 8 x 400G, non-blocking: 4096 x 400 / 2 = 819.2 Tb/s; halved by 2:1 at the leaf
    assert run(nodes=512, **H100).parts["fabric"].bisection_tb_per_s == pytest.approx(819.2)
    half = run(nodes=512, oversubscription="2", **H100).parts["fabric"]
    assert half.bisection_tb_per_s == pytest.approx(409.6)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"rails": 8, "nic": "400 Gb/s"}, "fabric"),  # no count
        ({"nodes": 8, "accelerators": 8, "rails": 8, "nic": "400 Gb/s"}, "fabric"),
        ({"nodes": 8, "nic": "400 Gb/s"}, "fabric"),  # no rails
        ({"nodes": 8, "rails": 8}, "fabric"),
        ({"nodes": 0, **H100}, "--nodes"),
        ({"nodes": -5, **H100}, "--nodes"),
        ({"nodes": 10**12, **H100}, "--nodes"),
        ({"accelerators": 0, "rack": "gb300-nvl72"}, "--accelerators"),
        ({"nodes": 8, "rails": 0, "nic": "400 Gb/s"}, "--rails"),
        ({"nodes": 8, "rails": 8, "nic": "400"}, "--nic"),
        ({"nodes": 8, "rails": 8, "nic": "400 GB/s"}, "--nic"),
        ({"nodes": 8, "rails": 8, "nic": "-400 Gb/s"}, "--nic"),
        ({"nodes": 8, "rails": 8, "nic": "50 Gb/s"}, "--nic"),  # no usual switch
        ({"nodes": 8, "rails": 8, "nic": "800 Gb/s", "switch": "qm9700"}, "--switch"),
        ({"nodes": 8, **H100, "planes": 3}, "--planes"),
        ({"nodes": 8, **H100, "planes": 0}, "--planes"),
        ({"nodes": 8, **H100, "switch": "qm9701"}, "--switch"),
        ({"nodes": 8, **H100, "oversubscription": "0.5"}, "--oversubscription"),
        ({"nodes": 8, **H100, "oversubscription": "two"}, "--oversubscription"),
        ({"nodes": 8, **H100, "oversubscription": "1,1,1"}, "--oversubscription"),
        ({"nodes": 8, **H100, "oversubscription": "nan"}, "--oversubscription"),
        ({"nodes": 8, **H100, "oversubscription": ""}, "--oversubscription"),
        ({"nodes": 8, **H100, "oversubscription": "1:0"}, "--oversubscription"),
        ({"nodes": 8, **H100, "reserve_nodes": -1}, "--reserve-nodes"),
        ({"nodes": 8, **H100, "fabric_manager_cables": -1}, "--fabric-manager-cables"),
        ({"nodes": 8, **H100, "ports_as": "rail"}, "--ports-as"),
        ({"nodes": 8, **H100, "leaf_mode": "rails"}, "--leaf-mode"),
        ({"nodes": 8, **H100, "leaf_split": "32"}, "--leaf-split"),
        ({"nodes": 8, **H100, "leaf_split": "32:-1"}, "--leaf-split"),
        ({"nodes": 8, **H100, "leaf_split": "40:32"}, "--leaf-split"),
        ({"nodes": 8, **H100, "leaf_split": "32:0"}, "--leaf-split"),
        ({"nodes": 8, **H100, "leaf_split": "32:16", "oversubscription": "2"}, "--leaf-split"),
        ({"nodes": 8, **H100, "spines": 0}, "--spines"),
        ({"nodes": 8, **H100, "spines": 33}, "--spines"),
        ({"nodes": 8, **H100, "nodes_per_su": 0}, "--nodes-per-su"),
        ({"nodes": 8, "rack": "gb300-nvl27"}, "--rack"),
        ({"nodes": 8, "rack": "trn2-ultraserver-half"}, "--rack"),  # ports not published
    ],
)
def test_bad_options_name_themselves(options: dict[str, Any], option: str) -> None:
    with pytest.raises(InputError) as caught:
        run(**options)
    assert option in [problem.path for problem in caught.value.problems]


def test_a_speed_that_the_switch_lacks_names_those_it_has() -> None:
    with pytest.raises(InputError, match="it has 128 x 200 Gb/s, 64 x 400 Gb/s"):
        run(nodes=8, rails=8, nic="800 Gb/s", switch="qm9700")


@pytest.mark.parametrize(
    "options",
    [
        {"nodes": 127, "rails": 8, "nic": "1600 Gb/s", "switch": "arista-7060xe7-64prs-rv3-l"},
        {"rack": "dgx-h100-x4", "accelerators": 10_000_000, "optimise": "cost"},
        {"rack": "dgx-h100-x4", "accelerators": 16384, "topology": "rail-only"},
    ],
)
def test_the_picture_is_whole_at_80_columns(options: dict[str, Any]) -> None:
    drawing = run(**options).drawing
    assert max(len(line) for line in drawing.splitlines()) <= 80
    assert "(1:1 wired)" in drawing


def test_a_speed_that_no_switch_has_is_the_fault_of_its_option() -> None:
    with pytest.raises(InputError) as caught:
        run(rack="dgx-h100-x4", accelerators=1024, nic="300 Gb/s")
    assert caught.value.problems[0].path == "--nic"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        # stripes of one unit of 20 servers, though 32 would fit: 20 down, 20 up
        ({"nodes_per_su": 20}, "20 ports down, 20 up (1:1 wired)"),
        ({"oversubscription": "64"}, "32 ports down, 1 up (32:1 wired)"),
        ({"leaf_split": "32:16"}, "32 ports down, 16 up (2:1 wired)"),
        # 64 of 400 Gb/s down, 32 of 800 up
        ({"switch": "sn5600", "uplink": "800 Gb/s"}, "64 ports down, 32 up (1:1 wired)"),
    ],
)
def test_the_picture_has_the_ports_of_the_ratio(options: dict[str, Any], words: str) -> None:
    assert words in run(rack="dgx-h100-x4", nodes=127, **options).drawing
