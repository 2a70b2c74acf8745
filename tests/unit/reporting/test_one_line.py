"""The one-line diagram: what is drawn is what the plan has, however large the site."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import pytest

from clusterplan.cli.site_drawings import emit_one_line, one_line
from clusterplan.cli.size import Asked, planned
from clusterplan.core.results.one_line import SYMBOLS, equipment_of
from clusterplan.planning.one_line_blocks import behind_the_feeders
from clusterplan.reporting.one_line_svg import one_line_svg
from clusterplan.reporting.one_line_text import one_line_text

SITES = Path(__file__).parents[3] / "sample_sites"
NAMES = sorted(path.name for path in SITES.iterdir())
_kept: dict = {}


def _drawn(site):
    if site not in _kept:
        plan, _ = planned(str(SITES / site), files={}, asked=Asked())
        _kept[site] = (plan, *one_line(str(SITES / site), asked=Asked()))
    return _kept[site]


@pytest.mark.parametrize("site", NAMES)
def test_counts_are_those_of_the_plan(site):
    plan, _, diagram = _drawn(site)
    section = plan.substation
    rows = {(row.kind, row.name): row for row in equipment_of(diagram)}
    unit = rows["transformer", "T"]
    assert unit.count == section.transformers
    assert unit.redundant == (section.transformers_redundant or None)
    assert f"{section.mv_kv:g} kV" in unit.rating
    if section.service != "mv":
        feeders = section.feeders + (section.feeders_spare or 0)
        assert rows["feeder", "MV feeder"].count == feeders
        assert rows["bus", "MV section"].count == section.transformers * section.secondaries
    if section.hv_circuits:
        assert rows["line", "circuit"].count == section.hv_circuits
    assert f"{plan.summary.racks:,} compute racks" in rows["load", "IT"].rating


@pytest.mark.parametrize("site", NAMES)
def test_text_fits_a_screen(site):
    text = one_line_text(_drawn(site)[2])
    lines = text.splitlines()
    assert max(map(len, lines)) <= 78
    assert 10 < len(lines) <= 32  # a 5 GW site is no longer than one of 2 MW, but for its sources


@pytest.mark.parametrize("site", NAMES)
def test_svg_is_well_formed_and_small(site):
    svg = one_line_svg(_drawn(site)[2])
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(svg) < 20_000
    assert "script" not in svg


def test_symbols_are_known():
    for site in NAMES:
        assert {row.kind for row in equipment_of(_drawn(site)[2])} <= set(SYMBOLS)


def test_an_island_has_no_grid():
    kinds = [row.kind for row in equipment_of(_drawn("dona-ana")[2])]
    assert "grid" not in kinds
    assert kinds.count("generator") == 2
    assert "grid" in [row.kind for row in equipment_of(_drawn("abilene")[2])]


def test_generation_at_mv_stands_behind_the_transformers():
    _, diagram = one_line(
        str(SITES / "abilene"),
        asked=Asked(),
        overrides=("site.generation=[{type: gas_turbine, gross: 60 MW, units: 3}]",),
    )
    rows = [(row.kind, row.name) for row in equipment_of(diagram)]
    assert ("tap", "gas turbine at MV") in rows
    assert "generator" not in [kind for kind, _ in rows]


def test_two_transformations_at_500_kv_are_both_drawn():
    overrides = ("grid.voltage=500 kV",)
    _, diagram = one_line(str(SITES / "abilene"), asked=Asked(), overrides=overrides)
    plan, _ = planned(str(SITES / "abilene"), files={}, asked=Asked(), overrides=overrides)
    between = f"{plan.substation.intermediate_kv:g} kV bus"
    rows = {row.name: row for row in equipment_of(diagram)}
    assert len(diagram.tiers) == 2
    assert {"500 kV bus", between} <= set(rows)
    assert rows["B"].count == plan.substation.bulk_transformers
    assert between in one_line_text(diagram)
    assert between in one_line_svg(diagram).replace("\N{NO-BREAK SPACE}", " ")


def test_svg_goes_to_the_file_and_an_asked_size_that_fails_is_marked(tmp_path, capsys):
    path = tmp_path / "one.svg"
    report, diagram = one_line(str(SITES / "university-room"), asked=Asked(racks=45))
    assert emit_one_line(report, diagram, None, str(path)) == 3
    assert path.read_text(encoding="utf-8").startswith("<?xml")
    assert "not feasible" in capsys.readouterr().err
    assert emit_one_line(report, diagram, "svg", None) == 3
    assert capsys.readouterr().out.startswith("<?xml")


def test_blocks_that_the_plan_counts_are_drawn_with_their_number():
    plan, _, _ = _drawn("abilene")
    blocks = [
        SimpleNamespace(
            blocks=name, scheme=scheme, installed=number, redundant=1, rating_mva=rating
        )
        for name, scheme, number, rating in (
            ("unit substations, racks", "N+1", 400, 3.15),
            ("unit substations, plant", "2N", 120, 3.15),
            ("UPS", "distributed", 630, 1.5),
        )
    ]
    counted = SimpleNamespace(blocks=blocks, gensets=12, genset_mw=3.0, bess_mw=None, bess_mwh=None)
    parts = ("substation", "summary")
    known = {name: getattr(plan, name) for name in parts}
    items = behind_the_feeders(SimpleNamespace(**known, distribution=counted))
    found = {item.name: item for item in items}
    assert [item.symbol for item in items] == ["transformer", "tap", "tap", "tap", "ups", "load"]
    assert found["unit substations, racks"].count == 400
    assert found["unit substations, racks"].each == 80  # of five transformers
    assert found["unit substations, plant"].ratings[1] == "2N"
    assert found["UPS"].ratings[0] == "1.5 MVA"
    assert (found["standby set"].count, found["standby set"].ratings) == (12, ("3 MW each",))
