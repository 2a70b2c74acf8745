"""Samples of sites whose inputs, those of the design file too, have ranges."""

from __future__ import annotations

import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clusterplan.cli.sample_bar import SampleBar
from clusterplan.cli.size import load
from clusterplan.core.errors import InputError
from clusterplan.inputs.weights_file import WeightsFile
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.ranked_site import assessed
from clusterplan.planning.site_samples import ranged_inputs, sample_site
from clusterplan.sizing.draws import feet

if TYPE_CHECKING:
    from clusterplan.planning.site_samples import Samples

SAMPLES = Path(__file__).parents[3] / "sample_sites"
START = datetime.date(2026, 12, 1)
COUNT = 24
SITE = "university-room"  # the quickest to size


def _settings() -> Settings:
    return Settings(Options(weights=WeightsFile({"samples": COUNT}), start=START))


def _sampled(*changes: str) -> tuple[Samples, Settings, list[int], list[str]]:
    inputs = load(str(SAMPLES / SITE), {}, changes)
    settings = _settings()
    site = assessed(inputs, settings)
    heard: list[int] = []
    found = sample_site(
        site.evidence, site.prospects, site.score.data, lambda _, done, __: heard.append(done)
    )
    return found, settings, heard, [row.id for row in settings.data]


def _draws(change: str) -> np.ndarray:
    from clusterplan.planning import site_samples

    inputs = load(str(SAMPLES / SITE), {}, (change,))
    (item,) = ranged_inputs(inputs)
    return site_samples._input_draws(item, inputs, 1, 500)


def test_a_range_of_the_design_is_sized_in_every_sample() -> None:
    change = "design.cooling.air_chiller_carnot={value: 0.43, low: 0.35, high: 0.5, source: maker}"
    found, settings, heard, names = _sampled(change)
    assert found.sized == COUNT
    assert heard == list(range(1, COUNT + 1))
    years = found.values[:, names.index("gw_years")]
    assert len(np.unique(years)) > 1  # a better chiller leaves more power to racks
    fixed, _, heard, _ = _sampled()
    assert (fixed.sized, heard) == (0, [])
    assert not settings.ledger.warnings


def test_feet_are_1_8_times_the_range_both_ways_and_stay_in_the_field() -> None:
    free = _draws("design.cooling.dry_approach={value: 8 K, low: 7 K, high: 10 K, source: maker}")
    low, _, high = feet(7.0, 8.0, 10.0)
    assert (low, high) == pytest.approx((8 - 1.8, 8 + 1.8 * 2))
    assert low < free.min() < low + 0.3
    assert high - 0.5 < free.max() < high
    # accepted: 3 to 20 K
    most = _draws("design.cooling.dry_approach={value: 15 K, low: 3 K, high: 20 K, source: maker}")
    assert most.min() == 3.0
    assert most.max() == 20.0
    # a fraction of the site file stays one too
    share = _draws("design.cooling.pad_efficiency={value: 0.8, low: 0.6, high: 0.94, source: a}")
    assert share.max() == 0.95


def test_orders_and_the_lead_time_of_the_calendar_are_not_sized() -> None:
    changes = (
        "design.orders.ups={value: 2027-06-01, low: 2027-03-01, high: 2027-12-01, source: a}",
        "design.electrical.lead_time={value: 160 week, low: 100 week, high: 200 week, source: a}",
    )
    assert ranged_inputs(load(str(SAMPLES / SITE), {}, changes)) == ()


def test_figures_that_do_not_go_together_count_nothing_and_are_told() -> None:
    change = (
        "design.cooling.air_water_return={value: 22 degC, low: 16 degC, high: 30 degC, source: a}"
    )
    found, settings, _, names = _sampled(change)
    (warning,) = [row for row in settings.ledger.warnings if row.code == "samples_refused"]
    assert "cannot be planned and count 0" in warning.message
    assert (found.values[:, names.index("gw_years")] == 0.0).any()
    assert (found.values[:, names.index("gw_years")] > 0.0).any()


@cache
def _problem(change: str) -> tuple[str, str]:
    with pytest.raises(InputError) as caught:
        load(str(SAMPLES / SITE), {}, (f"design.{change}",))
    (problem,) = caught.value.problems
    return problem.path or "", problem.message


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ("cooling.dry_approach={value: 8 K, low: 9 K}", "cooling.dry_approach.low", "above value"),
        ("cooling.dry_approach={value: 8 K, high: 30 K}", "cooling.dry_approach.high", "range"),
        ("heat_rejection={value: dry-cooler, low: dry-cooler}", "heat_rejection.low", "low and"),
    ],
)
def test_wrong_ranges_are_refused(change: str, path: str, message: str) -> None:
    found, text = _problem(change)
    assert found == f"design.{path}"
    assert message in text


class _Terminal:
    def __init__(self, *, isatty: bool) -> None:
        self.text = ""
        self._isatty = isatty

    def isatty(self) -> bool:
        return self._isatty

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("isatty", [True, False])
def test_the_bar_is_for_terminals_alone(isatty: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal(isatty=isatty)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with SampleBar() as bar:
        for done in (1, 2):
            bar.heard("here", done, 2)
        bar.heard("there", 1, 2)
    assert ("samples of" in terminal.text) == isatty
