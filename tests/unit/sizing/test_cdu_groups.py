import pytest

from clusterplan.sizing.cdu import CduSpec, FwsRule, GroupLoad
from clusterplan.sizing.cdu_groups import (
    GroupRule,
    cdu_groups,
    cdu_pump_kw,
    cdus,
    cdus_redundant,
    group_racks,
)

# NTU 3 at its rating: 1000 kW at 1000 L/min of 4.0 MJ/m3K rises 15 K, approach 5 K
UNIT = CduSpec("unit", 1000.0, 5.0, 1000.0, 200.0, 0.01, 4.0)
RULE = FwsRule(6.0, 4.0)


@pytest.mark.parametrize(("duty", "racks"), [(6, 32), (2, 8), (1, 8)])
def test_a_group_is_whole_blocks_that_the_duty_units_serve(duty, racks):
    """180 L/min a rack, 5.6 racks a unit: 33 racks on 6 units are 4 blocks of 8; at least one."""
    rack = GroupLoad(100.0, 180.0, 8.33)
    assert group_racks(UNIT, rack, RULE, GroupRule(None, 8, duty, 0.25)) == racks


def test_a_given_group_and_heat_without_racks():
    rack = GroupLoad(1.0, 1.5, 10.0)
    assert group_racks(UNIT, rack, RULE, GroupRule(12.0, 8, 6, 0.25)) == 12.0
    # without racks: 6 units x 1000 L/min / 1.5
    assert group_racks(UNIT, rack, RULE, GroupRule(None, 0, 6, 0.25)) == pytest.approx(4000.0)


def test_units_of_the_site():
    """2 full groups of 6, a last one of 3, one spare each: 12 + 3 + 3."""
    assert cdu_groups(130.0, 56.0) == 3
    assert cdus(2, 6, 3, 3, 1) == 18
    assert cdus_redundant(3, 1) == 3
    assert cdu_pump_kw(2, 60.0, 30.0) == 150.0


def test_a_group_that_the_approach_rules_out():
    rack = GroupLoad(100.0, 37.5, 40.0)
    assert group_racks(UNIT, rack, FwsRule(1.0, 1.0), GroupRule(None, 8, 6, 0.25)) is None
    assert group_racks(UNIT, rack, FwsRule(1.0, 1.0), GroupRule(None, 0, 6, 0.25)) is None


def test_heat_without_racks_shrinks_to_the_approach():
    """1 kW pieces at 40 K: 6,000 kW by heat on 6 units, fewer where 2.7 K is allowed."""
    piece = GroupLoad(1.0, 0.375, 40.0)
    wide = group_racks(UNIT, piece, RULE, GroupRule(None, 0, 6, 0.25))
    tight = group_racks(UNIT, piece, FwsRule(2.7, 2.7), GroupRule(None, 0, 6, 0.25))
    assert wide == pytest.approx(6000 / 1.00375)
    assert 0.25 * wide < tight < wide


def test_one_block_may_need_more_units_than_a_group_has():
    """8 racks of 900 L/min on units of 1000: 8 units, above the 6 of a group."""
    rack = GroupLoad(600.0, 900.0, 10.0)
    assert group_racks(UNIT, rack, RULE, GroupRule(None, 8, 6, 0.25)) == 8
