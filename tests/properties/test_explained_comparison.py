"""Every figure of the sites and data of a comparison has a sheet, or a note of its source."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clusterplan.cli import compare
from clusterplan.cli.compare import ComparisonChoices
from clusterplan.core.errors import InputError
from clusterplan.reporting.render import render
from clusterplan.reporting.rows import parts_of
from clusterplan.reporting.sheets import _explanation, _is_figure, sheets, unexplained

if TYPE_CHECKING:
    from clusterplan.core.results.plan import Report

SAMPLES = Path(__file__).parents[2] / "sample_sites"
CHOICES = ComparisonChoices(start="2026-12-01", draws=500)
SECTIONS = ("comparison", "sites", "data", "criteria")
NAMES: dict[str, Any] = {name: getattr(math, name) for name in dir(math) if name[0] != "_"}
NAMES |= {"min": min, "max": max, "sum": sum, "zip": zip, "__builtins__": {}}


@cache
def _report(*, screen: bool = False) -> Report:
    return compare.run([str(SAMPLES)], choices=CHOICES._replace(screen=screen), record=True)


@pytest.mark.parametrize("screen", [False, True])
def test_every_figure_is_explained(screen: bool) -> None:
    report = _report(screen=screen)
    missing = [
        row.path
        for top in parts_of(report)
        for part in top.walk()
        for table in part.tables
        for line in table.lines
        for row in line
        if row.section in SECTIONS
        and _is_figure(row)
        and _explanation(row, table, line, report.record) is None
    ]
    assert missing == []
    rest = [row for row in unexplained(report, undeclared=True) if row.section in SECTIONS]
    assert rest == []


def test_a_named_step_gave_the_figure_itself() -> None:
    report = _report()
    assert report.record is not None
    places = {"best_case_score": "best_case", "known_only_score": "known_only"}
    checked = 0
    for path, step in report.record.named.items():
        part, place, name = path.split(".")
        value = getattr(report.parts[part][int(place)], name)
        result = step.result
        if step.formula.name == "weighted_score":
            field = "score" if name == "verified_only_score" else places.get(name, name)
            result = getattr(result, field)
        assert result == value, path
        checked += 1
    assert checked > 100


def test_formulas_of_the_brief_are_there() -> None:
    report = _report()
    assert report.record is not None
    names = {step.formula.name for step in report.record.named.values()}
    assert names >= {
        "linear_value",
        "log_value",
        "weighted_score",
        "order_statistic",
        "gw_years",
        "all_in_price_usd_per_mwh",
        "mix_mean",
        "stressed_water_l_per_kwh",
        "expected_value",
        "topsis_closeness",
        "promethee_net_flow",
    }


def test_plain_equations_give_the_results() -> None:
    report = _report()
    assert report.record is not None
    checked = 0
    for step in report.record.steps:
        if step.formula.plain:
            value = eval(step.formula.equation, NAMES | step.inputs)
            assert math.isclose(value, step.result, rel_tol=1e-9, abs_tol=1e-12), step
            checked += 1
    assert checked > 100


def test_each_sheet_has_a_source_and_says_where_its_inputs_come_from() -> None:
    found = sheets(_report())
    for sheet in found:
        assert sheet.source, sheet.title
        assert sheet.results, sheet.title
        assert not sheet.equation or sheet.inputs, sheet.title
    inputs = [(sheet.formula, item.name, item.origin) for sheet in found for item in sheet.inputs]
    missing = {(formula, name) for formula, name, origin in inputs if not origin}
    assert missing == set()


def test_a_sheet_by_site_and_datum() -> None:
    text = render(_report(), "table", width=100, explain="data.abilene.power_price")
    assert "All-in price of the grid" in text
    assert "energy_usd_per_mwh = 45" in text
    assert "grid.tariff.energy of abilene" in text
    assert "lulea" not in text
    score = render(_report(), "table", width=100, explain="sites.abilene.score")
    assert "sum(weight x value)" in score
    dates = render(_report(), "table", width=100, explain="sites.abilene.first_phase_months_p50")
    assert "1,000 values" in dates


def test_the_record_changes_no_figure_and_is_kept_on_demand_only() -> None:
    plain = compare.run([str(SAMPLES)], choices=CHOICES)
    assert plain.record is None
    assert render(plain, "json") == render(_report(), "json")


def test_a_section_that_is_not_there_and_a_list_are_refused() -> None:
    with pytest.raises(InputError, match="no figures to explain"):
        sheets(_report(), "nonsense")
    with pytest.raises(InputError, match="--explain"):
        compare.refuse_for_list(["list.csv"], (), "all")
