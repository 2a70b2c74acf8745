"""Blocks of the low-voltage chain (unit substations, rectifiers, UPS) under a redundancy scheme.

N: no spare. N+1: blocks of a group in parallel, one of them spare. distributed: every load on two
of a group's systems, which all run and share what a lost one carried. block: a reserve block a
group stands idle and takes over a whole one. 2N: two full chains. Loadings are of the blocks in
service; a group holds the redundant block too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.sizing.distribution import ChainStage

METHOD = "clusterplan method, electrical, distribution"


class Ahead(NamedTuple):
    """Efficiencies between a stage's outgoing side and the ends of the branches."""

    it: float
    mechanical: float
    mechanical_on_ups: float


def efficiency_behind(stages: Sequence[ChainStage], stage: str) -> Ahead:
    """Products of the efficiencies of the stages behind one, by branch; 1 where none follows."""
    names = [row.stage for row in stages]
    rest = stages[names.index(stage) + 1 :]
    return Ahead(
        math.prod(row.efficiency for row in rest if row.it),
        math.prod(row.efficiency for row in rest if row.mechanical),
        math.prod(row.efficiency for row in rest if row.mechanical_on_ups),
    )


@formula(
    title="Load of the blocks of one stage",
    equation="(racks_mw / racks_efficiency + motors_mw / motors_efficiency) / power_factor",
    unit="MVA",
    source=METHOD + ": what the stage gives out, its own loss not included",
)
def block_load_mva(
    racks_mw: float,
    racks_efficiency: float,
    motors_mw: float,
    motors_efficiency: float,
    power_factor: float,
) -> float:
    """MVA at the outgoing side of a stage; loads in MW at the ends of the two branches."""
    return (racks_mw / racks_efficiency + motors_mw / motors_efficiency) / power_factor


@formula(
    title="Blocks that carry the load",
    equation="max(1, ceil(load / rating - 1e-9))",
    unit="",
    source=METHOD,
)
def blocks_needed(load: float, rating: float) -> int:
    """Fewest blocks for a load, both in MVA or both in MW."""
    return max(1, math.ceil(load / rating - 1e-9))


@formula(
    title="Redundant blocks",
    equation="needed if scheme == '2N' else 0 if scheme == 'N' else ceil(needed / (group - 1))",
    unit="",
    source=METHOD + ": one block of each group, or the other half with 2N",
)
def blocks_redundant(needed: int, scheme: str, group: int) -> int:
    """Blocks beyond those that carry the load. group: blocks of one group, the spare included."""
    if scheme == "2N":
        return needed
    return 0 if scheme == "N" else math.ceil(needed / (group - 1))


@formula(
    title="Blocks installed",
    equation="needed + redundant",
    unit="",
    source=METHOD,
)
def blocks_installed(needed: int, redundant: int) -> int:
    """All blocks."""
    return needed + redundant


@formula(
    title="Loading of the blocks",
    equation="100.0 * load / (blocks * rating)",
    unit="%",
    source=METHOD,
)
def block_loading_percent(load: float, blocks: int, rating: float) -> float:
    """Percent of their rating that so many blocks carry, mean of the blocks."""
    return 100.0 * load / (blocks * rating)


@formula(
    title="Load lost with one block",
    equation="100.0 / needed if scheme == 'N' else 0.0",
    unit="%",
    source=METHOD,
)
def lost_load_percent(needed: int, scheme: str) -> float:
    """Percent of the load that is lost when one block fails."""
    return 100.0 / needed if scheme == "N" else 0.0


class Blocks(NamedTuple):
    """Blocks of one stage: numbers, and loadings with all in service and with one out.

    loading_degraded_percent: of the blocks that take over, None without redundancy.
    """

    needed: int
    installed: int
    redundant: int
    loading_normal_percent: float
    loading_degraded_percent: float | None
    lost_percent: float


def blocks_for(load: float, rating: float, scheme: str, group: int) -> Blocks:
    """The blocks for a load (MVA or MW as the rating) under a scheme of this module."""
    return blocks_of(load, rating, blocks_needed(load, rating), scheme, group)


def blocks_of(load: float, rating: float, needed: int, scheme: str, group: int) -> Blocks:
    """The same where the number that carries the load is fixed by something else."""
    redundant = blocks_redundant(needed, scheme, group)
    installed = blocks_installed(needed, redundant)
    running = needed if scheme in ("N", "block") else installed
    normal = block_loading_percent(load, running, rating)
    degraded = None if scheme == "N" else block_loading_percent(load, needed, rating)
    lost = lost_load_percent(needed, scheme)
    return Blocks(needed, installed, redundant, normal, degraded, lost)


@formula(
    title="Open rings of one bus section",
    equation="max(1, ceil(section_mva / (sqrt(3.0) * mv_kv * feeder_current_a / 1000.0) - 1e-9))",
    unit="",
    source=METHOD + ": either end carries the whole ring",
)
def section_rings(section_mva: float, mv_kv: float, feeder_current_a: float) -> int:
    """Open rings that carry a section's load (MVA, kV, A); each has two feeders."""
    capacity = math.sqrt(3.0) * mv_kv * feeder_current_a / 1000.0
    return max(1, math.ceil(section_mva / capacity - 1e-9))


@formula(
    title="Rating of one MV feeder",
    equation="sqrt(3.0) * mv_kv * feeder_current_a / 1000.0",
    unit="MVA",
    source="S = sqrt(3) V I",
)
def feeder_mva(mv_kv: float, feeder_current_a: float) -> float:
    """MVA of a feeder at its rated current (A)."""
    return math.sqrt(3.0) * mv_kv * feeder_current_a / 1000.0


@formula(
    title="MV feeders installed",
    equation="sections * feeders_per_section",
    unit="",
    source=METHOD,
)
def feeders_installed(sections: int, feeders_per_section: int) -> int:
    """Feeders of all sections with their spares; two a ring."""
    return sections * feeders_per_section


@formula(
    title="Chain losses",
    equation="sum(stages_mw)",
    unit="MW",
    source=METHOD + ": every stage from the meter to the racks, once",
)
def chain_loss_mw(stages_mw: Sequence[float]) -> float:
    """Sum of the losses of all stages."""
    return sum(stages_mw)


@formula(
    title="Loads and losses together",
    equation="it_mw + mechanical_mw + losses_mw",
    unit="MW",
    source=METHOD + ": what the meter reads; nothing is dropped",
)
def meter_mw(it_mw: float, mechanical_mw: float, losses_mw: float) -> float:
    """MW at the meter from the ends of the chain: racks, motors and house, losses."""
    return it_mw + mechanical_mw + losses_mw


@formula(
    title="Energy of the UPS batteries",
    equation="load_mw * autonomy_s / 3600.0",
    unit="MWh",
    source=METHOD,
)
def ups_energy_mwh(load_mw: float, autonomy_s: float) -> float:
    """Usable MWh that carry so many MW for so long."""
    return load_mw * autonomy_s / 3600.0
