"""One heat rejection plant of fixed equipment, and what it does in any air and at any load.

`FixedPlant` is bought once for its design load; `operate` gives power, trim and water per kW of
that design load, for a design point, a bin of the year or an hour alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import formula
from clusterplan.sizing.chillers import (
    air_chiller_power_factor,
    air_cooled_cop,
    water_cooled_cop,
)
from clusterplan.sizing.heat_rejection import (
    ADIABATIC,
    AIR_CHILLER,
    CLOSED_KINDS,
    HYBRID_TOWER,
    ONCE_THROUGH,
    TOWER_KINDS,
    dry_approach_k,
    dry_fan_kw_per_kw,
    dry_fan_ratio,
    fan_speed_ratio,
    pad_temp_c,
    rise_factor,
    supply_without_chillers_c,
    trim_share,
)
from clusterplan.sizing.psychrometrics import (
    AIR_KJ_PER_KG_K,
    air_density_ratio,
    mixing_ratio,
    station_pressure_kpa,
)
from clusterplan.sizing.towers import (
    tower_air_ratio,
    tower_fan_kw_per_kw,
    tower_liquid_to_gas,
    tower_water_out_c,
    tower_water_per_kw,
)

if TYPE_CHECKING:
    from clusterplan.sizing.plant_specs import ChillerSpec, DrySpec, TowerSpec
    from clusterplan.sizing.psychrometrics import MoistAir


class FixedPlant(NamedTuple):
    """A plant that is bought: its kind, set point and the figures its machines are sized with."""

    kind: str
    supply_c: float
    rise_k: float
    approach_k: float  # of the dry machine, or of the tower water to wet bulb
    exchanger_k: float  # between tower water and FWS
    design_liquid_to_gas: float  # towers: at design airflow
    tower_heat_per_kw: float  # towers: design heat per kW of FWS heat, trim condensers included
    elevation_m: float
    density_ratio: float
    pressure_kpa: float
    dry: DrySpec
    tower: TowerSpec
    chiller: ChillerSpec


class Operation(NamedTuple):
    """What a plant does, per kW of design heat (dimensionless where not said)."""

    available_c: float  # supply without chillers
    fan_ratio: float
    fan: float
    tower_pump: float
    trim_heat: float
    trim_power: float
    cop: float  # 0 where no chiller runs
    wet: bool
    water_l_per_s: float
    blowdown_l_per_s: float
    tower_heat: float
    rejected: float


@formula(
    title="Electric power of chillers per kW of design heat",
    equation="trim_heat / cop * altitude_factor",
    unit="",
    source="definition of the COP",
)
def chiller_kw_per_kw(trim_heat: float, cop: float, altitude_factor: float) -> float:
    """Compressor (and condenser fan) power of the chillers."""
    return trim_heat / cop * altitude_factor


@formula(
    title="Water of adiabatic pads per kW of design heat",
    equation="fan_ratio / (1.006 * air_rise_k) * max(pad_humidity_ratio - humidity_ratio, 0) "
    "* bleed",
    unit="L/s",
    source="clusterplan method, cooling step 17",
)
def pad_water_per_kw(
    fan_ratio: float,
    air_rise_k: float,
    pad_humidity_ratio: float,
    humidity_ratio: float,
    bleed: float,
) -> float:
    """Water of the pads, bleed included."""
    gained = max(pad_humidity_ratio - humidity_ratio, 0.0)
    return fan_ratio / (AIR_KJ_PER_KG_K * air_rise_k) * gained * bleed


def dry_machine_approach_k(dry: DrySpec, rise_k: float) -> float:
    """Approach of the dry machine at a water rise, glycol included."""
    return dry_approach_k(dry.approach_k, rise_factor(rise_k), rise_k, dry.coil_penalty_k)


def tower_approaches(kind: str, dry: DrySpec, tower: TowerSpec) -> tuple[float, float]:
    """Approach of the tower water to wet bulb, and of the FWS to the tower water.

    A closed tower's coil stands where an open one has its isolating exchanger.
    """
    if kind in CLOSED_KINDS:
        third = tower.closed_approach_k / 3.0
        return 2.0 * third, third + dry.coil_penalty_k
    return tower.approach_k, tower.exchanger_k


def fixed_plant(
    kind: str,
    temperatures: tuple[float, float],
    elevation_m: float,
    specs: tuple[DrySpec, TowerSpec, ChillerSpec],
    design_wet_bulb_c: float,
) -> FixedPlant:
    """Machines of `kind` for FWS (supply, return) in degC.

    Towers get the airflow that holds their approach at `design_wet_bulb_c`.
    """
    supply, rise = temperatures[0], temperatures[1] - temperatures[0]
    dry, tower, chiller = specs
    sigma, pressure = air_density_ratio(elevation_m), station_pressure_kpa(elevation_m)
    if kind not in TOWER_KINDS:
        once = kind == ONCE_THROUGH
        approach = tower.exchanger_k if once else dry_machine_approach_k(dry, rise)
        return FixedPlant(
            kind, supply, rise, approach, 0.0, 0.0, 0.0, elevation_m, sigma, pressure, *specs
        )
    approach, exchanger = tower_approaches(kind, dry, tower)
    water_out = design_wet_bulb_c + approach
    ratio = tower_liquid_to_gas(water_out, rise, design_wet_bulb_c, tower.ntu_coefficient, pressure)
    trim = trim_share(water_out + exchanger, supply, rise)
    heat = 1.0
    if trim > 0.0:
        heat += trim / water_cooled_cop(supply, water_out, chiller.water_cop_max)
    return FixedPlant(
        kind, supply, rise, approach, exchanger, ratio, heat, elevation_m, sigma, pressure, *specs
    )


def operate(
    plant: FixedPlant, air: MoistAir, load: float = 1.0, *, water: bool = True
) -> Operation:
    """The plant in `air` (at its machines) at `load`, the share of design heat.

    `water` False leaves the water balance of towers out, whose year goes by a mean.
    """
    if plant.kind == HYBRID_TOWER:
        return _operate_hybrid(plant, air, load, water=water)
    if plant.kind == ONCE_THROUGH:
        return _operate_once_through(plant, load)
    if plant.kind in TOWER_KINDS:
        return _operate_towers(plant, air, load, water=water)
    if plant.kind == AIR_CHILLER:
        return _operate_air_chillers(plant, air, load)
    return _operate_coolers(plant, air, load)


def _trim_power(plant: FixedPlant, trim_heat: float, cop: float) -> float:
    return chiller_kw_per_kw(trim_heat, cop, air_chiller_power_factor(plant.elevation_m))


def _operate_coolers(plant: FixedPlant, air: MoistAir, load: float) -> Operation:
    dry, itd = plant.dry, plant.approach_k + plant.rise_k
    fan_design = dry.adiabatic_fan if plant.kind == ADIABATIC else dry.dry_fan
    hot_water = plant.supply_c + plant.rise_k
    inlet, wet, water = air.dry_bulb_c, False, 0.0
    ratio = dry_fan_ratio(load, itd, hot_water - inlet)
    if ratio > 1.0 + 1e-9 and plant.kind == ADIABATIC:
        wet = True
        inlet = pad_temp_c(air.dry_bulb_c, air.wet_bulb_c, dry.pad_efficiency)
        ratio = dry_fan_ratio(load, itd, hot_water - inlet)
        water = pad_water_per_kw(
            min(ratio, 1.0),
            dry.air_rise_k,
            mixing_ratio(inlet, air.wet_bulb_c, plant.pressure_kpa),
            air.humidity_ratio_kg_per_kg,
            dry.pad_bleed,
        )
    available = supply_without_chillers_c(inlet, itd * load - plant.rise_k)
    trim_heat = trim_power = cop = 0.0
    if ratio > 1.0 + 1e-9:
        trim_heat = load * trim_share(available, plant.supply_c, plant.rise_k)
        cop = air_cooled_cop(
            plant.supply_c, air.dry_bulb_c, plant.chiller.air_carnot, plant.chiller.air_cop_max
        )
        trim_power = _trim_power(plant, trim_heat, cop)
    ratio = fan_speed_ratio(ratio)
    fan = dry_fan_kw_per_kw(fan_design, plant.density_ratio, ratio)
    blowdown = water * (1.0 - 1.0 / dry.pad_bleed)
    rejected = (load - trim_heat) + (trim_heat + trim_power)
    return Operation(
        available, ratio, fan, 0.0, trim_heat, trim_power, cop, wet, water, blowdown, 0.0, rejected
    )


def _operate_air_chillers(plant: FixedPlant, air: MoistAir, load: float) -> Operation:
    available = supply_without_chillers_c(air.dry_bulb_c, plant.approach_k)
    share = trim_share(available, plant.supply_c, plant.rise_k)
    trim_heat, trim_power, cop = load * share, 0.0, 0.0
    if share > 0.0:
        cop = air_cooled_cop(
            plant.supply_c, air.dry_bulb_c, plant.chiller.air_carnot, plant.chiller.air_cop_max
        )
        trim_power = _trim_power(plant, trim_heat, cop)
    fan = plant.chiller.free_fan * (load - trim_heat)
    rejected = (load - trim_heat) + (trim_heat + trim_power)
    return Operation(
        available, 0.0, fan, 0.0, trim_heat, trim_power, cop, False, 0.0, 0.0, 0.0, rejected
    )


def _operate_towers(plant: FixedPlant, air: MoistAir, load: float, *, water: bool) -> Operation:
    tower, pressure, rise = plant.tower, plant.pressure_kpa, plant.rise_k
    if load <= 0.0:
        return Operation(air.wet_bulb_c, *(0.0,) * 6, False, *(0.0,) * 4)
    # at full airflow; the tower is taken to carry its design share of trim condenser heat
    ratio = plant.design_liquid_to_gas * load
    water_out = tower_water_out_c(ratio, rise, air.wet_bulb_c, tower.ntu_coefficient, pressure)
    available = supply_without_chillers_c(water_out, plant.exchanger_k)
    share = trim_share(available, plant.supply_c, rise)
    share = 0.0 if share < 1e-7 else share  # rounding of the solver is no trim
    trim_heat, trim_power, cop, air_ratio = load * share, 0.0, 0.0, 1.0
    if share > 0.0:
        cop = water_cooled_cop(plant.supply_c, water_out, plant.chiller.water_cop_max)
        trim_power = chiller_kw_per_kw(trim_heat, cop, 1.0)
    else:
        ratio = tower_liquid_to_gas(
            plant.supply_c - plant.exchanger_k,
            rise,
            air.wet_bulb_c,
            tower.ntu_coefficient,
            pressure,
        )
        air_ratio = tower_air_ratio(
            load / plant.tower_heat_per_kw, plant.design_liquid_to_gas, ratio
        )
    heat = load + trim_power
    closed = plant.kind in CLOSED_KINDS
    speed = fan_speed_ratio(air_ratio)
    fan_design = tower.closed_fan if closed else tower.fan
    fan = tower_fan_kw_per_kw(plant.tower_heat_per_kw, fan_design, speed)
    pump = heat * (tower.closed_spray if closed else tower.pump)
    makeup, blowdown = _tower_water(plant, air, ratio, heat) if water else (0.0, 0.0)
    return Operation(
        available,
        speed,
        fan,
        pump,
        trim_heat,
        trim_power,
        cop,
        True,
        makeup,
        blowdown,
        heat,
        (load - trim_heat) + (trim_heat + trim_power),
    )


def _operate_hybrid(plant: FixedPlant, air: MoistAir, load: float, *, water: bool) -> Operation:
    """Dry coils take what the air allows, the wet coils behind them the rest.

    The wet part cools the same water flow by what is left of the rise.
    """
    rise, dry = plant.rise_k, plant.dry
    itd = dry_machine_approach_k(dry, rise) + rise
    hot_water = plant.supply_c + rise
    left = trim_share(air.dry_bulb_c + itd * load - rise, plant.supply_c, rise)
    if left <= 1e-9 or load <= 0.0:
        speed = fan_speed_ratio(dry_fan_ratio(load, itd, hot_water - air.dry_bulb_c))
        fan = dry_fan_kw_per_kw(dry.dry_fan, plant.density_ratio, speed)
        reached = supply_without_chillers_c(air.dry_bulb_c, itd * load - rise)
        return Operation(
            min(reached, plant.supply_c), speed, fan, *(0.0,) * 4, False, *(0.0,) * 3, load
        )
    wet = _operate_towers(plant._replace(rise_k=rise * left), air, load, water=water)
    # what the tower part gives per kW of its own water flow is for `left` of the heat
    trim = min(wet.trim_heat * left, load)
    trim_power = wet.trim_power * left
    # dry coils are staged off with what they no longer take; the spray runs in full
    dry_fan = dry_fan_kw_per_kw(dry.dry_fan, plant.density_ratio, 1.0) * (1.0 - left)
    return wet._replace(
        fan=wet.fan + dry_fan,
        trim_heat=trim,
        trim_power=trim_power,
        water_l_per_s=wet.water_l_per_s * left,
        blowdown_l_per_s=wet.blowdown_l_per_s * left,
        tower_heat=wet.tower_heat * left,
        rejected=load + trim_power,
    )


def _operate_once_through(plant: FixedPlant, load: float) -> Operation:
    """River or sea water at its warmest, whatever the air; nothing evaporates on the site."""
    tower = plant.tower
    available = supply_without_chillers_c(tower.source_c, plant.approach_k)
    share = trim_share(available, plant.supply_c, plant.rise_k)
    trim_heat, trim_power, cop = load * share, 0.0, 0.0
    if share > 0.0:
        cop = water_cooled_cop(plant.supply_c, tower.source_c, plant.chiller.water_cop_max)
        trim_power = chiller_kw_per_kw(trim_heat, cop, 1.0)
    pump = tower.source_pump * (load + trim_power)
    rejected = load + trim_power
    return Operation(
        available, 0.0, 0.0, pump, trim_heat, trim_power, cop, False, 0.0, 0.0, 0.0, rejected
    )


def _tower_water(
    plant: FixedPlant, air: MoistAir, liquid_to_gas: float, heat: float
) -> tuple[float, float]:
    """Make-up and blowdown in L/s of so much tower heat (kW per kW of design heat)."""
    per_kw = tower_water_per_kw(
        air.dry_bulb_c,
        air.humidity_ratio_kg_per_kg,
        plant.pressure_kpa,
        liquid_to_gas,
        plant.rise_k,
        plant.tower.cycles,
        plant.tower.drift,
    )
    return heat * per_kw.makeup_l_per_s, heat * per_kw.blowdown_l_per_s
