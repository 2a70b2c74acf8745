"""The generation section of a plan: loading, fuel, fault level, the swing against the units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.record import given
from clusterplan.core.results.generation import GenerationSection, PlantRow
from clusterplan.inputs.datum import value_of
from clusterplan.planning.onsite_plants import fault_of_plants
from clusterplan.sizing.electrical_load import three_phase_current_a
from clusterplan.sizing.generation import frequency_rate_hz_per_s
from clusterplan.sizing.onsite_plants import (
    block_load_mw,
    fuel_mmbtu_per_day,
    generation_buses,
    machine_mva,
    plant_inertia_mw_s,
    plant_loading_percent,
    plants_sum,
)
from clusterplan.sizing.short_circuit import hv_fault_level_ka

if TYPE_CHECKING:
    from clusterplan.core.results.substation import SubstationSection, SwingSection
    from clusterplan.inputs.site_file import Site
    from clusterplan.planning.site_case import SupplyStep
    from clusterplan.planning.site_model import SiteModel
    from clusterplan.planning.substation_plan import ElectricalDesign
    from clusterplan.sizing.onsite_plants import Plant

ISLAND_FIELDS = (
    "loading_percent",
    "loading_n1_percent",
    "loading_low_percent",
    "fuel_mmbtu_per_day",
    "fault_max_mva",
    "fault_min_mva",
    "fault_level_ka",
    "buses",
    "inertia_mw_s",
    "frequency_rate_hz_per_s",
    "block_load_mw",
    "ramp_mw_per_min",
)


class Island(NamedTuple):
    """What the units carry: facility and swing in MW, their bus in kV, storage that helps in MW."""

    facility_mw: float
    swing_mw: float
    bus_kv: float
    storage_mw: float
    gas_mmbtu_per_day: float | None


def generation_section(
    model: SiteModel,
    site: Site,
    substation: SubstationSection,
    facility_mw: float,
    swing: SwingSection,
) -> GenerationSection:
    """All plants of the last stage, of which there is one. Recorded where a record is kept."""
    island = Island(
        facility_mw,
        swing.swing_mw,
        substation.hv_kv,
        site.storage.power_mw.value if site.storage else 0.0,
        None if site.gas is None else value_of(site.gas.firm_capacity_mmbtu_per_day),
    )
    return section_of(model.electrical, model.plants, model.case.steps[-1], island)


def section_of(
    design: ElectricalDesign, plants: tuple[Plant, ...], step: SupplyStep, island: Island
) -> GenerationSection:
    """The section from its parts."""
    islanded = design.duty.islanded
    gross = plants_sum(tuple(plant.gross_mw for plant in plants))
    share = island.facility_mw / gross if islanded else None
    rows = tuple(_row(place, plant, share) for place, plant in enumerate(plants))
    values: dict[str, Any] = dict.fromkeys(ISLAND_FIELDS)
    values |= {
        "gross_mw": gross,
        "firm_mw": step.onsite_firm_mw,
        "rated_mva": plants_sum(tuple(row.rated_mva for row in rows)),
        "plants": rows,
    }
    if not islanded:
        words = "the grid takes the swing; how the units share it depends on their dispatch"
        return GenerationSection(operation="beside the grid", swing_verdict=words, **values)
    values |= _loading_figures(island, values["gross_mw"], values["firm_mw"])
    values |= _fault_figures(design, plants, island)
    missing: list[str] = []
    for name, words in (
        ("fuel_mmbtu_per_day", "fuel (heat rate)"),
        ("block_load_mw", "load step"),
        ("ramp_mw_per_min", "ramp"),
        ("inertia_mw_s", "df/dt (inertia)"),
    ):
        known = [getattr(row, name) for row in rows]
        if any(value is None for value in known):
            missing.append(words)
        else:
            values[name] = plants_sum(tuple(known))
    missing += _follow(design, island, values)
    _warn_gas(design, island, values["fuel_mmbtu_per_day"])
    return GenerationSection(
        operation="islanded",
        swing_verdict=_verdict(island, values["block_load_mw"], values["ramp_mw_per_min"]),
        not_assessed=", ".join(missing) or None,
        **values,
    )


def _row(place: int, plant: Plant, share: float | None) -> PlantRow:
    """share: of its rating at which every plant runs, None where unknown."""
    path, source = f"generation.plants.{place}", "site.generation"
    given(f"{path}.units", plant.units, "units", source, "given")
    given(f"{path}.unit_mw", plant.unit_mw, "MW", f"{source}: gross / units", "given")
    given(f"{path}.gross_mw", plant.gross_mw, "MW", source, "given")
    given(f"{path}.ramp_mw_per_min", plant.ramp_mw_per_min, "MW/min", f"{source} or machine row")
    rated = machine_mva(plant.gross_mw, plant.power_factor)
    fuel = None
    if share is not None and plant.heat_rate_btu_per_kwh is not None:
        load = share * plant.gross_mw
        given(f"{path}.load_mw", load, "MW", "facility power shared by rating")
        fuel = fuel_mmbtu_per_day(load, plant.heat_rate_btu_per_kwh)
    inertia = 0.0 if plant.inverter else plant.inertia_s
    return PlantRow(
        plant=plant.name,
        type=plant.kind,
        units=plant.units,
        unit_mw=plant.unit_mw,
        gross_mw=plant.gross_mw,
        rated_mva=rated,
        inertia_mw_s=None if inertia is None else plant_inertia_mw_s(rated, inertia),
        block_load_mw=(
            None if plant.block_load is None else block_load_mw(plant.gross_mw, plant.block_load)
        ),
        ramp_mw_per_min=plant.ramp_mw_per_min,
        fuel_mmbtu_per_day=fuel,
    )


def _loading_figures(island: Island, gross_mw: float, firm_mw: float) -> dict[str, Any]:
    low = max(0.0, island.facility_mw - island.swing_mw)
    given("generation.low_load_mw", low, "MW", "facility power less the swing")
    return {
        "loading_percent": plant_loading_percent(island.facility_mw, gross_mw),
        "loading_n1_percent": (
            plant_loading_percent(island.facility_mw, firm_mw) if firm_mw > 0.0 else None
        ),
        "loading_low_percent": plant_loading_percent(low, gross_mw),
    }


def _fault_figures(
    design: ElectricalDesign, plants: tuple[Plant, ...], island: Island
) -> dict[str, Any]:
    """Fault level with all machines on one bus, and on how many they must stand apart."""
    found = fault_of_plants(plants)
    if found is None:
        return {}
    low, high, ratio = found
    level = hv_fault_level_ka(high, island.bus_kv)
    family = design.tables.family(island.bus_kv)
    rated = sum(plant.gross_mw / plant.power_factor for plant in plants)
    given("generation.rated_mva", rated, "MVA", "sum of the plants")
    return {
        "fault_min_mva": low,
        "fault_max_mva": high,
        "fault_level_ka": level,
        "buses": generation_buses(
            three_phase_current_a(rated, island.bus_kv),
            level,
            ratio,
            family.continuous_a[-1],
            family.interrupting_ka,
            design.rules.frequency_hz,
        ),
    }


def _follow(design: ElectricalDesign, island: Island, values: dict[str, Any]) -> list[str]:
    """Frequency change by the swing; what it lacks is named."""
    missing = []
    if values["fault_max_mva"] is None:
        missing.append("fault level (no machine, or its reactance unknown)")
    inertia = values["inertia_mw_s"]
    if inertia is not None and inertia <= 0.0:
        missing.append("df/dt (inverters bring no inertia)")
    elif inertia is not None and island.swing_mw > 0.0:
        values["frequency_rate_hz_per_s"] = frequency_rate_hz_per_s(
            island.swing_mw, inertia, design.rules.frequency_hz
        )
    return missing


def _verdict(island: Island, block_mw: float | None, ramp: float | None) -> str:
    """The swing against what the units take at once; storage on site helps."""
    if island.swing_mw <= 0.0:
        return "no job swings"
    if block_mw is None:
        return "cannot be assessed: what step the units take is not known"
    at_once = block_mw + island.storage_mw
    helped = f" and {island.storage_mw:,.4g} MW of storage" if island.storage_mw else ""
    words = f"swing of {island.swing_mw:,.4g} MW against a step of {block_mw:,.4g} MW{helped}"
    if island.swing_mw <= at_once:
        return f"pass: {words}"
    beyond = island.swing_mw - at_once
    follow = "" if not ramp else f"; the units follow it in {island.swing_mw / ramp:,.3g} min"
    return f"fail: {words}; ballast or storage must take {beyond:,.4g} MW{follow}"


def _warn_gas(design: ElectricalDesign, island: Island, fuel: float | None) -> None:
    firm = island.gas_mmbtu_per_day
    if fuel is not None and firm is not None and fuel > firm:
        design.ledger.warn(
            "gas_short",
            "site.gas.firm_capacity",
            f"the plan burns {fuel:,.0f} MMBtu a day, firm transport is {firm:,.0f}",
        )
