"""PUE at a design point and over the year. IT and cooling in MW (or MWh) at their own terminals."""

from __future__ import annotations

from typing import NamedTuple

from clusterplan.core.record import formula

_METHOD = "clusterplan method, cooling step 16; electrical method, Losses and PUE (b)"


class Chain(NamedTuple):
    """Efficiencies from the meter: to the racks, to plant, and to plant that runs on the UPS.

    busway and ups are the parts whose loss is heat in cooled rooms (1 where there is none).
    """

    it: float
    mechanical: float
    mechanical_on_ups: float
    busway: float = 1.0
    ups: float = 1.0


@formula(
    title="Fans of the heat rejection",
    equation="heat_rejection_mw * fan_kw_per_kw",
    unit="MW",
    source=_METHOD,
)
def rejection_fan_mw(heat_rejection_mw: float, fan_kw_per_kw: float) -> float:
    """Fan power of the FWS plant."""
    return heat_rejection_mw * fan_kw_per_kw


@formula(
    title="Tower pumps",
    equation="heat_rejection_mw * pump_kw_per_kw",
    unit="MW",
    source=_METHOD,
)
def tower_pump_mw(heat_rejection_mw: float, pump_kw_per_kw: float) -> float:
    """Tower or spray pump power of the FWS plant."""
    return heat_rejection_mw * pump_kw_per_kw


@formula(
    title="Chillers of the FWS loop",
    equation="heat_rejection_mw * chiller_kw_per_kw",
    unit="MW",
    source=_METHOD,
)
def trim_power_mw(heat_rejection_mw: float, chiller_kw_per_kw: float) -> float:
    """Electric power of trim chillers, or of a chiller plant."""
    return heat_rejection_mw * chiller_kw_per_kw


@formula(
    title="Heat on chillers of the FWS loop",
    equation="heat_rejection_mw * trim_share",
    unit="MW",
    source="clusterplan method, cooling step 12",
)
def trim_heat_mw(heat_rejection_mw: float, trim_share: float) -> float:
    """Heat that chillers carry at one design point."""
    return heat_rejection_mw * trim_share


@formula(
    title="Room-air plant power",
    equation="room_fan_mw + air_pump_mw + air_plant_mw * (chiller_kw_per_kw + free_fan_kw_per_kw)",
    unit="MW",
    source="clusterplan method, cooling step 9",
)
def air_power_mw(
    room_fan_mw: float,
    air_pump_mw: float,
    air_plant_mw: float,
    chiller_kw_per_kw: float,
    free_fan_kw_per_kw: float,
) -> float:
    """Room fans, chilled-water pumps, chillers and free-cooling fans of the room-air plant."""
    machines = air_plant_mw * (chiller_kw_per_kw + free_fan_kw_per_kw)
    return room_fan_mw + air_pump_mw + machines


@formula(
    title="House load",
    equation="it_mw * house_kw_per_kw",
    unit="MW",
    source="engineering practice: lighting, controls, offices, trace heating",
)
def house_load_mw(it_mw: float, house_kw_per_kw: float) -> float:
    """House load."""
    return it_mw * house_kw_per_kw


@formula(
    title="PUE at a design point",
    equation="(it_mw / eta_it + cdu_pump_mw / eta_on_ups + (fws_pump_mw + rejection_fan_mw + "
    "tower_pump_mw + trim_power_mw + air_power_mw + house_load_mw) / eta_mechanical) / it_mw",
    unit="",
    source=_METHOD,
)
def design_point_pue(
    it_mw: float,
    cdu_pump_mw: float,
    fws_pump_mw: float,
    rejection_fan_mw: float,
    tower_pump_mw: float,
    trim_power_mw: float,
    air_power_mw: float,
    house_load_mw: float,
    eta_it: float,
    eta_mechanical: float,
    eta_on_ups: float,
) -> float:
    """Power at the meter over IT power, all at one outdoor condition."""
    plain = (
        fws_pump_mw
        + rejection_fan_mw
        + tower_pump_mw
        + trim_power_mw
        + air_power_mw
        + house_load_mw
    )
    return (it_mw / eta_it + cdu_pump_mw / eta_on_ups + plain / eta_mechanical) / it_mw


@formula(
    title="PUE, peak",
    equation="max(hot_pue, humid_pue, switch_over_pue)",
    unit="",
    source="clusterplan method, cooling step 16; switch-over 0 where the plant has none",
)
def pue_peak(hot_pue: float, humid_pue: float, switch_over_pue: float) -> float:
    """Highest PUE over the design points."""
    return max(hot_pue, humid_pue, switch_over_pue)


@formula(
    title="PUE, peak over design points and year",
    equation="max(design_points_pue, highest_hour_pue)",
    unit="",
    source="clusterplan method, cooling step 16: the hours of the weather file count too",
)
def pue_peak_of_year(design_points_pue: float, highest_hour_pue: float) -> float:
    """Highest PUE over the design points and the hours of a year."""
    return max(design_points_pue, highest_hour_pue)


@formula(
    title="Cooling power at the PUE peak",
    equation="cdu_pump_mw + fws_pump_mw + rejection_fan_mw + tower_pump_mw + trim_power_mw + "
    "air_power_mw",
    unit="MW",
    source="sum of the parts at the design point that gives the PUE peak; house load apart",
)
def cooling_power_peak_mw(
    cdu_pump_mw: float,
    fws_pump_mw: float,
    rejection_fan_mw: float,
    tower_pump_mw: float,
    trim_power_mw: float,
    air_power_mw: float,
) -> float:
    """Electric power of all cooling at its own terminals."""
    return (
        cdu_pump_mw + fws_pump_mw + rejection_fan_mw + tower_pump_mw + trim_power_mw + air_power_mw
    )


@formula(
    title="PUE, annual",
    equation="(it_mwh / eta_it + cdu_pump_mwh / eta_on_ups + mechanical_mwh / eta_mechanical) "
    "/ it_mwh",
    unit="",
    source=_METHOD,
)
def pue_annual(
    it_mwh: float,
    cdu_pump_mwh: float,
    mechanical_mwh: float,
    eta_it: float,
    eta_mechanical: float,
    eta_on_ups: float,
) -> float:
    """Energy at the meter over IT energy; mechanical_mwh holds all else, house load included."""
    return (it_mwh / eta_it + cdu_pump_mwh / eta_on_ups + mechanical_mwh / eta_mechanical) / it_mwh


@formula(
    title="WUE, site water per IT kWh",
    equation="water_m3_per_year / it_mwh",
    unit="L/kWh",
    source="The Green Grid definition (site water); 1 m³/MWh = 1 L/kWh",
)
def wue_l_per_kwh(water_m3_per_year: float, it_mwh: float) -> float:
    """Site water per IT energy."""
    return water_m3_per_year / it_mwh


@formula(
    title="CDU pump power",
    equation="cdu_pump_kw / 1000",
    unit="MW",
    source="unit",
)
def cdu_pump_mw(cdu_pump_kw: float) -> float:
    """CDU pumps in MW."""
    return cdu_pump_kw / 1000.0


@formula(
    title="FWS pump power",
    equation="fws_pump_kw / 1000",
    unit="MW",
    source="unit",
)
def fws_pump_mw(fws_pump_kw: float) -> float:
    """FWS pumps in MW."""
    return fws_pump_kw / 1000.0


@formula(
    title="Cooling power of the liquid side at the PUE peak",
    equation="cooling_power_peak_mw - air_power_mw",
    unit="MW",
    source="CDU pumps, FWS pumps, heat rejection and chillers of the FWS loop",
)
def liquid_power_peak_mw(cooling_power_peak_mw: float, air_power_mw: float) -> float:
    """Cooling power without room air."""
    return cooling_power_peak_mw - air_power_mw
