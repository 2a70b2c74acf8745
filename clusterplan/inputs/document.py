"""One parsed input file: its tree and the place of every value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clusterplan.core.errors import Problem
from clusterplan.inputs.yaml_text import Block, Items

SET = "--set"


@dataclass(frozen=True)
class Provenance:
    """Where a value comes from, as the user says."""

    source: str
    date: str
    verified: str


@dataclass(frozen=True)
class Document:
    """A file's name as shown, its tree, and the prefix of its paths (`grid`)."""

    file: str
    tree: Any
    prefix: str = ""

    def line_of(self, path: str) -> int | None:
        """The line of a dotted path below the prefix, or of the nearest part that is there."""
        return self.find(tuple(path.split(".")) if path else ())

    def find(self, keys: tuple[Any, ...]) -> int | None:
        """The line of a path of keys and indexes, or of its nearest part; None: from --set."""
        node: Any = self.tree
        line: int | None = getattr(node, "line", 1)
        for key in keys:
            if isinstance(node, Block) and key in node:
                line = node.lines.get(key)
            elif isinstance(node, Items) and str(key).isdigit() and int(key) < len(node):
                key = int(key)
                line = node.lines[key]
            else:
                break
            node = node[key]
        return line

    def place(self, path: str) -> tuple[str | None, int | None]:
        """File and line; ("--set", None) where the command line set the value."""
        line = self.line_of(path)
        return (self.file, line) if line is not None else (SET, None)

    def problem(
        self, path: str | tuple[Any, ...], message: str, hint: str | None = None
    ) -> Problem:
        """A problem at a path below the prefix."""
        if isinstance(path, tuple):
            path = ".".join(str(part) for part in path)
        file, line = self.place(path)
        shown = _printable(".".join(part for part in (self.prefix, path) if part))
        return Problem(message, file, line, shown or None, hint)

    def node(self, path: str) -> Any:
        """What the user wrote at a dotted path, None where nothing stands."""
        node: Any = self.tree
        for key in path.split("."):
            if isinstance(node, Items) and key.isdigit() and int(key) < len(node):
                node = node[int(key)]
            elif isinstance(node, Block) and key in node:
                node = node[key]
            else:
                return None
        return node

    def provenance(self, path: str) -> Provenance | None:
        """Source, date and verified flag of a value in the long form, else None."""
        node = self.node(path)
        if not isinstance(node, Block) or "value" not in node:
            return None
        source = str(node.get("source", ""))
        verified = str(node.get("verified", False)).lower() if source else "false"
        return Provenance(source, str(node.get("date", "")), verified)


def _printable(text: str) -> str:
    """A path without control characters, which a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
