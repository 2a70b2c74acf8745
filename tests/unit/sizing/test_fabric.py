"""What is asked of a fabric: radix, leaf split, fixed choices, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clusterplan.core.equipment import Breakout, Switch
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.sizing.fabric import FabricRequest, leaf_downlinks, plan_fabric, ports_at
from clusterplan.sizing.fabric_count import candidates_that_hold, count_fabric, reach_nodes

ETHERNET = Switch(
    id="ethernet-64",
    vendor="",
    kind="ethernet",
    ports=64,
    cages=64,
    gbps_per_port=800,
    breakouts=(Breakout(128, 400), Breakout(256, 200), Breakout(256, 100)),
)
NDR = Switch(
    id="ndr-64",
    vendor="",
    kind="infiniband",
    ports=64,
    cages=32,
    gbps_per_port=400,
    breakouts=(Breakout(128, 200),),
)
H100 = FabricRequest(switch=NDR, nic_gbps=400, rails=8, nodes_per_su=32)


@pytest.mark.parametrize(
    ("radix", "ratio", "down"),
    [
        (64, 1.0, 32),
        (64, 2.0, 42),  # 42 + 21 = 63
        (64, 3.0, 48),  # 48 + 16
        (64, 64 / 60, 33),  # 33 + 31
        (124, 64 / 60, 64),  # 64 + 60
        (64, 1.5, 38),  # 38 + 26 = 64; 39 + 26 = 65
        (64, 63.0, 63),
        (2, 1.0, 1),
    ],
)
def test_leaf_downlinks_is_the_largest_that_fits(radix: int, ratio: float, down: int) -> None:
    assert leaf_downlinks(radix, ratio) == down


def test_radix_is_native_or_a_declared_breakout() -> None:
    assert [ports_at(ETHERNET, speed) for speed in (800, 400, 200, 100)] == [64, 128, 256, 256]
    assert ports_at(ETHERNET, 50) is None  # 64 cages have the lanes, the chip has not the ports
    two_planes = plan_fabric(FabricRequest(switch=ETHERNET, nic_gbps=800, rails=4, planes=2))
    assert (two_planes.radix, two_planes.planes, two_planes.link_gbps) == (128, 2, 400)
    as_planes = FabricRequest(switch=ETHERNET, nic_gbps=800, rails=4, planes=2, ports_as_planes=2)
    assert plan_fabric(as_planes).planes == 4


def test_a_speed_that_is_not_offered_names_those_that_are() -> None:
    with pytest.raises(InputError) as caught:
        plan_fabric(replace(H100, nic_gbps=800))
    problem = caught.value.problems[0]
    assert problem.path == "fabric.nic"
    assert problem.hint == "it has 128 x 200 Gb/s, 64 x 400 Gb/s"
    with pytest.raises(InputError) as caught:
        plan_fabric(replace(H100, planes=3))
    assert caught.value.problems[0].path == "fabric.planes"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"rails": 0}, "fabric.rails"),
        ({"rails": -8}, "fabric.rails"),
        ({"rails": 10**6}, "fabric.rails"),
        ({"planes": 0}, "fabric.planes"),
        ({"planes": True}, "fabric.planes"),
        ({"nodes_per_su": 0}, "fabric.nodes_per_su"),
        ({"reserve_nodes": -1}, "fabric.reserve_nodes"),
        ({"fabric_manager_cables": -1}, "fabric.fabric_manager_cables"),
        ({"spines": 0}, "fabric.spines"),
        ({"spines": 33}, "fabric.spines"),  # a leaf of 32 uplinks cannot reach 33
        ({"leaf_split": (0, 32)}, "fabric.leaf_split"),
        ({"leaf_split": (40, 32)}, "fabric.leaf_split"),  # 72 ports of 64
        ({"leaf_split": (32, 32), "oversubscription_leaf": 2.0}, "fabric.leaf_split"),
        ({"oversubscription_leaf": 0.5}, "fabric.oversubscription_leaf"),
        ({"oversubscription_leaf": float("nan")}, "fabric.oversubscription_leaf"),
        ({"oversubscription_spine": float("inf")}, "fabric.oversubscription_spine"),
        ({"leaf_mode": "rails"}, "fabric.leaf_mode"),
        ({"nic_gbps": 0.0}, "fabric.nic"),
        ({"nic_gbps": float("nan")}, "fabric.nic"),
        ({"uplink_gbps": 100.0}, "fabric.uplink"),
        ({"switch": replace(NDR, ports=65)}, "fabric.switch"),  # 65 in a topology dump: 64 + 1
        ({"switch": replace(NDR, ports=None)}, "fabric.nic"),
    ],
)
def test_bad_requests_are_input_errors(change: dict[str, object], path: str) -> None:
    with pytest.raises(InputError) as caught:
        plan_fabric(replace(H100, **change))
    assert caught.value.problems[0].path == path


def test_all_problems_are_gathered() -> None:
    with pytest.raises(InputError) as caught:
        plan_fabric(replace(H100, rails=0, planes=0, leaf_mode="x"))
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize("nodes", [0, -1, True, 10**8, 2.0])
def test_a_count_that_is_no_count(nodes: object) -> None:
    with pytest.raises(InputError):
        count_fabric(plan_fabric(H100), nodes)


def test_fabric_manager_cables() -> None:
    assert plan_fabric(H100).fabric_manager_cables == 0
    assert plan_fabric(replace(H100, reserve_nodes=1)).fabric_manager_cables == 4
    asked = replace(H100, reserve_nodes=1, fabric_manager_cables=2)
    assert plan_fabric(asked).fabric_manager_cables == 2
    ethernet = FabricRequest(switch=ETHERNET, nic_gbps=400, rails=8, reserve_nodes=1)
    assert plan_fabric(ethernet).fabric_manager_cables == 0


def test_small_units_share_a_leaf() -> None:
    # units of 12 nodes on 32 downlinks: two to a stripe, 24 uplinks in use on every leaf
    design = plan_fabric(replace(H100, nodes_per_su=12))
    assert (design.stripe, design.leaf_uplinks) == (24, 24)
    assert count_fabric(design, 48).leaves == 16


def test_across_sus_and_packed_save_leaves() -> None:
    # 4 units of 40 nodes: 8 stripes by unit, 5 across units; 3 rails of 40 nodes fill 4 leaves
    by_unit = replace(H100, nodes_per_su=40)
    assert count_fabric(plan_fabric(by_unit), 160).leaves == 64
    across = replace(by_unit, leaf_mode="across-sus")
    assert count_fabric(plan_fabric(across), 160).leaves == 40
    packed = FabricRequest(switch=NDR, nic_gbps=400, rails=3, leaf_mode="packed")
    assert count_fabric(plan_fabric(packed), 40).leaves == 4
    assert count_fabric(plan_fabric(replace(packed, leaf_mode="rail")), 40).leaves == 6


def test_fixed_leaf_split() -> None:
    design = plan_fabric(replace(H100, leaf_split=(32, 16)))
    assert (design.leaf_downlinks, design.leaf_uplinks) == (32, 16)
    counts = count_fabric(design, 128)
    assert (counts.leaves, counts.leaf_spine_links, counts.spines) == (32, 512, 8)


def test_fixed_spines() -> None:
    # 8 leaves of 32 uplinks on 5 spines: 256 links, 51 or 52 a spine; a leaf reaches all of them
    uneven = count_fabric(plan_fabric(replace(H100, spines=5)), 32)
    assert uneven.spines == 5
    assert uneven.spine_in_use == ((1, 52), (4, 51))
    # 16 leaves x 32 = 512 uplinks on 5 x 64 = 320 ports: floor(320/16) = 20 uplinks could land
    design = plan_fabric(replace(H100, spines=5))
    assert reach_nodes(design) == 32
    with pytest.raises(InfeasibleError, match="only 20 uplinks a leaf could") as caught:
        count_fabric(design, 64)
    assert caught.value.limit == "fabric"


def test_fixed_spines_that_are_all_uplinks_grow_to_three_tiers() -> None:
    design = plan_fabric(replace(H100, spines=32))
    assert count_fabric(design, 32).spines == 32
    assert count_fabric(design, 512).tiers == 3


def test_uplinks_of_another_speed_share_the_cages() -> None:
    # 400G down and 800G up on 64 cages of 800G: 32 cages with two ports each down, 32 cages up
    request = FabricRequest(switch=ETHERNET, nic_gbps=400, rails=8, uplink_gbps=800)
    design = plan_fabric(request)
    assert (design.leaf_downlinks, design.leaf_uplinks) == (64, 32)
    assert (design.radix, design.spine_radix, design.leaf_ports) == (128, 64, 96)
    counts = count_fabric(design, 512)
    # 8 stripes x 8 rails = 64 leaves x 32 uplinks on spines of 64 ports
    assert (counts.tiers, counts.leaves, counts.spines) == (2, 64, 32)
    assert count_fabric(design, 513).tiers == 3
    with pytest.raises(InputError, match="do not fit"):
        plan_fabric(replace(request, leaf_split=(66, 32)))


def test_the_refusal_names_the_most_that_fits_and_who_would_hold_it() -> None:
    design = plan_fabric(H100)
    # 8 pods of 32 stripes of 32 nodes; 64 groups
    assert reach_nodes(design) == 8192
    with pytest.raises(InfeasibleError, match=r"most that fit are 8192 nodes \(65536 accel"):
        count_fabric(design, 8193)
    candidates = [
        ("two planes", replace(H100, planes=2)),
        ("eight planes", replace(H100, planes=8)),  # no port of 50 Gb/s
        ("2:1", replace(H100, oversubscription_leaf=2.0)),
        ("as it is", H100),
    ]
    # 2:1 with units of 32 nodes keeps stripes of 32 on 42 downlinks: nothing is gained
    assert candidates_that_hold(candidates, 8193) == ("two planes",)
    assert candidates_that_hold(candidates, 500, tiers=2) == ("two planes",)


def test_more_rails_than_ports_holds_nothing() -> None:
    design = plan_fabric(replace(H100, rails=65))
    assert reach_nodes(design) == 0
    with pytest.raises(InfeasibleError, match="most that fit are 0 nodes"):
        count_fabric(design, 1)
