"""Several sites, each sized by itself, then gated, dated, scored and ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.results.compare import ComparisonSection, SiteRow
from clusterplan.core.results.plan import Report
from clusterplan.planning.comparison_record import record_of
from clusterplan.planning.comparison_rows import (
    calendar_rows,
    criterion_rows,
    datum_rows,
    doubt_rows,
    gate_rows,
    step_rows,
)
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.ranked_site import assessed, ranked
from clusterplan.planning.site_dates import dates_of
from clusterplan.planning.site_doubt import break_even_words, doubt_of, swap_words
from clusterplan.planning.site_gates import verdict_words
from clusterplan.planning.site_orders import RACK_ORDER, SHELL_START, orders_at_start
from clusterplan.planning.site_verdict import verdict_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.ranked_site import RankedSite
    from clusterplan.planning.site_doubt import Doubt
    from clusterplan.planning.site_samples import Heard

SCHEMA = "clusterplan/compare/1"
FLAGGED_WARNING = 0.3


def compare_sites(
    sites: Sequence[SiteInputs], options: Options | None = None, heard: Heard | None = None
) -> Report:
    """Size, gate, date, score and rank sites; rows by rank, then id.

    A site where no rack fits has a row of zeros. heard: told after each plan that is sized for a
    sample of a site with ranges. Raises InputError for settings that cannot be.
    """
    options = options or Options()
    settings = Settings(options)
    found = [assessed(inputs, settings) for inputs in sites]
    return compare_assessed(found, settings, heard=heard, record=options.record)


def compare_assessed(
    sites: Sequence[RankedSite],
    settings: Settings,
    step: Callable[[], None] | None = None,
    *,
    heard: Heard | None = None,
    record: bool = False,
) -> Report:
    """The comparison of sites that are assessed already; `step` is called for each one drawn."""
    order = ranked(sites)
    doubt = doubt_of(order, settings, step, heard)
    swap = even = "needs two sites"
    if len(order) > 1:
        swap = swap_words(order[0], order[1], settings)
        even = break_even_words(order[0], order[1], settings)
    section = _section(order, settings, doubt, swap, even)
    _warn(order, settings)
    _assume_orders(order, settings)
    parts = {
        "verdict": verdict_of(order, settings, doubt, section),
        "comparison": section,
        "sites": tuple(_row(site, settings, doubt) for site in order),
        "steps": step_rows(order, settings),
        "gates": gate_rows(order),
        "criteria": criterion_rows(order, settings),
        "data": datum_rows(order, settings),
        "calendar": calendar_rows(order, settings),
        **doubt_rows(order, settings, doubt),
        "assumptions": settings.ledger.assumptions,
        "warnings": settings.ledger.warnings,
    }
    return Report(
        schema=SCHEMA,
        title=f"{len(order)} site{'s' if len(order) != 1 else ''}",
        parts=parts,
        record=record_of(order, settings, parts) if record else None,
    )


def _preset_words(settings: Settings) -> str:
    """The preset, and whether a weights file changes its weights or anchors."""
    if settings.preset is None:
        return "weights file"
    return f"{settings.preset}, changed by a file" if settings.is_changed else settings.preset


def _section(
    order: Sequence[RankedSite],
    settings: Settings,
    doubt: Doubt | None,
    swap: str,
    even: str,
) -> ComparisonSection:
    drawn = "none" if doubt is None else "all"
    if doubt is not None and len(doubt.drawn) < len(order):
        most = settings.integer("drawn_sites")
        drawn = f"the {most} best of each gate class, {len(doubt.drawn)} of {len(order)}"
    return ComparisonSection(
        preset=_preset_words(settings),
        start=settings.start.isoformat(),
        horizon=settings.day_at(settings.number("horizon")).isoformat(),
        screen=settings.screen,
        first_phase_mw=settings.number("first_phase"),
        target_mw=settings.number("target"),
        horizon_months=settings.number("horizon"),
        site_count=len(order),
        clear_count=sum(site.is_clear for site in order),
        draws=0 if doubt is None else doubt.draws,
        samples=0 if doubt is None else settings.integer("samples"),
        sized_samples=0 if doubt is None else doubt.sized,
        seed=settings.integer("seed"),
        drawn_sites=drawn,
        swap=swap,
        break_even=even,
    )


def _warn(order: Sequence[RankedSite], settings: Settings) -> None:
    """Warnings about what a rank rests on."""
    for site in order:
        total, sure = site.score.total.score, site.score.verified_only
        share = 0.0 if total <= 0.0 else (total - sure) / total
        if share > FLAGGED_WARNING:
            settings.ledger.warn(
                "score_unverified",
                f"sites.{site.id}.score",
                f"{site.id}: {100 * share:.0f} % of the score rests on data that are not verified",
            )
        standing = 0.0 if site.works is None else site.works.standing_mw
        dated = site.works is not None and SHELL_START in site.works.orders.placed
        if standing > 0.0 and not dated:
            settings.ledger.warn(
                "halls_as_new",
                f"sites.{site.id}.first_phase_p50",
                f"{site.id}: its substation carries {standing:,.4g} MW today, but halls, cooling"
                " and racks are dated as if built from the start; the files do not say what stands"
                " (design.orders.shell_start)",
            )
        if any(item.datum.screened for item in site.score.data):
            settings.ledger.warn(
                "screened",
                f"sites.{site.id}",
                f"{site.id}: regional defaults fill what the site file leaves open",
            )


def _assume_orders(order: Sequence[RankedSite], settings: Settings) -> None:
    """What is taken to be ordered at the start, and deliveries that do not fit the plan."""
    works = [(site, site.works) for site in order if site.works is not None]
    open_orders = dict.fromkeys(path for _, item in works for path in orders_at_start(item))
    months = settings.number("order_before")
    for path in open_orders:
        when = "at the start"
        if path == RACK_ORDER:
            when = f"{months:.3g} months before they are planned, not before the start"
        if any(path in item.orders.placed for _, item in works):
            when += ", where a site gives no day"
        source = "clusterplan method, siting section 5"
        settings.ledger.assume(f"design.{path}", when, "", source)
    for site, item in works:
        if not item.orders.deliveries:
            continue
        last = max(part.it_mw for part in item.orders.deliveries)
        if abs(last - item.it_mw) > 1e-6 * item.it_mw:
            share = 100.0 * last / item.it_mw
            settings.ledger.warn(
                "deliveries_and_plan",
                f"sites.{site.id}.accelerators",
                f"{site.id}: deliveries bring {share:.0f} % of the accelerators of its plan",
            )


def gates_in_words(site: RankedSite) -> str:
    """Gates failed and unknown, by name."""
    return verdict_words([(gate.name, gate.verdict) for gate in site.gates])


def _row(site: RankedSite, settings: Settings, doubt: Doubt | None) -> SiteRow:
    inputs, plan, score = site.evidence.inputs, site.plan, site.score
    rack = inputs.rack_id or (inputs.rack.id if inputs.rack else "")
    shares: dict[str, float | None] = {}
    if doubt is not None:
        shares = {
            "first_rank_share": doubt.first_share(site),
            "share_without_gates": doubt.free_share(site),
            "share_at_ignorance": doubt.ignorance_share(site),
        }
    sized = _empty(site.blocked) if plan is None else _sized(plan)
    fields: dict[str, object] = {
        "rank": site.rank,
        "id": site.id,
        "name": inputs.site.name,
        "score": score.total.score,
        "coverage": score.total.coverage,
        "gates": gates_in_words(site),
        "best_case_score": score.total.best_case,
        "known_only_score": score.total.known_only,
        "verified_only_score": score.verified_only,
        "topsis": score.topsis,
        "promethee": score.promethee,
        "rack": rack if plan is None else plan.site.rack,
        "latitude": inputs.site.latitude_deg.value,
        "longitude": inputs.site.longitude_deg.value,
        **shares,
        **dates_of(site, settings),
        **sized,
    }
    return SiteRow(**fields)  # type: ignore[arg-type]  # fields by name


def _costs(plan: SitePlan) -> dict[str, float | None]:
    """What a site costs, beside its score and never in it."""
    if plan.cost is None:
        return {}
    return {
        "capex_musd": plan.cost.capex_musd,
        "capex_usd_per_it_kw": plan.cost.capex_usd_per_it_kw,
        "compute_usd_per_h100e_hour": plan.cost.compute_usd_per_h100e_hour,
    }


def _sized(plan: SitePlan) -> dict[str, object]:
    summary, substation = plan.summary, plan.substation
    first = next((stage for stage in plan.stages if stage.racks > 0), None)
    unit = f"{substation.transformers} x {substation.transformer_mva:g} MVA"
    return {
        "accelerators": summary.accelerators,
        "h100_equivalents": summary.h100_equivalents,
        "racks": summary.racks,
        "it_power_mw": summary.it_power_mw,
        "it_typical_mw": plan.power.it_typical_mw,
        "facility_power_mw": summary.facility_power_mw,
        "pue_peak": summary.pue_peak,
        "pue_annual": summary.pue_annual,
        "water_m3_per_year": plan.cooling.water_m3_per_year,
        "water_peak_l_per_s": plan.cooling.water_peak_l_per_s,
        "heat_rejection": plan.cooling.heat_rejection,
        "hv_kv": substation.hv_kv,
        "transformers": unit,
        "acres_needed_acres": None if plan.floor is None else plan.floor.acres_needed_acres,
        **_costs(plan),
        "limited_by": summary.limited_by,
        "first_power": None if first is None else first.energised,
        "last_stage": plan.stages[-1].energised if plan.stages else None,
        "warnings": len(plan.warnings),
        "unverified_assumptions": sum(1 for row in plan.assumptions if row.verified == "false"),
    }


def _empty(blocked: str) -> dict[str, object]:
    """A site where not even one rack fits."""
    unknown = "h100_equivalents pue_peak pue_annual water_m3_per_year heat_rejection hv_kv"
    unknown += " transformers acres_needed_acres first_power last_stage"
    zero = "accelerators racks warnings unverified_assumptions"
    return {
        **dict.fromkeys(unknown.split()),
        **dict.fromkeys(zero.split(), 0),
        "it_power_mw": 0.0,
        "facility_power_mw": 0.0,
        "limited_by": blocked,
    }
