"""A year from a handful of climate figures: dry bulb as a scaled beta, humidity by bin.

Where no hourly file is given. The beta has the station's annual mean and 0.4 % of hours above
db_0p4. Against 38 stations the hours above 25, 30 and 35 degC are off by -53, -1 and -3 in the
mean. A beta on the wet bulb itself is poor, so humidity follows the dry bulb.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.psychrometrics import (
    MoistAir,
    dew_point,
    mixing_ratio,
    saturated_humidity_ratio,
    wet_bulb,
)

HOURS_PER_YEAR = 8760.0
_METHOD = "clusterplan method, cooling, bins"
_EXCEEDANCE = 0.004
DRIEST_DEW_POINT_C = -90.0  # below the driest air on record; it holds no moisture to speak of


class BetaYear(NamedTuple):
    """Scaled beta of the dry bulb: bounds in degC and shape parameters."""

    low_c: float
    high_c: float
    a: float
    b: float


class Bin(NamedTuple):
    """Hours of the year spent in air of one state."""

    hours: float
    air: MoistAir


def beta_cdf(x: float, a: float, b: float) -> float:
    """Regularised incomplete beta function by Lentz's continued fraction (DLMF 8.17.22)."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _continued_fraction(x, a, b) / a
    return 1.0 - front * _continued_fraction(1.0 - x, b, a) / b


def _continued_fraction(x: float, a: float, b: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 300):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 + term * d
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = 1.0 + term / c
            c = c if abs(c) > tiny else tiny
            step = c * d
            value *= step
        if abs(step - 1.0) < 1e-13:
            break
    return value


@formula(
    title="Dry bulb of the year, scaled beta",
    equation="lo = H - 0.15 (D - H), hi = D + 0.10 (D - H), m = (M - lo) / (hi - lo), a = m s, b = "
    "(1 - m) s, s such that P(T > D) = 0.4 %",
    unit="",
    source=_METHOD,
    plain=False,
)
def beta_year(heating_99p6_c: float, mean_db_c: float, db_0p4_c: float) -> BetaYear:
    """Distribution of the station's dry bulb; needs heating < mean < db_0p4.

    The shape is found by bisection on log s, which falls with the exceedance.
    """
    return _fitted(heating_99p6_c, mean_db_c, db_0p4_c)


@lru_cache(maxsize=512)
def _fitted(heating_99p6_c: float, mean_db_c: float, db_0p4_c: float) -> BetaYear:
    spread = db_0p4_c - heating_99p6_c
    low, high = heating_99p6_c - 0.15 * spread, db_0p4_c + 0.10 * spread
    mean = (mean_db_c - low) / (high - low)
    mark = (db_0p4_c - low) / (high - low)

    def excess(log_s: float) -> float:
        s = math.exp(log_s)
        return 1.0 - beta_cdf(mark, mean * s, (1.0 - mean) * s) - _EXCEEDANCE

    bottom, top = math.log(0.5), math.log(400.0)
    for _ in range(36):
        middle = 0.5 * (bottom + top)
        if excess(middle) > 0.0:
            bottom = middle
        else:
            top = middle
    s = math.exp(0.5 * (bottom + top))
    return BetaYear(low, high, mean * s, (1.0 - mean) * s)


@lru_cache(maxsize=1024)
def bin_hours(
    year: BetaYear, mean_db_c: float, width_k: float, warm_width_k: float
) -> tuple[tuple[float, float], ...]:
    """Middle and hours of each bin: the same at every height, so kept for many sites."""
    span = year.high_c - year.low_c
    edges = _edges(year.low_c, mean_db_c, width_k)
    edges += _edges(mean_db_c, year.high_c, warm_width_k)
    below = 0.0
    bins = []
    for start, end in edges:
        above = beta_cdf((end - year.low_c) / span, year.a, year.b)
        hours, below = HOURS_PER_YEAR * (above - below), above
        bins.append((0.5 * (start + end), hours))
    return tuple(bins)


def hours_above(year: BetaYear, temp_c: float) -> float:
    """Hours of the year with a dry bulb above `temp_c`."""
    x = (temp_c - year.low_c) / (year.high_c - year.low_c)
    return HOURS_PER_YEAR * (1.0 - beta_cdf(x, year.a, year.b))


def bin_dew_point_c(
    dry_bulb_c: float, mean_db_c: float, mean_dp_c: float, db_0p4_c: float, design_dp_c: float
) -> float:
    """Dew point on the line through the annual means and (db_0p4, mcwb_0p4), at most dry bulb.

    Not below `DRIEST_DEW_POINT_C`: a steep line of own design conditions would leave the formulas.
    """
    slope = (design_dp_c - mean_dp_c) / (db_0p4_c - mean_db_c)
    dew = min(mean_dp_c + slope * (dry_bulb_c - mean_db_c), dry_bulb_c)
    return max(dew, DRIEST_DEW_POINT_C)


class BinClimate(NamedTuple):
    """What the bins need, in degC: station figures, warming in K, station pressure in kPa."""

    heating_99p6_c: float
    db_0p4_c: float
    mcwb_0p4_c: float
    mean_db_c: float
    mean_dp_c: float
    warming_k: float
    pressure_kpa: float


def design_dew_point_c(climate: BinClimate) -> float:
    """Dew point in degC of the air at (db_0p4, mcwb_0p4)."""
    pressure = climate.pressure_kpa
    return dew_point(mixing_ratio(climate.db_0p4_c, climate.mcwb_0p4_c, pressure), pressure)


def _edges(low_c: float, high_c: float, width_k: float) -> list[tuple[float, float]]:
    """Lower and upper edge of equal bins of at most `width_k`."""
    count = max(math.ceil((high_c - low_c) / width_k), 1)
    marks = [low_c + (high_c - low_c) * index / count for index in range(count + 1)]
    return list(zip(marks, marks[1:], strict=False))


def bins_of(
    climate: BinClimate,
    width_k: float = 1.0,
    warm_width_k: float | None = None,
    *,
    wet: bool = True,
) -> tuple[Bin, ...]:
    """The year as bins of `width_k`; warming shifts dry bulb and dew point alike, no plume.

    warm_width_k is the width above the annual mean: bins of 1 K would count the few hours in which
    pads are wet or chillers run only within some 30 %. Without `wet` the wet bulb, which takes most
    of the time, is not a number: a plant that asks for it all the same gives no figure.
    """
    year = beta_year(climate.heating_99p6_c, climate.mean_db_c, climate.db_0p4_c)
    pressure = climate.pressure_kpa
    design_dp = design_dew_point_c(climate)
    bins = []
    for middle, hours in bin_hours(year, climate.mean_db_c, width_k, warm_width_k or width_k):
        if hours < 1e-3:
            continue
        dew = bin_dew_point_c(
            middle, climate.mean_db_c, climate.mean_dp_c, climate.db_0p4_c, design_dp
        )
        dry = middle + climate.warming_k
        ratio = saturated_humidity_ratio(dew + climate.warming_k, pressure)
        wet_bulb_c = wet_bulb(dry, ratio, pressure) if wet else math.nan
        bins.append(Bin(hours, MoistAir(dry, wet_bulb_c, ratio)))
    return tuple(bins)
