"""A report as rows: the one description that every format prints.

A result dataclass gives figures, a tuple of dataclasses a table; both nest. Nothing here knows a
field by name: labels, units, bases and formulas come from the field's metadata and its name.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterplan.core.figures import FigureInfo, Row
from clusterplan.core.record import Recorder
from clusterplan.core.shown_units import US_UNITS, unit_of
from clusterplan.reporting.labels import label_of, pretty_unit, stem_of
from clusterplan.reporting.numbers import is_number, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.results.plan import Report

# `FigureInfo.formula` of a field that was not declared with `figure()`.
UNDECLARED = "undeclared"
# Fields of a table row that describe its neighbours without a unit of their own.
_ABOUT_ROW = ("unit", "source", "verified")


@dataclass(frozen=True)
class Column:
    """One column of a table; `own_unit` is False where each row states its unit."""

    name: str
    label: str
    unit: str
    info: FigureInfo
    own_unit: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of one kind.

    `lines[i][j]` is the cell of item i in column j, `keys[i]` the name of the item in paths,
    `places[i]` its index in the report.
    """

    path: str
    title: str
    columns: tuple[Column, ...]
    lines: tuple[tuple[Row, ...], ...]
    keys: tuple[str, ...]
    places: tuple[int, ...]

    def sibling(self, line: tuple[Row, ...], name: str) -> Any:
        """The value of column `name` in the same line, None where there is no such column."""
        return next((cell.value for cell in line if cell.name == name), None)

    def is_about(self, column: Column) -> bool:
        """Whether a column only describes the values beside it (their unit, source, verified)."""
        return column.name in _ABOUT_ROW and any(not c.own_unit for c in self.columns)


@dataclass(frozen=True)
class Part:
    """One part of a report: its figures and text, its tables, its parts."""

    name: str
    title: str
    figures: tuple[Row, ...] = ()
    tables: tuple[Table, ...] = ()
    children: tuple[Part, ...] = ()

    def walk(self) -> Iterator[Part]:
        """The part and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


def parts_of(report: Report) -> tuple[Part, ...]:
    """The parts of a report in order; a part that is None is left out."""
    return tuple(
        _part(name, name, label_of(name), value)
        for name, value in report.parts.items()
        if value is not None
    )


def infeasible_reason(report: Report) -> str:
    """Why what was asked for cannot be built, without a full stop; empty if it can."""
    if report.feasible:
        return ""
    return (report.infeasible_reason or "what was asked for cannot be built").rstrip(". ")


def figure_rows(report: Report) -> Iterator[Row]:
    """Every row that holds a value, cells of tables included, in the order of the report."""
    for top in parts_of(report):
        for part in top.walk():
            yield from part.figures
            for table in part.tables:
                for line in table.lines:
                    yield from line


def unit_cell(text: str, units: str) -> str:
    """The unit that a table's own unit column states, in `metric` or `us` units."""
    unit = pretty_unit(text)
    return US_UNITS[unit][0] if units == "us" and unit in US_UNITS else unit


def _part(section: str, path: str, title: str, value: Any) -> Part:
    value = plain(value)
    if _is_result(value):
        items = [(f.name, f, getattr(value, f.name)) for f in dataclasses.fields(value)]
        return _fields(section, path, title, items)
    if isinstance(value, Mapping):
        return _fields(section, path, title, [(str(k), None, v) for k, v in value.items()])
    if _is_table(value):
        tables, children = _table(section, path, title, value)
        return Part(path, title, (), tables, children)
    return Part(path, title, (_row(section, path, section, None, value),))


def _fields(section: str, path: str, title: str, items: list[tuple[str, Any, Any]]) -> Part:
    figures: list[Row] = []
    tables: list[Table] = []
    children: list[Part] = []
    for name, item, raw in items:
        value = plain(raw)
        below = f"{path}.{name}"
        if isinstance(value, Recorder):
            continue
        if _is_table(value):
            more, nested = _table(section, below, f"{title}: {_lower(label_of(name))}", value)
            tables += more
            children += nested
        elif _is_result(value) or isinstance(value, Mapping):
            children.append(_part(section, below, f"{title}: {_lower(label_of(name))}", value))
        else:
            figures.append(_row(section, below, name, item, value))
    return Part(path, title, tuple(figures), tuple(tables), tuple(children))


def _row(section: str, path: str, name: str, item: Any, value: Any) -> Row:
    numeric = is_number(value) or (
        isinstance(value, tuple | list) and any(is_number(v) for v in value)
    )
    info, unit = _describe(name, item, numeric=numeric or value is None)
    return Row(section, path, name, info.label, value, unit, info)


def _describe(name: str, item: Any, *, numeric: bool) -> tuple[FigureInfo, str]:
    """Metadata and unit of a field; one that was not declared is kept out of the short report."""
    info = item.metadata.get("figure") if item is not None else None
    unit = unit_of(name) if numeric else ""
    if info is None:
        stem = stem_of(name) if unit else name
        info = FigureInfo(label_of(stem), formula=UNDECLARED, detail=numeric)
    return info, unit


def _table(
    section: str, path: str, title: str, items: tuple[Any, ...] | list[Any]
) -> tuple[tuple[Table, ...], tuple[Part, ...]]:
    """One table for the items of each kind, and the parts that are nested in them."""
    tables: list[Table] = []
    nested: list[Part] = []
    keys = _keys(items)
    for kind in dict.fromkeys(type(item) for item in items):
        places = tuple(place for place, item in enumerate(items) if type(item) is kind)
        chosen = [(keys[place], items[place]) for place in places]
        simple = [f for f in dataclasses.fields(kind) if _is_cell(f.name, chosen)]
        columns = tuple(_column(f, kind, chosen) for f in simple)
        lines = tuple(
            tuple(_cell(section, f"{path}.{key}", item, column) for column in columns)
            for key, item in chosen
        )
        named = tuple(key for key, _ in chosen)
        tables.append(Table(path, title, columns, lines, named, places))
        rest = [f for f in dataclasses.fields(kind) if f not in simple]
        for key, item in chosen:
            values = [(f.name, f, getattr(item, f.name)) for f in rest]
            part = _fields(section, f"{path}.{key}", f"{title}: {key}", values)
            nested += [p for p in (part,) if p.figures or p.tables or p.children]
    return tuple(tables), tuple(nested)


def _keys(items: tuple[Any, ...] | list[Any]) -> list[str]:
    """What names each item in a path: its `name` or `id` where that is unique, else its place."""
    for attribute in ("name", "id"):
        named = [getattr(item, attribute, None) for item in items]
        if all(isinstance(n, str) and n for n in named) and max(Counter(named).values()) == 1:
            return [str(n) for n in named]
    return [str(place) for place in range(len(items))]


def _is_cell(name: str, items: list[tuple[str, Any]]) -> bool:
    values = [plain(getattr(item, name)) for _, item in items]
    return not any(
        _is_result(v) or _is_table(v) or isinstance(v, Mapping | Recorder) for v in values
    )


def _column(item: Any, kind: type, items: list[tuple[str, Any]]) -> Column:
    values = [plain(getattr(row, item.name)) for _, row in items]
    numeric = any(is_number(v) for v in values) or all(v is None for v in values)
    info, unit = _describe(item.name, item, numeric=numeric)
    info = dataclasses.replace(info, detail=False) if info.formula == UNDECLARED else info
    names = {f.name for f in dataclasses.fields(kind)}
    annotation = item.type if isinstance(item.type, str) else getattr(item.type, "__name__", "")
    free = not unit_of(item.name) and ("float" in annotation or "Any" in annotation)
    return Column(item.name, info.label, unit, info, own_unit=not ("unit" in names and free))


def _cell(section: str, path: str, item: Any, column: Column) -> Row:
    value = plain(getattr(item, column.name))
    unit = column.unit if column.own_unit else pretty_unit(str(item.unit or ""))
    place = f"{path}.{column.name}"
    return Row(section, place, column.name, column.label, value, unit, column.info)


def _is_result(value: object) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type | Recorder)


def _is_table(value: object) -> bool:
    return isinstance(value, tuple | list) and bool(value) and all(_is_result(v) for v in value)


def _lower(label: str) -> str:
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]
