"""Loops, room air, ride-through and reuse of a planned cooling."""

from __future__ import annotations

import pytest

from clusterplan.cli.cooling import run
from clusterplan.core.errors import InputError
from clusterplan.reporting.as_text import to_text
from clusterplan.reporting.sheets import unexplained

_GB300 = {"rack": "gb300-nvl72", "racks": 700, "climate": "abilene-tx"}


def _cooling(**asked):
    report = run(**asked)
    return report.parts["cooling"], report


def _set(*pairs):
    return tuple(f"design.cooling.{pair}" for pair in pairs)


def test_loops_hold_what_the_method_says():
    section, report = _cooling(**_GB300)
    loops = section.loops
    assert loops.tcs_content_m3 == pytest.approx(0.7 * section.liquid_heat_mw)
    assert loops.fws_pumps == 4 * section.fws_main_blocks
    each = (loops.fws_pumps - loops.fws_pumps_redundant) * loops.fws_pump_each_kw
    assert each == pytest.approx(1000 * section.fws_pump_mw)
    assert loops.fws_glycol_m3 == pytest.approx(0.37 * loops.fws_mains_content_m3)
    assert 0.0 < loops.fws_mains_drop_kpa < loops.fws_head_kpa
    assert any("Glycol by volume: 24 to 27 %" in line for line in loops.quality)
    assert [row.path for row in unexplained(report, undeclared=True)] == []
    assert "TCS expansion vessels" in to_text(report)


def test_water_in_the_tcs_has_the_limits_of_water():
    section, _ = _cooling(**_GB300, coolant="water")
    assert any("Hardness" in line for line in section.loops.quality)
    assert not any("Glycol by volume" in line for line in section.loops.quality)


def test_ride_through_by_pumps_and_ups():
    section, _ = _cooling(**_GB300)
    plain = section.ride_through
    assert (plain.start_time_s, plain.fws_gap_s) == (30.0, 30.0)
    assert section.ride_through_s == plain.start_time_s
    assert section.ride_through_m3 == plain.volume_m3
    assert plain.tcs_holds_s == pytest.approx(10.0 / plain.tcs_warming_k_per_s)
    assert "racks throttle" in plain.verdict
    on_ups, _ = _cooling(**_GB300, overrides=_set("fws_pumps_on_ups=true"))
    assert on_ups.ride_through.fws_gap_s == 0.0
    assert on_ups.ride_through.verdict.startswith("the FWS pumps never stop")
    more, _ = _cooling(**_GB300, overrides=_set("tcs_content=1.0"))
    assert more.ride_through.verdict.startswith("the TCS bridges the gap")
    short, _ = _cooling(**_GB300, overrides=_set("fws_pumps_on_ups=true", "fws_main_length='20 m'"))
    tank = short.ride_through
    assert tank.buffer_m3 == pytest.approx(tank.volume_m3 - tank.usable_content_m3)
    assert f"a tank of {tank.buffer_m3:.0f} m³" in tank.verdict
    none, _ = _cooling(**_GB300, overrides=("design.ups=none",))
    assert none.ride_through.verdict.startswith("without a UPS")


def test_trim_adds_the_restart_of_the_chillers():
    section, _ = _cooling(**_GB300, tcs_supply="30 degC")
    assert section.trim_mw > 0.0
    assert section.ride_through.start_time_s == 210.0
    quick, _ = _cooling(**_GB300, tcs_supply="30 degC", overrides=_set("chiller_restart='60 s'"))
    assert quick.ride_through.volume_m3 == pytest.approx(
        section.ride_through.volume_m3 * 90.0 / 210.0
    )


def test_room_air_hours_add_up_and_doors_stand_on_racks():
    section, _ = _cooling(**_GB300)
    air = section.air_side
    hours = air.free_hours_h + air.partial_hours_h + air.chiller_hours_h
    assert hours == pytest.approx(8760.0)
    assert air.rear_doors == 0
    assert air.wall_heat_mw == section.air_heat_mw
    doors, _ = _cooling(rack="dgx-h100-x4", racks=100, climate="abilene-tx")
    assert doors.density_class == "rear-door"
    assert doors.air_side.rear_doors == 100
    assert doors.air_side.rear_door_kw == pytest.approx(40.8)
    assert doors.air_side.fan_walls == 0
    assert doors.loops is None
    assert doors.heat_reuse is None


def test_colder_air_never_takes_more_chiller_hours():
    hours = [
        run(it_power="20 MW", liquid_fraction="0.8", climate=climate)
        .parts["cooling"]
        .air_side.chiller_hours_h
        for climate in ("lulea", "chicago-il", "abilene-tx", "singapore")
    ]
    assert hours == sorted(hours)


def test_reuse_is_bounded_by_the_heat_and_balances():
    section, _ = _cooling(**_GB300)
    reuse = section.heat_reuse
    assert reuse.reuse_supply_temp_c == section.fws_return_temp_c - 2.0
    assert reuse.reuse_energy_gwh == pytest.approx(reuse.reuse_heat_mw * 8.76)
    assert 0.0 < reuse.energy_reuse_factor < 1.0
    assert reuse.delivered_heat_mw == pytest.approx(reuse.heat_pump_cop * reuse.heat_pump_mw)
    direct, _ = _cooling(**_GB300, overrides=_set("reuse_demand='45 degC'"))
    assert direct.heat_reuse.heat_pump_mw is None
    assert "warm enough" in direct.heat_reuse.verdict


def test_relief_below_fill_is_refused():
    with pytest.raises(InputError, match="leaves no room above the fill pressure"):
        run(**_GB300, overrides=_set("relief_pressure='100 kPa'"))
