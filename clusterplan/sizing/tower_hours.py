"""Cooling towers through many hours at once: the relations of `towers` on NumPy arrays.

Same symbols and units as there; wet bulb, air and pressure are arrays of one value an hour, the
cell's coefficient and temperatures plain numbers, the water range either. NumPy is imported inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.sizing.moist_air_hours import (
    enthalpies,
    saturated_enthalpies,
    saturated_humidity_ratios,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.sizing.moist_air_hours import Hours

_WATER_KJ_PER_KG_K = 4.186
_TURNS = 100
_SECANTS = 12
_SECANT_REACH = 40.0  # K, or in the logarithm of a ratio


def _heat(ratio: Hours, h_in: Hours, h_air: Hours, slope: Hours, coefficient: float) -> Hours:
    """Heat per kg of water by effectiveness, kJ/kg (Braun, Klein and Mitchell 1989)."""
    import numpy as np

    ntu = coefficient * ratio**0.4
    capacity = slope / (ratio * _WATER_KJ_PER_KG_K)
    rest = 1.0 - capacity
    decay = np.exp(np.minimum(-ntu * rest, 300.0))
    level = np.abs(rest) < 1e-9
    below = np.where(level, 1.0, 1.0 - capacity * decay)
    effectiveness = np.where(level, ntu / (1.0 + ntu), (1.0 - decay) / below)
    result: Hours = effectiveness * (h_in - h_air) / ratio
    return result


def _secant(
    function: Callable[[Hours], Hours], start: Hours, step: float, tolerance: float
) -> Hours | None:
    """Roots of smooth functions near `start` by secants; None where any is not found soon."""
    import numpy as np

    last, at_last = start, function(start)
    guess = start + step
    for _ in range(_SECANTS):
        value = function(guess)
        if np.abs(value).max() < tolerance:
            return guess
        rise = value - at_last
        level = rise == 0.0
        if level.any():
            rise = np.where(level, np.inf, rise)  # stay where it is level: found, or given up
        following = guess - value * (guess - last) / rise
        if not np.abs(following - start).max() < _SECANT_REACH:  # also where it is no number
            return None
        last, at_last, guess = guess, value, following
    return None


def _roots(function: Callable[[Hours], Hours], low: Hours, high: Hours, tolerance: float) -> Hours:
    """Roots between two bounds, hour by hour (Illinois regula falsi).

    Where the bounds do not bracket a root, the bound nearer to one.
    """
    import numpy as np

    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    f_low, f_high = function(low), function(high)
    none = f_low * f_high > 0.0
    nearer = np.where(np.abs(f_low) < np.abs(f_high), low, high)
    middle = np.where(f_low == 0.0, low, high)
    side = np.zeros(low.shape, dtype=int)
    done = none | (f_low == 0.0) | (f_high == 0.0)
    for _ in range(_TURNS):
        if done.all():
            break
        guess = (low * f_high - high * f_low) / np.where(done, 1.0, f_high - f_low)
        middle = np.where(done, middle, guess)
        value = function(middle)
        upper = value * f_high > 0.0
        weight_low = np.where(upper & (side == 1), 0.5, 1.0)
        weight_high = np.where(~upper & (side == -1), 0.5, 1.0)
        moved, stayed = upper & ~done, ~upper & ~done
        high, low = np.where(moved, middle, high), np.where(stayed, middle, low)
        f_high = np.where(moved, value, f_high * np.where(stayed, weight_high, 1.0))
        f_low = np.where(stayed, value, f_low * np.where(moved, weight_low, 1.0))
        side = np.where(upper, 1, -1)
        done = done | (np.abs(value) < tolerance) | (np.abs(high - low) < 1e-12)
    result: Hours = np.where(none, nearer, middle)
    return result


def liquid_to_gas_hours(
    water_out_c: float,
    range_k: float | Hours,
    wet_bulb_c: Hours,
    ntu_coefficient: float,
    pressure_kpa: Hours,
    near: Hours | None = None,
) -> Hours:
    """L/G at which the cell holds `water_out_c`, hour by hour; 0 where the air is too humid.

    near: about what it is, which saves turns.
    """
    import numpy as np

    reached = water_out_c > wet_bulb_c + 1e-9
    wet = np.where(reached, wet_bulb_c, water_out_c - 1.0)
    h_in = saturated_enthalpies(np.asarray(water_out_c + range_k), pressure_kpa)
    h_air = saturated_enthalpies(wet, pressure_kpa)
    slope = (h_in - saturated_enthalpies(np.asarray(water_out_c), pressure_kpa)) / range_k
    due = _WATER_KJ_PER_KG_K * range_k

    def gap(log_ratio: Hours) -> Hours:
        heat = _heat(np.exp(log_ratio), h_in, h_air, slope, ntu_coefficient)
        result: Hours = np.log(heat / due)
        return result

    low, high = np.log(1e-4), np.log(1e3)
    start = np.zeros(wet.shape) if near is None else np.log(near)
    found = _secant(gap, start, 0.1, 1e-9)
    if found is None or (found < low).any() or (found > high).any():
        found = _roots(gap, np.full(wet.shape, low), np.full(wet.shape, high), 1e-11)
    result: Hours = np.where(reached, np.exp(found), 0.0)
    return result


def water_out_hours(
    liquid_to_gas: Hours,
    range_k: float | Hours,
    wet_bulb_c: Hours,
    ntu_coefficient: float,
    pressure_kpa: Hours,
) -> Hours:
    """Leaving water in degC at an L/G, hour by hour."""
    import numpy as np

    h_air = saturated_enthalpies(wet_bulb_c, pressure_kpa)
    due = _WATER_KJ_PER_KG_K * range_k

    def gap(water_out_c: Hours) -> Hours:
        # both ends of the range in one go: half the calls
        both = saturated_enthalpies(np.stack((water_out_c + range_k, water_out_c)), pressure_kpa)
        h_in, slope = both[0], (both[0] - both[1]) / range_k
        return _heat(liquid_to_gas, h_in, h_air, slope, ntu_coefficient) / due - 1.0

    found = _secant(gap, wet_bulb_c + 4.0, 0.5, 1e-9)
    if found is not None and (found >= wet_bulb_c).all():
        return found
    reach = np.full(np.shape(wet_bulb_c), 4.0)
    for _ in range(4):
        short = gap(wet_bulb_c + reach) < 0.0
        if not short.any():
            break
        reach = np.where(short, 2.0 * reach, reach)
    return _roots(gap, wet_bulb_c + 1e-6, wet_bulb_c + reach, 1e-10)


def evaporation_hours(
    dry_bulb_c: Hours,
    humidity_ratio: Hours,
    pressure_kpa: Hours,
    liquid_to_gas: Hours,
    range_k: float | Hours,
) -> Hours:
    """Evaporation in L/s of 1 kW of heat: the air leaves saturated, richer by that heat."""
    import numpy as np

    water_kg_s = 1.0 / (_WATER_KJ_PER_KG_K * range_k)
    air_kg_s = water_kg_s / liquid_to_gas
    h_out = enthalpies(dry_bulb_c, humidity_ratio) + 1.0 / air_kg_s

    def gap(temp_c: Hours) -> Hours:
        return saturated_enthalpies(temp_c, pressure_kpa) / h_out - 1.0

    # of saturated air between the ambient one's wet bulb and the boiling of the thinnest air
    low, high = np.full(h_out.shape, -40.0), np.full(h_out.shape, 75.0)
    air_out = _roots(gap, low, high, 1e-10)
    gained = saturated_humidity_ratios(air_out, pressure_kpa) - humidity_ratio
    return np.maximum(air_kg_s * gained, 0.0)


def makeup_and_blowdown(
    evaporation: Hours, range_k: float | Hours, cycles: float, drift_fraction: float
) -> tuple[Hours, Hours]:
    """Make-up and blowdown in L/s of 1 kW of heat, from its evaporation in L/s."""
    import numpy as np

    water_kg_s = 1.0 / (_WATER_KJ_PER_KG_K * range_k)
    blowdown = np.maximum(evaporation / (cycles - 1.0) - drift_fraction * water_kg_s, 0.0)
    return evaporation * cycles / (cycles - 1.0), blowdown
