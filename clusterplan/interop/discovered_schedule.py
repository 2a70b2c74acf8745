"""Links of a cable schedule in CSV: any that names the device and port of both ends."""

from __future__ import annotations

import csv
import math
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING

from clusterplan.core.cabling import SCHEDULE, Cable, Cabling
from clusterplan.core.errors import InputError, Problem, one_of
from clusterplan.core.wired_fabric import ENDPOINT, MANAGER_TIER

if TYPE_CHECKING:
    from collections.abc import Iterator

_REQUIRED = ("a_device", "a_port", "z_device", "z_port")
_OPTIONAL = ("speed_gbps", "fabric", "plane", "stage", "tier")
_NODE_TIERS = (ENDPOINT, MANAGER_TIER, "")


def read_schedule(name: str, lines: Iterator[str]) -> Cabling:
    """The links of a CSV file; blank lines and those that start with # are passed over.

    The upper end (Z) is a switch; the lower one too where a column `tier` says so. Raises
    InputError naming file and line.
    """
    counted = _Lines(lines)
    header, delimiter = _header(name, counted)
    cables: list[Cable] = []
    used: dict[tuple[str, str, str], int] = {}
    switches: set[str] = set()
    devices: set[str] = set()
    pick = itemgetter(*(header.get(column, -1) for column in (*_REQUIRED, *_OPTIONAL)))
    width = counted.columns
    for row in csv.reader(counted, delimiter=delimiter):
        if not row or (len(row) == 1 and not row[0].strip()):
            continue
        if len(row) != width:
            message = f"{len(row)} cells where the header has {width}"
            raise InputError(Problem(message, name, counted.number, hint="is the file cut off?"))
        row.append("")  # what a missing column reads
        texts = pick(row)
        a, a_port, z, z_port, speed, fabric, plane, stage, tier = [
            intern(text.strip()) for text in texts
        ]
        if not (a and a_port and z and z_port):
            empty = next(c for c, text in zip(_REQUIRED, texts, strict=False) if not text.strip())
            raise InputError(Problem(f"{empty} is empty", name, counted.number))
        for end in ((fabric, a, a_port), (fabric, z, z_port)):
            first = used.setdefault(end, counted.number)
            if first != counted.number or (a, a_port) == (z, z_port):
                raise InputError(_twice(name, end, first, counted.number))
        switches.add(z)
        if tier.lower() not in _NODE_TIERS:
            switches.add(a)
        devices.update((a, z))
        gbps = _gbps(speed, name, counted.number)
        cables.append(Cable(a, a_port, z, z_port, gbps, fabric, plane, stage))
    if not cables:
        raise InputError(Problem("has a header and no links", name))
    return Cabling(
        source=name,
        format=SCHEDULE,
        columns=frozenset(header),
        cables=cables,
        devices=frozenset(devices),
        switches=frozenset(switches),
    )


class _Lines:
    """Lines without comments, and the number of the last one given."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.number = 0
        self.columns = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        while True:
            line = next(self._lines)
            self.number += 1
            if line[:1] != "#":
                return line


def _header(name: str, lines: _Lines) -> tuple[dict[str, int], str]:
    """Place of every known column, and the delimiter."""
    line = next(line for line in lines if line.strip())
    delimiter = max(",;\t", key=line.count)
    names = [text.strip().lower() for text in next(csv.reader([line], delimiter=delimiter))]
    lines.columns = len(names)
    known = {column: names.index(column) for column in (*_REQUIRED, *_OPTIONAL) if column in names}
    missing = [column for column in _REQUIRED if column not in known]
    if missing:
        hint = "; ".join(f"{column}: {one_of(column, names)}" for column in missing[:1])
        message = f"no column {', '.join(missing)}"
        raise InputError(Problem(message, name, lines.number, hint=hint))
    for column in known:
        if names.count(column) > 1:
            raise InputError(Problem(f"two columns {column}", name, lines.number))
    return known, delimiter


def _twice(name: str, end: tuple[str, str, str], first: int, line: int) -> Problem:
    _, device, port = end
    before = f"already linked on line {first}" if first != line else "linked to itself"
    return Problem(f"port {port} of {device} is {before}", name, line)


def _gbps(text: str, name: str, line: int) -> float | None:
    if not text:
        return None
    try:
        gbps = float(text)
    except ValueError:
        gbps = math.nan
    if not 0.0 < gbps < 1e6:
        message = f"speed_gbps {text!r} is not a speed in Gb/s"
        raise InputError(Problem(message, name, line))
    return gbps
