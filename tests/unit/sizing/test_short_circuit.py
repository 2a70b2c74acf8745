"""Fault levels beyond the reference vectors."""

import math

import pytest

from clusterplan.sizing import short_circuit as sc


def test_mva_and_ka():
    assert sc.short_circuit_mva(230.0, 25.1) == pytest.approx(10_000.0, rel=1e-3)
    assert sc.hv_fault_level_ka(10_000.0, 230.0) == pytest.approx(25.1, rel=1e-3)


def test_machines_add_at_hv():
    # 500 MVA with x"d 0.15 behind 0.10: 2,000 MVA
    machines = sc.machines_short_circuit_mva(500.0, 0.15, 0.10)
    assert machines == 2000.0
    assert sc.hv_fault_level_ka(10_000.0, 230.0, machines) == pytest.approx(30.12, rel=1e-3)


def test_motors():
    # c x 10 MVA x 5
    assert sc.motor_contribution_mva(10.0) == pytest.approx(55.0)


def test_peak_factor_of_the_service():
    # kappa at X/R 17 gives 2.60 x Ik", at 14 2.56 (IEC 60909)
    for ratio, expected in ((17.0, 2.60), (14.0, 2.56)):
        level = sc.service_fault(10_000.0, ratio, 230.0)
        assert level.peak_ka / level.current_ka == pytest.approx(expected, abs=0.01)
        assert level.x_over_r == pytest.approx(ratio)


def test_infinite_grid_leaves_the_transformer():
    # Ik" = c V/(sqrt3 K_T z V^2/S0)
    level = sc.bus_fault(1e12, 15.0, 90.0, 0.10, 0.0, 1, 34.5)
    k_t = 0.95 * 1.1 / 1.06
    expected = 1.1 / (math.sqrt(3) * k_t * 0.10 * 34.5 / 90.0)
    assert level.current_ka == pytest.approx(expected, rel=1e-4)


def test_more_units_together_raise_the_fault_level():
    levels = [sc.bus_fault(1e4, 15.0, 90.0, 0.1, 0.0025, m, 34.5).current_ka for m in range(1, 5)]
    assert levels == sorted(levels)
