"""A CSV of candidate sites, one a row: read as a stream, each row as the files of one site.

A column is a path of the site file (`latitude`, `land.gross`), or of another file with its name in
front (`grid.voltage`, `design.heat_rejection`, `grid.stages.0.firm`). `grid.firm`, `grid.nonfirm`,
`grid.energised` and `grid.status` are those of a single stage. A unit may stand in the header, as
in `land.gross [acre]`; no figure is taken without one. An empty cell is unknown.
"""

from __future__ import annotations

import codecs
import csv
import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.units import seen
from clusterplan.inputs.document import Document
from clusterplan.inputs.leaf import did_you_mean
from clusterplan.inputs.loading import SiteInputs, check_document, load_rack, load_site_folder
from clusterplan.inputs.yaml_text import Block, Items, scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusterplan.core.equipment import Region, State
    from clusterplan.core.fields import FieldSpec
    from clusterplan.inputs.rack_file import RackFile

MOST_COLUMNS = 500
MOST_ROWS = 1_000_000
_BLOCK_BYTES = 1 << 20
_NOT_IN_CP1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_SHOWN_CELL = 200
_STAGE = ("firm", "nonfirm", "energised", "status", "confidence")
_KINDS = ("grid", "design", "workload")
_TEXT = {"id", "name", "country", "state", "county", "rack", "notes", "climate"}
_HEADER = re.compile(r"\s*([^\[\]]*?)\s*(?:\[([^\[\]]*)\])?\s*\Z")
_COMMA_NUMBER = re.compile(r"[-+]?\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![\d,])|[-+]?\d+,\d+")


class Column(NamedTuple):
    """One column: file kind, path below it, unit of its header."""

    header: str
    kind: str
    path: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class Table:
    """How a file is to be read, found before its first row is.

    lines: lines of the file, an upper bound of the rows; encoding and separator as found. files: of
    a tree of folders its site files, which are its rows.
    """

    path: Path
    encoding: str
    separator: str
    columns: tuple[Column, ...]
    lines: int
    files: tuple[str, ...] = ()


class RawRow(NamedTuple):
    """One row as text: the line on which it starts, its cells, or what is wrong with it."""

    line: int
    cells: tuple[str, ...]
    problem: str = ""


def open_table(path: Path) -> Table:
    """Look through a file once: its encoding, separator and columns. Raises InputError."""
    encoding, lines = _scan(path)
    with path.open(encoding=encoding, newline="") as stream:
        head = stream.readline(10_000_000)
        has_rows = any(line.strip() for line in stream)
    if not head.strip():
        raise InputError(Problem("is empty; a header line is due", str(path), 1))
    separator = max(",;\t", key=head.count)
    cells = next(csv.reader([head], delimiter=separator))
    if len(cells) > MOST_COLUMNS:
        message = f"has {len(cells):,} columns; {MOST_COLUMNS} are the most"
        raise InputError(Problem(message, str(path), 1))
    columns = _columns(path, cells)
    if not has_rows:
        hint = "a row for each site is due below it"
        raise InputError(Problem("has a header line and nothing below it", str(path), 1, hint=hint))
    return Table(path, encoding, separator, columns, lines)


def open_tree(folder: Path) -> Table:
    """A tree of site folders as a table: each site file in it, by path, is a row."""
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("site.y*ml"))
    return Table(folder, "utf-8", "", (), len(files), tuple(files))


def _scan(path: Path) -> tuple[str, int]:
    """Encoding and number of lines, in blocks: a file need not fit in memory."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    utf8, lines, first = True, 0, b""
    odd_byte: tuple[int, int] | None = None
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK_BYTES):
                first = first or block[:4]
                if odd_byte is None and (found := _NOT_IN_CP1252.search(block)):
                    place = found.start()
                    odd_byte = (block[place], lines + block.count(b"\n", 0, place) + 1)
                lines += block.count(b"\n")
                if b"\0" in block:
                    odd = first[:2] in (b"\xff\xfe", b"\xfe\xff")
                    what = "is UTF-16 text" if odd else "is a binary file, not text"
                    raise InputError(Problem(what, str(path), hint="save it as CSV in UTF-8"))
                if utf8:
                    try:
                        decoder.decode(block)
                    except UnicodeDecodeError:
                        utf8 = False
            if utf8:
                try:
                    decoder.decode(b"", final=True)
                except UnicodeDecodeError:
                    utf8 = False
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise InputError(Problem(message, str(path))) from None
    if lines > MOST_ROWS:
        message = f"has {lines:,} lines; {MOST_ROWS:,} are the most"
        raise InputError(Problem(message, str(path)))
    if not utf8 and odd_byte is not None:
        message = f"is neither UTF-8 nor Windows-1252 text: byte 0x{odd_byte[0]:02x}"
        raise InputError(Problem(message, str(path), odd_byte[1], hint="save it as CSV in UTF-8"))
    return ("utf-8-sig" if utf8 else "cp1252"), lines


def _columns(path: Path, cells: list[str]) -> tuple[Column, ...]:
    columns: list[Column] = []
    problems: list[Problem] = []
    for place, cell in enumerate(cells, start=1):
        match = _HEADER.match(cell)
        if match is None or not match[1]:
            problems.append(Problem(f"column {place} has no name", str(path), 1))
            continue
        kind, dot, below = match[1].partition(".")
        if kind == "site" and dot:
            kind, parts = "site", below.split(".")
        elif kind in _KINDS and dot:
            parts = below.split(".")
        else:
            kind, parts = "site", match[1].split(".")
        if kind == "grid" and parts[0] in _STAGE and len(parts) == 1:
            parts = ["stages", "0", *parts]
        columns.append(Column(cell.strip(), kind, tuple(parts), (match[2] or "").strip()))
    paths = [(column.kind, column.path) for column in columns]
    for column in columns:
        if paths.count((column.kind, column.path)) > 1:
            problems.append(Problem("stands there twice", str(path), 1, column.header))
    problems += _unknown(path, columns)
    if ("site", ("id",)) not in paths:
        hint = did_you_mean("id", [column.header for column in columns])
        problems.append(Problem("has no column id", str(path), 1, hint=hint))
    if problems:
        raise InputError(problems[:20])
    return tuple(columns)


def _unknown(path: Path, columns: list[Column]) -> Iterator[Problem]:
    """Columns that no file has: once, and not with each of the rows."""
    for kind in ("site", "grid", "workload"):
        own = [column for column in columns if column.kind == kind]
        if not own:
            continue
        tree = _tree(own, ["x"] * len(own), 1, decimal_comma=False)
        found = check_document(kind, Document(str(path), tree, "" if kind == "site" else kind))
        for problem in found.problems:
            if problem.message.startswith("unknown key"):
                yield Problem(
                    f"unknown column: {problem.message}", str(path), 1, problem.path, problem.hint
                )


def raw_rows(table: Table) -> Iterator[RawRow]:
    """The rows of a table in order, empty lines left out; a row of a wrong shape says so."""
    if table.files:
        yield from (RawRow(place, (file,)) for place, file in enumerate(table.files, start=1))
        return
    width = len(table.columns)
    with table.path.open(encoding=table.encoding, newline="") as stream:
        feed = _Feed(stream)
        next(feed)  # the header
        rest = feed.rows(table.separator)
        while True:
            start = feed.begin()
            try:
                cells = next(rest)
            except StopIteration:
                return
            except csv.Error:
                yield from _alone(feed.held, start, table)
                rest = feed.rows(table.separator)
                continue
            if len(cells) != width and len(feed.held) > 1:
                yield from _alone(feed.held, start, table)
            elif any(cell.strip() for cell in cells):
                yield RawRow(start, tuple(cells[:width]), _shape(cells, width))


class _Feed:
    """Lines of a file, with those of the row that is being read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._number = 0
        self.held: list[str] = []

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._number += 1
        self.held.append(line)
        return line

    def begin(self) -> int:
        """Let go of the lines of the last row; the line on which the next one starts."""
        self.held = []
        return self._number + 1

    def rows(self, separator: str) -> Iterator[list[str]]:
        """The rows from here on; csv.Error at a quotation mark that does not close as it should."""
        return csv.reader(self, delimiter=separator, strict=True)


def _alone(lines: list[str], start: int, table: Table) -> Iterator[RawRow]:
    """Lines that a quotation mark would make one row, each by itself: only its own is lost."""
    width = len(table.columns)
    for number, line in enumerate(lines, start=start):
        try:
            cells = next(csv.reader([line], delimiter=table.separator, strict=True), [])
            problem = _shape(cells, width)
        except csv.Error:
            parts = line.rstrip("\r\n").split(table.separator, width)[:width]
            cells = [part[:_SHOWN_CELL] for part in parts]
            problem = "a quotation mark in it does not close, or a cell is too long"
        if any(cell.strip() for cell in cells):
            yield RawRow(number, tuple(cells[:width]), problem)


def _shape(cells: list[str], width: int) -> str:
    return "" if len(cells) == width else f"has {len(cells)} cells, the header {width}"


def id_of(table: Table, row: RawRow) -> str:
    """The id as it is written, '' where the row is too short; of a tree the path of the file."""
    if table.files:
        return row.cells[0]
    place = next(i for i, c in enumerate(table.columns) if (c.kind, c.path) == ("site", ("id",)))
    return row.cells[place].strip() if place < len(row.cells) else ""


def row_inputs(
    table: Table,
    row: RawRow,
    *,
    fields: Mapping[str, FieldSpec],
    regions: Iterable[Region],
    states: Iterable[State],
    rack: str | None = None,
) -> SiteInputs:
    """The inputs of one row. Raises InputError with every problem, each with line and column."""
    from clusterplan.inputs.design_file import DesignFile, validate_design
    from clusterplan.inputs.places import check_place

    if table.files:
        return load_site_folder(
            table.path / row.cells[0], fields=fields, regions=regions, states=states, rack=rack
        )
    file = str(table.path)
    if row.problem:
        raise InputError(Problem(row.problem, file, row.line))
    comma = table.separator == ";"
    documents: dict[str, Document] = {}
    for kind in ("site", *_KINDS):
        chosen = [i for i, column in enumerate(table.columns) if column.kind == kind]
        own = [table.columns[i] for i in chosen]
        cells = [row.cells[i] for i in chosen]
        if any(cell.strip() for cell in cells):
            tree = _tree(own, cells, row.line, decimal_comma=comma)
            documents[kind] = Document(file, tree, "" if kind == "site" else kind)
    if "site" not in documents:
        raise InputError(Problem("names no site", file, row.line))
    named = documents["site"].tree.pop("rack", None)
    models: dict[str, Any] = {}
    problems: list[Problem] = []
    warnings: list[Any] = []
    region = state = None
    for kind in ("site", "grid", "workload"):
        if kind in documents:
            found = check_document(kind, documents[kind])
            models[kind] = found.model
            if kind == "site":
                region, state = check_place(found.model, found, regions, states)
            problems += found.problems
            warnings += found.warnings
    design = DesignFile()
    if "design" in documents:
        design, wrong = validate_design(documents["design"], fields)
        problems += wrong
    if problems:
        raise InputError(problems)
    own_rack = None if rack is None else _own_rack(rack)
    return SiteInputs(
        **models,
        design=design.chosen,
        design_data=design.data,
        rack=own_rack,
        rack_id=None if own_rack is not None else rack or named,
        region=region,
        state=state,
        files=dict.fromkeys(documents, file),
        documents=documents,
        warnings=tuple(warnings),
    )


@functools.cache
def _own_rack(rack: str) -> RackFile | None:
    """The user's own rack where a file of that name exists; else it is an id of the catalogue."""
    return load_rack(rack) if Path(rack).is_file() else None


def _tree(columns: list[Column], cells: list[str], line: int, *, decimal_comma: bool) -> Block:
    """The cells as the tree that a file with the same content gives; empty ones left out."""
    tree = Block(line)
    for column, cell in zip(columns, cells, strict=True):
        text = cell.strip()
        if text:
            _put(tree, column.path, _value(column, text, decimal_comma=decimal_comma), line)
    stages = tree.get("stages")
    if isinstance(stages, Items):
        for place, stage in enumerate(stages):
            if isinstance(stage, Block) and "name" not in stage:
                stage["name"] = "all" if len(stages) == 1 else f"stage {place + 1}"
                stage.lines["name"] = line
    return tree


def _value(column: Column, text: str, *, decimal_comma: bool) -> Any:
    if column.kind == "site" and column.path[0] in _TEXT and len(column.path) == 1:
        return text
    if decimal_comma:
        text = _COMMA_NUMBER.sub(lambda m: m[0].replace(".", "").replace(",", "."), text)
    if column.unit:
        return f"{text} {column.unit}"
    return scalar(text)


def _put(tree: Block, path: tuple[str, ...], value: Any, line: int) -> None:
    """Set a value at a path, with groups and list items made on the way."""
    node: Any = tree
    for key, following in zip(path, (*path[1:], None), strict=True):
        place: Any = key
        if isinstance(node, Items):
            place = int(key) if key.isdigit() else -1
            if not 0 <= place <= len(node):
                raise InputError(Problem(f"{seen(key)}: list items count from 0", line=line))
            if place == len(node):
                node.append(None)
                node.lines.append(line)
        elif not isinstance(node, Block):
            raise InputError(Problem(f"{seen('.'.join(path))}: a value stands in its way"))
        if following is None:
            node[place] = value
        elif (place not in node) if isinstance(node, Block) else node[place] is None:
            node[place] = Items(line) if following.isdigit() else Block(line)
        if isinstance(node, Block):
            node.lines[key] = line
        node = node[place]
