"""Power swing of synchronous training at the connection point of one plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.record import given
from clusterplan.core.results.substation import SwingSection, SwingTransition
from clusterplan.planning.substation_plan import chain
from clusterplan.planning.swing_limits import Swing, limits_for, slowest_ramp, verdicts
from clusterplan.sizing.generation import frequency_rate_hz_per_s
from clusterplan.sizing.power_swing import (
    buffer_mwh,
    ramp_buffer,
    ramp_mw_per_s,
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
    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.substation_plan import ElectricalDesign

DEFAULT_FREQUENCY_HZ = 1.0
METHOD = "clusterplan method, electrical, power swings"


class JobSwing(NamedTuple):
    """Power of all compute racks at the rack input in MW, edge and step time of the job in s.

    edge_measured: whether the edge comes from a trace (only then it softens flicker). step_time_s:
    None where unknown. peak_mw: None where unknown.
    """

    typical_mw: float
    idle_mw: float
    peak_mw: float | None
    edge_s: float
    edge_measured: bool = False
    step_time_s: float | None = None


def job_swing(
    choices: Choices,
    typical_mw: float,
    idle_mw: float,
    peak_mw: float | None = None,
    step_time_s: float | None = None,
) -> JobSwing:
    """The job's levels (MW at the racks) with the edge time of the choices."""
    return JobSwing(
        typical_mw,
        idle_mw,
        peak_mw,
        choices.number("swing.edge_time"),
        choices.is_given("swing.edge_time"),
        step_time_s,
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
        "swing_mvar": swing_mvar(swing, load_mw, substation.reactive_power_mvar),
    }
    source = "measured trace" if job.edge_measured else "NERC, 2025-07: block of 0.25 s"
    given("swing.edge_s", job.edge_s, "s", source, "false")
    given("swing.swing_frequency_hz", values["swing_frequency_hz"], "Hz", METHOD, "false")
    values |= _voltage_figures(design, substation, job, values)
    rows = () if design.duty.islanded else limits_for(design.grid.utility)
    judged = Swing(
        swing,
        job.edge_s,
        values["swing_frequency_hz"],
        load_mw,
        substation.hv_kv,
        values["step_voltage_percent"],
        values["pst"],
    )
    inertia = design.grid.inertia_mw_s
    values["frequency_rate_hz_per_s"] = (
        frequency_rate_hz_per_s(swing, inertia, design.rules.frequency_hz)
        if design.duty.islanded and inertia
        else None
    )
    return SwingSection(
        **values,
        **_buffer_figures(design, swing, load_mw, rows),
        transitions=_transitions(job, efficiency),
        verdicts=tuple(verdicts(judged, design.grid, rows)) if swing > 0 else (),
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
    step = step_voltage_percent(
        substation.active_power_mw,
        substation.reactive_power_mvar,
        swing,
        reactive,
        fault.min_mva,
        fault.x_over_r,
    )
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
    found["pst"] = pst(step, change)
    found["pst_closed_form"] = pst_closed_form(step, hz)
    return found


def _transitions(job: JobSwing, efficiency: float) -> tuple[SwingTransition, ...]:
    """Start and end of the job, and its short peak, at the connection point."""
    down = swing_mw(job.typical_mw, job.idle_mw, efficiency)
    fall = swing_mw(job.idle_mw, job.typical_mw, efficiency)
    pairs = [("start: idle to typical", down), ("end or failure: typical to idle", fall)]
    if job.peak_mw is not None and job.peak_mw > job.typical_mw:
        peak = swing_mw(job.peak_mw, job.typical_mw, efficiency)
        pairs.append(("short peak: typical to peak", peak))
    return tuple(
        SwingTransition(transition=name, swing_mw=mw, ramp_mw_per_s=ramp_mw_per_s(mw, job.edge_s))
        for name, mw in pairs
    )


def _buffer_figures(
    design: ElectricalDesign, swing: float, load_mw: float, rows: tuple[SwingLimit, ...]
) -> dict[str, Any]:
    """Buffer that holds the slowest ramp of the limits found; none where they name no ramp."""
    found = slowest_ramp(design.grid, rows, load_mw)
    if found is None or swing <= 0.0:
        return {"buffer_mw": None, "buffer_mwh": None, "buffer_limit": None}
    slowest, words = found
    held = ramp_buffer(swing, slowest, design.grid.step_limit_mw or 0.0)
    usable = two_way_energy_mwh(held.energy_mwh, held.energy_mwh)
    return {
        "buffer_mw": held.power_mw,
        "buffer_mwh": buffer_mwh(usable, held.power_mw),
        "buffer_limit": words,
    }
