"""Cooling of a site: from choices, rack and climate to the plant, its powers and its water.

`cooling_design` resolves everything that does not depend on the count of racks; `cooling_quick` is
what the solve for racks calls; `cooling_section` (in `cooling_figures`) makes the recorded result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import active_recorder
from clusterplan.planning import cooling_choices, cooling_hours, liquid_plan
from clusterplan.planning.cooling_assumptions import silent
from clusterplan.sizing import density as dens
from clusterplan.sizing.air_plant import air_plant_mw, air_pump_mw, room_fan_mw
from clusterplan.sizing.cooling_year import (
    CoolingYear,
    YearLoad,
    band_of,
    cooling_year,
    year_of,
    year_water_m3,
)
from clusterplan.sizing.heat_rejection import COIL_KINDS, ONCE_THROUGH, TOWER_KINDS, WET_KINDS
from clusterplan.sizing.liquid_loop import (
    LiquidLoop,
    cdu_pump_kw_at,
    fws_pump_kw_at,
    size_liquid_loop,
)
from clusterplan.sizing.plant import (
    PlantDesign,
    PlantLoad,
    PlantResult,
    evaluate_plant,
    is_hung,
    kind_at,
    plumes,
)
from clusterplan.sizing.psychrometrics import (
    air_density_ratio,
)
from clusterplan.sizing.pue import Chain, cdu_pump_mw, fws_pump_mw, house_load_mw

if TYPE_CHECKING:
    from clusterplan.core.equipment import Climate, Coolant
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.rack_choice import RackChoice
    from clusterplan.planning.weather_plan import SiteWeather
    from clusterplan.sizing.climate_bins import Bin
    from clusterplan.sizing.liquid_loop import LiquidDesign
    from clusterplan.sizing.plant_specs import AirSpec, ChillerSpec, DrySpec, TowerSpec

_WARM_BIN_K = 0.2
_TOWER_BIN_K = 1.0


class CoolingSite(NamedTuple):
    """Where the plant stands. The climate's design values are used at the site's elevation.

    weather: the hours of a weather file, in place of the year in bins.
    """

    climate: Climate
    elevation_m: float
    water_available: bool = True
    weather: SiteWeather | None = None


class ItLoad(NamedTuple):
    """IT power in MW by part, on one basis. `racks` may be a fraction for a part-filled rack.

    network_liquid_mw is the part of the network on liquid-cooled switches; other_mw is storage and
    management.
    """

    racks: float
    compute_mw: float
    network_air_mw: float = 0.0
    network_liquid_mw: float = 0.0
    other_mw: float = 0.0

    @property
    def total_mw(self) -> float:
        """All IT."""
        return self.compute_mw + self.network_air_mw + self.network_liquid_mw + self.other_mw


class CoolingQuick(NamedTuple):
    """What the solve for racks needs."""

    pue_peak: float
    water_peak_l_per_s: float
    liquid_heat_mw: float
    air_heat_mw: float
    loss_heat_mw: float
    loop: LiquidLoop | None
    load: PlantLoad
    plant: PlantResult


@dataclass(frozen=True, kw_only=True, eq=False)
class CoolingDesign:
    """Everything about cooling that does not depend on the count of racks.

    coil_loop is the liquid design with the FWS fluid of outdoor coils, water_loop on water; both
    None where no heat goes to liquid. bins is None where the climate has no annual means.
    """

    choices: Choices
    rows: liquid_plan.LiquidRows
    climate: Climate
    density: dens.Density
    plant: PlantDesign
    coil_loop: LiquidDesign | None
    water_loop: LiquidDesign | None
    water: Coolant
    has_racks: bool
    door_fraction: float
    storage_h: float
    weather: SiteWeather | None = None
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    def bins(self, kind: str, air_kind: str = "") -> tuple[Bin, ...] | None:
        """The year of the climate, made when first asked for.

        air_kind: plant of the room air; where both plants are dry nothing asks for the wet bulb.
        """
        width = _warm_width_k(kind)
        wet = kind in WET_KINDS or not air_kind or air_kind in WET_KINDS
        key = (width, wet, id(active_recorder()))  # once a record, so that its steps are in it
        if key not in self.kept:
            # many sites share a climate; a record needs the steps of its own
            make = _bins_of if active_recorder() is None else cooling_choices.year_bins
            self.kept[key] = make(self.plant.climate, width, wet=wet)
        bins: tuple[Bin, ...] | None = self.kept[key]
        return bins


_bins_of = lru_cache(maxsize=512)(cooling_choices.year_bins)


def liquid_rows() -> liquid_plan.LiquidRows:
    """The catalogue rows of the liquid loops."""
    return liquid_plan.LiquidRows(
        catalog.cdus(), catalog.coolants(), catalog.pipes(), catalog.glycol_protection()
    )


def cooling_design(
    choices: Choices,
    rack: RackChoice | None,
    site: CoolingSite,
    chain: Chain,
    liquid_fraction: float | None = None,
    su_racks: int | None = None,
) -> CoolingDesign:
    """Resolve the cooling of a site.

    rack None plans heat without racks, of which `liquid_fraction` goes to liquid. chain.busway and
    chain.ups are the efficiencies whose losses are heat in cooled rooms (1: none). Raises
    InputError for choices that cannot work.
    """
    climate = site.climate
    kind = choices.text("heat_rejection")
    if kind in WET_KINDS and not site.water_available:
        raise InputError(
            Problem(
                f"{kind} needs water, and the site has none (water source: none)",
                path="design.heat_rejection",
                hint="choose dry-cooler or air-cooled-chiller",
            )
        )
    if kind == ONCE_THROUGH:
        _check_source(choices, site)
    rows = liquid_rows()
    density, fraction = choices.once(
        ("density", rack, liquid_fraction), lambda own: _density(own, rack, liquid_fraction)
    )
    coil_loop = water_loop = None
    if fraction > 0.0:
        coil_loop, water_loop = choices.once(
            ("loops", rack, fraction, su_racks, climate.heating_99p6_c),
            lambda own: _loops(own, rack, rows, climate, (fraction, su_racks)),
        )
        # climates that ask for the same fluid share the loops
        fluids = (coil_loop.fws.coolant_id, water_loop.fws.coolant_id)
        pair = (coil_loop, water_loop)
        coil_loop, water_loop = choices.once(
            ("fluids", rack, fraction, su_racks, fluids), lambda _: pair
        )
    quiet = silent(choices)  # what the plan turns out to need is listed by `note_assumptions`
    at_sea = quiet.once(
        ("climate", climate), lambda own: cooling_choices.climate_design(own, climate, 0.0)
    )
    dry, tower, chiller, air = quiet.once(
        ("machines", coil_loop), lambda own: _machines(own, coil_loop)
    )
    plant = PlantDesign(
        climate=at_sea._replace(elevation_m=site.elevation_m),
        chain=chain,
        dry=dry,
        tower=tower,
        chiller=chiller,
        air=air,
        kind=kind,
        water_available=site.water_available,
        pads=choices.integer("cooling.pads"),
        house=choices.number("power.house_load"),
        units_per_spare=choices.integer("cooling.units_per_spare"),
        hours=None if site.weather is None else cooling_hours.warmed(quiet, site.weather),
    )
    doors = density.density_class == dens.REAR_DOOR or (
        fraction > 0.0 and density.air_class == dens.REAR_DOOR
    )
    if doors:
        choices.ledger.assume(
            "cooling.rear_door_fan_power",
            cooling_choices.REAR_DOOR_FAN,
            "",
            "most that the OCP door heat exchanger workstream allows",
            verified="true",
        )
    return CoolingDesign(
        choices=choices,
        rows=rows,
        climate=climate,
        density=density,
        plant=plant,
        coil_loop=coil_loop,
        water_loop=water_loop,
        water=next(row for row in rows.coolants if row.id == "water"),
        has_racks=rack is not None,
        door_fraction=(1.0 - fraction) if doors else 0.0,
        storage_h=quiet.number("cooling.tower_storage"),
        weather=site.weather,
    )


def _machines(
    quiet: Choices, coil_loop: LiquidDesign | None
) -> tuple[DrySpec, TowerSpec, ChillerSpec, AirSpec]:
    return (
        cooling_choices.dry_spec(quiet, coil_loop),
        cooling_choices.tower_spec(quiet),
        cooling_choices.chiller_spec(quiet),
        cooling_choices.air_spec(quiet),
    )


def _check_source(choices: Choices, site: CoolingSite) -> None:
    """Refuse once-through cooling without water, or without the temperature of the water."""
    if not site.water_available:
        raise InputError(
            Problem(
                "once-through needs a river, a lake or the sea, and the site has no water (water"
                " source: none)",
                path="design.heat_rejection",
                hint="choose dry-cooler or air-cooled-chiller",
            )
        )
    if cooling_choices.source_water_c(choices) is None:
        raise InputError(
            Problem(
                "once-through needs the temperature of the water that it takes",
                path="design.cooling.source_water",
                hint="give the warmest of the year, such as 24 degC",
            )
        )


def _density(
    choices: Choices, rack: RackChoice | None, liquid_fraction: float | None
) -> tuple[dens.Density, float]:
    if rack is not None:
        density = liquid_plan.rack_density(choices, rack, catalog.density_thresholds())
        fraction = liquid_plan.liquid_fraction(choices, rack.liquid_heat_fraction, rack.rack.id)
        return density, fraction
    fraction = liquid_fraction or 0.0
    if fraction <= 0.0:
        words = "no heat goes to liquid"
        return dens.Density(
            choices.text("cooling.method") or dens.AIR, words, 0.0, dens.AIR, False
        ), 0.0
    kind = dens.ALL_LIQUID if fraction >= dens.ALL_LIQUID_FRACTION else dens.DIRECT_TO_CHIP
    words = f"{100 * fraction:.0f} % of the heat goes to liquid; all-liquid from 97 %"
    return dens.Density(kind, words, 0.0, dens.AIR, False), fraction


def _loops(
    choices: Choices,
    rack: RackChoice | None,
    rows: liquid_plan.LiquidRows,
    climate: Climate,
    heat: tuple[float, int | None],
) -> tuple[LiquidDesign, LiquidDesign]:
    """Liquid designs for plants with outdoor coils and for plants without.

    Which one is used depends on the plant that is chosen, so their warnings wait (`note_fluid`).
    """
    fraction, su_racks = heat
    cold = climate.heating_99p6_c
    if rack is None:
        base = liquid_plan.liquid_design_for_heat(choices, fraction, rows, cold, None)
    else:
        base = liquid_plan.liquid_design(choices, rack, rows, cold, None, su_racks)
    quiet = silent(choices)
    coil = liquid_plan.with_fws_fluid(base, quiet, rows, cold, True)
    water = liquid_plan.with_fws_fluid(base, quiet, rows, cold, False)
    same = coil.fws.coolant_id == water.fws.coolant_id
    return coil, coil if same else water


def note_fluid(design: CoolingDesign, kind: str) -> None:
    """List the choice of the FWS fluid, with its warnings, for the plant that is planned."""
    if design.coil_loop is not None:
        liquid_plan.with_fws_fluid(
            design.coil_loop,
            design.choices,
            design.rows,
            design.climate.heating_99p6_c,
            kind in COIL_KINDS,
        )


def loop_design(design: CoolingDesign, kind: str) -> LiquidDesign | None:
    """The liquid design with the FWS fluid of a plant of `kind`."""
    return design.coil_loop if kind in COIL_KINDS else design.water_loop


def cooling_quick(design: CoolingDesign, it: ItLoad) -> CoolingQuick:
    """Cooling of `it` (capacity basis) at the design points. Fast; called in the solve.

    Raises InputError or InfeasibleError of the liquid loops.
    """
    coil, water = design.coil_loop, design.water_loop
    if coil is water:
        return _evaluate(design, coil, it)
    if design.choices.many and active_recorder() is None:
        load = _kept_load(coil, design.plant.chain, design.door_fraction, it).load
        kind = kind_at(design.plant, load)
        return _evaluate(design, coil if kind in COIL_KINDS else water, it)
    quick = _evaluate(design, coil, it)
    return quick if quick.plant.kind in COIL_KINDS else _evaluate(design, water, it)


class _SiteLoad(NamedTuple):
    """What the plant has to serve, and the liquid loops that bring most of it; not where it is."""

    loop: LiquidLoop | None
    load: PlantLoad


def _evaluate(design: CoolingDesign, loop_design: LiquidDesign | None, it: ItLoad) -> CoolingQuick:
    make = _kept_load if design.choices.many and active_recorder() is None else _site_load
    loop, load = make(loop_design, design.plant.chain, design.door_fraction, it)
    plant = evaluate_plant(design.plant, load)
    return CoolingQuick(
        plant.pue_peak,
        plant.water_peak_l_per_s,
        load.liquid_heat_mw,
        load.air_heat_mw,
        load.loss_heat_mw,
        loop,
        load,
        plant,
    )


def _site_load(
    loop_design: LiquidDesign | None, chain: Chain, door_fraction: float, it: ItLoad
) -> _SiteLoad:
    loop = None
    it_mw = it.total_mw
    if loop_design is not None:
        rack_kw = 1000.0 * it.compute_mw / it.racks
        loop = size_liquid_loop(
            loop_design, it.racks, rack_kw, 1000.0 * it.network_liquid_mw, it_mw
        )
    pump = cdu_pump_mw(loop.cdu_pump_kw if loop else 0.0)
    liquid = loop.liquid_heat_mw if loop else dens.liquid_heat_mw(it.racks, 0.0, 0.0, 0.0)
    loss = _loss_heat(chain, it_mw, pump)
    air = dens.air_heat_mw(it_mw, loss, liquid)
    load = PlantLoad(
        it_mw=it_mw,
        liquid_heat_mw=liquid,
        fws_heat_mw=loop.fws_heat_mw if loop else 0.0,
        cdu_pump_mw=pump,
        fws_pump_mw=fws_pump_mw(loop.fws_pump_kw if loop else 0.0),
        fws_supply_c=loop.fws_supply_temp_c if loop else None,
        fws_return_c=loop.fws_return_temp_c if loop else None,
        air_heat_mw=air,
        loss_heat_mw=loss,
        door_heat_mw=door_fraction * it.compute_mw,
    )
    return _SiteLoad(loop, load)


_kept_load = lru_cache(maxsize=32768)(_site_load)


def conditions(design: CoolingDesign, it: ItLoad, kind: str) -> tuple[object, ...]:
    """What decides the plant and its figures per kW: temperatures and plume.

    kind: the plant that it is about, which tells of which fluid (see `cooling_quick`).
    """
    return tuple(
        [
            (load[5:7], plumes(design.plant, load, hung=is_hung(design.plant, load)))
            for load in _loads(design, it, kind)
        ]
    )


def is_no_less(design: CoolingDesign, before: ItLoad, after: ItLoad, kind: str) -> bool:
    """Whether no part of the plant's load is smaller in `after`.

    Under the same `conditions` the facility then draws no less: its power rises with each part.
    """
    one, other = _loads(design, before, kind)[-1], _loads(design, after, kind)[-1]
    return all(new >= old for old, new in zip(_parts(one), _parts(other), strict=True))


def _loads(design: CoolingDesign, it: ItLoad, kind: str) -> list[PlantLoad]:
    """The load with the fluid by which the kind is chosen, then with that of the plant."""
    coil, water = design.coil_loop, design.water_loop
    chain, door = design.plant.chain, design.door_fraction
    loads = [_kept_load(coil, chain, door, it).load]
    if kind not in COIL_KINDS and water is not coil:
        loads.append(_kept_load(water, chain, door, it).load)
    return loads


def _parts(load: PlantLoad) -> tuple[float, ...]:
    """Its powers and heats, those of air and of doors apart: doors take less fan power."""
    return (
        *load[:5],
        load.air_heat_mw - load.door_heat_mw,
        load.air_heat_mw,
        load.door_heat_mw,
    )


def _loss_heat(chain: Chain, it_mw: float, cdu_mw: float) -> float:
    return dens.loss_heat_mw(it_mw, chain.busway, chain.ups, cdu_mw)


def annual(
    design: CoolingDesign, it: ItLoad, typical: ItLoad, quick: CoolingQuick | None = None
) -> CoolingYear | None:
    """The year at `typical` power with the plant bought for `it`; None without annual means."""
    quick = quick or cooling_quick(design, it)
    plant = quick.plant
    if design.plant.hours is not None:
        load = year_load(design, it, typical, quick)
        return cooling_hours.hourly_year(design, load, plant.specific).year
    air = plant.specific.air_plant
    bins = design.bins(plant.kind, "none" if air is None else air.kind)
    if bins is None:
        return None
    return cooling_year(
        year_load(design, it, typical, quick),
        plant.specific.plant,
        plant.specific.air_plant,
        bins,
        design.plant.chain,
        verified_means=design.plant.climate.verified_means,
    )


def annual_in_arrays(
    design: CoolingDesign, it: ItLoad, typical: ItLoad, quick: CoolingQuick
) -> CoolingYear | None:
    """The same on arrays, for one of many sites: within the bounds of `year_sums_in_arrays`."""
    if design.plant.hours is not None:
        return annual(design, it, typical, quick)
    climate = cooling_choices.bin_climate(design.plant.climate)
    if climate is None:
        return None
    from clusterplan.sizing.year_in_arrays import year_sums_in_arrays

    plant = quick.plant
    sums = year_sums_in_arrays(
        year_load(design, it, typical, quick),
        plant.specific.plant,
        plant.specific.air_plant,
        climate,
        _warm_width_k(plant.kind),
    )
    means = design.plant.climate.verified_means
    band = band_of(plant.kind, sums, water=True, verified_means=means)
    return year_of(sums, design.plant.chain, band)


def _warm_width_k(kind: str) -> float:
    """Width of the bins above the annual mean.

    Fine where pads or chillers start at a dry bulb; towers have no such step, and take longer.
    """
    return _TOWER_BIN_K if kind in TOWER_KINDS else _WARM_BIN_K


def year_load(design: CoolingDesign, it: ItLoad, typical: ItLoad, quick: CoolingQuick) -> YearLoad:
    """Loads of the year at `typical` power, of the plant bought for `it`."""
    plant, loop = quick.plant, quick.loop
    share = typical.compute_mw / it.compute_mw if it.compute_mw > 0.0 else 0.0
    it_mw = typical.total_mw
    pump = cdu_pump_mw(cdu_pump_kw_at(loop, share)) if loop else 0.0
    fws = fws_pump_mw(fws_pump_kw_at(loop, share)) if loop else 0.0
    liquid = _typical_liquid(quick, it, typical)
    loss = _loss_heat(design.plant.chain, it_mw, pump)
    air = dens.air_heat_mw(it_mw, loss, liquid)
    spec = design.plant.air
    sigma = air_density_ratio(design.plant.climate.elevation_m)
    door = design.door_fraction * typical.compute_mw
    fans = room_fan_mw(air, door, spec.fan, spec.door_fan, sigma)
    pumps = air_pump_mw(spec.pump, air)
    room = air_plant_mw(air, fans, pumps)
    heat = (liquid + pump + fws if loop else 0.0) + (room if plant.hung else 0.0)
    return YearLoad(
        it_mw,
        pump,
        fws,
        fans,
        pumps,
        house_load_mw(it_mw, design.plant.house),
        heat,
        plant.heat_rejection_mw,
        room,
        plant.air_plant_mw,
    )


def _typical_liquid(quick: CoolingQuick, it: ItLoad, typical: ItLoad) -> float:
    """Liquid heat at typical power: the racks' share scales, liquid-cooled switches by theirs."""
    if quick.loop is None or it.compute_mw <= 0.0:
        return 0.0
    racks = quick.liquid_heat_mw - it.network_liquid_mw
    return racks * typical.compute_mw / it.compute_mw + typical.network_liquid_mw


def annual_water_m3(design: CoolingDesign, it: ItLoad, typical: ItLoad) -> float | None:
    """Site water of a year in m3 at typical power; None where a wet plant has no year."""
    quick = cooling_quick(design, it)
    if quick.plant.kind not in WET_KINDS:
        return 0.0
    load, plant = year_load(design, it, typical, quick), quick.plant.specific.plant
    if design.plant.hours is not None:
        return cooling_hours.water_m3(design, load, plant)
    bins = design.bins(quick.plant.kind)
    return None if bins is None else year_water_m3(load, plant, bins)
