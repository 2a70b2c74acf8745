"""Linear interpolation by hand."""

import pytest

from clusterplan.sizing.interpolation import interpolate


@pytest.mark.parametrize(
    ("x", "y"),
    [(10.0, 0.27), (60.0, 0.27), (80.0, 0.26), (100.0, 0.25), (150.0, 0.15), (500.0, 0.05)],
)
def test_straight_between_the_rows_and_held_beyond(x, y):
    points = ((60.0, 0.27), (100.0, 0.25), (200.0, 0.05))
    assert interpolate(points, x) == pytest.approx(y)
