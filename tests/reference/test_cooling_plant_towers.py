"""Cooling towers against a Merkel integral (101.325 kPa, KaV/L falling with (L/G)^0.6).

Design 39/29 degC at 25 degC wet bulb, L/G 1.2. Approach at full fan by wet bulb, and airflow that
holds 29 degC. Tolerances 0.4 K and 2 % are those of the cooling method's check table.
"""

from __future__ import annotations

import pytest

from clusterplan.sizing import towers
from clusterplan.sizing.psychrometrics import mixing_ratio

_CELL = 1.92  # NTU = 1.92 (L/G)^0.4, 2.07 at L/G 1.2
_SEA_LEVEL_KPA = 101.325


@pytest.mark.parametrize(
    ("wet_bulb_c", "approach_k"),
    [(28, 3.1), (25, 4.0), (20, 5.7), (15, 7.7), (10, 9.9), (5, 12.3), (0, 14.8)],
)
def test_approach_at_full_fan(wet_bulb_c, approach_k):
    water = towers.tower_water_out_c(1.2, 10.0, wet_bulb_c, _CELL, _SEA_LEVEL_KPA)
    assert water - wet_bulb_c == pytest.approx(approach_k, abs=0.4)


@pytest.mark.parametrize(
    ("wet_bulb_c", "airflow"), [(22, 0.75), (20, 0.66), (15, 0.53), (10, 0.46), (5, 0.41)]
)
def test_airflow_that_holds_29_c(wet_bulb_c, airflow):
    ratio = towers.tower_liquid_to_gas(29.0, 10.0, wet_bulb_c, _CELL, _SEA_LEVEL_KPA)
    design = towers.tower_liquid_to_gas(29.0, 10.0, 25.0, _CELL, _SEA_LEVEL_KPA)
    assert towers.tower_air_ratio(1.0, design, ratio) == pytest.approx(airflow, rel=0.02)


@pytest.mark.parametrize(
    ("dry_c", "wet_c", "liquid_to_gas", "latent"),
    [(0, 0, 1.2, 0.6), (20, 15, 1.2, 0.8), (33, 26, 1.2, 0.9), (42.7, 22.9, 1.2, 1.13)],
)
def test_latent_fraction_by_air_balance(dry_c, wet_c, liquid_to_gas, latent):
    """Saturated-outlet balance: 0.6 at 0 C, 0.8 at 20/15, 0.9 at 33/26, 1.0-1.13 at 42.7/22.9."""
    ratio = mixing_ratio(dry_c, wet_c, _SEA_LEVEL_KPA)
    water = towers.tower_water_per_kw(
        dry_c, ratio, _SEA_LEVEL_KPA, liquid_to_gas, 10.0, 5.0, 0.00005
    )
    assert water.latent_fraction == pytest.approx(latent, abs=0.05)
    # make-up = evaporation + blowdown + drift
    drift = 0.00005 / (4.186 * 10.0)
    parts = water.evaporation_l_per_s + water.blowdown_l_per_s + drift
    assert water.makeup_l_per_s == pytest.approx(parts, rel=1e-12)


def test_abilene_hot_point_evaporation():
    """1.68 L/kWh of heat evaporated in dry heat (f_lat 1.13, h_fg 2430 kJ/kg)."""
    ratio = mixing_ratio(42.7, 22.9, _SEA_LEVEL_KPA)
    water = towers.tower_water_per_kw(42.7, ratio, _SEA_LEVEL_KPA, 1.2, 10.0, 5.0, 0.00005)
    assert 3600 * water.evaporation_l_per_s == pytest.approx(1.68, abs=0.03)


def test_mean_evaporation():
    """1.27 L/kWh at a latent fraction of 0.86; make-up x 5/4 at five cycles."""
    assert 3600 * towers.tower_mean_makeup_per_kw(0.86, 5.0) == pytest.approx(1.27 * 1.25, rel=0.01)


def test_air_too_humid_gives_no_airflow():
    assert towers.tower_liquid_to_gas(20.0, 10.0, 20.0, _CELL, _SEA_LEVEL_KPA) == 0.0
