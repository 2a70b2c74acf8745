"""`grid.yaml`: one service point. The class bodies are the table of its fields."""

# no `from __future__ import annotations` here: pydantic would have to evaluate every one again
from datetime import date
from typing import Annotated

from pydantic import Field

from clusterplan.inputs.base import InputFile, Shorthand, Strict
from clusterplan.inputs.datum import Datum
from clusterplan.inputs.leaves import (
    Choice,
    Day,
    FaultLevel,
    Flag,
    Fraction,
    Number,
    Percent,
    Quantity,
    Text,
    Whole,
)

STUDY_STAGES = ("none", "request", "sis", "facilities", "agreement", "energised")
OPERATORS = (
    "ERCOT",
    "PJM",
    "MISO",
    "SPP",
    "CAISO",
    "NYISO",
    "ISO-NE",
    "IESO",
    "AESO",
    "other",
    "none",
)


class PowerFactorMin(Strict):
    """Lowest power factor at the connection point, each way."""

    lag: Annotated[Datum[float], Fraction(0.90, 1.0)] = Field(description="lagging")
    lead: Annotated[Datum[float], Fraction(0.90, 1.0)] = Field(description="leading")


class ShortCircuit(Strict):
    """Fault level at the connection point; each with unit "kA" or "MVA" (see `Datum.unit`)."""

    min: Annotated[Datum[float], FaultLevel()] = Field(description="weakest grid (studies)")
    max: Annotated[Datum[float], FaultLevel()] = Field(description="strongest grid (breakers)")


class GridStage(Strict):
    """One step of supply; MW are cumulative."""

    name: Annotated[str, Text()] = Field(description="unique name")
    energised: Annotated[Datum[date] | None, Day()] = Field(
        None, description="in service from; never when left out"
    )
    firm_mw: Annotated[Datum[float], Quantity("power", "MW", 0.0, 7500.0)] = Field(
        alias="firm", description="firm power, cumulative"
    )
    nonfirm_mw: Annotated[Datum[float] | None, Quantity("power", "MW", 0.0, 7500.0)] = Field(
        None, alias="nonfirm", description="curtailable power on top of firm, cumulative"
    )
    status: Annotated[str | None, Choice(*STUDY_STAGES)] = Field(
        None, description="how sure it is; the file's stage when left out"
    )
    confidence: Annotated[Datum[float] | None, Fraction()] = Field(
        None, description="probability; from the status when left out"
    )


class ExistingTransformers(Strict):
    """Transformers that stand there, equal ones in one entry."""

    name: Annotated[str | None, Text()] = Field(None, description="name")
    top_mva: Annotated[Datum[float], Quantity("apparent_power", "MVA", 0.1, 1500.0)] = Field(
        alias="mva", description="rating at the top cooling stage"
    )
    onan_mva: Annotated[Datum[float] | None, Quantity("apparent_power", "MVA", 0.1, 1500.0)] = (
        Field(None, alias="mva_onan", description="rating with natural cooling")
    )
    impedance_percent: Annotated[Datum[float] | None, Percent(1.0, 40.0)] = Field(
        None, alias="impedance", description="impedance on the ONAN rating"
    )
    count: Annotated[Datum[int] | None, Whole(1, 100)] = Field(
        None, description="so many of them; 1 when left out"
    )
    status: Annotated[str | None, Text()] = Field(None, description="in service, spare, ordered")


class ExistingLoad(Strict):
    """Load already on those transformers."""

    power_mw: Annotated[Datum[float], Quantity("power", "MW", 0.0, 7500.0)] = Field(
        alias="power", description="highest load"
    )
    power_factor: Annotated[Datum[float] | None, Fraction(0.5, 1.0)] = Field(
        None, description="its power factor"
    )


class Curtailment(Strict):
    """How often and how far the utility may curtail."""

    hours_per_year: Annotated[Datum[float] | None, Quantity("hours", "h", 0.0, 8760.0)] = Field(
        None, description="most hours a year"
    )
    notice_minutes: Annotated[Datum[float] | None, Quantity("duration", "min", 0.0, 1440.0)] = (
        Field(None, alias="notice", description="notice given")
    )
    power_mw: Annotated[Datum[float] | None, Quantity("power", "MW", 0.0, 7500.0)] = Field(
        None, alias="power", description="power that may be curtailed"
    )


class Upgrade(Strict):
    """One network upgrade."""

    name: Annotated[str, Text()] = Field(description="what is built")
    cost_musd: Annotated[Datum[float] | None, Quantity("cost", "MUSD", 0.0, 100_000.0)] = Field(
        None, alias="cost", description="cost"
    )
    months: Annotated[Datum[float] | None, Quantity("months", "month", 0.0, 240.0)] = Field(
        None, description="time to build, with its unit"
    )
    permit: Annotated[str | None, Text()] = Field(None, description="permit that it needs")


class Tariff(Strict):
    """Prices and terms of the service."""

    energy_usd_per_mwh: Annotated[
        Datum[float] | None, Quantity("energy_price", "USD/MWh", 10.0, 300.0)
    ] = Field(None, alias="energy", description="energy price")
    demand_usd_per_kw_month: Annotated[
        Datum[float] | None, Quantity("demand_price", "USD/kW-month", 0.0, 40.0)
    ] = Field(None, alias="demand", description="demand charge")
    minimum_take: Annotated[Datum[float] | None, Fraction()] = Field(
        None, description="least billed share of the contract demand"
    )
    term_years: Annotated[Datum[float] | None, Quantity("years", "yr", 0.0, 25.0)] = Field(
        None, alias="term", description="contract term"
    )


class OscillationLimit(Strict):
    """A limit on fast changes of the load."""

    name: Annotated[str | None, Text()] = Field(None, description="rule that sets it")
    peak_to_peak_mw: Annotated[Datum[float], Quantity("power", "MW", 0.0, 7500.0)] = Field(
        alias="peak_to_peak", description="largest swing"
    )
    window_s: Annotated[Datum[float] | None, Quantity("duration", "s", 0.001, 3600.0)] = Field(
        None, alias="window", description="within so long"
    )
    frequency_min_hz: Annotated[Datum[float] | None, Quantity("frequency", "Hz", 0.0, 1000.0)] = (
        Field(None, alias="frequency_min", description="lower end of the band")
    )
    frequency_max_hz: Annotated[Datum[float] | None, Quantity("frequency", "Hz", 0.0, 1000.0)] = (
        Field(None, alias="frequency_max", description="upper end of the band")
    )


class Grid(InputFile):
    """One service point of the grid."""

    schema_version: Annotated[Datum[int] | None, Whole(1, 1)] = Field(
        None, description="version of this format: 1"
    )
    operator: Annotated[str | None, Text()] = Field(None, description="system operator")
    utility: Annotated[str | None, Text()] = Field(None, description="who delivers")
    iso: Annotated[str | None, Choice(*OPERATORS)] = Field(None, description="market operator")
    docket_or_queue_id: Annotated[str | None, Text()] = Field(None, description="queue position")
    stage: Annotated[str | None, Choice(*STUDY_STAGES)] = Field(
        None, description="how far the interconnection is; none when left out"
    )
    request_date: Annotated[Datum[date] | None, Day()] = Field(None, description="requested on")
    study_due: Annotated[Datum[date] | None, Day()] = Field(None, description="study due on")
    agreement_date: Annotated[Datum[date] | None, Day()] = Field(None, description="agreement")
    poi_name: Annotated[str | None, Text()] = Field(None, description="connection point")
    voltage_kv: Annotated[Datum[float], Quantity("voltage", "kV", 2.0, 800.0)] = Field(
        alias="voltage", description="service voltage, line to line"
    )
    distance_to_poi_km: Annotated[Datum[float] | None, Quantity("length", "km", 0.0, 322.0)] = (
        Field(None, alias="distance_to_poi", description="distance; 5 miles when left out")
    )
    requested_mw: Annotated[Datum[float] | None, Quantity("power", "MW", 0.01, 7500.0)] = Field(
        None, alias="requested", description="requested at the meter; needed without stages"
    )
    approved_mw: Annotated[Datum[float] | None, Quantity("power", "MW", 0.0, 7500.0)] = Field(
        None, alias="approved", description="approved by a study or agreement"
    )
    stages: tuple[GridStage, ...] = Field(
        (), description="steps of supply; one from requested when left out"
    )
    power_factor_min: Annotated[PowerFactorMin | None, Shorthand("lag", "lead")] = Field(
        None, description="lowest power factor, both ways or {lag, lead}; 0.95 when left out"
    )
    ride_through: Annotated[str | None, Choice("none", "draft", "met")] = Field(
        None, description="state of the ride-through proof"
    )
    ramp_rate_limit_mw_per_min: Annotated[
        Datum[float] | None, Quantity("ramp", "MW/min", 0.0, 1e6)
    ] = Field(None, alias="ramp_rate_limit", description="fastest ramp allowed")
    step_limit_mw: Annotated[Datum[float] | None, Quantity("power", "MW", 0.0, 7500.0)] = Field(
        None, alias="step_limit", description="largest step allowed"
    )
    oscillation_limits: tuple[OscillationLimit, ...] = Field(
        (), description="limits on fast changes"
    )
    short_circuit: ShortCircuit | None = Field(
        None, description="fault level at the connection point"
    )
    x_over_r: Annotated[Datum[float] | None, Number(3.0, 60.0)] = Field(
        None, description="X/R of the grid"
    )
    circuits: Annotated[Datum[int] | None, Whole(1, 12)] = Field(
        None, description="circuits to the site; 2 when left out"
    )
    common_tower: Annotated[bool | None, Flag()] = Field(
        None, description="circuits share towers; true when left out"
    )
    transformers: tuple[ExistingTransformers, ...] = Field(
        (), description="transformers that stand there"
    )
    existing_load: ExistingLoad | None = Field(
        None, description="load on those transformers; unknown when left out"
    )
    generation_connects_at: Annotated[str | None, Choice("hv", "mv")] = Field(
        None, description="where on-site units join; mv, above 100 MW hv, when left out"
    )
    curtailment: Curtailment | None = Field(None, description="curtailment")
    upgrades: tuple[Upgrade, ...] = Field((), description="network upgrades")
    customer_cost_musd: Annotated[Datum[float] | None, Quantity("cost", "MUSD", 0.0, 1e5)] = Field(
        None, alias="customer_cost", description="what the customer pays"
    )
    security_usd_per_mw: Annotated[
        Datum[float] | None, Quantity("security_price", "USD/MW", 0.0, 250_000.0)
    ] = Field(None, alias="security", description="security to post")
    tariff: Tariff | None = Field(None, description="prices and terms")
    co_location: Annotated[bool | None, Flag()] = Field(
        None, description="co-located with a power plant; false when left out"
    )
    export_allowed: Annotated[bool | None, Flag()] = Field(
        None, description="export allowed; false when left out"
    )
    byog_required: Annotated[bool | None, Flag()] = Field(
        None, description="own generation required; false when left out"
    )
    confidence: Annotated[Datum[float] | None, Fraction()] = Field(
        None, description="probability; from the status when left out"
    )
    notes: Annotated[str | None, Text()] = Field(None, description="remarks")
