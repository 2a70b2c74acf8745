"""Pipe capacities against a published-style table.

Schedule 40/standard steel inner diameters, water at 35 degC (994.12 kg/m3, 0.7191 mPa.s),
roughness 0.045 mm, Haaland friction, limits 1.5/2.4/3.0 m/s and 400 Pa/m; OCP modular TCS check
values for PG25 at a 10 K rise and 2.3 m/s in schedule 10S tube (ASME B36.19 inner diameters).
"""

import math

import pytest

from clusterplan import catalog
from clusterplan.sizing.coolants import rho_c
from clusterplan.sizing.pipes import Fluid, choose_pipe, friction_factor

WATER_35 = Fluid(994.12, 0.7191)
# DN, most flow L/min, velocity m/s, friction Pa/m
TABLE = [
    (25, 30, 0.89, 400),
    (32, 63, 1.08, 400),
    (40, 94, 1.19, 400),
    (50, 182, 1.4, 400),
    (65, 292, 1.58, 400),
    (80, 518, 1.81, 400),
    (100, 1064, 2.16, 400),
    (125, 1859, 2.4, 373),
    (150, 2686, 2.4, 299),
    (200, 5809, 3.0, 330),
    (250, 9157, 3.0, 251),
    (300, 12996, 3.0, 204),
    (350, 15705, 3.0, 182),
    (400, 20522, 3.0, 155),
    (450, 25970, 3.0, 135),
    (500, 32274, 3.0, 118),
    (600, 46676, 3.0, 95),
    (750, 76705, 3.0, 71),
    (900, 111729, 3.0, 57),
    (1200, 201477, 3.0, 40),
]


@pytest.mark.parametrize(("dn", "flow", "velocity", "friction"), TABLE)
def test_each_size_carries_its_table_flow_and_no_more(dn, flow, velocity, friction):
    # the table is rounded to whole L/min: up to 1.7 % at DN25
    margin = 0.02 if flow < 100 else 0.004
    pipes = catalog.pipes()
    within = choose_pipe(flow * (1 - margin), pipes, WATER_35, 0.045, 400.0)
    beyond = choose_pipe(flow * (1 + margin), pipes, WATER_35, 0.045, 400.0)
    assert within.dn == dn
    assert beyond.dn > dn or beyond.parallel == 2
    assert within.velocity_m_per_s == pytest.approx(velocity * (1 - margin), rel=max(0.01, margin))
    assert within.friction_pa_per_m == pytest.approx(
        friction * (1 - margin) ** 1.85, rel=max(0.01, margin)
    )


@pytest.mark.parametrize(("dn", "megawatt"), [(300, 9.0), (600, 32.32), (900, 77.35)])
def test_heat_that_a_main_carries_at_ten_kelvin(dn, megawatt):
    """Water at 35 degC: DN300 9.0 MW, DN600 32, DN900 77."""
    flow = megawatt * 60000 / (rho_c(catalog.coolant("water"), 35) * 10)
    assert choose_pipe(flow * 0.997, catalog.pipes(), WATER_35, 0.045, 400.0).dn == dn


@pytest.mark.parametrize(
    ("inner_mm", "low_kw", "high_kw"), [(54.8, 215, 220), (108.2, 840, 840), (161.5, 1872, 1872)]
)
def test_ocp_modular_tcs_check(inner_mm, low_kw, high_kw):
    """Heat at 2.3 m/s and 10 K with PG25; 1 % for the rounded diameters."""
    flow_m3_per_s = 2.3 * math.pi * (inner_mm / 1000) ** 2 / 4
    heat_kw = flow_m3_per_s * rho_c(catalog.coolant("pg25"), 35) * 1000 * 10
    assert low_kw * 0.99 <= heat_kw <= high_kw * 1.01


def test_friction_factor_against_colebrook():
    """Haaland stays within 2 % of the Colebrook equation, solved here by iteration."""
    for reynolds in (5e3, 1e5, 2e6):
        for relative in (1e-5, 1e-3):
            root = 7.0
            for _ in range(60):
                root = -2 * math.log10(relative / 3.7 + 2.51 * root / reynolds)
            assert friction_factor(reynolds, relative * 100, 100.0) == pytest.approx(
                root**-2, rel=0.02
            )


def test_laminar_flow_is_64_over_reynolds():
    assert friction_factor(1000.0, 0.045, 50.0) == pytest.approx(0.064)
