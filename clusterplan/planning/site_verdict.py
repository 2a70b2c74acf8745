"""The verdict: one paragraph of plain words, every figure of which stands in the tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan.planning.comparison_rows import figure_words
from clusterplan.planning.site_data import figure_text
from clusterplan.planning.site_gates import PASS
from clusterplan.sizing import ready_dates, stability

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusterplan.core.results.compare import ComparisonSection
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.ranked_site import RankedSite
    from clusterplan.planning.site_doubt import Doubt

_REVIEWED = 3  # so many sites' open gates are told
_GATES_TOLD = 3


def verdict_of(
    order: Sequence[RankedSite],
    settings: Settings,
    doubt: Doubt | None,
    section: ComparisonSection,
) -> str:
    """The paragraph, in the order in which a land developer asks."""
    first = order[0]
    sentences = [_opening(order, section), _leader(order, settings, doubt)]
    if len(order) > 1:
        sentences.append(_why(first, order[1], settings))
    sentences.append(_power(first, settings))
    if len(order) > 1:
        sentences += [f"Swap: {section.swap}.", f"Break-even: {section.break_even}."]
    sentences += list(_open_gates(order))
    sentences.append(_ground(first))
    if len(order) > 1:
        sentences.append(_cross_checks(order))
    return " ".join(sentence for sentence in sentences if sentence)


def _opening(order: Sequence[RankedSite], section: ComparisonSection) -> str:
    count = len(order)
    what = f"{count} site{'s' if count > 1 else ''} compared"
    by = f"weights {section.preset}" if section.preset != "weights file" else "a weights file"
    screen = ", gaps filled with regional defaults" if section.screen else ""
    clear = section.clear_count
    gates = "none passes" if clear == 0 else f"{clear} pass" + ("es" if clear == 1 else "")
    return f"{what} by {by} up to {section.horizon}{screen}; {gates} all gates."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _score(site: RankedSite) -> str:
    return f"{sum(site.score.points)} of 100 points"


def _leader(order: Sequence[RankedSite], settings: Settings, doubt: Doubt | None) -> str:
    first = order[0]
    name = f"{first.id} stands first with {_score(first)}"
    equals = [site.id for site in order[1:] if site.rank == first.rank]
    if equals:
        name += f", level with {', '.join(equals)}"
    if doubt is None:
        return f"{name}; nothing was drawn, so how sure this is stays open."
    share = doubt.first_share(first) or 0.0
    clear = [site for site in order if site.is_clear]
    if len(clear) == 1 and len(order) > 1:
        free = doubt.free_share(first) or 0.0
        return (
            f"{name}: it alone passes the gates, and that decides, not the score"
            f" (first in {_percent(free)} of the draws without gates)."
        )
    if share >= settings.number("clear_share"):
        return f"{name}, and is first in {_percent(share)} of the draws."
    ids = [site.id for site in doubt.drawn]
    tied = stability.contenders(doubt.gated.first, ids, settings.number("covering_share"))
    names = [f"{ids[place]} ({_percent(doubt.gated.first[place])})" for place in tied]
    return (
        f"There is no clear winner: {', '.join(names)} share the first place in"
        f" {_percent(settings.number('covering_share'))} of the draws; {name}."
    )


def _why(first: RankedSite, second: RankedSite, settings: Settings) -> str:
    """The two criteria that put the first ahead of the second, and the one against it."""
    if first.rank == second.rank and first.score.values == second.score.values:
        return f"{second.id} equals it in every criterion."
    leads = []
    for place, row in enumerate(settings.criteria):
        one, other = first.score.values[place] or 0.0, second.score.values[place] or 0.0
        leads.append((settings.weights[row.id] * (one - other), _lower(row.name), row.id))
    ahead = sorted((item for item in leads if item[0] > 5e-4), reverse=True)[:2]
    behind = min(leads)
    against = ""
    if behind[0] < -5e-4:
        against = f"{behind[1]} speaks most against it ({_cells(first, second, behind[2])})"
    if not ahead:
        gates = " because its gates are open" if first.is_clear and not second.is_clear else ""
        text = f"{second.id} follows{gates}"
        return f"{text}; {against}." if against else f"{text}."
    reasons = " and ".join(f"{name} ({_cells(first, second, key)})" for _, name, key in ahead)
    text = f"Ahead of {second.id} it is by {reasons}"
    return f"{text}; {against}." if against else f"{text}."


def _lower(name: str) -> str:
    """A name inside a sentence; IT stays IT."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def _cells(first: RankedSite, second: RankedSite, criterion: str) -> str:
    """The datum of a criterion that differs most, at both sites."""
    pairs = [
        (item, other)
        for item, other in zip(first.score.data, second.score.data, strict=True)
        if item.row.criterion == criterion
    ]
    item, other = max(
        pairs, key=lambda p: p[0].row.share * abs((p[0].value or 0.0) - (p[1].value or 0.0))
    )
    what = f"{item.row.name} " if len(pairs) > 1 else ""
    return f"{what}{figure_words(item)} against {figure_words(other)}"


def _power(site: RankedSite, settings: Settings) -> str:
    need = settings.number("first_phase")
    found = None if site.prospects is None else site.prospects.counted
    if found is None:
        return f"No supply step of {site.id} counts, so it has no date."
    dates = found.date_of(need)
    p50, p90 = (ready_dates.quantile(dates, share) for share in (0.5, 0.9))
    if math.isinf(p50):
        if site.plan is not None and site.plan.summary.facility_power_mw < need:
            mw = site.plan.summary.facility_power_mw
            return (
                f"Its {figure_text(mw)} MW never reach the first phase of {figure_text(need)} MW."
            )
        return f"It never has {figure_text(need)} MW in half of the draws."
    late = "never" if math.isinf(p90) else f"{settings.day_at(p90)}"
    text = f"Its first {figure_text(need)} MW are on by {settings.day_at(p50)} (P50), {late} (P90)"
    critical = found.critical(need)
    if critical is None:
        return f"{text}."
    verb = "are" if critical[0].endswith("s") else "is"
    return f"{text}; {critical[0]} {verb} critical in {_percent(critical[1])} of the draws."


def _open_gates(order: Sequence[RankedSite]) -> Iterator[str]:
    """What the first three do not pass and what would close it."""
    for site in order[:_REVIEWED]:
        gates = [gate for gate in site.gates if gate.verdict != PASS]
        if not gates:
            continue
        gates.sort(key=lambda gate: gate.verdict != "fail")
        told = [
            f"{gate.name} ({gate.verdict}: {gate.datum}; needs {gate.closes})"
            for gate in gates[:_GATES_TOLD]
        ]
        more = len(gates) - _GATES_TOLD
        rest = f" and {more} more" if more > 0 else ""
        yield f"{site.id} does not pass {', '.join(told)}{rest}."


def _ground(site: RankedSite) -> str:
    total = site.score.total
    share = 0.0 if total.score <= 0.0 else (total.score - site.score.verified_only) / total.score
    text = f"{_percent(total.coverage)} of the weight is known for {site.id}"
    word = ", which is more than a decision should rest on" if share > 0.3 else ""
    return f"{text}; {_percent(share)} of its points rest on data that are not verified{word}."


def _cross_checks(order: Sequence[RankedSite]) -> str:
    """Whether the cross-checks name the same first, within the leader's gate class."""
    first = order[0]
    same = [site for site in order if site.is_clear == first.is_clear]
    by_topsis = max(same, key=lambda site: (round(site.score.topsis, 9), site is first))
    by_promethee = max(same, key=lambda site: (round(site.score.promethee, 9), site is first))
    if by_topsis is first and by_promethee is first:
        return "TOPSIS and PROMETHEE name the same first."
    words = []
    for name, found in (("TOPSIS", by_topsis), ("PROMETHEE", by_promethee)):
        words.append(f"{name} names {'the same' if found is first else found.id}")
    return " and ".join(words) + " first."
