"""What sets one type of heat rejection beside another: verdict, energy, ground, cost."""

from __future__ import annotations

from clusterplan.core.record import formula

FREE = "free"
TRIMMED = "trimmed"
INFEASIBLE = "infeasible"
CHILLERS = "chillers"
NO_WATER = "no water"


@formula(
    title="Shortfall of a plant without chillers",
    equation="supply_reached_c - fws_supply_c",
    unit="K",
    source="clusterplan method, cooling step 11; below 0 it is in hand",
)
def option_shortfall_k(supply_reached_c: float, fws_supply_c: float) -> float:
    """How far the worst design point misses the FWS supply (below 0: in hand)."""
    return supply_reached_c - fws_supply_c


def option_mode(shortfall_k: float, rise_k: float) -> str:
    """`free`, `trimmed` or `infeasible` of a plant that misses its supply by `shortfall_k`.

    In K. Between supply and return it is trimmed; where what it reaches is no colder than the
    return, it cools nothing in the worst hour (clusterplan method, cooling step 12).
    """
    if shortfall_k <= 1e-6:
        return FREE
    return TRIMMED if shortfall_k < rise_k else INFEASIBLE


@formula(
    title="Cooling energy of a year",
    equation="(cdu_pump_mwh + mechanical_mwh - house_mwh) / 1000",
    unit="GWh",
    source="sums over the year at the machines' terminals; house load apart",
)
def cooling_energy_gwh(cdu_pump_mwh: float, mechanical_mwh: float, house_mwh: float) -> float:
    """Energy of pumps, fans and chillers, room air included."""
    return (cdu_pump_mwh + mechanical_mwh - house_mwh) / 1000.0


@formula(
    title="Ground of a plant",
    equation="main_m2 + tower_m2 + trim_m2 + air_m2",
    unit="m²",
    source="clusterplan method, floor step 6: plant yards, spares included",
)
def option_footprint_m2(main_m2: float, tower_m2: float, trim_m2: float, air_m2: float) -> float:
    """Machines of the FWS loop, towers of chillers, trim and room-air chillers."""
    return main_m2 + tower_m2 + trim_m2 + air_m2


@formula(
    title="Chillers to be bought",
    equation="1000 * heat_mw * units / (units - redundant) if units > redundant else 0",
    unit="kW",
    source="clusterplan method, cooling step 20: spares included, machines no larger than needed",
)
def option_chiller_kw(heat_mw: float, units: int, redundant: int) -> float:
    """Installed capacity of trim or room-air chillers, spares like the duty machines."""
    if units <= redundant:
        return 0
    return 1000 * heat_mw * units / (units - redundant)


@formula(
    title="Capital proxy of a plant",
    equation="(main_kw * main_usd_per_kw + tower_kw * tower_usd_per_kw + trim_kw * "
    "trim_usd_per_kw + air_kw * air_usd_per_kw) / 1e6",
    unit="MUSD",
    source="clusterplan method, cooling step 20: installed capacity, spares included, at the cost "
    "of the type; engineering practice, unverified: for comparing types, not a budget",
)
def option_capex_musd(
    main_kw: float,
    main_usd_per_kw: float,
    tower_kw: float,
    tower_usd_per_kw: float,
    trim_kw: float,
    trim_usd_per_kw: float,
    air_kw: float,
    air_usd_per_kw: float,
) -> float:
    """Main units, towers of water-cooled chillers, trim and room-air chillers, installed."""
    machines = main_kw * main_usd_per_kw + tower_kw * tower_usd_per_kw
    return (machines + trim_kw * trim_usd_per_kw + air_kw * air_usd_per_kw) / 1e6
