"""Which links of two files are compared, and the numbers that their ports get."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem, one_of
from clusterplan.sizing.wiring_check import Pair, Ports
from clusterplan.sizing.wiring_match import PortKeys, matched_adapters, matched_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusterplan.core.cabling import Cable, Cabling


class Selection(NamedTuple):
    """What part of a plan is compared; None for all of it."""

    fabric: str | None = None
    plane: str | None = None
    stage: str | None = None


class Uncovered(NamedTuple):
    """A plane of a fabric of which no switch was found."""

    fabric: str
    plane: str
    switches: int
    links: int


@dataclass(eq=False)
class WiringScope:
    """Two sets of links over the same ports.

    by_nodes    the files have nodes in common, but no switch by name
    later       links of stages after the selected one, with their stage
    outside     found links of what was not selected
    adapters    found adapters that are named another way than planned
    """

    ports: Ports = field(default_factory=Ports)
    planned: dict[Pair, float | None] = field(default_factory=dict)
    found: dict[Pair, float | None] = field(default_factory=dict)
    one_sided: list[Pair] = field(default_factory=list)
    later: dict[frozenset[int], str] = field(default_factory=dict)
    switches: frozenset[str] = frozenset()
    uncovered: list[Uncovered] = field(default_factory=list)
    by_nodes: bool = False
    outside: int = 0
    adapters: dict[str, str] = field(default_factory=dict)


def line_up(plan: Cabling, discovered: Cabling, selection: Selection) -> WiringScope:
    """The links of both files that are compared, their ports numbered alike.

    Raises InputError: a selection that the plan does not have, files without a switch in common,
    labels that stand for no port number, a port that two links share.
    """
    chosen, later, skipped = _selected(plan, selection)
    names = matched_names(plan.devices, discovered.devices)
    there = {names.get(device, device) for device in discovered.devices}
    covered, uncovered = _covered(chosen, there)
    by_nodes = not covered
    if by_nodes:
        if len(uncovered) > 1 or not there & plan.devices:
            raise InputError(strangers(plan, discovered))
        covered = {(part.fabric, part.plane) for part in uncovered}  # known by its nodes, perhaps
        uncovered = []
    chosen = [cable for cable in chosen if (cable.fabric, cable.plane) in covered]
    switches = plan.switches | {names.get(name, name) for name in discovered.switches}
    scope = WiringScope(switches=switches, uncovered=uncovered, by_nodes=by_nodes)
    numbers = plan.is_dump or discovered.is_dump
    fabrics = _Fabrics(chosen)
    keys = PortKeys(plan, switches, numbers=numbers)
    for cable in chosen:
        pair = _pair(scope.ports, keys, cable, fabrics.planned(cable))
        scope.planned[pair] = cable.speed_gbps
    _check_once(scope.ports, scope.planned, plan.source)
    for cable in later:
        pair = _pair(scope.ports, keys, cable, fabrics.planned(cable))
        scope.later[frozenset(pair)] = cable.stage
    own = (name for name in discovered.devices if names.get(name, name) in switches)
    found = _Found(scope, names, fabrics, PortKeys(discovered, own, numbers=numbers))
    found.match_adapters(discovered.cables)
    elsewhere = skipped - {cable.z_device for cable in chosen}
    for cable in discovered.cables:
        if elsewhere and found.touches(cable, elsewhere):
            scope.outside += 1
        else:
            scope.found[found.pair(cable)] = cable.speed_gbps
    _check_once(scope.ports, scope.found, discovered.source)
    scope.one_sided = [
        found.pair(cable) for cable in discovered.one_sided if not found.touches(cable, elsewhere)
    ]
    return scope


def _selected(plan: Cabling, selection: Selection) -> tuple[list[Cable], list[Cable], set[str]]:
    """Links to compare, those of later stages, and the switches of what is left out."""
    cables = list(plan.cables)
    skipped: set[str] = set()
    for column, word in (("fabric", selection.fabric), ("plane", selection.plane)):
        if word is not None:
            known = _known(plan, cables, column)
            wanted = _choice(word, known, column)
            skipped |= {cable.z_device for cable in cables if getattr(cable, column) != wanted}
            cables = [cable for cable in cables if getattr(cable, column) == wanted]
    if selection.stage is None:
        return cables, [], skipped
    stages = _known(plan, cables, "stage")
    if all(stage.isdecimal() and len(stage) < 10 for stage in stages):
        stages = sorted(stages, key=int)
    last = stages.index(_choice(selection.stage, stages, "stage"))
    built = frozenset(stages[: last + 1])
    later = [cable for cable in cables if cable.stage not in built]
    return [cable for cable in cables if cable.stage in built], later, skipped


def _known(plan: Cabling, cables: Iterable[Cable], column: str) -> list[str]:
    """Words of a column in the order in which they appear."""
    if column not in plan.columns:
        message = f"{plan.source} has no column {column}"
        hint = "a cable schedule of clusterplan has it, a dump has not"
        raise InputError(Problem(message, path=f"--{column}", hint=hint))
    return list(dict.fromkeys(getattr(cable, column) for cable in cables))


def _choice(word: str, known: Sequence[str], column: str) -> str:
    found = [name for name in known if name.casefold() == word.strip().casefold()]
    if not found:
        message = f"the plan has no {column} {word!r}"
        raise InputError(Problem(message, path=f"--{column}", hint=one_of(word, known)))
    return found[0]


def _covered(
    cables: Iterable[Cable], there: set[str]
) -> tuple[set[tuple[str, str]], list[Uncovered]]:
    """Planes (fabric, plane) with a switch that was found, and the others."""
    switches: dict[tuple[str, str], set[str]] = defaultdict(set)
    links: Counter[tuple[str, str]] = Counter()
    for cable in cables:
        network = (cable.fabric, cable.plane)
        links[network] += 1
        switches[network].add(cable.z_device)
    covered = {network for network, names in switches.items() if names & there}
    return covered, [
        Uncovered(*network, len(switches[network]), links[network])
        for network in links
        if network not in covered
    ]


def strangers(plan: Cabling, discovered: Cabling) -> Problem:
    """That two files have nothing in common that could be compared."""
    ours, theirs = (_few(file.switches or file.devices) for file in (plan, discovered))
    message = f"no switch of {plan.source} is in it"
    hint = f"the plan has {ours}; this file has {theirs}"
    if discovered.nameless:
        hint += "; for switches without names choose one --plane and --fabric"
    return Problem(message, discovered.source, hint=hint)


def _few(names: Iterable[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:3]) + (" ..." if len(listed) > 3 else "") if listed else "no device"


class _Fabrics:
    """The fabric that a link is part of, where a plan has several.

    A node may use the same adapter name in two of them. A found link belongs to the fabric of its
    switch where the file does not say.
    """

    def __init__(self, cables: Sequence[Cable]) -> None:
        names = dict.fromkeys(cable.fabric for cable in cables)
        self._several = len(names) > 1
        self._first = next(iter(names), "")
        self._of = {cable.z_device: cable.fabric for cable in cables} if self._several else {}

    def planned(self, cable: Cable) -> str:
        return cable.fabric if self._several else ""

    def found(self, a: str, z: str) -> str:
        if not self._several:
            return ""
        return self._of.get(z) or self._of.get(a) or self._first


def _pair(ports: Ports, keys: PortKeys, cable: Cable, fabric: str) -> Pair:
    a, a_port, z, z_port, *_ = cable
    return (
        ports.number(a, (fabric, keys.key(a, a_port)), a_port),
        ports.number(z, (fabric, keys.key(z, z_port)), z_port),
    )


class _Found:
    """Found links under the names of the plan."""

    def __init__(
        self, scope: WiringScope, names: dict[str, str], fabrics: _Fabrics, keys: PortKeys
    ) -> None:
        self._scope = scope
        self._names = names
        self._fabrics = fabrics
        self._keys = keys

    def match_adapters(self, cables: Iterable[Cable]) -> None:
        """Find out how the adapters of planned nodes are called here."""
        ports, switches = self._scope.ports, self._scope.switches
        nodes = {device for device in ports.device if device not in switches}
        planned = {
            key for device, (_, key) in zip(ports.device, ports.key, strict=True) if device in nodes
        }
        found = {
            self._keys.key(device, label)
            for cable in cables
            for device, label in ((cable.a_device, cable.a_port), (cable.z_device, cable.z_port))
            if self._names.get(device, device) in nodes
        }
        self._scope.adapters = matched_adapters(planned, found)

    def touches(self, cable: Cable, devices: set[str]) -> bool:
        """Whether a link ends at one of the (planned) devices."""
        names = self._names
        a, z = cable.a_device, cable.z_device
        return names.get(a, a) in devices or names.get(z, z) in devices

    def pair(self, cable: Cable) -> Pair:
        a, a_port, z, z_port, *_ = cable
        names = self._names
        fabric = self._fabrics.found(names.get(a, a), names.get(z, z))
        return self._end(a, a_port, fabric), self._end(z, z_port, fabric)

    def _end(self, device: str, label: str, fabric: str) -> int:
        key = self._keys.key(device, label)
        name = self._names.get(device, device)
        if name not in self._scope.switches:
            key = self._scope.adapters.get(key, key)
        elif label.isdecimal():
            label = f"port {label}"  # shown only where the plan has no label for it
        return self._scope.ports.number(name, (fabric, key), label)


def _check_once(ports: Ports, pairs: Iterable[Pair], source: str) -> None:
    """Raise InputError for a port of two links: two labels that stand for one port."""
    seen: set[int] = set()
    for end in (end for pair in pairs for end in pair):
        if end in seen:
            message = f"two links end at port {ports.label[end]} of {ports.device[end]}"
            raise InputError(Problem(message, source))
        seen.add(end)
