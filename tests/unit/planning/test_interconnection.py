"""Which large-load rules hold for a load: the place, the voltage, both readings of the size.

Thresholds are those of the catalogue rows (ERCOT 75 MW, SPP 10 MW to 69 kV and 50 MW above, NYISO
10 MW from 115 kV and 80 MW below, Ireland 10 MVA), each with its source there.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterplan.planning.interconnection import JudgedLoad, rule_verdicts, rules_for
from clusterplan.sizing.load_letter import (
    APPLIES,
    BELOW,
    BOUNDARY,
    contracted_mw,
    grid_load_mw,
    speculative_mw,
    threshold_verdict,
)

LOAD = JudgedLoad("ERCOT Oncor", "US", "TX", False, 138.0, 100.0, 100.0, 0.97, 80.0)


def verdict(name, load):
    found = {row.name: row for row in rule_verdicts(load, 0.05)}
    return found[name]


@pytest.mark.parametrize(
    ("planned", "requested", "expected"),
    [
        (100.0, 100.0, "applies"),
        (60.0, 60.0, "no: below"),
        (60.0, 100.0, "boundary"),  # the readings disagree
        (100.0, 60.0, "boundary"),
        (74.0, 74.0, "boundary"),  # within 5 %
        (75.0, 75.0, "boundary"),
        (71.0, 60.0, "no: below"),
    ],
)
def test_both_readings_of_the_load(planned, requested, expected):
    row = verdict(
        "ERCOT, large-load interconnection",
        LOAD._replace(planned_mw=planned, requested_mw=requested),
    )
    assert row.verdict == expected
    assert (row.planned, row.requested, row.threshold) == (planned, requested, 75.0)
    if expected == "boundary" and planned != requested:
        words = ("applies", "does not")
        assert f"{words[planned < 75]} at the {planned:g} MW planned" in row.reading
        assert f"{words[requested < 75]} at the {requested:g} MW requested" in row.reading


@pytest.mark.parametrize(
    ("utility", "kv", "megawatts", "rule", "expected"),
    [
        ("SPP", 69.0, 20.0, "SPP, high impact large load to 69 kV", "applies"),
        ("SPP", 69.0, 20.0, "SPP, high impact large load above 69 kV", "no: voltage"),
        ("SPP", 138.0, 20.0, "SPP, high impact large load to 69 kV", "no: voltage"),
        ("SPP", 138.0, 20.0, "SPP, high impact large load above 69 kV", "no: below"),
        ("NYISO", 115.0, 20.0, "NYISO, load interconnection from 115 kV", "applies"),
        ("NYISO", 69.0, 20.0, "NYISO, load interconnection below 115 kV", "no: below"),
    ],
)
def test_the_voltage_decides_which_threshold_holds(utility, kv, megawatts, rule, expected):
    load = LOAD._replace(utility=utility, kv=kv, planned_mw=megawatts, requested_mw=megawatts)
    assert verdict(rule, load).verdict == expected


def test_a_threshold_in_mva_is_judged_in_mva():
    load = LOAD._replace(
        utility="ESB", country="IE", state="", planned_mw=9.8, requested_mw=12.0, power_factor=0.8
    )
    row = verdict("Ireland, CRU/2025236, large", load)
    assert (row.unit, row.planned, row.requested) == ("MVA", 12.25, 15.0)
    assert row.verdict == "applies"


def test_what_is_only_proposed_or_drafted_is_said_to_be_so():
    found = rule_verdicts(LOAD, 0.05)
    drafts = [row for row in found if "draft" in row.status or "proposed 2025" in row.status]
    assert len(drafts) >= 2
    assert {row.verdict for row in drafts} == {"would apply, not in force"}


def test_a_share_of_computational_load_that_is_too_small():
    name = "ERCOT, ride-through NOGRR282 / NPRR1308"
    assert verdict(name, LOAD).verdict == "applies"
    small = verdict(name, LOAD._replace(computational_percent=40.0))
    assert small.verdict == "no: share"
    assert "50 %" in small.reading


def test_rules_of_another_utility_or_country_are_not_listed():
    texas = {row.id for row in rules_for(LOAD)}
    assert "ercot-large-load" in texas
    assert not texas & {"pjm-large-load", "aeso-large-load", "gb-neso", "default"}
    # a key is a whole word: Alberta is not in "Albertaville"
    far = {row.id for row in rules_for(LOAD._replace(utility="Albertaville", country="CA"))}
    assert "aeso-large-load" not in far


def test_a_place_without_rules_gets_the_assumed_one_and_it_says_so():
    load = LOAD._replace(utility="Rarotonga Power", country="CK", state="")
    (row,) = rule_verdicts(load, 0.05)
    assert row.name == "assumed where no rule is on file"
    assert row.verdict == "would apply, not in force"
    assert row.verified == "false"
    # a US utility without rules of its own still has the federal rows beside it
    us = {row.id for row in rules_for(LOAD._replace(utility="Somewhere Municipal"))}
    assert {"default", "nerc-level-3-alert"} <= us


def test_a_boundary_is_not_an_exact_number():
    assert threshold_verdict((75.0,), 75.0, 0.0) == BOUNDARY
    assert threshold_verdict((75.1, 80.0), 75.0, 0.0) == APPLIES
    assert threshold_verdict((74.9, 70.0), 75.0, 0.0) == BELOW


POWERS = st.floats(0.0, 5000.0)


@given(POWERS, POWERS, POWERS)
def test_contracted_and_speculative_close_on_the_grid_load(load, onsite, secured):
    on_grid = grid_load_mw(load, onsite)
    contracted = contracted_mw(on_grid, secured)
    speculative = speculative_mw(on_grid, contracted)
    assert 0.0 <= contracted <= secured
    assert speculative >= 0.0
    assert contracted + speculative == pytest.approx(on_grid)


@given(st.lists(st.floats(0.1, 5000.0), min_size=1, max_size=4), st.floats(0.0, 0.5))
def test_verdicts_are_monotone_in_the_load(readings, margin):
    order = {BELOW: 0, BOUNDARY: 1, APPLIES: 2}
    now = threshold_verdict(tuple(readings), 75.0, margin)
    more = threshold_verdict(tuple(2.0 * value for value in readings), 75.0, margin)
    assert order[more] >= order[now] or more == BOUNDARY
    assert threshold_verdict(tuple(readings[::-1]), 75.0, margin) == now
