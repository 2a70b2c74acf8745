import pytest

from clusterplan.core.equipment import Cdu
from clusterplan.core.errors import InputError
from clusterplan.sizing.cdu import (
    CduSpec,
    FwsRule,
    GroupLoad,
    approach_of,
    cdu_spec,
    exchanger_effectiveness,
    fws_rise_for,
    size_group,
)
from clusterplan.sizing.cdu_groups import times

# NTU 3 at its rating: 1000 kW at 1000 L/min of 4.0 MJ/m3K rises 15 K, approach 5 K
UNIT = CduSpec("unit", 1000.0, 5.0, 1000.0, 200.0, 0.01, 4.0)
RULE = FwsRule(6.0, 4.0)


def row(**figures):
    base = {"id": "unit", "vendor": "v", "kind": "in-row L2L", "capacity_kw": 1000.0}
    return Cdu(**(base | figures))


def test_effectiveness_limits():
    """Balanced NTU/(1+NTU); against an infinite flow 1 - exp(-NTU)."""
    assert exchanger_effectiveness(3.0, 1.0) == 0.75
    assert exchanger_effectiveness(3.0, 0.0) == pytest.approx(1 - 2.718281828459045**-3)


def test_effectiveness_is_continuous_at_balance():
    near = exchanger_effectiveness(3.0, 1.0 - 1e-10)
    assert near == pytest.approx(0.75, abs=1e-9)


def test_approach_with_a_larger_fws_rise():
    """NTU 3, 10 K against 12 K: NTU on Cmin 3.6, R 10/12: e 0.8296 -> 12/e - 10 = 4.46 K."""
    gain = 1 - 2.718281828459045**-0.6
    effectiveness = gain / (1 - (10 / 12) * (1 - gain))
    assert approach_of(3.0, 10.0, 12.0) == pytest.approx(12 / effectiveness - 10)


def test_balanced_flow_where_it_is_enough():
    assert fws_rise_for(3.0, 15.0, RULE) == 15.0


def test_fws_rise_falls_no_further_than_half():
    """NTU 3: 0.144 of the rise at half; 40 K gives 5.77 K, 42 K gives 6.05 K."""
    assert 20.0 <= fws_rise_for(3.0, 40.0, RULE) < 40.0
    assert fws_rise_for(3.0, 42.0, RULE) is None


def test_a_given_return_sets_supply_and_rise_together():
    """TCS 40/50, return 46: supply 36 by the planned 4 K, rise 10, approach 10/3 within it."""
    rule = FwsRule(6.0, 4.0, return_less_tcs_supply_k=6.0)
    assert fws_rise_for(3.0, 10.0, rule) == pytest.approx(10.0)
    # with NTU 2.3 the approach passes 4 K: rise - 6 is then the approach itself
    rise = fws_rise_for(2.3, 10.0, rule)
    assert rise > 10.0
    assert rise == pytest.approx(6.0 + approach_of(2.3, 10.0, rise))
    # with NTU 2 it is 5 K balanced, so the rise is more than 11 K and the approach passes 6 K
    assert fws_rise_for(2.0, 10.0, rule) is None


def test_flow_binds():
    group = size_group(UNIT, GroupLoad(1500.0, 2250.0, 10.0), RULE, 0.25)
    assert (group.duty_units, group.limit) == (3, "flow")
    assert group.unit_flow_l_per_min == 750.0


def test_heat_binds_with_pump_heat():
    """1000 kW of heat and 5 kW of pumps are more than one unit's 1000 kW."""
    group = size_group(UNIT, GroupLoad(1000.0, 500.0, 30.0), FwsRule(12.0, 4.0), 0.25)
    assert (group.duty_units, group.limit) == (2, "heat")


def test_approach_binds_last():
    """40 K at 337.5 L/min: NTU 3 x 2.963^0.3 = 4.16, with twice the FWS flow 2.86 K.

    Two units: NTU 5.12, 1.68 K; more would run below a quarter of their flow.
    """
    load = GroupLoad(900.0, 337.5, 40.0)
    assert size_group(UNIT, load, RULE, 0.25).duty_units == 1
    assert size_group(UNIT, load, FwsRule(3.0, 3.0), 0.25).duty_units == 1
    tight = size_group(UNIT, load, FwsRule(2.5, 2.5), 0.25)
    assert (tight.duty_units, tight.limit) == (2, "approach")
    assert tight.approach_k == pytest.approx(2.5)
    assert size_group(UNIT, load, FwsRule(1.5, 1.5), 0.25) is None


def test_a_full_load_is_not_rounded_up_by_the_last_bit():
    third = GroupLoad(1.0, 1000.0 / 3, 10.0)
    assert size_group(UNIT, times(third, 3), RULE, 0.25).duty_units == 1


def test_pump_power_per_flow_from_the_row_or_the_default():
    own = row(approach_k=4.0, flow_max_l_per_min=1200.0, electric_kw=13.7)
    assert cdu_spec(own, 0.02, 4.0).pump_kw_per_l_per_min == pytest.approx(13.7 / 1200)
    stated = row(approach_k=4.0, flow_max_l_per_min=2125.0, electric_kw_per_l_per_min=0.008)
    assert cdu_spec(stated, 0.02, 4.0).pump_kw_per_l_per_min == 0.008
    neither = row(approach_k=4.0, flow_max_l_per_min=1200.0)
    assert cdu_spec(neither, 0.02, 4.0).pump_kw_per_l_per_min == 0.02


@pytest.mark.parametrize(
    ("figures", "missing"),
    [({"approach_k": 13.0}, "flow"), ({"flow_max_l_per_min": 1.0}, "approach")],
)
def test_a_rating_without_flow_or_approach_is_refused(figures, missing):
    with pytest.raises(InputError, match=f"no published {missing}"):
        cdu_spec(row(**figures), 0.01, 4.0)
