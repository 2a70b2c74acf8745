"""A fabric as GraphML, for graph libraries and drawing programs: one edge a link."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO
from xml.sax.saxutils import escape, quoteattr

from clusterplan.interop.port_table import check_plane

if TYPE_CHECKING:
    from clusterplan.core.wired_fabric import Device, WiredFabric

_NODE_KEYS = (("role", "string"), ("model", "string"), ("plane", "int"), ("unit", "int"))
_EDGE_KEYS = (
    ("tier", "string"),
    ("plane", "int"),
    ("source_port", "string"),
    ("target_port", "string"),
    ("gbps", "double"),
    ("cable", "int"),
    ("stage", "int"),
)
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


def write_graphml(fabric: WiredFabric, out: TextIO, *, plane: int | None = None) -> None:
    """Write the devices and links of a fabric, or of one plane.

    Devices are named as in the plan. Links between the same two devices stay apart, each with an
    id of its own (`e1` and up). `cable` numbers the assemblies of a tier.
    """
    check_plane(fabric, plane)
    out.write(_HEAD)
    for domain, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name, kind in keys:
            out.write(
                f'  <key id="{domain}_{name}" for="{domain}" attr.name="{name}"'
                f' attr.type="{kind}"/>\n'
            )
    out.write(f'  <graph id={quoteattr(fabric.name)} edgedefault="undirected">\n')
    for _, device in fabric.devices_of(plane):
        _write_device(device, out)
    devices = fabric.devices
    names = [quoteattr(device.name) for device in devices]
    gbps = {tier: f"{speed:g}" for tier, speed in fabric.gbps.items()}
    for number, link in enumerate(fabric.links(plane), start=1):
        low, high = devices[link.a], devices[link.z]
        values = (
            link.tier,
            str(link.plane),
            escape(fabric.port_name(low, link.a_port)),
            escape(fabric.port_name(high, link.z_port)),
            gbps[link.tier],
            str(link.cable),
            str(link.stage),
        )
        data = "".join(
            f'<data key="edge_{name}">{value}</data>'
            for (name, _), value in zip(_EDGE_KEYS, values, strict=True)
        )
        out.write(
            f'    <edge id="e{number}" source={names[link.a]} target={names[link.z]}>'
            f"{data}</edge>\n"
        )
    out.write("  </graph>\n</graphml>\n")


def _write_device(device: Device, out: TextIO) -> None:
    values = (device.role, escape(device.model), device.plane, device.unit)
    data = "".join(
        f'<data key="node_{name}">{value}</data>'
        for (name, _), value in zip(_NODE_KEYS, values, strict=True)
    )
    out.write(f"    <node id={quoteattr(device.name)}>{data}</node>\n")
