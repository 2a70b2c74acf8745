"""What each limit alone would allow, and which one binds.

One row each, in the order of the counting rule 11: request, grid (generation when islanded),
transformers, land, water_annual, water_peak, rack_cap, fabric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.record import given
from clusterplan.core.results.plan import Limit
from clusterplan.planning import fabric_plan, substation_plan
from clusterplan.planning.solve import changes, largest_within, within
from clusterplan.sizing.accelerators import filling_unit_servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clusterplan.planning.site_model import SiteModel

MOST_RACKS = 262_144
GRID, GENERATION, REQUEST, TRANSFORMERS = "grid", "generation", "request", "transformers"
_SOLVED = "integer solve: the largest count at which this limit alone holds"
_LOOK_ABOVE_RACKS = 3  # above a count that fails: CDU groups and plant units make small steps


class Ask(NamedTuple):
    """What was asked for: a count of servers, said in the user's words."""

    servers: int
    racks: int
    asked: float
    unit: str


class Supply(NamedTuple):
    """MW that a step may use, None where unlimited (assumed), and its firm on-site MW at MV."""

    available_mw: float | None = None
    onsite_at_mv_mw: float = 0.0


class Row(NamedTuple):
    """One limit before it is known which binds. `need` gives what a count of servers takes."""

    name: str
    allows_servers: int | None
    allows_racks: int | None
    available: float | None
    unit: str
    need: Callable[[int], float] | None
    note: str = ""

    def holds(self, servers: int) -> bool:
        """Whether so many servers are within this limit; the request is none."""
        if self.need is None or self.available is None:
            return True
        return within(self.need(servers), self.available)


class Limits:
    """The limits of one site; those that a supply step does not change are solved once.

    Sites are filled in whole racks, or scalable units where only whole ones are wanted.
    """

    def __init__(self, model: SiteModel, ask: Ask | None) -> None:
        self.model = model
        self.ask = ask
        self.whole_sus = model.choices.flag("whole_sus")
        self.unit_servers = filling_unit_servers(model.chosen.shape, whole_sus=self.whole_sus)
        self._site: list[Row] | None = None
        self._rows: dict[Supply, list[Row]] = {}

    def racks(self, servers: int) -> int:
        """Racks of so many servers."""
        return -(-servers // self.model.servers_per_rack)

    def rows(self, supply: Supply) -> list[Row]:
        """All limits of one supply step, in their order."""
        if supply not in self._rows:
            if self._site is None:
                self._site = self._site_rows()
            first = [self._request(), self._supply(supply)]
            others = [*first, *self._site]
            self._rows[supply] = [*first, self._transformers(supply, others), *self._site]
        return self._rows[supply]

    def largest(self, supply: Supply) -> int:
        """The most servers, in whole units, that pass every limit."""
        rows = self.rows(supply)
        known = [row.allows_servers for row in rows if row.allows_servers is not None]
        if not known:
            return 0
        limits = [row for row in rows if row.need is not None and row.available is not None]
        upper = min(known) // self.unit_servers

        def worst(units: int) -> float:
            servers = units * self.unit_servers
            return max((_share(row, servers) for row in limits), default=0.0)

        units = upper
        if upper and not within(worst(upper), 1.0):
            units = self.solve(worst, 1.0, upper, self.land_key)
        while units and not self._supplied(units * self.unit_servers, supply):
            units -= 1
        return units * self.unit_servers

    def fits(self, supply: Supply, servers: int) -> bool:
        """Whether a count of servers passes every limit but the request."""
        return all(row.holds(servers) for row in self.rows(supply)) and self._supplied(
            servers, supply
        )

    def binding(self, supply: Supply, servers: int) -> set[str]:
        """Names of the rows that bind: those that allow no more racks, at least one.

        A limit may allow more than the plan and yet fail at the next unit, since needs jump; where
        no row allows exactly the plan's racks, those that fail there bind.
        """
        rows, racks = self.rows(supply), self.racks(servers)
        names = {row.name for row in rows if self.allows(row, servers) == racks}
        if not names:
            following = (servers // self.unit_servers + 1) * self.unit_servers
            names = {row.name for row in rows if not row.holds(following)}
        known = [row for row in rows if row.allows_racks is not None]
        if not names and known:
            names = {min(known, key=lambda row: row.allows_racks or 0).name}
        return names

    def allows(self, row: Row, servers: int) -> int | None:
        """Racks that a row allows: filled ones, or those of a plan with a part-filled one."""
        if row.allows_racks is None or not servers or not row.holds(servers):
            return row.allows_racks
        return max(row.allows_racks, self.racks(servers))

    def substation_reason(self, servers: int, supply: Supply) -> str:
        """Why no substation passes for so many servers."""
        model = self.model
        facility_mw = model.at(servers).facility_mw
        load_mw = model.through_substation_mw(facility_mw, supply.onsite_at_mv_mw)
        return substation_plan.failure_text(substation_plan.choose(model.electrical, load_mw))

    def _supplied(self, servers: int, supply: Supply) -> bool:
        return servers == 0 or self.model.can_be_supplied(servers, supply.onsite_at_mv_mw)

    def _request(self) -> Row:
        ask = self.ask
        if ask is None:
            return Row(REQUEST, None, None, None, "racks", None, "fills the site")
        return Row(REQUEST, ask.servers, ask.racks, ask.asked, ask.unit, None)

    def _supply(self, supply: Supply) -> Row:
        """The grid or generation limit of one supply step."""
        name = GENERATION if self.model.case.islanded else GRID
        available = supply.available_mw
        if available is None:
            return Row(name, None, None, None, "MW", None, "unlimited (assumed)")
        return self._row(name, self.facility_mw, available, "MW", self.units_of_mw(available))

    def _site_rows(self) -> list[Row]:
        case = self.model.case
        peak, cap = case.water_peak_l_per_s, case.rack_cap
        return [
            self._land(),
            self._water("water_annual", self.model.annual_water_m3, case.water_annual_m3, "m³/yr"),
            self._water("water_peak", self.peak_l_per_s, peak, "L/s"),
            Row("rack_cap", None, None, None, "racks", None, "not given")
            if cap is None
            else self._racks_row("rack_cap", cap * self.model.servers_per_rack, cap),
            self._fabric(),
        ]

    def _land(self) -> Row:
        model, acres = self.model, self.model.case.acres
        if acres is None:
            return Row("land", None, None, None, "acres", None, "not given")
        # the yard steps with the transformers, so a land limit may hold again further up: the land
        # without spare transformers says how far to look (no change of plant halves the land)
        least = self._of_units(model.acres_at_least)
        first = largest_within(least, acres, self._doubled(least, acres), window=0)
        top = self.solve(least, acres, 2 * first + _LOOK_ABOVE_RACKS, self.model.plant_regime)
        return self._row("land", model.acres, acres, "acres", top, self.land_key)

    def land_key(self, servers: int) -> object:
        """What makes the land jump: the regime, and the transformers where land is a limit."""
        if self.model.case.acres is None:
            return self.model.regime(servers)
        return (self.model.plant_regime(servers), self.model.scheme(servers))

    def _water(
        self, name: str, need: Callable[[int], float], available: float | None, unit: str
    ) -> Row:
        if available is None:
            return Row(name, None, None, None, unit, None, "not given")
        most = MOST_RACKS * self.model.servers_per_rack // self.unit_servers
        row = self._row(name, need, available, unit, most)
        if row.allows_servers == most * self.unit_servers and need(self.unit_servers) == 0.0:
            return row._replace(allows_servers=None, allows_racks=None, note="no water is used")
        return row

    def _fabric(self) -> Row:
        model = self.model
        if model.fabric is None:
            return Row("fabric", None, None, None, "racks", None, "no fabric counted")
        if not model.single_cluster:
            note = "cut into clusters where it must be"
            return Row("fabric", None, None, None, "racks", None, note)
        reach = model.fabric.site.reach_servers
        return self._racks_row("fabric", reach, fabric_plan.fabric_reach_racks(model.fabric))

    def _racks_row(self, name: str, most_servers: int, available: int) -> Row:
        """A limit that is a count of racks itself."""
        per_rack = self.model.servers_per_rack

        def need(servers: int) -> float:
            return servers / per_rack if name == "fabric" else float(self.racks(servers))

        servers = most_servers // self.unit_servers * self.unit_servers
        limit = most_servers / per_rack if name == "fabric" else available
        return Row(name, servers, self.racks(servers), limit, "racks", need)

    def existing_transformers(self, supply: Supply) -> tuple[Callable[[int], float], float] | None:
        """MVA that servers ask of the existing transformers, and what these hold with one out.

        None where the load already on them is not known.
        """
        model = self.model
        firm = substation_plan.existing_firm_mva(model.electrical)
        if firm is None:
            return None
        per_mw, onsite = model.rating_mva_per_mw, supply.onsite_at_mv_mw

        def apparent_mva(servers: int) -> float:
            return model.through_substation_mw(self.facility_mw(servers), onsite) * per_mw

        return apparent_mva, firm

    def _transformers(self, supply: Supply, others: Iterable[Row]) -> Row:
        model, electrical = self.model, self.model.electrical
        onsite = supply.onsite_at_mv_mw
        per_mw = model.rating_mva_per_mw

        def apparent_mva(servers: int) -> float:
            return model.through_substation_mw(self.facility_mw(servers), onsite) * per_mw

        if electrical.existing:
            existing = self.existing_transformers(supply)
            if existing is None:
                note = "existing load unknown"
                return Row(TRANSFORMERS, None, None, None, "MVA", None, note)
            firm = existing[1]
            most = self.units_of_mw(max(firm, 0.0) / per_mw + onsite)
            row = self._row(TRANSFORMERS, existing[0], firm, "MVA", most)
            return row._replace(note="existing units, N-1")
        known = [row.allows_servers for row in others if row.allows_servers is not None]
        most_servers = min(known, default=0)
        if self._supplied(most_servers, supply):
            return Row(TRANSFORMERS, None, None, None, "MVA", None, "bought for the plan")
        low, high = 0, -(-most_servers // self.unit_servers)
        while high - low > 1:
            middle = (low + high) // 2
            passes = self._supplied(middle * self.unit_servers, supply)
            low, high = (middle, high) if passes else (low, middle)
        servers = low * self.unit_servers
        note = self.substation_reason((low + 1) * self.unit_servers, supply)
        return Row(
            TRANSFORMERS, servers, self.racks(servers), apparent_mva(servers), "MVA", None, note
        )

    def _row(
        self,
        name: str,
        need: Callable[[int], float],
        available: float,
        unit: str,
        upper: int,
        key: Callable[[int], object] | None = None,
    ) -> Row:
        """A limit solved by itself; upper: units that are surely enough."""
        servers = self.solve(self._of_units(need), available, upper, key) * self.unit_servers
        return Row(name, servers, self.racks(servers), available, unit, need)

    def solve(
        self,
        need: Callable[[int], float],
        available: float,
        upper: int,
        key: Callable[[int], object] | None = None,
    ) -> int:
        """The most units up to `upper` whose need is within what is available.

        key: what makes the need jump when it changes, by servers; the regime where None.
        """
        regime = key or self.model.regime
        kept: dict[int, float] = {}

        def once(units: int) -> float:
            if units not in kept:
                kept[units] = need(units)
            return kept[units]

        first = largest_within(once, available, upper, window=0)
        jumps: list[int] = []
        if first < upper:
            # no other fabric halves a need: far above only the plant counts, and quickly
            near = min(upper, 2 * first + _LOOK_ABOVE_RACKS)
            jumps = changes(lambda n: regime(n * self.unit_servers), first + 1, near)
            if near < upper:
                plant = self.model.plant_regime
                jumps += changes(lambda n: plant(n * self.unit_servers), near, upper)
        around = sorted({units + more for units in jumps for more in (0, 1)})
        per_unit = max(1, self.unit_servers // self.model.servers_per_rack)
        window = max(1, _LOOK_ABOVE_RACKS // per_unit)
        past = self.past_dip
        return largest_within(once, available, upper, jumps=around, window=window, past=past)

    def past_dip(self, units: int) -> int | None:
        """The units at which the dip in the FWS supply ends in which so many lie, None without."""
        servers = self.model.past_dip(units * self.unit_servers)
        return None if servers is None else -(-servers // self.unit_servers)

    def _of_units(self, need: Callable[[int], float]) -> Callable[[int], float]:
        return lambda units: need(units * self.unit_servers) if units else 0.0

    def units_of_mw(self, facility_mw: float) -> int:
        """Units whose compute alone takes so many MW: more never fit, since PUE is 1 or more."""
        unit_kw = self.model.chosen.capacity_kw * self.unit_servers / self.model.servers_per_rack
        return int(facility_mw * 1000.0 / unit_kw * (1.0 + 1e-9)) + 1

    def _doubled(self, need: Callable[[int], float], available: float) -> int:
        """Units whose need is beyond what is available, or the most that are tried."""
        units = 64
        most = MOST_RACKS * self.model.servers_per_rack // self.unit_servers
        while units < most and within(need(units), available):
            units *= 4
        return min(units, most)

    def facility_mw(self, servers: int) -> float:
        """Facility MW of so many servers."""
        return self.model.at(servers).facility_mw if servers else 0.0

    def peak_l_per_s(self, servers: int) -> float:
        """Peak water of so many servers."""
        return self.model.at(servers).cooling.water_peak_l_per_s if servers else 0.0


def _share(row: Row, servers: int) -> float:
    """Need of a limit over what is available; endless where nothing is available."""
    if row.need is None or row.available is None:
        return 0.0
    need = row.need(servers) if servers else 0.0
    if row.available > 0.0:
        return need / row.available
    return float("inf") if need > 0.0 else 0.0


def _nothing(row: Row) -> None:
    """No use is told of a row."""


def limit_rows(
    limits: Limits,
    supply: Supply,
    servers: int,
    used: Callable[[Row], float | None] = _nothing,
) -> list[Limit]:
    """The rows at a count of servers: what is used, and which bind; noted in the record."""
    binding = limits.binding(supply, servers)
    found = []
    for row in limits.rows(supply):
        limit = Limit(
            name=row.name,
            allows_racks=limits.allows(row, servers),
            used=used(row),
            available=row.available,
            unit=row.unit,
            binding=row.name in binding,
            note=row.note,
        )
        found.append(limit)
        path = f"limits.{row.name}"
        given(f"{path}.allows_racks", limit.allows_racks, "racks", _SOLVED)
        given(f"{path}.used", limit.used, row.unit, "figure of the plan at its count of racks")
        given(f"{path}.available", limit.available, row.unit, _available_source(row))
    return found


def limited_by(limits: Limits, supply: Supply, servers: int) -> str:
    """The first row that binds."""
    binding = limits.binding(supply, servers)
    return next((row.name for row in limits.rows(supply) if row.name in binding), REQUEST)


def _available_source(row: Row) -> str:
    if row.name == TRANSFORMERS and row.need is None:
        return "what the largest substation that passes carries"
    return {
        REQUEST: "asked for on the command line",
        GRID: "supply of the last step, see its sheet (counting rule 7)",
        GENERATION: "on-site generation with its largest unit out (counting rule 7)",
        TRANSFORMERS: "existing units with the largest out, less the load on them",
        "land": "site.land",
        "water_annual": "site.water.annual",
        "water_peak": "site.water.peak",
        "rack_cap": "site.rack_cap",
        "fabric": "reach of one fabric (clusterplan method, fabric rule 10)",
    }[row.name]
