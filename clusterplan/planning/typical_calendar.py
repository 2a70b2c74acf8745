"""When power is on with every part at its typical time: what the score of a long list's row asks.

The blocks and the rules of `site_calendar.calendar` at its typical values, on plain numbers, since
a row has time for no draws.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.planning import site_building
from clusterplan.planning.calendar_draws import Drawn
from clusterplan.planning.site_calendar import block_edges_of, calendar
from clusterplan.planning.site_orders import NO_ORDERS
from clusterplan.sizing import ready_dates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.site_calendar import Works
    from clusterplan.planning.site_supply import SupplyDate

_TINY = 1e-9


class TypicalDates(NamedTuple):
    """Blocks of a plan: IT MW up to which each goes, and the month from which it is on."""

    edges_mw: tuple[float, ...]
    on: tuple[float, ...]

    def month_of(self, it_mw: float) -> float:
        """Month at which so much IT is on; infinity is never."""
        for edge, month in zip(self.edges_mw, self.on, strict=True):
            if edge >= it_mw * (1.0 - _TINY):
                return month
        return math.inf

    def gw_years(self, horizon_months: float) -> float:
        """IT GW-years by the horizon."""
        sizes = [b - a for a, b in zip((0.0, *self.edges_mw), self.edges_mw, strict=False)]
        return ready_dates.gw_years(sizes, self.on, horizon_months)


class _Parts(NamedTuple):
    """Months to the first of each part at typical times; racks: from order to delivery."""

    yard: float | None
    halls: float
    cooling: float
    racks: float


def typical_dates(works: Works, steps: Sequence[SupplyDate], settings: Settings) -> TypicalDates:
    """Dates of each block with these steps, all at typical times."""
    if works.orders != NO_ORDERS or any(step.onsite for step in steps):
        found = calendar(works, tuple(steps), Drawn(0, None), settings)
        return TypicalDates(found.edges_mw, tuple(found.on[:, 0].tolist()))
    parts = _parts(works, settings)
    # stages are cumulative: the largest in service counts
    stages = [(_month(step), step.part.grid_mw) for step in steps if step.part.grid_mw > 0.0]
    size = (works.it_mw, works.pue_peak)
    edges = block_edges_of(tuple(steps), size, works.standing_mw, settings)
    block_mw, before = settings.number("block_mw"), settings.number("order_before")
    on = []
    for edge in edges:
        need = edge * works.pue_peak
        least = need - _TINY * max(1.0, need)
        connected = min((month for month, mw in stages if mw >= least), default=math.inf)
        if parts.yard is not None and works.standing_mw < least:
            connected = max(connected, parts.yard)
        offset = max(0.0, math.ceil(edge / block_mw - _TINY) - 1.0)
        planned = max(connected, parts.halls + offset, parts.cooling + offset)
        on.append(max(planned, max(0.0, planned - before) + parts.racks))
    return TypicalDates(edges, tuple(on))


def _parts(works: Works, settings: Settings) -> _Parts:
    """Kept with the settings: few kinds of works are behind thousands of rows."""
    key = (
        *("typical parts", works.yard, works.zoning_factor, works.cooling_lead),
        *(works.has_cdus, works.has_ups, works.licence),
    )
    if key not in settings.kept:
        drawn = Drawn(0, None)
        yard = site_building.yard_months(works, drawn, settings)
        settings.kept[key] = _Parts(
            None if yard is None else float(yard[0]),
            float(site_building.halls_months(works, drawn, settings)[0]),
            float(site_building.cooling_months(works, drawn, settings)[0]),
            float(site_building.racks_months(works, drawn, settings)[0]),
        )
    found: _Parts = settings.kept[key]
    return found


def _month(step: SupplyDate) -> float:
    return math.inf if step.months is None else max(0.0, step.months[1])
