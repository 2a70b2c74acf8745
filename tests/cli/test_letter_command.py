"""`clusterplan letter`: the document, its figures, halls that are summed, and refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from clusterplan.cli.letter import emit_letter, run
from clusterplan.cli.main import main
from clusterplan.cli.size import Asked
from clusterplan.core.errors import InputError
from clusterplan.reporting.sheets import unexplained

SITES = Path(__file__).parents[2] / "sample_sites"
GRID = {
    "operator": "ERCOT",
    "iso": "ERCOT",
    "utility": "Oncor",
    "voltage": "138 kV",
    "requested": "45 MW",
    "stage": "agreement",
    "stages": [{"name": "a", "energised": "2027-01-01", "firm": "45 MW"}],
    "short_circuit": {"min": "10 kA", "max": "30 kA"},
}
SITE = {
    "country": "US",
    "state": "TX",
    "latitude": 32.0,
    "longitude": -100.0,
    "elevation": "500 m",
    "climate": "abilene-tx",
    "rack": "gb300-nvl72",
}
_kept: dict = {}


def letter(*names):
    if names not in _kept:
        _kept[names] = run([str(SITES / name) for name in names], asked=Asked())
    return _kept[names]


def hall(folder, name, grid):
    path = folder / name
    path.mkdir()
    site = SITE | {"id": name, "name": name}
    (path / "site.yaml").write_text(yaml.safe_dump(site), encoding="utf-8")
    (path / "grid.yaml").write_text(yaml.safe_dump(GRID | grid), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("site", ["abilene", "west-texas-5gw", "university-room", "ashburn"])
def test_sums_close_and_every_figure_is_explained(site):
    report, found = letter(site)
    load = found.load
    assert load.contracted_mw + load.speculative_mw == pytest.approx(load.final_grid_mw)
    assert load.final_load_mw == found.ramp[-1].total_load_mw
    assert load.final_load_mw / load.apparent_power_mva == pytest.approx(load.power_factor)
    for row in found.ramp:
        assert row.grid_mw == max(0.0, row.load_mw - row.onsite_firm_mw)
    for mix in found.mix:
        parts = (mix.ups_percent, mix.direct_percent, mix.motor_percent, mix.rest_percent)
        assert sum(parts) == pytest.approx(100.0)
    assert unexplained(report, undeclared=True) == []


def test_approved_is_the_part_that_is_secured():
    # 5 GW: 600 MW approved of 2,600 MW from the grid; 2,403 MW come from the plant
    _, found = letter("west-texas-5gw")
    assert found.load.contracted_mw == 600.0
    assert found.load.speculative_mw == pytest.approx(2000.0, rel=1e-4)
    assert [row.stage for row in found.ramp][1] == "on-site gas plant"
    # ashburn: 100 MW approved of 300 MW
    _, found = letter("ashburn")
    assert found.load.contracted_mw == pytest.approx(100.0)


def test_halls_of_one_point_are_summed_for_the_rules(tmp_path):
    one, two = hall(tmp_path, "north", {}), hall(tmp_path, "south", {})
    _, single = run([one], asked=Asked())
    _, both = run([one, two], asked=Asked())
    rule = "ERCOT, large-load interconnection"

    def verdict(found):
        return next(row for row in found.rules if row.name == rule)

    assert verdict(single).verdict == "no: below"  # 45 MW each
    assert verdict(both).verdict == "applies"
    assert verdict(both).requested == 90.0
    assert both.load.final_load_mw == pytest.approx(2.0 * single.load.final_load_mw)
    assert len(both.ramp) == 2
    swings = [row.swing_mw for row in both.swing]
    assert swings[2] == pytest.approx(2.0 * swings[0])  # one trip takes both
    assert swings[3] == pytest.approx(2.0**0.5 * swings[0])  # independent jobs
    both_verdicts = {row.quantity: row.value for row in both.verdicts}
    assert both_verdicts["0.1-55 Hz p-p, unfiltered"] == pytest.approx(swings[3])
    report, _ = run([one, two], asked=Asked())
    assert unexplained(report, undeclared=True) == []


def test_existing_load_counts_towards_the_threshold(tmp_path):
    alone = hall(tmp_path, "alone", {})
    beside = hall(tmp_path, "beside", {"existing_load": {"power": "40 MW", "power_factor": 0.95}})
    verdicts = []
    for site in (alone, beside):
        _, found = run([site], asked=Asked())
        verdicts.append({row.name: row.verdict for row in found.rules})
    assert verdicts[0]["ERCOT, large-load interconnection"] == "no: below"
    assert verdicts[1]["ERCOT, large-load interconnection"] == "applies"


def test_halls_at_different_points_are_refused(tmp_path):
    one = hall(tmp_path, "one", {})
    two = hall(tmp_path, "two", {"voltage": "230 kV", "utility": "CPS Energy"})
    with pytest.raises(InputError) as caught:
        run([one, two], asked=Asked())
    text = str(caught.value)
    assert "grid.voltage" in text
    assert "grid.utility" in text
    assert text.count("two/grid.yaml:") == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["dona-ana"], "no grid file"),
        (["abilene", "abilene"], "the same site twice"),
        (["abilene", "ashburn", "--racks", "10"], "a size is of one hall"),
        (["nowhere"], "nowhere"),
        (["abilene", "-o", "x.xyz"], "cannot tell the format"),
    ],
)
def test_refusals(arguments, told, capsys):
    known = {path.name for path in SITES.iterdir()}
    words = [str(SITES / word) if word in known else word for word in arguments]
    with pytest.raises(SystemExit) as stop:
        main(["letter", *words])
    assert stop.value.code == 2
    assert told in capsys.readouterr().err


def test_the_document(tmp_path, capsys):
    path = tmp_path / "letter.md"
    report, found = letter("abilene")
    assert emit_letter(report, found, None, str(path), "metric") == 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Load letter: Stargate Abilene\n")
    assert "To Oncor (ERCOT): request for service at 345 kV" in text
    headings = re.findall(r"^## (\d+)\. ", text, re.MULTILINE)
    assert headings == [str(number) for number in range(1, 13)]
    assert "None on site." in text
    assert "would apply, not in force" in text
    assert "legal name, address and contact of the customer" in text
    capsys.readouterr()
    assert emit_letter(report, found, None, None, "metric") == 0
    assert capsys.readouterr().out == text
    # every table has as many cells in each row as it has heads
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("| ")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1


def test_load_that_is_there_already_is_no_part_of_the_request(capsys):
    # lulea: 8 MW on the service, 53 MW asked for
    report, found = letter("lulea")
    emit_letter(report, found, None, None, "metric")
    text = capsys.readouterr().out
    own = found.load.final_load_mw - 8.0
    assert found.load.existing_load_mw == 8.0
    assert f"rising to {own:.4g} MW" in text
    assert "besides 8 MW there already" in text


def test_json_keys_and_what_is_missing(capsys):
    report, found = letter("university-room")
    assert emit_letter(report, found, "json", None, "metric") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "clusterplan/letter/1"
    assert data["generation"] == []
    assert {"contracted_mw", "speculative_mw", "final_load_mw"} <= set(data["load"])
    paths = {row["path"] for row in data["open_questions"]}
    assert {"grid.poi_name", "grid.power_factor_min", "grid.curtailment"} <= paths
    assert "grid.short_circuit" not in paths  # it is given


def test_user_text_stays_text(tmp_path, capsys):
    site = hall(tmp_path, "odd", {"utility": "A | B <script>\n# no"})
    report, found = run([site], asked=Asked())
    emit_letter(report, found, "markdown", None, "metric")
    text = capsys.readouterr().out
    assert "<script>" not in text.replace("\\<script\\>", "")
    assert "\n# no" not in text
