"""The liquid loops of a whole site, on hand-made rows with round figures."""

import dataclasses
import math

import pytest

from clusterplan.core.equipment import Coolant, PipeSize
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.core.record import FORMULAS, recording
from clusterplan.sizing.cdu import CduSpec
from clusterplan.sizing.cdu_groups import GroupRule
from clusterplan.sizing.fws_loop import FwsChoice, pump_part_load
from clusterplan.sizing.liquid_loop import (
    LiquidDesign,
    cdu_pump_kw_at,
    fws_pump_kw_at,
    size_liquid_loop,
)
from clusterplan.sizing.tcs_loop import RackLiquid, TcsSupply

# 4.0 MJ/m3K at every temperature
FLUID = Coolant(
    id="water",
    mass_fraction=0.0,
    density_poly=(1000.0,),
    heat_capacity_poly=(4000.0,),
    ln_viscosity_poly=(0.0,),
    min_temp_c=0.0,
    max_temp_c=60.0,
)
THICK = dataclasses.replace(FLUID, id="pg40", mass_fraction=0.4, ln_viscosity_poly=(1.0,))
SMALL = CduSpec("small", 1500.0, 4.0, 1200.0, 150.0, 0.01, 4.0)  # NTU 4.69
LARGE = CduSpec("large", 3000.0, 4.0, 3000.0, 300.0, 0.01, 4.0)
RACK = RackLiquid("r", 0.9, 65.0, 10.0, 100.0)
SUPPLY = TcsSupply(40.0, 40.0, 17.0, 45.0, 5.0, 15.0, 2.0)
WATER_LOOP = FwsChoice(None, None, 4.0, 6.0, FLUID, "water", 300.0, 0.65)
PIPES = tuple(
    PipeSize(id=f"dn{dn}", dn=dn, inner_diameter_mm=dn, velocity_max_m_per_s=3.0)
    for dn in (100, 200, 400, 800)
)


def design(**changes):
    base = {
        "rack": RACK,
        "supply": SUPPLY,
        "tcs_coolant": FLUID,
        "water": FLUID,
        "cdus": (SMALL, LARGE),
        "cdu_chosen": False,
        "cdus_redundant_per_group": 1,
        "grouping": GroupRule(None, 8, 6, 0.25),
        "manifold_drop_kpa": 50.0,
        "fws": WATER_LOOP,
        "pipes": PIPES,
        "pipe_roughness_mm": 0.045,
        "pipe_friction_max_pa_per_m": 400.0,
        "plant_block_mw": 50.0,
    }
    return LiquidDesign(**(base | changes))


def test_site_by_hand():
    """100 kW racks, 90 kW to liquid at 10 K of 4.0 MJ/m3K: 135 L/min each.

    One unit takes 8.9 racks by flow, so 6 take 53: groups of 48, 6480/1200 -> 6 duty. 130 racks:
    two full groups and 34 racks (4590 L/min -> 4 duty): 6 + 6 + 4 + 3 spares = 19.
    """
    loop = size_liquid_loop(design(), 130, 100.0)
    assert loop.liquid_heat_mw == pytest.approx(11.7)
    assert loop.rack_flow_l_per_min == pytest.approx(135.0)
    assert loop.tcs_flow_l_per_min == pytest.approx(130 * 135.0)
    assert (loop.tcs_supply_temp_c, loop.tcs_return_temp_c) == (40.0, 50.0)
    assert (loop.cdu, loop.cdu_limit) == ("small", "flow")
    assert (loop.cdu_group_racks, loop.cdu_groups, loop.full_groups) == (48, 3, 2)
    assert (loop.cdus, loop.cdus_redundant) == (19, 3)
    # NTU 18.75/4 x (1200/1147.5)^0.3 for the last group's four units: the worst approach
    assert loop.cdu_approach_k == pytest.approx(10 / (4.6875 * (1200 / 1147.5) ** 0.3))
    assert (loop.fws_supply_temp_c, loop.fws_return_temp_c) == (36.0, 46.0)
    assert loop.cdu_pump_kw == pytest.approx(130 * 135 * 0.01)
    assert loop.fws_heat_mw == pytest.approx(11.7 + 0.1755)
    assert loop.fws_flow_l_per_min == pytest.approx(11.8755 * 60000 / 40)
    # V dp / eta: 0.29689 m3/s x 300 kPa / 0.65
    assert loop.fws_pump_kw == pytest.approx(0.2968875 * 300 / 0.65)


def test_mains_per_plant_block():
    """13 MW of racks are one block; 130 MW of IT are three."""
    one = size_liquid_loop(design(), 130, 100.0)
    assert (one.fws_main_blocks, one.fws_main_pairs, one.fws_main_dn) == (1, 1, 400)
    three = size_liquid_loop(design(), 130, 100.0, 0.0, 130.0)
    assert three.fws_main_blocks == 3
    assert three.fws_main_velocity_m_per_s < 3.0


def test_glycol_raises_flow_head_and_power_only():
    """Same heat capacity here, e times the viscosity: drop e^0.2 = 1.2214."""
    water = size_liquid_loop(design(), 130, 100.0)
    glycol = size_liquid_loop(
        design(fws=WATER_LOOP._replace(coolant=THICK, coolant_id="pg40")), 130, 100.0
    )
    assert glycol.fws_coolant == "pg40"
    assert glycol.fws_flow_l_per_min == pytest.approx(water.fws_flow_l_per_min)
    assert glycol.fws_pump_kw == pytest.approx(water.fws_pump_kw * math.exp(0.2))
    assert glycol.fws_supply_temp_c == water.fws_supply_temp_c
    assert glycol.cdus == water.cdus


def test_a_part_filled_rack_and_switch_heat():
    """Half a rack is half its heat; 130 kW of switches on 130 racks are 1 kW, 1.5 L/min each."""
    assert size_liquid_loop(design(), 129.5, 100.0).liquid_heat_mw == pytest.approx(11.655)
    loop = size_liquid_loop(design(), 130, 100.0, 130.0)
    assert loop.liquid_heat_mw == pytest.approx(11.83)
    assert loop.rack_flow_l_per_min == pytest.approx(135.0)
    assert loop.tcs_flow_l_per_min == pytest.approx(130 * 136.5)
    assert loop.full_group.flow_l_per_min == pytest.approx(48 * 136.5)


def test_switches_alone_may_be_liquid_cooled():
    loop = size_liquid_loop(design(rack=RACK._replace(liquid_fraction=0.0)), 8, 40.0, 80.0)
    assert loop.liquid_heat_mw == pytest.approx(0.08)
    assert loop.tcs_return_temp_c == 50.0
    assert loop.cdus == 2


@pytest.mark.parametrize(("racks", "fraction"), [(0, 0.9), (10, 0.0)])
def test_no_liquid_heat_no_loop(racks, fraction):
    assert (
        size_liquid_loop(design(rack=RACK._replace(liquid_fraction=fraction)), racks, 100.0) is None
    )


def test_heat_without_racks():
    """1 kW pieces: a group is 6 x 1200 L/min / 1.35 = 5,333 kW; 10 MW are two of them."""
    loop = size_liquid_loop(design(grouping=GroupRule(None, 0, 6, 0.25)), 10000.0, 1.0)
    assert loop.cdu_group_racks == pytest.approx(7200 / 1.35)
    assert (loop.cdu_groups, loop.cdus) == (2, 14)


def test_head_picks_the_next_unit():
    """140 kPa of rack and 50 of manifold are more than 150: the 300 kPa unit."""
    loop = size_liquid_loop(design(rack=RACK._replace(drop_kpa=140.0)), 130, 100.0)
    assert loop.cdu == "large"


def test_no_unit_with_the_head():
    high = design(rack=RACK._replace(drop_kpa=400.0))
    with pytest.raises(InfeasibleError, match="450 kPa"):
        size_liquid_loop(high, 130, 100.0)
    with pytest.raises(InputError, match="the chosen CDU cannot"):
        size_liquid_loop(design(rack=high.rack, cdus=(SMALL,), cdu_chosen=True), 130, 100.0)


def test_unknown_head_is_not_checked():
    unit = SMALL._replace(head_kpa=None)
    loop = size_liquid_loop(design(rack=RACK._replace(drop_kpa=900.0), cdus=(unit,)), 130, 100.0)
    assert loop.cdu == "small"


def test_given_fws_temperatures_leave_the_tcs():
    fws = WATER_LOOP._replace(supply_given_c=35.0, return_given_c=47.0)
    loop = size_liquid_loop(design(fws=fws), 130, 100.0)
    assert (loop.tcs_supply_temp_c, loop.tcs_return_temp_c) == (40.0, 50.0)
    assert (loop.fws_supply_temp_c, loop.fws_return_temp_c) == (35.0, 47.0)
    assert loop.fws_flow_l_per_min == pytest.approx(loop.fws_heat_mw * 60000 / 48)


def test_a_given_return_saves_flow_and_costs_approach():
    base = size_liquid_loop(design(), 130, 100.0)
    loop = size_liquid_loop(design(fws=WATER_LOOP._replace(return_given_c=47.5)), 130, 100.0)
    assert loop.fws_return_temp_c == 47.5
    assert loop.fws_rise_k == pytest.approx(47.5 - loop.fws_supply_temp_c)
    assert loop.cdu_approach_k > base.cdu_approach_k
    assert loop.fws_flow_l_per_min < base.fws_flow_l_per_min


@pytest.mark.parametrize(
    ("supply", "back", "words"),
    [
        (40.0, None, "cannot give a TCS supply"),
        (36.0, 49.5, "at the hot end"),
        (None, 49.5, "at the hot end"),
        (36.0, 35.0, "not above the supply"),
        (None, 35.0, "not above an FWS supply"),
        (39.9, None, "no CDU holds the TCS supply"),
    ],
)
def test_fws_temperatures_that_cannot_work(supply, back, words):
    fws = WATER_LOOP._replace(supply_given_c=supply, return_given_c=back)
    with pytest.raises(InputError, match=words):
        size_liquid_loop(design(fws=fws), 130, 100.0)


def test_a_return_above_the_racks_limit_is_refused():
    hot = design(rack=RACK._replace(rise_given_k=26.0))
    with pytest.raises(InputError, match=r"TCS return of 66\.0 degC"):
        size_liquid_loop(hot, 130, 100.0)


def test_the_supply_rule():
    """min(40, rack maximum - 5), not below dew point + 2 K nor the rack's least."""
    for rack_max, rack_min, dew, expected in (
        (50.0, 2.0, 15.0, 40.0),
        (40.0, 17.0, 15.0, 35.0),
        (20.0, 2.0, 15.0, 17.0),
        (40.0, 38.0, 15.0, 38.0),
    ):
        supply = TcsSupply(None, 40.0, rack_min, rack_max, 5.0, dew, 2.0)
        loop = size_liquid_loop(design(supply=supply), 10, 100.0)
        assert loop.tcs_supply_temp_c == expected


def test_pumps_at_part_load():
    """(V/Vd)^2.7: 0.8 -> 0.5475; FWS pumps not below 25 % speed, CDUs not below a quarter flow."""
    loop = size_liquid_loop(design(), 96, 100.0)
    assert pump_part_load(0.8, 0.25) == pytest.approx(0.5475, abs=1e-4)
    assert fws_pump_kw_at(loop, 0.8) == pytest.approx(0.5475 * loop.fws_pump_kw, rel=1e-4)
    assert fws_pump_kw_at(loop, 0.1) == pytest.approx(0.25**2.7 * loop.fws_pump_kw)
    assert cdu_pump_kw_at(loop, 1.0) == pytest.approx(loop.cdu_pump_kw)
    # units run at 1080 of 1200 L/min: floor 300/1080
    assert cdu_pump_kw_at(loop, 0.1) == pytest.approx((300 / 1080) ** 2.7 * loop.cdu_pump_kw)


def test_the_record_changes_nothing_and_explains_every_figure():
    planned = design(fws=WATER_LOOP._replace(coolant=THICK, coolant_id="pg40"))
    quiet = size_liquid_loop(planned, 130, 100.0, 20.0)
    with recording() as record:
        loud = size_liquid_loop(planned, 130, 100.0, 20.0)
    assert loud == quiet
    for name in (
        "liquid_heat_mw",
        "rack_flow_l_per_min",
        "tcs_return_temp_c",
        "tcs_flow_l_per_min",
        "cdus",
        "cdus_redundant",
        "cdu_groups",
        "cdu_approach_k",
        "cdu_pump_kw",
        "fws_supply_temp_c",
        "fws_return_temp_c",
        "fws_heat_mw",
        "fws_flow_l_per_min",
        "fws_pump_kw",
        "fws_main_blocks",
    ):
        assert record.find(name, getattr(loud, name)), name
    assert record.find("pipe_velocity_m_per_s", loud.fws_main_velocity_m_per_s)
    assert record.find("pipe_friction_pa_per_m", loud.fws_main_friction_pa_per_m)
    for name in (
        "tcs_supply_temp_c",
        "rack_drop_kpa",
        "fws_main_dn",
        "cdu_pipe_dn",
        "fws_main_pairs",
    ):
        assert record.givens[f"cooling.{name}"].value == getattr(loud, name), name


def test_printed_equations_give_the_recorded_results():
    names = {name: getattr(math, name) for name in dir(math) if not name.startswith("_")}
    names |= {"min": min, "max": max, "abs": abs, "round": round, "sum": sum}
    with recording() as record:
        size_liquid_loop(design(supply=SUPPLY._replace(given_c=None)), 130, 100.0)
        size_liquid_loop(design(rack=RACK._replace(return_temp_c=54.9)), 130, 100.0)
        size_liquid_loop(design(rack=RACK._replace(flow_l_per_min_per_kw=1.27)), 130, 100.0)
        fws_pump_kw_at(size_liquid_loop(design(), 130, 100.0), 0.5)
    assert len({step.formula.name for step in record.steps}) > 25
    for step in record.steps:
        if step.formula.plain:
            value = eval(step.formula.equation, {"__builtins__": {}}, names | step.inputs)
            assert value == pytest.approx(step.result, rel=1e-12), step.formula.name


def test_every_formula_has_its_fields():
    for name in ("tcs_flow_l_per_min", "cdus", "cdu_approach_k", "fws_flow_l_per_min"):
        assert FORMULAS[name].source
        assert FORMULAS[name].title
