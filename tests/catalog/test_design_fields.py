"""The table of engineering choices: kinds, units, ranges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import clusterplan
from clusterplan import catalog
from clusterplan.core.units import DIMENSIONS, parse_quantity, parse_share

if TYPE_CHECKING:
    from clusterplan.core.fields import FieldSpec

SPECIAL = {
    "boolean",
    "choice",
    "date",
    "deliveries",
    "fraction",
    "id",
    "integer",
    "number",
    "percent",
    "power_or_fraction",
    "text",
}
SPECS = list(catalog.design_fields().values())


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.path)
def test_field(spec: FieldSpec) -> None:
    kind = spec.kind.removeprefix("list:")
    assert kind in SPECIAL or kind in DIMENSIONS
    assert spec.text
    assert spec.source
    assert spec.verified in ("true", "secondary", "false")
    assert bool(spec.choices) == (kind == "choice")
    if kind in DIMENSIONS:
        assert spec.unit in DIMENSIONS[kind].spellings
        parse_quantity(f"1 {spec.unit}", kind)
    elif kind == "percent":
        assert spec.unit == "%"
    elif kind != "number":
        assert spec.unit == ""
    numeric = kind in DIMENSIONS or kind in ("fraction", "integer", "number", "percent")
    if numeric:
        assert spec.minimum is not None
        assert spec.maximum is not None
        assert spec.minimum < spec.maximum
    if spec.default == "":
        return
    if kind == "choice":
        assert spec.default in spec.choices
    elif kind == "boolean":
        assert spec.default in ("true", "false")
    elif kind == "power_or_fraction":
        parse_share(spec.default)
    elif numeric:
        assert spec.minimum is not None
        assert spec.maximum is not None
        assert spec.minimum <= float(spec.default) <= spec.maximum


def test_paths_are_dotted_names() -> None:
    for spec in SPECS:
        assert all(part.isidentifier() for part in spec.path.split(".")), spec.path
        assert spec.path == spec.path.lower()


def test_heat_rejection_choices_are_the_known_plants() -> None:
    choices = catalog.design_fields()["heat_rejection"].choices
    assert set(choices) == {row.id for row in catalog.heat_rejection_footprints()}


def test_every_choice_is_read_by_the_program() -> None:
    """A choice that nothing reads would be accepted and do nothing."""
    package = Path(clusterplan.__file__).parent
    code = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    for spec in SPECS:
        group, _, name = spec.path.rpartition(".")
        if group == "electrical.efficiency":  # read in a loop over the stages
            assert f'"{name}"' in code or f'"{spec.path}"' in code, spec.path
        else:
            assert f'"{spec.path}"' in code, spec.path


def test_the_lead_time_of_transformers_is_that_of_the_calendar() -> None:
    row = catalog.lead_times()["power_transformer"]
    spec = catalog.design_fields()["electrical.lead_time"]
    assert row.unit == "weeks"
    assert spec.unit == "week"
    assert float(spec.default) == row.typical
