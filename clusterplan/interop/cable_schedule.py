"""The cable schedule, the placement and the bill of materials as CSV."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from clusterplan.core.wired_fabric import CableRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

    from clusterplan.core.results.cabling import BomRow


def write_cables(rows: Iterable[CableRow], out: TextIO) -> None:
    """One line a link, as it comes: nothing is kept."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CableRow._fields)
    writer.writerows(rows)


def write_bill(items: Sequence[BomRow], out: TextIO) -> None:
    """One line an item."""
    names = ("fabric", "item", "id", "part", "place", "length_m", "cables")
    counts = ("quantity", "spares", "total")
    _write(out, (*names, *counts), ([getattr(row, n) for n in (*names, *counts)] for row in items))


def write_racks(racks: Iterable[Sequence[Any]], names: Sequence[str], out: TextIO) -> None:
    """One line a cabinet or a device, under the names of its fields."""
    _write(out, names, racks)


def _write(out: TextIO, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
