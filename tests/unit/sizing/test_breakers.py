"""Breakers: IEEE C37.010 / IEC 62271-100."""

import pytest

from clusterplan.sizing import breakers as b


def test_factor_is_one_at_the_rated_x_over_r():
    # 45 ms is X/R 17 at 60 Hz and 14 at 50 Hz (rounded)
    assert b.asymmetry_factor(2 * 3.14159265 * 60 * 0.045, 60.0) == pytest.approx(1.0, abs=1e-6)
    assert b.asymmetry_factor(2 * 3.14159265 * 50 * 0.045, 50.0) == pytest.approx(1.0, abs=1e-6)


def test_duty_is_plain_below_80_percent_or_at_low_x_over_r():
    assert b.breaker_duty_ka(20.0, 35.0, 31.5, 60.0) == 20.0  # 63 % of the rating
    assert b.breaker_duty_ka(30.0, 15.0, 31.5, 60.0) == 30.0
    assert b.breaker_duty_ka(30.0, 15.0, 31.5, 50.0) > 30.0  # above 14 at 50 Hz


def test_peak_alone_can_fail_a_rating():
    assert b.breaker_passes(24.0, 60.0, 10.0, 25.0, 60.0)
    assert not b.breaker_passes(24.0, 65.5, 10.0, 25.0, 60.0)  # 2.6 x 25 = 65
    assert not b.breaker_passes(24.0, 63.0, 10.0, 25.0, 50.0)  # 2.5 x 25 = 62.5


def test_continuous_rating():
    assert b.continuous_rating_a(2510.0, (1200.0, 2000.0, 2500.0, 3000.0)) == 3000.0
    assert b.continuous_rating_a(5176.0, (4000.0, 5000.0)) is None


@pytest.mark.parametrize(
    ("elements", "name"),
    [(2, "single bus"), (3, "ring bus"), (6, "ring bus"), (7, "breaker-and-a-half")],
)
def test_bus_arrangement(elements, name):
    assert b.bus_arrangement(elements) == name


def test_elements():
    assert b.bus_elements(2, 5, 1) == 8
