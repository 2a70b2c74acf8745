"""Capital cost by block: a quantity of the plan times a unit cost, low, typical and high."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.results.cost import CostBlock
from clusterplan.planning.unit_prices import (
    Price,
    amount_text,
    note_inputs,
    of_catalog,
    of_user,
    worst_flag,
)
from clusterplan.sizing import cost

if TYPE_CHECKING:
    from clusterplan.core.results.power import PowerSection
    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.choices import Ledger
    from clusterplan.planning.site_model import SiteModel

KM_PER_MILE = 1.609344
DEFAULT_MILES = 5.0
MV_MAX_KV = 34.5
IT_BLOCKS = ("IT", "fabric", "storage", "spares and installation")
CONSTRUCTION = ("shell and electrical", "cooling")
# upper voltage of a class, single-circuit line, double-circuit line, name of its stations
_LINES = (
    (138.0, "line-69-138kv-single", "line-138kv-double", "138kv"),
    (230.0, "line-230kv-single", "line-230kv-double", "230kv"),
    (345.0, "line-345kv-single", "line-345kv-double", "345kv"),
    (500.0, "line-500kv-single", "", "500kv"),
    (float("inf"), "line-765kv-single", "", "765kv"),
)


class Plan(NamedTuple):
    """What the blocks are counted from."""

    inputs: SiteInputs
    model: SiteModel
    servers: int
    racks: int
    it_mw: float
    facility_mw: float
    power: PowerSection
    substation: SubstationSection

    @property
    def ledger(self) -> Ledger:
        """Where assumptions and warnings go."""
        return self.model.choices.ledger


def capital_blocks(plan: Plan) -> list[CostBlock]:
    """All blocks in the order of the chain; an unknown cost is None, with a warning."""
    return [
        *_land(plan),
        *_interconnection(plan),
        *_substation(plan),
        *_construction(plan),
        *_generation(plan),
        *_compute(plan),
    ]


def _block(name: str, amount: tuple[float, str], price: Price, share: float = 1.0) -> CostBlock:
    """A block of `amount` (quantity, its unit) at a price; low and high by the same formula."""
    quantity, unit = amount
    note_inputs(f"cost.blocks.{name}", amount, price, share)
    low, high, typical = (
        cost.block_cost_musd(quantity, one, share, price.units_per_musd) for one in price.range
    )
    return CostBlock(
        block=name,
        quantity=f"{amount_text(quantity)} {unit}",
        unit_cost=price.text if share == 1.0 else f"{price.text} x {share:.4g}",
        low_musd=low,
        typical_musd=typical,
        high_musd=high,
        year=price.year_text,
        source=price.source,
        verified=price.verified,
    )


def _unknown(name: str, quantity: str, what: str) -> CostBlock:
    return CostBlock(
        block=name,
        quantity=quantity,
        unit_cost="unknown",
        low_musd=None,
        typical_musd=None,
        high_musd=None,
        year="",
        source=what,
        verified="false",
    )


def _land(plan: Plan) -> list[CostBlock]:
    land = plan.inputs.site.land
    if land is None:
        return []
    acres = land.gross_acres.value
    if land.price_usd_per_acre is not None:
        price = of_user(land.price_usd_per_acre, "USD/acre", "site.yaml")
        return [_block("land", (acres, "acres"), price)]
    region, state = plan.inputs.region, plan.inputs.state
    if region is None or region.iso2 != "US":
        plan.ledger.warn(
            "land_price_unknown",
            "site.land.price",
            "the price of the land is unknown and left out of the total; give site.land.price",
        )
        return [_unknown("land", f"{acres:,.6g} acres", "site.land.price is not given")]
    rows = {"TX": "texas-rural", "NM": "new-mexico-ranch"}
    row = rows.get("" if state is None else state.code, "us-farm-average")
    return [_block("land", (acres, "acres"), of_catalog(row, plan.ledger))]


def _interconnection(plan: Plan) -> list[CostBlock]:
    grid, case = plan.inputs.grid, plan.model.case
    if case.islanded:
        return []
    if grid is not None and grid.customer_cost_musd is not None:
        price = of_user(grid.customer_cost_musd, "MUSD", "grid.yaml, customer_cost")
        return [_block("interconnection", (1, "as given"), price)]
    upgrades = () if grid is None else tuple(up.cost_musd for up in grid.upgrades)
    costs = [of_user(one, "MUSD", "grid.yaml, upgrades") for one in upgrades if one is not None]
    if costs and len(costs) == len(upgrades):
        price = costs[0]._replace(
            low=sum(one.low for one in costs),
            typical=sum(one.typical for one in costs),
            high=sum(one.high for one in costs),
            verified=worst_flag(*(one.verified for one in costs)),
        )
        return [_block("interconnection", (1, "sum of upgrades"), price)]
    firm = case.steps[-1].grid_firm_mw if case.steps and grid is not None else plan.facility_mw
    allocation = of_catalog("network-upgrade-allocation", plan.ledger)
    upgrade = _block("interconnection, network", (1000.0 * firm, "kW firm"), allocation)
    kv = plan.substation.hv_kv
    if kv <= MV_MAX_KV:  # a service at medium voltage comes by feeder, not by a line of its own
        return [upgrade]
    return [_line(plan, kv), _station(plan, kv), upgrade]


def _line(plan: Plan, kv: float) -> CostBlock:
    grid = plan.inputs.grid
    if grid is not None and grid.distance_to_poi_km is not None:
        miles = grid.distance_to_poi_km.value / KM_PER_MILE
    else:
        miles = DEFAULT_MILES
        plan.ledger.assume(
            "grid.distance_to_poi", miles * KM_PER_MILE, "km", "judgement, siting section 8: 5 mile"
        )
    circuits, common = _circuits(plan)
    _, single, double, _ = next(row for row in _LINES if kv <= row[0])
    state = plan.inputs.state
    if single == "line-345kv-single" and state is not None and state.code == "TX":
        single = "line-345kv-single-texas"
    pairs = circuits // 2 if common and double else 0
    route = of_catalog("line-route-factor", plan.ledger)
    lines = [of_catalog(row, plan.ledger) for row in (double, single) if row]
    counts = [pairs, circuits - 2 * pairs] if double else [circuits]
    used = [(count, line) for count, line in zip(counts, lines, strict=True) if count]
    price = used[0][1]._replace(
        low=sum(count * one.low for count, one in used),
        typical=sum(count * one.typical for count, one in used),
        high=sum(count * one.high for count, one in used),
    )
    length = miles * route.typical
    words = f"miles of route, {circuits} circuit{'s' if circuits > 1 else ''}"
    return _block("interconnection, line", (length, words), price)


def _circuits(plan: Plan) -> tuple[int, bool]:
    grid = plan.inputs.grid
    circuits = 2 if grid is None or grid.circuits is None else grid.circuits.value
    common = True if grid is None or grid.common_tower is None else grid.common_tower
    if grid is None or grid.circuits is None:
        plan.ledger.assume("grid.circuits", 2, "", "clusterplan method, counting rule 15")
    if circuits > 1 and (grid is None or grid.common_tower is None):
        plan.ledger.assume("grid.common_tower", True, "", "clusterplan method, siting section 8")
    return circuits, common


def _station(plan: Plan, kv: float) -> CostBlock:
    name = next(row[3] for row in _LINES if kv <= row[0])
    grid = plan.inputs.grid
    if grid is not None and grid.poi_name:
        circuits, _ = _circuits(plan)
        price = of_catalog(f"add-position-{name}", plan.ledger)
        return _block("interconnection, station", (circuits, f"positions at {kv:g} kV"), price)
    price = of_catalog(f"switching-station-{name}", plan.ledger)
    return _block("interconnection, station", (1, f"switching station, {kv:g} kV"), price)


def _substation(plan: Plan) -> list[CostBlock]:
    section = plan.substation
    small = section.hv_kv <= MV_MAX_KV and not plan.model.case.islanded
    if plan.model.electrical.existing or small:
        return []  # what stands there is paid; unit substations are part of the electrical works
    mva = section.transformers * section.transformer_mva
    if section.bulk_transformers and section.bulk_transformer_mva:
        mva += section.bulk_transformers * section.bulk_transformer_mva
    price = of_catalog("substation-hv-mv", plan.ledger)
    return [_block("substation", (1000.0 * mva, "kVA installed"), price)]


def construction_price(plan: Plan) -> Price:
    """USD/W of shell, electrical works and cooling, before the premium of liquid-cooled halls.

    The market of the country where one is known, with the spread of the US average.
    """
    ledger = plan.ledger
    average = of_catalog("shell-mep-us-average", ledger)
    region = plan.inputs.region
    row = None if region is None else catalog.country_conditions(region.iso2)
    if row is None or row.construction_usd_per_w is None:
        return average
    market = row.construction_usd_per_w
    source, flag = "turner-townsend-2025", row.verified_of("construction_usd_per_w")
    ledger.assume(
        "unit_costs.construction",
        market,
        "USD/W",
        f"{row.construction_market} market, 2025; {source}",
        verified=flag,
    )
    low, high = (market * one / average.typical for one in (average.low, average.high))
    return Price(low, market, high, "USD/W", 2025, source, flag)


def _construction(plan: Plan) -> list[CostBlock]:
    ledger = plan.ledger
    price = construction_price(plan)
    premium = 1.0
    if plan.model.chosen.rack.liquid_heat_fraction:
        premium += of_catalog("ai-liquid-premium", ledger).typical
    cooling = of_catalog("mechanical-cooling-share", ledger)
    soft, spare = (of_catalog(f"{one}-share", ledger) for one in ("soft-and-fees", "contingency"))
    it = (plan.it_mw, "MW IT")
    share = price._replace(verified=worst_flag(price.verified, cooling.verified))
    rates = price._replace(verified=worst_flag(price.verified, soft.verified, spare.verified))
    return [
        _block("shell and electrical", it, price, premium * (1.0 - cooling.typical)),
        _block("cooling", it, share, premium * cooling.typical),
        _block("soft cost and contingency", it, rates, premium * (soft.typical + spare.typical)),
    ]


def _generation(plan: Plan) -> list[CostBlock]:
    site, ledger = plan.inputs.site, plan.ledger
    known = {row.id for row in catalog.unit_costs()} if site.generation else set()
    blocks: list[CostBlock] = []
    for place, unit in enumerate(site.generation):
        name = f"generation, {unit.name or unit.type.replace('_', ' ')}"
        row = f"generation-{unit.type.replace('_', '-')}"
        amount = (1000.0 * unit.gross_mw.value, "kW")
        if row in known:
            blocks.append(_block(name, amount, of_catalog(row, ledger)))
            continue
        ledger.warn(
            "generation_cost_unknown",
            f"site.generation.{place}.type",
            f"no unit cost is known for {unit.type}; it is left out of the total",
        )
        blocks.append(_unknown(name, f"{amount[0]:,.6g} kW", "no unit cost of that type"))
    gas = site.gas
    if gas is not None and gas.pipeline_distance_km is not None:
        miles = gas.pipeline_distance_km.value / KM_PER_MILE
        laterals = 1 if gas.laterals is None else gas.laterals.value
        if miles > 0.0 and laterals > 0:
            price = of_catalog("gas-lateral-pipeline", ledger)
            blocks.append(_block("generation, gas lateral", (miles * laterals, "miles"), price))
    if site.storage is not None and site.storage.energy_mwh.value > 0.0:
        amount = (1000.0 * site.storage.energy_mwh.value, "kWh")
        blocks.append(_block("battery storage", amount, of_catalog("battery-storage", ledger)))
    return blocks


def _compute(plan: Plan) -> list[CostBlock]:
    """Racks with their share of network and storage, split; spares and installation on top."""
    ledger, rack = plan.ledger, plan.model.chosen.rack
    network, storage = (
        of_catalog(f"{one}-share-of-compute", ledger).typical for one in ("network", "storage")
    )
    more = [of_catalog(one, ledger) for one in ("spares", "installation-commissioning")]
    found = next((row.id for row in catalog.unit_costs() if rack.id in row.rack), None)
    servers_alone = 1.0
    if found is None:
        price, amount = of_catalog("compute-per-it-mw", ledger), (plan.it_mw, "MW IT")
    else:
        price = of_catalog(found, ledger)
        amount = (float(plan.racks), "racks")
        if price.unit == "USD/server":
            amount, servers_alone = (float(plan.servers), "servers"), 1.0 - network - storage
    shares = (1.0 - network - storage, network, storage)
    blocks = [
        _block(name, amount, price, share / servers_alone)
        for name, share in zip(IT_BLOCKS, shares, strict=False)
    ]
    judged = price._replace(verified=worst_flag(*(one.verified for one in (price, *more))))
    spares = sum(one.typical for one in more)
    return [*blocks, _block(IT_BLOCKS[-1], amount, judged, spares / servers_alone)]
