"""Checks across fields: what single values cannot show. Any value may be None (a bad file).

Errors follow the list of checks that a site data sheet must pass; what is merely odd is a warning.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from clusterplan.core.results.plan import Warning
from clusterplan.core.units import seen
from clusterplan.inputs.datum import value_of
from clusterplan.inputs.leaf import exceeds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusterplan.core.errors import Problem
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.inputs.rack_file import RackFile
    from clusterplan.inputs.site_file import Climate, Site
    from clusterplan.inputs.workload_file import Workload

# Voltages in use, kV: transmission, then medium voltage, then low voltage of a room.
USUAL_KV = (
    *(66, 69, 110, 115, 130, 132, 138, 150, 154, 161, 220, 225, 230, 275, 330, 345, 380, 400),
    *(420, 500, 735, 765, 10, 11, 12.47, 13.2, 13.8, 20, 22, 24.94, 33, 34.5),
    *(0.208, 0.4, 0.415, 0.48),
)
_FAULT_KA = (1.0, 80.0)
_STORAGE_HOURS = (0.25, 24.0)


class Findings:
    """Problems and warnings of one file."""

    def __init__(self, model: Any, kind: str) -> None:
        self.model = model
        self.kind = kind
        self.problems: list[Problem] = []
        self.warnings: list[Warning] = []

    def wrong(self, path: str, message: str, hint: str | None = None) -> None:
        """Note an error at a path of the file."""
        self.problems.append(self.model.problem(path, message, hint))

    def warn(self, code: str, path: str, message: str) -> None:
        """Note a warning at a path of the file."""
        self.warnings.append(Warning(code=code, path=f"{self.kind}.{path}", message=message))

    def at_most(self, path: str, value: Any, bound_name: str, bound: Any) -> None:
        """The value must not exceed the bound; both are Datum or None, of one unit."""
        if value is not None and bound is not None and exceeds(value.value, bound.value):
            self.wrong(path, f"{shown(value)} is above {bound_name} {shown(bound)}")

    def ordered(self, dates: Iterable[tuple[str, Any]]) -> None:
        """Dates that are given must not go back."""
        before: tuple[str, Any] | None = None
        for path, day in dates:
            if day is None:
                continue
            if before is not None and day.value < before[1].value:
                self.wrong(path, f"{day.value} is before {before[0]} {before[1].value}")
            before = (path, day)


def shown(datum: Any) -> str:
    """A datum as the user wrote it."""
    return datum.text or str(datum.value)


def check_site(site: Site) -> Findings:
    """Cross-field checks of a site by itself; country and coordinates are apart."""
    found = Findings(site, "site")
    land = site.land
    if land is not None:
        found.at_most("land.buildable", land.buildable_acres, "land.gross", land.gross_acres)
    found.at_most("pue_annual", site.pue_annual, "pue_peak", site.pue_peak)
    if site.elevation_m is None:
        found.warn("elevation_assumed", "elevation", "elevation is not given; 0 m is assumed")
    _warn_single_routes(found, site)
    if site.climate is not None:
        _check_climate(found, site.climate)
    _check_phases(found, site)
    _check_generation(found, site)
    storage = site.storage
    if storage is not None and storage.power_mw and storage.energy_mwh:
        power, energy = storage.power_mw.value, storage.energy_mwh.value
        low, high = _STORAGE_HOURS
        if energy > 0.0 or power > 0.0:
            hours = energy / power if power else math.inf
            if not low <= hours <= high:
                found.wrong(
                    "storage.energy",
                    f"{shown(storage.energy_mwh)} at {shown(storage.power_mw)} is {hours:.3g} h",
                    f"accepted: {low:g} to {high:g} h",
                )
    return found


def _warn_single_routes(found: Findings, site: Site) -> None:
    if site.fibre is not None and value_of(site.fibre.routes) == 1:
        found.warn("single_fibre_route", "fibre.routes", "one fibre route: a cut stops the site")
    if site.gas is not None and value_of(site.gas.laterals) == 1:
        found.warn("single_gas_lateral", "gas.laterals", "one gas lateral: a fault stops the plant")


# (lower, upper): one design value of a climate is never above the other
_CLIMATE_ORDER = (
    ("wet_bulb_0p4", "dry_bulb_0p4"),
    ("mean_coincident_wet_bulb", "dry_bulb_0p4"),
    ("dry_bulb_0p4", "dry_bulb_n20"),
    ("heating_99p6", "dry_bulb_0p4"),
    ("heating_99p6", "annual_mean_dry_bulb"),
    ("annual_mean_dry_bulb", "dry_bulb_0p4"),
    ("annual_mean_wet_bulb", "wet_bulb_0p4"),
    ("annual_mean_wet_bulb", "annual_mean_dry_bulb"),
    ("annual_mean_dew_point", "annual_mean_dry_bulb"),
)


def _check_climate(found: Findings, climate: Climate) -> None:
    for low, high in _CLIMATE_ORDER:
        values = getattr(climate, f"{low}_c"), getattr(climate, f"{high}_c")
        found.at_most(f"climate.{low}", values[0], f"climate.{high}", values[1])
    written = found.model.written("climate")
    if not isinstance(written, dict) or {"id", "weather", "value"} & set(written):
        return
    for key in ("dry_bulb_0p4", "wet_bulb_0p4"):
        if key not in written:
            found.wrong(f"climate.{key}", "is missing", "own design conditions need both")


def _check_phases(found: Findings, site: Site) -> None:
    before: dict[str, Any] = {}
    for index, phase in enumerate(site.phases):
        at = f"phases.{index}"
        if phase.it_mw is None and phase.facility_mw is None:
            continue
        rows = (("date", phase.date), ("it", phase.it_mw), ("facility", phase.facility_mw))
        for key, value in rows:
            if value is None:
                continue
            if key in before and value.value <= before[key].value:
                found.wrong(
                    f"{at}.{key}",
                    f"{shown(value)} is not above {shown(before[key])} of the phase before",
                    "phases are cumulative and in order",
                )
            before[key] = value
        found.at_most(f"{at}.it", phase.it_mw, f"{at}.facility", phase.facility_mw)


def _check_generation(found: Findings, site: Site) -> None:
    _unique(found, "generation", [item.name for item in site.generation])
    for index, unit in enumerate(site.generation):
        at = f"generation.{index}"
        found.at_most(f"{at}.firm", unit.firm_mw, f"{at}.gross", unit.gross_mw)
        variable = unit.type in ("solar", "wind")  # no firm power of their own, said when planned
        if unit.firm_mw is None and unit.gross_mw is not None and not variable:
            found.warn(
                "generation_firm_assumed",
                f"{at}.firm",
                "firm power is not given; the largest unit is taken off the gross power",
            )


def _unique(found: Findings, group: str, names: Sequence[str | None]) -> None:
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if name is None:
            continue
        if name in first:
            found.wrong(
                f"{group}.{index}.name", f"{seen(name)} is the name of {group}.{first[name]} too"
            )
        first.setdefault(name, index)


def check_grid(grid: Grid) -> Findings:
    """Cross-field checks of a service point."""
    found = Findings(grid, "grid")
    if (
        grid.requested_mw is None
        and not grid.stages
        and not any(grid.written(key) is not None for key in ("requested", "stages"))
    ):
        found.wrong("requested", "is missing", "give the MW requested, or stages, or both")
    if grid.operator is None and grid.utility is None and grid.iso in (None, "none"):
        found.warn("grid_operator_unknown", "operator", "neither operator nor utility is given")
    found.at_most("approved", grid.approved_mw, "requested", grid.requested_mw)
    found.ordered(
        (key, getattr(grid, key)) for key in ("request_date", "study_due", "agreement_date")
    )
    _check_stages(found, grid)
    _check_voltage(found, grid)
    _check_short_circuit(found, grid)
    for index, unit in enumerate(grid.transformers):
        at = f"transformers.{index}"
        found.at_most(f"{at}.mva_onan", unit.onan_mva, f"{at}.mva", unit.top_mva)
    _unique(found, "transformers", [unit.name for unit in grid.transformers])
    if grid.transformers and grid.existing_load is None:
        found.warn(
            "existing_load_unknown",
            "existing_load",
            "the load on the existing transformers is not given; their spare power is unknown",
        )
    for index, limit in enumerate(grid.oscillation_limits):
        at = f"oscillation_limits.{index}"
        low, high = limit.frequency_min_hz, limit.frequency_max_hz
        found.at_most(f"{at}.frequency_min", low, f"{at}.frequency_max", high)
    energy = grid.tariff.energy_usd_per_mwh if grid.tariff is not None else None
    if energy is not None and not 20.0 <= energy.value <= 250.0:
        found.warn(
            "energy_price_unusual", "tariff.energy", f"{shown(energy)} is outside 20 to 250 USD/MWh"
        )
    for index, upgrade in enumerate(grid.upgrades):
        if upgrade.name is not None and upgrade.name in [u.name for u in grid.upgrades[:index]]:
            found.wrong(f"upgrades.{index}.name", f"{seen(upgrade.name)} stands there twice")
    return found


def _check_stages(found: Findings, grid: Grid) -> None:
    _unique(found, "stages", [stage.name for stage in grid.stages])
    firm: Any = None
    day: Any = None
    for index, stage in enumerate(grid.stages):
        at = f"stages.{index}"
        if stage.firm_mw is not None:
            found.at_most(f"{at}.firm", stage.firm_mw, "requested", grid.requested_mw)
            if firm is not None and exceeds(firm.value, stage.firm_mw.value):
                found.wrong(
                    f"{at}.firm",
                    f"{shown(stage.firm_mw)} is below {shown(firm)} of the stage before",
                    "stages are cumulative: firm MW never falls",
                )
            firm = stage.firm_mw
            if grid.approved_mw is not None and exceeds(
                stage.firm_mw.value, grid.approved_mw.value
            ):
                found.warn(
                    "stage_above_approved",
                    f"{at}.firm",
                    f"stage {seen(stage.name)}: {shown(stage.firm_mw)} is above the "
                    f"{shown(grid.approved_mw)} approved; the rest is a request",
                )
            _check_total(found, grid, index)
        if stage.energised is not None:
            if day is not None and stage.energised.value < day.value:
                found.wrong(
                    f"{at}.energised",
                    f"{stage.energised.value} is before {day.value} of the stage before",
                    "stages stand in the order of their dates",
                )
            day = stage.energised


def _check_total(found: Findings, grid: Grid, index: int) -> None:
    """Firm and non-firm together must not exceed what was requested."""
    stage = grid.stages[index]
    firm, nonfirm, requested = stage.firm_mw, stage.nonfirm_mw, grid.requested_mw
    if firm is None or nonfirm is None or requested is None:
        return
    if exceeds(firm.value, requested.value):
        return  # said already
    if exceeds(firm.value + nonfirm.value, requested.value):
        found.wrong(
            f"stages.{index}.nonfirm",
            f"{shown(firm)} firm and {shown(nonfirm)} non-firm are above requested "
            f"{shown(requested)}",
        )


def _check_voltage(found: Findings, grid: Grid) -> None:
    kv = value_of(grid.voltage_kv)
    if kv is None or any(math.isclose(kv, usual, rel_tol=1e-6) for usual in USUAL_KV):
        return
    near = min(USUAL_KV, key=lambda usual: abs(usual - kv))
    found.warn(
        "voltage_unusual",
        "voltage",
        f"{shown(grid.voltage_kv)} is not a usual service voltage; the nearest is {near:g} kV",
    )


def _check_short_circuit(found: Findings, grid: Grid) -> None:
    level = grid.short_circuit
    kv = value_of(grid.voltage_kv)
    if level is None:
        found.warn(
            "short_circuit_assumed",
            "short_circuit",
            "the fault level at the connection point is not given; one is assumed",
        )
        return
    amounts: dict[str, float] = {}
    for key, datum in (("min", level.min), ("max", level.max)):
        if datum is None or kv is None:
            continue
        ka = datum.value if datum.unit == "kA" else datum.value / (math.sqrt(3.0) * kv)
        amounts[key] = ka
        low, high = _FAULT_KA
        if not low <= ka <= high:
            found.wrong(
                f"short_circuit.{key}",
                f"{shown(datum)} is {ka:.3g} kA at {shown(grid.voltage_kv)}",
                f"accepted: {low:g} to {high:g} kA",
            )
    if len(amounts) == 2 and exceeds(amounts["min"], amounts["max"]):
        found.wrong("short_circuit.min", f"{shown(level.min)} is above max {shown(level.max)}")


def check_rack(rack: RackFile) -> Findings:
    """Cross-field checks of a rack."""
    found = Findings(rack, "rack")
    found.at_most("typical", rack.typical_kw, "nameplate", rack.nameplate_kw)
    found.at_most("idle", rack.idle_kw, "nameplate", rack.nameplate_kw)
    if rack.typical_kw is not None:
        found.at_most("idle", rack.idle_kw, "typical", rack.typical_kw)
    if rack.nameplate_kw is not None and rack.peak_kw is not None:
        found.at_most("nameplate", rack.nameplate_kw, "peak", rack.peak_kw)
    found.at_most(
        "supply_temp_min", rack.supply_temp_min_c, "supply_temp_max", rack.supply_temp_max_c
    )
    found.at_most("inlet_temp_min", rack.inlet_temp_min_c, "inlet_temp_max", rack.inlet_temp_max_c)
    liquid = value_of(rack.liquid_heat_fraction)
    if liquid is not None and rack.coolant is not None:
        if liquid > 0.0 and rack.coolant == "none":
            found.wrong("coolant", "is none, but liquid_heat_fraction is above 0")
        if liquid == 0.0 and rack.coolant != "none":
            found.wrong("coolant", f"is {rack.coolant}, but liquid_heat_fraction is 0")
    before: Any = None
    for index, row in enumerate(rack.flow_table):
        if row.supply_temp_c is None:
            continue
        if before is not None and row.supply_temp_c.value <= before.value:
            found.wrong(
                f"flow_table.{index}.supply_temp",
                f"{shown(row.supply_temp_c)} is not above {shown(before)} of the row before",
            )
        before = row.supply_temp_c
    return found


def check_workload(workload: Workload) -> Findings:
    """Cross-field checks of the jobs."""
    found = Findings(workload, "workload")
    _unique(found, "jobs", [job.name for job in workload.jobs])
    total = sum(value_of(job.share) or 0.0 for job in workload.jobs)
    if total > 1.0 + 1e-9:
        found.wrong("jobs", f"the shares add up to {total:.4g}, more than all accelerators")
    if workload.written("jobs") == []:
        found.wrong("jobs", "holds no job")
    for index, job in enumerate(workload.jobs):
        model = job.model
        if model is not None:
            at = f"jobs.{index}.model"
            active, whole = model.active_parameters, model.parameters
            found.at_most(f"{at}.active_parameters", active, f"{at}.parameters", whole)
    return found
