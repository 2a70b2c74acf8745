"""A fabric as found against its plan: the section of the report, one line a mistake."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusterplan.core.results.wiring_check import (
    WiringCheckSection,
    WiringFinding,
    WiringKindRow,
)
from clusterplan.sizing.wiring_check import (
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
from clusterplan.sizing.wiring_scope import line_up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterplan.core.cabling import Cabling
    from clusterplan.sizing.wiring_check import Difference, Pair, Ports
    from clusterplan.sizing.wiring_scope import Selection, Uncovered, WiringScope

# Kinds in the order in which they are best put right.
MEANINGS = {
    EXCHANGED: "two devices stand in each other's place",
    MISNAMED: "a device stands under another name",
    SWAPPED_RAILS: "ports of one node exchanged",
    SWAPPED_NODES: "nodes exchanged on one switch",
    SWAPPED_UPLINKS: "links between switches exchanged",
    SWAPPED_CABLES: "two cables exchanged at one end",
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
    result = compare_wiring(scope.ports, planned, scope.found, scope.switches, scope.one_sided)
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
        notes=tuple(_notes(plan, discovered, scope)),
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


def _finding(difference: Difference, scope: WiringScope, most: int | None) -> WiringFinding:
    ports = scope.ports
    return WiringFinding(
        kind=difference.kind,
        devices="; ".join(difference.devices),
        planned=_planned(difference, ports, most),
        found=_found(difference, ports, most),
        links=difference.links,
        note=_note(difference, scope),
    )


def _planned(difference: Difference, ports: Ports, most: int | None) -> str:
    if difference.kind == EXCHANGED:
        return " and ".join(difference.devices)
    if difference.kind == MISNAMED:
        return difference.devices[0]
    text = _pairs(difference.planned, ports, most)
    if difference.kind == WRONG_SPEED:
        return f"{text} at {difference.planned_gbps:g} Gb/s"
    return text or (_NOTHING if difference.kind == EXTRA else "")


def _found(difference: Difference, ports: Ports, most: int | None) -> str:
    if difference.kind == EXCHANGED:
        return " and ".join(reversed(difference.devices))
    if difference.kind == MISNAMED:
        return difference.devices[1]
    if difference.kind == WRONG_SPEED:
        return f"{difference.found_gbps:g} Gb/s"
    return _pairs(difference.found, ports, most) or _NOTHING


def _pairs(pairs: tuple[Pair, ...], ports: Ports, most: int | None) -> str:
    listed = [f"{_end(ports, a)} - {_end(ports, z)}" for a, z in pairs[:most]]
    more = len(pairs) - len(listed)
    return "; ".join(listed) + (f"; and {more} more" if more else "")


def _end(ports: Ports, end: int) -> str:
    return f"{ports.device[end]} {ports.label[end]}"


def _note(difference: Difference, scope: WiringScope) -> str:
    ports, kind = scope.ports, difference.kind
    first, *others = difference.devices or ("",)
    if kind == EXCHANGED:
        return f"all {difference.links} links agree if the two are exchanged or named wrongly"
    if kind == MISNAMED:
        return f"{difference.links} links agree if {others[0]} is {first}"
    if kind == SWAPPED_RAILS:
        labels = [ports.label[a] for a, _ in difference.planned]
        return f"rails {_listed(labels)} of {first} exchanged at {_listed(others)}"
    if kind in (SWAPPED_NODES, SWAPPED_UPLINKS):
        return f"{_listed(others)} exchanged at {first}"
    if kind == WRONG_PEER:
        idle = [end for end in difference.planned[0] if end not in _linked(difference)]
        return f"nothing at {_end(ports, idle[0])}" if idle else ""
    if kind == EXTRA:
        stage = scope.later.get(frozenset(difference.found[0]))
        return f"planned for stage {stage}" if stage else ""
    if kind == ONE_SIDED:
        return f"only {first} lists it"
    if kind == WRONG_SPEED:
        slower = (difference.found_gbps or 0.0) < (difference.planned_gbps or 0.0)
        return "slower than planned" if slower else "faster than planned"
    return ""


def _linked(difference: Difference) -> set[int]:
    return {a for a, _ in difference.found}


def _listed(names: list[str]) -> str:
    """Names in a sentence, the middle ones of many left out."""
    few = names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} more"]
    return few[0] if len(few) == 1 else f"{', '.join(few[:-1])} and {few[-1]}"
