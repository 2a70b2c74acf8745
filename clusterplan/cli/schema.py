"""`clusterplan schema KIND`: the JSON Schema that editors check and complete input files with."""

from __future__ import annotations

import json

from clusterplan.core.errors import InputError, Problem, one_of
from clusterplan.core.units import seen
from clusterplan.inputs.overrides import KINDS


def run(kind: str) -> str:
    """The JSON Schema of a kind of input file. Raises InputError for an unknown kind."""
    if kind not in KINDS:
        raise InputError(Problem(f"unknown kind {seen(kind)}", hint=one_of(kind, KINDS)))
    from clusterplan.inputs.json_schema import schema_of_design, schema_of_model
    from clusterplan.inputs.loading import model_of

    if kind == "design":
        from clusterplan.catalog import design_fields

        schema = schema_of_design(design_fields())
    else:
        schema = schema_of_model(kind, model_of(kind))
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
