"""The calendar of one site, worked by hand from the typical lead times."""

from __future__ import annotations

import datetime
import math
from functools import cache
from pathlib import Path

import pytest

from clusterplan.cli.size import load
from clusterplan.planning.calendar_draws import Drawn
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.site_calendar import Outlook, outlook, works_of
from clusterplan.planning.site_supply import supply_dates_of
from clusterplan.planning.size_site import size_site

SAMPLES = Path(__file__).parents[3] / "sample_sites"
START = datetime.date(2026, 12, 1)
WEEK = 7 / 30.4375


@cache
def _typical(site: str, *changes: str) -> Outlook:
    inputs = load(str(SAMPLES / site), {}, changes)
    plan = size_site(inputs, record=False)
    settings = Settings(Options(start=START, draws=0))
    return outlook(inputs, works_of(inputs, plan), Drawn(0, None), settings)


def _on(found: Outlook, facility_mw: float) -> float:
    assert found.counted is not None
    return float(found.counted.date_of(facility_mw)[0])


def test_lulea_by_hand() -> None:
    found = _typical("lulea")
    # halls: zoning is issued, shell 20, roof to operation 5; the first stage comes in month 10
    assert _on(found, 40.0) == pytest.approx(25.0)
    # second stage 2029-10-01; what stands carries 63 x 0.95 - 8 = 51.85 MW
    second = (datetime.date(2029, 10, 1) - START).days / 30.4375
    assert _on(found, 51.8) == pytest.approx(second)
    # above that the new yard: transformers 160 weeks, commissioning 3
    assert _on(found, 53.0) == pytest.approx(160 * WEEK + 3)
    assert _on(found, 54.0) == math.inf  # beyond the plan


def test_zoning_delays_the_halls() -> None:
    filed = _typical("lulea", "site.permits.zoning=filed")
    open_case = _typical("lulea", "site.permits.zoning=not_filed")
    assert _on(filed, 40.0) == pytest.approx(25.0 + 4.0)
    assert _on(open_case, 40.0) == pytest.approx(25.0 + 8.0)


def test_fifty_megawatts_a_month() -> None:
    found = _typical("dona-ana")
    pue = found.counted.works.pue_peak
    # the plant is there in month 13; halls of the first block in 25, one block a month after
    assert _on(found, 50.0 * pue) == pytest.approx(25.0)
    assert _on(found, 500.0 * pue) == pytest.approx(34.0)


def test_a_licence_holds_up_the_racks() -> None:
    late = _typical("lulea", "site.policy.export_tier=licence_case")
    # ordered 52 weeks before month 25; 30 weeks and a licence of 6 months take longer
    assert _on(late, 40.0) == pytest.approx(25.0 - 52 * WEEK + 30 * WEEK + 6.0)
    assert late.counted.works.licence
    drawn = Drawn(1, 1000)
    inputs = load(str(SAMPLES / "lulea"), {}, ("site.policy.export_tier=licence_case",))
    plan = size_site(inputs, record=False)
    settings = Settings(Options(start=START, draws=0))
    found = outlook(inputs, works_of(inputs, plan), drawn, settings).counted
    racks = found.parts["racks"][0]
    assert 0.1 < (racks > 0).mean() < 0.9  # late in some of the draws


@pytest.mark.parametrize(
    ("changes", "confidences"),
    [
        ((), [0.9, 0.9]),
        (("grid.stages.0.status=request",), [0.3, 0.3]),  # later ones at most as sure
        (("grid.stages.1.status=sis",), [0.9, 0.5]),
        (("grid.approved=60 MW",), [0.9, 0.9, 0.3]),  # above the approved: a request
        (("grid.confidence=0.4",), [0.4, 0.4]),
        (("grid.stages.1.status=sis", "grid.stages.1.confidence=0.8"), [0.9, 0.5]),
        (
            (
                "grid.stages.1.status=sis",
                "grid.stages.1.confidence={value: 0.8, source: letter of the utility}",
            ),
            [0.9, 0.8],
        ),
    ],
)
def test_confidence_of_steps(changes: tuple[str, ...], confidences: list[float]) -> None:
    inputs = load(str(SAMPLES / "lulea"), {}, changes)
    steps = supply_dates_of(inputs, Settings(Options(start=START, draws=0)))
    assert [step.confidence for step in steps] == confidences


def test_a_step_without_a_date_never_comes_unless_screened() -> None:
    changes = ("grid.stages=[{name: a, firm: 100 MW, status: agreement}]",)
    inputs = load(str(SAMPLES / "lulea"), {}, changes)
    (never,) = supply_dates_of(inputs, Settings(Options(start=START, draws=0)))
    assert not never.is_dated
    (usual,) = supply_dates_of(inputs, Settings(Options(start=START, draws=0, screen=True)))
    assert usual.screened
    assert usual.months is not None
    low, typical, high = usual.months
    assert low < typical < high


def test_plants_without_a_date_wait_for_their_lead_time_and_permit() -> None:
    changes = (
        "site.generation=[{type: reciprocating_engine, gross: 100 MW, units: 10,"
        " status: ordered, fuel: natural gas}]",
    )
    inputs = load(str(SAMPLES / "dona-ana"), {}, changes)
    (step,) = supply_dates_of(inputs, Settings(Options(start=START, draws=0)))
    assert step.leads == ("recip_engine", "air_permit_psd_title_v")
    # engines 70 weeks, the permit 14 months, commissioning 3
    assert Drawn(0, None).supply(step)[0] == pytest.approx(max(70 * WEEK, 14.0) + 3.0)
    assert step.part.gross_mw - step.part.largest_mw == pytest.approx(90.0)
