"""Yards and acres: floor steps 6 and 7, siting section 6; hand arithmetic."""

import pytest

from clusterplan.sizing import land
from clusterplan.sizing.land import SubstationArea

# open-air yards as published: kV, installed MVA, middle of the acre range
ROWS = (
    SubstationArea(138.0, 200.0, 3.0),  # 2 x 100 MVA, 2-4 acres
    SubstationArea(230.0, 300.0, 4.5),  # 3 x 100 MVA, 3-6
    SubstationArea(230.0, 600.0, 9.0),  # 4 x 150 MVA, 6-12
    SubstationArea(345.0, 1200.0, 17.0),  # 4 x 300 MVA, 12-22
    SubstationArea(500.0, 2187.5, 37.5),  # 3-4 x 500-750 MVA, 25-50
)


@pytest.mark.parametrize(
    ("kv", "mva", "acres"),
    [
        (138.0, 100.0, 3.0),  # at least the row
        (138.0, 500.0, 7.5),
        (230.0, 250.0, 4.5),  # the smallest result of the two rows
        (230.0, 900.0, 13.5),  # 4.5 x 3 and 9 x 1.5 agree
        (161.0, 250.0, 4.5),  # the next row above
        (69.0, 100.0, 3.0),
        (345.0, 1600.0, 17.0 * 4 / 3),
        (765.0, 1000.0, 37.5),  # above the rows: the highest
        (34.5, 50.0, 0.0),  # medium-voltage service
        (138.0, 0.0, 0.0),
    ],
)
def test_hv_yard(kv, mva, acres):
    assert land.hv_substation_acres(kv, mva, ROWS) == pytest.approx(acres)


def test_plant_yard_with_and_without_spares():
    assert land.plant_yard_m2(100.0, 70.0, 92, 9) == pytest.approx(100 * 70 * 92 / 83)
    assert land.plant_yard_m2(100.0, 70.0, 0, 0) == pytest.approx(7000.0)


def test_generation_and_storage():
    # 1,000 MW turbines at 0.065, 100 MW fuel cells at 0.04, 100 MW x 4 h at 0.035 acre per MW
    acres = land.generation_acres((("gas_turbine", 1000.0), ("fuel_cell", 100.0)), 400.0)
    assert acres == pytest.approx(65.0 + 4.0 + 3.5)


def test_type_without_a_row_takes_the_top_of_the_thermal_range():
    assert land.generation_acres_per_mw("geothermal") == 0.10


def test_acres():
    # 40,000 m2 of buildings and yards at 20 % coverage is 200,000 m2 or 49.4 acres; + 10; + 25 %
    assert land.acres_needed(25_000.0, 15_000.0, 10.0, 0.2, 1.25) == pytest.approx(
        (200_000 / 4046.856 + 10) * 1.25, rel=1e-6
    )
    assert land.acres_margin(100.0, 120.0) == -20.0
    assert land.land_acres_per_mw(125.0, 20.0, 1.25, 100.0) == pytest.approx(1.0)
    assert land.campus_check_acres(1200.0, 0.4, 20.0) == pytest.approx(500.0)


def test_five_gw_campus_of_siting_section_6():
    # campus at 0.7 acre/MW, 5,000 MW of gas: about 4,000 acres, 5,000 with the 25 % buffer
    acres = land.campus_check_acres(5000.0, 0.7, land.generation_acres((("ccgt", 5000.0),), 0.0))
    assert acres == pytest.approx(4000.0, rel=0.06)
    assert acres * 1.25 == pytest.approx(5000.0, rel=0.06)
