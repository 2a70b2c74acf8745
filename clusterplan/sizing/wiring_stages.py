"""Stages of a wiring: which of them first has a node."""

from __future__ import annotations

from bisect import bisect_right


def stage_of(stages: tuple[int, ...], node: int) -> int:
    """First stage (1 and up) that has a node, by cumulative counts; a reserved slot: the last."""
    return min(bisect_right(stages, node) + 1, len(stages))
