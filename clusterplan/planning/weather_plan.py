"""A weather file as the air of a site, and as the climate for which its plant is designed.

Design values come from a named climate, else from the ASHRAE line of an EPW header, else from the
catalogue's nearest station, else from the file itself; what was taken stands in the assumptions.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.equipment import Climate
from clusterplan.core.errors import InputError, Problem
from clusterplan.planning.stations import nearest_station
from clusterplan.sizing import moist_air_hours as moist
from clusterplan.sizing.psychrometrics import station_pressure_kpa

if TYPE_CHECKING:
    from clusterplan.inputs.weather_file import WeatherFile
    from clusterplan.inputs.weather_table import Design
    from clusterplan.planning.choices import Ledger
    from clusterplan.sizing.moist_air_hours import HourlyAir, Hours

NEAR_STATION_KM = 150.0
_SAME_ELEVATION_M = 1.0
_HUMIDITY_POINTS = 10.0  # mean difference of two columns of humidity that no rounding explains
_PRESSURE_SHARE = 0.03
_COINCIDENT_K = 0.5


class SiteWeather(NamedTuple):
    """The hours of a file as air at the site (no warming yet), their names, and the file's."""

    air: HourlyAir
    labels: tuple[str, ...]
    words: str


def site_weather(
    file: WeatherFile, elevation_m: float, ledger: Ledger, at: str = "weather"
) -> SiteWeather:
    """Air of every hour at the pressure of the site. `at`: the path of assumptions and warnings.

    Raises InputError where two columns of humidity contradict each other.
    """
    import numpy as np

    pressure = _pressure(file, elevation_m, ledger, at)
    dry = np.array(file.dry_bulb_c)
    air = moist.hourly_air(dry, _humidity(file, dry, pressure), pressure)
    if file.filled:
        ledger.assume(
            f"{at}.filled", "; ".join(file.filled), "", "interpolated: missing in the file"
        )
        ledger.warn(
            "weather_filled",
            at,
            f"{file_name(file)}: missing values were interpolated, {'; '.join(file.filled)}",
        )
    station = f" ({file.station})" if file.station else ""
    words = f"{len(dry):,} hours of {file_name(file)}{station}"
    return SiteWeather(air, file.labels, words)


def file_name(file: WeatherFile) -> str:
    """The name of the file, without its folder."""
    return Path(file.file).name


def _array(values: tuple[float | None, ...]) -> Hours:
    import numpy as np

    return np.array([np.nan if x is None else x for x in values])


def _pressure(file: WeatherFile, elevation_m: float, ledger: Ledger, at: str) -> Hours:
    """Station pressure in kPa, carried to the site's elevation by the standard atmosphere."""
    import numpy as np

    standard = station_pressure_kpa(elevation_m)
    if file.pressure_kpa is None:
        source = f"no pressure in the file; standard atmosphere at {elevation_m:g} m"
        ledger.assume(f"{at}.pressure", standard, "kPa", source)
        return np.full(len(file.dry_bulb_c), standard)
    pressure = np.array(file.pressure_kpa)
    there = elevation_m if file.elevation_m is None else file.elevation_m
    expected = station_pressure_kpa(there)
    mean = float(pressure.mean())
    if abs(mean / expected - 1.0) > _PRESSURE_SHARE:
        sea = " (reduced to sea level?)" if abs(mean - 101.3) < 2.0 else ""
        ledger.warn(
            "weather_pressure",
            at,
            f"{file_name(file)}: a mean pressure of {mean:.1f} kPa{sea} does not go with the"
            f" {expected:.1f} kPa of {there:g} m; humidity and wet bulb follow it",
        )
    if abs(there - elevation_m) > _SAME_ELEVATION_M:
        source = f"file of {there:g} m, by the standard atmosphere to {elevation_m:g} m"
        ledger.assume(f"{at}.pressure", mean * standard / expected, "kPa", source)
        pressure = pressure * (standard / expected)
    return pressure


def _humidity(file: WeatherFile, dry: Hours, pressure: Hours) -> Hours:
    """Humidity ratio: by dew point, where it is missing by wet bulb or relative humidity."""
    import numpy as np

    ratio = np.full(dry.shape, np.nan)
    if file.dew_point_c is not None:
        ratio = moist.saturated_humidity_ratios(_array(file.dew_point_c), pressure)
    if file.wet_bulb_c is not None:
        wet = np.minimum(_array(file.wet_bulb_c), dry)
        ratio = np.where(np.isnan(ratio), moist.mixing_ratios(dry, wet, pressure), ratio)
    if file.relative_humidity_percent is not None:
        humid = _array(file.relative_humidity_percent) / 100.0
        by_humidity = moist.humidity_ratios_at(dry, humid, pressure)
        _check_humidity(file, dry, pressure, (ratio, humid))
        ratio = np.where(np.isnan(ratio), by_humidity, ratio)
    return ratio


def _check_humidity(
    file: WeatherFile, dry: Hours, pressure: Hours, columns: tuple[Hours, Hours]
) -> None:
    import numpy as np

    ratio, humid = columns
    both = ~np.isnan(ratio) & ~np.isnan(humid)
    if not both.any():
        return
    most = moist.saturated_humidity_ratios(dry, pressure)
    off = np.where(both, 100.0 * np.abs(ratio / most - humid), 0.0)
    mean = float(off[both].mean())
    if mean <= _HUMIDITY_POINTS:
        return
    first = int((off > _HUMIDITY_POINTS).argmax())
    raise InputError(
        Problem(
            f"the relative humidity of {100 * humid[first]:.0f} % is not that of the dry bulb and"
            f" dew point or wet bulb, {100 * ratio[first] / most[first]:.0f} %; {mean:.0f} points"
            " apart in the mean of the year",
            file.file,
            file.lines[first],
            "relative humidity",
            "are columns swapped, or in another unit?",
        )
    )


def weather_climate(
    file: WeatherFile, weather: SiteWeather, ledger: Ledger, at: str = "climate"
) -> Climate:
    """The climate to design for where the user names none: what the file, or its place, gives."""
    if file.design is not None:
        climate = _header_climate(file, file.design, ledger, at)
    else:
        climate = _station_climate(file, weather, ledger, at)
    return with_means(climate, weather)


def with_means(climate: Climate, weather: SiteWeather) -> Climate:
    """The same design values with the annual means of the hours."""
    air = weather.air
    dew = moist.dew_points_c(air.humidity_ratio_kg_per_kg, air.pressure_kpa)
    return dataclasses.replace(
        climate,
        annual_mean_db_c=float(air.dry_bulb_c.mean()),
        annual_mean_wb_c=float(air.wet_bulb_c.mean()),
        annual_mean_dp_c=float(dew.mean()),
        verified_means=True,
    )


def warn_hotter(climate: Climate, weather: SiteWeather, ledger: Ledger, at: str) -> None:
    """Say where an hour of the file is beyond the design values."""
    air = weather.air
    dry, wet = float(air.dry_bulb_c.max()), float(air.wet_bulb_c.max())
    beyond = []
    if dry > climate.db_n20_c:
        beyond.append(f"dry bulb {dry:.1f} °C above the 20-year {climate.db_n20_c:.1f} °C")
    if wet > climate.wb_0p4_c + 3.0:
        beyond.append(f"wet bulb {wet:.1f} °C, 0.4 % design value {climate.wb_0p4_c:.1f} °C")
    if beyond:
        ledger.warn(
            "weather_beyond_design",
            at,
            f"the file has hours beyond the design values of {climate.id}: {'; '.join(beyond)}."
            " Peaks count them; a type of heat rejection is chosen by the design values",
        )


def _row(file: WeatherFile, name: str, source: str, verified: str) -> dict[str, object]:
    return {
        "id": "weather-file",
        "name": name,
        "source": source,
        "verified": verified,
        "latitude": file.latitude_deg or 0.0,
        "longitude": file.longitude_deg or 0.0,
        "elevation_m": file.elevation_m or 0.0,
    }


def _header_climate(file: WeatherFile, design: Design, ledger: Ledger, at: str) -> Climate:
    source = f"design conditions in the header of {file_name(file)}: {design.edition}"
    name = file.station or file_name(file)
    ledger.assume(f"{at}.design_values", name, "", source, verified="secondary")
    values = design._asdict()
    values.pop("edition")
    return Climate(**_row(file, name, source, "secondary"), **values)  # type: ignore[arg-type]


def _station_climate(file: WeatherFile, weather: SiteWeather, ledger: Ledger, at: str) -> Climate:
    if file.latitude_deg is None or file.longitude_deg is None:
        return _own_climate(file, weather, ledger, at)
    station, distance_km = nearest_station(file.latitude_deg, file.longitude_deg)
    if distance_km > NEAR_STATION_KM:
        ledger.warn(
            "climate_far",
            at,
            f"nearest design station {station.name} is {distance_km:.0f} km from the file's place;"
            " design values are those of the file's own hours: name a climate for better ones",
        )
        return _own_climate(file, weather, ledger, at)
    ledger.assume(
        f"{at}.design_values",
        station.id,
        "",
        f"nearest station of the catalogue, {distance_km:.0f} km from the file's; {station.source}",
        verified=station.verified,
    )
    elevation = station.elevation_m if file.elevation_m is None else file.elevation_m
    return dataclasses.replace(station, elevation_m=elevation)


def _own_climate(file: WeatherFile, weather: SiteWeather, ledger: Ledger, at: str) -> Climate:
    """Percentiles of the hours; the 20-year dry bulb by the offset of 54 stations."""
    import numpy as np

    air = weather.air
    dry = float(np.percentile(air.dry_bulb_c, 99.6))
    wet = float(np.percentile(air.wet_bulb_c, 99.6))
    near = np.abs(air.dry_bulb_c - dry) <= _COINCIDENT_K
    coincident = float(air.wet_bulb_c[near].mean()) if near.any() else wet - 2.0
    highest = max(dry + 6.0, float(air.dry_bulb_c.max()))
    source = f"percentiles of the hours of {file_name(file)}, one year; no design station"
    for name, value in (
        ("db_0p4", dry),
        ("wb_0p4", wet),
        ("db_n20", highest),
    ):
        words = (
            "0.4 % dry bulb + 6 K (54 stations), or the file's highest"
            if name == "db_n20"
            else source
        )
        ledger.assume(f"{at}.{name}", value, "degC", words)
    name = file.station or file_name(file)
    return Climate(
        **_row(file, name, source, "false"),  # type: ignore[arg-type]
        db_0p4_c=dry,
        mcwb_0p4_c=min(coincident, wet),
        wb_0p4_c=wet,
        db_n20_c=highest,
        heating_99p6_c=float(np.percentile(air.dry_bulb_c, 0.4)),
    )
