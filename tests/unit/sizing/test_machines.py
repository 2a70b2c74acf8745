"""One plant of fixed equipment: modes, fans, trim and water, by hand."""

from __future__ import annotations

import pytest

from clusterplan.sizing.machines import fixed_plant, operate
from clusterplan.sizing.plant_specs import ChillerSpec, DrySpec, TowerSpec
from clusterplan.sizing.psychrometrics import MoistAir, mixing_ratio, station_pressure_kpa

_SPECS = (DrySpec(), TowerSpec(), ChillerSpec())
_SEA_LEVEL_KPA = station_pressure_kpa(0.0)


def _air(dry_c, wet_c):
    return MoistAir(dry_c, wet_c, mixing_ratio(dry_c, wet_c, _SEA_LEVEL_KPA))


def _plant(kind, supply=36.0, back=46.0, wet=26.7):
    return fixed_plant(kind, (supply, back), 0.0, _SPECS, wet)


def test_adiabatic_cooler_below_its_switch_over_runs_dry():
    """FWS 36/46: x = 1 at 28 degC, fans at 2.2 % of heat; no water."""
    state = operate(_plant("adiabatic-cooler"), _air(28.0, 20.0))
    assert not state.wet
    assert state.fan_ratio == pytest.approx(1.0)
    assert state.fan == pytest.approx(0.022)
    assert state.water_l_per_s == 0.0
    assert state.available_c == pytest.approx(36.0)


@pytest.mark.parametrize(("wet_c", "drop"), [(25.5, 0.40), (20.0, 0.77)])
def test_fan_power_drops_as_the_pads_wet(wet_c, drop):
    """28 degC dry bulb, 25.5 to 20 degC wet bulb, FWS 36/46: 40 to 75 % less fan power.

    By hand at 20 degC: pads 21.6 degC, x = (18 / 24.4)^(1/0.62) = 0.612, x^3 = 0.23.
    """
    plant = _plant("adiabatic-cooler")
    before, after = operate(plant, _air(27.99, wet_c)), operate(plant, _air(28.01, wet_c))
    assert after.wet
    assert not before.wet
    assert 1 - after.fan / before.fan == pytest.approx(drop, abs=0.01)


def test_pad_water():
    """Per kW of design heat: x / (1.006 x 12) x (W_pad - W) x 1.2, checked by latent heat."""
    air = _air(40.0, 22.0)
    state = operate(_plant("adiabatic-cooler"), air)
    pad = 40.0 - 0.8 * 18.0
    evaporated = 1.006 * (40.0 - pad) / 2450.0
    expected = state.fan_ratio / (1.006 * 12.0) * evaporated * 1.2
    assert state.water_l_per_s == pytest.approx(expected, rel=0.04)
    assert state.blowdown_l_per_s == pytest.approx(state.water_l_per_s / 6.0)


def test_dry_cooler_trims_above_its_approach():
    """30 degC air, FWS 36/46: T_avail 38, a fifth of the heat on air-cooled chillers.

    COP = 0.43 x 307.15 / max(42 - 34, 10) = 13.2, capped at 9.
    """
    state = operate(_plant("dry-cooler"), _air(30.0, 20.0))
    assert state.available_c == pytest.approx(38.0)
    assert state.trim_heat == pytest.approx(0.2)
    assert state.cop == 9.0
    assert state.trim_power == pytest.approx(0.2 / 9.0)
    assert state.fan == pytest.approx(0.020)


def test_part_load_moves_the_trim_start():
    """At 80 % load T_avail = 30 + 18 x 0.8 - 10 = 34.4: no trim at 30 degC."""
    state = operate(_plant("dry-cooler"), _air(30.0, 20.0), 0.8)
    assert state.available_c == pytest.approx(34.4)
    assert state.trim_heat == 0.0
    assert state.fan_ratio == pytest.approx((0.8 * 18 / 16) ** (1 / 0.62))


def test_tower_holds_its_approach_at_the_design_wet_bulb():
    """26.7 + 4 + 2 = 32.7 degC at full fan; a 36 degC set point needs less air."""
    state = operate(_plant("open-cooling-tower", 32.7, 42.7), _air(35.0, 26.7))
    assert state.available_c == pytest.approx(32.7, abs=1e-6)
    assert state.trim_heat == 0.0
    assert state.fan_ratio == pytest.approx(1.0, abs=1e-6)
    assert state.fan == pytest.approx(0.010, rel=1e-5)
    assert state.tower_pump == pytest.approx(0.0075)
    easier = operate(_plant("open-cooling-tower"), _air(35.0, 26.7))
    assert easier.fan_ratio < 0.8


def test_tower_with_trim_takes_the_condenser_heat():
    plant = _plant("open-cooling-tower", 30.0, 40.0)
    state = operate(plant, _air(35.0, 26.7))
    assert state.trim_heat == pytest.approx(0.27, abs=1e-5)
    assert state.tower_heat == pytest.approx(1.0 + state.trim_heat / state.cop, rel=1e-9)
    assert plant.tower_heat_per_kw == pytest.approx(state.tower_heat, rel=1e-6)


def test_closed_tower_keeps_its_approach():
    """6 K in all: 4 K water to wet bulb, 2 K coil."""
    state = operate(_plant("closed-cooling-tower", 32.7, 42.7), _air(35.0, 26.7))
    assert state.available_c == pytest.approx(32.7, abs=1e-6)
    assert state.fan == pytest.approx(0.015, rel=1e-5)
    assert state.tower_pump == pytest.approx(0.004)


@pytest.mark.parametrize(("dry_c", "free"), [(8.0, 1.0), (12.0, 1.0), (17.0, 0.5), (30.0, 0.0)])
def test_air_cooled_chillers_cool_freely_when_cold(dry_c, free):
    """20/30 degC water, approach 8 K: free share = clip((30 - T_db - 8) / 10)."""
    state = operate(_plant("air-cooled-chiller", 20.0, 30.0), _air(dry_c, dry_c - 3.0))
    assert state.trim_heat == pytest.approx(1.0 - free)
    assert state.fan == pytest.approx(0.020 * free)
    assert (state.cop == 0.0) == (free == 1.0)


def test_no_load():
    for kind in ("dry-cooler", "open-cooling-tower", "air-cooled-chiller"):
        state = operate(_plant(kind), _air(20.0, 15.0), 0.0)
        assert state.trim_heat == 0.0
        assert state.water_l_per_s == 0.0
