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
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clusterplan.core.equipment import Optic, Rack
    from clusterplan.core.wired_fabric import WiredFabric
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.fabric_plan import FabricPlan
    from clusterplan.planning.support_plan import SupportPlan
    from clusterplan.sizing.fabric import FabricDesign
    from clusterplan.sizing.fabric_optics import FabricEquipment
    from clusterplan.sizing.fabric_site import SiteFabric

BUILT_IN = "built-in"
_BUILT_IN_REACH_M = 500.0
_WIDTH_MM, _DEPTH_MM = 600.0, 1200.0
_HEIGHT_U = 48.0
_PRACTICE = "engineering practice"


class Wired(NamedTuple):
    """A wired fabric and what its cables and switches are.

    media: from lengths in stock and whether media go by length, what each tier may take
    """

    fabric: WiredFabric
    media: Callable[[Mapping[str, tuple[float, ...]], bool], Mapping[str, tuple[Medium, ...]]]
    ports_per_cage: tuple[int, int]
    bodies: Mapping[str, SwitchBody]
    rack: Rack


class CabledFabric(NamedTuple):
    """One fabric, wired and cabled."""

    wired: WiredFabric
    cabling: Cabling


class SiteCabling(NamedTuple):
    """All wired fabrics of a site, and the floor that they stand on."""

    fabrics: list[CabledFabric]
    placement: Placement


COMPUTE, ALL = "compute", "all"


def site_cabling(
    plan: FabricPlan,
    servers: int,
    choices: Choices,
    stages: Mapping[str, int],
    support: SupportPlan | None = None,
) -> SiteCabling:
    """Wire, place and cable the fabrics of a site; stages: cumulative servers by name.

    support: the fabrics beside the compute fabric, where they are wanted.
    """
    counted = count_site_fabric(plan, servers)
    found = list(wire_site(plan, counted, stages))
    if support is not None:
        from clusterplan.planning.support_wiring import wire_support

        found += wire_support(support, tuple(found), stages)
    placement = place_site(found, choices)
    stock = {row.id: row.lengths_m for row in catalog.cable_lengths()}
    by_length = choices.text("fabric.medium") == "by-length"
    fabrics = [
        CabledFabric(
            one.fabric,
            Cabling(
                one.fabric,
                placement,
                one.media(stock, by_length),
                one.ports_per_cage,
                _prefix(one.fabric.name),
            ),
        )
        for one in found
    ]
    return SiteCabling(fabrics, placement)


def wire_site(plan: FabricPlan, counted: SiteFabric, stages: Mapping[str, int]) -> Iterator[Wired]:
    """Wire every cluster of a site's compute fabric; clusters fill one after the other."""
    clusters = [one for number, one in counted.fabrics for _ in range(number)]
    total, before = sum(one.nodes for one in clusters), 0
    for number, one in enumerate(clusters, start=1):
        label = f"c{number}-" if len(clusters) > 1 else ""
        naming = Naming(prefix=label, first_node=before, total_nodes=total, node_model=plan.rack.id)
        wire: Callable[..., WiredFabric] = wire_clos
        if plan.site.fabric.request.topology == DRAGONFLY_PLUS and one.tiers > 1:
            wire = wire_dragonfly
        wired = wire(
            plan.site.fabric,
            one,
            name=f"{COMPUTE}-c{number}" if label else COMPUTE,
            stages=tuple(min(max(step - before, 0), one.nodes) for step in stages.values()),
            stage_names=tuple(stages),
            naming=naming,
        )
        yield wired_of(plan, wired)
        before += one.nodes


def wired_of(plan: FabricPlan, fabric: WiredFabric) -> Wired:
    """A wired fabric with the media, cages and switch of its plan."""
    equipment, switch = plan.site.equipment, plan.site.fabric.request.switch
    module = equipment.switch_module.power_w if equipment.switch_module else 0.0
    kw = (equipment.switch_power_w + equipment.cages * module) / 1000
    return Wired(
        fabric,
        lambda stock, by_length: _media(plan, fabric.whole_cages, stock, by_length=by_length),
        _ports_per_cage(plan.site.fabric, equipment),
        {switch.id: SwitchBody(equipment.rack_units, kw)},
        plan.rack,
    )


def place_site(found: Sequence[Wired], choices: Choices) -> Placement:
    """Cabinets of all devices, on the floor."""
    bodies = {model: body for one in found for model, body in one.bodies.items()}
    grid = _grid(found[0].rack, choices)
    return place([one.fabric for one in found], grid, bodies)


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
        rack_depth_m=depth_m,
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
    stock: Mapping[str, tuple[float, ...]],
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
    if (planes := fabric.request.planes) > 1:  # no straight fibre: each cage meets several ports
        endpoint = tuple(
            one if one.attached else one._replace(name=f"{one.name} shuffle to {planes} planes")
            for one in endpoint
        )
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
    if planes == 1:  # as above: a cable with its ends attached does not split
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


def attached(row: Optic, stock: Mapping[str, tuple[float, ...]]) -> Medium:
    """A cable with its ends, for what has only that."""
    lengths = tuple(n for n in stock.get(row.kind, ()) if row.reach_min_m <= n <= row.reach_max_m)
    return Medium(row.id, row.kind, row.name, lengths, True, row, row)


def _fibre(
    lower: Optic | None,
    upper: Optic | None,
    stock: Mapping[str, tuple[float, ...]],
    equipment: FabricEquipment,
) -> tuple[Medium, ...]:
    """The usual modules, then those of the same cage that reach further."""
    if not equipment.cages:  # optics built into the switch
        lengths = tuple(n for n in stock.get(FIBRE, ()) if n <= _BUILT_IN_REACH_M)
        return (Medium(BUILT_IN, FIBRE, "MPO-12 single mode", lengths, False, lower, None),)
    if upper is None or lower is None:
        return ()
    if upper.kind in ATTACHED:  # an active optical cable is the usual "module" of its speed
        return (attached(upper, stock)._replace(a_module=lower),)
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
