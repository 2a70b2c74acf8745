"""Laws of printing: nothing is cut or widened, values survive every round trip."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.figures import figure
from clusterplan.core.results.plan import Report
from clusterplan.core.shown_units import US_UNITS
from clusterplan.reporting.layout import Pair, packed, plain_text, width_of, wrap
from clusterplan.reporting.numbers import clean, number_text
from clusterplan.reporting.render import render


@dataclass(frozen=True)
class Line:
    name: str
    power_mw: float | None
    racks: int | None


@dataclass(frozen=True)
class Section:
    name: str
    flow_l_per_min: float | None = figure("Flow", basis="all racks")
    racks: int = figure("Racks")
    lines: tuple[Line, ...] = ()


TEXT = st.text(max_size=60)
FLOATS = st.floats(allow_nan=True, allow_infinity=True) | st.none()
COUNTS = st.integers(-(10**9), 10**9)
LINES = st.lists(st.builds(Line, TEXT, FLOATS, COUNTS | st.none()), max_size=6).map(tuple)
REPORTS = st.builds(
    lambda title, section: Report(schema="s", title=title, parts={"section": section}),
    TEXT,
    st.builds(Section, TEXT, FLOATS, COUNTS, LINES),
)


@settings(max_examples=150, deadline=None)
@given(REPORTS, st.integers(40, 160), st.sampled_from(["metric", "us"]))
def test_terminal_report_fits_and_keeps_its_numbers(report, width, units):
    text = render(report, "table", width=width, units=units)
    assert all(width_of(line) <= width for line in text.split("\n"))
    assert f"{report.parts['section'].racks:,}" in text
    for line in report.parts["section"].lines:
        if line.racks is not None:
            assert f"{line.racks:,}" in text or (line.racks == 0 and "Zero in every line" in text)


@settings(max_examples=100, deadline=None)
@given(REPORTS)
def test_json_and_csv_hold_the_same_values(report):
    text = render(report, "json")
    section = json.loads(text, parse_constant=lambda word: 1 / 0)["section"]
    table = {
        line["path"]: line["value"]
        for line in csv.DictReader(io.StringIO(render(report, "csv"), newline=""))
    }
    flow = report.parts["section"].flow_l_per_min
    if flow is None or not math.isfinite(flow):
        assert section["flow_l_per_min"] is None
        assert table["section.flow_l_per_min"] == ""
    else:
        assert section["flow_l_per_min"] == flow
        assert float(table["section.flow_l_per_min"]) == flow
    for place, line in enumerate(report.parts["section"].lines):
        assert section["lines"][place]["racks"] == line.racks
        found = table[f"section.lines[{place}].racks"]
        assert found == ("" if line.racks is None else str(line.racks))


@settings(max_examples=300, deadline=None)
@given(
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300),
    st.sampled_from(["", "MW", "%", "°C", "L/min"]),
)
def test_printed_number_is_near_and_never_a_false_zero(value, unit):
    text = number_text(value, unit)
    back = float(text.replace(",", ""))
    assert (back == 0) == (value == 0)
    # three significant digits at least, or one decimal of a percent or degree
    slack = 0.0501 if unit in ("%", "°C") else 0.0
    assert math.isclose(back, value, rel_tol=0.0501 if slack else 5e-4, abs_tol=slack)


@given(TEXT, st.integers(4, 60))
def test_wrapping_loses_no_letter(text, width):
    text = clean(text)
    lines = wrap(text, width)
    assert all(width_of(line) <= width for line in lines)
    squeezed = "".join(text.replace("\N{NO-BREAK SPACE}", " ").split(" "))
    assert "".join("".join(lines).split(" ")) == squeezed


LABELS = st.text("abcdefgh ", min_size=1, max_size=50).map(str.strip).filter(bool)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.builds(
            Pair, LABELS, COUNTS.map(lambda n: f"{n:,}"), st.sampled_from(["", "MW", "L/min"])
        ),
        min_size=1,
        max_size=30,
    ),
    st.integers(40, 200),
)
def test_packed_figures_fit_and_keep_values(pairs, width):
    text = plain_text(packed(pairs, width))
    assert all(width_of(line) <= width for line in text.split("\n"))
    shown = sorted(word for word in text.split() if word[-1].isdigit())
    assert shown == sorted(pair.value for pair in pairs)


@given(st.floats(-1e6, 1e6), st.sampled_from(sorted(US_UNITS)))
def test_us_conversion_turns_back(value, unit):
    _, factor, offset = US_UNITS[unit]
    assert math.isclose(
        (value * factor + offset - offset) / factor, value, rel_tol=1e-9, abs_tol=1e-6
    )
