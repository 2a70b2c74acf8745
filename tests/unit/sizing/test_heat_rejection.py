"""Dry and adiabatic machines, unit counts and the choice, by hand from the cooling method."""

from __future__ import annotations

import math

import pytest

from clusterplan.sizing import heat_rejection as rejection
from clusterplan.sizing.heat_rejection import LowestSupplies


@pytest.mark.parametrize(
    ("rise_k", "approach_k"), [(8, 9.2), (10, 8.0), (15, 5.2), (18, 4.0), (25, 4.0)]
)
def test_dry_approach_by_rise(rise_k, approach_k):
    """9.2 at 8 K, 8 at 10, 5.2 at 15, 4 from 18 K: the table of the method."""
    own = rejection.dry_approach_k(8.0, rejection.rise_factor(rise_k), rise_k, 0.0)
    assert own == pytest.approx(approach_k, abs=0.05)


@pytest.mark.parametrize(
    ("percent", "penalty_k"), [(0, 0.0), (30, 0.4), (37, 0.61), (40, 0.7), (50, 1.1), (60, 1.1)]
)
def test_coil_penalty(percent, penalty_k):
    assert rejection.coil_penalty_k(percent, 0.4, 0.7, 1.1) == pytest.approx(penalty_k)


def test_fan_law():
    assert rejection.dry_fan_ratio(1.0, 18.0, 18.0) == 1.0
    assert rejection.dry_fan_ratio(0.5, 18.0, 18.0) == pytest.approx(0.5 ** (1 / 0.62))
    assert rejection.dry_fan_ratio(1.0, 18.0, 0.0) == math.inf
    assert rejection.dry_fan_ratio(0.0, 18.0, -5.0) == 0.0
    assert rejection.fan_speed_ratio(0.01) == 0.15
    assert rejection.fan_speed_ratio(7.0) == 1.0
    # per unit capacity ~ sigma^0.75, fan power ~ sigma: per kW of heat sigma^0.25
    assert rejection.dry_fan_kw_per_kw(0.022, 0.835, 1.0) == pytest.approx(0.022 * 0.835**0.25)


@pytest.mark.parametrize(
    ("heat_kw", "duty", "spare"), [(0, 0, 0), (1200, 1, 1), (12000, 10, 1), (45000, 38, 4)]
)
def test_units_with_a_spare_per_block_of_ten(heat_kw, duty, spare):
    count = rejection.heat_rejection_units(heat_kw, 1200.0, 10)
    assert count == (duty, spare, duty + spare)


def test_whole_units_despite_rounding():
    assert rejection.heat_rejection_units(0.1 * 3 * 4000, 400.0, 10).duty == 3


def test_site_factor_at_altitude():
    """ITD 18 K, 10 K rise: sigma^0.75 = 0.873 at 1500 m (sigma 0.835)."""
    factor = rejection.dry_site_factor(18.0, 1.0, 0.835)
    assert factor == pytest.approx(0.873, abs=0.001)
    assert rejection.heat_rejection_unit_kw(1200.0, factor) == pytest.approx(1200 * factor)


def test_pad_and_trim():
    assert rejection.pad_temp_c(40.0, 20.0, 0.8) == 24.0
    assert rejection.trim_share(38.0, 36.0, 10.0) == pytest.approx(0.2)
    assert rejection.trim_share(50.0, 36.0, 10.0) == 1.0
    assert rejection.trim_share(30.0, 36.0, 10.0) == 0.0


@pytest.mark.parametrize(
    ("supplies", "water", "kind"),
    [
        ((35.0, 30.0, 28.0), True, "dry-cooler"),
        ((51.0, 35.0, 33.0), True, "adiabatic-cooler"),
        ((51.0, 37.7, 33.0), True, "open-cooling-tower"),
        # nothing reaches 36: least trim is the tower's 1 K
        ((51.0, 39.0, 37.0), True, "open-cooling-tower"),
        # more than half of the heat would be trim
        ((51.0, 45.0, 42.0), True, "water-cooled-chiller"),
        ((51.0, 35.0, 33.0), False, "air-cooled-chiller"),
        ((40.0, 35.0, 33.0), False, "dry-cooler"),
    ],
)
def test_choice(supplies, water, kind):
    choice = rejection.choose_heat_rejection(LowestSupplies(*supplies), 36.0, 10.0, water)
    assert choice.kind == kind
    assert choice.dry_shortfall_k == pytest.approx(supplies[0] - 36.0)
    assert choice.reason
