"""A CSV of candidates: nothing lost, nothing executed, the same result whoever sizes the rows."""

from __future__ import annotations

import csv
import errno
import json
import multiprocessing
import os
import random
import shutil
from datetime import date
from pathlib import Path

import pytest

from clusterplan import catalog
from clusterplan.cli import compare, compare_list
from clusterplan.cli.compare_list import Run
from clusterplan.core.errors import InputError
from clusterplan.inputs.candidate_table import open_table, raw_rows, row_inputs
from clusterplan.planning import candidate_run
from clusterplan.planning.candidates import Options, size_chunk
from clusterplan.planning.compare import compare_sites
from clusterplan.planning.comparison_settings import Options as Comparison

START = date(2026, 12, 1)
HEAD = (
    "id,name,country,state,latitude,longitude,elevation [m],rack,land.gross [acre],water.source,"
    "grid.voltage,grid.firm [MW],grid.energised,grid.status,grid.tariff.energy [USD/MWh],"
    "grid.short_circuit.min,grid.short_circuit.max"
)
PLACES = (
    ("TX", 31.5, -99.5, "345 kV"),
    ("OH", 40.0, -83.0, "138 kV"),
    ("VA", 38.4, -78.0, "230 kV"),
)
LULEA = "Lule\N{LATIN SMALL LETTER A WITH RING ABOVE}"


def _row(name: str, number: int = 0, /, **changes: str) -> list[str]:
    draw = random.Random(number)
    state, lat, lon, kv = PLACES[number % 3]
    rack = ("gb300-nvl72", "dgx-b200-x4", "gb200-nvl72")[number % 3]
    cells = {
        "id": name,
        "name": f"Parcel {number}",
        "country": "US",
        "state": state,
        "latitude": f"{lat + draw.uniform(-0.3, 0.3):.3f}",
        "longitude": f"{lon + draw.uniform(-0.3, 0.3):.3f}",
        "elevation": str(draw.randint(50, 900)),
        "rack": rack,
        "land": str(draw.choice((60, 300, 1500))),
        "water": draw.choice(("none", "municipal", "")),
        "voltage": kv,
        "firm": str(draw.randint(20, 300)),
        "energised": f"20{draw.randint(27, 31)}-06-01",
        "status": draw.choice(("request", "agreement")),
        "tariff": draw.choice(("", "45")),
        "min": "15 kA",
        "max": "35 kA",
    }
    return list((cells | changes).values())


def _write(path: Path, rows: list[list[str]], *, encoding: str = "utf-8", sep: str = ",") -> Path:
    with path.open("w", encoding=encoding, newline="") as stream:
        writer = csv.writer(stream, delimiter=sep)
        writer.writerow(HEAD.split(","))
        writer.writerows(rows)
    return path


def _run(path: Path, output: Path | None = None, *, screen: bool = False, **how: object) -> object:
    comparison = Comparison(start=START, screen=screen)
    return compare_list.run(path, Run(comparison=comparison, **how), output, whole=output is None)


def _options(path: Path) -> Options:
    return Options(open_table(path), None, Comparison(start=START))


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_row_has_the_figures_of_the_whole_plan(tmp_path: Path) -> None:
    path = _write(tmp_path / "list.csv", [_row(f"p{k}", k) for k in range(12)])
    table = open_table(path)
    found = size_chunk(list(raw_rows(table)), _options(path))
    for raw, outcome in zip(raw_rows(table), found, strict=True):
        inputs = row_inputs(
            table,
            raw,
            fields=catalog.design_fields(),
            regions=catalog.regions(),
            states=catalog.us_states(),
        )
        (plan,) = compare_sites([inputs]).parts["sites"]
        assert outcome.row is not None
        for name in (
            "racks",
            "it_power_mw",
            "facility_power_mw",
            "pue_peak",
            "limited_by",
            "first_power",
            "transformers",
            "hv_kv",
            "heat_rejection",
            "acres_needed_acres",
            "h100_equivalents",
        ):
            assert outcome.row[name] == getattr(plan, name), (raw.line, name)
        # the year of a row runs on arrays, whose wet bulb is the closer one
        for name, off in (("pue_annual", 5e-6), ("water_m3_per_year", 1e-4)):
            due = getattr(plan, name)
            assert outcome.row[name] == (due if due is None else pytest.approx(due, rel=off))


def test_a_score_does_not_depend_on_the_other_rows(tmp_path: Path) -> None:
    rows = [_row(f"p{k}", k) for k in range(8)]
    whole = _run(_write(tmp_path / "a.csv", rows)).parts["sites"]
    part = _run(_write(tmp_path / "b.csv", rows[5:] + rows[:2])).parts["sites"]
    scores = {row.id: row.score for row in whole}
    assert all(scores[row.id] == row.score for row in part)
    order = [row.id for row in whole]
    assert [row.id for row in part] == [name for name in order if name in {r.id for r in part}]


def test_equal_rows_share_a_rank(tmp_path: Path) -> None:
    rows = [_row("b", 1), _row("a", 1), _row("c", 2)]
    found = _run(_write(tmp_path / "a.csv", rows)).parts["sites"]
    ranks = {row.id: row.rank for row in found}
    assert ranks["a"] == ranks["b"]
    assert sorted(ranks.values()) in ([1, 1, 3], [1, 2, 2])


def test_workers_and_one_process_write_the_same_bytes(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(candidate_run.chunks_of, "__defaults__", (3,))
    path = _write(tmp_path / "a.csv", [_row(f"p{k}", k) for k in range(10)])
    _run(path, tmp_path / "one.csv")
    _run(path, tmp_path / "two.csv", workers=2)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "one.csv", "two.csv"]


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    path = _write(tmp_path / "a.csv", [_row(f"p{k}", k) for k in range(60)])
    _run(path, tmp_path / "one.csv")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        _run(path, tmp_path / "two.csv", dask=cluster.scheduler_address)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_a_dask_address_where_nothing_answers_is_bad_input(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    path = _write(tmp_path / "a.csv", [_row("p")])
    with pytest.raises(InputError, match="Dask"):
        _run(path, dask="nonsense://here")


def test_a_killed_worker_costs_no_row(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", [_row(f"p{k}", k) for k in range(12)])
    options = _options(path)
    rows = list(raw_rows(options.table))
    expected = size_chunk(rows, options)
    results = candidate_run.run_processes(candidate_run.chunks_of(rows, 2), options, 2)
    found = [*next(results)]
    for process in multiprocessing.active_children():
        process.kill()
    found += [outcome for chunk in results for outcome in chunk]
    assert found == expected


def test_a_row_that_kills_is_set_aside_alone(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "deadly_rows.py").write_text(
        "import os, signal\n"
        "from clusterplan.planning.candidates import size_chunk\n"
        "def work(rows, options):\n"
        "    if any('deadly' in row.cells for row in rows):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return size_chunk(rows, options)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import deadly_rows

    names = ["p0", "p1", "deadly", "p3", "p4", "p5"]
    path = _write(tmp_path / "a.csv", [_row(name, k) for k, name in enumerate(names)])
    options = _options(path)
    chunks = candidate_run.chunks_of(raw_rows(options.table), 2)
    found = list(candidate_run.run_processes(chunks, options, 2, work=deadly_rows.work))
    outcomes = {one.id: one for chunk in found for one in chunk}
    assert list(outcomes) == names
    assert outcomes["deadly"].problems == (candidate_run.KILLED,)
    assert all(outcomes[name].row for name in names if name != "deadly")


def test_a_full_disk_keeps_what_is_done_and_the_next_run_goes_on(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(candidate_run.chunks_of, "__defaults__", (2,))
    path = _write(tmp_path / "a.csv", [_row(f"p{k}", k) for k in range(8)])
    _run(path, tmp_path / "whole.csv")
    synced, sync = [], os.fsync

    def full(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) > 3:  # the head and two chunks
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        _run(path, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    monkeypatch.setattr(os, "fsync", sync)
    capsys.readouterr()
    _run(path, tmp_path / "out.csv")
    assert "rows were done before" in capsys.readouterr().err
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_torn_journal_and_one_of_another_list_are_not_trusted(tmp_path: Path) -> None:
    from clusterplan.planning.candidate_journal import Journal

    path = _write(tmp_path / "a.csv", [_row(f"p{k}", k) for k in range(2)])
    outcomes = size_chunk(list(raw_rows(open_table(path))), _options(path))
    journal = Journal(tmp_path / "j", "one", "2026-12-01")
    assert journal.open() == 0
    journal.add(outcomes)
    journal.close()
    with (tmp_path / "j").open("ab") as stream:
        stream.write(b'[[5,"torn"')
    again = Journal(tmp_path / "j", "one", "2027-01-01")
    assert again.open() == 2
    assert again.start == "2026-12-01"
    again.close()
    assert [one for _, one in again.outcomes()] == outcomes
    other = Journal(tmp_path / "j", "another", "2027-01-01")
    assert other.open() == 0
    other.close()


def test_bad_rows_are_set_aside_with_their_line_and_the_rest_proceed(tmp_path: Path) -> None:
    rows = [
        _row("good", 0),
        _row("no-unit", 0, voltage="345"),
        _row("short", 0)[:4],
        _row("upside-down", 0, latitude="-31.5"),
        _row("GOOD2", 1, rack="gb9"),
        _row("", 1),
        _row("nothing", 0, firm="0.01"),
    ]
    _run(_write(tmp_path / "a.csv", rows), tmp_path / "out.csv")
    ranked = {row["id"] for row in _read(tmp_path / "out.csv")}
    aside = {int(row["line"]): row["problem"] for row in _read(tmp_path / "out.set-aside.csv")}
    assert ranked == {"good", "nothing"}
    assert set(aside) == {3, 4, 5, 6, 7}
    assert "unit" in aside[3]
    assert "4 cells" in aside[4]
    assert "south" in aside[5] or "outside" in aside[5]
    assert _read(tmp_path / "out.csv")[-1]["id"] == "nothing"  # where no rack fits comes last


def test_ids_that_differ_only_in_case_or_unicode_form_are_one(tmp_path: Path) -> None:
    names = ("site-1", "site-1", "SITE-1", "site-\N{FULLWIDTH DIGIT ONE}")
    rows = [_row(name, k) for k, name in enumerate(names)]
    report = _run(_write(tmp_path / "a.csv", rows))
    assert [row.id for row in report.parts["sites"]] == ["site-1"]
    assert [row.line for row in report.parts["set_aside"]] == [3, 4, 5]
    assert "line 2" in report.parts["set_aside"][0].problem


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = _write(tmp_path / "a.csv", [_row("a", 0, name=LULEA)], encoding=encoding)
    (row,) = _run(path).parts["sites"]
    assert row.name == LULEA


def test_semicolons_with_decimal_commas(tmp_path: Path) -> None:
    plain = _write(tmp_path / "a.csv", [_row("a", 0, firm="150.5", land="1234.5")])
    row = [cell.replace(".", ",") for cell in _row("a", 0, firm="150.5", land="1.234,5")]
    row[8] = "1.234,5"
    comma = _write(tmp_path / "b.csv", [row], sep=";")
    one, other = (_run(path).parts["sites"][0] for path in (plain, comma))
    assert (one.facility_power_mw, one.acres_needed_acres) == (
        other.facility_power_mw,
        other.acres_needed_acres,
    )


NAMES = [
    '=HYPERLINK("http://x","y")',
    "@SUM(A1)",
    "a|b|c",
    "[red]markup[/red] <script>alert(1)</script>",
    "\N{RIGHT-TO-LEFT OVERRIDE}evil",
    "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}",
    "\N{HIGH VOLTAGE SIGN}\N{FACTORY}",
    "line\nbreak",
]


def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    rows = [_row(f"p{k}", 0, name=name) for k, name in enumerate(NAMES)]
    path = _write(tmp_path / "a.csv", rows)
    _run(path, tmp_path / "out.csv")
    found = {row["id"]: row["name"] for row in _read(tmp_path / "out.csv")}
    aside = tmp_path / "out.set-aside.csv"
    refused = {row["id"] for row in _read(aside)} if aside.exists() else set()
    assert set(found) | refused == {f"p{k}" for k in range(len(NAMES))}
    assert found["p0"] == "'" + NAMES[0]
    assert found["p1"] == "'" + NAMES[1]
    assert found["p2"] == NAMES[2]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"id,nme\nx,y\n", "unknown column"),
        (b"id,id,name\nx,y,z\n", "twice"),
        (b"name,country\nx,US\n", "no column id"),
        (b"id," + b",".join(b"c%d" % k for k in range(100_000)) + b"\n", "columns"),
        (b"\xff\xfei\x00d\x00", "UTF-16"),
        (b"id,name\n\x00\x00", "binary"),
        (b"id,name\nx,caf\xe9\ny,\x81\n", ":3: is neither UTF-8 nor Windows-1252"),
    ],
)
def test_files_that_cannot_be_a_list(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        _run(path)


@pytest.mark.parametrize(
    ("spoiled", "lost"),
    [
        ('p1,"Open,US,TX', {"p1"}),  # to the end of the file
        ('p1,"Open,US,TX|p4,"Open too,US,TX', {"p1", "p4"}),  # which close each other
        ('p1,"Closed" early,US,TX', {"p1"}),
        ("p1," + "x" * 200_000 + ",US,TX", {"p1"}),  # beyond what a cell may hold
    ],
)
def test_a_quotation_mark_takes_its_own_row_alone(
    tmp_path: Path, spoiled: str, lost: set[str]
) -> None:
    whole = _write(tmp_path / "whole.csv", [_row(f"p{k}", k) for k in range(8)])
    lines = whole.read_text(encoding="utf-8").splitlines()
    for text in spoiled.split("|"):
        place = int(text[1]) + 1
        rest = lines[place].split(",")[len(text.split(",")) :]
        lines[place] = ",".join([text, *rest])
    path = tmp_path / "a.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _run(path, tmp_path / "out.csv")
    aside = _read(tmp_path / "out.set-aside.csv")
    assert {row["id"] for row in aside} == lost
    assert {int(row["line"]) for row in aside} == {int(name[1]) + 2 for name in lost}
    assert all("quotation mark" in row["problem"] for row in aside)
    assert {row["id"] for row in _read(tmp_path / "out.csv")} == {f"p{k}" for k in range(8)} - lost


def test_a_cell_may_hold_lines_and_quotation_marks(tmp_path: Path) -> None:
    words = 'two\nlines, and "marks"'
    path = _write(tmp_path / "a.csv", [_row("p0", name=words), _row("p1")])
    _run(path, tmp_path / "out.csv")
    assert {row["id"]: row["name"] for row in _read(tmp_path / "out.csv")}["p0"] == words


def test_drawings_show_the_shortlist(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", [_row(f"p{k}", k) for k in range(60)])
    report, _ = compare.run_list(str(path), compare.ComparisonChoices(start="2026-12-01", draws=0))
    short = {row.id for row in report.parts["shortlist"]}
    assert 0 < len(short) < 60
    files = {name: str(tmp_path / f"{name}.svg") for name in ("chart", "pareto", "heat-map")}
    files["geojson"] = str(tmp_path / "sites.geojson")
    compare.write_drawings(compare.shortlisted(report), files)
    points = json.loads(Path(files["geojson"]).read_text(encoding="utf-8"))["features"]
    assert {point["properties"]["id"] for point in points} == short
    drawn = Path(files["heat-map"]).read_text(encoding="utf-8")
    assert all(f" {name}<" in drawn for name in short)
    assert report.drawing.startswith("Criteria of the shortlist")


def test_nothing_is_drawn_of_a_list_of_nothing(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", [["short"]])
    report, _ = compare.run_list(str(path), compare.ComparisonChoices(start="2026-12-01"))
    with pytest.raises(InputError, match="--chart: no site is compared in full"):
        compare.write_drawings(compare.shortlisted(report), {"chart": str(tmp_path / "c.svg")})
    assert not (tmp_path / "c.svg").exists()


def test_what_does_not_go_with_a_list(tmp_path: Path) -> None:
    path = str(_write(tmp_path / "a.csv", [_row("a")]))
    choices = compare.ComparisonChoices()
    with pytest.raises(InputError, match="by itself"):
        compare.refuse_for_list([path, path], ())
    with pytest.raises(InputError, match="--set"):
        compare.refuse_for_list([path], ["site.id=b"])
    with pytest.raises(InputError, match="--explain"):
        compare.refuse_for_list([path], (), "all")
    with pytest.raises(InputError, match="--workers 0"):
        compare.run_list(path, choices, workers=0)


def test_regional_means_fill_a_price_only_when_screening(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", [_row("a", 0, tariff="", land="1500")])
    (plain,) = _run(path).parts["sites"]
    (screened,) = _run(path, screen=True).parts["sites"]
    assert screened.coverage >= plain.coverage + 0.14 - 1e-9
    assert screened.score > plain.score


def test_a_tree_of_many_folders_is_a_list(tmp_path: Path, monkeypatch) -> None:
    samples = Path(__file__).parents[2] / "sample_sites"
    assert not compare.is_list([str(samples)])
    tree = tmp_path / "tree"
    for place, name in enumerate(("abilene", "lulea", "lulea")):
        shutil.copytree(samples / name, tree / "deep" / f"{place}")
    monkeypatch.setattr(compare, "LIST_SITES", 2)
    assert compare.is_list([str(tree)])
    report = _run(tree)
    assert {row.id for row in report.parts["sites"]} == {"abilene", "lulea"}
    assert "its id is that of line 2" in report.parts["set_aside"][0].problem
    plain = compare.run([str(samples / "abilene")], choices=compare.ComparisonChoices(draws=0))
    (row,) = plain.parts["sites"]
    (listed,) = (one for one in report.parts["sites"] if one.id == "abilene")
    assert (listed.racks, listed.facility_power_mw) == (row.racks, row.facility_power_mw)


def test_a_header_without_rows_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    for text in ("id,name,country\n", "id,name,country", "id,name,country\n\n  \n"):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as caught:
            open_table(file)
        assert "nothing below it" in str(caught.value)
        assert f"{file}:1" in str(caught.value)
