"""Hourly weather that a user names: EPW, TMY3 CSV, or a plain CSV with declared columns.

What is wrong raises InputError with file and line: encodings, units, swapped columns, missing or
repeated hours. Short gaps of missing values are filled and said; long ones are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.frozen import frozen
from clusterplan.inputs.text_file import read_text
from clusterplan.inputs.weather_calendar import label, sequence_problems
from clusterplan.inputs.weather_formats import parse_table

if TYPE_CHECKING:
    from pathlib import Path

    from clusterplan.inputs.weather_table import Design, Table

MOST_BYTES = 30_000_000
LONGEST_GAP_H = 6
MOST_FILLED_H = 88  # 1 % of a year
_DEW_OVER_DRY_K = 1.0  # more than rounding of both
_FEW = 3


@frozen
class WeatherFile:
    """One year of hours. Humidity is given by at least one of the three; pressure may be unknown.

    A dew point is None in hours in which only the relative humidity is known. `filled` names the
    hours whose values were interpolated, in words.
    """

    file: str
    kind: str
    station: str
    latitude_deg: float | None
    longitude_deg: float | None
    elevation_m: float | None
    dry_bulb_c: tuple[float, ...]
    dew_point_c: tuple[float | None, ...] | None
    relative_humidity_percent: tuple[float | None, ...] | None
    wet_bulb_c: tuple[float | None, ...] | None
    pressure_kpa: tuple[float, ...] | None
    lines: tuple[int, ...]
    labels: tuple[str, ...]
    filled: tuple[str, ...]
    design: Design | None


@dataclass(frozen=True)
class _Column:
    """What a column may hold, in its unit, and what a value beyond it usually is."""

    words: str
    unit: str
    low: float
    high: float
    hint: str


_COLUMNS = {
    "dry_bulb_c": _Column(
        "dry bulb", "degC", -75.0, 60.0, "degrees Fahrenheit, or columns that are swapped?"
    ),
    "dew_point_c": _Column("dew point", "degC", -95.0, 40.0, "degrees Fahrenheit?"),
    "wet_bulb_c": _Column("wet bulb", "degC", -75.0, 45.0, "degrees Fahrenheit?"),
    "relative_humidity_percent": _Column(
        "relative humidity", "%", 0.0, 115.0, "percent from 0 to 100 is due"
    ),
    "pressure_kpa": _Column(
        "pressure", "kPa", 45.0, 112.0, "the pressure at the station is due, in the column's unit"
    ),
}


def read_weather(path: Path, named_at: Problem | None = None) -> WeatherFile:
    """The year in a weather file.

    named_at: where the user named it, when another file did. Raises InputError with every kind of
    fault that was found, each with its first line.
    """
    text = read_text(path, named_at, most_bytes=MOST_BYTES)
    name = str(path)
    if not text.strip():
        raise InputError(Problem("is empty; a year of hourly weather is due", name, 1))
    table = parse_table(name, text)
    problems = _humidity_problems(table) + _range_problems(table)
    problems += sequence_problems(name, table.lines, table.stamps, leap=table.leap)
    if problems:
        raise InputError(problems)
    filled: list[str] = []
    problems = _fill(table, filled)
    if problems:
        raise InputError(problems)
    return _weather(table, filled)


def _weather(table: Table, filled: list[str]) -> WeatherFile:
    columns = table.columns

    def optional(name: str) -> tuple[float | None, ...] | None:
        values = columns.get(name)
        return None if values is None or all(x is None for x in values) else tuple(values)

    dry = tuple(x for x in columns["dry_bulb_c"] if x is not None)
    pressure = columns.get("pressure_kpa")
    known = None if pressure is None else tuple(x for x in pressure if x is not None)
    return WeatherFile(
        file=table.file,
        kind=table.kind,
        station=" ".join(table.station.split()),
        latitude_deg=table.latitude_deg,
        longitude_deg=table.longitude_deg,
        elevation_m=table.elevation_m,
        dry_bulb_c=dry,
        dew_point_c=optional("dew_point_c"),
        relative_humidity_percent=optional("relative_humidity_percent"),
        wet_bulb_c=optional("wet_bulb_c"),
        pressure_kpa=known or None,
        lines=tuple(table.lines),
        labels=_labels(table),
        filled=tuple(filled),
        design=table.design,
    )


def _labels(table: Table) -> tuple[str, ...]:
    hours = range(len(table.lines)) if table.stamps is None else table.stamps
    return tuple(label(hour, leap=table.leap) for hour in hours)


def _range_problems(table: Table) -> list[Problem]:
    problems = []
    for name, values in table.columns.items():
        column, scale = _COLUMNS[name], table.scale.get(name)
        known = [x for x in values if x is not None]
        if name == "relative_humidity_percent" and known and 0.0 < max(known) <= 1.5:
            problems.append(
                Problem(
                    f"the relative humidity of the year is at most {max(known):g}: a fraction",
                    table.file,
                    table.lines[0],
                    table.headings[name],
                    "percent from 0 to 100 is due",
                )
            )
            continue
        wrong = [
            index
            for index, x in enumerate(values)
            if x is not None and not column.low <= x <= column.high
        ]
        if not wrong:
            continue
        first = wrong[0]
        written = scale.back(values[first]) if scale else values[first]
        unit = scale.unit if scale else column.unit
        message = f"a {column.words} of {written:g} {unit} cannot be{_and_more(len(wrong))}"
        hint = _pressure_hint(values[first]) if name == "pressure_kpa" else column.hint
        problems.append(
            Problem(message, table.file, table.lines[first], table.headings[name], hint)
        )
    return problems


def _and_more(count: int) -> str:
    return f", nor on {count - 1:,} more lines" if count > 1 else ""


def _pressure_hint(kpa: float | None) -> str:
    """What a pressure taken in the wrong unit most likely was, seen as kPa."""
    value = kpa or 0.0
    if 0.45 <= value <= 1.12:
        return "hectopascal (millibar) written where pascal are due?"
    if 0.045 <= value <= 0.112:
        return "kilopascal written where pascal are due?"
    if 450.0 <= value <= 1120.0:
        return "hectopascal (millibar) written where kilopascal are due?"
    return _COLUMNS["pressure_kpa"].hint


def _humidity_problems(table: Table) -> list[Problem]:
    """Dew point or wet bulb above the dry bulb: swapped columns."""
    problems = []
    dry = table.columns["dry_bulb_c"]
    for name in ("dew_point_c", "wet_bulb_c"):
        values = table.columns.get(name)
        if values is None:
            continue
        wrong = [
            index
            for index, (x, d) in enumerate(zip(values, dry, strict=True))
            if x is not None and d is not None and x > d + _DEW_OVER_DRY_K
        ]
        if wrong:
            first = wrong[0]
            words = _COLUMNS[name].words
            problems.append(
                Problem(
                    f"a {words} of {values[first]:g} degC is above the dry bulb of"
                    f" {dry[first]:g} degC{_and_more(len(wrong))}",
                    table.file,
                    table.lines[first],
                    table.headings[name],
                    "are the columns swapped?",
                )
            )
    return problems


def _runs(missing: list[int]) -> list[tuple[int, int]]:
    """First and last place of each run of consecutive places."""
    runs: list[tuple[int, int]] = []
    for place in missing:
        if runs and place == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs


def _fill(table: Table, filled: list[str]) -> list[Problem]:
    """Fill short gaps in place by interpolation; a problem for what is too long to fill."""
    problems = []
    labels = _labels(table)
    for name, missing in _gaps(table).items():
        values, words = table.columns[name], _COLUMNS[name].words
        runs = _runs(missing)
        longest = max(runs, key=lambda run: run[1] - run[0])
        spans = ", ".join(_span(run, labels) for run in runs[:_FEW])
        spans += f" and {len(runs) - _FEW} more gaps" if len(runs) > _FEW else ""
        pressure = name == "pressure_kpa"
        if not pressure and (
            longest[1] - longest[0] >= LONGEST_GAP_H or len(missing) > MOST_FILLED_H
        ):
            problems.append(
                Problem(
                    f"the {words} is missing in {len(missing):,} hours ({spans})",
                    table.file,
                    table.lines[longest[0]],
                    table.headings[name],
                    f"gaps of up to {LONGEST_GAP_H} hours are filled, {MOST_FILLED_H} hours a year",
                )
            )
            continue
        for run in runs:
            _interpolate(values, run)
        hours = "hour" if len(missing) == 1 else "hours"
        filled.append(f"{words}: {len(missing):,} {hours} ({spans})")
    return problems


def _span(run: tuple[int, int], labels: tuple[str, ...]) -> str:
    if run[0] == run[1]:
        return labels[run[0]]
    return f"{labels[run[0]]} to {labels[run[1]]}"


def _gaps(table: Table) -> dict[str, list[int]]:
    """Missing places by column: of humidity only where no column has it."""
    columns = table.columns
    gaps = {"dry_bulb_c": [i for i, x in enumerate(columns["dry_bulb_c"]) if x is None]}
    humid = [n for n in ("dew_point_c", "wet_bulb_c", "relative_humidity_percent") if n in columns]
    humid = [n for n in humid if any(x is not None for x in columns[n])]
    if not humid:
        raise InputError(
            Problem("no hour has a humidity", table.file, table.lines[0], "dew_point_c")
        )
    without = [
        index
        for index in range(len(table.lines))
        if all(columns[name][index] is None for name in humid)
    ]
    gaps[humid[0]] = without
    pressure = columns.get("pressure_kpa")
    if pressure is not None and any(x is not None for x in pressure):
        gaps["pressure_kpa"] = [i for i, x in enumerate(pressure) if x is None]
    return {name: places for name, places in gaps.items() if places}


def _interpolate(values: list[float | None], run: tuple[int, int]) -> None:
    """A line between the hours around a gap; the year is a ring."""
    count = len(values)
    start, end = run[0] - 1, run[1] + 1
    low = next(
        (
            values[i % count]
            for i in range(start, start - count, -1)
            if values[i % count] is not None
        ),
        None,
    )
    high = next(
        (values[i % count] for i in range(end, end + count) if values[i % count] is not None), None
    )
    if low is None or high is None:
        return
    length = end - start
    for place in range(run[0], run[1] + 1):
        values[place] = low + (high - low) * (place - start) / length
