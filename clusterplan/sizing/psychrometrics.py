"""Moist air: saturation, humidity ratio, wet bulb, dew point, enthalpy, pressure by altitude.

Equations of ASHRAE Fundamentals 2021, chapter 1 (Hyland and Wexler saturation pressure over ice and
over water). Temperatures in degC, pressures in kPa, humidity ratio in kg of water per kg of dry
air, enthalpy in kJ per kg of dry air. Valid from -60 to 80 degC. A wet bulb takes about
15 microseconds, so callers keep what does not change.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from clusterplan.core.record import formula

_SOURCE = "ASHRAE Fundamentals 2021, chapter 1"
_MASS_RATIO = 0.621945  # molar mass of water over that of dry air
_TRIPLE_C = 0.01  # between the ice and the water branch of the saturation pressure
AIR_KJ_PER_KG_K = 1.006  # heat capacity of dry air
LATENT_HEAT_KJ_PER_KG = 2430.0  # of water at about 30 degC, the temperature of tower water


class MoistAir(NamedTuple):
    """A state of outdoor air."""

    dry_bulb_c: float
    wet_bulb_c: float
    humidity_ratio_kg_per_kg: float


def saturation_pressure(temp_c: float) -> float:
    """Saturation pressure in kPa over ice (below 0.01 degC) or water (equations 5 and 6)."""
    kelvin = temp_c + 273.15
    if temp_c < _TRIPLE_C:
        exponent = (
            -5.6745359e3 / kelvin
            + 6.3925247
            - 9.677843e-3 * kelvin
            + 6.2215701e-7 * kelvin**2
            + 2.0747825e-9 * kelvin**3
            - 9.484024e-13 * kelvin**4
            + 4.1635019 * math.log(kelvin)
        )
    else:
        exponent = (
            -5.8002206e3 / kelvin
            + 1.3914993
            - 4.8640239e-2 * kelvin
            + 4.1764768e-5 * kelvin**2
            - 1.4452093e-8 * kelvin**3
            + 6.5459673 * math.log(kelvin)
        )
    return math.exp(exponent) / 1000.0


def saturated_humidity_ratio(temp_c: float, pressure_kpa: float) -> float:
    """Humidity ratio of saturated air (equation 23); infinite where water boils."""
    vapour = saturation_pressure(temp_c)
    if vapour >= pressure_kpa:
        return math.inf
    return _MASS_RATIO * vapour / (pressure_kpa - vapour)


def moist_air_enthalpy(dry_bulb_c: float, humidity_ratio: float) -> float:
    """Enthalpy in kJ/kg of dry air (equation 30)."""
    return AIR_KJ_PER_KG_K * dry_bulb_c + humidity_ratio * (2501.0 + 1.86 * dry_bulb_c)


def saturated_enthalpy(temp_c: float, pressure_kpa: float) -> float:
    """Enthalpy of saturated air in kJ/kg of dry air."""
    return moist_air_enthalpy(temp_c, saturated_humidity_ratio(temp_c, pressure_kpa))


def mixing_ratio(dry_bulb_c: float, wet_bulb_c: float, pressure_kpa: float) -> float:
    """Humidity ratio from dry and wet bulb (equations 33 and 35), not below zero."""
    saturated = saturated_humidity_ratio(wet_bulb_c, pressure_kpa)
    spread = AIR_KJ_PER_KG_K * (dry_bulb_c - wet_bulb_c)
    if wet_bulb_c >= 0.0:
        ratio = ((2501.0 - 2.326 * wet_bulb_c) * saturated - spread) / (
            2501.0 + 1.86 * dry_bulb_c - 4.186 * wet_bulb_c
        )
    else:
        ratio = ((2830.0 - 0.24 * wet_bulb_c) * saturated - spread) / (
            2830.0 + 1.86 * dry_bulb_c - 2.1 * wet_bulb_c
        )
    return max(ratio, 0.0)


def dew_point(humidity_ratio: float, pressure_kpa: float) -> float:
    """Dew point (frost point below zero) in degC by Newton on the saturation pressure."""
    vapour = pressure_kpa * max(humidity_ratio, 1e-9) / (_MASS_RATIO + max(humidity_ratio, 1e-9))
    # Magnus form as the start: within 1 K, so five steps reach rounding
    log_ratio = math.log(vapour / 0.6112)
    temp = 243.12 * log_ratio / (17.62 - log_ratio)
    for _ in range(20):
        step_k = 0.01
        value = math.log(saturation_pressure(temp))
        slope = (math.log(saturation_pressure(temp + step_k)) - value) / step_k
        change = (math.log(vapour) - value) / slope
        temp += change
        if abs(change) < 1e-9:
            break
    return temp


def wet_bulb(dry_bulb_c: float, humidity_ratio: float, pressure_kpa: float) -> float:
    """Thermodynamic wet bulb in degC, within 0.0001 K.

    Regula falsi (Illinois) between dew point and dry bulb on the energy balance of equation 33; at
    0 degC, where the balance jumps from ice to water, it closes in like a bisection. Supersaturated
    input gives the dry bulb.
    """
    if humidity_ratio >= saturated_humidity_ratio(dry_bulb_c, pressure_kpa):
        return dry_bulb_c
    low, high = dew_point(humidity_ratio, pressure_kpa), dry_bulb_c
    gap_low = mixing_ratio(dry_bulb_c, low, pressure_kpa) - humidity_ratio
    gap_high = mixing_ratio(dry_bulb_c, high, pressure_kpa) - humidity_ratio
    side = 0
    for turn in range(80):
        if high - low < 5e-5:
            break
        if turn % 12 == 11 or gap_high == gap_low:
            middle = 0.5 * (low + high)
        else:
            middle = (low * gap_high - high * gap_low) / (gap_high - gap_low)
        gap = mixing_ratio(dry_bulb_c, middle, pressure_kpa) - humidity_ratio
        if abs(gap) < 1e-10:
            return middle
        if gap > 0.0:
            high, gap_high = middle, gap
            gap_low = 0.5 * gap_low if side == 1 else gap_low
            side = 1
        else:
            low, gap_low = middle, gap
            gap_high = 0.5 * gap_high if side == -1 else gap_high
            side = -1
    return 0.5 * (low + high)


@formula(
    title="Air pressure at the site",
    equation="101.325 * (1 - 2.25577e-5 * elevation_m) ** 5.2559",
    unit="kPa",
    source=f"{_SOURCE}, equation 3",
)
def station_pressure_kpa(elevation_m: float) -> float:
    """Standard pressure at an altitude of -500 to 11,000 m."""
    return float(101.325 * (1.0 - 2.25577e-5 * elevation_m) ** 5.2559)


@formula(
    title="Air density ratio to sea level",
    equation="(1 - 2.25577e-5 * elevation_m) ** 5.25588",
    unit="",
    source="barometric identity at equal temperature (ASHRAE Fundamentals 2021, chapter 1)",
)
def air_density_ratio(elevation_m: float) -> float:
    """Density of air over that at sea level at equal temperature (0.835 at 1500 m)."""
    return float((1.0 - 2.25577e-5 * elevation_m) ** 5.25588)


@formula(
    title="Humidity ratio from dry and wet bulb",
    equation="adiabatic saturation: ((2501 - 2.326 Twb) Ws(Twb, p) - 1.006 (Tdb - Twb)) "
    "/ (2501 + 1.86 Tdb - 4.186 Twb), the ice form below 0 degC",
    unit="kg/kg",
    source=f"{_SOURCE}, equations 33 and 35",
    plain=False,
)
def humidity_ratio_kg_per_kg(dry_bulb_c: float, wet_bulb_c: float, pressure_kpa: float) -> float:
    """Humidity ratio of air of known dry and wet bulb."""
    return mixing_ratio(dry_bulb_c, wet_bulb_c, pressure_kpa)


@formula(
    title="Air state at a humidity ratio",
    equation="wet bulb from the adiabatic saturation balance at station pressure; the humidity "
    "ratio at most that of saturated air",
    unit="",
    source=f"{_SOURCE}, equations 33 and 35",
    plain=False,
)
def air_state(dry_bulb_c: float, humidity_ratio: float, pressure_kpa: float) -> MoistAir:
    """Dry bulb, wet bulb and humidity ratio; humidity above saturation is cut there."""
    ratio = min(humidity_ratio, saturated_humidity_ratio(dry_bulb_c, pressure_kpa))
    return MoistAir(dry_bulb_c, wet_bulb(dry_bulb_c, ratio, pressure_kpa), ratio)
