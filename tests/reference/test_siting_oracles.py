"""Scores against pymcdm 1.4.0 on random problems.

Tolerance 1e-9: both sides are the same arithmetic on floats. TOPSIS of pymcdm scales by the set, so
a row of the best and one of the worst of everything fix its anchors, as ours are fixed beforehand.
"""

from __future__ import annotations

import numpy as np
import pytest
from pymcdm.methods import PROMETHEE_II, TOPSIS, WSM

from clusterplan.sizing.site_value import (
    INDIFFERENCE,
    PREFERENCE,
    normalised_weights,
    promethee_set_flows,
    topsis_closeness,
    weighted_score,
)

PROBLEMS = 200
# its validator warns of rows that are best or worst in all, which the frame is on purpose


def _problems() -> list[tuple[np.ndarray, tuple[float, ...]]]:
    rng = np.random.default_rng(20261130)
    found = []
    for _ in range(PROBLEMS):
        sites, criteria = rng.integers(2, 9), rng.integers(2, 10)
        weights = normalised_weights(rng.random(criteria).tolist())
        found.append((rng.random((sites, criteria)), weights))
    return found


def _framed(values: np.ndarray) -> np.ndarray:
    criteria = values.shape[1]
    return np.vstack([values, np.ones(criteria), np.zeros(criteria)])


def test_weighted_score() -> None:
    for values, weights in _problems():
        # its sum normalisation divides a column by its sum: undone by scaling the weights with it
        sums = values.sum(axis=0)
        scaled = np.array(weights) * sums
        theirs = (
            WSM()(values, scaled / scaled.sum(), np.ones(len(weights)), validation=False)
            * scaled.sum()
        )
        ours = [weighted_score(weights, tuple(row)).score for row in values.tolist()]
        assert ours == pytest.approx(theirs.tolist(), abs=1e-9)


def test_topsis() -> None:
    for values, weights in _problems():
        theirs = TOPSIS()(
            _framed(values), np.array(weights), np.ones(len(weights)), validation=False
        )[:-2]
        ours = [topsis_closeness(weights, tuple(row)) for row in values.tolist()]
        assert ours == pytest.approx(theirs.tolist(), abs=1e-9)


def test_classic_promethee() -> None:
    for values, weights in _problems():
        count = len(weights)
        # one object for each call: it holds a generator that runs out
        method = PROMETHEE_II(
            "vshape_2", p=np.full(count, PREFERENCE), q=np.full(count, INDIFFERENCE)
        )
        theirs = method(values, np.array(weights), np.ones(count), validation=False)
        ours = promethee_set_flows(weights, values.tolist())
        assert list(ours) == pytest.approx(theirs.tolist(), abs=1e-9)
