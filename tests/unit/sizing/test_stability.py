"""Shares of ranks, swaps and draws against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.sizing.draws import feet, triangle, uniforms, weight_draws
from clusterplan.sizing.stability import (
    contenders,
    drawn_scores,
    shares_of_ranks,
    smallest_swap,
)

FIRST, SECOND = (0.9, 0.2), (0.5, 0.5)
DRAWS = 10_000


def _share(weights: np.ndarray, values: list[tuple[float, ...]]) -> tuple[float, ...]:
    scores = drawn_scores(weights, [np.array([row]) for row in values])
    return shares_of_ranks(scores, weights).first


@pytest.mark.parametrize(
    ("concentration", "expected"),
    [
        # the first wins above w1 = 3/7: 1 - 3/7 under Dirichlet(1, 1)
        (None, 4 / 7),
        # 1 - I(3/7; 15, 15), the regularised incomplete beta function (scipy.special.betainc)
        (30.0, 0.7823),
    ],
)
def test_two_sites_and_two_criteria_have_a_closed_form(
    concentration: float | None, expected: float
) -> None:
    weights = weight_draws(1, (0.5, 0.5), DRAWS, concentration)
    first, second = _share(weights, [FIRST, SECOND])
    assert first == pytest.approx(expected, abs=3 * math.sqrt(expected * (1 - expected) / DRAWS))
    assert first + second == pytest.approx(1.0)


def test_any_seed_agrees_within_sampling_error() -> None:
    error = 3 * math.sqrt(0.7823 * 0.2177 / DRAWS)
    far = sum(
        abs(_share(weight_draws(seed, (0.5, 0.5), DRAWS, 30.0), [FIRST, SECOND])[0] - 0.7823)
        > error
        for seed in range(40)
    )
    assert far <= 2  # 3 standard errors are left in 0.3 % of the cases


def test_equal_sites_share_the_places() -> None:
    weights = weight_draws(1, (0.5, 0.5), 1000, 30.0)
    scores = drawn_scores(weights, [np.array([FIRST]), np.array([FIRST]), np.array([SECOND])])
    found = shares_of_ranks(scores, weights)
    assert found.ranks[0] == pytest.approx(found.ranks[1])
    assert found.beats[0][1] == pytest.approx(0.5)
    for row in found.ranks:
        assert math.fsum(row) == pytest.approx(1.0)
    for place in zip(*found.ranks, strict=True):
        assert math.fsum(place) == pytest.approx(1.0)


def test_a_clear_site_stands_first_in_every_draw() -> None:
    weights = weight_draws(1, (0.5, 0.5), 500, None)
    scores = drawn_scores(weights, [np.array([FIRST]), np.array([(0.0, 0.0)])])
    assert shares_of_ranks(scores, weights, [False, True]).first == (0.0, 1.0)
    assert shares_of_ranks(scores, weights).first == (1.0, 0.0)


def test_winning_weights_lie_on_the_winner_s_side() -> None:
    weights = weight_draws(1, (0.5, 0.5), DRAWS, None)
    found = shares_of_ranks(drawn_scores(weights, [np.array([FIRST]), np.array([SECOND])]), weights)
    # mean of a uniform w1 on 3/7..1, and on 0..3/7
    assert found.winning_weights[0][0] == pytest.approx((3 / 7 + 1) / 2, abs=0.01)
    assert found.winning_weights[1][0] == pytest.approx(3 / 14, abs=0.01)


_unit = st.floats(0.0, 1.0)


@given(
    st.lists(st.tuples(st.floats(0.01, 1.0), _unit, _unit), min_size=2, max_size=6),
)
def test_after_the_swap_both_score_alike(rows: list[tuple[float, float, float]]) -> None:
    total = math.fsum(row[0] for row in rows)
    weights = [row[0] / total for row in rows]
    one, other = [row[1] for row in rows], [row[2] for row in rows]
    found = smallest_swap(weights, one, other)
    if found is None:
        return
    place, change = found
    assert -1e-9 <= weights[place] + change <= 1 + 1e-9
    rest = 1.0 - weights[place]
    changed = [w * (rest - change) / rest for w in weights]
    changed[place] = weights[place] + change
    assert math.fsum(changed) == pytest.approx(1.0)
    lead = math.fsum(w * (a - b) for w, a, b in zip(changed, one, other, strict=True))
    assert lead == pytest.approx(0.0, abs=1e-9)


def test_no_single_weight_swaps_a_site_that_is_better_in_all() -> None:
    assert smallest_swap((0.5, 0.5), (0.9, 0.8), (0.5, 0.4)) is None


def test_contenders_are_the_fewest_that_cover() -> None:
    assert contenders((0.5, 0.3, 0.15, 0.05), "abcd", 0.9) == (0, 1, 2)
    assert contenders((0.5, 0.5), "ba", 0.9) == (1, 0)  # equals by id
    assert contenders((0.95, 0.05), "ab", 0.9) == (0,)


def test_a_stream_depends_on_seed_and_key_alone() -> None:
    one = uniforms(1, "abilene/grid.tariff", 500)
    assert (one == uniforms(1, "abilene/grid.tariff", 500)).all()
    assert (one != uniforms(2, "abilene/grid.tariff", 500)).any()
    assert (one != uniforms(1, "lulea/grid.tariff", 500)).any()
    # one in the middle of each of 500 equal strata
    assert np.sort(one) == pytest.approx((np.arange(500) + 0.5) / 500)


def test_low_and_high_are_about_p10_and_p90() -> None:
    drawn = triangle(uniforms(1, "a", 10_000), *feet(80.0, 100.0, 120.0))
    # exact for a symmetric triangle: 0.5 (1 - 1/1.8)^2 = 0.0988 lies below the low end
    assert np.quantile(drawn, 0.1) == pytest.approx(80.0, abs=0.5)
    assert np.quantile(drawn, 0.9) == pytest.approx(120.0, abs=0.5)
    assert drawn.mean() == pytest.approx(100.0, abs=0.05)


@settings(max_examples=50)
@given(_unit, _unit, st.floats(0.0, 0.2))
def test_a_worse_value_is_worse_in_every_draw(one: float, other: float, width: float) -> None:
    u = uniforms(1, "site/datum", 200)
    low, high = sorted((one, other))
    worse = np.maximum(0.0, triangle(u, low - width, low, low))
    better = np.maximum(0.0, triangle(u, high - width, high, high))
    assert (worse <= better + 1e-12).all()


def test_a_weight_of_zero_is_never_drawn() -> None:
    drawn = weight_draws(1, (0.7, 0.0, 0.3), 1000, 30.0)
    assert (drawn[:, 1] == 0.0).all()
    assert drawn.sum(axis=1) == pytest.approx(np.ones(1000))
    # sd of a Dirichlet weight: sqrt(w (1 - w) / (concentration + 1))
    assert drawn[:, 0].std() == pytest.approx(math.sqrt(0.7 * 0.3 / 31), rel=0.1)
