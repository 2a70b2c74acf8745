"""What the fabric's totals take in, in the calculation record: clusters, ports, equipment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.record import given
from clusterplan.sizing.fabric_count import count_fabric, of_clusters
from clusterplan.sizing.fabric_site import clusters_of

if TYPE_CHECKING:
    from clusterplan.planning.fabric_plan import FabricPlan


def note_inputs(plan: FabricPlan, servers: int) -> None:
    """Record what the totals of the site take in: equal clusters together, the equipment."""
    for number, size in clusters_of(plan.site, servers):
        one = count_fabric(plan.site.fabric, size)
        slots = size + plan.site.fabric.request.reserve_nodes
        given("fabric.node_slots", slots, "servers", f"{size:,} servers of a cluster + reserve")
        if number > 1:
            for count in (
                *(one.leaves, one.spines, one.spines_minimum, one.cores),
                *(one.stripes, one.leaf_spine_links, one.spine_core_links),
            ):
                of_clusters(number, count)
    fabric, equipment = plan.site.fabric, plan.site.equipment
    switch = fabric.request.switch
    row = f"switches.{switch.id}: {switch.source}"
    most, packed = fabric.spine_downlinks_max, fabric.request.leaf_mode == "packed"
    given("fabric.pod_stripes", most, "stripes", "downlinks of a spine switch, rule 6")
    per_pod = 1 if packed else fabric.request.rails
    given("fabric.groups_per_pod", per_pod, "groups", "one a rail; packed leaves: one a pod")
    rack = plan.rack
    ports = f"racks.{rack.id}: {rack.source}"
    nics = fabric.nic_ports_per_node
    given("fabric.nic_ports_per_server", nics, "ports", ports, rack.verified)
    words = "design.fabric.planes, or the usual fabric"
    given("fabric.planes_per_port", fabric.request.planes, "planes", words)
    given("fabric.switch.power_w", equipment.switch_power_w, "W", row, switch.verified)
    given("fabric.switch.rack_units", equipment.rack_units, "U", row, switch.verified)
    given("fabric.switch.cages", equipment.cages, "cages", row, switch.verified)
    given("fabric.switch.leaf_ports", fabric.leaf_ports, "ports", row, switch.verified)
    given("fabric.switch.spine_ports", fabric.spine_radix, "ports", row, switch.verified)
    for module in (equipment.switch_module, equipment.nic_module):
        if module is not None:
            path = f"fabric.modules.{module.id}.module_power_w"
            given(path, module.power_w, "W", module.source, module.verified)
