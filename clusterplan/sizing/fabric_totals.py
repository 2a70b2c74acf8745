"""Totals of a site's fabrics over planes and clusters.

Tuples hold one figure for each size of cluster, already multiplied by the number of such clusters.
"""

from __future__ import annotations

from math import ceil

from clusterplan.core.record import formula
from clusterplan.sizing.fabric import METHOD

_RULE_8 = f"{METHOD} rule 8: totals over planes (and clusters)"
_RULE_10 = f"{METHOD} rule 10"


@formula(
    title="Clusters",
    equation="sum(fabrics)",
    unit="clusters",
    source="clusterplan method, counting rule 12",
)
def clusters(fabrics: tuple[int, ...]) -> int:
    """Fabrics of the site that share no link."""
    return sum(fabrics)


@formula(title="Tiers", equation="max(fabric_tiers)", unit="tiers", source=f"{METHOD} rule 4")
def tiers(fabric_tiers: tuple[int, ...]) -> int:
    """Tiers of the tallest fabric."""
    return max(fabric_tiers)


@formula(title="Stripes", equation="sum(stripes)", unit="stripes", source=f"{METHOD} rule 3")
def stripes(stripes: tuple[int, ...]) -> int:
    """Stripes of all clusters, the same in every plane."""
    return sum(stripes)


@formula(title="Leaf switches", equation="planes * sum(leaves)", unit="switches", source=_RULE_8)
def leaf_switches(planes: int, leaves: tuple[int, ...]) -> int:
    """Leaf switches of all planes and clusters."""
    return planes * sum(leaves)


@formula(title="Spine switches", equation="planes * sum(spines)", unit="switches", source=_RULE_8)
def spine_switches(planes: int, spines: tuple[int, ...]) -> int:
    """Spine switches of all planes and clusters."""
    return planes * sum(spines)


@formula(
    title="Spine switches, plain ceiling",
    equation="planes * sum(spines_minimum)",
    unit="switches",
    source=_RULE_8,
)
def spine_switches_minimum(planes: int, spines_minimum: tuple[int, ...]) -> int:
    """Spine switches that would do if links were spread unevenly."""
    return planes * sum(spines_minimum)


@formula(title="Core switches", equation="planes * sum(cores)", unit="switches", source=_RULE_8)
def core_switches(planes: int, cores: tuple[int, ...]) -> int:
    """Core switches of all planes and clusters."""
    return planes * sum(cores)


@formula(title="Switches", equation="leaf + spine + core", unit="switches", source=_RULE_8)
def switches(leaf: int, spine: int, core: int) -> int:
    """All switches of the compute fabric."""
    return leaf + spine + core


@formula(
    title="Fabric-manager cables",
    equation="clusters * cables_per_fabric",
    unit="cables",
    source=f"{METHOD} rule 7: 4 for an InfiniBand fabric with a reserve, else 0",
)
def fabric_manager_cables(clusters: int, cables_per_fabric: int) -> int:
    """Cables to the hosts that run the fabric manager, each on a leaf port."""
    return clusters * cables_per_fabric


@formula(
    title="Endpoint cables",
    equation="servers * nic_ports_per_server",
    unit="cables",
    source=f"{METHOD} rule 8: one assembly per NIC port, whatever the planes",
)
def endpoint_cables(servers: int, nic_ports_per_server: int) -> int:
    """Cable assemblies from NIC ports to leaves."""
    return servers * nic_ports_per_server


@formula(
    title="Endpoint links",
    equation="endpoint_cables * planes_per_port",
    unit="links",
    source=_RULE_8,
)
def endpoint_links(endpoint_cables: int, planes_per_port: int) -> int:
    """Links from NIC ports to leaves; a NIC port has one to each plane it is split into."""
    return endpoint_cables * planes_per_port


@formula(title="Leaf-spine links", equation="planes * sum(links)", unit="links", source=_RULE_8)
def leaf_spine_links(planes: int, links: tuple[int, ...]) -> int:
    """Leaf-spine links of all planes and clusters."""
    return planes * sum(links)


@formula(title="Spine-core links", equation="planes * sum(links)", unit="links", source=_RULE_8)
def spine_core_links(planes: int, links: tuple[int, ...]) -> int:
    """Spine-core links of all planes and clusters."""
    return planes * sum(links)


@formula(title="Global links", equation="planes * sum(links)", unit="links", source=_RULE_8)
def global_links(planes: int, links: tuple[int, ...]) -> int:
    """Links between the groups of a dragonfly+, all planes and clusters."""
    return planes * sum(links)


@formula(
    title="Links between two halves of the groups",
    equation="2 * links // (groups * (groups - 1)) * (groups // 2) * ((groups + 1) // 2)",
    unit="links",
    source="Dragonfly+: links of a pair x pairs across the middle",
)
def global_cut_links(links: int, groups: int) -> int:
    """Global links of a plane that join one half of the groups to the other."""
    return 2 * links // (groups * (groups - 1)) * (groups // 2) * ((groups + 1) // 2)


@formula(
    title="Switches between two nodes at most, dragonfly+",
    equation="4",
    unit="switches",
    source="leaf, spine, spine of the other group, leaf",
)
def worst_switch_hops_between_groups() -> int:
    """The shortest way between two groups."""
    return 4


@formula(
    title="Unused ports, global links taken off",
    equation="unused - 2 * global_links",
    unit="ports",
    source=_RULE_10,
)
def unused_ports_beside(unused: int, global_links: int) -> int:
    """Switch ports without a link where groups are joined."""
    return unused - 2 * global_links


@formula(
    title="Leaf-spine cables",
    equation="ceil(links * native_ports / radix)",
    unit="cables",
    source=f"{METHOD} rule 8: assemblies of the switch's native port",
)
def leaf_spine_cables(links: int, native_ports: int, radix: int) -> int:
    """Cable assemblies between leaves and spines: links / (ports per native port), rounded up."""
    return -(-links * native_ports // radix)


@formula(
    title="Spine-core cables",
    equation="ceil(links * native_ports / radix)",
    unit="cables",
    source=f"{METHOD} rule 8: assemblies of the switch's native port",
)
def spine_core_cables(links: int, native_ports: int, radix: int) -> int:
    """Cable assemblies between spines and cores."""
    return -(-links * native_ports // radix)


@formula(
    title="Oversubscription, leaf",
    equation="stripe * link_gbps / (uplinks * uplink_gbps) if uplinks else 1.0",
    unit="down:up",
    source=f"{METHOD} rule 9: from wired links of a full stripe",
)
def oversubscription_leaf(stripe: int, link_gbps: float, uplinks: int, uplink_gbps: float) -> float:
    """Bandwidth down over bandwidth up at a leaf; 1 where one switch holds all."""
    return stripe * link_gbps / (uplinks * uplink_gbps) if uplinks else 1.0


@formula(
    title="Oversubscription, spine",
    equation="downlinks / uplinks if uplinks else 1.0",
    unit="down:up",
    source=f"{METHOD} rule 9: from wired links of the fullest pod",
)
def oversubscription_spine(downlinks: int, uplinks: int) -> float:
    """Links down over links up at a spine switch; 1 where there is no core."""
    return downlinks / uplinks if uplinks else 1.0


@formula(
    title="Oversubscription",
    equation="leaf * spine",
    unit="down:up",
    source=f"{METHOD} rule 9",
)
def oversubscription(leaf: float, spine: float) -> float:
    """Product of the tiers."""
    return leaf * spine


@formula(
    title="Bisection of one fabric, one direction",
    equation="min(tier_gbps) / 2 / 1000",
    unit="Tb/s",
    source=f"{_RULE_10}: half of the smallest tier capacity, all planes",
)
def fabric_bisection_tb_per_s(tier_gbps: tuple[float, ...]) -> float:
    """Max flow between two halves where leaves and pods are evenly filled."""
    return min(tier_gbps) / 2 / 1000


@formula(
    title="Bisection, one direction",
    equation="sum(fabric_bisections)",
    unit="Tb/s",
    source=f"{_RULE_10}: clusters share no link, so theirs are added",
)
def bisection_tb_per_s(fabric_bisections: tuple[float, ...]) -> float:
    """Bisection of every cluster, added."""
    return sum(fabric_bisections)


@formula(
    title="Modules in cages at one place",
    equation="planes * sum(modules)",
    unit="modules",
    source=_RULE_8,
)
def modules_at_place(planes: int, modules: tuple[int, ...]) -> int:
    """Modules at the leaves, the spines or the cores of all planes and clusters."""
    return planes * sum(modules)


@formula(
    title="Link ends at one place",
    equation="sum(links)",
    unit="ends",
    source=f"{METHOD} rule 8: every link has an end at each of its two places",
)
def link_ends(links: tuple[int, ...]) -> int:
    """Ends of the links that meet at the leaves, the spines, the cores or the NICs."""
    return sum(links)


@formula(
    title="Power of the modules at one place",
    equation="modules * module_power_w / 1000",
    unit="kW",
    source="module power per end, maker's data sheet",
)
def place_optics_kw(modules: int, module_power_w: float) -> float:
    """Modules of one kind at one place."""
    return modules * module_power_w / 1000


@formula(
    title="Switch power",
    equation="(leaf + spine + core) * switch_power_w / 1000",
    unit="kW",
    source="planning power of the switch without modules",
)
def switch_power_kw(leaf: int, spine: int, core: int, switch_power_w: float) -> float:
    """Switches alone, modules apart."""
    return (leaf + spine + core) * switch_power_w / 1000


@formula(
    title="Optics power in switch cages",
    equation="(leaf_modules + spine_modules + core_modules) * module_power_w / 1000",
    unit="kW",
    source="module power per end, maker's data sheet",
)
def optics_power_kw(
    leaf_modules: int, spine_modules: int, core_modules: int, module_power_w: float
) -> float:
    """Modules in switch cages; those at the NICs are inside the rack's power."""
    return (leaf_modules + spine_modules + core_modules) * module_power_w / 1000


@formula(
    title="Network power",
    equation="switch_power_kw + optics_power_kw",
    unit="kW",
    source="clusterplan method, counting rule 3",
)
def network_power_kw(switch_power_kw: float, optics_power_kw: float) -> float:
    """Switches and the modules in their cages."""
    return switch_power_kw + optics_power_kw


@formula(
    title="Rack units of switches",
    equation="(leaf + spine + core) * rack_units",
    unit="U",
    source="height of the switch, maker's data sheet",
)
def switch_rack_units(leaf: int, spine: int, core: int, rack_units: float) -> float:
    """Height of all switches, without patch panels."""
    return (leaf + spine + core) * rack_units


@formula(
    title="Ports of all switches",
    equation="leaf * leaf_ports + (spine + core) * spine_ports",
    unit="ports",
    source=_RULE_10,
)
def switch_ports(leaf: int, leaf_ports: int, spine: int, core: int, spine_ports: int) -> int:
    """Ports at the link speed."""
    return leaf * leaf_ports + (spine + core) * spine_ports


@formula(
    title="Unused ports",
    equation="switch_ports - endpoint_links - 2 * (leaf_spine_links + spine_core_links)"
    " - fabric_manager_cables",
    unit="ports",
    source=f"{_RULE_10}: slots of the reserve count as unused",
)
def unused_ports(
    switch_ports: int,
    endpoint_links: int,
    leaf_spine_links: int,
    spine_core_links: int,
    fabric_manager_cables: int,
) -> int:
    """Switch ports without a link; fabric_manager_cables: those that find a port."""
    inside = 2 * (leaf_spine_links + spine_core_links)
    return switch_ports - endpoint_links - inside - fabric_manager_cables


@formula(
    title="Growth of one fabric at its number of tiers",
    equation="max(0, slots - reserve_nodes) * accelerators_per_node",
    unit="accelerators",
    source=_RULE_10,
)
def fabric_growth(slots: int, reserve_nodes: int, accelerators_per_node: int) -> int:
    """Accelerators that a fabric's tiers hold with the same switch, planes and ratio."""
    return max(0, slots - reserve_nodes) * accelerators_per_node


@formula(
    title="Grows to",
    equation="sum(fabric_accelerators)",
    unit="accelerators",
    source=f"{_RULE_10}: without one more tier or cluster",
)
def grows_to_accelerators(fabric_accelerators: tuple[int, ...]) -> int:
    """Accelerators that all clusters hold at their number of tiers."""
    return sum(fabric_accelerators)


@formula(
    title="Switches between two nodes at most",
    equation="2 * tiers - 1",
    unit="switches",
    source=_RULE_10,
)
def worst_switch_hops(tiers: int) -> int:
    """1, 3 or 5."""
    return 2 * tiers - 1


@formula(
    title="Accelerators",
    equation="servers * accelerators_per_server",
    unit="accelerators",
    source="rack data",
)
def fabric_accelerators(servers: int, accelerators_per_server: int) -> int:
    """Accelerators that the fabric joins."""
    return servers * accelerators_per_server


@formula(
    title="Scale-up domains",
    equation="ceil(accelerators / domain_size)",
    unit="domains",
    source="rack data",
)
def scale_up_domains(accelerators: int, domain_size: int) -> int:
    """Domains that hold the accelerators, the last one part-filled."""
    return ceil(accelerators / domain_size)


@formula(
    title="Racks of a scale-up domain",
    equation="domain_size / accelerators_per_rack",
    unit="racks",
    source="rack data",
)
def scale_up_domain_racks(domain_size: int, accelerators_per_rack: int) -> float:
    """Above 1: a domain spans racks; below: a rack holds several."""
    return domain_size / accelerators_per_rack
