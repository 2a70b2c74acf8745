"""Modules in cages and watts of switches."""

from __future__ import annotations

import pytest

from clusterplan.core.equipment import Optic, Switch
from clusterplan.sizing.fabric_optics import (
    assumed_switch_power_w,
    cage_module_id,
    modules_in_cages,
    pick_medium,
)

USUAL = {400.0: "dr4-400", 800.0: "twin-800", 1600.0: "twin-1600"}


def switch(ports: int | None, cages: int | None, gbps: float) -> Switch:
    return Switch(id="s", vendor="", kind="ethernet", ports=ports, cages=cages, gbps_per_port=gbps)


@pytest.mark.parametrize(
    ("ports", "cages", "gbps", "module"),
    [
        (64, 32, 400, "twin-800"),  # QM9700: two 400G ports to a cage
        (64, 64, 800, "twin-800"),  # SN5600: one 800G port of 100G lanes to a cage
        (128, 128, 800, "one-port"),  # 102.4T of 128 cages: 200G lanes
        (144, 72, 800, "twin-1600"),  # Q3400
        (128, 64, 800, "twin-1600"),
        (64, 64, 400, "dr4-400"),
        (48, 4, 1, ""),  # no module of 12 Gb/s, and never the nearest
        (144, 0, 800, ""),  # built-in optics
        (None, None, 400, ""),
    ],
)
def test_module_by_cage_speed(
    ports: int | None, cages: int | None, gbps: float, module: str
) -> None:
    assert cage_module_id(switch(ports, cages, gbps), USUAL, "one-port") == module


def test_modules_are_whole_at_each_switch() -> None:
    # two ports to a cage: 63 ports need 32 modules at each of 8 leaves, 3 ports need 2
    assert modules_in_cages(((8, 63), (1, 3)), cages=32, radix=64) == 8 * 32 + 2
    # 128 ports of 64 cages after breakout; one port to a cage
    assert modules_in_cages(((2, 5),), cages=64, radix=128) == 6
    assert modules_in_cages(((2, 5),), cages=64, radix=64) == 10


def test_assumed_power_is_20_w_per_tbps() -> None:
    assert assumed_switch_power_w(512, 800) == pytest.approx(8192.0)  # 409.6 Tb/s


def test_pick_medium_prefers_but_never_bends() -> None:
    media = [
        Optic(id="a", kind="sr4", speed_gbps=400, power_w=9),
        Optic(id="b", kind="dr4", speed_gbps=400, power_w=9),
    ]
    found = pick_medium(media, 400.0, preferred="b")
    assert found is not None
    assert found.id == "b"
    assert pick_medium(media, 400.0, kinds=("copper",)) is None
    assert pick_medium(media, 800.0, preferred="b") is None
    assert pick_medium(media, 400.0, preferred="gone") is None
