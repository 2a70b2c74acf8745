"""Where the energy of a year comes from, its all-in price, carbon and water."""

from __future__ import annotations

from typing import NamedTuple

from clusterplan.core.record import formula

SITING_1 = "clusterplan method, siting section 1"
# g of CO2 equivalent per kWh over the life cycle: medians of IPCC AR5 WG3 annex III, table A.III.2
LIFECYCLE_G_PER_KWH = {
    "solar": 48.0,
    "geothermal": 38.0,
    "hydro": 24.0,
    "nuclear": 12.0,
    "wind": 11.0,
}


class Plant(NamedTuple):
    """An on-site plant: firm and gross MW, yearly capacity factor where given."""

    firm_mw: float
    gross_mw: float
    capacity_factor: float | None = None


class EnergyShare(NamedTuple):
    """A share of the energy of a year; `plant` is the place of the plant, None the grid."""

    share: float
    plant: int | None


def energy_shares(
    facility_mw: float, grid_firm_mw: float | None, plants: tuple[Plant, ...]
) -> tuple[EnergyShare, ...]:
    """Shares of the energy, adding up to 1: plants with a capacity factor, grid, other plants.

    facility_mw, grid_firm_mw in MW, the latter None for an island. A plant with a capacity factor
    gives CF x gross MW; the grid's firm MW serve next and the other plants, by firm MW, the rest.
    Source: clusterplan method, siting section 1.
    """
    if facility_mw <= 0.0:
        return ()
    found: list[EnergyShare] = []
    left = facility_mw
    for place, plant in enumerate(plants):
        if plant.capacity_factor is not None and left > 0.0:
            given = min(left, plant.capacity_factor * plant.gross_mw)
            left -= given
            found.append(EnergyShare(given / facility_mw, place))
    rest = [(place, p.firm_mw) for place, p in enumerate(plants) if p.capacity_factor is None]
    firm = sum(mw for _, mw in rest)
    from_grid = 0.0 if grid_firm_mw is None else min(left, grid_firm_mw)
    if firm <= 0.0:
        from_grid = left
    if from_grid > 0.0:
        found.append(EnergyShare(from_grid / facility_mw, None))
    left -= from_grid
    if left > 0.0:
        found += [
            EnergyShare(left / facility_mw * mw / firm, place) for place, mw in rest if mw > 0
        ]
    return tuple(found)


@formula(
    title="Mean of the supply mix, weighed by energy",
    equation="sum(share * figure for share, figure in zip(shares, figures))",
    unit="",
    source=SITING_1,
)
def mix_mean(shares: tuple[float, ...], figures: tuple[float, ...]) -> float:
    """Price (USD/MWh) or carbon (g/kWh) of a mix from energy shares and the figure of each."""
    return sum(share * figure for share, figure in zip(shares, figures, strict=True))


@formula(
    title="Load factor of the plan",
    equation="it_typical_mw * pue_annual / facility_mw",
    unit="",
    source=SITING_1,
)
def plan_load_factor(it_typical_mw: float, pue_annual: float, facility_mw: float) -> float:
    """Mean power of the year at the meter (MW) over the peak facility power (MW)."""
    return it_typical_mw * pue_annual / facility_mw


@formula(
    title="All-in price of the grid",
    equation="energy_usd_per_mwh + 12000.0 * demand_usd_per_kw_month / (8760.0 * load_factor)",
    unit="USD/MWh",
    source=SITING_1,
)
def all_in_price_usd_per_mwh(
    energy_usd_per_mwh: float, demand_usd_per_kw_month: float, load_factor: float
) -> float:
    """Energy price (USD/MWh) with the demand charge (USD/kW-month) spread over the energy."""
    return energy_usd_per_mwh + 12000.0 * demand_usd_per_kw_month / (8760.0 * load_factor)


@formula(
    title="Carbon of gas on site",
    equation="heat_rate_btu_per_kwh * (53.06 + upstream_kg_per_mmbtu) / 1000.0",
    unit="g/kWh",
    source=SITING_1 + "; 53.06 kg CO2 per MMBtu of natural gas (40 CFR 98 table C-1)",
)
def gas_carbon_g_per_kwh(
    heat_rate_btu_per_kwh: float, upstream_kg_per_mmbtu: float = 12.0
) -> float:
    """Carbon (g CO2 equivalent per kWh) from the heat rate (BTU/kWh, HHV), upstream included."""
    return heat_rate_btu_per_kwh * (53.06 + upstream_kg_per_mmbtu) / 1000.0


@formula(
    title="Water use weighed by stress",
    equation="wue_l_per_kwh * stress_class / 4.0",
    unit="L/kWh",
    source=SITING_1,
)
def stressed_water_l_per_kwh(wue_l_per_kwh: float, stress_class: float) -> float:
    """L per IT kWh, counted in full at stress class 4 and not at all at class 0."""
    return wue_l_per_kwh * stress_class / 4.0
