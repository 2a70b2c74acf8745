"""Power and density of the IT load."""

from __future__ import annotations

from dataclasses import dataclass

from clusterplan.core.figures import figure


@dataclass(frozen=True, kw_only=True)
class PowerSection:
    """IT power by part, rack power on its three bases, density, and the chain to the meter."""

    rack_power_kw: float = figure("Rack power", basis="capacity basis")
    power_basis: str
    rack_nameplate_kw: float = figure("Rack power", basis="nameplate")
    rack_typical_kw: float = figure("Rack power", basis="typical (energy)")
    rack_peak_kw: float = figure("Rack power", basis="electrical peak")
    it_compute_mw: float = figure("IT, compute")
    it_network_mw: float = figure("IT, network")
    it_storage_mw: float = figure("IT, storage")
    it_management_mw: float = figure("IT, management")
    it_typical_mw: float = figure("IT at typical rack power", basis="energy")
    rack_density_kw_per_m2: float = figure("Density on the rack footprint")
    white_space_density_kw_per_m2: float | None = figure("Density of white space")
    gross_density_kw_per_m2: float | None = figure("Density of the building")
    chain_efficiency_percent: float = figure("Distribution efficiency, meter to rack", digits=2)
