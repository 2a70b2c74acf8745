"""The readiness checklist: nothing is ready that nothing shows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from clusterplan.cli import readiness
from clusterplan.reporting.render import render

SAMPLES = Path(__file__).parents[2] / "sample_sites"
STATUSES = {"ready", "partly", "open", "unknown"}
AREAS = {
    "single sources and lead times",
    "diverse power",
    "fibre",
    "facility capacity",
    "metering",
    "modular growth",
    "security",
    "data governance",
    "workforce",
    "community and permits",
}
SITES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())


def _items(site: Path, *overrides: str) -> dict[str, object]:
    report = readiness.run(str(site), overrides=overrides)
    return {f"{item.area}/{item.item}": item for item in report.parts["items"]}


@pytest.mark.parametrize("site", SITES)
def test_every_area_has_items_with_evidence_and_what_closes_them(site: str) -> None:
    report = readiness.run(str(SAMPLES / site))
    items = report.parts["items"]
    assert {item.area for item in items} == AREAS
    for item in items:
        assert item.status in STATUSES
        assert item.evidence
        assert item.closes or item.status == "ready", item.item
    section = report.parts["readiness"]
    counted = section.ready + section.partly + section.open + section.unknown
    assert counted == len(items)


def test_what_the_files_leave_out_is_unknown(tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(SAMPLES / "abilene", folder)
    path = folder / "site.yaml"
    lines = path.read_text(encoding="utf-8").split("fibre:")[0]
    path.write_text(lines, encoding="utf-8")
    items = _items(folder)
    for name in (
        "fibre/fibre routes",
        "metering/energy meters",
        "metering/emissions record",
        "security/physical security",
        "security/cyber security",
        "workforce/electricians",
        "community and permits/community",
        "community and permits/moratorium",
        "community and permits/zoning permit",
        "community and permits/air permit",
    ):
        assert items[name].status == "unknown", name


@pytest.mark.parametrize(
    ("override", "item", "status"),
    [
        ("site.metering.energy=in_place", "metering/energy meters", "ready"),
        ("site.metering.emissions=planned", "metering/emissions record", "partly"),
        ("site.security.cyber=none", "security/cyber security", "open"),
        ("site.fibre.routes=1", "fibre/fibre routes", "open"),
        ("site.fibre.routes=3", "fibre/fibre routes", "ready"),
        ("grid.circuits=1", "diverse power/circuits", "open"),
        ("grid.common_tower=false", "diverse power/circuits", "ready"),
        ("grid.common_tower=true", "diverse power/circuits", "partly"),
        ("site.policy.moratorium=true", "community and permits/moratorium", "open"),
        ("site.community.score=2", "community and permits/community", "open"),
        ("site.permits.air=denied", "community and permits/air permit", "open"),
        ("site.permits.zoning=filed", "community and permits/zoning permit", "partly"),
        ("site.policy.export_tier=embargo", "data governance/export rules", "open"),
        ("site.workforce.electricians_60mi=20000", "workforce/electricians", "ready"),
    ],
)
def test_a_datum_decides_its_item(override: str, item: str, status: str) -> None:
    assert _items(SAMPLES / "abilene", override)[item].status == status


def test_the_data_regime_of_the_country_carries_its_flag() -> None:
    item = _items(SAMPLES / "lulea")["data governance/data law"]
    assert item.status == "partly"
    assert item.verified == "false"
    assert "GDPR" in item.evidence


def test_lead_times_carry_range_and_flag() -> None:
    item = _items(SAMPLES / "abilene")["single sources and lead times/power transformers"]
    assert item.status == "unknown"  # nothing says that they are ordered
    assert "100 to 208 weeks" in item.evidence
    assert item.verified == "secondary"


def test_json_and_table(capsys) -> None:
    report = readiness.run(str(SAMPLES / "johor"))
    found = json.loads(render(report, "json"))
    assert found["schema"] == "clusterplan/readiness/1"
    assert {"area", "item", "status", "evidence", "closes", "verified"} <= set(found["items"][0])
    text = render(report, "table", width=80)
    assert max(len(line) for line in text.splitlines()) <= 80


def test_land_is_not_ready_on_assumed_buildable_acres() -> None:
    found = _items(SAMPLES / "abilene")["facility capacity/land held"]
    assert found.status == "partly"
    assert found.closes == "a survey of the buildable acres"
    found = _items(SAMPLES / "west-texas-5gw")["facility capacity/land held"]
    assert found.status == "ready"


@pytest.mark.parametrize(
    ("changes", "status", "told"),
    [
        ((), "open", "option until 2028-12-31, before the last stage of 2032-12-31"),
        (("site.land.control_until=2040-01-01",), "partly", "option until 2040-01-01"),
        (
            ("site.land.control=lease", "site.land.control_until=2040-01-01"),
            "ready",
            "lease until 2040-01-01",
        ),
        (("site.land.control=owned",), "ready", "owned"),
        (("site.land.control=none",), "open", "none"),
    ],
)
def test_control_of_the_land_must_outlast_the_last_stage(
    changes: tuple[str, ...], status: str, told: str
) -> None:
    found = _items(SAMPLES / "west-texas-5gw", *changes)["facility capacity/control of the land"]
    assert (found.status, found.evidence) == (status, told)
    assert (found.closes == "") == (status == "ready")


def test_control_that_is_not_told_is_unknown() -> None:
    for name in ("abilene", "university-room"):  # a lease without an end; nothing
        found = _items(SAMPLES / name)["facility capacity/control of the land"]
        assert found.status == "unknown"
        assert found.closes
