"""What a site costs: capital by block, a year of operation, and the energy that it buys."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class CostBlock:
    """One block of the capital cost: a quantity times a unit cost of the year named."""

    block: str
    quantity: str = figure("Quantity", formula="given", detail=True)
    unit_cost: str = figure("Unit cost", formula="given", detail=True)
    low_musd: float | None = figure("Low", formula="block_cost_musd|given", digits=1)
    typical_musd: float | None = figure("Typical", formula="block_cost_musd|given", digits=1)
    high_musd: float | None = figure("High", formula="block_cost_musd|given", digits=1)
    year: str
    verified: str
    source: str = figure("Source", formula="given", detail=True)


@frozen
class YearlyCost:
    """One cost of a year of operation."""

    item: str
    quantity: str = figure("Quantity", formula="given", detail=True)
    unit_cost: str = figure("Unit cost", formula="given", detail=True)
    low_musd_per_year: float | None = figure("Low", formula="yearly_cost_musd", digits=1)
    typical_musd_per_year: float | None = figure("Typical", formula="yearly_cost_musd", digits=1)
    high_musd_per_year: float | None = figure("High", formula="yearly_cost_musd", digits=1)
    year: str
    verified: str
    source: str = figure("Source", formula="given", detail=True)


@frozen
class EnergySource:
    """One source of the year's energy, its price and its carbon."""

    supply: str
    energy_mwh_per_year: float = figure(
        "Energy", formula="source_energy_mwh_per_year", digits=0, detail=True
    )
    share_percent: float = figure("Share", formula="energy_share_percent", digits=1)
    price_usd_per_mwh: float | None = figure(
        "Price", formula="all_in_price_usd_per_mwh|lcoe_usd_per_mwh|given", digits=1
    )
    price_basis: str
    carbon_g_per_kwh: float | None = figure(
        "Carbon", formula="gas_carbon_g_per_kwh|given", digits=0
    )
    verified: str
    source: str = figure("Source", formula="given", detail=True)


@frozen
class CostSection:
    """Capital by block, yearly operation, levelised figures. None of it ranks a site.

    Prices of different years stand side by side and are not escalated. A total leaves out what is
    unknown; `unknown` names it.
    """

    capex_musd: float = figure("Capital cost", basis="typical", formula="total_musd", digits=0)
    capex_low_musd: float = figure("Capital cost", basis="low", formula="total_low_musd", digits=0)
    capex_high_musd: float = figure(
        "Capital cost", basis="high", formula="total_high_musd", digits=0
    )
    capex_usd_per_it_kw: float = figure(
        "Capital cost per IT kW", basis="30,000-48,000 at public AI sites", digits=0
    )
    unverified_capex_percent: float = figure(
        "Of it on unit costs not verified", formula="unverified_share_percent", digits=0
    )
    opex_musd_per_year: float | None = figure("Operation, a year", formula="total_musd", digits=0)
    opex_low_musd_per_year: float | None = figure(
        "Operation, a year", basis="low", formula="total_low_musd", digits=0, detail=True
    )
    opex_high_musd_per_year: float | None = figure(
        "Operation, a year", basis="high", formula="total_high_musd", digits=0, detail=True
    )
    energy_mwh_per_year: float | None = figure(
        "Energy at the meter", basis="typical power", formula="plan_energy_mwh_per_year", digits=0
    )
    load_factor: float | None = figure(
        "Load factor", formula="plan_load_factor|given", digits=3, detail=True
    )
    energy_price_usd_per_mwh: float | None = figure(
        "Price of the supply mix", formula="mix_of_sources", digits=1
    )
    energy_carbon_g_per_kwh: float | None = figure(
        "Carbon of the supply mix", formula="mix_of_sources", digits=0
    )
    compute_usd_per_h100e_hour: float | None = figure(
        "Levelised per H100e-hour", basis="installed hour", digits=3
    )
    unknown: str
    blocks: tuple[CostBlock, ...]
    operation: tuple[YearlyCost, ...]
    supply: tuple[EnergySource, ...]
