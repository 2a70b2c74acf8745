from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.planning.solve import changes, largest_within, within


def test_linear_need_is_solved_exactly() -> None:
    # 100 MW at 0.15 MW a rack holds floor(100 / 0.15) = 666 racks
    assert largest_within(lambda n: 0.15 * n, 100.0, 10_000) == 666


def test_exact_fit_passes() -> None:
    assert largest_within(lambda n: 0.1 * n, 0.3, 10) == 3  # 0.1 * 3 > 0.3 in binary
    assert within(0.30000000000000004, 0.3)


def test_nothing_fits() -> None:
    assert largest_within(lambda n: 5.0 * n, 4.0, 100) == 0
    assert largest_within(lambda n: 1.0 * n, 4.0, 0) == 0


def test_upper_bound_holds() -> None:
    assert largest_within(lambda n: 0.001 * n, 100.0, 50) == 50


def test_a_count_that_fails_does_not_end_the_search() -> None:
    """A jump down at 61 (one more cluster, fewer tiers) makes larger counts pass again."""

    def need(count: int) -> float:
        return count * (1.2 if count <= 60 else 1.0)

    assert largest_within(need, 66.0, 100, jumps=[61]) == 66
    assert largest_within(need, 66.0, 100, window=12) == 66


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.floats(0.5, 2.0), min_size=1, max_size=80),
    st.floats(0.0, 120.0),
)
def test_agrees_with_brute_force_on_growing_needs(steps: list[float], available: float) -> None:
    totals = [0.0]
    for step in steps:
        totals.append(totals[-1] + step)
    expected = max(n for n, total in enumerate(totals) if within(total, available))
    assert largest_within(lambda n: totals[n], available, len(steps)) == expected


def test_changes_are_found_by_halving() -> None:
    def key(count: int) -> str:
        return "small" if count < 17 else "middle" if count < 18 else "large"

    assert changes(key, 1, 1000) == [17, 18]
    assert changes(key, 18, 1000) == []
    assert changes(key, 5, 5) == []


def test_looks_past_what_raises_the_need_for_a_while() -> None:
    """Every tenth count starts anew; the last four before it need more than those just after."""

    def need(count: int) -> float:
        return count + (6.0 if count % 10 > 5 else 0.0)

    def past(count: int) -> int | None:
        return count - count % 10 + 10 if count % 10 > 5 else None

    best = max(count for count in range(1, 200) if need(count) <= 121.0)
    assert best == 121
    assert largest_within(need, 121.0, 199, window=1, past=past) == best
