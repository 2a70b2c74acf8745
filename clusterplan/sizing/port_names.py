"""Labels of ports: those of the switch's maker where the catalogue has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusterplan.core.equipment import Switch
    from clusterplan.sizing.fabric import FabricDesign

_USUAL = {"infiniband": ("P{n}", "P{n}/{lane1}")}
_ETHERNET = ("swp{n}", "swp{n}s{lane}")


def switch_port_names(
    switch: Switch, ports: int, *, first_native: int = 1, pattern: str = ""
) -> tuple[str, ...]:
    """Labels of `ports` ports at one speed, from native port `first_native` on.

    pattern: instead of the maker's. Its fields: {n} native port from 1, {n0} from 0, {cage} and
    {twin} from 1, {cage0} and {twin0} from 0, {lane} of a split port from 0, {lane1} from 1.
    """
    native = switch.ports or ports
    lanes = max(1, -(-ports // native))
    whole, split = _USUAL.get(switch.kind, _ETHERNET)
    whole, split = switch.port_name or whole, switch.split_port_name or split
    pattern = pattern or (split if lanes > 1 else whole)
    twins = max(1, native // (switch.cages or native))
    names = []
    for number in range(ports):
        index, lane = divmod(number, lanes)
        index += first_native - 1
        cage, twin = divmod(index, twins)
        names.append(
            pattern.format(
                n=index + 1,
                n0=index,
                cage=cage + 1,
                cage0=cage,
                twin=twin + 1,
                twin0=twin,
                lane=lane,
                lane1=lane + 1,
            )
        )
    return tuple(names)


def leaf_port_names(switch: Switch, design: FabricDesign, *, uplinks: bool) -> tuple[str, ...]:
    """Labels of a leaf's ports: nodes first, uplinks last, each side split its own way."""
    if design.radix == design.spine_radix or not uplinks:
        return switch_port_names(switch, design.radix)
    native = switch.ports or design.leaf_ports
    lanes_up = max(1, design.spine_radix // native)
    own_up = -(-design.leaf_uplinks // lanes_up)
    ups = switch_port_names(switch, design.spine_radix)[(native - own_up) * lanes_up :]
    room = design.leaf_ports - design.leaf_uplinks
    return switch_port_names(switch, design.radix)[:room] + ups[: design.leaf_uplinks]


def node_port_names(kind: str, nic_ports: int, split: int, word: str = "") -> tuple[str, ...]:
    """Labels of a node's ports: every NIC port, and the links that it is split into.

    word: instead of the device names of the compute fabric's ports.
    """
    if word:
        return tuple(f"{word}{n}" for n in range(nic_ports * split))
    if kind == "infiniband":  # a split port shows as a device each
        return tuple(f"mlx5_{n}" for n in range(nic_ports * split))
    if split == 1:
        return tuple(f"nic{n}" for n in range(nic_ports))
    return tuple(f"nic{n}p{part}" for n in range(nic_ports) for part in range(split))
