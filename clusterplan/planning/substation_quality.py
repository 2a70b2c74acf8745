"""Figures of the HV side, the MV side and the voltage of an evaluated substation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan.core.record import given
from clusterplan.sizing.breakers import breaker_rating_ka, continuous_rating_a
from clusterplan.sizing.bulk_stage import bulk_fault, fault_behind
from clusterplan.sizing.electrical_load import (
    feeders,
    feeders_spare,
    mv_bus_current_a,
    section_feeders,
)
from clusterplan.sizing.short_circuit import (
    bus_fault,
    fault_level_mva_method_ka,
    hv_fault_level_ka,
    single_phase_fault_ka,
)
from clusterplan.sizing.substation_load import mv_load
from clusterplan.sizing.voltage_quality import (
    isc_il_ratio,
    mv_step_voltage_percent,
    supply_voltage_percent,
    tdd_limit_percent,
)

if TYPE_CHECKING:
    from clusterplan.planning.substation_evaluation import Evaluation
    from clusterplan.sizing.existing_units import UnitSet
    from clusterplan.sizing.substation_tables import GridFault

BOARD_BREAKERS_A = (3000.0, 4000.0, 5000.0)
WEAK_GRID_RATIO = 3.0


def mv_figures(at: Evaluation, values: dict[str, Any]) -> dict[str, Any]:
    """Bus current, fault level, breakers and feeders at MV (at the boards of a small service)."""
    scheme, design = at.scheme, at.design
    boards = scheme.service == "mv"
    current = mv_bus_current_a(scheme.rating.top_mva, scheme.secondaries, scheme.mv_kv)
    ratings = BOARD_BREAKERS_A if boards else design.tables.family(scheme.mv_kv).continuous_a
    sections = scheme.installed * scheme.secondaries
    found: dict[str, Any] = {
        "mv_bus_current_a": current,
        "mv_breaker_a": continuous_rating_a(current, ratings),
        "feeders_spare": None,
    }
    if found["mv_breaker_a"] is None:
        design.ledger.warn(
            "mv_bus_current",
            "grid.transformers" if at.existing else "substation.mv_bus_current_a",
            f"no breaker of the catalogue carries {current:.0f} A at {scheme.mv_kv:g} kV",
        )
    if boards:
        found["feeders"] = feeders(sections, 1)
    else:
        rules = design.rules
        section = values["rating_power_mva"] / sections
        words = f"rating_power_mva / {sections} sections"
        given("substation.section_mva", section, "MVA", words)
        each = section_feeders(section, scheme.mv_kv, rules.feeder_current_a, rules.feeder_loading)
        found["feeders"] = feeders(sections, each)
        found["feeders_spare"] = feeders_spare(
            sections, section, scheme.mv_kv, rules.feeder_current_a, each
        )
    return found | _fault_figures(at)


def _fault_figures(at: Evaluation) -> dict[str, Any]:
    scheme, design, duty = at.scheme, at.design, at.duty
    names = (
        "fault_level_ka",
        "fault_peak_ka",
        "fault_x_over_r",
        "fault_level_mva_method_ka",
        "single_phase_fault_ka",
        "mv_breaker_ka",
        "bulk_fault_level_ka",
    )
    found: dict[str, Any] = dict.fromkeys(names)
    fault = duty.grid_fault(scheme.hv_kv, design.tables)
    if fault is None:
        return found
    total = fault.max_mva + duty.machines_mva
    ratio = fault.x_over_r
    if scheme.bulk is not None:
        behind = bulk_fault(scheme.bulk, total, ratio, design.tables)
        found["bulk_fault_level_ka"] = behind.current_ka
        fault_mid = fault_behind(scheme.bulk, duty, design.rules, design.tables, fault)
        total, ratio = (fault_mid.max_mva, fault_mid.x_over_r) if fault_mid else (total, ratio)
    together, unit = 1, at.mv_stage.normal[0]
    if at.existing:
        unit = max(at.mv_stage.normal, key=lambda row: row.base_mva / row.impedance)
    if scheme.service != "mv" and design.rules.running == "paralleled":
        together = scheme.units
    base = unit.base_mva / scheme.secondaries
    at_bus = 0.0
    if duty.machines_mv_mva > 0.0 and scheme.service != "mv":
        buses = scheme.mv_buses(design.rules.running)
        at_bus = duty.machines_mv_mva / buses
        words = f"machines that join at MV, spread over {buses} buses"
        given("substation.mv_bus.machines_mva", at_bus, "MVA", words)
    level = bus_fault(
        total,
        ratio,
        base,
        unit.impedance,
        unit.load_loss,
        together,
        scheme.mv_kv,
        machines_mva=at_bus,
        machines_x_over_r=duty.machines_mv_x_over_r,
    )
    found |= {
        "fault_level_ka": level.current_ka,
        "fault_peak_ka": level.peak_ka,
        "fault_x_over_r": level.x_over_r,
        "fault_level_mva_method_ka": fault_level_mva_method_ka(
            total, base, unit.impedance, together, scheme.mv_kv
        ),
    }
    if design.rules.solid_neutral:
        found["single_phase_fault_ka"] = single_phase_fault_ka(
            level.resistance_ohm,
            level.reactance_ohm,
            base,
            unit.impedance,
            unit.load_loss,
            together,
            scheme.mv_kv,
        )
    if scheme.service == "mv":
        design.ledger.warn(
            "board_breaker_unknown",
            "substation.mv_breaker_ka",
            "the catalogue has no interrupting ratings of low-voltage boards: compare them with "
            f"the fault level of {level.current_ka:.1f} kA",
        )
        return found
    found["mv_breaker_ka"] = breaker_rating_ka(
        level.current_ka,
        level.peak_ka,
        level.x_over_r,
        design.tables.family(scheme.mv_kv).interrupting_ka,
        design.rules.frequency_hz,
    )
    if at.existing and found["mv_breaker_ka"] is None:
        design.ledger.warn(
            "mv_fault_level",
            "grid.transformers",
            f"no MV breaker of the catalogue holds {level.current_ka:.1f} kA behind the existing "
            "transformers",
        )
    return found


def quality_figures(at: Evaluation, values: dict[str, Any]) -> dict[str, Any]:
    """Harmonic limit class and voltages; what an islanded site lacks is said."""
    scheme, design, duty = at.scheme, at.design, at.duty
    found: dict[str, Any] = {
        "isc_il_ratio": None,
        "tdd_limit_percent": None,
        "tdd_limit_weak_percent": None,
        "supply_voltage_percent": None,
        "mv_step_voltage_percent": None,
    }
    fault = duty.grid_fault(scheme.hv_kv, design.tables)
    if fault is None:
        design.ledger.warn(
            "islanded_fault_level",
            "substation.fault_level_ka",
            "no grid supply: fault level, TDD limit, step voltage and Pst stay unknown until "
            "machine data are given",
        )
        return found
    current = values["hv_current_a"]
    ratio = isc_il_ratio(hv_fault_level_ka(fault.max_mva, scheme.hv_kv), current)
    limit = tdd_limit_percent(scheme.hv_kv, ratio, design.tables.distortion)
    weak_ratio = isc_il_ratio(hv_fault_level_ka(fault.min_mva, scheme.hv_kv), current)
    weak = tdd_limit_percent(scheme.hv_kv, weak_ratio, design.tables.distortion)
    active, reactive = values["active_power_mw"], values["reactive_power_mvar"]
    found |= {
        "isc_il_ratio": ratio,
        "tdd_limit_percent": limit,
        "tdd_limit_weak_percent": weak if weak < limit else None,
    }
    if not duty.islanded:  # an island's machines hold their own terminal voltage
        found["supply_voltage_percent"] = supply_voltage_percent(
            active, reactive, fault.min_mva, fault.x_over_r
        )
        _note_fault(at, fault, values | found)
    if duty.swing_fraction is not None:
        found["mv_step_voltage_percent"] = _mv_step(at, fault, duty.swing_fraction)
        _warn_mv_step(at, found["mv_step_voltage_percent"])
    return found


def _warn_mv_step(at: Evaluation, step_percent: float | None) -> None:
    limit = at.design.rules.mv_step_max_percent
    path = "substation.mv_step_voltage_percent"
    if step_percent is None:
        at.design.ledger.warn(
            "mv_voltage_collapse",
            path,
            "on the minimum grid with one unit out the MV voltage collapses: voltage support "
            "(STATCOM, synchronous condenser) or more units are due",
        )
    elif step_percent > limit:
        at.design.ledger.warn(
            "mv_step_high",
            path,
            f"the swing on the minimum grid moves the MV voltage by {step_percent:.1f} %, more "
            f"than the {limit:g} % planned for up to four changes a day (IEEE 1453)",
        )


def _mv_step(at: Evaluation, fault: GridFault, fraction: float) -> float | None:
    """The worst single outage: of the MV stage, or of the bulk stage before it."""
    scheme, duty, design = at.scheme, at.duty, at.design
    outages: list[tuple[tuple[UnitSet, ...], GridFault]] = [(at.mv_stage.left, fault)]
    if scheme.bulk is not None:
        known = (scheme.bulk, duty, design.rules, design.tables, fault)
        whole, reduced = fault_behind(*known, 0) or fault, fault_behind(*known) or fault
        outages = [(at.mv_stage.left, whole), (at.mv_stage.normal, reduced)]
    load = mv_load(duty, scheme, design.rules)
    steps = [
        mv_step_voltage_percent(
            load.active_mw,
            load.reactive_mvar,
            fraction,
            source.min_mva,
            source.x_over_r,
            sum(row.number * row.base_mva for row in units),
            units[0].impedance,
            units[0].load_loss,
        )
        for units, source in outages
    ]
    known_steps = [step for step in steps if step is not None]
    return max(known_steps) if len(known_steps) == len(steps) else None


def _note_fault(at: Evaluation, fault: GridFault, values: dict[str, Any]) -> None:
    ledger, duty = at.design.ledger, at.duty
    assumed = " (assumed)" if fault.assumed else ""
    if fault.assumed:
        source = "weak end and usual breaker class of the voltage"
        ledger.assume("grid.short_circuit.min", fault.min_mva, "MVA", source)
        ledger.assume("grid.short_circuit.max", fault.max_mva, "MVA", source)
        ledger.warn(
            "short_circuit_assumed",
            "grid.short_circuit",
            "no short-circuit level given: fault level, breakers, TDD limit, step voltage and Pst "
            "rest on an assumed pair",
        )
    elif None in (duty.fault_min_mva, duty.fault_max_mva) and None in (
        duty.fault_min_ka,
        duty.fault_max_ka,
    ):
        ledger.warn(
            "short_circuit_single",
            "grid.short_circuit",
            "one short-circuit level given: it stands for both minimum and maximum",
        )
    if duty.x_over_r is None:
        ledger.assume("grid.x_over_r", fault.x_over_r, "", "usual value of the voltage class")
        given("grid.x_over_r", fault.x_over_r, "", "usual value of the voltage class", "false")
    if values["supply_voltage_percent"] is None:
        ledger.warn(
            "grid_cannot_carry",
            "grid.short_circuit",
            f"{fault.min_mva:.0f} MVA of minimum short-circuit power{assumed} cannot carry "
            f"{values['active_power_mw']:.1f} MW",
        )
    elif fault.min_mva < WEAK_GRID_RATIO * values["apparent_power_mva"]:
        ledger.warn(
            "weak_grid",
            "grid.short_circuit",
            f"minimum short-circuit power of {fault.min_mva:.0f} MVA{assumed} is below "
            f"{WEAK_GRID_RATIO:g} times the load, {values['apparent_power_mva']:.0f} MVA",
        )
