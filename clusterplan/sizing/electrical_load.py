"""What the substation carries: active, reactive and apparent power, currents, compensation."""

from __future__ import annotations

import math

from clusterplan.core.record import formula

SQRT3 = math.sqrt(3.0)
_TRIANGLE = "power triangle"


@formula(
    title="Active power through the substation",
    equation="max(facility_mw - onsite_mv_mw, 0.001)",
    unit="MW",
    source="clusterplan method, counting rule 7",
)
def substation_load_mw(facility_mw: float, onsite_mv_mw: float = 0.0) -> float:
    """Facility power less the firm on-site power that joins at MV, in MW at the meter.

    At least 1 kW, so that the ratios of an idle substation stay defined.
    """
    return max(facility_mw - onsite_mv_mw, 0.001)


@formula(
    title="Apparent power at HV",
    equation="sqrt(active_mw**2 + reactive_mvar**2)",
    unit="MVA",
    source=_TRIANGLE,
)
def apparent_power_mva(active_mw: float, reactive_mvar: float) -> float:
    """MVA from MW and Mvar."""
    return math.sqrt(active_mw**2 + reactive_mvar**2)


@formula(
    title="Apparent power from the power factor",
    equation="active_mw / power_factor",
    unit="MVA",
    source=_TRIANGLE,
)
def apparent_load_mva(active_mw: float, power_factor: float) -> float:
    """MVA of a load of so many MW at that power factor (0 < pf <= 1)."""
    return active_mw / power_factor


@formula(
    title="Reactive power of the load",
    equation="active_mw * tan(acos(power_factor))",
    unit="Mvar",
    source=_TRIANGLE,
)
def load_mvar(active_mw: float, power_factor: float) -> float:
    """Mvar of a load at that power factor."""
    return active_mw * math.tan(math.acos(power_factor))


@formula(
    title="Reactive power at HV",
    equation="load_mvar + transformer_mvar",
    unit="Mvar",
    source="clusterplan method, electrical step 2",
)
def reactive_power_mvar(load_mvar: float, transformer_mvar: float = 0.0) -> float:
    """Mvar at HV: that of the load, plus that of the transformers where pf is given at MV."""
    return load_mvar + transformer_mvar


@formula(
    title="Power factor at HV",
    equation="active_mw / apparent_mva",
    unit="",
    source=_TRIANGLE,
)
def power_factor_hv(active_mw: float, apparent_mva: float) -> float:
    """MW over MVA."""
    return active_mw / apparent_mva


@formula(
    title="Apparent power for ratings",
    equation="apparent_mva * (1.0 + growth_margin)",
    unit="MVA",
    source="clusterplan method, electrical step 1: growth raises ratings only",
)
def rating_power_mva(apparent_mva: float, growth_margin: float = 0.0) -> float:
    """MVA that ratings are chosen for."""
    return apparent_mva * (1.0 + growth_margin)


@formula(
    title="Three-phase current",
    equation="1000.0 * apparent_mva / (sqrt(3.0) * voltage_kv)",
    unit="A",
    source="I = S / (sqrt(3) V), line to line",
)
def three_phase_current_a(apparent_mva: float, voltage_kv: float) -> float:
    """Line current in A."""
    return 1000.0 * apparent_mva / (SQRT3 * voltage_kv)


@formula(
    title="Current of one HV circuit with others lost",
    equation="1000.0 * apparent_mva / (sqrt(3.0) * voltage_kv) / (circuits - lost)",
    unit="A",
    source="N-1 of circuits; a common tower loses two (NERC TPL-001-5 practice)",
)
def hv_circuit_current_a(
    apparent_mva: float, voltage_kv: float, circuits: int, lost: int = 1
) -> float:
    """Current in A of each circuit that is left when `lost` of `circuits` are out."""
    return 1000.0 * apparent_mva / (SQRT3 * voltage_kv) / (circuits - lost)


@formula(
    title="Loading of one HV circuit, one out",
    equation="100.0 * circuit_current_a / ampacity_a",
    unit="%",
    source="typical ampacity of the voltage class",
)
def hv_circuit_loading_percent(circuit_current_a: float, ampacity_a: float) -> float:
    """Percent of the class's typical ampacity."""
    return 100.0 * circuit_current_a / ampacity_a


@formula(
    title="MV bus current of one unit at rating",
    equation="1000.0 * rating_mva / secondaries / (sqrt(3.0) * mv_kv)",
    unit="A",
    source="clusterplan method, electrical step 6",
)
def mv_bus_current_a(rating_mva: float, secondaries: int, mv_kv: float) -> float:
    """Current in A of the MV bus of one secondary winding, the unit at its top stage."""
    return 1000.0 * rating_mva / secondaries / (SQRT3 * mv_kv)


@formula(
    title="Loading",
    equation="100.0 * load_mva / capacity_mva",
    unit="%",
    source="clusterplan method, electrical step 4",
)
def loading_percent(load_mva: float, capacity_mva: float) -> float:
    """Load over capacity in percent."""
    return 100.0 * load_mva / capacity_mva


@formula(
    title="Reactive compensation",
    equation="max(0.0, reactive_n1_mvar - active_mw * tan(acos(power_factor_min)))",
    unit="Mvar",
    source="clusterplan method, electrical step 12",
)
def compensation_mvar(active_mw: float, reactive_n1_mvar: float, power_factor_min: float) -> float:
    """Mvar to add so that the connection point meets `power_factor_min` with one unit out."""
    return max(0.0, reactive_n1_mvar - active_mw * math.tan(math.acos(power_factor_min)))


@formula(
    title="Dynamic share of the compensation",
    equation="max(0.0, compensation_mvar - max(0.0, rest * load_mvar + rest**2 * transformer_mvar"
    " - rest * active_mw * tan(acos(power_factor_min))))",
    unit="Mvar",
    source="clusterplan method, electrical step 12: what must follow the swing (STATCOM)",
)
def compensation_dynamic_mvar(
    compensation_mvar: float,
    active_mw: float,
    load_mvar: float,
    transformer_mvar: float,
    power_factor_min: float,
    rest: float,
) -> float:
    """Mvar of the compensation that the low end of the swing does not need; the rest is switched.

    rest: share of the load that stays; the load keeps its power factor, the transformers' Mvar fall
    with the square.
    """
    low = rest * load_mvar + rest**2 * transformer_mvar
    low -= rest * active_mw * math.tan(math.acos(power_factor_min))
    return max(0.0, compensation_mvar - max(0.0, low))


@formula(
    title="Voltage drop",
    equation="100.0 * (resistance_ohm * active_mw + reactance_ohm * reactive_mvar) / voltage_kv**2",
    unit="%",
    source="first-order voltage drop of a short line",
)
def voltage_drop_percent(
    resistance_ohm: float,
    reactance_ohm: float,
    active_mw: float,
    reactive_mvar: float,
    voltage_kv: float,
) -> float:
    """First-order drop in percent; good to a few percent of voltage."""
    drop = resistance_ohm * active_mw + reactance_ohm * reactive_mvar
    return 100.0 * drop / voltage_kv**2


@formula(
    title="MV feeders of one bus section",
    equation="max(1, ceil(section_mva / (loading * sqrt(3.0) * mv_kv * feeder_current_a / 1000.0)"
    " - 1e-9))",
    unit="",
    source="clusterplan method, electrical step 9",
)
def section_feeders(
    section_mva: float, mv_kv: float, feeder_current_a: float, loading: float
) -> int:
    """Feeders that carry a section's load at the planned loading (0.8), without spares."""
    capacity = loading * SQRT3 * mv_kv * feeder_current_a / 1000.0
    return max(1, math.ceil(section_mva / capacity - 1e-9))


@formula(
    title="MV feeders",
    equation="sections * feeders_per_section",
    unit="",
    source="clusterplan method, electrical step 9: rounded up per bus section",
)
def feeders(sections: int, feeders_per_section: int) -> int:
    """Feeders of all bus sections, without spares."""
    return sections * feeders_per_section


@formula(
    title="Spare feeders for one lost in each section",
    equation="sections * max(0, ceil(section_mva / (sqrt(3.0) * mv_kv * feeder_current_a / 1000.0)"
    " - 1e-9) + 1 - feeders_per_section)",
    unit="",
    source="clusterplan method, electrical step 9: one feeder lost, the rest at 100 % or less",
)
def feeders_spare(
    sections: int,
    section_mva: float,
    mv_kv: float,
    feeder_current_a: float,
    feeders_per_section: int,
) -> int:
    """Feeders to add so that one lost in a section leaves the rest at 100 % or less."""
    capacity = SQRT3 * mv_kv * feeder_current_a / 1000.0
    needed = math.ceil(section_mva / capacity - 1e-9) + 1
    return sections * max(0, needed - feeders_per_section)


@formula(
    title="Resistance or reactance of a feeder",
    equation="ohm_per_km * length_m / 1000.0 / cables",
    unit="ohm",
    source="cables in parallel; r and x at 90 C, trefoil",
)
def feeder_ohm(ohm_per_km: float, length_m: float, cables: int = 1) -> float:
    """Ohm a phase of so many parallel cables."""
    return ohm_per_km * length_m / 1000.0 / cables
