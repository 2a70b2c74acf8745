"""A cabinet on the floor."""

from __future__ import annotations

from typing import NamedTuple


class RackPlace(NamedTuple):
    """Where a cabinet stands: its middle (m), its row and position, and its width.

    kind: compute, network or support
    """

    name: str
    kind: str
    row: int
    position: int
    x_m: float
    y_m: float
    width_m: float
