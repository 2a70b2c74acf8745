"""A report as one self-contained HTML page: no script, nothing loaded, readable in print."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from clusterplan.reporting.numbers import clean, exact_text
from clusterplan.reporting.rows import infeasible_reason
from clusterplan.reporting.sheet_text import equation_text, result_text, source_text
from clusterplan.reporting.tables import PrintedTable, printed_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --quiet: #666; --mark: #a40000; }
@media (prefers-color-scheme: dark) { :root { --quiet: #aaa; --mark: #ff8a80; } }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; list-style: none; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .3rem 0 1rem; }
caption { text-align: left; color: var(--quiet); }
th, td { padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; font-weight: normal; overflow-wrap: break-word; }
thead th { font-weight: 600; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
thead .n { white-space: normal; overflow-wrap: normal; vertical-align: bottom; }
.infeasible { color: var(--mark); font-weight: 600; }
article { break-inside: avoid; margin: 1rem 0; } h3 { font-size: 1rem; margin: 0; }
pre { white-space: pre-wrap; margin: .3rem 0; } .drawing { white-space: pre;
  overflow-x: auto; line-height: 1.2; } .source { color: var(--quiet); }
@media print { nav { display: none; } body { margin: 0; max-width: none; font-size: 10pt; }
  tr, h2 { break-inside: avoid; break-after: auto; } h2 { break-after: avoid; }
  .scroll { overflow: visible; } }
"""


def to_html(report: Report, *, units: str = "metric", sheets: Sequence[Sheet] = ()) -> str:
    """The page in `metric` or `us` units, user text escaped, with `sheets` at its end."""
    title = _text(report.title)
    tables = list(printed_tables(report, units))
    headings = list(dict.fromkeys(table.title for table in tables))
    body = [f"<h1>{title}</h1>"]
    if reason := _text(infeasible_reason(report)):
        body.append(f'<p class="infeasible" role="alert">Not feasible: {reason}.</p>')
    if report.drawing:
        lines = "\n".join(_text(line) for line in report.drawing.splitlines())
        body.append(f'<pre class="drawing">{lines}</pre>')
    names = [*headings, *(["Calculation sheets"] if sheets else [])]
    links = "".join(
        f'<li><a href="#part-{place}">{_text(name)}</a></li>' for place, name in enumerate(names)
    )
    body.append(f'<nav aria-label="Contents"><ul>{links}</ul></nav>')
    for place, heading in enumerate(headings):
        blocks = [_table(table) for table in tables if table.title == heading]
        body.append(_section(place, heading, blocks))
    if sheets:
        blocks = [_sheet(sheet, units) for sheet in sheets]
        body.append(_section(len(headings), "Calculation sheets", blocks))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def _text(text: str) -> str:
    return escape(clean(text))


def _section(place: int, heading: str, blocks: list[str]) -> str:
    name = f"part-{place}"
    return (
        f'<section aria-labelledby="{name}">\n<h2 id="{name}">{_text(heading)}</h2>\n'
        + "\n".join(blocks)
        + "\n</section>"
    )


def _table(table: PrintedTable) -> str:
    head = "".join(
        f'<th scope="col"{_number(number)}>{_text(header)}</th>'
        for header, number in zip(table.headers, table.numeric, strict=True)
    )
    lines = []
    for cells, values in zip(table.texts, table.values, strict=True):
        # words in a column of figures stand to the left, where they are read
        numbers = [
            numeric and not isinstance(value, str)
            for numeric, value in zip(table.numeric, values, strict=True)
        ]
        first = f'<th scope="row"{_number(numbers[0])}>{_text(cells[0])}</th>'
        rest = "".join(
            f"<td{_number(number)}>{_text(cell)}</td>"
            for cell, number in zip(cells[1:], numbers[1:], strict=True)
        )
        lines.append(f"<tr>{first}{rest}</tr>")
    return (
        f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n'
        + "\n".join(lines)
        + "\n</tbody>\n</table></div>"
    )


def _number(number: bool) -> str:
    return ' class="n"' if number else ""


def _sheet(sheet: Sheet, units: str) -> str:
    parts = [f"<article>\n<h3>{_text(sheet.title)}</h3>"]
    if sheet.equation:
        parts.append(f"<pre>{_text(equation_text(sheet))}</pre>")
    if sheet.inputs:
        texts = tuple(
            (item.name, exact_text(item.value), item.unit, item.origin) for item in sheet.inputs
        )
        values = tuple((item.name, item.value, item.unit, item.origin) for item in sheet.inputs)
        numeric = (False, True, False, False)
        headers = ("Input", "Value", "Unit", "From")
        parts.append(_table(PrintedTable("", "", headers, numeric, texts, values)))
    results = "".join(f"<li>{_text(result_text(item, units))}</li>" for item in sheet.results)
    parts.append(f"<ul>{results}</ul>")
    parts.append(f'<p class="source">{_text(source_text(sheet))}</p>\n</article>')
    return "\n".join(parts)
