"""Sites of NVL72 racks counted by hand, and a measured plant.

Racks of the makers' tables (see test_cooling_loop_racks), XDU1350 at 1,200 L/min, groups of whole
scalable units of 8 racks on at most 6 duty units, one spare each. ORNL Frontier: 6,000 gpm of
water, 13.4 K at 21 MW (Sun et al., Scientific Data 11:1077; OLCF).
"""

import pytest

from clusterplan import catalog
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.liquid_plan import (
    LiquidRows,
    liquid_design,
    liquid_design_for_heat,
)
from clusterplan.planning.rack_choice import choose_rack
from clusterplan.sizing.coolants import coolant_rise_k, rho_c
from clusterplan.sizing.liquid_loop import size_liquid_loop


def rows():
    return LiquidRows(
        catalog.cdus(), catalog.coolants(), catalog.pipes(), catalog.glycol_protection()
    )


def sized(rack_id, racks, **chosen):
    names = {f"cooling.{name}": value for name, value in chosen.items()}
    choices = Choices(catalog.design_fields(), names, Ledger())
    row = catalog.rack(rack_id)
    rack = choose_rack(row, catalog.accelerator(row.accelerator), choices)
    design = liquid_design(choices, rack, rows(), -6.6, True)
    return size_liquid_loop(design, racks, rack.capacity_kw)


@pytest.mark.parametrize(
    ("rack", "racks", "flow", "group", "duty", "last"),
    [
        # 48 x 130 = 6,240 L/min on 6; 4 x 130 on 1
        ("gb200-nvl72", 100, 130.0, 48, 6, 1),
        # 127.8 kW at 14.9 K of PG25 is 128.4 L/min: 56 racks 7,190 on 6; 32 racks 4,109 on 4
        ("gb300-nvl72", 200, 128.4, 56, 6, 4),
        # 250 L/min at 40 degC and 220 kW, 220.19 here: 24 racks 6,005 on 6; 8 racks 2,002 on 2
        ("vr-nvl72", 200, 250.2, 24, 6, 2),
    ],
)
def test_nvl72_sites_at_the_default_40_degrees(rack, racks, flow, group, duty, last):
    loop = sized(rack, racks)
    assert loop.cdu == "xdu1350"
    assert loop.tcs_supply_temp_c == 40.0
    assert loop.rack_flow_l_per_min == pytest.approx(flow, rel=2e-3)
    assert loop.cdu_group_racks == group
    full = racks // group
    assert loop.cdus == full * duty + last + full + 1
    assert loop.cdus_redundant == full + 1
    assert loop.fws_coolant == "pg37"
    assert loop.fws_supply_temp_c == 36.0


def test_gb300_at_45_degrees_needs_half_as_many_racks_a_group():
    """186 L/min x 1.030 for PG25 = 192: 6 units take 37 racks, 4 units of 8."""
    loop = sized("gb300-nvl72", 64, tcs_supply=45.0)
    assert loop.rack_flow_l_per_min == pytest.approx(192, rel=0.01)
    assert (loop.cdu_group_racks, loop.cdus) == (32, 14)
    assert loop.fws_supply_temp_c == 41.0


def test_gb300_at_25_degrees_takes_more_approach_than_planned():
    """30 K of rise: heat binds, not flow; 5.7 K at the exchanger lowers the FWS below 21 degC."""
    loop = sized("gb300-nvl72", 64, tcs_supply=25.0)
    assert loop.cdu_limit == "heat"
    assert 5.0 < loop.cdu_approach_k <= 6.0
    assert loop.fws_supply_temp_c == pytest.approx(25.0 - loop.cdu_approach_k)


def test_fws_pumps_take_one_percent_of_the_heat_on_water():
    """300 kPa at 10 K and 0.65: 300/(4,152 x 10 x 0.65) = 1.11 %; 250 kPa 0.93 %."""
    choices = {"tcs_rise": 10.0, "tcs_coolant": "water", "fws_coolant": "water"}
    for head, percent in ((300.0, 1.11), (250.0, 0.926)):
        loop = sized("hgx-b200-8x8-liquid", 100, fws_pump_head=head, **choices)
        assert loop.fws_pump_kw / loop.fws_heat_mw / 10 == pytest.approx(percent, rel=0.005)


def test_glycol_at_40_percent_costs_8_percent_flow_and_59_percent_power():
    """CoolProp at 41 degC, 40 % by mass (0.386 by volume)."""
    choices = {"tcs_rise": 10.0, "tcs_supply": 40.0}
    water = sized("hgx-b200-8x8-liquid", 100, fws_coolant="water", **choices)
    glycol = sized("hgx-b200-8x8-liquid", 100, fws_coolant="pg39.155", **choices)
    assert glycol.fws_flow_l_per_min / water.fws_flow_l_per_min == pytest.approx(1.077, rel=0.01)
    assert glycol.fws_pump_kw / water.fws_pump_kw == pytest.approx(1.59, rel=0.03)


def test_ten_megawatts_without_racks():
    """8.5 MW of liquid at 10 K of PG25 (4.009): 12,720 L/min; 7,200 in the first group."""
    choices = Choices(catalog.design_fields(), {}, Ledger())
    design = liquid_design_for_heat(choices, 0.85, rows(), 20.0, True)
    loop = size_liquid_loop(design, 10000.0, 1.0)
    assert loop.tcs_flow_l_per_min == pytest.approx(60 * 8500 / (4.009 * 10), rel=1e-3)
    assert (loop.cdu_groups, loop.cdus, loop.cdus_redundant) == (2, 6 + 5 + 2, 2)
    assert loop.fws_coolant == "water"
    assert (loop.tcs_supply_temp_c, loop.fws_supply_temp_c) == (40.0, 36.0)


@pytest.mark.parametrize(("megawatt", "rise"), [(21, 13.4), (25, 15.9), (29, 18.5)])
def test_frontier_rise(megawatt, rise):
    water = catalog.coolant("water")
    measured = coolant_rise_k(megawatt * 1000, 6000 * 3.785411784, rho_c(water, 35))
    assert measured == pytest.approx(rise, rel=0.01)
