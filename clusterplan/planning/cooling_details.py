"""Parts of the cooling section that follow from the plan: loops, room air, inertia, reuse."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from clusterplan import catalog
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import given
from clusterplan.core.results.cooling_details import AirSide, HeatReuse, LoopDetail, RideThrough
from clusterplan.planning.cooling_plan import loop_design
from clusterplan.sizing import heat_reuse as reuse
from clusterplan.sizing import loop_content as content
from clusterplan.sizing import ride_through as ride
from clusterplan.sizing import room_units as rooms
from clusterplan.sizing.coolants import (
    coolant_density_kg_per_m3,
    coolant_viscosity_mpa_s,
    recorded_rho_c,
)
from clusterplan.sizing.pipes import Fluid, PipeChoice, choose_pipe
from clusterplan.sizing.psychrometrics import air_density_ratio, station_pressure_kpa
from clusterplan.sizing.water import ride_through_m3

if TYPE_CHECKING:
    from clusterplan.core.equipment import Coolant, CoolantQuality
    from clusterplan.planning.cooling_plan import CoolingDesign, CoolingQuick
    from clusterplan.sizing.liquid_loop import LiquidDesign, LiquidLoop

_METHOD = "clusterplan method, cooling"


def loop_detail(design: CoolingDesign, quick: CoolingQuick) -> LoopDetail | None:
    """What stands in the loops; None where no heat goes to liquid.

    Raises InputError where the relief pressure is not above the fill pressure.
    """
    loop, liquid = quick.loop, loop_design(design, quick.plant.kind)
    if loop is None or liquid is None:
        return None
    number, integer = design.choices.number, design.choices.integer
    branch, main = _tcs_pipes(liquid, loop)
    length = number("cooling.fws_main_length")
    mains = mains_content_m3(liquid, loop, length)
    held = content.tcs_content_m3(number("cooling.tcs_content"), loop.liquid_heat_mw)
    tcs = _expansion(design, liquid.tcs_coolant, held, loop.tcs_return_temp_c)
    fws = _expansion(design, liquid.fws.coolant, mains, loop.fws_return_temp_c)
    percent = loop.fws_coolant.removeprefix("pg")
    duty = integer("cooling.fws_pumps_duty")
    blocks = loop.fws_main_blocks
    pumps = content.fws_pumps(blocks, duty, integer("cooling.fws_pumps_spare"))
    given("cooling.loops.fws_head_kpa", liquid.fws.head_kpa, "kPa", "design.cooling.fws_pump_head")
    return LoopDetail(
        rack_pipe_dn=branch.dn,
        tcs_main_dn=main.dn,
        tcs_main_pairs=main.parallel,
        tcs_main_velocity_m_per_s=main.velocity_m_per_s,
        tcs_main_friction_pa_per_m=main.friction_pa_per_m,
        tcs_content_m3=held,
        tcs_expansion_m3=tcs[0],
        tcs_vessel_m3=tcs[1],
        fws_mains_content_m3=mains,
        fws_expansion_m3=fws[0],
        fws_vessel_m3=fws[1],
        fws_glycol_m3=content.glycol_m3(mains, float(percent) if percent.isdigit() else 0.0),
        fws_pumps=pumps.installed_pumps,
        fws_pumps_redundant=pumps.spare_pumps,
        fws_pump_each_kw=content.fws_pump_each_kw(loop.fws_pump_kw, blocks, duty),
        fws_head_kpa=liquid.fws.head_kpa,
        fws_mains_drop_kpa=content.fws_mains_drop_kpa(
            length, loop.fws_main_friction_pa_per_m, number("cooling.fws_fittings")
        ),
        quality=_quality(loop.tcs_coolant),
    )


def mains_content_m3(liquid: LiquidDesign, loop: LiquidLoop, length_m: float) -> float:
    """Content of the FWS mains of all plant blocks."""
    diameter = next(p.inner_diameter_mm for p in liquid.pipes if p.dn == loop.fws_main_dn)
    return content.fws_mains_content_m3(
        loop.fws_main_blocks, loop.fws_main_pairs, length_m, diameter
    )


def _tcs_pipes(liquid: LiquidDesign, loop: LiquidLoop) -> tuple[PipeChoice, PipeChoice]:
    """Branch of a rack, and main of a group (of the last one where no group is full)."""
    group = loop.full_group if loop.full_groups or loop.last_group is None else loop.last_group
    mean = (loop.tcs_supply_temp_c + loop.tcs_return_temp_c) / 2
    coolant = liquid.tcs_coolant
    fluid = Fluid(
        coolant_density_kg_per_m3(mean, coolant.density_poly),
        coolant_viscosity_mpa_s(mean, coolant.ln_viscosity_poly),
    )
    limits = (liquid.pipe_roughness_mm, liquid.pipe_friction_max_pa_per_m)
    branch = choose_pipe(loop.rack_flow_l_per_min, liquid.pipes, fluid, *limits)
    main = choose_pipe(group.flow_l_per_min, liquid.pipes, fluid, *limits)
    words = "smallest size within the limits of velocity and friction"
    for name, value in (
        ("rack_pipe_dn", branch.dn),
        ("tcs_main_dn", main.dn),
        ("tcs_main_pairs", main.parallel),
    ):
        given(f"cooling.loops.{name}", value, "", f"{_METHOD} step 6: {words}")
    return branch, main


def _expansion(
    design: CoolingDesign, coolant: Coolant, held_m3: float, hot_c: float
) -> tuple[float, float]:
    """Expansion and vessel volume of a loop."""
    number = design.choices.number
    fill, relief = number("cooling.fill_pressure"), number("cooling.relief_pressure")
    if relief <= fill:
        raise InputError(
            Problem(
                f"a relief pressure of {relief:g} kPa leaves no room above the fill pressure of"
                f" {fill:g} kPa",
                path="design.cooling.relief_pressure",
                hint=f"give more than {fill:g} kPa, or fill at less",
            )
        )
    cold = coolant_density_kg_per_m3(number("cooling.fill_temperature"), coolant.density_poly)
    hot = coolant_density_kg_per_m3(hot_c, coolant.density_poly)
    expansion = content.loop_expansion_m3(held_m3, cold, hot)
    air = station_pressure_kpa(design.plant.climate.elevation_m)
    return expansion, content.expansion_vessel_m3(expansion, fill, relief, air)


def _quality(tcs_coolant: str) -> tuple[str, ...]:
    """Limits that hold for this coolant, one sentence each."""
    kinds = (f"tcs-{tcs_coolant}", "tcs", "fws", "leak")
    return tuple(_limit(row) for row in catalog.coolant_quality() if row.loop in kinds)


def _limit(row: CoolantQuality) -> str:
    loop = {"fws": "FWS", "leak": "Leaks"}.get(row.loop, "TCS")
    unit = f" {row.quantity_unit}" if row.quantity_unit else ""
    if row.low is not None and row.high is not None:
        words = f"{row.low:g} to {row.high:g}{unit}"
    elif row.low is not None:
        words = f"at least {row.low:g}{unit}"
    else:
        words = f"at most {row.high:g}{unit}"
    flag = "" if row.verified == "true" else f" ({row.verified})"
    flag = " (not verified)" if row.verified == "false" else flag
    return f"{loop}, {row.name}: {words}{flag}"


def air_side(design: CoolingDesign, quick: CoolingQuick, racks: float) -> AirSide:
    """Fan walls and doors for the air heat, and the hours of free cooling."""
    door_mw, choices = quick.load.door_heat_mw, design.choices
    doors = math.ceil(racks - 1e-9) if door_mw > 0.0 and design.has_racks else 0
    given("cooling.air_side.rear_doors", doors, "", "one active door a rack, where racks have them")
    wall = rooms.wall_heat_mw(quick.air_heat_mw, door_mw)
    sigma = air_density_ratio(design.plant.climate.elevation_m)
    unit_kw, spare = 500.0, 6
    if wall > 0.0:
        unit_kw = 1000.0 * choices.number("cooling.fan_wall_unit")
        spare = choices.integer("cooling.fan_walls_per_spare")
    units = rooms.fan_walls(max(wall, 0.0), unit_kw, sigma, spare)
    values: dict[str, Any] = _economiser(design, quick)
    return AirSide(
        rear_doors=doors,
        rear_door_kw=rooms.rear_door_kw(door_mw, doors) if doors else None,
        wall_heat_mw=wall,
        fan_walls=units.installed_walls,
        fan_walls_redundant=units.spare_walls,
        **values,
    )


def _economiser(design: CoolingDesign, quick: CoolingQuick) -> dict[str, Any]:
    """Hours of the room-air chillers; on the FWS loop those of its plant."""
    plant = quick.plant
    machine = plant.specific.air_plant
    words = "room-air chillers with dry free cooling"
    if machine is None:
        machine, words = plant.specific.plant, f"the coils hang on the FWS: {plant.kind}"
    air = design.plant.hours
    bins = () if air is not None else design.bins(plant.kind)
    if bins is None:
        return {
            "free_hours_h": None,
            "partial_hours_h": None,
            "chiller_hours_h": None,
            "economiser": f"{words}; no hours: the climate has no annual means",
        }
    year = rooms.OutdoorYear(bins, air)
    hours = rooms.economiser_hours(
        machine.supply_c, machine.rise_k, machine.approach_k, machine, year
    )
    return {
        "free_hours_h": hours.free_h,
        "partial_hours_h": hours.partial_h,
        "chiller_hours_h": hours.chiller_h,
        "economiser": words,
    }


def ride_through(
    design: CoolingDesign, quick: CoolingQuick, loops: LoopDetail | None
) -> RideThrough | None:
    """Inertia against starts; None where no heat goes to liquid."""
    loop, liquid = quick.loop, loop_design(design, quick.plant.kind)
    if loop is None or liquid is None or loops is None:
        return None
    choices, number = design.choices, design.choices.number
    start, ramp = number("cooling.generator_start"), number("cooling.pump_ramp")
    restart = number("cooling.chiller_restart") if quick.plant.trim_mw > 0.0 else 0.0
    time_s = ride.ride_through_time_s(start, ramp, restart)
    words = "generator start and pump ramp" + (", quick chiller restart" if restart else "")
    for path in ("cooling.ride_through_s", "cooling.ride_through.start_time_s"):
        given(path, time_s, "s", f"{_METHOD} step 18: {words}", "false")
    on_ups = choices.flag("cooling.fws_pumps_on_ups")
    gap = ride.fws_gap_s(on_ups, start, ramp)
    rise = number("cooling.ride_through_rise")
    mean = (loop.tcs_supply_temp_c + loop.tcs_return_temp_c) / 2
    warming = ride.tcs_warming_k_per_s(
        loop.liquid_heat_mw, loops.tcs_content_m3, recorded_rho_c(liquid.tcs_coolant, mean)
    )
    allowed = ride.tcs_allowed_rise_k(liquid.supply.rack_max_c, loop.tcs_supply_temp_c, rise)
    holds = ride.tcs_holds_s(allowed, warming)
    fws_mean = (loop.fws_supply_temp_c + loop.fws_return_temp_c) / 2
    volume = ride_through_m3(
        quick.plant.heat_rejection_mw, time_s, recorded_rho_c(liquid.fws.coolant, fws_mean), rise
    )
    usable = ride.usable_content_m3(loops.fws_mains_content_m3)
    buffer = ride.buffer_m3(volume, usable)
    return RideThrough(
        start_time_s=time_s,
        fws_gap_s=gap,
        tcs_warming_k_per_s=warming,
        tcs_allowed_rise_k=allowed,
        tcs_holds_s=holds,
        volume_m3=volume,
        usable_content_m3=usable,
        buffer_m3=buffer,
        ups_pump_mw=quick.load.fws_pump_mw,
        verdict=_holds(choices.text("ups"), gap, holds, buffer),
    )


def _holds(ups: str, gap_s: float, holds_s: float, buffer_m3: float) -> str:
    if ups == "none":
        return "without a UPS the CDU pumps stop too: racks throttle within seconds"
    if gap_s > holds_s:
        return (
            f"the TCS holds {holds_s:.0f} s of the {gap_s:.0f} s without FWS flow: racks throttle"
            " unless the FWS pumps run on the UPS or the TCS holds more coolant"
        )
    pumps = "the FWS pumps never stop" if gap_s == 0.0 else "the TCS bridges the gap"
    if buffer_m3 > 0.0:
        return f"{pumps}; a tank of {buffer_m3:.0f} m³ bridges the start of the plant"
    return f"{pumps}, and the mains hold the cold water that the start of the plant takes"


def heat_reuse(
    design: CoolingDesign,
    quick: CoolingQuick,
    typical: tuple[float, float],
    pue_annual: float | None,
) -> HeatReuse | None:
    """Heat to give away; None without liquid heat. typical: FWS heat and IT in MW."""
    loop = quick.loop
    if loop is None:
        return None
    number = design.choices.number
    heat, it_mw = typical
    exchanger, demand = number("cooling.reuse_exchanger"), number("cooling.reuse_demand")
    given("cooling.heat_reuse.reuse_heat_mw", heat, "MW", "FWS heat at typical power, pumps too")
    given("cooling.heat_reuse.demand_temp_c", demand, "°C", "design.cooling.reuse_demand", "false")
    offered = reuse.reuse_supply_temp_c(loop.fws_return_temp_c, exchanger)
    cop = power = delivered = None
    verdict = f"{offered:.0f} °C is warm enough for the network as it is"
    if offered < demand:
        cop = reuse.heat_pump_cop(number("cooling.heat_pump_carnot"), demand, offered)
        power = reuse.heat_pump_mw(heat, cop) if cop > 1.0 else None
        delivered = reuse.delivered_heat_mw(heat, power) if power is not None else None
        verdict = f"a heat pump lifts {offered:.0f} to {demand:.0f} °C"
    return HeatReuse(
        reuse_heat_mw=heat,
        reuse_supply_temp_c=offered,
        reuse_return_temp_c=reuse.reuse_return_temp_c(loop.fws_supply_temp_c, exchanger),
        reuse_energy_gwh=reuse.reuse_energy_gwh(heat),
        energy_reuse_factor=reuse.energy_reuse_factor(heat, pue_annual, it_mw)
        if pue_annual
        else None,
        demand_temp_c=demand,
        heat_pump_cop=cop,
        heat_pump_mw=power,
        delivered_heat_mw=delivered,
        verdict=verdict,
    )
