"""Floor steps 1 to 5 by hand arithmetic; the GB200 unit vector is in tests/reference."""

import dataclasses

import pytest

from clusterplan.sizing import floor
from clusterplan.sizing.floor import FloorDesign, FloorQuantities, floor_areas, row_count
from clusterplan.sizing.land import SubstationArea

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
    building_fixed_m2=500.0,
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
    substation_areas=(SubstationArea(345.0, 1200.0, 17.0),),
)


def quantities(**changes):
    return FloorQuantities(**({"racks": 8, "it_mw": 1.2, "facility_mw": 1.6} | changes))


def rows_of(**changes):
    q = quantities(**changes)
    return row_count(DESIGN, q, floor_areas(DESIGN, q))


class TestRacks:
    def test_network_racks_by_units_or_by_power(self):
        assert floor.network_racks(41.0, 10.0, 40.0, 30.0) == 2
        assert floor.network_racks(40.0, 91.0, 40.0, 30.0) == 4
        assert floor.network_racks(0.0, 0.0, 40.0, 30.0) == 0
        assert floor.network_racks(0.0, 90.0000000001, 40.0, 30.0) == 3

    def test_support_racks(self):
        # 4 % of 8 x 120 kW is 38.4 kW: the 4 racks of the published hall
        assert floor.support_racks(38.4, 10.0) == 4


class TestRows:
    def test_a_unit_with_its_cdus_fills_one_row(self):
        assert rows_of(su_racks=8, switch_units=240, support_kw=40.0, cdus=2) == 1

    def test_one_cabinet_more_opens_a_row(self):
        assert rows_of(su_racks=8, switch_units=241, support_kw=40.0, cdus=2) == 2

    def test_units_are_not_split(self):
        # three units of 8 racks, nothing else: 24 cabinets fit two rows, but only 2 units a row
        assert rows_of(racks=24, su_racks=8) == 2
        # of 12 racks: one unit a row, although 36 cabinets would fit two rows
        assert rows_of(racks=36, su_racks=12) == 3

    def test_a_unit_longer_than_a_row_is_split(self):
        assert rows_of(racks=64, su_racks=32) == 4

    def test_without_units(self):
        assert rows_of(racks=41) == 3
        assert rows_of(racks=0) == 0

    def test_cdus_in_racks_or_in_a_gallery_take_no_row(self):
        q = quantities(cdus=2, cdu_in_rack=True)
        assert floor_areas(DESIGN, q).row_cdus == 0
        gallery = dataclasses.replace(DESIGN, cdu_in_row=False)
        assert floor_areas(gallery, quantities(cdus=2)).row_cdus == 0


class TestAreas:
    def test_double_width_racks(self):
        # Helios: 1.2 m wide. 10 racks: 12 m x 2.7 m x 1.35
        wide = dataclasses.replace(DESIGN, rack_width_m=1.2)
        assert floor_areas(wide, quantities(racks=10)).white_m2 == pytest.approx(43.74)

    def test_grey_space_without_ups(self):
        plain = dataclasses.replace(DESIGN, grey_electrical_m2_per_mw=35.0)
        assert floor_areas(plain, quantities(it_mw=10.0)).grey_m2 == pytest.approx(650.0)

    def test_water_cooled_chillers_stand_indoors(self):
        # 10 MW of heat x 20 m2/MW x 11/10 on top of 12 MW x 110
        q = quantities(
            it_mw=12.0,
            heat_rejection="water-cooled-chiller",
            heat_rejection_mw=10.0,
            heat_rejection_units=11,
            heat_rejection_redundant=1,
        )
        areas = floor_areas(DESIGN, q)
        assert areas.grey_m2 == pytest.approx(1320.0 + 220.0)
        assert areas.yards[0][3] == pytest.approx(132.0)  # towers: 10 x 12 x 1.1

    def test_buildings_and_storeys(self):
        two = dataclasses.replace(DESIGN, storeys=2)
        areas = floor_areas(two, quantities(it_mw=100.1))
        assert areas.buildings == 3
        assert areas.footprint_m2 == pytest.approx(areas.gross_m2 / 2)

    def test_yards(self):
        q = quantities(
            facility_mw=120.0,
            heat_rejection="dry-cooler",
            heat_rejection_mw=80.0,
            heat_rejection_units=88,
            heat_rejection_redundant=8,
            trim_mw=5.0,
            air_plant_mw=20.0,
            air_plant_units=15,
            air_plant_redundant=2,
            water_peak_l_per_s=10.0,
            hv_kv=345.0,
            installed_mva=1600.0,
            generators_mw=4.0,
            battery_mwh=10.0,
        )
        yards = {kind: area for kind, _, _, area in floor_areas(DESIGN, q).yards}
        assert yards["heat rejection, dry-cooler"] == pytest.approx(80 * 70 * 88 / 80)
        assert yards["trim chillers"] == pytest.approx(300.0)
        assert yards["room-air chillers"] == pytest.approx(20 * 60 * 15 / 13)
        assert yards["unit substations"] == pytest.approx(1800.0)
        assert yards["standby generators"] == pytest.approx(100.0)
        assert yards["batteries"] == pytest.approx(200.0)
        # 10 L/s for a day is 864 m3; 5 m deep
        assert yards["water storage"] == pytest.approx(172.8)
        assert yards["HV substation"] == pytest.approx(17 * 1600 / 1200 * 4046.856, rel=1e-6)

    def test_room_air_plant_is_not_counted_twice(self):
        shared = quantities(
            heat_rejection="air-cooled-chiller",
            heat_rejection_mw=2.0,
            air_plant_mw=2.0,
            heat_rejection_is_air_plant=True,
        )
        kinds = [kind for kind, *_ in floor_areas(DESIGN, shared).yards]
        assert kinds == ["heat rejection, air-cooled-chiller", "unit substations"]

    def test_no_hv_yard_at_a_medium_voltage_service(self):
        areas = floor_areas(DESIGN, quantities(hv_kv=34.5, installed_mva=20.0))
        assert [kind for kind, *_ in areas.yards] == ["unit substations"]
