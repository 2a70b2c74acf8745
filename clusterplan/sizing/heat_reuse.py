"""Heat that could be given away: MW at a temperature, directly or with a heat pump."""

from __future__ import annotations

from clusterplan.core.record import formula

_KELVIN = 273.15
_MIN_LIFT_K = 5.0


@formula(
    title="Temperature of the heat offered",
    equation="fws_return_temp_c - exchanger_k",
    unit="°C",
    source="clusterplan method, cooling step 19: FWS return less the exchanger's approach",
)
def reuse_supply_temp_c(fws_return_temp_c: float, exchanger_k: float) -> float:
    """Warmest water that a network can take from the FWS return."""
    return fws_return_temp_c - exchanger_k


@formula(
    title="Coldest return from the network that counts",
    equation="fws_supply_temp_c - exchanger_k",
    unit="°C",
    source="the network must come back colder than the FWS supply to take all heat",
)
def reuse_return_temp_c(fws_supply_temp_c: float, exchanger_k: float) -> float:
    """Return temperature at which the network takes all of the heat."""
    return fws_supply_temp_c - exchanger_k


@formula(
    title="Heat to give away in a year",
    equation="reuse_heat_mw * 8.76",
    unit="GWh",
    source="8,760 h at typical power, all of it taken: the upper bound",
)
def reuse_energy_gwh(reuse_heat_mw: float) -> float:
    """Energy of a year's steady heat."""
    return reuse_heat_mw * 8.76


@formula(
    title="COP of a heat pump to the network",
    equation="carnot_fraction * (demand_c + 273.15) / max(demand_c - source_c, 5)",
    unit="",
    source="share of Carnot, heating; engineering practice, unverified",
)
def heat_pump_cop(carnot_fraction: float, demand_c: float, source_c: float) -> float:
    """Heat delivered over electric power; demand above source."""
    lift = max(demand_c - source_c, _MIN_LIFT_K)
    return carnot_fraction * (demand_c + _KELVIN) / lift


@formula(
    title="Electric power of the heat pump",
    equation="reuse_heat_mw / (cop - 1)",
    unit="MW",
    source="heat balance: delivered = source + electric power = COP x electric power",
)
def heat_pump_mw(reuse_heat_mw: float, cop: float) -> float:
    """Power that lifts all of the heat; cop above 1."""
    return reuse_heat_mw / (cop - 1)


@formula(
    title="Heat delivered by the heat pump",
    equation="reuse_heat_mw + heat_pump_mw",
    unit="MW",
    source="heat balance",
)
def delivered_heat_mw(reuse_heat_mw: float, heat_pump_mw: float) -> float:
    """Heat at the network's temperature."""
    return reuse_heat_mw + heat_pump_mw


@formula(
    title="Energy reuse factor, most",
    equation="reuse_heat_mw / (pue_annual * it_mw)",
    unit="",
    source="ISO/IEC 30134-6: reused over total energy, were all heat taken all year",
)
def energy_reuse_factor(reuse_heat_mw: float, pue_annual: float, it_mw: float) -> float:
    """Upper bound of the ERF."""
    return reuse_heat_mw / (pue_annual * it_mw)
