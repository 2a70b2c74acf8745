import math

import pytest

from clusterplan.core.equipment import Coolant, RackFlowPoint
from clusterplan.core.errors import InputError
from clusterplan.sizing.tcs_loop import (
    RackLiquid,
    TcsSupply,
    rack_drop_kpa,
    rack_flow_from_table_l_per_min,
    rack_loop,
    tcs_flow_l_per_min,
)


def coolant(name, fraction, density, viscosity=1.0):
    return Coolant(
        id=name,
        mass_fraction=fraction,
        density_poly=(density,),
        heat_capacity_poly=(4000.0,),
        ln_viscosity_poly=(math.log(viscosity),),
        min_temp_c=0.0,
        max_temp_c=60.0,
    )


WATER = coolant("water", 0.0, 1000.0)
LIGHT = coolant("pg25", 0.25, 900.0, 3.0)
SUPPLY = TcsSupply(40.0, 40.0, 17.0, 45.0, 5.0, 15.0, 2.0)
RACK = RackLiquid("rack", 0.9, 65.0, 10.0, 80.0)
TABLE = (RackFlowPoint(30.0, 100.0, 20.0), RackFlowPoint(50.0, 200.0, 80.0))
TABLED = RACK._replace(flow_table=TABLE, flow_table_liquid_kw=100.0, flow_table_coolant=WATER)


def test_flow_at_a_rise():
    """100 kW at 10 K of 4.0 MJ/m3K: 150 L/min; 1 MW is 1,500."""
    loop = rack_loop(RACK, SUPPLY, WATER, 100.0)
    assert loop.flow_l_per_min == pytest.approx(150.0)
    assert (loop.supply_c, loop.return_c, loop.drop_kpa) == (40.0, 50.0, 80.0)
    assert tcs_flow_l_per_min(1.0, 4.0, 10.0) == pytest.approx(1500.0)


def test_the_users_rise_comes_before_the_racks_own():
    rack = TABLED._replace(rise_given_k=15.0, return_temp_c=54.9, flow_l_per_min_per_kw=1.0)
    assert rack_loop(rack, SUPPLY, WATER, 100.0).rise_k == 15.0


def test_constant_return_comes_before_the_table():
    rack = TABLED._replace(return_temp_c=52.0)
    assert rack_loop(rack, SUPPLY, WATER, 100.0).return_c == 52.0


def test_table_is_linear_in_supply_and_held_beyond():
    table = ((30.0, 100.0), (50.0, 200.0))
    for supply, flow in ((20.0, 100.0), (30.0, 100.0), (40.0, 150.0), (50.0, 200.0), (55.0, 200.0)):
        assert rack_flow_from_table_l_per_min(supply, 50.0, 100.0, table) == flow / 2


def test_another_coolant_keeps_the_tables_rise():
    """150 L/min of water at 40 degC rise 10 K; a coolant of 0.9 the heat takes 166.7 L/min."""
    assert rack_loop(TABLED, SUPPLY, WATER, 100.0).flow_l_per_min == pytest.approx(150.0)
    loop = rack_loop(TABLED, SUPPLY, LIGHT, 100.0)
    assert loop.rise_k == pytest.approx(10.0)
    assert loop.flow_l_per_min == pytest.approx(150 / 0.9)
    # drop: 20 -> 80 kPa over twice the flow is exponent 2; times 0.9^0.8 x 3^0.2
    assert loop.drop_kpa == pytest.approx(20 * (150 / 90) ** 2 * 0.9**0.8 * 3**0.2)


def test_drop_between_and_beyond_the_rows():
    table = ((100.0, 20.0), (200.0, 80.0))
    assert rack_drop_kpa(100.0, table, 1.0) == 20.0
    assert rack_drop_kpa(150.0, table, 1.0) == pytest.approx(45.0)
    assert rack_drop_kpa(200.0, table, 1.0) == pytest.approx(80.0)
    assert rack_drop_kpa(50.0, table, 1.0) == pytest.approx(20 * 0.5**1.9)
    assert rack_drop_kpa(400.0, table, 1.0) == pytest.approx(80 * 2**1.9)


def test_flow_limit_lets_the_rise_grow():
    """120 L/min at most: 100 kW rise 12.5 K, whatever gave the flow."""
    for rack in (RACK, RACK._replace(flow_l_per_min_per_kw=2.0), TABLED):
        loop = rack_loop(rack._replace(flow_max_l_per_min=120.0), SUPPLY, WATER, 100.0)
        assert loop.flow_l_per_min == 120.0
        assert loop.rise_k == pytest.approx(12.5)


def test_a_rack_without_liquid_heat_has_no_flow():
    loop = rack_loop(TABLED, SUPPLY, WATER, 0.0)
    assert (loop.flow_l_per_min, loop.rise_k) == (0.0, 10.0)


def test_a_supply_above_the_return_leaves_no_rise():
    rack = RACK._replace(return_temp_c=40.0)
    with pytest.raises(InputError, match="leaves no rise"):
        rack_loop(rack, SUPPLY, WATER, 100.0)
