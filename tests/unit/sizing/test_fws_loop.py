import pytest

from clusterplan.core.equipment import Coolant
from clusterplan.core.errors import InputError
from clusterplan.sizing.fws_loop import (
    FwsChoice,
    check_hot_end,
    exchanger_rule,
    fws_flow_l_per_min,
    fws_main_blocks,
    fws_pump_kw,
    fws_rise_mixed_k,
    fws_supply_temp_c,
    pump_part_load,
    size_fws,
)

WATER = Coolant(
    id="water",
    mass_fraction=0.0,
    density_poly=(1000.0,),
    heat_capacity_poly=(4000.0,),
    ln_viscosity_poly=(0.0,),
    min_temp_c=0.0,
    max_temp_c=60.0,
)
CHOICE = FwsChoice(None, None, 4.0, 6.0, WATER, "water", 300.0, 0.65)


def test_supply_keeps_the_planned_approach_or_the_exchangers():
    assert fws_supply_temp_c(40.0, 4.0, 2.3) == 36.0
    assert fws_supply_temp_c(25.0, 4.0, 5.7) == pytest.approx(19.3)


def test_flow_and_pump_power():
    """40 MW at 10 K of 4.0 MJ/m3K is 1 m3/s; 300 kPa at 0.65 draw 461.5 kW."""
    assert fws_flow_l_per_min(40.0, 4.0, 10.0) == pytest.approx(60000.0)
    assert fws_pump_kw(60000.0, 300.0, 1.0, 0.65) == pytest.approx(461.54, abs=0.01)
    assert fws_pump_kw(60000.0, 300.0, 1.48, 0.65) == pytest.approx(1.48 * 461.54, abs=0.01)


def test_mixed_return():
    """3,000 kW at 10 K and 1,000 kW at 5 K: 4,000/(300 + 200) = 8 K."""
    assert fws_rise_mixed_k(3, 1000.0, 10.0, 1000.0, 5.0) == pytest.approx(8.0)


@pytest.mark.parametrize(("mw", "blocks"), [(1.0, 1), (50.0, 1), (50.1, 2), (150.0, 3)])
def test_plant_blocks(mw, blocks):
    assert fws_main_blocks(mw, 50.0) == blocks


def test_part_load_law():
    assert pump_part_load(1.0, 0.25) == 1.0
    assert pump_part_load(0.5, 0.25) == pytest.approx(0.1539, abs=1e-4)
    assert pump_part_load(0.1, 0.25) == pytest.approx(0.02368, abs=1e-5)


def test_rules_of_the_exchanger():
    assert exchanger_rule(CHOICE, 40.0, 50.0) == (6.0, 4.0, None, None)
    assert exchanger_rule(CHOICE._replace(supply_given_c=33.0), 40.0, 50.0)[0] == 7.0
    both = CHOICE._replace(supply_given_c=37.0, return_given_c=48.0)
    assert exchanger_rule(both, 40.0, 50.0) == (3.0, 3.0, 11.0, None)
    back = exchanger_rule(CHOICE._replace(return_given_c=48.0), 40.0, 50.0)
    assert back.return_less_tcs_supply_k == 8.0


def test_hot_end_of_one_kelvin():
    check_hot_end(50.0, 49.0)
    with pytest.raises(InputError, match=r"give a return of at most 49\.0 degC"):
        check_hot_end(50.0, 49.2)


def test_temperatures_and_power_together():
    loop = size_fws(CHOICE, WATER, (40.0, 50.0), (2.3, 10.0), 40.0)
    assert loop[:4] == (36.0, 46.0, 10.0, pytest.approx(60000.0))
    assert loop.mean_c == 41.0
    assert loop.pump_kw == pytest.approx(461.54, abs=0.01)
