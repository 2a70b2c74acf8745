"""The dates of a long list's row are those of a comparison's calendar at typical times."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.cli.size import load
from clusterplan.planning.calendar_draws import Drawn
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.site_calendar import calendar, works_of
from clusterplan.planning.site_supply import supply_dates_of
from clusterplan.planning.size_site import size_site
from clusterplan.planning.typical_calendar import typical_dates

SAMPLES = Path(__file__).parents[2] / "sample_sites"
SITES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
START = datetime.date(2026, 12, 1)


def _agree(site: str, *overrides: str, screen: bool = False) -> None:
    inputs = load(str(SAMPLES / site), {}, overrides)
    plan = size_site(inputs, record=False)
    chosen = Settings(Options(start=START, screen=screen))
    works = works_of(inputs, plan)
    steps = tuple(step for step in supply_dates_of(inputs, chosen) if step.is_dated)
    for level in sorted({step.confidence for step in steps}):
        sure = tuple(step for step in steps if step.confidence >= level)
        due = calendar(works, sure, Drawn(0, None), chosen)
        found = typical_dates(works, sure, chosen)
        assert found.edges_mw == due.edges_mw
        assert found.on == pytest.approx(due.on[:, 0].tolist(), abs=1e-9)
        for facility_mw in (1.0, 100.0, 0.6 * works.facility_mw, 2.0 * works.facility_mw):
            month = found.month_of(facility_mw / works.pue_peak)
            assert month == pytest.approx(float(due.date_of(facility_mw)[0]), abs=1e-9)


@pytest.mark.parametrize("site", SITES)
def test_sample_sites(site: str) -> None:
    _agree(site)


@settings(max_examples=40, deadline=None)
@given(
    firm=st.lists(st.floats(20.0, 900.0), min_size=3, max_size=3),
    month=st.integers(1, 9),
    zoning=st.sampled_from(["not_filed", "filed", "issued"]),
    kind=st.sampled_from(["dry-cooler", "air-cooled-chiller", "adiabatic-cooler"]),
    ups=st.sampled_from(["none", "default"]),
)
def test_any_stages(firm: list[float], month: int, zoning: str, kind: str, ups: str) -> None:
    levels = sorted(firm)
    overrides = [f"grid.stages.{place}.firm={mw:.2f} MW" for place, mw in enumerate(levels)]
    overrides += [
        f"grid.stages.2.energised=2029-0{month}-01",
        f"site.permits.zoning={zoning}",
        f"design.heat_rejection={kind}",
        *(["design.ups=none"] if ups == "none" else []),
    ]
    _agree("abilene", *overrides)


def test_orders_and_plants_go_by_the_calendar_itself() -> None:
    _agree("dona-ana")
    _agree("abilene", "design.orders.power_transformer=2026-03-01")
