"""The whole plan of one site: summary, limits, stages, assumptions, warnings."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

if TYPE_CHECKING:
    from clusterplan.core.record import Recorder
    from clusterplan.core.results.cooling import CoolingSection
    from clusterplan.core.results.cost import CostSection
    from clusterplan.core.results.distribution import DistributionSection
    from clusterplan.core.results.fabric import FabricSection
    from clusterplan.core.results.floor import FloorSection
    from clusterplan.core.results.generation import GenerationSection
    from clusterplan.core.results.power import PowerSection
    from clusterplan.core.results.substation import SubstationSection, SwingSection


@frozen
class Assumption:
    """A figure that shaped the result and that the user did not give."""

    path: str
    value: Any
    unit: str
    source: str
    verified: str


@frozen
class Warning:
    """Something the user should know; `code` is stable for scripts."""

    code: str
    path: str
    message: str


@frozen
class SiteHeader:
    """Which site, and what was planned on it."""

    id: str
    name: str
    country: str
    state: str | None = None
    latitude: float = figure("Latitude", formula="given", detail=True)
    longitude: float = figure("Longitude", formula="given", detail=True)
    elevation_m: float = figure("Elevation", formula="given")
    climate: str
    rack: str
    grid: str | None = None


@frozen
class SummarySection:
    """The answer in a dozen figures."""

    accelerators: int = figure("Accelerators")
    accelerator: str
    h100_equivalents: float | None = figure("H100 equivalents", digits=0)
    h100_precision: str | None
    racks: int = figure("Compute racks")
    servers: int = figure("Servers")
    scalable_units: int | None = figure("Scalable units")
    it_power_mw: float = figure("IT power")
    facility_power_mw: float = figure("Facility power at the meter")
    pue_peak: float | None = figure("PUE, peak", basis="highest design point", digits=3)
    pue_annual: float | None = figure("PUE, annual", basis="typical power", digits=3)
    pue_peak_computed: float | None = figure(
        "PUE, peak, computed",
        basis="replaced by the one given",
        formula="given",
        digits=3,
        optional=True,
        default=None,
    )
    pue_annual_computed: float | None = figure(
        "PUE, annual, computed",
        basis="replaced by the one given",
        formula="given",
        digits=3,
        optional=True,
        default=None,
    )
    wue_l_per_kwh: float | None = figure("WUE, site water per IT kWh", digits=3)
    supply: str
    power_basis: str
    limited_by: str


@frozen
class Limit:
    """What one limit alone would allow."""

    name: str
    allows_racks: int | None = figure("Allows racks", formula="given")
    used: float | None = figure(
        "Used",
        formula="facility_power_mw|rating_power_mva|acres_needed|year_sums.water_m3"
        "|water_peak_l_per_s",
    )
    available: float | None = figure(
        "Available", formula="stage_supply_mw|existing_firm_mva|buildable_acres"
    )
    unit: str
    binding: bool
    note: str = ""


@frozen
class Stage:
    """One supply stage, solved like a site of its own."""

    name: str
    energised: str | None
    status: str
    firm_mw: float | None = figure("Firm", formula="stage_supply_mw")
    nonfirm_mw: float | None = figure("Non-firm", formula="given")
    accelerators: int = figure("Accelerators", formula="accelerators")
    racks: int = figure("Racks", formula="given")
    facility_power_mw: float = figure("Facility")
    limited_by: str


@frozen
class Report:
    """What a command prints: named parts in order, the same for every format.

    A part is a result dataclass (its figures become rows, all its fields go to JSON), a tuple of
    dataclasses (a table), a plain value, or None. JSON is `{"schema": ..., **parts}`. `drawing` is
    a picture of text that formats for reading show below the title. `unfolded` are the paths of
    parts whose details the terminal shows too.
    """

    schema: str
    title: str
    parts: dict[str, Any]
    record: Recorder | None = field(default=None, compare=False)
    feasible: bool = True
    infeasible_reason: str | None = None
    drawing: str = ""
    unfolded: tuple[str, ...] = ()


@frozen
class SitePlan:
    """One sized site. `record` holds the calculation steps when they were kept."""

    site: SiteHeader
    summary: SummarySection
    power: PowerSection
    cooling: CoolingSection
    substation: SubstationSection
    distribution: DistributionSection
    generation: GenerationSection | None
    swing: SwingSection
    fabric: FabricSection | None
    floor: FloorSection | None
    cost: CostSection | None
    limits: tuple[Limit, ...]
    stages: tuple[Stage, ...]
    assumptions: tuple[Assumption, ...]
    warnings: tuple[Warning, ...]
    feasible: bool = True
    infeasible_reason: str | None = None
    record: Recorder | None = field(default=None, compare=False)

    def report(self) -> Report:
        """The plan as the parts of its JSON contract."""
        # what binds and by when comes right after the answer, then how each discipline looks
        names = [
            *("site", "summary", "limits", "stages", "power", "cooling", "substation"),
            *("distribution", "generation", "swing", "fabric", "floor", "cost"),
            *("assumptions", "warnings"),
        ]
        return Report(
            schema="clusterplan/size/1",
            title=f"{self.site.name} on {self.site.rack}",
            parts={name: getattr(self, name) for name in names},
            record=self.record,
            feasible=self.feasible,
            infeasible_reason=self.infeasible_reason,
        )
