"""Every field of every input file: a right value is taken, each kind of wrong value is refused.

The cases come from the models and the design table themselves, so a new field is covered the day
it is added. Each refusal names file, line and path and never ends in anything but a problem.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from clusterplan import catalog
from clusterplan.core.shown_units import unit_of
from clusterplan.core.units import DIMENSIONS
from clusterplan.inputs.deliveries import Deliveries
from clusterplan.inputs.design_file import leaf_for, validate_design
from clusterplan.inputs.document import Document
from clusterplan.inputs.leaves import (
    Choice,
    Day,
    FaultLevel,
    Figure,
    Flag,
    Fraction,
    Id,
    Number,
    Percent,
    Quantity,
    Share,
    Text,
    Whole,
)
from clusterplan.inputs.loading import check_document, model_of
from clusterplan.inputs.validation import group_of, keys_of, leaf_of
from clusterplan.inputs.yaml_text import parse_yaml

KINDS = ("site", "grid", "rack", "workload")
ANYWHERE = ["null", "", "[1, 2]", "[]", "{furlongs: 3}", "{}", "!!python/name:os.system x"]


def quote(text: str) -> str:
    return json.dumps(text)


def good(leaf: Any) -> str:
    """A right value as YAML, in the middle of the range."""
    if isinstance(leaf, FaultLevel):
        return "30 kA"
    if isinstance(leaf, Figure):
        low = leaf.minimum if leaf.minimum is not None else 1.0
        high = leaf.maximum if leaf.maximum is not None else low + 10.0
        middle = (low + high) / 2.0
        if isinstance(leaf, Whole):
            return str(int(middle))
        if isinstance(leaf, Quantity | Percent):
            return f"{middle!r} {leaf.unit}"
        return repr(middle)
    if isinstance(leaf, Flag):
        return "true"
    if isinstance(leaf, Choice):
        return leaf.words[-1]
    if isinstance(leaf, Day):
        return "2027-06-30"
    if isinstance(leaf, Deliveries):
        return "[{date: 2027-06-30, racks: 5}, {date: 2027-12-31, racks: 9}]"
    return "3 %" if isinstance(leaf, Share) else "some-text"


def bad(leaf: Any) -> list[str]:
    """Wrong values as YAML."""
    if isinstance(leaf, Figure):
        return bad_figure(leaf)
    for kind, cases in BAD_WORDS.items():
        if isinstance(leaf, kind):
            return cases
    raise AssertionError(leaf)


BAD_WORDS: dict[type, list[str]] = {  # the first kind that fits counts
    Flag: ["yes", "no", "on", "off", "1", "0", quote("true"), ".nan"],
    Day: [
        *["2027", "2027-06", "2027-02-30", "30.06.2027", "06/30/2027", "20270630", "true"],
        *["2027-06-30T00:00:00Z", "0001-01-01", "9999-01-01", "soon", "12:30"],
    ],
    Deliveries: ["true", "5", "2027-06-30", "[{racks: 5}]", "[{date: 2027-06-30}]"],
    Share: ["true", ".nan", ".inf", "3", "-1 %", "-2 MW", "2 MVA", "150 %", "many"],
    Choice: ["5", "true", ".nan", "nonesuch", quote(""), "2027-06-30"],
    Id: ["5", "true", "Capital", "a b", "-a", "ä", quote("a/b"), "../x", quote("")],
    Text: ["5", "010", "true", ".nan", "1e3", quote(""), quote("  "), r'"\e[31mred"', "null"],
}


def bad_figure(leaf: Figure) -> list[str]:
    words = ["true", ".nan", ".inf", "-.inf", "many", quote(""), quote("nan"), "2027-06-30"]
    cases = [*words, *out_of_range(leaf)]
    if isinstance(leaf, Quantity):
        foreign = "kg" if leaf.dimension != "mass" else "MW"
        unit = leaf.unit
        cases += ["5", "-5", "1e3", quote("5"), f"5 {foreign}", "5 furlong", f"nan {unit}"]
        cases += [f"inf {unit}", f"1,000 {unit}", f"1_000 {unit}", f"1e999 {unit}", unit]
        cases += [f"5 {unit} {unit}", f"five {unit}", f"5..0 {unit}", f"{'9' * 400}"]
        cases += {"power": ["5 MVA", "5 mW"], "apparent_power": ["5 MW", "5 mva"]}.get(
            leaf.dimension, []
        )
    elif isinstance(leaf, FaultLevel):
        cases += ["5", "5 MW", "0 kA", "-5 kA", "5 kV", "nan kA"]
    elif isinstance(leaf, Percent):
        cases += ["5", "0.05", "5 MW", "nan %", quote("%")]
    elif isinstance(leaf, Fraction):
        cases += ["5 MW", "95 percent", "nan %"]
    else:
        cases += [quote("5"), "5 MW", "12:30"]
    return [*cases, "1.5"] if isinstance(leaf, Whole) else cases


def out_of_range(leaf: Figure) -> list[str]:
    unit = f" {leaf.unit}" if leaf.unit else ""
    cases = []
    if leaf.minimum is not None:
        cases.append(f"{leaf.minimum - max(1.0, abs(leaf.minimum) * 0.01)!r}{unit}")
    if leaf.maximum is not None:
        cases.append(f"{leaf.maximum + max(1.0, abs(leaf.maximum) * 0.01)!r}{unit}")
    return cases


def model_leaves(model: Any, above: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """(path, leaf) of every single value below a model; a list shows as its item 0."""
    found = []
    for key, field in keys_of(model).items():
        leaf = leaf_of(field)
        if leaf is not None:
            found.append(((*above, key), leaf))
            continue
        group, many = group_of(field)
        found += model_leaves(group, (*above, key, "0") if many else (*above, key))
    return found


def text_with(path: tuple[str, ...], value: str) -> tuple[str, int]:
    """A YAML file with that one value, and the line it stands on."""
    lines = ["# a comment line first"]
    indent, item = "", ""
    for index, key in enumerate(path):
        if key == "0":
            item = "- "
            continue
        last = index == len(path) - 1
        lines.append(f"{indent}{item}{key}:" + (f" {value}" if last else ""))
        indent += "    " if item else "  "
        item = ""
    return "\n".join([*lines, "zzz_last: 1"]), len(lines)


MODEL_FIELDS = [
    pytest.param(kind, path, leaf, id=f"{kind}.{'.'.join(path)}")
    for kind in KINDS
    for path, leaf in model_leaves(model_of(kind))
]
DESIGN = catalog.design_fields()
DESIGN_FIELDS = [
    pytest.param("design", tuple(path.split(".")), leaf_for(spec), id=f"design.{path}")
    for path, spec in DESIGN.items()
]


def problems_of(kind: str, text: str) -> list[Any]:
    from clusterplan.core.errors import InputError

    file = f"{kind}.yaml"
    try:
        tree = parse_yaml(text, file)
    except InputError as error:
        return list(error.problems)
    if kind == "design":
        return validate_design(Document(file, tree, "design"), DESIGN)[1]
    return check_document(kind, Document(file, tree, kind)).problems


@pytest.mark.parametrize(("kind", "path", "leaf"), MODEL_FIELDS + DESIGN_FIELDS)
class TestEveryField:
    def test_right_value_is_taken(self, kind: str, path: tuple[str, ...], leaf: Any) -> None:
        value = good(leaf)
        more = ", low: " + value + ", high: " + value if isinstance(leaf, Figure | Day) else ""
        long = f"{{value: {value}, source: a study, date: 2026-01-02, verified: true{more}}}"
        for written in (value, long):
            text, line = text_with(path, written)
            at = f"{kind}.{'.'.join(path)}"
            # neighbours may be missing: that is another path
            mine = [p for p in problems_of(kind, text) if p.path.startswith(at)]
            assert [p for p in mine if "missing" not in p.message] == [], written
            assert line == len(text.splitlines()) - 1

    def test_wrong_values_are_refused(self, kind: str, path: tuple[str, ...], leaf: Any) -> None:
        at = f"{kind}.{'.'.join(path)}"
        for value in [*ANYWHERE, *bad(leaf)]:
            text, line = text_with(path, value)
            found = problems_of(kind, text)
            here = [p for p in found if p.line == line and p.file == f"{kind}.yaml"]
            assert here, f"{at}: {value} was taken"
            if "!!python" in value:
                assert "tag" in here[0].message
                continue
            assert any((p.path or "").startswith(at) for p in here), (value, here)
            message = str(here[0])
            assert message.startswith(f"{kind}.yaml:{line}: ")
            assert len(message) < 1500

    def test_misspelt_key_gets_the_nearest(
        self, kind: str, path: tuple[str, ...], leaf: Any
    ) -> None:
        key = path[-1]
        typo = key[:-1] + "q" if len(key) < 4 else key[:2] + key[3:] + "x"
        text, line = text_with((*path[:-1], typo), good(leaf))
        due = f"{kind}.{'.'.join((*path[:-1], typo))}"
        here = [p for p in problems_of(kind, text) if p.line == line and p.path == due]
        assert len(here) == 1
        assert "unknown key" in here[0].message
        assert here[0].hint

    def test_bad_ranges_and_provenance(self, kind: str, path: tuple[str, ...], leaf: Any) -> None:
        value = good(leaf)
        at = f"{kind}.{'.'.join(path)}"
        cases = {
            "{source: x}": at,
            f"{{value: {value}, vrified: true}}": f"{at}.vrified",
            f"{{value: {value}, verified: maybe}}": f"{at}.verified",
            f"{{value: {value}, date: yesterday}}": f"{at}.date",
            f"{{value: {value}, source: 5}}": f"{at}.source",
            f"{{value: {value}, low: many}}": f"{at}.low",
        }
        for written, due in cases.items():
            text, line = text_with(path, written)
            found = [p for p in problems_of(kind, text) if p.line == line]
            assert [p.path for p in found if p.path == due], (written, found)


def test_the_cases_are_many() -> None:
    fields = MODEL_FIELDS + DESIGN_FIELDS
    assert len(fields) > 300
    assert sum(len(bad(param.values[2])) + len(ANYWHERE) for param in fields) > 5000


def test_every_dimension_of_the_table_is_known() -> None:
    for spec in DESIGN.values():
        leaf = leaf_for(spec)
        if isinstance(leaf, Quantity):
            assert leaf.unit in DIMENSIONS[leaf.dimension].spellings, spec.path
        if isinstance(leaf, Number):
            assert spec.kind == "number"


def model_fields(model: Any) -> list[tuple[str, Any]]:
    found = []
    for name, field in model.model_fields.items():
        group, _ = group_of(field)
        found += [(name, leaf_of(field))] if group is None else model_fields(group)
    return found


NAMED = ("months", "hours_per_year", "storage_joule_per_accelerator")  # the unit is the name


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_figures_carry_their_unit(kind: str) -> None:
    spelt = {"°C": "degC", "acres": "acre", "m³/yr": "m3/yr", "years": "yr"}
    for name, leaf in model_fields(model_of(kind)):
        if isinstance(leaf, Quantity | Percent) and name not in NAMED:
            shown = unit_of(name)
            assert spelt.get(shown, shown) == leaf.unit, name
