"""Laws of a comparison of sites, on the sample sites and changes of them."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.cli.size import load
from clusterplan.inputs.weights_file import WeightsFile
from clusterplan.planning.compare import compare_sites
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.ranked_site import assessed, ranked
from clusterplan.planning.site_samples import sample_site
from clusterplan.reporting.render import render
from clusterplan.sizing.draws import uniforms
from clusterplan.sizing.site_value import promethee_net_flow, topsis_closeness, weighted_score

if TYPE_CHECKING:
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.ranked_site import RankedSite

SAMPLES = Path(__file__).parents[2] / "sample_sites"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
START = datetime.date(2026, 12, 1)
OPTIONS = Options(start=START, draws=2000)
# a site that gives most of what is asked for, so that every change has something to change
FULL = (
    "site.land.control=owned",
    "site.land.flood_zone=X",
    "site.hazards={seismic: 1, storm: 1, active_fault: false, surge_zone: false,"
    " protected_habitat: false}",
    "site.fibre={routes: 3, rtt_hub: 5 ms}",
    "site.permits={zoning: issued, environmental: filed, air: issued, water: issued}",
    "site.tax={sales_exempt: true, property_abatement: 10 years}",
    "site.policy={moratorium: false}",
    "site.community={score: 4}",
    "site.workforce={electricians_60mi: 3000}",
    "site.water.stress=1",
    "grid.circuits=2",
    "grid.common_tower=false",
)


@cache
def _inputs(name: str, *changes: str) -> SiteInputs:
    return load(str(SAMPLES / name), {}, changes)


@cache
def _site(name: str, *changes: str) -> RankedSite:
    return assessed(_inputs(name, *changes), Settings(OPTIONS))


def _renamed(inputs: SiteInputs, name: str) -> SiteInputs:
    return dataclasses.replace(inputs, site=inputs.site.model_copy(update={"id": name}))


@cache
def _compared(*names: str) -> dict:
    report = compare_sites([_inputs(name) for name in names], Options(start=START, draws=0))
    return json.loads(render(report, "json"))


@pytest.mark.parametrize("dropped", NAMES)
def test_dropping_a_site_never_reorders_the_others(dropped: str) -> None:
    whole = [row["id"] for row in _compared(*NAMES)["sites"] if row["id"] != dropped]
    rest = _compared(*(name for name in NAMES if name != dropped))["sites"]
    assert [row["id"] for row in rest] == whole
    scores = {row["id"]: row["score"] for row in _compared(*NAMES)["sites"]}
    assert {row["id"]: row["score"] for row in rest} == {name: scores[name] for name in whole}


@pytest.mark.parametrize("pair", list(combinations(NAMES[:4], 2)))
def test_two_sites_stand_as_they_do_among_all(pair: tuple[str, str]) -> None:
    whole = [row["id"] for row in _compared(*NAMES)["sites"] if row["id"] in pair]
    assert [row["id"] for row in _compared(*pair)["sites"]] == whole


def test_order_of_the_arguments_does_not_matter() -> None:
    one = compare_sites([_inputs(n) for n in ("lulea", "ashburn", "johor")], OPTIONS)
    other = compare_sites([_inputs(n) for n in ("johor", "lulea", "ashburn")], OPTIONS)
    assert render(one, "json") == render(other, "json")


def test_a_duplicate_ties_in_score_and_shares_within_sampling_error() -> None:
    twin = _renamed(_inputs("abilene"), "abilene-twin")
    names = ["abilene", "dona-ana", "lulea"]
    report = compare_sites([*(_inputs(n) for n in names), twin], OPTIONS)
    rows = {row.id: row for row in report.parts["sites"]}
    assert rows["abilene"].score == rows["abilene-twin"].score
    assert rows["abilene"].rank == rows["abilene-twin"].rank
    shares = [rows[name].first_rank_share for name in ("abilene", "abilene-twin")]
    # 500 samples stand behind the draws: 3 standard errors of a share
    assert abs(shares[0] - shares[1]) < 3 * 2 * (0.25 / 500) ** 0.5
    alone = [row.id for row in compare_sites([_inputs(n) for n in names], OPTIONS).parts["sites"]]
    assert [row.id for row in report.parts["sites"] if row.id != "abilene-twin"] == alone


def test_other_sites_do_not_touch_a_site_s_draws() -> None:
    """How often one site beats another is the same, whoever else is there and in what order."""
    found = []
    for names in (("johor", "memphis"), ("west-texas-5gw", "memphis", "abilene", "johor")):
        pairs = compare_sites([_inputs(name) for name in names], OPTIONS).parts["pairs"]
        found.append(next(p.share for p in pairs if (p.site, p.other) == ("johor", "memphis")))
    assert 0.0 < found[0] < 1.0
    assert found[0] == found[1]


def test_streams_are_apart_by_seed_and_key() -> None:
    import numpy as np

    one = uniforms(1, "a/site.carbon", 500)
    assert (one == uniforms(1, "a/site.carbon", 500)).all()
    assert sorted(one) == pytest.approx([(k + 0.5) / 500 for k in range(500)])
    for seed, key in ((2, "a/site.carbon"), (1, "b/site.carbon"), (1, "a/site.water")):
        assert abs(np.corrcoef(one, uniforms(seed, key, 500))[0, 1]) < 0.2
    digest = hashlib.sha256(b"7/x").digest()[:16]
    own = np.random.Generator(np.random.Philox(key=int.from_bytes(digest, "little")))
    assert (uniforms(7, "x", 9) == (own.permutation(9) + 0.5) / 9).all()


def test_same_seed_same_bytes_another_seed_other_draws() -> None:
    sites = [_inputs(name) for name in ("abilene", "dona-ana")]
    texts = [render(compare_sites(sites, OPTIONS), "json") for _ in range(2)]
    assert texts[0] == texts[1]
    shares = [
        [row.share for row in compare_sites(sites, OPTIONS._replace(seed=seed)).parts["pairs"]]
        for seed in (1, 2, 3)
    ]
    assert shares[0] != shares[1] != shares[2]
    assert max(pair[0] for pair in shares) - min(pair[0] for pair in shares) < 0.05


WORSE = {
    "a stage later": ("grid.stages.1.energised=2033-10-01",),
    "less power": ("grid.stages.1.firm=60 MW",),
    "less sure": ("grid.stages.1.status=request",),
    "nothing sure": ("grid.stages.0.status=none", "grid.stages.1.status=none"),
    "dear energy": ("grid.tariff.energy=90 USD/MWh",),
    "dear demand": ("grid.tariff.demand=20 USD/kW-month",),
    "one circuit": ("grid.circuits=1",),
    "common tower": ("grid.common_tower=true",),
    "dry": ("site.water.stress=4",),
    "quakes": ("site.hazards.seismic=4",),
    "storms": ("site.hazards.storm=4",),
    "flood zone": ("site.land.flood_zone=AE",),
    "no control": ("site.land.control=none",),
    "fault": ("site.hazards.active_fault=true",),
    "one route": ("site.fibre.routes=1",),
    "far": ("site.fibre.rtt_hub=50 ms",),
    "zoning denied": ("site.permits.zoning=denied",),
    "zoning not filed": ("site.permits.zoning=not_filed",),
    "water denied": ("site.permits.water=denied",),
    "taxed": ("site.tax.sales_exempt=false",),
    "no abatement": ("site.tax.property_abatement=0 years",),
    "opposed": ("site.community.score=1",),
    "few hands": ("site.workforce.electricians_60mi=200",),
    "moratorium": ("site.policy.moratorium=true",),
    "embargo": ("site.policy.export_tier=embargo",),
    "dear land": ("site.land.price=150000 USD/acre",),
}


@pytest.mark.parametrize("change", WORSE)
def test_a_worse_datum_never_raises_a_rank(change: str) -> None:
    better = _site("lulea", *FULL)
    worse = _site("lulea", *FULL, *WORSE[change])
    assert worse.score.total.score <= better.score.total.score + 1e-12
    assert worse.is_clear <= better.is_clear
    for cross_check in ("topsis", "promethee"):
        found = getattr(worse.score, cross_check), getattr(better.score, cross_check)
        assert found[0] <= found[1] + 1e-12
    others = [_site(name) for name in NAMES if name != "lulea"]
    ranks = [
        next(s.rank for s in ranked([site, *others]) if s.id == "lulea") for site in (better, worse)
    ]
    assert ranks[1] >= ranks[0]
    # every draw too, so shares never rise
    drawn = [sample_site(s.evidence, s.prospects, s.score.data).values for s in (better, worse)]
    assert (drawn[1] <= drawn[0] + 1e-9).all()


@pytest.mark.parametrize("change", ["dear energy", "quakes", "opposed", "a stage later"])
def test_the_changes_do_lower_the_score(change: str) -> None:
    worse = _site("lulea", *FULL, *WORSE[change])
    assert worse.score.total.score < _site("lulea", *FULL).score.total.score


# every datum that the score or a gate reads from a file of the site
OPTIONAL = (
    "site.hazards site.hazards.seismic site.hazards.active_fault site.fibre site.fibre.routes"
    " site.fibre.rtt_hub site.permits site.permits.zoning site.permits.air site.permits.water"
    " site.tax site.policy.moratorium site.community site.workforce site.water.stress"
    " site.land.control site.land.control_until site.land.flood_zone site.land.price"
    " grid.approved"
    " grid.tariff grid.tariff.energy grid.tariff.demand grid.circuits grid.common_tower"
    " grid.stages.0.energised grid.stages.1.energised grid.stages.0.status grid.stages.1.status"
    " site.generation.0.status site.generation.0.energised site.generation.0.heat_rate"
).split()


def _without(inputs: SiteInputs, path: str) -> SiteInputs | None:
    """The inputs with one datum left out; None where it is not there."""
    kind, *keys = path.split(".")
    model = getattr(inputs, kind)
    if model is None:
        return None
    changed = _cut(model, keys)
    return None if changed is None else dataclasses.replace(inputs, **{kind: changed})


def _cut(value, keys: list[str]):
    key, *rest = keys
    if isinstance(value, tuple):
        if int(key) >= len(value):
            return None
        item = _cut(value[int(key)], rest)
        return None if item is None else (*value[: int(key)], item, *value[int(key) + 1 :])
    name = next((n for n, f in type(value).model_fields.items() if key in (n, f.alias)), None)
    if name is None or getattr(value, name) in (None, ()):
        return None
    if not rest:
        return value.model_copy(update={name: None})
    inner = _cut(getattr(value, name), rest)
    return None if inner is None else value.model_copy(update={name: inner})


@pytest.mark.parametrize("name", [*NAMES, "full"])
def test_missing_data_never_help(name: str) -> None:
    inputs = _inputs("lulea", *FULL) if name == "full" else _inputs(name)
    own = Settings(OPTIONS)
    before = assessed(inputs, own)
    checked = 0
    for path in OPTIONAL:
        changed = _without(inputs, path)
        if changed is None:
            continue
        after = assessed(changed, own)
        assert after.score.total.score <= before.score.total.score + 1e-9, path
        passed = {gate.name for gate in before.gates if gate.verdict == "pass"}
        assert {gate.name for gate in after.gates if gate.verdict == "pass"} <= passed, path
        checked += 1
    assert checked >= 3


def test_weights_above_zero_only_enter() -> None:
    own = Settings(OPTIONS)
    own.weights = {name: float(name == "carbon") for name in own.weights}
    site = assessed(_inputs("lulea"), own)
    carbon = next(item.value for item in site.score.data if item.row.id == "carbon")
    assert site.score.total.score == pytest.approx(carbon)
    assert site.score.total.coverage == pytest.approx(1.0)


_unit = st.floats(0.0, 1.0)
_value = st.one_of(st.none(), _unit)


@settings(max_examples=200)
@given(st.lists(st.tuples(st.floats(0.01, 1.0), _value, _unit), min_size=1, max_size=8), st.data())
def test_scores_fall_with_a_value_and_never_rise_where_one_is_lost(rows, data) -> None:
    total = sum(row[0] for row in rows)
    weights = tuple(row[0] / total for row in rows)
    values = tuple(row[1] for row in rows)
    place = data.draw(st.integers(0, len(rows) - 1))
    for lower in (None, min(rows[place][2], values[place] or 0.0)):
        worse = (*values[:place], lower, *values[place + 1 :])
        assert weighted_score(weights, worse).score <= weighted_score(weights, values).score + 1e-12
        assert topsis_closeness(weights, worse) <= topsis_closeness(weights, values) + 1e-12
        assert promethee_net_flow(weights, worse) <= promethee_net_flow(weights, values) + 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_points_add_up_to_the_score(name: str) -> None:
    score = _site(name).score
    assert sum(score.points) == int(100 * score.total.score + 0.5)
    assert score.total.best_case == pytest.approx(score.total.score + 1 - score.total.coverage)


@pytest.mark.parametrize("screen", [False, True])
def test_regional_figures_fill_gaps_on_request_only(screen: bool) -> None:
    site = assessed(_inputs("abilene"), Settings(OPTIONS._replace(screen=screen)))
    found = {item.row.id: item for item in site.score.data}
    assert found["seismic"].datum.screened is screen
    assert (found["seismic"].value is not None) is screen
    # only a row can tell it, so it always counts
    assert found["carbon"].value is not None
    if not screen:
        assert found["seismic"].datum.offered is not None


def test_a_range_of_the_sizing_is_sized_in_every_sample() -> None:
    inputs = _inputs("lulea", "grid.stages.1.firm={value: 100 MW, low: 40 MW, high: 100 MW}")
    few = WeightsFile({"samples": 50})
    options = OPTIONS._replace(draws=200, weights=few)
    report = compare_sites([inputs, _inputs("university-room")], options)
    assert report.parts["comparison"].sized_samples == 50
    own = Settings(options)
    site = assessed(inputs, own)
    place = [item.row.id for item in site.score.data].index("gw_years")
    ranged = sample_site(site.evidence, site.prospects, site.score.data).values[:, place]
    plain = assessed(_inputs("lulea"), own)
    firm = sample_site(plain.evidence, plain.prospects, plain.score.data).values[:, place]
    # less supply in a sample is less energy in it; the other draws are the same
    assert (ranged <= firm + 1e-12).all()
    assert (ranged < firm - 1e-6).any()
