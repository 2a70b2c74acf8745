"""Laws of a whole plan over random valid sites: the parts add up, more never means less."""

from __future__ import annotations

import copy
import math
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError
from clusterplan.inputs.loading import load_site_folder
from clusterplan.planning.size_site import Request, size_site

if TYPE_CHECKING:
    from clusterplan.core.results.plan import SitePlan

RACKS = ("gb300-nvl72", "gb200-nvl72", "vr-nvl72", "dgx-h100-x4", "hgx-b200-8x8-liquid")
CLIMATES = ("abilene-tx", "singapore", "phoenix-az", "chicago-il", "albuquerque-nm", "lulea")
VOLTAGES = ((13.8, 25.0), (34.5, 40.0), (138.0, 200.0), (230.0, 650.0), (345.0, 1400.0))
CHECK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.data_too_large])


def _climates() -> list[str]:
    shipped = {row.id for row in catalog.climates()}
    return [name for name in CLIMATES if name in shipped] or sorted(shipped)[:5]


@st.composite
def sites(draw: st.DrawFn) -> dict[str, Any]:
    """Trees of site.yaml, grid.yaml and design.yaml of one valid site."""
    voltage, most = draw(st.sampled_from(VOLTAGES))
    first = draw(st.floats(3.0, most / 2))
    last = draw(st.floats(first, most))
    site: dict[str, Any] = {
        "id": "random",
        "name": "Random site",
        "country": "US",
        "state": "TX",
        "latitude": 32.0,
        "longitude": -100.0,
        "elevation": f"{draw(st.integers(0, 2400))} m",
        "climate": draw(st.sampled_from(_climates())),
        "rack": draw(st.sampled_from(RACKS)),
    }
    if draw(st.booleans()):
        acres = draw(st.floats(8.0, 900.0))
        site["land"] = {"gross": f"{acres * 1.4} acre", "buildable": f"{acres} acre"}
    water = draw(st.sampled_from(("none", "limits", "open")))
    if water == "none":
        site["water"] = {"source": "none"}
    elif water == "limits":
        site["water"] = {
            "annual": f"{draw(st.floats(1e4, 4e6))} m3/yr",
            "peak": f"{draw(st.floats(1.0, 300.0))} L/s",
        }
    if draw(st.booleans()):
        gross = draw(st.floats(2.0, 60.0))
        site["generation"] = [{"type": "gas_turbine", "gross": f"{gross} MW", "units": 4}]
    grid = {
        "voltage": f"{voltage} kV",
        "requested": f"{most + 10} MW",
        "stage": "agreement",
        "stages": [
            {"name": "a", "energised": "2027-01-01", "firm": f"{first} MW"},
            {"name": "b", "energised": "2029-01-01", "firm": f"{last} MW", "nonfirm": "5 MW"},
        ],
    }
    design: dict[str, Any] = {}
    if draw(st.booleans()):
        design["ups"] = "none"
    if draw(st.booleans()):
        design["cooling"] = {"tcs_supply": f"{draw(st.integers(25, 40))} degC"}
    return {"site": site, "grid": grid, "design": design}


def _load(trees: dict[str, Any], overrides: tuple[str, ...] = ()) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        for name, tree in trees.items():
            if tree:
                Path(folder, f"{name}.yaml").write_text(yaml.safe_dump(tree))
        return load_site_folder(
            folder,
            fields=catalog.design_fields(),
            regions=catalog.regions(),
            states=catalog.us_states(),
            overrides=overrides,
        )


def _plan(trees: dict[str, Any], request: Request | None = None) -> SitePlan | None:
    try:
        return size_site(_load(trees), request)
    except InfeasibleError:
        return None


def _accelerators(trees: dict[str, Any]) -> int:
    plan = _plan(trees)
    return 0 if plan is None else plan.summary.accelerators


@CHECK
@given(sites())
def test_the_parts_add_up(trees: dict[str, Any]) -> None:
    plan = _plan(trees)
    if plan is None:
        return
    power, cooling, summary = plan.power, plan.cooling, plan.summary
    parts = (
        power.it_compute_mw,
        power.it_network_mw,
        power.it_storage_mw,
        power.it_management_mw,
    )
    assert math.isclose(summary.it_power_mw, sum(parts), rel_tol=1e-12)
    heat = cooling.liquid_heat_mw + cooling.air_heat_mw
    assert math.isclose(heat, summary.it_power_mw + cooling.loss_heat_mw, rel_tol=1e-9)
    assert summary.pue_peak is not None
    assert summary.facility_power_mw == summary.it_power_mw * summary.pue_peak
    onsite = 0.0
    for unit in trees["site"].get("generation", ()):
        gross = float(unit["gross"].split()[0])
        onsite += gross * 3 / 4  # four equal units, one out; joined at MV below 100 MW
    # an idle substation is evaluated at 1 kW, so that its ratios stay defined
    carried = max(summary.facility_power_mw - onsite, 0.001)
    assert math.isclose(plan.substation.active_power_mw, carried, rel_tol=1e-9, abs_tol=1e-5)
    apparent = math.hypot(plan.substation.active_power_mw, plan.substation.reactive_power_mvar)
    assert math.isclose(plan.substation.apparent_power_mva, apparent, rel_tol=1e-9)
    assert plan.substation.loading_n1_percent is None or plan.substation.loading_n1_percent <= 95.1
    for stage in plan.stages:
        assert stage.firm_mw is not None
        assert stage.facility_power_mw <= stage.firm_mw * (1 + 1e-9)
    binding = [row for row in plan.limits if row.binding]
    assert binding
    assert summary.limited_by == binding[0].name
    for row in plan.limits:
        assert row.allows_racks is None or row.allows_racks >= summary.racks
        if row.used is not None and row.available is not None and row.name != "request":
            assert row.used <= row.available * (1 + 1e-9)


@CHECK
@given(sites(), st.floats(1.0, 2.0))
def test_more_power_never_means_fewer_accelerators(trees: dict[str, Any], factor: float) -> None:
    more = copy.deepcopy(trees)
    for stage in more["grid"]["stages"]:
        stage["firm"] = f"{float(stage['firm'].split()[0]) * factor} MW"
    more["grid"]["requested"] = f"{float(trees['grid']['requested'].split()[0]) * factor} MW"
    assert _accelerators(more) >= _accelerators(trees)


@CHECK
@given(sites(), st.floats(1.0, 3.0))
def test_more_land_or_water_never_means_fewer_accelerators(
    trees: dict[str, Any], factor: float
) -> None:
    more = copy.deepcopy(trees)
    for group in ("land", "water"):
        for key, text in more["site"].get(group, {}).items():
            number, _, unit = text.partition(" ")
            if unit:
                more["site"][group][key] = f"{float(number) * factor} {unit}"
    assert _accelerators(more) >= _accelerators(trees)


@settings(max_examples=12, deadline=None)
@given(sites())
def test_a_warmer_supply_never_means_more_trim(trees: dict[str, Any]) -> None:
    """Trim as a share of the heat to reject, at a fixed rise of the rack loop.

    The share, because pump heat drifts by some 1e-5 with the fluid's density. A fixed rise, because
    a GB300 returns at a constant temperature: there a warmer supply shortens the rise, and dry
    machines need a wider approach at a short rise.
    """
    if trees["site"]["rack"] == "dgx-h100-x4":
        return
    trees = copy.deepcopy(trees)
    trees["site"].pop("land", None)
    trees["site"].get("water", {}).pop("annual", None)
    trees["site"].get("water", {}).pop("peak", None)
    trims = []
    for supply in (25, 30, 35, 40):
        trees["design"] = {"cooling": {"tcs_supply": f"{supply} degC", "tcs_rise": "10 K"}}
        plan = _plan(trees, Request(racks=8))
        if plan is not None and plan.summary.racks == 8:
            trims.append(plan.cooling.trim_mw / plan.cooling.heat_rejection_mw)
    assert all(after <= before + 1e-9 for before, after in zip(trims, trims[1:], strict=False))


@settings(max_examples=15, deadline=None)
@given(sites(), st.sampled_from((("kW", 1e3), ("GW", 1e-3))))
def test_spelling_of_units_changes_nothing(
    trees: dict[str, Any], spelling: tuple[str, float]
) -> None:
    unit, scale = spelling
    other = copy.deepcopy(trees)
    for stage in other["grid"]["stages"]:
        stage["firm"] = f"{float(stage['firm'].split()[0]) * scale!r} {unit}"
    first, second = _plan(trees), _plan(other)
    assert (first is None) == (second is None)
    if first is None or second is None:
        return
    assert first.summary.racks == second.summary.racks
    for name in ("it_power_mw", "facility_power_mw", "pue_peak", "pue_annual"):
        one, two = getattr(first.summary, name), getattr(second.summary, name)
        assert one == two or math.isclose(one, two, rel_tol=1e-9)
