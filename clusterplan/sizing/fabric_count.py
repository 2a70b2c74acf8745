"""Switches and links of one plane of one fabric for a number of nodes, in closed form."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import formula
from clusterplan.sizing.fabric import DRAGONFLY_PLUS, MAX_NODES, METHOD, SUPERPOD, plan_fabric

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterplan.sizing.fabric import FabricDesign, FabricRequest


class FabricCounts(NamedTuple):
    """One plane of one fabric. `*_in_use` are (switches, ports in use on each) of each kind.

    Ports in use: links of installed nodes only, all uplinks; the fabric-manager cables apart.
    `spine_downlinks` and `spine_uplinks` are those of a spine switch of the fullest pod; `pods` are
    the groups of a dragonfly+, joined by `global_links`.
    """

    nodes: int
    tiers: int
    stripes: int
    pods: int
    leaves: int
    spines: int
    spines_minimum: int
    cores: int
    leaf_uplinks: int
    leaf_spine_links: int
    spine_core_links: int
    spine_downlinks: int
    spine_uplinks: int
    leaf_in_use: tuple[tuple[int, int], ...]
    spine_in_use: tuple[tuple[int, int], ...]
    core_in_use: tuple[tuple[int, int], ...]
    global_links: int = 0


@formula(
    title="Stripes",
    equation="slots // su * ceil(su / stripe) + ceil(slots % su / stripe)",
    unit="stripes",
    source=f"{METHOD} rule 3: no stripe crosses a scalable unit",
)
def stripes_of(slots: int, su: int, stripe: int) -> int:
    """Stripes that hold `slots` nodes in units of `su`, each unit cut anew into stripes."""
    whole, rest = divmod(slots, su)
    return whole * -(-su // stripe) - (-rest // stripe)


@formula(
    title="Node slots of so many stripes",
    equation="stripes // ceil(su / stripe) * su + stripes % ceil(su / stripe) * stripe",
    unit="nodes",
    source=f"{METHOD} rule 3, read backwards",
)
def slots_of(stripes: int, su: int, stripe: int) -> int:
    """The most slots that `stripes` stripes hold; inverse of `stripes_of`."""
    whole, rest = divmod(stripes, -(-su // stripe))
    return whole * su + rest * stripe


@formula(
    title="Leaves of one plane",
    equation="rails * stripes",
    unit="switches",
    source=f"{METHOD} rule 3: a leaf per rail and stripe",
)
def leaves_by_rail(rails: int, stripes: int) -> int:
    """One leaf for each rail of each stripe."""
    return rails * stripes


@formula(
    title="Leaves of one plane, packed",
    equation="ceil(slots * rails / leaf_downlinks)",
    unit="switches",
    source=f"{METHOD} rule 3, packed",
)
def leaves_packed(slots: int, rails: int, leaf_downlinks: int) -> int:
    """Leaves filled port by port, whatever the rail."""
    return -(-slots * rails // leaf_downlinks)


@formula(
    title="Tiers of one fabric",
    equation="1 if slots * rails <= radix else 2 if leaves <= spine_radix else 3",
    unit="tiers",
    source=f"{METHOD} rule 4: decided on what is built",
)
def tiers_of(slots: int, rails: int, radix: int, leaves: int, spine_radix: int) -> int:
    """One switch, leaf and spine, or leaf, spine and core."""
    if slots * rails <= radix:
        return 1
    return 2 if leaves <= spine_radix else 3


@lru_cache(maxsize=256)
def _divisors(number: int) -> tuple[int, ...]:
    return tuple(n for n in range(1, number + 1) if number % n == 0)


@formula(
    title="Spine switches of a group",
    equation="smallest divisor of leaf_uplinks that is >= ceil(leaves x leaf_uplinks / ports)",
    unit="switches",
    source=f"{METHOD} rule 5, fitted to the {SUPERPOD} (H100, 3 scalable units: 16, not 12)",
    plain=False,
)
def spines_of_group(leaves: int, leaf_uplinks: int, ports: int) -> int:
    """Spine switches that `leaves` leaves share, the same number of links to each.

    ports: downlinks that a spine switch offers.
    """
    need = -(-leaves * leaf_uplinks // ports)
    return next(number for number in _divisors(leaf_uplinks) if number >= need)


@formula(
    title="Spine switches of a group, plain ceiling",
    equation="ceil(leaves * leaf_uplinks / ports)",
    unit="switches",
    source=f"{METHOD} rule 5",
)
def spines_of_group_minimum(leaves: int, leaf_uplinks: int, ports: int) -> int:
    """Spine switches that would do if links could be spread unevenly."""
    return -(-leaves * leaf_uplinks // ports)


@formula(
    title="Pods",
    equation="ceil(stripes / pod_stripes)",
    unit="pods",
    source=f"{METHOD} rule 6: a pod holds as many stripes as a spine has downlinks",
)
def pods_of(stripes: int, pod_stripes: int) -> int:
    """Pods, filled in order."""
    return -(-stripes // pod_stripes)


@formula(
    title="Uplinks of a spine switch",
    equation="ceil(downlinks / oversubscription - 1e-9)",
    unit="ports",
    source=f"{METHOD} rule 6",
)
def spine_uplinks_of(downlinks: int, oversubscription: float) -> int:
    """Uplinks for the downlinks in use."""
    if oversubscription == 1.0:
        return downlinks
    return -int(-(downlinks / oversubscription - 1e-9) // 1)


@formula(
    title="Downlinks of a spine switch",
    equation="leaves * leaf_uplinks // spines",
    unit="ports",
    source=f"{METHOD} rule 6: the links of a group spread over its spines",
)
def spine_downlinks_of(leaves: int, leaf_uplinks: int, spines: int) -> int:
    """Downlinks in use on each spine switch of a group of `leaves` leaves."""
    return leaves * leaf_uplinks // spines


@formula(
    title="Spine switches of one plane, three tiers",
    equation="groups_per_pod * pods * spines_of_group",
    unit="switches",
    source=f"{METHOD} rule 6: a full group per rail and pod",
)
def spines_of_pods(groups_per_pod: int, pods: int, spines_of_group: int) -> int:
    """Spine switches of all pods."""
    return groups_per_pod * pods * spines_of_group


@formula(
    title="Spine-core links of one plane",
    equation="groups_per_pod * spines_of_group * ((pods - 1) * uplinks_full + uplinks_last)",
    unit="links",
    source=f"{METHOD} rule 6: all pods are full but the last",
)
def spine_core_links_of(
    groups_per_pod: int, spines_of_group: int, pods: int, uplinks_full: int, uplinks_last: int
) -> int:
    """Links between spines and cores: uplinks of a spine in the full pods and in the last one."""
    return groups_per_pod * spines_of_group * ((pods - 1) * uplinks_full + uplinks_last)


@formula(
    title="Total of equal clusters",
    equation="clusters * count",
    unit="",
    source="clusterplan method, counting rule 12",
)
def of_clusters(clusters: int, count: int) -> int:
    """What so many equal clusters have together."""
    return clusters * count


@formula(
    title="Core switches of one plane",
    equation="ceil(spine_core_links / radix)",
    unit="switches",
    source=f"{METHOD} rule 6",
)
def cores_of(spine_core_links: int, radix: int) -> int:
    """Cores that the uplinks of all spine switches fill, one after the other."""
    return -(-spine_core_links // radix)


@formula(
    title="Leaf-spine links of one plane",
    equation="leaves * leaf_uplinks",
    unit="links",
    source=f"{METHOD} rule 3: every leaf is uplinked in full",
)
def leaf_spine_links_of(leaves: int, leaf_uplinks: int) -> int:
    """Links between leaves and spines."""
    return leaves * leaf_uplinks


def count_fabric(design: FabricDesign, nodes: int) -> FabricCounts:
    """Count one plane of a fabric of `nodes` installed nodes.

    Raises InputError for a count that is no count, InfeasibleError where three tiers (or the spine
    switches that the user fixed) do not hold the nodes; its text names the most that fit.
    """
    if isinstance(nodes, bool) or not isinstance(nodes, int) or not 1 <= nodes <= MAX_NODES:
        message = f"{nodes} is not a whole number from 1 to {MAX_NODES}"
        raise InputError(Problem(message, path="fabric.nodes"))
    request = design.request
    rails, up = request.rails, design.leaf_uplinks
    slots = nodes + request.reserve_nodes
    stripes = stripes_of(slots, design.su, design.stripe)
    if request.leaf_mode == "packed":
        leaves = leaves_packed(slots, rails, design.leaf_downlinks)
    else:
        leaves = leaves_by_rail(rails, stripes)
    tiers = tiers_of(slots, rails, design.radix, leaves, design.spine_radix)
    if tiers == 1:
        use: tuple[tuple[int, int], ...] = ((1, nodes * rails),)
        return FabricCounts(nodes, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, use, (), ())
    if slots > most_slots(design, tiers):
        raise InfeasibleError(_beyond(design, nodes, leaves), limit="fabric")
    if request.topology == DRAGONFLY_PLUS:
        from clusterplan.sizing.dragonfly_plus import count_dragonfly

        return count_dragonfly(design, nodes)
    links = leaf_spine_links_of(leaves, up)
    leaf_use = _leaf_use(design, nodes, leaves)
    if tiers == 2:
        minimum = spines_of_group_minimum(leaves, up, design.spine_radix)
        spines = request.spines or spines_of_group(leaves, up, design.spine_radix)
        load, extra = divmod(links, spines)
        use = kinds_of((extra, load + 1), (spines - extra, load))
        down = load + (1 if extra else 0)
        return FabricCounts(
            *(nodes, 2, stripes, 0, leaves, spines, minimum, 0, up, links, 0, down, 0),
            *(leaf_use, use, ()),
        )
    return _three_tiers(design, nodes, leaves, stripes)


def _three_tiers(design: FabricDesign, nodes: int, leaves: int, stripes: int) -> FabricCounts:
    """Rule 6: pods of full spine groups, one group per rail and pod (packed: per pod)."""
    packed = design.request.leaf_mode == "packed"
    rows, per_pod = (leaves, 1) if packed else (stripes, design.request.rails)
    up, most = design.leaf_uplinks, design.spine_downlinks_max
    pods = pods_of(rows, most)
    fullest, last = min(rows, most), rows - (pods - 1) * most
    size = design.request.spines or spines_of_group(fullest, up, most)
    minimum = spines_of_group_minimum(fullest, up, most)
    ratio = design.request.oversubscription_spine
    down_full = spine_downlinks_of(fullest, up, size)
    down_last = spine_downlinks_of(last, up, size)
    up_full = spine_uplinks_of(down_full, ratio)
    up_last = spine_uplinks_of(down_last, ratio)
    in_full, in_last = per_pod * (pods - 1) * size, per_pod * size
    core_links = spine_core_links_of(per_pod, size, pods, up_full, up_last)
    cores = cores_of(core_links, design.spine_radix)
    whole, rest = divmod(core_links, design.spine_radix)
    return FabricCounts(
        nodes=nodes,
        tiers=3,
        stripes=stripes,
        pods=pods,
        leaves=leaves,
        spines=spines_of_pods(per_pod, pods, size),
        spines_minimum=spines_of_pods(per_pod, pods, minimum),
        cores=cores,
        leaf_uplinks=up,
        leaf_spine_links=leaf_spine_links_of(leaves, up),
        spine_core_links=core_links,
        spine_downlinks=down_full,
        spine_uplinks=up_full,
        leaf_in_use=_leaf_use(design, nodes, leaves),
        spine_in_use=kinds_of((in_full, down_full + up_full), (in_last, down_last + up_last)),
        core_in_use=kinds_of((whole, design.spine_radix), (1 if rest else 0, rest)),
    )


def _leaf_use(design: FabricDesign, nodes: int, leaves: int) -> tuple[tuple[int, int], ...]:
    """(leaves, installed downlinks) of each kind of leaf; nodes fill the slots in order."""
    rails, stripe = design.request.rails, design.stripe
    if design.request.leaf_mode == "packed":
        full, rest = divmod(nodes * rails, design.leaf_downlinks)
        used = full + (1 if rest else 0)
        return kinds_of((full, design.leaf_downlinks), (1 if rest else 0, rest), (leaves - used, 0))
    units, rest = divmod(nodes, design.su)
    per_unit = -(-design.su // stripe)
    tail = design.su - (per_unit - 1) * stripe
    more, part = divmod(rest, stripe)
    full = units * (per_unit - 1) + more
    used = full + units + (1 if part else 0)
    return kinds_of(
        (rails * full, stripe),
        (rails * units, tail),
        (rails if part else 0, part),
        (leaves - rails * used, 0),
    )


def kinds_of(*kinds: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Kinds of which there are any."""
    return tuple([kind for kind in kinds if kind[0]])


def most_slots(design: FabricDesign, tiers: int) -> int:
    """The most node slots (installed and reserve) that so many tiers hold.

    A fixed number of spine switches below the leaf's uplinks closes the fabric at two tiers.
    """
    request = design.request
    if tiers == 1:
        return design.radix // request.rails
    if request.topology == DRAGONFLY_PLUS:
        from clusterplan.sizing.dragonfly_plus import most_endpoints

        return most_endpoints(design) // request.rails
    leaves = _most_two_tier_leaves(design)
    packed = request.leaf_mode == "packed"
    if tiers == 3:
        if request.spines is not None and request.spines < design.leaf_uplinks:
            return 0
        groups = design.spine_radix // (1 if packed else request.rails)
        rows = groups * design.spine_downlinks_max
        if packed:
            return rows * design.leaf_downlinks // request.rails
        return slots_of(rows, design.su, design.stripe)
    if packed:
        return leaves * design.leaf_downlinks // request.rails
    return slots_of(leaves // request.rails, design.su, design.stripe)


def _most_two_tier_leaves(design: FabricDesign) -> int:
    if design.request.spines is None:
        return design.spine_radix
    landing = design.request.spines * design.spine_radix // design.leaf_uplinks
    return min(design.spine_radix, landing)


def reach_nodes(design: FabricDesign) -> int:
    """The most installed nodes that one fabric of this design holds, at any number of tiers."""
    most = max(most_slots(design, tiers) for tiers in (1, 2, 3))
    return max(0, most - design.request.reserve_nodes)


def _beyond(design: FabricDesign, nodes: int, leaves: int) -> str:
    """Why the nodes do not fit, and the most that do."""
    request = design.request
    most = reach_nodes(design)
    asked = f"{nodes} nodes of {design.nic_ports_per_node} ports"
    spines = request.spines
    if spines is not None and spines < design.leaf_uplinks:
        landing = spines * design.spine_radix // leaves
        return (
            f"{asked} do not fit: {leaves} leaves of {design.leaf_uplinks} uplinks cannot land on "
            f"{spines} spine switches of {design.spine_radix} ports, only {landing} uplinks a leaf "
            f"could; the most that fit are {most} nodes"
        )
    return (
        f"{asked} are beyond one fabric of {request.switch.id} at {design.link_gbps:g} Gb/s a link;"
        f" the most that fit are {most} nodes ({most * design.accelerators_per_node} accelerators)"
    )


def candidates_that_hold(
    candidates: Iterable[tuple[str, FabricRequest]], nodes: int, tiers: int = 3
) -> tuple[str, ...]:
    """Labels of the candidate fabrics that hold `nodes` in so many tiers at most."""
    holding = []
    for label, request in candidates:
        try:
            design = plan_fabric(request)
        except InputError:
            continue  # the switch has no port of that speed
        if nodes <= reach_nodes(design) and count_fabric(design, nodes).tiers <= tiers:
            holding.append(label)
    return tuple(holding)
