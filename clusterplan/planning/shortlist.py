"""The best rows of a long list, compared in full: calendars, costs, and how sure the order is.

Their inputs are read again from the list, so a run holds no more than the rows it compares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.inputs.candidate_table import id_of, raw_rows
from clusterplan.planning.candidates import inputs_of
from clusterplan.planning.compare import compare_assessed
from clusterplan.planning.comparison_settings import Settings
from clusterplan.planning.ranked_site import assessed
from clusterplan.planning.site_doubt import drawn_sites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clusterplan.core.results.compare import SiteRow
    from clusterplan.core.results.plan import Report
    from clusterplan.inputs.candidate_table import RawRow
    from clusterplan.planning.candidates import Options
    from clusterplan.planning.list_ranking import Place

CHANGED = "was changed while its rows were sized"


class Shortlist(NamedTuple):
    """The comparison of the best rows; left_out: ids that only a whole plan refuses, and why."""

    report: Report | None = None
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def sites(self) -> tuple[SiteRow, ...]:
        """Its sites by rank."""
        return () if self.report is None else self.report.parts["sites"]


def best_places(places: Sequence[Place], options: Options) -> list[Place]:
    """The places that are compared in full: the best of each gate class, or all of a short list."""
    return list(drawn_sites(places, Settings(options.comparison)))


def compare_best(
    best: Sequence[Place], options: Options, step: Callable[[], None] | None = None
) -> Shortlist:
    """Compare these rows of the list as sites of their own; `step` is called twice for each.

    Raises InputError where the list is no longer what it was.
    """
    settings = Settings(options.comparison)
    sites = []
    left_out = []
    for place, raw in _rows_of(best, options):
        try:
            sites.append(assessed(inputs_of(raw, options), settings))
        except InputError as error:
            left_out.append((place.id, "; ".join(str(problem) for problem in error.problems)))
        if step is not None:
            step()
    if not sites:
        return Shortlist(None, tuple(left_out))
    return Shortlist(compare_assessed(sites, settings, step), tuple(left_out))


def _rows_of(best: Sequence[Place], options: Options) -> Iterator[tuple[Place, RawRow]]:
    """The places with their rows, in the order of the list; read no further than needed."""
    table = options.table
    wanted = {place.line: place for place in best}
    try:
        for raw in raw_rows(table):
            place = wanted.pop(raw.line, None)
            if place is None:
                continue
            # a folder has its id inside its site file
            if not table.files and id_of(table, raw) != place.id:
                raise InputError(Problem(CHANGED, str(table.path), raw.line))
            yield place, raw
            if not wanted:
                return
    except OSError as error:
        message = f"cannot be read again: {error.strerror or error}"
        raise InputError(Problem(message, str(table.path))) from None
    if wanted:
        raise InputError(Problem(CHANGED, str(table.path)))
