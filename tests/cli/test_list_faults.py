"""What goes wrong around a long list: workers, clusters and runs that end, changed files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from clusterplan.cli import compare, compare_list
from clusterplan.cli.compare_list import Run
from clusterplan.core.errors import InputError
from clusterplan.inputs.candidate_table import open_table, raw_rows
from clusterplan.planning import candidate_run
from clusterplan.planning.candidate_journal import Journal, fingerprint
from clusterplan.planning.candidates import Options, size_chunk
from clusterplan.planning.comparison_settings import Options as Comparison

START = date(2026, 12, 1)
HEAD = (
    "id,name,country,state,latitude,longitude,elevation [m],land.gross [acre],water.source,"
    "grid.voltage,grid.firm [MW],grid.energised,grid.status,"
    "grid.short_circuit.min,grid.short_circuit.max"
)
ROW = "{},Parcel,US,TX,31.5,-99.5,300,900,none,345 kV,{},2029-06-01,agreement,15 kA,35 kA"
RACK = """\
id: mine
accelerator: nvidia-b300-sxm
servers_per_rack: 18
accelerators_per_server: 4
nameplate: {value: 142 kW, source: data sheet, verified: true}
typical: 115 kW
liquid_heat_fraction: 85 %
flow: 1.5 L/min/kW
scale_out: 800 Gb/s
"""
DEADLY = """\
import os, signal
from clusterplan.planning.candidates import size_chunk
def work(rows, options):
    if any("deadly" in row.cells for row in rows):
        os.kill(os.getpid(), signal.SIGKILL)
    return size_chunk(rows, options)
"""
MAIN = "from clusterplan.cli.main import main; main()"


def _list(path: Path, names: list[str]) -> Path:
    rows = [ROW.format(name, 60 + place) for place, name in enumerate(names)]
    path.write_text("\n".join([HEAD, *rows, ""]), encoding="utf-8")
    return path


def _options(path: Path, rack: str | None = "gb300-nvl72") -> Options:
    return Options(open_table(path), rack, Comparison(start=START))


def _run(path: Path, output: Path | None = None, rack: str | None = "gb300-nvl72") -> object:
    how = Run(rack=rack, comparison=Comparison(start=START))
    return compare_list.run(path, how, output, whole=output is None)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks processes up in /proc")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_program(tmp_path: Path, by: signal.Signals) -> None:
    path = _list(tmp_path / "a.csv", [f"p{k}" for k in range(3000)])
    out = tmp_path / "out.csv"
    options = ["--rack", "gb300-nvl72", "--workers", "2", "-o", str(out)]
    command = [sys.executable, "-c", MAIN, "compare-sites", str(path), *options]
    mark = f"LIST_FAULTS_TEST={tmp_path}"
    name, _, value = mark.partition("=")
    with subprocess.Popen(command, env={**os.environ, name: value}) as program:
        deadline = time.monotonic() + 60.0
        while len(_marked(mark)) < 4 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(_marked(mark)) >= 4  # the program, its fork server, two workers
        time.sleep(0.5)
        program.send_signal(by)
        assert program.wait(timeout=30) == -by
    deadline = time.monotonic() + 20.0
    while _marked(mark) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _marked(mark) == []


def _marked(mark: str) -> list[int]:
    """Processes that run with a variable in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if mark.encode() in words:
                found.append(int(entry.name))
    return found


@pytest.mark.slow
def test_a_dask_row_that_kills_is_set_aside_and_a_cluster_that_goes_says_so(
    tmp_path: Path, monkeypatch
) -> None:
    distributed = pytest.importorskip("distributed")
    (tmp_path / "deadly_dask_rows.py").write_text(DEADLY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    import dask
    import deadly_dask_rows

    names = ["p0", "p1", "deadly", "p3", "p4", "p5"]
    options = _options(_list(tmp_path / "a.csv", names))
    rows = list(raw_rows(options.table))
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
    ):
        address = cluster.scheduler_address
        chunks = candidate_run.chunks_of(rows, 2)
        found = [
            one
            for chunk in candidate_run.run_dask(
                chunks, options, address, work=deadly_dask_rows.work
            )
            for one in chunk
        ]
        assert [one.id for one in found] == names
        assert found[2].problems == (candidate_run.KILLED,)
        others = [row for row in rows if "deadly" not in row.cells]
        assert [one for one in found if one.row] == size_chunk(others, options)

        def gone(*_: object) -> None:
            raise OSError("connection lost")

        monkeypatch.setattr(distributed.Future, "result", gone)
        with pytest.raises(InputError, match=r"Dask cluster .* is gone"):
            list(candidate_run.run_dask(candidate_run.chunks_of(rows, 2), options, address))


def test_a_dask_worker_of_another_version_is_refused() -> None:
    from clusterplan import __version__

    class Client:
        def __init__(self, found: dict[str, str] | Exception) -> None:
            self.found = found

        def ncores(self) -> dict[str, int]:
            return {"tcp://one": 2, "tcp://two": 1}

        def run(self, _: object) -> dict[str, str]:
            if isinstance(self.found, Exception):
                raise self.found
            return self.found

    same = Client({"tcp://one": __version__, "tcp://two": __version__})
    assert candidate_run._dask_cores(same, "tcp://x") == 3
    with pytest.raises(InputError, match=r"tcp://two has clusterplan 0\.0\.1"):
        candidate_run._dask_cores(Client({"tcp://one": __version__, "tcp://two": "0.0.1"}), "x")
    with pytest.raises(InputError, match="cannot run clusterplan"):
        candidate_run._dask_cores(Client(ModuleNotFoundError("clusterplan")), "x")


def test_a_changed_list_is_noticed_and_nothing_of_it_is_taken_over(tmp_path: Path, capsys) -> None:
    path = _list(tmp_path / "a.csv", ["p0", "p1"])
    out = tmp_path / "out.csv"
    options = _options(path)
    from clusterplan import __version__

    mark = fingerprint(options, __version__)
    journal = Journal(tmp_path / f".out.csv.{mark[:12]}.part", mark, "2026-12-01")
    journal.open()
    journal.add(size_chunk(list(raw_rows(options.table))[:1], options))
    journal.close()
    _list(path, ["q0", "q1"])
    _run(path, out)
    assert "changed since; not used" in capsys.readouterr().err
    assert "p0" not in out.read_text(encoding="utf-8")
    assert journal.path.exists()  # told of, and left to the user


def test_a_changed_rack_or_weather_file_makes_another_run(tmp_path: Path) -> None:
    path = _list(tmp_path / "a.csv", ["p0"])
    rack = tmp_path / "mine.yaml"
    rack.write_text(RACK, encoding="utf-8")
    before = fingerprint(_options(path, str(rack)), "1")
    rack.write_text(RACK.replace("142", "150"), encoding="utf-8")
    assert fingerprint(_options(path, str(rack)), "1") != before
    from clusterplan.inputs.candidate_table import open_tree

    (tmp_path / "tree" / "one").mkdir(parents=True)
    (tmp_path / "tree" / "one" / "site.yaml").write_text("id: one\n", encoding="utf-8")
    weather = tmp_path / "tree" / "one" / "hours.epw"
    weather.write_text("a", encoding="utf-8")
    tree = Options(open_tree(tmp_path / "tree"), None, Comparison(start=START))
    before = fingerprint(tree, "1")
    weather.write_text("b", encoding="utf-8")
    assert fingerprint(tree, "1") != before


def test_a_rack_file_serves_a_list_and_an_unknown_rack_is_said_once(tmp_path: Path) -> None:
    path = _list(tmp_path / "a.csv", ["p0", "p1"])
    rack = tmp_path / "mine.yaml"
    rack.write_text(RACK, encoding="utf-8")
    report = _run(path, rack=str(rack))
    assert report.parts["set_aside"] == ()
    assert {row.rack for row in report.parts["sites"]} == {"mine"}
    assert all(row.racks for row in report.parts["sites"])
    with pytest.raises(InputError, match=r"--rack: unknown rack 'gb300-nvl27'; did you mean"):
        _run(path, rack="gb300-nvl27")


def test_a_full_disk_without_an_output_file_promises_nothing(tmp_path: Path, monkeypatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = _list(tmp_path / "a.csv", ["p0"])
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"No space left on device; with -o FILE\.csv"):
        _run(path)
    with pytest.raises(InputError, match="the rows done are kept"):
        _run(path, tmp_path / "out.csv")


def test_a_drawing_that_cannot_be_does_not_cost_the_others(tmp_path: Path) -> None:
    lulea = Path(__file__).parents[2] / "sample_sites" / "lulea"  # never 100 MW: no date to draw
    choices = compare.ComparisonChoices(start="2026-12-01", draws=0)
    report = compare.run([str(lulea)], choices=choices)
    files = {name: tmp_path / f"{name}.svg" for name in ("chart", "pareto", "heat-map")}
    files["geojson"] = tmp_path / "sites.geojson"
    with pytest.raises(InputError, match="--pareto"):
        compare.write_drawings(report, {name: str(file) for name, file in files.items()})
    assert {name for name, file in files.items() if file.exists()} == set(files) - {"pareto"}
