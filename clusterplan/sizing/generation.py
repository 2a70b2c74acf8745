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


@formula(
    title="Critical load",
    equation="facility_mw * critical_share",
    unit="MW",
    source="clusterplan method, standby sets: a share of the facility, losses and cooling included",
)
def critical_load_mw(facility_mw: float, critical_share: float) -> float:
    """MW at the meter that standby supply must carry."""
    return facility_mw * critical_share


@formula(
    title="Redundant standby sets",
    equation="redundant_per_group * ceil(duty / (group - redundant_per_group))",
    unit="",
    source="clusterplan method, standby sets: each bus has its own spare",
)
def genset_spares(duty: int, group: int, redundant_per_group: int) -> int:
    """Spare sets where a bus takes `group` sets, the redundant ones included."""
    return redundant_per_group * math.ceil(duty / (group - redundant_per_group))


@formula(
    title="Fuel on site",
    equation="load_mw * hours * fuel_l_per_mwh / 1000.0",
    unit="m³",
    source="clusterplan method, standby sets; fuel of the data sheet at full load",
)
def standby_fuel_m3(load_mw: float, hours: float, fuel_l_per_mwh: float) -> float:
    """Fuel in m3 for so many hours at the critical load."""
    return load_mw * hours * fuel_l_per_mwh / 1000.0
