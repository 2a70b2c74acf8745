"""What carries the critical share of a plan when the grid is lost: UPS, standby sets, battery."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.sizing.generation import (
    critical_load_mw,
    genset_spares,
    gensets,
    standby_fuel_m3,
)
from clusterplan.sizing.power_blocks import block_loading_percent
from clusterplan.sizing.power_swing import (
    C_RATE,
    ROUND_TRIP,
    USABLE_WINDOW,
    buffer_mwh,
    two_way_energy_mwh,
)

if TYPE_CHECKING:
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.substation_plan import ChainLoads, ElectricalDesign

FIELDS = (
    "critical_load_mw",
    "gensets",
    "gensets_redundant",
    "genset_mw",
    "genset_required_mw",
    "genset_loading_percent",
    "standby_fuel_m3",
    "bess_mw",
    "bess_usable_mwh",
    "bess_mwh",
)


def standby_figures(
    design: ElectricalDesign,
    choices: Choices,
    loads: ChainLoads,
    facility_mw: float,
    ups_autonomy_s: float | None,
    storage: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Standby sets and battery on the critical share, and in words what carries when.

    storage: MW and usable MWh that stand on the site, beside what is sized here.
    """
    found: dict[str, Any] = dict.fromkeys(FIELDS)
    kind = choices.text("electrical.standby")
    carried = [] if ups_autonomy_s is None else [f"UPS {_duration(ups_autonomy_s)}"]
    if storage is not None and storage[0] > 0.0:
        power = min(storage[0], facility_mw)
        hours = storage[1] / power
        share_words = f"{100 * power / facility_mw:.0f} % of the facility for {hours:.3g} h"
        carried.append(f"site storage, {share_words}")
    if kind == "none":
        if storage is None or not storage[0]:
            carried.append("nothing")
        return found | {"carried": ", then ".join(carried)}
    share = choices.number("electrical.critical_share")
    found["critical_load_mw"] = critical = critical_load_mw(facility_mw, share)
    if "bess" in kind:
        seconds = choices.number("electrical.bess_time")
        found |= _battery(choices, critical, seconds)
        carried.append(f"battery {_duration(seconds)}")
    if "gensets" in kind:
        hours = choices.number("electrical.fuel_autonomy")
        found |= _sets(choices, loads.it_mw * share, facility_mw / loads.it_mw, critical, hours)
        carried.append(f"standby sets {hours:g} h")
        bridged = (ups_autonomy_s or 0.0) + (seconds if "bess" in kind else 0.0)
        _check_start(choices, bridged)
    part = f" ({100 * share:g} % of the facility)" if share < 1.0 else ""
    return found | {"carried": ", then ".join(carried) + part}


def _duration(seconds: float) -> str:
    return f"{seconds:g} s" if seconds < 120.0 else f"{seconds / 60.0:g} min"


def _battery(choices: Choices, power_mw: float, seconds: float) -> dict[str, Any]:
    assume, source = choices.ledger.assume, "clusterplan method, electrical, power swings"
    assume("electrical.bess_round_trip", ROUND_TRIP, "", "NREL ATB, battery storage")
    assume("electrical.bess_window", USABLE_WINDOW, "", f"{source}: usable part of the nameplate")
    assume("electrical.bess_c_rate", C_RATE, "1/h", f"{source}: MW for each MWh of nameplate")
    delivered = power_mw * seconds / 3600.0
    given("distribution.bess_delivered_mwh", delivered, "MWh", "critical_load_mw x bess_time")
    usable = two_way_energy_mwh(delivered, 0.0)
    return {
        "bess_mw": power_mw,
        "bess_usable_mwh": usable,
        "bess_mwh": buffer_mwh(usable, power_mw),
    }


def _sets(
    choices: Choices, it_mw: float, pue: float, critical_mw: float, hours: float
) -> dict[str, Any]:
    """Standby sets for so much IT with its cooling and losses."""
    unit_mw = choices.number("electrical.genset")
    margin = choices.number("electrical.genset_margin")
    group = choices.integer("electrical.genset_group")
    per_group = choices.integer("electrical.genset_redundancy")
    given("distribution.critical_it_mw", it_mw, "MW", "IT power x critical_share")
    given("distribution.facility_over_it", pue, "", "facility power / IT power")
    given("distribution.genset_mw", unit_mw, "MW", "design.electrical.genset")
    duty = gensets(it_mw, pue, margin, unit_mw, 0).duty
    spares = genset_spares(duty, group, min(per_group, group - 1))
    row = catalog.genset_near(unit_mw)
    choices.ledger.assume(
        "electrical.genset_fuel", row.fuel_l_per_mwh, "L/MWh", row.name, verified=row.verified
    )
    sized = gensets(it_mw, pue, margin, unit_mw, spares)
    return {
        "gensets": sized.installed,
        "gensets_redundant": spares,
        "genset_mw": unit_mw,
        "genset_required_mw": sized.required_mw,
        "genset_loading_percent": block_loading_percent(critical_mw, duty, unit_mw),
        "standby_fuel_m3": standby_fuel_m3(critical_mw, hours, row.fuel_l_per_mwh),
    }


def _check_start(choices: Choices, bridged_s: float) -> None:
    start = choices.number("electrical.genset_start")
    if bridged_s < start:
        choices.ledger.warn(
            "ride_through_short",
            "design.electrical.ups_autonomy",
            f"standby sets carry the load after {start:g} s, what bridges it lasts {bridged_s:g} s",
        )
