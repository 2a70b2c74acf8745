"""Links of the text that ibnetdiscover prints, or of an export in that format.

A record is a line `Switch 65 "S-.." # "description" ..` (or `Ca`, `Rt`) and one line for every
cabled port, `[3] "H-.."[1](guid) # "description" lid 9 4xNDR`. Every link stands in the records of
both its ends.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clusterplan.core.cabling import DUMP, Cable, Cabling
from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

# Nominal Gb/s of one lane, by the name of the signalling rate (InfiniBand Trade Association).
LANE_GBPS = {
    "SDR": 2.5,
    "DDR": 5.0,
    "QDR": 10.0,
    "FDR10": 10.0,
    "FDR": 14.0,
    "EDR": 25.0,
    "HDR": 50.0,
    "NDR": 100.0,
    "XDR": 200.0,
}
_UNNAMED = "mellanox technologies"  # what a switch without management calls itself
_AGGREGATION = "aggregation node"
_FIRST = re.compile(r"(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=|(Switch|Ca|Rt)\s+\d+\s")
_RECORD = re.compile(r'(Switch|Ca|Rt)\s+(\d{1,9})\s+"([^"]+)"\s*(?:#\s*(?:"([^"]*)")?.*)?$')
_EXT = r"(?:\[ext \d+\])?"
_PORT = re.compile(
    rf'\[(\d{{1,9}})\]{_EXT}(?:\([0-9a-fA-Fx]+\))?\s+"([^"]+)"(?:\[(\d{{1,9}})\])?{_EXT}'
    r"(?:\([0-9a-fA-Fx]+\))?\s*(?:#(.*))?$"
)
_SPEED = re.compile(r"(\d{1,3})x([A-Z]+(?:10)?)\s*(?:s=|w=|v=|$)")
_PASSED_OVER = re.compile(r"\w+=|#|Chassis |Non-Chassis ")
_SWITCH_NAME = re.compile(r"[^;]*;([^:]+):(.*)")
_SHIFT = 16  # a port is its record's number shifted by so many bits, plus the port's own
_MOST_PORTS = 4096


def is_dump_line(line: str) -> bool:
    """Whether a first line that is no comment can be of a dump."""
    return _FIRST.match(line) is not None


@dataclass(frozen=True, slots=True)
class _Record:
    kind: str
    ports: int
    id: str
    description: str


@dataclass(eq=False)
class _Dump:
    """What the lines say. Devices are numbered as they are first named; a peer may come later."""

    name: str
    numbers: dict[str, int] = field(default_factory=dict)
    named_on: list[int] = field(default_factory=list)  # line that first names the device
    records: dict[int, _Record] = field(default_factory=dict)
    peers: dict[int, int] = field(default_factory=dict)  # port to port, as listed
    speeds: dict[int, float] = field(default_factory=dict)

    def number(self, device: str, line: int) -> int:
        found = self.numbers.setdefault(device, len(self.named_on))
        if found == len(self.named_on):
            self.named_on.append(line)
        return found

    def problem(self, message: str, line: int, hint: str | None = None) -> InputError:
        return InputError(Problem(message, self.name, line, hint=hint))

    def add_record(self, text: str, line: int) -> int:
        match = _RECORD.match(text)
        if match is None:
            raise self.problem(f"cannot read the record {_short(text)!r}", line, _CUT)
        kind, ports, device, description = match.groups()
        number = self.number(device, line)
        if number in self.records:
            raise self.problem(f'a second record of "{device}"', line)
        if int(ports) > _MOST_PORTS:
            raise self.problem(f"{ports} ports are more than a device has", line)
        self.records[number] = _Record(kind, int(ports), device, description or device)
        return number

    def add_port(self, text: str, record: int, line: int) -> None:
        match = _PORT.match(text)
        if match is None:
            raise self.problem(f"cannot read the port {_short(text)!r}", line, _CUT)
        port_text, device, peer_text, comment = match.groups()
        owner, port, peer = self.records[record], int(port_text), int(peer_text or 1)
        if not 1 <= port <= owner.ports or not 1 <= peer <= _MOST_PORTS:
            message = f'port {port} of "{owner.id}", which has {owner.ports} ports'
            raise self.problem(message, line)
        here = record << _SHIFT | port
        if here in self.peers:
            raise self.problem(f'port {port} of "{owner.id}" is listed twice', line)
        there = self.number(device, line) << _SHIFT | peer
        if here == there:
            raise self.problem(f'port {port} of "{owner.id}" is linked to itself', line)
        self.peers[here] = there
        if comment:
            speed = _SPEED.search(comment, comment.rfind('"') + 1)
            if speed is not None and speed[2] in LANE_GBPS:
                self.speeds[here] = int(speed[1]) * LANE_GBPS[speed[2]]


_CUT = "is the file cut off?"


def read_dump(name: str, lines: Iterator[str]) -> Cabling:
    """The links of a dump, each once, though both its ends list it.

    A switch is called by the name in its description (`MF0;name:model/U1`), a host by the first
    word of it, its ports by the rest (`mlx5_0`). Raises InputError naming file and line.
    """
    dump = _Dump(name)
    record: int | None = None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            record = None
        elif text[0] == "[":
            if record is None:
                raise dump.problem("a port before any record", number)
            dump.add_port(text, record, number)
        elif text.startswith(("Switch", "Ca", "Rt")):
            record = dump.add_record(text, number)
        elif _PASSED_OVER.match(text) is None:
            raise dump.problem(f"cannot read {_short(text)!r}", number, _CUT)
    for device, index in dump.numbers.items():
        if index not in dump.records:
            message = f'"{device}" is linked here and has no record'
            raise dump.problem(message, dump.named_on[index], _CUT)
    if not dump.records:
        raise InputError(Problem("holds no device", name))
    return _cabling(dump)


def _cabling(dump: _Dump) -> Cabling:
    inside = {
        number
        for number, record in dump.records.items()
        if _AGGREGATION in record.description.lower()
    }
    names, notes = _names({n: r for n, r in dump.records.items() if n not in inside})
    mutual: list[Cable] = []
    single: list[tuple[int, int]] = []
    peers = dump.peers
    taken: set[int] = set()
    for here, there in peers.items():
        if here >> _SHIFT in inside or there >> _SHIFT in inside or here in taken:
            continue
        if peers.get(there) == here:
            taken.update((here, there))
            mutual.append(_cable(dump, names, here, there))
        else:
            single.append((here, there))
    one_sided = []
    for here, there in single:
        cable = _cable(dump, names, here, there)
        one_sided.append(cable)
        if here not in taken and there not in taken:
            taken.update((here, there))
            mutual.append(cable)
    return Cabling(
        source=dump.name,
        format=DUMP,
        cables=mutual,
        one_sided=one_sided,
        devices=frozenset(device for device, _ in names.values()),
        switches=frozenset(
            names[number][0] for number in names if dump.records[number].kind == "Switch"
        ),
        nameless=frozenset(names[n][0] for n in names if names[n][0] == dump.records[n].id),
        aggregation_nodes=len(inside),
        notes=notes,
    )


def _cable(dump: _Dump, names: dict[int, tuple[str, str]], here: int, there: int) -> Cable:
    """A link; where its ends state two speeds, the lower."""
    speeds = [dump.speeds[end] for end in (here, there) if end in dump.speeds]
    a, z = (_end(dump, names, end) for end in (here, there))
    return Cable(*a, *z, min(speeds, default=None))


def _end(dump: _Dump, names: dict[int, tuple[str, str]], end: int) -> tuple[str, str]:
    device, adapter = names[end >> _SHIFT]
    port = end & (1 << _SHIFT) - 1
    if not adapter:
        return device, str(port)
    return device, adapter if port == 1 else f"{adapter}/{port}"


def _names(records: dict[int, _Record]) -> tuple[dict[int, tuple[str, str]], tuple[str, ...]]:
    """Name of every device, and of the adapter where the device is one of a host's."""
    found = {number: _name(record) for number, record in records.items()}
    often = {name for name, times in Counter(found.values()).items() if times > 1}
    doubled: dict[str, int] = {}
    for number, name in found.items():
        if name in often:
            record = records[number]
            match = _SWITCH_NAME.match(record.description) if record.kind == "Switch" else None
            # chips of one chassis differ in what follows the model
            chip = match[2].partition("/")[2] if match else ""
            told = (f"{name[0]}/{chip}", "") if chip else (record.id, name[1])
            found[number] = told
            label = " ".join(part for part in name if part)
            doubled[label] = doubled.get(label, 0) + 1
    if len(set(found.values())) < len(found):  # chips of equal name: only ids tell them apart
        again = {name for name, times in Counter(found.values()).items() if times > 1}
        found = {n: (records[n].id, "") if name in again else name for n, name in found.items()}
    notes = tuple(
        f'{times} devices are called "{label}"; they are told apart by chip or id'
        for label, times in list(doubled.items())[:5]
    )
    return found, notes


def _name(record: _Record) -> tuple[str, str]:
    text = " ".join(record.description.split())
    if record.kind == "Switch":
        match = _SWITCH_NAME.match(text)
        if match is None and _UNNAMED in text.lower():
            return record.id, ""
        return (match[1] if match else text), ""
    host, _, adapter = text.partition(" ")
    return host, adapter


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
