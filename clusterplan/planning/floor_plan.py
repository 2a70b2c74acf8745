"""The floor of one site: choices and rack resolved once, then areas for any number of racks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.core.results.floor import FloorSection, YardRow
from clusterplan.sizing import floor, land, structure
from clusterplan.sizing.floor import FloorAreas, FloorDesign, FloorQuantities
from clusterplan.sizing.heat_rejection import AIR_CHILLER, OPEN_TOWER, WATER_CHILLER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.equipment import SubstationYard
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.rack_choice import RackChoice

__all__ = ["FloorDesign", "FloorQuantities", "acres_needed", "floor_design", "floor_section"]

BUILDABLE_SHARE = 0.75
UPS_IN_ROOMS = ("double-conversion", "eco")
CDU_DEPTH_M = 1.2
CDU_WEIGHT_KG = 1600.0
GROSS_CHECK_M2_PER_MW = (150.0, 450.0)
GROSS_CHECK_FROM_MW = 20.0  # public AI sites, not rooms
ACRES_PER_MW_WARNING = (0.3, 2.0)


def floor_design(
    choices: Choices, chosen: RackChoice, *, acres_held: float | None = None
) -> FloorDesign:
    """Floor choices, rack dimensions and the catalogue's footprints as plain figures.

    acres_held: buildable acres, None where the site has no land of its own.
    """
    insulation = choices.text("electrical.yard")
    cold = choices.number("floor.cold_aisle")
    hot = choices.number("floor.hot_aisle")
    depth_m = chosen.layout_depth_mm / 1000
    # a UPS at medium voltage or in the racks needs no rooms
    ups = choices.text("ups") != "none" and choices.text("electrical.ups_kind") in UPS_IN_ROOMS
    return FloorDesign(
        rack_width_m=chosen.width_mm / 1000,
        layout_depth_m=depth_m,
        rack_weight_kg=chosen.weight_kg,
        row_positions_max=choices.integer("floor.row_positions_max"),
        cold_aisle_m=cold,
        hot_aisle_m=hot,
        row_pitch_m=floor.row_pitch_m(depth_m, cold, hot),
        hall_factor=choices.number("floor.hall_factor"),
        grey_electrical_m2_per_mw=choices.number(
            "floor.grey_electrical_ups" if ups else "floor.grey_electrical"
        ),
        grey_mechanical_m2_per_mw=choices.number("floor.grey_mechanical"),
        gross_over_net=choices.number("floor.gross_over_net"),
        building_fixed_m2=choices.number("floor.building_fixed"),
        plant_block_mw=choices.number("cooling.plant_block"),
        storeys=choices.integer("floor.storeys"),
        site_coverage=choices.number("floor.site_coverage"),
        buffer_factor=choices.number("floor.buffer_factor"),
        cdu_in_row=choices.flag("floor.cdu_in_row"),
        cdu_width_m=choices.number("floor.cdu_width"),
        network_rack_kw=choices.number("floor.network_rack_power"),
        network_rack_units=choices.number("floor.network_rack_units"),
        support_rack_kw=choices.number("floor.support_rack_power"),
        floor_rating_kpa=choices.number("floor.floor_rating"),
        overhead_load_kpa=choices.number("floor.overhead_load"),
        unit_substation_m2_per_mw=choices.number("floor.yard_unit_substations"),
        water_storage_h=choices.number("cooling.tower_storage"),
        plant_m2_per_mw={
            row.id: row.footprint_m2_per_mw for row in catalog.heat_rejection_footprints()
        },
        substation_areas=tuple(
            land.SubstationArea(row.hv_kv, row.transformers_mva, _yard_acres(row, insulation))
            for row in catalog.substation_yards()
        ),
        acres_held=acres_held,
    )


def _yard_acres(row: SubstationYard, insulation: str) -> float:
    """Middle of the range of an open-air or a gas-insulated yard."""
    if insulation == "gis":
        return (row.gis_min_acres + row.gis_max_acres) / 2
    return (row.ais_min_acres + row.ais_max_acres) / 2


def buildable_acres(
    gross_acres: float | None, buildable_acres: float | None, ledger: Ledger
) -> float | None:
    """Acres that may be built on: as given, else 0.75 of gross (listed), else None."""
    if buildable_acres is not None or gross_acres is None:
        return buildable_acres
    value = land.buildable_acres(gross_acres, BUILDABLE_SHARE)
    ledger.assume(
        "site.land.buildable",
        value,
        "acres",
        "0.75 of gross, clusterplan method, siting section 7",
    )
    return value


def acres_needed(design: FloorDesign, quantities: FloorQuantities) -> float:
    """Acres of the whole plot, buffer included: the figure that the land limit compares."""
    return floor.floor_areas(design, quantities).acres


def floor_section(
    design: FloorDesign, quantities: FloorQuantities, ledger: Ledger | None = None
) -> FloorSection:
    """The floor section; with a ledger also its assumptions and warnings.

    Call it while recording, so that every figure is explained.
    """
    areas = floor.floor_areas(design, quantities)
    _note_rates(design, areas)
    structural, verdict = _structure(design, quantities)
    section = FloorSection(
        **_space(design, quantities, areas), **_land(design, quantities, areas), **structural
    )
    _note_given(section)
    if ledger is not None:
        _assume_plant(quantities, ledger)
        _warn(section, quantities, verdict, ledger)
    return section


def _note_rates(design: FloorDesign, areas: FloorAreas) -> None:
    """Note the ground rates of the catalogue, and the racks that are not compute racks."""
    for kind, rate in design.plant_m2_per_mw.items():
        path = f"floor.heat_rejection_footprints.{kind}.plant_m2_per_mw"
        given(path, rate, "m2/MW", "catalogue, heat rejection footprints")
    low, high = land.CAMPUS_ACRES_PER_MW
    given("floor.campus_check_low.acres_per_mw", low, "acres/MW", land.SITING_6)
    given("floor.campus_check_high.acres_per_mw", high, "acres/MW", land.SITING_6)
    depth = "layout depth of the rack row, at least 1.2 m"
    given("floor.layout_depth_m", design.layout_depth_m, "m", depth)
    others = areas.network_racks + areas.support_racks
    words = f"{areas.network_racks:,} network racks + {areas.support_racks:,} support racks"
    given("floor.support_and_network_racks", others, "racks", words)


def _space(design: FloorDesign, q: FloorQuantities, areas: FloorAreas) -> dict[str, Any]:
    """Figures of positions, rows and buildings."""
    cabinets = floor.floor_positions(
        q.racks, areas.network_racks, areas.support_racks, areas.row_cdus
    )
    pitch = floor.row_pitch_m(design.layout_depth_m, design.cold_aisle_m, design.hot_aisle_m)
    per_cabinet = floor.white_per_position_m2(areas.white_m2, cabinets) if cabinets else None
    per_mw = floor.gross_m2_per_mw(areas.gross_m2, q.it_mw) if q.it_mw > 0.0 else None
    return {
        "compute_racks": q.racks,
        "network_racks": areas.network_racks,
        "support_racks": areas.support_racks,
        "cdu_positions": areas.row_cdus,
        "positions": cabinets,
        "rows": floor.row_count(design, q, areas),
        "row_length_m": areas.row_length_m,
        "row_pitch_m": pitch,
        "white_space_m2": areas.white_m2,
        "white_per_position_m2": per_cabinet,
        "grey_space_m2": areas.grey_m2,
        "buildings": areas.buildings,
        "gross_m2": areas.gross_m2,
        "gross_m2_per_mw": per_mw,
        "storeys": design.storeys,
        "footprint_m2": areas.footprint_m2,
    }


def _land(design: FloorDesign, q: FloorQuantities, areas: FloorAreas) -> dict[str, Any]:
    """Figures of yards and acres."""
    low, high = (
        land.campus_check_acres(q.facility_mw, rate, areas.generation_acres)
        for rate in land.CAMPUS_ACRES_PER_MW
    )
    per_mw = None
    if q.facility_mw > 0.0:
        per_mw = land.land_acres_per_mw(
            areas.acres, areas.generation_acres, design.buffer_factor, q.facility_mw
        )
    held = design.acres_held
    return {
        "yards_m2": areas.yards_m2,
        "yards": tuple(
            YardRow(kind=kind, quantity=quantity, unit=unit, area_m2=area)
            for kind, quantity, unit, area in areas.yards
        ),
        "generation_acres": areas.generation_acres,
        "acres_needed_acres": areas.acres,
        "acres_held_acres": held,
        "acres_margin_acres": None if held is None else land.acres_margin(held, areas.acres),
        "land_acres_per_mw": per_mw,
        "acres_check_low_acres": low,
        "acres_check_high_acres": high,
    }


def _structure(design: FloorDesign, q: FloorQuantities) -> tuple[dict[str, Any], str]:
    """Loads of rack and CDU, and the verdict on the worse of the two with its code."""
    rating, storeys = design.floor_rating_kpa, design.storeys
    width, depth = design.rack_width_m, design.layout_depth_m
    on_footprint, over_row = _cabinet_loads(design, design.rack_weight_kg, width, depth)
    verdict = structure.floor_verdict(on_footprint, over_row, rating, storeys=storeys)
    cdu_loads: tuple[float | None, float | None] = (None, None)
    if q.cdus and not q.cdu_in_rack:
        loads = _cabinet_loads(
            design,
            CDU_WEIGHT_KG if q.cdu_weight_kg is None else q.cdu_weight_kg,
            design.cdu_width_m if q.cdu_width_m is None else q.cdu_width_m,
            CDU_DEPTH_M if q.cdu_depth_m is None else q.cdu_depth_m,
        )
        other = structure.floor_verdict(*loads, rating, what="CDU", storeys=storeys)
        if structure.SEVERITY.index(other.code) > structure.SEVERITY.index(verdict.code):
            verdict = other
        cdu_loads = loads
    figures = {
        "rack_width_m": width,
        "rack_depth_m": depth,
        "rack_weight_kg": design.rack_weight_kg,
        "rack_load_kpa": on_footprint,
        "rack_row_load_kpa": over_row,
        "cdu_load_kpa": cdu_loads[0],
        "cdu_row_load_kpa": cdu_loads[1],
        "overhead_load_kpa": design.overhead_load_kpa,
        "row_load_with_overhead_kpa": structure.row_load_with_overhead_kpa(
            over_row, design.overhead_load_kpa
        ),
        "floor_rating_kpa": rating,
        "floor_verdict": verdict.text,
    }
    return figures, verdict.code


def _cabinet_loads(
    design: FloorDesign, weight_kg: float, width_m: float, depth_m: float
) -> tuple[float, float]:
    """Load on the footprint and averaged over the row, kPa."""
    return (
        structure.footprint_load_kpa(weight_kg, width_m, depth_m),
        structure.row_load_kpa(weight_kg, width_m, design.row_pitch_m),
    )


def _note_given(section: FloorSection) -> None:
    """Record the figures that are chosen or come from other sections."""
    sources = {
        "compute_racks": ("racks of the plan", ""),
        "cdu_positions": ("CDUs of the cooling section that stand in rows", ""),
        "storeys": ("design.floor.storeys", ""),
        "acres_held_acres": ("site.land", "acres"),
        "rack_width_m": ("rack row or its unknown-field default", "m"),
        "rack_depth_m": ("layout depth of the rack row, at least 1.2 m", "m"),
        "rack_weight_kg": ("rack row or its unknown-field default", "kg"),
        "overhead_load_kpa": ("design.floor.overhead_load", "kPa"),
        "floor_rating_kpa": ("design.floor.floor_rating", "kPa"),
    }
    for place, yard in enumerate(section.yards):
        path = f"floor.yards.{place}.quantity"
        given(path, yard.quantity, yard.unit, "figure of its own section")
    for name, (source, unit) in sources.items():
        value = getattr(section, name)
        if value is not None:
            given(f"floor.{name}", value, unit, source)


def _assume_plant(q: FloorQuantities, ledger: Ledger) -> None:
    """List the ground factors and sizes that are used and that no choice sets."""
    plants = {q.heat_rejection: q.heat_rejection_mw}
    if q.heat_rejection == WATER_CHILLER:
        plants[OPEN_TOWER] = q.heat_rejection_mw
    plants[AIR_CHILLER] = plants.get(AIR_CHILLER, 0.0) + q.trim_mw + q.air_plant_mw
    for row in catalog.heat_rejection_footprints():
        if plants.get(row.id, 0.0) > 0.0:
            path = f"catalog.heat_rejection_footprints.{row.id}"
            rate = row.footprint_m2_per_mw
            ledger.assume(path, rate, "m2/MW", row.source, verified=row.verified)
    for name, quantity, rate, unit in (
        ("standby-generators", q.generators_mw, land.GENERATOR_M2_PER_MW, "m2/MW"),
        ("batteries", q.battery_mwh, land.BATTERY_M2_PER_MWH, "m2/MWh"),
    ):
        if quantity > 0.0:
            ledger.assume(f"floor.yards.{name}", rate, unit, land.STEP_6)
    if q.water_peak_l_per_s:
        ledger.assume("floor.yards.water_depth", land.WATER_DEPTH_M, "m", land.STEP_6)
    width = floor.SUPPORT_RACK_WIDTH_M
    ledger.assume(
        "floor.support_rack_width",
        width,
        "m",
        "19-inch rack in a 600 mm frame, engineering practice",
    )
    for kind, _ in q.generation:
        rate = land.generation_acres_per_mw(kind)
        ledger.assume(f"floor.generation.{kind}", rate, "acres/MW", land.SITING_6)
    if q.storage_mwh > 0.0:
        rate = land.STORAGE_ACRES_PER_MWH
        ledger.assume("floor.generation.storage", rate, "acres/MWh", land.SITING_6)
    if q.cdus and not q.cdu_in_rack:
        if q.cdu_depth_m is None:
            ledger.assume(
                "floor.cdu_depth", CDU_DEPTH_M, "m", "CDU size default, engineering practice"
            )
        if q.cdu_weight_kg is None:
            ledger.assume("floor.cdu_weight", CDU_WEIGHT_KG, "kg", "CDU wet weight default")


def _warn(section: FloorSection, q: FloorQuantities, verdict: str, ledger: Ledger) -> None:
    """Warn where the floor is too weak, land is short, or a check is missed."""
    if verdict == "no":
        ledger.warn("floor_load", "floor.floor_verdict", section.floor_verdict)
    margin = section.acres_margin_acres
    if margin is not None and margin < 0.0:
        ledger.warn(
            "land_short",
            "floor.acres_margin_acres",
            f"{section.acres_needed_acres:.1f} acres needed, {section.acres_held_acres:.1f} held",
        )
    low, high = GROSS_CHECK_M2_PER_MW
    per_mw = section.gross_m2_per_mw
    if per_mw is not None and q.it_mw >= GROSS_CHECK_FROM_MW and not low <= per_mw <= high:
        ledger.warn(
            "gross_area_check",
            "floor.gross_m2_per_mw",
            f"{per_mw:.0f} m2 gross per IT MW; public AI sites have {low:.0f}-{high:.0f}",
        )
    low, high = ACRES_PER_MW_WARNING
    ratio = section.land_acres_per_mw
    if section.acres_held_acres is not None and ratio is not None and not low <= ratio <= high:
        ledger.warn(
            "acres_per_mw",
            "floor.land_acres_per_mw",
            f"{ratio:.2f} acre per facility MW without generation; {low:g}-{high:g} is usual",
        )
    for path, known in _unknown_generation(q):
        ledger.warn("generation_land", path, known)


def _unknown_generation(q: FloorQuantities) -> Sequence[tuple[str, str]]:
    return [
        (
            f"site.generation.{kind}",
            f'no land figure for "{kind}"; counted at {land.GENERATION_ACRES_UNKNOWN:g} acre per'
            " MW, the top of the engine and turbine range",
        )
        for kind, _ in q.generation
        if kind not in land.GENERATION_ACRES_PER_MW
    ]
