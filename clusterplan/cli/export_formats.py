"""The formats of `clusterplan fabric --export`, each with what it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusterplan.core.scheduler_topology import FabricRoot
    from clusterplan.core.wired_fabric import CableRow, WiredFabric
    from clusterplan.planning.cabling_plan import CabledFabric
    from clusterplan.planning.choices import Choices
    from clusterplan.sizing.cable_placement import Placement


class ExportJob(NamedTuple):
    """The fabrics to write.

    plane, unit: the plane (None: all) and the scalable unit to write; domain_nodes: servers of a
    scale-up domain, None where that is within one server; torus: its sides.
    """

    fabrics: list[CabledFabric]
    placement: Placement | None
    choices: Choices | None
    plane: int | None = None
    unit: int = 1
    domain_nodes: int | None = None
    torus: tuple[int, ...] = ()

    @property
    def wired(self) -> list[WiredFabric]:
        """The wiring of each fabric."""
        return [one.wired for one in self.fabrics]


class Export(NamedTuple):
    """One format: what it is for and what writes it.

    single: holds one fabric only; torus: also written of a torus; by_unit: of one scalable unit;
    beside: files that go beside; notes: what the user should know of this file.
    """

    text: str
    write: Callable[[ExportJob, TextIO], object]
    single: bool = False
    torus: bool = False
    by_unit: bool = False
    beside: Callable[[ExportJob], dict[str, str]] | None = None
    notes: Callable[[ExportJob], list[str]] | None = None


class _TorusFabric(NamedTuple):
    wired: WiredFabric


def torus_job(wired: WiredFabric, sides: tuple[int, ...]) -> ExportJob:
    """The job of a torus: nothing is cabled."""
    fabrics: Any = [_TorusFabric(wired)]
    return ExportJob(fabrics, None, None, torus=sides)


def _cables(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.cable_schedule import write_cables

    write_cables(_rows(job), out)


def _unreached(job: ExportJob) -> list[str]:
    """Cables whose length and medium stay empty."""
    return [
        f"no medium of the catalogue makes some {tier} cables of {one.wired.name} (runs up to "
        f"{run:.0f} m): their length and medium are empty"
        for one in job.fabrics
        for tier, run in one.cabling.unreached().items()
    ]


def _rows(job: ExportJob) -> Iterator[CableRow]:
    for one in job.fabrics:
        for row in one.cabling.rows():
            if job.plane in (None, row.plane):
                yield row


def _bom(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.cable_schedule import write_bill
    from clusterplan.planning.cabling_figures import bill

    assert job.choices is not None  # only a torus has none, and it is not written so
    counted = [(one, one.cabling.totals()) for one in job.fabrics]
    write_bill(bill(counted, job.choices.number("fabric.spares")), out)


def _racks(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.cable_schedule import write_racks

    placement = job.placement
    assert placement is not None  # as above
    names = ("rack", "kind", "row", "position", "x_m", "y_m", "width_m", "device", "unit")
    watts: dict[int, float] = {}
    for one in job.fabrics:
        for rack, power in one.cabling.totals().rack_w.items():
            watts[rack] = watts.get(rack, 0.0) + power
    # of the exported fabrics: the watts of a cabinet are those of their modules
    here = {device.name for one in job.fabrics for device in one.wired.devices}
    rows = (
        (*placement.racks[rack], device, placement.unit_of[device], watts.get(rack, 0.0))
        for device, rack in placement.rack_of.items()
        if device in here
    )
    write_racks(rows, (*names, "rack_optics_w"), out)


def _floor_plan(job: ExportJob, out: TextIO) -> None:
    from clusterplan.reporting.floor_drawing import write_floor_plan

    placement = job.placement
    assert placement is not None  # as above
    contents: dict[str, list[str]] = {}
    for device, rack in placement.rack_of.items():
        contents.setdefault(placement.racks[rack].name, []).append(device)
    names = ", ".join(dict.fromkeys(fabric.name for fabric in job.wired))
    title = f"Placement of {len(placement.racks):,} cabinets ({names})"
    depth_m = placement.grid.rack_depth_m
    write_floor_plan(placement.racks, contents, out, depth_m=depth_m, title=title)


def _roots(job: ExportJob, kind: str) -> tuple[FabricRoot, ...]:
    from clusterplan.core.scheduler_topology import scheduler_topology

    domain = job.domain_nodes if kind == "block" else None
    return scheduler_topology(job.wired, nodes_per_domain=domain)


def _slurm(kind: Any) -> Callable[[ExportJob, TextIO], object]:
    def write(job: ExportJob, out: TextIO) -> None:
        from clusterplan.interop.slurm import write_topology_conf

        write_topology_conf(_roots(job, kind), out, kind=kind)

    return write


def _slurm_yaml(kind: Any) -> Callable[[ExportJob, TextIO], object]:
    def write(job: ExportJob, out: TextIO) -> None:
        from clusterplan.interop.slurm import write_topology_yaml

        if job.torus:
            _torus_yaml(job, out)
        else:
            write_topology_yaml(_roots(job, kind), out, kind=kind)

    return write


def _torus_yaml(job: ExportJob, out: TextIO) -> None:
    from clusterplan.core.scheduler_topology import Torus
    from clusterplan.interop.slurm import write_torus_yaml

    x, y, *rest = job.torus
    names = tuple(device.name for device in job.wired[0].devices)
    write_torus_yaml([Torus("torus", (x, y, rest[0] if rest else 1), names)], out)


def _ibnetdiscover(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.ibnetdiscover import write_ibnetdiscover

    for fabric in job.wired:
        write_ibnetdiscover(fabric, out, plane=job.plane)


def _ibdm(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.ibdm import write_topo

    for fabric in job.wired:
        write_topo(fabric, out, plane=job.plane)


def _ibnl(job: ExportJob) -> dict[str, str]:
    from clusterplan.interop.ibdm import ibnl_files

    return {name: text for fabric in job.wired for name, text in ibnl_files(fabric).items()}


def _netbox(job: ExportJob, out: TextIO) -> None:
    from clusterplan import catalog
    from clusterplan.interop.netbox import NetboxNames, write_netbox_cables

    kinds = {row.id: row.kind for row in catalog.optics()}
    names = NetboxNames(kinds=kinds, interface=_netbox_interface(job))
    write_netbox_cables(_rows(job), out, names=names)


_NOT_IN_TYPE = {"qm9700": ("P22.1", "P23.0")}  # ports that the stored device type lacks


def _netbox_notes(job: ExportJob) -> list[str]:
    """What NetBox has to have before it takes the file."""
    found = ["the devices and their interfaces must exist before the import", *_unreached(job)]
    models = {device.model for fabric in job.wired for device in fabric.devices}
    for model, ports in _NOT_IN_TYPE.items():
        if model in models:
            found.append(
                f"the stored NetBox device type of {model} lacks {' and '.join(ports)}: add them"
            )
    if any(n > 1 for fabric in job.wired for n in fabric.links_per_cable.values()):
        found.append(
            "cables of several links have several terminations an end: NetBox 4.7 or newer"
        )
    return found


def _netbox_interface(job: ExportJob) -> Callable[[str, str], str]:
    """Names of switch ports as the NetBox device type has them, where those differ."""
    from clusterplan import catalog
    from clusterplan.core.wired_fabric import SWITCH_ROLES
    from clusterplan.sizing.port_names import switch_port_names

    tables: dict[str, dict[str, str]] = {}
    model_of = {
        device.name: device.model
        for fabric in job.wired
        for device in fabric.devices
        if device.role in SWITCH_ROLES
    }
    for model in set(model_of.values()):
        switch = catalog.switch(model)
        if switch.netbox_port_name:
            ports = switch.ports or 0
            theirs = switch_port_names(switch, ports, pattern=switch.netbox_port_name)
            tables[model] = dict(zip(switch_port_names(switch, ports), theirs, strict=True))
    renamed = {name: tables[model] for name, model in model_of.items() if model in tables}
    return lambda device, port: renamed.get(device, {}).get(port, port)


def _graphml(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.graphml import write_graphml

    write_graphml(job.wired[0], out, plane=job.plane)


def _dot(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.graphviz import write_dot

    write_dot(job.wired[0], out, plane=job.plane)


def _cvt_dot(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.graphviz import write_cvt_dot

    write_cvt_dot(job.wired[0], out, plane=job.plane)


def _containerlab(job: ExportJob, out: TextIO) -> None:
    from clusterplan.interop.containerlab import write_containerlab

    write_containerlab(job.wired[0], out, unit=job.unit, plane=job.plane)


EXPORTS: dict[str, Export] = {
    "cables": Export("cable schedule, one line a link (CSV)", _cables, notes=_unreached),
    "bom": Export("bill of materials (CSV)", _bom, notes=_unreached),
    "racks": Export("cabinet, rack unit and optics watts of every device's rack (CSV)", _racks),
    "floor-plan": Export("the cabinets from above (SVG)", _floor_plan),
    "slurm": Export("Slurm topology.conf, tree", _slurm("tree")),
    "slurm-block": Export("Slurm topology.conf, block", _slurm("block")),
    "slurm-yaml": Export("Slurm topology.yaml, tree or torus", _slurm_yaml("tree"), torus=True),
    "slurm-block-yaml": Export("Slurm topology.yaml, block", _slurm_yaml("block")),
    "ibnetdiscover": Export("InfiniBand topology, read by ibsim and opensm", _ibnetdiscover),
    "ibdm": Export("ibdm .topo, with its .ibnl files beside it", _ibdm, beside=_ibnl),
    "netbox": Export("NetBox cable import (CSV)", _netbox, notes=_netbox_notes),
    "graphml": Export("GraphML, read by networkx and Gephi", _graphml, single=True, torus=True),
    "dot": Export("Graphviz picture, alike devices drawn once", _dot, single=True, torus=True),
    "cvt-dot": Export("Graphviz dialect of the UFM cable validation tool", _cvt_dot, single=True),
    "containerlab": Export(
        "containerlab lab of one scalable unit", _containerlab, single=True, by_unit=True
    ),
}
