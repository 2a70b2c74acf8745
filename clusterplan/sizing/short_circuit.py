"""Fault levels: the MVA method, IEC 60909-0, machines behind a transformer."""

from __future__ import annotations

import math
from typing import NamedTuple

from clusterplan.core.record import formula

_IEC = "IEC 60909-0"
VOLTAGE_FACTOR_MAX = 1.1


@formula(
    title="Short-circuit power from current",
    equation="sqrt(3.0) * voltage_kv * current_ka",
    unit="MVA",
    source=_IEC,
)
def short_circuit_mva(voltage_kv: float, current_ka: float) -> float:
    """Fault MVA of a fault current in kA at that voltage."""
    return math.sqrt(3.0) * voltage_kv * current_ka


@formula(
    title="HV fault level",
    equation="(grid_mva + machines_mva) / (sqrt(3.0) * voltage_kv)",
    unit="kA",
    source=_IEC,
)
def hv_fault_level_ka(grid_mva: float, voltage_kv: float, machines_mva: float = 0.0) -> float:
    """Three-phase fault current at HV, on-site machines through their transformers included."""
    return (grid_mva + machines_mva) / (math.sqrt(3.0) * voltage_kv)


@formula(
    title="Fault level of machines behind their transformer",
    equation="machine_mva / (subtransient_reactance + transformer_reactance)",
    unit="MVA",
    source=_IEC,
)
def machines_short_circuit_mva(
    machine_mva: float, subtransient_reactance: float, transformer_reactance: float = 0.0
) -> float:
    """Fault MVA of running machines; reactances per unit on the machine rating."""
    return machine_mva / (subtransient_reactance + transformer_reactance)


@formula(
    title="Motor contribution",
    equation="voltage_factor * motor_mva * start_current_ratio",
    unit="MVA",
    source=_IEC,
)
def motor_contribution_mva(
    motor_mva: float, start_current_ratio: float = 5.0, voltage_factor: float = VOLTAGE_FACTOR_MAX
) -> float:
    """Fault MVA that direct-on-line motors add; drives, UPS and rectifiers add none.

    Left out where the motors' rated currents are at most 1 % of the fault current without them.
    """
    return voltage_factor * motor_mva * start_current_ratio


@formula(
    title="Fault level, MVA method",
    equation="1.0 / (1.0 / grid_mva + impedance / (parallel_units * base_mva))"
    " / (sqrt(3.0) * mv_kv)",
    unit="kA",
    source="MVA method; a cross-check only, never for breaker duty",
)
def fault_level_mva_method_ka(
    grid_mva: float, base_mva: float, impedance: float, parallel_units: int, mv_kv: float
) -> float:
    """Fault current behind transformers without the voltage factor and X/R.

    impedance: per unit on `base_mva`, the ONAN rating (mixing bases is a 1.67 times error).
    """
    fault_mva = 1.0 / (1.0 / grid_mva + impedance / (parallel_units * base_mva))
    return fault_mva / (math.sqrt(3.0) * mv_kv)


def corrected_impedance(
    impedance: float, resistance: float, voltage_factor: float = VOLTAGE_FACTOR_MAX
) -> complex:
    """Impedance of a transformer times the correction factor K_T of IEC 60909-0, per unit.

    impedance, resistance: per unit on one rating; the result is on the same.
    """
    reactance = math.sqrt(max(0.0, impedance**2 - resistance**2))
    correction = 0.95 * voltage_factor / (1.0 + 0.6 * reactance)
    return correction * complex(resistance, reactance)


class Fault(NamedTuple):
    """A fault: initial symmetrical current, peak current, X/R and impedance at the bus."""

    current_ka: float
    peak_ka: float
    x_over_r: float
    kappa: float
    resistance_ohm: float
    reactance_ohm: float


@formula(
    title='Initial symmetrical fault current Ik" behind transformers',
    equation="Zk = Z_Q + K_T*Z_T/m; |Z_Q| = c*V2^2/Ssc, R_Q = |Z_Q|/sqrt(1+(X/R)^2);"
    " Z_T = (r + j*sqrt(z^2-r^2))*V2^2/S0; K_T = 0.95*c/(1+0.6*x);"
    " machines at the bus in parallel, Z_M = c*V2^2/S_M;"
    ' Ik" = c*V2/(sqrt(3)*|Zk|); ip = kappa*sqrt(2)*Ik", kappa = 1.02+0.98*exp(-3R/X)',
    unit="kA",
    source=_IEC,
    plain=False,
)
def bus_fault(
    grid_mva: float,
    x_over_r: float,
    base_mva: float,
    impedance: float,
    resistance: float,
    parallel_units: int,
    mv_kv: float,
    voltage_factor: float = VOLTAGE_FACTOR_MAX,
    machines_mva: float = 0.0,
    machines_x_over_r: float = 1.0 / 0.07,
) -> Fault:
    """Maximum fault at a bus behind `parallel_units` transformers.

    machines_mva: fault MVA of machines that join at the bus itself, with their X/R.
    base_mva: rating on which `impedance` and `resistance` (per unit) are stated. Maximum case
    only: the minimum takes c = 1.0 and K_T = 1.
    """
    c = voltage_factor
    source_ohm = c * mv_kv**2 / grid_mva
    source_r = source_ohm / math.sqrt(1.0 + x_over_r**2)
    units = corrected_impedance(impedance, resistance, c) * mv_kv**2 / base_mva / parallel_units
    total = complex(source_r, source_r * x_over_r) + units
    if machines_mva > 0.0:
        machine_r = c * mv_kv**2 / machines_mva / math.sqrt(1.0 + machines_x_over_r**2)
        total = 1.0 / (1.0 / total + 1.0 / complex(machine_r, machine_r * machines_x_over_r))
    return _fault(total, mv_kv, c)


@formula(
    title="Initial symmetrical fault current at the connection point",
    equation='Ik" = Ssc/(sqrt(3)*V); ip = kappa*sqrt(2)*Ik", kappa = 1.02+0.98*exp(-3R/X)',
    unit="kA",
    source=_IEC,
    plain=False,
)
def service_fault(grid_mva: float, x_over_r: float, voltage_kv: float) -> Fault:
    """Fault at the connection point itself; the given fault MVA already holds c."""
    ohm = voltage_kv**2 / grid_mva
    resistance = ohm / math.sqrt(1.0 + x_over_r**2)
    return _fault(complex(resistance, resistance * x_over_r), voltage_kv, 1.0)


def _fault(z_ohm: complex, kv: float, c: float) -> Fault:
    current = c * kv / (math.sqrt(3.0) * abs(z_ohm))
    ratio = z_ohm.imag / z_ohm.real
    kappa = 1.02 + 0.98 * math.exp(-3.0 / ratio)
    return Fault(current, kappa * math.sqrt(2.0) * current, ratio, kappa, z_ohm.real, z_ohm.imag)


@formula(
    title="Single-phase fault, solidly earthed delta-wye",
    equation='Ik1" = sqrt(3)*c*V2/|2*Zk + Z0|, Z0 = K_T*Z_T/m',
    unit="kA",
    source=_IEC,
    plain=False,
)
def single_phase_fault_ka(
    resistance_ohm: float,
    reactance_ohm: float,
    base_mva: float,
    impedance: float,
    resistance: float,
    parallel_units: int,
    mv_kv: float,
    voltage_factor: float = VOLTAGE_FACTOR_MAX,
) -> float:
    """Earth fault current in kA behind delta-wye units; the zero sequence sees the units alone.

    resistance_ohm, reactance_ohm: positive-sequence impedance at the bus (`bus_fault`). Above the
    three-phase current, hence a neutral resistor by default.
    """
    corrected = corrected_impedance(impedance, resistance, voltage_factor)
    zero = corrected * mv_kv**2 / base_mva / parallel_units
    total = 2.0 * complex(resistance_ohm, reactance_ohm) + zero
    return math.sqrt(3.0) * voltage_factor * mv_kv / abs(total)
