"""The cooling plant of a site at its design points: choice, powers, trim, water, PUE.

`PlantDesign` is resolved once; `evaluate_plant` is what the solve for racks calls (about 0.05 ms).
What depends only on climate, choices, plume and FWS temperatures is kept per design; while a
calculation record runs nothing is taken from there, so every step is in the record.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.record import active_recorder
from clusterplan.sizing import design_points as points
from clusterplan.sizing import heat_rejection as rejection
from clusterplan.sizing import pue as energy
from clusterplan.sizing.air_plant import air_plant_mw, air_pump_mw, heat_rejection_mw, room_fan_mw
from clusterplan.sizing.heat_rejection import (
    ADIABATIC,
    AIR_CHILLER,
    HYBRID_TOWER,
    TOWER_KINDS,
)
from clusterplan.sizing.machines import (
    dry_machine_approach_k,
    fixed_plant,
    operate,
)
from clusterplan.sizing.plant_specs import AirSpec, ChillerSpec, DrySpec, TowerSpec
from clusterplan.sizing.psychrometrics import air_density_ratio
from clusterplan.sizing.water import blowdown_peak_l_per_s, water_peak_l_per_s

if TYPE_CHECKING:
    from clusterplan.sizing.heat_rejection import Choice, LowestSupplies
    from clusterplan.sizing.hourly_operation import HourlyLoad
    from clusterplan.sizing.machines import FixedPlant, Operation
    from clusterplan.sizing.moist_air_hours import HourlyAir
    from clusterplan.sizing.psychrometrics import MoistAir

POINTS = ("hot", "humid", "switch-over")
HIGHEST_HOUR = "highest hour"


@dataclass(frozen=True, kw_only=True, eq=False)
class PlantDesign:
    """Choices, climate and efficiencies of a cooling plant; nothing that depends on its size.

    dry_glycol is the dry machine with the penalty of the FWS glycol; open towers stay on water.
    kind is '' for the automatic choice. hours are those of a weather file, warming included.
    """

    climate: points.ClimateDesign
    chain: energy.Chain
    dry: DrySpec = DrySpec()
    tower: TowerSpec = TowerSpec()
    chiller: ChillerSpec = ChillerSpec()
    air: AirSpec = AirSpec()
    kind: str = ""
    water_available: bool = True
    pads: int = 1
    house: float = 0.005
    units_per_spare: int = 10
    hours: HourlyAir | None = None
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)


class PlantLoad(NamedTuple):
    """What the plant has to serve. Powers in MW, temperatures in degC; heats at design.

    fws_heat_mw is liquid heat and CDU pump heat; air_heat_mw holds loss_heat_mw; door_heat_mw is
    the part of the air heat that rear doors take. Without liquid the first four are 0 and the FWS
    temperatures are None.
    """

    it_mw: float
    liquid_heat_mw: float
    fws_heat_mw: float
    cdu_pump_mw: float
    fws_pump_mw: float
    fws_supply_c: float | None
    fws_return_c: float | None
    air_heat_mw: float
    loss_heat_mw: float
    door_heat_mw: float = 0.0


class PointState(NamedTuple):
    """One design point: air at the machines, what the machines do per kW, room-air plant."""

    name: str
    air: MoistAir
    operation: Operation
    air_plant_air: MoistAir | None
    air_operation: Operation | None


class SpecificPlant(NamedTuple):
    """A plant per kW, for one kind, one set of temperatures and one plume."""

    plant: FixedPlant
    air_plant: FixedPlant | None
    states: tuple[PointState, ...]
    hours: HourlyLoad | None = None


class PointPower(NamedTuple):
    """Powers in MW and PUE at one design point."""

    state: PointState
    trim_heat_mw: float
    rejection_fan_mw: float
    tower_pump_mw: float
    trim_power_mw: float
    air_power_mw: float
    pue: float


class PlantResult(NamedTuple):
    """A plant at its design points."""

    kind: str
    choice: Choice | None
    supplies: LowestSupplies | None
    specific: SpecificPlant
    plume_dry_k: float
    plume_tower_k: float
    hung: bool  # room-air coils on the FWS loop
    heat_rejection_mw: float
    air_plant_mw: float
    room_fan_mw: float
    air_pump_mw: float
    house_load_mw: float
    trim_mw: float
    points: tuple[PointPower, ...]
    peak: PointPower
    pue_peak: float
    water_peak_l_per_s: float
    blowdown_peak_l_per_s: float


class Plumes(NamedTuple):
    """Plume of dry machines that take all heat, of towers, of the air plant beside towers."""

    dry_k: float
    tower_k: float
    air_k: float


def plumes(design: PlantDesign, load: PlantLoad, *, hung: bool) -> Plumes:
    """Plume by the MW of one pad: IT and loss heat; beside towers the air heat alone."""
    climate, pads = design.climate, design.pads
    mid, large = climate.plume_dry_mid_k, climate.plume_dry_large_k
    site = (load.it_mw + load.loss_heat_mw) / pads
    air = load.air_heat_mw / pads
    liquid = load.liquid_heat_mw / pads + (air if hung else 0.0)
    return Plumes(
        points.plume_dry_k(site, mid, large),
        points.plume_tower_k(liquid, climate.plume_tower_k),
        points.plume_dry_k(air, mid, large),
    )


def lowest_supplies(
    design: PlantDesign, rise_k: float, plume_dry_k: float, plume_tower_k: float
) -> LowestSupplies:
    """Lowest FWS supply in degC of dry coolers, adiabatic coolers and open towers."""
    air = points.design_air(design.climate, plume_dry_k)
    damp = points.design_air(design.climate, 0.0, plume_tower_k)
    approach = dry_machine_approach_k(design.dry, rise_k)
    pads = tuple(
        rejection.pad_temp_c(state.dry_bulb_c, state.wet_bulb_c, design.dry.pad_efficiency)
        for state in air
    )
    tower = design.tower
    return rejection.LowestSupplies(
        rejection.dry_lowest_supply_c(max(state.dry_bulb_c for state in air), approach),
        rejection.adiabatic_lowest_supply_c(pads[0], pads[1], approach),
        rejection.tower_lowest_supply_c(
            max(state.wet_bulb_c for state in damp), tower.approach_k, tower.exchanger_k
        ),
    )


def specific_plant(
    design: PlantDesign, kind: str, temperatures: tuple[float, float], plume: Plumes, *, hung: bool
) -> SpecificPlant:
    """The plant per kW at each design point."""
    climate, specs = design.climate, (design.dry, design.tower, design.chiller)
    towers = kind in TOWER_KINDS
    dry_k, tower_k = (0.0, plume.tower_k) if towers else (plume.dry_k, 0.0)
    main_air = points.design_air(climate, dry_k, tower_k)
    wettest = max(main_air.hot.wet_bulb_c, main_air.humid.wet_bulb_c)
    plant = fixed_plant(kind, temperatures, climate.elevation_m, specs, wettest)
    air_plant, room_air = None, None
    if not hung:
        room_air = points.design_air(climate, plume.air_k if towers else plume.dry_k)
        air_plant = fixed_plant(
            AIR_CHILLER,
            (design.air.water_supply_c, design.air.water_return_c),
            climate.elevation_m,
            (design.dry._replace(coil_penalty_k=0.0), design.tower, design.chiller),
            wettest,
        )
    states = [
        _state(name, plant, main_air[index], air_plant, room_air[index] if room_air else None)
        for index, name in enumerate(POINTS[:2])
    ]
    approach = plant.approach_k
    if kind == HYBRID_TOWER:
        approach = dry_machine_approach_k(design.dry, plant.rise_k)
    switch = points.switch_over_dry_bulb_c(plant.supply_c, approach)
    coldest = points.cold_dry_bulb_c(climate.heating_99p6_c, climate.cold_allowance_k)
    if kind in (ADIABATIC, HYBRID_TOWER) and coldest < switch < main_air.hot.dry_bulb_c:
        air = points.switch_over_air(climate, switch)
        states.append(_state(POINTS[2], plant, air, air_plant, air if air_plant else None))
    hours = None
    if design.hours is not None:
        from clusterplan.sizing.hourly_operation import (
            hourly_load,
        )  # with NumPy: only for such a year

        hours = hourly_load(plant, air_plant, design.hours)
    return SpecificPlant(plant, air_plant, tuple(states), hours)


def _highest_hour(
    specific: SpecificPlant, hours: HourlyLoad, heat_mw: float, air_mw: float
) -> PointState:
    """The hour of the year in which this plant at full load draws most, as a design point."""
    state, pressure = hours.air_of(hours.highest(heat_mw, air_mw))
    air = points.air_at_machines(*state, 0.0, 0.0, pressure)
    plant = specific.plant._replace(pressure_kpa=pressure)
    room = specific.air_plant
    return _state(HIGHEST_HOUR, plant, air, room, air if room else None)


def _state(
    name: str,
    plant: FixedPlant,
    air: MoistAir,
    air_plant: FixedPlant | None,
    room_air: MoistAir | None,
) -> PointState:
    room = operate(air_plant, room_air) if air_plant and room_air else None
    return PointState(name, air, operate(plant, air), room_air, room)


def _keep(design: PlantDesign, key: Any, make: Any) -> Any:
    if active_recorder() is not None:
        return make()
    if key not in design.kept:
        design.kept[key] = make()
    return design.kept[key]


def choose_kind(
    design: PlantDesign, load: PlantLoad, *, plume: Plumes, temperatures: tuple[float, float]
) -> tuple[str, Choice | None, LowestSupplies | None]:
    """Kind of heat rejection, the automatic choice and the lowest supplies by type."""
    if load.fws_supply_c is None:  # room air alone
        return design.kind or AIR_CHILLER, None, None
    supply, rise = temperatures[0], temperatures[1] - temperatures[0]
    supplies = lowest_supplies(design, rise, plume.dry_k, plume.tower_k)
    choice = rejection.choose_heat_rejection(supplies, supply, rise, design.water_available)
    return design.kind or choice.kind, choice, supplies


def is_hung(design: PlantDesign, load: PlantLoad) -> bool:
    """Whether the room-air coils hang on the FWS loop (20 degC or colder), or are all there is."""
    return load.fws_supply_c is None or load.fws_supply_c <= design.air.water_supply_c


def kind_at(design: PlantDesign, load: PlantLoad) -> str:
    """The kind of plant for a load, as `evaluate_plant` gives it."""
    return _at_conditions(design, load)[0].kind


class _Conditions(NamedTuple):
    """What temperatures and plume decide."""

    kind: str
    choice: Choice | None
    supplies: LowestSupplies | None
    specific: SpecificPlant


def _at_conditions(design: PlantDesign, load: PlantLoad) -> tuple[_Conditions, Plumes, bool]:
    hung = is_hung(design, load)
    if load.fws_supply_c is None or load.fws_return_c is None:
        temperatures = (design.air.water_supply_c, design.air.water_return_c)
    else:
        temperatures = (load.fws_supply_c, load.fws_return_c)
    plume = plumes(design, load, hung=hung)
    key = (temperatures, plume, hung, load.fws_supply_c is None)

    def make() -> _Conditions:
        kind, choice, supplies = choose_kind(design, load, plume=plume, temperatures=temperatures)
        specific = specific_plant(design, kind, temperatures, plume, hung=hung)
        return _Conditions(kind, choice, supplies, specific)

    found: _Conditions = _keep(design, key, make)
    return found, plume, hung


def evaluate_plant(design: PlantDesign, load: PlantLoad) -> PlantResult:
    """The plant at its design points. it_mw must be above 0, the return above the supply."""
    (kind, choice, supplies, specific), plume, hung = _at_conditions(design, load)
    towers = kind in TOWER_KINDS
    air = design.air
    sigma = air_density_ratio(design.climate.elevation_m)
    fans = room_fan_mw(load.air_heat_mw, load.door_heat_mw, air.fan, air.door_fan, sigma)
    pumps = air_pump_mw(air.pump, load.air_heat_mw)
    air_heat = air_plant_mw(load.air_heat_mw, fans, pumps)
    heat = heat_rejection_mw(load.fws_heat_mw, load.fws_pump_mw, air_heat if hung else 0.0)
    house = energy.house_load_mw(load.it_mw, design.house)
    states = specific.states
    if specific.hours is not None:
        states = (*states, _highest_hour(specific, specific.hours, heat, air_heat))
    rows = tuple(
        _point_power(design, load, state, heat, (fans, pumps, air_heat, house)) for state in states
    )
    peaks = _peaks(specific, load, rows, heat)
    return PlantResult(
        kind,
        choice,
        supplies,
        specific,
        0.0 if towers else plume.dry_k,
        plume.tower_k if towers else 0.0,
        hung,
        heat,
        air_heat,
        fans,
        pumps,
        house,
        peaks.trim_mw,
        rows,
        max(rows, key=lambda row: row.pue),
        peaks.pue,
        peaks.water_l_per_s,
        peaks.blowdown_l_per_s,
    )


class _Peaks(NamedTuple):
    trim_mw: float
    pue: float
    water_l_per_s: float
    blowdown_l_per_s: float


def _peaks(
    specific: SpecificPlant, load: PlantLoad, rows: tuple[PointPower, ...], heat_mw: float
) -> _Peaks:
    """The most over the design points, and over the hours of a year where there are any."""
    hours, count = specific.hours, len(specific.states)
    pues = [row.pue for row in rows[:count]] + [0.0]
    pue = energy.pue_peak(pues[0], pues[1], pues[2])
    operations = [row.state.operation for row in rows]
    trim = max(row.trim_heat_mw for row in rows)
    water = max(item.water_l_per_s for item in operations)
    blowdown = max(item.blowdown_l_per_s for item in operations)
    if hours is not None:
        pue = energy.pue_peak_of_year(pue, rows[-1].pue)
        water = max(water, hours.water_most_l_per_s)
        blowdown = max(blowdown, hours.blowdown_most_l_per_s)
        if load.fws_supply_c is not None and heat_mw * hours.trim_most > trim:
            trim = energy.trim_heat_mw(heat_mw, hours.trim_most)
    return _Peaks(
        trim,
        pue,
        water_peak_l_per_s(heat_mw, water),
        blowdown_peak_l_per_s(heat_mw, blowdown),
    )


def _point_power(
    design: PlantDesign,
    load: PlantLoad,
    state: PointState,
    heat_mw: float,
    room: tuple[float, float, float, float],
) -> PointPower:
    operation, machine, chain = state.operation, state.air_operation, design.chain
    fans, pumps, air_heat, house = room
    chiller, free = (machine.trim_power, machine.fan) if machine else (0.0, 0.0)
    if load.fws_supply_c is None:
        # no FWS loop: the plant is that of the room air
        chiller, free = operation.trim_power, operation.fan + operation.tower_pump
        heat_mw = 0.0
    fan = energy.rejection_fan_mw(heat_mw, operation.fan)
    tower_pump = energy.tower_pump_mw(heat_mw, operation.tower_pump)
    trim_heat = energy.trim_heat_mw(heat_mw, operation.trim_heat)
    trim = energy.trim_power_mw(heat_mw, operation.trim_power)
    air_power = energy.air_power_mw(fans, pumps, air_heat, chiller, free)
    ratio = energy.design_point_pue(
        load.it_mw,
        load.cdu_pump_mw,
        load.fws_pump_mw,
        fan,
        tower_pump,
        trim,
        air_power,
        house,
        chain.it,
        chain.mechanical,
        chain.mechanical_on_ups,
    )
    return PointPower(state, trim_heat, fan, tower_pump, trim, air_power, ratio)
