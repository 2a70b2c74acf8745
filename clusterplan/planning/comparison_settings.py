"""Settings of a comparison: thresholds, weights and anchors, one set for all sites."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan import catalog
from clusterplan.catalog import UnknownRowError
from clusterplan.core.errors import InputError, Problem, one_of
from clusterplan.planning.choices import Ledger, default_of
from clusterplan.sizing.ready_dates import DAYS_PER_MONTH, gw_years
from clusterplan.sizing.site_value import checked_anchors, normalised_weights

if TYPE_CHECKING:
    from clusterplan.inputs.weights_file import WeightsFile

PRESETS = ("training", "sustainability", "sovereign")
_SUM_TOLERANCE = 0.001


class Options(NamedTuple):
    """What the command line says of a comparison; None where it says nothing.

    record: keep the calculation record of dates and scores.
    """

    weights: WeightsFile | None = None
    preset: str | None = None
    start: datetime.date | None = None
    horizon: datetime.date | None = None
    screen: bool = False
    draws: int | None = None
    seed: int | None = None
    record: bool = False


class Settings:
    """The settings in force. Defaults that are read become assumptions of the comparison."""

    def __init__(self, options: Options) -> None:
        self.ledger = Ledger()
        self.kept: dict[Any, Any] = {}  # what rows of a long list share
        self.screen = options.screen
        self._file = options.weights
        self._specs = catalog.comparison_fields()
        self._set: dict[str, Any] = {} if options.weights is None else dict(options.weights.chosen)
        self._defaults: dict[str, Any] = {}
        if options.draws is not None:
            self._set["draws"] = options.draws
        if options.seed is not None:
            self._set["seed"] = options.seed
        self.start = options.start or datetime.datetime.now(tz=datetime.UTC).date()
        if options.horizon is not None:
            self._set["horizon"] = self.month_of(options.horizon)
            if self._set["horizon"] < 1.0:
                raise InputError(
                    Problem(
                        f"{options.horizon} is not a month after the start, {self.start}",
                        path="--horizon",
                    )
                )
        self.preset = self._preset(options)
        self.criteria = catalog.criteria()
        self.data = catalog.criterion_data()
        self.weights = self._weights()
        self.anchors = {row.id: self._anchors(row.id) for row in self.data}
        self.owner = self._owner()

    def month_of(self, day: datetime.date) -> float:
        """Months from the start to a day."""
        return (day - self.start).days / DAYS_PER_MONTH

    def day_at(self, month: float) -> datetime.date:
        """The day so many months after the start."""
        return self.start + datetime.timedelta(days=round(month * DAYS_PER_MONTH))

    def get(self, path: str) -> Any:
        """A setting; a default becomes an assumption."""
        if path in self._set:
            return self._set[path]
        if path in self._defaults:  # noted at its first use
            return self._defaults[path]
        self._defaults[path] = found = self._default(path)
        return found

    def _default(self, path: str) -> Any:
        spec = self._specs[path]
        if spec.kind == "list:text":
            return tuple(spec.default.split(";"))
        value = default_of(spec)
        if value is not None:
            self.ledger.assume(
                f"comparison.{path}", value, spec.unit, spec.source, verified=spec.verified
            )
        return value

    def number(self, path: str) -> float:
        """A setting that is a number."""
        return float(self.get(path))

    def integer(self, path: str) -> int:
        """A setting that is a whole number."""
        return int(self.get(path))

    @property
    def target_curve(self) -> tuple[tuple[float, float], ...]:
        """(month, cumulative IT MW) of the curve against which GW-years are judged."""
        first = (self.number("curve_first_month"), self.number("curve_first_it"))
        last = (self.number("curve_last_month"), self.number("curve_last_it"))
        return (first, last)

    def _preset(self, options: Options) -> str | None:
        named = options.preset or (None if options.weights is None else options.weights.preset)
        if named is None and not (options.weights and options.weights.below("weights")):
            named = PRESETS[0]
        if named is not None and named not in PRESETS:
            raise InputError(
                Problem(
                    f"unknown preset or file {named!r}",
                    path="--weights",
                    hint=one_of(named, PRESETS),
                )
            )
        return named

    @property
    def is_changed(self) -> bool:
        """Whether a weights file sets weights or anchors of its own."""
        own = self._file
        return own is not None and bool(own.below("weights") or own.below("anchors"))

    def _weights(self) -> dict[str, float]:
        own = {} if self._file is None else self._file.below("weights")
        raw = [
            float(own.get(row.id, 0.0 if self.preset is None else getattr(row, self.preset)))
            for row in self.criteria
        ]
        total = sum(raw)
        if own and total > 0.0 and abs(total - 1.0) > _SUM_TOLERANCE:
            self.ledger.warn(
                "weights_sum", "weights", f"weights add up to {total:.4g}; each is divided by it"
            )
        try:
            shares = normalised_weights(raw)
        except InputError as error:
            where = self._file
            if where is None:
                raise
            problems = [where.problem("weights", problem.message) for problem in error.problems]
            raise InputError(problems) from None
        if self.preset is not None and not own:
            for row, share in zip(self.criteria, shares, strict=True):
                self.ledger.assume(
                    f"comparison.weights.{row.id}", share, "", f"preset {self.preset}, judgement"
                )
        return {row.id: share for row, share in zip(self.criteria, shares, strict=True)}

    def _anchors(self, datum: str) -> tuple[float, float]:
        row = next(item for item in self.data if item.id == datum)
        best = self._best_gw_years() if row.best is None else row.best
        preset = (row.worst, best)
        own = {} if self._file is None else self._file.below("anchors")
        if datum not in own or self._file is None:
            return preset
        try:
            return checked_anchors(datum, own[datum], preset, log=row.log)
        except InputError as error:
            raise InputError(
                [self._file.problem(f"anchors.{datum}", p.message) for p in error.problems]
            ) from None

    def _best_gw_years(self) -> float:
        curve = self.target_curve
        horizon = self.number("horizon")
        sizes = [
            mw - (curve[place - 1][1] if place else 0.0) for place, (_, mw) in enumerate(curve)
        ]
        months = [month for month, _ in curve]
        best = gw_years(sizes, months, horizon)
        if best <= 0.0:
            message = f"the target curve starts after the horizon of {horizon:g} months"
            raise InputError(Problem(message, path="--horizon", hint="a later horizon is due"))
        return best

    def _owner(self) -> str | None:
        named = self.get("owner")
        if named is None:
            return None
        try:
            return catalog.region(str(named)).iso2
        except UnknownRowError as error:
            problem = Problem(f"unknown country {named!r}", path="owner", hint=error.hint or None)
            if self._file is not None:
                problem = self._file.problem("owner", problem.message, problem.hint)
            raise InputError(problem) from None
