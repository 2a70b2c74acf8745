"""The ports of two files brought under one set of names, before they are compared.

Hosts may carry a domain, names another case, adapters another numbering, and a dump numbers the
switch ports that a schedule labels.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable

    from clusterplan.core.cabling import Cabling

# Labels of switch ports: 12, P12, sw12; P12/1 (split); sw6p2 (cage, twin); sw6p2s0 (split).
_NATIVE = re.compile(r"(?:p|port|swp|ib|eth|sw)?\s*(\d{1,6})(?:/(\d))?$")
_TWIN = re.compile(r"sw(\d{1,6})p([12])(?:s(\d))?$")
_LANES = 2  # links that an InfiniBand port is split into
_ADAPTER = re.compile(r"(.*?)(\d{1,9})$")


def matched_names(planned: Collection[str], found: Collection[str]) -> dict[str, str]:
    """Found name to planned name: equal, else equal but for case, else but for the domain.

    Only where exactly one name on each side fits; a name that matches none is left out.
    """
    known = frozenset(planned)
    names = {name: name for name in found if name in known}
    for key in (str.casefold, _host):
        taken = frozenset(names.values())
        left = _by_key(key, (name for name in planned if name not in taken))
        for word, candidates in _by_key(key, (n for n in found if n not in names)).items():
            fits = left.get(word, [])
            if len(candidates) == len(fits) == 1:
                names[candidates[0]] = fits[0]
    return names


def _host(name: str) -> str:
    return name.casefold().partition(".")[0]


def _by_key(key: Callable[[str], str], names: Iterable[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[key(name)].append(name)
    return groups


def matched_adapters(planned: Collection[str], found: Collection[str]) -> dict[str, str]:
    """Found adapter to planned adapter where the found ones are named another way.

    HCA-1 is mlx5_0 where all are so named and planned; else the two sets are matched in the order
    of their numbers where they are equally many. Empty where they agree, or cannot be matched. The
    sets are those of the whole fabric, so that an adapter that one node lacks moves no other.
    """
    if set(found) <= set(planned):
        return {}
    ours, theirs = _numbered(planned), _numbered(found)
    if ours is None or theirs is None or not ours:
        return {}
    shifted = {label: ours.get(number - 1) for number, label in theirs.items()}
    if all(label.startswith("hca-") for label in found) and None not in shifted.values():
        return {label: name for label, name in shifted.items() if name is not None}
    if len(ours) != len(theirs):
        return {}
    return {theirs[a]: ours[b] for a, b in zip(sorted(theirs), sorted(ours), strict=True)}


def _numbered(labels: Collection[str]) -> dict[int, str] | None:
    """Labels by the number that ends them; None where one has none or two share one."""
    numbers = {}
    for label in labels:
        match = _ADAPTER.fullmatch(label)
        if match is None:
            return None
        numbers[int(match[2])] = label
    return numbers if len(numbers) == len(labels) else None


class PortKeys:
    """The key under which a port of one file is compared.

    Between two schedules that is its label. Where one file is a dump it is the number: P12, sw12
    and 12 are port 12, sw6p2 is the second port of cage 6, number 12. Links of a split port count
    one by one: P12/2 is number 24 where all ports are split. Case is ignored.
    """

    def __init__(self, cabling: Cabling, switches: Iterable[str], *, numbers: bool) -> None:
        self._source = cabling.source
        self._switches = frozenset(switches) if numbers else frozenset[str]()
        self._splits: dict[str, _Split] = {}
        self._known: dict[tuple[str, bool, _Split | None], str] = {}
        if numbers and not cabling.is_dump:
            self._splits = _splits(cabling, self._switches)

    def key(self, device: str, label: str) -> str:
        """The key of a port. Raises InputError for a label that stands for no number."""
        kind = (label, device in self._switches, self._splits.get(device))
        found = self._known.get(kind)
        if found is None:
            found = self._known[kind] = self._key(device, label)
        return found

    def _key(self, device: str, label: str) -> str:
        text = label.casefold()
        if device not in self._switches:
            return text.removesuffix("/p1").removesuffix("/1")
        place = _place(text)
        if place is None:
            message = f'the label "{label}" of a port of {device} stands for no port number'
            hint = "a dump knows numbers only: P12, 12, sw6p2 or P6/2"
            raise InputError(Problem(message, self._source, hint=hint))
        return str(self._splits.get(device, _UNSPLIT).number(*place))


class _Split(NamedTuple):
    """Which ports of a switch are split: those below a native port, or those from it on."""

    border: int
    low: int
    high: int

    def number(self, native: int, lane: int) -> int:
        if native < self.border:
            return (native - 1) * self.low + max(lane, 1)
        return (self.border - 1) * self.low + (native - self.border) * self.high + max(lane, 1)


_UNSPLIT = _Split(1, 1, 1)


def _place(label: str) -> tuple[int, int] | None:
    """Native port and lane (from 1, 0 where the port is not split) of a label."""
    twin = _TWIN.match(label)
    if twin is not None:
        return 2 * int(twin[1]) + int(twin[2]) - 2, 0 if twin[3] is None else int(twin[3]) + 1
    native = _NATIVE.match(label)
    return None if native is None else (int(native[1]), int(native[2] or 0))


def _splits(cabling: Cabling, switches: Container[str]) -> dict[str, _Split]:
    """How the switches that have split ports are split."""
    natives: dict[str, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for cable in cabling.cables:
        ends = (cable.a_device, cable.a_port), (cable.z_device, cable.z_port)
        for device, label in ends:
            place = _place(label.casefold()) if device in switches else None
            if place is not None:
                natives[device][place[1] > 0].add(place[0])
    found = {}
    for device, (whole, split) in natives.items():
        if split and not whole:
            found[device] = _Split(1, 1, _LANES)
        elif split and min(split) < min(whole):
            found[device] = _Split(min(whole), _LANES, 1)
        elif split:
            found[device] = _Split(min(split), 1, _LANES)
    return found
