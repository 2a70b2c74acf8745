"""Calculation sheets as text: for the terminal and for Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan.core.shown_units import US_UNITS, shown
from clusterplan.reporting.layout import NBSP, Line, paragraph
from clusterplan.reporting.numbers import clean, exact_text, is_number
from clusterplan.reporting.sheets import GIVEN

if TYPE_CHECKING:
    from clusterplan.reporting.sheets import Input, Result, Sheet

_LONG = 150  # the blocks of a plan are shown one by one, the draws of a date are not


def sheet_lines(sheet: Sheet, width: int, units: str = "metric") -> list[Line]:
    """A sheet for the terminal. Equations are in metric units; results also in `us` if asked."""
    lines: list[Line] = [[("", "")]]
    lines += paragraph(clean(sheet.title), width, style="bold")
    if sheet.equation:
        lines += paragraph(equation_text(sheet), width, lead="    ")
    for item in sheet.inputs:
        lines += paragraph(input_text(item), width, lead="      ")
    for result in sheet.results:
        lines += paragraph(result_text(result, units), width, lead="    ")
    lines += paragraph(source_text(sheet), width, style="dim", lead="    ")
    return lines


def equation_text(sheet: Sheet) -> str:
    """The equation, its left side the formula's name; empty for a given figure."""
    return f"{sheet.formula} = {sheet.equation}" if sheet.equation else ""


def input_text(item: Input) -> str:
    """An input with its value, unit and origin."""
    text = NBSP.join(part for part in (_input_value(item.value), item.unit) if part)
    origin = f"   ({clean(item.origin)})" if item.origin else ""
    return f"{item.name} = {text}{origin}"


def _input_value(value: Any) -> str:
    """A value for checking by hand; of a long row of draws their number and their ends."""
    if isinstance(value, tuple | list) and len(value) > _LONG and all(map(is_number, value)):
        return f"{len(value):,} values, {exact_text(min(value))} to {exact_text(max(value))}"
    return exact_text(value)


def result_text(result: Result, units: str = "metric") -> str:
    """A result with its path, value and unit, in US units behind where they are asked for."""
    text = NBSP.join(part for part in (exact_text(result.value), result.unit) if part)
    if units == "us" and result.unit in US_UNITS and is_number(result.value):
        value, unit = shown(result.value, result.unit, "us")
        text = f"{text} ({exact_text(value)}{NBSP}{unit})"
    label = f"{result.path} ({result.label})" if result.path else result.label
    return f"{clean(label)} = {text}"


def source_text(sheet: Sheet) -> str:
    """Where the formula or the given figure comes from."""
    kind = "Given" if sheet.formula == GIVEN else "Source"
    doubt = " (not verified)" if sheet.verified == "false" else ""
    source = clean(sheet.source)
    if " " not in source:  # ids of catalogue sources
        source = source.replace(";", "; ")
    return f"{kind}: {source}{doubt}"
