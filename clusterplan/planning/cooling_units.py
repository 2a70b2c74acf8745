"""Machines of a cooling plant: duty units and spares of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.sizing.chillers import air_chiller_site_factor
from clusterplan.sizing.heat_rejection import (
    ADIABATIC,
    AIR_CHILLER,
    DRY,
    ONCE_THROUGH,
    TOWER_KINDS,
    WATER_CHILLER,
    UnitCount,
    air_chillers,
    dry_site_factor,
    heat_rejection_unit_kw,
    heat_rejection_units,
    rise_factor,
    tower_cells,
    trim_chillers,
)

if TYPE_CHECKING:
    from clusterplan.planning.cooling_plan import CoolingDesign, CoolingQuick


class PlantUnits(NamedTuple):
    """Main heat rejection and the capacity of one unit in kW; towers, trim and room-air chillers.

    For a tower plant `towers` are the main units themselves.
    """

    main: UnitCount
    unit_kw: float
    towers: UnitCount
    trim: UnitCount
    air: UnitCount


def plant_units(design: CoolingDesign, quick: CoolingQuick) -> PlantUnits:
    """Count the machines; also without the solve, for the ground they need."""
    plant, spec = quick.plant, design.plant
    fixed, per_spare = plant.specific.plant, spec.units_per_spare
    heat_kw = 1000.0 * plant.heat_rejection_mw
    factor, rated = 1.0, spec.tower.unit_kw
    if plant.kind in (DRY, ADIABATIC):
        clean = fixed.approach_k + fixed.rise_k - spec.dry.coil_penalty_k
        factor = dry_site_factor(clean, rise_factor(fixed.rise_k), fixed.density_ratio)
        rated = spec.dry.unit_kw
    elif plant.kind == AIR_CHILLER:
        factor, rated = air_chiller_site_factor(fixed.elevation_m), spec.chiller.air_unit_kw
    elif plant.kind == WATER_CHILLER:
        rated = spec.chiller.water_unit_kw
    elif plant.kind == ONCE_THROUGH:
        rated = spec.tower.source_unit_kw
    unit_kw = heat_rejection_unit_kw(rated, factor)
    tower_kw = heat_kw * fixed.tower_heat_per_kw
    on_towers = plant.kind in TOWER_KINDS and plant.kind != WATER_CHILLER
    main = heat_rejection_units(tower_kw if on_towers else heat_kw, unit_kw, per_spare)
    trim_kw = 0.0 if plant.kind in (AIR_CHILLER, WATER_CHILLER) else 1000.0 * plant.trim_mw
    trim_unit = spec.chiller.water_unit_kw
    if not on_towers and plant.kind != ONCE_THROUGH:
        trim_unit = spec.chiller.air_unit_kw * air_chiller_site_factor(fixed.elevation_m)
    air_unit = spec.chiller.air_unit_kw * air_chiller_site_factor(fixed.elevation_m)
    air_kw = 0.0 if plant.hung else 1000.0 * plant.air_plant_mw
    if quick.loop is None and plant.kind not in (AIR_CHILLER, WATER_CHILLER):
        # room air on coolers or towers: chillers for what these cannot carry
        air_kw = heat_kw * max(state.operation.trim_heat for state in plant.specific.states)
        air_unit = trim_unit
    return PlantUnits(
        main,
        unit_kw,
        tower_cells(tower_kw, spec.tower.unit_kw, per_spare),
        trim_chillers(trim_kw, trim_unit, per_spare),
        air_chillers(air_kw, air_unit, per_spare),
    )
