"""A swing against published limits: strict reading first, then bands where the period is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.core.results.substation import SwingVerdict
from clusterplan.sizing.power_swing import (
    band_swing_mw,
    oscillation_amplitude_mw,
    ramp_mw_per_min,
    window_swing_mw,
)
from clusterplan.sizing.voltage_quality import PLT_PLANNING_HV

if TYPE_CHECKING:
    from clusterplan.core.equipment import SwingLimit
    from clusterplan.sizing.grid_connection import GridConnection

DUTY = 0.5
MV_MAX_KV = 35.0


class PlanningLevels(NamedTuple):
    """Planning levels of IEEE 1453 / IEC 61000-3-7: rapid change in percent, Plt."""

    name: str
    two_an_hour_percent: float
    ten_an_hour_percent: float
    plt: float


HV_LEVELS = PlanningLevels("planning level, HV", 3.0, 2.5, PLT_PLANNING_HV)
MV_LEVELS = PlanningLevels("planning level, MV", 4.0, 3.0, 0.7)
IEEE_1453 = "IEEE 1453 / IEC 61000-3-7"


class Swing(NamedTuple):
    """What is judged: MW, edge in s, frequency of repetition, load, voltage, step and flicker."""

    swing_mw: float
    edge_s: float
    frequency_hz: float
    load_mw: float
    hv_kv: float
    step_percent: float | None
    plt: float | None


def limits_for(utility: str) -> tuple[SwingLimit, ...]:
    """Rows whose keys stand in the grid's operator or utility, else the assumed ones."""
    words = f" {utility.lower()} "
    rows = catalog.swing_limits()
    found = tuple(row for row in rows if any(f" {key} " in words for key in row.keys))
    return found or tuple(row for row in rows if not row.keys)


def slowest_ramp(
    grid: GridConnection, rows: tuple[SwingLimit, ...], load_mw: float
) -> tuple[float, str] | None:
    """The slowest ramp in MW/min that a limit leaves, and the limit in words.

    A window of x MW in w s leaves x/w. Rows that do not apply at this size are left out.
    """
    ramps = []
    if grid.ramp_limit_mw_per_min:
        ramps.append((grid.ramp_limit_mw_per_min, "grid file"))
    for row in rows:
        if not row.limit or load_mw < (row.applies_mw_min or 0.0):
            continue
        if row.quantity == "ramp":
            ramps.append((row.limit, f"{row.who}, {row.status}"))
        elif row.window_s:
            ramps.append((60.0 * row.limit / row.window_s, f"{row.who}, {row.status}"))
    if not ramps:
        return None
    slowest, words = min(ramps)
    return slowest, f"{slowest:g} MW/min up and down ({words})"


def verdicts(
    swing: Swing, grid: GridConnection, rows: tuple[SwingLimit, ...]
) -> list[SwingVerdict]:
    """The grid file's own limits, the published rows, then voltage planning levels."""
    found = []
    ramp = ramp_mw_per_min(swing.swing_mw, swing.edge_s)
    if grid.ramp_limit_mw_per_min is not None:
        found.append(_own("ramp", ramp, grid.ramp_limit_mw_per_min, "MW/min"))
    if grid.step_limit_mw is not None:
        found.append(_own("step", swing.swing_mw, grid.step_limit_mw, "MW"))
    for row in rows:
        found += _row(swing, row)
    levels = MV_LEVELS if swing.hv_kv <= MV_MAX_KV else HV_LEVELS
    if swing.step_percent is not None:
        for name, limit in (
            ("rapid voltage change, up to 2 an hour", levels.two_an_hour_percent),
            ("rapid voltage change, 2 to 10 an hour", levels.ten_an_hour_percent),
        ):
            found.append(_level(levels.name, name, swing.step_percent, limit, "%"))
    if swing.plt is not None:
        found.append(_level(levels.name, "flicker Plt", swing.plt, levels.plt, ""))
    for place, judged in enumerate(found):
        path = f"swing.verdicts.{place}.limit"
        given(path, judged.limit, judged.unit, f"{judged.who}, {judged.status}: {judged.source}")
    return found


def _own(quantity: str, value: float, limit: float, unit: str) -> SwingVerdict:
    return SwingVerdict(
        who="grid file",
        quantity=quantity,
        value=value,
        limit=limit,
        unit=unit,
        verdict="pass" if value <= limit else "fail",
        status="given",
        source="grid.yaml",
        verified="given",
    )


def _level(who: str, quantity: str, value: float, limit: float, unit: str) -> SwingVerdict:
    return SwingVerdict(
        who=who,
        quantity=quantity,
        value=value,
        limit=limit,
        unit=unit,
        verdict="pass" if value <= limit else "fail",
        status="shared by all customers",
        source=IEEE_1453,
        verified="false",
    )


def _row(swing: Swing, row: SwingLimit) -> list[SwingVerdict]:
    whole = swing.swing_mw
    if row.quantity == "voltage":
        if swing.step_percent is None or row.limit_percent is None:
            return []
        return [_of(swing, row, "voltage fluctuation", swing.step_percent, row.limit_percent, "%")]
    limit = row.limit or 0.0
    if row.quantity == "ramp":
        seconds = row.averaging_s
        if seconds is None:
            value, name = ramp_mw_per_min(whole, swing.edge_s), "ramp"
        else:
            value = ramp_mw_per_min(window_swing_mw(whole, swing.edge_s, seconds), seconds)
            name = f"ramp over {seconds / 60.0:g} min"
        return [_of(swing, row, name, value, limit, "MW/min")]
    if row.quantity == "window":
        seconds = row.window_s or 1.0
        value = window_swing_mw(whole, swing.edge_s, seconds)
        return [_of(swing, row, f"change within {seconds:g} s", value, limit, "MW")]
    if row.quantity == "oscillation":
        limit = min(limit, (row.limit_percent or 100.0) / 100.0 * swing.load_mw)
        value = oscillation_amplitude_mw(whole)
        return [_of(swing, row, "oscillation amplitude, unfiltered", value, limit, "MW")]
    return _band(swing, row, limit)


def _band(swing: Swing, row: SwingLimit, limit: float) -> list[SwingVerdict]:
    low, high = row.low_hz or 0.0, row.high_hz or 0.0
    name = f"{low:g} to {high:g} Hz peak to peak"
    inside = band_swing_mw(swing.swing_mw, DUTY, swing.frequency_hz, swing.edge_s, low, high)
    return [
        _of(swing, row, f"{name}, unfiltered", swing.swing_mw, limit, "MW"),
        _of(swing, row, f"{name}, brick-wall at {swing.frequency_hz:g} Hz", inside, limit, "MW"),
    ]


def _of(
    swing: Swing, row: SwingLimit, quantity: str, value: float, limit: float, unit: str
) -> SwingVerdict:
    verdict = "pass" if value <= limit else "fail"
    if row.applies_mw_min is not None and swing.load_mw < row.applies_mw_min:
        verdict = f"not applicable below {row.applies_mw_min:g} MW"
    if row.applies_kv_above is not None and swing.hv_kv <= row.applies_kv_above:
        verdict = f"not applicable at {row.applies_kv_above:g} kV and below"
    return SwingVerdict(
        who=row.who,
        quantity=quantity,
        value=value,
        limit=limit,
        unit=unit,
        verdict=verdict,
        status=row.status,
        source=row.source,
        verified=row.verified,
    )
