"""Site value: hand calculations on the siting method, and the laws that fixed anchors give."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.errors import InputError
from clusterplan.sizing.site_value import (
    checked_anchors,
    competition_ranks,
    criterion_value,
    linear_value,
    log_value,
    normalised_weights,
    points,
    promethee_net_flow,
    promethee_set_flows,
    topsis_closeness,
    weighted_score,
)


@pytest.mark.parametrize(
    ("datum", "worst", "best", "value"),
    [
        (42.0, 72.0, 12.0, 0.5),  # months to first power: halfway
        (72.0, 72.0, 12.0, 0.0),
        (90.0, 72.0, 12.0, 0.0),  # worse than the worst anchor
        (6.0, 72.0, 12.0, 1.0),
        (3.0, 0.0, 4.0, 0.75),  # fibre routes
    ],
)
def test_linear_anchors(datum, worst, best, value):
    assert linear_value(datum, worst, best) == pytest.approx(value)


def test_logarithmic_anchors():
    # expansion, 100 -> 5,000 MW: the geometric mean is the middle
    assert log_value(math.sqrt(100.0 * 5000.0), 100.0, 5000.0) == pytest.approx(0.5)
    # land, 300,000 -> 3,000 USD an acre: 30,000 is one of two decades from the worst
    assert log_value(30_000.0, 300_000.0, 3_000.0) == pytest.approx(0.5)
    assert criterion_value(0.0, (100.0, 5000.0), log=True) == 0.0
    assert criterion_value(0.0, (300_000.0, 3_000.0), log=True) == 1.0


def test_unknown_is_none_and_never_a_number():
    assert criterion_value(None, (0.0, 1.0)) is None
    with pytest.raises(InputError):
        criterion_value(math.nan, (0.0, 1.0))


def test_score_coverage_and_best_case():
    # 0.5 x 0.8 + 0.3 x unknown + 0.2 x 0.5 = 0.5 on 0.7 of the weight
    found = weighted_score((0.5, 0.3, 0.2), (0.8, None, 0.5))
    assert found.score == pytest.approx(0.5)
    assert found.coverage == pytest.approx(0.7)
    assert found.best_case == pytest.approx(0.8)
    assert found.known_only == pytest.approx(0.5 / 0.7)
    nothing = weighted_score((1.0,), (None,))
    assert (nothing.score, nothing.coverage, nothing.best_case) == (0.0, 0.0, 1.0)
    assert nothing.known_only is None


def test_points_add_up_by_largest_remainder():
    # three thirds of 0.5: 16.67 each, 50 in all
    assert points((1 / 3,) * 3, (0.5, 0.5, 0.5)) == (17, 17, 16)
    assert points((0.5, 0.5), (0.66, 0.8)) == (33, 40)
    assert points((0.5, 0.5), (None, 1.0)) == (0, 50)


@pytest.mark.parametrize("weights", [(0.5, -0.1), (math.nan, 1.0), (math.inf, 1.0), (0.0, 0.0), ()])
def test_weights_that_are_refused(weights):
    with pytest.raises(InputError):
        normalised_weights(weights)


@pytest.mark.parametrize(
    ("anchors", "log"),
    [
        ((35.0, 150.0), False),  # reversed
        ((50.0, 50.0), False),
        ((math.inf, 35.0), False),
        ((150.0,), False),
        ((150.0, 0.0), True),
    ],
)
def test_anchors_that_are_refused(anchors, log):
    with pytest.raises(InputError, match="anchors of power_price"):
        checked_anchors("power_price", anchors, (150.0, 35.0), log=log)


def test_anchors_may_move():
    assert checked_anchors("power_price", (120.0, 20.0), (150.0, 35.0)) == (120.0, 20.0)


def test_ranks():
    assert competition_ranks((True,) * 4, (0.5, 0.7, 0.5, 0.1)) == (2, 1, 2, 4)
    # a clear site ranks before a better one that is not; equal to nine decimals is a tie
    assert competition_ranks((False, True, True), (0.9, 0.5, 0.5 + 1e-12)) == (3, 1, 1)


def test_topsis_by_hand():
    # |0.5 x (0.66, 0.8)| = 0.51855, |0.5 x (0.34, 0.2)| = 0.19723
    assert topsis_closeness((0.5, 0.5), (0.66, 0.8)) == pytest.approx(0.72446, abs=1e-5)
    assert topsis_closeness((0.5, 0.5), (1.0, 1.0)) == 1.0
    assert topsis_closeness((0.5, 0.5), (None, 0.0)) == 0.0


def test_promethee_by_hand():
    # value 1 leads the profiles 0 ... 0.7 by 0.3 or more: 8; 0.8 by 0.2: 0.75; 0.9 by 0.1: 0.25
    assert promethee_net_flow((1.0,), (1.0,)) == pytest.approx(9.0 / 11.0)
    assert promethee_net_flow((1.0,), (None,)) == pytest.approx(-9.0 / 11.0)
    assert promethee_net_flow((0.5, 0.5), (0.5, 0.5)) == pytest.approx(0.0, abs=1e-12)
    assert promethee_net_flow((0.5, 0.5), (1.0, 0.0)) == pytest.approx(0.0, abs=1e-12)


def test_classic_flows_sum_to_zero_and_depend_on_the_set():
    # the first leads the second by 0.4 (1) and trails it by 0.1 (0.25): 0.5 x 0.75; against the
    # third it leads one criterion and trails the other in full: 0
    sites = [(0.9, 0.5), (0.5, 0.6), (0.1, 0.9)]
    flows = promethee_set_flows((0.5, 0.5), sites)
    assert math.fsum(flows) == pytest.approx(0.0, abs=1e-12)
    assert flows[0] == pytest.approx(0.375 / 2)
    assert promethee_set_flows((0.5, 0.5), sites[:2])[0] == pytest.approx(0.375)


VALUES = st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4).map(tuple)
WEIGHTS = st.lists(st.floats(0.01, 1.0), min_size=4, max_size=4).map(normalised_weights)
METHODS = (lambda w, v: weighted_score(w, v).score, topsis_closeness, promethee_net_flow)


@given(WEIGHTS, VALUES, st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_missing_never_helps(weights, values, place):
    hidden = tuple(None if i == place else value for i, value in enumerate(values))
    for method in METHODS:
        assert method(weights, hidden) <= method(weights, values) + 1e-12


@given(WEIGHTS, VALUES, VALUES)
@settings(max_examples=60, deadline=None)
def test_better_in_everything_is_never_worse(weights, one, other):
    best = tuple(max(a, b) for a, b in zip(one, other, strict=True))
    for method in METHODS:
        assert method(weights, best) >= method(weights, one) - 1e-12


@given(WEIGHTS, VALUES)
@settings(max_examples=60, deadline=None)
def test_points_add_up_to_the_score(weights, values):
    shares = points(weights, values)
    score = weighted_score(weights, values).score
    assert sum(shares) == math.floor(100.0 * score + 0.5) or abs(100 * score % 1 - 0.5) < 1e-9
    assert all(share >= 0 for share in shares)
