"""Values of command-line options: text with units to numbers within a range."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from clusterplan.core.errors import Problem
from clusterplan.core.units import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Callable

Raw = TypeVar("Raw")
Value = TypeVar("Value")


def read_option(
    problems: list[Problem], option: str, raw: Raw | None, parse: Callable[[Raw], Value]
) -> Value | None:
    """The parsed option, None where it is left out; a ValueError becomes one of `problems`."""
    if raw is None:
        return None
    try:
        return parse(raw)
    except ValueError as error:
        problems.append(Problem(str(error), path=option))
        return None


def within(value: float, low: float, high: float, unit: str = "") -> float:
    """The value. Raises ValueError where it is outside `low` to `high`."""
    if not low <= value <= high:
        after = f" {unit}" if unit else ""
        raise ValueError(f"{value:g}{after} is outside {low:g} to {high:g}{after}")
    return value


def service_voltage_kv(text: str) -> float:
    """A service voltage, 2 to 800 kV. Raises ValueError."""
    return within(parse_quantity(text, "voltage"), 2.0, 800.0, "kV")


def short_circuit_level(text: str) -> tuple[float | None, float | None]:
    """A short-circuit level as (MVA, kA), one of them None. Raises ValueError."""
    try:
        level_ka = parse_quantity(text, "current")
    except ValueError:
        level_mva = parse_quantity(text, "apparent_power")
        if level_mva <= 0.0:
            raise ValueError(f"{text!r}: a short-circuit level is above 0") from None
        return level_mva, None
    return None, within(level_ka, 0.5, 100.0, "kA")


def x_over_r_ratio(value: float) -> float:
    """The ratio X/R of the grid, 1 to 100. Raises ValueError."""
    return within(value, 1.0, 100.0)
