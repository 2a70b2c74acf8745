"""Gates: pass, fail or unknown, each decided once by the datum named. Unknown is never a pass."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clusterplan.inputs.datum import value_of
from clusterplan.planning.site_data import export_tier, figure_text
from clusterplan.planning.site_scores import supplied_mw
from clusterplan.planning.site_supply import BURNING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.planning.site_data import Evidence
    from clusterplan.planning.site_supply import SupplyDate

PASS, FAIL, UNKNOWN = "pass", "fail", "unknown"


class Gate(NamedTuple):
    """One gate of one site: verdict, the datum that decided it, its threshold, what closes it."""

    name: str
    verdict: str
    datum: str
    threshold: str
    closes: str
    verified: str = "false"


class SupplyMonths(Protocol):
    """What gates ask of the supply of a planned site: a calendar of it, or its supply alone."""

    @property
    def steps(self) -> tuple[SupplyDate, ...]:
        """All steps, announced and undated ones too."""

    def supply_month(self, facility_mw: float, share: float, confidence: float = 0.0) -> float:
        """Month by which steps at least so sure supply a power, in a share of the draws."""

    def first_supply_month(self, share: float) -> float:
        """Month of the first block's supply in a share of the draws; infinity is never."""


def gates_of(evidence: Evidence, prospects: SupplyMonths | None) -> tuple[Gate, ...]:
    """All gates of a site at the central values; `prospects` is None where nothing is planned."""
    return (
        _firm_mw(evidence, prospects),
        _expansion(evidence, prospects),
        _control(evidence, prospects),
        _acres(evidence),
        _export(evidence),
        _ownership(evidence),
        _water(evidence),
        _air(evidence, prospects),
        _local_rule(evidence),
        _fibre(evidence),
        _hazard(evidence),
    )


def verdict_words(verdicts: Sequence[tuple[str, str]]) -> str:
    """Gates (name, verdict) failed and unknown: "clear", "fails acres; unknown export, water"."""
    words = []
    for verdict, verb in ((FAIL, "fails"), (UNKNOWN, "unknown")):
        names = [name for name, found in verdicts if found == verdict]
        if names:
            words.append(f"{verb} {', '.join(names)}")
    return "; ".join(words) or "clear"


def _firm_mw(evidence: Evidence, prospects: SupplyMonths | None) -> Gate:
    settings = evidence.settings
    need, deadline = settings.number("first_phase"), settings.number("deadline")
    threshold = f"{figure_text(need)} MW by month {deadline:g} at P90"
    closes = f"firm supply of {figure_text(need)} MW under agreement, dated by month {deadline:g}"
    if prospects is None or not prospects.steps:
        return Gate("firm_mw", UNKNOWN, "no supply step known", threshold, closes)
    plan = evidence.plan
    facility = math.inf if plan is None else plan.summary.facility_power_mw
    late = prospects.supply_month(need, 0.9, settings.number("firm_confidence"))
    if late <= deadline:
        return Gate("firm_mw", PASS, f"month {late:.0f} at P90", threshold, "")
    everything = _all_supplied_mw(prospects)
    # a plan that takes less tells when its last block is supplied: what is due comes no earlier
    small = plan is not None and facility < need
    if everything < need:
        return Gate("firm_mw", FAIL, f"{figure_text(everything)} MW in all", threshold, closes)
    announced = any(step.confidence == 0.0 for step in prospects.steps)
    early = 0.0 if announced else prospects.supply_month(min(need, facility), 0.1)
    if early > deadline:
        word = "never" if math.isinf(early) else f"month {early:.0f}"
        return Gate("firm_mw", FAIL, f"{word} even at P10", threshold, closes)
    if plan is not None and small:
        word = f"the plan takes {figure_text(facility)} MW of {figure_text(everything)} MW"
        closes = f"a plan of {figure_text(need)} MW, now limited by {plan.summary.limited_by}"
        return Gate("firm_mw", UNKNOWN, word, threshold, closes)
    word = "no firm date" if math.isinf(late) else f"month {late:.0f} at P90"
    return Gate("firm_mw", UNKNOWN, word, threshold, closes)


def _all_supplied_mw(prospects: SupplyMonths) -> float:
    """MW of all steps, announced and undated ones too."""
    steps = tuple(step._replace(months=(0.0, 0.0, 0.0)) for step in prospects.steps)
    return supplied_mw(steps, 0.0, math.inf)


def _expansion(evidence: Evidence, prospects: SupplyMonths | None) -> Gate:
    settings = evidence.settings
    target, sure = settings.number("target"), settings.number("expansion_confidence")
    threshold = f"{figure_text(target)} MW at confidence {sure:g}"
    closes = f"steps to {figure_text(target)} MW under study or agreement"
    if prospects is None or not prospects.steps:
        return Gate("expansion", UNKNOWN, "no supply step known", threshold, closes)
    likely = supplied_mw(prospects.steps, sure, math.inf)
    everything = _all_supplied_mw(prospects)
    if likely >= target:
        return Gate("expansion", PASS, f"{figure_text(likely)} MW", threshold, "")
    if everything < target:
        return Gate("expansion", FAIL, f"{figure_text(everything)} MW in all", threshold, closes)
    return Gate(
        "expansion",
        UNKNOWN,
        f"{figure_text(likely)} MW of {figure_text(everything)}",
        threshold,
        closes,
    )


def _control(evidence: Evidence, prospects: SupplyMonths | None) -> Gate:
    site, grid = evidence.inputs.site, evidence.inputs.grid
    land = site.land
    threshold = "owned, or held until the study or first power"
    closes = "an option or lease that lasts until power is firm"
    if land is None or land.control is None:
        return Gate("control", UNKNOWN, "control not given", threshold, closes)
    if land.control == "owned":
        return Gate("control", PASS, "owned", threshold, "")
    if land.control == "none":
        return Gate("control", FAIL, "none", threshold, closes)
    until = value_of(land.control_until)
    if until is None:
        return Gate("control", UNKNOWN, f"{land.control}, end not given", threshold, closes)
    due = None if grid is None else value_of(grid.study_due)
    if due is None:
        month = math.inf if prospects is None else prospects.first_supply_month(0.5)
        if math.isinf(month):
            return Gate("control", UNKNOWN, "no date of supply to outlast", threshold, closes)
        due = evidence.settings.day_at(month)
    word = f"{land.control} until {until}, due {due}"
    return Gate(
        "control", PASS if until >= due else FAIL, word, threshold, "" if until >= due else closes
    )


def _acres(evidence: Evidence) -> Gate:
    land, plan = evidence.inputs.site.land, evidence.plan
    first = evidence.settings.number("first_phase")
    threshold = f"acres of {figure_text(first)} MW, flood zone X"
    closes = "a survey of the buildable acres and the flood zone"
    if land is not None and land.flood_zone in ("A", "AE", "V"):
        return Gate(
            "acres", FAIL, f"flood zone {land.flood_zone}", threshold, "land outside the flood zone"
        )
    if land is None or plan is None or plan.floor is None:
        return Gate("acres", UNKNOWN, "land or plan unknown", threshold, closes)
    need = plan.floor.acres_needed_acres / plan.summary.facility_power_mw * first
    most = land.gross_acres.value if land.buildable_acres is None else land.buildable_acres.value
    if most < need:
        more = f"{need:,.0f} buildable acres"
        return Gate("acres", FAIL, f"{most:,.0f} acres, {need:,.0f} due", threshold, more)
    if land.buildable_acres is None or land.flood_zone is None:
        missing = "buildable acres" if land.buildable_acres is None else "flood zone"
        return Gate("acres", UNKNOWN, f"{missing} not given", threshold, closes)
    return Gate("acres", PASS, f"{most:,.0f} acres, {need:,.0f} due", threshold, "")


def _export(evidence: Evidence) -> Gate:
    tier, source, flag = export_tier(evidence.inputs)
    policy = evidence.inputs.site.policy
    licence = None if policy is None else policy.export_licence
    threshold = "open destination or a licence"
    if tier is None:
        return Gate("export", UNKNOWN, source, threshold, "the tier of the country", flag)
    word = f"{tier.replace('_', ' ')} ({source})"
    if licence == "issued" or tier in ("domestic", "open_partner", "open_watch"):
        return Gate("export", PASS, word, threshold, "", flag)
    if tier in ("embargo", "restricted_D5"):
        return Gate(
            "export", FAIL, word, threshold, "no accelerator of the catalogue may go there", flag
        )
    return Gate("export", UNKNOWN, word, threshold, "an export licence", flag)


def _ownership(evidence: Evidence) -> Gate:
    owner = evidence.settings.owner
    threshold = "ultimate parent outside Country Group D:5 and Macau"
    if owner is None:
        return Gate("ownership", UNKNOWN, "owner not set", threshold, "the setting owner")
    inside = owner in evidence.settings.get("restricted_owners")
    return Gate(
        "ownership", FAIL if inside else PASS, owner, threshold, "another parent" if inside else ""
    )


def _water(evidence: Evidence) -> Gate:
    plan, water = evidence.plan, evidence.inputs.site.water
    threshold = "rights cover the plan, yearly and peak"
    if plan is None:
        return Gate("water", UNKNOWN, "nothing is planned", threshold, "a plan that fits")
    annual, peak = plan.cooling.water_m3_per_year, plan.cooling.water_peak_l_per_s
    if peak == 0.0 and annual == 0.0:
        return Gate("water", PASS, "nothing is evaporated", threshold, "", "true")
    rights = (
        None if water is None else value_of(water.annual_m3_per_year),
        None if water is None else value_of(water.peak_l_per_s),
    )
    for right, need, unit in zip(rights, (annual, peak), ("m3/yr", "L/s"), strict=True):
        if right is not None and need is not None and right < need * (1.0 - 1e-9):
            word = f"{right:,.0f} of {need:,.0f} {unit}"
            return Gate("water", FAIL, word, threshold, f"a right of {need:,.0f} {unit}")
    missing = [n for n, r in zip(("yearly right", "peak rate"), rights, strict=True) if r is None]
    if missing or annual is None or peak is None:
        word = f"{' and '.join(missing) or 'water need'} not given"
        return Gate(
            "water",
            UNKNOWN,
            word,
            threshold,
            f"rights of {annual or 0:,.0f} m3/yr and {peak or 0:,.0f} L/s",
        )
    return Gate("water", PASS, f"{annual:,.0f} m3/yr, {peak:,.0f} L/s", threshold, "")


def _air(evidence: Evidence, prospects: SupplyMonths | None) -> Gate:
    site = evidence.inputs.site
    threshold = "no fuel burnt on site, or the permit"
    if not any(unit.type in BURNING for unit in site.generation):
        return Gate("air", PASS, "nothing burns on site", threshold, "")
    permit = None if site.permits is None else site.permits.air
    if permit is None:
        return Gate("air", UNKNOWN, "air permit not given", threshold, "an air permit")
    if permit.status in ("issued", "not_needed"):
        return Gate("air", PASS, permit.status.replace("_", " "), threshold, "")
    if permit.status == "denied":
        return Gate("air", FAIL, "denied", threshold, "another plant or a new application")
    months = None if permit.months is None else permit.months.high or permit.months.value
    dates = [
        step.months[1]
        for step in (() if prospects is None else prospects.steps)
        if step.onsite and step.months is not None
    ]
    if permit.status == "filed" and months is not None and dates and months <= min(dates):
        return Gate("air", PASS, f"filed, {months:.0f} months", threshold, "")
    word = permit.status.replace("_", " ")
    return Gate(
        "air", UNKNOWN, word, threshold, "the air permit, or its months before the first unit"
    )


def _local_rule(evidence: Evidence) -> Gate:
    site = evidence.inputs.site
    moratorium = None if site.policy is None else site.policy.moratorium
    zoning = (
        None if site.permits is None or site.permits.zoning is None else site.permits.zoning.status
    )
    threshold = "no moratorium, zoning filed or issued"
    if moratorium:
        return Gate("local_rule", FAIL, "moratorium", threshold, "the end of the moratorium")
    if zoning == "denied":
        return Gate("local_rule", FAIL, "zoning denied", threshold, "a new zoning case")
    if moratorium is False and zoning in ("filed", "issued", "not_needed"):
        return Gate(
            "local_rule", PASS, f"no moratorium, zoning {zoning.replace('_', ' ')}", threshold, ""
        )
    missing = [] if moratorium is False else ["moratorium not given"]
    if zoning not in ("filed", "issued", "not_needed"):
        missing.append("zoning " + (zoning or "not given").replace("_", " "))
    closes = "a statement of the county on moratoria" if moratorium is None else "a zoning case"
    return Gate("local_rule", UNKNOWN, ", ".join(missing), threshold, closes)


def _fibre(evidence: Evidence) -> Gate:
    fibre = evidence.inputs.site.fibre
    routes = None if fibre is None else value_of(fibre.routes)
    threshold = "2 diverse routes"
    if routes is None:
        return Gate("fibre", UNKNOWN, "routes not given", threshold, "a survey of fibre routes")
    word = f"{routes} route" + ("" if routes == 1 else "s")
    return Gate(
        "fibre",
        PASS if routes >= 2 else FAIL,
        word,
        threshold,
        "" if routes >= 2 else "a second diverse route",
    )


def _hazard(evidence: Evidence) -> Gate:
    hazards = evidence.inputs.site.hazards
    threshold = "no active fault, surge zone or protected habitat"
    names = ("active_fault", "surge_zone", "protected_habitat")
    found = {name: None if hazards is None else getattr(hazards, name) for name in names}
    bad = [name.replace("_", " ") for name, value in found.items() if value]
    if bad:
        return Gate("hazard", FAIL, ", ".join(bad), threshold, "another plot")
    missing = [name.replace("_", " ") for name, value in found.items() if value is None]
    if missing:
        return Gate(
            "hazard", UNKNOWN, f"{', '.join(missing)} not given", threshold, "a hazard study"
        )
    return Gate("hazard", PASS, "none of them", threshold, "")
