"""Every link of the out-of-band network: management ports on copper, access switches in pairs.

Access switches are filled port by port, rack after rack, then the switches of the other fabrics,
storage nodes and management servers; each has one uplink to each switch of an aggregation pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterplan.core.wired_fabric import (
    ENDPOINT,
    HOST,
    LEAF,
    LEAF_SPINE,
    NODE,
    RACK_GEAR,
    SPINE,
    Device,
    Link,
    WiredFabric,
)
from clusterplan.sizing.port_names import switch_port_names
from clusterplan.sizing.support_fabrics import OUT_OF_BAND
from clusterplan.sizing.support_totals import oob_aggregation_switches, oob_leaf_switches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusterplan.sizing.support_fabrics import OutOfBand

_UPLINKS = 2  # of an access switch in use; it has more


@dataclass(frozen=True, eq=False, repr=False)
class _Wiring:
    design: OutOfBand
    endpoints: tuple[Device, ...]
    leaves: int

    def devices(self) -> tuple[Device, ...]:
        design, found = self.design, list(self.endpoints)
        ports = design.access_ports + _UPLINKS
        above = oob_aggregation_switches(self.leaves, design.radix)
        digits, wide = len(str(self.leaves)), len(str(max(1, above)))
        first = self._first_units()
        for number in range(self.leaves):
            name = f"{OUT_OF_BAND}-leaf-{number + 1:0{digits}d}"
            stage = first[number][1]
            found.append(Device(name, LEAF, design.access.id, ports, 1, first[number][0], stage))
        for number in range(above):
            name = f"{OUT_OF_BAND}-spine-{number + 1:0{wide}d}"
            stage = first[number // 2 * design.radix][1]
            found.append(Device(name, SPINE, design.aggregation.id, design.radix, 1, 0, stage))
        return tuple(found)

    def _first_units(self) -> list[tuple[int, int]]:
        """Unit and stage of every access switch: those of the first device on it."""
        found: list[tuple[int, int]] = []
        for place, device in self._ports():
            if place % self.design.access_ports == 0:
                found.append((device.unit, device.stage))
        return found

    def _ports(self) -> Iterator[tuple[int, Device]]:
        place = 0
        for device in self.endpoints:
            for _ in range(device.ports):
                yield place, device
                place += 1

    def links(self) -> Iterator[Link]:
        down, count = self.design.access_ports, len(self.endpoints)
        place = 0
        leaf_stage = [stage for _, stage in self._first_units()]
        for number, device in enumerate(self.endpoints):
            for port in range(device.ports):
                leaf, leaf_port = divmod(place, down)
                place += 1
                stage = max(device.stage, leaf_stage[leaf])
                yield Link(
                    *(ENDPOINT, 1, number, port + 1, count + leaf, leaf_port + 1, place),
                    *(stage, place),
                )
        if self.leaves < 2:
            return
        cable = 0
        for leaf, stage in enumerate(leaf_stage):
            pair, port = divmod(leaf, self.design.radix)
            for side in range(_UPLINKS):
                cable += 1
                upper = count + self.leaves + 2 * pair + side
                yield Link(
                    *(LEAF_SPINE, 1, count + leaf, down + 1 + side, upper, port + 1, cable),
                    *(stage, cable),
                )


def wire_out_of_band(
    design: OutOfBand,
    servers: Sequence[Device],
    switches: Sequence[Device],
    hosts: Sequence[Device],
    stages: tuple[str, ...],
) -> WiredFabric:
    """Wire the management ports of servers, racks, switches and hosts.

    servers: in the order of their racks; hosts: storage nodes and management servers.
    """
    endpoints = tuple(_endpoints(design, servers, switches, hosts))
    leaves = oob_leaf_switches(sum(one.ports for one in endpoints), design.access_ports)
    wiring = _Wiring(design, endpoints, leaves)
    most = max((one.ports for one in endpoints), default=1)
    uplinks = tuple(f"swp{design.access_ports + n + 1}" for n in range(_UPLINKS))
    names = switch_port_names(design.access, design.access_ports)
    management = ("bmc", *(f"mgmt{n}" for n in range(1, most)))
    return WiredFabric(
        name=OUT_OF_BAND,
        kind=design.access.kind,
        generation="",
        planes=1,
        plane_word="plane",
        stages=stages,
        gbps={ENDPOINT: design.access_gbps, LEAF_SPINE: design.uplink_gbps},
        devices=wiring.devices(),
        port_names={
            NODE: management,
            HOST: management,
            LEAF: names + uplinks,
            SPINE: switch_port_names(design.aggregation, design.radix),
        },
        wire=wiring.links,
        whole_cages=frozenset((LEAF_SPINE,)),
    )


def _endpoints(
    design: OutOfBand,
    servers: Sequence[Device],
    switches: Sequence[Device],
    hosts: Sequence[Device],
) -> Iterator[Device]:
    """Rack by rack: its servers, then what else in it has a management port; then the rest."""
    per_rack = design.servers_per_rack
    racks = -(-len(servers) // per_rack)
    digits = len(str(racks))
    for rack in range(racks):
        there = servers[rack * per_rack : (rack + 1) * per_rack]
        if design.ports_per_server:
            yield from (server._replace(ports=design.ports_per_server) for server in there)
        if design.ports_per_rack:
            name = f"rack{rack + 1:0{digits}d}"
            first = there[0]
            yield Device(name, HOST, RACK_GEAR, design.ports_per_rack, 0, first.unit, first.stage)
    for one in (*switches, *hosts):
        yield Device(one.name, HOST, one.model, 1, 0, 0, one.stage)
