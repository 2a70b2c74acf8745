"""The user's deliveries in `design.yaml`: dates with the racks or accelerators there by then."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from clusterplan.core.units import seen
from clusterplan.inputs.leaf import Leaf, LeafError, Parts, did_you_mean, wrong
from clusterplan.inputs.leaves import Day, Whole

if TYPE_CHECKING:
    import datetime

    from clusterplan.inputs.datum import Datum

COUNTS = ("racks", "accelerators")
_KEYS = ("date", *COUNTS)
_MOST = {"racks": 1_000_000, "accelerators": 100_000_000}
_EXAMPLE = "[{date: 2027-06-30, racks: 100}]"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What is on site from a date on, everything before it counted: racks or accelerators."""

    date: Datum[datetime.date]
    counted: str
    count: Datum[int]


class Deliveries(Leaf):
    """A list of deliveries, cumulative, in the order of their dates."""

    leaves: tuple[tuple[str, Leaf, str], ...] = (
        ("date", Day(), "day from which they are on site"),
        *((name, Whole(1, _MOST[name]), f"{name} on site by then, cumulative") for name in COUNTS),
    )

    def _one(self, raw: Any) -> tuple[Delivery, ...]:
        if not isinstance(raw, list) or not raw:
            raise wrong(f"a list of deliveries is due here, not {seen(raw)}", f"write {_EXAMPLE}")
        parts: Parts = []
        found: list[Delivery] = []
        for place, item in enumerate(raw):
            try:
                found.append(self._delivery(item))
            except LeafError as error:
                parts += [((str(place), *at), text, hint) for at, text, hint in error.parts]
        if not parts:
            parts = list(_disordered(found))
        if parts:
            raise LeafError(parts)
        return tuple(found)

    def _delivery(self, raw: Any) -> Delivery:
        if not isinstance(raw, dict):
            raise wrong(f"date and racks or accelerators are due here, not {seen(raw)}")
        parts: Parts = [
            ((key,), f"unknown key {seen(key)}", did_you_mean(key, _KEYS))
            for key in raw
            if key not in _KEYS
        ]
        read: dict[str, Any] = {}
        for key, leaf, _ in self.leaves:
            if key not in raw:
                continue
            try:
                read[key] = leaf.parse(raw[key])
            except LeafError as error:
                parts += [((key, *at), text, hint) for at, text, hint in error.parts]
        if "date" not in raw:
            parts.append(((), "the key date is missing", None))
        named = [key for key in COUNTS if key in raw]
        if len(named) != 1:
            what = "is missing" if not named else "are given both"
            hint = "one of the two, all that is there by the date"
            parts.append(((), f"racks or accelerators {what}", hint))
        if parts:
            raise LeafError(parts)
        return Delivery(read["date"], named[0], read[named[0]])


def _disordered(found: list[Delivery]) -> Parts:
    """What is wrong between one delivery and the next."""
    parts: Parts = []
    for place, (one, after) in enumerate(pairwise(found), start=1):
        at = str(place)
        if after.date.value <= one.date.value:
            text = f"{after.date.value} is not after {one.date.value}"
            parts.append(((at, "date"), text, "dates rise from one delivery to the next"))
        if after.counted != one.counted:
            text = f"{after.counted} follow {one.counted}"
            parts.append(((at, after.counted), text, "count all deliveries in one of them"))
        elif after.count.value <= one.count.value:
            text = f"{after.count.value:,} is not above {one.count.value:,}"
            hint = "counts are cumulative: all that is there by the date"
            parts.append(((at, after.counted), text, hint))
    return parts
