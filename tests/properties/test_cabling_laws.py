"""Laws of placement, cable lengths, media and the bill of materials."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.cli.fabric import planned
from clusterplan.core.wired_fabric import HOST_ROLES, NODE, CableRow
from clusterplan.planning.cabling_figures import bill
from clusterplan.sizing.cable_placement import cable_run_inside_m, cable_run_m

SAMPLES = [
    {"rack": "dgx-h100-x4", "accelerators": 1016, "reserve_nodes": 1},
    {"rack": "dgx-h100-x4", "accelerators": 2560, "oversubscription": "2,2"},
    {"rack": "gb300-nvl72", "accelerators": 576, "switch": "sn5610", "planes": 2},
    {"rack": "gb200-nvl72", "accelerators": 72},
    {"rack": "helios-72", "accelerators": 576, "leaf_mode": "packed"},
    {"rack": "mi300x-8x4-air", "accelerators": 1024},
    {"rack": "dgx-a100-x4", "accelerators": 640},
    {"rack": "dgx-h100-x4", "accelerators": 2048, "topology": "dragonfly-plus"},
    {"rack": "dgx-h100-x4", "accelerators": 512, "topology": "rail-only"},
    {"nodes": 600, "rails": 8, "nic": "400 Gb/s", "switch": "sn5600", "uplink": "800 Gb/s"},
    {"nodes": 90, "rails": 8, "nic": "800 Gb/s", "switch": "q3450-ld"},
    {"nodes": 162, "rails": 1, "nic": "1 Gb/s", "switch": "sn2201"},
]


def schedule(options: dict[str, object], fabric: str = "compute") -> tuple[object, list[CableRow]]:
    job = planned(**options)
    cabled = job.cabling(fabric)
    return (job, cabled), [row for one in cabled.fabrics for row in one.cabling.rows()]


@pytest.mark.parametrize("options", SAMPLES)
def test_rows_are_links_and_ids_are_the_bill(options: dict[str, object]) -> None:
    (job, cabled), rows = schedule(options)
    section = job.report.parts["fabric"]
    managers = sum(row.tier == "fabric-manager" for row in rows)
    links = section.endpoint_links + section.leaf_spine_links + section.spine_core_links
    assert len(rows) - managers == links + (section.global_links or 0)
    assert managers <= section.fabric_manager_cables
    ids = defaultdict(set)
    for row in rows:
        ids[row.tier].add(row.cable_id)
    assert len(ids["endpoint"]) == section.endpoint_cables
    assert len(ids["leaf-spine"]) == section.leaf_spine_cables
    assert len(ids["spine-core"]) == section.spine_core_cables
    items = bill([(one, one.cabling.totals()) for one in cabled.fabrics], 0.05)
    by_place = Counter()
    for item in items:
        if item.cables is not None:
            by_place[item.place] += item.cables
            assert item.quantity <= item.cables  # a twin-port cable serves two ids
        assert item.total == item.quantity + item.spares
        assert item.spares >= 0.05 * item.quantity - 1e-9
    assert by_place == {tier: len(found) for tier, found in ids.items() if found}
    switches = sum(item.quantity for item in items if item.item == "switch")
    assert switches == section.switches


@pytest.mark.parametrize("options", SAMPLES)
def test_lengths_cover_the_runs(options: dict[str, object]) -> None:
    """The written-out fast path gives what the recorded formula gives, rounded up to stock."""
    (_, cabled), rows = schedule(options)
    placement, stock = cabled.placement, {row.id: row.lengths_m for row in catalog.cable_lengths()}
    every = sorted({length for lengths in stock.values() for length in lengths})
    places = {rack.name: rack for rack in placement.racks}
    heights = {}
    for name, unit in placement.unit_of.items():
        heights[name] = placement.grid.tray_height_m - unit * 0.04445
    per_cable = defaultdict(set)
    for row in rows:
        a, z = places[row.a_rack], places[row.z_rack]
        low, high = heights[row.a_device], heights[row.z_device]
        slack = placement.grid.slack_m
        if a is z:
            run = cable_run_inside_m(low, high, slack)
        else:
            run = cable_run_m(low, high, a.x_m - z.x_m, a.y_m - z.y_m, slack)
        assert row.length_m is not None
        assert row.length_m >= run - 1e-9
        assert row.length_m in every
        assert row.medium
        per_cable[row.cable_id].add((row.length_m, row.medium))
    assert {len(found) for found in per_cable.values()} == {1}  # one length and medium a cable


@pytest.mark.parametrize("options", SAMPLES)
def test_a_cage_holds_one_medium(options: dict[str, object]) -> None:
    (job, cabled), rows = schedule(options)
    fabric = job.plan.site.fabric
    cages = fabric.request.switch.cages
    if not cages or fabric.radix != fabric.spine_radix:
        return
    per_cage = max(1, fabric.radix // cages)
    media: dict[tuple[str, int], set[str]] = defaultdict(set)
    wired = cabled.fabrics[0].wired
    for link, row in zip(wired.links(), rows, strict=True):
        for device, port in ((link.a, link.a_port), (link.z, link.z_port)):
            one = wired.devices[device]
            if one.role not in HOST_ROLES and row.tier != "fabric-manager":
                media[one.name, (port - 1) // per_cage].add(row.medium)
    assert all(len(found) == 1 for found in media.values())


@pytest.mark.parametrize("options", SAMPLES)
def test_placement_fits_the_racks(options: dict[str, object]) -> None:
    (job, cabled), _ = schedule(options)
    placement, rack = cabled.placement, job.plan.rack
    # the floor is that of all fabrics; a rack's own management gear is no server
    names = {device.name for one in cabled.fabrics for device in one.wired.devices}
    units = Counter(placement.rack_of[name] for name in names)
    per_row = Counter(one.row for one in placement.racks)
    assert max(per_row.values()) <= placement.grid.row_positions_max
    assert len({one.name for one in placement.racks}) == len(placement.racks)
    for number, count in units.items():
        if placement.racks[number].kind == "compute":
            assert count <= rack.servers_per_rack
    devices = {device.name for one in cabled.fabrics for device in one.wired.devices}
    assert devices <= set(placement.rack_of)
    seen = Counter((placement.rack_of[name], placement.unit_of[name]) for name in devices)
    assert max(seen.values()) == 1  # no two devices in one place


def test_published_modules_of_one_unit_of_b300() -> None:
    # fabric method, section 2: B300 XDR, 1 SU: 288 twin modules for 576 node-leaf links, 288 + 288
    # for 576 leaf-spine links, about 21.6 kW at 25 W
    options = {"rack": "dgx-b300-x4-ac", "nodes": 72, "medium": "optical"}
    (job, cabled), rows = schedule(options)
    assert Counter(row.tier for row in rows) == {"endpoint": 576, "leaf-spine": 576}
    totals = cabled.fabrics[0].cabling.totals()
    modules = {line.place: line.modules for line in totals.modules}
    assert modules == {"node": 576, "leaf": 576, "spine": 288}
    watts = sum(line.power_w for line in totals.modules if line.place != NODE)
    assert watts == pytest.approx(21_600)
    assert watts / 1000 == pytest.approx(job.report.parts["fabric"].optics_power_kw)


def test_short_runs_take_copper_and_infiniband_no_active_optical_cable() -> None:
    media = {"rack": "mi300x-8x4-air", "accelerators": 256}
    (_, _), rows = schedule(media)
    kinds = {row.id: row.kind for row in catalog.optics()}
    used = {kinds[row.medium] for row in rows}
    assert used & {"aec", "aoc", "dac", "acc"}  # Ethernet
    (_, _), rows = schedule({"rack": "dgx-h100-x4", "accelerators": 1024})
    assert {kinds[row.medium] for row in rows} <= {"dac", "acc", "2xdr4"}


def test_a_run_that_no_medium_reaches_is_a_warning() -> None:
    job = planned(rack="dgx-a100-x4", accelerators=8000)  # 200G: active optical cables to 100 m
    from clusterplan.planning.cabling_figures import cabling_section

    cabled = job.cabling()
    section = cabling_section(cabled.fabrics, cabled.placement, job.choices)
    lost = [row for row in section.items if row.id == "" and row.item == "cable"]
    codes = {warning.code for warning in job.choices.ledger.warnings}
    assert bool(lost) == ("no_medium" in codes)
    longest = max(row.longest_run_m for row in section.tiers)
    assert bool(lost) == (longest > 100)


@pytest.mark.parametrize(
    "options",
    [
        {"rack": "dgx-h100-x4", "accelerators": 1016},
        {"rack": "gb300-nvl72", "accelerators": 2304},
        {"rack": "hgx-h100-8x8-liquid", "accelerators": 1024},
    ],
)
def test_all_fabrics_are_wired_as_they_are_counted(options: dict[str, object]) -> None:
    (job, cabled), rows = schedule(options, "all")
    counted = {row.name: row for row in job.report.parts["fabric"].fabrics}
    links: dict[str, Counter[str]] = defaultdict(Counter)
    ports: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        links[row.fabric][row.tier] += 1
        for end in ((row.a_device, row.a_port), (row.z_device, row.z_port)):
            ports[row.fabric, *end] += 1
    assert max(ports.values()) == 1
    assert set(links) == {"compute", *counted}
    for name, row in counted.items():
        assert links[name]["endpoint"] == row.endpoints
        switches = [
            device
            for one in cabled.fabrics
            if one.wired.name == name
            for device in one.wired.devices
            if device.role in ("leaf", "spine", "core")
        ]
        assert len(switches) == row.leaf_switches + row.spine_switches + row.core_switches
    copper = {row.medium for row in rows if (row.fabric, row.tier) == ("out-of-band", "endpoint")}
    assert copper == {"rj45-1"}
    names = Counter(
        device.name for one in cabled.fabrics for device in one.wired.devices if device.role == NODE
    )
    assert len(names) == job.servers  # a server is the same device on every fabric


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 300), st.integers(0, 2), st.data())
def test_a_stage_is_part_of_the_next(nodes: int, cuts: int, data: st.DataObject) -> None:
    steps = sorted(data.draw(st.sets(st.integers(1, nodes), max_size=cuts)))
    if steps and steps[-1] == nodes:
        steps.pop()
    text = ",".join(map(str, steps)) or None
    options = {"rack": "dgx-h100-x4", "nodes": nodes, "stages": text}
    (_, _), grown = schedule(options)
    (_, _), whole = schedule({"rack": "dgx-h100-x4", "nodes": nodes})
    assert [row._replace(stage="") for row in grown] == [row._replace(stage="") for row in whole]
    order = {name: n for n, name in enumerate(dict.fromkeys(row.stage for row in grown))}
    assert len(order) <= len(steps) + 1
