"""Slurm's controller starts with a planned topology and shows every node once."""

from __future__ import annotations

import getpass
import os
import re
import socket
import subprocess
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from clusterplan.core.scheduler_topology import FabricRoot, scheduler_topology
from clusterplan.interop.hostlist import hostlist
from clusterplan.interop.slurm import write_topology_conf
from clusterplan.sizing.clos_wiring import Naming

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clusterplan.core.wired_fabric import WiredFabric

CONFIGURATION = """ClusterName=planned
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/log
TopologyPlugin=topology/tree
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=1
NodeName={nodes} State=CLOUD
PartitionName=all Nodes=ALL Default=YES
"""


def names_of(text: str) -> list[str]:
    """Names in a hostlist, read back by a rule of its own."""
    found = []
    for prefix, ranges, plain in re.findall(r"([\w-]+)\[([\d,-]+)\]|([\w-]+)", text):
        if plain:
            found.append(plain)
        for part in filter(None, ranges.split(",")):
            low, _, high = part.partition("-")
            found += [f"{prefix}{n:0{len(low)}d}" for n in range(int(low), int(high or low) + 1)]
    return found


@pytest.fixture
def shown(
    program: Callable[[str], str], background: Callable[..., object], tmp_path: Path
) -> Callable[[tuple[FabricRoot, ...]], tuple[str, str]]:
    """What scontrol shows of a topology, and the controller's log."""
    slurmctld, scontrol = program("slurmctld"), program("scontrol")

    def run(roots: tuple[FabricRoot, ...]) -> tuple[str, str]:
        nodes = [name for root in roots for block in root.blocks for name in block.nodes]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        configuration = tmp_path / "slurm.conf"
        configuration.write_text(
            CONFIGURATION.format(
                host=socket.gethostname(),
                port=port,
                user=getpass.getuser(),
                folder=tmp_path,
                nodes=hostlist(nodes),
            )
        )
        (tmp_path / "state").mkdir()
        with (tmp_path / "topology.conf").open("w") as out:
            write_topology_conf(roots, out)
        environment = dict(os.environ, SLURM_CONF=str(configuration))
        command = [slurmctld, "-D", "-c", "-f", str(configuration)]
        log = tmp_path / "log"
        with background(command, env=environment, cwd=tmp_path):
            for _ in range(60):
                time.sleep(0.25)
                reply = subprocess.run(
                    [scontrol, "show", "topology"],
                    env=environment,
                    timeout=20,
                    check=False,
                    capture_output=True,
                    text=True,
                )
                if reply.returncode == 0 and "SwitchName" in reply.stdout:
                    return reply.stdout, log.read_text()
        pytest.fail(f"slurmctld does not answer: {reply.stderr}\n{log.read_text()[-2000:]}")

    return run


def assert_every_node_once(text: str, roots: tuple[FabricRoot, ...]) -> None:
    leaves = re.findall(r"SwitchName=(\S+) Level=0 .*?Nodes=(\S+)", text)
    expected = {block.name: list(block.nodes) for root in roots for block in root.blocks}
    assert {name: names_of(nodes) for name, nodes in leaves} == expected
    under = Counter(name for _, nodes in leaves for name in names_of(nodes))
    assert set(under.values()) == {1}


def test_units_under_one_root(
    wire: Callable[..., WiredFabric],
    shown: Callable[[tuple[FabricRoot, ...]], tuple[str, str]],
) -> None:
    roots = scheduler_topology([wire(16)])
    text, log = shown(roots)
    assert_every_node_once(text, roots)
    assert text.count("Level=0") == 16
    assert len(re.findall("Level=1", text)) == 1
    assert "TOPOLOGY: warning" not in log


def test_clusters_that_share_no_link_keep_apart(
    wire: Callable[..., WiredFabric],
    shown: Callable[[tuple[FabricRoot, ...]], tuple[str, str]],
) -> None:
    first = wire(4, naming=Naming(total_nodes=158))
    second = wire(
        1, naming=Naming(prefix="c2-", first_node=127, total_nodes=158), name="compute-c2"
    )
    roots = scheduler_topology([first, second])
    text, log = shown(roots)
    assert_every_node_once(text, roots)
    tops = dict(re.findall(r"SwitchName=(\S+) Level=1 .*?Nodes=(\S+)", text))
    assert {name: len(names_of(nodes)) for name, nodes in tops.items()} == {
        "compute": 127,
        "compute-c2": 31,
    }
    assert "no switch can reach all nodes" in log  # as it should be


def test_many_domains_get_a_level_between(
    wire: Callable[..., WiredFabric],
    shown: Callable[[tuple[FabricRoot, ...]], tuple[str, str]],
) -> None:
    roots = scheduler_topology([wire(16)], nodes_per_domain=3)
    text, log = shown(roots)
    assert_every_node_once(text, roots)
    assert text.count("Level=0") == 171  # 511 / 3, rounded up
    assert text.count("Level=1") == 13  # groups of 14
    assert "TOPOLOGY: warning" not in log
