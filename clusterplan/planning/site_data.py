"""The datum of each criterion for a site: its value with unit, source and flag.

The site's files and its plan come first; a row of its country or state tells what only a row can,
and fills the rest only where regional defaults are asked for (`--screen`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan import catalog
from clusterplan.inputs.datum import value_of
from clusterplan.sizing import energy_mix

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.equipment import CountryConditions, StateConditions
    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.datum import Datum
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.comparison_settings import Settings

FLAGS = ("true", "given", "partial", "secondary", "false")
PERMIT_VALUE = {
    "issued": 1.0,
    "not_needed": 1.0,
    "filed": 0.5,
    "appealed": 0.25,
    "not_filed": 0.0,
    "denied": 0.0,
}
EXPORT_VALUE = {
    "domestic": 1.0,
    "open_partner": 1.0,
    "open_watch": 0.5,
    "licence_case": 0.25,
    "restricted_D5": 0.0,
    "embargo": 0.0,
}
TAX_VALUE = {"y": 1.0, "none": 1.0, "limited": 0.5, "paused": 0.0, "n": 0.0}
TAX_WORDS = {
    "y": "exempt",
    "none": "no sales tax",
    "limited": "partly exempt",
    "paused": "exemption paused",
    "n": "taxed",
    "unverified": "not verified",
}
PERMITS = ("zoning", "environmental", "air", "water")
# figure -> field of the state's row, of the country's row; the first known one counts
REGIONAL = {
    "price": ("price_usd_per_mwh", "price_usd_per_mwh"),
    "carbon": ("grid_carbon_g_per_kwh", "grid_carbon_g_per_kwh"),
    "water_stress": ("water_stress", "water_stress"),
    "seismic": ("", "seismic"),
    "storm": ("", "storm"),
    "sales_tax": ("sales_tax_exemption", ""),
    "infrastructure": ("", "infrastructure_percentile"),
    "researchers": ("", "researchers_per_million"),
    "governance": ("", "governance_percentile"),
    "export_tier": ("", "export_tier"),
    "connection_years": ("", "grid_connection_years"),
}


class SiteDatum(NamedTuple):
    """One datum. `value` is in the unit of its row in `criterion_data.csv`, None unknown.

    shown: what is printed where the value is a word; key: the stream of its draws; offered: a
    regional figure that is shown but not counted.
    """

    value: float | None = None
    shown: str = ""
    source: str = ""
    verified: str = "false"
    low: float | None = None
    high: float | None = None
    key: str = ""
    screened: bool = False
    offered: float | str | None = None


class RegionalFigure(NamedTuple):
    """A figure of a country's or state's row."""

    value: float | str
    source: str
    verified: str
    key: str


class Evidence(NamedTuple):
    """What is known of a site: its files and its plan (None where nothing fits)."""

    inputs: SiteInputs
    plan: SitePlan | None
    settings: Settings


UNKNOWN = SiteDatum()
_TOWERS = {True: " on common towers", False: " on separate towers", None: ", towers not given"}


def figure_text(value: float) -> str:
    """A figure with four significant digits, its whole part never cut, no exponent."""
    return f"{value:,.0f}" if abs(value) >= 1000.0 else f"{value:.4g}"


def worst_flag(*flags: str) -> str:
    """The least sure of some flags."""
    return max(flags, key=FLAGS.index, default="true")


def regional_value(inputs: SiteInputs, figure: str) -> RegionalFigure | None:
    """A figure of the site's state, else of its country; None where neither row has it."""
    of_state, of_country = REGIONAL[figure]
    if of_state and inputs.state is not None:
        found = _of_row(catalog.state_conditions(inputs.state.code), of_state, "state-conditions")
        if found is not None:
            return found
    if not of_country or inputs.region is None:
        return None
    row = catalog.country_conditions(inputs.region.iso2)
    return _of_row(row, of_country, "country-conditions")


def _of_row(
    row: StateConditions | CountryConditions | None, name: str, kind: str
) -> RegionalFigure | None:
    value: Any = None if row is None else getattr(row, name)
    if row is None or value in (None, ""):
        return None
    flag = row.verified_of(name)
    return RegionalFigure(value, f"{row.name} ({kind})", flag, f"{kind}/{row.id}/{name}")


def site_datum(name: str, evidence: Evidence) -> SiteDatum:
    """The datum of that id (`criterion_data.csv`); those of the calendar are not among them."""
    return _READERS[name](evidence)


def _figure(datum: Datum[Any] | None, path: str, evidence: Evidence) -> SiteDatum:
    """A figure as the user gave it, with its range and flag."""
    if datum is None:
        return UNKNOWN
    return SiteDatum(
        float(datum.value),
        source=datum.source or "site file",
        verified=datum.verified,
        low=None if datum.low is None else float(datum.low),
        high=None if datum.high is None else float(datum.high),
        key=f"{evidence.inputs.site.id}/{path}",
    )


def _word(value: float, shown: str, path: str, evidence: Evidence) -> SiteDatum:
    """A value that stands for words of the site file."""
    document = evidence.inputs.documents.get("site")
    given = None if document is None else document.provenance(path.removeprefix("site."))
    return SiteDatum(
        value,
        shown=shown,
        source=(given.source if given is not None else "") or "site file",
        verified=given.verified if given is not None else "false",
        key=f"{evidence.inputs.site.id}/{path}",
    )


def _of_region(figure: str, evidence: Evidence, *, always: bool) -> SiteDatum:
    """A regional figure: counted where only a row can tell or on `--screen`, else offered."""
    found = regional_value(evidence.inputs, figure)
    if found is None:
        return UNKNOWN
    if isinstance(found.value, str):
        scale = EXPORT_VALUE if figure == "export_tier" else TAX_VALUE
        value = scale.get(found.value)
        shown = TAX_WORDS.get(found.value, found.value.replace("_", " "))
    else:
        value, shown = float(found.value), ""
    if not always and not evidence.settings.screen:
        return SiteDatum(offered=shown or value, source=found.source)
    return SiteDatum(value, shown, found.source, found.verified, key=found.key, screened=not always)


def _community(evidence: Evidence) -> SiteDatum:
    group = evidence.inputs.site.community
    return _figure(None if group is None else group.score, "site.community.score", evidence)


def _permit_state(evidence: Evidence) -> SiteDatum:
    permits = evidence.inputs.site.permits
    if permits is None:
        return UNKNOWN
    found = {name: getattr(permits, name) for name in PERMITS}
    values = [0.0 if item is None else PERMIT_VALUE[item.status] for item in found.values()]
    words = [f"{name} {item.status}" for name, item in found.items() if item is not None]
    shown = ", ".join(words).replace("_", " ")
    return _word(sum(values) / len(values), shown, "site.permits", evidence)


def _circuits(evidence: Evidence) -> SiteDatum:
    grid = evidence.inputs.grid
    if grid is None or grid.circuits is None:
        return UNKNOWN
    count = grid.circuits.value
    apart = count > 1 and grid.common_tower is False
    value = 0.0 if count == 1 else 1.0 if apart else 0.5
    towers = "" if count == 1 else _TOWERS[grid.common_tower]
    shown = f"{count}{towers}"
    return SiteDatum(
        value,
        shown,
        grid.circuits.source or "grid file",
        grid.circuits.verified,
        key=f"{evidence.inputs.site.id}/grid.circuits",
    )


def _hazard(name: str) -> Callable[[Evidence], SiteDatum]:
    def read(evidence: Evidence) -> SiteDatum:
        hazards = evidence.inputs.site.hazards
        datum = None if hazards is None else getattr(hazards, name)
        if datum is not None:
            return _figure(datum, f"site.hazards.{name}", evidence)
        return _of_region(name, evidence, always=False)

    return read


def _flood_zone(evidence: Evidence) -> SiteDatum:
    land = evidence.inputs.site.land
    if land is None or land.flood_zone is None:
        return UNKNOWN
    value = 1.0 if land.flood_zone == "X" else 0.0
    return _word(value, land.flood_zone, "site.land.flood_zone", evidence)


def _water(evidence: Evidence) -> SiteDatum:
    """WUE of the plan times the share of the worst stress class."""
    plan = evidence.plan
    wue = None if plan is None else plan.summary.wue_l_per_kwh
    if wue is None:
        return UNKNOWN
    water = evidence.inputs.site.water
    stress = _figure(None if water is None else water.stress, "site.water.stress", evidence)
    if stress.value is None:
        stress = _of_region("water_stress", evidence, always=False)
    if stress.value is None:
        # no water at all is the same under any stress
        if wue > 0.0:
            return stress._replace(value=None)
        return SiteDatum(0.0, source="the plan evaporates nothing", verified="given")
    value = energy_mix.stressed_water_l_per_kwh(wue, stress.value)
    low, high = (
        None if bound is None else energy_mix.stressed_water_l_per_kwh(wue, bound)
        for bound in (stress.low, stress.high)
    )
    source = f"{wue:.3g} L/kWh at stress class {stress.value:g}; {stress.source}"
    return stress._replace(value=value, low=low, high=high, source=source)


def _shares(evidence: Evidence) -> tuple[energy_mix.EnergyShare, ...]:
    """Energy of the grid and of each plant as shares of the whole."""
    plan = evidence.plan
    if plan is None:
        return ()
    units = [
        energy_mix.Plant(
            unit.gross_mw.value if unit.firm_mw is None else unit.firm_mw.value,
            unit.gross_mw.value,
            value_of(unit.capacity_factor),
        )
        for unit in evidence.inputs.site.generation
    ]
    grid = evidence.inputs.grid
    firm = None
    if grid is not None:
        stages = [stage.firm_mw.value for stage in grid.stages]
        firm = max(stages, default=value_of(grid.requested_mw) or 0.0)
    return energy_mix.energy_shares(plan.summary.facility_power_mw, firm, tuple(units))


def _price(evidence: Evidence) -> SiteDatum:
    """All-in price of the supply mix at the meter; unknown where any part of it is."""
    shares = _shares(evidence)
    if not shares:
        return UNKNOWN
    figures: list[float] = []
    flags, sources, screened = [], [], False
    for share in shares:
        part = _grid_price(evidence) if share.plant is None else _plant_price(share.plant, evidence)
        if part.value is None:
            return SiteDatum(offered=part.offered, source=part.source)
        figures.append(part.value)
        flags.append(part.verified)
        sources.append(part.source)
        screened = screened or part.screened
    key = f"{evidence.inputs.site.id}/price"
    if screened and len(shares) == 1:
        key = "price"  # what comes from a row moves for all sites of the row alike
    return SiteDatum(
        energy_mix.mix_mean(tuple(share.share for share in shares), tuple(figures)),
        source="; ".join(dict.fromkeys(sources)),
        verified=worst_flag(*flags),
        key=key,
        screened=screened,
    )


def _plant_price(place: int, evidence: Evidence) -> SiteDatum:
    unit = evidence.inputs.site.generation[place]
    if unit.price_usd_per_mwh is None:
        return SiteDatum(source=f"no price of {unit.name or unit.type}")
    return _figure(unit.price_usd_per_mwh, f"site.generation.{place}.price", evidence)


def _grid_price(evidence: Evidence) -> SiteDatum:
    grid, plan = evidence.inputs.grid, evidence.plan
    tariff = None if grid is None else grid.tariff
    if tariff is None or tariff.energy_usd_per_mwh is None:
        return _of_region("price", evidence, always=False)
    energy, demand = tariff.energy_usd_per_mwh, tariff.demand_usd_per_kw_month
    flags = [energy.verified]
    if demand is None and not evidence.settings.screen:
        # a usual charge would replace a dear one that was left out
        return SiteDatum(source="tariff without its demand charge")
    if demand is None:
        charge = evidence.settings.number("demand_charge")
        flags.append("false")
    else:
        charge = demand.value
        flags.append(demand.verified)
    factor = load_factor(evidence) if plan is not None else None
    if factor is None:
        return UNKNOWN
    price = energy_mix.all_in_price_usd_per_mwh(energy.value, charge, factor)
    return SiteDatum(
        price,
        source=energy.source or "tariff of the grid file",
        verified=worst_flag(*flags),
        key=f"{evidence.inputs.site.id}/grid.tariff",
        screened=demand is None,
    )


def load_factor(evidence: Evidence) -> float | None:
    """Energy of the plan over what its facility power would take in a year."""
    given = value_of(evidence.inputs.site.load_factor)
    plan = evidence.plan
    if given is not None or plan is None:
        return given
    annual = plan.summary.pue_annual
    if annual is None or plan.summary.facility_power_mw <= 0.0:
        return None
    return energy_mix.plan_load_factor(
        plan.power.it_typical_mw, annual, plan.summary.facility_power_mw
    )


def _carbon(evidence: Evidence) -> SiteDatum:
    shares = _shares(evidence)
    if not shares:
        return UNKNOWN
    figures: list[float] = []
    flags, sources = [], []
    for share in shares:
        if share.plant is None:
            part = _of_region("carbon", evidence, always=True)
        else:
            part = _plant_carbon(share.plant, evidence)
        if part.value is None:
            return UNKNOWN
        figures.append(part.value)
        flags.append(part.verified)
        sources.append(part.source)
    return SiteDatum(
        energy_mix.mix_mean(tuple(share.share for share in shares), tuple(figures)),
        source="; ".join(dict.fromkeys(sources)),
        verified=worst_flag(*flags),
        key=f"{evidence.inputs.site.id}/carbon",
    )


def _plant_carbon(place: int, evidence: Evidence) -> SiteDatum:
    unit = evidence.inputs.site.generation[place]
    name = unit.name or unit.type.replace("_", " ")
    fixed = energy_mix.LIFECYCLE_G_PER_KWH.get(unit.type)
    if fixed is not None:
        return SiteDatum(fixed, source=f"{name}: IPCC AR5 median", verified="secondary")
    gas = "gas" in (unit.fuel or "").lower()
    if unit.heat_rate_btu_per_kwh is None or not gas:
        return UNKNOWN
    value = energy_mix.gas_carbon_g_per_kwh(unit.heat_rate_btu_per_kwh.value)
    return SiteDatum(value, source=f"{name}: heat rate, upstream gas not verified")


def _from_group(group: str, field: str) -> Callable[[Evidence], SiteDatum]:
    def read(evidence: Evidence) -> SiteDatum:
        found = getattr(evidence.inputs.site, group)
        datum = None if found is None else getattr(found, field)
        return _figure(datum, f"site.{group}.{field}", evidence)

    return read


def _sales_tax(evidence: Evidence) -> SiteDatum:
    tax = evidence.inputs.site.tax
    if tax is None or tax.sales_exempt is None:
        return _of_region("sales_tax", evidence, always=False)
    shown = "exempt" if tax.sales_exempt else "taxed"
    return _word(float(tax.sales_exempt), shown, "site.tax.sales_exempt", evidence)


def export_tier(inputs: SiteInputs) -> tuple[str | None, str, str]:
    """Export tier of a site, its source and its flag: the site file's, else the country's."""
    policy = inputs.site.policy
    if policy is not None and policy.export_tier is not None:
        return policy.export_tier, "site file", "false"
    row = None if inputs.region is None else catalog.country_conditions(inputs.region.iso2)
    if row is None or not row.export_tier:
        return None, "no row of the country", "false"
    return row.export_tier, f"{row.name}, {row.export_date}", row.verified_of("export_tier")


def _export_tier(evidence: Evidence) -> SiteDatum:
    tier, source, flag = export_tier(evidence.inputs)
    if tier is None:
        return UNKNOWN
    key = f"{evidence.inputs.site.country}/export_tier"
    return SiteDatum(EXPORT_VALUE[tier], tier.replace("_", " "), source, flag, key=key)


def _always(figure: str) -> Callable[[Evidence], SiteDatum]:
    return lambda evidence: _of_region(figure, evidence, always=True)


_READERS: dict[str, Callable[[Evidence], SiteDatum]] = {
    "power_price": _price,
    "community": _community,
    "permit_state": _permit_state,
    "circuits": _circuits,
    "seismic": _hazard("seismic"),
    "storm": _hazard("storm"),
    "flood_zone": _flood_zone,
    "water": _water,
    "carbon": _carbon,
    "fibre_routes": _from_group("fibre", "routes"),
    "rtt_hub": _from_group("fibre", "rtt_hub_ms"),
    "infrastructure": _always("infrastructure"),
    "sales_tax": _sales_tax,
    "abatement": _from_group("tax", "property_abatement_years"),
    "land_price": _from_group("land", "price_usd_per_acre"),
    "electricians": _from_group("workforce", "electricians_60mi"),
    "researchers": _always("researchers"),
    "governance": _always("governance"),
    "export_tier": _export_tier,
}
