"""The fabric section of a report: every figure from a recorded formula or a noted datum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan.core.record import given
from clusterplan.core.results.fabric import ClusterRow, FabricSection, OpticsRow
from clusterplan.sizing import fabric_totals as totals
from clusterplan.sizing.fabric import CLOS, DRAGONFLY_PLUS, RAIL_ONLY
from clusterplan.sizing.fabric_count import most_slots

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack
    from clusterplan.planning.fabric_plan import FabricPlan
    from clusterplan.sizing.fabric import FabricDesign
    from clusterplan.sizing.fabric_count import FabricCounts
    from clusterplan.sizing.fabric_site import SiteFabric

TOPOLOGIES = ("", "single-switch", "two-tier-clos", "three-tier-clos")


def section_of(plan: FabricPlan, counted: SiteFabric) -> FabricSection:
    """All figures of a counted site fabric (one server or more)."""
    fabric, rack, request = plan.site.fabric, plan.rack, plan.site.fabric.request
    fabrics = counted.fabrics
    tiers = totals.tiers(tuple(one.tiers for _, one in fabrics))
    cabling = _cabling(fabric, counted)
    links = (cabling["endpoint_links"], cabling["leaf_spine_links"], cabling["spine_core_links"])
    between = _global_links(fabric, fabrics)
    leaf, spine, core = counted.leaf_switches, counted.spine_switches, counted.core_switches
    leaf_ratio, spine_ratio = _oversubscription(fabric, fabrics)
    _note_given(plan, counted)
    return FabricSection(
        topology=_topology(fabric, tiers),
        leaf_mode=request.leaf_mode,
        switch=request.switch.id,
        switch_name=request.switch.name,
        accelerators=totals.fabric_accelerators(counted.servers, fabric.accelerators_per_node),
        servers=counted.servers,
        reserve_nodes=request.reserve_nodes,
        tiers=tiers,
        planes=_planes(fabric),
        rails=_rails(fabric),
        nic_gbps=request.nic_gbps,
        link_gbps=fabric.link_gbps,
        uplink_gbps=fabric.uplink_gbps,
        clusters=counted.clusters,
        radix=fabric.radix,
        leaf_downlinks=fabric.leaf_downlinks if tiers > 1 else None,
        leaf_uplinks=fabric.leaf_uplinks if tiers > 1 else None,
        stripes=totals.stripes(tuple(n * one.stripes for n, one in fabrics)),
        leaf_switches=leaf,
        spine_switches=spine,
        spine_switches_minimum=_spines_minimum(fabric, fabrics),
        core_switches=core,
        switches=totals.switches(leaf, spine, core),
        **cabling,
        groups=sum(n * one.pods for n, one in fabrics) if between else None,
        global_links=between or None,
        oversubscription=totals.oversubscription(leaf_ratio, spine_ratio),
        oversubscription_leaf=leaf_ratio,
        oversubscription_spine=spine_ratio,
        bisection_tb_per_s=_bisection(fabric, fabrics),
        worst_switch_hops=_hops(fabric, counted, tiers),
        switch_power_kw=counted.switch_power_kw,
        optics_power_kw=_optics_power(plan, counted),
        switch_rack_units=counted.switch_rack_units,
        optics=_optics(plan, counted, links),
        # one cluster is the section itself
        cluster_sizes=tuple(
            _cluster(fabric, place, n, one)
            for place, (n, one) in enumerate(fabrics)
            if counted.clusters > 1
        ),
        unused_ports=_unused_ports(plan, counted, links),
        grows_to_accelerators=totals.grows_to_accelerators(
            tuple(n * _growth(fabric, one) for n, one in fabrics)
        ),
        **_scale_up(rack, counted),
        scale_up_kind=rack.scale_up_kind,
        fabrics=(),
    )


def _scale_up(rack: Rack, counted: SiteFabric) -> dict[str, Any]:
    """Domains whose accelerators are joined without this fabric: NVLink, UALink, ICI."""
    size = rack.scale_up_domain_size
    if size is None:
        return {"scale_up_domain_size": None}
    accelerators = counted.servers * rack.accelerators_per_server
    return {
        "scale_up_domain_size": size,
        "scale_up_domains": totals.scale_up_domains(accelerators, size),
        "scale_up_domain_racks": totals.scale_up_domain_racks(size, rack.accelerators_per_rack),
    }


def _topology(fabric: FabricDesign, tiers: int) -> str:
    named = fabric.request.topology
    return TOPOLOGIES[tiers] if named == CLOS or (tiers == 1 and named != RAIL_ONLY) else named


def _planes(fabric: FabricDesign) -> int:
    """Planes that a NIC port is split into or has a port for; rails apart."""
    return fabric.request.planes if fabric.request.rail_only else fabric.planes


def _rails(fabric: FabricDesign) -> int:
    """NIC ports of a node that meet a switch each, whether those are joined above or not."""
    request = fabric.request
    return request.ports_as_planes if request.rail_only else request.rails


def _cabling(fabric: FabricDesign, counted: SiteFabric) -> dict[str, int]:
    """Links (logical, all planes) and cables (assemblies) of the section, by field."""
    planes, fabrics = fabric.planes, counted.fabrics
    native, radix = fabric.native_ports, fabric.spine_radix
    cables = totals.endpoint_cables(counted.servers, fabric.nic_ports_per_node)
    leaf_spine = totals.leaf_spine_links(
        planes, tuple(n * one.leaf_spine_links for n, one in fabrics)
    )
    spine_core = totals.spine_core_links(
        planes, tuple(n * one.spine_core_links for n, one in fabrics)
    )
    return {
        "fabric_manager_cables": totals.fabric_manager_cables(
            counted.clusters, fabric.fabric_manager_cables
        ),
        "endpoint_cables": cables,
        "leaf_spine_cables": totals.leaf_spine_cables(leaf_spine, native, radix),
        "spine_core_cables": totals.spine_core_cables(spine_core, native, radix),
        "endpoint_links": totals.endpoint_links(cables, fabric.request.planes),
        "leaf_spine_links": leaf_spine,
        "spine_core_links": spine_core,
    }


def _global_links(fabric: FabricDesign, fabrics: tuple[tuple[int, FabricCounts], ...]) -> int:
    """Links between the groups of a dragonfly+, 0 where there are none."""
    if fabric.request.topology != DRAGONFLY_PLUS:
        return 0
    found = totals.global_links(fabric.planes, tuple(n * one.global_links for n, one in fabrics))
    if found:
        groups = sum(n * one.pods for n, one in fabrics)
        given("fabric.groups", groups, "groups", "endpoints over the endpoints of a group")
    return found


def _hops(fabric: FabricDesign, counted: SiteFabric, tiers: int) -> int:
    """Switches between two nodes; between groups of a dragonfly+: leaf, spine, spine, leaf."""
    if any(one.global_links for _, one in counted.fabrics):
        return totals.worst_switch_hops_between_groups()
    return totals.worst_switch_hops(tiers)


def _spines_minimum(fabric: FabricDesign, fabrics: tuple[tuple[int, FabricCounts], ...]) -> int:
    minimum = tuple(n * one.spines_minimum for n, one in fabrics)
    return totals.spine_switches_minimum(fabric.planes, minimum)


def _note_given(plan: FabricPlan, counted: SiteFabric) -> None:
    """Note the figures that come from the rack, the switch or the user."""
    fabric, rack = plan.site.fabric, plan.rack
    request, switch = fabric.request, fabric.request.switch
    source = rack.source or f"rack {rack.id}"
    given("fabric.servers", counted.servers, "servers", "what is planned", "given")
    given("fabric.reserve_nodes", request.reserve_nodes, "servers", "design choice", "given")
    given("fabric.planes", _planes(fabric), "planes", "design choice or usual fabric", "given")
    given("fabric.rails", _rails(fabric), "rails", source, rack.verified)
    given("fabric.nic_gbps", request.nic_gbps, "Gb/s", source, rack.verified)
    given("fabric.radix", fabric.radix, "ports", switch.source or switch.id, switch.verified)
    if request.leaf_split is not None:
        down, up = request.leaf_split
        given("fabric.leaf_downlinks", down, "ports", "fixed leaf split", "given")
        given("fabric.leaf_uplinks", up, "ports", "fixed leaf split", "given")
    elif fabric.link_gbps != fabric.uplink_gbps:
        rule = "largest split whose cages fit, fabric method rule 2"
        given("fabric.leaf_downlinks", fabric.leaf_downlinks, "ports", rule)
    path = "fabric.uplink_gbps"
    given(path, fabric.uplink_gbps, "Gb/s", "a port of the switch, leaf to spine")
    size = rack.scale_up_domain_size
    if size is not None:
        given("fabric.scale_up_domain_size", size, "accelerators", source, rack.verified)


def _oversubscription(
    fabric: FabricDesign, fabrics: tuple[tuple[int, FabricCounts], ...]
) -> tuple[float, float]:
    """Leaf and spine ratio of the fullest cluster."""
    one = max((one for _, one in fabrics), key=lambda one: one.nodes)
    leaf = totals.oversubscription_leaf(
        fabric.stripe, fabric.link_gbps, one.leaf_uplinks, fabric.uplink_gbps
    )
    if one.global_links:  # of a full group: its leaf uplinks over its links to other groups
        down, up = one.spine_downlinks * one.leaf_uplinks, 2 * one.global_links // one.pods
        return leaf, totals.oversubscription_spine(down, up)
    down = one.spine_downlinks if one.tiers == 3 else 0
    return leaf, totals.oversubscription_spine(down, one.spine_uplinks)


def _bisection(fabric: FabricDesign, fabrics: tuple[tuple[int, FabricCounts], ...]) -> float:
    found = []
    for number, one in fabrics:
        endpoint = one.nodes * fabric.request.rails * fabric.planes * fabric.link_gbps
        inside = (one.leaf_spine_links, one.spine_core_links)[: one.tiers - 1]
        tiers = tuple(links * fabric.planes * fabric.uplink_gbps for links in inside)
        if one.global_links:  # twice the links that cross the middle, since the rule halves it
            cut = totals.global_cut_links(one.global_links, one.pods)
            tiers = (*tiers, 2 * cut * fabric.planes * fabric.uplink_gbps)
        found.append(number * totals.fabric_bisection_tb_per_s((endpoint, *tiers)))
    return totals.bisection_tb_per_s(tuple(found))


def _growth(fabric: FabricDesign, one: FabricCounts) -> int:
    return totals.fabric_growth(
        most_slots(fabric, one.tiers), fabric.request.reserve_nodes, fabric.accelerators_per_node
    )


def _unused_ports(plan: FabricPlan, counted: SiteFabric, links: tuple[int, int, int]) -> int:
    """Ports without a link; a fabric-manager cable takes a free leaf port, where there is one."""
    fabric = plan.site.fabric
    placed = 0
    for number, one in counted.fabrics:
        used = one.nodes * fabric.request.rails + one.leaves * one.leaf_uplinks
        free = fabric.planes * (one.leaves * fabric.leaf_ports - used)
        placed += number * min(fabric.fabric_manager_cables, free)
    wanted = counted.clusters * fabric.fabric_manager_cables
    if placed < wanted:
        plan.ledger.warn(
            "fabric_manager_ports",
            "fabric.fabric_manager_cables",
            f"{wanted - placed} of {wanted} fabric-manager cables find no free leaf port; "
            "keep a reserve of one server slot",
        )
    ports = totals.switch_ports(
        counted.leaf_switches,
        fabric.leaf_ports,
        counted.spine_switches,
        counted.core_switches,
        fabric.spine_radix,
    )
    unused = totals.unused_ports(ports, *links, placed)
    between = sum(n * one.global_links for n, one in counted.fabrics) * fabric.planes
    return totals.unused_ports_beside(unused, between) if between else unused


def _optics_power(plan: FabricPlan, counted: SiteFabric) -> float | None:
    """Unknown where the cages take a module that the catalogue does not have."""
    equipment = plan.site.equipment
    if equipment.cages and equipment.switch_module is None:
        return None
    return counted.optics_power_kw


def _optics(
    plan: FabricPlan, counted: SiteFabric, links: tuple[int, int, int]
) -> tuple[OpticsRow, ...]:
    """Modules by place; an end of every link is at a switch or at a NIC."""
    equipment, fabric = plan.site.equipment, plan.site.fabric
    endpoint, leaf_spine, spine_core = links
    between = fabric.planes * sum(n * one.global_links for n, one in counted.fabrics)
    if equipment.copper:
        return ()
    rows = []
    for place, modules, ends in (
        ("leaf", counted.leaf_modules, (endpoint, leaf_spine)),
        ("spine", counted.spine_modules, (leaf_spine, spine_core + 2 * between)),
        ("core", counted.core_modules, (spine_core,)),
        (
            "node",
            totals.modules_at_place(1, (counted.servers * fabric.nic_ports_per_node,)),
            (endpoint,),
        ),
    ):
        module = equipment.nic_module if place == "node" else equipment.switch_module
        if not any(ends) or (place != "node" and not equipment.cages):
            continue
        total = totals.link_ends(ends)
        if module is None:
            rows.append(OpticsRow(id="", place=place, modules=None, ends=total, power_kw=None))
            continue
        power = totals.place_optics_kw(modules, module.power_w)
        rows.append(
            OpticsRow(id=module.id, place=place, modules=modules, ends=total, power_kw=power)
        )
    return tuple(rows)


def _cluster(fabric: FabricDesign, place: int, number: int, one: FabricCounts) -> ClusterRow:
    path = f"fabric.cluster_sizes.{place}"
    cut = "counting rule 12: fewest equal clusters within reach, see Clusters"
    given(f"{path}.clusters", number, "", cut)
    given(f"{path}.servers", one.nodes, "", cut)
    given(f"{path}.tiers", one.tiers, "", "clusterplan method, fabric rule 4")
    return ClusterRow(
        clusters=number,
        servers=one.nodes,
        tiers=one.tiers,
        leaf_switches=totals.leaf_switches(fabric.planes, (one.leaves,)),
        spine_switches=totals.spine_switches(fabric.planes, (one.spines,)),
        core_switches=totals.core_switches(fabric.planes, (one.cores,)),
    )
