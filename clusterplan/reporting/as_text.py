"""The terminal report: about two screens, from the same rows as every other format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.reporting.layout import (
    NBSP,
    Line,
    Pair,
    coloured_text,
    packed,
    paragraph,
    plain_text,
)
from clusterplan.reporting.numbers import clean, is_number, is_unknown, printed, value_text
from clusterplan.reporting.rows import UNDECLARED, Part, infeasible_reason, parts_of
from clusterplan.reporting.text_tables import is_ledger, table_lines, table_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.figures import Row
    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet

_SHORT_WORD = 44  # characters up to which a word shares its line with others
_FEW = 3  # so many figures, or fewer, join the words; so many zeros, or more, share a line


def to_text(
    report: Report,
    *,
    units: str = "metric",
    width: int = 80,
    color: bool = False,
    sheets: Sequence[Sheet] = (),
) -> str:
    """The report for a terminal `width` cells wide, in `metric` or `us` units.

    Figures marked as detail stay out; `sheets` are appended. Escape codes only with `color`.
    """
    width = max(width, 20)
    lines = _title(report, width)
    if report.drawing:
        lines += [[("", "")], *([(line[:width], "")] for line in report.drawing.splitlines())]
    closing: list[Line] = []
    for top in parts_of(report):
        for part in top.walk():
            # assumptions close the report, whatever their place in the file formats
            target = closing if any(is_ledger(t) for t in part.tables) else lines
            body = _part_lines(part, width, units, full=part.name in report.unfolded)
            # parts of one value stand below each other
            loose = body and body[0] != [("", "")] and len(target) > 1
            target += [[("", "")], *body] if loose else body
    lines += closing
    if sheets:
        lines += _sheets(sheets, width, units)
    return coloured_text(lines) if color else plain_text(lines)


def sheets_text(
    report: Report,
    sheets: Sequence[Sheet],
    *,
    units: str = "metric",
    width: int = 80,
    color: bool = False,
) -> str:
    """The calculation sheets alone, under the title of their report."""
    width = max(width, 20)
    lines = _title(report, width) + _sheets(sheets, width, units)
    return coloured_text(lines) if color else plain_text(lines)


def _title(report: Report, width: int) -> list[Line]:
    lines = paragraph(clean(report.title), width, style="bold", lead="")
    if reason := clean(infeasible_reason(report)):
        text = f"Not feasible: {reason}."
        lines += paragraph(text, width, style="bold red", lead="")
    return lines


def _sheets(sheets: Sequence[Sheet], width: int, units: str) -> list[Line]:
    # most reports are printed without their sheets
    from clusterplan.reporting.sheet_text import sheet_lines

    lines = _heading("Calculation sheets", width)
    for sheet in sheets:
        lines += sheet_lines(sheet, width, units)
    return lines


def _heading(title: str, width: int) -> list[Line]:
    lines = paragraph(clean(title), width, style="bold cyan", lead="")
    return [[("", "")], *lines]


def _part_lines(part: Part, width: int, units: str, *, full: bool) -> list[Line]:
    rows = [
        row
        for row in part.figures
        if (full or not row.info.detail) and not (row.value is None and row.info.optional)
    ]
    if len(rows) == 1 and rows[0].path == rows[0].section:
        return _named_value(part.title, rows[0], width, units)
    numbers = [row for row in rows if _is_number_row(row)]
    few = len(numbers) < _FEW and len(rows) > len(numbers)
    body = _words(rows, width, units, with_numbers=few)
    if not few:
        body += _figures(numbers, width, units)
    lines = _heading(part.title, width) + body if body else []
    for table in part.tables:
        cells = table_lines(table, width, units)
        # a table stays close to the figures of its part
        heading = _heading(table_title(table), width)[1 if lines else 0 :]
        lines += heading + cells if cells else []
    return lines


def _named_value(title: str, row: Row, width: int, units: str) -> list[Line]:
    """A part of one value: a line of its own, without a heading."""
    value, unit = printed(row, units)
    text = f"{clean(title)}: {NBSP.join(part for part in (value, unit) if part)}"
    return paragraph(text, width, lead="") if row.value not in (None, "", (), []) else []


def _is_number_row(row: Row) -> bool:
    """Whether a row stands among the figures: a number, or a declared one that is unknown."""
    if isinstance(row.value, tuple | list):
        return False
    return is_number(row.value) or (row.value is None and row.info.formula != UNDECLARED)


def _words(rows: list[Row], width: int, units: str, *, with_numbers: bool) -> list[Line]:
    """What a part has to say: short words in one paragraph, sentences and lists below it."""
    short: list[Row] = []
    long: list[Row] = []
    lists: list[Row] = []
    for row in rows:
        if isinstance(row.value, tuple | list):
            lists.append(row)
        elif not _is_number_row(row):
            if row.value not in (None, ""):
                (short if len(value_text(row.value)) <= _SHORT_WORD else long).append(row)
        elif with_numbers:
            short.append(row)
    lines: list[Line] = []
    if short:
        text = "; ".join(_word(row, units).replace(" ", NBSP) for row in short)
        lines += paragraph(text.replace(f";{NBSP}", "; "), width)
    for row in long:
        lines += paragraph(_word(row, units), width, style="dim")
    for row in lists:
        for item in row.value:
            lines += paragraph(value_text(item, row.unit), width, lead="  - ")
    return lines


def _word(row: Row, units: str) -> str:
    value, unit = printed(row, units)
    text = value if is_unknown(row.value) or not unit else f"{value} {unit}"
    return f"{clean(_label(row))}: {text}"


def _figures(rows: list[Row], width: int, units: str) -> list[Line]:
    """Numbers in columns; where several are 0, they share a line."""
    zeros = [row for row in rows if row.value == 0]
    zeros = zeros if len(zeros) >= _FEW else []
    pairs = []
    before: Row | None = None
    for row in rows:
        if row in zeros:
            continue
        value, unit = printed(row, units)
        label = clean(_label(row, before))
        pairs.append(Pair(label, value, "" if is_unknown(row.value) else unit))
        before = row
    lines = packed(pairs, width) if pairs else []
    if zeros:
        text = "; ".join(clean(row.label) for row in zeros)
        lines += paragraph(f"Zero: {text}", width, style="dim")
    return lines


def _label(row: Row, before: Row | None = None) -> str:
    """A label with its basis, which a line that is part of the one above does not repeat."""
    basis = row.info.basis
    part = before is not None and row.label[:1].islower() and before.info.basis == basis
    if not basis or part:
        return row.label
    return f"{row.label}, {basis}" if "(" in basis else f"{row.label} ({basis})"
