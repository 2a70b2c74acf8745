"""`clusterplan readiness`: the checklist of one site."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import Report


def run(site: str, *, rack: str | None = None, overrides: Sequence[str] = ()) -> Report:
    """The checklist. Raises InputError, InfeasibleError where no rack fits."""
    from clusterplan.cli.size import load
    from clusterplan.planning.readiness import readiness_report
    from clusterplan.planning.size_site import size_site

    inputs = load(site, {"rack": rack}, overrides)
    return readiness_report(inputs, size_site(inputs, record=False))
