"""Bad input on the command line: exit 2, one message with file, line and path, nothing written.

The traps are what people write; every field's own mutations are in unit/inputs/test_every_field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusterplan.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

SITE = """\
id: here
name: Here
country: US
state: TX
latitude: 32.45
longitude: -99.73
elevation: 530 m
climate: abilene-tx
rack: gb300-nvl72
land: {gross: 400 acre, buildable: 300 acre}
water: {source: municipal, annual: 300 acre-ft/yr, peak: 500 gpm}
"""
GRID = """\
utility: Oncor
voltage: 345 kV
requested: 300 MW
short_circuit: {min: 20 kA, max: 40 kA}
x_over_r: 20
stages:
  - name: one
    energised: 2027-01-01
    firm: 100 MW
  - name: two
    energised: 2028-01-01
    firm: 300 MW
"""
DESIGN = """\
power_basis: nameplate
cooling:
  tcs_supply: 40 degC
electrical:
  transformer_redundancy: 1
"""
RACK = """\
id: mine
accelerator: nvidia-b300
servers_per_rack: 18
accelerators_per_server: 4
nameplate: 142 kW
typical: 115 kW
coolant: pg25
liquid_heat_fraction: 0.85
"""
WORKLOAD = """\
jobs:
  - name: train
    kind: training
    share: 0.8
    step_time: 6 s
"""
FILES = {"site": SITE, "grid": GRID, "design": DESIGN, "rack": RACK, "workload": WORKLOAD}

# (kind of file, text replaced, its replacement, line, path, part of the message)
TRAPS = [
    # units: MVA for MW and back (reference case: a feed's VA compared with its draw in W)
    ("grid", "requested: 300 MW", "requested: 300 MVA", 3, "requested", "is apparent power"),
    ("grid", "x_over_r: 20", "transformers: [{mva: 100 MW}]", 5, "transformers.0.mva", "is power"),
    ("grid", "firm: 100 MW", "firm: 100 mW", 9, "stages.0.firm", 'did you mean "100 MW"'),
    ("grid", "firm: 100 MW", "firm: 100", 9, "stages.0.firm", 'write "100 MW"'),
    ("grid", "firm: 100 MW", "firm: 1,00 MW", 9, "stages.0.firm", "has a"),
    ("grid", "firm: 100 MW", "firm: 100 MW firm", 9, "stages.0.firm", "unknown unit"),
    ("grid", "firm: 100 MW", "firm: 100 MWh", 9, "stages.0.firm", "is energy; power is due"),
    ("grid", "voltage: 345 kV", "voltage: 345", 2, "voltage", 'write "345 kV"'),
    ("grid", "voltage: 345 kV", "voltage: 345000 kV", 2, "voltage", "out of range"),
    ("grid", "min: 20 kA", "min: 20", 4, "short_circuit.min", "no unit"),
    ("grid", "max: 40 kA", "max: 10 kA", 4, "short_circuit.min", "above max"),
    ("site", "elevation: 530 m", "elevation: 530", 7, "elevation", 'write "530 m"'),
    ("site", "elevation: 530 m", "elevation: 530 acre", 7, "elevation", "is area"),
    ("site", "gross: 400 acre", "gross: 400", 10, "land.gross", 'write "400 acre"'),
    ("site", "peak: 500 gpm", "peak: 500 acre-ft/yr", 11, "water.peak", "is water volume per year"),
    ("site", "peak: 500 gpm", "peak: -5 gpm", 11, "water.peak", "out of range"),
    ("rack", "nameplate: 142 kW", "nameplate: 142", 5, "nameplate", 'write "142 kW"'),
    ("rack", "nameplate: 142 kW", "nameplate: 142 kVA", 5, "nameplate", "is apparent power"),
    ("rack", "nameplate: 142 kW", "nameplate: 142 MW", 5, "nameplate", "out of range"),
    ("rack", "0.85", "85", 8, "liquid_heat_fraction", "0 to 1"),
    ("rack", "0.85", "185 %", 8, "liquid_heat_fraction", "0 to 1"),
    ("workload", "step_time: 6 s", "step_time: 6", 5, "jobs.0.step_time", 'write "6 s"'),
    # climate in the wrong unit or order (reference case: 68 F taken as C, RH, hPa)
    ("site", "climate: abilene-tx", "climate: {dry_bulb_0p4: 68, wet_bulb_0p4: 15 degC}", 8,
     "climate.dry_bulb_0p4", "no unit"),
    ("site", "climate: abilene-tx", "climate: {dry_bulb_0p4: 68 degC, wet_bulb_0p4: 15 degC}", 8,
     "climate.dry_bulb_0p4", "out of range"),
    ("site", "climate: abilene-tx", "climate: {dry_bulb_0p4: 30 degC, wet_bulb_0p4: 31 degC}", 8,
     "climate.wet_bulb_0p4", "above climate.dry_bulb_0p4"),
    ("site", "climate: abilene-tx", "climate: {rh: 0.4}", 8, "climate.rh", "unknown key"),
    ("site", "climate: abilene-tx", "climate: {weather: none.epw}", 8, "climate.weather",
     "no such file"),
    ("site", "climate: abilene-tx", "weather: none.epw", 8, "weather", "climate: {weather"),
    ("design", "tcs_supply: 40 degC", "tcs_supply: 10 K", 3, "cooling.tcs_supply",
     "is temperature difference"),
    ("design", "tcs_supply: 40 degC", "tcs_supply: 40", 3, "cooling.tcs_supply", "no unit"),
    ("design", "tcs_supply: 40 degC", "dry_approach: 8 degC", 3, "cooling.dry_approach",
     "temperature difference is due"),
    # YAML 1.1 words, numbers and times
    ("site", "country: US\nstate: TX", "country: no\nstate: on", 5, "latitude", "outside"),
    ("site", "country: US", "country: false", 3, "country", "text is due here, not False"),
    ("site", "country: US", "country: UK", 3, "country", 'did you mean "GB"'),
    ("site", "country: US", "country: Texas", 3, "country", "unknown country"),
    ("site", "state: TX", "state: Texas", 4, "state", "write TX"),
    ("site", "id: here", "id: 010", 1, "id", "text is due"),
    ("site", "id: here", "id: Here There", 1, "id", 'for example "here-there"'),
    ("site", "id: here", "id: ../here", 1, "id", "is no id"),
    ("site", "latitude: 32.45", "latitude: 32:27", 5, "latitude", "a plain number is due"),
    ("site", "latitude: 32.45", "latitude: 32.45 N", 5, "latitude", "a plain number is due"),
    ("site", "longitude: -99.73", "longitude: 99.73", 5, "latitude", "west is negative"),
    ("site", "latitude: 32.45", "latitude: .nan", 5, "latitude", "not finite"),
    ("site", "latitude: 32.45", "latitude: -.inf", 5, "latitude", "not finite"),
    ("site", "latitude: 32.45", "latitude: 99", 5, "latitude", "out of range"),
    ("site", "name: Here", "name: 5", 2, "name", "text is due"),
    ("site", "name: Here", "name: [Here]", 2, "name", "text is due"),
    ("site", "name: Here", "name:", 2, "name", "is empty"),
    ("site", "name: Here", "name: ''", 2, "name", "the text is empty"),
    ("design", "transformer_redundancy: 1", "transformer_redundancy: 1.5", 5,
     "electrical.transformer_redundancy", "whole number"),
    ("design", "transformer_redundancy: 1", "transformer_redundancy: yes", 5,
     "electrical.transformer_redundancy", "whole number"),
    ("design", "transformer_redundancy: 1", "transformer_impedance: 10", 5,
     "electrical.transformer_impedance", 'write "10 %"'),
    ("design", "power_basis: nameplate", "power_basis: namplate", 1, "power_basis",
     'did you mean "nameplate"'),
    ("design", "power_basis: nameplate", "whole_sus: yes", 1, "whole_sus", "true or false"),
    ("design", "power_basis: nameplate", "growth_margin: 20", 1, "growth_margin", "0 to 1"),
    ("design", "power_basis: nameplate", "power: {storage: 3}", 1, "power.storage", '"3 %"'),
    ("grid", "energised: 2027-01-01", "energised: 2027-13-01", 8, "stages.0.energised",
     "no day of the calendar"),
    ("grid", "energised: 2027-01-01", "energised: 1 Jan 2027", 8, "stages.0.energised", "a date"),
    ("grid", "energised: 2027-01-01", "energised: 2027", 8, "stages.0.energised", "a date"),
    # keys
    ("site", "latitude:", "lat:", 5, "lat", 'did you mean "latitude"'),
    ("site", "gross: 400 acre", "gros: 400 acre", 10, "land.gros", 'did you mean "gross"'),
    ("site", "land: {gross: 400 acre, buildable: 300 acre}", "land: 400 acre", 10, "land",
     "a group of keys is due"),
    ("site", "land: {gross: 400 acre, buildable: 300 acre}", "land: []", 10, "land", "a list"),
    ("site", "elevation: 530 m", "generation: {type: ccgt}", 7, "generation", "a list"),
    ("site", "elevation: 530 m", "generation: [5]", 7, "generation.0", "a group of keys"),
    ("site", "elevation: 530 m", "generation: [{type: coal, gross: 5 MW}]", 7,
     "generation.0.type", "is not one of"),
    ("grid", "stages:", "milestones:", 6, "milestones", 'did you mean "stages"'),
    ("grid", "utility: Oncor", "utility: Oncor\nutility: AEP", 2, "", "again (first on line 1)"),
    ("grid", "name: two", "name: one", 10, "stages.1.name", "stages.0 too"),
    ("grid", "firm: 300 MW", "firm: 301 MW", 12, "stages.1.firm", "above requested 300 MW"),
    ("grid", "firm: 300 MW", "firm: 99 MW", 12, "stages.1.firm", "never falls"),
    ("grid", "energised: 2028-01-01", "energised: 2026-01-01", 11, "stages.1.energised", "before"),
    ("grid", "x_over_r: 20", "approved: 301 MW", 5, "approved", "above requested"),
    ("design", "cooling:", "coling:", 2, "coling", 'did you mean "cooling"'),
    ("design", "tcs_supply", "tcs_suply", 3, "cooling.tcs_suply", 'did you mean "tcs_supply"'),
    ("design", "power_basis: nameplate", "tcs_supply: 40 degC", 1, "tcs_supply",
     'did you mean "design.cooling.tcs_supply"'),
    ("rack", "nameplate: 142 kW", "nameplate_kw: 142", 5, "nameplate_kw",
     'did you mean "nameplate"'),
    ("rack", "typical: 115 kW", "typical: 143 kW", 6, "typical", "above nameplate"),
    ("rack", "coolant: pg25", "coolant: none", 7, "coolant", "is none"),
    ("workload", "kind: training", "kind: trainning", 3, "jobs.0.kind", 'did you mean "training"'),
    ("workload", "share: 0.8", "share: 80", 4, "jobs.0.share", "0 to 1"),
    # the long form
    ("grid", "firm: 100 MW", "firm: {value: 100 MW, low: 120 MW}", 9, "stages.0.firm.low",
     "above value"),
    ("grid", "firm: 100 MW", "firm: {value: 100 MW, high: 90 MW}", 9, "stages.0.firm.high",
     "below value"),
    ("grid", "firm: 100 MW", "firm: {value: 100 MW, unit: MW}", 9, "stages.0.firm.unit", "unknown"),
    ("grid", "firm: 100 MW", "firm: {low: 100 MW}", 9, "stages.0.firm", "value is missing"),
    # text that is no YAML, or too much of it
    ("site", "name: Here", "name: Here: there", 2, "", "is not valid YAML"),
    ("site", "name: Here", "name: @here", 2, "", "in quotes"),
    ("site", "name: Here", "\tname: Here", 2, "", "tab"),
    ("site", "name: Here", "name: !!python/object/apply:os.system [id]", 2, "", "tag"),
    ("site", "name: Here", "name: *here", 2, "", "not defined"),
    ("site", "name: Here", "name: Here\n---\nid: x", 3, "", "several documents"),
    ("site", "name: Here", "<<: {name: Here}", 2, "", "merge key"),
    ("site", "name: Here", 'name: "\\e]0;title"', 2, "name", "control character"),
    ("site", "name: Here", '"\\e[31m": 1', 2, "\\x1b[31m", "unknown key"),
]  # fmt: skip


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as done:
        main(list(arguments))
    return int(done.value.code or 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "here"
    path.mkdir()
    for kind, text in FILES.items():
        (path / f"{kind}.yaml").write_text(text)
    return path


def test_the_unchanged_files_are_good(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", str(folder), str(folder / "rack.yaml")) == 0
    assert "no problems" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "old", "new", "line", "path", "says"),
    TRAPS,
    ids=[f"{kind}-{new.splitlines()[-1]}"[:60] for kind, _, new, *_ in TRAPS],
)
def test_traps(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    old: str,
    new: str,
    line: int,
    path: str,
    says: str,
) -> None:
    file = folder / f"{kind}.yaml"
    text = FILES[kind]
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))
    place = f"{file}:{line}: {kind}.{path}: " if path else f"{file}:{line}: "
    out = folder / "plan.json"
    rack = ["--rack", str(file)] if kind == "rack" else []
    for arguments in (
        ["validate", str(folder), str(file)],
        ["size", str(folder), *rack, "-o", str(out)],
    ):
        assert run(*arguments) == 2
        shown = capsys.readouterr()
        told = [text for text in shown.err.splitlines() if place in text]
        assert told, shown.err
        assert says in told[0]
        assert "Traceback" not in shown.err
        assert "\x1b" not in shown.err
        assert shown.out == ""
        assert not out.exists()


# what only the catalogue or the plan can refuse still names the line that chose it
@pytest.mark.parametrize(
    ("kind", "old", "new", "place", "says"),
    [
        ("site", "rack: gb300-nvl72", "rack: gb300", "site.yaml:9: site.rack: ", "unknown rack"),
        ("site", "abilene-tx", "abilene", "site.yaml:8: site.climate", "climate"),
        (
            "design",
            "tcs_supply: 40 degC",
            "cdu: mine",
            "design.yaml:3: design.cooling.cdu: ",
            "no CDU",
        ),
        (
            "design",
            "tcs_supply: 40 degC",
            "tcs_coolant: oil",
            "design.yaml:3: design.cooling.",
            "oil",
        ),
        (
            "design",
            "power_basis: nameplate",
            "fabric: {switch: mine}",
            "design.yaml:1: design.fabric.switch: ",
            "unknown switch",
        ),
    ],
)
def test_ids_that_the_catalogue_lacks(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    old: str,
    new: str,
    place: str,
    says: str,
) -> None:
    text = FILES[kind]
    assert text.count(old) == 1
    (folder / f"{kind}.yaml").write_text(text.replace(old, new))
    assert run("size", str(folder)) == 2
    shown = capsys.readouterr()
    assert f"{folder}/{place}" in shown.err
    assert says in shown.err
    assert shown.out == ""


def test_a_choice_of_the_command_line_is_placed_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("size", str(folder), "--set", "design.cooling.cdu=mine") == 2
    assert "--set: design.cooling.cdu: no CDU mine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--set", "site.land.gross=5"], '--set: site.land.gross: 5 has no unit; write "5 acre"'),
        (["--set", "site.land.gros=5 acre"], 'did you mean "gross"?'),
        (["--set", "nowhere.x=5"], "unknown path"),
        (["--set", "grid.stages.zero.firm=5 MW"], "has no item 'zero'"),
        (["--set", "site.name"], "write PATH=VALUE"),
        (["--grid", "nowhere.yaml"], '--grid: "nowhere.yaml": no such file'),
        (["--design", "nowhere.yaml"], '--design: "nowhere.yaml": no such file'),
        (["--workload", "nowhere.yaml"], '--workload: "nowhere.yaml": no such file'),
        (["--rack", "nowhere.yaml"], '--rack: "nowhere.yaml": no such file'),
    ],
)
def test_bad_options(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert run("size", str(folder), *arguments) == 2
    shown = capsys.readouterr()
    assert says in shown.err
    assert shown.out == ""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere", "no such file"),
        ("here/site.yam", 'did you mean "site.yaml"?'),
        ("", "holds no site.yaml"),
    ],
)
def test_sites_that_are_not_there(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, says: str
) -> None:
    assert run("size", str(folder.parent / name)) == 2
    assert says in capsys.readouterr().err


def test_all_problems_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for kind, text in FILES.items():
        (folder / f"{kind}.yaml").write_text(text + "zzz: 1\n")
    assert run("validate", str(folder), str(folder / "rack.yaml")) == 2
    told = capsys.readouterr().err
    for kind, text in FILES.items():
        assert f"{kind}.yaml:{len(text.splitlines()) + 1}: {kind}.zzz: unknown key" in told
    assert "5 problems" in told


# reference case: a cell that starts with = runs in a spreadsheet; the name itself must survive
@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "@x", "-2+3", "\tx", "\rx"])
def test_names_that_spreadsheets_run_are_kept(name: str) -> None:
    import json

    from clusterplan.inputs.document import Document
    from clusterplan.inputs.site_file import Site
    from clusterplan.inputs.validation import validate
    from clusterplan.inputs.yaml_text import parse_yaml

    text = SITE.replace("name: Here", f"name: {json.dumps(name)}")
    site, problems = validate(Site, Document("s", parse_yaml(text, "s"), "site"))
    assert problems == []
    assert site.name == name
