"""Plants at the design points against the cooling method's published and check values.

Abilene on air-cooled chillers (Epoch's model of the real site: 1.40), Ashburn's lowest supplies,
the humid point that governs pads in cool dry places, ride-through volume.
"""

from __future__ import annotations

import pytest

from clusterplan.sizing.design_points import ClimateDesign
from clusterplan.sizing.plant import PlantDesign, PlantLoad, evaluate_plant, lowest_supplies
from clusterplan.sizing.plant_specs import DrySpec
from clusterplan.sizing.pue import Chain
from clusterplan.sizing.water import ride_through_m3, water_storage_m3

# 0.9955 x 0.997 x 0.992 (plant), x 0.97 (on UPS), x 0.993 (racks): 0.985, 0.955, 0.948
_CHAIN = Chain(0.94835, 0.98457, 0.95504, 0.993, 0.97)
_ABILENE = ClimateDesign(530, 37.4, 21.5, 24.2, 42.7, -6.6, warming_k=0.0)


def _load(it_mw, supply, back, liquid=0.9):
    """Heat of 90 % liquid racks with room losses of 3.8 % of IT, pumps at a 10 K rise."""
    heat = liquid * it_mw
    loss = 0.038 * it_mw
    return PlantLoad(
        it_mw=it_mw,
        liquid_heat_mw=heat,
        fws_heat_mw=heat * 1.017,
        cdu_pump_mw=0.017 * heat,
        fws_pump_mw=0.011 * heat,
        fws_supply_c=supply,
        fws_return_c=back,
        air_heat_mw=it_mw - heat + loss,
        loss_heat_mw=loss,
    )


def test_abilene_on_air_cooled_chillers():
    """FWS 20/30, UPS, all heat on chillers, 42.7 degC: COP 3.4, pue_peak 1.40 +- 0.03."""
    design = PlantDesign(climate=_ABILENE, chain=_CHAIN, kind="air-cooled-chiller")
    result = evaluate_plant(design, _load(15, 20.0, 30.0))
    hot = result.points[0].state
    assert hot.air.dry_bulb_c == 42.7
    assert hot.operation.cop == pytest.approx(3.4, abs=0.03)
    assert result.hung  # room air hangs on the 20 degC loop: all heat on the chillers
    assert result.trim_mw == result.heat_rejection_mw
    assert result.pue_peak == pytest.approx(1.40, abs=0.03)
    assert result.peak.state.name == "hot"


def test_abilene_on_air_cooled_chillers_with_plume_and_warming():
    """3 K of plume and warming: 1.43 +- 0.03."""
    climate = _ABILENE._replace(warming_k=1.0)
    design = PlantDesign(climate=climate, chain=_CHAIN, kind="air-cooled-chiller")
    result = evaluate_plant(design, _load(120, 20.0, 30.0))
    assert result.points[0].state.air.dry_bulb_c == pytest.approx(45.7)
    assert result.pue_peak == pytest.approx(1.43, abs=0.03)


def test_ashburn_misses_adiabatic_by_a_degree_or_two():
    """Ashburn at FWS 36/46 on 40 % glycol, no warming, no plume: 1.7 K short, so towers.

    By hand: humid 27.8 wet, 33.89 dry; pads 29.02; + 8 + 0.7 K = 37.7.
    """
    climate = ClimateDesign(119, 35.0, 24.8, 26.3, 39.3, -10.1, warming_k=0.0)
    design = PlantDesign(climate=climate, chain=_CHAIN, dry=DrySpec(coil_penalty_k=0.7))
    result = evaluate_plant(design, _load(15, 36.0, 46.0))
    assert result.choice is not None
    assert result.choice.adiabatic_shortfall_k == pytest.approx(1.7, abs=0.05)
    assert result.kind == "open-cooling-tower"


@pytest.mark.parametrize(
    ("name", "climate", "worse_k"),
    [
        ("Hyderabad", ClimateDesign(545, 40.2, 21.8, 25.7, 43.7, 13.9), (2, 5)),
        ("Queretaro", ClimateDesign(1820, 34.0, 14.8, 19.8, 39.1, 4.0), (2, 5)),
        ("Mumbai", ClimateDesign(14, 35.9, 22.7, 27.7, 41.4, 16.8), (2, 5)),
        ("Abu Dhabi", ClimateDesign(27, 44.9, 23.0, 30.5, 48.7, 11.5), (2, 5)),
    ],
)
def test_humid_point_governs_pads(name, climate, worse_k):
    """The humid point is 2 to 5 K worse for pads than the hot point in these climates."""
    from clusterplan.sizing.design_points import design_air
    from clusterplan.sizing.heat_rejection import pad_temp_c

    air = design_air(climate._replace(warming_k=0.0), 0.0)
    hot, humid = (pad_temp_c(state.dry_bulb_c, state.wet_bulb_c, 0.8) for state in air)
    assert worse_k[0] - 0.3 <= humid - hot <= worse_k[1] + 0.3, name


def test_switch_over_governs_in_cool_dry_places():
    """Golden CO with FWS 36/46: the hour before the pads wet (28 degC), not the hottest.

    Golden: ASHRAE 2013 Denver Centennial class figures 34.2/15.5/18.0/39; no house load, losses or
    room air, so that the fans decide.
    """
    climate = ClimateDesign(1829, 33.0, 15.6, 18.0, 37.5, -17.4, warming_k=0.0)
    design = PlantDesign(climate=climate, chain=Chain(1.0, 1.0, 1.0), house=0.0)
    load = PlantLoad(15, 15, 15.15, 0.15, 0.15, 36.0, 46.0, 0.0, 0.0)
    result = evaluate_plant(design, load)
    assert result.kind == "adiabatic-cooler"
    assert result.peak.state.name == "switch-over"
    assert result.peak.state.air.dry_bulb_c == pytest.approx(28.0)


def test_lowest_supplies_of_abilene_without_warming():
    """42.7 + 8; pads 42.7 - 0.8 x 19.8 and humid 34.94 - 0.8 x 9.24, + 8; 25.7 + 6."""
    design = PlantDesign(climate=_ABILENE, chain=_CHAIN)
    supplies = lowest_supplies(design, 10.0, 0.0, 0.0)
    assert supplies.dry_c == pytest.approx(50.7)
    assert supplies.adiabatic_c == pytest.approx(34.94 - 0.8 * 9.24 + 8, abs=0.01)
    assert supplies.tower_c == pytest.approx(31.7)


def test_ride_through_and_storage():
    """90 MW, 60 s, 10 K: 130 m3 (rho*c 4.152). 47 L/s for 24 h: 4,061 m3."""
    assert ride_through_m3(90, 60, 4.152, 10) == pytest.approx(130, abs=1)
    assert water_storage_m3(47, 24) == pytest.approx(47 * 86.4)
