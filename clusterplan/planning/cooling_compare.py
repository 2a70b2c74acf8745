"""Every type of heat rejection, and every CDU of the catalogue, on the same load."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.core.record import given, recording
from clusterplan.core.results.cooling_options import (
    CduOption,
    CduOptions,
    HeatRejectionOption,
    HeatRejectionVerdict,
)
from clusterplan.planning.cooling_assumptions import note_assumptions
from clusterplan.planning.cooling_case import first_words
from clusterplan.planning.cooling_choices import source_water_c
from clusterplan.planning.cooling_plan import loop_design
from clusterplan.planning.cooling_units import plant_units
from clusterplan.sizing import plant_options as options
from clusterplan.sizing.heat_rejection import (
    ADIABATIC,
    AIR_CHILLER,
    DRY,
    KINDS,
    ONCE_THROUGH,
    OPEN_TOWER,
    TOWER_KINDS,
    WATER_CHILLER,
    WET_KINDS,
    UnitCount,
)
from clusterplan.sizing.land import plant_yard_m2
from clusterplan.sizing.pue import cooling_power_peak_mw, trim_heat_mw

if TYPE_CHECKING:
    from clusterplan.core.equipment import Cdu, HeatRejectionFootprint
    from clusterplan.planning.cooling_case import CoolingCase, Planned
    from clusterplan.planning.cooling_plan import CoolingDesign
    from clusterplan.sizing.plant import PlantDesign

_DOUBTS = ("cdu_unverified",)
_CHILLER_KINDS = (AIR_CHILLER, WATER_CHILLER)
_SHORT = (options.TRIMMED, options.INFEASIBLE)
_SEARCH_STEP_K = 1.0
_SEARCH_MOST_K = 30


Judged = tuple[HeatRejectionOption, HeatRejectionVerdict]


def heat_rejection_options(
    case: CoolingCase,
) -> tuple[tuple[HeatRejectionOption, ...], tuple[HeatRejectionVerdict, ...]]:
    """One row for each type, in the order of the catalogue, and what to say of each.

    Defaults used go to the ledger.
    """
    design = case.design()
    judged = [_option(case, design, kind) for kind in KINDS]
    free = [row.heat_rejection for row, _ in judged if row.mode == options.FREE]
    here = f" Without chillers here: {', '.join(free)}." if free else ""
    return tuple(row for row, _ in judged), tuple(
        _judged(row.heat_rejection, words.verdict + (here if row.mode in _SHORT else ""))
        for row, words in judged
    )


def _judged(kind: str, words: str) -> HeatRejectionVerdict:
    return HeatRejectionVerdict(heat_rejection=kind, verdict=words)


def _option(case: CoolingCase, design: CoolingDesign, kind: str) -> Judged:
    missing = _no_water(design, kind)
    if missing:
        row = HeatRejectionOption(heat_rejection=kind, mode=options.NO_WATER)
        return row, _judged(kind, missing)
    planned = case.planned(of_kind(design, kind))
    note_assumptions(planned.design, planned.quick)
    plant, year = planned.quick.plant, planned.year
    units, peak, load = plant_units(planned.design, planned.quick), plant.peak, planned.quick.load
    shortfall = _shortfall(planned)
    mode = options.CHILLERS
    if kind not in _CHILLER_KINDS:
        mode = options.option_mode(shortfall, plant.specific.plant.rise_k)
    sums = year.sums if year else None
    loop = loop_design(planned.design, kind)
    row = HeatRejectionOption(
        heat_rejection=kind,
        mode=mode,
        shortfall_k=None if mode == options.CHILLERS else shortfall,
        trim_mw=_trim_mw(planned),
        trim_hours_h=sums.trim_hours_h if sums else None,
        units=units.main.installed,
        units_redundant=units.main.redundant,
        cooling_power_peak_mw=cooling_power_peak_mw(
            load.cdu_pump_mw,
            load.fws_pump_mw,
            peak.rejection_fan_mw,
            peak.tower_pump_mw,
            peak.trim_power_mw,
            peak.air_power_mw,
        ),
        pue_peak=plant.pue_peak,
        pue_annual=year.pue if year else None,
        cooling_energy_gwh=None
        if sums is None
        else options.cooling_energy_gwh(sums.cdu_pump_mwh, sums.mechanical_mwh, sums.house_mwh),
        water_m3_per_year=sums.water_m3 if sums else None,
        water_peak_l_per_s=plant.water_peak_l_per_s,
        **_ground_and_cost(planned),
        fws_coolant=loop.fws.coolant_id if loop else "",
    )
    return row, _judged(kind, _verdict(case, planned, mode, shortfall))


def _no_water(design: CoolingDesign, kind: str) -> str:
    """Why a type that needs water cannot be planned; '' where it can."""
    if kind in (*WET_KINDS, ONCE_THROUGH) and not design.plant.water_available:
        return "needs water, and the site has none"
    if kind == ONCE_THROUGH and source_water_c(design.choices) is None:
        return "give design.cooling.source_water, the warmest water of the year, to plan it"
    return ""


def of_kind(design: CoolingDesign, kind: str) -> CoolingDesign:
    """The same design with another type of heat rejection."""
    plant = dataclasses.replace(design.plant, kind=kind, kept={})
    return dataclasses.replace(design, plant=plant, kept={})


def _trim_mw(planned: Planned) -> float:
    """Most heat on chillers; of room air alone, whose plant has no FWS loop, by its own share."""
    quick = planned.quick
    if quick.loop is not None:
        return quick.plant.trim_mw
    share = max(state.operation.trim_heat for state in quick.plant.specific.states)
    return trim_heat_mw(quick.plant.heat_rejection_mw, share)


def _shortfall(planned: Planned) -> float:
    """K by which the worst design point misses the supply, chillers apart."""
    plant = planned.quick.plant.specific
    reached = max(state.operation.available_c for state in _worst_points(planned))
    return options.option_shortfall_k(reached, plant.plant.supply_c)


def _worst_points(planned: Planned) -> list[Any]:
    """The design points but the switch-over, at which pads are dry by definition."""
    return list(planned.quick.plant.specific.states[:2])


def _ground_and_cost(planned: Planned) -> dict[str, float]:
    """Ground and capital proxy of all machines of an option, room-air plant included."""
    plant, spec = planned.quick.plant, planned.design.plant
    kind, units = plant.kind, plant_units(planned.design, planned.quick)
    rows = {row.id: row for row in catalog.heat_rejection_footprints()}
    main, tower, air = rows[kind], rows[OPEN_TOWER], rows[AIR_CHILLER]
    trim = rows[WATER_CHILLER] if kind in (*TOWER_KINDS, ONCE_THROUGH) else air
    none = UnitCount(0, 0, 0)
    towers = units.towers if kind == WATER_CHILLER else none
    used = {main.id: main}
    used |= {
        row.id: row
        for row, count in ((tower, towers), (trim, units.trim), (air, units.air))
        if count.installed
    }
    for row in used.values():
        _note_row(planned.design, row)

    def yard(heat_mw: float, row: HeatRejectionFootprint, count: UnitCount) -> float:
        if not count.installed:
            return 0.0
        return plant_yard_m2(heat_mw, row.footprint_m2_per_mw, count.installed, count.redundant)

    heat = plant.heat_rejection_mw
    return {
        "footprint_m2": options.option_footprint_m2(
            yard(heat, main, units.main),
            yard(heat, tower, towers),
            yard(plant.trim_mw, trim, units.trim),
            yard(plant.air_plant_mw, air, units.air),
        ),
        "capex_musd": options.option_capex_musd(
            units.main.installed * _rated_kw(spec, kind),
            main.cost_usd_per_kw,
            towers.installed * spec.tower.unit_kw,
            tower.cost_usd_per_kw,
            options.option_chiller_kw(plant.trim_mw, units.trim.installed, units.trim.redundant),
            trim.cost_usd_per_kw,
            options.option_chiller_kw(plant.air_plant_mw, units.air.installed, units.air.redundant),
            air.cost_usd_per_kw,
        ),
    }


def _rated_kw(spec: PlantDesign, kind: str) -> float:
    return {
        DRY: spec.dry.unit_kw,
        ADIABATIC: spec.dry.unit_kw,
        AIR_CHILLER: spec.chiller.air_unit_kw,
        WATER_CHILLER: spec.chiller.water_unit_kw,
        ONCE_THROUGH: spec.tower.source_unit_kw,
    }.get(kind, spec.tower.unit_kw)


def _note_row(design: CoolingDesign, row: HeatRejectionFootprint) -> None:
    ledger, path = design.choices.ledger, f"catalog.heat_rejection_footprints.{row.id}"
    for name, value, unit in (
        ("footprint_m2_per_mw", row.footprint_m2_per_mw, "m²/MW"),
        ("cost_usd_per_kw", row.cost_usd_per_kw, "USD/kW"),
    ):
        ledger.assume(f"{path}.{name}", value, unit, row.source, verified=row.verified)
        given(f"{path}.{name}", value, unit, row.source, row.verified)


def _verdict(case: CoolingCase, planned: Planned, mode: str, shortfall: float) -> str:
    plant = planned.quick.plant
    fixed, kind = plant.specific.plant, plant.kind
    supply, back = fixed.supply_c, fixed.supply_c + fixed.rise_k
    if mode == options.CHILLERS:
        share = 100.0 * _trim_mw(planned) / plant.heat_rejection_mw
        if share <= 0.0:
            return "free cooling carries all heat even in the worst hour: no chiller is needed"
        return f"chillers carry {share:.0f} % of the heat in the worst hour, free cooling the rest"
    if mode == options.FREE:
        return f"reaches {supply:.1f} °C without chillers, {abs(shortfall):.1f} K in hand"
    reached = supply + shortfall
    limit = "wet bulb" if kind in TOWER_KINDS else "dry bulb"
    limit = {ADIABATIC: "pad temperature", ONCE_THROUGH: "source water"}.get(kind, limit)
    works = _what_works(case, kind)
    if mode == options.INFEASIBLE:
        return (
            f"{limit} and approach give {reached:.1f} °C, no colder than the FWS return of"
            f" {back:.1f} °C: it cools nothing in the worst hour. {works}"
        )
    share = 100.0 * _trim_mw(planned) / plant.heat_rejection_mw
    return (
        f"{limit} and approach give {reached:.1f} °C, between FWS supply ({supply:.1f} °C) and"
        f" return ({back:.1f} °C): chillers take {share:.0f} % of the heat in the worst hour."
        f" {works}"
    )


def _what_works(case: CoolingCase, kind: str) -> str:
    """The coldest supply, in steps of 1 K, at which `kind` needs no chillers.

    Of the TCS, or of the FWS where the user gave that one.
    """
    fixed = case.choices.is_given("cooling.fws_supply")
    name, path = ("FWS", "cooling.fws_supply") if fixed else ("TCS", "cooling.tcs_supply")
    with recording():  # a search, not part of the plan
        loop = case.planned_points(case.design()).loop
        if loop is None:
            return "Warmer water to the room-air coils would help."
        start = loop.fws_supply_temp_c if fixed else loop.tcs_supply_temp_c
        most = start
        for step in range(1, _SEARCH_MOST_K + 1):
            supply = start + step * _SEARCH_STEP_K
            try:
                other = case.with_choices({path: supply})
                plant = other.planned_points(of_kind(other.design(), kind)).plant
            except (InputError, InfeasibleError):
                break
            if plant.trim_mw <= 1e-9:
                return f"With a {name} supply of {supply:.0f} °C it would need none."
            most = supply
    if most == start:
        return f"The racks take no warmer {name} supply than {start:.0f} °C."
    return f"No {name} supply that the racks take (tried to {most:.0f} °C) would do without."


def cdu_options(case: CoolingCase) -> CduOptions | None:
    """Every CDU of the catalogue: its units, or why it cannot serve. None without liquid heat."""
    planned = case.planned_points(case.design()).loop
    if planned is None:
        return None
    rows: list[CduOption] = []
    cannot: list[str] = []
    incomplete: list[str] = []
    for cdu in catalog.cdus():
        if cdu.flow_max_l_per_min is None or cdu.approach_k is None:
            incomplete.append(cdu.id)
            continue
        found = _cdu(case, cdu)
        if isinstance(found, CduOption):
            path, words = f"cdu_options.rows.{len(rows)}.fws_rise_k", "the TCS rise, or less where"
            given(path, found.fws_rise_k, "K", f"{words} only more FWS flow keeps the approach")
            rows.append(found)
        else:
            cannot.append(found)
    return CduOptions(
        planned=planned.cdu,
        rows=tuple(rows),
        cannot_serve=tuple(cannot),
        rating_incomplete=", ".join(incomplete),
    )


def _cdu(case: CoolingCase, cdu: Cdu) -> CduOption | str:
    changed = case.with_choices({"cooling.cdu": cdu.id})
    try:
        loop = changed.planned_points(changed.design()).loop
    except (InputError, InfeasibleError) as error:
        words = first_words(error).removeprefix("the chosen CDU cannot serve the racks ")
        return words.removeprefix("(").removesuffix(")")
    assert loop is not None
    group = loop.full_group if loop.full_groups or loop.last_group is None else loop.last_group
    doubts = [item.message for item in changed.choices.ledger.warnings if item.code in _DOUBTS]
    return CduOption(
        cdu=cdu.id,
        limit=loop.cdu_limit,
        cdus=loop.cdus,
        cdus_redundant=loop.cdus_redundant,
        cdu_groups=loop.cdu_groups,
        unit_flow_l_per_min=group.unit_flow_l_per_min,
        cdu_approach_k=loop.cdu_approach_k,
        fws_rise_k=loop.fws_rise_k,
        cdu_pump_kw=loop.cdu_pump_kw,
        automatic=cdu.automatic,
        note="; ".join(doubts).removeprefix(f"CDU {cdu.id}: "),
    )
