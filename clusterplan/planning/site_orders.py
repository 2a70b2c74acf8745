"""When the user orders things and has racks delivered, as the calendar of a site reads it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.sizing import ready_dates
from clusterplan.sizing.draws import WORSE_FOOT, feet

if TYPE_CHECKING:
    import datetime

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.datum import Datum
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.calendar_draws import Drawn
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.site_calendar import Works
    from clusterplan.sizing.draws import Floats

LEAD_TIME = "electrical.lead_time"
GENERATION, RACK_ORDER = "orders.generation", "orders.racks"
SHELL_START = "orders.shell_start"
# order of the user, by the lead time that runs from it
ORDER_OF = {
    "power_transformer": "orders.power_transformer",
    "hv_breaker_345kv": "orders.hv_breaker",
    "substation_build": "orders.substation_start",
    "shell_construction": SHELL_START,
    "mv_switchgear": "orders.mv_switchgear",
    "mv_unit_substation": "orders.mv_unit_substation",
    "ups": "orders.ups",
    "dry_cooler": "orders.cooling_machines",
    "chiller": "orders.cooling_machines",
    "cdu": "orders.cdu",
    "gpu_racks": RACK_ORDER,
}


class Delivered(NamedTuple):
    """One delivery: IT MW of all racks that are there from a day on."""

    key: str
    day: Datum[datetime.date]
    it_mw: float


class Orders(NamedTuple):
    """What the user says of orders: days by path, deliveries, the lead time of transformers."""

    placed: dict[str, Datum[datetime.date]]
    deliveries: tuple[Delivered, ...] = ()
    transformer_weeks: Datum[float] | None = None

    def of_lead(self, lead: str) -> Datum[datetime.date] | None:
        """The day from which a lead time runs; None at the start."""
        return self.placed.get(ORDER_OF[lead])


NO_ORDERS = Orders({})


def orders_of(inputs: SiteInputs, plan: SitePlan) -> Orders:
    """Orders and deliveries of a site; deliveries in IT MW of its plan."""
    data: dict[str, Any] = inputs.design_data
    placed = {path: datum for path, datum in data.items() if path.startswith("orders.")}
    summary = plan.summary
    totals = {"racks": summary.racks, "accelerators": summary.accelerators}
    deliveries = tuple(
        Delivered(
            f"design.deliveries.{place}.date",
            item.date,
            summary.it_power_mw * item.count.value / totals[item.counted],
        )
        for place, item in enumerate(inputs.design.get("deliveries") or ())
    )
    return Orders(placed, deliveries, data.get(LEAD_TIME))


def day_feet(day: Datum[datetime.date], settings: Settings) -> tuple[float, float, float]:
    """Feet and mode of a day of the user's in months from the start; before it below 0."""
    typical = settings.month_of(day.value)
    low = typical if day.low is None else settings.month_of(day.low)
    high = typical if day.high is None else settings.month_of(day.high)
    return feet(low, typical, high, high_foot=WORSE_FOOT[day.verified])


def order_months(works: Works, lead: str, drawn: Drawn, settings: Settings) -> Floats | float:
    """Months from the start to an order, each draw; 0 where nothing is said."""
    day = works.orders.of_lead(lead)
    if day is None:
        return 0.0
    return drawn.months(f"design.{ORDER_OF[lead]}", day_feet(day, settings), own=True, past=True)


def ready(works: Works, lead: str, drawn: Drawn, settings: Settings) -> Floats:
    """Months to what is ordered, each draw: day of the order and lead time."""
    weeks = works.orders.transformer_weeks
    if lead == "power_transformer" and weeks is not None:
        low = weeks.value if weeks.low is None else weeks.low
        high = weeks.value if weeks.high is None else weeks.high
        foot = WORSE_FOOT[weeks.verified]
        bounds = [w * 7.0 / ready_dates.DAYS_PER_MONTH for w in (low, weeks.value, high)]
        wait = drawn.months(
            f"design.{LEAD_TIME}", feet(bounds[0], bounds[1], bounds[2], high_foot=foot), own=True
        )
    else:
        wait = drawn.lead(lead)
    return order_months(works, lead, drawn, settings) + wait


def built(works: Works, lead: str, drawn: Drawn, settings: Settings) -> Floats:
    """Months to what is built, each draw: after zoning, or from the day on which it begins.

    Work that began before the start shows that zoning holds it up no more.
    """
    import numpy as np

    zoning = drawn.lead("zoning") * works.zoning_factor
    begun = order_months(works, lead, drawn, settings)
    found: Floats = np.where(np.asarray(begun) < 0.0, begun, np.maximum(zoning, begun))
    return found + drawn.lead(lead)


def arrivals(works: Works, drawn: Drawn, settings: Settings) -> tuple[tuple[float, Floats], ...]:
    """IT MW of the racks that are there and months to it, for each delivery."""
    return tuple(
        (item.it_mw, drawn.months(item.key, day_feet(item.day, settings), own=True))
        for item in works.orders.deliveries
    )


def delivery_dates(
    there: tuple[tuple[float, Floats], ...], edges_mw: tuple[float, ...], draws: int
) -> Floats:
    """Months at which the racks of each block are there; never where no delivery covers it."""
    import numpy as np

    found = np.full((len(edges_mw), draws), math.inf)
    for row, edge in zip(found, edges_mw, strict=True):
        for it_mw, months in there:
            if it_mw >= edge * (1.0 - 1e-9):
                np.minimum(row, months, out=row)
    return found


def arrived_mw(there: tuple[tuple[float, Floats], ...], month: float, draws: int) -> Floats:
    """IT MW of racks on site by a month, each draw; more than the plan where more is delivered."""
    import numpy as np

    found = np.zeros(draws)
    for it_mw, months in there:
        np.maximum(found, it_mw * (months <= month), out=found)
    return found


def orders_at_start(works: Works) -> tuple[str, ...]:
    """Paths of the orders that count and that the user does not date."""
    leads = ["shell_construction", "mv_switchgear", "mv_unit_substation", works.cooling_lead]
    if works.yard:
        leads = ["power_transformer", "hv_breaker_345kv", "substation_build", *leads]
    if works.has_ups:
        leads.append("ups")
    if works.has_cdus:
        leads.append("cdu")
    if not works.orders.deliveries:
        leads.append("gpu_racks")
    return tuple(ORDER_OF[lead] for lead in leads if works.orders.of_lead(lead) is None)
