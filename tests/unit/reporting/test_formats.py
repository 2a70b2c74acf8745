"""Every format holds the same figures, and none runs what a user wrote (cases.md, case 12)."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import zipfile
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from clusterplan.core.errors import InputError, MissingExtraError
from clusterplan.reporting.as_csv import csv_cell
from clusterplan.reporting.flat import COLUMNS
from clusterplan.reporting.numbers import printed
from clusterplan.reporting.render import FORMATS, render
from clusterplan.reporting.rows import figure_rows, parts_of

# spreadsheets run or misread these (hhurz/tableExport.jquery.plugin issue 230)
NAMES = ["=cmd|' /C calc'!A0", "+1", "@x", "-2+3", "\t=1", "\r=1", "\n=1", "＝1"]


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def by_path(text):
    return {line["path"]: line for line in read_csv(text)}


def unescaped(cell):
    return re.sub(r"\\(.)", r"\1", cell.strip()).replace("&amp;", "&")


def read_markdown(text):
    """Title -> cells of its table."""
    found, title = {}, ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = unescaped(line[3:])
        elif line.startswith("|") and not line.startswith("| ---"):
            cells = [unescaped(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            found.setdefault(title, []).append(cells)
    return found


def read_xlsx(data):
    """Sheet name -> lines of (kind, value)."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    main = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    shared = [
        "".join(t.text or "" for t in item.iter(f"{main}t"))
        for item in ElementTree.fromstring(archive.read("xl/sharedStrings.xml"))
    ]
    names = [
        s.get("name")
        for s in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(f"{main}sheet")
    ]
    book = {}
    for place, name in enumerate(names, 1):
        sheet = ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{place}.xml"))
        assert not list(sheet.iter(f"{main}f")), "a formula was written"
        book[name] = [
            [
                shared[int(c.find(f"{main}v").text)]
                if c.get("t") == "s"
                else float(c.find(f"{main}v").text)
                for c in line
                if c.find(f"{main}v") is not None
            ]
            for line in sheet.iter(f"{main}row")
        ]
    return book


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("units", ["metric", "us"])
def test_every_format_renders(recorded, format, units):
    content = render(recorded, format, units=units, explain="all")
    assert isinstance(content, bytes if format == "xlsx" else str)
    if format != "xlsx":
        assert content.endswith("\n")


def test_json_is_the_parts_unrounded(report):
    text = render(report, "json", units="us")  # keys name metric units: never converted
    document = json.loads(text)
    assert list(document) == ["schema", *report.parts]
    assert document["schema"] == "clusterplan/size/1"
    assert document["plant"]["facility_power_mw"] == 199.350225
    assert document["plant"]["loss_mw"] is None  # NaN is not JSON
    assert document["plant"]["modules"][1] == {"id": "osfp-fr4", "modules": 64, "power_kw": 1.088}
    assert document["limits"][1]["allows_racks"] is None
    assert document["absent"] is None
    assert "record" not in text
    assert text.endswith("}\n")


def test_json_says_what_is_infeasible_and_appends_sheets(make_report, recorded):
    document = json.loads(render(make_report(feasible=False, infeasible_reason="no"), "json"))
    assert (document["feasible"], document["infeasible_reason"]) == (False, "no")
    sheets = json.loads(render(recorded, "json", explain="plant.facility_power_mw"))["explain"]
    assert [sheet["formula"] for sheet in sheets][-1] == "facility_power_mw"


def test_csv_holds_every_value_of_the_json(report):
    lines = by_path(render(report, "csv"))
    document = json.loads(render(report, "json"))
    folded = ("unit", "source", "verified")

    def check(path, value):
        if isinstance(value, dict):
            for name, item in value.items():
                if not (path.startswith(("limits[", "assumptions[")) and name in folded):
                    check(f"{path}.{name}", item)
        elif isinstance(value, list):
            for place, item in enumerate(value):
                check(f"{path}[{place}]", item)
        elif isinstance(value, bool):
            assert lines[path]["value"] == str(value).lower(), path
        elif isinstance(value, int | float):
            assert float(lines[path]["value"]) == value, path
        else:
            assert lines[path]["value"] == (value or ""), path

    for name, part in document.items():
        if name not in ("schema", "absent"):
            check(name, part)
    assert lines["limits[0].used"]["unit"] == "MW"
    assert lines["limits[1].used"]["unit"] == "m³/yr"
    assert lines["assumptions[1].value"]["source"] == "judgement"
    assert lines["assumptions[1].value"]["verified"] == "false"


def test_csv_names_sources_and_converts(recorded):
    lines = by_path(render(recorded, "csv", units="us"))
    assert tuple(lines["plant.racks"]) == COLUMNS
    assert lines["plant.facility_power_mw"]["equation"] == "it_power_mw * pue_peak"
    assert lines["plant.supply_temp_c"]["source"] == "design.yaml"
    assert float(lines["plant.supply_temp_c"]["value"]) == pytest.approx(113.0, rel=1e-12)
    assert float(lines["plant.flow_l_per_min"]["value"]) == pytest.approx(1000.0, rel=1e-12)
    assert lines["limits[1].used"]["unit"] == "acre-ft/yr"


@pytest.mark.parametrize("units", ["metric", "us"])
def test_markdown_and_html_hold_every_figure_as_printed(report, units):
    tables = read_markdown(render(report, "markdown", units=units))
    page = HtmlTables()
    page.feed(render(report, "html", units=units))
    for part in (p for top in parts_of(report) for p in top.walk()):
        for row in part.figures:
            text, unit = printed(row, units)
            line = [row.label, text, unit, row.info.basis]
            assert line in tables[part.title]
            assert line in page.lines
        for table in part.tables:
            assert len(tables[table.title]) == len(table.lines) + 1
            for line in table.lines:
                found = [
                    cells
                    for cells in tables[table.title]
                    if all(
                        printed(c, units)[0] in cells
                        for c in line
                        if c.name != "unit" and c.value != ""
                    )
                ]
                assert found
                assert found[0] in page.lines


def test_xlsx_holds_unrounded_numbers_and_text(report):
    book = read_xlsx(render(report, "xlsx"))
    assert ["Facility power", 199.350225, "MW"] in book["Plant"]
    assert ["Losses", "unknown", "MW"] in book["Plant"]
    assert ["grid", 6416.0, 199.350225, 200.0, "MW", 1.0] in book["Limits"]
    assert list(book) == ["Report", "Site", "Plant", "Limits", "Assumptions", "Warnings", "Verdict"]
    us = read_xlsx(render(report, "xlsx", units="us"))
    found = next(line for line in us["Plant"] if line[0] == "TCS supply")
    assert found[1:] == [pytest.approx(113.0, rel=1e-12), "°F"]


@pytest.mark.parametrize("name", NAMES)
def test_text_that_looks_like_a_formula_stays_text(make_report, name):
    report = make_report(name=name)
    lines = by_path(render(report, "csv"))
    assert lines["site.name"]["value"] == "'" + name
    assert lines["plant.coldest_temp_c"]["value"] == "-5.2"  # a number is left alone
    assert json.loads(render(report, "json"))["site"]["name"] == name
    book = read_xlsx(render(report, "xlsx"))
    assert any(line[0] == "Name" and line[1].endswith(name[-1]) for line in book["Site"])
    assert ["Coldest hour", -5.2, "°C"] in book["Plant"]


def test_csv_cells():
    assert csv_cell(-5.2) == "-5.2"
    assert csv_cell("-5.2") == "'-5.2"
    assert csv_cell(None) == ""
    assert csv_cell(True) == "true"
    assert csv_cell(0.1 + 0.2) == "0.30000000000000004"
    assert csv_cell("a=b") == "a=b"


@pytest.mark.parametrize(
    "name", ["a|b", "a\nb", "`x`", "<script>alert(1)</script>", "[x](y)", "*_z_*"]
)
def test_markdown_prints_names_as_they_are(make_report, name):
    text = render(make_report(name=name), "markdown")
    cells = dict(line[:2] for line in read_markdown(text)["Site"])
    assert cells["Name"] == name.replace("\n", " ")
    assert "<script>" not in text
    assert not re.search(r"(?<!\\)\[x\]", text)


def test_html_is_one_safe_self_contained_page(make_report):
    report = make_report(
        name='<script>alert("x")</script>&', feasible=False, infeasible_reason="<b>"
    )
    text = render(report, "html")
    assert text.startswith("<!DOCTYPE html>")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "<b>" not in text
    assert not re.search(r'(src|href)="(?!#)', text)
    for mark in (
        'lang="en"',
        "charset",
        "prefers-color-scheme: dark",
        "@media print",
        'scope="col"',
    ):
        assert mark in text
    page = HtmlTables()
    page.feed(text)
    assert page.open == []


class HtmlTables(HTMLParser):
    """Cells of every table line; `open` lists elements that were not closed."""

    def __init__(self):
        super().__init__()
        self.lines, self.open, self.cell = [], [], None

    def handle_starttag(self, tag, attrs):
        if tag in ("meta",):
            return
        self.open.append(tag)
        if tag == "tr":
            self.lines.append([])
        if tag in ("td", "th"):
            self.cell = ""

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag in ("td", "th"):
            self.lines[-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["Luleå", "東京 🏗", "a\x00b", "half \ud800 pair", "x" * 40_000])
def test_odd_names_break_nothing(make_report, format, name):
    content = render(make_report(name=name), format)
    if isinstance(content, str):
        content.encode()
    if format == "json":
        assert json.loads(content)["site"]["name"] == name


def test_xlsx_without_its_library(report, monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clusterplan\[report\]'"):
        render(report, "xlsx")


@pytest.mark.parametrize(("format", "units"), [("yaml", "metric"), ("json", "imperial")])
def test_unknown_format_or_units(report, format, units):
    with pytest.raises(InputError, match="one of"):
        render(report, format, units=units)


def test_rows_of_a_table_are_named_by_item(report):
    paths = [row.path for row in figure_rows(report)]
    assert "limits.grid.allows_racks" in paths
    assert "plant.modules.osfp-fr4.power_kw" in paths
    assert "assumptions.1.value" in paths
    assert "plant.year.energy_gwh" in paths
