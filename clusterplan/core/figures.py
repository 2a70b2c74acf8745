"""Figures of a result: a dataclass field with its label, basis and formula.

Renderers read only this metadata, so every format shows the same rows. The unit follows from the
field's suffix (`core.shown_units.unit_of`); the formula defaults to the field's own name, so a
field `tcs_flow_l_per_min` is explained by the formula of that name.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterplan.core.shown_units import unit_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class FigureInfo:
    """How one field of a result is shown and explained."""

    label: str
    basis: str = ""
    formula: str = ""
    detail: bool = False
    digits: int | None = None
    optional: bool = False


def figure(  # noqa: PLR0913  keywords that describe one field
    label: str,
    *,
    basis: str = "",
    formula: str = "",
    detail: bool = False,
    digits: int | None = None,
    optional: bool = False,
    default: Any = dataclasses.MISSING,
) -> Any:
    """Declare a field of a result that is printed.

    `basis` says what the figure stands on (nameplate, N-1, hot design point). `formula` names the
    formula that gave it where that is not the field's own name: `name.attr` for one attribute of a
    structured result, `a|b` where either may have given it. `detail` keeps it out of the short
    terminal report (it stays in every other format and in `--explain`). `digits` fixes the
    decimals at print. `optional` says that None means "does not apply here", not "unknown": the
    printed reports then leave it blank or out.
    """
    info = FigureInfo(label, basis, formula, detail, digits, optional)
    return dataclasses.field(metadata={"figure": info}, default=default)


@dataclass(frozen=True)
class Row:
    """One printed line: where it stands in the plan, its label, value and unit."""

    section: str
    path: str
    name: str
    label: str
    value: Any
    unit: str
    info: FigureInfo


def rows_of(section: str, result: Any, prefix: str = "") -> Iterator[Row]:
    """The figures of one result dataclass, in declaration order."""
    for item in dataclasses.fields(result):
        info = item.metadata.get("figure")
        if info is None:
            continue
        path = f"{prefix or section}.{item.name}"
        value = getattr(result, item.name)
        yield Row(section, path, item.name, info.label, value, unit_of(item.name), info)
