import pytest

from clusterplan.core.equipment import DensityThreshold
from clusterplan.sizing.density import (
    DensityLimits,
    air_heat_mw,
    density,
    density_limits,
    liquid_heat_mw,
    loss_heat_mw,
    rack_air_kw,
    rack_liquid_kw,
)

LIMITS = DensityLimits(30.0, 75.0)


@pytest.mark.parametrize(
    ("fraction", "kw", "expected", "words"),
    [
        (0.0, 10.2, "air", "at most 30 kW"),
        (0.0, 30.0, "air", "at most 30 kW"),
        (0.0, 40.8, "rear-door", "above the 30 kW of air and at most 75 kW"),
        (0.0, 90.0, "rear-door", "above even the 75 kW"),
        (0.85, 20.0, "direct-to-chip", "85 % of its heat"),
        (0.9, 142.0, "direct-to-chip", "less than 97 %"),
        (0.97, 227.0, "all-liquid", "at least 97 %"),
        (1.0, 600.0, "all-liquid", "100 %"),
    ],
)
def test_liquid_fraction_decides_before_power(fraction, kw, expected, words):
    result = density(fraction, kw, LIMITS)
    assert result.density_class == expected
    assert words in result.reason


def test_the_air_share_is_tested_against_the_air_limits():
    """200 kW with 80 % to liquid leaves 40 kW, more than air takes; 420 kW leaves 84, no door."""
    assert density(0.8, 200.0, LIMITS).air_class == "rear-door"
    assert "40 kW of air heat" in density(0.8, 200.0, LIMITS).reason
    assert density(0.9, 142.0, LIMITS).air_class == "air"
    assert not density(0.8, 200.0, LIMITS).beyond_air
    assert density(0.8, 420.0, LIMITS).beyond_air


def test_a_chosen_method_is_named_as_such():
    result = density(1.0, 80.0, LIMITS, method="immersion")
    assert result.density_class == "immersion"
    assert result.reason.startswith("chosen; by the rack it would be all-liquid")


def test_limits_are_the_highest_row_of_a_class():
    rows = [
        DensityThreshold(id=str(kw), density_class=name, max_kw=kw)
        for name, kw in (("air", 15.0), ("air", 32.0), ("rear-door", 35.0))
    ]
    assert density_limits(rows) == DensityLimits(32.0, 35.0)


def test_heat_of_a_gb200_rack():
    """132 kW = 115 + 17 kW (HPE)."""
    assert rack_liquid_kw(132.0, 0.87) == pytest.approx(115, rel=0.005)
    assert rack_air_kw(132.0, 0.87) == pytest.approx(17.16)


def test_gb200_unit_is_23_percent_air():
    """8 racks: 1.2 MW in all, 137 kW of rack air heat and about 144 kW of support racks."""
    liquid = liquid_heat_mw(8, 132.0, 0.87, 0.0)
    air = air_heat_mw(1.2, 0.0, liquid)
    assert liquid == pytest.approx(0.9187, abs=1e-4)
    assert air == pytest.approx(0.281, abs=1e-3)
    assert air / 1.2 == pytest.approx(0.23, abs=0.005)


def test_losses_in_rooms():
    """100 MW: busway 0.7 % and UPS 3.1 % of IT (1/0.993 and 1/0.97)."""
    assert loss_heat_mw(100.0, 0.993, 1.0) == pytest.approx(0.705, abs=1e-3)
    assert loss_heat_mw(100.0, 0.993, 0.97) == pytest.approx(0.705 + 3.115, abs=1e-3)
    assert loss_heat_mw(100.0, 1.0, 0.97, 1.0) == pytest.approx(3.1237, abs=1e-3)


def test_liquid_cooled_switches_add_to_the_liquid():
    assert liquid_heat_mw(10, 100.0, 0.9, 50.0) == pytest.approx(0.95)
