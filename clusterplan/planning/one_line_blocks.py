"""What stands behind the MV feeders of a one-line diagram: unit substations, UPS, loads, standby.

Where the plan counts its blocks they are drawn with number, rating and scheme; else each stage of
the distribution chain stands for all of them, with the power that it takes in.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from clusterplan.core.results.one_line import Apparatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.core.results.substation import ChainLoss

RACK_STAGES = ("UPS", "LV busway")  # of the chain: what only IT passes
PLANT = "plant"


class CountedBlocks(Protocol):
    """One row of equal blocks: what they are called, their scheme, number and rating."""

    blocks: str
    scheme: str
    installed: int
    redundant: int
    rating_mva: float


def behind_the_feeders(plan: SitePlan) -> list[Apparatus]:
    """Apparatus from the MV feeders to the racks, taps of plant and standby sets among them."""
    counted = getattr(plan, "distribution", None)
    rows: Sequence[CountedBlocks] = () if counted is None else counted.blocks
    stages = {stage.stage: stage for stage in plan.substation.losses}
    items: list[Apparatus] = []
    units = [row for row in rows if row.blocks.startswith("unit substations")]
    unit = stages.get("MV/LV transformer")
    if units:
        items += [_block(row, plan) for row in units if not row.blocks.endswith(PLANT)]
    elif unit is not None and plan.substation.service != "mv":
        items.append(_stage("transformer", "unit substations", unit))
    items += [_block(row, plan) for row in units if row.blocks.endswith(PLANT)]
    items += _beside(stages)
    items += _standby(counted)
    inner = [row for row in rows if row not in units]
    if inner:
        items += [_block(row, plan) for row in inner]
    elif "UPS" in stages:
        items.append(_stage("ups", "UPS", stages["UPS"]))
    ratings = (
        f"{amount(plan.summary.it_power_mw)} MW on the site",
        f"{plan.summary.racks:,} compute racks",
    )
    items.append(Apparatus(symbol="load", name="IT", ratings=ratings, count=None))
    return items


def _block(row: CountedBlocks, plan: SitePlan) -> Apparatus:
    is_unit = row.blocks.startswith("unit substations")
    is_tap = is_unit and row.blocks.endswith(PLANT)
    return Apparatus(
        symbol="tap" if is_tap else "transformer" if is_unit else "ups",
        name=row.blocks,
        ratings=(f"{amount(row.rating_mva)} MVA", row.scheme, f"{row.installed:,} on the site"),
        count=row.installed,
        each=max(1, math.ceil(row.installed / max(1, plan.substation.transformers))),
    )


def _beside(stages: dict[str, ChainLoss]) -> list[Apparatus]:
    """Cooling and house load: what the unit substations carry beside the racks."""
    unit = stages.get("MV/LV transformer")
    inner = next((stages[name] for name in RACK_STAGES if name in stages), None)
    if unit is None or inner is None:
        return []
    beside = unit.input_mw - unit.loss_mw - inner.input_mw
    if beside <= 0.0:
        return []
    ratings = (f"{amount(beside)} MW on the site",)
    return [Apparatus(symbol="tap", name="cooling and house load", ratings=ratings, count=None)]


def _standby(counted: object) -> list[Apparatus]:
    """Standby sets and the battery that bridges to them, where the plan has them."""
    items = []
    sets, rating = getattr(counted, "gensets", None), getattr(counted, "genset_mw", None)
    if sets:
        ratings = kept("" if rating is None else f"{amount(rating)} MW each")
        items.append(Apparatus(symbol="tap", name="standby set", ratings=ratings, count=sets))
    power, energy = getattr(counted, "bess_mw", None), getattr(counted, "bess_mwh", None)
    if power:
        ratings = kept(f"{amount(power)} MW", "" if energy is None else f"{amount(energy)} MWh")
        items.append(Apparatus(symbol="tap", name="standby battery", ratings=ratings))
    return items


def _stage(symbol: str, name: str, stage: ChainLoss) -> Apparatus:
    ratings = (f"{amount(stage.input_mw)} MW on the site",)
    return Apparatus(symbol=symbol, name=name, ratings=ratings, count=None)


def kept(*texts: str) -> tuple[str, ...]:
    """The texts that say something."""
    return tuple(text for text in texts if text)


def kiloampere(value: float | None) -> str:
    """A current in kA; empty where it is unknown."""
    return "" if value is None else f"{value:.4g} kA"


def amount(value: float) -> str:
    """A figure for a label: four digits, whole from 1,000 on."""
    return f"{value:,.0f}" if abs(value) >= 1000.0 else f"{value:.4g}"
