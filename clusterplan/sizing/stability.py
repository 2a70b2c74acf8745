"""How sure an order is: shares of ranks over drawn weights and values, swaps, break-even.

Shares count draws. numpy is loaded when they are counted.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.sizing.draws import Floats

SITING_3 = "clusterplan method, siting section 3"
SMAA = "SMAA-2 (Lahdelma and Salminen, Operations Research 49, 2001)"
_DECIMALS = 9


class Shares(NamedTuple):
    """Shares over the draws; sites in the order given.

    ranks[i][r]: of site i on place r + 1, ties sharing their places; beats[i][j]: of i before j, a
    tie counting half; winning_weights[i]: mean weights of the draws that i wins, None for none.
    """

    ranks: tuple[tuple[float, ...], ...]
    beats: tuple[tuple[float, ...], ...]
    winning_weights: tuple[tuple[float, ...] | None, ...]

    @property
    def first(self) -> tuple[float, ...]:
        """First-rank share of each site."""
        return tuple(row[0] for row in self.ranks)


def drawn_scores(weights: Floats, values: Sequence[Floats]) -> Floats:
    """Scores (draws, sites): weight draw i meets sample i modulo the number of samples.

    weights: (draws, data); values: for each site (samples, data) in 0..1. Source: siting section 3.
    """
    import numpy as np

    draws = len(weights)
    scores = np.empty((draws, len(values)))
    for place, samples in enumerate(values):
        # in slices, so that memory does not grow with the draws
        for start in range(0, draws, len(samples)):
            part = weights[start : start + len(samples)]
            scores[start : start + len(part), place] = (part * samples[: len(part)]).sum(axis=1)
    return scores


def shares_of_ranks(scores: Floats, weights: Floats, clear: Sequence[bool] | None = None) -> Shares:
    """Rank acceptability, pairwise shares and winning weights from drawn scores (draws, sites).

    clear: sites that pass all gates stand before the others in every draw; None leaves gates out.
    Source: SMAA-2 (Lahdelma and Salminen 2001).
    """
    import numpy as np

    draws, sites = scores.shape
    keys = np.round(scores, _DECIMALS)
    if clear is not None:
        keys = keys + 2.0 * np.asarray(clear, dtype=float)
    better = np.zeros((draws, sites), dtype=int)
    tied = np.zeros((draws, sites), dtype=int)
    beats = np.zeros((sites, sites))
    for place in range(sites):
        other = keys[:, place : place + 1]
        over, equal = other > keys, other == keys
        better += over
        tied += equal
        beats[place] = over.mean(axis=0) + 0.5 * equal.mean(axis=0)
    ranks = np.zeros((sites, sites))
    for rank in range(sites):
        holds = (better <= rank) & (rank < better + tied)
        ranks[:, rank] = (holds / tied).sum(axis=0) / draws
    wins = (better == 0) / tied
    won = wins.sum(axis=0)
    means = [
        tuple((wins[:, i] @ weights / won[i]).tolist()) if won[i] > 0.0 else None
        for i in range(sites)
    ]
    return Shares(
        tuple(tuple(row) for row in ranks.tolist()),
        tuple(tuple(row) for row in beats.tolist()),
        tuple(means),
    )


def contenders(first: Sequence[float], ids: Sequence[str], covering: float) -> tuple[int, ...]:
    """The fewest sites that are first in a share `covering` of the draws together.

    Places in `first`, by share and then id. Source: clusterplan method, siting section 3.
    """
    found: list[int] = []
    total = 0.0
    for place in sorted(range(len(first)), key=lambda i: (-first[i], ids[i])):
        if total >= covering - 1e-12:
            break
        found.append(place)
        total += first[place]
    return tuple(found)


@formula(
    title="Change of one weight that makes two sites tie",
    equation="lead * (1.0 - weight) / (lead - difference)",
    unit="",
    source=SITING_3 + ": the other weights change in proportion",
)
def swapping_change(lead: float, weight: float, difference: float) -> float:
    """Change of a weight after which the first two tie.

    lead: score of the first less that of the second; difference: the same of their values on this
    criterion. The caller leaves out a criterion whose difference equals the lead.
    """
    return lead * (1.0 - weight) / (lead - difference)


def smallest_swap(
    weights: Sequence[float], first: Sequence[float], second: Sequence[float]
) -> tuple[int, float] | None:
    """The criterion whose weight needs the smallest change to swap two sites, and the change.

    None where no single weight can. Source: clusterplan method, siting section 3.
    """
    differences = [a - b for a, b in zip(first, second, strict=True)]
    lead = math.fsum(w * d for w, d in zip(weights, differences, strict=True))
    found: list[tuple[float, int, float]] = []
    for place, (weight, difference) in enumerate(zip(weights, differences, strict=True)):
        if abs(lead - difference) < 1e-12:
            continue
        change = swapping_change(lead, weight, difference)
        if -1e-12 <= weight + change <= 1.0 + 1e-12:
            found.append((abs(change), place, change))
    if not found:
        return None
    _, place, change = min(found)
    return place, change


@formula(
    title="Figure at a value between fixed anchors",
    equation="worst + value * (best - worst)",
    unit="",
    source=SITING_3,
)
def figure_at_value(value: float, worst: float, best: float) -> float:
    """The datum, in its unit, that has a value in 0..1 on linear anchors."""
    return worst + value * (best - worst)
