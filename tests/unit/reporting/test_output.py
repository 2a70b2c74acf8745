"""Where a report goes: streams, files, exit codes, pipes."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

from clusterplan.cli.output import emit, wants_color
from clusterplan.core.errors import InputError


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_table_to_stdout_and_nothing_beside_it(report, capsys):
    assert emit(report) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Abilene [TX] campus on gb300-nvl72\n")
    assert err == ""


def test_data_to_stdout_warnings_to_stderr(report, capsys):
    assert emit(report, format="json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["verdict"] == "fits"
    assert err == "warning: site.water: no water limit is given [water-unknown]\n"


def test_infeasible_prints_the_plan_and_exits_3(make_report, capsys):
    report = make_report(feasible=False, infeasible_reason="the grid allows 6,416 racks")
    assert emit(report, format="json") == 3
    out, err = capsys.readouterr()
    assert json.loads(out)["plant"]["racks"] == 6416
    assert "not feasible: the grid allows 6,416 racks" in err


def test_file_by_its_suffix(report, capsys, tmp_path):
    assert emit(report, output=tmp_path / "plan.csv", units="us") == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "no water limit" in err
    assert "gpm" in (tmp_path / "plan.csv").read_text(encoding="utf-8")
    emit(report, output=tmp_path / "plan.dat", format="json")
    assert json.loads((tmp_path / "plan.dat").read_text(encoding="utf-8"))


def test_bad_output_leaves_nothing(report, tmp_path, capsys):
    with pytest.raises(InputError):
        emit(report, output=tmp_path / "plan.pdf")
    with pytest.raises(InputError):
        emit(report, output=tmp_path / "plan.json", explain="nowhere")
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().out == ""


def test_width_follows_columns(report, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    emit(report)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 50


@pytest.mark.parametrize(
    ("environment", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colour(environment, terminal, expected, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_color(Terminal() if terminal else io.StringIO()) is expected


def test_workbook_is_not_for_a_terminal(report, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Terminal())
    with pytest.raises(InputError, match="-o FILE"):
        emit(report, format="xlsx")


PROGRAM = """
import sys
from clusterplan.cli.output import emit
from clusterplan.core.results.plan import Report
parts = {"verdict": ("x" * 70,) * 20000}
code = emit(Report(schema="s", title="t \\u00b0", parts=parts), format=sys.argv[1])
heavy = {"rich", "pandas", "numpy", "typer", "pydantic", "yaml", "xlsxwriter"} & set(sys.modules)
sys.stderr.write(" ".join(sorted(heavy)))
sys.exit(code)
"""


@pytest.mark.parametrize("format", ["table", "json", "csv"])
def test_a_reader_that_stops_early_is_no_error(format):
    run = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, format], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    run.stdout.readline()
    run.stdout.close()
    error = run.stderr.read()
    run.stderr.close()
    assert run.wait() == 0
    assert error == b""


def test_a_narrow_encoding_loses_signs_but_not_the_report():
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, "table"],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert run.stdout.startswith(b"t ?\n")
