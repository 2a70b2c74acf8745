"""The ports of two files brought under one set of names, before they are compared.

Hosts may carry a domain, names another case, adapters another numbering, and a dump numbers the
switch ports that a schedule labels.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from clusterplan.core.cabling import Cabling

# Labels of switch ports: 12, P12, P12/1 (split, or cage/twin), sw6p2 (cage, twin), swp12.
_PLAIN = re.compile(r"(?:p|port|swp|ib|eth)?\s*(\d+)$")
_PAIR = re.compile(r"(?:sw|p|cage)?\s*(\d+)[p/]([12])$")
_ADAPTER = re.compile(r"(.*?)(\d+)$")


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

    Between two schedules that is its label. Where one file is a dump it is the number: P12 and 12
    are port 12, sw6p2 and 6/2 the second port of cage 6, number 12; where a switch has split ports
    P12/2, P12 itself is the first of the two. Case is ignored.
    """

    def __init__(self, cabling: Cabling, switches: Iterable[str], *, numbers: bool) -> None:
        self._source = cabling.source
        self._switches = frozenset(switches) if numbers else frozenset[str]()
        self._split: frozenset[str] = frozenset()
        self._known: dict[tuple[str, bool, bool], str] = {}
        if numbers and not cabling.is_dump:
            self._split = frozenset(_with_split_ports(cabling)) & self._switches

    def key(self, device: str, label: str) -> str:
        """The key of a port. Raises InputError for a label that stands for no number."""
        kind = (label, device in self._switches, device in self._split)
        found = self._known.get(kind)
        if found is None:
            found = self._known[kind] = self._key(device, label)
        return found

    def _key(self, device: str, label: str) -> str:
        text = label.casefold()
        if device not in self._switches:
            return text.removesuffix("/p1").removesuffix("/1")
        plain = _PLAIN.match(text)
        if plain is not None:
            number = int(plain[1])
            return str(2 * number - 1 if device in self._split else number)
        pair = _PAIR.match(text)
        if pair is not None:
            return str(2 * int(pair[1]) + int(pair[2]) - 2)
        message = f'the label "{label}" of a port of {device} stands for no port number'
        hint = "a dump knows numbers only: P12, 12, sw6p2 or P6/2"
        raise InputError(Problem(message, self._source, hint=hint))


def _with_split_ports(cabling: Cabling) -> Iterator[str]:
    for cable in cabling.cables:
        if "/" in cable.a_port:
            yield cable.a_device
        if "/" in cable.z_port:
            yield cable.z_device
