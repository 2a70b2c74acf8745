"""Floor, buildings and land."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class YardRow:
    """Ground outside the buildings for one kind of plant; `quantity` is what it was sized for."""

    kind: str
    quantity: float = figure("Quantity", formula="given")
    unit: str
    area_m2: float = figure(
        "Area",
        formula="plant_yard_m2|proportional_yard_m2|water_storage_yard_m2|hv_substation_yard_m2",
    )


@frozen
class FloorSection:
    """Rack positions, rows, space, yards, acres, structure."""

    compute_racks: int = figure("Compute racks", formula="given", detail=True)
    network_racks: int = figure("Network racks", basis="rack units and kW of the switches")
    support_racks: int = figure("Storage and management racks")
    cdu_positions: int = figure("CDUs in the rows", basis="spares included", formula="given")
    positions: int = figure("Cabinet positions", formula="floor_positions")
    rows: int = figure("Rows")
    row_length_m: float = figure("Length of all rows", digits=1, detail=True)
    row_pitch_m: float = figure(
        "Row pitch", basis="depth and half of both aisles", digits=2, detail=True
    )
    white_space_m2: float = figure("White space", digits=0)
    white_per_position_m2: float | None = figure("White space per cabinet", digits=2, detail=True)
    grey_space_m2: float = figure("Grey space", digits=0)
    buildings: int = figure("Buildings", basis="one per plant block", detail=True)
    gross_m2: float = figure("Gross floor area", digits=0)
    gross_m2_per_mw: float | None = figure(
        "Gross floor area per IT MW", basis="150-450 at public AI sites", digits=0, detail=True
    )
    storeys: int = figure("Storeys", formula="given", detail=True)
    footprint_m2: float = figure("Building footprint", digits=0, detail=True)
    yards_m2: float = figure("Yards", basis="spares included", digits=0)
    yards: tuple[YardRow, ...] = ()
    generation_acres: float = figure(
        "Land of generation and storage", basis="before the buffer", digits=1, detail=True
    )
    acres_needed_acres: float = figure(
        "Land needed", basis="buffer included", formula="acres_needed", digits=1
    )
    acres_held_acres: float | None = figure(
        "Land held", basis="buildable", formula="buildable_acres"
    )
    acres_margin_acres: float | None = figure(
        "Land left", basis="held less needed", formula="acres_margin", digits=1, detail=True
    )
    land_acres_per_mw: float | None = figure(
        "Campus land per facility MW", basis="0.4-1.0 at public campuses", digits=2
    )
    acres_check_low_acres: float = figure(
        "Land by rule of thumb, low", formula="campus_check_acres", digits=0, detail=True
    )
    acres_check_high_acres: float = figure(
        "Land by rule of thumb, high", formula="campus_check_acres", digits=0, detail=True
    )
    rack_width_m: float = figure("Rack width", formula="given", detail=True)
    rack_depth_m: float = figure("Rack depth", basis="layout", formula="given", detail=True)
    rack_weight_kg: float = figure("Rack weight", formula="given", detail=True)
    rack_load_kpa: float = figure(
        "Rack load on its footprint", formula="footprint_load_kpa", digits=1
    )
    rack_row_load_kpa: float = figure(
        "Rack load averaged over the row", formula="row_load_kpa", digits=1
    )
    cdu_load_kpa: float | None = figure(
        "CDU load on its footprint",
        basis="wet",
        formula="footprint_load_kpa",
        digits=1,
        detail=True,
    )
    cdu_row_load_kpa: float | None = figure(
        "CDU load averaged over the row", basis="wet", formula="row_load_kpa", digits=1, detail=True
    )
    overhead_load_kpa: float = figure(
        "Hanging load", basis="trays, busway, filled pipe", formula="given", detail=True
    )
    row_load_with_overhead_kpa: float = figure(
        "Row average with hanging load", digits=1, detail=True
    )
    floor_rating_kpa: float = figure("Floor rating", formula="given", detail=True)
    floor_verdict: str
