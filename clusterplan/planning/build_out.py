"""Which transformers each supply stage needs, and by when they must be ordered."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from clusterplan.core.record import given
from clusterplan.core.results.substation import BuildStep
from clusterplan.inputs.datum import value_of
from clusterplan.planning.substation_plan import duty_of
from clusterplan.sizing.build_out import (
    StageUnits,
    bulk_units_of_stage,
    mv_units_of_stage,
    order_date,
    units_added,
)
from clusterplan.sizing.electrical_load import apparent_power_mva, load_mvar, loading_percent
from clusterplan.sizing.substation_load import stage_load
from clusterplan.sizing.substation_tables import BulkStage, Scheme, UnitRating
from clusterplan.sizing.transformers import group_firm_mva, survivors_of, transformers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.planning.site_model import SiteModel
    from clusterplan.planning.stages import SolvedStage
    from clusterplan.planning.substation_plan import ElectricalDesign
    from clusterplan.sizing.substation_tables import SubstationDuty, SubstationTables


def with_build_out(
    substation: SubstationSection,
    model: SiteModel,
    stages: Sequence[SolvedStage],
    grid: Grid | None,
    servers: int,
) -> SubstationSection:
    """The substation with its table of stages; as it is where it stands already, or has none."""
    design = model.electrical
    dated = [stage for stage in stages if stage.step is not None and stage.servers]
    if design.existing or not dated:
        return substation
    scheme = _scheme_of(substation, design.tables)
    weeks = model.choices.number("electrical.lead_time")
    steps: list[BuildStep] = []
    before, bulk_before = 0, 0
    for stage in dated:
        step = stage.step
        if step is None:
            continue
        facility = model.at(stage.servers).facility_mw
        load_mw = max(0.001, model.through_substation_mw(facility, stage.supply.onsite_at_mv_mw))
        duty = duty_of(design, load_mw)
        units = mv_units_of_stage(duty, design.rules, scheme)
        bulk = bulk_units_of_stage(duty, design.rules, scheme)
        if stage is dated[-1] and stage.servers == servers:
            units = StageUnits(scheme.groups, scheme.units)
            bulk = (
                None if scheme.bulk is None else StageUnits(scheme.bulk.groups, scheme.bulk.units)
            )
        total = max(before, transformers(*units))
        bulk_total = None if bulk is None else max(bulk_before, transformers(*bulk))
        load_mva = _apparent(duty, scheme, total)
        steps.append(
            BuildStep(
                stage=step.name,
                energised=step.energised,
                order_by=_order_by(step.energised, step.status, weeks),
                apparent_mva=load_mva,
                transformers=total,
                added=units_added(total, before),
                bulk_transformers=bulk_total,
                loading_n1_percent=_loading(design, scheme, units, total, load_mva),
            )
        )
        before, bulk_before = total, bulk_total or 0
    _warn_early(model, steps, grid)
    _warn_late(model, steps)
    return dataclasses.replace(substation, build=tuple(steps))


def _scheme_of(section: SubstationSection, tables: SubstationTables) -> Scheme:
    """The design that the section shows."""
    bulk, number, groups = None, section.bulk_transformers, section.bulk_transformer_groups
    if number and groups and section.bulk_transformer_mva and section.intermediate_kv:
        base = tables.base_of(section.bulk_transformer_mva)
        bulk = BulkStage(
            section.intermediate_kv,
            UnitRating(base, section.bulk_transformer_mva),
            tables.impedance(base, tables.class_kv(section.hv_kv)),
            groups,
            number // groups,
        )
    return Scheme(
        section.service,
        section.hv_kv,
        section.mv_kv,
        UnitRating(section.transformer_onan_mva, section.transformer_mva),
        section.transformer_impedance_percent / 100.0,
        section.secondaries,
        section.transformer_groups,
        section.transformers // section.transformer_groups,
        bulk,
    )


def _apparent(duty: SubstationDuty, scheme: Scheme, units: int) -> float:
    """MVA at HV of a stage; the units' own Mvar where the power factor is given at MV."""
    factor = duty.power_factor_mv or duty.power_factor
    reactive = load_mvar(duty.active_mw, factor)
    if duty.power_factor_mv is not None:
        at_hv = stage_load(duty, scheme.rating.base_mva, scheme.impedance, units)
        reactive = at_hv.reactive_mvar
        given("substation.build.reactive_mvar", reactive, "Mvar", "load and units in service")
    return apparent_power_mva(duty.active_mw, reactive)


def _loading(
    design: ElectricalDesign, scheme: Scheme, units: StageUnits, total: int, load_mva: float
) -> float | None:
    """Percent of the firm capacity of the units in service; None without any redundancy."""
    running = "transfer-bus" if scheme.service == "mv" else design.rules.running
    if total != units.total:  # built before for a larger stage
        units = StageUnits(scheme.groups, total // scheme.groups)
    each = group_firm_mva(
        units.units,
        design.rules.redundant,
        scheme.rating.top_mva,
        survivors_of(running, units.units),
    )
    return loading_percent(load_mva, units.groups * each) if each > 0.0 else None


def _order_by(energised: str | None, status: str, weeks: float) -> str | None:
    if status == "energised":
        return "in service"
    if energised is None:
        return None
    return order_date(energised, weeks)


def _warn_early(model: SiteModel, steps: Sequence[BuildStep], grid: Grid | None) -> None:
    """Units that must be ordered before the utility has agreed are bought at risk."""
    agreed = None if grid is None else value_of(grid.agreement_date)
    if agreed is None:
        return
    early = [s for s in steps if s.added and s.order_by and s.order_by < agreed.isoformat()]
    if early:
        model.choices.ledger.warn(
            "order_before_agreement",
            "grid.agreement_date",
            f'transformers of stage "{early[0].stage}" must be ordered by {early[0].order_by},'
            f" before the agreement of {agreed.isoformat()}",
        )


def _warn_late(model: SiteModel, steps: Sequence[BuildStep]) -> None:
    """An order of the user's that comes too late for a stage."""
    placed = model.choices.get("orders.power_transformer")
    if placed is None:
        return
    late = [s for s in steps if s.added and s.order_by and s.order_by < placed.isoformat()]
    if late:
        model.choices.ledger.warn(
            "order_late",
            "design.orders.power_transformer",
            f'transformers ordered on {placed} come too late for stage "{late[0].stage}",'
            f" for which they are due to be ordered by {late[0].order_by}",
        )
