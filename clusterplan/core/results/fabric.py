"""Compute fabric."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class OpticsRow:
    """Modules of one kind at one place (leaf, spine, core, node); `ends` are link ends.

    `id` is empty where the optics are built in or the catalogue has none of that speed; modules
    and power are then null.
    """

    id: str
    place: str
    modules: int | None = figure("Modules", formula="modules_at_place")
    ends: int = figure("Ends", formula="link_ends")
    power_kw: float | None = figure("Power", formula="place_optics_kw")


@frozen
class ClusterRow:
    """Clusters of one size, each a fabric of its own; switches of one cluster, all planes."""

    clusters: int = figure("Clusters", formula="given")
    servers: int = figure("Servers", formula="given")
    tiers: int = figure("Tiers", formula="given")
    leaf_switches: int = figure("Leaf switches")
    spine_switches: int = figure("Spine switches")
    core_switches: int = figure("Core switches")


@frozen
class SupportFabricRow:
    """One fabric beside the compute fabric: storage, in-band, out-of-band, or converged.

    `converged` is storage and in-band management on the same ports. `spine_switch` is that above
    the leaves, empty where one switch holds all. Modules are those in switch cages; they and their
    power are null where the catalogue has no module.
    """

    name: str
    switch: str
    spine_switch: str
    medium: str
    link_gbps: float = figure("Port", formula="given", detail=True)
    clusters: int = figure("Clusters", formula="given", detail=True)
    tiers: int = figure("Tiers", formula="given")
    endpoints: int = figure("Endpoints", formula="support_endpoints|oob_endpoints")
    leaf_switches: int = figure("Leaf", formula="support_leaf_switches|oob_leaf_switches")
    spine_switches: int = figure("Spine", formula="support_spine_switches|oob_aggregation_switches")
    core_switches: int = figure("Core", formula="support_core_switches|given")
    endpoint_cables: int = figure(
        "Endpoint cables", formula="support_endpoints|oob_endpoints", detail=True
    )
    switch_links: int = figure(
        "Links between switches", formula="support_switch_links|oob_switch_links", detail=True
    )
    modules: int | None = figure("Modules", formula="support_modules|oob_modules", detail=True)
    oversubscription: float = figure(
        "Down:up", formula="support_oversubscription|oob_oversubscription"
    )
    switch_power_kw: float = figure(
        "Switch power", formula="support_switch_power_kw|oob_switch_power_kw"
    )
    optics_power_kw: float | None = figure("Optics power", formula="support_optics_power_kw")
    rack_units: float = figure(
        "Rack units", digits=0, formula="support_rack_units|oob_rack_units", detail=True
    )


@frozen
class FabricSection:
    """Counts over all planes and clusters. Radix and leaf split are those of one switch.

    `topology`: single-switch, two-tier-clos, three-tier-clos, rail-only (no switch joins two
    rails; tiers are those of one rail's network) or dragonfly-plus (groups of two tiers);
    `leaf_mode`: rail, across-sus or packed; `scale_up_domain_size`: accelerators joined without
    this fabric, by `scale_up_kind`; `fabrics`: those beside the compute fabric.
    """

    topology: str
    leaf_mode: str
    switch: str
    switch_name: str
    accelerators: int = figure("Accelerators", formula="fabric_accelerators")
    servers: int = figure("Servers installed", formula="given", detail=True)
    reserve_nodes: int = figure(
        "Empty server slots kept", basis="each cluster", formula="given", detail=True
    )
    tiers: int = figure("Tiers")
    planes: int = figure("Planes", formula="given")
    rails: int = figure("Rails", formula="given")
    nic_gbps: float = figure("NIC port", formula="given", detail=True)
    link_gbps: float = figure("Link of one plane", formula="plane_link_gbps", detail=True)
    uplink_gbps: float = figure("Link between switches", formula="given", detail=True)
    clusters: int = figure("Clusters")
    radix: int = figure("Ports of a switch at the link speed", formula="given", detail=True)
    leaf_downlinks: int | None = figure("Leaf ports down", detail=True)
    leaf_uplinks: int | None = figure("Leaf ports up", detail=True)
    stripes: int = figure("Stripes", formula="stripes", detail=True)
    leaf_switches: int = figure("Leaf switches")
    spine_switches: int = figure("Spine switches")
    spine_switches_minimum: int = figure("Spine switches, plain ceiling", detail=True)
    core_switches: int = figure("Core switches")
    switches: int = figure("Switches", detail=True)
    fabric_manager_cables: int = figure("Fabric-manager cables", detail=True)
    endpoint_cables: int = figure("Endpoint cables", basis="assemblies")
    leaf_spine_cables: int = figure("Leaf-spine cables", basis="assemblies")
    spine_core_cables: int = figure("Spine-core cables", basis="assemblies")
    endpoint_links: int = figure("Endpoint links", basis="all planes", detail=True)
    leaf_spine_links: int = figure("Leaf-spine links", basis="all planes", detail=True)
    spine_core_links: int = figure("Spine-core links", basis="all planes", detail=True)
    groups: int | None = figure("Groups", formula="given", optional=True, default=None)
    global_links: int | None = figure(
        "Links between groups", basis="all planes", optional=True, default=None
    )
    oversubscription: float = figure("Oversubscription", basis="down:up, wired")
    oversubscription_leaf: float = figure(
        "Oversubscription, leaf", basis="down:up, wired", detail=True
    )
    oversubscription_spine: float = figure(
        "Oversubscription, spine", basis="down:up, wired", detail=True
    )
    bisection_tb_per_s: float = figure("Bisection, one direction", basis="all planes")
    worst_switch_hops: int = figure(
        "Switches between two nodes at most",
        formula="worst_switch_hops|worst_switch_hops_between_groups",
        detail=True,
    )
    switch_power_kw: float = figure("Switch power", basis="modules apart")
    optics_power_kw: float | None = figure("Optics power in switch cages")
    switch_rack_units: float = figure("Rack units of switches", digits=0, detail=True)
    optics: tuple[OpticsRow, ...] = ()
    cluster_sizes: tuple[ClusterRow, ...] = ()
    unused_ports: int = figure(
        "Unused ports", formula="unused_ports|unused_ports_beside", detail=True
    )
    grows_to_accelerators: int | None = figure(
        "Grows to accelerators", basis="same switch, planes, ratio, tiers, clusters"
    )
    scale_up_domain_size: int | None = figure("Accelerators of a scale-up domain", formula="given")
    scale_up_domains: int | None = figure(
        "Scale-up domains", detail=True, optional=True, default=None
    )
    scale_up_domain_racks: float | None = figure(
        "Racks of a scale-up domain", detail=True, optional=True, default=None
    )
    scale_up_kind: str = ""
    fabrics: tuple[SupportFabricRow, ...] = ()
