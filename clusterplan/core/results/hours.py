"""The year of a cooling plant hour by hour, as columns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class HourTable:
    """Columns of one value an hour, by name with its unit; digits says how many are written.

    labels name the hours; notes stand above the table, one a line.
    """

    notes: tuple[str, ...]
    labels: tuple[str, ...]
    columns: dict[str, list[float]]
    digits: dict[str, int]
