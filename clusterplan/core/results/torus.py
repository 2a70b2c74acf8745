"""A torus of accelerators: the scale-up fabric of TPU-style pods."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class TorusSection:
    """Under the key `fabric`; `topology`: torus-2d or torus-3d; `sides` as 16x20x28."""

    topology: str
    sides: str
    scale_up_kind: str
    accelerators: int = figure("Accelerators", formula="torus_accelerators")
    racks: int | None = figure("Racks", formula="given")
    links: int = figure("Links", formula="total_links")
    links_between_racks: int | None = figure(
        "Links between racks", basis="optical", formula="total_links", optional=True
    )
    link_gbps: float = figure("Link, one direction", formula="torus_link_gbps|given")
    bisection_tb_per_s: float | None = figure(
        "Bisection, one direction", formula="torus_bisection_tb_per_s"
    )
    worst_link_hops: int = figure("Links between two accelerators at most", formula="torus_hops")
    leaf_switches: int = figure("Switches", formula="given")
