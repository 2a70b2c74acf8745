"""A report as an Excel workbook: one sheet per part, numbers unrounded, text as text."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from clusterplan.core.errors import MissingExtraError
from clusterplan.reporting.labels import label_of
from clusterplan.reporting.layout import width_of
from clusterplan.reporting.numbers import UNKNOWN, is_number, is_unknown
from clusterplan.reporting.rows import infeasible_reason
from clusterplan.reporting.tables import PrintedTable, printed_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet

_CELL_LIMIT = 32767  # characters, a limit of the format
_NAME_LIMIT = 31
_COLUMN_WIDTH = 60
_PAGE_WIDTH = 240  # characters across a landscape page that still can be read
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\']")


def to_xlsx(report: Report, *, units: str = "metric", sheets: Sequence[Sheet] = ()) -> bytes:
    """The workbook in `metric` or `us` units; unknown is the word, not a number.

    Raises MissingExtraError where xlsxwriter is not installed.
    """
    try:
        import xlsxwriter
    except ImportError as error:
        message = "XLSX needs xlsxwriter: pip install 'clusterplan[report]'"
        raise MissingExtraError(message) from error
    buffer = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(buffer, options) as workbook:
        book = _Book(workbook)
        book.text("Report", [[report.title], *_reason(report)])
        for table in printed_tables(report, units):
            book.table(label_of(table.part), table)
        for sheet in sheets:
            book.calculation(sheet)
        book.lay_out()
    return buffer.getvalue()


def _reason(report: Report) -> list[list[Any]]:
    reason = infeasible_reason(report)
    return [["Not feasible", reason]] if reason else []


class _Book:
    """Writes tables below each other, each part on the sheet of its name."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._bold = workbook.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        self._wrapped = workbook.add_format({"text_wrap": True, "valign": "top"})
        self._sheets: dict[str, Any] = {}
        self._next: dict[str, int] = {}
        self._widths: dict[str, dict[int, int]] = {}
        self._heads: dict[str, list[int]] = {}

    def text(self, part: str, lines: list[list[Any]]) -> None:
        """Lines of free cells."""
        for cells in lines:
            self._line(part, cells)

    def table(self, part: str, table: PrintedTable) -> None:
        """A table under its title, with a blank line below."""
        if table.title != part:
            self._line(part, [table.title], bold=True)
        self._line(part, list(table.headers), bold=True)
        self._heads.setdefault(part, []).append(self._next[part])
        for cells in table.values:
            self._line(part, [UNKNOWN if cell is None else cell for cell in cells])
        self._line(part, [])

    def calculation(self, sheet: Sheet) -> None:
        """A calculation sheet: title, equation, inputs, results, source."""
        part = "Calculation sheets"
        self._line(part, [sheet.title], bold=True)
        if sheet.equation:
            self._line(part, [sheet.formula, sheet.equation])
        for item in sheet.inputs:
            self._line(part, [item.name, item.value, item.unit, item.origin])
        for result in sheet.results:
            self._line(part, [result.path or result.label, result.value, result.unit])
        self._line(part, ["Source", sheet.source])
        self._line(part, [])

    def lay_out(self) -> None:
        """Headers that stay in sight, and pages across that hold a sheet where it is legible."""
        for part, sheet in self._sheets.items():
            sheet.set_landscape()
            if sum(self._widths[part].values()) <= _PAGE_WIDTH:
                sheet.fit_to_pages(1, 0)
            heads = self._heads.get(part, [])
            if len(heads) == 1:  # of several tables the headers of one would mislead
                sheet.freeze_panes(heads[0], 0)
                sheet.repeat_rows(heads[0] - 1)

    def _line(self, part: str, cells: list[Any], *, bold: bool = False) -> None:
        sheet = self._sheet(part)
        row = self._next[part]
        for place, cell in enumerate(cells):
            is_long = isinstance(cell, str) and len(cell) > _COLUMN_WIDTH
            style = self._bold if bold else self._wrapped if is_long else None
            _write(sheet, row, place, cell, style)
            # a lone cell is a title and may overhang
            size = min(_COLUMN_WIDTH, width_of(str(cell)) + 2) if len(cells) > 1 else 10
            if size > self._widths[part].get(place, 0):
                self._widths[part][place] = size
                sheet.set_column(place, place, size)
        self._next[part] = row + 1

    def _sheet(self, part: str) -> Any:
        if part not in self._sheets:
            name = _NOT_IN_NAMES.sub(" ", part).strip()[:_NAME_LIMIT] or "Part"
            taken = {sheet.get_name().lower() for sheet in self._sheets.values()}
            count = 2
            while name.lower() in taken or name.lower() == "history":
                name = f"{name[: _NAME_LIMIT - 4]} {count}"
                count += 1
            self._sheets[part] = self._workbook.add_worksheet(name)
            self._next[part] = 0
            self._widths[part] = {}
        return self._sheets[part]


def _write(sheet: Any, row: int, place: int, cell: Any, style: Any) -> None:
    if isinstance(cell, bool):
        sheet.write_boolean(row, place, cell, style)
    elif is_number(cell) and not is_unknown(cell) and abs(cell) < 1e15:
        sheet.write_number(row, place, cell, style)
    elif cell not in (None, ""):
        text = str(cell).encode("utf-8", "replace").decode()
        sheet.write_string(row, place, text[:_CELL_LIMIT], style)
