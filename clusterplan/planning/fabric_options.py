"""Every switch of the catalogue, in 1, 2, 4 and 8 planes, for the same nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import given
from clusterplan.core.results.fabric_options import FabricOptionRow, FabricOptions
from clusterplan.planning.fabric_plan import count_site_fabric, fabric_design
from clusterplan.sizing import fabric_options as formulas
from clusterplan.sizing.fabric_count import count_fabric

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.core.equipment import Rack
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.fabric_plan import FabricPlan
    from clusterplan.sizing.fabric_site import SiteFabric

OBJECTIVES = ("switches", "optics", "power", "cost")
_PLANES = (1, 2, 4, 8)
_MOST_ROWS = 12


class Option(NamedTuple):
    """One alternative: what to choose for it, and its count."""

    chosen: dict[str, object]
    plan: FabricPlan
    counted: SiteFabric


def best_choices(
    choices: Choices, rack: Rack, servers: int, objective: str, *, rails: int | None = None
) -> tuple[dict[str, object], FabricOptions]:
    """The choices of the best alternative, and the table of the others.

    What the user fixed (switch, planes, ports_as) stays fixed. Raises InputError for an unknown
    objective, InfeasibleError where no alternative holds the servers.
    """
    if objective not in OBJECTIVES:
        message = f"{objective!r} is not {' or '.join(OBJECTIVES)}"
        raise InputError(Problem(message, path="--optimise"))
    tried, found, offered = 0, [], 0
    for chosen in _candidates(choices, rack):
        tried += 1
        try:
            variant = choices.varied(chosen)
            plan = fabric_design(variant, rack, rails=rails, single_cluster=True)
        except InputError:
            continue  # no port of that speed
        if plan is None:
            continue
        offered += 1
        try:
            count_fabric(plan.site.fabric, servers)
        except InfeasibleError:
            continue  # out of reach
        found.append(Option(chosen, plan, count_site_fabric(plan, servers)))
    if not offered:
        message = "no switch of the catalogue offers these ports"
        raise InputError(Problem(message, path="fabric.planes"))
    if not found:
        message = f"none of {tried} fabrics of the catalogue holds {servers} servers"
        raise InfeasibleError(message, limit="fabric")
    pairs = sorted(
        ((one, _row(one, choices)) for one in found), key=lambda pair: _order(pair[1], objective)
    )
    rows = tuple(row for _, row in pairs[:_MOST_ROWS])
    _note(rows, tried, len(found))
    table = FabricOptions(objective=objective, tried=tried, held=len(found), rows=rows)
    return pairs[0][0].chosen, table


def _candidates(choices: Choices, rack: Rack) -> Iterator[dict[str, object]]:
    ports = rack.scale_out_ports_per_accelerator or 1
    ways = ["rails", "planes"] if ports > 1 else ["rails"]
    fixed = choices.is_given("fabric.planes")
    for row in catalog.switches():
        if row.role != "compute":
            continue
        for planes in [int(choices.number("fabric.planes"))] if fixed else _PLANES:
            for way in ways:
                chosen = {
                    "fabric.switch": row.id,
                    "fabric.planes": planes,
                    "fabric.ports_as": way,
                }
                if all(
                    not choices.is_given(path) or choices.get(path) == value
                    for path, value in chosen.items()
                ):
                    yield chosen


def _order(row: FabricOptionRow, objective: str) -> tuple[object, ...]:
    """By the objective, then by the others, then by name, so that the order is the same always."""
    by = {
        "switches": row.switches,
        "optics": row.modules,
        "power": row.power_kw,
        "cost": row.cost_musd,
    }
    first = by.pop(objective)
    return (first, *by.values(), row.planes, row.switch)


def _row(one: Option, choices: Choices) -> FabricOptionRow:
    counted, fabric = one.counted, one.plan.site.fabric
    equipment, switch = one.plan.site.equipment, fabric.request.switch
    at_nics = 0 if equipment.copper else counted.servers * fabric.nic_ports_per_node
    cages = counted.leaf_modules + counted.spine_modules + counted.core_modules
    cage = equipment.switch_module.speed_gbps if equipment.switch_module else 0.0
    own_gbps = (switch.ports or 0) * (switch.gbps_per_port or 0.0)
    switches = formulas.option_switches(
        counted.leaf_switches, counted.spine_switches, counted.core_switches
    )
    links = sum(n * (f.leaf_spine_links + f.spine_core_links) for n, f in counted.fabrics)
    lanes = max(1, fabric.spine_radix // fabric.native_ports)
    cost = formulas.option_cost_musd(
        switches * own_gbps,
        # optics built into a switch are bought with it, for every port
        (switches * own_gbps if switch.built_in_optics else cages * cage)
        + at_nics * fabric.request.nic_gbps,
        at_nics + -(-links * fabric.planes // lanes),
        choices.number("fabric.switch_usd_per_gbps"),
        choices.number("fabric.module_usd_per_gbps"),
        choices.number("fabric.cable_usd"),
    )
    ports = one.plan.rack.scale_out_ports_per_accelerator or 1
    return FabricOptionRow(
        switch=switch.id,
        kind=switch.kind,
        planes=fabric.request.planes,
        ports_as="planes" if fabric.request.ports_as_planes > 1 else "rails" if ports > 1 else "",
        tiers=max(f.tiers for _, f in counted.fabrics),
        leaf_switches=counted.leaf_switches,
        spine_switches=counted.spine_switches,
        core_switches=counted.core_switches,
        switches=switches,
        modules=formulas.option_modules(
            counted.leaf_modules, counted.spine_modules, counted.core_modules, at_nics
        ),
        power_kw=formulas.option_power_kw(counted.switch_power_kw, counted.optics_power_kw),
        cost_musd=cost,
    )


def _note(rows: tuple[FabricOptionRow, ...], tried: int, held: int) -> None:
    given("options.tried", tried, "fabrics", "switches of the catalogue x planes")
    given("options.held", held, "fabrics", "those with the port speed and the reach")
    for number, row in enumerate(rows):
        for name in ("planes", "tiers", "leaf_switches", "spine_switches", "core_switches"):
            source = "counted as the fabric itself"
            given(f"options.rows.{number}.{name}", getattr(row, name), "", source)
