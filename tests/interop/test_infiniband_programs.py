"""Planned InfiniBand fabrics booted in simulation: ibsim, opensm, ibnetdiscover, ibdmchk."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clusterplan.interop.ibdm import ibnl_files, write_topo
from clusterplan.interop.ibnetdiscover import write_ibnetdiscover

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.wired_fabric import WiredFabric

LIBRARIES = (Path("/usr/lib"), Path("/usr/lib64"))
End = tuple[str, int]
WIRE = re.compile(r'\[(\d+)\](?:\(\w+\))?\s+"([SH]-\w+)"\[(\d+)\]')
RECORD = re.compile(r'(?:Switch|Ca)\s+\d+ "([SH]-\w+)"\s+# "([^"]+)"')


def simulated_stack() -> str:
    for folder in LIBRARIES:
        for found in folder.glob("**/umad2sim/libumad2sim.so"):
            return str(found)
    pytest.skip("libumad2sim (of ibsim-utils) is not installed")


def planned_links(fabric: WiredFabric, plane: int | None) -> set[frozenset[End]]:
    """Both ends of every link as ibnetdiscover calls them."""

    def end(number: int, port: int) -> End:
        device = fabric.devices[number]
        if device.role in ("node", "manager"):
            return f"{device.name} {fabric.port_name(device, port)}", 1
        return f"MF0;{device.name}:{device.model}/U1", port

    return {
        frozenset((end(link.a, link.a_port), end(link.z, link.z_port)))
        for link in fabric.links(plane)
    }


def discovered_links(dump: str) -> set[frozenset[End]]:
    """Links of a dump; both ends of each must stand in it."""
    names: dict[str, str] = {}
    ends: list[tuple[str, int, str, int]] = []
    here = ""
    for line in dump.splitlines():
        if record := RECORD.match(line):
            here = record[1]
            names[here] = record[2]
        elif wire := WIRE.match(line):
            ends.append((here, int(wire[1]), wire[2], int(wire[3])))
    seen = set(ends)
    assert len(seen) == len(ends)
    assert {(peer, q, own, p) for own, p, peer, q in ends} == seen
    return {frozenset(((names[own], p), (names[peer], q))) for own, p, peer, q in ends}


@pytest.fixture
def boot(
    program: Callable[[str], str], background: Callable[..., object], tmp_path: Path
) -> Callable[..., tuple[str, str]]:
    """Boot a file with a subnet manager: what the manager logged and what was discovered."""
    ibsim, opensm, ibnetdiscover = (program(name) for name in ("ibsim", "opensm", "ibnetdiscover"))
    stack = simulated_stack()

    def run(net: Path, host: str = "") -> tuple[str, str]:
        socket = f"clusterplan-{os.getpid()}-{time.monotonic_ns()}"
        simulator = dict(os.environ, IBSIM_SOCKNAME=socket)
        client = simulator | {
            "LD_PRELOAD": stack,
            "OSM_TMP_DIR": str(tmp_path),
            "OSM_CACHE_DIR": str(tmp_path),
        }
        if host:
            client["SIM_HOST"] = host
        log = tmp_path / f"{socket}.log"
        limits = ["-N", "8192", "-S", "1024", "-P", "65536"]
        with background([ibsim, "-s", "-n", *limits, str(net)], env=simulator) as process:
            manager = [opensm, "-R", "ftree", "--once", "-f", str(log)]
            for _ in range(50):  # until the simulator listens
                time.sleep(0.1)
                assert process.poll() is None, "ibsim refused the file"  # type: ignore[attr-defined]
                if f"{socket}:" in Path("/proc/net/unix").read_text():
                    break
            subprocess.run(manager, env=client, timeout=60, check=True, capture_output=True)
            dump = subprocess.run(
                [ibnetdiscover], env=client, timeout=30, check=True, capture_output=True, text=True
            )
        return log.read_text(), dump.stdout

    return run


def assert_routed_by_fat_tree(log: str) -> None:
    assert "SUBNET UP" in log
    assert "ftree tables configured on all switches" in log
    assert "minhop tables configured" not in log
    assert not re.search(r"fall(ing)? ?back|fat-?tree.*fail|topology is not", log, re.IGNORECASE)
    assert " ERR " not in log


@pytest.mark.parametrize("units", [1, 4, 16])
def test_units_boot_and_read_back(
    units: int,
    wire: Callable[..., WiredFabric],
    boot: Callable[..., tuple[str, str]],
    tmp_path: Path,
) -> None:
    fabric = wire(units)
    net = tmp_path / "fabric.net"
    with net.open("w") as out:
        write_ibnetdiscover(fabric, out, link_word="4xHDR")
    log, dump = boot(net)
    assert_routed_by_fat_tree(log)
    expected = planned_links(fabric, None)
    assert discovered_links(dump) == expected
    # each unit has 256 leaf downlinks (8 due to the reserved node are free, 4 go to the managers)
    assert len(expected) == 256 * units * (3 if units == 16 else 2) - 8 + 4


# NDR with each NIC port split in two; XDR with the two ports of an accelerator as planes
SPLIT = {"units": 3, "planes": 2}
OWN = {"units": 5, "switch": "q3400-ra", "nic_gbps": 800.0, "rails": 4, "own_planes": 2}


@pytest.mark.parametrize("design", [SPLIT, OWN], ids=["split", "ports-as-planes"])
def test_planes_boot_one_by_one(
    design: dict[str, Any],
    wire: Callable[..., WiredFabric],
    boot: Callable[..., tuple[str, str]],
    tmp_path: Path,
) -> None:
    fabric = wire(**design)
    whole = tmp_path / "all.net"
    with whole.open("w") as out:
        write_ibnetdiscover(fabric, out, link_word="4xHDR")
    found = []
    for plane in (1, 2):
        net = tmp_path / f"plane{plane}.net"
        with net.open("w") as out:
            write_ibnetdiscover(fabric, out, plane=plane, link_word="4xHDR")
        log, dump = boot(net)
        assert_routed_by_fat_tree(log)
        expected = planned_links(fabric, plane)
        assert discovered_links(dump) == expected
        # the file of all planes holds the same subnet: start from an adapter of the plane
        host = re.search(r'"(H-\w+)"', net.read_text())
        assert host is not None
        log, dump = boot(whole, host[1])
        assert_routed_by_fat_tree(log)
        assert discovered_links(dump) == expected
        found.append(expected)
    assert not found[0] & found[1]


def test_true_speed_is_read(
    wire: Callable[..., WiredFabric], boot: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    fabric = wire(1)
    net = tmp_path / "fabric.net"
    with net.open("w") as out:
        write_ibnetdiscover(fabric, out)
    assert net.read_text().count(" 4xNDR\n") == 2 * (248 + 256 + 4)
    log, dump = boot(net)
    assert_routed_by_fat_tree(log)
    assert discovered_links(dump) == planned_links(fabric, None)


def check_design(ibdmchk: str, folder: Path, fabric: WiredFabric) -> str:
    with (folder / "fabric.topo").open("w") as out:
        write_topo(fabric, out)
    for name, text in ibnl_files(fabric).items():
        (folder / name).write_text(text)
    node = fabric.devices[0].name
    # its exit code is no use: release 1.5.7 crashes after the last line, on its own samples too
    run = subprocess.run(
        [ibdmchk, "-t", "fabric.topo", "-n", f"{node}/U1", "-p", "1"],
        cwd=folder,
        env=dict(os.environ, IBDM_IBNL_PATH=str(folder)),
        timeout=60,
        check=False,
        capture_output=True,
        text=True,
    )
    return run.stdout


def test_ibdmchk_finds_the_paths_of_a_unit(
    wire: Callable[..., WiredFabric], program: Callable[[str], str], tmp_path: Path
) -> None:
    text = check_design(program("ibdmchk"), tmp_path, wire(1, managers=0))
    assert "Defined 43/260 systems/nodes" in text  # 31 nodes and 12 switches; 248 adapters
    histograms = re.findall(r"HOPS NUM-CA-CA-PAIRS\n((?: +\d+ +\d+\n)+)", text)
    # over one leaf: 8 rails x 31 x 30 pairs; over a spine: all the others, 248 x 247 in all
    expected = [["2", str(8 * 31 * 30)], ["4", str(248 * 247 - 8 * 31 * 30)]]
    assert len(histograms) == 2  # by distance, and as routed
    for histogram in histograms:
        assert [line.split() for line in histogram.splitlines()] == expected
    assert "no credit loops found" in text
    assert "-E-" not in text
