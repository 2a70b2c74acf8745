"""The bulk transformers of a service at 500 kV and above, and the fault level behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.sizing.breakers import breaker_rating_ka
from clusterplan.sizing.electrical_load import three_phase_current_a
from clusterplan.sizing.short_circuit import Fault, bus_fault, short_circuit_mva
from clusterplan.sizing.substation_load import load_at, units_needed
from clusterplan.sizing.substation_tables import BulkStage, GridFault

if TYPE_CHECKING:
    from clusterplan.sizing.substation_tables import (
        SubstationDuty,
        SubstationRules,
        SubstationTables,
    )

MID_MIN_KV = 220.0
MID_OF_765_MIN_KV = 330.0
MID_MAX_KV = 420.0  # 400 kV and below step straight to MV
GROUPS_MAX = 32
# Mvar of the stage behind, per MVA, at its highest loading: 12 % on ONAN x 0.95 x 5/3
MV_STAGE_MVAR_PER_MVA = 0.19


def mid_candidates(hv_kv: float, load_mw: float, tables: SubstationTables) -> tuple[float, ...]:
    """Voltages between bulk and MV stage: the lowest class that holds the load, then higher.

    500/230 and 765/345 at least; where none holds the load, the highest.
    """
    least = MID_OF_765_MIN_KV if hv_kv >= 700.0 else MID_MIN_KV
    highest = min(MID_MAX_KV, 0.75 * hv_kv)
    classes = [step for step in tables.voltages if least <= step.kv <= highest]
    holding = tuple(step.kv for step in classes if step.load_mw_max >= load_mw)
    return holding or tuple(step.kv for step in classes[-1:])


def bulk_fault(
    bulk: BulkStage, fault_mva: float, x_over_r: float, tables: SubstationTables
) -> Fault:
    """Fault at the intermediate bus: all units of a group closed together."""
    resistance = tables.unit_losses(bulk.rating.base_mva)[1]
    return bus_fault(
        fault_mva,
        x_over_r,
        bulk.rating.base_mva,
        bulk.impedance,
        resistance,
        bulk.units,
        bulk.mid_kv,
    )


def choose_bulk(
    duty: SubstationDuty,
    rules: SubstationRules,
    tables: SubstationTables,
    hv_kv: float,
    fault: GridFault | None,
) -> tuple[BulkStage, GridFault | None] | None:
    """The bulk stage (fewest groups, fewest units, least MVA) and the fault level behind it.

    Bulk units run in parallel on the intermediate bus, N-1 within the planning loading. None
    where the catalogue has no unit for that voltage or none passes.
    """
    wanted = tables.class_kv(hv_kv)
    ratings = [row for row in tables.ratings if not row.hv_kv or wanted in row.hv_kv]
    behind = 0.0
    if duty.power_factor_mv is not None:
        behind = MV_STAGE_MVAR_PER_MVA * duty.active_mw / duty.power_factor_mv
    for mid_kv in mid_candidates(hv_kv, duty.active_mw, tables):
        for groups in range(1, GROUPS_MAX + 1):
            found = []
            for rating in ratings:
                impedance = tables.impedance(rating.base_mva, wanted)
                units = units_needed(
                    duty,
                    rules,
                    rating,
                    impedance,
                    groups,
                    rules.loading_max,
                    running="paralleled",
                    beyond_mvar=behind,
                )
                bulk = BulkStage(mid_kv, rating, impedance, groups, units)
                if units <= rules.units_per_group_max and _passes(bulk, duty, rules, tables, fault):
                    found.append(bulk)
            if found:
                best = min(found, key=lambda b: (b.units, b.units * b.rating.top_mva))
                return best, fault_behind(best, duty, rules, tables, fault)
    return None


def _passes(
    bulk: BulkStage,
    duty: SubstationDuty,
    rules: SubstationRules,
    tables: SubstationTables,
    fault: GridFault | None,
) -> bool:
    family = tables.family(bulk.mid_kv)
    apparent = load_at(duty, 0.0).apparent_mva
    if three_phase_current_a(apparent / bulk.groups, bulk.mid_kv) > family.continuous_a[-1]:
        return False
    if fault is None:
        return True
    at = bulk_fault(bulk, fault.max_mva + duty.machines_mva, fault.x_over_r, tables)
    rating = breaker_rating_ka(
        at.current_ka, at.peak_ka, at.x_over_r, family.interrupting_ka, rules.frequency_hz
    )
    return rating is not None


def fault_behind(
    bulk: BulkStage,
    duty: SubstationDuty,
    rules: SubstationRules,
    tables: SubstationTables,
    fault: GridFault | None,
    out: int | None = None,
) -> GridFault | None:
    """Fault level at the intermediate bus: largest with all units, least with `out` of them out.

    out: the redundant units of a group unless given.
    """
    if fault is None:
        return None
    high = bulk_fault(bulk, fault.max_mva + duty.machines_mva, fault.x_over_r, tables)
    missing = rules.redundant if out is None else out
    left = bulk._replace(units=max(1, bulk.units - missing))
    low = bulk_fault(left, fault.min_mva, fault.x_over_r, tables)
    return GridFault(
        short_circuit_mva(bulk.mid_kv, low.current_ka) / 1.1,
        short_circuit_mva(bulk.mid_kv, high.current_ka),
        high.x_over_r,
    )
