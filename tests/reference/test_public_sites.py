"""The sample sites against what is public of the real ones.

IT and facility MW, H100-equivalents and their ratios as Epoch AI models them: Epoch AI, Frontier
Data Centers, https://epoch.ai/data, CC BY 4.0, read 2026-08-22. Facility over IT there is a peak
ratio set by cooling type, not measured; the plans compute theirs, so a tenth either way is
agreement. Land: the press, where named. Places without a real project are held to rules of thumb.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clusterplan.cli.compare import run as compare
from clusterplan.cli.size import run
from clusterplan.reporting.render import render

SAMPLES = Path(__file__).parents[2] / "sample_sites"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
_plans: dict[str, dict[str, Any]] = {}


def plan(name: str) -> dict[str, Any]:
    """The JSON document of `clusterplan size sample_sites/<name>`."""
    if name not in _plans:
        report = run(str(SAMPLES / name), files={})
        assert report.feasible
        _plans[name] = json.loads(render(report, "json"))
    return _plans[name]


def acres(name: str) -> float:
    (row,) = (row for row in plan(name)["limits"] if row["name"] == "land")
    return row["used"]


@pytest.mark.parametrize("name", NAMES)
def test_the_limit_named_is_one_that_binds(name: str) -> None:
    document = plan(name)
    binding = [row["name"] for row in document["limits"] if row["binding"]]
    assert document["summary"]["limited_by"] == binding[0]
    (row,) = (row for row in document["limits"] if row["name"] == binding[0])
    assert row["allows_racks"] == document["summary"]["racks"]
    assert 0.98 * row["available"] < row["used"] <= row["available"]


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("abilene", "grid"),
        ("ashburn", "grid"),
        ("dona-ana", "generation"),
        ("johor", "grid"),
        ("lulea", "transformers"),
        ("memphis", "grid"),
        ("university-room", "grid"),
        ("west-texas-5gw", "grid"),
    ],
)
def test_power_is_what_limits_each(name: str, limit: str) -> None:
    assert plan(name)["summary"]["limited_by"] == limit


@pytest.mark.parametrize("name", NAMES)
def test_stages_grow_and_the_last_is_the_plan(name: str) -> None:
    document = plan(name)
    racks = [stage["racks"] for stage in document["stages"]]
    assert racks == sorted(racks)
    assert racks[-1] == document["summary"]["racks"]


@pytest.mark.parametrize(
    ("name", "it_mw", "facility_mw", "ratio"),
    [
        ("abilene", 843, 1180, 1.40),
        ("memphis", 340, 425, 1.25),
        ("johor", 473, 662, 1.40),
    ],
)
def test_power_as_epoch_models_it(
    name: str, it_mw: float, facility_mw: float, ratio: float
) -> None:
    summary = plan(name)["summary"]
    assert summary["it_power_mw"] == pytest.approx(it_mw, rel=0.10)
    assert summary["facility_power_mw"] == pytest.approx(facility_mw, rel=0.03)
    assert summary["pue_peak"] == pytest.approx(ratio, rel=0.10)


@pytest.mark.parametrize(
    ("name", "h100e"), [("abilene", 1_021_000), ("memphis", 276_000), ("johor", 586_000)]
)
def test_h100_equivalents_as_epoch_counts_them(name: str, h100e: float) -> None:
    summary = plan(name)["summary"]
    assert summary["h100_precision"] == "dense 8-bit"
    assert summary["h100_equivalents"] == pytest.approx(h100e, rel=0.10)


def test_abilene_is_on_air_cooled_chillers() -> None:
    document = plan("abilene")
    cooling, summary = document["cooling"], document["summary"]
    assert cooling["heat_rejection"] == "air-cooled-chiller"
    assert (cooling["fws_supply_temp_c"], cooling["fws_return_temp_c"]) == (20.0, 30.0)
    assert 1.40 <= summary["pue_peak"] <= 1.45
    assert document["substation"]["hv_kv"] == 345.0
    # five main transformers in the 345 kV yard (dispatch of 2026-04-28 quoting the builders)
    assert document["substation"]["transformers"] == 5
    # press: 875 to 1,100 acres for the campus with its gas plant
    assert 400 < acres("abilene") < 875
    # the chips of the real site, all GB200 and GB300: 403,200
    assert summary["accelerators"] == pytest.approx(403_200, rel=0.10)


def test_abilene_on_warm_water_would_have_a_ratio_of_about_1_2() -> None:
    report = run(
        str(SAMPLES / "abilene"),
        files={},
        overrides=["design.heat_rejection=adiabatic-cooler", "design.cooling.fws_supply=36 degC"]
        + ["design.cooling.fws_return=51 degC"],
    )
    assert 1.15 < report.parts["summary"].pue_peak < 1.25


def test_abilene_steps_follow_the_real_ones() -> None:
    # 590 MW of facility and 421 MW of IT on 2026-05-23; 510,000 H100e
    (middle,) = (row for row in plan("abilene")["stages"] if row["energised"] == "2026-05-23")
    assert middle["facility_power_mw"] == pytest.approx(590, rel=0.05)
    # dense 8-bit peaks of the makers: 5,000 TFLOPS against 1,979
    assert middle["accelerators"] * 5000 / 1979 == pytest.approx(510_000, rel=0.10)


def test_dona_ana_is_an_island_of_fuel_cells() -> None:
    document = plan("dona-ana")
    summary = document["summary"]
    # Epoch: 1,578 MW of IT in 2,210 MW and 4.598 M H100e by the end of 2028; 2.45 GW at full build
    scale = summary["facility_power_mw"] / 2210.0
    assert summary["it_power_mw"] == pytest.approx(1578 * scale, rel=0.10)
    assert summary["h100_equivalents"] == pytest.approx(4_598_000 * scale, rel=0.12)
    assert summary["facility_power_mw"] == pytest.approx(2425, rel=0.01)
    assert document["cooling"]["water_m3_per_year"] == 0.0  # 7.2 Mgal a year stated
    assert document["substation"]["fault_level_ka"] is None
    assert acres("dona-ana") < 1400.0


def test_memphis_is_on_towers_in_an_old_factory() -> None:
    document = plan("memphis")
    assert document["cooling"]["heat_rejection"] == "open-cooling-tower"
    # CoStar News 2026-05-26: 785,000 square feet on 217 acres
    assert document["floor"]["gross_m2"] == pytest.approx(785_000 * 0.0929, rel=0.10)
    assert acres("memphis") < 217.0
    assert document["stages"][0]["firm_mw"] == 150.0
    assert document["substation"]["hv_kv"] == 161.0


def test_west_texas_plans_to_five_gigawatts() -> None:
    document = plan("west-texas-5gw")
    summary = document["summary"]
    assert summary["facility_power_mw"] == pytest.approx(2600 + 2403, rel=0.01)
    assert [stage["firm_mw"] for stage in document["stages"]] == [600, 3003, 3803, 5003]
    # 0.4 to 1.0 acre a MW of campus, and gas at 0.03 to 0.10 (Abilene 0.9, Shackelford 0.6)
    assert 0.4 * 5000 < acres("west-texas-5gw") < 1.1 * 5000
    used = {row["name"]: row["used"] / row["available"] for row in document["limits"][4:6]}
    assert used["water_annual"] < 0.5
    assert used["water_peak"] < 1.0


def test_west_texas_without_the_pond_stops_on_water() -> None:
    report = run(str(SAMPLES / "west-texas-5gw"), files={}, overrides=["site.water.peak=10000 gpm"])
    summary = report.parts["summary"]
    assert summary.limited_by == "water_peak"
    assert summary.facility_power_mw == pytest.approx(1400, rel=0.05)


def test_ashburn_says_why_it_is_adiabatic() -> None:
    # as design.yaml says: towers would evaporate more than three times the allotment at 300 MW
    document = plan("ashburn")
    assert document["cooling"]["heat_rejection"] == "adiabatic-cooler"
    assert 0.0 < document["cooling"]["trim_mw"] < 0.1 * document["summary"]["it_power_mw"]
    towers = run(
        str(SAMPLES / "ashburn"),
        files={},
        overrides=["design.heat_rejection=open-cooling-tower"],
    )
    assert towers.parts["summary"].limited_by == "water_annual"
    assert towers.parts["summary"].facility_power_mw == pytest.approx(85, rel=0.05)


def test_johor_takes_no_water() -> None:
    document = plan("johor")
    assert document["cooling"]["heat_rejection"] == "air-cooled-chiller"
    # state vetting: no more than 1.8 L/kWh (malaymail.com, 2026-01-05)
    assert document["summary"]["wue_l_per_kwh"] == 0.0


def test_lulea_waits_for_a_third_transformer() -> None:
    rows = {row["name"]: row for row in plan("lulea")["limits"]}
    # 2 x 63 MVA with one out, less 8 MW at 0.97
    assert rows["transformers"]["available"] == pytest.approx(63 - 8 / 0.97, rel=1e-9)
    assert rows["grid"]["allows_racks"] > 1.5 * rows["transformers"]["allows_racks"]
    assert plan("lulea")["summary"]["pue_annual"] < 1.12


def test_university_room_is_small_and_air_cooled() -> None:
    document = plan("university-room")
    assert document["power"]["rack_power_kw"] == pytest.approx(40.8)  # 4 x 10.2 kW
    assert document["cooling"]["liquid_heat_mw"] == 0.0
    assert 1.3 < document["summary"]["facility_power_mw"] <= 2.0
    assert document["substation"]["hv_kv"] == 13.8
    assert document["substation"]["mv_kv"] < 1.0
    (land,) = (row for row in document["limits"] if row["name"] == "land")
    assert land["allows_racks"] is None


def test_all_of_them_side_by_side() -> None:
    report = compare([str(SAMPLES / name) for name in NAMES])
    document = json.loads(render(report, "json"))
    assert sorted(row["id"] for row in document["sites"]) == sorted(NAMES)
    assert [row["rank"] for row in document["sites"]] == sorted(
        row["rank"] for row in document["sites"]
    )
    for row in document["sites"]:
        assert row["accelerators"] == plan(row["id"])["summary"]["accelerators"]
