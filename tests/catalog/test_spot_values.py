"""Figures copied by hand from the named documents, compared with the catalogue."""

from __future__ import annotations

import math

import pytest

from clusterplan import catalog

RACKS = [
    # DGX H100 user guide: 10.2 kW a system, four in a rack; one 400G port a GPU
    ("dgx-h100-x4", "nameplate_kw", 40.8),
    ("dgx-h100-x4", "scale_out_gbps", 400),
    ("dgx-h100-x4", "su_servers", 32),  # DGX SuperPOD reference architecture, H100
    # DGX B200 user guide: 14.3 kW a system
    ("dgx-b200-x4", "nameplate_kw", 57.2),
    ("dgx-b300-x4-ac", "su_servers", 72),  # DGX SuperPOD reference architecture, B300 XDR
    ("dgx-b300-x4-busbar", "su_planes", 2),  # two 400G planes, B300 Spectrum-X
    # HPE QuickSpecs: 132 kW = 115 kW liquid + 17 kW air; MGX: 130 L/min at most
    ("gb200-nvl72", "nameplate_kw", 132),
    ("gb200-nvl72", "liquid_heat_fraction", 0.87),
    ("gb200-nvl72", "flow_max_l_per_min", 130),
    ("gb200-nvl72", "su_servers", 144),  # 8 racks of 18 trays
    # NVIDIA NVL72 AI factory: up to 142 kW; Lenovo LP2357: 135 kW TDP, 155 kW peak, 90 % liquid
    ("gb300-nvl72", "nameplate_kw", 142),
    ("gb300-nvl72", "tdp_kw", 135),
    ("gb300-nvl72", "peak_kw", 155),
    ("gb300-nvl72", "liquid_heat_fraction", 0.9),
    ("gb300-nvl72", "flow_table_liquid_kw", 121.5),  # 0.90 x 135
    ("gb300-nvl72", "flow_table_coolant", "water"),
    ("gb300-nvl72", "return_temp_c", 54.9),
    ("gb300-nvl72", "weight_kg", 1580),  # Lenovo mechanical specifications
    ("vr-nvl72", "flow_table_liquid_kw", 220),  # 227 kW less 7 kW of air heat
    ("vr-nvl72", "flow_table_coolant", "pg25"),
    ("vr-nvl72", "scale_out_ports_per_accelerator", 2),
    ("tpu-v5p-cube", "nameplate_kw", None),
    ("tpu-v5p-cube", "estimate_kw", 40),
    ("cloudmatrix-384-compute", "coolant", "water"),
]


@pytest.mark.parametrize(("rack", "field", "expected"), RACKS)
def test_rack_figures(rack: str, field: str, expected: object) -> None:
    assert getattr(catalog.rack(rack), field) == expected


def test_gb300_flow_table_is_lenovo_lp2357_table_27() -> None:
    table = catalog.rack("gb300-nvl72").flow_table
    assert [(p.supply_temp_c, p.flow_l_per_min, p.pressure_drop_kpa) for p in table] == [
        (25, 59, 15.9),
        (30, 71, 22.1),
        (35, 89, 33.8),
        (40, 119, 58.6),
        (45, 177, 126.9),
    ]


def test_gb300_flow_table_closes_the_heat_balance() -> None:
    """All rows carry 121.5 kW of water with a return of 54.9 C, within 0.7 %."""
    row = catalog.rack("gb300-nvl72")
    assert row.return_temp_c is not None
    for point in row.flow_table:
        rise = row.return_temp_c - point.supply_temp_c
        mean = (row.return_temp_c + point.supply_temp_c) / 2
        heat_kw = point.flow_l_per_min / 60000 * _rho_cp("water", mean) * rise * 1000
        assert heat_kw == pytest.approx(121.5, rel=0.008)


def test_vr_flow_table_ends() -> None:
    table = catalog.rack("vr-nvl72").flow_table
    assert (table[0].flow_l_per_min, table[-1].flow_l_per_min) == (150, 320)


ACCELERATORS = [
    ("nvidia-h100-sxm", "fp8_tflops", 1979),  # dense; 3,958 is with sparsity
    ("nvidia-h100-sxm", "bf16_tflops", 989),
    ("nvidia-b200-sxm", "fp8_tflops", 4500),
    ("nvidia-gb300", "fp8_tflops", 5000),
    ("nvidia-vr200", "fp4_tflops", 35000),  # dense; 50,000 is inference
    ("amd-mi355x", "tdp_w", 1400),
    ("google-tpu-v7-ironwood", "bf16_tflops", 2307),
    ("nvidia-a100-sxm", "fp8_tflops", None),
]


@pytest.mark.parametrize(("accelerator", "field", "expected"), ACCELERATORS)
def test_accelerator_figures(accelerator: str, field: str, expected: float | None) -> None:
    assert getattr(catalog.accelerator(accelerator), field) == expected


def test_switch_figures() -> None:
    """NVIDIA hardware manuals: ports, splits, typical power with passive cables."""
    ndr = catalog.switch("qm9700")
    assert (ndr.ports, ndr.cages, ndr.gbps_per_port, ndr.planning_power_w) == (64, 32, 400, 747)
    xdr = catalog.switch("q3400-ra")
    assert (xdr.ports, xdr.cages, xdr.gbps_per_port, xdr.rack_units) == (144, 72, 800, 4)
    sn5600 = catalog.switch("sn5600")
    assert [(b.ports, b.gbps) for b in sn5600.breakouts] == [(128, 400), (256, 200), (256, 100)]
    assert catalog.switch("sn5610").planning_power_w == 900
    assert catalog.switch("q3450-ld").built_in_optics
    assert catalog.switch("nvl72-switch-tray").kind == "nvlink"


def test_optic_figures() -> None:
    twin = catalog.get("optics", "2xdr4-800-500m")  # NVIDIA MMS4X00-NM: 17 W, 500 m, two ports
    assert (twin.power_w, twin.reach_max_m, twin.twin) == (17, 500, True)
    assert catalog.get("optics", "dr4-400").power_w == 9  # MMS4X00-NS400
    assert catalog.get("optics", "2xdr4-1600").power_w == 25


def test_cdu_figures() -> None:
    """Vertiv SL-71309 and SL-70799; CoolIT page (12.24 kW at 1,500 L/min); OCP Deschutes 1.0."""
    xdu = catalog.cdu("xdu1350")
    assert (xdu.capacity_kw, xdu.approach_k, xdu.flow_max_l_per_min) == (1368, 4, 1200)
    assert (xdu.head_kpa, xdu.electric_kw, xdu.weight_wet_kg) == (250, 13.7, 1086)
    assert xdu.electric_kw_per_l_per_min == pytest.approx(13.7 / 1200, abs=1e-6)
    chx = catalog.cdu("chx2000")
    assert chx.electric_kw_per_l_per_min == pytest.approx(12.24 / 1500, abs=1e-6)
    deschutes = catalog.cdu("deschutes")
    assert (deschutes.capacity_kw, deschutes.approach_k, deschutes.head_kpa) == (2000, 3, 552)
    assert catalog.cdu("mcdu-60").approach_k == 13  # its 2.35 MW is no 4 K rating
    assert not catalog.cdu("coolchip-2300").flow_verified


# CoolProp 8.0.0 at 300 kPa: (coolant, C, kg/m3, J/kgK, mPa.s)
PROPERTIES = [
    ("pg25", 30, 1014.9, 3944.6, 1.7761),
    ("pg25", 50, 1004.38, 3992.4, 1.0726),
    ("water", 20, 998.3, 4183.4, 1.0015),
    ("water", 60, 983.28, 4184.5, 0.4661),
    ("pg30", 40, 1013.43, 3910.4, 1.5731),
    ("pg35", 20, 1028.17, 3785.7, 3.6067),
    ("pg40", 0, 1042.35, 3641.6, 11.8794),
    ("pg40", 50, 1013.34, 3802.5, 1.6229),
    ("pg50", 10, 1045.26, 3491.7, 10.5786),
]


@pytest.mark.parametrize(("coolant", "temp", "density", "heat", "viscosity"), PROPERTIES)
def test_coolant_fits(
    coolant: str, temp: float, density: float, heat: float, viscosity: float
) -> None:
    """0.1 % as the fits claim; 0.35 % for the heat capacity of water, one number for all T."""
    row = catalog.coolant(coolant)
    tight = 0.0035 if coolant == "water" else 0.001
    assert _polynomial(row.density_poly, temp) == pytest.approx(density, rel=0.001)
    assert _polynomial(row.heat_capacity_poly, temp) == pytest.approx(heat, rel=tight)
    assert math.exp(_polynomial(row.ln_viscosity_poly, temp)) == pytest.approx(viscosity, rel=0.001)


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


def _rho_cp(coolant: str, temp: float) -> float:
    """MJ/m3K."""
    row = catalog.coolant(coolant)
    return _polynomial(row.density_poly, temp) * _polynomial(row.heat_capacity_poly, temp) / 1e6


def test_electrical_figures() -> None:
    ratings = {row.id: row for row in catalog.transformer_ratings()}
    assert (ratings["ieee-90-150"].onan_mva, ratings["ieee-90-150"].top_mva) == (90, 150)
    impedances = {row.id: row.impedance_percent for row in catalog.transformer_impedances()}
    assert impedances["ieee-230"] == 10.0  # BIL 750 kV without LTC, IEEE C57.12.10
    assert impedances["iec-40-63"] == 11.0  # IEC 60076-5 table 1
    assert impedances["iec-100-1000"] == 14.0
    losses = {row.id: row for row in catalog.transformer_losses()}
    # pandapower standard type "25 MVA 110/20 kV": 14 kW no-load, 0.41 % load
    assert losses["iec-25"].no_load_percent == pytest.approx(0.056)
    assert losses["iec-25"].load_percent == 0.41


def test_tdd_limits_are_ieee_519() -> None:
    """Tables 2 to 4 of IEEE 519-2014."""
    limits = [(row.kv_max, row.isc_il_max, row.tdd_percent) for row in catalog.tdd_limits()]
    assert limits == [
        (69, 20, 5.0),
        (69, 50, 8.0),
        (69, 100, 12.0),
        (69, 1000, 15.0),
        (69, None, 20.0),
        (161, 20, 2.5),
        (161, 50, 4.0),
        (161, 100, 6.0),
        (161, 1000, 7.5),
        (161, None, 10.0),
        (1000, 25, 1.5),
        (1000, 50, 2.5),
        (1000, None, 3.75),
    ]


def test_flicker_curve() -> None:
    """IEC 61000-4-15 ed. 2 table 5: 39 and 110 changes a minute, d for Pst 1, 230 V lamp.

    Two changes a cycle, so 19.5 and 55 cycles a minute; the curve returns them within 1 %
    (log-log between its points, 1.5 % allowed for that).
    """
    points = catalog.flicker_points()
    for per_min, v230, v120 in ((39, 0.894, 1.040), (110, 0.722, 0.844)):
        hz = per_min / 2 / 60
        low, high = next(
            (a, b) for a, b in zip(points, points[1:], strict=False) if a.hz <= hz <= b.hz
        )
        share = math.log(hz / low.hz) / math.log(high.hz / low.hz)
        for expected, below, above in (
            (v230, low.v230_percent, high.v230_percent),
            (v120, low.v120_percent, high.v120_percent),
        ):
            found = math.exp(math.log(below) + share * math.log(above / below))
            assert found == pytest.approx(expected, rel=0.015)


def test_climate_figures() -> None:
    """ASHRAE 2013 design conditions; TMY3 means."""
    abilene = catalog.climate("abilene-tx")
    assert (abilene.elevation_m, abilene.db_0p4_c, abilene.mcwb_0p4_c) == (530, 37.4, 21.5)
    assert (abilene.wb_0p4_c, abilene.db_n20_c, abilene.heating_99p6_c) == (24.2, 42.7, -6.6)
    assert (abilene.annual_mean_db_c, abilene.annual_mean_wb_c) == (17.1, 11.8)
    assert catalog.climate("singapore").wb_0p4_c == 27.7
    assert catalog.climate("sao-paulo").country == "BR"
    assert not catalog.climate("oslo").verified_means


def test_glycol_and_pipe_figures() -> None:
    protection = {row.min_temp_c: row.pg_vol_percent for row in catalog.glycol_protection()}
    assert protection[-18] == 36  # Liebert XD manual table 51
    pipes = {row.dn: row for row in catalog.pipes()}
    # steel pipe schedule 40 and standard wall, ASME B36.10
    assert pipes[100].inner_diameter_mm == 102.3
    assert pipes[600].inner_diameter_mm == 574.6
    assert (pipes[50].velocity_max_m_per_s, pipes[150].velocity_max_m_per_s) == (1.5, 2.4)
    assert pipes[200].velocity_max_m_per_s == 3.0


REGIONS = [
    ("US", "USA", "ieee", 60),
    ("CA", "CAN", "ieee", 60),
    ("MX", "MEX", "ieee", 60),
    ("BR", "BRA", "iec", 60),
    ("KR", "KOR", "iec", 60),
    ("SA", "SAU", "iec", 60),
    ("TW", "TWN", "iec", 60),
    ("PH", "PHL", "iec", 60),
    ("NO", "NOR", "iec", 50),
    ("DE", "DEU", "iec", 50),
    ("IN", "IND", "iec", 50),
    ("SG", "SGP", "iec", 50),
]


@pytest.mark.parametrize(("iso2", "iso3", "practice", "frequency"), REGIONS)
def test_regions(iso2: str, iso3: str, practice: str, frequency: float) -> None:
    row = catalog.region(iso2)
    assert catalog.region(iso3.lower()) is row
    assert (row.iso3, row.practice, row.frequency_hz) == (iso3, practice, frequency)


# capitals and corners, from an atlas
PLACES = [
    ("US", 61.2, -149.9),  # Anchorage
    ("US", 52.8, 173.2),  # Attu, across the 180th meridian
    ("US", 21.3, -157.9),  # Honolulu
    ("NZ", -36.8, 174.8),  # Auckland
    ("NZ", -43.9, -176.5),  # Chatham Islands
    ("FJ", -16.8, -180.0),
    ("RU", 64.7, 177.5),  # Anadyr
    ("RU", 66.2, -169.8),  # Uelen
    ("NO", 68.4, 17.4),  # Narvik
    ("AE", 24.4, 54.6),
    ("UA", 45.0, 34.1),
    ("FR", 41.9, 8.7),  # Ajaccio
]


@pytest.mark.parametrize(("country", "latitude", "longitude"), PLACES)
def test_places_are_inside(country: str, latitude: float, longitude: float) -> None:
    assert catalog.region(country).contains(latitude, longitude)


@pytest.mark.parametrize(
    ("country", "latitude", "longitude"),
    [("US", 32.4, 99.7), ("NO", 17.4, 68.4), ("SG", 1.3, -103.8), ("US", 0.0, 0.0)],
)
def test_swapped_or_mistyped_places_are_outside(
    country: str, latitude: float, longitude: float
) -> None:
    assert not catalog.region(country).contains(latitude, longitude)
