"""`site.yaml`: one candidate site. The class bodies are the table of its fields."""

# no `from __future__ import annotations` here: pydantic would have to evaluate every one again
from datetime import date
from typing import Annotated

from pydantic import Field

from clusterplan.inputs.base import InputFile, Shorthand, Strict
from clusterplan.inputs.datum import Datum
from clusterplan.inputs.leaves import (
    Choice,
    Day,
    Flag,
    Fraction,
    Id,
    Number,
    Percent,
    Quantity,
    Text,
    Whole,
)

PERMIT_STATUS = ("not_needed", "not_filed", "filed", "issued", "appealed", "denied")
EXPORT_TIERS = (
    "domestic",
    "open_partner",
    "open_watch",
    "licence_case",
    "restricted_D5",
    "embargo",
)
GENERATION_TYPES = (
    "ccgt",
    "gas_turbine",
    "reciprocating_engine",
    "fuel_cell",
    "solar",
    "wind",
    "hydro",
    "geothermal",
    "nuclear",
    "diesel",
    "other",
)
PROGRESS = ("none", "planned", "in_place")
GENERATION_STATUS = ("none", "permit_filed", "permit_issued", "ordered", "building", "running")


class Climate(Strict):
    """Catalogue id, own design conditions, or an hourly weather file."""

    id: Annotated[str | None, Text()] = Field(None, description="climate of the catalogue")
    weather: Annotated[str | None, Text()] = Field(
        None, description="hourly weather file (EPW, TMY3 or CSV), beside site.yaml"
    )
    dry_bulb_0p4_c: Annotated[Datum[float] | None, Quantity("temperature", "degC", -10.0, 55.0)] = (
        Field(None, alias="dry_bulb_0p4", description="dry bulb exceeded 0.4 % of the year")
    )
    mean_coincident_wet_bulb_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", -15.0, 45.0)
    ] = Field(
        None, alias="mean_coincident_wet_bulb", description="mean wet bulb at dry_bulb_0p4 (MCWB)"
    )
    wet_bulb_0p4_c: Annotated[Datum[float] | None, Quantity("temperature", "degC", -10.0, 55.0)] = (
        Field(None, alias="wet_bulb_0p4", description="wet bulb exceeded 0.4 % of the year")
    )
    dry_bulb_n20_c: Annotated[Datum[float] | None, Quantity("temperature", "degC", -10.0, 60.0)] = (
        Field(None, alias="dry_bulb_n20", description="highest dry bulb in 20 years")
    )
    heating_99p6_c: Annotated[Datum[float] | None, Quantity("temperature", "degC", -60.0, 35.0)] = (
        Field(None, alias="heating_99p6", description="dry bulb exceeded 99.6 % of the year")
    )
    annual_mean_dry_bulb_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", -30.0, 40.0)
    ] = Field(None, alias="annual_mean_dry_bulb", description="yearly mean dry bulb")
    annual_mean_wet_bulb_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", -30.0, 35.0)
    ] = Field(None, alias="annual_mean_wet_bulb", description="yearly mean wet bulb")
    annual_mean_dew_point_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", -40.0, 30.0)
    ] = Field(None, alias="annual_mean_dew_point", description="yearly mean dew point")


class Land(Strict):
    """Land held; leave the whole group out for a room in a building."""

    gross_acres: Annotated[Datum[float], Quantity("land_area", "acre", 0.05, 100_000.0)] = Field(
        alias="gross", description="whole holding"
    )
    buildable_acres: Annotated[
        Datum[float] | None, Quantity("land_area", "acre", 0.05, 100_000.0)
    ] = Field(None, alias="buildable", description="buildable part; 0.75 of gross when left out")
    control: Annotated[str | None, Choice("none", "option", "lease", "owned")] = Field(
        None, description="how the land is held"
    )
    control_until: Annotated[Datum[date] | None, Day()] = Field(
        None, description="end of the option or lease"
    )
    price_usd_per_acre: Annotated[
        Datum[float] | None, Quantity("land_price", "USD/acre", 100.0, 2_000_000.0)
    ] = Field(None, alias="price", description="price of the land")
    slope_max_percent: Annotated[Datum[float] | None, Percent(0.0, 25.0)] = Field(
        None, alias="slope_max", description="steepest slope of the buildable part"
    )
    flood_zone: Annotated[str | None, Choice("X", "A", "AE", "V")] = Field(
        None, description="FEMA flood zone or its equivalent"
    )


class Water(Strict):
    """Water that the plant may use."""

    source: Annotated[
        str | None,
        Choice("none", "municipal", "reclaimed", "groundwater", "surface", "seawater", "other"),
    ] = Field(None, description="none rules wet cooling out; unknown when left out")
    annual_m3_per_year: Annotated[
        Datum[float] | None, Quantity("water_volume_per_year", "m3/yr", 0.0, 1e9)
    ] = Field(None, alias="annual", description="right or allocation of a year")
    peak_l_per_s: Annotated[Datum[float] | None, Quantity("water_rate", "L/s", 0.0, 1e5)] = Field(
        None, alias="peak", description="highest rate of supply"
    )
    stress: Annotated[Datum[int] | None, Whole(0, 4)] = Field(
        None, description="water stress class, 0 (low) to 4 (extreme)"
    )


class Target(Strict):
    """What is wanted here, for compare-sites; `size` fills the site unless asked otherwise."""

    it_mw: Annotated[Datum[float], Quantity("power", "MW", 0.1, 5000.0)] = Field(
        alias="it", description="IT power wanted"
    )
    date: Annotated[Datum[date] | None, Day()] = Field(None, description="wanted by")


class Phase(Strict):
    """One phase of the wish; MW are cumulative."""

    name: Annotated[str | None, Text()] = Field(None, description="name of the phase")
    date: Annotated[Datum[date], Day()] = Field(description="wanted by")
    it_mw: Annotated[Datum[float] | None, Quantity("power", "MW", 0.1, 5000.0)] = Field(
        None, alias="it", description="IT power, cumulative"
    )
    facility_mw: Annotated[Datum[float] | None, Quantity("power", "MW", 0.1, 7500.0)] = Field(
        None, alias="facility", description="facility power at the meter, cumulative"
    )


class Hazards(Strict):
    """Natural hazards and protected ground."""

    seismic: Annotated[Datum[int] | None, Whole(0, 4)] = Field(
        None, description="class, 0 (negligible) to 4 (very high)"
    )
    storm: Annotated[Datum[int] | None, Whole(0, 4)] = Field(
        None, description="class, 0 (negligible) to 4 (very high)"
    )
    active_fault: Annotated[bool | None, Flag()] = Field(None, description="active fault on site")
    surge_zone: Annotated[bool | None, Flag()] = Field(None, description="storm surge zone")
    protected_habitat: Annotated[bool | None, Flag()] = Field(None, description="habitat on site")
    pga_475yr_g: Annotated[Datum[float] | None, Quantity("acceleration", "g", 0.0, 1.5)] = Field(
        None, alias="pga_475yr", description="peak ground acceleration, 475 years"
    )
    wind_design_m_per_s: Annotated[Datum[float] | None, Quantity("speed", "m/s", 20.0, 100.0)] = (
        Field(None, alias="wind_design", description="design wind speed")
    )
    flood_depth_m: Annotated[Datum[float] | None, Quantity("length", "m", 0.0, 10.0)] = Field(
        None, alias="flood_depth", description="design flood depth"
    )


class Fibre(Strict):
    """Fibre routes."""

    routes: Annotated[Datum[int] | None, Whole(0, 20)] = Field(
        None, description="routes that share no duct"
    )
    rtt_hub_ms: Annotated[Datum[float] | None, Quantity("duration", "ms", 0.1, 300.0)] = Field(
        None, alias="rtt_hub", description="round trip to the nearest exchange"
    )


class Gas(Strict):
    """Gas supply."""

    pipeline_distance_km: Annotated[Datum[float] | None, Quantity("length", "km", 0.0, 322.0)] = (
        Field(None, alias="pipeline_distance", description="distance to the pipeline")
    )
    firm_capacity_mmbtu_per_day: Annotated[
        Datum[float] | None, Quantity("gas_rate", "MMBtu/day", 0.0, 1e7)
    ] = Field(None, alias="firm_capacity", description="firm transport")
    laterals: Annotated[Datum[int] | None, Whole(0, 10)] = Field(
        None, description="separate laterals"
    )


class Permit(Strict):
    """One permit."""

    status: Annotated[str, Choice(*PERMIT_STATUS)] = Field(description="state of the permit")
    authority: Annotated[str | None, Text()] = Field(None, description="who decides")
    months: Annotated[Datum[float] | None, Quantity("months", "month", 0.0, 240.0)] = Field(
        None, description="time to the decision, with its unit"
    )


class Permits(Strict):
    """Permits of the site; unknown where left out."""

    zoning: Annotated[Permit | None, Shorthand("status")] = Field(None, description="zoning")
    environmental: Annotated[Permit | None, Shorthand("status")] = Field(
        None, description="environmental review"
    )
    air: Annotated[Permit | None, Shorthand("status")] = Field(None, description="air permit")
    water: Annotated[Permit | None, Shorthand("status")] = Field(
        None, description="water and discharge"
    )


class Tax(Strict):
    """Tax breaks."""

    sales_exempt: Annotated[bool | None, Flag()] = Field(
        None, description="sales tax exemption of the equipment"
    )
    property_abatement_years: Annotated[Datum[float] | None, Quantity("years", "yr", 0.0, 40.0)] = (
        Field(None, alias="property_abatement", description="property tax abatement")
    )


class Policy(Strict):
    """Export rules and other policy."""

    export_tier: Annotated[str | None, Choice(*EXPORT_TIERS)] = Field(
        None, description="export tier of the country; its row when left out"
    )
    export_licence: Annotated[str | None, Choice(*PERMIT_STATUS)] = Field(
        None, description="state of the export licence"
    )
    data_regime: Annotated[str | None, Text()] = Field(None, description="data law")
    moratorium: Annotated[bool | None, Flag()] = Field(
        None, description="moratorium on data centres in force"
    )


class Community(Strict):
    """Attitude of the community."""

    score: Annotated[Datum[float], Number(1.0, 5.0)] = Field(
        description="1 (opposed) to 5 (in favour)"
    )


class Metering(Strict):
    """Meters that show what the cluster uses and emits."""

    energy: Annotated[str | None, Choice(*PROGRESS)] = Field(
        None, description="energy, down to the rack row"
    )
    emissions: Annotated[str | None, Choice(*PROGRESS)] = Field(
        None, description="emissions, by the hour"
    )


class Security(Strict):
    """Protection of the site and of its controls."""

    physical: Annotated[str | None, Choice(*PROGRESS)] = Field(
        None, description="fence, access control, watch"
    )
    cyber: Annotated[str | None, Choice(*PROGRESS)] = Field(
        None, description="controls apart from office networks, access logged"
    )


class Workforce(Strict):
    """Labour for construction."""

    electricians_60mi: Annotated[Datum[int], Whole(0, 1_000_000)] = Field(
        description="electricians within 60 miles"
    )


class Generation(Strict):
    """On-site generation of one kind."""

    name: Annotated[str | None, Text()] = Field(None, description="name of the plant")
    type: Annotated[str, Choice(*GENERATION_TYPES)] = Field(description="kind of plant")
    gross_mw: Annotated[Datum[float], Quantity("power", "MW", 0.0, 7500.0)] = Field(
        alias="gross", description="all units together"
    )
    units: Annotated[Datum[int] | None, Whole(1, 5000)] = Field(
        None, description="equal units; 1 when left out"
    )
    firm_mw: Annotated[Datum[float] | None, Quantity("power", "MW", 0.0, 7500.0)] = Field(
        None, alias="firm", description="firm power with the largest unit out"
    )
    energised: Annotated[Datum[date] | None, Day()] = Field(None, description="in service from")
    status: Annotated[str | None, Choice(*GENERATION_STATUS)] = Field(
        None, description="how far the plant is"
    )
    power_factor: Annotated[Datum[float] | None, Fraction(0.5, 1.0)] = Field(
        None, description="rated power factor; 0.8, inverters 1, when left out"
    )
    subtransient_percent: Annotated[Datum[float] | None, Percent(3.0, 60.0)] = Field(
        None, alias="subtransient_reactance", description='x"d on the rating of the machine'
    )
    inertia_s: Annotated[Datum[float] | None, Quantity("duration", "s", 0.0, 30.0)] = Field(
        None, alias="inertia", description="inertia constant H on the rating of the machine"
    )
    block_load: Annotated[Datum[float] | None, Fraction(0.0, 1.0)] = Field(
        None, description="load step taken at once, of the rating"
    )
    ramp_mw_per_min: Annotated[Datum[float] | None, Quantity("ramp", "MW/min", 0.0, 1e6)] = Field(
        None, alias="ramp", description="fastest ramp of the whole plant"
    )
    transformer_impedance_percent: Annotated[Datum[float] | None, Percent(1.0, 40.0)] = Field(
        None,
        alias="transformer_impedance",
        description="of the step-up transformers on the rating of the machines",
    )
    heat_rate_btu_per_kwh: Annotated[
        Datum[float] | None, Quantity("heat_rate", "BTU/kWh", 6000.0, 14000.0)
    ] = Field(None, alias="heat_rate", description="heat rate, HHV")
    fuel: Annotated[str | None, Text()] = Field(None, description="fuel")
    price_usd_per_mwh: Annotated[
        Datum[float] | None, Quantity("energy_price", "USD/MWh", 0.0, 1000.0)
    ] = Field(None, alias="price", description="price of the energy")
    capacity_factor: Annotated[Datum[float] | None, Fraction()] = Field(
        None, description="yearly capacity factor"
    )
    exports: Annotated[bool | None, Flag()] = Field(None, description="may export to the grid")


class Storage(Strict):
    """Battery storage on site."""

    power_mw: Annotated[Datum[float], Quantity("power", "MW", 0.0, 7500.0)] = Field(
        alias="power", description="rated power"
    )
    energy_mwh: Annotated[Datum[float], Quantity("energy", "MWh", 0.0, 200_000.0)] = Field(
        alias="energy", description="usable energy"
    )


class Site(InputFile):
    """One candidate site."""

    schema_version: Annotated[Datum[int] | None, Whole(1, 1)] = Field(
        None, description="version of this format: 1"
    )
    id: Annotated[str, Id()] = Field(description="short name for scripts and files")
    name: Annotated[str, Text()] = Field(description="name as printed")
    country: Annotated[str, Text()] = Field(description="ISO 3166 code, two or three letters")
    state: Annotated[str | None, Text()] = Field(
        None, description="state or province; required in the US, two letters there"
    )
    county: Annotated[str | None, Text()] = Field(None, description="county")
    latitude_deg: Annotated[Datum[float], Number(-90.0, 90.0)] = Field(
        alias="latitude", description="degrees north"
    )
    longitude_deg: Annotated[Datum[float], Number(-180.0, 180.0)] = Field(
        alias="longitude", description="degrees east"
    )
    elevation_m: Annotated[Datum[float] | None, Quantity("length", "m", -430.0, 5000.0)] = Field(
        None, alias="elevation", description="above sea level"
    )
    climate: Annotated[Climate | None, Shorthand("id")] = Field(
        None, description="catalogue id, design conditions, or {weather: file.epw}"
    )
    land: Land | None = Field(None, description="land held; none for a room in a building")
    rack_cap: Annotated[Datum[int] | None, Whole(1, 1_000_000)] = Field(
        None, description="most compute racks that the building holds"
    )
    water: Water | None = Field(None, description="water")
    target: Target | None = Field(None, description="what is wanted here")
    phases: tuple[Phase, ...] = Field((), description="phases of the wish")
    pue_peak: Annotated[Datum[float] | None, Number(1.0, 1.8)] = Field(
        None, description="given only to override the computed one"
    )
    pue_annual: Annotated[Datum[float] | None, Number(1.0, 1.8)] = Field(
        None, description="given only to override the computed one"
    )
    load_factor: Annotated[Datum[float] | None, Fraction(0.5, 0.98)] = Field(
        None, description="given only to override the computed one"
    )
    hazards: Hazards | None = Field(None, description="hazards")
    fibre: Fibre | None = Field(None, description="fibre")
    gas: Gas | None = Field(None, description="gas")
    permits: Permits | None = Field(None, description="permits")
    tax: Tax | None = Field(None, description="tax")
    policy: Policy | None = Field(None, description="policy")
    community: Community | None = Field(None, description="community")
    workforce: Workforce | None = Field(None, description="workforce")
    metering: Metering | None = Field(None, description="meters of energy and emissions")
    security: Security | None = Field(None, description="physical and cyber security")
    generation: tuple[Generation, ...] = Field((), description="on-site generation")
    storage: Storage | None = Field(None, description="battery storage")
    notes: Annotated[str | None, Text()] = Field(None, description="remarks")
    rack: Annotated[str | None, Text()] = Field(
        None, description="rack of the catalogue, or a file beside site.yaml"
    )
    grid: Annotated[str | None, Text()] = Field(None, description="grid file; grid.yaml if there")
    design: Annotated[str | None, Text()] = Field(
        None, description="design file; design.yaml if there"
    )
    workload: Annotated[str | None, Text()] = Field(
        None, description="workload file; workload.yaml if there"
    )
