"""The fabrics that would hold the same nodes, side by side."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class FabricOptionRow:
    """One switch of the catalogue with a number of planes; the first row is the one planned.

    ports_as: several ports of an accelerator as rails or planes. Power is of switches and the
    modules in their cages, all links optical; cost is of switches, modules at both ends and cables.
    """

    switch: str
    kind: str
    planes: int = figure("Planes", formula="given")
    ports_as: str = ""
    tiers: int = figure("Tiers", formula="given")
    leaf_switches: int = figure("Leaf", formula="given")
    spine_switches: int = figure("Spine", formula="given")
    core_switches: int = figure("Core", formula="given")
    switches: int = figure("Switches", formula="option_switches")
    modules: int = figure("Modules", formula="option_modules")
    power_kw: float = figure("Power", formula="option_power_kw")
    cost_musd: float = figure("Cost", formula="option_cost_musd")


@frozen
class FabricOptions:
    """Rows in the order of the objective: switches, optics, power or cost."""

    objective: str
    tried: int = figure("Tried", formula="given")
    held: int = figure("Hold the nodes", formula="given")
    rows: tuple[FabricOptionRow, ...] = ()
