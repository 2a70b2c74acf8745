"""Cabling of a site's fabrics: what to order, how long it is, when it is pulled."""

from __future__ import annotations

from clusterplan.core.figures import figure
from clusterplan.core.frozen import frozen


@frozen
class BomRow:
    """One item of the bill of materials.

    item: switch, module, cable (its ends attached), fibre or cord; id: of the catalogue, `built-in`
    for optics inside a switch, empty where no medium reaches; place: the tier of a cable, the place
    of a module or switch (node, leaf, spine, core, manager); length_m: in stock, of a cable;
    cables: cable ids of the schedule, two to a twin-port cable.
    """

    fabric: str
    item: str
    id: str
    part: str
    place: str
    length_m: float | None = figure("Length", formula="given", optional=True)
    cables: int | None = figure("Cable ids", formula="given", optional=True)
    quantity: int = figure("Quantity", formula="given")
    spares: int = figure("Spares", formula="spares")
    total: int = figure("Total", formula="with_spares")


@frozen
class CableTierRow:
    """Links and cables of one tier of one fabric."""

    fabric: str
    tier: str
    links: int = figure("Links", formula="given")
    cables: int = figure("Cables", formula="given")
    longest_run_m: float = figure("Longest run", formula="given")


@frozen
class CableStageRow:
    """What stands at the end of a stage; no cable of an earlier stage is moved."""

    stage: str
    servers: int = figure("Servers", formula="given")
    switches: int = figure("Switches", formula="given")
    links: int = figure("Links", formula="given")
    links_added: int = figure("Links added", formula="links_added")


@frozen
class CablingSection:
    """Placement, lengths and bill of materials. `medium`: by-length or optical."""

    medium: str
    compute_racks: int = figure("Compute racks", formula="given")
    network_racks: int = figure("Network racks", formula="given")
    links: int = figure("Links", formula="total_links")
    cables: int = figure("Cables", formula="total_cables")
    cable_length_km: float = figure("Cable in stock lengths", formula="cable_length_km")
    longest_run_m: float = figure("Longest run", formula="longest_run_m")
    optics_power_kw: float = figure(
        "Optics power in switch cages", basis="as cabled", formula="cabled_optics_kw"
    )
    rack_optics_max_kw: float = figure(
        "Optics of the fullest network rack", formula="rack_optics_max_kw"
    )
    node_optics_power_kw: float = figure(
        "Optics power at the NICs", basis="as cabled, inside the racks", formula="cabled_optics_kw"
    )
    tiers: tuple[CableTierRow, ...] = ()
    stages: tuple[CableStageRow, ...] = ()
    items: tuple[BomRow, ...] = ()
