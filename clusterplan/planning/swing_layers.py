"""What keeps the swing from the grid: each layer sized, and the band that it covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import given
from clusterplan.core.results.substation import SwingBand, SwingLayer
from clusterplan.sizing.power_swing import (
    ballast_mw,
    ballast_step_mw,
    band_swing_mw,
    cycle_life_years,
    flattens_from_hz,
    peak_reduction_mw,
    rack_storage_mwh,
    yearly_ballast_mwh,
    yearly_buffer_loss_mwh,
    yearly_cycles,
    yearly_throughput_mwh,
)

if TYPE_CHECKING:
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.swing_limits import Swing

# the bands in which limits are written (LIPA, ERCOT): torsion of shafts is in the upper one
BANDS = ((0.1, 5.0), (5.0, 55.0))
BALLAST, SMOOTHING, RACK, BESS = (
    "software ballast",
    "GPU power smoothing",
    "rack storage",
    "BESS at MV",
)


class LayerFacts(NamedTuple):
    """What the layers are sized from: MW at the meter, energy in MWh.

    allowed_mw: peak to peak that may stay. buffer: power, usable and nameplate energy of the
    storage that the limits ask for. accelerators: that train; joule_per_accelerator and peak_mw
    None where unknown.
    """

    allowed_mw: float
    buffer: tuple[float, float, float]
    accelerators: float
    joule_per_accelerator: float | None
    peak_mw: float | None
    reduction: float
    bess_to_hz: float
    cycle_life: float


def layer_choices(choices: Choices) -> tuple[float, float, float]:
    """Peak reduction (fraction), highest frequency of a BESS in Hz, cycles of its life."""
    return (
        choices.number("swing.peak_reduction"),
        choices.number("swing.bess_band_max"),
        choices.number("swing.buffer_cycle_life"),
    )


def swing_layers(swing: Swing, facts: LayerFacts) -> tuple[SwingLayer, ...]:
    """Every layer, those that the racks lack included and said to be so."""
    found = (
        _ballast(swing, facts),
        _smoothing(facts),
        _rack_storage(swing, facts),
        _bess(swing, facts),
    )
    for place, layer in enumerate(found):
        for name, source in (
            ("power_mw", "buffer of the limits; the racks' own is not stated"),
            ("from_hz", "a store works from a standing change on"),
            ("to_hz", "design.swing.bess_band_max"),
        ):
            value = getattr(layer, name)
            if value is not None and (layer.layer == BESS or name == "to_hz"):
                given(f"swing.layers.{place}.{name}", value, "", source, "false")
    return found


def _ballast(swing: Swing, facts: LayerFacts) -> SwingLayer:
    """The program keeps the racks busy in the low share, down to what the limits allow."""
    step = ballast_step_mw(swing.each_step_mw, facts.allowed_mw)
    mean = ballast_mw(step, 0.0, swing.duty)
    return SwingLayer(
        layer=BALLAST,
        available="program",
        power_mw=step,
        lost_mwh=yearly_ballast_mwh(mean),
        covers="start, end and communication phases; no trip",
    )


def _smoothing(facts: LayerFacts) -> SwingLayer:
    has = facts.joule_per_accelerator is not None and facts.peak_mw is not None
    peak = peak_reduction_mw(facts.peak_mw or 0.0, facts.reduction) if has else None
    return SwingLayer(
        layer=SMOOTHING,
        available="in the rack" if has else "not stated",
        power_mw=peak,
        covers="short peaks, ramps at start and end of a job; no trip",
    )


def _rack_storage(swing: Swing, facts: LayerFacts) -> SwingLayer:
    joule = facts.joule_per_accelerator
    if joule is None or facts.accelerators <= 0.0:
        return SwingLayer(layer=RACK, available="not stated", covers="nothing that is known")
    energy = rack_storage_mwh(facts.accelerators, joule)
    return SwingLayer(
        layer=RACK,
        available="in the rack",
        usable_mwh=energy,
        from_hz=flattens_from_hz(swing.each_step_mw, swing.duty, energy),
        covers="the fast end: edges and harmonics; no ramp",
    )


def _bess(swing: Swing, facts: LayerFacts) -> SwingLayer:
    power, usable, nameplate = facts.buffer
    excess = ballast_step_mw(swing.each_step_mw, facts.allowed_mw)
    throughput = yearly_throughput_mwh(excess, swing.duty)
    cycles = yearly_cycles(throughput, nameplate) if nameplate > 0.0 else None
    return SwingLayer(
        layer=BESS,
        available="to be bought",
        power_mw=power,
        usable_mwh=usable,
        nameplate_mwh=nameplate,
        from_hz=0.0,
        to_hz=facts.bess_to_hz,
        lost_mwh=yearly_buffer_loss_mwh(throughput),
        cycles=cycles,
        life_years=cycle_life_years(facts.cycle_life, cycles) if cycles else None,
        covers="ramps, steps and iterations; a trip only if the connection stays",
    )


def swing_bands(swing: Swing, layers: tuple[SwingLayer, ...]) -> tuple[SwingBand, ...]:
    """The swing in the bands in which limits are written, and what covers each."""
    rows = [
        SwingBand(
            band="ramps and steps",
            swing_mw=swing.swing_mw,
            covered_by=f"{BESS}; {BALLAST} and smoothing at start and end",
        )
    ]
    for low, high in BANDS:
        inside = band_swing_mw(
            swing.each_step_mw, swing.duty, swing.frequency_hz, swing.edge_s, low, high
        )
        rows.append(
            SwingBand(
                band=f"{low:g}-{high:g} Hz",
                swing_mw=inside,
                covered_by=_covered(low, high, swing.frequency_hz, layers),
            )
        )
    return tuple(rows)


def _covered(low: float, high: float, repeats_hz: float, layers: tuple[SwingLayer, ...]) -> str:
    words = []
    for layer in layers:
        start, end = layer.from_hz, layer.to_hz
        if start is None:
            continue
        end = high if end is None else end
        if start <= low and end >= high:
            words.append(layer.layer)
        elif start < high and end > low:
            words.append(f"{layer.layer} {max(start, low):.2g}-{min(end, high):.2g} Hz")
    if low <= repeats_hz <= high:
        words.append(f"{BALLAST} at {repeats_hz:.3g} Hz")
    return "; ".join(words) or "nothing: smooth the edge"
