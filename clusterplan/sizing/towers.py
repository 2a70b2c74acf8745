"""Cooling towers: Braun effectiveness, approach and airflow off design, water.

Counter-flow effectiveness on saturated-air enthalpy (Braun, Klein and Mitchell 1989): it agrees
with the Merkel integral within 0.35 K of approach and 1.5 % of airflow. L/G is the mass ratio of
water to dry air. All temperatures in degC.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.psychrometrics import (
    LATENT_HEAT_KJ_PER_KG,
    moist_air_enthalpy,
    saturated_enthalpy,
    saturated_humidity_ratio,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_WATER_KJ_PER_KG_K = 4.186
_SOURCE = "Braun, Klein and Mitchell 1989 (ASHRAE Transactions 95), counter-flow effectiveness"


class TowerWater(NamedTuple):
    """Water of a tower per kW of heat."""

    evaporation_l_per_s: float
    blowdown_l_per_s: float
    makeup_l_per_s: float
    latent_fraction: float


class TowerCell(NamedTuple):
    """NTU = coefficient x (L/G)^0.4 of the cell, and the air pressure."""

    ntu_coefficient: float
    pressure_kpa: float


def _effectiveness_heat(
    ratio: float, h_in: float, h_air: float, slope: float, tower: TowerCell
) -> float:
    ntu = tower.ntu_coefficient * ratio**0.4
    capacity = slope / (ratio * _WATER_KJ_PER_KG_K)
    if abs(capacity - 1.0) < 1e-9:
        effectiveness = ntu / (1.0 + ntu)
    else:
        # a tower short of water: e tends to 1/m*, exp would overflow
        exponent = min(-ntu * (1.0 - capacity), 300.0)
        decay = math.exp(exponent)
        effectiveness = (1.0 - decay) / (1.0 - capacity * decay)
    return float(effectiveness * (h_in - h_air) / ratio)


def _solve(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Root between two bounds of opposite sign (Illinois regula falsi)."""
    f_low, f_high = function(low), function(high)
    if f_low == 0.0:
        return low
    if f_low * f_high > 0.0:
        return low if abs(f_low) < abs(f_high) else high
    side = 0
    middle = low
    for _ in range(100):
        middle = (low * f_high - high * f_low) / (f_high - f_low)
        value = function(middle)
        if abs(value) < tolerance or high - low < 1e-12:
            break
        if value * f_high > 0.0:
            high, f_high = middle, value
            f_low = 0.5 * f_low if side == 1 else f_low
            side = 1
        else:
            low, f_low = middle, value
            f_high = 0.5 * f_high if side == -1 else f_high
            side = -1
    return middle


@formula(
    title="Tower L/G that holds a water temperature",
    equation="L/G at which e (h_s(T_in) - h_a) / (L/G) = 4.186 (T_in - T_out); NTU = c (L/G)^0.4, "
    "m* = c_s / (4.186 L/G), e = (1 - exp(-NTU (1 - m*))) / (1 - m* exp(-NTU (1 - m*)))",
    unit="",
    source=_SOURCE,
    plain=False,
)
def tower_liquid_to_gas(
    water_out_c: float,
    range_k: float,
    wet_bulb_c: float,
    ntu_coefficient: float,
    pressure_kpa: float,
) -> float:
    """L/G at which the cell cools by `range_k` to `water_out_c`; 0 where the air is too humid."""
    if water_out_c <= wet_bulb_c + 1e-9:
        return 0.0
    tower = TowerCell(ntu_coefficient, pressure_kpa)
    h_in = saturated_enthalpy(water_out_c + range_k, pressure_kpa)
    h_air = saturated_enthalpy(wet_bulb_c, pressure_kpa)
    slope = (h_in - saturated_enthalpy(water_out_c, pressure_kpa)) / range_k
    due = _WATER_KJ_PER_KG_K * range_k

    def gap(log_ratio: float) -> float:
        return math.log(_effectiveness_heat(math.exp(log_ratio), h_in, h_air, slope, tower) / due)

    return math.exp(_solve(gap, math.log(1e-4), math.log(1e3), 1e-11))


@formula(
    title="Water temperature a tower reaches",
    equation="T_out at which e (h_s(T_out + range) - h_a) / (L/G) = 4.186 range at the given L/G",
    unit="°C",
    source=_SOURCE,
    plain=False,
)
def tower_water_out_c(
    liquid_to_gas: float,
    range_k: float,
    wet_bulb_c: float,
    ntu_coefficient: float,
    pressure_kpa: float,
) -> float:
    """Leaving water of a cell at an L/G, water range and wet bulb."""
    tower = TowerCell(ntu_coefficient, pressure_kpa)
    h_air = saturated_enthalpy(wet_bulb_c, pressure_kpa)
    due = _WATER_KJ_PER_KG_K * range_k

    def gap(water_out_c: float) -> float:
        h_in = saturated_enthalpy(water_out_c + range_k, pressure_kpa)
        slope = (h_in - saturated_enthalpy(water_out_c, pressure_kpa)) / range_k
        return _effectiveness_heat(liquid_to_gas, h_in, h_air, slope, tower) / due - 1.0

    reach = 4.0
    while gap(wet_bulb_c + reach) < 0.0 and reach < 60.0:
        reach *= 2.0
    return _solve(gap, wet_bulb_c + 1e-6, wet_bulb_c + reach, 1e-10)


@formula(
    title="Tower airflow ratio",
    equation="load_fraction * design_liquid_to_gas / liquid_to_gas",
    unit="",
    source="clusterplan method, cooling step 14: air per kW goes with 1/(L/G) at constant range",
)
def tower_air_ratio(
    load_fraction: float, design_liquid_to_gas: float, liquid_to_gas: float
) -> float:
    """Airflow over design airflow that holds the set point."""
    return load_fraction * design_liquid_to_gas / liquid_to_gas


@formula(
    title="Tower fan power per kW of design heat",
    equation="design_heat_per_kw * fan_kw_per_kw * fan_speed ** 3",
    unit="",
    source="clusterplan method, cooling step 14",
)
def tower_fan_kw_per_kw(design_heat_per_kw: float, fan_kw_per_kw: float, fan_speed: float) -> float:
    """Fan power by the cube law per kW of FWS heat; design heat holds the trim condensers."""
    return design_heat_per_kw * fan_kw_per_kw * fan_speed**3


@formula(
    title="Tower water per kW of heat, air balance",
    equation="E = m_a (W_sat,out - W_amb), h_out = h_amb + Q / m_a; blowdown = E / (COC - 1) - "
    "drift; make-up = E COC / (COC - 1)",
    unit="L/s",
    source="clusterplan method, cooling step 17: air leaves saturated",
    plain=False,
)
def tower_water_per_kw(
    dry_bulb_c: float,
    humidity_ratio: float,
    pressure_kpa: float,
    liquid_to_gas: float,
    range_k: float,
    cycles: float,
    drift_fraction: float,
) -> TowerWater:
    """Peak water of 1 kW of heat at an air state and the L/G at which the tower runs."""
    water_kg_s = 1.0 / (_WATER_KJ_PER_KG_K * range_k)
    air_kg_s = water_kg_s / liquid_to_gas
    h_out = moist_air_enthalpy(dry_bulb_c, humidity_ratio) + 1.0 / air_kg_s

    def gap(temp_c: float) -> float:
        return saturated_enthalpy(temp_c, pressure_kpa) / h_out - 1.0

    air_out = _solve(gap, -40.0, 75.0, 1e-10)
    gained = saturated_humidity_ratio(air_out, pressure_kpa) - humidity_ratio
    evaporation = max(air_kg_s * gained, 0.0)
    blowdown = max(evaporation / (cycles - 1.0) - drift_fraction * water_kg_s, 0.0)
    makeup = evaporation * cycles / (cycles - 1.0)
    return TowerWater(evaporation, blowdown, makeup, evaporation * LATENT_HEAT_KJ_PER_KG)


@formula(
    title="Tower make-up per kW of heat, yearly mean",
    equation="latent_fraction / 2430 * cycles / (cycles - 1)",
    unit="L/s",
    source="clusterplan method, cooling step 17; latent fraction calibrated on NREL ESIF",
)
def tower_mean_makeup_per_kw(latent_fraction: float, cycles: float) -> float:
    """Mean make-up in L/s of 1 kW of heat (1.27 L/kWh evaporated at a latent fraction of 0.86)."""
    return latent_fraction / LATENT_HEAT_KJ_PER_KG * cycles / (cycles - 1.0)
