"""Value of a site: criteria on fixed anchors, weighted score, and two cross-checks.

Anchors are fixed beforehand and never come from the set of sites compared, so a site that joins or
leaves changes no other site's score (scaling by the set's own minimum and maximum makes 10.1
against 10 as large a step as 5 against 1). A value is 0 at the worst anchor and 1 at the best; an
unknown one is None and counts 0. Weights are shares that add up to 1 (`normalised_weights`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

PROFILES = tuple(step / 10 for step in range(11))
INDIFFERENCE = 0.05
PREFERENCE = 0.25
_METHOD = "clusterplan method, siting sections 1 and 2 (additive value, Keeney and Raiffa 1976)"


class WeightedScore(NamedTuple):
    """The score S, the weight of what is known, and S with all unknown at their best.

    `known_only` is S over the known weight alone: shown, never ranked by, since it would reward
    hiding a bad figure; None where nothing is known.
    """

    score: float
    coverage: float
    best_case: float
    known_only: float | None


@formula(
    title="Value between fixed anchors",
    equation="min(max((datum - worst) / (best - worst), 0.0), 1.0)",
    unit="",
    source=_METHOD,
)
def linear_value(datum: float, worst: float, best: float) -> float:
    """0 at `worst` and below, 1 at `best` and beyond, linear between; all in the datum's unit.

    `best` may be the lower (cost) or the higher one (MW). Anchors must differ (`checked_anchors`).
    """
    return min(max((datum - worst) / (best - worst), 0.0), 1.0)


@formula(
    title="Value between fixed anchors, logarithmic",
    equation="min(max(log(datum / worst) / log(best / worst), 0.0), 1.0)",
    unit="",
    source=_METHOD,
)
def log_value(datum: float, worst: float, best: float) -> float:
    """As `linear_value` on the logarithms: equal ratios count equal. All three above 0."""
    return min(max(math.log(datum / worst) / math.log(best / worst), 0.0), 1.0)


def criterion_value(
    datum: float | None, anchors: tuple[float, float], *, log: bool = False
) -> float | None:
    """Value of one datum on checked anchors (worst, best); None where the datum is unknown.

    On a logarithmic scale a datum of 0 or less lies beyond the anchor at the low end.
    """
    if datum is None:
        return None
    if not math.isfinite(datum):
        raise InputError(Problem(f"a datum of {datum} cannot be valued; a finite number is due"))
    worst, best = anchors
    if not log:
        return linear_value(datum, worst, best)
    if datum <= 0.0:
        return 0.0 if worst < best else 1.0
    return log_value(datum, worst, best)


def checked_anchors(
    criterion: str, anchors: Sequence[float], preset: tuple[float, float], *, log: bool = False
) -> tuple[float, float]:
    """Anchors (worst, best) in the direction of the preset. Raises InputError.

    Refused: not two, not finite, equal, or reversed against the preset; 0 or less on a log scale.
    """
    if len(anchors) != 2 or not all(math.isfinite(value) for value in anchors):
        raise InputError(Problem(f"anchors of {criterion}: two finite numbers, worst then best"))
    worst, best = anchors
    if log and min(worst, best) <= 0.0:
        raise InputError(Problem(f"anchors of {criterion}: above 0 on a logarithmic scale"))
    if worst == best:
        raise InputError(Problem(f"anchors of {criterion}: worst and best are both {worst:g}"))
    if (best > worst) != (preset[1] > preset[0]):
        raise InputError(
            Problem(
                f"anchors of {criterion}: [{worst:g}, {best:g}] is reversed; worst comes first, "
                f"as in [{preset[0]:g}, {preset[1]:g}]"
            )
        )
    return worst, best


def normalised_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights over their sum. Raises InputError for negative, infinite or all-zero weights."""
    for weight in weights:
        if not math.isfinite(weight) or weight < 0.0:
            raise InputError(Problem(f"a weight of {weight}; a finite number of 0 or more is due"))
    total = math.fsum(weights)
    if total <= 0.0:
        raise InputError(Problem("all weights are 0; at least one above 0 is due"))
    return tuple(weight / total for weight in weights)


@formula(
    title="Weighted score",
    equation="score = sum(weight x value), unknown counted 0; coverage = sum(weight of what is "
    "known); best case = score + 1 - coverage; known only = score / coverage",
    unit="",
    source=_METHOD,
    plain=False,
)
def weighted_score(weights: tuple[float, ...], values: tuple[float | None, ...]) -> WeightedScore:
    """Score of a site in 0..1 from weights that add up to 1 and values in 0..1, None unknown."""
    known = [
        (weight, value) for weight, value in zip(weights, values, strict=True) if value is not None
    ]
    score = math.fsum(weight * value for weight, value in known)
    coverage = math.fsum(weight for weight, _ in known)
    only = score / coverage if coverage > 0.0 else None
    return WeightedScore(score, coverage, score + math.fsum(weights) - coverage, only)


def points(weights: Sequence[float], values: Sequence[float | None]) -> tuple[int, ...]:
    """Points of 100 per criterion as whole numbers that add up to the rounded score.

    Largest remainder; of equal remainders the earlier criterion gets the point.
    """
    exact = [100.0 * weight * (value or 0.0) for weight, value in zip(weights, values, strict=True)]
    whole = [math.floor(share) for share in exact]
    left = math.floor(math.fsum(exact) + 0.5) - sum(whole)
    by_remainder = sorted(range(len(exact)), key=lambda place: whole[place] - exact[place])
    for place in by_remainder[:left]:
        whole[place] += 1
    return tuple(whole)


def competition_ranks(clear: Sequence[bool], scores: Sequence[float]) -> tuple[int, ...]:
    """Ranks 1, 2, 2, 4: clear sites before all others, then by score to nine decimals."""
    keys = [(not is_clear, -round(score, 9)) for is_clear, score in zip(clear, scores, strict=True)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


@formula(
    title="TOPSIS closeness to fixed ideals",
    equation="d- / (d+ + d-), d+ = |weight x (1 - value)|, d- = |weight x value|, Euclidean",
    unit="",
    source="Hwang and Yoon, Multiple Attribute Decision Making, 1981, on fixed ideals",
    plain=False,
)
def topsis_closeness(weights: tuple[float, ...], values: tuple[float | None, ...]) -> float:
    """Closeness in 0..1 to the site with the best of everything; unknown counts 0.

    Ideal and anti-ideal are the anchors, so no other site enters. A cross-check of the score.
    """
    pairs = [(weight, value or 0.0) for weight, value in zip(weights, values, strict=True)]
    to_best = math.hypot(*(weight * (1.0 - value) for weight, value in pairs))
    to_worst = math.hypot(*(weight * value for weight, value in pairs))
    return to_worst / (to_best + to_worst)


@formula(
    title="PROMETHEE II net flow against fixed profiles",
    equation="mean over the profiles r = 0, 0.1 ... 1 of pi(site, r) - pi(r, site); pi = "
    "sum(weight x P), P linear from 0 at a lead of 0.05 to 1 at 0.25",
    unit="",
    source="Brans and Vincke, Management Science 31 (1985), with fixed profiles as in FlowSort",
    plain=False,
)
def promethee_net_flow(weights: tuple[float, ...], values: tuple[float | None, ...]) -> float:
    """Net flow in -1..1 against eleven fixed profiles; unknown counts 0. A cross-check."""
    own = tuple(value or 0.0 for value in values)
    flow = math.fsum(_outranking(weights, own, (profile,) * len(own)) for profile in PROFILES)
    return flow / len(PROFILES)


def promethee_set_flows(
    weights: Sequence[float], sites: Sequence[Sequence[float]]
) -> tuple[float, ...]:
    """The classic net flows over a set of sites, which depend on who else is in the set.

    Kept to show the difference: a site that leaves may reverse the order of the others, so it is
    never used to compare.
    """
    others = max(len(sites) - 1, 1)
    return tuple(
        math.fsum(_outranking(weights, site, other) for other in sites) / others for site in sites
    )


def _outranking(weights: Sequence[float], one: Sequence[float], other: Sequence[float]) -> float:
    """pi(one, other) - pi(other, one)."""
    return math.fsum(
        weight * (_preference(a - b) - _preference(b - a))
        for weight, a, b in zip(weights, one, other, strict=True)
    )


def _preference(lead: float) -> float:
    return min(max((lead - INDIFFERENCE) / (PREFERENCE - INDIFFERENCE), 0.0), 1.0)
