"""Chillers: coefficient of performance by lift, altitude.

COP = Carnot fraction x T_e / (T_c - T_e) in kelvin. The Carnot fractions are medians of EnergyPlus
catalogue curves; a constant fraction would overstate the COP at low lift.
"""

from __future__ import annotations

from typing import NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.interpolation import interpolate

_KELVIN = 273.15
MIN_LIFT_K = 10.0
# Carnot fraction by lift, 128 water-cooled machines >= 1 MW; 0.40 at 10 K extrapolates (0.40-0.46)
WATER_CARNOT = ((10.0, 0.40), (16.0, 0.46), (20.0, 0.52), (24.0, 0.57), (28.0, 0.63), (32.0, 0.66))
# leaving chilled water above which no catalogue data exist
AIR_CHILLER_DATA_MAX_C = 15.0
WATER_CHILLER_DATA_MAX_C = 12.0


class Lift(NamedTuple):
    """Evaporating and condensing temperature in degC and their difference, at least 10 K."""

    evaporating_c: float
    condensing_c: float
    lift_k: float


@formula(
    title="Carnot fraction of a water-cooled chiller",
    equation="by lift: 10 K 0.40, 16 K 0.46, 20 K 0.52, 24 K 0.57, 28 K 0.63, 32 K 0.66, linear",
    unit="",
    source="EnergyPlus DataSets Chillers.idf, medians of 128 machines; below 16 K extrapolated",
    plain=False,
)
def water_chiller_carnot(lift_k: float) -> float:
    """Carnot fraction by lift, ends held."""
    return interpolate(WATER_CARNOT, lift_k)


@formula(
    title="Lift of a water-cooled chiller",
    equation="T_e = leaving water - 1.5 K, T_c = entering condenser water + 6.5 K, lift >= 10 K",
    unit="K",
    source="clusterplan method, cooling step 15",
    plain=False,
)
def water_chiller_lift(leaving_water_c: float, condenser_water_c: float) -> Lift:
    """Lift between chilled water leaving and condenser water entering."""
    evaporating, condensing = leaving_water_c - 1.5, condenser_water_c + 6.5
    return Lift(evaporating, condensing, max(condensing - evaporating, MIN_LIFT_K))


@formula(
    title="Lift of an air-cooled chiller",
    equation="T_e = leaving water - 2 K, T_c = max(dry bulb + 12 K, 30 °C), lift >= 10 K",
    unit="K",
    source="clusterplan method, cooling step 15",
    plain=False,
)
def air_chiller_lift(leaving_water_c: float, dry_bulb_c: float) -> Lift:
    """Lift between chilled water leaving and outdoor air."""
    evaporating, condensing = leaving_water_c - 2.0, max(dry_bulb_c + 12.0, 30.0)
    return Lift(evaporating, condensing, max(condensing - evaporating, MIN_LIFT_K))


@formula(
    title="Chiller COP",
    equation="min(carnot_fraction * (evaporating_c + 273.15) / lift_k, cop_max)",
    unit="",
    source="Carnot fraction of EnergyPlus catalogue curves; capped where no data exist",
)
def chiller_cop(
    carnot_fraction: float, evaporating_c: float, lift_k: float, cop_max: float
) -> float:
    """Heat carried per electric power, condenser fans of an air-cooled chiller included."""
    return min(carnot_fraction * (evaporating_c + _KELVIN) / lift_k, cop_max)


@formula(
    title="Power factor of air-cooled chillers at altitude",
    equation="1 + 0.015 * max(elevation_m, 0) / 1000",
    unit="",
    source="engineering practice, unverified: 1.5 % per 1000 m",
)
def air_chiller_power_factor(elevation_m: float) -> float:
    """More power per kW carried in thin air; no credit below sea level."""
    return 1.0 + 0.015 * max(elevation_m, 0.0) / 1000.0


@formula(
    title="Capacity of air-cooled chillers at altitude over their rating",
    equation="1 - 0.015 * max(elevation_m, 0) / 1000",
    unit="",
    source="engineering practice, unverified: 1.5 % per 1000 m",
)
def air_chiller_site_factor(elevation_m: float) -> float:
    """Site factor of unit capacity in thin air; no credit below sea level."""
    return 1.0 - 0.015 * max(elevation_m, 0.0) / 1000.0


def air_cooled_cop(
    leaving_water_c: float, dry_bulb_c: float, carnot_fraction: float, cop_max: float
) -> float:
    """COP of an air-cooled chiller in air of `dry_bulb_c`."""
    lift = air_chiller_lift(leaving_water_c, dry_bulb_c)
    return chiller_cop(carnot_fraction, lift.evaporating_c, lift.lift_k, cop_max)


def water_cooled_cop(leaving_water_c: float, condenser_water_c: float, cop_max: float) -> float:
    """COP of a water-cooled chiller."""
    lift = water_chiller_lift(leaving_water_c, condenser_water_c)
    carnot = water_chiller_carnot(lift.lift_k)
    return chiller_cop(carnot, lift.evaporating_c, lift.lift_k, cop_max)
