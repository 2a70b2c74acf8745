"""Laws of a long list: what the other rows, a worse datum or a missing one may do to a rank."""

from __future__ import annotations

import csv
import datetime
import io
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.cli.size import load
from clusterplan.inputs.candidate_table import open_table, raw_rows
from clusterplan.inputs.weights_file import WeightsFile
from clusterplan.planning.candidates import Options, Outcome, size_chunk
from clusterplan.planning.comparison_settings import Options as Comparison
from clusterplan.planning.comparison_settings import Settings
from clusterplan.planning.list_ranking import Ranking, ranking
from clusterplan.planning.ranked_site import assessed

SAMPLES = Path(__file__).parents[2] / "sample_sites"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
START = datetime.date(2026, 12, 1)
OWNED = Comparison(start=START, weights=WeightsFile({"owner": "US", "target": 150.0}))
# a row that passes every gate of these settings
CLEAR = {
    "name": "Parcel",
    "country": "US",
    "state": "TX",
    "latitude": "31.5",
    "longitude": "-99.5",
    "elevation": "500 m",
    "rack": "gb300-nvl72",
    "land.gross": "900 acre",
    "land.buildable": "700 acre",
    "land.control": "owned",
    "land.flood_zone": "X",
    "land.price": "9000 USD/acre",
    "water.source": "none",
    "water.stress": "1",
    "hazards.seismic": "1",
    "hazards.storm": "1",
    "hazards.active_fault": "false",
    "hazards.surge_zone": "false",
    "hazards.protected_habitat": "false",
    "fibre.routes": "3",
    "fibre.rtt_hub": "5 ms",
    "permits.zoning.status": "issued",
    "permits.air.status": "issued",
    "permits.water.status": "issued",
    "tax.sales_exempt": "true",
    "policy.moratorium": "false",
    "community.score": "4",
    "workforce.electricians_60mi": "3000",
    "grid.voltage": "345 kV",
    "grid.circuits": "2",
    "grid.common_tower": "false",
    "grid.firm": "200 MW",
    "grid.energised": "2028-01-01",
    "grid.status": "agreement",
    "grid.tariff.energy": "45 USD/MWh",
    "grid.tariff.demand": "10 USD/kW-month",
    "grid.short_circuit.min": "15 kA",
    "grid.short_circuit.max": "35 kA",
}


def _table_text(rows: list[dict[str, str]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, names, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _sized(path: Path, rows: list[dict[str, str]], comparison: Comparison) -> list[Outcome]:
    path.write_text(_table_text(rows), encoding="utf-8")
    table = open_table(path)
    return size_chunk(list(raw_rows(table)), Options(table, None, comparison))


class _Held:
    """Outcomes as a journal gives them."""

    def __init__(self, outcomes: list[Outcome]) -> None:
        self._outcomes = outcomes

    def outcomes(self):
        """All, as if at one place."""
        return ((0, outcome) for outcome in self._outcomes)


def _ranked(outcomes: list[Outcome]) -> Ranking:
    return ranking(_Held(outcomes))  # type: ignore[arg-type]  # only its outcomes are asked for


def _order(outcomes: list[Outcome]) -> list[str]:
    return [place.id for place in _ranked(outcomes).places]


def _change(place: int) -> dict[str, str]:
    """Parcels that differ in what scores and gates read."""
    return {
        "id": f"p{place:02}",
        "grid.firm": f"{110 + 30 * (place % 7)} MW",
        "grid.energised": f"{2027 + place % 5}-06-01",
        "grid.tariff.energy": "" if place % 4 == 0 else f"{35 + place} USD/MWh",
        "fibre.routes": ("", "1", "2", "3")[place % 3 + (place % 2)],
        "land.control": ("owned", "none", "")[place % 5 % 3],
    }


@pytest.fixture(scope="module")
def pool(tmp_path_factory) -> list[Outcome]:
    """Sized rows, some clear, two of them equal."""
    rows = [CLEAR | _change(place) for place in range(24)]
    rows.append(CLEAR | _change(3) | {"id": "twin"})
    found = _sized(tmp_path_factory.mktemp("pool") / "list.csv", rows, OWNED)
    assert all(one.row for one in found), [one.problems for one in found]
    assert {one.is_clear for one in found} == {True, False}
    return found


@settings(max_examples=200)
@given(kept=st.sets(st.integers(0, 24), min_size=1), shuffle=st.randoms())
def test_dropping_and_moving_rows_never_reorders_the_others(pool, kept, shuffle) -> None:
    chosen = [pool[place] for place in kept]
    shuffle.shuffle(chosen)
    names = {one.id for one in chosen}
    assert _order(chosen) == [name for name in _order(pool) if name in names]


@settings(max_examples=100)
@given(copied=st.sets(st.integers(0, 24), min_size=1, max_size=6), again=st.booleans())
def test_duplicated_rows_never_reorder_the_others(pool, copied, again) -> None:
    more = []
    for place in sorted(copied):
        one = pool[place]
        # the same id is set aside; another id is a site that ties
        name = one.id.upper() if again else f"{one.id}-copy"
        more.append(one._replace(id=name, line=one.line + 100))
    found = _ranked([*pool, *more])
    names = {one.id for one in pool}
    assert [place.id for place in found.places if place.id in names] == _order(pool)
    assert len(found.aside) == (len(copied) if again else 0)
    ranks = {place.id: rank for place, rank in zip(found.places, found.ranks, strict=True)}
    if not again:
        assert all(ranks[one.id] == ranks[one.id.removesuffix("-copy")] for one in more)


def test_clear_rows_come_before_all_others_then_by_score(pool) -> None:
    found = _ranked(pool)
    levels = [place.level for place in found.places]
    assert levels == sorted(levels)
    assert found.clear_count == sum(one.is_clear for one in pool)
    best_open = max(place.score for place in found.places if not place.is_clear)
    worst_clear = min(place.score for place in found.places if place.is_clear)
    assert best_open > worst_clear  # so the gates do decide here
    ranks = {place.id: rank for place, rank in zip(found.places, found.ranks, strict=True)}
    assert ranks["twin"] == ranks["p03"]
    for row in found.gate_counts():
        assert row.passed + row.failed + row.unknown == len(pool)


WORSE = {
    "later": {"grid.energised": "2033-10-01"},
    "less power": {"grid.firm": "60 MW"},
    "less sure": {"grid.status": "request"},
    "announced": {"grid.status": "none"},
    "dear energy": {"grid.tariff.energy": "90 USD/MWh"},
    "one circuit": {"grid.circuits": "1"},
    "common tower": {"grid.common_tower": "true"},
    "dry": {"water.stress": "4"},
    "quakes": {"hazards.seismic": "4"},
    "fault": {"hazards.active_fault": "true"},
    "flood zone": {"land.flood_zone": "AE"},
    "no control": {"land.control": "none"},
    "few acres": {"land.buildable": "20 acre"},
    "one route": {"fibre.routes": "1"},
    "far": {"fibre.rtt_hub": "50 ms"},
    "zoning denied": {"permits.zoning.status": "denied"},
    "taxed": {"tax.sales_exempt": "false"},
    "opposed": {"community.score": "1"},
    "few hands": {"workforce.electricians_60mi": "200"},
    "moratorium": {"policy.moratorium": "true"},
    "dear land": {"land.price": "150000 USD/acre"},
}


@pytest.fixture(scope="module")
def worse(tmp_path_factory) -> dict[str, Outcome]:
    """The clear row, and one for each change to the worse, and for each datum left out."""
    rows = [CLEAR | {"id": "before"}]
    rows += [CLEAR | change | {"id": f"w{place}"} for place, change in enumerate(WORSE.values())]
    gone = [name for name in CLEAR if name not in REQUIRED]
    rows += [CLEAR | {name: "", "id": f"u{place}"} for place, name in enumerate(gone)]
    found = _sized(tmp_path_factory.mktemp("worse") / "list.csv", rows, OWNED)
    return dict(zip(["", *WORSE, *gone], found, strict=True))


REQUIRED = (
    *("name", "country", "state", "latitude", "longitude", "elevation", "rack"),
    *("land.gross", "grid.voltage", "grid.short_circuit.min", "grid.short_circuit.max"),
)


def test_the_row_to_be_changed_is_clear(worse) -> None:
    assert worse[""].is_clear, worse[""].row["gates"]


@pytest.mark.parametrize("change", WORSE)
def test_a_worse_datum_never_lifts_a_row(pool, worse, change: str) -> None:
    before, after = worse[""], worse[change]
    assert after.row is not None
    assert after.is_clear <= before.is_clear
    assert after.row["score"] <= before.row["score"] + 1e-12
    places = [_order([*pool, one]).index(one.id) for one in (before, after)]
    assert places[1] >= places[0]


# which gate needs which datum
NEEDED = {
    "grid.firm": "firm_mw",
    "grid.energised": "firm_mw",
    "grid.status": "firm_mw",
    "land.control": "control",
    "land.buildable": "acres",
    "land.flood_zone": "acres",
    "hazards.active_fault": "hazard",
    "hazards.surge_zone": "hazard",
    "hazards.protected_habitat": "hazard",
    "fibre.routes": "fibre",
    "permits.zoning.status": "local_rule",
    "policy.moratorium": "local_rule",
    "water.source": "water",
}


@pytest.mark.parametrize("name", [name for name in CLEAR if name not in REQUIRED])
def test_a_missing_datum_never_helps(worse, name: str) -> None:
    before, after = worse[""], worse[name]
    if after.row is None:
        assert after.problems
        return
    passed = [gate for gate, verdict in before.verdicts if verdict == "pass"]
    assert {gate for gate, verdict in after.verdicts if verdict == "pass"} <= set(passed)
    # `none` rules wet cooling out: without a word on water the plan may be larger, its gate open
    if name != "water.source":
        assert after.row["score"] <= before.row["score"] + 1e-9
    if name in NEEDED:
        assert dict(after.verdicts)[NEEDED[name]] != "pass"
        assert not after.is_clear
        assert NEEDED[name] in after.row["gates"]


@pytest.mark.parametrize("owner", [None, "US", "CN"])
def test_an_owner_not_set_leaves_no_row_clear(tmp_path: Path, owner: str | None) -> None:
    chosen = {"target": 150.0} | ({"owner": owner} if owner else {})
    comparison = Comparison(start=START, weights=WeightsFile(chosen))
    (found,) = _sized(tmp_path / "a.csv", [CLEAR | {"id": "a"}], comparison)
    verdict = {None: "unknown", "US": "pass", "CN": "fail"}[owner]
    assert dict(found.verdicts)["ownership"] == verdict
    assert found.is_clear is (owner == "US")


def _flat(tree, path: tuple[str, ...] = ()) -> dict[str, str]:
    """The cells of a site file: one for each of its values."""
    if isinstance(tree, dict):
        pairs = tree.items()
    elif isinstance(tree, list):
        pairs = ((str(place), item) for place, item in enumerate(tree))
    else:
        text = "" if tree is None else str(tree)
        return {".".join(path): text.lower() if isinstance(tree, bool) else text}
    cells: dict[str, str] = {}
    for key, value in pairs:
        cells |= _flat(value, (*path, str(key)))
    return cells


@cache
def _sample_row(name: str) -> dict[str, str]:
    cells: dict[str, str] = {}
    for kind, document in load(str(SAMPLES / name), {}, ()).documents.items():
        prefix = () if kind == "site" else (kind,)
        cells |= _flat(document.tree, prefix)
    return {name: text for name, text in cells.items() if not name.endswith("schema_version")}


def _sample_rows() -> list[dict[str, str]]:
    """All of them with columns of one shape: a value that has a source at one site has `.value`."""
    rows = [_sample_row(name) for name in NAMES]
    every = {name for row in rows for name in row}

    def column(name: str) -> str:
        if not any(other.startswith(f"{name}.") for other in every):
            return name
        # a word that stands for a group of one field
        group = "id" if name == "climate" else "status"
        return (
            f"{name}.{group}" if name == "climate" or f"{name}.status" in every else f"{name}.value"
        )

    return [{column(name): text for name, text in row.items()} for row in rows]


@pytest.mark.parametrize("screen", [False, True])
def test_the_sample_sites_as_a_list_have_the_gates_of_their_folders(tmp_path, screen) -> None:
    comparison = Comparison(start=START, screen=screen)
    found = _sized(tmp_path / "list.csv", _sample_rows(), comparison)
    assert [one.problems for one in found] == [()] * len(NAMES)
    own = Settings(comparison)
    for name, one in zip(NAMES, found, strict=True):
        inputs = load(str(SAMPLES / name), {}, ())
        if screen:
            inputs = _screened(inputs)
        site = assessed(inputs, own)
        assert one.verdicts == tuple((gate.name, gate.verdict) for gate in site.gates), name


def _screened(inputs):
    import dataclasses

    return dataclasses.replace(inputs, screen=True)
