"""`clusterplan fabric --export`: files that a network team and its programs read."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.cli.fabric import planned
from clusterplan.cli.output import INFEASIBLE
from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO, TextIO

    from clusterplan.cli.fabric import FabricJob


class ExportOptions(NamedTuple):
    """What narrows an export: one plane (from 1) or all."""

    plane: int | None = None


class Export(NamedTuple):
    """One format: what it is for, and what writes it."""

    text: str
    write: Callable[[FabricJob, ExportOptions, TextIO], None]


def _cables(job: FabricJob, options: ExportOptions, out: TextIO) -> None:
    from clusterplan.interop.cable_schedule import write_cables

    write_cables(_rows(job, options), out)


def _rows(job: FabricJob, options: ExportOptions) -> Iterator[Any]:
    for one in job.cabling().fabrics:
        for row in one.cabling.rows():
            if options.plane in (None, row.plane):
                yield row


def _bom(job: FabricJob, options: ExportOptions, out: TextIO) -> None:
    from clusterplan.interop.cable_schedule import write_bill
    from clusterplan.planning.cabling_figures import bill

    counted = [(one, one.cabling.totals()) for one in job.cabling().fabrics]
    write_bill(bill(counted, job.choices.number("fabric.spares")), out)


def _racks(job: FabricJob, options: ExportOptions, out: TextIO) -> None:
    from clusterplan.interop.cable_schedule import write_racks

    placement = job.cabling().placement
    names = ("rack", "kind", "row", "position", "x_m", "y_m", "device", "unit")
    rows = (
        (*placement.racks[rack], device, placement.unit_of[device])
        for device, rack in placement.rack_of.items()
    )
    write_racks(rows, names, out)


EXPORTS: dict[str, Export] = {
    "cables": Export("cable schedule, one line a link (CSV)", _cables),
    "bom": Export("bill of materials (CSV)", _bom),
    "racks": Export("cabinet and rack unit of every device (CSV)", _racks),
}


def run(
    kind: str,
    asked: Mapping[str, Any],
    *,
    output: Path | None,
    plane: int | None,
    torus: str | None = None,
) -> int:
    """Write one format to a file or to standard output; returns the exit code.

    An infeasible request writes nothing: the largest fabric that fits is not the one asked for.
    """
    if kind == "list":
        sys.stdout.writelines(f"{name:<15} {one.text}\n" for name, one in EXPORTS.items())
        return 0
    export = _export(kind)
    job = planned(**asked)
    if not job.report.feasible:
        print(f"not feasible: {job.report.infeasible_reason}; nothing is written", file=sys.stderr)  # noqa: T201
        return INFEASIBLE
    _check_plane(plane, job)
    options = ExportOptions(plane)
    if output is None:
        export.write(job, options, sys.stdout)
        return 0

    def write(file: BinaryIO) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=False)
        export.write(job, options, text)
        text.flush()
        text.detach()

    from clusterplan.reporting.files import write_atomic_by

    write_atomic_by(output, write)
    return 0


def _export(kind: str) -> Export:
    found = EXPORTS.get(kind)
    if found is None:
        from clusterplan.catalog import nearest_names

        near = nearest_names(kind, EXPORTS)
        hint = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(EXPORTS)}"
        raise InputError(Problem(f"{kind!r} is no format", path="--export", hint=hint))
    return found


def _check_plane(plane: int | None, job: FabricJob) -> None:
    planes = job.plan.site.fabric.planes
    if plane is not None and not 1 <= plane <= planes:
        message = f"there is no plane {plane}"
        raise InputError(Problem(message, path="--plane", hint=f"1 to {planes}"))
