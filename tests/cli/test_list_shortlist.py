"""The shortlist of a long list: a full comparison of its best rows, the same whoever sized them."""

from __future__ import annotations

import csv
import dataclasses
import json
import random
from datetime import date
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from clusterplan import catalog
from clusterplan.cli import compare_list
from clusterplan.cli.compare_list import Run
from clusterplan.cli.main import app
from clusterplan.core.errors import InputError
from clusterplan.inputs.candidate_table import open_table, raw_rows, row_inputs
from clusterplan.inputs.weights_file import WeightsFile
from clusterplan.planning import shortlist
from clusterplan.planning.candidates import Options
from clusterplan.planning.compare import compare_sites
from clusterplan.planning.comparison_settings import Options as Comparison
from clusterplan.planning.list_report import COMPARED
from clusterplan.reporting.render import render

if TYPE_CHECKING:
    from pathlib import Path

START = date(2026, 12, 1)
HEAD = (
    "id,name,country,state,latitude,longitude,elevation [m],rack,land.gross [acre],"
    "land.buildable [acre],land.control,land.flood_zone,water.source,fibre.routes,"
    "hazards.active_fault,hazards.surge_zone,hazards.protected_habitat,permits.zoning.status,"
    "policy.moratorium,grid.voltage,grid.firm [MW],grid.energised,grid.status,"
    "grid.tariff.energy [USD/MWh],grid.tariff.demand [USD/kW-month],"
    "grid.short_circuit.min,grid.short_circuit.max"
).split(",")
OWNED = WeightsFile({"owner": "US", "target": 150.0, "drawn_sites": 3})


def _row(number: int) -> list[str]:
    draw = random.Random(number)
    control = "owned" if number % 3 == 0 else draw.choice(("", "none"))
    return [
        f"p{number:02}",
        f"Parcel {number}",
        *("US", "TX", f"{31.5 + draw.uniform(-0.3, 0.3):.3f}", "-99.5", str(400 + number)),
        draw.choice(("gb300-nvl72", "dgx-b200-x4")),
        *("900", "700", control, "X", "none", draw.choice(("2", "3")), "false", "false", "false"),
        *("issued", "false", "345 kV", str(draw.randint(160, 400))),
        f"20{draw.randint(27, 28)}-06-01",
        *("agreement", str(draw.randint(35, 70)), "10", "15 kA", "35 kA"),
    ]


def _write(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([HEAD, *rows])
    return path


def _options(**changes: object) -> Comparison:
    return Comparison(start=START, weights=OWNED, draws=300)._replace(**changes)


def _run(path: Path, output: Path | None = None, *, whole: bool | None = None, **how: object):
    comparison = how.pop("comparison", _options())
    shown = output is None if whole is None else whole
    return compare_list.run(path, Run(comparison=comparison, **how), output, whole=shown)


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def sixty(tmp_path_factory) -> Path:
    """More rows than are all drawn; some clear, some not."""
    return _write(tmp_path_factory.mktemp("list") / "a.csv", [_row(k) for k in range(54)])


@pytest.fixture(scope="module")
def report(sixty: Path):
    """Its report with all rows."""
    return _run(sixty)


def _plain(report) -> dict:
    """The parts of a report as they are written: results have no equality."""
    return json.loads(render(report, "json"))


def _inputs(path: Path, names: set[str]):
    table = open_table(path)
    tables = (catalog.design_fields(), catalog.regions(), catalog.us_states())
    for raw in raw_rows(table):
        if raw.cells[0] in names:
            fields, regions, states = tables
            yield row_inputs(table, raw, fields=fields, regions=regions, states=states)


def test_the_best_of_each_gate_class_are_compared_in_full(sixty: Path, report) -> None:
    rows = report.parts["sites"]
    clear = [row.id for row in rows if row.gates == "clear"]
    others = [row.id for row in rows if row.gates != "clear"]
    assert len(clear) > 3
    assert len(others) > 3
    chosen = {*clear[:3], *others[:3]}
    # the very comparison that these sites have by themselves, in every part of it
    found = _plain(report)
    alone = _plain(compare_sites(list(_inputs(sixty, chosen)), _options()))
    assert {row["id"] for row in found["shortlist"]} == chosen
    assert found["shortlist"] == alone.pop("sites")
    assert found["verdict"].endswith(alone.pop("verdict"))
    for name, part in alone.items():
        assert found[name] == part, name


def test_gates_of_list_and_shortlist_are_the_same(report) -> None:
    listed = {row.id: row.gates for row in report.parts["sites"]}
    assert report.parts["shortlist"]
    for row in report.parts["shortlist"]:
        assert listed[row.id] == row.gates


def test_a_short_list_is_compared_whole(tmp_path: Path) -> None:
    found = _run(_write(tmp_path / "a.csv", [_row(k) for k in range(8)]))
    assert len(found.parts["shortlist"]) == 8
    assert "All 8 sites are compared in full" in found.parts["verdict"]


def test_the_verdict_counts_what_the_tables_show(tmp_path: Path, sixty: Path) -> None:
    rows = [_row(k) for k in range(54)]
    rows += [_row(3), ["short"], _row(90)[:3] + ["Texas"] + _row(90)[4:]]
    found = _run(_write(tmp_path / "a.csv", rows))
    section, verdict = found.parts["list"], found.parts["verdict"]
    assert (section.rows_read, section.rows_set_aside, section.sites_ranked) == (57, 3, 54)
    assert len(found.parts["set_aside"]) == 3
    assert verdict.startswith("57 rows read, 3 set aside, 54 sized and ranked. ")
    clear = sum(row.gates == "clear" for row in found.parts["sites"])
    assert f"{clear} pass all gates." in verdict
    counts = {row.gate: row for row in found.parts["gate_counts"]}
    assert len(counts) == 11
    for gate, row in counts.items():
        failed = sum(f"fails {gate}" in site.gates for site in found.parts["sites"])
        assert row.failed >= failed
        assert row.passed + row.failed + row.unknown == 54
    assert f"Most often failed: control ({counts['control'].failed})" in verdict
    assert f"Most often unknown: control ({counts['control'].unknown})" in verdict
    assert "drawn calendars" in section.basis
    assert "typical times" in section.basis
    assert section.basis in verdict
    assert "the 3 best of each gate class (3 clear, 3 not clear)" in section.basis


def test_no_owner_is_said_and_no_row_is_clear(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", [_row(k) for k in range(4)])
    found = _run(path, comparison=Comparison(start=START, draws=0))
    assert "None passes all gates." in found.parts["verdict"]
    assert "None can pass ownership before the setting owner is given." in found.parts["verdict"]
    assert all("ownership" in row.gates for row in found.parts["sites"])


def test_draws_0_skips_the_draws_and_not_the_shortlist(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", [_row(k) for k in range(5)])
    drawn = _run(path)
    found = _run(path, comparison=_options(draws=0))
    assert len(found.parts["shortlist"]) == 5
    assert all(row.first_rank_share is None for row in found.parts["shortlist"])
    assert all(row.first_phase_p90 for row in found.parts["shortlist"])
    assert [row.rank for row in found.parts["sites"]] == [row.rank for row in drawn.parts["sites"]]
    assert all(row.first_rank_share is not None for row in drawn.parts["shortlist"])


def test_the_file_has_every_row_and_the_figures_of_those_compared(tmp_path, sixty, report) -> None:
    shown = _run(sixty, tmp_path / "out.csv")
    rows = _read(tmp_path / "out.csv")
    assert [row["id"] for row in rows] == [row.id for row in report.parts["sites"]]
    compared = {row.id: row for row in report.parts["shortlist"]}
    for row in rows:
        site = compared.get(row["id"])
        for name in (*COMPARED, "shortlist_rank", "shortlist_score"):
            if site is None:
                assert row[name] == "", name
        if site is not None:
            assert int(row["shortlist_rank"]) == site.rank
            assert float(row["shortlist_score"]) == site.score
            assert float(row["first_rank_share"]) == site.first_rank_share
            assert row["first_phase_p90"] == site.first_phase_p90
            assert float(row["capex_musd"]) == site.capex_musd
    listed = {row.id: row for row in report.parts["sites"]}
    assert all(float(row["score"]) == listed[row["id"]].score for row in rows)
    # the screen has the first rows as they were ranked, the comparison below
    assert len(shown.parts["sites"]) == compare_list.SHOWN
    assert all(row.shortlist_rank is None for row in shown.parts["sites"])
    assert _plain(shown)["shortlist"] == _plain(report)["shortlist"]


def test_workers_give_the_same_report(sixty: Path, report) -> None:
    assert render(_run(sixty, workers=2), "json") == render(report, "json")


def test_another_seed_draws_otherwise_and_ranks_the_list_alike(sixty: Path, report) -> None:
    found = _run(sixty, comparison=_options(seed=7))
    assert found.parts["comparison"].seed == 7
    order = [row.id for row in found.parts["sites"]]
    assert order == [row.id for row in report.parts["sites"]]
    assert _plain(found)["shortlist"] != _plain(report)["shortlist"]


def test_a_run_that_stops_in_the_shortlist_goes_on_there(tmp_path, monkeypatch, capsys) -> None:
    path = _write(tmp_path / "a.csv", [_row(k) for k in range(6)])
    _run(path, tmp_path / "whole.csv")
    whole = shortlist.assessed

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shortlist, "assessed", stop)
    with pytest.raises(KeyboardInterrupt):
        _run(path, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    monkeypatch.setattr(shortlist, "assessed", whole)
    capsys.readouterr()
    # other draws size no row again
    _run(path, tmp_path / "out.csv", comparison=_options(draws=200))
    assert "6 rows were done before" in capsys.readouterr().err
    _run(path, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.csv", "out.csv", "whole.csv"]


@pytest.mark.parametrize("change", ["another id", "fewer rows", "gone"])
def test_a_list_that_changes_meanwhile_is_refused(tmp_path, monkeypatch, change: str) -> None:
    path = _write(tmp_path / "a.csv", [_row(k) for k in range(4)])
    sized = compare_list._size

    def size(*arguments: object) -> None:
        sized(*arguments)
        if change == "gone":
            path.unlink()
        else:
            rows = [_row(k) for k in range(4)]
            _write(path, rows[1:] if change == "another id" else rows[:2])

    monkeypatch.setattr(compare_list, "_size", size)
    with pytest.raises(InputError, match="changed|read again"):
        _run(path)


def test_a_row_that_only_a_whole_plan_refuses_is_told(tmp_path, monkeypatch) -> None:
    path = _write(tmp_path / "a.csv", [_row(k) for k in range(4)])
    whole = shortlist.assessed

    def picky(inputs, settings):
        if inputs.site.id == "p02":
            raise InputError("is odd")
        return whole(inputs, settings)

    monkeypatch.setattr(shortlist, "assessed", picky)
    found = _run(path)
    assert {row.id for row in found.parts["shortlist"]} == {"p00", "p01", "p03"}
    assert len(found.parts["sites"]) == 4
    assert "Not compared in full: p02 (is odd)." in found.parts["verdict"]
    assert "3 of 4 sites are compared in full" in found.parts["verdict"]


def test_a_list_of_nothing_has_no_shortlist(tmp_path: Path) -> None:
    found = _run(_write(tmp_path / "a.csv", [["short"]]))
    assert found.parts["shortlist"] == ()
    assert "No site is compared in full." in found.parts["verdict"]
    for chosen in ("table", "json", "csv", "markdown", "html"):
        assert render(found, chosen)


def test_only_the_rows_compared_are_held(sixty: Path) -> None:
    options = Options(open_table(sixty), None, _options())
    step: list[int] = []
    places = [_place(number) for number in (5, 40)]
    found = shortlist.compare_best(places, options, lambda: step.append(1))
    assert {row.id for row in found.sites} == {"p05", "p40"}
    assert len(step) == 4  # assessed and drawn


def _place(number: int):
    from clusterplan.planning.list_ranking import Place

    return Place(False, 0.5, f"p{number:02}", number + 2, 0)


@pytest.mark.parametrize("width", [80, 120])
def test_the_screen(tmp_path: Path, monkeypatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    path = _write(tmp_path / "a.csv", [_row(k) for k in range(6)])
    command = ["compare-sites", str(path), "--start", "2026-12-01", "--draws", "200", "--seed", "3"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert max(len(line) for line in lines) <= width
    heads = ["Sites", "List", "Gate counts", "Shortlist", "Comparison", "Steps"]
    places = [lines.index(head) for head in heads]
    assert places == sorted(places)
    assert any(line.startswith("Verdict: 6 rows read") for line in lines)
    assert any("Seed" in line and " 3" in line for line in lines)


def test_every_format_has_the_shortlist(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", [_row(k) for k in range(4)])
    for chosen in ("json", "csv", "markdown", "html"):
        command = ["compare-sites", str(path), "--start", "2026-12-01", "--draws", "50"]
        done = CliRunner().invoke(app, [*command, "--format", chosen])
        assert done.exit_code == 0, done.output
        assert "hortlist" in done.stdout
        if chosen == "json":
            found = json.loads(done.stdout)
            best = {row["id"]: row for row in found["shortlist"]}
            for row in found["sites"]:
                assert row["shortlist_rank"] == best[row["id"]]["rank"]
                assert row["first_rank_share"] == best[row["id"]]["first_rank_share"]


@pytest.mark.parametrize("option", [("--draws", "-1"), ("--seed", "-4")])
def test_draws_that_cannot_be(tmp_path: Path, option: tuple[str, str]) -> None:
    path = _write(tmp_path / "a.csv", [_row(0)])
    done = CliRunner().invoke(app, ["compare-sites", str(path), *option])
    assert isinstance(done.exception, InputError)  # exit code 2
    assert f"{option[0]}: {int(option[1]):,} is out of range" in str(done.exception)


def test_the_help_says_where_the_figures_go() -> None:
    text = " ".join(CliRunner().invoke(app, ["compare-sites", "--help"]).stdout.split())
    for name in ("shortlist_rank", "shortlist_score", "first_rank_share", "first_phase_p50"):
        assert name in text
        assert name in {item.name for item in dataclasses.fields(_site_row())}


def _site_row():
    from clusterplan.core.results.compare import SiteRow

    return SiteRow
