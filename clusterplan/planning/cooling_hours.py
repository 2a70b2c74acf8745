"""The year of a planned cooling plant by the hours of a weather file.

What loads NumPy is imported inside the functions: a plan without a weather file never comes here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.sizing.heat_rejection import TOWER_KINDS

BAND = "by the hours of the weather file: no error of a fit; other years differ from it"

if TYPE_CHECKING:
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.cooling_plan import CoolingDesign
    from clusterplan.planning.weather_plan import SiteWeather
    from clusterplan.sizing.cooling_year import YearLoad
    from clusterplan.sizing.hourly_year import HourlyYear
    from clusterplan.sizing.machines import FixedPlant
    from clusterplan.sizing.moist_air_hours import HourlyAir
    from clusterplan.sizing.plant import SpecificPlant


def warmed(choices: Choices, weather: SiteWeather) -> HourlyAir:
    """The hours with the warming over the life of the plant."""
    from clusterplan.sizing.moist_air_hours import hourly_air

    air, warming_k = weather.air, choices.number("cooling.warming_allowance")
    return hourly_air(air.dry_bulb_c, air.humidity_ratio_kg_per_kg, air.pressure_kpa, warming_k)


def hourly_year(design: CoolingDesign, load: YearLoad, specific: SpecificPlant) -> HourlyYear:
    """Every hour of the weather file under `load`. The design must have one."""
    from clusterplan.sizing.hourly_year import hourly_cooling_year

    if design.plant.hours is None or design.weather is None:
        message = "the design has no weather file"
        raise ValueError(message)
    return hourly_cooling_year(
        load,
        specific.plant,
        specific.air_plant,
        design.plant.hours,
        design.plant.chain,
        band=BAND,
    )


def water_m3(design: CoolingDesign, load: YearLoad, plant: FixedPlant) -> float:
    """Site water as the hourly year gives it.

    Water per kW is kept: the share of the design load, on which it depends, seldom changes.
    """
    from clusterplan.sizing.hourly_operation import operate_hours
    from clusterplan.sizing.hourly_year import hourly_water_m3, shares

    share, _ = shares(load)
    key = ("hourly water", plant, round(share, 9))
    if key not in design.kept and design.plant.hours is not None:
        done = operate_hours(plant, design.plant.hours, share, water=plant.kind not in TOWER_KINDS)
        design.kept[key] = hourly_water_m3(load._replace(design_heat_mw=1.0), plant, done)
    return float(load.design_heat_mw * design.kept[key])
