"""Energised power by month: supply, substation, halls, cooling and racks with their ranges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.inputs.datum import value_of
from clusterplan.planning import site_building, site_orders
from clusterplan.planning.calendar_draws import Drawn
from clusterplan.planning.site_data import export_tier
from clusterplan.planning.site_orders import NO_ORDERS, Orders, orders_of
from clusterplan.planning.site_supply import supply_dates_of
from clusterplan.sizing import ready_dates
from clusterplan.sizing.substation_tables import MV_SERVICE_MAX_KV

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.site_supply import SupplyDate
    from clusterplan.sizing.draws import Floats

SUPPLY, SUBSTATION, HALLS, COOLING, RACKS = "supply", "substation", "halls", "cooling", "racks"
PARTS = (SUPPLY, SUBSTATION, HALLS, COOLING, RACKS)
ZONING_FACTOR = {"filed": 0.5, "issued": 0.0, "not_needed": 0.0}
CHILLERS = ("air-cooled-chiller", "water-cooled-chiller")
EXISTING_POWER_FACTOR = 0.95


class Works(NamedTuple):
    """What must stand beside the supply, from the plan and the site's files.

    Powers in MW: it_mw and facility power of the plan, standing_mw that the substation carries
    today. yard: whether there is an HV stage at all.
    """

    it_mw: float
    facility_mw: float
    pue_peak: float
    accelerators: int
    yard: bool
    standing_mw: float
    at_hv: bool
    zoning_factor: float
    cooling_lead: str
    has_cdus: bool
    has_ups: bool
    licence: bool
    orders: Orders = NO_ORDERS


class Calendar(NamedTuple):
    """Blocks and their dates (months, shape blocks x draws; infinity is never).

    edges_mw: IT MW up to which each block goes; parts: dates by part, minus infinity where a part
    does not apply or is not what waits. arrivals: IT MW of the user's deliveries and their months.
    """

    works: Works
    edges_mw: tuple[float, ...]
    on: Floats
    delivered: Floats
    parts: dict[str, Floats]
    arrivals: tuple[tuple[float, Floats], ...] = ()

    @property
    def blocks_mw(self) -> tuple[float, ...]:
        """IT MW of each block."""
        before = (0.0, *self.edges_mw[:-1])
        return tuple(edge - last for edge, last in zip(self.edges_mw, before, strict=True))

    def delivered_mw(self, month: float) -> Floats:
        """IT MW of the racks on site by a month, each draw."""
        if self.arrivals:
            return site_orders.arrived_mw(self.arrivals, month, self.on.shape[1])
        return ready_dates.energised_mw(self.blocks_mw, self.delivered, month)

    def place_of(self, facility_mw: float) -> int | None:
        """The block with which a facility power is reached; None beyond the plan."""
        need = facility_mw / self.works.pue_peak
        for place, edge in enumerate(self.edges_mw):
            if edge >= need * (1.0 - 1e-9):
                return place
        return None

    def date_of(self, facility_mw: float) -> Floats:
        """Months to a facility power (MW at the meter), each draw."""
        import numpy as np

        place = self.place_of(facility_mw)
        return np.full(self.on.shape[1], math.inf) if place is None else self.on[place]

    def critical(self, facility_mw: float) -> tuple[str, float] | None:
        """The part that is last in most draws at a facility power, with that share."""
        import numpy as np

        place = self.place_of(facility_mw)
        if place is None:
            return None
        stacked = np.stack([self.parts[name][place] for name in PARTS])
        last = np.where(np.isinf(stacked[0]) & (stacked[0] > 0), 0, stacked.argmax(axis=0))
        counts = np.bincount(last, minlength=len(PARTS))
        best = int(counts.argmax())
        return PARTS[best], float(counts[best]) / len(last)


def works_of(inputs: SiteInputs, plan: SitePlan) -> Works:
    """What the plan needs beside its supply."""
    grid = inputs.grid
    zoning = None if inputs.site.permits is None else inputs.site.permits.zoning
    tier, _, _ = export_tier(inputs)
    policy = inputs.site.policy
    licensed = policy is not None and policy.export_licence == "issued"
    summary, substation = plan.summary, plan.substation
    connects = None if grid is None else grid.generation_connects_at
    gross = sum(unit.gross_mw.value for unit in inputs.site.generation)
    return Works(
        it_mw=summary.it_power_mw,
        facility_mw=summary.facility_power_mw,
        pue_peak=summary.pue_peak or 1.0,
        accelerators=summary.accelerators,
        yard=grid is not None and substation.hv_kv > MV_SERVICE_MAX_KV,
        standing_mw=standing_mw(inputs),
        at_hv=connects == "hv" if connects is not None else gross > 100.0,
        zoning_factor=1.0 if zoning is None else ZONING_FACTOR.get(zoning.status, 1.0),
        cooling_lead="chiller" if plan.cooling.heat_rejection in CHILLERS else "dry_cooler",
        has_cdus=bool(plan.cooling.cdus),
        has_ups=inputs.design.get("ups") != "none",
        licence=tier == "licence_case" and not licensed,
        orders=orders_of(inputs, plan),
    )


def standing_mw(inputs: SiteInputs) -> float:
    """MW that the substation carries today: transformers with one out, or what is in service."""
    grid = inputs.grid
    if grid is None:
        return 0.0
    in_service = [
        stage.firm_mw.value
        for stage in grid.stages
        if (stage.status or grid.stage or "none") == "energised"
    ]
    ratings = [unit.top_mva.value for unit in grid.transformers for _ in range(_count(unit.count))]
    known = grid.existing_load is not None
    free = 0.0
    if ratings and known and grid.existing_load is not None:
        load = grid.existing_load.power_mw.value
        free = (sum(ratings) - max(ratings)) * EXISTING_POWER_FACTOR - load
    return max(free, *in_service, 0.0)


def _count(datum: object) -> int:
    return 1 if datum is None else int(value_of(datum) or 1)  # type: ignore[arg-type]


def calendar(
    works: Works,
    steps: tuple[SupplyDate, ...],
    drawn: Drawn,
    settings: Settings,
    slip_months: float = 0.0,
) -> Calendar:
    """Dates of each block with these steps alone, all of which slip by some months."""
    import numpy as np

    levels, edges = _levels_and_edges(works, steps, drawn, settings, slip_months)
    needs = [edge * works.pue_peak for edge in edges]
    supply = ready_dates.supply_dates(levels, needs)
    yard = site_building.yard_months(works, drawn, settings)
    connected = supply
    if yard is not None:
        connected = ready_dates.connected_dates(
            levels, needs, yard, works.standing_mw, at_hv=works.at_hv
        )
    offset = np.array(
        [max(0.0, math.ceil(edge / settings.number("block_mw") - 1e-9) - 1.0) for edge in edges]
    )[:, None]
    halls = site_building.halls_months(works, drawn, settings)[None] + offset
    cooling = site_building.cooling_months(works, drawn, settings)[None] + offset
    others = np.maximum(np.maximum(connected, halls), cooling)
    there = site_orders.arrivals(works, drawn, settings)
    if there:
        delivered = held = site_orders.delivery_dates(there, edges, drawn.size)
    else:
        planned = others.copy()
        if drawn.count is not None:
            planned = _planned(works, steps, settings, slip_months, edges)
        delivered, held = site_building.rack_months(planned, works, drawn, settings)
    parts = {
        SUPPLY: supply,
        SUBSTATION: np.where(connected > supply, connected, -math.inf),
        HALLS: halls,
        COOLING: cooling,
        RACKS: held,
    }
    return Calendar(works, edges, np.maximum(others, delivered), delivered, parts, there)


def _planned(
    works: Works,
    steps: tuple[SupplyDate, ...],
    settings: Settings,
    slip_months: float,
    edges: tuple[float, ...],
) -> Floats:
    """Dates for which racks are planned: the other parts at their typical values, (blocks, 1)."""
    typical = calendar(works, steps, Drawn(0, None), settings, slip_months)
    if typical.edges_mw != edges:
        message = "blocks differ between draws and typical values"
        raise AssertionError(message)
    found: Floats = _others(typical)
    return found


def _others(found: Calendar) -> Floats:
    import numpy as np

    latest: Floats = np.maximum.reduce([found.parts[name] for name in PARTS if name != RACKS])
    return latest


def _levels_and_edges(
    works: Works,
    steps: tuple[SupplyDate, ...],
    drawn: Drawn,
    settings: Settings,
    slip_months: float,
) -> tuple[ready_dates.Levels, tuple[float, ...]]:
    """MW in service after each step, and the blocks cut at every level that can be reached."""
    import numpy as np

    dates = (
        np.stack([drawn.supply(step) + slip_months for step in steps])
        if steps
        else (np.empty((0, drawn.size)))
    )
    parts = [step.part for step in steps]
    levels = ready_dates.levels_in_service(parts, dates)
    there = tuple(item.it_mw * works.pue_peak for item in works.orders.deliveries)
    size = (works.it_mw, works.pue_peak)
    return levels, block_edges_of(steps, size, works.standing_mw, settings, there)


def block_edges_of(
    steps: tuple[SupplyDate, ...],
    size: tuple[float, float],
    standing_mw: float,
    settings: Settings,
    deliveries_mw: tuple[float, ...] = (),
) -> tuple[float, ...]:
    """IT MW up to which each block goes; size: IT MW and peak PUE.

    Cut where supply, first phase, standing MW and deliveries (facility MW) end.
    """
    it_mw, pue_peak = size
    cuts = [step.part.grid_mw for step in steps if step.part.grid_mw > 0.0]
    cuts += list(_plant_levels(steps))
    cuts += [a + b for a in list(cuts) for b in _plant_levels(steps) if a != b]
    cuts.append(settings.number("first_phase"))
    cuts.append(standing_mw)
    cuts += deliveries_mw
    return ready_dates.block_edges(it_mw, cuts, pue_peak, settings.number("block_mw"))


def _plant_levels(steps: tuple[SupplyDate, ...]) -> Iterator[float]:
    """Firm MW of the plants as they come one after another, in the order given."""
    stated = gross = largest = 0.0
    for step in steps:
        if not step.onsite:
            continue
        stated += step.part.stated_mw
        gross += step.part.gross_mw
        largest = max(largest, step.part.largest_mw)
        yield stated + max(0.0, gross - largest)


class Outlook(NamedTuple):
    """The calendars of a site, one for each confidence: with the steps at least as sure."""

    steps: tuple[SupplyDate, ...]
    confidences: tuple[float, ...]
    calendars: tuple[Calendar, ...]

    @property
    def counted(self) -> Calendar | None:
        """The calendar with every step that counts; None without any."""
        return self.calendars[-1] if self.calendars else None

    def at_least(self, confidence: float) -> Calendar | None:
        """The calendar with the steps at least so sure; None without any."""
        found = [
            item
            for sure, item in zip(self.confidences, self.calendars, strict=True)
            if sure >= confidence - 1e-9
        ]
        return found[-1] if found else None

    def supply_month(self, facility_mw: float, share: float, confidence: float = 0.0) -> float:
        """Month by which steps at least so sure supply a power, in a share of the draws.

        The works beside the supply are left out; infinity is never.
        """
        found = self.at_least(confidence)
        place = None if found is None else found.place_of(facility_mw)
        if found is None or place is None:
            return math.inf
        return ready_dates.quantile(found.parts[SUPPLY][place], share)

    def first_supply_month(self, share: float) -> float:
        """Month of the first block's supply in a share of the draws; infinity is never."""
        found = self.counted
        return math.inf if found is None else ready_dates.quantile(found.parts[SUPPLY][0], share)


def outlook(
    inputs: SiteInputs,
    works: Works,
    drawn: Drawn,
    settings: Settings,
    *,
    slip_months: float = 0.0,
    steps: tuple[SupplyDate, ...] | None = None,
) -> Outlook:
    """Calendars of a site by falling confidence; steps that are merely announced count nowhere."""
    found = supply_dates_of(inputs, settings) if steps is None else steps
    confidences = sorted({step.confidence for step in found if step.confidence > 0}, reverse=True)
    run: Callable[[tuple[SupplyDate, ...]], Calendar] = lambda chosen: calendar(  # noqa: E731
        works, chosen, drawn, settings, slip_months
    )
    calendars = tuple(
        run(tuple(step for step in found if step.confidence >= sure)) for sure in confidences
    )
    return Outlook(found, tuple(confidences), calendars)
