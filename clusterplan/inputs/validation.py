"""From a document to its model: every problem of the file found in one pass."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

from pydantic import ValidationError

from clusterplan.core.units import seen
from clusterplan.inputs.base import InputFile, Shorthand, Strict
from clusterplan.inputs.leaf import Leaf, LeafError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.errors import Problem
    from clusterplan.inputs.document import Document

M = TypeVar("M", bound=InputFile)


# what people write for a key, where the nearest spelling would not lead there
_KEY_HINTS = {
    "weather": "write climate: {weather: file.epw}",
    "lat": 'did you mean "latitude"?',
    "lon": 'did you mean "longitude"?',
    "lng": 'did you mean "longitude"?',
    "milestones": 'did you mean "stages"?',
    "fiber": 'did you mean "fibre"?',
}


def validate(model: type[M], document: Document) -> tuple[M, list[Problem]]:
    """The model of a document, and its problems.

    With problems the model is a salvage for cross-checks only: a value that is wrong or missing is
    None there.
    """
    tree = document.tree
    if not isinstance(tree, dict):
        message = "is empty" if tree is None else f"keys are due here, not {seen(tree)}"
        empty = salvage(model, {})
        empty._document = document
        return empty, [document.problem("", message)]
    problems = [
        document.problem(path, "is empty", "leave the key out where the value is unknown")
        for path in _empty(tree, ())
    ]
    if problems:
        tree = _without_empty(tree)
    model.model_rebuild()
    try:
        valid = model.model_validate(tree)
    except ValidationError as error:
        reported = {problem.path for problem in problems}
        found = [p for item in error.errors() for p in _problems(model, document, item)]
        for problem in found:
            if problem.path not in reported and problem not in problems:
                problems.append(problem)
        valid = salvage(model, tree)
    valid._document = document
    return valid, problems


def _empty(node: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if value is None:
                yield (*path, key)
            elif isinstance(value, dict | list):
                yield from _empty(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            if value is None:
                yield (*path, index)
            elif isinstance(value, dict | list):
                yield from _empty(value, (*path, index))


def _without_empty(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _without_empty(value) for key, value in node.items() if value is not None}
    if isinstance(node, list):
        return [_without_empty(value) for value in node if value is not None]
    return node


def _problems(model: type[Strict], document: Document, item: Any) -> Iterator[Problem]:
    at = item["loc"]
    kind = item["type"]
    if kind == "missing":
        yield document.problem(at, "is missing", _due(model, at))
    elif kind == "extra_forbidden":
        known = list(keys_of(_model_at(model, at[:-1])))
        hint = _KEY_HINTS.get(at[-1]) or did_you_mean(at[-1], known)
        yield document.problem(at, f"unknown key {seen(at[-1])}", hint or _listed(known))
    elif kind == "value_error" and isinstance(item["ctx"]["error"], LeafError):
        for below, message, hint in item["ctx"]["error"].parts:
            yield document.problem(_written(document.tree, (*at, *below)), message, hint)
    elif kind in ("model_type", "model_attributes_type"):
        known = list(keys_of(_model_at(model, at)))
        value = _short(item["input"])
        yield document.problem(at, f"a group of keys is due here, not {value}", _listed(known))
    elif kind in ("tuple_type", "list_type"):
        value = _short(item["input"])
        yield document.problem(at, f'a list ("- ...") is due here, not {value}')
    else:
        yield document.problem(at, str(item["msg"]))


def _written(tree: Any, at: tuple[Any, ...]) -> tuple[Any, ...]:
    """The path as the user wrote it: without the keys that a shorthand stands for."""
    kept = []
    for index, key in enumerate(at):
        there = (isinstance(tree, dict) and key in tree) or (
            isinstance(tree, list) and isinstance(key, int)
        )
        if there or (isinstance(tree, dict) and index == len(at) - 1):
            kept.append(key)
        if there:
            tree = tree[key]
    return tuple(kept)


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "a group of keys"
    return "a list" if isinstance(value, list) else seen(value)


def _listed(known: list[str]) -> str:
    shown = ", ".join(known[:8])
    return f"known: {shown}{', ...' if len(known) > 8 else ''}"


def _due(model: type[Strict], at: tuple[Any, ...]) -> str | None:
    field = keys_of(_model_at(model, at[:-1])).get(at[-1])
    return field.description if field else None


def keys_of(model: type[Strict] | None) -> dict[str, Any]:
    """Key as written in YAML -> pydantic field."""
    if model is None:
        return {}
    return {field.alias or name: field for name, field in model.model_fields.items()}


def leaf_of(field: Any) -> Leaf | None:
    """The kind of single value of a field; None for a group or a list."""
    return next((item for item in field.metadata if isinstance(item, Leaf)), None)


def group_of(field: Any) -> tuple[type[Strict] | None, bool]:
    """The model of a field that is a group, or a list of groups (True)."""
    return _group_in(field.annotation)


def _group_in(annotation: Any) -> tuple[type[Strict] | None, bool]:
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return (annotation, False) if issubclass(annotation, Strict) else (None, False)
    many = get_origin(annotation) is tuple
    for part in get_args(annotation):
        found, listed = _group_in(part)
        if found is not None:
            return found, many or listed
    return None, many


def _model_at(model: type[Strict], at: tuple[Any, ...]) -> type[Strict] | None:
    current: type[Strict] | None = model
    for key in at:
        if isinstance(key, str):
            field = keys_of(current).get(key)
            current = group_of(field)[0] if field is not None else None
    return current


def salvage(model: type[M], tree: Any) -> M:
    """The model with None for everything wrong or missing. For cross-checks of a bad file."""
    values: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        raw = tree.get(field.alias or name) if isinstance(tree, dict) else None
        values[name] = _salvaged(field, raw)
    return model.model_construct(**values)


def _salvaged(field: Any, raw: Any) -> Any:
    leaf = leaf_of(field)
    if leaf is not None:
        try:
            return None if raw is None else leaf.parse(raw)
        except LeafError:
            return None
    for item in field.metadata:
        if isinstance(item, Shorthand):
            raw = item.spread(raw)
    group, many = group_of(field)
    if group is None:
        return None
    construct: Any = salvage
    if many:
        return tuple(construct(group, part) for part in raw) if isinstance(raw, list) else ()
    return construct(group, raw) if isinstance(raw, dict) else None
