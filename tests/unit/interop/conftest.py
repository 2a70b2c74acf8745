"""Small wired fabrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusterplan.core.equipment import Breakout, Switch
from clusterplan.sizing.clos_wiring import Naming, wire_clos
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import count_fabric

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.wired_fabric import WiredFabric


def wire_small(
    nodes: int = 6,
    *,
    kind: str = "infiniband",
    ports: int = 8,
    name: str = "compute",
    first_node: int = 0,
    **request: Any,
) -> WiredFabric:
    """Nodes of 2 rails on switches of 8 ports of 400G, 4 nodes a scalable unit."""
    switch = Switch(
        id="small-switch",
        vendor="",
        kind=kind,
        ports=ports,
        cages=ports,
        gbps_per_port=400,
        breakouts=(Breakout(2 * ports, 200),),
    )
    asked = {"nic_gbps": 400, "rails": 2, "nodes_per_su": 4} | request
    design = plan_fabric(FabricRequest(switch=switch, **asked))
    naming = Naming(first_node=first_node, total_nodes=first_node + nodes)
    return wire_clos(design, count_fabric(design, nodes), name=name, naming=naming)


@pytest.fixture
def wire() -> Callable[..., WiredFabric]:
    return wire_small
