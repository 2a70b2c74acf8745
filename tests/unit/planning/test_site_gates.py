"""Each gate: what passes, what fails, and that an unknown datum is never a pass."""

from __future__ import annotations

import datetime
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clusterplan.cli.size import load
from clusterplan.inputs.weights_file import WeightsFile
from clusterplan.planning.comparison_settings import Options, Settings
from clusterplan.planning.ranked_site import assessed

if TYPE_CHECKING:
    from clusterplan.planning.site_gates import Gate

SAMPLES = Path(__file__).parents[3] / "sample_sites"
START = datetime.date(2026, 12, 1)
# so that a site of 100 MW can pass: a first phase of 30 MW, a target of 60
SMALL = (("first_phase", 30.0), ("target", 60.0))
CLEAR = (
    "site.land.control=owned",
    "site.land.flood_zone=X",
    "site.water={source: surface, annual: 1000 ML/yr, peak: 5000 L/s, stress: 0}",
    "site.policy={moratorium: false}",
)


@cache
def _gates(site: str, changes: tuple[str, ...], chosen: tuple[tuple[str, object], ...]) -> dict:
    settings = Settings(Options(weights=WeightsFile(dict(chosen)), start=START, draws=0))
    found = assessed(load(str(SAMPLES / site), {}, changes), settings).gates
    return {gate.name: gate for gate in found}


def _gate(name: str, *changes: str, site: str = "lulea", **chosen: object) -> Gate:
    found: Gate = _gates(site, (*CLEAR, *changes), (*SMALL, *chosen.items()))[name]
    return found


@pytest.mark.parametrize(
    ("gate", "changes", "verdict"),
    [
        ("firm_mw", (), "pass"),
        (
            "firm_mw",
            ("grid.stages.0.status=facilities", "grid.stages.1.status=facilities"),
            "unknown",
        ),
        ("firm_mw", ("grid.stages.0.firm=20 MW", "grid.stages.1.firm=25 MW"), "fail"),
        (
            "firm_mw",
            ("grid.stages.0.energised=2035-01-01", "grid.stages.1.energised=2036-01-01"),
            "fail",
        ),
        ("expansion", (), "pass"),
        ("expansion", ("grid.stages.1.status=request",), "unknown"),
        ("expansion", ("grid.stages.1.firm=50 MW",), "fail"),
        ("control", (), "pass"),
        ("control", ("site.land.control=none",), "fail"),
        ("control", ("site.land.control=option", "site.land.control_until=2040-01-01"), "pass"),
        ("control", ("site.land.control=lease", "site.land.control_until=2027-01-01"), "fail"),
        ("acres", (), "pass"),
        ("acres", ("site.land.flood_zone=V",), "fail"),
        ("acres", ("site.land.buildable=1 ha",), "fail"),
        ("export", (), "pass"),
        ("export", ("site.policy.export_tier=restricted_D5",), "fail"),
        ("export", ("site.policy.export_tier=embargo",), "fail"),
        ("export", ("site.policy.export_tier=licence_case",), "unknown"),
        (
            "export",
            ("site.policy.export_tier=licence_case", "site.policy.export_licence=issued"),
            "pass",
        ),
        ("water", (), "pass"),
        ("air", (), "pass"),
        ("local_rule", (), "pass"),
        ("local_rule", ("site.policy.moratorium=true",), "fail"),
        ("local_rule", ("site.permits.zoning=denied",), "fail"),
        ("local_rule", ("site.permits.zoning=appealed",), "unknown"),
        ("fibre", (), "pass"),
        ("fibre", ("site.fibre.routes=1",), "fail"),
        ("hazard", (), "pass"),
        ("hazard", ("site.hazards.surge_zone=true",), "fail"),
    ],
)
def test_gates_of_a_grid_site(gate: str, changes: tuple[str, ...], verdict: str) -> None:
    found = _gate(gate, *changes)
    assert found.verdict == verdict, found
    assert found.datum
    assert found.threshold
    assert bool(found.closes) == (verdict != "pass"), found


@pytest.mark.parametrize(
    ("owner", "verdict"), [(None, "unknown"), ("US", "pass"), ("cn", "fail"), ("MAC", "fail")]
)
def test_owner_is_a_setting(owner: str | None, verdict: str) -> None:
    chosen = {} if owner is None else {"owner": owner}
    assert _gate("ownership", **chosen).verdict == verdict


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        (("site.permits.air=issued",), "pass"),
        (("site.permits.air=denied",), "fail"),
        (("site.permits.air=filed",), "unknown"),
        # the first half runs from 2027-12-31, 13 months after the start
        (("site.permits.air={status: filed, months: 12 months}",), "pass"),
        (("site.permits.air={status: filed, months: 14 months}",), "unknown"),
    ],
)
def test_fuel_on_site_needs_its_air_permit(changes: tuple[str, ...], verdict: str) -> None:
    found = _gates("dona-ana", changes, ())
    assert found["air"].verdict == verdict, found["air"]


def test_water_rights_must_be_known_where_water_is_evaporated() -> None:
    assert _gates("memphis", (), ())["water"].verdict == "pass"
    # the plan shrinks to a right that is known, so only a missing one is open
    found = _gates("lulea", (), ())["water"]
    assert found.verdict == "unknown"
    assert "yearly right" in found.datum
    assert _gates("abilene", (), ())["water"].datum == "nothing is evaporated"


def test_a_site_with_all_gates_passed_is_clear() -> None:
    found = _gates("lulea", CLEAR, (*SMALL, ("owner", "SE")))
    assert {gate.verdict for gate in found.values()} == {"pass"}, found


def test_a_plan_below_the_first_phase_is_told_apart_from_a_supply_below_it() -> None:
    """The 100 MW of supply are there; two transformers of 63 MVA carry half of them."""
    gate = _gate("firm_mw", first_phase=100.0)
    assert gate.verdict == "unknown"  # all steps together reach it
    assert re.fullmatch(r"the plan takes 5\d\.\d+ MW of 100 MW", gate.datum)
    assert gate.closes == "a plan of 100 MW, now limited by transformers"
    # what even the small plan is supplied with comes too late, and so does more
    late = ("grid.stages.0.energised=2035-01-01", "grid.stages.1.energised=2036-01-01")
    assert _gate("firm_mw", *late, first_phase=100.0).verdict == "fail"
    # and steps that stay below it fail whatever limits the plan
    few = ("grid.stages.0.firm=20 MW", "grid.stages.1.firm=60 MW")
    assert _gate("firm_mw", *few, first_phase=100.0).verdict == "fail"
