"""Laws of an hourly year that hold for any weather, plant and load.

Heat in is heat rejected in every hour, by the plant's own account and by its parts: what the coil
or the tower's air carries away at its fan speed. Hotter weather never needs less power with mode
fixed, warmer supply never more trim or wet hours, altitude never changes heat.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.sizing.cooling_year import YearLoad
from clusterplan.sizing.heat_rejection import COIL_KINDS, KINDS, TOWER_KINDS
from clusterplan.sizing.hourly_operation import operate_hours
from clusterplan.sizing.hourly_year import hourly_cooling_year
from clusterplan.sizing.machines import fixed_plant
from clusterplan.sizing.moist_air_hours import (
    enthalpies,
    hourly_air,
    humidity_ratios_at,
    mixing_ratios,
    saturated_enthalpies,
)
from clusterplan.sizing.plant_specs import ChillerSpec, DrySpec, TowerSpec
from clusterplan.sizing.pue import Chain
from clusterplan.sizing.tower_hours import evaporation_hours, liquid_to_gas_hours

_SPECS = (DrySpec(), TowerSpec(), ChillerSpec())
_CHAIN = Chain(0.948, 0.985, 0.955, 0.993, 0.97)
_SOME = settings(max_examples=40, deadline=None)

kinds = st.sampled_from(KINDS)
supplies = st.floats(17, 45)
rises = st.floats(6, 20)
loads = st.floats(0.2, 1.0)
elevations = st.floats(0, 2500)
seeds = st.integers(0, 2**32 - 1)


def _air(seed, pressure_kpa, count=240):
    """Hours of any weather: -30 to 47 degC, humid to dry, passing pressure."""
    random = np.random.default_rng(seed)
    dry = random.uniform(-30, 47, count)
    pressure = pressure_kpa * random.uniform(0.97, 1.03, count)
    ratio = humidity_ratios_at(np.minimum(dry, 30.0), random.uniform(0.03, 1, count), pressure)
    return hourly_air(dry, ratio, pressure)


@_SOME
@given(kinds, supplies, rises, loads, elevations, seeds)
def test_heat_in_is_heat_rejected_in_every_hour(kind, supply, rise, load, elevation, seed):
    plant = fixed_plant(kind, (supply, supply + rise), elevation, _SPECS, 25.0)
    room = fixed_plant("air-cooled-chiller", (20.0, 30.0), elevation, _SPECS, 25.0)
    year = YearLoad(100, 1.1, 0.9, 0.4, 0.1, 0.5, 92 * load, 92, 11 * load, 11)
    run = hourly_cooling_year(year, plant, room, _air(seed, plant.pressure_kpa), _CHAIN)
    assert run.heat_rejected_mw == pytest.approx(run.heat_in_mw, rel=1e-9)
    # at the meter: the hours add up to the year
    assert run.pue.mean() == pytest.approx(run.year.pue, rel=1e-9)
    assert run.water_m3.sum() == pytest.approx(run.year.sums.water_m3, rel=1e-9)
    assert run.pue.min() > 1.0


@_SOME
@given(st.sampled_from(("dry-cooler", "adiabatic-cooler")), supplies, rises, loads, seeds)
def test_coil_carries_its_load_at_its_fan_speed(kind, supply, rise, load, seed):
    """Conductance ~ airflow^0.62: at the speed that runs the coil carries the load."""
    plant = fixed_plant(kind, (supply, supply + rise), 0.0, _SPECS, 25.0)
    air = _air(seed, plant.pressure_kpa)
    done = operate_hours(plant, air, load)
    pad = air.dry_bulb_c - plant.dry.pad_efficiency * (air.dry_bulb_c - air.wet_bulb_c)
    inlet = np.where(done.wet, pad, air.dry_bulb_c)
    itd, design = supply + rise - inlet, plant.approach_k + rise
    regulated = (done.fan_ratio > 0.1501) & (done.fan_ratio < 0.9999)
    carried = done.fan_ratio**0.62 * itd / design
    assert carried[regulated] == pytest.approx(load, rel=1e-9)
    assert (done.trim_heat[regulated] == 0.0).all()
    # short of the set point only where full airflow does not carry the load
    short = done.trim_heat > 0.0
    assert (itd[short] < load * design).all()


@_SOME
@given(st.sampled_from(TOWER_KINDS), supplies, rises, seeds)
def test_tower_air_carries_the_heat(kind, supply, rise, seed):
    """Enthalpy of the air: what it gains between ambient and saturated outlet is the heat, 1e-9."""
    plant = fixed_plant(kind, (supply, supply + rise), 0.0, _SPECS, 25.0)
    air = _air(seed, plant.pressure_kpa)
    ratio = liquid_to_gas_hours(
        supply - plant.exchanger_k, rise, air.wet_bulb_c, 1.92, air.pressure_kpa
    )
    held = ratio > 0.0
    dry, humid, pressure = (
        values[held] for values in (air.dry_bulb_c, air.humidity_ratio_kg_per_kg, air.pressure_kpa)
    )
    evaporated = evaporation_hours(dry, humid, pressure, ratio[held], rise)
    gas = 1.0 / (4.186 * rise) / ratio[held]
    leaving = humid + evaporated / gas
    # the saturated temperature of that humidity, and its enthalpy
    low, high = np.full(leaving.shape, -40.0), np.full(leaving.shape, 75.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        above = mixing_ratios(middle, middle, pressure) > leaving
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    gained = saturated_enthalpies(middle, pressure) - enthalpies(dry, humid)
    wetter = evaporated > 1e-9
    assert (gas * gained)[wetter] == pytest.approx(1.0, rel=1e-6)


@_SOME
@given(kinds, supplies, rises, loads, elevations, seeds, st.floats(0, 8))
def test_hotter_weather_never_lowers_power(kind, supply, rise, load, elevation, seed, warmer):
    """At fixed equipment and mode: hours that are wet in one and dry in the other are apart."""
    plant = fixed_plant(kind, (supply, supply + rise), elevation, _SPECS, 25.0)
    air = _air(seed, plant.pressure_kpa)
    hotter = hourly_air(air.dry_bulb_c + warmer, air.humidity_ratio_kg_per_kg, air.pressure_kpa)
    before, after = (operate_hours(plant, hours, load) for hours in (air, hotter))
    same = before.wet == after.wet
    if (
        kind == "hybrid-tower"
    ):  # its dry coils are staged off as the wet part takes over: no one mode
        same &= ~before.wet
    first, second = (
        item.trim_power
        if kind == "air-cooled-chiller"
        else item.fan + item.tower_pump + item.trim_power
        for item in (before, after)
    )
    assert (second - first)[same].min(initial=0.0) >= -1e-6
    assert (after.trim_heat - before.trim_heat)[same].min(initial=0.0) >= -1e-6


@_SOME
@given(kinds, supplies, rises, loads, elevations, seeds, st.floats(0, 8))
def test_warmer_supply_never_raises_trim(kind, supply, rise, load, elevation, seed, warmer):
    plants = [
        fixed_plant(kind, (temp, temp + rise), elevation, _SPECS, 25.0)
        for temp in (supply, supply + warmer)
    ]
    air = _air(seed, plants[0].pressure_kpa)
    cold, warm = (operate_hours(plant, air, load) for plant in plants)
    assert (warm.trim_heat - cold.trim_heat).max() <= 1e-6
    if kind in COIL_KINDS:
        assert not (warm.wet & ~cold.wet).any()


@_SOME
@given(kinds, supplies, rises, loads, seeds)
def test_altitude_never_changes_heat(kind, supply, rise, load, seed):
    """The same hours at two elevations: the heat of the loop is rejected whole at both."""
    heats = []
    for elevation in (0.0, 1800.0):
        plant = fixed_plant(kind, (supply, supply + rise), elevation, _SPECS, 25.0)
        done = operate_hours(plant, _air(seed, 90.0), load)
        heats.append(done.rejected - done.trim_power)
    assert heats[0] == pytest.approx(load, rel=1e-12)
    assert heats[1] == pytest.approx(load, rel=1e-12)


@_SOME
@given(seeds, st.floats(55, 105), st.floats(0, 4))
def test_air_is_consistent(seed, pressure_kpa, warming):
    air = hourly_air(*_raw(seed, pressure_kpa), warming)
    assert (air.wet_bulb_c <= air.dry_bulb_c + 1e-9).all()
    most = mixing_ratios(air.dry_bulb_c, air.dry_bulb_c, air.pressure_kpa)
    assert (air.humidity_ratio_kg_per_kg <= most * (1 + 1e-9)).all()
    back = mixing_ratios(air.dry_bulb_c, air.wet_bulb_c, air.pressure_kpa)
    unsaturated = air.humidity_ratio_kg_per_kg < most * (1 - 1e-6)
    # the balance jumps where ice turns to water: between its two sides the wet bulb is 0 degC
    unsaturated &= abs(air.wet_bulb_c) > 1e-3
    assert back[unsaturated] == pytest.approx(air.humidity_ratio_kg_per_kg[unsaturated], abs=1e-6)


def _raw(seed, pressure_kpa):
    air = _air(seed, pressure_kpa)
    return air.dry_bulb_c, air.humidity_ratio_kg_per_kg, air.pressure_kpa
