"""What `clusterplan catalog` reports."""

from __future__ import annotations

import json

import pytest

from clusterplan import catalog
from clusterplan.cli.catalog import run
from clusterplan.core.errors import InputError
from clusterplan.reporting.render import render


def test_list_of_kinds() -> None:
    report = run()
    assert report.schema == "clusterplan/catalog/1"
    names = [line.name for line in report.parts["kinds"]]
    assert names == [*catalog.KINDS, "design-fields", "sources"]
    assert all(line.rows > 0 and line.text for line in report.parts["kinds"])


@pytest.mark.parametrize("kind", [*catalog.KINDS, "design-fields", "sources"])
def test_rows_of_a_kind_render(kind: str) -> None:
    report = run(kind)
    document = json.loads(str(render(report, "json")))
    assert document["schema"] == "clusterplan/catalog/1"
    assert document["kind"] == kind
    assert document["rows"]
    text = str(render(report, "table", width=120))
    first = document["rows"][0]
    assert first.get("id", first.get("path")) in text


def test_short_list_leaves_notes_to_other_formats() -> None:
    report = run("cdus")
    note = next(row.note for row in catalog.cdus() if row.note)
    assert note not in str(render(report, "table", width=300))
    assert note in str(render(report, "json"))


def test_one_row_has_every_field_flag_and_source() -> None:
    report = run("racks", "gb300-nvl72")
    document = json.loads(str(render(report, "json")))
    row = document["row"]
    assert row["nameplate_kw"] == 142.0
    assert row["flow_table"][0] == {
        "supply_temp_c": 25.0,
        "flow_l_per_min": 59.0,
        "pressure_drop_kpa": 15.9,
    }
    assert [source["id"] for source in document["sources"]] == row["source"].split(";")
    text = str(render(report, "table", width=140))
    assert "Typical (unverified)" in text
    assert "Nameplate (verified)" in text
    assert "Lenovo" in text


def test_unrounded_print() -> None:
    assert "3.75" in str(render(run("tdd-limits"), "table", width=120))


def test_singular_and_underscores_are_understood() -> None:
    assert run("rack").parts["kind"] == "racks"
    assert run("switch").parts["kind"] == "switches"
    assert run("tdd_limits").parts["kind"] == "tdd-limits"


def test_field_of_the_design_file() -> None:
    report = run("design-fields", "cooling.dry_approach")
    assert report.parts["row"].default == "8"


@pytest.mark.parametrize(
    ("kind", "row_id", "text"),
    [
        ("raks", None, "unknown kind 'raks'; did you mean \"racks\"?"),
        ("racks", "gb300", "unknown id of racks 'gb300'; did you mean \"gb300-nvl72\"?"),
        ("climates", "Abilene TX", 'did you mean "abilene-tx"?'),
        ("cdus", "zzzzzzzz", "unknown id of cdus 'zzzzzzzz'"),
    ],
)
def test_unknown_names(kind: str, row_id: str | None, text: str) -> None:
    with pytest.raises(InputError) as caught:
        run(kind, row_id)
    assert text in str(caught.value)


def test_years_have_no_thousands() -> None:
    text = render(run("accelerators"), "table", width=120)
    assert " 2020 " in text
    assert "2,020" not in text
