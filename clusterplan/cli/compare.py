"""`clusterplan compare-sites`: load all sites, then size them side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import Report
    from clusterplan.inputs.loading import SiteInputs


def run(sites: Sequence[str], *, rack: str | None = None, overrides: Sequence[str] = ()) -> Report:
    """Sized sites in the order given. Raises InputError with the problems of all of them."""
    from clusterplan.cli.size import load
    from clusterplan.planning.compare import compare_sites

    loaded: list[SiteInputs] = []
    problems: list[Problem] = []
    for site in _spread(sites):
        try:
            loaded.append(load(site, {"rack": rack}, overrides))
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
