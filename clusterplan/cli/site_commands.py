"""Commands that make a document of a sized site: parse, call, write."""

from __future__ import annotations

from typing import Annotated, Any

import typer

# read by Typer when it parses the signatures below
from clusterplan.cli.options import FORMATS, OptOutput, OptRack, OptSet, OptUnits

OptSite = Annotated[str, typer.Argument(help="Site folder, or its site.yaml.")]
OptAccelerators = Annotated[
    int | None, typer.Option("--accelerators", help="Plan this many, not the whole site.")
]
OptRacks = Annotated[int | None, typer.Option("--racks", help="Plan this many racks.")]
OptItPower = Annotated[
    str | None, typer.Option("--it-power", metavar='"96 MW"', help="Plan this much IT power.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("letter")(letter)
    app.command("one-line")(one_line)


def letter(
    sites: Annotated[
        list[str], typer.Argument(help="Site folder, or several: halls at one connection point.")
    ],
    rack: OptRack = None,
    accelerators: OptAccelerators = None,
    racks: OptRacks = None,
    it_power: OptItPower = None,
    set_: OptSet = None,
    output_format: Annotated[
        str | None,
        typer.Option("--format", "-f", help=f"{FORMATS}. Default: by -o FILE, else markdown."),
    ] = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Write the load letter for the utility: ramp, swing, rules that apply, open questions."""
    from clusterplan.cli import letter as command
    from clusterplan.cli.size import Asked

    asked = Asked(accelerators, racks, it_power)
    report, found = command.run(sites, asked=asked, rack=rack, overrides=tuple(set_ or ()))
    _end(command.emit_letter(report, found, output_format, output, units))


def one_line(
    site: OptSite,
    rack: OptRack = None,
    accelerators: OptAccelerators = None,
    racks: OptRacks = None,
    it_power: OptItPower = None,
    set_: OptSet = None,
    output_format: Annotated[
        str | None,
        typer.Option("--format", "-f", help=f"{FORMATS}, or svg. Default: by -o FILE, else table."),
    ] = None,
    output: OptOutput = None,
) -> None:
    """Draw the one-line diagram of a site: text here, SVG with -o FILE.svg."""
    from clusterplan.cli import site_drawings as command
    from clusterplan.cli.size import Asked

    asked = Asked(accelerators, racks, it_power)
    report, diagram = command.one_line(site, asked=asked, rack=rack, overrides=tuple(set_ or ()))
    _end(command.emit_one_line(report, diagram, output_format, output))


def _end(code: Any) -> None:
    if code:
        raise typer.Exit(code)
