"""Floor verdicts; the loads themselves are checked in tests/reference/test_floor_gb200_unit.py."""

import pytest

from clusterplan.sizing.structure import floor_verdict, row_load_with_overhead_kpa


def test_within_the_rating():
    # dgx-h100-x4: 800 kg on 0.6 x 1.2 m is 10.9 kPa
    verdict = floor_verdict(10.9, 4.8, 12.0)
    assert verdict.code == "ok"
    assert verdict.text.startswith("floor ok")


def test_footprint_above_row_below():
    verdict = floor_verdict(18.5, 8.2, 12.0)
    assert verdict.code == "spread"
    assert verdict.text.startswith("spreader plates or slab")
    assert "slab on grade (25 kPa)" in verdict.text


def test_both_above():
    verdict = floor_verdict(18.5, 8.2, 7.2, storeys=2)
    assert verdict.code == "no"
    assert verdict.text.startswith("not on this floor")
    assert "ground floor only" in verdict.text


def test_heavier_than_a_slab_on_grade():
    assert "designed for it" in floor_verdict(30.0, 10.0, 12.0).text


def test_exactly_the_rating_passes():
    assert floor_verdict(12.0, 5.0, 12.0).code == "ok"


def test_hanging_load_adds_to_the_row():
    assert row_load_with_overhead_kpa(9.6, 2.4) == pytest.approx(12.0)
