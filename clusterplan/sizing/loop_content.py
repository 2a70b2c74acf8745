"""What stands in the liquid loops: content, expansion, vessels, glycol, pumps, straight mains."""

from __future__ import annotations

import math
from typing import NamedTuple

from clusterplan.core.record import formula

_STEP_6 = "clusterplan method, cooling step 6"


class PumpCount(NamedTuple):
    """Pumps of all plant blocks: installed, and the spares among them."""

    installed_pumps: int
    spare_pumps: int


@formula(
    title="Content of the TCS loops",
    equation="content_m3_per_mw * liquid_heat_mw",
    unit="m³",
    source="clusterplan method, cooling step 18: 0.4 to 1.2 m³/MW, engineering practice",
)
def tcs_content_m3(content_m3_per_mw: float, liquid_heat_mw: float) -> float:
    """Coolant in racks, manifolds, mains and CDUs."""
    return content_m3_per_mw * liquid_heat_mw


@formula(
    title="Content of the FWS mains",
    equation="blocks * pairs * 2 * length_m * pi / 4 * (inner_diameter_mm / 1000)**2",
    unit="m³",
    source="geometry: supply and return of every plant block",
)
def fws_mains_content_m3(
    blocks: int, pairs: int, length_m: float, inner_diameter_mm: float
) -> float:
    """Water in the FWS mains; `length_m` is one way, plant to hall."""
    return blocks * pairs * 2 * length_m * math.pi / 4 * (inner_diameter_mm / 1000) ** 2


@formula(
    title="Expansion of a loop",
    equation="content_m3 * (density_cold_kg_per_m3 / density_hot_kg_per_m3 - 1)",
    unit="m³",
    source="ratio of specific volumes, filled cold and all of it at the return temperature; the "
    "pipes' own expansion is not credited",
)
def loop_expansion_m3(
    content_m3: float, density_cold_kg_per_m3: float, density_hot_kg_per_m3: float
) -> float:
    """Volume that a vessel has to accept."""
    return content_m3 * (density_cold_kg_per_m3 / density_hot_kg_per_m3 - 1)


@formula(
    title="Expansion vessels",
    equation="expansion_m3 / (1 - (fill_kpa + atmosphere_kpa) / (relief_kpa + atmosphere_kpa))",
    unit="m³",
    source="diaphragm vessel, ASHRAE HVAC Systems and Equipment (hydronic systems), absolute "
    "pressures",
)
def expansion_vessel_m3(
    expansion_m3: float, fill_kpa: float, relief_kpa: float, atmosphere_kpa: float
) -> float:
    """Total vessel volume; pressures are gauge but the atmosphere's. relief above fill."""
    cold, hot = fill_kpa + atmosphere_kpa, relief_kpa + atmosphere_kpa
    return expansion_m3 / (1 - cold / hot)


@formula(
    title="Glycol in a loop",
    equation="content_m3 * pg_vol_percent / 100",
    unit="m³",
    source="definition of percent by volume",
)
def glycol_m3(content_m3: float, pg_vol_percent: float) -> float:
    """Pure propylene glycol of the first fill."""
    return content_m3 * pg_vol_percent / 100


@formula(
    title="FWS pumps",
    equation="installed = blocks * (duty + spare); spares = blocks * spare",
    unit="",
    source=f"{_STEP_6}: pumps are sized per plant block, N+1",
    plain=False,
)
def fws_pumps(blocks: int, duty: int, spare: int) -> PumpCount:
    """Pumps of all blocks."""
    return PumpCount(blocks * (duty + spare), blocks * spare)


@formula(
    title="Power of one FWS pump",
    equation="fws_pump_kw / (blocks * duty)",
    unit="kW",
    source=f"{_STEP_6}: duty pumps share the flow",
)
def fws_pump_each_kw(fws_pump_kw: float, blocks: int, duty: int) -> float:
    """Electric power of a duty pump at design flow."""
    return fws_pump_kw / (blocks * duty)


@formula(
    title="Pressure drop of the FWS mains",
    equation="2 * length_m * friction_pa_per_m * fittings_factor / 1000",
    unit="kPa",
    source="Darcy-Weisbach over supply and return; fittings as a factor on straight pipe",
)
def fws_mains_drop_kpa(length_m: float, friction_pa_per_m: float, fittings_factor: float) -> float:
    """Part of the FWS head that the mains take."""
    return 2 * length_m * friction_pa_per_m * fittings_factor / 1000
