"""The hours of a planned cooling plant as a table for a spreadsheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.results.hours import HourTable
from clusterplan.planning.cooling_hours import hourly_year
from clusterplan.planning.cooling_plan import year_load

if TYPE_CHECKING:
    from clusterplan.planning.cooling_plan import CoolingDesign, CoolingQuick, ItLoad
    from clusterplan.sizing.hourly_year import HourlyYear

_DIGITS = {"_c": 2, "_kpa": 3, "_kg_per_kg": 6, "_mw": 5, "_m3": 4, "wet": 0}


def hour_table(
    design: CoolingDesign, it: ItLoad, typical: ItLoad, quick: CoolingQuick
) -> HourTable:
    """Every hour of the year at `typical` power; the design must have a weather file."""
    load = year_load(design, it, typical, quick)
    year = hourly_year(design, load, quick.plant.specific)
    words = "" if design.weather is None else design.weather.words
    columns = _columns(year, typical.total_mw)
    return HourTable(
        notes=(
            f"{quick.plant.kind}, {typical.total_mw:.6g} MW of IT at typical power; {words}",
            f"warming of {design.plant.climate.warming_k:g} K included, no plume",
        ),
        labels=() if design.weather is None else design.weather.labels,
        columns=columns,
        digits={
            name: next((n for end, n in _DIGITS.items() if name.endswith(end)), 4)
            for name in columns
        },
    )


def _columns(year: HourlyYear, it_mw: float) -> dict[str, list[float]]:
    air, plant = year.air, year.plant
    steady = year.pue * 0.0
    arrays = {
        "dry_bulb_c": air.dry_bulb_c,
        "wet_bulb_c": air.wet_bulb_c,
        "humidity_ratio_kg_per_kg": air.humidity_ratio_kg_per_kg,
        "pressure_kpa": air.pressure_kpa,
        "supply_without_chillers_c": plant.available_c,
        "fan_speed": plant.fan_ratio,
        "wet": plant.wet * 1.0,
        "trim_heat_mw": year.trim_heat_mw,
        "heat_in_mw": year.heat_in_mw,
        "heat_rejected_mw": year.heat_rejected_mw,
        "it_mw": steady + it_mw,
        "cdu_pump_mw": steady + year.load.cdu_pump_mw,
        "fws_pump_mw": steady + year.load.fws_pump_mw,
        "rejection_fan_mw": year.rejection_fan_mw,
        "tower_pump_mw": year.tower_pump_mw,
        "trim_power_mw": year.trim_power_mw,
        "air_power_mw": year.air_power_mw,
        "house_load_mw": steady + year.load.house_load_mw,
        "water_m3": year.water_m3,
        "pue": year.pue,
    }
    return {name: values.tolist() for name, values in arrays.items()}
