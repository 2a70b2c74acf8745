"""`clusterplan cooling --compare` and `--sweep`: the same cooling, looked at side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.results.plan import Report

if TYPE_CHECKING:
    from clusterplan.core.record import Recorder
    from clusterplan.planning.cooling_case import CoolingCase

PLAN, COMPARE, SWEEP = "plan", "compare", "sweep"


def view_of(*, compare: bool, sweep: bool, plot: str | None) -> str:
    """Which view the flags ask for. Raises InputError for flags that do not go together."""
    if compare and sweep:
        raise InputError(Problem("--compare and --sweep exclude each other", path="--sweep"))
    if plot is not None:
        if not sweep:
            raise InputError(
                Problem("is the picture of a sweep", path="--plot", hint="add --sweep")
            )
        if not plot.lower().endswith(".svg"):
            hint = "name a file that ends in .svg"
            raise InputError(Problem(f"cannot draw {plot!r}", path="--plot", hint=hint))
    if sweep:
        return SWEEP
    return COMPARE if compare else PLAN


def view_report(view: str, case: CoolingCase, title: str, record: Recorder) -> Report:
    """The report of a view. Raises InputError or InfeasibleError of the plan."""
    parts: dict[str, Any] = {}
    if view == SWEEP:
        from clusterplan.planning.cooling_sweep import supply_sweep

        parts["sweep"] = supply_sweep(case)
        title = f"{title}, by TCS supply"
    else:
        from clusterplan.planning.cooling_compare import cdu_options, heat_rejection_options

        rows, words = heat_rejection_options(case)
        parts["heat_rejection_options"], parts["heat_rejection_verdicts"] = rows, words
        parts["cdu_options"] = cdu_options(case)
        title = f"{title}, side by side"
    ledger = case.choices.ledger
    parts |= {"assumptions": ledger.assumptions, "warnings": ledger.warnings}
    return Report(schema=f"clusterplan/cooling-{view}/1", title=title, parts=parts, record=record)


def write_plot(report: Report, path: str) -> None:
    """Write the picture of a sweep. Raises InputError where the file cannot be written."""
    from pathlib import Path

    from clusterplan.reporting.files import write_atomic
    from clusterplan.reporting.supply_sweep_plot import supply_sweep_plot

    picture = supply_sweep_plot(report.parts["sweep"], report.title)
    try:
        write_atomic(Path(path), picture)
    except InputError as error:
        raise InputError([replace(problem, path="--plot") for problem in error.problems]) from None
