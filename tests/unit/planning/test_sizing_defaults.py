"""What the reference tests size with is what ships: defaults of the engineering layer against the
design table."""

from __future__ import annotations

import dataclasses

import pytest

from clusterplan import catalog
from clusterplan.planning import cooling_choices
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.substation_inputs import rules_of
from clusterplan.sizing.design_points import ClimateDesign
from clusterplan.sizing.plant_specs import AirSpec, ChillerSpec, DrySpec, TowerSpec
from clusterplan.sizing.substation_tables import SubstationRules


@pytest.fixture
def choices() -> Choices:
    return Choices(catalog.design_fields(), {}, Ledger())


def test_cooling_machines(choices):
    assert cooling_choices.dry_spec(choices, None) == DrySpec()
    assert cooling_choices.tower_spec(choices) == TowerSpec()
    assert cooling_choices.chiller_spec(choices) == ChillerSpec()
    assert cooling_choices.air_spec(choices) == AirSpec()


def test_climate_allowances(choices):
    station = catalog.climate("abilene-tx")
    shipped = cooling_choices.climate_design(choices, station, 530.0)._asdict()
    defaults = ClimateDesign._field_defaults
    allowances = [name for name in defaults if name.endswith(("_k", "_fraction"))]
    assert len(allowances) == 7
    assert {name: shipped[name] for name in allowances} == {n: defaults[n] for n in allowances}


def test_substation_rules(choices):
    assert dataclasses.asdict(rules_of(choices, 60.0)) == dataclasses.asdict(
        SubstationRules(frequency_hz=60.0)
    )


@pytest.mark.parametrize("path", ["board_current_max", "mv_step_max", "tap_range"])
def test_limits_on_the_choice_of_transformers_are_assumptions(choices, path):
    rules_of(choices, 60.0)
    assert f"design.electrical.{path}" in {item.path for item in choices.ledger.assumptions}
