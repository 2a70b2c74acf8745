"""Load of a transformer stage with its own reactive power, and the units that carry it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.sizing.transformers import (
    arrangement_fits,
    fewest_units,
    group_firm_mva,
    survivors_of,
)

if TYPE_CHECKING:
    from clusterplan.sizing.substation_tables import (
        Scheme,
        SubstationDuty,
        SubstationRules,
        UnitRating,
    )


class Load(NamedTuple):
    """Active, reactive and apparent power at one place."""

    active_mw: float
    reactive_mvar: float
    apparent_mva: float


def load_at(duty: SubstationDuty, transformer_mvar: float) -> Load:
    """The load at HV: at its HV power factor, or at the MV one plus the transformers' Mvar."""
    if duty.power_factor_mv is None:
        factor, extra = duty.power_factor, 0.0
    else:
        factor, extra = duty.power_factor_mv, transformer_mvar
    reactive = duty.active_mw * math.tan(math.acos(factor)) + extra
    return Load(duty.active_mw, reactive, math.hypot(duty.active_mw, reactive))


def stage_load(
    duty: SubstationDuty, base_mva: float, impedance: float, energised: int, beyond_mvar: float = 0
) -> Load:
    """The load on the HV side of a stage of `energised` units in all.

    beyond_mvar: Mvar of a stage nearer to the load (two transformations).
    """
    at_lv = load_at(duty, beyond_mvar).apparent_mva
    taken = energised * impedance * (at_lv / energised) ** 2 / base_mva
    return load_at(duty, beyond_mvar + taken)


def mv_load(duty: SubstationDuty, scheme: Scheme, rules: SubstationRules) -> Load:
    """MW and Mvar at the MV buses with the redundant units out, by which the voltage drops."""
    if duty.power_factor_mv is not None:
        return load_at(duty, 0.0)
    at_hv = load_at(duty, 0.0)
    left = max(1, scheme.installed - rules.redundant * scheme.groups)
    taken = scheme.impedance * at_hv.apparent_mva**2 / left / scheme.rating.base_mva
    return Load(at_hv.active_mw, max(0.0, at_hv.reactive_mvar - taken), at_hv.apparent_mva)


def units_needed(
    duty: SubstationDuty,
    rules: SubstationRules,
    rating: UnitRating,
    impedance: float,
    groups: int,
    loading_max: float,
    *,
    running: str | None = None,
    beyond_mvar: float = 0.0,
) -> int:
    """Fewest units a group that carry the load, growth included, with the redundant ones out."""
    growth = 1.0 + rules.growth_margin
    redundant = rules.redundant
    running = rules.running if running is None else running
    share = load_at(duty, beyond_mvar).apparent_mva * growth / groups
    units = fewest_units(share, rating.top_mva, redundant, loading_max, running)
    if duty.power_factor_mv is None:
        return units
    while units <= rules.units_per_group_max:
        left = (units - redundant) * groups
        load = stage_load(duty, rating.base_mva, impedance, left, beyond_mvar).apparent_mva
        firm = group_firm_mva(units, redundant, rating.top_mva, survivors_of(running, units))
        if arrangement_fits(running, units) and load * growth / groups <= loading_max * firm * (
            1 + 1e-9
        ):
            break
        units += 1
    return units
