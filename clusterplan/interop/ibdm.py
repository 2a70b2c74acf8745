"""Planned InfiniBand topology for the `ibutils` programs and their descendants.

`.topo` names the systems and their front panel ports; each type of system needs an `.ibnl` that
says what is inside (directory in IBDM_IBNL_PATH). `ibdmchk` checks a plan before it is built,
`ibtopodiff` compares it with a discovered fabric.

The ports of a system are `P1` and up, whatever the maker prints; a node is one system with an
adapter of one port behind each of its ports, as its planes are separate subnets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from clusterplan.core.wired_fabric import HOST_ROLES
from clusterplan.interop.port_table import PortTable, check_infiniband

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.wired_fabric import Device, WiredFabric

_WRITTEN = "an ibdm topology"


def system_type(device: Device) -> str:
    """Name of the type of a device: model and number of ports, without spaces."""
    word = "".join(c if c.isalnum() else "_" for c in device.model.upper())
    return f"{word}_{device.ports}P"


def write_topo(fabric: WiredFabric, out: TextIO, *, plane: int | None = None) -> None:
    """Write a section for each system that is wired; each link stands at both its ends."""
    check_infiniband(fabric, _WRITTEN)
    table = PortTable(fabric, plane)
    types = [system_type(device) for device in fabric.devices]
    out.write(f"# {fabric.name} fabric as planned{'' if plane is None else f', plane {plane}'}\n")
    for number, device in (*table.hosts(), *table.switches()):
        lines = [
            f"   P{here.port} -> {types[here.peer]} {table.devices[here.peer].name}"
            f" P{here.peer_port}\n"
            for here in table.connections(number)
        ]
        if lines:
            out.write(f"\n{types[number]} {device.name}\n{''.join(lines)}")


def ibnl_files(fabric: WiredFabric) -> dict[str, str]:
    """Text of the `.ibnl` of every type of system in the fabric, by file name."""
    check_infiniband(fabric, _WRITTEN)
    types = {system_type(device): device for device in fabric.devices}
    return {f"{name}.ibnl": "".join(_ibnl(name, device)) for name, device in types.items()}


def _ibnl(name: str, device: Device) -> Iterator[str]:
    yield f"TOPSYSTEM {name}\n"
    word = "".join(c for c in device.model.upper() if c.isalnum())
    if device.role in HOST_ROLES:
        for port in range(1, device.ports + 1):
            yield f"\nNODE CA 1 {word} U{port}\n1 -> P{port}\n"
        return
    yield f"\nNODE SW {device.ports} {word} U1\n"
    for port in range(1, device.ports + 1):
        yield f"{port} -> P{port}\n"
