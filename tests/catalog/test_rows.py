"""Every row of the catalogue: source, flag, ranges, references, units."""

from __future__ import annotations

import csv
import dataclasses
import re
import unicodedata
from typing import TYPE_CHECKING

import pytest

from clusterplan import catalog
from clusterplan.core.shown_units import unit_of

if TYPE_CHECKING:
    from clusterplan.core.equipment import CatalogRow, CoordinateBox

ALL = [(kind, row) for kind in catalog.KINDS for row in catalog.rows(kind)]
IDS = [f"{kind}/{row.id}" for kind, row in ALL]

# Numeric fields that are counts, ratios or coefficients and so carry no unit.
UNITLESS = set(
    """year scale_up_domain_size servers_per_rack accelerators_per_server liquid_heat_fraction
    height_u scale_out_ports_per_accelerator storage_ports_per_server oob_ports_per_server
    scale_up_dimensions
    su_servers su_planes ports cages rack_units x_over_r mass_fraction dn isc_il_max
    power_factor_lag power_factor_lead
    latitude longitude density_poly heat_capacity_poly ln_viscosity_poly price_year water_stress
    seismic storm infrastructure_percentile governance_percentile
    researchers_per_million training sustainability sovereign share""".split()
)
# Unit named inside (joule, ampere, MW), or by the quantity of the row.
NAMED = {
    *("storage_joule_per_accelerator", "amps_typ", "load_mw_typ_max", "limit"),
    *("low", "typical", "high", "worst", "best"),
}
# Counted in hours above a threshold that stands in the name.
HOURS = re.compile(r"hours_(db|wb)_gt_\d+")


@pytest.mark.parametrize(("kind", "row"), ALL, ids=IDS)
def test_every_row_has_provenance(kind: str, row: CatalogRow) -> None:
    assert re.fullmatch(r"[a-z0-9][a-z0-9_.-]*", row.id), row.id
    assert row.name
    assert row.verified in ("true", "partial", "secondary", "false")
    assert catalog.sources_of(row.source), "a row without a source"
    known = {f.name for f in dataclasses.fields(row)}
    for name in (*row.unverified_fields, *row.secondary_fields):
        assert name in known
        assert getattr(row, name) not in (None, "", ())
    assert not set(row.unverified_fields) & set(row.secondary_fields)
    if row.verified == "partial":
        assert row.unverified_fields or row.secondary_fields


@pytest.mark.parametrize("kind", catalog.KINDS.values(), ids=lambda kind: kind.name)
def test_numeric_fields_carry_a_known_unit(kind: catalog.Kind) -> None:
    for item in dataclasses.fields(kind.row_class):
        numeric = re.search(r"\b(float|int)\b", str(item.type))
        if numeric and item.name not in UNITLESS | NAMED and not HOURS.fullmatch(item.name):
            assert unit_of(f"_{item.name}"), item.name  # a field may be the unit alone: `kv`


def test_units_of_names_that_could_mislead() -> None:
    assert unit_of("electric_kw_per_l_per_min") == "kW per L/min"
    assert unit_of("flow_max_l_per_min") == "L/min"
    assert unit_of("lat_min") == "°"  # no minutes
    assert unit_of("mva_min") == "MVA"


@pytest.mark.parametrize("kind", catalog.KINDS.values(), ids=lambda kind: kind.name)
def test_short_list_columns_are_fields(kind: catalog.Kind) -> None:
    assert set(kind.columns) <= {f.name for f in dataclasses.fields(kind.row_class)}


def test_every_file_belongs_to_a_kind() -> None:
    known = {kind.file for kind in catalog.KINDS.values()}
    known |= {"rack_flow.csv", "design_fields.csv", "comparison_fields.csv"}
    assert {path.name for path in catalog.data_dir().glob("*.csv")} == known


def test_files_are_plain_csv() -> None:
    for path in catalog.data_dir().glob("*.csv"):
        text = path.read_bytes()
        assert text.endswith(b"\n")
        assert b"\r" not in text, path
        for line in csv.reader(text.decode("utf-8").splitlines()):
            assert all(cell == cell.strip() for cell in line), (path, line)


def test_references_resolve() -> None:
    for row in catalog.racks():
        assert catalog.accelerator(row.accelerator)
        if row.su_switch:
            assert catalog.switch(row.su_switch).role == "compute"
        if row.coolant != "none":
            assert catalog.coolant(row.coolant)
        if row.flow_table_coolant:
            assert catalog.coolant(row.flow_table_coolant)
    for row in catalog.climates():
        assert catalog.region(row.country)
    for alias in catalog.voltage_aliases():
        assert alias.use_kv in {row.kv for row in catalog.voltage_classes()}
    for state in catalog.us_states():
        assert state.country == "US"


def test_racks_are_consistent() -> None:
    for row in catalog.racks():
        assert row.nameplate_kw or row.estimate_kw, row.id
        assert row.coolant in ("none", "pg25", "water")
        power = row.nameplate_kw or row.estimate_kw or 0.0
        assert 10 <= power <= 700
        if row.typical_kw:
            assert 0.6 * power < row.typical_kw <= power
        if row.peak_kw:
            assert row.peak_kw >= power
        if row.idle_kw and row.typical_kw:
            assert row.idle_kw < row.typical_kw
        if row.liquid_heat_fraction is not None:
            assert 0 <= row.liquid_heat_fraction <= 1
            assert (row.liquid_heat_fraction > 0) == (row.coolant != "none")
        if row.supply_temp_min_c is not None and row.supply_temp_max_c is not None:
            assert row.supply_temp_min_c < row.supply_temp_max_c <= 60
        if row.su_servers:
            assert row.su_servers % row.servers_per_rack == 0
        if row.flow_table:
            flows = [point.flow_l_per_min for point in row.flow_table]
            temps = [point.supply_temp_c for point in row.flow_table]
            assert flows == sorted(flows)
            assert temps == sorted(temps)
            assert row.flow_table_liquid_kw is not None
            assert row.flow_table_coolant


def test_no_derived_power_is_called_verified() -> None:
    for row in catalog.racks():
        for name in ("typical_kw", "idle_kw", "estimate_kw"):
            if getattr(row, name) is not None:
                assert row.verified_of(name) == "false", (row.id, name)


def test_accelerators_are_dense_and_sane() -> None:
    for row in catalog.accelerators():
        rates = (row.bf16_tflops, row.fp8_tflops, row.fp4_tflops)
        known = [rate for rate in rates if rate is not None]
        assert known == sorted(known), row.id  # fewer bits are never slower
        assert row.memory_gb is not None
        assert 32 <= row.memory_gb <= 1024
        assert row.tdp_w is None or 300 <= row.tdp_w <= 4000


def test_switches_are_consistent() -> None:
    for row in catalog.switches():
        assert row.kind in ("infiniband", "ethernet", "nvlink")
        assert row.cooling in ("air", "liquid")
        for split in row.breakouts:
            assert row.ports is not None
            assert row.gbps_per_port is not None
            assert split.gbps < row.gbps_per_port
            assert split.ports * split.gbps <= row.ports * row.gbps_per_port
        if row.planning_power_w and row.ports and row.gbps_per_port and row.role == "compute":
            watts_per_tbps = row.planning_power_w / (row.ports * row.gbps_per_port / 1000)
            assert 8 <= watts_per_tbps <= 55, row.id


def test_no_planned_switch_power_is_called_verified() -> None:
    for row in catalog.switches():
        if row.planning_power_w is not None:
            assert row.verified_of("planning_power_w") in ("secondary", "false"), row.id


def test_automatic_cdus_can_be_sized() -> None:
    chosen = catalog.cdus(automatic=True)
    assert [row.id for row in chosen] == [
        "xdu1350",
        "xdu1350-3p",
        "chx2000",
        "deschutes",
        "mcdu-70",
    ]
    for row in chosen:
        assert row.kind == "in-row L2L"
        assert row.flow_verified
        assert row.approach_k
        assert row.flow_max_l_per_min
        assert row.head_kpa


def test_coolants_have_uniform_polynomials_and_physical_values() -> None:
    for row in catalog.coolants():
        middle = (row.min_temp_c + row.max_temp_c) / 2
        assert 950 < _polynomial(row.density_poly, middle) < 1060
        assert 3400 < _polynomial(row.heat_capacity_poly, middle) < 4250
        assert row.freeze_temp_c is not None
        assert row.freeze_temp_c < row.max_temp_c
    series = catalog.coolants(glycol=True)
    assert [row.mass_fraction for row in series] == [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
    freeze = [row.freeze_temp_c for row in series]
    assert freeze == sorted(freeze, reverse=True)


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


def test_tables_are_in_order() -> None:
    """Consumers look up the first row that is large enough."""
    for practice in ("ieee", "iec"):
        assert _rises([row.top_mva for row in catalog.transformer_ratings(practice)])
        assert _rises([row.base_mva for row in catalog.transformer_losses(practice)])
        assert _rises([row.kv for row in catalog.voltage_classes(practice)])
        assert _rises([r.kv for r in catalog.rows("mv-feeders") if r.practice == practice])
        assert _rises([row.mva for row in catalog.unit_substations(practice)])
        assert [row.kv_max for row in catalog.breakers(practice, "mv")] == sorted(
            row.kv_max for row in catalog.breakers(practice, "mv")
        )
    assert _rises([row.kv_max for row in catalog.short_circuit_defaults()])
    assert _rises([row.dn for row in catalog.pipes()])
    assert _rises([row.hz for row in catalog.flicker_points()])
    assert _rises([-row.min_temp_c for row in catalog.glycol_protection()])
    assert [row.hv_kv for row in catalog.substation_yards()] == sorted(
        row.hv_kv for row in catalog.substation_yards()
    )
    for kv in (69, 161, 1000):
        limits = [row for row in catalog.tdd_limits() if row.kv_max == kv]
        assert _rises([row.tdd_percent for row in limits])
        assert _rises([row.isc_il_max or float("inf") for row in limits])
        assert limits[-1].isc_il_max is None


def _rises(values: list[float]) -> bool:
    return bool(values) and all(a < b for a, b in zip(values, values[1:], strict=False))


def test_iec_impedances_leave_no_gap() -> None:
    table = catalog.transformer_impedances("iec")
    assert [row.mva_min for row in table[1:]] == [row.mva_max for row in table[:-1]]


def test_transformer_stages_keep_the_ratio() -> None:
    """ONAN/ONAF1/ONAF2 are 60/80/100 % (IEEE C57.12.10): top stage 1.667 ONAN, as rounded."""
    for row in catalog.transformer_ratings("ieee"):
        assert row.top_mva / row.onan_mva == pytest.approx(5 / 3, rel=2e-3)
    for row in catalog.transformer_ratings("iec"):
        assert row.top_mva == row.onan_mva


def test_climate_slugs_follow_their_names() -> None:
    """design.md section 6: lower case, accents dropped, other characters one hyphen."""
    for row in catalog.climates():
        plain = unicodedata.normalize("NFKD", row.name).encode("ascii", "ignore").decode()
        assert row.id == re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def test_climates_are_physical() -> None:
    assert len(catalog.climates()) >= 54
    for row in catalog.climates():
        assert row.mcwb_0p4_c <= row.wb_0p4_c <= row.db_0p4_c < row.db_n20_c
        assert row.heating_99p6_c < row.db_0p4_c
        means = (row.annual_mean_dp_c, row.annual_mean_wb_c, row.annual_mean_db_c)
        if all(mean is not None for mean in means):
            assert list(means) == sorted(means)
        hours = (row.hours_db_gt_25, row.hours_db_gt_30, row.hours_db_gt_35)
        if all(hour is not None for hour in hours):
            assert list(hours) == sorted(hours, reverse=True)
        assert catalog.region(row.country).contains(row.latitude, row.longitude)
        if not row.verified_means:
            assert row.verified_of("annual_mean_db_c") == "false"


def test_us_climates_lie_in_the_state_of_their_name() -> None:
    for row in catalog.climates():
        if row.country == "US":
            state = catalog.get("us-states", row.name[-2:].lower())
            assert state.contains(row.latitude, row.longitude), row.name


def test_regions_are_all_of_iso_3166() -> None:
    """ISO 3166-1 has 249 officially assigned codes."""
    regions = catalog.regions()
    assert len(regions) == 249
    assert len({row.iso2 for row in regions}) == 249
    assert len({row.iso3 for row in regions}) == 249
    for row in regions:
        assert re.fullmatch(r"[A-Z]{2}", row.iso2)
        assert re.fullmatch(r"[A-Z]{3}", row.iso3)
        assert row.id == row.iso2.lower()
        assert row.frequency_hz in (50, 60)
        assert row.practice in ("ieee", "iec")
        _check_box(row)


def test_states_are_fifty_and_the_district() -> None:
    assert len(catalog.us_states()) == 51
    for row in catalog.us_states():
        assert row.id == row.code.lower()
        _check_box(row)


def _check_box(row: CoordinateBox) -> None:
    assert -90 <= row.lat_min < row.lat_max <= 90
    assert -180 <= row.lon_min <= 180
    assert -180 <= row.lon_max <= 180


def test_one_footprint_for_each_heat_rejection() -> None:
    assert [row.id for row in catalog.heat_rejection_footprints()] == [
        "dry-cooler",
        "adiabatic-cooler",
        "open-cooling-tower",
        "closed-cooling-tower",
        "air-cooled-chiller",
        "water-cooled-chiller",
        "hybrid-tower",
        "once-through",
    ]
    for row in catalog.heat_rejection_footprints():
        assert row.footprint_min_m2_per_mw <= row.footprint_m2_per_mw <= row.footprint_max_m2_per_mw
        assert row.cost_min_usd_per_kw <= row.cost_usd_per_kw <= row.cost_max_usd_per_kw


def test_density_classes_are_the_known_ones() -> None:
    known = {"air", "rear-door", "direct-to-chip", "all-liquid", "immersion"}
    assert {row.density_class for row in catalog.density_thresholds()} == known
