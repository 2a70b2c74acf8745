"""The floor of one GB200 scalable unit, and the loads of an NVL72.

Layout: 8 x NVL72 + 6 network + 4 storage and management racks (rack counts of a public GB200 hall
tool; NVIDIA shows the unit as one row, GB200 SuperPOD reference architecture) and 2 CDUs of 0.9 m,
at 1.2 MW with UPS. Weights: 1,360 kg GB200 (DGX GB200 user guide), 1,580 kg GB300 (Lenovo GB300
NVL72 specification). Tolerance 1 %: the published figures carry three digits.
"""

import dataclasses

import pytest

from clusterplan.sizing import power, structure
from clusterplan.sizing.floor import FloorDesign, FloorQuantities, floor_areas, row_count

DESIGN = FloorDesign(
    rack_width_m=0.6,
    layout_depth_m=1.2,
    rack_weight_kg=1360.0,
    row_positions_max=20,
    cold_aisle_m=1.8,
    hot_aisle_m=1.2,
    row_pitch_m=2.7,
    hall_factor=1.35,
    grey_electrical_m2_per_mw=80.0,
    grey_mechanical_m2_per_mw=30.0,
    gross_over_net=1.4,
    building_fixed_m2=0.0,  # "before the fixed part"
    plant_block_mw=50.0,
    storeys=1,
    site_coverage=0.2,
    buffer_factor=1.25,
    cdu_in_row=True,
    cdu_width_m=0.9,
    network_rack_kw=30.0,
    network_rack_units=40.0,
    support_rack_kw=10.0,
    floor_rating_kpa=12.0,
    overhead_load_kpa=2.4,
    unit_substation_m2_per_mw=15.0,
    water_storage_h=24.0,
    plant_m2_per_mw={
        "dry-cooler": 70.0,
        "open-cooling-tower": 12.0,
        "air-cooled-chiller": 60.0,
        "water-cooled-chiller": 20.0,
    },
)
UNIT = FloorQuantities(
    racks=8,
    it_mw=1.2,
    facility_mw=1.5,
    su_racks=8,
    switch_units=6 * 40.0,
    network_kw=60.0,
    support_kw=40.0,
    cdus=2,
)


def test_positions_and_rows():
    areas = floor_areas(DESIGN, UNIT)
    assert (areas.network_racks, areas.support_racks, areas.row_cdus) == (6, 4, 2)
    assert row_count(DESIGN, UNIT, areas) == 1


def test_areas():
    areas = floor_areas(DESIGN, UNIT)
    assert areas.row_length_m == pytest.approx(12.6, rel=0.01)
    assert areas.row_length_m * DESIGN.row_pitch_m == pytest.approx(34.0, rel=0.01)
    assert areas.white_m2 == pytest.approx(45.9, rel=0.01)
    assert areas.grey_m2 == pytest.approx(132.0, rel=0.01)
    assert areas.gross_m2 == pytest.approx(249.0, rel=0.01)
    assert areas.gross_m2 / 1.2 == pytest.approx(208.0, rel=0.01)
    assert power.white_space_density_kw_per_m2(1.2, areas.white_m2) == pytest.approx(26.0, rel=0.01)


def test_fixed_part_is_one_building():
    fixed = floor_areas(dataclasses.replace(DESIGN, building_fixed_m2=500.0), UNIT)
    assert fixed.gross_m2 == pytest.approx(749.0, rel=0.01)


@pytest.mark.parametrize(
    ("weight_kg", "footprint_kpa", "row_kpa"), [(1360.0, 18.5, 8.2), (1580.0, 21.5, 9.6)]
)
def test_loads_on_footprint_and_row(weight_kg, footprint_kpa, row_kpa):
    on_footprint = structure.footprint_load_kpa(weight_kg, 0.6, 1.2)
    over_row = structure.row_load_kpa(weight_kg, 0.6, 2.7)
    assert on_footprint == pytest.approx(footprint_kpa, rel=0.01)
    assert over_row == pytest.approx(row_kpa, rel=0.01)
    assert structure.floor_verdict(on_footprint, over_row, 12.0).code == "spread"


def test_deschutes_cdu_load():
    # 3,134 kg wet on 1.657 x 1.074 m: 17.3 kPa (OCP Project Deschutes sizes)
    assert structure.footprint_load_kpa(3134.0, 1.657, 1.074) == pytest.approx(17.3, rel=0.01)
