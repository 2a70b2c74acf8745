"""A plant of a site: where room air hangs, plume by pad, which points there are."""

from __future__ import annotations

import pytest

from clusterplan.sizing.design_points import ClimateDesign
from clusterplan.sizing.plant import PlantDesign, PlantLoad, evaluate_plant
from clusterplan.sizing.pue import Chain

_CLIMATE = ClimateDesign(0, 37.4, 21.5, 24.2, 42.7, -6.6)
_CHAIN = Chain(0.948, 0.985, 0.955)
_LIQUID = PlantLoad(50, 40, 40.6, 0.6, 0.4, 36.0, 46.0, 12, 2)
_AIR = PlantLoad(5, 0, 0, 0, 0, None, None, 5.2, 0.2)


def _evaluate(load, **choices):
    return evaluate_plant(PlantDesign(climate=_CLIMATE, chain=_CHAIN, **choices), load)


def test_room_air_has_its_own_plant_beside_warm_water():
    result = _evaluate(_LIQUID, kind="adiabatic-cooler")
    assert not result.hung
    assert result.heat_rejection_mw == pytest.approx(41.0)
    assert result.air_plant_mw == pytest.approx(12 * 1.05)
    assert [row.state.name for row in result.points] == ["hot", "humid", "switch-over"]
    assert result.peak.pue == result.pue_peak


def test_room_air_hangs_on_water_of_20_degrees():
    result = _evaluate(_LIQUID._replace(fws_supply_c=20.0, fws_return_c=30.0))
    assert result.hung
    assert result.heat_rejection_mw == pytest.approx(41.0 + 12 * 1.05)
    assert result.specific.air_plant is None


def test_site_without_liquid_racks():
    """Its plant is that of the room air; chillers count as room air, not as trim of an FWS loop."""
    result = _evaluate(_AIR)
    assert result.kind == "air-cooled-chiller"
    assert result.heat_rejection_mw == result.air_plant_mw == pytest.approx(5.2 * 1.05)
    assert result.trim_mw == 0.0
    assert result.points[0].air_power_mw > 5.2 * 0.05
    assert result.points[0].trim_power_mw == 0.0


def test_plume_beside_towers_is_that_of_the_air_plant():
    """52 MW of dry machines: 1 K. With towers on the liquid side only 12 MW of air heat: none."""
    dry = _evaluate(_LIQUID, kind="dry-cooler")
    towers = _evaluate(_LIQUID, kind="open-cooling-tower")
    assert dry.points[0].state.air.dry_bulb_c == pytest.approx(42.7 + 1 + 1)
    assert towers.plume_tower_k == 0.5  # 40 MW on the towers
    room = towers.points[0].state.air_plant_air
    assert room is not None
    assert room.dry_bulb_c == pytest.approx(42.7 + 1)


def test_no_switch_over_where_pads_never_or_always_wet():
    warm = _evaluate(
        _LIQUID._replace(fws_supply_c=55.0, fws_return_c=65.0), kind="adiabatic-cooler"
    )
    assert [row.state.name for row in warm.points] == ["hot", "humid"]
    assert warm.water_peak_l_per_s == 0.0


def test_house_load_and_chain():
    """With no cooling to speak of PUE is 1/0.948 + house 0.005/0.985 + the parts."""
    result = _evaluate(_LIQUID)
    row = result.points[0]
    plain = (
        _LIQUID.fws_pump_mw
        + row.rejection_fan_mw
        + row.tower_pump_mw
        + row.trim_power_mw
        + row.air_power_mw
        + 0.25
    )
    expected = (50 / 0.948 + 0.6 / 0.955 + plain / 0.985) / 50
    assert row.pue == pytest.approx(expected, rel=1e-12)
