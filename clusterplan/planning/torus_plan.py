"""A torus of a rack's accelerators: design and report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan import catalog
from clusterplan.catalog import UnknownRowError
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import given
from clusterplan.core.results.torus import TorusSection
from clusterplan.sizing import torus
from clusterplan.sizing.cabling_totals import total_links
from clusterplan.sizing.torus import TorusDesign

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack
    from clusterplan.planning.choices import Ledger


TORUS_KINDS = ("ici", "neuronlink")  # scale-up links that make a torus; the others are switched


def torus_design(
    rack: Rack, sides: tuple[int, ...], link_gbps: float | None, ledger: Ledger
) -> TorusDesign:
    """The torus of a rack's accelerators; the speed of a link from its scale-up bandwidth.

    Raises InputError where that is not known and no speed is given.
    """
    kind = rack.scale_up_kind
    if kind and not kind.startswith(TORUS_KINDS):
        message = f"the accelerators of {rack.id} are joined by {kind}, which is switched"
        hint = "a torus joins those of tpu-v5p-cube, tpu-v7-ironwood-cube or a Trainium rack"
        raise InputError(Problem(message, path="--torus", hint=hint))
    if link_gbps is None:
        try:
            row = catalog.accelerator(rack.accelerator) if rack.accelerator else None
        except UnknownRowError:
            row = None
        bandwidth = row.scale_up_bandwidth_gb_per_s if row else None
        if row is None or bandwidth is None:
            message = "the scale-up bandwidth of the accelerator is not known"
            raise InputError(Problem(message, path="--nic", hint='give a link: "800 Gb/s"'))
        given("accelerator.bandwidth_gb_per_s", bandwidth, "GB/s", row.source, row.verified)
        link_gbps = torus.torus_link_gbps(bandwidth, len(sides))
        source = "scale-up bandwidth over the links of an accelerator"
        ledger.assume("fabric.link_gbps", link_gbps, "Gb/s", source, verified=row.verified)
    else:
        given("fabric.link_gbps", link_gbps, "Gb/s", "--nic", "given")
    return TorusDesign(sides, link_gbps, torus.rack_block(sides, rack.accelerators_per_rack))


def torus_section(design: TorusDesign, rack: Rack, ledger: Ledger) -> TorusSection:
    """All figures of a torus; warns where racks or a bisection cannot be told."""
    x, y, z = torus.three(design.sides)
    count = torus.torus_accelerators(x, y, z)
    along = tuple(torus.torus_links(count, side) for side in design.sides)
    between = None
    racks = None
    if design.rack_sides is not None:
        racks = count // rack.accelerators_per_rack
        given("fabric.racks", racks, "racks", "accelerators over those of a rack")
        between = total_links(
            tuple(
                torus.torus_links_between(links, side, block)
                for links, side, block in zip(along, design.sides, design.rack_sides, strict=True)
            )
        )
    else:
        message = f"a rack of {rack.accelerators_per_rack} is no equal-sided block of this torus"
        ledger.warn("rack_no_block", "fabric.sides", message)
    domain = rack.scale_up_domain_size
    if domain is not None and count > domain:
        message = f"{count} accelerators are more than a domain of {rack.id} joins, {domain}"
        ledger.warn("beyond_domain", "fabric.sides", message)
    cuts = tuple(torus.torus_cut(count, side) for side in design.sides if side % 2 == 0)
    if not cuts:
        ledger.warn("no_halves", "fabric.bisection_tb_per_s", "no side is even: no equal halves")
    given("fabric.leaf_switches", 0, "switches", "a torus has none")
    bisection = torus.torus_bisection_tb_per_s(cuts, design.link_gbps) if cuts else None
    return TorusSection(
        topology=f"torus-{len(design.sides)}d",
        sides="x".join(map(str, design.sides)),
        scale_up_kind=rack.scale_up_kind,
        accelerators=count,
        racks=racks,
        links=total_links(along),
        links_between_racks=between,
        link_gbps=design.link_gbps,
        bisection_tb_per_s=bisection,
        worst_link_hops=torus.torus_hops(x, y, z),
        leaf_switches=0,
    )
