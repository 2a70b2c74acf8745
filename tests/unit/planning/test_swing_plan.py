"""Swing at the connection point: figures, limits and the buffer."""

import pytest

from clusterplan import catalog
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.substation_plan import electrical_design, substation_section
from clusterplan.planning.swing_limits import limits_for
from clusterplan.planning.swing_plan import job_swing, swing_section
from clusterplan.sizing.grid_connection import GridConnection


def swing_of(load_mw=240.0, typical_mw=150.0, idle_mw=30.0, step_time_s=1.0, chosen=None, **grid):
    known = {"voltage_kv": 230.0, "short_circuit_min_mva": 10_000.0, "x_over_r": 15.0} | grid
    ledger = Ledger()
    choices = Choices(catalog.design_fields(), chosen or {}, ledger)
    design = electrical_design(choices, GridConnection(**known), "US")
    section = substation_section(design, load_mw)
    job = job_swing(choices, typical_mw, idle_mw, 160.0, step_time_s)
    return swing_section(design, section, job), ledger


def verdict(section, who, words):
    return next(row for row in section.verdicts if row.who == who and words in row.quantity)


def test_swing_and_ramp():
    section, _ = swing_of()
    # (150 - 30)/0.9483 in 0.25 s
    assert section.swing_mw == pytest.approx(126.5, rel=1e-3)
    assert section.ramp_mw_per_s == pytest.approx(506.2, rel=1e-3)
    assert [row.transition.split(":")[0] for row in section.transitions] == [
        "start",
        "each step",
        "checkpoint",
        "end or failure",
        "short peak",
    ]


def test_flicker_of_the_exact_step():
    section, _ = swing_of()
    # 120 V lamp at 1 Hz: 0.826 % gives Pst 1
    assert section.pst == pytest.approx(section.step_voltage_percent / 0.826)
    assert section.step_voltage_percent > section.step_voltage_linear_percent


def test_step_time_sets_the_frequency_and_its_absence_is_an_assumption():
    known, ledger = swing_of(step_time_s=5.0)
    assert known.swing_frequency_hz == pytest.approx(0.2)
    assert not any(row.path == "workload.step_time" for row in ledger.assumptions)
    unknown, ledger = swing_of(step_time_s=None)
    assert unknown.swing_frequency_hz == 1.0
    assert any(row.path == "workload.step_time" for row in ledger.assumptions)


def test_what_shapes_the_buffer_is_an_assumption():
    buffer = {"swing.buffer_round_trip", "swing.buffer_window", "swing.buffer_c_rate"}
    section, ledger = swing_of(utility="ERCOT")
    assert section.buffer_mwh > 0.0
    assert buffer | {"swing.duty"} <= {row.path for row in ledger.assumptions}
    section, ledger = swing_of(idle_mw=150.0, utility="ERCOT")
    assert not section.buffer_mwh
    assert not buffer & {row.path for row in ledger.assumptions}


def test_only_measured_edges_soften_flicker():
    plain, _ = swing_of()
    measured, _ = swing_of(chosen={"swing.edge_time": 0.25})
    assert measured.pst == pytest.approx(plain.pst / 2.1)


@pytest.mark.parametrize(
    ("utility", "who"),
    [
        ("ERCOT Oncor", "ERCOT"),
        ("none Georgia Power", "Southern Company"),
        ("PJM Dominion", "Dominion"),
        ("elsewhere", "assumed"),
        ("", "assumed"),
    ],
)
def test_limits_follow_the_utility(utility, who):
    assert {row.who for row in limits_for(utility)} == {who}


def test_keys_match_whole_words_only():
    assert limits_for("Paeso Power")[0].who == "assumed"


def test_ieso_takes_the_lesser_of_mw_and_percent():
    section, _ = swing_of(load_mw=100.0, typical_mw=60.0, idle_mw=10.0, utility="IESO")
    row = verdict(section, "IESO (Ontario)", "oscillation")
    assert row.limit == pytest.approx(0.25)  # 0.25 % of 100 MW, below 2.5 MW
    assert row.value == pytest.approx(section.swing_mw / 2.0)
    assert row.verdict == "fail"


def test_limits_below_their_size_do_not_apply():
    section, _ = swing_of(load_mw=40.0, typical_mw=25.0, idle_mw=5.0, utility="Southern Company")
    row = verdict(section, "Southern Company", "ramp")
    assert row.verdict == "n/a below 50 MW"


def test_caiso_ramp_is_averaged_over_ten_minutes():
    section, _ = swing_of(utility="CAISO PG&E")
    row = verdict(section, "CAISO", "ramp")
    assert row.value == pytest.approx(section.swing_mw / 10.0)
    assert row.verdict == "pass"


def test_ercot_bands_unfiltered_first():
    section, _ = swing_of(utility="ERCOT", step_time_s=1.25)
    rows = [row for row in section.verdicts if row.who == "ERCOT"]
    assert "unfiltered" in rows[0].quantity
    assert "brick-wall" in rows[1].quantity
    assert rows[0].status.startswith("proposed")


def test_grid_file_limits_come_first():
    section, _ = swing_of(ramp_limit_mw_per_min=20.0, step_limit_mw=50.0)
    assert [row.who for row in section.verdicts[:2]] == ["grid file", "grid file"]


def test_buffer_holds_the_slowest_ramp():
    section, _ = swing_of(ramp_limit_mw_per_min=20.0)
    swing = section.swing_mw
    assert section.buffer_mw == pytest.approx(swing)
    assert section.buffer_mwh == pytest.approx(swing / 4.0)  # power at 4C binds
    assert "20 MW/min" in section.buffer_limit


def test_a_window_is_a_ramp_for_the_buffer():
    # ERCOT's proposed 10 MW per 5 s is 120 MW/min
    section, _ = swing_of(utility="ERCOT")
    assert "120 MW/min" in section.buffer_limit
    assert "proposed" in section.buffer_limit


def test_no_ramp_limit_no_buffer():
    section, _ = swing_of(utility="Dominion")
    assert section.buffer_mw is None
    assert section.buffer_limit is None


def test_small_loads_are_not_judged_by_assumed_ramps():
    section, _ = swing_of(
        load_mw=2.0, typical_mw=1.2, idle_mw=0.3, voltage_kv=13.8, short_circuit_min_mva=500.0
    )
    assert verdict(section, "assumed", "ramp").verdict == "n/a below 10 MW"
    assert verdict(section, "IEEE 1453, MV", "Plt").limit == 0.7
    assert section.buffer_mw == 0.0


def test_verdicts_on_an_assumed_grid_say_so():
    section, _ = swing_of(utility="Dominion", short_circuit_min_mva=None)
    rested = [row for row in section.verdicts if row.quantity != "ramp"]
    assert len(rested) == 4  # Dominion's fluctuation, two steps, Plt
    assert all(row.verdict.endswith("(assumed)") for row in rested)
    given, _ = swing_of(utility="Dominion")
    assert {row.verdict for row in given.verdicts} <= {"pass", "fail"}


def test_verdicts_on_an_assumed_limit_say_so():
    section, _ = swing_of(utility="elsewhere")
    assert verdict(section, "assumed", "ramp").verdict == "fail (assumed)"
    assert verdict(section, "IEEE 1453, HV", "Plt").verdict in ("pass", "fail")


def test_no_buffer_for_a_limit_that_the_swing_keeps():
    # CAISO counts the ramp over 10 minutes: 126.5 MW in one step are 12.7 MW/min, below 20
    section, _ = swing_of(utility="CAISO PG&E")
    assert verdict(section, "CAISO", "ramp").verdict == "pass"
    assert (section.buffer_mw, section.buffer_mwh) == (0.0, 0.0)


def test_no_buffer_for_a_limit_that_does_not_apply():
    # Southern Company: above 40 kV only, 126.5 MW swing all the same
    section, _ = swing_of(
        utility="Southern Company", voltage_kv=34.5, load_mw=60.0, short_circuit_min_mva=1500.0
    )
    assert verdict(section, "Southern Company", "ramp").verdict == "n/a to 40 kV"
    assert section.buffer_mw == 0.0


def test_bands_without_a_ramp_are_met_by_smoothing():
    # LIPA: 3.5 MW left of 126.5 MW at 1 Hz, duty 0.5: P = 123 x 0.5, E = 123 x 0.25 / 1 Hz
    section, _ = swing_of(utility="LIPA")
    excess = section.swing_mw - 3.5
    assert section.buffer_mw == pytest.approx(excess * 0.5)
    assert section.buffer_mwh == pytest.approx(excess * 0.5 / 4.0)  # power at 4C binds
    assert "3.5 MW peak to peak" in section.buffer_limit


def test_islanded_has_no_voltage_figures():
    ledger = Ledger()
    choices = Choices(catalog.design_fields(), {}, ledger)
    grid = GridConnection(islanded=True, generation_firm_mw=300.0, inertia_mw_s=1500.0)
    design = electrical_design(choices, grid, "US")
    section = substation_section(design, 240.0)
    swing = swing_section(design, section, job_swing(choices, 150.0, 30.0))
    assert swing.step_voltage_percent is None
    assert swing.pst is None
    assert swing.verdicts == ()
    # f0 dP/(2 sum H S)
    assert swing.frequency_rate_hz_per_s == pytest.approx(60.0 * swing.swing_mw / 3000.0)
    assert "islanded_swing" in {warning.code for warning in ledger.warnings}


def test_the_edge_time_is_an_assumption_unless_given():
    _, ledger = swing_of()
    assert any(row.path == "design.swing.edge_time" for row in ledger.assumptions)
