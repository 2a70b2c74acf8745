"""The grid file as the plain connection that the substation is sized for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.equipment import SwingLimit
from clusterplan.core.record import given
from clusterplan.inputs.datum import value_of
from clusterplan.sizing.grid_connection import ExistingTransformer, GridConnection
from clusterplan.sizing.short_circuit import short_circuit_mva

if TYPE_CHECKING:
    from clusterplan.inputs.datum import Datum
    from clusterplan.inputs.grid_file import Grid, OscillationLimit
    from clusterplan.planning.choices import Ledger
    from clusterplan.planning.site_case import SiteCase

EXISTING_POWER_FACTOR = 0.95
MOST_HZ = 55.0  # upper end of a band that states none: that of the published bands


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
        own_limits=tuple(
            _own_limit(place, one) for place, one in enumerate(grid.oscillation_limits)
        ),
    )


def _own_limit(place: int, limit: OscillationLimit) -> SwingLimit:
    """A limit of the grid file like a row of the catalogue: a band, or a change in a window."""
    low, high = value_of(limit.frequency_min_hz), value_of(limit.frequency_max_hz)
    window = value_of(limit.window_s)
    banded = low is not None or high is not None or window is None
    return SwingLimit(
        id=f"grid-file-{place}",
        name=limit.name or "grid file",
        who="grid file",
        keys=("grid file",),
        quantity="band" if banded else "window",
        limit=limit.peak_to_peak_mw.value,
        window_s=window,
        low_hz=low,
        high_hz=high if high is not None or not banded else MOST_HZ,
        status="given",
        in_force=True,
        source=limit.name or "grid.yaml",
        verified="given",
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
