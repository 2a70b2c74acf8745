"""Read one CSV of the catalogue into rows of a dataclass, strictly.

The converters follow from the dataclass's annotations and are looked up once per column, not once
per cell: `size` reads a dozen kinds within a few milliseconds.
"""

from __future__ import annotations

import csv
import dataclasses
from typing import TYPE_CHECKING, Any, TypeVar

from clusterplan.core.equipment import Breakout
from clusterplan.core.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def _number(text: str) -> float:
    value = float(text)
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{text!r} is not a finite number")
    return value


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"{text!r} is neither true nor false")
    return text == "true"


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";")] if text else []


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(_number(part) for part in _parts(text))


def _breakouts(text: str) -> tuple[Breakout, ...]:
    found = []
    for part in _parts(text):
        ports, _, speed = part.partition("x")
        found.append(Breakout(int(ports), _number(speed)))
    return tuple(found)


# Annotation -> converter, and whether an empty cell is passed to it (else: left at the default).
_CONVERTERS: dict[str, tuple[Callable[[str], Any], bool]] = {
    "str": (str, True),
    "float": (_number, False),
    "int": (int, False),
    "bool": (_boolean, False),
    "tuple[str, ...]": (lambda text: tuple(_parts(text)), True),
    "tuple[float, ...]": (_numbers, True),
    "tuple[Breakout, ...]": (_breakouts, True),
}


@dataclasses.dataclass(frozen=True)
class _Column:
    name: str
    convert: Callable[[str], Any]
    takes_empty: bool
    default: Any  # of an empty cell; MISSING where the cell must be filled
    as_it_stands: bool = False  # text, the most cells by far: no call for each of them


def _column(item: dataclasses.Field[Any]) -> _Column | None:
    """How a cell of that field is read; None for a field that no cell holds (a joined table)."""
    annotation = str(item.type)
    optional = annotation.endswith(" | None")
    known = _CONVERTERS.get(annotation.removesuffix(" | None"))
    if known is None:
        return None
    convert, takes_empty = known
    default = None if optional else item.default
    plain = convert is str and not optional
    return _Column(item.name, convert, takes_empty and not optional, default, plain)


def read_rows(path: Path, row_class: type[Row]) -> list[Row]:
    """All rows of a CSV whose header names fields of `row_class`.

    Raises CatalogError naming file and line for a missing file, an unknown or missing column, a
    short or long line, or a cell that its field cannot take.
    """
    fields = dataclasses.fields(row_class)
    columns = {item.name: column for item in fields if (column := _column(item)) is not None}
    required = {
        item.name
        for item in fields
        if item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
    }
    rows: list[Row] = []
    line_of_id: dict[str, int] = {}
    for line, header, cells in _lines(path):
        if line == 1:
            _check_header(path, header, columns, required)
            order = [columns[name] for name in header]
            continue
        values: dict[str, Any] = {}
        for column, cell in zip(order, cells, strict=True):
            values[column.name] = cell if column.as_it_stands else _cell(path, line, column, cell)
        row_id = values.get("id", values.get("path"))
        if row_id in line_of_id:
            raise CatalogError(
                f"{path}:{line}: {row_id!r} stands already on line {line_of_id[row_id]}"
            )
        if row_id is not None:
            line_of_id[row_id] = line
        rows.append(row_class(**values))
    return rows


def _lines(path: Path) -> Iterator[tuple[int, list[str], list[str]]]:
    """(line, header, cells) of each line with content; the first is the header itself."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            header: list[str] = []
            for cells in reader:
                if not header:
                    header = cells
                    yield 1, header, header
                elif cells:
                    if len(cells) != len(header):
                        raise CatalogError(
                            f"{path}:{reader.line_num}: {len(cells)} cells, "
                            f"but the header has {len(header)}"
                        )
                    yield reader.line_num, header, cells
            if not header:
                raise CatalogError(f"{path}:1: the file is empty")
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogError(f"{path}: cannot be read: {error}") from error
    except csv.Error as error:
        raise CatalogError(f"{path}:{reader.line_num}: {error}") from error


def _check_header(
    path: Path, header: list[str], columns: dict[str, _Column], required: set[str]
) -> None:
    unknown = [name for name in header if name not in columns]
    missing = sorted(required.difference(header))
    doubled = sorted({name for name in header if header.count(name) > 1})
    for words, names in (
        ("unknown column", unknown),
        ("missing column", missing),
        ("column twice", doubled),
    ):
        if names:
            raise CatalogError(f"{path}:1: {words}: {', '.join(names)}")


def _cell(path: Path, line: int, column: _Column, cell: str) -> Any:
    if cell == "" and not column.takes_empty:
        if column.default is dataclasses.MISSING:
            raise CatalogError(f"{path}:{line}: {column.name} is empty")
        return column.default
    try:
        return column.convert(cell)
    except ValueError as error:
        raise CatalogError(f"{path}:{line}: {column.name}: {error}") from error
