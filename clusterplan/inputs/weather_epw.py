"""EPW and TMY3 CSV files as a table.

EPW: EnergyPlus Auxiliary Programs, "EPW CSV Format"; TMY3: Wilcox and Marion 2008 (NREL
TP-581-43156), table 1-2. Missing codes: 99.9 degC, 999 % and 999999 Pa in EPW, -9900 in TMY3.
"""

from __future__ import annotations

import csv
import math

from clusterplan.inputs.weather_table import (
    CELSIUS,
    HECTOPASCAL,
    PASCAL,
    PERCENT,
    Cells,
    Design,
    Table,
    checked_place,
    csv_rows,
    number_of,
    read_cells,
    stamp_of,
    stop,
    without_leap_day,
)

_EPW_FIELDS = range(10, 36)
_TMY3_MISSING = -9000.0


def parse_epw(file: str, lines: list[str]) -> Table:
    """The table of an EPW file. Raises InputError where a line is not what is due."""
    if ";" in lines[0] and "," not in lines[0]:
        raise stop(file, 1, "is separated by semicolons; EPW has commas and decimal points")
    place = _epw_place(file, lines[0])
    design, start = None, None
    for index, text in enumerate(lines[:40]):
        head = text[:20].upper()
        if head.startswith("DESIGN CONDITIONS"):
            design = _epw_design(text)
        if head.startswith("DATA PERIODS"):
            _check_periods(file, index + 1, text)
            start = index + 1
            break
    if start is None:
        raise stop(file, 1, "has no DATA PERIODS line; the header of an EPW has 8 lines")
    rows = _split_rows(file, lines, start)
    cells = (
        Cells(6, "dry_bulb_c", "dry bulb (field 7)", CELSIUS, (99.9, 99.99)),
        Cells(7, "dew_point_c", "dew point (field 8)", CELSIUS, (99.9, 99.99)),
        Cells(8, "relative_humidity_percent", "relative humidity (field 9)", PERCENT, (999, 999)),
        Cells(9, "pressure_kpa", "station pressure (field 10)", PASCAL, (999999, 999999)),
    )
    columns = read_cells(file, rows, cells)
    stamps = [stamp_of(file, line, row[1], row[2], row[3], 1) for line, row in rows]
    stamps, leap = without_leap_day(stamps)
    return Table(
        file=file,
        kind="EPW",
        columns=columns,
        headings={cell.name: cell.heading for cell in cells},
        lines=[line for line, _ in rows],
        stamps=stamps,
        leap=leap,
        scale={"pressure_kpa": PASCAL},
        station=place[0],
        latitude_deg=place[1],
        longitude_deg=place[2],
        elevation_m=place[3],
        design=design,
    )


def _epw_place(file: str, text: str) -> tuple[str, float, float, float]:
    fields = [part.strip() for part in text.split(",")]
    numbers = [number_of(part) for part in fields[6:10]]
    if len(numbers) < 4 or None in (numbers[0], numbers[1], numbers[3]):
        raise stop(
            file,
            1,
            "LOCATION needs latitude, longitude, time zone and elevation as fields 7 to 10",
        )
    latitude, longitude, elevation = (float(numbers[i] or 0.0) for i in (0, 1, 3))
    return fields[1], *checked_place(file, 1, latitude, longitude, elevation)


def _epw_design(text: str) -> Design | None:
    """Design conditions of the header, where they are of the usual form; else None."""
    fields = [part.strip() for part in text.split(",")]
    words = [part.lower() for part in fields]
    try:
        heat, cool, far = (words.index(word) for word in ("heating", "cooling", "extremes"))
        heating = float(fields[heat + 2])
        dry, coincident, wet = (float(fields[cool + step]) for step in (3, 4, 9))
        highest = float(fields[far + 14])
    except (ValueError, IndexError):
        return None
    if not heating < dry <= highest or not coincident <= wet <= dry:
        return None
    return Design(fields[2] if len(fields) > 2 else "", dry, coincident, wet, highest, heating)


def _check_periods(file: str, line: int, text: str) -> None:
    fields = [part.strip() for part in text.split(",")]
    if len(fields) > 2 and (fields[1], fields[2]) != ("1", "1"):
        raise stop(
            file,
            line,
            f"has {fields[1]} data periods of {fields[2]} records an hour",
            "DATA PERIODS",
            "one period of one record an hour is due",
        )


def _split_rows(file: str, lines: list[str], start: int) -> list[tuple[int, list[str]]]:
    rows = []
    for line, text in enumerate(lines[start:], start=start + 1):
        if not text.strip():
            continue
        row = text.rstrip().rstrip(",").split(",")
        if len(row) not in _EPW_FIELDS:
            hint = "a decimal comma?" if len(row) > _EPW_FIELDS.stop - 1 else None
            if ";" in text:
                hint = "semicolons? EPW has commas"
            raise stop(file, line, f"has {len(row)} fields; an hour of an EPW has 35", hint=hint)
        rows.append((line, row))
    if not rows:
        raise stop(file, start, "has no hours after its header")
    return rows


def parse_tmy3(file: str, lines: list[str]) -> Table:
    """The table of a TMY3 CSV file. Raises InputError where a line is not what is due."""
    head = next(csv.reader(lines[:1]))
    names = [name.strip().lower() for name in next(csv.reader(lines[1:2]))]
    numbers = [number_of(part) for part in head[4:7]]
    if len(numbers) < 3 or None in numbers:
        raise stop(
            file,
            1,
            "the first line of a TMY3 file needs latitude, longitude and elevation",
            hint="as fields 5 to 7",
        )
    place = checked_place(file, 1, *(float(x or 0.0) for x in numbers))
    wanted = (
        ("dry_bulb_c", "dry-bulb (c)", CELSIUS),
        ("dew_point_c", "dew-point (c)", CELSIUS),
        ("relative_humidity_percent", "rhum (%)", PERCENT),
        ("pressure_kpa", "pressure (mbar)", HECTOPASCAL),
    )
    gaps = (-math.inf, _TMY3_MISSING)
    cells = [
        Cells(names.index(heading), name, heading, scale, gaps)
        for name, heading, scale in wanted
        if heading in names
    ]
    day, clock = "date (mm/dd/yyyy)", "time (hh:mm)"
    for due in (day, clock):
        if due not in names:
            raise stop(file, 2, f'has no column "{due}"')
    rows = csv_rows(file, lines, 2, ",", len(names))
    columns = read_cells(file, rows, cells)
    stamps = []
    for line, row in rows:
        parts, hour = row[names.index(day)].split("/"), row[names.index(clock)].split(":")[0]
        if len(parts) != 3:
            raise stop(file, line, f'"{row[names.index(day)]}" is not a date MM/DD/YYYY', day)
        stamps.append(stamp_of(file, line, parts[0], parts[1], hour, 1))
    stamps, leap = without_leap_day(stamps)
    return Table(
        file=file,
        kind="TMY3",
        columns=columns,
        headings={cell.name: cell.heading for cell in cells},
        lines=[line for line, _ in rows],
        stamps=stamps,
        leap=leap,
        scale={"pressure_kpa": HECTOPASCAL},
        station=head[1].strip() if len(head) > 1 else "",
        latitude_deg=place[0],
        longitude_deg=place[1],
        elevation_m=place[2],
    )
