"""A plain CSV of hourly weather as a table: columns declared by name and unit in the header.

Columns and units stand in `_PLAIN`; an empty cell is a missing value; lines that start with # above
the header may give station, latitude, longitude and elevation.
"""

from __future__ import annotations

import re

from clusterplan.inputs.weather_table import (
    CELSIUS,
    EMPTY,
    FAHRENHEIT,
    FRACTION,
    HECTOPASCAL,
    KILOPASCAL,
    PASCAL,
    PERCENT,
    Cells,
    Table,
    csv_rows,
    number_of,
    read_cells,
    stamp_of,
    stop,
    without_leap_day,
)

# column of a plain CSV: column of the table, and its scale
_PLAIN = {
    "dry_bulb_c": ("dry_bulb_c", CELSIUS),
    "dry_bulb_f": ("dry_bulb_c", FAHRENHEIT),
    "dew_point_c": ("dew_point_c", CELSIUS),
    "dew_point_f": ("dew_point_c", FAHRENHEIT),
    "wet_bulb_c": ("wet_bulb_c", CELSIUS),
    "wet_bulb_f": ("wet_bulb_c", FAHRENHEIT),
    "relative_humidity_percent": ("relative_humidity_percent", PERCENT),
    "relative_humidity_fraction": ("relative_humidity_percent", FRACTION),
    "pressure_pa": ("pressure_kpa", PASCAL),
    "pressure_hpa": ("pressure_kpa", HECTOPASCAL),
    "pressure_kpa": ("pressure_kpa", KILOPASCAL),
}
_HUMIDITY = ("dew_point_c", "wet_bulb_c", "relative_humidity_percent")
_TIME = re.compile(r"(?:\d{4}-)?(\d{1,2})-(\d{1,2})[T ](\d{1,2})(?::(\d{2}))?(?::\d{2})?Z?$")


def parse_plain(file: str, lines: list[str]) -> Table:
    """The table of a plain CSV. Raises InputError where a line is not what is due."""
    notes, start = _plain_notes(file, lines)
    if start >= len(lines):
        raise stop(file, len(lines), "has no header line with the names of the columns")
    header = lines[start]
    delimiter = ";" if ";" in header and "," not in header else ","
    names = [name.strip().strip('"').lower() for name in header.split(delimiter)]
    found = {_PLAIN[name][0]: (place, name) for place, name in enumerate(names) if name in _PLAIN}
    if "dry_bulb_c" not in found or not any(name in found for name in _HUMIDITY):
        raise stop(
            file,
            start + 1,
            "needs the columns dry_bulb_c and one of dew_point_c, wet_bulb_c,"
            " relative_humidity_percent",
            hint=f"{_named(names)}known: {', '.join(_PLAIN)}, time, month, day, hour; EPW files"
            " start with LOCATION",
        )
    rows = csv_rows(file, lines, start + 1, delimiter, len(names))
    cells = [
        Cells(place, column, name, _PLAIN[name][1], EMPTY)
        for column, (place, name) in found.items()
    ]
    columns = read_cells(file, rows, cells)
    stamps = _plain_stamps(file, rows, names)
    leap = len(rows) == 8784
    if stamps is not None:
        stamps, leap = without_leap_day(stamps)
    return Table(
        file=file,
        kind="CSV",
        columns=columns,
        headings={cell.name: cell.heading for cell in cells},
        lines=[line for line, _ in rows],
        stamps=stamps,
        leap=leap,
        scale={cell.name: cell.scale for cell in cells},
        station=str(notes.get("station", "")),
        latitude_deg=_note(notes, "latitude"),
        longitude_deg=_note(notes, "longitude"),
        elevation_m=_note(notes, "elevation"),
    )


def _named(names: list[str]) -> str:
    shown = ", ".join(name[:24] for name in names[:6] if name)
    return f"this line has {shown}; " if shown else ""


def _note(notes: dict[str, float | str], name: str) -> float | None:
    value = notes.get(name)
    return None if value is None else float(value)


def _plain_notes(file: str, lines: list[str]) -> tuple[dict[str, float | str], int]:
    """Lines "# latitude: 32.4" above the header, and the place of the header."""
    notes: dict[str, float | str] = {}
    limits = {
        "latitude": (-90.0, 90.0),
        "longitude": (-180.0, 180.0),
        "elevation": (-500.0, 6000.0),
    }
    for index, text in enumerate(lines):
        if not text.startswith("#"):
            return notes, index
        name, colon, value = text[1:].partition(":")
        key = name.strip().lower()
        if not colon or key not in (*limits, "station"):
            continue
        if key == "station":
            notes[key] = value.strip()
            continue
        number = number_of(re.sub(r"\s*(m|deg|°)$", "", value.strip()))
        low, high = limits[key]
        if number is None or not low <= number <= high:
            raise stop(
                file,
                index + 1,
                f'"{value.strip()}" is not from {low:g} to {high:g}',
                key,
                "degrees, or metres above the sea",
            )
        notes[key] = number
    return notes, len(lines)


def _plain_stamps(
    file: str, rows: list[tuple[int, list[str]]], names: list[str]
) -> list[int] | None:
    """Hours of a plain CSV by its columns time, or month, day and hour; None without."""
    if "time" in names:
        place, stamps = names.index("time"), []
        for line, row in rows:
            match = _TIME.search(row[place].strip())
            if match is None or match[4] not in (None, "00"):
                raise stop(
                    file,
                    line,
                    f'"{row[place][:25]}" is not a full hour',
                    "time",
                    "write it as 2019-07-31 14:00",
                )
            stamps.append(stamp_of(file, line, match[1], match[2], match[3], 0))
        return stamps
    if not {"month", "day", "hour"} <= set(names):
        return None
    month, day, hour = (names.index(name) for name in ("month", "day", "hour"))
    first = 1 if any(row[hour].strip() == "24" for _, row in rows) else 0
    return [stamp_of(file, line, row[month], row[day], row[hour], first) for line, row in rows]
