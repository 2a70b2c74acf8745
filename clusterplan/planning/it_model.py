"""IT power of a site as a function of its servers: racks, fabrics, storage and management.

It depends on the rack and on the choices alone, not on where the site lies.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.planning import fabric_plan, support_plan
from clusterplan.planning.cooling_plan import ItLoad
from clusterplan.planning.power_plan import power_design
from clusterplan.sizing import power
from clusterplan.sizing.support_fabrics import storage_and_management_kw

if TYPE_CHECKING:
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.rack_choice import RackChoice
    from clusterplan.sizing.fabric_site import SiteFabric
    from clusterplan.sizing.power import ItPower
    from clusterplan.sizing.support_totals import SupportFabric

_KEPT_MOST = 16384


class ItPoint(NamedTuple):
    """IT at one count of servers.

    support: fabrics beside the compute fabric; support_mw: their switches and modules that are
    part of the storage and of the management power, None where none is counted. load: the same as
    the cooling sees it, at the capacity basis. regime: what makes its power jump when it changes.
    """

    it: ItPower
    fabric: SiteFabric | None
    support: tuple[SupportFabric, ...]
    support_mw: tuple[float | None, float | None]
    load: ItLoad
    regime: tuple[object, ...]


class ItModel:
    """Racks and fabrics; `at` evaluates a count of servers and keeps it."""

    def __init__(self, choices: Choices, chosen: RackChoice) -> None:
        self.fabric = fabric_plan.fabric_design(choices, chosen.rack)
        # a single cluster is a limit of its own: a count beyond its reach is still counted
        self.single_cluster = self.fabric is not None and self.fabric.site.single_cluster
        if self.fabric is not None and self.single_cluster:
            site = dataclasses.replace(self.fabric.site, single_cluster=False)
            self.fabric = self.fabric._replace(site=site)
        self.support = None
        if self.fabric is not None:
            self.support = support_plan.support_design(choices, chosen.rack, self.fabric)
        self.power = power_design(choices, chosen, fabric_counted=self.fabric is not None)
        self.servers_per_rack = chosen.shape.servers_per_rack
        self._many = choices.many
        self._kept: dict[int, ItPoint] = {}

    def at(self, servers: int) -> ItPoint:
        """IT of so many servers. Raises InfeasibleError where not even one rack is reached."""
        point = self._kept.get(servers)
        if point is None:
            point = self.evaluate(servers)
            if self._many:
                if len(self._kept) >= _KEPT_MOST:
                    del self._kept[next(iter(self._kept))]
                point = _slim(point)
            self._kept[servers] = point
        return point

    def evaluate(self, servers: int) -> ItPoint:
        """The same, calculated anew (recorded where a record is kept)."""
        fabric = None
        support: tuple[SupportFabric, ...] = ()
        switches = (0.0, 0.0)
        if self.fabric is not None:
            fabric = fabric_plan.count_site_fabric(self.fabric, servers)
            switches = (fabric.switch_power_kw, fabric.optics_power_kw)
            if self.support is not None:
                support = support_plan.count_support_fabrics(self.support, fabric, servers)
        support_mw = _support_mw(support)
        least = (support_mw[0] or 0.0, support_mw[1] or 0.0)
        it = power.it_power(self.power, servers, switches, least)
        load = self._load(servers, it, fabric)
        regime = _regime(fabric, support, support_mw, it)
        return ItPoint(it, fabric, support, support_mw, load, regime)

    def _load(self, servers: int, it: ItPower, fabric: SiteFabric | None) -> ItLoad:
        air, liquid = it.network_mw, 0.0
        if fabric is not None and fabric.network_power_kw > 0.0:
            liquid = it.network_mw * fabric.network_liquid_kw / fabric.network_power_kw
            air = it.network_mw - liquid
        return ItLoad(
            servers / self.servers_per_rack,
            it.compute_mw,
            air,
            liquid,
            it.storage_mw + it.management_mw,
        )


def _slim(point: ItPoint) -> ItPoint:
    """Without what only a printed plan asks for, since thousands are kept among many sites."""
    fabric = None if point.fabric is None else point.fabric._replace(fabrics=())
    return point._replace(fabric=fabric, support=())


def _regime(
    fabric: SiteFabric | None,
    support: tuple[SupportFabric, ...],
    support_mw: tuple[float | None, float | None],
    it: ItPower,
) -> tuple[object, ...]:
    if fabric is None:
        return ()
    tiers = {one.tiers for _, one in fabric.fabrics}
    # below its allowance a fabric's power does not show, nor do its jumps
    shows = any(
        counted is not None and counted == part
        for counted, part in zip(support_mw, (it.storage_mw, it.management_mw), strict=True)
    )
    beside = tuple(one.regime for one in support) if shows else ()
    return (fabric.clusters, tiers, beside)


def _support_mw(support: tuple[SupportFabric, ...]) -> tuple[float | None, float | None]:
    """Switches and modules in storage and in management power, MW; None where none is counted."""
    storage, management = storage_and_management_kw(support)
    return (
        power.it_storage_network_mw(*storage) if storage[0] else None,
        power.it_management_network_mw(*management) if management[0] else None,
    )
