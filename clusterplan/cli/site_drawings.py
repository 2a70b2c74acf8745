"""`clusterplan one-line`: the one-line diagram of a sized site, as text or as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.results.one_line import equipment_of
from clusterplan.core.results.plan import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.cli.size import Asked
    from clusterplan.core.results.one_line import OneLine

SVG = ".svg"
ELECTRICAL = ("grid", "site.generation", "site.storage", "substation", "design.electrical")


def one_line(
    site: str, *, asked: Asked, rack: str | None = None, overrides: Sequence[str] = ()
) -> tuple[Report, OneLine]:
    """The report (picture of text, list of equipment) and the diagram of one site.

    Raises InputError, InfeasibleError where nothing fits.
    """
    from clusterplan.cli.size import planned
    from clusterplan.planning.one_line import one_line as diagram_of
    from clusterplan.reporting.one_line_text import one_line_text

    plan, inputs = planned(site, files={"rack": rack}, asked=asked, overrides=overrides)
    diagram = diagram_of(plan, inputs)
    warnings = tuple(one for one in plan.warnings if one.path.startswith(ELECTRICAL))
    report = Report(
        schema="clusterplan/one-line/1",
        title=diagram.title,
        parts={"site": plan.site, "one_line": equipment_of(diagram), "warnings": warnings},
        feasible=plan.feasible,
        infeasible_reason=plan.infeasible_reason,
        drawing=one_line_text(diagram),
    )
    return report, diagram


def emit_one_line(
    report: Report, diagram: OneLine, output_format: str | None, output: str | None
) -> int:
    """Print or write it in the format asked for, SVG besides those of every report."""
    from pathlib import Path

    from clusterplan.cli.output import emit, emit_text

    target = None if output is None else Path(output)
    by_name = output_format is None and target is not None and target.suffix.lower() == SVG
    if by_name or output_format == "svg":
        from clusterplan.reporting.one_line_svg import one_line_svg

        return emit_text(report, one_line_svg(diagram), target)
    return emit(report, format=output_format, output=target)
