"""The fabrics beside the compute fabric: storage, in-band and out-of-band management.

Storage and in-band are Clos fabrics of packed leaves, counted by `fabric_count`. The out-of-band
network is copper access switches under pairs of aggregation switches. Formulas have names of their
own, so that a sheet of one fabric never shows the inputs of another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.frozen import frozen
from clusterplan.sizing import support_totals as totals
from clusterplan.sizing.fabric_count import FabricCounts, count_fabric
from clusterplan.sizing.fabric_optics import modules_in_cages
from clusterplan.sizing.fabric_site import SiteFabricDesign, clusters_of
from clusterplan.sizing.support_totals import SupportFabric

if TYPE_CHECKING:
    from clusterplan.core.equipment import Optic, Switch

STORAGE, IN_BAND, OUT_OF_BAND = "storage", "in-band", "out-of-band"
CONVERGED = "converged"  # storage and in-band management on the same ports


@frozen
class ClosBeside:
    """A storage or in-band fabric, whatever the number of servers.

    site                 design and equipment; its request has a server's ports as rails
    storage_port_share   ports of the storage systems as a share of the servers'; 0: none on it
    management_servers   more servers on it, each with as many ports as a compute server
    """

    name: str
    site: SiteFabricDesign
    storage_port_share: float
    management_servers: int


@frozen
class OutOfBand:
    """The out-of-band network, whatever the number of servers.

    ports_per_rack      management ports of a compute rack besides those of its servers
    management_servers  servers with one port each
    access_ports        copper ports of an access switch; `radix` those of an aggregation switch
    """

    access: Switch
    aggregation: Switch
    access_ports: int
    access_gbps: float
    uplink_gbps: float
    radix: int
    access_power_w: float
    aggregation_power_w: float
    access_rack_units: float
    aggregation_rack_units: float
    uplink_module: Optic
    ports_per_server: int
    ports_per_rack: int
    servers_per_rack: int
    management_servers: int


@frozen
class SupportDesign:
    """All fabrics beside the compute fabric; `out_of_band` is None where its ports are unknown."""

    clos: tuple[ClosBeside, ...]
    out_of_band: OutOfBand | None


def count_support(
    design: SupportDesign, servers: int, compute_switches: int
) -> tuple[SupportFabric, ...]:
    """Every fabric beside the compute fabric for so many installed servers; none for no servers."""
    if servers <= 0:
        return ()
    found = [_count_clos(one, servers) for one in design.clos]
    if design.out_of_band is not None:
        switches = compute_switches + sum(one.switches for one in found)
        storage = sum(one.storage_nodes for one in found)
        found.append(_count_oob(design.out_of_band, servers, switches, storage))
    return tuple(found)


def _count_clos(one: ClosBeside, servers: int) -> SupportFabric:
    """Nodes of a server's ports on packed leaves, cut into clusters beyond one fabric's reach."""
    site, fabric = one.site, one.site.fabric
    storage = totals.storage_system_nodes(servers, one.storage_port_share)
    ports = fabric.request.rails
    endpoints = totals.support_endpoints(servers, storage, one.management_servers, ports)
    nodes = servers + storage + one.management_servers
    cut = tuple((n, count_fabric(fabric, size)) for n, size in clusters_of(site, nodes))

    leaf = totals.support_leaf_switches(tuple([n * counts.leaves for n, counts in cut]))
    spine = totals.support_spine_switches(tuple([n * counts.spines for n, counts in cut]))
    core = totals.support_core_switches(tuple([n * counts.cores for n, counts in cut]))
    links = totals.support_switch_links(
        tuple([n * counts.leaf_spine_links for n, counts in cut]),
        tuple([n * counts.spine_core_links for n, counts in cut]),
    )
    equipment = site.equipment
    modules: int | None
    modules = in_cages = totals.support_modules(
        tuple([n * _modules(site, counts) for n, counts in cut])
    )
    optics_kw: float | None = None
    if equipment.cages and equipment.switch_module is None:
        modules = None
    else:
        watts = equipment.switch_module.power_w if equipment.switch_module else 0.0
        optics_kw = totals.support_optics_power_kw(in_cages, watts)
    largest = max((counts for _, counts in cut), key=lambda counts: counts.nodes)
    spine_down = largest.spine_downlinks if largest.tiers == 3 else 0
    return SupportFabric(
        name=one.name,
        endpoints=endpoints,
        clusters=sum(n for n, _ in cut),
        tiers=max(counts.tiers for _, counts in cut),
        leaf_switches=leaf,
        spine_switches=spine,
        core_switches=core,
        switch_links=links,
        modules=modules,
        switch_power_kw=totals.support_switch_power_kw(leaf, spine, core, equipment.switch_power_w),
        optics_power_kw=optics_kw,
        rack_units=totals.support_rack_units(leaf, spine, core, equipment.rack_units),
        oversubscription=totals.support_oversubscription(
            fabric.leaf_downlinks, largest.leaf_uplinks, spine_down, largest.spine_uplinks
        ),
        storage_nodes=storage,
    )


def _modules(site: SiteFabricDesign, counts: FabricCounts) -> int:
    """Modules in the cages of one cluster."""
    cages, radix = site.equipment.cages, site.fabric.radix
    if not cages:
        return 0
    up = counts.leaf_uplinks
    leaf = tuple((leaves, down + up) for leaves, down in counts.leaf_in_use)
    in_use = leaf + counts.spine_in_use + counts.core_in_use
    return modules_in_cages(in_use, cages, radix)


def _count_oob(design: OutOfBand, servers: int, switches: int, storage: int) -> SupportFabric:
    endpoints = totals.oob_endpoints(
        servers,
        design.ports_per_server,
        -(-servers // design.servers_per_rack),
        design.ports_per_rack,
        switches,
        storage,
        design.management_servers,
    )
    leaf = totals.oob_leaf_switches(endpoints, design.access_ports)
    aggregation = totals.oob_aggregation_switches(leaf, design.radix)
    uplinks = totals.oob_switch_links(leaf)
    modules = totals.oob_modules(uplinks)
    return SupportFabric(
        name=OUT_OF_BAND,
        endpoints=endpoints,
        clusters=1,
        tiers=2 if uplinks else 1,
        leaf_switches=leaf,
        spine_switches=aggregation,
        core_switches=0,
        switch_links=uplinks,
        modules=modules,
        switch_power_kw=totals.oob_switch_power_kw(
            leaf, design.access_power_w, aggregation, design.aggregation_power_w
        ),
        optics_power_kw=totals.support_optics_power_kw(modules, design.uplink_module.power_w),
        rack_units=totals.oob_rack_units(
            leaf, design.access_rack_units, aggregation, design.aggregation_rack_units
        ),
        oversubscription=totals.oob_oversubscription(
            design.access_ports, design.access_gbps, uplinks, design.uplink_gbps
        ),
        storage_nodes=0,
    )


def storage_and_management_kw(
    counted: tuple[SupportFabric, ...],
) -> tuple[
    tuple[tuple[float, ...], tuple[float, ...]], tuple[tuple[float, ...], tuple[float, ...]]
]:
    """(switches, modules) in kW of the storage fabrics, and of the management ones.

    A converged fabric counts as storage, which asks for most of it.
    """
    sides = []
    for names in ((STORAGE, CONVERGED), (IN_BAND, OUT_OF_BAND)):
        those = [one for one in counted if one.name in names]
        sides.append(
            (
                tuple(one.switch_power_kw for one in those),
                tuple(one.optics_power_kw or 0.0 for one in those),
            )
        )
    return sides[0], sides[1]
