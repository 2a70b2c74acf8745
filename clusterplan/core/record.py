"""The calculation record: which formula ran, with which inputs, and what it gave.

A formula is a small pure function declared once with its printed equation, unit and source.
While a `Recorder` is active every call of a formula is kept as a `Step`; calculation sheets
(`--explain`) are printed from those steps, never from a second description.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Formula:
    """What is printed of a formula.

    `plain` says that `equation` is a Python expression over the parameter names, the functions of
    `math` and the builtins min, max, abs, round, sum and bool operators; a test evaluates it
    against the function. `constants` are parameters with a usual value; `module` is the name of
    that in which it stands.
    """

    name: str
    title: str
    equation: str
    unit: str
    source: str
    plain: bool
    constants: dict[str, Any] = field(default_factory=dict)
    module: str = ""


@dataclass(frozen=True)
class Step:
    """One call of a formula: inputs by parameter name, and the result."""

    formula: Formula
    inputs: dict[str, Any]
    result: Any


@dataclass(frozen=True)
class Given:
    """A figure that was not calculated: it was given, chosen or read from the catalogue."""

    path: str
    value: Any
    unit: str
    source: str
    verified: str


@dataclass
class Recorder:
    """Steps in the order in which they ran, and the data that entered the plan.

    `rows` are the catalogue rows that were looked up, by kind and id (`racks.gb300-nvl72`); `named`
    the step that gave a figure, by its path with places (`sites.0.score`), where values alone could
    be mixed up; `origins` say where an input of a step came from, where a value does not tell.
    """

    steps: list[Step] = field(default_factory=list)
    givens: dict[str, Given] = field(default_factory=dict)
    rows: dict[str, Any] = field(default_factory=dict)
    named: dict[str, Step] = field(default_factory=dict)
    origins: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _by_formula: dict[str, list[Step]] = field(default_factory=dict)
    _indexed: int = 0

    def state(self, step: Step, **origins: str) -> None:
        """Say where inputs of a step came from; equal calls share a sheet, so all are named."""
        for name, text in origins.items():
            key = (step.formula.name, repr(step.inputs), name)
            known = self.origins.get(key, "")
            if text not in known.split("; "):
                self.origins[key] = f"{known}; {text}" if known else text

    def of_formula(self, name: str) -> list[Step]:
        """The steps of one formula, in order."""
        for step in self.steps[self._indexed :]:
            self._by_formula.setdefault(step.formula.name, []).append(step)
        self._indexed = len(self.steps)
        return self._by_formula.get(name, [])

    def find(self, name: str, value: object) -> Step | None:
        """The last step of formula `name` that gave `value`; `name.attr` looks into a result."""
        formula, _, attribute = name.partition(".")
        for step in reversed(self.of_formula(formula)):
            result = getattr(step.result, attribute) if attribute else step.result
            if result == value:
                return step
        return None


FORMULAS: dict[str, Formula] = {}
_active: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


def active_recorder() -> Recorder | None:
    """The recorder that is running, if any."""
    return _active.get()


@contextmanager
def recording(recorder: Recorder | None = None) -> Iterator[Recorder]:
    """Keep every formula call and every given datum inside the `with` block."""
    recorder = Recorder() if recorder is None else recorder
    token = _active.set(recorder)
    try:
        yield recorder
    finally:
        _active.reset(token)


@contextmanager
def unrecorded() -> Iterator[None]:
    """Keep nothing inside the `with` block: for thousands of calls that nobody reads one by one."""
    token = _active.set(None)
    try:
        yield
    finally:
        _active.reset(token)


def given(path: str, value: object, unit: str, source: str, verified: str = "true") -> None:
    """Note a figure that comes from the user, the catalogue or a choice (no-op when not recording).

    `path` is the figure's path in the plan (`cooling.tcs_supply_temp_c`).
    """
    recorder = _active.get()
    if recorder is not None:
        recorder.givens[path] = Given(path, value, unit, source, verified)


def consulted(path: str, row: object) -> None:
    """Note a catalogue row that was looked up (no-op when not recording).

    Sheets name it where an input of a formula is one of its figures.
    """
    recorder = _active.get()
    if recorder is not None:
        recorder.rows[path] = row


def formula(
    *, title: str, equation: str, unit: str, source: str, plain: bool = True
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare a formula: its title, printed equation, unit of the result, and source.

    Set `plain=False` where the equation is text that Python cannot evaluate.
    """

    def declare(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__name__
        if name in FORMULAS:
            message = f"formula {name} is declared twice"
            raise ValueError(message)
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        defaults = function.__defaults__ or ()
        preset = dict(
            zip(names[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True)
        ) | (function.__kwdefaults__ or {})
        module = function.__module__.rpartition(".")[2]
        entry = Formula(name, title, equation, unit, source, plain, preset, module)
        FORMULAS[name] = entry

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            result = function(*args, **kwargs)
            recorder = _active.get()
            if recorder is not None:
                inputs = preset | dict(zip(names, args, strict=False)) | kwargs
                recorder.steps.append(Step(entry, {n: inputs[n] for n in names}, result))
            return result

        return call

    return declare
