"""On-site generation."""

import pytest

from clusterplan.sizing.generation import frequency_rate_hz_per_s, generation_firm_mw, gensets


def test_an_exact_fit_needs_no_further_set():
    assert gensets(10.0, 1.0, 1.0, 2.5, redundant=0) == (10.0, 4, 4)


def test_firm_power_with_two_out():
    assert generation_firm_mw((10.0, 30.0, 20.0), 2) == 10.0
    assert generation_firm_mw((10.0,), 2) == 0.0


def test_less_inertia_falls_faster():
    slow, fast = (frequency_rate_hz_per_s(50.0, inertia, 50.0) for inertia in (3000.0, 300.0))
    assert fast == pytest.approx(10.0 * slow)
