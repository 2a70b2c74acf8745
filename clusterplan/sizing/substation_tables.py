"""What a substation is chosen from and under which rules: plain tables and figures."""

from __future__ import annotations

from typing import NamedTuple

from clusterplan.core.frozen import frozen

MV_SERVICE_MAX_KV = 34.5  # at and below it there is no HV/MV stage, so no HV yard
EHV_MIN_KV = 500.0
TOP_STAGE_RATIO = 5.0 / 3.0


class UnitRating(NamedTuple):
    """A transformer rating in MVA: base (ONAN, S0) and top stage (Sr); equal for IEC units."""

    base_mva: float
    top_mva: float
    hv_kv: tuple[float, ...] = ()


class BreakerFamily(NamedTuple):
    """Switchgear up to `kv_max`: continuous currents and interrupting ratings, rising."""

    kv_max: float
    continuous_a: tuple[float, ...]
    interrupting_ka: tuple[float, ...]


class VoltageStep(NamedTuple):
    """A transmission class: voltage, screening load, typical ampacity of a circuit."""

    kv: float
    load_mw_max: float
    ampacity_a: float


class BoardUnit(NamedTuple):
    """An MV/LV unit substation; impedance and losses in per unit of its rating."""

    mva: float
    lv_kv: float
    impedance: float
    no_load: float
    load_loss: float


class FaultDefault(NamedTuple):
    """Assumed grid fault level up to `kv_max`."""

    kv_max: float
    min_ka: float
    max_ka: float
    x_over_r: float


class GridFault(NamedTuple):
    """Grid fault level at the service voltage; `assumed` where the figures are defaults."""

    min_mva: float
    max_mva: float
    x_over_r: float
    assumed: bool = False


@frozen
class SubstationTables:
    """The catalogue as plain figures, of one practice (`ieee` or `iec`).

    losses: (base MVA, no-load, load) per unit of the base rating, rising. impedance_by_kv:
    (HV kV, per unit), rising; impedance_by_mva: (largest MVA, per unit), rising; the second holds
    where it is not empty. distortion: rows for `voltage_quality.tdd_limit_percent`; flicker: (Hz,
    percent for Pst 1).
    """

    practice: str
    ratings: tuple[UnitRating, ...]
    losses: tuple[tuple[float, float, float], ...]
    impedance_by_kv: tuple[tuple[float, float], ...] = ()
    impedance_by_mva: tuple[tuple[float, float], ...] = ()
    voltages: tuple[VoltageStep, ...] = ()
    aliases: tuple[tuple[float, float], ...] = ()
    mv_breakers: tuple[BreakerFamily, ...] = ()
    hv_breakers: tuple[BreakerFamily, ...] = ()
    boards: tuple[BoardUnit, ...] = ()
    fault_defaults: tuple[FaultDefault, ...] = ()
    distortion: tuple[tuple[float, float | None, float], ...] = ()
    flicker: tuple[tuple[float, float], ...] = ()

    def class_kv(self, kv: float) -> float:
        """The voltage class whose equipment serves a nominal voltage."""
        for alias, use in self.aliases:
            if abs(alias - kv) < 0.01:
                kv = use
        return min((step.kv for step in self.voltages), key=lambda c: abs(c - kv), default=kv)

    def voltage_step(self, kv: float) -> VoltageStep | None:
        """The class row of a transmission voltage, None where no class is within 15 %."""
        if kv <= MV_SERVICE_MAX_KV:
            return None
        wanted = self.class_kv(kv)
        if abs(wanted - kv) > 0.15 * kv:
            return None
        return next((step for step in self.voltages if step.kv == wanted), None)

    def impedance(self, base_mva: float, hv_kv: float) -> float:
        """Impedance in per unit on the base rating: by MVA (IEC) or by HV class (IEEE)."""
        if self.impedance_by_mva:
            for ceiling, value in self.impedance_by_mva:
                if base_mva <= ceiling:
                    return value
            return self.impedance_by_mva[-1][1]
        return min(self.impedance_by_kv, key=lambda row: abs(row[0] - hv_kv))[1]

    def unit_losses(self, base_mva: float) -> tuple[float, float]:
        """No-load and load loss in per unit of the base rating, linear, ends held."""
        rows = self.losses
        if base_mva <= rows[0][0]:
            return rows[0][1:]
        for (m0, n0, l0), (m1, n1, l1) in zip(rows, rows[1:], strict=False):
            if base_mva <= m1:
                share = (base_mva - m0) / (m1 - m0)
                return n0 + (n1 - n0) * share, l0 + (l1 - l0) * share
        return rows[-1][1:]

    def base_of(self, top_mva: float) -> float:
        """ONAN rating of a unit known by its top stage: the row's, else three stages (5/3)."""
        if self.practice != "ieee":
            return top_mva
        near = min(self.ratings, key=lambda row: abs(row.top_mva - top_mva), default=None)
        if near is not None and abs(near.top_mva - top_mva) <= 0.005 * top_mva:
            return top_mva * near.base_mva / near.top_mva
        return top_mva / (TOP_STAGE_RATIO if top_mva > 12.5 else 1.25)

    def family(self, kv: float) -> BreakerFamily:
        """Switchgear of a voltage: metal-clad to the largest MV class, HV breakers above."""
        families = self.mv_breakers if kv <= self.mv_breakers[-1].kv_max else self.hv_breakers
        return next((row for row in families if kv <= row.kv_max), families[-1])

    def assumed_fault(self, kv: float) -> FaultDefault:
        """The assumed pair of fault levels for that service voltage."""
        rows = self.fault_defaults
        return next((row for row in rows if kv <= row.kv_max), rows[-1])


@frozen
class SubstationRules:
    """How the substation is planned; see the `electrical.*` choices."""

    frequency_hz: float
    redundant: int = 1
    running: str = "transfer-bus"
    loading_max: float = 0.95
    units_per_group_max: int = 8
    bus_current_max_a: float = 3000.0
    board_current_max_a: float = 5000.0
    feeder_current_a: float = 600.0
    feeder_loading: float = 0.8
    growth_margin: float = 0.0
    solid_neutral: bool = False
    mv_step_max_percent: float = 6.0
    tap_range_percent: float = 10.0


@frozen
class SubstationDuty:
    """What one substation must do. None: left open (hv, mv, rating, secondaries) or unknown.

    active_mw at the meter; power_factor at HV, or power_factor_mv, which then rules. min_ka and
    max_ka stand in for the MVA figures where the service voltage is open. swing_fraction: the part
    of the load that falls at once, None where unknown. machines_mv_mva: fault MVA of machines that
    join at MV, spread evenly over its buses. `islanded`: no grid behind the HV bus.
    """

    active_mw: float
    power_factor: float = 0.97
    power_factor_mv: float | None = None
    hv_kv: float | None = None
    mv_kv: float | None = None
    rating_mva: float | None = None
    impedance: float | None = None
    secondaries: int | None = None
    fault_min_mva: float | None = None
    fault_max_mva: float | None = None
    fault_min_ka: float | None = None
    fault_max_ka: float | None = None
    x_over_r: float | None = None
    machines_mva: float = 0.0
    machines_mv_mva: float = 0.0
    machines_mv_x_over_r: float = 1.0 / 0.07
    circuits: int = 2
    islanded: bool = False
    swing_fraction: float | None = None

    def grid_fault(self, hv_kv: float, tables: SubstationTables) -> GridFault | None:
        """Fault level at that voltage: given, else the assumed pair; islanded: of the machines.

        One value given stands for both. None for an island whose machines are not known.
        """
        if self.islanded and self.fault_max_mva is None:
            return None
        scale = 3.0**0.5 * hv_kv
        low = self.fault_min_mva
        high = self.fault_max_mva
        if low is None and self.fault_min_ka is not None:
            low = self.fault_min_ka * scale
        if high is None and self.fault_max_ka is not None:
            high = self.fault_max_ka * scale
        assumed = tables.assumed_fault(hv_kv)
        unknown = low is None and high is None
        if unknown:
            low, high = assumed.min_ka * scale, assumed.max_ka * scale
        known = [value for value in (low, high) if value is not None]
        ratio = assumed.x_over_r if self.x_over_r is None else self.x_over_r
        return GridFault(known[0], known[-1], ratio, unknown)


class BulkStage(NamedTuple):
    """The first of two transformations at 500 kV and above."""

    mid_kv: float
    rating: UnitRating
    impedance: float
    groups: int
    units: int  # a group


class Scheme(NamedTuple):
    """A substation: voltages, unit, groups of units, and the bulk stage before them, if any.

    `service`: `hv`, `mv` (unit substations) or `islanded`.
    """

    service: str
    hv_kv: float
    mv_kv: float
    rating: UnitRating
    impedance: float
    secondaries: int
    groups: int
    units: int  # a group
    bulk: BulkStage | None = None

    @property
    def installed(self) -> int:
        """Transformers installed, all groups."""
        return self.groups * self.units

    def mv_buses(self, running: str) -> int:
        """Separate MV buses: one a winding, one a group and winding where units are paralleled."""
        units = self.groups if running == "paralleled" else self.installed
        return units * self.secondaries

    @property
    def primary_kv(self) -> float:
        """Voltage on the HV side of the units that feed MV."""
        return self.bulk.mid_kv if self.bulk else self.hv_kv
