"""How a rack is cooled, and where the heat of the site goes.

The rack's liquid fraction decides first, then kW per rack against the air thresholds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterplan.core.equipment import DensityThreshold

AIR = "air"
REAR_DOOR = "rear-door"
DIRECT_TO_CHIP = "direct-to-chip"
ALL_LIQUID = "all-liquid"
IMMERSION = "immersion"
ALL_LIQUID_FRACTION = 0.97
_STEP_2 = "clusterplan method, cooling step 2"


class DensityLimits(NamedTuple):
    """Rack power up to which air and rear doors are used, kW."""

    air_max_kw: float
    rear_door_max_kw: float


class Density(NamedTuple):
    """Cooling method of a rack, the threshold that decided, and what is left for the air."""

    density_class: str
    reason: str
    air_kw: float
    air_class: str  # how the air share itself is handled: air or rear-door
    beyond_air: bool  # the air share is above what a rear door takes


def density_limits(rows: Iterable[DensityThreshold]) -> DensityLimits:
    """The highest row of each air class. Raises KeyError where a class has no row."""
    most: dict[str, float] = {}
    for row in rows:
        most[row.density_class] = max(row.max_kw, most.get(row.density_class, 0.0))
    return DensityLimits(most[AIR], most[REAR_DOOR])


@formula(
    title="Heat of a rack to liquid",
    equation="rack_power_kw * liquid_fraction",
    unit="kW",
    source=_STEP_2,
)
def rack_liquid_kw(rack_power_kw: float, liquid_fraction: float) -> float:
    """Heat that one rack gives to the TCS; liquid_fraction is of its own power."""
    return rack_power_kw * liquid_fraction


@formula(
    title="Heat of a rack to room air",
    equation="rack_power_kw * (1 - liquid_fraction)",
    unit="kW",
    source=_STEP_2,
)
def rack_air_kw(rack_power_kw: float, liquid_fraction: float) -> float:
    """Heat that one rack leaves to the room."""
    return rack_power_kw * (1 - liquid_fraction)


@formula(
    title="Heat to liquid",
    equation="(racks * rack_power_kw * liquid_fraction + extra_liquid_kw) / 1000",
    unit="MW",
    source=_STEP_2,
)
def liquid_heat_mw(
    racks: float, rack_power_kw: float, liquid_fraction: float, extra_liquid_kw: float
) -> float:
    """Heat to the TCS of all racks; extra_liquid_kw is that of liquid-cooled switches."""
    return (racks * rack_power_kw * liquid_fraction + extra_liquid_kw) / 1000


@formula(
    title="Electrical losses in cooled rooms",
    equation="it_power_mw * (1 / busway_efficiency - 1)"
    " + (it_power_mw / busway_efficiency + ups_other_mw) * (1 / ups_efficiency - 1)",
    unit="MW",
    source=_STEP_2 + ": busway on all IT, UPS on what it carries",
)
def loss_heat_mw(
    it_power_mw: float,
    busway_efficiency: float,
    ups_efficiency: float,
    ups_other_mw: float = 0.0,
) -> float:
    """Busway and UPS loss that ends in room air; ups_efficiency is 1 where racks have no UPS.

    ups_other_mw: what else the UPS carries (CDU pumps).
    """
    busway = it_power_mw * (1 / busway_efficiency - 1)
    carried = it_power_mw / busway_efficiency + ups_other_mw
    return busway + carried * (1 / ups_efficiency - 1)


@formula(
    title="Heat to room air",
    equation="it_power_mw + loss_heat_mw - liquid_heat_mw",
    unit="MW",
    source="heat balance: liquid + air = IT + losses in cooled rooms",
)
def air_heat_mw(it_power_mw: float, loss_heat_mw: float, liquid_heat_mw: float) -> float:
    """Heat to room air: what IT and the losses give and liquid does not take."""
    return it_power_mw + loss_heat_mw - liquid_heat_mw


def density(
    liquid_fraction: float,
    rack_power_kw: float,
    limits: DensityLimits,
    method: str = "",
) -> Density:
    """Cooling method of a rack of rack_power_kw whose liquid_fraction goes to cold plates.

    method: the user's choice, '' to follow the rack. The reason names the threshold that decided.
    """
    air_kw = rack_air_kw(rack_power_kw, liquid_fraction)
    air_class = AIR if air_kw <= limits.air_max_kw else REAR_DOOR
    beyond_air = air_kw > limits.rear_door_max_kw
    density_class, reason = _class_of(liquid_fraction, rack_power_kw, limits)
    if method and method != density_class:
        reason = f"chosen; by the rack it would be {density_class} ({reason})"
        density_class = method
    elif liquid_fraction > 0 and air_class == REAR_DOOR:
        reason += (
            f"; its {air_kw:.0f} kW of air heat is above the {limits.air_max_kw:.0f} kW of air"
        )
    return Density(density_class, reason, air_kw, air_class, beyond_air)


def _class_of(
    liquid_fraction: float, rack_power_kw: float, limits: DensityLimits
) -> tuple[str, str]:
    share = f"{100 * liquid_fraction:.0f} % of its heat goes to liquid"
    least = f"{100 * ALL_LIQUID_FRACTION:.0f} %"
    if liquid_fraction >= ALL_LIQUID_FRACTION:
        return ALL_LIQUID, f"{share}, at least {least}"
    if liquid_fraction > 0:
        return DIRECT_TO_CHIP, f"{share}, less than {least}"
    power = f"air-cooled at {rack_power_kw:.1f} kW per rack"
    if rack_power_kw <= limits.air_max_kw:
        return AIR, f"{power}, at most {limits.air_max_kw:.0f} kW"
    if rack_power_kw <= limits.rear_door_max_kw:
        return REAR_DOOR, (
            f"{power}, above the {limits.air_max_kw:.0f} kW of air and at most"
            f" {limits.rear_door_max_kw:.0f} kW"
        )
    return REAR_DOOR, f"{power}, above even the {limits.rear_door_max_kw:.0f} kW of a rear door"
