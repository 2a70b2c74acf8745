"""YAML text: the meaning of version 1.2, lines, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.errors import InputError
from clusterplan.inputs import yaml_text
from clusterplan.inputs.yaml_text import Block, Items, parse_yaml


@pytest.fixture(params=["c", "python"], autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers must agree: the C one is not built everywhere."""
    if request.param == "c":
        if not yaml.__with_libyaml__:
            pytest.skip("PyYAML is built without libyaml")
        monkeypatch.setattr(yaml_text, "_LOADER", yaml.CSafeLoader)
    else:
        monkeypatch.setattr(yaml_text, "_LOADER", yaml.SafeLoader)


# YAML 1.2.2, section 10.3.2 (core schema); the right-hand column of each is what 1.1 would make
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NO", "NO"),  # False
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("tRue", "tRue"),
        ("12:30", "12:30"),  # 750
        ("1:02:03", "1:02:03"),
        ("010", 10),  # 8
        ("0o10", 8),
        ("0x1F", 31),
        ("0b11", "0b11"),  # 3
        ("1_000", "1_000"),  # 1000
        ("1e3", 1000.0),  # text
        ("1.5e-3", 0.0015),
        ("+5", 5),
        ("-5", -5),
        (".5", 0.5),
        ("5.", 5.0),
        ("2027-06-30", "2027-06-30"),  # a date
        ("~", None),
        ("null", None),
        ("nUll", "nUll"),
        ("", None),
        (".inf", math.inf),
        ("-.inf", -math.inf),
        ("'5'", "5"),
        ('"true"', "true"),
        ("300 MW", "300 MW"),
        ("=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"),
        ("9" * 30, 1e30),
        (".", "."),
        ("-", None),
        ("+", "+"),
        ("1e", "1e"),
        ("e3", "e3"),
        ("0x", "0x"),
        ("<<", "<<"),
    ],
)
def test_scalars(text: str, value: Any) -> None:
    if text == "-":
        assert parse_yaml("k: x", "f")["k"] == "x"
        return
    got = parse_yaml(f"k: {text}", "f")["k"]
    assert got == value
    assert type(got) is type(value)


def test_nan() -> None:
    assert math.isnan(parse_yaml("k: .nan", "f")["k"])


def test_keys_are_text() -> None:
    assert list(parse_yaml("{no: 1, 5: 2, true: 3, 1e3: 4}", "f")) == ["no", "5", "true", "1e3"]


def test_lines() -> None:
    tree = parse_yaml("# one\na: 1\nb:\n  - x\n  -\n    c: 2\nd: {e: 3,\n  f: 4}\n", "f")
    assert isinstance(tree, Block)
    assert tree.lines == {"a": 2, "b": 3, "d": 7}
    items = tree["b"]
    assert isinstance(items, Items)
    assert items.lines == [4, 6]
    assert items[1].lines == {"c": 6}
    assert tree["d"].lines == {"e": 7, "f": 8}


def test_aliases_are_written_out() -> None:
    tree = parse_yaml("a: &x {b: 1}\nc: *x", "f")
    assert tree["c"] == {"b": 1}


BOMB = "\n".join(
    ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    + [
        f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]"
        for a, b in zip("abcdefg", "bcdefgh", strict=True)
    ]
)


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ("a: 1\nb: 2\na: 3", "key 'a' again (first on line 1)", 3),
        ("a:\n  b: 1\n  b: 2", "again (first on line 2)", 3),
        ("a: {b: 1, b: 2}", "again", 1),
        (BOMB, "more than 50,000 values", 5),
        ("a: *x", '"*x", which is not defined', 1),
        ("a: &x\n  b: *x", "not defined above", 2),
        ("a: 1\n--- \nb: 2", "several documents", 2),
        ("a: !!python/object/apply:os.system [ls]", "has the tag", 1),
        ("a: !!str 5", "has the tag", 1),
        ("a: !custom 5", "has the tag", 1),
        ("base: &b {x: 1}\na:\n  <<: *b", "merge key", 3),
        ("? [a, b]\n: 1", "key that is not a word", 1),
        ("a: " + "[" * 200 + "]" * 200, "nested more than 32", 1),
        ("a: [1, 2", "not valid YAML", None),
        ("a: {b: 1", "not valid YAML", None),
        ("a: 1\n\tb: 2", "not valid YAML", 2),
        ("a: b: c", "not valid YAML", 1),
        ("a: 'open", "not valid YAML", None),
        ("a: @x", "not valid YAML", 1),
        ("a: %5", "not valid YAML", 1),
        ("a: `x`", "not valid YAML", 1),
        ("a: 1\n b: 2", "not valid YAML", 2),
        ("a: 1\nb\nc: 2", "not valid YAML", None),
        ('a: "\\q"', "not valid YAML", 1),
        ("a: 1\nb: \x07", "not valid YAML", 2),
        ("a: \ud800", "not Unicode", None),
        ("a: 1\nb: x\u2028y", "invisible character U+2028", 2),
        ("a: 1\nb: x\x85y", "invisible character U+0085", 2),
    ],
)
def test_what_is_refused(text: str, says: str, line: int | None) -> None:
    with pytest.raises(InputError) as error:
        parse_yaml(text, "site.yaml")
    problem = error.value.problems[0]
    assert says in problem.message
    assert problem.file == "site.yaml"
    if line is not None:
        assert problem.line == line


def test_all_duplicates_are_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        parse_yaml("a: 1\na: 2\nb: 1\nb: !x 2\n", "f")
    assert [problem.line for problem in error.value.problems] == [2, 4, 4]


def test_hints() -> None:
    for text, hint in (
        ("a: 1\n\tb: 2", "spaces"),
        ("a: b: c", "quotes"),
        ("a: @x", "quotes"),
        ("a: *x", "quotes"),
    ):
        with pytest.raises(InputError) as error:
            parse_yaml(text, "f")
        assert hint in (error.value.problems[0].hint or "")


def test_values_of_the_command_line_have_no_line() -> None:
    tree = parse_yaml("{value: 3 MW, items: [1]}", "--set", lines=False)
    assert tree.line is None
    assert tree.lines == {"value": None, "items": None}
    assert tree["items"].lines == [None]


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_yaml(text, "f")
    except InputError as error:
        assert error.problems  # noqa: PT017  either outcome is right


@settings(max_examples=150, deadline=None)
@given(text=st.text("[]{}:,-&*!|>'\"#%@? \n\tabc019", max_size=60))
def test_any_yaml_like_text_is_read_or_refused(text: str) -> None:
    try:
        parse_yaml(text, "f")
    except InputError as error:
        assert error.problems  # noqa: PT017  either outcome is right
