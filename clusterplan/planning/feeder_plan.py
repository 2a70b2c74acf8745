"""MV feeders of one plan: number with spares or rings, loading, voltage drop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan import catalog
from clusterplan.catalog import UnknownRowError
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import given
from clusterplan.sizing import power_blocks
from clusterplan.sizing.electrical_load import feeder_ohm, load_mvar, voltage_drop_percent

if TYPE_CHECKING:
    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.substation_plan import ElectricalDesign

DROP_MAX_PERCENT = 5.0  # planning practice for the whole way to the load


def feeder_figures(
    design: ElectricalDesign, choices: Choices, substation: SubstationSection
) -> dict[str, Any]:
    """Feeders with their spares, or open rings, and their loadings; none at an MV service."""
    if substation.service == "mv":
        return {
            "mv_topology": None,
            "feeders_installed": None,
            "feeder_mva": None,
            "feeder_loading_normal_percent": None,
            "feeder_loading_degraded_percent": None,
            "feeder_voltage_drop_percent": None,
        }
    topology = choices.text("electrical.mv_topology")
    amperes, kv = design.rules.feeder_current_a, substation.mv_kv
    sections = substation.transformers * substation.secondaries
    load = substation.rating_power_mva / sections
    capacity = power_blocks.feeder_mva(kv, amperes)
    if topology == "ring":
        running = power_blocks.section_rings(load, kv, amperes)
        each, left = 2 * running, running
        given("distribution.feeders_per_section", each, "feeders", "two a ring")
    else:
        each = (substation.feeders + (substation.feeders_spare or 0)) // sections
        left = each - 1
        words = f"feeders with spares / {sections} sections"
        given("distribution.feeders_per_section", each, "feeders", words)
    return {
        "mv_topology": topology,
        "feeder_mva": capacity,
        "feeders_installed": power_blocks.feeders_installed(sections, each),
        "feeder_loading_normal_percent": power_blocks.block_loading_percent(load, each, capacity),
        "feeder_loading_degraded_percent": power_blocks.block_loading_percent(load, left, capacity),
        "feeder_voltage_drop_percent": _voltage_drop(design, choices, substation, load / left),
    }


def _voltage_drop(
    design: ElectricalDesign, choices: Choices, substation: SubstationSection, each_mva: float
) -> float | None:
    """Drop along the longest feeder that carries `each_mva`; None where its length is not given."""
    length_m = choices.optional("electrical.feeder_length")
    name = choices.text("electrical.feeder_cable")
    if length_m is None:
        return None
    try:
        cable = catalog.mv_cable(name) if name else catalog.mv_cables(design.tables.practice)[0]
    except UnknownRowError as error:
        path = "design.electrical.feeder_cable"
        raise InputError(
            Problem(f'unknown MV cable "{name}"', path=path, hint=error.hint)
        ) from None
    if not name:
        choices.ledger.assume("design.electrical.feeder_cable", cable.id, "", cable.name)
    # the feeder's load has the power factor of the MV side where one is known
    factor = design.duty.power_factor_mv or substation.power_factor_hv
    given("distribution.feeder_load_mva", each_mva, "MVA", "section load / feeders that are left")
    active = each_mva * factor
    given("distribution.feeder_load_mw", active, "MW", f"x power factor {factor:.4g}")
    found = voltage_drop_percent(
        feeder_ohm(cable.r_ohm_per_km, length_m),
        feeder_ohm(cable.x_ohm_per_km, length_m),
        active,
        load_mvar(active, factor),
        substation.mv_kv,
    )
    if found > DROP_MAX_PERCENT:
        choices.ledger.warn(
            "feeder_voltage_drop",
            "design.electrical.feeder_length",
            f"the longest feeder drops {found:.1f} %, more than {DROP_MAX_PERCENT:g} %: a higher"
            " medium voltage or parallel cables are due",
        )
    return found
