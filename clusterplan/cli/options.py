"""Options that several commands share, as Typer reads them."""

from __future__ import annotations

from typing import Annotated

import typer

FORMATS = "table, json, csv, markdown, html or xlsx"
OptFormat = Annotated[
    str | None,
    typer.Option("--format", "-f", help=f"{FORMATS}. Default: by the name of -o FILE, else table."),
]
OptOutput = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to this file, whole or not at all."),
]
OptUnits = Annotated[
    str, typer.Option("--units", help="metric or us (gpm, degF, ft ...); JSON is always metric.")
]
OptExplain = Annotated[
    str | None,
    typer.Option(
        "--explain",
        metavar="[SECTION]",
        help="Add the calculation sheets of every figure; with a section (cooling), a figure "
        "(pue_peak) or a path (cooling.cdus), print just those.",
    ),
]
OptSet = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Override an input, repeatable: --set design.cooling.tcs_supply='45 degC'.",
    ),
]
OptRack = Annotated[
    str | None,
    typer.Option(
        "--rack", metavar="ID|FILE", help='Rack id ("clusterplan catalog racks"), or a rack file.'
    ),
]
