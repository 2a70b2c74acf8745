"""Evaluate a chosen (or existing) substation: every figure from a recorded formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan.core.record import active_recorder, given
from clusterplan.core.results.substation import SubstationSection
from clusterplan.core.shown_units import unit_of
from clusterplan.planning.substation_evaluation import (
    Evaluation,
    scheme_of_existing,
    stages_in_service,
)
from clusterplan.planning.substation_hv import grid_fault_words, hv_figures
from clusterplan.planning.substation_notes import CHOSEN, note_inputs
from clusterplan.planning.substation_quality import mv_figures, quality_figures
from clusterplan.sizing.breakers import bus_arrangement, bus_elements, hv_breakers, mv_sections
from clusterplan.sizing.electrical_load import (
    apparent_load_mva,
    apparent_power_mva,
    compensation_dynamic_mvar,
    compensation_mvar,
    load_mvar,
    loading_percent,
    power_factor_hv,
    rating_power_mva,
    reactive_power_mvar,
    substation_load_mw,
)
from clusterplan.sizing.existing_units import firm_of_existing_mva
from clusterplan.sizing.substation import bus_current_limit_a
from clusterplan.sizing.transformers import (
    firm_capacity_mva,
    group_firm_mva,
    losses_mw,
    survivors_of,
    transformer_losses_mw,
    transformer_mvar,
    transformer_reactive_mvar,
    transformers,
    transformers_redundant,
    unit_capability_mva,
    units_for,
)

if TYPE_CHECKING:
    from clusterplan.planning.substation_plan import ElectricalDesign
    from clusterplan.sizing.substation_tables import Scheme, SubstationDuty

CATALOGUE = "catalogue, transformer rows of the practice"


def build_section(
    design: ElectricalDesign,
    duty: SubstationDuty,
    scheme: Scheme | None,
    power_mw: tuple[float, float],
    existing_firm: float | None,
) -> SubstationSection:
    """The section of a scheme, or of the existing transformers where it is None.

    power_mw: facility power and firm on-site power that joins at MV.
    """
    existing = scheme is None
    if scheme is None:
        scheme = scheme_of_existing(design, duty)
    at = Evaluation(design, duty, scheme, *stages_in_service(design, scheme, existing), existing)
    values: dict[str, Any] = {"active_power_mw": substation_load_mw(*power_mw)}
    values |= _load_figures(at, values["active_power_mw"])
    values |= _unit_figures(at)
    values |= _firm_figures(at, values, existing_firm)
    values |= hv_figures(at, values)
    values |= mv_figures(at, values)
    values |= quality_figures(at, values)
    on_bus = values["bulk_transformers"] or values["transformers"]
    elements = bus_elements(values["hv_circuits"], on_bus, design.grid.generators_at_hv)
    arrangement = bus_arrangement(elements)
    values |= {
        "bus_elements": elements,
        "bus_arrangement": arrangement,
        "hv_breakers": None if scheme.service == "mv" else hv_breakers(elements, arrangement),
        "mv_sections": mv_sections(scheme.installed, scheme.secondaries),
    }
    _note_choices(at)
    return SubstationSection(**values)


def _load_figures(at: Evaluation, active_mw: float) -> dict[str, Any]:
    """Power triangle, losses and reactive power, normal and N-1."""
    duty = at.duty
    factor = duty.power_factor if duty.power_factor_mv is None else duty.power_factor_mv
    behind_mvar = load_mvar(active_mw, factor)
    found: dict[str, Any] = {}
    added_n1 = 0.0
    for key, attribute in (("_n1", "left"), ("", "normal")):
        losses, taken, at_mv_units = _stage_flow(at, active_mw, behind_mvar, attribute)
        added = taken if duty.power_factor_mv is not None else 0.0
        reactive = reactive_power_mvar(behind_mvar, added)
        apparent = apparent_power_mva(active_mw, reactive)
        found |= {
            f"losses{key}_mw": losses,
            f"transformer_reactive{key}_mvar": taken,
            f"power_factor_hv{key}": power_factor_hv(active_mw, apparent),
            f"_apparent{key}": apparent,
            f"_reactive{key}": reactive,
            f"_mv_stage{key}_mva": apparent if at_mv_units is None else at_mv_units,
        }
        if key == "_n1":
            added_n1 = added
    n1_mva, n1_mvar = found.pop("_apparent_n1"), found.pop("_reactive_n1")
    compensation = None
    if at.scheme.service != "islanded":
        compensation = compensation_mvar(active_mw, n1_mvar, at.design.power_factor_min)
    dynamic = None
    if compensation is not None and duty.swing_fraction is not None:
        rest = 1.0 - duty.swing_fraction
        given("substation.swing_rest_fraction", rest, "", "1 less the swing over the load")
        dynamic = compensation_dynamic_mvar(
            compensation, active_mw, behind_mvar, added_n1, at.design.power_factor_min, rest
        )
    apparent = found.pop("_apparent")
    reactive, taken = found["_reactive"], found["transformer_reactive_mvar"]
    if duty.power_factor_mv is None and taken > reactive:
        at.design.ledger.warn(
            "power_factor_too_good",
            "design.electrical.power_factor",
            f"the transformers alone take {taken:.0f} Mvar, more than the {reactive:.0f} Mvar of "
            f"power factor {duty.power_factor:g} at HV: give electrical.power_factor_mv",
        )
    return found | {
        "apparent_power_mva": apparent,
        "reactive_power_mvar": found.pop("_reactive"),
        "rating_power_mva": rating_power_mva(apparent, at.design.rules.growth_margin),
        "compensation_mvar": compensation,
        "compensation_dynamic_mvar": dynamic,
        "_n1_mva": n1_mva,
    }


def _stage_flow(
    at: Evaluation, active_mw: float, behind_mvar: float, attribute: str
) -> tuple[float, float, float | None]:
    """Losses in MW and Mvar of all stages, from the load outwards; MVA into the MV stage.

    The last is None where it is what the HV side carries: bulk units before the MV stage take Mvar
    that its own units do not see.
    """
    present = at.design.grid.existing_load_mva or 0.0 if at.existing else 0.0
    apparent = apparent_load_mva(active_mw, _factor(at.duty))
    into_mv = None
    losses, taken = [], []
    for stage in (at.mv_stage, at.bulk_stage):
        if stage is None:
            continue
        sets = getattr(stage, attribute)
        whole = sum(row.number * row.capability_mva for row in sets)
        mvar = 0.0
        for row in sets:
            share = (apparent + present) * row.number * row.capability_mva / whole
            losses.append(
                transformer_losses_mw(row.number, share, row.base_mva, row.no_load, row.load_loss)
            )
            mvar += transformer_mvar(row.number, share, row.base_mva, row.impedance)
        taken.append(mvar)
        if at.duty.power_factor_mv is not None:
            apparent = apparent_power_mva(active_mw, behind_mvar + sum(taken))
            if stage is at.mv_stage and at.bulk_stage is not None:
                into_mv = apparent
    return losses_mw(tuple(losses)), transformer_reactive_mvar(tuple(taken)), into_mv


def _factor(duty: SubstationDuty) -> float:
    return duty.power_factor if duty.power_factor_mv is None else duty.power_factor_mv


def _unit_figures(at: Evaluation) -> dict[str, Any]:
    scheme, redundant = at.scheme, at.design.rules.redundant
    rating = scheme.rating
    values: dict[str, Any] = {
        "hv_kv": scheme.hv_kv,
        "mv_kv": scheme.mv_kv,
        "transformer_groups": scheme.groups,
        "transformer_mva": rating.top_mva,
        "transformer_onan_mva": rating.base_mva,
        "transformer_impedance_percent": 100.0 * scheme.impedance,
        "secondaries": scheme.secondaries,
        "intermediate_kv": None if scheme.bulk is None else scheme.bulk.mid_kv,
        "bulk_transformer_groups": None if scheme.bulk is None else scheme.bulk.groups,
        "bulk_transformer_mva": None if scheme.bulk is None else scheme.bulk.rating.top_mva,
        "generation_firm_mw": at.design.grid.generation_firm_mw,
        "hv_circuits": 0 if at.duty.islanded else at.duty.circuits,
    }
    for name, value in values.items():
        if value is not None:
            source, verified = _origin(at, name)
            given(f"substation.{name}", value, unit_of(name), source, verified)
    by_rule = _note_units(at)
    if active_recorder() is not None:
        note_inputs(at, units_by_rule=by_rule)
    installed = transformers(scheme.groups, scheme.units)
    out = transformers_redundant(scheme.groups, min(redundant, scheme.units - 1))
    values |= {
        "service": scheme.service,
        "arrangement": _arrangement(at),
        "grid_fault": grid_fault_words(at),
        "running_arrangement": (
            "one board each" if scheme.service == "mv" else at.design.rules.running
        ),
        "transformers": installed,
        "transformers_redundant": out,
        "unit_capability_mva": _capability(at),
        "bulk_transformers": None,
        "bulk_transformers_redundant": None,
    }
    if scheme.bulk is not None:
        values["bulk_transformers"] = transformers(scheme.bulk.groups, scheme.bulk.units)
        values["bulk_transformers_redundant"] = transformers_redundant(
            scheme.bulk.groups, redundant
        )
    return values


def _arrangement(at: Evaluation) -> str:
    """The stages in words: 4 x 750 MVA 500/345 kV, 8 x 333.3 MVA 345/34.5 kV."""
    scheme = at.scheme
    if at.existing:
        units = ", ".join(f"{row.number} x {row.top_mva:g} MVA" for row in at.design.existing)
        return f"existing {units} {scheme.hv_kv:g}/{scheme.mv_kv:g} kV"
    primary = f"{scheme.primary_kv:g}/{scheme.mv_kv:g} kV"
    text = f"{scheme.installed} x {scheme.rating.top_mva:g} MVA {primary}"
    if scheme.groups > 1:
        text += f" in {scheme.groups} groups"
    if scheme.secondaries == 2:
        text += ", two secondaries"
    if scheme.bulk is not None:
        bulk = scheme.bulk
        number = bulk.groups * bulk.units
        lines = f"{scheme.hv_kv:g}/{bulk.mid_kv:g} kV"
        text = f"{number} x {bulk.rating.top_mva:g} MVA {lines}, then {text}"
    return text


def _capability(at: Evaluation) -> float:
    if at.existing:
        largest = max(row.capability_mva for row in at.design.existing)
        given("substation.unit_capability_mva", largest, "MVA", "largest existing unit, derated")
        return largest
    return unit_capability_mva(at.scheme.rating.top_mva)


def _note_units(at: Evaluation) -> bool:
    """Record how many units a group needs; whether the plain rule gives the number chosen."""
    scheme, rules = at.scheme, at.design.rules
    if at.existing or at.duty.power_factor_mv is not None:
        return False
    if rules.running in ("pair", "two-neighbours") and scheme.service != "mv":
        return False
    apparent = at.duty.active_mw / at.duty.power_factor * (1.0 + rules.growth_margin)
    limit = 1.0 if at.duty.rating_mva is not None else rules.loading_max
    top, spare = scheme.rating.top_mva, rules.redundant
    return units_for(apparent / scheme.groups, top, spare, limit) == scheme.units


def _origin(at: Evaluation, name: str) -> tuple[str, str]:
    """Source and flag of a figure that no formula gives."""
    duty = at.duty
    asked = {
        "hv_kv": at.design.grid.voltage_kv,
        "mv_kv": duty.mv_kv,
        "transformer_mva": duty.rating_mva,
        "transformer_impedance_percent": duty.impedance,
        "secondaries": duty.secondaries,
        "hv_circuits": at.design.grid.circuits,
        "generation_firm_mw": 1.0,
    }
    if at.existing or asked.get(name) is not None:
        return "grid file, design file or option", "given"
    return (CATALOGUE if name == "transformer_impedance_percent" else CHOSEN), "false"


def _firm_figures(
    at: Evaluation, values: dict[str, Any], existing_firm: float | None
) -> dict[str, Any]:
    apparent, n1_mva = values["apparent_power_mva"], values.pop("_n1_mva")
    into_mv, into_mv_n1 = values.pop("_mv_stage_mva"), values.pop("_mv_stage_n1_mva")
    if at.existing:
        return _existing_firm_figures(at, apparent, existing_firm)
    scheme, redundant = at.scheme, at.design.rules.redundant
    running = "transfer-bus" if scheme.service == "mv" else at.design.rules.running
    top = values["unit_capability_mva"]
    firm = scheme.groups * group_firm_mva(
        scheme.units, redundant, top, survivors_of(running, scheme.units)
    )
    limits = [firm]
    bulk_loading = None
    if scheme.bulk is not None:
        bulk = scheme.bulk
        bulk_firm = bulk.groups * group_firm_mva(
            bulk.units, redundant, bulk.rating.top_mva, survivors_of("paralleled", bulk.units)
        )
        limits.append(bulk_firm)
        bulk_loading = loading_percent(n1_mva, bulk_firm)
    generation = at.design.grid.generation_firm_mw
    if at.duty.islanded and generation is not None:
        limits.append(apparent_load_mva(generation, values["power_factor_hv"]))
    return {
        "firm_capacity_mva": firm_capacity_mva(tuple(limits)),
        "loading_normal_percent": loading_percent(into_mv, scheme.installed * top),
        "loading_n1_percent": loading_percent(into_mv_n1, firm),
        "bulk_loading_n1_percent": bulk_loading,
    }


def _existing_firm_figures(
    at: Evaluation, apparent: float, existing_firm: float | None
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "firm_capacity_mva": None,
        "loading_normal_percent": None,
        "loading_n1_percent": None,
        "bulk_loading_n1_percent": None,
    }
    present = at.design.grid.existing_load_mva
    if existing_firm is None or present is None:
        return found
    each = tuple(row.capability_mva for row in at.design.existing for _ in range(row.number))
    rules = at.design.rules
    firm = firm_of_existing_mva(at.design.existing, rules.redundant, rules.running)
    found["firm_capacity_mva"] = firm_capacity_mva((existing_firm,))
    found["loading_normal_percent"] = loading_percent(apparent + present, sum(each))
    if firm > 0:
        found["loading_n1_percent"] = loading_percent(apparent + present, firm)
    return found


def _note_choices(at: Evaluation) -> None:
    """What step 21 chose stands in the assumptions; a given figure that strains is a warning."""
    ledger, duty, scheme = at.design.ledger, at.duty, at.scheme
    if duty.hv_kv is None:
        source = "generation bus, counting rule 8" if duty.islanded else CHOSEN
        ledger.assume("design.electrical.hv", scheme.hv_kv, "kV", source)
    if scheme.service == "mv" and duty.mv_kv not in (None, scheme.mv_kv):
        ledger.warn(
            "mv_not_used",
            "design.electrical.mv",
            f"{duty.mv_kv:g} kV is not used: the unit substations are {scheme.hv_kv:g} kV to LV",
        )
    if at.existing:
        return
    if duty.mv_kv is None or scheme.service == "mv":
        ledger.assume("design.electrical.mv", scheme.mv_kv, "kV", CHOSEN)
    if duty.rating_mva is None:
        ledger.assume("design.electrical.transformer", scheme.rating.top_mva, "MVA", CHOSEN)
    if duty.secondaries is None:
        ledger.assume("design.electrical.secondaries", scheme.secondaries, "", CHOSEN)
    if duty.impedance is None:
        ledger.assume(
            "design.electrical.transformer_impedance", 100.0 * scheme.impedance, "%", CATALOGUE
        )
    limit = bus_current_limit_a(at.design.rules, at.design.tables, scheme.mv_kv)
    if scheme.service != "mv" and limit > 3000.0:
        ledger.warn(
            "mv_bus_forced",
            "design.electrical.bus_current_max",
            "MV buses above 3000 A need forced cooling or gas-insulated switchgear",
        )
