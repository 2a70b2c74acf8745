"""Supply steps, each solved like a site of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import given
from clusterplan.core.results.plan import Stage
from clusterplan.planning.limits import Supply, limited_by
from clusterplan.sizing.accelerators import count_for_servers
from clusterplan.sizing.supply import facility_power_mw, stage_supply_mw

if TYPE_CHECKING:
    from clusterplan.planning.limits import Limits
    from clusterplan.planning.site_case import SupplyStep
    from clusterplan.planning.site_model import Point


class SolvedStage(NamedTuple):
    """One supply step and what it holds; no step is an unlimited supply (assumed)."""

    step: SupplyStep | None
    supply: Supply
    servers: int


def supply_of(step: SupplyStep, *, count_nonfirm: bool) -> float:
    """MW that a step may use; non-firm only where the user counts it."""
    nonfirm = (step.nonfirm_mw or 0.0) if count_nonfirm else 0.0
    return stage_supply_mw(step.grid_firm_mw, step.onsite_firm_mw, nonfirm)


def solve_stages(limits: Limits, steps: tuple[SupplyStep, ...]) -> list[SolvedStage]:
    """Servers of each step, the last one the plan's; what was asked for where it fits."""
    counted = limits.model.choices.flag("count_nonfirm")
    supplies: list[tuple[SupplyStep | None, Supply]] = [
        (
            step,
            Supply(supply_of(step, count_nonfirm=counted), limits.model.onsite_at_mv_of(step)),
        )
        for step in steps
    ] or [(None, Supply())]
    ask = limits.ask
    solved = []
    for step, supply in supplies:
        if ask is not None and limits.fits(supply, ask.servers):
            solved.append(SolvedStage(step, supply, ask.servers))
        else:
            solved.append(SolvedStage(step, supply, limits.largest(supply)))
    return solved


def _note_stage(name: str, accelerators: int, point: Point) -> None:
    """Note the IT power and PUE of a stage, whose own sheets a run of its size prints."""
    own = f"sheets of `--accelerators {accelerators} --explain`: a stage is solved like a site"
    given(f"stages.{name}.it_power_mw", point.it.total_mw, "MW", own)
    given(f"stages.{name}.pue_peak", point.pue_peak, "", own)


def stage_rows(limits: Limits, stages: list[SolvedStage]) -> tuple[Stage, ...]:
    """The table of stages. Recorded where a record is kept."""
    model = limits.model
    counted = model.choices.flag("count_nonfirm")
    rows = []
    for stage in stages:
        step = stage.step
        if step is None:
            continue
        count = count_for_servers(stage.servers, model.chosen.shape)
        facility = 0.0
        if stage.servers:
            why = "integer solve of this stage"
            given(f"stages.{step.name}.server_units", stage.servers, "servers", why)
            point = model.at(stage.servers)
            _note_stage(step.name, count.accelerators, point)
            facility = facility_power_mw(point.it.total_mw, point.pue_peak)
        else:
            given(f"stages.{step.name}.facility_power_mw", 0.0, "MW", "no rack fits this stage")
        given(f"stages.{step.name}.racks", count.racks, "racks", "integer solve of this stage")
        given(f"stages.{step.name}.nonfirm_mw", step.nonfirm_mw, "MW", "grid file")
        rows.append(
            Stage(
                name=step.name,
                energised=step.energised,
                status=step.status,
                firm_mw=supply_of(step, count_nonfirm=counted),
                nonfirm_mw=step.nonfirm_mw,
                accelerators=count.accelerators,
                racks=count.racks,
                facility_power_mw=facility,
                limited_by=limited_by(limits, stage.supply, stage.servers),
            )
        )
    return tuple(rows)
