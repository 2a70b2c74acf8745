"""Whatever tree a file holds, it ends in a model or in problems with a place, never in a crash."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.core.errors import InputError
from clusterplan.inputs.design_file import validate_design
from clusterplan.inputs.document import Document
from clusterplan.inputs.loading import check_document, model_of
from clusterplan.inputs.overrides import KINDS, split_overrides, with_value
from clusterplan.inputs.places import check_place
from clusterplan.inputs.validation import group_of, keys_of
from clusterplan.inputs.yaml_text import parse_yaml

DESIGN = catalog.design_fields()
REGIONS = catalog.regions()
STATES = catalog.us_states()


def all_keys(model: Any) -> set[str]:
    keys = set()
    for key, field in keys_of(model).items():
        keys.add(key)
        group, _ = group_of(field)
        if group is not None:
            keys |= all_keys(group)
    return keys


KEYS = {kind: sorted(all_keys(model_of(kind))) for kind in ("site", "grid", "rack", "workload")}
KEYS["design"] = sorted({part for path in DESIGN for part in path.split(".")})
VALUES = st.one_of(
    st.sampled_from(
        [
            *[None, True, False, 0, 1, -1, 10**30, 0.5, 1e308, "", " ", "x", "US", "NO", "TX"],
            *["5 MW", "1e400 MW", "5 kA", "5 MVA", "5 kV", "30 degC", "5 acre", "2027-01-01"],
            *["9999-99-99", "training", "none", "3 %", "5 m", "1.5 L/min/kW", "0 MW", "-5 MW"],
        ]
    ),
    st.floats(),
    st.text(max_size=5),
)


def trees(kind: str) -> st.SearchStrategy[Any]:
    key = st.one_of(
        st.sampled_from(KEYS[kind]),
        st.sampled_from(["value", "low", "high", "source", "date", "verified"]),
        st.text(max_size=4),
    )
    return st.recursive(
        VALUES,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(key, inner, max_size=6)
        ),
        max_leaves=14,
    )


@pytest.mark.parametrize("kind", ["site", "grid", "rack", "workload", "design"])
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_tree(kind: str, data: st.DataObject) -> None:
    key = st.sampled_from(KEYS[kind])
    tree = data.draw(st.one_of(trees(kind), st.dictionaries(key, trees(kind), max_size=8)))
    text = json.dumps(tree, ensure_ascii=False)  # JSON is YAML, nan and inf aside
    try:
        parsed = parse_yaml(text.replace("NaN", ".nan").replace("Infinity", ".inf"), "f.yaml")
    except InputError:
        return
    document = Document("f.yaml", parsed, kind)
    if kind == "design":
        problems = validate_design(document, DESIGN)[1]
    else:
        found = check_document(kind, document)
        if kind == "site":
            check_place(found.model, found, REGIONS, STATES)
        problems = found.problems
        assert all(str(warning.message).isprintable() for warning in found.warnings)
    for problem in problems:
        assert problem.line == 1
        assert (problem.path or "").startswith(kind)
        assert str(problem).isprintable()


@settings(max_examples=200, deadline=None)
@given(
    path=st.lists(
        st.sampled_from(["stages", "0", "1", "9", "one", "firm", "value", "x", ""]), max_size=4
    ),
    kind=st.sampled_from([*KINDS, "other"]),
    value=st.one_of(st.text(max_size=8), st.sampled_from(["5 MW", "{a: 1}", "[1]", "{", "'"])),
)
def test_any_override(path: list[str], kind: str, value: str) -> None:
    parsed, problems = split_overrides([f"{'.'.join([kind, *path])}={value}"])
    assert len(parsed) + len(problems) == 1
    tree = parse_yaml("stages: [{name: one, firm: 5 MW}]\nvoltage: 345 kV\n", "grid.yaml")
    for _, below, new in parsed:
        try:
            changed = with_value(tree, below, new, kind)
        except InputError as error:
            assert error.problems  # noqa: PT017  either outcome is right
        else:
            check_document("grid", Document("grid.yaml", changed, "grid"))
    assert tree == {"stages": [{"name": "one", "firm": "5 MW"}], "voltage": "345 kV"}
