"""Step voltage, flicker, storage and bands of power swings, worked by hand.

Flicker: curve of IEC 61000-4-15 edition 2 for planning (square wave, two changes a cycle), planning
level Plt 0.6 of IEC 61000-3-7. Storage: 1 MWh = 3,600 MJ. Tolerance 1 %, the printed digits; limits
of the lamp curves are printed with two digits, so 2 % there.
"""

import pytest

from clusterplan.sizing import generation, power_swing, voltage_quality

V230 = ((0.1, 1.206), (0.2, 0.991), (0.5, 0.827), (1.0, 0.707), (2.0, 0.579), (8.8, 0.275))
V120 = ((0.1, 1.409), (0.2, 1.157), (0.5, 0.966), (1.0, 0.826), (2.0, 0.679), (8.8, 0.354))
TAN_097 = 0.25062362


def near(value, rel=0.01):
    return pytest.approx(value, rel=rel)


def test_step_voltage_is_not_linear():
    exact = voltage_quality.step_voltage_percent(100.0, 0.0, 100.0, 0.0, 865.0, 25.0)
    linear = voltage_quality.linear_step_voltage_percent(100.0, 0.0, 865.0, 25.0)
    assert exact == near(1.15)
    assert linear == near(0.46)


@pytest.mark.parametrize(("tangent", "expected"), [(0.0, 0.55), (TAN_097, 1.44)])
def test_reactive_power_decides(tangent, expected):
    step = voltage_quality.step_voltage_percent(
        240.0, 240.0 * tangent, 100.0, 100.0 * tangent, 3000.0, 10.0
    )
    assert step == near(expected)


def test_a_grid_that_cannot_carry_the_load():
    assert voltage_quality.step_voltage_percent(600.0, 0.0, 100.0, 0.0, 1000.0, 10.0) is None
    assert voltage_quality.supply_voltage_percent(600.0, 0.0, 1000.0, 10.0) is None


@pytest.mark.parametrize(
    ("curve", "frequency", "allowed"),
    [(V230, 1.0, 0.42), (V120, 1.0, 0.50), (V230, 0.1, 0.72), (V120, 0.1, 0.85)],
)
def test_allowed_swing_at_plt_0_6(curve, frequency, allowed):
    change = voltage_quality.pst1_change_percent(curve, frequency)
    assert voltage_quality.PLT_PLANNING_HV * change == near(allowed, rel=0.02)
    assert voltage_quality.pst(allowed, change) == near(0.6, rel=0.02)


@pytest.mark.parametrize("frequency", [0.1, 0.2, 0.5])
def test_closed_form_strays_from_the_curve(frequency):
    # -12 to +17 % over the range in which it holds (to one change a second)
    change = voltage_quality.pst1_change_percent(V230, frequency)
    ratio = voltage_quality.pst_closed_form(change, frequency)
    assert 0.83 <= ratio <= 1.17


@pytest.mark.parametrize(("frequency", "kwh"), [(0.1, 69.4), (0.5, 13.9), (1.0, 6.94), (3.0, 2.31)])
def test_smoothing_100_mw(frequency, kwh):
    buffer = power_swing.smoothing_buffer(100.0, 0.5, frequency)
    assert buffer.energy_mwh * 1000.0 == near(kwh)
    assert buffer.power_mw == 50.0


def test_step_of_100_mw_at_20_mw_per_min():
    buffer = power_swing.ramp_buffer(100.0, 20.0)
    assert buffer.power_mw == 100.0
    assert buffer.energy_mwh == near(4.2)
    assert buffer.duration_s == near(300.0)
    both = power_swing.two_way_energy_mwh(buffer.energy_mwh, buffer.energy_mwh, 0.85)
    assert both == near(8.4)
    assert both / 0.90 == near(9.3)
    assert power_swing.buffer_mwh(both, 100.0) == 25.0


def test_step_of_100_mw_at_10_mw_per_5_s():
    buffer = power_swing.ramp_buffer(100.0, 120.0)
    assert buffer.energy_mwh == near(0.69)
    assert buffer.duration_s == near(50.0)
    assert power_swing.buffer_mwh(buffer.energy_mwh, 100.0) == 25.0


def test_trip_of_1000_mw_at_20_mw_per_min():
    buffer = power_swing.ramp_buffer(1000.0, 20.0)
    assert buffer.energy_mwh == near(417.0)
    assert buffer.duration_s == near(3000.0)


def test_a_year_of_smoothing():
    throughput = power_swing.yearly_throughput_mwh(100.0, 0.5)
    assert throughput == near(219_000.0)
    assert power_swing.yearly_buffer_loss_mwh(throughput) == near(39_000.0)
    cycles = power_swing.yearly_cycles(throughput, 100.0)
    assert cycles == near(2375.0)
    assert 10_000.0 / cycles == near(4.2)


def test_ramp_of_24_mw():
    ramp = power_swing.ramp_mw_per_s(24.0, 0.25)
    assert ramp == 96.0
    assert 60.0 * ramp == 5760.0


@pytest.mark.parametrize(
    ("edge", "low", "high", "expected"),
    [
        (0.25, 0.1, 5.0, 103.0),
        (0.25, 5.0, 55.0, 8.9),
        (0.25, 0.1, 55.0, 100.0),
        (0.0, 5.0, 55.0, 101.0),
    ],
)
def test_bands_of_a_square_at_0_8_hz(edge, low, high, expected):
    found = power_swing.band_swing_mw(100.0, 0.5, 0.8, edge, low, high)
    assert found == near(expected)


def test_fundamental():
    assert power_swing.fundamental_swing_mw(100.0, 0.5, 0.8, 0.25) == near(119.0)


def test_islanded_frequency():
    # 100 MW on 500 MVA with H 3 s at 60 Hz
    assert generation.frequency_rate_hz_per_s(100.0, 3.0 * 500.0, 60.0) == near(2.0)
