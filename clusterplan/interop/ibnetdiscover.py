"""InfiniBand topology text, as `ibnetdiscover` prints it of a running fabric.

`ibsim` boots a fabric from it, and a planned file can be compared with a dump of the built fabric.

A node port is an adapter of its own (`node001 mlx5_0`, one port), since the planes of a fabric are
separate subnets. Names of switches follow those that managed switches report,
`MF0;<name>:<model>/U1`. Identifiers (GUIDs) are not known before hardware is bought: they are
derived from the names, so that they stay the same as the plan grows, and carry the bit of locally
given addresses. LIDs are 0: the subnet manager assigns them.

The first record is that of a fabric manager where the plan has one, else of the first node; `ibsim`
runs the subnet manager there.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, TextIO

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.wired_fabric import HOST_ROLES
from clusterplan.interop.port_table import PortTable, check_infiniband

if TYPE_CHECKING:
    from clusterplan.core.wired_fabric import Device, WiredFabric

LANES = 4
LANE_GBPS = {"EDR": 25.0, "HDR": 50.0, "NDR": 100.0, "XDR": 200.0}


def speed_word(generation: str, gbps: float) -> str:
    """Width and speed of a link, such as `4xNDR` for 400 Gb/s and `2xNDR` for 200 Gb/s of NDR."""
    lane_gbps = LANE_GBPS.get(generation)
    if lane_gbps is None:
        message = f"no InfiniBand generation of that name: {generation or 'none given'}"
        raise InputError(Problem(message, path="fabric", hint=f"one of {', '.join(LANE_GBPS)}"))
    lanes = round(gbps / lane_gbps)
    if not 1 <= lanes <= LANES or abs(lanes * lane_gbps - gbps) > 1e-6 * gbps:
        message = f"{gbps:g} Gb/s is no whole number of {generation} lanes of {lane_gbps:g} Gb/s"
        raise InputError(Problem(message, path="fabric", hint=f"1 to {LANES} lanes"))
    return f"{lanes}x{generation}"


def guid(fabric: WiredFabric, name: str) -> str:
    """Sixteen hex digits of a switch or adapter, from its name alone."""
    digest = blake2b(f"{fabric.name}/{name}".encode(), digest_size=7).hexdigest()
    return f"02{digest[:-1]}0"  # the next ones are left for the ports of the device


def host_name(device: Device, adapter: str) -> str:
    """What an adapter is called: its host, a space, the adapter."""
    return f"{device.name} {adapter}"


def switch_name(device: Device) -> str:
    """What a managed switch is called."""
    return f"MF0;{device.name}:{device.model}/U1"


def write_ibnetdiscover(
    fabric: WiredFabric,
    out: TextIO,
    *,
    plane: int | None = None,
    link_word: str | None = None,
) -> None:
    """Write every link of the fabric, or of one plane; each stands at both its ends.

    link_word: width and speed of all links instead of the true ones. ibsim 0.10 knows no speed
    above HDR and no release knows XDR; an unknown one is a warning a link, `4xHDR` none.
    """
    check_infiniband(fabric, "ibnetdiscover text")
    table = PortTable(fabric, plane)
    words = {
        tier: link_word or speed_word(fabric.generation, gbps) for tier, gbps in fabric.gbps.items()
    }
    out.write(f"# {fabric.name} fabric as planned{'' if plane is None else f', plane {plane}'}\n")
    record = _Records(fabric, table, words, out)
    for number, device in table.hosts():
        record.host(number, device)
    for number, device in table.switches():
        record.switch(number, device)


class _Records:
    """Writes the records of devices; identifiers are worked out once."""

    def __init__(
        self, fabric: WiredFabric, table: PortTable, words: dict[str, str], out: TextIO
    ) -> None:
        self.fabric, self.table, self.words, self.out = fabric, table, words, out
        self._switch_guids: dict[int, str] = {}

    def host(self, number: int, device: Device) -> None:
        """One record an adapter: the ports of a host that are wired."""
        for here in self.table.connections(number):
            name = host_name(device, self.fabric.port_name(device, here.port))
            own = guid(self.fabric, name)
            peer = self.table.devices[here.peer]
            self.out.write(
                f"\nsysimgguid=0x{own}\n"
                f"caguid=0x{own}\n"
                f'Ca\t1 "H-{own}"\t\t# "{name}"\n'
                f'[1]({own}) \t"S-{self._switch_guid(here.peer)}"[{here.peer_port}]\t\t'
                f'# lid 0 lmc 0 "{switch_name(peer)}" lid 0 {self.words[here.tier]}\n'
            )

    def switch(self, number: int, device: Device) -> None:
        """One record of a switch, with its wired ports."""
        own = self._switch_guid(number)
        self.out.write(
            f"\nsysimgguid=0x{own}\n"
            f"switchguid=0x{own}({own})\n"
            f'Switch\t{device.ports} "S-{own}"\t\t'
            f'# "{switch_name(device)}" enhanced port 0 lid 0 lmc 0\n'
        )
        for here in self.table.connections(number):
            peer = self.table.devices[here.peer]
            word = self.words[here.tier]
            if peer.role in HOST_ROLES:
                name = host_name(peer, self.fabric.port_name(peer, here.peer_port))
                there = guid(self.fabric, name)
                end = f'"H-{there}"[1]({there}) \t\t# "{name}" lid 0 {word}'
            else:
                there = self._switch_guid(here.peer)
                end = f'"S-{there}"[{here.peer_port}]\t\t# "{switch_name(peer)}" lid 0 {word}'
            self.out.write(f"[{here.port}]\t{end}\n")

    def _switch_guid(self, number: int) -> str:
        found = self._switch_guids.get(number)
        if found is None:
            found = guid(self.fabric, self.table.devices[number].name)
            self._switch_guids[number] = found
        return found
