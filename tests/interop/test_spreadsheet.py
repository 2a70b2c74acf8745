"""Workbooks and CSV in LibreOffice: they open, and no name is run as a formula."""

from __future__ import annotations

import csv
import dataclasses
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from clusterplan.cli import compare
from clusterplan.core.results.compare import SiteRow
from clusterplan.reporting.render import render

if TYPE_CHECKING:
    from clusterplan.core.results.plan import Report

SAMPLES = Path(__file__).parents[2] / "sample_sites"
NAMES = (
    '=HYPERLINK("http://x","y")',
    "=1+1",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    "=cmd|' /C calc'!A0",
    "\N{FULLWIDTH EQUALS SIGN}1+1",
    "http://example.org",
    "{=1+1}",
    "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}",
    "\N{HIGH VOLTAGE SIGN}\N{FACTORY}",
    'quote " in',
    "line\nbreak",
)
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
office = pytest.mark.skipif(
    shutil.which("soffice") is None, reason="needs LibreOffice Calc (soffice)"
)


@pytest.fixture(scope="module")
def report() -> Report:
    """Two sample sites compared, with rows of odd names behind them."""
    sites = [str(SAMPLES / name) for name in ("abilene", "lulea")]
    choices = compare.ComparisonChoices(start="2026-12-01", draws=0)
    found = compare.run(sites, choices=choices)
    first = found.parts["sites"][0]
    values = {name: getattr(first, name) for name in SiteRow.__dataclass_fields__}
    odd = tuple(
        SiteRow(**{**values, "id": f"odd-{place}", "name": name})
        for place, name in enumerate(NAMES)
    )
    return dataclasses.replace(found, parts={**found.parts, "sites": odd})


def _convert(file: Path, target: str, folder: Path) -> None:
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", target, "--outdir", str(folder)]
    subprocess.run([*command, str(file)], check=True, capture_output=True, timeout=240)


def _cells(book: Path) -> tuple[set[str], list[str]]:
    """Texts of a workbook, and its formulas."""
    with zipfile.ZipFile(book) as archive:
        shared = ET.fromstring(archive.read("xl/sharedStrings.xml"))
        texts = {
            "".join(text.text or "" for text in item.iter(f"{MAIN}t"))
            for item in shared.iter(f"{MAIN}si")
        }
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        formulas = [
            item.text or ""
            for name in sheets
            for item in ET.fromstring(archive.read(name)).iter(f"{MAIN}f")
        ]
    # LibreOffice writes a truth value as a call
    return texts, [text for text in formulas if text not in ("TRUE()", "FALSE()")]


@office
@pytest.mark.slow
def test_a_workbook_opens_with_every_name_as_text(report: Report, tmp_path: Path) -> None:
    book = tmp_path / "sites.xlsx"
    book.write_bytes(render(report, "xlsx"))
    out = tmp_path / "out"
    _convert(book, "xlsx", out)
    texts, formulas = _cells(out / "sites.xlsx")
    assert formulas == []
    assert set(NAMES) <= texts
    assert report.parts["verdict"] in texts
    # a second sheet as CSV: the figures arrive as numbers
    _convert(
        book, "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1", out
    )
    with (out / "sites-Criteria.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert float(rows[1][2]) == pytest.approx(report.parts["criteria"][0].weight)


@office
@pytest.mark.slow
def test_a_csv_opens_with_every_name_as_text(report: Report, tmp_path: Path) -> None:
    table = tmp_path / "sites.csv"
    table.write_text(str(render(report, "csv")), encoding="utf-8", newline="")
    _convert(table, "xlsx", tmp_path / "out")
    texts, formulas = _cells(tmp_path / "out" / "sites.xlsx")
    assert formulas == []
    assert {f"'{NAMES[0]}", NAMES[0]} & texts


def test_headers_stay_in_sight_and_long_text_wraps(report: Report, tmp_path: Path) -> None:
    book = tmp_path / "sites.xlsx"
    book.write_bytes(render(report, "xlsx"))
    with zipfile.ZipFile(book) as archive:
        names = [
            item.get("name")
            for item in ET.fromstring(archive.read("xl/workbook.xml")).iter(f"{MAIN}sheet")
        ]
        place = names.index("Calendar") + 1
        sheet = ET.fromstring(archive.read(f"xl/worksheets/sheet{place}.xml"))
        styles = ET.fromstring(archive.read("xl/styles.xml"))
        verdict = ET.fromstring(
            archive.read(f"xl/worksheets/sheet{names.index('Verdict') + 1}.xml")
        )
    pane = next(sheet.iter(f"{MAIN}pane"))
    assert (pane.get("state"), pane.get("ySplit")) == ("frozen", "1")
    assert next(sheet.iter(f"{MAIN}pageSetup")).get("orientation") == "landscape"
    formats = list(next(styles.iter(f"{MAIN}cellXfs")))
    longest = [cell for row in verdict.iter(f"{MAIN}row") for cell in row][-1]
    alignment = formats[int(longest.get("s") or 0)].find(f"{MAIN}alignment")
    assert alignment is not None
    assert alignment.get("wrapText") == "1"
