"""Floor, buildings and land."""

from __future__ import annotations

from dataclasses import dataclass

from clusterplan.core.figures import figure


@dataclass(frozen=True, kw_only=True)
class FloorSection:
    """Rack positions, rows, space, yards, acres, structure."""

    rows: int = figure("Rows")
    white_space_m2: float = figure("White space")
    grey_space_m2: float = figure("Grey space")
    gross_m2: float = figure("Gross floor area")
    acres_needed_acres: float = figure("Land needed")
