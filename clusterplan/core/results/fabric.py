"""Compute fabric."""

from __future__ import annotations

from dataclasses import dataclass

from clusterplan.core.figures import figure


@dataclass(frozen=True, kw_only=True)
class OpticsRow:
    """Modules of one kind at one place (leaf, spine, core, node); `ends` are link ends."""

    id: str
    place: str
    modules: int
    ends: int
    power_kw: float


@dataclass(frozen=True, kw_only=True)
class FabricSection:
    """Counts over all planes and clusters."""

    topology: str
    tiers: int = figure("Tiers")
    planes: int = figure("Planes")
    rails: int = figure("Rails")
    clusters: int = figure("Clusters")
    leaf_switches: int = figure("Leaf switches")
    spine_switches: int = figure("Spine switches")
    spine_switches_minimum: int = figure("Spine switches, plain ceiling")
    core_switches: int = figure("Core switches")
    fabric_manager_cables: int = figure("Fabric-manager cables")
    endpoint_cables: int = figure("Endpoint cables")
    leaf_spine_cables: int = figure("Leaf-spine cables")
    spine_core_cables: int = figure("Spine-core cables")
    endpoint_links: int = figure("Endpoint links", basis="all planes")
    leaf_spine_links: int = figure("Leaf-spine links", basis="all planes")
    spine_core_links: int = figure("Spine-core links", basis="all planes")
    oversubscription: float = figure("Oversubscription")
    oversubscription_leaf: float = figure("Oversubscription, leaf")
    oversubscription_spine: float = figure("Oversubscription, spine")
    bisection_tb_per_s: float = figure("Bisection, one direction")
    switch_power_kw: float = figure("Switch power", basis="modules apart")
    optics_power_kw: float = figure("Optics power in switch cages")
    optics: tuple[OpticsRow, ...] = ()
    unused_ports: int = figure("Unused ports")
    grows_to_accelerators: int | None = figure("Grows to accelerators")
