"""Engineering choices: what the user gave in `design.yaml`, else the catalogue's default.

Every default that is read becomes an assumption of the plan.
"""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from clusterplan.core.record import given
from clusterplan.core.results.plan import Assumption, Warning
from clusterplan.core.units import parse_share

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from clusterplan.core.fields import FieldSpec

T = TypeVar("T")
_KEPT_MOST = 512


class Ledger:
    """Assumptions and warnings of one plan, each kept once, in the order of first use."""

    def __init__(self) -> None:
        self._assumptions: dict[str, Assumption] = {}
        self._warnings: dict[tuple[str, str], Warning] = {}

    def assume(
        self, path: str, value: Any, unit: str, source: str, *, verified: str = "false"
    ) -> None:
        """Note a figure that the user did not give."""
        self._assumptions[path] = Assumption(
            path=path, value=value, unit=unit, source=source, verified=verified
        )

    def add(self, row: Assumption) -> None:
        """Note a figure that the user did not give, ready-made."""
        self._assumptions[row.path] = row

    def repeat(self, other: Ledger) -> None:
        """Take over all that another ledger holds."""
        self._assumptions |= other._assumptions
        self._warnings |= other._warnings

    def warn(self, code: str, path: str, message: str) -> None:
        """Note something the user should know."""
        self._warnings[(code, path)] = Warning(code=code, path=path, message=message)

    def extend(self, warnings: Iterable[Warning]) -> None:
        """Take over warnings that were found before."""
        for warning in warnings:
            self._warnings[(warning.code, warning.path)] = warning

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """All assumptions so far."""
        return tuple(self._assumptions.values())

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """All warnings so far."""
        return tuple(self._warnings.values())


class _Made(NamedTuple):
    """What was made from some choices, and what its making listed."""

    result: Any
    ledger: Ledger


_MADE: dict[Hashable, _Made] = {}


class Choices:
    """Read a choice by its path below `design.`.

    specs: the field table of the catalogue; chosen: what the user gave, by path, already in the
    unit of the table (numbers, strings, bools). many: many sites are planned with such choices and
    none is recorded, so that what depends on them alone is kept (`once`).
    """

    def __init__(
        self,
        specs: Mapping[str, FieldSpec],
        chosen: Mapping[str, Any],
        ledger: Ledger,
        *,
        many: bool = False,
    ) -> None:
        self._specs = specs
        self._chosen = dict(chosen)
        self._key = _key_of(self._chosen) if many else None
        self.ledger = ledger

    @property
    def many(self) -> bool:
        """Whether these are the choices of one of many sites."""
        return self._key is not None

    def once(self, key: Hashable, make: Callable[[Choices], T]) -> T:
        """`make(self)`; among many sites made once for equal choices, with its rows in each ledger.

        key: what else `make` depends on; compared by equality, rows of the catalogue by identity.
        """
        if self._key is None:
            return make(self)
        whole = (key, self._key, id(self._specs))
        made = _MADE.get(whole)
        if made is None:
            other = copy.copy(self)
            other.ledger = Ledger()
            made = _Made(make(other), other.ledger)
            while len(_MADE) >= _KEPT_MOST:
                del _MADE[next(iter(_MADE))]
            _MADE[whole] = made
        self.ledger.repeat(made.ledger)
        result: T = made.result
        return result

    def is_given(self, path: str) -> bool:
        """Whether the user chose this."""
        return path in self._chosen

    def varied(self, chosen: Mapping[str, Any]) -> Choices:
        """The same choices with some changed, and a ledger of their own: for a look at others."""
        return Choices(self._specs, self._chosen | dict(chosen), Ledger())

    def get(self, path: str) -> Any:
        """The choice, or None where the user gave nothing and the table has no fixed default."""
        spec = self._specs[path]
        if path in self._chosen:
            value = self._chosen[path]
            given(f"design.{path}", *_shown(value, spec.unit), "design.yaml", "given")
            return value
        value, row = _default_row(spec)
        if row is not None:
            self.ledger.add(row)
            given(row.path, row.value, row.unit, row.source, row.verified)
        return value

    def number(self, path: str) -> float:
        """A choice that is a number, in the unit of the table."""
        return float(self.get(path))

    def optional(self, path: str) -> float | None:
        """A number, or None where it is left to be computed."""
        value = self.get(path)
        return None if value is None else float(value)

    def integer(self, path: str) -> int:
        """A whole number."""
        return int(self.get(path))

    def text(self, path: str) -> str:
        """A word; '' where nothing is chosen and there is no default."""
        value = self.get(path)
        return "" if value is None else str(value)

    def share(self, path: str) -> tuple[str, float] | None:
        """A power or a share of compute, as `core.units.parse_share` gives it."""
        value = self.get(path)
        return None if value is None else (str(value[0]), float(value[1]))

    def flag(self, path: str) -> bool:
        """Yes or no."""
        return bool(self.get(path))


def _shown(value: Any, unit: str) -> tuple[Any, str]:
    """A choice as it stands in the list of assumptions: a share as MW or percent."""
    if isinstance(value, tuple) and value and value[0] in ("mw", "fraction"):
        kind, number = value
        return (number, "MW") if kind == "mw" else (100.0 * number, "%")
    return value, unit


def _key_of(chosen: Mapping[str, Any]) -> tuple[tuple[str, Any], ...] | None:
    """Choices as a key of what is made from them; None where some cannot be one."""
    key = tuple(sorted(chosen.items()))
    try:
        hash(key)
    except TypeError:
        return None
    return key


@lru_cache(maxsize=1024)
def _default_row(spec: FieldSpec) -> tuple[Any, Assumption | None]:
    """The default of a field, and the row that lists it."""
    value = default_of(spec)
    if value is None:
        return None, None
    shown, unit = _shown(value, spec.unit)
    row = Assumption(
        path=f"design.{spec.path}",
        value=shown,
        unit=unit,
        source=spec.source,
        verified=spec.verified,
    )
    return value, row


def default_of(spec: FieldSpec) -> Any:
    """The table's default as a Python value, or None where it is computed or chosen."""
    if spec.default == "":
        return None
    if spec.kind == "boolean":
        return spec.default == "true"
    if spec.kind in ("choice", "text", "id"):
        return spec.default
    if spec.kind == "power_or_fraction":
        return parse_share(spec.default)
    if spec.kind == "integer":
        return int(spec.default)
    if spec.kind.startswith("list:"):
        return tuple(float(part) for part in spec.default.split(";"))
    return float(spec.default)
