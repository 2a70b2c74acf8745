"""Yards, substation, generation and storage land, and the acres of the whole plot.

Areas in m2 unless the name says acres. Every yard is 0 where its quantity is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula
from clusterplan.core.units import ACRE_M2
from clusterplan.sizing.substation_tables import MV_SERVICE_MAX_KV

if TYPE_CHECKING:
    from collections.abc import Sequence

STEP_6 = "clusterplan method, floor step 6"
STEP_7 = "clusterplan method, floor step 7"
SITING_6 = "clusterplan method, siting section 6"
WATER_DEPTH_M = 5.0

# engineering practice, not verified
GENERATOR_M2_PER_MW = 25.0
BATTERY_M2_PER_MWH = 20.0

# Middle of the acre ranges per MW (0.03-0.10 engines and turbines, 0.02-0.06 fuel cells, 5-8 solar,
# 0.5-1.5 wind: the disturbed land only).
GENERATION_ACRES_PER_MW: dict[str, float] = {
    "ccgt": 0.065,
    "gas_turbine": 0.065,
    "reciprocating_engine": 0.065,
    "diesel": 0.065,
    "fuel_cell": 0.04,
    "solar": 6.5,
    "wind": 1.0,
}
GENERATION_ACRES_UNKNOWN = 0.10  # top of the engine and turbine range
STORAGE_ACRES_PER_MWH = 0.035 / 4.0  # middle of 0.02-0.05 acre per MW of a 4 h plant
CAMPUS_ACRES_PER_MW = (0.4, 1.0)


class SubstationArea(NamedTuple):
    """One published yard: voltage, installed MVA, middle of the open-air range in acres."""

    hv_kv: float
    installed_mva: float
    acres: float


@formula(
    title="Buildable land where only the gross is known",
    equation="gross_acres * share",
    unit="acres",
    source="clusterplan method, siting section 7",
)
def buildable_acres(gross_acres: float, share: float) -> float:
    """Acres that may be built on, as a share of the whole holding."""
    return gross_acres * share


@formula(
    title="Yard of a plant, spares included",
    equation="duty_mw * m2_per_mw * units / (units - redundant) if units > redundant"
    " else duty_mw * m2_per_mw",
    unit="m2",
    source=STEP_6 + "; plant footprints with access and air spacing, engineering practice",
)
def plant_yard_m2(duty_mw: float, m2_per_mw: float, units: int, redundant: int) -> float:
    """Ground (m2) of heat rejection or chillers for `duty_mw` of heat, with the spare machines."""
    if units > redundant:
        return duty_mw * m2_per_mw * units / (units - redundant)
    return duty_mw * m2_per_mw


@formula(
    title="Yard for a quantity",
    equation="quantity * m2_per_unit",
    unit="m2",
    source=STEP_6,
)
def proportional_yard_m2(quantity: float, m2_per_unit: float) -> float:
    """Ground (m2) of unit substations, generators (per MW) or batteries (per MWh)."""
    return quantity * m2_per_unit


@formula(
    title="Water storage",
    equation="water_peak_l_per_s * 3.6 * storage_h / depth_m",
    unit="m2",
    source=STEP_6 + ": 24 h at the peak rate, 5 m deep",
)
def water_storage_yard_m2(
    water_peak_l_per_s: float, storage_h: float, depth_m: float = WATER_DEPTH_M
) -> float:
    """Ground (m2) of tanks or a pond for `storage_h` hours at the peak rate (L/s)."""
    return water_peak_l_per_s * 3.6 * storage_h / depth_m


@formula(
    title="HV substation yard",
    equation="smallest of max(1, installed MVA / row MVA) x middle acres, over the rows of this kV"
    " or the next above; none at 34.5 kV and below",
    unit="acres",
    source=STEP_6 + "; fenced yards with control house (utility design guides, screening)",
    plain=False,
)
def hv_substation_acres(
    hv_kv: float, installed_mva: float, rows: Sequence[SubstationArea]
) -> float:
    """Fenced yard (acres) for `installed_mva` at `hv_kv`; 0 at a medium-voltage service.

    Above the highest voltage of the rows the highest one is used.
    """
    if hv_kv <= MV_SERVICE_MAX_KV or installed_mva <= 0.0 or not rows:
        return 0.0
    above = [row.hv_kv for row in rows if row.hv_kv >= hv_kv]
    level = min(above) if above else max(row.hv_kv for row in rows)
    return min(
        row.acres * max(1.0, installed_mva / row.installed_mva)
        for row in rows
        if row.hv_kv == level
    )


@formula(
    title="HV substation yard",
    equation="acres * 4046.8564224",
    unit="m2",
    source="definition of the international acre",
)
def hv_substation_yard_m2(acres: float) -> float:
    """Acres of the fenced yard in m2."""
    return acres * ACRE_M2


@formula(
    title="Land of on-site generation and storage",
    equation="sum of MW x acres per MW by type + storage_mwh * acres_per_mwh",
    unit="acres",
    source=SITING_6,
    plain=False,
)
def generation_acres(
    generation: Sequence[tuple[str, float]],
    storage_mwh: float,
    acres_per_mwh: float = STORAGE_ACRES_PER_MWH,
) -> float:
    """Acres of on-site units (type, gross MW) and storage (MWh), buffer not yet added."""
    return sum(mw * generation_acres_per_mw(kind) for kind, mw in generation) + (
        storage_mwh * acres_per_mwh
    )


@formula(
    title="Land needed",
    equation="((footprint_m2 + yards_m2) / coverage / 4046.8564224 + generation_acres)"
    " * buffer_factor",
    unit="acres",
    source=STEP_7 + " and siting section 6",
)
def acres_needed(
    footprint_m2: float,
    yards_m2: float,
    generation_acres: float,
    coverage: float,
    buffer_factor: float,
) -> float:
    """Acres: buildings and yards (m2) at their share of the plot, generation, and the buffer."""
    return ((footprint_m2 + yards_m2) / coverage / ACRE_M2 + generation_acres) * buffer_factor


@formula(
    title="Land margin",
    equation="acres_held - acres_needed",
    unit="acres",
    source=STEP_7,
)
def acres_margin(acres_held: float, acres_needed: float) -> float:
    """Buildable acres held less acres needed; negative where land is short."""
    return acres_held - acres_needed


@formula(
    title="Campus land per facility MW, generation apart",
    equation="(acres_needed - generation_acres * buffer_factor) / facility_mw",
    unit="acres/MW",
    source=STEP_7 + ": 0.4-1.0 at public campuses",
)
def land_acres_per_mw(
    acres_needed: float, generation_acres: float, buffer_factor: float, facility_mw: float
) -> float:
    """Acres per facility MW without generation, to compare with 0.4-1.0 of public campuses."""
    return (acres_needed - generation_acres * buffer_factor) / facility_mw


@formula(
    title="Campus land by the rule of thumb",
    equation="facility_mw * acres_per_mw + generation_acres",
    unit="acres",
    source=SITING_6 + ": 0.4-1.0 acre per facility MW without generation",
)
def campus_check_acres(facility_mw: float, acres_per_mw: float, generation_acres: float) -> float:
    """Acres by the factor per facility MW, beside the floor chain as a check."""
    return facility_mw * acres_per_mw + generation_acres


def generation_acres_per_mw(kind: str) -> float:
    """Acres per MW of a type of unit; the top of the thermal range where the type has no row."""
    return GENERATION_ACRES_PER_MW.get(kind, GENERATION_ACRES_UNKNOWN)
