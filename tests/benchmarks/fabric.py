"""Fabric counts and cable schedules against plain baselines, in the same run.

Usage: python tests/benchmarks/fabric.py

1. Counting one fabric of 1,000,000 endpoints: CPU ms (budget 10).
2. The whole cable schedule of 65,536 endpoints in three tiers (196,608 rows) to CSV: rows a second
   (at least 100,000), peak memory of a process that does only that (below 300 MB), and the ratio to
   writing as many ready-made rows with Python's csv module (at most 4); the same graph built in
   networkx beside it.
"""

from __future__ import annotations

import csv
import gc
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clusterplan import catalog
from clusterplan.cli.fabric import planned
from clusterplan.core.wired_fabric import CableRow
from clusterplan.interop.cable_schedule import write_cables
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import count_fabric

ROWS = 196_608
OPTIONS = {"rack": "dgx-h100-x4", "nodes": 8192}
TIMES = 5


def best(work) -> float:
    """Least CPU seconds of a few runs."""
    spent = []
    for _ in range(TIMES):
        gc.collect()
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def count() -> None:
    request = FabricRequest(
        switch=catalog.switch("tomahawk6-800"), nic_gbps=200, rails=8, nodes_per_su=64
    )
    counts = count_fabric(plan_fabric(request), 125_000)
    assert counts.nodes * 8 == 1_000_000


def schedule(path: Path) -> int:
    """The schedule from options to file, planning and wiring included."""
    cabled = planned(**OPTIONS).cabling()
    with path.open("w", encoding="utf-8", newline="") as out:
        write_cables((row for one in cabled.fabrics for row in one.cabling.rows()), out)
    with path.open("rb") as file:
        return sum(1 for _ in file) - 1


def main() -> None:
    if "--peak" in sys.argv:  # a process of its own, so that nothing else counts
        schedule(Path(sys.argv[-1]))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return
    catalog.switches()
    print(f"counting 1,000,000 endpoints: {1000 * best(count):.3f} ms CPU (budget 10)")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cables.csv"
        assert schedule(path) == ROWS
        ours = best(lambda: schedule(path))
        cabled = planned(**OPTIONS).cabling()
        ready = [row for one in cabled.fabrics for row in one.cabling.rows()]

        def plain() -> None:
            with path.open("w", encoding="utf-8", newline="") as out:
                csv.writer(out, lineterminator="\n").writerows([CableRow._fields, *ready])

        baseline = best(plain)
        print(
            f"schedule of {ROWS:,} rows: {ours:.2f} s CPU, {ROWS / ours:,.0f} rows/s (at least "
            f"100,000); ready-made rows by csv {baseline:.2f} s: ratio {ours / baseline:.2f} (at "
            "most 4)"
        )
        command = [sys.executable, __file__, "--peak", str(path)]
        peak = float(subprocess.run(command, check=True, capture_output=True).stdout)
        print(f"peak memory of that process: {peak:.0f} MB (below 300)")
        import networkx

        def graph() -> None:
            found = networkx.MultiGraph()
            for row in ready:
                found.add_edge(row.a_device, row.z_device, a=row.a_port, z=row.z_port)

        print(f"the same graph in networkx, from ready-made rows: {best(graph):.2f} s CPU")


if __name__ == "__main__":
    main()
