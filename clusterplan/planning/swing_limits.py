"""A swing against published limits: strict reading first, then bands where the period is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.results.substation import SwingVerdict
from clusterplan.sizing.power_swing import band_swing_mw, window_swing_mw
from clusterplan.sizing.voltage_quality import PLT_PLANNING_HV

if TYPE_CHECKING:
    from clusterplan.core.equipment import SwingLimit
    from clusterplan.sizing.grid_connection import GridConnection

DUTY = 0.5
RAPID_CHANGE_HV = (  # IEEE 1453 / IEC 61000-3-7 planning levels at HV, by events
    ("rapid voltage change, up to 2 an hour", 3.0),
    ("rapid voltage change, 2 to 10 an hour", 2.5),
)
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


def verdicts(
    swing: Swing, grid: GridConnection, rows: tuple[SwingLimit, ...]
) -> list[SwingVerdict]:
    """The grid file's own limits, the published rows, then voltage planning levels."""
    found = []
    ramp = 60.0 * swing.swing_mw / swing.edge_s
    if grid.ramp_limit_mw_per_min is not None:
        found.append(_own("ramp", ramp, grid.ramp_limit_mw_per_min, "MW/min"))
    if grid.step_limit_mw is not None:
        found.append(_own("step", swing.swing_mw, grid.step_limit_mw, "MW"))
    for row in rows:
        found += _row(swing, row)
    if swing.step_percent is not None:
        for name, limit in RAPID_CHANGE_HV:
            found.append(_level(name, swing.step_percent, limit, "%"))
    if swing.plt is not None:
        found.append(_level("flicker Plt", swing.plt, PLT_PLANNING_HV, ""))
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


def _level(quantity: str, value: float, limit: float, unit: str) -> SwingVerdict:
    return SwingVerdict(
        who="planning level, HV",
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
            value, name = 60.0 * whole / swing.edge_s, "ramp"
        else:
            value = 60.0 * window_swing_mw(whole, swing.edge_s, seconds) / seconds
            name = f"ramp over {seconds / 60.0:g} min"
        return [_of(swing, row, name, value, limit, "MW/min")]
    if row.quantity == "window":
        seconds = row.window_s or 1.0
        value = window_swing_mw(whole, swing.edge_s, seconds)
        return [_of(swing, row, f"change within {seconds:g} s", value, limit, "MW")]
    if row.quantity == "oscillation":
        limit = min(limit, (row.limit_percent or 100.0) / 100.0 * swing.load_mw)
        return [_of(swing, row, "oscillation amplitude, unfiltered", whole / 2.0, limit, "MW")]
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
