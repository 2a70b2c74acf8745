"""Voltage at a bus behind a source: exact level and step, flicker, harmonic limit class."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan.core.record import formula
from clusterplan.sizing.short_circuit import corrected_impedance

if TYPE_CHECKING:
    from collections.abc import Sequence

PLT_PLANNING_HV = 0.6  # IEC 61000-3-7 / IEEE 1453 planning level, HV and EHV
MEASURED_EDGE_GAIN = 2.1  # allowed change with measured edges of 0.25 s at 0.1 to 1 Hz
MEASURED_EDGE_S = 0.25


def bus_voltage(
    active_mw: float, reactive_mvar: float, resistance_per_mva: float, reactance_per_mva: float
) -> float | None:
    """Voltage in per unit of the source behind its impedance, or None where it collapses.

    Exact solution of the two-bus network: b = 1 - 2(rP + xQ), V^2 = (b + sqrt(b^2 - 4 z^2 S^2))/2.
    resistance_per_mva, reactance_per_mva: source impedance in per unit on 1 MVA.
    """
    b = 1.0 - 2.0 * (resistance_per_mva * active_mw + reactance_per_mva * reactive_mvar)
    z2 = resistance_per_mva**2 + reactance_per_mva**2
    root = b * b - 4.0 * z2 * (active_mw**2 + reactive_mvar**2)
    if b <= 0.0 or root < 0.0:
        return None
    return math.sqrt((b + math.sqrt(root)) / 2.0)


def source_per_mva(short_circuit_mva: float, x_over_r: float) -> tuple[float, float]:
    """Resistance and reactance of a source of that fault level, per unit on 1 MVA."""
    z = 1.0 / short_circuit_mva
    r = z / math.sqrt(1.0 + x_over_r**2)
    return r, r * x_over_r


@formula(
    title="Voltage at the connection point under load",
    equation="V = sqrt((b + sqrt(b^2 - 4*z^2*S^2))/2), b = 1 - 2*(r*P + x*Q), z = 1/Ssc",
    unit="%",
    source="exact two-bus load flow",
    plain=False,
)
def supply_voltage_percent(
    active_mw: float, reactive_mvar: float, short_circuit_mva: float, x_over_r: float
) -> float | None:
    """Percent of the source voltage; None where the grid cannot carry the load."""
    level = bus_voltage(active_mw, reactive_mvar, *source_per_mva(short_circuit_mva, x_over_r))
    return None if level is None else 100.0 * level


@formula(
    title="Step voltage",
    equation="100*(V(P - dP, Q - dQ) - V(P, Q)), V from the exact two-bus load flow on minimum Ssc",
    unit="%",
    source="exact two-bus load flow; (R dP + X dQ)/V^2 is only first order",
    plain=False,
)
def step_voltage_percent(
    active_mw: float,
    reactive_mvar: float,
    step_mw: float,
    step_mvar: float,
    short_circuit_mva: float,
    x_over_r: float,
) -> float | None:
    """Voltage change in percent when the load falls by the step; None where the grid collapses."""
    r, x = source_per_mva(short_circuit_mva, x_over_r)
    loaded = bus_voltage(active_mw, reactive_mvar, r, x)
    relieved = bus_voltage(active_mw - step_mw, reactive_mvar - step_mvar, r, x)
    if loaded is None or relieved is None:
        return None
    return 100.0 * (relieved - loaded)


@formula(
    title="Step voltage, first order",
    equation="100.0 * (step_mw / sqrt(1.0 + x_over_r**2)"
    " + step_mvar * x_over_r / sqrt(1.0 + x_over_r**2)) / short_circuit_mva",
    unit="%",
    source="first-order voltage change; shown beside the exact one",
)
def linear_step_voltage_percent(
    step_mw: float, step_mvar: float, short_circuit_mva: float, x_over_r: float
) -> float:
    """(R dP + X dQ)/V^2 in percent."""
    norm = math.sqrt(1.0 + x_over_r**2)
    return 100.0 * (step_mw / norm + step_mvar * x_over_r / norm) / short_circuit_mva


@formula(
    title="Step voltage at the MV bus",
    equation="as at the connection point, K_T*Z_T/m of the units in service added to the source",
    unit="%",
    source="exact two-bus load flow; K_T of IEC 60909-0",
    plain=False,
)
def mv_step_voltage_percent(
    active_mw: float,
    reactive_mvar: float,
    step_fraction: float,
    short_circuit_mva: float,
    x_over_r: float,
    units_mva: float,
    impedance: float,
    resistance: float,
) -> float | None:
    """Voltage change in percent at the MV buses when all load falls by `step_fraction`.

    The sections carry equal shares, so together they see the grid and all units in service
    (`units_mva`, sum of the base ratings) in series. None where the voltage collapses.
    """
    r, x = source_per_mva(short_circuit_mva, x_over_r)
    units = corrected_impedance(impedance, resistance) / units_mva
    r += units.real
    x += units.imag
    loaded = bus_voltage(active_mw, reactive_mvar, r, x)
    rest = 1.0 - step_fraction
    relieved = bus_voltage(active_mw * rest, reactive_mvar * rest, r, x)
    if loaded is None or relieved is None:
        return None
    return 100.0 * (relieved - loaded)


@formula(
    title="Voltage change for Pst 1",
    equation="log-log interpolation of the curve by square-wave frequency, ends held",
    unit="%",
    source="IEC 61000-4-15 ed. 2 table 5, extended by a simulated flickermeter",
    plain=False,
)
def pst1_change_percent(curve: Sequence[tuple[float, float]], frequency_hz: float) -> float:
    """Voltage change in percent that gives Pst 1 at a square-wave frequency.

    curve: (Hz, percent) rising in Hz; log-log between points, the ends held (both are on the safe
    side: the true curve rises beyond them).
    """
    if frequency_hz <= curve[0][0]:
        return curve[0][1]
    for (f0, d0), (f1, d1) in zip(curve, curve[1:], strict=False):
        if frequency_hz <= f1:
            share = math.log(frequency_hz / f0) / math.log(f1 / f0)
            return float(d0 * (d1 / d0) ** share)
    return curve[-1][1]


@formula(
    title="Flicker Pst of a repeated step",
    equation="step_percent / pst1_percent",
    unit="",
    source="IEC 61000-4-15 flickermeter: Pst is proportional to the relative change",
)
def pst(step_percent: float, pst1_percent: float) -> float:
    """Pst of a square swing; training runs for hours, so Plt equals Pst."""
    return step_percent / pst1_percent


@formula(
    title="Flicker Pst, closed form",
    equation="0.36 * step_percent * (120.0 * frequency_hz) ** 0.31",
    unit="",
    source="IEC 61000-3-3, 230 V lamp, to about one change a second; a cross-check only",
)
def pst_closed_form(step_percent: float, frequency_hz: float) -> float:
    """Pst from two changes a cycle; strays -12 to +17 % from the 230 V curve."""
    return float(0.36 * step_percent * (120.0 * frequency_hz) ** 0.31)


@formula(
    title="Short-circuit ratio at the connection point",
    equation="short_circuit_ka * 1000.0 / load_current_a",
    unit="",
    source="IEEE 519-2022",
)
def isc_il_ratio(short_circuit_ka: float, load_current_a: float) -> float:
    """Isc over the maximum demand current IL."""
    return short_circuit_ka * 1000.0 / load_current_a


@formula(
    title="Current distortion limit (TDD)",
    equation="table by voltage and Isc/IL",
    unit="%",
    source="IEEE 519-2022, tables 2 to 4; a limit class, not a prediction",
    plain=False,
)
def tdd_limit_percent(
    voltage_kv: float, ratio: float, table: Sequence[tuple[float, float | None, float]]
) -> float:
    """TDD limit in percent at the connection point.

    table: (kv_max, isc_il_max or None, percent), grouped by rising kv_max and rising Isc/IL.
    """
    kv_max = min((row[0] for row in table if voltage_kv <= row[0]), default=table[-1][0])
    rows = [row for row in table if row[0] == kv_max]
    for _, ceiling, limit in rows:
        if ceiling is None or ratio < ceiling:
            return limit
    return rows[-1][2]
