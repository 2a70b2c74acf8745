"""NetBox cable rows: columns of the import form, one row a cable, types and names."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.core.equipment import Breakout, Switch
from clusterplan.core.wired_fabric import CableRow
from clusterplan.interop.netbox import NetboxNames, cable_type, write_netbox_cables
from clusterplan.sizing.clos_wiring import wire_clos
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import count_fabric, reach_nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusterplan.core.wired_fabric import WiredFabric

# columns of the form that it cannot do without, and those used here (NetBox 4.7, cable import)
DUE = {f"side_{end}_{word}" for end in "ab" for word in ("device", "type", "name")}
TYPES = {"cat6", "dac-passive", "dac-active", "aoc", "smf-os2", "mmf-om4"}


def rows_of(fabric: WiredFabric, medium: str = "2xdr4-800-500m") -> Iterator[CableRow]:
    for link in fabric.links():
        low, high = fabric.devices[link.a], fabric.devices[link.z]
        yield CableRow(
            cable_id=f"{link.tier}-{link.cable}",
            fabric=fabric.name,
            tier=link.tier,
            plane=link.plane,
            a_rack="",
            a_unit=None,
            a_device=low.name,
            a_port=fabric.port_name(low, link.a_port),
            z_rack="",
            z_unit=None,
            z_device=high.name,
            z_port=fabric.port_name(high, link.z_port),
            speed_gbps=fabric.gbps[link.tier],
            length_m=5.0,
            medium=medium,
            label="",
            stage="1",
        )


def read(rows: Iterator[CableRow], **options: Any) -> list[dict[str, str]]:
    out = io.StringIO()
    count = write_netbox_cables(rows, out, **options)
    found = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert len(found) == count
    return found


def test_a_plain_cable(wire: Callable[..., WiredFabric]) -> None:
    kinds = {"2xdr4-800-500m": "2xdr4"}
    found = read(rows_of(wire()), names=NetboxNames(kinds=kinds, site="Hall 1"))
    assert found[0] == {
        "side_a_site": "Hall 1",
        "side_a_device": "node1",
        "side_a_type": "dcim.interface",
        "side_a_name": "mlx5_0",
        "side_b_site": "Hall 1",
        "side_b_device": "leaf-s1-r1",
        "side_b_type": "dcim.interface",
        "side_b_name": "P1",
        "type": "smf-os2",
        "status": "planned",
        "label": "endpoint-1",
        "length": "5",
        "length_unit": "m",
    }
    assert set(found[0]) >= DUE


def test_links_of_an_assembly_are_one_row(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(14, planes=2)
    found = read(rows_of(fabric))
    first = found[0]
    assert (first["side_a_device"], first["side_a_name"]) == ("node01", "mlx5_0,mlx5_1")
    assert first["side_b_device"] == "p1-leaf-s1-r1,p2-leaf-s1-r1"
    assert first["side_b_name"] == "P1/1,P1/1"
    each = read(rows_of(fabric), one_termination=True)
    assert len(each) == len(list(fabric.links()))
    assert all("," not in row["side_b_name"] for row in each)


def test_interfaces_by_another_name(wire: Callable[..., WiredFabric]) -> None:
    def interface(device: str, port: str) -> str:
        return port if device.startswith("node") else port.split("/")[0]

    fabric = wire(14, planes=2)
    plain, renamed = (
        next(row for row in found if row["label"] == "leaf-spine-1")
        for found in (
            read(rows_of(fabric)),
            read(rows_of(fabric), names=NetboxNames(interface=interface)),
        )
    )
    assert plain["side_a_device"] == renamed["side_a_device"] == "p1-leaf-s1-r1"
    # both lanes of a port that NetBox does not split: one termination, not the same one twice
    assert plain["side_a_name"] == "P5/1,P5/2"
    assert renamed["side_a_name"] == "P5"


def test_what_is_not_known_stays_empty(wire: Callable[..., WiredFabric]) -> None:
    rows = (row._replace(length_m=None) for row in rows_of(wire()))
    first = read(rows)[0]
    assert (first["type"], first["length"], first["length_unit"]) == ("", "", "")
    assert cable_type("wet string") == ""


def test_every_medium_of_the_catalogue_has_a_type() -> None:
    types = {row.kind: cable_type(row.kind) for row in catalog.optics()}
    assert set(types.values()) <= TYPES
    assert types["dac"] == "dac-passive"
    assert types["acc"] == types["aec"] == "dac-active"
    assert types["2xdr4"] == types["fr4"] == "smf-os2"
    assert types["sr4"] == "mmf-om4"
    assert types["copper"] == "cat6"


@pytest.mark.parametrize("status", ["connected", "decommissioning"])
def test_status(status: str, wire: Callable[..., WiredFabric]) -> None:
    assert read(rows_of(wire()), names=NetboxNames(status=status))[0]["status"] == status


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 40),
    st.sampled_from([1, 2]),
    st.integers(1, 3),
    st.sampled_from([1.0, 1.5, 2.0, 3.0]),
    st.sampled_from([400, 200]),
    st.sampled_from(["rail", "packed"]),
)
def test_one_row_a_cable_whatever_the_split(
    nodes: int, planes: int, rails: int, ratio: float, nic_gbps: int, mode: str
) -> None:
    switch = Switch(
        id="small",
        vendor="",
        kind="ethernet",
        ports=8,
        cages=8,
        gbps_per_port=400,
        breakouts=(Breakout(16, 200), Breakout(32, 100)),
    )
    design = plan_fabric(
        FabricRequest(
            switch=switch,
            nic_gbps=nic_gbps,
            rails=rails,
            planes=planes,
            oversubscription_leaf=ratio,
            leaf_mode=mode,
        )
    )
    fabric = wire_clos(design, count_fabric(design, min(nodes, reach_nodes(design))))
    found = read(rows_of(fabric))
    labels = [row["label"] for row in found]
    assert len(labels) == len(set(labels))
    assert set(labels) == {f"{link.tier}-{link.cable}" for link in fabric.links()}
    ends = [
        (device, name)
        for row in found
        for end in "ab"
        for device, name in pairs(row[f"side_{end}_device"], row[f"side_{end}_name"])
    ]
    assert len(ends) == len(set(ends)) == 2 * len(list(fabric.links()))


def pairs(devices: str, names: str) -> list[tuple[str, str]]:
    """Terminations of an end: one device for all names, or one each."""
    name_list, device_list = names.split(","), devices.split(",")
    if len(device_list) == 1:
        device_list *= len(name_list)
    return list(zip(device_list, name_list, strict=True))
