"""Substation, distribution losses and power swing."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

_N1 = "redundant units out"
_IEC = "IEC 60909 max"


@frozen
class ChainLoss:
    """One stage of the distribution chain, from the meter inwards."""

    stage: str
    efficiency_percent: float = figure(
        "Planning efficiency", formula="stage_efficiency_percent", digits=2
    )
    input_mw: float = figure("Takes in", formula="stage_input_mw")
    loss_mw: float = figure("Loses", formula="stage_loss_mw")


@frozen
class BuildStep:
    """Transformers that one supply stage needs of the final design; numbers are cumulative."""

    stage: str
    energised: str | None
    order_by: str | None
    apparent_mva: float = figure("Apparent power", formula="apparent_power_mva")
    transformers: int = figure("Transformers")
    added: int = figure("New", formula="units_added")
    bulk_transformers: int | None = figure(
        "Bulk transformers", formula="transformers", optional=True
    )
    loading_n1_percent: float | None = figure("Loading, N-1", formula="loading_percent", digits=1)


@frozen
class SubstationSection:
    """HV/MV substation, or unit substations at a small service (`service` mv)."""

    service: str = figure("Service", detail=True)
    arrangement: str
    running_arrangement: str = figure("Sections")
    bus_arrangement: str = figure("HV bus")
    grid_fault: str = figure("Grid fault level")
    active_power_mw: float = figure("Active power", formula="substation_load_mw")
    apparent_power_mva: float = figure("Apparent power, HV")
    reactive_power_mvar: float = figure("Reactive power", basis="at HV", detail=True)
    rating_power_mva: float = figure(
        "Apparent power for ratings", basis="growth margin included", detail=True
    )
    hv_kv: float = figure("HV voltage", formula="given", detail=True)
    mv_kv: float = figure("MV voltage", formula="given", detail=True)
    transformers: int = figure("Transformers installed")
    transformers_redundant: int = figure("of them redundant")
    transformer_groups: int = figure("Transformer groups", formula="given", detail=True)
    transformer_mva: float = figure("Transformer rating, top stage", formula="given", detail=True)
    transformer_onan_mva: float = figure(
        "Transformer rating, ONAN (base of impedance)", formula="given", detail=True
    )
    transformer_impedance_percent: float = figure(
        "Transformer impedance", basis="on the ONAN rating", formula="given", detail=True
    )
    secondaries: int = figure("Secondary windings a unit", formula="given", detail=True)
    unit_capability_mva: float = figure("Capability of one unit at the site", detail=True)
    intermediate_kv: float | None = figure(
        "Voltage behind the bulk units", formula="given", detail=True, optional=True
    )
    bulk_transformers: int | None = figure(
        "Bulk transformers installed", formula="transformers", detail=True, optional=True
    )
    bulk_transformers_redundant: int | None = figure(
        "of them redundant", formula="transformers_redundant", detail=True, optional=True
    )
    bulk_transformer_groups: int | None = figure(
        "Bulk transformer groups", formula="given", detail=True, optional=True
    )
    bulk_transformer_mva: float | None = figure(
        "Bulk transformer rating", formula="given", detail=True, optional=True
    )
    bulk_loading_n1_percent: float | None = figure(
        "Bulk loading", basis=_N1, formula="loading_percent", digits=1, detail=True, optional=True
    )
    bulk_fault_level_ka: float | None = figure(
        "Fault level behind the bulk units",
        basis=_IEC,
        formula="bus_fault.current_ka",
        detail=True,
        optional=True,
    )
    generation_firm_mw: float | None = figure(
        "Generation, largest unit out", formula="given", detail=True, optional=True
    )
    firm_capacity_mva: float | None = figure("Firm capacity, N-1")
    loading_normal_percent: float | None = figure(
        "Loading, normal", formula="loading_percent", digits=1
    )
    loading_n1_percent: float | None = figure("Loading, N-1", formula="loading_percent", digits=1)
    hv_current_a: float = figure("HV current, all", formula="three_phase_current_a", digits=0)
    hv_circuits: int = figure("HV circuits", formula="given", detail=True)
    hv_circuit_current_a: float | None = figure(
        "HV circuit current, one circuit out", digits=0, detail=True, optional=True
    )
    hv_circuit_loading_percent: float | None = figure(
        "HV circuit loading, one circuit out",
        basis="typical ampacity",
        digits=0,
        detail=True,
        optional=True,
    )
    hv_tower_loss_current_a: float | None = figure(
        "HV circuit current, common tower lost",
        formula="hv_circuit_current_a",
        digits=0,
        detail=True,
        optional=True,
    )
    hv_tower_loss_loading_percent: float | None = figure(
        "HV circuit loading, common tower lost",
        basis="typical ampacity",
        formula="hv_circuit_loading_percent",
        digits=0,
        detail=True,
        optional=True,
    )
    unit_hv_current_a: float = figure(
        "Unit HV current at rating", formula="three_phase_current_a", digits=0, detail=True
    )
    hv_fault_level_ka: float | None = figure("Fault level at HV")
    hv_breaker_ka: float | None = figure("HV breaker", formula="breaker_rating_ka")
    hv_breaker_a: float | None = figure(
        "HV breaker, continuous", formula="continuous_rating_a", digits=0, detail=True
    )
    mv_bus_current_a: float = figure("MV bus current, a unit", digits=0)
    fault_level_ka: float | None = figure("Fault level at MV", formula="bus_fault.current_ka")
    fault_peak_ka: float | None = figure(
        "Peak fault current at the MV bus", basis=_IEC, formula="bus_fault.peak_ka", detail=True
    )
    fault_x_over_r: float | None = figure(
        "X/R at the MV bus", formula="bus_fault.x_over_r", digits=1, detail=True
    )
    fault_level_mva_method_ka: float | None = figure(
        "Fault level, MVA method", basis="cross-check, not for duty", detail=True
    )
    single_phase_fault_ka: float | None = figure(
        "Earth fault, solid neutral", basis=_IEC, detail=True, optional=True
    )
    mv_breaker_ka: float | None = figure("MV breaker", formula="breaker_rating_ka")
    mv_breaker_a: float | None = figure(
        "MV main breaker, continuous", formula="continuous_rating_a", digits=0, detail=True
    )
    feeders: int = figure("MV feeders, no spares")
    feeders_spare: int | None = figure(
        "MV feeders, spare",
        basis="one lost in each section leaves 100 % or less",
        detail=True,
        optional=True,
    )
    mv_sections: int = figure("MV bus sections", detail=True)
    bus_elements: int = figure("Elements on the HV bus", detail=True)
    hv_breakers: int | None = figure("HV breakers on the bus", detail=True, optional=True)
    losses_mw: float = figure("Transformer losses")
    losses_n1_mw: float = figure("Transformer losses", basis=_N1, formula="losses_mw", detail=True)
    transformer_reactive_mvar: float = figure("Transformer reactive power", detail=True)
    transformer_reactive_n1_mvar: float = figure(
        "Transformer reactive power", basis=_N1, formula="transformer_reactive_mvar", detail=True
    )
    power_factor_hv: float = figure("Power factor at HV", digits=3, detail=True)
    power_factor_hv_n1: float = figure(
        "Power factor at HV", basis=_N1, formula="power_factor_hv", digits=3, detail=True
    )
    compensation_mvar: float | None = figure("Compensation, N-1")
    compensation_dynamic_mvar: float | None = figure(
        "of it dynamic", basis="to follow the swing", detail=True, optional=True
    )
    isc_il_ratio: float | None = figure("Isc/IL at the connection point", digits=1, detail=True)
    tdd_limit_percent: float | None = figure("TDD limit, IEEE 519")
    tdd_limit_weak_percent: float | None = figure(
        "TDD limit at minimum Isc",
        basis="where it is a stricter class",
        formula="tdd_limit_percent",
        detail=True,
        optional=True,
    )
    supply_voltage_percent: float | None = figure(
        "Voltage at the connection point under load", basis="minimum Ssc", digits=1, detail=True
    )
    mv_step_voltage_percent: float | None = figure(
        "Step voltage at the MV bus",
        basis="swing on minimum Ssc, N-1",
        digits=2,
        detail=True,
        optional=True,
    )
    losses: tuple[ChainLoss, ...] = ()
    build: tuple[BuildStep, ...] = ()


@frozen
class SwingTransition:
    """One change of level of a job on all racks, at the connection point."""

    transition: str
    swing_mw: float = figure("Swing")
    ramp_mw_per_s: float = figure("Ramp")
    ramp_mw_per_min: float | None = figure("Ramp", default=None)
    repeats_hz: float | None = figure(
        "Repeats at", formula="given", digits=2, optional=True, default=None
    )
    reaches_hz: float | None = figure("Reaches", formula="edge_corner_hz", digits=2, default=None)


@frozen
class SwingVerdict:
    """One limit against the swing: pass, fail or not applicable, and the status of the rule."""

    who: str
    quantity: str
    value: float = figure(
        "Value",
        formula="ramp_mw_per_min|window_swing_mw|oscillation_amplitude_mw|band_swing_mw|swing_mw"
        "|repeating_swing_mw|combined_swing_mw|worst_swing_mw|step_voltage_percent|pst",
    )
    limit: float = figure("Limit", formula="given")
    unit: str
    verdict: str
    standing: str = ""
    status: str = figure("Status", detail=True)
    source: str = figure("Source", detail=True)
    verified: str = figure("Verified", detail=True)


@frozen
class SwingLayer:
    """One way to keep the swing from the grid, sized; the band that it covers."""

    layer: str
    available: str
    power_mw: float | None = figure(
        "Power", formula="ballast_step_mw|peak_reduction_mw|given", optional=True, default=None
    )
    usable_mwh: float | None = figure(
        "Usable", formula="rack_storage_mwh|two_way_energy_mwh", optional=True, default=None
    )
    nameplate_mwh: float | None = figure(
        "Nameplate", formula="buffer_mwh", optional=True, default=None
    )
    from_hz: float | None = figure(
        "From", formula="flattens_from_hz|given", digits=2, optional=True, default=None
    )
    to_hz: float | None = figure("To", formula="given", digits=2, optional=True, default=None)
    lost_mwh: float | None = figure(
        "Lost a year",
        formula="yearly_buffer_loss_mwh|yearly_ballast_mwh",
        detail=True,
        optional=True,
        default=None,
    )
    cycles: float | None = figure(
        "Full cycles a year",
        formula="yearly_cycles",
        digits=0,
        detail=True,
        optional=True,
        default=None,
    )
    life_years: float | None = figure(
        "Life by cycles",
        formula="cycle_life_years",
        digits=1,
        detail=True,
        optional=True,
        default=None,
    )
    covers: str = figure("Covers", detail=True)


@frozen
class SwingBand:
    """What of the swing lies in a band, and which layers cover it."""

    band: str
    swing_mw: float = figure("Swing", formula="band_swing_mw|swing_mw")
    covered_by: str


@frozen
class SwingSection:
    """Power swing of synchronous training at the connection point."""

    swing_mw: float = figure("Swing, one job on all racks")
    ramp_mw_per_s: float = figure("Ramp")
    edge_s: float = figure("Edge of the swing", formula="given", detail=True)
    swing_mvar: float = figure("Reactive swing", basis="constant power factor", detail=True)
    step_voltage_percent: float | None = figure("Step voltage, minimum Ssc", digits=2)
    step_voltage_linear_percent: float | None = figure(
        "Step voltage, first order", formula="linear_step_voltage_percent", digits=2, detail=True
    )
    swing_frequency_hz: float = figure(
        "Frequency of the swing", formula="given", digits=2, detail=True
    )
    pst: float | None = figure("Flicker, Pst and Plt", digits=2)
    pst_closed_form: float | None = figure(
        "Flicker Pst, closed form", basis="cross-check", digits=2, detail=True
    )
    frequency_rate_hz_per_s: float | None = figure(
        "Frequency change, islanded", digits=2, detail=True, optional=True
    )
    buffer_mw: float | None = figure(
        "Buffer power", formula="ramp_buffer.power_mw|smoothing_buffer.power_mw"
    )
    buffer_mwh: float | None = figure("Buffer, nameplate")
    buffer_limit: str | None = None
    repeating_mw: float | None = figure(
        "Swing that repeats each step",
        basis="independent jobs by the root of squares",
        formula="repeating_swing_mw",
        detail=True,
        default=None,
    )
    communication_percent: float | None = figure(
        "Share of the step at low power", formula="given", digits=1, detail=True, default=None
    )
    jobs_at_once: int = figure("Independent jobs at once", formula="given", detail=True, default=1)
    layers_for: str | None = None
    layers: tuple[SwingLayer, ...] = ()
    bands: tuple[SwingBand, ...] = ()
    transitions: tuple[SwingTransition, ...] = ()
    verdicts: tuple[SwingVerdict, ...] = ()
