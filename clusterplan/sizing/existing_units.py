"""Transformers by kind: those that stand already, or those of a chosen scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.sizing.transformers import (
    group_firm_mva,
    paralleled_capability_mva,
    survivors_of,
    unit_capability_mva,
    without_largest_mva,
)

if TYPE_CHECKING:
    from clusterplan.sizing.grid_connection import GridConnection
    from clusterplan.sizing.substation_tables import SubstationTables


class UnitSet(NamedTuple):
    """Equal transformers: number, ratings and capability in MVA, per-unit figures on the base."""

    number: int
    base_mva: float
    top_mva: float
    capability_mva: float
    impedance: float
    no_load: float
    load_loss: float


def existing_sets(
    grid: GridConnection,
    tables: SubstationTables,
    average_ambient_temp_c: float,
    elevation_m: float,
) -> tuple[UnitSet, ...]:
    """The existing transformers, derated for the site, unknown figures by their class."""
    found = []
    for unit in grid.existing:
        base = unit.mva_onan if unit.mva_onan is not None else tables.base_of(unit.mva)
        impedance = (
            tables.impedance(base, grid.voltage_kv or 0.0)
            if unit.impedance_percent is None
            else unit.impedance_percent / 100.0
        )
        no_load, load_loss = tables.unit_losses(base)
        capability = unit_capability_mva(unit.mva, average_ambient_temp_c, elevation_m)
        found.append(UnitSet(unit.count, base, unit.mva, capability, impedance, no_load, load_loss))
    return tuple(found)


def without_largest(sets: tuple[UnitSet, ...], out: int) -> tuple[UnitSet, ...]:
    """The sets with the `out` most capable units taken out; at least one unit stays."""
    left = []
    total = sum(row.number for row in sets)
    out = min(out, total - 1)
    for row in sorted(sets, key=lambda row: -row.capability_mva):
        taken = min(out, row.number)
        out -= taken
        if row.number > taken:
            left.append(row._replace(number=row.number - taken))
    return tuple(left)


def firm_of_existing_mva(sets: tuple[UnitSet, ...], redundant: int, running: str) -> float:
    """MVA of existing units with the `redundant` largest out, their present load not taken off.

    Paralleled unequal units share as base/impedance, so the first at its capability sets the sum.
    In pairs and with two neighbours a lost section goes to so many others, each taken as the
    least unit.
    """
    each = tuple(row.capability_mva for row in sets for _ in range(row.number))
    out = min(redundant, len(each))
    firm = without_largest_mva(each, out)
    if out == len(each):
        return firm
    if running == "paralleled":
        left = [row for row in without_largest(sets, out) for _ in range(row.number)]
        return paralleled_capability_mva(
            tuple(row.capability_mva for row in left),
            tuple(row.base_mva for row in left),
            tuple(row.impedance for row in left),
        )
    survivors = survivors_of(running, len(each))
    if out and survivors is not None:
        return min(firm, group_firm_mva(len(each), out, min(each), survivors))
    return firm
