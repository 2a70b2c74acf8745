"""Room air in units: fan walls and rear doors, and the hours in which chillers rest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula, recording
from clusterplan.sizing.heat_rejection import AIR_CHILLER
from clusterplan.sizing.machines import operate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterplan.sizing.climate_bins import Bin
    from clusterplan.sizing.machines import FixedPlant
    from clusterplan.sizing.moist_air_hours import HourlyAir
    from clusterplan.sizing.psychrometrics import MoistAir

_STEP_9 = "clusterplan method, cooling step 9"
_FREE_SHARE = 1e-9


class EconomiserHours(NamedTuple):
    """Hours of a year: all heat free, part of it, none."""

    free_h: float
    partial_h: float
    chiller_h: float


class FanWalls(NamedTuple):
    """Fan walls that carry the duty, their spares, and both."""

    duty_walls: int
    spare_walls: int
    installed_walls: int


class OutdoorYear:
    """The air of a year, in bins or by the hour; printed on a sheet as one line."""

    def __init__(self, bins: Iterable[Bin] = (), air: HourlyAir | None = None) -> None:
        self.bins = tuple(bins)
        self.air = air

    def __str__(self) -> str:
        """How many bins or hours there are."""
        if self.air is not None:
            return f"{self.air.dry_bulb_c.size:,} hours of outdoor air"
        return f"{len(self.bins)} bins of outdoor air"


@formula(
    title="Heat to fan walls",
    equation="air_heat_mw - door_heat_mw",
    unit="MW",
    source=_STEP_9,
)
def wall_heat_mw(air_heat_mw: float, door_heat_mw: float) -> float:
    """Air heat that no rear door takes: network, storage, losses, racks without doors."""
    return air_heat_mw - door_heat_mw


@formula(
    title="Fan walls",
    equation="duty = ceil(wall_heat_mw * 1000 / (unit_kw * density_ratio)); one spare per "
    "units_per_spare",
    unit="",
    source=f"{_STEP_9}: N+1 per room, 6+1 typical; capacity ~ air density at the same volume flow",
    plain=False,
)
def fan_walls(
    wall_heat_mw: float, unit_kw: float, density_ratio: float, units_per_spare: int
) -> FanWalls:
    """Fan-wall or CRAH units in duty, spare and installed."""
    duty = math.ceil(wall_heat_mw * 1000.0 / (unit_kw * density_ratio) - 1e-9)
    spare = math.ceil(duty / units_per_spare)
    return FanWalls(duty, spare, duty + spare)


@formula(
    title="Heat of one rear door",
    equation="door_heat_mw * 1000 / doors",
    unit="kW",
    source=f"{_STEP_9}: an active door on every rack",
)
def rear_door_kw(door_heat_mw: float, doors: float) -> float:
    """Heat to the air of one rack, which its door takes."""
    return door_heat_mw * 1000.0 / doors


@formula(
    title="Hours by economiser",
    equation="sum of hours with no, some and all heat on chillers, at the year's load",
    unit="h",
    source=f"{_STEP_9}: free share = clip((T_ret - T_db - a_d) / (T_ret - T_sup), 0, 1)",
    plain=False,
)
def economiser_hours(
    supply_c: float, rise_k: float, approach_k: float, plant: FixedPlant, year: OutdoorYear
) -> EconomiserHours:
    """Hours of a plant of chillers with free cooling; the temperatures are the plant's own."""
    if year.air is not None:
        return _hours_by_share(plant, year.air)
    free = partial = chiller = 0.0
    share_of = _dry_share if plant.kind == AIR_CHILLER else _operated_share
    for hours, air in year.bins:
        share = share_of(plant, air)
        if share <= _FREE_SHARE:
            free += hours
        elif share < 1.0 - _FREE_SHARE:
            partial += hours
        else:
            chiller += hours
    return EconomiserHours(free, partial, chiller)


def _hours_by_share(plant: FixedPlant, air: HourlyAir) -> EconomiserHours:
    from clusterplan.sizing.hourly_operation import operate_hours  # with NumPy: for hours alone

    with recording():
        share = operate_hours(plant, air, water=False).trim_heat
    free, full = share <= _FREE_SHARE, share >= 1.0 - _FREE_SHARE
    return EconomiserHours(
        float(free.sum()), float((~free & ~full).sum()), float((full & ~free).sum())
    )


def _dry_share(plant: FixedPlant, air: MoistAir) -> float:
    """Share on chillers of an air-cooled plant: by dry bulb alone."""
    return (air.dry_bulb_c + plant.approach_k - plant.supply_c) / plant.rise_k


def _operated_share(plant: FixedPlant, air: MoistAir) -> float:
    with recording():  # the steps of each bin would bury those of the plan
        return operate(plant, air, water=False).trim_heat
