import math

import pytest

from clusterplan.core.equipment import Coolant, GlycolPoint
from clusterplan.core.errors import InputError
from clusterplan.sizing.coolants import (
    coolant_at,
    coolant_drop_penalty,
    coolant_flow_l_per_min,
    coolant_rise_k,
    freeze_protection,
    glycol_vol_percent,
    penalty,
    polynomial,
    rho_c,
)

TABLE = ((-7.0, 18.0), (-12.0, 29.0), (-18.0, 36.0), (-46.0, 57.0))
POINTS = tuple(
    GlycolPoint(id=f"p{i}", min_temp_c=temp, pg_vol_percent=percent)
    for i, (temp, percent) in enumerate(TABLE)
)


def coolant(fraction, density, viscosity=1.0, freeze=None):
    return Coolant(
        id=f"x{fraction}",
        mass_fraction=fraction,
        density_poly=(density,),
        heat_capacity_poly=(4000.0,),
        ln_viscosity_poly=(0.0, math.log(viscosity)),
        min_temp_c=0.0,
        max_temp_c=60.0,
        freeze_temp_c=freeze,
    )


def test_polynomial_has_the_highest_power_first():
    assert polynomial((2.0, 3.0, 4.0), 10.0) == 234.0


def test_rho_c_in_mj_per_m3_k():
    assert rho_c(coolant(0.0, 1000.0), 40.0) == 4.0


def test_flow_and_rise_are_each_others_inverse():
    """100 kW at 4.0 MJ/m3K and 10 K: 150 L/min."""
    assert coolant_flow_l_per_min(100.0, 4.0, 10.0) == pytest.approx(150.0)
    assert coolant_rise_k(100.0, 150.0, 4.0) == pytest.approx(10.0)


def test_a_fitted_row_is_taken_as_it_is():
    rows = [coolant(0.0, 1000.0), coolant(0.3, 1020.0), coolant(0.5, 1040.0)]
    assert coolant_at(rows, 0.3) is rows[1]


def test_between_rows_the_mixture_lies_on_a_parabola():
    """Density 1000 + 100 x^2 through x = 0, 0.3, 0.5: at 0.4 it is 1016."""
    rows = [coolant(x, 1000.0 + 100 * x * x, freeze=-30 * x) for x in (0.5, 0.0, 0.3)]
    mixed = coolant_at(rows, 0.4)
    assert polynomial(mixed.density_poly, 40.0) == pytest.approx(1016.0)
    assert mixed.freeze_temp_c == pytest.approx(-12.0)
    assert mixed.mass_fraction == 0.4


def test_no_mixture_outside_the_rows():
    with pytest.raises(InputError, match="60 % glycol by mass is outside"):
        coolant_at([coolant(0.0, 1000.0), coolant(0.5, 1040.0)], 0.6)


def test_water_has_no_penalty_against_itself():
    water = coolant(0.0, 1000.0)
    assert penalty(water, water, 40.0) == (1.0, 1.0, 1.0)


def test_drop_penalty_exponents():
    """Twice the viscosity alone: 2^0.2 = 1.1487; twice the flow alone: 2^1.8 = 3.4822."""
    assert coolant_drop_penalty(1.0, 2.0, 1.0) == pytest.approx(1.1487, abs=1e-4)
    assert coolant_drop_penalty(1.0, 1.0, 2.0) == pytest.approx(3.4822, abs=1e-4)


@pytest.mark.parametrize(
    ("cold", "percent"),
    [
        (5.0, 0),
        (0.0, 0),
        (-3.5, 9),  # half way from 0 % at 0 degC to 18 % at -7
        (-12.0, 29),
        (-15.0, 33),  # 32.5 rounded up
        (-46.0, 57),
        (-60.0, 68),  # 57 + 14 x 21/28 = 67.5, on beyond the table
    ],
)
def test_glycol_is_linear_in_the_table_and_rounded_up(cold, percent):
    assert glycol_vol_percent(cold, TABLE) == percent


@pytest.mark.parametrize(
    ("cold", "outdoor", "used", "full"),
    [
        (-15.0, False, 0, 0),  # no coils outdoors, as with an open tower
        (1.0, True, 0, 0),
        (-1.0, True, 30, 3),  # the inhibitor needs 30 %
        (-15.0, True, 33, 33),
        (-46.0, True, 40, 57),  # burst protected only
    ],
)
def test_freeze_protection(cold, outdoor, used, full):
    result = freeze_protection(cold, POINTS, outdoor)
    assert (result.used_vol_percent, result.full_vol_percent) == (used, full)
