"""`clusterplan fabric-check`: a fabric as found against its plan, port by port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusterplan.core.results.plan import Report

if TYPE_CHECKING:
    from clusterplan.core.results.wiring_check import WiringCheckSection

DIFFERS = 3


def run(
    plan: str,
    discovered: str,
    *,
    fabric: str | None = None,
    plane: str | None = None,
    stage: str | None = None,
    speeds: bool = True,
    short: bool = False,
) -> Report:
    """Compare two files, each a cable schedule or an ibnetdiscover dump.

    `short` lists only the first findings of each kind. Raises InputError naming file and line.
    """
    from clusterplan.interop.discovered import read_cabling
    from clusterplan.planning.wiring_check import SHOWN_OF_A_KIND, check_wiring
    from clusterplan.sizing.wiring_scope import Selection

    section = check_wiring(
        read_cabling(Path(plan)),
        read_cabling(Path(discovered)),
        Selection(fabric, plane, stage),
        speeds=speeds,
        most=SHOWN_OF_A_KIND if short else None,
    )
    title = f"Wiring of {discovered} against {plan}: {verdict(section)}"
    return Report(schema="clusterplan/fabric-check/1", title=title, parts={"wiring": section})


def verdict(section: WiringCheckSection) -> str:
    """Whether the fabric is the plan, in a few words."""
    if not section.agrees:
        kinds = ", ".join(f"{row.findings:,} {row.kind}" for row in section.kinds)
        word = "finding" if section.findings_total == 1 else "findings"
        return f"{section.findings_total:,} {word} ({kinds})"
    if section.not_covered:
        return "as planned, as far as the plan is covered"
    return "as planned"


def finish(report: Report) -> tuple[int, str]:
    """The exit code of a report (0, or 3 where the fabric is not the plan) and why."""
    section: WiringCheckSection = report.parts["wiring"]
    return (0, "") if section.agrees else (DIFFERS, f"not as planned: {verdict(section)}")
