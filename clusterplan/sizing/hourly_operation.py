"""One heat rejection plant of fixed equipment through many hours at once, on arrays.

`operate_hours` is `machines.operate` for all hours, with the same `FixedPlant`. NumPy is imported
inside the functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.record import recording
from clusterplan.sizing import tower_hours
from clusterplan.sizing.chillers import air_chiller_power_factor
from clusterplan.sizing.heat_rejection import (
    ADIABATIC,
    AIR_CHILLER,
    CLOSED_KINDS,
    HYBRID_TOWER,
    ONCE_THROUGH,
    TOWER_KINDS,
    dry_fan_kw_per_kw,
)
from clusterplan.sizing.hourly_cop import air_cooled_cops, water_cooled_cops
from clusterplan.sizing.machines import dry_machine_approach_k
from clusterplan.sizing.moist_air_hours import HourlyAir, mixing_ratios
from clusterplan.sizing.psychrometrics import AIR_KJ_PER_KG_K, MoistAir

if TYPE_CHECKING:
    from clusterplan.sizing.machines import FixedPlant
    from clusterplan.sizing.moist_air_hours import Flags, Hours

_FAN_EXPONENT = 1.0 / 0.62
_FLOOR = 0.15
_LOG_RATIO_PER_K = 0.08  # a tower's log L/G by its leaving water, about: where a search starts


class HourlyOperation(NamedTuple):
    """What a plant does in each hour, per kW of design heat: `machines.Operation` as arrays."""

    available_c: Hours
    fan_ratio: Hours
    fan: Hours
    tower_pump: Hours
    trim_heat: Hours
    trim_power: Hours
    cop: Hours
    wet: Flags
    water_l_per_s: Hours
    blowdown_l_per_s: Hours
    tower_heat: Hours
    rejected: Hours


class HourlyLoad(NamedTuple):
    """What a plant at its full design load draws and takes in each hour, per kW of it."""

    air: HourlyAir
    power: Hours
    room_power: Hours | None
    trim_most: float
    water_most_l_per_s: float
    blowdown_most_l_per_s: float

    def highest(self, heat_mw: float, air_plant_mw: float) -> int:
        """The hour in which a plant of so much design heat draws most."""
        power = heat_mw * self.power
        if self.room_power is not None:
            power = power + air_plant_mw * self.room_power
        return int(power.argmax())

    def air_of(self, hour: int) -> tuple[MoistAir, float]:
        """The air of an hour, and its pressure in kPa."""
        dry, wet, ratio, pressure = (float(values[hour]) for values in self.air)
        return MoistAir(dry, wet, ratio), pressure


def hourly_load(plant: FixedPlant, air_plant: FixedPlant | None, air: HourlyAir) -> HourlyLoad:
    """The plant at full load through the hours: for the highest hour of a year."""
    with recording():
        done = operate_hours(plant, air)
        room = operate_hours(air_plant, air) if air_plant is not None else None
    return HourlyLoad(
        air,
        done.fan + done.tower_pump + done.trim_power,
        None if room is None else room.trim_power + room.fan,
        float(done.trim_heat.max()),
        float(done.water_l_per_s.max()),
        float(done.blowdown_l_per_s.max()),
    )


def operate_hours(
    plant: FixedPlant, air: HourlyAir, load: float | Hours = 1.0, *, water: bool = True
) -> HourlyOperation:
    """The plant in every hour of `air` (at its machines) at `load`, the share of design heat.

    `load` is one share for all hours, or one an hour. Each hour is what `machines.operate` gives
    for it; the water of towers is that of the hour's own air balance (`water` False: left out).
    """
    import numpy as np

    share = np.full(air.dry_bulb_c.shape, load, dtype=float)
    if plant.kind == HYBRID_TOWER:
        return _hybrid(plant, air, share, water=water)
    if plant.kind == ONCE_THROUGH:
        return _once_through(plant, share)
    if plant.kind in TOWER_KINDS:
        return _towers(plant, air, share, plant.rise_k, water=water)
    if plant.kind == AIR_CHILLER:
        return _air_chillers(plant, air, share)
    return _coolers(plant, air, share)


def _trim(plant: FixedPlant, available: Hours) -> Hours:
    import numpy as np

    share: Hours = np.minimum(np.maximum((available - plant.supply_c) / plant.rise_k, 0.0), 1.0)
    return share


def _air_cooled(plant: FixedPlant, air: HourlyAir, trim: Hours) -> tuple[Hours, Hours]:
    """COP and power of air-cooled chillers that carry `trim`; both 0 where they stand."""
    import numpy as np

    chiller = plant.chiller
    cop = air_cooled_cops(plant.supply_c, air.dry_bulb_c, chiller.air_carnot, chiller.air_cop_max)
    power = trim / cop * air_chiller_power_factor(plant.elevation_m)
    return np.where(trim > 0.0, cop, 0.0), power


def _fan_ratio(load: Hours, itd_design_k: float, itd_k: Hours) -> Hours:
    """Airflow over design airflow that holds the supply (`heat_rejection.dry_fan_ratio`)."""
    import numpy as np

    held = itd_k > 0.0
    ratio = (load * itd_design_k / np.where(held, itd_k, 1.0)) ** _FAN_EXPONENT
    result: Hours = np.where(load > 0.0, np.where(held, ratio, np.inf), 0.0)
    return result


def _coolers(plant: FixedPlant, air: HourlyAir, load: Hours) -> HourlyOperation:
    import numpy as np

    dry, itd = plant.dry, plant.approach_k + plant.rise_k
    fan_design = dry.adiabatic_fan if plant.kind == ADIABATIC else dry.dry_fan
    hot_water = plant.supply_c + plant.rise_k
    zero = np.zeros_like(load)
    inlet, water = air.dry_bulb_c, zero
    ratio = _fan_ratio(load, itd, hot_water - inlet)
    wet = (ratio > 1.0 + 1e-9) & (plant.kind == ADIABATIC)
    if wet.any():
        pad = air.dry_bulb_c - dry.pad_efficiency * (air.dry_bulb_c - air.wet_bulb_c)
        inlet = np.where(wet, pad, inlet)
        ratio = _fan_ratio(load, itd, hot_water - inlet)
        humid = mixing_ratios(pad[wet], air.wet_bulb_c[wet], air.pressure_kpa[wet])
        gained = np.maximum(humid - air.humidity_ratio_kg_per_kg[wet], 0.0)
        water = np.array(zero)
        per_kg = 1.0 / (AIR_KJ_PER_KG_K * dry.air_rise_k)
        water[wet] = np.minimum(ratio[wet], 1.0) * per_kg * gained * dry.pad_bleed
    available = inlet + (itd * load - plant.rise_k)
    trim_heat = np.where(ratio > 1.0 + 1e-9, load * _trim(plant, available), 0.0)
    cop, trim_power = _air_cooled(plant, air, trim_heat)
    speed = np.minimum(np.maximum(ratio, _FLOOR), 1.0)
    fan = dry_fan_kw_per_kw(fan_design, plant.density_ratio, 1.0) * speed**3
    return HourlyOperation(
        available_c=available,
        fan_ratio=speed,
        fan=fan,
        tower_pump=zero,
        trim_heat=trim_heat,
        trim_power=trim_power,
        cop=cop,
        wet=wet,
        water_l_per_s=water,
        blowdown_l_per_s=water * (1.0 - 1.0 / dry.pad_bleed),
        tower_heat=zero,
        rejected=(load - trim_heat) + (trim_heat + trim_power),
    )


def _air_chillers(plant: FixedPlant, air: HourlyAir, load: Hours) -> HourlyOperation:
    import numpy as np

    zero = np.zeros_like(load)
    available = air.dry_bulb_c + plant.approach_k
    trim_heat = load * _trim(plant, available)
    cop, trim_power = _air_cooled(plant, air, trim_heat)
    fan = plant.chiller.free_fan * (load - trim_heat)
    rejected = (load - trim_heat) + (trim_heat + trim_power)
    never = zero > 0.0
    return HourlyOperation(
        available, zero, fan, zero, trim_heat, trim_power, cop, never, zero, zero, zero, rejected
    )


def _towers(
    plant: FixedPlant, air: HourlyAir, load: Hours, rise: float | Hours, *, water: bool
) -> HourlyOperation:
    """Towers that cool by `rise` kelvin."""
    import numpy as np

    tower, wet_bulb = plant.tower, air.wet_bulb_c
    runs = load > 0.0
    some = np.where(runs, load, 1.0)
    cell, pressure = tower.ntu_coefficient, air.pressure_kpa
    full = plant.design_liquid_to_gas * some
    water_out = tower_hours.water_out_hours(full, rise, wet_bulb, cell, pressure)
    available = np.where(runs, water_out + plant.exchanger_k, wet_bulb)
    over = np.minimum(np.maximum((available - plant.supply_c) / rise, 0.0), 1.0)
    share = np.where(runs, over, 0.0)
    share = np.where(share < 1e-7, 0.0, share)  # rounding of the solver is no trim
    trims = share > 0.0
    cop = np.where(
        trims, water_cooled_cops(plant.supply_c, water_out, plant.chiller.water_cop_max), 0.0
    )
    trim_heat = load * share
    trim_power = trim_heat / np.where(trims, cop, 1.0)
    wanted = plant.supply_c - plant.exchanger_k
    near = full * np.exp(np.clip(_LOG_RATIO_PER_K * (wanted - water_out), -3.0, 3.0))
    held = tower_hours.liquid_to_gas_hours(wanted, rise, wet_bulb, cell, pressure, near)
    ratio = np.where(trims | (held <= 0.0), full, held)
    needed = some / plant.tower_heat_per_kw * plant.design_liquid_to_gas / ratio
    held_at = np.minimum(np.maximum(needed, _FLOOR), 1.0)
    speed = np.where(runs, np.where(trims, 1.0, held_at), 0.0)
    closed = plant.kind in CLOSED_KINDS
    heat = load + trim_power
    makeup = blowdown = np.zeros_like(heat)
    if water:
        makeup, blowdown = _tower_water(plant, air, ratio, rise)
    return HourlyOperation(
        available_c=available,
        fan_ratio=speed,
        fan=plant.tower_heat_per_kw * (tower.closed_fan if closed else tower.fan) * speed**3,
        tower_pump=heat * (tower.closed_spray if closed else tower.pump),
        trim_heat=trim_heat,
        trim_power=trim_power,
        cop=cop,
        wet=runs,
        water_l_per_s=heat * makeup,
        blowdown_l_per_s=heat * blowdown,
        tower_heat=heat,
        rejected=(load - trim_heat) + (trim_heat + trim_power),
    )


def _hybrid(plant: FixedPlant, air: HourlyAir, load: Hours, *, water: bool) -> HourlyOperation:
    """Dry coils take what the air allows, the wet coils behind them the rest of the rise."""
    import numpy as np

    rise, dry = plant.rise_k, plant.dry
    itd = dry_machine_approach_k(dry, rise) + rise
    reached = air.dry_bulb_c + (itd * load - rise)
    left = _trim(plant, reached)
    wet = (left > 1e-9) & (load > 0.0)
    full = dry_fan_kw_per_kw(dry.dry_fan, plant.density_ratio, 1.0)
    ratio = _fan_ratio(load, itd, plant.supply_c + rise - air.dry_bulb_c)
    speed = np.minimum(np.maximum(ratio, _FLOOR), 1.0)
    zero = np.zeros_like(load)
    alone = HourlyOperation(
        available_c=np.minimum(reached, plant.supply_c),
        fan_ratio=speed,
        fan=full * speed**3,
        tower_pump=zero,
        trim_heat=zero,
        trim_power=zero,
        cop=zero,
        wet=wet,
        water_l_per_s=zero,
        blowdown_l_per_s=zero,
        tower_heat=zero,
        rejected=np.array(load),
    )
    if not wet.any():
        return alone
    part, some = left[wet], HourlyAir(*(values[wet] for values in air))
    tower = _towers(plant, some, load[wet], rise * part, water=water)
    trim = np.minimum(tower.trim_heat * part, load[wet])
    trim_power = tower.trim_power * part
    # what the towers give per kW of their own water flow is for `part` of the heat; dry coils are
    # staged off with what they no longer take; the spray runs in full
    behind = tower._replace(
        fan=tower.fan + full * (1.0 - part),
        trim_heat=trim,
        trim_power=trim_power,
        water_l_per_s=tower.water_l_per_s * part,
        blowdown_l_per_s=tower.blowdown_l_per_s * part,
        tower_heat=tower.tower_heat * part,
        rejected=load[wet] + trim_power,
    )
    return HourlyOperation(
        *(_placed(whole, wet, some) for whole, some in zip(alone, behind, strict=True))
    )


def _placed(whole: Any, place: Flags, part: Any) -> Any:
    """The whole with other values at some places."""
    import numpy as np

    result = np.array(whole)
    result[place] = part
    return result


def _once_through(plant: FixedPlant, load: Hours) -> HourlyOperation:
    """River or sea water at its warmest, whatever the air: every hour is alike."""
    import numpy as np

    tower, zero = plant.tower, np.zeros_like(load)
    available = zero + tower.source_c + plant.approach_k
    trim_heat = load * _trim(plant, available)
    trims = trim_heat > 0.0
    cop = water_cooled_cops(plant.supply_c, zero + tower.source_c, plant.chiller.water_cop_max)
    trim_power = trim_heat / cop
    return HourlyOperation(
        available_c=available,
        fan_ratio=zero,
        fan=zero,
        tower_pump=tower.source_pump * (load + trim_power),
        trim_heat=trim_heat,
        trim_power=trim_power,
        cop=np.where(trims, cop, 0.0),
        wet=zero > 0.0,
        water_l_per_s=zero,
        blowdown_l_per_s=zero,
        tower_heat=zero,
        rejected=load + trim_power,
    )


def _tower_water(
    plant: FixedPlant, air: HourlyAir, liquid_to_gas: Hours, rise: float | Hours
) -> tuple[Hours, Hours]:
    """Make-up and blowdown in L/s of 1 kW of tower heat."""
    evaporation = tower_hours.evaporation_hours(
        air.dry_bulb_c,
        air.humidity_ratio_kg_per_kg,
        air.pressure_kpa,
        liquid_to_gas,
        rise,
    )
    tower = plant.tower
    return tower_hours.makeup_and_blowdown(evaporation, rise, tower.cycles, tower.drift)
