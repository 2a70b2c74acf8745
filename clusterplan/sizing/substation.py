"""Choice of a substation: the first design in the stated order that passes every step.

Order where the rating is open: fewest groups, one secondary before two, fewest units, least
installed MVA; HV: the lowest class that holds the load; MV: by load. A given figure is kept.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import Recorder, active_recorder, recording
from clusterplan.sizing.breakers import breaker_rating_ka
from clusterplan.sizing.bulk_stage import choose_bulk
from clusterplan.sizing.electrical_load import (
    mv_bus_current_a,
    three_phase_current_a,
)
from clusterplan.sizing.service_voltage import hv_candidates, is_mv_service, mv_candidates
from clusterplan.sizing.short_circuit import bus_fault, service_fault
from clusterplan.sizing.substation_load import load_at, mv_load, stage_load, units_needed
from clusterplan.sizing.substation_tables import (
    EHV_MIN_KV,
    BulkStage,
    GridFault,
    Scheme,
    SubstationDuty,
    SubstationRules,
    SubstationTables,
    UnitRating,
)
from clusterplan.sizing.transformers import arrangement_fits
from clusterplan.sizing.voltage_quality import bus_voltage, mv_step_voltage_percent, source_per_mva

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

GROUPS_MAX = 64


class Choice(NamedTuple):
    """The chosen scheme, or None and why the candidates failed."""

    scheme: Scheme | None
    failures: tuple[str, ...]


class _Failed(Exception):  # noqa: N818  control flow inside this module only
    """A candidate fails a step; the text says which."""


def choose_substation(
    duty: SubstationDuty, rules: SubstationRules, tables: SubstationTables
) -> Choice:
    """The substation for a duty by the stated order, among designs that pass all steps.

    The trials are kept out of the calculation record: only what is built is explained.
    """
    quiet: AbstractContextManager[object] = (
        recording(Recorder()) if active_recorder() is not None else nullcontext()
    )
    failures: dict[str, None] = {}
    with quiet:
        for hv_kv in hv_candidates(duty, tables):
            for mv_kv in mv_candidates(duty, hv_kv, tables):
                scheme = _best_at(duty, rules, tables, (hv_kv, mv_kv), failures)
                if scheme is not None:
                    return Choice(scheme, tuple(failures))
    return Choice(None, tuple(failures))


def _best_at(
    duty: SubstationDuty,
    rules: SubstationRules,
    tables: SubstationTables,
    voltages: tuple[float, float],
    failures: dict[str, None],
) -> Scheme | None:
    hv_kv, mv_kv = voltages
    fault = duty.grid_fault(hv_kv, tables)
    try:
        _check_service(duty, rules, tables, hv_kv, fault)
        if is_mv_service(duty, hv_kv):
            trial = _Trial(duty, rules, tables, hv_kv, mv_kv, fault, None)
            return trial.boards(failures)
        bulk = None
        if hv_kv >= EHV_MIN_KV:
            bulk, fault = _bulk(duty, rules, tables, hv_kv, fault)
    except _Failed as error:
        failures[str(error)] = None
        return None
    return _Trial(duty, rules, tables, hv_kv, mv_kv, fault, bulk).best(failures)


def _bulk(
    duty: SubstationDuty,
    rules: SubstationRules,
    tables: SubstationTables,
    hv_kv: float,
    fault: GridFault | None,
) -> tuple[BulkStage, GridFault | None]:
    found = choose_bulk(duty, rules, tables, hv_kv, fault)
    if found is None:
        raise _Failed(f"no bulk transformer of the catalogue serves {hv_kv:g} kV")
    return found


def _check_service(
    duty: SubstationDuty,
    rules: SubstationRules,
    tables: SubstationTables,
    hv_kv: float,
    fault: GridFault | None,
) -> None:
    """What fails at the connection point whatever stands behind it.

    An island has none: its units stand on as many buses as their current and fault level ask for.
    """
    if fault is None or duty.islanded:
        return
    family = tables.family(hv_kv)
    total = fault.max_mva + duty.machines_mva
    breaks = family.interrupting_ka
    too_high = _service_failure(total, fault.x_over_r, hv_kv, breaks, rules.frequency_hz)
    if too_high:
        raise _Failed(too_high)
    load = load_at(duty, 0.0)
    source = source_per_mva(fault.min_mva, fault.x_over_r)
    if not fault.assumed and bus_voltage(*load[:2], *source) is None:
        raise _Failed(
            f"a grid of {fault.min_mva:.0f} MVA minimum short-circuit power cannot carry "
            f"{load.active_mw:.1f} MW at {hv_kv:g} kV"
        )
    yards = max(1, duty.circuits // 2)
    growth = 1.0 + rules.growth_margin
    current = three_phase_current_a(load.apparent_mva * growth, hv_kv) / yards
    if current > family.continuous_a[-1]:
        raise _Failed(
            f"HV current {current:.0f} A > {family.continuous_a[-1]:g} A, the largest breaker "
            f"at {hv_kv:g} kV"
        )


@lru_cache(maxsize=512)
def _service_failure(
    total_mva: float, x_over_r: float, hv_kv: float, breaks_ka: tuple[float, ...], hz: float
) -> str:
    """Why no breaker serves the fault level of the connection point, '' where one does."""
    at = service_fault(total_mva, x_over_r, hv_kv)
    if breaker_rating_ka(at.current_ka, at.peak_ka, at.x_over_r, breaks_ka, hz) is not None:
        return ""
    return (
        f"fault level {at.current_ka:.1f} kA (peak {at.peak_ka:.0f} kA) at {hv_kv:g} kV is "
        f"above the largest breaker, {breaks_ka[-1]:g} kA"
    )


class _UnitCase(NamedTuple):
    """What the checks of one unit depend on: not the load."""

    tables: SubstationTables
    primary_kv: float
    mv_kv: float
    rating_mva: float | None
    islanded: bool
    impedance: float | None
    fault: GridFault | None
    machines_mva: float
    machines_x_over_r: float
    bus_current_max_a: float
    frequency_hz: float


@lru_cache(maxsize=512)
def _ratings(case: _UnitCase) -> tuple[UnitRating, ...]:
    tables = case.tables
    if case.rating_mva is not None:
        return (UnitRating(tables.base_of(case.rating_mva), case.rating_mva),)
    if case.islanded:
        return tables.ratings
    wanted = tables.class_kv(case.primary_kv)
    return tuple(row for row in tables.ratings if not row.hv_kv or wanted in row.hv_kv)


def _impedance(case: _UnitCase, rating: UnitRating) -> float:
    if case.impedance is not None:
        return case.impedance
    return case.tables.impedance(rating.base_mva, max(case.primary_kv, case.mv_kv))


@lru_cache(maxsize=512)
def _fitting(case: _UnitCase, secondaries: int) -> tuple[tuple[UnitRating, ...], tuple[str, ...]]:
    """Ratings of which one unit alone passes, and why others do not.

    Bus current and fault level of one unit: what no number of units cures.
    """
    fitting: list[UnitRating] = []
    failures: list[str] = []
    limit = _bus_limit_a(case.bus_current_max_a, case.tables, case.mv_kv)
    for rating in _ratings(case):
        name = f"{rating.top_mva:g} MVA unit, {_secondaries(secondaries)}"
        current = mv_bus_current_a(rating.top_mva, secondaries, case.mv_kv)
        try:
            if current > limit * (1 + 1e-9):
                raise _Failed(
                    f"{name}: MV bus current {current:.0f} A > {limit:g} A at {case.mv_kv:g} kV"
                )
            _check_fault(case, name, rating, secondaries, 1)
        except _Failed as error:
            failures.append(str(error))
            continue
        fitting.append(rating)
    return tuple(fitting), tuple(failures)


def _check_fault(
    case: _UnitCase,
    name: str,
    rating: UnitRating,
    secondaries: int,
    parallel: int,
    machines_mva: float = 0.0,
) -> None:
    if case.fault is None:
        return
    family = case.tables.family(case.mv_kv)
    resistance = case.tables.unit_losses(rating.base_mva)[1]
    at = bus_fault(
        case.fault.max_mva + case.machines_mva,
        case.fault.x_over_r,
        rating.base_mva / secondaries,
        _impedance(case, rating),
        resistance,
        parallel,
        case.mv_kv,
        machines_mva=machines_mva,
        machines_x_over_r=case.machines_x_over_r,
    )
    hz = case.frequency_hz
    if breaker_rating_ka(at.current_ka, at.peak_ka, at.x_over_r, family.interrupting_ka, hz):
        return
    together = f", {parallel} in parallel" if parallel > 1 else ""
    raise _Failed(
        f"{name}{together}: fault level {at.current_ka:.1f} kA (X/R {at.x_over_r:.0f}, peak "
        f"{at.peak_ka:.0f} kA) at {case.mv_kv:g} kV passes no breaker to "
        f"{family.interrupting_ka[-1]:g} kA"
    )


class _Trial:
    """Candidates at one pair of voltages behind one source."""

    def __init__(
        self,
        duty: SubstationDuty,
        rules: SubstationRules,
        tables: SubstationTables,
        hv_kv: float,
        mv_kv: float,
        fault: GridFault | None,
        bulk: BulkStage | None,
    ) -> None:
        self.duty = duty
        self.rules = rules
        self.tables = tables
        self.hv_kv = hv_kv
        self.primary_kv = bulk.mid_kv if bulk else hv_kv
        self.mv_kv = mv_kv
        self.fault = fault
        self.bulk = bulk
        self.loading_max = 1.0 if duty.rating_mva is not None else rules.loading_max
        self.units = _UnitCase(
            tables=tables,
            primary_kv=self.primary_kv,
            mv_kv=mv_kv,
            rating_mva=duty.rating_mva,
            islanded=duty.islanded,
            impedance=duty.impedance,
            fault=fault,
            machines_mva=0.0 if bulk else duty.machines_mva,
            machines_x_over_r=duty.machines_mv_x_over_r,
            bus_current_max_a=rules.bus_current_max_a,
            frequency_hz=rules.frequency_hz,
        )

    def best(self, failures: dict[str, None]) -> Scheme | None:
        """The first scheme in the stated order, or None; fills `failures`."""
        if not _ratings(self.units):
            failures[f"no transformer of the catalogue serves {self.primary_kv:g} kV"] = None
            return None
        given = self.duty.secondaries
        arrangements = (1, 2) if given is None else (given,)
        fitting: dict[int, tuple[UnitRating, ...]] = {}
        units_fail: dict[str, None] = {}
        schemes_fail: dict[str, None] = {}
        for groups in range(1, GROUPS_MAX + 1):
            for secondaries in arrangements:
                if secondaries not in fitting:  # two secondaries only where one does not do
                    fitting[secondaries], reasons = _fitting(self.units, secondaries)
                    units_fail |= dict.fromkeys(reasons)
                ratings = fitting[secondaries]
                found = self._least(groups, secondaries, ratings, schemes_fail)
                if found is not None:
                    return found
            if not any(fitting.values()):
                break
        else:
            schemes_fail[_too_many(self.rules)] = None
        failures |= units_fail | schemes_fail
        return None

    def _least(
        self,
        groups: int,
        secondaries: int,
        ratings: tuple[UnitRating, ...],
        failures: dict[str, None],
    ) -> Scheme | None:
        """The passing scheme of fewest units, then least MVA, with so many groups."""
        service = "islanded" if self.duty.islanded else "hv"
        most = self.rules.units_per_group_max
        best: Scheme | None = None
        for rating in ratings:
            impedance = _impedance(self.units, rating)
            known = (service, self.hv_kv, self.mv_kv, rating, impedance, secondaries, groups)
            # what one unit more cures (step voltage, machines on each section) is tried as well
            for units in range(self._units(rating, impedance, groups), most + 1):
                if self.rules.redundant and not arrangement_fits(self.rules.running, units):
                    continue
                scheme = Scheme(*known, units, self.bulk)
                if best is not None and _rank(scheme) >= _rank(best):
                    break
                try:
                    self._check_scheme(scheme)
                except _Failed as error:
                    failures[str(error)] = None
                    continue
                best = scheme
                break
        return best

    def _units(self, rating: UnitRating, impedance: float, groups: int) -> int:
        return units_needed(self.duty, self.rules, rating, impedance, groups, self.loading_max)

    def _check_scheme(self, scheme: Scheme) -> None:
        """Steps that depend on the number of units."""
        rating = scheme.rating
        name = f"{scheme.installed} x {rating.top_mva:g} MVA, {_secondaries(scheme.secondaries)}"
        self._check_yard(name, scheme)
        together = scheme.units if self.rules.running == "paralleled" else 1
        at_bus = self.duty.machines_mv_mva / scheme.mv_buses(self.rules.running)
        if together > 1 or at_bus > 0.0:
            _check_fault(self.units, name, rating, scheme.secondaries, together, at_bus)
        left = max(1, scheme.installed - self.rules.redundant * scheme.groups)
        behind = mv_load(self.duty, scheme, self.rules)
        rest = (
            rating.base_mva * left,
            scheme.impedance,
            self.tables.unit_losses(rating.base_mva)[1],
        )
        drop = mv_step_voltage_percent(*behind[:2], 1.0, math.inf, 1.0, *rest)
        if drop is None or drop > self.rules.tap_range_percent:
            raise _Failed(
                f"{name}: with one unit out the MV voltage falls beyond the tap changer, "
                f"{self.rules.tap_range_percent:g} %"
            )
        if self.duty.swing_fraction is None:
            return
        step = mv_step_voltage_percent(*behind[:2], self.duty.swing_fraction, math.inf, 1.0, *rest)
        if step is None or step > self.rules.mv_step_max_percent:
            raise _Failed(
                f"{name}: the swing moves the MV voltage by more than "
                f"{self.rules.mv_step_max_percent:g} %"
            )

    def _check_yard(self, name: str, scheme: Scheme) -> None:
        """A yard has at least two circuits; its bus carries all that the yard takes."""
        if scheme.service == "islanded" or scheme.bulk:
            return
        yards = max(1, min(scheme.groups, self.duty.circuits // 2))
        apparent = stage_load(
            self.duty, scheme.rating.base_mva, scheme.impedance, scheme.installed
        ).apparent_mva * (1.0 + self.rules.growth_margin)
        limit = self.tables.family(self.hv_kv).continuous_a[-1]
        current = three_phase_current_a(apparent / yards, self.hv_kv)
        if current > limit:
            raise _Failed(f"{name}: HV bus current {current:.0f} A > {limit:g} A")

    def boards(self, failures: dict[str, None]) -> Scheme | None:
        """Unit substations, one board each: fewest units, then least MVA."""
        options = [board for board in self.tables.boards if board.lv_kv == self.mv_kv]
        given = self.duty.rating_mva
        if given is not None:
            like = min(options, key=lambda board: abs(board.mva - given))
            options = [like._replace(mva=given)]
        fitting = []
        for board in options:
            current = mv_bus_current_a(board.mva, 1, board.lv_kv)
            if current > self.rules.board_current_max_a:
                failures[
                    f"{board.mva:g} MVA unit substation: board current {current:.0f} A > "
                    f"{self.rules.board_current_max_a:g} A at {1000 * board.lv_kv:g} V"
                ] = None
                continue
            fitting.append(board)
        for groups in range(1, GROUPS_MAX * 4):
            found = []
            for board in fitting:
                rating = UnitRating(board.mva, board.mva)
                impedance = self.duty.impedance or board.impedance
                units = self._units(rating, impedance, groups)
                if units <= self.rules.units_per_group_max:
                    found.append(
                        Scheme("mv", self.hv_kv, board.lv_kv, rating, impedance, 1, groups, units)
                    )
            if found:
                return min(found, key=_rank)
        if fitting:
            failures[_too_many(self.rules)] = None
        return None


def bus_current_limit_a(rules: SubstationRules, tables: SubstationTables, mv_kv: float) -> float:
    """Largest MV bus current: that of the rules, less where the switchgear class carries less."""
    return _bus_limit_a(rules.bus_current_max_a, tables, mv_kv)


def _bus_limit_a(most_a: float, tables: SubstationTables, mv_kv: float) -> float:
    if not tables.mv_breakers:
        return most_a
    largest = max(tables.family(mv_kv).continuous_a)
    return min(most_a, largest) if largest < 3000.0 else most_a


def _rank(scheme: Scheme) -> tuple[int, float, float]:
    return scheme.installed, scheme.installed * scheme.rating.top_mva, scheme.rating.top_mva


def _too_many(rules: SubstationRules) -> str:
    return (
        f"no number of groups of at most {rules.units_per_group_max} units, {rules.redundant} "
        "redundant in each, carries the load"
    )


def _secondaries(count: int) -> str:
    return "one secondary" if count == 1 else "two secondaries"
