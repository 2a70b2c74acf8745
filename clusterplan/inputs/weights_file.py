"""A weights file: preset, weights, anchors and the settings of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clusterplan.core.errors import InputError
from clusterplan.core.fields import FieldSpec
from clusterplan.inputs.datum import Datum
from clusterplan.inputs.design_file import validate_design
from clusterplan.inputs.document import Document
from clusterplan.inputs.text_file import read_text
from clusterplan.inputs.yaml_text import parse_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusterplan.core.errors import Problem


@dataclass(frozen=True)
class WeightsFile:
    """What the user set: by path, in the units of the field table."""

    chosen: dict[str, Any] = field(default_factory=dict)
    document: Document = field(default_factory=lambda: Document("", None, "weights file"))

    @property
    def preset(self) -> str | None:
        """The preset that the file builds on."""
        return self.chosen.get("preset")

    def below(self, group: str) -> dict[str, Any]:
        """What stands in a group (`weights`, `anchors`), by id."""
        start = f"{group}."
        return {
            path.removeprefix(start): value
            for path, value in self.chosen.items()
            if path.startswith(start)
        }

    def problem(self, path: str, message: str, hint: str | None = None) -> Problem:
        """A problem at one of the paths, with file and line."""
        return self.document.problem(path, message, hint)


def load_weights(
    path: str | Path,
    settings: Mapping[str, FieldSpec],
    presets: Iterable[str],
    criteria: Iterable[str],
    data: Iterable[str],
) -> WeightsFile:
    """Read a weights file. Raises InputError with every problem, each with file and line.

    settings: the table of settings; criteria: ids that take a weight; data: ids that take anchors.
    """
    fields = dict(settings)
    fields["preset"] = _spec("preset", "choice", "weights to start from", choices=tuple(presets))
    for name in criteria:
        fields[f"weights.{name}"] = _spec(f"weights.{name}", "number", "weight", minimum=0.0)
    for name in data:
        fields[f"anchors.{name}"] = _spec(f"anchors.{name}", "list:number", "worst, then best")
    place = Path(path)
    tree = parse_yaml(read_text(place), str(place))
    found, problems = validate_design(Document(str(place), tree, ""), fields)
    if problems:
        raise InputError(problems)
    chosen = {
        path: tuple(item.value if isinstance(item, Datum) else item for item in value)
        if isinstance(value, tuple)
        else value
        for path, value in found.chosen.items()
    }
    return WeightsFile(chosen, found.document)


def _spec(
    path: str,
    kind: str,
    text: str,
    *,
    minimum: float | None = None,
    choices: tuple[str, ...] = (),
) -> FieldSpec:
    return FieldSpec(path, kind, "", "", minimum, None, choices, text, "weights file", "given")
