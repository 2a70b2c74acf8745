"""The command line: parse, call, render. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clusterplan import __version__
from clusterplan.cli import site_commands
from clusterplan.cli.exit_codes import null_output, run_app
from clusterplan.cli.explain_option import with_explain_value
from clusterplan.cli.options import (  # noqa: TC001  Typer evaluates the signatures
    OptExplain,
    OptFormat,
    OptOutput,
    OptRack,
    OptSet,
    OptUnits,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import Report

app = typer.Typer(
    name="clusterplan",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Plan the site and facility of an AI training cluster: land and grid to racks and fabric.",
    epilog="Start with: clusterplan init mysite, then clusterplan size mysite. "
    "Exit codes: 0 done, 2 bad usage or input, 3 infeasible.",
)

UNRECORDED = (None, "table", "json")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"clusterplan {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Show the help where no command is given; the program's own help stands with `app`."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


def _print(
    report: Report,
    output_format: str | None,
    output: str | None,
    units: str,
    explain: str | None = None,
) -> None:
    from pathlib import Path

    from clusterplan.cli.output import emit

    target = None if output is None else Path(output)
    code = emit(report, format=output_format, output=target, units=units, explain=explain)
    if code:
        raise typer.Exit(code)


@app.command()
def size(
    site: Annotated[str, typer.Argument(help="Site folder, or its site.yaml.")],
    rack: OptRack = None,
    grid: Annotated[
        str | None, typer.Option("--grid", metavar="FILE", help="Grid file, not the site's.")
    ] = None,
    design: Annotated[
        str | None, typer.Option("--design", metavar="FILE", help="Design file, likewise.")
    ] = None,
    workload: Annotated[
        str | None, typer.Option("--workload", metavar="FILE", help="Workload file, likewise.")
    ] = None,
    accelerators: Annotated[
        int | None, typer.Option("--accelerators", help="Plan this many, not the whole site.")
    ] = None,
    racks: Annotated[int | None, typer.Option("--racks", help="Plan this many racks.")] = None,
    it_power: Annotated[
        str | None, typer.Option("--it-power", metavar='"96 MW"', help="Plan this much IT power.")
    ] = None,
    screen: Annotated[
        bool, typer.Option("--screen", help="Fill an unknown price with that of the region.")
    ] = False,
    set_: OptSet = None,
    explain: OptExplain = None,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Plan one site from grid and land to racks and fabric."""
    from clusterplan.cli import size as command

    # a plain screen or JSON shows no sheet: keeping the record would only cost time
    record = explain is not None or output is not None or output_format not in UNRECORDED
    report = command.run(
        site,
        files={"rack": rack, "grid": grid, "design": design, "workload": workload},
        accelerators=accelerators,
        racks=racks,
        it_power=it_power,
        overrides=tuple(set_ or ()),
        record=record,
        screen=screen,
    )
    _print(report, output_format, output, units, explain)


@app.command("compare-sites")
def compare_sites(
    sites: Annotated[
        list[str], typer.Argument(help="Site folders, site.yaml files, or one CSV, a row a site.")
    ],
    rack: OptRack = None,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            metavar="PRESET|FILE",
            help="training (default), sustainability, sovereign, or a weights file.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="DATE", help="Everything is ordered then. Default: today."),
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option("--horizon", metavar="DATE", help="End of the GW-years. Default: 60 months."),
    ] = None,
    screen: Annotated[
        bool, typer.Option("--screen", help="Fill gaps with regional defaults, marked as such.")
    ] = False,
    draws: Annotated[
        int | None, typer.Option("--draws", help="Draws of the weights (10,000); 0 for none.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of all draws (1).")] = None,
    chart: Annotated[
        str | None,
        typer.Option("--chart", metavar="FILE.svg", help="Draw power by month of each site."),
    ] = None,
    pareto: Annotated[
        str | None,
        typer.Option(
            "--pareto", metavar="FILE.svg", help="Draw cost against the date of the target."
        ),
    ] = None,
    heat_map: Annotated[
        str | None,
        typer.Option("--heat-map", metavar="FILE.svg", help="Draw the table of criteria."),
    ] = None,
    geojson: Annotated[
        str | None,
        typer.Option("--geojson", metavar="FILE", help="Write the sites as points of a map."),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", help="Processes that size a CSV.")
    ] = 1,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help="Size a CSV on this Dask cluster."),
    ] = None,
    explain: OptExplain = None,
    set_: OptSet = None,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Size and rank several sites: gates, calendar, score, and how sure the order is.

    A CSV is a long list: all its rows are sized, gated and ranked, then the 20 best of each gate
    class are compared in full (--draws 0 leaves out the draws alone). -o FILE.csv has every row;
    those compared have shortlist_rank, shortlist_score, first_rank_share, first_phase_p50 and _p90,
    gw_years, capex and the like, which are blank in the others. Rows that cannot be sized go to
    FILE.set-aside.csv, and the report to the screen. Drawings show the sites compared.
    """
    from clusterplan.cli import compare as command

    choices = command.ComparisonChoices(weights, start, horizon, screen, draws, seed)
    drawings = {"chart": chart, "pareto": pareto, "heat-map": heat_map, "geojson": geojson}
    command.refuse_drawings(drawings)
    if command.is_list(sites):
        command.refuse_for_list(sites, set_ or (), explain)
        list_report, written = command.run_list(
            sites[0],
            choices,
            rack=rack,
            workers=workers,
            dask=dask,
            output_format=output_format,
            output=output,
        )
        _print(list_report, None if written else output_format, None if written else output, units)
        command.write_drawings(command.shortlisted(list_report), drawings)
        return
    command.refuse_scale(workers, dask)
    report = command.run(
        sites,
        rack=rack,
        overrides=tuple(set_ or ()),
        choices=choices,
        record=explain is not None,
    )
    _print(report, output_format, output, units, explain)
    command.write_drawings(report, drawings)


@app.command()
def readiness(
    site: Annotated[str, typer.Argument(help="Site folder, or its site.yaml.")],
    rack: OptRack = None,
    set_: OptSet = None,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Show what a site has ready, what is open, and what would close it."""
    from clusterplan.cli import readiness as command

    report = command.run(site, rack=rack, overrides=tuple(set_ or ()))
    _print(report, output_format, output, units)


@app.command()
def fabric(
    rack: OptRack = None,
    site: Annotated[
        str | None, typer.Option("--site", help="The fabric of a sized site, by its stages.")
    ] = None,
    accelerators: Annotated[
        int | None, typer.Option("--accelerators", help="Installed accelerators.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Installed servers, reserve on top.")
    ] = None,
    rails: Annotated[int | None, typer.Option("--rails", help="NIC ports of a server.")] = None,
    nic: Annotated[
        str | None, typer.Option("--nic", metavar='"400 Gb/s"', help="Speed of one NIC port.")
    ] = None,
    nodes_per_su: Annotated[
        int | None, typer.Option("--nodes-per-su", help="Servers of a scalable unit.")
    ] = None,
    switch: Annotated[str | None, typer.Option("--switch", help="Switch id.")] = None,
    planes: Annotated[
        int | None, typer.Option("--planes", help="Planes one NIC port is split into.")
    ] = None,
    oversubscription: Annotated[
        str | None, typer.Option("--oversubscription", metavar="X,Y", help="down:up, leaf[,spine].")
    ] = None,
    reserve_nodes: Annotated[
        int | None, typer.Option("--reserve-nodes", help="Empty server slots on top.")
    ] = None,
    fabric_manager_cables: Annotated[
        int | None, typer.Option("--fabric-manager-cables", help="Cables to fabric managers.")
    ] = None,
    ports_as: Annotated[
        str | None, typer.Option("--ports-as", help="Ports of one accelerator: rails or planes.")
    ] = None,
    leaf_mode: Annotated[
        str | None, typer.Option("--leaf-mode", help="rail, across-sus or packed.")
    ] = None,
    leaf_split: Annotated[
        str | None, typer.Option("--leaf-split", metavar="D:U", help="Fixed leaf split.")
    ] = None,
    spines: Annotated[int | None, typer.Option("--spines", help="Fixed spine count.")] = None,
    uplink: Annotated[
        str | None, typer.Option("--uplink", metavar='"800 Gb/s"', help="Speed of leaf uplinks.")
    ] = None,
    topology: Annotated[
        str | None,
        typer.Option("--topology", metavar="NAME", help="clos, rail-only or dragonfly-plus."),
    ] = None,
    torus: Annotated[
        str | None,
        typer.Option("--torus", metavar="XxYxZ", help="A torus of the rack's accelerators."),
    ] = None,
    optimise: Annotated[
        str | None,
        typer.Option(
            "--optimise",
            metavar="BY",
            help="switches, optics, power or cost: best switch and planes, others beside it.",
        ),
    ] = None,
    stages: Annotated[
        str | None,
        typer.Option("--stages", metavar="N,N", help="Nodes or accelerators of earlier stages."),
    ] = None,
    cabling: Annotated[
        bool, typer.Option("--cabling", help="Add placement, cable lengths and bill of materials.")
    ] = False,
    medium: Annotated[
        str | None, typer.Option("--medium", help="Of the cables: by-length or optical.")
    ] = None,
    spares: Annotated[
        str | None, typer.Option("--spares", metavar='"5 %"', help="Spares on the bill.")
    ] = None,
    export: Annotated[
        str | None,
        typer.Option("--export", help="Write a file for another program; `list` names them."),
    ] = None,
    fabric_name: Annotated[
        str | None,
        typer.Option("--fabric", help="Cable or export storage, in-band, out-of-band or all."),
    ] = None,
    plane: Annotated[int | None, typer.Option("--plane", help="Export one plane only.")] = None,
    cluster: Annotated[
        int | None, typer.Option("--cluster", help="Export one cluster of a site only.")
    ] = None,
    unit: Annotated[
        int | None, typer.Option("--unit", help="Scalable unit of a containerlab export.")
    ] = None,
    explain: OptExplain = None,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Count the compute fabric alone; cable it, and export it for other programs."""
    from clusterplan.cli import fabric as command

    asked: dict[str, Any] = {
        "rack": rack,
        "accelerators": accelerators,
        "nodes": nodes,
        "rails": rails,
        "nic": nic,
        "nodes_per_su": nodes_per_su,
        "switch": switch,
        "planes": planes,
        "oversubscription": oversubscription,
        "reserve_nodes": reserve_nodes,
        "fabric_manager_cables": fabric_manager_cables,
        "ports_as": ports_as,
        "leaf_mode": leaf_mode,
        "leaf_split": leaf_split,
        "spines": spines,
        "uplink": uplink,
        "topology": topology,
        "medium": medium,
        "spares": spares,
        "stages": stages,
        "optimise": optimise,
    }
    if export is not None:
        from pathlib import Path

        from clusterplan.cli import fabric_export

        path = None if output is None else Path(output)
        narrow = fabric_export.ExportOptions(plane, cluster, unit, fabric_name)
        code = fabric_export.run(export, asked, narrow, output=path, site=site, torus=torus)
        if code:
            raise typer.Exit(code)
        return
    if torus is not None:
        from clusterplan.cli import fabric_torus

        report = fabric_torus.planned(torus, asked).report
    else:
        report = command.run(cabling=cabling, fabric=fabric_name, site=site, **asked)
    _print(report, output_format, output, units, explain)


@app.command("fabric-check")
def fabric_check(
    plan: Annotated[str, typer.Argument(help="Cable schedule (CSV), or ibnetdiscover text.")],
    discovered: Annotated[str, typer.Argument(help="What was found, in either format.")],
    fabric: Annotated[
        str | None, typer.Option("--fabric", metavar="NAME", help="Compare this fabric only.")
    ] = None,
    plane: Annotated[
        str | None, typer.Option("--plane", metavar="N", help="Compare this plane only.")
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option(
            "--stage",
            metavar="NAME",
            help="Compare with the cables that stand at this stage: its own and those of the "
            "stages before it (in the order of the schedule, or of their numbers).",
        ),
    ] = None,
    ignore_speed: Annotated[
        bool, typer.Option("--ignore-speed", help="Compare ports only, as with a simulator.")
    ] = False,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Compare a fabric as found with its plan, port by port.

    Exit code 0: all that is covered is as planned; 3: the fabric is not the plan; 2: bad input.
    """
    from clusterplan.cli import fabric_check as command

    report = command.run(
        plan,
        discovered,
        fabric=fabric,
        plane=plane,
        stage=stage,
        speeds=not ignore_speed,
        short=output is None and output_format in (None, "table"),
    )
    _print(report, output_format, output, units)
    code, reason = command.finish(report)
    if code:
        typer.echo(reason, err=True)
        raise typer.Exit(code)


@app.command()
def cooling(
    rack: OptRack = None,
    racks: Annotated[int | None, typer.Option("--racks", help="Number of racks.")] = None,
    it_power: Annotated[
        str | None, typer.Option("--it-power", metavar='"10 MW"', help="Heat to be cooled.")
    ] = None,
    liquid_fraction: Annotated[
        str | None, typer.Option("--liquid-fraction", help="Share of heat to liquid.")
    ] = None,
    tcs_supply: Annotated[
        str | None, typer.Option("--tcs-supply", metavar='"40 degC"', help="TCS supply.")
    ] = None,
    tcs_return: Annotated[
        str | None, typer.Option("--tcs-return", metavar='"50 degC"', help="TCS return.")
    ] = None,
    coolant: Annotated[str | None, typer.Option("--coolant", help="water or pg25.")] = None,
    cdu: Annotated[str | None, typer.Option("--cdu", help="CDU id.")] = None,
    climate: Annotated[str | None, typer.Option("--climate", help="Climate id.")] = None,
    weather: Annotated[
        str | None,
        typer.Option("--weather", metavar="FILE", help="Hourly weather: EPW, TMY3 or CSV."),
    ] = None,
    hours: Annotated[
        str | None,
        typer.Option("--hours", metavar="FILE.csv", help="Write the year hour by hour."),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Every type of heat rejection, and every CDU, on it."),
    ] = False,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="The plan at TCS supplies of 20 to 50 degC.")
    ] = False,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE.svg", help="The sweep as a picture.")
    ] = None,
    set_: OptSet = None,
    explain: OptExplain = None,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Size the cooling alone."""
    from clusterplan.cli import cooling as command
    from clusterplan.cli import cooling_views as views

    report = command.run(
        rack=rack,
        racks=racks,
        it_power=it_power,
        liquid_fraction=liquid_fraction,
        tcs_supply=tcs_supply,
        tcs_return=tcs_return,
        coolant=coolant,
        cdu=cdu,
        climate=climate,
        weather=weather,
        hours=hours,
        overrides=tuple(set_ or ()),
        view=views.view_of(compare=compare, sweep=sweep, plot=plot),
    )
    if plot is not None:
        views.write_plot(report, plot)
    _print(report, output_format, output, units, explain)


@app.command()
def substation(
    load: Annotated[
        str, typer.Option("--load", metavar='"240 MW"', help="MW at the meter, nothing added.")
    ],
    power_factor: Annotated[
        str | None, typer.Option("--power-factor", help="Of the load at the HV side.")
    ] = None,
    hv: Annotated[str | None, typer.Option("--hv", metavar='"230 kV"', help="HV.")] = None,
    mv: Annotated[str | None, typer.Option("--mv", metavar='"34.5 kV"', help="MV.")] = None,
    short_circuit: Annotated[
        str | None,
        typer.Option("--short-circuit", metavar='"10 GVA"', help="Grid fault level, kA or MVA."),
    ] = None,
    x_over_r: Annotated[float | None, typer.Option("--x-over-r", help="Of the grid.")] = None,
    transformer: Annotated[
        str | None, typer.Option("--transformer", metavar='"150 MVA"', help="Top-stage rating.")
    ] = None,
    redundancy: Annotated[
        int | None, typer.Option("--redundancy", help="Redundant transformers.")
    ] = None,
    impedance: Annotated[
        str | None, typer.Option("--impedance", metavar='"10 %"', help="On the ONAN rating.")
    ] = None,
    country: Annotated[str, typer.Option("--country", help="Practice and frequency.")] = "US",
    explain: OptExplain = None,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Size the substation alone."""
    from clusterplan.cli import substation as command

    report = command.run(
        load=load,
        power_factor=power_factor,
        hv=hv,
        mv=mv,
        short_circuit=short_circuit,
        x_over_r=x_over_r,
        transformer=transformer,
        redundancy=redundancy,
        impedance=impedance,
        country=country,
    )
    _print(report, output_format, output, units, explain)


@app.command()
def swing(
    rack: OptRack = None,
    racks: Annotated[int | None, typer.Option("--racks", help="Number of racks.")] = None,
    accelerators: Annotated[
        int | None, typer.Option("--accelerators", help="Installed accelerators.")
    ] = None,
    hv: Annotated[str | None, typer.Option("--hv", metavar='"230 kV"', help="HV.")] = None,
    short_circuit: Annotated[
        str | None,
        typer.Option("--short-circuit", metavar='"5 GVA"', help="Least grid fault level."),
    ] = None,
    x_over_r: Annotated[float | None, typer.Option("--x-over-r", help="Of the grid.")] = None,
    utility: Annotated[
        str, typer.Option("--utility", help="Whose published limits apply, as ERCOT; or all.")
    ] = "",
    swing_: Annotated[
        str | None,
        typer.Option("--swing", metavar='"24 MW"', help="Swing at the meter, without a rack."),
    ] = None,
    load: Annotated[
        str | None, typer.Option("--load", metavar='"100 MW"', help="MW at the meter.")
    ] = None,
    edge_time: Annotated[
        str | None, typer.Option("--edge-time", metavar='"0.25 s"', help="Edge of the swing.")
    ] = None,
    step_time: Annotated[
        str | None, typer.Option("--step-time", metavar='"2 s"', help="Of one training step.")
    ] = None,
    communication_share: Annotated[
        str | None,
        typer.Option("--communication-share", metavar="F", help="Low-power share of a step."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", help="Independent equal jobs at once.")
    ] = None,
    country: Annotated[str, typer.Option("--country", help="Practice and frequency.")] = "US",
    explain: OptExplain = None,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """Power swing at the connection point."""
    from clusterplan.cli import swing as command

    report = command.run(
        rack=rack,
        racks=racks,
        accelerators=accelerators,
        hv=hv,
        short_circuit=short_circuit,
        x_over_r=x_over_r,
        utility=utility,
        country=country,
        swing=swing_,
        load=load,
        edge_time=edge_time,
        step_time=step_time,
        communication_share=communication_share,
        jobs=jobs,
    )
    _print(report, output_format, output, units, explain)


@app.command()
def catalog(
    kind: Annotated[str | None, typer.Argument(help="racks, switches, climates ...")] = None,
    row_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One row.")] = None,
    output_format: OptFormat = None,
    output: OptOutput = None,
    units: OptUnits = "metric",
) -> None:
    """List or show what ships, with sources."""
    from clusterplan.cli import catalog as command

    _print(command.run(kind, row_id), output_format, output, units)


site_commands.register(app)


@app.command()
def validate(
    paths: Annotated[list[str], typer.Argument(help="Site folders or input files.")],
) -> None:
    """Check input files and report every problem."""
    from clusterplan.cli import validate as command

    code, text = command.run(paths)
    typer.echo(text, err=code != 0)
    if code:
        raise typer.Exit(code)


@app.command()
def init(
    directory: Annotated[str, typer.Argument(help="New folder for the starter site.")],
) -> None:
    """Write a commented starter site."""
    from clusterplan.cli import init as command

    typer.echo(command.run(directory), err=True)


@app.command()
def schema(
    kind: Annotated[str, typer.Argument(help="site, grid, rack, design or workload.")],
) -> None:
    """Print the JSON Schema of an input file."""
    from clusterplan.cli import schema as command

    typer.echo(command.run(kind), nl=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the console script; exits with 0, 1, 2 or 3."""
    # a short-lived process: collecting garbage and looking for pydantic plugins cost a tenth of
    # `size`, and it needs neither
    gc.disable()
    # a shell may have closed them (`>&-`)
    sys.stdout = sys.stdout or null_output()
    sys.stderr = sys.stderr or null_output()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    given = sys.argv[1:] if arguments is None else arguments
    sys.exit(run_app(app, with_explain_value(given)))


if __name__ == "__main__":
    main()
