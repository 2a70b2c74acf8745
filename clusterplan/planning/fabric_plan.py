"""From a rack and the design choices to the compute fabric of a site.

`fabric_design` resolves once; `count_site_fabric` is fast enough for the solve loop;
`fabric_section` gives the figures of the report, each recorded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.catalog import UnknownRowError
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import active_recorder
from clusterplan.sizing.fabric import DRAGONFLY_PLUS, RAIL_ONLY, FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import candidates_that_hold, count_fabric
from clusterplan.sizing.fabric_optics import (
    PLANNING_RACK_UNITS,
    FabricEquipment,
    assumed_switch_power_w,
    cage_gbps,
    cage_module_id,
    lane_conflict,
    lane_gbps,
    pick_medium,
    with_built_in_optics_w,
)
from clusterplan.sizing.fabric_site import (
    SiteFabric,
    SiteFabricDesign,
    count_site,
    plan_site_fabric,
)
from clusterplan.sizing.fabric_site import fabric_reach_racks as _reach_racks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterplan.core.equipment import Optic, Rack, Switch
    from clusterplan.core.results.fabric import FabricSection
    from clusterplan.planning.choices import Choices, Ledger

# Planning defaults where neither rack nor user names a part (judgement, vendor line-ups of 2026).
USUAL_SWITCH_BY_NIC_GBPS = {
    100.0: "sn5600",
    200.0: "qm8790",
    400.0: "qm9700",
    800.0: "q3400-ra",
    1600.0: "tomahawk6-1600",
}
USUAL_MODULE_BY_CAGE_GBPS = {
    200.0: "aoc-200",
    400.0: "dr4-400",
    800.0: "2xdr4-800-500m",
    1600.0: "2xdr4-1600",
}
USUAL_MODULE_BY_NIC_GBPS = {
    200.0: "aoc-200",
    400.0: "dr4-400",
    800.0: "dr4-800",
    1600.0: "2xdr4-1600",
}
ONE_PORT_MODULE = "dr4-800"
BUILT_IN_OPTICS_W_PER_PORT = 9.0  # engine 7 W and laser 2 W of an 800G port, as for cpo-800
_DEFAULTS = "planning default, fabric"


class FabricPlan(NamedTuple):
    """The fabric of a site: what is asked, resolved once, and for which rack."""

    site: SiteFabricDesign
    rack: Rack
    ledger: Ledger


def fabric_design(
    choices: Choices,
    rack: Rack,
    *,
    rails: int | None = None,
    uplink_gbps: float | None = None,
    single_cluster: bool | None = None,
) -> FabricPlan | None:
    """Resolve the fabric of a rack and the choices below `design.fabric`.

    rails: NIC ports of a server, where they are not those of the rack. None, with a warning, where
    the rack's ports or a switch for them are not known. Raises InputError for an unknown switch, a
    speed that it does not offer and choices that contradict each other.
    """
    ledger = choices.ledger
    ports = rack.scale_out_ports_per_accelerator
    speed = rack.scale_out_gbps
    if speed is None or (ports is None and rails is None):
        ledger.warn(
            "fabric_not_counted",
            "fabric",
            f"the scale-out ports of {rack.id} are not published; no compute fabric is counted",
        )
        return None
    switch, planes = _switch_and_planes(choices, rack, speed)
    if switch is None:
        ledger.warn(
            "fabric_not_counted",
            "fabric",
            f"no switch is usual for {speed:g} Gb/s ports; no compute fabric is counted",
        )
        return None
    request = _request(choices, rack, switch, planes, rails)
    if uplink_gbps is not None:
        request = replace(request, uplink_gbps=uplink_gbps)
    try:
        fabric = plan_fabric(request)
    except InputError as error:
        given = choices.is_given("fabric.switch")
        raise InputError([_in_design(p, switch_given=given) for p in error.problems]) from None
    if request.fabric_manager_cables is None:
        ledger.assume(
            "design.fabric.fabric_manager_cables", fabric.fabric_manager_cables, "", _DEFAULTS
        )
    single = choices.flag("single_cluster") if single_cluster is None else single_cluster
    site = plan_site_fabric(
        fabric,
        _equipment(switch, speed, ledger),
        su_servers=request.nodes_per_su,
        servers_per_rack=rack.servers_per_rack,
        single_cluster=single,
    )
    return FabricPlan(site, rack, ledger)


def _request(
    choices: Choices, rack: Rack, switch: Switch, planes: int, rails: int | None
) -> FabricRequest:
    """What the choices and the rack's ports ask of one fabric."""
    ports = rack.scale_out_ports_per_accelerator or 1
    as_planes = _ports_as_planes(choices, ports, rails)
    nic_ports = rails or rack.accelerators_per_server * ports
    topology = choices.text("fabric.topology")
    if topology == RAIL_ONLY:  # every rail is a network of its own, as a plane is
        as_planes = nic_ports
    return FabricRequest(
        switch=switch,
        nic_gbps=rack.scale_out_gbps or 0.0,
        rails=nic_ports // as_planes,
        topology=topology,
        planes=planes,
        ports_as_planes=as_planes,
        accelerators_per_node=rack.accelerators_per_server,
        nodes_per_su=_nodes_per_su(choices, rack),
        oversubscription_leaf=choices.number("fabric.oversubscription_leaf"),
        oversubscription_spine=choices.number("fabric.oversubscription_spine"),
        leaf_mode=_leaf_mode(choices, topology),
        leaf_split=_leaf_split(choices),
        spines=_whole_or_none(choices, "fabric.spines"),
        reserve_nodes=choices.integer("fabric.reserve_nodes"),
        fabric_manager_cables=_whole_or_none(choices, "fabric.fabric_manager_cables"),
    )


def count_site_fabric(plan: FabricPlan, servers: int) -> SiteFabric:
    """Switches, modules and watts for so many installed servers, for use in a solve loop.

    Raises InfeasibleError where `single_cluster` is asked for and one fabric does not reach.
    """
    return count_site(plan.site, servers)


def fabric_reach_racks(plan: FabricPlan) -> int:
    """Racks that one fabric reaches: the fabric limit where `single_cluster` is asked for."""
    return _reach_racks(plan.site)


def fabric_section(plan: FabricPlan, servers: int) -> FabricSection:
    """The figures of the report for so many installed servers; warnings go to the ledger.

    Raises InfeasibleError where one fabric is asked for and does not reach; its text names what
    would hold the servers.
    """
    from clusterplan.planning.fabric_figures import section_of
    from clusterplan.planning.fabric_notes import note_inputs

    if plan.site.single_cluster:
        _check_reach(plan, servers)
    plan_fabric(plan.site.fabric.request)  # once more, so that a record holds its steps
    if active_recorder() is not None:
        note_inputs(plan, servers)
    counted = count_site(plan.site, servers)
    _warn(plan, counted)
    return section_of(plan, counted)


def _check_reach(plan: FabricPlan, servers: int) -> None:
    try:
        count_fabric(plan.site.fabric, servers)
    except InfeasibleError as error:
        holding = candidates_that_hold(_candidates(plan), servers)
        advice = f"; would hold it: {', '.join(_few_of_each(holding))}" if holding else ""
        raise InfeasibleError(f"{error}{advice}", limit="fabric") from None


def _few_of_each(labels: Iterable[str], most: int = 3) -> list[str]:
    """At most so many labels that begin with the same word (three switches, not thirty)."""
    kept: dict[str, list[str]] = {}
    for label in labels:
        kept.setdefault(label.split()[0], []).append(label)
    return [label for group in kept.values() for label in group[:most]]


def _switch_and_planes(choices: Choices, rack: Rack, speed: float) -> tuple[Switch | None, int]:
    """The switch and the planes of one NIC port: of the user, of the rack's unit, or usual."""
    ledger = choices.ledger
    name = choices.text("fabric.switch")
    if not name:
        name = rack.su_switch or USUAL_SWITCH_BY_NIC_GBPS.get(speed, "")
        if not name:
            return None, 1
        source = f"usual fabric of {rack.id}" if rack.su_switch else _DEFAULTS
        verified = rack.su_verified if rack.su_switch else "false"
        ledger.assume("design.fabric.switch", name, "", source, verified=verified)
    planes = choices.optional("fabric.planes")
    if planes is None:
        planes = rack.su_planes if name == rack.su_switch else 1
        source = f"usual fabric of {rack.id}" if name == rack.su_switch else _DEFAULTS
        ledger.assume("design.fabric.planes", planes, "", source)
    path = "design.fabric.switch" if choices.is_given("fabric.switch") else "rack.su_switch"
    try:
        switch = catalog.switch(name)
    except UnknownRowError as error:
        message = f"unknown switch {name!r}"
        raise InputError(Problem(message, path=path, hint=error.hint or None)) from None
    unsuited = {
        "scale-up": "joins the accelerators of a scale-up domain, not servers",
        "scheduled-fabric": "is part of a scheduled cell fabric, which port counts do not size",
    }.get(switch.role)
    if unsuited is not None:
        raise InputError(Problem(f"{name} {unsuited}", path=path))
    return switch, int(planes)


def _ports_as_planes(choices: Choices, ports: int, rails: int | None) -> int:
    """How many NIC ports of one accelerator are planes of their own; 1: all are rails."""
    if ports == 1 or rails is not None:
        if choices.is_given("fabric.ports_as") and choices.text("fabric.ports_as") == "planes":
            choices.ledger.warn(
                "ports_as_unused",
                "design.fabric.ports_as",
                "ports_as planes changes nothing: an accelerator has one port here",
            )
        return 1
    return ports if choices.text("fabric.ports_as") == "planes" else 1


def _nodes_per_su(choices: Choices, rack: Rack) -> int | None:
    given = _whole_or_none(choices, "fabric.nodes_per_su")
    if given is not None:
        return given
    if rack.su_servers is not None:
        choices.ledger.assume(
            "design.fabric.nodes_per_su",
            rack.su_servers,
            "",
            f"scalable unit of {rack.id}",
            verified=rack.su_verified,
        )
    return rack.su_servers


def _whole_or_none(choices: Choices, path: str) -> int | None:
    value = choices.optional(path)
    return None if value is None else int(value)


def _leaf_mode(choices: Choices, topology: str) -> str:
    """How NIC ports meet leaves; those of a dragonfly+ are packed."""
    if topology == DRAGONFLY_PLUS and not choices.is_given("fabric.leaf_mode"):
        choices.ledger.assume("design.fabric.leaf_mode", "packed", "", "groups of a dragonfly+")
        return "packed"
    return choices.text("fabric.leaf_mode")


def _leaf_split(choices: Choices) -> tuple[int, int] | None:
    text = choices.text("fabric.leaf_split")
    return parse_leaf_split(text, "design.fabric.leaf_split") if text else None


def parse_leaf_split(text: str, path: str) -> tuple[int, int]:
    """Ports down and up from `32:32`. Raises InputError that names `path`."""
    down, colon, up = text.partition(":")
    if not (colon and down.strip().isdecimal() and up.strip().isdecimal()):
        raise InputError(Problem(f"cannot read {text!r}", path=path, hint='write "32:32"'))
    return int(down), int(up)


def _in_design(problem: Problem, *, switch_given: bool) -> Problem:
    """A problem of the fabric under the name that the user knows."""
    path = problem.path or "fabric"
    if path == "fabric.nic":
        return replace(problem, path="design.fabric.switch" if switch_given else "rack.scale_out")
    return replace(problem, path=f"design.{path}")


def _equipment(switch: Switch, nic_gbps: float, ledger: Ledger) -> FabricEquipment:
    """Watts, height and modules of a switch, with what had to be assumed."""
    watts = switch.planning_power_w
    if watts is None:
        watts = assumed_switch_power_w(switch.ports or 0, switch.gbps_per_port or 0.0)
        source = "20 W per Tb/s of ports, no power published"
        if switch.built_in_optics:
            watts = with_built_in_optics_w(watts, switch.ports or 0, BUILT_IN_OPTICS_W_PER_PORT)
            source += f", and {BUILT_IN_OPTICS_W_PER_PORT:g} W a port of built-in optics"
        ledger.assume(f"switches.{switch.id}.planning_power", watts, "W", source)
    units = switch.rack_units
    if units is None:
        units = PLANNING_RACK_UNITS
        ledger.assume(f"switches.{switch.id}.rack_units", units, "U", _DEFAULTS)
    cages = 0 if switch.built_in_optics else switch.cages or 0
    nic_module = USUAL_MODULE_BY_NIC_GBPS.get(nic_gbps, "")
    cord = None if nic_module else pick_medium(catalog.optics(), nic_gbps, kinds=("copper",))
    if cord is not None:
        cages = 0
        ledger.assume("fabric.medium", f"copper cords ({cord.id})", "", _DEFAULTS)
    else:
        ledger.assume("fabric.medium", "optical", "", "until cable lengths are known")
    in_cages = _switch_module(switch, ledger) if cages else None
    nic_module = _with_lanes_of(in_cages, nic_module, nic_gbps)
    return FabricEquipment(
        switch_power_w=watts,
        rack_units=units,
        liquid_cooled=switch.cooling == "liquid",
        cages=cages,
        copper=cord is not None,
        switch_module=in_cages,
        nic_module=None if cord else _module(nic_gbps, nic_module, "NIC ports", ledger),
    )


def _with_lanes_of(in_cages: Optic | None, usual: str, nic_gbps: float) -> str:
    """The usual NIC module, or one of the same speed with the lanes of the switch's module."""
    lane = lane_gbps(in_cages) if in_cages else None
    fitting = {
        row.id: lane_gbps(row)
        for row in catalog.optics()
        if row.speed_gbps == nic_gbps and lane_gbps(row) is not None
    }
    if lane is None or fitting.get(usual, lane) == lane:
        return usual
    same = [name for name, rate in fitting.items() if rate == lane]
    if in_cages is not None and in_cages.id in same:
        return in_cages.id
    return same[0] if same else usual


def _switch_module(switch: Switch, ledger: Ledger) -> Optic | None:
    speed = cage_gbps(switch.ports or 0, switch.gbps_per_port or 0.0, switch.cages or 1)
    name = cage_module_id(switch, USUAL_MODULE_BY_CAGE_GBPS, ONE_PORT_MODULE)
    return _module(speed, name, f"cages of {switch.id}", ledger)


def _module(speed: float, name: str, where: str, ledger: Ledger) -> Optic | None:
    """The usual module of exactly that speed; None, with a warning, where there is none."""
    module = pick_medium(catalog.optics(), speed, preferred=name) if name else None
    place = "nic" if where.startswith("NIC") else "switch"
    if module is None:
        ledger.warn(
            "no_optic",
            f"fabric.optics.{place}",
            f"the catalogue has no module of {speed:g} Gb/s for {where}; their watts are not in",
        )
    else:
        ledger.assume(f"fabric.{place}_module", module.id, "", _DEFAULTS, verified=module.verified)
    return module


def lanes_that_differ(plan: FabricPlan) -> str:
    """Why the modules of a fabric do not fit each other or its links; '' where they do."""
    equipment, fabric = plan.site.equipment, plan.site.fabric
    return lane_conflict(
        equipment.nic_module, equipment.switch_module, fabric.link_gbps, fabric.uplink_gbps
    )


def _warn(plan: FabricPlan, counted: SiteFabric) -> None:
    """What the user should know about this fabric."""
    site, ledger = plan.site, plan.ledger
    request, fabric = site.fabric.request, site.fabric
    tiers = max(one.tiers for _, one in counted.fabrics)
    if counted.clusters > 1:
        sizes = " + ".join(f"{n} x {one.nodes}" for n, one in counted.fabrics)
        message = (
            f"one fabric reaches {site.reach_servers} servers; the site is {counted.clusters} "
            f"clusters ({sizes} servers) that share no link"
        )
        ledger.warn("clusters", "fabric.clusters", message)
    conflict = lanes_that_differ(plan)
    if conflict:
        ledger.warn("lanes_differ", "fabric.optics", f"{conflict}; choose other modules or planes")
    if request.leaf_mode == "packed" and tiers > 1:
        message = "packed leaves: two NIC ports of one server may share a leaf"
        ledger.warn("packed", "fabric.leaf_mode", message)
    if tiers == 1 and (request.spines is not None or request.leaf_split is not None):
        message = "one switch holds all: the fixed leaf split or spines are not used"
        ledger.warn("one_switch", "fabric.tiers", message)
    elif request.spines is not None:
        if fabric.leaf_uplinks % request.spines:
            message = (
                f"{fabric.leaf_uplinks} uplinks do not spread evenly over {request.spines} spines"
            )
            ledger.warn("spines_uneven", "fabric.spines", message)
    largest = max(one.nodes for _, one in counted.fabrics)
    endpoints = (largest + request.reserve_nodes) * request.rails
    if tiers == 3 and endpoints <= fabric.leaf_downlinks * fabric.spine_radix:
        holding = candidates_that_hold(_candidates(plan), largest, tiers=2)
        if holding:
            message = f"{endpoints} endpoints a plane would fit two tiers with {holding[0]}"
            ledger.warn("tier_lost", "fabric.tiers", message)


def _candidates(plan: FabricPlan) -> list[tuple[str, FabricRequest]]:
    """Other fabrics for the same nodes: stripes, planes, switch, ratio, one change at a time."""
    request = plan.site.fabric.request
    found: list[tuple[str, FabricRequest]] = []
    if request.leaf_mode == "rail" and request.nodes_per_su is not None:
        found.append(("leaf_mode across-sus", replace(request, leaf_mode="across-sus")))
    ports = plan.rack.scale_out_ports_per_accelerator or 1
    if ports > 1 and request.ports_as_planes == 1 and request.rails % ports == 0:
        found.append(
            (
                "ports_as planes",
                replace(request, rails=request.rails // ports, ports_as_planes=ports),
            )
        )
    free = replace(request, spines=None, leaf_split=None)
    found += [(f"planes {n}", replace(free, planes=n)) for n in (2, 4, 8) if n > request.planes]
    if request.spines is not None or request.leaf_split is not None:
        found.append(("no fixed spines or leaf split", free))
    found += [
        (f"switch {row.id}", replace(free, switch=row, uplink_gbps=None))
        for row in sorted(catalog.switches(), key=lambda row: row.kind != request.switch.kind)
        if row.role == "compute" and row.id != request.switch.id
    ]
    found += [
        (f"oversubscription {n}:1", replace(free, oversubscription_leaf=float(n)))
        for n in (2, 3, 4)
        if n > request.oversubscription_leaf
    ]
    if request.leaf_mode != "packed":
        found.append(("leaf_mode packed", replace(request, leaf_mode="packed")))
    return found
