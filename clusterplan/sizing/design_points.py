"""The outdoor air for which a plant is sized: hot, humid, switch-over and cold design points.

Ambient at the machines = station + warming + plume. Sizing for a yearly percentile alone is not
enough: the 20-year dry bulb governs dry machines, the humid point governs pads and towers, and an
adiabatic cooler draws its highest fan power just before its pads wet.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from clusterplan.core.record import active_recorder, formula
from clusterplan.sizing.psychrometrics import (
    MoistAir,
    air_state,
    humidity_ratio_kg_per_kg,
    station_pressure_kpa,
    wet_bulb,
)

_METHOD = "clusterplan method, cooling step 10"
PLUME_MID_MW = 20.0
PLUME_LARGE_MW = 100.0


class ClimateDesign(NamedTuple):
    """Station design values in degC and what is added to them, resolved once.

    Means are None where the climate gives none; then no year is computed.
    """

    elevation_m: float
    db_0p4_c: float
    mcwb_0p4_c: float
    wb_0p4_c: float
    db_n20_c: float
    heating_99p6_c: float
    mean_db_c: float | None = None
    mean_wb_c: float | None = None
    mean_dp_c: float | None = None
    verified_means: bool = True
    warming_k: float = 1.0
    plume_dry_mid_k: float = 1.0
    plume_dry_large_k: float = 2.0
    plume_tower_k: float = 0.5
    humid_allowance_k: float = 1.5
    humid_fraction: float = 0.7
    cold_allowance_k: float = 12.0


class DesignAir(NamedTuple):
    """Air of the hot and humid points at one plume."""

    hot: MoistAir
    humid: MoistAir


@formula(
    title="Plume recirculation of dry machines",
    equation="0 if pad_mw < 20 else (plume_mid_k if pad_mw <= 100 else plume_large_k)",
    unit="K",
    source=_METHOD,
)
def plume_dry_k(pad_mw: float, plume_mid_k: float, plume_large_k: float) -> float:
    """Rise of the inlet air of dry machines by the heat of one pad (1 K from 20 to 100 MW)."""
    if pad_mw < PLUME_MID_MW:
        return 0.0
    return plume_mid_k if pad_mw <= PLUME_LARGE_MW else plume_large_k


@formula(
    title="Wet-bulb recirculation of towers",
    equation="plume_k if pad_mw > 20 else 0",
    unit="K",
    source=_METHOD,
)
def plume_tower_k(pad_mw: float, plume_k: float) -> float:
    """Rise of the wet bulb at the towers of one pad, above 20 MW."""
    return plume_k if pad_mw > PLUME_MID_MW else 0.0


@formula(
    title="Dry bulb of the hot point, 20-year return",
    equation="db_n20_c + warming_k",
    unit="°C",
    source=_METHOD,
)
def hot_dry_bulb_c(db_n20_c: float, warming_k: float) -> float:
    """Dry bulb in the hottest hour of 20 years, before any plume."""
    return db_n20_c + warming_k


@formula(
    title="Wet bulb of the humid point",
    equation="wb_0p4_c + humid_allowance_k + warming_k",
    unit="°C",
    source=_METHOD,
)
def humid_wet_bulb_c(wb_0p4_c: float, humid_allowance_k: float, warming_k: float) -> float:
    """Wet bulb of the most humid hours, before any plume."""
    return wb_0p4_c + humid_allowance_k + warming_k


@formula(
    title="Dry bulb of the humid point",
    equation="humid_wet_bulb_c + humid_fraction * (db_0p4_c - wb_0p4_c)",
    unit="°C",
    source=_METHOD,
)
def humid_dry_bulb_c(
    humid_wet_bulb_c: float, humid_fraction: float, db_0p4_c: float, wb_0p4_c: float
) -> float:
    """Dry bulb that goes with the humid point, before any plume."""
    return humid_wet_bulb_c + humid_fraction * (db_0p4_c - wb_0p4_c)


@formula(
    title="Coldest design hour",
    equation="heating_99p6_c - cold_allowance_k",
    unit="°C",
    source=_METHOD,
)
def cold_dry_bulb_c(heating_99p6_c: float, cold_allowance_k: float) -> float:
    """Coldest hour for freeze protection and free cooling; no warming is credited."""
    return heating_99p6_c - cold_allowance_k


@formula(
    title="Switch-over dry bulb of an adiabatic cooler",
    equation="fws_supply_temp_c - dry_approach_k",
    unit="°C",
    source="clusterplan method, cooling step 10: the dry fan ratio x reaches 1",
)
def switch_over_dry_bulb_c(fws_supply_temp_c: float, dry_approach_k: float) -> float:
    """Dry bulb at which the pads of an adiabatic cooler wet."""
    return fws_supply_temp_c - dry_approach_k


@formula(
    title="Outdoor air at the machines",
    equation="dry bulb + plume at constant humidity ratio, wet bulb recomputed (dry machines); wet "
    "bulb + plume (towers)",
    unit="",
    source=_METHOD,
    plain=False,
)
def air_at_machines(
    dry_bulb_c: float,
    wet_bulb_c: float,
    humidity_ratio: float,
    plume_dry_k: float,
    plume_wet_k: float,
    pressure_kpa: float,
) -> MoistAir:
    """Air of a design point with the plume of dry machines or of towers."""
    if plume_dry_k == 0.0:
        return MoistAir(dry_bulb_c, wet_bulb_c + plume_wet_k, humidity_ratio)
    wet = wet_bulb(dry_bulb_c + plume_dry_k, humidity_ratio, pressure_kpa)
    return MoistAir(dry_bulb_c + plume_dry_k, wet + plume_wet_k, humidity_ratio)


def design_air(climate: ClimateDesign, plume_dry_k: float, plume_wet_k: float = 0.0) -> DesignAir:
    """Hot and humid air at the machines (towers: no dry plume, a wet-bulb one).

    The hot point holds the humidity ratio of (db_0p4, mcwb_0p4); wet bulbs are recomputed at
    station pressure. Warming raises the hot dry bulb and the humid wet bulb.
    """
    make = _design_air if active_recorder() is not None else _kept_design_air
    return make(climate, plume_dry_k, plume_wet_k)


def _design_air(climate: ClimateDesign, plume_dry_k: float, plume_wet_k: float) -> DesignAir:
    pressure = station_pressure_kpa(climate.elevation_m)
    ratio = humidity_ratio_kg_per_kg(climate.db_0p4_c, climate.mcwb_0p4_c, pressure)
    hot = air_state(hot_dry_bulb_c(climate.db_n20_c, climate.warming_k), ratio, pressure)
    wet = humid_wet_bulb_c(climate.wb_0p4_c, climate.humid_allowance_k, climate.warming_k)
    dry = humid_dry_bulb_c(wet, climate.humid_fraction, climate.db_0p4_c, climate.wb_0p4_c)
    humid = MoistAir(dry, wet, humidity_ratio_kg_per_kg(dry, wet, pressure))
    return DesignAir(
        air_at_machines(*hot, plume_dry_k, plume_wet_k, pressure),
        air_at_machines(*humid, plume_dry_k, plume_wet_k, pressure),
    )


# several plants are tried at one place, with and without a plume
_kept_design_air = lru_cache(maxsize=64)(_design_air)


def switch_over_air(climate: ClimateDesign, dry_bulb_c: float) -> MoistAir:
    """Air at the switch-over dry bulb, with the humidity of the hot point (dry pads: no matter)."""
    pressure = station_pressure_kpa(climate.elevation_m)
    ratio = humidity_ratio_kg_per_kg(climate.db_0p4_c, climate.mcwb_0p4_c, pressure)
    state = air_state(dry_bulb_c, ratio, pressure)
    return air_at_machines(*state, 0.0, 0.0, pressure)
