"""Typed rows of the catalogue that serve the comparison of sites."""

from __future__ import annotations

from clusterplan.core.equipment import CatalogRow
from clusterplan.core.frozen import frozen


@frozen
class Criterion(CatalogRow):
    """One criterion with its weight in each preset; the weights of a preset add up to 1."""

    training: float
    sustainability: float
    sovereign: float


@frozen
class CriterionDatum(CatalogRow):
    """One datum of a criterion: its share, fixed anchors, and whether a regional row may tell it.

    regional: "always" where only a row of a country or state can tell, "screen" where the site file
    should and the row fills in on request only, "" where no row can.
    """

    criterion: str
    share: float
    unit: str = ""
    worst: float
    best: float | None = None
    log: bool = False
    regional: str = ""


@frozen
class LeadTime(CatalogRow):
    """A lead time or duration, low (about P10), typical (mode) and high (about P90) in `unit`."""

    unit: str
    low: float
    typical: float
    high: float
    year: int

    @property
    def months(self) -> tuple[float, float, float]:
        """Low, typical and high in months of 30.4375 days."""
        factor = 7.0 / 30.4375 if self.unit == "weeks" else 1.0
        return self.low * factor, self.typical * factor, self.high * factor
