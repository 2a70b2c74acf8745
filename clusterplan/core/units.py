"""Units as a user writes them: an allow-list of spellings per dimension, and conversion.

pint stays the authority (a test compares every spelling with it) but off the hot path: it misreads
several spellings of this field (Gb/s, TR, mW, MVA as MW), so only what is listed here is accepted.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from dataclasses import dataclass

ACRE_M2 = 4046.8564224
GAL_L = 3.785411784
_YEAR_D = 365.0  # a planning year of 8,760 h
_MONTH_D = 30.4375
_TR_MW = 12000 * 1055.05585262 / 3600 / 1e6  # ton of refrigeration: 12,000 BTU(IT)/h


@dataclass(frozen=True, eq=False, repr=False)
class Dimension:
    """A kind of quantity: its unit inside the program and the accepted spellings.

    `spellings` maps a spelling to (factor, offset): canonical = value * factor + offset.
    """

    name: str
    unit: str
    example: str
    spellings: dict[str, tuple[float, float]]


def _scale(**factors: float) -> dict[str, tuple[float, float]]:
    return {name: (factor, 0.0) for name, factor in factors.items()}


def _table(factors: dict[str, float]) -> dict[str, tuple[float, float]]:
    return _scale(**factors)


_FLOW_L_PER_MIN = {
    "L/min": 1.0,
    "l/min": 1.0,
    "LPM": 1.0,
    "lpm": 1.0,
    "L/s": 60.0,
    "l/s": 60.0,
    "m3/h": 1000.0 / 60.0,
    "m3/s": 60000.0,
    "m3/d": 1000.0 / 1440.0,
    "m3/day": 1000.0 / 1440.0,
    "gpm": GAL_L,
    "gal/min": GAL_L,
    "MGD": GAL_L * 1e6 / 1440.0,
}
_LENGTH_M = {
    "mm": 1e-3,
    "cm": 1e-2,
    "m": 1.0,
    "km": 1e3,
    "in": 0.0254,
    "ft": 0.3048,
    "mi": 1609.344,
    "mile": 1609.344,
    "miles": 1609.344,
}
_AREA_M2 = {
    "m2": 1.0,
    "ft2": 0.3048**2,
    "ha": 1e4,
    "km2": 1e6,
    "acre": ACRE_M2,
    "acres": ACRE_M2,
}
_VOLUME_M3 = {
    "L": 1e-3,
    "l": 1e-3,
    "m3": 1.0,
    "ML": 1e3,
    "gal": GAL_L * 1e-3,
    "Mgal": GAL_L * 1e3,
    "acre-ft": ACRE_M2 * 0.3048,
}
_DURATION_S = {
    "ms": 1e-3,
    "s": 1.0,
    "min": 60.0,
    "h": 3600.0,
    "hr": 3600.0,
    "hour": 3600.0,
    "hours": 3600.0,
    "d": 86400.0,
    "day": 86400.0,
    "days": 86400.0,
    "week": 604800.0,
    "weeks": 604800.0,
    "month": _MONTH_D * 86400.0,
    "months": _MONTH_D * 86400.0,
    "year": _YEAR_D * 86400.0,
    "years": _YEAR_D * 86400.0,
    "yr": _YEAR_D * 86400.0,
}


def _per(factors: dict[str, float], scale: float) -> dict[str, float]:
    return {name: factor / scale for name, factor in factors.items()}


def _annual_m3() -> dict[str, float]:
    table: dict[str, float] = {}
    for name, factor in _VOLUME_M3.items():
        table[f"{name}/yr"] = table[f"{name}/year"] = factor
        table[f"{name}/d"] = table[f"{name}/day"] = factor * _YEAR_D
    table["MGD"] = _VOLUME_M3["Mgal"] * _YEAR_D
    return table


DIMENSIONS: dict[str, Dimension] = {
    item.name: item
    for item in (
        Dimension("power", "MW", "300 MW", _scale(W=1e-6, kW=1e-3, MW=1.0, GW=1e3, TR=_TR_MW)),
        Dimension("apparent_power", "MVA", "150 MVA", _scale(kVA=1e-3, MVA=1.0, GVA=1e3)),
        Dimension(
            "reactive_power", "Mvar", "20 Mvar", _scale(kvar=1e-3, Mvar=1.0, kVAr=1e-3, MVAr=1.0)
        ),
        Dimension(
            "energy",
            "MWh",
            "400 MWh",
            _scale(kWh=1e-3, MWh=1.0, GWh=1e3, kJ=1 / 3.6e6, MJ=1 / 3600.0, GJ=1 / 3.6),
        ),
        Dimension("voltage", "kV", "345 kV", _scale(V=1e-3, kV=1.0)),
        Dimension(  # three-phase low voltage: which of the two must be said
            "line_voltage",
            "V L-L",
            "415 V L-L",
            _table({"V L-L": 1.0, "kV L-L": 1e3, "V L-N": math.sqrt(3.0)}),
        ),
        Dimension("current", "kA", "40 kA", _scale(A=1e-3, kA=1.0)),
        Dimension(
            "temperature",
            "degC",
            "45 degC",
            {
                "degC": (1.0, 0.0),
                "°C": (1.0, 0.0),
                "C": (1.0, 0.0),
                "degF": (5 / 9, -160 / 9),
                "°F": (5 / 9, -160 / 9),
                "F": (5 / 9, -160 / 9),
            },
        ),
        Dimension(
            "temperature_difference",
            "K",
            "10 K",
            _table({"K": 1.0, "delta_degC": 1.0, "delta_degF": 5 / 9}),
        ),
        Dimension("flow", "L/min", "1200 L/min", _table(_FLOW_L_PER_MIN)),
        Dimension(
            "flow_per_power",
            "L/min/kW",
            "1.5 L/min/kW",
            _table({"L/min/kW": 1.0, "l/min/kW": 1.0, "gpm/kW": GAL_L, "L/s/MW": 0.06}),
        ),
        Dimension(
            "air_flow_per_power",
            "CFM/kW",
            "110 CFM/kW",
            _table({"CFM/kW": 1.0, "cfm/kW": 1.0, "m3/h/kW": 1.0 / (0.3048**3 * 60.0)}),
        ),
        Dimension("water_rate", "L/s", "20 L/s", _table(_per(_FLOW_L_PER_MIN, 60.0))),
        Dimension("water_volume_per_year", "m3/yr", "500 acre-ft/yr", _table(_annual_m3())),
        Dimension(
            "pressure",
            "kPa",
            "250 kPa",
            _table({"Pa": 1e-3, "kPa": 1.0, "MPa": 1e3, "bar": 100.0, "psi": 6.894757293168361}),
        ),
        Dimension("length", "m", "2.7 m", _table(_LENGTH_M)),
        Dimension("area", "m2", "500 m2", _table(_AREA_M2)),
        Dimension("land_area", "acre", "1100 acre", _table(_per(_AREA_M2, ACRE_M2))),
        Dimension("volume", "m3", "130 m3", _table(_VOLUME_M3)),
        Dimension("mass", "kg", "1580 kg", _table({"kg": 1.0, "t": 1e3, "lb": 0.45359237})),
        Dimension(
            "ramp",
            "MW/min",
            "20 MW/min",
            _table({"kW/s": 0.06, "MW/s": 60.0, "kW/min": 1e-3, "MW/min": 1.0, "GW/min": 1e3}),
        ),
        Dimension(
            "data_rate",
            "Gb/s",
            "400 Gb/s",
            _table({"Mb/s": 1e-3, "Gb/s": 1.0, "Tb/s": 1e3, "Gbit/s": 1.0, "Tbit/s": 1e3}),
        ),
        Dimension("duration", "s", "15 min", _table(_DURATION_S)),
        Dimension("months", "month", "24 months", _table(_per(_DURATION_S, _MONTH_D * 86400.0))),
        Dimension("years", "yr", "15 years", _table(_per(_DURATION_S, _YEAR_D * 86400.0))),
        Dimension("hours", "h", "200 h", _table(_per(_DURATION_S, 3600.0))),
        Dimension("frequency", "Hz", "60 Hz", _table({"Hz": 1.0})),
        Dimension(
            "floor_load", "kPa", "12 kPa", _table({"Pa": 1e-3, "kPa": 1.0, "psf": 0.04788025898})
        ),
        Dimension("pressure_gradient", "Pa/m", "400 Pa/m", _table({"Pa/m": 1.0, "kPa/m": 1e3})),
        Dimension("speed", "m/s", "40 m/s", _table({"m/s": 1.0, "km/h": 1 / 3.6, "mph": 0.44704})),
        Dimension("acceleration", "g", "0.2 g", _table({"g": 1.0})),
        Dimension(
            "area_per_power", "m2/MW", "60 m2/MW", _table({"m2/MW": 1.0, "ft2/MW": 0.3048**2})
        ),
        Dimension(
            "energy_price",
            "USD/MWh",
            "45 USD/MWh",
            _table({"USD/MWh": 1.0, "USD/kWh": 1e3}),
        ),
        Dimension(
            "demand_price",
            "USD/kW-month",
            "12 USD/kW-month",
            _table({"USD/kW-month": 1.0, "USD/kW-mo": 1.0, "USD/MW-month": 1e-3}),
        ),
        Dimension(
            "land_price",
            "USD/acre",
            "8000 USD/acre",
            _table({"USD/acre": 1.0, "USD/ha": ACRE_M2 / 1e4, "USD/m2": ACRE_M2}),
        ),
        Dimension(
            "cost", "MUSD", "12 MUSD", _table({"USD": 1e-6, "kUSD": 1e-3, "MUSD": 1.0, "BUSD": 1e3})
        ),
        Dimension(
            "security_price", "USD/MW", "50000 USD/MW", _table({"USD/MW": 1.0, "USD/kW": 1e3})
        ),
        Dimension(
            "heat_rate",
            "BTU/kWh",
            "6400 BTU/kWh",
            _table({"BTU/kWh": 1.0, "MMBtu/MWh": 1e3, "kJ/kWh": 1 / 1.05505585262}),
        ),
        Dimension("gas_rate", "MMBtu/day", "90000 MMBtu/day", _table({"MMBtu/day": 1.0})),
        Dimension("energy_per_accelerator", "J", "65 J", _table({"J": 1.0, "kJ": 1e3})),
    )
}

_NUMBER = re.compile(r"^\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(.*?)\s*$")
_LONGEST = 60  # characters of the user's text that a message repeats


def plain_text(text: str) -> str:
    """The text with the typographic forms of data sheets spelled plainly.

    "m²" is read as m2, "℃" as °C, a no-break space as a space and the minus sign U+2212 as "-".
    """
    return text if text.isascii() else unicodedata.normalize("NFKC", text).replace("\u2212", "-")


def seen(value: object) -> str:
    """What the user wrote, short enough for a message."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def parse_quantity(text: object, dimension: str, unit: str | None = None) -> float:
    """The value of a quantity as a user writes it, in `unit` or else the dimension's own.

    text: "300 MW"; dimension: a key of `DIMENSIONS`; unit: one of its spellings. Raises ValueError
    whose text says what is wrong and what would be right: a bare number, an unknown unit, one of
    another dimension, a figure that is not finite.
    """
    entry = DIMENSIONS[dimension]
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise ValueError(f'a quantity such as "{entry.example}" is due here, not {seen(text)}')
    if not isinstance(text, str):
        if not _is_finite(text):
            raise ValueError(f'{text} is not finite; write a quantity such as "{entry.example}"')
        raise ValueError(_no_unit(str(text), unit or entry.unit))
    plain = plain_text(text)
    match = _NUMBER.match(plain)
    if match is None:
        raise ValueError(f'cannot read {seen(text)}; write a number and a unit, "{entry.example}"')
    number, spelling = match.groups()
    if spelling[:1] in (",", "_"):
        joined = plain.replace(spelling[0], "").strip()
        raise ValueError(f'{seen(text)} has a "{spelling[0]}"; write it without, "{joined}"')
    if not spelling:
        raise ValueError(_no_unit(number, unit or entry.unit))
    scale = entry.spellings.get(spelling)
    if scale is None:
        raise ValueError(_wrong_unit(number, spelling, entry))
    value = _converted(float(number), scale, entry, spelling, unit)
    if not math.isfinite(value):
        raise ValueError(f"{seen(text)} is not finite")
    return value


def _no_unit(number: str, unit: str) -> str:
    """Show the fix; a bare temperature may be in either scale, so both are shown."""
    other = f' or "{number} degF"' if unit == "degC" else ""
    return f'{number} has no unit; write "{number} {unit}"{other}'


def _converted(
    number: float, scale: tuple[float, float], entry: Dimension, spelling: str, unit: str | None
) -> float:
    if unit is None or unit == entry.unit:
        return number * scale[0] + scale[1]
    if unit == spelling:
        return number  # as written, free of rounding
    factor, offset = entry.spellings[unit]
    return (number * scale[0] + scale[1] - offset) / factor


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an integer beyond the largest float
        return False


def _wrong_unit(number: str, spelling: str, entry: Dimension) -> str:
    spelling = spelling if len(spelling) <= _LONGEST else f"{spelling[:_LONGEST]}..."
    others = [d.name for d in DIMENSIONS.values() if spelling in d.spellings]
    if others:
        text = f'"{number} {spelling}" is {_words(others[0])}; {_words(entry.name)} is due here'
        if {entry.name, others[0]} == {"power", "apparent_power"}:
            text += " (MVA times power factor is MW; state both, never one for the other)"
        return f'{text}, as "{entry.example}"'
    near = difflib.get_close_matches(spelling, entry.spellings, n=1, cutoff=0.5)
    lower = [name for name in entry.spellings if name.lower() == spelling.lower()]
    hint = (lower or near or [entry.unit])[0]
    shown = spelling if spelling.isprintable() else ascii(spelling)[1:-1]
    return f'unknown unit "{shown}"; did you mean "{number} {hint}"?'


def _words(name: str) -> str:
    return name.replace("_", " ")


def parse_fraction(text: object) -> float:
    """A fraction as number (0.95) or percent ("95 %"). Raises ValueError for anything else."""
    wrong = f'a fraction such as 0.95 or "95 %" is due here, not {seen(text)}'
    if isinstance(text, str):
        match = _NUMBER.match(plain_text(text))
        if match is None or match.group(2) not in ("", "%"):
            raise ValueError(wrong)
        value = float(match.group(1)) / (100.0 if match.group(2) else 1.0)
    elif isinstance(text, bool) or not isinstance(text, int | float) or not _is_finite(text):
        raise ValueError(wrong)
    else:
        value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{seen(text)} is not finite")
    return value


def parse_share(text: object) -> tuple[str, float]:
    """A power, or a share of compute: ("mw", 2.0) from "2 MW", ("fraction", 0.03) from "3 %".

    Raises ValueError for anything else, for less than nothing and for more than all of compute;
    0 alone is the fraction 0.
    """
    if isinstance(text, str) and "%" not in text and _NUMBER.match(plain_text(text)):
        kind, value = "mw", parse_quantity(text, "power")
    else:
        try:
            kind, value = "fraction", parse_fraction(text)
        except ValueError:
            raise ValueError(
                'a power such as "2 MW" or a percent of compute such as "3 %" is due, '
                f"not {seen(text)}"
            ) from None
    if value < 0.0:
        raise ValueError(f"{seen(text)} is below nothing")
    if kind == "fraction" and value > 1.0:
        raise ValueError(
            f'{seen(text)} is {value:.0%} of compute; write a power, "{text} MW", or "{text} %"'
        )
    return (kind, value)
