"""Dragonfly+: groups of leaves and spines, every group joined to every other.

A group is a two-tier tree: its spines have one port to each of its leaves, and their other ports go
to the spines of the other groups, the same number of links to each. A group of one is a plain
two-tier fabric. Shpiner et al., HiPINEB 2017 (recalled): with k ports and no oversubscription k/2
leaves, k/2 spines and (k/2)^2 endpoints a group, up to (k/2)^2 + 1 groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clusterplan.core.record import formula
from clusterplan.core.wired_fabric import (
    ENDPOINT,
    GLOBAL,
    LEAF,
    LEAF_SPINE,
    NODE,
    SPINE,
    Device,
    Link,
    WiredFabric,
)
from clusterplan.sizing.fabric_count import FabricCounts, kinds_of, spine_uplinks_of
from clusterplan.sizing.port_names import leaf_port_names, node_port_names, switch_port_names
from clusterplan.sizing.wiring_stages import stage_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.sizing.clos_wiring import Naming
    from clusterplan.sizing.fabric import FabricDesign

SOURCE = "Dragonfly+ (Shpiner et al., HiPINEB 2017, recalled)"


@formula(
    title="Endpoints of a group",
    equation="group_leaves * leaf_downlinks",
    unit="endpoints",
    source=SOURCE,
)
def group_endpoints(group_leaves: int, leaf_downlinks: int) -> int:
    """NIC ports that one group holds."""
    return group_leaves * leaf_downlinks


@formula(title="Groups", equation="ceil(endpoints / group_endpoints)", unit="groups", source=SOURCE)
def groups_of(endpoints: int, group_endpoints: int) -> int:
    """Groups, filled in order."""
    return -(-endpoints // group_endpoints)


@formula(
    title="Links between two groups",
    equation="group_spines * global_ports // (groups - 1)",
    unit="links",
    source=f"{SOURCE}: the global ports of a group, shared evenly by the other groups",
)
def links_per_pair(group_spines: int, global_ports: int, groups: int) -> int:
    """Links that each pair of groups has; global_ports: those of one spine."""
    return group_spines * global_ports // (groups - 1)


@formula(
    title="Global links of one plane",
    equation="pair_links * groups * (groups - 1) // 2",
    unit="links",
    source=SOURCE,
)
def global_links_of(pair_links: int, groups: int) -> int:
    """Links between all pairs of groups."""
    return pair_links * groups * (groups - 1) // 2


@formula(
    title="Groups at most",
    equation="group_spines * global_ports + 1",
    unit="groups",
    source=f"{SOURCE}: one link at least between any two",
)
def most_groups(group_spines: int, global_ports: int) -> int:
    """Groups that still all meet."""
    return group_spines * global_ports + 1


def most_endpoints(design: FabricDesign) -> int:
    """The most endpoint slots of one plane."""
    spines, ports = design.leaf_uplinks, global_ports_of(design)
    groups = most_groups(spines, ports)
    return groups * group_endpoints(design.spine_downlinks_max, design.leaf_downlinks)


def global_ports_of(design: FabricDesign) -> int:
    """Ports of a spine that go to other groups."""
    ratio = design.request.oversubscription_spine
    return spine_uplinks_of(design.spine_downlinks_max, ratio)


def count_dragonfly(design: FabricDesign, nodes: int) -> FabricCounts:
    """Count one plane; the caller has checked that it fits."""
    rails, down = design.request.rails, design.leaf_downlinks
    endpoints = (nodes + design.request.reserve_nodes) * rails
    group_leaves, group_spines = design.spine_downlinks_max, design.leaf_uplinks
    per_group = group_endpoints(group_leaves, down)
    groups = groups_of(endpoints, per_group)
    last = -(-(endpoints - (groups - 1) * per_group) // down)
    leaves = (groups - 1) * group_leaves + last
    ports = global_ports_of(design)
    pair = links_per_pair(group_spines, ports, groups) if groups > 1 else 0
    used = pair * (groups - 1)  # global ports in use of a group, dealt out over its spines
    load, extra = divmod(used, group_spines)
    full, rest = divmod(nodes * rails, down)
    return FabricCounts(
        nodes=nodes,
        tiers=2,
        stripes=leaves,
        pods=groups,
        leaves=leaves,
        spines=groups * group_spines,
        spines_minimum=groups * group_spines,
        cores=0,
        leaf_uplinks=group_spines,
        leaf_spine_links=leaves * group_spines,
        spine_core_links=0,
        spine_downlinks=min(leaves, group_leaves),
        spine_uplinks=0,
        leaf_in_use=kinds_of(
            (full, down), (1 if rest else 0, rest), (leaves - full - (1 if rest else 0), 0)
        ),
        spine_in_use=kinds_of(
            ((groups - 1) * extra, group_leaves + load + 1),
            ((groups - 1) * (group_spines - extra), group_leaves + load),
            (extra, last + load + 1),
            (group_spines - extra, last + load),
        ),
        core_in_use=(),
        global_links=global_links_of(pair, groups) if groups > 1 else 0,
    )


@dataclass(frozen=True, eq=False, repr=False)
class DragonflyWiring:
    """Every link of the fabric; `stages` as in `clos_wiring`."""

    design: FabricDesign
    counts: FabricCounts
    stages: tuple[int, ...]
    naming: Naming

    @cached_property
    def groups(self) -> int:
        """Groups of a plane."""
        return self.counts.pods

    @cached_property
    def pair_links(self) -> int:
        """Links between two groups."""
        return self.counts.global_links * 2 // max(1, self.groups * (self.groups - 1))

    @cached_property
    def leaf_stages(self) -> tuple[int, ...]:
        """First stage of every leaf of a plane: that of the first node on it."""
        down, rails = self.design.leaf_downlinks, self.design.request.rails
        return tuple(
            stage_of(self.stages, leaf * down // rails) for leaf in range(self.counts.leaves)
        )

    def _group_stage(self, group: int) -> int:
        return self.leaf_stages[group * self.design.spine_downlinks_max]

    def devices(self) -> tuple[Device, ...]:
        """Nodes, leaves and spines."""
        design, naming, found = self.design, self.naming, []
        model = design.request.switch.id
        digits = len(str(max(naming.total_nodes, naming.first_node + self.counts.nodes)))
        ports = design.nic_ports_per_node * design.request.planes
        for node in range(self.counts.nodes):
            name = f"{naming.node}{naming.first_node + node + 1:0{digits}d}"
            group = node * design.request.rails // self._per_group + 1
            found.append(
                Device(name, NODE, naming.node_model, ports, 0, group, stage_of(self.stages, node))
            )
        wide, group_leaves = len(str(self.groups)), design.spine_downlinks_max
        for plane in range(1, design.planes + 1):
            for number, stage in enumerate(self.leaf_stages):
                group, index = divmod(number, group_leaves)
                name = f"{self._prefix(plane)}leaf-g{group + 1:0{wide}d}-"
                name += f"{index + 1:0{len(str(group_leaves))}d}"
                found.append(Device(name, LEAF, model, design.leaf_ports, plane, group + 1, stage))
        for plane in range(1, design.planes + 1):
            for number in range(self.counts.spines):
                group, index = divmod(number, design.leaf_uplinks)
                name = f"{self._prefix(plane)}spine-g{group + 1:0{wide}d}-"
                name += f"{index + 1:0{len(str(design.leaf_uplinks))}d}"
                stage = self._group_stage(group)
                found.append(
                    Device(name, SPINE, model, design.spine_radix, plane, group + 1, stage)
                )
        return tuple(found)

    @cached_property
    def _per_group(self) -> int:
        return self.design.spine_downlinks_max * self.design.leaf_downlinks

    def _prefix(self, plane: int) -> str:
        return self.naming.prefix + (f"p{plane}-" if self.design.planes > 1 else "")

    def links(self) -> Iterator[Link]:
        """Endpoint, leaf-spine and global links."""
        yield from self._endpoint_links()
        counts, up = self.counts, self.design.leaf_uplinks
        first_leaf = counts.nodes
        first_spine = first_leaf + self.design.planes * counts.leaves
        up_port = self.design.leaf_ports - up + 1
        cable = 0
        for plane in range(1, self.design.planes + 1):
            leaves = first_leaf + (plane - 1) * counts.leaves
            spines = first_spine + (plane - 1) * counts.spines
            for leaf, stage in enumerate(self.leaf_stages):
                group, row = divmod(leaf, self.design.spine_downlinks_max)
                for uplink in range(up):
                    cable += 1
                    yield Link(
                        *(LEAF_SPINE, plane, leaves + leaf, up_port + uplink),
                        *(spines + group * up + uplink, row + 1, cable, stage),
                    )
        yield from self._global_links(first_spine)

    def _endpoint_links(self) -> Iterator[Link]:
        design, counts = self.design, self.counts
        request, split = design.request, design.request.planes
        own = request.ports_as_planes
        cable = 0
        for node in range(counts.nodes):
            stage = stage_of(self.stages, node)
            for rail in range(request.rails):
                leaf, port = divmod(node * request.rails + rail, design.leaf_downlinks)
                for way in range(split * own):
                    cable += way % split == 0
                    target = counts.nodes + way * counts.leaves + leaf
                    yield Link(
                        *(ENDPOINT, way + 1, node, (rail * own * split) + way + 1),
                        *(target, port + 1, cable, stage, cable),
                    )

    def _global_links(self, first_spine: int) -> Iterator[Link]:
        """Link i of a pair takes the global port of rank i * (groups - 1) + peer, on both sides."""
        design, counts, groups = self.design, self.counts, self.groups
        spines, start, cable = design.leaf_uplinks, design.spine_downlinks_max + 1, 0
        for plane in range(1, design.planes + 1):
            first = first_spine + (plane - 1) * counts.spines
            for low in range(groups):
                for high in range(low + 1, groups):
                    stage = max(self._group_stage(low), self._group_stage(high))
                    for link in range(self.pair_links):
                        cable += 1
                        ends = []
                        for here, peer in ((low, high - 1), (high, low)):
                            turn, spine = divmod(link * (groups - 1) + peer, spines)
                            ends += [first + here * spines + spine, start + turn]
                        yield Link(
                            *(GLOBAL, plane, ends[0], ends[1], ends[2], ends[3], cable, stage)
                        )


def wire_dragonfly(
    design: FabricDesign,
    counts: FabricCounts,
    *,
    name: str,
    stages: tuple[int, ...],
    stage_names: tuple[str, ...],
    naming: Naming,
) -> WiredFabric:
    """Wire a counted dragonfly+; every link is a cable of its own."""
    wiring = DragonflyWiring(design, counts, stages, naming)
    request, switch = design.request, design.request.switch
    return WiredFabric(
        name=name,
        kind=switch.kind,
        generation=design.generation,
        planes=design.planes,
        plane_word="plane",
        stages=stage_names,
        gbps={
            ENDPOINT: design.link_gbps,
            LEAF_SPINE: design.uplink_gbps,
            GLOBAL: design.uplink_gbps,
        },
        devices=wiring.devices(),
        port_names={
            NODE: node_port_names(switch.kind, design.nic_ports_per_node, request.planes),
            LEAF: leaf_port_names(switch, design, uplinks=True),
            SPINE: switch_port_names(switch, design.spine_radix),
        },
        wire=wiring.links,
        links_per_cable={ENDPOINT: request.planes},
    )
