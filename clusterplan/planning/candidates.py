"""Rows of a long list, sized and scored in chunks: what a worker does, wherever it runs.

The score of a row stands on fixed anchors, so it does not depend on the other rows, on their order
or on who sized it.
"""

from __future__ import annotations

import dataclasses
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import ClusterplanError, InfeasibleError, InputError
from clusterplan.inputs.candidate_table import RawRow, Table, row_inputs
from clusterplan.inputs.datum import value_of
from clusterplan.planning.quick_size import quick_row
from clusterplan.planning.supply_mix import conditions, regional_price
from clusterplan.sizing.cost import grid_price_usd_per_mwh
from clusterplan.sizing.site_value import criterion_value, weighted_score

if TYPE_CHECKING:
    from clusterplan.core.results.compare import SiteRow
    from clusterplan.inputs.loading import SiteInputs

DAYS_PER_MONTH = 30.4375
USUAL_LOAD_FACTOR = 0.85
# criterion: weight of the preset `training`, anchors (worst, best), logarithmic
CRITERIA: dict[str, tuple[float, tuple[float, float], bool]] = {
    "first_power_months": (0.20, (72.0, 12.0), False),
    "gw_years": (0.20, (0.0, 2.2), False),
    "power_price_usd_per_mwh": (0.14, (150.0, 35.0), False),
    "expansion_mw": (0.08, (100.0, 5000.0), True),
    "water_l_per_kwh": (0.06, (1.8, 0.0), False),
    "carbon_g_per_kwh": (0.03, (900.0, 0.0), False),
}
# permits, reliability, connectivity, taxes, skills: no column of a list tells them
UNTOLD_WEIGHT = 1.0 - sum(entry[0] for entry in CRITERIA.values())


class Options(NamedTuple):
    """What holds for all rows of a run."""

    table: Table
    rack: str | None
    screen: bool
    start: date
    horizon_months: float = 60.0


class Outcome(NamedTuple):
    """One row done: the line of the file, its row of results, or why it is set aside."""

    line: int
    id: str
    row: dict[str, Any] | None
    problems: tuple[str, ...] = ()


def size_chunk(rows: list[RawRow], options: Options) -> list[Outcome]:
    """Size and score some rows. A row that cannot be planned with is set aside, never dropped."""
    return [size_row(row, options) for row in rows]


def size_row(raw: RawRow, options: Options) -> Outcome:
    """Size and score one row."""
    from clusterplan.inputs.candidate_table import id_of

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
        inputs = dataclasses.replace(inputs, screen=options.screen)
        row = quick_row(inputs)
    except InputError as error:
        return Outcome(raw.line, name, None, tuple(str(problem) for problem in error.problems))
    except InfeasibleError as error:
        return Outcome(raw.line, name, None, (str(error),))
    except ClusterplanError:
        raise  # the installation is broken: no row's fault
    score, coverage = score_of(inputs, row, options)
    values = {item.name: getattr(row, item.name) for item in dataclasses.fields(row)}
    return Outcome(raw.line, row.id, values | {"score": score, "coverage": coverage})


def score_of(inputs: SiteInputs, row: SiteRow, options: Options) -> tuple[float, float]:
    """Score in 0..1 and the weight of what is known; unknown counts 0 (siting section 2)."""
    data = criteria_of(inputs, row, options)
    weights, values = [], []
    for name, (weight, anchors, log) in CRITERIA.items():
        weights.append(weight)
        values.append(criterion_value(data[name], anchors, log=log))
    result = weighted_score((*weights, UNTOLD_WEIGHT), (*values, None))
    return result.score, result.coverage


def criteria_of(inputs: SiteInputs, row: SiteRow, options: Options) -> dict[str, float | None]:
    """The datum of each criterion, None where it is unknown."""
    months = None
    if row.first_power is not None:
        days = (date.fromisoformat(row.first_power) - options.start).days
        months = max(0.0, days / DAYS_PER_MONTH)
    it_gw = (row.it_power_mw or 0.0) / 1000.0
    years = None
    if row.last_stage is not None:
        last = (date.fromisoformat(row.last_stage) - options.start).days / DAYS_PER_MONTH
        years = it_gw * max(0.0, options.horizon_months - max(0.0, last)) / 12.0
    state, country = conditions(inputs)
    return {
        "first_power_months": months if row.racks else None,
        "gw_years": years,
        "power_price_usd_per_mwh": _price(inputs),
        "expansion_mw": row.facility_power_mw if row.racks else None,
        "water_l_per_kwh": _water(inputs, row, state, country),
        "carbon_g_per_kwh": _carbon(inputs, state, country),
    }


def _price(inputs: SiteInputs) -> float | None:
    """All-in price of the grid; on-site units without a price leave it unknown."""
    if inputs.site.generation:
        return None
    tariff = None if inputs.grid is None else inputs.grid.tariff
    if tariff is not None and tariff.energy_usd_per_mwh is not None:
        demand = value_of(tariff.demand_usd_per_kw_month)
        factor = value_of(inputs.site.load_factor) or USUAL_LOAD_FACTOR
        if demand is None:
            demand = catalog.unit_cost("demand-charge").typical
        return grid_price_usd_per_mwh(tariff.energy_usd_per_mwh.value, demand, factor)
    price = regional_price(inputs) if inputs.screen else None
    return None if price is None else price.typical


def _water(inputs: SiteInputs, row: SiteRow, state: Any, country: Any) -> float | None:
    """Water of a kWh of IT, weighted with the stress of the place."""
    water = inputs.site.water
    stress = None if water is None or water.stress is None else float(water.stress.value)
    if stress is None and inputs.screen:
        found = [one.water_stress for one in (state, country) if one is not None]
        stress = next((float(one) for one in found if one is not None), None)
    if stress is None or row.water_m3_per_year is None or not row.it_power_mw:
        return 0.0 if row.water_m3_per_year == 0.0 and row.racks else None
    return row.water_m3_per_year / (row.it_power_mw * 8760.0) * stress / 4.0


def _carbon(inputs: SiteInputs, state: Any, country: Any) -> float | None:
    if inputs.site.generation:
        return None
    found = [one.grid_carbon_g_per_kwh for one in (state, country) if one is not None]
    return next((float(one) for one in found if one is not None), None)
