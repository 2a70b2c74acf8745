"""What a load letter lacks: every field that a utility asks for and that no file gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.results.load_letter import OpenQuestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.inputs.loading import SiteInputs

# field of the grid file: what to ask, and the paths of what the plan assumes without it
GRID = {
    "poi_name": ("connection point", ()),
    "docket_or_queue_id": ("queue position or docket of the request", ()),
    "requested_mw": ("power requested of the utility", ()),
    "approved_mw": ("power that a study or an agreement has approved", ()),
    "short_circuit": (
        "fault level at the connection point, least and most",
        ("grid.short_circuit.min", "grid.short_circuit.max"),
    ),
    "x_over_r": ("X/R at the connection point", ("grid.x_over_r",)),
    "circuits": ("circuits to the site", ("grid.circuits",)),
    "common_tower": ("whether circuits share towers", ("grid.common_tower",)),
    "power_factor_min": ("least power factor, lagging and leading", ("grid.power_factor_min",)),
    "ride_through": ("state of the ride-through proof", ()),
    "ramp_rate_limit_mw_per_min": ("ramp limit of the utility", ()),
    "step_limit_mw": ("largest step that the utility allows", ()),
    "curtailment": ("hours, notice and power of curtailment", ()),
    "tariff": ("tariff, term and minimum take", ()),
}
# what no file holds
ALWAYS = (
    ("legal name, address and contact of the customer", "-"),
    ("evidence of site control", "-"),
    ("dynamic model of the load (PERC1 at least; PSS/E or PSCAD where asked)", "-"),
)


def open_questions(
    halls: list[tuple[SitePlan, SiteInputs, Grid]],
) -> tuple[OpenQuestion, ...]:
    """The list, each field once: by the grid file of the first hall, then what halls lack."""
    plan, _, grid = halls[0]
    found = [OpenQuestion(question=text, path=path, meanwhile="") for text, path in ALWAYS]
    assumed = {row.path: f"{row.value} {row.unit}".strip() for row in plan.assumptions}
    for name, (text, paths) in GRID.items():
        if getattr(grid, name) is None:
            path = f"grid.{type(grid).model_fields[name].alias or name}"
            values = [f"{at.rpartition('.')[2]} {assumed[at]}" for at in paths if at in assumed]
            meanwhile = f"assumed: {', '.join(values)}" if values else ""
            found.append(OpenQuestion(question=text, path=path, meanwhile=meanwhile))
    for one in halls:
        found += _of_hall(*one, several=len(halls) > 1)
    if len(halls) > 1:
        found.append(
            OpenQuestion(
                question="voltage step and flicker of all halls together",
                path="-",
                meanwhile="those of each hall alone stand with its swing",
            )
        )
    return tuple(found)


def _of_hall(
    plan: SitePlan, inputs: SiteInputs, grid: Grid, *, several: bool
) -> Iterator[OpenQuestion]:
    lead = f"{plan.site.name}: " if several else ""
    assumed = {row.path: row for row in plan.assumptions}
    if "workload.step_time" in assumed:
        yield OpenQuestion(
            question=lead + "step time of the training job",
            path="workload.jobs.step_time",
            meanwhile=f"assumed: {assumed['workload.step_time'].value:g} s",
        )
    if "design.swing.edge_time" in assumed:
        yield OpenQuestion(
            question=lead + "measured edge of the power swing",
            path="workload.jobs.edge_time",
            meanwhile=f"assumed: {assumed['design.swing.edge_time'].value:g} s",
        )
    for stage in grid.stages:
        if stage.energised is None:
            yield OpenQuestion(
                question=f'{lead}date of stage "{stage.name}"',
                path="grid.stages.energised",
                meanwhile="taken to come last",
            )
    if inputs.site.generation:
        yield OpenQuestion(
            question=lead + "subtransient reactances and inertia of the machines on site",
            path="site.generation",
            meanwhile="left out of the fault level",
        )
    if inputs.site.storage is not None:
        yield OpenQuestion(
            question=lead + "control of the storage: what it may charge from and export",
            path="site.storage",
            meanwhile="not counted as supply",
        )
