"""Electrical choices that stand before any size: efficiencies, voltages, derating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.sizing.substation_tables import MV_SERVICE_MAX_KV

if TYPE_CHECKING:
    from clusterplan.core.equipment import Climate, Ups
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.sizing.grid_connection import GridConnection

POWER_FACTOR_MIN = 0.95
HOT_DAY_BELOW_DESIGN_K = 5.0
RECTIFIER_EFFICIENCY = 0.9825
USUAL_UPS = "double-conversion"


def check_voltages(hv_kv: float | None, mv_kv: float | None, *, islanded: bool) -> None:
    """Transformers step down to MV; a medium-voltage service has no such stage."""
    if hv_kv is None or mv_kv is None or islanded or hv_kv <= MV_SERVICE_MAX_KV:
        return
    if mv_kv >= hv_kv:
        raise InputError(
            Problem(
                f"{mv_kv:g} kV is not below the service voltage of {hv_kv:g} kV",
                path="design.electrical.mv",
            )
        )


def efficiencies_of(choices: Choices, distribution: str, ups: Ups | None) -> dict[str, float]:
    """Efficiencies by stage: given, of the field table, or of the kind of UPS."""
    names = ["hv_mv_transformer", "mv_distribution", "mv_lv_transformer", "busway"]
    path = "electrical.efficiency.ups"
    of_row = ups is not None and ups.id != USUAL_UPS and not choices.is_given(path)
    if ups is not None and not of_row:
        names.append("ups")
    found = {name: choices.number(f"electrical.efficiency.{name}") for name in names}
    if ups is not None and of_row:
        found["ups"] = ups.efficiency_percent / 100.0
        choices.ledger.assume(path, found["ups"], "", f"UPS row {ups.id}", verified=ups.verified)
    if distribution == "dc800":
        found["rectifier"] = RECTIFIER_EFFICIENCY
        choices.ledger.assume(
            "electrical.efficiency.rectifier",
            RECTIFIER_EFFICIENCY,
            "",
            "MV to 800 V DC rectifiers, middle of 98.0 to 98.5 % vendor figures",
        )
    return found


def power_factor_min(grid: GridConnection, ledger: Ledger) -> float:
    """Least power factor at the connection point, lagging."""
    if grid.power_factor_min is not None:
        return grid.power_factor_min
    if not grid.islanded:
        ledger.assume("grid.power_factor_min", POWER_FACTOR_MIN, "", "usual requirement, both ways")
    return POWER_FACTOR_MIN


def ambient(climate: Climate | None, grid: GridConnection, ledger: Ledger) -> tuple[float, float]:
    """24 h mean in C and elevation in m that derate existing units."""
    if not grid.existing:
        ledger.assume(
            "substation.derating", 1.0, "", "units bought for the site are specified for it"
        )
        return 30.0, 0.0
    if climate is None:
        ledger.assume("substation.derating", 1.0, "", "no climate given")
        return 30.0, 0.0
    mean = climate.db_0p4_c - HOT_DAY_BELOW_DESIGN_K
    ledger.assume(
        "substation.hot_day_mean", mean, "degC", "0.4 % dry bulb less 5 K, no hourly weather"
    )
    return mean, climate.elevation_m
