"""A fabric wired port by port: its devices, and a stream of its links.

Links are not kept: every call of `links` wires the fabric anew, so that a schedule of a million
cables needs no more memory than its devices.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

NODE = "node"
LEAF, SPINE, CORE = "leaf", "spine", "core"
MANAGER = "manager"
HOST = "host"  # storage nodes, management servers, and what else has a management port
HOST_ROLES = (NODE, HOST, MANAGER)
RACK_GEAR = "rack-gear"  # model of the management ports of a rack: power, manager, leak controller
SWITCH_ROLES = (LEAF, SPINE, CORE)

ENDPOINT, LEAF_SPINE, SPINE_CORE = "endpoint", "leaf-spine", "spine-core"
MANAGER_TIER = "fabric-manager"
GLOBAL = "global"  # between the groups of a dragonfly+
NEIGHBOUR = "torus"  # between neighbours of a torus


class Device(NamedTuple):
    """One node or switch.

    name    unique in the fabric, at most 64 characters, letters, digits and hyphens
    role    node, leaf, spine, core, manager or host
    model   catalogue id of the switch, or of the rack that the node is part of
    ports   ports at the speed of its links
    plane   1 and up; 0 for what stands in every plane
    unit    number of the scalable unit (1 and up) that it belongs to, 0 where none
    stage   first stage that has it, 1 and up
    """

    name: str
    role: str
    model: str
    ports: int
    plane: int
    unit: int
    stage: int


class Link(NamedTuple):
    """One link between port `a_port` of device `a`, the lower one, and `z_port` of device `z`.

    Devices are numbers in `WiredFabric.devices`, ports count from 1. `cable` numbers the assemblies
    of a tier from 1; links of one assembly share it. `stage` is the first that has the link.
    `bundle` numbers, within a tier, the sets of links that plug into modules which they share: a
    cage holds one kind of module, so all of a bundle are of one medium.
    """

    tier: str
    plane: int
    a: int
    a_port: int
    z: int
    z_port: int
    cable: int
    stage: int
    bundle: int = 0


@frozen
class WiredFabric:
    """One fabric (a cluster's compute fabric, or one beside it), wired.

    name          compute, storage, in-band, out-of-band; with `-c2` for the second cluster
    kind          infiniband, ethernet, or that of a scale-up domain (ici)
    generation    NDR, XDR ... of an InfiniBand fabric, else empty
    gbps          speed of the links of each tier
    planes        parallel networks that share no switch; `plane_word` says what tells them apart
    stages        names of the stages, at least one
    port_names    labels of the ports of a role, in order
    links_per_cable  by tier, the most links that share an assembly (1 where left out)
    whole_cages   tiers of which every cage leads to one other switch
    wire          gives every link, in the order of the schedule
    """

    name: str
    kind: str
    generation: str
    planes: int
    plane_word: str
    stages: tuple[str, ...]
    gbps: Mapping[str, float]
    devices: Sequence[Device]
    port_names: Mapping[str, Sequence[str]]
    wire: Callable[[], Iterator[Link]]
    links_per_cable: Mapping[str, int] = field(default_factory=dict)
    whole_cages: frozenset[str] = frozenset()

    def is_part_of(self, name: str) -> bool:
        """Whether this is the fabric of that name, or a cluster of it."""
        return self.name == name or self.name.rpartition("-c")[0] == name

    def links(self, plane: int | None = None) -> Iterator[Link]:
        """Every link, or those of one plane."""
        if plane is None:
            return self.wire()
        return (link for link in self.wire() if link.plane == plane)

    def port_name(self, device: Device, port: int) -> str:
        """The label of a port of a device."""
        return self.port_names[device.role][port - 1]

    def devices_of(self, plane: int | None = None) -> Iterator[tuple[int, Device]]:
        """Numbers and devices, of one plane where asked (nodes and managers are in each)."""
        for number, device in enumerate(self.devices):
            if plane is None or device.plane in (0, plane):
                yield number, device


class CableRow(NamedTuple):
    """One line of the cable schedule: a link, the lower end first.

    `cable_id` is shared by the links of one assembly; units are the lowest of the device (None:
    not placed); `length_m` is the stock length (None where no medium reaches), `medium` the
    catalogue id of the cable or of the module at the upper end, `stage` the first that has it.
    """

    cable_id: str
    fabric: str
    tier: str
    plane: int
    a_rack: str
    a_unit: int | None
    a_device: str
    a_port: str
    z_rack: str
    z_unit: int | None
    z_device: str
    z_port: str
    speed_gbps: float
    length_m: float | None
    medium: str
    label: str
    stage: str
