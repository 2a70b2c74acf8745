"""Rack flow against the makers' tables.

Sources: Lenovo Press LP2357 table 27 (GB300 NVL72: water, 121.5 kW = 0.90 x 135 kW to liquid,
return 54.9 degC); NVIDIA/OCP MGX specification 1.1 section 11 (GB200 NVL72: at most 130 L/min,
85 % of 120 kW); a public quotation of the Vera Rubin NVL72 thermal brief (Max-P table, 220 kW).
"""

import pytest

from clusterplan import catalog
from clusterplan.sizing.tcs_loop import RackLiquid, TcsSupply, rack_loop

GB300 = [(25, 59, 15.9), (30, 71, 22.1), (35, 89, 33.8), (40, 119, 58.6), (45, 177, 126.9)]
VERA_RUBIN = [(25, 150, 34.5), (30, 170, 41.4), (35, 200, 55.2), (40, 250, 82.7), (45, 320, 131.0)]


def supply(temp):
    return TcsSupply(temp, 40.0, 2.0, 50.0, 5.0, 15.0, 2.0)


def liquid(rack_id, **changes):
    row = catalog.rack(rack_id)
    table = row.flow_table_coolant
    return RackLiquid(
        rack_id=rack_id,
        liquid_fraction=row.liquid_heat_fraction,
        return_max_c=65.0,
        rise_k=10.0,
        drop_kpa=row.pressure_drop_kpa or 100.0,
        return_temp_c=row.return_temp_c,
        flow_table=row.flow_table,
        flow_table_liquid_kw=row.flow_table_liquid_kw,
        flow_table_coolant=catalog.coolant(table) if table else None,
        flow_l_per_min_per_kw=row.flow_l_per_min_per_kw,
        flow_max_l_per_min=row.flow_max_l_per_min,
    )._replace(**changes)


@pytest.mark.parametrize(("temp", "flow", "drop"), GB300)
def test_gb300_on_water_at_the_tables_heat(temp, flow, drop):
    loop = rack_loop(liquid("gb300-nvl72"), supply(temp), catalog.coolant("water"), 121.5)
    assert loop.return_c == pytest.approx(54.9)
    assert loop.flow_l_per_min == pytest.approx(flow, rel=0.01)
    assert loop.drop_kpa == pytest.approx(drop, rel=0.03)


def test_gb300_at_nameplate_needs_186_l_per_min_at_45_degrees():
    loop = rack_loop(liquid("gb300-nvl72"), supply(45), catalog.coolant("water"), 127.8)
    assert loop.flow_l_per_min == pytest.approx(186, rel=0.01)


def test_gb300_on_pg25_needs_3_4_percent_more_flow():
    rack = liquid("gb300-nvl72")
    # at 25 degC supply the mean is 40 degC; at 45 degC (mean 50) CoolProp gives 3.0 %
    water = rack_loop(rack, supply(25), catalog.coolant("water"), 121.5)
    glycol = rack_loop(rack, supply(25), catalog.coolant("pg25"), 121.5)
    assert glycol.flow_l_per_min / water.flow_l_per_min == pytest.approx(1.034, abs=0.003)
    # turbulent drop of PG25 against water at the same heat, about 1.24 (CoolProp, 41 degC)
    assert glycol.drop_kpa / water.drop_kpa == pytest.approx(1.24, rel=0.03)


def test_a_second_published_gb300_curve_agrees_at_45_degrees():
    """2101.55/(58.97 - T^1.0124) L/min for 118 kW: 178 at 45 degC, within 4 % per kW."""
    loop = rack_loop(liquid("gb300-nvl72"), supply(45), catalog.coolant("water"), 118.0)
    assert loop.flow_l_per_min == pytest.approx(2101.55 / (58.97 - 45**1.0124), rel=0.04)


def test_gb200_at_102_kw_rises_11_8_k_on_its_130_l_per_min():
    """MGX: 120 kW, 85 % liquid = 102 kW at 130 L/min of PG25."""
    loop = rack_loop(liquid("gb200-nvl72"), supply(40), catalog.coolant("pg25"), 102.0)
    assert loop.flow_l_per_min == pytest.approx(130, rel=0.01)
    assert loop.rise_k == pytest.approx(11.8, rel=0.02)


@pytest.mark.parametrize("liquid_kw", [104.0, 115.0, 120.0, 130.0])
def test_gb200_never_takes_more_than_130_l_per_min(liquid_kw):
    loop = rack_loop(liquid("gb200-nvl72"), supply(40), catalog.coolant("pg25"), liquid_kw)
    assert loop.flow_l_per_min == 130
    if liquid_kw == 115:
        assert loop.rise_k == pytest.approx(13.3, rel=0.01)


@pytest.mark.parametrize(("temp", "flow", "drop"), VERA_RUBIN)
def test_vera_rubin_table(temp, flow, drop):
    loop = rack_loop(liquid("vr-nvl72"), supply(temp), catalog.coolant("pg25"), 220.0)
    assert loop.flow_l_per_min == pytest.approx(flow)
    assert loop.drop_kpa == pytest.approx(drop)


@pytest.mark.parametrize(("temp", "return_c"), [(25, 47), (45, 55)])
def test_vera_rubin_return(temp, return_c):
    """With 220 kW to PG25 the return is 47 degC at 25 and 55 degC at 45 (rounded)."""
    loop = rack_loop(liquid("vr-nvl72"), supply(temp), catalog.coolant("pg25"), 220.0)
    assert loop.return_c == pytest.approx(return_c, abs=0.6)


def test_vera_rubin_between_rows_and_scaled_with_heat():
    """Max-P table, 37.5 degC is midway: 225 L/min at 220 kW, half of that at 110 kW."""
    rack, pg25 = liquid("vr-nvl72"), catalog.coolant("pg25")
    assert rack_loop(rack, supply(37.5), pg25, 220.0).flow_l_per_min == pytest.approx(225)
    assert rack_loop(rack, supply(37.5), pg25, 110.0).flow_l_per_min == pytest.approx(112.5)


def test_hgx_h100_at_1_8_l_per_min_per_kw_rises_8_3_k():
    loop = rack_loop(liquid("hgx-h100-8x8-liquid"), supply(40), catalog.coolant("pg25"), 64.0)
    assert loop.rise_k == pytest.approx(8.3, rel=0.01)
