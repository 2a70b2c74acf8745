"""Where the inputs of a recorded formula came from.

An input is traced by its value: to an earlier result (also after a change between kW and MW, or of
a share and percent), to a noted figure or a catalogue row with its source, or to a printed figure.
Equal values are only taken for the same thing where names and units agree, or where the value has
so many digits that chance is out of the question.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.record import Given
from clusterplan.core.shown_units import SUFFIX_UNITS, unit_of
from clusterplan.reporting.labels import pretty_unit, stem_of
from clusterplan.reporting.numbers import is_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusterplan.core.figures import Row
    from clusterplan.core.record import Recorder, Step

NONE_HERE = "none in this plan"
NO_LIMIT = "no limit given"
USUAL = "usual value of this formula"
# digits from which equal values of one unit are no coincidence
_TELLING = 10
# significant digits from which one common word is enough
_FEW = 5
# how surely a result is meant, and a note of the same name and discipline
_SAME_NAME, _ALIKE = 4, 3
_EXACT = 7
# likeness from which a note is preferred to the usual value of the formula
_SURE = 4
_MEASURES = frozenset(SUFFIX_UNITS.values()) - {""}
# (unit of the result, unit of the input, factor): as the planner writes the change
_CHANGES = (("MW", "kW", 1000.0), ("GWh", "MWh", 1000.0))
_SHARE = ("", "%", 100.0)
# a voltage is known by its level
_STOP = frozenset({"per", "of", "by", "at", "in", "to", "from", "max", "min", "kw", "for"})
# discipline by the name of a section, group of choices, kind of catalogue rows or module
_DISCIPLINES = {
    "cooling": (
        "cooling cdus coolants climates air_plant cdu cdu_groups chillers climate_bins cooling_year"
        " density design_points fws_loop heat_rejection liquid_loop machines pipes plant"
        " psychrometrics pue tcs_loop towers water"
    ),
    "fabric": (
        "fabric switches optics fabric_count fabric_optics fabric_site fabric_totals"
        " support_fabrics support_totals"
    ),
    "floor": "floor land structure",
    "electrical": (
        "electrical grid substation swing breakers bulk_stage distribution electrical_load"
        " existing_units grid_connection power_swing service_voltage short_circuit transformers"
        " voltage_quality"
    ),
}
_DISCIPLINE = {word: name for name, words in _DISCIPLINES.items() for word in words.split()}
_SAME = {"hv": "voltage", "mv": "voltage", "lv": "voltage"}


class _Outcome(NamedTuple):
    """A figure that a step gave, perhaps in another unit than its own (then `change` says so)."""

    place: int
    name: str
    unit: str
    change: str


class Origins:
    """Finds where inputs came from. Places are positions in the list of steps.

    places: of each step by identity, that of the first equal call. figures: printed figures with
    the place of the step that gave them (-1: not a result). stated: origins that the run itself
    told, by formula, inputs and name.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        places: dict[int, int],
        notes: Iterable[Given],
        figures: Iterable[tuple[Row, int]],
        stated: Mapping[tuple[str, str, str], str] | None = None,
    ) -> None:
        self._stated = stated or {}
        self._steps = steps
        self._outcomes: dict[Any, list[_Outcome]] = {}
        for place, step in enumerate(steps):
            if places[id(step)] == place:
                self._index(place, step)
        self._notes = _by_value((note.value, note) for note in notes)
        self._figures = _by_value((row.value, (row, place)) for row, place in figures)

    def _index(self, place: int, step: Step) -> None:
        for name, value, unit in outcomes(step):
            if not is_number(value) or step.inputs.get(name) == value:  # only passed through
                continue
            unit = _measure(unit)
            self._outcomes.setdefault(value, []).append(_Outcome(place, name, unit, ""))
            if value == 0:
                continue
            for large, small, factor in (*_CHANGES, _SHARE):
                if unit == large:
                    other = _Outcome(place, name, small, f" x {factor:g}")
                    self._outcomes.setdefault(factor * value, []).append(other)
                elif unit == small:
                    other = _Outcome(place, name, large, f" / {factor:g}")
                    self._outcomes.setdefault(value / factor, []).append(other)

    def steps_of(self, place: int, name: str, value: Any) -> list[int]:
        """Places of the steps that feed an input of the step at `place`."""
        found = [self._outcome(place, n, v) for n, v in _parts(name, value)]
        return list(dict.fromkeys(one.place for one in found if one is not None))

    def text(self, place: int, name: str, value: Any) -> str:
        """Where an input came from, in a few words; empty where nobody knows."""
        step = self._steps[place]
        formula = step.formula
        if self._stated and (key := (formula.name, repr(step.inputs), name)) in self._stated:
            return self._stated[key]
        at = _Use(place, _words(formula.name), _DISCIPLINE.get(formula.module, ""))
        found = self._one(at, name, value)
        if found or not isinstance(value, tuple):
            return found
        parts = [self._one(at, n, v) for n, v in _parts(name, value)]
        if not parts:
            return "" if value else NONE_HERE
        return "; ".join(dict.fromkeys(parts)) if all(parts) else ""

    def _one(self, at: _Use, name: str, value: Any) -> str:
        outcome = self._outcome(at.place, name, value)
        if outcome is not None:
            return f"from {self._steps[outcome.place].formula.name}{outcome.change}"
        noted = self._noted(at, name, value) or self._printed(at, name, value)
        if noted:
            return noted
        if value is None or value is False or (is_number(value) and value == 0):
            return NONE_HERE
        return NO_LIMIT if is_number(value) and math.isinf(value) else ""

    def _outcome(self, place: int, name: str, value: Any) -> _Outcome | None:
        """The result before `place` that an input is: same value, and same name or unit."""
        if not is_number(value):
            return None
        best: _Outcome | None = None
        rank: tuple[int, ...] = (0,)
        formula = self._steps[place].formula
        words, context = _words(name), _words(formula.name)
        for one in self._outcomes.get(value, ()):
            if one.place >= place:
                break
            score = self._score(one, place, name, value)
            if not score or (one.change and not (score == _ALIKE or len(repr(value)) >= _TELLING)):
                continue
            its = _words(one.name)
            near = -len(its - words - context) if score >= _ALIKE else 0
            this = (score, not one.change, len(its & context), near)
            # of the same name the last one, of other names the first: later ones took it over
            if this > rank or this == rank and score >= _ALIKE:
                best, rank = one, this
        if best is not None and rank[0] < _SAME_NAME and len(repr(value)) < _TELLING:
            at = _Use(place, context, _DISCIPLINE.get(formula.module, ""))
            if self._best_note(at, name, value)[1] >= _EXACT:
                return None  # noted by this very name
        return best

    def _score(self, one: _Outcome, place: int, name: str, value: Any) -> int:
        """How surely a result of the same value is what a parameter means; 0: it is not."""
        unit = unit_of(name)
        if one.name == name and self._may_be(one, place, name, value):
            return _SAME_NAME
        if one.unit == unit and _alike(one.name, name) and self._may_be(one, place, name, value):
            return _ALIKE
        if one.unit == unit and _digits(value) >= _FEW and _related(one.name, name):
            return 2
        if len(repr(value)) >= _TELLING and (one.unit == unit or not (one.unit and unit)):
            return 2 if _related(one.name, name) else 1
        return 0

    def _may_be(self, one: _Outcome, place: int, name: str, value: Any) -> bool:
        """Small counts occur everywhere: not of another discipline, unless most of the name is."""
        if unit_of(name) or _digits(value) >= _FEW or not float(value).is_integer():
            return True
        here, there = (_DISCIPLINE.get(self._steps[p].formula.module) for p in (one.place, place))
        known = here is not None and there is not None
        return (
            here == there
            or len(_words(one.name) & _words(name)) > 1
            or (one.name == name and not known)
        )

    def _best_note(self, at: _Use, name: str, value: Any) -> tuple[Given | None, int]:
        """The note that a parameter means, and how surely."""
        best: Given | None = None
        rank = (0, 0)
        for note in self._notes.get(_key(value), ()):
            score = at.likeness(note.path, note.unit, name, value)
            if score > rank:
                best, rank = note, score
        return best, rank[0]

    def _noted(self, at: _Use, name: str, value: Any) -> str:
        best, sure = self._best_note(at, name, value)
        usual = self._steps[at.place].formula.constants.get(name)
        if best is None or (sure < _SURE and value == usual):
            return USUAL if value == usual and value not in (0, None) else ""
        return f"{best.path}: {_first_source(best.source)}" if best.source else best.path

    def _printed(self, at: _Use, name: str, value: Any) -> str:
        for row, made_at in self._figures.get(_key(value), ()):
            score = at.likeness(row.path, row.unit, name, value)
            if made_at < at.place and score > (0, 0):
                return str(row.path)
        return ""


class _Use(NamedTuple):
    """Where an input is used: the step, the words of its formula, and its discipline."""

    place: int
    formula: frozenset[str]
    discipline: str

    def likeness(self, path: str, unit: str, name: str, value: Any) -> tuple[int, int]:
        """How surely a note or figure of the same value is what a parameter means; 0: it is not.

        A wrong origin misleads more than none: small counts and round figures occur everywhere, so
        they need the same discipline and name, or most of it.
        """
        home = _discipline_of(path)
        same = not (home and self.discipline) or home == self.discipline
        # section and catalogue id say nothing about the figure
        near = _words(".".join(path.split(".")[1:][-2:]) or path)
        leaf, words = _leaf(path), _words(name)
        context = len(_words(path) & self.formula - words)
        if _is_table(value):
            return 3, context
        here, there = _measure(pretty_unit(unit)), unit_of(name)
        counted = is_number(value) and float(value).is_integer() and not (here and there)
        if here != there and (here and there or counted) or not near & words:
            return 0, 0
        if leaf == words:
            return 6 + same, context
        if value == 0 or counted and not same and len(leaf & words) < 2:
            return 0, 0
        if len(leaf & words) > 1 or _digits(value) >= _FEW:
            return 4 + same, context
        if counted:
            return (1, context) if words <= leaf or leaf <= words else (0, 0)
        if words <= near or leaf <= words:
            return 2 + same, context
        return (1, context) if same and context else (0, 0)


def first_places(steps: Sequence[Step]) -> dict[int, int]:
    """Place of each step, by identity: that of the first step of its formula with its inputs."""
    first: dict[tuple[str, str], int] = {}
    return {
        id(step): first.setdefault((step.formula.name, repr(step.inputs)), place)
        for place, step in enumerate(steps)
    }


def outcomes(step: Step, *, everything: bool = False) -> Iterator[tuple[str, Any, str]]:
    """Name, value and unit of each figure that a step gave (one, or the fields of its result)."""
    result, entry = step.result, step.formula
    names: tuple[str, ...] = ()
    if hasattr(result, "_fields"):
        names = result._fields
    elif dataclasses.is_dataclass(result):
        names = tuple(item.name for item in dataclasses.fields(result))
    if not names:
        yield entry.name, result, pretty_unit(entry.unit)
    for name in names:
        value = getattr(result, name)
        if is_number(value) or everything:
            yield name, value, unit_of(name)


def notes_of(record: Recorder | None, ledger: Iterable[Given]) -> list[Given]:
    """What was noted of the data of a plan, its assumptions, and the catalogue rows it used."""
    if record is None:
        return list(ledger)
    rows = [
        Given(f"{path}.{item.name}", value, unit_of(item.name), row.source, row.verified)
        for path, row in record.rows.items()
        for item in dataclasses.fields(row)
        if is_number(value := getattr(row, item.name)) or _is_table(value)
    ]
    return [*record.givens.values(), *ledger, *rows]


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The numbers inside an input, with the name of each."""
    if is_number(value):
        yield name, value
    elif hasattr(value, "_fields"):
        for field in value._fields:
            yield from _parts(field, getattr(value, field))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _parts(name, one)


def _is_table(value: Any) -> bool:
    """Whether a value is a tuple of several figures: too much for a coincidence."""
    return isinstance(value, tuple) and len(value) > 1 and len(repr(value)) >= _TELLING


def _key(value: Any) -> Any:
    """What a value is looked up by: 1 and True are not the same."""
    if isinstance(value, bool):
        return ("flag", value)
    return value if isinstance(value, str | int | float) or _is_table(value) else None


def _by_value(entries: Iterable[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    index: dict[Any, list[Any]] = {}
    for value, entry in entries:
        try:
            index.setdefault(_key(value), []).append(entry)
        except TypeError:  # a table that holds something that cannot be looked up
            continue
    index.pop(None, None)
    return index


def _measure(unit: str) -> str:
    """A unit of measurement; counts (switches, ports) and ratios have none."""
    return unit if unit in _MEASURES else ""


def _words(name: str) -> frozenset[str]:
    """The telling words of a name or path, units, plurals and short words left out."""
    words = stem_of(name.replace(".", "_").replace(" ", "_")).split("_")
    return frozenset(_SAME.get(word, word.rstrip("s")) for word in words if len(word) > 1) - _STOP


def _leaf(path: str) -> frozenset[str]:
    return _words(path.rpartition(".")[2])


def _digits(value: Any) -> int:
    """Significant digits of a number; the more, the less its equal is a coincidence."""
    if not is_number(value):
        return 0
    digits = f"{value:.15g}".split("e")[0].replace(".", "").replace("-", "")
    return len(digits.strip("0"))


def _discipline_of(path: str) -> str:
    """The discipline that a path is about; empty where that is not known."""
    first, _, rest = path.partition(".")
    group = rest.partition(".")[0] if first == "design" else first
    return _DISCIPLINE.get(group, "")


def _first_source(source: str) -> str:
    """The source of an input in a few words: the first of the catalogue's ids."""
    first, *more = source.split(";")
    return f"{first} and {len(more)} more" if more and " " not in source.strip() else source


def _alike(outcome: str, name: str) -> bool:
    """Whether one name says no more than the other (`leaf` and `leaf_switches`), or most."""
    here, there = _words(outcome), _words(name)
    shared = here & there
    return len(shared) > 1 or bool(shared) and shared in (here, there)


def _related(path: str, name: str) -> bool:
    """Whether a path names the same thing as a parameter: the last part shares its words."""
    return bool(_leaf(path) & _words(name))
