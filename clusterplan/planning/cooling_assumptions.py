"""Which defaults of the cooling shaped the plan: only these stand in its assumptions.

A plant of chillers has no tower fans, and one without glycol no coil penalty. What is resolved for
every kind of plant before its kind is known is listed here, once the plan is made.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from clusterplan.core.record import recording
from clusterplan.planning.choices import Ledger
from clusterplan.sizing.heat_rejection import (
    ADIABATIC,
    AIR_CHILLER,
    CLOSED_KINDS,
    CLOSED_TOWER,
    DRY,
    HYBRID_TOWER,
    ONCE_THROUGH,
    TOWER_KINDS,
    WATER_CHILLER,
)
from clusterplan.sizing.plant import plumes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.planning.choices import Choices
    from clusterplan.planning.cooling_plan import CoolingDesign, CoolingQuick

_DESIGN_POINTS = (
    "warming_allowance",
    "humid_wet_bulb_allowance",
    "humid_dry_bulb_fraction",
    "cold_allowance",
)
_MACHINES = {
    DRY: ("dry_unit", "dry_fan_power"),
    ADIABATIC: ("dry_unit", "adiabatic_fan_power", "pad_efficiency", "pad_bleed", "pad_air_rise"),
    CLOSED_TOWER: ("closed_tower_approach", "closed_tower_fan_power", "closed_tower_spray_power"),
    HYBRID_TOWER: (
        *("closed_tower_approach", "closed_tower_fan_power", "closed_tower_spray_power"),
        *("dry_approach", "dry_fan_power"),
    ),
    ONCE_THROUGH: ("tower_hx_approach", "source_pump_power", "source_rise", "source_unit"),
}
_OPEN_TOWERS = ("tower_approach", "tower_hx_approach", "tower_fan_power", "tower_pump_power")
_TOWERS = (
    "tower_unit",
    "tower_ntu_coefficient",
    "tower_latent_fraction",
    "cycles_of_concentration",
    "drift",
)
_LOWEST_SUPPLIES = ("dry_approach", "pad_efficiency", "tower_approach", "tower_hx_approach")
_AIR_CHILLERS = ("air_chiller_unit", "air_chiller_carnot", "air_chiller_cop_max")
_WATER_CHILLERS = ("water_chiller_unit", "water_chiller_cop_max")


def silent(choices: Choices) -> Choices:
    """The same choices, whose defaults are not listed when they are read."""
    other = copy.copy(choices)
    other.ledger = Ledger()
    return other


def note_assumptions(design: CoolingDesign, quick: CoolingQuick) -> None:
    """List the defaults that shaped `quick`."""
    choices = design.choices
    for name in dict.fromkeys((*_of_air(design, quick), *_of_plant(quick), *_of_rooms(quick))):
        choices.get(f"cooling.{name}")
    if _air_chillers(quick):
        choices.ledger.assume(
            "cooling.air_chiller_altitude",
            1.5,
            "% per 1000 m",
            "capacity lost and power added by chillers; engineering practice, unverified",
        )
    if quick.loop is not None:
        cdu = next(row for row in design.rows.cdus if row.id == quick.loop.cdu)
        if cdu.electric_kw is None and cdu.electric_kw_per_l_per_min is None:
            choices.get("cooling.cdu_pump_power")
    if quick.water_peak_l_per_s > 0.0:
        choices.get("cooling.tower_storage")


def _of_air(design: CoolingDesign, quick: CoolingQuick) -> Iterator[str]:
    """Design points, and the plume classes that the pads fall into."""
    yield from _DESIGN_POINTS
    climate = design.plant.climate
    with recording():  # an aside
        plume = plumes(design.plant, quick.load, hung=quick.plant.hung)
    beside = plume.air_k if quick.plant.kind in TOWER_KINDS else 0.0
    dry = {plume.dry_k, beside} - {0.0}
    if climate.plume_dry_mid_k in dry:
        yield "plume_dry_mid"
    if climate.plume_dry_large_k in dry:
        yield "plume_dry_large"
    if plume.tower_k > 0.0:
        yield "plume_tower"
    penalty = design.plant.dry.coil_penalty_k
    if penalty > 0.0:
        numbers = {name: _number(design, name) for name in _PENALTIES}
        yield from _penalties(penalty, numbers)


_PENALTIES = ("coil_penalty_30", "coil_penalty_40", "coil_penalty_50")


def _number(design: CoolingDesign, name: str) -> float:
    return silent(design.choices).number(f"cooling.{name}")


def _penalties(penalty_k: float, numbers: dict[str, float]) -> Iterator[str]:
    """The marks between which the glycol's penalty lies."""
    below = 0.0
    for name, value in numbers.items():
        if penalty_k > below:
            yield name
        below = value


def _of_plant(quick: CoolingQuick) -> Iterator[str]:
    kind, trim = quick.plant.kind, quick.plant.trim_mw > 0.0
    if quick.plant.supplies is not None:
        yield from _LOWEST_SUPPLIES
    yield from _MACHINES.get(kind, ())
    if kind in TOWER_KINDS:
        yield from () if kind in CLOSED_KINDS else _OPEN_TOWERS
        yield from _TOWERS
    elif kind != ONCE_THROUGH:
        yield "dry_approach"
    if kind == WATER_CHILLER or (kind in (*TOWER_KINDS, ONCE_THROUGH) and trim):
        yield from _WATER_CHILLERS
    if _air_chillers(quick):
        yield from _AIR_CHILLERS
    if kind == AIR_CHILLER or not quick.plant.hung:
        yield "dry_approach"
        yield "free_cooling_fan_power"


def _air_chillers(quick: CoolingQuick) -> bool:
    kind = quick.plant.kind
    if kind == AIR_CHILLER or not quick.plant.hung:
        return True
    return kind in (DRY, ADIABATIC) and any(p.state.operation.cop for p in quick.plant.points)


def _of_rooms(quick: CoolingQuick) -> Iterator[str]:
    yield "air_water_supply"  # it decides whether the coils hang on the FWS
    if quick.air_heat_mw <= 0.0:
        return
    if quick.air_heat_mw > quick.load.door_heat_mw:
        yield "room_fan_power"
    yield from ("air_rise", "air_water_pump_power")
    if not quick.plant.hung or quick.loop is None:
        yield "air_water_return"
