"""What all input models share: strict and frozen, and the place of each value in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, PrivateAttr
from pydantic_core import core_schema

from clusterplan.inputs.document import Document

if TYPE_CHECKING:
    from clusterplan.core.errors import Problem
    from clusterplan.inputs.document import Provenance

_UNPLACED = Document("", None)


class Strict(BaseModel):
    """Base of all input models: unknown keys are refused, values are frozen."""

    # deferred: a group is built once, inside the file that holds it, and not by itself too
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class InputFile(Strict):
    """A whole input file, which knows where each of its values stands."""

    _document: Document = PrivateAttr(default_factory=lambda: _UNPLACED)

    def line_of(self, path: str) -> int | None:
        """The line of a dotted path (`stages.0.firm`), or of the nearest part that is there."""
        return self._document.line_of(path)

    def place(self, path: str) -> tuple[str | None, int | None]:
        """File and line of a dotted path; ("--set", None) where the command line set it."""
        return self._document.place(path)

    def problem(self, path: str, message: str, hint: str | None = None) -> Problem:
        """A problem with one of the values, at its place."""
        return self._document.problem(path, message, hint)

    def written(self, path: str) -> Any:
        """What the user wrote at a dotted path, None where nothing stands."""
        return self._document.node(path)

    def provenance(self, path: str) -> Provenance | None:
        """Source, date and verified flag of a value given in the long form, else None."""
        return self._document.provenance(path)


class Shorthand:
    """A group that may be given as a single value: `climate: abilene-tx` is {id: abilene-tx}."""

    def __init__(self, *keys: str) -> None:
        self.keys = keys

    def spread(self, raw: Any) -> Any:
        """The group that a single value stands for."""
        if isinstance(raw, list) or raw is None or isinstance(raw, dict) and not self._long(raw):
            return raw
        return dict.fromkeys(self.keys, raw)

    def _long(self, raw: dict[str, Any]) -> bool:
        return "value" in raw

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Spread the value, then validate the group."""
        return core_schema.no_info_before_validator_function(self.spread, handler(source))
