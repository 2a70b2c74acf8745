"""Voltage, flicker curve and distortion classes."""

import pytest

from clusterplan.sizing import voltage_quality as v

# IEEE 519-2022, tables 2 to 4 (kV to, Isc/IL below, TDD %)
TABLE = (
    (69.0, 20.0, 5.0),
    (69.0, 50.0, 8.0),
    (69.0, 100.0, 12.0),
    (69.0, 1000.0, 15.0),
    (69.0, None, 20.0),
    (161.0, 20.0, 2.5),
    (161.0, 50.0, 4.0),
    (161.0, 100.0, 6.0),
    (161.0, 1000.0, 7.5),
    (161.0, None, 10.0),
    (1000.0, 25.0, 1.5),
    (1000.0, 50.0, 2.5),
    (1000.0, None, 3.75),
)


@pytest.mark.parametrize(
    ("kv", "ratio", "expected"),
    [
        (230.0, 40.4, 2.5),
        (230.0, 24.9, 1.5),
        (230.0, 50.0, 3.75),
        (161.0, 19.0, 2.5),
        (138.0, 2000.0, 10.0),
        (69.0, 19.0, 5.0),
        (13.8, 1000.0, 20.0),
    ],
)
def test_distortion_class(kv, ratio, expected):
    assert v.tdd_limit_percent(kv, ratio, TABLE) == expected


def test_isc_over_il():
    assert v.isc_il_ratio(25.1, 621.0) == pytest.approx(40.4, rel=1e-3)


def test_no_load_no_drop():
    assert v.supply_voltage_percent(0.0, 0.0, 1000.0, 10.0) == 100.0


def test_the_voltage_solves_the_network():
    # 100 MW, 40 Mvar on 800 MVA at X/R 8: |E| = |V + (r + jx)(P - jQ)/V| = 1
    r, x = v.source_per_mva(800.0, 8.0)
    level = v.bus_voltage(100.0, 40.0, r, x)
    assert level is not None
    source = level + complex(r, x) * complex(100.0, -40.0) / level
    assert abs(source) == pytest.approx(1.0, abs=1e-12)


def test_flicker_curve_is_log_log_and_held():
    curve = ((0.1, 1.2), (1.0, 0.7), (8.8, 0.3))
    assert v.pst1_change_percent(curve, 0.01) == 1.2
    assert v.pst1_change_percent(curve, 20.0) == 0.3
    middle = v.pst1_change_percent(curve, 10**-0.5)
    assert middle == pytest.approx((1.2 * 0.7) ** 0.5)


def test_pst_is_proportional():
    assert v.pst(0.8, 0.4) == 2.0


def test_mv_step_adds_the_transformers():
    at_grid = v.step_voltage_percent(240.0, 30.0, 120.0, 15.0, 10_000.0, 15.0)
    at_mv = v.mv_step_voltage_percent(240.0, 30.0, 0.5, 10_000.0, 15.0, 180.0, 0.10, 0.0025)
    assert at_grid is not None
    assert at_mv is not None
    assert at_mv > at_grid
