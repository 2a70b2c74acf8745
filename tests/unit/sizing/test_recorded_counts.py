"""Counts that calculation sheets show step by step; figures worked by hand."""

from __future__ import annotations

import pytest

from clusterplan.sizing.cdu import unit_flow_l_per_min
from clusterplan.sizing.cdu_groups import (
    full_groups,
    group_flow_l_per_min,
    group_heat_kw,
    last_group_racks,
)
from clusterplan.sizing.fabric_count import (
    of_clusters,
    spine_core_links_of,
    spine_downlinks_of,
    spines_of_pods,
)


def test_cdu_groups_of_5197_racks_in_groups_of_56():
    # 92 x 56 = 5,152; 45 racks are left
    assert full_groups(5197, 56) == 92
    assert last_group_racks(5197, 92, 56) == 45
    assert full_groups(5152, 56) == 92
    assert full_groups(55, 56) == 0


def test_heat_and_flow_of_a_group():
    # 56 racks of 142 kW x 0.9 = 127.8 kW
    assert group_heat_kw(127.8, 56) == pytest.approx(7156.8)
    assert group_flow_l_per_min(128.0, 56) == 7168.0
    assert unit_flow_l_per_min(7168.0, 6) == pytest.approx(1194.6667, abs=1e-4)


def test_spines_and_core_links_of_pods():
    # 19 pods of 72 leaves a rail, 72 uplinks, 72 spines a group: 72 downlinks and uplinks each;
    # last pod 4 leaves a rail: 4 x 72 / 72 = 4
    assert spine_downlinks_of(72, 72, 72) == 72
    assert spine_downlinks_of(4, 72, 72) == 4
    assert spines_of_pods(4, 19, 72) == 5472
    assert spine_core_links_of(4, 72, 19, 72, 4) == 4 * 72 * (18 * 72 + 4) == 374400
    assert of_clusters(3, 144) == 432
