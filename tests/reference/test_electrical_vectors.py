"""Hand-worked vectors of the electrical method beside the substations A to D.

Exact figures within 1 % of the printed rounding; load flows were made with pandapower 3.5.6.
"""

from __future__ import annotations

import math

import pytest

from clusterplan.sizing import electrical_load, transformers, voltage_quality
from clusterplan.sizing.generation import frequency_rate_hz_per_s
from clusterplan.sizing.onsite_plants import plant_inertia_mw_s


def near(value):
    return pytest.approx(value, rel=0.01)


@pytest.mark.parametrize(("units", "capacity", "expected"), [(3, 450.0, 56.7), (2, 300.0, 86.7)])
def test_substation_a_by_load_flow(units, capacity, expected):
    """Power factor 0.97 at MV: what the two-bus solution makes of 55.0 and 82.5 % at HV."""
    reactive = 240.0 * math.tan(math.acos(0.97))
    level = voltage_quality.bus_voltage(240.0, reactive, 0.0025 / 90 / units, 0.10 / 90 / units)
    assert level is not None
    assert 100.0 * (240.0 / 0.97) / level / capacity == near(expected)


def test_frequency_of_an_island():
    """100 MW on 500 MVA with H 3 s at 60 Hz: 2 Hz/s."""
    assert frequency_rate_hz_per_s(100.0, plant_inertia_mw_s(500.0, 3.0), 60.0) == near(2.0)


def test_loss_factor_of_a_flat_load():
    """0.15 L + 0.85 L^2; the square alone is the lower bound."""
    assert transformers.loss_factor(0.8) == near(0.15 * 0.8 + 0.85 * 0.64)
    assert transformers.loss_factor(0.8) > 0.8**2
    assert transformers.loss_factor(1.0) == 1.0


def test_derating_of_the_top_stage():
    """35 C mean: 5 %; 1,500 m: 2.5 % (ONAN 7.5 and 2 %); no credit below."""
    top = transformers.unit_capability_mva(100.0, 35.0, 1500.0)
    assert top == near(100.0 * 0.95 * 0.975)
    onan = transformers.unit_capability_mva(60.0, 35.0, 1500.0, 0.015, 0.004)
    assert onan == near(60.0 * 0.925 * 0.98)
    assert transformers.unit_capability_mva(100.0, 10.0, 0.0) == 100.0


@pytest.mark.parametrize(
    ("kv", "amperes", "mva"),
    [(12.47, 600, 13.0), (13.8, 1200, 28.7), (34.5, 600, 35.9), (34.5, 3000, 179.3)],
)
def test_mva_of_a_feeder(kv, amperes, mva):
    assert electrical_load.three_phase_current_a(mva, kv) == near(amperes)


def test_compensation_from_the_hv_power_factor():
    """P (tan phi_HV - tan phi_POI), no transformer Mvar: they are in the HV figure."""
    load = electrical_load.load_mvar(240.0, 0.93)
    expected = 240.0 * (math.tan(math.acos(0.93)) - math.tan(math.acos(0.95)))
    assert electrical_load.compensation_mvar(240.0, load, 0.95) == pytest.approx(expected)
