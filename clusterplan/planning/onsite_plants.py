"""On-site units of a site file as plants, and what their machines give the grid connection."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from clusterplan import catalog
from clusterplan.inputs.datum import value_of
from clusterplan.sizing.onsite_plants import (
    INVERTER_FAULT,
    Plant,
    machine_fault_max_mva,
    machine_mva,
    machine_x_over_r,
    plant_inertia_mw_s,
    plant_ramp_mw_per_min,
    plants_fault_mva,
)
from clusterplan.sizing.short_circuit import machines_short_circuit_mva

if TYPE_CHECKING:
    from clusterplan.core.equipment import Machine
    from clusterplan.inputs.site_file import Generation, Site
    from clusterplan.planning.choices import Ledger
    from clusterplan.planning.site_case import SiteCase
    from clusterplan.sizing.grid_connection import GridConnection

POWER_FACTOR = 0.8  # rated, of engine and turbine sets
TRANSFORMER = 0.10
NO_MACHINE = ("solar", "wind")
INVERTERS = ("solar", "wind", "fuel_cell")


def plants_of(site: Site, ledger: Ledger) -> tuple[Plant, ...]:
    """The site's plants; what the file does not say of their machines is the catalogue's."""
    return tuple(
        _plant(place, unit, ledger)
        for place, unit in enumerate(site.generation)
        if unit.gross_mw.value > 0.0
    )


def _plant(place: int, unit: Generation, ledger: Ledger) -> Plant:
    row = catalog.machine_of(unit.type)
    inverter = unit.type in INVERTERS
    path = f"site.generation.{place}"

    def known(name: str, own: float | None, usual: float | None, unit_text: str) -> float | None:
        if own is not None or usual is None:
            return own
        read = name == "subtransient_reactance"  # all else in these rows is recalled
        flag = row.verified if row is not None and read else "false"
        source = f"machine row {row.id}" if row is not None else "usual value"
        ledger.assume(f"{path}.{name}", usual, unit_text, source, verified=flag)
        return usual

    factor = value_of(unit.power_factor)
    if factor is None:
        factor = 1.0 if inverter else POWER_FACTOR
        ledger.assume(f"{path}.power_factor", factor, "", "rated, usual for such units")
    own = value_of(unit.subtransient_percent)
    subtransient = known("subtransient_reactance", own, _of(row, "subtransient_percent"), "%")
    block = value_of(unit.block_load)
    usual_block = _of(row, "block_load_percent")
    block_percent = known("block_load", None if block is None else 100.0 * block, usual_block, "%")
    ramp = value_of(unit.ramp_mw_per_min)
    if ramp is None:
        minutes = known("full_ramp", None, _of(row, "full_ramp_minutes"), "min")
        ramp = None if minutes is None else plant_ramp_mw_per_min(unit.gross_mw.value, minutes)
    reactance = value_of(unit.transformer_impedance_percent)
    return Plant(
        unit.name or unit.type.replace("_", " "),
        unit.type,
        unit.gross_mw.value,
        value_of(unit.units) or 1,
        factor,
        None if subtransient is None or inverter else subtransient / 100.0,
        known("inertia", value_of(unit.inertia_s), _of(row, "inertia_s"), "s"),
        None if block_percent is None else block_percent / 100.0,
        ramp,
        TRANSFORMER if reactance is None else reactance / 100.0,
        value_of(unit.heat_rate_btu_per_kwh),
        inverter,
        own is not None,
    )


def _of(row: Machine | None, name: str) -> float | None:
    value = None if row is None else getattr(row, name)
    return None if value is None else float(value)


def fault_of_plants(plants: tuple[Plant, ...]) -> tuple[float, float, float] | None:
    """Least and largest fault MVA at the units' terminals, and X/R; None without a machine.

    Least: the largest machine out, no correction; largest: all, inverters included. None also
    where a machine's reactance is unknown.
    """
    machines = [plant for plant in plants if not plant.inverter]
    if not machines or any(plant.subtransient is None for plant in machines):
        return None
    rated = [machine_mva(plant.gross_mw, plant.power_factor) for plant in machines]
    most = [
        machine_fault_max_mva(mva, plant.subtransient or 1.0, plant.power_factor)
        for mva, plant in zip(rated, machines, strict=True)
    ]
    most += [INVERTER_FAULT * machine_mva(p.gross_mw, p.power_factor) for p in plants if p.inverter]
    units = [mva / plant.units for mva, plant in zip(rated, machines, strict=True)]
    largest = max(units)
    least = []
    out = False
    for mva, unit, plant in zip(rated, units, machines, strict=True):
        left = mva
        if not out and unit == largest:
            left, out = mva - unit, True
        least.append(machines_short_circuit_mva(left, plant.subtransient or 1.0))
    low, high = plants_fault_mva(tuple(least)), plants_fault_mva(tuple(most))
    return (low if low > 0.0 else high), high, machine_x_over_r(largest)


def with_machines(
    connection: GridConnection, case: SiteCase, plants: tuple[Plant, ...]
) -> GridConnection:
    """The connection with the machines' share, where the site file gives their reactances.

    Islanded, they are the source; beside a grid they add to the fault level where they join: at HV
    through their transformers, at MV at the bus.
    """
    machines = [plant for plant in plants if not plant.inverter]
    if not machines or not all(plant.given for plant in machines):
        return connection
    if case.islanded:
        found = fault_of_plants(plants)
        if found is None:
            return connection
        inertia = None
        if all(plant.inertia_s is not None for plant in machines):
            inertia = sum(
                plant_inertia_mw_s(
                    machine_mva(plant.gross_mw, plant.power_factor), plant.inertia_s or 0.0
                )
                for plant in machines
            )
        return dataclasses.replace(
            connection,
            short_circuit_min_mva=found[0],
            short_circuit_max_mva=found[1],
            x_over_r=found[2],
            inertia_mw_s=inertia,
        )
    if not case.generation_at_hv:
        known = fault_of_plants(plants)
        if known is None:
            return connection
        return dataclasses.replace(
            connection, machines_mv_mva=known[1], machines_mv_x_over_r=known[2]
        )
    total = plants_fault_mva(
        tuple(
            machines_short_circuit_mva(
                machine_mva(plant.gross_mw, plant.power_factor),
                plant.subtransient or 1.0,
                plant.transformer_reactance,
            )
            for plant in machines
        )
    )
    return dataclasses.replace(connection, machines_mva=total)
