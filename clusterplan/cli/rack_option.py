"""`--rack`: a file when one of that name exists, else an id of the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from clusterplan.core.equipment import Accelerator, Rack

_LIST = '"clusterplan catalog racks" lists them, or give a rack file'


def rack_row(rack: str | Rack) -> Rack:
    """The rack of a file, an id or a row. Raises InputError naming `--rack`."""
    if not isinstance(rack, str):
        return rack
    if Path(rack).is_file():
        from clusterplan.inputs.loading import load_rack

        return load_rack(rack).to_rack()
    from clusterplan import catalog

    try:
        return catalog.rack(rack)
    except catalog.UnknownRowError as error:
        raise InputError(
            Problem(f"unknown rack {rack!r}", path="--rack", hint=error.hint or _LIST)
        ) from None


def accelerator_row(row: Rack) -> Accelerator:
    """The accelerator that a rack carries. Raises InputError naming `--rack`."""
    from clusterplan import catalog

    try:
        return catalog.accelerator(row.accelerator)
    except catalog.UnknownRowError as error:
        message = f"rack {row.id} has the unknown accelerator {row.accelerator!r}"
        raise InputError(Problem(message, path="--rack", hint=error.hint or None)) from None
