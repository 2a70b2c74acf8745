"""A report as one CSV table: a line per value, unrounded, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from typing import TYPE_CHECKING, Any

from clusterplan.reporting.flat import COLUMNS, flat_lines
from clusterplan.reporting.numbers import exact_text, is_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet

# What makes a spreadsheet take a text cell for a formula (full-width forms included).
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def to_csv(report: Report, *, units: str = "metric", sheets: Sequence[Sheet] = ()) -> str:
    """The report with the columns of `flat.COLUMNS`; unknown is an empty cell.

    Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers do not.
    """
    lines = [_line(COLUMNS)]
    for entry in flat_lines(report, units, sheets):
        lines.append(_line(dataclasses.astuple(entry)))
    return "".join(lines)


def csv_cell(value: Any) -> str:
    """A value as CSV text: numbers exactly, truth as true or false, text neutralised."""
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    if is_number(value):
        return repr(value) if math.isfinite(value) else exact_text(value)
    text = exact_text(value) if isinstance(value, tuple) else str(value)
    text = text.encode("utf-8", "replace").decode()
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _line(cells: Sequence[Any]) -> str:
    # the writer's own line end makes it quote both CR and LF inside cells
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow([csv_cell(cell) for cell in cells])
    return buffer.getvalue()[:-2] + "\n"
