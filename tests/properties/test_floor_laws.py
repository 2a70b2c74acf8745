"""Laws of the floor: more of anything never needs less ground."""

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.units import ACRE_M2
from clusterplan.sizing import land
from clusterplan.sizing.floor import (
    FloorDesign,
    FloorQuantities,
    floor_areas,
    network_racks,
    row_count,
)

AREAS = (land.SubstationArea(138.0, 200.0, 3.0), land.SubstationArea(345.0, 1200.0, 17.0))
PLANT = {
    "dry-cooler": 70.0,
    "adiabatic-cooler": 60.0,
    "open-cooling-tower": 12.0,
    "air-cooled-chiller": 60.0,
    "water-cooled-chiller": 20.0,
}

designs = st.builds(
    FloorDesign,
    rack_width_m=st.sampled_from([0.6, 0.75, 1.2]),
    layout_depth_m=st.floats(1.2, 1.6),
    rack_weight_kg=st.floats(500.0, 4000.0),
    row_positions_max=st.integers(4, 40),
    cold_aisle_m=st.just(1.8),
    hot_aisle_m=st.just(1.2),
    row_pitch_m=st.floats(2.0, 4.0),
    hall_factor=st.floats(1.0, 2.0),
    grey_electrical_m2_per_mw=st.floats(20.0, 120.0),
    grey_mechanical_m2_per_mw=st.floats(10.0, 60.0),
    gross_over_net=st.floats(1.0, 2.0),
    building_fixed_m2=st.floats(0.0, 1000.0),
    plant_block_mw=st.floats(5.0, 100.0),
    storeys=st.integers(1, 4),
    site_coverage=st.floats(0.1, 0.5),
    buffer_factor=st.floats(1.0, 2.0),
    cdu_in_row=st.booleans(),
    cdu_width_m=st.just(0.9),
    network_rack_kw=st.just(30.0),
    network_rack_units=st.just(40.0),
    support_rack_kw=st.just(10.0),
    floor_rating_kpa=st.just(12.0),
    overhead_load_kpa=st.just(2.4),
    unit_substation_m2_per_mw=st.just(15.0),
    water_storage_h=st.just(24.0),
    plant_m2_per_mw=st.just(PLANT),
    substation_areas=st.just(AREAS),
)
mw = st.floats(0.0, 3000.0)
plans = st.builds(
    FloorQuantities,
    racks=st.integers(0, 20_000),
    it_mw=mw,
    facility_mw=mw,
    su_racks=st.one_of(st.none(), st.integers(1, 40)),
    switch_units=st.floats(0.0, 50_000.0),
    network_kw=st.floats(0.0, 50_000.0),
    support_kw=st.floats(0.0, 50_000.0),
    cdus=st.integers(0, 3000),
    heat_rejection=st.sampled_from(sorted(PLANT)),
    heat_rejection_mw=mw,
    heat_rejection_units=st.integers(0, 500),
    heat_rejection_redundant=st.integers(0, 3),
    trim_mw=st.floats(0.0, 100.0),
    air_plant_mw=mw,
    water_peak_l_per_s=st.one_of(st.none(), st.floats(0.0, 500.0)),
    hv_kv=st.sampled_from([13.8, 138.0, 161.0, 345.0, 765.0]),
    installed_mva=st.floats(0.0, 5000.0),
    generation=st.sampled_from([(), (("fuel_cell", 500.0),), (("solar", 100.0), ("hydro", 5.0))]),
    storage_mwh=st.floats(0.0, 5000.0),
    generators_mw=st.floats(0.0, 100.0),
    battery_mwh=st.floats(0.0, 100.0),
)
GROWING = (
    "racks",
    "it_mw",
    "facility_mw",
    "switch_units",
    "network_kw",
    "support_kw",
    "cdus",
    "heat_rejection_mw",
    "trim_mw",
    "air_plant_mw",
    "water_peak_l_per_s",
    "installed_mva",
    "storage_mwh",
    "generators_mw",
    "battery_mwh",
)
SLACK = 1 - 1e-12


@given(design=designs, plan=plans, name=st.sampled_from(GROWING), more=st.integers(1, 500))
@settings(max_examples=120, deadline=None)
def test_more_of_anything_never_needs_less(design, plan, name, more):
    grown = dataclasses.replace(plan, **{name: (getattr(plan, name) or 0) + more})
    before, after = floor_areas(design, plan), floor_areas(design, grown)
    assert after.acres >= before.acres * SLACK
    assert after.white_m2 >= before.white_m2 * SLACK
    assert after.grey_m2 >= before.grey_m2 * SLACK
    assert after.gross_m2 >= before.gross_m2 * SLACK
    assert after.yards_m2 >= before.yards_m2 * SLACK


@given(design=designs, plan=plans)
@settings(max_examples=60, deadline=None)
def test_whole_is_the_sum_of_its_parts(design, plan):
    areas = floor_areas(design, plan)
    assert areas.yards_m2 == sum(area for *_, area in areas.yards)
    assert areas.gross_m2 >= areas.white_m2 + areas.grey_m2
    assert areas.footprint_m2 <= areas.gross_m2
    # the plot holds buildings and yards at the coverage, and the generation beside them
    plot_m2 = areas.acres * ACRE_M2 / design.buffer_factor
    assert plot_m2 * (1 + 1e-9) >= areas.footprint_m2 + areas.yards_m2


@given(design=designs, plan=plans)
@settings(max_examples=60, deadline=None)
def test_rows_hold_all_cabinets(design, plan):
    areas = floor_areas(design, plan)
    cabinets = plan.racks + areas.network_racks + areas.support_racks + areas.row_cdus
    rows = row_count(design, plan, areas)
    assert rows * design.row_positions_max >= cabinets
    if plan.su_racks is None:
        assert (rows - 1) * design.row_positions_max < cabinets or rows == 0


@given(plan=plans)
@settings(max_examples=40, deadline=None)
def test_double_site_needs_at_most_double_racks(plan):
    design_kw, units = 30.0, 40.0
    one = network_racks(plan.switch_units, plan.network_kw, units, design_kw)
    two = network_racks(2 * plan.switch_units, 2 * plan.network_kw, units, design_kw)
    assert one <= two <= 2 * one
