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
EVERY = "all"
MV_MAX_KV = 35.0


class PlanningLevels(NamedTuple):
    """Planning levels of IEEE 1453 / IEC 61000-3-7: rapid change in percent, Plt."""

    name: str
    two_an_hour_percent: float
    ten_an_hour_percent: float
    plt: float


HV_LEVELS = PlanningLevels("IEEE 1453, HV", 3.0, 2.5, PLT_PLANNING_HV)
MV_LEVELS = PlanningLevels("IEEE 1453, MV", 4.0, 3.0, 0.7)
IEEE_1453 = "IEEE 1453 / IEC 61000-3-7"


class Swing(NamedTuple):
    """What is judged: MW, edge in s, frequency of repetition, load, voltage, step and flicker.

    grid_assumed: step and flicker rest on an assumed short-circuit level. duty: share of a step at
    high power. repeating_mw: swing of each step, independent jobs together; swing_mw where None.
    """

    swing_mw: float
    edge_s: float
    frequency_hz: float
    load_mw: float
    hv_kv: float
    step_percent: float | None
    plt: float | None
    grid_assumed: bool = False
    duty: float = DUTY
    repeating_mw: float | None = None

    @property
    def each_step_mw(self) -> float:
        """What repeats: bands, oscillation and flicker are judged on it."""
        return self.swing_mw if self.repeating_mw is None else self.repeating_mw


def limits_for(utility: str) -> tuple[SwingLimit, ...]:
    """Rows whose keys stand in the grid's operator or utility, else the assumed ones.

    The word `all` alone stands for every published row, to see how others would judge.
    """
    words = f" {utility.lower()} "
    rows = catalog.swing_limits()
    if words.strip() == EVERY:
        return tuple(row for row in rows if row.keys)
    found = tuple(row for row in rows if any(f" {key} " in words for key in row.keys))
    return found or tuple(row for row in rows if not row.keys)


def slowest_ramp(
    swing: Swing, grid: GridConnection, rows: tuple[SwingLimit, ...]
) -> tuple[float, str] | None:
    """The slowest ramp in MW/min of the limits that the swing breaks, and that limit in words.

    A window of x MW in w s leaves x/w. Limits that the swing keeps, or that do not apply, ask for
    no buffer.
    """
    ramps = []
    whole, edge = swing.swing_mw, swing.edge_s
    own = grid.ramp_limit_mw_per_min
    if own and 60.0 * whole / edge > own:
        ramps.append((own, "grid file"))
    for row in rows:
        if not row.limit or _exempt(swing, row):
            continue
        if row.quantity == "ramp":
            seconds = max(edge, row.averaging_s or 0.0)
            if 60.0 * whole / seconds > row.limit:
                ramps.append((row.limit, _words(row)))
        elif row.window_s:
            # a band is about what repeats, as its verdict is
            moved = swing.each_step_mw if row.quantity == "band" else whole
            if moved * min(1.0, row.window_s / edge) > row.limit:
                ramps.append((60.0 * row.limit / row.window_s, _words(row)))
    if not ramps:
        return None
    slowest, words = min(ramps)
    return slowest, f"{slowest:g} MW/min up and down ({words})"


def tightest_residual(swing: Swing, rows: tuple[SwingLimit, ...]) -> tuple[float, str] | None:
    """The least peak-to-peak MW that a band or oscillation limit leaves of the swing, in words.

    Strict reading: the unfiltered swing counts against every band. None where all are kept.
    """
    left = []
    for row in rows:
        if row.quantity not in ("band", "oscillation") or _exempt(swing, row):
            continue
        allowed = row.limit or 0.0
        if row.quantity == "oscillation":
            allowed = 2.0 * _oscillation_limit(swing, row)
        if swing.each_step_mw > allowed:
            left.append((allowed, f"{allowed:g} MW peak to peak ({_words(row)})"))
    return min(left, default=None)


def _words(row: SwingLimit) -> str:
    return f"{row.who}, {row.status.partition(',')[0]}"


def _oscillation_limit(swing: Swing, row: SwingLimit) -> float:
    """Amplitude in MW: the lesser of the stated MW and percent of the load."""
    return min(row.limit or 0.0, (row.limit_percent or 100.0) / 100.0 * swing.load_mw)


def _exempt(swing: Swing, row: SwingLimit) -> str:
    """Why a row does not apply to this load; empty where it does."""
    if row.applies_mw_min is not None and swing.load_mw < row.applies_mw_min:
        return f"n/a below {row.applies_mw_min:g} MW"
    if row.applies_kv_above is not None and swing.hv_kv <= row.applies_kv_above:
        return f"n/a to {row.applies_kv_above:g} kV"
    return ""


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
    levels = planning_levels(swing)
    if swing.step_percent is not None:
        for name, limit in (
            ("voltage step, to 2/h", levels.two_an_hour_percent),
            ("voltage step, 2-10/h", levels.ten_an_hour_percent),
        ):
            found.append(_level(swing, levels.name, name, swing.step_percent, limit, "%"))
    if swing.plt is not None:
        found.append(_level(swing, levels.name, "flicker Plt", swing.plt, levels.plt, ""))
    for place, judged in enumerate(found):
        path = f"swing.verdicts.{place}.limit"
        given(path, judged.limit, judged.unit, f"{judged.who}, {judged.status}: {judged.source}")
    return found


def planning_levels(swing: Swing) -> PlanningLevels:
    """Levels of voltage change and flicker at the service voltage."""
    return MV_LEVELS if swing.hv_kv <= MV_MAX_KV else HV_LEVELS


def _own(quantity: str, value: float, limit: float, unit: str) -> SwingVerdict:
    return SwingVerdict(
        who="grid file",
        quantity=quantity,
        value=value,
        limit=limit,
        unit=unit,
        verdict="pass" if value <= limit else "fail",
        standing="given",
        status="given",
        source="grid.yaml",
        verified="given",
    )


def _level(
    swing: Swing, who: str, quantity: str, value: float, limit: float, unit: str
) -> SwingVerdict:
    return SwingVerdict(
        who=who,
        quantity=quantity,
        value=value,
        limit=limit,
        unit=unit,
        verdict=_judged(value, limit, assumed=swing.grid_assumed),
        standing="planning",
        status="shared by all customers",
        source=IEEE_1453,
        verified="false",
    )


def _judged(value: float, limit: float, *, assumed: bool = False) -> str:
    """Pass or fail, and whether that rests on an assumed grid or an assumed limit."""
    return ("pass" if value <= limit else "fail") + (" (assumed)" if assumed else "")


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
        value = oscillation_amplitude_mw(swing.each_step_mw)
        limit = _oscillation_limit(swing, row)
        return [_of(swing, row, "oscillation, unfiltered", value, limit, "MW")]
    return _band(swing, row, limit)


def _band(swing: Swing, row: SwingLimit, limit: float) -> list[SwingVerdict]:
    low, high = row.low_hz or 0.0, row.high_hz or 0.0
    name = f"{low:g}-{high:g} Hz p-p"
    each = swing.each_step_mw
    inside = band_swing_mw(each, swing.duty, swing.frequency_hz, swing.edge_s, low, high)
    return [
        _of(swing, row, f"{name}, unfiltered", each, limit, "MW"),
        _of(swing, row, f"{name}, brick-wall", inside, limit, "MW"),
    ]


def _standing(row: SwingLimit) -> str:
    """Whether a row binds: in force, proposed only, quoted by others, or assumed."""
    if not row.keys:
        return "assumed"
    if row.status == "given":
        return "given"
    if not row.in_force:
        return "proposed"
    return "quoted" if row.status.startswith("as quoted") else "in force"


def _of(
    swing: Swing, row: SwingLimit, quantity: str, value: float, limit: float, unit: str
) -> SwingVerdict:
    assumed = not row.keys or (row.quantity == "voltage" and swing.grid_assumed)
    return SwingVerdict(
        who=row.who,
        quantity=quantity,
        value=value,
        limit=limit,
        unit=unit,
        verdict=_exempt(swing, row) or _judged(value, limit, assumed=assumed),
        standing=_standing(row),
        status=row.status,
        source=row.source,
        verified=row.verified,
    )
