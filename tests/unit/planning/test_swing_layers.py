"""Levels of a job, layers against the swing, and what of it each covers.

GB300: 65 J an accelerator (rack row). A store of E takes a square swing of dP, duty D whole from
f = dP D (1 - D)/E on: 0.7 kW on 65 J are 2.7 Hz, 0.9 kW 3.5 Hz (worked by hand).
"""

import pytest

from clusterplan import catalog
from clusterplan.cli import swing as command
from clusterplan.core.equipment import SwingLimit
from clusterplan.core.errors import InputError
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.substation_plan import electrical_design, substation_section
from clusterplan.planning.swing_plan import JobShape, job_swing, swing_section
from clusterplan.reporting.sheets import unexplained
from clusterplan.sizing import power_swing as s
from clusterplan.sizing.grid_connection import GridConnection


def swing_of(shape=None, chosen=None, step_time_s=1.0, **grid):
    known = {"voltage_kv": 230.0, "short_circuit_min_mva": 10_000.0, "x_over_r": 15.0} | grid
    choices = Choices(catalog.design_fields(), chosen or {}, Ledger())
    design = electrical_design(choices, GridConnection(**known), "US")
    section = substation_section(design, 240.0)
    job = job_swing(choices, 150.0, 30.0, 160.0, step_time_s, shape)
    return swing_section(design, section, job)


def by_name(rows, name, of):
    return next(row for row in rows if getattr(row, of).startswith(name))


@pytest.mark.parametrize(("kilowatt", "hertz"), [(0.7, 2.7), (0.9, 3.5)])
def test_shelf_storage_flattens_the_fast_end_only(kilowatt, hertz):
    energy = s.rack_storage_mwh(1.0, 65.0)
    assert s.flattens_from_hz(kilowatt / 1000.0, 0.5, energy) == pytest.approx(hertz, rel=0.02)


def test_24_mw_in_a_quarter_second_against_every_published_limit():
    report = command.run(
        swing="24 MW",
        load="100 MW",
        hv="138 kV",
        short_circuit="5 GVA",
        x_over_r=12.0,
        utility="all",
    )
    section = report.parts["swing"]
    assert section.swing_mw == pytest.approx(24.0)
    assert section.ramp_mw_per_s == pytest.approx(96.0)
    assert section.transitions[0].ramp_mw_per_min == pytest.approx(5760.0)
    aeso = by_name(section.verdicts, "AESO", "who")
    assert (aeso.value, aeso.limit, aeso.unit) == (pytest.approx(5760.0), 10.0, "MW/min")
    assert (aeso.verdict, aeso.standing) == ("fail", "quoted")
    # 24 MW over 10 minutes are 2.4 MW/min
    caiso = by_name(section.verdicts, "CAISO", "who")
    assert (caiso.value, caiso.verdict) == (pytest.approx(2.4), "pass")
    # the lesser of 2.5 MW and 0.25 % of 100 MW, against half of 24 MW
    ieso = by_name([r for r in section.verdicts if r.quantity.startswith("osc")], "IESO", "who")
    assert (ieso.value, ieso.limit) == (pytest.approx(12.0), pytest.approx(0.25))
    assert unexplained(report, undeclared=True) == []


def test_what_does_not_apply_or_is_only_proposed_is_said_to_be_so():
    report = command.run(swing="24 MW", load="45 MW", hv="138 kV", utility="all")
    rows = report.parts["swing"].verdicts
    southern = by_name(rows, "Southern", "who")
    assert southern.verdict == "n/a below 50 MW"
    assert southern.standing == "in force"
    assert {row.standing for row in rows if row.who in ("ERCOT", "CAISO")} == {"proposed"}
    assert {row.standing for row in rows if row.who.startswith("IEEE")} == {"planning"}
    assert all("proposed" in row.status for row in rows if row.who == "ERCOT")
    low = command.run(swing="24 MW", load="60 MW", hv="34.5 kV", utility="Georgia Power")
    assert low.parts["swing"].verdicts[0].verdict == "n/a to 40 kV"


def test_transitions_and_their_bands():
    section = swing_of(chosen={"swing.communication_floor": 0.5, "swing.checkpoint_floor": 0.25})
    at = {row.transition.split(":")[0]: row for row in section.transitions}
    whole = section.swing_mw
    assert at["start"].swing_mw == pytest.approx(whole)
    assert at["end or failure"].swing_mw == pytest.approx(-whole)
    assert at["each step"].swing_mw == pytest.approx(-0.5 * whole)
    assert at["checkpoint"].swing_mw == pytest.approx(-0.75 * whole)
    assert at["each step"].repeats_hz == 1.0
    assert at["start"].repeats_hz is None
    # 1/(pi x 0.25 s)
    assert at["start"].reaches_hz == pytest.approx(1.273, rel=1e-3)
    assert section.repeating_mw == pytest.approx(0.5 * whole)


def test_independent_jobs_add_by_squares_for_what_repeats_and_plainly_for_the_worst_step():
    one, sixteen = swing_of(), swing_of(JobShape(jobs_at_once=16))
    assert sixteen.swing_mw == one.swing_mw
    assert sixteen.repeating_mw == pytest.approx(one.repeating_mw / 4.0)
    assert sixteen.step_voltage_percent == one.step_voltage_percent
    assert sixteen.pst == pytest.approx(one.pst / 4.0, rel=0.05)


def test_a_measured_edge_of_the_job_goes_before_the_design():
    section = swing_of(JobShape(edge_time_s=2.0), chosen={"swing.edge_time": 0.5})
    assert section.edge_s == 2.0
    assert section.ramp_mw_per_s == pytest.approx(section.swing_mw / 2.0)


def test_the_communication_share_sets_the_duty():
    section = swing_of(JobShape(communication_share=0.2), utility="LIPA")
    assert section.communication_percent == pytest.approx(20.0)
    found = by_name(section.bands, "0.1-5", "band")
    expected = s.band_swing_mw(section.repeating_mw, 0.8, 1.0, 0.25, 0.1, 5.0)
    assert found.swing_mw == pytest.approx(expected)


def test_layers_are_sized_by_what_the_limits_leave():
    shape = JobShape(accelerators=100_000.0, joule_per_accelerator=65.0)
    section = swing_of(shape, utility="LIPA")
    layers = {row.layer: row for row in section.layers}
    allowed = 3.5  # the tighter band of LIPA
    assert layers["software ballast"].power_mw == pytest.approx(section.repeating_mw - allowed)
    # half of the time: P/2 x 8760
    lost = layers["software ballast"].lost_mwh
    assert lost == pytest.approx((section.repeating_mw - allowed) / 2.0 * 8760.0)
    rack = layers["rack storage"]
    assert rack.usable_mwh == pytest.approx(100_000 * 65.0 / 3.6e9)
    assert rack.from_hz == pytest.approx(section.repeating_mw / 4.0 / 6.5)
    bess = layers["BESS at MV"]
    assert (bess.power_mw, bess.nameplate_mwh) == (section.buffer_mw, section.buffer_mwh)
    assert bess.usable_mwh / bess.nameplate_mwh <= 0.9
    through = (section.repeating_mw - allowed) / 4.0 * 8760.0
    assert bess.lost_mwh == pytest.approx(through * (1 / 0.85 - 1))
    assert bess.life_years == pytest.approx(10_000.0 / bess.cycles)
    assert "rack storage" in by_name(section.bands, "5-55", "band").covered_by


def test_racks_that_state_no_storage_have_none():
    layers = {row.layer: row for row in swing_of(utility="LIPA").layers}
    assert layers["rack storage"].available == "not stated"
    assert layers["rack storage"].usable_mwh is None
    assert layers["GPU power smoothing"].power_mw is None


def test_a_swing_that_keeps_every_limit_needs_no_layer():
    report = command.run(swing="1 MW", load="100 MW", hv="138 kV", short_circuit="10 GVA")
    section = report.parts["swing"]
    assert section.buffer_mw == 0.0 or "ramp" in {r.quantity for r in section.verdicts}
    calm = command.run(
        swing="1 MW", load="100 MW", hv="138 kV", short_circuit="10 GVA", utility="ERCOT"
    ).parts["swing"]
    assert calm.buffer_mw == 0.0
    assert calm.layers == ()


def test_limits_of_the_grid_file_are_judged():
    own = SwingLimit(
        id="own",
        name="own",
        who="grid file",
        keys=("own",),
        quantity="window",
        limit=50.0,
        window_s=10.0,
        status="given",
        in_force=True,
        source="grid.yaml",
        verified="given",
    )
    section = swing_of(own_limits=(own,), utility="Dominion")
    row = by_name(section.verdicts, "grid file", "who")
    assert (row.quantity, row.verdict, row.standing) == ("change within 10 s", "fail", "given")
    # 50 MW in 10 s leave 300 MW/min
    assert section.buffer_limit.startswith("300 MW/min")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"swing": "24 MW"}, "--load"),
        ({"swing": "24 MVA", "load": "100 MW"}, "apparent power"),
        ({"swing": "24", "load": "100 MW"}, "has no unit"),
        ({"swing": "200 MW", "load": "100 MW"}, "more than the load"),
        ({"swing": "24 MW", "load": "100 MW", "rack": "gb300-nvl72"}, "takes none"),
        ({"swing": "24 MW", "load": "100 MW", "edge_time": "0.25"}, "--edge-time"),
        ({"swing": "24 MW", "load": "100 MW", "edge_time": "2 h"}, "outside"),
        ({"swing": "24 MW", "load": "100 MW", "communication_share": "96 %"}, "outside"),
        ({"swing": "24 MW", "load": "100 MW", "jobs": 0}, "--jobs"),
        ({"rack": "gb300-nvl72", "racks": 100, "load": "10 MW"}, "less than"),
    ],
)
def test_refusals(options, told):
    with pytest.raises(InputError, match=told):
        command.run(**options)


def test_the_workload_of_a_site_shapes_its_swing(tmp_path):
    from pathlib import Path

    from clusterplan.cli.size import run

    site = Path(__file__).parents[3] / "sample_sites" / "abilene"
    plain = run(str(site), files={}, record=False).parts["swing"]
    assert plain.communication_percent == pytest.approx(20.0)
    assert plain.swing_frequency_hz == pytest.approx(0.125)
    jobs = (
        "[{kind: training, step_time: 2 s, edge_time: 1 s, communication_share: 0.3,"
        " jobs_at_once: 4}]"
    )
    other = run(str(site), files={}, overrides=(f"workload.jobs={jobs}",), record=False).parts[
        "swing"
    ]
    assert other.edge_s == 1.0
    assert other.swing_mw == pytest.approx(plain.swing_mw)
    assert other.ramp_mw_per_s == pytest.approx(plain.ramp_mw_per_s / 4.0)
    assert other.repeating_mw == pytest.approx(plain.swing_mw / 2.0)
    assert other.communication_percent == pytest.approx(30.0)
    # the grid file of the site states the proposal of ERCOT as its own limit
    assert {row.who for row in plain.verdicts} >= {"grid file", "ERCOT"}
