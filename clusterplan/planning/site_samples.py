"""Sampled values of a site: its ranges, the doubt of bare figures, and the sizing itself."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.inputs.base import Strict
from clusterplan.inputs.datum import Datum
from clusterplan.inputs.validation import leaf_of
from clusterplan.planning.calendar_draws import Drawn
from clusterplan.planning.site_calendar import outlook, works_of
from clusterplan.planning.site_data import Evidence, site_datum
from clusterplan.planning.site_scores import CALENDAR_DATA, figure_value, supplied_mw
from clusterplan.planning.size_site import size_site
from clusterplan.sizing import ready_dates
from clusterplan.sizing.draws import BARE_WIDTH, FOOT, WORSE_FOOT, feet, triangle, uniforms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.site_calendar import Outlook
    from clusterplan.planning.site_data import SiteDatum
    from clusterplan.planning.site_scores import Valued
    from clusterplan.sizing.draws import Floats

    # site, plans sized for its samples, of so many
    Heard = Callable[[str, int, int], None]

# data that a plan of another size changes
PLAN_DATA = ("power_price", "water", "carbon")
# inputs that only bound the plan: where the plan is the same at both ends, it is so between them
LIMITS = (
    "site.land.gross_acres",
    "site.land.buildable_acres",
    "site.water.annual_m3_per_year",
    "site.water.peak_l_per_s",
    "site.rack_cap",
)
# dates and scored data are drawn elsewhere
NOT_SIZED = (
    "site.hazards",
    "site.fibre",
    "site.tax",
    "site.community",
    "site.workforce",
    "site.permits",
    "site.land.price",
    "site.land.slope",
    "site.water.stress",
    "site.target",
    "site.phases",
    "grid.tariff",
    "grid.upgrades",
    "grid.customer_cost",
    "grid.security",
    "grid.confidence",
    "design.electrical.lead_time",
)


class RangedInput(NamedTuple):
    """An input of the sizing with a range; `keys` lead to it below its file.

    minimum, maximum: what the program accepts of the field.
    """

    path: str
    keys: tuple[str | int, ...]
    datum: Datum[Any]
    minimum: float | None = None
    maximum: float | None = None


class Samples(NamedTuple):
    """Values in 0..1 of each datum (samples, data), and how many plans were sized for them."""

    values: Floats
    sized: int


def ranged_inputs(inputs: SiteInputs) -> tuple[RangedInput, ...]:
    """Inputs of the sizing that the user gave a range."""
    found = []
    for kind in ("site", "grid"):
        model = getattr(inputs, kind)
        if model is not None:
            found += list(_ranged(model, (kind,)))
    specs = catalog.design_fields()
    for path, datum in inputs.design_data.items():
        if _is_ranged(datum):
            limits = specs[path].minimum, specs[path].maximum
            found.append(RangedInput(f"design.{path}", (path,), datum, *limits))
    return tuple(item for item in found if not item.path.startswith(NOT_SIZED))


def _is_ranged(datum: Datum[Any]) -> bool:
    is_number = isinstance(datum.value, int | float)
    return is_number and (datum.low is not None or datum.high is not None)


def _ranged(value: Any, keys: tuple[str | int, ...], leaf: Any = None) -> Iterator[RangedInput]:
    if isinstance(value, Datum):
        if _is_ranged(value):
            limits = [getattr(leaf, name, None) for name in ("minimum", "maximum")]
            yield RangedInput(".".join(str(key) for key in keys), keys[1:], value, *limits)
    elif isinstance(value, Strict):
        for name, field in type(value).model_fields.items():
            yield from _ranged(getattr(value, name), (*keys, name), leaf_of(field))
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            yield from _ranged(item, (*keys, place))


def sample_site(
    evidence: Evidence,
    prospects: Outlook | None,
    data: tuple[Valued, ...],
    heard: Heard | None = None,
) -> Samples:
    """Values of each datum in so many samples, from streams that are the site's own.

    heard: told after each plan that is sized for a sample.
    """
    import numpy as np

    settings = evidence.settings
    count = settings.integer("samples")
    values = np.zeros((count, len(data)))
    for place, item in enumerate(data):
        if item.row.id not in CALENDAR_DATA and item.value is not None:
            values[:, place] = _datum_draws(item, settings, count)
    plan = evidence.plan
    if plan is None or prospects is None:
        return Samples(values, 0)
    places = {item.row.id: place for place, item in enumerate(data)}
    drawn = Drawn(settings.integer("seed"), count, f"{evidence.inputs.site.id}/")
    plans, sized = _plans(evidence, plan, count, heard)
    for sample_plan, inputs, chosen in plans:
        part = _ChosenDraws(drawn, chosen)
        known = Evidence(inputs, sample_plan, settings)
        _fill_calendar(values, places, known, part, chosen)
        if sample_plan is not plan:
            _fill_plan_data(values, data, known, evidence, chosen)
    return Samples(values, sized)


def _datum_draws(item: Valued, settings: Settings, count: int) -> Floats:
    """Values of one datum: its range, or a triangle towards the worse side by its flag."""
    import numpy as np

    datum, row = item.datum, item.row
    value = item.value or 0.0
    seed = settings.integer("seed")
    key = datum.key or row.id
    if datum.value is not None and (datum.low is not None or datum.high is not None):
        u = uniforms(seed, key, count)
        figures = triangle(u, *_figure_feet(datum, datum.value, settings.anchors[row.id]))
        return np.array([figure_value(row, figure, settings) for figure in figures.tolist()])
    width = BARE_WIDTH[datum.verified]
    if width <= 0.0 or value <= 0.0:
        return np.full(count, value)
    drawn = triangle(uniforms(seed, key, count), value - width, value, value)
    found: Floats = np.maximum(0.0, drawn)
    return found


def _figure_feet(
    datum: SiteDatum, value: float, anchors: tuple[float, float]
) -> tuple[float, float, float]:
    worse = WORSE_FOOT[datum.verified]
    worst, best = anchors
    low = value if datum.low is None else datum.low
    high = value if datum.high is None else datum.high
    high_is_worse = worst > best
    return feet(
        low,
        value,
        high,
        low_foot=FOOT if high_is_worse else worse,
        high_foot=worse if high_is_worse else FOOT,
    )


class _ChosenDraws(Drawn):
    """Some draws out of those of a site."""

    def __init__(self, whole: Drawn, chosen: list[int] | None) -> None:
        super().__init__(whole.seed, whole.count, whole.prefix)
        self._whole = whole
        self._chosen = chosen

    @property
    def size(self) -> int:
        return self._whole.size if self._chosen is None else len(self._chosen)

    def months(
        self, key: str, months: tuple[float, float, float], *, own: bool, past: bool = False
    ) -> Floats:
        drawn = self._whole.months(key, months, own=own, past=past)
        return drawn if self._chosen is None else drawn[self._chosen]


def _plans(
    evidence: Evidence, plan: SitePlan, count: int, heard: Heard | None
) -> tuple[list[tuple[SitePlan | None, SiteInputs, list[int] | None]], int]:
    """The plans of the samples with the draws that each serves, and how many were sized."""
    inputs = evidence.inputs
    ranged = ranged_inputs(inputs)
    if not ranged:
        return [(plan, inputs, None)], 0
    seed = evidence.settings.integer("seed")
    drawn = {item.path: _input_draws(item, inputs, seed, count) for item in ranged}
    if all(item.path in LIMITS for item in ranged):
        ends = [
            _sized(_with(inputs, {r: float(bound(drawn[r.path])) for r in ranged}), [])
            for bound in (min, max)
        ]
        if all(end is not None and _same(end, plan) for end in ends):
            return [(plan, inputs, None)], len(ends)
    found: list[tuple[SitePlan | None, SiteInputs, list[int] | None]] = []
    refused: list[InputError] = []
    for place in range(count):
        changed = _with(inputs, {item: float(drawn[item.path][place]) for item in ranged})
        found.append((_sized(changed, refused), changed, [place]))
        if heard is not None:
            heard(inputs.site.id, place + 1, count)
    if refused:
        path = refused[0].problems[0].path or ""
        evidence.settings.ledger.warn(
            "samples_refused",
            f"sites.{inputs.site.id}.{path}",
            f"{inputs.site.id}: {len(refused)} of {count} samples cannot be planned and count 0:"
            f" {refused[0].problems[0].message}",
        )
    return found, count


def _input_draws(item: RangedInput, inputs: SiteInputs, seed: int, count: int) -> Floats:
    datum = item.datum
    low = datum.value if datum.low is None else datum.low
    high = datum.value if datum.high is None else datum.high
    import numpy as np

    u = uniforms(seed, f"{inputs.site.id}/{item.path}", count)
    # the program accepts nothing at or below 0 for most ranged figures of a plan
    drawn = triangle(u, *feet(float(low), float(datum.value), float(high)))
    if low > 0:
        drawn = np.maximum(drawn, 0.01 * float(low))
    least = -math.inf if item.minimum is None else item.minimum
    most = math.inf if item.maximum is None else item.maximum
    found: Floats = drawn.clip(least, most)
    return found


def _with(inputs: SiteInputs, changes: dict[RangedInput, float]) -> SiteInputs:
    """The inputs with other figures."""
    site, grid = inputs.site, inputs.grid
    design, design_data = dict(inputs.design), dict(inputs.design_data)
    for item, figure in changes.items():
        value: float | int = round(figure) if isinstance(item.datum.value, int) else figure
        datum = dataclasses.replace(item.datum, value=value, low=None, high=None)
        if item.path.startswith("site."):
            site = _replaced(site, item.keys, datum)
        elif item.path.startswith("design."):
            name = str(item.keys[0])
            design[name], design_data[name] = value, datum
        else:
            grid = _replaced(grid, item.keys, datum)
    return dataclasses.replace(
        inputs, site=site, grid=_rising(grid), design=design, design_data=design_data
    )


def _rising(grid: Any) -> Any:
    """Cumulative stages that still do not fall after each was drawn by itself."""
    if grid is None:
        return None
    stages, most = [], 0.0
    for stage in grid.stages:
        most = max(most, stage.firm_mw.value)
        stages.append(
            _replaced(stage, ("firm_mw",), dataclasses.replace(stage.firm_mw, value=most))
        )
    return _replaced(grid, ("stages",), tuple(stages))


def _replaced(value: Any, keys: tuple[str | int, ...], datum: Any) -> Any:
    if not keys:
        return datum
    key, *rest = keys
    if isinstance(key, int):
        items = list(value)
        items[key] = _replaced(items[key], tuple(rest), datum)
        return tuple(items)
    return value.model_copy(update={key: _replaced(getattr(value, key), tuple(rest), datum)})


def _sized(inputs: SiteInputs, refused: list[InputError]) -> SitePlan | None:
    """The plan of a sample; none where nothing fits, or where figures do not go together."""
    try:
        return size_site(inputs, record=False)
    except InfeasibleError:
        return None
    except InputError as error:
        refused.append(error)
        return None


def _same(one: SitePlan, other: SitePlan) -> bool:
    names = ("racks", "facility_power_mw", "pue_peak", "pue_annual", "wue_l_per_kwh")
    return all(getattr(one.summary, n) == getattr(other.summary, n) for n in names)


def _fill_calendar(
    values: Floats,
    places: dict[str, int],
    known: Evidence,
    drawn: Drawn,
    chosen: list[int] | None,
) -> None:
    """First power, GW-years and expansion: the steps that exist are drawn once a sample."""
    import numpy as np

    settings, plan = known.settings, known.plan
    rows = slice(None) if chosen is None else chosen
    for name in CALENDAR_DATA:
        values[rows, places[name]] = 0.0
    if plan is None:
        return
    found = outlook(known.inputs, works_of(known.inputs, plan), drawn, settings)
    u = uniforms(settings.integer("seed"), f"{known.inputs.site.id}/existence", len(values))[rows]
    table = {row.id: row for row in settings.data}
    horizon, first = settings.number("horizon"), settings.number("first_phase")
    for sure, item in zip(found.confidences, found.calendars, strict=True):
        exists = u <= sure
        mw = supplied_mw(found.steps, sure, plan.summary.facility_power_mw)
        years = ready_dates.gw_years_of_draws(item.blocks_mw, item.on, horizon)
        figures = {
            "first_power": item.date_of(first),
            "gw_years": years,
            "expansion": np.full(drawn.size, mw),
        }
        for name, drawn_figures in figures.items():
            row = table[name]
            column = values[rows, places[name]]
            column[exists] = [
                figure_value(row, figure, settings) for figure in drawn_figures[exists].tolist()
            ]
            values[rows, places[name]] = column


def _fill_plan_data(
    values: Floats,
    data: tuple[Valued, ...],
    known: Evidence,
    central: Evidence,
    chosen: list[int] | None,
) -> None:
    """What another plan changes: the central draw, moved by the change of the value."""
    rows = slice(None) if chosen is None else chosen
    for place, item in enumerate(data):
        if item.row.id not in PLAN_DATA or item.value is None:
            continue
        datum = site_datum(item.row.id, known)
        value = 0.0
        if datum.value is not None and math.isfinite(datum.value):
            value = figure_value(item.row, datum.value, central.settings)
        moved = values[rows, place] + (value - item.value)
        values[rows, place] = moved.clip(0.0, 1.0)
