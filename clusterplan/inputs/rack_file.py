"""`rack.yaml`: a rack of the user's own, with the fields of the catalogue."""

# no `from __future__ import annotations` here: pydantic would have to evaluate every one again
from typing import Annotated, Any

from pydantic import Field

from clusterplan.core.equipment import Rack, RackFlowPoint
from clusterplan.inputs.base import InputFile, Strict
from clusterplan.inputs.datum import Datum
from clusterplan.inputs.leaves import Choice, Fraction, Id, Number, Quantity, Text, Whole

_POWER = (0.05, 10_000.0)  # kW of one rack


class FlowPoint(Strict):
    """One row of a published flow table."""

    supply_temp_c: Annotated[Datum[float], Quantity("temperature", "degC", 0.0, 70.0)] = Field(
        alias="supply_temp", description="supply temperature"
    )
    flow_l_per_min: Annotated[Datum[float], Quantity("flow", "L/min", 0.1, 10_000.0)] = Field(
        alias="flow", description="flow of the rack"
    )
    pressure_drop_kpa: Annotated[Datum[float], Quantity("pressure", "kPa", 0.0, 1000.0)] = Field(
        alias="pressure_drop", description="pressure drop of the rack"
    )


class RackFile(InputFile):
    """A rack as delivered."""

    schema_version: Annotated[Datum[int] | None, Whole(1, 1)] = Field(
        None, description="version of this format: 1"
    )
    id: Annotated[str, Id()] = Field(description="short name for scripts and files")
    name: Annotated[str | None, Text()] = Field(None, description="name as printed")
    source: Annotated[str | None, Text()] = Field(None, description="source of the figures")
    note: Annotated[str | None, Text()] = Field(None, description="remarks")
    accelerator: Annotated[str, Text()] = Field(description="accelerator of the catalogue")
    status: Annotated[str | None, Text()] = Field(None, description="shipping, announced ...")
    servers_per_rack: Annotated[Datum[int], Whole(1, 1000)] = Field(
        description="servers, or compute trays of a rack-scale system"
    )
    accelerators_per_server: Annotated[Datum[int], Whole(1, 1000)] = Field(
        description="accelerator packages of a server"
    )
    nameplate_kw: Annotated[Datum[float] | None, Quantity("power", "kW", *_POWER)] = Field(
        None, alias="nameplate", description="largest continuous power of the rack"
    )
    typical_kw: Annotated[Datum[float] | None, Quantity("power", "kW", *_POWER)] = Field(
        None, alias="typical", description="mean power of a training job"
    )
    peak_kw: Annotated[Datum[float] | None, Quantity("power", "kW", *_POWER)] = Field(
        None, alias="peak", description="short electrical peak"
    )
    idle_kw: Annotated[Datum[float] | None, Quantity("power", "kW", 0.0, 10_000.0)] = Field(
        None, alias="idle", description="power without a job"
    )
    estimate_kw: Annotated[Datum[float] | None, Quantity("power", "kW", *_POWER)] = Field(
        None, alias="estimate", description="guess, used with a warning where nameplate is unknown"
    )
    tdp_kw: Annotated[Datum[float] | None, Quantity("power", "kW", *_POWER)] = Field(
        None, alias="tdp", description="vendor thermal design power where it differs"
    )
    server_max_kw: Annotated[Datum[float] | None, Quantity("power", "kW", *_POWER)] = Field(
        None, alias="server_max", description="electrical maximum of one server"
    )
    power_basis: Annotated[str | None, Text()] = Field(
        None, description="where the power figures come from: vendor, measured, estimate ..."
    )
    liquid_heat_fraction: Annotated[Datum[float] | None, Fraction()] = Field(
        None, description="share of the heat that goes to liquid"
    )
    coolant: Annotated[str | None, Choice("none", "pg25", "water")] = Field(
        None, description="fluid of the rack; none for air"
    )
    flow_l_per_min_per_kw: Annotated[
        Datum[float] | None, Quantity("flow_per_power", "L/min/kW", 0.1, 20.0)
    ] = Field(None, alias="flow", description="flow per kW of liquid heat")
    flow_max_l_per_min: Annotated[Datum[float] | None, Quantity("flow", "L/min", 0.1, 10_000.0)] = (
        Field(None, alias="flow_max", description="largest flow of the rack")
    )
    supply_temp_min_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", 0.0, 60.0)
    ] = Field(None, alias="supply_temp_min", description="coldest supply accepted")
    supply_temp_max_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", 10.0, 70.0)
    ] = Field(None, alias="supply_temp_max", description="warmest supply accepted")
    return_temp_c: Annotated[Datum[float] | None, Quantity("temperature", "degC", 15.0, 90.0)] = (
        Field(
            None, alias="return_temp", description="constant return temperature of the flow table"
        )
    )
    return_temp_max_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", 15.0, 90.0)
    ] = Field(None, alias="return_temp_max", description="warmest return accepted")
    rise_k: Annotated[Datum[float] | None, Quantity("temperature_difference", "K", 1.0, 50.0)] = (
        Field(None, alias="rise", description="temperature rise in the rack")
    )
    pressure_drop_kpa: Annotated[Datum[float] | None, Quantity("pressure", "kPa", 0.0, 1000.0)] = (
        Field(None, alias="pressure_drop", description="pressure drop at the design flow")
    )
    flow_table_liquid_kw: Annotated[Datum[float] | None, Quantity("power", "kW", *_POWER)] = Field(
        None, alias="flow_table_liquid", description="liquid heat the flow table holds for"
    )
    flow_table_coolant: Annotated[str | None, Choice("pg25", "water")] = Field(
        None, description="fluid the flow table holds for"
    )
    flow_table: tuple[FlowPoint, ...] = Field((), description="published flow table")
    airflow_cfm_per_kw: Annotated[
        Datum[float] | None, Quantity("air_flow_per_power", "CFM/kW", 10.0, 400.0)
    ] = Field(None, alias="airflow", description="air flow per kW of air heat")
    air_class: Annotated[str | None, Text()] = Field(None, description="ASHRAE class or the like")
    inlet_temp_min_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", -10.0, 40.0)
    ] = Field(None, alias="inlet_temp_min", description="coldest air inlet")
    inlet_temp_max_c: Annotated[
        Datum[float] | None, Quantity("temperature", "degC", 15.0, 60.0)
    ] = Field(None, alias="inlet_temp_max", description="warmest air inlet")
    width_mm: Annotated[Datum[float] | None, Quantity("length", "mm", 100.0, 10_000.0)] = Field(
        None, alias="width", description="width"
    )
    depth_mm: Annotated[Datum[float] | None, Quantity("length", "mm", 100.0, 10_000.0)] = Field(
        None, alias="depth", description="depth"
    )
    layout_depth_mm: Annotated[Datum[float] | None, Quantity("length", "mm", 100.0, 10_000.0)] = (
        Field(None, alias="layout_depth", description="depth used in the floor plan")
    )
    height_u: Annotated[Datum[float] | None, Number(1.0, 100.0)] = Field(
        None, description="height in rack units, a plain number"
    )
    weight_kg: Annotated[Datum[float] | None, Quantity("mass", "kg", 10.0, 20_000.0)] = Field(
        None, alias="weight", description="weight, filled"
    )
    feed: Annotated[str | None, Text()] = Field(None, description="power feed")
    scale_out_ports_per_accelerator: Annotated[Datum[int] | None, Whole(0, 64)] = Field(
        None, description="NIC ports of the compute fabric per accelerator"
    )
    scale_out_gbps: Annotated[Datum[float] | None, Quantity("data_rate", "Gb/s", 1.0, 10_000.0)] = (
        Field(None, alias="scale_out", description="speed of one of those ports")
    )
    storage_ports_per_server: Annotated[Datum[int] | None, Whole(0, 64)] = Field(
        None, description="storage ports of a server"
    )
    storage_gbps: Annotated[Datum[float] | None, Quantity("data_rate", "Gb/s", 1.0, 10_000.0)] = (
        Field(None, alias="storage", description="speed of one of those ports")
    )
    oob_ports_per_server: Annotated[Datum[int] | None, Whole(0, 64)] = Field(
        None, description="out-of-band management ports of a server"
    )
    scale_up_domain_size: Annotated[Datum[int] | None, Whole(1, 100_000)] = Field(
        None, description="accelerators of one scale-up domain"
    )
    scale_up_kind: Annotated[str | None, Text()] = Field(None, description="NVLink, UALink ...")
    su_servers: Annotated[Datum[int] | None, Whole(1, 100_000)] = Field(
        None, description="servers of the vendor's scalable unit"
    )
    su_switch: Annotated[str | None, Text()] = Field(None, description="its usual leaf switch")
    su_planes: Annotated[Datum[int] | None, Whole(1, 16)] = Field(
        None, description="planes of its fabric; 1 when left out"
    )
    storage_joule_per_accelerator: Annotated[
        Datum[float] | None, Quantity("energy_per_accelerator", "J", 0.0, 1e6)
    ] = Field(None, alias="storage_energy", description="smoothing energy per accelerator")

    def to_rack(self) -> Rack:
        """The rack as the catalogue's type; figures without a verified source count unverified."""
        changes = rack_changes(self)
        flags = {
            name: value.verified
            for name in changes
            if isinstance(value := getattr(self, name), Datum)
        }
        changes.setdefault("name", self.id)
        changes.setdefault("source", self.place("")[0] or "rack.yaml")
        return Rack(
            verified="partial" if set(flags.values()) - {"false"} else "false",
            unverified_fields=tuple(name for name, flag in flags.items() if flag == "false"),
            secondary_fields=tuple(name for name, flag in flags.items() if flag == "secondary"),
            **changes,
        )


def rack_changes(rack: RackFile) -> dict[str, Any]:
    """What the file gives, by field of `core.equipment.Rack`, in the units of its names."""
    changes: dict[str, Any] = {}
    for name in RackFile.model_fields:
        value = getattr(rack, name)
        if value is None or name in ("schema_version", "flow_table"):
            continue
        changes[name] = value.value if isinstance(value, Datum) else value
    if rack.flow_table:
        changes["flow_table"] = tuple(
            RackFlowPoint(
                supply_temp_c=row.supply_temp_c.value,
                flow_l_per_min=row.flow_l_per_min.value,
                pressure_drop_kpa=row.pressure_drop_kpa.value,
            )
            for row in rack.flow_table
        )
    return changes
