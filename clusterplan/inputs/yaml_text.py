"""YAML text to plain data with the line of every key and item, in the meaning of YAML 1.2.

The parser's events are read directly (the C one where it is built), so that no rule of YAML 1.1
takes part: `NO`, `on` and `yes` are text, 12:30 is text, 010 is ten and 1e3 a thousand. Dates stay
text. Duplicate keys, tags, merge keys, several documents, and aliases that swell are refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.units import seen

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_DEPTH = 32
_MAX_NODES = 50_000  # aliases expanded; the largest honest file has some hundreds

_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE = frozenset(("true", "True", "TRUE"))
_FALSE = frozenset(("false", "False", "FALSE"))
_INT = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_SPECIAL = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
# line breaks in YAML 1.1 and for the parser, but not in 1.2 and not for editors
_ODD_BREAK = re.compile("[\x85\u2028\u2029]")
_LONGEST_INT = 18  # digits; longer ones are read as a float, as no field needs them exact


class Block(dict[str, Any]):
    """A mapping that knows its line and the line of each key; None: set on the command line."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int | None = None) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int | None] = {}


class Items(list[Any]):
    """A list that knows its line and the line of each item; None: set on the command line."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int | None = None) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int | None] = []


def scalar(text: str) -> Any:
    """A plain scalar by the core schema of YAML 1.2.2, section 10.3.2."""
    first = text[:1]
    if first not in "+-.0123456789":
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        return None if text in _NULL else text
    if _INT.match(text):
        return int(text) if len(text) <= _LONGEST_INT else float(text)
    if _FLOAT.match(text):
        return float(text)
    if _BASED.match(text) and len(text) <= _LONGEST_INT:
        return int(text, 0)
    if _SPECIAL.match(text):
        return float(text.replace(".", ""))
    return None if text in _NULL else text


def parse_yaml(text: str, name: str, *, lines: bool = True) -> Any:
    """The data of one YAML document: `Block`, `Items`, text, number, boolean or None.

    name: the file as shown to the user; lines: False for a value of the command line, whose parts
    have no line. Raises InputError with every problem found, each with file and line.
    """
    odd = _ODD_BREAK.search(text)
    if odd is not None:
        line = text.count("\n", 0, odd.start()) + 1 if lines else None
        message = f"holds the invisible character U+{ord(odd.group()):04X}"
        raise InputError(Problem(message, name, line, hint="replace it by a space"))
    try:
        text.encode("utf-8")
        return _Reader(text, name, lines).document()
    except UnicodeEncodeError:
        raise InputError(Problem("has characters that are not Unicode text", name)) from None
    except yaml.YAMLError as error:
        raise InputError(_syntax_problem(error, text, name)) from None


class _RefusedError(Exception):
    """A problem after which reading on makes no sense."""


class _Reader:
    """One pass over the parser's events."""

    def __init__(self, text: str, name: str, lines: bool) -> None:
        self._events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        self._name = name
        self._keep_lines = lines
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._nodes = 0
        self._problems: list[Problem] = []

    def document(self) -> Any:
        value = None
        try:
            documents = 0
            for event in self._events:
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        self._stop(event, "holds several documents", 'remove the line "---"')
                    value = self._value(next(self._events), 0)
        except _RefusedError:
            pass
        if self._problems:
            raise InputError(self._problems)
        return value

    def _stop(self, event: Any, message: str, hint: str | None = None) -> None:
        self._note(event, message, hint)
        raise _RefusedError

    def _note(self, event: Any, message: str, hint: str | None = None) -> None:
        line = event.start_mark.line + 1 if self._keep_lines else None
        self._problems.append(Problem(message, self._name, line, hint=hint))

    def _line(self, event: Any) -> int | None:
        return event.start_mark.line + 1 if self._keep_lines else None

    def _count(self, event: Any, nodes: int) -> None:
        self._nodes += nodes
        if self._nodes > _MAX_NODES:
            self._stop(event, f"holds more than {_MAX_NODES:,} values, aliases written out")

    def _value(self, event: Any, depth: int) -> Any:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        self._count(event, 1)
        if depth > _MAX_DEPTH:
            self._stop(event, f"is nested more than {_MAX_DEPTH} levels deep")
        if event.tag is not None:
            self._note(event, f'has the tag "{event.tag}"', "remove it: no field needs a tag")
        before = self._nodes
        value: Any
        if isinstance(event, yaml.ScalarEvent):
            plain = event.style in (None, "")
            value = scalar(event.value) if plain else event.value
        elif isinstance(event, yaml.MappingStartEvent):
            value = self._mapping(event, depth)
        else:
            value = self._sequence(event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, self._nodes - before + 1)
        return value

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self._anchors:
            self._stop(
                event,
                f'refers to "*{event.anchor}", which is not defined above it',
                'put text that begins with "*" in quotes',
            )
        value, nodes = self._anchors[event.anchor]
        self._count(event, nodes)
        return value

    def _mapping(self, start: Any, depth: int) -> Block:
        block = Block(self._line(start))
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                self._stop(event, "has a key that is not a word")
            key = event.value
            if key in block:
                first = block.lines[key]
                self._note(event, f"has the key {seen(key)} again (first on line {first})")
            if key == "<<" and event.style in (None, ""):
                self._note(event, 'has the merge key "<<"', "write the keys out")
            block[key] = self._value(next(self._events), depth + 1)
            block.lines[key] = self._line(event)
        return block

    def _sequence(self, start: Any, depth: int) -> Items:
        items = Items(self._line(start))
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            line = self._line(event)
            items.append(self._value(event, depth + 1))
            items.lines.append(line)
        return items


def _syntax_problem(error: yaml.YAMLError, text: str, name: str) -> Problem:
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        message = error.problem or "cannot be read"
        lines = text.splitlines()
        near = lines[line - 1] if line and line <= len(lines) else ""
        message = f"is not valid YAML: {message}"
        if near.strip():
            message += f", near {seen(near.strip())}"
        return Problem(message, name, line, hint=_syntax_hint(error.problem or "", near))
    position = getattr(error, "position", None)
    line = None
    if isinstance(position, int):
        line = text.encode("utf-8")[:position].count(b"\n") + 1
    reason = getattr(error, "reason", None) or "cannot be read"
    return Problem(f"is not valid YAML: {reason}", name, line)


def _syntax_hint(problem: str, near: str) -> str | None:
    if "\t" in near[: len(near) - len(near.lstrip())] or "'\\t'" in problem:
        return "indent with spaces, not with a tab"
    if "mapping values are not allowed" in problem:
        return 'indent keys of one level alike, and put text that contains ": " in quotes'
    if "cannot start any token" in problem:
        return "put text that begins with a special character in quotes"
    return None
