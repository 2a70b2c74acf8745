"""Water and propylene glycol: properties, penalties of glycol, freeze protection.

Properties are polynomial fits to CoolProp 8.0.0 (`core.equipment.Coolant`), valid in the row's
temperature range (10 to 60 degC; glycol rows for outdoor loops from 0 degC), at 300 kPa.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.equipment import Coolant
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.equipment import GlycolPoint

_FITS = "polynomial fits to CoolProp 8.0.0 (INCOMP::MPG by mass; water), 300 kPa"


def polynomial(coefficients: tuple[float, ...], x: float) -> float:
    """Value of a polynomial, highest power first (Horner)."""
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


@formula(
    title="Coolant density",
    equation="polynomial in temp_c, highest power first",
    unit="kg/m³",
    source=_FITS,
    plain=False,
)
def coolant_density_kg_per_m3(temp_c: float, density_poly: tuple[float, ...]) -> float:
    """Density at temp_c (degC)."""
    return polynomial(density_poly, temp_c)


@formula(
    title="Coolant heat capacity",
    equation="polynomial in temp_c, highest power first",
    unit="J/kgK",
    source=_FITS,
    plain=False,
)
def coolant_heat_capacity_j_per_kg_k(temp_c: float, heat_capacity_poly: tuple[float, ...]) -> float:
    """Specific heat at temp_c (degC)."""
    return polynomial(heat_capacity_poly, temp_c)


@formula(
    title="Coolant viscosity",
    equation="exp(polynomial in temp_c, highest power first)",
    unit="mPa·s",
    source=_FITS,
    plain=False,
)
def coolant_viscosity_mpa_s(temp_c: float, ln_viscosity_poly: tuple[float, ...]) -> float:
    """Dynamic viscosity at temp_c (degC)."""
    return math.exp(polynomial(ln_viscosity_poly, temp_c))


@formula(
    title="Volumetric heat capacity",
    equation="density_kg_per_m3 * heat_capacity_j_per_kg_k / 1e6",
    unit="MJ/m³K",
    source="definition",
)
def volumetric_heat_capacity_mj_per_m3_k(
    density_kg_per_m3: float, heat_capacity_j_per_kg_k: float
) -> float:
    """Heat that one cubic metre carries per kelvin."""
    return density_kg_per_m3 * heat_capacity_j_per_kg_k / 1e6


def rho_c(coolant: Coolant, temp_c: float) -> float:
    """Density times heat capacity in MJ/m3K at temp_c (degC), not recorded (for searches)."""
    density = polynomial(coolant.density_poly, temp_c)
    return density * polynomial(coolant.heat_capacity_poly, temp_c) / 1e6


def recorded_rho_c(coolant: Coolant, temp_c: float) -> float:
    """Density times heat capacity in MJ/m3K at temp_c (degC), each step recorded."""
    return volumetric_heat_capacity_mj_per_m3_k(
        coolant_density_kg_per_m3(temp_c, coolant.density_poly),
        coolant_heat_capacity_j_per_kg_k(temp_c, coolant.heat_capacity_poly),
    )


@formula(
    title="Flow of a coolant",
    equation="60 * heat_kw / (heat_capacity_mj_per_m3_k * rise_k)",
    unit="L/min",
    source="heat balance",
)
def coolant_flow_l_per_min(
    heat_kw: float, heat_capacity_mj_per_m3_k: float, rise_k: float
) -> float:
    """Flow that takes heat_kw at rise_k."""
    return 60 * heat_kw / (heat_capacity_mj_per_m3_k * rise_k)


@formula(
    title="Temperature rise of a coolant",
    equation="60 * heat_kw / (heat_capacity_mj_per_m3_k * flow_l_per_min)",
    unit="K",
    source="heat balance",
)
def coolant_rise_k(
    heat_kw: float, flow_l_per_min: float, heat_capacity_mj_per_m3_k: float
) -> float:
    """Rise of flow_l_per_min that takes heat_kw."""
    return 60 * heat_kw / (heat_capacity_mj_per_m3_k * flow_l_per_min)


@formula(
    title="Propylene glycol, volume to mass fraction",
    equation="1.036 * volume_fraction / (1.036 * volume_fraction + 1 - volume_fraction)",
    unit="",
    source="definition, density of propylene glycol 1.036 of water at 20 degC",
)
def glycol_mass_fraction(volume_fraction: float) -> float:
    """Mass fraction of propylene glycol in water mixed at volume_fraction (0 to 1)."""
    return 1.036 * volume_fraction / (1.036 * volume_fraction + 1 - volume_fraction)


def coolant_at(rows: Sequence[Coolant], mass_fraction: float, coolant_id: str = "") -> Coolant:
    """The glycol mixture of mass_fraction, interpolated between fitted rows.

    rows are water (mass fraction 0) and glycol fits. A row of that mass fraction is returned as it
    is; otherwise the three nearest rows are joined by a parabola in mass fraction, coefficient by
    coefficient, which stays within 0.1 % (density), 0.3 % (heat capacity) and 3 % (viscosity) of
    CoolProp. Raises InputError outside the rows' range.
    """
    ordered = sorted(rows, key=lambda row: row.mass_fraction)
    if not ordered[0].mass_fraction <= mass_fraction <= ordered[-1].mass_fraction:
        message = (
            f"{100 * mass_fraction:.0f} % glycol by mass is outside the property data "
            f"({100 * ordered[0].mass_fraction:.0f} to {100 * ordered[-1].mass_fraction:.0f} %)"
        )
        raise InputError(Problem(message, path="design.cooling.fws_coolant"))
    nearest = sorted(ordered, key=lambda row: abs(row.mass_fraction - mass_fraction))[:3]
    if math.isclose(nearest[0].mass_fraction, mass_fraction, abs_tol=1e-9):
        return nearest[0]
    weights = _lagrange(tuple(row.mass_fraction for row in nearest), mass_fraction)
    freezes = [row.freeze_temp_c for row in nearest]
    known = [value for value in freezes if value is not None]
    return Coolant(
        id=coolant_id or f"pg-{mass_fraction:.3f}-by-mass",
        name=f"propylene glycol {100 * mass_fraction:.1f} % by mass",
        source=nearest[0].source,
        verified=nearest[0].verified,
        mass_fraction=mass_fraction,
        density_poly=_blend([row.density_poly for row in nearest], weights),
        heat_capacity_poly=_blend([row.heat_capacity_poly for row in nearest], weights),
        ln_viscosity_poly=_blend([row.ln_viscosity_poly for row in nearest], weights),
        min_temp_c=max(row.min_temp_c for row in nearest),
        max_temp_c=min(row.max_temp_c for row in nearest),
        freeze_temp_c=(
            sum(w * f for w, f in zip(weights, known, strict=True))
            if len(known) == len(freezes)
            else None
        ),
    )


def _lagrange(nodes: tuple[float, ...], x: float) -> tuple[float, ...]:
    """Weights of the polynomial through `nodes` at x."""
    return tuple(
        math.prod((x - other) / (node - other) for other in nodes if other != node)
        for node in nodes
    )


def _blend(polynomials: Sequence[tuple[float, ...]], weights: Sequence[float]) -> tuple[float, ...]:
    """Weighted sum of polynomials of any degree, highest power first."""
    size = max(len(item) for item in polynomials)
    padded = [(0.0,) * (size - len(item)) + item for item in polynomials]
    return tuple(
        sum(weight * item[i] for weight, item in zip(weights, padded, strict=True))
        for i in range(size)
    )


@formula(
    title="Flow of the coolant against water, same heat and rise",
    equation="water_mj_per_m3_k / coolant_mj_per_m3_k",
    unit="",
    source="heat balance",
)
def coolant_flow_penalty(water_mj_per_m3_k: float, coolant_mj_per_m3_k: float) -> float:
    """Ratio of volume flows at equal heat and temperature rise."""
    return water_mj_per_m3_k / coolant_mj_per_m3_k


@formula(
    title="Turbulent pressure drop of the coolant against water, same heat and rise",
    equation="density_ratio**0.8 * viscosity_ratio**0.2 * flow_ratio**1.8",
    unit="",
    source="smooth turbulent friction f ~ Re^-0.2; pg 0.40 by mass at 41 degC: 1.48",
)
def coolant_drop_penalty(density_ratio: float, viscosity_ratio: float, flow_ratio: float) -> float:
    """Ratio of pressure drops in the same pipe; flow_ratio 1 gives it at equal volume flow."""
    ratio: float = density_ratio**0.8 * viscosity_ratio**0.2 * flow_ratio**1.8
    return ratio


class Penalty(NamedTuple):
    """A coolant against water at the same heat and rise."""

    flow: float
    pressure_drop: float
    pump_power: float


def penalty(coolant: Coolant, water: Coolant, temp_c: float) -> Penalty:
    """Flow, turbulent pressure drop and pump power of `coolant` against water at temp_c (degC)."""
    if coolant.mass_fraction == water.mass_fraction:
        return Penalty(1.0, 1.0, 1.0)
    flow = coolant_flow_penalty(recorded_rho_c(water, temp_c), recorded_rho_c(coolant, temp_c))
    density, viscosity = property_ratios(coolant, water, temp_c)
    drop = coolant_drop_penalty(density, viscosity, flow)
    return Penalty(flow, drop, flow * drop)


def property_ratios(coolant: Coolant, base: Coolant, temp_c: float) -> tuple[float, float]:
    """Density and viscosity of `coolant` against `base` at temp_c (degC)."""
    density = polynomial(coolant.density_poly, temp_c) / polynomial(base.density_poly, temp_c)
    ln_viscosity = polynomial(coolant.ln_viscosity_poly, temp_c) - polynomial(
        base.ln_viscosity_poly, temp_c
    )
    return density, math.exp(ln_viscosity)


@formula(
    title="Glycol that protects against freezing",
    equation="linear in the table of protection temperatures, rounded up to whole percent",
    unit="% by volume",
    source="Liebert XD system technical manual, table 51",
    plain=False,
)
def glycol_vol_percent(cold_point_c: float, table: tuple[tuple[float, float], ...]) -> int:
    """Propylene glycol by volume that keeps the loop liquid down to cold_point_c (degC).

    table: (protection temperature, volume percent) rows. Linear between rows and on beyond the
    ends, from 0 at 0 degC; 0 where cold_point_c is 0 degC or above.
    """
    if cold_point_c >= 0:
        return 0
    points = [(0.0, 0.0), *sorted(table, reverse=True)]
    upper = next(
        (i for i in range(1, len(points)) if points[i][0] <= cold_point_c), len(points) - 1
    )
    (t0, v0), (t1, v1) = points[upper - 1], points[upper]
    percent = v0 + (v1 - v0) * (cold_point_c - t0) / (t1 - t0)
    return math.ceil(percent - 1e-9)


class FreezeProtection(NamedTuple):
    """Glycol of a loop with outdoor coils, percent by volume."""

    used_vol_percent: int
    full_vol_percent: int
    cold_point_c: float


INHIBITOR_MIN_VOL_PERCENT = 30
BURST_PROTECTED_VOL_PERCENT = 40


def freeze_protection(
    cold_point_c: float, rows: Sequence[GlycolPoint], outdoor_coils: bool
) -> FreezeProtection:
    """Glycol of the FWS: none without outdoor coils or without frost, else 30 to 40 % by volume.

    30 % is the least for the inhibitor; above 40 % the loop is burst protected, not freeze
    protected (the caller warns with full_vol_percent).
    """
    table = tuple((row.min_temp_c, row.pg_vol_percent) for row in rows)
    full = glycol_vol_percent(cold_point_c, table) if outdoor_coils else 0
    if full == 0:
        return FreezeProtection(0, 0, cold_point_c)
    used = min(max(full, INHIBITOR_MIN_VOL_PERCENT), BURST_PROTECTED_VOL_PERCENT)
    return FreezeProtection(used, full, cold_point_c)
