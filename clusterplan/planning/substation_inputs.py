"""Catalogue and choices as the plain tables and rules that a substation is sized from."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from clusterplan import catalog
from clusterplan.sizing.substation_tables import (
    BoardUnit,
    BreakerFamily,
    FaultDefault,
    SubstationRules,
    SubstationTables,
    UnitRating,
    VoltageStep,
)

if TYPE_CHECKING:
    from clusterplan.planning.choices import Choices


def practice_of(country: str) -> tuple[str, float]:
    """Equipment practice (`ieee`, `iec`) and grid frequency (Hz) of a country by ISO 3166 code.

    Raises catalog.UnknownRowError.
    """
    row = catalog.region(country)
    return row.practice or "iec", row.frequency_hz or 50.0


@cache
def tables_of(practice: str, frequency_hz: float) -> SubstationTables:
    """The catalogue's electrical rows of one practice; 120 V lamp for flicker at 60 Hz."""
    impedances = catalog.transformer_impedances(practice)
    return SubstationTables(
        practice=practice,
        ratings=tuple(
            UnitRating(row.onan_mva, row.top_mva, row.typical_hv_kv)
            for row in catalog.transformer_ratings(practice)
        ),
        losses=tuple(
            sorted(
                (row.base_mva, row.no_load_percent / 100.0, row.load_percent / 100.0)
                for row in catalog.transformer_losses(practice)
            )
        ),
        impedance_by_kv=tuple(
            sorted((r.hv_kv, r.impedance_percent / 100.0) for r in impedances if r.hv_kv)
        ),
        impedance_by_mva=tuple(
            sorted((r.mva_max, r.impedance_percent / 100.0) for r in impedances if r.mva_max)
        ),
        voltages=tuple(
            sorted(
                VoltageStep(row.kv, row.load_mw_typ_max, row.amps_typ)
                for row in catalog.voltage_classes(practice)
            )
        ),
        aliases=tuple((row.kv, row.use_kv) for row in catalog.voltage_aliases()),
        mv_breakers=_families(practice, "mv"),
        hv_breakers=_families(practice, "hv"),
        boards=_boards(practice),
        fault_defaults=tuple(
            sorted(
                FaultDefault(row.kv_max, row.min_ka, row.max_ka, row.x_over_r)
                for row in catalog.short_circuit_defaults()
            )
        ),
        distortion=tuple(
            (row.kv_max, row.isc_il_max, row.tdd_percent) for row in catalog.tdd_limits()
        ),
        flicker=tuple(
            sorted(
                (row.hz, row.v120_percent if frequency_hz > 55.0 else row.v230_percent)
                for row in catalog.flicker_points()
            )
        ),
    )


def _families(practice: str, level: str) -> tuple[BreakerFamily, ...]:
    """One family a voltage: forced-cooled rows add their currents, not their fault ratings."""
    merged: dict[float, BreakerFamily] = {}
    for row in sorted(catalog.breakers(practice, level), key=lambda r: r.forced_cooled):
        known = merged.get(row.kv_max)
        currents = row.continuous_a + (known.continuous_a if known else ())
        faults = known.interrupting_ka if known else row.interrupting_ka
        merged[row.kv_max] = BreakerFamily(
            row.kv_max, tuple(sorted(set(currents))), tuple(sorted(faults))
        )
    return tuple(merged[kv] for kv in sorted(merged))


def _boards(practice: str) -> tuple[BoardUnit, ...]:
    found = []
    for row in catalog.unit_substations(practice):
        no_load = row.no_load_percent / 100.0
        load_loss = 1.0 - row.efficiency_percent / 100.0 - no_load
        impedance = row.impedance_percent / 100.0
        found.append(BoardUnit(row.mva, row.lv_v / 1000.0, impedance, no_load, load_loss))
    return tuple(sorted(found))


def rules_of(choices: Choices, frequency_hz: float) -> SubstationRules:
    """The `electrical.*` choices that rule the sizing, noted as assumptions where not given."""
    return SubstationRules(
        frequency_hz=frequency_hz,
        redundant=choices.integer("electrical.transformer_redundancy"),
        running=choices.text("electrical.running"),
        loading_max=choices.number("electrical.n1_loading_max"),
        units_per_group_max=choices.integer("electrical.units_per_group_max"),
        bus_current_max_a=choices.number("electrical.bus_current_max"),
        board_current_max_a=choices.number("electrical.board_current_max"),
        feeder_current_a=choices.number("electrical.feeder_current"),
        feeder_loading=choices.number("electrical.feeder_loading"),
        growth_margin=choices.number("growth_margin"),
        mv_step_max_percent=choices.number("electrical.mv_step_max"),
        tap_range_percent=choices.number("electrical.tap_range"),
        solid_neutral=choices.text("electrical.neutral") == "solid",
    )
