"""A load letter as Markdown: a document to send, every figure from the same rows as elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.results.plan import Report
from clusterplan.reporting.as_markdown import escaped, markdown_table
from clusterplan.reporting.numbers import number_text
from clusterplan.reporting.rows import infeasible_reason
from clusterplan.reporting.tables import PrintedTable, printed_tables

if TYPE_CHECKING:
    from clusterplan.core.results.load_letter import LoadLetter

# part of the letter: its heading, and what is said above its table
SECTIONS = {
    "service": ("Customer and service point", "Name, address and contact: **to be added**."),
    "load": (
        "Load",
        "Peak load at the meter, every loss and all cooling included. What no study has approved"
        " and no agreement secures is speculative.",
    ),
    "ramp": ("Ramp", "Loads are cumulative. Undated steps stand last."),
    "mix": (
        "Kind of load",
        "Shares of the peak. UPS, power supplies and drives are rectifiers: they add nothing to a"
        " fault in the grid.",
    ),
    "ride_through": (
        "Ride-through",
        "What the rules on file ask, and the state of the proof. Rules that are not in force are"
        " marked.",
    ),
    "swing": (
        "Power swing",
        "A synchronous training job moves all its racks at once; cooling does not follow.",
    ),
    "transitions": ("Changes of level", ""),
    "verdicts": (
        "Swing against limits",
        "Strict reading first. The status says whether a limit is in force.",
    ),
    "layers": (
        "What can keep the swing from the grid",
        "Each layer alone, sized for the limits above; which of them is offered is to be agreed.",
    ),
    "generation": ("On-site generation and storage", ""),
    "rules": (
        "Rules for large loads",
        "By two readings of the load: the plan, and what is requested. Rules change monthly; check"
        " each against its source before relying on it.",
    ),
    "open_questions": (
        "Open questions",
        "What this letter lacks, with the field that would say it and what the plan took"
        " meanwhile.",
    ),
}
_NOTHING = {
    "generation": "None on site.",
    "ride_through": "No rule on file for this place.",
    "verdicts": "No swing to judge.",
    "layers": "None is needed by the limits on file.",
}
_LEFT_OUT = {"verdicts": ("Source",), "rules": ("Topic", "Planned", "Requested", "Asks")}


def load_letter_markdown(letter: LoadLetter, report: Report, *, units: str = "metric") -> str:
    """The letter as a document; figures in `metric` or `us` units."""
    blocks = [f"# Load letter: {escaped(letter.service.project)}"]
    if reason := infeasible_reason(report):
        blocks.append(f"**Not feasible:** {escaped(reason)}. The letter is of the largest plan.")
    blocks.append(_opening(letter))
    for number, (name, (heading, words)) in enumerate(SECTIONS.items(), start=1):
        blocks.append(f"## {number}. {heading}")
        if words:
            blocks.append(words)
        blocks += _tables(name, getattr(letter, name), units)
        if name == "rules":
            blocks.append(_asks(letter))
    return "\n\n".join(blocks) + "\n"


def _opening(letter: LoadLetter) -> str:
    load, service = letter.load, letter.service
    there = load.existing_load_mw
    steps = [
        f"{number_text(mw - there, 'MW')} MW{_on(date)}"
        for mw, date in (
            (load.initial_load_mw, load.initial_date),
            (load.final_load_mw, load.final_date),
        )
    ]
    grown = steps[0] if steps[0] == steps[1] else " rising to ".join(steps)
    if there:
        grown += f", besides {number_text(there, 'MW')} MW there already"
    return (
        f"To {escaped(service.utility)} ({escaped(service.operator)}): request for service at"
        f" {service.service_kv:g} kV to {escaped(service.project)}, {escaped(service.location)},"
        f" {grown}."
    )


def _asks(letter: LoadLetter) -> str:
    """What the rules that hold, or may hold, ask for."""
    lines = [
        f"- **{escaped(rule.name)}** ({rule.topic}): {escaped(rule.asks)}."
        for rule in letter.rules
        if rule.asks and not rule.verdict.startswith("no")
    ]
    return "\n".join(["What they ask:", "", *lines]) if lines else "Nothing more is on file."


def _on(date: str | None) -> str:
    return f" on {date}" if date else " (no date)"


def _tables(name: str, value: object, units: str) -> list[str]:
    if value == ():
        return [_NOTHING.get(name, "None.")]
    part = Report(schema="", title="", parts={name: value})
    return [markdown_table(_without(table)) for table in printed_tables(part, units)]


def _without(table: PrintedTable) -> PrintedTable:
    """A table without the columns that a letter can do without."""
    dropped = _LEFT_OUT.get(table.part, ())
    kept = [place for place, header in enumerate(table.headers) if header not in dropped]

    def of(cells: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(cells[place] for place in kept)

    return PrintedTable(
        table.part,
        table.title,
        of(table.headers),
        tuple(table.numeric[place] for place in kept),
        tuple(of(cells) for cells in table.texts),
        table.values,
    )
