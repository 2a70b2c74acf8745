"""CPU time and memory of hourly site-years, beside the same work by a psychrolib loop.

    python tests/benchmarks/site_years.py [SITES]

Budgets: one site-year (8,760 hours: wet bulbs, FWS plant, room-air plant, sums) in at most 50 ms of
CPU for every kind of heat rejection; 1,000 site-years with CPU linear in sites and memory flat.
Exits with 1 when over budget. The psychrolib loop does the wet bulbs alone, hour by hour.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np
import psychrolib

from clusterplan.sizing.cooling_year import YearLoad
from clusterplan.sizing.heat_rejection import KINDS
from clusterplan.sizing.hourly_year import hourly_cooling_year
from clusterplan.sizing.machines import fixed_plant
from clusterplan.sizing.moist_air_hours import hourly_air, saturated_humidity_ratios
from clusterplan.sizing.plant_specs import ChillerSpec, DrySpec, TowerSpec
from clusterplan.sizing.pue import Chain

BUDGET_MS = 50.0
SLACK = 1.25  # a shared machine
SPECS = (DrySpec(), TowerSpec(), ChillerSpec())
CHAIN = Chain(0.948, 0.985, 0.955)
LOAD = YearLoad(100, 0.9, 1.0, 0.4, 0.1, 0.5, 80, 92, 9, 10)


def weather(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Dry bulb, dew point and pressure of a made-up year."""
    random = np.random.default_rng(seed)
    hour = np.arange(8760)
    season, day = np.cos(2 * np.pi * hour / 8760), np.cos(2 * np.pi * (hour - 4) / 24)
    dry = random.uniform(5, 25) - 11 * season - 6 * day + random.normal(0, 2, 8760)
    dew = np.minimum(dry - 0.3, dry.mean() - 6 - 8 * season + random.normal(0, 3, 8760))
    return dry, dew, 95.0 + 0.6 * random.normal(0, 1, 8760)


def site_year(kind: str, year: tuple[np.ndarray, np.ndarray, np.ndarray]) -> float:
    """One site-year from the columns of a weather file to its annual PUE."""
    dry, dew, pressure = year
    air = hourly_air(dry, saturated_humidity_ratios(dew, pressure), pressure, 1.0)
    plant = fixed_plant(kind, (24.0, 34.0), 500.0, SPECS, 24.0)
    room = fixed_plant("air-cooled-chiller", (20.0, 30.0), 500.0, SPECS, 24.0)
    return hourly_cooling_year(LOAD, plant, room, air, CHAIN).year.pue


def cpu_ms(kind: str, repeats: int = 7) -> float:
    """Least CPU milliseconds of a site-year."""
    best = float("inf")
    for seed in range(repeats):
        year = weather(seed)
        start = time.process_time()
        site_year(kind, year)
        best = min(best, time.process_time() - start)
    return 1000 * best


def psychrolib_ms() -> float:
    """CPU milliseconds of 8,760 wet bulbs by psychrolib, one at a time."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    dry, dew, pressure = weather(0)
    start = time.process_time()
    for t, d, p in zip(dry.tolist(), dew.tolist(), pressure.tolist(), strict=True):
        psychrolib.GetTWetBulbFromTDewPoint(t, d, 1000 * p)
    return 1000 * (time.process_time() - start)


def memory_mb() -> float:
    """Largest resident memory so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def many(sites: int) -> bool:
    """Run so many site-years by kinds in turn; whether CPU is linear and memory flat."""
    marks = [max(sites * part // 4, 1) for part in (1, 2, 3, 4)]
    spent, memory, start = [], [], time.process_time()
    for site in range(1, sites + 1):
        site_year(KINDS[site % len(KINDS)], weather(site))
        if site in marks:
            spent.append((time.process_time() - start) / site)
            memory.append(memory_mb())
            print(f"{site:6,} site-years  {1000 * spent[-1]:7.1f} ms each  {memory[-1]:7.1f} MB")
    return spent[-1] <= SLACK * spent[0] and memory[-1] <= memory[0] + 10.0


def main() -> int:
    """Print one line a case; 1 when something is over its budget."""
    sites = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    loop = psychrolib_ms()
    print(f"8,760 wet bulbs by a psychrolib loop  {loop:7.1f} ms")
    good = True
    for kind in KINDS:
        spent = cpu_ms(kind)
        good = good and spent <= BUDGET_MS
        print(f"site-year, {kind:22} {spent:7.1f} ms  (budget {BUDGET_MS:.0f} ms)")
    good = many(sites) and good
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
