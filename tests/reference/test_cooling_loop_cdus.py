"""CDU counts and approaches against data sheets and worked exchangers.

Sources: Vertiv SL-71309 and SL-70799 (XDU1350: 1,368 kW at 4 K, 1,200 L/min), CoolIT CHx2000,
OCP Project Deschutes, Motivair MCDU-70; exchanger relations of Kays and London.
"""

import pytest

from clusterplan import catalog
from clusterplan.sizing.cdu import (
    FwsRule,
    GroupLoad,
    approach_of,
    cdu_ntu,
    cdu_ntu_rated,
    cdu_spec,
    coolant_rise_k,
    size_group,
)

RHO_C = 4.003  # PG25, MJ/m3K
DEFAULT = FwsRule(6.0, 4.0)


def spec(cdu_id):
    return cdu_spec(catalog.cdu(cdu_id), 0.0114, RHO_C)


def load(heat_kw, flow):
    return GroupLoad(heat_kw, flow, coolant_rise_k(heat_kw, flow, RHO_C))


@pytest.mark.parametrize(
    ("cdu", "rise", "ntu"),
    [("xdu1350", 17.1, 4.3), ("chx2000", 14.1, 2.8), ("deschutes", 15.8, 5.3)],
)
def test_rated_transfer_units(cdu, rise, ntu):
    row = catalog.cdu(cdu)
    rated = coolant_rise_k(row.capacity_kw, row.flow_max_l_per_min, RHO_C)
    assert rated == pytest.approx(rise, abs=0.05)
    assert cdu_ntu_rated(rated, row.approach_k) == pytest.approx(ntu, abs=0.05)


@pytest.mark.parametrize(
    ("cdu", "kw"),
    [("xdu1350", 801), ("xdu1350-3p", 1201), ("chx2000", 1418), ("deschutes", 1263)],
)
def test_most_units_are_flow_limited_at_ten_kelvin(cdu, kw):
    """kW at the full flow and 10 K: within half a kW; one kW more takes a second unit."""
    flow = catalog.cdu(cdu).flow_max_l_per_min
    one = size_group(spec(cdu), load(kw - 0.6, flow * (kw - 0.6) / (kw + 0.5)), DEFAULT, 0.25)
    two = size_group(spec(cdu), GroupLoad(kw + 1, flow * (kw + 1) / kw, 10.0), DEFAULT, 0.25)
    assert (one.duty_units, one.limit) == (1, "flow")
    assert two.duty_units == 2


def test_xdu1350_at_801_kw_has_2_34_k():
    group = size_group(spec("xdu1350"), GroupLoad(801.0, 1200.0, 10.0), DEFAULT, 0.25)
    assert group.duty_units == 1
    assert group.approach_k == pytest.approx(2.34, rel=0.01)
    assert group.fws_rise_k == 10.0


def test_xdu1350_with_a_12_k_fws_rise_needs_3_48_k():
    rule = FwsRule(6.0, 4.0, rise_k=12.0)
    group = size_group(spec("xdu1350"), GroupLoad(801.0, 1200.0, 10.0), rule, 0.25)
    assert group.approach_k == pytest.approx(3.48, rel=0.01)


def test_exchanger_of_ntu_3():
    """Approach over TCS rise: 1/3 balanced, 0.144 with twice the FWS flow."""
    assert approach_of(3.0, 10.0, 10.0) / 10 == pytest.approx(1 / 3, rel=1e-9)
    assert approach_of(3.0, 10.0, 5.0) / 10 == pytest.approx(0.144, rel=0.01)


def test_eight_gb200_racks_fit_one_xdu1350():
    """8 x 115 kW = 920 kW: 11.5 K at 1,200 L/min, 13.3 K at the 8 x 130 L/min racks may take."""
    full = load(920.0, 1200.0)
    capped = load(920.0, 1040.0)
    assert full.tcs_rise_k == pytest.approx(11.5, rel=0.01)
    assert capped.tcs_rise_k == pytest.approx(13.3, rel=0.01)
    assert size_group(spec("xdu1350"), full, DEFAULT, 0.25).duty_units == 1
    assert size_group(spec("xdu1350"), capped, DEFAULT, 0.25).duty_units == 1


def test_twelve_gb300_racks_at_45_degrees_fit_one_chx2000():
    """CoolIT's claim: 12 racks at 177 L/min = 2,124 of 2,125 L/min."""
    group = size_group(spec("chx2000"), load(12 * 121.5, 12 * 177.0), DEFAULT, 0.25)
    assert (group.duty_units, group.limit) == (1, "flow")
    more = size_group(spec("chx2000"), load(13 * 121.5, 13 * 177.0), DEFAULT, 0.25)
    assert more.duty_units == 2


def test_gb300_at_25_degrees_is_a_large_approach():
    """30 K of rise on one unit at its rated heat: 10 racks, 590 L/min, balanced 5.6 K."""
    ntu = cdu_ntu(cdu_ntu_rated(17.09, 4.0), 1200.0, 590.0)
    assert 29.9 / ntu == pytest.approx(5.66, rel=0.01)
    group = size_group(spec("xdu1350"), GroupLoad(1215.0, 590.0, 29.9), DEFAULT, 0.25)
    assert group.approach_k == pytest.approx(5.66, rel=0.01)


def test_fws_flow_is_raised_before_units_are_added():
    """With 5 K allowed the same group keeps one unit, on more FWS flow."""
    rule = FwsRule(5.0, 4.0)
    group = size_group(spec("xdu1350"), GroupLoad(1215.0, 590.0, 29.9), rule, 0.25)
    assert group.duty_units == 1
    assert 29.9 / 2 <= group.fws_rise_k < 29.9
    assert group.approach_k == pytest.approx(5.0, rel=1e-6)


def test_pump_power_goes_with_flow():
    """13.7 kW at 1,200 L/min; at a 10 K rise 0.017 kW per kW of heat."""
    group = size_group(spec("xdu1350"), GroupLoad(801.0, 1200.0, 10.0), DEFAULT, 0.25)
    assert group.pump_kw == pytest.approx(13.7, rel=1e-3)
    assert group.pump_kw / 801 == pytest.approx(0.017, abs=2e-4)


def test_pump_floor_is_a_quarter_of_rated_flow():
    group = size_group(spec("xdu1350"), GroupLoad(80.0, 120.0, 10.0), DEFAULT, 0.25)
    assert group.pump_kw == pytest.approx(13.7 * 0.25, rel=1e-3)
    assert group.flow_floor_fraction == 1.0
