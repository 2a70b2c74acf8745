"""Every link of a Clos fabric, port by port, in closed form and without keeping any.

The counts are those of `fabric_count`; this module says which port meets which. All planes are
alike. Ports of a leaf: nodes from the first port up, uplinks on the last ports. Ports of a spine:
leaves from the first port up, uplinks on the last. Stages build parts of the final fabric, so no
cable of one stage is ever moved by a later one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.wired_fabric import (
    CORE,
    ENDPOINT,
    HOST,
    LEAF,
    LEAF_SPINE,
    MANAGER,
    MANAGER_TIER,
    NODE,
    SPINE,
    SPINE_CORE,
    Device,
    Link,
    WiredFabric,
)
from clusterplan.sizing.cable_numbers import CableNumbers
from clusterplan.sizing.fabric_count import (
    slots_of,
    spine_downlinks_of,
    spine_uplinks_of,
)
from clusterplan.sizing.port_names import leaf_port_names, node_port_names, switch_port_names
from clusterplan.sizing.wiring_stages import stage_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.sizing.fabric import FabricDesign
    from clusterplan.sizing.fabric_count import FabricCounts

_CABLES_PER_MANAGER = 2


class Naming(NamedTuple):
    """Words that device names are made of.

    prefix        of every switch, ending with a hyphen (`storage-`, `c2-`); may be empty
    first_node    number of this fabric's first node, less one
    total_nodes   nodes of all clusters, which sets the digits of a node's name
    node_model    what the model of a node is called
    hosts         (name, model) of hosts that take the first node slots
    port          word that labels the NIC ports, where they are not those of the compute fabric
    """

    prefix: str = ""
    first_node: int = 0
    total_nodes: int = 0
    node_model: str = "server"
    node: str = "node"
    hosts: tuple[tuple[str, str], ...] = ()
    port: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class ClosWiring:
    """A design and its counts, with what the wiring needs worked out once.

    stages: cumulative installed nodes; the last is that of the counts.
    """

    design: FabricDesign
    counts: FabricCounts
    stages: tuple[int, ...]
    naming: Naming

    @cached_property
    def packed(self) -> bool:
        """Whether leaves are filled port by port, whatever the rail."""
        return self.design.request.leaf_mode == "packed"

    @cached_property
    def pod_rows(self) -> int:
        """Stripes (packed: leaves) of a pod; all of them below three tiers."""
        rows = self.counts.leaves if self.packed else self.counts.stripes
        return self.design.spine_downlinks_max if self.counts.tiers == 3 else rows

    @cached_property
    def groups_per_pod(self) -> int:
        """Spine groups of a pod: one a rail, one in all where leaves are packed."""
        if self.counts.tiers != 3 or self.packed:
            return 1
        return self.design.request.rails

    @cached_property
    def pods(self) -> int:
        """Pods, 1 below three tiers."""
        return max(1, self.counts.pods)

    @cached_property
    def spines_of_group(self) -> int:
        """Spines that share the leaves of a group."""
        return self.counts.spines // (self.groups_per_pod * self.pods)

    @cached_property
    def _first(self) -> tuple[int, int, int, int]:
        """Numbers of the first leaf, spine, core and manager; planes follow each other in each."""
        planes, counts = self.design.planes, self.counts
        leaf = counts.nodes
        spine = leaf + planes * counts.leaves
        core = spine + planes * counts.spines
        return leaf, spine, core, core + planes * counts.cores

    def stage_of(self, node: int) -> int:
        """First stage (1 and up) that has the node; a reserved slot belongs to the last."""
        return stage_of(self.stages, node)

    def unit_of(self, node: int) -> int:
        """Number of the scalable unit (1 and up) of a node; of the stripe where there is none."""
        return node // (self.design.request.nodes_per_su or self.design.su) + 1

    @cached_property
    def leaf_stages(self) -> tuple[int, ...]:
        """First stage of every leaf of a plane: that of the first node of its stripe."""
        design, rails = self.design, self.design.request.rails
        if self.counts.tiers == 1:
            return (1,)
        if self.packed:
            down = design.leaf_downlinks
            return tuple(self.stage_of(i * down // rails) for i in range(self.counts.leaves))
        starts = [slots_of(i, design.su, design.stripe) for i in range(self.counts.stripes)]
        return tuple(self.stage_of(start) for start in starts for _ in range(rails))

    # -- devices -------------------------------------------------------------------------------

    def devices(self) -> tuple[Device, ...]:
        """Nodes, leaves, spines, cores and fabric managers, in the order that links number them."""
        found = [
            *self._nodes(),
            *(leaf for plane in self._planes() for leaf in self._leaves(plane)),
            *(spine for plane in self._planes() for spine in self._spines(plane)),
            *(core for plane in self._planes() for core in self._cores(plane)),
        ]
        hosts = -(-self.manager_cables // _CABLES_PER_MANAGER)
        for host in range(hosts):
            name = f"{self.naming.prefix}manager-{host + 1}"
            found.append(Device(name, MANAGER, "fabric-manager", _CABLES_PER_MANAGER, 0, 0, 1))
        return tuple(found)

    def _planes(self) -> range:
        return range(1, self.design.planes + 1)

    def _prefix(self, plane: int) -> str:
        word = "r" if self.design.request.rail_only else "p"
        return self.naming.prefix + (f"{word}{plane}-" if self.design.planes > 1 else "")

    def _nodes(self) -> Iterator[Device]:
        naming, design = self.naming, self.design
        last = naming.first_node + self.counts.nodes - len(naming.hosts)
        digits = len(str(max(naming.total_nodes, last)))
        ports = design.nic_ports_per_node * design.request.planes
        hosts = len(naming.hosts)
        for node, (name, model) in enumerate(naming.hosts):
            yield Device(name, HOST, model, ports, 0, self.unit_of(node), self.stage_of(node))
        for node in range(hosts, self.counts.nodes):
            name = f"{naming.node}{naming.first_node + node - hosts + 1:0{digits}d}"
            unit = self.unit_of(node)
            yield Device(name, NODE, naming.node_model, ports, 0, unit, self.stage_of(node))

    def _leaves(self, plane: int) -> Iterator[Device]:
        counts, rails = self.counts, self.design.request.rails
        model, ports = self.design.request.switch.id, self.design.leaf_ports
        prefix = self._prefix(plane)
        if counts.tiers == 1:
            yield Device(f"{prefix}switch", LEAF, model, self.design.radix, plane, 0, 1)
            return
        digits, rail_digits = _digits(counts.stripes), _digits(rails)
        for number, stage in enumerate(self.leaf_stages):
            if self.packed:
                name = f"{prefix}leaf-{number + 1:0{_digits(counts.leaves)}d}"
                unit = self.unit_of(number * self.design.leaf_downlinks // rails)
            else:
                stripe, rail = divmod(number, rails)
                unit = self.unit_of(slots_of(stripe, self.design.su, self.design.stripe))
                name = f"{prefix}leaf-s{stripe + 1:0{digits}d}"
                name += f"-r{rail + 1:0{rail_digits}d}" if rails > 1 else ""
            yield Device(name, LEAF, model, ports, plane, unit, stage)

    def _spines(self, plane: int) -> Iterator[Device]:
        model, ports = self.design.request.switch.id, self.design.spine_radix
        size, prefix = self.spines_of_group, self._prefix(plane)
        for number in range(self.counts.spines):
            group, index = divmod(number, size)
            name = f"spine-{index + 1:0{_digits(size)}d}"
            if self.counts.tiers == 3:
                pod, rail = divmod(group, self.groups_per_pod)
                rail_word = f"-r{rail + 1:0{_digits(self.groups_per_pod)}d}"
                name = (
                    f"spine-d{pod + 1:0{_digits(self.pods)}d}"
                    f"{rail_word if self.groups_per_pod > 1 else ''}"
                    f"-{index + 1:0{_digits(size)}d}"
                )
            stage = self.group_stages[group // self.groups_per_pod]
            yield Device(prefix + name, SPINE, model, ports, plane, 0, stage)

    def _cores(self, plane: int) -> Iterator[Device]:
        model, ports = self.design.request.switch.id, self.design.spine_radix
        prefix = self._prefix(plane)
        digits = _digits(self.counts.cores)
        for number, stage in enumerate(self._core_stages):
            yield Device(
                f"{prefix}core-{number + 1:0{digits}d}", CORE, model, ports, plane, 0, stage
            )

    @cached_property
    def group_stages(self) -> tuple[int, ...]:
        """First stage of the spines of every pod: that of its first leaf."""
        rails = 1 if self.packed else self.design.request.rails
        return tuple(self.leaf_stages[pod * self.pod_rows * rails] for pod in range(self.pods))

    @cached_property
    def _core_stages(self) -> tuple[int, ...]:
        stages = [len(self.stages)] * self.counts.cores
        if not stages:
            return ()
        for group in range(self.groups_per_pod * self.pods):
            for spine in range(self.spines_of_group):
                for uplink, stage in enumerate(self._uplink_stages[group // self.groups_per_pod]):
                    core = self._core_place(group, spine, uplink) // self.design.spine_radix
                    stages[core] = min(stages[core], stage)
        return tuple(stages)

    # -- links ---------------------------------------------------------------------------------

    def links(self) -> Iterator[Link]:
        """Endpoint links node by node, then leaf-spine, spine-core and fabric-manager links."""
        yield from self._endpoint_links()
        if self.counts.tiers > 1:
            yield from self._leaf_spine_links()
        if self.counts.tiers == 3:
            yield from self._spine_core_links()
        yield from self._manager_links()

    def node_leaf(self, node: int, rail: int) -> tuple[int, int]:
        """Leaf of a plane and its port (from 0) that a node's rail goes to."""
        design, rails = self.design, self.design.request.rails
        if self.counts.tiers == 1:
            return 0, node * rails + rail
        if self.packed:
            return divmod(node * rails + rail, design.leaf_downlinks)
        unit, place = divmod(node, design.su)
        within, port = divmod(place, design.stripe)
        per_unit = -(-design.su // design.stripe)
        return (unit * per_unit + within) * rails + rail, port

    def _endpoint_links(self) -> Iterator[Link]:
        request, leaves = self.design.request, self.counts.leaves
        split, own_planes = request.planes, request.ports_as_planes
        first_leaf, cable = self._first[0], 0
        ways = [
            (plane + 1, first_leaf + plane * leaves, number)
            for number, plane in enumerate(range(split * own_planes))
        ]
        # NIC port (rail, own plane) splits into `split` links, one to each plane of its own
        per_cage, cages = self.ports_per_cage(self.design.radix), self.design.radix
        for node in range(self.counts.nodes):
            stage = self.stage_of(node)
            for rail in range(request.rails):
                leaf, port = self.node_leaf(node, rail)
                base = rail * own_planes * split
                for plane, first, number in ways:
                    cable += number % split == 0
                    yield Link(
                        *(ENDPOINT, plane, node, base + number + 1),
                        *(first + leaf, port + 1, cable, stage, leaf * cages + port // per_cage),
                    )

    def _leaf_spine_links(self) -> Iterator[Link]:
        counts, up = self.counts, self.design.leaf_uplinks
        first_leaf, first_spine, *_ = self._first
        up_port = self.leaf_up_port
        rails = 1 if self.packed or counts.tiers == 2 else self.design.request.rails
        size = self.spines_of_group
        cables = CableNumbers(self.lanes, ((counts.leaves, up),))
        even = up % size == 0
        each = up // size
        per_cage = self.ports_per_cage(self.design.spine_radix)
        alone = LEAF_SPINE in self.whole_cages
        for plane in self._planes():
            spines = first_spine + (plane - 1) * counts.spines
            leaves = first_leaf + (plane - 1) * counts.leaves
            for leaf, stage in enumerate(self.leaf_stages):
                row, rail = divmod(leaf, rails)
                pod, row_in_pod = divmod(row, self.pod_rows) if counts.tiers == 3 else (0, row)
                group = spines + (pod * self.groups_per_pod + rail) * size
                numbers = cables.of_switch(leaf, plane)
                for uplink in range(up):
                    if even:
                        index, lane = divmod(uplink, each)
                        port = row_in_pod * each + lane
                    else:  # the user's number of spines, no divisor: dealt out in turn
                        port, index = divmod(leaf * up + uplink, size)
                    yield Link(
                        *(LEAF_SPINE, plane, leaves + leaf, up_port + uplink, group + index),
                        *(port + 1, numbers[uplink], stage),
                        (leaf * up + uplink) // per_cage + 1 if alone else 0,
                    )

    @cached_property
    def lanes(self) -> int:
        """Links that a native port of a switch is split into."""
        return max(1, self.design.spine_radix // self.design.native_ports)

    @cached_property
    def whole_cages(self) -> frozenset[str]:
        """Tiers between switches whose links fill whole cages from one switch to another."""
        per_cage = self.ports_per_cage(self.design.spine_radix)
        if per_cage == 1:
            return frozenset((LEAF_SPINE, SPINE_CORE))
        each, rest = divmod(self.design.leaf_uplinks, max(1, self.spines_of_group))
        whole = rest == 0 and each % per_cage == 0
        return frozenset((LEAF_SPINE,)) if whole else frozenset()

    def ports_per_cage(self, radix: int) -> int:
        """Links that share a cage of a switch with so many ports."""
        return max(1, radix // (self.design.request.switch.cages or self.design.native_ports))

    @cached_property
    def leaf_up_port(self) -> int:
        """First port of a leaf that is an uplink; what the nodes leave free stays between."""
        return self.design.leaf_ports - self.design.leaf_uplinks + 1

    @cached_property
    def _spine_ups(self) -> tuple[int, int]:
        """Uplinks of a spine in the full pods and in the last one."""
        counts, up = self.counts, self.design.leaf_uplinks
        rows = counts.leaves if self.packed else counts.stripes
        last = rows - (self.pods - 1) * self.pod_rows
        ratio = self.design.request.oversubscription_spine
        fullest = min(rows, self.pod_rows)
        full, part = (
            spine_uplinks_of(spine_downlinks_of(n, up, self.spines_of_group), ratio)
            for n in (fullest, last)
        )
        return full, part

    @cached_property
    def _uplink_stages(self) -> tuple[tuple[int, ...], ...]:
        """By pod: first stage of each uplink of its spines, as their leaves arrive."""
        up, ratio = self.design.leaf_uplinks, self.design.request.oversubscription_spine
        rails = 1 if self.packed else self.design.request.rails
        found = []
        for pod in range(self.pods):
            rows = self.leaf_stages[::rails][pod * self.pod_rows : (pod + 1) * self.pod_rows]
            stages: list[int] = []
            for stage in range(1, len(self.stages) + 1):
                present = sum(one <= stage for one in rows)
                downs = spine_downlinks_of(present, up, self.spines_of_group)
                wanted = spine_uplinks_of(downs, ratio) if downs else 0
                stages += [stage] * (wanted - len(stages))
            found.append(tuple(stages))
        return tuple(found)

    def _core_place(self, group: int, spine: int, uplink: int) -> int:
        """Place of a spine's uplink in the order (spine, uplink, group) that fills the cores.

        Groups are taken rail by rail, so that a core's ports spread evenly over the pods.
        """
        full, part = self._spine_ups
        per_pod, pods = self.groups_per_pod, self.pods
        pod, rail = divmod(group, per_pod)
        block = per_pod * ((pods - 1) * full + part)
        if uplink < part:
            inside = uplink * per_pod * pods + rail * pods + pod
        else:
            inside = part * per_pod * pods + (uplink - part) * per_pod * (pods - 1)
            inside += rail * (pods - 1) + pod
        return spine * block + inside

    def _spine_core_links(self) -> Iterator[Link]:
        counts, radix = self.counts, self.design.spine_radix
        _, first_spine, first_core, _ = self._first
        full, part = self._spine_ups
        size = self.spines_of_group
        in_pod = self.groups_per_pod * size
        cables = CableNumbers(self.lanes, ((in_pod * (self.pods - 1), full), (in_pod, part)))
        up_port = radix - full + 1
        alone = SPINE_CORE in self.whole_cages
        ups = [(full if pod < self.pods - 1 else part) for pod in range(self.pods)]
        for plane in self._planes():
            cores = first_core + (plane - 1) * counts.cores
            spine = first_spine + (plane - 1) * counts.spines
            for group in range(self.groups_per_pod * self.pods):
                pod = group // self.groups_per_pod
                stages = self._uplink_stages[pod]
                for index in range(size):
                    numbers = cables.of_switch(group * size + index, plane)
                    for uplink in range(ups[pod]):
                        core, port = divmod(self._core_place(group, index, uplink), radix)
                        yield Link(
                            *(SPINE_CORE, plane, spine, up_port + uplink, cores + core),
                            *(port + 1, numbers[uplink], stages[uplink]),
                            (group * size + index) * full + uplink + 1 if alone else 0,
                        )
                    spine += 1

    @cached_property
    def manager_cables(self) -> int:
        """Cables to fabric managers that find a free leaf port."""
        return len(self._manager_ports)

    @cached_property
    def _manager_ports(self) -> tuple[tuple[int, int, int], ...]:
        """(plane, leaf, port) of each, one a leaf before a second: no node ever takes the port."""
        wanted = self.design.fabric_manager_cables
        if not wanted:
            return ()
        used = self._leaf_load()
        top = self.design.radix if self.counts.tiers == 1 else self.leaf_up_port - 1
        found: list[tuple[int, int, int]] = []
        for turn in range(top):
            for plane in self._planes():
                for leaf, load in enumerate(used):
                    if top - turn > load:
                        found.append((plane, leaf, top - turn))
                        if len(found) == wanted:
                            return tuple(found)
        return tuple(found)

    def _leaf_load(self) -> list[int]:
        """Node ports in use on every leaf of a plane; nodes fill a leaf from its first port."""
        load = [0] * self.counts.leaves
        for node in range(self.counts.nodes):
            for rail in range(self.design.request.rails):
                leaf, port = self.node_leaf(node, rail)
                load[leaf] = port + 1
        return load

    def _manager_links(self) -> Iterator[Link]:
        first_leaf, *_, first_manager = self._first
        for number, (plane, leaf, port) in enumerate(self._manager_ports):
            host, host_port = divmod(number, _CABLES_PER_MANAGER)
            target = first_leaf + (plane - 1) * self.counts.leaves + leaf
            stage = self.leaf_stages[leaf]
            yield Link(
                *(MANAGER_TIER, plane, first_manager + host, host_port + 1),
                *(target, port, number + 1, stage),
            )


def _digits(number: int) -> int:
    return len(str(max(1, number)))


def wire_clos(
    design: FabricDesign,
    counts: FabricCounts,
    *,
    name: str = "compute",
    stages: tuple[int, ...] = (),
    stage_names: tuple[str, ...] = (),
    naming: Naming | None = None,
) -> WiredFabric:
    """Wire a counted fabric. `stages`: cumulative installed nodes, the last those of the counts."""
    steps = stages or (counts.nodes,)
    wiring = ClosWiring(design, counts, steps, naming or Naming())
    request = design.request
    switch = request.switch
    word = wiring.naming.port
    nic_ports = node_port_names(switch.kind, design.nic_ports_per_node, request.planes, word)
    return WiredFabric(
        name=name,
        kind=switch.kind,
        generation=design.generation,
        planes=design.planes,
        plane_word="rail" if request.rail_only else "plane",
        stages=stage_names or tuple(str(n + 1) for n in range(len(steps))),
        gbps={
            ENDPOINT: design.link_gbps,
            MANAGER_TIER: design.link_gbps,
            LEAF_SPINE: design.uplink_gbps,
            SPINE_CORE: design.uplink_gbps,
        },
        devices=wiring.devices(),
        port_names={
            NODE: nic_ports,
            HOST: nic_ports,
            MANAGER: node_port_names(switch.kind, _CABLES_PER_MANAGER, 1),
            LEAF: leaf_port_names(switch, design, uplinks=counts.tiers > 1),
            SPINE: switch_port_names(switch, design.spine_radix),
            CORE: switch_port_names(switch, design.spine_radix),
        },
        wire=wiring.links,
        links_per_cable={
            ENDPOINT: request.planes,
            LEAF_SPINE: wiring.lanes,
            SPINE_CORE: wiring.lanes,
        },
        whole_cages=wiring.whole_cages,
    )
