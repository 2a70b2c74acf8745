"""`clusterplan compare-sites`: load all sites, then size them side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.cli.compare_list import Run
    from clusterplan.core.results.plan import Report
    from clusterplan.inputs.loading import SiteInputs


def is_list(sites: Sequence[str]) -> bool:
    """Whether what is named is a CSV of candidates."""
    return any(Path(site).suffix.lower() in (".csv", ".tsv") for site in sites)


def run_list(
    sites: Sequence[str],
    how: Run,
    *,
    overrides: Sequence[str] = (),
    output_format: str | None = None,
    output: str | None = None,
) -> tuple[Report, bool]:
    """The report of a list, and whether the whole table is written to `output` already."""
    from clusterplan.cli import compare_list
    from clusterplan.reporting.files import format_of

    if len(sites) != 1:
        raise InputError(Problem("a CSV of candidates is compared by itself", hint="name it alone"))
    if overrides:
        problem = Problem("does not apply to a CSV", path="--set", hint="add a column instead")
        raise InputError(problem)
    target = None if output is None else Path(output)
    chosen = output_format or ("table" if target is None else format_of(target))
    if target is not None and chosen == "csv":
        return compare_list.run(Path(sites[0]), how, target, whole=False), True
    return compare_list.run(Path(sites[0]), how, whole=chosen != "table"), False


def run(
    sites: Sequence[str],
    *,
    rack: str | None = None,
    overrides: Sequence[str] = (),
    screen: bool = False,
) -> Report:
    """Sized sites in the order given. Raises InputError with the problems of all of them."""
    from clusterplan.cli.size import load
    from clusterplan.planning.compare import compare_sites

    loaded: list[SiteInputs] = []
    problems: list[Problem] = []
    for site in _spread(sites):
        try:
            loaded.append(replace(load(site, {"rack": rack}, overrides), screen=screen))
        except InputError as error:
            problems += error.problems
    seen: dict[str, str] = {}
    for inputs in loaded:
        where = inputs.files["site"]
        if inputs.site.id in seen:
            problems.append(
                Problem(f'id "{inputs.site.id}" is also that of {seen[inputs.site.id]}', where)
            )
        seen[inputs.site.id] = where
    if problems:
        raise InputError(problems)
    return compare_sites(loaded)


def _spread(sites: Sequence[str]) -> list[str]:
    """The sites named, with a folder of site folders in place of each of them."""
    found: list[str] = []
    for site in sites:
        folder = Path(site)
        inside = sorted(str(path.parent) for path in folder.glob("*/site.y*ml"))
        own = any(folder.glob("site.y*ml"))
        found += inside if inside and not own else [site]
    return found
