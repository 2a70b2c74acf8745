"""Small designs taken from public questions and examples.

1: one scalable unit of 32 eight-GPU servers (shke.com.cn/?p=7546). 2: 512 H100 servers
(apetops-us.com, 512 H100 clustering). 3: 1 Gb/s management links matched with 1.6T optics by a
public cabling tool.
"""

from __future__ import annotations

import pytest

from clusterplan import catalog
from clusterplan.cli.fabric import run
from clusterplan.core.equipment import Optic
from clusterplan.sizing.fabric_optics import pick_medium


def test_one_scalable_unit() -> None:
    section = run(nodes=32, rails=8, nic="400 Gb/s", nodes_per_su=32, switch="qm9700").parts[
        "fabric"
    ]
    assert section.endpoint_links == 256
    assert (section.leaf_switches, section.spine_switches) == (8, 4)
    assert (section.leaf_downlinks, section.leaf_uplinks) == (32, 32)
    assert section.endpoint_links + section.leaf_spine_links == 512
    assert sum(row.ends for row in section.optics) == 1024  # transceiver ends, all optical


def test_512_servers_need_three_tiers() -> None:
    limit = run(nodes=256, rails=8, nic="400 Gb/s", nodes_per_su=32, switch="qm9700")
    assert limit.parts["fabric"].tiers == 2
    assert limit.parts["fabric"].grows_to_accelerators == 2048
    section = run(nodes=512, rails=8, nic="400 Gb/s", nodes_per_su=32, switch="qm9700").parts[
        "fabric"
    ]
    assert section.tiers == 3
    assert (section.leaf_switches, section.spine_switches, section.core_switches) == (128, 128, 64)
    assert section.switches == 320
    links = section.endpoint_links + section.leaf_spine_links + section.spine_core_links
    assert links == 3 * 4096
    assert section.worst_switch_hops == 5


MEDIA = (
    Optic(id="fast", kind="2xdr4", speed_gbps=1600, power_w=25),
    Optic(id="cord", kind="copper", speed_gbps=1, power_w=0),
    Optic(id="dr4-400", kind="dr4", speed_gbps=400, power_w=9),
)


def test_management_links_are_copper_cords_and_no_optics() -> None:
    medium = pick_medium(MEDIA, 1.0)
    assert medium is not None
    assert (medium.id, medium.kind) == ("cord", "copper")
    optics = [row for row in MEDIA if row.kind != "copper"]
    assert pick_medium(optics, 1.0) is None  # not the nearest
    shipped = pick_medium(catalog.optics(), 1.0)
    assert shipped is not None
    assert shipped.kind == "copper"


@pytest.mark.parametrize("speed", [10.0, 100.0, 399.0, 1599.0])
def test_no_medium_of_another_speed(speed: float) -> None:
    assert pick_medium(MEDIA, speed) is None
    assert pick_medium(MEDIA, speed, preferred="dr4-400") is None


def test_162_management_ports_of_1_gbps() -> None:
    # 162 cords to 48-port copper switches: no module anywhere, and none is missing
    report = run(nodes=162, rails=1, nic="1 Gb/s", switch="sn2201")
    section = report.parts["fabric"]
    assert section.endpoint_cables == 162
    assert section.optics == ()
    assert section.optics_power_kw == 0.0
    assert "no_optic" not in {w.code for w in report.parts["warnings"]}
    media = {a.path: a.value for a in report.parts["assumptions"]}
    assert media["fabric.medium"].startswith("copper")
