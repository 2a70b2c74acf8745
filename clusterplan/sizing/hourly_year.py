"""The year of a cooling plant hour by hour, on arrays: 8,760 or 8,784 hours in about 30 ms.

`hourly_cooling_year` is `cooling_year.cooling_year` with the same loads and plants, over hours
instead of bins; `operate_hours` (in `hourly_operation`) is `machines.operate` for all hours at
once. Equipment is fixed at its nameplate design; loads are steady. NumPy loads when an array is
made, not with this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula, recording
from clusterplan.sizing.cooling_year import Band, YearSums, year_of
from clusterplan.sizing.heat_rejection import TOWER_KINDS
from clusterplan.sizing.hourly_operation import HourlyOperation, operate_hours
from clusterplan.sizing.towers import tower_mean_makeup_per_kw

if TYPE_CHECKING:
    from clusterplan.sizing.cooling_year import CoolingYear, YearLoad
    from clusterplan.sizing.machines import FixedPlant
    from clusterplan.sizing.moist_air_hours import HourlyAir, Hours
    from clusterplan.sizing.pue import Chain

_METHOD = "clusterplan method, cooling steps 13 to 17 over the hours of the year"


class HourlyYear(NamedTuple):
    """A year hour by hour. Powers and heats in MW, water in m3 in the hour, rates in L/s.

    water_m3 adds up to the year's; for towers it is each hour's air balance, scaled to that sum.
    water_l_per_s is the air balance itself, for the peak rate.
    """

    year: CoolingYear
    load: YearLoad
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
    year = year_of(sums, chain, Band(band))
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
        load,
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
