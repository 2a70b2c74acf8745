"""Design points by hand: Abilene TX (ASHRAE 2013: 37.4, mcwb 21.5, wb 24.2, n20 42.7 degC)."""

from __future__ import annotations

import pytest

from clusterplan.sizing import design_points as points

_ABILENE = points.ClimateDesign(
    elevation_m=530,
    db_0p4_c=37.4,
    mcwb_0p4_c=21.5,
    wb_0p4_c=24.2,
    db_n20_c=42.7,
    heating_99p6_c=-6.6,
)


@pytest.mark.parametrize(
    ("pad_mw", "plume_k"), [(5, 0), (19.9, 0), (20, 1), (100, 1), (100.1, 2), (900, 2)]
)
def test_plume_of_dry_machines(pad_mw, plume_k):
    assert points.plume_dry_k(pad_mw, 1.0, 2.0) == plume_k


@pytest.mark.parametrize(("pad_mw", "plume_k"), [(20, 0), (20.1, 0.5)])
def test_plume_of_towers(pad_mw, plume_k):
    assert points.plume_tower_k(pad_mw, 0.5) == plume_k


def test_hot_point_holds_the_humidity_of_the_coincident_point():
    """22.9 degC wet bulb at 42.7 degC dry bulb (method: Abilene hot point 42.7/22.9)."""
    air = points.design_air(_ABILENE._replace(warming_k=0.0), 0.0)
    assert air.hot.dry_bulb_c == 42.7
    assert air.hot.wet_bulb_c == pytest.approx(22.9, abs=0.06)


def test_warming_and_plume():
    """Warming raises hot dry bulb and humid wet bulb; plume warms at constant humidity ratio."""
    station = points.design_air(_ABILENE, 0.0)
    near = points.design_air(_ABILENE, 2.0)
    assert station.hot.dry_bulb_c == 42.7 + 1.0
    assert station.humid.wet_bulb_c == pytest.approx(24.2 + 1.5 + 1.0)
    assert station.humid.dry_bulb_c == pytest.approx(26.7 + 0.7 * (37.4 - 24.2))
    for before, after in zip(station, near, strict=True):
        assert after.dry_bulb_c == pytest.approx(before.dry_bulb_c + 2.0)
        assert after.humidity_ratio_kg_per_kg == before.humidity_ratio_kg_per_kg
        assert 0.3 < after.wet_bulb_c - before.wet_bulb_c < 0.8


def test_towers_see_a_wet_bulb_plume_only():
    air = points.design_air(_ABILENE, 0.0, 0.5)
    assert air.humid.wet_bulb_c == pytest.approx(26.7 + 0.5)
    assert air.hot.dry_bulb_c == 43.7


def test_cold_and_switch_over():
    assert points.cold_dry_bulb_c(-6.6, 12.0) == pytest.approx(-18.6)
    assert points.switch_over_dry_bulb_c(36.0, 8.0) == 28.0
    assert points.switch_over_air(_ABILENE, 28.0).dry_bulb_c == 28.0
