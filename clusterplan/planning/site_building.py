"""Months to what must be built, delivered and set to work beside the supply, each draw."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan.planning.site_orders import built, order_months, ready
from clusterplan.sizing.draws import WORSE_FOOT, feet

if TYPE_CHECKING:
    from clusterplan.planning.calendar_draws import Drawn
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.site_calendar import Works
    from clusterplan.sizing.draws import Floats


def rack_months(
    planned: Floats, works: Works, drawn: Drawn, settings: Settings
) -> tuple[Floats, Floats]:
    """Delivery of each block without deliveries of the user's, and where it holds things up."""
    import numpy as np

    order: Floats | float = np.maximum(0.0, planned - settings.number("order_before"))
    if works.orders.of_lead("gpu_racks") is not None:
        order = order_months(works, "gpu_racks", drawn, settings)
    arrival = order + racks_months(works, drawn, settings)
    # racks that come when planned do not hold anything up
    held: Floats = np.where(arrival > planned, arrival, np.full_like(planned, -math.inf))
    delivered: Floats = np.maximum(planned, arrival)
    return delivered, held


def yard_months(works: Works, drawn: Drawn, settings: Settings) -> Floats | None:
    """Month at which the substation is there; None where there is no HV stage."""
    if not works.yard:
        return None
    parts = [
        ready(works, "power_transformer", drawn, settings),
        ready(works, "hv_breaker_345kv", drawn, settings),
        built(works, "substation_build", drawn, settings),
    ]
    return _last(parts, drawn.lead("commissioning_per_100mw"))


def halls_months(works: Works, drawn: Drawn, settings: Settings) -> Floats:
    """Month at which the first halls are there."""
    leads = ["mv_switchgear", "mv_unit_substation"]
    if works.has_ups:
        leads.append("ups")
    parts = [built(works, "shell_construction", drawn, settings)]
    parts += [ready(works, lead, drawn, settings) for lead in leads]
    return _last(parts, drawn.lead("roof_to_operational"))


def cooling_months(works: Works, drawn: Drawn, settings: Settings) -> Floats:
    """Month at which the first cooling plant is there."""
    leads = [works.cooling_lead, "cdu"] if works.has_cdus else [works.cooling_lead]
    parts = [ready(works, lead, drawn, settings) for lead in leads]
    return _last(parts, drawn.lead("roof_to_operational"))


def _last(parts: list[Floats], then: Floats) -> Floats:
    """Month of the last part and what follows it; what stands already is month 0."""
    import numpy as np

    found: Floats = np.maximum(0.0, np.maximum.reduce(parts) + then)
    return found


def racks_months(works: Works, drawn: Drawn, settings: Settings) -> Floats:
    """Months from the order of racks to their delivery, with the export licence where due."""
    months = drawn.lead("gpu_racks")
    if not works.licence:
        return months
    names = ("licence_months_low", "licence_months", "licence_months_high")
    low, typical, high = (settings.number(name) for name in names)
    licence = feet(low, typical, high, high_foot=WORSE_FOOT["false"])
    return months + drawn.months("export_licence", licence, own=False)
