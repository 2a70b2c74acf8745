"""The readiness checklist of a site, drawn from its files and its plan.

An item is ready only where something shows it; what neither a file nor the plan tells is unknown,
never ready. The list is not scored: these things have no measured scale.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.core.results.plan import Report
from clusterplan.core.results.readiness import ReadinessItem, ReadinessSection
from clusterplan.inputs.datum import value_of
from clusterplan.planning.site_data import export_tier
from clusterplan.planning.site_orders import GENERATION, ORDER_OF
from clusterplan.planning.site_supply import PLANT_LEAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.inputs.site_file import Permit

SCHEMA = "clusterplan/readiness/1"
READY, PARTLY, OPEN, UNKNOWN = "ready", "partly", "open", "unknown"
MV_MAX_KV = 34.5
PLANT_PARTS = {
    "dry-cooler": "dry_cooler",
    "adiabatic-cooler": "dry_cooler",
    "air-cooled-chiller": "chiller",
    "water-cooled-chiller": "chiller",
}
_PROGRESS = {"in_place": READY, "planned": PARTLY, "none": OPEN}
_PERMIT = {
    "issued": READY,
    "not_needed": READY,
    "filed": PARTLY,
    "appealed": PARTLY,
    "not_filed": OPEN,
    "denied": OPEN,
}
_GOOD_COMMUNITY, _BAD_COMMUNITY = 4.0, 2.0
ELECTRICIANS_PER_100_MW = 400.0  # of 4,000 jobs at the peak for a GW, all trades (press, 2026)


class Finding(NamedTuple):
    """An item before its area is put before it."""

    item: str
    status: str
    evidence: str
    closes: str = ""
    verified: str = "given"


def readiness_report(inputs: SiteInputs, plan: SitePlan) -> Report:
    """The checklist of a sized site."""
    items = tuple(readiness_items(inputs, plan))
    count = Counter(item.status for item in items)
    section = ReadinessSection(
        ready=count[READY], partly=count[PARTLY], open=count[OPEN], unknown=count[UNKNOWN]
    )
    for name in (READY, PARTLY, OPEN, UNKNOWN):
        given(f"readiness.{name}", count[name], "", "count of the items below")
    return Report(
        schema=SCHEMA,
        title=f"Readiness of {inputs.site.name}",
        parts={"site": plan.site, "readiness": section, "items": items},
        record=plan.record,
    )


def readiness_items(inputs: SiteInputs, plan: SitePlan) -> Iterator[ReadinessItem]:
    """All items in the order of the chain."""
    for area, findings in (
        ("single sources and lead times", _supply_chain(inputs, plan)),
        ("diverse power", _power(inputs, plan)),
        ("fibre", _fibre(inputs)),
        ("facility capacity", _capacity(inputs, plan)),
        ("metering", _metering(inputs)),
        ("modular growth", _growth(plan)),
        ("security", _security(inputs)),
        ("data governance", _governance(inputs)),
        ("workforce", _workforce(inputs, plan)),
        ("community and permits", _community(inputs)),
    ):
        for one in findings:
            yield ReadinessItem(
                area=area,
                item=one.item,
                status=one.status,
                evidence=one.evidence,
                closes=one.closes,
                verified=one.verified,
            )


def _supply_chain(inputs: SiteInputs, plan: SitePlan) -> Iterator[Finding]:
    """What takes longest to come; who makes it is not in any file, so it is never ready."""
    rack = inputs.rack or catalog.rack(plan.site.rack)
    maker = "its maker"
    if inputs.rack is None:
        maker = catalog.accelerator(catalog.rack(plan.site.rack).accelerator).vendor
    yield _long_lead(
        inputs,
        "gpu_racks",
        f"{plan.summary.racks:,} racks {getattr(rack, 'id', plan.site.rack)}, one maker: {maker}",
        "an order with dates, and a second type of rack that the halls could take",
        OPEN,
    )
    section = plan.substation
    units = f"{section.transformers} x {section.transformer_mva:g} MVA"
    if inputs.grid is not None and inputs.grid.transformers:
        yield Finding("power transformers", READY, f"{units} stand there (grid.transformers)")
    elif section.hv_kv > MV_MAX_KV or inputs.grid is None:  # an island steps its generators down
        slot = "order slots, or two makers"
        yield _long_lead(inputs, "power_transformer", units, slot)
        if section.hv_kv > MV_MAX_KV:
            yield _long_lead(inputs, "hv_breaker_345kv", f"breakers at {section.hv_kv:g} kV", slot)
    else:
        yield _long_lead(inputs, "mv_unit_substation", units, "order slots, or two makers")
    yield _long_lead(inputs, "mv_switchgear", f"boards at {section.mv_kv:g} kV", "order slots")
    kind = plan.cooling.heat_rejection
    if kind in PLANT_PARTS:
        words = kind[::-1].replace("-", " ", 1)[::-1]  # the last hyphen: air-cooled chiller
        count = plan.cooling.heat_rejection_units
        text = f"{count:,} {words}" + ("" if count == 1 else "s")
        yield _long_lead(inputs, PLANT_PARTS[kind], text, "order slots, or two makers")
    if plan.cooling.cdus:
        yield _long_lead(
            inputs, "cdu", f"{plan.cooling.cdus:,} CDUs", "a second model of the same approach"
        )
    for unit in inputs.site.generation:
        if unit.status == "running":
            name = unit.name or unit.type.replace("_", " ")
            yield Finding(name, READY, f"{unit.gross_mw.value:,.6g} MW running (site.generation)")
        elif unit.type in PLANT_LEAD:
            text = f"{unit.gross_mw.value:,.6g} MW, status {unit.status or 'unknown'}"
            ordered = unit.status in ("ordered", "building")
            status = PARTLY if ordered else UNKNOWN
            yield _long_lead(inputs, PLANT_LEAD[unit.type], text, "an order with a slot", status)


def _long_lead(
    inputs: SiteInputs, part: str, text: str, closes: str, status: str = UNKNOWN
) -> Finding:
    row = catalog.lead_times()[part]
    evidence = (
        f"{text}; {row.low:g} to {row.high:g} {row.unit}, typically {row.typical:g} ({row.year})"
    )
    planned = _planned_order(inputs, part)
    if planned:
        return Finding(row.name, PARTLY, f"{evidence}; {planned}", closes, row.verified)
    return Finding(row.name, status, evidence, closes, row.verified)


def _planned_order(inputs: SiteInputs, part: str) -> str:
    """When the design file has a part ordered or delivered; a plan, no proof of a slot."""
    deliveries = inputs.design.get("deliveries") if part == "gpu_racks" else None
    if deliveries:
        last = deliveries[-1]
        return (
            f"deliveries to {last.count.value:,} {last.counted} by {last.date.value}"
            " (design.deliveries)"
        )
    path = ORDER_OF.get(part, GENERATION)
    day = value_of(inputs.design_data.get(path))
    return "" if day is None else f"order on {day} (design.{path})"


def _power(inputs: SiteInputs, plan: SitePlan) -> Iterator[Finding]:
    grid = inputs.grid
    circuits = None if grid is None else value_of(grid.circuits)
    common = None if grid is None else grid.common_tower
    if grid is None:
        yield Finding("circuits", UNKNOWN, "no grid file", "a grid file")
    elif circuits is None:
        yield Finding("circuits", UNKNOWN, "grid.circuits is not given", "the single-line diagram")
    elif circuits < 2:
        yield Finding("circuits", OPEN, "one circuit: its loss stops the site", "a second circuit")
    elif common is False:
        yield Finding("circuits", READY, f"{circuits} circuits on separate towers")
    else:
        where = "on common towers" if common else "grid.common_tower is not given"
        closes = "separate towers or routes"
        yield Finding("circuits", PARTLY, f"{circuits} circuits, {where}", closes)
    spare = plan.substation.transformers_redundant
    text = f"{spare} of {plan.substation.transformers} transformers may be out"
    yield Finding(
        "a transformer out", READY if spare else OPEN, text, "" if spare else "a spare unit", "plan"
    )
    sources = [unit.name or unit.type.replace("_", " ") for unit in inputs.site.generation]
    if grid is not None and sources:
        yield Finding("second source", READY, f"grid and {', '.join(sources)}")
    elif sources or grid is not None:
        only = "grid" if grid is not None else ", ".join(sources)
        yield Finding("second source", OPEN, f"{only} alone", "generation or storage on the site")
    if any(unit.type in PLANT_LEAD for unit in inputs.site.generation):
        laterals = None if inputs.site.gas is None else value_of(inputs.site.gas.laterals)
        status = UNKNOWN if laterals is None else READY if laterals > 1 else OPEN
        text = "site.gas.laterals is not given" if laterals is None else f"{laterals} separate"
        yield Finding("gas laterals", status, text, "" if status == READY else "a second lateral")


def _fibre(inputs: SiteInputs) -> Iterator[Finding]:
    fibre = inputs.site.fibre
    routes = None if fibre is None else value_of(fibre.routes)
    if routes is None:
        yield Finding("fibre routes", UNKNOWN, "site.fibre.routes is not given", "a carrier survey")
    elif routes >= 2:
        yield Finding("fibre routes", READY, f"{routes} routes that share no duct")
    else:
        yield Finding("fibre routes", OPEN, f"{routes} route", "a second route that shares no duct")
    trip = None if fibre is None else value_of(fibre.rtt_hub_ms)
    if trip is None:
        text = "site.fibre.rtt_hub is not given"
        yield Finding("round trip to the exchange", UNKNOWN, text, "a measurement")
    else:
        yield Finding("round trip to the exchange", READY, f"{trip:g} ms")


def _capacity(inputs: SiteInputs, plan: SitePlan) -> Iterator[Finding]:
    summary = plan.summary
    text = (
        f"{summary.it_power_mw:,.4g} MW IT, {summary.facility_power_mw:,.4g} MW at the meter;"
        f" bound by {summary.limited_by}"
    )
    last = plan.stages[-1] if plan.stages else None
    sure = last is not None and last.status in ("agreement", "energised")
    if last is None:
        yield Finding("power capacity", UNKNOWN, f"{text}; no supply stage", "a grid file", "plan")
    else:
        closes = "" if sure else "an interconnection agreement"
        status = READY if sure else PARTLY
        yield Finding(
            "power capacity", status, f"{text}; last stage: {last.status}", closes, "plan"
        )
    floor = plan.floor
    if floor is None or floor.acres_held_acres is None:
        yield Finding("land held", UNKNOWN, "site.land is not given", "a survey of the plot")
    else:
        held, needed = floor.acres_held_acres, floor.acres_needed_acres
        status = READY if held >= needed else OPEN
        text = f"{needed:,.0f} of {held:,.0f} acres"
        closes = "" if status == READY else "more land"
        land = inputs.site.land
        if status == READY and (land is None or land.buildable_acres is None):
            status, closes = PARTLY, "a survey of the buildable acres"
            text = f"{text}; site.land.buildable is not given, so a share of the gross is taken"
        yield Finding("land held", status, text, closes, "plan")
    yield _control(inputs, plan)


def _control(inputs: SiteInputs, plan: SitePlan) -> Finding:
    """Who holds the land, and whether that lasts until the last stage of supply."""
    item, land = "control of the land", inputs.site.land
    if land is None or land.control is None:
        return Finding(item, UNKNOWN, "site.land.control is not given", "a title or an option")
    if land.control in ("owned", "none"):
        held = land.control == "owned"
        return Finding(item, READY if held else OPEN, land.control, "" if held else "an option")
    until = value_of(land.control_until)
    if until is None:
        text = f"{land.control}, site.land.control_until is not given"
        return Finding(item, UNKNOWN, text, "the end of the contract")
    text = f"{land.control} until {until}"
    last = max((stage.energised for stage in plan.stages if stage.energised), default=None)
    if last is not None and str(until) < last:
        closes = "a contract that outlasts it"
        return Finding(item, OPEN, f"{text}, before the last stage of {last}", closes)
    is_lease = land.control == "lease"
    return Finding(item, READY if is_lease else PARTLY, text, "" if is_lease else "the purchase")


def _metering(inputs: SiteInputs) -> Iterator[Finding]:
    group = inputs.site.metering
    closes = "meters at the service, the boards and the rack rows"
    yield _progress(
        "energy meters", None if group is None else group.energy, "metering.energy", closes
    )
    closes = "hourly emission factors of the supply, kept with the energy"
    emissions = None if group is None else group.emissions
    yield _progress("emissions record", emissions, "metering.emissions", closes)


def _security(inputs: SiteInputs) -> Iterator[Finding]:
    group = inputs.site.security
    closes = "a security plan with fence, access control and watch"
    physical = None if group is None else group.physical
    yield _progress("physical security", physical, "security.physical", closes)
    closes = "controls of power and cooling on a network of their own, access logged"
    yield _progress(
        "cyber security", None if group is None else group.cyber, "security.cyber", closes
    )


def _progress(item: str, state: str | None, path: str, closes: str) -> Finding:
    if state is None:
        return Finding(item, UNKNOWN, f"site.{path} is not given", closes)
    status = _PROGRESS[state]
    words = f"{state.replace('_', ' ')} (site.{path})"
    return Finding(item, status, words, "" if status == READY else closes)


def _growth(plan: SitePlan) -> Iterator[Finding]:
    stages = [stage for stage in plan.stages if stage.racks > 0]
    if stages:
        names = ", ".join(f"{stage.name} {stage.accelerators:,}" for stage in stages[:4])
        more = f" and {len(stages) - 4} more" if len(stages) > 4 else ""
        status = READY if len(stages) > 1 else PARTLY
        closes = "" if status == READY else "a supply in stages"
        text = f"accelerators by stage: {names}{more}"
        yield Finding("power in stages", status, text, closes, "plan")
    else:
        yield Finding("power in stages", UNKNOWN, "no supply stage", "a grid file with stages")
    fabric = plan.fabric
    if fabric is None or fabric.grows_to_accelerators is None:
        yield Finding(
            "growth of the fabric", UNKNOWN, "no fabric is counted", "a rack with known ports"
        )
        return
    free = fabric.grows_to_accelerators > plan.summary.accelerators
    text = f"grows to {fabric.grows_to_accelerators:,} accelerators without moving a cable"
    closes = "" if free else "another tier or a larger switch, kept free from the start"
    yield Finding("growth of the fabric", READY if free else OPEN, text, closes, "plan")


def _governance(inputs: SiteInputs) -> Iterator[Finding]:
    policy = inputs.site.policy
    row = None if inputs.region is None else catalog.country_conditions(inputs.region.iso2)
    if policy is not None and policy.data_regime is not None:
        yield Finding("data law", READY, f"{policy.data_regime} (site.policy.data_regime)")
    elif row is not None and row.data_regime:
        flag = row.verified_of("data_regime")
        closes = "counsel's note on which data may be held here"
        yield Finding("data law", PARTLY, f"{row.data_regime} ({row.name})", closes, flag)
    else:
        text = f"no row for {inputs.site.country}"
        yield Finding("data law", UNKNOWN, text, "site.policy.data_regime")
    tier, source, flag = export_tier(inputs)
    licence = None if policy is None else policy.export_licence
    status, closes = _export(tier, licence)
    words = "export tier unknown" if tier is None else f"export tier {tier.replace('_', ' ')}"
    yield Finding("export rules", status, f"{words}; {source}", closes, flag)


def _export(tier: str | None, licence: str | None) -> tuple[str, str]:
    if tier is None:
        return UNKNOWN, "site.policy.export_tier, from counsel"
    if tier in ("domestic", "open_partner", "open_watch"):
        return READY, "" if tier == "domestic" else "a check of the rules in force on the order day"
    if tier == "licence_case":
        if licence in ("issued", "not_needed"):
            return READY, ""
        return (PARTLY if licence == "filed" else OPEN), "an export licence"
    return OPEN, "nothing: these accelerators may not go there"


def _workforce(inputs: SiteInputs, plan: SitePlan) -> Iterator[Finding]:
    group = inputs.site.workforce
    if group is None:
        text = "site.workforce.electricians_60mi is not given"
        yield Finding("electricians", UNKNOWN, text, "labour statistics of the area")
        return
    found = group.electricians_60mi
    asked = ELECTRICIANS_PER_100_MW * plan.summary.facility_power_mw / 100.0
    text = f"{found.value:,} electricians within 60 miles; the peak asks for about {asked:,.0f}"
    status = READY if found.value >= 2.0 * asked else PARTLY if found.value >= asked else OPEN
    closes = "" if status == READY else "a labour agreement, lodging, a slower build"
    yield Finding("electricians", status, text, closes, "false")


def _community(inputs: SiteInputs) -> Iterator[Finding]:
    site = inputs.site
    if site.community is None:
        text = "site.community.score is not given"
        yield Finding("community", UNKNOWN, text, "hearings, and the local press read")
    else:
        score = site.community.score.value
        status = PARTLY
        if score >= _GOOD_COMMUNITY:
            status = READY
        elif score <= _BAD_COMMUNITY:
            status = OPEN
        closes = "" if status == READY else "a benefit agreement"
        yield Finding("community", status, f"judged {score:g} of 5", closes)
    blocked = None if site.policy is None else site.policy.moratorium
    if blocked is None:
        text = "site.policy.moratorium is not given"
        yield Finding("moratorium", UNKNOWN, text, "a letter of the county")
    else:
        text = "in force" if blocked else "none in force"
        closes = "its end, or an exception" if blocked else ""
        yield Finding("moratorium", OPEN if blocked else READY, text, closes)
    for name in ("zoning", "environmental", "air", "water"):
        permit: Permit | None = None if site.permits is None else getattr(site.permits, name)
        yield _permit(name, permit)


def _permit(name: str, permit: Permit | None) -> Finding:
    item = f"{name} permit"
    if permit is None:
        return Finding(item, UNKNOWN, f"site.permits.{name} is not given", "a permit register")
    status = _PERMIT[permit.status]
    words = [permit.status.replace("_", " ")]
    if permit.authority:
        words.append(permit.authority)
    months = value_of(permit.months)
    if months is not None:
        words.append(f"{months:g} months to the decision")
    return Finding(item, status, ", ".join(words), "" if status == READY else "the permit issued")
