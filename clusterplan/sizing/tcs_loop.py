"""The technology cooling loop at one rack: supply temperature, flow, rise, pressure drop.

Flow per kW is not a constant: a rack with a published flow table needs more water the warmer it
is, a rack with a flow cap lets its rise grow, and a rack of constant return temperature (GB300)
sets the rise by the supply.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import formula, given
from clusterplan.sizing.coolants import (
    coolant_drop_penalty,
    coolant_flow_l_per_min,
    coolant_rise_k,
    property_ratios,
    recorded_rho_c,
    rho_c,
)
from clusterplan.sizing.interpolation import interpolate

if TYPE_CHECKING:
    from clusterplan.core.equipment import Coolant, RackFlowPoint

_STEP_3 = "clusterplan method, cooling step 3"
_DROP_EXPONENT = 1.9
_ITERATIONS = 4
_ROUNDING = 1e-9


class RackLiquid(NamedTuple):
    """The liquid side of a rack row; None where the row does not have the figure.

    rise_given_k is the user's; rise_k is taken where nothing else gives the flow. A flow table
    holds for flow_table_liquid_kw of flow_table_coolant. drop_kpa is used without a table.
    """

    rack_id: str
    liquid_fraction: float
    return_max_c: float
    rise_k: float
    drop_kpa: float
    rise_given_k: float | None = None
    return_temp_c: float | None = None
    flow_table: tuple[RackFlowPoint, ...] = ()
    flow_table_liquid_kw: float | None = None
    flow_table_coolant: Coolant | None = None
    flow_l_per_min_per_kw: float | None = None
    flow_max_l_per_min: float | None = None


class TcsSupply(NamedTuple):
    """What sets the TCS supply temperature, degC and K; given_c is the user's."""

    given_c: float | None
    preferred_c: float
    rack_min_c: float
    rack_max_c: float
    rack_margin_k: float
    room_dew_point_c: float
    dew_point_margin_k: float


class RackLoop(NamedTuple):
    """One rack on the TCS."""

    liquid_kw: float
    flow_l_per_min: float
    supply_c: float
    return_c: float
    rise_k: float
    heat_capacity_mj_per_m3_k: float
    drop_kpa: float


@formula(
    title="TCS supply temperature",
    equation="max(min(preferred_c, rack_max_c - rack_margin_k), rack_min_c,"
    " room_dew_point_c + dew_point_margin_k)",
    unit="°C",
    source=_STEP_3 + "; dew point rule of ASHRAE TC 9.9",
)
def tcs_supply_temp_c(
    preferred_c: float,
    rack_max_c: float,
    rack_margin_k: float,
    rack_min_c: float,
    room_dew_point_c: float,
    dew_point_margin_k: float,
) -> float:
    """Supply to the racks: warm, below the rack's maximum, dry pipes in the room."""
    return max(
        min(preferred_c, rack_max_c - rack_margin_k),
        rack_min_c,
        room_dew_point_c + dew_point_margin_k,
    )


@formula(
    title="TCS rise of a rack with constant return temperature",
    equation="rack_return_temp_c - tcs_supply_temp_c",
    unit="K",
    source="Lenovo Press LP2357, table 27: return 54.9 degC in all five rows; " + _STEP_3,
)
def rack_rise_to_return_k(rack_return_temp_c: float, tcs_supply_temp_c: float) -> float:
    """Rise that ends at the rack's own return temperature."""
    return rack_return_temp_c - tcs_supply_temp_c


@formula(
    title="Rack flow from the published table",
    equation="table, linear in supply temperature and held beyond its ends,"
    " times rack_liquid_kw / table_liquid_kw",
    unit="L/min",
    source=_STEP_3,
    plain=False,
)
def rack_flow_from_table_l_per_min(
    tcs_supply_temp_c: float,
    rack_liquid_kw: float,
    table_liquid_kw: float,
    table: tuple[tuple[float, float], ...],
) -> float:
    """Flow at the supply temperature, scaled with heat; table rows are (supply degC, L/min)."""
    return interpolate(table, tcs_supply_temp_c) * rack_liquid_kw / table_liquid_kw


@formula(
    title="Rack flow by power",
    equation="rack_liquid_kw * flow_l_per_min_per_kw",
    unit="L/min",
    source="rack catalogue, L/min per kW of heat to liquid; " + _STEP_3,
)
def rack_flow_by_power_l_per_min(rack_liquid_kw: float, flow_l_per_min_per_kw: float) -> float:
    """Flow of a rack whose row states L/min per kW of liquid heat."""
    return rack_liquid_kw * flow_l_per_min_per_kw


@formula(
    title="Flow of a rack",
    equation="min(flow_l_per_min, flow_max_l_per_min)",
    unit="L/min",
    source=_STEP_3 + ": a rack takes no more than its published most, its rise then grows",
)
def rack_flow_l_per_min(flow_l_per_min: float, flow_max_l_per_min: float) -> float:
    """Wanted flow, at most what the rack may take (inf where it states no limit)."""
    return min(flow_l_per_min, flow_max_l_per_min)


@formula(
    title="Pressure drop of a rack",
    equation="published table, straight in log-log between rows, exponent 1.9 beyond,"
    " times coolant_ratio",
    unit="kPa",
    source="rack maker's table; dp ~ flow^1.9 fits Lenovo LP2357 within 2 %",
    plain=False,
)
def rack_drop_kpa(
    rack_flow_l_per_min: float, table: tuple[tuple[float, float], ...], coolant_ratio: float
) -> float:
    """Drop at a flow; table rows are (L/min, kPa) by rising flow, for the table's coolant."""
    exponent, (flow, drop) = _DROP_EXPONENT, table[0]
    if rack_flow_l_per_min > table[-1][0]:
        flow, drop = table[-1]
    for (v0, p0), (v1, p1) in zip(table, table[1:], strict=False):
        if v0 <= rack_flow_l_per_min <= v1:
            exponent, flow, drop = math.log(p1 / p0) / math.log(v1 / v0), v0, p0
    growth: float = (rack_flow_l_per_min / flow) ** exponent
    return drop * growth * coolant_ratio


@formula(
    title="TCS return temperature",
    equation="tcs_supply_temp_c + tcs_rise_k",
    unit="°C",
    source="definition",
)
def tcs_return_temp_c(tcs_supply_temp_c: float, tcs_rise_k: float) -> float:
    """Return from the racks."""
    return tcs_supply_temp_c + tcs_rise_k


@formula(
    title="TCS flow, all racks",
    equation="60000 * liquid_heat_mw / (heat_capacity_mj_per_m3_k * tcs_rise_k)",
    unit="L/min",
    source="heat balance; " + _STEP_3,
)
def tcs_flow_l_per_min(
    liquid_heat_mw: float, heat_capacity_mj_per_m3_k: float, tcs_rise_k: float
) -> float:
    """Flow that takes all liquid heat at the rise."""
    return 60000 * liquid_heat_mw / (heat_capacity_mj_per_m3_k * tcs_rise_k)


def supply_temp_c(supply: TcsSupply) -> float:
    """The user's TCS supply, else the rule's."""
    if supply.given_c is not None:
        given("cooling.tcs_supply_temp_c", supply.given_c, "°C", "design.yaml", "given")
        return supply.given_c
    return tcs_supply_temp_c(
        supply.preferred_c,
        supply.rack_max_c,
        supply.rack_margin_k,
        supply.rack_min_c,
        supply.room_dew_point_c,
        supply.dew_point_margin_k,
    )


def rack_loop(rack: RackLiquid, supply: TcsSupply, coolant: Coolant, liquid_kw: float) -> RackLoop:
    """Flow, rise, return and drop of one rack that gives liquid_kw to the TCS.

    Raises InputError where no rise is left, or the return passes what the rack allows.
    """
    supply_c = supply_temp_c(supply)
    flow, rise, heat_capacity = _flow_and_rise(rack, supply_c, coolant, liquid_kw)
    return_c = tcs_return_temp_c(supply_c, rise)
    if return_c > rack.return_max_c + _ROUNDING:
        raise InputError(
            Problem(
                f"TCS return of {return_c:.1f} degC from {rack.rack_id} is above its"
                f" {rack.return_max_c:g} degC",
                path="design.cooling.tcs_supply",
                hint="take a colder supply or a smaller rise",
            )
        )
    drop = _drop(rack, coolant, flow, supply_c + rise / 2)
    return RackLoop(liquid_kw, flow, supply_c, return_c, rise, heat_capacity, drop)


def _flow_and_rise(
    rack: RackLiquid, supply_c: float, coolant: Coolant, liquid_kw: float
) -> tuple[float, float, float]:
    """Flow of the rack, its rise, and the coolant's heat capacity at the mean temperature."""
    if liquid_kw <= 0:
        rise = rack.rise_k if rack.rise_given_k is None else rack.rise_given_k
        return 0.0, rise, recorded_rho_c(coolant, supply_c + rise / 2)
    most = math.inf if rack.flow_max_l_per_min is None else rack.flow_max_l_per_min
    known = _known_rise(rack, supply_c, liquid_kw, coolant)
    if known is None:
        flow = rack_flow_l_per_min(_published_flow(rack, supply_c, liquid_kw), most)
        rise, heat_capacity = _rise_at(flow, liquid_kw, supply_c, coolant)
        return flow, rise, heat_capacity
    heat_capacity = recorded_rho_c(coolant, supply_c + known / 2)
    wanted = coolant_flow_l_per_min(liquid_kw, heat_capacity, known)
    flow = rack_flow_l_per_min(wanted, most)
    if flow < wanted:
        rise, heat_capacity = _rise_at(flow, liquid_kw, supply_c, coolant)
        return flow, rise, heat_capacity
    return flow, known, heat_capacity


def _known_rise(
    rack: RackLiquid, supply_c: float, liquid_kw: float, coolant: Coolant
) -> float | None:
    """The rise where that is what is known first; None where the flow is."""
    if rack.rise_given_k is not None:
        return rack.rise_given_k
    if rack.return_temp_c is not None:
        rise = rack_rise_to_return_k(rack.return_temp_c, supply_c)
        if rise <= 0:
            message = f"{rack.rack_id} returns {rack.return_temp_c:g} degC; a supply of"
            raise InputError(
                Problem(
                    f"{message} {supply_c:g} degC leaves no rise", path="design.cooling.tcs_supply"
                )
            )
        return rise
    if rack.flow_table:
        table_coolant = rack.flow_table_coolant
        if table_coolant is None or table_coolant.mass_fraction == coolant.mass_fraction:
            return None
        flow = _published_flow(rack, supply_c, liquid_kw)
        return _rise_at(flow, liquid_kw, supply_c, table_coolant)[0]
    return rack.rise_k if rack.flow_l_per_min_per_kw is None else None


def _published_flow(rack: RackLiquid, supply_c: float, liquid_kw: float) -> float:
    if rack.flow_table:
        table = tuple((point.supply_temp_c, point.flow_l_per_min) for point in rack.flow_table)
        base_kw = rack.flow_table_liquid_kw or liquid_kw
        return rack_flow_from_table_l_per_min(supply_c, liquid_kw, base_kw, table)
    return rack_flow_by_power_l_per_min(liquid_kw, rack.flow_l_per_min_per_kw or 0.0)


def _rise_at(
    flow_l_per_min: float, liquid_kw: float, supply_c: float, coolant: Coolant
) -> tuple[float, float]:
    """Rise of a known flow, and the heat capacity at the mean temperature that it gives."""
    rise = 0.0
    for _ in range(_ITERATIONS):
        rise = 60 * liquid_kw / (rho_c(coolant, supply_c + rise / 2) * flow_l_per_min)
    heat_capacity = recorded_rho_c(coolant, supply_c + rise / 2)
    return coolant_rise_k(liquid_kw, flow_l_per_min, heat_capacity), heat_capacity


def _drop(rack: RackLiquid, coolant: Coolant, flow_l_per_min: float, mean_c: float) -> float:
    if not rack.flow_table or flow_l_per_min <= 0:
        given("cooling.rack_drop_kpa", rack.drop_kpa, "kPa", "rack catalogue or default", "false")
        return rack.drop_kpa
    ratio = 1.0
    base = rack.flow_table_coolant
    if base is not None and base.mass_fraction != coolant.mass_fraction:
        ratio = coolant_drop_penalty(*property_ratios(coolant, base, mean_c), 1.0)
    table = tuple((point.flow_l_per_min, point.pressure_drop_kpa) for point in rack.flow_table)
    return rack_drop_kpa(flow_l_per_min, table, ratio)
