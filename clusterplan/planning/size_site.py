"""Size one site: resolve the inputs, solve for racks, make the recorded plan."""

from __future__ import annotations

import dataclasses
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan import catalog
from clusterplan.catalog import UnknownRowError
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import Recorder, recording
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.connection import grid_connection
from clusterplan.planning.input_notes import note_inputs, note_rack
from clusterplan.planning.limits import REQUEST, TRANSFORMERS, Ask, Limits, Row
from clusterplan.planning.plan_figures import Wanted, empty_report, make_plan
from clusterplan.planning.rack_choice import RACK_FIELDS, JobLoad, choose_rack
from clusterplan.planning.site_case import site_case
from clusterplan.planning.site_model import SiteModel
from clusterplan.planning.solve import changes, largest_within
from clusterplan.planning.stages import solve_stages
from clusterplan.planning.substation_plan import electrical_design
from clusterplan.sizing.accelerators import (
    count_for_accelerators,
    count_for_racks,
    filling_unit_servers,
)
from clusterplan.sizing.distribution import dc_input_power

if TYPE_CHECKING:
    from collections.abc import Collection
    from contextlib import AbstractContextManager

    from clusterplan.core.equipment import Rack
    from clusterplan.core.results.plan import Report, SitePlan
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.fabric_plan import FabricPlan
    from clusterplan.planning.rack_choice import RackChoice
    from clusterplan.planning.stages import SolvedStage
    from clusterplan.sizing.onsite_plants import Plant

LARGEST_IT_MW = 10_000.0


class Request(NamedTuple):
    """What is asked for on the command line; all None fills the site."""

    accelerators: int | None = None
    racks: int | None = None
    it_mw: float | None = None


CDU = "cdu"
CDU_CHOICES = ("cooling.cdu", "cooling.tcs_supply", "cooling.tcs_rise", "cooling.fws_supply")


class NothingFitsError(InfeasibleError):
    """Not even one rack fits; `report` has the limits and stages."""

    def __init__(self, reason: str, limit: str, report: Report) -> None:
        super().__init__(reason, limit)
        self.report = report


def size_site(
    inputs: SiteInputs, request: Request | None = None, *, record: bool = True
) -> SitePlan:
    """The plan of one site, with its calculation record unless `record` is False.

    Raises InputError for inputs that cannot be planned with, NothingFitsError where not even one
    rack fits, InfeasibleError for an IT power below one rack. An asked-for size that does not fit
    gives the largest feasible plan, marked.
    """
    try:
        return _sized(inputs, request or Request(), Recorder() if record else None)
    except InputError as error:
        raise InputError([inputs.placed(problem) for problem in error.problems]) from None
    except InfeasibleError as error:
        if error.limit != CDU:
            raise
        # no count of racks would help: the temperatures or the unit chosen cannot work
        chosen = [path for path in CDU_CHOICES if path in inputs.design]
        path = f"design.{chosen[0]}" if chosen else "site.rack"
        raise InputError(inputs.placed(Problem(str(error), path=path))) from None


class SitedFabric(NamedTuple):
    """The compute fabric of a sized site: its plan, servers, stages (name, servers), choices."""

    plan: FabricPlan
    servers: int
    stages: tuple[tuple[str, int], ...]
    choices: Choices
    reason: str | None


def fabric_of_site(inputs: SiteInputs, request: Request | None = None) -> SitedFabric:
    """Size a site as `size_site` does and give what its fabric is wired from.

    Raises InputError also where no compute fabric can be counted; NothingFitsError has no report
    here, InfeasibleError is raised instead.
    """
    try:
        ledger = Ledger()
        ledger.extend(inputs.warnings)
        model = site_model(inputs, ledger)
        ask = _ask(model, request or Request())
        _check_supply(inputs, model, ask)
        limits = Limits(model, ask)
        solved = solve_stages(limits, model.case.steps)
        servers, _, reason = _settle(limits, solved, ask, model)
    except InputError as error:
        raise InputError([inputs.placed(problem) for problem in error.problems]) from None
    if servers == 0:
        raise InfeasibleError(str(reason), limit=REQUEST)
    if model.fabric is None:
        message = f"no compute fabric can be counted for {model.chosen.rack.id}"
        raise InputError(inputs.placed(Problem(message, path="site.rack")))
    found: list[tuple[str, int]] = []
    for stage in solved:
        if stage.step is not None and stage.servers > (found[-1][1] if found else 0):
            found.append((stage.step.name, stage.servers))
    if not found or found[-1][1] != servers:
        found.append(("plan", servers))
    return SitedFabric(model.fabric, servers, tuple(found), model.choices, reason)


def _check_supply(inputs: SiteInputs, model: SiteModel, ask: Ask | None) -> None:
    if ask is None and not model.case.steps:
        raise InputError(
            Problem(
                "no grid file and no on-site generation: the supply is unknown",
                file=inputs.files.get("site"),
                path="site.grid",
                hint="add grid.yaml, or ask for a size with --accelerators, --racks or --it-power",
            )
        )


def _sized(inputs: SiteInputs, request: Request, recorder: Recorder | None) -> SitePlan:
    ledger = Ledger()
    ledger.extend(inputs.warnings)
    with _kept(recorder):
        model = site_model(inputs, ledger)
    case = model.case
    ask = _ask(model, request)
    _check_supply(inputs, model, ask)
    limits = Limits(model, ask)
    stages = solve_stages(limits, case.steps)
    servers, feasible, reason = _settle(limits, stages, ask, model)
    wanted = Wanted(ask, stages, servers, feasible, reason)
    if servers == 0:
        with _kept(recorder):
            report = empty_report(inputs, model, limits, wanted, recorder)
        raise NothingFitsError(str(reason), report.parts["summary"].limited_by, report)
    with _kept(recorder):
        return make_plan(inputs, model, limits, wanted, recorder)


def _kept(recorder: Recorder | None) -> AbstractContextManager[object]:
    return nullcontext() if recorder is None else recording(recorder)


def site_model(inputs: SiteInputs, ledger: Ledger, *, many: bool = False) -> SiteModel:
    """The site, its rack and its choices, ready to be evaluated at any count of servers.

    many: one of many sites whose plans are not recorded; what they share is resolved once.
    """
    note_inputs(inputs)
    choices = Choices(catalog.design_fields(), inputs.design, ledger, many=many)
    case = site_case(inputs.site, inputs.grid, ledger, inputs.weather)
    rack, given_fields = _rack(inputs)
    note_rack(inputs, rack)
    accelerator, jobs = _accelerator(rack, inputs), _jobs(inputs)
    chosen = choices.once(
        ("rack", rack, jobs, tuple(sorted(given_fields))),
        lambda own: choose_rack(rack, accelerator, own, jobs=jobs, given_fields=given_fields),
    )
    connection = grid_connection(case, inputs.grid, ledger)
    plants: tuple[Plant, ...] = ()
    if inputs.site.generation:
        from clusterplan.planning.onsite_plants import plants_of, with_machines

        plants = plants_of(inputs.site, ledger)
        connection = with_machines(connection, case, plants)
    electrical = electrical_design(
        choices,
        connection,
        case.region.iso2,
        dataclasses.replace(case.climate, elevation_m=case.elevation_m),
    )
    if electrical.psu_efficiency is not None:
        at_ac, efficiency = chosen, electrical.psu_efficiency
        chosen = choices.once(("dc", at_ac, efficiency), lambda _: _at_dc_input(at_ac, efficiency))
    return SiteModel(case, chosen, choices, electrical, plants)


def _rack(inputs: SiteInputs) -> tuple[Rack, Collection[str]]:
    """The rack of the plan, and which of its figures the user gave."""
    if inputs.rack is not None:
        return inputs.rack.to_rack(), RACK_FIELDS
    if inputs.rack_id is None:
        raise InputError(
            Problem(
                "no rack is named",
                file=inputs.files.get("site"),
                path="site.rack",
                hint='name one of "clusterplan catalog racks", as --rack gb300-nvl72',
            )
        )
    try:
        rack = catalog.rack(inputs.rack_id)
    except UnknownRowError as error:
        raise InputError(
            inputs.rack_problem(f'unknown rack "{inputs.rack_id}"', error.hint or None)
        ) from None
    if not inputs.rack_changes:
        return rack, ()
    return dataclasses.replace(rack, **inputs.rack_changes), inputs.rack_changes.keys()


def _accelerator(rack: Rack, inputs: SiteInputs) -> Any:
    try:
        return catalog.accelerator(rack.accelerator)
    except UnknownRowError as error:
        raise InputError(
            inputs.rack_problem(f'unknown accelerator "{rack.accelerator}"', error.hint or None)
        ) from None


def _jobs(inputs: SiteInputs) -> tuple[JobLoad, ...]:
    """What the racks run. A job without a share takes what the others leave."""
    if inputs.workload is None:
        return ()
    jobs = inputs.workload.jobs
    stated = sum(job.share.value for job in jobs if job.share is not None)
    open_jobs = sum(1 for job in jobs if job.share is None)
    rest = max(0.0, 1.0 - stated) / open_jobs if open_jobs else 0.0
    return tuple(
        JobLoad(
            job.kind,
            rest if job.share is None else job.share.value,
            None if job.utilisation is None else job.utilisation.value,
        )
        for job in jobs
    )


def _at_dc_input(chosen: RackChoice, psu_efficiency: float) -> RackChoice:
    """Rack power restated at its DC input, where the rectifier has left the rack."""
    names = ("capacity_kw", "nameplate_kw", "typical_kw", "training_kw", "peak_kw", "idle_kw")
    restated: dict[str, Any] = {
        name: dc_input_power(getattr(chosen, name), psu_efficiency) for name in names
    }
    provenance = {
        name: entry._replace(source=f"{entry.source}; x {psu_efficiency:g} at the DC input")
        for name, entry in chosen.provenance.items()
    }
    return dataclasses.replace(chosen, **restated, provenance=provenance)


def _ask(model: SiteModel, request: Request) -> Ask | None:
    """What is asked for as a count of servers."""
    shape = model.chosen.shape
    whole = model.choices.flag("whole_sus")
    if request.accelerators is not None:
        count = count_for_accelerators(request.accelerators, shape, whole_sus=whole)
        if count.accelerators > request.accelerators:
            model.choices.ledger.warn(
                "more_than_asked",
                "summary.accelerators",
                f"{request.accelerators:,} accelerators asked for; whole servers, racks or"
                f" scalable units make {count.accelerators:,}",
            )
        return Ask(count.servers, count.racks, request.accelerators, "accelerators")
    if request.racks is not None:
        if request.racks < 1:
            raise InputError(Problem(f"--racks {request.racks}: at least 1 is due"))
        count = count_for_racks(request.racks, shape, whole_sus=whole, filling=False)
        if count.racks > request.racks:
            model.choices.ledger.warn(
                "more_than_asked",
                "summary.racks",
                f"{request.racks:,} racks asked for; whole scalable units make {count.racks:,}",
            )
        return Ask(count.servers, count.racks, request.racks, "racks")
    return None if request.it_mw is None else _ask_it_power(model, request.it_mw, whole=whole)


def _ask_it_power(model: SiteModel, it_mw: float, *, whole: bool) -> Ask:
    """Whole racks (or scalable units) within an IT power, rounded down."""
    if not 0.0 < it_mw <= LARGEST_IT_MW:
        raise InputError(Problem(f"--it-power {it_mw:g} MW: above 0, up to 10 GW is due"))
    unit = filling_unit_servers(model.chosen.shape, whole_sus=whole)
    per_rack = model.servers_per_rack
    upper = int(it_mw * 1000.0 * per_rack / (model.chosen.capacity_kw * unit)) + 1

    def need(units: int) -> float:
        return model.at(units * unit).it.total_mw if units else 0.0

    first = largest_within(need, it_mw, upper, window=0)
    jumps = changes(lambda n: model.regime(n * unit), first + 1, upper) if first < upper else []
    units = largest_within(need, it_mw, upper, jumps=jumps)
    if units == 0:
        what = f"one rack of {model.chosen.rack.id}"
        if unit > per_rack:
            what = f"one scalable unit of {-(-unit // per_rack)} racks of {model.chosen.rack.id}"
        raise InfeasibleError(
            f"{it_mw:g} MW of IT power is less than {what} takes with its network, storage and"
            f" management ({need(1):.4g} MW)",
            REQUEST,
        )
    return Ask(units * unit, -(-units * unit // per_rack), it_mw, "MW")


def _settle(
    limits: Limits, stages: list[SolvedStage], ask: Ask | None, model: SiteModel
) -> tuple[int, bool, str | None]:
    """Servers of the plan, whether what was asked fits, and why it does not."""
    last = stages[-1]
    rows = limits.rows(last.supply)
    if ask is not None and last.servers == ask.servers:
        return ask.servers, True, None
    if last.servers == 0:
        blocking = [row for row in rows if row.allows_servers == 0 and row.name != REQUEST]
        unit, per_rack = limits.unit_servers, model.servers_per_rack
        one = "one rack" if unit <= per_rack else f"one scalable unit of {limits.racks(unit)} racks"
        if not blocking:  # each limit alone holds one
            blocking = [row for row in rows if not row.holds(unit)]
        return 0, False, f"not even {one} of {model.chosen.rack.id} fits: {_words(blocking)}"
    if ask is None:
        return last.servers, True, None
    blocking = [
        row
        for row in rows
        if row.name != REQUEST
        and row.allows_servers is not None
        and row.allows_servers < ask.servers
    ]
    blocking = blocking or [row for row in rows if not row.holds(ask.servers)]
    asked = f"{ask.asked:,.6g} {ask.unit}" + (
        "" if ask.unit == "racks" else f" ({_racks(ask.racks)})"
    )
    reason = (
        f"{asked} asked for: {_words(blocking)}; the largest plan has"
        f" {_racks(limits.racks(last.servers))}"
    )
    return last.servers, False, reason


def _words(rows: list[Row]) -> str:
    """What each of these limits allows, in words."""
    words = []
    for row in rows:
        allows = "fails" if row.allows_racks is None else f"allows {_racks(row.allows_racks)}"
        if row.name == TRANSFORMERS and row.need is None:
            words.append(f"{row.name} {allows}, {row.note}")
        else:
            words.append(f"{row.name} {allows} ({row.available:,.6g} {row.unit} available)")
    return "; ".join(words)


def _racks(number: int) -> str:
    return f"{number:,} rack" + ("" if number == 1 else "s")
