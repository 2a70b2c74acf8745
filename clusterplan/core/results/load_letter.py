"""A load letter: what a utility is told of a planned load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

if TYPE_CHECKING:
    from clusterplan.core.results.substation import SwingLayer, SwingTransition, SwingVerdict


_ALL = "what is there already included"


@frozen
class Service:
    """Where the load joins the grid, as the applicant understands it."""

    project: str
    location: str
    utility: str
    operator: str
    connection_point: str
    service_kv: float = figure("Service voltage", formula="given")
    circuits: int = figure("Circuits", formula="given")
    queue_position: str = figure("Queue position or docket")
    stage: str = figure("Stage of the interconnection")


@frozen
class LoadFigures:
    """The load at the meter, all halls together."""

    initial_load_mw: float = figure("Initial load", basis=_ALL, formula="site_load_mw")
    initial_date: str | None = None
    final_load_mw: float = figure("Final load", basis=_ALL, formula="site_load_mw")
    final_date: str | None = None
    final_grid_mw: float = figure(
        "of it from the grid", basis="on-site generation less its largest unit", formula="given"
    )
    contracted_mw: float = figure("Contracted or approved", formula="given")
    speculative_mw: float = figure("Speculative", formula="given")
    requested_mw: float = figure("Requested from the utility", formula="given")
    existing_load_mw: float = figure("Load there already", formula="given")
    apparent_power_mva: float = figure("Apparent power", formula="given")
    power_factor: float = figure("Power factor of the load", digits=3, formula="given")
    power_factor_asked: float | None = figure(
        "Power factor asked for", basis="at the connection point", digits=3, formula="given"
    )
    load_factor_percent: float | None = figure("Load factor", digits=1)


@frozen
class LetterStage:
    """One dated step of the ramp; loads are cumulative."""

    hall: str
    stage: str
    energised: str | None
    status: str
    load_mw: float = figure("Load of the hall", formula="given")
    onsite_firm_mw: float = figure("On-site, firm", formula="given")
    grid_mw: float = figure("From the grid", formula="grid_load_mw")
    contracted_mw: float = figure("Contracted or approved", formula="contracted_mw")
    speculative_mw: float = figure("Speculative", formula="speculative_mw")
    total_load_mw: float = figure("All halls", formula="site_load_mw")


@frozen
class LoadMix:
    """What the load is made of at the peak, of one hall."""

    hall: str
    computational_percent: float = figure(
        "Computational", basis="IT", formula="load_share_percent", digits=1
    )
    ups_percent: float = figure("Behind UPS", formula="load_share_percent", digits=1)
    direct_percent: float = figure(
        "Power supplies without UPS", formula="load_share_percent", digits=1
    )
    motor_percent: float = figure(
        "Motors and drives", basis="cooling", formula="load_share_percent", digits=1
    )
    rest_percent: float = figure(
        "Rest and losses", basis="house, transformers", formula="load_share_percent", digits=1
    )


@frozen
class RideThrough:
    """One rule for staying connected, and what is known of the load."""

    rule: str
    asked: str
    proof: str = figure("State of the proof")
    verdict: str
    status: str


@frozen
class LetterSwing:
    """The power swing of one hall, or of all together, at the connection point."""

    hall: str
    swing_mw: float = figure("Swing", formula="worst_swing_mw|combined_swing_mw|swing_mw")
    ramp_mw_per_s: float | None = figure("Ramp", optional=True)
    edge_s: float | None = figure("Edge", formula="given", optional=True)
    swing_frequency_hz: float | None = figure(
        "Repeats at", formula="given", digits=2, optional=True
    )
    step_voltage_percent: float | None = figure("Voltage step", digits=2, optional=True)
    buffer_mw: float | None = figure(
        "Buffer", formula="ramp_buffer.power_mw|smoothing_buffer.power_mw", optional=True
    )
    buffer_mwh: float | None = figure("Buffer, nameplate", optional=True)


@frozen
class LetterGeneration:
    """On-site generation or storage of one hall."""

    hall: str
    plant: str
    kind: str
    gross_mw: float = figure("Gross", formula="given")
    units: int = figure("Units", formula="given")
    energised: str | None
    status: str


@frozen
class RuleVerdict:
    """One rule for large loads against this load, by both readings of it."""

    name: str
    topic: str = figure("Topic", detail=True)
    verdict: str
    threshold: float | None = figure("Threshold", formula="given", optional=True)
    unit: str
    planned: float = figure("Planned", formula="given", detail=True)
    requested: float = figure("Requested", formula="given", detail=True)
    reading: str
    asks: str = figure("Asks", detail=True)
    status: str
    source: str = figure("Source", detail=True)
    verified: str = figure("Verified", detail=True)


@frozen
class OpenQuestion:
    """What the letter lacks: the field that would say it, and what the plan assumed meanwhile."""

    question: str
    path: str
    meanwhile: str


@frozen
class LoadLetter:
    """All of a letter.

    Transitions and layers of the swing are those of the largest hall, verdicts of all together.
    """

    service: Service
    load: LoadFigures
    ramp: tuple[LetterStage, ...]
    mix: tuple[LoadMix, ...]
    ride_through: tuple[RideThrough, ...]
    swing: tuple[LetterSwing, ...]
    transitions: tuple[SwingTransition, ...]
    verdicts: tuple[SwingVerdict, ...]
    layers: tuple[SwingLayer, ...]
    generation: tuple[LetterGeneration, ...]
    rules: tuple[RuleVerdict, ...]
    open_questions: tuple[OpenQuestion, ...]
