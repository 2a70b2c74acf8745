"""Rack positions, rows, white, grey and gross floor, yards and acres of a site.

Steps 1 to 7 of the floor chain. `floor_areas` is a closed form of plain floats, fast enough to be
called for every rack count that a solve tries.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing import land
from clusterplan.sizing.heat_rejection import AIR_CHILLER, OPEN_TOWER, WATER_CHILLER
from clusterplan.sizing.substation_tables import MV_SERVICE_MAX_KV

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterplan.sizing.land import SubstationArea

STEP_1 = "clusterplan method, floor step 1 (public GB200 hall tool: 30 kW a network rack)"
STEP_2 = "clusterplan method, floor step 2"
STEP_3 = "clusterplan method, floor step 3"
STEP_4 = "clusterplan method, floor step 4"
STEP_5 = "clusterplan method, floor step 5"
SUPPORT_RACK_WIDTH_M = 0.6


@dataclass(frozen=True, eq=False, repr=False)
class FloorDesign:
    """Everything about the floor that does not change with the number of racks. m, m2, kW, kPa.

    grey_electrical_m2_per_mw: with or without the UPS rooms, as the site has one or not.
    plant_m2_per_mw: ground of each heat-rejection type per MW of heat; that of a water-cooled
    chiller is indoors, its towers are the yard.
    """

    rack_width_m: float
    layout_depth_m: float
    rack_weight_kg: float
    row_positions_max: int
    cold_aisle_m: float
    hot_aisle_m: float
    row_pitch_m: float
    hall_factor: float
    grey_electrical_m2_per_mw: float
    grey_mechanical_m2_per_mw: float
    gross_over_net: float
    building_fixed_m2: float
    plant_block_mw: float
    storeys: int
    site_coverage: float
    buffer_factor: float
    cdu_in_row: bool
    cdu_width_m: float
    network_rack_kw: float
    network_rack_units: float
    support_rack_kw: float
    floor_rating_kpa: float
    overhead_load_kpa: float
    unit_substation_m2_per_mw: float
    water_storage_h: float
    plant_m2_per_mw: Mapping[str, float]
    substation_areas: tuple[SubstationArea, ...] = ()
    acres_held: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class FloorQuantities:
    """What the other disciplines ask room for. All counts include spares.

    su_racks: racks of a scalable unit, None where there is none.
    switch_units, network_kw: rack units and power of the switches (None: fabric not counted).
    cdu_width_m, cdu_depth_m, cdu_weight_kg: of one CDU, None where its row has none.
    cdu_in_rack: the CDUs sit inside the racks and take no position.
    heat_rejection_is_air_plant: no liquid racks, the plant named is that of the room air.
    generation: (type, gross MW) of the units on site.
    generators_mw, battery_mwh: standby sets and batteries of the facility itself.
    """

    racks: int
    it_mw: float
    facility_mw: float
    su_racks: int | None = None
    switch_units: float | None = None
    network_kw: float = 0.0
    support_kw: float = 0.0
    cdus: int = 0
    cdu_width_m: float | None = None
    cdu_depth_m: float | None = None
    cdu_weight_kg: float | None = None
    cdu_in_rack: bool = False
    heat_rejection: str = "dry-cooler"
    heat_rejection_mw: float = 0.0
    heat_rejection_units: int = 0
    heat_rejection_redundant: int = 0
    heat_rejection_is_air_plant: bool = False
    trim_mw: float = 0.0
    trim_units: int = 0
    trim_redundant: int = 0
    air_plant_mw: float = 0.0
    air_plant_units: int = 0
    air_plant_redundant: int = 0
    water_peak_l_per_s: float | None = None
    hv_kv: float = 0.0
    installed_mva: float = 0.0
    generation: tuple[tuple[str, float], ...] = ()
    storage_mwh: float = 0.0
    generators_mw: float = 0.0
    battery_mwh: float = 0.0


class FloorAreas(NamedTuple):
    """Positions and areas (m2) of a plan, and the acres of its plot."""

    network_racks: int
    support_racks: int
    row_cdus: int
    row_length_m: float
    white_m2: float
    grey_m2: float
    buildings: int
    gross_m2: float
    footprint_m2: float
    yards: tuple[tuple[str, float, str, float], ...]
    yards_m2: float
    generation_acres: float
    acres: float


@formula(
    title="Network racks",
    equation="max(ceil(switch_units / usable_units - 1e-9), ceil(network_kw / rack_kw - 1e-9))",
    unit="",
    source=STEP_1,
)
def network_racks(
    switch_units: float, network_kw: float, usable_units: float, rack_kw: float
) -> int:
    """Racks for the switches: by rack units or by air-cooled power (kW), whichever needs more."""
    return max(ceil(switch_units / usable_units - 1e-9), ceil(network_kw / rack_kw - 1e-9))


@formula(
    title="Storage and management racks",
    equation="ceil(support_kw / rack_kw - 1e-9)",
    unit="",
    source=STEP_1,
)
def support_racks(support_kw: float, rack_kw: float) -> int:
    """Racks for storage and management together, until their devices are counted (kW)."""
    return ceil(support_kw / rack_kw - 1e-9)


@formula(
    title="Cabinet positions",
    equation="racks + network_racks + support_racks + row_cdus",
    unit="",
    source=STEP_2 + ": a CDU counts as one cabinet",
)
def floor_positions(racks: int, network_racks: int, support_racks: int, row_cdus: int) -> int:
    """Cabinets that stand in rows."""
    return racks + network_racks + support_racks + row_cdus


@formula(
    title="Rows",
    equation="max(ceil(positions / positions_max), ceil(units / units_per_row))",
    unit="",
    source=STEP_2 + "; at most 20 cabinets a row (RISA data centre circulation rules)",
)
def rows(positions: int, positions_max: int, units: int, units_per_row: int) -> int:
    """Fewest rows with no scalable unit split (units 0 where none would fit a row anyway)."""
    return max(-(-positions // positions_max), -(-units // units_per_row))


@formula(
    title="Length of all rows",
    equation="racks * rack_width_m + support_and_network_racks * support_width_m"
    " + row_cdus * cdu_width_m",
    unit="m",
    source=STEP_2,
)
def row_length_m(
    racks: int,
    rack_width_m: float,
    support_and_network_racks: int,
    support_width_m: float,
    row_cdus: int,
    cdu_width_m: float,
) -> float:
    """Sum of the widths of everything that stands in rows (m)."""
    return (
        racks * rack_width_m + support_and_network_racks * support_width_m + row_cdus * cdu_width_m
    )


@formula(
    title="Row pitch",
    equation="layout_depth_m + (cold_aisle_m + hot_aisle_m) / 2",
    unit="m",
    source=STEP_2,
)
def row_pitch_m(layout_depth_m: float, cold_aisle_m: float, hot_aisle_m: float) -> float:
    """Depth of a row with half of each aisle beside it (m)."""
    return layout_depth_m + (cold_aisle_m + hot_aisle_m) / 2


@formula(
    title="White space",
    equation="hall_factor * row_length_m * row_pitch_m",
    unit="m2",
    source=STEP_3,
)
def white_space_m2(hall_factor: float, row_length_m: float, row_pitch_m: float) -> float:
    """Hall floor with aisles, row ends, cross aisles and perimeter (m2)."""
    return hall_factor * row_length_m * row_pitch_m


@formula(
    title="Grey space",
    equation="it_mw * (electrical_m2_per_mw + mechanical_m2_per_mw) + chillers_indoors_m2",
    unit="m2",
    source=STEP_4,
)
def grey_space_m2(
    it_mw: float,
    electrical_m2_per_mw: float,
    mechanical_m2_per_mw: float,
    chillers_indoors_m2: float = 0.0,
) -> float:
    """Electrical and mechanical rooms (m2): they follow IT power (MW), not the white space."""
    return it_mw * (electrical_m2_per_mw + mechanical_m2_per_mw) + chillers_indoors_m2


@formula(
    title="Buildings",
    equation="ceil(it_mw / plant_block_mw - 1e-9)",
    unit="",
    source=STEP_5,
)
def buildings(it_mw: float, plant_block_mw: float) -> int:
    """One building for each plant block of IT MW."""
    return ceil(it_mw / plant_block_mw - 1e-9)


@formula(
    title="Gross floor area",
    equation="gross_over_net * (white_space_m2 + grey_space_m2) + fixed_m2 * buildings",
    unit="m2",
    source=STEP_5,
)
def gross_m2(
    gross_over_net: float,
    white_space_m2: float,
    grey_space_m2: float,
    fixed_m2: float,
    buildings: int,
) -> float:
    """Whole buildings (m2): walls, corridors and risers, and offices, loading, stores of each."""
    return gross_over_net * (white_space_m2 + grey_space_m2) + fixed_m2 * buildings


@formula(title="Building footprint", equation="gross_m2 / storeys", unit="m2", source=STEP_5)
def footprint_m2(gross_m2: float, storeys: int) -> float:
    """Ground that the buildings cover (m2)."""
    return gross_m2 / storeys


@formula(
    title="All yards",
    equation="sum(areas_m2)",
    unit="m2",
    source=land.STEP_6,
)
def yards_m2(areas_m2: tuple[float, ...]) -> float:
    """Sum of the yards (m2)."""
    return sum(areas_m2)


@formula(
    title="Gross floor area per IT MW",
    equation="gross_m2 / it_mw",
    unit="m2/MW",
    source=STEP_5 + ": 150-450 at public AI sites",
)
def gross_m2_per_mw(gross_m2: float, it_mw: float) -> float:
    """Gross m2 per IT MW, to compare with 150-450 at public AI sites."""
    return gross_m2 / it_mw


@formula(
    title="White space per cabinet",
    equation="white_space_m2 / positions",
    unit="m2",
    source=STEP_3 + ": 2.0-4.6 in public layouts",
)
def white_per_position_m2(white_space_m2: float, positions: int) -> float:
    """White m2 of one cabinet position, to compare with 2.0-4.6 in public layouts."""
    return white_space_m2 / positions


def floor_areas(design: FloorDesign, q: FloorQuantities) -> FloorAreas:
    """Positions, areas and acres of a plan: the closed form of steps 1 to 7."""
    network = network_racks(
        q.switch_units or 0.0, q.network_kw, design.network_rack_units, design.network_rack_kw
    )
    support = support_racks(q.support_kw, design.support_rack_kw)
    cdus = 0 if q.cdu_in_rack or not design.cdu_in_row else q.cdus
    cdu_width = design.cdu_width_m if q.cdu_width_m is None else q.cdu_width_m
    length = row_length_m(
        q.racks, design.rack_width_m, network + support, SUPPORT_RACK_WIDTH_M, cdus, cdu_width
    )
    white = white_space_m2(design.hall_factor, length, design.row_pitch_m)
    grey = grey_space_m2(
        q.it_mw,
        design.grey_electrical_m2_per_mw,
        design.grey_mechanical_m2_per_mw,
        _chillers_indoors_m2(design, q),
    )
    count = buildings(q.it_mw, design.plant_block_mw)
    gross = gross_m2(design.gross_over_net, white, grey, design.building_fixed_m2, count)
    footprint = footprint_m2(gross, design.storeys)
    parts = _yards(design, q)
    total = yards_m2(tuple([part[3] for part in parts]))
    generation = land.generation_acres(q.generation, q.storage_mwh)
    acres = land.acres_needed(
        footprint, total, generation, design.site_coverage, design.buffer_factor
    )
    return FloorAreas(
        network, support, cdus, length, white, grey, count, gross, footprint, parts, total,
        generation, acres,
    )  # fmt: skip


def row_count(design: FloorDesign, q: FloorQuantities, areas: FloorAreas) -> int:
    """Rows of at most `row_positions_max` cabinets, a scalable unit and its CDUs kept together.

    A unit too long for a row is split; network and support racks fill what is left of any row.
    """
    cabinets = floor_positions(q.racks, areas.network_racks, areas.support_racks, areas.row_cdus)
    if not q.su_racks or not q.racks:
        return rows(cabinets, design.row_positions_max, 0, 1)
    units = -(-q.racks // q.su_racks)
    block = min(q.racks, q.su_racks) + -(-areas.row_cdus // units)
    if block > design.row_positions_max:
        return rows(cabinets, design.row_positions_max, 0, 1)
    return rows(cabinets, design.row_positions_max, units, design.row_positions_max // block)


def _chillers_indoors_m2(design: FloorDesign, q: FloorQuantities) -> float:
    """Machine room of a water-cooled chiller plant; its towers are a yard."""
    if q.heat_rejection != WATER_CHILLER or q.heat_rejection_mw <= 0.0:
        return 0.0
    return land.plant_yard_m2(
        q.heat_rejection_mw,
        design.plant_m2_per_mw[WATER_CHILLER],
        q.heat_rejection_units,
        q.heat_rejection_redundant,
    )


def _yards(design: FloorDesign, q: FloorQuantities) -> tuple[tuple[str, float, str, float], ...]:
    """Yards that are not empty: kind, quantity, its unit, area in m2."""
    parts: list[tuple[str, float, str, float]] = []
    ground = design.plant_m2_per_mw
    if q.heat_rejection_mw > 0.0:
        area = land.plant_yard_m2(
            q.heat_rejection_mw,
            ground[OPEN_TOWER if q.heat_rejection == WATER_CHILLER else q.heat_rejection],
            q.heat_rejection_units,
            q.heat_rejection_redundant,
        )
        parts.append((f"heat rejection, {q.heat_rejection}", q.heat_rejection_mw, "MW", area))
    if q.trim_mw > 0.0 and not q.heat_rejection.endswith("chiller"):
        area = land.plant_yard_m2(q.trim_mw, ground[AIR_CHILLER], q.trim_units, q.trim_redundant)
        parts.append(("trim chillers", q.trim_mw, "MW", area))
    if q.air_plant_mw > 0.0 and not q.heat_rejection_is_air_plant:
        area = land.plant_yard_m2(
            q.air_plant_mw, ground[AIR_CHILLER], q.air_plant_units, q.air_plant_redundant
        )
        parts.append(("room-air chillers", q.air_plant_mw, "MW", area))
    for kind, quantity, unit, rate in (
        ("unit substations", q.facility_mw, "MW", design.unit_substation_m2_per_mw),
        ("standby generators", q.generators_mw, "MW", land.GENERATOR_M2_PER_MW),
        ("batteries", q.battery_mwh, "MWh", land.BATTERY_M2_PER_MWH),
    ):
        if quantity > 0.0:
            parts.append((kind, quantity, unit, land.proportional_yard_m2(quantity, rate)))
    if q.water_peak_l_per_s:
        area = land.water_storage_yard_m2(q.water_peak_l_per_s, design.water_storage_h)
        parts.append(("water storage", q.water_peak_l_per_s, "L/s", area))
    if q.hv_kv > MV_SERVICE_MAX_KV and q.installed_mva > 0.0:
        acres = land.hv_substation_acres(q.hv_kv, q.installed_mva, design.substation_areas)
        area = land.hv_substation_yard_m2(acres)
        parts.append(("HV substation", q.installed_mva, "MVA", area))
    return tuple(parts)
