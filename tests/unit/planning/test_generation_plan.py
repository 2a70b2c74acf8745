"""On-site generation of a plan: loading, fault level of machines, swing against the units."""

from __future__ import annotations

import math

import pytest

from clusterplan.cli.size import load
from clusterplan.core.errors import InputError
from clusterplan.planning.size_site import size_site
from clusterplan.reporting.sheets import unexplained

SITE = """
id: island
name: Island of turbines
country: US
state: NM
latitude: 31.86
longitude: -106.68
elevation: 1253 m
climate: las-cruces-santa-teresa-nm
rack: gb300-nvl72
"""
TURBINES = """
  - name: turbines
    type: gas_turbine
    gross: 400 MW
    units: 8
    heat_rate: 9000 BTU/kWh
"""
ENGINES = """
  - name: engines
    type: reciprocating_engine
    gross: 100 MW
    units: 10
    heat_rate: 8500 BTU/kWh
"""
DATA = "    subtransient_reactance: {} %\n    inertia: {} s\n"
GRID = """
voltage: 230 kV
short_circuit: {min: 10 kA, max: 20 kA}
stages: [{name: all, firm: 200 MW, status: agreement}]
"""


def planned(tmp_path, *plants, more="", grid=""):
    text = SITE + "generation:\n" + "".join(plants) + more
    (tmp_path / "site.yaml").write_text(text, encoding="utf-8")
    if grid:
        (tmp_path / "grid.yaml").write_text(grid, encoding="utf-8")
    return size_site(load(str(tmp_path), {}, ()))


def codes(plan):
    return {warning.code for warning in plan.warnings}


def both(tmp_path, more=""):
    engines = ENGINES + DATA.format(16, 1) + "    block_load: 25 %\n"
    return planned(tmp_path, TURBINES + DATA.format(12, 3), engines, more=more)


def test_machines_are_the_source_of_an_island(tmp_path):
    """Ssc = sum of S_G over x"d, K_G in the largest case; by hand on 500 and 125 MVA."""
    plan = both(tmp_path)
    found, section = plan.generation, plan.substation
    high = 500.0 / 0.12 * (1 + 0.12 * 0.6) + 125.0 / 0.16 * (1 + 0.16 * 0.6)
    assert found.fault_max_mva == pytest.approx(high)
    # the largest machine is a turbine of 62.5 MVA
    assert found.fault_min_mva == pytest.approx(437.5 / 0.12 + 125.0 / 0.16)
    assert found.fault_level_ka == pytest.approx(high / (math.sqrt(3) * 13.8))
    assert section.hv_fault_level_ka == pytest.approx(found.fault_level_ka)
    for figure in (section.fault_level_ka, section.tdd_limit_percent, plan.swing.pst):
        assert figure is not None
    assert plan.swing.step_voltage_percent > 0.0
    assert section.supply_voltage_percent is None  # the machines hold their voltage
    assert "islanded_fault_level" not in codes(plan)


def test_buses_keep_a_breaker_in_reach(tmp_path):
    plan = both(tmp_path)
    buses = plan.generation.buses
    assert plan.generation.fault_level_ka / buses <= 63.0
    assert 1000.0 * 625.0 / (math.sqrt(3) * 13.8) / buses <= 3000.0
    assert "generation_bus_fault" in codes(plan)


def test_swing_against_inertia_and_load_steps(tmp_path):
    plan = both(tmp_path)
    found, swing = plan.generation, plan.swing.swing_mw
    assert found.inertia_mw_s == pytest.approx(500.0 * 3 + 125.0 * 1)
    assert found.frequency_rate_hz_per_s == pytest.approx(60.0 * swing / (2 * 1625.0))
    assert plan.swing.frequency_rate_hz_per_s == pytest.approx(found.frequency_rate_hz_per_s)
    # 15 % of the turbines by the catalogue, 25 % of the engines by the file
    assert found.block_load_mw == pytest.approx(60.0 + 25.0)
    assert found.swing_verdict.startswith("fail")
    assert f"{swing - 85.0:,.4g} MW" in found.swing_verdict


def test_storage_on_site_helps(tmp_path):
    stored = "storage: {power: 200 MW, energy: 100 MWh}\n"
    assert both(tmp_path, stored).generation.swing_verdict.startswith("pass")


def test_part_load_and_fuel(tmp_path):
    plan = both(tmp_path, "gas: {firm_capacity: 30000 MMBtu/day}\n")
    found, facility = plan.generation, plan.summary.facility_power_mw
    assert found.firm_mw == pytest.approx(450.0)
    assert found.loading_percent == pytest.approx(100.0 * facility / 500.0)
    assert found.loading_n1_percent <= 100.0
    low = facility - plan.swing.swing_mw
    assert found.loading_low_percent == pytest.approx(100.0 * low / 500.0)
    burnt = facility * 24.0 * (0.8 * 9000.0 + 0.2 * 8500.0) / 1000.0
    assert found.fuel_mmbtu_per_day == pytest.approx(burnt)
    assert "gas_short" in codes(plan)
    assert unexplained(plan.report(), undeclared=True) == []


def test_without_machine_data_the_plan_stays_open(tmp_path):
    """The catalogue's reactances are shown, marked, and rule neither breakers nor flicker."""
    plan = planned(tmp_path, TURBINES)
    assert plan.generation.fault_level_ka is not None
    assert plan.substation.fault_level_ka is None
    assert plan.swing.pst is None
    assert "islanded_fault_level" in codes(plan)
    assumed = {row.path: row for row in plan.assumptions}
    assert assumed["site.generation.0.subtransient_reactance"].value == 12.0


def test_inverters_cannot_be_assessed(tmp_path):
    cells = TURBINES.replace("gas_turbine", "fuel_cell")
    found = planned(tmp_path, cells).generation
    assert found.fault_level_ka is None
    assert found.frequency_rate_hz_per_s is None
    assert "no machine" in found.not_assessed
    assert "no inertia" in found.not_assessed


def test_unknown_units_say_so(tmp_path):
    found = planned(tmp_path, TURBINES.replace("gas_turbine", "nuclear")).generation
    assert found.swing_verdict.startswith("cannot be assessed")
    assert "load step" in found.not_assessed


def test_units_at_hv_raise_the_fault_level_of_the_grid(tmp_path):
    grid = GRID + "generation_connects_at: hv\n"
    without = planned(tmp_path, TURBINES, grid=grid)
    assert "onsite_fault_contribution" in codes(without)
    impedance = DATA.format(12, 3) + "    transformer_impedance: 10 %\n"
    known = planned(tmp_path, TURBINES + impedance, grid=grid)
    assert "onsite_fault_contribution" not in codes(known)
    more = known.substation.hv_fault_level_ka - without.substation.hv_fault_level_ka
    assert more == pytest.approx(500.0 / (0.12 + 0.10) / (math.sqrt(3) * 230.0))
    assert "dispatch" in known.generation.swing_verdict


def test_units_at_mv_raise_the_fault_level_of_the_sections(tmp_path):
    """Parallel to the transformer, spread over the sections, with K_G; written anew."""
    grid = GRID + "generation_connects_at: mv\n"
    small = TURBINES.replace("400 MW", "80 MW")
    without = planned(tmp_path, small, grid=grid)
    assert "onsite_fault_contribution" in codes(without)
    known = planned(tmp_path, small + DATA.format(12, 3), grid=grid)
    assert "onsite_fault_contribution" not in codes(known)
    old, new = without.substation, known.substation
    assert old.transformers == new.transformers
    machine = 100.0 / 0.12 * (1 + 0.12 * 0.6) / (new.transformers * new.secondaries)
    z_m = 1.1 * new.mv_kv**2 / machine * complex(0.07, 1.0) / abs(complex(0.07, 1.0))
    z_k = 1.1 * new.mv_kv / math.sqrt(3) / old.fault_level_ka
    z_k *= complex(1.0, old.fault_x_over_r) / abs(complex(1.0, old.fault_x_over_r))
    together = 1.1 * new.mv_kv / math.sqrt(3) / abs(1 / (1 / z_k + 1 / z_m))
    assert new.fault_level_ka == pytest.approx(together, rel=1e-6)
    assert new.mv_breaker_ka >= new.fault_level_ka


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("    subtransient_reactance: 0.12\n", "no unit"),  # per unit where percent is due
        ("    inertia: 3\n", "no unit"),
        ("    ramp: 20 MW\n", "MW/min"),
        ("    power_factor: 95\n", "out of range"),
    ],
)
def test_unit_traps_of_machine_data(tmp_path, line, words):
    with pytest.raises(InputError) as error:
        planned(tmp_path, TURBINES + line)
    assert words in str(error.value), str(error.value)
