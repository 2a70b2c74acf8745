"""Power and density of the IT load."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class PowerSection:
    """IT power by part, rack power on its bases, density, and the chain to the meter."""

    rack_power_kw: float = figure("Rack power", basis="capacity basis", formula="given")
    power_basis: str
    job: str = "training"
    rack_nameplate_kw: float = figure("Rack power", basis="nameplate", formula="given", detail=True)
    rack_typical_kw: float = figure("Rack power", basis="typical (energy)", formula="given")
    rack_peak_kw: float = figure("Rack power", basis="electrical peak", formula="given")
    rack_idle_kw: float | None = figure(
        "Rack power", basis="idle", formula="given", detail=True, default=None
    )
    rack_utilisation_percent: float | None = figure(
        "Typical of nameplate", basis="rack", digits=1, detail=True, default=None
    )
    server_power_kw: float | None = figure(
        "Server power", basis="capacity basis", detail=True, default=None
    )
    it_compute_mw: float = figure("IT, compute", basis="capacity basis")
    it_network_mw: float = figure("IT, network")
    it_storage_mw: float = figure("IT, storage")
    it_management_mw: float = figure("IT, management")
    it_storage_network_mw: float | None = figure(
        "IT, storage", basis="of which switches", detail=True, default=None
    )
    it_management_network_mw: float | None = figure(
        "IT, management", basis="of which switches", detail=True, default=None
    )
    it_typical_mw: float = figure(
        "IT at typical rack power", basis="energy", formula="it_at_rack_power_mw"
    )
    it_peak_mw: float | None = figure(
        "IT with every rack at its electrical peak",
        basis="protection, swings",
        formula="it_at_rack_power_mw",
        detail=True,
        default=None,
    )
    it_inference_peak_mw: float | None = figure(
        "IT, highest with inference",
        basis="inference at 0.80 of provisioned",
        detail=True,
        default=None,
    )
    it_per_accelerator_kw: float | None = figure(
        "IT power per accelerator", detail=True, default=None
    )
    rack_density_kw_per_m2: float = figure("Density on the rack footprint", basis="capacity basis")
    white_space_density_kw_per_m2: float | None = figure("Density of white space", basis="all IT")
    gross_density_kw_per_m2: float | None = figure("Density of the building", basis="all IT")
    chain_efficiency_percent: float = figure("Distribution efficiency, meter to rack", digits=2)
