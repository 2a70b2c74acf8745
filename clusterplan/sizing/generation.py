"""On-site generation: standby sets, firm power, islanded frequency."""

from __future__ import annotations

import math
from typing import NamedTuple

from clusterplan.core.record import formula


class Gensets(NamedTuple):
    """Standby sets: power asked of them, sets that carry it, sets installed."""

    required_mw: float
    duty: int
    installed: int


@formula(
    title="Standby generating sets",
    equation="installed = ceil(IT*PUE*margin/set) + redundant",
    unit="",
    source="clusterplan method, standby sets: the facility, not IT alone",
    plain=False,
)
def gensets(it_mw: float, pue: float, margin: float, set_mw: float, redundant: int = 1) -> Gensets:
    """Sets for IT with its cooling and losses; margin is a factor (1.25)."""
    required = it_mw * pue * margin
    duty = math.ceil(required / set_mw - 1e-9)
    return Gensets(required, duty, duty + redundant)


@formula(
    title="Generation with its largest units out",
    equation="sum of the units without the `redundant` largest",
    unit="MW",
    source="clusterplan method, counting rule 7",
    plain=False,
)
def generation_firm_mw(unit_mw: tuple[float, ...], redundant: int = 1) -> float:
    """Firm MW of on-site units: all but the `redundant` largest."""
    return sum(sorted(unit_mw)[: max(0, len(unit_mw) - redundant)])


@formula(
    title="Rate of change of frequency, islanded",
    equation="frequency_hz * step_mw / (2.0 * inertia_mw_s)",
    unit="Hz/s",
    source="swing equation; inverters and fuel cells bring no inertia",
)
def frequency_rate_hz_per_s(step_mw: float, inertia_mw_s: float, frequency_hz: float) -> float:
    """Initial df/dt in Hz/s after a step; inertia_mw_s: sum of H times rating (MW s)."""
    return frequency_hz * step_mw / (2.0 * inertia_mw_s)
