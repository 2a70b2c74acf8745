"""Content, expansion, vessels, pumps: figures by hand and against CoolProp."""

from __future__ import annotations

import math

import pytest

from clusterplan import catalog
from clusterplan.sizing import heat_reuse, loop_content, ride_through, room_units
from clusterplan.sizing.climate_bins import Bin
from clusterplan.sizing.coolants import coolant_density_kg_per_m3, rho_c
from clusterplan.sizing.heat_rejection import AIR_CHILLER
from clusterplan.sizing.machines import fixed_plant, operate
from clusterplan.sizing.plant_specs import ChillerSpec, DrySpec, TowerSpec
from clusterplan.sizing.psychrometrics import MoistAir


def _coolant(name):
    return next(row for row in catalog.coolants() if row.id == name)


def test_mains_are_two_cylinders_a_pair():
    held = loop_content.fws_mains_content_m3(2, 1, 200.0, 574.6)
    assert held == pytest.approx(2 * 2 * 200 * math.pi * 0.5746**2 / 4)


def test_expansion_of_pg25_against_coolprop():
    coolprop = pytest.importorskip("CoolProp.CoolProp")
    density = _coolant("pg25").density_poly
    cold, hot = (coolant_density_kg_per_m3(t, density) for t in (10.0, 55.0))
    exact = [
        coolprop.PropsSI("D", "T", 273.15 + t, "P", 3e5, "INCOMP::MPG[0.25]") for t in (10.0, 55.0)
    ]
    # 1.5 %: the densities agree within 1e-4, their difference is 2 % of them
    assert loop_content.loop_expansion_m3(100.0, cold, hot) == pytest.approx(
        100.0 * (exact[0] / exact[1] - 1.0), rel=0.015
    )


def test_vessel_by_the_diaphragm_formula():
    """Water 10 to 50 degC: 1.18 % of 50 m3; 150 and 400 kPa gauge accept 49.9 % of the vessel."""
    density = _coolant("water").density_poly
    cold, hot = (coolant_density_kg_per_m3(t, density) for t in (10.0, 50.0))
    expansion = loop_content.loop_expansion_m3(50.0, cold, hot)
    assert expansion == pytest.approx(50.0 * 0.0118, rel=0.01)
    vessel = loop_content.expansion_vessel_m3(expansion, 150.0, 400.0, 101.325)
    assert vessel == pytest.approx(expansion / (250.0 / 501.325))


def test_pumps_of_blocks():
    pumps = loop_content.fws_pumps(2, 3, 1)
    assert (pumps.installed_pumps, pumps.spare_pumps) == (8, 2)
    assert loop_content.fws_pump_each_kw(1032.0, 2, 3) == pytest.approx(172.0)


def test_the_tcs_warms_0_36_k_per_second_at_0_7_m3_per_mw():
    capacity = rho_c(_coolant("pg25"), 45.0)
    held = loop_content.tcs_content_m3(0.7, 90.0)
    assert ride_through.tcs_warming_k_per_s(90.0, held, capacity) == pytest.approx(0.357, rel=0.005)
    assert ride_through.tcs_allowed_rise_k(45.0, 40.0, 10.0) == 5.0
    assert ride_through.tcs_allowed_rise_k(60.0, 40.0, 10.0) == 10.0
    assert ride_through.tcs_allowed_rise_k(40.0, 42.0, 10.0) == 0.0


def test_buffer_is_what_the_mains_do_not_hold():
    assert ride_through.buffer_m3(130.0, 80.0) == 50.0
    assert ride_through.buffer_m3(130.0, 200.0) == 0.0
    assert ride_through.fws_gap_s(False, 15.0, 15.0) == 30.0
    assert ride_through.fws_gap_s(True, 15.0, 15.0) == 0.0


def test_heat_pump_balance():
    """50 to 70 degC at half of Carnot: 8.58; what it gives is what it takes."""
    cop = heat_reuse.heat_pump_cop(0.5, 70.0, 50.0)
    assert cop == pytest.approx(0.5 * 343.15 / 20.0)
    power = heat_reuse.heat_pump_mw(60.0, cop)
    assert heat_reuse.delivered_heat_mw(60.0, power) == pytest.approx(cop * power)


def test_fan_walls_share_and_thin_air_takes_more():
    sea = room_units.fan_walls(3.0, 500.0, 1.0, 6)
    assert (sea.duty_walls, sea.spare_walls, sea.installed_walls) == (6, 1, 7)
    assert room_units.fan_walls(3.0, 500.0, 0.8, 6).duty_walls == 8
    assert room_units.fan_walls(0.0, 500.0, 1.0, 6).installed_walls == 0


@pytest.mark.parametrize("dry_bulb_c", [-5.0, 11.9, 12.1, 17.0, 21.9, 22.1, 35.0])
def test_free_share_by_dry_bulb_is_what_the_plant_does(dry_bulb_c):
    """20/30 degC and 8 K: free to 12 degC, none from 22 degC on."""
    plant = fixed_plant(
        AIR_CHILLER, (20.0, 30.0), 0.0, (DrySpec(), TowerSpec(), ChillerSpec()), 25.0
    )
    air = MoistAir(dry_bulb_c, dry_bulb_c - 3.0, 0.005)
    share = operate(plant, air).trim_heat
    hours = room_units.economiser_hours(
        20.0, 10.0, 8.0, plant, room_units.OutdoorYear([Bin(8760.0, air)])
    )
    assert hours.free_h == (8760.0 if share == 0.0 else 0.0)
    assert hours.chiller_h == (8760.0 if share == 1.0 else 0.0)
    assert sum(hours) == 8760.0
