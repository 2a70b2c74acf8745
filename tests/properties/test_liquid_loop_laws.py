"""Laws of the liquid loops that hold whatever the figures."""

import functools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.liquid_plan import LiquidRows, liquid_design
from clusterplan.planning.rack_choice import choose_rack
from clusterplan.sizing.cdu import (
    FwsRule,
    GroupLoad,
    approach_of,
    cdu_spec,
    fws_rise_for,
    size_group,
)
from clusterplan.sizing.coolants import rho_c
from clusterplan.sizing.liquid_loop import cdu_pump_kw_at, fws_pump_kw_at, size_liquid_loop
from clusterplan.sizing.pipes import Fluid, choose_pipe

RACKS = ("gb200-nvl72", "gb300-nvl72", "vr-nvl72")
RULE = FwsRule(6.0, 4.0)
heats = st.floats(50.0, 20000.0)
rises = st.floats(6.0, 30.0)
units = st.sampled_from(("xdu1350", "xdu1350-3p", "chx2000", "deschutes", "mcdu-70"))


@functools.cache
def planned(rack_id, tcs_supply=None, fws=None):
    chosen = {} if tcs_supply is None else {"cooling.tcs_supply": tcs_supply}
    if fws is not None:
        chosen |= {"cooling.fws_coolant": fws}
    choices = Choices(catalog.design_fields(), chosen, Ledger())
    row = catalog.rack(rack_id)
    rack = choose_rack(row, catalog.accelerator(row.accelerator), choices)
    rows = LiquidRows(
        catalog.cdus(), catalog.coolants(), catalog.pipes(), catalog.glycol_protection()
    )
    return liquid_design(choices, rack, rows, 10.0, True), rack.capacity_kw


def sized(rack_id, racks, **choices):
    design, kw = planned(rack_id, **choices)
    return size_liquid_loop(design, racks, kw)


def load(heat, rise):
    return GroupLoad(heat, 60 * heat / (4.003 * rise), rise)


@given(cdu=units, heat=heats, rise=rises)
@settings(max_examples=150, deadline=None)
def test_a_group_keeps_every_limit_with_the_least_units(cdu, heat, rise):
    spec = cdu_spec(catalog.cdu(cdu), 0.0114, 4.003)
    group = size_group(spec, load(heat, rise), RULE, 0.25)
    if group is None:
        return
    pump = group.flow_l_per_min * spec.pump_kw_per_l_per_min
    assert group.unit_flow_l_per_min <= spec.flow_max_l_per_min * (1 + 1e-6)
    assert (group.heat_kw + pump) / group.duty_units <= spec.capacity_kw * (1 + 1e-6)
    assert group.approach_k <= RULE.approach_max_k * (1 + 1e-6)
    assert rise / 2 * (1 - 1e-9) <= group.fws_rise_k <= rise
    if group.limit != "approach" and group.duty_units > 1:
        fewer = group.duty_units - 1
        over_flow = group.flow_l_per_min / fewer > spec.flow_max_l_per_min
        over_heat = (group.heat_kw + pump) / fewer > spec.capacity_kw
        assert over_flow or over_heat


@given(ntu=st.floats(1.0, 8.0), tcs_rise=rises, factor=st.floats(0.3, 2.5))
@settings(max_examples=150, deadline=None)
def test_the_exchanger_balances_and_more_ntu_helps(ntu, tcs_rise, factor):
    fws_rise = factor * tcs_rise
    approach = approach_of(ntu, tcs_rise, fws_rise)
    assert approach > 0
    # hot end: TCS return - FWS return, positive for any exchanger
    assert approach + tcs_rise - fws_rise > 0
    assert approach_of(ntu * 1.1, tcs_rise, fws_rise) < approach
    # less FWS flow (a larger rise) never needs a smaller approach
    assert approach_of(ntu, tcs_rise, fws_rise * 1.1) > approach
    # log mean difference x UA = Q: NTU = rise / LMTD
    hot = approach + tcs_rise - fws_rise
    if abs(hot - approach) > 1e-3:
        lmtd = (hot - approach) / math.log(hot / approach)
        assert tcs_rise / lmtd == pytest.approx(ntu, rel=1e-6)


@given(ntu=st.floats(1.0, 8.0), tcs_rise=rises)
@settings(max_examples=80, deadline=None)
def test_a_stricter_approach_never_takes_less_fws_flow(ntu, tcs_rise):
    loose = fws_rise_for(ntu, tcs_rise, FwsRule(6.0, 4.0))
    strict = fws_rise_for(ntu, tcs_rise, FwsRule(4.0, 4.0))
    if strict is not None:
        assert loose is not None
        assert strict <= loose


@given(cdu=units, heat=heats, rise=st.floats(6.0, 20.0), more=st.integers(1, 5))
@settings(max_examples=80, deadline=None)
def test_more_units_never_raise_the_load_or_approach_of_each(cdu, heat, rise, more):
    spec = cdu_spec(catalog.cdu(cdu), 0.0114, 4.003)
    group = size_group(spec, load(heat, rise), RULE, 0.25)
    if group is None:
        return
    share = heat / (group.duty_units + more) * group.duty_units
    less = size_group(spec, load(share, rise), RULE, 0.25, group.duty_units)
    if less.duty_units == group.duty_units:
        assert less.unit_flow_l_per_min < group.unit_flow_l_per_min
        assert less.approach_k <= group.approach_k * (1 + 1e-9)


@given(rack=st.sampled_from(RACKS), racks=st.integers(1, 3000))
@settings(max_examples=80, deadline=None)
def test_heat_balance_of_the_site(rack, racks):
    loop = sized(rack, racks)
    design, _ = planned(rack)
    tcs_mean = (loop.tcs_supply_temp_c + loop.tcs_return_temp_c) / 2
    fws_mean = (loop.fws_supply_temp_c + loop.fws_return_temp_c) / 2
    tcs = loop.tcs_flow_l_per_min / 60000 * rho_c(design.tcs_coolant, tcs_mean) * loop.tcs_rise_k
    fws = loop.fws_flow_l_per_min / 60000 * rho_c(design.fws.coolant, fws_mean) * loop.fws_rise_k
    assert tcs == pytest.approx(loop.liquid_heat_mw, rel=1e-6)
    assert fws == pytest.approx(loop.liquid_heat_mw + loop.cdu_pump_kw / 1000, rel=1e-9)
    assert loop.tcs_flow_l_per_min == pytest.approx(racks * loop.rack_flow_l_per_min, rel=1e-6)
    groups = loop.full_groups * loop.full_group.heat_kw
    last = loop.last_group.heat_kw if loop.last_group else 0.0
    assert groups + last == pytest.approx(1000 * loop.liquid_heat_mw, rel=1e-9)
    gap = loop.tcs_supply_temp_c - loop.fws_supply_temp_c
    assert gap >= max(4.0, loop.cdu_approach_k) - 1e-9
    assert loop.cdus > loop.cdus_redundant == loop.cdu_groups


@given(rack=st.sampled_from(RACKS), racks=st.integers(1, 1500), more=st.integers(1, 200))
@settings(max_examples=60, deadline=None)
def test_more_racks_never_need_fewer_units_or_less_flow(rack, racks, more):
    small, large = sized(rack, racks), sized(rack, racks + more)
    assert large.cdus >= small.cdus
    assert large.tcs_flow_l_per_min > small.tcs_flow_l_per_min
    assert large.cdu_pump_kw > small.cdu_pump_kw * (1 - 1e-12)


@given(low=st.integers(20, 44), step=st.integers(1, 10))
@settings(max_examples=25, deadline=None)
def test_a_warmer_gb300_supply_raises_flow_and_drop(low, step):
    high = min(low + step, 45)
    if high == low:
        return
    cold = sized("gb300-nvl72", 100, tcs_supply=float(low))
    warm = sized("gb300-nvl72", 100, tcs_supply=float(high))
    assert warm.tcs_flow_l_per_min > cold.tcs_flow_l_per_min
    assert warm.rack_drop_kpa > cold.rack_drop_kpa
    assert warm.tcs_return_temp_c == pytest.approx(cold.tcs_return_temp_c)
    assert warm.fws_supply_temp_c > cold.fws_supply_temp_c


@given(rack=st.sampled_from(RACKS), racks=st.integers(10, 500))
@settings(max_examples=25, deadline=None)
def test_glycol_in_the_fws_costs_flow_and_power_but_no_cdu(rack, racks):
    water, glycol = sized(rack, racks, fws="water"), sized(rack, racks, fws="pg40")
    assert glycol.cdus == water.cdus
    assert glycol.fws_supply_temp_c == water.fws_supply_temp_c
    assert 1.05 < glycol.fws_flow_l_per_min / water.fws_flow_l_per_min < 1.10
    assert 1.4 < glycol.fws_pump_kw / water.fws_pump_kw < 1.7


@given(racks=st.integers(1, 800), share=st.floats(0.0, 1.0))
@settings(max_examples=50, deadline=None)
def test_part_load_never_draws_more(racks, share):
    loop = sized("gb200-nvl72", racks)
    assert 0 < cdu_pump_kw_at(loop, share) <= loop.cdu_pump_kw * (1 + 1e-9)
    assert 0 < fws_pump_kw_at(loop, share) <= loop.fws_pump_kw


@given(flow=st.floats(1.0, 3e6), viscosity=st.floats(0.4, 4.0))
@settings(max_examples=100, deadline=None)
def test_pipes_meet_both_limits(flow, viscosity):
    sizes = catalog.pipes()
    choice = choose_pipe(flow, sizes, Fluid(1010.0, viscosity), 0.045, 400.0)
    limit = next(size.velocity_max_m_per_s for size in sizes if size.dn == choice.dn)
    assert choice.velocity_m_per_s <= limit * (1 + 1e-9)
    assert choice.friction_pa_per_m <= 400.0 * (1 + 1e-9)
