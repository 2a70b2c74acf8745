"""Transformers: expected values by hand."""

import pytest

from clusterplan.sizing import transformers as t


def test_capability_in_hot_and_high_places():
    # 24 h mean 38 C, 1,500 m: (1 - 0.08)(1 - 0.025) of the top stage, IEEE C57.91 slopes
    assert t.unit_capability_mva(150.0, 38.0, 1500.0) == pytest.approx(150.0 * 0.92 * 0.975)
    # ONAN slopes 0.015 and 0.004
    onan = t.unit_capability_mva(90.0, 38.0, 1500.0, 0.015, 0.004)
    assert onan == pytest.approx(90.0 * 0.88 * 0.98)


def test_no_credit_for_cold_or_low_places():
    assert t.unit_capability_mva(150.0, 5.0, 0.0) == 150.0


@pytest.mark.parametrize(
    ("running", "units", "survivors"),
    [("pair", 4, 1), ("two-neighbours", 5, 2), ("paralleled", 5, 4), ("transfer-bus", 5, None)],
)
def test_survivors(running, units, survivors):
    assert t.survivors_of(running, units) == survivors


@pytest.mark.parametrize(
    ("running", "firm"),
    # n Sc k/(k+1) for n = 4, Sc = 100; a spare on a transfer bus takes one whole section
    [
        ("pair", 200.0),
        ("two-neighbours", 800.0 / 3),
        ("paralleled", 300.0),
        ("transfer-bus", 300.0),
    ],
)
def test_firm_by_running_arrangement(running, firm):
    assert t.group_firm_mva(4, 1, 100.0, t.survivors_of(running, 4)) == pytest.approx(firm)


def test_pairs_come_in_even_numbers():
    # 240 MVA on 100 MVA: n = 4 transfers (300 firm), pairs need 6 (300 firm; 4 would give 200)
    assert t.fewest_units(240.0, 100.0, 1, 1.0, "transfer-bus") == 4
    assert t.fewest_units(240.0, 100.0, 1, 1.0, "pair") == 6


def test_an_exact_fit_needs_no_further_unit():
    assert t.units_for(300.0, 150.0, 1, 1.0) == 3


def test_unequal_units_in_parallel():
    # 60 MVA at 8 % and 100 MVA at 12 %: shares 750 and 833; the first is full at 60 x 1583/750
    assert t.paralleled_capability_mva((60.0, 100.0), (60.0, 100.0), (0.08, 0.12)) == pytest.approx(
        60.0 * (750.0 + 833.3333) / 750.0, rel=1e-4
    )


def test_equal_units_in_parallel_give_their_sum():
    assert t.paralleled_capability_mva((50.0, 50.0), (50.0, 50.0), (0.1, 0.1)) == 100.0


def test_existing_units_without_the_largest():
    firm = t.without_largest_mva((100.0, 150.0, 100.0), 1)
    assert firm == 200.0
    assert t.existing_firm_mva(firm, 35.0) == 165.0
    assert t.without_largest_mva((100.0,), 1) == 0.0


def test_loss_factor():
    # 0.15 L + 0.85 L^2 at L 0.8; the square alone is the lower bound
    assert t.loss_factor(0.8) == pytest.approx(0.664)
    assert t.loss_factor(1.0) == pytest.approx(1.0)


def test_yearly_losses():
    # 3 x 90 MVA: no-load 0.1485 MW all year, load loss 0.567 MW at full load, loss factor 0.664
    assert t.transformer_losses_mwh(3, 90.0, 0.00055, 0.567, 0.664) == pytest.approx(
        8760.0 * (0.1485 + 0.3765), rel=1e-3
    )
