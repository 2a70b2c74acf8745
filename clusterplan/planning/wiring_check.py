"""A fabric as found against its plan: the section of the report, one line a mistake."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError
from clusterplan.core.results.wiring_check import (
    WiringCheckSection,
    WiringFinding,
    WiringKindRow,
)
from clusterplan.sizing.wiring_check import (
    ABSENT,
    EXCHANGED,
    EXTRA,
    MISNAMED,
    MISSING,
    ONE_SIDED,
    SWAPPED_CABLES,
    SWAPPED_NODES,
    SWAPPED_RAILS,
    SWAPPED_UPLINKS,
    WRONG_PEER,
    WRONG_SPEED,
    compare_wiring,
)
from clusterplan.sizing.wiring_scope import line_up, strangers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterplan.core.cabling import Cabling
    from clusterplan.sizing.wiring_check import Difference, Pair, Ports, WiringDifferences
    from clusterplan.sizing.wiring_scope import Selection, Uncovered, WiringScope

# Kinds in the order in which they are best put right.
MEANINGS = {
    EXCHANGED: "two devices stand in each other's place",
    MISNAMED: "a device stands under another name",
    SWAPPED_RAILS: "ports of one node exchanged",
    SWAPPED_NODES: "nodes exchanged on one switch",
    SWAPPED_UPLINKS: "links between switches exchanged",
    SWAPPED_CABLES: "two cables exchanged at one end",
    ABSENT: "a device without any of its links: off, or not cabled",
    WRONG_PEER: "linked, but not to the planned port",
    MISSING: "nothing at either end",
    EXTRA: "a link between ports that are not planned to have one",
    WRONG_SPEED: "up at another speed than planned",
    ONE_SIDED: "listed by one of its ends only",
}
SHOWN_OF_A_KIND = 10  # in a terminal
_SHOWN_LINKS = 4  # of one finding in a terminal
_NOTHING = "nothing"


def check_wiring(
    plan: Cabling,
    discovered: Cabling,
    selection: Selection,
    *,
    speeds: bool = True,
    most: int | None = None,
) -> WiringCheckSection:
    """Compare port by port. `most`: findings of a kind to list (the counts are of all).

    Raises InputError where the files cannot be compared.
    """
    scope = line_up(plan, discovered, selection)
    planned = scope.planned if speeds else dict.fromkeys(scope.planned)
    result = compare_wiring(
        scope.ports, planned, scope.found, scope.switches, scope.one_sided, discovered.nameless
    )
    if scope.by_nodes and not result.agreeing:
        raise InputError(strangers(plan, discovered))
    order = {kind: place for place, kind in enumerate(MEANINGS)}
    differences = sorted(result.differences, key=lambda difference: order[difference.kind])
    counts = Counter(difference.kind for difference in differences)
    links: Counter[str] = Counter()
    for difference in differences:
        links[difference.kind] += difference.links
    shown = _first_of_each(differences, most)
    return WiringCheckSection(
        plan=plan.source,
        plan_format=plan.format,
        discovered=discovered.source,
        discovered_format=discovered.format,
        agrees=not differences,
        planned_links=result.planned,
        found_links=result.found,
        matched_links=result.matched,
        findings_total=len(differences),
        links_with_speed=result.speeds_compared,
        outside_links=scope.outside,
        not_covered_links=sum(part.links for part in scope.uncovered),
        aggregation_nodes=discovered.aggregation_nodes,
        not_covered=tuple(_uncovered(part) for part in scope.uncovered),
        notes=(*_notes(plan, discovered, scope), *_more_notes(result)),
        kinds=tuple(
            WiringKindRow(
                kind=kind, findings=counts[kind], links=links[kind], meaning=MEANINGS[kind]
            )
            for kind in MEANINGS
            if counts[kind]
        ),
        findings=tuple(_finding(d, scope, _SHOWN_LINKS if most else None) for d in shown),
        not_shown=tuple(
            f"{kind}: {counts[kind] - most} more; -o FILE lists all"
            for kind in MEANINGS
            if most is not None and counts[kind] > most
        ),
    )


def _first_of_each(differences: list[Difference], most: int | None) -> list[Difference]:
    if most is None:
        return differences
    kept: Counter[str] = Counter()
    shown = []
    for difference in differences:
        kept[difference.kind] += 1
        if kept[difference.kind] <= most:
            shown.append(difference)
    return shown


def _uncovered(part: Uncovered) -> str:
    words = [part.fabric, f"plane {part.plane}" if part.plane else ""]
    name = " ".join(word for word in words if word) or "the plan"
    return (
        f"{name}: none of its {part.switches} switches was found; {part.links} links not compared"
    )


def _notes(plan: Cabling, discovered: Cabling, scope: WiringScope) -> Iterable[str]:
    yield from plan.notes
    yield from discovered.notes
    if scope.adapters:
        pairs = [f"{found} is {planned}" for found, planned in scope.adapters.items()]
        listed = ", ".join(pairs[:8]) + (" ..." if len(pairs) > 8 else "")
        yield f"adapters are matched in the order of their numbers: {listed}"


def _more_notes(result: WiringDifferences) -> Iterable[str]:
    """What was decided in comparing, and what it means where every speed is wrong."""
    if result.known_by_cables:
        yield f"{result.known_by_cables} switches without a name are known by their cables"
    wrong = sum(difference.kind == WRONG_SPEED for difference in result.differences)
    if wrong > 1 and wrong == result.speeds_compared:
        yield (
            "no link is at its planned speed, as where a simulator knows no newer one; "
            "--ignore-speed compares ports alone"
        )


def _finding(difference: Difference, scope: WiringScope, most: int | None) -> WiringFinding:
    ports = scope.ports
    return WiringFinding(
        kind=difference.kind,
        finding=_sentence(difference, scope, most),
        devices="; ".join(difference.devices),
        planned=_planned(difference, ports, most),
        found=_found(difference, ports, most),
        links=difference.links,
    )


def _planned(difference: Difference, ports: Ports, most: int | None) -> str:
    if difference.kind == EXCHANGED:
        return "; ".join(difference.devices)
    if difference.kind == MISNAMED:
        return difference.devices[0]
    text = _pairs(difference.planned, ports, most)
    return _at(text, difference.planned_gbps) if text else _NOTHING


def _found(difference: Difference, ports: Ports, most: int | None) -> str:
    if difference.kind == EXCHANGED:
        return "; ".join(reversed(difference.devices))
    if difference.kind == MISNAMED:
        return difference.devices[1]
    text = _pairs(difference.found, ports, most)
    return _at(text, difference.found_gbps) if text else _NOTHING


def _at(text: str, gbps: float | None) -> str:
    return text if gbps is None else f"{text} at {gbps:g} Gb/s"


def _pairs(pairs: tuple[Pair, ...], ports: Ports, most: int | None) -> str:
    return _listed([f"{_end(ports, a)} - {_end(ports, z)}" for a, z in pairs], most, "; ")


def _end(ports: Ports, end: int) -> str:
    return f"{ports.device[end]} {ports.label[end]}"


def _listed(names: list[str], most: int | None, between: str = ", ") -> str:
    more = 0 if most is None else len(names) - most
    return between.join([*names[:most], f"and {more} more"] if more > 0 else names)


def _sentence(difference: Difference, scope: WiringScope, most: int | None) -> str:
    """The finding in words."""
    kind, devices, links = difference.kind, difference.devices, difference.links
    ports = scope.ports
    if kind == EXCHANGED:
        names = " and ".join(devices)
        return f"{names}: exchanged, or named wrongly; {links} links then agree"
    if kind == MISNAMED:
        return f"{devices[0]}: found under the name {devices[1]}; {links} links then agree"
    if kind in (SWAPPED_RAILS, SWAPPED_NODES, SWAPPED_UPLINKS):
        return _swapped(difference, ports, most)
    if kind == ABSENT:
        return f"{devices[0]}: none of its {links} links is there"
    if kind in (SWAPPED_CABLES, WRONG_PEER):
        planned, found = (
            _pairs(pairs, ports, most) for pairs in (difference.planned, difference.found)
        )
        return f"{planned}: found {found}"
    link = _pairs(difference.planned or difference.found, ports, most)
    if kind == EXTRA:
        stage = scope.later.get(frozenset(difference.found[0]))
        return f"{link}: planned for stage {stage}" if stage else link
    if kind == ONE_SIDED:
        return f"{link}: only {devices[0]} lists it"
    if kind == WRONG_SPEED:
        return f"{link}: {difference.found_gbps:g} Gb/s, planned {difference.planned_gbps:g}"
    return link


def _swapped(difference: Difference, ports: Ports, most: int | None) -> str:
    """Ports of one device with their far ends, as planned and, where not plain, as found."""
    own = _listed([ports.label[port] for port, _ in difference.planned], most)
    planned, found = (
        _listed([_end(ports, far) for _, far in pairs], most)
        for pairs in (difference.planned, difference.found)
    )
    text = f"{difference.devices[0]} {own} exchanged: planned {planned}"
    return text if len(difference.planned) == 2 else f"{text}; found {found}"
