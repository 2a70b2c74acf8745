"""`clusterplan cooling`: cooling alone, rule 5 of counting, options, errors, calculation sheets."""

from __future__ import annotations

import math

import pytest

from clusterplan.cli.cooling import run
from clusterplan.core.errors import InputError
from clusterplan.reporting.as_text import to_text
from clusterplan.reporting.sheets import sheets, unexplained


def _cooling(**options):
    report = run(**options)
    assert report.schema == "clusterplan/cooling/1"
    return report.parts["cooling"], report


def test_heat_of_racks_and_nothing_else():
    """8 x GB300 at 142 kW: 90 % to liquid, no network, storage or losses."""
    section, report = _cooling(rack="gb300-nvl72", racks=8, climate="abilene-tx")
    assert section.liquid_heat_mw == pytest.approx(8 * 0.142 * 0.9)
    assert section.air_heat_mw == pytest.approx(8 * 0.142 * 0.1)
    assert section.loss_heat_mw == 0.0
    assert section.heat_rejection == "adiabatic-cooler"
    assert section.fws_supply_temp_c == 36.0
    assert unexplained(report) == []


def test_heat_load_without_racks():
    """10 MW, 85 % liquid at 35/45 degC: Q_R = Q_L + P_CDU + P_FWS."""
    section, report = _cooling(
        it_power="10 MW",
        liquid_fraction="0.85",
        tcs_supply="35 degC",
        tcs_return="45 degC",
        climate="abilene-tx",
    )
    assert section.liquid_heat_mw == pytest.approx(8.5)
    assert section.air_heat_mw == pytest.approx(1.5)
    assert section.tcs_return_temp_c == 45.0
    heat = section.liquid_heat_mw + section.cdu_pump_mw + section.fws_pump_mw
    assert section.heat_rejection_mw == pytest.approx(heat, rel=1e-9)
    assert section.rack_flow_l_per_min is None
    assert unexplained(report) == []


def test_air_cooled_racks_name_the_room_air_plant():
    section, report = _cooling(rack="dgx-h100-x4", racks=10, climate="ashburn-va")
    assert section.heat_rejection == "air-cooled-chiller"
    assert section.heat_rejection_mw == section.air_plant_mw
    assert section.heat_rejection_units == math.ceil(section.air_plant_mw / 1.6) + 1
    assert section.trim_mw == 0.0
    assert section.cdus == 0
    assert section.tcs_supply_temp_c is None
    assert section.water_m3_per_year == 0.0
    assert unexplained(report) == []


def test_powers_of_a_point_add_up():
    section, _ = _cooling(rack="gb300-nvl72", racks=100, climate="phoenix-az")
    peak = max(section.design_points, key=lambda row: row.pue)
    parts = (
        peak.cdu_pump_mw
        + peak.fws_pump_mw
        + peak.rejection_fan_mw
        + peak.tower_pump_mw
        + peak.trim_power_mw
        + peak.air_power_mw
    )
    assert section.cooling_power_peak_mw == pytest.approx(parts)
    assert section.pue_peak == peak.pue
    assert section.pue_peak_point == peak.point
    total = section.liquid_power_peak_mw + section.air_power_peak_mw
    assert total == pytest.approx(section.cooling_power_peak_mw)
    assert 1.0 < section.pue_annual < section.pue_peak


@pytest.mark.parametrize(
    ("kind", "coolant"),
    [
        ("dry-cooler", "pg37"),
        ("adiabatic-cooler", "pg37"),
        ("open-cooling-tower", "water"),
        ("closed-cooling-tower", "pg37"),
        ("air-cooled-chiller", "pg37"),
        ("water-cooled-chiller", "water"),
    ],
)
def test_every_heat_rejection(kind, coolant):
    """Abilene: coils outdoors need 37 % glycol by volume, towers stay on water."""
    section, report = _cooling(
        rack="gb300-nvl72",
        racks=80,
        climate="abilene-tx",
        overrides=(f"design.heat_rejection={kind}",),
    )
    assert section.heat_rejection == kind
    assert section.fws_coolant == coolant
    assert section.heat_rejection_units > section.heat_rejection_redundant >= 1
    assert (section.water_m3_per_year == 0.0) == (kind in ("dry-cooler", "air-cooled-chiller"))
    assert unexplained(report) == []


def test_chiller_plant_on_cold_water_takes_the_room_air():
    """FWS 20/30: room air hangs on it; pue_peak between 1.40 and 1.45 (Abilene's real plant)."""
    section, report = _cooling(
        rack="gb300-nvl72",
        racks=700,
        climate="abilene-tx",
        overrides=(
            "design.heat_rejection=air-cooled-chiller",
            "design.cooling.fws_supply=20 degC",
            "design.cooling.fws_return=30 degC",
        ),
    )
    assert section.air_on_fws
    assert section.air_chillers == 0
    assert 1.37 <= section.pue_peak <= 1.45
    assert unexplained(report) == []


def test_near_miss_says_what_overruling_would_save():
    """Ashburn misses adiabatic by a little: a warning names trim MW and water saved."""
    section, report = _cooling(rack="gb300-nvl72", racks=400, climate="ashburn-va")
    assert section.heat_rejection == "open-cooling-tower"
    found = [item for item in report.parts["warnings"] if item.code == "heat_rejection_near_miss"]
    assert len(found) == 1
    message = found[0].message
    assert message.startswith("adiabatic-cooler misses the FWS supply by only 0.")
    assert f"{section.water_m3_per_year:,.0f} m³ of water a year" in message
    assert f"instead of {section.pue_peak:.3f}" in message
    assert f"instead of {section.pue_annual:.3f}" in message


def test_a_cdu_far_too_large_is_a_warning():
    """One GB300 rack, 128 L/min on a unit of 1200: the pumps run at 25 %, 300 x 0.011417 kW."""
    section, report = _cooling(rack="gb300-nvl72", racks=1, climate="abilene-tx")
    assert section.cdu_pump_mw == pytest.approx(300 * 0.011417 / 1000, rel=1e-4)
    codes = {item.code for item in report.parts["warnings"]}
    assert "cdu_turndown" in codes
    _, report = _cooling(rack="gb300-nvl72", racks=8, climate="abilene-tx")
    assert "cdu_turndown" not in {item.code for item in report.parts["warnings"]}


_COLD_WATER = (
    "design.heat_rejection=air-cooled-chiller",
    "design.cooling.fws_supply=20 degC",
    "design.cooling.fws_return=30 degC",
)


def test_coils_on_glycol_take_its_flow_and_its_ride_through():
    """PG 37 % by volume: 37.8 % by mass; CoolProp at 25 degC: 3.897 MJ/m3K at 35, 3.832 at 40 %."""
    section, _ = _cooling(
        rack="gb300-nvl72", racks=700, climate="abilene-tx", overrides=_COLD_WATER
    )
    rho_c = 3.897 + (3.832 - 3.897) * (37.83 - 35) / 5
    assert section.fws_coolant == "pg37"
    flow = 60_000 * section.air_plant_mw / (rho_c * 10)
    assert section.air_water_flow_l_per_min == pytest.approx(flow, rel=0.003)
    volume = 1000 * section.heat_rejection_mw * section.ride_through_s / (1000 * rho_c * 10)
    assert section.ride_through_m3 == pytest.approx(volume, rel=0.003)


def test_only_defaults_that_shaped_the_plan_are_assumptions():
    def names(**options):
        report = run(rack="gb300-nvl72", racks=100, climate="abilene-tx", **options)
        paths = [item.path for item in report.parts["assumptions"]]
        assert len(paths) == len(set(paths))
        return {path.removeprefix("design.cooling.") for path in paths}

    chillers = names(overrides=_COLD_WATER)
    assert {"air_chiller_carnot", "dry_approach", "tower_approach", "pad_efficiency"} <= chillers
    assert not {"tower_fan_power", "drift", "pad_bleed", "cdu_pump_power"} & chillers
    assert not {"tower_storage", "air_water_return", "water_chiller_unit"} & chillers
    # 14.2 MW: no plume; 37 % glycol lies between the marks at 30 and 40 %
    assert not {"plume_dry_mid", "plume_dry_large", "plume_tower"} & chillers
    assert {"coil_penalty_30", "coil_penalty_40"} <= chillers
    assert "coil_penalty_50" not in chillers
    towers = names(overrides=("design.heat_rejection=open-cooling-tower",))
    assert {"tower_fan_power", "drift", "tower_storage", "free_cooling_fan_power"} <= towers
    assert not {"closed_tower_approach", "adiabatic_fan_power", "water_chiller_unit"} & towers
    assert "cdu_pump_power" in names(cdu="mcdu-70")  # its row has no pump power


def test_the_sheet_of_the_tcs_supply_shows_the_rule_or_the_users_figure():
    def sheet(**options):
        report = run(rack="gb300-nvl72", racks=8, climate="abilene-tx", **options)
        return sheets(report, "cooling.tcs_supply_temp_c")[-1]

    assert sheet().equation.startswith("max(min(preferred_c, rack_max_c - rack_margin_k)")
    assert sheet(tcs_supply="35 degC").equation == ""


def test_room_air_alone_says_nothing_of_facility_water():
    options = {"it_power": "2 MW", "liquid_fraction": "0", "climate": "ashburn-va"}
    section, _ = _cooling(**options)
    assert section.heat_rejection_reason.startswith("room air alone")
    chosen, report = _cooling(**options, overrides=("design.heat_rejection=dry-cooler",))
    assert chosen.heat_rejection_reason.startswith("chosen by the user")
    assert chosen.dry_lowest_supply_c is None
    # 40.3 + 8 degC at the hot point against 20/30: all of the heat on chillers, 2 units and a spare
    assert chosen.trim_mw == 0.0
    assert chosen.air_chillers == 3
    assert "unknown" not in to_text(report).partition("Assumptions")[0]


@pytest.mark.parametrize("climate", ["abilene-tx", "singapore", "lulea", "ashburn-va"])
@pytest.mark.parametrize("overrides", [(), _COLD_WATER])
def test_the_terminal_block_is_short(climate, overrides):
    """At 80 columns at most 28 lines before the table of the design points."""
    report = run(rack="gb300-nvl72", racks=700, climate=climate, overrides=overrides)
    block = to_text(report).partition("\nCooling\n")[2].partition("Cooling: design points")[0]
    assert 15 <= len(block.strip("\n").splitlines()) <= 28
    assert all(len(line) <= 80 for line in block.splitlines())


def test_equations_give_the_recorded_results():
    """Plain equations of the cooling steps, evaluated over their inputs."""
    names = {name: getattr(math, name) for name in dir(math) if not name.startswith("_")}
    names |= {"min": min, "max": max, "abs": abs, "round": round, "sum": sum, "float": float}
    seen = set()
    for options in (
        {"rack": "gb300-nvl72", "racks": 300, "climate": "abilene-tx"},
        {"it_power": "30 MW", "liquid_fraction": "90 %", "climate": "singapore"},
        {
            "rack": "gb300-nvl72",
            "racks": 30,
            "climate": "queretaro",
            "overrides": ("design.heat_rejection=dry-cooler",),
        },
    ):
        for step in run(**options).record.steps:
            if not step.formula.plain:
                continue
            value = eval(step.formula.equation, {"__builtins__": {}}, names | step.inputs)
            assert value == pytest.approx(step.result, rel=1e-12, abs=1e-12), step.formula.name
            seen.add(step.formula.name)
    assert {"design_point_pue", "pue_annual", "dry_approach_k", "trim_heat_mw"} <= seen


def test_no_climate_is_said():
    _, report = _cooling(rack="gb300-nvl72", racks=8)
    assert any(item.code == "climate_assumed" for item in report.parts["warnings"])
    assert any(item.path == "climate" for item in report.parts["assumptions"])


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({}, "cooling"),
        ({"rack": "gb300-nvl72"}, "--racks"),
        ({"racks": 8}, "cooling"),
        ({"rack": "gb300-nvl72", "racks": 0}, "--racks"),
        ({"rack": "gb300-nvl72", "racks": 8, "it_power": "1 MW"}, "--it-power"),
        ({"rack": "gb300", "racks": 8}, "--rack"),
        ({"it_power": "10 MW"}, "--liquid-fraction"),
        ({"it_power": "10", "liquid_fraction": "0.8"}, "--it-power"),
        ({"it_power": "0 MW", "liquid_fraction": "0.8"}, "--it-power"),
        ({"it_power": "10 MVA", "liquid_fraction": "0.8"}, "--it-power"),
        ({"it_power": "10 MW", "liquid_fraction": "1.2"}, "--liquid-fraction"),
        ({"it_power": "10 MW", "liquid_fraction": "nan"}, "--liquid-fraction"),
        ({"rack": "gb300-nvl72", "racks": 8, "tcs_supply": "40 K"}, "--tcs-supply"),
        ({"rack": "gb300-nvl72", "racks": 8, "tcs_supply": "200 degC"}, "--tcs-supply"),
        ({"rack": "gb300-nvl72", "racks": 8, "tcs_supply": "55 degC"}, "--tcs-supply"),
        ({"rack": "gb300-nvl72", "racks": 8, "tcs_return": "39 degC"}, "--tcs-return"),
        ({"rack": "dgx-h100-x4", "racks": 8, "tcs_return": "50 degC"}, "--tcs-return"),
        ({"rack": "gb300-nvl72", "racks": 8, "coolant": "oil"}, "--coolant"),
        ({"rack": "gb300-nvl72", "racks": 8, "cdu": "xdu9999"}, "--cdu"),
        ({"rack": "gb300-nvl72", "racks": 8, "climate": "atlantis"}, "--climate"),
        ({"rack": "gb300-nvl72", "racks": 8, "weather": "x.epw"}, "--weather"),
        (
            {"rack": "gb300-nvl72", "racks": 8, "overrides": ("design.cooling.dry_aproach=8 K",)},
            "design.cooling.dry_aproach",
        ),
        (
            {
                "rack": "gb300-nvl72",
                "racks": 8,
                "overrides": ("design.cooling.air_water_return=15 degC",),
            },
            "design.cooling.air_water_return",
        ),
    ],
)
def test_bad_options_name_themselves(options, path):
    with pytest.raises(InputError) as caught:
        run(**options)
    paths = [problem.path for problem in caught.value.problems]
    assert path in paths or any((item or "").endswith(path) for item in paths), paths
