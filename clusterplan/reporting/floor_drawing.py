"""The cabinets of a plan from above, as SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from clusterplan.core.rack_place import RackPlace

_COLOURS = {"compute": "#4c78a8", "network": "#e45756", "support": "#b8a13a"}
_SCALE = 20.0  # pixels a metre
_MARGIN, _LABEL = 1.0, 2.0  # m around, and for the names of rows


def write_floor_plan(
    racks: Sequence[RackPlace],
    contents: Mapping[str, Sequence[str]],
    out: TextIO,
    *,
    depth_m: float,
    title: str,
) -> None:
    """Draw the cabinets; contents: names of the devices in each, shown when pointed at."""
    width = max(rack.x_m + rack.width_m / 2 for rack in racks) + 2 * _MARGIN + _LABEL
    height = max(rack.y_m for rack in racks) + depth_m + 3 * _MARGIN + _LABEL
    out.write(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * _SCALE:.0f}'
        f' {height * _SCALE:.0f}" width="{width * _SCALE:.0f}" height="{height * _SCALE:.0f}"'
        ' font-family="sans-serif" font-size="11">\n'
        f"<title>{escape(title)}</title>\n"
        '<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<text x="{_MARGIN * _SCALE:.0f}" y="{_MARGIN * _SCALE:.0f}" font-size="14">'
        f"{escape(title)}</text>\n"
    )
    _legend(racks, out)
    top = 2 * _MARGIN + _LABEL / 2
    for rack in racks:
        left = (rack.x_m - rack.width_m / 2 + _MARGIN + _LABEL) * _SCALE
        y = (rack.y_m + top) * _SCALE
        inside = contents.get(rack.name, ())
        shown = ", ".join(inside[:6]) + (f" and {len(inside) - 6} more" if len(inside) > 6 else "")
        if rack.position == 1:
            middle = y + depth_m * _SCALE / 2
            out.write(
                f'<text x="{left - 6:.1f}" y="{middle:.1f}" text-anchor="end"'
                f' dominant-baseline="middle">{escape(rack.name.partition("-")[0])}</text>\n'
            )
        out.write(
            f'<rect x="{left:.1f}" y="{y:.1f}" width="{rack.width_m * _SCALE - 1:.1f}"'
            f' height="{depth_m * _SCALE:.1f}" fill="{_COLOURS[rack.kind]}">'
            f"<title>{escape(f'{rack.name}: {shown}')}</title></rect>\n"
        )
    out.write("</svg>\n")


def _legend(racks: Sequence[RackPlace], out: TextIO) -> None:
    """What the colours mean, with counts."""
    x = _MARGIN * _SCALE
    for kind, colour in _COLOURS.items():
        count = sum(rack.kind == kind for rack in racks)
        if not count:
            continue
        y = (_MARGIN + 0.5) * _SCALE
        out.write(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="10" height="10" fill="{colour}"/>'
            f'<text x="{x + 14:.0f}" y="{y + 9:.0f}">{count:,} {kind}</text>\n'
        )
        x += 110
