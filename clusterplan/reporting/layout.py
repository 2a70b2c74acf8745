"""Lines of text that fit a width: wrapped paragraphs, packed figures, tables.

A line is a list of (text, style) pieces. Numbers are never cut; text wraps.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

Piece = tuple[str, str]
Line = list[Piece]

NBSP = "\N{NO-BREAK SPACE}"
_GUTTER = 3


def width_of(text: str) -> int:
    """Terminal cells that a text takes."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text to a width with blanks, on its left where `right` aligned."""
    blanks = " " * (width - width_of(text))
    return blanks + text if right else text + blanks


def wrap(text: str, width: int) -> list[str]:
    """Break a text at blanks (not at no-break spaces); a word longer than the width is folded."""
    if len(text) <= width and text.isascii() and "  " not in text and text == text.strip():
        return [text]
    lines: list[str] = []
    current, used = "", 0
    for word in text.split(" "):
        for chunk in _folded(word, max(width, 1)):
            size = width_of(chunk)
            if current and used + 1 + size <= width:
                current, used = f"{current} {chunk}", used + 1 + size
            else:
                if current:
                    lines.append(current)
                current, used = chunk, size
    lines.append(current)
    return [line.replace(NBSP, " ") for line in lines]


def _folded(word: str, width: int) -> list[str]:
    if width_of(word) <= width:
        return [word]
    chunks, current, used = [], "", 0
    for char in word:
        size = _char_width(char)
        if used + size > width and current:
            chunks.append(current)
            current, used = "", 0
        current, used = current + char, used + size
    return [*chunks, current]


def paragraph(text: str, width: int, *, style: str = "", lead: str = "  ") -> list[Line]:
    """A wrapped text under a lead (`"  ! "`), its further lines indented alike."""
    size = width_of(lead)
    blank = " " * size
    return [
        [(lead if place == 0 else blank, style), (line, style)]
        for place, line in enumerate(wrap(text, width - size))
    ]


@dataclass(frozen=True)
class Pair:
    """One figure to be packed: label, value, unit."""

    label: str
    value: str
    unit: str


def packed(pairs: list[Pair], width: int, indent: str = "  ") -> list[Line]:
    """Figures in as many columns as save lines; a long label wraps under itself."""
    space = width - len(indent)
    best = _packed([pairs], space)
    for count, least_label in ((2, 19), (3, 22)):
        if count > len(pairs):
            break
        lines = _balanced(pairs, count, space, least_label)
        # a column more has to pay, for it takes the eye further
        if lines is not None and (best is None or len(lines) <= 0.85 * len(best)):
            best = lines
    if best is None:
        best = [
            line
            for pair in pairs
            for line in paragraph(f"{pair.label}: {pair.value}{NBSP}{pair.unit}", space, lead="")
        ]
    return [[(indent, ""), *line] for line in best]


def _balanced(pairs: list[Pair], count: int, space: int, least_label: int) -> list[Line] | None:
    """So many columns of about the same height, labels wrapped."""
    weights = [1] * len(pairs)
    best: list[Line] | None = None
    for _ in range(2):
        columns = _split(pairs, weights, count)
        sizes = _sizes(columns, space, least_label)
        if sizes is None:
            return best
        lines = _joined([_column_lines(c, *size) for c, size in zip(columns, sizes, strict=True)])
        if best is None or len(lines) < len(best):
            best = lines
        label = min(size[0] for size in sizes)
        weights = [len(wrap(pair.label, label)) for pair in pairs]
    return best


def _packed(columns: list[list[Pair]], space: int) -> list[Line] | None:
    sizes = _sizes(columns, space, 8)
    if sizes is None:
        return None
    return _joined([_column_lines(c, *size) for c, size in zip(columns, sizes, strict=True)])


def _sizes(
    columns: list[list[Pair]], space: int, least_label: int
) -> list[tuple[int, int, int]] | None:
    """Widths of label, value and unit of each column; None where the labels get too narrow."""
    values = [max(width_of(p.value) for p in column) for column in columns]
    units = [max(width_of(p.unit) for p in column) for column in columns]
    natural = [max(width_of(p.label) for p in column) for column in columns]
    free = space - sum(values) - sum(units) - 3 * len(columns) - _GUTTER * (len(columns) - 1)
    labels = _shared(natural, free, least_label)
    return None if labels is None else list(zip(labels, values, units, strict=True))


def _joined(blocks: list[list[Line]]) -> list[Line]:
    """Columns beside each other; all lines of a block but the last block's are equally wide."""
    lines: list[Line] = []
    sizes = [max(sum(width_of(text) for text, _ in line) for line in block) for block in blocks]
    for place in range(max(len(block) for block in blocks)):
        line: Line = []
        for i, block in enumerate(blocks):
            line += block[place] if place < len(block) else [(" " * sizes[i], "")]
            if i + 1 < len(blocks):
                line.append((" " * _GUTTER, ""))
        lines.append(line)
    return lines


def _split(pairs: list[Pair], weights: list[int], count: int) -> list[list[Pair]]:
    """Cut into columns read downwards; a line that belongs to the one above stays below it."""
    columns: list[list[Pair]] = []
    total, done, start = sum(weights), 0, 0
    for place, weight in enumerate(weights):
        fair = total * (len(columns) + 1) / count
        full = done + weight / 2 > fair and place > start and len(columns) < count - 1
        if full and not pairs[place].label[:1].islower():
            columns.append(pairs[start:place])
            start = place
        done += weight
    return [*columns, pairs[start:]]


def _shared(natural: list[int], free: int, least: int) -> list[int] | None:
    """Widths of label columns: their natural ones where they fit, else the free space shared."""
    if sum(natural) <= free:
        return natural
    widths = list(natural)
    while sum(widths) > free:
        widest = max(range(len(widths)), key=widths.__getitem__)
        widths[widest] -= 1
        if widths[widest] < min(least, natural[widest]):
            return None
    return widths


def _column_lines(pairs: list[Pair], label: int, value: int, unit: int) -> list[Line]:
    lines: list[Line] = []
    for pair in pairs:
        first, *more = wrap(pair.label, label)
        lines.append(
            [
                (pad(first, label) + "  ", ""),
                (pad(pair.value, value, right=True), "bold"),
                (" " + pad(pair.unit, unit), ""),
            ]
        )
        if more:
            size = label + value + unit + 3
            rest = wrap(" ".join(more), label - 2)
            lines += [[(pad(f"  {part}", size), "")] for part in rest]
    return lines


@dataclass(frozen=True)
class Grid:
    """A table of printed cells.

    `fixed[j]` says that column j holds numbers and never wraps, `right[j]` that it stands to the
    right, `marked[i]` that line i is the one to look at.
    """

    headers: list[str]
    lines: list[list[str]]
    fixed: list[bool]
    right: list[bool]
    marked: list[bool]


def grid_lines(grid: Grid, width: int) -> list[Line] | None:
    """The table within a width, or None where its numbers would not fit."""
    widths = _grid_widths(grid, width - 2)
    if widths is None:
        return None
    lines = _grid_line(grid.headers, widths, grid, "dim", "  ", bottom=True)
    for cells, marked in zip(grid.lines, grid.marked, strict=True):
        lines += _grid_line(
            cells, widths, grid, "bold cyan" if marked else "", "> " if marked else "  "
        )
    return lines


def _grid_widths(grid: Grid, space: int) -> list[int] | None:
    columns = list(zip(*grid.lines, strict=True))
    cells = [max(width_of(text) for text in column) for column in columns]
    words = [max(width_of(word) for word in header.split(" ")) for header in grid.headers]
    natural = [max(c, width_of(h)) for c, h in zip(cells, grid.headers, strict=True)]
    free = space - 2 * (len(cells) - 1)
    if sum(natural) <= free:
        return natural
    widths = [max(c, w) for c, w in zip(cells, words, strict=True)]
    least = [
        widths[i] if fixed else max(words[i], min(widths[i], _longest_word(columns[i])))
        for i, fixed in enumerate(grid.fixed)
    ]
    if sum(least) > free:
        return None
    while sum(widths) > free:
        widest = max(range(len(widths)), key=lambda i: (widths[i] > least[i], widths[i]))
        widths[widest] -= 1
    return widths


def _longest_word(column: tuple[str, ...]) -> int:
    """Room that keeps the words of a column whole, up to a limit beyond which they are folded."""
    return min(24, max(width_of(word) for text in column for word in text.split(" ")))


def _grid_line(
    cells: list[str], widths: list[int], grid: Grid, style: str, lead: str, *, bottom: bool = False
) -> list[Line]:
    wrapped = [
        [cell] if fixed and not bottom else wrap(cell, size)
        for cell, size, fixed in zip(cells, widths, grid.fixed, strict=True)
    ]
    height = max(len(parts) for parts in wrapped)
    if bottom:
        wrapped = [[""] * (height - len(parts)) + parts for parts in wrapped]
    lines: list[Line] = []
    for place in range(height):
        texts = [
            pad(parts[place] if place < len(parts) else "", size, right=right)
            for parts, size, right in zip(wrapped, widths, grid.right, strict=True)
        ]
        lines.append([(lead if place == 0 else "  ", style), ("  ".join(texts), style)])
    return lines


def plain_text(lines: list[Line]) -> str:
    """Lines without styles, trailing blanks removed."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)


def coloured_text(lines: list[Line]) -> str:
    """Lines with terminal escape codes, by Rich's styles."""
    from rich.color import ColorSystem
    from rich.style import Style

    styles = {style: Style.parse(style) for line in lines for _, style in line if style}

    def code(text: str, style: str) -> str:
        if not style or not text.strip():
            return text
        return styles[style].render(text, color_system=ColorSystem.STANDARD, legacy_windows=False)

    return "".join("".join(code(t, s) for t, s in _trimmed(line)) + "\n" for line in lines)


def _trimmed(line: Line) -> Line:
    """A line without the blanks at its end."""
    pieces = list(line)
    while pieces:
        text, style = pieces.pop()
        if text.rstrip():
            return [*pieces, (text.rstrip(), style)]
    return []
