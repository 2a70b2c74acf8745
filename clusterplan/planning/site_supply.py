"""The supply of a site as dated steps with their confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.inputs.datum import value_of
from clusterplan.planning.site_case import VARIABLE
from clusterplan.planning.site_data import regional_value, worst_flag
from clusterplan.planning.site_orders import GENERATION, day_feet
from clusterplan.sizing.draws import WORSE_FOOT, feet
from clusterplan.sizing.ready_dates import SupplyPart

if TYPE_CHECKING:
    import datetime

    from clusterplan.inputs.datum import Datum
    from clusterplan.inputs.grid_file import GridStage
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.inputs.site_file import Generation
    from clusterplan.planning.comparison_settings import Settings

GRID_CONFIDENCE = {
    "none": 0.0,
    "request": 0.3,
    "sis": 0.5,
    "facilities": 0.75,
    "agreement": 0.9,
    "energised": 1.0,
}
PLANT_CONFIDENCE = {
    "none": 0.0,
    "permit_filed": 0.3,
    "permit_issued": 0.5,
    "ordered": 0.75,
    "building": 0.9,
    "running": 1.0,
}
# months by which a stage without a range may be late (P90)
LATENESS = {
    "energised": 0.0,
    "agreement": 6.0,
    "facilities": 12.0,
    "sis": 18.0,
    "request": 36.0,
    "none": 36.0,
}
PLANT_AS_STAGE = {
    "running": "energised",
    "building": "agreement",
    "ordered": "facilities",
    "permit_issued": "sis",
    "permit_filed": "request",
    "none": "none",
}
PLANT_LEAD = {
    "ccgt": "heavy_gas_turbine",
    "gas_turbine": "heavy_gas_turbine",
    "reciprocating_engine": "recip_engine",
    "fuel_cell": "fuel_cell",
    "diesel": "diesel_genset",
}
# kinds that emit: their permits come before their date
BURNING = ("ccgt", "gas_turbine", "reciprocating_engine", "fuel_cell", "diesel")
PSD_MIN_MW = 50.0


class SupplyDate(NamedTuple):
    """One step: what it adds, how sure it is, and when (months, feet of a triangle).

    leads: the lead times that a plant without a date waits for, commissioning on top, the machine's
    first, which runs from the day `ordered` (months); with neither `months` nor `leads` the step
    never comes.
    """

    name: str
    key: str
    status: str
    confidence: float
    part: SupplyPart
    months: tuple[float, float, float] | None
    leads: tuple[str, ...] = ()
    verified: str = "false"
    screened: bool = False
    onsite: bool = False
    nonfirm_mw: float = 0.0
    ordered: tuple[float, float, float] | None = None

    @property
    def is_dated(self) -> bool:
        """Whether it comes at all."""
        return self.months is not None or bool(self.leads)


def supply_dates_of(inputs: SiteInputs, settings: Settings) -> tuple[SupplyDate, ...]:
    """All steps of a site: grid stages, what is above the approved MW apart, then plants."""
    return (*_grid(inputs, settings), *_plants(inputs, settings))


def _grid(inputs: SiteInputs, settings: Settings) -> list[SupplyDate]:
    grid = inputs.grid
    if grid is None:
        return []
    default = grid.stage or "none"
    if not grid.stages:
        if grid.requested_mw is None:
            return []
        months = _screened_months(inputs, settings)
        return _split(
            SupplyDate(
                "requested",
                "grid.requested",
                default,
                _confidence(default, grid.confidence),
                SupplyPart(grid_mw=grid.requested_mw.value),
                months,
                screened=months is not None,
            ),
            value_of(grid.approved_mw),
        )
    found: list[SupplyDate] = []
    sure = 1.0
    for place, stage in enumerate(grid.stages):
        status = stage.status or default
        own = _confidence(status, stage.confidence or grid.confidence)
        sure = min(sure, own)
        day = _next_date(grid.stages, place)
        months = None if day is None else _months(day, LATENESS[status], settings)
        screened = months is None
        if months is None:
            months = _screened_months(inputs, settings)
        step = SupplyDate(
            stage.name,
            f"grid.stages.{place}.energised",
            status,
            sure,
            SupplyPart(grid_mw=stage.firm_mw.value),
            months,
            verified=_flag(day, stage.firm_mw),
            screened=screened and months is not None,
            nonfirm_mw=value_of(stage.nonfirm_mw) or 0.0,
        )
        found += _split(step, value_of(grid.approved_mw))
    return found


def _flag(day: Datum[datetime.date] | None, power_mw: Datum[float]) -> str:
    """How sure a step is: the worse flag of its date and of its power."""
    return "false" if day is None else worst_flag(day.verified, power_mw.verified)


def _next_date(stages: tuple[GridStage, ...], place: int) -> Datum[datetime.date] | None:
    """Stages are cumulative: one without a date is there when the next dated one is."""
    return next((s.energised for s in stages[place:] if s.energised is not None), None)


def _split(step: SupplyDate, approved_mw: float | None) -> list[SupplyDate]:
    """A step in two where it goes beyond what is approved: what is above is a request.

    Without an approved figure a step under study is a request as a whole, since leaving out how
    little is approved must not help; an agreement speaks for itself.
    """
    firm = step.part.grid_mw
    if step.confidence <= GRID_CONFIDENCE["request"]:
        return [step]
    if approved_mw is None:
        if step.status in ("sis", "facilities"):
            return [step._replace(confidence=GRID_CONFIDENCE["request"])]
        return [step]
    if firm <= approved_mw:
        return [step]
    above = step._replace(
        name=f"{step.name}, above approved", confidence=GRID_CONFIDENCE["request"]
    )
    below = step._replace(part=SupplyPart(grid_mw=approved_mw))
    return [below, above] if approved_mw > 0.0 else [above]


def _confidence(status: str, own: Datum[float] | None) -> float:
    """By the status; the user may lower it, and raise it with a source."""
    by_status = GRID_CONFIDENCE[status]
    if own is None:
        return by_status
    return own.value if own.source else min(own.value, by_status)


def _months(
    day: Datum[datetime.date], late: float, settings: Settings
) -> tuple[float, float, float]:
    """Feet and mode of a date in months; what is past is month 0."""
    typical = settings.month_of(day.value)
    low = typical if day.low is None else settings.month_of(day.low)
    if day.high is not None:
        high = settings.month_of(day.high)
    else:
        high = typical if day.low is not None else typical + late
    return feet(low, typical, high, high_foot=WORSE_FOOT[day.verified])


def _screened_months(inputs: SiteInputs, settings: Settings) -> tuple[float, float, float] | None:
    """The usual wait of the country, only where regional defaults are asked for."""
    if not settings.screen:
        return None
    years = regional_value(inputs, "connection_years")
    if years is None or not isinstance(years.value, int | float):
        return None
    typical = 12.0 * years.value
    return feet(0.5 * typical, typical, 1.75 * typical, high_foot=WORSE_FOOT["false"])


def _plants(inputs: SiteInputs, settings: Settings) -> list[SupplyDate]:
    found = []
    order = inputs.design_data.get(GENERATION)
    ordered = None if order is None else day_feet(order, settings)
    for place, unit in enumerate(inputs.site.generation):
        part = _plant_part(unit)
        status = unit.status or "none"
        months: tuple[float, float, float] | None = None
        leads: tuple[str, ...] = ()
        if unit.energised is not None:
            months = _months(unit.energised, LATENESS[PLANT_AS_STAGE[status]], settings)
        else:
            leads = _plant_leads(unit, inputs)
        found.append(
            SupplyDate(
                unit.name or unit.type.replace("_", " "),
                f"site.generation.{place}.energised",
                status,
                PLANT_CONFIDENCE[status],
                part,
                months,
                leads,
                verified=_flag(unit.energised, unit.firm_mw or unit.gross_mw),
                onsite=True,
                ordered=ordered,
            )
        )
    return found


def _plant_part(unit: Generation) -> SupplyPart:
    if unit.firm_mw is not None:
        return SupplyPart(stated_mw=unit.firm_mw.value)
    if unit.type in VARIABLE:
        return SupplyPart()
    gross = unit.gross_mw.value
    count = 1 if unit.units is None else unit.units.value
    return SupplyPart(gross_mw=gross, largest_mw=gross / count)


def _plant_leads(unit: Generation, inputs: SiteInputs) -> tuple[str, ...]:
    lead = PLANT_LEAD.get(unit.type)
    if lead is None:
        return ()
    leads = [lead]
    permits = inputs.site.permits
    air = permits.air.status if permits is not None and permits.air is not None else None
    if unit.type in BURNING and air not in ("issued", "not_needed"):
        large = unit.gross_mw.value >= PSD_MIN_MW
        leads.append("air_permit_psd_title_v" if large else "air_permit_minor")
    if unit.exports:
        leads.append("generator_interconnection_queue")
    known = catalog.lead_times()
    return tuple(name for name in leads if name in known)
