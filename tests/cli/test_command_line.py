"""The command line itself: help, exit codes, optional values, nearest names, broken outputs."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from clusterplan.cli.exit_codes import run_app
from clusterplan.cli.explain_option import with_explain_value
from clusterplan.cli.main import app

SITE = str(Path(__file__).parents[2] / "sample_sites" / "university-room")
COMMANDS = [command.name or command.callback.__name__ for command in app.registered_commands]


def run(*arguments: str) -> int:
    return run_app(app, with_explain_value(arguments))


@pytest.mark.parametrize("flag", ["--help", "-h"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(command: str, flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*([command] if command else []), flag) == 0
    text, told = capsys.readouterr()
    assert text.startswith("Usage: ")
    assert told == ""


def test_no_command_prints_the_help_and_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 2
    text, told = capsys.readouterr()
    assert text == ""
    assert "compare-sites" in told


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"clusterplan {version('clusterplan')}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["siz", SITE], "'size'"),
        (["size"], "site"),
        (["size", SITE, "--rak", "x"], "--rack"),
        (["size", SITE, "--format", "tabel"], 'did you mean "table"?'),
        (["size", SITE, "--units", "imperial"], "one of metric, us"),
        (["size", SITE, "--rack", "gb300"], 'did you mean "gb300-nvl72"?'),
        (["size", SITE, "--explain", "colling"], 'did you mean "cooling"?'),
        (["size", SITE, "--explain", "pue_peek"], 'did you mean "pue_peak"?'),
        (["size", SITE, "--accelerators", "1.5"], "--accelerators"),
        (["size", SITE, "--racks", "0"], "at least 1"),
        (["size", SITE, "--racks", "1", "--it-power", "1 MW"], "exclude each other"),
        (["catalog", "rakcs"], 'did you mean "racks"?'),
        (["catalog", "qqqq"], '"clusterplan catalog" lists them'),
        (["catalog", "racks", "dgx"], "did you mean"),
        (["catalog", "racks", "qqqq"], '"clusterplan catalog racks" lists them'),
        (["schema", "sites"], 'did you mean "site"?'),
        (["substation", "--load", "240 MW", "--country", "QQ"], "unknown country 'QQ'"),
        (["fabric", "--rack", "qqqq", "--racks", "4"], "--racks"),
        (["cooling", "--rack", "qqqq", "--racks", "4"], '"clusterplan catalog racks" lists them'),
    ],
)
def test_bad_usage_names_what_is_wrong(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    text, errors = capsys.readouterr()
    assert text == ""
    assert told in errors
    assert "defect" not in errors


def test_explain_takes_a_section_a_figure_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mysite").mkdir()
    (tmp_path / "cooling").mkdir()
    cases = [
        (["size", "mysite", "--explain"], "all"),
        (["size", "--explain", "mysite"], "all"),
        (["size", "--explain", "sites/abilene"], "all"),
        (["size", "mysite", "--explain", "-o", "x.md"], "all"),
        (["size", "mysite", "--explain", "cooling"], "cooling"),
        (["size", "mysite", "--explain", "cooling.cdus"], "cooling.cdus"),
        (["size", "mysite", "--explain", "pue_peak", "--units", "us"], "pue_peak"),
    ]
    for arguments, value in cases:
        filled = with_explain_value(arguments)
        assert filled[filled.index("--explain") + 1] == value


def test_a_section_prints_its_sheets_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("size", SITE, "--explain", "pue_peak") == 0
    text = capsys.readouterr().out
    assert "Calculation sheets" in text
    assert "pue_peak = max(" in text
    assert "Assumptions" not in text


def test_a_directory_is_no_output_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("catalog", "-o", str(tmp_path)) == 2
    assert "is a directory; name a file in it" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", [["schema", "site"], ["catalog"]])
def test_a_full_disk_is_no_defect(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "clusterplan", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert found.returncode == 2
    assert found.stderr == "error: standard output: No space left on device\n"


def test_closed_standard_output_is_no_defect() -> None:
    found = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m clusterplan catalog >&-"],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_starter_folder_with_blanks_gives_a_command_to_paste(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("init", str(tmp_path / "my site [東京]")) == 0
    assert f"clusterplan size '{tmp_path}/my site [東京]'\n" in capsys.readouterr().err
