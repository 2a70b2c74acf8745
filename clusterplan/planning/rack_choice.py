"""From a rack row (catalogue or the user's file) to figures without gaps.

Every unknown field takes its default and is listed as an assumption; figures of the catalogue that
were not read in a source are listed with their flag.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.equipment import Rack
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.frozen import frozen
from clusterplan.core.shown_units import unit_of
from clusterplan.sizing import power
from clusterplan.sizing.accelerators import RackShape

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from clusterplan.core.equipment import Accelerator
    from clusterplan.planning.choices import Choices, Ledger

UNKNOWN = "unknown-field default of the rack method, engineering judgement"
WIDTH_MM = 600.0
DEPTH_MM = 1200.0
DOUBLE_WIDTH_MM = 1000.0  # from here on a rack counts as double width
WEIGHT_KG = {"air": 1000.0, "liquid": 1500.0, "double width": 3000.0}
LIQUID_FRACTION = 0.85
FLOW_L_PER_MIN_PER_KW = 1.5
SUPPLY_TEMP_C = (17.0, 40.0)
RACK_FIELDS = frozenset(item.name for item in fields(Rack))


class JobLoad(NamedTuple):
    """One job as far as power goes: its share of the racks, and of the time that they are busy.

    busy is None where the workload states none: 1 for training, the measured mean of a full
    offline load for inference.
    """

    kind: str
    share: float = 1.0
    busy: float | None = None


class Provenance(NamedTuple):
    """Where a figure of the rack comes from, and whether that was read."""

    source: str
    verified: str


@frozen
class RackChoice:
    """A rack with no unknown left that sizing needs. Power in kW per full rack.

    capacity_kw is nameplate or typical, as `power_basis` says. training_kw is the mean of a busy
    training job, typical_kw that of the jobs which the racks run. layout_depth_mm (for row pitch,
    density and load) is the row's, else its depth, at least 1,200. Coolant figures are None for an
    air-cooled rack, and where the row's flow table (or, for the flow, its rise) gives them.
    """

    rack: Rack
    accelerator: Accelerator
    shape: RackShape
    jobs: tuple[JobLoad, ...]
    power_basis: str
    capacity_kw: float
    nameplate_kw: float
    typical_kw: float
    training_kw: float
    peak_kw: float
    idle_kw: float
    liquid_heat_fraction: float
    coolant: str
    flow_l_per_min_per_kw: float | None
    pressure_drop_kpa: float | None
    supply_temp_min_c: float | None
    supply_temp_max_c: float | None
    width_mm: float
    layout_depth_mm: float
    weight_kg: float
    provenance: Mapping[str, Provenance]

    @property
    def inference_share(self) -> float:
        """Share of the racks that serve inference."""
        return sum(job.share for job in self.jobs if job.kind == "inference")

    @property
    def job(self) -> str:
        """What runs on the racks: training, inference or both."""
        share = self.inference_share
        return "training" if share == 0.0 else "inference" if share >= 1.0 else "mixed"


def choose_rack(
    rack: Rack,
    accelerator: Accelerator,
    choices: Choices,
    *,
    jobs: Sequence[JobLoad] = (),
    given_fields: Container[str] = (),
) -> RackChoice:
    """Resolve a rack row: unknown fields by default, doubtful figures listed.

    jobs: what runs on the racks, one training job on all of them when empty; given_fields: names
    of the figures that the user gave (`RACK_FIELDS` for a rack file), so they are not listed as
    assumptions. Raises InputError where no power is known, or a figure makes no sense.
    """
    reader = _Reader(rack, choices.ledger, given_fields)
    nameplate = _nameplate(reader)
    fraction, coolant = _liquid(reader)
    liquid = fraction > 0.0
    peak = reader.known("peak_kw")
    if peak is None:
        peak = reader.default("peak_kw", nameplate, "no peak figure in the rack row: nameplate")
    idle = reader.known("idle_kw")
    if idle is None:
        idle = reader.default(
            "idle_kw", power.rack_idle_kw(nameplate), f"0.15 of nameplate: {power.IDLE[1]}"
        )
    training = _training_kw(reader, nameplate, liquid=liquid)
    typical = _mean_kw(reader, training, nameplate, idle, jobs)
    basis = choices.text("power_basis")
    width = reader.or_default("width_mm", WIDTH_MM)
    depth = rack.layout_depth_mm or max(reader.or_default("depth_mm", DEPTH_MM), DEPTH_MM)
    cooling = _coolant_figures(reader, choices) if liquid else (None, None, None, None)
    nodes_per_su = choices.optional("fabric.nodes_per_su")
    return RackChoice(
        rack=rack,
        accelerator=accelerator,
        shape=RackShape(
            rack.servers_per_rack,
            rack.accelerators_per_server,
            rack.su_servers if nodes_per_su is None else int(nodes_per_su),
            rack.scale_up_domain_size,
        ),
        jobs=tuple(jobs),
        power_basis=basis,
        capacity_kw=typical if basis == "typical" else nameplate,
        nameplate_kw=nameplate,
        typical_kw=typical,
        training_kw=training,
        peak_kw=peak,
        idle_kw=idle,
        liquid_heat_fraction=fraction,
        coolant=coolant,
        flow_l_per_min_per_kw=cooling[0],
        pressure_drop_kpa=cooling[1],
        supply_temp_min_c=cooling[2],
        supply_temp_max_c=cooling[3],
        width_mm=width,
        layout_depth_mm=depth,
        weight_kg=_weight(reader, width, liquid=liquid),
        provenance=reader.provenance,
    )


class _Reader:
    """Read figures of a rack row; note where each came from."""

    def __init__(self, rack: Rack, ledger: Ledger, given_fields: Container[str]) -> None:
        self.rack = rack
        self.ledger = ledger
        self.given_fields = given_fields
        self.provenance: dict[str, Provenance] = {}

    def known(self, name: str) -> float | None:
        """A figure of the row; listed where it was not read in a source. None where unknown."""
        value = getattr(self.rack, name)
        if value is None:
            return None
        number = float(value)
        if name in self.given_fields:
            self.provenance[name] = Provenance(self.rack.source or "rack.yaml", "given")
            return number
        flag = self.rack.verified_of(name)
        self.provenance[name] = Provenance(self.rack.source, flag)
        if flag != "true":
            self.ledger.assume(
                f"rack.{name}", number, unit_of(name), self.rack.source, verified=flag
            )
        return number

    def default(self, name: str, value: float, source: str) -> float:
        """Take a default for an unknown figure, and list it."""
        self.provenance[name] = Provenance(source, "false")
        self.ledger.assume(f"rack.{name}", value, unit_of(name), source)
        return value

    def or_default(self, name: str, value: float, source: str = UNKNOWN) -> float:
        """The row's figure, else the default."""
        known = self.known(name)
        return self.default(name, value, source) if known is None else known

    def refuse(self, message: str, path: str, hint: str) -> InputError:
        """The error for a rack that cannot be planned with."""
        return InputError(Problem(f"{self.rack.id}: {message}", path=path, hint=hint))


def _nameplate(reader: _Reader) -> float:
    value = reader.known("nameplate_kw")
    if value is None:
        value = reader.known("estimate_kw")
        if value is None:
            raise reader.refuse(
                "rack nameplate power is unknown", "rack.nameplate", "give the kW of a full rack"
            )
        reader.default("nameplate_kw", value, f"estimate of the rack row; {reader.rack.source}")
        reader.ledger.warn(
            "rack_power_estimated",
            "rack.nameplate_kw",
            f"{reader.rack.id}: no vendor power figure; the estimate of {value:g} kW is used",
        )
    if value <= 0.0:
        raise reader.refuse(
            f"rack nameplate power of {value:g} kW", "rack.nameplate", "give a power above 0 kW"
        )
    return value


def _liquid(reader: _Reader) -> tuple[float, str]:
    """Liquid heat fraction and coolant of the rack."""
    coolant = reader.rack.coolant or "none"
    default = LIQUID_FRACTION if coolant != "none" else 0.0
    fraction = reader.or_default("liquid_heat_fraction", default)
    if not 0.0 <= fraction <= 1.0:
        raise reader.refuse(
            f"liquid heat fraction of {fraction:g}",
            "rack.liquid_heat_fraction",
            "give a fraction from 0 to 1",
        )
    return fraction, coolant


def _training_kw(reader: _Reader, nameplate: float, *, liquid: bool) -> float:
    """Mean rack power of a busy training job."""
    known = reader.known("typical_kw")
    if known is not None:
        return known
    share, source = power.TYPICAL_LIQUID if liquid else power.TYPICAL_AIR
    value = power.rack_typical_kw(nameplate, share)
    return reader.default("typical_kw", value, f"{share:g} of nameplate: {source}")


def _mean_kw(
    reader: _Reader, training: float, nameplate: float, idle: float, jobs: Sequence[JobLoad]
) -> float:
    """Mean rack power of all jobs; racks that no job uses idle."""
    if not jobs:
        return training
    used = sum(job.share for job in jobs)
    if used > 1.0 + 1e-9:
        raise InputError(
            Problem(
                f"the jobs take {100 * used:.4g} % of the accelerators",
                path="workload.jobs",
                hint="their shares may not exceed 1 together",
            )
        )
    total = max(0.0, 1.0 - used) * idle
    for job in jobs:
        if job.kind == "inference" and job.busy is None:
            share, source = power.INFERENCE_MEAN
            mean = power.rack_typical_kw(nameplate, share)
            reader.ledger.assume("workload.inference_mean", share, "of nameplate", source)
            reader.ledger.warn(
                "inference_mean_assumed",
                "workload.jobs",
                f"no utilisation of the inference job is stated: {share:g} of nameplate, the draw"
                " under full offline load; a fleet that follows daily demand draws less",
            )
        else:
            busy = power.INFERENCE_PEAK[0] * nameplate if job.kind == "inference" else training
            mean = power.rack_mean_kw(busy, idle, 1.0 if job.busy is None else job.busy)
        total += job.share * mean
    stated = any(job.busy is not None for job in jobs)
    origin = "jobs of workload.yaml: busy and idle power by their shares"
    reader.provenance["typical_kw"] = Provenance(origin, "given" if stated else "false")
    return total


def _coolant_figures(
    reader: _Reader, choices: Choices
) -> tuple[float | None, float | None, float, float]:
    """Flow per kW of liquid heat, pressure drop, least and highest supply temperature."""
    flow = reader.known("flow_l_per_min_per_kw")
    row = reader.rack
    if flow is None and not row.flow_table and row.rise_k is None:
        flow = reader.default("flow_l_per_min_per_kw", FLOW_L_PER_MIN_PER_KW, UNKNOWN)
    drop = reader.known("pressure_drop_kpa")
    if drop is None and not row.flow_table:  # the table gives the drop with the flow
        drop = choices.number("cooling.rack_drop_default")
        reader.provenance["pressure_drop_kpa"] = Provenance("cooling.rack_drop_default", "false")
    low = reader.or_default("supply_temp_min_c", SUPPLY_TEMP_C[0])
    high = reader.or_default("supply_temp_max_c", SUPPLY_TEMP_C[1])
    return flow, drop, low, high


def _weight(reader: _Reader, width_mm: float, *, liquid: bool) -> float:
    kind = "double width" if width_mm >= DOUBLE_WIDTH_MM else "liquid" if liquid else "air"
    return reader.or_default("weight_kg", WEIGHT_KG[kind])
