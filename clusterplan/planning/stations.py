"""The design station of the catalogue that is nearest to a place."""

from __future__ import annotations

import math
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

    def distance(row: Climate) -> float:
        return great_circle_km((latitude_deg, longitude_deg), (row.latitude, row.longitude))

    station = min(catalog.climates(), key=distance)
    return station, distance(station)
