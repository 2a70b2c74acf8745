"""The electrical discipline of a plan: figures add up, are explained, say what is missing."""

import math

import pytest

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.core.figures import rows_of
from clusterplan.core.record import recording
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.substation_plan import (
    ChainLoads,
    chain,
    chain_losses,
    electrical_design,
    existing_firm_mva,
    hv_stages,
    substation_section,
)
from clusterplan.planning.swing_plan import job_swing, swing_section
from clusterplan.sizing.grid_connection import ExistingTransformer, GridConnection

A = GridConnection(
    voltage_kv=230.0, short_circuit_min_mva=10_000.0, short_circuit_max_mva=10_000.0, x_over_r=15.0
)


def design_of(grid=A, country="US", climate=None, **chosen):
    ledger = Ledger()
    paths = {path.replace("__", "."): value for path, value in chosen.items()}
    choices = Choices(catalog.design_fields(), paths, ledger)
    return electrical_design(choices, grid, country, climate)


def codes(design):
    return {warning.code for warning in design.ledger.warnings}


def paths(design):
    return {assumption.path for assumption in design.ledger.assumptions}


CASES = {
    "A": (A, "US", 240.0, {}),
    "pf at MV": (A, "US", 240.0, {"electrical__power_factor_mv": 0.99}),
    "solid neutral, paralleled": (
        A,
        "US",
        240.0,
        {"electrical__neutral": "solid", "electrical__running": "paralleled"},
    ),
    "IEC": (GridConnection(voltage_kv=132.0), "GB", 120.0, {}),
    "two stages": (GridConnection(voltage_kv=765.0, circuits=4), "US", 4000.0, {}),
    "small": (GridConnection(voltage_kv=13.8), "US", 2.0, {}),
    "islanded": (GridConnection(islanded=True, generation_firm_mw=900.0), "US", 850.0, {}),
    "existing": (
        GridConnection(
            voltage_kv=138.0,
            existing=(
                ExistingTransformer(mva=100.0, count=2),
                ExistingTransformer(mva=150.0, mva_onan=90.0, impedance_percent=9.0),
            ),
            existing_load_mva=20.0,
        ),
        "US",
        100.0,
        {},
    ),
}


def _finds(record, name, value):
    try:
        return record.find(name, value) is not None
    except AttributeError:
        return False


@pytest.mark.parametrize("name", CASES)
def test_every_figure_is_explained(name):
    grid, country, load_mw, chosen = CASES[name]
    design = design_of(grid, country, **chosen)
    with recording() as record:
        section = substation_section(design, load_mw, swing_mw=0.3 * load_mw)
        job = job_swing(
            Choices(catalog.design_fields(), {}, design.ledger), 0.5 * load_mw, 0.1 * load_mw
        )
        swing = swing_section(design, section, job)
    for part, result in (("substation", section), ("swing", swing)):
        for row in rows_of(part, result):
            if row.value is None or isinstance(row.value, str):
                continue
            if row.info.formula == "given":
                assert record.givens[row.path].value == row.value, row.path
            elif row.path not in record.givens:
                formulas = (row.info.formula or row.name).split("|")
                assert any(_finds(record, name, row.value) for name in formulas), row.path


@pytest.mark.parametrize("name", CASES)
def test_plain_equations_give_the_recorded_results(name):
    grid, country, load_mw, chosen = CASES[name]
    design = design_of(grid, country, **chosen)
    names = {key: getattr(math, key) for key in dir(math) if not key.startswith("_")}
    names |= {"min": min, "max": max, "abs": abs, "round": round, "sum": sum}
    with recording() as record:
        substation_section(design, load_mw)
    assert record.steps
    for step in record.steps:
        if step.formula.plain:
            scope = names | step.inputs
            value = eval(step.formula.equation, {"__builtins__": {}}, scope)
            assert value == pytest.approx(step.result, rel=1e-12), step.formula.name


@pytest.mark.parametrize("name", CASES)
def test_the_power_triangle_closes(name):
    grid, country, load_mw, chosen = CASES[name]
    section = substation_section(design_of(grid, country, **chosen), load_mw)
    assert section.active_power_mw == pytest.approx(load_mw)
    assert section.apparent_power_mva == pytest.approx(
        math.hypot(section.active_power_mw, section.reactive_power_mvar), rel=1e-12
    )
    assert section.power_factor_hv == pytest.approx(load_mw / section.apparent_power_mva)
    assert section.hv_current_a == pytest.approx(
        1000.0 * section.apparent_power_mva / math.sqrt(3.0) / section.hv_kv
    )


def test_vector_a_through_the_catalogue():
    # 10 % and 0.25 % of the reference; losses of the catalogue are interpolated, hence 2 %
    section = substation_section(design_of(electrical__transformer_impedance=10.0), 240.0)
    assert (section.transformers, section.transformers_redundant, section.feeders) == (3, 1, 9)
    assert section.transformer_mva == 150.0
    assert section.firm_capacity_mva == 300.0
    assert section.loading_n1_percent == pytest.approx(82.5, rel=0.01)
    assert section.fault_level_ka == pytest.approx(15.27, rel=0.01)
    assert section.fault_peak_ka == pytest.approx(41.4, rel=0.01)
    assert section.mv_breaker_ka == 25.0
    assert section.tdd_limit_percent == 2.5
    assert section.isc_il_ratio == pytest.approx(40.4, rel=0.01)
    assert section.losses_mw == pytest.approx(0.72, rel=0.02)
    assert section.losses_n1_mw == pytest.approx(0.95, rel=0.02)
    assert section.transformer_reactive_mvar == pytest.approx(22.7, rel=0.01)
    assert section.transformer_reactive_n1_mvar == pytest.approx(34.0, rel=0.01)
    assert section.bus_arrangement == "ring bus"
    assert section.compensation_mvar == 0.0


def test_compensation_with_the_power_factor_at_mv():
    grid = GridConnection(
        voltage_kv=230.0, short_circuit_min_mva=1e4, x_over_r=15.0, power_factor_min=0.97
    )
    design = design_of(
        grid, electrical__power_factor_mv=0.99, electrical__transformer_impedance=10.0
    )
    section = substation_section(design, 240.0)
    assert section.power_factor_hv == pytest.approx(0.974, abs=5e-4)
    assert section.power_factor_hv_n1 == pytest.approx(0.963, abs=5e-4)
    assert section.compensation_mvar == pytest.approx(6.7, rel=0.01)


def test_onsite_power_at_mv_relieves_the_substation():
    design = design_of()
    section = substation_section(design, 240.0, onsite_mv_mw=100.0)
    assert section.active_power_mw == 140.0


def test_onsite_power_above_the_facility_leaves_an_idle_substation():
    section = substation_section(design_of(), 100.0, onsite_mv_mw=150.0)
    assert section.active_power_mw == 0.001
    assert section.transformers >= 2


def test_growth_stands_on_its_own_row():
    section = substation_section(design_of(growth_margin=0.2), 240.0)
    assert section.apparent_power_mva == pytest.approx(240.0 / 0.97)
    assert section.rating_power_mva == pytest.approx(1.2 * 240.0 / 0.97)


def test_unknown_short_circuit_is_assumed_and_said():
    design = design_of(GridConnection(voltage_kv=230.0))
    section = substation_section(design, 240.0)
    assert section.hv_fault_level_ka == pytest.approx(50.0)  # usual breaker class at 230 kV
    assert "short_circuit_assumed" in codes(design)
    assert {"grid.short_circuit.min", "grid.short_circuit.max", "grid.x_over_r"} <= paths(design)


def test_chosen_figures_are_assumptions_and_given_ones_are_not():
    left_open = design_of()
    substation_section(left_open, 240.0)
    fixed = design_of(electrical__transformer=150.0, electrical__mv=34.5)
    substation_section(fixed, 240.0)
    names = {"design.electrical.transformer", "design.electrical.mv"}
    assert names <= paths(left_open)
    assert not names & paths(fixed)


def test_islanded_leaves_what_it_cannot_know():
    grid = GridConnection(islanded=True, generation_firm_mw=300.0)
    design = design_of(grid)
    section = substation_section(design, 290.0)
    assert section.hv_kv == 13.8
    for name in ("fault_level_ka", "tdd_limit_percent", "hv_fault_level_ka", "compensation_mvar"):
        assert getattr(section, name) is None
    # generation N-1 over power factor is less than the transformers' N-1
    assert section.firm_capacity_mva == pytest.approx(300.0 / 0.97)
    assert "islanded_fault_level" in codes(design)


EXISTING = (ExistingTransformer(mva=100.0, count=2), ExistingTransformer(mva=150.0, mva_onan=90.0))


def test_existing_transformers_without_the_largest_less_their_load():
    grid = GridConnection(voltage_kv=138.0, existing=EXISTING, existing_load_mva=35.0)
    assert existing_firm_mva(design_of(grid)) == 165.0


def test_existing_transformers_in_parallel_share_by_their_impedance():
    # without one 100 MVA unit: 100 MVA on 60 at 9 %, 80 MVA on 48 at 6 %, so 6.67 and 8 shares;
    # the second is full at 80 x 14.67/8 = 146.7 MVA, below the 180 of the plain sum
    units = (
        ExistingTransformer(mva=100.0, mva_onan=60.0, impedance_percent=9.0, count=2),
        ExistingTransformer(mva=80.0, mva_onan=48.0, impedance_percent=6.0),
    )
    grid = GridConnection(voltage_kv=138.0, existing=units, existing_load_mva=0.0)
    assert existing_firm_mva(design_of(grid)) == 180.0
    paralleled = design_of(grid, electrical__running="paralleled")
    assert existing_firm_mva(paralleled) == pytest.approx(146.67, rel=1e-4)


def test_existing_pairs_carry_half():
    # 4 x 100 MVA in pairs: a lost section doubles its neighbour, 200 MVA, not 300
    units = (ExistingTransformer(mva=100.0, count=4),)
    grid = GridConnection(voltage_kv=138.0, existing=units, existing_load_mva=0.0)
    assert existing_firm_mva(design_of(grid, electrical__running="pair")) == 200.0


def test_existing_transformers_are_derated_by_the_climate():
    grid = GridConnection(voltage_kv=138.0, existing=EXISTING, existing_load_mva=0.0)
    climate = catalog.climate("abilene-tx")
    factor = 1.0 - 0.010 * max(0.0, climate.db_0p4_c - 5.0 - 30.0)
    assert existing_firm_mva(design_of(grid, climate=climate)) == pytest.approx(200.0 * factor)


def test_existing_load_unknown_is_none_and_a_warning():
    grid = GridConnection(voltage_kv=138.0, existing=EXISTING)
    design = design_of(grid)
    assert existing_firm_mva(design) is None
    assert "existing_load_unknown" in codes(design)
    assert substation_section(design, 100.0).firm_capacity_mva is None


def test_no_existing_transformers_no_limit():
    design = design_of()
    assert existing_firm_mva(design) is None
    assert not codes(design)


def test_infeasible_says_why():
    design = design_of(electrical__transformer=300.0, electrical__secondaries=1)
    with pytest.raises(InfeasibleError, match="5020 A > 3000 A") as caught:
        substation_section(design, 240.0)
    assert caught.value.limit == "substation"


@pytest.mark.parametrize(
    ("grid", "load_mw", "stages"),
    [
        (A, None, 1),
        (GridConnection(voltage_kv=34.5), None, 0),
        (GridConnection(voltage_kv=500.0), None, 2),
        (GridConnection(voltage_kv=735.0), None, 2),
        (GridConnection(), None, 1),
        (GridConnection(), 2000.0, 2),
        (GridConnection(islanded=True), 30.0, 0),
        (GridConnection(islanded=True), 100.0, 1),
    ],
)
def test_stages_of_the_chain(grid, load_mw, stages):
    design = design_of(grid)
    assert hv_stages(design, load_mw) == stages


def test_chain_with_and_without_ups():
    assert chain(design_of()).it == pytest.approx(0.948, abs=5e-4)
    assert chain(design_of(ups="none")).it == pytest.approx(0.978, abs=5e-4)
    assert chain(design_of()).mechanical_on_ups == pytest.approx(0.955, abs=5e-4)


def test_chain_losses_add_up():
    design = design_of()
    efficiency = chain(design)
    rows = chain_losses(design, ChainLoads(200.0, 30.0, 3.0))
    meter = 200.0 / efficiency.it + 30.0 / efficiency.mechanical
    meter += 3.0 / efficiency.mechanical_on_ups
    assert sum(row.loss_mw for row in rows) == pytest.approx(meter - 233.0)
    # by hand, from the racks inwards: 200/0.993 busway; + 3 into the UPS at 0.97
    by_stage = {row.stage: row for row in rows}
    assert by_stage["LV busway"].loss_mw == pytest.approx(200.0 / 0.993 - 200.0)
    assert by_stage["UPS"].input_mw == pytest.approx((200.0 / 0.993 + 3.0) / 0.97)


def test_chain_losses_in_the_section_are_explained():
    with recording() as record:
        section = substation_section(design_of(), 250.0, loads=ChainLoads(200.0, 30.0, 3.0))
    for row in section.losses:
        for name in ("stage_input_mw", "stage_loss_mw", "stage_efficiency_percent"):
            value = getattr(row, name.replace("stage_", ""))
            assert record.find(name, value) is not None, name


def test_a_given_pue_is_split_not_added_to():
    # PUE 1.25 on 200 MW: the meter reads 250 MW, whatever the plant's own figures say
    rows = chain_losses(design_of(), ChainLoads(200.0, 60.0, 3.0), facility_mw=250.0)
    assert rows[0].input_mw == pytest.approx(250.0)
    assert rows[-1].input_mw == pytest.approx(200.0 / 0.993)


def test_a_given_pue_below_the_chain_is_an_input_error():
    # the five stages lose 5.2 %: 1/0.948 = 1.054
    with pytest.raises(InputError, match="below 1.054") as caught:
        chain_losses(design_of(), ChainLoads(200.0, 30.0), facility_mw=206.0)
    assert caught.value.problems[0].path == "site.pue_peak"


def test_800_v_dc_reads_the_psu_and_names_the_rectifier():
    design = design_of(electrical__distribution="dc800")
    assert design.psu_efficiency == 0.975
    assert any("rectifier" in path for path in paths(design))


def test_load_high_for_its_voltage():
    design = design_of(GridConnection(voltage_kv=138.0, circuits=2))
    substation_section(design, 300.0)
    assert {"load_high_for_voltage", "hv_circuit_overload"} <= codes(design)


def test_single_circuit_has_no_n_minus_1():
    design = design_of(GridConnection(voltage_kv=138.0, circuits=1))
    section = substation_section(design, 100.0)
    assert section.hv_circuit_current_a is None
    assert "single_circuit" in codes(design)


def test_one_circuit_is_held_to_its_voltage_too():
    design = design_of(GridConnection(voltage_kv=138.0, circuits=1))
    substation_section(design, 300.0)  # 138 kV: 250 MW
    assert "load_high_for_voltage" in codes(design)


def test_short_circuit_below_three_times_the_load():
    # 700 MVA against 247.4 MVA of load; 800 is above 3 x 247.4
    for level, warned in ((700.0, True), (800.0, False)):
        design = design_of(
            GridConnection(voltage_kv=230.0, short_circuit_min_mva=level, x_over_r=15.0)
        )
        substation_section(design, 240.0)
        assert ("weak_grid" in codes(design)) is warned


def test_a_grid_that_cannot_carry_the_load_is_not_also_weak():
    design = design_of(GridConnection(voltage_kv=138.0))  # assumed 5 kA: 1,195 MVA
    substation_section(design, 1000.0)
    assert "grid_cannot_carry" in codes(design)
    assert "weak_grid" not in codes(design)


@pytest.mark.parametrize(
    ("country", "breaker_ka"),
    # 230 kV, assumed 50 kA, X/R 15: at 60 Hz within 17, ip 128.9 <= 130 kA; at 50 Hz above 14
    [("US", 50.0), ("DE", 63.0)],
)
def test_a_duty_equal_to_the_rating_passes(country, breaker_ka):
    section = substation_section(design_of(GridConnection(voltage_kv=230.0), country), 240.0)
    assert section.hv_fault_level_ka == pytest.approx(50.0)
    assert section.hv_breaker_ka == breaker_ka


def test_the_grid_fault_level_says_what_is_assumed():
    known = substation_section(design_of(), 240.0)
    assert known.grid_fault == "25.1 kA, X/R 15"
    open_ratio = GridConnection(voltage_kv=230.0, short_circuit_min_mva=10_000.0)
    assert substation_section(design_of(open_ratio), 240.0).grid_fault == "25.1 kA, X/R 15 assumed"
    assumed = substation_section(design_of(GridConnection(voltage_kv=230.0)), 240.0)
    assert assumed.grid_fault == "8 to 50 kA, X/R 15, assumed"
    islanded = substation_section(design_of(GridConnection(islanded=True)), 240.0)
    assert islanded.grid_fault == "none, islanded"


def test_mv_above_the_service_voltage_is_refused():
    with pytest.raises(InputError) as caught:
        design_of(GridConnection(voltage_kv=38.0), electrical__mv=39.0)
    assert caught.value.problems[0].path == "design.electrical.mv"


def test_mv_that_an_mv_service_does_not_use_is_said():
    design = design_of(GridConnection(voltage_kv=13.8), electrical__mv=12.47)
    assert substation_section(design, 2.0).mv_kv == 0.415
    assert "mv_not_used" in codes(design)


def test_existing_unit_substations_have_one_board_each():
    existing = (ExistingTransformer(mva=2.5, count=3),)
    grid = GridConnection(voltage_kv=13.8, existing=existing, existing_load_mva=0.0)
    section = substation_section(design_of(grid), 3.0)
    assert (section.service, section.mv_kv, section.feeders) == ("mv", 0.415, 3)


def test_existing_yard_beyond_every_breaker_is_said():
    existing = (ExistingTransformer(mva=500.0, count=2),)
    grid = GridConnection(
        voltage_kv=138.0, short_circuit_max_ka=90.0, existing=existing, existing_load_mva=0.0
    )
    design = design_of(grid)
    section = substation_section(design, 300.0)
    assert section.hv_breaker_ka is None  # 80 kA is the largest
    assert section.mv_breaker_a is None  # 8,367 A at 34.5 kV
    assert {"hv_breaker", "mv_bus_current"} <= codes(design)


def test_machines_at_hv_are_not_counted_and_that_is_said():
    design = design_of(
        GridConnection(voltage_kv=345.0, short_circuit_min_mva=2e4, generators_at_hv=4)
    )
    section = substation_section(design, 600.0)
    assert "onsite_fault_contribution" in codes(design)
    assert section.bus_elements == 2 + section.transformers + 4


def test_a_generation_bus_beyond_its_breakers_is_said():
    # 1,031 MVA at 13.8 kV: 43,131 A on 3,000 A switchgear, 15 buses
    design = design_of(GridConnection(islanded=True))
    substation_section(design, 1000.0)
    text = next(w.message for w in design.ledger.warnings if w.code == "generation_bus_current")
    assert "15 buses" in text


def test_a_swing_that_moves_mv_too_far_is_said():
    # by hand: Q at MV 76.7 Mvar behind 2 x 90 MVA at 10 %, K_T 0.986, and 10 GVA: V 0.927
    design = design_of(
        electrical__transformer_impedance=10.0,
        electrical__power_factor=0.9,
        electrical__transformer=150.0,
    )
    section = substation_section(design, 240.0, swing_mw=240.0)
    assert section.mv_step_voltage_percent == pytest.approx(7.26, rel=0.01)
    assert "mv_step_high" in codes(design)


def test_two_stages_lose_one_unit_not_one_of_each():
    # by hand, x per MVA: grid 1/12,990, bulk 0.135 K/(400 n), MV 0.12 K/(200 m): one of the three
    # bulk units out is the worse case, both out at once would collapse
    grid = GridConnection(voltage_kv=500.0, short_circuit_min_ka=15.0, x_over_r=18.0)
    design = design_of(grid)
    section = substation_section(design, 1200.0, swing_mw=470.0)
    assert (section.bulk_transformers, section.transformers) == (3, 5)
    assert section.mv_step_voltage_percent is not None
    assert "mv_voltage_collapse" not in codes(design)
    assert "mv_step_high" in codes(design)


def test_growth_raises_the_hv_breaker():
    # 1,237 MVA at 345 kV is 2,070 A; 1.5 times that 3,105 A
    grid = GridConnection(voltage_kv=345.0, short_circuit_min_mva=2e4, x_over_r=15.0)
    assert substation_section(design_of(grid), 1200.0).hv_breaker_a == 3000.0
    assert substation_section(design_of(grid, growth_margin=0.5), 1200.0).hv_breaker_a == 4000.0


def test_too_much_redundancy_says_so():
    design = design_of(electrical__transformer_redundancy=8)
    with pytest.raises(InfeasibleError, match="at most 8 units, 8 redundant"):
        substation_section(design, 240.0)


def test_bulk_mvar_does_not_load_the_units_behind():
    """With the power factor at MV the MV units see their own Mvar, not those of the bulk units."""
    grid = GridConnection(voltage_kv=500.0, circuits=4)
    section = substation_section(design_of(grid, electrical__power_factor_mv=0.97), 1000.0)
    assert section.bulk_transformers
    assert section.loading_n1_percent <= 95.0
    whole = section.loading_normal_percent * section.transformers * section.transformer_mva / 100.0
    assert 1000.0 / 0.97 < whole < section.apparent_power_mva


@pytest.mark.parametrize(("circuits", "overload"), [(3, True), (4, False), (6, False)])
def test_a_double_circuit_tower_lost(circuits, overload):
    """All of S on two circuits less; typical ampacity of 230 kV is 2,000 A."""
    grid = GridConnection(
        voltage_kv=230.0, circuits=circuits, short_circuit_min_mva=15_000.0, x_over_r=15.0
    )
    design = design_of(grid)
    section = substation_section(design, 900.0)
    current = section.hv_current_a / (circuits - 2)
    assert section.hv_tower_loss_current_a == pytest.approx(current)
    assert section.hv_tower_loss_loading_percent == pytest.approx(100.0 * current / 2000.0)
    assert ("hv_tower_overload" in codes(design)) == overload
