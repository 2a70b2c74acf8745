"""Blocks of the low-voltage chain: redundancy schemes, rings, standby sets."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterplan.sizing import generation, power_blocks
from clusterplan.sizing.build_out import order_date
from clusterplan.sizing.distribution import chain_stages

SCHEMES = ("N", "N+1", "2N", "distributed", "block")
EFFICIENCIES = {
    "hv_mv_transformer": 0.9955,
    "mv_distribution": 0.997,
    "mv_lv_transformer": 0.992,
    "ups": 0.97,
    "busway": 0.993,
    "rectifier": 0.9825,
}


def test_a_full_2n_design_shows_half_and_all():
    found = power_blocks.blocks_for(30.0, 2.5, "2N", 4)
    assert (found.installed, found.redundant) == (24, 12)
    assert found.loading_normal_percent == pytest.approx(50.0)
    assert found.loading_degraded_percent == pytest.approx(100.0)
    assert found.lost_percent == 0.0


def test_four_to_make_three():
    found = power_blocks.blocks_for(7.5, 2.5, "distributed", 4)
    assert (found.installed, found.redundant) == (4, 1)
    assert found.loading_normal_percent == pytest.approx(75.0)
    assert found.loading_degraded_percent == pytest.approx(100.0)


def test_a_reserve_block_stands_idle():
    found = power_blocks.blocks_for(6.0, 2.5, "block", 4)
    assert (found.needed, found.installed) == (3, 4)
    assert found.loading_normal_percent == found.loading_degraded_percent == pytest.approx(80.0)


def test_without_redundancy_a_share_is_lost():
    found = power_blocks.blocks_for(10.0, 2.5, "N", 4)
    assert (found.installed, found.redundant, found.loading_degraded_percent) == (4, 0, None)
    assert found.lost_percent == pytest.approx(25.0)


@given(
    load=st.floats(0.01, 5000.0),
    rating=st.floats(0.1, 20.0),
    scheme=st.sampled_from(SCHEMES),
    group=st.integers(2, 12),
)
def test_no_scheme_overloads_a_block(load, rating, scheme, group):
    found = power_blocks.blocks_for(load, rating, scheme, group)
    assert found.installed == found.needed + found.redundant
    assert found.loading_normal_percent <= 100.0 * (1 + 1e-6)
    assert (found.needed - 1) * rating < load * (1 + 1e-6)
    degraded = found.loading_degraded_percent
    if scheme == "N":
        assert degraded is None
        return
    assert degraded is not None
    assert found.loading_normal_percent <= degraded <= 100.0 * (1 + 1e-6)
    # what all carry together is the load, whatever the scheme
    running = found.needed if scheme == "block" else found.installed
    assert math.isclose(found.loading_normal_percent / 100.0 * running * rating, load)
    # every group has its own spare: losing one block of each leaves enough
    if scheme not in ("2N",):
        assert found.redundant * (group - 1) >= found.needed


@pytest.mark.parametrize("position", ["lv", "mv", "rack"])
def test_losses_add_up_wherever_the_ups_stands(position):
    from clusterplan.sizing.distribution import chain_efficiency, stage_losses

    stages = chain_stages(EFFICIENCIES, 1, True, "ac", position)
    rows = stage_losses(stages, 100.0, 20.0, 3.0)
    assert sum(row.loss_mw for row in rows) + 123.0 == pytest.approx(rows[0].input_mw)
    eta = chain_efficiency(stages)
    names = [stage.stage for stage in stages]
    assert eta.it == pytest.approx(0.9955 * 0.997 * 0.992 * 0.97 * 0.993)
    if position == "mv":
        assert names.index("UPS") == names.index("MV/LV transformer") - 1
        assert eta.mechanical == pytest.approx(0.9955 * 0.997 * 0.992 * 0.97)
    else:
        assert eta.mechanical == pytest.approx(0.9955 * 0.997 * 0.992)
    assert eta.mechanical_on_ups == pytest.approx(
        eta.mechanical * (0.97 if position == "lv" else 1.0)
    )


def test_load_of_a_stage_is_what_it_gives_out():
    stages = chain_stages(EFFICIENCIES, 1, True)
    ahead = power_blocks.efficiency_behind(stages, "MV/LV transformer")
    load = power_blocks.block_load_mva(100.0, ahead.it, 3.0, ahead.mechanical_on_ups, 0.98)
    assert load == pytest.approx((100.0 / 0.97 / 0.993 + 3.0 / 0.97) / 0.98)
    assert power_blocks.efficiency_behind(stages, "LV busway") == (1.0, 1.0, 1.0)


def test_either_end_of_a_ring_carries_it():
    # 82.5 MVA at 34.5 kV on feeders of 600 A (35.9 MVA): three rings, six feeders
    rings = power_blocks.section_rings(82.5, 34.5, 600.0)
    capacity = power_blocks.feeder_mva(34.5, 600.0)
    assert capacity == pytest.approx(35.85, rel=1e-3)
    assert rings == 3
    assert power_blocks.block_loading_percent(82.5, rings, capacity) == pytest.approx(76.7, abs=0.1)


def test_standby_sets_carry_the_facility_not_the_racks():
    """10 MW of IT at PUE 1.4 and margin 1.25 on 2.5 MW sets: 17.5 MW, 7 + 1."""
    sets = generation.gensets(10.0, 1.4, 1.25, 2.5, generation.genset_spares(7, 8, 1))
    assert (sets.required_mw, sets.duty, sets.installed) == (17.5, 7, 8)
    assert math.ceil(10.0 * 1.25 / 2.5) + 1 == 6  # what sizing on IT alone would say
    assert generation.genset_spares(70, 8, 1) == 10
    # 17.5 MW for a day at 262 L/MWh (173.1 US gal/h of 2.5 MW)
    assert generation.standby_fuel_m3(14.0, 24.0, 262.0) == pytest.approx(88.03, abs=0.01)
    assert 173.1 * 3.785411784 / 2.5 == pytest.approx(262.0, abs=0.2)


def test_order_date_counts_weeks_back():
    assert order_date("2028-12-31", 128.0) == "2026-07-19"
