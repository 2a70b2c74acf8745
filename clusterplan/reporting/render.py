"""One door to every format: a report in, text or bytes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem, one_of

if TYPE_CHECKING:
    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet

FORMATS = ("table", "json", "csv", "markdown", "html", "xlsx")
UNIT_SYSTEMS = ("metric", "us")


def render(
    report: Report,
    format: str,
    *,
    units: str = "metric",
    width: int | None = None,
    color: bool = False,
    explain: str | None = None,
) -> str | bytes:
    """A report in one of `FORMATS`: text, or bytes for xlsx.

    units: "metric" or "us" (JSON is always metric: its keys name the units); width and color hold
    for the table only (80 cells without one); explain: None for no calculation sheets, "all", or a
    section or path, of which the table shows the sheets alone. Raises InputError for an unknown
    format, unit system or section.
    """
    _known("--format", format, FORMATS)
    _known("--units", units, UNIT_SYSTEMS)
    # each branch loads its own format only
    found: list[Sheet] = []
    if explain is not None:
        from clusterplan.reporting.sheets import sheets

        found = sheets(report, explain)
    if format == "json":
        from clusterplan.reporting.as_json import to_json

        return to_json(report, sheets=None if explain is None else found)
    if format == "csv":
        from clusterplan.reporting.as_csv import to_csv

        return to_csv(report, units=units, sheets=found)
    if format == "markdown":
        from clusterplan.reporting.as_markdown import to_markdown

        return to_markdown(report, units=units, sheets=found)
    if format == "html":
        from clusterplan.reporting.as_html import to_html

        return to_html(report, units=units, sheets=found)
    if format == "xlsx":
        from clusterplan.reporting.as_xlsx import to_xlsx

        return to_xlsx(report, units=units, sheets=found)
    from clusterplan.reporting.as_text import sheets_text, to_text

    size = width or 80
    if explain not in (None, "", "all"):  # the report would bury what was asked for
        return sheets_text(report, found, units=units, width=size, color=color)
    return to_text(report, units=units, width=size, color=color, sheets=found)


def _known(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(Problem(f"unknown {value!r}", path=option, hint=one_of(value, known)))
