"""The dated ramp of a load letter: contracted and speculative apart, all halls in time order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import given
from clusterplan.core.results.load_letter import LetterStage
from clusterplan.inputs.datum import value_of
from clusterplan.planning.choices import Ledger
from clusterplan.planning.site_case import site_case
from clusterplan.sizing.load_letter import (
    contracted_mw,
    grid_load_mw,
    site_load_mw,
    speculative_mw,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.planning.load_letter import Hall

SECURED = ("agreement", "energised")
NEVER = "9999-12-31"  # undated steps come last


class _Step(NamedTuple):
    """One step of one hall before the halls are summed."""

    hall: str
    name: str
    energised: str | None
    status: str
    load_mw: float
    onsite_mw: float
    secured_mw: float


def ramp_of(halls: Sequence[Hall], existing_mw: float) -> tuple[LetterStage, ...]:
    """Every step of every hall, by date; totals are of what stands at that date."""
    steps = [step for hall in halls for step in _steps(hall)]
    steps.sort(key=lambda step: step.energised or NEVER)
    standing: dict[str, float] = {}
    rows = []
    for step in steps:
        standing[step.hall] = step.load_mw
        on_grid = grid_load_mw(step.load_mw, step.onsite_mw)
        contracted = contracted_mw(on_grid, step.secured_mw)
        rows.append(
            LetterStage(
                hall=step.hall,
                stage=step.name,
                energised=step.energised,
                status=step.status,
                load_mw=step.load_mw,
                onsite_firm_mw=step.onsite_mw,
                grid_mw=on_grid,
                contracted_mw=contracted,
                speculative_mw=speculative_mw(on_grid, contracted),
                total_load_mw=site_load_mw(tuple(standing.values()), existing_mw),
            )
        )
    for place, row in enumerate(rows):
        given(f"ramp.{place}.load_mw", row.load_mw, "MW", "stages of the plan")
        given(f"ramp.{place}.onsite_firm_mw", row.onsite_firm_mw, "MW", "site.yaml, largest out")
    return tuple(rows)


def _steps(hall: Hall) -> list[_Step]:
    plan, grid = hall.plan, hall.grid
    case = site_case(hall.inputs.site, grid, Ledger())
    secured = _secured(grid)
    rows = zip(plan.stages, case.steps, strict=True)
    return [
        _Step(
            hall.name,
            stage.name,
            stage.energised,
            stage.status,
            min(stage.facility_power_mw, _final_mw(plan)),
            step.onsite_firm_mw,
            # later stages have what earlier ones secured, none has more than its own firm MW
            min(step.grid_firm_mw, secured),
        )
        for stage, step in rows
    ]


def _final_mw(plan: SitePlan) -> float:
    return plan.summary.facility_power_mw


def _secured(grid: Grid) -> float:
    """MW that a study or an agreement secures, over all stages."""
    approved = value_of(grid.approved_mw)
    if approved is not None:
        return approved
    default = grid.stage or "none"
    firm = [s.firm_mw.value for s in grid.stages if (s.status or default) in SECURED]
    if not grid.stages and default in SECURED:
        firm = [value_of(grid.requested_mw) or 0.0]
    return max(firm, default=0.0)
