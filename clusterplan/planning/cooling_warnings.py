"""What a cooling plan warns of: climate, extrapolated chillers, trim, a type missed by a little."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from clusterplan.core.record import recording
from clusterplan.planning.cooling_plan import annual, cooling_quick
from clusterplan.sizing.chillers import AIR_CHILLER_DATA_MAX_C, WATER_CHILLER_DATA_MAX_C
from clusterplan.sizing.heat_rejection import (
    ADIABATIC,
    AIR_CHILLER,
    DRY,
    ONCE_THROUGH,
    TOWER_KINDS,
    WATER_CHILLER,
    WET_KINDS,
)

if TYPE_CHECKING:
    from clusterplan.planning.cooling_plan import CoolingDesign, CoolingQuick, ItLoad
    from clusterplan.sizing.cooling_year import CoolingYear
    from clusterplan.sizing.plant import PlantResult

NEAR_MISS_K = 3.0


def plant_warnings(
    design: CoolingDesign,
    it: ItLoad,
    typical: ItLoad,
    quick: CoolingQuick,
    year: CoolingYear | None,
) -> None:
    """Warn of what a reader should know about plant and year; note what is extrapolated."""
    ledger, plant, climate = design.choices.ledger, quick.plant, design.climate
    if year is None:
        ledger.warn(
            "no_annual_means",
            "cooling.pue_annual",
            f"climate {climate.id} has no annual means: annual PUE and water are unknown",
        )
    elif not climate.verified_means:
        ledger.warn(
            "unverified_means",
            "cooling.water_m3_per_year",
            f"annual means of climate {climate.id} are estimates: annual PUE and water are rough",
        )
    elif year.pue > plant.pue_peak:
        ledger.warn(
            "pue_annual_above_peak",
            "cooling.pue_annual",
            f"the annual PUE of {year.pue:.3f} is above the peak one of {plant.pue_peak:.3f}: fixed"
            " powers (pumps at their least flow) weigh more at typical than at nameplate power",
        )
    if "extreme check" in climate.note:
        ledger.warn("climate_extreme", "site.climate", f"{climate.id}: {climate.note}")
    machine = plant.peak.state.air_operation
    if (
        machine is not None
        and machine.cop
        and design.plant.air.water_supply_c > AIR_CHILLER_DATA_MAX_C
    ):
        ledger.assume(
            "cooling.room_air_chiller_cop",
            machine.cop,
            "",
            "Carnot fraction held above chilled water of 15 °C, where no catalogue data exist",
        )
    _warn_extrapolated(design, quick)
    _warn_turndown(design, quick)
    if plant.choice is not None:
        _warn_trim(design, quick)
        if not design.plant.kind:
            _warn_overrule(design, it, typical, quick, year)


def _warn_extrapolated(design: CoolingDesign, quick: CoolingQuick) -> None:
    plant, spec = quick.plant, design.plant.chiller
    supply = plant.specific.plant.supply_c
    cops = [state.operation.cop for state in plant.specific.states if state.operation.cop]
    water = plant.kind in (*TOWER_KINDS, ONCE_THROUGH)
    limit = WATER_CHILLER_DATA_MAX_C if water else AIR_CHILLER_DATA_MAX_C
    if not cops or supply <= limit:
        return
    most = spec.water_cop_max if water else spec.air_cop_max
    capped = f" and capped at {most:g}" if max(cops) >= most else ""
    design.choices.ledger.warn(
        "chiller_extrapolated",
        "cooling.trim_mw",
        f"no catalogue data for chillers that leave water above {limit:.0f} °C: their COP of"
        f" {min(cops):.1f} at {supply:.1f} °C is extrapolated{capped}",
    )


def _warn_turndown(design: CoolingDesign, quick: CoolingQuick) -> None:
    loop = quick.loop
    if loop is None:
        return
    group = loop.full_group if loop.full_groups or loop.last_group is None else loop.last_group
    if group.flow_floor_fraction < 1.0:
        return
    design.choices.ledger.warn(
        "cdu_turndown",
        "cooling.cdu_pump_mw",
        f"{loop.cdu} is too large for {group.unit_flow_l_per_min:.0f} L/min a unit: its pumps run"
        f" at their least flow and draw {group.pump_kw:.3g} kW; a smaller CDU would draw less",
    )


def _warn_trim(design: CoolingDesign, quick: CoolingQuick) -> None:
    plant = quick.plant
    share = plant.trim_mw / plant.heat_rejection_mw if plant.heat_rejection_mw > 0.0 else 0.0
    if plant.kind in (AIR_CHILLER, WATER_CHILLER) or share <= 0.0:
        return
    if share >= 1.0 - 1e-9:
        design.choices.ledger.warn(
            "heat_rejection_infeasible",
            "design.heat_rejection",
            f"{plant.kind} cools nothing at a design point: {_reached(plant)}, no colder than the"
            f" FWS return, so chillers carry all heat there; {_works(plant)}",
        )
    elif share > 0.5:
        design.choices.ledger.warn(
            "trim_large",
            "cooling.trim_mw",
            f"{plant.kind} needs trim chillers for {100 * share:.0f} % of the heat at the design"
            " points; a chiller plant or a warmer FWS supply is worth a look",
        )
    if design.plant.kind and share < 1.0 - 1e-9:
        design.choices.ledger.warn(
            "heat_rejection_trimmed",
            "design.heat_rejection",
            f"{plant.kind} is trimmed at a design point: {_reached(plant)}, between FWS supply and"
            f" return; {_works(plant)}",
        )


def _reached(plant: PlantResult) -> str:
    fixed = plant.specific.plant
    reached = max(state.operation.available_c for state in plant.specific.states[:2])
    return (
        f"it reaches {reached:.1f} °C against FWS {fixed.supply_c:.1f} to"
        f" {fixed.supply_c + fixed.rise_k:.1f} °C"
    )


def _works(plant: PlantResult) -> str:
    """Which supply, or which other type, would do without chillers."""
    supplies, supply = plant.supplies, plant.specific.plant.supply_c
    if supplies is None:
        return "warmer water would help"
    lowest = (
        (DRY, supplies.dry_c),
        (ADIABATIC, supplies.adiabatic_c),
        ("towers", supplies.tower_c),
    )
    free = [name for name, value in lowest if value <= supply]
    words = ", ".join(f"{name} {value:.1f} °C" for name, value in lowest)
    instead = f"; {' and '.join(free)} would do at this supply" if free else ""
    return f"without chillers the coldest supply is: {words}{instead}"


def _warn_overrule(
    design: CoolingDesign,
    it: ItLoad,
    typical: ItLoad,
    quick: CoolingQuick,
    year: CoolingYear | None,
) -> None:
    """Say what the drier type that misses by a little would need, and what it would save."""
    choice = quick.plant.choice
    if choice is None or choice.kind not in WET_KINDS:
        return
    order = [(DRY, choice.dry_shortfall_k), (ADIABATIC, choice.adiabatic_shortfall_k)]
    order = order[: 1 if choice.kind == ADIABATIC else 2]
    near = [(kind, short) for kind, short in order if 0.0 < short <= NEAR_MISS_K]
    if not near:
        return
    kind, short = near[-1]
    plant = dataclasses.replace(design.plant, kind=kind, kept={})
    other = dataclasses.replace(design, plant=plant, kept={})
    with recording():  # an aside: not part of the plan's record
        instead = cooling_quick(other, it)
        its_year = annual(other, it, typical, instead)
    hours, water, annually = "", "", ""
    if year is not None and its_year is not None:
        often = its_year.sums.trim_hours_h
        hours = (
            f" ({often:,.0f} h in a typical year)" if often >= 1 else " (idle in a typical year)"
        )
        mine, other_m3 = year.sums.water_m3, its_year.sums.water_m3
        water = f" and {other_m3:,.0f} instead of {mine:,.0f} m³ of water a year"
        annually = f", pue_annual {its_year.pue:.3f} instead of {year.pue:.3f}"
    design.choices.ledger.warn(
        "heat_rejection_near_miss",
        "design.heat_rejection",
        f"{kind} misses the FWS supply by only {short:.1f} K in the worst hours. heat_rejection:"
        f" {kind} would take {instead.plant.trim_mw:.3g} MW of trim chillers{hours}{water};"
        f" pue_peak {instead.pue_peak:.3f} instead of {quick.pue_peak:.3f}{annually}",
    )
