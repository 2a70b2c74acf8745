"""A datum: one figure or date with its range and provenance, as the user gave it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

T = TypeVar("T", float, int, date)


@dataclass(frozen=True, slots=True)
class Datum(Generic[T]):
    """A figure or date. `unit` is that of value, low and high ('' for none).

    verified: "true", "secondary" or "false", as in the catalogue; "false" without a source.
    text: what the user wrote. low and high are None where no range is given.
    """

    value: T
    unit: str = ""
    low: T | None = None
    high: T | None = None
    source: str = ""
    date: date | None = None
    verified: str = "false"
    text: str = ""


def value_of(datum: Datum[T] | None) -> T | None:
    """The value, or None where nothing was given."""
    return None if datum is None else datum.value
