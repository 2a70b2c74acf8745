"""Moist air against ASHRAE Fundamentals 2017, chapter 1 (tables 1 to 3, example 1) and psychrolib.

Tolerances: the tables are printed to about 300 ppm (saturation pressure) and 4 digits.
"""

from __future__ import annotations

import pytest

from clusterplan.sizing.psychrometrics import (
    air_density_ratio,
    air_state,
    dew_point,
    mixing_ratio,
    moist_air_enthalpy,
    saturated_enthalpy,
    saturated_humidity_ratio,
    saturation_pressure,
    station_pressure_kpa,
    wet_bulb,
)


@pytest.mark.parametrize(
    ("temp_c", "pascal"),
    [(-60, 1.08), (-20, 103.24), (-5, 401.74), (5, 872.6), (25, 3169.7), (50, 12351.3)],
)
def test_saturation_pressure_table_3(temp_c, pascal):
    # -60 degC is printed with three digits only
    assert saturation_pressure(temp_c) * 1000 == pytest.approx(pascal, rel=3e-4, abs=0.005)


@pytest.mark.parametrize(
    ("temp_c", "ratio", "rel"),
    [(-20, 0.0006373, 0.01), (-5, 0.0024863, 0.005), (5, 0.005425, 0.005), (25, 0.020173, 0.005)],
)
def test_saturated_humidity_ratio_table_2(temp_c, ratio, rel):
    # the table has real-gas enhancement (0.5 %), the ideal-gas equations have not
    assert saturated_humidity_ratio(temp_c, 101.325) == pytest.approx(ratio, rel=rel)


@pytest.mark.parametrize(("temp_c", "enthalpy"), [(5, 18.639), (25, 76.504), (50, 275.353)])
def test_saturated_enthalpy_table_2(temp_c, enthalpy):
    assert saturated_enthalpy(temp_c, 101.325) == pytest.approx(enthalpy, rel=0.01)


@pytest.mark.parametrize(
    ("elevation_m", "kpa"),
    [(-500, 107.478), (0, 101.325), (500, 95.461), (1000, 89.875), (3000, 70.108)],
)
def test_standard_pressure_table_1(elevation_m, kpa):
    assert station_pressure_kpa(elevation_m) == pytest.approx(kpa, abs=0.002)


def test_example_1():
    """40 degC dry bulb, 20 degC wet bulb, 101.325 kPa: W 6.5 g/kg, h 56.7 kJ/kg, dew point 7 C."""
    ratio = mixing_ratio(40, 20, 101.325)
    assert ratio == pytest.approx(0.0065, abs=0.00015)  # read from the chart
    assert moist_air_enthalpy(40, ratio) == pytest.approx(56.7, abs=0.3)
    assert dew_point(ratio, 101.325) == pytest.approx(7.0, abs=0.5)
    assert wet_bulb(40, ratio, 101.325) == pytest.approx(20.0, abs=1e-4)


@pytest.mark.parametrize(
    ("elevation_m", "ratio"), [(500, 0.942), (1000, 0.887), (1500, 0.835), (1872, 0.797)]
)
def test_air_density_ratio(elevation_m, ratio):
    """Barometric identity, figures of the cooling method (altitude examples)."""
    assert air_density_ratio(elevation_m) == pytest.approx(ratio, abs=0.0006)


def test_supersaturated_air_is_cut_at_saturation():
    state = air_state(20.0, 0.1, 101.325)
    assert state.wet_bulb_c == 20.0
    assert state.humidity_ratio_kg_per_kg == saturated_humidity_ratio(20.0, 101.325)


def test_wet_bulb_against_psychrolib():
    """-25 to 48 degC, 78 to 101 kPa: within 0.001 K (psychrolib itself bisects to 0.001 K).

    Between -0.7 and 0.7 degC the energy balance has an ice and a water root and the two programs
    may pick different ones: there the balance itself is checked.
    """
    psychrolib = pytest.importorskip("psychrolib")
    psychrolib.SetUnitSystem(psychrolib.SI)
    worst, compared = 0.0, 0
    for pressure in (78.0, 88.0, 95.0, 101.325):
        for dry in range(-25, 49, 4):
            for humidity in (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
                ratio = psychrolib.GetHumRatioFromRelHum(dry, humidity, pressure * 1000)
                own = wet_bulb(dry, ratio, pressure)
                other = psychrolib.GetTWetBulbFromHumRatio(dry, ratio, pressure * 1000)
                if abs(other) < 0.7:
                    assert mixing_ratio(dry, own, pressure) == pytest.approx(ratio, abs=5e-6)
                    continue
                worst, compared = max(worst, abs(own - other)), compared + 1
    assert compared > 450
    assert worst < 0.001
