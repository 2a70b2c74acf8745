"""`clusterplan catalog`: what ships, with sources, as a report."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterplan import catalog
from clusterplan.core.equipment import Breakout, CatalogRow
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.figures import FigureInfo
from clusterplan.core.results.plan import Report
from clusterplan.core.shown_units import unit_of
from clusterplan.reporting.labels import label_of, stem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SCHEMA = "clusterplan/catalog/1"
# Fields of every row that come last, and those that the terminal leaves to the other formats.
_ABOUT = ("source", "note", "unverified_fields", "secondary_fields")
_QUIET = ("unverified_fields", "secondary_fields")
_FLAG_WORDS = {"true": "verified", "secondary": "second-hand", "false": "unverified"}


@dataclass(frozen=True, eq=False, repr=False)
class KindLine:
    """One kind in the list of kinds."""

    name: str
    rows: int
    text: str


@dataclass(frozen=True, eq=False, repr=False)
class _Listing:
    """A kind as the command shows it: its rows by id, and the columns of the short list."""

    name: str
    text: str
    columns: tuple[str, ...]
    read: Callable[[], dict[str, Any]]


def run(kind: str | None = None, row_id: str | None = None) -> Report:
    """The kinds, the rows of one kind, or one row with all its fields, flags and sources.

    Raises InputError for an unknown kind or id, with the nearest known name.
    """
    listings = _listings()
    if kind is None:
        lines = tuple(
            KindLine(name=item.name, rows=len(item.read()), text=item.text)
            for item in listings.values()
        )
        return Report(schema=SCHEMA, title="Catalogue", parts={"kinds": lines})
    found = catalog.spelled(kind, listings)
    if found is None:
        raise _unknown("kind", kind, listings, '"clusterplan catalog" lists')
    listing = listings[found]
    known = listing.read()
    if row_id is None:
        rows = _list_of(listing, known.values())
        parts: dict[str, Any] = {"kind": listing.name, "about": listing.text, "rows": rows}
        return Report(schema=SCHEMA, title=f"Catalogue: {listing.name}", parts=parts)
    row = known.get(row_id)
    if row is None:
        lists = f'"clusterplan catalog {listing.name}" lists'
        raise _unknown(f"id of {listing.name}", row_id, known, lists)
    parts = {"kind": listing.name, "row": _whole(row)}
    if isinstance(row, CatalogRow):
        parts["sources"] = catalog.sources_of(row.source)
    return Report(schema=SCHEMA, title=f"Catalogue: {listing.name} {row_id}", parts=parts)


def _listings() -> dict[str, _Listing]:
    found = [
        _Listing(item.name, item.text, item.columns, _reader(item.name))
        for item in catalog.KINDS.values()
    ]
    found += [
        _Listing(
            "design-fields",
            "choices of design.yaml: unit, default, range, source",
            ("path", "kind", "unit", "default", "text", "verified"),
            catalog.design_fields,
        ),
        _Listing(
            "sources",
            "texts that the rows name as their sources",
            ("id", "title", "publisher"),
            catalog.sources,
        ),
    ]
    return {item.name: item for item in found}


def _reader(kind: str) -> Callable[[], dict[str, Any]]:
    return lambda: {row.id: row for row in catalog.rows(kind)}


def _unknown(what: str, name: str, known: Iterable[str], lists: str) -> InputError:
    error = catalog.UnknownRowError(what, name, known)
    return InputError(Problem(f"unknown {what} {name!r}", hint=error.hint or f"{lists} them"))


def _list_of(listing: _Listing, rows: Iterable[Any]) -> tuple[Any, ...]:
    """Rows with every simple field; the terminal shows the columns of the kind alone."""
    found = list(rows)
    if not found:
        return ()
    shown = ("id", "name", *listing.columns, "verified")
    names = [f.name for f in dataclasses.fields(found[0]) if f.name != "flow_table"]
    names.sort(key=lambda name: shown.index(name) if name in shown else len(shown))
    names.sort(key=_ABOUT.__contains__)
    cells = [{name: _plain(getattr(row, name)) for name in names} for row in found]
    quiet = {name for name in names if name not in shown}
    line = _line_class(cells, quiet, {})
    return tuple(line(**cell) for cell in cells)


def _whole(row: Any) -> Any:
    """One row, every field with its own flag as the basis."""
    names = [f.name for f in dataclasses.fields(row)]
    names.sort(key=_ABOUT.__contains__)
    flags = {}
    if isinstance(row, CatalogRow):
        flags = {name: _flag(row, name) for name in names}
    cells = {name: _plain(getattr(row, name)) for name in names}
    # the sources follow as a table of their own
    quiet = {*_QUIET, "source"} if isinstance(row, CatalogRow) else set(_QUIET)
    return _line_class([cells], quiet, flags)(**cells)


def _flag(row: CatalogRow, name: str) -> str:
    if name in ("id", "name", "verified", *_ABOUT) or getattr(row, name) in (None, "", ()):
        return ""
    flag = row.verified_of(name)
    return _FLAG_WORDS.get(flag, flag)


def _line_class(cells: list[dict[str, Any]], quiet: set[str], flags: dict[str, str]) -> Any:
    """A dataclass of the fields of `cells` whose metadata say how they are printed."""
    fields: list[Any] = []
    for name in cells[0]:
        label = label_of(stem_of(name) if unit_of(name) else name)
        digits = _digits([cell[name] for cell in cells])
        info = FigureInfo(label, flags.get(name, ""), "given", name in quiet, digits)
        fields.append((name, Any, dataclasses.field(metadata={"figure": info})))
    return dataclasses.make_dataclass("CatalogLine", fields, frozen=True, eq=False)


def _digits(values: list[Any]) -> int | None:
    """Decimals that print the numbers of a column as the catalogue has them, None for others."""
    numbers = [value for value in values if isinstance(value, float)]
    texts = [f"{value:.10g}" for value in numbers]
    if not texts or any("e" in text for text in texts):
        return None
    return max(len(text.partition(".")[2]) for text in texts)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and value and isinstance(value[0], Breakout):
        return tuple(f"{item.ports}x{item.gbps:g}" for item in value)
    return value
