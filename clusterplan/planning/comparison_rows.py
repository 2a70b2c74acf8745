"""The tables of a comparison: gates, criteria, data, supply steps, calendar, shares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from clusterplan.core.results import compare as results
from clusterplan.inputs.datum import value_of
from clusterplan.planning.site_data import figure_text, worst_flag
from clusterplan.planning.site_orders import SHELL_START
from clusterplan.sizing import ready_dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.ranked_site import RankedSite
    from clusterplan.planning.site_calendar import Calendar, Outlook
    from clusterplan.planning.site_doubt import Doubt
    from clusterplan.planning.site_scores import Valued
    from clusterplan.planning.site_supply import SupplyDate

COUNTED_ZERO = "unknown, counted 0"


def gate_rows(order: Sequence[RankedSite]) -> tuple[results.GateRow, ...]:
    """Every gate of every site."""
    return tuple(
        results.GateRow(
            site=site.id,
            gate=gate.name,
            verdict=gate.verdict,
            datum=gate.datum,
            threshold=gate.threshold,
            closes=gate.closes,
            verified=gate.verified,
        )
        for site in order
        for gate in site.gates
    )


def criterion_rows(
    order: Sequence[RankedSite], settings: Settings
) -> tuple[results.CriterionRow, ...]:
    """Every criterion of every site, with the points that add up to the score."""
    rows = []
    for site in order:
        for place, criterion in enumerate(settings.criteria):
            data = [item for item in site.score.data if item.row.criterion == criterion.id]
            known = [item for item in data if item.value is not None]
            rows.append(
                results.CriterionRow(
                    site=site.id,
                    criterion=criterion.id,
                    weight=settings.weights[criterion.id],
                    scaled=site.score.values[place],
                    known_share=site.score.known[place],
                    points=site.score.points[place],
                    shown=shown_of(data),
                    verified=worst_flag(*(item.datum.verified for item in known))
                    if known
                    else "unknown",
                    screened=any(item.datum.screened for item in known),
                )
            )
    return tuple(rows)


def shown_of(data: Sequence[Valued]) -> str:
    """What a cell shows: the figure of a criterion of one datum, else the known share."""
    known = [item for item in data if item.value is not None]
    if not known:
        return COUNTED_ZERO
    if len(data) == 1:
        return figure_words(data[0])
    return "; ".join(f"{item.row.name} {figure_words(item)}" for item in known)


def figure_words(item: Valued) -> str:
    """A figure with its unit, in words where it stands for words."""
    datum, unit = item.datum, item.row.unit
    if item.value is None:
        return COUNTED_ZERO
    if datum.shown or datum.value is None:
        return datum.shown
    return f"{figure_text(datum.value)} {unit}".rstrip()


def datum_rows(order: Sequence[RankedSite], settings: Settings) -> tuple[results.DatumRow, ...]:
    """Every datum of every site with its anchors, source and flag."""
    rows = []
    for site in order:
        for item in site.score.data:
            worst, best = settings.anchors[item.row.id]
            known = item.value is not None
            figure = item.datum.value
            rows.append(
                results.DatumRow(
                    id=f"{site.id}.{item.row.id}",
                    site=site.id,
                    criterion=item.row.criterion,
                    datum=item.row.id,
                    share=item.row.share,
                    value=figure if figure is not None and math.isfinite(figure) else None,
                    measured_in=item.row.unit,
                    shown=figure_words(item),
                    worst=worst,
                    best=best,
                    rule="log" if item.row.log else "linear",
                    scaled=item.value,
                    source=item.datum.source,
                    verified=item.datum.verified if known else "unknown",
                    note=_note(item),
                )
            )
    return tuple(rows)


def _note(item: Valued) -> str:
    if item.datum.screened:
        return "regional default"
    if item.value is None and item.datum.offered is not None:
        offered = item.datum.offered
        words = figure_text(offered) if isinstance(offered, int | float) else offered
        return f"regional figure {words} not counted without --screen"
    return ""


def step_rows(order: Sequence[RankedSite], settings: Settings) -> tuple[results.StepRow, ...]:
    """Every supply step of every site and when its power is energised."""
    rows = []
    for site in order:
        prospects = site.prospects
        for step in () if prospects is None else prospects.steps:
            mw = _level_of(prospects, step) if prospects is not None else 0.0
            found = None if step.confidence <= 0.0 or prospects is None else prospects.counted
            within = found is not None and site.plan is not None
            p50 = p90 = None
            critical = "" if step.confidence > 0.0 else "announced only"
            reached = None
            if within and found is not None and site.plan is not None:
                reached = min(mw, site.plan.summary.facility_power_mw)
                dates = found.date_of(reached)
                p50, p90 = (_day(ready_dates.quantile(dates, p), settings) for p in (0.5, 0.9))
                last = found.critical(reached)
                critical = "" if last is None else f"{last[0]} ({100 * last[1]:.0f} %)"
                dated = SHELL_START in found.works.orders.placed
                if last is not None and step.status in ("energised", "running") and not dated:
                    critical += ", built as if new"
            filed = None if step.months is None else settings.day_at(step.months[1]).isoformat()
            rows.append(
                results.StepRow(
                    site=site.id,
                    step=step.name,
                    status=step.status.replace("_", " "),
                    confidence=step.confidence,
                    supply_mw=mw,
                    filed=filed,
                    plan_mw=reached,
                    energised_p50=p50,
                    energised_p90=p90,
                    critical=critical,
                )
            )
    return tuple(rows)


def _level_of(prospects: Outlook, step: SupplyDate) -> float:
    """MW in service with the step and all that come before it or with it."""
    moment = math.inf if step.months is None else step.months[1]
    there = [
        item
        for item in prospects.steps
        if item is step or (item.months is not None and item.months[1] <= moment)
    ]
    grid = max((item.part.grid_mw for item in there if not item.onsite), default=0.0)
    if not step.onsite:
        grid = step.part.grid_mw
    return grid + _onsite_mw(there)


def _onsite_mw(steps: Sequence[SupplyDate]) -> float:
    """Firm MW of the plants among some steps, the largest unit out."""
    gross = sum(step.part.gross_mw for step in steps)
    largest = max((step.part.largest_mw for step in steps), default=0.0)
    return sum(step.part.stated_mw for step in steps) + max(0.0, gross - largest)


def _day(month: float, settings: Settings) -> str | None:
    return None if math.isinf(month) else settings.day_at(month).isoformat()


def calendar_rows(
    order: Sequence[RankedSite], settings: Settings
) -> tuple[results.CalendarRow, ...]:
    """Every month of every site up to the horizon."""
    months = range(int(settings.number("horizon")) + 1)
    rows = []
    for site in order:
        prospects = site.prospects
        found = None if prospects is None else prospects.counted
        if prospects is None or found is None:
            continue
        for month in months:
            rows.append(_month(site, prospects, found, month, settings))
    return tuple(rows)


def _month(
    site: RankedSite, prospects: Outlook, found: Calendar, month: int, settings: Settings
) -> results.CalendarRow:
    works = found.works
    on = ready_dates.energised_mw(found.blocks_mw, found.on, month)
    here = found.delivered_mw(month)
    each = works.accelerators / works.it_mw
    p50, p90 = (-ready_dates.quantile(-on, share) for share in (0.5, 0.9))
    waiting = here - on
    stranded = [int(each * ready_dates.quantile(waiting, share) + 1e-6) for share in (0.5, 0.9)]
    demand = _demand(site, month, settings)
    firm, nonfirm, announced = _supply_at(prospects, month)
    energised = p50 * works.pue_peak
    return results.CalendarRow(
        site=site.id,
        month=month,
        day=settings.day_at(month).isoformat(),
        supply_firm_mw=firm,
        supply_nonfirm_mw=nonfirm,
        announced_mw=announced,
        energised_mw=energised,
        energised_p90_mw=p90 * works.pue_peak,
        accelerators=int(each * p50 + 1e-6),
        stranded_p50=stranded[0],
        stranded_p90=stranded[1],
        demand_mw=demand,
        shortfall_mw=None if demand is None else max(0.0, demand - energised),
    )


def _demand(site: RankedSite, month: int, settings: Settings) -> float | None:
    """Facility MW that the phases of the site, else its target, want by a month."""
    inputs, plan = site.evidence.inputs.site, site.plan
    ratio = 1.0 if plan is None else plan.summary.pue_peak or 1.0
    wanted = []
    for phase in inputs.phases:
        facility = value_of(phase.facility_mw)
        it = value_of(phase.it_mw)
        mw = facility if facility is not None else None if it is None else it * ratio
        if mw is not None:
            wanted.append((settings.month_of(phase.date.value), mw))
    if not inputs.phases and inputs.target is not None and inputs.target.date is not None:
        wanted.append(
            (settings.month_of(inputs.target.date.value), inputs.target.it_mw.value * ratio)
        )
    if not wanted:
        return None
    return max((mw for when, mw in wanted if when <= month), default=0.0)


def _supply_at(prospects: Outlook, month: int) -> tuple[float, float, float]:
    """Firm, non-firm and announced MW by their filed dates."""
    there = [s for s in prospects.steps if s.months is not None and max(0.0, s.months[1]) <= month]
    counted = [step for step in there if step.confidence > 0.0]

    def firm(steps: Sequence[SupplyDate]) -> float:
        return max((step.part.grid_mw for step in steps), default=0.0) + _onsite_mw(steps)

    nonfirm = max((step.nonfirm_mw for step in counted), default=0.0)
    return firm(counted), nonfirm, firm(there) - firm(counted)


def doubt_rows(
    order: Sequence[RankedSite], settings: Settings, doubt: Doubt | None
) -> dict[str, Any]:
    """Shares of places, pairs and winning weights; empty where nothing is drawn."""
    if doubt is None:
        return {"rank_shares": (), "pairs": (), "winning_weights": ()}
    return {
        "rank_shares": tuple(_rank_shares(doubt)),
        "pairs": tuple(
            results.PairRow(site=one.id, other=other.id, share=doubt.free.beats[i][j])
            for i, one in enumerate(doubt.drawn)
            for j, other in enumerate(doubt.drawn)
            if i != j
        ),
        "winning_weights": tuple(
            results.WinningWeightRow(site=site.id, criterion=row.id, weight=weight)
            for site, means in zip(doubt.drawn, doubt.free.winning_weights, strict=True)
            for row, weight in zip(settings.criteria, means or (), strict=bool(means))
        ),
    }


def _rank_shares(doubt: Doubt) -> Iterator[results.RankShareRow]:
    for place, site in enumerate(doubt.drawn):
        for rank in range(len(doubt.drawn)):
            yield results.RankShareRow(
                site=site.id,
                place=rank + 1,
                share=doubt.gated.ranks[place][rank],
                share_without_gates=doubt.free.ranks[place][rank],
            )
