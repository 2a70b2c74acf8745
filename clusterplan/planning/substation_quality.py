"""Figures of the HV side, the MV side and the voltage of an evaluated substation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from clusterplan.core.record import given
from clusterplan.sizing.breakers import breaker_rating_ka, continuous_rating_a
from clusterplan.sizing.bulk_stage import bulk_fault, fault_behind
from clusterplan.sizing.electrical_load import (
    feeders,
    feeders_spare,
    hv_circuit_current_a,
    hv_circuit_loading_percent,
    mv_bus_current_a,
    section_feeders,
    three_phase_current_a,
)
from clusterplan.sizing.short_circuit import (
    bus_fault,
    fault_level_mva_method_ka,
    hv_fault_level_ka,
    service_fault,
    single_phase_fault_ka,
)
from clusterplan.sizing.substation import mv_load
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


def hv_figures(at: Evaluation, values: dict[str, Any]) -> dict[str, Any]:
    """Currents of the site, of its circuits and of one unit; fault level and breaker at HV."""
    scheme, duty, design = at.scheme, at.duty, at.design
    apparent = values["apparent_power_mva"]
    current = three_phase_current_a(apparent, scheme.hv_kv)
    found: dict[str, Any] = {
        "hv_current_a": current,
        "hv_circuit_current_a": None,
        "hv_circuit_loading_percent": None,
        "hv_tower_loss_current_a": None,
        "unit_hv_current_a": three_phase_current_a(scheme.rating.top_mva, scheme.primary_kv),
        "hv_fault_level_ka": None,
        "hv_breaker_ka": None,
        "hv_breaker_a": None,
    }
    family = design.tables.family(scheme.hv_kv)
    groups = scheme.bulk.groups if scheme.bulk else scheme.groups
    yards = max(1, min(groups, duty.circuits // 2))
    if not duty.islanded:
        yard_current = three_phase_current_a(values["rating_power_mva"] / yards, scheme.hv_kv)
        found["hv_breaker_a"] = continuous_rating_a(yard_current, family.continuous_a)
        _warn_missing(at, found["hv_breaker_a"], f"{yard_current:.0f} A at {scheme.hv_kv:g} kV")
        found |= _circuit_figures(at, apparent)
    elif current > family.continuous_a[-1]:
        design.ledger.warn(
            "generation_bus_current",
            "substation.hv_current_a",
            f"{current:,.0f} A at {scheme.hv_kv:g} kV is more than one bus carries: the units must "
            f"stand on {math.ceil(current / family.continuous_a[-1])} buses or more, or generate "
            "at a higher voltage (design.electrical.hv)",
        )
    fault = duty.grid_fault(scheme.hv_kv, design.tables)
    if fault is None:
        return found
    total = fault.max_mva + duty.machines_mva
    found["hv_fault_level_ka"] = hv_fault_level_ka(fault.max_mva, scheme.hv_kv, duty.machines_mva)
    level = service_fault(total, fault.x_over_r, scheme.hv_kv)
    found["hv_breaker_ka"] = breaker_rating_ka(
        level.current_ka,
        level.peak_ka,
        level.x_over_r,
        family.interrupting_ka,
        design.rules.frequency_hz,
    )
    words = f"{level.current_ka:.1f} kA at {scheme.hv_kv:g} kV"
    if duty.islanded and found["hv_breaker_ka"] is None:
        design.ledger.warn(
            "generation_bus_fault",
            "substation.hv_fault_level_ka",
            f"{words} with all machines on one bus is beyond every breaker: they must stand on"
            " separate buses",
        )
    else:
        _warn_missing(at, found["hv_breaker_ka"], words)
    return found


def _warn_missing(at: Evaluation, rating: float | None, what: str) -> None:
    """An existing yard may be beyond every breaker; a new one is never planned so."""
    if rating is None:
        at.design.ledger.warn(
            "hv_breaker", "grid.voltage", f"no HV breaker of the catalogue holds {what}"
        )


def grid_fault_words(at: Evaluation) -> str:
    """The fault level of the grid that everything rests on, and what of it is assumed."""
    kv, duty = at.scheme.hv_kv, at.duty
    fault = duty.grid_fault(kv, at.design.tables)
    if fault is None:
        return "none, islanded"
    low, high = (hv_fault_level_ka(mva, kv) for mva in (fault.min_mva, fault.max_mva))
    level = f"{high:.4g} kA" if abs(high - low) < 1e-9 * high else f"{low:.4g} to {high:.4g} kA"
    if fault.assumed:
        return f"{level}, X/R {fault.x_over_r:g}, assumed"
    if duty.islanded:
        return f"{level}, X/R {fault.x_over_r:.3g}, on-site machines"
    return f"{level}, X/R {fault.x_over_r:g}{' assumed' if duty.x_over_r is None else ''}"


def _circuit_figures(at: Evaluation, apparent: float) -> dict[str, Any]:
    ledger, kv, circuits = at.design.ledger, at.scheme.hv_kv, at.duty.circuits
    step = at.design.tables.voltage_step(kv)
    if step is not None and at.duty.active_mw > step.load_mw_max * max(1.0, circuits / 2.0):
        ledger.warn(
            "load_high_for_voltage",
            "grid.voltage",
            f"{at.duty.active_mw:.0f} MW is high for {kv:g} kV on {circuits}"
            f" circuit{'s' if circuits > 1 else ''} (two, one lost: {step.load_mw_max:g} MW)",
        )
    if circuits < 2:
        ledger.warn(
            "single_circuit", "grid.circuits", "one HV circuit: its loss takes the whole site"
        )
        return {}
    current = hv_circuit_current_a(apparent, kv, circuits, 1)
    found: dict[str, Any] = {"hv_circuit_current_a": current}
    if step is not None:
        loading = hv_circuit_loading_percent(current, step.ampacity_a)
        found["hv_circuit_loading_percent"] = loading
        if loading > 100.0:
            ledger.warn(
                "hv_circuit_overload",
                "grid.circuits",
                f"with one of {circuits} circuits out the rest carry {current:.0f} A, above the "
                f"{step.ampacity_a:g} A typical at {step.kv:g} kV",
            )
    common = at.design.grid.common_tower
    if common is None:
        ledger.assume("grid.common_tower", True, "", "two circuits on one tower line unless given")
    if common is not False:
        if circuits > 2:
            found["hv_tower_loss_current_a"] = hv_circuit_current_a(apparent, kv, circuits, 2)
        elif common:
            ledger.warn(
                "common_tower",
                "grid.common_tower",
                "both HV circuits stand on one tower line: its loss takes the whole site",
            )
    return found


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
    level = bus_fault(total, ratio, base, unit.impedance, unit.load_loss, together, scheme.mv_kv)
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
