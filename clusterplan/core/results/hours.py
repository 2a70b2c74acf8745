"""The year of a cooling plant hour by hour, as columns."""

from __future__ import annotations

from clusterplan.core.frozen import frozen


@frozen
class HourTable:
    """Columns of one value an hour, by name with its unit; digits says how many are written.

    labels name the hours; notes stand above the table, one a line.
    """

    notes: tuple[str, ...]
    labels: tuple[str, ...]
    columns: dict[str, list[float]]
    digits: dict[str, int]
