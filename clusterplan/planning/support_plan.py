"""Storage, in-band and out-of-band fabrics of a site, from the ports of its racks and the choices.

`support_design` resolves once, `count_support_fabrics` serves the solve loop; the rows of the
report are in `support_rows`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.catalog import UnknownRowError
from clusterplan.core.errors import CatalogError, InputError, Problem
from clusterplan.planning.fabric_plan import (
    ONE_PORT_MODULE,
    USUAL_MODULE_BY_CAGE_GBPS,
    USUAL_SWITCH_BY_NIC_GBPS,
)
from clusterplan.sizing.fabric import FabricRequest, plan_fabric, ports_at
from clusterplan.sizing.fabric_optics import (
    PLANNING_RACK_UNITS,
    FabricEquipment,
    assumed_switch_power_w,
    cage_module_id,
    pick_medium,
)
from clusterplan.sizing.fabric_site import plan_site_fabric
from clusterplan.sizing.support_fabrics import (
    CONVERGED,
    IN_BAND,
    OUT_OF_BAND,
    STORAGE,
    ClosBeside,
    OutOfBand,
    SupportDesign,
    count_support,
)
from clusterplan.sizing.support_totals import support_leaf_downlinks, support_leaf_uplinks

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack, Switch
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.fabric_plan import FabricPlan
    from clusterplan.sizing.fabric_site import SiteFabric
    from clusterplan.sizing.support_totals import SupportFabric

USUAL_SWITCH = "sn5600"  # where it offers the speed
OOB_UPLINK_GBPS = 100.0  # of an access switch, two used
OOB_CORD = "rj45-1"
OOB_UPLINK_MODULE = "aoc-100"
LEAF_PORTS_USED = 0.9  # least share of a leaf's ports that a split for few spines may use
RACK_PORTS = 4  # three rack PDUs (or power shelves) and a rack manager or leak controller
SWITCH_TRAYS = {"nvlink5": 9, "nvlink6": 9}  # of a rack that is one scale-up domain of 72
# paths of (switch, oversubscription)
_STORAGE_CHOICES = ("fabric.storage_switch", "fabric.storage_oversubscription")
_IN_BAND_CHOICES = ("fabric.in_band_switch", "fabric.in_band_oversubscription")
_OOB_SWITCH, _OOB_ABOVE = "fabric.oob_switch", "fabric.oob_aggregation_switch"
_TRAYS_SOURCE = "NVIDIA DGX SuperPOD GB200, network fabrics: 9 NVLink switch trays a rack"
_RACK_SOURCE = (
    "judgement; NVIDIA DGX SuperPOD RA-11333-001 V11: 96 PDUs on 32 compute racks, and one manager"
)
_RULE_17 = "clusterplan method, fabric rule 17"


class SupportPlan(NamedTuple):
    """The fabrics beside the compute fabric: what is asked, resolved once, and for which rack."""

    design: SupportDesign
    rack: Rack
    ledger: Ledger


def support_design(choices: Choices, rack: Rack, compute: FabricPlan) -> SupportPlan:
    """Resolve the fabrics beside the compute fabric.

    A fabric whose ports are not known is left out with a warning. Raises InputError for an unknown
    switch, one without the speed, and more ports than a server has.
    """
    clos = tuple(
        fabric
        for name, ports in _port_roles(choices, rack)
        if (fabric := _clos(choices, rack, compute, name, ports)) is not None
    )
    return SupportPlan(
        SupportDesign(clos=clos, out_of_band=_oob(choices, rack)), rack, choices.ledger
    )


def count_support_fabrics(
    plan: SupportPlan, compute: SiteFabric, servers: int
) -> tuple[SupportFabric, ...]:
    """Count them for so many servers; every switch of the compute fabric has a management port."""
    switches = compute.leaf_switches + compute.spine_switches + compute.core_switches
    return count_support(plan.design, servers, switches)


# -- ports of a server --------------------------------------------------------------------------


def _port_roles(choices: Choices, rack: Rack) -> tuple[tuple[str, int], ...]:
    """(fabric, ports of a server on it): storage and in-band, or one converged fabric."""
    ports = rack.storage_ports_per_server
    storage = _whole(choices, "fabric.storage_ports")
    in_band = _whole(choices, "fabric.in_band_ports")
    known = ports is not None or (storage is not None and in_band is not None)
    if not known or rack.storage_gbps is None:
        choices.ledger.warn(
            "support_fabrics_not_counted",
            "fabric.fabrics",
            f"the storage and in-band ports of {rack.id} are not known; those fabrics are not"
            " counted, their power is the share of compute",
        )
        return ()
    if ports is not None and (storage or 0) + (in_band or 0) > ports:
        asked = (storage or 0) + (in_band or 0)
        path = "design.fabric." + ("in_band_ports" if storage is None else "storage_ports")
        message = f"{asked} storage and in-band ports; a server of {rack.id} has {ports}"
        raise InputError(Problem(message, path=path))
    if storage is None:
        storage = -(-(ports or 0) // 2) if in_band is None else (ports or 0) - in_band
        choices.ledger.assume("design.fabric.storage_ports", storage, "", _split_source())
    if in_band is None:
        in_band = (ports or 0) - storage
        choices.ledger.assume("design.fabric.in_band_ports", in_band, "", _split_source())
    if storage and not in_band:
        return ((CONVERGED, storage),)
    return tuple((name, n) for name, n in ((STORAGE, storage), (IN_BAND, in_band)) if n)


def _split_source() -> str:
    return "clusterplan method, fabric rule 16: half of the ports beside the compute ones"


def _whole(choices: Choices, path: str) -> int | None:
    value = choices.optional(path)
    return None if value is None else int(value)


# -- storage and in-band ------------------------------------------------------------------------


def _clos(
    choices: Choices, rack: Rack, compute: FabricPlan, name: str, ports: int
) -> ClosBeside | None:
    """One storage, in-band or converged fabric; None, with a warning, where no switch fits."""
    ledger, speed = choices.ledger, rack.storage_gbps or 0.0
    path, ratio = _IN_BAND_CHOICES if name == IN_BAND else _STORAGE_CHOICES
    switch = _switch(choices, path, _usual_switch(rack, compute, name))
    if switch is None:
        ledger.warn(
            "support_fabrics_not_counted",
            f"fabric.fabrics.{name}",
            f"no switch is usual for the {speed:g} Gb/s ports of the {name} fabric; it is not"
            " counted",
        )
        return None
    down_up = choices.number(ratio)
    split = _leaf_split(switch, speed, down_up)
    request = FabricRequest(
        switch=switch,
        nic_gbps=speed,
        rails=ports,
        oversubscription_leaf=1.0 if split else down_up,
        leaf_split=split,
        leaf_mode="packed",
    )
    try:
        fabric = plan_fabric(request)
    except InputError as error:
        found = [_named(problem, path, ratio) for problem in error.problems]
        raise InputError(found) from None
    site = plan_site_fabric(
        fabric,
        _equipment(switch, name, ledger),
        su_servers=None,
        servers_per_rack=1,
        single_cluster=False,
    )
    return ClosBeside(
        name=name,
        site=site,
        storage_port_share=0.0
        if name == IN_BAND
        else choices.number("fabric.storage_system_ports"),
        management_servers=0 if name == STORAGE else choices.integer("fabric.management_servers"),
    )


def _leaf_split(switch: Switch, gbps: float, ratio: float) -> tuple[int, int] | None:
    """(down, up) ports of an oversubscribed leaf; None leaves the split to the ratio.

    The plain split of 128 ports at 4:1 has 26 uplinks, which only 1, 2, 13 or 26 spines share.
    """
    radix = ports_at(switch, gbps)
    if radix is None or ratio == 1.0:
        return None
    up = support_leaf_uplinks(radix, ratio)
    down = support_leaf_downlinks(up, ratio)
    return (down, up) if down + up >= LEAF_PORTS_USED * radix else None


def _usual_switch(rack: Rack, compute: FabricPlan, name: str) -> str:
    """The switch that is usual for the ports; '' where none is.

    Separate servers on InfiniBand keep their storage on the same switch where the speed is the
    same; rack-scale systems have storage and in-band on Ethernet.
    """
    speed, request = rack.storage_gbps or 0.0, compute.site.fabric.request
    rack_scale = (rack.scale_up_domain_size or 0) > rack.accelerators_per_server
    same = request.switch.kind == "infiniband" and request.nic_gbps == speed
    if name == STORAGE and same and not rack_scale:
        return request.switch.id
    if ports_at(catalog.switch(USUAL_SWITCH), speed) is not None:
        return USUAL_SWITCH
    return USUAL_SWITCH_BY_NIC_GBPS.get(speed, "")


def _switch(choices: Choices, path: str, usual: str, role: str = "") -> Switch | None:
    """The switch of the user, or the usual one (listed); None where there is neither."""
    name = choices.text(path)
    if not name:
        if not usual:
            return None
        name = usual
        source = f"{_RULE_17}: usual switch for the ports"
        choices.ledger.assume(f"design.{path}", name, "", source)
    try:
        switch = catalog.switch(name)
    except UnknownRowError as error:
        message = f"unknown switch {name!r}"
        hint = error.hint or None
        raise InputError(Problem(message, path=f"design.{path}", hint=hint)) from None
    unsuited = switch.role in ("scale-up", "scheduled-fabric") or (
        (switch.role == "oob") != (role == "oob")
    )
    if unsuited:
        what = (
            "an access switch of management ports" if role == "oob" else "a leaf and spine switch"
        )
        raise InputError(Problem(f"{name} is not {what}", path=f"design.{path}"))
    return switch


def _named(problem: Problem, switch: str, ratio: str) -> Problem:
    """A problem of the fabric under the name of the choice that the user knows."""
    path = ratio if problem.path == "fabric.oversubscription_leaf" else switch
    return replace(problem, path=f"design.{path}")


def _equipment(switch: Switch, name: str, ledger: Ledger) -> FabricEquipment:
    """Watts, height and modules of the switch of one fabric, with what had to be assumed."""
    watts, units = _body(switch, ledger)
    module = None
    cages = 0 if switch.built_in_optics else switch.cages or 0
    if cages:
        usual = cage_module_id(switch, USUAL_MODULE_BY_CAGE_GBPS, ONE_PORT_MODULE)
        module = next((row for row in catalog.optics() if row.id == usual), None)
        if module is None:
            message = f"the catalogue has no module for the cages of {switch.id}; watts not in"
            ledger.warn("no_optic", f"fabric.fabrics.{name}", message)
        else:
            path = f"fabric.fabrics.{name}.switch_module"
            ledger.assume(path, module.id, "", _RULE_17, verified=module.verified)
    return FabricEquipment(
        switch_power_w=watts,
        rack_units=units,
        liquid_cooled=switch.cooling == "liquid",
        cages=cages,
        copper=False,
        switch_module=module,
        nic_module=None,
    )


def _body(switch: Switch, ledger: Ledger) -> tuple[float, float]:
    """Watts without modules and rack units of a switch."""
    watts, units = switch.planning_power_w, switch.rack_units
    if watts is None:
        watts = assumed_switch_power_w(switch.ports or 0, switch.gbps_per_port or 0.0)
        source = "20 W per Tb/s of ports, no power published"
        ledger.assume(f"switches.{switch.id}.planning_power", watts, "W", source)
    if units is None:
        units = PLANNING_RACK_UNITS
        source = "planning default, fabric"
        ledger.assume(f"switches.{switch.id}.rack_units", units, "U", source)
    return watts, units


# -- out-of-band --------------------------------------------------------------------------------


def _oob(choices: Choices, rack: Rack) -> OutOfBand | None:
    """The out-of-band network; None, with a warning, where the management ports are unknown."""
    ledger = choices.ledger
    if rack.oob_ports_per_server is None:
        message = f"the out-of-band ports of {rack.id} are not known; that network is not counted"
        ledger.warn("support_fabrics_not_counted", f"fabric.fabrics.{OUT_OF_BAND}", message)
        return None
    access = _switch(choices, _OOB_SWITCH, "", role="oob")
    above = _switch(choices, _OOB_ABOVE, "")
    if access is None or above is None:  # the table has a default for both
        message = "data/design_fields.csv names no out-of-band switch"
        raise CatalogError(message)
    radix = ports_at(above, OOB_UPLINK_GBPS)
    if radix is None:
        message = f"{above.id} has no port of {OOB_UPLINK_GBPS:g} Gb/s"
        hint = "one with 100 Gb/s ports, as sn4600"
        raise InputError(Problem(message, path=f"design.{_OOB_ABOVE}", hint=hint))
    cord = pick_medium(catalog.optics(), access.gbps_per_port or 1.0, ("copper",), OOB_CORD)
    module = pick_medium(catalog.optics(), OOB_UPLINK_GBPS, (), OOB_UPLINK_MODULE)
    if cord is None or module is None:
        message = f"the catalogue has no {OOB_CORD} or no {OOB_UPLINK_MODULE}"
        raise CatalogError(message)
    words = f"copper cords ({cord.id}), no optics"
    ledger.assume(f"fabric.fabrics.{OUT_OF_BAND}.medium", words, "", cord.source)
    path = f"fabric.fabrics.{OUT_OF_BAND}.uplink_medium"
    ledger.assume(path, module.id, "", module.source, verified=module.verified)
    watts, units = _body(access, ledger)
    above_watts, above_units = _body(above, ledger)
    return OutOfBand(
        access=access,
        aggregation=above,
        access_ports=access.ports or 1,
        access_gbps=access.gbps_per_port or 1.0,
        uplink_gbps=OOB_UPLINK_GBPS,
        radix=radix,
        access_power_w=watts,
        aggregation_power_w=above_watts,
        access_rack_units=units,
        aggregation_rack_units=above_units,
        uplink_module=module,
        ports_per_server=rack.oob_ports_per_server,
        ports_per_rack=_rack_ports(choices, rack),
        servers_per_rack=rack.servers_per_rack,
        management_servers=choices.integer("fabric.management_servers"),
    )


def _rack_ports(choices: Choices, rack: Rack) -> int:
    """Management ports of a rack besides its servers': power, manager, scale-up switch trays."""
    chosen = _whole(choices, "fabric.oob_ports_per_rack")
    if chosen is not None:
        return chosen
    per_rack = rack.servers_per_rack * rack.accelerators_per_server
    one_domain = rack.scale_up_domain_size == per_rack == 72
    trays = SWITCH_TRAYS.get(rack.scale_up_kind, 0) if one_domain else 0
    source = f"{_RACK_SOURCE}; {_TRAYS_SOURCE}" if trays else _RACK_SOURCE
    choices.ledger.assume("design.fabric.oob_ports_per_rack", RACK_PORTS + trays, "", source)
    return RACK_PORTS + trays
