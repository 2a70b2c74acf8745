"""Power swings of synchronous training: size, ramp, limits, and the buffer that meets them."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from clusterplan.core.record import formula

ROUND_TRIP = 0.85
USABLE_WINDOW = 0.90
C_RATE = 4.0
_HARMONICS_MAX = 180  # the rest of a trapezoid is below 0.4 % each
_NEGLIGIBLE = 2e-4
_SOURCE = "clusterplan method, electrical, power swings of synchronous training"


@formula(
    title="Swing of one job at the connection point",
    equation="(high_mw - low_mw) / chain_efficiency",
    unit="MW",
    source=_SOURCE + ": racks move, cooling does not follow at step time",
)
def swing_mw(high_mw: float, low_mw: float, chain_efficiency: float) -> float:
    """Change at the meter in MW when the racks go between two levels."""
    return (high_mw - low_mw) / chain_efficiency


@formula(
    title="Ramp of the swing",
    equation="swing_mw / edge_s",
    unit="MW/s",
    source="default edge 0.25 s: duration of the block measured by NERC, 2025-07",
)
def ramp_mw_per_s(swing_mw: float, edge_s: float) -> float:
    """MW/s of an edge that lasts `edge_s` seconds."""
    return swing_mw / edge_s


@formula(
    title="Ramp in the utility's words",
    equation="60.0 * change_mw / seconds",
    unit="MW/min",
    source=_SOURCE,
)
def ramp_mw_per_min(change_mw: float, seconds: float) -> float:
    """Change (MW) over so many seconds, per minute."""
    return 60.0 * change_mw / seconds


@formula(
    title="Amplitude of the oscillation, unfiltered",
    equation="peak_to_peak_mw / 2.0",
    unit="MW",
    source=_SOURCE,
)
def oscillation_amplitude_mw(peak_to_peak_mw: float) -> float:
    """Half of the peak-to-peak swing."""
    return peak_to_peak_mw / 2.0


@formula(
    title="Reactive swing",
    equation="swing_mw * reactive_mvar / active_mw",
    unit="Mvar",
    source=_SOURCE + ": constant power factor unless known",
)
def swing_mvar(swing_mw: float, active_mw: float, reactive_mvar: float) -> float:
    """Mvar that move with the swing at constant power factor."""
    return swing_mw * reactive_mvar / active_mw


@formula(
    title="Independent jobs together, for flicker and bands",
    equation="sqrt(sum(step**2 for step in steps_mw))",
    unit="MW",
    source=_SOURCE,
)
def combined_swing_mw(steps_mw: tuple[float, ...]) -> float:
    """Root of the squares; for the worst step take their plain sum."""
    return math.sqrt(sum(step**2 for step in steps_mw))


@formula(
    title="Swing that repeats each step, independent jobs together",
    equation="iteration_mw / sqrt(jobs_at_once)",
    unit="MW",
    source=_SOURCE + ": equal independent jobs add as the root of squares",
)
def repeating_swing_mw(iteration_mw: float, jobs_at_once: int) -> float:
    """MW of the repeating swing where equal jobs share what one job would move (MW)."""
    return iteration_mw / math.sqrt(jobs_at_once)


@formula(
    title="Frequency up to which an edge reaches",
    equation="1.0 / (pi * edge_s)",
    unit="Hz",
    source="second corner of the spectrum of a trapezoid, above which it falls by 40 dB a decade",
)
def edge_corner_hz(edge_s: float) -> float:
    """Hz of the corner for an edge of so many seconds; faster edges reach higher."""
    return 1.0 / (math.pi * edge_s)


@formula(
    title="Greatest change within a window",
    equation="swing_mw if edge_s <= window_s else swing_mw * window_s / edge_s",
    unit="MW",
    source=_SOURCE + ", limit check (2)",
)
def window_swing_mw(swing_mw: float, edge_s: float, window_s: float) -> float:
    """Greatest max - min in any window: an edge shorter than the window shows all of it."""
    return swing_mw if edge_s <= window_s else swing_mw * window_s / edge_s


@formula(
    title="Fundamental of a trapezoid swing, peak to peak",
    equation="4.0 * swing_mw / pi * sin(pi * duty)"
    " * sin(pi * frequency_hz * edge_s) / (pi * frequency_hz * edge_s)",
    unit="MW",
    source="Fourier series of a trapezoid",
)
def fundamental_swing_mw(swing_mw: float, duty: float, frequency_hz: float, edge_s: float) -> float:
    """Peak-to-peak MW of the fundamental; edge_s above 0."""
    angle = math.pi * frequency_hz * edge_s
    return 4.0 * swing_mw / math.pi * math.sin(math.pi * duty) * math.sin(angle) / angle


@formula(
    title="Swing within a band of frequencies, peak to peak",
    equation="max - min over one period of the harmonics inside the band",
    unit="MW",
    source="Fourier series of a trapezoid, brick-wall band: no source gives a filter shape",
    plain=False,
)
def band_swing_mw(
    swing_mw: float,
    duty: float,
    frequency_hz: float,
    edge_s: float,
    low_hz: float,
    high_hz: float,
) -> float:
    """Peak-to-peak MW of a repeated trapezoid swing inside a band."""
    return swing_mw * _share_in_band(duty, frequency_hz, edge_s, low_hz, high_hz)


@cache
def _share_in_band(
    duty: float, frequency_hz: float, edge_s: float, low_hz: float, high_hz: float
) -> float:
    """Peak to peak in the band of a swing of 1; several limits ask for the same band."""
    first = max(1, math.ceil(low_hz / frequency_hz - 1e-9))
    last = min(_HARMONICS_MAX, math.floor(high_hz / frequency_hz + 1e-9))
    amplitudes = []
    for n in range(first, last + 1):
        amplitude = _harmonic(1.0, duty, n * frequency_hz, n, edge_s)
        if abs(amplitude) > _NEGLIGIBLE:
            amplitudes.append((n, amplitude))
    if not amplitudes:
        return 0.0
    points = min(4 * _HARMONICS_MAX, max(120, 4 * amplitudes[-1][0]))
    step = 2.0 * math.pi / points
    cosine = [math.cos(t * step) for t in range(points)]
    values = [
        sum([amplitude * cosine[n * t % points] for n, amplitude in amplitudes])
        for t in range(points // 2 + 1)
    ]
    return max(values) - min(values)


def _harmonic(swing_mw: float, duty: float, hz: float, n: int, edge_s: float) -> float:
    angle = math.pi * hz * edge_s
    sinc = math.sin(angle) / angle if angle > 0 else 1.0
    return 2.0 * swing_mw / (math.pi * n) * math.sin(math.pi * n * duty) * sinc


class Buffer(NamedTuple):
    """A buffer at its terminals: power in MW, usable energy in MWh, time in s."""

    power_mw: float
    energy_mwh: float
    duration_s: float


@formula(
    title="Buffer that smooths a square swing to its mean",
    equation="E = (dP - a)*D*(1-D)/f; P = (dP - a)*max(D, 1-D)",
    unit="MW, MWh",
    source=_SOURCE + ", sizing (derived)",
    plain=False,
)
def smoothing_buffer(
    swing_mw: float, duty: float, frequency_hz: float, allowed_mw: float = 0.0
) -> Buffer:
    """Storage that leaves a residual of `allowed_mw` of a repeated square swing."""
    excess = max(0.0, swing_mw - allowed_mw)
    energy_mj = excess * duty * (1.0 - duty) / frequency_hz
    return Buffer(excess * max(duty, 1.0 - duty), energy_mj / 3600.0, 1.0 / frequency_hz)


@formula(
    title="Buffer that holds a ramp after a step",
    equation="E = (dP - a)^2/(2*r); P = dP - a; t = P/r",
    unit="MW, MWh",
    source=_SOURCE + ", sizing (derived)",
    plain=False,
)
def ramp_buffer(step_mw: float, ramp_mw_per_min: float, allowed_mw: float = 0.0) -> Buffer:
    """Storage that turns a step into a ramp; up needs discharge, down needs charge."""
    excess = max(0.0, step_mw - allowed_mw)
    minutes = excess / ramp_mw_per_min
    return Buffer(excess, excess * minutes / 2.0 / 60.0, 60.0 * minutes)


@formula(
    title="Usable energy for both directions",
    equation="up_mwh / sqrt(round_trip) + down_mwh * sqrt(round_trip)",
    unit="MWh",
    source=_SOURCE + "; NREL ATB round trip 85 %",
)
def two_way_energy_mwh(up_mwh: float, down_mwh: float, round_trip: float = ROUND_TRIP) -> float:
    """Stored energy that covers a discharge and a charge at the terminals."""
    return up_mwh / math.sqrt(round_trip) + down_mwh * math.sqrt(round_trip)


@formula(
    title="Nameplate energy of the buffer",
    equation="max(usable_mwh / window, power_mw / c_rate)",
    unit="MWh",
    source=_SOURCE + ": power over C-rate nearly always binds",
)
def buffer_mwh(
    usable_mwh: float, power_mw: float, window: float = USABLE_WINDOW, c_rate: float = C_RATE
) -> float:
    """MWh to install for that usable energy and power."""
    return max(usable_mwh / window, power_mw / c_rate)


@formula(
    title="Usable energy of storage in the racks",
    equation="accelerators * joule_per_accelerator / 3.6e9",
    unit="MWh",
    source=_SOURCE + ": rack row",
)
def rack_storage_mwh(accelerators: float, joule_per_accelerator: float) -> float:
    """MWh of so many accelerators with so many joules each."""
    return accelerators * joule_per_accelerator / 3.6e9


@formula(
    title="Frequency from which storage flattens the swing",
    equation="swing_mw * duty * (1.0 - duty) / (3600.0 * storage_mwh)",
    unit="Hz",
    source=_SOURCE + ", sizing (derived): E = dP*D*(1-D)/f",
)
def flattens_from_hz(swing_mw: float, duty: float, storage_mwh: float) -> float:
    """Hz above which a store of so many MWh takes a whole square swing."""
    return swing_mw * duty * (1.0 - duty) / (3600.0 * storage_mwh)


@formula(
    title="Step that ballast or storage has to fill",
    equation="max(0.0, swing_mw - allowed_mw)",
    unit="MW",
    source=_SOURCE + ", sizing (derived): to an allowed residual",
)
def ballast_step_mw(swing_mw: float, allowed_mw: float) -> float:
    """MW of a swing (MW) above what may stay of it (MW)."""
    return max(0.0, swing_mw - allowed_mw)


@formula(
    title="Swing that flicker leaves",
    equation="swing_mw * plt_level / plt",
    unit="MW",
    source=_SOURCE + "; Pst is proportional to the voltage change, first order in the swing",
)
def flicker_residual_mw(swing_mw: float, plt: float, plt_level: float) -> float:
    """MW of a repeating swing (MW) at which its Plt falls to the planning level."""
    return swing_mw * plt_level / plt


@formula(
    title="Peak that power smoothing takes off",
    equation="peak_mw * reduction",
    unit="MW",
    source="NVIDIA on GB300 NVL72 power shelves: up to 30 % lower peak demand",
)
def peak_reduction_mw(peak_mw: float, reduction: float) -> float:
    """MW off a peak (MW) by a reduction (fraction)."""
    return peak_mw * reduction


@formula(
    title="Energy burnt by ballast in a year",
    equation="ballast_mw * 8760.0",
    unit="MWh",
    source=_SOURCE,
)
def yearly_ballast_mwh(ballast_mw: float) -> float:
    """MWh a year of a mean ballast in MW."""
    return ballast_mw * 8760.0


@formula(
    title="Life of the buffer by its cycles",
    equation="cycle_life / cycles",
    unit="years",
    source=_SOURCE + ": check against the life",
)
def cycle_life_years(cycle_life: float, cycles: float) -> float:
    """Years until so many full cycles are used at so many a year."""
    return cycle_life / cycles


@formula(
    title="Energy through a buffer that smooths all year",
    equation="swing_mw * duty * (1.0 - duty) * 8760.0",
    unit="MWh",
    source=_SOURCE,
)
def yearly_throughput_mwh(swing_mw: float, duty: float) -> float:
    """MWh a year through the buffer."""
    return swing_mw * duty * (1.0 - duty) * 8760.0


@formula(
    title="Energy lost in the buffer in a year",
    equation="throughput_mwh * (1.0 / round_trip - 1.0)",
    unit="MWh",
    source=_SOURCE,
)
def yearly_buffer_loss_mwh(throughput_mwh: float, round_trip: float = ROUND_TRIP) -> float:
    """MWh a year lost to the round trip."""
    return throughput_mwh * (1.0 / round_trip - 1.0)


@formula(
    title="Full cycles in a year",
    equation="throughput_mwh / (sqrt(round_trip) * nameplate_mwh)",
    unit="",
    source=_SOURCE,
)
def yearly_cycles(
    throughput_mwh: float, nameplate_mwh: float, round_trip: float = ROUND_TRIP
) -> float:
    """Equivalent full cycles a year, to check against the life."""
    return throughput_mwh / (math.sqrt(round_trip) * nameplate_mwh)


@formula(
    title="Ballast power",
    equation="(floor_mw - low_mw) * (1.0 - duty)",
    unit="MW",
    source=_SOURCE,
)
def ballast_mw(floor_mw: float, low_mw: float, duty: float) -> float:
    """Mean MW burnt to keep the load at a floor in the low share of each step."""
    return (floor_mw - low_mw) * (1.0 - duty)
