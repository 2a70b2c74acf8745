"""Swings beyond the reference table."""

import pytest

from clusterplan.sizing import power_swing as s


def test_swing_stands_at_the_meter():
    assert s.swing_mw(108.0, 22.0, 0.948) == pytest.approx(90.7, rel=1e-3)


def test_window():
    # an edge shorter than the window shows all; a long ramp passes at its share
    assert s.window_swing_mw(50.0, 0.25, 5.0) == 50.0
    assert s.window_swing_mw(50.0, 20.0, 5.0) == 12.5


def test_independent_jobs():
    assert s.combined_swing_mw((30.0, 40.0)) == 50.0


def test_reactive_swing_at_constant_power_factor():
    assert s.swing_mvar(100.0, 240.0, 60.0) == 25.0


def test_residual_shrinks_the_buffer():
    assert s.smoothing_buffer(100.0, 0.5, 1.0, 100.0).power_mw == 0.0
    assert s.ramp_buffer(100.0, 20.0, 10.0).power_mw == 90.0
    # (90)^2/(2 x 20) MW min = 3.375 MWh
    assert s.ramp_buffer(100.0, 20.0, 10.0).energy_mwh == pytest.approx(3.375)


def test_ballast():
    # floor 80, low 20, low half of the time
    assert s.ballast_mw(80.0, 20.0, 0.5) == 30.0


def test_whole_band_is_the_swing():
    assert s.band_swing_mw(100.0, 0.5, 0.8, 0.25, 0.0, 200.0) == pytest.approx(100.0, rel=0.01)


def test_a_band_between_harmonics_is_empty():
    assert s.band_swing_mw(100.0, 0.5, 1.0, 0.0, 1.2, 1.8) == 0.0
