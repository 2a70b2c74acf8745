"""Rounding at print, words for what is not a number, unit systems, harmless text."""

from __future__ import annotations

import math
from datetime import date

import pytest

from clusterplan.core.figures import FigureInfo, Row
from clusterplan.reporting.labels import label_of, pretty_unit, stem_of
from clusterplan.reporting.numbers import clean, exact_text, number_text, plain, printed, value_text


def row(value, unit, digits=None):
    return Row(
        "part", "part.figure", "figure", "Figure", value, unit, FigureInfo("", digits=digits)
    )


@pytest.mark.parametrize(
    ("value", "unit", "digits", "text"),
    [
        (0, "", None, "0"),
        (0.0, "MW", None, "0"),
        (-0.0, "MW", 2, "0"),
        (461952, "", None, "461,952"),
        (-1152, "", None, "-1,152"),
        (345.0, "kV", None, "345"),
        (1199.87, "MW", None, "1,200"),
        (199.350225, "MW", None, "199.4"),
        (78.9012, "MW", None, "78.90"),
        (1.21374, "", 3, "1.214"),
        (0.012345678, "kV", None, "0.01235"),
        (0.05, "", None, "0.05"),  # no more decimals than stated
        (84.2178, "%", None, "84.2"),
        (100.0, "%", None, "100.0"),
        (45.0, "°C", None, "45.0"),
        (-5.2, "°C", None, "-5.2"),
        (0.004, "%", None, "0.004"),  # a loss is not 0.0 %
        (0.3, "A", 0, "0.3"),
        (999.96, "MW", None, "1,000"),
        (0.0000123456, "MW", None, "1.235e-05"),
        (1.23456e18, "L", None, "1.235e+18"),
        (1234567.8, "m³/yr", None, "1,234,568"),
        (10**21, "", None, "1,000,000,000,000,000,000,000"),
    ],
)
def test_number_is_rounded_for_reading(value, unit, digits, text):
    assert number_text(value, unit, digits) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "unknown"),
        (math.nan, "unknown"),
        (math.inf, "unknown"),
        (True, "yes"),
        (False, "no"),
        ("pg25", "pg25"),
        ((1.5, None, "x"), "1.5; unknown; x"),
        ({"a": 1}, "a: 1"),
    ],
)
def test_other_values(value, text):
    assert value_text(value) == text


def test_exact_text_lets_a_reader_recalculate():
    assert exact_text(199.350225) == "199.3502"
    assert exact_text(25.60006234413965) == "25.60006"
    assert exact_text(164250.0) == "164,250"
    assert exact_text(1.5e-7) == "1.500000e-07"
    assert exact_text(None) == "unknown"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (45.0, "°C", ("113.0", "°F")),  # 45 x 9/5 + 32
        (-5.2, "°C", ("22.6", "°F")),  # -9.36 + 32 = 22.64
        (8.333333333, "K", ("15.0", "°F diff.")),  # a difference has no offset
        (3785.411784, "L/min", ("1,000", "gpm")),  # US gallon of 3.785411784 L
        (1233.48183754752, "m³/yr", ("1", "acre-ft/yr")),  # 4046.8564224 m2 x 0.3048 m
        (524.0, "m", ("1,719", "ft")),  # 524 / 0.3048 = 1719.16
        (199.350225, "MW", ("199.4", "MW")),
        (None, "°C", ("unknown", "°F")),
        (math.nan, "°C", ("unknown", "°F")),
    ],
)
def test_us_units(value, unit, text):
    assert printed(row(value, unit), "us") == text
    assert printed(row(value, unit), "metric")[1] == unit


def test_digits_hold_in_the_unit_of_the_field_only():
    # 0.012 L/kWh / 3.785411784 = 0.003170 gal/kWh: three decimals would leave one digit
    assert printed(row(0.012, "L/kWh", digits=3), "metric") == ("0.012", "L/kWh")
    assert printed(row(0.012, "L/kWh", digits=3), "us") == ("0.003170", "gal/kWh")


def test_plain_unwraps_other_types():
    numpy = pytest.importorskip("numpy")
    assert plain(numpy.float64(1.5)) == 1.5
    assert type(plain(numpy.int64(3))) is int
    assert plain(numpy.array([1, 2])) == [1, 2]
    assert plain(date(2026, 6, 30)) == "2026-06-30"


def test_control_characters_are_made_harmless():
    assert clean("a\tb\nc") == "a b c"
    assert "\x1b" not in clean("\x1b[31mred\x1b[0m")
    assert "\u202e" not in clean("abc\u202etxt")  # turns the reading direction around
    assert clean("Luleå Ω 东京 [x]") == "Luleå Ω 东京 [x]"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("heat_rejection", "Heat rejection"),
        ("cdu_limit", "CDU limit"),
        ("id", "ID"),
        ("it_power", "IT power"),
        ("loading_n1", "Loading N-1"),
        ("nonfirm", "Non-firm"),
    ],
)
def test_label(name, label):
    assert label_of(name) == label


def test_units_in_names():
    assert stem_of("facility_power_mw") == "facility_power"
    assert stem_of("tcs_flow_l_per_min") == "tcs_flow"
    assert stem_of("racks") == "racks"
    assert pretty_unit("degC") == "°C"
    assert pretty_unit("m3/yr") == "m³/yr"
    assert pretty_unit("ft2/MW") == "ft²/MW"
    assert pretty_unit("MW/min") == "MW/min"
    assert pretty_unit("months") == "months"
