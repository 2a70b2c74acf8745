"""Every number of the terminal report is explained, by a sheet that comes from the run itself."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clusterplan.cli.size import run
from clusterplan.reporting.sheet_origins import NONE_HERE
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
        value = eval(step.formula.equation, NAMES | step.inputs)
        where = f"{step.formula.name}: {step.formula.equation} with {step.inputs}"
        if isinstance(step.result, int | float):
            assert math.isclose(value, step.result, rel_tol=1e-9, abs_tol=1e-12), where
        else:
            assert value == step.result, where
        checked += 1
    assert checked > 200


# inputs with an origin, of all and of those that are not plainly zero (measured: 92 and 88 %)
COVERAGE = 0.85
# traced wrongly before: (formula, input): what the origin must name
TRUE_ORIGINS = {
    ("bus_fault", "parallel_units"): "substation.parallel_units",
    ("bus_fault", "x_over_r"): "x_over_r",
    ("cdus", "redundant_per_group"): "cdu_redundant",
    ("transformers_redundant", "redundant_per_group"): "transformers_redundant",
    ("cdu_ntu_rated", "rated_approach_k"): "cdu_rating",
    ("units_for", "redundant"): "transformers_redundant",
    ("switches", "spine"): "spine_switches",
    ("spines_of_pods", "groups_per_pod"): "groups_per_pod",
    ("feeders", "sections"): "substation.sections",
    ("endpoint_cables", "nic_ports_per_server"): "nic_ports",
    ("stage_supply_mw", "grid_firm_mw"): "grid.stages.",
}


def test_most_inputs_say_where_they_came_from() -> None:
    origins = [
        (f"{sheet.formula} {item.name}", item.origin)
        for site in SITES
        for sheet in sheets(_report(site))
        for item in sheet.inputs
    ]
    missing = sorted({what for what, origin in origins if not origin})
    known = [origin for _, origin in origins if origin]
    assert len(known) >= COVERAGE * len(origins), missing
    zeros = known.count(NONE_HERE)
    assert len(known) - zeros >= COVERAGE * (len(origins) - zeros), missing


@pytest.mark.parametrize("site", SITES)
def test_small_counts_and_round_figures_are_not_mixed_up(site: str) -> None:
    for sheet in sheets(_report(site)):
        for item in sheet.inputs:
            expected = TRUE_ORIGINS.get((sheet.formula, item.name))
            if expected and item.origin not in ("", NONE_HERE):
                assert expected in item.origin, (sheet.formula, item)


def test_user_data_name_their_file_and_source() -> None:
    found = {
        item.name: item.origin
        for sheet in sheets(_report("abilene"), "fault_level_ka")
        for item in sheet.inputs
    }
    assert found["voltage_kv"] == (
        "grid.voltage: grid.yaml, dispatch of 2026-04-28 quoting Crusoe and Mortenson"
    )
    stages = sheets(_report("abilene"), "stages.1 GW yard, complete.firm_mw")
    firm = {item.name: item.origin for sheet in stages for item in sheet.inputs}
    assert firm["grid_firm_mw"] == (
        "grid.stages.1 GW yard, complete.firm: grid.yaml, announced total; trade press"
    )
