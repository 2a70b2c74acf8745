"""One table describes each choice of `design.yaml`: kind, unit, default, range, text, source.

The table ships in `data/design_fields.csv`; input model, JSON Schema, documentation and the list
of assumptions all come from it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)  # compared by identity: it is looked up often
class FieldSpec:
    """One choice of the design file.

    path     dotted path below `design.` (`cooling.tcs_supply`)
    kind     quantity dimension of `core.units` (temperature, power ...), or number, fraction,
             integer, boolean, choice, text, id, date, deliveries, list:<kind>
    unit     unit in which the program uses the figure; '' for dimensionless
    default  as a user would write it without unit; '' where it is computed or chosen
    minimum, maximum   accepted range in `unit`
    choices  accepted words of a choice
    """

    path: str
    kind: str
    unit: str
    default: str
    minimum: float | None
    maximum: float | None
    choices: tuple[str, ...]
    text: str
    source: str
    verified: str
