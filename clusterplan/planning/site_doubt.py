"""How sure the order of the sites is: drawn weights and values, swap, break-even."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from clusterplan.planning.site_calendar import outlook
from clusterplan.planning.site_samples import sample_site
from clusterplan.planning.site_scores import score_site
from clusterplan.sizing import stability
from clusterplan.sizing.draws import weight_draws

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.ranked_site import RankedSite
    from clusterplan.planning.site_samples import Heard
    from clusterplan.sizing.draws import Floats
    from clusterplan.sizing.stability import Shares

ALL_DRAWN_UP_TO = 50
_LONGEST_SLIP = 120.0
_SLIP_STEP = 0.01
# criteria of one datum whose value is no expectation over doubtful steps
EXACT = ("power_price", "water", "carbon")


class Doubt(NamedTuple):
    """Shares of the drawn sites: with gates, without, and with any weights (gates apart)."""

    drawn: tuple[RankedSite, ...]
    gated: Shares
    free: Shares
    ignorance: Shares
    draws: int
    sized: int

    def first_share(self, site: RankedSite) -> float | None:
        """First-rank share of a site, gates in force; None where it was not drawn."""
        return self._of(site, self.gated)

    def free_share(self, site: RankedSite) -> float | None:
        """First-rank share with the gates left out."""
        return self._of(site, self.free)

    def ignorance_share(self, site: RankedSite) -> float | None:
        """First-rank share over any weights, gates left out."""
        return self._of(site, self.ignorance)

    def _of(self, site: RankedSite, shares: Shares) -> float | None:
        for place, item in enumerate(self.drawn):
            if item is site:
                return shares.first[place]
        return None


class Gated(Protocol):
    """A site of which the gates are decided."""

    @property
    def is_clear(self) -> bool:
        """Whether every gate is passed."""


G = TypeVar("G", bound=Gated)


def drawn_sites(sites: Sequence[G], settings: Settings) -> tuple[G, ...]:
    """All sites, or above fifty the best of each gate class; `sites` stand by rank."""
    if len(sites) <= ALL_DRAWN_UP_TO:
        return tuple(sites)
    most = settings.integer("drawn_sites")
    clear = [site for site in sites if site.is_clear][:most]
    others = [site for site in sites if not site.is_clear][:most]
    return (*clear, *others)


def doubt_of(
    sites: Sequence[RankedSite],
    settings: Settings,
    step: Callable[[], None] | None = None,
    heard: Heard | None = None,
) -> Doubt | None:
    """Shares of ranks over the draws; None with `--draws 0`.

    step is called for each site, heard after each plan that is sized for a sample.
    """
    draws = settings.integer("draws")
    chosen = drawn_sites(sites, settings)
    if draws == 0 or not chosen:
        return None
    samples = []
    for site in chosen:
        samples.append(sample_site(site.evidence, site.prospects, site.score.data, heard))
        if step is not None:
            step()
    values = [item.values for item in samples]
    seed = settings.integer("seed")
    weights = [settings.weights[row.id] for row in settings.criteria]
    around = weight_draws(seed, weights, draws, settings.number("concentration"))
    anyhow = weight_draws(seed, weights, draws, None)
    scores = stability.drawn_scores(_by_datum(around, settings), values)
    clear = [site.is_clear for site in chosen]
    return Doubt(
        chosen,
        stability.shares_of_ranks(scores, around, clear),
        stability.shares_of_ranks(scores, around),
        stability.shares_of_ranks(
            stability.drawn_scores(_by_datum(anyhow, settings), values), anyhow
        ),
        draws,
        sum(item.sized for item in samples),
    )


def _by_datum(weights: Floats, settings: Settings) -> Floats:
    """Weights of the criteria (draws, criteria) spread over their data (draws, data)."""
    import numpy as np

    place = {row.id: at for at, row in enumerate(settings.criteria)}
    columns = [place[row.criterion] for row in settings.data]
    shares = np.array([row.share for row in settings.data])
    found: Floats = weights[:, columns] * shares
    return found


def swap_words(first: RankedSite, second: RankedSite, settings: Settings) -> str:
    """The smallest change of one weight that swaps two sites."""
    if first.is_clear != second.is_clear:
        return "no weight can: only one of the first two passes all gates"
    if first.rank == second.rank:
        return "none is needed: the first two are level"
    # what has no weight is not scored, so it swaps nothing either
    used = [p for p, row in enumerate(settings.criteria) if settings.weights[row.id] > 0.0]
    weights = [settings.weights[settings.criteria[place].id] for place in used]
    found = stability.smallest_swap(
        weights,
        [first.score.values[place] or 0.0 for place in used],
        [second.score.values[place] or 0.0 for place in used],
    )
    if found is None:
        return "no single weight swaps the first two"
    place, change = found
    name = settings.criteria[used[place]].name
    name = name if name[1:2].isupper() else name.lower()
    now = weights[place]
    digits = next((n for n in (3, 4, 5) if round(abs(change), n) > 0.0), 6)  # a change must show
    return (
        f"weight of {name} from {now:.{digits}f} to {now + change:.{digits}f} puts"
        f" {second.id} level with {first.id}"
    )


def break_even_words(first: RankedSite, second: RankedSite, settings: Settings) -> str:
    """What would make the first two meet, in real units."""
    if first.is_clear != second.is_clear:
        return "none: only one of the first two passes all gates"
    if first.rank == second.rank:
        return "none is needed: the first two are level"
    lead = first.score.total.score - second.score.total.score
    found = [*_figures(first, second, lead, settings)]
    slip = _slip(first, second, settings)
    if slip is not None:
        found.append(f"supply of {first.id} later by {slip:.1f} months")
    return "; ".join(found) or "nothing within the anchors, nor a slip of up to 120 months"


def _figures(first: RankedSite, second: RankedSite, lead: float, settings: Settings) -> list[str]:
    """Figures of single data at which the leader falls back or the second catches up."""
    words = []
    for place, row in enumerate(settings.data):
        if row.id not in EXACT or settings.weights[row.criterion] <= 0.0:
            continue
        need = lead / settings.weights[row.criterion]
        worst, best = settings.anchors[row.id]
        for site, sign in ((first, -1.0), (second, 1.0)):
            item = site.score.data[place]
            if item.value is None or item.datum.value is None:
                continue
            value = item.value + sign * need
            if not 0.0 <= value <= 1.0:
                continue
            figure = stability.figure_at_value(value, worst, best)
            words.append(
                f"{row.name} of {site.id} at {figure:.4g} {row.unit}, now {item.datum.value:.4g}"
            )
    return words


def _slip(first: RankedSite, second: RankedSite, settings: Settings) -> float | None:
    """Months by which all supply of the leader slips until the scores meet, to 0.01."""
    prospects, works = first.prospects, first.works
    if prospects is None or works is None:
        return None
    steps = prospects.steps

    def behind(months: float) -> bool:
        later = outlook(
            first.evidence.inputs,
            works,
            first.drawn,
            settings,
            slip_months=months,
            steps=steps,
        )
        return score_site(first.evidence, later).total.score <= second.score.total.score

    if not behind(_LONGEST_SLIP):
        return None
    low, high = 0.0, _LONGEST_SLIP
    while high - low > _SLIP_STEP:
        middle = (low + high) / 2.0
        low, high = (low, middle) if behind(middle) else (middle, high)
    return math.ceil(high / _SLIP_STEP) * _SLIP_STEP
