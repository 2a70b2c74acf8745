"""Cooling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

if TYPE_CHECKING:
    from clusterplan.core.results.cooling_details import (
        AirSide,
        HeatReuse,
        LoopDetail,
        RideThrough,
    )

_NAMEPLATE = "capacity basis"
_PEAK = "at the PUE peak"
_TYPICAL = "typical"


@frozen
class DesignPoint:
    """The plant at one design point: air at the machines, powers, PUE."""

    point: str
    dry_bulb_c: float = figure("Dry bulb", formula="air_at_machines.dry_bulb_c", digits=1)
    wet_bulb_c: float = figure("Wet bulb", formula="air_at_machines.wet_bulb_c", digits=1)
    pue: float = figure("PUE", formula="design_point_pue", digits=3)
    supply_reached_c: float = figure(
        "Supply without chillers", formula="supply_without_chillers_c", digits=1
    )
    fan_speed: float | None = figure(
        "Fan speed", formula="fan_speed_ratio", digits=2, optional=True
    )
    wet: bool
    trim_mw: float = figure("Heat on chillers", formula="trim_heat_mw")
    chiller_cop: float | None = figure("Chiller COP", digits=2, optional=True)
    cdu_pump_mw: float = figure("CDU pumps")
    fws_pump_mw: float = figure("FWS pumps")
    rejection_fan_mw: float = figure("Heat rejection fans")
    tower_pump_mw: float = figure("Tower pumps")
    trim_power_mw: float = figure("Chillers")
    air_power_mw: float = figure("Room air")
    house_load_mw: float = figure("House load", detail=True)


@frozen
class CoolingSection:
    """Heat split, liquid loops, plant, design points, year."""

    density_class: str
    density_reason: str
    liquid_heat_mw: float = figure("Heat to liquid", basis=_NAMEPLATE)
    air_heat_mw: float = figure("Heat to room air", basis=_NAMEPLATE)
    loss_heat_mw: float = figure("of it electrical losses in rooms", basis=_NAMEPLATE, detail=True)
    tcs_coolant: str | None
    tcs_supply_temp_c: float | None = figure("TCS supply", optional=True)
    tcs_return_temp_c: float | None = figure("TCS return", optional=True)
    tcs_flow_l_per_min: float | None = figure("TCS flow", optional=True)
    rack_flow_l_per_min: float | None = figure("TCS flow of one rack", detail=True, optional=True)
    rack_drop_kpa: float | None = figure("Pressure drop of one rack", detail=True, optional=True)
    cdu: str | None
    cdus: int = figure("CDUs installed")
    cdus_redundant: int = figure("of them redundant")
    cdu_groups: int = figure("CDU groups", detail=True)
    cdu_limit: str | None
    cdu_approach_k: float | None = figure("CDU approach", basis="at duty flow", optional=True)
    cdu_pump_mw: float = figure("CDU pump power", detail=True)
    cdu_pipe_dn: int | None = figure("Pipe of a CDU, DN", detail=True, optional=True)
    fws_supply_temp_c: float | None = figure("FWS supply", optional=True)
    fws_return_temp_c: float | None = figure("FWS return", optional=True)
    fws_flow_l_per_min: float | None = figure("FWS flow to CDUs", optional=True)
    fws_coolant: str | None
    fws_pump_mw: float = figure("FWS pump power", detail=True)
    fws_main_blocks: int | None = figure(
        "Plant blocks of the FWS mains", detail=True, optional=True
    )
    fws_main_pairs: int | None = figure("FWS mains of a block, pairs", detail=True, optional=True)
    fws_main_dn: int | None = figure("FWS main, DN", detail=True, optional=True)
    fws_main_velocity_m_per_s: float | None = figure(
        "FWS main, velocity", formula="pipe_velocity_m_per_s", detail=True, optional=True
    )
    fws_main_friction_pa_per_m: float | None = figure(
        "FWS main, friction", formula="pipe_friction_pa_per_m", detail=True, optional=True
    )
    heat_rejection: str
    heat_rejection_reason: str
    heat_rejection_mw: float = figure("Heat to reject", basis="design")
    heat_rejection_units: int = figure("Rejection units", formula="heat_rejection_units.installed")
    heat_rejection_redundant: int = figure(
        "of them redundant", formula="heat_rejection_units.redundant"
    )
    heat_rejection_unit_kw: float = figure("Capacity of one unit at the site", detail=True)
    tower_cells: int = figure("Tower cells installed", formula="tower_cells.installed", detail=True)
    dry_lowest_supply_c: float | None = figure("Lowest supply, dry", digits=1, optional=True)
    adiabatic_lowest_supply_c: float | None = figure(
        "Lowest supply, adiabatic", digits=1, optional=True
    )
    tower_lowest_supply_c: float | None = figure("Lowest supply, towers", digits=1, optional=True)
    cold_dry_bulb_c: float = figure("Coldest design hour", digits=1, detail=True)
    plume_dry_k: float | None = figure("Plume at dry machines", detail=True, optional=True)
    plume_tower_k: float | None = figure(
        "Recirculation at towers, wet bulb", detail=True, optional=True
    )
    density_ratio: float = figure(
        "Air density over sea level", formula="air_density_ratio", digits=3, detail=True
    )
    trim_mw: float = figure("Heat on chillers", basis="most", formula="trim_heat_mw")
    trim_chillers: int = figure(
        "Trim chillers installed", formula="trim_chillers.installed", detail=True
    )
    trim_chillers_redundant: int = figure(
        "of them redundant", formula="trim_chillers.redundant", detail=True
    )
    air_plant_mw: float = figure("Room-air plant heat")
    air_on_fws: bool
    air_water_supply_temp_c: float = figure(
        "Water to the room-air coils", formula="given", detail=True
    )
    air_water_return_temp_c: float = figure(
        "Water from the room-air coils", formula="given", detail=True
    )
    air_water_flow_l_per_min: float = figure("Water flow of the room-air coils", detail=True)
    room_airflow_m3_per_s: float = figure("Airflow of the rooms", detail=True)
    room_fan_mw: float = figure("Room fan power", detail=True)
    air_chillers: int = figure(
        "Room-air chillers installed", formula="air_chillers.installed", detail=True
    )
    air_chillers_redundant: int = figure(
        "of them redundant", formula="air_chillers.redundant", detail=True
    )
    cooling_power_peak_mw: float = figure("Cooling power", basis=_PEAK)
    liquid_power_peak_mw: float = figure("of it liquid side", basis=_PEAK, detail=True)
    air_power_peak_mw: float = figure(
        "of it room air", basis=_PEAK, formula="air_power_mw", detail=True
    )
    house_load_mw: float = figure("House load", detail=True)
    pue_peak: float = figure("PUE, peak (computed)", formula="pue_peak_of_year|pue_peak", digits=3)
    pue_peak_point: str
    pue_annual: float | None = figure("PUE, annual (computed)", basis=_TYPICAL, digits=3)
    wue_l_per_kwh: float | None = figure("WUE", basis=_TYPICAL, digits=3)
    water_m3_per_year: float | None = figure(
        "Water a year", basis=_TYPICAL, formula="year_sums.water_m3|hourly_sums.water_m3", digits=0
    )
    water_nameplate_m3_per_year: float | None = figure(
        "Water a year at the capacity basis",
        formula="year_sums.water_m3|hourly_sums.water_m3",
        digits=0,
        detail=True,
    )
    annual_band: str
    pue_annual_band: float | None = figure(
        "PUE, annual: band of the fit, either way",
        formula="given",
        digits=3,
        detail=True,
        optional=True,
    )
    water_band_percent: float | None = figure(
        "Water a year: band of the fit, either way",
        formula="given",
        digits=0,
        detail=True,
        optional=True,
    )
    weather: str | None
    wet_hours_h: float | None = figure(
        "Wet hours a year",
        basis=_TYPICAL,
        formula="year_sums.wet_hours_h|hourly_sums.wet_hours_h",
        digits=0,
        detail=True,
    )
    trim_hours_h: float | None = figure(
        "Hours with chillers on the FWS loop",
        basis=_TYPICAL,
        formula="year_sums.trim_hours_h|hourly_sums.trim_hours_h",
        digits=0,
        detail=True,
    )
    water_peak_l_per_s: float | None = figure("Water, peak rate")
    blowdown_peak_l_per_s: float | None = figure("Blowdown, peak rate", detail=True)
    water_storage_m3: float | None = figure("Water storage", digits=0, detail=True)
    source_water_l_per_s: float | None = figure(
        "River or sea water, taken and given back", optional=True
    )
    ride_through_s: float | None = figure(
        "Ride-through time", formula="given", detail=True, optional=True
    )
    ride_through_m3: float | None = figure(
        "Ride-through volume, before the system's content", digits=0, detail=True, optional=True
    )
    design_points: tuple[DesignPoint, ...]
    loops: LoopDetail | None = None
    air_side: AirSide | None = None
    ride_through: RideThrough | None = None
    heat_reuse: HeatReuse | None = None
