"""`clusterplan letter`: what a utility asks of a planned load, as a document to send."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import Recorder, recording
from clusterplan.core.results.plan import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.cli.size import Asked
    from clusterplan.core.results.load_letter import LoadLetter

PARTS = (
    *("service", "load", "ramp", "mix", "ride_through", "swing", "transitions", "verdicts"),
    *("layers", "generation", "rules", "open_questions"),
)
DOCUMENT = (None, "markdown")


def run(
    sites: Sequence[str], *, asked: Asked, rack: str | None = None, overrides: Sequence[str] = ()
) -> tuple[Report, LoadLetter]:
    """The letter of one site, or of several halls at one connection point, and its report.

    Raises InputError, InfeasibleError where nothing fits.
    """
    from clusterplan.cli.size import planned
    from clusterplan.planning.load_letter import load_letter

    if len(sites) > 1 and any(value is not None for value in asked):
        message = "a size is of one hall, and there are several"
        raise InputError(Problem(message, hint="give each hall its own size in its files"))
    plans = []
    for site in sites:
        plans.append(
            planned(site, files={"rack": rack}, asked=asked, overrides=overrides, record=True)
        )
    ids = [plan.site.id for plan, _ in plans]
    if len(set(ids)) < len(ids):
        raise InputError(Problem(f"the same site twice: {', '.join(ids)}", path="letter"))
    recorder = Recorder()
    for plan, _ in plans:
        if plan.record is not None:
            recorder.steps += plan.record.steps
            recorder.givens |= plan.record.givens
            recorder.rows |= plan.record.rows
    with recording(recorder):
        letter = load_letter(plans)
    failed = [plan for plan, _ in plans if not plan.feasible]
    report = Report(
        schema="clusterplan/letter/1",
        title=f"Load letter: {letter.service.project}",
        parts={name: getattr(letter, name) for name in PARTS},
        record=recorder,
        feasible=not failed,
        infeasible_reason=failed[0].infeasible_reason if failed else None,
    )
    return report, letter


def emit_letter(
    report: Report, letter: LoadLetter, output_format: str | None, output: str | None, units: str
) -> int:
    """Print or write the letter: the document as Markdown, else its parts in that format."""
    from pathlib import Path

    from clusterplan.cli.output import emit, emit_text
    from clusterplan.reporting.files import format_of
    from clusterplan.reporting.load_letter import load_letter_markdown

    target = None if output is None else Path(output)
    chosen = output_format
    if chosen is None and target is not None:
        chosen = format_of(target)
    if chosen in DOCUMENT:
        return emit_text(report, load_letter_markdown(letter, report, units=units), target)
    if chosen != "json":  # only scripts want to be told of what is not there
        report = replace(report, parts={name: part for name, part in report.parts.items() if part})
    return emit(report, format=chosen, output=target, units=units)
