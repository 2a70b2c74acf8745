"""An hourly year as a table of columns, whatever form it was written in."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.inputs.weather_calendar import FEBRUARY_29_H, hour_of_year

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_PROBLEMS = 5


class Design(NamedTuple):
    """Design conditions of an EPW header (ASHRAE), in degC."""

    edition: str
    db_0p4_c: float
    mcwb_0p4_c: float
    wb_0p4_c: float
    db_n20_c: float
    heating_99p6_c: float


class Scale(NamedTuple):
    """How a written figure becomes the table's: value x factor + offset; and its own unit."""

    factor: float
    offset: float
    unit: str

    def back(self, value: float | None) -> float:
        """The figure as it was written."""
        return ((value or 0.0) - self.offset) / self.factor


@dataclass(kw_only=True, eq=False, repr=False)
class Table:
    """Columns by name (degC, %, kPa), None where missing; stamps count hours from 1 January."""

    file: str
    kind: str
    columns: dict[str, list[float | None]]
    headings: dict[str, str]
    lines: list[int]
    stamps: list[int] | None = None
    leap: bool = False
    scale: dict[str, Scale] = field(default_factory=dict)
    station: str = ""
    latitude_deg: float | None = None
    longitude_deg: float | None = None
    elevation_m: float | None = None
    design: Design | None = None


CELSIUS, PASCAL = Scale(1.0, 0.0, "degC"), Scale(0.001, 0.0, "Pa")
FAHRENHEIT = Scale(5.0 / 9.0, -160.0 / 9.0, "degF")
HECTOPASCAL, KILOPASCAL = Scale(0.1, 0.0, "hPa"), Scale(1.0, 0.0, "kPa")
PERCENT, FRACTION = Scale(1.0, 0.0, "%"), Scale(100.0, 0.0, "(fraction)")


class Cells(NamedTuple):
    """Columns to read: place in the row, name, heading, scale, and which values are missing."""

    place: int
    name: str
    heading: str
    scale: Scale
    missing: tuple[float, float]


def stop(file: str, line: int, message: str, path: str = "", hint: str | None = None) -> InputError:
    """The error of one line."""
    return InputError(Problem(message, file, line, path or None, hint))


def number_of(text: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _not_a_number(text: str) -> tuple[str, str | None]:
    word = text.strip()
    if re.fullmatch(r"-?\d+,\d+", word):
        return f'"{word}" has a decimal comma', f"write {word.replace(',', '.')}"
    if not word:
        return "is empty", "a number is due"
    return f'"{word[:20]}" is not a number', None


def read_cells(
    file: str, rows: Sequence[tuple[int, list[str]]], cells: Sequence[Cells]
) -> dict[str, list[float | None]]:
    """Columns as numbers; missing values are None. Raises InputError, a few problems at once."""
    problems: list[Problem] = []
    columns: dict[str, list[float | None]] = {}
    for place, name, heading, scale, missing in cells:
        low, high = missing
        factor, offset, _ = scale
        values: list[float | None] = []
        for line, row in rows:
            text = row[place]
            value = number_of(text)
            if value is None:
                if text.strip():
                    message, hint = _not_a_number(text)
                    problems.append(Problem(message, file, line, heading, hint))
                    break
                values.append(None)
            elif low <= value <= high:
                values.append(None)
            else:
                values.append(value * factor + offset)
        columns[name] = values
    if problems:
        raise InputError(problems[:_MOST_PROBLEMS])
    return columns


EMPTY = (math.inf, -math.inf)  # no number stands for a missing one: an empty cell does


def checked_place(
    file: str, line: int, latitude: float, longitude: float, elevation: float
) -> tuple[float, float, float]:
    """Latitude, longitude and elevation, or InputError where they cannot be."""
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180 and -500 <= elevation <= 6000):
        raise stop(
            file,
            line,
            f"latitude {latitude:g}, longitude {longitude:g}, elevation {elevation:g} m cannot be",
            hint="degrees and metres are due",
        )
    return latitude, longitude, elevation


def stamp_of(file: str, line: int, month: str, day: str, hour: str, first_hour: int) -> int:
    """Hours since 1 January of a leap calendar; hours of a day count from `first_hour`."""
    try:
        return hour_of_year(int(month), int(day), int(float(hour)) - first_hour)
    except ValueError:
        raise stop(
            file, line, f"month {month}, day {day}, hour {hour} is no hour of a year", "time"
        ) from None


def without_leap_day(stamps: list[int]) -> tuple[list[int], bool]:
    """Hours since 1 January, and whether 29 February is among them."""
    end = FEBRUARY_29_H + 24
    if any(FEBRUARY_29_H <= stamp < end for stamp in stamps):
        return stamps, True
    return [stamp - 24 if stamp >= end else stamp for stamp in stamps], False


def csv_rows(
    file: str, lines: list[str], start: int, delimiter: str, width: int
) -> list[tuple[int, list[str]]]:
    """Rows with their lines, all of the header's width."""
    rows = []
    for line, text in enumerate(lines[start:], start=start + 1):
        if not text.strip():
            continue
        row = text.split(delimiter) if '"' not in text else next(csv.reader([text]))
        if len(row) != width:
            hint = "a decimal comma?" if len(row) > width and delimiter == "," else None
            raise stop(file, line, f"has {len(row)} fields; the header has {width}", hint=hint)
        rows.append((line, row))
    if not rows:
        raise stop(file, start, "has no hours after its header")
    return rows
