"""A row of the report for each fabric beside the compute fabric."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clusterplan.core.record import given
from clusterplan.core.results.fabric import SupportFabricRow
from clusterplan.planning.support_plan import OOB_CORD
from clusterplan.sizing.support_fabrics import OUT_OF_BAND

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack
    from clusterplan.core.results.fabric import FabricSection
    from clusterplan.planning.support_plan import SupportPlan
    from clusterplan.sizing.support_fabrics import ClosBeside
    from clusterplan.sizing.support_totals import SupportFabric


def with_support(
    section: FabricSection, plan: SupportPlan | None, counted: tuple[SupportFabric, ...]
) -> FabricSection:
    """The fabric section with a row for each fabric beside it; warnings go to the ledger."""
    if plan is None:
        return section
    return replace(section, fabrics=tuple(_row(plan, one) for one in counted))


def _row(plan: SupportPlan, one: SupportFabric) -> SupportFabricRow:
    """The row of one fabric, with what its figures take in noted."""
    oob = plan.design.out_of_band
    if one.name == OUT_OF_BAND and oob is not None:
        switch, speed = oob.access.id, oob.access_gbps
        medium = f"copper {OOB_CORD}, uplinks {oob.uplink_module.id}"
        above = oob.aggregation.id
        given(f"fabric.fabrics.{one.name}.core_switches", 0, "switches", "two tiers at most")
    else:
        clos = next(clos for clos in plan.design.clos if clos.name == one.name)
        request, equipment = clos.site.fabric.request, clos.site.equipment
        switch, speed, above = request.switch.id, request.nic_gbps, request.switch.id
        medium = "optical" if equipment.cages else "optical, built in"
        _note_clos(f"fabric.fabrics.{one.name}", clos, plan.rack)
        if one.clusters > 1:
            message = (
                f"one {one.name} fabric does not reach: it is {one.clusters} that share no link"
            )
            plan.ledger.warn("clusters", f"fabric.fabrics.{one.name}", message)
    path = f"fabric.fabrics.{one.name}"
    given(f"{path}.link_gbps", speed, "Gb/s", f"racks.{plan.rack.id}", plan.rack.verified)
    given(f"{path}.tiers", one.tiers, "tiers", "clusterplan method, fabric rule 4")
    given(f"{path}.clusters", one.clusters, "", "counting rule 12: fewest that reach")
    return SupportFabricRow(
        name=one.name,
        switch=switch,
        spine_switch=above if one.tiers > 1 else "",
        medium=medium,
        link_gbps=speed,
        clusters=one.clusters,
        tiers=one.tiers,
        endpoints=one.endpoints,
        leaf_switches=one.leaf_switches,
        spine_switches=one.spine_switches,
        core_switches=one.core_switches,
        endpoint_cables=one.endpoints,
        switch_links=one.switch_links,
        modules=one.modules,
        oversubscription=one.oversubscription,
        switch_power_kw=one.switch_power_kw,
        optics_power_kw=one.optics_power_kw,
        rack_units=one.rack_units,
    )


def _note_clos(path: str, clos: ClosBeside, rack: Rack) -> None:
    """Note what the counts of a storage or in-band fabric take in."""
    fabric = clos.site.fabric
    switch = fabric.request.switch
    words = "clusterplan method, fabric rule 16"
    given(f"{path}.ports_per_server", fabric.request.rails, "ports", words, rack.verified)
    given(f"{path}.radix", fabric.radix, "ports", switch.source or switch.id, switch.verified)
    given(f"{path}.management_servers", clos.management_servers, "servers", words)
