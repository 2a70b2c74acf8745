"""Cooling choices as plain numbers: machines, room air, climate, the year in bins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.sizing.climate_bins import Bin, BinClimate, bins_of
from clusterplan.sizing.design_points import ClimateDesign
from clusterplan.sizing.distribution import chain_efficiency, chain_stages
from clusterplan.sizing.heat_rejection import coil_penalty_k
from clusterplan.sizing.plant_specs import AirSpec, ChillerSpec, DrySpec, TowerSpec
from clusterplan.sizing.psychrometrics import dew_point, mixing_ratio, station_pressure_kpa
from clusterplan.sizing.pue import Chain

if TYPE_CHECKING:
    from clusterplan.core.equipment import Climate
    from clusterplan.planning.choices import Choices
    from clusterplan.sizing.liquid_loop import LiquidDesign

REAR_DOOR_FAN = 0.02


def climate_design(choices: Choices, climate: Climate, elevation_m: float) -> ClimateDesign:
    """Station design values and the allowances on them."""
    number = choices.number
    return ClimateDesign(
        elevation_m=elevation_m,
        db_0p4_c=climate.db_0p4_c,
        mcwb_0p4_c=climate.mcwb_0p4_c,
        wb_0p4_c=climate.wb_0p4_c,
        db_n20_c=climate.db_n20_c,
        heating_99p6_c=climate.heating_99p6_c,
        mean_db_c=climate.annual_mean_db_c,
        mean_wb_c=climate.annual_mean_wb_c,
        mean_dp_c=climate.annual_mean_dp_c,
        verified_means=climate.verified_means,
        warming_k=number("cooling.warming_allowance"),
        plume_dry_mid_k=number("cooling.plume_dry_mid"),
        plume_dry_large_k=number("cooling.plume_dry_large"),
        plume_tower_k=number("cooling.plume_tower"),
        humid_allowance_k=number("cooling.humid_wet_bulb_allowance"),
        humid_fraction=number("cooling.humid_dry_bulb_fraction"),
        cold_allowance_k=number("cooling.cold_allowance"),
    )


def dry_spec(choices: Choices, loop: LiquidDesign | None) -> DrySpec:
    """Dry and adiabatic coolers, with the penalty of the glycol in `loop`."""
    number = choices.number
    penalty = 0.0
    percent = _vol_percent(loop)
    if percent > 0.0:
        penalty = coil_penalty_k(
            percent,
            number("cooling.coil_penalty_30"),
            number("cooling.coil_penalty_40"),
            number("cooling.coil_penalty_50"),
        )
    return DrySpec(
        approach_k=number("cooling.dry_approach"),
        unit_kw=1000.0 * number("cooling.dry_unit"),
        dry_fan=number("cooling.dry_fan_power"),
        adiabatic_fan=number("cooling.adiabatic_fan_power"),
        pad_efficiency=number("cooling.pad_efficiency"),
        pad_bleed=number("cooling.pad_bleed"),
        air_rise_k=number("cooling.pad_air_rise"),
        coil_penalty_k=penalty,
    )


def _vol_percent(loop: LiquidDesign | None) -> float:
    name = "water" if loop is None else loop.fws.coolant_id
    return float(name.removeprefix("pg")) if name.startswith("pg") else 0.0


def tower_spec(choices: Choices) -> TowerSpec:
    """Open and closed towers."""
    number = choices.number
    return TowerSpec(
        approach_k=number("cooling.tower_approach"),
        exchanger_k=number("cooling.tower_hx_approach"),
        fan=number("cooling.tower_fan_power"),
        pump=number("cooling.tower_pump_power"),
        unit_kw=1000.0 * number("cooling.tower_unit"),
        ntu_coefficient=number("cooling.tower_ntu_coefficient"),
        latent_fraction=number("cooling.tower_latent_fraction"),
        closed_approach_k=number("cooling.closed_tower_approach"),
        closed_fan=number("cooling.closed_tower_fan_power"),
        closed_spray=number("cooling.closed_tower_spray_power"),
        cycles=number("cooling.cycles_of_concentration"),
        drift=number("cooling.drift"),
        source_c=source_water_c(choices) or 0.0,
        source_pump=number("cooling.source_pump_power"),
        source_rise_k=number("cooling.source_rise"),
        source_unit_kw=1000.0 * number("cooling.source_unit"),
    )


def source_water_c(choices: Choices) -> float | None:
    """Highest temperature of the river or sea water, None where the user gives none."""
    return choices.optional("cooling.source_water")


def chiller_spec(choices: Choices) -> ChillerSpec:
    """Air- and water-cooled chillers."""
    number = choices.number
    return ChillerSpec(
        air_unit_kw=1000.0 * number("cooling.air_chiller_unit"),
        water_unit_kw=1000.0 * number("cooling.water_chiller_unit"),
        air_carnot=number("cooling.air_chiller_carnot"),
        air_cop_max=number("cooling.air_chiller_cop_max"),
        water_cop_max=number("cooling.water_chiller_cop_max"),
        free_fan=number("cooling.free_cooling_fan_power"),
    )


def air_spec(choices: Choices) -> AirSpec:
    """Room air. Raises InputError where the water returns no warmer than it came."""
    number = choices.number
    supply = number("cooling.air_water_supply")
    back = number("cooling.air_water_return")
    if back <= supply:
        raise InputError(
            Problem(
                f"water returns from the room-air coils at {back:g} degC, not above its supply of"
                f" {supply:g} degC",
                path="design.cooling.air_water_return",
            )
        )
    return AirSpec(
        air_rise_k=number("cooling.air_rise"),
        fan=number("cooling.room_fan_power"),
        door_fan=REAR_DOOR_FAN,
        water_supply_c=supply,
        water_return_c=back,
        pump=number("cooling.air_water_pump_power"),
    )


def year_bins(
    climate: ClimateDesign, warm_width_k: float, *, wet: bool = True
) -> tuple[Bin, ...] | None:
    """The year in bins of 1 K, above the annual mean of `warm_width_k`; `wet`: with wet bulbs.

    None where the climate lacks its annual means.
    """
    found = bin_climate(climate)
    return None if found is None else bins_of(found, warm_width_k=warm_width_k, wet=wet)


def bin_climate(climate: ClimateDesign) -> BinClimate | None:
    """What the bins need; None where the climate lacks its annual means."""
    mean = climate.mean_db_c
    if mean is None or not climate.heating_99p6_c < mean < climate.db_0p4_c:
        return None
    pressure = station_pressure_kpa(climate.elevation_m)
    mean_dp = climate.mean_dp_c
    if mean_dp is None:
        if climate.mean_wb_c is None:
            return None
        mean_dp = dew_point(mixing_ratio(mean, climate.mean_wb_c, pressure), pressure)
    return BinClimate(
        climate.heating_99p6_c,
        climate.db_0p4_c,
        climate.mcwb_0p4_c,
        mean,
        mean_dp,
        climate.warming_k,
        pressure,
    )


_STAGES = ("hv_mv_transformer", "mv_distribution", "mv_lv_transformer", "ups", "busway")


def heat_only_chain(choices: Choices) -> Chain:
    """The chain of cooling alone: one HV/MV stage, its losses no heat of the rooms."""
    stages = chain_stages(
        {name: choices.number(f"electrical.efficiency.{name}") for name in _STAGES},
        hv_stages=1,
        ups=choices.text("ups") != "none",
    )
    return Chain(*chain_efficiency(stages))
