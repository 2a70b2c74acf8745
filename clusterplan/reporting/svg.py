"""Small pieces of SVG: escaped text, lines, boxes, a page. No script, nothing from outside."""

from __future__ import annotations

from html import escape

from clusterplan.reporting.numbers import clean

INK = "#222222"
GREY = "#777777"
PALE = "#dddddd"
BLUE = "#1f5fa8"
LIGHT = "#b9d3ee"
ORANGE = "#d9822b"


def text(x: float, y: float, words: str, *, size: int = 12, more: str = "") -> str:
    """Words at a point; `more` are further attributes."""
    shown = escape(clean(words))
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" {more}>{shown}</text>'


def tip(words: str) -> str:
    """What a shape says when it is pointed at; goes inside it."""
    return f"<title>{escape(clean(words))}</title>"


def line(points: list[tuple[float, float]], stroke: str, *, more: str = "") -> str:
    """An open line through some points."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{stroke}" {more}/>'


def area(points: list[tuple[float, float]], fill: str) -> str:
    """A filled shape."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{path}" fill="{fill}"/>'


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """A filled rectangle."""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'
    )


def page(width: float, height: float, title: str, body: list[str]) -> str:
    """A whole drawing on white."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" fill="{INK}">'
    )
    name = tip(title)
    hatch = (
        '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><rect width="6" height="6" fill="#f4f4f4"/>'
        f'<line x1="0" y1="0" x2="0" y2="6" stroke="{PALE}" stroke-width="3"/></pattern></defs>'
    )
    return "\n".join([head, name, hatch, box(0, 0, width, height, "#ffffff"), *body, "</svg>", ""])
