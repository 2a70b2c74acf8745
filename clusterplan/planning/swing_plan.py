"""Power swing of synchronous training at the connection point of one plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.record import given
from clusterplan.core.results.substation import SwingSection, SwingTransition
from clusterplan.core.shown_units import unit_of
from clusterplan.planning.substation_plan import chain
from clusterplan.planning.swing_limits import (
    DUTY,
    Swing,
    limits_for,
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
    ramp_buffer,
    ramp_mw_per_s,
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
        grid_assumed=_grid_assumed(design, substation.hv_kv),
    )
    inertia = design.grid.inertia_mw_s
    values["frequency_rate_hz_per_s"] = (
        frequency_rate_hz_per_s(swing, inertia, design.rules.frequency_hz)
        if design.duty.islanded and inertia
        else None
    )
    if design.duty.islanded:
        _warn_islanded(design, swing)
    if swing > 0 and rows:
        source = f"{METHOD}: half of a step at each power"
        design.ledger.assume("swing.duty", DUTY, "", source)
    return SwingSection(
        **values,
        **_buffer_figures(design, judged, rows),
        transitions=_transitions(job, efficiency),
        verdicts=tuple(verdicts(judged, design.grid, rows)) if swing > 0 else (),
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
    up = swing_mw(job.typical_mw, job.idle_mw, efficiency)
    down = swing_mw(job.idle_mw, job.typical_mw, efficiency)
    pairs = [("start: idle to typical", up), ("end or failure: typical to idle", down)]
    if job.peak_mw is not None and job.peak_mw > job.typical_mw:
        peak = swing_mw(job.peak_mw, job.typical_mw, efficiency)
        pairs.append(("short peak: typical to peak", peak))
    return tuple(
        SwingTransition(transition=name, swing_mw=mw, ramp_mw_per_s=ramp_mw_per_s(mw, job.edge_s))
        for name, mw in pairs
    )


def _assume_buffer(design: ElectricalDesign) -> None:
    assume = design.ledger.assume
    assume("swing.buffer_round_trip", ROUND_TRIP, "", "NREL ATB, battery storage")
    assume("swing.buffer_window", USABLE_WINDOW, "", f"{METHOD}: usable part of the nameplate")
    assume("swing.buffer_c_rate", C_RATE, "1/h", f"{METHOD}: MW for each MWh of nameplate")


def _buffer_figures(
    design: ElectricalDesign, judged: Swing, rows: tuple[SwingLimit, ...]
) -> dict[str, Any]:
    """Buffer that holds the slowest ramp that the swing breaks, else smooths it into a band.

    0 where the swing keeps every limit on MW, None where no such limit is known.
    """
    slowest = slowest_ramp(judged, design.grid, rows)
    residual = tightest_residual(judged, rows)
    if slowest is not None:
        ramp, words = slowest
        held = ramp_buffer(judged.swing_mw, ramp, design.grid.step_limit_mw or 0.0)
        usable = two_way_energy_mwh(held.energy_mwh, held.energy_mwh)
    elif residual is not None:
        allowed, words = residual
        held = smoothing_buffer(judged.swing_mw, DUTY, judged.frequency_hz, allowed)
        usable = two_way_energy_mwh(held.energy_mwh, 0.0)
    elif any(row.quantity != "voltage" for row in rows) or design.grid.ramp_limit_mw_per_min:
        for name in ("buffer_mw", "buffer_mwh"):
            given(f"swing.{name}", 0.0, unit_of(name), "the swing keeps every limit that applies")
        return {"buffer_mw": 0.0, "buffer_mwh": 0.0, "buffer_limit": None}
    else:
        return {"buffer_mw": None, "buffer_mwh": None, "buffer_limit": None}
    _assume_buffer(design)
    return {
        "buffer_mw": held.power_mw,
        "buffer_mwh": buffer_mwh(usable, held.power_mw),
        "buffer_limit": words,
    }
