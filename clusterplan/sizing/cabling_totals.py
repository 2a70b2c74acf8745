"""Sums over the cabling of a site's fabrics."""

from __future__ import annotations

from math import ceil

from clusterplan.core.record import formula

_ORDER = "the cable schedule, counted"


@formula(title="Links", equation="sum(links)", unit="links", source=_ORDER)
def total_links(links: tuple[int, ...]) -> int:
    """Links of all tiers and fabrics: rows of the schedule."""
    return sum(links)


@formula(title="Cables", equation="sum(cables)", unit="cables", source=f"{_ORDER}: by cable id")
def total_cables(cables: tuple[int, ...]) -> int:
    """Cable assemblies of all tiers and fabrics."""
    return sum(cables)


@formula(
    title="Cable in stock lengths",
    equation="sum(lengths_m) / 1000",
    unit="km",
    source=f"{_ORDER}: cables x length in stock",
)
def cable_length_km(lengths_m: tuple[float, ...]) -> float:
    """Length of all cables (m by line of the bill) in km."""
    return sum(lengths_m) / 1000


@formula(title="Longest run", equation="max(runs_m)", unit="m", source=_ORDER)
def longest_run_m(runs_m: tuple[float, ...]) -> float:
    """Longest run of any tier (m)."""
    return max(runs_m)


@formula(
    title="Optics power, as cabled",
    equation="sum(power_w) / 1000",
    unit="kW",
    source="module power per end, maker's data sheet",
)
def cabled_optics_kw(power_w: tuple[float, ...]) -> float:
    """Modules and cable ends (W by line) in kW."""
    return sum(power_w) / 1000


@formula(
    title="Optics of the fullest network rack",
    equation="max(rack_w) / 1000",
    unit="kW",
    source="module power per end, maker's data sheet",
)
def rack_optics_max_kw(rack_w: tuple[float, ...]) -> float:
    """Highest sum of module power in one network rack (W by rack) in kW."""
    return max(rack_w) / 1000


@formula(
    title="Spares",
    equation="ceil(quantity * share - 1e-9)",
    unit="",
    source="design.fabric.spares",
)
def spares(quantity: int, share: float) -> int:
    """Spare parts of one item, rounded up."""
    return ceil(quantity * share - 1e-9)


@formula(title="With spares", equation="quantity + spares", unit="", source=_ORDER)
def with_spares(quantity: int, spares: int) -> int:
    """What to order of one item."""
    return quantity + spares


@formula(title="Links added", equation="links - links_before", unit="links", source=_ORDER)
def links_added(links: int, links_before: int) -> int:
    """Links that a stage adds."""
    return links - links_before
