"""One compute fabric: what is asked of it, and the shape of its leaves (radix, split, stripes).

Nodes are servers (compute trays of a rack-scale system). Node port i goes to leaf i of the node's
stripe, so leaves come in sets of one per rail. Everything is counted per plane; totals over planes
and clusters are in `fabric_site`. Counts of switches and links for a number of nodes are in
`fabric_count`.
"""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.frozen import frozen
from clusterplan.core.record import formula

if TYPE_CHECKING:
    from clusterplan.core.equipment import Switch

METHOD = "clusterplan method, fabric"
SUPERPOD = "NVIDIA DGX SuperPOD reference architectures (H100, B200), network fabrics"
LEAF_MODES = ("rail", "across-sus", "packed")
CLOS, RAIL_ONLY, DRAGONFLY_PLUS = "clos", "rail-only", "dragonfly-plus"
TOPOLOGIES = (CLOS, RAIL_ONLY, DRAGONFLY_PLUS)
GENERATIONS = {100.0: "EDR", 200.0: "HDR", 400.0: "NDR", 800.0: "XDR"}  # 4x links, Gb/s
MAX_NODES = 10_000_000
_MAX_RAILS = 1024
_MAX_OVERSUBSCRIPTION = 1024.0
_TINY = 1e-9  # keeps a ratio that is a whole number in exact arithmetic whole in floats
_SAME_SPEED = 1e-6


@frozen
class FabricRequest:
    """What is asked of one fabric, whatever the number of nodes.

    rails                  NIC ports of a node that get a leaf each
    planes                 parallel planes that one NIC port of `nic_gbps` is split into
    ports_as_planes        NIC ports of one accelerator that are a plane of their own each (1: none)
    accelerators_per_node  for the growth limit; one per rail when left out
    nodes_per_su           nodes of a scalable unit; None: a stripe
    oversubscription_*     most down:up bandwidth at the leaf and at the spine, 1 or more
    leaf_split             fixed (down, up) ports of a leaf instead of `oversubscription_leaf`
    spines                 fixed spine switches of a plane (of a spine group in three tiers)
    reserve_nodes          empty node slots on top of the installed nodes
    fabric_manager_cables  None: 4 for an InfiniBand fabric with a reserve, else 0
    uplink_gbps            speed of leaf-spine and spine-core links where it is not the NIC's
    topology               clos; rail-only: no switch joins two rails, so every rail is a plane of
                           its own, `rails` is 1 and `ports_as_planes` counts every NIC port of a
                           node; dragonfly-plus: groups of leaves and spines, joined all to all
    """

    switch: Switch
    nic_gbps: float
    rails: int
    planes: int = 1
    ports_as_planes: int = 1
    accelerators_per_node: int | None = None
    nodes_per_su: int | None = None
    oversubscription_leaf: float = 1.0
    oversubscription_spine: float = 1.0
    leaf_mode: str = "rail"
    leaf_split: tuple[int, int] | None = None
    spines: int | None = None
    reserve_nodes: int = 0
    fabric_manager_cables: int | None = None
    uplink_gbps: float | None = None
    topology: str = CLOS

    @property
    def rail_only(self) -> bool:
        """Whether every rail is a network of its own."""
        return self.topology == RAIL_ONLY


@frozen
class FabricDesign:
    """A request with its leaf resolved; `count_fabric` takes it with a number of nodes.

    planes         planes in all; `link_gbps` the speed of one link to a NIC port
    radix          ports of a switch at `link_gbps`; `spine_radix` at `uplink_gbps`
    su             slots after which stripes start anew: the scalable unit, or a stripe
    stripe         nodes of a full stripe
    leaf_ports     ports of a leaf once split (the radix, unless uplinks have another speed)
    spine_downlinks_max  downlinks of a spine switch in three tiers
    """

    request: FabricRequest
    planes: int
    link_gbps: float
    uplink_gbps: float
    radix: int
    spine_radix: int
    native_ports: int
    leaf_downlinks: int
    leaf_uplinks: int
    leaf_ports: int
    stripe: int
    su: int
    spine_downlinks_max: int
    fabric_manager_cables: int
    accelerators_per_node: int
    nic_ports_per_node: int

    @property
    def generation(self) -> str:
        """InfiniBand generation of the switch's ports, split or not; '' for others."""
        if self.request.switch.kind != "infiniband":
            return ""
        native = self.request.switch.gbps_per_port or 0.0
        return next((name for gbps, name in GENERATIONS.items() if abs(gbps - native) < 1e-3), "")


@formula(
    title="Speed of one link",
    equation="nic_gbps / planes_per_port",
    unit="Gb/s",
    source=f"{METHOD} rule 1",
)
def plane_link_gbps(nic_gbps: float, planes_per_port: int) -> float:
    """Gb/s of the link that a NIC port has to each plane it is split into."""
    return nic_gbps / planes_per_port


@formula(
    title="Leaf downlinks",
    equation="floor(radix * oversubscription / (1 + oversubscription) + 1e-9)",
    unit="ports",
    source=f"{METHOD} rule 2: the largest d with d + ceil(d/r) <= k",
)
def leaf_downlinks(radix: int, oversubscription: float) -> int:
    """The largest number of ports down that leaves room for the uplinks of that ratio.

    d + ceil(d/r) <= k holds exactly where d * (1 + 1/r) <= k, since k - d is whole.
    """
    return floor(radix * oversubscription / (1 + oversubscription) + _TINY)


@formula(
    title="Nodes of a full stripe",
    equation="leaf_downlinks if nodes_per_su >= leaf_downlinks"
    " else leaf_downlinks // nodes_per_su * nodes_per_su",
    unit="nodes",
    source=f"{METHOD} rule 3, fitted to the {SUPERPOD}",
)
def stripe_nodes(leaf_downlinks: int, nodes_per_su: int) -> int:
    """Nodes whose port i shares leaf i: a leaf's downlinks, or whole scalable units of fewer."""
    if nodes_per_su >= leaf_downlinks:
        return leaf_downlinks
    return leaf_downlinks // nodes_per_su * nodes_per_su


@formula(
    title="Leaf uplinks",
    equation="ceil(stripe * link_gbps / (oversubscription * uplink_gbps) - 1e-9)",
    unit="ports",
    source=f"{METHOD} rules 2 and 3: the same on every leaf, full or not",
)
def leaf_uplinks(stripe: int, oversubscription: float, link_gbps: float, uplink_gbps: float) -> int:
    """Uplinks of a leaf that carry a full stripe at the ratio asked for."""
    return ceil(stripe * link_gbps / (oversubscription * uplink_gbps) - _TINY)


@formula(
    title="Spine downlinks at most (three tiers)",
    equation="floor(radix * oversubscription / (1 + oversubscription) + 1e-9)",
    unit="ports",
    source=f"{METHOD} rule 6, as rule 2 at the spine",
)
def spine_downlinks_max(radix: int, oversubscription: float) -> int:
    """Downlinks of a spine switch under a core, also the stripes of a pod."""
    return floor(radix * oversubscription / (1 + oversubscription) + _TINY)


def offered_speeds(switch: Switch) -> dict[float, int]:
    """Ports of the whole switch by speed in Gb/s: native, then the declared breakouts."""
    if not switch.ports or not switch.gbps_per_port:
        return {}
    found = {float(switch.gbps_per_port): switch.ports}
    for split in switch.breakouts:
        found.setdefault(float(split.gbps), split.ports)
    return found


def ports_at(switch: Switch, gbps: float) -> int | None:
    """Ports of `switch` at a speed, None where it is neither native nor a declared breakout."""
    for speed, ports in offered_speeds(switch).items():
        if abs(speed - gbps) <= _SAME_SPEED * gbps:
            return ports
    return None


def plan_fabric(request: FabricRequest) -> FabricDesign:
    """Resolve radix, leaf split and stripe. Raises InputError with every problem found."""
    _check(request)
    link_gbps = plane_link_gbps(request.nic_gbps, request.planes)
    uplink_gbps = request.uplink_gbps or link_gbps
    radix = _radix(
        request.switch, link_gbps, "fabric.nic" if request.planes == 1 else "fabric.planes"
    )
    spine_radix = _radix(request.switch, uplink_gbps, "fabric.uplink")
    r_leaf = request.oversubscription_leaf
    if request.leaf_split is not None:
        down, up = request.leaf_split
    elif spine_radix == radix and uplink_gbps == link_gbps:
        down, up = leaf_downlinks(radix, r_leaf), 0
    else:
        down, up = _mixed_downlinks(request, link_gbps, uplink_gbps), 0
    if down < 1:
        raise InputError(
            Problem(f"no downlink is left at {r_leaf:g}:1", path="fabric.oversubscription_leaf")
        )
    across = request.leaf_mode != "rail" or request.nodes_per_su is None
    stripe = stripe_nodes(down, down if across else request.nodes_per_su or down)
    if up == 0:
        up = leaf_uplinks(stripe, r_leaf, link_gbps, uplink_gbps)
    _check_fixed(request, (radix, spine_radix), down, up)
    leaf_ports = _leaf_ports(request.switch, radix, spine_radix, down, up)
    reserve_ib = request.switch.kind == "infiniband" and request.reserve_nodes > 0
    cables = request.fabric_manager_cables
    return FabricDesign(
        request=request,
        planes=request.planes * request.ports_as_planes,
        link_gbps=link_gbps,
        uplink_gbps=uplink_gbps,
        radix=radix,
        spine_radix=spine_radix,
        native_ports=request.switch.ports or radix,
        leaf_downlinks=down,
        leaf_uplinks=up,
        leaf_ports=leaf_ports,
        stripe=stripe,
        su=stripe if across else max(stripe, request.nodes_per_su or 0),
        spine_downlinks_max=spine_downlinks_max(spine_radix, request.oversubscription_spine),
        fabric_manager_cables=(4 if reserve_ib else 0) if cables is None else cables,
        accelerators_per_node=request.accelerators_per_node or request.rails,
        nic_ports_per_node=request.rails * request.ports_as_planes,
    )


def _radix(switch: Switch, gbps: float, path: str) -> int:
    ports = ports_at(switch, gbps)
    if ports is None:
        speeds = ", ".join(
            f"{n} x {speed:g} Gb/s" for speed, n in sorted(offered_speeds(switch).items())
        )
        raise InputError(
            Problem(
                f"{switch.id} has no port of {gbps:g} Gb/s",
                path=path,
                hint=f"it has {speeds}" if speeds else "its ports are not known",
            )
        )
    if ports < 2 or ports % 2:
        message = f"{switch.id} has {ports} ports; an even number of two or more is due"
        raise InputError(Problem(message, path="fabric.switch"))
    return ports


def _mixed_downlinks(request: FabricRequest, link_gbps: float, uplink_gbps: float) -> int:
    """Rule 2 for uplinks of another speed: the cages of both sides must fit in the switch."""
    cages = request.switch.cages or request.switch.ports or 0
    radix = ports_at(request.switch, link_gbps) or 0
    up_radix = ports_at(request.switch, uplink_gbps) or 0
    best = 0
    for down in range(1, radix):
        up = ceil(down * link_gbps / (request.oversubscription_leaf * uplink_gbps) - _TINY)
        if -(-down * cages // radix) - (-up * cages // up_radix) <= cages:
            best = down
    return best


def _leaf_ports(switch: Switch, radix: int, spine_radix: int, down: int, up: int) -> int:
    """Ports that a leaf has once its cages are split between the two speeds."""
    if radix == spine_radix:
        return radix
    cages = switch.cages or switch.ports or 0
    up_cages = -(-up * cages // spine_radix)
    return max(down, (cages - up_cages) * radix // cages) + up_cages * spine_radix // cages


def _check(request: FabricRequest) -> None:
    problems: list[Problem] = []

    def need(ok: bool, field: str, message: str) -> None:
        if not ok:
            problems.append(Problem(message, path=f"fabric.{field}"))

    def whole(value: int | None, field: str, low: int, high: int) -> None:
        fits = value is None or (
            isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        )
        need(fits, field, f"{value} is not a whole number from {low} to {high}")

    whole(request.rails, "rails", 1, _MAX_RAILS)
    whole(request.planes, "planes", 1, 64)
    whole(request.ports_as_planes, "ports_as", 1, 64)
    whole(request.accelerators_per_node, "accelerators_per_node", 1, _MAX_RAILS)
    whole(request.nodes_per_su, "nodes_per_su", 1, MAX_NODES)
    whole(request.spines, "spines", 1, 100_000)
    whole(request.reserve_nodes, "reserve_nodes", 0, 100_000)
    whole(request.fabric_manager_cables, "fabric_manager_cables", 0, 1000)
    for side, value in zip(("down", "up"), request.leaf_split or (), strict=False):
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= 1
        need(fits, "leaf_split", f"{value} ports {side}: a whole number of 1 or more is due")
    for field in ("oversubscription_leaf", "oversubscription_spine"):
        ratio = getattr(request, field)
        fits = 1.0 <= ratio <= _MAX_OVERSUBSCRIPTION
        need(fits, field, f"{ratio:g} is not a ratio from 1 to {_MAX_OVERSUBSCRIPTION:g}")
    for field, speed in (("nic", request.nic_gbps), ("uplink", request.uplink_gbps)):
        need(speed is None or 0.0 < speed < 1e6, field, f"{speed} Gb/s is not a port speed")
    modes = " or ".join(LEAF_MODES)
    need(request.topology in TOPOLOGIES, "topology", f"{request.topology!r} is not known")
    if request.topology == DRAGONFLY_PLUS:
        packed = "the leaves of a dragonfly+ are packed"
        need(request.leaf_mode == "packed", "leaf_mode", packed)
        need(request.spines is None, "spines", "a group has a spine for every leaf uplink")
    need(request.leaf_mode in LEAF_MODES, "leaf_mode", f"{request.leaf_mode!r} is not {modes}")
    if request.leaf_split is not None and request.oversubscription_leaf != 1.0:
        need(ok=False, field="leaf_split", message="give a split or a leaf ratio, not both")
    if problems:
        raise InputError(problems)


def _check_fixed(request: FabricRequest, design_ports: tuple[int, int], down: int, up: int) -> None:
    """Rule 9: what the user fixed must fit the switch and let a leaf reach every spine."""
    radix, spine_radix = design_ports
    switch = request.switch
    if radix == spine_radix:
        fits = down + up <= radix
    else:  # a cage is split one way
        cages = switch.cages or switch.ports or 0
        fits = -(-down * cages // radix) - (-up * cages // spine_radix) <= cages
    if request.leaf_split is not None and not fits:
        raise InputError(
            Problem(
                f"{down} ports down and {up} up do not fit the {radix} of {switch.id}",
                path="fabric.leaf_split",
            )
        )
    if request.spines is not None and request.spines > up:
        raise InputError(
            Problem(
                f"a leaf of {up} uplinks cannot reach {request.spines} spine switches",
                path="fabric.spines",
                hint=f"{up} or fewer",
            )
        )
