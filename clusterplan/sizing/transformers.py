"""Power transformers: capability, number, firm capacity, sharing, losses and reactive power."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

_C57_91 = "IEEE C57.91, usual service conditions of IEEE C57.12.00"
_TOLERANCE = 1e-9


@formula(
    title="Capability of one transformer at the site",
    equation="rating_mva * min(1.0, 1.0 - ambient_slope * (average_ambient_temp_c - 30.0))"
    " * min(1.0, 1.0 - altitude_slope * (elevation_m - 1000.0) / 100.0)",
    unit="MVA",
    source=_C57_91,
)
def unit_capability_mva(
    rating_mva: float,
    average_ambient_temp_c: float = 30.0,
    elevation_m: float = 0.0,
    ambient_slope: float = 0.010,
    altitude_slope: float = 0.005,
) -> float:
    """Capability in MVA of a unit in hot or high places; no credit below 30 C or 1,000 m.

    average_ambient_temp_c: the highest 24 h mean, not the hourly peak. Slopes: 0.010 per K and
    0.005 per 100 m for the forced-cooled top stage, 0.015 and 0.004 for ONAN.
    """
    ambient = min(1.0, 1.0 - ambient_slope * (average_ambient_temp_c - 30.0))
    altitude = min(1.0, 1.0 - altitude_slope * (elevation_m - 1000.0) / 100.0)
    return rating_mva * ambient * altitude


def survivors_of(running: str, units: int) -> int | None:
    """How many other units take over a lost section (k of the running arrangement).

    `pair` 1, `two-neighbours` 2, `paralleled` units - 1. None for `transfer-bus`: there a spare
    unit takes one whole section.
    """
    if running == "pair":
        return 1
    if running == "two-neighbours":
        return min(2, units - 1)
    if running == "paralleled":
        return units - 1
    return None


def arrangement_fits(running: str, units: int) -> bool:
    """Whether so many units can run that way: pairs need an even number, neighbours three."""
    if running == "pair":
        return units % 2 == 0
    if running == "two-neighbours":
        return units >= 3
    return True


@formula(
    title="Firm capacity of one transformer group",
    equation="capability_mva * min(units - redundant, units * survivors / (survivors + 1))"
    " if redundant > 0 and survivors is not None else capability_mva * (units - redundant)",
    unit="MVA",
    source="clusterplan method, electrical steps 4 and 19 (N-1 planning practice, IEEE 3001.2)",
)
def group_firm_mva(
    units: int, redundant: int, capability_mva: float, survivors: int | None
) -> float:
    """MVA that a group carries with the redundant units out.

    survivors: see `survivors_of`; None where a spare takes the whole lost section. A lost section
    of S/n on k others loads the worst to (S/n)(1 + 1/k), hence n Sc k/(k + 1).
    """
    if redundant > 0 and survivors is not None:
        return capability_mva * min(units - redundant, units * survivors / (survivors + 1))
    return capability_mva * (units - redundant)


@formula(
    title="Units in one group",
    equation="max(1, ceil(load_mva / (loading_max * capability_mva) - 1e-9)) + redundant",
    unit="",
    source="clusterplan method, electrical step 4",
)
def units_for(load_mva: float, capability_mva: float, redundant: int, loading_max: float) -> int:
    """Fewest units that carry the load with the redundant ones out at most at `loading_max`."""
    return max(1, math.ceil(load_mva / (loading_max * capability_mva) - _TOLERANCE)) + redundant


def fewest_units(
    load_mva: float, capability_mva: float, redundant: int, loading_max: float, running: str
) -> int:
    """Fewest units a group under its running arrangement; see `units_for` and `group_firm_mva`."""
    units = units_for(load_mva, capability_mva, redundant, loading_max)
    if redundant == 0 or running in ("transfer-bus", "paralleled"):
        return units
    units = max(units, 3 if running == "two-neighbours" else 2)
    while True:
        if arrangement_fits(running, units):
            firm = group_firm_mva(units, redundant, capability_mva, survivors_of(running, units))
            if load_mva <= loading_max * firm * (1 + _TOLERANCE):
                return units
        units += 1


@formula(
    title="Loading of the worst surviving unit",
    equation="100.0 * load_mva / units * (1.0 + 1.0 / survivors) / capability_mva",
    unit="%",
    source="clusterplan method, electrical step 19",
)
def survivor_loading_percent(
    load_mva: float, units: int, survivors: int, capability_mva: float
) -> float:
    """Percent of its capability that the worst survivor carries when one section is lost."""
    return 100.0 * load_mva / units * (1.0 + 1.0 / survivors) / capability_mva


@formula(
    title="Unequal transformers in parallel",
    equation="least of capability * sum(base/z) / (base/z) over the units",
    unit="MVA",
    source="parallel operation of transformers, IEC 60076-8",
    plain=False,
)
def paralleled_capability_mva(
    capability_mva: Sequence[float], base_mva: Sequence[float], impedance: Sequence[float]
) -> float:
    """MVA that unequal paralleled units carry together.

    They share the load as base/impedance; the one that reaches its capability first sets the sum.
    impedance: per unit on `base_mva`.
    """
    total = sum(s / z for s, z in zip(base_mva, impedance, strict=True))
    return min(
        c * total / (s / z) for c, s, z in zip(capability_mva, base_mva, impedance, strict=True)
    )


@formula(
    title="Firm capacity of existing transformers",
    equation="firm_mva - existing_load_mva",
    unit="MVA",
    source="clusterplan method, electrical step 4",
)
def existing_firm_mva(firm_mva: float, existing_load_mva: float) -> float:
    """What existing units leave for the site with the largest ones out, less their present load."""
    return firm_mva - existing_load_mva


@formula(
    title="Existing units with the largest out",
    equation="sum of the capabilities without the `redundant` largest",
    unit="MVA",
    source="clusterplan method, electrical step 4",
    plain=False,
)
def without_largest_mva(capability_mva: Sequence[float], redundant: int) -> float:
    """Sum of the capabilities without the `redundant` largest units."""
    return sum(sorted(capability_mva)[: len(capability_mva) - redundant])


@formula(
    title="Transformer losses",
    equation="units * base_mva * (no_load + load_loss * (load_mva / units / base_mva) ** 2)",
    unit="MW",
    source="IEC 60076-1 / IEEE C57.12.90 loss model",
)
def transformer_losses_mw(
    units: int, load_mva: float, base_mva: float, no_load: float, load_loss: float
) -> float:
    """Losses in MW of `units` energised units that share `load_mva` evenly.

    no_load, load_loss: per unit of the base rating (ONAN), the load loss at base current.
    """
    return units * base_mva * (no_load + load_loss * (load_mva / units / base_mva) ** 2)


@formula(
    title="Reactive power of the transformers",
    equation="units * impedance * (load_mva / units) ** 2 / base_mva",
    unit="Mvar",
    source="series reactance of the equivalent circuit",
)
def transformer_mvar(units: int, load_mva: float, base_mva: float, impedance: float) -> float:
    """Mvar that the leakage reactance of `units` units takes at `load_mva` in all.

    impedance: per unit on `base_mva`.
    """
    return units * impedance * (load_mva / units) ** 2 / base_mva


@formula(
    title="Loss factor of a year",
    equation="share * load_factor + (1.0 - share) * load_factor**2",
    unit="",
    source="empirical loss factor (Buller and Woodrow form); 0.15 for a flat load is planning",
)
def loss_factor(load_factor: float, share: float = 0.15) -> float:
    """Mean of the squared load over the squared peak, from the load factor alone."""
    return share * load_factor + (1.0 - share) * load_factor**2


@formula(
    title="Transformer losses in a year",
    equation="8760.0 * (units * base_mva * no_load + loss_ratio * load_loss_mw)",
    unit="MWh",
    source="clusterplan method, electrical step 11",
)
def transformer_losses_mwh(
    units: int, base_mva: float, no_load: float, load_loss_mw: float, loss_ratio: float
) -> float:
    """MWh a year: no-load loss all year in every energised unit, load loss by the loss factor."""
    return 8760.0 * (units * base_mva * no_load + loss_ratio * load_loss_mw)


@formula(
    title="Transformers installed",
    equation="groups * units_per_group",
    unit="",
    source="clusterplan method, electrical steps 4 and 20",
)
def transformers(groups: int, units_per_group: int) -> int:
    """Units of all groups, the redundant ones included."""
    return groups * units_per_group


@formula(
    title="Redundant transformers",
    equation="groups * redundant_per_group",
    unit="",
    source="clusterplan method, electrical step 20: each group has its own spare",
)
def transformers_redundant(groups: int, redundant_per_group: int) -> int:
    """Units that may be out, all groups."""
    return groups * redundant_per_group


@formula(
    title="Firm capacity",
    equation="min(limits_mva)",
    unit="MVA",
    source="clusterplan method, electrical step 4; counting rule 8",
)
def firm_capacity_mva(limits_mva: Sequence[float]) -> float:
    """Least of the firm MVA of each stage, all groups, and of islanded generation."""
    return min(limits_mva)


@formula(
    title="Transformer losses, all stages",
    equation="sum(stages_mw)",
    unit="MW",
    source="clusterplan method, electrical steps 11 and 20",
)
def losses_mw(stages_mw: Sequence[float]) -> float:
    """Sum over the transformer stages, a part of facility power."""
    return sum(stages_mw)


@formula(
    title="Reactive power of the transformers, all stages",
    equation="sum(stages_mvar)",
    unit="Mvar",
    source="clusterplan method, electrical step 11",
)
def transformer_reactive_mvar(stages_mvar: Sequence[float]) -> float:
    """Sum over the transformer stages."""
    return sum(stages_mvar)
