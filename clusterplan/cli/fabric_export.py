"""`clusterplan fabric --export`: files that a network team and its programs read."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.cli import export_formats as formats
from clusterplan.cli.fabric import job_of
from clusterplan.cli.output import INFEASIBLE, quiet_pipe, tell, tell_warnings
from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import BinaryIO, TextIO

    from clusterplan.cli.export_formats import Export, ExportJob


class ExportOptions(NamedTuple):
    """What narrows an export; None is all (of the scalable units: the first)."""

    plane: int | None = None
    cluster: int | None = None
    unit: int | None = None
    fabric: str | None = None


def run(
    kind: str,
    asked: Mapping[str, Any],
    options: ExportOptions,
    *,
    output: Path | None,
    site: str | None = None,
    torus: str | None = None,
) -> int:
    """Write one format to a file or to standard output; returns the exit code.

    An infeasible request writes nothing: the largest fabric that fits is not the one asked for.
    """
    if kind == "list":
        width = max(map(len, formats.EXPORTS))
        for name, one in formats.EXPORTS.items():
            sys.stdout.write(f"{name:<{width}}  {one.text}\n")
        return 0
    export = _export(kind)
    if options.unit is not None and not export.by_unit:
        raise InputError(Problem(f"{kind} holds every unit", path="--unit", hint="leave it out"))
    job = _torus_job(export, torus, asked) if torus is not None else _job(site, asked, options)
    if job is None:
        return INFEASIBLE
    if export.single and len(job.fabrics) > 1:
        names = ", ".join(one.wired.name for one in job.fabrics)
        message = f"{kind} holds one fabric, and there are {names}"
        raise InputError(
            Problem(message, path="--export", hint="choose with --fabric or --cluster")
        )
    for note in export.notes(job) if export.notes is not None else ():
        tell(f"note: {note}")
    if output is None:
        with quiet_pipe():
            export.write(job, sys.stdout)
            sys.stdout.flush()
        return 0
    _write_file(output, lambda text: export.write(job, text))
    if export.beside is not None:
        from clusterplan.reporting.files import write_atomic

        for name, content in export.beside(job).items():
            write_atomic(output.with_name(name), content)
    return 0


def _write_file(path: Path, fill: Callable[[TextIO], object]) -> None:
    from clusterplan.reporting.files import write_atomic_by

    def write(file: BinaryIO) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        fill(text)
        text.flush()
        text.detach()

    write_atomic_by(path, write)


def _job(site: str | None, asked: Mapping[str, Any], options: ExportOptions) -> ExportJob | None:
    job = job_of(site, dict(asked))
    if not job.report.feasible:
        tell(f"not feasible: {job.report.infeasible_reason}; nothing is written")
        return None
    tell_warnings(job.report)
    cabled = job.cabling(options.fabric or "compute")
    fabrics = cabled.fabrics
    _within("--plane", options.plane, max(one.wired.planes for one in fabrics))
    if options.cluster is not None:
        _within("--cluster", options.cluster, len(fabrics))
        fabrics = fabrics[options.cluster - 1 : options.cluster]
    rack = job.plan.rack
    servers = None
    if rack.scale_up_domain_size and rack.scale_up_domain_size > rack.accelerators_per_server:
        servers = rack.scale_up_domain_size // rack.accelerators_per_server
    return formats.ExportJob(
        fabrics, cabled.placement, job.choices, options.plane, options.unit or 1, servers
    )


def _torus_job(export: Export, torus: str, asked: Mapping[str, Any]) -> ExportJob:
    from clusterplan.cli import fabric_torus

    if not export.torus:
        able = ", ".join(name for name, one in formats.EXPORTS.items() if one.torus)
        message = "a torus has no switches to write"
        raise InputError(Problem(message, path="--export", hint=f"one of {able}"))
    job = fabric_torus.planned(torus, asked)
    return formats.torus_job(job.wired(), job.design.sides)


def _export(kind: str) -> Export:
    found = formats.EXPORTS.get(kind)
    if found is None:
        from clusterplan.catalog import nearest_names

        near = nearest_names(kind, formats.EXPORTS)
        hint = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(formats.EXPORTS)}"
        raise InputError(Problem(f"{kind!r} is no format", path="--export", hint=hint))
    return found


def _within(option: str, value: int | None, most: int) -> None:
    if value is not None and not 1 <= value <= most:
        raise InputError(Problem(f"{value} is not there", path=option, hint=f"1 to {most}"))
