"""Chiller COP of many hours at once: the relations of `chillers` on NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.sizing.chillers import MIN_LIFT_K, WATER_CARNOT

if TYPE_CHECKING:
    from clusterplan.sizing.moist_air_hours import Hours

_KELVIN = 273.15


def air_cooled_cops(
    leaving_water_c: float, dry_bulb_c: Hours, carnot_fraction: float, cop_max: float
) -> Hours:
    """COP of an air-cooled chiller in air of `dry_bulb_c` (degC), hour by hour."""
    import numpy as np

    evaporating = leaving_water_c - 2.0
    condensing = np.maximum(dry_bulb_c + 12.0, 30.0)
    lift = np.maximum(condensing - evaporating, MIN_LIFT_K)
    cop: Hours = np.minimum(carnot_fraction * (evaporating + _KELVIN) / lift, cop_max)
    return cop


def water_cooled_cops(leaving_water_c: float, condenser_water_c: Hours, cop_max: float) -> Hours:
    """COP of a water-cooled chiller at its entering condenser water (degC), hour by hour."""
    import numpy as np

    evaporating = leaving_water_c - 1.5
    lift = np.maximum(condenser_water_c + 6.5 - evaporating, MIN_LIFT_K)
    marks, fractions = zip(*WATER_CARNOT, strict=True)
    carnot = np.interp(lift, marks, fractions)
    cop: Hours = np.minimum(carnot * (evaporating + _KELVIN) / lift, cop_max)
    return cop
