"""`clusterplan compare-sites LIST.csv`: a long list sized, gated and ranked, its best compared."""

from __future__ import annotations

import csv
import glob
import io
import itertools
import os
import sys
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.cli.output import tell
from clusterplan.cli.rack_option import accelerator_row, rack_row
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.results.compare import SetAside, SiteRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import BinaryIO

    from clusterplan.core.results.plan import Report
    from clusterplan.inputs.candidate_table import RawRow
    from clusterplan.planning.candidate_journal import Journal
    from clusterplan.planning.candidates import Options
    from clusterplan.planning.comparison_settings import Options as Comparison
    from clusterplan.planning.list_ranking import Ranking
    from clusterplan.planning.shortlist import Shortlist

SHOWN = 25
SHOWN_ASIDE = 20


class Run(NamedTuple):
    """How a list is run."""

    workers: int = 1
    dask: str | None = None
    rack: str | None = None
    comparison: Comparison | None = None


def run(path: Path, how: Run, output: Path | None = None, *, whole: bool = True) -> Report:
    """Size and rank the rows of a list, and compare the best in full.

    With `output` the whole table goes there as CSV, the figures of the comparison in the rows
    compared. The report has all rows if `whole`, else the first of them and of those set aside.
    Raises InputError for what no row can be read with.
    """
    from clusterplan import __version__
    from clusterplan.inputs.candidate_table import open_table, open_tree, raw_rows
    from clusterplan.planning.candidate_journal import Journal, fingerprint
    from clusterplan.planning.candidates import Options
    from clusterplan.planning.comparison_settings import Options as Comparison
    from clusterplan.planning.comparison_settings import Settings

    if not 1 <= how.workers <= 256:
        raise InputError(Problem(f"--workers {how.workers}: 1 to 256 is due"))
    table = open_tree(path) if path.is_dir() else open_table(path)
    if table.encoding == "cp1252":
        tell(f"{path} is not UTF-8; read as Windows-1252")
    comparison = how.comparison or Comparison()
    Settings(comparison)  # what is wrong with it is said before a row is sized
    if how.rack is not None:
        accelerator_row(rack_row(how.rack))
    options = Options(table, how.rack, comparison)
    mark = fingerprint(options, __version__)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "journal"
        if output is not None:
            kept = output.with_name(f".{output.name}.{mark[:12]}.part")
        today = datetime.now(UTC).date().isoformat()
        journal = Journal(kept, mark, today, lasting=output is not None)
        done = journal.open()
        if comparison.start is None:  # one day for all workers, and for a run that goes on later
            comparison = comparison._replace(start=date.fromisoformat(journal.start))
            options = options._replace(comparison=comparison)
        if done:
            tell(f"{done:,} rows were done before; going on after them")
        elif output is not None:
            _tell_of_others(output, kept)
        try:
            rows = itertools.islice(raw_rows(table), done, None)
            _size(rows, options, how, journal, done)
            report = _report(journal, options, output, whole=whole)
        finally:
            journal.close()
        journal.remove()
    return report


def _tell_of_others(output: Path, kept: Path) -> None:
    """Say that a run stopped here which was not of this list, these options and this program."""
    others = sorted(output.parent.glob(f".{glob.escape(output.name)}.*.part"))
    for other in others:
        if other != kept:
            tell(f"{other} is of a list or options that changed since; not used, delete it")


def _size(rows: Iterable[RawRow], options: Options, how: Run, journal: Journal, done: int) -> None:
    from clusterplan.planning import candidate_run

    chunks = candidate_run.chunks_of(rows)
    if how.dask is not None:
        results = candidate_run.run_dask(chunks, options, how.dask)
    elif how.workers > 1:
        results = candidate_run.run_processes(chunks, options, how.workers)
    else:
        results = candidate_run.run_here(chunks, options)
    with _Progress("sites", options.table.lines, done) as progress:
        for outcomes in results:
            journal.add(outcomes)
            progress.advance(len(outcomes))


class _Progress:
    """A bar with the time left on standard error, where that is a terminal."""

    def __init__(self, what: str, total: int, done: int = 0) -> None:
        self._what = what
        self._bar: Any = None
        self._task: Any = None
        self._total, self._done = total, done

    def __enter__(self) -> _Progress:
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            from rich import progress
            from rich.console import Console

            self._bar = progress.Progress(
                progress.TextColumn(self._what),
                progress.BarColumn(),
                progress.MofNCompleteColumn(),
                progress.TimeElapsedColumn(),
                progress.TextColumn("left"),
                progress.TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("", total=self._total, completed=self._done)
        return self

    def advance(self, rows: int) -> None:
        """Count rows as done."""
        if self._bar is not None:
            self._bar.advance(self._task, rows)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _report(journal: Journal, options: Options, output: Path | None, *, whole: bool) -> Report:
    """Rank what the journal holds, and compare the best in full."""
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.list_ranking import ranking
    from clusterplan.planning.list_report import list_report

    found = ranking(journal)
    best = _compared(found, options)
    merged = {row.id: row for row in best.sites}
    if output is not None:
        _write(output, journal, found, merged)
        _write_aside(output, found.aside)
    count = len(found.places) if whole else SHOWN
    # the terminal shows the shortlist as a table of its own
    listed = _values(journal, found, merged if whole else {})
    rows = [SiteRow(**values) for values in itertools.islice(listed, count)]
    settings = Settings(options.comparison)
    return list_report(found, rows, best, settings, None if whole else SHOWN_ASIDE)


def _compared(found: Ranking, options: Options) -> Shortlist:
    from clusterplan.planning.shortlist import Shortlist, best_places, compare_best

    best = best_places(found.places, options)
    if not best:
        return Shortlist()
    with _Progress("shortlist", 2 * len(best)) as progress:
        return compare_best(best, options, lambda: progress.advance(1))


def _values(
    journal: Journal, found: Ranking, merged: Mapping[str, SiteRow]
) -> Iterator[dict[str, Any]]:
    """The rows of results in their order, with rank and what the comparison tells of them."""
    from clusterplan.planning.list_report import with_shortlist

    with journal.path.open("rb") as stream:
        for place, rank in zip(found.places, found.ranks, strict=True):
            row = journal.at(stream, place.offset).row or {}
            yield with_shortlist(row, merged.get(place.id)) | {"rank": rank}


def _write(output: Path, journal: Journal, found: Ranking, merged: Mapping[str, SiteRow]) -> None:
    """The ranked table, a line a site, unrounded, safe to open in a spreadsheet."""
    from clusterplan.reporting.files import write_atomic_by

    names = list(SiteRow.__dataclass_fields__)

    def write(file: BinaryIO) -> None:
        file.write(_line(names))
        for values in _values(journal, found, merged):
            file.write(_line([values.get(name) for name in names]))

    write_atomic_by(output, write)


def _write_aside(output: Path, aside: list[SetAside]) -> None:
    """The rows that could not be sized, with line and reason, beside the table."""
    from clusterplan.reporting.files import write_atomic

    beside = output.with_name(f"{output.stem}.set-aside{output.suffix}")
    if not aside:
        beside.unlink(missing_ok=True)  # of an earlier run
        return
    lines = [_line(["line", "id", "problem"])]
    lines += [_line([row.line, row.id, row.problem]) for row in aside]
    write_atomic(beside, b"".join(lines))
    tell(f"{len(aside):,} rows set aside: {beside}")


def _line(cells: list[Any]) -> bytes:
    from clusterplan.reporting.as_csv import csv_cell

    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow([csv_cell(cell) for cell in cells])
    return f"{buffer.getvalue()[:-2]}\n".encode()
