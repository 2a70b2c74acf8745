"""Sized sites side by side."""

from __future__ import annotations

from dataclasses import dataclass

from clusterplan.core.figures import figure


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SiteRow:
    """One sized site. Rank, score, coverage, shares and gates are null until sites are ranked."""

    id: str
    name: str
    rank: int | None = None
    score: float | None = None
    coverage: float | None = None
    first_rank_share: float | None = None
    gates: str | None = None
    rack: str
    accelerators: int = figure("Accelerators", formula="given")
    h100_equivalents: float | None = figure("H100 eq.", formula="given", digits=0)
    racks: int = figure("Racks", formula="given")
    it_power_mw: float | None = figure("IT", formula="given")
    facility_power_mw: float = figure("Facility", formula="given")
    pue_peak: float | None = figure("PUE, peak", formula="given", digits=3)
    pue_annual: float | None = figure("PUE, annual", formula="given", digits=3)
    water_m3_per_year: float | None = figure("Water", formula="given", digits=0)
    heat_rejection: str | None
    hv_kv: float | None = figure("HV", formula="given")
    transformers: str | None
    acres_needed_acres: float | None = figure("Land", formula="given", digits=0)
    limited_by: str
    first_power: str | None
    last_stage: str | None
    warnings: int
    unverified_assumptions: int


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SetAside:
    """A row of a list that could not be sized, and why."""

    line: int = figure("Line", formula="given")
    id: str
    problem: str
