"""The recorded cooling section of a plan: every figure a mechanical engineer asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan.core.record import given
from clusterplan.core.results.cooling import CoolingSection, DesignPoint
from clusterplan.planning.cooling_assumptions import note_assumptions
from clusterplan.planning.cooling_details import air_side, heat_reuse, loop_detail, ride_through
from clusterplan.planning.cooling_plan import (
    annual,
    cooling_quick,
    loop_design,
    note_fluid,
    year_load,
)
from clusterplan.planning.cooling_units import plant_units
from clusterplan.planning.cooling_warnings import plant_warnings
from clusterplan.sizing.air_plant import air_water_flow_l_per_min, room_airflow_m3_per_s
from clusterplan.sizing.coolants import recorded_rho_c
from clusterplan.sizing.design_points import cold_dry_bulb_c
from clusterplan.sizing.heat_rejection import AIR_CHILLER, ONCE_THROUGH, TOWER_KINDS
from clusterplan.sizing.psychrometrics import air_density_ratio
from clusterplan.sizing.pue import cooling_power_peak_mw, liquid_power_peak_mw
from clusterplan.sizing.water import source_water_l_per_s, water_storage_m3

if TYPE_CHECKING:
    from clusterplan.planning.cooling_plan import CoolingDesign, CoolingQuick, ItLoad
    from clusterplan.sizing.cooling_year import CoolingYear
    from clusterplan.sizing.plant import PlantResult


def cooling_section(
    design: CoolingDesign,
    it: ItLoad,
    typical: ItLoad,
    *,
    pue_annual: bool = True,
) -> CoolingSection:
    """The cooling of `it` (capacity basis) and its year at `typical` power, all figures.

    Call it inside `record.recording()` for the calculation sheets; warnings go to the ledger of the
    choices. pue_annual False leaves the year out. Raises InputError or InfeasibleError of the
    liquid loops.
    """
    quick = cooling_quick(design, it)
    note_assumptions(design, quick)
    note_fluid(design, quick.plant.kind)
    year = annual(design, it, typical, quick) if pue_annual else None
    at_nameplate = annual(design, it, it, quick) if pue_annual else None
    plant_warnings(design, it, typical, quick, year)
    _note_inputs(design, quick)
    values: dict[str, Any] = {}
    values |= _heat(design, quick)
    values |= _loops(design, quick)
    values |= _plant(design, quick)
    values |= _air(design, quick)
    values |= _peak(quick)
    values |= _year(quick, year, at_nameplate)
    values["weather"] = None if design.weather is None else design.weather.words
    values |= _water(design, quick)
    values |= _details(design, quick, (it, typical), year.pue if year else None)
    return CoolingSection(**values, design_points=_points(quick))


def _note_inputs(design: CoolingDesign, quick: CoolingQuick) -> None:
    """Note what the steps take from the climate, the machines and the mean temperatures."""
    plant, climate = design.plant, design.plant.climate
    station = "design conditions of the station, see site.climate"
    given("cooling.climate.mcwb_0p4_wet_bulb_c", climate.mcwb_0p4_c, "°C", station)
    given("cooling.climate.db_0p4_dry_bulb_c", climate.db_0p4_c, "°C", station)
    words = "IT of the plan: compute + network + storage + management"
    given("cooling.it_power_mw", quick.load.it_mw, "MW", words)
    fixed = quick.plant.specific.plant
    rated = "design.cooling, capacity of one machine"
    for name, unit_kw in (
        ("dry_cooler", plant.dry.unit_kw),
        ("tower_cell", plant.tower.unit_kw),
        ("air_chiller", plant.chiller.air_unit_kw),
        ("water_chiller", plant.chiller.water_unit_kw),
    ):
        given(f"cooling.{name}.rated_unit_kw", unit_kw, "kW", rated)
    supply, back = fixed.supply_c, fixed.supply_c + fixed.rise_k
    words = f"mean of supply and return: ({supply:.6g} + {back:.6g}) / 2"
    given("cooling.fws_mean_temp_c", (supply + back) / 2, "°C", words)
    for state in quick.plant.specific.states:
        point = f"cooling.points.{state.name}"
        words = f"{state.name} point: dry bulb at the machines"
        given(f"{point}.base_dry_bulb_c", state.air.dry_bulb_c, "°C", words)
        available = state.operation.available_c
        given(f"{point}.available_c", available, "°C", "supply_without_chillers_c of the point")
        trim = f"trim_share of the {state.name} point; 1 on a chiller plant"
        given(f"{point}.trim_heat_share", state.operation.trim_heat, "", trim)
    given("cooling.room_fan.door_fan_kw_per_kw", plant.air.door_fan, "", "default of rear doors")
    air = plant.air
    words = f"room-air water: {air.water_return_c:g} - {air.water_supply_c:g} °C"
    given("cooling.air_water_rise_k", air.water_return_c - air.water_supply_c, "K", words)


def _heat(design: CoolingDesign, quick: CoolingQuick) -> dict[str, Any]:
    return {
        "density_class": design.density.density_class,
        "density_reason": design.density.reason,
        "liquid_heat_mw": quick.liquid_heat_mw,
        "air_heat_mw": quick.air_heat_mw,
        "loss_heat_mw": quick.loss_heat_mw,
    }


_LOOP_FIELDS = (
    "tcs_coolant",
    "tcs_supply_temp_c",
    "tcs_return_temp_c",
    "tcs_flow_l_per_min",
    "cdu",
    "cdus",
    "cdus_redundant",
    "cdu_groups",
    "cdu_limit",
    "cdu_approach_k",
    "cdu_pipe_dn",
    "fws_supply_temp_c",
    "fws_return_temp_c",
    "fws_flow_l_per_min",
    "fws_coolant",
    "fws_main_blocks",
    "fws_main_pairs",
    "fws_main_dn",
    "fws_main_velocity_m_per_s",
    "fws_main_friction_pa_per_m",
)
_COUNTS = ("cdus", "cdus_redundant", "cdu_groups")


def _loops(design: CoolingDesign, quick: CoolingQuick) -> dict[str, Any]:
    loop, load = quick.loop, quick.load
    values: dict[str, Any] = {"cdu_pump_mw": load.cdu_pump_mw, "fws_pump_mw": load.fws_pump_mw}
    if loop is None:
        values |= dict.fromkeys((*_LOOP_FIELDS, "rack_flow_l_per_min", "rack_drop_kpa"))
        values |= dict.fromkeys(_COUNTS, 0)
        for name in _COUNTS:
            given(f"cooling.{name}", 0, "", "no heat goes to liquid")
        return values
    values |= {name: getattr(loop, name) for name in _LOOP_FIELDS}
    racks = design.has_racks
    values["rack_flow_l_per_min"] = loop.rack_flow_l_per_min if racks else None
    values["rack_drop_kpa"] = loop.rack_drop_kpa if racks else None
    return values


def _plant(design: CoolingDesign, quick: CoolingQuick) -> dict[str, Any]:
    plant, units = quick.plant, plant_units(design, quick)
    supplies, towers = plant.supplies, plant.kind in TOWER_KINDS
    return {
        "heat_rejection": plant.kind,
        "heat_rejection_reason": _reason(design, plant),
        "heat_rejection_mw": plant.heat_rejection_mw,
        "heat_rejection_units": units.main.installed,
        "heat_rejection_redundant": units.main.redundant,
        "heat_rejection_unit_kw": units.unit_kw,
        "tower_cells": units.towers.installed,
        "dry_lowest_supply_c": supplies.dry_c if supplies else None,
        "adiabatic_lowest_supply_c": supplies.adiabatic_c if supplies else None,
        "tower_lowest_supply_c": supplies.tower_c if supplies else None,
        "cold_dry_bulb_c": cold_dry_bulb_c(
            design.plant.climate.heating_99p6_c, design.plant.climate.cold_allowance_k
        ),
        "plume_dry_k": None if towers else plant.plume_dry_k,
        "plume_tower_k": plant.plume_tower_k if towers else None,
        "density_ratio": air_density_ratio(design.plant.climate.elevation_m),
        "trim_mw": plant.trim_mw,
        "trim_chillers": units.trim.installed,
        "trim_chillers_redundant": units.trim.redundant,
        "air_chillers": units.air.installed,
        "air_chillers_redundant": units.air.redundant,
    }


def _reason(design: CoolingDesign, plant: PlantResult) -> str:
    if plant.choice is None:
        words = "room air alone: air-cooled chillers with dry free cooling"
        return f"chosen by the user; {words} by default" if design.plant.kind else words
    choice = plant.choice
    short = ", ".join(
        f"{name} {abs(value):.1f} K {'short' if value > 0.0 else 'in hand'}"
        for name, value in (
            ("dry", choice.dry_shortfall_k),
            ("adiabatic", choice.adiabatic_shortfall_k),
            ("towers", choice.tower_shortfall_k),
        )
    )
    if design.plant.kind:
        return f"chosen by the user (automatic: {choice.kind}); {short}"
    return f"{choice.reason}; {short}"


def _air(design: CoolingDesign, quick: CoolingQuick) -> dict[str, Any]:
    plant, spec = quick.plant, design.plant.air
    supply, back = spec.water_supply_c, spec.water_return_c
    if plant.hung and quick.loop is not None:
        supply, back = quick.loop.fws_supply_temp_c, quick.loop.fws_return_temp_c
    source = "FWS, on which the coils hang" if plant.hung and quick.loop else "design choice"
    given("cooling.air_water_supply_temp_c", supply, "°C", source)
    given("cooling.air_water_return_temp_c", back, "°C", source)
    hung = loop_design(design, plant.kind) if plant.hung else None
    coolant = design.water if hung is None else hung.fws.coolant
    rho_c = recorded_rho_c(coolant, (supply + back) / 2)
    return {
        "air_plant_mw": plant.air_plant_mw,
        "air_on_fws": plant.hung and quick.loop is not None,
        "air_water_supply_temp_c": supply,
        "air_water_return_temp_c": back,
        "air_water_flow_l_per_min": air_water_flow_l_per_min(
            plant.air_plant_mw, rho_c, back - supply
        ),
        "room_airflow_m3_per_s": room_airflow_m3_per_s(
            quick.air_heat_mw,
            air_density_ratio(design.plant.climate.elevation_m),
            spec.air_rise_k,
        ),
        "room_fan_mw": plant.room_fan_mw,
    }


def _peak(quick: CoolingQuick) -> dict[str, Any]:
    plant, peak = quick.plant, quick.plant.peak
    total = cooling_power_peak_mw(
        quick.load.cdu_pump_mw,
        quick.load.fws_pump_mw,
        peak.rejection_fan_mw,
        peak.tower_pump_mw,
        peak.trim_power_mw,
        peak.air_power_mw,
    )
    return {
        "cooling_power_peak_mw": total,
        "liquid_power_peak_mw": liquid_power_peak_mw(total, peak.air_power_mw),
        "air_power_peak_mw": peak.air_power_mw,
        "house_load_mw": plant.house_load_mw,
        "pue_peak": plant.pue_peak,
        "pue_peak_point": peak.state.name,
    }


def _year(
    quick: CoolingQuick, year: CoolingYear | None, nameplate: CoolingYear | None
) -> dict[str, Any]:
    if year is None or nameplate is None:
        names = ["pue_annual", "wue_l_per_kwh", "water_m3_per_year", "water_nameplate_m3_per_year"]
        names += ["wet_hours_h", "trim_hours_h", "pue_annual_band", "water_band_percent"]
        words = {"annual_band": "no year: the climate has no annual means"}
        return dict.fromkeys(names) | words
    _note_band(year)
    return {
        "pue_annual": year.pue,
        "wue_l_per_kwh": year.wue,
        "water_m3_per_year": year.sums.water_m3,
        "water_nameplate_m3_per_year": nameplate.sums.water_m3,
        "annual_band": year.band,
        "pue_annual_band": year.pue_band,
        "water_band_percent": year.water_band_percent,
        "wet_hours_h": year.sums.wet_hours_h,
        "trim_hours_h": year.sums.trim_hours_h if quick.loop else None,
    }


def _note_band(year: CoolingYear) -> None:
    source = "clusterplan method, cooling, bins: hourly years (TMY3) of six US stations"
    if year.pue_band is not None:
        given("cooling.pue_annual_band", year.pue_band, "", source)
    if year.water_band_percent is not None:
        given("cooling.water_band_percent", year.water_band_percent, "%", source)


def _water(design: CoolingDesign, quick: CoolingQuick) -> dict[str, Any]:
    plant = quick.plant
    return {
        "water_peak_l_per_s": plant.water_peak_l_per_s,
        "blowdown_peak_l_per_s": plant.blowdown_peak_l_per_s,
        "source_water_l_per_s": _source_water(design, quick),
        "water_storage_m3": water_storage_m3(plant.water_peak_l_per_s, design.storage_h),
    }


def _source_water(design: CoolingDesign, quick: CoolingQuick) -> float | None:
    """Water taken and given back; None where the plant takes none."""
    plant, tower = quick.plant, design.plant.tower
    if plant.kind != ONCE_THROUGH:
        return None
    heat = plant.heat_rejection_mw + max(point.trim_power_mw for point in plant.points)
    mean = tower.source_c + tower.source_rise_k / 2
    return source_water_l_per_s(heat, recorded_rho_c(design.water, mean), tower.source_rise_k)


def _details(
    design: CoolingDesign, quick: CoolingQuick, loads: tuple[ItLoad, ItLoad], pue: float | None
) -> dict[str, Any]:
    """Parts of their own; loads: capacity basis and typical."""
    it, typical = loads
    loops = loop_detail(design, quick)
    inertia = ride_through(design, quick, loops)
    heat = year_load(design, it, typical, quick).heat_mw if quick.loop else 0.0
    return {
        "ride_through_s": inertia.start_time_s if inertia else None,
        "ride_through_m3": inertia.volume_m3 if inertia else None,
        "loops": loops,
        "air_side": air_side(design, quick, it.racks),
        "ride_through": inertia,
        "heat_reuse": heat_reuse(design, quick, (heat, typical.total_mw), pue),
    }


def _points(quick: CoolingQuick) -> tuple[DesignPoint, ...]:
    load, plant = quick.load, quick.plant
    rows = []
    for power in plant.points:
        state, operation = power.state, power.state.operation
        rows.append(
            DesignPoint(
                point=state.name,
                dry_bulb_c=state.air.dry_bulb_c,
                wet_bulb_c=state.air.wet_bulb_c,
                supply_reached_c=operation.available_c,
                fan_speed=None
                if plant.kind in (AIR_CHILLER, ONCE_THROUGH)
                else operation.fan_ratio,
                wet=operation.wet,
                trim_mw=power.trim_heat_mw,
                chiller_cop=operation.cop or None,
                cdu_pump_mw=load.cdu_pump_mw,
                fws_pump_mw=load.fws_pump_mw,
                rejection_fan_mw=power.rejection_fan_mw,
                tower_pump_mw=power.tower_pump_mw,
                trim_power_mw=power.trim_power_mw,
                air_power_mw=power.air_power_mw,
                house_load_mw=plant.house_load_mw,
                pue=power.pue,
            )
        )
    return tuple(rows)
