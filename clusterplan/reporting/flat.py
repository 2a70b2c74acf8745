"""A report as flat lines, one value each: what CSV holds, nothing left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterplan.core.record import Given, Step
from clusterplan.reporting.numbers import converted, is_unknown
from clusterplan.reporting.rows import Table, infeasible_reason, parts_of
from clusterplan.reporting.sheets import explain_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusterplan.core.figures import Row
    from clusterplan.core.record import Recorder
    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet

COLUMNS = (
    "section",
    "path",
    "label",
    "value",
    "unit",
    "basis",
    "verified",
    "source",
    "equation",
)


@dataclass(frozen=True)
class FlatLine:
    """One value with everything that is known of it; `value` is unrounded, None where unknown."""

    section: str
    path: str
    label: str
    value: Any
    unit: str = ""
    basis: str = ""
    verified: str = ""
    source: str = ""
    equation: str = ""


def flat_lines(
    report: Report, units: str = "metric", sheets: Sequence[Sheet] = ()
) -> Iterator[FlatLine]:
    """Every value of a report in order; table cells under indexed paths (`limits[0].used`).

    Sources and equations need `report.record`; assumptions carry theirs. The inputs of `sheets`
    follow in a section `explain`.
    """
    if reason := infeasible_reason(report):
        yield FlatLine("report", "infeasible_reason", "Not feasible", reason)
    for top in parts_of(report):
        for part in top.walk():
            for row in part.figures:
                yield from _values(row, row.path, units, report.record)
            for table in part.tables:
                yield from _table_lines(table, units, report.record)
    for sheet in sheets:
        yield from _sheet_lines(sheet)


def _table_lines(table: Table, units: str, record: Recorder | None) -> Iterator[FlatLine]:
    about = {column.name for column in table.columns if table.is_about(column)}
    free = {column.name for column in table.columns if not column.own_unit}
    for line, place in zip(table.lines, table.places, strict=True):
        notes = {name: str(table.sibling(line, name) or "") for name in about if name != "unit"}
        for row in line:
            if row.name in about:
                continue
            path = f"{table.path}[{place}].{row.name}"
            given = notes if row.name in free else {}
            yield from _values(row, path, units, record, **given)


def _values(
    row: Row,
    path: str,
    units: str,
    record: Recorder | None,
    *,
    verified: str = "",
    source: str = "",
) -> Iterator[FlatLine]:
    value, unit = converted(row, units)
    equation = ""
    found = None if source else explain_row(row, record)
    if isinstance(found, Step):
        source, equation = found.formula.source, found.formula.equation
    elif isinstance(found, Given):
        source, verified = found.source, found.verified
    about = (unit, row.info.basis, verified, source, equation)
    if isinstance(value, tuple | list):
        for place, item in enumerate(value):
            yield FlatLine(row.section, f"{path}[{place}]", row.label, item, *about)
        return
    yield FlatLine(row.section, path, row.label, None if is_unknown(value) else value, *about)


def _sheet_lines(sheet: Sheet) -> Iterator[FlatLine]:
    name = next((result.path for result in sheet.results if result.path), sheet.formula)
    for item in sheet.inputs:
        path = f"{name}/{item.name}"
        yield FlatLine("explain", path, item.name, item.value, item.unit, source=item.origin)
    for result in sheet.results:
        yield FlatLine(
            "explain",
            result.path or f"{name}/{sheet.formula}",
            result.label,
            result.value,
            result.unit,
            "",
            sheet.verified,
            sheet.source,
            sheet.equation,
        )
