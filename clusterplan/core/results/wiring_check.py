"""A fabric as found against its plan."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class WiringKindRow:
    """How many findings of a kind, and how many planned links they stand for."""

    kind: str
    findings: int = figure("Findings", formula="given")
    links: int = figure("Planned links", formula="given")
    meaning: str


@frozen
class WiringFinding:
    """One mistake, in words and as links.

    Links read `device port - device port`; several are parted by semicolons.
    """

    kind: str
    finding: str
    devices: str = figure("Devices", formula="given", detail=True)
    planned: str = figure("Planned", formula="given", detail=True)
    found: str = figure("Found", formula="given", detail=True)
    links: int = figure("Planned links", formula="given", detail=True)


@frozen
class WiringCheckSection:
    """Planned links = matched + the planned links of all findings.

    `not_covered`: parts of the plan of which no switch was found; their links are not compared.
    `not_shown`: what a terminal leaves out, empty in every file.
    """

    plan: str
    plan_format: str
    discovered: str
    discovered_format: str
    agrees: bool
    planned_links: int = figure("Links planned", formula="given")
    found_links: int = figure("Links found", formula="given")
    matched_links: int = figure("Links as planned", formula="given")
    findings_total: int = figure("Findings", formula="given")
    links_with_speed: int = figure("Links whose speed was compared", formula="given")
    outside_links: int = figure("Links found outside of what is compared", formula="given")
    not_covered_links: int = figure("Planned links not covered", formula="given")
    aggregation_nodes: int = figure("Aggregation nodes left out", formula="given")
    not_covered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    kinds: tuple[WiringKindRow, ...] = ()
    findings: tuple[WiringFinding, ...] = ()
    not_shown: tuple[str, ...] = ()
