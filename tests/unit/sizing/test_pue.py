"""PUE and its parts by hand."""

from __future__ import annotations

import pytest

from clusterplan.sizing import pue


def test_design_point_pue():
    """100/0.948 + 1/0.955 + (1 + 2 + 0.5 + 3 + 4 + 0.5)/0.985 over 100."""
    own = pue.design_point_pue(
        100.0,
        1.0,
        1.0,
        2.0,
        0.5,
        3.0,
        4.0,
        0.5,
        eta_it=0.948,
        eta_mechanical=0.985,
        eta_on_ups=0.955,
    )
    assert own == pytest.approx((105.48523 + 1.04712 + 11.16751) / 100, abs=1e-6)


def test_no_cooling_is_the_chain_alone():
    own = pue.design_point_pue(10.0, 0, 0, 0, 0, 0, 0, 0, 0.948, 0.985, 0.955)
    assert own == pytest.approx(1 / 0.948)


def test_peak_is_the_highest_point_never_annual_times_k():
    assert pue.pue_peak(1.10, 1.08, 1.12) == 1.12
    assert pue.pue_peak(1.10, 1.08, 0.0) == 1.10


def test_annual_is_an_energy_ratio():
    own = pue.pue_annual(1000.0, 10.0, 30.0, 0.948, 0.985, 0.955)
    assert own == pytest.approx((1054.8523 + 10.4712 + 30.4569) / 1000, abs=1e-6)
    assert pue.wue_l_per_kwh(113.0, 1000.0) == pytest.approx(0.113)


def test_parts():
    assert pue.air_power_mw(0.4, 0.1, 10.5, 0.3, 0.002) == pytest.approx(0.5 + 10.5 * 0.302)
    assert pue.house_load_mw(100.0, 0.005) == pytest.approx(0.5)
    assert pue.cooling_power_peak_mw(1, 2, 3, 4, 5, 6) == 21
    assert pue.liquid_power_peak_mw(21, 6) == 15
    assert pue.cdu_pump_mw(1500.0) == 1.5
    assert pue.fws_pump_mw(900.0) == 0.9
