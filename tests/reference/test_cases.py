"""Cases of people who do this job, end to end on the command line.

Small inputs from public questions, bug reports and example files, each with its source, the right
value and the arithmetic. Counts are exact; electrical and thermal figures within 1 %. The functions
behind them are tested in test_fabric_cases.py and test_electrical_cases.py.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from xml.etree import ElementTree

import pytest

from clusterplan.cli.main import main
from clusterplan.sizing.coolants import coolant_flow_l_per_min
from clusterplan.sizing.generation import gensets
from clusterplan.sizing.psychrometrics import mixing_ratio, station_pressure_kpa, wet_bulb
from clusterplan.sizing.site_value import linear_value, normalised_weights, weighted_score

SITE = """\
id: {id}
name: {name}
country: {country}
latitude: {latitude}
longitude: {longitude}
elevation: 100 m
climate: {climate}
rack: {rack}
"""
STOCKHOLM = {"country": "SE", "latitude": 59.33, "longitude": 18.07, "climate": "lulea"}
DEFAULTS = {"id": "here", "name": "Here", "rack": "dgx-h100-x4", **STOCKHOLM}
H100 = "--rails 8 --nodes-per-su 32 --switch qm9700 --nic".split()
INLINE = {
    "dry_bulb_0p4": "34.5 degC",
    "mean_coincident_wet_bulb": "15.5 degC",
    "wet_bulb_0p4": "18.4 degC",
    "dry_bulb_n20": "38.5 degC",
    "heating_99p6": "-17.5 degC",
    "annual_mean_dry_bulb": "9.8 degC",
    "annual_mean_wet_bulb": "4.5 degC",
    "annual_mean_dew_point": "-2.0 degC",
}


def csv_rows(out):
    """Path -> row of a printed CSV."""
    return {row["path"]: row for row in csv.DictReader(io.StringIO(out.decode(), newline=""))}


@pytest.fixture
def call(capsysbinary):
    """The command line: exit code, standard output (bytes) and standard error (text)."""

    def run(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        printed = capsysbinary.readouterr()
        return stopped.value.code, printed.out, printed.err.decode()

    return run


@pytest.fixture
def planned(call):
    """The JSON document of a command that succeeds."""

    def run(*arguments):
        code, out, err = call(*arguments, "--format", "json")
        assert code == 0, err
        return json.loads(out)

    return run


@pytest.fixture
def refused(call, tmp_path):
    """The one message of a command that is refused; no traceback and no output file."""

    def run(*arguments):
        target = tmp_path / "out.json"
        code, out, err = call(*arguments, "-o", target)
        assert (code, out) == (2, b""), err
        assert not target.exists()
        assert "Traceback" not in err
        lines = [line for line in err.splitlines() if line.startswith("error: ")]
        assert len(lines) == 1, err
        return lines[0]

    return run


@pytest.fixture
def site(tmp_path):
    """A folder with a site.yaml; `climate` may be a mapping of own design conditions."""

    def write(**fields):
        fields = {**DEFAULTS, **fields}
        climate = fields["climate"]
        if isinstance(climate, dict):
            lines = "".join(f"\n  {name}: {text}" for name, text in climate.items())
            fields["climate"] = lines
        (tmp_path / "site.yaml").write_text(SITE.format(**fields), encoding="utf-8", newline="")
        return tmp_path

    return write


# 1. http://www.shke.com.cn/?p=7546: how one scalable unit of 32 eight-GPU servers is cabled
def test_case_1_one_scalable_unit(planned):
    fabric = planned("fabric", "--nodes", 32, *H100, "400 Gb/s")["fabric"]
    assert fabric["endpoint_links"] == 32 * 8
    assert (fabric["leaf_switches"], fabric["spine_switches"]) == (8, 4)
    assert (fabric["leaf_downlinks"], fabric["leaf_uplinks"]) == (32, 32)
    assert fabric["endpoint_links"] + fabric["leaf_spine_links"] == 512
    assert sum(row["ends"] for row in fabric["optics"]) == 1024


# 2. https://www.apetops-us.com/help/ai-256-explanation-of-512-h100-clustering-solution
def test_case_2_512_servers_need_a_third_tier(planned):
    two = planned("fabric", "--nodes", 256, *H100, "400 Gb/s")["fabric"]
    assert (two["tiers"], two["grows_to_accelerators"]) == (2, 64 * 32)
    three = planned("fabric", "--nodes", 512, *H100, "400 Gb/s")["fabric"]
    assert three["tiers"] == 3
    counts = [three[f"{tier}_switches"] for tier in ("leaf", "spine", "core")]
    assert counts == [4096 // 32, 128, 4096 // 64]
    assert sum(counts) == 320
    links = ("endpoint_links", "leaf_spine_links", "spine_core_links")
    assert sum(three[name] for name in links) == 3 * 4096


# 3. a public cabling tool: 1 Gb/s management links matched with 1.6T optics, 324 of them
def test_case_3_management_links_are_copper(planned):
    command = ("fabric", "--nodes", 162, "--rails", 1, "--nic", "1 Gb/s", "--switch", "sn2201")
    document = planned(*command)
    fabric = document["fabric"]
    assert fabric["endpoint_cables"] == 162
    assert (fabric["optics"], fabric["optics_power_kw"]) == ([], 0.0)
    assert "no_optic" not in [warning["code"] for warning in document["warnings"]]


# 4. https://aiinframap.com/tools/energy/datacenter-power-calculator (11.83 MW),
#    AI-Datacenter-Microgrid-Analysis (13.39 MW), and the nameplate of DGX H100, 10.2 kW
def test_case_4_power_of_10000_h100(planned, site):
    command = [
        *("size", site(), "--accelerators", 10_000, "--set", "site.pue_peak=1.3"),
        *("--set", "design.power.network=0 %", "--set", "design.power.storage=0 %"),
        *("--set", "design.power.management=0 %"),
    ]
    document = planned(*command)
    power, summary = document["power"], document["summary"]
    assert summary["servers"] == 1250
    assert summary["it_power_mw"] == power["it_compute_mw"] == pytest.approx(12.75)
    assert summary["facility_power_mw"] == pytest.approx(16.575)
    assert summary["power_basis"] == power["power_basis"] == "nameplate"
    # the ratio given is used unaltered, the computed one is printed beside it (rule of counting 6)
    assert summary["pue_peak"] == 1.3
    assert summary["pue_peak_computed"] > 1.0


def test_case_4_the_report_states_the_basis(call, site):
    code, out, _ = call("size", site(), "--accelerators", 10_000)
    assert code == 0
    assert re.search(r"Power basis:\s+nameplate", out.decode())
    code, out, _ = call(
        "size", site(), "--accelerators", 10_000, "--set", "design.power_basis=typical"
    )
    assert code == 0
    assert re.search(r"Power basis:\s+typical", out.decode())


# 5. https://calcpanel.com/data-center-step-down-transformer, question type; pandapower
def test_case_5_three_units_of_60_mva(planned):
    substation = planned(
        *("substation", "--load", "96 MW", "--power-factor", 0.95, "--transformer", "60 MVA")
    )["substation"]
    assert substation["apparent_power_mva"] == pytest.approx(96 / 0.95, rel=0.01)
    assert (substation["transformers"], substation["transformers_redundant"]) == (3, 1)
    assert substation["loading_normal_percent"] == pytest.approx(56.1, rel=0.01)
    assert substation["loading_n1_percent"] == pytest.approx(84.2, rel=0.01)


# 6. https://github.com/nautobot/nautobot/issues/6748: feed capacity in VA against draw in W
@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        (("substation", "--load", "100 MVA"), '--load: "100 MVA"'),
        (("substation", "--load", "96 MW", "--transformer", "100 MW"), '--transformer: "100 MW"'),
        (("cooling", "--it-power", "100 MVA", "--liquid-fraction", 1), '--it-power: "100 MVA"'),
    ],
)
def test_case_6_mva_is_not_mw(refused, arguments, seen):
    message = refused(*arguments)
    assert seen in message
    assert "power factor" in message


@pytest.mark.parametrize(
    ("field", "value"), [("requested", "100 MVA"), ("transformers", "[{mva: 100 MW, count: 2}]")]
)
def test_case_6_in_a_grid_file(refused, site, field, value):
    fields = {"voltage": "130 kV", "requested": "100 MW"} | {field: value}
    lines = [f"{name}: {text}" for name, text in {"utility": "Vattenfall", **fields}.items()]
    folder = site()
    (folder / "grid.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    message = refused("size", folder)
    at = next(place for place, line in enumerate(lines, 1) if line.startswith(field))
    assert f"grid.yaml:{at}: grid.{field}" in message
    assert "power factor" in message


def test_case_6_asked_it_power(refused, site):
    assert '--it-power: "100 MVA"' in refused("size", site(), "--it-power", "100 MVA")


# 7. https://github.com/log-wade/datacenter-mcp-server, published audit: generators sized on IT only
def test_case_7_generators_carry_the_facility():
    sets = gensets(10.0, 1.4, 1.25, 2.5, redundant=1)
    assert (sets.required_mw, sets.duty, sets.installed) == (pytest.approx(17.5), 7, 8)


# 8. the same audit: 1.6 gpm a kW instead of 0.455 at a difference of 15 F
def test_case_8_flow_at_15_fahrenheit(call, planned):
    gpm = 1000.0 * 3412.0 / (500.0 * 15.0)
    assert gpm == pytest.approx(454.9, abs=0.05)
    # 15 F of difference are 8.33 K, never -9.4 degC; water of the case: 4.186 kJ/kgK, 0.997 kg/l
    rise_k = 15.0 / 1.8
    flow = coolant_flow_l_per_min(1000.0, rise_k, 0.997 * 4.186)
    assert flow == pytest.approx(1725.0, rel=0.001)
    assert flow == pytest.approx(gpm * 3.785, rel=0.01)
    command = [
        *("cooling", "--it-power", "1000 kW", "--liquid-fraction", 1, "--coolant", "water"),
        *("--tcs-supply", "104 degF", "--tcs-return", "119 degF", "--climate", "abilene-tx"),
    ]
    cooling = planned(*command)["cooling"]
    assert cooling["tcs_return_temp_c"] - cooling["tcs_supply_temp_c"] == pytest.approx(rise_k)
    # hot water is lighter than the water of the case: 991 kg/m3 at 44 degC
    assert cooling["tcs_flow_l_per_min"] == pytest.approx(1722.0, rel=0.01)
    code, out, _ = call(*command, "--units", "us", "--format", "csv")
    assert code == 0
    row = csv_rows(out)["cooling.tcs_flow_l_per_min"]
    assert row["unit"] == "gpm"
    assert float(row["value"]) == pytest.approx(454.9, rel=0.01)


# 9. https://github.com/nuoaleon/Data-center-PUE-prediction-tool and
#    https://github.com/psychrometrics/psychrolib/issues/81: 0.4 and 150 taken as relative humidity
#    in percent, pressure in hPa, 68 (F) taken as C. Humidity and pressure enter with hourly files.
@pytest.mark.parametrize(
    ("name", "text", "accepted"),
    [
        ("wet_bulb_0p4", "36 degC", "dry_bulb_0p4 34.5 degC"),  # above the dry bulb
        ("dry_bulb_0p4", "68", "has no unit"),
        ("dry_bulb_0p4", "68 degC", "55"),  # a number of Fahrenheit with the wrong unit
        ("relative_humidity", "0.4", "unknown key"),
        ("relative_humidity", "150 %", "unknown key"),
        ("pressure", "1013.25 Pa", "unknown key"),
    ],
)
def test_case_9_climates_that_cannot_be(refused, site, name, text, accepted):
    climate = {**INLINE, name: text}
    line = 7 + 1 + list(climate).index(name)
    message = refused("size", site(climate=climate), "--racks", 4)
    assert f"site.yaml:{line}: site.climate.{name}: " in message
    assert accepted in message


def test_case_9_fahrenheit_only_where_the_unit_says_so(planned, site):
    in_c = planned("size", site(climate=INLINE), "--racks", 4)
    fahrenheit = {**INLINE, "dry_bulb_0p4": "94.1 degF"}  # 34.5 degC
    in_f = planned("size", site(climate=fahrenheit), "--racks", 4)
    assert in_f["summary"]["pue_peak"] == pytest.approx(in_c["summary"]["pue_peak"], rel=1e-9)


def test_case_9_pressure_is_kilopascal():
    # ASHRAE Fundamentals: 101.325 kPa at sea level, 24 degC and 17 degC wet bulb: about 9.2 g/kg
    assert station_pressure_kpa(0.0) == pytest.approx(101.325)
    ratio = mixing_ratio(24.0, 17.0, station_pressure_kpa(0.0))
    assert ratio == pytest.approx(0.0092, rel=0.02)
    assert wet_bulb(24.0, ratio, 101.325) == pytest.approx(17.0, abs=0.01)


# 10. https://github.com/EnergySystemsModellingLab/MUSE_OS/issues/317: min-max scaling over the set
#     makes 10.1 against 10 as large a step as 1 against 5
def test_case_10_a_small_difference_stays_small():
    weights = normalised_weights((1.0, 1.0))

    def score(cost, water):
        values = (linear_value(cost, 20.0, 5.0), linear_value(water, 5.0, 0.0))
        return weighted_score(weights, values).score

    # A: (9.9 / 15 + 4 / 5) / 2; B: (10 / 15 + 0) / 2
    assert score(10.1, 1.0) == pytest.approx(0.730)
    assert score(10.0, 5.0) == pytest.approx(0.3333, abs=1e-4)
    # the gap comes from water alone: cost moves either score by a third of a hundredth
    assert abs(score(10.1, 1.0) - score(10.0, 1.0)) < 0.004


# 11. https://github.com/openENTRANCE/openentrance/pull/348: NO becomes false in YAML 1.1
NORWAY = {"latitude": 59.91, "longitude": 10.75}


@pytest.mark.parametrize("code", ["NO", "no", "'NO'", "NOR"])
def test_case_11_norway(planned, call, site, code):
    folder = site(country=code, **NORWAY)
    assert planned("size", folder, "--racks", 4)["site"]["country"] == "NO"
    for kind in ("table", "csv", "markdown"):
        _, out, _ = call("size", folder, "--racks", 4, "--format", kind)
        assert "False" not in out.decode()


@pytest.mark.parametrize("code", ["on", "off", "yes", "true", "~"])
def test_case_11_words_that_are_no_country(refused, site, code):
    assert "site.yaml:3: site.country" in refused("size", site(country=code, **NORWAY))


@pytest.mark.parametrize("word", ["NO", "off", "yes"])
def test_case_11_words_stay_text(planned, site, word):
    assert planned("size", site(name=word), "--racks", 4)["site"]["name"] == word


# 12. https://github.com/hhurz/tableExport.jquery.plugin/issues/230: a cell that starts with =
#     runs in a spreadsheet; the repair put quotes before negative numbers
NAMES = ["=cmd|' /C calc'!A0", "+1", "@x", "-2+3", "\t=1", "\r=1"]


def quoted(name):
    return json.dumps(name)  # a JSON string is a YAML string, tabs and returns as escapes


@pytest.mark.parametrize("name", NAMES)
def test_case_12_names_do_not_run_in_csv(planned, call, site, name):
    folder = site(name=quoted(name))
    assert planned("size", folder, "--racks", 4)["site"]["name"] == name
    code, out, _ = call("size", folder, "--racks", 4, "--format", "csv")
    assert code == 0
    rows = csv_rows(out)
    assert rows["site.name"]["value"] == "'" + name
    # a negative number stays a number: coldest hour of Luleå, about -39 degC
    assert float(rows["cooling.cold_dry_bulb_c"]["value"]) < 0.0
    for row in rows.values():
        for cell in row.values():
            assert not cell.startswith(("=", "+", "@", "\t", "\r"))


@pytest.mark.parametrize("name", NAMES[:4])
def test_case_12_names_are_text_in_xlsx(call, site, tmp_path, name):
    pytest.importorskip("xlsxwriter")
    target = tmp_path / "plan.xlsx"
    code, _, err = call("size", site(name=quoted(name)), "--racks", 4, "-o", target)
    assert code == 0, err
    main_ns = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    texts, numbers = [], []
    with zipfile.ZipFile(target) as book:
        for part in book.namelist():
            root = ElementTree.fromstring(book.read(part)) if part.endswith(".xml") else None
            if part == "xl/sharedStrings.xml":
                texts = [node.text for node in root.iter(f"{main_ns}t")]
            elif part.startswith("xl/worksheets/"):
                assert not list(root.iter(f"{main_ns}f")), part  # no formula anywhere
                numbers += [
                    float(cell.find(f"{main_ns}v").text)
                    for cell in root.iter(f"{main_ns}c")
                    if cell.get("t", "n") == "n" and cell.find(f"{main_ns}v") is not None
                ]
    assert any(text is not None and text.lstrip("'") == name for text in texts)
    assert any(number < 0.0 for number in numbers)
