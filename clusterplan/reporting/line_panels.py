"""Line charts below each other over one horizontal axis, as an SVG picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

_WIDTH, _PANEL, _GAP = 720, 120, 34
_LEFT, _RIGHT, _TOP, _BOTTOM = 86, 24, 84, 52
_COLOURS = ("#1f5fa8", "#c2571a", "#2c7a3f")
_INK, _FAINT = "#222", "#d5d8dc"
_TICKS = 4


@dataclass(frozen=True)
class Series:
    """One line; a value of None is a gap."""

    label: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Panel:
    """Lines on one vertical axis."""

    title: str
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Chart:
    """Panels over the same x values; `bands` names a stretch of x above the panels."""

    title: str
    x_label: str
    x: tuple[float, ...]
    panels: tuple[Panel, ...]
    bands: tuple[tuple[float, float, str], ...] = ()
    mark: tuple[float, str] | None = None


def line_panels(chart: Chart) -> str:
    """The picture as SVG text."""
    height = _TOP + len(chart.panels) * (_PANEL + _GAP) - _GAP + _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="11" fill="{_INK}">',
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="15" font-weight="bold">{escape(chart.title)}</text>',
    ]
    parts += _bands(chart, height)
    for place, panel in enumerate(chart.panels):
        parts += _panel(chart, panel, _TOP + place * (_PANEL + _GAP))
    parts += _x_axis(chart, height)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _x_of(chart: Chart, value: float) -> float:
    low, high = min(chart.x), max(chart.x)
    share = (value - low) / (high - low) if high > low else 0.5
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _bands(chart: Chart, height: int) -> list[str]:
    parts = []
    for place, (start, end, name) in enumerate(chart.bands):
        left, right = _x_of(chart, start), _x_of(chart, end)
        shade = "#f3f6fa" if place % 2 == 0 else "#fbf6f1"
        parts.append(
            f'<rect x="{left:.1f}" y="{_TOP - 24}" width="{right - left:.1f}" '
            f'height="{height - _TOP - _BOTTOM + 24}" fill="{shade}"/>'
        )
        # a stretch too short for its name is named in two lines or not at all
        words = name.split("-")
        lines = [name] if right - left > 6.2 * len(name) else ["-".join(words[:-1]), words[-1]]
        if right - left > 5.8 * max(len(line) for line in lines):
            for row, line in enumerate(reversed(lines)):
                parts.append(
                    f'<text x="{(left + right) / 2:.1f}" y="{_TOP - 30 - 12 * row}" '
                    f'text-anchor="middle">{escape(line)}</text>'
                )
    return parts


def _panel(chart: Chart, panel: Panel, top: int) -> list[str]:
    found = [v for series in panel.series for v in series.values if v is not None]
    ticks = _ticks(min(found), max(found)) if found else [0.0, 1.0]
    low, high = ticks[0], ticks[-1]

    def y_of(value: float) -> float:
        return top + _PANEL - (value - low) / (high - low) * _PANEL

    parts = [f'<text x="{_LEFT}" y="{top - 8}" font-weight="bold">{escape(panel.title)}</text>']
    for tick in ticks:
        y = y_of(tick)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{_FAINT}"/><text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
            f"{_number(tick, ticks[1] - ticks[0])}</text>"
        )
    for place, series in enumerate(panel.series):
        parts += _line(chart, series, y_of, _COLOURS[place % len(_COLOURS)])
        if len(panel.series) > 1:
            right = _WIDTH - _RIGHT - 60 * (len(panel.series) - 1 - place)
            parts.append(
                f'<text x="{right}" y="{top - 8}" text-anchor="end" '
                f'fill="{_COLOURS[place % len(_COLOURS)]}">{escape(series.label)}</text>'
            )
    if chart.mark is not None and min(chart.x) <= chart.mark[0] <= max(chart.x):
        x = _x_of(chart, chart.mark[0])
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{top + _PANEL}" stroke="{_INK}" '
            'stroke-dasharray="3 3"/>'
        )
    return parts


def _line(chart: Chart, series: Series, y_of: object, colour: str) -> list[str]:
    assert callable(y_of)
    parts: list[str] = []
    run: list[str] = []
    for x, value in zip(chart.x, series.values, strict=True):
        if value is None:
            parts += _stroke(run, colour)
            run = []
            continue
        point = f"{_x_of(chart, x):.1f},{y_of(value):.1f}"
        run.append(point)
        cx, cy = point.split(",")
        parts.append(f'<circle cx="{cx}" cy="{cy}" r="2.6" fill="{colour}"/>')
    return parts + _stroke(run, colour)


def _stroke(points: list[str], colour: str) -> list[str]:
    if len(points) < 2:
        return []
    line = " ".join(points)
    return [f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.8"/>']


def _x_axis(chart: Chart, height: int) -> list[str]:
    bottom = height - _BOTTOM
    parts = []
    for value in _ticks(min(chart.x), max(chart.x), 6):
        if not min(chart.x) <= value <= max(chart.x):
            continue
        x = _x_of(chart, value)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 4}" stroke="{_INK}"/>'
            f'<text x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{value:g}</text>'
        )
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    words = chart.x_label if chart.mark is None else f"{chart.x_label}; dashed: {chart.mark[1]}"
    parts.append(
        f'<text x="{middle}" y="{bottom + 36}" text-anchor="middle">{escape(words)}</text>'
    )
    return parts


def _ticks(low: float, high: float, count: int = _TICKS) -> list[float]:
    """Round numbers that hold the range."""
    span = high - low
    if span <= 1e-12 * max(abs(low), abs(high), 1e-9):
        span = abs(high) or 1.0
        low, high = (0.0, high) if high > 0.0 else (low, low + span)
        span = high - low
    raw = span / count
    scale = 10.0 ** math.floor(math.log10(raw))
    step = next(scale * m for m in (1.0, 2.0, 2.5, 5.0, 10.0) if scale * m >= raw * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [step * place for place in range(first, max(last, first + 1) + 1)]


def _number(value: float, step: float) -> str:
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step < 1 else 0
    if step < 1 and round(step, decimals) != round(step, decimals + 1):
        decimals += 1
    return f"{value:,.{decimals}f}"
