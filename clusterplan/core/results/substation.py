"""Substation and power swing."""

from __future__ import annotations

from dataclasses import dataclass

from clusterplan.core.figures import figure


@dataclass(frozen=True, kw_only=True)
class SubstationSection:
    """HV/MV substation (or unit substations at a small service), by electrical.md steps 1-21."""

    apparent_power_mva: float = figure("Apparent power at HV")
    hv_kv: float = figure("HV voltage")
    mv_kv: float = figure("MV voltage")
    transformers: int = figure("Transformers installed")
    transformers_redundant: int = figure("of them redundant")
    transformer_mva: float = figure("Transformer rating, top stage")
    firm_capacity_mva: float = figure("Firm capacity", basis="N-1")
    loading_normal_percent: float = figure("Loading, normal", digits=1)
    loading_n1_percent: float = figure("Loading, one unit out", digits=1)
    hv_current_a: float = figure("HV current, whole site", digits=0)
    mv_bus_current_a: float = figure("MV bus current, one unit at rating", digits=0)
    fault_level_ka: float | None = figure("Fault level at the MV bus", basis="IEC 60909 max")
    feeders: int = figure("MV feeders")
    bus_arrangement: str
    losses_mw: float = figure("Transformer losses", basis="inside facility power")
    compensation_mvar: float = figure("Compensation", basis="N-1")
    tdd_limit_percent: float | None = figure("TDD limit", basis="IEEE 519 class")


@dataclass(frozen=True, kw_only=True)
class SwingSection:
    """Power swing of synchronous training at the connection point."""

    swing_mw: float = figure("Swing of one job on all racks")
    ramp_mw_per_s: float = figure("Ramp")
    step_voltage_percent: float | None = figure("Step voltage at the connection point", digits=2)
    pst: float | None = figure("Flicker Pst", digits=2)
    buffer_mw: float | None = None
    buffer_mwh: float | None = None
    verdicts: tuple[str, ...] = ()
