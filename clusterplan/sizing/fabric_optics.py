"""Modules and watts of a fabric: which module goes into a cage, how many, what a switch draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.fabric import METHOD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterplan.core.equipment import Optic, Switch

PLANNING_RACK_UNITS = 4.0  # where the catalogue has none
_SAME_SPEED = 1e-6
_ONE_PORT_CAGES = 128  # a 128 x 800G switch has one port of 200G lanes to a cage


class FabricEquipment(NamedTuple):
    """What one switch, its modules and the modules at the NICs draw and need.

    cages   pluggable cages of a switch; 0 where its optics are built in or its ports are copper
    copper  all links are copper cords without modules
    A module of None is unknown (no optic of that speed in the catalogue), built in or not needed.
    """

    switch_power_w: float
    rack_units: float
    liquid_cooled: bool
    cages: int
    copper: bool
    switch_module: Optic | None
    nic_module: Optic | None


@formula(
    title="Switch power, from its bandwidth",
    equation="20.0 * ports * gbps_per_port / 1000",
    unit="W",
    source="20 W per Tb/s of ports: between the typical 18.4 of an SN5600 and 29.2 of a QM9700",
)
def assumed_switch_power_w(ports: int, gbps_per_port: float) -> float:
    """Switch without modules where its maker prints no power: 20 W per Tb/s, one direction."""
    return 20.0 * ports * gbps_per_port / 1000


@formula(
    title="Switch power with its built-in optics",
    equation="switch_power_w + ports * optics_w_per_port",
    unit="W",
    source="co-packaged optics: 7 W engine and 2 W laser an 800G port, against 30 W pluggable",
)
def with_built_in_optics_w(switch_power_w: float, ports: int, optics_w_per_port: float) -> float:
    """A switch whose optics are not modules, where no power of the whole is published."""
    return switch_power_w + ports * optics_w_per_port


@formula(
    title="Speed of a cage",
    equation="ports * gbps_per_port / cages",
    unit="Gb/s",
    source=f"{METHOD} rule 8",
)
def cage_gbps(ports: int, gbps_per_port: float, cages: int) -> float:
    """Gb/s of the module that a cage takes."""
    return ports * gbps_per_port / cages


@formula(
    title="Modules in cages of one plane",
    equation="sum over switches of ceil(ports in use x cages / ports of the switch)",
    unit="modules",
    source=f"{METHOD} rule 8: links of installed nodes only, all uplinks",
    plain=False,
)
def modules_in_cages(ports_in_use: tuple[tuple[int, int], ...], cages: int, radix: int) -> int:
    """Modules at switches given as (switches, ports in use on each)."""
    return sum([switches * -(-ports * cages // radix) for switches, ports in ports_in_use])


_LANES = {"sr4": 4, "dr4": 4, "fr4": 4, "2xsr4": 8, "2xdr4": 8, "lpo": 8}


def lane_gbps(module: Optic) -> float | None:
    """Speed of one lane of a module, None for cables and what is built in."""
    lanes = _LANES.get(module.kind)
    if module.kind == "fr4" and module.twin:
        lanes = 8
    return module.speed_gbps / lanes if lanes else None


def lane_conflict(
    nic: Optic | None, switch: Optic | None, link_gbps: float, uplink_gbps: float
) -> str:
    """Why modules of these lanes cannot make the links, '' where they can or it is not known."""
    at_nic = lane_gbps(nic) if nic else None
    at_switch = lane_gbps(switch) if switch else None
    if nic and switch and at_nic and at_switch and at_nic != at_switch:
        return (
            f"{nic.id} at the NICs has lanes of {at_nic:g} Gb/s, {switch.id} at the switches of"
            f" {at_switch:g} Gb/s"
        )
    for module, lane, speed in (
        (nic, at_nic, link_gbps),
        (switch, at_switch, link_gbps),
        (switch, at_switch, uplink_gbps),
    ):
        if module and lane and speed % lane > _SAME_SPEED:
            return (
                f"a link of {speed:g} Gb/s is no whole number of {module.id}'s {lane:g} Gb/s lanes"
            )
    return ""


def pick_medium(
    media: Iterable[Optic], gbps: float, kinds: tuple[str, ...] = (), preferred: str = ""
) -> Optic | None:
    """The medium of exactly that speed, None where the catalogue has none: never the nearest.

    kinds: accepted kinds (`copper`, `dr4` ...), all when empty; preferred: an id that is taken
    where it fits. A 1 Gb/s management port so gets its copper cord, and no optic.
    """
    fitting = [
        row
        for row in media
        if abs(row.speed_gbps - gbps) <= _SAME_SPEED * gbps and (not kinds or row.kind in kinds)
    ]
    for row in fitting:
        if row.id == preferred:
            return row
    return fitting[0] if fitting and not preferred else None


def cage_module_id(switch: Switch, usual: dict[float, str], one_port: str) -> str:
    """The module usually put into a cage of `switch`, '' where none is known.

    usual: module id by cage speed in Gb/s; one_port: that of a 128 x 800G switch, whose cage
    holds one port of 200G lanes, not two of 100G lanes.
    """
    if not switch.cages or not switch.ports or not switch.gbps_per_port:
        return ""
    speed = cage_gbps(switch.ports, switch.gbps_per_port, switch.cages)
    single = switch.cages == switch.ports >= _ONE_PORT_CAGES
    if single and abs(speed - 800.0) <= _SAME_SPEED * speed:
        return one_port
    return usual.get(speed, "")
