"""JSON Schema of each kind of input file, for editors, from the same tables as the validation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clusterplan.core.units import DIMENSIONS
from clusterplan.inputs.base import Shorthand
from clusterplan.inputs.deliveries import COUNTS, Deliveries
from clusterplan.inputs.design_file import leaf_for
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
    Several,
    Share,
    Whole,
)
from clusterplan.inputs.validation import group_of, keys_of, leaf_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterplan.core.fields import FieldSpec
    from clusterplan.inputs.base import Strict
    from clusterplan.inputs.leaf import Leaf

Json = dict[str, Any]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_PERCENT = rf"^\s*{_NUMBER}\s*%\s*$"
_DATE = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def schema_of_model(kind: str, model: type[Strict]) -> Json:
    """The schema of a site, grid, rack or workload file."""
    definitions: Json = {}
    body = _group(model, definitions)
    return _whole(kind, model.__doc__ or "", body, definitions)


def schema_of_design(fields: Mapping[str, FieldSpec]) -> Json:
    """The schema of a design file, from the field table."""
    definitions: Json = {}
    root: Json = {"type": "object", "properties": {}, "additionalProperties": False}
    for path, spec in fields.items():
        *above, key = path.split(".")
        node = root
        for part in above:
            group = {"type": "object", "properties": {}, "additionalProperties": False}
            node = node["properties"].setdefault(part, group)
        default = f"; default {spec.default} {spec.unit}".rstrip() if spec.default else ""
        text = f"{spec.text}{default}"
        node["properties"][key] = {**_leaf(leaf_for(spec), definitions), "description": text}
    return _whole(
        "design", "Engineering choices; what is left out takes a default.", root, definitions
    )


def _whole(kind: str, text: str, body: Json, definitions: Json) -> Json:
    head = {"$schema": _DIALECT, "title": f"clusterplan {kind} file", "description": text}
    return {**head, **body, "$defs": dict(sorted(definitions.items()))}


def _group(model: type[Strict], definitions: Json) -> Json:
    properties: Json = {}
    required = []
    for key, field in keys_of(model).items():
        properties[key] = {**_field(field, definitions), "description": field.description or ""}
        if field.is_required():
            required.append(key)
    schema: Json = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    return schema


def _field(field: Any, definitions: Json) -> Json:
    leaf = leaf_of(field)
    if leaf is not None:
        return _leaf(leaf, definitions)
    model, many = group_of(field)
    if model is None:
        return {}
    name = model.__name__
    if name not in definitions:
        definitions[name] = {}  # keeps the order and stops a recursion
        definitions[name] = {**_group(model, definitions), "description": model.__doc__ or ""}
    reference: Json = {"$ref": f"#/$defs/{name}"}
    if many:
        return {"type": "array", "items": reference}
    for item in field.metadata:
        if isinstance(item, Shorthand):
            single = keys_of(model)[item.keys[0]]
            return {"anyOf": [reference, _field(single, definitions)]}
    return reference


def _leaf(leaf: Leaf, definitions: Json) -> Json:
    """Short form, or the long form with source and range."""
    if isinstance(leaf, Several):
        return {"type": "array", "items": _leaf(leaf.item, definitions)}
    if isinstance(leaf, Deliveries):
        return _deliveries(leaf, definitions)
    short = _short(leaf)
    source = {"type": "string", "minLength": 1}
    long: Json = {"value": short, "source": source}
    if isinstance(leaf, Figure | Day):
        long |= {"low": short, "high": short}
    long |= {
        "date": {"type": "string", "pattern": _DATE},
        "verified": {"enum": [True, False, "secondary"]},
    }
    datum = {
        "type": "object",
        "properties": long,
        "required": ["value"],
        "additionalProperties": False,
    }
    return {"anyOf": [short, datum]}


def _deliveries(leaf: Deliveries, definitions: Json) -> Json:
    item = {
        "type": "object",
        "properties": {
            key: {**_leaf(part, definitions), "description": text}
            for key, part, text in leaf.leaves
        },
        "required": ["date"],
        "oneOf": [{"required": [name]} for name in COUNTS],
        "additionalProperties": False,
    }
    return {"type": "array", "items": item, "minItems": 1}


def _short(leaf: Leaf) -> Json:
    if isinstance(leaf, Quantity):
        return _quantity(leaf)
    if isinstance(leaf, FaultLevel):
        units = "|".join(("kA", "A", "kVA", "MVA", "GVA"))
        return {
            "type": "string",
            "pattern": rf"^\s*{_NUMBER}\s*({units})\s*$",
            "examples": ["40 kA", "12000 MVA"],
        }
    if isinstance(leaf, Fraction):
        bounds = _bounds(leaf)
        return {"anyOf": [{"type": "number", **bounds}, {"type": "string", "pattern": _PERCENT}]}
    if isinstance(leaf, Percent):
        return {"type": "string", "pattern": _PERCENT, "examples": ["10 %"]}
    if isinstance(leaf, Whole):
        return {"type": "integer", **_bounds(leaf)}
    if isinstance(leaf, Number):
        return {"type": "number", **_bounds(leaf)}
    if isinstance(leaf, Flag):
        return {"type": "boolean"}
    if isinstance(leaf, Choice):
        return {"enum": list(leaf.words)}
    if isinstance(leaf, Day):
        return {"type": "string", "pattern": _DATE, "examples": ["2027-06-30"]}
    if isinstance(leaf, Share):
        share: Json = {"type": "string", "examples": ["2 MW", "3 %"]}
        return {"anyOf": [share, {"type": "number", "minimum": 0, "maximum": 1}]}
    if isinstance(leaf, Id):
        return {"type": "string", "pattern": "^[a-z0-9][a-z0-9_-]*$", "maxLength": 100}
    return {"type": "string", "minLength": 1}


def _quantity(leaf: Quantity) -> Json:
    entry = DIMENSIONS[leaf.dimension]
    units = "|".join(re.escape(unit).replace(r"\-", "-") for unit in entry.spellings)
    schema: Json = {
        "type": "string",
        "pattern": rf"^\s*{_NUMBER}\s*({units})\s*$",
        "examples": [entry.example],
    }
    if leaf.minimum is not None or leaf.maximum is not None:
        schema["$comment"] = f"accepted: {leaf.accepted()}"
    return schema


def _bounds(leaf: Figure) -> Json:
    bounds = {"minimum": leaf.minimum, "maximum": leaf.maximum}
    return {key: value for key, value in bounds.items() if value is not None}
