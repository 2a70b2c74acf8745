"""The grid file as the plain connection that the substation is sized for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.record import given
from clusterplan.inputs.datum import value_of
from clusterplan.sizing.grid_connection import ExistingTransformer, GridConnection
from clusterplan.sizing.short_circuit import short_circuit_mva

if TYPE_CHECKING:
    from clusterplan.inputs.datum import Datum
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.planning.choices import Ledger
    from clusterplan.planning.site_case import SiteCase

EXISTING_POWER_FACTOR = 0.95


def grid_connection(case: SiteCase, grid: Grid | None, ledger: Ledger) -> GridConnection:
    """What the connection offers; unknown stays None and is assumed, marked, where it is used."""
    machines = sum(
        1 for kind, mw in case.generation if mw > 0.0 and kind not in ("solar", "wind", "fuel_cell")
    )
    if grid is None:
        return GridConnection(
            islanded=case.islanded,
            generation_firm_mw=case.steps[-1].onsite_firm_mw if case.steps else None,
            generators_at_hv=machines if case.islanded else 0,
        )
    voltage_kv = grid.voltage_kv.value
    low, high = _fault_mva(grid, voltage_kv, ledger)
    minimum = grid.power_factor_min
    return GridConnection(
        voltage_kv=voltage_kv,
        short_circuit_min_mva=low,
        short_circuit_max_mva=high,
        x_over_r=value_of(grid.x_over_r),
        circuits=value_of(grid.circuits),
        common_tower=grid.common_tower,
        power_factor_min=None if minimum is None else minimum.lag.value,
        existing=tuple(
            ExistingTransformer(
                mva=unit.top_mva.value,
                mva_onan=value_of(unit.onan_mva),
                impedance_percent=value_of(unit.impedance_percent),
                count=value_of(unit.count) or 1,
            )
            for unit in grid.transformers
        ),
        existing_load_mva=_existing_load_mva(grid, ledger),
        generators_at_hv=machines if case.generation_at_hv else 0,
        ramp_limit_mw_per_min=value_of(grid.ramp_rate_limit_mw_per_min),
        step_limit_mw=value_of(grid.step_limit_mw),
        utility=" ".join(filter(None, (grid.iso, grid.operator, grid.utility))),
    )


def _fault_mva(grid: Grid, voltage_kv: float, ledger: Ledger) -> tuple[float | None, float | None]:
    fault = grid.short_circuit
    if fault is None:
        return None, None

    def mva(name: str, datum: Datum[float]) -> float:
        if datum.unit == "kA":
            source, flag = datum.source or f"grid file, {name}", datum.verified
            given(f"grid.short_circuit.{name}_current_ka", datum.value, "kA", source, flag)
            return short_circuit_mva(voltage_kv, datum.value)
        return datum.value

    low, high = mva("min", fault.min), mva("max", fault.max)
    if low == high:
        ledger.warn(
            "short_circuit_one_value",
            "grid.short_circuit",
            "one fault level is used both as least (step voltage, flicker) and as most (breakers)",
        )
    return low, high


def _existing_load_mva(grid: Grid, ledger: Ledger) -> float | None:
    load = grid.existing_load
    if load is None:
        return None
    power_factor = value_of(load.power_factor)
    if power_factor is None:
        power_factor = EXISTING_POWER_FACTOR
        ledger.assume("grid.existing_load.power_factor", power_factor, "", "usual minimum")
    return load.power_mw.value / power_factor
