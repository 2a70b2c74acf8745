"""Lead times and dates of supply as draws, each drawn once by the key of its stream."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan import catalog
from clusterplan.planning.site_orders import GENERATION
from clusterplan.sizing.draws import WORSE_FOOT, feet, triangle, uniforms

if TYPE_CHECKING:
    from clusterplan.planning.site_supply import SupplyDate
    from clusterplan.sizing.draws import Floats


class Drawn:
    """Lead times and own dates drawn for one purpose: each is drawn once and kept.

    `prefix` goes before the keys of what is the site's own; rows of the catalogue are shared.
    `count` None gives the typical values alone. `streams` keeps the uniforms by key for others
    with the same seed and count.
    """

    def __init__(
        self,
        seed: int,
        count: int | None,
        prefix: str = "",
        streams: dict[str, Floats] | None = None,
    ) -> None:
        self.seed = seed
        self.count = count
        self.prefix = prefix
        self._streams = {} if streams is None else streams
        self._rows = catalog.lead_times()
        self._kept: dict[str, Floats] = {}

    @property
    def size(self) -> int:
        """Number of draws."""
        return 1 if self.count is None else self.count

    def months(
        self, key: str, months: tuple[float, float, float], *, own: bool, past: bool = False
    ) -> Floats:
        """Months of a date or duration, never below 0 but where the `past` counts."""
        import numpy as np

        first = -math.inf if past else 0.0
        if self.count is None:
            return np.full(1, max(first, months[1]))
        name = f"{self.prefix}{key}" if own else key
        if name not in self._kept:
            if name not in self._streams:
                self._streams[name] = uniforms(self.seed, name, self.count)
            self._kept[name] = np.maximum(first, triangle(self._streams[name], *months))
        return self._kept[name]

    def lead(self, name: str) -> Floats:
        """Months of a lead time of the catalogue."""
        row = self._rows[name]
        foot = WORSE_FOOT[row.verified]
        return self.months(f"lead_times/{name}", feet(*row.months, high_foot=foot), own=False)

    def supply(self, step: SupplyDate) -> Floats:
        """Months to one step of supply."""
        import numpy as np

        if step.months is not None:
            key = "grid_connection" if step.screened else step.key
            return self.months(key, step.months, own=not step.screened)
        if not step.leads:
            return np.full(self.size, math.inf)
        waits = [self.lead(name) for name in step.leads]
        if step.ordered is not None:  # the machine is ordered, permits run from the start
            key = f"design.{GENERATION}"
            waits[0] = waits[0] + self.months(key, step.ordered, own=True, past=True)
        found: Floats = np.maximum.reduce(waits) + self.lead("commissioning_per_100mw")
        return np.maximum(0.0, found)
