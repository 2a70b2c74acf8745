"""Room air: fans, water pumps, heat of its plant, airflow; the heat of the FWS loop."""

from __future__ import annotations

from clusterplan.core.record import formula
from clusterplan.sizing.psychrometrics import AIR_KJ_PER_KG_K

_AIR_DENSITY_KG_PER_M3 = 1.2
_METHOD = "clusterplan method, cooling step 9"


@formula(
    title="Room fan power",
    equation="(fan_kw_per_kw * (air_heat_mw - door_heat_mw) + door_fan_kw_per_kw * door_heat_mw) / "
    "density_ratio ** 2",
    unit="MW",
    source=f"{_METHOD}: N+1 units sharing; volume flow ~ 1/sigma, fan power ~ 1/sigma^2",
)
def room_fan_mw(
    air_heat_mw: float,
    door_heat_mw: float,
    fan_kw_per_kw: float,
    door_fan_kw_per_kw: float,
    density_ratio: float,
) -> float:
    """Fans of fan-wall units and of active rear doors."""
    wall = fan_kw_per_kw * (air_heat_mw - door_heat_mw)
    return (wall + door_fan_kw_per_kw * door_heat_mw) / density_ratio**2


@formula(
    title="Pumps of the room-air water",
    equation="pump_kw_per_kw * air_heat_mw",
    unit="MW",
    source=_METHOD,
)
def air_pump_mw(pump_kw_per_kw: float, air_heat_mw: float) -> float:
    """Chilled-water pumps of the room-air coils."""
    return pump_kw_per_kw * air_heat_mw


@formula(
    title="Heat of the room-air plant",
    equation="air_heat_mw + room_fan_mw + air_pump_mw",
    unit="MW",
    source="clusterplan method, cooling step 8: fans and pumps end as heat in the water",
)
def air_plant_mw(air_heat_mw: float, room_fan_mw: float, air_pump_mw: float) -> float:
    """Heat that the coils' water carries away."""
    return air_heat_mw + room_fan_mw + air_pump_mw


@formula(
    title="Heat to reject, FWS loop",
    equation="fws_heat_mw + fws_pump_mw + hung_air_mw",
    unit="MW",
    source="clusterplan method, cooling step 8: Q_R = Q_L + P_CDU + P_FWS, and room air hung on it",
)
def heat_rejection_mw(fws_heat_mw: float, fws_pump_mw: float, hung_air_mw: float) -> float:
    """Heat that the plant of the FWS loop rejects at design, compressor heat apart."""
    return fws_heat_mw + fws_pump_mw + hung_air_mw


@formula(
    title="Airflow of the rooms",
    equation="1000 * air_heat_mw / (1.2 * density_ratio * 1.006 * air_rise_k)",
    unit="m³/s",
    source=_METHOD,
)
def room_airflow_m3_per_s(air_heat_mw: float, density_ratio: float, air_rise_k: float) -> float:
    """Volume flow at the site's air density."""
    return (
        1000.0
        * air_heat_mw
        / (_AIR_DENSITY_KG_PER_M3 * density_ratio * AIR_KJ_PER_KG_K * air_rise_k)
    )


@formula(
    title="Water flow of the room-air coils",
    equation="60000 * air_plant_mw / (heat_capacity_mj_per_m3_k * rise_k)",
    unit="L/min",
    source=_METHOD,
)
def air_water_flow_l_per_min(
    air_plant_mw: float, heat_capacity_mj_per_m3_k: float, rise_k: float
) -> float:
    """Chilled water of the coils; rho*c in MJ/m3K."""
    return 60000.0 * air_plant_mw / (heat_capacity_mj_per_m3_k * rise_k)
