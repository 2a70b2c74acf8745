"""`clusterplan fabric --torus`: a torus of a rack's accelerators, without switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.cli.discipline_report import discipline_report
from clusterplan.cli.rack_option import rack_row
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import recording
from clusterplan.reporting.fabric_diagram import torus_diagram

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterplan.core.results.plan import Report
    from clusterplan.core.wired_fabric import WiredFabric
    from clusterplan.sizing.torus import TorusDesign

_ALLOWED = ("rack", "nic")


class TorusJob(NamedTuple):
    """A planned torus."""

    report: Report
    design: TorusDesign
    model: str

    def wired(self) -> WiredFabric:
        """Every accelerator and link."""
        from clusterplan.sizing.torus import wire_torus

        return wire_torus(self.design, model=self.model)


def planned(sides_text: str, asked: Mapping[str, Any]) -> TorusJob:
    """The torus of `--torus 16x20x28` with the accelerators of `--rack`.

    Raises InputError for a rack that is missing or unknown, options of switched fabrics, and sides
    that make no torus.
    """
    from clusterplan.cli.fabric import speed_of
    from clusterplan.planning.choices import Ledger
    from clusterplan.planning.torus_plan import torus_design, torus_section
    from clusterplan.sizing.torus import parse_sides

    given = [name for name, value in asked.items() if value is not None and name not in _ALLOWED]
    if given:
        option = f"--{given[0].replace('_', '-')}"
        message = "does not go with --torus, which has no switches"
        raise InputError(Problem(message, path=option))
    if asked.get("rack") is None:
        raise InputError(Problem("name the --rack whose accelerators it joins", path="--torus"))
    sides = parse_sides(sides_text, "--torus")
    row = rack_row(asked["rack"])
    nic = asked.get("nic")
    ledger = Ledger()
    with recording() as record:
        speed = None if nic is None else speed_of(nic, "--nic")
        design = torus_design(row, sides, speed, ledger)
        section = torus_section(design, row, ledger)
    title = f"Torus of {section.accelerators} accelerators, {row.name or row.id}"
    drawing = torus_diagram(section)
    report = discipline_report("fabric", title, section, ledger, record, drawing=drawing)
    return TorusJob(report, design, row.id)
