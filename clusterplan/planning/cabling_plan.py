"""From a counted fabric to its wiring, its place on the floor and its cables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.wired_fabric import ENDPOINT, GLOBAL, LEAF_SPINE, MANAGER_TIER, SPINE_CORE
from clusterplan.planning.fabric_plan import count_site_fabric
from clusterplan.sizing import cable_media
from clusterplan.sizing.cable_media import ATTACHED, FIBRE, Medium
from clusterplan.sizing.cable_placement import FloorGrid, Placement, SwitchBody, place
from clusterplan.sizing.cabling import Cabling
from clusterplan.sizing.clos_wiring import Naming, wire_clos
from clusterplan.sizing.dragonfly_plus import wire_dragonfly
from clusterplan.sizing.fabric import DRAGONFLY_PLUS
from clusterplan.sizing.fabric_optics import cage_gbps
from clusterplan.sizing.floor import SUPPORT_RACK_WIDTH_M, row_pitch_m

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from clusterplan.core.equipment import Optic, Rack
    from clusterplan.core.wired_fabric import WiredFabric
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.fabric_plan import FabricPlan
    from clusterplan.sizing.fabric import FabricDesign
    from clusterplan.sizing.fabric_optics import FabricEquipment
    from clusterplan.sizing.fabric_site import SiteFabric

BUILT_IN = "built-in"
_BUILT_IN_REACH_M = 500.0
_WIDTH_MM, _DEPTH_MM = 600.0, 1200.0
_HEIGHT_U = 48.0
_PRACTICE = "engineering practice"


class CabledFabric(NamedTuple):
    """One fabric, wired and cabled, with the plan that it comes from."""

    plan: FabricPlan
    wired: WiredFabric
    cabling: Cabling


class SiteCabling(NamedTuple):
    """All wired fabrics of a site, and the floor that they stand on."""

    fabrics: list[CabledFabric]
    placement: Placement


def site_cabling(
    plan: FabricPlan, servers: int, choices: Choices, stages: Mapping[str, int]
) -> SiteCabling:
    """Wire, place and cable the compute fabric; stages: cumulative servers by name."""
    counted = count_site_fabric(plan, servers)
    wired = wire_site(plan, counted, stages=tuple(stages.values()), stage_names=tuple(stages))
    fabrics, placement = cable_site([(plan, one) for one in wired], choices)
    return SiteCabling(fabrics, placement)


def wire_site(
    plan: FabricPlan,
    counted: SiteFabric,
    *,
    name: str = "compute",
    stages: tuple[int, ...] = (),
    stage_names: tuple[str, ...] = (),
) -> list[WiredFabric]:
    """Wire every cluster of a site's fabric.

    stages: cumulative servers of the site, the last one all of them; clusters fill one after the
    other.
    """
    clusters = [one for number, one in counted.fabrics for _ in range(number)]
    total = sum(one.nodes for one in clusters)
    steps = stages or (total,)
    found, before = [], 0
    for number, one in enumerate(clusters, start=1):
        label = f"c{number}-" if len(clusters) > 1 else ""
        own = "" if name == "compute" else f"{name}-"
        mine = tuple(min(max(step - before, 0), one.nodes) for step in steps)
        naming = Naming(
            prefix=own + label, first_node=before, total_nodes=total, node_model=plan.rack.id
        )
        wire: Callable[..., WiredFabric] = wire_clos
        if plan.site.fabric.request.topology == DRAGONFLY_PLUS and one.tiers > 1:
            wire = wire_dragonfly
        found.append(
            wire(
                plan.site.fabric,
                one,
                name=f"{name}-c{number}" if label else name,
                stages=mine,
                stage_names=stage_names or tuple(str(n + 1) for n in range(len(steps))),
                naming=naming,
            )
        )
        before += one.nodes
    return found


def cable_site(
    fabrics: Iterable[tuple[FabricPlan, WiredFabric]], choices: Choices
) -> tuple[list[CabledFabric], Placement]:
    """Place the devices of all fabrics of a site and choose a medium for every link."""
    pairs = list(fabrics)
    placement = place_site(pairs, choices)
    stock = {row.id: row.lengths_m for row in catalog.cable_lengths()}
    by_length = choices.text("fabric.medium") == "by-length"
    found = []
    for plan, wired in pairs:
        cabling = Cabling(
            wired,
            placement,
            _media(plan, wired.whole_cages, stock, by_length=by_length),
            _ports_per_cage(plan.site.fabric, plan.site.equipment),
            _prefix(wired.name),
        )
        found.append(CabledFabric(plan, wired, cabling))
    return found, placement


def place_site(pairs: list[tuple[FabricPlan, WiredFabric]], choices: Choices) -> Placement:
    """Cabinets of all devices, on the floor."""
    bodies = {}
    for plan, _ in pairs:
        equipment = plan.site.equipment
        module = equipment.switch_module.power_w if equipment.switch_module else 0.0
        kw = (equipment.switch_power_w + equipment.cages * module) / 1000
        bodies[plan.site.fabric.request.switch.id] = SwitchBody(equipment.rack_units, kw)
    rack = pairs[0][0].rack
    return place([wired for _, wired in pairs], _grid(rack, choices), bodies)


def _grid(rack: Rack, choices: Choices) -> FloorGrid:
    ledger = choices.ledger
    width, depth = rack.width_mm, rack.layout_depth_mm or rack.depth_mm
    height = rack.height_u
    for name, known, usual, unit in (
        ("width", width, _WIDTH_MM, "mm"),
        ("depth", depth, _DEPTH_MM, "mm"),
        ("height", height, _HEIGHT_U, "U"),
    ):
        if known is None:
            ledger.assume(f"rack.{name}", usual, unit, _PRACTICE)
    depth_m = max(depth or _DEPTH_MM, _DEPTH_MM) / 1000
    pitch = row_pitch_m(
        depth_m, choices.number("floor.cold_aisle"), choices.number("floor.hot_aisle")
    )
    return FloorGrid(
        compute_width_m=(width or _WIDTH_MM) / 1000,
        compute_units=int(height or _HEIGHT_U),
        servers_per_rack=rack.servers_per_rack,
        network_width_m=SUPPORT_RACK_WIDTH_M,
        network_units=choices.number("floor.network_rack_units"),
        network_kw=choices.number("floor.network_rack_power"),
        row_positions_max=choices.integer("floor.row_positions_max"),
        row_pitch_m=pitch,
        tray_height_m=choices.number("fabric.tray_height"),
        slack_m=choices.number("fabric.cable_slack"),
    )


def _prefix(name: str) -> str:
    """Of cable ids: nothing for the only compute fabric, else the fabric's name."""
    rest = name.removeprefix("compute").strip("-")
    return f"{rest}-".upper() if rest else ""


def _ports_per_cage(fabric: FabricDesign, equipment: FabricEquipment) -> tuple[int, int]:
    cages = equipment.cages
    if not cages:
        return 0, 0
    return max(1, fabric.radix // cages), max(1, fabric.spine_radix // cages)


def _media(
    plan: FabricPlan,
    whole_cages: frozenset[str],
    stock: dict[str, tuple[float, ...]],
    *,
    by_length: bool,
) -> dict[str, tuple[Medium, ...]]:
    """What each tier may take, in order of preference.

    A cable with its ends attached joins two cages, so only tiers of `whole_cages` take one.
    """
    equipment, fabric = plan.site.equipment, plan.site.fabric
    switch = fabric.request.switch
    if equipment.copper:
        cords = [row for row in catalog.optics() if row.kind == "copper"]
        cord = cable_media.copper_cords(cords[0], stock)
        return dict.fromkeys((ENDPOINT, LEAF_SPINE, SPINE_CORE, GLOBAL, MANAGER_TIER), cord)
    endpoint = _fibre(equipment.nic_module, equipment.switch_module, stock, equipment)
    between = _fibre(equipment.switch_module, equipment.switch_module, stock, equipment)
    if not by_length or not equipment.cages:
        return {
            ENDPOINT: endpoint,
            LEAF_SPINE: between,
            SPINE_CORE: between,
            GLOBAL: between,
            MANAGER_TIER: endpoint,
        }
    speed = cage_gbps(switch.ports or 1, switch.gbps_per_port or 0.0, equipment.cages)
    infiniband = switch.kind == "infiniband"
    straight = cable_media.attached_cables(catalog.optics(), speed, stock, infiniband=infiniband)
    to_nics: tuple[Medium, ...] = ()
    if fabric.request.planes == 1:  # a NIC port split to several switches needs a fibre shuffle
        far = max(1, round(speed / fabric.request.nic_gbps))
        to_nics = cable_media.attached_cables(
            catalog.optics(), speed, stock, infiniband=infiniband, far_ports=far
        )
    return {
        ENDPOINT: to_nics + endpoint,
        LEAF_SPINE: straight + between if LEAF_SPINE in whole_cages else between,
        SPINE_CORE: straight + between if SPINE_CORE in whole_cages else between,
        GLOBAL: between,
        MANAGER_TIER: endpoint,
    }


def _fibre(
    lower: Optic | None,
    upper: Optic | None,
    stock: dict[str, tuple[float, ...]],
    equipment: FabricEquipment,
) -> tuple[Medium, ...]:
    """The usual modules, then those of the same cage that reach further."""
    if not equipment.cages:  # optics built into the switch
        lengths = tuple(n for n in stock.get(FIBRE, ()) if n <= _BUILT_IN_REACH_M)
        return (Medium(BUILT_IN, FIBRE, "MPO-12 single mode", lengths, False, lower, None),)
    if upper is None or lower is None:
        return ()
    if upper.kind in ATTACHED:  # an active optical cable is the usual "module" of its speed
        reach = [n for n in stock.get(upper.kind, ()) if upper.reach_min_m <= n]
        lengths = tuple(n for n in reach if n <= upper.reach_max_m)
        return (Medium(upper.id, upper.kind, upper.name, lengths, True, lower, upper),)
    pairs = [(lower, upper)]
    if lower is upper:
        pairs += [
            (row, row)
            for row in sorted(catalog.optics(), key=lambda row: row.reach_max_m)
            if row.speed_gbps == upper.speed_gbps
            and row.twin == upper.twin
            and row.kind not in (*ATTACHED, "copper", "cpo")
            and row.reach_max_m > upper.reach_max_m
        ]
    return cable_media.fibre_links(pairs, stock)
