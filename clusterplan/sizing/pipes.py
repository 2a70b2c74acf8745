"""Pipes of the liquid loops: friction, the capacity of each size, and the size to take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.equipment import PipeSize

LAMINAR_REYNOLDS = 2300.0
PARALLEL_MAX = 50
_HAALAND = "Haaland, J. Fluids Eng. 105 (1983) 89; laminar 64/Re below 2300"


@formula(
    title="Velocity in the pipe",
    equation="flow_l_per_min / 60000 / (pi * (inner_diameter_mm / 1000)**2 / 4)",
    unit="m/s",
    source="continuity",
)
def pipe_velocity_m_per_s(flow_l_per_min: float, inner_diameter_mm: float) -> float:
    """Mean velocity."""
    return flow_l_per_min / 60000 / (math.pi * (inner_diameter_mm / 1000) ** 2 / 4)


@formula(
    title="Reynolds number",
    equation="density_kg_per_m3 * velocity_m_per_s * inner_diameter_mm / viscosity_mpa_s",
    unit="",
    source="definition",
)
def reynolds_number(
    density_kg_per_m3: float,
    velocity_m_per_s: float,
    inner_diameter_mm: float,
    viscosity_mpa_s: float,
) -> float:
    """Reynolds number (mm over mPa.s cancels the factor 1000)."""
    return density_kg_per_m3 * velocity_m_per_s * inner_diameter_mm / viscosity_mpa_s


@formula(
    title="Darcy friction factor",
    equation="64 / reynolds if reynolds < 2300 else"
    " (-1.8 * log10((roughness_mm / inner_diameter_mm / 3.7)**1.11 + 6.9 / reynolds))**-2",
    unit="",
    source=_HAALAND,
)
def friction_factor(reynolds: float, roughness_mm: float, inner_diameter_mm: float) -> float:
    """Darcy friction factor, within 2 % of Colebrook in turbulent flow; reynolds above 0."""
    return _darcy_factor(reynolds, roughness_mm / inner_diameter_mm)


def _darcy_factor(reynolds: float, roughness: float) -> float:
    if reynolds < LAMINAR_REYNOLDS:
        return 64 / reynolds
    root = -1.8 * math.log10((roughness / 3.7) ** 1.11 + 6.9 / reynolds)
    return root**-2


@formula(
    title="Friction per metre of pipe",
    equation="friction_factor / (inner_diameter_mm / 1000)"
    " * density_kg_per_m3 * velocity_m_per_s**2 / 2",
    unit="Pa/m",
    source="Darcy-Weisbach",
)
def pipe_friction_pa_per_m(
    friction_factor: float,
    inner_diameter_mm: float,
    density_kg_per_m3: float,
    velocity_m_per_s: float,
) -> float:
    """Pressure gradient of a straight pipe."""
    return (
        friction_factor / (inner_diameter_mm / 1000) * density_kg_per_m3 * velocity_m_per_s**2 / 2
    )


class Fluid(NamedTuple):
    """What friction needs of the liquid, at its mean temperature."""

    density_kg_per_m3: float
    viscosity_mpa_s: float


class PipeChoice(NamedTuple):
    """A size for a flow, split over `parallel` equal pipes."""

    dn: int
    inner_diameter_mm: float
    parallel: int
    velocity_m_per_s: float
    friction_pa_per_m: float


def _friction(velocity: float, diameter_mm: float, fluid: Fluid, roughness_mm: float) -> float:
    """Friction in Pa/m, not recorded (for the search of a size)."""
    density, viscosity = fluid
    reynolds = density * velocity * diameter_mm / viscosity
    factor = _darcy_factor(reynolds, roughness_mm / diameter_mm)
    return factor / (diameter_mm / 1000) * density * velocity**2 / 2


def _smallest(
    flow_l_per_min: float,
    sizes: Sequence[PipeSize],
    fluid: Fluid,
    roughness_mm: float,
    friction_max_pa_per_m: float,
) -> PipeSize | None:
    per_area = flow_l_per_min * 1000 / (15 * math.pi)
    for size in sizes:
        diameter = size.inner_diameter_mm
        velocity = per_area / diameter**2
        if velocity <= size.velocity_max_m_per_s and (
            _friction(velocity, diameter, fluid, roughness_mm) <= friction_max_pa_per_m
        ):
            return size
    return None


def choose_pipe(
    flow_l_per_min: float,
    sizes: Sequence[PipeSize],
    fluid: Fluid,
    roughness_mm: float,
    friction_max_pa_per_m: float,
) -> PipeChoice:
    """The smallest size that carries flow_l_per_min (above 0) within both limits.

    sizes are in ascending order. Beyond the largest, the least number of equal parallel pipes.
    Raises InputError where no count of pipes can meet the friction limit.
    """
    for parallel in range(1, PARALLEL_MAX + 1):
        flow = flow_l_per_min / parallel
        size = _smallest(flow, sizes, fluid, roughness_mm, friction_max_pa_per_m)
        if size is not None:
            return _choice(flow, size, parallel, fluid, roughness_mm)
    message = f"no pipe carries {flow_l_per_min:.0f} L/min within the friction limit"
    raise InputError(Problem(message, path="design.cooling.pipe_friction_max"))


def _choice(
    flow_l_per_min: float, size: PipeSize, parallel: int, fluid: Fluid, roughness_mm: float
) -> PipeChoice:
    diameter = size.inner_diameter_mm
    velocity = pipe_velocity_m_per_s(flow_l_per_min, diameter)
    density, viscosity = fluid
    factor = friction_factor(
        reynolds_number(density, velocity, diameter, viscosity), roughness_mm, diameter
    )
    friction = pipe_friction_pa_per_m(factor, diameter, density, velocity)
    return PipeChoice(size.dn, diameter, parallel, velocity, friction)
