"""The row of a site among many: the same counts as its whole plan, without the sections.

A plan states what every limit alone would allow, its swing, its yards and its cables; a row of a
long list asks only for the largest count that all limits allow together and a few figures there.
Leaving the rest out makes a row several times cheaper than a plan.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import InputError
from clusterplan.core.results.compare import SiteRow
from clusterplan.planning import cooling_plan
from clusterplan.planning.choices import Ledger
from clusterplan.planning.limits import GENERATION, GRID, MOST_RACKS, TRANSFORMERS, Limits, Supply
from clusterplan.planning.plan_figures import H100
from clusterplan.planning.solve import (
    boundary_near,
    changes,
    largest_above,
    largest_within,
    within,
)
from clusterplan.planning.stages import supply_of
from clusterplan.sizing.accelerators import count_for_servers, h100_basis, h100_equivalents

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.site_model import SiteModel

# a need that falls at a jump falls by a few percent at most: no further above is looked at
LOOK_ABOVE = 1.06
# facility power over that of the compute racks, about: where the search for the count starts
OVER_COMPUTE, OVER_AIR_COOLED = 1.31, 1.55


class Need(NamedTuple):
    """One limit: what a count of servers takes of it, and what there is."""

    name: str
    need: Callable[[int], float]
    available: float

    def share(self, servers: int) -> float:
        """Need over what is available; endless where nothing is."""
        need = self.need(servers) if servers else 0.0
        if self.available > 0.0:
            return need / self.available
        return float("inf") if need > 0.0 else 0.0


class Found(NamedTuple):
    """The solved count of the last supply step, what binds, and the first step that holds any."""

    servers: int
    limited_by: str
    first_power: str | None


class QuickPlan(NamedTuple):
    """The row of a site, and whether its racks need CDUs, which no column tells."""

    row: SiteRow
    has_cdus: bool


def quick_row(inputs: SiteInputs) -> SiteRow:
    """The row of a site that is filled, as `compare_sites` gives it.

    Raises InputError for inputs that cannot be planned with.
    """
    return quick_plan(inputs).row


def quick_plan(inputs: SiteInputs) -> QuickPlan:
    """The same with what the calendar asks beside it."""
    from clusterplan.planning.size_site import site_model

    ledger = Ledger()
    ledger.extend(inputs.warnings)
    try:
        model = site_model(inputs, ledger, many=True)
        found = solve(Limits(model, None))
    except InputError as error:
        raise InputError([inputs.placed(problem) for problem in error.problems]) from None
    loop = model.at(found.servers).cooling.loop if found.servers else None
    return QuickPlan(_row(inputs, model, found), loop is not None)


def solve(limits: Limits) -> Found:
    """The most servers that every limit allows at the last step, whose supply is the most."""
    model = limits.model
    counted = model.choices.flag("count_nonfirm")
    steps = [
        (step, Supply(supply_of(step, count_nonfirm=counted), model.onsite_at_mv_of(step)))
        for step in model.case.steps
    ]
    last_step, last = steps[-1]
    fixed, most = _fixed_needs(limits)
    needs = [*_supply_needs(limits, last), *fixed]
    upper = min(most, limits.units_of_mw(last.available_mw or 0.0))
    servers = _largest(limits, needs, last, upper)
    name = _binding(limits, needs, servers) if servers else _blocking(limits, needs)
    first = last_step.energised if servers else None
    for step, supply in steps[:-1]:
        unit = limits.unit_servers
        able = all(within(one.share(unit), 1.0) for one in (*_supply_needs(limits, supply), *fixed))
        if able and model.can_be_supplied(unit, supply.onsite_at_mv_mw):
            first = step.energised
            break
    return Found(servers, name, first)


def _supply_needs(limits: Limits, supply: Supply) -> list[Need]:
    model = limits.model
    name = GENERATION if model.case.islanded else GRID
    needs = [Need(name, limits.facility_mw, supply.available_mw or 0.0)]
    if model.electrical.existing:
        row = limits.existing_transformers(supply)
        if row is not None:
            needs.append(Need(TRANSFORMERS, row[0], row[1]))
    return needs


def _fixed_needs(limits: Limits) -> tuple[list[Need], int]:
    """Limits that no supply step changes, and the most units that are tried."""
    model, case = limits.model, limits.model.case
    needs: list[Need] = []
    most = MOST_RACKS * model.servers_per_rack // limits.unit_servers
    if case.acres is not None:
        needs.append(Need("land", model.acres, case.acres))
    if case.water_annual_m3 is not None:
        needs.append(Need("water_annual", model.annual_water_m3, case.water_annual_m3))
    if case.water_peak_l_per_s is not None:
        needs.append(Need("water_peak", limits.peak_l_per_s, case.water_peak_l_per_s))
    if case.rack_cap is not None:
        needs.append(Need("rack_cap", lambda n: float(limits.racks(n)), float(case.rack_cap)))
        most = min(most, case.rack_cap * model.servers_per_rack // limits.unit_servers)
    if model.fabric is not None and model.single_cluster:
        reach = model.fabric.site.reach_servers
        needs.append(Need("fabric", float, float(reach)))
        most = min(most, reach // limits.unit_servers)
    return needs, most


def _largest(limits: Limits, needs: list[Need], supply: Supply, upper: int) -> int:
    """The most servers that pass all needs.

    Power alone is solved first; what else is short decides only where its share is above 1 there.
    """
    unit = limits.unit_servers
    power = needs[0]
    units = _solved(limits, [power], upper, limits.model.regime)
    if units and not all(within(need.share(units * unit), 1.0) for need in needs[1:]):
        units = _solved(limits, needs, units, limits.land_key)
    while units and not limits.model.can_be_supplied(units * unit, supply.onsite_at_mv_mw):

        def refused(count: int) -> float:
            passes = limits.model.can_be_supplied(count * unit, supply.onsite_at_mv_mw)
            return 0.0 if passes else 2.0

        units = min(largest_within(refused, 1.0, units, window=0), units - 1)
    return units * unit


def _solved(limits: Limits, needs: list[Need], upper: int, key: Callable[[int], object]) -> int:
    """The most units within all needs, looking a little above the first count that fails."""
    unit = limits.unit_servers
    kept: dict[int, float] = {}

    def worst(units: int) -> float:
        if units not in kept:
            kept[units] = max(need.share(units * unit) for need in needs)
        return kept[units]

    liquid = limits.model.chosen.liquid_heat_fraction > 0.0
    guess = int(upper / (OVER_COMPUTE if liquid else OVER_AIR_COOLED))
    first = boundary_near(worst, 1.0, guess, max(0, upper))
    above = first + 1
    near = min(upper, int(first * LOOK_ABOVE) + 3)
    if above > near:
        return first
    model, power = limits.model, needs[0]
    overdrawn = not within(power.share(above * unit), 1.0)

    def worst_above(units: int) -> float:
        """The same; endless where the power of `above`, which is too much, is surely exceeded."""
        if overdrawn and units > above and model.takes_no_less(above * unit, units * unit):
            return math.inf
        return worst(units)

    jumps: list[int] = []
    if key != model.regime or not model.is_alike(above * unit, near * unit):
        jumps = changes(lambda n: key(n * unit), above, near)
    around = sorted({units + more for units in jumps for more in (0, 1)})
    window = max(1, 3 // max(1, unit // model.servers_per_rack))
    past = limits.past_dip
    return largest_above(worst_above, 1.0, (first, near), jumps=around, window=window, past=past)


def _binding(limits: Limits, needs: list[Need], servers: int) -> str:
    """The first limit that the next unit would break."""
    following = servers + limits.unit_servers
    for need in needs:
        if not within(need.share(following), 1.0):
            return need.name
    return TRANSFORMERS


def _blocking(limits: Limits, needs: list[Need]) -> str:
    for need in needs:
        if not within(need.share(limits.unit_servers), 1.0):
            return need.name
    return TRANSFORMERS


def _row(inputs: SiteInputs, model: SiteModel, found: Found) -> SiteRow:
    site, rack, ledger = inputs.site, model.chosen.rack, model.choices.ledger
    count = count_for_servers(found.servers, model.chosen.shape)
    values: dict[str, object] = {
        "id": site.id,
        "name": site.name,
        "rack": rack.id,
        "accelerators": count.accelerators,
        "racks": count.racks,
        "limited_by": found.limited_by,
        "first_power": found.first_power,
        "last_stage": model.case.steps[-1].energised,
    }
    if found.servers:
        values |= _figures(model, found.servers, count.accelerators)
        values["transformers"] = values["transformers"] or _standing(inputs)
    values["warnings"] = len(ledger.warnings)
    values["unverified_assumptions"] = sum(row.verified == "false" for row in ledger.assumptions)
    return SiteRow(**{**_NOTHING, **values})  # type: ignore[arg-type]  # fields by name


def _standing(inputs: SiteInputs) -> str | None:
    """The transformers that stand there; None where they are of several ratings."""
    found = () if inputs.grid is None else inputs.grid.transformers
    ratings = {unit.top_mva.value for unit in found}
    if len(ratings) != 1:
        return None
    count = sum(1 if unit.count is None else unit.count.value for unit in found)
    return f"{count} x {ratings.pop():g} MVA"


_NOTHING: dict[str, object] = {
    "h100_equivalents": None,
    "it_power_mw": 0.0,
    "facility_power_mw": 0.0,
    "pue_peak": None,
    "pue_annual": None,
    "water_m3_per_year": None,
    "heat_rejection": None,
    "hv_kv": None,
    "transformers": None,
    "acres_needed_acres": None,
}


def _figures(model: SiteModel, servers: int, accelerators: int) -> dict[str, object]:
    point = model.at(servers)
    design = model.cooling(model.stages_of(point))
    year = cooling_plan.annual_in_arrays(
        design, point.load, model.typical_load(point), point.cooling
    )
    basis = h100_basis(model.chosen.accelerator, catalog.accelerator(H100))
    scheme = model.scheme(servers)
    unit = None
    if scheme is not None:
        unit = f"{scheme.installed} x {scheme.rating.top_mva:g} MVA"
    return {
        "h100_equivalents": None
        if basis is None
        else h100_equivalents(accelerators, basis[0], basis[1]),
        "it_power_mw": point.it.total_mw,
        "it_typical_mw": point.it.typical_mw,
        "facility_power_mw": point.facility_mw,
        "pue_peak": point.pue_peak,
        "pue_annual": model.case.pue_annual or (None if year is None else year.pue),
        "water_m3_per_year": None if year is None else year.sums.water_m3,
        "water_peak_l_per_s": point.cooling.water_peak_l_per_s,
        "heat_rejection": point.cooling.plant.kind,
        "hv_kv": model.electrical.duty.hv_kv if scheme is None else scheme.hv_kv,
        "transformers": unit,
        "acres_needed_acres": model.acres(servers),
    }
