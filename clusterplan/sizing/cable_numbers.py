"""Numbers of the cables between two tiers of switches: which links share an assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class CableNumbers(NamedTuple):
    """Numbers of the cables between two tiers of switches.

    The `lanes` links of a native port of the lower switch share a cable. Links left over where
    uplinks do not fill their last native port share with those of the next switches, so that a
    plane has links / lanes cables, rounded up. `ups` are (switches, uplinks) of the lower tier, in
    order.
    """

    lanes: int
    ups: tuple[tuple[int, int], ...]

    @property
    def per_plane(self) -> int:
        """Cables of one plane."""
        return -(-sum(number * up for number, up in self.ups) // self.lanes)

    def starts(self, switch: int) -> tuple[int, int, int]:
        """Whole cables and leftover links before a switch, and its own whole cables."""
        whole = odd = 0
        for number, up in self.ups:
            here = min(switch, number)
            whole += here * (up // self.lanes)
            odd += here * (up % self.lanes)
            switch -= here
            if here < number:
                return whole, odd, up // self.lanes
        return whole, odd, 0

    def of_switch(self, switch: int, plane: int) -> list[int]:
        """The cable (from 1) of every uplink of a switch, numbered within its plane."""
        whole, odd, own = self.starts(switch)
        every = sum(number * (up // self.lanes) for number, up in self.ups)
        up = next(up for number, up in _spread(self.ups) if switch < number)
        base = (plane - 1) * self.per_plane + 1
        full = [base + whole + uplink // self.lanes for uplink in range(own * self.lanes)]
        rest = [base + every + (odd + n) // self.lanes for n in range(up - own * self.lanes)]
        return full + rest


def _spread(ups: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    """(first switch after this kind, uplinks) of each kind."""
    end = 0
    for number, up in ups:
        end += number
        yield end, up
