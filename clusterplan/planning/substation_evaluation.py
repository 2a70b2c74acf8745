"""A substation under evaluation: its design, duty and scheme, and the units in service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterplan.sizing.existing_units import UnitSet, without_largest
from clusterplan.sizing.service_voltage import is_mv_service, mv_candidates
from clusterplan.sizing.substation_tables import Scheme, UnitRating

if TYPE_CHECKING:
    from clusterplan.planning.substation_plan import ElectricalDesign
    from clusterplan.sizing.substation_tables import SubstationDuty


@dataclass(frozen=True, eq=False, repr=False)
class Stage:
    """Transformers of one stage in service, normal and with the redundant ones out."""

    normal: tuple[UnitSet, ...]
    left: tuple[UnitSet, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """What every part of the section is computed from."""

    design: ElectricalDesign
    duty: SubstationDuty
    scheme: Scheme
    mv_stage: Stage
    bulk_stage: Stage | None
    existing: bool


def scheme_of_existing(design: ElectricalDesign, duty: SubstationDuty) -> Scheme:
    """The largest existing unit stands for all where one rating is shown."""
    hv_kv = duty.hv_kv or 0.0
    first = max(design.existing, key=lambda row: row.base_mva / row.impedance)
    top = max(row.top_mva for row in design.existing)
    count = sum(row.number for row in design.existing)
    mv_kv = duty.mv_kv or mv_candidates(duty, hv_kv, design.tables)[-1]
    rating = UnitRating(first.base_mva, top)
    service = "mv" if is_mv_service(duty, hv_kv) else "hv"
    return Scheme(service, hv_kv, mv_kv, rating, first.impedance, duty.secondaries or 1, 1, count)


def stages_in_service(
    design: ElectricalDesign, scheme: Scheme, existing: bool
) -> tuple[Stage, Stage | None]:
    """The MV stage and the bulk stage, if any, with losses of their units."""
    redundant = design.rules.redundant
    if existing:
        return Stage(design.existing, without_largest(design.existing, redundant)), None
    if scheme.service == "mv":
        like = min(design.tables.boards, key=lambda b: abs(b.mva - scheme.rating.top_mva))
        losses = (like.no_load, like.load_loss)
    else:
        losses = design.tables.unit_losses(scheme.rating.base_mva)
    stage = _stage(scheme.rating, scheme.impedance, losses, scheme.groups, scheme.units, redundant)
    if scheme.bulk is None:
        return stage, None
    bulk = scheme.bulk
    losses = design.tables.unit_losses(bulk.rating.base_mva)
    return stage, _stage(bulk.rating, bulk.impedance, losses, bulk.groups, bulk.units, redundant)


def _stage(
    rating: UnitRating,
    impedance: float,
    losses: tuple[float, float],
    groups: int,
    units: int,
    redundant: int,
) -> Stage:
    base, top = rating.base_mva, rating.top_mva
    full = UnitSet(groups * units, base, top, top, impedance, *losses)
    return Stage((full,), (full._replace(number=groups * max(1, units - redundant)),))
