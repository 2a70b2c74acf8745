"""What a utility is told of a load: what is contracted, its shares, and which thresholds it meets.

Powers in MW at the meter.
"""

from __future__ import annotations

from clusterplan.core.record import formula

_SOURCE = "clusterplan method, electrical step 23"

APPLIES, BELOW, BOUNDARY = "applies", "below", "boundary"


@formula(
    title="Load drawn from the grid",
    equation="max(0.0, load_mw - onsite_firm_mw)",
    unit="MW",
    source=_SOURCE + ": on-site generation with its largest unit out",
)
def grid_load_mw(load_mw: float, onsite_firm_mw: float) -> float:
    """MW of a load (MW) that its firm on-site generation (MW) does not cover."""
    return max(0.0, load_mw - onsite_firm_mw)


@formula(
    title="Contracted part of the load",
    equation="min(grid_mw, secured_mw)",
    unit="MW",
    source=_SOURCE + ": secured is approved, or firm in a stage that has an agreement",
)
def contracted_mw(grid_mw: float, secured_mw: float) -> float:
    """MW of the load from the grid (MW) that a study or an agreement secures (MW)."""
    return min(grid_mw, secured_mw)


@formula(
    title="Speculative part of the load",
    equation="grid_mw - contracted_mw",
    unit="MW",
    source=_SOURCE,
)
def speculative_mw(grid_mw: float, contracted_mw: float) -> float:
    """MW of the load from the grid that nothing secures yet."""
    return grid_mw - contracted_mw


@formula(
    title="Load at the connection point, all halls",
    equation="sum(loads_mw) + existing_mw",
    unit="MW",
    source=_SOURCE + ": halls of one site are summed, load that is there already included",
)
def site_load_mw(loads_mw: tuple[float, ...], existing_mw: float) -> float:
    """Sum of the halls of one connection point in MW with what it already carries (MW)."""
    return sum(loads_mw) + existing_mw


@formula(
    title="Share of the facility load",
    equation="100.0 * part_mw / whole_mw",
    unit="%",
    source=_SOURCE,
)
def load_share_percent(part_mw: float, whole_mw: float) -> float:
    """Percent that a part (MW) is of the whole (MW)."""
    return 100.0 * part_mw / whole_mw


@formula(
    title="Load factor",
    equation="100.0 * it_typical_mw * pue_annual / load_mw",
    unit="%",
    source=_SOURCE + ": typical IT power at the annual PUE over the peak load",
)
def load_factor_percent(it_typical_mw: float, pue_annual: float, load_mw: float) -> float:
    """Mean of the facility load over its peak (MW), from typical IT power (MW)."""
    return 100.0 * it_typical_mw * pue_annual / load_mw


@formula(
    title="Swing of all halls at once",
    equation="sum(swings_mw)",
    unit="MW",
    source="clusterplan method, electrical, power swings: plain sum for the worst step",
)
def worst_swing_mw(swings_mw: tuple[float, ...]) -> float:
    """Plain sum of the swings of several halls in MW."""
    return sum(swings_mw)


def threshold_verdict(readings: tuple[float, ...], threshold: float, margin: float) -> str:
    """How the readings of one load stand to a threshold in the same unit.

    `APPLIES` from the threshold itself on, `BELOW`, or `BOUNDARY` where the readings disagree or
    one is within the margin (a fraction of the threshold). Source: method, electrical step 23.
    """
    above = [reading >= threshold for reading in readings]
    near = any(abs(reading / threshold - 1.0) <= margin for reading in readings)
    if near or any(above) != all(above):
        return BOUNDARY
    return APPLIES if above[0] else BELOW
