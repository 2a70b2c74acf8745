"""A one-line diagram as a picture of text, at most 78 cells wide."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from clusterplan.reporting.numbers import clean

if TYPE_CHECKING:
    from clusterplan.core.results.one_line import Apparatus, Column, OneLine, Tier

_WIDTH, _PICTURE, _EDGE = 78, 13, 2
_SIGNS = {
    "grid": "◉",
    "generator": "◯",
    "storage": "▤",
    "line": "│",
    "breaker": "□",
    "transformer": "◎",
    "feeder": "│",
    "ups": "▣",
    "load": "▽",
}
_MOST_SIGNS = 4
_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=[A-Za-z%])")
_NO_BREAK = "\N{NO-BREAK SPACE}"


def one_line_text(diagram: OneLine) -> str:
    """Sources at the top, loads at the bottom; what repeats is drawn as … and counted."""
    lines: list[str] = []
    for column in diagram.sources.columns:
        lines += _column(column)
    for bus, tier in zip(diagram.buses, diagram.tiers, strict=True):
        lines += _bus(bus)
        lines += _tier(tier)
    lines.append("")
    for note in diagram.notes:
        lines += textwrap.wrap(note, _WIDTH - _EDGE)
    return "\n".join((" " * _EDGE + line).rstrip() for line in lines)


def _tier(tier: Tier) -> list[str]:
    lines = []
    for column in tier.columns:
        if tier.groups > 1:
            alike = f"{tier.groups} groups, each of {column.alike} alike"
        else:
            alike = f"{column.alike} alike" if column.alike > 1 else ""
        if alike and column.redundant:
            alike += f", {column.redundant} redundant"
        if alike:
            lines += _row(_repeated("│", column.alike), alike)
        lines += _column(column, tier.tie)
    return lines


def _column(column: Column, tie: str = "") -> list[str]:
    lines: list[str] = []
    for item in column.items:
        drawn = column.alike if column.alike > 1 else item.each
        if item.symbol == "bus":
            picture = _repeated("━━━", column.alike)
            lines += _row(picture, _words(item, column.alike) + (f"; {tie}" if tie else ""))
        elif item.symbol == "tap":
            lines += _row("├─►", _words(item, 1))
        else:
            lines += _row(_repeated(_SIGNS[item.symbol], drawn), _words(item, column.alike))
    return lines


def _bus(bus: Apparatus) -> list[str]:
    return _row("═" * (_PICTURE - 1), ", ".join((bus.name, *bus.ratings)))


def _repeated(sign: str, count: int) -> str:
    if len(sign) > 1:
        shown = [sign] * min(count, 3)
    else:
        shown = [sign] * min(count, _MOST_SIGNS)
    if count > len(shown):
        shown = [*shown[:-2], sign, "…", sign] if len(sign) == 1 else [sign, "…", sign]
    return " ".join(shown)


def _words(item: Apparatus, alike: int) -> str:
    name = clean(item.name)
    if len(name) == 1:  # numbered: T1 to T5
        name = f"{name}1 to {name}{alike}" if alike > 1 else f"{name}1"
    count = item.count
    if count is not None and count > 1 and item.symbol not in ("tap", "transformer"):
        name = f"{count:,} x {name}"
        if 1 < item.each < count:
            name += f", {item.each} each"
    ratings = ", ".join(clean(text) for text in item.ratings)
    return f"{name}: {ratings}" if ratings else name


def with_units_bound(text: str) -> str:
    """Text in which a line never ends between a figure and its unit."""
    return _BEFORE_UNIT.sub(_NO_BREAK, text)


def _row(picture: str, text: str) -> list[str]:
    room = _WIDTH - _EDGE - _PICTURE
    lines = textwrap.wrap(with_units_bound(text), room, break_on_hyphens=False)
    wrapped = [line.replace(_NO_BREAK, " ") for line in lines] or [""]
    lines = [f"{picture:<{_PICTURE}}{wrapped[0]}"]
    return lines + [f"{'':<{_PICTURE}}{more}" for more in wrapped[1:]]
