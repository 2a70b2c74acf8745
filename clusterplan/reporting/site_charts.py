"""Drawings of a comparison: power by month, cost against date, the table of criteria."""

from __future__ import annotations

import datetime
import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.reporting.heat_map import heat_map
from clusterplan.reporting.svg import (
    BLUE,
    GREY,
    INK,
    LIGHT,
    ORANGE,
    PALE,
    area,
    box,
    line,
    page,
    text,
    tip,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from clusterplan.core.results.compare import CalendarRow, SiteRow
    from clusterplan.core.results.plan import Report

_PANEL_W, _PANEL_H = 420.0, 230.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 62.0, 34.0, 30.0, 34.0
_MOST = 60
# from the worst anchor to the best: readable in grey and by the colour-blind
_WORST, _BEST = (253, 231, 200), (33, 113, 160)


def step_chart_svg(report: Report) -> str:
    """Power by month, a panel a site: supply, and what is energised at P50 and P90."""
    rows: Sequence[CalendarRow] = report.parts["calendar"]
    sites: Sequence[SiteRow] = report.parts["sites"]
    known = [s for s in sites if any(row.site == s.id for row in rows)][:_MOST]
    if not known:
        problem = Problem("no site has a calendar to draw", path="--chart")
        raise InputError(problem)
    columns = min(2, len(known))
    height = 60.0 + math.ceil(len(known) / columns) * _PANEL_H
    body = [_legend()]
    for place, site in enumerate(known):
        x = (place % columns) * _PANEL_W
        y = 46.0 + (place // columns) * _PANEL_H
        body += _panel(x, y, site, [row for row in rows if row.site == site.id])
    return page(max(2, columns) * _PANEL_W, height, "Power by month", body)


def _legend() -> str:
    x, parts = 16.0, []
    for colour, dash, words in (
        (LIGHT, "", "firm supply"),
        (PALE, "", "non-firm"),
        (ORANGE, "5 4", "announced"),
        (BLUE, "", "energised, P50"),
        (GREY, "", "energised, P90"),
    ):
        more = f'stroke-width="{6 if colour in (LIGHT, PALE) else 2.2}" stroke-dasharray="{dash}"'
        parts.append(line([(x, 20.0), (x + 26.0, 20.0)], colour, more=more))
        parts.append(text(x + 32.0, 24.0, words))
        x += 52.0 + 7.2 * len(words)
    return "\n".join(parts)


def _panel(x: float, y: float, site: SiteRow, rows: list[CalendarRow]) -> list[str]:
    wide, high = _PANEL_W - _LEFT - _RIGHT, _PANEL_H - _TOP - _BOTTOM
    top = max(row.supply_firm_mw + row.supply_nonfirm_mw + row.announced_mw for row in rows)
    top = _round_up(max(top, max(row.energised_mw for row in rows), 1e-9))
    last = max(1, rows[-1].month)

    def at(month: float, mw: float) -> tuple[float, float]:
        return x + _LEFT + wide * month / last, y + _TOP + high * (1.0 - mw / top)

    def steps(values: list[float]) -> list[tuple[float, float]]:
        points: list[tuple[float, float]] = []
        for row, before, value in zip(rows, [values[0], *values], values, strict=False):
            points += [at(row.month, before), at(row.month, value)]
        return points

    firm = [row.supply_firm_mw for row in rows]
    both = [row.supply_firm_mw + row.supply_nonfirm_mw for row in rows]
    every = [a + row.announced_mw for a, row in zip(both, rows, strict=True)]
    ground = [at(last, 0.0), at(0, 0.0)]
    parts = [
        text(x + _LEFT, y + 16, f"{site.rank}. {site.name}", size=13, more='font-weight="bold"')
    ]
    parts += [area(steps(both) + ground, PALE), area(steps(firm) + ground, LIGHT)]
    if any(row.announced_mw > 0 for row in rows):
        parts.append(line(steps(every), ORANGE, more='stroke-width="2" stroke-dasharray="5 4"'))
    parts.append(line(steps([r.energised_p90_mw for r in rows]), GREY, more='stroke-width="1.5"'))
    parts.append(line(steps([r.energised_mw for r in rows]), BLUE, more='stroke-width="2.4"'))
    parts += _axes(at, rows, top)
    return parts


def _axes(
    place: Callable[[float, float], tuple[float, float]], rows: list[CalendarRow], top: float
) -> list[str]:
    last = max(1, rows[-1].month)
    parts = []
    for share in (0.0, 0.5, 1.0):
        left, y = place(0, top * share)
        right, _ = place(last, 0)
        parts.append(line([(left, y), (right, y)], PALE if share else INK))
        label = f"{top * share:,.4g}" + (" MW" if share == 1.0 else "")
        parts.append(text(left - 6, y + 4, label, size=11, more='text-anchor="end"'))
    for row in rows[:: max(1, 12 * math.ceil(last / 120))]:
        x, y = place(row.month, 0)
        parts.append(line([(x, y), (x, y + 4)], INK))
        parts.append(text(x, y + 17, _month_of(row.day), size=10, more='text-anchor="middle"'))
    return parts


def _month_of(day: str) -> str:
    """The month that begins nearest to a day: 24 months of 30.4375 days end on a 30th or 31st."""
    at = datetime.date.fromisoformat(day)
    return f"{at + datetime.timedelta(days=15):%Y-%m}"


def _round_up(value: float) -> float:
    """The next round number, for the end of an axis."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(
        step * power for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * power >= value
    )


def _span(values: list[float], step: float) -> tuple[float, float]:
    """The multiples of a step around some values, never the same one twice."""
    low = step * math.floor(min(values) / step)
    return low, step * math.ceil(max(values) / step + 0.01)


def _step(values: list[float]) -> float:
    """A round step that some values span a few times, 10 at most."""
    wide = max(values) - min(values)
    return next((step for step in (2.0, 4.0) if wide <= 2.0 * step), 10.0)


class Option(NamedTuple):
    """One site as a point: cost, months to it at P50 and P90."""

    site: str
    cost: float
    p50: float
    p90: float | None


def dominated(options: Sequence[Option]) -> set[str]:
    """Sites to which another is no worse in cost and date, and better in one."""
    return {
        one.site
        for one in options
        for other in options
        if other.cost <= one.cost
        and other.p50 <= one.p50
        and (other.cost < one.cost or other.p50 < one.p50)
    }


class Goal(NamedTuple):
    """The power whose date is drawn, and the sites that have a date for it."""

    words: str
    note: str
    options: list[Option]
    without: list[str]


_WIDE, _HIGH = 760.0, 460.0
_PARETO_LEFT, _PARETO_TOP, _PARETO_RIGHT, _PARETO_BOTTOM = 70.0, 80.0, 150.0, 62.0


def pareto_svg(report: Report) -> str:
    """Capital cost of an IT kW against the date of the target, with bars to P90.

    Where no site reaches the target within the horizon the first phase takes its place.
    """
    goal = _goal(report)
    if not goal.options:
        problem = Problem("no site has both a cost and a date to draw", path="--pareto")
        raise InputError(problem)
    months = [o.p50 for o in goal.options] + [o.p90 for o in goal.options if o.p90 is not None]
    low_x, high_x = _span(months, 12.0)
    costs = [option.cost for option in goal.options]
    low_y, high_y = _span(costs, _step(costs))

    def at(month: float, cost: float) -> tuple[float, float]:
        wide = _WIDE - _PARETO_LEFT - _PARETO_RIGHT
        high = _HIGH - _PARETO_TOP - _PARETO_BOTTOM
        x = _PARETO_LEFT + wide * (month - low_x) / (high_x - low_x)
        return x, _HIGH - _PARETO_BOTTOM - high * (cost - low_y) / (high_y - low_y)

    body = _pareto_words(goal)
    for month in range(int(low_x), int(high_x) + 1, 12):
        x, y = at(month, low_y)
        body.append(line([(x, _PARETO_TOP), (x, y)], PALE))
        body.append(text(x, y + 18, f"{month}", size=11, more='text-anchor="middle"'))
    for share in range(5):
        cost = low_y + (high_y - low_y) * share / 4
        x, y = at(low_x, cost)
        body.append(line([(x, y), (_WIDE - _PARETO_RIGHT, y)], PALE))
        body.append(text(x - 8, y + 4, f"{cost:.4g}", size=11, more='text-anchor="end"'))
    body += _pareto_points(goal.options, at, high_x)
    return page(_WIDE, _HIGH, "Cost against date", body)


def _pareto_words(goal: Goal) -> list[str]:
    bottom = _HIGH - 16
    axis = f"months from the start to {goal.words}{goal.note}"
    flags = (
        "1,000 USD per IT kW, unit costs mostly not verified; hollow: dominated;"
        " point P50, bar to P90, broken where never"
    )
    words = [
        text(_PARETO_LEFT, 26, f"Capital cost against the date of {goal.words}", size=15),
        text(_PARETO_LEFT, 44, flags, size=11),
        text(_PARETO_LEFT, bottom, axis),
    ]
    if goal.without:
        shown = ", ".join(goal.without[:6]) + (" ..." if len(goal.without) > 6 else "")
        words.append(text(_PARETO_LEFT, 59, f"without date or cost: {shown}", size=11))
    return words


def _pareto_points(
    options: list[Option], at: Callable[[float, float], tuple[float, float]], last: float
) -> list[str]:
    behind = dominated(options)
    body: list[str] = []
    for option in options:
        x, y = at(option.p50, option.cost)
        end = at(last if option.p90 is None else option.p90, option.cost)
        dash = ' stroke-dasharray="4 4"' if option.p90 is None else ""
        body.append(line([(x, y), end], GREY, more=f'stroke-width="3"{dash}'))
    for option in options:
        x, y = at(option.p50, option.cost)
        fill = "#ffffff" if option.site in behind else BLUE
        circle = f'cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{fill}" stroke="{BLUE}"'
        body.append(f"<circle {circle}>{tip(option.site)}</circle>")
    return body + _pareto_labels(options, behind, at)


def _pareto_labels(
    options: list[Option],
    behind: Container[str],
    at: Callable[[float, float], tuple[float, float]],
) -> list[str]:
    """Names above or below their points, the sites that none dominates first.

    One that would lie on another name or point is left out; the point tells it when pointed at.
    """
    points = [at(option.p50, option.cost) for option in options]
    body: list[str] = []
    taken: list[tuple[float, float]] = []
    # the dearest first: of two that lie close, the upper one has its label above, the lower below
    for option in sorted(options, key=lambda found: (found.site in behind, -found.cost)):
        x, y = at(option.p50, option.cost)
        others = taken + [(a - 9.0, b + 4.0) for a, b in points if (a, b) != (x, y)]
        for label in (y - 7, y + 16):
            if not any(-15.0 < a - x < 90.0 and abs(label - b) < 12.0 for a, b in others):
                taken.append((x, label))
                body.append(text(x + 9, label, option.site, size=12))
                break
    return body


def _goal(report: Report) -> Goal:
    section = report.parts["comparison"]
    sites: Sequence[SiteRow] = report.parts["sites"]
    in_time = any(
        site.target_months_p50 is not None and site.target_months_p50 <= section.horizon_months
        for site in sites
    )
    name = "target" if in_time else "first_phase"
    mw = section.target_mw if in_time else section.first_phase_mw
    words = f"the {'target' if in_time else 'first phase'} of {mw:,.4g} MW"
    note = f" (none has the target of {section.target_mw:,.4g} MW by {section.horizon})"
    options = []
    for site in sites:
        p50 = getattr(site, f"{name}_months_p50")
        if site.capex_usd_per_it_kw is not None and p50 is not None:
            p90 = getattr(site, f"{name}_months_p90")
            options.append(Option(site.id, site.capex_usd_per_it_kw / 1000.0, p50, p90))
    drawn = {option.site for option in options}
    return Goal(
        words, "" if in_time else note, options, [site.id for site in sites if site.id not in drawn]
    )


def heat_map_svg(report: Report) -> str:
    """Sites in rows, gates and criteria in columns; colour from the fixed anchors."""
    found = heat_map(report)
    sites = found.sites[:_MOST]
    name, cell, gate, row_high, head = 170.0, 92.0, 22.0, 34.0, 120.0
    gates = name + gate * len(found.gate_names) + 12.0
    wide = gates + cell * len(found.criteria) + 16.0
    high = head + row_high * len(sites) + 44.0
    body = [text(12, 24, "Criteria on fixed anchors; gates first", size=15)]
    for place, label in enumerate(found.gate_names):
        x = name + gate * place + 15.0
        more = f'transform="rotate(-60 {x:.1f} {head - 8:.1f})"'
        body.append(text(x, head - 8, label.replace("_", " "), size=11, more=more))
    for place, criterion in enumerate(found.criteria):
        x = gates + cell * place + cell / 2
        middle = 'text-anchor="middle"'
        body.append(text(x, head - 38, criterion.replace("_", " "), size=12, more=middle))
        body.append(text(x, head - 23, found.units[criterion], size=10, more=middle))
        weight = f"weight {found.weights[criterion]:.2f}"
        body.append(text(x, head - 9, weight, size=10, more=middle))
    for line_no, site in enumerate(sites):
        y = head + row_high * line_no
        body.append(text(12, y + 21, f"{site.rank}. {site.id}", size=12))
        for place, label in enumerate(found.gate_names):
            body += _gate(name + gate * place, y, found.gates[site.id, label])
        for place, criterion in enumerate(found.criteria):
            shown = found.cells[site.id, criterion]
            x = gates + cell * place
            fill = "url(#hatch)" if shown.value is None else _colour(shown.value)
            body.append(box(x + 1, y + 1, cell - 2, row_high - 2, fill))
            ink = "#ffffff" if (shown.value or 0.0) > 0.6 else INK
            mark = "°" if shown.screened else ""
            more = f'text-anchor="middle" style="fill:{ink}"'
            body.append(text(x + cell / 2, y + 21, shown.text + mark, size=12, more=more))
    key = "hatched: unknown, counted 0;  ° regional default;  + pass  x fail  ? unknown"
    body.append(text(12, high - 16, key, size=11))
    return page(wide, high, "Criteria of the sites", body)


def _gate(x: float, y: float, verdict: str) -> list[str]:
    fill, mark = {"pass": ("#cfe6d4", "+"), "fail": ("#e9a48f", "x")}.get(
        verdict, ("url(#hatch)", "?")
    )
    return [
        box(x + 1, y + 1, 20, 32, fill),
        text(x + 11, y + 21, mark, size=12, more='text-anchor="middle"'),
    ]


def _colour(value: float) -> str:
    parts = (round(a + (b - a) * value) for a, b in zip(_WORST, _BEST, strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)
