"""Typed rows of the catalogue: what ships in `data/`, with provenance.

Field names carry their unit. `None` is unknown, never zero. `source` names entries of
`SOURCES.yaml`, separated by `;`; `verified` is `true`, `partial`, `secondary` or `false` (see
data/README.md).

Rows are kept once and compared by identity; without generated `__eq__` and `__repr__` their two
dozen classes take a third less of the start-up time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from clusterplan.core.frozen import frozen


@frozen
class CatalogRow:
    """What every row has."""

    id: str
    name: str = ""
    source: str = ""
    verified: str = "false"
    note: str = ""
    unverified_fields: tuple[str, ...] = ()
    secondary_fields: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    def verified_of(self, name: str) -> str:
        """The flag of one field: that of the row unless the row says otherwise of the field."""
        if name in self.unverified_fields:
            return "false"
        if name in self.secondary_fields:
            return "secondary" if self.verified != "false" else "false"
        return "true" if self.verified == "partial" else self.verified


@frozen
class Accelerator(CatalogRow):
    """One accelerator package; TFLOPS are dense. `scale_up_dimensions`: of a torus."""

    vendor: str
    year: int | None = None
    status: str = ""
    memory_gb: float | None = None
    memory_bandwidth_tb_per_s: float | None = None
    bf16_tflops: float | None = None
    fp8_tflops: float | None = None
    fp4_tflops: float | None = None
    tdp_w: float | None = None
    scale_up_kind: str = ""
    scale_up_domain_size: int | None = None
    scale_up_bandwidth_gb_per_s: float | None = None
    scale_up_dimensions: int | None = None


@dataclass(frozen=True)
class RackFlowPoint:
    """One row of a rack's published flow table."""

    supply_temp_c: float
    flow_l_per_min: float
    pressure_drop_kpa: float


@frozen
class Rack(CatalogRow):
    """A rack as delivered, with nameplate, typical and peak kept apart.

    `coolant`: none, pg25 or water. `return_temp_c` is set where the published flow table is one of
    constant return temperature (GB300: 54.9 C). `flow_table_liquid_kw` and `flow_table_coolant`
    say for which heat and fluid the table holds.
    """

    accelerator: str
    status: str = ""
    servers_per_rack: int
    accelerators_per_server: int
    nameplate_kw: float | None = None
    typical_kw: float | None = None
    peak_kw: float | None = None
    idle_kw: float | None = None
    estimate_kw: float | None = None
    tdp_kw: float | None = None
    server_max_kw: float | None = None
    power_basis: str = ""
    liquid_heat_fraction: float | None = None
    coolant: str = "none"
    flow_l_per_min_per_kw: float | None = None
    flow_max_l_per_min: float | None = None
    supply_temp_min_c: float | None = None
    supply_temp_max_c: float | None = None
    return_temp_c: float | None = None
    return_temp_max_c: float | None = None
    rise_k: float | None = None
    pressure_drop_kpa: float | None = None
    flow_table_liquid_kw: float | None = None
    flow_table_coolant: str = ""
    flow_table: tuple[RackFlowPoint, ...] = ()
    airflow_cfm_per_kw: float | None = None
    air_class: str = ""
    inlet_temp_min_c: float | None = None
    inlet_temp_max_c: float | None = None
    width_mm: float | None = None
    depth_mm: float | None = None
    layout_depth_mm: float | None = None
    height_u: float | None = None
    weight_kg: float | None = None
    feed: str = ""
    scale_out_ports_per_accelerator: int | None = None
    scale_out_gbps: float | None = None
    storage_ports_per_server: int | None = None
    storage_gbps: float | None = None
    oob_ports_per_server: int | None = None
    scale_up_domain_size: int | None = None
    scale_up_kind: str = ""
    su_servers: int | None = None
    su_switch: str = ""
    su_planes: int = 1
    su_verified: str = "false"
    su_note: str = ""
    storage_joule_per_accelerator: float | None = None

    @property
    def accelerators_per_rack(self) -> int:
        """Accelerator packages in a full rack."""
        return self.servers_per_rack * self.accelerators_per_server


@dataclass(frozen=True)
class Breakout:
    """A whole-switch split: so many ports at that speed."""

    ports: int
    gbps: float


@frozen
class Switch(CatalogRow):
    """A network switch. `planning_power_w` excludes pluggable modules.

    port_name, split_port_name: patterns of the maker's port labels (see `sizing.port_names`);
    netbox_port_name: that of its NetBox device type, where it differs.
    """

    vendor: str
    kind: str
    ports: int | None
    cages: int | None
    gbps_per_port: float | None
    breakouts: tuple[Breakout, ...] = ()
    rack_units: float | None = None
    cooling: str = "air"
    built_in_optics: bool = False
    planning_power_w: float | None = None
    role: str = "compute"
    port_name: str = ""
    split_port_name: str = ""
    netbox_port_name: str = ""


@frozen
class Optic(CatalogRow):
    """A module, cable end or copper cord; `power_w` is per end."""

    kind: str
    form: str = ""
    speed_gbps: float
    reach_min_m: float = 0.0
    reach_max_m: float = 0.0
    power_w: float
    twin: bool = False
    part: str = ""


@frozen
class CableLengths(CatalogRow):
    """Lengths in stock of one sort of cable: copper, dac, acc, aec, aoc or fibre."""

    lengths_m: tuple[float, ...]


@frozen
class TransformerRating(CatalogRow):
    """A power transformer rating: `onan_mva` (S0) and `top_mva` (Sr; equal for IEC units)."""

    practice: str
    onan_mva: float
    top_mva: float
    typical_hv_kv: tuple[float, ...] = ()


@frozen
class TransformerLoss(CatalogRow):
    """Losses in percent of the base rating, linear between rows."""

    practice: str
    base_mva: float
    no_load_percent: float
    load_percent: float


@frozen
class TransformerImpedance(CatalogRow):
    """Impedance in percent on the base rating: by HV class (IEEE) or by MVA (IEC)."""

    practice: str
    hv_kv: float | None = None
    mva_min: float | None = None
    mva_max: float | None = None
    impedance_percent: float


@frozen
class VoltageClass(CatalogRow):
    """A transmission voltage class with its screening load."""

    practice: str
    kv: float
    max_kv: float
    amps_typ: float
    thermal_mva: float
    load_mw_typ_max: float


@frozen
class VoltageAlias(CatalogRow):
    """A nominal voltage that uses the equipment of another class."""

    kv: float
    use_kv: float


@frozen
class ShortCircuitDefault(CatalogRow):
    """Assumed grid fault level up to `kv_max`, for sites whose file gives none."""

    kv_max: float
    min_ka: float
    max_ka: float
    x_over_r: float


@frozen
class BreakerClass(CatalogRow):
    """Breaker or switchgear family: continuous currents and interrupting ratings up to `kv_max`."""

    practice: str
    level: str
    kv_max: float
    continuous_a: tuple[float, ...]
    interrupting_ka: tuple[float, ...]
    forced_cooled: bool = False


@frozen
class MvFeeder(CatalogRow):
    """Medium-voltage distribution voltage and the feeder used for planning."""

    practice: str
    kv: float
    feeder_a: float
    loading_limit_percent: float


@frozen
class UnitSubstation(CatalogRow):
    """MV/LV unit substation."""

    practice: str
    mva: float
    lv_v: float
    impedance_percent: float
    efficiency_percent: float
    no_load_percent: float = 0.1


@frozen
class MvCable(CatalogRow):
    """MV cable: resistance, reactance and charging a phase and km, conductor at 90 C."""

    practice: str
    kv: float
    r_ohm_per_km: float
    x_ohm_per_km: float
    mvar_per_km: float


@frozen
class Ups(CatalogRow):
    """Kind of UPS: where it stands (lv, mv, rack), planning efficiency and its curve over load."""

    position: str
    efficiency_percent: float
    curve_load_percent: tuple[float, ...] = ()
    curve_percent: tuple[float, ...] = ()
    autonomy_s: float


@frozen
class Genset(CatalogRow):
    """Standby set: rating and fuel at full load."""

    unit_mw: float
    fuel_l_per_mwh: float


@frozen
class Machine(CatalogRow):
    """What one kind of on-site unit gives a fault and follows of a step, in percent of its rating.

    full_ramp_minutes: from nothing to rated power. Without `subtransient_percent` it has no
    machine on the grid.
    """

    generation_types: tuple[str, ...]
    subtransient_percent: float | None = None
    inertia_s: float
    block_load_percent: float
    full_ramp_minutes: float


@frozen
class SubstationYard(CatalogRow):
    """Fenced yard of a substation: range of acres for so many MVA."""

    hv_kv: float
    transformers_mva: float
    ais_min_acres: float
    ais_max_acres: float
    gis_min_acres: float
    gis_max_acres: float


@frozen
class TddLimit(CatalogRow):
    """IEEE 519 current distortion limit: Isc/IL below `isc_il_max`, no bound in the last row."""

    kv_max: float
    isc_il_max: float | None
    tdd_percent: float


@frozen
class FlickerPoint(CatalogRow):
    """Relative voltage change (percent) for Pst 1 by square-wave frequency."""

    hz: float
    v230_percent: float
    v120_percent: float


@frozen
class SwingLimit(CatalogRow):
    """A published limit on fast changes of load. Empty `keys`: where no other row is found.

    quantity: ramp (MW/min), window (MW within `window_s`), band (MW peak to peak from `low_hz` to
    `high_hz`), oscillation (MW amplitude; the lesser of `limit` and `limit_percent` of the load),
    voltage (`limit_percent`). keys: words of a grid's operator or utility that it holds for.
    """

    who: str
    keys: tuple[str, ...] = ()
    quantity: str
    limit: float | None = None
    limit_percent: float | None = None
    window_s: float | None = None
    averaging_s: float | None = None
    low_hz: float | None = None
    high_hz: float | None = None
    applies_mw_min: float | None = None
    applies_kv_above: float | None = None
    status: str
    in_force: bool


@frozen
class InterconnectionRule(CatalogRow):
    """A rule for the connection of large loads: whom it holds for, and what it asks.

    topic: process, technical, ride-through, tariff, reliability or allocation. keys: words of a
    grid's operator or utility; countries, states: where, everywhere if empty. islanded: for sites
    without grid. The rule holds from `threshold_mw` (or `threshold_mva`) on, and between least_kv
    and most_kv. Neither keys nor countries: where no other process is found.
    """

    topic: str
    keys: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    islanded: bool = False
    threshold_mw: float | None = None
    threshold_mva: float | None = None
    least_kv: float | None = None
    most_kv: float | None = None
    least_computational_percent: float | None = None
    stages: tuple[str, ...] = ()
    least_months: float | None = None
    most_months: float | None = None
    study_fee: str = ""
    security: str = ""
    term_years: float | None = None
    minimum_take_percent: float | None = None
    power_factor_lag: float | None = None
    power_factor_lead: float | None = None
    recovery: str = ""
    curtailment: str = ""
    status: str
    in_force: bool


@frozen
class Cdu(CatalogRow):
    """Coolant distribution unit. Capacity, flow and head are separate limits."""

    vendor: str
    kind: str
    capacity_kw: float
    approach_k: float | None = None
    flow_max_l_per_min: float | None = None
    head_kpa: float | None = None
    electric_kw: float | None = None
    electric_kw_per_l_per_min: float | None = None
    width_m: float | None = None
    depth_m: float | None = None
    height_m: float | None = None
    weight_wet_kg: float | None = None
    flow_verified: bool = True
    automatic: bool = False
    redundancy: str = ""
    rating_point: str = ""


@frozen
class Coolant(CatalogRow):
    """Property fits: polynomials in T (C), highest power first; viscosity mPa.s = exp(poly)."""

    mass_fraction: float
    density_poly: tuple[float, ...]
    heat_capacity_poly: tuple[float, ...]
    ln_viscosity_poly: tuple[float, ...]
    min_temp_c: float
    max_temp_c: float
    freeze_temp_c: float | None = None


@frozen
class GlycolPoint(CatalogRow):
    """Propylene glycol volume percent that protects to `min_temp_c`."""

    min_temp_c: float
    pg_vol_percent: float


@frozen
class PipeSize(CatalogRow):
    """Standard steel pipe: nominal and inner diameter, and the planning limit of velocity."""

    dn: int
    inner_diameter_mm: float
    velocity_max_m_per_s: float


@frozen
class Climate(CatalogRow):
    """Design conditions and annual means of one station. Temperatures in C."""

    country: str = ""
    latitude: float
    longitude: float
    elevation_m: float
    db_0p4_c: float
    mcwb_0p4_c: float
    wb_0p4_c: float
    db_n20_c: float
    heating_99p6_c: float
    annual_mean_db_c: float | None = None
    annual_mean_wb_c: float | None = None
    annual_mean_dp_c: float | None = None
    hours_db_gt_25: float | None = None
    hours_db_gt_30: float | None = None
    hours_db_gt_35: float | None = None
    hours_wb_gt_18: float | None = None
    hours_wb_gt_22: float | None = None
    hours_wb_gt_26: float | None = None
    wmo_station: str = ""
    design_edition: str = ""
    design_period: str = ""
    verified_means: bool = True


@frozen
class DensityThreshold(CatalogRow):
    """Cooling method and the rack power up to which it is used."""

    density_class: str
    max_kw: float


@frozen
class CoolantQuality(CatalogRow):
    """A limit on what a loop holds, its filters or its leak protection.

    loop: tcs-water, tcs-pg25, tcs (either), fws or leak.
    """

    loop: str
    low: float | None = None
    high: float | None = None
    quantity_unit: str = ""


@frozen
class HeatRejectionFootprint(CatalogRow):
    """Ground (or roof) area of heat rejection with access and air spacing, per MW rejected.

    Costs are installed, per kW of unit capacity: for comparing types, not a budget.
    """

    footprint_m2_per_mw: float
    footprint_min_m2_per_mw: float
    footprint_max_m2_per_mw: float
    indoor: bool = False
    cost_usd_per_kw: float
    cost_min_usd_per_kw: float
    cost_max_usd_per_kw: float


@frozen
class CoordinateBox(CatalogRow):
    """A generous box around a territory, in degrees; `lon_min` above `lon_max` crosses 180."""

    lat_min: float
    lat_max: float
    lon_min: float
    lon_max: float

    def contains(self, latitude: float, longitude: float) -> bool:
        """Whether a point (degrees, longitude -180 to 180) is inside the box."""
        if not self.lat_min <= latitude <= self.lat_max:
            return False
        if self.lon_min <= self.lon_max:
            return self.lon_min <= longitude <= self.lon_max
        return longitude >= self.lon_min or longitude <= self.lon_max


@frozen
class Region(CoordinateBox):
    """Country: ISO codes, electrical practice, frequency and a coordinate box for checks."""

    iso2: str
    iso3: str
    frequency_hz: float
    practice: str


@frozen
class State(CoordinateBox):
    """State of a country, by its postal code, with a coordinate box for checks."""

    country: str
    code: str


@frozen
class UnitCost(CatalogRow):
    """One cost, price or rate with its planning range (about P10, P50, P90), in `unit`.

    Prices are of `year`, not escalated. `rack` names the racks that it prices.
    """

    unit: str
    year: int
    low: float | None = None
    typical: float
    high: float | None = None
    rack: tuple[str, ...] = ()


@frozen
class CountryConditions(CatalogRow):
    """What a first screen knows of a country. Classes run from 0 (low) to 4 (extreme)."""

    iso2: str
    grid_carbon_g_per_kwh: float | None = None
    price_usd_per_mwh: float | None = None
    price_low_usd_per_mwh: float | None = None
    price_high_usd_per_mwh: float | None = None
    price_year: int | None = None
    water_stress: int | None = None
    construction_usd_per_w: float | None = None
    construction_market: str = ""
    seismic: int | None = None
    storm: int | None = None
    infrastructure_percentile: float | None = None
    governance_percentile: float | None = None
    researchers_per_million: float | None = None
    export_tier: str = ""
    export_date: str = ""
    data_regime: str = ""
    grid_connection_years: float | None = None


@frozen
class StateConditions(CatalogRow):
    """What a first screen knows of a US state; the price is all-in, without a demand charge."""

    code: str
    market: str = ""
    census_division: str
    grid_carbon_g_per_kwh: float | None = None
    carbon_zone: str = ""
    price_usd_per_mwh: float | None = None
    price_year: int | None = None
    water_stress: int | None = None
    water_rights: str = ""
    sales_tax_exemption: str = ""
    large_load_tariff: str = ""
    policy_date: str = ""


@dataclass(frozen=True)
class Source:
    """One entry of SOURCES.yaml."""

    id: str
    title: str
    publisher: str = ""
    address: str = ""
    date_read: str = ""
    licence: str = ""
    notes: tuple[str, ...] = field(default=())
