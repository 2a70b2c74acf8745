"""What the substation's formulas take in, in the calculation record: units, sections, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.record import given

if TYPE_CHECKING:
    from clusterplan.planning.substation_evaluation import Evaluation
    from clusterplan.sizing.existing_units import UnitSet

CHOSEN = "chosen: clusterplan method, electrical step 21"


def note_inputs(at: Evaluation, *, units_by_rule: bool) -> None:
    """Note what the formulas take from the scheme, the grid file and the catalogue.

    units_by_rule: whether a recorded step gave the units of a group, which then needs no note.
    """
    if not units_by_rule:
        words = f"{'grid.transformers' if at.existing else CHOSEN}; {at.design.rules.running}"
        given("substation.units_per_group", at.scheme.units, "units", words)
    _note_unit(at, "unit", at.mv_stage.normal[0])
    if at.bulk_stage is not None:
        _note_unit(at, "bulk_unit", at.bulk_stage.normal[0])
    _note_counts(at)
    _note_tables(at)


def _note_unit(at: Evaluation, name: str, row: UnitSet) -> None:
    """Ratings of one transformer: of the existing ones, as asked for, or of the catalogue."""
    practice, path = at.design.tables.practice, f"substation.{name}"
    ratings = impedances = losses = f"catalogue, {practice} practice, transformer"
    if at.existing:
        ratings = impedances = "grid.transformers, or where that has no figure the catalogue:"
    elif name == "unit":
        ratings = ratings if at.duty.rating_mva is None else "design.electrical.transformer:"
        given_z = at.duty.impedance is not None
        impedances = "design.electrical.transformer_impedance:" if given_z else impedances
    per_unit = "per unit of base_mva"
    given(f"{path}.top_rating_mva", row.top_mva, "MVA", f"{ratings} ratings")
    given(f"{path}.base_mva", row.base_mva, "MVA", f"{ratings} ratings (ONAN)")
    given(f"{path}.impedance", row.impedance, "", f"{impedances} impedances, {per_unit}")
    given(f"{path}.no_load", row.no_load, "", f"{losses} losses, {per_unit}")
    words = f"{losses} losses, {per_unit}; the resistance is the load loss"
    given(f"{path}.load_loss_resistance", row.load_loss, "", words)


def _note_counts(at: Evaluation) -> None:
    """Numbers of units and sections, and what they make together."""
    scheme, rules, stage = at.scheme, at.design.rules, at.mv_stage
    path, number, secondaries = "substation", scheme.installed, scheme.secondaries
    top, base = scheme.rating.top_mva, scheme.rating.base_mva
    words = f"{number} units x {secondaries} secondaries"
    given(f"{path}.sections", number * secondaries, "sections", words)
    spare, words = rules.redundant, "design.electrical.transformer_redundancy"
    given(f"{path}.transformers_redundant_per_group", spare, "units", words)
    together = rules.running == "paralleled" and scheme.service != "mv"
    words = f"units of a group on one bus; running: {rules.running}"
    given(f"{path}.parallel_units", scheme.units if together else 1, "units", words)
    given(f"{path}.installed_capacity_mva", number * top, "MVA", f"{number} units x {top:g} MVA")
    left = sum(row.number * row.base_mva for row in stage.left)
    given(f"{path}.left.units_mva", left, "MVA", "base (ONAN) MVA of the units that are left")
    if at.duty.swing_fraction is not None:
        words = "swing at the meter over the load of the substation, at most 1"
        given(f"{path}.swing_step_fraction", at.duty.swing_fraction, "", words)
    for name, units in (("transformers", stage), ("bulk_transformers", at.bulk_stage)):
        if units is not None:
            normal, kept = (sum(row.number for row in rows) for rows in (units.normal, units.left))
            given(f"{path}.{name}_in_service_units", normal, "units", "all installed")
            given(f"{path}.{name}_left_units", kept, "units", "the redundant ones out")
    words = f"{base:g} MVA / {secondaries} secondaries"
    given(f"{path}.secondary.base_mva", base / secondaries, "MVA", words)


def _note_tables(at: Evaluation) -> None:
    """Lists of the catalogue from which a rating or a limit is picked."""
    scheme, tables = at.scheme, at.design.tables
    practice = f"catalogue, {tables.practice} practice"
    step = tables.voltage_step(scheme.hv_kv)
    if step is not None:
        given("substation.circuit.ampacity_a", step.ampacity_a, "A", f"{practice}, voltage classes")
    for level, kv in (("hv", scheme.hv_kv), ("mv", scheme.mv_kv)):
        family, path = tables.family(kv), f"substation.{level}_breakers"
        rows = f"{practice}, breakers to {family.kv_max:g} kV"
        given(f"{path}.ratings_ka", family.interrupting_ka, "kA", rows)
        given(f"{path}.ratings_a", family.continuous_a, "A", rows)
    words = "design.electrical.frequency, or the grid of the country"
    given("substation.frequency_hz", at.design.rules.frequency_hz, "Hz", words)
    given("substation.tdd_table", tables.distortion, "", "catalogue, TDD limits")
    given("substation.flicker_curve", tables.flicker, "", "catalogue, flicker points")
