"""What a supply temperature leaves for accelerators on a given facility power."""

from __future__ import annotations

import math

from clusterplan.core.record import formula


@formula(
    title="Facility power to share",
    equation="it_mw * pue_peak",
    unit="MW",
    source="clusterplan method, counting rule 4, of the plan at its own supply",
)
def sweep_facility_mw(it_mw: float, pue_peak: float) -> float:
    """Facility power that every point of a sweep gets."""
    return it_mw * pue_peak


@formula(
    title="Pumps of both loops",
    equation="cdu_pump_mw + fws_pump_mw + tower_pump_mw",
    unit="MW",
    source="clusterplan method, cooling step 7; tower pumps at the PUE peak",
)
def sweep_pump_mw(cdu_pump_mw: float, fws_pump_mw: float, tower_pump_mw: float) -> float:
    """CDU, FWS and tower pumps at design flow."""
    return cdu_pump_mw + fws_pump_mw + tower_pump_mw


@formula(
    title="Racks hosted",
    equation="floor(facility_mw / (rack_kw / 1000 * pue_peak) + 1e-9)",
    unit="",
    source="clusterplan method, cooling step 20: at the peak PUE of that many racks",
)
def racks_hosted(facility_mw: float, rack_kw: float, pue_peak: float) -> int:
    """Whole racks that the facility power carries."""
    return math.floor(facility_mw / (rack_kw / 1000.0 * pue_peak) + 1e-9)


@formula(
    title="Accelerators hosted",
    equation="racks_hosted * accelerators_per_rack",
    unit="",
    source="clusterplan method, counting rule 1",
)
def accelerators_hosted(racks_hosted: int, accelerators_per_rack: int) -> int:
    """Accelerators of the racks hosted."""
    return racks_hosted * accelerators_per_rack


@formula(
    title="IT power hosted",
    equation="facility_mw / pue_peak",
    unit="MW",
    source="heat without racks, at the peak PUE of the plan's own load",
)
def it_hosted_mw(facility_mw: float, pue_peak: float) -> float:
    """IT power that the facility power carries."""
    return facility_mw / pue_peak
