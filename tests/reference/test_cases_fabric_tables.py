"""Published network tables, row by row, from `clusterplan fabric --format json`.

H100: https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100/latest/network-fabrics.html
(one node slot kept for fabric-manager cables). B200: the larger component counts of
https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-b200/latest/dgx-superpod-architecture.html
(no slot kept). Full fat trees of 64 ports: https://arxiv.org/abs/2505.09343. GB200 scalable unit:
https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-gb200/latest/network-fabrics.html
"""

from __future__ import annotations

import json

import pytest

from clusterplan import catalog
from clusterplan.cli.main import main

EIGHT_GPU = "--rails 8 --nodes-per-su 32 --switch qm9700 --nic".split()


@pytest.fixture
def fabric(capsys):
    """The fabric section that the command prints."""

    def run(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main(["fabric", *(str(argument) for argument in arguments), "--format", "json"])
        out, err = capsys.readouterr()
        assert stopped.value.code == 0, err
        document = json.loads(out)
        assert document["schema"] == "clusterplan/fabric/1"
        return document["fabric"]

    return run


@pytest.mark.parametrize(
    ("su", "nodes", "gpus", "leaf", "spine", "with_fabric_manager", "spine_leaf"),
    [
        (1, 31, 248, 8, 4, 252, 256),
        (2, 63, 504, 16, 8, 508, 512),
        (3, 95, 760, 24, 16, 764, 768),
        (4, 127, 1016, 32, 16, 1020, 1024),
    ],
)
@pytest.mark.parametrize("how", ["nodes", "rack"])
def test_dgx_superpod_h100(
    fabric, how, su, nodes, gpus, leaf, spine, with_fabric_manager, spine_leaf
):
    asked = ("--rack", "dgx-h100-x4", "--accelerators", gpus)
    if how == "nodes":
        asked = ("--nodes", nodes, *EIGHT_GPU, "400 Gb/s")
    found = fabric(*asked, "--reserve-nodes", 1, "--fabric-manager-cables", 4)
    assert nodes + 1 == 32 * su
    assert found["accelerators"] == gpus
    assert (found["leaf_switches"], found["spine_switches"]) == (leaf, spine)
    assert found["endpoint_cables"] + found["fabric_manager_cables"] == with_fabric_manager
    assert found["fabric_manager_cables"] == 4
    assert found["leaf_spine_cables"] == spine_leaf


@pytest.mark.parametrize(
    ("su", "nodes", "gpus", "leaf", "spine", "core", "node_leaf", "leaf_spine", "spine_core"),
    [
        (2, 64, 512, 16, 8, None, 512, 512, None),
        (4, 128, 1024, 32, 16, None, 1024, 1024, None),
        (8, 256, 2048, 64, 32, None, 2048, 2048, None),
        (16, 512, 4096, 128, 128, 64, 4096, 4096, 4096),
        (32, 1024, 8192, 256, 256, 128, 8192, 8192, 8192),
        (64, 2048, 16384, 512, 512, 256, 16384, 16384, 16384),
    ],
)
@pytest.mark.parametrize("how", ["nodes", "rack"])
def test_dgx_superpod_b200(
    fabric, how, su, nodes, gpus, leaf, spine, core, node_leaf, leaf_spine, spine_core
):
    asked = ("--rack", "dgx-b200-x4", "--accelerators", gpus)
    if how == "nodes":
        asked = ("--nodes", nodes, *EIGHT_GPU, "400 Gb/s")
    found = fabric(*asked)
    assert nodes == 32 * su
    assert found["accelerators"] == gpus
    assert (found["leaf_switches"], found["spine_switches"]) == (leaf, spine)
    assert (found["core_switches"] or None) == core
    assert (found["endpoint_cables"], found["leaf_spine_cables"]) == (node_leaf, leaf_spine)
    assert (found["spine_core_cables"] or None) == spine_core


@pytest.mark.parametrize(
    ("tiers", "endpoints", "switches", "inter_switch_links"),
    [(2, 2048, 96, 2048), (3, 65536, 5120, 131072)],
)
def test_full_fat_trees(fabric, tiers, endpoints, switches, inter_switch_links):
    found = fabric("--nodes", endpoints, "--rails", 1, "--nic", "400 Gb/s", "--switch", "qm9700")
    counted = [found[f"{tier}_switches"] for tier in ("leaf", "spine", "core")]
    assert (found["tiers"], sum(counted)) == (tiers, switches)
    assert found["leaf_spine_links"] + found["spine_core_links"] == inter_switch_links
    assert found["grows_to_accelerators"] == endpoints


def test_gb200_scalable_unit(fabric):
    rack = catalog.rack("gb200-nvl72")
    chip = catalog.accelerator(rack.accelerator)
    assert (rack.servers_per_rack, rack.accelerators_per_server) == (18, 4)
    assert rack.su_servers == 8 * 18
    assert chip.scale_up_bandwidth_gb_per_s == 1800
    # the published TDP of a unit is 1.2 MW; eight racks at 132 kW are 1.06 MW, switches apart
    assert 8 * rack.nameplate_kw / 1000.0 < 1.2
    found = fabric("--rack", "gb200-nvl72", "--accelerators", 576)
    assert (found["accelerators"], found["servers"]) == (8 * 72, 8 * 18)
    assert found["scale_up_domain_size"] == 72
    # the rows of 144 trays on 64 ports: four rails of 144 endpoints, five stripes a rail
    assert (found["leaf_switches"], found["spine_switches"]) == (20, 16)
