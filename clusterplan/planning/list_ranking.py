"""The order of a long list, and what stops its sites, from the outcomes of its rows.

Only a few words of each row are held, so memory grows by these alone.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.results.compare import GateCountRow, SetAside
from clusterplan.planning.site_gates import FAIL, PASS, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.planning.candidate_journal import Journal


class Place(NamedTuple):
    """Where a row stands in the order, its line in the list, and where its outcome is kept."""

    is_clear: bool
    score: float
    id: str
    line: int
    offset: int

    @property
    def level(self) -> tuple[bool, float]:
        """What decides a rank: gates first, then the score to nine decimals."""
        return not self.is_clear, -round(self.score, 9)


class Ranking(NamedTuple):
    """Rows by rank and then id, with what is set aside; verdicts counted over the ranked rows."""

    places: list[Place]
    ranks: list[int]
    aside: list[SetAside]
    verdicts: Counter[tuple[str, str]]
    without_rack: int

    @property
    def clear_count(self) -> int:
        """Sites that pass all gates."""
        return sum(place.is_clear for place in self.places)

    def gate_counts(self) -> tuple[GateCountRow, ...]:
        """How many sites pass, fail and leave open each gate, in the order of the gates."""
        names = dict.fromkeys(gate for gate, _ in self.verdicts)
        return tuple(
            GateCountRow(
                gate=name,
                passed=self.verdicts[name, PASS],
                failed=self.verdicts[name, FAIL],
                unknown=self.verdicts[name, UNKNOWN],
            )
            for name in names
        )


def ranking(journal: Journal) -> Ranking:
    """Rank what a journal holds; of rows with one id the first counts."""
    places: list[Place] = []
    aside: list[SetAside] = []
    first: dict[str, int] = {}
    verdicts: Counter[tuple[str, str]] = Counter()
    without_rack = 0
    for offset, one in journal.outcomes():
        # one id, in whatever case or Unicode form
        name = unicodedata.normalize("NFKC", one.id).casefold()
        before = first.setdefault(name, one.line) if name else one.line
        if before != one.line:
            problem = "; ".join((f"its id is that of line {before}", *one.problems))
            aside.append(SetAside(line=one.line, id=one.id, problem=problem))
        elif one.row is None:
            aside.append(SetAside(line=one.line, id=one.id, problem="; ".join(one.problems)))
        else:
            places.append(Place(one.is_clear, one.row["score"], one.id, one.line, offset))
            verdicts.update(one.verdicts)
            without_rack += not one.row["racks"]
    places.sort(key=lambda place: (*place.level, place.id))
    return Ranking(places, _ranks(places), aside, verdicts, without_rack)


def _ranks(places: Sequence[Place]) -> list[int]:
    """Competition ranks 1, 2, 2, 4 of places in their order."""
    ranks: list[int] = []
    for number, place in enumerate(places, start=1):
        tied = number > 1 and place.level == places[number - 2].level
        ranks.append(ranks[-1] if tied else number)
    return ranks
