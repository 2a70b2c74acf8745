"""What ships in `data/`: typed rows with provenance.

`rows(kind)` and `get(kind, id)` are generic; the accessors below are the same, typed. A kind's file
is read when it is first asked for, and kept.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from clusterplan.catalog.kinds import (
    KINDS,
    Kind,
    UnknownRowError,
    comparison_fields,
    design_fields,
    get,
    kind_of,
    nearest_names,
    rows,
    spelled,
)
from clusterplan.catalog.location import data_dir
from clusterplan.catalog.provenance import sources, sources_of

if TYPE_CHECKING:
    from clusterplan.core import equipment, siting_rows
    from clusterplan.core.equipment import (
        Accelerator,
        CableLengths,
        Cdu,
        Climate,
        Coolant,
        CountryConditions,
        Optic,
        Rack,
        Region,
        State,
        StateConditions,
        Switch,
        UnitCost,
    )

__all__ = [
    "KINDS",
    "Kind",
    "UnknownRowError",
    "accelerator",
    "accelerators",
    "breakers",
    "cable_lengths",
    "cdu",
    "cdus",
    "climate",
    "climates",
    "comparison_fields",
    "coolant",
    "coolant_quality",
    "coolants",
    "criteria",
    "criterion_data",
    "country_conditions",
    "data_dir",
    "density_thresholds",
    "design_fields",
    "flicker_points",
    "get",
    "glycol_protection",
    "heat_rejection_footprints",
    "interconnection_rules",
    "kind_of",
    "lead_times",
    "nearest_names",
    "optics",
    "pipes",
    "rack",
    "racks",
    "region",
    "regions",
    "rows",
    "short_circuit_defaults",
    "sources",
    "sources_of",
    "spelled",
    "state_conditions",
    "substation_yards",
    "swing_limits",
    "switch",
    "switches",
    "tdd_limits",
    "transformer_impedances",
    "transformer_losses",
    "transformer_ratings",
    "unit_cost",
    "unit_costs",
    "unit_substations",
    "us_states",
    "voltage_aliases",
    "voltage_classes",
]


def racks() -> tuple[Rack, ...]:
    """All racks."""
    return cast("tuple[Rack, ...]", rows("racks"))


def rack(rack_id: str) -> Rack:
    """One rack. Raises UnknownRowError."""
    return cast("Rack", get("racks", rack_id))


def accelerators() -> tuple[Accelerator, ...]:
    """All accelerators."""
    return cast("tuple[Accelerator, ...]", rows("accelerators"))


def accelerator(accelerator_id: str) -> Accelerator:
    """One accelerator. Raises UnknownRowError."""
    return cast("Accelerator", get("accelerators", accelerator_id))


def switches() -> tuple[Switch, ...]:
    """All switches."""
    return cast("tuple[Switch, ...]", rows("switches"))


def switch(switch_id: str) -> Switch:
    """One switch. Raises UnknownRowError."""
    return cast("Switch", get("switches", switch_id))


def optics() -> tuple[Optic, ...]:
    """All modules, cable ends and copper cords."""
    return cast("tuple[Optic, ...]", rows("optics"))


def cable_lengths() -> tuple[CableLengths, ...]:
    """Lengths in stock, by sort of cable."""
    return cast("tuple[CableLengths, ...]", rows("cable-lengths"))


def cdus(*, automatic: bool = False) -> tuple[Cdu, ...]:
    """All CDUs, or only those that may be chosen automatically, in order of preference."""
    found = cast("tuple[Cdu, ...]", rows("cdus"))
    return tuple(row for row in found if row.automatic) if automatic else found


def cdu(cdu_id: str) -> Cdu:
    """One CDU. Raises UnknownRowError."""
    return cast("Cdu", get("cdus", cdu_id))


def coolants(*, glycol: bool = False) -> tuple[Coolant, ...]:
    """All coolants, or only propylene glycol by rising mass fraction, to interpolate between."""
    found = cast("tuple[Coolant, ...]", rows("coolants"))
    if not glycol:
        return found
    return tuple(sorted((c for c in found if c.mass_fraction > 0), key=lambda c: c.mass_fraction))


def coolant(coolant_id: str) -> Coolant:
    """One coolant (`water`, `pg25`). Raises UnknownRowError."""
    return cast("Coolant", get("coolants", coolant_id))


def glycol_protection() -> tuple[equipment.GlycolPoint, ...]:
    """Glycol percent by protection temperature."""
    return cast("tuple[equipment.GlycolPoint, ...]", rows("glycol-protection"))


def pipes() -> tuple[equipment.PipeSize, ...]:
    """Pipe sizes, smallest first."""
    return cast("tuple[equipment.PipeSize, ...]", rows("pipes"))


def climates() -> tuple[Climate, ...]:
    """All climates."""
    return cast("tuple[Climate, ...]", rows("climates"))


def climate(climate_id: str) -> Climate:
    """One climate by its slug (`abilene-tx`). Raises UnknownRowError."""
    return cast("Climate", get("climates", climate_id))


def coolant_quality() -> tuple[equipment.CoolantQuality, ...]:
    """Limits on the coolants of the loops, filters and leak protection."""
    return cast("tuple[equipment.CoolantQuality, ...]", rows("coolant-quality"))


def density_thresholds() -> tuple[equipment.DensityThreshold, ...]:
    """Cooling methods by rack power, lowest first within a class."""
    return cast("tuple[equipment.DensityThreshold, ...]", rows("density-thresholds"))


def heat_rejection_footprints() -> tuple[equipment.HeatRejectionFootprint, ...]:
    """Ground area by kind of heat rejection (ids are those of `heat_rejection`)."""
    return cast("tuple[equipment.HeatRejectionFootprint, ...]", rows("heat-rejection-footprints"))


def transformer_ratings(practice: str = "") -> tuple[equipment.TransformerRating, ...]:
    """Transformer ratings, smallest first, of one practice (`ieee`, `iec`) if given."""
    found = cast("tuple[equipment.TransformerRating, ...]", rows("transformer-ratings"))
    return tuple(row for row in found if practice in ("", row.practice))


def transformer_losses(practice: str = "") -> tuple[equipment.TransformerLoss, ...]:
    """Transformer losses by base rating, smallest first."""
    found = cast("tuple[equipment.TransformerLoss, ...]", rows("transformer-losses"))
    return tuple(row for row in found if practice in ("", row.practice))


def transformer_impedances(practice: str = "") -> tuple[equipment.TransformerImpedance, ...]:
    """Impedances by HV class (IEEE) or rating (IEC), smallest first."""
    found = cast("tuple[equipment.TransformerImpedance, ...]", rows("transformer-impedances"))
    return tuple(row for row in found if practice in ("", row.practice))


def voltage_classes(practice: str = "") -> tuple[equipment.VoltageClass, ...]:
    """Transmission voltages, lowest first."""
    found = cast("tuple[equipment.VoltageClass, ...]", rows("voltage-classes"))
    return tuple(row for row in found if practice in ("", row.practice))


def voltage_aliases() -> tuple[equipment.VoltageAlias, ...]:
    """Nominal voltages that use another class."""
    return cast("tuple[equipment.VoltageAlias, ...]", rows("voltage-aliases"))


def short_circuit_defaults() -> tuple[equipment.ShortCircuitDefault, ...]:
    """Assumed fault levels, lowest voltage first."""
    return cast("tuple[equipment.ShortCircuitDefault, ...]", rows("short-circuit-defaults"))


def breakers(practice: str = "", level: str = "") -> tuple[equipment.BreakerClass, ...]:
    """Breaker families of one practice and level (`hv`, `mv`) if given, lowest voltage first."""
    found = cast("tuple[equipment.BreakerClass, ...]", rows("breakers"))
    return tuple(
        row for row in found if practice in ("", row.practice) and level in ("", row.level)
    )


def unit_substations(practice: str = "") -> tuple[equipment.UnitSubstation, ...]:
    """MV/LV unit substations, smallest first."""
    found = cast("tuple[equipment.UnitSubstation, ...]", rows("unit-substations"))
    return tuple(row for row in found if practice in ("", row.practice))


def mv_cables(practice: str = "") -> tuple[equipment.MvCable, ...]:
    """MV cables of one practice if given, copper first."""
    found = cast("tuple[equipment.MvCable, ...]", rows("mv-cables"))
    return tuple(row for row in found if practice in ("", row.practice))


def mv_cable(cable_id: str) -> equipment.MvCable:
    """One MV cable. Raises UnknownRowError."""
    return cast("equipment.MvCable", get("mv-cables", cable_id))


def ups(ups_id: str) -> equipment.Ups:
    """One kind of UPS (`double-conversion`, `rack-bbu`). Raises UnknownRowError."""
    return cast("equipment.Ups", get("ups", ups_id))


def ups_efficiency(row: equipment.Ups, load_percent: float) -> float:
    """Efficiency in percent at a load, by its curve; ends held, the planning figure without one."""
    points = list(zip(row.curve_load_percent, row.curve_percent, strict=True))
    if not points:
        return row.efficiency_percent
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        if load_percent <= x1:
            share = max(0.0, load_percent - x0) / (x1 - x0)
            return y0 + (y1 - y0) * share
    return points[-1][1]


def genset_near(unit_mw: float) -> equipment.Genset:
    """The standby set whose rating is nearest."""
    found = cast("tuple[equipment.Genset, ...]", rows("gensets"))
    return min(found, key=lambda row: abs(row.unit_mw - unit_mw))


def machine_of(generation_type: str) -> equipment.Machine | None:
    """What is known of on-site units of that type, None where nothing is."""
    found = cast("tuple[equipment.Machine, ...]", rows("machines"))
    return next((row for row in found if generation_type in row.generation_types), None)


def substation_yards() -> tuple[equipment.SubstationYard, ...]:
    """Substation yards, lowest voltage first."""
    return cast("tuple[equipment.SubstationYard, ...]", rows("substation-yards"))


def tdd_limits() -> tuple[equipment.TddLimit, ...]:
    """IEEE 519 current distortion limits, lowest voltage and Isc/IL first."""
    return cast("tuple[equipment.TddLimit, ...]", rows("tdd-limits"))


def flicker_points() -> tuple[equipment.FlickerPoint, ...]:
    """The Pst 1 curve, lowest frequency first."""
    return cast("tuple[equipment.FlickerPoint, ...]", rows("flicker-points"))


def swing_limits() -> tuple[equipment.SwingLimit, ...]:
    """Limits on ramps, fast changes and oscillation of load, by grid operator."""
    return cast("tuple[equipment.SwingLimit, ...]", rows("swing-limits"))


def interconnection_rules() -> tuple[equipment.InterconnectionRule, ...]:
    """Rules for connecting large loads, by region."""
    return cast("tuple[equipment.InterconnectionRule, ...]", rows("interconnection-rules"))


def regions() -> tuple[Region, ...]:
    """All countries of ISO 3166-1."""
    return cast("tuple[Region, ...]", rows("regions"))


def region(code: str) -> Region:
    """One country by alpha-2 or alpha-3 code or id, any case. Raises UnknownRowError."""
    row = _regions_by_code().get(code.strip().upper())
    if row is not None:
        return row
    raise UnknownRowError("country", code, (row.iso2.lower() for row in regions()))


@cache
def _regions_by_code() -> dict[str, Region]:
    return {code: row for row in regions() for code in (row.iso2, row.iso3)}


def us_states() -> tuple[State, ...]:
    """The 50 states and the District of Columbia."""
    return cast("tuple[State, ...]", rows("us-states"))


def criteria() -> tuple[siting_rows.Criterion, ...]:
    """Criteria of the site comparison, in the order in which they are shown."""
    return cast("tuple[siting_rows.Criterion, ...]", rows("criteria"))


def criterion_data() -> tuple[siting_rows.CriterionDatum, ...]:
    """The data of all criteria, those of one criterion together."""
    return cast("tuple[siting_rows.CriterionDatum, ...]", rows("criterion-data"))


def lead_times() -> dict[str, siting_rows.LeadTime]:
    """Lead times and durations by id."""
    found = cast("tuple[siting_rows.LeadTime, ...]", rows("lead-times"))
    return {row.id: row for row in found}


def unit_costs() -> tuple[UnitCost, ...]:
    """All costs, prices and rates."""
    return cast("tuple[UnitCost, ...]", rows("unit-costs"))


def unit_cost(cost_id: str) -> UnitCost:
    """One cost by its id (`substation-hv-mv`). Raises UnknownRowError."""
    return cast("UnitCost", get("unit-costs", cost_id))


def country_conditions(iso2: str) -> CountryConditions | None:
    """What a first screen knows of a country; None where no row stands."""
    return cast("CountryConditions | None", _found("country-conditions", iso2))


def state_conditions(code: str) -> StateConditions | None:
    """What a first screen knows of a US state; None where no row stands."""
    return cast("StateConditions | None", _found("state-conditions", code))


def _found(kind: str, row_id: str) -> object:
    try:
        return get(kind, row_id.lower())
    except UnknownRowError:
        return None
