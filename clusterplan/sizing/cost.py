"""Cost arithmetic: blocks, totals with their spread, levelised cost of energy and of compute.

Money is USD of the year that the unit cost names; nothing is escalated. Nothing here ranks a site.
"""

from __future__ import annotations

import math

from clusterplan.core.record import formula

HOURS = 8760
_METHOD = "clusterplan method, siting section 11"
_SPREAD = "clusterplan method, siting section 11: root of the sum of the squares of the spreads"
_CRF = "annuity of a present sum (Short, Packey and Holt, NREL/TP-462-5173, 1995)"


@formula(
    title="Cost of a block",
    equation="quantity * unit_cost * share / units_per_musd",
    unit="MUSD",
    source=_METHOD,
)
def block_cost_musd(
    quantity: float, unit_cost: float, share: float = 1.0, units_per_musd: float = 1e6
) -> float:
    """MUSD of a quantity at a unit cost in USD (in MUSD where units_per_musd is 1)."""
    return quantity * unit_cost * share / units_per_musd


@formula(
    title="Cost of a year",
    equation="quantity * unit_cost * share / units_per_musd",
    unit="MUSD/yr",
    source=_METHOD,
)
def yearly_cost_musd(
    quantity: float, unit_cost: float, share: float = 1.0, units_per_musd: float = 1e6
) -> float:
    """MUSD a year of a yearly quantity at a unit cost in USD (in MUSD where that is 1)."""
    return quantity * unit_cost * share / units_per_musd


@formula(title="Total", equation="sum(typical)", unit="MUSD", source=_METHOD)
def total_musd(typical: tuple[float, ...]) -> float:
    """Sum of the typical costs, MUSD."""
    return sum(typical)


@formula(
    title="Total, low",
    equation="sum(typical) - sqrt(sum((t - v) ** 2 for t, v in zip(typical, low, strict=True)))",
    unit="MUSD",
    source=_SPREAD,
)
def total_low_musd(typical: tuple[float, ...], low: tuple[float, ...]) -> float:
    """Low end of a total, MUSD: the blocks are not all cheap at once."""
    return sum(typical) - math.sqrt(sum((t - v) ** 2 for t, v in zip(typical, low, strict=True)))


@formula(
    title="Total, high",
    equation="sum(typical) + sqrt(sum((v - t) ** 2 for t, v in zip(typical, high, strict=True)))",
    unit="MUSD",
    source=_SPREAD,
)
def total_high_musd(typical: tuple[float, ...], high: tuple[float, ...]) -> float:
    """High end of a total, MUSD: the blocks are not all dear at once."""
    return sum(typical) + math.sqrt(sum((v - t) ** 2 for t, v in zip(typical, high, strict=True)))


@formula(
    title="Capital cost per IT kW",
    equation="1000 * capex_musd / it_mw",
    unit="USD/IT kW",
    source=_METHOD,
)
def capex_usd_per_it_kw(capex_musd: float, it_mw: float) -> float:
    """USD of all blocks per kW of IT at the capacity basis."""
    return 1000 * capex_musd / it_mw


@formula(
    title="Share of the capital cost on unit costs that are not verified",
    equation="100 * unverified_musd / capex_musd",
    unit="%",
    source=_METHOD,
)
def unverified_share_percent(unverified_musd: float, capex_musd: float) -> float:
    """Percent of the capital cost, both in MUSD, that rests on judgement alone."""
    return 100 * unverified_musd / capex_musd


@formula(
    title="Capital recovery factor",
    equation="rate / (1 - (1 + rate) ** -life_years)",
    unit="1/yr",
    source=_CRF,
)
def capital_recovery(rate: float, life_years: float) -> float:
    """Yearly payment per unit of capital; rate as a fraction a year, above 0."""
    paid_off: float = (1 + rate) ** -life_years
    return rate / (1 - paid_off)


@formula(
    title="Levelised cost of energy",
    equation="1000 * (recovery * capex_usd_per_kw + fixed_usd_per_kw_year) / (8760 * "
    "capacity_factor) + heat_rate_btu_per_kwh * gas_usd_per_mmbtu / 1000 + variable_usd_per_mwh",
    unit="USD/MWh",
    source="simple levelised cost (NREL, Short et al. 1995; EIA heat rates are HHV)",
)
def lcoe_usd_per_mwh(
    recovery: float,
    capex_usd_per_kw: float,
    fixed_usd_per_kw_year: float,
    capacity_factor: float,
    heat_rate_btu_per_kwh: float = 0.0,
    gas_usd_per_mmbtu: float = 0.0,
    variable_usd_per_mwh: float = 0.0,
) -> float:
    """USD/MWh of a plant: capital, fixed and variable O&M, fuel at its heat rate (HHV).

    A combined cycle at 2,400 USD/kW over 20 years at 8 %:

    >>> round(lcoe_usd_per_mwh(0.10185, 2400.0, 33.1, 0.85, 6330.0, 3.74, 2.1), 1)
    63.0
    """
    fixed = 1000 * (recovery * capex_usd_per_kw + fixed_usd_per_kw_year)
    fuel = heat_rate_btu_per_kwh * gas_usd_per_mmbtu / 1000
    return fixed / (HOURS * capacity_factor) + fuel + variable_usd_per_mwh


@formula(
    title="Energy of a year at the meter",
    equation="it_typical_mw * pue_annual * 8760",
    unit="MWh/yr",
    source="clusterplan method, counting rule 16",
)
def plan_energy_mwh_per_year(it_typical_mw: float, pue_annual: float) -> float:
    """MWh of a year from IT at typical rack power (MW) and the yearly PUE."""
    return it_typical_mw * pue_annual * HOURS


@formula(
    title="Energy of one source",
    equation="mean_mw * 8760",
    unit="MWh/yr",
    source="clusterplan method, siting section 1: energy shares",
)
def source_energy_mwh_per_year(mean_mw: float) -> float:
    """MWh of a year from a yearly mean in MW."""
    return mean_mw * HOURS


@formula(
    title="Share of a source",
    equation="100 * mean_mw / total_mw",
    unit="%",
    source="clusterplan method, siting section 1: energy shares",
)
def energy_share_percent(mean_mw: float, total_mw: float) -> float:
    """Percent of the energy; both as yearly means in MW."""
    return 100 * mean_mw / total_mw


@formula(
    title="Mean over the supply mix, by energy",
    equation="sum(s * v for s, v in zip(share_percent, figures, strict=True)) / 100",
    unit="",
    source="clusterplan method, siting section 1",
)
def mix_of_sources(share_percent: tuple[float, ...], figures: tuple[float, ...]) -> float:
    """Price (USD/MWh) or carbon (g/kWh) of the mix, weighted by energy."""
    return sum(s * v for s, v in zip(share_percent, figures, strict=True)) / 100


@formula(
    title="Levelised cost of an H100-equivalent hour",
    equation="1e6 * (it_recovery * it_musd + facility_recovery * facility_musd + "
    "opex_musd_per_year) / (h100_equivalents * 8760)",
    unit="USD/H100e-h",
    source=_METHOD,
)
def compute_usd_per_h100e_hour(
    it_recovery: float,
    it_musd: float,
    facility_recovery: float,
    facility_musd: float,
    opex_musd_per_year: float,
    h100_equivalents: float,
) -> float:
    """USD per installed H100e-hour; generation is in the price of its energy, not in facility."""
    yearly = it_recovery * it_musd + facility_recovery * facility_musd + opex_musd_per_year
    return 1e6 * yearly / (h100_equivalents * HOURS)
