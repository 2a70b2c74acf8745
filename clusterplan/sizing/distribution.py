"""Efficiency of the distribution chain from the meter to the rack, and where its losses fall."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

_SOURCE = "clusterplan method, electrical, losses and PUE (b)"
UPS = "UPS"
MV_LV = "MV/LV transformer"
RECTIFIER = "MV to 800 V DC rectifier"
RACK_BATTERY = "battery in the rack"


class ChainStage(NamedTuple):
    """One stage from the meter inwards and which branches pass through it."""

    stage: str
    efficiency: float
    it: bool
    mechanical: bool
    mechanical_on_ups: bool


class ChainEfficiency(NamedTuple):
    """Efficiency from the meter to the racks, the cooling plant, and what of it is on the UPS."""

    it: float
    mechanical: float
    mechanical_on_ups: float


@formula(
    title="Efficiency of the distribution chain",
    equation="product of the efficiencies of the stages on the way of each branch",
    unit="",
    source=_SOURCE,
    plain=False,
)
def chain_efficiency(stages: Sequence[ChainStage]) -> ChainEfficiency:
    """Unrounded products of the stages present. Nothing is left out at part load."""
    return ChainEfficiency(
        it=math.prod(s.efficiency for s in stages if s.it),
        mechanical=math.prod(s.efficiency for s in stages if s.mechanical),
        mechanical_on_ups=math.prod(s.efficiency for s in stages if s.mechanical_on_ups),
    )


@formula(
    title="Distribution efficiency, meter to rack",
    equation="100.0 * it_efficiency",
    unit="%",
    source=_SOURCE,
)
def chain_efficiency_percent(it_efficiency: float) -> float:
    """The IT branch in percent."""
    return 100.0 * it_efficiency


@formula(
    title="Rack power restated at the 800 V DC input",
    equation="rack_power * psu_efficiency",
    unit="kW or MW",
    source=_SOURCE,
)
def dc_input_power(rack_power: float, psu_efficiency: float) -> float:
    """Rack power at the DC input: the AC figure without the rectifier that moved out."""
    return rack_power * psu_efficiency


class StageLoss(NamedTuple):
    """What one stage takes in and loses, in MW; efficiency in percent."""

    stage: str
    efficiency_percent: float
    input_mw: float
    loss_mw: float


@formula(
    title="Efficiency of one stage",
    equation="100.0 * efficiency",
    unit="%",
    source=_SOURCE,
)
def stage_efficiency_percent(efficiency: float) -> float:
    """The planning efficiency of a stage in percent."""
    return 100.0 * efficiency


@formula(
    title="Power that a stage takes in",
    equation="(it_mw + mechanical_mw + mechanical_on_ups_mw) / efficiency",
    unit="MW",
    source=_SOURCE,
)
def stage_input_mw(
    it_mw: float, mechanical_mw: float, mechanical_on_ups_mw: float, efficiency: float
) -> float:
    """MW at the head of a stage that delivers so much to the branches behind it."""
    return (it_mw + mechanical_mw + mechanical_on_ups_mw) / efficiency


@formula(
    title="Loss of a stage",
    equation="input_mw * (1.0 - efficiency)",
    unit="MW",
    source=_SOURCE,
)
def stage_loss_mw(input_mw: float, efficiency: float) -> float:
    """MW lost in a stage."""
    return input_mw * (1.0 - efficiency)


def stage_losses(
    stages: Sequence[ChainStage], it_mw: float, mechanical_mw: float, mechanical_on_ups_mw: float
) -> tuple[StageLoss, ...]:
    """Losses in the order of the stages; they add up to what the meter reads above the loads.

    Loads in MW at the ends of their branches (racks, plant motors, motors on the UPS).
    """
    at = (it_mw, mechanical_mw, mechanical_on_ups_mw)
    found = []
    for stage in reversed(stages):
        passes = (stage.it, stage.mechanical, stage.mechanical_on_ups)
        racks, plant, on_ups = (
            mw if through else 0.0 for mw, through in zip(at, passes, strict=True)
        )
        taken = stage_input_mw(racks, plant, on_ups, stage.efficiency)
        lost = stage_loss_mw(taken, stage.efficiency)
        percent = stage_efficiency_percent(stage.efficiency)
        found.append(StageLoss(stage.stage, percent, taken, lost))
        it_mw, mechanical_mw, mechanical_on_ups_mw = (
            mw / stage.efficiency if through else mw for mw, through in zip(at, passes, strict=True)
        )
        at = (it_mw, mechanical_mw, mechanical_on_ups_mw)
    return tuple(reversed(found))


def chain_stages(
    efficiencies: dict[str, float],
    hv_stages: int,
    ups: bool,
    distribution: str = "ac",
    ups_position: str = "lv",
) -> tuple[ChainStage, ...]:
    """The stages that a plan has, from the meter inwards.

    efficiencies: hv_mv_transformer, mv_distribution, mv_lv_transformer, ups, busway; rectifier for
    `dc800`, where a rectifier from MV stands in for the racks' MV/LV transformer. hv_stages: 0 at
    MV service, 1, or 2 at 500 kV and above. ups_position: `lv` before the busway, `mv` before the
    MV/LV transformers, where it carries the whole load, or `rack`, where motors have none.
    """
    e = efficiencies
    dc = distribution == "dc800"
    stages = [
        ChainStage(name, e["hv_mv_transformer"], True, True, True)
        for name in ("HV/MV transformer",) * min(hv_stages, 1)
    ]
    if hv_stages == 2:
        stages.insert(0, ChainStage("bulk transformer", e["hv_mv_transformer"], True, True, True))
    stages.append(ChainStage("MV distribution", e["mv_distribution"], True, True, True))
    if ups and ups_position == "mv":
        stages.append(ChainStage(UPS, e["ups"], True, True, True))
    stages.append(ChainStage(MV_LV, e["mv_lv_transformer"], not dc, True, True))
    if dc:
        stages.append(ChainStage(RECTIFIER, e["rectifier"], True, False, False))
    if ups and ups_position == "lv":
        stages.append(ChainStage(UPS, e["ups"], True, False, True))
    stages.append(ChainStage("LV busway", e["busway"], True, False, False))
    if ups and ups_position == "rack":
        stages.append(ChainStage(RACK_BATTERY, e["ups"], True, False, False))
    return tuple(stages)
