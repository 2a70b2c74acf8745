import pytest

from clusterplan.core.equipment import PipeSize
from clusterplan.core.errors import InputError
from clusterplan.sizing.pipes import Fluid, choose_pipe, pipe_velocity_m_per_s, reynolds_number

WATER = Fluid(994.12, 0.7191)
SIZES = tuple(
    PipeSize(id=f"dn{dn}", dn=dn, inner_diameter_mm=diameter, velocity_max_m_per_s=velocity)
    for dn, diameter, velocity in ((50, 52.5, 1.5), (150, 154.1, 2.4), (300, 303.2, 3.0))
)


def test_velocity():
    """pi/4 x 0.1^2 = 7.854e-3 m2: 471.2 L/min is 1 m/s."""
    assert pipe_velocity_m_per_s(471.24, 100.0) == pytest.approx(1.0, abs=1e-4)


def test_reynolds():
    """1000 kg/m3 x 1 m/s x 0.1 m / 1 mPa.s = 100,000."""
    assert reynolds_number(1000.0, 1.0, 100.0, 1.0) == pytest.approx(1e5)


def test_the_smallest_size_within_both_limits():
    # DN50 carries 182 L/min at 400 Pa/m, DN150 2,686 at 2.4 m/s
    assert choose_pipe(180.0, SIZES, WATER, 0.045, 400.0).dn == 50
    assert choose_pipe(185.0, SIZES, WATER, 0.045, 400.0).dn == 150
    assert choose_pipe(2700.0, SIZES, WATER, 0.045, 400.0).dn == 300


def test_parallel_pipes_beyond_the_largest():
    choice = choose_pipe(30000.0, SIZES, WATER, 0.045, 400.0)  # DN300 carries 12,996 L/min
    assert (choice.dn, choice.parallel) == (300, 3)
    assert choice.velocity_m_per_s == pytest.approx(
        pipe_velocity_m_per_s(10000.0, 303.2), rel=1e-12
    )


def test_friction_limit_that_no_pipe_meets():
    with pytest.raises(InputError, match="friction limit"):
        choose_pipe(1e6, SIZES, WATER, 0.045, 0.001)


def test_laminar_flow_of_a_thick_liquid():
    """Re 64 in DN50 (f = 1): 1000 kg/m3 at 0.0976 m/s: 1/0.0525 x 1000 x v2/2 = 90.7 Pa/m."""
    thick = Fluid(1000.0, 80.0)
    choice = choose_pipe(12.675, SIZES, thick, 0.045, 400.0)
    assert choice.dn == 50
    assert choice.friction_pa_per_m == pytest.approx(90.7, rel=0.01)
