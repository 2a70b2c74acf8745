"""Inputs are traced to what they are, and to nothing rather than to a coincidence."""

from __future__ import annotations

import pytest

from clusterplan.core.record import Formula, Given, Step
from clusterplan.core.shown_units import unit_of
from clusterplan.reporting.sheet_origins import NONE_HERE, USUAL, Origins, first_places


def step(name, inputs, result, *, unit="", module="", constants=None):
    return Step(
        Formula(name, "T", "x", unit, "rule", True, constants or {}, module), inputs, result
    )


def origin(steps, notes, name, value):
    made = Origins(steps, first_places(steps), notes, [])
    return made.text(len(steps) - 1, name, value)


def test_a_change_between_kw_and_mw_is_followed():
    steps = [
        step("heat_rejection_mw", {"x": 1}, 892.1033829, unit="MW"),
        step("tower_cells", {"heat_kw": 1000.0 * 892.1033829}, 3),
    ]
    assert origin(steps, [], "heat_kw", 1000.0 * 892.1033829) == "from heat_rejection_mw x 1000"


def test_a_small_count_is_not_taken_from_another_discipline():
    steps = [
        step("heat_rejection_units", {"x": 1}, 1, module="heat_rejection"),
        step("transformers", {"units": 1}, 1, module="transformers"),
    ]
    note = Given("cooling.cdu_rating.units_for_approach", 1, "", "CDU", "true")
    assert origin(steps, [note], "units", 1) == ""
    own = Given("substation.units", 1, "units", "chosen", "true")
    assert origin(steps, [note, own], "units", 1) == "substation.units: chosen"


def test_an_input_that_is_only_passed_on_is_no_result():
    steps = [
        step("fault", {"x_over_r": 18.0}, 40.0, unit="kA"),
        step("bus", {"x_over_r": 18.0}, 1.0),
    ]
    note = Given("grid.x_over_r", 18.0, "", "grid.yaml", "given")
    assert origin(steps, [note], "x_over_r", 18.0) == "grid.x_over_r: grid.yaml"


def test_a_tuple_is_traced_item_by_item():
    steps = [
        step("leaves_by_rail", {"x": 1}, 5200, unit="switches"),
        step("leaf_switches", {"leaves": (5200,)}, 5200),
    ]
    assert origin(steps, [], "leaves", (5200,)) == "from leaves_by_rail"
    assert origin(steps, [], "leaves", (5200, 77)) == ""  # half an origin is none
    assert origin(steps, [], "leaves", ()) == NONE_HERE


def test_zero_and_usual_values_say_so():
    steps = [step("capability", {"slope": 0.01}, 1.0, constants={"slope": 0.01})]
    assert origin(steps, [], "slope", 0.01) == USUAL
    assert origin(steps, [], "onsite_mv_mw", 0.0) == NONE_HERE
    assert origin(steps, [], "slope", 0.02) == ""


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("m2_per_mw", "m²/MW"),
        ("acres_per_mw", "acres/MW"),
        ("fan_kw_per_kw", "kW/kW"),
        ("widgets_per_kw", ""),
        ("tcs_flow_l_per_min", "L/min"),
        ("heat_kw", "kW"),
    ],
)
def test_a_rate_does_not_show_the_unit_of_its_denominator(name, unit):
    assert unit_of(name) == unit
