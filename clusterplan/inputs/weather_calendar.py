"""Hours of a year: their names, and whether a file has each once and in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

HOURS_OF_YEAR = 8760
LEAP_HOURS = 8784
FEBRUARY_29_H = (31 + 28) * 24
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_FEW = 4


def hour_of_year(month: int, day: int, hour: int) -> int:
    """Hours since 1 January in a leap year, whose calendar has a place for every date.

    hour is 0 to 23. Raises ValueError for a date that does not exist.
    """
    if not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1] or not 0 <= hour <= 23:
        message = f"no such hour: month {month}, day {day}, hour {hour}"
        raise ValueError(message)
    return (sum(_DAYS[: month - 1]) + day - 1) * 24 + hour


def label(hour: int, *, leap: bool) -> str:
    """An hour of the year as "Mar 14 02:00", the time at which it begins.

    hour counts from 1 January: of a leap year's calendar where `leap`.
    """
    place = hour if leap or hour < FEBRUARY_29_H else hour + 24
    day, clock = divmod(place, 24)
    for month, days in zip(_MONTHS, _DAYS, strict=True):
        if day < days:
            return f"{month} {day + 1} {clock:02d}:00"
        day -= days
    return f"hour {hour}"


def sequence_problems(
    file: str, lines: Sequence[int], stamps: Sequence[int] | None, *, leap: bool
) -> list[Problem]:
    """What is wrong with the hours of a file: too few, too many, missing, repeated.

    stamps count from 1 January, of a leap year's calendar where `leap`; None where unknown.
    """
    if stamps is not None:
        size = LEAP_HOURS if leap else HOURS_OF_YEAR
        problem = _first_break(file, lines, stamps, size)
        if problem is not None:
            return [problem]
    if len(lines) in (HOURS_OF_YEAR, LEAP_HOURS):
        return []
    message = f"has {len(lines):,} hours; a year has 8,760, a leap year 8,784"
    return [Problem(message, file, lines[-1] if lines else 1)]


def _first_break(
    file: str, lines: Sequence[int], stamps: Sequence[int], size: int
) -> Problem | None:
    leap = size == LEAP_HOURS
    for place, (before, now) in enumerate(zip(stamps, stamps[1:], strict=False), start=1):
        due = (before + 1) % size
        if now == due:
            continue
        ahead = (now - due) % size
        if ahead < size // 2:
            return Problem(_missing(due, ahead, size, leap=leap), file, lines[place])
        return Problem(
            f"{label(now, leap=leap)} comes after {label(before, leap=leap)}: an hour is repeated"
            " or out of order",
            file,
            lines[place],
            hint=f"{label(due, leap=leap)} is due",
        )
    if len(stamps) < size:
        due = (stamps[-1] + 1) % size
        short = _missing(due, size - len(stamps), size, leap=leap)
        return Problem(f"{short}, at the end; {size:,} hours are due", file, lines[-1])
    return None


def _missing(due: int, count: int, size: int, *, leap: bool) -> str:
    names = [label((due + step) % size, leap=leap) for step in range(min(count, _FEW))]
    if count > _FEW:
        names = [names[0], "to", label((due + count - 1) % size, leap=leap)]
        return f"{count:,} hours are missing: {' '.join(names)}"
    return f"{count} hour{'s are' if count > 1 else ' is'} missing: {', '.join(names)}"
