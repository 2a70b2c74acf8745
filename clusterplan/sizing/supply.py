"""Supply at the meter: grid stages and on-site generation; the facility's need."""

from __future__ import annotations

from clusterplan.core.record import formula

RULE_4 = "clusterplan method, counting rule 4 (ISO/IEC 30134-2: PUE at the meter)"
RULE_7 = "clusterplan method, counting rule 7"


@formula(
    title="Facility power at the meter",
    equation="it_power_mw * pue_peak",
    unit="MW",
    source=RULE_4,
)
def facility_power_mw(it_power_mw: float, pue_peak: float) -> float:
    """Facility MW: IT power (MW) times the peak PUE at the meter."""
    return it_power_mw * pue_peak


@formula(
    title="Firm on-site generation, largest unit out",
    equation="stated_firm_mw + max(0.0, gross_mw - largest_unit_mw)",
    unit="MW",
    source=RULE_7,
)
def onsite_firm_mw(stated_firm_mw: float, gross_mw: float, largest_unit_mw: float) -> float:
    """Firm MW of on-site units.

    stated_firm_mw: plants whose firm power (largest unit out) is given; gross_mw, largest_unit_mw:
    all other dispatchable units together, and the largest of them.
    """
    return stated_firm_mw + max(0.0, gross_mw - largest_unit_mw)


@formula(
    title="Supply of a stage",
    equation="grid_firm_mw + onsite_firm_mw + counted_nonfirm_mw",
    unit="MW",
    source=RULE_7,
)
def stage_supply_mw(
    grid_firm_mw: float, onsite_firm_mw: float, counted_nonfirm_mw: float = 0.0
) -> float:
    """MW a stage may use: firm grid, firm on-site, and non-firm only where the user counts it."""
    return grid_firm_mw + onsite_firm_mw + counted_nonfirm_mw
