"""Where racks, servers and switches stand, so that cables have a length.

A planning layout: cabinets stand in rows, the racks of a scalable unit side by side with the racks
of its leaf switches behind them, spines and cores in rows of their own in the middle. Rows are
stacked in columns so that the hall is about as wide as it is deep.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.frozen import frozen
from clusterplan.core.rack_place import RackPlace
from clusterplan.core.record import formula
from clusterplan.core.wired_fabric import HOST, LEAF, NODE, RACK_GEAR, SPINE, SWITCH_ROLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusterplan.core.wired_fabric import Device, WiredFabric

RACK_UNIT_M = 0.04445  # EIA-310: 1.75 in
_TRAY = "planning layout: cables rise to a tray above the row and run along rows and across them"


class SwitchBody(NamedTuple):
    """What a switch takes of a network rack: units of height, and kW with its modules."""

    rack_units: float
    power_kw: float


@frozen
class FloorGrid:
    """Geometry of the hall. m, U, kW.

    compute_width_m, servers_per_rack, compute_units: a compute rack, its servers and its height
    network_*: a network rack, what it holds in units and in kW
    row_positions_max: cabinets of a row; row_pitch_m: from one row to the next; rack_depth_m
    column_gap_m: aisle between two columns of rows
    """

    compute_width_m: float
    compute_units: int
    servers_per_rack: int
    network_width_m: float
    network_units: float
    network_kw: float
    row_positions_max: int
    row_pitch_m: float
    rack_depth_m: float
    tray_height_m: float
    slack_m: float
    column_gap_m: float = 3.0


@dataclass(frozen=True, eq=False, repr=False)
class Placement:
    """Cabinets, and where each device stands.

    rack_of, unit_of: by device name, number of the cabinet in `racks` and lowest rack unit.
    """

    grid: FloorGrid
    racks: tuple[RackPlace, ...]
    rack_of: Mapping[str, int]
    unit_of: Mapping[str, int]

    def coordinates(self, fabric: WiredFabric) -> tuple[list[int], list[float]]:
        """Cabinet and rise to the tray (m) of every device of a fabric, by number."""
        racks = [self.rack_of[device.name] for device in fabric.devices]
        rises = [
            tray_rise_m(self.unit_of[device.name], self.grid.tray_height_m)
            for device in fabric.devices
        ]
        return racks, rises


@formula(
    title="Rise to the tray",
    equation="tray_height_m - unit * 0.04445",
    unit="m",
    source=f"{_TRAY}; a rack unit is 1.75 in (EIA-310)",
)
def tray_rise_m(unit: int, tray_height_m: float) -> float:
    """From a device at a rack unit to the tray (m)."""
    return tray_height_m - unit * RACK_UNIT_M


@formula(
    title="Cable run between two cabinets",
    equation="rise_a_m + abs(dx_m) + abs(dy_m) + rise_z_m + slack_m",
    unit="m",
    source=_TRAY,
)
def cable_run_m(
    rise_a_m: float, rise_z_m: float, dx_m: float, dy_m: float, slack_m: float
) -> float:
    """Up to the tray, along and across rows, and down again, with slack (m)."""
    return rise_a_m + abs(dx_m) + abs(dy_m) + rise_z_m + slack_m


@formula(
    title="Cable run inside a cabinet",
    equation="abs(rise_a_m - rise_z_m) + slack_m",
    unit="m",
    source="difference of height and slack",
)
def cable_run_inside_m(rise_a_m: float, rise_z_m: float, slack_m: float) -> float:
    """Between two devices of one cabinet (m)."""
    return abs(rise_a_m - rise_z_m) + slack_m


@formula(
    title="Switches of a network rack",
    equation="max(1, min(floor(network_units / rack_units), floor(network_kw / power_kw + 1e-9)))",
    unit="switches",
    source="clusterplan method, floor step 1: by rack units or by power, whichever holds fewer",
)
def switches_per_rack(
    network_units: float, network_kw: float, rack_units: float, power_kw: float
) -> int:
    """How many switches of one kind a network rack holds (U, kW)."""
    return max(1, min(floor(network_units / rack_units), floor(network_kw / power_kw + 1e-9)))


class _Cabinet(NamedTuple):
    kind: str
    width_m: float
    devices: list[tuple[str, int]]  # (name, lowest unit)


def place(
    fabrics: Sequence[WiredFabric], grid: FloorGrid, bodies: Mapping[str, SwitchBody]
) -> Placement:
    """Put all devices of a site's fabrics into cabinets, and the cabinets onto the floor.

    fabrics: those of one site; a node of several is placed once. bodies: by switch model.
    """
    blocks = _compute_blocks(fabrics, grid)
    _add_rack_gear(blocks, fabrics, grid)
    _add_leaf_racks(blocks, fabrics, grid, bodies)
    middle = list(_switch_racks(_upper_switches(fabrics), grid, bodies))
    middle += _switch_racks(_hosts(fabrics), grid, bodies, kind="support")
    order = list(blocks.values())
    if middle:
        order.insert(len(order) // 2, middle)
    racks: list[RackPlace] = []
    rack_of: dict[str, int] = {}
    unit_of: dict[str, int] = {}
    for place_, cabinet in _on_floor(order, grid):
        for name, unit in cabinet.devices:
            rack_of[name] = len(racks)
            unit_of[name] = unit
        racks.append(place_)
    return Placement(grid, tuple(racks), rack_of, unit_of)


def _compute_blocks(
    fabrics: Sequence[WiredFabric], grid: FloorGrid
) -> dict[tuple[int, int], list[_Cabinet]]:
    """Compute racks by (cluster, scalable unit); a rack belongs to the unit of its first server."""
    blocks: dict[tuple[int, int], list[_Cabinet]] = {}
    seen: set[str] = set()
    pitch = max(1, grid.compute_units // grid.servers_per_rack)
    cabinet = _Cabinet("compute", grid.compute_width_m, [])
    for cluster, fabric in enumerate(fabrics):
        here = 0  # a cluster starts a new rack: clusters are cut at racks or scalable units
        for device in fabric.devices:
            if device.role != NODE or device.name in seen:
                continue
            seen.add(device.name)
            slot = here % grid.servers_per_rack
            if slot == 0:
                cabinet = _Cabinet("compute", grid.compute_width_m, [])
                blocks.setdefault((cluster, device.unit), []).append(cabinet)
            cabinet.devices.append((device.name, 1 + slot * pitch))
            here += 1
    return blocks


def _add_leaf_racks(
    blocks: dict[tuple[int, int], list[_Cabinet]],
    fabrics: Sequence[WiredFabric],
    grid: FloorGrid,
    bodies: Mapping[str, SwitchBody],
) -> None:
    """Network racks for the leaves of whole units, behind the middle one of those they serve."""
    home = {
        name: key for key, racks in blocks.items() for rack in racks for name, _ in rack.devices
    }
    behind: dict[tuple[int, int], list[_Cabinet]] = {}
    for fabric in fabrics:
        for served, racks in _leaf_racks(_leaves_by_block(fabric, home), grid, bodies):
            behind.setdefault(served[(len(served) - 1) // 2], []).extend(racks)
    for key, racks in behind.items():
        blocks[key] += racks


def _leaves_by_block(
    fabric: WiredFabric, home: Mapping[str, tuple[int, int]]
) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """Leaves (name, model) by the block of the first node of their unit, all planes together."""
    block_of: dict[int, tuple[int, int]] = {}
    for device in fabric.devices:
        if device.role == NODE:
            block_of.setdefault(device.unit, home[device.name])
    units = tuple(block_of)
    found: dict[tuple[int, int], list[tuple[str, str]]] = {}
    leaves = [device for device in fabric.devices if _has_home(device)]
    for leaf in sorted(leaves, key=lambda device: device.unit):  # stable: by plane within a unit
        key = block_of.get(leaf.unit) or block_of[min(units, key=lambda u: abs(u - leaf.unit))]
        found.setdefault(key, []).append((leaf.name, leaf.model))
    return found


def _leaf_racks(
    leaves: Mapping[tuple[int, int], Sequence[tuple[str, str]]],
    grid: FloorGrid,
    bodies: Mapping[str, SwitchBody],
) -> Iterator[tuple[list[tuple[int, int]], list[_Cabinet]]]:
    """Blocks that share network racks, and those racks: as many whole blocks as one rack holds."""
    served: list[tuple[int, int]] = []
    waiting: list[tuple[str, str]] = []
    for key, switches in leaves.items():
        model = switches[0][1]
        most = switches_per_rack(grid.network_units, grid.network_kw, *bodies[model])
        if waiting and len(waiting) + len(switches) > most:
            yield served, list(_switch_racks(waiting, grid, bodies))
            served, waiting = [], []
        served.append(key)
        waiting += switches
    if waiting:
        yield served, list(_switch_racks(waiting, grid, bodies))


def _add_rack_gear(
    blocks: Mapping[tuple[int, int], Sequence[_Cabinet]],
    fabrics: Sequence[WiredFabric],
    grid: FloorGrid,
) -> None:
    """Power, manager and leak controller: at the top of the compute racks, in their order."""
    cabinets = [cabinet for racks in blocks.values() for cabinet in racks]
    gear = [one.name for f in fabrics for one in f.devices if one.model == RACK_GEAR]
    for name, cabinet in zip(gear, cabinets, strict=False):
        cabinet.devices.append((name, grid.compute_units))


def _hosts(fabrics: Sequence[WiredFabric]) -> list[tuple[str, str]]:
    """Storage nodes and management servers, each once: (name, model)."""
    switches = {one.name for f in fabrics for one in f.devices if one.role in SWITCH_ROLES}
    found = {
        one.name: one.model
        for fabric in fabrics
        for one in fabric.devices
        if one.role == HOST and one.model != RACK_GEAR and one.name not in switches
    }
    return list(found.items())


def _upper_switches(fabrics: Sequence[WiredFabric]) -> list[tuple[str, str]]:
    """Spines, cores and fabric managers of all fabrics: (name, model)."""
    return [
        (device.name, device.model)
        for fabric in fabrics
        for device in fabric.devices
        if device.role not in (NODE, HOST) and not _has_home(device)
    ]


def _has_home(device: Device) -> bool:
    """Whether a switch stands with a unit: leaves, and the spines of a dragonfly+ group."""
    return device.role == LEAF or (device.role == SPINE and device.unit > 0)


# units and kW of what is no switch: judgement, to place it
_OTHER_BODIES = {
    "fabric-manager": SwitchBody(1.0, 1.0),
    "management-server": SwitchBody(2.0, 1.0),
    "storage-node": SwitchBody(2.0, 1.0),
}


def _switch_racks(
    switches: Sequence[tuple[str, str]],
    grid: FloorGrid,
    bodies: Mapping[str, SwitchBody],
    kind: str = "network",
) -> Iterator[_Cabinet]:
    """Cabinets filled in order from the bottom; one kind of switch to a cabinet."""
    bodies = {**_OTHER_BODIES, **bodies}
    cabinet, of_model, most, step = None, "", 0, 1
    for name, model in switches:
        body = bodies[model]
        if cabinet is None or model != of_model or len(cabinet.devices) == most:
            if cabinet is not None:
                yield cabinet
            cabinet, of_model = _Cabinet(kind, grid.network_width_m, []), model
            most = switches_per_rack(grid.network_units, grid.network_kw, *body)
            step = max(1, round(body.rack_units))
        cabinet.devices.append((name, 1 + len(cabinet.devices) * step))
    if cabinet is not None:
        yield cabinet


def _on_floor(
    blocks: Sequence[Sequence[_Cabinet]], grid: FloorGrid
) -> Iterator[tuple[RackPlace, _Cabinet]]:
    """Cabinets in rows: a block that fits a row is not split; rows in columns, about square."""
    rows: list[list[_Cabinet]] = [[]]
    for block in blocks:
        room = grid.row_positions_max - len(rows[-1])
        if room < len(block) <= grid.row_positions_max:
            rows.append([])
        for cabinet in block:
            if len(rows[-1]) == grid.row_positions_max:
                rows.append([])
            rows[-1].append(cabinet)
    width = max(sum(cabinet.width_m for cabinet in row) for row in rows)
    column_m = width + grid.column_gap_m
    per_column = max(1, round(sqrt(len(rows) * column_m / grid.row_pitch_m)))
    digits, columns = len(str(len(rows))), len(str(grid.row_positions_max))
    for number, row in enumerate(rows):
        column, deep = divmod(number, per_column)
        if column % 2:  # the next column comes back, so that neighbours stay neighbours
            deep = per_column - 1 - deep
        x = column * column_m
        for position, cabinet in enumerate(row):
            name = f"R{number + 1:0{digits}d}-{position + 1:0{columns}d}"
            middle = round(x + cabinet.width_m / 2, 3)
            y = round(deep * grid.row_pitch_m, 3)
            place_ = RackPlace(
                name, cabinet.kind, number + 1, position + 1, middle, y, cabinet.width_m
            )
            yield place_, cabinet
            x += cabinet.width_m
