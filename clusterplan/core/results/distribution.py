"""Distribution behind the MV buses: feeders, blocks and their redundancy, standby supply."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen

_LOADING = "block_loading_percent"


@frozen
class PowerBlocks:
    """Equal blocks of one stage: unit substations, rectifiers or UPS."""

    blocks: str
    scheme: str
    load_mva: float = figure("Load", formula="block_load_mva")
    rating_mva: float = figure("Rating", formula="given")
    installed: int = figure("Installed", formula="blocks_installed")
    redundant: int = figure("Redundant", formula="blocks_redundant")
    loading_normal_percent: float = figure("Loading, normal", formula=_LOADING, digits=1)
    loading_degraded_percent: float | None = figure(
        "Loading, one out", formula=_LOADING, digits=1, optional=True
    )
    lost_percent: float = figure("Lost with one", formula="lost_load_percent", digits=2)


@frozen
class DistributionSection:
    """From the MV buses to the racks: what is installed, how loaded, and what rides through."""

    boundary: str = figure("Rack boundary")
    ups: str = figure("UPS")
    lv: str = figure("Low voltage")
    carried: str = figure("When the grid is lost")
    it_mw: float = figure("Racks at their input", formula="given")
    mechanical_mw: float = figure("Cooling and house", formula="given")
    chain_loss_mw: float = figure("Chain losses")
    meter_mw: float = figure("Sum at the meter")
    mv_topology: str | None = figure("MV distribution", optional=True)
    feeder_mva: float | None = figure("Rating of one MV feeder", detail=True, optional=True)
    feeders_installed: int | None = figure("MV feeders installed", optional=True)
    feeder_loading_normal_percent: float | None = figure(
        "MV feeder loading, normal", formula=_LOADING, digits=1, optional=True
    )
    feeder_loading_degraded_percent: float | None = figure(
        "MV feeder loading", basis="one a section lost", formula=_LOADING, digits=1, optional=True
    )
    feeder_voltage_drop_percent: float | None = figure(
        "Voltage drop of the longest feeder",
        basis="one a section lost",
        formula="voltage_drop_percent",
        digits=2,
        optional=True,
    )
    ups_autonomy_s: float | None = figure(
        "UPS battery time", formula="given", digits=0, optional=True
    )
    ups_energy_mwh: float | None = figure("UPS battery, usable", detail=True, optional=True)
    critical_load_mw: float | None = figure("Critical load", optional=True)
    gensets: int | None = figure(
        "Standby sets installed", formula="gensets.installed", optional=True
    )
    gensets_redundant: int | None = figure(
        "of them redundant", formula="genset_spares", optional=True
    )
    genset_mw: float | None = figure("Standby set rating", formula="given", optional=True)
    genset_required_mw: float | None = figure(
        "Standby power with margin", formula="gensets.required_mw", detail=True, optional=True
    )
    genset_loading_percent: float | None = figure(
        "Standby set loading", basis="redundant sets out", formula=_LOADING, digits=1, optional=True
    )
    standby_fuel_m3: float | None = figure("Fuel on site", optional=True)
    bess_mw: float | None = figure("Battery power", formula="critical_load_mw", optional=True)
    bess_usable_mwh: float | None = figure(
        "Battery, usable", formula="two_way_energy_mwh", detail=True, optional=True
    )
    bess_mwh: float | None = figure("Battery, nameplate", formula="buffer_mwh", optional=True)
    blocks: tuple[PowerBlocks, ...] = ()
