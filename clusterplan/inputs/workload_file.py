"""`workload.yaml`: the training or inference jobs that the cluster runs."""

# no `from __future__ import annotations` here: pydantic would have to evaluate every one again
from typing import Annotated

from pydantic import Field

from clusterplan.inputs.base import InputFile, Strict
from clusterplan.inputs.datum import Datum
from clusterplan.inputs.leaves import Choice, Fraction, Number, Quantity, Text, Whole

PRECISIONS = ("bf16", "fp8", "fp4", "fp16", "int8")


class TrainingModel(Strict):
    """The model that is trained or served. Counts are plain numbers."""

    name: Annotated[str | None, Text()] = Field(None, description="name")
    parameters: Annotated[Datum[float], Number(1e6, 1e15)] = Field(description="parameters, 405e9")
    active_parameters: Annotated[Datum[float] | None, Number(1e6, 1e15)] = Field(
        None, description="active per token of a mixture of experts; all when left out"
    )
    layers: Annotated[Datum[int] | None, Whole(1, 10_000)] = Field(None, description="layers")
    hidden: Annotated[Datum[int] | None, Whole(1, 10_000_000)] = Field(
        None, description="hidden size"
    )
    heads: Annotated[Datum[int] | None, Whole(1, 100_000)] = Field(
        None, description="attention heads"
    )
    sequence: Annotated[Datum[int] | None, Whole(1, 100_000_000)] = Field(
        None, description="sequence length, tokens"
    )
    tokens: Annotated[Datum[float] | None, Number(1e6, 1e18)] = Field(
        None, description="training tokens, 15.6e12"
    )
    batch_tokens: Annotated[Datum[float] | None, Number(1.0, 1e12)] = Field(
        None, description="tokens of a step"
    )


class Checkpoint(Strict):
    """Checkpoints and restarts of a training job."""

    stall_s: Annotated[Datum[float] | None, Quantity("duration", "s", 0.0, 3600.0)] = Field(
        None, alias="stall", description="training stops for so long at each"
    )
    interval_s: Annotated[Datum[float] | None, Quantity("duration", "s", 1.0, 604_800.0)] = Field(
        None, alias="interval", description="work between two; the best one when left out"
    )
    restart_s: Annotated[Datum[float] | None, Quantity("duration", "s", 0.0, 86_400.0)] = Field(
        None, alias="restart", description="from failure to training again"
    )
    kept: Annotated[Datum[int] | None, Whole(1, 10_000)] = Field(
        None, description="checkpoints kept"
    )


class Job(Strict):
    """One job, or one kind of job."""

    name: Annotated[str | None, Text()] = Field(None, description="unique name")
    kind: Annotated[str, Choice("training", "inference")] = Field(description="kind of job")
    share: Annotated[Datum[float] | None, Fraction()] = Field(
        None, description="its share of the accelerators; the rest when left out"
    )
    utilisation: Annotated[Datum[float] | None, Fraction()] = Field(
        None, description="share of the time that its accelerators are busy"
    )
    precision: Annotated[str | None, Choice(*PRECISIONS)] = Field(
        None, description="precision of the matrix work"
    )
    model: TrainingModel | None = Field(None, description="the model")
    mfu: Annotated[Datum[float] | None, Fraction(0.01, 0.9)] = Field(
        None, description="model FLOP utilisation of the dense peak at that precision"
    )
    ettr: Annotated[Datum[float] | None, Fraction(0.1, 1.0)] = Field(
        None, description="effective training time ratio; computed when left out"
    )
    step_time_s: Annotated[Datum[float] | None, Quantity("duration", "s", 0.01, 3600.0)] = Field(
        None, alias="step_time", description="time of one training step"
    )
    communication_share: Annotated[Datum[float] | None, Fraction(0.0, 0.95)] = Field(
        None, description="low-power share of the step"
    )
    edge_time_s: Annotated[Datum[float] | None, Quantity("duration", "s", 0.001, 60.0)] = Field(
        None, alias="edge_time", description="edge of the power swing; 0.25 s when left out"
    )
    jobs_at_once: Annotated[Datum[int] | None, Whole(1, 100_000)] = Field(
        None, description="independent equal jobs; 1 when left out"
    )
    checkpoint: Checkpoint | None = Field(None, description="checkpoints and restarts")


class Workload(InputFile):
    """What the cluster runs."""

    schema_version: Annotated[Datum[int] | None, Whole(1, 1)] = Field(
        None, description="version of this format: 1"
    )
    jobs: tuple[Job, ...] = Field(description="one entry a job or kind of job")
    notes: Annotated[str | None, Text()] = Field(None, description="remarks")
