"""Dates and GW-years of a site as its calendar has them, for its row of a comparison."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan.sizing import ready_dates

if TYPE_CHECKING:
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.ranked_site import RankedSite


def dates_of(site: RankedSite, settings: Settings) -> dict[str, str | float | None]:
    """What the calendar says of a site."""
    found = None if site.prospects is None else site.prospects.counted
    if found is None or site.plan is None:
        return {}
    first, horizon = settings.number("first_phase"), settings.number("horizon")
    when = found.date_of(first)
    critical = found.critical(first)
    target = found.date_of(settings.number("target"))

    def day(month: float) -> str | None:
        return None if math.isinf(month) else settings.day_at(month).isoformat()

    p50, p90 = (ready_dates.quantile(when, share) for share in (0.5, 0.9))
    target_p50, target_p90 = (ready_dates.quantile(target, share) for share in (0.5, 0.9))
    return {
        "first_phase_p50": day(p50),
        "first_phase_p90": day(p90),
        "first_phase_months_p50": None if math.isinf(p50) else p50,
        "first_phase_months_p90": None if math.isinf(p90) else p90,
        "gw_years_p50": ready_dates.gw_years_reached(found.blocks_mw, found.on, horizon, 0.5),
        "gw_years_p90": ready_dates.gw_years_reached(found.blocks_mw, found.on, horizon, 0.9),
        "target_p50": day(target_p50),
        "target_p90": day(target_p90),
        "target_months_p50": None if math.isinf(target_p50) else target_p50,
        "target_months_p90": None if math.isinf(target_p90) else target_p90,
        "critical": None if critical is None else f"{critical[0]} ({100 * critical[1]:.0f} %)",
        "firm_share_percent": _firm_share(site),
    }


def _firm_share(site: RankedSite) -> float | None:
    """Firm power over firm and non-firm at the last step."""
    if site.prospects is None:
        return None
    grid = max((step.part.grid_mw for step in site.prospects.steps), default=0.0)
    nonfirm = max((step.nonfirm_mw for step in site.prospects.steps), default=0.0)
    plants = sum(step.part.stated_mw + step.part.gross_mw for step in site.prospects.steps)
    whole = grid + plants + nonfirm
    return 100.0 * (grid + plants) / whole if whole > 0.0 else None
