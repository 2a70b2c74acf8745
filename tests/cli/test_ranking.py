"""`compare-sites` as a land developer uses it: verdict, formats, drawings, weights files."""

from __future__ import annotations

import csv
import dataclasses
import datetime
import io
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from clusterplan.cli import compare
from clusterplan.cli.compare import ComparisonChoices
from clusterplan.core.errors import InputError
from clusterplan.reporting import site_charts
from clusterplan.reporting.render import render

if TYPE_CHECKING:
    from clusterplan.core.results.plan import Report

SAMPLES = Path(__file__).parents[2] / "sample_sites"
CHOICES = ComparisonChoices(start="2026-12-01", draws=2000)
START = datetime.date(2026, 12, 1)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@pytest.fixture(scope="module")
def all_sites() -> Report:
    return compare.run([str(SAMPLES)], choices=CHOICES)


def _run(*names: str, **choices: object) -> Report:
    return compare.run([str(SAMPLES / name) for name in names], choices=CHOICES._replace(**choices))


def test_verdict_is_one_paragraph_and_names_the_leader(all_sites: Report) -> None:
    verdict = all_sites.parts["verdict"]
    first = all_sites.parts["sites"][0]
    assert "\n" not in verdict
    assert verdict.startswith("8 sites compared by weights training up to 2031-12-01;")
    assert f"{first.id} stands first with" in verdict
    assert "TOPSIS" in verdict
    assert "Swap:" in verdict
    assert "Break-even:" in verdict


def test_every_figure_of_the_verdict_stands_in_the_tables(all_sites: Report) -> None:
    parts = {name: part for name, part in all_sites.parts.items() if name != "verdict"}
    document = json.dumps({name: json.loads(_json(part)) for name, part in parts.items()})
    known = set(NUMBER.findall(document))
    for text in NUMBER.findall(document):
        number = float(text.replace(",", ""))
        # a share or score as percent or points, a figure as it is rounded in the paragraph
        known |= {f"{100 * number:.0f}", f"{number:.0f}", f"{number:,.4g}", f"{number:.3f}"}
    for site in all_sites.parts["sites"]:
        share = 1 - site.verified_only_score / site.score
        known |= {f"{100 * share:.0f}"}  # of the score, from two columns of the table
        open_gates = [
            row for row in parts["gates"] if row.site == site.id and row.verdict != "pass"
        ]
        known |= {str(max(0, len(open_gates) - 3))}  # "and 2 more" gates
    told = NUMBER.findall(all_sites.parts["verdict"])
    assert len(told) > 20
    assert [number for number in told if number.rstrip(".,") not in known] == []


def _json(part: object) -> str:
    from clusterplan.reporting.as_json import json_value

    return json.dumps(json_value(part))


def test_json_contract(all_sites: Report) -> None:
    document = json.loads(render(all_sites, "json"))
    assert document["schema"] == "clusterplan/compare/1"
    keys = (
        "id rank score coverage first_rank_share gates accelerators facility_power_mw first_power"
    )
    for row in document["sites"]:
        assert set(keys.split()) <= row.keys()
        assert 0.0 <= row["score"] <= 1.0
    assert isinstance(document["verdict"], str)
    assert len(document["gates"]) == 8 * 11
    assert sum(row["first_rank_share"] for row in document["sites"]) == pytest.approx(1.0)


def test_every_cell_has_value_unit_anchors_rule_and_flag(all_sites: Report) -> None:
    for row in all_sites.parts["data"]:
        assert row.worst != row.best
        assert row.rule in ("linear", "log")
        if row.scaled is None:
            assert (row.shown, row.verified) == ("unknown, counted 0", "unknown")
        else:
            assert row.source
            assert row.verified in ("true", "given", "partial", "secondary", "false")
            assert 0.0 <= row.scaled <= 1.0


def test_points_of_the_criteria_add_up_to_the_score(all_sites: Report) -> None:
    for site in all_sites.parts["sites"]:
        points = [row.points for row in all_sites.parts["criteria"] if row.site == site.id]
        assert sum(points) == int(100 * site.score + 0.5)


def test_three_stages_against_three_phases_in_the_calendar(tmp_path: Path) -> None:
    """48, 108 and 180 MW wanted at PUE 1.2; phase 2 lacks 8 MW until stage 3 comes."""
    folder = tmp_path / "staged"
    folder.mkdir()
    known = 'source: "utility letter", verified: true'
    stages = "".join(
        f"  - {{name: s{n}, energised: {{value: {year}-01-01, {known}}}, firm: {mw} MW,"
        " status: energised}\n"
        for n, (year, mw) in enumerate([(2034, 50), (2035, 100), (2036, 200)], start=1)
    )
    (folder / "grid.yaml").write_text(
        f"voltage: 138 kV\nrequested: 200 MW\nstage: energised\nstages:\n{stages}"
    )
    phases = "".join(
        f"  - {{date: {year}-01-01, it: {mw} MW}}\n"
        for year, mw in [(2034, 40), (2035, 90), (2036, 150)]
    )
    (folder / "site.yaml").write_text(
        "id: staged\nname: Staged\ncountry: US\nstate: TX\nlatitude: 32.5\nlongitude: -99.8\n"
        "elevation: 500 m\nclimate: abilene-tx\nrack: dgx-h100-x4\npue_peak: 1.2\n"
        f"phases:\n{phases}"
    )
    choices = CHOICES._replace(start="2027-01-01", horizon="2037-01-01", draws=0)
    report = compare.run([str(folder)], choices=choices)
    rows = {row.day[:7]: row for row in report.parts["calendar"]}
    found = [
        (rows[m].demand_mw, rows[m].energised_mw, rows[m].shortfall_mw)
        for m in ("2034-06", "2035-06", "2036-06")
    ]
    assert found[0] == pytest.approx((48.0, 50.0, 0.0))
    assert found[1] == pytest.approx((108.0, 100.0, 8.0))
    assert found[2][0] == pytest.approx(180.0)
    assert found[2][2] == 0.0
    # the IT power that 100 MW carries, before rounding to whole racks
    assert found[1][1] / 1.2 == pytest.approx(83.333, abs=1e-3)
    steps = {row.step: row for row in report.parts["steps"]}
    assert steps["s2"].energised_p50 == "2035-01-01"
    # racks are ordered 52 weeks ahead and may take longer: the only part that can be late here
    assert steps["s2"].energised_p90 > "2035-01-01"
    assert steps["s2"].critical.startswith("supply")


@pytest.mark.parametrize("format", ["csv", "markdown", "html", "xlsx"])
def test_every_format_holds_the_verdict_and_the_gates(all_sites: Report, format: str) -> None:
    text = render(all_sites, format)
    if isinstance(text, bytes):
        assert text[:2] == b"PK"
        return
    assert "local_rule" in text.replace("\\", "")
    if format == "csv":
        rows = list(csv.reader(io.StringIO(text)))
        assert any("stands first with" in cell for row in rows for cell in row)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_terminal_table_fits(all_sites: Report, width: int) -> None:
    text = render(all_sites, "table", width=width)
    assert isinstance(text, str)
    assert all(len(line) <= width for line in text.splitlines())
    assert "? ╱╱" in text or width < 80


def test_drawings_are_well_formed(all_sites: Report, tmp_path: Path) -> None:
    files = {name: str(tmp_path / f"{name}.svg") for name in ("chart", "pareto", "heat-map")}
    compare.write_drawings(all_sites, {**files, "geojson": str(tmp_path / "sites.geojson")})
    for name, file in files.items():
        root = ET.parse(file).getroot()
        assert root.tag.endswith("svg"), name
        texts = " ".join(item.text or "" for item in root.iter() if item.tag.endswith("text"))
        assert "abilene" in texts or "Abilene" in texts
    document = json.loads((tmp_path / "sites.geojson").read_text(encoding="utf-8"))
    assert document["type"] == "FeatureCollection"
    by_id = {item["id"]: item for item in document["features"]}
    longitude, latitude = by_id["abilene"]["geometry"]["coordinates"]
    assert (longitude, latitude) == pytest.approx((-99.7839, 32.4997))
    assert by_id["abilene"]["properties"]["rank"] == 1


def test_names_are_neither_markup_nor_formulas(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    for name in ("site.yaml", "grid.yaml"):
        text = (SAMPLES / "lulea" / name).read_text(encoding="utf-8")
        text = text.replace("name: Luleå, Norrbotten", "name: '=1+1 <script>x</script> | מקום 🏭'")
        (folder / name).write_text(text, encoding="utf-8")
    report = compare.run([str(folder)], choices=CHOICES._replace(draws=0))
    compare.write_drawings(report, {"chart": str(tmp_path / "c.svg")})
    drawn = (tmp_path / "c.svg").read_text(encoding="utf-8")
    assert "<script>" not in drawn
    assert "&lt;script&gt;" in drawn
    assert "<script>x" not in str(render(report, "html"))
    assert "\n=1+1" not in str(render(report, "csv"))


def test_presets_weigh_differently() -> None:
    by_preset = {
        preset: {
            row.criterion: row.weight
            for row in _run("lulea", weights=preset, draws=0).parts["criteria"]
        }
        for preset in ("training", "sustainability", "sovereign")
    }
    for weights in by_preset.values():
        assert sum(weights.values()) == pytest.approx(1.0)
    assert by_preset["sustainability"]["carbon"] == pytest.approx(0.18)
    assert by_preset["sovereign"]["jurisdiction"] == pytest.approx(0.16)
    assert by_preset["training"]["jurisdiction"] == 0.0


def test_a_weights_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "weights: {power_price: 3, carbon: 1}\nanchors: {power_price: [100, 20]}\n"
        "first_phase: 20 MW\nowner: SE\n"
    )
    report = _run("lulea", "ashburn", weights=str(file), draws=0)
    weights = {row.criterion: row.weight for row in report.parts["criteria"]}
    assert (weights["power_price"], weights["carbon"]) == (0.75, 0.25)
    assert weights["water"] == 0.0  # shown, not scored
    assert "weights_sum" in [row.code for row in report.parts["warnings"]]
    price = next(r for r in report.parts["data"] if (r.site, r.datum) == ("lulea", "power_price"))
    assert (price.worst, price.best) == (100.0, 20.0)
    owner = next(r for r in report.parts["gates"] if (r.site, r.gate) == ("lulea", "ownership"))
    assert owner.verdict == "pass"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("weights: {water: -1}", "mine.yaml:1: weights.water"),
        ("weights: {water: .nan}", "mine.yaml:1: weights.water"),
        ("weights: {watr: 1}", 'did you mean "water"'),
        ("weights: {water: 0}", "all weights are 0"),
        ("preset: training\nanchors: {power_price: [35, 150]}", "is reversed"),
        ("preset: training\nanchors: {power_price: [35, 35]}", "are both 35"),
        ("preset: training\nanchors: {power_price: [35]}", "two finite numbers"),
        ("preset: training\nanchors: {expansion: [0, 100]}", "above 0 on a logarithmic scale"),
        ("preset: training\nanchors: {prise: [1, 2]}", "unknown key"),
        ("preset: trainin", "mine.yaml:1: preset"),
        ("preset: training\nfirst_phase: 100", "has no unit"),
        ("preset: training\nowner: XX", "unknown country"),
        ("preset: training\nhorizon: 10 months", "after the horizon"),
        ("", "is empty"),
    ],
)
def test_bad_weights_files_are_refused(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text + "\n")
    with pytest.raises(InputError) as caught:
        _run("lulea", weights=str(file), draws=0)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"weights": "trainings"}, 'did you mean "training"'),
        ({"start": "tomorrow"}, "--start"),
        ({"start": "2026-02-30"}, "no day of the calendar"),
        ({"horizon": "2026-12-15"}, "--horizon"),
        ({"draws": -1}, "--draws"),
        ({"seed": -5}, "--seed"),
        ({"weights": "nowhere.yaml"}, "nowhere.yaml"),
    ],
)
def test_bad_options_are_refused(choices: dict[str, object], told: str) -> None:
    with pytest.raises(InputError) as caught:
        _run("lulea", **choices)
    assert told in str(caught.value)


def test_no_draws_leaves_the_shares_open() -> None:
    report = _run("lulea", draws=0)
    assert report.parts["sites"][0].first_rank_share is None
    assert "stays open" in report.parts["verdict"]
    assert report.parts["pairs"] == ()


@cache
def _pareto(*names: str) -> tuple[Report, ET.Element]:
    report = compare.run([str(SAMPLES / n) for n in names], choices=CHOICES._replace(draws=0))
    return report, ET.fromstring(site_charts.pareto_svg(report))


def _words(root: ET.Element) -> str:
    return "; ".join(item.text or "" for item in root.iter() if item.tag.endswith("text"))


def test_a_label_stands_beside_its_own_point() -> None:
    """Two sites with the same date and near costs: each label is nearest to its own circle."""
    report, root = _pareto("johor", "lulea", "memphis")
    circles = [(float(i.get("cx", 0)), float(i.get("cy", 0))) for i in root.iter() if i.get("cx")]
    labels = {i.text: float(i.get("y", 0)) for i in root.iter() if i.text in ("memphis", "johor")}
    costs = {s.id: s.capex_usd_per_it_kw for s in report.parts["sites"]}
    upper, lower = sorted(y for _, y in circles)
    assert costs["johor"] < costs["memphis"]
    assert labels["memphis"] == pytest.approx(upper - 7.0, abs=0.11)
    assert labels["johor"] == pytest.approx(lower - 7.0, abs=0.11)


def test_near_points_have_their_labels_apart() -> None:
    """The same date, costs within a thousandth: the upper label is above, the lower below."""
    report, _ = _pareto("johor", "lulea", "memphis")
    (johor,) = [site for site in report.parts["sites"] if site.id == "johor"]
    twin = dataclasses.replace(johor, id="twin", capex_usd_per_it_kw=johor.capex_usd_per_it_kw + 40)
    near = dataclasses.replace(report, parts={**report.parts, "sites": (johor, twin)})
    root = ET.fromstring(site_charts.pareto_svg(near))
    upper, lower = sorted(float(i.get("cy", 0)) for i in root.iter() if i.get("cx"))
    labels = {i.text: float(i.get("y", 0)) for i in root.iter() if i.text in ("twin", "johor")}
    assert labels["twin"] == pytest.approx(upper - 7.0, abs=0.11)
    assert labels["johor"] == pytest.approx(lower + 16.0, abs=0.11)


def test_cost_stands_against_the_date_of_the_target_where_it_is_reached() -> None:
    report, root = _pareto("abilene", "dona-ana", "lulea")
    words = _words(root)
    assert "months from the start to the target of 1,000 MW" in words
    assert "without date or cost: lulea" in words
    rows = {row.id: row for row in report.parts["sites"]}
    assert rows["lulea"].target_months_p50 is None
    for name in ("abilene", "dona-ana"):
        row = rows[name]
        assert 36.0 < row.target_months_p50 < row.target_months_p90
        assert row.first_phase_months_p50 < row.target_months_p50
        day = START + datetime.timedelta(days=round(row.target_months_p50 * 30.4375))
        assert row.target_p50 == day.isoformat()


def test_cost_stands_against_the_first_phase_where_no_site_reaches_the_target() -> None:
    _, root = _pareto("johor", "lulea", "memphis")
    words = _words(root)
    assert "months from the start to the first phase of 100 MW (none has the target" in words
    assert "without date or cost: lulea" in words


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"chart": "x.png"}, "--chart: cannot draw 'x.png'"),
        ({"pareto": "/nowhere/at/all/x.svg"}, "has no directory"),
    ],
)
def test_drawings_that_cannot_be_are_refused(files: dict[str, str | None], told: str) -> None:
    with pytest.raises(InputError) as caught:
        compare.refuse_drawings(files)
    assert told in str(caught.value)


def test_workers_are_for_a_list() -> None:
    with pytest.raises(InputError, match="--workers: is for a list of candidates"):
        compare.refuse_scale(0, None)


def test_a_step_is_no_surer_than_its_power(all_sites: Report) -> None:
    """Abilene: dates were read, the 600 MW are illustrative, so what rests on them is not sure."""
    flags = {row.datum: row.verified for row in all_sites.parts["data"] if row.site == "abilene"}
    assert {flags[name] for name in ("first_power", "gw_years", "expansion")} == {"false"}


def test_large_figures_have_no_exponent(all_sites: Report) -> None:
    shown = {(row.site, row.datum): row for row in all_sites.parts["data"]}
    assert shown["lulea", "land_price"].shown == "32,375 USD/acre"
    assert shown["abilene", "seismic"].note == "regional figure 3 not counted without --screen"
    assert not any("e+" in row.shown + row.note for row in shown.values())


def test_two_equal_sites_are_called_level(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for file in ("site.yaml", "grid.yaml"):
            text = (SAMPLES / "lulea" / file).read_text(encoding="utf-8")
            text = text.replace("id: lulea", f"id: {name}")
            (tmp_path / name / file).write_text(text, encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("one", "two")]
    report = compare.run(paths, choices=CHOICES._replace(draws=0))
    section = report.parts["comparison"]
    assert section.swap == section.break_even == "none is needed: the first two are level"
    assert "two equals it in every criterion." in report.parts["verdict"]


def test_a_preset_that_a_file_changes_is_called_changed(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("preset: training\nweights: {water: 0.5}\n", encoding="utf-8")
    report = _run("lulea", weights=str(file), draws=0)
    assert report.parts["comparison"].preset == "training, changed by a file"
    file.write_text("preset: training\nowner: SE\n", encoding="utf-8")
    assert _run("lulea", weights=str(file), draws=0).parts["comparison"].preset == "training"


def test_a_criterion_without_weight_swaps_nothing(tmp_path: Path) -> None:
    """Jurisdiction has weight 0 in training; with power price at 0 too neither is named."""
    weights = tmp_path / "w.yaml"
    weights.write_text("preset: training\nweights: {carbon: 0, gw_years: 0.23}\n")
    report = _run("abilene", "dona-ana", "lulea", weights=str(weights), draws=0)
    unused = {row.criterion for row in report.parts["criteria"] if row.weight == 0.0}
    assert unused == {"carbon", "jurisdiction"}
    swap = report.parts["comparison"].swap
    assert swap.startswith("weight of ")
    assert "from 0.000" not in swap
    # carbon was named where it had a weight: abilene before lulea
    assert "weight of carbon" in _run("abilene", "lulea", draws=0).parts["comparison"].swap
    none = _run("abilene", "lulea", weights=str(weights), draws=0).parts["comparison"].swap
    assert "carbon" not in none


def test_words_of_cells_do_not_repeat_their_name(all_sites: Report) -> None:
    shown = {(row.site, row.datum): row for row in all_sites.parts["data"]}
    assert shown["lulea", "circuits"].shown == "2 on separate towers"
    assert shown["ashburn", "flood_zone"].shown == "X"
    assert shown["abilene", "sales_tax"].note == (
        "regional figure exempt not counted without --screen"
    )
    assert not any("circuits 2 circuits" in row.shown for row in all_sites.parts["criteria"])


def test_a_step_says_how_much_of_the_plan_its_dates_are_for(all_sites: Report) -> None:
    steps = {(row.site, row.step): row for row in all_sites.parts["steps"]}
    second = steps["lulea", "stage 2"]
    assert second.supply_mw == 100.0
    assert second.filed == "2029-10-01"
    assert second.plan_mw == pytest.approx(53.08, abs=0.01)  # what the transformers carry
    assert steps["abilene", "200 MW yard"].critical.endswith("built as if new")
