"""Every number of the terminal report is explained, by a sheet that comes from the run itself."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clusterplan.cli.size import run
from clusterplan.reporting.sheets import sheets, unexplained

if TYPE_CHECKING:
    from clusterplan.core.results.plan import Report

ROOT = Path(__file__).parents[2]
SITES = sorted(path.name for path in (ROOT / "sample_sites").iterdir() if path.is_dir())
NAMES: dict[str, Any] = {name: getattr(math, name) for name in dir(math) if name[0] != "_"}
NAMES |= {
    call.__name__: call
    for call in (abs, all, any, enumerate, float, int, len, max, min, range, round, sorted, sum)
}
NAMES |= {"zip": zip, "tuple": tuple, "__builtins__": {}}
_reports: dict[str, Report] = {}


def _report(site: str) -> Report:
    if site not in _reports:
        _reports[site] = run(str(ROOT / "sample_sites" / site), files={})
    return _reports[site]


@pytest.mark.parametrize("site", SITES)
def test_every_printed_number_has_a_sheet(site: str) -> None:
    report = _report(site)
    assert [row.path for row in unexplained(report, undeclared=True)] == []


@pytest.mark.parametrize("site", SITES)
def test_each_sheet_shows_inputs_equation_result_and_source(site: str) -> None:
    for sheet in sheets(_report(site)):
        assert sheet.source, sheet.title
        assert sheet.results, sheet.title
        assert not sheet.equation or sheet.inputs, sheet.title


@pytest.mark.parametrize("site", SITES)
def test_printed_equations_give_the_results(site: str) -> None:
    record = _report(site).record
    assert record is not None
    checked = 0
    for step in record.steps:
        if not step.formula.plain:
            continue
        value = eval(step.formula.equation, NAMES | step.inputs)  # noqa: S307  our own equations
        where = f"{step.formula.name}: {step.formula.equation} with {step.inputs}"
        if isinstance(step.result, int | float):
            assert math.isclose(value, step.result, rel_tol=1e-9, abs_tol=1e-12), where
        else:
            assert value == step.result, where
        checked += 1
    assert checked > 200
