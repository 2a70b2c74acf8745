"""Several sites, each sized by itself, side by side. Sites are not ranked yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.errors import InfeasibleError
from clusterplan.core.results.compare import SiteRow
from clusterplan.core.results.plan import Report
from clusterplan.planning.size_site import size_site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.loading import SiteInputs

SCHEMA = "clusterplan/compare/1"
VERDICT = "Sites are sized in the order given, not ranked: gates and scores come with ranking."


def compare_sites(sites: Sequence[SiteInputs]) -> Report:
    """One row a site, in the order given; a site where no rack fits has a row of zeros."""
    rows = tuple(_row(inputs) for inputs in sites)
    return Report(
        schema=SCHEMA,
        title=f"{len(rows)} site{'s' if len(rows) != 1 else ''}",
        parts={"sites": rows, "verdict": VERDICT},
    )


def _row(inputs: SiteInputs) -> SiteRow:
    try:
        plan = size_site(inputs)
    except InfeasibleError as error:
        return _empty(inputs, error)
    return _sized(plan)


def _sized(plan: SitePlan) -> SiteRow:
    summary, substation = plan.summary, plan.substation
    first = next((stage for stage in plan.stages if stage.racks > 0), None)
    unit = f"{substation.transformers} x {substation.transformer_mva:g} MVA"
    return SiteRow(
        id=plan.site.id,
        name=plan.site.name,
        rack=plan.site.rack,
        accelerators=summary.accelerators,
        h100_equivalents=summary.h100_equivalents,
        racks=summary.racks,
        it_power_mw=summary.it_power_mw,
        facility_power_mw=summary.facility_power_mw,
        pue_peak=summary.pue_peak,
        pue_annual=summary.pue_annual,
        water_m3_per_year=plan.cooling.water_m3_per_year,
        heat_rejection=plan.cooling.heat_rejection,
        hv_kv=substation.hv_kv,
        transformers=unit,
        acres_needed_acres=None if plan.floor is None else plan.floor.acres_needed_acres,
        limited_by=summary.limited_by,
        first_power=None if first is None else first.energised,
        last_stage=plan.stages[-1].energised if plan.stages else None,
        warnings=len(plan.warnings),
        unverified_assumptions=sum(1 for row in plan.assumptions if row.verified == "false"),
    )


def _empty(inputs: SiteInputs, error: InfeasibleError) -> SiteRow:
    return SiteRow(
        id=inputs.site.id,
        name=inputs.site.name,
        rack=inputs.rack_id or (inputs.rack.id if inputs.rack else ""),
        accelerators=0,
        h100_equivalents=None,
        racks=0,
        it_power_mw=0.0,
        facility_power_mw=0.0,
        pue_peak=None,
        pue_annual=None,
        water_m3_per_year=None,
        heat_rejection=None,
        hv_kv=None,
        transformers=None,
        acres_needed_acres=None,
        limited_by=error.limit or str(error),
        first_power=None,
        last_stage=None,
        warnings=0,
        unverified_assumptions=0,
    )
