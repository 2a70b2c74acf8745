"""A report as JSON: unrounded values, keys as in the result dataclasses."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from clusterplan.core.record import Recorder
from clusterplan.reporting.numbers import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.plan import Report
    from clusterplan.reporting.sheets import Sheet


def to_json(report: Report, *, sheets: Sequence[Sheet] | None = None) -> str:
    """The parts of the report under their names, `schema` first, with a trailing newline.

    An infeasible report says so under `feasible` and `infeasible_reason`; `sheets` (None for none)
    stand under `explain`. Values are metric and unrounded; NaN and infinities become null.
    """
    document: dict[str, Any] = {"schema": report.schema}
    if not report.feasible:
        document["feasible"] = False
        document["infeasible_reason"] = report.infeasible_reason
    document |= {name: json_value(value) for name, value in report.parts.items()}
    if sheets is not None:
        document["explain"] = json_value(tuple(sheets))
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair in user text
        text = json.dumps(document, ensure_ascii=True, indent=2, allow_nan=False)
    return text + "\n"


def json_value(value: Any) -> Any:
    """A value as JSON holds it: dataclasses and mappings as objects, tuples as lists."""
    value = plain(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            item.name: json_value(getattr(value, item.name))
            for item in dataclasses.fields(value)
            if not isinstance(getattr(value, item.name), Recorder)
        }
    if isinstance(value, Mapping):
        return {str(name): json_value(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [json_value(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(str(item) for item in value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float):
        return value
    return str(value)
