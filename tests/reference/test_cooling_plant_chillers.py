"""Chiller COP against medians of EnergyPlus catalogue curves (Chillers.idf, AirCooledChiller.idf).

128 water-cooled machines of 1 MW and more, 49 air-cooled ones. The law is a fit through medians:
8 % for the water-cooled grid, 15 % for the air-cooled one (a round 12 K between condensing
temperature and air, and one Carnot fraction for all lifts: 15 % high at 30 degC, water 15 degC).
"""

from __future__ import annotations

import pytest

from clusterplan.sizing import chillers

_WATER = {
    8.0: {18: 7.9, 21: 7.3, 24: 6.8, 27: 6.5, 30: 6.1, 33: 5.6},
    12.0: {18: 8.3, 21: 7.8, 24: 7.3, 27: 7.0},
}
_AIR = {
    7.0: {25: 3.8, 30: 3.4, 35: 2.9, 40: 2.5, 45: 2.2},
    10.0: {25: 4.0, 30: 3.5, 35: 3.1, 40: 2.7, 45: 2.3},
    15.0: {30: 3.7, 35: 3.3, 40: 2.9, 45: 2.5},
}


@pytest.mark.parametrize(
    ("leaving_c", "entering_c", "cop"),
    [(leaving, t, cop) for leaving, row in _WATER.items() for t, cop in row.items()],
)
def test_water_cooled_grid(leaving_c, entering_c, cop):
    assert chillers.water_cooled_cop(leaving_c, entering_c, 10.0) == pytest.approx(cop, rel=0.08)


@pytest.mark.parametrize(
    ("leaving_c", "dry_bulb_c", "cop"),
    [(leaving, t, cop) for leaving, row in _AIR.items() for t, cop in row.items()],
)
def test_air_cooled_grid(leaving_c, dry_bulb_c, cop):
    own = chillers.air_cooled_cop(leaving_c, dry_bulb_c, 0.43, 9.0)
    assert own == pytest.approx(cop, rel=0.15)


def test_air_cooled_rating_point():
    """COP 2.9 at 35 degC, chilled water 7 degC; 3.4 at 42.7 degC, water 20 degC."""
    assert chillers.air_cooled_cop(7.0, 35.0, 0.43, 9.0) == pytest.approx(2.9, abs=0.06)
    assert chillers.air_cooled_cop(20.0, 42.7, 0.43, 9.0) == pytest.approx(3.4, abs=0.03)


@pytest.mark.parametrize(
    ("lift_k", "fraction"), [(16, 0.46), (20, 0.52), (24, 0.57), (28, 0.63), (32, 0.66), (40, 0.66)]
)
def test_carnot_fraction_of_water_cooled(lift_k, fraction):
    assert chillers.water_chiller_carnot(lift_k) == pytest.approx(fraction)


def test_caps_and_least_lift():
    """Lift at least 10 K; COP capped at 9 (air) and 10 (water) where no data exist."""
    assert chillers.water_chiller_lift(20.0, 5.0).lift_k == 10.0
    assert chillers.air_cooled_cop(40.0, 20.0, 0.43, 9.0) == 9.0
    assert chillers.water_cooled_cop(30.0, 20.0, 10.0) == 10.0
