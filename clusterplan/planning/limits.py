"""What each limit alone would allow, and which one binds.

One row each, in the order of the rules of counting (11): request, grid (generation when islanded),
transformers, land, water_annual, water_peak, rack_cap, fabric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InfeasibleError
from clusterplan.core.record import given
from clusterplan.core.results.plan import Limit
from clusterplan.planning import fabric_plan, substation_plan
from clusterplan.planning.solve import largest_within, within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusterplan.planning.site_model import SiteModel

MOST_RACKS = 262_144
GRID, GENERATION, REQUEST = "grid", "generation", "request"
_SOLVED = "integer solve: the largest count at which this limit alone holds"
_PLUME_MW = (20.0, 100.0)  # IT and loss heat of one pad at which plume recirculation steps


class Ask(NamedTuple):
    """What was asked for: a count of servers, said in the user's words."""

    servers: int
    racks: int
    asked: float
    unit: str


class Row(NamedTuple):
    """One limit before it is known which binds. `need` gives what a count of racks takes."""

    name: str
    allows_racks: int | None
    available: float | None
    unit: str
    need: Callable[[int], float] | None
    note: str = ""


class Limits:
    """The limits of one site that do not change with the supply step; solved when asked for."""

    def __init__(self, model: SiteModel, ask: Ask | None) -> None:
        self.model = model
        self.ask = ask
        shape = model.chosen.shape
        whole = model.choices.flag("whole_sus")
        self.step = (shape.su_racks or 1) if whole else 1
        self._fixed: list[Row] | None = None

    def supply(self, available_mw: float | None) -> Row:
        """The grid or generation limit of one supply step; None is unlimited."""
        name = GENERATION if self.model.case.islanded else GRID
        if available_mw is None:
            return Row(name, None, None, "MW", None, "unlimited (assumed)")
        allows = self._solve(self._facility_mw, available_mw)
        return Row(name, allows, available_mw, "MW", self._facility_mw)

    def fixed(self) -> list[Row]:
        """All limits but the supply, in their order."""
        if self._fixed is None:
            self._fixed = [self._request(), *self._site_rows()]
        return self._fixed

    def rows(self, available_mw: float | None) -> list[Row]:
        """All limits of one supply step, in their order."""
        request, *rest = self.fixed()
        return [request, self.supply(available_mw), *rest]

    def largest(self, rows: list[Row], *, with_request: bool = True) -> int:
        """The most racks that pass every limit of `rows`."""
        known = [
            row.allows_racks
            for row in rows
            if row.allows_racks is not None and (with_request or row.name != REQUEST)
        ]
        if not known:
            return 0
        racks = min(known) // self.step * self.step
        while racks > 0 and not self._all_pass(rows, racks):
            racks -= self.step
        return self._with_substation(max(racks, 0))

    def fits(self, rows: list[Row], servers: int) -> bool:
        """Whether a count of servers passes every limit of `rows` but the request."""
        point = self.model.at(servers)
        for row in rows:
            if row.need is None or row.available is None or row.name == REQUEST:
                continue
            need = point.facility_mw if row.need == self._facility_mw else row.need(point.racks)
            if not within(need, row.available):
                return False
        return self._substation_passes(point.racks)

    def _all_pass(self, rows: list[Row], racks: int) -> bool:
        return all(
            within(row.need(racks), row.available)
            for row in rows
            if row.need is not None and row.available is not None and row.name != REQUEST
        )

    def _with_substation(self, racks: int) -> int:
        """Fewer racks where no substation can be built for so many."""
        if racks == 0 or self._substation_passes(racks):
            return racks
        low, high = 0, racks // self.step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (
                (middle, high) if self._substation_passes(middle * self.step) else (low, middle)
            )
        return low * self.step

    def _substation_passes(self, racks: int) -> bool:
        model = self.model
        if racks == 0 or model.electrical.existing:
            return True
        return model.scheme(racks) is not None

    def substation_reason(self, racks: int) -> str:
        """Why no substation passes for so many racks."""
        model = self.model
        load = model.through_substation_mw(model.at_racks(racks).facility_mw)
        return substation_plan.failure_text(substation_plan.choose(model.electrical, load))

    def _facility_mw(self, racks: int) -> float:
        return self.model.at_racks(racks).facility_mw if racks else 0.0

    def _request(self) -> Row:
        ask = self.ask
        if ask is None:
            return Row(REQUEST, None, None, "racks", None, "fills the site")
        return Row(REQUEST, ask.racks, ask.asked, ask.unit, None)

    def _site_rows(self) -> Iterator[Row]:
        model, case = self.model, self.model.case
        yield self._transformers()
        yield self._limit("land", model.acres, case.acres, "acres", "not given")
        annual = case.water_annual_m3
        yield self._limit("water_annual", model.annual_water_m3, annual, "m³/yr", "not given")
        peak = case.water_peak_l_per_s
        yield self._limit("water_peak", self._peak_l_per_s, peak, "L/s", "not given")
        if case.rack_cap is None:
            yield Row("rack_cap", None, None, "racks", None, "not given")
        else:
            yield Row("rack_cap", case.rack_cap, case.rack_cap, "racks", float)
        yield self._fabric()

    def _transformers(self) -> Row:
        electrical = self.model.electrical
        if not electrical.existing:
            return Row("transformers", None, None, "MVA", None, "bought for the plan")
        firm = substation_plan.existing_firm_mva(electrical)
        if firm is None:
            return Row("transformers", None, None, "MVA", None, "existing load unknown")
        allows = self._solve(self._apparent_mva, firm)
        return Row("transformers", allows, firm, "MVA", self._apparent_mva, "existing units, N-1")

    def _apparent_mva(self, racks: int) -> float:
        model = self.model
        duty = model.electrical.duty
        load = model.through_substation_mw(self._facility_mw(racks)) * (1 + model.growth_margin)
        return load / (duty.power_factor_mv or duty.power_factor)

    def _limit(
        self, name: str, need: Callable[[int], float], available: float | None, unit: str, note: str
    ) -> Row:
        if available is None:
            return Row(name, None, None, unit, None, note)
        if name.startswith("water") and need(self.step) == 0.0:
            return Row(name, None, available, unit, need, "no water is used")
        return Row(name, self._solve(need, available), available, unit, need)

    def _peak_l_per_s(self, racks: int) -> float:
        return self.model.at_racks(racks).cooling.water_peak_l_per_s if racks else 0.0

    def _fabric(self) -> Row:
        model = self.model
        if model.fabric is None:
            return Row("fabric", None, None, "racks", None, "no fabric counted")
        if not model.fabric.site.single_cluster:
            return Row("fabric", None, None, "racks", None, "cut into clusters where it must be")
        reach = fabric_plan.fabric_reach_racks(model.fabric)
        return Row("fabric", reach // self.step * self.step, reach, "racks", float)

    def _solve(self, need: Callable[[int], float], available: float) -> int:
        """The most racks whose need is within what is available, in steps of whole units."""
        step = self.step

        def need_of(units: int) -> float:
            racks = units * step
            try:
                return need(racks) if racks else 0.0
            except InfeasibleError as error:
                if error.limit == "fabric":  # a limit of its own
                    return float("inf")
                raise

        upper = 64
        while upper * step < MOST_RACKS and within(need_of(upper), available):
            upper *= 4
        if upper * step >= MOST_RACKS:
            upper = MOST_RACKS // step
        jumps = sorted({count // step + extra for count in self._jumps() for extra in (0, 1)})
        window = max(8 // step, 1)
        return step * largest_within(need_of, available, upper, jumps=jumps, window=window)

    def _jumps(self) -> Iterator[int]:
        """Racks at which the need of power may fall: plume class, one more cluster."""
        model = self.model
        heat = model.chosen.capacity_kw / 1000.0
        pads = model.choices.integer("cooling.pads")
        for limit in _PLUME_MW:
            yield int(limit * pads / heat)
        if model.fabric is not None and not model.fabric.site.single_cluster:
            reach = model.fabric.site.reach_servers // model.servers_per_rack
            for clusters in range(1, 6):
                yield clusters * reach


def _nothing(row: Row) -> None:
    """No use is told of a row."""


def limit_rows(
    rows: list[Row],
    racks: int,
    used: Callable[[Row], float | None] = _nothing,
    *,
    note: bool = True,
) -> list[Limit]:
    """The rows of a count of racks: what is used, and which bind; noted in the record."""
    binding = {row.name for row in rows if row.allows_racks == racks}
    if not binding:
        known = [row for row in rows if row.allows_racks is not None]
        if known:
            binding = {min(known, key=lambda row: row.allows_racks or 0).name}
    found = []
    for row in rows:
        limit = Limit(
            name=row.name,
            allows_racks=row.allows_racks,
            used=used(row),
            available=row.available,
            unit=row.unit,
            binding=row.name in binding,
            note=row.note,
        )
        found.append(limit)
        if not note:
            continue
        path = f"limits.{row.name}"
        given(f"{path}.allows_racks", limit.allows_racks, "racks", _SOLVED)
        given(f"{path}.used", limit.used, row.unit, "figure of the plan at its count of racks")
        given(f"{path}.available", limit.available, row.unit, _available_source(row))
    return found


def _available_source(row: Row) -> str:
    return {
        REQUEST: "asked for on the command line",
        GRID: "supply of the last step, see its sheet (rules of counting, 7)",
        GENERATION: "on-site generation with its largest unit out (rules of counting, 7)",
        "transformers": "existing units with the largest out, less the load on them",
        "land": "site.land",
        "water_annual": "site.water.annual",
        "water_peak": "site.water.peak",
        "rack_cap": "site.rack_cap",
        "fabric": "reach of one fabric (clusterplan method, fabric rule 10)",
    }[row.name]
