"""The service point of a site as plain figures; None is unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.frozen import frozen

if TYPE_CHECKING:
    from clusterplan.core.equipment import SwingLimit


@frozen
class ExistingTransformer:
    """Transformers that stand already: top stage, ONAN rating, impedance on ONAN."""

    mva: float
    mva_onan: float | None = None
    impedance_percent: float | None = None
    count: int = 1


@frozen
class GridConnection:
    """What the grid (or, islanded, the generation bus) offers at the service point.

    machines_mv_mva, machines_mv_x_over_r: fault MVA and X/R of machines that join at MV.
    Fault levels in MVA, or in kA where the voltage is still open. existing_load_mva: load already
    on `existing`. generation_firm_mw: islanded, all units but the largest. generators_at_hv and
    machines_mva: on-site machines that join at HV (their number, and fault MVA through their
    transformers). ramp_limit_mw_per_min, step_limit_mw: of the utility. utility: its words, by
    which published limits are found. inertia_mw_s: sum of H times rating of running machines.
    own_limits: on fast changes, of the grid file.
    """

    voltage_kv: float | None = None
    short_circuit_min_mva: float | None = None
    short_circuit_max_mva: float | None = None
    short_circuit_min_ka: float | None = None
    short_circuit_max_ka: float | None = None
    x_over_r: float | None = None
    circuits: int | None = None
    common_tower: bool | None = None
    power_factor_min: float | None = None
    existing: tuple[ExistingTransformer, ...] = ()
    existing_load_mva: float | None = None
    islanded: bool = False
    generation_firm_mw: float | None = None
    generators_at_hv: int = 0
    machines_mva: float = 0.0
    machines_mv_mva: float = 0.0
    machines_mv_x_over_r: float = 1.0 / 0.07
    ramp_limit_mw_per_min: float | None = None
    step_limit_mw: float | None = None
    utility: str = ""
    inertia_mw_s: float | None = None
    own_limits: tuple[SwingLimit, ...] = ()
