"""Choice of the substation in the places that the reference vectors leave out."""

import dataclasses

import pytest

from clusterplan.planning.substation_inputs import tables_of
from clusterplan.sizing.substation import choose_substation
from clusterplan.sizing.substation_tables import SubstationDuty, SubstationRules

RULES = SubstationRules(frequency_hz=60.0)
IEEE = tables_of("ieee", 60.0)
IEC = tables_of("iec", 50.0)
IEC_RULES = SubstationRules(frequency_hz=50.0)


def choose(tables=IEEE, rules=RULES, **figures):
    return choose_substation(SubstationDuty(**figures), rules, tables)


@pytest.mark.parametrize(
    ("load_mw", "hv_kv"),
    # load_mw_typ_max of the classes: 69 kV 60, 115 150, 138 250, 161 300, 230 700, 345 1,500 MW
    [(50.0, 69.0), (150.0, 115.0), (151.0, 138.0), (300.0, 161.0), (700.0, 230.0), (1500.0, 345.0)],
)
def test_open_hv_is_the_lowest_class_that_holds_the_load(load_mw, hv_kv):
    assert choose(active_mw=load_mw).scheme.hv_kv == hv_kv


@pytest.mark.parametrize(
    ("tables", "rules", "load_mw", "mv_kv"),
    [
        (IEEE, RULES, 59.0, 13.8),
        (IEEE, RULES, 60.0, 34.5),
        (IEC, IEC_RULES, 59.0, 11.0),
        (IEC, IEC_RULES, 60.0, 33.0),
    ],
)
def test_open_mv_by_load(tables, rules, load_mw, mv_kv):
    assert choose(tables, rules, active_mw=load_mw).scheme.mv_kv == mv_kv


def test_higher_mv_where_no_unit_of_that_hv_passes():
    # at 345 kV the least unit is 150 MVA: 6,276 A at 13.8 kV on one bus, 3,138 on two
    scheme = choose(active_mw=50.0, hv_kv=345.0).scheme
    assert scheme.mv_kv == 34.5
    assert scheme.rating.top_mva == 150.0


def test_ansi_27_kv_class_is_held_to_2000_a():
    # 24.94 kV: 2,000 A pass 86.4 MVA, so no unit above that on one secondary
    scheme = choose(active_mw=150.0, hv_kv=138.0, mv_kv=24.94).scheme
    assert scheme.rating.top_mva / scheme.secondaries <= 86.4


def test_given_rating_is_judged_at_100_percent():
    # 247.4 MVA on 125 MVA units: 99 % of two, which only a given rating may run at
    assert choose(active_mw=240.0, hv_kv=230.0, rating_mva=125.0).scheme.installed == 3
    assert choose(active_mw=240.0, hv_kv=230.0).scheme.rating.top_mva == 150.0


def test_groups_have_at_most_eight_units_each_with_its_spare():
    # 1,237 MVA on 100 MVA units: 13 duty units, so two groups of 7 + 1
    scheme = choose(active_mw=1200.0, hv_kv=345.0, rating_mva=100.0).scheme
    assert (scheme.groups, scheme.units) == (2, 8)


def test_growth_raises_the_rating():
    more = dataclasses.replace(RULES, growth_margin=0.25)
    plain = choose(active_mw=240.0, hv_kv=230.0).scheme
    grown = choose(rules=more, active_mw=240.0, hv_kv=230.0).scheme
    assert grown.installed * grown.rating.top_mva > plain.installed * plain.rating.top_mva


@pytest.mark.parametrize(
    ("tables", "rules", "units", "mva", "lv_kv"),
    # 2 MW is 2.06 MVA; 3.75 and 4 MVA at 415 V are above the 5,000 A of a board
    [(IEEE, RULES, 2, 2.5, 0.415), (IEC, IEC_RULES, 2, 2.5, 0.4)],
)
def test_small_service(tables, rules, units, mva, lv_kv):
    scheme = choose(tables, rules, active_mw=2.0, hv_kv=13.8).scheme
    assert (scheme.service, scheme.installed, scheme.rating.top_mva) == ("mv", units, mva)
    assert scheme.mv_kv == lv_kv


def test_small_service_never_takes_a_board_above_5000_a():
    scheme = choose(active_mw=10.0, hv_kv=13.8).scheme
    assert scheme.rating.top_mva == 3.0  # 4,174 A
    assert scheme.installed == 5  # 10.3 MVA / (0.95 x 3) = 3.6


def test_islanded_units_stand_behind_the_generation_bus():
    scheme = choose(active_mw=1000.0, islanded=True).scheme
    assert (scheme.service, scheme.hv_kv, scheme.mv_kv) == ("islanded", 13.8, 34.5)


def test_two_stages_and_their_n_minus_1():
    scheme = choose(active_mw=5000.0, hv_kv=765.0, circuits=4).scheme
    bulk = scheme.bulk
    assert bulk is not None
    assert bulk.mid_kv == 345.0
    load = 5000.0 / 0.97
    assert load <= 0.95 * bulk.groups * (bulk.units - 1) * bulk.rating.top_mva
    assert load <= 0.95 * scheme.groups * (scheme.units - 1) * scheme.rating.top_mva


def test_more_circuits_make_more_yards():
    # 5,155 MVA at 345 kV is 8,627 A: above one yard's 5,000 A, not above three yards'
    assert choose(active_mw=5000.0, hv_kv=345.0).scheme is None
    scheme = choose(active_mw=5000.0, hv_kv=345.0, circuits=6).scheme
    assert scheme.groups >= 2


def test_a_weak_grid_is_refused_when_it_is_given_and_not_when_assumed():
    found = choose(active_mw=240.0, hv_kv=230.0, fault_min_mva=400.0)
    assert found.scheme is None
    assert "cannot carry" in found.failures[0]
    assert choose(active_mw=1200.0, hv_kv=345.0).scheme is not None


def test_no_breaker_for_the_grid():
    found = choose(active_mw=240.0, hv_kv=230.0, fault_max_ka=95.0)
    assert found.scheme is None
    assert "largest breaker" in found.failures[0]


def test_the_choice_is_deterministic():
    duties = [SubstationDuty(active_mw=mw) for mw in (35.0, 240.0, 1200.0, 2500.0)]
    first = [choose_substation(duty, RULES, IEEE) for duty in duties]
    assert first == [choose_substation(duty, RULES, IEEE) for duty in duties]
