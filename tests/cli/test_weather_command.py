"""Hourly weather on the command line: `cooling --weather`, `--hours`, a site that names a file."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from clusterplan.cli.cooling import run
from clusterplan.cli.main import main
from clusterplan.reporting.sheets import sheets, unexplained

ROOT = Path(__file__).parents[2]
RACKS = ("cooling", "--rack", "gb300-nvl72", "--racks", "100")


def _main(capsys, *arguments):
    with pytest.raises(SystemExit) as done:
        main([str(item) for item in arguments])
    shown = capsys.readouterr()
    return int(done.value.code or 0), shown.out, shown.err


def _section(path, **options):
    report = run(rack="gb300-nvl72", racks=100, weather=str(path), **options)
    return report.parts["cooling"], report


def test_year_of_a_file(epw):
    section, report = _section(epw)
    assert section.weather == "8,760 hours of year.epw (Testfield)"
    assert "no error of a fit" in section.annual_band
    names = [point.point for point in section.design_points]
    assert names[-1] == "highest hour"
    assert section.pue_peak == max(point.pue for point in section.design_points)
    assert 1.0 < section.pue_annual < section.pue_peak
    assumed = {item.path: item for item in report.parts["assumptions"]}
    assert assumed["climate.design_values"].value == "abilene-tx"
    assert unexplained(report, undeclared=True) == []
    for name in ("pue_annual", "water_m3_per_year", "wet_hours_h", "pue_peak"):
        assert sheets(report, name), name


@pytest.mark.parametrize(
    "kind",
    [
        "dry-cooler",
        "adiabatic-cooler",
        "open-cooling-tower",
        "closed-cooling-tower",
        "air-cooled-chiller",
        "water-cooled-chiller",
    ],
)
def test_every_kind_has_an_hourly_year(epw, kind):
    section, report = _section(epw, overrides=(f"design.heat_rejection={kind}",))
    assert section.heat_rejection == kind
    assert 1.0 < section.pue_annual < section.pue_peak
    assert section.trim_mw >= max(point.trim_mw for point in section.design_points)
    wet = kind not in ("dry-cooler", "air-cooled-chiller")
    assert (section.water_m3_per_year > 0.0) == (section.water_peak_l_per_s > 0.0) == wet
    assert unexplained(report, undeclared=True) == []


def test_air_cooled_racks_by_hours(epw):
    section = run(rack="dgx-h100-x4", racks=10, weather=str(epw)).parts["cooling"]
    assert section.heat_rejection == "air-cooled-chiller"
    assert section.trim_hours_h is None
    assert 1.0 < section.pue_annual < section.pue_peak


def test_hours_as_csv(epw, tmp_path, synthetic_year):
    """The rows add up to the section: energy, water, wet hours; heat in is heat out."""
    path = tmp_path / "hours.csv"
    section, _ = _section(epw, hours=str(path))
    text = path.read_text(encoding="utf-8")
    notes = [line for line in text.splitlines() if line.startswith("#")]
    assert "adiabatic-cooler, 10.8 MW of IT" in notes[0]
    assert "warming of 1 K" in notes[1]
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    assert len(rows) == 8760
    assert (rows[0]["begins"], rows[-1]["begins"]) == ("Jan 1 00:00", "Dec 31 23:00")

    def column(name):
        return [float(row[name]) for row in rows]

    assert sum(column("water_m3")) == pytest.approx(section.water_m3_per_year, rel=1e-3)
    assert sum(column("wet")) == section.wet_hours_h
    assert sum(column("pue")) / 8760 == pytest.approx(section.pue_annual, abs=1e-4)
    warmed = [dry + 1.0 for dry in synthetic_year().dry]
    assert column("dry_bulb_c") == pytest.approx(warmed, abs=0.0051)
    assert column("heat_in_mw") == column("heat_rejected_mw")


def test_warming_makes_the_hours_hotter(epw, tmp_path):
    path = tmp_path / "hours.csv"
    means = []
    for warming in (0, 2):
        _section(epw, hours=str(path), overrides=(f"design.cooling.warming_allowance={warming} K",))
        lines = path.read_text().splitlines()[3:]
        means.append(sum(float(line.split(",")[2]) for line in lines) / 8760)
    assert means[1] - means[0] == pytest.approx(2.0, abs=1e-6)


def test_climate_beside_the_file_gives_the_design_values(epw):
    """Hours of the file, design points of the named climate."""
    here, _ = _section(epw)
    there, report = _section(epw, climate="phoenix-az")
    assert there.design_points[0].dry_bulb_c > here.design_points[0].dry_bulb_c + 3.0
    assert there.design_points[-1].dry_bulb_c == here.design_points[-1].dry_bulb_c
    assert "climate.design_values" not in {a.path for a in report.parts["assumptions"]}


def test_design_values_of_the_header(tmp_path, epw_text):
    line = (
        "DESIGN CONDITIONS,1,Climate Design Data 2009 ASHRAE Handbook,,Heating,12,-6.4,-3.9,-14,1,"
        "2,-11,1,2,12,5,11,6,4,20,Cooling,7,12,35.0,20.5,36,21.6,35,21.7,24.2,31,23.6,31,23,30,5,"
        "180,22,18,26,21,17,26,20.6,16,25,75,31,72,31,70,31,900,Extremes,12,11,10,27,-11,40,3,1.7,"
        "-13,41,-15,42,-17,41.4,-19,44"
    )
    path = tmp_path / "header.epw"
    path.write_text(epw_text.replace("DESIGN CONDITIONS,0", line))
    section, report = _section(path)
    # 41.4 °C of 20 years + 1 K of warming; 14 MW on a pad: no plume
    assert section.design_points[0].dry_bulb_c == pytest.approx(42.4)
    assumed = {item.path: item for item in report.parts["assumptions"]}
    assert "header of header.epw" in assumed["climate.design_values"].source


def test_design_values_of_the_file_alone(tmp_path, synthetic_year):
    """A plain CSV without a place: percentiles of its hours, and the standard pressure, said."""
    path = tmp_path / "plain.csv"
    path.write_text(synthetic_year().csv("dry_bulb_c,relative_humidity_percent"))
    section, report = _section(path)
    assumed = {item.path: item for item in report.parts["assumptions"]}
    assert {"climate.db_0p4", "climate.wb_0p4", "climate.db_n20", "weather.pressure"} <= set(
        assumed
    )
    assert assumed["weather.pressure"].value == pytest.approx(101.325)
    assert assumed["climate.elevation"].value == 0.0
    assert section.pue_annual > 1.0


def test_filled_hours_and_odd_pressure_are_said(tmp_path, epw_text):
    lines = epw_text.splitlines()
    row = lines[108].split(",")
    lines[108] = ",".join([*row[:6], "99.9", *row[7:]])
    path = tmp_path / "gap.epw"
    path.write_text("\n".join(lines).replace(",530.0", ",1830.0"))
    _, report = _section(path)
    warnings = {item.code: item.message for item in report.parts["warnings"]}
    assert "dry bulb: 1 hour (Jan 5 04:00)" in warnings["weather_filled"]
    assert "does not go with the 81.2 kPa of 1830 m" in warnings["weather_pressure"]


def test_contradicting_humidity_is_refused(tmp_path, epw_text, capsys):
    lines = epw_text.splitlines()
    for index in range(8, len(lines)):
        row = lines[index].split(",")
        lines[index] = ",".join([*row[:8], "97", *row[9:]])
    path = tmp_path / "humid.epw"
    path.write_text("\n".join(lines))
    code, out, err = _main(capsys, *RACKS, "--weather", path)
    assert (code, out) == (2, "")
    assert f"{path}:" in err
    assert "relative humidity of 97 %" in err


BAD = {
    "empty": (lambda t: b"", ":1: is empty"),
    "rows": (lambda t: "\n".join(t.splitlines()[:-1]).encode(), ":8767: 1 hour is missing"),
    "utf-16": (lambda t: t.encode("utf-16"), ":1: is UTF-16"),
    "cp1252": (lambda t: t.replace("Testfield", "Münster").encode("cp1252"), ":1: is not UTF-8"),
    "nan": (lambda t: t.replace(",3.2,", ",NaN,", 1).encode(), '"NaN" is not a number'),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_end_with_2(tmp_path, epw_text, capsys, name):
    change, words = BAD[name]
    path = tmp_path / "bad.epw"
    path.write_bytes(change(epw_text))
    code, out, err = _main(capsys, *RACKS, "--weather", path)
    assert (code, out) == (2, "")
    assert words in err
    assert "bad.epw" in err
    assert "Traceback" not in err


def test_a_folder_no_file_and_hours_alone(tmp_path, capsys, epw):
    for arguments, words in (
        (("--weather", tmp_path), "is a folder"),
        (("--weather", tmp_path / "yaer.epw"), 'did you mean "year.epw"'),
        (("--hours", tmp_path / "h.csv"), "--weather FILE"),
        (("--weather", epw, "--hours", tmp_path / "h.csv", "--compare"), "not of --compare"),
        (("--weather", epw, "--hours", tmp_path), "is a directory"),
        (("--weather", epw, "--hours", tmp_path / "no" / "h.csv"), "does not exist"),
    ):
        code, out, err = _main(capsys, *RACKS, *arguments)
        assert (code, out) == (2, "")
        assert words in err, err


@pytest.fixture
def site(tmp_path, epw_text):
    """The sample site of Abilene with a weather file beside it."""
    folder = tmp_path / "here"
    shutil.copytree(ROOT / "sample_sites" / "abilene", folder)
    (folder / "year.epw").write_text(epw_text)
    return folder


def _named(folder, climate):
    path = folder / "site.yaml"
    path.write_text(path.read_text().replace("climate: abilene-tx", f"climate: {climate}"))


def test_a_site_with_a_weather_file(site, capsys):
    before = json.loads(_main(capsys, "size", site, "-f", "json")[1])
    _named(site, "{weather: year.epw}")
    code, out, _ = _main(capsys, "size", site, "-f", "json")
    plan = json.loads(out)
    assert code == 0
    assert plan["site"]["climate"] == "year.epw"
    assert plan["cooling"]["weather"] == "8,760 hours of year.epw (Testfield)"
    # the same design values: only the year differs, unless an hour beats the design points
    assert plan["summary"]["pue_peak"] == pytest.approx(before["summary"]["pue_peak"], rel=1e-3)
    assert plan["summary"]["pue_annual"] != before["summary"]["pue_annual"]
    codes = {item["code"] for item in plan["warnings"]}
    assert "weather_file_unused" not in codes


def test_a_climate_and_a_weather_file(site, capsys):
    _named(site, "{id: ashburn-va, weather: year.epw}")
    plan = json.loads(_main(capsys, "size", site, "-f", "json")[1])
    assert plan["site"]["climate"] == "ashburn-va"
    assert plan["cooling"]["weather"] == "8,760 hours of year.epw (Testfield)"


def test_water_of_the_year_limits_by_the_hours(site, capsys):
    """The limit and the section take the same year: racks are cut to the water there is."""
    _named(site, "{weather: year.epw}")
    design = ("--set", "design.heat_rejection=adiabatic-cooler")
    warm = ("--set", "design.cooling.tcs_supply=40 degC")
    limit = ("--set", "site.water={source: municipal, annual: 40000 m3/yr}")
    plan = json.loads(_main(capsys, "size", site, "-f", "json", *design, *warm, *limit)[1])
    water = plan["cooling"]["water_m3_per_year"]
    assert 0.0 < water <= 40000.0
    row = next(item for item in plan["limits"] if item["name"] == "water_annual")
    assert row["used"] == pytest.approx(water, rel=1e-9)


def test_validate_reads_the_weather(site, capsys):
    _named(site, "{weather: year.epw}")
    assert _main(capsys, "validate", site)[0] == 0
    lines = (site / "year.epw").read_text().splitlines()
    (site / "year.epw").write_text("\n".join(lines[:-1]))
    code, _, err = _main(capsys, "validate", site)
    assert code == 2
    assert "year.epw:8767: 1 hour is missing: Dec 31 23:00" in err
    (site / "year.epw").unlink()
    code, _, err = _main(capsys, "validate", site)
    assert code == 2
    assert "site.yaml:" in err
    assert "climate.weather" in err


def test_economiser_hours_are_counted_by_the_hour(epw, synthetic_year):
    """Room air on 20/30 °C, approach 8 K, 1 K warmer: all free to 12 °C, nothing from 22 °C on."""
    section, _ = _section(epw)
    dry = synthetic_year().dry
    side = section.air_side
    assert side.free_hours_h == sum(1 for x in dry if x + 1.0 <= 12.0 + 1e-9)
    assert side.chiller_hours_h == sum(1 for x in dry if x + 1.0 >= 22.0 - 1e-9)
    assert side.free_hours_h + side.partial_hours_h + side.chiller_hours_h == 8760


@pytest.mark.parametrize("view", ["--compare", "--sweep"])
def test_views_go_by_the_hours(epw, capsys, view):
    """Annual figures beside the plan's own: the sweep's point and the option that is planned."""
    section, _ = _section(epw)
    code, out, _ = _main(capsys, *RACKS, "--weather", epw, view, "-f", "json")
    assert code == 0
    assert json.dumps(section.pue_annual)[:10] in out
