"""Order dates and deliveries of the user in the calendar of a site, worked by hand."""

from __future__ import annotations

import datetime
import math
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.cli import readiness
from clusterplan.cli.size import load
from clusterplan.core.errors import InputError
from clusterplan.inputs.weights_file import WeightsFile
from clusterplan.planning.compare import compare_sites
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.ranked_site import assessed
from clusterplan.planning.site_calendar import Calendar, Drawn, outlook, works_of
from clusterplan.planning.site_orders import ORDER_OF
from clusterplan.planning.size_site import size_site

SAMPLES = Path(__file__).parents[3] / "sample_sites"
START = datetime.date(2026, 12, 1)
OPTIONS = Options(start=START, draws=0)
WEEK = 7 / 30.4375
# a plant without a date of its own, so that its order counts
PLANT = (
    "site.generation=[{type: reciprocating_engine, gross: 200 MW, units: 20, status: ordered,"
    " fuel: natural gas}]"
)


def _month(day: str) -> float:
    return (datetime.date.fromisoformat(day) - START).days / 30.4375


@cache
def _calendar(site: str, *changes: str, draws: int | None = None) -> Calendar:
    inputs = load(str(SAMPLES / site), {}, changes)
    works = works_of(inputs, size_site(inputs, record=False))
    found = outlook(inputs, works, Drawn(1, draws), Settings(OPTIONS)).counted
    assert found is not None
    return found


def _on(facility_mw: float, *changes: str) -> float:
    return float(_calendar("lulea", *changes).date_of(facility_mw)[0])


@pytest.mark.parametrize(
    ("changes", "facility_mw", "month"),
    [
        # halls: shell 20, roof to operation 5; the first stage of supply comes in month 10
        ((), 40.0, 25.0),
        # boards ordered later: 52 weeks and 5 months after the order
        (("design.orders.mv_switchgear=2028-12-01",), 40.0, _month("2028-12-01") + 52 * WEEK + 5),
        (
            ("design.orders.mv_unit_substation=2028-12-01",),
            40.0,
            _month("2028-12-01") + 50 * WEEK + 5,
        ),
        (("design.orders.ups=2028-12-01",), 40.0, _month("2028-12-01") + 32 * WEEK + 5),
        (
            ("design.orders.cooling_machines=2028-12-01",),
            40.0,
            _month("2028-12-01") + 32 * WEEK + 5,
        ),
        (("design.orders.cdu=2028-12-01",), 40.0, _month("2028-12-01") + 20 * WEEK + 5),
        # racks ordered at the end of 2028, 30 weeks
        (("design.orders.racks=2028-12-01",), 40.0, _month("2028-12-01") + 30 * WEEK),
        # half a year of work is done at the start
        (("design.orders.shell_start=2026-06-01",), 40.0, _month("2026-06-01") + 25.0),
        # work that stands waits for no zoning; work to come waits for the later of both
        (
            ("design.orders.shell_start=2026-06-01", "site.permits.zoning=not_filed"),
            40.0,
            _month("2026-06-01") + 25.0,
        ),
        (("design.orders.shell_start=2027-03-01", "site.permits.zoning=not_filed"), 40.0, 33.0),
        (
            ("design.orders.shell_start=2027-12-01", "site.permits.zoning=not_filed"),
            40.0,
            _month("2027-12-01") + 25.0,
        ),
        # the new yard: transformers 160 weeks, breakers 143, commissioning 3
        ((), 53.0, 160 * WEEK + 3),
        (
            ("design.orders.power_transformer=2027-12-01",),
            53.0,
            _month("2027-12-01") + 160 * WEEK + 3,
        ),
        (("design.orders.power_transformer=2025-12-01",), 53.0, 143 * WEEK + 3),
        (("design.electrical.lead_time=200 week",), 53.0, 200 * WEEK + 3),
        (("design.orders.hv_breaker=2027-12-01",), 53.0, _month("2027-12-01") + 143 * WEEK + 3),
        (("design.orders.substation_start=2028-12-01",), 53.0, _month("2028-12-01") + 26 + 3),
        # all ordered long ago: the second stage of supply is what is left
        (
            (
                "design.orders.power_transformer=2020-01-01",
                "design.orders.hv_breaker=2020-01-01",
                "design.orders.substation_start=2020-01-01",
            ),
            53.0,
            _month("2029-10-01"),
        ),
    ],
)
def test_orders_by_hand(changes: tuple[str, ...], facility_mw: float, month: float) -> None:
    assert _on(facility_mw, *changes) == pytest.approx(month)


def test_engines_by_hand() -> None:
    late = ("design.orders.generation=2027-12-01", PLANT)
    plain = _calendar("dona-ana", PLANT)
    found = _calendar("dona-ana", *late)
    # engines 70 weeks from the order, the permit 14 months from the start, commissioning 3
    assert plain.parts["supply"][0][0] == pytest.approx(70 * WEEK + 3)
    assert found.parts["supply"][0][0] == pytest.approx(_month("2027-12-01") + 70 * WEEK + 3)
    early = _calendar("dona-ana", "design.orders.generation=2020-01-01", PLANT)
    assert early.parts["supply"][0][0] == pytest.approx(14.0 + 3.0)


def test_deliveries_by_hand() -> None:
    some = "design.deliveries=[{date: 2029-06-01, racks: 100}, {date: 2030-06-01, racks: 300}]"
    found = _calendar("lulea", some)
    works = found.works
    each = works.facility_mw / 314  # racks of the plan
    # racks come after the halls of month 25, so the first 100 of them wait for their delivery
    assert found.date_of(100 * each)[0] == pytest.approx(_month("2029-06-01"))
    assert found.date_of(101 * each)[0] == pytest.approx(_month("2030-06-01"))
    assert found.date_of(301 * each)[0] == math.inf  # no delivery covers the last 14
    assert found.critical(100 * each) == ("racks", 1.0)
    assert float(found.delivered_mw(40)[0]) == pytest.approx(100 * works.it_mw / 314)


def test_accelerators_count_as_racks_do() -> None:
    racks = _calendar("lulea", "design.deliveries=[{date: 2029-06-01, racks: 100}]")
    chips = _calendar("lulea", "design.deliveries=[{date: 2029-06-01, accelerators: 7200}]")
    assert racks.edges_mw == pytest.approx(chips.edges_mw)
    assert (racks.on == chips.on).all()


def _rows(*changes: str) -> tuple[dict[int, object], object]:
    report = compare_sites([load(str(SAMPLES / "lulea"), {}, changes)], OPTIONS)
    return {row.month: row for row in report.parts["calendar"]}, report


def test_early_deliveries_are_stranded() -> None:
    rows, _ = _rows("design.deliveries=[{date: 2027-12-01, racks: 314}]")
    assert rows[10].stranded_p50 == 0
    assert rows[13].stranded_p50 == 314 * 72  # on site since month 12, the halls come later
    assert rows[13].accelerators == 0
    assert rows[60].stranded_p50 == 0


def test_more_than_the_plan_stays_stranded_and_is_told() -> None:
    rows, report = _rows("design.deliveries=[{date: 2027-12-01, racks: 400}]")
    assert rows[60].stranded_p50 == pytest.approx((400 - 314) * 72, abs=1)
    warnings = {row.code: row.message for row in report.parts["warnings"]}
    assert "127 %" in warnings["deliveries_and_plan"]


def test_what_is_not_dated_is_an_assumption() -> None:
    _, report = _rows("design.orders.ups=2027-01-01")
    found = {row.path: row.value for row in report.parts["assumptions"]}
    assert found["design.orders.power_transformer"] == "at the start"
    assert "design.orders.ups" not in found
    assert "months before they are planned" in str(found["design.orders.racks"])
    _, report = _rows("design.deliveries=[{date: 2029-06-01, racks: 100}]")
    assert "design.orders.racks" not in {row.path for row in report.parts["assumptions"]}


def test_readiness_tells_the_order_but_takes_it_for_no_slot() -> None:
    plan = ("design.orders.mv_switchgear=2027-01-01",)
    plan += ("design.deliveries=[{date: 2029-06-01, racks: 100}]",)
    report = readiness.run(str(SAMPLES / "lulea"), overrides=plan)
    items = {item.item: item for item in report.parts["items"]}
    boards = items["MV switchgear"]
    assert boards.status == "partly"
    assert "order on 2027-01-01" in boards.evidence
    racks = items["accelerator racks"]
    assert racks.status == "partly"
    assert "100 racks by 2029-06-01" in racks.evidence


def test_an_order_too_late_for_a_stage_is_told() -> None:
    changes = ("design.orders.power_transformer=2030-01-01",)
    inputs = load(str(SAMPLES / "west-texas-5gw"), {}, changes)
    codes = {row.code: row.message for row in size_site(inputs).warnings}
    assert "2030-01-01" in codes["order_late"]


@pytest.mark.parametrize("path", sorted({*ORDER_OF.values(), "orders.generation"}))
@settings(max_examples=12, deadline=None)
@given(first=st.integers(-1500, 1500), later=st.integers(1, 1200))
def test_a_later_order_never_makes_a_block_earlier(path: str, first: int, later: int) -> None:
    site, more = ("dona-ana", (PLANT,)) if path == "orders.generation" else ("lulea", ())
    days = [START + datetime.timedelta(days=first + more_days) for more_days in (0, later)]
    for draws in (None, 40):
        early, late = (_calendar(site, f"design.{path}={day}", *more, draws=draws) for day in days)
        assert early.edges_mw == late.edges_mw
        assert (late.on >= early.on - 1e-9).all()
        assert (late.on >= 0.0).all()


@settings(max_examples=20, deadline=None)
@given(first=st.integers(-500, 1500), later=st.integers(1, 1200))
def test_later_deliveries_never_make_a_block_earlier(first: int, later: int) -> None:
    def found(days: int) -> Calendar:
        dates = [START + datetime.timedelta(days=days + 90 * place) for place in range(3)]
        rows = ", ".join(f"{{date: {day}, racks: {100 * n}}}" for n, day in enumerate(dates, 1))
        return _calendar("lulea", f"design.deliveries=[{rows}]", draws=40)

    assert (found(first + later).on >= found(first).on - 1e-9).all()


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("design.orders.shell_start=2026-01-01", "design.orders.shell_start=2028-01-01"),
        ("design.orders.racks=2027-01-01", "design.orders.racks=2030-01-01"),
        (
            "design.deliveries=[{date: 2027-12-01, racks: 314}]",
            "design.deliveries=[{date: 2030-12-01, racks: 314}]",
        ),
        (
            "design.deliveries=[{date: 2027-12-01, racks: 314}]",
            "design.deliveries=[{date: 2027-12-01, racks: 200}]",
        ),
    ],
)
def test_later_or_fewer_lowers_the_score(earlier: str, later: str) -> None:
    # a first phase that the site reaches, so that its date counts
    chosen = WeightsFile({"first_phase": 40.0})
    scores = [
        assessed(
            load(str(SAMPLES / "lulea"), {}, (change,)),
            Settings(Options(weights=chosen, start=START, draws=0)),
        ).score.total.score
        for change in (earlier, later)
    ]
    assert scores[1] < scores[0]


def test_a_range_of_an_order_is_drawn() -> None:
    ranged = (
        "design.orders.mv_switchgear={value: 2028-12-01, low: 2028-09-01, high: 2029-06-01,"
        " source: maker}"
    )
    halls = _calendar("lulea", ranged, draws=400).parts["halls"][0]
    plain = ("design.orders.mv_switchgear=2028-12-01",)
    fixed = _calendar("lulea", *plain, draws=400).parts["halls"][0]
    assert halls.max() > fixed.max() + 3.0
    assert halls.min() < fixed.min()


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ("orders.ups=2027", "orders.ups", "a date is due"),
        ("orders.upss=2027-01-01", "orders.upss", "unknown key"),
        ("deliveries=5", "deliveries", "a list of deliveries is due"),
        ("deliveries=[]", "deliveries", "a list of deliveries is due"),
        ("deliveries=[5]", "deliveries.0", "date and racks or accelerators"),
        ("deliveries=[{date: 2027-01-01}]", "deliveries.0", "racks or accelerators is missing"),
        ("deliveries=[{racks: 5}]", "deliveries.0", "date is missing"),
        (
            "deliveries=[{date: 2027-01-01, racks: 5, accelerators: 360}]",
            "deliveries.0",
            "given both",
        ),
        ("deliveries=[{date: 2027-01-01, racks: 0}]", "deliveries.0.racks", "out of range"),
        ("deliveries=[{date: 2027-01-01, racks: 5 MW}]", "deliveries.0.racks", "whole number"),
        ("deliveries=[{date: 2027-01-01, rack: 5}]", "deliveries.0.rack", "unknown key"),
        (
            "deliveries=[{date: 2027-02-01, racks: 5}, {date: 2027-01-01, racks: 9}]",
            "deliveries.1.date",
            "is not after",
        ),
        (
            "deliveries=[{date: 2027-01-01, racks: 5}, {date: 2027-02-01, racks: 5}]",
            "deliveries.1.racks",
            "is not above",
        ),
        (
            "deliveries=[{date: 2027-01-01, racks: 5}, {date: 2027-02-01, accelerators: 900}]",
            "deliveries.1.accelerators",
            "follow racks",
        ),
    ],
)
def test_what_cannot_be_is_refused(change: str, path: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(str(SAMPLES / "lulea"), {}, (f"design.{change}",))
    found = {problem.path: problem.message for problem in caught.value.problems}
    assert f"design.{path}" in found
    assert message in found[f"design.{path}"]


def test_a_problem_names_file_and_line(tmp_path: Path) -> None:
    for name in ("site.yaml", "grid.yaml"):
        (tmp_path / name).write_text((SAMPLES / "lulea" / name).read_text(encoding="utf-8"))
    design = "orders:\n  ups: 2027-01-01\ndeliveries:\n  - {date: 2027-05-01, racks: 9}\n"
    design += "  - date: 2027-04-01\n    racks: 12\n"
    (tmp_path / "design.yaml").write_text(design)
    with pytest.raises(InputError) as caught:
        load(str(tmp_path), {}, ())
    (problem,) = caught.value.problems
    assert (problem.path, problem.line) == ("design.deliveries.1.date", 5)
    assert problem.file is not None
    assert problem.file.endswith("design.yaml")


def test_halls_that_are_dated_are_not_told_as_new() -> None:
    def told(*changes: str) -> bool:
        report = compare_sites([load(str(SAMPLES / "abilene"), {}, changes)], OPTIONS)
        texts = [row.critical for row in report.parts["steps"]]
        codes = [row.code for row in report.parts["warnings"]]
        assert any("as if new" in text for text in texts) == ("halls_as_new" in codes)
        return "halls_as_new" in codes

    assert told()
    assert not told("design.orders.shell_start=2024-06-15")
