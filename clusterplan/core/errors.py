"""The exception tree. Only the command line turns these into text and an exit code.

ClusterplanError
├── InputError        bad usage or bad files, all problems gathered   exit 2
├── CatalogError      the shipped data is missing or broken           exit 1
├── InfeasibleError   the asked-for plan cannot be built              exit 3
└── MissingExtraError an optional library is not installed            exit 2
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True)
class Problem:
    """One thing wrong with what the user gave, and what would be right."""

    message: str
    file: str | None = None
    line: int | None = None
    path: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        """Format as `file:line: path: message; hint`."""
        place = self.file or ""
        if place and self.line is not None:
            place = f"{place}:{self.line}"
        head = ": ".join(part for part in (place, self.path) if part)
        text = f"{head}: {self.message}" if head else self.message
        return f"{text}; {self.hint}" if self.hint else text


def one_of(wrong: str, known: Iterable[str]) -> str:
    """A hint for a word that is not known: the nearest one that is, else all of them."""
    import difflib  # not on the way of runs without errors

    names = tuple(known)
    near = difflib.get_close_matches(wrong.strip().lower(), names, n=1)
    return f'did you mean "{near[0]}"?' if near else f"one of {', '.join(names)}"


class ClusterplanError(Exception):
    """Base of every error that the program raises on purpose."""


class InputError(ClusterplanError):
    """Bad usage or bad input files; carries every problem found."""

    def __init__(self, problems: Sequence[Problem] | Problem | str) -> None:
        if isinstance(problems, str):
            problems = Problem(problems)
        if isinstance(problems, Problem):
            problems = (problems,)
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class CatalogError(ClusterplanError):
    """The shipped catalogue is missing or inconsistent: a defect of the installation."""


class InfeasibleError(ClusterplanError):
    """What was asked for cannot be built; `limit` names what stops it."""

    def __init__(self, message: str, limit: str | None = None) -> None:
        super().__init__(message)
        self.limit = limit


class MissingExtraError(ClusterplanError):
    """An optional library is needed; the message says how to install it."""
