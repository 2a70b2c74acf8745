"""Water of the plant: peak rates, storage, and the ride-through volume of the FWS loop."""

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
    title="Water of once-through cooling",
    equation="1000 * heat_mw / (heat_capacity_mj_per_m3_k * source_rise_k)",
    unit="L/s",
    source="heat balance; taken and given back warmer, none of it evaporated on the site",
)
def source_water_l_per_s(
    heat_mw: float, heat_capacity_mj_per_m3_k: float, source_rise_k: float
) -> float:
    """River, lake or sea water at design, from the rise that it may return with."""
    return 1000.0 * heat_mw / (heat_capacity_mj_per_m3_k * source_rise_k)


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
