"""Rows of a long list, sized, gated and scored in chunks: what a worker does, wherever it runs.

The score of a row stands on fixed anchors and its gates on its own data, so neither depends on the
other rows, on their order or on who sized it.
"""

from __future__ import annotations

import dataclasses
import gc
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.inputs.candidate_table import RawRow, Table, id_of, row_inputs
from clusterplan.planning.comparison_settings import Options as Comparison
from clusterplan.planning.comparison_settings import Settings
from clusterplan.planning.quick_size import quick_plan
from clusterplan.planning.site_calendar import works_of
from clusterplan.planning.site_data import Evidence, SiteDatum, site_datum, worst_flag
from clusterplan.planning.site_gates import PASS, gates_of, verdict_words
from clusterplan.planning.site_orders import orders_of
from clusterplan.planning.site_scores import (
    CALENDAR_DATA,
    Valued,
    figure_value,
    supplied_mw,
    totals_of,
)
from clusterplan.planning.site_supply import SupplyDate, supply_dates_of
from clusterplan.planning.supply_months import Planned, RowSupply
from clusterplan.planning.typical_calendar import typical_dates
from clusterplan.sizing.cost import HOURS
from clusterplan.sizing.ready_dates import expected_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.results.compare import SiteRow
    from clusterplan.core.results.plan import SitePlan
    from clusterplan.core.siting_rows import CriterionDatum
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.site_calendar import Works
    from clusterplan.planning.site_gates import Gate
    from clusterplan.sizing.draws import Floats
    from clusterplan.sizing.site_value import WeightedScore


class Options(NamedTuple):
    """What holds for all rows of a run."""

    table: Table
    rack: str | None
    comparison: Comparison


class Outcome(NamedTuple):
    """One row done: the line of the file, its row of results, or why it is set aside.

    verdicts: (gate, verdict) of a row of results.
    """

    line: int
    id: str
    row: dict[str, Any] | None
    problems: tuple[str, ...] = ()
    verdicts: tuple[tuple[str, str], ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether every gate is passed."""
        return self.row is not None and all(verdict == PASS for _, verdict in self.verdicts)


def size_chunk(rows: list[RawRow], options: Options) -> list[Outcome]:
    """Size, gate and score some rows.

    A row that cannot be planned with is set aside, never dropped.
    """
    settings = Settings(options.comparison)
    streams: dict[str, Floats] = {}
    with _few_collections():
        return [size_row(row, options, settings, streams) for row in rows]


@contextmanager
def _few_collections() -> Iterator[None]:
    """Collect cycles less often: rows make few, and what is kept between rows is much."""
    before = gc.get_threshold()
    gc.set_threshold(100 * before[0], before[1], before[2])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def inputs_of(raw: RawRow, options: Options) -> SiteInputs:
    """The inputs of a row under the options of the run. Raises InputError."""
    inputs = row_inputs(
        options.table,
        raw,
        fields=catalog.design_fields(),
        regions=catalog.regions(),
        states=catalog.us_states(),
        rack=options.rack,
    )
    if not options.comparison.screen:
        return inputs
    return dataclasses.replace(inputs, screen=True)


def size_row(
    raw: RawRow, options: Options, settings: Settings, streams: dict[str, Floats]
) -> Outcome:
    """Size, gate and score one row; `streams` keeps uniforms from row to row."""
    name = id_of(options.table, raw)
    try:
        inputs = inputs_of(raw, options)
        row, has_cdus = quick_plan(inputs)
    except InputError as error:
        return Outcome(raw.line, name, None, tuple(str(problem) for problem in error.problems))
    except InfeasibleError as error:
        return Outcome(raw.line, name, None, (str(error),))
    steps = supply_dates_of(inputs, settings) if row.racks else ()
    plan = _as_plan(row, has_cdus=has_cdus) if row.racks else None
    evidence = Evidence(inputs, plan, settings)
    total, sure = scores_of(evidence, row, steps)
    verdicts = tuple((gate.name, gate.verdict) for gate in row_gates(evidence, row, steps, streams))
    values = vars(row) | {
        "score": total.score,
        "coverage": total.coverage,
        "best_case_score": total.best_case,
        "known_only_score": total.known_only,
        "verified_only_score": sure.score,
        "gates": verdict_words(verdicts),
        "latitude": inputs.site.latitude_deg.value,
        "longitude": inputs.site.longitude_deg.value,
    }
    return Outcome(raw.line, row.id, values, verdicts=verdicts)


def row_gates(
    evidence: Evidence,
    row: SiteRow,
    steps: tuple[SupplyDate, ...],
    streams: dict[str, Floats],
) -> tuple[Gate, ...]:
    """The gates of a row, decided as those of a comparison."""
    if not row.racks or row.it_power_mw is None:
        return gates_of(evidence, None)
    pue = row.pue_peak or 1.0
    there: tuple[float, ...] = ()
    if evidence.plan is not None and "deliveries" in evidence.inputs.design:
        orders = orders_of(evidence.inputs, evidence.plan)
        there = tuple(item.it_mw * pue for item in orders.deliveries)
    planned = Planned(row.it_power_mw, pue, there)
    supply = RowSupply(steps, planned, evidence.inputs, evidence.settings, streams)
    return gates_of(evidence, supply)


def scores_of(
    evidence: Evidence, row: SiteRow, steps: tuple[SupplyDate, ...]
) -> tuple[WeightedScore, WeightedScore]:
    """Score on the criteria and anchors of a comparison, and that of verified data alone.

    The calendar of a comparison is drawn; here every part has its typical time, and an uncertain
    step counts by its confidence. Everything else is valued alike.
    """
    settings = evidence.settings
    counted = [step for step in steps if step.confidence > 0.0]
    sure = tuple(sorted({step.confidence for step in counted}, reverse=True))
    figures = []
    if evidence.plan is not None and counted:
        works = works_of(evidence.inputs, evidence.plan)
        figures = [_dated(works, counted, level, settings) for level in sure]
    flag = worst_flag(*(step.verified for step in counted)) if counted else ""
    data = []
    for item in settings.data:
        if item.id not in CALENDAR_DATA:
            data.append(_from_files(item, evidence))
        elif not figures:
            data.append(Valued(item, SiteDatum(), None))
        else:
            values = tuple([figure_value(item, one[item.id], settings) for one in figures])
            value = expected_value(sure, values)
            found = SiteDatum(value, source="typical times", verified=flag)
            data.append(Valued(item, found, value))
    return totals_of(tuple(data), settings)


def _from_files(item: CriterionDatum, evidence: Evidence) -> Valued:
    datum = site_datum(item.id, evidence)
    if datum.value is None:
        return Valued(item, datum, None)
    return Valued(item, datum, figure_value(item, datum.value, evidence.settings))


def _dated(
    works: Works, steps: list[SupplyDate], sure: float, settings: Settings
) -> dict[str, float]:
    """Figures of the typical calendar with the steps that are so sure."""
    chosen = tuple([step for step in steps if step.confidence >= sure and step.is_dated])
    found = typical_dates(works, chosen, settings)
    first, pue = settings.number("first_phase"), works.pue_peak
    return {
        "first_power": found.month_of(first / pue),
        "gw_years": found.gw_years(settings.number("horizon")),
        "expansion": supplied_mw(chosen, sure, works.facility_mw),
    }


def _as_plan(row: SiteRow, *, has_cdus: bool) -> SitePlan:
    """What criteria and gates ask of a plan, from a row."""
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
        limited_by=row.limited_by,
        racks=row.racks,
        accelerators=row.accelerators,
        it_power_mw=row.it_power_mw,
    )
    plan = SimpleNamespace(
        summary=summary,
        power=SimpleNamespace(it_typical_mw=typical or 0.0),
        cooling=SimpleNamespace(
            water_m3_per_year=row.water_m3_per_year,
            water_peak_l_per_s=row.water_peak_l_per_s,
            heat_rejection=row.heat_rejection,
            cdus=int(has_cdus),
        ),
        substation=SimpleNamespace(hv_kv=row.hv_kv or 0.0),
        floor=SimpleNamespace(acres_needed_acres=row.acres_needed_acres),
    )
    return cast("SitePlan", plan)
