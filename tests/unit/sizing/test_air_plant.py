"""Room air by hand from the cooling method, step 9."""

from __future__ import annotations

import pytest

from clusterplan.sizing import air_plant


def test_fans_at_altitude_and_behind_doors():
    """0.040 kW/kW at sea level, / sigma^2 at altitude; doors at most 2 %."""
    assert air_plant.room_fan_mw(10.0, 0.0, 0.040, 0.02, 1.0) == pytest.approx(0.4)
    assert air_plant.room_fan_mw(10.0, 0.0, 0.040, 0.02, 0.835) == pytest.approx(0.4 / 0.835**2)
    assert air_plant.room_fan_mw(10.0, 8.0, 0.040, 0.02, 1.0) == pytest.approx(0.08 + 0.16)


def test_fan_and_pump_heat_ends_in_the_water():
    assert air_plant.air_pump_mw(0.010, 10.0) == pytest.approx(0.1)
    assert air_plant.air_plant_mw(10.0, 0.4, 0.1) == pytest.approx(10.5)
    assert air_plant.heat_rejection_mw(91.5, 1.0, 0.0) == 92.5


def test_hot_hour_share_of_it():
    """20 % air costs 0.20 x (0.04 + 0.01 + 1.04/3.3) = 7 % of IT (pump heat left out there)."""
    heat = air_plant.air_plant_mw(0.20, 0.008, 0.002)
    assert 0.008 + 0.002 + heat / 3.3 == pytest.approx(0.073, abs=0.002)


def test_airflow():
    """1 kW at 14 K: 1 / (1.2 x 1.006 x 14) = 0.0592 m3/s at sea level; CFM/kW = 1757/(dT sigma)."""
    flow = air_plant.room_airflow_m3_per_s(0.001, 1.0, 14.0)
    assert flow == pytest.approx(0.05917, abs=1e-5)
    assert flow * 2118.88 == pytest.approx(1757 / 14, rel=0.002)


def test_coil_water():
    """1 kW of water at 40 degC and 10 K: 1.447 L/min."""
    assert air_plant.air_water_flow_l_per_min(0.001, 4.147, 10.0) == pytest.approx(1.447, abs=0.001)
