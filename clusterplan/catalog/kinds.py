"""What kinds of rows the catalogue has, and how one is found by its id."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from clusterplan.catalog.loading import read_rows
from clusterplan.catalog.location import data_dir
from clusterplan.core import equipment, siting_rows
from clusterplan.core.equipment import CatalogRow, Rack, RackFlowPoint
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.frozen import frozen
from clusterplan.core.record import consulted

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from clusterplan.core.fields import FieldSpec

# letters from which one name inside another is a likeness
_TELLING = 4


@dataclass(frozen=True)
class Kind:
    """One kind: its name on the command line, its rows, and the columns of a short list."""

    name: str
    row_class: type[CatalogRow]
    text: str
    columns: tuple[str, ...]

    @property
    def file(self) -> str:
        """Name of its file in the data folder."""
        return self.name.replace("-", "_") + ".csv"


def _kind(name: str, row_class: type[CatalogRow], text: str, columns: str) -> Kind:
    return Kind(name, row_class, text, tuple(columns.split()))


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _kind(
            "accelerators",
            equipment.Accelerator,
            "accelerator packages; TFLOPS are dense",
            "year memory_gb bf16_tflops fp8_tflops fp4_tflops tdp_w scale_up_domain_size",
        ),
        _kind(
            "racks",
            Rack,
            "racks as delivered: power, cooling, ports, scalable unit",
            "accelerator nameplate_kw typical_kw peak_kw liquid_heat_fraction su_servers su_switch",
        ),
        _kind(
            "switches",
            equipment.Switch,
            "network switches; power without pluggable modules",
            "kind ports gbps_per_port rack_units cooling planning_power_w",
        ),
        _kind(
            "optics",
            equipment.Optic,
            "modules, cable ends and copper cords; power per end",
            "kind form speed_gbps reach_max_m power_w twin",
        ),
        _kind(
            "cable-lengths",
            equipment.CableLengths,
            "lengths in stock by sort of cable",
            "lengths_m",
        ),
        _kind(
            "cdus",
            equipment.Cdu,
            "coolant distribution units; capacity, flow and head are separate limits",
            "kind capacity_kw approach_k flow_max_l_per_min head_kpa electric_kw automatic",
        ),
        _kind(
            "coolants",
            equipment.Coolant,
            "property fits of water and propylene glycol by mass fraction",
            "mass_fraction min_temp_c max_temp_c freeze_temp_c",
        ),
        _kind(
            "glycol-protection",
            equipment.GlycolPoint,
            "propylene glycol by volume that protects to a temperature",
            "min_temp_c pg_vol_percent",
        ),
        _kind(
            "pipes",
            equipment.PipeSize,
            "steel pipe: inner diameter and planning limit of velocity",
            "dn inner_diameter_mm velocity_max_m_per_s",
        ),
        _kind(
            "climates",
            equipment.Climate,
            "design conditions and annual means of weather stations",
            "country elevation_m db_0p4_c wb_0p4_c db_n20_c heating_99p6_c annual_mean_db_c",
        ),
        _kind(
            "coolant-quality",
            equipment.CoolantQuality,
            "coolant chemistry, filters, leak protection of the loops",
            "loop low high quantity_unit",
        ),
        _kind(
            "density-thresholds",
            equipment.DensityThreshold,
            "cooling method and the rack power up to which it is used",
            "density_class max_kw",
        ),
        _kind(
            "heat-rejection-footprints",
            equipment.HeatRejectionFootprint,
            "ground area and cost of heat rejection",
            "footprint_m2_per_mw footprint_min_m2_per_mw footprint_max_m2_per_mw cost_usd_per_kw",
        ),
        _kind(
            "transformer-ratings",
            equipment.TransformerRating,
            "power transformer ratings: IEEE ONAN and top stage, IEC rated",
            "practice onan_mva top_mva typical_hv_kv",
        ),
        _kind(
            "transformer-losses",
            equipment.TransformerLoss,
            "no-load and load loss in percent of the base rating",
            "practice base_mva no_load_percent load_percent",
        ),
        _kind(
            "transformer-impedances",
            equipment.TransformerImpedance,
            "impedance in percent on the base rating",
            "practice hv_kv mva_min mva_max impedance_percent",
        ),
        _kind(
            "voltage-classes",
            equipment.VoltageClass,
            "transmission voltages and the load that each serves",
            "practice kv max_kv amps_typ thermal_mva load_mw_typ_max",
        ),
        _kind(
            "voltage-aliases",
            equipment.VoltageAlias,
            "nominal voltages that use the equipment of another class",
            "kv use_kv",
        ),
        _kind(
            "short-circuit-defaults",
            equipment.ShortCircuitDefault,
            "assumed grid fault level where the grid file gives none",
            "kv_max min_ka max_ka x_over_r",
        ),
        _kind(
            "breakers",
            equipment.BreakerClass,
            "breaker families: continuous and interrupting ratings",
            "practice level kv_max continuous_a interrupting_ka",
        ),
        _kind(
            "mv-feeders",
            equipment.MvFeeder,
            "medium-voltage distribution voltages and the planned feeder",
            "practice kv feeder_a loading_limit_percent",
        ),
        _kind(
            "mv-cables",
            equipment.MvCable,
            "medium-voltage cables",
            "practice kv r_ohm_per_km x_ohm_per_km mvar_per_km",
        ),
        _kind(
            "unit-substations",
            equipment.UnitSubstation,
            "MV/LV unit substations",
            "practice mva lv_v impedance_percent efficiency_percent",
        ),
        _kind(
            "ups",
            equipment.Ups,
            "kinds of UPS: efficiency and battery time",
            "position efficiency_percent autonomy_s",
        ),
        _kind(
            "gensets",
            equipment.Genset,
            "standby generating sets",
            "unit_mw fuel_l_per_mwh",
        ),
        _kind(
            "machines",
            equipment.Machine,
            "on-site units: fault contribution, inertia, block load, ramp",
            "generation_types subtransient_percent inertia_s block_load_percent full_ramp_minutes",
        ),
        _kind(
            "substation-yards",
            equipment.SubstationYard,
            "fenced yard of a substation",
            "hv_kv transformers_mva ais_min_acres ais_max_acres gis_min_acres gis_max_acres",
        ),
        _kind(
            "tdd-limits",
            equipment.TddLimit,
            "IEEE 519 current distortion limits",
            "kv_max isc_il_max tdd_percent",
        ),
        _kind(
            "flicker-points",
            equipment.FlickerPoint,
            "relative voltage change for Pst 1 by square-wave frequency",
            "hz v230_percent v120_percent",
        ),
        _kind(
            "swing-limits",
            equipment.SwingLimit,
            "limits on ramps, fast changes and oscillation of load, by grid operator",
            "who quantity limit limit_percent window_s low_hz high_hz status",
        ),
        _kind(
            "interconnection-rules",
            equipment.InterconnectionRule,
            "rules for connecting large loads: threshold, stages, duration, security, status",
            "topic threshold_mw threshold_mva least_months most_months status in_force",
        ),
        _kind(
            "regions",
            equipment.Region,
            "countries: ISO codes, electrical practice, frequency, coordinate box",
            "iso2 iso3 practice frequency_hz",
        ),
        _kind(
            "us-states",
            equipment.State,
            "states of the United States with coordinate boxes",
            "code lat_min lat_max lon_min lon_max",
        ),
        _kind(
            "criteria",
            siting_rows.Criterion,
            "criteria of the site comparison and their weights in each preset",
            "training sustainability sovereign",
        ),
        _kind(
            "criterion-data",
            siting_rows.CriterionDatum,
            "what each criterion is measured by, with its fixed anchors",
            "criterion share unit worst best log regional",
        ),
        _kind(
            "lead-times",
            siting_rows.LeadTime,
            "lead times and durations: low (P10), typical, high (P90)",
            "unit low typical high year",
        ),
        _kind(
            "unit-costs",
            equipment.UnitCost,
            "costs, prices and rates with their planning range",
            "unit year low typical high",
        ),
        _kind(
            "country-conditions",
            equipment.CountryConditions,
            "countries for a first screen: price, carbon, water, hazards, export rules",
            "price_usd_per_mwh grid_carbon_g_per_kwh water_stress seismic storm export_tier"
            " data_regime",
        ),
        _kind(
            "state-conditions",
            equipment.StateConditions,
            "US states for a first screen: price, carbon, water, taxes",
            "market price_usd_per_mwh grid_carbon_g_per_kwh water_stress water_rights"
            " sales_tax_exemption",
        ),
    )
}


class UnknownRowError(InputError, KeyError):
    """No kind or row of that name; `nearest` are known names that look like it.

    Names come from users, so one that nothing catches still is bad input. Whoever knows the option
    or the line catches it and says so.
    """

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        known = tuple(known)
        self.what = what
        self.name = name
        self.nearest = nearest_names(name, known)
        super().__init__(Problem(f"unknown {what} {name!r}", hint=self.hint or None))

    def __str__(self) -> str:
        """Say what is unknown, and the nearest known name."""
        return str(self.problems[0])

    @property
    def hint(self) -> str:
        """A question for the user, '' where nothing is near."""
        return f'did you mean "{self.nearest[0]}"?' if self.nearest else ""


def nearest_names(name: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """Known names most like `name`: those that hold it or are held by it, then by spelling."""
    import difflib

    names = tuple(known)
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    # a letter or two inside a long name is chance
    inside = [
        item
        for item in names
        if min(len(wanted), len(item)) >= _TELLING and (wanted in item or item in wanted)
    ]
    close = difflib.get_close_matches(wanted, names, n=count, cutoff=0.6)
    starts = sorted((item for item in names if wanted[1:] and item.startswith(wanted)), key=len)
    return tuple(dict.fromkeys((*starts, *close, *sorted(inside, key=len))))[:count]


def spelled(name: str, known: Container[str]) -> str | None:
    """`name` as the kinds spell it: also with underscores or in the singular; None if unknown."""
    if name in known:
        return name
    plain = name.strip().lower().replace("_", "-")
    return next((item for item in (plain, plain + "s", plain + "es") if item in known), None)


def kind_of(name: str) -> Kind:
    """The kind of that name (`tdd-limits`, `tdd_limits`, `tdd-limit`). Raises UnknownRowError."""
    found = spelled(name, KINDS)
    if found is None:
        raise UnknownRowError("kind", name, KINDS)
    return KINDS[found]


@cache
def _table(name: str) -> dict[str, CatalogRow]:
    kind = KINDS[name]
    found: list[CatalogRow] = list(read_rows(data_dir() / kind.file, kind.row_class))
    if kind.row_class is Rack:
        found = [*_with_flow_tables(cast("list[Rack]", found))]
    return {row.id: row for row in found}


@frozen
class _FlowRow(RackFlowPoint):
    """A line of rack_flow.csv."""

    rack: str
    source: str
    verified: str
    note: str = ""


def _with_flow_tables(found: list[Rack]) -> list[Rack]:
    tables: dict[str, list[RackFlowPoint]] = {}
    for point in read_rows(data_dir() / "rack_flow.csv", _FlowRow):
        tables.setdefault(point.rack, []).append(
            RackFlowPoint(point.supply_temp_c, point.flow_l_per_min, point.pressure_drop_kpa)
        )
    return [
        dataclasses.replace(row, flow_table=tuple(tables[row.id])) if row.id in tables else row
        for row in found
    ]


def rows(kind: str) -> tuple[CatalogRow, ...]:
    """All rows of a kind, in file order. Raises UnknownRowError for an unknown kind."""
    return _rows(kind_of(kind).name)


@cache
def _rows(name: str) -> tuple[CatalogRow, ...]:
    return tuple(_table(name).values())


def get(kind: str, row_id: str) -> CatalogRow:
    """One row by its id. Raises UnknownRowError, which carries the nearest known names."""
    entry = kind_of(kind)
    table = _table(entry.name)
    row = table.get(row_id)
    if row is None:
        raise UnknownRowError(_singular(entry.name), row_id, table)
    consulted(f"{entry.name}.{row_id}", row)
    return row


def _singular(kind: str) -> str:
    words = kind.replace("-", " ")
    if words.endswith("switches"):
        return "switch"
    if words.endswith("classes"):
        return words[:-2]
    return words.removesuffix("s")


@cache
def design_fields() -> dict[str, FieldSpec]:
    """The table of engineering choices (`data/design_fields.csv`), by path below `design.`."""
    from clusterplan.core.fields import FieldSpec

    specs = read_rows(data_dir() / "design_fields.csv", FieldSpec)
    return {spec.path: spec for spec in specs}


@cache
def comparison_fields() -> dict[str, FieldSpec]:
    """The table of settings of a comparison (`data/comparison_fields.csv`), by path."""
    from clusterplan.core.fields import FieldSpec

    specs = read_rows(data_dir() / "comparison_fields.csv", FieldSpec)
    return {spec.path: spec for spec in specs}
