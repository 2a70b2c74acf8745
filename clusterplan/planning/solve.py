"""The integer solve: the largest count whose need stays within what is available.

Need grows with the count almost everywhere, but plume class, fabric tier, clusters, CDU groups and
plant units make it jump, so the first count that fails does not end the search: the counts just
above it and the known jump points are tried too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_INTERPOLATED = 5  # guesses of a boundary before any is a halving
_TOLERANCE = 1e-9  # relative: a stage of exactly the plan's MW must pass


def within(need: float, available: float) -> bool:
    """Whether `need` is within `available`, to a relative 1e-9."""
    return need <= available + _TOLERANCE * abs(available)


def largest_within(
    need: Callable[[int], float],
    available: float,
    upper: int,
    *,
    jumps: Iterable[int] = (),
    window: int = 8,
    past: Callable[[int], int | None] | None = None,
) -> int:
    """The largest count in 0..upper whose need is within `available`; 0 when none is.

    need: what a count needs (need(0) is taken as 0); jumps: counts at which the need may fall
    (start of another plume class, of one more cluster ...); window: how many counts above a
    failing one are tried; past: the count at which what raises the need of a failing one ends,
    None where nothing passing does.
    """
    if upper <= 0 or available < 0.0:
        return 0
    best = boundary(need, available, 0, upper)
    return largest_above(need, available, (best, upper), jumps=jumps, window=window, past=past)


def largest_above(
    need: Callable[[int], float],
    available: float,
    span: tuple[int, int],
    *,
    jumps: Iterable[int] = (),
    window: int = 8,
    past: Callable[[int], int | None] | None = None,
) -> int:
    """The same in a span whose first count passes: the jumps and the counts just above it."""
    best, upper = span
    starts = sorted({count for count in jumps if best < count <= upper})
    for place, jump in enumerate(starts):
        if jump > best and within(need(jump), available):
            end = starts[place + 1] - 1 if place + 1 < len(starts) else upper
            best = boundary(need, available, jump, end)
    while True:
        best = _within_window(need, available, best, upper, window)
        start = past(best + 1) if past is not None and best < upper else None
        if start is None or start > upper or not within(need(start), available):
            return best
        # the next such rise lies about as far away
        high = min(upper, 2 * start - best)
        best = boundary(need, available, start, high)
        if best == high:
            best = boundary(need, available, best, upper)


def _within_window(
    need: Callable[[int], float], available: float, best: int, upper: int, window: int
) -> int:
    """The largest passing count of which each is at most `window` above one that passes."""
    found = True
    while found:
        found = False
        for count in range(min(best + window, upper), best, -1):
            if within(need(count), available):
                best, found = count, True
                break
    return best


def changes(key: Callable[[int], object], low: int, high: int) -> list[int]:
    """Counts in low + 1..high whose `key` differs from that of the count before.

    By halving: a key that goes and comes back between two equal ends is not seen.
    """
    found: list[int] = []
    open_spans = [(low, high)] if high > low else []
    while open_spans:
        first, last = open_spans.pop()
        if key(first) == key(last):
            continue
        if last - first == 1:
            found.append(last)
            continue
        middle = (first + last) // 2
        open_spans += [(first, middle), (middle, last)]
    return sorted(found)


def boundary(need: Callable[[int], float], available: float, low: int, high: int) -> int:
    """A count that passes (low does) with the next one failing, between low and high.

    The need is close to a straight line, so the next guess is interpolated. From the fifth on every
    third guess halves the bracket, which bounds the number of evaluations.
    """
    at_high = need(high)
    if within(at_high, available):
        return high
    at_low = 0.0 if low == 0 else need(low)
    turn = 0
    while high - low > 1:
        turn += 1
        slope = (at_high - at_low) / (high - low)
        guess = (low + high) // 2
        if (turn < _INTERPOLATED or turn % 3) and slope > 0.0:
            guess = low + int((available - at_low) / slope)
            guess = min(max(guess, low + 1), high - 1)
        value = need(guess)
        if within(value, available):
            low, at_low = guess, value
        else:
            high, at_high = guess, value
    return low


def boundary_near(need: Callable[[int], float], available: float, guess: int, upper: int) -> int:
    """A count in 0..upper that passes with the next one failing or beyond `upper`.

    For a need close to a straight line through 0 of which `guess` tells about where it ends; takes
    fewer evaluations than `boundary`, none of them at `upper` unless it may pass.
    """
    low, high = 0, upper + 1
    last, at_last = 0, 0.0
    turn = 0
    while high - low > 1:
        turn += 1
        if turn > _INTERPOLATED and turn % 3 == 0:
            guess = (low + high) // 2
        guess = min(max(guess, low + 1), high - 1)
        value = need(guess)
        if within(value, available):
            low = guess
        else:
            high = guess
        slope = (value - at_last) / (guess - last) if guess != last else 0.0
        last, at_last = guess, value
        if slope > 0.0 and math.isfinite(slope):
            guess += math.floor((available - value) / slope)
        else:
            guess = (low + high) // 2
    return low
