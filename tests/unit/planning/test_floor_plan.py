"""The floor of a site from choices and catalogue: vector, warnings, explanation of every figure."""

import pytest

from clusterplan import catalog
from clusterplan.catalog.kinds import design_fields
from clusterplan.core.figures import rows_of
from clusterplan.core.record import recording
from clusterplan.core.shown_units import unit_of
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.floor_plan import (
    FloorQuantities,
    acres_needed,
    buildable_acres,
    floor_design,
    floor_section,
)
from clusterplan.planning.rack_choice import choose_rack
from clusterplan.reporting.sheets import explain_row


def design_of(rack_id="gb200-nvl72", acres_held=None, **chosen):
    paths = {name.replace("__", "."): value for name, value in chosen.items()}
    made = Choices(design_fields(), paths, Ledger())
    row = catalog.rack(rack_id)
    rack = choose_rack(row, catalog.accelerator(row.accelerator), made)
    return floor_design(made, rack, acres_held=acres_held), made.ledger


UNIT = {
    "racks": 8, "it_mw": 1.2, "facility_mw": 1.5, "su_racks": 8, "switch_units": 240.0,
    "network_kw": 60.0, "support_kw": 40.0, "cdus": 2, "cdu_width_m": 0.9, "cdu_depth_m": 1.243,
    "cdu_weight_kg": 1086.0,
}  # fmt: skip
CAMPUS = {
    "racks": 6000, "it_mw": 900.0, "facility_mw": 1200.0, "su_racks": 8,
    "switch_units": 20_000.0, "network_kw": 40_000.0, "support_kw": 34_000.0, "cdus": 1500,
    "heat_rejection": "air-cooled-chiller", "heat_rejection_mw": 780.0,
    "heat_rejection_units": 540, "heat_rejection_redundant": 50, "air_plant_mw": 170.0,
    "air_plant_units": 118, "air_plant_redundant": 11, "hv_kv": 345.0, "installed_mva": 1665.0,
    "generation": (("gas_turbine", 360.0),), "storage_mwh": 400.0, "water_peak_l_per_s": 2.0,
}  # fmt: skip


def test_gb200_unit_with_catalogue_defaults():
    # published unit: 12.6 m of row, 45.9 m2 white, 132 m2 grey, 249 m2 gross before the fixed part
    design, _ = design_of(floor__building_fixed=0.0)
    section = floor_section(design, FloorQuantities(**UNIT))
    assert section.positions == 20
    assert section.rows == 1
    assert section.row_length_m == pytest.approx(12.6, rel=0.01)
    assert section.white_space_m2 == pytest.approx(45.9, rel=0.01)
    assert section.grey_space_m2 == pytest.approx(132.0, rel=0.01)
    assert section.gross_m2 == pytest.approx(249.0, rel=0.01)
    assert section.rack_load_kpa == pytest.approx(18.5, rel=0.01)
    assert section.rack_row_load_kpa == pytest.approx(8.2, rel=0.01)
    assert section.floor_verdict.startswith("spreader plates or slab")
    # XDU1350: 1,086 kg on 0.9 x 1.243 m
    assert section.cdu_load_kpa == pytest.approx(1086 * 9.81 / (0.9 * 1.243) / 1000)


def test_gigawatt_campus_is_within_the_public_ranges():
    design, ledger = design_of("gb300-nvl72", acres_held=1100.0)
    section = floor_section(design, FloorQuantities(**CAMPUS), ledger)
    assert 0.4 <= section.land_acres_per_mw <= 1.0
    assert 150 <= section.gross_m2_per_mw <= 450
    assert section.buildings == 18
    assert section.acres_margin_acres > 0
    assert not ledger.warnings
    assert section.acres_needed_acres == acres_needed(design, FloorQuantities(**CAMPUS))


@pytest.mark.parametrize("water", [None, 20.0])
def test_sizes_that_no_choice_sets_are_assumptions(water):
    design, ledger = design_of("gb300-nvl72", acres_held=1100.0)
    floor_section(design, FloorQuantities(**CAMPUS | {"water_peak_l_per_s": water}), ledger)
    listed = {item.path for item in ledger.assumptions}
    assert "floor.support_rack_width" in listed
    assert ("floor.yards.water_depth" in listed) == (water is not None)


@pytest.mark.parametrize("plant", [row.id for row in catalog.heat_rejection_footprints()])
def test_every_figure_of_the_floor_section_is_explained(plant):
    design, ledger = design_of("gb300-nvl72", acres_held=1100.0)
    q = FloorQuantities(**(CAMPUS | {"heat_rejection": plant, "trim_mw": 5.0}))
    with recording() as record:
        section = floor_section(design, q, ledger)
    for item in rows_of("floor", section):
        assert item.value is not None
        assert explain_row(item, record), item.path
    assert sum(yard.area_m2 for yard in section.yards) == section.yards_m2


def test_ups_decides_the_electrical_rooms():
    with_ups, ledger = design_of()
    assert with_ups.grey_electrical_m2_per_mw == 80.0
    assert "design.floor.grey_electrical" not in {item.path for item in ledger.assumptions}
    assert design_of(ups="none")[0].grey_electrical_m2_per_mw == 35.0


def test_short_land_and_weak_floor_warn():
    design, ledger = design_of(acres_held=0.1, floor__floor_rating=7.2, floor__storeys=2)
    section = floor_section(design, FloorQuantities(**UNIT), ledger)
    assert section.acres_margin_acres < 0
    assert section.floor_verdict.startswith("not on this floor")
    assert {item.code for item in ledger.warnings} >= {"land_short", "floor_load"}


def test_cdu_may_be_the_heavier_cabinet():
    design, _ = design_of("dgx-h100-x4")
    heavy = FloorQuantities(**(UNIT | {"cdu_weight_kg": 3134.0}))
    assert "CDU" in floor_section(design, heavy).floor_verdict


def test_unknown_generation_is_counted_and_said():
    design, ledger = design_of()
    q = FloorQuantities(**(UNIT | {"generation": (("geothermal", 100.0),)}))
    assert floor_section(design, q, ledger).generation_acres == pytest.approx(10.0)
    assert "generation_land" in {item.code for item in ledger.warnings}


def test_room_without_land():
    design, ledger = design_of("dgx-h100-x4")
    q = FloorQuantities(racks=40, it_mw=1.7, facility_mw=2.2, hv_kv=13.8, installed_mva=3.0)
    section = floor_section(design, q, ledger)
    assert section.acres_held_acres is None
    assert section.acres_margin_acres is None
    assert not ledger.warnings


def test_nothing_planned():
    design, _ = design_of()
    section = floor_section(design, FloorQuantities(racks=0, it_mw=0.0, facility_mw=0.0))
    assert section.rows == 0
    assert section.white_per_position_m2 is None
    assert section.acres_needed_acres == 0.0


def test_buildable_default_is_listed():
    ledger = Ledger()
    assert buildable_acres(1000.0, None, ledger) == 750.0
    assert ledger.assumptions[0].path == "site.land.buildable"
    assert buildable_acres(1000.0, 900.0, ledger) == 900.0
    assert buildable_acres(None, None, ledger) is None


def test_every_length_area_and_load_carries_its_unit():
    design, _ = design_of()
    for item in rows_of("floor", floor_section(design, FloorQuantities(**UNIT))):
        if isinstance(item.value, float):
            assert unit_of(item.name), item.name
