"""The one-line diagram of a site: apparatus in columns between buses, repeated columns counted.

Drawings (text, SVG) and the list of equipment are made from this alone. A chain of apparatus is
any sequence of `Apparatus`, so a discipline that knows more of its part only adds items.
"""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

SYMBOLS = (
    *("grid", "generator", "storage", "line", "breaker", "transformer", "bus", "feeder", "ups"),
    *("load", "tap"),
)


@frozen
class Apparatus:
    """Equal pieces of apparatus drawn as one: `each` of them in a column, `count` on the site.

    symbol: one of `SYMBOLS`; a tap is a load or source beside the chain, not in it. ratings: short
    texts, the most telling first. count: None where the plan does not count them.
    """

    symbol: str
    name: str
    ratings: tuple[str, ...] = ()
    count: int | None = 1
    each: int = 1


@frozen
class Column:
    """A chain of apparatus, top to bottom, that stands `alike` times beside itself.

    name: what one is called (T), numbered from 1 where there are several.
    """

    name: str
    items: tuple[Apparatus, ...]
    alike: int = 1
    redundant: int = 0


@frozen
class Tier:
    """Columns side by side, and the bus above or below them that joins them all.

    groups: the columns are those of one group, and there are so many groups. tie: how the section
    buses of its columns are joined; empty where they are not.
    """

    columns: tuple[Column, ...]
    groups: int = 1
    tie: str = ""


@frozen
class OneLine:
    """Sources, then tiers, with a bus between each two."""

    title: str
    notes: tuple[str, ...]
    sources: Tier
    buses: tuple[Apparatus, ...]
    tiers: tuple[Tier, ...]


@frozen
class Equipment:
    """One line of the list of equipment, from the source inwards."""

    place: str
    kind: str
    name: str
    count: int | None = figure("Count, whole site", formula="given", optional=True)
    redundant: int | None = figure("of them redundant", formula="given", optional=True)
    rating: str


def equipment_of(diagram: OneLine) -> tuple[Equipment, ...]:
    """The diagram as a list, every count that of the whole site."""
    rows: list[Equipment] = []
    rows += _of_tier("supply", diagram.sources)
    for place, (bus, tier) in enumerate(zip(diagram.buses, diagram.tiers, strict=True)):
        rows.append(_row("bus", bus, None))
        rows += _of_tier("bulk" if place + 1 < len(diagram.tiers) else "bay", tier)
    return tuple(rows)


def _of_tier(place: str, tier: Tier) -> list[Equipment]:
    rows = []
    for column in tier.columns:
        for item in column.items:
            redundant = None
            if column.redundant and item.symbol == "transformer" and item.name == column.name:
                redundant = column.redundant * tier.groups
            rows.append(_row(place, item, redundant))
    return rows


def _row(place: str, item: Apparatus, redundant: int | None) -> Equipment:
    return Equipment(
        place=place,
        kind=item.symbol,
        name=item.name,
        count=item.count,
        redundant=redundant,
        rating=", ".join(item.ratings),
    )
