"""Dates of supply, blocks, GW-years, and values expected over doubtful steps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clusterplan.sizing import ready_dates
from clusterplan.sizing.ready_dates import SupplyPart

STAGES = (SupplyPart(grid_mw=50.0), SupplyPart(grid_mw=100.0), SupplyPart(grid_mw=200.0))
DATES = np.array([[10.0], [20.0], [30.0]])


@pytest.mark.parametrize(
    ("phase_it", "stage", "demand", "short", "cap"),
    [
        (40.0, 50.0, 48.0, 0.0, 40.0),
        (90.0, 100.0, 108.0, 8.0, 83.333),
        (150.0, 200.0, 180.0, 0, 150),
    ],
)
def test_three_stages_against_three_phases(
    phase_it: float, stage: float, demand: float, short: float, cap: float
) -> None:
    assert phase_it * 1.2 == pytest.approx(demand)
    assert ready_dates.shortfall_mw(phase_it, stage, 1.2) == pytest.approx(short)
    assert ready_dates.capped_it_mw(phase_it, stage, 1.2) == pytest.approx(cap, abs=1e-3)


def test_supply_comes_with_the_first_stage_that_is_large_enough() -> None:
    levels = ready_dates.levels_in_service(STAGES, DATES)
    found = ready_dates.supply_dates(levels, (50.0, 50.1, 100.0, 200.0, 201.0))
    assert found[:, 0].tolist() == [10.0, 20.0, 20.0, 30.0, math.inf]


def test_a_plant_counts_with_its_largest_unit_out() -> None:
    parts = (SupplyPart(grid_mw=100.0), SupplyPart(gross_mw=300.0, largest_mw=100.0))
    levels = ready_dates.levels_in_service(parts, np.array([[5.0], [9.0]]))
    found = ready_dates.supply_dates(levels, (100.0, 300.0, 301.0))
    assert found[:, 0].tolist() == [5.0, 9.0, math.inf]


def test_a_step_that_never_comes_serves_nothing() -> None:
    levels = ready_dates.levels_in_service(STAGES, np.array([[10.0], [math.inf], [math.inf]]))
    assert ready_dates.supply_dates(levels, (60.0,))[0, 0] == math.inf


@pytest.mark.parametrize(
    ("at_hv", "standing", "expected"),
    [(False, 0.0, [12.0, 40.0]), (True, 0.0, [40.0, 40.0]), (True, 90.0, [5.0, 40.0])],
)
def test_the_yard_holds_up_what_passes_it(
    at_hv: bool, standing: float, expected: list[float]
) -> None:
    parts = (SupplyPart(grid_mw=100.0), SupplyPart(stated_mw=80.0))
    levels = ready_dates.levels_in_service(parts, np.array([[5.0], [12.0]]))
    found = ready_dates.connected_dates(
        levels, (80.0, 150.0), np.array([40.0]), standing, at_hv=at_hv
    )
    assert found[:, 0].tolist() == expected


def test_blocks_are_cut_at_every_level() -> None:
    edges = ready_dates.block_edges(120.0, (50.0, 100.0, 500.0), 1.25, 50.0)
    assert edges == pytest.approx((40.0, 50.0, 80.0, 100.0, 120.0))


def test_gw_years_of_the_target_curve() -> None:
    # 100 MW from month 12 and 900 more from month 36, to month 60
    assert ready_dates.gw_years((100.0, 900.0), (12.0, 36.0), 60.0) == pytest.approx(2.2)
    assert ready_dates.gw_years((100.0,), (math.inf,), 60.0) == 0.0
    drawn = ready_dates.gw_years_of_draws((100.0, 900.0), np.array([[12.0], [36.0]]), 60.0)
    assert drawn[0] == pytest.approx(2.2)


def test_order_statistics_take_a_date_that_was_drawn() -> None:
    values = np.array([3.0, 1.0, 2.0, math.inf])
    assert ready_dates.quantile(values, 0.5) == 2.0
    assert ready_dates.quantile(values, 0.75) == 3.0
    assert ready_dates.quantile(values, 0.9) == math.inf


def test_an_early_doubtful_step_does_not_hide_a_later_sure_one() -> None:
    # 0.9 sure: value 0.4; with a step at 0.3: value 0.8
    found = ready_dates.expected_value((0.9, 0.3), (0.4, 0.8))
    assert found == pytest.approx(0.6 * 0.4 + 0.3 * 0.8)
    assert found > ready_dates.expected_value((0.9,), (0.4,))
    assert ready_dates.expected_value((), ()) == 0.0
