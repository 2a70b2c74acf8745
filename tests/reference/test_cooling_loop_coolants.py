"""Coolant properties, glycol penalties and freeze protection against published figures.

Sources: CoolProp 8.0.0 tables at 300 kPa (water; INCOMP::MPG by mass fraction); Dow DOWFROST LC 25
engineering guide 176-01641, table 2; Liebert XD system technical manual, table 51 (freeze
protection); ASHRAE heating 99.6 % dry bulbs of Abilene (2013) and Chicago O'Hare (2021).
"""

import pytest

from clusterplan import catalog
from clusterplan.sizing.coolants import (
    coolant_at,
    coolant_density_kg_per_m3,
    coolant_flow_l_per_min,
    coolant_heat_capacity_j_per_kg_k,
    coolant_viscosity_mpa_s,
    freeze_protection,
    glycol_mass_fraction,
    penalty,
    rho_c,
)

# (degC, kg/m3, J/kgK, mPa.s), CoolProp 8.0.0
WATER = [
    (10, 999.8, 4194.4, 1.3057),
    (20, 998.3, 4183.4, 1.0015),
    (25, 997.14, 4180.7, 0.89),
    (30, 995.74, 4179.3, 0.7972),
    (35, 994.12, 4178.7, 0.7191),
    (40, 992.3, 4178.9, 0.6528),
    (45, 990.3, 4179.7, 0.5958),
    (50, 988.12, 4180.9, 0.5466),
    (60, 983.28, 4184.5, 0.4661),
]
PG25 = [
    (10, 1022.94, 3896.3, 3.5581),
    (20, 1019.28, 3920.5, 2.4452),
    (25, 1017.17, 3932.6, 2.0706),
    (30, 1014.9, 3944.6, 1.7761),
    (35, 1012.48, 3956.7, 1.5417),
    (40, 1009.91, 3968.6, 1.353),
    (45, 1007.21, 3980.6, 1.1993),
    (50, 1004.38, 3992.4, 1.0726),
    (60, 998.4, 4015.7, 0.878),
]
PG30 = [
    (20, 1023.78, 3857.0, 2.965),
    (30, 1018.89, 3883.9, 2.1041),
    (40, 1013.43, 3910.4, 1.5731),
    (50, 1007.49, 3936.6, 1.2288),
]
PG35 = [
    (0, 1037.14, 3725.9, 9.212),
    (10, 1032.98, 3755.9, 5.5539),
    (20, 1028.17, 3785.7, 3.6067),
    (30, 1022.76, 3815.1, 2.5005),
    (40, 1016.85, 3844.3, 1.8345),
    (50, 1010.51, 3873.0, 1.4115),
]
PG40 = [
    (0, 1042.35, 3641.6, 11.8794),
    (10, 1037.62, 3674.3, 6.9352),
    (20, 1032.27, 3706.7, 4.3838),
    (30, 1026.4, 3738.9, 2.972),
    (40, 1020.06, 3770.8, 2.1408),
    (50, 1013.34, 3802.5, 1.6229),
]
PG50 = [
    (0, 1050.94, 3453.1, 19.1115),
    (10, 1045.26, 3491.7, 10.5786),
    (20, 1039.06, 3530.2, 6.3936),
    (30, 1032.41, 3568.6, 4.1747),
    (40, 1025.37, 3607.0, 2.9137),
    (50, 1018.03, 3645.3, 2.1507),
]
TABLES = {0.0: WATER, 0.25: PG25, 0.30: PG30, 0.35: PG35, 0.40: PG40, 0.50: PG50}


@pytest.mark.parametrize(
    ("fraction", "row"), [(x, row) for x, table in TABLES.items() for row in table]
)
def test_properties_reproduce_the_coolprop_tables(fraction, row):
    temp, density, heat_capacity, viscosity = row
    coolant = coolant_at(catalog.coolants(), fraction)
    # largest errors of the fits: density 6e-5, heat capacity 0.32 % (water at 10 degC), viscosity
    # 0.1 %; glycol 0.15 %
    assert coolant_density_kg_per_m3(temp, coolant.density_poly) == pytest.approx(density, rel=2e-4)
    assert coolant_heat_capacity_j_per_kg_k(temp, coolant.heat_capacity_poly) == pytest.approx(
        heat_capacity, rel=3.3e-3 if fraction == 0 else 5e-4
    )
    assert coolant_viscosity_mpa_s(temp, coolant.ln_viscosity_poly) == pytest.approx(
        viscosity, rel=2e-3
    )


def test_mixtures_between_rows_agree_with_coolprop_on_a_grid():
    coolprop = pytest.importorskip("CoolProp.CoolProp")
    rows = [
        row
        for row in catalog.coolants()
        if row.id in ("water", "pg25", "pg30", "pg35", "pg40", "pg50")
    ]
    for percent in range(10, 51, 4):
        coolant = coolant_at(rows, percent / 100)
        fluid = f"INCOMP::MPG[{percent / 100}]"
        for temp in range(10, 61, 10):
            density, heat_capacity, viscosity = (
                coolprop.PropsSI(name, "T", temp + 273.15, "P", 3e5, fluid) for name in "DCV"
            )
            assert coolant_density_kg_per_m3(temp, coolant.density_poly) == pytest.approx(
                density, rel=1e-3
            )
            assert coolant_heat_capacity_j_per_kg_k(
                temp, coolant.heat_capacity_poly
            ) == pytest.approx(heat_capacity, rel=4e-3)
            # the viscosity of thin mixtures between water and PG25 bends more than a parabola
            assert coolant_viscosity_mpa_s(temp, coolant.ln_viscosity_poly) == pytest.approx(
                viscosity * 1e3, rel=0.025 if percent < 25 else 2e-3
            )


def test_water_agrees_with_coolprop_on_a_grid():
    coolprop = pytest.importorskip("CoolProp.CoolProp")
    water = catalog.coolant("water")
    for temp in range(10, 61, 2):
        density, heat_capacity, viscosity = (
            coolprop.PropsSI(name, "T", temp + 273.15, "P", 3e5, "Water") for name in "DCV"
        )
        assert coolant_density_kg_per_m3(temp, water.density_poly) == pytest.approx(
            density, rel=3e-5
        )
        # a constant 4,181 J/kgK: 0.32 % low at 10 degC
        assert coolant_heat_capacity_j_per_kg_k(temp, water.heat_capacity_poly) == pytest.approx(
            heat_capacity, rel=3.3e-3
        )
        assert coolant_viscosity_mpa_s(temp, water.ln_viscosity_poly) == pytest.approx(
            viscosity * 1e3, rel=1e-3
        )


def test_pg25_agrees_with_the_makers_heat_capacity():
    """DOWFROST LC 25: 1030.3 x 3880 at 25 degC and 1022.5 x 3920 at 40 degC, within 0.1 %."""
    pg25 = catalog.coolant("pg25")
    assert rho_c(pg25, 25) == pytest.approx(1030.3 * 3880 / 1e6, rel=1e-3)
    assert rho_c(pg25, 40) == pytest.approx(1022.5 * 3920 / 1e6, rel=1e-3)


@pytest.mark.parametrize(
    ("coolant", "temp", "expected"),
    [("pg25", 30, 1.499), ("water", 30, 1.442), ("water", 40, 1.447), ("water", 50, 1.452)],
)
def test_flow_per_kw_at_ten_kelvin(coolant, temp, expected):
    """L/min per kW = 60/(rho c dT), worked from the CoolProp tables."""
    heat_capacity = rho_c(catalog.coolant(coolant), temp)
    assert coolant_flow_l_per_min(1.0, heat_capacity, 10.0) == pytest.approx(expected, abs=1e-3)


def test_case_8_one_megawatt_at_a_fifteen_degree_fahrenheit_difference():
    """1000 kW x 3412/(500 x 15) = 454.9 gpm = 1,722 L/min; 15 F difference is 8.33 K."""
    water = catalog.coolant("water")
    flow = coolant_flow_l_per_min(1000.0, rho_c(water, 25), 15 / 1.8)
    assert flow == pytest.approx(454.9 * 3.785411784, rel=0.01)
    assert flow == pytest.approx(1725, rel=0.01)


@pytest.mark.parametrize(
    ("fraction", "flow", "drop", "pump"),
    [
        (0.25, 1.034, 1.24, 1.29),
        (0.30, 1.046, 1.31, 1.37),
        (0.35, 1.06, 1.39, 1.47),
        (0.40, 1.077, 1.48, 1.59),
        (0.45, 1.098, 1.58, 1.73),
        (0.50, 1.12, 1.69, 1.9),
    ],
)
def test_glycol_penalties_at_41_degrees(fraction, flow, drop, pump):
    """PG by mass against water, same heat and rise, computed from CoolProp: 1 % and 3 %."""
    rows = catalog.coolants()
    result = penalty(coolant_at(rows, fraction), catalog.coolant("water"), 41.0)
    assert result.flow == pytest.approx(flow, rel=0.01)
    assert result.pressure_drop == pytest.approx(drop, rel=0.03)
    assert result.pump_power == pytest.approx(pump, rel=0.03)


def test_volume_to_mass_fraction():
    """x = 1.036 v/(1.036 v + 1 - v): 25 wt% is about 24 vol%."""
    assert glycol_mass_fraction(0.2434) == pytest.approx(0.25, abs=2e-4)
    assert glycol_mass_fraction(0.40) == pytest.approx(0.4144 / 1.0144)


@pytest.mark.parametrize(
    ("station", "heating_99p6", "used", "full"),
    [("abilene-tx", -6.6, 37, 37), ("chicago-il", -18.7, 40, 48)],
)
def test_freeze_protection_of_two_stations(station, heating_99p6, used, full):
    """Cold point = heating 99.6 % - 12 K, in the Liebert table: 36.7 -> 37 and 47.4 -> 48 %."""
    result = freeze_protection(heating_99p6 - 12.0, catalog.glycol_protection(), True)
    assert (result.used_vol_percent, result.full_vol_percent) == (used, full)


@pytest.mark.parametrize(
    ("cold", "percent"),
    [(-7, 18), (-12, 29), (-18, 36), (-23, 42), (-29, 46), (-34, 50), (-40, 54), (-46, 57)],
)
def test_the_rows_of_the_protection_table(cold, percent):
    result = freeze_protection(cold, catalog.glycol_protection(), True)
    assert result.full_vol_percent == percent
    assert result.used_vol_percent == min(max(percent, 30), 40)
