"""Fabrics to hand over, and the programs that read them."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from subprocess import DEVNULL, Popen, TimeoutExpired
from typing import TYPE_CHECKING

import pytest

from clusterplan import catalog
from clusterplan.sizing.clos_wiring import Naming, wire_clos
from clusterplan.sizing.fabric import FabricRequest, plan_fabric
from clusterplan.sizing.fabric_count import count_fabric

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusterplan.core.wired_fabric import WiredFabric

SYSTEM_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


def find_program(name: str) -> str:
    """Path of a program; the test is skipped where it is not installed."""
    found = shutil.which(name, path=SYSTEM_PATH)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def running(command: list[str], **options: object) -> Iterator[Popen[bytes]]:
    """A program in the background that is gone when the block ends."""
    process = Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, **options)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5)
        except TimeoutExpired:
            process.kill()
            process.wait(5)


def wire_units(
    units: int,
    *,
    switch: str = "qm9700",
    nic_gbps: float = 400.0,
    rails: int = 8,
    planes: int = 1,
    own_planes: int = 1,
    missing: int = 1,
    managers: int | None = None,
    naming: Naming | None = None,
    name: str = "compute",
) -> WiredFabric:
    """Units of 32 nodes; the last is `missing` nodes short, which are reserved."""
    request = FabricRequest(
        switch=catalog.switch(switch),
        nic_gbps=nic_gbps,
        rails=rails,
        planes=planes,
        ports_as_planes=own_planes,
        nodes_per_su=32,
        reserve_nodes=missing,
        fabric_manager_cables=managers,
    )
    design = plan_fabric(request)
    counts = count_fabric(design, 32 * units - missing)
    return wire_clos(design, counts, name=name, naming=naming)


@pytest.fixture
def program() -> Callable[[str], str]:
    return find_program


@pytest.fixture
def background() -> Callable[..., object]:
    return running


@pytest.fixture
def wire() -> Callable[..., WiredFabric]:
    return wire_units
