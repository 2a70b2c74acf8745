"""A sweep over the supply temperature as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.reporting.line_panels import Chart, Panel, Series, line_panels

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.results.cooling_options import SupplyPoint, SupplySweep


def supply_sweep_plot(sweep: SupplySweep, title: str) -> str:
    """PUE, water, chillers, pumps and what the facility power hosts, as SVG text."""
    points = sweep.points

    def series(label: str, value: Callable[[SupplyPoint], float | None]) -> Series:
        return Series(label, tuple(value(point) for point in points))

    hosted = Panel("Accelerators hosted", (series("", lambda p: p.accelerators_hosted),))
    if all(point.accelerators_hosted is None for point in points):
        hosted = Panel("IT hosted (MW)", (series("", lambda p: p.it_hosted_mw),))
    panels = (
        Panel(
            "PUE",
            (series("peak", lambda p: p.pue_peak), series("annual", lambda p: p.pue_annual)),
        ),
        Panel("Water (L/kWh of IT)", (series("", lambda p: p.wue_l_per_kwh),)),
        Panel("Heat on chillers, most (MW)", (series("", lambda p: p.trim_mw),)),
        Panel("Pumps (MW)", (series("", lambda p: p.pump_mw),)),
        hosted,
    )
    shown = tuple(
        panel for panel in panels if any(v is not None for s in panel.series for v in s.values)
    )
    return line_panels(
        Chart(
            title=title,
            x_label="TCS supply (°C)",
            x=tuple(point.tcs_supply_temp_c for point in points),
            panels=shown,
            bands=_bands(points),
            mark=(sweep.reference_supply_c, "the plan"),
        )
    )


def _bands(points: tuple[SupplyPoint, ...]) -> tuple[tuple[float, float, str], ...]:
    """Stretches of one type of heat rejection, split half-way between two points."""
    bands: list[tuple[float, float, str]] = []
    start = points[0].tcs_supply_temp_c
    for place, point in enumerate(points):
        last = place + 1 == len(points)
        name = point.heat_rejection or "not planned"
        after = None if last else points[place + 1].heat_rejection or "not planned"
        if name != after:
            end = point.tcs_supply_temp_c
            end = end if last else (end + points[place + 1].tcs_supply_temp_c) / 2.0
            bands.append((start, end, name))
            start = end
    return tuple(bands)
