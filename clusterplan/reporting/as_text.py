"""The terminal report: about two screens, from the same rows as every other format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.reporting.layout import (
    NBSP,
    Grid,
    Line,
    Pair,
    coloured_text,
    grid_lines,
    packed,
    paragraph,
    plain_text,
)
from clusterplan.reporting.numbers import clean, is_number, is_unknown, printed, value_text
from clusterplan.reporting.rows import UNDECLARED, Part, Table, infeasible_reason, parts_of
from clusterplan.reporting.sheet_text import sheet_lines
from clusterplan.reporting.tables import cell_text, column_header, is_numeric

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusterplan.core.figures import Row
    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet

_UNVERIFIED = "*"


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
    lines: list[Line] = paragraph(clean(report.title), width, style="bold", lead="")
    if reason := clean(infeasible_reason(report)):
        text = f"Not feasible: {reason}. The largest feasible plan follows."
        lines += paragraph(text, width, style="bold red", lead="")
    closing: list[Line] = []
    for top in parts_of(report):
        for part in top.walk():
            # assumptions close the report, whatever their place in the file formats
            target = closing if any(_is_ledger(t) for t in part.tables) else lines
            target += _part_lines(part, width, units)
    lines += closing
    if sheets:
        lines += _heading("Calculation sheets", width)
        for sheet in sheets:
            lines += sheet_lines(sheet, width, units)
    return coloured_text(lines) if color else plain_text(lines)


def _heading(title: str, width: int) -> list[Line]:
    lines = paragraph(clean(title), width, style="bold cyan", lead="")
    return [[("", "")], *lines]


def _part_lines(part: Part, width: int, units: str) -> list[Line]:
    rows = [row for row in part.figures if not row.info.detail]
    body = _inline(rows, width)
    body += _figures(rows, width, units)
    lines = _heading(part.title, width) + body if body else []
    for table in part.tables:
        cells = _table_body(table, width, units)
        lines += _heading(_table_title(table), width) + cells if cells else []
    return lines


def _table_title(table: Table) -> str:
    if not _is_ledger(table):
        return table.title
    unverified = sum(table.sibling(line, "verified") == "false" for line in table.lines)
    if not unverified:
        return f"{table.title} ({len(table.lines)})"
    return f"{table.title} ({len(table.lines)}, {unverified} of them {_UNVERIFIED} not verified)"


def _is_text(row: Row) -> bool:
    return not is_number(row.value) and row.value is not None and not row.unit


def _inline(rows: list[Row], width: int) -> list[Line]:
    """Words and lists of a part: short ones in one paragraph, lists as lines of their own."""
    words, lists = [], []
    for row in rows:
        if isinstance(row.value, tuple | list):
            lists.append(row)
        elif _is_text(row) or (row.value is None and row.info.formula == UNDECLARED):
            words.append(row)
    text = "; ".join(_word(row) for row in words if row.value not in (None, ""))
    lines = paragraph(text, width) if text else []
    for row in lists:
        for item in row.value:
            lines += paragraph(value_text(item, row.unit), width, lead="  - ")
    return lines


def _word(row: Row) -> str:
    """A label and its word, kept on one line where they are short."""
    value = value_text(row.value)
    if row.path == row.section:  # a part of one value, named by its heading
        return value
    text = f"{row.label}: {value}"
    return text.replace(" ", NBSP) if len(value) <= 24 else text


def _figures(rows: list[Row], width: int, units: str) -> list[Line]:
    pairs = []
    for row in rows:
        if isinstance(row.value, tuple | list) or _is_text(row):
            continue
        if row.value is None and row.info.formula == UNDECLARED:
            continue
        value, unit = printed(row, units)
        pairs.append(Pair(clean(_label(row)), value, "" if is_unknown(row.value) else unit))
    return packed(pairs, width) if pairs else []


def _label(row: Row) -> str:
    basis = row.info.basis
    if not basis:
        return row.label
    return f"{row.label}, {basis}" if "(" in basis else f"{row.label} ({basis})"


def _is_ledger(table: Table) -> bool:
    names = {column.name for column in table.columns}
    return {"path", "value", "verified"} <= names


def _table_body(table: Table, width: int, units: str) -> list[Line]:
    names = {column.name for column in table.columns}
    if _is_ledger(table):
        return _ledger(table, width, units)
    if {"code", "message"} <= names:
        return _messages(table, width)
    columns = [
        place
        for place, column in enumerate(table.columns)
        if not column.info.detail
        and any(line[place].value not in (None, "", ()) for line in table.lines)
    ]
    if not columns:
        return []
    grid = _grid(table, columns, units)
    lines = grid_lines(grid, width)
    if lines is None:
        lines = _turned_lines(grid, width)
    return lines if lines is not None else list(_records(grid, width))


def _grid(table: Table, columns: list[int], units: str) -> Grid:
    headers = [column_header(table.columns[c], units) for c in columns]
    flags = [c for c in columns if _is_flag(table, c)]
    lines = []
    for line in table.lines:
        lines.append([cell_text(table, line[c], table.columns[c], units) for c in columns])
    numeric = [is_numeric(table, place) for place in columns]
    marked = [len(flags) == 1 and line[flags[0]].value is True for line in table.lines]
    return Grid(headers, lines, numeric, numeric, marked)


def _is_flag(table: Table, place: int) -> bool:
    return all(isinstance(line[place].value, bool) for line in table.lines)


def _turned_lines(grid: Grid, width: int) -> list[Line] | None:
    """The table on its side, one column an item, as many items beside each other as fit."""
    for count in range(len(grid.lines), 0, -1):
        blocks = [
            grid_lines(_turned(grid, grid.lines[start : start + count]), width)
            for start in range(0, len(grid.lines), count)
        ]
        if all(block is not None for block in blocks):
            gap: Line = [("", "")]
            return [line for block in blocks for line in [*(block or []), gap]][:-1]
    return None


def _turned(grid: Grid, items: list[list[str]]) -> Grid:
    headers = [grid.headers[0], *(item[0] for item in items)]
    lines = [
        [grid.headers[place], *(item[place] for item in items)]
        for place in range(1, len(grid.headers))
    ]
    wraps = [False] * len(headers)
    return Grid(headers, lines, wraps, [False, *[True] * len(items)], [False] * len(lines))


def _records(grid: Grid, width: int) -> Iterator[Line]:
    """One line a figure, for terminals too narrow for any table."""
    for cells in grid.lines:
        for place, (header, cell) in enumerate(zip(grid.headers, cells, strict=True)):
            if cell:
                text = f"{header}: {cell}"
                yield from paragraph(text, width, lead="  " if place == 0 else "    ")


def _messages(table: Table, width: int) -> list[Line]:
    lines: list[Line] = []
    for line in table.lines:
        found = {cell.name: value_text(cell.value) for cell in line}
        place = f" [{found['path']}]" if found.get("path") else ""
        lines += paragraph(f"{found['message']}{place}", width, style="yellow", lead="  ! ")
    return lines


def _ledger(table: Table, width: int, units: str) -> list[Line]:
    """Assumptions by the branch they belong to, several on a line, unverified ones marked."""
    groups: dict[str, list[str]] = {}
    for line in table.lines:
        branch, _, leaf = clean(str(table.sibling(line, "path"))).rpartition(".")
        cell = next(cell for cell in line if cell.name == "value")
        value, unit = printed(cell, units)
        mark = _UNVERIFIED if table.sibling(line, "verified") == "false" else ""
        text = NBSP.join(part for part in (leaf, value, unit) if part) + mark
        groups.setdefault(branch, []).append(text)
    lines: list[Line] = []
    for branch, items in groups.items():
        lead = f"{branch}: " if branch else ""
        lines += [
            [("  " if place == 0 else "    ", ""), *piece]
            for place, piece in enumerate(_hanging(lead + ", ".join(items), width - 4))
        ]
    if any(table.sibling(line, "verified") == "false" for line in table.lines):
        note = f"{_UNVERIFIED} not verified; --explain {table.path} prints the sources"
        lines += paragraph(note, width, style="dim")
    return lines


def _hanging(text: str, width: int) -> list[Line]:
    return paragraph(text, width, lead="")
