"""The calculation record of a comparison: the steps by which its sites were dated and scored.

What values, dates and scores a site is run once more under a recorder, by the functions of the
comparison itself; each figure is then tied to the step that gave it, or noted with its source.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

from clusterplan.core.record import Given, Recorder, recording
from clusterplan.core.shown_units import unit_of
from clusterplan.planning.site_dates import dates_of
from clusterplan.planning.site_scores import scored, valued

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusterplan.core.record import Step
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.ranked_site import RankedSite
    from clusterplan.planning.site_scores import Valued

_PLAN = "the plan of this site (clusterplan size, --explain)"
_METHOD = "clusterplan method, siting sections 1 and 2"
_FROM_DRAWS = "first_rank_share share_without_gates share_at_ignorance".split()
_FROM_FILE = {"latitude": "site file", "longitude": "site file"}
_VALUES = ("linear_value", "log_value", "expected_value")
_OWN = {
    "rank": "clear sites first, then by score; equal scores share a rank",
    "firm_share_percent": "firm over firm and non-firm MW of the last step of supply",
    "warnings": "count of the warnings of its plan",
    "unverified_assumptions": "count of the assumptions of its plan flagged false",
}


def record_of(
    order: Sequence[RankedSite], settings: Settings, parts: Mapping[str, Any]
) -> Recorder:
    """The record behind the sites, data and criteria of a report; `parts` are those it prints."""
    recorder = Recorder()
    with recording(recorder):
        _note_section(recorder, parts["comparison"])
        start = 0
        for place, site in enumerate(order):
            for number, item in enumerate(site.score.data, start=start):
                _datum(recorder, site, item, number, settings)
            start += len(site.score.data)
            _site(recorder, site, parts["sites"][place], place, settings)
        _note_criteria(recorder, parts["criteria"], settings)
    return recorder


def _datum(
    recorder: Recorder, site: RankedSite, item: Valued, number: int, settings: Settings
) -> None:
    """The figure of a datum, its anchors and its value from 0 to 1."""
    before = len(recorder.steps)
    again = valued(item.row, site.evidence, site.prospects)
    path, datum, row = f"data.{number}", item.datum, item.row
    shown = f"data.{site.id}.{row.id}.value"
    steps = recorder.steps[before:]
    figure = _giving((step for step in steps if step.formula.name not in _VALUES), datum.value)
    if figure is not None:
        recorder.named[f"{path}.value"] = figure
    else:
        _note(recorder, f"{path}.value", datum.value, row.unit, datum.source, datum.verified)
    value = _giving(reversed(steps), again.value)
    if value is not None:
        recorder.named[f"{path}.scaled"] = value
    else:
        beyond = "never, or beyond the worst or best anchor"
        _note(recorder, f"{path}.scaled", again.value, "", beyond, datum.verified)
    _state_origins(recorder, steps, site.id, f"{shown}: {datum.source}")
    for name, figure_of in zip(("worst", "best"), settings.anchors[row.id], strict=True):
        _note(recorder, f"{path}.{name}", figure_of, "", f"anchor; {_METHOD}", "false")
    _note(recorder, f"{path}.share", row.share, "", f"share of its criterion; {_METHOD}", "false")


def _state_origins(recorder: Recorder, steps: Sequence[Step], site: str, figure: str) -> None:
    """Where the inputs of a datum's steps came from, as far as values do not tell."""
    makers = [step for step in steps if step.formula.name not in _VALUES]
    blocks = f"blocks of the plan of {site}, and a draw of their dates"
    told: dict[str, dict[str, str]] = {
        "linear_value": {"worst": "worst anchor", "best": "best anchor"},
        "log_value": {"worst": "worst anchor", "best": "best anchor"},
        "all_in_price_usd_per_mwh": {
            "energy_usd_per_mwh": f"grid.tariff.energy of {site}",
            "demand_usd_per_kw_month": f"grid.tariff.demand of {site}",
        },
        "gas_carbon_g_per_kwh": {"heat_rate_btu_per_kwh": f"site.generation of {site}"},
        "mix_mean": {
            "shares": f"energy of grid and plants of {site}",
            "figures": f"grid and plants of {site}: {figure.partition(': ')[2]}",
        },
        "order_statistic": {"sorted_values": "the calendar's draws of a date"},
        "expected_value": {
            "confidences": f"steps of supply of {site}",
            "values": "value of the figure with the steps at least so sure",
        },
        "gw_years": {"blocks_mw": blocks, "months": blocks},
        "stressed_water_l_per_kwh": {
            "wue_l_per_kwh": f"the plan of {site}",
            "stress_class": f"site.water.stress of {site}, or its region",
        },
    }
    for step in steps:
        name = step.formula.name
        recorder.state(step, **told.get(name, {}))
        if name in ("linear_value", "log_value"):
            maker = _giving(makers, step.inputs["datum"])
            recorder.state(step, datum=figure if maker is None else f"from {maker.formula.name}")
        elif name == "order_statistic":
            recorder.state(step, share=f"P{100 * step.inputs['share']:.0f}")


def _site(recorder: Recorder, site: RankedSite, shown: Any, place: int, settings: Settings) -> None:
    """Score, cross-checks and dates of a site; the rest of its row is noted."""
    path = f"sites.{place}"
    before = len(recorder.steps)
    scored(site.score.data, settings)
    score, sure, *_ = [s for s in recorder.steps[before:] if s.formula.name == "weighted_score"]
    for step in recorder.steps[before:]:
        data = step.formula.name == "weighted_score"
        weights = "weight x share of each datum" if data else "weights of the criteria"
        values = "data" if data else "criteria"
        recorder.state(step, weights=weights, values=f"values of the {values} of {site.id}")
    for name in ("score", "coverage", "best_case_score", "known_only_score"):
        recorder.named[f"{path}.{name}"] = score
    recorder.named[f"{path}.verified_only_score"] = sure
    for name in ("topsis", "promethee"):
        check = _giving(recorder.steps[before:], getattr(shown, name))
        if check is not None:
            recorder.named[f"{path}.{name}"] = check
    before = len(recorder.steps)
    dates = dates_of(site, settings)
    _state_origins(recorder, recorder.steps[before:], site.id, "")
    for name, figure in dates.items():
        made = _giving(recorder.steps[before:], figure)
        if isinstance(figure, float) and made is not None:
            recorder.named[f"{path}.{name}"] = made
    for item in dataclasses.fields(shown):
        key = f"{path}.{item.name}"
        figure = getattr(shown, item.name)
        if key in recorder.named or not isinstance(figure, int | float):
            continue
        source = _OWN.get(item.name) or _FROM_FILE.get(item.name) or _PLAN
        if item.name in _FROM_DRAWS:
            draws, seed = settings.integer("draws"), settings.integer("seed")
            source = f"share of {draws:,} draws with seed {seed}; {_METHOD}"
        _note(recorder, key, figure, unit_of(item.name), source, "plan")


def _note_criteria(recorder: Recorder, rows: Sequence[Any], settings: Settings) -> None:
    by = "weights file" if settings.preset is None else f"preset {settings.preset}"
    sources = {
        "weight": f"{by}, over the sum of all weights",
        "scaled": "sum of share x value of its data",
        "known_share": "sum of the shares of its known data",
        "points": "100 x weight x value, whole numbers by largest remainder",
    }
    for place, row in enumerate(rows):
        for name, source in sources.items():
            key = f"criteria.{place}.{name}"
            _note(recorder, key, getattr(row, name), "", f"{source}; {_METHOD}", "false")


def _note_section(recorder: Recorder, section: Any) -> None:
    for item in dataclasses.fields(section):
        figure = getattr(section, item.name)
        if isinstance(figure, int | float) and not isinstance(figure, bool):
            key = f"comparison.{item.name}"
            source = "setting of the comparison, or count of its sites and draws"
            _note(recorder, key, figure, unit_of(item.name), source, "given")


def _giving(steps: Any, value: object) -> Step | None:
    """The first of some steps that gave a value."""
    if value is None or value == math.inf:  # never: shown as unknown
        return None
    return next((step for step in steps if step.result == value), None)


def _note(
    recorder: Recorder, path: str, value: object, unit: str, source: str, verified: str
) -> None:
    recorder.givens[path] = Given(path, value, unit, source, verified)
