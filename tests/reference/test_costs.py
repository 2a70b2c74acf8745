"""Costs against the method's worked figures (siting section 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusterplan.cli.size import load
from clusterplan.planning.size_site import Request, size_site
from clusterplan.sizing import cost

if TYPE_CHECKING:
    from pathlib import Path

    from clusterplan.core.results.cost import CostSection

SITE = """\
id: vector
name: Vector
country: US
state: OK
latitude: 35.5
longitude: -97.5
elevation: 390 m
rack: gb300-nvl72
"""
GRID = """\
voltage: 345 kV
circuits: 2
distance_to_poi: 5 mile
stages:
  - {name: all, energised: 2028-01-01, firm: 1400 MW, status: agreement}
short_circuit: {min: 20 kA, max: 40 kA}
"""
TARIFF = "tariff: {energy: 45 USD/MWh, demand: 12 USD/kW-month}\n"


def _cost(folder: Path, site: str = SITE, grid: str | None = GRID + TARIFF) -> CostSection:
    (folder / "site.yaml").write_text(site, encoding="utf-8")
    if grid is not None:
        (folder / "grid.yaml").write_text(grid, encoding="utf-8")
    section = size_site(load(str(folder), {}, ()), Request(racks=6346)).cost
    assert section is not None
    return section


def test_capital_recovery_is_that_of_annuity_tables() -> None:
    assert cost.capital_recovery(0.08, 5) == pytest.approx(0.25046, abs=5e-6)  # any annuity table
    assert cost.capital_recovery(0.08, 20) == pytest.approx(0.10185, abs=5e-6)


def test_levelised_cost_of_energy() -> None:
    twenty, thirty = (cost.capital_recovery(0.08, years) for years in (20, 30))
    gas = cost.lcoe_usd_per_mwh(twenty, 2400.0, 33.1, 0.85, 6330.0, 3.74, 2.1)
    assert gas == pytest.approx(63.0, abs=0.05)
    assert cost.lcoe_usd_per_mwh(thirty, 1450.0, 20.0, 0.28) == pytest.approx(60.7, abs=0.05)


def test_a_gigawatt_of_gb300_costs_41_billion(tmp_path: Path) -> None:
    """41.4 BUSD (38.2 to 45.3); the tolerance is for IT MW of the counted fabric, not 983.6."""
    section = _cost(tmp_path)
    assert section.capex_musd == pytest.approx(41_400, rel=0.03)
    assert section.capex_low_musd / section.capex_musd == pytest.approx(38.2 / 41.4, abs=0.005)
    assert section.capex_high_musd / section.capex_musd == pytest.approx(45.3 / 41.4, abs=0.005)
    blocks = {block.block: block for block in section.blocks}
    compute = sum(blocks[name].typical_musd or 0.0 for name in ("IT", "fabric", "storage"))
    assert compute == pytest.approx(6346 * 4.0)
    assert blocks["interconnection, line"].typical_musd == pytest.approx(5 * 1.3 * 5.9)


def test_figures_of_the_user_replace_rows(tmp_path: Path) -> None:
    land = "land: {gross: 1000 acre, price: 20000 USD/acre}\n"
    grid = f"{GRID}{TARIFF}customer_cost: {{value: 200 MUSD, low: 150 MUSD, high: 300 MUSD}}\n"
    section = _cost(tmp_path, SITE + land, grid)
    blocks = {block.block: block for block in section.blocks}
    assert blocks["land"].typical_musd == pytest.approx(20.0)
    given = blocks["interconnection"]
    assert (given.low_musd, given.typical_musd, given.high_musd) == (150.0, 200.0, 300.0)
    assert not [name for name in blocks if name.startswith("interconnection, ")]


def test_without_a_tariff_energy_is_unknown_and_never_zero(tmp_path: Path) -> None:
    section = _cost(tmp_path, grid=GRID)
    assert section.energy_price_usd_per_mwh is None
    assert section.opex_musd_per_year is None
    assert section.compute_usd_per_h100e_hour is None
    assert section.unknown == "energy"
    assert section.capex_musd > 0


def test_land_price_outside_the_us_is_unknown(tmp_path: Path) -> None:
    site = SITE.replace("US", "SE").replace("state: OK\n", "")
    site = site.replace("35.5", "65.6").replace("-97.5", "22.1") + "land: {gross: 2000 acre}\n"
    section = _cost(tmp_path, site)
    assert section.unknown == "land"
    assert next(b for b in section.blocks if b.block == "land").typical_musd is None


def test_energy_shares(tmp_path: Path) -> None:
    """A unit with a capacity factor gives that share; grid firm MW serve the rest first."""
    plants = """\
generation:
  - {name: sun, type: solar, gross: 500 MW, capacity_factor: 0.3, price: 40 USD/MWh}
  - {name: gas, type: ccgt, gross: 900 MW, units: 3, price: 70 USD/MWh}
"""
    grid = GRID.replace("firm: 1400 MW", "firm: 700 MW") + TARIFF
    section = _cost(tmp_path, SITE + plants, grid)
    mwh = {row.supply: row.energy_mwh_per_year for row in section.supply}
    assert mwh["sun"] == pytest.approx(150 * 8760)
    assert mwh["grid"] == pytest.approx(700 * 8760)
    assert sum(mwh.values()) == pytest.approx(section.energy_mwh_per_year)
    prices = {row.supply: row.price_usd_per_mwh for row in section.supply}
    assert (prices["sun"], prices["gas"]) == (40.0, 70.0)
    mix = sum(mwh[name] * (price or 0.0) for name, price in prices.items()) / sum(mwh.values())
    assert section.energy_price_usd_per_mwh == pytest.approx(mix)
