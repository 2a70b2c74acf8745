"""The fabrics beside the compute fabric against a published bill of materials.

NVIDIA DGX SuperPOD RA-11333-001 V11, appendix A: 4 scalable units, 127 DGX H100. 254 storage and
254 in-band ports, 16 storage switches, 8 SN2201 with two 100G uplinks each (16 cables), 48 + 16
InfiniBand and 8 in-band switches, 8 management and fabric-manager nodes, 96 PDUs of compute racks.
"""

from __future__ import annotations

import pytest

from clusterplan.cli.fabric import run
from clusterplan.core.results.fabric import FabricSection, SupportFabricRow
from clusterplan.reporting.sheets import sheets, unexplained
from clusterplan.sizing import support_totals as totals

SERVERS, PORTS = 127, 48


@pytest.fixture(scope="module")
def rows() -> dict[str, SupportFabricRow]:
    section = run(rack="dgx-h100-x4", nodes=SERVERS).parts["fabric"]
    assert isinstance(section, FabricSection)
    return {row.name: row for row in section.fabrics}


def test_storage_is_on_the_compute_fabrics_switch(rows: dict[str, SupportFabricRow]) -> None:
    storage = rows["storage"]
    assert storage.switch == "qm9700"
    # 254 of servers; storage systems at 25 % (published: 48 ports, "varies")
    assert storage.endpoints == 254 + 2 * 32
    switches = storage.leaf_switches + storage.spine_switches
    assert 16 <= switches <= 18  # published: 16, at near 4:3 for the servers


def test_in_band_takes_a_port_pair_of_every_server(rows: dict[str, SupportFabricRow]) -> None:
    in_band = rows["in-band"]
    assert in_band.endpoints == 254 + 2 * 5
    assert in_band.oversubscription <= 4.0


def test_out_of_band_switches_and_uplinks(rows: dict[str, SupportFabricRow]) -> None:
    oob = rows["out-of-band"]
    assert oob.leaf_switches == 8
    assert oob.switch_links == 16
    assert oob.switch == "sn2201"


def test_the_published_ports_fill_what_is_published_less_the_storage_systems() -> None:
    # storage management ports are left open in the bill: up to 65 find room on the eight
    ports = totals.oob_endpoints(SERVERS, 1, 32, 3, 48 + 16 + 8, 0, 8)
    others = 12 + 2  # PDUs of other racks, fabric-manager pair
    assert ports + others == 127 + 64 + 8 + 8 + 108 + 2
    assert 7 <= totals.oob_leaf_switches(ports + others, PORTS) <= 8
    assert totals.oob_switch_links(8) == 16


def test_management_ports_of_1g_are_copper_without_optics() -> None:
    """A public cabling tool put 324 optics of 1.6T on the 1G ports of 162 servers; right: none."""
    section = run(rack="dgx-h100-x4", nodes=162).parts["fabric"]
    oob = section.fabrics[-1]
    assert oob.link_gbps == 1
    assert oob.medium.startswith("copper rj45-1")
    assert oob.modules == 2 * oob.switch_links  # of the uplinks alone
    assert oob.endpoint_cables == oob.endpoints >= 162


def test_every_figure_of_the_command_has_a_sheet() -> None:
    report = run(rack="dgx-h100-x4", nodes=SERVERS)
    assert unexplained(report, undeclared=True) == []
    shown = {result.path for sheet in sheets(report, "fabric.fabrics") for result in sheet.results}
    for name in ("storage", "in-band", "out-of-band"):
        for figure in ("endpoints", "modules", "switch_links", "rack_units", "core_switches"):
            assert f"fabric.fabrics.{name}.{figure}" in shown


def test_options_alone_know_no_other_ports() -> None:
    section = run(nodes=SERVERS, rails=8, nic="400 Gb/s").parts["fabric"]
    assert section.fabrics == ()
