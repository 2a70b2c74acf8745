"""Calculation sheets come from the record, in order, with the steps that feed them."""

from __future__ import annotations

import dataclasses

import pytest

from clusterplan.core.errors import InputError
from clusterplan.core.record import Formula, Given, Recorder, Step
from clusterplan.reporting.render import render
from clusterplan.reporting.rows import figure_rows
from clusterplan.reporting.sheets import explain_row, sheets, unexplained


def row_at(report, path):
    return next(row for row in figure_rows(report) if row.path == path)


def test_a_figure_is_explained_by_its_formula_or_its_note(recorded):
    record = recorded.record
    found = explain_row(row_at(recorded, "plant.facility_power_mw"), record)
    assert isinstance(found, Step)
    assert found.formula.name == "facility_power_mw"
    assert explain_row(row_at(recorded, "plant.pue_peak"), record).formula.name == "plant_pue"
    note = explain_row(row_at(recorded, "plant.supply_temp_c"), record)
    assert isinstance(note, Given)
    assert note.source == "design.yaml"
    assert explain_row(row_at(recorded, "plant.loading_percent"), record) is None
    assert explain_row(row_at(recorded, "plant.racks"), None) is None


def test_unexplained_lists_exactly_what_has_no_sheet(recorded):
    # water, flow, loading and the year were never recorded; losses are unknown, spare racks detail
    assert [row.path for row in unexplained(recorded)] == [
        "plant.flow_l_per_min",
        "plant.water_m3_per_year",
        "plant.loading_percent",
        "plant.year.energy_gwh",
    ]
    more = [row.path for row in unexplained(recorded, undeclared=True)]
    assert "limits.grid.used" in more
    assert "plant.modules.osfp-fr4.power_kw" in more
    assert "assumptions.0.value" not in more  # states its own source


def test_a_note_or_step_of_another_value_explains_nothing(make_report, recorded):
    stale = make_report(record=recorded.record, racks=6417, facility_power_mw=199.35)
    paths = [row.path for row in unexplained(stale)]
    assert "plant.racks" in paths
    assert "plant.facility_power_mw" in paths


def test_without_a_record_nothing_but_assumptions_is_explained(report):
    assert "plant.racks" in [row.path for row in unexplained(report)]
    assert [sheet.results[0].path for sheet in sheets(report)] == [
        "design.cooling.approach",
        "design.cooling.pad_efficiency",
    ]


def test_sheets_follow_the_report_and_feed_forward(recorded):
    found = sheets(recorded, "plant")
    assert [s.formula for s in found] == [
        "given",
        "rack_share_kw",  # feeds the IT power
        "it_power_mw",
        "plant_pue",
        "facility_power_mw",
        "given",
        "given",
        "given",
    ]
    share = found[1]
    assert share.results[0].path == ""
    assert share.results[0].unit == "kW"
    facility = found[4]
    assert (facility.equation, facility.source) == ("it_power_mw * pue_peak", "rule 4")
    assert [(i.name, i.value, i.unit, i.origin) for i in facility.inputs] == [
        ("it_power_mw", 164.25, "MW", "from it_power_mw"),
        ("pue_peak", 1.2137, "", "from plant_pue"),
    ]
    power = found[2]
    assert power.inputs[0].origin == "plant.racks: chosen by the solve"
    assert power.inputs[1].origin == "from rack_share_kw"
    # the equation with its printed inputs gives the printed result
    names = {item.name: item.value for item in facility.inputs}
    assert eval(facility.equation, {}, names) == facility.results[0].value


def test_one_figure_can_be_asked_for(recorded):
    found = sheets(recorded, "plant.facility_power_mw")
    assert [s.formula for s in found] == [
        "rack_share_kw",
        "it_power_mw",
        "plant_pue",
        "facility_power_mw",
    ]
    assert found[-1].results[0].path == "plant.facility_power_mw"
    assert len(sheets(recorded, "design.cooling.approach")) == 1
    assert len(sheets(recorded, "")) == len(sheets(recorded, "all")) == len(sheets(recorded))


def test_unknown_section_is_refused_with_the_known_ones(recorded):
    with pytest.raises(InputError, match=r"sections: site, plant, limits, assumptions"):
        sheets(recorded, "qqqq")
    with pytest.raises(InputError, match='did you mean "plant"'):
        sheets(recorded, "plants")
    with pytest.raises(InputError, match='did you mean "plant.facility_power_mw"'):
        sheets(recorded, "plant.facility_power")


@pytest.mark.parametrize("name", ["facility_power_mw", "facility_power"])
def test_a_figure_is_found_by_its_name_alone(recorded, name):
    assert sheets(recorded, name) == sheets(recorded, "plant.facility_power_mw")


def test_equal_calls_of_a_formula_share_a_sheet(recorded):
    record = Recorder([recorded.record.steps[0], *recorded.record.steps], recorded.record.givens)
    repeated = dataclasses.replace(recorded, record=record)
    assert len(sheets(repeated)) == len(sheets(recorded))


def test_a_catalogue_row_is_named_as_the_origin(make_report):
    @dataclasses.dataclass
    class Row:
        nameplate_kw: float
        source: str = "maker-a;maker-b;press"
        verified: str = "true"

    formula = Formula("it_power_mw", "IT", "racks * nameplate_kw / 1000", "MW", "rule", True)
    steps = [Step(formula, {"racks": 6416, "nameplate_kw": 25.6}, 164.25)]
    report = make_report(record=Recorder(steps, {}, {"racks.mine": Row(25.6)}))
    (sheet,) = sheets(report, "plant.it_power_mw")
    origins = {item.name: item.origin for item in sheet.inputs}
    assert origins["nameplate_kw"] == "racks.mine.nameplate_kw: maker-a and 2 more"


def test_a_result_is_not_its_own_origin(recorded):
    (sheet,) = [s for s in sheets(recorded, "plant.pue_peak") if s.formula == "plant_pue"]
    assert [item.origin for item in sheet.inputs] == ["plant.approach_k: CDU data sheet"]
    formula = Formula("facility_power_mw", "F", "power_mw", "MW", "rule", True)
    record = Recorder([Step(formula, {"facility_mw": 199.350225}, 199.350225)], {})
    (own,) = sheets(dataclasses.replace(recorded, record=record), "plant.facility_power_mw")
    assert own.inputs[0].origin == ""


def test_an_attribute_that_the_formula_lacks_explains_nothing(recorded):
    row = row_at(recorded, "plant.pue_peak")
    wrong = dataclasses.replace(row, info=dataclasses.replace(row.info, formula="plant_pue.none"))
    assert explain_row(wrong, recorded.record) is None


def test_equal_round_numbers_are_not_taken_for_an_origin(recorded, make_report):
    step = recorded.record.steps[3]
    other = dataclasses.replace(step.formula, name="unrelated_mw")
    record = Recorder(
        [Step(other, {"x": 1.0}, 200.0), Step(step.formula, {"limit_mw": 200.0}, 199.350225)], {}
    )
    (sheet,) = sheets(make_report(record=record), "plant.facility_power_mw")
    assert sheet.inputs[0].origin == ""


def test_only_an_assumption_explains_itself_by_its_source(report):
    @dataclasses.dataclass(frozen=True)
    class Verdict:
        who: str
        value: float
        limit: float
        unit: str
        source: str

    rows = (Verdict("utility", 12.0, 20.0, "MW/min", "grid code"),)
    checked = dataclasses.replace(report, parts={"verdicts": rows})
    paths = [row.path for row in unexplained(checked, undeclared=True)]
    assert paths == ["verdicts.0.value", "verdicts.0.limit"]


def test_sheets_in_every_format(recorded):
    for format in ("table", "markdown", "html", "csv", "json"):
        text = render(recorded, format, explain="plant.facility_power_mw")
        assert "rule 4" in text
        assert "it_power_mw * pue_peak" in text
        assert "199.3502" in text
    us = render(recorded, "table", units="us", explain="plant.supply_temp_c")
    assert "= 45 °C (113 °F)" in us
