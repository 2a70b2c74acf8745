"""When supply comes, without the calendar around it: what the gates of a long list ask.

The same steps, draws and order statistics as the calendar of a comparison, so gates of a row and
of the whole comparison agree; only the dates that a gate asks for are drawn.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.planning.calendar_draws import Drawn
from clusterplan.planning.site_calendar import block_edges_of, standing_mw
from clusterplan.sizing import ready_dates
from clusterplan.sizing.draws import triangle

if TYPE_CHECKING:
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.site_supply import SupplyDate
    from clusterplan.sizing.draws import Floats

_TINY = 1e-9


class Planned(NamedTuple):
    """Size of what the supply is for; deliveries_mw: facility MW of the racks delivered."""

    it_mw: float
    pue_peak: float
    deliveries_mw: tuple[float, ...] = ()


class RowSupply:
    """Months of the supply of one planned site.

    streams: uniforms by key, kept from row to row with the same seed and number of draws.
    """

    def __init__(
        self,
        steps: tuple[SupplyDate, ...],
        planned: Planned,
        inputs: SiteInputs,
        settings: Settings,
        streams: dict[str, Floats],
    ) -> None:
        self.steps = steps
        self._planned = planned
        self._inputs = inputs
        self._settings = settings
        self._streams = streams

    def supply_month(self, facility_mw: float, share: float, confidence: float = 0.0) -> float:
        """Month by which steps at least so sure supply a power, in a share of the draws."""
        it_mw, pue = self._planned.it_mw, self._planned.pue_peak
        if it_mw < facility_mw / pue * (1.0 - _TINY):
            return math.inf
        # the block ends at this power, or with the plan where both are the same but for rounding
        return self._month(min(facility_mw, it_mw * pue), share, confidence)

    def first_supply_month(self, share: float) -> float:
        """Month of the first block's supply in a share of the draws; infinity is never."""
        it_mw, pue, there = self._planned
        counted = tuple(step for step in self.steps if step.confidence > 0.0)
        standing = standing_mw(self._inputs)
        edges = block_edges_of(counted, (it_mw, pue), standing, self._settings, there)
        return self._month(edges[0] * pue, share, 0.0)

    def _month(self, need_mw: float, share: float, confidence: float) -> float:
        sure = max(confidence - _TINY, 0.0)
        steps = [s for s in self.steps if s.confidence > 0.0 and s.confidence >= sure]
        if any(step.onsite for step in steps):
            return self._with_plants(steps, need_mw, share)
        # stages are cumulative and the largest in service counts: any one that is large enough
        enough = need_mw - _TINY * max(1.0, need_mw)
        able = [step for step in steps if step.part.grid_mw >= enough and step.is_dated]
        if not able:
            return math.inf
        if len(able) == 1 and able[0].months is not None:
            return self._of_one(able[0].months, share)
        drawn = self._drawn()
        months = drawn.supply(able[0])
        for step in able[1:]:
            months = _earlier(months, drawn.supply(step))
        return ready_dates.quantile(months, share)

    def _of_one(self, months: tuple[float, float, float], share: float) -> float:
        """The order statistic of one date: that of its uniforms, since a date rises with them."""
        import numpy as np

        count = self._settings.integer("calendar_draws")
        place = max(1, math.ceil(share * count - _TINY))
        u = np.array([(place - 1 + 0.5) / count])
        return max(0.0, float(triangle(u, *months)[0]))

    def _with_plants(self, steps: list[SupplyDate], need_mw: float, share: float) -> float:
        """Grid and plants add up, with the largest unit out: every moment is looked at."""
        import numpy as np

        drawn = self._drawn()
        dates = np.stack([drawn.supply(step) for step in steps])
        levels = ready_dates.levels_in_service([step.part for step in steps], dates)
        return ready_dates.quantile(ready_dates.supply_dates(levels, [need_mw])[0], share)

    def _drawn(self) -> Drawn:
        settings = self._settings
        seed, count = settings.integer("seed"), settings.integer("calendar_draws")
        return Drawn(seed, count, streams=self._streams)


def _earlier(one: Floats, other: Floats) -> Floats:
    import numpy as np

    found: Floats = np.minimum(one, other)
    return found
