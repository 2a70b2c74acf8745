"""The terminal report: it fits its width, cuts nothing and runs nothing."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from clusterplan.core.results.plan import Report
from clusterplan.reporting.layout import width_of, wrap
from clusterplan.reporting.render import render

GOLDEN = Path(__file__).parents[2] / "golden"
# figures of the sample as they must stand in the report, metric (see conftest for the arithmetic)
METRIC = [
    ("Racks", "6,416", ""),
    ("IT power", "164.2", "MW"),
    ("PUE, peak (hot point)", "1.214", ""),
    ("Facility power", "199.4", "MW"),
    ("TCS supply", "45.0", "°C"),
    ("Coldest hour", "-5.2", "°C"),
    ("Approach", "4.0", "K"),
    ("TCS flow", "3,785", "L/min"),
    ("Water a year", "1,233", "m³/yr"),
    ("Loading", "84.2", "%"),
]
US = [
    ("TCS supply", "113.0", "°F"),
    ("Coldest hour", "22.6", "°F"),
    ("Approach", "7.2", "°F diff."),
    ("TCS flow", "1,000", "gpm"),
    ("Water a year", "1", "acre-ft/yr"),
    ("Facility power", "199.4", "MW"),
]


def shows(text, label, value, unit):
    pattern = rf"{re.escape(label)} +{re.escape(value)}(?= *{re.escape(unit)}(\s|$))"
    return re.search(pattern, text, re.MULTILINE) is not None


@pytest.mark.parametrize("width", [80, 100, 120, 200])
@pytest.mark.parametrize(("units", "figures"), [("metric", METRIC), ("us", US)])
def test_figures_stand_in_the_report(report, width, units, figures):
    text = render(report, "table", units=units, width=width)
    for label, value, unit in figures:
        assert shows(text, label, value, unit), (label, value, unit)


@pytest.mark.parametrize("width", [40, 60, 80, 110, 120])
def test_no_line_is_wider_and_nothing_is_cut(report, width):
    text = render(report, "table", width=width, explain="all")
    assert max(width_of(line) for line in text.splitlines()) <= width
    assert "…" not in text
    for number in ("6,416", "199.4", "3,785", "1,024", "16.38", "1.088", "1,439"):
        assert number in text


@pytest.mark.parametrize("width", [80, 120])
def test_golden(make_report, width):
    report = make_report(feasible=False, infeasible_reason="7,000 racks asked, grid allows 6,416")
    expected = (GOLDEN / f"report_{width}.txt").read_text(encoding="utf-8")
    assert render(report, "table", width=width) == expected


def test_detail_and_undeclared_figures_stay_out(report):
    text = render(report, "table", width=100)
    assert "Spare racks" not in text
    assert "Latitude" not in text
    markdown = render(report, "markdown")
    assert "Spare racks" in markdown
    assert "Latitude" in markdown


def test_reason_stands_on_top(make_report):
    text = render(make_report(feasible=False, infeasible_reason="the grid allows 5 racks"), "table")
    head = " ".join(text.splitlines()[1:3])
    assert head.startswith("Not feasible: the grid allows 5 racks.")


def test_unknown_has_no_unit_and_binding_is_marked(report):
    text = render(report, "table", width=100)
    assert re.search(r"Losses +unknown$", text, re.MULTILINE)
    assert re.search(r"^> grid +6,416 +199\.4 +200 +MW$", text, re.MULTILINE)


def test_limits_that_are_not_known_share_a_line(report):
    note = "no limit is known for this place"
    text = render(report, "table", width=110)
    assert f"  Not limiting: water annual ({note}; 1,233 m³/yr taken)" in text
    text = render(report, "table", width=110, units="us")
    assert f"  Not limiting: water annual ({note}; 1 acre-ft/yr taken)" in text


def test_words_and_few_figures_share_a_paragraph(report):
    assert "ID: abilene; Name: Abilene [TX] campus; Elevation: 524 m" in render(
        report, "table", width=100
    )
    us = render(report, "table", width=100, units="us")
    assert "Elevation: 1,719 ft" in us  # 524 / 0.3048 = 1719.16
    long = "warm water is warm enough at every design point of this place, so no chillers"
    text = render(report, "table", width=100)
    assert long not in text
    text = render(make_report_with_note(long), "table", width=100)
    assert f"\n  Note: {long}\n" in text


def make_report_with_note(note):
    from dataclasses import make_dataclass

    part = make_dataclass("Place", [("id", str), ("note", str)], frozen=True)("abilene", note)
    return Report(schema="s", title="t", parts={"site": part})


def test_wide_tables_are_cut_into_bands_of_columns():
    from dataclasses import make_dataclass

    names = [f"figure_{n}_mw" for n in range(14)]
    row = make_dataclass("SiteLine", [("id", str), *[(name, float) for name in names]])
    rows = tuple(row(f"site-{n}", *[100.5 * (n + 1)] * 14) for n in range(3))
    text = render(Report(schema="s", title="t", parts={"sites": rows}), "table", width=80)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    # every band repeats the first column, one line a site
    assert sum(line.startswith("  site-1 ") for line in lines) == 2
    assert text.count("201") == 14
    narrow = render(Report(schema="s", title="t", parts={"sites": rows}), "table", width=160)
    assert sum(line.startswith("  site-1 ") for line in narrow.splitlines()) == 1


def test_zeros_share_a_line(make_report):
    zeros = {"water_m3_per_year": 0.0, "loading_percent": 0.0, "loss_mw": 0.0}
    text = render(make_report(**zeros), "table", width=100)
    assert "  Zero: Water a year; Loading; Losses\n" in text
    two = render(make_report(water_m3_per_year=0.0, loss_mw=0.0), "table", width=100)
    assert "Zero:" not in two
    assert shows(two, "Losses", "0", "MW")


def test_a_section_of_sheets_stands_alone(recorded):
    text = render(recorded, "table", explain="plant.facility_power_mw")
    assert text.startswith("Abilene [TX] campus on gb300-nvl72\n\nCalculation sheets\n")
    assert "facility_power_mw = it_power_mw * pue_peak" in text
    assert "Heat rejection" not in text
    assert "Heat rejection" in render(recorded, "table", explain="all")


def test_assumptions_are_compact_and_last(report):
    text = render(report, "table", width=100)
    assert "Assumptions (2, 1 of them * not verified)" in text
    assert "  design.cooling 2 (1*)\n" in text
    assert "Not verified, of the small groups: design.cooling: pad_efficiency 0.85\n" in text
    assert text.index("Warnings") < text.index("Assumptions")
    assert "--explain assumptions, or -o FILE.md, lists each with its source" in text


def test_colour_only_when_asked(report):
    assert "\x1b" not in render(report, "table", width=80)
    coloured = render(report, "table", width=80, color=True)
    assert "\x1b[1m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(report, "table", width=80)


@pytest.mark.parametrize(
    "name",
    [
        "[bold red]x[/]",
        "=cmd|' /C calc'!A0",
        "a\x1b[31mb",
        "x\ny\tz",
        "名前 東京 データ",
        "e\u0301" * 20,
    ],
)
def test_site_names_are_text(make_report, name):
    text = render(make_report(name=name), "table", width=80, color=True)
    assert "\x1b[31mb" not in text
    plain = render(make_report(name=name), "table", width=80)
    assert max(width_of(line) for line in plain.splitlines()) <= 80
    if name.isprintable():
        assert name in plain


def test_many_stages_turn_instead_of_overflowing():
    from dataclasses import make_dataclass

    stage = make_dataclass(
        "StageRow",
        [
            ("name", str),
            ("status", str),
            ("firm_mw", float),
            ("facility_power_mw", float),
            ("accelerators", int),
            ("limited_by", str),
            ("energised", str),
        ],
        frozen=True,
    )
    rows = tuple(
        stage(
            f"stage {n}",
            "energised",
            100.0 * n,
            99.5 * n,
            461_952 * n,
            "transformers",
            "2026-01-31",
        )
        for n in range(1, 8)
    )
    text = render(Report(schema="s", title="t", parts={"stages": rows}), "table", width=80)
    assert max(map(len, text.splitlines())) <= 80
    for n in range(1, 8):
        assert f"stage {n}" in text
        assert f"{461_952 * n:,}" in text


def test_wrap_keeps_words_and_folds_only_what_cannot_fit():
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("12 MW\N{NO-BREAK SPACE}x", 4) == ["12", "MW x"]
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrap("東京東京", 4) == ["東京", "東京"]
    assert wrap("", 5) == [""]


def test_rendering_is_cheap(make_report):
    report = make_report(modules=make_report().parts["plant"].modules * 40)
    best = min(_cpu(lambda: render(report, "table", width=120)) for _ in range(5))
    assert best < 0.05


def _cpu(call):
    start = time.process_time()
    call()
    return time.process_time() - start
