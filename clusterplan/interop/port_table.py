"""What every port of a fabric is wired to, as compact arrays.

Several formats list a device with all its links, while a fabric gives its links tier by tier.
Twelve bytes a port hold what those formats need, whatever the number of links.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.wired_fabric import HOST_ROLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.wired_fabric import Device, Link, WiredFabric

MOST_INFINIBAND_PORTS = 254  # 0 is the management port, 255 means all
_OTHER = "use dot, graphml or the cable schedule"


class Connection(NamedTuple):
    """One end of a link as its device sees it; `peer` is a number in `WiredFabric.devices`."""

    port: int
    peer: int
    peer_port: int
    tier: str


def check_plane(fabric: WiredFabric, plane: int | None) -> None:
    """Refuse a plane that the fabric does not have."""
    if plane is not None and not 1 <= plane <= fabric.planes:
        message = f"{fabric.name} has no {fabric.plane_word} {plane}"
        hint = f"1 to {fabric.planes}" if fabric.planes > 1 else "it has one, 1"
        raise InputError(Problem(message, path=fabric.plane_word, hint=hint))


def check_kind(fabric: WiredFabric, kind: str, written: str, hint: str) -> None:
    """Refuse a fabric of another kind than a format describes."""
    if fabric.kind != kind:
        message = f"{written} describes {kind} fabrics; {fabric.name} is {fabric.kind}"
        raise InputError(Problem(message, path="fabric", hint=hint))


def check_infiniband(fabric: WiredFabric, written: str) -> None:
    """Refuse what is no InfiniBand fabric, or has a switch that its port numbers do not reach."""
    check_kind(fabric, "infiniband", written, _OTHER)
    for device in fabric.devices:
        if device.ports > MOST_INFINIBAND_PORTS:
            message = (
                f"{device.model} is planned with {device.ports} ports; InfiniBand numbers ports in"
                f" one octet, up to {MOST_INFINIBAND_PORTS}"
            )
            raise InputError(Problem(message, path="fabric.switch", hint=_OTHER))


class PortTable:
    """Links of a fabric, or of one plane, by device."""

    def __init__(self, fabric: WiredFabric, plane: int | None = None) -> None:
        check_plane(fabric, plane)
        self.devices = fabric.devices
        self.plane = plane
        self._first = [0, *accumulate(device.ports for device in fabric.devices)]
        self._peer = array("I", bytes(4 * self._first[-1]))
        self._peer_port = array("I", bytes(4 * self._first[-1]))  # 0: free
        self._tier = array("I", bytes(4 * self._first[-1]))
        self._tiers: list[str] = []
        for link in fabric.links(plane):
            self._add(link)

    def _add(self, link: Link) -> None:
        if link.tier not in self._tiers:
            self._tiers.append(link.tier)
        tier = self._tiers.index(link.tier)
        for here, port, peer, peer_port in (
            (link.a, link.a_port, link.z, link.z_port),
            (link.z, link.z_port, link.a, link.a_port),
        ):
            place = self._first[here] + port - 1
            self._peer[place], self._peer_port[place] = peer, peer_port
            self._tier[place] = tier

    def connections(self, number: int) -> Iterator[Connection]:
        """The wired ports of a device, in order."""
        start = self._first[number]
        for place in range(start, self._first[number + 1]):
            if self._peer_port[place]:
                yield Connection(
                    place - start + 1,
                    self._peer[place],
                    self._peer_port[place],
                    self._tiers[self._tier[place]],
                )

    def hosts(self) -> Iterator[tuple[int, Device]]:
        """Fabric managers, then nodes."""
        for role in reversed(HOST_ROLES):
            for number, device in enumerate(self.devices):
                if device.role == role:
                    yield number, device

    def switches(self) -> Iterator[tuple[int, Device]]:
        """Switches of the plane, or of all."""
        for number, device in enumerate(self.devices):
            if device.role not in HOST_ROLES and self.plane in (None, device.plane):
                yield number, device
