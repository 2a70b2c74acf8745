"""What single values of input files have in common: the long form, and how errors are told."""

from __future__ import annotations

import datetime
import difflib
import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from clusterplan.core.units import seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DATUM_KEYS = ("value", "low", "high", "source", "date", "verified")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_MAX_TEXT = 20_000
_NO_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


Parts = list[tuple[tuple[str, ...], str, str | None]]


class LeafError(ValueError):
    """What is wrong with a value: (path below the field, message, hint) for each problem."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        super().__init__(parts[0][1])


def wrong(message: str, hint: str | None = None) -> LeafError:
    """An error of the value itself."""
    return LeafError([((), message, hint)])


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint with the nearest known name."""
    names = list(known)
    lower = {name.lower(): name for name in names}
    near = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=0.5)
    return f'did you mean "{lower[near[0]]}"?' if near else None


def exceeds(value: Any, bound: Any) -> bool:
    """Whether a figure or date is above another, rounding of unit conversions aside."""
    if isinstance(value, float) and isinstance(bound, float):
        return value - bound > 1e-9 * max(abs(value), abs(bound))
    return bool(value > bound)


class Leaf(ABC):
    """A kind of value. `parse` gives the value or raises LeafError."""

    unit = ""

    def parse(self, raw: Any) -> Any:
        """The value of what the user wrote, in short or long form."""
        if isinstance(raw, dict):
            return self._long(raw)
        return self._wrap(self._one(raw), {}, raw)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Let a model call `parse` and nothing else."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(self.parse)

    @abstractmethod
    def _one(self, raw: Any) -> Any: ...

    def _wrap(self, value: Any, more: dict[str, Any], raw: Any) -> Any:
        return value

    def _bounds_allowed(self) -> bool:
        return False

    def _long(self, raw: dict[str, Any]) -> Any:
        parts: Parts = []
        more: dict[str, Any] = {}
        for key in raw:
            if key not in DATUM_KEYS:
                parts.append(((key,), f"unknown key {seen(key)}", did_you_mean(key, DATUM_KEYS)))
        if "value" not in raw:
            parts.append(((), "the key value is missing", None))
        readers: dict[str, Callable[[Any], Any]] = {
            "value": self._one,
            "source": read_text,
            "date": read_day,
            "verified": _verified,
        }
        readers["low"] = readers["high"] = self._one if self._bounds_allowed() else _no_bound
        for key, reader in readers.items():
            if key in raw:
                try:
                    more[key] = reader(raw[key])
                except LeafError as error:
                    parts += [((key, *at), text, hint) for at, text, hint in error.parts]
        if not parts:
            parts += self._order(more)
        if parts:
            raise LeafError(parts)
        if not more.get("source"):
            more["verified"] = "false"
        return self._wrap(more.pop("value"), more, raw["value"])

    def _order(self, more: dict[str, Any]) -> Parts:
        value, low, high = more["value"], more.get("low"), more.get("high")
        parts: Parts = []
        if low is not None and exceeds(low, value):
            parts.append(
                (("low",), f"low {self.show(low)} is above value {self.show(value)}", None)
            )
        if high is not None and exceeds(value, high):
            parts.append(
                (("high",), f"high {self.show(high)} is below value {self.show(value)}", None)
            )
        return parts

    def show(self, value: Any) -> str:
        """A value with its unit for a message."""
        return f"{value}"


def read_text(raw: Any) -> str:
    """Text as the user wrote it. Raises LeafError for other values, nothing and control codes."""
    if not isinstance(raw, str):
        quoted = isinstance(raw, int | float)
        hint = f'put it in quotes, "{seen(raw)}"' if quoted else None
        raise wrong(f"text is due here, not {seen(raw)}", hint)
    if not raw.strip():
        raise wrong("the text is empty")
    if len(raw) > _MAX_TEXT:
        raise wrong(f"the text is longer than {_MAX_TEXT:,} characters")
    if _NO_CONTROL.search(raw):
        raise wrong(f"{seen(raw)} holds a control character")
    return raw


def read_day(raw: Any) -> datetime.date:
    """An ISO date, 2027-06-30. Raises LeafError."""
    hint = "write year-month-day, 2027-06-30"
    if not isinstance(raw, str) or not _DAY.match(raw):
        raise wrong(f"a date is due here, not {seen(raw)}", hint)
    try:
        day = datetime.date.fromisoformat(raw)
    except ValueError:
        raise wrong(f"{seen(raw)} is no day of the calendar", hint) from None
    if not 1950 <= day.year <= 2150:
        raise wrong(f"{seen(raw)} is out of range", "accepted: years 1950 to 2150")
    return day


def _verified(raw: Any) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if raw == "secondary":
        return "secondary"
    raise wrong(f"true, false or secondary is due here, not {seen(raw)}")


def _no_bound(raw: Any) -> Any:
    raise wrong("low and high make sense for figures and dates only")
