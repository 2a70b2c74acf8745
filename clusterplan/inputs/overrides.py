"""`--set PATH=VALUE`: changes of the trees before they are validated."""

from __future__ import annotations

import difflib
from typing import Any

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.units import seen
from clusterplan.inputs.document import SET
from clusterplan.inputs.leaf import did_you_mean
from clusterplan.inputs.yaml_text import Block, Items, parse_yaml, scalar

KINDS = ("site", "grid", "design", "workload", "rack")


def split_overrides(
    overrides: tuple[str, ...] | list[str],
) -> tuple[list[tuple[str, tuple[str, ...], Any]], list[Problem]]:
    """(kind, path below it, value) of each `PATH=VALUE`, and the problems of the others."""
    parsed: list[tuple[str, tuple[str, ...], Any]] = []
    problems: list[Problem] = []
    for text in overrides:
        try:
            parsed.append(_split(text))
        except InputError as error:
            problems += error.problems
    return parsed, problems


def _split(text: str) -> tuple[str, tuple[str, ...], Any]:
    path, equals, value = text.partition("=")
    path = path.strip()
    if not equals:
        raise InputError(
            Problem(f"{seen(text)} has no value", SET, hint='write PATH=VALUE, site.name="Here"')
        )
    kind, *below = path.split(".")
    if kind not in KINDS:
        near = difflib.get_close_matches(kind, KINDS, n=1, cutoff=0.7)
        hint = f'did you mean "{near[0]}"?' if near else f"paths begin with {', '.join(KINDS)}"
        raise InputError(Problem("unknown path", SET, path=path, hint=hint))
    if not below or not all(part.strip() for part in below):
        raise InputError(Problem("the path is not complete", SET, path=path))
    return kind, tuple(below), _value(value.strip(), path)


def _value(text: str, path: str) -> Any:
    if not text.startswith(("{", "[", '"', "'")):
        return scalar(text)
    try:
        return parse_yaml(text, SET, lines=False)
    except InputError as error:
        raise InputError(
            [Problem(p.message, SET, None, path, p.hint) for p in error.problems]
        ) from None


def with_value(tree: Any, path: tuple[str, ...], value: Any, kind: str) -> Any:
    """A copy of the tree with one value changed; list items go by index or by `name`.

    Groups that are not there are made, so that a wrong key is found by the validation that follows.
    Raises InputError where a part of the path is a single value or names no list item.
    """
    if not path:
        return value
    if isinstance(tree, Items):
        return _with_item(tree, path, value, kind)
    if tree is None:
        tree = Block()
    if not isinstance(tree, Block):
        raise _wrong(kind, f"{seen(tree)} is a single value, it has no {seen(path[0])}")
    changed = Block(tree.line)
    changed.update(tree)
    changed.lines.update(tree.lines)
    key = path[0]
    below = tree.get(key)
    if below is None and len(path) > 1 and path[1] == "0":
        below = Items()
    changed[key] = with_value(below, path[1:], value, f"{kind}.{key}")
    if len(path) == 1 or key not in changed.lines:
        changed.lines[key] = None
    return changed


def _with_item(tree: Items, path: tuple[str, ...], value: Any, kind: str) -> Items:
    index, used = _index(tree, path, kind)
    changed = Items(tree.line)
    changed.extend(tree)
    changed.lines.extend(tree.lines)
    if index == len(changed):
        changed.append(None)
        changed.lines.append(None)
    changed[index] = with_value(changed[index], path[used:], value, f"{kind}.{path[0]}")
    if used == len(path):
        changed.lines[index] = None
    return changed


def _index(tree: Items, path: tuple[str, ...], kind: str) -> tuple[int, int]:
    """Index of the item that the path names, and how many parts its name took."""
    if path[0].isascii() and path[0].isdigit() and len(path[0]) < 9 and int(path[0]) <= len(tree):
        return int(path[0]), 1
    names = [str(item.get("name", "")) if isinstance(item, dict) else "" for item in tree]
    for used in range(len(path), 0, -1):  # a name may hold dots
        name = ".".join(path[:used])
        if name in names:
            return names.index(name), used
    known = [name for name in names if name]
    hint = did_you_mean(path[0], known) or f"items: 0 to {len(tree) - 1}"
    raise _wrong(kind, f"has no item {seen(path[0])}", hint)


def _wrong(path: str, message: str, hint: str | None = None) -> InputError:
    return InputError(Problem(message, SET, path=path, hint=hint))
