"""A one-line diagram as SVG: one file, no scripts, black on white, readable when printed.

The first column of a tier carries the ratings; columns alike stand beside it as symbols only, and
above four the middle ones are a gap with their count. Labels are wrapped to the width that a
fixed-pitch letter has, so that nothing overlaps whatever the size of the site.
"""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.reporting.numbers import clean
from clusterplan.reporting.one_line_text import with_units_bound

if TYPE_CHECKING:
    from clusterplan.core.results.one_line import Apparatus, Column, OneLine, Tier

_FONT = 12.0
_LETTER = 0.605 * _FONT  # advance of the fixed-pitch fonts named below, the widest of them
_LINE = 15.0
_TEXT_LETTERS = 24
_MARK = 34.0  # room for a symbol left of its text
_WIDE = _MARK + _TEXT_LETTERS * _LETTER + 20.0
_NARROW = 58.0
_MARGIN = 24.0
_STEP = 40.0  # least height of one piece of apparatus
_DRAWN = 4
_IN_A_GAP = ("transformer", "bus", "load")
_FAMILY = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace"
_PAINT = f"""
.w{{stroke:#222;stroke-width:1.6;fill:none}}
.b{{stroke:#222;stroke-width:4;fill:none}}
.f{{stroke:#222;stroke-width:1.6;fill:#fff}}
.d{{stroke:#777;stroke-width:1.2;fill:none;stroke-dasharray:5 4}}
text{{font-family:{_FAMILY};font-size:{_FONT:g}px;fill:#111}}
.h{{font-size:16px;font-weight:bold}}
.s{{fill:#444}}
.g{{font-size:11px}}
"""


class _Slot(NamedTuple):
    """Where a drawn column stands: its wire's x, its number (0 for a gap), whether with text."""

    x: float
    number: int
    text: bool


class _Pen:
    """Collects SVG elements."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.right = 0.0

    def line(self, ends: tuple[float, float, float, float], kind: str = "w") -> None:
        """A straight line x1, y1, x2, y2."""
        x1, y1, x2, y2 = ends
        self.parts.append(
            f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
        )

    def shape(self, text: str) -> None:
        """Any other element."""
        self.parts.append(text)

    def words(self, x: float, y: float, text: str, kind: str = "") -> None:
        """One line of text that starts at x, its base line at y."""
        name = f' class="{kind}"' if kind else ""
        shown = html.escape(clean(text), quote=False)
        self.parts.append(f'<text{name} x="{x:.1f}" y="{y:.1f}">{shown}</text>')
        size = 16.0 / _FONT if kind == "h" else 1.0
        self.right = max(self.right, x + len(text) * _LETTER * size)


def one_line_svg(diagram: OneLine) -> str:
    """The diagram as a whole SVG document."""
    pen = _Pen()
    slots = [_slots(tier) for tier in diagram.tiers]
    sources = [
        _Slot(_MARGIN + 16.0 + place * _WIDE, 1, text=True)
        for place in range(len(diagram.sources.columns))
    ]
    right = max(
        [slot.x + (_WIDE - 16.0 if slot.text else _NARROW) for row in slots for slot in row]
        + [slot.x + _WIDE - 16.0 for slot in sources]
    )
    y = _MARGIN + 12.0
    for line in textwrap.wrap(diagram.title, 60):
        pen.words(_MARGIN, y, line, "h")
        y += 22.0
    y = _draw_sources(pen, diagram.sources.columns, sources, y + 6.0)
    for bus, tier, row in zip(diagram.buses, diagram.tiers, slots, strict=True):
        y = _draw_bus(pen, bus, row, y, right)
        y = _draw_tier(pen, tier, row, y)
    y += 10.0
    for note in diagram.notes:
        for line in textwrap.wrap(note, 60):
            pen.words(_MARGIN, y + 12.0, line, "s")
            y += _LINE
    return _document(pen, diagram.title, max(right, pen.right) + _MARGIN, y + _MARGIN)


def _document(pen: _Pen, title: str, width: float, height: float) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>',
            f"<title>{html.escape(clean(title), quote=False)}</title>",
            f"<style>{_PAINT}</style>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
            *pen.parts,
            "</svg>\n",
        )
    )


def _slots(tier: Tier) -> list[_Slot]:
    """Where the columns of a tier stand; of more than `_DRAWN` alike the middle is a gap."""
    slots: list[_Slot] = []
    x = _MARGIN + 16.0
    for column in tier.columns:
        numbers = list(range(1, column.alike + 1))
        if column.alike > _DRAWN:
            numbers = [1, 2, 0, column.alike]
        for place, number in enumerate(numbers):
            slots.append(_Slot(x, number, text=place == 0))
            x += _WIDE if place == 0 else _NARROW
    return slots


def _draw_sources(pen: _Pen, columns: tuple[Column, ...], slots: list[_Slot], top: float) -> float:
    """Chains that end at one height, on the bus below; returns that height."""
    heights = [sum(_height(item) for item in column.items) for column in columns]
    bottom = top + max(heights, default=0.0) + 12.0
    for column, slot, height in zip(columns, slots, heights, strict=True):
        y = bottom - 12.0 - height
        first = True
        for item in column.items:
            _draw_item(pen, item, slot, y, start=first)
            y += _height(item)
            first = False
        pen.line((slot.x, y, slot.x, bottom))
    return bottom


def _draw_bus(pen: _Pen, bus: Apparatus, slots: list[_Slot], y: float, right: float) -> float:
    """The bus and the wires to the columns below; its text stays left of the second wire."""
    pen.line((_MARGIN, y, right - 8.0, y), "b")
    lines = _wrapped((bus.name, *bus.ratings), _TEXT_LETTERS)
    for place, line in enumerate(lines):
        pen.words(_MARGIN + 16.0 + _MARK, y + 18.0 + place * _LINE, line)
    below = y + 12.0 + _LINE * len(lines)
    for slot in slots:
        if slot.number:
            pen.line((slot.x, y, slot.x, below))
    return below


def _draw_tier(pen: _Pen, tier: Tier, slots: list[_Slot], top: float) -> float:
    """All columns of a tier below its bus; returns the height below them."""
    y_end = top
    place = 0
    for column in tier.columns:
        drawn = min(column.alike, _DRAWN)
        own = slots[place : place + drawn]
        place += drawn
        for slot in own:
            y_end = max(y_end, _draw_column(pen, column, slot, top))
        if tier.tie and len(own) > 1:
            _draw_tie(pen, column, own, top)
    words = _alike_words(tier)
    for line in textwrap.wrap(words, 60):
        y_end += _LINE
        pen.words(_MARGIN, y_end + 6.0, line)
    return y_end + (10.0 if words else 0.0)


def _draw_column(pen: _Pen, column: Column, slot: _Slot, top: float) -> float:
    y = top
    for item in column.items:
        if slot.number:
            _draw_item(pen, item, slot, y, name=_name(column, item, slot))
        elif item.symbol in _IN_A_GAP:
            pen.words(slot.x - 1.5 * _LETTER, y + 18.0, "...")
        y += _height(item)
    return y


def _draw_tie(pen: _Pen, column: Column, slots: list[_Slot], top: float) -> None:
    y = top
    for item in column.items:
        y += _height(item)
        if item.symbol == "bus":  # below the text of the section, above that of the next
            pen.line((slots[0].x, y - 3.0, slots[-1].x, y - 3.0), "d")
            return


def _alike_words(tier: Tier) -> str:
    parts = []
    for column in tier.columns:
        if column.alike > 1:
            words = f"{column.name}1 to {column.name}{column.alike} alike"
            if column.redundant:
                words += f", {column.redundant} redundant"
            if tier.groups > 1:
                words += f"; {tier.groups} such groups on the HV bus"
            parts.append(words)
        elif tier.groups > 1:
            parts.append(f"{tier.groups} such groups on the HV bus")
    if tier.tie and parts:
        parts.append(f"Dashed: {tier.tie}")
    return ". ".join(parts) + ("." if parts else "")


def _name(column: Column, item: Apparatus, slot: _Slot) -> str:
    if item.symbol == "transformer" and item.name == column.name:
        return f"{column.name}{slot.number}"
    return item.name


def _label(item: Apparatus, name: str) -> list[str]:
    if item.each > 1 and item.symbol != "tap":
        name = f"{item.each:,} x {name}"
    return _wrapped((name,), _TEXT_LETTERS) + _wrapped(item.ratings, _TEXT_LETTERS)


def _wrapped(texts: tuple[str, ...], letters: int) -> list[str]:
    """Lines of so many letters at most; a figure stays with its unit."""
    joined = with_units_bound(", ".join(clean(text) for text in texts))
    return textwrap.wrap(joined, letters, break_on_hyphens=False)


def _height(item: Apparatus) -> float:
    return max(_STEP, _LINE * len(_label(item, item.name)) + 14.0)


def _draw_item(
    pen: _Pen, item: Apparatus, slot: _Slot, y: float, *, name: str = "", start: bool = False
) -> None:
    """One symbol on its wire at the top of its room, its text beside it."""
    x, height = slot.x, _height(item)
    middle = y + 14.0
    last = item.symbol == "load"
    pen.line((x, middle if start else y, x, middle if last else y + height))
    _SYMBOLS[item.symbol](pen, x, middle)
    if slot.text:
        for place, line in enumerate(_label(item, name or item.name)):
            pen.words(x + _MARK, y + 14.0 + place * _LINE + 4.0, line)
    elif item.symbol == "transformer" and name[-1:].isdigit():
        pen.words(x + 15.0, middle + 4.0, name)


def _circle(pen: _Pen, x: float, y: float, letter: str) -> None:
    pen.shape(f'<circle class="f" cx="{x:.1f}" cy="{y:.1f}" r="12"/>')
    pen.words(x - _LETTER / 2.0, y + 4.0, letter, "g")


def _grid(pen: _Pen, x: float, y: float) -> None:
    _box(pen, x, y, 11.0)
    pen.line((x - 11.0, y - 11.0, x + 11.0, y + 11.0))
    pen.line((x - 11.0, y + 11.0, x + 11.0, y - 11.0))


def _generator(pen: _Pen, x: float, y: float) -> None:
    _circle(pen, x, y, "G")


def _box(pen: _Pen, x: float, y: float, half: float) -> None:
    side, left, top = 2.0 * half, x - half, y - half
    pen.shape(f'<rect class="f" x="{left:.1f}" y="{top:.1f}" width="{side:g}" height="{side:g}"/>')


def _storage(pen: _Pen, x: float, y: float) -> None:
    _box(pen, x, y, 11.0)
    pen.line((x - 7.0, y - 3.0, x + 7.0, y - 3.0), "b")
    pen.line((x - 4.0, y + 4.0, x + 4.0, y + 4.0))


def _breaker(pen: _Pen, x: float, y: float) -> None:
    _box(pen, x, y, 6.0)


def _transformer(pen: _Pen, x: float, y: float) -> None:
    for centre in (y - 6.0, y + 6.0):
        pen.shape(f'<circle cx="{x:.1f}" cy="{centre:.1f}" r="9" fill="#fff"/>')
    for centre in (y - 6.0, y + 6.0):
        pen.shape(f'<circle class="w" cx="{x:.1f}" cy="{centre:.1f}" r="9"/>')


def _section_bus(pen: _Pen, x: float, y: float) -> None:
    pen.line((x - 16.0, y - 2.0, x + 22.0, y - 2.0), "b")


def _feeder(pen: _Pen, x: float, y: float) -> None:
    pen.line((x - 5.0, y - 4.0, x, y + 5.0))
    pen.line((x + 5.0, y - 4.0, x, y + 5.0))


def _circuit(pen: _Pen, x: float, y: float) -> None:
    pen.line((x - 6.0, y + 4.0, x + 6.0, y - 4.0))


def _ups(pen: _Pen, x: float, y: float) -> None:
    _box(pen, x, y, 11.0)
    pen.line((x - 11.0, y + 11.0, x + 11.0, y - 11.0))
    pen.words(x - 9.0, y - 1.0, "~", "g")
    pen.words(x + 1.5, y + 9.0, "=", "g")


def _load(pen: _Pen, x: float, y: float) -> None:
    points = f"{x - 9.0:.1f},{y - 7.0:.1f} {x + 9.0:.1f},{y - 7.0:.1f} {x:.1f},{y + 9.0:.1f}"
    pen.shape(f'<polygon class="f" points="{points}"/>')


def _tap(pen: _Pen, x: float, y: float) -> None:
    pen.line((x, y, x + 22.0, y))
    points = f"{x + 22.0:.1f},{y - 5.0:.1f} {x + 22.0:.1f},{y + 5.0:.1f} {x + 30.0:.1f},{y:.1f}"
    pen.shape(f'<polygon class="f" points="{points}"/>')


_SYMBOLS = {
    "grid": _grid,
    "generator": _generator,
    "storage": _storage,
    "line": _circuit,
    "breaker": _breaker,
    "transformer": _transformer,
    "bus": _section_bus,
    "feeder": _feeder,
    "ups": _ups,
    "load": _load,
    "tap": _tap,
}
