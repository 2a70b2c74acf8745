"""Power triangle, currents and drops."""

import pytest

from clusterplan.sizing import electrical_load as e


def test_load_is_less_what_joins_at_mv():
    assert e.substation_load_mw(240.0, 40.0) == 200.0


def test_growth_raises_ratings_only():
    assert e.rating_power_mva(100.0, 0.2) == pytest.approx(120.0)


def test_circuits():
    # 1,237 MVA at 345 kV: 2,070 A; of four circuits one or two (a common tower) out
    assert e.hv_circuit_current_a(1237.0, 345.0, 4, 1) == pytest.approx(690.0, rel=1e-3)
    assert e.hv_circuit_current_a(1237.0, 345.0, 4, 2) == pytest.approx(1035.0, rel=1e-3)
    assert e.hv_circuit_loading_percent(1035.0, 3000.0) == pytest.approx(34.5)


def test_two_secondaries_halve_the_bus_current():
    one, two = (e.mv_bus_current_a(333.3, n, 34.5) for n in (1, 2))
    assert one == pytest.approx(5578.0, rel=1e-3)
    assert two == one / 2


def test_voltage_drop():
    # 0.048 + j0.125 ohm/km, 2 km, 28 MW and 4 Mvar at 34.5 kV
    assert e.voltage_drop_percent(0.096, 0.25, 28.0, 4.0, 34.5) == pytest.approx(0.31, abs=0.01)


def test_a_section_always_has_a_feeder():
    assert e.section_feeders(0.1, 34.5, 600.0, 0.8) == 1


def test_feeder_capacity():
    # 600 A at 34.5 kV: 35.9 MVA, 28.7 at 80 %
    assert e.section_feeders(28.6, 34.5, 600.0, 0.8) == 1
    assert e.section_feeders(28.8, 34.5, 600.0, 0.8) == 2
