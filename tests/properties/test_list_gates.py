"""Gates of a row of a long list: those of a whole comparison, whatever the site gives."""

from __future__ import annotations

import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.cli.size import load
from clusterplan.inputs.weights_file import WeightsFile
from clusterplan.planning.candidates import _as_plan, row_gates
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.quick_size import quick_plan
from clusterplan.planning.ranked_site import assessed
from clusterplan.planning.site_data import Evidence
from clusterplan.planning.site_supply import supply_dates_of

if TYPE_CHECKING:
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.site_gates import Gate
    from clusterplan.sizing.draws import Floats

SAMPLES = Path(__file__).parents[2] / "sample_sites"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
START = datetime.date(2026, 12, 1)
STREAMS: dict[str, Floats] = {}  # one for all, as in a run


@cache
def _settings(first: float, deadline: float) -> Settings:
    chosen = {"first_phase": first, "deadline": deadline, "owner": "US"}
    return Settings(Options(start=START, weights=WeightsFile(chosen)))


def _of_a_row(inputs: SiteInputs, own: Settings) -> tuple[Gate, ...]:
    row, has_cdus = quick_plan(inputs)
    plan = _as_plan(row, has_cdus=has_cdus) if row.racks else None
    evidence = Evidence(inputs, plan, own)
    steps = supply_dates_of(inputs, own) if row.racks else ()
    return row_gates(evidence, row, steps, STREAMS)


def _agree(inputs: SiteInputs, own: Settings) -> tuple[Gate, ...]:
    found = _of_a_row(inputs, own)
    # not the verdict alone: the datum, with its month, and what closes it
    assert found == assessed(inputs, own).gates
    return found


@pytest.mark.parametrize("screen", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_sample_sites(name: str, screen: bool) -> None:
    own = Settings(Options(start=START, screen=screen))
    _agree(load(str(SAMPLES / name), {}, ()), own)


STATUS = st.sampled_from(["none", "request", "sis", "facilities", "agreement", "energised"])
FLAG = st.sampled_from(["true", "secondary", "false"])


@st.composite
def _stage(draw: st.DrawFn, place: int, year: int, firm_mw: float) -> list[str]:
    day = f"{year}-01-01"
    text = f"{{value: {day}, verified: {draw(FLAG)}, source: utility letter"
    if draw(st.booleans()):
        text += f", low: {year - 1}-06-01, high: {year + draw(st.integers(1, 3))}-06-01"
    prefix = f"grid.stages.{place}"
    return [
        f"{prefix}.firm={firm_mw:.3f} MW",
        f"{prefix}.energised={text}}}",
        f"{prefix}.status={draw(STATUS)}",
    ]


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    name=st.sampled_from(["lulea", "johor"]),
    first=st.sampled_from([5.0, 40.0, 100.0]),
    deadline=st.sampled_from([12.0, 36.0, 72.0]),
    approved=st.sampled_from([0.0, 30.0, 500.0]),
    control=st.sampled_from(["owned", "none", "lease", "option"]),
)
def test_random_supply(data, name, first, deadline, approved, control) -> None:
    inputs = load(str(SAMPLES / name), {}, ())
    assert inputs.grid is not None
    count = len(inputs.grid.stages)
    lists = (st.floats(2.0, 300.0), st.integers(2025, 2034))
    powers, years = (sorted(data.draw(st.lists(x, min_size=count, max_size=count))) for x in lists)
    changes = ["grid.requested=500 MW", f"grid.approved={approved} MW"]
    for place, (year, firm) in enumerate(zip(years, powers, strict=True)):
        changes += data.draw(_stage(place, year, firm))
    changes += [f"site.land.control={control}", "site.land.control_until=2030-06-01"]
    _agree(load(str(SAMPLES / name), {}, tuple(changes)), _settings(first, deadline))


PLANT = st.sampled_from(["ccgt", "reciprocating_engine", "fuel_cell", "solar", "diesel"])


@settings(max_examples=40, deadline=None)
@given(
    gross=st.lists(st.floats(5.0, 250.0), min_size=1, max_size=3),
    kind=PLANT,
    status=st.sampled_from(["none", "permit_filed", "ordered", "building", "running"]),
    day=st.sampled_from(["", "2027-03-01", "2029-09-01"]),
    air=st.sampled_from(["filed", "issued", "denied", "not_filed"]),
    first=st.sampled_from([20.0, 100.0]),
    deadline=st.sampled_from([18.0, 36.0, 60.0]),
)
def test_random_plants(gross, kind, status, day, air, first, deadline) -> None:
    units = []
    for place, mw in enumerate(gross):
        dated = f", energised: {day}" if day and place != 1 else ""
        units.append(
            f"{{name: u{place}, type: {kind}, gross: {mw:.2f} MW, units: {place + 2},"
            f" status: {status}{dated}}}"
        )
    changes = [
        f"site.generation=[{', '.join(units)}]",
        f"site.permits={{air: {{status: {air}, months: 10 months}}, zoning: filed}}",
    ]
    _agree(load(str(SAMPLES / "lulea"), {}, tuple(changes)), _settings(first, deadline))


WATER = st.sampled_from(["", "10 m3/yr", "900000 m3/yr", "90000000 m3/yr"])
PEAK = st.sampled_from(["", "0.01 L/s", "20 L/s", "900 L/s"])


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(["ashburn", "johor", "memphis"]),
    annual=WATER,
    peak=PEAK,
    zone=st.sampled_from(["", "X", "AE"]),
    acres=st.floats(5.0, 900.0),
    routes=st.sampled_from(["", "0", "1", "2"]),
    moratorium=st.sampled_from(["", "true", "false"]),
)
def test_random_ground(name, annual, peak, zone, acres, routes, moratorium) -> None:
    changes = [f"site.land.gross={2 * acres:.2f} acre", f"site.land.buildable={acres:.2f} acre"]
    for path, value in (
        ("site.water.annual", annual),
        ("site.water.peak", peak),
        ("site.land.flood_zone", zone),
        ("site.fibre.routes", routes),
        ("site.policy.moratorium", moratorium),
    ):
        changes += [f"{path}={value}"] if value else []
    _agree(load(str(SAMPLES / name), {}, tuple(changes)), _settings(40.0, 36.0))
