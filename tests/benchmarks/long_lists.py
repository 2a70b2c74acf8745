"""Rows a second of a long list, by its length and the number of workers; and where the time goes.

    python tests/benchmarks/long_lists.py [ROWS ...]

For each length (2,000 and 20,000 without arguments): wall time and rows a second on two workers,
and the highest memory of the main process. Growth should be linear, memory flat. Then plans a
second of one process (CPU time): of the first 500 rows of a list of 20,000, and of
2,000 rows after 6,000, when most counts of racks have been met; beside them the time of a loop of
plain Python, since machines differ. The profile at the end is of 600 more rows.
"""

from __future__ import annotations

import cProfile
import datetime
import os
import pstats
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusterplan.inputs.candidate_table import RawRow
    from clusterplan.planning.candidates import Options

ROOT = Path(__file__).parents[2]
PLACES = (
    ("TX", 31.5, -99.5, "345 kV"),
    ("TX", 32.2, -101.5, "138 kV"),
    ("OH", 40.0, -83.0, "345 kV"),
    ("VA", 38.0, -78.5, "230 kV"),
    ("NM", 33.5, -106.0, "345 kV"),
    ("GA", 33.0, -83.5, "230 kV"),
    ("AZ", 33.7, -112.3, "230 kV"),
    ("IA", 42.0, -93.5, "161 kV"),
    ("ND", 47.2, -100.5, "345 kV"),
)
HEAD = (
    "id,name,country,state,latitude,longitude,elevation [m],rack,land.gross [acre],water.source,"
    "grid.voltage,grid.firm [MW],grid.energised,grid.status,grid.tariff.energy [USD/MWh],"
    "grid.short_circuit.min,grid.short_circuit.max"
)
CHILD = """
import resource, sys
from clusterplan.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def write_list(path: Path, rows: int) -> None:
    """Random parcels, the same for the same length."""
    draw = random.Random(1)
    with path.open("w", encoding="utf-8") as stream:
        stream.write(HEAD + "\n")
        for number in range(rows):
            state, lat, lon, kv = draw.choice(PLACES)
            cells = (
                f"parcel-{number}",
                f'"Parcel {number}, {state}"',
                "US",
                state,
                f"{lat + draw.uniform(-0.5, 0.5):.4f}",
                f"{lon + draw.uniform(-0.5, 0.5):.4f}",
                str(draw.randint(100, 900)),
                draw.choice(("gb300-nvl72", "gb200-nvl72", "dgx-b200-x4")),
                str(draw.randint(150, 3000)),
                draw.choice(("none", "municipal", "")),
                kv,
                str(draw.randint(50, 600)),
                f"20{draw.randint(27, 32)}-0{draw.randint(1, 9)}-01",
                draw.choice(("request", "sis", "agreement")),
                draw.choice(("", str(draw.randint(35, 80)))),
                "15 kA",
                "40 kA",
            )
            stream.write(",".join(cells) + "\n")


def measure(folder: Path, rows: int, workers: int) -> None:
    """One run of the program; prints its line."""
    source, target = folder / f"{rows}.csv", folder / f"{rows}-{workers}-out.csv"
    write_list(source, rows)
    command = [sys.executable, "-c", CHILD, "compare-sites", str(source), "-o", str(target)]
    command += ["--workers", str(workers), "--start", "2026-12-01"]
    begin = time.perf_counter()
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    wall = time.perf_counter() - begin
    memory = done.stderr.split()[-1]
    ranked = len(target.read_text(encoding="utf-8").splitlines()) - 1
    print(
        f"{rows:7,} rows, {workers} workers: {wall:7.1f} s, {rows / wall:6.0f} rows/s, "
        f"{int(memory) / 1024:5.0f} MB, {ranked:,} ranked",
        flush=True,
    )


def profile(folder: Path) -> None:
    """Where the time of a row goes."""
    from clusterplan.inputs.candidate_table import open_table, raw_rows
    from clusterplan.planning.candidates import Options, size_chunk
    from clusterplan.planning.comparison_settings import Options as Comparison

    source = folder / "profile.csv"
    write_list(source, 20_000)
    table = open_table(source)
    rows = list(raw_rows(table))
    options = Options(table, None, Comparison(start=datetime.date(2026, 12, 1)))
    size_chunk(rows[-20:], options)
    _speed("the first 500 rows", rows[:500], options)
    size_chunk(rows[500:6000], options)
    _speed("2,000 rows after 6,000", rows[6000:8000], options)
    run = cProfile.Profile()
    run.enable()
    size_chunk(rows[8000:8600], options)
    run.disable()
    pstats.Stats(run).sort_stats("cumtime").print_stats("clusterplan", 40)


def _speed(name: str, rows: list[RawRow], options: Options) -> None:
    """Prints plans a second of CPU time, and the plain loop between them."""
    from clusterplan.planning.candidates import size_chunk

    spent = loop = 0.0
    for start in range(0, len(rows), 100):
        begin = time.process_time()
        size_chunk(rows[start : start + 100], options)
        spent += time.process_time() - begin
        begin = time.process_time()
        total = 0
        for number in range(1_000_000):
            total += number * number % 7
        loop += time.process_time() - begin
    plain = 100 * loop / len(rows)
    print(
        f"{name}: {len(rows) / spent:.0f} plans/s on one core; a million turns of a plain loop"
        f" {1000 * plain:.0f} ms, so {plain * len(rows) / spent:.1f} plans a million turns"
    )


def main() -> None:
    """Measure, then profile."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    lengths = [int(text) for text in sys.argv[1:]] or [2_000, 20_000]
    with tempfile.TemporaryDirectory() as name:
        for rows in lengths:
            measure(Path(name), rows, 2)
        profile(Path(name))


if __name__ == "__main__":
    main()
