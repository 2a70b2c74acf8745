"""`clusterplan substation` and `clusterplan swing` as functions: reports and refusals."""

import json

import pytest

from clusterplan.cli import substation, swing
from clusterplan.core.errors import InputError
from clusterplan.reporting.render import render


def test_report_of_vector_a():
    report = substation.run(
        load="240 MW",
        hv="230 kV",
        mv="34.5 kV",
        short_circuit="10 GVA",
        x_over_r=15.0,
        transformer="150 MVA",
        redundancy=1,
        impedance="10 %",
    )
    assert report.schema == "clusterplan/substation/1"
    assert report.feasible
    section = report.parts["substation"]
    assert section.fault_level_ka == pytest.approx(15.27, rel=0.01)
    assert section.transformers == 3


def test_short_circuit_in_ka_is_the_same_grid():
    # 25.1 kA at 230 kV is 10 GVA
    by_mva, by_ka = (
        substation.run(load="240 MW", hv="230 kV", short_circuit=text, x_over_r=15.0)
        for text in ("9999.17 MVA", "25.1 kA")
    )
    first, second = by_mva.parts["substation"], by_ka.parts["substation"]
    assert first.fault_level_ka == pytest.approx(second.fault_level_ka, rel=1e-5)


def test_units_do_not_matter():
    reports = [substation.run(load=text) for text in ("240 MW", "240000 kW", "0.24 GW")]
    figures = {report.parts["substation"].apparent_power_mva for report in reports}
    assert max(figures) == pytest.approx(min(figures), rel=1e-12)


def test_json_holds_the_contract():
    content = render(substation.run(load="240 MW"), "json", units="metric")
    section = json.loads(content)["substation"]
    names = (
        "apparent_power_mva hv_kv mv_kv transformers transformers_redundant transformer_mva "
        "firm_capacity_mva loading_normal_percent loading_n1_percent hv_current_a "
        "mv_bus_current_a fault_level_ka feeders bus_arrangement losses_mw compensation_mvar "
        "tdd_limit_percent"
    )
    assert set(names.split()) <= set(section)


def test_infeasible_request_gives_the_nearest_that_passes():
    report = substation.run(load="1200 MW", hv="138 kV")
    assert not report.feasible
    assert "5176 A > 5000 A" in report.infeasible_reason
    assert "345 kV would carry all of it" in report.infeasible_reason
    # 5,000 A at 138 kV and pf 0.97 are 1,159 MW
    section = report.parts["substation"]
    assert section.hv_kv == 138.0
    assert section.active_power_mw == pytest.approx(1159.0, rel=2e-3)


def test_a_weak_grid_limits_the_load():
    # two-bus limit: S <= Ssc/(2 (1 + cos(theta - phi))), theta 88.6 deg (X/R 40), phi 14.1 deg
    report = substation.run(load="1000 MW", hv="345 kV", short_circuit="1 GVA", x_over_r=40.0)
    assert not report.feasible
    assert report.parts["substation"].active_power_mw == pytest.approx(382.7, rel=3e-3)


def test_infeasible_rating_is_given_up_before_the_voltage():
    report = substation.run(load="240 MW", hv="230 kV", mv="34.5 kV", transformer="800 MVA")
    assert not report.feasible
    section = report.parts["substation"]
    assert (section.hv_kv, section.mv_kv, section.transformer_mva) == (230.0, 34.5, 150.0)


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"load": "240"}, "--load"),
        ({"load": "240 MVA"}, "--load"),
        ({"load": "-5 MW"}, "--load"),
        ({"load": "nan MW"}, "--load"),
        ({"load": "1e9 MW"}, "--load"),
        ({"load": "240 MW", "power_factor": "1.2"}, "--power-factor"),
        ({"load": "240 MW", "power_factor": "0.97 MW"}, "--power-factor"),
        ({"load": "240 MW", "hv": "230 MW"}, "--hv"),
        ({"load": "240 MW", "hv": "230"}, "--hv"),
        ({"load": "240 MW", "hv": "2300 kV"}, "--hv"),
        ({"load": "240 MW", "mv": "345 kV"}, "--mv"),
        ({"load": "240 MW", "short_circuit": "10 GW"}, "--short-circuit"),
        ({"load": "240 MW", "short_circuit": "0 MVA"}, "--short-circuit"),
        ({"load": "240 MW", "short_circuit": "500 kA"}, "--short-circuit"),
        ({"load": "240 MW", "x_over_r": 0.0}, "--x-over-r"),
        ({"load": "240 MW", "x_over_r": float("nan")}, "--x-over-r"),
        ({"load": "240 MW", "transformer": "150 MW"}, "--transformer"),
        ({"load": "240 MW", "transformer": "0 MVA"}, "--transformer"),
        ({"load": "240 MW", "redundancy": -1}, "--redundancy"),
        ({"load": "240 MW", "redundancy": 99}, "--redundancy"),
        ({"load": "240 MW", "impedance": "10"}, "--impedance"),
    ],
)
def test_bad_options_are_refused_by_name(options, path):
    with pytest.raises(InputError) as caught:
        substation.run(**options)
    assert [problem.path for problem in caught.value.problems] == [path]


def test_all_bad_options_are_reported_at_once():
    with pytest.raises(InputError) as caught:
        substation.run(load="1 MVA", hv="x", transformer="5")
    named = [problem.path for problem in caught.value.problems]
    assert named == ["--load", "--transformer", "--hv"]


def test_swing_of_racks():
    report = swing.run(rack="gb300-nvl72", racks=1000, hv="138 kV", short_circuit="10 GVA")
    assert report.schema == "clusterplan/swing/1"
    section = report.parts["swing"]
    assert section.swing_mw > 0.0
    assert section.ramp_mw_per_s == pytest.approx(section.swing_mw / 0.25)
    assert section.verdicts


def test_swing_beyond_the_substation_is_that_of_the_racks_that_fit():
    # 138 kV: 5,000 A are 1,159 MW of the 3,400 MW that 18,000 racks take
    report = swing.run(rack="gb300-nvl72", racks=18_000, hv="138 kV")
    assert not report.feasible
    assert "of 18,000 racks" in report.infeasible_reason
    whole = swing.run(rack="gb300-nvl72", racks=1000).parts["swing"].swing_mw
    assert 0.0 < report.parts["swing"].swing_mw < 18.0 * whole / 2.5


def test_swing_of_accelerators_rounds_up_to_racks():
    by_racks = swing.run(rack="gb300-nvl72", racks=100).parts["swing"].swing_mw
    by_count = swing.run(rack="gb300-nvl72", accelerators=99 * 72 + 1).parts["swing"].swing_mw
    assert by_racks == by_count


@pytest.mark.parametrize(
    "options",
    [
        {"racks": 10},
        {"rack": "gb300-nvl72"},
        {"rack": "gb300-nvl72", "racks": 10, "accelerators": 720},
        {"rack": "gb300-nvl72", "racks": 0},
        {"rack": "gb300-nvl7", "racks": 10},
        {"rack": "gb300-nvl72", "racks": 10, "hv": "138"},
        {"rack": "gb300-nvl72", "racks": 10, "x_over_r": float("nan")},
    ],
)
def test_swing_refuses_bad_options(options):
    with pytest.raises(InputError):
        swing.run(**options)
