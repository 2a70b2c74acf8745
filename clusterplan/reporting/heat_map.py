"""The table of criteria and gates as a small picture of text, at most 80 cells wide."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.reporting.layout import pad, width_of
from clusterplan.reporting.numbers import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.compare import CriterionRow, DatumRow, GateRow, SiteRow
    from clusterplan.core.results.plan import Report

_SHADES = " ░▒▓█"
_HATCH = "╱"
_NAME = 15
_CELL = 9
_PER_BAND = 6
_MOST = 60  # sites that are drawn
_MARK = {"pass": "+", "fail": "X", "unknown": "?"}
_SHORT = {
    "firm_mw": "firm",
    "expansion": "grow",
    "control": "land",
    "ownership": "owner",
    "local_rule": "local",
}


class Cell(NamedTuple):
    """One cell: its text, value in 0..1 (None unknown), and whether a region's row filled it."""

    text: str
    value: float | None
    screened: bool = False


class HeatMap(NamedTuple):
    """Sites in rows, criteria in columns; gates beside them."""

    sites: tuple[SiteRow, ...]
    criteria: tuple[str, ...]
    units: dict[str, str]
    weights: dict[str, float]
    cells: dict[tuple[str, str], Cell]
    gates: dict[tuple[str, str], str]
    gate_names: tuple[str, ...]


def heat_map(report: Report) -> HeatMap:
    """The cells of a comparison, from its tables."""
    sites: Sequence[SiteRow] = report.parts["sites"]
    criteria: Sequence[CriterionRow] = report.parts["criteria"]
    data: Sequence[DatumRow] = report.parts["data"]
    gates: Sequence[GateRow] = report.parts["gates"]
    of_cell: dict[tuple[str, str], list[DatumRow]] = {}
    for item in data:
        of_cell.setdefault((item.site, item.criterion), []).append(item)
    cells, units = {}, {}
    for row in criteria:
        parts = of_cell[row.site, row.criterion]
        units[row.criterion] = parts[0].measured_in if len(parts) == 1 else "of 100"
        cells[row.site, row.criterion] = Cell(_text(row, parts), row.scaled, row.screened)
    return HeatMap(
        tuple(sites),
        tuple(dict.fromkeys(row.criterion for row in criteria)),
        units,
        {row.criterion: row.weight for row in criteria},
        cells,
        {(row.site, row.gate): row.verdict for row in gates},
        tuple(dict.fromkeys(row.gate for row in gates)),
    )


def _text(row: CriterionRow, parts: Sequence[DatumRow]) -> str:
    """The figure of a criterion of one datum, else its value as points of 100."""
    if row.scaled is None:
        return "unknown"
    if len(parts) > 1:
        return f"{100 * row.scaled:.0f}"
    value = parts[0].value
    if value is None:
        return "never"
    return f"{value:,.0f}" if abs(value) >= 20 or value == 0 else f"{value:.2g}"


def heat_map_text(report: Report) -> str:
    """The picture: values shaded from the worst anchor (blank) to the best (full)."""
    found = heat_map(report)
    lines: list[str] = []
    for start in range(0, len(found.criteria), _PER_BAND):
        names = found.criteria[start : start + _PER_BAND]
        tops, ends = zip(*(_split(name) for name in names), strict=True)
        for words in (tops, ends, [found.units[name] for name in names]):
            head = "".join(" " + pad(word[:_CELL], _CELL, right=True) for word in words)
            if head.strip():
                lines.append(" " * _NAME + head)
        for site in found.sites[:_MOST]:
            cells = [_shaded(found.cells[site.id, name]) for name in names]
            lines.append(_name(site.id) + "".join(cells))
        lines.append("")
    lines += _gate_lines(found)
    if len(found.sites) > _MOST:
        lines.append(f"the first {_MOST} of {len(found.sites)} sites")
    return "\n".join(line.rstrip() for line in lines)


def _split(name: str) -> tuple[str, str]:
    """A heading in two lines where it is too long for one."""
    if len(name) <= _CELL and "_" not in name:
        return "", name
    if "_" in name:
        top, _, end = name.partition("_")
        return top, end.replace("_", " ")
    return name[: _CELL - 1] + "-", name[_CELL - 1 :]


def _name(text: str) -> str:
    text = clean(text)
    return pad(text if width_of(text) <= _NAME else text[: _NAME - 1] + "…", _NAME)


def _shaded(cell: Cell) -> str:
    mark = "°" if cell.screened else ""
    text = cell.text
    if cell.value is None:
        text, shade = "?", _HATCH * 2
    else:
        shade = _SHADES[min(4, int(cell.value * 5))] * 2
    return pad(f"{text}{mark}"[: _CELL - 2], _CELL - 2, right=True) + " " + shade


def _gate_lines(found: HeatMap) -> list[str]:
    names = [_SHORT.get(name, name) for name in found.gate_names]
    lines = [pad("gates", _NAME) + " ".join(names)]
    for site in found.sites[:_MOST]:
        marks = [
            pad(_MARK[found.gates[site.id, gate]], len(name), right=True)
            for gate, name in zip(found.gate_names, names, strict=True)
        ]
        lines.append(_name(site.id) + " ".join(marks))
    key = f"{_HATCH * 2} unknown, counted 0   ██ best anchor   + pass  X fail  ? unknown"
    screened = any(cell.screened for cell in found.cells.values())
    return [*lines, key + ("  ° regional" if screened else "")]
