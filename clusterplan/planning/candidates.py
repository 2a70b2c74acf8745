"""Rows of a long list, sized and scored in chunks: what a worker does, wherever it runs.

The score of a row stands on fixed anchors, so it does not depend on the other rows, on their order
or on who sized it.
"""

from __future__ import annotations

import dataclasses
import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.inputs.candidate_table import RawRow, Table, id_of, row_inputs
from clusterplan.planning.comparison_settings import Options as Comparison
from clusterplan.planning.comparison_settings import Settings
from clusterplan.planning.quick_size import quick_row
from clusterplan.planning.site_data import Evidence, SiteDatum, site_datum, worst_flag
from clusterplan.planning.site_scores import CALENDAR_DATA, Valued, figure_value, total_of
from clusterplan.planning.site_supply import SupplyDate, supply_dates_of
from clusterplan.sizing.cost import HOURS
from clusterplan.sizing.ready_dates import expected_value

if TYPE_CHECKING:
    from clusterplan.core.results.compare import SiteRow
    from clusterplan.core.results.plan import SitePlan
    from clusterplan.core.siting_rows import CriterionDatum
    from clusterplan.inputs.loading import SiteInputs


class Options(NamedTuple):
    """What holds for all rows of a run."""

    table: Table
    rack: str | None
    comparison: Comparison


class Outcome(NamedTuple):
    """One row done: the line of the file, its row of results, or why it is set aside."""

    line: int
    id: str
    row: dict[str, Any] | None
    problems: tuple[str, ...] = ()


def size_chunk(rows: list[RawRow], options: Options) -> list[Outcome]:
    """Size and score some rows. A row that cannot be planned with is set aside, never dropped."""
    settings = Settings(options.comparison)
    return [size_row(row, options, settings) for row in rows]


def size_row(raw: RawRow, options: Options, settings: Settings) -> Outcome:
    """Size and score one row."""
    name = id_of(options.table, raw)
    try:
        inputs = row_inputs(
            options.table,
            raw,
            fields=catalog.design_fields(),
            regions=catalog.regions(),
            states=catalog.us_states(),
            rack=options.rack,
        )
        inputs = dataclasses.replace(inputs, screen=options.comparison.screen)
        row = quick_row(inputs)
    except InputError as error:
        return Outcome(raw.line, name, None, tuple(str(problem) for problem in error.problems))
    except InfeasibleError as error:
        return Outcome(raw.line, name, None, (str(error),))
    score, coverage = score_of(inputs, row, settings)
    values = {item.name: getattr(row, item.name) for item in dataclasses.fields(row)}
    return Outcome(raw.line, row.id, values | {"score": score, "coverage": coverage})


def score_of(inputs: SiteInputs, row: SiteRow, settings: Settings) -> tuple[float, float]:
    """Score in 0..1 and the weight of what is known, on the criteria and anchors of a comparison.

    The calendar of a comparison is drawn; here each step comes on its filed date, and an uncertain
    one counts by its confidence. Everything else is valued alike.
    """
    evidence = Evidence(inputs, _as_plan(row) if row.racks else None, settings)
    data = tuple(_valued(item, evidence, row) for item in settings.data)
    result = total_of(data, settings)
    return result.score, result.coverage


def _valued(item: CriterionDatum, evidence: Evidence, row: SiteRow) -> Valued:
    settings = evidence.settings
    if item.id not in CALENDAR_DATA:
        datum = site_datum(item.id, evidence)
        if datum.value is None:
            return Valued(item, datum, None)
        return Valued(item, datum, figure_value(item, datum.value, settings))
    if not row.racks:
        return Valued(item, SiteDatum(), None)
    steps = [step for step in supply_dates_of(evidence.inputs, settings) if step.confidence > 0.0]
    if not steps:
        return Valued(item, SiteDatum(), None)
    sure = tuple(sorted({step.confidence for step in steps}, reverse=True))
    values = []
    for level in sure:
        chosen = [step for step in steps if step.confidence >= level and step.months is not None]
        values.append(figure_value(item, _as_filed(chosen, row, settings)[item.id], settings))
    flag = worst_flag(*(step.verified for step in steps))
    value = expected_value(sure, tuple(values))
    return Valued(item, SiteDatum(value, source="dates as filed", verified=flag), value)


def _as_filed(steps: list[SupplyDate], row: SiteRow, settings: Settings) -> dict[str, float]:
    """Figures of the calendar with each step on its filed date."""
    pue = row.pue_peak or 1.0
    dated = sorted((step.months[1], place) for place, step in enumerate(steps) if step.months)
    first, horizon = settings.number("first_phase"), settings.number("horizon")
    power_at, years, before, plants, grid = math.inf, 0.0, 0.0, 0.0, 0.0
    for month, place in dated:
        part = steps[place].part
        grid = max(grid, part.grid_mw)
        plants += part.stated_mw + max(0.0, part.gross_mw - part.largest_mw)
        power = min(grid + plants, row.facility_power_mw)
        if power >= first * (1.0 - 1e-9):
            power_at = min(power_at, max(0.0, month))
        years += max(0.0, power - before) / pue * max(0.0, horizon - max(0.0, month)) / 12_000.0
        before = max(before, power)
    return {"first_power": power_at, "gw_years": years, "expansion": before}


def _as_plan(row: SiteRow) -> SitePlan:
    """What the criteria ask of a plan, from a row: its summary and typical IT power."""
    wue = typical = None
    if row.it_typical_mw:
        typical = row.it_typical_mw
        if row.water_m3_per_year is not None:
            wue = row.water_m3_per_year / (typical * HOURS)
    summary = SimpleNamespace(
        wue_l_per_kwh=wue,
        facility_power_mw=row.facility_power_mw,
        pue_annual=row.pue_annual,
        pue_peak=row.pue_peak,
    )
    plan = SimpleNamespace(summary=summary, power=SimpleNamespace(it_typical_mw=typical or 0.0))
    return cast("SitePlan", plan)
