"""The year of a cooling plant: energy, water and hours over bins or hours of outdoor air.

Equipment is fixed at its nameplate design; the load is what racks typically draw. Air = station
and warming, no plume.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula, unrecorded
from clusterplan.sizing.heat_rejection import ADIABATIC, DRY, HYBRID_TOWER, TOWER_KINDS
from clusterplan.sizing.machines import operate
from clusterplan.sizing.pue import pue_annual, wue_l_per_kwh
from clusterplan.sizing.towers import tower_mean_makeup_per_kw

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusterplan.sizing.climate_bins import Bin
    from clusterplan.sizing.machines import FixedPlant
    from clusterplan.sizing.pue import Chain

_METHOD = "clusterplan method, cooling steps 13 to 17 over the bins of the year"
FEW_WET_HOURS = 300.0


class YearLoad(NamedTuple):
    """Loads of the year in MW, all steady; design_* are what the machines were bought for."""

    it_mw: float
    cdu_pump_mw: float
    fws_pump_mw: float
    room_fan_mw: float
    air_pump_mw: float
    house_load_mw: float
    heat_mw: float
    design_heat_mw: float
    air_heat_mw: float
    design_air_heat_mw: float


class YearSums(NamedTuple):
    """Energies in MWh, water in m3, hours. Hours above the bins' sum cannot occur."""

    it_mwh: float
    cdu_pump_mwh: float
    fws_pump_mwh: float
    rejection_fan_mwh: float
    tower_pump_mwh: float
    trim_mwh: float
    air_plant_mwh: float
    house_mwh: float
    water_m3: float
    wet_hours_h: float
    trim_hours_h: float

    @property
    def mechanical_mwh(self) -> float:
        """All but IT and CDU pumps."""
        return sum(self[2:8])


class Band(NamedTuple):
    """How far the bins may be from an hourly year: words, PUE, percent of the water.

    The last two are None where no fit was used, or where no percentage holds.
    """

    words: str
    pue: float | None = None
    water_percent: float | None = None


class CoolingYear(NamedTuple):
    """PUE, WUE and water of a year, and what they are made of."""

    sums: YearSums
    pue: float
    wue: float
    band: str
    pue_band: float | None = None
    water_band_percent: float | None = None


class YearRun:
    """A plant, its steady load and the air of a year; printed on a sheet as one line."""

    def __init__(
        self,
        load: YearLoad,
        plant: FixedPlant,
        air_plant: FixedPlant | None,
        bins: tuple[Bin, ...],
    ) -> None:
        self.load = load
        self.plant = plant
        self.air_plant = air_plant
        self.bins = bins

    def __str__(self) -> str:
        """How many bins there are, and what they span."""
        low, high = self.bins[0].air.dry_bulb_c, self.bins[-1].air.dry_bulb_c
        return f"{len(self.bins)} bins of outdoor air, {low:.1f} to {high:.1f} °C"


@formula(
    title="Sums over the year",
    equation="sum over the bins of hours x power per kW of design heat x design heat; pads as at a "
    "design point, tower make-up at the yearly mean latent fraction",
    unit="MWh, m³, h",
    source=_METHOD,
    plain=False,
)
def year_sums(
    heat_rejection: str,
    fws_supply_c: float,
    fws_rise_k: float,
    heat_mw: float,
    design_heat_mw: float,
    air_plant_mw: float,
    it_mw: float,
    year: YearRun,
) -> YearSums:
    """Run the plant through the bins at constant load; the figures before `year` are its own."""
    with unrecorded():  # the steps of each bin would bury those of the plan
        return _run(year)


def _run(year: YearRun) -> YearSums:
    load, plant, air_plant = year.load, year.plant, year.air_plant
    share = load.heat_mw / load.design_heat_mw if load.design_heat_mw > 0.0 else 0.0
    room = load.air_heat_mw / load.design_air_heat_mw if load.design_air_heat_mw > 0.0 else 0.0
    towers, makeup = plant.kind in TOWER_KINDS, 0.0
    if towers:
        makeup = tower_mean_makeup_per_kw(plant.tower.latent_fraction, plant.tower.cycles)
    fan = pump = trim = chilled = water = wet = trimmed = hours = 0.0
    for span, air in year.bins:
        hours += span
        state = operate(plant, air, share, water=not towers)
        fan += span * state.fan
        pump += span * state.tower_pump
        trim += span * state.trim_power
        water += span * (state.tower_heat * makeup if towers else state.water_l_per_s)
        wet += span if state.wet else 0.0
        trimmed += span if state.trim_heat > 0.0 else 0.0
        if air_plant is not None:
            machine = operate(air_plant, air, room)
            chilled += span * (machine.trim_power + machine.fan)
    heat, room_heat = load.design_heat_mw, load.design_air_heat_mw
    rooms = hours * (load.room_fan_mw + load.air_pump_mw)
    return YearSums(
        hours * load.it_mw,
        hours * load.cdu_pump_mw,
        hours * load.fws_pump_mw,
        heat * fan,
        heat * pump,
        heat * trim,
        rooms + room_heat * chilled,
        hours * load.house_load_mw,
        3600.0 * heat * water,
        wet,
        trimmed,
    )


def year_water_m3(load: YearLoad, plant: FixedPlant, bins: Sequence[Bin]) -> float:
    """Site water of the year in m3 alone, as `cooling_year` gives it: what the solve needs.

    Coolers: only the bins in which pads are wet. Towers: all heat at the yearly mean, unless the
    wettest bin needs trim, whose condensers add heat.
    """
    share = load.heat_mw / load.design_heat_mw if load.design_heat_mw > 0.0 else 0.0
    hourly = 3600.0 * load.design_heat_mw
    if plant.kind == ADIABATIC:
        dry_to_c = plant.supply_c + plant.rise_k - (plant.approach_k + plant.rise_k) * share
        wet = (item for item in bins if item.air.dry_bulb_c > dry_to_c)
        return hourly * sum(
            item.hours * operate(plant, item.air, share).water_l_per_s for item in wet
        )
    if plant.kind not in TOWER_KINDS:
        return 0.0
    makeup = hourly * tower_mean_makeup_per_kw(plant.tower.latent_fraction, plant.tower.cycles)
    wettest = max(bins, key=lambda item: item.air.wet_bulb_c)
    all_wet = plant.kind != HYBRID_TOWER
    if all_wet and operate(plant, wettest.air, share).trim_heat == 0.0:
        return makeup * share * sum(item.hours for item in bins)
    return makeup * sum(
        item.hours * operate(plant, item.air, share, water=False).tower_heat for item in bins
    )


def band_of(kind: str, sums: YearSums, *, water: bool, verified_means: bool) -> Band:
    """The band within which bins meet an hourly year."""
    spread = 25.0 if verified_means else 50.0
    off = 0.005 if kind in (DRY, ADIABATIC) else 0.008
    pue = f"PUE within {off:.3f} of an hourly year at six stations tried"
    if not water or sums.water_m3 == 0.0:
        return Band(f"{pue}; no water used", off)
    few = sums.wet_hours_h < FEW_WET_HOURS
    if few and (kind not in TOWER_KINDS or kind == HYBRID_TOWER):
        wue = sums.water_m3 / sums.it_mwh
        most = 0.02 if wue < 0.02 else math.ceil(150.0 * wue) / 100.0
        words = f"water under {most:.2f} L/kWh: too few wet hours for a percentage to hold"
        return Band(words, off)
    means = "" if verified_means else " (annual means of this climate are unverified)"
    return Band(f"water ±{spread:.0f} %{means}; {pue}", off, spread)


def cooling_year(
    load: YearLoad,
    plant: FixedPlant,
    air_plant: FixedPlant | None,
    bins: Iterable[Bin],
    chain: Chain,
    *,
    verified_means: bool = True,
) -> CoolingYear:
    """PUE, WUE and water of a year of `bins`; 8,760 bins of one hour serve an hourly file."""
    year = YearRun(load, plant, air_plant, tuple(bins))
    sums = year_sums(
        plant.kind,
        plant.supply_c,
        plant.rise_k,
        load.heat_mw,
        load.design_heat_mw,
        load.air_heat_mw,
        load.it_mw,
        year,
    )
    band = band_of(plant.kind, sums, water=True, verified_means=verified_means)
    return year_of(sums, chain, band)


def year_of(sums: YearSums, chain: Chain, band: Band) -> CoolingYear:
    """PUE and WUE from the sums of a year, with their band."""
    ratio = pue_annual(
        sums.it_mwh,
        sums.cdu_pump_mwh,
        sums.mechanical_mwh,
        chain.it,
        chain.mechanical,
        chain.mechanical_on_ups,
    )
    wue = wue_l_per_kwh(sums.water_m3, sums.it_mwh)
    return CoolingYear(sums, ratio, wue, *band)
