"""How ready a site is: one line an item, with what shows it and what would close it."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class ReadinessItem:
    """One item: `ready`, `partly`, `open`, or `unknown` where neither file nor plan tells."""

    item: str
    status: str
    evidence: str
    closes: str
    area: str = figure("Area", formula="given", detail=True)
    verified: str = figure("Verified", formula="given", detail=True)


@frozen
class ReadinessSection:
    """Items by status."""

    ready: int = figure("Ready", formula="given")
    partly: int = figure("Partly", formula="given")
    open: int = figure("Open", formula="given")
    unknown: int = figure("Unknown", formula="given")
