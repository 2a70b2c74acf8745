"""Faults that random sites and options brought to light, each with its smallest input."""

from __future__ import annotations

import csv
import io
import json
import time
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from clusterplan.cli.main import main
from clusterplan.planning.site_model import SiteModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

SITE = {
    "id": "found",
    "name": "Found",
    "country": "US",
    "state": "TX",
    "latitude": 32.0,
    "longitude": -100.0,
    "elevation": "500 m",
    "climate": "abilene-tx",
    "rack": "gb300-nvl72",
}
GRID = {"utility": "AEP", "voltage": "138 kV", "requested": "100 MW"}


@pytest.fixture
def size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(
        *options: str,
        site: dict[str, Any] | None = None,
        grid: dict[str, Any] | None = None,
        design: dict[str, Any] | None = None,
    ) -> tuple[int, str, str]:
        trees = {"site": SITE | (site or {}), "grid": GRID | (grid or {}), "design": design}
        for name, tree in trees.items():
            if tree:
                (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(tree))
        with pytest.raises(SystemExit) as stop:
            main(["size", str(tmp_path), *options])
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return run


def _own_climate(**changes: str) -> dict[str, Any]:
    climate = {
        "dry_bulb_0p4": "35 degC",
        "wet_bulb_0p4": "22 degC",
        "mean_coincident_wet_bulb": "21 degC",
        "heating_99p6": "-10 degC",
        "annual_mean_dry_bulb": "15 degC",
        "annual_mean_wet_bulb": "10 degC",
    }
    return {"climate": climate | changes}


@pytest.mark.parametrize(
    ("field", "value", "bound"),
    [
        # a mean lies below what only 0.4 % of the hours exceed, and above what 99.6 % do
        ("annual_mean_wet_bulb", "23 degC", "climate.wet_bulb_0p4 22 degC"),
        ("annual_mean_dry_bulb", "36 degC", "climate.dry_bulb_0p4 35 degC"),
        ("heating_99p6", "16 degC", "climate.annual_mean_dry_bulb 15 degC"),
    ],
)
def test_a_mean_beyond_the_extremes_of_its_own_year_is_refused(
    size: Run, field: str, value: str, bound: str
) -> None:
    code, out, err = size(site=_own_climate(**{field: value}))
    assert (code, out) == (2, "")
    assert "site.yaml:" in err
    assert f"site.climate.{field}: {value} is above {bound}" in err


def test_a_mean_close_to_the_design_point_still_has_a_year(size: Run) -> None:
    # 0.1 K apart, the line of the dew point falls 100 K per K; at -33 degC it left the formulas
    site = _own_climate(
        dry_bulb_0p4="25.1 degC", heating_99p6="-33 degC", annual_mean_dry_bulb="25 degC"
    )
    code, out, err = size("--format", "json", site=site)
    assert code == 0, err
    assert json.loads(out)["summary"]["pue_annual"] > 1.0


def test_the_yard_of_existing_transformers_takes_no_buildable_land(size: Run) -> None:
    # 2,460 MVA of them would fence in 35 acres and more; 10 acres are held
    grid = {
        "voltage": "345 kV",
        "requested": "800 MW",
        "transformers": [{"mva": "492 MVA", "count": 5}],
        "existing_load": {"power": "0 MW"},
    }
    land = {"gross": "14 acre", "buildable": "10 acre"}
    code, out, err = size("--format", "json", site={"land": land}, grid=grid)
    assert code == 0, err
    plan = json.loads(out)
    row = next(row for row in plan["limits"] if row["name"] == "land")
    assert row["used"] <= 10.0
    assert row["allows_racks"] == plan["summary"]["racks"]
    assert plan["floor"]["acres_needed_acres"] == row["used"]
    assert "land_short" not in {warning["code"] for warning in plan["warnings"]}


def test_a_part_filled_rack_is_within_the_limits_that_hold_it(size: Run) -> None:
    # one DGX H100 takes 10.2 kW, a full rack of four 40.8 kW: 30 kW hold the one, not the rack
    grid = {"voltage": "13.8 kV", "requested": "0.1 MW", "stages": [{"name": "a", "firm": "30 kW"}]}
    site = {"rack": "dgx-h100-x4"}
    code, out, err = size("--accelerators", "8", "--format", "json", site=site, grid=grid)
    assert code == 0, err
    plan = json.loads(out)
    assert (plan["summary"]["servers"], plan["summary"]["racks"]) == (1, 1)
    limits = {row["name"]: row for row in plan["limits"]}
    assert limits["grid"]["allows_racks"] == 1
    assert limits["grid"]["binding"]
    assert limits["request"]["binding"]


def test_a_water_limit_far_above_a_small_site_is_solved_quickly(size: Run) -> None:
    # its counts run to 262,144 racks, hundreds of clusters beyond what 4 MW carry: 3.7 s before
    site = {
        "rack": "dell-ir7000-xe8712",
        "climate": "south-bend-new-carlisle-in",
        "water": {"annual": "90000 m3/yr"},
    }
    start = time.process_time()
    code, _, err = size(site=site, grid={"requested": "4 MW"}, design={"single_cluster": True})
    assert code == 0, err
    assert time.process_time() - start < 2.0


def test_csv_sheets_have_no_bare_infinity(size: Run) -> None:
    # a rack without a published largest flow has no bound there
    site = {"rack": "hgx-b200-8x8-liquid"}
    code, out, err = size("--racks", "4", "--format", "csv", "--explain", site=site)
    assert code == 0, err
    cells = {cell for line in csv.reader(io.StringIO(out)) for cell in line}
    assert not cells & {"inf", "-inf", "nan", "None"}
    assert "infinite" in cells
    assert not any("None" in cell and cell.startswith("((") for cell in cells)


def test_a_swing_on_a_grid_that_carries_nothing_is_infeasible(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # 1.1 MVA of short-circuit power under 7,040 racks: not bad input, but nothing can be built
    options = ["--rack", "gaudi3-8x4-air", "--racks", "7040", "--hv", "33 kV"]
    with pytest.raises(SystemExit) as stop:
        main(["swing", *options, "--short-circuit", "1.1 MVA", "--country", "DE"])
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (3, "")
    assert err.startswith("infeasible: no substation passes")


def test_used_and_available_transformer_mva_are_of_one_power_factor(size: Run) -> None:
    # 2 x 60 MVA, one out, no load on them: 60 MVA at 0.89 carry at most 53.4 MW
    grid = {
        "transformers": [{"mva": "60 MVA", "count": 2}],
        "existing_load": {"power": "0 MW"},
    }
    design = {"electrical": {"power_factor_mv": 0.89}}
    code, out, err = size("--format", "json", grid=grid, design=design)
    assert code == 0, err
    plan = json.loads(out)
    row = next(row for row in plan["limits"] if row["name"] == "transformers")
    assert row["binding"]
    assert row["used"] == pytest.approx(plan["summary"]["facility_power_mw"] / 0.89)
    assert row["used"] <= row["available"] <= 60.0


def test_a_site_that_holds_no_rack_names_its_limit(size: Run) -> None:
    # zero racks take nothing of any limit: no need is asked of an empty plan
    code, out, err = size("--format", "json", site={"land": {"gross": "0.1 acre"}})
    assert code == 0  # no size was asked for
    assert "[nothing_fits]" in err
    assert json.loads(out)["summary"]["limited_by"] == "land"


def test_an_undated_stage_before_a_dated_one_keeps_the_order_of_time(size: Run) -> None:
    # b is there when c is, in 2029: the units of 2031 are in neither
    stages = [
        {"name": "a", "energised": "2027-01-01", "firm": "10 MW"},
        {"name": "b", "firm": "20 MW"},
        {"name": "c", "energised": "2029-01-01", "firm": "30 MW"},
    ]
    units = {"type": "gas_turbine", "gross": "60 MW", "units": 4, "energised": "2031-01-01"}
    code, out, err = size("--format", "json", site={"generation": [units]}, grid={"stages": stages})
    assert code == 0, err
    rows = json.loads(out)["stages"]
    assert [row["name"] for row in rows] == ["a", "b", "c", "on-site gas turbine"]
    assert [row["firm_mw"] for row in rows] == [10.0, 20.0, 30.0, 75.0]
    assert rows[1]["energised"] is None
    assert [row["racks"] for row in rows] == sorted(row["racks"] for row in rows)


def test_a_reserve_that_fills_the_fabric_is_named(size: Run) -> None:
    # 100,000 empty slots are more than the ports of one fabric of these switches
    site = {"rack": "dgx-a100-x4"}
    code, out, err = size(site=site, design={"fabric": {"reserve_nodes": 100_000}})
    assert (code, out) == (3, "")
    assert err.startswith("infeasible: one unit of")
    assert "fabric.reserve_nodes" in err


def test_a_return_below_the_supply_says_what_is_accepted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["cooling", "--it-power", "1 MW", "--liquid-fraction", "1", "--tcs-return", "21 degC"])
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert "--tcs-return: a return of 21 degC does not go with the supply of 40 degC" in err
    assert "42 to 80 degC" in err


def test_land_does_not_shrink_where_no_substation_passes(
    size: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 3,110 MVA at 36 kV is 49.9 kA, beyond any breaker there: no substation, yet a yard of its own
    seen: list[tuple[float, float]] = []
    plain = SiteModel.acres

    def acres(model: SiteModel, servers: int) -> float:
        found = plain(model, servers)
        seen.append((found, model.acres_at_least(servers)))
        return found

    monkeypatch.setattr(SiteModel, "acres", acres)
    grid = {"voltage": "36 kV", "short_circuit": {"min": "250 MVA", "max": "3110 MVA"}}
    land = {"gross": "400 acre", "buildable": "400 acre"}
    _, out, _ = size("--format", "json", site={"land": land}, grid=grid)
    assert json.loads(out)["summary"]["racks"] == 0
    assert seen
    assert all(found >= least for found, least in seen)
