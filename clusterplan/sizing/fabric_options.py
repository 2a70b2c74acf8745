"""What alternatives of a fabric are compared by."""

from __future__ import annotations

from clusterplan.core.record import formula

_COUNTED = "clusterplan method, fabric rule 8"


@formula(title="Switches", equation="leaf + spine + core", unit="switches", source=_COUNTED)
def option_switches(leaf: int, spine: int, core: int) -> int:
    """All switches of an alternative."""
    return leaf + spine + core


@formula(
    title="Modules",
    equation="in_leaves + in_spines + in_cores + at_nics",
    unit="modules",
    source=_COUNTED,
)
def option_modules(in_leaves: int, in_spines: int, in_cores: int, at_nics: int) -> int:
    """Modules in switch cages and at the NICs."""
    return in_leaves + in_spines + in_cores + at_nics


@formula(
    title="Power",
    equation="switch_power_kw + optics_power_kw",
    unit="kW",
    source="clusterplan method, counting rule 3",
)
def option_power_kw(switch_power_kw: float, optics_power_kw: float) -> float:
    """Switches and the modules in their cages."""
    return switch_power_kw + optics_power_kw


@formula(
    title="Cost",
    equation="(switch_gbps * switch_usd_per_gbps + module_gbps * module_usd_per_gbps"
    " + cables * cable_usd) / 1e6",
    unit="MUSD",
    source="planning prices, not verified: for comparing, not for buying",
)
def option_cost_musd(
    switch_gbps: float,
    module_gbps: float,
    cables: int,
    switch_usd_per_gbps: float,
    module_usd_per_gbps: float,
    cable_usd: float,
) -> float:
    """Switches and modules by their Gb/s, and cables."""
    switches = switch_gbps * switch_usd_per_gbps
    return (switches + module_gbps * module_usd_per_gbps + cables * cable_usd) / 1e6
