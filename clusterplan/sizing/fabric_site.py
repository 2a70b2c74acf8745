"""The fabrics of a site: clusters, totals over planes and clusters, power and heat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InfeasibleError
from clusterplan.core.frozen import frozen
from clusterplan.core.record import formula
from clusterplan.sizing import fabric_totals as totals
from clusterplan.sizing.fabric_count import FabricCounts, count_fabric, reach_nodes
from clusterplan.sizing.fabric_optics import modules_in_cages

if TYPE_CHECKING:
    from clusterplan.sizing.fabric import FabricDesign
    from clusterplan.sizing.fabric_optics import FabricEquipment


@frozen
class SiteFabricDesign:
    """One fabric's design and how a site is cut where one fabric does not reach.

    reach_servers    most installed servers of one fabric
    su_servers       servers of a scalable unit, None where there is none
    single_cluster   one fabric whatever the size: its reach is a limit
    """

    fabric: FabricDesign
    equipment: FabricEquipment
    reach_servers: int
    su_servers: int | None
    servers_per_rack: int
    single_cluster: bool


class SiteFabric(NamedTuple):
    """All fabrics of a site. Counts are totals over planes and clusters; powers in kW."""

    servers: int
    fabrics: tuple[tuple[int, FabricCounts], ...]
    clusters: int
    leaf_switches: int
    spine_switches: int
    core_switches: int
    leaf_modules: int
    spine_modules: int
    core_modules: int
    switch_power_kw: float
    optics_power_kw: float
    network_power_kw: float
    network_liquid_kw: float
    switch_rack_units: float


@formula(
    title="Clusters",
    equation="fewest groups of whole units, one unit apart at most, each within the reach; the "
    "part-filled unit in the last",
    unit="(clusters, servers of each)",
    source="clusterplan method, counting rule 12",
    plain=False,
)
def cut_into_clusters(
    servers: int, unit_servers: int, reach_servers: int
) -> tuple[tuple[int, int], ...]:
    """Clusters as (how many, servers of each), in order; the last one may be part-filled.

    unit_servers: servers of a scalable unit, or of a rack where there is none. Raises
    InfeasibleError where not even one unit is within reach.
    """
    if servers <= reach_servers:
        return ((1, servers),)
    units = -(-servers // unit_servers)
    short = units * unit_servers - servers
    reach_units = reach_servers // unit_servers
    if reach_units < 1:
        raise InfeasibleError(
            f"one unit of {unit_servers} servers is beyond one fabric, which holds {reach_servers}"
            " beside its reserve; fewer fabric.reserve_nodes or another fabric.switch may do",
            limit="fabric",
        )
    count = -(-units // reach_units)
    fewer = count - 1
    # one cluster more than reach_units long fits if it is the only one and part-filled enough
    if (
        fewer > 1
        and units % fewer == 1
        and (units // fewer + 1) * unit_servers - short <= (reach_servers)
    ):
        base = units // fewer
        return ((fewer - 1, base * unit_servers), (1, (base + 1) * unit_servers - short))
    base, longer = divmod(units, count)
    sizes = [(longer, (base + 1) * unit_servers), (count - longer, base * unit_servers)]
    if short:
        sizes[1:] = [(count - longer - 1, sizes[1][1]), (1, sizes[1][1] - short)]
    return tuple(size for size in sizes if size[0])


def plan_site_fabric(
    fabric: FabricDesign,
    equipment: FabricEquipment,
    *,
    su_servers: int | None,
    servers_per_rack: int,
    single_cluster: bool,
) -> SiteFabricDesign:
    """Put a fabric's design, its equipment and the site's units together."""
    return SiteFabricDesign(
        fabric=fabric,
        equipment=equipment,
        reach_servers=reach_nodes(fabric),
        su_servers=su_servers,
        servers_per_rack=servers_per_rack,
        single_cluster=single_cluster,
    )


def clusters_of(design: SiteFabricDesign, servers: int) -> tuple[tuple[int, int], ...]:
    """The clusters of a site: cut at scalable units, at racks where those do not fit or are none.

    Raises InfeasibleError where a single cluster is asked for and does not reach.
    """
    if design.single_cluster:
        return ((1, servers),)
    su = design.su_servers
    unit = su if su is not None and su <= design.reach_servers else design.servers_per_rack
    return cut_into_clusters(servers, unit, design.reach_servers)


def fabric_reach_racks(design: SiteFabricDesign) -> int:
    """Racks that one fabric reaches: the fabric limit where `single_cluster` is asked for."""
    return design.reach_servers // design.servers_per_rack


def count_site(design: SiteFabricDesign, servers: int) -> SiteFabric:
    """Count every fabric of a site of so many installed servers.

    Raises InfeasibleError where one fabric is asked for and does not reach. No servers: no fabric.
    """
    if servers <= 0:
        return SiteFabric(0, (), 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0)
    fabric, equipment = design.fabric, design.equipment
    planes = fabric.planes
    fabrics = tuple(
        [(number, count_fabric(fabric, size)) for number, size in clusters_of(design, servers)]
    )
    leaf = totals.leaf_switches(planes, tuple([n * one.leaves for n, one in fabrics]))
    spine = totals.spine_switches(planes, tuple([n * one.spines for n, one in fabrics]))
    core = totals.core_switches(planes, tuple([n * one.cores for n, one in fabrics]))
    in_leaf = _modules(design, fabrics, "leaf")
    in_spine = _modules(design, fabrics, "spine")
    in_core = _modules(design, fabrics, "core")
    watts = equipment.switch_module.power_w if equipment.switch_module else 0.0
    switch_kw = totals.switch_power_kw(leaf, spine, core, equipment.switch_power_w)
    optics_kw = totals.optics_power_kw(in_leaf, in_spine, in_core, watts)
    network_kw = totals.network_power_kw(switch_kw, optics_kw)
    liquid_kw = network_kw if equipment.liquid_cooled else 0.0
    return SiteFabric(
        servers=servers,
        fabrics=fabrics,
        clusters=totals.clusters(tuple([n for n, _ in fabrics])),
        leaf_switches=leaf,
        spine_switches=spine,
        core_switches=core,
        leaf_modules=in_leaf,
        spine_modules=in_spine,
        core_modules=in_core,
        switch_power_kw=switch_kw,
        optics_power_kw=optics_kw,
        network_power_kw=network_kw,
        network_liquid_kw=liquid_kw,
        switch_rack_units=totals.switch_rack_units(leaf, spine, core, equipment.rack_units),
    )


def _modules(
    design: SiteFabricDesign, fabrics: tuple[tuple[int, FabricCounts], ...], place: str
) -> int:
    """Modules in cages at one place, all planes and clusters."""
    cages = design.equipment.cages
    if not cages:
        return 0
    fabric = design.fabric
    counts = []
    for number, one in fabrics:
        if place != "leaf":
            in_use = one.spine_in_use if place == "spine" else one.core_in_use
            modules = modules_in_cages(in_use, cages, fabric.spine_radix)
        elif fabric.radix == fabric.spine_radix:
            up = one.leaf_uplinks
            in_use = tuple([(leaves, down + up) for leaves, down in one.leaf_in_use])
            modules = modules_in_cages(in_use, cages, fabric.radix)
        else:  # a cage is split one way, so each side fills cages of its own
            modules = modules_in_cages(one.leaf_in_use, cages, fabric.radix)
            up_in_use = ((one.leaves, one.leaf_uplinks),)
            modules += modules_in_cages(up_in_use, cages, fabric.spine_radix)
        counts.append(number * modules)
    return totals.modules_at_place(fabric.planes, tuple(counts))
