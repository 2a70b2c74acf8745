"""One fabric beside the compute fabric, counted, and the formulas of its totals.

Formulas have names of their own, so that a sheet of the compute fabric never shows the inputs of
these.
"""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.fabric import METHOD

_RULE_17 = f"{METHOD} rule 17"
_RULE_18 = f"{METHOD} rule 18"


class SupportFabric(NamedTuple):
    """One fabric beside the compute fabric. Modules and their power are None where unknown."""

    name: str
    endpoints: int
    clusters: int
    tiers: int
    leaf_switches: int
    spine_switches: int
    core_switches: int
    switch_links: int
    modules: int | None
    switch_power_kw: float
    optics_power_kw: float | None
    rack_units: float
    oversubscription: float
    storage_nodes: int

    @property
    def switches(self) -> int:
        """All its switches: each has a management port."""
        return self.leaf_switches + self.spine_switches + self.core_switches

    @property
    def regime(self) -> tuple[int, int]:
        """What makes its counts jump when it changes."""
        return self.clusters, self.tiers


@formula(
    title="Storage systems, as nodes with a server's ports",
    equation="ceil(servers * storage_system_ports - 1e-9)",
    unit="nodes",
    source=f"{_RULE_17}: their ports as a share of the servers'",
)
def storage_system_nodes(servers: int, storage_system_ports: float) -> int:
    """Nodes that stand for the storage systems on a fabric."""
    return ceil(servers * storage_system_ports - 1e-9)


@formula(
    title="Endpoints beside the compute fabric",
    equation="(servers + storage_system_nodes + management_servers) * ports_per_server",
    unit="ports",
    source=_RULE_17,
)
def support_endpoints(
    servers: int, storage_system_nodes: int, management_servers: int, ports_per_server: int
) -> int:
    """Ports on a storage or in-band fabric."""
    return (servers + storage_system_nodes + management_servers) * ports_per_server


@formula(
    title="Leaf uplinks, oversubscribed",
    equation="floor(radix / (1 + oversubscription) / 4 + 1e-9) * 4",
    unit="ports",
    source=f"{_RULE_17}: a multiple of 4, so that few spines can share them evenly",
)
def support_leaf_uplinks(radix: int, oversubscription: float) -> int:
    """Uplinks of a leaf of an oversubscribed storage or in-band fabric; 0: too few ports."""
    return floor(radix / (1 + oversubscription) / 4 + 1e-9) * 4


@formula(
    title="Leaf downlinks, oversubscribed",
    equation="floor(leaf_uplinks * oversubscription + 1e-9)",
    unit="ports",
    source=_RULE_17,
)
def support_leaf_downlinks(leaf_uplinks: int, oversubscription: float) -> int:
    """Downlinks that the uplinks carry at the ratio."""
    return floor(leaf_uplinks * oversubscription + 1e-9)


@formula(title="Leaf switches", equation="sum(leaves)", unit="switches", source=_RULE_17)
def support_leaf_switches(leaves: tuple[int, ...]) -> int:
    """Leaf switches of all clusters of a storage or in-band fabric."""
    return sum(leaves)


@formula(title="Spine switches", equation="sum(spines)", unit="switches", source=_RULE_17)
def support_spine_switches(spines: tuple[int, ...]) -> int:
    """Spine switches of all its clusters."""
    return sum(spines)


@formula(title="Core switches", equation="sum(cores)", unit="switches", source=_RULE_17)
def support_core_switches(cores: tuple[int, ...]) -> int:
    """Core switches of all its clusters."""
    return sum(cores)


@formula(
    title="Links between switches",
    equation="sum(leaf_spine_links) + sum(spine_core_links)",
    unit="links",
    source=_RULE_17,
)
def support_switch_links(
    leaf_spine_links: tuple[int, ...], spine_core_links: tuple[int, ...]
) -> int:
    """Links between the switches of a storage or in-band fabric."""
    return sum(leaf_spine_links) + sum(spine_core_links)


@formula(title="Modules in cages", equation="sum(modules)", unit="modules", source=_RULE_17)
def support_modules(modules: tuple[int, ...]) -> int:
    """Modules in the cages of leaves, spines and cores."""
    return sum(modules)


@formula(
    title="Switch power",
    equation="(leaf + spine + core) * switch_power_w / 1000",
    unit="kW",
    source=_RULE_17,
)
def support_switch_power_kw(leaf: int, spine: int, core: int, switch_power_w: float) -> float:
    """Power of the switches of a storage or in-band fabric, modules apart (kW)."""
    return (leaf + spine + core) * switch_power_w / 1000


@formula(
    title="Optics power in switch cages",
    equation="modules * module_power_w / 1000",
    unit="kW",
    source=_RULE_17,
)
def support_optics_power_kw(modules: int, module_power_w: float) -> float:
    """Power of the modules in the switches of a fabric beside the compute fabric (kW)."""
    return modules * module_power_w / 1000


@formula(
    title="Rack units of switches",
    equation="(leaf + spine + core) * rack_units",
    unit="U",
    source=_RULE_17,
)
def support_rack_units(leaf: int, spine: int, core: int, rack_units: float) -> float:
    """Rack units of the switches of a storage or in-band fabric."""
    return (leaf + spine + core) * rack_units


@formula(
    title="Oversubscription",
    equation="(leaf_down / leaf_up if leaf_up else 1.0) * (spine_down / spine_up if spine_up"
    " else 1.0)",
    unit="down:up",
    source=f"{_RULE_17}: from wired links, product of the tiers",
)
def support_oversubscription(leaf_down: int, leaf_up: int, spine_down: int, spine_up: int) -> float:
    """Down over up of a full leaf times that of a spine switch under a core."""
    leaf = leaf_down / leaf_up if leaf_up else 1.0
    return leaf * (spine_down / spine_up if spine_up else 1.0)


@formula(
    title="Out-of-band endpoints",
    equation="servers * ports_per_server + racks * ports_per_rack + switches + storage_system_nodes"
    " + management_servers",
    unit="ports",
    source=f"{_RULE_18}: servers, racks, switches of the other fabrics, storage, management",
)
def oob_endpoints(
    servers: int,
    ports_per_server: int,
    racks: int,
    ports_per_rack: int,
    switches: int,
    storage_system_nodes: int,
    management_servers: int,
) -> int:
    """Management ports of a site, one for each switch, storage node and management server."""
    nodes = storage_system_nodes + management_servers
    return servers * ports_per_server + racks * ports_per_rack + switches + nodes


@formula(
    title="Out-of-band access switches",
    equation="ceil(endpoints / access_ports)",
    unit="switches",
    source=_RULE_18,
)
def oob_leaf_switches(endpoints: int, access_ports: int) -> int:
    """Access switches, filled port by port."""
    return -(-endpoints // access_ports)


@formula(
    title="Out-of-band aggregation switches",
    equation="2 * ceil(leaf_switches / radix) if leaf_switches > 1 else 0",
    unit="switches",
    source=f"{_RULE_18}: pairs, each access switch on both of one",
)
def oob_aggregation_switches(leaf_switches: int, radix: int) -> int:
    """Aggregation switches; a single access switch needs none."""
    return 2 * -(-leaf_switches // radix) if leaf_switches > 1 else 0


@formula(
    title="Out-of-band uplinks",
    equation="2 * leaf_switches if leaf_switches > 1 else 0",
    unit="links",
    source=_RULE_18,
)
def oob_switch_links(leaf_switches: int) -> int:
    """Links between access and aggregation switches, two an access switch."""
    return 2 * leaf_switches if leaf_switches > 1 else 0


@formula(
    title="Out-of-band modules",
    equation="2 * uplinks",
    unit="modules",
    source=f"{_RULE_18}: the ends of the uplinks; 1 Gb/s ports are copper and take none",
)
def oob_modules(uplinks: int) -> int:
    """Module ends of the uplinks."""
    return 2 * uplinks


@formula(
    title="Out-of-band switch power",
    equation="(leaf_switches * access_power_w + aggregation_switches * aggregation_power_w) / 1000",
    unit="kW",
    source=_RULE_18,
)
def oob_switch_power_kw(
    leaf_switches: int,
    access_power_w: float,
    aggregation_switches: int,
    aggregation_power_w: float,
) -> float:
    """Power of the out-of-band switches (kW)."""
    return (leaf_switches * access_power_w + aggregation_switches * aggregation_power_w) / 1000


@formula(
    title="Rack units of out-of-band switches",
    equation="leaf_switches * access_units + aggregation_switches * aggregation_units",
    unit="U",
    source=_RULE_18,
)
def oob_rack_units(
    leaf_switches: int,
    access_units: float,
    aggregation_switches: int,
    aggregation_units: float,
) -> float:
    """Rack units of the out-of-band switches."""
    return leaf_switches * access_units + aggregation_switches * aggregation_units


@formula(
    title="Oversubscription, out-of-band",
    equation="access_ports * access_gbps / (2 * uplink_gbps) if uplinks else 1.0",
    unit="down:up",
    source=f"{_RULE_18}: a full access switch over its two uplinks",
)
def oob_oversubscription(
    access_ports: int, access_gbps: float, uplinks: int, uplink_gbps: float
) -> float:
    """Bandwidth down over bandwidth up at an access switch."""
    return access_ports * access_gbps / (2 * uplink_gbps) if uplinks else 1.0
