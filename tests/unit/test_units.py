"""Units: every accepted spelling against pint, which stays the authority, and what is refused."""

from __future__ import annotations

import math

import pint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.shown_units import SUFFIX_UNITS, US_UNITS, shown, unit_of
from clusterplan.core.units import (
    DIMENSIONS,
    parse_fraction,
    parse_quantity,
    parse_share,
    plain_text,
)

UREG: pint.UnitRegistry = pint.UnitRegistry()
UREG.define("USD = [currency]")

# Spellings that pint 0.25 does not know, or reads as something else, with what is meant.
MEANT = {
    "C": "degC",  # pint: coulomb
    "F": "degF",  # pint: farad
    "TR": "ton_of_refrigeration",  # pint: tera molar gas constant
    # pint: not defined
    "V L-L": "volt",
    "kV L-L": "kilovolt",
    "V L-N": "3**0.5 * volt",
    "kvar": "kilovolt_ampere",
    "Mvar": "megavolt_ampere",
    "kVAr": "kilovolt_ampere",
    "MVAr": "megavolt_ampere",
    "gpm": "gallon/minute",
    "gpm/kW": "gallon/minute/kW",
    "LPM": "liter/minute",
    "lpm": "liter/minute",
    "MGD": "1e6 gallon/day",
    "CFM/kW": "foot**3/minute/kW",
    "cfm/kW": "foot**3/minute/kW",  # pint: centifermi
    "psf": "force_pound/foot**2",
    "BUSD": "1e9 USD",
    "MMBtu/day": "1e6 Btu/day",
    "MMBtu/MWh": "1e6 Btu/MWh",
    # pint: powers need **, and "-" subtracts
    "m3": "meter**3",
    "m2": "meter**2",
    "ft2": "foot**2",
    "km2": "kilometer**2",
    "USD/m2": "USD/meter**2",
    "m2/MW": "meter**2/MW",
    "ft2/MW": "foot**2/MW",
    "m3/h/kW": "meter**3/hour/kW",
    "acre-ft": "acre*foot",
    "USD/kW-month": "USD/kW/month",
    "USD/kW-mo": "USD/kW/month",
    "USD/MW-month": "USD/MW/month",
    # pint: megabarn, gilbert and terabarn a second
    "Mb/s": "1e6 bit/second",
    "Gb/s": "1e9 bit/second",
    "Tb/s": "1e12 bit/second",
    # pint: a year has 365.25 days; a planning year has 8,760 h
    "year": "8760 hour",
    "years": "8760 hour",
    "yr": "8760 hour",
    "g": "standard_gravity",  # pint: gram
}
PER = {"d": "day", "day": "day", "yr": "(8760 hour)", "year": "(8760 hour)", "h": "hour"}


def expression(spelling: str) -> str:
    """What pint is to read for a spelling."""
    if spelling in MEANT:
        return MEANT[spelling]
    volume, slash, time = spelling.partition("/")
    if slash and time in PER:
        return f"{MEANT.get(volume, volume)}/{PER[time]}"
    return spelling.replace("m3", "meter**3")


# Relative tolerance where pint rounds: its BTU is 1055.056 J (the table's 1055.05585262), its ton
# of refrigeration follows it, and its acre is one of survey feet (4 ppm larger).
TOLERANCE = {"TR": 1e-6, "heat_rate": 1e-6, "gas_rate": 1e-6, "acre": 1e-5, "psf": 1e-8}


def tolerance(dimension: str, spelling: str) -> float:
    if "acre" in spelling or dimension.startswith("land"):
        return TOLERANCE["acre"]
    return TOLERANCE.get(spelling, TOLERANCE.get(dimension, 1e-9))


SPELLINGS = [
    pytest.param(name, spelling, id=f"{name}-{spelling}")
    for name, entry in DIMENSIONS.items()
    for spelling in entry.spellings
]


@pytest.mark.parametrize(("dimension", "spelling"), SPELLINGS)
def test_spelling_agrees_with_pint(dimension: str, spelling: str) -> None:
    entry = DIMENSIONS[dimension]
    if dimension == "temperature":
        expected = UREG.Quantity(7.0, expression(spelling)).to("degC").magnitude
    else:
        quantity = UREG.Quantity(7.0) * UREG.parse_expression(expression(spelling))
        target = UREG.parse_expression(expression(entry.unit))
        expected = (quantity / target).to("dimensionless").magnitude
    got = parse_quantity(f"7 {spelling}", dimension)
    assert got == pytest.approx(expected, rel=tolerance(dimension, spelling))


def test_pint_alone_would_take_mva_for_mw() -> None:
    # reference case: pint 0.25 says 100 MVA = 100 MW without complaint; the table must not
    assert UREG.Quantity(100, "megavolt_ampere").to("megawatt").magnitude == pytest.approx(100)
    with pytest.raises(ValueError, match="apparent power"):
        parse_quantity("100 MVA", "power")
    with pytest.raises(ValueError, match="is power; apparent power is due"):
        parse_quantity("100 MW", "apparent_power")


# 1 acre = 4,046.856 m2, 1 US gal = 3.785411784 L, 1 acre-ft = 1,233.48 m3 (NIST SP 811, appendix B)
@pytest.mark.parametrize(
    ("text", "dimension", "unit", "expected", "rel"),
    [
        ("300 kW", "power", "MW", 0.3, 0.0),
        ("1.2GW", "power", "MW", 1200.0, 1e-15),
        ("142 kW", "power", "kW", 142.0, 0.0),
        ("0.142 MW", "power", "kW", 142.0, 1e-12),
        ("113 degF", "temperature", None, 45.0, 1e-12),
        ("-40 degF", "temperature", None, -40.0, 1e-12),
        ("15 delta_degF", "temperature_difference", None, 8.3333333, 1e-7),
        ("1100 acre", "area", "m2", 4.4515e6, 1e-4),
        ("500 acre-ft/yr", "water_volume_per_year", None, 616_740.0, 1e-5),
        ("1 MGD", "water_volume_per_year", None, 3785.411784 * 365, 1e-12),
        ("100 gpm", "water_rate", "L/s", 6.30902, 1e-6),
        ("1 TR", "power", "kW", 3.516853, 1e-6),
        ("5 miles", "length", "km", 8.04672, 1e-12),
        ("3 kA", "current", "A", 3000.0, 1e-12),
        ("24 h", "duration", "h", 24.0, 0.0),
        ("2 years", "months", None, 2 * 365 / 30.4375, 1e-12),
        ("0.05 mm", "length", "mm", 0.05, 0.0),
        ("20 m²", "area", None, 20.0, 0.0),
        ("20 ℃", "temperature", None, 20.0, 0.0),
        ("300\u00a0MW", "power", None, 300.0, 0.0),
        ("\u22125 degC", "temperature", None, -5.0, 0.0),
        ("+1.5e2 MW", "power", None, 150.0, 0.0),
        (".5 MW", "power", None, 0.5, 0.0),
    ],
)
def test_quantities(
    text: str, dimension: str, unit: str | None, expected: float, rel: float
) -> None:
    assert parse_quantity(text, dimension, unit) == pytest.approx(expected, rel=rel, abs=0.0)


@pytest.mark.parametrize(
    ("value", "dimension", "says"),
    [
        (300, "power", '300 has no unit; write "300 MW"'),
        ("300", "power", 'write "300 MW"'),
        (True, "power", "not True"),
        (None, "power", "not None"),
        ([1], "power", "not \\[1\\]"),
        ("MW", "power", "write a number and a unit"),
        ("300 mW", "power", 'did you mean "300 MW"'),
        ("300 Mw", "power", 'did you mean "300 MW"'),
        ("300 megawatt", "power", "unknown unit"),
        ("1,200 MW", "power", 'write it without, "1200 MW"'),
        ("1_200 MW", "power", 'write it without, "1200 MW"'),
        ("1e999 MW", "power", "not finite"),
        (10**400, "power", "not finite"),
        (float("nan"), "power", "not finite"),
        ("nan MW", "power", "cannot read"),
        ("10 degC", "temperature_difference", "is temperature; temperature difference is due"),
        ("10 K", "temperature", "is temperature difference; temperature is due"),
        ("400 GB/s", "data_rate", "unknown unit"),
        ("68", "temperature", "no unit"),
        ("٣ MW", "power", None),
        ("1013.25 hPa", "pressure", "unknown unit"),
    ],
)
def test_what_is_refused(value: object, dimension: str, says: str | None) -> None:
    with pytest.raises(ValueError, match=says):
        parse_quantity(value, dimension)


def test_a_long_text_is_cut_in_the_message() -> None:
    with pytest.raises(ValueError, match="unknown unit") as error:
        parse_quantity("5 " + "x" * 10_000, "power")
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("value", "expected"), [(0.95, 0.95), ("95 %", 0.95), ("95%", 0.95), (1, 1.0), ("0.4", 0.4)]
)
def test_fractions(value: object, expected: float) -> None:
    assert parse_fraction(value) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("value", [True, None, "x", "95 MW", math.nan, math.inf, "1e999", 10**400])
def test_bad_fractions(value: object) -> None:
    with pytest.raises(ValueError, match="fraction|finite"):
        parse_fraction(value)


def test_shares() -> None:
    assert parse_share("2 MW") == ("mw", 2.0)
    assert parse_share("500 kW") == ("mw", 0.5)
    assert parse_share("3 %") == ("fraction", 0.03)
    assert parse_share(0) == ("fraction", 0.0)
    assert parse_share(0.05) == ("fraction", 0.05)


@pytest.mark.parametrize("value", [3, "-1 %", "-2 MW", "2 MVA", True, math.nan, "x", "150 %", "2"])
def test_bad_shares(value: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_share(value)


@settings(max_examples=200, deadline=None)
@given(value=st.floats(1e-6, 1e9), power=st.sampled_from(["W", "kW", "MW", "GW"]))
def test_power_does_not_depend_on_its_spelling(value: float, power: str) -> None:
    scale = {"W": 1e6, "kW": 1e3, "MW": 1.0, "GW": 1e-3}[power]
    assert parse_quantity(f"{value * scale!r} {power}", "power") == pytest.approx(value, rel=1e-12)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), value=st.floats(-1e6, 1e6))
def test_round_trip_through_any_spelling(data: st.DataObject, value: float) -> None:
    entry = DIMENSIONS[data.draw(st.sampled_from(sorted(DIMENSIONS)))]
    spelling = data.draw(st.sampled_from(sorted(entry.spellings)))
    factor, offset = entry.spellings[spelling]
    there = (value - offset) / factor
    assert parse_quantity(f"{there!r} {spelling}", entry.name) == pytest.approx(
        value, rel=1e-9, abs=1e-6
    )


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=20))
def test_any_text_is_read_or_refused_with_words(text: str) -> None:
    for dimension in ("power", "temperature", "land_area"):
        try:
            assert math.isfinite(parse_quantity(text, dimension))
        except ValueError as error:
            assert str(error)  # noqa: PT017


def test_plain_text_leaves_ascii_alone() -> None:
    assert plain_text("5 m2") == "5 m2"
    assert plain_text("5 m³/h") == "5 m3/h"


def test_units_in_names() -> None:
    for suffix, unit in SUFFIX_UNITS.items():
        assert unit_of(f"x{suffix}") == unit
    assert unit_of("racks") == ""
    assert unit_of("tcs_flow_l_per_min") == "L/min"


# exact by definition: 1 in = 25.4 mm, 1 lb = 0.45359237 kg, 1 US gal = 231 in3
@pytest.mark.parametrize(
    ("value", "unit", "expected", "name"),
    [
        (100.0, "°C", 212.0, "°F"),
        (10.0, "K", 18.0, "°F diff."),
        (3.785411784, "L/min", 1.0, "gpm"),
        (0.3048, "m", 1.0, "ft"),
        (6.894757293168361, "kPa", 1.0, "psi"),
        (1233.48183754752, "m³/yr", 1.0, "acre-ft/yr"),
        (50.0, "MW", 50.0, "MW"),
    ],
)
def test_us_units(value: float, unit: str, expected: float, name: str) -> None:
    assert shown(value, unit, "us") == (pytest.approx(expected), name)
    assert shown(value, unit) == (value, unit)


def test_us_units_replace_known_units_only() -> None:
    assert set(US_UNITS) <= set(SUFFIX_UNITS.values())


def test_a_minimum_is_not_a_minute() -> None:
    assert unit_of("power_factor_min") == ""
    assert unit_of("flow_l_per_min") == "L/min"
    assert unit_of("notice_minutes") == "min"


def test_a_control_character_in_a_unit_is_shown_escaped():
    with pytest.raises(ValueError, match=r'unknown unit "\\x1b"'):
        parse_quantity("1 \x1b", "power")
