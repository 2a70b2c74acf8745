"""Figures as text and as plain values. Rounding happens here, at print, and nowhere else."""

from __future__ import annotations

import math
import unicodedata
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, Any

from clusterplan.core.shown_units import US_UNITS, shown

if TYPE_CHECKING:
    from clusterplan.core.figures import Row

UNKNOWN = "unknown"
_DECIMALS = {"%": 1, "°C": 1, "°F": 1, "K": 1, "°F diff.": 1}
_SIGNIFICANT = 4


def is_number(value: object) -> bool:
    """Whether a value is a figure (a truth value is not)."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_unknown(value: object) -> bool:
    """Whether a value is missing: None, NaN or infinite."""
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def plain(value: Any) -> Any:
    """A value as Python's own type: NumPy scalars and arrays, dates and enumerations unwrapped."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "tolist"):
        return value.tolist()
    return value


def number_text(value: float, unit: str = "", digits: int | None = None) -> str:
    """A figure with thousands separators, rounded for reading.

    Whole numbers stay whole; percent and temperatures have one decimal; everything else four
    significant digits. `digits` fixes the decimals. A figure that is not zero never reads 0.
    """
    if isinstance(value, int):
        return f"{value:,}"
    if value == 0:
        return "0"
    decimals = _DECIMALS.get(unit) if digits is None else digits
    size = abs(value)
    if size >= 1e15 or size < 1e-4:
        return f"{value:.{_SIGNIFICANT - 1}e}"
    if decimals is None:
        if math.isclose(value, round(value), rel_tol=1e-9):
            return f"{value:,.0f}"
        return significant_text(value, _SIGNIFICANT)
    text = f"{value:,.{decimals}f}"
    return text if float(text.replace(",", "")) else significant_text(value, 2)


def significant_text(value: float, significant: int) -> str:
    """A figure with so many significant digits, its whole part never cut, no exponent."""
    exponent = int(f"{value:.{significant - 1}e}".partition("e")[2])
    decimals = max(0, significant - 1 - exponent)
    # no more decimals than the figure has: 0.05 is not 0.05000
    stated = f"{value:.12g}"
    if "e" not in stated:
        decimals = min(decimals, len(stated.partition(".")[2]))
    return f"{value:,.{decimals}f}"


def exact_text(value: Any) -> str:
    """A value for checking by hand: seven significant digits, whole numbers whole."""
    if isinstance(value, float) and math.isfinite(value):
        if value == round(value) and abs(value) < 1e15:
            return f"{value:,.0f}"
        if 1e-4 <= abs(value) < 1e15:
            text = significant_text(value, 7)
            return text.rstrip("0").rstrip(".") if "." in text else text
        return f"{value:.6e}"
    if isinstance(value, tuple | list):
        return "; ".join(exact_text(item) for item in value)
    if isinstance(value, float) and math.isinf(value):
        return "infinite" if value > 0.0 else "-infinite"  # an input without a limit is known
    return value_text(value)


def value_text(value: Any, unit: str = "", digits: int | None = None) -> str:
    """Any value as printed: numbers rounded, None "unknown", truth yes or no, lists joined."""
    if is_unknown(value):
        return UNKNOWN
    if value is True or value is False:
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number_text(value, unit, digits)
    if isinstance(value, dict):
        return "; ".join(f"{name}: {value_text(item)}" for name, item in value.items())
    if isinstance(value, tuple | list):
        return "; ".join(value_text(item, unit, digits) for item in value)
    return clean(str(value))


def converted(row: Row, units: str) -> tuple[Any, str]:
    """Value (unrounded) and unit of a row in `metric` or `us` units."""
    value, unit = row.value, row.unit
    if units == "us" and unit in US_UNITS:
        if isinstance(value, tuple | list):
            return tuple(_shown(item, unit) for item in value), US_UNITS[unit][0]
        return _shown(value, unit), US_UNITS[unit][0]
    return value, unit


def _shown(value: Any, unit: str) -> Any:
    return shown(value, unit, "us")[0] if is_number(value) and not is_unknown(value) else value


def printed(row: Row, units: str) -> tuple[str, str]:
    """Text and unit of a row as printed. The field's own `digits` hold in its own unit."""
    value, unit = converted(row, units)
    if isinstance(value, int) and (row.name == "year" or row.name.endswith("price_year")):
        return str(value), unit  # a year of the calendar has no thousands
    digits = row.info.digits if unit == row.unit else None
    return value_text(value, unit, digits), unit


def clean(text: str) -> str:
    """User text on one line and without control characters (an escape code stays harmless)."""
    if text.isprintable():
        return text
    return "".join(_harmless(char) for char in text)


def _harmless(char: str) -> str:
    if char in "\t\n\r\v\f\u2028\u2029":
        return " "
    if char.isprintable() or char in "\u200c\u200d\u00a0" or unicodedata.category(char) == "Zs":
        return char
    return "\N{REPLACEMENT CHARACTER}"
