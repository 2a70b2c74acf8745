"""A report as printed tables: what Markdown, HTML and XLSX show, details included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterplan.core.shown_units import US_UNITS
from clusterplan.reporting.labels import label_of
from clusterplan.reporting.numbers import converted, is_number, is_unknown, printed
from clusterplan.reporting.rows import Column, Part, Table, parts_of, unit_cell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.figures import Row
    from clusterplan.core.results.plan import Report


@dataclass(frozen=True)
class PrintedTable:
    """One table, its cells both as text (rounded) and as values (unrounded, None if unknown).

    `part` is the name of the report's part in which it stands.
    """

    part: str
    title: str
    headers: tuple[str, ...]
    numeric: tuple[bool, ...]
    texts: tuple[tuple[str, ...], ...]
    values: tuple[tuple[Any, ...], ...]


def printed_tables(report: Report, units: str) -> Iterator[PrintedTable]:
    """The tables of a report in order, in `metric` or `us` units."""
    for top in parts_of(report):
        for part in top.walk():
            if part.figures:
                yield _figures(top.name, part, units)
            for table in part.tables:
                yield printed_table(top.name, table, units)


def column_header(column: Column, units: str) -> str:
    """Label of a column with its basis and, where all its values share one, the unit shown."""
    label = f"{column.label}, {column.info.basis}" if column.info.basis else column.label
    unit = US_UNITS[column.unit][0] if units == "us" and column.unit in US_UNITS else column.unit
    return f"{label} ({unit})" if unit and column.own_unit else label


def is_numeric(table: Table, place: int) -> bool:
    """Whether a column holds numbers only."""
    values = [line[place].value for line in table.lines]
    return all(v is None or is_number(v) for v in values)


def cell_text(table: Table, row: Row, column: Column, units: str) -> str:
    """One cell as printed; a unit column follows the unit system of the values beside it."""
    if column.name == "unit" and table.is_about(column):
        return unit_cell(str(row.value or ""), units)
    if row.value == "" or (row.value is None and row.info.optional):
        return ""
    return printed(row, units)[0]


def printed_table(part: str, table: Table, units: str) -> PrintedTable:
    """A table of items with every column."""
    texts, values = [], []
    for line in table.lines:
        pairs = list(zip(line, table.columns, strict=True))
        cells = tuple(cell_text(table, row, column, units) for row, column in pairs)
        texts.append(cells)
        values.append(
            tuple(_value(row, units, text) for (row, _), text in zip(pairs, cells, strict=True))
        )
    return PrintedTable(
        part,
        table.title,
        tuple(column_header(column, units) for column in table.columns),
        tuple(is_numeric(table, place) for place in range(len(table.columns))),
        tuple(texts),
        tuple(values),
    )


def _figures(name: str, part: Part, units: str) -> PrintedTable:
    texts, values = [], []
    for row in part.figures:
        if row.value is None and row.info.optional:
            continue
        text, unit = printed(row, units)
        label = row.label or label_of(row.name)
        texts.append((label, text, unit, row.info.basis))
        values.append((label, _value(row, units, text), unit, row.info.basis))
    return PrintedTable(
        name,
        part.title,
        ("Figure", "Value", "Unit", "Basis"),
        (False, True, False, False),
        tuple(texts),
        tuple(values),
    )


def _value(row: Row, units: str, text: str) -> Any:
    """The unrounded value of a cell; what is neither number nor truth stays as its text."""
    value, _ = converted(row, units)
    if is_unknown(value):
        return None
    if isinstance(value, bool | int | float):
        return value
    return value if isinstance(value, str) and row.name != "unit" else text
