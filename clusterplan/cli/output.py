"""Where a report goes: standard output or a file; what else there is to say goes to stderr."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.reporting.files import format_of, write_atomic
from clusterplan.reporting.numbers import clean
from clusterplan.reporting.render import render
from clusterplan.reporting.rows import infeasible_reason, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TextIO

    from clusterplan.core.results.plan import Report

DONE = 0
INFEASIBLE = 3
_FILE_WIDTH = 100  # of a table in a file, which should not depend on the terminal


def emit(
    report: Report,
    *,
    format: str | None = None,
    output: Path | None = None,
    units: str = "metric",
    explain: str | None = None,
) -> int:
    """Print a report, or write it to a file, and return the exit code: 0, or 3 if infeasible.

    Without `format` the file's suffix decides, else the terminal table. Raises InputError where
    the format is not known or the file cannot be written, and MissingExtraError.
    """
    chosen = format or ("table" if output is None else format_of(output))
    unplanned = "cooling" in report.parts and report.parts["cooling"] is None
    if explain and explain != "all" and unplanned:
        tell(f"no sheets of {explain!r}: nothing is planned")
        explain = None
    if output is not None:
        content = render(report, chosen, units=units, width=_FILE_WIDTH, explain=explain)
        write_atomic(output, content)
    else:
        if chosen == "xlsx" and sys.stdout.isatty():
            problem = Problem(
                "a workbook is not for a terminal", path="--format", hint="give -o FILE"
            )
            raise InputError(problem)
        color = wants_color(sys.stdout)
        content = render(report, chosen, units=units, width=_width(), color=color, explain=explain)
        _print(content)
    return _told(report, warnings=output is not None or chosen != "table")


def emit_text(report: Report, content: str, output: Path | None) -> int:
    """Print or write a document made from a report, as `emit` does; the same exit codes."""
    if output is None:
        _print(content)
    else:
        write_atomic(output, content)
    return _told(report, warnings=True)


def _told(report: Report, *, warnings: bool) -> int:
    if warnings:
        tell_warnings(report)
    if report.feasible:
        return DONE
    reason = clean(infeasible_reason(report))
    tell(f"not feasible: {reason}")
    return INFEASIBLE


def wants_color(stream: TextIO) -> bool:
    """Whether escape codes are welcome: a terminal that is not dumb, and no `NO_COLOR`."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _width() -> int:
    """Width of the terminal (`COLUMNS` first), 80 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns


def _print(content: str | bytes) -> None:
    """Write to standard output, escaped where its encoding has no such character."""
    with quiet_pipe():
        if isinstance(content, str):
            encoding = sys.stdout.encoding or "utf-8"
            content = content.encode(encoding, "replace")
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:  # a stand-in for standard output that takes text only
            sys.stdout.write(content.decode(sys.stdout.encoding or "utf-8", "replace"))
        else:
            sys.stdout.flush()
            buffer.write(content)
        sys.stdout.flush()


@contextlib.contextmanager
def quiet_pipe() -> Iterator[None]:
    """Write to standard output inside; a reader that stops early (`| head`) is no error."""
    try:
        yield
    except BrokenPipeError:
        # keeps the interpreter from failing again when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell_warnings(report: Report) -> None:
    """The warnings of a report, on stderr: for output that does not show them."""
    parts = [part for top in parts_of(report) for part in top.walk()]
    for part in parts:
        for table in part.tables:
            if {"code", "message"} <= {column.name for column in table.columns}:
                for line in table.lines:
                    found = {cell.name: clean(str(cell.value or "")) for cell in line}
                    place = f"{found['path']}: " if found.get("path") else ""
                    tell(f"warning: {place}{found['message']} [{found['code']}]")


def tell(text: str) -> None:
    """A line on stderr, without control characters."""
    print(clean(text), file=sys.stderr)  # noqa: T201  the one place that speaks to stderr about a report
