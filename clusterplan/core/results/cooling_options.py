"""Cooling plants side by side: types of heat rejection, CDUs, supply temperatures."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

_TYPICAL = "typical"


@frozen
class HeatRejectionOption:
    """The whole cooling with one type of heat rejection.

    mode: free (no chillers on the FWS loop), trimmed (they help in the worst hours), infeasible
    (what the machines reach is no colder than the FWS return in the worst hour), chillers (a
    chiller plant), no water. Cost is a proxy for comparing types.
    """

    heat_rejection: str
    mode: str
    shortfall_k: float | None = figure(
        "Short by", formula="option_shortfall_k", digits=1, optional=True, default=None
    )
    trim_mw: float | None = figure(
        "Heat on chillers", formula="trim_heat_mw", optional=True, default=None
    )
    trim_hours_h: float | None = figure(
        "Hours on chillers", formula="year_sums.trim_hours_h", digits=0, optional=True, default=None
    )
    units: int | None = figure(
        "Units", formula="heat_rejection_units.installed", optional=True, default=None
    )
    units_redundant: int | None = figure(
        "Redundant",
        formula="heat_rejection_units.redundant",
        detail=True,
        optional=True,
        default=None,
    )
    cooling_power_peak_mw: float | None = figure("Peak power", optional=True, default=None)
    pue_peak: float | None = figure("PUE, peak", digits=3, optional=True, default=None)
    pue_annual: float | None = figure("PUE, annual", digits=3, optional=True, default=None)
    cooling_energy_gwh: float | None = figure(
        "Energy a year", digits=1, optional=True, default=None
    )
    water_m3_per_year: float | None = figure(
        "Water", formula="year_sums.water_m3", digits=0, optional=True, default=None
    )
    water_peak_l_per_s: float | None = figure("Peak water", optional=True, default=None)
    footprint_m2: float | None = figure(
        "Ground", formula="option_footprint_m2", digits=0, optional=True, default=None
    )
    capex_musd: float | None = figure(
        "Cost, proxy", formula="option_capex_musd", digits=1, optional=True, default=None
    )
    fws_coolant: str = ""


@frozen
class HeatRejectionVerdict:
    """In words: how far a type reaches, and what would work where it falls short."""

    heat_rejection: str
    verdict: str


@frozen
class CduOption:
    """One CDU of the catalogue on the same racks; limit: heat, flow or approach, what binds."""

    cdu: str
    limit: str = ""
    cdus: int | None = figure("Units", optional=True, default=None)
    cdus_redundant: int | None = figure("Redundant", optional=True, default=None)
    cdu_groups: int | None = figure("Groups", optional=True, default=None)
    unit_flow_l_per_min: float | None = figure("Flow of one", digits=0, optional=True, default=None)
    cdu_approach_k: float | None = figure("Approach", digits=1, optional=True, default=None)
    fws_rise_k: float | None = figure(
        "FWS rise",
        formula="given",
        digits=1,
        optional=True,
        default=None,
    )
    cdu_pump_kw: float | None = figure("Pump power", optional=True, default=None)
    automatic: bool = False
    note: str = ""


@frozen
class CduOptions:
    """CDUs of the catalogue on the same racks; those that cannot serve, with the reason."""

    planned: str
    rows: tuple[CduOption, ...]
    cannot_serve: tuple[str, ...] = ()
    rating_incomplete: str = ""


@frozen
class SupplyPoint:
    """The whole cooling at one TCS supply temperature; note says why there is none."""

    tcs_supply_temp_c: float = figure("TCS supply", formula="given", digits=1)
    heat_rejection: str = ""
    fws_supply_temp_c: float | None = figure(
        "FWS supply", formula="fws_supply_temp_c|given", digits=1, optional=True, default=None
    )
    rack_flow_l_per_min: float | None = figure(
        "Flow of a rack", digits=0, optional=True, default=None
    )
    cdus: int | None = figure("CDUs", optional=True, default=None)
    pump_mw: float | None = figure("Pumps", formula="sweep_pump_mw", optional=True, default=None)
    trim_mw: float | None = figure(
        "Heat on chillers", formula="trim_heat_mw", optional=True, default=None
    )
    trim_hours_h: float | None = figure(
        "Hours on chillers", formula="year_sums.trim_hours_h", digits=0, optional=True, default=None
    )
    pue_peak: float | None = figure("PUE, peak", digits=3, optional=True, default=None)
    pue_annual: float | None = figure("PUE, annual", digits=3, optional=True, default=None)
    wue_l_per_kwh: float | None = figure(
        "WUE", basis=_TYPICAL, digits=3, optional=True, default=None
    )
    water_m3_per_year: float | None = figure(
        "Water", formula="year_sums.water_m3", digits=0, optional=True, default=None
    )
    racks_hosted: int | None = figure(
        "Racks hosted", formula="racks_hosted", optional=True, default=None
    )
    accelerators_hosted: int | None = figure(
        "Accelerators hosted", formula="accelerators_hosted", optional=True, default=None
    )
    it_hosted_mw: float | None = figure(
        "IT hosted", formula="it_hosted_mw", optional=True, default=None
    )
    note: str = ""


@frozen
class SupplySweep:
    """Points of a sweep, all on the facility power of the plan at its own supply."""

    facility_power_mw: float = figure("Facility power to share", formula="sweep_facility_mw")
    reference_supply_c: float = figure("TCS supply of the plan", formula="given", digits=1)
    best: str = ""
    points: tuple[SupplyPoint, ...] = ()
