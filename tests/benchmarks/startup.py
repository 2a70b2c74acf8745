"""CPU time of the program against bare Python, measured in the same run.

    python tests/benchmarks/startup.py

Child CPU seconds (user + system), best of some fresh processes; wall time says little on a shared
machine. Budgets: `--help` 16x and `size` 40x of `python -c pass`. Exits with 1 when over budget.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "clusterplan"]
# compiled files are kept between runs, as on a user's machine
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
CASES = (
    ("--help", [*PROGRAM, "--help"], 16.0),
    ("size sample_sites/abilene", [*PROGRAM, "size", "sample_sites/abilene"], 40.0),
    ("size --format json", [*PROGRAM, "size", "sample_sites/abilene", "-f", "json"], 40.0),
)


def child_cpu_s(command: list[str], repeats: int = 9) -> float:
    """Least CPU seconds of a child process over some repeats."""
    best = float("inf")
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=ENVIRONMENT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, spent)
    return best


def main() -> int:
    """Print one line a case; 1 when a ratio is over its budget."""
    baseline = child_cpu_s([sys.executable, "-c", "pass"], repeats=25)
    print(f"{'python -c pass':32} {baseline * 1000:7.1f} ms   1.0x")
    over = False
    for name, command, budget in CASES:
        spent = child_cpu_s(command)
        ratio = spent / baseline
        over = over or ratio > budget
        print(f"{name:32} {spent * 1000:7.1f} ms {ratio:5.1f}x  (budget {budget:.0f}x)")
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
