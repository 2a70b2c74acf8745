"""Groups of CDUs: how many racks share a TCS manifold, and the units of the whole site."""

from __future__ import annotations

import math
from typing import NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.cdu import CduSpec, FwsRule, GroupLoad, fit_group

_STEP_4 = "clusterplan method, cooling step 4"
_ROUNDING = 1e-9
_HALVINGS = 50


@formula(
    title="CDU groups",
    equation="ceil(racks / group_racks - 1e-9)",
    unit="",
    source=_STEP_4 + ": a group is the racks on one TCS manifold",
)
def cdu_groups(racks: float, group_racks: float) -> int:
    """Number of groups, the part-filled one included."""
    return math.ceil(racks / group_racks - _ROUNDING)


@formula(
    title="Full CDU groups",
    equation="floor(racks / group_racks + 1e-9)",
    unit="",
    source=_STEP_4 + ": what is left makes a last, part-filled group",
)
def full_groups(racks: float, group_racks: float) -> int:
    """Groups that hold `group_racks` racks each."""
    return math.floor(racks / group_racks + _ROUNDING)


@formula(
    title="Racks of the last CDU group",
    equation="racks - full_groups * group_racks",
    unit="",
    source=_STEP_4,
)
def last_group_racks(racks: float, full_groups: int, group_racks: float) -> float:
    """Racks that are left for the part-filled group."""
    return racks - full_groups * group_racks


@formula(
    title="Liquid heat of a CDU group",
    equation="rack_heat_kw * racks",
    unit="kW",
    source=_STEP_4 + "; with the part of liquid-cooled switches",
)
def group_heat_kw(rack_heat_kw: float, racks: float) -> float:
    """Heat that the racks of a group give to the TCS."""
    return rack_heat_kw * racks


@formula(
    title="TCS flow of a CDU group",
    equation="rack_flow_l_per_min * racks",
    unit="L/min",
    source=_STEP_4,
)
def group_flow_l_per_min(rack_flow_l_per_min: float, racks: float) -> float:
    """TCS flow of the racks of a group."""
    return rack_flow_l_per_min * racks


@formula(
    title="CDUs installed",
    equation="full_groups * full_duty_units + last_duty_units + cdu_groups * redundant_per_group",
    unit="",
    source=_STEP_4 + ": the last, part-filled group is counted by itself",
)
def cdus(
    full_groups: int,
    full_duty_units: int,
    last_duty_units: int,
    cdu_groups: int,
    redundant_per_group: int,
) -> int:
    """All CDUs of the site, with the redundant ones."""
    return full_groups * full_duty_units + last_duty_units + cdu_groups * redundant_per_group


@formula(
    title="of them redundant",
    equation="cdu_groups * redundant_per_group",
    unit="",
    source=_STEP_4,
)
def cdus_redundant(cdu_groups: int, redundant_per_group: int) -> int:
    """CDUs that may be out."""
    return cdu_groups * redundant_per_group


@formula(
    title="CDU pump power",
    equation="full_groups * full_group_pump_kw + last_group_pump_kw",
    unit="kW",
    source="clusterplan method, cooling step 7; duty units only",
)
def cdu_pump_kw(full_groups: int, full_group_pump_kw: float, last_group_pump_kw: float) -> float:
    """Pump power of all duty CDUs at design flow."""
    return full_groups * full_group_pump_kw + last_group_pump_kw


class GroupRule(NamedTuple):
    """How racks are grouped: a given count, or whole blocks that so many duty units serve.

    block_racks is a scalable unit, 1 where the rack has none, 0 where heat comes without racks.
    """

    racks: float | None
    block_racks: int
    duty_units_max: int
    turndown: float


def group_racks(spec: CduSpec, rack: GroupLoad, rule: FwsRule, grouping: GroupRule) -> float | None:
    """Racks of a full group for this unit; None where the approach cannot be kept at all.

    As many whole blocks as duty_units_max units serve, at least one. Without blocks, as much as
    exactly that many units serve.
    """
    if grouping.racks is not None:
        return grouping.racks
    one_unit = min(
        spec.flow_max_l_per_min / rack.flow_l_per_min,
        spec.capacity_kw / (rack.heat_kw + rack.flow_l_per_min * spec.pump_kw_per_l_per_min),
    )
    most = grouping.duty_units_max * one_unit
    if grouping.block_racks == 0:
        return _group_without_racks(spec, rack, rule, grouping, most)
    blocks = max(1, math.floor(most / grouping.block_racks + _ROUNDING))
    for count in range(blocks, 0, -1):
        racks = count * grouping.block_racks
        fit = fit_group(spec, times(rack, racks), rule, grouping.turndown)
        if fit is not None and (fit.units <= grouping.duty_units_max or count == 1):
            return racks
    return None


def _group_without_racks(
    spec: CduSpec, rack: GroupLoad, rule: FwsRule, grouping: GroupRule, most: float
) -> float | None:
    """The load, as a multiple of `rack`, that exactly duty_units_max units serve."""

    def fits(multiple: float) -> bool:
        fit = fit_group(spec, times(rack, multiple), rule, grouping.turndown)
        return fit is not None and fit.units <= grouping.duty_units_max

    if fits(most):
        return most
    low, high = most * grouping.turndown, most
    if not fits(low):
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def group_load(rack: GroupLoad, racks: float) -> GroupLoad:
    """The load of a group of so many racks, recorded."""
    return GroupLoad(
        group_heat_kw(rack.heat_kw, racks),
        group_flow_l_per_min(rack.flow_l_per_min, racks),
        rack.tcs_rise_k,
    )


def times(load: GroupLoad, multiple: float) -> GroupLoad:
    """So many times the load, at the same rise; not recorded (for searches)."""
    return GroupLoad(load.heat_kw * multiple, load.flow_l_per_min * multiple, load.tcs_rise_k)
