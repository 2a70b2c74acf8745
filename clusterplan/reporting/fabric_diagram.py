"""A fabric as a small picture of text, at most 80 cells wide."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusterplan.core.results.fabric import FabricSection
    from clusterplan.core.results.torus import TorusSection

_ROW = "{name:<7}{picture:<14}{text}"
_SWITCHES, _ONE, _NODES = "○ ○ ○ … ○", "    ○", "□ □ □ … □"
_MESH, _DOWN = "╲╳╳╳╳╳╳╳╱", "│ │ │   │"
_NBSP = "\N{NO-BREAK SPACE}"  # where a text that is too long is not cut
_TEXT_AT, _WIDTH = 21, 78  # of a row, without its margin
_COUNTED = "all planes"


def fabric_diagram(section: FabricSection) -> str:
    """Tiers from the top down, with the links between them."""
    if section.topology == "dragonfly-plus":
        lines = _dragonfly(section)
    elif section.tiers == 1:
        lines = [_switch_row(section, "switch", section.leaf_switches, None)]
    else:
        lines = _clos(section)
    lines += [_link_row(_DOWN, section.endpoint_links, section.link_gbps, _node_side(section))]
    ports = section.rails * max(1, section.endpoint_cables // (section.servers * section.rails))
    text = f"{section.servers:,} servers x {ports} NIC ports, {section.accelerators:,} accelerators"
    lines.append(_ROW.format(name="node", picture=_NODES, text=text))
    rows = wrap(_head(section), _WIDTH) + [part for line in lines for part in _fitted(line)]
    return "\n".join("  " + row.rstrip() for row in rows).replace(_NBSP, " ")


def _fitted(line: str) -> list[str]:
    """A row, its text going on below where it is too long."""
    first, *rest = wrap(line[_TEXT_AT:], _WIDTH - _TEXT_AT)
    return [line[:_TEXT_AT] + first, *(" " * _TEXT_AT + part for part in rest)]


def _head(section: FabricSection) -> str:
    parts = []
    if section.clusters > 1:
        parts.append(f"{section.clusters} clusters that share no link")
    if section.topology == "rail-only":
        parts.append(f"{section.rails} rails, each a network of its own")
    if section.planes > 1:
        parts.append(f"{section.planes} planes alike")
    return f"{', '.join(parts)}; figures are of all together" if parts else ""


def _clos(section: FabricSection) -> list[str]:
    lines = []
    if section.core_switches:
        lines.append(_switch_row(section, "core", section.core_switches, section.radix))
        lines.append(_link_row(_MESH, section.spine_core_links, section.uplink_gbps))
    lines.append(_switch_row(section, "spine", section.spine_switches, section.radix))
    lines.append(_link_row(_MESH, section.leaf_spine_links, section.uplink_gbps, _pair(section)))
    lines.append(_switch_row(section, "leaf", section.leaf_switches, None, _split(section)))
    return lines


def _dragonfly(section: FabricSection) -> list[str]:
    groups, between = section.groups or 1, section.global_links or 0
    text = f"{groups} groups, {between:,} links between them, all to all"
    lines = [_ROW.format(name="", picture="╭──┬──┬…─╮", text=text)] if between else []
    lines.append(_switch_row(section, "spine", section.spine_switches, section.radix))
    lines.append(_link_row(_MESH, section.leaf_spine_links, section.uplink_gbps))
    lines.append(_switch_row(section, "leaf", section.leaf_switches, None, _split(section)))
    return lines


def _switch_row(
    section: FabricSection, name: str, count: int, ports: int | None, more: str = ""
) -> str:
    text = f"{count:,} x {section.switch}"
    if more:
        text += f", {more}"
    elif ports:
        text += f", {ports} ports"
    return _ROW.format(name=name, picture=_SWITCHES if count > 1 else _ONE, text=text)


def _link_row(picture: str, links: int, gbps: float, more: str = "") -> str:
    text = f"{links:,} links of {gbps:g} Gb/s"
    return _ROW.format(name="", picture=picture, text=f"{text}, {more}" if more else text)


def _split(section: FabricSection) -> str:
    up, ratio = section.leaf_uplinks or 0, section.oversubscription_leaf
    # those of a full stripe, which the ratio is for: it may leave ports of the leaf unused
    down = round(ratio * up * section.uplink_gbps / section.link_gbps)
    words = "1:1" if ratio == 1.0 else f"{ratio:.3g}:1"
    return f"{down} ports down, {up} up ({words}{_NBSP}wired)"


def _pair(section: FabricSection) -> str:
    if section.tiers != 2 or section.topology != "two-tier-clos" or section.clusters > 1:
        return ""
    pairs = section.leaf_switches * section.spine_switches // section.planes
    each = section.leaf_spine_links / pairs
    return f"{each:g} a pair" if each == round(each) else ""


def _node_side(section: FabricSection) -> str:
    if section.leaf_mode != "rail":
        return "leaves filled port by port"
    if section.rails > 1 and section.tiers > 1:
        return "rail i to leaf i"
    return ""


def torus_diagram(section: TorusSection) -> str:
    """Accelerators on a grid."""
    hops = section.worst_link_hops
    sides = [int(side) for side in section.sides.split("x")]
    ring = "each side a ring" if min(sides) > 2 else "a side above 2 is a ring"
    rows = (
        ("╭─□─□─□─…─□─╮", f"{section.sides} accelerators, {ring}"),
        ("  │ │ │   │", f"{section.links:,} links of {section.link_gbps:g} Gb/s a direction"),
        ("╰─□─□─□─…─□─╯", f"{hops} links between any two at most"),
    )
    return "\n".join(f"  {picture:<16}{text}" for picture, text in rows)
