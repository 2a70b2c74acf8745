"""Parts of the cooling section: what stands in the loops, room air, ride-through, heat to reuse."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

_TYPICAL = "typical"


@frozen
class LoopDetail:
    """Pipes, content, expansion, pumps; limits of coolants, filters and leak protection."""

    rack_pipe_dn: int = figure("Branch of a rack, DN", formula="given", detail=True)
    tcs_main_dn: int = figure("TCS main of a group, DN", formula="given", detail=True)
    tcs_main_pairs: int = figure("TCS mains of a group, pairs", formula="given", detail=True)
    tcs_main_velocity_m_per_s: float = figure(
        "TCS main, velocity", formula="pipe_velocity_m_per_s", detail=True
    )
    tcs_main_friction_pa_per_m: float = figure(
        "TCS main, friction", formula="pipe_friction_pa_per_m", detail=True
    )
    tcs_content_m3: float = figure("TCS content", digits=1, detail=True)
    tcs_expansion_m3: float = figure(
        "TCS expansion", formula="loop_expansion_m3", digits=2, detail=True
    )
    tcs_vessel_m3: float = figure(
        "TCS expansion vessels", formula="expansion_vessel_m3", digits=1, detail=True
    )
    fws_mains_content_m3: float = figure("Content of the FWS mains", digits=0, detail=True)
    fws_expansion_m3: float = figure(
        "FWS expansion", formula="loop_expansion_m3", digits=2, detail=True
    )
    fws_vessel_m3: float = figure(
        "FWS expansion vessels", formula="expansion_vessel_m3", digits=1, detail=True
    )
    fws_glycol_m3: float = figure(
        "Glycol in the FWS mains", formula="glycol_m3", digits=1, detail=True
    )
    fws_pumps: int = figure("FWS pumps installed", formula="fws_pumps.installed_pumps", detail=True)
    fws_pumps_redundant: int = figure(
        "of them redundant", formula="fws_pumps.spare_pumps", detail=True
    )
    fws_pump_each_kw: float = figure("Power of one FWS pump", detail=True)
    fws_head_kpa: float = figure("FWS head, for water", formula="given", detail=True)
    fws_mains_drop_kpa: float = figure("of it the mains", detail=True)
    quality: tuple[str, ...] = figure("Limits", formula="given", detail=True, default=())


@frozen
class AirSide:
    """Room air in units, and the hours in which its chillers rest."""

    rear_doors: int = figure("Rear doors", formula="given", detail=True)
    rear_door_kw: float | None = figure("Heat of one door", detail=True, optional=True)
    wall_heat_mw: float = figure("Heat to fan walls", detail=True)
    fan_walls: int = figure("Fan walls installed", formula="fan_walls.installed_walls", detail=True)
    fan_walls_redundant: int = figure(
        "of them redundant", formula="fan_walls.spare_walls", detail=True
    )
    free_hours_h: float | None = figure(
        "Hours on free cooling alone",
        basis=_TYPICAL,
        formula="economiser_hours.free_h",
        digits=0,
        detail=True,
        optional=True,
    )
    partial_hours_h: float | None = figure(
        "Hours on both",
        basis=_TYPICAL,
        formula="economiser_hours.partial_h",
        digits=0,
        detail=True,
        optional=True,
    )
    chiller_hours_h: float | None = figure(
        "Hours on chillers alone",
        basis=_TYPICAL,
        formula="economiser_hours.chiller_h",
        digits=0,
        detail=True,
        optional=True,
    )
    economiser: str = figure("Economiser", formula="given", detail=True, default="")


@frozen
class RideThrough:
    """Thermal inertia against the starts of generators, pumps and chillers."""

    start_time_s: float = figure("Until the plant cools again", formula="given", detail=True)
    fws_gap_s: float = figure("of it without FWS flow", detail=True)
    tcs_warming_k_per_s: float = figure("TCS warming without FWS", digits=2, detail=True)
    tcs_allowed_rise_k: float = figure("Rise that the racks allow", detail=True)
    tcs_holds_s: float = figure("Time that the TCS holds", digits=0, detail=True)
    volume_m3: float = figure(
        "Cold water for the whole time", formula="ride_through_m3", digits=0, detail=True
    )
    usable_content_m3: float = figure("of it in the FWS mains", digits=0, detail=True)
    buffer_m3: float = figure("Buffer tank, FWS pumps running", digits=0, detail=True)
    ups_pump_mw: float = figure("FWS pumps to put on the UPS", formula="fws_pump_mw", detail=True)
    verdict: str = figure("Verdict", formula="given", detail=True, default="")


@frozen
class HeatReuse:
    """Heat that could be exported, were all of it taken all year."""

    reuse_heat_mw: float = figure("Heat to give away", basis=_TYPICAL, formula="given", detail=True)
    reuse_supply_temp_c: float = figure("at", digits=1, detail=True)
    reuse_return_temp_c: float = figure("Coldest return of the network", digits=1, detail=True)
    reuse_energy_gwh: float = figure("Heat a year", basis="most", digits=0, detail=True)
    energy_reuse_factor: float | None = figure(
        "Energy reuse factor", basis="most", digits=2, detail=True, optional=True
    )
    demand_temp_c: float = figure("Network asks for", formula="given", detail=True)
    heat_pump_cop: float | None = figure("COP of a heat pump", digits=1, detail=True, optional=True)
    heat_pump_mw: float | None = figure("Heat pump power", detail=True, optional=True)
    delivered_heat_mw: float | None = figure("Heat delivered", detail=True, optional=True)
    verdict: str = figure("Verdict", formula="given", detail=True, default="")
