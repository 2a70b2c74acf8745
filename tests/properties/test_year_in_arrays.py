"""The year of a cooling plant on arrays is that of its bins, for every plant and climate."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.cli.size import load
from clusterplan.core.errors import ClusterplanError
from clusterplan.planning import cooling_plan
from clusterplan.planning.choices import Ledger
from clusterplan.planning.size_site import site_model
from clusterplan.sizing.heat_rejection import TOWER_KINDS

SAMPLES = Path(__file__).parents[2] / "sample_sites"
KINDS = (
    "dry-cooler",
    "adiabatic-cooler",
    "open-cooling-tower",
    "closed-cooling-tower",
    "hybrid-tower",
    "air-cooled-chiller",
    "water-cooled-chiller",
    "once-through",
)
CLIMATES = sorted(row.id for row in catalog.climates())


def _years(climate: str, kind: str, *overrides: str) -> int:
    """Compare both years; the number of them that there are."""
    chosen = (f"site.climate={climate}", f"design.heat_rejection={kind}", *overrides)
    if kind == "once-through":
        chosen = (*chosen, "design.cooling.source_water=24 degC")
    inputs = load(str(SAMPLES / "abilene"), {}, chosen)
    model = site_model(inputs, Ledger())
    try:
        point = model.at(1800)
    except ClusterplanError:
        return 0
    design = model.cooling(model.stages_of(point))
    loads = (point.load, model.typical_load(point), point.cooling)
    bins = cooling_plan.annual(design, *loads)
    arrays = cooling_plan.annual_in_arrays(design, *loads)
    if bins is None or arrays is None:
        assert bins is arrays
        return 0
    assert arrays.pue == pytest.approx(bins.pue, rel=5e-6)
    assert arrays.wue == pytest.approx(bins.wue, rel=1e-4, abs=1e-9)
    assert arrays.band == bins.band
    energies = slice(0, 8)
    off = 5e-6 * bins.sums.it_mwh
    assert arrays.sums[energies] == pytest.approx(bins.sums[energies], abs=off)
    assert arrays.sums.water_m3 == pytest.approx(bins.sums.water_m3, rel=1e-4)
    assert arrays.sums[-2:] == pytest.approx(bins.sums[-2:], abs=1e-6)
    return 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_climate(kind: str) -> None:
    assert sum(_years(climate, kind) for climate in CLIMATES) > 20


@settings(max_examples=30, deadline=None)
@given(
    climate=st.sampled_from(CLIMATES),
    kind=st.sampled_from(KINDS),
    elevation=st.integers(0, 3000),
    supply=st.integers(22, 40),
)
def test_any_height_and_supply(climate: str, kind: str, elevation: int, supply: int) -> None:
    overrides = (f"site.elevation={elevation} m", f"design.cooling.tcs_supply={supply} degC")
    assert _years(climate, kind, *overrides) in (0, 1)


def test_kinds_are_all_there_are() -> None:
    assert set(TOWER_KINDS) <= set(KINDS)
