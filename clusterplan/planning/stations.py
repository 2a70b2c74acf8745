"""The design station of the catalogue that is nearest to a place."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from clusterplan import catalog

if TYPE_CHECKING:
    from clusterplan.core.equipment import Climate

_EARTH_KM = 6371.0


def great_circle_km(here_deg: tuple[float, float], there_deg: tuple[float, float]) -> float:
    """Distance of two places (latitude, longitude)."""
    here, there = (tuple(math.radians(x) for x in place) for place in (here_deg, there_deg))
    half = (
        math.sin((there[0] - here[0]) / 2) ** 2
        + math.cos(there[0]) * math.cos(here[0]) * math.sin((there[1] - here[1]) / 2) ** 2
    )
    return 2 * _EARTH_KM * math.asin(math.sqrt(half))


def nearest_station(latitude_deg: float, longitude_deg: float) -> tuple[Climate, float]:
    """The nearest design station and its great-circle distance in km."""
    x, y, z = _direction(latitude_deg, longitude_deg)
    # the nearest on the sphere is the one whose direction is closest
    station = max(_directions(), key=lambda row: x * row[0] + y * row[1] + z * row[2])[3]
    here, there = (latitude_deg, longitude_deg), (station.latitude, station.longitude)
    return station, great_circle_km(here, there)


def _direction(latitude_deg: float, longitude_deg: float) -> tuple[float, float, float]:
    latitude, longitude = math.radians(latitude_deg), math.radians(longitude_deg)
    level = math.cos(latitude)
    return level * math.cos(longitude), level * math.sin(longitude), math.sin(latitude)


@cache
def _directions() -> tuple[tuple[float, float, float, Climate], ...]:
    """Unit vectors of all stations, in file order."""
    return tuple((*_direction(row.latitude, row.longitude), row) for row in catalog.climates())
