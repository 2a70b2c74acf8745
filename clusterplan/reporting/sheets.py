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
from clusterplan.reporting.labels import label_of, stem_of
from clusterplan.reporting.numbers import is_number, is_unknown
from clusterplan.reporting.rows import UNDECLARED, Table, parts_of
from clusterplan.reporting.sheet_origins import Origins, first_places, notes_of, outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.figures import Row
    from clusterplan.core.record import Recorder
    from clusterplan.core.results.plan import Report

GIVEN = "given"


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
    wanted = "" if section in (None, "", "all") else _dotted(str(section))
    rows = list(_printed_rows(report, details=True))
    chosen = [
        (row, _explanation(row, table, line, report.record))
        for row, table, line in rows
        if any(
            _within(path, wanted)
            for path in (
                row.path,
                _stated_path(table, line),
                _indexed_path(row, table, line),
                _id_path(row, table, line),
            )
        )
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
        book = _Book(report.record, _ledger(report), rows)
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


def _dotted(path: str) -> str:
    """A path as the sheets spell it: the file formats write `stages[1].racks`."""
    return path.replace("[", ".").replace("]", "")


def _indexed_path(row: Row, table: Table | None, line: tuple[Row, ...]) -> str:
    """The path of a table cell by the index of its line, whatever the line is called."""
    if table is None:
        return row.path
    return f"{table.path}.{table.places[table.lines.index(line)]}.{row.name}"


def _id_path(row: Row, table: Table | None, line: tuple[Row, ...]) -> str:
    """The path of a table cell by the id of its line, where it has one beside its name."""
    if table is None or not (found := table.sibling(line, "id")):
        return row.path
    return f"{table.path}.{found}.{row.name}"


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
    if record is not None and table is not None:
        by_place = _indexed_path(row, table, line)
        if by_place in record.named:
            return record.named[by_place]
        note = record.givens.get(by_place)
        if note is not None and note.value == row.value:
            return dataclasses.replace(note, path=row.path)
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


class _Book:
    """Collects sheets, each step once, whatever feeds it first."""

    def __init__(
        self,
        record: Recorder | None,
        ledger: list[Given],
        rows: list[tuple[Row, Table | None, tuple[Row, ...]]],
    ) -> None:
        self._steps = record.steps if record is not None else []
        self._place = first_places(self._steps)
        figures = [
            (row, self._made_at(row, record)) for row, _, line in rows if not line and record
        ]
        stated = None if record is None else record.origins
        self._origins = Origins(self._steps, self._place, notes_of(record, ledger), figures, stated)
        # by step place, or by path of a given figure, in order of printing
        self._results: dict[int | str, list[Result]] = {}
        self._given: dict[str, Given] = {}

    def _made_at(self, row: Row, record: Recorder | None) -> int:
        """Place of the step that gave a printed figure; -1 where it is no result."""
        found = explain_row(row, record)
        return self._place[id(found)] if isinstance(found, Step) else -1

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
            for name in reversed(inputs):
                feeding = self._origins.steps_of(here, name, inputs[name])
                pending += [(place, False) for place in reversed(feeding)]

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
                for name, value, unit in outcomes(step, everything=True)
            ]
        inputs = tuple(
            Input(name, value, unit_of(name), self._origins.text(place, name, value))
            for name, value in step.inputs.items()
        )
        return Sheet(
            entry.title, entry.name, entry.equation, inputs, tuple(results), entry.source, ""
        )
