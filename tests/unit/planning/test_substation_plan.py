"""The electrical discipline of a plan: figures add up, are explained, say what is missing."""

import math

import pytest

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError
from clusterplan.core.figures import rows_of
from clusterplan.core.record import recording
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.substation_plan import (
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
            if row.value is None:
                continue
            if row.info.formula == "given":
                assert record.givens[row.path].value == row.value, row.path
            elif row.path not in record.givens:
                formula = row.info.formula or row.name
                assert record.find(formula, row.value) is not None, row.path


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
    rows = chain_losses(design, 200.0, 30.0, 3.0)
    meter = 200.0 / efficiency.it + 30.0 / efficiency.mechanical
    meter += 3.0 / efficiency.mechanical_on_ups
    assert sum(row.loss_mw for row in rows) == pytest.approx(meter - 233.0)


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
