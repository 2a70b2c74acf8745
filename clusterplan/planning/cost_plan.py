"""The cost section of a plan: blocks, a year of operation, supply mix, levelised figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.record import given
from clusterplan.core.results.cost import CostBlock, CostSection, EnergySource, YearlyCost
from clusterplan.planning import cost_blocks
from clusterplan.planning.supply_mix import Demand, supply_mix
from clusterplan.planning.unit_prices import SHARE, Price, amount_text, note_inputs, of_catalog
from clusterplan.sizing import cost, energy_mix

if TYPE_CHECKING:
    from clusterplan.core.results.cooling import CoolingSection
    from clusterplan.planning.cost_blocks import Plan

USUAL_USD_PER_KW = (30_000.0, 48_000.0)
M3_PER_KGAL = 3.785411784
_BEHIND_MIX = "generation"  # capital that the price of on-site energy already pays


def cost_section(
    plan: Plan,
    cooling: CoolingSection,
    pue_annual: float | None,
    h100_equivalents: float | None,
) -> CostSection:
    """All costs of a plan. What is unknown is left out of the totals and named."""
    choices = plan.model.choices
    blocks = cost_blocks.capital_blocks(plan)
    known = [block for block in blocks if block.typical_musd is not None]
    capex, low, high = _totals(known)
    unverified = sum(block.typical_musd or 0.0 for block in known if block.verified == "false")
    per_kw = cost.capex_usd_per_it_kw(capex, plan.it_mw)
    behind = sum(b.typical_musd or 0.0 for b in known if b.block.startswith(_BEHIND_MIX))
    without = 1000.0 * (capex - behind) / plan.it_mw  # public figures are of grid-fed campuses
    if not USUAL_USD_PER_KW[0] <= without <= USUAL_USD_PER_KW[1]:
        plan.ledger.warn(
            "capex_unusual",
            "cost.capex_usd_per_it_kw",
            f"{without:,.0f} USD per IT kW, generation left out, is outside the 30,000 to 48,000"
            " of public AI sites",
        )
    energy, demand = _demand(plan, pue_annual)
    priced = [] if demand is None else supply_mix(plan.inputs, demand, plan.ledger)
    supply = [row for row, _ in priced]
    price = _mix(supply, "price_usd_per_mwh")
    operation = _operation(plan, known, priced, cooling)
    missing = [block.block for block in blocks if block.typical_musd is None]
    opex, opex_low, opex_high = _yearly_totals(operation)
    if energy is None or price is None:
        missing.append("energy")
        opex = opex_low = opex_high = None
    it_musd = sum(b.typical_musd or 0.0 for b in known if b.block in cost_blocks.IT_BLOCKS)
    rate = choices.number("cost.discount_rate")
    hour = None
    if opex is not None and h100_equivalents:
        hour = cost.compute_usd_per_h100e_hour(
            cost.capital_recovery(rate, choices.number("cost.it_life")),
            it_musd,
            cost.capital_recovery(rate, choices.number("cost.facility_life")),
            capex - it_musd - behind,
            opex,
            h100_equivalents,
        )
    return CostSection(
        capex_musd=capex,
        capex_low_musd=low,
        capex_high_musd=high,
        capex_usd_per_it_kw=per_kw,
        unverified_capex_percent=cost.unverified_share_percent(unverified, capex),
        opex_musd_per_year=opex,
        opex_low_musd_per_year=opex_low,
        opex_high_musd_per_year=opex_high,
        energy_mwh_per_year=energy,
        load_factor=None if demand is None else demand.load_factor,
        energy_price_usd_per_mwh=price,
        energy_carbon_g_per_kwh=_mix(supply, "carbon_g_per_kwh"),
        compute_usd_per_h100e_hour=hour,
        unknown=", ".join(missing),
        blocks=tuple(blocks),
        operation=tuple(operation),
        supply=tuple(supply),
    )


def _totals(blocks: list[CostBlock]) -> tuple[float, float, float]:
    """Typical, low and high of known blocks."""
    typical = tuple(block.typical_musd or 0.0 for block in blocks)
    low = tuple(block.low_musd or 0.0 for block in blocks)
    high = tuple(block.high_musd or 0.0 for block in blocks)
    return (
        cost.total_musd(typical),
        cost.total_low_musd(typical, low),
        cost.total_high_musd(typical, high),
    )


def _yearly_totals(
    rows: list[YearlyCost],
) -> tuple[float | None, float | None, float | None]:
    typical = tuple(row.typical_musd_per_year or 0.0 for row in rows)
    low = tuple(row.low_musd_per_year or 0.0 for row in rows)
    high = tuple(row.high_musd_per_year or 0.0 for row in rows)
    return (
        cost.total_musd(typical),
        cost.total_low_musd(typical, low),
        cost.total_high_musd(typical, high),
    )


def _demand(plan: Plan, pue_annual: float | None) -> tuple[float | None, Demand | None]:
    """MWh of a year and what the supply mix is made for; None where the year is unknown."""
    if pue_annual is None:
        return None, None
    energy = cost.plan_energy_mwh_per_year(plan.power.it_typical_mw, pue_annual)
    site, case, choices = plan.inputs.site, plan.model.case, plan.model.choices
    factor = energy_mix.plan_load_factor(plan.power.it_typical_mw, pue_annual, plan.facility_mw)
    if site.load_factor is not None:
        factor = site.load_factor.value
        energy = factor * cost.HOURS * plan.facility_mw
        given("cost.load_factor", factor, "", "site.yaml, given to override", "given")
        words = "load factor given x 8,760 h x facility power"
        given("cost.energy_mwh_per_year", energy, "MWh/yr", words, "given")
    firm = case.steps[-1].grid_firm_mw if plan.inputs.grid is not None and case.steps else None
    return energy, Demand(
        energy / cost.HOURS,
        firm,
        factor,
        choices.number("cost.discount_rate"),
        choices.number("cost.facility_life"),
    )


def _mix(supply: list[EnergySource], name: str) -> float | None:
    figures = [getattr(row, name) for row in supply]
    if not figures or None in figures:
        return None
    return cost.mix_of_sources(tuple(row.share_percent for row in supply), tuple(figures))


def _yearly(item: str, amount: tuple[float, str], price: Price) -> YearlyCost:
    """A yearly cost of `amount` (quantity, its unit) at a price."""
    quantity, unit = amount
    note_inputs(f"cost.operation.{item}", amount, price, 1.0)
    low, high, typical = (
        cost.yearly_cost_musd(quantity, one, 1.0, price.units_per_musd) for one in price.range
    )
    return YearlyCost(
        item=item,
        quantity=f"{amount_text(quantity)} {unit}",
        unit_cost=price.text,
        low_musd_per_year=low,
        typical_musd_per_year=typical,
        high_musd_per_year=high,
        year=price.year_text,
        source=price.source,
        verified=price.verified,
    )


def _operation(
    plan: Plan,
    blocks: list[CostBlock],
    priced: list[tuple[EnergySource, Price | None]],
    cooling: CoolingSection,
) -> list[YearlyCost]:
    """The yearly costs; energy of the sources whose price is known."""
    ledger = plan.ledger
    rows = [
        _yearly(f"energy, {row.supply}", (row.energy_mwh_per_year, "MWh"), price)
        for row, price in priced
        if price is not None
    ]
    water = cooling.water_m3_per_year
    if water:
        source = None if plan.inputs.site.water is None else plan.inputs.site.water.source
        kind = "water-reclaimed" if source == "reclaimed" else "water-municipal"
        rows.append(_yearly("water", (water / M3_PER_KGAL, "kgal"), of_catalog(kind, ledger)))
    built = _sum(blocks, cost_blocks.CONSTRUCTION)
    total = sum(block.typical_musd or 0.0 for block in blocks)
    taxed = total - _sum(blocks, cost_blocks.IT_BLOCKS)
    of_capital = (
        ("maintenance", built, "MUSD of construction"),
        ("insurance", total, "MUSD of capital"),
        ("property-tax", taxed, "MUSD of capital without IT"),
    )
    for row, base, words in of_capital:
        price = of_catalog(row, ledger)._replace(unit=SHARE)
        rows.append(_yearly(row.replace("-", " "), (base, words), price))
    people = of_catalog("facility-staff", ledger)
    pay = of_catalog("staff-loaded-cost", ledger)
    per_mw = Price(
        people.low * pay.typical,
        people.typical * pay.typical,
        people.high * pay.typical,
        "USD/MW_IT-yr",
        pay.year,
        pay.source,
        pay.verified,
    )
    rows.append(_yearly("staff", (plan.it_mw, "MW IT"), per_mw))
    return rows


def _sum(blocks: list[CostBlock], names: tuple[str, ...]) -> float:
    return sum(block.typical_musd or 0.0 for block in blocks if block.block in names)
