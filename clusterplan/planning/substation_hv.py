"""Figures of the HV side: currents, circuits with one or a tower lost, fault level, breakers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from clusterplan.sizing.breakers import breaker_rating_ka, continuous_rating_a
from clusterplan.sizing.electrical_load import (
    hv_circuit_current_a,
    hv_circuit_loading_percent,
    three_phase_current_a,
)
from clusterplan.sizing.short_circuit import hv_fault_level_ka, service_fault

if TYPE_CHECKING:
    from clusterplan.planning.substation_evaluation import Evaluation
    from clusterplan.sizing.substation_tables import VoltageStep


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
        "hv_tower_loss_loading_percent": None,
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
    return found | _tower_figures(at, apparent, step)


def _tower_figures(at: Evaluation, apparent: float, step: VoltageStep | None) -> dict[str, Any]:
    """A double-circuit tower lost: what the other circuits carry, if there are any."""
    ledger, kv, circuits = at.design.ledger, at.scheme.hv_kv, at.duty.circuits
    common = at.design.grid.common_tower
    if common is None:
        ledger.assume("grid.common_tower", True, "", "two circuits on one tower line unless given")
    if common is False:
        return {}
    if circuits <= 2:
        if common:
            ledger.warn(
                "common_tower",
                "grid.common_tower",
                "both HV circuits stand on one tower line: its loss takes the whole site",
            )
        return {}
    current = hv_circuit_current_a(apparent, kv, circuits, 2)
    found: dict[str, Any] = {"hv_tower_loss_current_a": current}
    if step is not None:
        loading = hv_circuit_loading_percent(current, step.ampacity_a)
        found["hv_tower_loss_loading_percent"] = loading
        if loading > 100.0:
            ledger.warn(
                "hv_tower_overload",
                "grid.common_tower",
                f"with a double-circuit tower lost the other {circuits - 2} of {circuits} circuits"
                f" carry {current:.0f} A, above the {step.ampacity_a:g} A typical at {step.kv:g}"
                " kV",
            )
    return found
