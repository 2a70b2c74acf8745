"""Floor loads of racks and CDUs, and whether a floor of a given rating carries them.

Loads are static, in kPa (kN/m2). They screen a floor; a structural engineer must check it.
"""

from __future__ import annotations

from typing import NamedTuple

from clusterplan.core.record import formula

STEP_8 = "clusterplan method, floor step 8 (TIA-942 ratings as quoted in public training texts)"
GRAVITY_M_PER_S2 = 9.81
SEVERITY = ("ok", "spread", "no")
SLAB_ON_GRADE_KPA = 25.0  # engineering practice; a TIA-942 Rated-3 floor is 12


class FloorVerdict(NamedTuple):
    """Verdict code (`ok`, `spread`, `no`) and its sentence."""

    code: str
    text: str


@formula(
    title="Load on the footprint",
    equation="weight_kg * 9.81 / (width_m * depth_m) / 1000",
    unit="kPa",
    source=STEP_8,
)
def footprint_load_kpa(weight_kg: float, width_m: float, depth_m: float) -> float:
    """Weight (kg) of a cabinet over its own footprint (m x m), in kPa."""
    return weight_kg * GRAVITY_M_PER_S2 / (width_m * depth_m) / 1000


@formula(
    title="Load averaged over the row",
    equation="weight_kg * 9.81 / (width_m * row_pitch_m) / 1000",
    unit="kPa",
    source=STEP_8,
)
def row_load_kpa(weight_kg: float, width_m: float, row_pitch_m: float) -> float:
    """Weight (kg) of a cabinet over its width times the row pitch (m), aisles included, in kPa."""
    return weight_kg * GRAVITY_M_PER_S2 / (width_m * row_pitch_m) / 1000


@formula(
    title="Row average with hanging load",
    equation="row_load_kpa + overhead_load_kpa",
    unit="kPa",
    source=STEP_8,
)
def row_load_with_overhead_kpa(row_load_kpa: float, overhead_load_kpa: float) -> float:
    """Row average (kPa) where the rack frames also carry trays, busway and filled pipe (kPa)."""
    return row_load_kpa + overhead_load_kpa


def floor_verdict(
    footprint_kpa: float,
    row_kpa: float,
    rating_kpa: float,
    *,
    what: str = "rack",
    storeys: int = 1,
) -> FloorVerdict:
    """Whether a floor of `rating_kpa` carries the heaviest cabinet.

    Footprint within the rating: as it stands. Footprint above it but row average within: with
    spreader plates or on a slab. Both above: not on this floor. All loads in kPa.
    """
    rated = f"the {rating_kpa:g} kPa floor"
    if footprint_kpa <= rating_kpa:
        return FloorVerdict(
            "ok", f"floor ok: {what} {footprint_kpa:.1f} kPa on its footprint, {rated} carries it"
        )
    where = "slab on grade" if storeys == 1 else "slab on grade, ground floor only"
    slab = (
        f"{where} ({SLAB_ON_GRADE_KPA:g} kPa)"
        if footprint_kpa <= SLAB_ON_GRADE_KPA
        else "a slab designed for it"
    )
    loads = f"{what} {footprint_kpa:.1f} kPa on its footprint, {row_kpa:.1f} kPa over the row"
    if row_kpa <= rating_kpa:
        return FloorVerdict("spread", f"spreader plates or slab: {loads}, {rated}; or {slab}")
    return FloorVerdict("no", f"not on this floor: {loads}, {rated}; {slab}")
