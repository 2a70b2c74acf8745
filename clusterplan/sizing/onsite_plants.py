"""On-site generating plants: rating, fault level, inertia, block load, ramp, part load, fuel."""

from __future__ import annotations

import math
from typing import NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.breakers import breaker_rating_ka

METHOD = "clusterplan method, electrical, on-site generation"
INVERTER_FAULT = 1.2  # of rated current: what an inverter gives at least
LARGE_MACHINE_MVA = 100.0


class Plant(NamedTuple):
    """Equal units of one plant, all together: MW, and per unit of the rating in MVA.

    subtransient: None for inverters; inertia_s, block_load and ramp_mw_per_min: None where nothing
    is known. given: the fault data are the user's, not the catalogue's.
    """

    name: str
    kind: str
    gross_mw: float
    units: int
    power_factor: float
    subtransient: float | None
    inertia_s: float | None
    block_load: float | None
    ramp_mw_per_min: float | None
    transformer_reactance: float
    heat_rate_btu_per_kwh: float | None
    inverter: bool
    given: bool

    @property
    def unit_mw(self) -> float:
        """MW of one unit."""
        return self.gross_mw / self.units


@formula(
    title="Rating of the machines",
    equation="gross_mw / power_factor",
    unit="MVA",
    source="rated power over rated power factor",
)
def machine_mva(gross_mw: float, power_factor: float) -> float:
    """MVA of a plant."""
    return gross_mw / power_factor


@formula(
    title="Largest fault level of machines at their terminals",
    equation="rated_mva * (1.0 + subtransient * sin(acos(power_factor))) / subtransient",
    unit="MVA",
    source='IEC 60909-0, impedance of the machine times K_G = c/(1 + x"d sin phi)',
)
def machine_fault_max_mva(rated_mva: float, subtransient: float, power_factor: float) -> float:
    """Fault MVA for breaker duty, so that c V^2 / it is the corrected impedance.

    subtransient: x"d in per unit of the rating; rated at its nominal voltage.
    """
    return rated_mva * (1.0 + subtransient * math.sin(math.acos(power_factor))) / subtransient


@formula(
    title="Fault level of all plants",
    equation="sum(plants_mva)",
    unit="MVA",
    source=METHOD + ": all on one bus",
)
def plants_fault_mva(plants_mva: tuple[float, ...]) -> float:
    """Sum of the plants' fault MVA."""
    return sum(plants_mva)


def machine_x_over_r(unit_mva: float) -> float:
    """X/R of a machine by the resistance that IEC 60909-0 takes: 0.05 or, below 100 MVA, 0.07 X"d.

    For units above 1 kV; unit_mva: rating of one.
    """
    return 1.0 / (0.05 if unit_mva >= LARGE_MACHINE_MVA else 0.07)


@formula(
    title="Kinetic energy of the machines",
    equation="rated_mva * inertia_s",
    unit="MW·s",
    source="H is stored energy at rated speed over the rating",
)
def plant_inertia_mw_s(rated_mva: float, inertia_s: float) -> float:
    """MW s of running machines with inertia constant H (s)."""
    return rated_mva * inertia_s


@formula(
    title="Step that the units take at once",
    equation="gross_mw * block_load",
    unit="MW",
    source=METHOD + "; ISO 8528-5 load acceptance",
)
def block_load_mw(gross_mw: float, block_load: float) -> float:
    """MW of one load step; block_load: share of the rating."""
    return gross_mw * block_load


@formula(
    title="Ramp of the units",
    equation="gross_mw / full_ramp_minutes",
    unit="MW/min",
    source=METHOD,
)
def plant_ramp_mw_per_min(gross_mw: float, full_ramp_minutes: float) -> float:
    """MW/min of a plant that takes so many minutes from nothing to rated power."""
    return gross_mw / full_ramp_minutes


@formula(
    title="Sum over the plants",
    equation="sum(plants)",
    unit="",
    source=METHOD,
)
def plants_sum(plants: tuple[float, ...]) -> float:
    """Sum of a figure of every plant."""
    return sum(plants)


@formula(
    title="Loading of the units",
    equation="100.0 * load_mw / running_mw",
    unit="%",
    source=METHOD,
)
def plant_loading_percent(load_mw: float, running_mw: float) -> float:
    """Percent of their rating at which the running units work, evenly loaded."""
    return 100.0 * load_mw / running_mw


@formula(
    title="Fuel of a plant",
    equation="load_mw * 1000.0 * 24.0 * heat_rate_btu_per_kwh / 1e6",
    unit="MMBtu/day",
    source="heat rate (HHV) times energy; part load takes more",
)
def fuel_mmbtu_per_day(load_mw: float, heat_rate_btu_per_kwh: float) -> float:
    """MMBtu a day at a steady load."""
    return load_mw * 1000.0 * 24.0 * heat_rate_btu_per_kwh / 1e6


@formula(
    title="Separate generation buses",
    equation="least k: current/k <= largest breaker current; fault/k and peak/k pass a breaker",
    unit="",
    source=METHOD + "; breaker duty as at any bus",
    plain=False,
)
def generation_buses(
    current_a: float,
    fault_ka: float,
    x_over_r: float,
    breaker_a: float,
    ratings_ka: tuple[float, ...],
    frequency_hz: float,
) -> int:
    """Buses on which the units must stand apart so that current and fault level stay in reach."""
    kappa = 1.02 + 0.98 * math.exp(-3.0 / x_over_r)
    buses = max(1, math.ceil(current_a / breaker_a - 1e-9))
    while True:
        each = fault_ka / buses
        peak = kappa * math.sqrt(2.0) * each
        if breaker_rating_ka(each, peak, x_over_r, ratings_ka, frequency_hz) is not None:
            return buses
        buses += 1
