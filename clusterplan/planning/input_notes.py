"""The user's own data in the calculation record: each figure with its file and its source."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from clusterplan.core.record import active_recorder, consulted, given
from clusterplan.inputs.datum import Datum

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack
    from clusterplan.inputs.loading import SiteInputs


def note_inputs(inputs: SiteInputs) -> None:
    """Note every figure of site, grid and workload (no-op when not recording).

    Paths are those of `--set`, list items by name: `grid.stages.first yard.firm`.
    """
    if active_recorder() is None:
        return
    for kind in ("site", "grid", "workload"):
        model = getattr(inputs, kind)
        if model is not None:
            _note(model, kind, file_name(inputs, kind))


def note_rack(inputs: SiteInputs, rack: Rack) -> None:
    """Note a rack of the user's own file, and what the command line changed of any rack."""
    if inputs.rack is not None:
        consulted(f"rack.{rack.id}", rack)
    for name, value in inputs.rack_changes.items():
        given(f"rack.{name}", value, "", "--set", "given")


def file_name(inputs: SiteInputs, kind: str) -> str:
    """The name of the user's file, without its folders."""
    return PurePath(inputs.files.get(kind) or f"{kind}.yaml").name


def _note(model: Any, path: str, file: str) -> None:
    """Walk a group: data are noted, groups and lists of groups entered."""
    for name, info in type(model).model_fields.items():
        value = getattr(model, name)
        here = f"{path}.{info.alias or name}"
        if isinstance(value, Datum):
            source = f"{file}, {value.source}" if value.source else file
            flag = value.verified if value.source else "given"
            given(here, value.value, value.unit, source, flag)
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                if hasattr(item, "model_fields_set"):
                    _note(item, f"{here}.{getattr(item, 'name', None) or place}", file)
        elif hasattr(value, "model_fields_set"):
            _note(value, here, file)
        elif isinstance(value, bool | int | float):
            given(here, value, "", file, "given")
