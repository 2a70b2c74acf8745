"""Laws of the order of sites: gates before score, in the ranking and in every draw."""

from __future__ import annotations

import dataclasses
import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.cli.size import load
from clusterplan.inputs.weights_file import WeightsFile
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.ranked_site import assessed, ranked
from clusterplan.planning.site_doubt import doubt_of
from clusterplan.planning.site_samples import sample_site
from clusterplan.sizing.site_value import competition_ranks

if TYPE_CHECKING:
    from clusterplan.planning.ranked_site import RankedSite

SAMPLES = Path(__file__).parents[2] / "sample_sites"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
START = datetime.date(2026, 12, 1)
OWN = WeightsFile({"owner": "US", "samples": 20})
OPTIONS = Options(weights=OWN, start=START, draws=400)
GATES = (
    "site.land.buildable=825 acre",
    "site.land.control=owned",
    "site.land.flood_zone=X",
    "site.hazards={seismic: 4, storm: 4, active_fault: false, surge_zone: false,"
    " protected_habitat: false}",
    "site.policy={moratorium: false}",
    "site.permits={zoning: filed, environmental: not_filed, air: not_filed, water: not_filed}",
)
POOR = ("grid.tariff={energy: 160 USD/MWh, demand: 0 USD/kW-month}", "grid.circuits=1")
# one datum each that decides a gate: a value that fails it
DAMNING = {
    "control": "site.land.control=none",
    "acres": "site.land.flood_zone=AE",
    "local_rule": "site.policy.moratorium=true",
    "fibre": "site.fibre.routes=1",
    "hazard": "site.hazards.surge_zone=true",
}
# and the same datum left out
LEFT_OUT = {
    "control": ("land", {"control": None}),
    "acres": ("land", {"flood_zone": None}),
    "local_rule": ("policy", {"moratorium": None}),
    "fibre": ("fibre", {"routes": None}),
    "hazard": ("hazards", {"surge_zone": None}),
}


@cache
def _site(name: str, *changes: str, named: str | None = None) -> RankedSite:
    inputs = load(str(SAMPLES / name), {}, changes)
    if named is not None:
        site = inputs.site.model_copy(update={"id": named})
        inputs = dataclasses.replace(inputs, site=site)
    return assessed(inputs, Settings(OPTIONS))


def _clear() -> RankedSite:
    """A site that passes every gate with a poor score."""
    return _site("abilene", *GATES, *POOR, named="clear")


def _without(gate: str) -> RankedSite:
    """A good site that would be clear, had it not left out what decides a gate."""
    inputs = load(str(SAMPLES / "abilene"), {}, GATES)
    group, update = LEFT_OUT[gate]
    inner = getattr(inputs.site, group).model_copy(update=update)
    site = inputs.site.model_copy(update={group: inner, "id": "left-out"})
    return assessed(dataclasses.replace(inputs, site=site), Settings(OPTIONS))


@pytest.mark.parametrize("gate", DAMNING)
def test_a_clear_site_stands_before_a_better_one_that_is_not(gate: str) -> None:
    clear = _clear()
    failed = _site("abilene", *GATES, DAMNING[gate], named="failed")
    unknown = _without(gate)
    assert clear.is_clear
    assert next(g.verdict for g in failed.gates if g.name == gate) == "fail"
    assert next(g.verdict for g in unknown.gates if g.name == gate) == "unknown"
    assert min(failed.score.total.score, unknown.score.total.score) > clear.score.total.score
    order = ranked([failed, unknown, clear])
    assert order[0].id == "clear"
    doubt = doubt_of(order, Settings(OPTIONS))
    assert doubt is not None
    assert doubt.first_share(order[0]) == 1.0
    free = doubt.free_share(order[0])
    assert free is not None
    assert free < 0.05


@pytest.mark.parametrize("gate", DAMNING)
def test_a_damning_datum_that_is_left_out_lifts_no_site(gate: str) -> None:
    """Failed and unknown stand together behind the clear ones, by score."""
    failed = _site("abilene", *GATES, DAMNING[gate], named="failed")
    left_out = _without(gate)
    others = [_clear(), *(_site(name) for name in NAMES)]
    told = {site.id: site.rank for site in ranked([*others, failed])}["failed"]
    silent = {site.id: site.rank for site in ranked([*others, left_out])}["left-out"]
    assert left_out.score.total.score <= failed.score.total.score + 1e-12
    assert silent >= told


@pytest.mark.parametrize("name", NAMES)
def test_what_is_unknown_is_0_in_every_draw(name: str) -> None:
    site = _site(name)
    drawn = sample_site(site.evidence, site.prospects, site.score.data)
    values = np.asarray(drawn.values)
    unknown = [place for place, item in enumerate(site.score.data) if item.value is None]
    assert unknown
    assert values[:, unknown].max() == 0.0
    known = [place for place, item in enumerate(site.score.data) if item.value]
    assert values[:, known].max() > 0.0


_sites = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 0.5 + 1e-12, 0.9])), min_size=2
)


@settings(max_examples=100)
@given(_sites, st.data())
def test_ranks_of_gates_and_scores(sites: list[tuple[bool, float]], data: st.DataObject) -> None:
    clear, scores = [list(column) for column in zip(*sites, strict=True)]
    ranks = competition_ranks(clear, scores)
    for (one_clear, one), one_rank in zip(sites, ranks, strict=True):
        for (other_clear, other), other_rank in zip(sites, ranks, strict=True):
            if one_clear != other_clear:
                assert (one_rank < other_rank) == one_clear
            elif abs(one - other) < 1e-10:
                assert one_rank == other_rank
            else:
                assert (one_rank < other_rank) == (one > other)
    # one that leaves reorders nobody; gates that are lost never raise a rank
    gone = data.draw(st.integers(0, len(sites) - 1))
    rest = [place for place in range(len(sites)) if place != gone]
    left = competition_ranks([clear[k] for k in rest], [scores[k] for k in rest])
    for a, one in enumerate(rest):
        for b, other in enumerate(rest):
            assert (left[a] < left[b]) == (ranks[one] < ranks[other])
    lost = [False if place == gone else value for place, value in enumerate(clear)]
    assert competition_ranks(lost, scores)[gone] >= ranks[gone]
