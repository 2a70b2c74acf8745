"""Planned against found links, port by port, and the mistakes that explain the differences.

Both sides are pairings of ports: `planned[port]` is the port that it should be linked to,
`found[port]` the one that it is. Ports are numbers that `Ports` gives out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

MISSING = "missing"
ABSENT = "absent-device"
EXTRA = "extra"
WRONG_PEER = "wrong-peer"
SWAPPED_RAILS = "swapped-rails"
SWAPPED_NODES = "swapped-nodes"
SWAPPED_UPLINKS = "swapped-uplinks"
SWAPPED_CABLES = "swapped-cables"
EXCHANGED = "exchanged-devices"
MISNAMED = "misnamed-device"
WRONG_SPEED = "wrong-speed"
ONE_SIDED = "one-sided"

# A device stands in another's place where so large a part of the latter's links lead to it.
_CERTAIN = 0.8
_FEWEST = 2
# Nominal speeds differ by rounding (4xFDR is 54.5 or 56 Gb/s), steps of a link by a half or more.
_SAME_SPEED = 0.05

Pair = tuple[int, int]


@dataclass(eq=False)
class Ports:
    """Ports by number: the device, the key to compare by and the label to print."""

    device: list[str] = field(default_factory=list)
    key: list[tuple[str, str]] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    _numbers: dict[tuple[str, tuple[str, str]], int] = field(default_factory=dict)

    def number(self, device: str, key: tuple[str, str], label: str) -> int:
        """The number of a port. `key`: fabric and port; the first label given is kept."""
        found = self._numbers.setdefault((device, key), len(self.device))
        if found == len(self.device):
            self.device.append(device)
            self.key.append(key)
            self.label.append(label)
        return found

    def on(self, device: str, port: int) -> int:
        """The port of the same key on another device."""
        return self.number(device, self.key[port], self.label[port])


class Difference(NamedTuple):
    """One mistake: its links as planned and as found, and how many planned links it explains."""

    kind: str
    devices: tuple[str, ...]
    planned: tuple[Pair, ...] = ()
    found: tuple[Pair, ...] = ()
    links: int = 0
    planned_gbps: float | None = None
    found_gbps: float | None = None


@frozen
class WiringDifferences:
    """What a comparison gave; `matched` links stand as planned, at whatever speed.

    `agreeing`: links as planned once exchanged and misnamed devices are taken for what they are.
    `known_by_cables`: devices without a name whose place in the plan their links tell.
    """

    planned: int
    found: int
    matched: int
    speeds_compared: int
    agreeing: int
    known_by_cables: int
    differences: tuple[Difference, ...]


def paired(links: Iterable[Pair]) -> dict[int, int]:
    """Both ends of every link, each leading to the other."""
    pairs: dict[int, int] = {}
    for a, z in links:
        pairs[a] = z
        pairs[z] = a
    return pairs


def compare_wiring(
    ports: Ports,
    planned: Mapping[Pair, float | None],
    found: Mapping[Pair, float | None],
    switches: Container[str],
    one_sided: Iterable[Pair] = (),
    nameless: Container[str] = (),
) -> WiringDifferences:
    """Compare links (lower end first in the plan), each with its speed where that is known.

    One mistake gives one difference. Every planned link that is not as planned belongs to exactly
    one of them; every found link that touches no port of such a link is an extra. Devices without
    a name of their own (`nameless`) are taken for those in whose place they stand.
    """
    plan = paired(planned)
    standing = {port: other for port, other in plan.items() if ports.device[port] not in switches}
    seen = paired(found)
    renamed = _renamed(ports, plan, seen, nameless)
    if renamed:
        seen = {_as(ports, renamed, p): _as(ports, renamed, q) for p, q in seen.items()}
    wrong = [pair for pair in planned if seen.get(pair[0]) != pair[1]]
    right = [pair for pair in planned if seen.get(pair[0]) == pair[1]]
    misnamed = {name: device for name, device in renamed.items() if name not in nameless}
    differences = list(_exchanges(ports, misnamed, right))
    settled: set[int] = set()
    for test in (standing.__contains__, lambda port: port not in standing):
        for port in (port for pair in wrong for port in pair if test(port)):
            if port not in settled:
                cycle = _cycle(ports, plan, seen, port)
                if cycle:
                    swap = _swap(ports, switches, cycle, plan, seen)
                    differences.append(swap)
                    settled.update(end for pair in swap.planned for end in pair)
    differences += _crossed(ports, wrong, plan, seen, settled)
    differences += _absent(ports, plan, wrong, seen, settled)
    differences += _single(ports, wrong, seen, settled)
    touched = {port for pair in wrong for port in pair}
    for a, z in _once(seen):
        if a not in touched and z not in touched and plan.get(a) != z:
            differences.append(Difference(EXTRA, _devices(ports, (a, z)), found=((a, z),)))
    speeds = {
        frozenset((_as(ports, renamed, a), _as(ports, renamed, z))): gbps
        for (a, z), gbps in found.items()
        if gbps is not None
    }
    slow, compared = _speeds(ports, right, planned, speeds)
    differences += slow
    differences += [
        Difference(ONE_SIDED, (ports.device[a],), found=((a, z),)) for a, z in one_sided
    ]
    explained = sum(difference.links for difference in differences)
    return WiringDifferences(
        planned=len(planned),
        found=len(found),
        matched=len(planned) - explained,
        speeds_compared=compared,
        agreeing=len(right),
        known_by_cables=len(renamed) - len(misnamed),
        differences=tuple(differences),
    )


def _as(ports: Ports, renamed: Mapping[str, str], port: int) -> int:
    """The port that a found one is, where its device is taken for the one it stands in for."""
    device = renamed.get(ports.device[port])
    return port if device is None else ports.on(device, port)


def _devices(ports: Ports, ends: Iterable[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ports.device[end] for end in ends))


def _once(pairs: Mapping[int, int]) -> Iterator[Pair]:
    done: set[int] = set()
    for a, z in pairs.items():
        if a not in done:
            done.add(z)
            yield a, z


# -- devices in each other's place -----------------------------------------------------------------


def _renamed(
    ports: Ports, plan: Mapping[int, int], seen: Mapping[int, int], nameless: Container[str]
) -> dict[str, str]:
    """Found device to the planned device in whose place it stands, port for port.

    Each round may tell more: a spine is known by its leaves once those are.
    """
    renamed: dict[str, str] = {}
    now = seen
    for _ in range(4):
        found = {ports.device[port] for port in now}
        step = _one_to_one(_places(ports, plan, now, nameless), found)
        if not step:
            break
        now = {_as(ports, step, p): _as(ports, step, q) for p, q in now.items()}
        before = {target: source for source, target in renamed.items()}
        for source, target in step.items():
            renamed[before.get(source, source)] = target
    return {source: target for source, target in renamed.items() if source != target}


def _places(
    ports: Ports, plan: Mapping[int, int], seen: Mapping[int, int], nameless: Container[str]
) -> dict[str, str]:
    """Planned device to the found device that nearly all its links lead to."""
    looked: Counter[str] = Counter()
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for port, far in plan.items():
        at = seen.get(far)
        if at is None:
            continue
        device = ports.device[port]
        looked[device] += 1
        if at != port and ports.key[at] == ports.key[port]:
            votes[device][ports.device[at]] += 1
    places = {}
    for device, counted in votes.items():
        name, number = counted.most_common(1)[0]
        fewest = 1 if name in nameless else _FEWEST
        if name != device and number >= max(fewest, _CERTAIN * looked[device]):
            places[device] = name
    return places


def _one_to_one(places: Mapping[str, str], found: Container[str]) -> dict[str, str]:
    """Found to planned device, without those that would give two devices one name."""
    often = Counter(places.values())
    step = {name: device for device, name in places.items() if often[name] == 1}
    while True:
        clash = [n for n, device in step.items() if device in found and device not in step]
        if not clash:
            return step
        for name in clash:
            del step[name]


def _exchanges(
    ports: Ports, renamed: Mapping[str, str], right: Iterable[Pair]
) -> Iterator[Difference]:
    """One difference for two devices in each other's place, or for one under another name."""
    links: Counter[str] = Counter()
    planned_as = set(renamed.values())
    for a, z in right if renamed else ():
        device = next((ports.device[p] for p in (a, z) if ports.device[p] in planned_as), None)
        if device is not None:
            links[device] += 1
    for name, device in renamed.items():
        if renamed.get(device) != name:
            yield Difference(MISNAMED, (device, name), links=links[device])
        elif device < name:
            yield Difference(EXCHANGED, (device, name), links=links[device] + links[name])


# -- links of one device among themselves ----------------------------------------------------------


def _cycle(ports: Ports, plan: Mapping[int, int], seen: Mapping[int, int], start: int) -> list[int]:
    """Ports of the device of `start` whose far ends are the right ones in the wrong order."""
    device, cycle, port = ports.device[start], [start], start
    while True:
        far = seen.get(port)
        following = None if far is None else plan.get(far)
        if following is None or ports.device[following] != device:
            return []
        if following == start:
            return cycle if len(cycle) > 1 else []
        cycle.append(following)
        port = following


def _swap(
    ports: Ports,
    switches: Container[str],
    cycle: list[int],
    plan: Mapping[int, int],
    seen: Mapping[int, int],
) -> Difference:
    order = sorted(cycle, key=lambda port: (len(ports.label[port]), ports.label[port]))
    planned = tuple((port, plan[port]) for port in order)
    found = tuple((port, seen[port]) for port in order)
    device = ports.device[cycle[0]]
    others = _devices(ports, (far for _, far in planned))
    if device not in switches:
        kind = SWAPPED_RAILS
    elif any(other in switches for other in others):
        kind = SWAPPED_UPLINKS
    else:
        kind = SWAPPED_NODES
    return Difference(kind, (device, *others), planned, found, links=len(cycle))


def _crossed(
    ports: Ports,
    wrong: Iterable[Pair],
    plan: Mapping[int, int],
    seen: Mapping[int, int],
    settled: set[int],
) -> Iterator[Difference]:
    """Two cables that have exchanged one end each, between four devices."""
    for a, z in wrong:
        far = seen.get(a)
        other = None if far is None else plan.get(far)
        if a in settled or far is None or other is None or seen.get(other) != z:
            continue
        settled.update((a, z, far, other))
        planned, found = ((a, z), (other, far)), ((a, far), (other, z))
        devices = _devices(ports, (a, z, other, far))
        yield Difference(SWAPPED_CABLES, devices, planned, found, links=2)


def _absent(
    ports: Ports,
    plan: Mapping[int, int],
    wrong: Iterable[Pair],
    seen: Mapping[int, int],
    settled: set[int],
) -> Iterator[Difference]:
    """Devices none of whose links is there, those of most links first."""
    gone: dict[str, list[Pair]] = defaultdict(list)
    for a, z in wrong:
        if a not in seen and z not in seen:
            for device in {ports.device[a], ports.device[z]}:
                gone[device].append((a, z))
    if not gone:
        return
    due = Counter(ports.device[port] for port in plan)
    whole = [device for device, pairs in gone.items() if len(pairs) == due[device]]
    for device in sorted(whole, key=lambda device: (-due[device], device)):
        left = tuple(pair for pair in gone[device] if pair[0] not in settled)
        if len(left) >= _FEWEST:
            settled.update(end for pair in left for end in pair)
            yield Difference(ABSENT, (device,), left, links=len(left))


def _single(
    ports: Ports, wrong: Iterable[Pair], seen: Mapping[int, int], settled: set[int]
) -> Iterator[Difference]:
    """Planned links that nothing larger explains: nothing at either end, or another peer."""
    for pair in wrong:
        if pair[0] in settled:
            continue
        found = tuple((end, seen[end]) for end in pair if end in seen)
        kind = WRONG_PEER if found else MISSING
        yield Difference(kind, _devices(ports, pair), (pair,), found, links=1)


def _speeds(
    ports: Ports,
    right: Iterable[Pair],
    planned: Mapping[Pair, float | None],
    found: Mapping[frozenset[int], float],
) -> tuple[list[Difference], int]:
    """Links at another speed than planned, and how many could be compared."""
    slow, compared = [], 0
    for pair in right:
        due = planned[pair]
        is_at = found.get(frozenset(pair)) if due is not None else None
        if due is None or is_at is None:
            continue
        compared += 1
        if abs(is_at - due) > _SAME_SPEED * due:
            devices = _devices(ports, pair)
            slow.append(
                Difference(
                    WRONG_SPEED, devices, (pair,), (pair,), planned_gbps=due, found_gbps=is_at
                )
            )
    return slow, compared
