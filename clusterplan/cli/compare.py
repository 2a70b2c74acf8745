"""`clusterplan compare-sites`: load all sites, then size and rank them."""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable, Mapping, Sequence

    from clusterplan.core.results.plan import Report
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.comparison_settings import Options

LIST_SITES = 200  # from here on a folder is a list of candidates
MOST_DRAWS = 1_000_000
LARGEST_SEED = 1_000_000_000


class ComparisonChoices(NamedTuple):
    """What the command line says of the comparison, as typed; None where it says nothing."""

    weights: str | None = None
    start: str | None = None
    horizon: str | None = None
    screen: bool = False
    draws: int | None = None
    seed: int | None = None


def run(
    sites: Sequence[str],
    *,
    rack: str | None = None,
    overrides: Sequence[str] = (),
    choices: ComparisonChoices | None = None,
    record: bool = False,
) -> Report:
    """Ranked sites, with the calculation record of dates and scores on demand.

    Raises InputError with the problems of all of them.
    """
    from clusterplan.cli.sample_bar import SampleBar
    from clusterplan.planning.compare import compare_sites
    from clusterplan.reporting.heat_map import heat_map_text

    options = options_of(choices or ComparisonChoices())._replace(record=record)
    loaded = load_all(sites, rack=rack, overrides=overrides)
    if options.screen:
        loaded = [dataclasses.replace(inputs, screen=True) for inputs in loaded]
    with SampleBar() as bar:
        report = compare_sites(loaded, options, bar.heard)
    return dataclasses.replace(report, drawing=heat_map_text(report))


def is_list(sites: Sequence[str]) -> bool:
    """Whether what is named is a CSV of candidates, or a tree of so many folders."""
    if any(Path(site).suffix.lower() in (".csv", ".tsv") for site in sites):
        return True
    if len(sites) != 1 or not Path(sites[0]).is_dir():
        return False
    inside = Path(sites[0]).rglob("site.y*ml")
    return sum(1 for _ in itertools.islice(inside, LIST_SITES + 1)) > LIST_SITES


def refuse_for_list(
    sites: Sequence[str], overrides: Sequence[str], explain: str | None = None
) -> None:
    """Raise InputError for what does not apply to a CSV of candidates."""
    problems: list[Problem] = []
    if len(sites) != 1:
        hint = "name it alone"
        problems.append(Problem("a list of candidates is compared by itself", hint=hint))
    for option, given, hint in (
        ("--set", bool(overrides), "add a column instead"),
        ("--explain", explain is not None, "put the best into folders"),
    ):
        if given:
            message = "does not apply to a list of candidates"
            problems.append(Problem(message, path=option, hint=hint))
    if problems:
        raise InputError(problems)


def run_list(
    site: str,
    choices: ComparisonChoices,
    *,
    rack: str | None = None,
    workers: int = 1,
    dask: str | None = None,
    output_format: str | None = None,
    output: str | None = None,
) -> tuple[Report, bool]:
    """The report of a list, and whether the whole table is written to `output` already."""
    from clusterplan.cli import compare_list
    from clusterplan.reporting.files import format_of

    how = compare_list.Run(workers, dask, rack, options_of(choices))
    target = None if output is None else Path(output)
    chosen = output_format or ("table" if target is None else format_of(target))
    if target is not None and chosen == "csv":
        return _with_map(compare_list.run(Path(site), how, target, whole=False)), True
    return _with_map(compare_list.run(Path(site), how, whole=chosen != "table")), False


def _with_map(report: Report) -> Report:
    """The report of a list with the table of criteria of its shortlist."""
    from clusterplan.reporting.heat_map import heat_map_text

    if not report.parts["shortlist"]:
        return report
    drawing = f"Criteria of the shortlist\n\n{heat_map_text(shortlisted(report))}"
    return dataclasses.replace(report, drawing=drawing)


def shortlisted(report: Report) -> Report:
    """The report of a list as that of the sites on its shortlist alone: what drawings show."""
    parts = report.parts | {"sites": report.parts["shortlist"]}
    return dataclasses.replace(report, parts=parts)


def refuse_scale(workers: int, dask: str | None) -> None:
    """Raise InputError for options that are for a list alone."""
    problems = [
        Problem("is for a list of candidates", path=option, hint="leave it out")
        for option, given in (("--workers", workers != 1), ("--dask", dask is not None))
        if given
    ]
    if problems:
        raise InputError(problems)


def refuse_drawings(files: Mapping[str, str | None]) -> None:
    """Raise InputError for drawings that cannot be, before anything is sized or written."""
    problems: list[Problem] = []
    for option, file in files.items():
        if file is None:
            continue
        if option != "geojson" and not file.lower().endswith(".svg"):
            hint = "name a file that ends in .svg"
            problems.append(Problem(f"cannot draw {file!r}", path=f"--{option}", hint=hint))
        elif not Path(file).resolve().parent.is_dir():
            problems.append(Problem(f"{file!r} has no directory", path=f"--{option}"))
    if problems:
        raise InputError(problems)


def write_drawings(report: Report, files: Mapping[str, str | None]) -> None:
    """Write the drawings that are asked for, by the name of their option.

    Raises InputError for one that cannot be drawn, after the others are written.
    """
    from clusterplan.interop.site_points import sites_geojson
    from clusterplan.reporting import site_charts
    from clusterplan.reporting.files import write_atomic

    draw: dict[str, Callable[[], str]] = {
        "chart": lambda: site_charts.step_chart_svg(report),
        "pareto": lambda: site_charts.pareto_svg(report),
        "heat-map": lambda: site_charts.heat_map_svg(report),
        "geojson": lambda: sites_geojson(report.parts["sites"]),
    }
    problems: list[Problem] = []
    if not report.parts["sites"]:
        problems = [
            Problem("no site is compared in full, nothing to draw", path=f"--{option}")
            for option, file in files.items()
            if file is not None
        ]
        files = {}
    for option, file in files.items():
        if file is not None:
            try:
                write_atomic(Path(file), draw[option]())
            except InputError as error:
                problems += error.problems
    if problems:
        raise InputError(problems)


def options_of(choices: ComparisonChoices) -> Options:
    """The options of the command line. Raises InputError with every problem."""
    from clusterplan.inputs.weights_file import load_weights
    from clusterplan.planning.comparison_settings import PRESETS, Options

    problems: list[Problem] = []
    start = _day("--start", choices.start, problems)
    horizon = _day("--horizon", choices.horizon, problems)
    for name, value, most in (
        ("--draws", choices.draws, MOST_DRAWS),
        ("--seed", choices.seed, LARGEST_SEED),
    ):
        if value is not None and not 0 <= value <= most:
            problems.append(Problem(f"{value:,} is out of range", path=name, hint=f"0 to {most:,}"))
    named, file = choices.weights, None
    if named is not None and named not in PRESETS and _is_file_name(named):
        try:
            file = load_weights(
                named,
                catalog.comparison_fields(),
                PRESETS,
                [row.id for row in catalog.criteria()],
                [row.id for row in catalog.criterion_data()],
            )
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    preset = None if file is not None else named
    return Options(file, preset, start, horizon, choices.screen, choices.draws, choices.seed)


def _is_file_name(name: str) -> bool:
    return name.endswith((".yaml", ".yml")) or "/" in name or Path(name).is_file()


def _day(option: str, text: str | None, problems: list[Problem]) -> datetime.date | None:
    if text is None:
        return None
    from clusterplan.inputs.leaf import LeafError, read_day

    try:
        return read_day(text)
    except LeafError as error:
        _, message, hint = error.parts[0]
        problems.append(Problem(message, path=option, hint=hint))
        return None


def load_all(
    sites: Sequence[str], *, rack: str | None = None, overrides: Sequence[str] = ()
) -> list[SiteInputs]:
    """The inputs of all sites. Raises InputError with the problems of all of them."""
    from clusterplan.cli.size import load

    loaded: list[SiteInputs] = []
    problems: list[Problem] = []
    for site in _spread(sites):
        try:
            loaded.append(load(site, {"rack": rack}, overrides))
        except InputError as error:
            problems += error.problems
    seen: dict[str, str] = {}
    for inputs in loaded:
        where = inputs.files["site"]
        if inputs.site.id in seen:
            problems.append(
                Problem(f'id "{inputs.site.id}" is also that of {seen[inputs.site.id]}', where)
            )
        seen[inputs.site.id] = where
    if problems:
        raise InputError(problems)
    return loaded


def _spread(sites: Sequence[str]) -> list[str]:
    """The sites named, with a folder of site folders in place of each of them."""
    found: list[str] = []
    for site in sites:
        folder = Path(site)
        inside = sorted(str(path.parent) for path in folder.glob("*/site.y*ml"))
        own = any(folder.glob("site.y*ml"))
        found += inside if inside and not own else [site]
    return found
