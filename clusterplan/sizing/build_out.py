"""Stage-by-stage build-out of a substation: which units of the final design a stage needs."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.substation_load import units_needed

if TYPE_CHECKING:
    from clusterplan.sizing.substation_tables import (
        Scheme,
        SubstationDuty,
        SubstationRules,
        UnitRating,
    )

METHOD = "clusterplan method, electrical, build-out"


class StageUnits(NamedTuple):
    """Groups and units a group that a stage needs of the final design."""

    groups: int
    units: int

    @property
    def total(self) -> int:
        """Units of all groups."""
        return self.groups * self.units


def mv_units_of_stage(duty: SubstationDuty, rules: SubstationRules, scheme: Scheme) -> StageUnits:
    """Fewest units of the final rating that carry a stage's load, each group with its spare.

    duty: that of the stage. Never more than the final design has.
    """
    limit = 1.0 if duty.rating_mva is not None else rules.loading_max
    running = "transfer-bus" if scheme.service == "mv" else rules.running
    return _fewest(
        duty,
        rules,
        (scheme.rating, scheme.impedance, limit, running),
        (scheme.groups, scheme.units),
    )


def bulk_units_of_stage(
    duty: SubstationDuty, rules: SubstationRules, scheme: Scheme
) -> StageUnits | None:
    """The same for the bulk units, None where the design has none."""
    bulk = scheme.bulk
    if bulk is None:
        return None
    terms = (bulk.rating, bulk.impedance, rules.loading_max, "paralleled")
    return _fewest(duty, rules, terms, (bulk.groups, bulk.units))


def _fewest(
    duty: SubstationDuty,
    rules: SubstationRules,
    terms: tuple[UnitRating, float, float, str],
    most: tuple[int, int],
) -> StageUnits:
    rating, impedance, limit, running = terms
    for groups in range(1, most[0] + 1):
        units = units_needed(duty, rules, rating, impedance, groups, limit, running=running)
        if units <= most[1]:
            return StageUnits(groups, units)
    return StageUnits(*most)


@formula(
    title="Transformers new in a stage",
    equation="max(0, units - units_before)",
    unit="",
    source=METHOD,
)
def units_added(units: int, units_before: int) -> int:
    """Units to add for a stage beyond those of the stages before."""
    return max(0, units - units_before)


def order_date(energised: str, lead_weeks: float) -> str:
    """Latest ISO date to order what is in service at an ISO date, lead time in weeks."""
    return (date.fromisoformat(energised) - timedelta(weeks=lead_weeks)).isoformat()
