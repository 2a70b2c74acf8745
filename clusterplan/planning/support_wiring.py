"""The wiring of storage, in-band and out-of-band fabrics, on the servers of the compute fabric."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clusterplan import catalog
from clusterplan.core.wired_fabric import ENDPOINT, HOST, LEAF_SPINE, NODE, SWITCH_ROLES
from clusterplan.planning.cabling_plan import Wired, attached, wired_of
from clusterplan.planning.fabric_plan import USUAL_MODULE_BY_NIC_GBPS, FabricPlan
from clusterplan.sizing.cable_media import copper_cords
from clusterplan.sizing.cable_placement import SwitchBody
from clusterplan.sizing.clos_wiring import Naming, wire_clos
from clusterplan.sizing.fabric_count import count_fabric
from clusterplan.sizing.fabric_optics import pick_medium
from clusterplan.sizing.fabric_site import clusters_of
from clusterplan.sizing.oob_wiring import wire_out_of_band
from clusterplan.sizing.support_totals import storage_system_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusterplan.core.equipment import Rack
    from clusterplan.core.wired_fabric import Device
    from clusterplan.planning.support_plan import SupportPlan
    from clusterplan.sizing.support_fabrics import ClosBeside, OutOfBand

STORAGE_HOST, MANAGEMENT_HOST = "storage-node", "management-server"


def wire_support(
    support: SupportPlan, compute: Sequence[Wired], stages: Mapping[str, int]
) -> Iterator[Wired]:
    """Wire every fabric beside the compute fabric; stages: cumulative servers by name."""
    servers = [one for part in compute for one in part.fabric.devices if one.role == NODE]
    switches = [one for part in compute for one in part.fabric.devices if one.role in SWITCH_ROLES]
    hosts: dict[str, Device] = {}
    for beside in support.design.clos:
        for wired in _clos(beside, support, servers, stages):
            switches += [one for one in wired.fabric.devices if one.role in SWITCH_ROLES]
            hosts |= {one.name: one for one in wired.fabric.devices if one.role == HOST}
            yield wired
    if support.design.out_of_band is not None:
        others = (servers, switches, list(hosts.values()))
        yield _oob(support.design.out_of_band, support.rack, others, stages)


def _clos(
    beside: ClosBeside, support: SupportPlan, servers: Sequence[Device], stages: Mapping[str, int]
) -> Iterator[Wired]:
    """A storage, in-band or converged fabric: hosts first, then the servers in their order."""
    design = beside.site.fabric
    hosts = _hosts(beside, len(servers))
    total = len(servers) + len(hosts)
    clusters = [size for number, size in clusters_of(beside.site, total) for _ in range(number)]
    rows = catalog.optics()
    speed = design.request.nic_gbps
    usual = USUAL_MODULE_BY_NIC_GBPS.get(speed, "")
    nic = pick_medium(rows, speed, preferred=usual) if usual else None
    site = replace(beside.site, equipment=beside.site.equipment._replace(nic_module=nic))
    plan = FabricPlan(site, support.rack, support.ledger)
    before = 0
    for number, size in enumerate(clusters, start=1):
        label = f"c{number}-" if len(clusters) > 1 else ""
        mine = hosts if number == 1 else ()
        steps = tuple(min(max(len(hosts) + step - before, 0), size) for step in stages.values())
        wired = wire_clos(
            design,
            count_fabric(design, size),
            name=f"{beside.name}-c{number}" if label else beside.name,
            stages=steps,
            stage_names=tuple(stages),
            naming=Naming(
                prefix=f"{beside.name}-{label}",
                first_node=before - (0 if number == 1 else len(hosts)),
                total_nodes=len(servers),
                node_model=support.rack.id,
                hosts=mine,
                port=beside.name.replace("-", ""),
            ),
        )
        yield wired_of(plan, wired)
        before += size


def _hosts(beside: ClosBeside, servers: int) -> tuple[tuple[str, str], ...]:
    """(name, model) of the storage nodes and management servers on a fabric."""
    storage = storage_system_nodes(servers, beside.storage_port_share)
    found = [(f"storage{n + 1:0{len(str(storage))}d}", STORAGE_HOST) for n in range(storage)]
    managers = beside.management_servers
    found += [
        (f"management{n + 1:0{len(str(managers))}d}", MANAGEMENT_HOST) for n in range(managers)
    ]
    return tuple(found)


def _oob(
    design: OutOfBand,
    rack: Rack,
    devices: tuple[Sequence[Device], Sequence[Device], Sequence[Device]],
    stages: Mapping[str, int],
) -> Wired:
    """The out-of-band network: copper cords below, the usual cable of the uplinks above."""
    servers, switches, hosts = devices
    fabric = wire_out_of_band(design, servers, switches, hosts, tuple(stages))
    cord = next(row for row in catalog.optics() if row.kind == "copper")
    return Wired(
        fabric,
        lambda stock, _: {
            ENDPOINT: copper_cords(cord, stock),
            LEAF_SPINE: (attached(design.uplink_module, stock),),
        },
        (1, 1),
        {
            design.access.id: SwitchBody(design.access_rack_units, design.access_power_w / 1000),
            design.aggregation.id: SwitchBody(
                design.aggregation_rack_units, design.aggregation_power_w / 1000
            ),
        },
        rack,
    )
