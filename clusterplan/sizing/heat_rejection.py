"""Dry and adiabatic coolers, the lowest supply each type reaches, trim, unit counts, the choice.

A dry machine is rated at an initial temperature difference (ITD, water in less air in) of 18 K and
a 10 K water rise. kW and kW/kW throughout; temperatures in degC, differences in K.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.interpolation import interpolate

DRY = "dry-cooler"
ADIABATIC = "adiabatic-cooler"
OPEN_TOWER = "open-cooling-tower"
CLOSED_TOWER = "closed-cooling-tower"
AIR_CHILLER = "air-cooled-chiller"
WATER_CHILLER = "water-cooled-chiller"
HYBRID_TOWER = "hybrid-tower"  # dry coils before the coils of a closed tower
ONCE_THROUGH = "once-through"  # river, lake or sea water through an exchanger
KINDS = (
    *(DRY, ADIABATIC, OPEN_TOWER, CLOSED_TOWER, AIR_CHILLER, WATER_CHILLER),
    *(HYBRID_TOWER, ONCE_THROUGH),
)
WET_KINDS = (ADIABATIC, OPEN_TOWER, CLOSED_TOWER, WATER_CHILLER, HYBRID_TOWER)
TOWER_KINDS = (OPEN_TOWER, CLOSED_TOWER, WATER_CHILLER, HYBRID_TOWER)
CLOSED_KINDS = (CLOSED_TOWER, HYBRID_TOWER)
# kinds whose FWS water runs through outdoor coils and may freeze there
COIL_KINDS = (DRY, ADIABATIC, CLOSED_TOWER, AIR_CHILLER, HYBRID_TOWER)

_FAN_EXPONENT = 1.0 / 0.62  # air-side conductance of a coil goes with airflow to the power 0.62
_RATED_ITD_K = 18.0
_RATED_RISE_K = 10.0
_MIN_APPROACH_K = 4.0
_FLOOR = 0.15  # least fan speed
_COUNT = "duty = ceil(heat / unit); one spare per block of at most units_per_spare"
_COUNT_SOURCE = "clusterplan method, cooling step 11; N+1 per block of at most 10"
_MAX_RISE_K = 25.0  # the rise factor was checked from 6 to 25 K


class UnitCount(NamedTuple):
    """Machines: what carries the duty, the spares, and both."""

    duty: int
    redundant: int
    installed: int


class LowestSupplies(NamedTuple):
    """Lowest FWS supply each free-cooling type reaches at the worse of the hot and humid points."""

    dry_c: float
    adiabatic_c: float
    tower_c: float


class Choice(NamedTuple):
    """The heat rejection chosen, the shortfalls in K by type, and why."""

    kind: str
    dry_shortfall_k: float
    adiabatic_shortfall_k: float
    tower_shortfall_k: float
    reason: str


@formula(
    title="Capacity of a dry machine at another water rise",
    equation="1 - 0.022 * (min(rise_k, 25) - 10)",
    unit="",
    source="clusterplan method, cooling step 11; effectiveness solution within 0.4 K, 6 to 25 K",
)
def rise_factor(rise_k: float) -> float:
    """Capacity per kelvin of ITD relative to a 10 K rise; held beyond 25 K."""
    return 1.0 - 0.022 * (min(rise_k, _MAX_RISE_K) - _RATED_RISE_K)


@formula(
    title="Coil approach penalty of glycol",
    equation="linear through (0 %, 0), (30 %, p30), (40 %, p40), (50 %, p50), ends held",
    unit="K",
    source="engineering practice, unverified",
    plain=False,
)
def coil_penalty_k(pg_vol_percent: float, p30_k: float, p40_k: float, p50_k: float) -> float:
    """What propylene glycol adds to the approach of an outdoor coil."""
    points = ((0.0, 0.0), (30.0, p30_k), (40.0, p40_k), (50.0, p50_k))
    return interpolate(points, pg_vol_percent)


@formula(
    title="Approach of a dry machine",
    equation="max(4, (approach_at_10k_k + 10) / rise_factor - rise_k) + coil_penalty_k",
    unit="K",
    source="clusterplan method, cooling step 11: equal loading of the machine",
)
def dry_approach_k(
    approach_at_10k_k: float, rise_factor: float, rise_k: float, coil_penalty_k: float
) -> float:
    """FWS leaving less dry bulb at design: 8 K at a 10 K rise, 5.2 K at 15 K, plus glycol."""
    load = (approach_at_10k_k + _RATED_RISE_K) / rise_factor
    return max(_MIN_APPROACH_K, load - rise_k) + coil_penalty_k


@formula(
    title="Air leaving adiabatic pads",
    equation="dry_bulb_c - pad_efficiency * (dry_bulb_c - wet_bulb_c)",
    unit="°C",
    source="definition of the saturation efficiency",
)
def pad_temp_c(dry_bulb_c: float, wet_bulb_c: float, pad_efficiency: float) -> float:
    """Dry bulb behind wet pads."""
    return dry_bulb_c - pad_efficiency * (dry_bulb_c - wet_bulb_c)


@formula(
    title="Lowest FWS supply of dry coolers",
    equation="dry_bulb_c + dry_approach_k",
    unit="°C",
    source="clusterplan method, cooling step 11",
)
def dry_lowest_supply_c(dry_bulb_c: float, dry_approach_k: float) -> float:
    """Coldest water of a dry cooler at the hot point."""
    return dry_bulb_c + dry_approach_k


@formula(
    title="Lowest FWS supply of adiabatic coolers",
    equation="max(hot_pad_c, humid_pad_c) + dry_approach_k",
    unit="°C",
    source="clusterplan method, cooling step 11: the worse of the hot and humid points",
)
def adiabatic_lowest_supply_c(hot_pad_c: float, humid_pad_c: float, dry_approach_k: float) -> float:
    """Coldest water of an adiabatic cooler at the worse design point."""
    return max(hot_pad_c, humid_pad_c) + dry_approach_k


@formula(
    title="Lowest FWS supply of cooling towers",
    equation="wet_bulb_c + tower_approach_k + exchanger_approach_k",
    unit="°C",
    source="clusterplan method, cooling step 11",
)
def tower_lowest_supply_c(
    wet_bulb_c: float, tower_approach_k: float, exchanger_approach_k: float
) -> float:
    """Coldest FWS water of a tower with its isolating exchanger at the humid point."""
    return wet_bulb_c + tower_approach_k + exchanger_approach_k


@formula(
    title="Share of the heat that chillers must take",
    equation="min(max((available_c - fws_supply_c) / fws_rise_k, 0), 1)",
    unit="",
    source="clusterplan method, cooling step 12",
)
def trim_share(available_c: float, fws_supply_c: float, fws_rise_k: float) -> float:
    """Trim share where the plant alone reaches `available_c` only."""
    return min(max((available_c - fws_supply_c) / fws_rise_k, 0.0), 1.0)


@formula(
    title="Supply that the plant reaches without chillers",
    equation="base_c + approach_k",
    unit="°C",
    source="clusterplan method, cooling step 12: inlet air + ITD at the load - rise, or tower "
    "water + exchanger approach",
)
def supply_without_chillers_c(base_c: float, approach_k: float) -> float:
    """Leaving water at full airflow."""
    return base_c + approach_k


@formula(
    title="Fan speed",
    equation="min(max(required_ratio, 0.15), 1)",
    unit="",
    source="clusterplan method, cooling steps 13 and 14: floor 15 %, full speed at most",
)
def fan_speed_ratio(required_ratio: float) -> float:
    """Fan speed over design speed."""
    return min(max(required_ratio, _FLOOR), 1.0)


@formula(
    title="Fan ratio of a dry machine",
    equation="(load_fraction * itd_design_k / itd_k) ** (1 / 0.62) if itd_k > 0 else float('inf')",
    unit="",
    source="clusterplan method, cooling step 13: conductance ~ airflow^0.62",
    plain=False,
)
def dry_fan_ratio(load_fraction: float, itd_design_k: float, itd_k: float) -> float:
    """Airflow over design airflow that holds the supply; above 1 it cannot."""
    if load_fraction <= 0.0:
        return 0.0
    if itd_k <= 0.0:
        return math.inf
    return float((load_fraction * itd_design_k / itd_k) ** _FAN_EXPONENT)


@formula(
    title="Fan power per kW of design heat",
    equation="fan_kw_per_kw * density_ratio ** 0.25 * fan_speed ** 3",
    unit="",
    source="clusterplan method, cooling step 13: capacity ~ sigma^0.75, fan power ~ sigma",
)
def dry_fan_kw_per_kw(fan_kw_per_kw: float, density_ratio: float, fan_speed: float) -> float:
    """Fan power of the duty units by the cube law."""
    return float(fan_kw_per_kw * density_ratio**0.25 * fan_speed**3)


@formula(
    title="Capacity of a dry machine at the site over its rating",
    equation="itd_clean_k / 18 * rise_factor * density_ratio ** 0.75",
    unit="",
    source="clusterplan method, cooling step 11",
)
def dry_site_factor(itd_clean_k: float, rise_factor: float, density_ratio: float) -> float:
    """Site factor of unit capacity; glycol's penalty is in the approach, not in the count."""
    return float(itd_clean_k / _RATED_ITD_K * rise_factor * density_ratio**0.75)


@formula(
    title="Capacity of one heat rejection unit at the site",
    equation="rated_kw * site_factor",
    unit="kW",
    source="clusterplan method, cooling step 11; towers and water-cooled chillers not derated",
)
def heat_rejection_unit_kw(rated_kw: float, site_factor: float) -> float:
    """Unit capacity at the site's altitude and water temperatures."""
    return rated_kw * site_factor


@formula(
    title="Heat rejection units",
    equation=_COUNT,
    unit="",
    source=_COUNT_SOURCE,
    plain=False,
)
def heat_rejection_units(heat_kw: float, unit_kw: float, units_per_spare: int) -> UnitCount:
    """Duty units, spares and installed units."""
    return _count(heat_kw, unit_kw, units_per_spare)


@formula(
    title="Tower cells",
    equation=_COUNT,
    unit="",
    source=_COUNT_SOURCE,
    plain=False,
)
def tower_cells(heat_kw: float, unit_kw: float, units_per_spare: int) -> UnitCount:
    """Tower cells on all tower heat, trim condensers included."""
    return _count(heat_kw, unit_kw, units_per_spare)


@formula(
    title="Trim chillers",
    equation=_COUNT,
    unit="",
    source=_COUNT_SOURCE,
    plain=False,
)
def trim_chillers(heat_kw: float, unit_kw: float, units_per_spare: int) -> UnitCount:
    """Chillers of the FWS loop beside coolers or towers."""
    return _count(heat_kw, unit_kw, units_per_spare)


@formula(
    title="Room-air chillers",
    equation=_COUNT,
    unit="",
    source=_COUNT_SOURCE,
    plain=False,
)
def air_chillers(heat_kw: float, unit_kw: float, units_per_spare: int) -> UnitCount:
    """Air-cooled chillers of the room-air plant."""
    return _count(heat_kw, unit_kw, units_per_spare)


def _count(heat_kw: float, unit_kw: float, units_per_spare: int) -> UnitCount:
    # 1e-9: a heat that is a whole number of units but for rounding needs no further unit
    duty = math.ceil(heat_kw / unit_kw * (1.0 - 1e-9)) if heat_kw > 0.0 else 0
    spare = math.ceil(duty / units_per_spare)
    return UnitCount(duty, spare, duty + spare)


def choose_heat_rejection(
    supplies: LowestSupplies, fws_supply_c: float, fws_rise_k: float, water_available: bool
) -> Choice:
    """First of dry, adiabatic, tower that reaches the supply untrimmed with the water there is.

    If none does, the one with least trim; where that trim is over half of the heat, chillers:
    water-cooled where the site has water, else air-cooled.
    """
    short = (
        supplies.dry_c - fws_supply_c,
        supplies.adiabatic_c - fws_supply_c,
        supplies.tower_c - fws_supply_c,
    )
    names = (DRY, ADIABATIC, OPEN_TOWER) if water_available else (DRY,)
    for name, shortfall in zip(names, short, strict=False):
        if shortfall <= 1e-9:
            reason = f"the driest type that reaches {fws_supply_c:.1f} °C without chillers"
            return Choice(name, *short, reason)
    least = min(range(len(names)), key=lambda index: short[index])
    if trim_share(fws_supply_c + short[least], fws_supply_c, fws_rise_k) > 0.5:
        kind = WATER_CHILLER if water_available else AIR_CHILLER
        reason = "every other type would need chillers for over half of the heat"
        return Choice(kind, *short, reason if water_available else f"no water, and {reason}")
    types = "type" if water_available else "type without water"
    reason = f"no {types} reaches {fws_supply_c:.1f} °C; this one needs the least chillers"
    return Choice(names[least], *short, reason)
