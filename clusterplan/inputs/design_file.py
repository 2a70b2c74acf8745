"""`design.yaml`: engineering choices, validated against the field table that the caller passes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clusterplan.core.units import DIMENSIONS, seen
from clusterplan.inputs.datum import Datum
from clusterplan.inputs.document import Document
from clusterplan.inputs.leaf import Leaf, LeafError, did_you_mean
from clusterplan.inputs.leaves import (
    Choice,
    Day,
    Flag,
    Fraction,
    Number,
    Percent,
    Quantity,
    Several,
    Share,
    Text,
    Whole,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterplan.core.errors import Problem
    from clusterplan.core.fields import FieldSpec


@dataclass(frozen=True)
class DesignFile:
    """The choices of a design file.

    chosen: value by path below `design.`, in the unit of the table; data: the same as `Datum` where
    it is a figure, with its range and provenance.
    """

    chosen: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Datum[Any]] = field(default_factory=dict)
    document: Document = field(default_factory=lambda: Document("", None, "design"))

    def line_of(self, path: str) -> int | None:
        """The line of a path below `design.`."""
        return self.document.line_of(path)

    def place(self, path: str) -> tuple[str | None, int | None]:
        """File and line of a path; ("--set", None) where the command line set it."""
        return self.document.place(path)

    def problem(self, path: str, message: str, hint: str | None = None) -> Problem:
        """A problem with one of the choices, at its place."""
        return self.document.problem(path, message, hint)


def leaf_for(spec: FieldSpec) -> Leaf:
    """The kind of value that a row of the field table asks for."""
    kind, low, high = spec.kind, spec.minimum, spec.maximum
    if kind.startswith("list:"):
        return Several(_leaf(kind.removeprefix("list:"), spec))
    if kind in DIMENSIONS:
        return Quantity(kind, spec.unit, low, high)
    return _leaf(kind, spec)


def _leaf(kind: str, spec: FieldSpec) -> Leaf:
    low, high = spec.minimum, spec.maximum
    if kind in DIMENSIONS:
        return Quantity(kind, spec.unit, low, high)
    if kind == "fraction":
        return Fraction(low, high)
    if kind == "percent":
        return Percent(low, high)
    if kind == "integer":
        return Whole(low, high)
    if kind == "number":
        return Number(low, high)
    if kind == "deliveries":
        from clusterplan.inputs.deliveries import Deliveries  # few designs hold any

        return Deliveries()
    if kind == "choice":
        return Choice(*spec.choices)
    plain: dict[str, type[Leaf]] = {
        "boolean": Flag,
        "date": Day,
        "power_or_fraction": Share,
        "text": Text,
        "id": Text,
    }
    return plain[kind]()


def validate_design(
    document: Document, fields: Mapping[str, FieldSpec]
) -> tuple[DesignFile, list[Problem]]:
    """The choices of a document, and its problems. Keys that the table lacks are refused."""
    reader = _Reader(document, fields)
    tree = document.tree
    if tree is None:
        if document.file:
            reader.problems.append(document.problem("", "is empty"))
    elif not isinstance(tree, dict):
        reader.problems.append(document.problem("", f"keys are due here, not {seen(tree)}"))
    else:
        reader.group(tree, ())
    return DesignFile(reader.chosen, reader.data, document), reader.problems


class _Reader:
    """Walks the tree of one design file."""

    def __init__(self, document: Document, fields: Mapping[str, FieldSpec]) -> None:
        self.document = document
        self.fields = fields
        self.groups = {
            path[:index] for path in fields for index in range(len(path)) if path[index] == "."
        }
        self.chosen: dict[str, Any] = {}
        self.data: dict[str, Datum[Any]] = {}
        self.problems: list[Problem] = []

    def group(self, tree: dict[str, Any], above: tuple[str, ...]) -> None:
        for key, raw in tree.items():
            at = (*above, key)
            path = ".".join(at)
            if path in self.fields:
                self.leaf(path, raw)
            elif path not in self.groups:
                self._wrong(path, f"unknown key {seen(key)}", self._nearest(key, above))
            elif isinstance(raw, dict):
                self.group(raw, at)
            elif raw is None:
                self._wrong(path, "is empty", "leave the key out where nothing is chosen")
            else:
                hint = f"known: {_some(self._keys(at))}"
                self._wrong(path, f"a group of keys is due here, not {seen(raw)}", hint)

    def leaf(self, path: str, raw: Any) -> None:
        if raw is None:
            self._wrong(path, "is empty", "leave the key out where nothing is chosen")
            return
        try:
            value = leaf_for(self.fields[path]).parse(raw)
        except LeafError as error:
            for below, message, hint in error.parts:
                self._wrong(".".join((path, *below)), message, hint)
            return
        if isinstance(value, Datum):
            self.data[path] = value
            value = value.value
        self.chosen[path] = value

    def _keys(self, above: tuple[str, ...]) -> list[str]:
        start = "".join(f"{part}." for part in above)
        paths = [path[len(start) :] for path in self.fields if path.startswith(start)]
        return list(dict.fromkeys(path.split(".")[0] for path in paths))

    def _nearest(self, key: str, above: tuple[str, ...]) -> str | None:
        here = self._keys(above)
        for path in self.fields:  # right name, wrong group
            if path.split(".")[-1] == key:
                return f'did you mean "{self.document.prefix}.{path}"?'
        return did_you_mean(key, here) or f"known: {_some(here)}"

    def _wrong(self, path: str, message: str, hint: str | None) -> None:
        self.problems.append(self.document.problem(path, message, hint))


def _some(keys: list[str]) -> str:
    """The first few of a list of keys."""
    return ", ".join(keys[:8]) + (", ..." if len(keys) > 8 else "")
