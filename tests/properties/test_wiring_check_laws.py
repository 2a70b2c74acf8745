"""Laws of the wiring check: a random fabric, written to files and miswired, is told exactly."""

from __future__ import annotations

import csv
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clusterplan.core.equipment import Breakout, Switch
from clusterplan.core.wired_fabric import MANAGER, NODE, WiredFabric
from clusterplan.interop.discovered import read_cabling
from clusterplan.planning.wiring_check import check_wiring
from clusterplan.sizing.clos_wiring import wire_clos
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import count_fabric, reach_nodes
from clusterplan.sizing.wiring_scope import Selection

if TYPE_CHECKING:
    from clusterplan.core.results.wiring_check import WiringCheckSection

SPEEDS = {200.0: "4xHDR", 400.0: "4xNDR", 100.0: "2xHDR"}


class Wire(NamedTuple):
    """A link as it is cabled: devices by number, ports from 1, Gb/s."""

    a: int
    a_port: int
    z: int
    z_port: int
    gbps: float


@st.composite
def fabrics(draw: st.DrawFn) -> WiredFabric:
    ports = 2 * draw(st.integers(2, 6))
    switch = Switch(
        id="sample",
        vendor="",
        kind="infiniband",
        ports=ports,
        cages=ports // 2,
        gbps_per_port=400,
        breakouts=(Breakout(2 * ports, 200),),
    )
    request = FabricRequest(
        switch=switch,
        nic_gbps=400,
        rails=draw(st.integers(1, 4)),
        planes=draw(st.sampled_from([1, 1, 2])),
        nodes_per_su=draw(st.none() | st.integers(1, 2 * ports)),
        oversubscription_leaf=draw(st.sampled_from([1.0, 1.0, 2.0])),
        leaf_mode=draw(st.sampled_from(["rail", "rail", "packed"])),
        fabric_manager_cables=draw(st.sampled_from([0, 2])),
    )
    design = plan_fabric(request)
    assume(reach_nodes(design) > 0)
    nodes = min(draw(st.integers(1, 40)), reach_nodes(design))
    counts = count_fabric(design, nodes)
    steps = sorted({draw(st.integers(1, nodes)), nodes})
    return wire_clos(design, counts, stages=tuple(steps))


def wires(fabric: WiredFabric, plane: int | None = None) -> list[Wire]:
    return [
        Wire(link.a, link.a_port, link.z, link.z_port, fabric.gbps[link.tier])
        for link in fabric.links(plane)
    ]


def write_plan(fabric: WiredFabric, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        columns = "fabric tier plane a_device a_port z_device z_port speed_gbps stage"
        writer.writerow(columns.split())
        for link in fabric.links():
            a, z = fabric.devices[link.a], fabric.devices[link.z]
            row = [fabric.name, link.tier, link.plane, a.name, fabric.port_name(a, link.a_port)]
            row += [z.name, fabric.port_name(z, link.z_port), fabric.gbps[link.tier]]
            writer.writerow([*row, fabric.stages[link.stage - 1]])


def write_schedule(fabric: WiredFabric, found: list[Wire], path: Path) -> None:
    """Found links as the plainest schedule: four columns and the speed."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["z_port", "z_device", "a_port", "a_device", "speed_gbps"])
        for wire in found:
            a, z = fabric.devices[wire.a], fabric.devices[wire.z]
            ends = [fabric.port_name(z, wire.z_port), z.name]
            ends += [fabric.port_name(a, wire.a_port), a.name]
            writer.writerow([*ends, wire.gbps])


def write_dump(fabric: WiredFabric, found: list[Wire], path: Path) -> None:
    """Found links as ibnetdiscover lists them: from both ends, a record for every adapter."""
    records: dict[tuple[int, int], list[str]] = {}
    for number, device in enumerate(fabric.devices):
        if device.role not in (NODE, MANAGER):
            records[number, 0] = []
    for wire in found:
        ends = (wire.a, wire.a_port), (wire.z, wire.z_port)
        for (device, port), (peer, peer_port) in (ends, ends[::-1]):
            own, own_port = _record(fabric, device, port)
            other, other_port = _record(fabric, peer, peer_port)
            name = _description(fabric, *other)
            line = f'[{own_port}] "{_id(*other)}"[{other_port}] # "{name}" lid 7 '
            records.setdefault(own, []).append(line + SPEEDS[wire.gbps])
    with path.open("w", encoding="utf-8") as stream:
        for record, lines in records.items():
            kind = "Ca 1" if record[1] else f"Switch {fabric.devices[record[0]].ports}"
            stream.write(f'{kind} "{_id(*record)}" # "{_description(fabric, *record)}" lid 1\n')
            stream.write("\n".join([*lines, "", ""]))


def _record(fabric: WiredFabric, device: int, port: int) -> tuple[tuple[int, int], int]:
    is_host = fabric.devices[device].role in (NODE, MANAGER)
    return ((device, port), 1) if is_host else ((device, 0), port)


def _id(device: int, port: int) -> str:
    return f"H-{device:08x}{port:08x}" if port else f"S-{device:016x}"


def _description(fabric: WiredFabric, device: int, port: int) -> str:
    one = fabric.devices[device]
    return f"{one.name} {fabric.port_name(one, port)}" if port else f"MF0;{one.name}:{one.model}/U1"


def checked(
    fabric: WiredFabric, found: list[Wire], *, dump: bool, selection: Selection | None = None
) -> WiringCheckSection:
    with tempfile.TemporaryDirectory() as folder:
        plan, there = Path(folder) / "plan", Path(folder) / "found"
        write_plan(fabric, plan)
        (write_dump if dump else write_schedule)(fabric, found, there)
        section = check_wiring(read_cabling(plan), read_cabling(there), selection or Selection())
    links = sum(row.links for row in section.kinds)
    assert section.matched_links + links == section.planned_links
    assert sum(row.findings for row in section.kinds) == section.findings_total
    assert section.agrees == (not section.findings)
    return section


def end(fabric: WiredFabric, device: int, port: int) -> str:
    one = fabric.devices[device]
    return f"{one.name} {fabric.port_name(one, port)}"


def text(fabric: WiredFabric, wire: Wire) -> str:
    return f"{end(fabric, wire.a, wire.a_port)} - {end(fabric, wire.z, wire.z_port)}"


@settings(max_examples=80, deadline=None)
@given(fabrics(), st.booleans())
def test_a_fabric_cabled_as_planned_agrees(fabric: WiredFabric, dump: bool) -> None:
    found = wires(fabric)
    section = checked(fabric, found, dump=dump)
    assert section.agrees
    assert section.matched_links == section.found_links == section.links_with_speed == len(found)


@settings(max_examples=80, deadline=None)
@given(fabrics(), st.booleans(), st.data())
def test_every_cable_that_is_gone_is_missing(
    fabric: WiredFabric, dump: bool, data: st.DataObject
) -> None:
    found = wires(fabric)
    gone = data.draw(st.lists(st.sampled_from(found), min_size=1, max_size=3, unique=True))
    left = [wire for wire in found if wire not in gone]
    assume(left)
    section = checked(fabric, left, dump=dump)
    assert {row.kind for row in section.kinds} <= {"missing", "absent-device"}
    told = [part for row in section.findings for part in row.planned.split("; ")]
    if not section.not_covered:
        assert sorted(told) == sorted(text(fabric, wire) for wire in gone)


@settings(max_examples=80, deadline=None)
@given(fabrics(), st.booleans(), st.data())
def test_a_cable_too_many_is_extra(fabric: WiredFabric, dump: bool, data: st.DataObject) -> None:
    found = wires(fabric)
    used = {(w.a, w.a_port) for w in found} | {(w.z, w.z_port) for w in found}
    free = [
        (number, port)
        for number, device in enumerate(fabric.devices)
        for port in range(1, device.ports + 1)
        if (number, port) not in used
        if device.role not in (NODE, MANAGER)
    ]
    assume(len(free) > 1)
    a, z = sorted(data.draw(st.permutations(free))[:2])
    section = checked(fabric, [*found, Wire(*a, *z, found[0].gbps)], dump=dump)
    assert Counter(row.kind for row in section.findings) == {"extra": 1}
    assert section.findings[0].planned == "nothing"
    assert fabric.devices[a[0]].name in section.findings[0].found
    assert section.matched_links == len(found)


@settings(max_examples=100, deadline=None)
@given(fabrics(), st.booleans(), st.data())
def test_two_rails_of_one_node_are_told(
    fabric: WiredFabric, dump: bool, data: st.DataObject
) -> None:
    found = wires(fabric)
    number = data.draw(st.sampled_from(range(len(found))))
    rails = [
        place
        for place, wire in enumerate(found)
        if wire.a == found[number].a and fabric.devices[wire.a].role == NODE
    ]
    assume(len(rails) > 1)
    i, j = sorted(data.draw(st.permutations(rails))[:2])
    one, two = found[i], found[j]
    found[i] = one._replace(z=two.z, z_port=two.z_port)
    found[j] = two._replace(z=one.z, z_port=one.z_port)
    section = checked(fabric, found, dump=dump)
    assert [row.kind for row in section.findings] == ["swapped-rails"]
    row = section.findings[0]
    names = [fabric.devices[n].name for n in (one.a, one.z, two.z)]
    assert sorted(row.devices.split("; ")) == sorted(set(names))
    assert sorted(row.planned.split("; ")) == sorted([text(fabric, one), text(fabric, two)])
    assert sorted(row.found.split("; ")) == sorted([text(fabric, found[i]), text(fabric, found[j])])
    assert section.matched_links == len(found) - 2


@settings(max_examples=100, deadline=None)
@given(fabrics(), st.booleans(), st.data())
def test_two_cables_of_a_switch_are_told(
    fabric: WiredFabric, dump: bool, data: st.DataObject
) -> None:
    found = wires(fabric)
    number = data.draw(st.sampled_from(range(len(found))))
    upper = data.draw(st.booleans())  # two cables of the upper device, or of the lower one
    shared = found[number].z if upper else found[number].a
    places = [n for n, wire in enumerate(found) if (wire.z if upper else wire.a) == shared]
    assume(len(places) > 1 and fabric.devices[shared].role not in (NODE, MANAGER))
    i, j = sorted(data.draw(st.permutations(places))[:2])
    one, two = found[i], found[j]
    if upper:
        found[i] = one._replace(a=two.a, a_port=two.a_port)
        found[j] = two._replace(a=one.a, a_port=one.a_port)
    else:
        found[i] = one._replace(z=two.z, z_port=two.z_port)
        found[j] = two._replace(z=one.z, z_port=one.z_port)
    section = checked(fabric, found, dump=dump)
    assert len(section.findings) == 1
    row = section.findings[0]
    assert sorted(row.planned.split("; ")) != sorted(row.found.split("; "))
    others = (one.a, two.a) if upper else (one.z, two.z)
    roles = {fabric.devices[other].role for other in others}
    if others[0] != others[1] and roles <= {NODE}:
        assert row.kind == "swapped-nodes"
    elif roles.isdisjoint({NODE, MANAGER}):
        assert row.kind == "swapped-uplinks"
    assert fabric.devices[shared].name in row.devices.split("; ")
    assert section.matched_links == len(found) - 2


@settings(max_examples=80, deadline=None)
@given(fabrics(), st.booleans(), st.data())
def test_a_slow_link_is_told(fabric: WiredFabric, dump: bool, data: st.DataObject) -> None:
    found = wires(fabric)
    number = data.draw(st.sampled_from(range(len(found))))
    slow = found[number]
    found[number] = slow._replace(gbps=slow.gbps / 2)
    section = checked(fabric, found, dump=dump)
    assert [row.kind for row in section.findings] == ["wrong-speed"]
    row = section.findings[0]
    assert row.planned == f"{text(fabric, slow)} at {slow.gbps:g} Gb/s"
    assert row.found == f"{text(fabric, slow)} at {slow.gbps / 2:g} Gb/s"
    assert section.matched_links == len(found)


@settings(max_examples=80, deadline=None)
@given(fabrics(), st.booleans(), st.data())
def test_two_switches_in_each_others_place_are_one_finding(
    fabric: WiredFabric, dump: bool, data: st.DataObject
) -> None:
    found = wires(fabric)
    ports: dict[int, set[int]] = {}
    for wire in found:
        ports.setdefault(wire.a, set()).add(wire.a_port)
        ports.setdefault(wire.z, set()).add(wire.z_port)
    role = data.draw(st.sampled_from(["leaf", "spine"]))
    switches = [n for n, p in ports.items() if fabric.devices[n].role == role and len(p) > 2]
    assume(len(switches) > 1)
    x, y = data.draw(st.permutations(switches))[:2]
    # alike in what is cabled, in one plane: nothing but their names tells them apart
    assume(ports[x] == ports[y] and fabric.devices[x].plane == fabric.devices[y].plane)
    new = {x: y, y: x}
    swapped = [w._replace(a=new.get(w.a, w.a), z=new.get(w.z, w.z)) for w in found]
    assume(not same_links(found, swapped))
    section = checked(fabric, swapped, dump=dump)
    assert [row.kind for row in section.findings] == ["exchanged-devices"]
    assert {fabric.devices[n].name for n in (x, y)} == set(section.findings[0].devices.split("; "))


def same_links(one: list[Wire], other: list[Wire]) -> bool:
    return set(one) == set(other)


@settings(max_examples=60, deadline=None)
@given(fabrics())
def test_switches_without_names_are_known_by_their_cables(fabric: WiredFabric) -> None:
    assume(fabric.planes == 1)
    switches = {wire.z for wire in wires(fabric)}
    with tempfile.TemporaryDirectory() as folder:
        plan, there = Path(folder) / "plan", Path(folder) / "found"
        write_plan(fabric, plan)
        write_dump(fabric, wires(fabric), there)
        text_ = re.sub("MF0;[^:]*:sample/U1", "Quantum-2 Mellanox Technologies", there.read_text())
        there.write_text(text_)
        section = check_wiring(read_cabling(plan), read_cabling(there), Selection())
    assert section.agrees
    assert section.matched_links == len(wires(fabric))
    if len(switches) > 1:
        assert f"{len(switches)} switches without a name are known by their cables" in section.notes


@settings(max_examples=60, deadline=None)
@given(fabrics(), st.data())
def test_a_dump_of_one_plane_leaves_the_others_uncovered(
    fabric: WiredFabric, data: st.DataObject
) -> None:
    assume(fabric.planes > 1)
    plane = data.draw(st.integers(1, fabric.planes))
    with tempfile.TemporaryDirectory() as folder:
        plan, there = Path(folder) / "plan", Path(folder) / "found"
        write_plan(fabric, plan)
        only = [device.plane in (0, plane) for device in fabric.devices]
        write_dump(fabric, wires(fabric, plane), there)
        kept = []
        for record in there.read_text().split("\n\n"):
            head = record.split('"')
            place = int(head[1][2:10], 16) if head[1:] and head[1][0] == "H" else None
            if len(head) > 1 and place is None:
                place = int(head[1][2:], 16)
            if place is None or only[place]:
                kept.append(record)
        there.write_text("\n\n".join(kept))
        whole = check_wiring(read_cabling(plan), read_cabling(there), Selection())
        chosen = check_wiring(read_cabling(plan), read_cabling(there), Selection(plane=str(plane)))
    assert whole.agrees
    assert chosen.agrees
    assert len(whole.not_covered) == fabric.planes - 1
    assert chosen.not_covered == ()
    assert whole.planned_links == chosen.planned_links == len(wires(fabric, plane))


@settings(max_examples=60, deadline=None)
@given(fabrics(), st.booleans(), st.data())
def test_a_stage_is_compared_with_its_own_cables(
    fabric: WiredFabric, dump: bool, data: st.DataObject
) -> None:
    stage = data.draw(st.integers(1, len(fabric.stages)))
    links = list(fabric.links())
    there = [wire for wire, link in zip(wires(fabric), links, strict=True) if link.stage <= stage]
    name = fabric.stages[stage - 1]
    section = checked(fabric, there, dump=dump, selection=Selection(stage=name))
    assert section.agrees
    assert section.planned_links == len(there)
    everything = checked(fabric, wires(fabric), dump=dump, selection=Selection(stage=name))
    assert {row.kind for row in everything.kinds} <= {"extra"}
    assert everything.findings_total == len(links) - len(there)
    assert all("planned for stage" in row.finding for row in everything.findings)


@settings(max_examples=60, deadline=None)
@given(fabrics(), st.data())
def test_any_rewiring_is_accounted_for(fabric: WiredFabric, data: st.DataObject) -> None:
    """Whatever the upper ends are permuted to, every planned link is matched or explained."""
    found = wires(fabric)
    order = data.draw(st.permutations(range(min(len(found), 12))))
    mixed = [
        wire._replace(z=found[order[n]].z, z_port=found[order[n]].z_port)
        if n < len(order)
        else wire
        for n, wire in enumerate(found)
    ]
    section = checked(fabric, mixed, dump=True)
    assert section.agrees == same_links(
        [w._replace(gbps=0) for w in mixed], [w._replace(gbps=0) for w in found]
    )
    assert "missing" not in {row.kind for row in section.kinds}
