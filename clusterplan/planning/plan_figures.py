"""The recorded plan: every section at the solved count of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.core.results.plan import Report, SiteHeader, SitePlan, SummarySection
from clusterplan.inputs.datum import value_of
from clusterplan.planning import fabric_plan, floor_plan, substation_plan
from clusterplan.planning.build_out import with_build_out
from clusterplan.planning.cooling_figures import cooling_section
from clusterplan.planning.cost_blocks import Plan as CostedPlan
from clusterplan.planning.cost_plan import cost_section
from clusterplan.planning.distribution_plan import distribution_section
from clusterplan.planning.input_notes import file_name
from clusterplan.planning.limits import limit_rows, limited_by
from clusterplan.planning.power_plan import power_section, warn_of_support
from clusterplan.planning.site_model import section_quantities
from clusterplan.planning.stages import stage_rows
from clusterplan.planning.support_rows import with_support
from clusterplan.planning.swing_plan import JobShape, job_swing, swing_section
from clusterplan.sizing.accelerators import (
    count_for_accelerators,
    count_for_servers,
    h100_basis,
    h100_equivalents,
)
from clusterplan.sizing.distribution import chain_efficiency_percent

if TYPE_CHECKING:
    from clusterplan.core.record import Recorder
    from clusterplan.core.results.cooling import CoolingSection
    from clusterplan.core.results.plan import Limit
    from clusterplan.core.results.substation import SubstationSection, SwingSection
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.inputs.workload_file import Job
    from clusterplan.planning.limits import Ask, Limits, Row
    from clusterplan.planning.site_model import Point, SiteModel
    from clusterplan.planning.stages import SolvedStage
    from clusterplan.sizing.accelerators import AcceleratorCount

H100 = "nvidia-h100-sxm"
SECTIONS = (
    *("power", "cooling", "substation", "distribution", "generation", "swing", "fabric", "floor"),
    "cost",
)
PUE_CHECK = 0.05  # a given PUE further than this from the computed one is a warning


class Wanted(NamedTuple):
    """What the plan is made for: the request, the solved stages and the settled count."""

    ask: Ask | None
    stages: list[SolvedStage]
    servers: int
    feasible: bool
    reason: str | None


def make_plan(
    inputs: SiteInputs, model: SiteModel, limits: Limits, wanted: Wanted, recorder: Recorder | None
) -> SitePlan:
    """All sections at the settled count. Call it while `recorder`, if any, records."""
    ledger = model.choices.ledger
    _note_count(wanted)
    count = _count(model, wanted)
    fabric = None
    if model.fabric is not None:
        fabric = fabric_plan.fabric_section(model.fabric, wanted.servers)
    point = model.evaluate(wanted.servers)
    if fabric is not None:
        fabric = with_support(fabric, model.support, point.support)
    design = model.cooling(model.stages_of(point))
    cooling = cooling_section(design, point.load, model.typical_load(point))
    chain = substation_plan.chain(model.electrical, model.through_substation_mw(point.facility_mw))
    loads = substation_plan.ChainLoads(
        point.it.total_mw,
        cooling.cooling_power_peak_mw - cooling.cdu_pump_mw + cooling.house_load_mw,
        cooling.cdu_pump_mw,
    )
    substation = substation_plan.substation_section(
        model.electrical,
        point.facility_mw,
        model.onsite_at_mv_mw,
        _swing_mw(model, count, chain.it),
        loads,
    )
    loads = substation_plan.loads_at_meter(
        model.electrical, loads, substation.active_power_mw, point.facility_mw
    )
    distribution = distribution_section(
        model.electrical, model.choices, substation, loads, point.facility_mw, _storage(inputs)
    )
    substation = with_build_out(substation, model, wanted.stages, inputs.grid, wanted.servers)
    swing = _swing(inputs, model, count, substation)
    generation = None
    if model.plants:  # few sites have any: their formulas are not loaded for the others
        from clusterplan.planning.generation_plan import generation_section

        generation = generation_section(model, inputs.site, substation, point.facility_mw, swing)
    _warn_of_supply(model, point)
    quantities = section_quantities(model, point, substation)
    words = "it_storage_mw + it_management_mw"
    given("floor.support_kw", quantities.support_kw, "kW", words)
    floor = floor_plan.floor_section(model.floor, quantities, ledger)
    efficiency = chain_efficiency_percent(chain.it)
    power = power_section(model.chosen, count, point.it, floor, efficiency, point.support_mw)
    warn_of_support(model.power, point.it, point.support_mw, ledger)
    used = _used(model, point, floor.acres_needed_acres, cooling)
    bound = limit_rows(limits, wanted.stages[-1].supply, wanted.servers, used)
    summary = _summary(model, count, point, cooling, _Words(bound, wanted))
    costs = cost_section(
        CostedPlan(
            inputs,
            model,
            count.servers,
            count.racks,
            point.it.total_mw,
            point.facility_mw,
            power,
            substation,
        ),
        cooling,
        summary.pue_annual,
        summary.h100_equivalents,
    )
    return SitePlan(
        site=_header(inputs, model),
        summary=summary,
        power=power,
        cooling=cooling,
        substation=substation,
        distribution=distribution,
        generation=generation,
        swing=swing,
        fabric=fabric,
        floor=floor,
        cost=costs,
        limits=tuple(bound),
        stages=stage_rows(limits, wanted.stages),
        assumptions=ledger.assumptions,
        warnings=ledger.warnings,
        feasible=wanted.feasible,
        infeasible_reason=wanted.reason,
        record=recorder,
    )


def empty_report(
    inputs: SiteInputs, model: SiteModel, limits: Limits, wanted: Wanted, recorder: Recorder | None
) -> Report:
    """The report where no rack fits: site, a summary of zeros, limits and stages; the rest null.

    It is infeasible only where a size was asked for; a filled site just holds nothing.
    """
    reason = str(wanted.reason)
    if wanted.ask is None:
        model.choices.ledger.warn("nothing_fits", "summary.racks", reason)
    count = count_for_servers(0, model.chosen.shape)
    supply = wanted.stages[-1].supply
    for name in ("h100_equivalents", "it_power_mw", "facility_power_mw"):
        given(f"summary.{name}", 0.0, "", "no rack fits")
    summary = SummarySection(
        accelerators=0,
        accelerator=model.chosen.accelerator.name,
        h100_equivalents=0.0,
        h100_precision=None,
        racks=0,
        servers=0,
        scalable_units=count.scalable_units,
        it_power_mw=0.0,
        facility_power_mw=0.0,
        pue_peak=None,
        pue_annual=None,
        wue_l_per_kwh=None,
        supply=_supply_words(model, wanted.stages[-1]),
        power_basis=model.chosen.power_basis,
        limited_by=limited_by(limits, supply, 0),
    )
    parts = {
        "site": _header(inputs, model),
        "summary": summary,
        "limits": tuple(limit_rows(limits, supply, 0)),
        "stages": stage_rows(limits, wanted.stages),
        **dict.fromkeys(SECTIONS),
        "assumptions": model.choices.ledger.assumptions,
        "warnings": model.choices.ledger.warnings,
    }
    return Report(
        schema="clusterplan/size/1",
        title=f"{inputs.site.name} on {model.chosen.rack.id}",
        parts=parts,
        record=recorder,
        feasible=wanted.ask is None,
        infeasible_reason=None if wanted.ask is None else reason,
    )


def _storage(inputs: SiteInputs) -> tuple[float, float] | None:
    """MW and usable MWh of the storage that stands on the site."""
    storage = inputs.site.storage
    return None if storage is None else (storage.power_mw.value, storage.energy_mwh.value)


def _warn_of_supply(model: SiteModel, point: Point) -> None:
    onsite = model.onsite_at_mv_mw
    if onsite > 0.0 and model.through_substation_mw(point.facility_mw) == 0.0:
        model.choices.ledger.warn(
            "substation_without_load",
            "substation.active_power_mw",
            f"{onsite:g} MW of firm on-site power at MV cover the {point.facility_mw:.4g} MW of the"
            " facility: the substation is sized for next to nothing, not for standby",
        )


def _count(model: SiteModel, wanted: Wanted) -> AcceleratorCount:
    shape = model.chosen.shape
    ask = wanted.ask
    if ask is not None and wanted.feasible and ask.unit == "accelerators":
        whole = model.choices.flag("whole_sus")
        return count_for_accelerators(int(ask.asked), shape, whole_sus=whole)
    return count_for_servers(wanted.servers, shape)


def _note_count(wanted: Wanted) -> None:
    """Note the count of servers that the plan is made for, and why it is that."""
    why = "integer solve: the most that every limit allows, see Limits"
    if wanted.ask is not None and wanted.feasible:
        why = f"asked for: {wanted.ask.asked:,.6g} {wanted.ask.unit}"
    given("plan.server_units", wanted.servers, "servers", why, "given")
    given("plan.servers_per_unit", 1, "servers", "the unit that is counted is a server", "given")


def _header(inputs: SiteInputs, model: SiteModel) -> SiteHeader:
    site, case = inputs.site, model.case
    source = file_name(inputs, "site") if site.elevation_m else f"design station {case.climate.id}"
    given("site.elevation_m", case.elevation_m, "m", source)
    return SiteHeader(
        id=site.id,
        name=site.name,
        country=case.region.iso2,
        state=site.state,
        latitude=site.latitude_deg.value,
        longitude=site.longitude_deg.value,
        elevation_m=case.elevation_m,
        climate=case.climate_name,
        rack=model.chosen.rack.id,
        grid=None if inputs.grid is None else _grid_words(inputs),
    )


def _grid_words(inputs: SiteInputs) -> str:
    grid = inputs.grid
    if grid is None:
        return ""
    names = (grid.utility, grid.iso or grid.operator, f"{grid.voltage_kv.value:g} kV")
    return ", ".join(name for name in names if name)


class _Words(NamedTuple):
    limits: list[Limit]
    wanted: Wanted


def _summary(
    model: SiteModel,
    count: AcceleratorCount,
    point: Point,
    cooling: CoolingSection,
    words: _Words,
) -> SummarySection:
    chosen = model.chosen
    basis = h100_basis(chosen.accelerator, catalog.accelerator(H100))
    if basis is None:
        model.choices.ledger.warn(
            "h100_equivalents_unknown",
            "summary.h100_equivalents",
            f"{chosen.accelerator.name} has neither a dense 8-bit nor a dense bf16 figure",
        )
    if basis is not None:
        rows = f"accelerators of the catalogue, {basis[2]}"
        given("summary.dense_tflops", basis[0], "TFLOP/s", rows, chosen.accelerator.verified)
        given("summary.h100_dense_tflops", basis[1], "TFLOP/s", rows)
    return SummarySection(
        accelerators=count.accelerators,
        accelerator=chosen.accelerator.name,
        h100_equivalents=(
            None if basis is None else h100_equivalents(count.accelerators, basis[0], basis[1])
        ),
        h100_precision=None if basis is None else basis[2],
        racks=count.racks,
        servers=count.servers,
        scalable_units=count.scalable_units,
        it_power_mw=point.it.total_mw,
        facility_power_mw=point.facility_mw,
        pue_peak=_pue(model, "pue_peak", cooling.pue_peak) or cooling.pue_peak,
        pue_annual=_pue(model, "pue_annual", cooling.pue_annual),
        pue_peak_computed=_replaced(model, "pue_peak", cooling.pue_peak),
        pue_annual_computed=_replaced(model, "pue_annual", cooling.pue_annual),
        wue_l_per_kwh=cooling.wue_l_per_kwh,
        supply=_supply_words(model, words.wanted.stages[-1]),
        power_basis=chosen.power_basis,
        limited_by=next((row.name for row in words.limits if row.binding), "request"),
    )


def _pue(model: SiteModel, name: str, computed: float | None) -> float | None:
    """The user's PUE where there is one, with a warning where it is far from the computed one."""
    own = getattr(model.case, name)
    if own is None:
        return computed
    value = float(own)
    given(f"summary.{name}", value, "", "site.yaml, given to override", "given")
    if computed is not None:
        gap = value / computed - 1.0
        if abs(gap) > PUE_CHECK:
            model.choices.ledger.warn(
                f"{name}_given",
                f"site.{name}",
                f"the {value:g} given is {100 * abs(gap):.0f} %"
                f" {'above' if gap > 0 else 'below'} the computed {computed:.3f}",
            )
    return value


def _replaced(model: SiteModel, name: str, computed: float | None) -> float | None:
    """The computed PUE where the user gave another one, else None."""
    if getattr(model.case, name) is None or computed is None:
        return None
    given(f"summary.{name}_computed", computed, "", f"see cooling.{name}, computed")
    return computed


def _supply_words(model: SiteModel, last: SolvedStage) -> str:
    step, case = last.step, model.case
    if step is None or last.supply.available_mw is None:
        return "unlimited (assumed)"
    parts = []
    if case.has_grid:
        parts.append(f"{step.grid_firm_mw:,.6g} MW firm grid")
    if case.has_generation:
        parts.append(f"{step.onsite_firm_mw:,.6g} MW firm on-site")
    if step.nonfirm_mw:
        counted = model.choices.flag("count_nonfirm")
        parts.append(f"{step.nonfirm_mw:,.6g} MW non-firm {'' if counted else 'not '}counted")
    return " + ".join(parts)


def _training_share(model: SiteModel) -> float:
    return 1.0 - min(1.0, model.chosen.inference_share)


def _racks_mw(model: SiteModel, count: AcceleratorCount, rack_kw: float) -> float:
    racks = count.servers / model.servers_per_rack
    share = _training_share(model)
    power_mw = racks * rack_kw * share / 1000.0
    words = f"{racks:,.10g} racks x {rack_kw:.10g} kW x {share:g} that train / 1000"
    given(f"swing.job_at_{rack_kw:g}_kw.high_low_mw", power_mw, "MW", words)
    return power_mw


def _swing_mw(model: SiteModel, count: AcceleratorCount, efficiency: float) -> float:
    """Swing of one job on all racks at the meter."""
    chosen = model.chosen
    return _racks_mw(model, count, chosen.training_kw - chosen.idle_kw) / efficiency


def _swing(
    inputs: SiteInputs, model: SiteModel, count: AcceleratorCount, substation: SubstationSection
) -> SwingSection:
    """The swing of one synchronous job on all racks that train."""
    chosen = model.chosen
    jobs = () if inputs.workload is None else inputs.workload.jobs
    trains = [job for job in jobs if job.kind == "training"]
    steps = [job.step_time_s for job in trains if job.step_time_s]
    job = job_swing(
        model.choices,
        _racks_mw(model, count, chosen.training_kw),
        _racks_mw(model, count, chosen.idle_kw),
        _racks_mw(model, count, chosen.peak_kw),
        steps[0].value if steps else None,
        _job_shape(model, trains[0] if trains else None, count),
    )
    return swing_section(model.electrical, substation, job)


def _job_shape(model: SiteModel, job: Job | None, count: AcceleratorCount) -> JobShape:
    """What the workload says of the largest job, and what the racks store."""
    return JobShape(
        communication_share=None if job is None else value_of(job.communication_share),
        edge_time_s=None if job is None else value_of(job.edge_time_s),
        jobs_at_once=1 if job is None else value_of(job.jobs_at_once) or 1,
        accelerators=count.accelerators * _training_share(model),
        joule_per_accelerator=model.chosen.rack.storage_joule_per_accelerator,
    )


def _used(
    model: SiteModel,
    point: Point,
    acres: float,
    cooling: CoolingSection,
) -> Any:
    """What the plan uses of each limit."""
    figures: dict[str, float | None] = {
        "grid": point.facility_mw,
        "generation": point.facility_mw,
        "transformers": model.through_substation_mw(point.facility_mw) * model.rating_mva_per_mw,
        "land": acres,
        "water_annual": cooling.water_m3_per_year,
        "water_peak": cooling.water_peak_l_per_s,
        "rack_cap": float(point.racks),
        "fabric": float(point.racks),
    }

    def used(row: Row) -> float | None:
        if row.name != "request":
            return figures[row.name]
        asked: dict[str, float] = {
            "accelerators": point.servers * model.chosen.shape.accelerators_per_server,
            "MW": point.it.total_mw,
        }
        return asked.get(row.unit, float(point.racks))

    return used
