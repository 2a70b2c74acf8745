"""Coolant distribution units: exchanger, flow and heat limits, units of a group, which unit.

The exchanger of a unit is its number of transfer units (NTU), known from one rating; off rating
UA follows flow^0.7. A group is the racks on one TCS manifold.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import formula
from clusterplan.sizing.coolants import coolant_rise_k

if TYPE_CHECKING:
    from clusterplan.core.equipment import Cdu

_STEP_4 = "clusterplan method, cooling step 4"
_STEP_7 = "clusterplan method, cooling step 7"
_NTU_EXPONENT = 0.3
_ROUNDING = 1e-9
_HALVINGS = 50
_LEAST_TURNDOWN = 0.1


class CduSpec(NamedTuple):
    """A unit that can be sized: its rating and what its pumps draw.

    head_kpa is None where the catalogue has none (then not checked); rating_mj_per_m3_k is the
    heat capacity of the fluid of the rating (PG25 at 30 degC).
    """

    id: str
    capacity_kw: float
    approach_rated_k: float
    flow_max_l_per_min: float
    head_kpa: float | None
    pump_kw_per_l_per_min: float
    rating_mj_per_m3_k: float


class FwsRule(NamedTuple):
    """What the exchanger has to meet on the facility side.

    approach_max_k   largest approach accepted
    approach_least_k least supply difference planned
    rise_k           FWS rise where supply and return are both given, else None
    return_less_tcs_supply_k   given FWS return less TCS supply where only the return is given
    """

    approach_max_k: float
    approach_least_k: float
    rise_k: float | None = None
    return_less_tcs_supply_k: float | None = None


class GroupLoad(NamedTuple):
    """Heat and TCS flow of the racks of a group."""

    heat_kw: float
    flow_l_per_min: float
    tcs_rise_k: float


class CduGroup(NamedTuple):
    """The CDUs of one group."""

    duty_units: int
    limit: str  # heat, flow or approach: what sets duty_units
    approach_k: float
    fws_rise_k: float
    heat_kw: float  # of the racks, without pump heat
    flow_l_per_min: float
    unit_flow_l_per_min: float
    pump_kw: float  # duty units
    flow_floor_fraction: float  # least flow of a unit as a share of its design flow


@formula(
    title="Rated transfer units of a CDU",
    equation="rated_rise_k / rated_approach_k",
    unit="",
    source="balanced counter-flow exchanger: approach = rise / NTU; " + _STEP_4,
)
def cdu_ntu_rated(rated_rise_k: float, rated_approach_k: float) -> float:
    """NTU of the exchanger at rated heat and flow (balanced flows)."""
    return rated_rise_k / rated_approach_k


@formula(
    title="Transfer units of a CDU at its flow",
    equation="ntu_rated * (flow_max_l_per_min / unit_flow_l_per_min)**0.3",
    unit="",
    source="plate exchanger, UA ~ flow^0.7; " + _STEP_4,
)
def cdu_ntu(ntu_rated: float, flow_max_l_per_min: float, unit_flow_l_per_min: float) -> float:
    """NTU on the TCS side off rating; valid below the rated flow."""
    ratio: float = (flow_max_l_per_min / unit_flow_l_per_min) ** _NTU_EXPONENT
    return ntu_rated * ratio


def _effectiveness(ntu: float, capacity_ratio: float) -> float:
    gap = 1 - capacity_ratio
    if gap == 0:
        return ntu / (1 + ntu)
    gain = -math.expm1(-ntu * gap)
    return gain / (gap + capacity_ratio * gain)


@formula(
    title="Effectiveness of a counter-flow exchanger",
    equation="ntu / (1 + ntu) if capacity_ratio == 1 else -expm1(-ntu * (1 - capacity_ratio))"
    " / (1 - capacity_ratio - capacity_ratio * expm1(-ntu * (1 - capacity_ratio)))",
    unit="",
    source="Kays and London, Compact Heat Exchangers; NTU on the smaller capacity flow",
)
def exchanger_effectiveness(ntu: float, capacity_ratio: float) -> float:
    """Heat as a share of the most that Cmin could take; capacity_ratio = Cmin/Cmax, 0 to 1."""
    return _effectiveness(ntu, capacity_ratio)


@formula(
    title="CDU approach",
    equation="max(tcs_rise_k, fws_rise_k) / effectiveness - tcs_rise_k",
    unit="K",
    source="Q = e Cmin (TCS return - FWS supply); " + _STEP_4,
)
def cdu_approach_k(effectiveness: float, tcs_rise_k: float, fws_rise_k: float) -> float:
    """TCS supply less FWS supply that the exchanger needs at its duty flow.

    The flow with the larger rise has the smaller capacity Cmin.
    """
    return max(tcs_rise_k, fws_rise_k) / effectiveness - tcs_rise_k


def _cmin_side(ntu: float, tcs_rise_k: float, fws_rise_k: float) -> tuple[float, float]:
    """NTU on Cmin, and Cmin/Cmax, from the NTU on the TCS side."""
    if fws_rise_k <= tcs_rise_k:
        return ntu, fws_rise_k / tcs_rise_k
    return ntu * fws_rise_k / tcs_rise_k, tcs_rise_k / fws_rise_k


def approach_of(ntu: float, tcs_rise_k: float, fws_rise_k: float) -> float:
    """The approach in K, not recorded (for searches); ntu on the TCS side."""
    effectiveness = _effectiveness(*_cmin_side(ntu, tcs_rise_k, fws_rise_k))
    return max(tcs_rise_k, fws_rise_k) / effectiveness - tcs_rise_k


def fws_rise_for(ntu: float, tcs_rise_k: float, rule: FwsRule) -> float | None:
    """The FWS rise at which the exchanger keeps the rule; None where it cannot.

    Balanced flows where they do; else the largest rise down to half of the TCS rise.
    """
    most = rule.approach_max_k * (1 + _ROUNDING)
    if rule.rise_k is not None:
        return rule.rise_k if approach_of(ntu, tcs_rise_k, rule.rise_k) <= most else None
    if rule.return_less_tcs_supply_k is not None:
        return _rise_to_given_return(ntu, tcs_rise_k, rule, rule.return_less_tcs_supply_k)
    if tcs_rise_k / ntu <= most:
        return tcs_rise_k
    low, high = tcs_rise_k / 2, tcs_rise_k
    if approach_of(ntu, tcs_rise_k, low) > most:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if approach_of(ntu, tcs_rise_k, middle) <= most:
            low = middle
        else:
            high = middle
    return low


def _rise_to_given_return(
    ntu: float, tcs_rise_k: float, rule: FwsRule, offset_k: float
) -> float | None:
    """FWS rise where the return is given and the supply follows from the approach itself."""
    low, high = rule.approach_least_k, max(rule.approach_max_k, rule.approach_least_k)
    if offset_k + low <= 0:
        return None
    if approach_of(ntu, tcs_rise_k, offset_k + low) <= low:
        return offset_k + low
    if approach_of(ntu, tcs_rise_k, offset_k + high) > high:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if approach_of(ntu, tcs_rise_k, offset_k + middle) <= middle:
            high = middle
        else:
            low = middle
    return offset_k + high


@formula(
    title="Duty CDUs of a group",
    equation="max(1, ceil(flow_l_per_min / flow_max_l_per_min - 1e-9),"
    " ceil((heat_kw + flow_l_per_min * pump_kw_per_l_per_min) / capacity_kw - 1e-9),"
    " units_for_approach)",
    unit="",
    source=_STEP_4,
)
def cdu_duty_units(
    heat_kw: float,
    flow_l_per_min: float,
    capacity_kw: float,
    flow_max_l_per_min: float,
    pump_kw_per_l_per_min: float,
    units_for_approach: int,
) -> int:
    """Least units within rated flow and rated heat (pump heat included), and the approach."""
    by_flow = math.ceil(flow_l_per_min / flow_max_l_per_min - _ROUNDING)
    heat = heat_kw + flow_l_per_min * pump_kw_per_l_per_min
    by_heat = math.ceil(heat / capacity_kw - _ROUNDING)
    return max(1, by_flow, by_heat, units_for_approach)


@formula(
    title="Flow of one duty CDU",
    equation="flow_l_per_min / duty_units",
    unit="L/min",
    source=_STEP_4 + ": the duty units of a group share its flow",
)
def unit_flow_l_per_min(flow_l_per_min: float, duty_units: int) -> float:
    """TCS flow through each duty unit of a group."""
    return flow_l_per_min / duty_units


@formula(
    title="Pump power of a group's duty CDUs",
    equation="duty_units * max(unit_flow_l_per_min, turndown * flow_max_l_per_min)"
    " * pump_kw_per_l_per_min",
    unit="kW",
    source=_STEP_7 + ": CDU pump power goes with flow, not below the turndown",
)
def cdu_group_pump_kw(
    duty_units: int,
    unit_flow_l_per_min: float,
    turndown: float,
    flow_max_l_per_min: float,
    pump_kw_per_l_per_min: float,
) -> float:
    """Pump power at design flow; turndown is the least flow as a share of the rated one."""
    least = turndown * flow_max_l_per_min
    return duty_units * max(unit_flow_l_per_min, least) * pump_kw_per_l_per_min


def cdu_spec(row: Cdu, pump_default_kw_per_l_per_min: float, rating_mj_per_m3_k: float) -> CduSpec:
    """The rating of a catalogue row.

    Raises InputError where the row has no flow or no approach: such a rating cannot be checked.
    """
    if row.flow_max_l_per_min is None or row.approach_k is None:
        missing = "flow" if row.flow_max_l_per_min is None else "approach"
        raise InputError(
            Problem(
                f"CDU {row.id} has no published {missing}, so its units cannot be counted",
                path="design.cooling.cdu",
                hint="choose one with capacity, approach and flow, such as xdu1350",
            )
        )
    pump = row.electric_kw_per_l_per_min
    if pump is None and row.electric_kw is not None:
        pump = row.electric_kw / row.flow_max_l_per_min
    return CduSpec(
        id=row.id,
        capacity_kw=row.capacity_kw,
        approach_rated_k=row.approach_k,
        flow_max_l_per_min=row.flow_max_l_per_min,
        head_kpa=row.head_kpa,
        pump_kw_per_l_per_min=pump_default_kw_per_l_per_min if pump is None else pump,
        rating_mj_per_m3_k=rating_mj_per_m3_k,
    )


def rated_ntu(spec: CduSpec) -> float:
    """NTU at rating, recorded."""
    rise = coolant_rise_k(spec.capacity_kw, spec.flow_max_l_per_min, spec.rating_mj_per_m3_k)
    return cdu_ntu_rated(rise, spec.approach_rated_k)


class GroupFit(NamedTuple):
    """Units that keep every limit, and the FWS rise at which they do."""

    units: int
    limit: str
    fws_rise_k: float


def fit_group(
    spec: CduSpec, load: GroupLoad, rule: FwsRule, turndown: float, units_max: int | None = None
) -> GroupFit | None:
    """Least units of a group, not recorded; None where the approach cannot be kept.

    Units are added for the approach only while each still runs above turndown times its rated
    flow, or up to units_max.
    """
    flow_max = spec.flow_max_l_per_min
    by_flow = load.flow_l_per_min / flow_max
    by_heat = (load.heat_kw + load.flow_l_per_min * spec.pump_kw_per_l_per_min) / spec.capacity_kw
    least = max(1, math.ceil(by_flow - _ROUNDING), math.ceil(by_heat - _ROUNDING))
    most = math.ceil(by_flow / max(turndown, _LEAST_TURNDOWN)) if units_max is None else units_max
    rated_rise = 60 * spec.capacity_kw / (spec.rating_mj_per_m3_k * flow_max)
    ntu_rated = rated_rise / spec.approach_rated_k
    for units in range(least, max(least, most) + 1):
        ntu = ntu_rated * (units / by_flow) ** _NTU_EXPONENT
        fws_rise = fws_rise_for(ntu, load.tcs_rise_k, rule)
        if fws_rise is not None:
            by_rating = "heat" if by_heat > by_flow else "flow"
            return GroupFit(units, by_rating if units == least else "approach", fws_rise)
    return None


def size_group(
    spec: CduSpec,
    load: GroupLoad,
    rule: FwsRule,
    turndown: float,
    units_max: int | None = None,
) -> CduGroup | None:
    """Duty units of one group and how they run; None where the approach cannot be kept.

    The FWS flow is raised (its rise down to half of the TCS rise) before units are added, which
    help only as n^0.3. units_max bounds the units that are added for the approach.
    """
    fit = fit_group(spec, load, rule, turndown, units_max)
    if fit is None:
        return None
    pump_per_flow, flow_max = spec.pump_kw_per_l_per_min, spec.flow_max_l_per_min
    units = cdu_duty_units(
        load.heat_kw,
        load.flow_l_per_min,
        spec.capacity_kw,
        flow_max,
        pump_per_flow,
        fit.units if fit.limit == "approach" else 1,
    )
    unit_flow = unit_flow_l_per_min(load.flow_l_per_min, units)
    ntu = cdu_ntu(rated_ntu(spec), flow_max, unit_flow)
    effectiveness = exchanger_effectiveness(*_cmin_side(ntu, load.tcs_rise_k, fit.fws_rise_k))
    return CduGroup(
        duty_units=units,
        limit=fit.limit,
        approach_k=cdu_approach_k(effectiveness, load.tcs_rise_k, fit.fws_rise_k),
        fws_rise_k=fit.fws_rise_k,
        heat_kw=load.heat_kw,
        flow_l_per_min=load.flow_l_per_min,
        unit_flow_l_per_min=unit_flow,
        pump_kw=cdu_group_pump_kw(units, unit_flow, turndown, flow_max, pump_per_flow),
        flow_floor_fraction=min(1.0, turndown * flow_max / unit_flow),
    )


def least_approach_k(spec: CduSpec, rise_k: float, unit_flow_l_per_min: float) -> float:
    """The approach at unit_flow with the FWS rise at half of the TCS rise (for messages)."""
    rated_rise = 60 * spec.capacity_kw / (spec.rating_mj_per_m3_k * spec.flow_max_l_per_min)
    ratio = spec.flow_max_l_per_min / unit_flow_l_per_min
    ntu = rated_rise / spec.approach_rated_k * ratio**_NTU_EXPONENT
    return approach_of(ntu, rise_k, rise_k / 2)
