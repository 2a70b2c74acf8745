"""Sized and ranked sites: rows, gates, values, calendar, and how sure the order is."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class SiteRow:
    """One sized site. Scores run from 0 to 1; dates of the calendar are null where never."""

    rank: int | None = None
    id: str
    name: str
    score: float | None = figure("Score", formula="weighted_score.score", digits=3, default=None)
    coverage: float | None = figure(
        "Coverage", formula="weighted_score.coverage", digits=2, default=None
    )
    first_rank_share: float | None = figure(
        "First-rank share", formula="given", digits=3, default=None
    )
    gates: str | None = None
    best_case_score: float | None = figure(
        "Best case", formula="weighted_score.best_case", digits=3, detail=True, default=None
    )
    known_only_score: float | None = figure(
        "Known only", formula="weighted_score.known_only", digits=3, detail=True, default=None
    )
    verified_only_score: float | None = figure(
        "Verified only", formula="weighted_score.score", digits=3, detail=True, default=None
    )
    share_without_gates: float | None = figure(
        "First, gates apart", formula="given", digits=3, detail=True, default=None
    )
    share_at_ignorance: float | None = figure(
        "First, any weights", formula="given", digits=3, detail=True, default=None
    )
    topsis: float | None = figure(
        "TOPSIS", formula="topsis_closeness", digits=3, detail=True, default=None
    )
    promethee: float | None = figure(
        "PROMETHEE", formula="promethee_net_flow", digits=3, detail=True, default=None
    )
    first_phase_p50: str | None = figure("First phase, P50", optional=True, default=None)
    first_phase_p90: str | None = figure("First phase, P90", optional=True, default=None)
    first_phase_months_p50: float | None = figure(
        "Months to first phase, P50",
        formula="order_statistic",
        digits=1,
        detail=True,
        optional=True,
        default=None,
    )
    first_phase_months_p90: float | None = figure(
        "Months to first phase, P90",
        formula="order_statistic",
        digits=1,
        detail=True,
        optional=True,
        default=None,
    )
    gw_years_p50: float | None = figure("GW-years, P50", formula="gw_years", digits=2, default=None)
    gw_years_p90: float | None = figure(
        "GW-years, P90", formula="gw_years", digits=2, detail=True, default=None
    )
    target_p50: str | None = figure("Target, P50", detail=True, optional=True, default=None)
    target_p90: str | None = figure("Target, P90", detail=True, optional=True, default=None)
    target_months_p50: float | None = figure(
        "Target, P50",
        formula="order_statistic",
        digits=1,
        detail=True,
        optional=True,
        default=None,
    )
    target_months_p90: float | None = figure(
        "Target, P90",
        formula="order_statistic",
        digits=1,
        detail=True,
        optional=True,
        default=None,
    )
    firm_share_percent: float | None = figure(
        "Firm share", formula="given", digits=0, detail=True, default=None
    )
    critical: str | None = figure("Critical", optional=True, default=None)
    rack: str
    accelerators: int = figure("Accelerators", formula="given")
    h100_equivalents: float | None = figure("H100 eq.", formula="given", digits=0, detail=True)
    racks: int = figure("Racks", formula="given")
    it_power_mw: float | None = figure("IT", formula="given")
    it_typical_mw: float | None = figure("IT, typical", formula="given", detail=True, default=None)
    facility_power_mw: float = figure("Facility", formula="given")
    pue_peak: float | None = figure("PUE, peak", formula="given", digits=3)
    pue_annual: float | None = figure("PUE, annual", formula="given", digits=3, detail=True)
    water_m3_per_year: float | None = figure("Water", formula="given", digits=0)
    heat_rejection: str | None
    hv_kv: float | None = figure("HV", formula="given", detail=True)
    transformers: str | None = figure("Transformers", detail=True)
    acres_needed_acres: float | None = figure("Land", formula="given", digits=0)
    capex_musd: float | None = figure(
        "Capital", formula="given", digits=0, detail=True, default=None
    )
    capex_usd_per_it_kw: float | None = figure(
        "Capital", basis="per IT kW", formula="given", digits=0, detail=True, default=None
    )
    compute_usd_per_h100e_hour: float | None = figure(
        "Levelised", formula="given", digits=3, detail=True, default=None
    )
    limited_by: str
    first_power: str | None = figure("First power, as filed", detail=True)
    last_stage: str | None = figure("Last stage, as filed", detail=True)
    latitude: float | None = figure("Latitude", formula="given", detail=True, default=None)
    longitude: float | None = figure("Longitude", formula="given", detail=True, default=None)
    warnings: int = figure("Warnings", formula="given", detail=True)
    unverified_assumptions: int = figure("Unverified", formula="given", detail=True)
    water_peak_l_per_s: float | None = figure(
        "Water, peak", formula="given", detail=True, default=None
    )
    shortlist_rank: int | None = figure(
        "Rank in the shortlist", formula="given", detail=True, optional=True, default=None
    )
    shortlist_score: float | None = figure(
        "Score in the shortlist",
        formula="weighted_score.score",
        digits=3,
        detail=True,
        optional=True,
        default=None,
    )


@frozen
class ComparisonSection:
    """What the sites are compared by, and how the draws were made."""

    preset: str
    start: str
    horizon: str
    screen: bool
    first_phase_mw: float = figure("First phase", formula="given")
    target_mw: float = figure("Target", formula="given")
    horizon_months: float = figure("Months to the horizon", formula="given", detail=True)
    site_count: int = figure("Sites", formula="given")
    clear_count: int = figure("Clear of all gates", formula="given")
    draws: int = figure("Draws of weights", formula="given")
    samples: int = figure("Samples of each site", formula="given")
    sized_samples: int = figure("Plans sized for them", formula="given")
    seed: int = figure("Seed", formula="given")
    drawn_sites: str
    swap: str
    break_even: str


@frozen
class GateRow:
    """One gate of one site: pass, fail or unknown; what decided it and what would close it."""

    site: str = figure("Site", detail=True)
    gate: str = figure("Gate", detail=True)
    verdict: str = figure("Verdict", detail=True)
    datum: str = figure("Datum", detail=True)
    threshold: str = figure("Threshold", detail=True)
    closes: str = figure("What closes it", detail=True)
    verified: str = figure("Verified", detail=True)


@frozen
class CriterionRow:
    """One criterion of one site; points are whole and add up to 100 times the score."""

    site: str = figure("Site", detail=True)
    criterion: str = figure("Criterion", detail=True)
    weight: float = figure("Weight", formula="given", digits=3, detail=True)
    scaled: float | None = figure("Value, 0 to 1", formula="given", digits=3, detail=True)
    known_share: float = figure("Known", formula="given", digits=2, detail=True)
    points: int = figure("Points", formula="given", detail=True)
    shown: str = figure("Shown", detail=True)
    verified: str = figure("Verified", detail=True)
    screened: bool = figure("Regional", detail=True)


@frozen
class DatumRow:
    """One datum of one site with its unit, anchors, value, source and flag.

    id: site and datum, as `--explain data.SITE.DATUM` takes them.
    """

    id: str = figure("ID", detail=True)
    site: str = figure("Site", detail=True)
    criterion: str = figure("Criterion", detail=True)
    datum: str = figure("Datum", detail=True)
    share: float = figure("Share", formula="given", digits=2, detail=True)
    value: float | None = figure("Figure", formula="given", detail=True)
    measured_in: str = figure("Unit", detail=True)
    shown: str = figure("Shown", detail=True)
    worst: float = figure("Worst", formula="given", detail=True)
    best: float = figure("Best", formula="given", detail=True)
    rule: str = figure("Rule", detail=True)
    scaled: float | None = figure("Value, 0 to 1", formula="given", digits=3, detail=True)
    source: str = figure("Source", detail=True)
    verified: str = figure("Verified", detail=True)
    note: str = figure("Note", detail=True)


@frozen
class StepRow:
    """One step of supply: its filed date, and when so much of the plan as it serves is energised.

    plan_mw: facility power of the plan that stands with it, less than the supply where the plan is
    smaller; its dates are those of racks that run, not of the service.
    """

    site: str
    step: str
    status: str
    confidence: float = figure("Confidence", formula="given", digits=2)
    supply_mw: float | None = figure("Supply", formula="given", digits=0)
    filed: str | None = figure("Service, as filed", optional=True)
    plan_mw: float | None = figure("Plan", formula="given", digits=0, optional=True, default=None)
    energised_p50: str | None = figure("Plan on, P50", optional=True)
    energised_p90: str | None = figure("Plan on, P90", optional=True)
    critical: str


@frozen
class CalendarRow:
    """One month of one site. P50 and P90 of power: reached in half and in 90 % of the draws."""

    site: str = figure("Site", detail=True)
    month: int = figure("Month", formula="given", detail=True)
    day: str = figure("Day", detail=True)
    supply_firm_mw: float = figure("Firm supply", formula="given", detail=True)
    supply_nonfirm_mw: float = figure("Non-firm supply", formula="given", detail=True)
    announced_mw: float = figure("Announced supply", formula="given", detail=True)
    energised_mw: float = figure("Energised, P50", formula="given", detail=True)
    energised_p90_mw: float = figure("Energised, P90", formula="given", detail=True)
    accelerators: int = figure("Accelerators on, P50", formula="given", detail=True)
    stranded_p50: int = figure("Stranded, P50", formula="given", detail=True)
    stranded_p90: int = figure("Stranded, P90", formula="given", detail=True)
    demand_mw: float | None = figure("Demand of the phases", formula="given", detail=True)
    shortfall_mw: float | None = figure("Shortfall, P50", formula="given", detail=True)


@frozen
class RankShareRow:
    """Share of the draws in which a site has a place."""

    site: str = figure("Site", detail=True)
    place: int = figure("Place", formula="given", detail=True)
    share: float = figure("Share", formula="given", digits=3, detail=True)
    share_without_gates: float = figure("Gates apart", formula="given", digits=3, detail=True)


@frozen
class PairRow:
    """Share of the draws in which a site is before another, gates apart; a tie counts half."""

    site: str = figure("Site", detail=True)
    other: str = figure("Before", detail=True)
    share: float = figure("Share", formula="given", digits=3, detail=True)


@frozen
class WinningWeightRow:
    """Mean weight of a criterion over the draws that a site wins, gates apart."""

    site: str = figure("Site", detail=True)
    criterion: str = figure("Criterion", detail=True)
    weight: float = figure("Weight", formula="given", digits=3, detail=True)


@frozen
class SetAside:
    """A row of a list that could not be sized, and why."""

    line: int = figure("Line", formula="given")
    id: str
    problem: str


@frozen
class ListSection:
    """A long list: what became of its rows, and what the shortlist is."""

    rows_read: int = figure("Rows read", formula="given")
    rows_set_aside: int = figure("Set aside", formula="given")
    sites_ranked: int = figure("Sites ranked", formula="given")
    sites_clear: int = figure("Clear of all gates", formula="given")
    sites_without_rack: int = figure("Without a rack that fits", formula="given")
    sites_compared: int = figure("Compared in full", formula="given")
    basis: str


@frozen
class GateCountRow:
    """One gate of a long list: how many of its sites pass, fail or leave it open."""

    gate: str
    passed: int = figure("Pass", formula="given")
    failed: int = figure("Fail", formula="given")
    unknown: int = figure("Unknown", formula="given")
