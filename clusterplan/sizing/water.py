"""Water of the plant: peak rates, storage, ride-through volume of the FWS loop, heat for reuse."""

from __future__ import annotations

from clusterplan.core.record import formula


@formula(
    title="Water, peak rate",
    equation="1000 * heat_rejection_mw * water_l_per_s_per_kw",
    unit="L/s",
    source="clusterplan method, cooling step 17: the highest of the design points",
)
def water_peak_l_per_s(heat_rejection_mw: float, water_l_per_s_per_kw: float) -> float:
    """Make-up water at the wettest design point."""
    return 1000.0 * heat_rejection_mw * water_l_per_s_per_kw


@formula(
    title="Blowdown and bleed, peak rate",
    equation="1000 * heat_rejection_mw * blowdown_l_per_s_per_kw",
    unit="L/s",
    source="clusterplan method, cooling step 17: E / (COC - 1) - drift; pads: bleed",
)
def blowdown_peak_l_per_s(heat_rejection_mw: float, blowdown_l_per_s_per_kw: float) -> float:
    """Water to the drain at the design point with most of it."""
    return 1000.0 * heat_rejection_mw * blowdown_l_per_s_per_kw


@formula(
    title="Water storage",
    equation="water_peak_l_per_s * 3.6 * storage_hours_h",
    unit="m³",
    source="clusterplan method, cooling step 17",
)
def water_storage_m3(water_peak_l_per_s: float, storage_hours_h: float) -> float:
    """Storage that holds the peak rate for some hours."""
    return water_peak_l_per_s * 3.6 * storage_hours_h


@formula(
    title="Ride-through volume of the FWS loop",
    equation="1000 * heat_mw * time_s / (1000 * heat_capacity_mj_per_m3_k * allowed_rise_k)",
    unit="m³",
    source="clusterplan method, cooling step 18, before the content of the system is taken off",
)
def ride_through_m3(
    heat_mw: float, time_s: float, heat_capacity_mj_per_m3_k: float, allowed_rise_k: float
) -> float:
    """Water that takes the heat for a time within a rise: 90 MW, 60 s, 10 K are 130 m3."""
    return 1000.0 * heat_mw * time_s / (1000.0 * heat_capacity_mj_per_m3_k * allowed_rise_k)


@formula(
    title="Heat for reuse",
    equation="fws_heat_mw",
    unit="MW",
    source="clusterplan method, cooling step 19: all heat of the FWS loop at typical power",
)
def heat_reuse_mw(fws_heat_mw: float) -> float:
    """Heat that a network could take from the FWS return before the plant rejects it."""
    return fws_heat_mw


@formula(
    title="Temperature of the heat for reuse",
    equation="fws_return_c - exchanger_approach_k",
    unit="°C",
    source="clusterplan method, cooling step 19",
)
def heat_reuse_temp_c(fws_return_c: float, exchanger_approach_k: float) -> float:
    """Supply to a heat network behind an exchanger on the FWS return."""
    return fws_return_c - exchanger_approach_k


@formula(
    title="Heat for reuse in a year",
    equation="heat_reuse_mw * hours_h",
    unit="MWh/yr",
    source="clusterplan method, cooling step 19: racks at typical power in every hour",
)
def heat_reuse_mwh_per_year(heat_reuse_mw: float, hours_h: float) -> float:
    """Most that a network without a season could take."""
    return heat_reuse_mw * hours_h
