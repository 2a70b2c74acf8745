"""One sized site with its gates, calendar and score, and the order of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterplan.core.errors import InfeasibleError
from clusterplan.planning.calendar_draws import Drawn
from clusterplan.planning.site_calendar import outlook, works_of
from clusterplan.planning.site_data import Evidence
from clusterplan.planning.site_gates import PASS, gates_of
from clusterplan.planning.site_scores import score_site
from clusterplan.planning.size_site import size_site
from clusterplan.sizing.site_value import competition_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import SitePlan
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.site_calendar import Outlook, Works
    from clusterplan.planning.site_gates import Gate
    from clusterplan.planning.site_scores import Score


@dataclass(frozen=True, eq=False)
class RankedSite:
    """A site as it enters the comparison; `rank` is 0 until `ranked` gives it.

    blocked: why nothing fits, where `plan` is None.
    """

    evidence: Evidence
    plan: SitePlan | None
    blocked: str
    works: Works | None
    prospects: Outlook | None
    drawn: Drawn
    gates: tuple[Gate, ...]
    score: Score
    rank: int = 0

    @property
    def id(self) -> str:
        """The site's id."""
        return self.evidence.inputs.site.id

    @property
    def is_clear(self) -> bool:
        """Whether every gate is passed."""
        return all(gate.verdict == PASS for gate in self.gates)


def assessed(inputs: SiteInputs, settings: Settings, drawn: Drawn | None = None) -> RankedSite:
    """Size one site, then its calendar, gates and score. No other site enters."""
    own = drawn or Drawn(settings.integer("seed"), settings.integer("calendar_draws"))
    plan: SitePlan | None = None
    blocked = ""
    try:
        plan = size_site(inputs, record=False)
    except InfeasibleError as error:
        blocked = error.limit or str(error)
    evidence = Evidence(inputs, plan, settings)
    works = None if plan is None else works_of(inputs, plan)
    prospects = None if works is None else outlook(inputs, works, own, settings)
    return RankedSite(
        evidence,
        plan,
        blocked,
        works,
        prospects,
        own,
        gates_of(evidence, prospects),
        score_site(evidence, prospects),
    )


def ranked(sites: Sequence[RankedSite]) -> tuple[RankedSite, ...]:
    """Sites with their ranks, by rank and then id: clear ones first, then by score."""
    from dataclasses import replace

    ranks = competition_ranks(
        [site.is_clear for site in sites], [site.score.total.score for site in sites]
    )
    found = [replace(site, rank=rank) for site, rank in zip(sites, ranks, strict=True)]
    return tuple(sorted(found, key=lambda site: (site.rank, site.id)))
