"""Calculation sheets: how each figure came about, printed from the record of the run itself.

A figure is explained by the recorded call of its formula that gave exactly this value, or by the
note of where a given or catalogue figure came from. Intermediate steps are printed before the
figures that they feed.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterplan.core.errors import InputError, Problem, one_of
from clusterplan.core.record import Given, Step
from clusterplan.core.shown_units import unit_of
from clusterplan.reporting.labels import label_of, pretty_unit, stem_of
from clusterplan.reporting.numbers import is_number, is_unknown
from clusterplan.reporting.rows import UNDECLARED, Table, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.figures import Row
    from clusterplan.core.record import Recorder
    from clusterplan.core.results.plan import Report

GIVEN = "given"
# digits from which equal values of one unit are no coincidence
_TELLING = 10


@dataclass(frozen=True)
class Result:
    """One figure that a sheet explains; `path` is empty for an intermediate result."""

    path: str
    label: str
    value: Any
    unit: str


@dataclass(frozen=True)
class Input:
    """One input of a formula and where it came from (a formula, or a path with its source)."""

    name: str
    value: Any
    unit: str
    origin: str


@dataclass(frozen=True)
class Sheet:
    """How figures came about: by one formula call, or given (then without equation and inputs)."""

    title: str
    formula: str
    equation: str
    inputs: tuple[Input, ...]
    results: tuple[Result, ...]
    source: str
    verified: str


def explain_row(row: Row, record: Recorder | None) -> Step | Given | None:
    """What explains a row: the step or the note that gave exactly its value, or None."""
    if record is None:
        return None
    note = record.givens.get(row.path)
    if note is not None and note.value != row.value:
        note = None
    if row.info.formula == GIVEN:
        return note
    names = row.name if row.info.formula in ("", UNDECLARED) else row.info.formula
    for name in names.split("|"):
        try:
            step = record.find(name, row.value)
        except AttributeError:  # a formula attribute that its result does not have
            step = None
        if step is not None:
            return step
    return note


def unexplained(report: Report, *, undeclared: bool = False) -> list[Row]:
    """The figures of the terminal report that nothing in the record explains.

    With `undeclared` also numbers in tables whose fields were not declared with `figure()`.
    """
    return [
        row
        for row, table, line in _printed_rows(report, details=False)
        if (undeclared or row.info.formula != UNDECLARED)
        and _explanation(row, table, line, report.record) is None
    ]


def sheets(report: Report, section: str | None = None) -> list[Sheet]:
    """The calculation sheets in the order of the report, intermediate steps before their use.

    section: a part (`cooling`), a path in it (`cooling.cdus`), the name of a figure (`pue_peak`),
    or None, "" or "all" for everything. Raises InputError for what the report does not have.
    """
    wanted = "" if section in (None, "", "all") else str(section)
    rows = list(_printed_rows(report, details=True))
    chosen = [
        (row, _explanation(row, table, line, report.record))
        for row, table, line in rows
        if _within(row.path, wanted) or _within(_stated_path(table, line), wanted)
    ] or [
        (row, _explanation(row, table, line, report.record))
        for row, table, line in rows
        if wanted in (row.name, stem_of(row.name))
    ]
    if wanted and not chosen:
        raise InputError(_nothing_of(wanted, [row for row, _, _ in rows]))
    if report.record is None:
        book = _Book(None, [], [])
    else:
        book = _Book(report.record, [*_ledger(report), *_catalogue(report.record)], rows)
    for row, found in chosen:
        book.add(row, found)
    return book.sheets()


def _nothing_of(wanted: str, rows: list[Row]) -> Problem:
    """What to say of a section or figure that the report does not have."""
    sections = list(dict.fromkeys(row.section for row in rows))
    names = dict.fromkeys(row.path if "." in wanted else row.name for row in rows)
    hint = one_of(wanted, [*sections, *names])
    if not hint.startswith("did"):
        hint = f"sections: {', '.join(sections)}"
    return Problem(f"no figures to explain in {wanted!r}", path="--explain", hint=hint)


def _within(path: str, wanted: str) -> bool:
    return not wanted or path == wanted or path.startswith(f"{wanted}.")


def _printed_rows(
    report: Report, *, details: bool
) -> Iterator[tuple[Row, Table | None, tuple[Row, ...]]]:
    """Rows with a known number, with the table line in which they stand."""
    for top in parts_of(report):
        for part in top.walk():
            for row in part.figures:
                if _is_figure(row) and (details or not row.info.detail):
                    yield row, None, ()
            for table in part.tables:
                for line in table.lines:
                    for row in line:
                        if _is_figure(row) and (details or not row.info.detail):
                            yield row, table, line


def _is_figure(row: Row) -> bool:
    return is_number(row.value) and not is_unknown(row.value)


def _explanation(
    row: Row, table: Table | None, line: tuple[Row, ...], record: Recorder | None
) -> Step | Given | None:
    """As `explain_row`; a table line that states its source (an assumption) explains itself."""
    path = _stated_path(table, line)
    if table is not None and path and row.name == "value":
        source, verified = (str(table.sibling(line, name) or "") for name in ("source", "verified"))
        return Given(path, row.value, row.unit, source, verified)
    return explain_row(row, record)


def _stated_path(table: Table | None, line: tuple[Row, ...]) -> str:
    """The path that a line of assumptions is about; empty for any other line."""
    if table is None or not table.sibling(line, "source"):
        return ""
    return str(table.sibling(line, "path") or "")


def _ledger(report: Report) -> list[Given]:
    """The assumptions of the report, as notes of where an input came from."""
    found = []
    for row, table, line in _printed_rows(report, details=True):
        if _stated_path(table, line):
            note = _explanation(row, table, line, None)
            if isinstance(note, Given):
                found.append(note)
    return found


def _catalogue(record: Recorder) -> list[Given]:
    """The figures of the catalogue rows that were looked up."""
    return [
        Given(f"{path}.{item.name}", value, unit_of(item.name), row.source, row.verified)
        for path, row in record.rows.items()
        for item in dataclasses.fields(row)
        if is_number(value := getattr(row, item.name))
    ]


class _Book:
    """Collects sheets, each step once, whatever feeds it first."""

    def __init__(
        self,
        record: Recorder | None,
        ledger: list[Given],
        rows: list[tuple[Row, Table | None, tuple[Row, ...]]],
    ) -> None:
        self._steps = record.steps if record is not None else []
        self._place = _first_places(self._steps)
        notes = [*(record.givens.values() if record is not None else ()), *ledger]
        self._notes = _by_value([(note.value, note) for note in notes])
        self._record = record
        self._figures = _by_value([(row.value, row) for row, _, line in rows if not line])
        self._outcomes = _by_value(
            [
                (value, (place, name, unit))
                for place, step in enumerate(self._steps)
                if self._place[id(step)] == place
                for name, value, unit in _outcomes(step)
            ]
        )
        # by step place, or by path of a given figure, in order of printing
        self._results: dict[int | str, list[Result]] = {}
        self._given: dict[str, Given] = {}

    def add(self, row: Row, found: Step | Given | None) -> None:
        """Take in a figure and what explains it."""
        if found is None:
            return
        if isinstance(found, Given):
            label = row.label if found.path == row.path else "assumed"
            result = Result(found.path, label, row.value, row.unit)
            self._given[row.path] = found
            self._results.setdefault(row.path, []).append(result)
            return
        result = Result(row.path, row.label, row.value, row.unit)
        place = self._place[id(found)]
        self._feed(place)
        self._results.setdefault(place, []).append(result)

    def _feed(self, place: int) -> None:
        """Put the steps that feed a step before it."""
        if place in self._results:
            return
        pending = [(place, False)]
        while pending:
            here, fed = pending.pop()
            if here in self._results:
                continue
            if fed:
                self._results[here] = []
                continue
            pending.append((here, True))
            inputs = self._steps[here].inputs
            origins = [self._origin_step(here, n, inputs[n]) for n in reversed(inputs)]
            pending += [(o[0], False) for o in origins if o is not None]

    def _origin_step(self, place: int, name: str, value: Any) -> tuple[int, str] | None:
        """The step before `place` whose result an input is: same value, and same name or unit."""
        if not is_number(value):
            return None
        best: tuple[int, str] | None = None
        rank = 0
        for earlier, outcome, unit in self._outcomes.get(value, ()):
            if earlier >= place:
                break
            if outcome == name:
                score = 3
            elif unit == unit_of(name) and _alike(outcome, name):
                score = 2
            elif unit == unit_of(name) and len(repr(value)) >= _TELLING:
                score = 2 if _related(outcome, name) else 1
            else:
                continue
            if score >= rank:
                best, rank = (earlier, self._steps[earlier].formula.name), score
        return best

    def _origin(self, place: int, name: str, value: Any) -> str:
        step = self._origin_step(place, name, value)
        if step is not None:
            return f"from {step[1]}"
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return ""
        notes = [note for note in self._notes.get(value, ()) if _matches(note, name)]
        if notes:
            note = max(notes, key=lambda n: len(_words(n.path) & _words(name)))
            return f"{note.path}: {_first_source(note.source)}" if note.source else note.path
        figures = [
            row
            for row in self._figures.get(value, ())
            if _matches(row, name) and self._is_before(row, place)
        ]
        return figures[0].path if figures else ""

    def _is_before(self, row: Row, place: int) -> bool:
        """Whether a printed figure came about before a step, so that it may be its input."""
        found = explain_row(row, self._record)
        return not isinstance(found, Step) or self._place[id(found)] < place

    def sheets(self) -> list[Sheet]:
        """The sheets in the order of printing."""
        return [
            self._given_sheet(key, results)
            if isinstance(key, str)
            else self._step_sheet(key, results)
            for key, results in self._results.items()
        ]

    def _given_sheet(self, path: str, results: list[Result]) -> Sheet:
        note = self._given[path]
        shared = note.path == path
        title = results[0].label if shared else label_of(stem_of(note.path.rpartition(".")[2]))
        return Sheet(title, GIVEN, "", (), tuple(results), note.source, note.verified)

    def _step_sheet(self, place: int, results: list[Result]) -> Sheet:
        step = self._steps[place]
        entry = step.formula
        if not results:
            results = [
                Result("", label_of(stem_of(name)), value, unit)
                for name, value, unit in _outcomes(step, everything=True)
            ]
        inputs = tuple(
            Input(name, value, unit_of(name), self._origin(place, name, value))
            for name, value in step.inputs.items()
        )
        return Sheet(
            entry.title, entry.name, entry.equation, inputs, tuple(results), entry.source, ""
        )


def _first_places(steps: list[Step]) -> dict[int, int]:
    """Place of each step, by identity: that of the first step of its formula with its inputs."""
    first: dict[tuple[str, str], int] = {}
    return {
        id(step): first.setdefault((step.formula.name, repr(step.inputs)), place)
        for place, step in enumerate(steps)
    }


def _by_value(entries: list[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    index: dict[Any, list[Any]] = {}
    for value, entry in entries:
        if isinstance(value, str | int | float):
            index.setdefault(value, []).append(entry)
    return index


def _outcomes(step: Step, *, everything: bool = False) -> Iterator[tuple[str, Any, str]]:
    """Name, value and unit of each figure that a step gave (one, or the fields of its result)."""
    result, entry = step.result, step.formula
    names: tuple[str, ...] = ()
    if hasattr(result, "_fields"):
        names = result._fields
    elif dataclasses.is_dataclass(result):
        names = tuple(item.name for item in dataclasses.fields(result))
    if not names:
        yield entry.name, result, pretty_unit(entry.unit)
    for name in names:
        value = getattr(result, name)
        if is_number(value) or everything:
            yield name, value, unit_of(name)


def _words(name: str) -> set[str]:
    """The telling words of a name or path, units and short words left out."""
    return {word for word in stem_of(name.replace(".", "_")).split("_") if len(word) > 1}


def _matches(item: Given | Row, name: str) -> bool:
    """Whether a note or figure names the same thing as a parameter, in its unit."""
    unit = unit_of(name)
    return _related(item.path, name) and (
        not (item.unit and unit) or pretty_unit(item.unit) == unit
    )


def _first_source(source: str) -> str:
    """The source of an input in a few words: the first of the catalogue's ids."""
    first, *more = source.split(";")
    return f"{first} and {len(more)} more" if more and " " not in source.strip() else source


def _alike(outcome: str, name: str) -> bool:
    """Whether one name says no more than the other (`leaf` and `leaf_switches`)."""
    here, there = _words(outcome), _words(name)
    return bool(here & there) and (here <= there or there <= here)


def _related(path: str, name: str) -> bool:
    """Whether a path names the same thing as a parameter: the last part shares its words."""
    leaf = _words(path.rsplit(".", 1)[-1])
    return bool(leaf & _words(name))
