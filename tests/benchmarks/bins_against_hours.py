"""The year in bins against the hourly year, for every weather file of a folder.

    python tests/benchmarks/bins_against_hours.py FOLDER

This is how the bands of `cooling_year.band_of` were measured: six TMY3 years of US stations gave a
PUE within 0.005 for coolers and 0.008 for towers and chillers. Exits with 1 beyond the bands.
"""

from __future__ import annotations

import sys
from pathlib import Path

from clusterplan.inputs.weather_file import read_weather
from clusterplan.planning.choices import Ledger
from clusterplan.planning.weather_plan import site_weather, weather_climate
from clusterplan.sizing.climate_bins import BinClimate, bins_of
from clusterplan.sizing.cooling_year import FEW_WET_HOURS, YearLoad, cooling_year
from clusterplan.sizing.hourly_year import hourly_cooling_year
from clusterplan.sizing.machines import fixed_plant
from clusterplan.sizing.plant_specs import ChillerSpec, DrySpec, TowerSpec
from clusterplan.sizing.psychrometrics import station_pressure_kpa
from clusterplan.sizing.pue import Chain

SPECS = (DrySpec(), TowerSpec(), ChillerSpec())
CHAIN = Chain(0.948, 0.985, 0.955)
LOAD = YearLoad(100, 0.9, 1.0, 0.4, 0.1, 0.5, 92, 92, 10, 10)
PLANTS = (
    ("dry-cooler", 40.0, 12.0, 0.005),
    ("adiabatic-cooler", 32.0, 10.0, 0.005),
    ("adiabatic-cooler", 36.0, 10.0, 0.005),
    ("adiabatic-cooler", 40.0, 10.0, 0.005),
    ("open-cooling-tower", 26.0, 10.0, 0.008),
    ("closed-cooling-tower", 30.0, 10.0, 0.008),
    ("air-cooled-chiller", 20.0, 10.0, 0.008),
    ("air-cooled-chiller", 30.0, 10.0, 0.008),
    ("water-cooled-chiller", 18.0, 8.0, 0.008),
)
WATER_BAND = 0.25


def compare(path: Path) -> bool:
    """Print the station's rows; whether all are within the bands."""
    file, ledger = read_weather(path), Ledger()
    elevation = file.elevation_m or 0.0
    weather = site_weather(file, elevation, ledger)
    climate = weather_climate(file, weather, ledger)
    means = (climate.annual_mean_db_c, climate.annual_mean_dp_c)
    bins = bins_of(
        BinClimate(
            climate.heating_99p6_c,
            climate.db_0p4_c,
            climate.mcwb_0p4_c,
            means[0] or 0.0,
            means[1] or 0.0,
            0.0,
            station_pressure_kpa(elevation),
        ),
        warm_width_k=0.2,
    )
    print(f"{path.name}: {file.station}, {elevation:g} m")
    good = True
    for kind, supply, rise, band in PLANTS:
        wet_bulb = climate.wb_0p4_c + 1.5
        plant = fixed_plant(kind, (supply, supply + rise), elevation, SPECS, wet_bulb)
        room = fixed_plant("air-cooled-chiller", (20.0, 30.0), elevation, SPECS, wet_bulb)
        hours = hourly_cooling_year(LOAD, plant, room, weather.air, CHAIN).year
        bin_year = cooling_year(LOAD, plant, room, bins, CHAIN)
        off = bin_year.pue - hours.pue
        water = bin_year.sums.water_m3 / hours.sums.water_m3 - 1 if hours.sums.water_m3 else 0.0
        counts = hours.sums.wet_hours_h > FEW_WET_HOURS
        fits = abs(off) <= band and (not counts or abs(water) <= WATER_BAND)
        good = good and fits
        print(
            f"  {kind:22} {supply:4.0f} °C  PUE {hours.pue:.4f} bins {off:+.4f}  wet"
            f" {hours.sums.wet_hours_h:5.0f} h  water bins {100 * water:+6.1f} %"
            f"{'' if fits else '  BEYOND THE BAND'}"
        )
    return good


def main() -> int:
    """Compare every EPW of the folder."""
    paths = sorted(Path(sys.argv[1]).glob("*.epw"))
    results = [compare(path) for path in paths]
    return int(not results or not all(results))


if __name__ == "__main__":
    sys.exit(main())
