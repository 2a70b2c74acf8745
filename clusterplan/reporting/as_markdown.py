"""A report as Markdown: headings, pipe tables, calculation sheets on request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clusterplan.reporting.numbers import clean, exact_text
from clusterplan.reporting.rows import infeasible_reason
from clusterplan.reporting.sheet_text import equation_text, result_text, source_text
from clusterplan.reporting.tables import PrintedTable, printed_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet

_SPECIAL = re.compile(r"([\\`*\[\]<>|~$])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def to_markdown(report: Report, *, units: str = "metric", sheets: Sequence[Sheet] = ()) -> str:
    """The report in `metric` or `us` units; user text is escaped, cells stay on one line."""
    blocks = [f"# {escaped(report.title)}"]
    if reason := infeasible_reason(report):
        blocks.append(f"**Not feasible:** {escaped(reason)}.")
    if report.drawing:
        blocks.append(f"```text\n{report.drawing}\n```")
    heading = ""
    for table in printed_tables(report, units):
        if table.title != heading:
            heading = table.title
            blocks.append(f"## {escaped(heading)}")
        blocks.append(markdown_table(table))
    if sheets:
        blocks.append("## Calculation sheets")
        blocks += [_sheet(sheet, units) for sheet in sheets]
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown prints as it is."""
    return _SPECIAL.sub(lambda match: "\\" + match[0], clean(text).replace("&", "&amp;"))


def markdown_table(table: PrintedTable) -> str:
    """One table, numbers to the right."""
    lines = [
        _line([escaped(header) for header in table.headers]),
        _line(["---:" if number else "---" for number in table.numeric]),
    ]
    lines += [_line([escaped(cell) for cell in cells]) for cells in table.texts]
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _sheet(sheet: Sheet, units: str) -> str:
    lines = [f"### {escaped(sheet.title)}", ""]
    if sheet.equation:
        lines += [f"    {clean(equation_text(sheet))}", ""]
    if sheet.inputs:
        lines += ["| Input | Value | Unit | From |", "|---|---:|---|---|"]
        for item in sheet.inputs:
            cells = (item.name, exact_text(item.value), item.unit, item.origin)
            lines.append(_line([escaped(cell) for cell in cells]))
        lines.append("")
    lines += [f"- {escaped(result_text(result, units))}" for result in sheet.results]
    lines += ["", escaped(source_text(sheet))]
    return "\n".join(lines)
