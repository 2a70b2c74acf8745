"""`clusterplan fabric`: the compute fabric alone, one fabric without cutting into clusters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.cli.discipline_report import discipline_report
from clusterplan.cli.rack_option import rack_row
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import recording
from clusterplan.core.units import parse_quantity
from clusterplan.reporting.fabric_diagram import fabric_diagram

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack
    from clusterplan.core.results.fabric import FabricSection
    from clusterplan.core.results.plan import Report
    from clusterplan.planning.cabling_plan import SiteCabling
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.fabric_plan import FabricPlan

# option -> path of the choice it sets; also used to name the option in an error
_OPTIONS = {
    "switch": "fabric.switch",
    "planes": "fabric.planes",
    "ports_as": "fabric.ports_as",
    "nodes_per_su": "fabric.nodes_per_su",
    "reserve_nodes": "fabric.reserve_nodes",
    "fabric_manager_cables": "fabric.fabric_manager_cables",
    "leaf_mode": "fabric.leaf_mode",
    "leaf_split": "fabric.leaf_split",
    "spines": "fabric.spines",
    "topology": "fabric.topology",
    "medium": "fabric.medium",
    "spares": "fabric.spares",
}
_OPTION_OF_PATH = {path: name for name, path in _OPTIONS.items()} | {
    "fabric.oversubscription_leaf": "oversubscription",
    "fabric.oversubscription_spine": "oversubscription",
    "rack.scale_out": "nic",
    "fabric.rails": "rails",
    "fabric.uplink": "uplink",
    "fabric.nodes": "nodes",
}
_WORDS = {
    "ports_as": ("rails", "planes"),
    "leaf_mode": ("rail", "across-sus", "packed"),
    "topology": ("clos", "rail-only", "dragonfly-plus"),
    "medium": ("by-length", "optical"),
}
_MOST = 10_000_000
CUSTOM = "custom"  # servers that options alone describe
_NAME_ONE = "name the ports with --rails and --nic, and a --switch that has them"


class FabricJob(NamedTuple):
    """A planned fabric: its report, and what a wiring starts from.

    stages: cumulative servers, the last all of them.
    """

    report: Report
    plan: FabricPlan
    servers: int
    choices: Choices
    stages: tuple[int, ...]
    stage_names: tuple[str, ...] = ()

    def cabling(self, fabric: str = "compute") -> SiteCabling:
        """Wire and cable the compute fabric, another by name, or `all` of the site.

        The floor is that of all of them, so that a cable is as long in each of their schedules.
        Raises InputError where there is none of that name.
        """
        from clusterplan.planning.cabling_plan import ALL, site_cabling
        from clusterplan.planning.support_plan import support_design

        steps = dict(zip(self.stage_names, self.stages, strict=True)) if self.stage_names else {}
        if not steps:
            steps = {str(n): servers for n, servers in enumerate(self.stages, start=1)}
        support = None
        if self.plan.rack.id != CUSTOM:
            support = support_design(self.choices, self.plan.rack, self.plan)
        cabled = site_cabling(self.plan, self.servers, self.choices, steps, support)
        if fabric == ALL:
            return cabled
        kept = [one for one in cabled.fabrics if one.wired.is_part_of(fabric)]
        if not kept:
            names = dict.fromkeys(one.wired.name.partition("-c")[0] for one in cabled.fabrics)
            hint = f"one of {', '.join([*names, ALL])}"
            raise InputError(Problem(f"there is no fabric {fabric!r}", path="--fabric", hint=hint))
        return cabled._replace(fabrics=kept)


def job_of(site: str | None, options: dict[str, Any]) -> FabricJob:
    """The fabric of a site, or of what the options describe."""
    return planned(**options) if site is None else planned_for_site(site, **options)


def run(
    *, cabling: bool = False, fabric: str | None = None, site: str | None = None, **options: Any
) -> Report:
    """The report of a fabric, with the cabling section (of `fabric`, or all) where asked."""
    job = job_of(site, options)
    if fabric is not None and not cabling:
        raise InputError(Problem("goes with --cabling or --export", path="--fabric"))
    if not cabling:
        return job.report
    from clusterplan.planning.cabling_figures import cabling_section

    cabled = job.cabling(
        fabric or "compute"
    )  # not recorded: a step for every device would bury the others
    with recording(job.report.record):
        section = cabling_section(cabled.fabrics, cabled.placement, job.choices)
    ledger = job.choices.ledger
    noted = {"assumptions": ledger.assumptions, "warnings": ledger.warnings}
    planned_parts = {k: v for k, v in job.report.parts.items() if k not in noted}
    return replace(job.report, parts=planned_parts | {"cabling": section} | noted)


def planned(
    *,
    rack: str | Rack | None = None,
    accelerators: int | None = None,
    nodes: int | None = None,
    rails: int | None = None,
    nic: str | None = None,
    uplink: str | None = None,
    oversubscription: str | None = None,
    stages: str | None = None,
    optimise: str | None = None,
    **options: Any,
) -> FabricJob:
    """Count the fabric that joins the given nodes or accelerators; reserve comes on top.

    rack: catalogue id or a row; without one, `rails` and `nic` are due and accelerators are taken
    as one per rail. options: the choices of `_OPTIONS`, None where left out. stages: nodes or
    accelerators of earlier stages. optimise: switches, optics, power or cost: the best switch of
    the catalogue and number of planes by that, with the table of the others. Raises InputError
    naming the option; an infeasible request gives the largest fabric that fits, with
    `feasible=False` and the reason.
    """
    from clusterplan import catalog
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.fabric_options import best_choices
    from clusterplan.planning.fabric_plan import fabric_design

    _check({"nodes": nodes, "accelerators": accelerators, "rails": rails})
    chosen = _chosen(options | {"oversubscription": oversubscription})
    row = _rack_row(rack, rails, nic, options.get("nodes_per_su"))
    ledger = Ledger()
    choices = Choices(catalog.design_fields(), chosen, ledger)
    with recording() as record:
        servers = _servers(row, accelerators, nodes, ledger)
        steps = _stages(stages, servers, row.accelerators_per_server if nodes is None else 1)
        own_rails = rails if rack is not None else None
        table = None
        try:
            if optimise is not None:
                found, table = best_choices(choices, row, servers, optimise, rails=own_rails)
                choices = Choices(catalog.design_fields(), chosen | found, ledger)
            plan = fabric_design(
                choices,
                row,
                rails=own_rails,
                uplink_gbps=None if uplink is None else speed_of(uplink, "--uplink"),
                single_cluster=True,
            )
            if plan is None:
                path = "--rack" if nic is None else "--nic"
                raise InputError(Problem(_not_counted(ledger), path=path, hint=_NAME_ONE))
            section, reason = _largest_section(plan, servers)
            if rack is not None:
                section = _with_support(section, choices, row, plan)
        except InputError as error:
            raise InputError([_as_option(problem) for problem in error.problems]) from None
    title = f"Compute fabric, {section.servers} servers of {row.name or row.id}"
    report = discipline_report(
        *("fabric", title, section, ledger, record),
        infeasible_reason=reason,
        drawing=fabric_diagram(section),
    )
    if table is not None:
        parts = {"fabric": section, "options": table}
        report = replace(
            report, parts=parts | {k: v for k, v in report.parts.items() if k != "fabric"}
        )
    if section.servers < servers:
        steps = tuple(min(step, section.servers) for step in steps)
    return FabricJob(report, plan, section.servers, choices, steps)


_OF_SITE = ("rack", "accelerators", "rails", "nic", "uplink", "nodes", "stages", "optimise")


def planned_for_site(site: str, **options: Any) -> FabricJob:
    """The compute fabric of a sized site, cut into clusters where one does not reach.

    The stages are those of the site's supply. Raises InputError for options that describe other
    nodes than the site's, and for a site that cannot be planned.
    """
    from dataclasses import replace as changed

    from clusterplan.cli.size import load
    from clusterplan.planning.fabric_plan import fabric_section
    from clusterplan.planning.size_site import fabric_of_site

    other = [name for name in _OF_SITE if options.pop(name, None) is not None]
    if other:
        message = "the site says what is joined"
        raise InputError(Problem(f"{message}; leave it out", path=f"--{other[0]}"))
    chosen = _chosen(options)
    inputs = load(site, {}, ())
    inputs = changed(inputs, design={**inputs.design, **chosen})
    with recording() as record:
        found = fabric_of_site(inputs)
        try:
            section = fabric_section(found.plan, found.servers)
        except InputError as error:
            raise InputError([_as_option(problem) for problem in error.problems]) from None
    title = f"Compute fabric of {inputs.site.name or inputs.site.id}, {found.servers:,} servers"
    report = discipline_report(
        *("fabric", title, section, found.plan.ledger, record), drawing=fabric_diagram(section)
    )
    names, steps = zip(*found.stages, strict=True)
    return FabricJob(report, found.plan, found.servers, found.choices, steps, names)


def _chosen(options: dict[str, Any]) -> dict[str, Any]:
    """Choices by path from options; words and numbers checked."""
    options = dict(options)
    ratios = _ratios(options.pop("oversubscription", None))
    spares = options.pop("spares", None)
    _check(options)
    chosen = {_OPTIONS[name]: value for name, value in options.items() if value is not None}
    if spares is not None:
        chosen["fabric.spares"] = _share(spares)
    return chosen | ratios


def _stages(text: str | None, servers: int, per_server: int) -> tuple[int, ...]:
    """Cumulative servers by stage from "1024,2048"; the last stage is all of them."""
    if text is None:
        return (servers,)
    steps = []
    for part in text.split(","):
        if not part.strip().isdecimal() or int(part) < 1:
            raise _bad("--stages", text, "whole numbers, ascending: 1024,2048")
        steps.append(-(-int(part) // per_server))
    if sorted(set(steps)) != steps or steps[-1] > servers:
        raise _bad("--stages", text, "ascending, none above what is asked for")
    return tuple(steps) if steps[-1] == servers else (*steps, servers)


def _share(text: str) -> float:
    """A share from "5 %" or "0.05"."""
    number = text.strip().removesuffix("%").strip()
    try:
        share = float(number) / (100.0 if text.strip().endswith("%") else 1.0)
    except ValueError:
        raise _bad("--spares", text, '"5 %"') from None
    if not 0.0 <= share <= 1.0:
        raise _bad("--spares", text, "0 to 100 %")
    return share


def _largest_section(plan: FabricPlan, servers: int) -> tuple[FabricSection, str | None]:
    """The fabric asked for, or the largest that fits and why the one asked for does not."""
    from clusterplan.planning.fabric_plan import fabric_section

    try:
        return fabric_section(plan, servers), None
    except InfeasibleError as error:
        if plan.site.reach_servers < 1:
            raise
        return fabric_section(plan, plan.site.reach_servers), str(error)


def _with_support(
    section: FabricSection, choices: Choices, row: Rack, plan: FabricPlan
) -> FabricSection:
    """The section with the fabrics beside it, which follow from the ports of the rack's servers."""
    from clusterplan.planning import support_plan
    from clusterplan.planning.fabric_plan import count_site_fabric
    from clusterplan.planning.support_rows import with_support

    support = support_plan.support_design(choices, row, plan)
    compute = count_site_fabric(plan, section.servers)
    counted = support_plan.count_support_fabrics(support, compute, section.servers)
    return with_support(section, support, counted)


def _rack_row(
    rack: str | Rack | None, rails: int | None, nic: str | None, nodes_per_su: int | None
) -> Rack:
    """The rack with the options beside it, or a server described by options alone."""
    from clusterplan.core.equipment import Rack

    speed = None if nic is None else speed_of(nic, "--nic")
    if rack is None:
        missing = [name for name, value in (("--rails", rails), ("--nic", speed)) if value is None]
        if missing or rails is None:
            message = f"{' and '.join(missing)} missing"
            raise InputError(Problem(message, path="fabric", hint="or name a --rack"))
        return Rack(
            id=CUSTOM,
            name=f"{rails} x {nic}",
            source="options of the command",
            verified="given",
            accelerator="",
            servers_per_rack=1,
            accelerators_per_server=rails,
            scale_out_ports_per_accelerator=1,
            scale_out_gbps=speed,
            su_servers=nodes_per_su,
        )
    row = rack_row(rack)
    if speed is None or speed == row.scale_out_gbps:
        return row
    # the usual fabric of the rack is for its own ports
    return replace(row, scale_out_gbps=speed, su_switch="", su_planes=1)


def _servers(row: Rack, accelerators: int | None, nodes: int | None, ledger: Ledger) -> int:
    """Installed servers; accelerators are rounded up to whole ones."""
    if (accelerators is None) == (nodes is None):
        message = "give either --accelerators or --nodes"
        raise InputError(Problem(message, path="fabric"))
    if nodes is not None:
        return nodes
    wanted = accelerators or 0
    servers = -(-wanted // row.accelerators_per_server)
    installed = servers * row.accelerators_per_server
    if installed > wanted:
        message = f"{wanted} accelerators asked for; {servers} whole servers have {installed}"
        ledger.warn("rounded_up", "--accelerators", message)
    return servers


def _ratios(text: str | None) -> dict[str, float]:
    """Ratios by path from `X` or `X,Y`; a ratio is a number or `down:up`."""
    if text is None:
        return {}
    parts = text.split(",")
    paths = ("fabric.oversubscription_leaf", "fabric.oversubscription_spine")
    if len(parts) > len(paths):
        raise _bad("--oversubscription", text, "leaf, or leaf,spine: 2 or 1,3")
    return {path: _ratio(part, text) for path, part in zip(paths, parts, strict=False)}


def _ratio(part: str, text: str) -> float:
    try:
        down, colon, up = part.partition(":")
        ratio = float(down) / float(up) if colon else float(down)
    except (ValueError, ZeroDivisionError):
        raise _bad("--oversubscription", text, "down:up of 1 or more: 2, 3:1 or 1,3") from None
    if not 1.0 <= ratio <= 64.0:
        raise _bad("--oversubscription", text, "down:up from 1 to 64")
    return ratio


def speed_of(text: str, option: str) -> float:
    """Gb/s of a data rate with its unit. Raises InputError naming the option."""
    try:
        speed = parse_quantity(text, "data_rate")
    except ValueError as error:
        raise InputError(Problem(str(error), path=option)) from None
    if not speed > 0.0:
        raise _bad(option, text, "more than 0 Gb/s")
    return speed


def _check(options: dict[str, Any]) -> None:
    """Words and whole numbers, all problems at once."""
    problems = []
    for name, value in options.items():
        if value is None:
            continue
        option = f"--{name.replace('_', '-')}"
        if name in _WORDS and value not in _WORDS[name]:
            problems.append(Problem(f"{value!r} is not {' or '.join(_WORDS[name])}", path=option))
        elif name not in ("switch", "leaf_split", *_WORDS):
            low = 0 if name in ("reserve_nodes", "fabric_manager_cables") else 1
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= _MOST:
                message = f"{value} is not a whole number from {low} to {_MOST}"
                problems.append(Problem(message, path=option))
    if problems:
        raise InputError(problems)


def _bad(option: str, value: str, accepted: str) -> InputError:
    return InputError(Problem(f"cannot use {value!r}", path=option, hint=accepted))


def _not_counted(ledger: Ledger) -> str:
    found = [w.message for w in ledger.warnings if w.code == "fabric_not_counted"]
    return found[-1] if found else "no compute fabric can be counted"


def _as_option(problem: Problem) -> Problem:
    """The same problem under the name of the option that caused it."""
    path = (problem.path or "").rpartition(": ")[2].removeprefix("design.")
    name = _OPTION_OF_PATH.get(path)
    if name is None:
        return problem
    return replace(problem, path=f"--{name.replace('_', '-')}")
