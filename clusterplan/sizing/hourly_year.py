"""The year of a cooling plant hour by hour, on arrays: 8,760 or 8,784 hours in about 10 to 30 ms.

`operate_hours` is `machines.operate` for all hours at once, with the same `FixedPlant`;
`hourly_cooling_year` is `cooling_year.cooling_year` with the same loads and plants, over hours
instead of bins. Equipment is fixed at its nameplate design; loads are steady. NumPy is imported
inside the functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula, recording
from clusterplan.sizing import tower_hours
from clusterplan.sizing.chillers import air_chiller_power_factor
from clusterplan.sizing.cooling_year import CoolingYear, YearSums
from clusterplan.sizing.heat_rejection import (
    ADIABATIC,
    AIR_CHILLER,
    CLOSED_TOWER,
    TOWER_KINDS,
    dry_fan_kw_per_kw,
)
from clusterplan.sizing.hourly_cop import air_cooled_cops, water_cooled_cops
from clusterplan.sizing.moist_air_hours import HourlyAir, mixing_ratios
from clusterplan.sizing.psychrometrics import AIR_KJ_PER_KG_K
from clusterplan.sizing.pue import pue_annual, wue_l_per_kwh
from clusterplan.sizing.towers import tower_mean_makeup_per_kw

if TYPE_CHECKING:
    from clusterplan.sizing.cooling_year import YearLoad
    from clusterplan.sizing.machines import FixedPlant
    from clusterplan.sizing.moist_air_hours import Flags, Hours
    from clusterplan.sizing.pue import Chain

_FAN_EXPONENT = 1.0 / 0.62
_FLOOR = 0.15
_METHOD = "clusterplan method, cooling steps 13 to 17 over the hours of the year"


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


class HourlyYear(NamedTuple):
    """A year hour by hour. Powers and heats in MW, water in m3 in the hour, rates in L/s.

    water_m3 adds up to the year's; for towers it is each hour's air balance, scaled to that sum.
    water_l_per_s is the air balance itself, for the peak rate.
    """

    year: CoolingYear
    air: HourlyAir
    plant: HourlyOperation
    rejection_fan_mw: Hours
    tower_pump_mw: Hours
    trim_heat_mw: Hours
    trim_power_mw: Hours
    air_power_mw: Hours
    water_m3: Hours
    water_l_per_s: Hours
    heat_in_mw: Hours
    heat_rejected_mw: Hours
    pue: Hours


class HourlyRun:
    """A plant, its steady load and the hours of a year; printed on a sheet as one line."""

    def __init__(
        self, load: YearLoad, plant: FixedPlant, air_plant: FixedPlant | None, air: HourlyAir
    ) -> None:
        self.load = load
        self.plant = plant
        self.air_plant = air_plant
        self.air = air
        share, room = shares(load)
        with recording():  # the steps of the hours would bury those of the plan
            self.operation = operate_hours(plant, air, share)
            self.room = operate_hours(air_plant, air, room) if air_plant is not None else None

    def __str__(self) -> str:
        """How many hours there are, and what they span."""
        dry = self.air.dry_bulb_c
        return f"{dry.size:,} hours of outdoor air, {dry.min():.1f} to {dry.max():.1f} °C"


def shares(load: YearLoad) -> tuple[float, float]:
    """The year's load over design load, of the FWS plant and of the room-air plant."""
    share = load.heat_mw / load.design_heat_mw if load.design_heat_mw > 0.0 else 0.0
    room = load.air_heat_mw / load.design_air_heat_mw if load.design_air_heat_mw > 0.0 else 0.0
    return share, room


def operate_hours(
    plant: FixedPlant, air: HourlyAir, load: float | Hours = 1.0, *, water: bool = True
) -> HourlyOperation:
    """The plant in every hour of `air` (at its machines) at `load`, the share of design heat.

    `load` is one share for all hours, or one an hour. Each hour is what `machines.operate` gives
    for it; the water of towers is that of the hour's own air balance (`water` False: left out).
    """
    import numpy as np

    share = np.broadcast_to(np.asarray(load, dtype=float), air.dry_bulb_c.shape)
    if plant.kind in TOWER_KINDS:
        return _towers(plant, air, share, water=water)
    if plant.kind == AIR_CHILLER:
        return _air_chillers(plant, air, share)
    return _coolers(plant, air, share)


def _trim(plant: FixedPlant, available: Hours) -> Hours:
    import numpy as np

    share: Hours = np.clip((available - plant.supply_c) / plant.rise_k, 0.0, 1.0)
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
    speed = np.clip(ratio, _FLOOR, 1.0)
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


def _towers(plant: FixedPlant, air: HourlyAir, load: Hours, *, water: bool) -> HourlyOperation:
    import numpy as np

    tower, rise, wet_bulb = plant.tower, plant.rise_k, air.wet_bulb_c
    runs = load > 0.0
    some = np.where(runs, load, 1.0)
    cell, pressure = tower.ntu_coefficient, air.pressure_kpa
    full = plant.design_liquid_to_gas * some
    water_out = tower_hours.water_out_hours(full, rise, wet_bulb, cell, pressure)
    available = np.where(runs, water_out + plant.exchanger_k, wet_bulb)
    share = np.where(runs, _trim(plant, available), 0.0)
    share = np.where(share < 1e-7, 0.0, share)  # rounding of the solver is no trim
    trims = share > 0.0
    cop = np.where(
        trims, water_cooled_cops(plant.supply_c, water_out, plant.chiller.water_cop_max), 0.0
    )
    trim_heat = load * share
    trim_power = trim_heat / np.where(trims, cop, 1.0)
    held = tower_hours.liquid_to_gas_hours(
        plant.supply_c - plant.exchanger_k, rise, wet_bulb, cell, pressure
    )
    ratio = np.where(trims | (held <= 0.0), full, held)
    needed = some / plant.tower_heat_per_kw * plant.design_liquid_to_gas / ratio
    speed = np.where(runs, np.where(trims, 1.0, np.clip(needed, _FLOOR, 1.0)), 0.0)
    closed = plant.kind == CLOSED_TOWER
    heat = load + trim_power
    makeup = blowdown = np.zeros_like(heat)
    if water:
        makeup, blowdown = _tower_water(plant, air, ratio)
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


def _tower_water(plant: FixedPlant, air: HourlyAir, liquid_to_gas: Hours) -> tuple[Hours, Hours]:
    """Make-up and blowdown in L/s of 1 kW of tower heat."""
    evaporation = tower_hours.evaporation_hours(
        air.dry_bulb_c,
        air.humidity_ratio_kg_per_kg,
        air.pressure_kpa,
        liquid_to_gas,
        plant.rise_k,
    )
    tower = plant.tower
    return tower_hours.makeup_and_blowdown(evaporation, plant.rise_k, tower.cycles, tower.drift)


@formula(
    title="Sums over the hours of the year",
    equation="sum over the hours of power per kW of design heat x design heat; pads with the water "
    "of each hour's air, tower make-up at the yearly mean latent fraction",
    unit="MWh, m³, h",
    source=_METHOD,
    plain=False,
)
def hourly_sums(
    heat_rejection: str,
    fws_supply_c: float,
    fws_rise_k: float,
    heat_mw: float,
    design_heat_mw: float,
    air_plant_mw: float,
    it_mw: float,
    year: HourlyRun,
) -> YearSums:
    """Sums of a run through the hours; the figures before `year` are its own."""
    load, done, room = year.load, year.operation, year.room
    hours = float(year.air.dry_bulb_c.size)
    heat, room_heat = load.design_heat_mw, load.design_air_heat_mw
    chilled = 0.0 if room is None else float((room.trim_power + room.fan).sum())
    rooms = hours * (load.room_fan_mw + load.air_pump_mw)
    return YearSums(
        hours * load.it_mw,
        hours * load.cdu_pump_mw,
        hours * load.fws_pump_mw,
        heat * float(done.fan.sum()),
        heat * float(done.tower_pump.sum()),
        heat * float(done.trim_power.sum()),
        rooms + room_heat * chilled,
        hours * load.house_load_mw,
        hourly_water_m3(load, year.plant, done),
        float(done.wet.sum()),
        float((done.trim_heat > 0.0).sum()),
    )


def hourly_water_m3(load: YearLoad, plant: FixedPlant, operation: HourlyOperation) -> float:
    """Site water of the year in m3, of a plant that ran as `operation`.

    Towers go by the mean make-up that was calibrated on a measured year; air that leaves saturated
    carries a tenth less (which serves for the peak rate).
    """
    if plant.kind in TOWER_KINDS:
        makeup = tower_mean_makeup_per_kw(plant.tower.latent_fraction, plant.tower.cycles)
        return 3600.0 * load.design_heat_mw * makeup * float(operation.tower_heat.sum())
    return 3600.0 * load.design_heat_mw * float(operation.water_l_per_s.sum())


def hourly_cooling_year(
    load: YearLoad,
    plant: FixedPlant,
    air_plant: FixedPlant | None,
    air: HourlyAir,
    chain: Chain,
    *,
    band: str = "hourly weather",
) -> HourlyYear:
    """PUE, WUE, water and every hour of a year in `air` (warming included, no plume).

    it_mw must be above 0. `band` says how far the result may be off, in words.
    """
    run = HourlyRun(load, plant, air_plant, air)
    sums = hourly_sums(
        plant.kind,
        plant.supply_c,
        plant.rise_k,
        load.heat_mw,
        load.design_heat_mw,
        load.air_heat_mw,
        load.it_mw,
        run,
    )
    ratio = pue_annual(
        sums.it_mwh,
        sums.cdu_pump_mwh,
        sums.mechanical_mwh,
        chain.it,
        chain.mechanical,
        chain.mechanical_on_ups,
    )
    year = CoolingYear(sums, ratio, wue_l_per_kwh(sums.water_m3, sums.it_mwh), band)
    return _hours_of(run, year, chain)


def _hours_of(run: HourlyRun, year: CoolingYear, chain: Chain) -> HourlyYear:
    load, done, room = run.load, run.operation, run.room
    heat, room_heat = load.design_heat_mw, load.design_air_heat_mw
    fan, pump = heat * done.fan, heat * done.tower_pump
    trim_heat, trim = heat * done.trim_heat, heat * done.trim_power
    rooms = load.room_fan_mw + load.air_pump_mw + 0.0 * fan
    rejected = heat * done.rejected
    heat_in = load.heat_mw + trim
    if room is not None:
        chillers = room_heat * room.trim_power
        rooms = rooms + chillers + room_heat * room.fan
        rejected = rejected + room_heat * room.rejected
        heat_in = heat_in + load.air_heat_mw + chillers
    plain = load.fws_pump_mw + fan + pump + trim + rooms + load.house_load_mw
    on_ups = load.cdu_pump_mw / chain.mechanical_on_ups
    power = load.it_mw / chain.it + on_ups + plain / chain.mechanical
    rate = 1000.0 * heat * done.water_l_per_s
    balance = 3.6 * float(rate.sum())
    scale = year.sums.water_m3 / balance if balance > 0.0 else 1.0
    return HourlyYear(
        year,
        run.air,
        done,
        fan,
        pump,
        trim_heat,
        trim,
        rooms,
        3.6 * scale * rate,
        rate,
        heat_in,
        rejected,
        power / load.it_mw,
    )
