"""The rules of counting, from `clusterplan size --format json` on small sites of their own.

Numbers in the rules: 72 accelerators and 18 servers of an NVL72, 8 racks of its scalable unit; 8
accelerators of a DGX H100, 4 of them in a dgx-h100-x4 rack, 32 in a scalable unit (vendor
reference architectures).
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from clusterplan.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

SITE = {
    "id": "rules",
    "name": "Rules",
    "country": "US",
    "state": "TX",
    "latitude": 32.0,
    "longitude": -100.0,
    "elevation": "500 m",
    "climate": "abilene-tx",
    "rack": "gb300-nvl72",
}
GRID: dict[str, Any] = {
    "operator": "ERCOT",
    "voltage": "138 kV",
    "requested": "500 MW",
    "stage": "agreement",
    "stages": [{"name": "a", "energised": "2027-01-01", "firm": "100 MW"}],
}
DGX = {"rack": "dgx-h100-x4"}
UNITS_60_MW = {"type": "gas_turbine", "gross": "60 MW", "units": 4}  # one out: 45 MW


class Sizer:
    """Write a site, run the command, read its JSON."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(
        self,
        *options: str,
        site: dict[str, Any] | None = None,
        grid: dict[str, Any] | None = GRID,
        design: dict[str, Any] | None = None,
        code: int = 0,
    ) -> dict[str, Any]:
        trees = {"site": SITE | (site or {}), "grid": grid, "design": design}
        for name, tree in trees.items():
            path = self.folder / f"{name}.yaml"
            path.unlink(missing_ok=True)
            if tree:
                path.write_text(yaml.safe_dump(tree))
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(["size", str(self.folder), "--format", "json", *options])
        out, self.err = self.capsys.readouterr()
        assert (stop.value.code or 0) == code, self.err
        return dict(json.loads(out)) if out else {}


@pytest.fixture
def size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Sizer:
    return Sizer(tmp_path, capsys)


def _limits(plan: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in plan["limits"]}


def _codes(plan: dict[str, Any]) -> set[str]:
    return {row["code"] for row in plan["warnings"]}


def _counts(plan: dict[str, Any]) -> tuple[int, int, int, int]:
    summary = plan["summary"]
    names = ("accelerators", "servers", "racks", "scalable_units")
    return tuple(summary[name] for name in names)


@pytest.mark.parametrize(
    ("rack", "asked", "whole", "counts"),
    [
        ("gb300-nvl72", 72, False, (72, 18, 1, 1)),
        ("gb300-nvl72", 73, False, (144, 36, 2, 1)),
        ("gb300-nvl72", 577, True, (1152, 288, 16, 2)),
        ("dgx-h100-x4", 1, False, (8, 1, 1, 1)),
        ("dgx-h100-x4", 37, False, (40, 5, 2, 1)),
        ("dgx-h100-x4", 257, True, (512, 64, 16, 2)),
    ],
)
def test_rule_1_asked_accelerators_round_up(
    size: Sizer, rack: str, asked: int, whole: bool, counts: tuple[int, ...]
) -> None:
    plan = size("--accelerators", str(asked), site={"rack": rack}, design={"whole_sus": whole})
    assert _counts(plan) == counts
    assert ("more_than_asked" in _codes(plan)) == (counts[0] > asked)
    assert _limits(plan)["request"]["binding"]
    if rack == "dgx-h100-x4":  # 10.2 kW a node, 40.8 kW a rack
        assert plan["power"]["it_compute_mw"] == pytest.approx(counts[1] * 0.0102)


def test_rule_1_asked_racks_with_whole_scalable_units_round_up_and_say_so(size: Sizer) -> None:
    plan = size("--racks", "9", design={"whole_sus": True})
    assert _counts(plan) == (1152, 288, 16, 2)
    assert "more_than_asked" in _codes(plan)


def test_rule_1_filling_rounds_down_to_whole_units(size: Sizer) -> None:
    plan = size(design={"whole_sus": True})
    assert plan["summary"]["racks"] % 8 == 0
    for row in plan["limits"]:
        assert row["allows_racks"] is None or row["allows_racks"] % 8 == 0
    capped = size(design={"whole_sus": True}, site={"rack_cap": 101})
    assert capped["summary"]["racks"] == 96
    assert _limits(capped)["rack_cap"]["allows_racks"] == 96
    assert capped["summary"]["limited_by"] == "rack_cap"


def test_rule_1_a_scalable_unit_need_not_fill_its_racks(size: Sizer) -> None:
    # 30 nodes of 4 a rack: 7.5 racks; a cap of 20 racks holds two of them in 15 racks
    design = {"whole_sus": True, "fabric": {"nodes_per_su": 30}}
    plan = size(design=design, site=DGX | {"rack_cap": 20})
    assert _counts(plan) == (480, 60, 15, 2)


def test_rule_1_whole_units_of_a_rack_without_one_are_refused(size: Sizer) -> None:
    size(design={"whole_sus": True}, site={"rack": "hgx-b200-8x8-liquid"}, code=2)
    assert "nodes_per_su" in size.err


def test_rule_1_it_power_is_whole_racks_rounded_down(size: Sizer) -> None:
    plan = size("--it-power", "10 MW")
    assert plan["summary"]["it_power_mw"] <= 10.0
    more = size("--racks", str(plan["summary"]["racks"] + 1))
    assert more["summary"]["it_power_mw"] > 10.0


@pytest.mark.parametrize("part", ["network", "storage", "management"])
def test_rule_3_each_part_takes_a_power_or_a_percent(size: Sizer, part: str) -> None:
    def part_mw(text: str) -> float:
        plan = size("--racks", "8", design={"power": {part: text}})
        power = plan["power"]
        names = ("compute", "network", "storage", "management")
        assert plan["summary"]["it_power_mw"] == pytest.approx(
            sum(power[f"it_{name}_mw"] for name in names), rel=1e-12
        )
        return float(power[f"it_{part}_mw"])

    assert part_mw("0 %") == 0.0
    assert part_mw("0 MW") == 0.0
    assert part_mw("250 kW") == 0.25
    assert part_mw("2 %") == pytest.approx(0.02 * 8 * 0.142)


def test_rule_2_typical_basis(size: Sizer) -> None:
    plan = size("--racks", "10", design={"power_basis": "typical"})
    assert plan["summary"]["power_basis"] == "typical"
    assert plan["power"]["rack_power_kw"] == 108.0
    assert plan["power"]["it_storage_mw"] == pytest.approx(0.03 * 1.08)
    assert plan["power"]["it_typical_mw"] == pytest.approx(plan["summary"]["it_power_mw"])


def test_rule_4_growth_margin_raises_only_ratings(size: Sizer) -> None:
    plain, grown = size(), size(design={"growth_margin": 0.2})
    for name in ("racks", "facility_power_mw"):
        assert plain["summary"][name] == grown["summary"][name]
    before, after = plain["substation"], grown["substation"]
    assert before["apparent_power_mva"] == after["apparent_power_mva"]
    assert after["rating_power_mva"] == pytest.approx(1.2 * before["rating_power_mva"])


def test_rule_6_a_given_pue_replaces_the_computed_one(size: Sizer) -> None:
    plan = size(site={"pue_peak": 1.5, "pue_annual": 1.3})
    summary = plan["summary"]
    assert (summary["pue_peak"], summary["pue_annual"]) == (1.5, 1.3)
    assert summary["facility_power_mw"] == summary["it_power_mw"] * 1.5
    assert plan["substation"]["active_power_mw"] == pytest.approx(summary["facility_power_mw"])
    assert summary["pue_peak_computed"] == plan["cooling"]["pue_peak"]
    assert {"pue_peak_given", "pue_annual_given"} <= _codes(plan)
    near = size("--racks", "100")["summary"]["pue_peak"] * 1.04
    assert "pue_peak_given" not in _codes(size("--racks", "100", site={"pue_peak": near}))


def test_rule_7_non_firm_counts_only_where_asked(size: Sizer) -> None:
    stage = {"name": "a", "firm": "50 MW", "nonfirm": "30 MW"}
    grid = GRID | {"stages": [stage]}
    left_out, counted = size(grid=grid), size(grid=grid, design={"count_nonfirm": True})
    assert _limits(left_out)["grid"]["available"] == 50.0
    assert _limits(counted)["grid"]["available"] == 80.0
    assert left_out["stages"][0]["nonfirm_mw"] == 30.0
    assert "30 MW non-firm not counted" in left_out["summary"]["supply"]


@pytest.mark.parametrize(("place", "onsite_mw"), [("mv", 45.0), ("hv", 0.0)])
def test_rule_7_on_site_power_at_mv_does_not_pass_the_substation(
    size: Sizer, place: str, onsite_mw: float
) -> None:
    plan = size(site={"generation": [UNITS_60_MW]}, grid=GRID | {"generation_connects_at": place})
    assert _limits(plan)["grid"]["available"] == 145.0
    carried = plan["summary"]["facility_power_mw"] - onsite_mw
    assert plan["substation"]["active_power_mw"] == pytest.approx(carried)


def test_rule_7_every_dated_unit_is_a_step(size: Sizer) -> None:
    """45 MW firm of one plant, 15 of another (3 of 4 units of 5 MW), grid 50 and 100 MW."""
    units = [
        UNITS_60_MW | {"energised": "2026-06-01"},
        {"type": "fuel_cell", "gross": "20 MW", "units": 4, "energised": "2028-01-01"},
    ]
    stages = [
        {"name": "a", "energised": "2027-01-01", "firm": "50 MW"},
        {"name": "b", "firm": "100 MW"},
    ]
    plan = size(site={"generation": units}, grid=GRID | {"stages": stages})
    # largest unit of all: 15 MW, out of 60 and later 80 MW; a stage without a date comes last
    assert [row["firm_mw"] for row in plan["stages"]] == [45.0, 95.0, 115.0, 165.0]
    assert plan["stages"][0]["racks"] > 0  # carried by units at MV: the substation carries nothing
    assert plan["stages"][-1]["name"] == "b"
    assert plan["stages"][-1]["racks"] == plan["summary"]["racks"]
    for row in plan["stages"]:
        assert row["facility_power_mw"] <= row["firm_mw"]


def test_rule_7_existing_transformers_carry_a_stage_without_its_later_units(size: Sizer) -> None:
    """2 of 3 x 40 MVA at 0.97: units at MV from 2029 relieve them only then."""
    bank = {"name": "T", "mva": "40 MVA", "mva_onan": "24 MVA", "impedance": "9 %", "count": 3}
    grid = GRID | {
        "transformers": [bank],
        "existing_load": {"power": "0 MW"},
        "stages": [{"name": "a", "energised": "2027-01-01", "firm": "200 MW"}],
    }
    units = [UNITS_60_MW | {"energised": "2029-01-01"}]
    plan = size(site={"generation": units}, grid=grid)
    firm_mw = plan["substation"]["firm_capacity_mva"] * 0.97
    first, last = plan["stages"]
    assert firm_mw - 0.2 < first["facility_power_mw"] <= firm_mw
    assert firm_mw + 45.0 - 0.2 < last["facility_power_mw"] <= firm_mw + 45.0
    assert first["limited_by"] == last["limited_by"] == "transformers"


def test_rule_7_a_plan_that_its_own_units_cover_is_not_refused(size: Sizer) -> None:
    plan = size("--racks", "20", site={"generation": [UNITS_60_MW]})
    assert plan["summary"]["racks"] == 20
    assert "substation_without_load" in _codes(plan)
    # its yard still takes land: 8 acres do not hold it
    land = {"land": {"gross": "12 acre", "buildable": "8 acre"}}
    size("--racks", "2", site={"generation": [UNITS_60_MW], **land}, code=3)


def test_rule_7_without_any_supply_a_size_must_be_asked(size: Sizer) -> None:
    size(grid=None, code=2)
    plan = size("--racks", "5", grid=None)
    assert plan["summary"]["supply"] == "unlimited (assumed)"
    row = _limits(plan)["grid"]
    assert (row["allows_racks"], row["available"], row["note"]) == (
        None,
        None,
        "unlimited (assumed)",
    )


def test_rule_8_islanded(size: Sizer) -> None:
    plan = size(grid=None, site={"generation": [UNITS_60_MW]})
    limits, substation = _limits(plan), plan["substation"]
    assert "grid" not in limits
    assert limits["generation"]["available"] == 45.0
    assert plan["summary"]["limited_by"] == "generation"
    assert substation["hv_kv"] == 13.8
    assert substation["firm_capacity_mva"] == pytest.approx(45.0 / 0.97)
    assert substation["fault_level_ka"] is None
    assert substation["tdd_limit_percent"] is None
    assert plan["swing"]["step_voltage_percent"] is None
    assert plan["swing"]["pst"] is None


ORDER = [
    "request",
    "grid",
    "transformers",
    "land",
    "water_annual",
    "water_peak",
    "rack_cap",
    "fabric",
]


def test_rule_11_the_table_of_limits(size: Sizer) -> None:
    plan = size()
    assert [row["name"] for row in plan["limits"]] == ORDER
    for row in plan["limits"]:
        assert row["binding"] == (row["allows_racks"] == plan["summary"]["racks"])
    assert {row["unit"] for row in plan["limits"]} == {
        "racks",
        "MW",
        "MVA",
        "acres",
        "m³/yr",
        "L/s",
    }


def test_rule_11_an_unknown_existing_load_never_binds(size: Sizer) -> None:
    bank = {"name": "T", "mva": "40 MVA", "count": 2}
    plan = size(grid=GRID | {"transformers": [bank]})
    row = _limits(plan)["transformers"]
    assert row["allows_racks"] is None
    assert not row["binding"]
    assert "existing_load_unknown" in _codes(plan)


def test_rule_11_a_substation_that_cannot_be_built_is_the_limit(size: Sizer) -> None:
    # 1,195 MVA at 138 kV are the 5,000 A of the largest breaker: sqrt(3) x 138 x 5 = 1,195.1
    stages = [{"name": "a", "firm": "3000 MW"}]
    plan = size(grid=GRID | {"requested": "5000 MW", "stages": stages})
    row = _limits(plan)["transformers"]
    assert plan["summary"]["limited_by"] == "transformers"
    assert row["allows_racks"] == plan["summary"]["racks"]
    assert row["available"] <= math.sqrt(3) * 138 * 5
    assert _limits(plan)["grid"]["allows_racks"] > plan["summary"]["racks"]
    asked = size("--racks", "14000", grid=GRID | {"requested": "5000 MW", "stages": stages}, code=3)
    assert asked["summary"]["limited_by"] == "transformers"


def test_rule_12_a_single_cluster_is_a_limit_and_nothing_else(size: Sizer) -> None:
    # three tiers of 64 ports end in 64^3 / 4 = 65,536 ports: 8,192 nodes of 8, 2,048 racks of 4
    grid = GRID | {
        "voltage": "345 kV",
        "requested": "5000 MW",
        "stages": [{"name": "a", "firm": "3000 MW"}],
    }
    design = {"single_cluster": True}
    for options, code in ((), 0), (("--accelerators", "800000"), 3):
        plan = size(*options, site=DGX, grid=grid, design=design, code=code)
        limits = _limits(plan)
        assert plan["summary"]["racks"] == limits["fabric"]["allows_racks"] == 64**3 // 4 // 32
        assert plan["summary"]["limited_by"] == "fabric"
        # the grid alone holds the racks of several clusters
        assert (
            limits["grid"]["allows_racks"]
            == _limits(size(site=DGX, grid=grid))["grid"]["allows_racks"]
        )


@pytest.mark.parametrize("options", [("--racks", "600"), ("--it-power", "200 MW")])
def test_an_infeasible_request_gives_the_largest_plan(
    size: Sizer, options: tuple[str, ...]
) -> None:
    filled = size()
    plan = size(*options, code=3)
    assert plan["feasible"] is False
    assert "grid allows" in plan["infeasible_reason"]
    assert plan["summary"]["racks"] == filled["summary"]["racks"]
    assert plan["summary"]["limited_by"] == "grid"


def test_a_site_where_no_rack_fits_says_so_in_every_format(size: Sizer) -> None:
    plan = size(grid=GRID | {"stages": [{"name": "a", "firm": "0.1 MW"}]})
    (warning,) = [row for row in plan["warnings"] if row["code"] == "nothing_fits"]
    assert "grid allows 0 racks" in warning["message"]
    for section in ("power", "cooling", "substation", "swing", "fabric", "floor"):
        assert plan[section] is None
    assert plan["summary"]["accelerators"] == 0
    assert plan["summary"]["limited_by"] == "grid"
    assert _limits(plan)["grid"]["allows_racks"] == 0
    unit = size(grid=GRID | {"stages": [{"name": "a", "firm": "1 MW"}]}, design={"whole_sus": True})
    messages = [row["message"] for row in unit["warnings"] if row["code"] == "nothing_fits"]
    assert "scalable unit of 8 racks" in messages[0]


def test_rule_14_a_limit_that_holds_again_further_up_is_found(size: Sizer) -> None:
    """Above 20 MW on a pad the towers of a hot, humid site give way to adiabatic coolers.

    Those use no water over the year, so the annual limit alone allows any size; with the 16 MW of
    the grid the towers stay and the water binds.
    """
    site = {"climate": "singapore", "water": {"annual": "30000 m3/yr", "peak": "80 L/s"}}
    small = size(site=site, grid=GRID | {"stages": [{"name": "a", "firm": "16 MW"}]})
    assert small["summary"]["limited_by"] == "water_annual"
    assert small["cooling"]["water_m3_per_year"] <= 30000
    large = size(site=site, grid=GRID | {"stages": [{"name": "a", "firm": "60 MW"}]})
    assert large["summary"]["limited_by"] == "grid"
    assert large["cooling"]["heat_rejection"] == "adiabatic-cooler"


def test_keeping_the_record_changes_no_figure(size: Sizer) -> None:
    """A run that records (it explains, or writes a file) gives what the plain run prints."""
    plain = size()
    written = size.folder / "plan.json"
    size("-o", str(written))
    assert json.loads(written.read_text(encoding="utf-8")) == plain


def _beside(plan: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in plan["fabric"]["fabrics"]}


def test_rule_3_switches_of_the_other_fabrics_are_inside_storage_and_management(
    size: Sizer,
) -> None:
    plan = size("--racks", "64")
    power, beside = plan["power"], _beside(plan)
    assert list(beside) == ["storage", "in-band", "out-of-band"]
    kw = {name: row["switch_power_kw"] + row["optics_power_kw"] for name, row in beside.items()}
    assert power["it_storage_network_mw"] == pytest.approx(kw["storage"] / 1000)
    management = (kw["in-band"] + kw["out-of-band"]) / 1000
    assert power["it_management_network_mw"] == pytest.approx(management)
    assert power["it_storage_mw"] == pytest.approx(0.03 * power["it_compute_mw"])
    assert power["it_management_mw"] == pytest.approx(0.01 * power["it_compute_mw"])
    assert power["it_storage_network_mw"] < power["it_storage_mw"]
    assert power["it_management_network_mw"] < power["it_management_mw"]
    compute = plan["fabric"]["switch_power_kw"] + plan["fabric"]["optics_power_kw"]
    assert power["it_network_mw"] == pytest.approx(compute / 1000)


def test_rule_3_counted_switches_beyond_the_share_are_the_figure(size: Sizer) -> None:
    design = {"fabric": {"in_band_oversubscription": 1, "management_servers": 1000}}
    plan = size("--racks", "64", design=design)
    power = plan["power"]
    assert power["it_management_mw"] == power["it_management_network_mw"]
    assert power["it_management_mw"] > 0.01 * power["it_compute_mw"]
    assert "management_network_power" in _codes(plan)
    parts = ("compute", "network", "storage", "management")
    total = sum(power[f"it_{part}_mw"] for part in parts)
    assert plan["summary"]["it_power_mw"] == pytest.approx(total)


@pytest.mark.parametrize("given", ["0 MW", "0.01 MW", "0 %"])
def test_rule_3_a_power_of_the_user_stands(size: Sizer, given: str) -> None:
    plan = size("--racks", "64", design={"power": {"storage": given}})
    power = plan["power"]
    assert power["it_storage_mw"] == pytest.approx(0.01 if given == "0.01 MW" else 0.0)
    assert power["it_storage_network_mw"] > power["it_storage_mw"]
    assert "storage_network_power" in _codes(plan)


def test_fabrics_of_unknown_ports_are_null_with_a_warning(size: Sizer) -> None:
    plan = size("--racks", "4", site={"rack": "cloudmatrix-384-compute"})
    assert list(_beside(plan)) == ["out-of-band"]
    assert plan["power"]["it_storage_network_mw"] is None
    assert "support_fabrics_not_counted" in _codes(plan)
