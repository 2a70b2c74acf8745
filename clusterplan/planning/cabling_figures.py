"""The cabling section of a report, and the bill of materials."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.core.results.cabling import (
    BomRow,
    CableStageRow,
    CableTierRow,
    CablingSection,
)
from clusterplan.core.wired_fabric import NODE, SWITCH_ROLES
from clusterplan.sizing import cabling_totals as totals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterplan.planning.cabling_plan import CabledFabric
    from clusterplan.planning.choices import Choices
    from clusterplan.sizing.cable_placement import Placement
    from clusterplan.sizing.cabling import CableLine, Totals

_COUNTED = "the cable schedule, counted"


def cabling_section(
    fabrics: list[CabledFabric], placement: Placement, choices: Choices
) -> CablingSection:
    """Totals of all fabrics, with the bill of materials; warns where no medium reaches."""
    counted = [(one, one.cabling.totals()) for one in fabrics]
    share = choices.number("fabric.spares")
    _warn(counted, choices)
    tiers = _tiers(counted)
    lengths = tuple(
        line.cables * line.length_m
        for _, found in counted
        for line in found.cables
        if line.length_m is not None
    )
    racks = Counter(placement.racks[rack].kind for rack in _racks_used(fabrics, placement))
    given("cabling.compute_racks", racks["compute"], "racks", "placement of the servers")
    given("cabling.network_racks", racks["network"], "racks", "placement of the switches")
    watts = _rack_watts(counted)
    return CablingSection(
        medium=choices.text("fabric.medium"),
        compute_racks=racks["compute"],
        network_racks=racks["network"],
        links=totals.total_links(tuple(row.links for row in tiers)),
        cables=totals.total_cables(tuple(row.cables for row in tiers)),
        cable_length_km=totals.cable_length_km(lengths),
        longest_run_m=totals.longest_run_m(tuple(row.longest_run_m for row in tiers)),
        optics_power_kw=totals.cabled_optics_kw(_module_watts(counted, nodes=False)),
        rack_optics_max_kw=totals.rack_optics_max_kw(watts or (0.0,)),
        node_optics_power_kw=totals.cabled_optics_kw(_module_watts(counted, nodes=True)),
        tiers=tiers,
        stages=_stages(fabrics),
        items=bill(counted, share),
    )


def _racks_used(fabrics: list[CabledFabric], placement: Placement) -> set[int]:
    """Cabinets that hold a device of these fabrics; others stand on the same floor."""
    return {placement.rack_of[device.name] for one in fabrics for device in one.wired.devices}


def _tiers(counted: list[tuple[CabledFabric, Totals]]) -> tuple[CableTierRow, ...]:
    rows: list[CableTierRow] = []
    for one, found in counted:
        for tier, links in found.links.items():
            path = f"cabling.tiers.{len(rows)}"
            cables = sum(line.cables for line in found.cables if line.tier == tier)
            run = found.longest_m[tier]
            given(f"{path}.links", links, "links", _COUNTED)
            given(f"{path}.cables", cables, "cables", f"{_COUNTED}: by cable id")
            given(f"{path}.longest_run_m", run, "m", "tray rise, run along and across rows, slack")
            rows.append(
                CableTierRow(
                    fabric=one.wired.name, tier=tier, links=links, cables=cables, longest_run_m=run
                )
            )
    return tuple(rows)


def _module_watts(counted: list[tuple[CabledFabric, Totals]], *, nodes: bool) -> tuple[float, ...]:
    found = [
        line.power_w
        for _, one in counted
        for line in one.modules
        if (line.place not in SWITCH_ROLES) == nodes
    ]
    return tuple(found) or (0.0,)


def _rack_watts(counted: list[tuple[CabledFabric, Totals]]) -> tuple[float, ...]:
    watts: dict[int, float] = {}
    for _, found in counted:
        for rack, power in found.rack_w.items():
            watts[rack] = watts.get(rack, 0.0) + power
    return tuple(watts.values())


def _stages(fabrics: list[CabledFabric]) -> tuple[CableStageRow, ...]:
    """Servers, switches and links of every stage; none where there is one stage only."""
    names = fabrics[0].wired.stages
    if len(names) < 2:
        return ()
    servers: Counter[int] = Counter()
    switches: Counter[int] = Counter()
    links: Counter[int] = Counter()
    for one in fabrics:
        for device in one.wired.devices:
            if device.role == NODE:
                servers[device.stage] += 1
            elif device.role in SWITCH_ROLES:
                switches[device.stage] += 1
        for link in one.wired.links():
            links[link.stage] += 1
    rows = []
    before = 0
    for number, name in enumerate(names, start=1):
        upto = [sum(n for s, n in c.items() if s <= number) for c in (servers, switches, links)]
        path = f"cabling.stages.{number - 1}"
        given(f"{path}.servers", upto[0], "servers", "stages asked for")
        given(f"{path}.switches", upto[1], "switches", "devices of the final plan that stand")
        given(f"{path}.links", upto[2], "links", "links of the final plan that stand")
        rows.append(
            CableStageRow(
                stage=name,
                servers=upto[0],
                switches=upto[1],
                links=upto[2],
                links_added=totals.links_added(upto[2], before),
            )
        )
        before = upto[2]
    return tuple(rows)


class _Item(NamedTuple):
    """One line of the bill before spares."""

    item: str
    id: str
    part: str
    place: str
    quantity: int
    length_m: float | None = None
    cables: int | None = None


def bill(counted: list[tuple[CabledFabric, Totals]], share: float) -> tuple[BomRow, ...]:
    """Switches, modules and cables of all fabrics, with spares."""
    rows: list[BomRow] = []
    for one, found in counted:
        for line in _items(one, found):
            path = f"cabling.items.{len(rows)}"
            given(f"{path}.quantity", line.quantity, "", _COUNTED)
            if line.length_m is not None:
                given(f"{path}.length_m", line.length_m, "m", "length in stock")
            if line.cables is not None:
                given(f"{path}.cables", line.cables, "", f"{_COUNTED}: by cable id")
            spare = totals.spares(line.quantity, share)
            total = totals.with_spares(line.quantity, spare)
            rows.append(BomRow(fabric=one.wired.name, **line._asdict(), spares=spare, total=total))
    return tuple(rows)


def _items(one: CabledFabric, found: Totals) -> Iterator[_Item]:
    roles = Counter(
        (device.role, device.model) for device in one.wired.devices if device.role in SWITCH_ROLES
    )
    for (role, model), count in roles.items():
        yield _Item("switch", model, catalog.switch(model).name, role, count)
    for module in found.modules:
        if not module.attached:
            yield _Item("module", module.module, _part(module.module), module.place, module.modules)
    for line in found.cables:
        item, id_, part = _cable(line)
        yield _Item(item, id_, part, line.tier, line.parts, line.length_m, line.cables)


def _part(module: str) -> str:
    """The maker's part number of a module or cable, else its name in the catalogue."""
    for row in catalog.optics():
        if row.id == module:
            return row.part or row.name
    return ""


def _cable(line: CableLine) -> tuple[str, str, str]:
    """Item, id and part of a line of cables."""
    medium = line.medium
    if medium is None:
        return "cable", "", "no medium reaches"
    if medium.attached:
        return "cord" if medium.z_module is None else "cable", medium.id, _part(medium.id)
    return "fibre", medium.name.lower().replace(" ", "-"), medium.name


def _warn(counted: list[tuple[CabledFabric, Totals]], choices: Choices) -> None:
    """Say which cables no medium of the catalogue reaches."""
    for one, found in counted:
        for tier in found.links:
            lost = sum(
                line.cables for line in found.cables if line.tier == tier and not line.medium
            )
            if lost:
                choices.ledger.warn(
                    "no_medium",
                    f"cabling.{one.wired.name}.{tier}",
                    f"no medium of the catalogue reaches {lost:,} {tier} cables of up to "
                    f"{found.longest_m[tier]:.0f} m; place the racks closer or split the fabric",
                )
