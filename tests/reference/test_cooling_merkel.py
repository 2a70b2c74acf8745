"""The tower model against a Merkel integration made here, over a grid.

Merkel: KaV/L = integral of c_w dT / (h_s(T) - h_a) along the water, air enthalpy by heat balance.
The characteristic of the fill is KaV/L = b (L/G)^-0.6 (the method's facts), b from the design point
39/29 degC at 25 degC wet bulb and L/G 1.2. The integral is Simpson's rule over 200 steps; enthalpy
of saturated air is psychrolib's, so nothing of the program is on this side of the comparison.
Tolerances are those of the method: 0.4 K of approach (0.45 K at other ranges), 2 % of airflow.
"""

from __future__ import annotations

import pytest

from clusterplan.sizing import towers

psychrolib = pytest.importorskip("psychrolib")

_WATER = 4.186
_CELL = 1.92
_KPA = 101.325
_DESIGN = (39.0, 29.0, 25.0, 1.2)


def _saturated(temp_c: float) -> float:
    psychrolib.SetUnitSystem(psychrolib.SI)
    return psychrolib.GetSatAirEnthalpy(temp_c, _KPA * 1000.0) / 1000.0


def _merkel(water_in_c: float, water_out_c: float, wet_bulb_c: float, ratio: float) -> float:
    """KaV/L that the temperatures take; infinite where water and air enthalpy would cross."""
    steps = 200
    width = (water_in_c - water_out_c) / steps
    air_in = _saturated(wet_bulb_c)
    total = 0.0
    for place in range(steps + 1):
        water = water_out_c + place * width
        force = _saturated(water) - (air_in + ratio * _WATER * place * width)
        if force <= 0.0:
            return float("inf")
        weight = 1 if place in (0, steps) else 4 if place % 2 else 2
        total += weight / force
    return _WATER * total * width / 3.0


_FILL = _merkel(*_DESIGN) * 1.2**0.6


def _merkel_water_out(ratio: float, range_k: float, wet_bulb_c: float) -> float:
    low, high = wet_bulb_c + 0.05, wet_bulb_c + 40.0
    for _ in range(60):
        middle = (low + high) / 2.0
        needed = _merkel(middle + range_k, middle, wet_bulb_c, ratio)
        low, high = (middle, high) if needed > _FILL * ratio**-0.6 else (low, middle)
    return high


def _merkel_ratio(water_out_c: float, range_k: float, wet_bulb_c: float) -> float:
    low, high = 0.05, 20.0
    for _ in range(60):
        middle = (low * high) ** 0.5
        needed = _merkel(water_out_c + range_k, water_out_c, wet_bulb_c, middle)
        low, high = (middle, high) if needed <= _FILL * middle**-0.6 else (low, middle)
    return low


def test_the_design_point_closes():
    assert _merkel_water_out(1.2, 10.0, 25.0) == pytest.approx(29.0, abs=0.01)
    assert towers.tower_water_out_c(1.2, 10.0, 25.0, _CELL, _KPA) == pytest.approx(29.0, abs=0.1)


@pytest.mark.parametrize("wet_bulb_c", [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 28.0])
def test_water_temperature_at_full_fan(wet_bulb_c):
    ours = towers.tower_water_out_c(1.2, 10.0, wet_bulb_c, _CELL, _KPA)
    assert ours == pytest.approx(_merkel_water_out(1.2, 10.0, wet_bulb_c), abs=0.4)


@pytest.mark.parametrize("range_k", [6.0, 8.0, 12.0, 15.0])
@pytest.mark.parametrize("wet_bulb_c", [10.0, 20.0, 26.0])
def test_water_temperature_at_other_ranges(range_k, wet_bulb_c):
    ours = towers.tower_water_out_c(1.2, range_k, wet_bulb_c, _CELL, _KPA)
    assert ours == pytest.approx(_merkel_water_out(1.2, range_k, wet_bulb_c), abs=0.45)


@pytest.mark.parametrize("wet_bulb_c", [5.0, 10.0, 15.0, 20.0, 22.0])
def test_airflow_that_holds_the_set_point(wet_bulb_c):
    ours = towers.tower_liquid_to_gas(29.0, 10.0, 25.0, _CELL, _KPA) / towers.tower_liquid_to_gas(
        29.0, 10.0, wet_bulb_c, _CELL, _KPA
    )
    assert ours == pytest.approx(1.2 / _merkel_ratio(29.0, 10.0, wet_bulb_c), rel=0.02)
