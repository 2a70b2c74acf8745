"""Where the year's energy comes from, at what price and with how much carbon.

Prices of the user's files come first. The mean price of a state or country fills a gap only where
the site is screened; a levelised cost from the catalogue is shown for on-site units without a
price, and is marked so that nothing is scored on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.core.results.cost import EnergySource
from clusterplan.inputs.datum import value_of
from clusterplan.planning.unit_prices import Price, of_catalog, of_user
from clusterplan.sizing import cost, energy_mix

if TYPE_CHECKING:
    from clusterplan.core.equipment import CountryConditions, StateConditions
    from clusterplan.inputs.grid_file import Tariff
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.inputs.site_file import Generation
    from clusterplan.planning.choices import Ledger

VARIABLE = ("solar", "wind")
GAS = ("ccgt", "gas_turbine", "reciprocating_engine", "fuel_cell")
LONG_LIVED_YEARS = 30.0
GIVEN, TARIFF, REGION, LCOE, UNKNOWN = "given", "tariff", "regional mean", "LCOE", "unknown"
_UNIT = "USD/MWh"


class Demand(NamedTuple):
    """What the plan draws: mean and firm grid MW, load factor, recovery of 20-year works."""

    mean_mw: float
    grid_firm_mw: float | None  # None: unlimited (assumed)
    load_factor: float
    discount_rate: float
    facility_life_years: float


class Part(NamedTuple):
    """One source before its row is made: unit None is the grid."""

    name: str
    unit: Generation | None
    place: int
    mean_mw: float


def parts_of_supply(inputs: SiteInputs, demand: Demand, ledger: Ledger) -> list[Part]:
    """Yearly means in MW of each source that serves the plan.

    A unit with a capacity factor gives that share of its MW (solar and wind without one: the
    catalogue's); of the rest firm grid MW serve first, the other units what is left.
    """
    plants: list[energy_mix.Plant] = []
    for unit in inputs.site.generation:
        factor = value_of(unit.capacity_factor)
        if factor is None and unit.type in VARIABLE:
            factor = of_catalog(f"capacity-factor-{unit.type}", ledger).typical
        gross = unit.gross_mw.value
        firm = gross if unit.firm_mw is None else unit.firm_mw.value
        plants.append(energy_mix.Plant(firm, gross, factor))
    firm_mw = demand.grid_firm_mw
    if inputs.grid is None:
        firm_mw = None if inputs.site.generation else demand.mean_mw
    parts: list[Part] = []
    for share in energy_mix.energy_shares(demand.mean_mw, firm_mw, tuple(plants)):
        mean = share.share * demand.mean_mw
        if share.plant is None:
            parts.append(Part("grid", None, -1, mean))
        else:
            unit = inputs.site.generation[share.plant]
            name = unit.name or unit.type.replace("_", " ")
            parts.append(Part(name, unit, share.plant, mean))
    return parts


def supply_mix(
    inputs: SiteInputs, demand: Demand, ledger: Ledger
) -> list[tuple[EnergySource, Price | None]]:
    """One row a source, with its price. Prices and carbon that are unknown are None."""
    parts = parts_of_supply(inputs, demand, ledger)
    total = sum(part.mean_mw for part in parts)
    rows: list[tuple[EnergySource, Price | None]] = []
    for place, part in enumerate(parts):
        path = f"cost.supply.{place}"
        if part.unit is None:
            price, basis = grid_price(inputs, demand.load_factor, ledger)
            carbon, carbon_source = grid_carbon(inputs)
        else:
            price, basis = _unit_price(inputs, part, demand, total, ledger)
            carbon, carbon_source = _unit_carbon(part.unit, ledger)
        if price is not None and basis in (GIVEN, REGION):
            given(f"{path}.price_usd_per_mwh", price.typical, _UNIT, price.source, price.verified)
        if carbon is not None:
            given(f"{path}.carbon_g_per_kwh", carbon, "g/kWh", carbon_source)
        row = EnergySource(
            supply=part.name,
            energy_mwh_per_year=cost.source_energy_mwh_per_year(part.mean_mw),
            share_percent=cost.energy_share_percent(part.mean_mw, total),
            price_usd_per_mwh=None if price is None else price.typical,
            price_basis=basis,
            carbon_g_per_kwh=carbon,
            source="" if price is None else price.source,
            verified="false" if price is None else price.verified,
        )
        rows.append((row, price))
    return rows


def grid_price(inputs: SiteInputs, load_factor: float, ledger: Ledger) -> tuple[Price | None, str]:
    """All-in price of grid energy and what it rests on: tariff, regional mean or nothing."""
    tariff = None if inputs.grid is None else inputs.grid.tariff
    if tariff is not None and tariff.energy_usd_per_mwh is not None:
        return _tariff_price(tariff, load_factor, ledger), TARIFF
    if not inputs.screen:
        ledger.warn(
            "energy_price_unknown",
            "grid.tariff.energy",
            "no tariff: the price of grid energy is unknown, and the yearly cost with it; give"
            " grid.tariff, or screen with --screen to use the mean of the region",
        )
        return None, UNKNOWN
    price = regional_price(inputs)
    if price is None:
        ledger.warn(
            "energy_price_unknown",
            "grid.tariff.energy",
            f"no tariff, and no price is known for {inputs.site.country}",
        )
        return None, UNKNOWN
    ledger.assume(
        "grid.tariff.energy",
        price.typical,
        _UNIT,
        f"regional mean, filled in by --screen; {price.source}, {price.year}",
        verified=price.verified,
    )
    return price, REGION


def _tariff_price(tariff: Tariff, load_factor: float, ledger: Ledger) -> Price | None:
    if tariff.energy_usd_per_mwh is None:
        return None
    energy = of_user(tariff.energy_usd_per_mwh, _UNIT, "grid.yaml")
    if tariff.demand_usd_per_kw_month is None:
        demand = of_catalog("demand-charge", ledger)
        verified = demand.verified
    else:
        demand = of_user(tariff.demand_usd_per_kw_month, "USD/kW-month", "grid.yaml")
        verified = energy.verified
    low, high, typical = (
        energy_mix.all_in_price_usd_per_mwh(one, two, load_factor)
        for one, two in zip(energy.range, demand.range, strict=True)
    )
    return energy._replace(low=low, typical=typical, high=high, verified=verified)


def conditions(inputs: SiteInputs) -> tuple[StateConditions | None, CountryConditions | None]:
    """The rows of the site's US state and country; None where there is none."""
    state = None if inputs.state is None else catalog.state_conditions(inputs.state.code)
    country = None if inputs.region is None else catalog.country_conditions(inputs.region.iso2)
    return state, country


def regional_price(inputs: SiteInputs) -> Price | None:
    """Mean industrial price of the state, else what large loads pay in the country; all-in."""
    state, country = conditions(inputs)
    if state is not None and state.price_usd_per_mwh is not None:
        mean = state.price_usd_per_mwh
        flag = state.verified_of("price_usd_per_mwh")
        return Price(mean, mean, mean, _UNIT, state.price_year, "eia-retail-2024", flag)
    if country is not None and country.price_usd_per_mwh is not None:
        mean = country.price_usd_per_mwh
        return Price(
            country.price_low_usd_per_mwh or mean,
            mean,
            country.price_high_usd_per_mwh or mean,
            _UNIT,
            country.price_year,
            f"country row {country.id}",
            country.verified_of("price_usd_per_mwh"),
        )
    return None


def grid_carbon(inputs: SiteInputs) -> tuple[float | None, str]:
    """g/kWh of the grid, one series for all: the state's balancing area, else the country."""
    state, country = conditions(inputs)
    source = "electricity-maps-2025"
    if state is not None and state.grid_carbon_g_per_kwh is not None:
        return state.grid_carbon_g_per_kwh, f"{state.carbon_zone}; {source}"
    if country is not None and country.grid_carbon_g_per_kwh is not None:
        return country.grid_carbon_g_per_kwh, f"{country.name}; {source}"
    return None, ""


def _unit_carbon(unit: Generation, ledger: Ledger) -> tuple[float | None, str]:
    if unit.type in GAS:
        rate = (
            of_catalog(f"heat-rate-{unit.type.replace('_', '-')}", ledger).typical
            if unit.heat_rate_btu_per_kwh is None
            else unit.heat_rate_btu_per_kwh.value
        )
        return energy_mix.gas_carbon_g_per_kwh(rate), "heat rate of the unit"
    if unit.type in energy_mix.LIFECYCLE_G_PER_KWH:
        return energy_mix.LIFECYCLE_G_PER_KWH[unit.type], "IPCC AR5, life cycle, median"
    return None, ""


def _unit_price(
    inputs: SiteInputs, part: Part, demand: Demand, total_mw: float, ledger: Ledger
) -> tuple[Price | None, str]:
    """Price of on-site energy: the user's, else a levelised cost where its rows are known."""
    unit = part.unit
    if unit is None:
        return None, UNKNOWN
    if unit.price_usd_per_mwh is not None:
        return of_user(unit.price_usd_per_mwh, _UNIT, "site.yaml"), GIVEN
    kind = unit.type.replace("_", "-")
    if unit.type not in (*GAS, *VARIABLE) or part.mean_mw <= 0.0:
        ledger.warn(
            "energy_price_unknown",
            f"site.generation.{part.place}.price",
            f"no price is given for {part.name}, and none can be worked out for its type",
        )
        return None, UNKNOWN
    factor = part.mean_mw / unit.gross_mw.value
    capex = of_catalog(f"generation-{kind}", ledger)
    fixed, variable = (of_catalog(f"om-{what}-{kind}", ledger) for what in ("fixed", "variable"))
    rate = gas = Price(0.0, 0.0, 0.0, "", None, "", "true")
    if unit.type in GAS:
        rate = of_catalog(f"heat-rate-{kind}", ledger)
        if unit.heat_rate_btu_per_kwh is not None:
            rate = of_user(unit.heat_rate_btu_per_kwh, "BTU/kWh", "site.yaml")
        gas = of_catalog(f"gas-{_division(inputs)}", ledger)
    life = LONG_LIVED_YEARS if unit.type in VARIABLE else demand.facility_life_years
    recovery = cost.capital_recovery(demand.discount_rate, life)
    low, high, typical = (
        cost.lcoe_usd_per_mwh(recovery, cap, fix, factor, heat, fuel, other)
        for cap, fix, heat, fuel, other in zip(
            capex.range, fixed.range, rate.range, gas.range, variable.range, strict=True
        )
    )
    ledger.warn(
        "energy_price_is_lcoe",
        f"site.generation.{part.place}.price",
        f"no price is given for {part.name}: {typical:.1f} USD/MWh is a levelised cost from the"
        " catalogue, shown but never scored",
    )
    return Price(low, typical, high, _UNIT, capex.year, capex.source, "false"), LCOE


def _division(inputs: SiteInputs) -> str:
    """Census division whose gas price counts; Mountain, the row with a range, elsewhere."""
    state, _ = conditions(inputs)
    return "mountain" if state is None else state.census_division
