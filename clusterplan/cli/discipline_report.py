"""The report of a command that sizes one discipline alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan.core.results.plan import Report

if TYPE_CHECKING:
    from clusterplan.core.record import Recorder
    from clusterplan.planning.choices import Ledger


def discipline_report(
    name: str,
    title: str,
    section: Any,
    ledger: Ledger,
    record: Recorder,
    *,
    infeasible_reason: str | None = None,
    drawing: str = "",
    unfolded: tuple[str, ...] = (),
) -> Report:
    """The section under the key that `size` has it under, with what was assumed on the way.

    With an `infeasible_reason` the section is the largest or nearest that can be built; `unfolded`
    as in `Report`.
    """
    return Report(
        schema=f"clusterplan/{name}/1",
        title=title,
        parts={
            name: section,
            "assumptions": ledger.assumptions,
            "warnings": ledger.warnings,
        },
        record=record,
        feasible=infeasible_reason is None,
        infeasible_reason=infeasible_reason,
        drawing=drawing,
        unfolded=unfolded,
    )
