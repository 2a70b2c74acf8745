"""When power is on: the dates of supply and of what must stand, block by block.

Dates are months from the start, one for each draw; infinity is never. A block is a part of the
plan, named by the IT power up to and including it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SITING_5 = "clusterplan method, siting section 5"
DAYS_PER_MONTH = 30.4375
_TINY = 1e-9


class SupplyPart(NamedTuple):
    """A grid stage (cumulative MW) or an on-site plant (its own MW).

    stated_mw: firm power as stated; gross_mw, largest_mw: a plant without it, and its largest unit.
    """

    grid_mw: float = 0.0
    stated_mw: float = 0.0
    gross_mw: float = 0.0
    largest_mw: float = 0.0


class Levels(NamedTuple):
    """MW in service at each moment (rows) of each draw: grid and on-site apart."""

    moments: Floats
    grid_mw: Floats
    onsite_mw: Floats


def levels_in_service(parts: Sequence[SupplyPart], dates: Floats) -> Levels:
    """Grid and firm on-site MW at the date of each part; dates in months, shape (parts, draws).

    The grid counts with its largest stage in service, plants with their largest unit out.
    Source: clusterplan method, siting section 5 and counting rule 7.
    """
    import numpy as np

    grid = np.zeros_like(dates)
    onsite = np.zeros_like(dates)
    for place in range(len(parts)):
        served = (dates <= dates[place]) & np.isfinite(dates[place])
        best, stated, gross, largest = (np.zeros(dates.shape[1]) for _ in range(4))
        for row, part in zip(served, parts, strict=True):
            best = np.maximum(best, part.grid_mw * row)
            stated += part.stated_mw * row
            gross += part.gross_mw * row
            largest = np.maximum(largest, part.largest_mw * row)
        grid[place] = best
        onsite[place] = stated + np.maximum(0.0, gross - largest)
    return Levels(dates, grid, onsite)


def supply_dates(levels: Levels, needs_mw: Sequence[float]) -> Floats:
    """First month at which grid and on-site supply together reach each need (MW).

    Shape (needs, draws). Source: clusterplan method, siting section 5.
    """
    return _first(levels.moments, levels.grid_mw + levels.onsite_mw, needs_mw)


def connected_dates(
    levels: Levels, needs_mw: Sequence[float], yard: Floats, standing_mw: float, *, at_hv: bool
) -> Floats:
    """As `supply_dates`, behind a substation that is ready at month `yard` (of each draw).

    Before that it carries `standing_mw` (MW). Generation that joins at MV does not pass it; at HV
    (`at_hv`) all passes. Source: clusterplan method, siting section 5.
    """
    import numpy as np

    grid, onsite = levels.grid_mw, levels.onsite_mw
    if at_hv:
        early = np.minimum(grid + onsite, standing_mw)
    else:
        early = np.minimum(grid, standing_mw) + onsite
    after = np.maximum(supply_dates(levels, needs_mw), yard)
    return np.minimum(_first(levels.moments, early, needs_mw), after)


def _first(moments: Floats, in_service_mw: Floats, needs_mw: Sequence[float]) -> Floats:
    """The first moment at which enough is in service, infinity where it never is."""
    import numpy as np

    needs = np.asarray(needs_mw, dtype=float)[:, None, None]
    reached = in_service_mw[None] >= needs - _TINY * np.maximum(1.0, needs)
    candidates = np.where(reached, moments[None], math.inf)
    found: Floats = candidates.min(axis=1, initial=math.inf)
    return found


def block_edges(
    plan_it_mw: float, levels_mw: Sequence[float], pue_peak: float, block_mw: float
) -> tuple[float, ...]:
    """IT MW up to which each block goes: every `block_mw`, at each supply level, at the plan's end.

    levels_mw are facility MW; IT is facility over the peak PUE. Source: siting section 5.
    """
    count = math.ceil(plan_it_mw / block_mw - _TINY)
    edges = {min(place * block_mw, plan_it_mw) for place in range(1, count + 1)}
    edges |= {mw / pue_peak for mw in levels_mw if 0.0 < mw / pue_peak < plan_it_mw}
    found: list[float] = []
    for edge in sorted(edges):
        if not found or edge - found[-1] > _TINY * plan_it_mw:
            found.append(edge)
    return tuple(found)


@formula(
    title="Date that a share of the draws does not exceed",
    equation="the ceil(share x n)-th of the sorted dates; never sorts last",
    unit="months",
    source=SITING_5 + " (order statistic)",
    plain=False,
)
def order_statistic(sorted_values: Sequence[float], share: float) -> float:
    """The ceil(share n)-th smallest value; infinity is never."""
    return sorted_values[max(1, math.ceil(share * len(sorted_values) - _TINY)) - 1]


def quantile(values: Floats, share: float) -> float:
    """`order_statistic` of unsorted draws, in their unit. Source: siting section 5."""
    import numpy as np

    return float(order_statistic(np.sort(values).tolist(), share))


@formula(
    title="GW-years by the horizon",
    equation="sum over blocks of block IT MW x max(0, horizon - month) / 12,000",
    unit="GW-years",
    source=SITING_5,
    plain=False,
)
def gw_years(blocks_mw: Sequence[float], months: Sequence[float], horizon_months: float) -> float:
    """IT GW-years of blocks (MW of each) that are on from `months` to the horizon."""
    return math.fsum(
        mw * max(0.0, horizon_months - month) / 12000.0
        for mw, month in zip(blocks_mw, months, strict=True)
    )


def gw_years_of_draws(blocks_mw: Sequence[float], dates: Floats, horizon_months: float) -> Floats:
    """`gw_years` of each draw; dates in months, shape (blocks, draws). Source: siting section 5."""
    import numpy as np

    sizes = np.asarray(blocks_mw, dtype=float)[:, None]
    found: Floats = (sizes * np.maximum(0.0, horizon_months - dates) / 12000.0).sum(axis=0)
    return found


def gw_years_reached(
    blocks_mw: Sequence[float], dates: Floats, horizon_months: float, share: float
) -> float:
    """GW-years that a share of the draws reaches: those of the draw that stands at it.

    dates in months, shape (blocks, draws). Source: siting section 5.
    """
    import numpy as np

    years = gw_years_of_draws(blocks_mw, dates, horizon_months)
    place = max(1, math.ceil(share * len(years) - _TINY)) - 1
    draw = np.argsort(-years, kind="stable")[place]
    return gw_years(tuple(blocks_mw), tuple(dates[:, draw].tolist()), horizon_months)


def energised_mw(blocks_mw: Sequence[float], dates: Floats, month: float) -> Floats:
    """MW of the blocks that are on at `month`, each draw. Source: siting section 5."""
    import numpy as np

    sizes = np.asarray(blocks_mw, dtype=float)[:, None]
    found: Floats = (sizes * (dates <= month)).sum(axis=0)
    return found


@formula(
    title="Value expected over the steps that may not come",
    equation="sum of (confidence - next lower confidence) x value with the steps at least as sure",
    unit="",
    source=SITING_5,
    plain=False,
)
def expected_value(confidences: tuple[float, ...], values: tuple[float, ...]) -> float:
    """Expected value from falling confidences c1 > c2 > ... and the value at each.

    With probability c1 - c2 only the surest steps come, and so on; with 1 - c1 none (value 0). So
    an early doubtful stage never hides a later sure one.
    """
    if not confidences:
        return 0.0
    lower = (*confidences[1:], 0.0)
    return math.fsum(
        (high - low) * value for high, low, value in zip(confidences, lower, values, strict=True)
    )


@formula(
    title="Capped IT power of a phase",
    equation="min(phase_it_mw, supply_mw / pue_peak)",
    unit="MW",
    source=SITING_5,
)
def capped_it_mw(phase_it_mw: float, supply_mw: float, pue_peak: float) -> float:
    """IT MW of a phase that a supply (facility MW) carries, before rounding to whole racks."""
    return min(phase_it_mw, supply_mw / pue_peak)


@formula(
    title="Shortfall of a phase",
    equation="max(0.0, phase_it_mw * pue_peak - supply_mw)",
    unit="MW",
    source=SITING_5,
)
def shortfall_mw(phase_it_mw: float, supply_mw: float, pue_peak: float) -> float:
    """Facility MW that a phase lacks."""
    return max(0.0, phase_it_mw * pue_peak - supply_mw)
