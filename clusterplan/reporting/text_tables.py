"""Tables of the terminal report: whole, in bands, sideways, or as sentences if shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.reporting.layout import NBSP, Grid, Line, grid_lines, paragraph, width_of
from clusterplan.reporting.numbers import clean, is_number, is_unknown, printed, value_text
from clusterplan.reporting.tables import cell_text, column_header, is_numeric

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.figures import Row
    from clusterplan.reporting.rows import Table

UNVERIFIED = "*"
_BINDING = "binding"
_NOTHING = (None, "", ())
# A group of assumptions up to this size is printed, a larger one only counted.
_SMALL_GROUP = 8
_COMFORT = 26  # cells that a text column gets before its words wrap


def is_ledger(table: Table) -> bool:
    """Whether a table lists assumptions: paths with values and their flags."""
    return {"path", "value", "verified"} <= _names(table)


def table_lines(table: Table, width: int, units: str) -> list[Line]:
    """The body of a table within a width, in the form that its columns ask for."""
    names = _names(table)
    if is_ledger(table):
        return _ledger(table, width, units)
    if {"code", "message"} <= names:
        return _messages(table, width)
    if {"allows_racks", _BINDING} <= names:
        return _limits(table, width, units)
    return _table(table, list(range(len(table.lines))), width, units)


def table_title(table: Table) -> str:
    """The heading, with the counts that a table of assumptions is judged by."""
    if not is_ledger(table):
        return table.title
    unverified = sum(table.sibling(line, "verified") == "false" for line in table.lines)
    if not unverified:
        return f"{table.title} ({len(table.lines)})"
    return f"{table.title} ({len(table.lines)}, {unverified} of them {UNVERIFIED} not verified)"


def _names(table: Table) -> set[str]:
    return {column.name for column in table.columns}


def _table(table: Table, chosen: list[int], width: int, units: str) -> list[Line]:
    """The chosen lines of a table; empty columns stay out, those of nothing but 0 are named."""
    columns: list[int] = []
    zeros: list[int] = []
    for place, column in enumerate(table.columns):
        values = [table.lines[i][place].value for i in chosen]
        if column.info.detail or column.name == _BINDING or all(v in _NOTHING for v in values):
            continue
        is_zero = place > 0 and all(is_number(value) and value == 0 for value in values)
        (zeros if is_zero else columns).append(place)
    if not columns:  # nothing else tells the lines apart: show the zeros
        columns, zeros = zeros, []
    if not columns or not chosen:
        return []
    lines = _shaped(_grid(table, columns, chosen, units), width)
    if zeros:
        text = "; ".join(clean(table.columns[place].label) for place in zeros)
        lines += paragraph(f"Zero in every line: {text}", width, style="dim")
    return lines


def _shaped(grid: Grid, width: int) -> list[Line]:
    """The table in one piece where it fits, else in the form that takes the fewest lines."""
    lines = grid_lines(grid, width) if _fits(grid, width) else None
    if lines is not None:
        return lines
    options = [
        option
        for option in (_bands(grid, width), _turned_lines(grid, width), grid_lines(grid, width))
        if option is not None
    ]
    return min(options, key=len) if options else list(_records(grid, width))


def _grid(table: Table, columns: list[int], chosen: list[int], units: str) -> Grid:
    headers = [column_header(table.columns[c], units) for c in columns]
    lines, marked = [], []
    for place in chosen:
        line = table.lines[place]
        lines.append([cell_text(table, line[c], table.columns[c], units) for c in columns])
        marked.append(table.sibling(line, _BINDING) is True)
    numeric = [is_numeric(table, place) for place in columns]
    return Grid(headers, lines, numeric, numeric, marked)


def _comfortable(grid: Grid, place: int) -> int:
    """Width of a column at which its words stay whole and its text takes few lines."""
    cells = [line[place] for line in grid.lines]
    header = max(width_of(word) for word in grid.headers[place].split(" "))
    longest = max(width_of(cell) for cell in cells)
    if grid.fixed[place] or longest <= _COMFORT:
        return max(header, longest)
    words = max(width_of(word) for cell in cells for word in cell.split(" "))
    return max(header, words, _COMFORT)


def _fits(grid: Grid, width: int) -> bool:
    """Whether the table stands in one piece without squeezing its text into slivers."""
    needed = sum(_comfortable(grid, place) for place in range(len(grid.headers)))
    return needed + 2 * len(grid.headers) <= width


def _bands(grid: Grid, width: int) -> list[Line] | None:
    """The table in bands below each other, each with the first column and some of the others."""
    sizes = [_comfortable(grid, place) + 2 for place in range(len(grid.headers))]
    bands: list[list[int]] = []
    used = width + 1
    for place in range(1, len(sizes)):
        if used + sizes[place] > width:
            bands.append([])
            used = sizes[0]
        bands[-1].append(place)
        used += sizes[place]
    lines: list[Line] = []
    for band in bands:
        block = grid_lines(_picked(grid, [0, *band]), width)
        if block is None:
            return None
        lines += [[("", "")], *block] if lines else block
    return lines or None


def _picked(grid: Grid, places: list[int]) -> Grid:
    return Grid(
        [grid.headers[place] for place in places],
        [[line[place] for place in places] for line in grid.lines],
        [grid.fixed[place] for place in places],
        [grid.right[place] for place in places],
        grid.marked,
    )


def _turned_lines(grid: Grid, width: int) -> list[Line] | None:
    """The table on its side, one column an item, as many items beside each other as fit."""
    for count in range(len(grid.lines), 0, -1):
        blocks = []
        for start in range(0, len(grid.lines), count):
            turned = _turned(grid, grid.lines[start : start + count])
            block = grid_lines(turned, width) if _fits(turned, width) else None
            if block is None:
                break
            blocks.append(block)
        else:
            gap: Line = [("", "")]
            return [line for block in blocks for line in [*block, gap]][:-1]
    return None


def _turned(grid: Grid, items: list[list[str]]) -> Grid:
    headers = [grid.headers[0], *(item[0] for item in items)]
    lines = [
        [grid.headers[place], *(item[place] for item in items)]
        for place in range(1, len(grid.headers))
    ]
    wraps = [False] * len(headers)
    return Grid(headers, lines, wraps, [False, *[True] * len(items)], [False] * len(lines))


def _records(grid: Grid, width: int) -> Iterator[Line]:
    """One line a figure, for terminals too narrow for any table."""
    for cells in grid.lines:
        for place, (header, cell) in enumerate(zip(grid.headers, cells, strict=True)):
            if cell:
                text = f"{header}: {cell}"
                yield from paragraph(text, width, lead="  " if place == 0 else "    ")


def _messages(table: Table, width: int) -> list[Line]:
    lines: list[Line] = []
    for line in table.lines:
        found = {cell.name: value_text(cell.value) for cell in line}
        place = f" [{found['path']}]" if found.get("path") else ""
        lines += paragraph(f"{found['message']}{place}", width, style="yellow", lead="  ! ")
    return lines


def _limits(table: Table, width: int, units: str) -> list[Line]:
    """Limits that allow so many racks as a table, the binding ones marked; the rest in a line."""
    known = [
        place
        for place, line in enumerate(table.lines)
        if table.sibling(line, "allows_racks") is not None or table.sibling(line, _BINDING)
    ]
    lines = _table(table, known, width, units)
    quiet = [line for place, line in enumerate(table.lines) if place not in known]
    if quiet:
        text = "; ".join(_quiet_limit(table, line, units) for line in quiet)
        lines += paragraph(f"Not limiting: {text}", width, style="dim")
    return lines


def _quiet_limit(table: Table, line: tuple[Row, ...], units: str) -> str:
    """A limit that is not given or not known: its name, why, and what the plan takes of it."""
    name = clean(str(table.sibling(line, "name"))).replace("_", " ")
    note = clean(str(table.sibling(line, "note") or "")) or "unknown"
    used = next((cell for cell in line if cell.name == "used"), None)
    said = used is None or not is_number(used.value) or is_unknown(used.value) or not used.value
    if used is None or said or used.unit == "racks":  # the plan's own racks
        return f"{name} ({note})"
    value, unit = printed(used, units)
    return f"{name} ({note}; {value}{NBSP}{unit} taken)"


def _ledger(table: Table, width: int, units: str) -> list[Line]:
    """Assumptions: counts by group, and what is not verified in the small groups."""
    groups: dict[str, list[tuple[Row, ...]]] = {}
    for line in table.lines:
        branch = clean(str(table.sibling(line, "path"))).rpartition(".")[0]
        groups.setdefault(branch, []).append(line)
    counted, listed = [], []
    for branch, members in groups.items():
        doubtful = [line for line in members if _is_doubtful(table, line)]
        mark = f"{NBSP}({len(doubtful)}{UNVERIFIED})" if doubtful else ""
        counted.append(f"{branch or table.path}{NBSP}{len(members)}{mark}")
        if doubtful and len(members) <= _SMALL_GROUP:
            items = ", ".join(_assumption(table, line, units) for line in doubtful)
            listed.append(f"{branch}: {items}" if branch else items)
    lines = paragraph(", ".join(counted), width)
    if listed:
        text = "; ".join(listed)
        lines += paragraph(f"Not verified, of the small groups: {text}", width)
    hint = f"--explain {table.path}, or -o FILE.md, lists each with its source"
    return lines + paragraph(hint, width, style="dim")


def _is_doubtful(table: Table, line: tuple[Row, ...]) -> bool:
    return bool(table.sibling(line, "verified") == "false")


def _assumption(table: Table, line: tuple[Row, ...], units: str) -> str:
    leaf = clean(str(table.sibling(line, "path"))).rpartition(".")[2]
    cell = next(cell for cell in line if cell.name == "value")
    value, unit = printed(cell, units)
    return NBSP.join(part for part in (leaf, value, unit) if part)
