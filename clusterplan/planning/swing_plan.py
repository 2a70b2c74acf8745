"""Power swing of synchronous training at the connection point of one plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.record import given
from clusterplan.core.results.substation import SwingSection, SwingTransition
from clusterplan.core.shown_units import unit_of
from clusterplan.planning.substation_plan import chain
from clusterplan.planning.swing_layers import (
    LayerFacts,
    layer_choices,
    swing_bands,
    swing_layers,
)
from clusterplan.planning.swing_limits import (
    DUTY,
    Swing,
    limits_for,
    planning_levels,
    slowest_ramp,
    tightest_residual,
    verdicts,
)
from clusterplan.sizing.generation import frequency_rate_hz_per_s
from clusterplan.sizing.power_swing import (
    C_RATE,
    ROUND_TRIP,
    USABLE_WINDOW,
    buffer_mwh,
    edge_corner_hz,
    flicker_residual_mw,
    ramp_buffer,
    ramp_mw_per_min,
    ramp_mw_per_s,
    repeating_swing_mw,
    smoothing_buffer,
    swing_mvar,
    swing_mw,
    two_way_energy_mwh,
)
from clusterplan.sizing.voltage_quality import (
    MEASURED_EDGE_GAIN,
    MEASURED_EDGE_S,
    linear_step_voltage_percent,
    pst,
    pst1_change_percent,
    pst_closed_form,
    step_voltage_percent,
)

if TYPE_CHECKING:
    from clusterplan.core.equipment import SwingLimit
    from clusterplan.core.results.substation import SubstationSection, SwingLayer
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.substation_plan import ElectricalDesign

DEFAULT_FREQUENCY_HZ = 1.0
METHOD = "clusterplan method, electrical, power swings"


class JobShape(NamedTuple):
    """What is known of the job beside its power; None is unknown.

    communication_share: low-power share of a step. edge_time_s: of a trace. jobs_at_once: equal
    and independent ones on the racks. accelerators: that train, joule_per_accelerator: stored in
    their racks.
    """

    communication_share: float | None = None
    edge_time_s: float | None = None
    jobs_at_once: int = 1
    accelerators: float = 0.0
    joule_per_accelerator: float | None = None


class JobSwing(NamedTuple):
    """Power of all compute racks at the rack input in MW, edge and step time of the job in s.

    edge_measured: whether the edge comes from a trace (only then it softens flicker). step_time_s:
    None where unknown. peak_mw: None where unknown. floors: power in the communication phase and
    at a checkpoint, as a fraction of the way from idle to typical. layers: of `layer_choices`.
    """

    typical_mw: float
    idle_mw: float
    peak_mw: float | None
    edge_s: float
    edge_measured: bool
    step_time_s: float | None
    shape: JobShape
    floors: tuple[float, float]
    layers: tuple[float, float, float]

    def floor_mw(self, share: float) -> float:
        """MW at the racks so far above idle."""
        return self.idle_mw + share * (self.typical_mw - self.idle_mw)


def job_swing(
    choices: Choices,
    typical_mw: float,
    idle_mw: float,
    peak_mw: float | None = None,
    step_time_s: float | None = None,
    shape: JobShape | None = None,
) -> JobSwing:
    """The job's levels (MW at the racks); its own edge time goes before that of the choices."""
    shape = shape or JobShape()
    measured = shape.edge_time_s
    return JobSwing(
        typical_mw,
        idle_mw,
        peak_mw,
        choices.number("swing.edge_time") if measured is None else measured,
        measured is not None or choices.is_given("swing.edge_time"),
        step_time_s,
        shape,
        (choices.number("swing.communication_floor"), choices.number("swing.checkpoint_floor")),
        layer_choices(choices),
    )


def swing_section(
    design: ElectricalDesign, substation: SubstationSection, job: JobSwing
) -> SwingSection:
    """The swing of one job on all racks: typical to idle, from the load of the substation down."""
    load_mw = substation.active_power_mw
    efficiency = chain(design, load_mw).it
    swing = swing_mw(job.typical_mw, job.idle_mw, efficiency)
    values: dict[str, Any] = {
        "swing_mw": swing,
        "ramp_mw_per_s": ramp_mw_per_s(swing, job.edge_s),
        "edge_s": job.edge_s,
        "swing_frequency_hz": _frequency(design, job),
        "repeating_mw": _repeating(job, efficiency),
        "jobs_at_once": job.shape.jobs_at_once,
        "swing_mvar": swing_mvar(swing, load_mw, substation.reactive_power_mvar),
    }
    source = "measured trace" if job.edge_measured else "NERC, 2025-07: block of 0.25 s"
    given("swing.edge_s", job.edge_s, "s", source, "false")
    given("swing.swing_frequency_hz", values["swing_frequency_hz"], "Hz", METHOD, "false")
    values |= _voltage_figures(design, substation, job, values)
    given("swing.jobs_at_once", job.shape.jobs_at_once, "", "workload.yaml, 1 where left out")
    rows = design.grid.own_limits
    rows += () if design.duty.islanded else limits_for(design.grid.utility)
    share = job.shape.communication_share
    judged = Swing(
        swing,
        job.edge_s,
        values["swing_frequency_hz"],
        load_mw,
        substation.hv_kv,
        values["step_voltage_percent"],
        values["pst"],
        grid_assumed=_grid_assumed(design, substation.hv_kv),
        duty=DUTY if share is None else 1.0 - share,
        repeating_mw=values["repeating_mw"],
    )
    values["communication_percent"] = 100.0 * (1.0 - judged.duty)
    words = "workload.yaml" if share is not None else f"{METHOD}: half of a step at each power"
    given("swing.communication_percent", values["communication_percent"], "%", words)
    inertia = design.grid.inertia_mw_s
    values["frequency_rate_hz_per_s"] = (
        frequency_rate_hz_per_s(swing, inertia, design.rules.frequency_hz)
        if design.duty.islanded and inertia
        else None
    )
    if design.duty.islanded:
        _warn_islanded(design, swing)
    if swing > 0 and rows and share is None:
        source = f"{METHOD}: half of a step at each power"
        design.ledger.assume("swing.duty", DUTY, "", source)
    held = _buffer(design, judged, rows)
    layers: tuple[SwingLayer, ...] = ()
    sized = held if held is not None and held.limit is not None else _flat(design, judged, held)
    if swing > 0 and sized is not None:
        layers = swing_layers(judged, _layer_facts(job, efficiency, sized))
        values["layers_for"] = sized.limit
    return SwingSection(
        **values,
        **_buffer_figures(held),
        transitions=_transitions(job, efficiency, values["swing_frequency_hz"]),
        verdicts=tuple(verdicts(judged, design.grid, rows)) if swing > 0 else (),
        layers=layers,
        bands=swing_bands(judged, layers) if layers else (),
    )


def _repeating(job: JobSwing, efficiency: float) -> float:
    """Swing of each step at the meter: compute to communication, independent jobs together."""
    low = job.floor_mw(job.floors[0])
    iteration = swing_mw(job.typical_mw, low, efficiency)
    return repeating_swing_mw(iteration, job.shape.jobs_at_once)


def _flat(design: ElectricalDesign, judged: Swing, held: HeldSwing | None) -> HeldSwing | None:
    """The buffer that flattens what repeats to what flicker leaves; None where none is due.

    Without any limit on MW, and flicker unknown (an island), every step is flattened whole.
    """
    level, found = planning_levels(judged).plt, judged.plt
    if found is not None and found > level:
        allowed = flicker_residual_mw(judged.each_step_mw, found, level)
        words = f"flicker, planning level Plt {level:g}: {allowed:.4g} MW peak to peak may stay"
    elif found is None and held is None and judged.swing_mw > 0.0:
        allowed, words = 0.0, "no limit is known: every step flattened"
    else:
        return None
    store = smoothing_buffer(judged.each_step_mw, judged.duty, judged.frequency_hz, allowed)
    usable = two_way_energy_mwh(store.energy_mwh, 0.0)
    _assume_buffer(design)
    nameplate = buffer_mwh(usable, store.power_mw)
    return HeldSwing(store.power_mw, usable, nameplate, allowed, words)


def _layer_facts(job: JobSwing, efficiency: float, held: HeldSwing) -> LayerFacts:
    reduction, bess_to_hz, cycle_life = job.layers
    peak = None if job.peak_mw is None else swing_mw(job.peak_mw, 0.0, efficiency)
    return LayerFacts(
        allowed_mw=held.allowed_mw,
        buffer=(held.power_mw, held.usable_mwh, held.nameplate_mwh),
        accelerators=job.shape.accelerators,
        joule_per_accelerator=job.shape.joule_per_accelerator,
        peak_mw=peak,
        reduction=reduction,
        bess_to_hz=bess_to_hz,
        cycle_life=cycle_life,
    )


def _grid_assumed(design: ElectricalDesign, hv_kv: float) -> bool:
    fault = design.duty.grid_fault(hv_kv, design.tables)
    return fault is not None and fault.assumed


def _warn_islanded(design: ElectricalDesign, swing: float) -> None:
    if swing <= 0.0:
        return
    unknown = "" if design.grid.inertia_mw_s else "; their inertia is not known, nor df/dt"
    design.ledger.warn(
        "islanded_swing",
        "swing.swing_mw",
        f"no grid: machines or storage must follow a swing of {swing:,.4g} MW, which their "
        f"block-load steps and ramps limit{unknown}",
    )


def _frequency(design: ElectricalDesign, job: JobSwing) -> float:
    if job.step_time_s:
        return 1.0 / job.step_time_s
    design.ledger.assume(
        "workload.step_time",
        1.0 / DEFAULT_FREQUENCY_HZ,
        "s",
        "middle of the measured band of 0.2 to 3 Hz, arXiv 2508.14318",
    )
    return DEFAULT_FREQUENCY_HZ


def _voltage_figures(
    design: ElectricalDesign,
    substation: SubstationSection,
    job: JobSwing,
    values: dict[str, Any],
) -> dict[str, Any]:
    names = ("step_voltage_percent", "step_voltage_linear_percent", "pst", "pst_closed_form")
    found: dict[str, Any] = dict.fromkeys(names)
    fault = design.duty.grid_fault(substation.hv_kv, design.tables)
    if fault is None:
        return found
    swing, reactive = values["swing_mw"], values["swing_mvar"]
    hz = values["swing_frequency_hz"]

    def step_of(step_mw: float, step_mvar: float) -> float | None:
        load = (substation.active_power_mw, substation.reactive_power_mvar)
        return step_voltage_percent(*load, step_mw, step_mvar, fault.min_mva, fault.x_over_r)

    step = step_of(swing, reactive)
    found["step_voltage_linear_percent"] = linear_step_voltage_percent(
        swing, reactive, fault.min_mva, fault.x_over_r
    )
    found["step_voltage_percent"] = step
    if step is None:
        design.ledger.warn(
            "step_voltage_unknown",
            "swing.step_voltage_percent",
            "the voltage collapses at the minimum short-circuit power: no step can be stated",
        )
        return found
    change = pst1_change_percent(design.tables.flicker, hz)
    if job.edge_measured and job.edge_s >= MEASURED_EDGE_S and hz <= 1.0:
        change *= MEASURED_EDGE_GAIN
    each = values["repeating_mw"]
    if each != swing and swing > 0.0:  # flicker is of what repeats, not of the worst step
        step = step_of(each, reactive * each / swing) or step
    found["pst"] = pst(step, change)
    found["pst_closed_form"] = pst_closed_form(step, hz)
    return found


def _transitions(
    job: JobSwing, efficiency: float, repeats_hz: float
) -> tuple[SwingTransition, ...]:
    """Changes of level of the job, at the connection point, and the band that each reaches."""
    typical, idle = job.typical_mw, job.idle_mw
    steps = [
        ("start: idle to typical", idle, typical),
        ("each step: compute to communication", typical, job.floor_mw(job.floors[0])),
        ("checkpoint: typical to its floor", typical, job.floor_mw(job.floors[1])),
        ("end or failure: typical to idle", typical, idle),
    ]
    if job.peak_mw is not None and job.peak_mw > typical:
        steps.append(("short peak: typical to peak", typical, job.peak_mw))
    found = []
    for place, (name, before, after) in enumerate(steps):
        change = swing_mw(after, before, efficiency)
        repeats = repeats_hz if name.startswith("each step") else None
        if repeats is not None:
            given(f"swing.transitions.{place}.repeats_hz", repeats, "Hz", "one over the step time")
        found.append(
            SwingTransition(
                transition=name,
                swing_mw=change,
                ramp_mw_per_s=ramp_mw_per_s(change, job.edge_s),
                ramp_mw_per_min=ramp_mw_per_min(change, job.edge_s),
                repeats_hz=repeats,
                reaches_hz=edge_corner_hz(job.edge_s),
            )
        )
    return tuple(found)


def _assume_buffer(design: ElectricalDesign) -> None:
    assume = design.ledger.assume
    assume("swing.buffer_round_trip", ROUND_TRIP, "", "NREL ATB, battery storage")
    assume("swing.buffer_window", USABLE_WINDOW, "", f"{METHOD}: usable part of the nameplate")
    assume("swing.buffer_c_rate", C_RATE, "1/h", f"{METHOD}: MW for each MWh of nameplate")


class HeldSwing(NamedTuple):
    """The buffer that the limits ask for, in MW and MWh; limit in words, None where none does."""

    power_mw: float
    usable_mwh: float
    nameplate_mwh: float
    allowed_mw: float
    limit: str | None


def _buffer(
    design: ElectricalDesign, judged: Swing, rows: tuple[SwingLimit, ...]
) -> HeldSwing | None:
    """Buffer that holds the slowest ramp that the swing breaks, else smooths it into a band.

    Of 0 MW where the swing keeps every limit on MW, None where no such limit is known.
    """
    slowest = slowest_ramp(judged, design.grid, rows)
    residual = tightest_residual(judged, rows)
    allowed = residual[0] if residual else design.grid.step_limit_mw or 0.0
    if slowest is not None:
        ramp, words = slowest
        held = ramp_buffer(judged.swing_mw, ramp, design.grid.step_limit_mw or 0.0)
        usable = two_way_energy_mwh(held.energy_mwh, held.energy_mwh)
    elif residual is not None:
        allowed, words = residual
        held = smoothing_buffer(judged.each_step_mw, judged.duty, judged.frequency_hz, allowed)
        usable = two_way_energy_mwh(held.energy_mwh, 0.0)
    elif any(row.quantity != "voltage" for row in rows) or design.grid.ramp_limit_mw_per_min:
        return HeldSwing(0.0, 0.0, 0.0, judged.swing_mw, None)
    else:
        return None
    _assume_buffer(design)
    nameplate = buffer_mwh(usable, held.power_mw)
    return HeldSwing(held.power_mw, usable, nameplate, allowed, words)


def _buffer_figures(held: HeldSwing | None) -> dict[str, Any]:
    if held is None:
        return {"buffer_mw": None, "buffer_mwh": None, "buffer_limit": None}
    if held.limit is None:
        for name in ("buffer_mw", "buffer_mwh"):
            given(f"swing.{name}", 0.0, unit_of(name), "the swing keeps every limit that applies")
    return {
        "buffer_mw": held.power_mw,
        "buffer_mwh": held.nameplate_mwh,
        "buffer_limit": held.limit,
    }
