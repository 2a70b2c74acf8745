"""Moist air of many hours at once: the equations of `psychrometrics` on NumPy arrays.

Temperatures in degC, pressures in kPa, humidity ratios in kg of water per kg of dry air. NumPy is
imported inside the functions: a plan without an hourly year does not load it. The wet bulb of
8,760 hours takes about 5 ms; it is within 0.0001 K of the balance of equation 33.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.sizing.psychrometrics import AIR_KJ_PER_KG_K

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hours = NDArray[np.float64]
    Flags = NDArray[np.bool_]

_MASS_RATIO = 0.621945
_TRIPLE_C = 0.01
_TURNS = 30
# (constant, per kelvin, K, K^2, K^3, K^4, log) of equations 5 (over ice) and 6 (over water)
_ICE = (6.3925247, -5.6745359e3, -9.677843e-3, 6.2215701e-7, 2.0747825e-9, -9.484024e-13, 4.1635019)
_WATER = (1.3914993, -5.8002206e3, -4.8640239e-2, 4.1764768e-5, -1.4452093e-8, 0.0, 6.5459673)
# latent heat, its slope with the wet bulb, and heat capacity of the water or ice (eq. 33 and 35)
_ICE_BALANCE = (2830.0, 0.24, 2.1)
_WATER_BALANCE = (2501.0, 2.326, 4.186)


class HourlyAir(NamedTuple):
    """Outdoor air hour by hour; pressure_kpa may be one figure for all hours."""

    dry_bulb_c: Hours
    wet_bulb_c: Hours
    humidity_ratio_kg_per_kg: Hours
    pressure_kpa: Hours


def _log_pressure(kelvin: Hours, terms: tuple[float, ...]) -> Hours:
    import numpy as np

    c0, inverse, c1, c2, c3, c4, log = terms
    series = c0 + kelvin * (c1 + kelvin * (c2 + kelvin * (c3 + kelvin * c4)))
    result: Hours = inverse / kelvin + series + log * np.log(kelvin)
    return result


def _log_slope(kelvin: Hours, terms: tuple[float, ...]) -> Hours:
    _, inverse, c1, c2, c3, c4, log = terms
    series = c1 + kelvin * (2.0 * c2 + kelvin * (3.0 * c3 + kelvin * 4.0 * c4))
    return -inverse / kelvin**2 + series + log / kelvin


def saturation_pressures_kpa(temp_c: Hours) -> Hours:
    """Saturation pressure in kPa over ice below 0.01 degC, over water above (eq. 5 and 6)."""
    import numpy as np

    temps = np.asarray(temp_c, dtype=float)
    kelvin = temps + 273.15
    if temps.size and temps.min() >= _TRIPLE_C:
        exponent = _log_pressure(kelvin, _WATER)
    else:
        exponent = np.where(
            temps < _TRIPLE_C, _log_pressure(kelvin, _ICE), _log_pressure(kelvin, _WATER)
        )
    result: Hours = np.exp(exponent) / 1000.0
    return result


def saturated_humidity_ratios(temp_c: Hours, pressure_kpa: Hours) -> Hours:
    """Humidity ratio of saturated air (equation 23), for temperatures below boiling."""
    vapour = saturation_pressures_kpa(temp_c)
    return _MASS_RATIO * vapour / (pressure_kpa - vapour)


def humidity_ratios_at(dry_bulb_c: Hours, relative_humidity: Hours, pressure_kpa: Hours) -> Hours:
    """Humidity ratio at a relative humidity, as a fraction (equations 12 and 20)."""
    vapour = relative_humidity * saturation_pressures_kpa(dry_bulb_c)
    return _MASS_RATIO * vapour / (pressure_kpa - vapour)


def enthalpies(dry_bulb_c: Hours, humidity_ratio: Hours) -> Hours:
    """Enthalpy in kJ/kg of dry air (equation 30)."""
    return AIR_KJ_PER_KG_K * dry_bulb_c + humidity_ratio * (2501.0 + 1.86 * dry_bulb_c)


def saturated_enthalpies(temp_c: Hours, pressure_kpa: Hours) -> Hours:
    """Enthalpy of saturated air in kJ/kg of dry air."""
    return enthalpies(temp_c, saturated_humidity_ratios(temp_c, pressure_kpa))


def mixing_ratios(dry_bulb_c: Hours, wet_bulb_c: Hours, pressure_kpa: Hours) -> Hours:
    """Humidity ratio from dry and wet bulb (equations 33 and 35), not below zero."""
    import numpy as np

    saturated = saturated_humidity_ratios(wet_bulb_c, pressure_kpa)
    spread = AIR_KJ_PER_KG_K * (dry_bulb_c - wet_bulb_c)
    water, ice = (
        ((latent - slope * wet_bulb_c) * saturated - spread)
        / (latent + 1.86 * dry_bulb_c - heat * wet_bulb_c)
        for latent, slope, heat in (_WATER_BALANCE, _ICE_BALANCE)
    )
    result: Hours = np.maximum(np.where(wet_bulb_c >= 0.0, water, ice), 0.0)
    return result


def dew_points_c(humidity_ratio: Hours, pressure_kpa: Hours) -> Hours:
    """Dew point (frost point below zero) in degC by Newton on the log of saturation pressure."""
    import numpy as np

    ratio = np.maximum(humidity_ratio, 1e-9)
    vapour = pressure_kpa * ratio / (_MASS_RATIO + ratio)
    log_ratio = np.log(vapour / 0.6112)
    due = np.log(1000.0 * vapour)
    temps: Hours = 243.12 * log_ratio / (17.62 - log_ratio)
    for _ in range(_TURNS):
        kelvin, ice = temps + 273.15, temps < _TRIPLE_C
        value = np.where(ice, _log_pressure(kelvin, _ICE), _log_pressure(kelvin, _WATER))
        slope = np.where(ice, _log_slope(kelvin, _ICE), _log_slope(kelvin, _WATER))
        change = (due - value) / slope
        temps = temps + change
        if np.abs(change).max() < 1e-9:
            break
    return temps


def wet_bulbs_c(
    dry_bulb_c: Hours,
    humidity_ratio: Hours,
    pressure_kpa: Hours,
    start_c: Hours | None = None,
) -> Hours:
    """Thermodynamic wet bulb in degC; air above saturation has its dry bulb.

    start_c: about where it lies, which saves turns.

    Where the balances over ice and over water both hold, the one over water counts, as with a
    wetted bulb.
    """
    import numpy as np

    dry, ratio, pressure = np.broadcast_arrays(
        *(np.asarray(x, dtype=float) for x in (dry_bulb_c, humidity_ratio, pressure_kpa))
    )
    saturated = ratio >= saturated_humidity_ratios(dry, pressure)
    at_zero = mixing_ratios(dry, np.zeros_like(dry), pressure)
    wet = np.array(dry)
    start = wet if start_c is None else np.minimum(start_c, dry)
    over_water = ~saturated & (dry >= 0.0) & (ratio >= at_zero)
    over_ice = ~saturated & ~over_water
    for chosen, terms, balance in (
        (over_water, _WATER, _WATER_BALANCE),
        (over_ice, _ICE, _ICE_BALANCE),
    ):
        if chosen.any():
            some = (dry[chosen], ratio[chosen], pressure[chosen], start[chosen])
            wet[chosen] = _balanced(*some, terms, balance)
    return wet


def _balanced(
    dry: Hours,
    ratio: Hours,
    pressure: Hours,
    start: Hours,
    terms: tuple[float, ...],
    balance: tuple[float, float, float],
) -> Hours:
    """Newton: the balance is convex in the wet bulb, so from the first turn on it falls."""
    import numpy as np

    latent, fall, heat = balance
    wet = np.array(start) if terms is _WATER else np.minimum(start, 0.0)
    for _ in range(_TURNS):
        kelvin = wet + 273.15
        vapour = np.exp(_log_pressure(kelvin, terms)) / 1000.0
        rest = pressure - vapour
        saturated = _MASS_RATIO * vapour / rest
        growth = saturated * _log_slope(kelvin, terms) * pressure / rest
        carried = latent - fall * wet
        gap = (
            carried * saturated
            - AIR_KJ_PER_KG_K * (dry - wet)
            - ratio * (latent + 1.86 * dry - heat * wet)
        )
        slope = carried * growth - fall * saturated + AIR_KJ_PER_KG_K + ratio * heat
        change = gap / slope
        wet = wet - change
        if np.abs(change).max() < 1e-4:  # each turn squares what is off: 1e-9 K is left
            break
    return wet


def hourly_air(
    dry_bulb_c: Any,
    humidity_ratio: Any,
    pressure_kpa: Any,
    warming_k: float = 0.0,
) -> HourlyAir:
    """Air of the hours from dry bulb, humidity ratio and station pressure.

    Warming shifts dry bulb and dew point alike, as in the bins; humidity is cut at saturation.
    """
    import numpy as np

    dry = np.asarray(dry_bulb_c, dtype=float)
    pressure = np.broadcast_to(np.asarray(pressure_kpa, dtype=float), dry.shape)
    ratio = np.minimum(
        np.asarray(humidity_ratio, dtype=float), saturated_humidity_ratios(dry, pressure)
    )
    if warming_k != 0.0:
        dew = dew_points_c(ratio, pressure) + warming_k
        dry = dry + warming_k
        ratio = np.minimum(
            saturated_humidity_ratios(dew, pressure), saturated_humidity_ratios(dry, pressure)
        )
    return HourlyAir(dry, wet_bulbs_c(dry, ratio, pressure), ratio, pressure)
