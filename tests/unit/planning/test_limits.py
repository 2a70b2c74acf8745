"""The solve against brute force: every count of racks is evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from clusterplan import catalog
from clusterplan.inputs.loading import load_site_folder
from clusterplan.planning.choices import Ledger
from clusterplan.planning.limits import Limits, Supply
from clusterplan.planning.size_site import site_model
from clusterplan.planning.solve import within

if TYPE_CHECKING:
    from pathlib import Path

# rack, climate, MW, voltage, site, design: each crosses a step of its own
CASES: dict[str, tuple[str, str, float, str, dict[str, Any], dict[str, Any]]] = {
    "one rack": ("gb300-nvl72", "abilene-tx", 0.19, "13.8 kV", {}, {}),
    "first plume step": ("gb300-nvl72", "phoenix-az", 24.4, "138 kV", {}, {}),
    "falling plume": (
        "gb200-nvl72",
        "abilene-tx",
        121.0,
        "138 kV",
        {},
        {"cooling": {"plume_dry_mid": "4 K", "plume_dry_large": "1 K"}},
    ),
    "clusters": (
        "dgx-h100-x4",
        "chicago-il",
        23.0,
        "138 kV",
        {},
        {"fabric": {"leaf_split": "8:8"}, "heat_rejection": "dry-cooler"},
    ),
    # storage switches of 32 ports: beyond their allowance, and two fabrics from 8,192 endpoints on
    "storage fabrics": (
        "gb200-nvl72",
        "chicago-il",
        25.95,
        "138 kV",
        {},
        {"fabric": {"storage_switch": "cisco-hf6100-32d", "storage_system_ports": 0.5}},
    ),
    "whole units": ("gb300-nvl72", "singapore", 26.0, "138 kV", {}, {"whole_sus": True}),
    "towers give way": (
        "gb300-nvl72",
        "singapore",
        45.0,
        "138 kV",
        {"water": {"annual": "15000 m3/yr", "peak": "9 L/s"}},
        {},
    ),
    "yard steps": (
        "gb300-nvl72",
        "phoenix-az",
        250.0,
        "138 kV",
        {"land": {"gross": "500 acre", "buildable": "91.7 acre"}},
        {},
    ),
    "small air-cooled room": (
        "dgx-h100-x4",
        "singapore",
        1.1,
        "13.8 kV",
        {"water": {"peak": "0.2 L/s"}},
        {"heat_rejection": "water-cooled-chiller"},
    ),
}


def _limits(folder: Path, case: str) -> Limits:
    rack, climate, mw, voltage, site, design = CASES[case]
    trees: dict[str, Any] = {
        "site": {
            "id": "x",
            "name": "X",
            "country": "US",
            "state": "TX",
            "latitude": 32.0,
            "longitude": -100.0,
            "elevation": "500 m",
            "climate": climate,
            "rack": rack,
            **site,
        },
        "grid": {
            "operator": "ERCOT",
            "voltage": voltage,
            "requested": "500 MW",
            "stages": [{"name": "a", "firm": f"{mw} MW"}],
        },
        "design": design,
    }
    for name, tree in trees.items():
        if tree:
            (folder / f"{name}.yaml").write_text(yaml.safe_dump(tree))
    inputs = load_site_folder(
        folder,
        fields=catalog.design_fields(),
        regions=catalog.regions(),
        states=catalog.us_states(),
    )
    return Limits(site_model(inputs, Ledger()), None)


@pytest.mark.parametrize("case", CASES)
def test_every_limit_and_the_plan_agree_with_brute_force(tmp_path: Path, case: str) -> None:
    limits = _limits(tmp_path, case)
    supply = Supply(CASES[case][2])
    rows = [row for row in limits.rows(supply) if row.need is not None and row.available]
    assert rows
    per_rack = limits.model.servers_per_rack
    # compute alone at a PUE of 1 is beyond the supply at the end of this range
    rack_mw = limits.model.chosen.capacity_kw / 1000.0
    counts = range(
        limits.unit_servers,
        int(CASES[case][2] / rack_mw + 10) * per_rack,
        limits.unit_servers,
    )
    passing: dict[str, set[int]] = {}
    for row in rows:
        assert row.need is not None
        assert row.available is not None
        passing[row.name] = {n for n in counts if within(row.need(n), row.available)}
        most = max(passing[row.name], default=0)
        if row.allows_servers is not None and row.allows_servers < counts[-1]:
            assert row.allows_servers == most, row.name
        else:
            assert most == counts[-1], row.name
    both = set.intersection(*passing.values())
    assert limits.largest(supply) == max(both, default=0)
