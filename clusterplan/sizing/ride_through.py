"""How long the loops hold without the plant: thermal inertia against pump and generator starts."""

from __future__ import annotations

from clusterplan.core.record import formula

_STEP_18 = "clusterplan method, cooling step 18"


@formula(
    title="Ride-through time",
    equation="generator_start_s + pump_ramp_s + chiller_restart_s",
    unit="s",
    source=f"{_STEP_18}: chillers only where they carry heat",
)
def ride_through_time_s(
    generator_start_s: float, pump_ramp_s: float, chiller_restart_s: float
) -> float:
    """From the loss of the supply until the plant cools again; no chiller: 0 for the last."""
    return generator_start_s + pump_ramp_s + chiller_restart_s


@formula(
    title="Warming of the TCS without facility water",
    equation="liquid_heat_mw / (content_m3 * heat_capacity_mj_per_m3_k)",
    unit="K/s",
    source=f"{_STEP_18}: the content of the loop takes all heat",
)
def tcs_warming_k_per_s(
    liquid_heat_mw: float, content_m3: float, heat_capacity_mj_per_m3_k: float
) -> float:
    """Rise of the mixed loop per second; 0.7 m³/MW give 0.36 K/s."""
    return liquid_heat_mw / (content_m3 * heat_capacity_mj_per_m3_k)


@formula(
    title="Rise that the racks allow",
    equation="min(max(rack_max_c - tcs_supply_temp_c, 0), allowed_rise_k)",
    unit="K",
    source="highest supply that the racks take; not above the rise planned for the buffer",
)
def tcs_allowed_rise_k(rack_max_c: float, tcs_supply_temp_c: float, allowed_rise_k: float) -> float:
    """K by which the TCS supply may rise before the racks throttle."""
    return min(max(rack_max_c - tcs_supply_temp_c, 0), allowed_rise_k)


@formula(
    title="Time that the TCS holds",
    equation="allowed_rise_k / warming_k_per_s",
    unit="s",
    source=_STEP_18,
)
def tcs_holds_s(allowed_rise_k: float, warming_k_per_s: float) -> float:
    """Seconds without FWS flow until the racks' limit."""
    return allowed_rise_k / warming_k_per_s


@formula(
    title="Content of the mains that counts",
    equation="mains_content_m3 / 2",
    unit="m³",
    source="the supply main: cold water on its way to the CDUs while the pumps run",
)
def usable_content_m3(mains_content_m3: float) -> float:
    """Cold half of the FWS mains."""
    return mains_content_m3 / 2


@formula(
    title="Buffer tank",
    equation="max(ride_through_m3 - usable_m3, 0)",
    unit="m³",
    source=f"{_STEP_18}: volume less the content of the system",
)
def buffer_m3(ride_through_m3: float, usable_m3: float) -> float:
    """Cold water to be added, FWS pumps running."""
    return max(ride_through_m3 - usable_m3, 0)


@formula(
    title="Gap without facility water",
    equation="0 if pumps_on_ups else generator_start_s + pump_ramp_s",
    unit="s",
    source=f"{_STEP_18}: FWS pumps on the UPS never stop",
)
def fws_gap_s(pumps_on_ups: bool, generator_start_s: float, pump_ramp_s: float) -> float:
    """Seconds in which the FWS stands."""
    return 0 if pumps_on_ups else generator_start_s + pump_ramp_s
