"""A year hour by hour as CSV: notes behind #, a header with units in the names, a row an hour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.reporting.files import write_atomic

if TYPE_CHECKING:
    from pathlib import Path

    from clusterplan.core.results.hours import HourTable


def hours_text(table: HourTable) -> str:
    """The file's text. The hour is named by the time at which it begins, local standard time."""
    lines = [f"# {note}" for note in table.notes]
    lines.append(",".join(("hour", "begins", *table.columns)))
    written = [
        [f"{value:.{table.digits[name]}f}" for value in values]
        for name, values in table.columns.items()
    ]
    for number, (label, *cells) in enumerate(zip(table.labels, *written, strict=True), start=1):
        lines.append(",".join((str(number), label, *cells)))
    return "\n".join(lines) + "\n"


def write_hours(path: Path, table: HourTable) -> None:
    """Write the file, whole or not at all. Raises InputError where it cannot be written."""
    write_atomic(path, hours_text(table))
