"""Values, points and score of a site on fixed anchors; the other sites never enter."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.planning.site_data import SiteDatum, site_datum, worst_flag
from clusterplan.sizing import ready_dates, site_value

if TYPE_CHECKING:
    from clusterplan.core.siting_rows import CriterionDatum
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.site_calendar import Calendar, Outlook
    from clusterplan.planning.site_data import Evidence
    from clusterplan.planning.site_supply import SupplyDate
    from clusterplan.sizing.site_value import WeightedScore

CALENDAR_DATA = ("first_power", "gw_years", "expansion")


class Valued(NamedTuple):
    """One datum with its value in 0..1, None unknown."""

    row: CriterionDatum
    datum: SiteDatum
    value: float | None


class Score(NamedTuple):
    """The score of a site and what it is made of; criteria in the order of the settings.

    values: of each criterion, None where no datum of it is known; known: its known share;
    verified_only: the score in which data flagged `false` count 0.
    """

    data: tuple[Valued, ...]
    values: tuple[float | None, ...]
    known: tuple[float, ...]
    points: tuple[int, ...]
    total: WeightedScore
    verified_only: float
    topsis: float
    promethee: float


def calendar_figures(
    found: Calendar | None, settings: Settings, facility_mw: float
) -> dict[str, float]:
    """P50 figures of one calendar, by datum; all at their worst where nothing is supplied."""
    if found is None:
        return {"first_power": math.inf, "gw_years": 0.0, "expansion": 0.0}
    horizon = settings.number("horizon")
    return {
        "first_power": ready_dates.quantile(found.date_of(settings.number("first_phase")), 0.5),
        # reached in half of the draws
        "gw_years": ready_dates.gw_years_reached(found.blocks_mw, found.on, horizon, 0.5),
        "expansion": facility_mw,
    }


def supplied_mw(steps: tuple[SupplyDate, ...], confidence: float, plan_facility_mw: float) -> float:
    """Facility MW of the steps at least so sure, at most that of the plan."""
    chosen = [s for s in steps if s.confidence >= confidence - 1e-9 and s.is_dated]
    grid = max((step.part.grid_mw for step in chosen), default=0.0)
    gross = sum(step.part.gross_mw for step in chosen)
    largest = max((step.part.largest_mw for step in chosen), default=0.0)
    stated = sum(step.part.stated_mw for step in chosen)
    return min(grid + stated + max(0.0, gross - largest), plan_facility_mw)


def figure_value(row: CriterionDatum, figure: float, settings: Settings) -> float:
    """Value of a figure on the anchors in force; never (infinity) is the worst."""
    if math.isinf(figure):
        return 0.0
    found = site_value.criterion_value(figure, settings.anchors[row.id], log=row.log)
    return 0.0 if found is None else found


def score_site(evidence: Evidence, prospects: Outlook | None) -> Score:
    """The score of one site at the central values."""
    settings = evidence.settings
    data = tuple(valued(row, evidence, prospects) for row in settings.data)
    return scored(data, settings)


def totals_of(data: tuple[Valued, ...], settings: Settings) -> tuple[WeightedScore, WeightedScore]:
    """The score with its coverage, and the one in which data flagged `false` count 0."""
    fine = tuple(settings.weights[item.row.criterion] * item.row.share for item in data)
    sure = tuple(None if item.datum.verified == "false" else item.value for item in data)
    return (
        site_value.weighted_score(fine, tuple(item.value for item in data)),
        site_value.weighted_score(fine, sure),
    )


def scored(data: tuple[Valued, ...], settings: Settings) -> Score:
    """The score from the values of the data."""
    weights = tuple(settings.weights[row.id] for row in settings.criteria)
    values: list[float | None] = []
    known: list[float] = []
    for row in settings.criteria:
        parts = [item for item in data if item.row.criterion == row.id and item.value is not None]
        known.append(math.fsum(item.row.share for item in parts))
        values.append(
            math.fsum(item.row.share * (item.value or 0.0) for item in parts) if parts else None
        )
    total, sure = totals_of(data, settings)
    return Score(
        data,
        tuple(values),
        tuple(known),
        site_value.points(weights, values),
        total,
        sure.score,
        site_value.topsis_closeness(weights, tuple(values)),
        site_value.promethee_net_flow(weights, tuple(values)),
    )


def valued(row: CriterionDatum, evidence: Evidence, prospects: Outlook | None) -> Valued:
    """One datum of a site with its value from 0 to 1."""
    if row.id in CALENDAR_DATA:
        return _from_calendar(row, evidence, prospects)
    datum = site_datum(row.id, evidence)
    if datum.value is None:
        return Valued(row, datum, None)
    return Valued(row, datum, figure_value(row, datum.value, evidence.settings))


def _from_calendar(row: CriterionDatum, evidence: Evidence, prospects: Outlook | None) -> Valued:
    """A datum of the calendar: the value expected over the steps that may not come."""
    if evidence.plan is None or prospects is None or not prospects.steps:
        return Valued(row, SiteDatum(), None)
    facility = evidence.plan.summary.facility_power_mw
    figures = [
        calendar_figures(found, evidence.settings, supplied_mw(prospects.steps, sure, facility))[
            row.id
        ]
        for sure, found in zip(prospects.confidences, prospects.calendars, strict=True)
    ]
    values = tuple(figure_value(row, figure, evidence.settings) for figure in figures)
    value = ready_dates.expected_value(prospects.confidences, values)
    flag = worst_flag(*(step.verified for step in prospects.steps if step.confidence > 0.0))
    shown = _levels(row, figures, prospects.confidences)
    main = figures[-1] if figures else math.inf
    datum = SiteDatum(
        main,
        shown,
        "calendar of the plan",
        flag,
        screened=any(step.screened for step in prospects.steps),
    )
    return Valued(row, datum, value)


def _levels(row: CriterionDatum, figures: list[float], confidences: tuple[float, ...]) -> str:
    """The figure at each confidence, the surest first: "26 months at confidence 0.9, never"."""
    if not figures:
        return "no step that counts"
    digits = 2 if row.id == "gw_years" else 0
    words: list[str] = []
    last, unit = None, f" {row.unit}"
    for sure, figure in zip(confidences, figures, strict=True):
        text = "never" if math.isinf(figure) else f"{figure:,.{digits}f}"
        if text != last:
            named = text if text == "never" else f"{text}{unit}"
            unit = unit if text == "never" else ""
            words.append(named if sure >= 1.0 else f"{named} at confidence {sure:g}")
        last = text
    return ", ".join(words)
