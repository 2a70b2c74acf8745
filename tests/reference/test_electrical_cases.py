"""Public questions and bug reports of electrical planning.

5: transformer size for 96 MW with N+1 (calcpanel.com, step-down transformer; pandapower).
6: MVA given where MW is due, and the reverse (nautobot issue 6748).
7: generators sized on IT alone (audit of log-wade/datacenter-mcp-server), vector E of the method.
"""

import math

import pytest

from clusterplan.cli import substation
from clusterplan.core.errors import InputError
from clusterplan.core.units import parse_quantity
from clusterplan.sizing.generation import generation_firm_mw, gensets
from clusterplan.sizing.voltage_quality import bus_voltage


def test_case_5_three_units_of_60_mva():
    report = substation.run(load="96 MW", power_factor="0.95", transformer="60 MVA")
    section = report.parts["substation"]
    assert report.feasible
    assert section.apparent_power_mva == pytest.approx(101.05, rel=0.01)
    assert (section.transformers, section.transformers_redundant) == (3, 1)
    assert section.firm_capacity_mva == pytest.approx(120.0)
    assert section.loading_normal_percent == pytest.approx(56.1, rel=0.01)
    assert section.loading_n1_percent == pytest.approx(84.2, rel=0.01)


def test_case_5_load_flow_gives_the_same_verdict():
    # 10 % on each 60 MVA unit and the load's power factor at MV: pandapower gives 57.5 and 87.3 %
    reactive = 96.0 * math.tan(math.acos(0.95))
    for units, expected in ((3, 57.5), (2, 87.3)):
        capacity = 60.0 * units
        voltage = bus_voltage(96.0, reactive, 0.0, 0.10 / capacity)
        assert voltage is not None
        assert 100.0 * 101.05 / voltage / capacity == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(
    "options",
    [{"load": "100 MVA"}, {"load": "96 MW", "transformer": "100 MW"}, {"load": "96"}],
)
def test_case_6_mva_is_not_mw(options):
    with pytest.raises(InputError) as caught:
        substation.run(**options)
    (problem,) = caught.value.problems
    assert problem.path in ("--load", "--transformer")
    assert "due here" in problem.message or "no unit" in problem.message


def test_case_6_in_the_unit_table():
    for text, dimension in (("100 MW", "apparent_power"), ("100 MVA", "power")):
        with pytest.raises(ValueError, match="power factor"):
            parse_quantity(text, dimension)


def test_case_7_generators_carry_the_facility():
    sets = gensets(10.0, 1.4, 1.25, 2.5, redundant=1)
    assert sets.required_mw == pytest.approx(17.5)
    assert (sets.duty, sets.installed) == (7, 8)
    # IT alone would say 5 + 1
    assert gensets(10.0, 1.0, 1.25, 2.5).installed == 6


def test_firm_generation_is_without_the_largest_unit():
    assert generation_firm_mw((50.0, 50.0, 80.0)) == 100.0
    assert generation_firm_mw((50.0,)) == 0.0
