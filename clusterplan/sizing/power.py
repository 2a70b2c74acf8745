"""Rack and IT power: nameplate, typical, peak and idle kept apart.

Nameplate is for what must not be exceeded, typical for energy, peak for protection and swings.
Measured ground for the typical figures, as read in public sources:

- 8 x H100 node, intensive training: mean 0.76 of 10.2 kW (LBNL, arXiv 2506.14551); highest 8.4 kW
  or 0.82 (arXiv 2412.08602). Other DGX H100 figures run from 6.5 to 8.5 kW.
- GB200: provisioned at 960 of 1,200 W, 0.80 (Meta, arXiv 2605.24461). No measured trace of a
  GB200 or GB300 rack was found; 0.80 stands for both.
- Inference clusters peak at about 0.80 of what they are provisioned (POLCA, arXiv 2308.12908);
  8 x B200 under full offline load drew 10.4 of 14.3 kW, 0.73 (MLPerf Inference v5.1, 5.1-0061).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from clusterplan.core.record import formula

RULE_2 = "clusterplan method, counting rule 2"
RULE_3 = "clusterplan method, counting rule 3"
UNKNOWN = "clusterplan method, racks, unknown fields"

TYPICAL_AIR = (0.76, "8 x H100 node in intensive training, LBNL, arXiv 2506.14551")
TYPICAL_LIQUID = (0.80, "GB200 provisioned at 960 of 1,200 W, Meta, arXiv 2605.24461")
IDLE = (0.15, "GB200 20 of 132 kW and GB300 22 of 142 kW, themselves estimates")
INFERENCE_PEAK = (0.80, "inference clusters against provisioned power, POLCA, arXiv 2308.12908")
INFERENCE_MEAN = (0.73, "8 x B200 at full offline load, 10.4 of 14.3 kW, MLPerf Inference v5.1")


@dataclass(frozen=True)
class PartShare:
    """One part of IT beside compute: a share of compute, or a stated power (MW), or counted.

    fixed: the user gave it, so that counted switches do not raise it.
    """

    share: float = 0.0
    stated_mw: float = 0.0
    fixed: bool = False


@dataclass(frozen=True)
class PowerDesign:
    """What the IT power of any number of servers follows from; rack powers in kW.

    network: a share or a stated power, None where the counted fabric decides.
    """

    rack_power_kw: float
    rack_nameplate_kw: float
    rack_typical_kw: float
    rack_peak_kw: float
    servers_per_rack: int
    network: PartShare | None
    storage: PartShare
    management: PartShare


class ItPower(NamedTuple):
    """IT power by part and in sum at the capacity basis, and in sum at typical power, MW."""

    compute_mw: float
    network_mw: float
    storage_mw: float
    management_mw: float
    total_mw: float
    typical_mw: float


@formula(
    title="Rack power, typical",
    equation="nameplate_kw * fraction",
    unit="kW",
    source=UNKNOWN + "; arXiv 2506.14551 (air, 0.76), arXiv 2605.24461 (liquid, 0.80)",
)
def rack_typical_kw(nameplate_kw: float, fraction: float) -> float:
    """Mean rack power of a job (kW): nameplate times the mean share of it, 0 to 1.2."""
    return nameplate_kw * fraction


@formula(
    title="Rack power, idle",
    equation="nameplate_kw * fraction",
    unit="kW",
    source=UNKNOWN + " (0.15 of nameplate)",
)
def rack_idle_kw(nameplate_kw: float, fraction: float = IDLE[0]) -> float:
    """Power of a rack that runs no job (kW)."""
    return nameplate_kw * fraction


@formula(
    title="Rack power, mean of a job that is not always busy",
    equation="idle_kw + busy_share * (busy_kw - idle_kw)",
    unit="kW",
    source=RULE_2,
)
def rack_mean_kw(busy_kw: float, idle_kw: float, busy_share: float) -> float:
    """Mean rack power (kW) of a job whose accelerators are busy for a share of the time, 0 to 1."""
    return idle_kw + busy_share * (busy_kw - idle_kw)


@formula(
    title="Server power",
    equation="rack_power_kw / servers_per_rack",
    unit="kW",
    source="clusterplan method, counting rule 1",
)
def server_power_kw(rack_power_kw: float, servers_per_rack: int) -> float:
    """Power of one server with its share of the rack (kW)."""
    return rack_power_kw / servers_per_rack


@formula(
    title="IT power, compute",
    equation="servers * rack_power_kw / servers_per_rack / 1000",
    unit="MW",
    source="clusterplan method, counting rules 1 and 2",
)
def it_compute_mw(servers: int, rack_power_kw: float, servers_per_rack: int) -> float:
    """Compute power (MW); a part-filled rack takes its servers' share of the rack power (kW)."""
    return servers * rack_power_kw / servers_per_rack / 1000


@formula(
    title="IT power, network: counted switches and cage modules, or a share, or a stated power",
    equation="(switch_power_kw + optics_power_kw) / 1000 + share * it_compute_mw + stated_mw",
    unit="MW",
    source=RULE_3,
)
def it_network_mw(
    switch_power_kw: float,
    optics_power_kw: float,
    share: float,
    it_compute_mw: float,
    stated_mw: float,
) -> float:
    """Network power (MW). Only one of the three ways is used at a time, the others are 0."""
    return (switch_power_kw + optics_power_kw) / 1000 + share * it_compute_mw + stated_mw


@formula(
    title="IT power, storage",
    equation="max(share * it_compute_mw + stated_mw, it_storage_network_mw)",
    unit="MW",
    source=RULE_3,
)
def it_storage_mw(
    share: float, it_compute_mw: float, stated_mw: float, it_storage_network_mw: float = 0.0
) -> float:
    """Storage power (MW): a share of compute at the capacity basis, or a stated power.

    It is for devices and their switches, so never below the counted switches (0: not counted, or
    the power is the user's own).
    """
    return max(share * it_compute_mw + stated_mw, it_storage_network_mw)


@formula(
    title="IT power, switches and modules of storage",
    equation="(sum(switch_power_kw) + sum(optics_power_kw)) / 1000",
    unit="MW",
    source=RULE_3,
)
def it_storage_network_mw(
    switch_power_kw: tuple[float, ...], optics_power_kw: tuple[float, ...]
) -> float:
    """Counted part of the storage power (MW): the storage fabric."""
    return (sum(switch_power_kw) + sum(optics_power_kw)) / 1000


@formula(
    title="IT power, management",
    equation="max(share * it_compute_mw + stated_mw, it_management_network_mw)",
    unit="MW",
    source=RULE_3,
)
def it_management_mw(
    share: float, it_compute_mw: float, stated_mw: float, it_management_network_mw: float = 0.0
) -> float:
    """Management power (MW): a share of compute at the capacity basis, or a stated power.

    It is for devices and their switches, so never below the counted switches (0: not counted, or
    the power is the user's own).
    """
    return max(share * it_compute_mw + stated_mw, it_management_network_mw)


@formula(
    title="IT power, switches and modules of the management networks",
    equation="(sum(switch_power_kw) + sum(optics_power_kw)) / 1000",
    unit="MW",
    source=RULE_3,
)
def it_management_network_mw(
    switch_power_kw: tuple[float, ...], optics_power_kw: tuple[float, ...]
) -> float:
    """Counted part of the management power (MW): in-band and out-of-band networks."""
    return (sum(switch_power_kw) + sum(optics_power_kw)) / 1000


@formula(
    title="IT power",
    equation="it_compute_mw + it_network_mw + it_storage_mw + it_management_mw",
    unit="MW",
    source=RULE_3,
)
def it_power_mw(
    it_compute_mw: float, it_network_mw: float, it_storage_mw: float, it_management_mw: float
) -> float:
    """All racks: compute, network, storage, management (MW)."""
    return it_compute_mw + it_network_mw + it_storage_mw + it_management_mw


@formula(
    title="IT power at another basis of the compute racks",
    equation="servers * rack_kw / servers_per_rack / 1000 + other_it_mw",
    unit="MW",
    source=RULE_2 + " and 3: network, storage and management do not fall with the racks",
)
def it_at_rack_power_mw(
    servers: int, rack_kw: float, servers_per_rack: int, other_it_mw: float
) -> float:
    """IT power (MW) with every compute rack at `rack_kw` (typical, peak) and the rest unchanged."""
    return servers * rack_kw / servers_per_rack / 1000 + other_it_mw


@formula(
    title="Highest IT power of an inference fleet",
    equation="servers * nameplate_kw / servers_per_rack / 1000 * fraction + other_it_mw",
    unit="MW",
    source="POLCA, arXiv 2308.12908: peak of about 0.80 of the provisioned power",
)
def it_inference_peak_mw(
    servers: int,
    nameplate_kw: float,
    servers_per_rack: int,
    other_it_mw: float,
    fraction: float = INFERENCE_PEAK[0],
) -> float:
    """Highest power (MW) that an inference fleet draws together; never a capacity basis here."""
    return servers * nameplate_kw / servers_per_rack / 1000 * fraction + other_it_mw


@formula(
    title="Utilisation of the racks",
    equation="100 * typical_kw / nameplate_kw",
    unit="%",
    source=RULE_2,
)
def rack_utilisation_percent(typical_kw: float, nameplate_kw: float) -> float:
    """Typical rack power in percent of nameplate."""
    return 100 * typical_kw / nameplate_kw


@formula(
    title="IT power per accelerator",
    equation="it_power_mw * 1000 / accelerators",
    unit="kW",
    source=RULE_3,
)
def it_per_accelerator_kw(it_power_mw: float, accelerators: int) -> float:
    """All IT power (MW) over the accelerators, in kW."""
    return it_power_mw * 1000 / accelerators


@formula(
    title="Density on the rack footprint",
    equation="rack_power_kw / (width_mm / 1000 * depth_mm / 1000)",
    unit="kW/m2",
    source="clusterplan method, floor step 3",
)
def rack_density_kw_per_m2(rack_power_kw: float, width_mm: float, depth_mm: float) -> float:
    """Rack power over its own footprint; not comparable with the density of the white space."""
    return rack_power_kw / (width_mm / 1000 * depth_mm / 1000)


@formula(
    title="Density of the white space",
    equation="it_power_mw * 1000 / white_space_m2",
    unit="kW/m2",
    source="clusterplan method, floor step 3",
)
def white_space_density_kw_per_m2(it_power_mw: float, white_space_m2: float) -> float:
    """IT power (MW) over the hall floor with its aisles (m2)."""
    return it_power_mw * 1000 / white_space_m2


@formula(
    title="Density of the building",
    equation="it_power_mw * 1000 / gross_m2",
    unit="kW/m2",
    source="clusterplan method, floor step 5",
)
def gross_density_kw_per_m2(it_power_mw: float, gross_m2: float) -> float:
    """IT power (MW) over the gross floor area (m2)."""
    return it_power_mw * 1000 / gross_m2


def it_power(
    design: PowerDesign,
    servers: int,
    fabric_kw: tuple[float, float] = (0.0, 0.0),
    support_mw: tuple[float, float] = (0.0, 0.0),
) -> ItPower:
    """IT power of so many servers.

    fabric_kw: (switches, modules in their cages) of the counted fabric in kW; left out of the sum
    where the design takes the network as a share or a stated power.
    support_mw: counted switches of the storage and of the management networks in MW: the least
    that these parts take, unless the user gave them.
    """
    compute = it_compute_mw(servers, design.rack_power_kw, design.servers_per_rack)
    if design.network is None:
        network = it_network_mw(fabric_kw[0], fabric_kw[1], 0.0, compute, 0.0)
    else:
        network = it_network_mw(0.0, 0.0, design.network.share, compute, design.network.stated_mw)
    least = (
        0.0 if design.storage.fixed else support_mw[0],
        0.0 if design.management.fixed else support_mw[1],
    )
    storage = it_storage_mw(design.storage.share, compute, design.storage.stated_mw, least[0])
    management = it_management_mw(
        design.management.share, compute, design.management.stated_mw, least[1]
    )
    total = it_power_mw(compute, network, storage, management)
    others = network + storage + management
    typical = it_at_rack_power_mw(servers, design.rack_typical_kw, design.servers_per_rack, others)
    return ItPower(compute, network, storage, management, total, typical)
