"""Cooling."""

from __future__ import annotations

from dataclasses import dataclass

from clusterplan.core.figures import figure


@dataclass(frozen=True, kw_only=True)
class CoolingSection:
    """Heat split, liquid loops, plant, design points, year."""

    density_class: str
    liquid_heat_mw: float = figure("Heat to liquid")
    air_heat_mw: float = figure("Heat to room air")
    loss_heat_mw: float = figure("of it electrical losses in rooms")
    tcs_supply_temp_c: float | None = figure("TCS supply")
    tcs_return_temp_c: float | None = figure("TCS return")
    tcs_flow_l_per_min: float | None = figure("TCS flow, all racks")
    cdus: int = figure("CDUs installed")
    cdus_redundant: int = figure("of them redundant")
    cdu_limit: str | None
    cdu_approach_k: float | None = figure("CDU approach")
    fws_supply_temp_c: float | None = figure("FWS supply")
    fws_return_temp_c: float | None = figure("FWS return")
    fws_flow_l_per_min: float | None = figure("FWS flow")
    fws_coolant: str | None
    heat_rejection: str
    heat_rejection_mw: float = figure("Heat to reject")
    heat_rejection_units: int = figure("Heat rejection units installed")
    heat_rejection_redundant: int = figure("of them redundant")
    trim_mw: float = figure("Trim chillers, most heat")
    air_plant_mw: float = figure("Room-air plant heat")
    cooling_power_peak_mw: float = figure("Cooling power at the PUE peak")
    water_m3_per_year: float | None = figure("Water a year")
    water_peak_l_per_s: float | None = figure("Water, peak rate")
