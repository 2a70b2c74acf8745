"""Kinds of single values in input files: each reads what the user wrote or says what is wrong.

A leaf stands in the annotation of a model's field (`Annotated[Datum[float], Quantity(...)]`) and
serves the design table alike. Figures and dates give a `Datum`, words and flags a plain value; all
accept the long form {value, low, high, source, date, verified}.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from clusterplan.core.units import DIMENSIONS, parse_fraction, parse_quantity, parse_share, seen
from clusterplan.inputs.datum import Datum
from clusterplan.inputs.leaf import (
    Leaf,
    LeafError,
    Parts,
    did_you_mean,
    exceeds,
    read_day,
    read_text,
    wrong,
)

if TYPE_CHECKING:
    import datetime

_ID = re.compile(r"[a-z0-9][a-z0-9_-]*\Z")


class Figure(Leaf):
    """A number with a range; gives `Datum[float]`."""

    def __init__(self, minimum: float | None = None, maximum: float | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def show(self, value: Any) -> str:
        """A value with its unit for a message."""
        return f"{value:,.10g} {self.unit}".rstrip()

    @abstractmethod
    def _number(self, raw: Any) -> float: ...

    def _one(self, raw: Any) -> float:
        if isinstance(raw, list):
            raise wrong(f"one value is due here, not a list: {seen(list(raw))}")
        try:
            value = self._number(raw)
        except LeafError:
            raise
        except ValueError as error:
            raise wrong(str(error)) from None
        return self._ranged(value, raw)

    def _ranged(self, value: float, raw: Any) -> float:
        low, high = self.minimum, self.maximum
        if (low is not None and exceeds(low, value)) or (high is not None and exceeds(value, high)):
            raise wrong(f"{seen(raw)} is out of range", f"accepted: {self.accepted()}")
        return value

    def accepted(self) -> str:
        """The accepted range in words."""
        if self.maximum is None:
            return f"{self.show(self.minimum)} or more"
        if self.minimum is None:
            return f"{self.show(self.maximum)} or less"
        return f"{self.minimum:,.10g} to {self.show(self.maximum)}"

    def _wrap(self, value: Any, more: dict[str, Any], raw: Any) -> Any:
        return Datum(value=value, unit=self.unit, text=str(raw), **more)

    def _bounds_allowed(self) -> bool:
        return True


class Quantity(Figure):
    """A number with a unit of one dimension, given in `unit`; the range is in `unit` too."""

    def __init__(
        self,
        dimension: str,
        unit: str = "",
        minimum: float | None = None,
        maximum: float | None = None,
    ) -> None:
        super().__init__(minimum, maximum)
        self.dimension = dimension
        self.unit = unit or DIMENSIONS[dimension].unit

    def _number(self, raw: Any) -> float:
        return parse_quantity(raw, self.dimension, self.unit)


class Number(Figure):
    """A plain number."""

    def _number(self, raw: Any) -> float:
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            hint = None
            if isinstance(raw, str):
                hint = "write it without unit and quotes" if raw[:1].isdigit() else None
            raise wrong(f"a plain number is due here, not {seen(raw)}", hint)
        if not math.isfinite(raw):
            raise wrong(f"{raw} is not finite")
        return float(raw)


class Fraction(Figure):
    """A fraction as plain number or percent."""

    def __init__(self, minimum: float | None = 0.0, maximum: float | None = 1.0) -> None:
        super().__init__(minimum, maximum)

    def _number(self, raw: Any) -> float:
        return parse_fraction(raw)


class Percent(Figure):
    """A figure in percent, whose sign must be written: "10 %"."""

    unit = "%"

    def _number(self, raw: Any) -> float:
        if not isinstance(raw, str):
            if isinstance(raw, int | float) and not isinstance(raw, bool):
                raise wrong(f"{raw} has no unit", f'write "{raw} %" if percent is meant')
            raise wrong(f'a percentage such as "10 %" is due here, not {seen(raw)}')
        if not raw.rstrip().endswith("%"):
            raise wrong(f'a percentage such as "10 %" is due here, not {seen(raw)}')
        number = parse_fraction(raw.rstrip().rstrip("%").rstrip() or "none")
        return number


class Whole(Figure):
    """A whole number; gives `Datum[int]`."""

    def _number(self, raw: Any) -> float:
        if isinstance(raw, bool) or not isinstance(raw, int):
            if isinstance(raw, float) and math.isfinite(raw) and raw == int(raw):
                return int(raw)
            raise wrong(f"a whole number is due here, not {seen(raw)}")
        return raw


class FaultLevel(Figure):
    """A short-circuit level in kA or in MVA; the datum's `unit` says which."""

    def _one(self, raw: Any) -> Any:
        if isinstance(raw, str) and raw.rstrip().endswith("VA"):
            return _Fault((super()._one(raw), "MVA"))
        return _Fault((super()._one(raw), "kA"))

    def _number(self, raw: Any) -> float:
        if isinstance(raw, str) and raw.rstrip().endswith("VA"):
            return parse_quantity(raw, "apparent_power")
        try:
            return parse_quantity(raw, "current")
        except ValueError as error:
            raise wrong(f'{error} (or the short-circuit power, "12000 MVA")') from None

    def _order(self, more: dict[str, Any]) -> Parts:
        if len({more[key][1] for key in ("value", "low", "high") if key in more}) > 1:
            return [((), "value, low and high must be all in kA or all in MVA", None)]
        return super()._order(more)

    def _ranged(self, value: float, raw: Any) -> float:
        if value <= 0.0:
            raise wrong(f"{seen(raw)} is out of range", "accepted: more than 0")
        return value

    def show(self, value: Any) -> str:
        """A value with its unit for a message."""
        return f"{value[0]:g} {value[1]}"

    def _wrap(self, value: Any, more: dict[str, Any], raw: Any) -> Any:
        bounds = {key: more.pop(key)[0] for key in ("low", "high") if key in more}
        return Datum(value=value[0], unit=value[1], text=str(raw), **bounds, **more)


class _Fault(tuple[float, str]):
    """A level and its unit."""


class Share(Leaf):
    """A power or a share of compute; gives ("mw", 2.0) or ("fraction", 0.03)."""

    def _one(self, raw: Any) -> tuple[str, float]:
        try:
            return parse_share(raw)
        except ValueError as error:
            raise wrong(str(error)) from None


class Day(Leaf):
    """An ISO date; gives `Datum[date]`."""

    def _one(self, raw: Any) -> datetime.date:
        return read_day(raw)

    def _wrap(self, value: Any, more: dict[str, Any], raw: Any) -> Any:
        return Datum(value=value, text=str(raw), **more)

    def _bounds_allowed(self) -> bool:
        return True


class Flag(Leaf):
    """Yes or no, written true or false."""

    def _one(self, raw: Any) -> bool:
        if not isinstance(raw, bool):
            raise wrong(f"true or false is due here, not {seen(raw)}")
        return raw


class Text(Leaf):
    """Any text."""

    def _one(self, raw: Any) -> str:
        return read_text(raw)


class Id(Text):
    """A short name for scripts and files: [a-z0-9][a-z0-9_-]*."""

    def _one(self, raw: Any) -> str:
        text = super()._one(raw)
        if not _ID.match(text) or len(text) > 100:
            slug = re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-_")[:100]
            hint = f'for example "{slug}"' if slug else None
            raise wrong(
                f"{seen(text)} is no id: small letters a-z, digits, - and _, at most 100", hint
            )
        return text


class Choice(Text):
    """One of some words; letter case does not matter."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def _one(self, raw: Any) -> str:
        if isinstance(raw, str):
            if raw in self.words:
                return raw
            for word in self.words:
                if raw.lower() == word.lower():
                    return word
        text = str(raw).lower() if isinstance(raw, bool) else str(raw)
        hint = did_you_mean(text, self.words) if isinstance(raw, str) else None
        raise wrong(f"{seen(raw)} is not one of {', '.join(self.words)}", hint)


class Several(Leaf):
    """A list of one kind of value; a single value is not a list."""

    def __init__(self, item: Leaf) -> None:
        self.item = item

    def _one(self, raw: Any) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            raise wrong(f"a list is due here, such as [a, b], not {seen(raw)}")
        parts: Parts = []
        values = []
        for index, part in enumerate(raw):
            try:
                values.append(self.item.parse(part))
            except LeafError as error:
                parts += [((str(index), *at), text, hint) for at, text, hint in error.parts]
        if parts:
            raise LeafError(parts)
        return tuple(values)
