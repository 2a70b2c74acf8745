"""On-site generation: what it carries, its fault level, and whether it follows the swing."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

_SUM = "plants_sum"


@frozen
class PlantRow:
    """One plant of equal units."""

    plant: str
    type: str
    units: int = figure("Units", formula="given")
    unit_mw: float = figure("Unit", formula="given")
    gross_mw: float = figure("Gross", formula="given")
    rated_mva: float = figure("Rating", formula="machine_mva", detail=True)
    inertia_mw_s: float | None = figure(
        "Kinetic energy", formula="plant_inertia_mw_s", detail=True, optional=True
    )
    block_load_mw: float | None = figure("Load step", optional=True)
    ramp_mw_per_min: float | None = figure(
        "Ramp", formula="plant_ramp_mw_per_min|given", optional=True
    )
    fuel_mmbtu_per_day: float | None = figure("Fuel", digits=0, optional=True)


@frozen
class GenerationSection:
    """All on-site units of the last supply stage.

    Loadings, fuel and what follows a swing are of an islanded site: beside a grid they depend on
    dispatch.
    """

    operation: str
    swing_verdict: str
    not_assessed: str | None = None
    gross_mw: float = figure("Gross power", formula=_SUM)
    firm_mw: float = figure("Firm power, largest unit out", formula="onsite_firm_mw")
    rated_mva: float = figure("Rating of the machines", formula=_SUM, detail=True)
    loading_percent: float | None = figure(
        "Part load", formula="plant_loading_percent", digits=1, optional=True
    )
    loading_n1_percent: float | None = figure(
        "Loading, largest unit out", formula="plant_loading_percent", digits=1, optional=True
    )
    loading_low_percent: float | None = figure(
        "Part load, swing at its low", formula="plant_loading_percent", digits=1, optional=True
    )
    fuel_mmbtu_per_day: float | None = figure("Fuel", formula=_SUM, digits=0, optional=True)
    fault_max_mva: float | None = figure(
        "Fault level, all on one bus", formula="plants_fault_mva", digits=0, optional=True
    )
    fault_min_mva: float | None = figure(
        "Fault level, largest unit out",
        formula="plants_fault_mva",
        digits=0,
        detail=True,
        optional=True,
    )
    fault_level_ka: float | None = figure(
        "Fault current, all on one bus", formula="hv_fault_level_ka", optional=True
    )
    buses: int | None = figure("Separate buses", formula="generation_buses", optional=True)
    inertia_mw_s: float | None = figure("Kinetic energy", formula=_SUM, digits=0, optional=True)
    frequency_rate_hz_per_s: float | None = figure(
        "Frequency change by the swing", digits=2, optional=True
    )
    block_load_mw: float | None = figure("Step the units take", formula=_SUM, optional=True)
    ramp_mw_per_min: float | None = figure("Ramp of the units", formula=_SUM, optional=True)
    plants: tuple[PlantRow, ...] = ()
