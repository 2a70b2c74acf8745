"""Published network tables, exactly.

Sources: NVIDIA DGX SuperPOD reference architectures, network fabrics: H100 (64-port NDR switches,
one node slot kept for fabric-manager cables) and B200 (larger component counts, no reserve); full
fat trees of 64-port switches from arXiv:2505.09343. The vectors below them are computed by hand
from the counting rules; that of the GB300 enterprise design is published second-hand (Openzeka,
2026).
"""

from __future__ import annotations

import pytest

from clusterplan.cli.fabric import run
from clusterplan.core.equipment import Breakout, Switch
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import count_fabric

NDR_64 = Switch(
    id="ndr-64",
    vendor="",
    kind="infiniband",
    ports=64,
    cages=32,
    gbps_per_port=400,
    breakouts=(Breakout(128, 200),),
)
XDR_144 = Switch(id="xdr-144", vendor="", kind="infiniband", ports=144, cages=72, gbps_per_port=800)
ETHERNET_64 = Switch(
    id="ethernet-64",
    vendor="",
    kind="ethernet",
    ports=64,
    cages=64,
    gbps_per_port=800,
    breakouts=(Breakout(128, 400),),
)
ETHERNET_128 = Switch(
    id="ethernet-128", vendor="", kind="ethernet", ports=128, cages=128, gbps_per_port=800
)

H100_ROWS = [  # su, nodes, gpus, leaf, spine, endpoint + fabric-manager cables, leaf-spine cables
    (1, 31, 248, 8, 4, 252, 256),
    (2, 63, 504, 16, 8, 508, 512),
    (3, 95, 760, 24, 16, 764, 768),
    (4, 127, 1016, 32, 16, 1020, 1024),
]
B200_ROWS = [  # su, nodes, gpus, leaf, spine, core, node-leaf, leaf-spine, spine-core cables
    (2, 64, 512, 16, 8, 0, 512, 512, 0),
    (4, 128, 1024, 32, 16, 0, 1024, 1024, 0),
    (8, 256, 2048, 64, 32, 0, 2048, 2048, 0),
    (16, 512, 4096, 128, 128, 64, 4096, 4096, 4096),
    (32, 1024, 8192, 256, 256, 128, 8192, 8192, 8192),
    (64, 2048, 16384, 512, 512, 256, 16384, 16384, 16384),
]


@pytest.mark.parametrize("row", H100_ROWS)
def test_dgx_superpod_h100(row: tuple[int, ...]) -> None:
    su, nodes, gpus, leaf, spine, endpoint_cables, leaf_spine_cables = row
    section = run(
        nodes=nodes, rails=8, nic="400 Gb/s", nodes_per_su=32, switch="qm9700", reserve_nodes=1
    ).parts["fabric"]
    assert nodes + section.reserve_nodes == su * 32
    assert section.accelerators == gpus
    assert (section.leaf_switches, section.spine_switches, section.core_switches) == (
        leaf,
        spine,
        0,
    )
    assert section.fabric_manager_cables == 4
    assert section.endpoint_cables + section.fabric_manager_cables == endpoint_cables
    assert section.leaf_spine_cables == leaf_spine_cables


@pytest.mark.parametrize("row", B200_ROWS)
def test_dgx_superpod_b200(row: tuple[int, ...]) -> None:
    _, nodes, gpus, leaf, spine, core, node_leaf, leaf_spine, spine_core = row
    section = run(rack="dgx-b200-x4", nodes=nodes).parts["fabric"]
    assert section.accelerators == gpus
    counts = (section.leaf_switches, section.spine_switches, section.core_switches)
    assert counts == (leaf, spine, core)
    assert section.fabric_manager_cables == 0
    cables = (section.endpoint_cables, section.leaf_spine_cables, section.spine_core_cables)
    assert cables == (node_leaf, leaf_spine, spine_core)


@pytest.mark.parametrize(
    ("tiers", "endpoints", "switches", "inter_switch_links"),
    [(2, 2048, 96, 2048), (3, 65536, 5120, 131072)],
)
def test_full_fat_trees_of_64_ports(
    tiers: int, endpoints: int, switches: int, inter_switch_links: int
) -> None:
    section = run(nodes=endpoints, rails=1, nic="400 Gb/s", switch="qm9700").parts["fabric"]
    assert section.tiers == tiers
    assert section.switches == switches
    assert section.leaf_spine_links + section.spine_core_links == inter_switch_links
    assert section.grows_to_accelerators == endpoints  # it is full
    assert section.unused_ports == 0


def counts(nodes: int, **request: object) -> tuple[int, int, int]:
    design = plan_fabric(FabricRequest(**request))
    one = count_fabric(design, nodes)
    return design.planes * one.leaves, design.planes * one.spines, design.planes * one.cores


H100 = {"switch": NDR_64, "nic_gbps": 400, "rails": 8, "nodes_per_su": 32}
GB200 = {"switch": NDR_64, "nic_gbps": 400, "rails": 4, "nodes_per_su": 144}
GB300 = {"switch": XDR_144, "nic_gbps": 800, "rails": 4, "nodes_per_su": 144}
GB300_ETHERNET = {"switch": ETHERNET_64, "nic_gbps": 800, "rails": 4, "nodes_per_su": 144}
VR = {"switch": XDR_144, "nic_gbps": 800, "nodes_per_su": 144}


@pytest.mark.parametrize(
    ("request_of", "nodes", "expected"),
    [
        (H100, 6 * 32, (48, 32, 0)),
        (H100, 10 * 32, (80, 128, 40)),
        (GB200, 18, (4, 2, 0)),
        (GB200, 144, (20, 16, 0)),
        (GB200, 3 * 144, (60, 32, 0)),
        (GB200, 4 * 144, (80, 128, 40)),
        (GB300, 2 * 18, (1, 0, 0)),
        (GB300, 3 * 18, (4, 2, 0)),
        (GB300, 5 * 144, (40, 24, 0)),
        (GB300, 20 * 144, (160, 288, 80)),
        (GB300_ETHERNET | {"planes": 2}, 4 * 18, (16, 8, 0)),
        (GB300_ETHERNET | {"planes": 2}, 144, (24, 16, 0)),
        (VR | {"rails": 8}, 12 * 144, (192, 192, 96)),
        (VR | {"rails": 4, "ports_as_planes": 2}, 12 * 144, (192, 144, 0)),
        ({"switch": ETHERNET_128, "nic_gbps": 800, "rails": 12}, 144, (36, 32, 0)),
        (H100 | {"oversubscription_leaf": 2.0}, 4 * 32, (32, 8, 0)),
    ],
)
def test_vectors_of_the_counting_rules(
    request_of: dict[str, object], nodes: int, expected: tuple[int, int, int]
) -> None:
    assert counts(nodes, **request_of) == expected


def test_details_of_the_vectors() -> None:
    six_su = count_fabric(plan_fabric(FabricRequest(**H100)), 192)
    assert (six_su.spines, six_su.spines_minimum) == (32, 24)
    # stripes of an SU of 144 trays on 32 downlinks: 32, 32, 32, 32, 16
    one_su = count_fabric(plan_fabric(FabricRequest(**GB200)), 144)
    assert one_su.stripes == 5
    assert one_su.leaf_in_use == ((16, 32), (4, 16))
    two_to_one = FabricRequest(**(H100 | {"oversubscription_leaf": 2.0}))
    assert count_fabric(plan_fabric(two_to_one), 128).leaf_spine_links == 512
    planes = FabricRequest(**(VR | {"rails": 4, "ports_as_planes": 2}))
    assert count_fabric(plan_fabric(planes), 1728).tiers == 2


def test_gb300_enterprise_design_of_two_planes() -> None:
    # 4 racks, two 400G planes on 64 x 800G: 16/8 switches, 288 endpoint cables, 576 links
    section = run(rack="gb300-nvl72", nodes=72, switch="sn5610", planes=2).parts["fabric"]
    assert (section.leaf_switches, section.spine_switches) == (16, 8)
    assert (section.endpoint_cables, section.endpoint_links) == (288, 576)
    assert section.planes == 2
    assert section.radix == 128


def test_b300_xdr_unit_has_three_times_288_modules_at_the_switches() -> None:
    # one SU of 72 DGX B300 on 144-port switches: 576 node-leaf and 576 leaf-spine links, two ports
    # to a module: 288 + 288 + 288 modules at the switches, 21.6 kW at 25 W
    section = run(rack="dgx-b300-x4-ac", nodes=72).parts["fabric"]
    assert (section.endpoint_links, section.leaf_spine_links) == (576, 576)
    in_cages = [row for row in section.optics if row.place != "node"]
    assert {row.place: row.modules for row in in_cages} == {"leaf": 576, "spine": 288}
    assert {row.id for row in in_cages} == {"2xdr4-1600"}
    assert section.optics_power_kw == pytest.approx(21.6)
    node = section.optics[-1]
    assert (node.place, node.id, node.modules) == ("node", "dr4-800", 576)


def test_helios_has_twelve_rails_on_one_port_modules() -> None:
    section = run(rack="helios-72", nodes=144).parts["fabric"]
    assert section.rails == 12
    assert (section.leaf_switches, section.spine_switches) == (36, 32)
    assert {row.id for row in section.optics} == {"dr4-800"}
