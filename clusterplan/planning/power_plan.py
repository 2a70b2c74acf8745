"""IT power of one site: choices as plain figures, and the power section of its plan."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from clusterplan.core.record import given
from clusterplan.core.results.power import PowerSection
from clusterplan.sizing import power

if TYPE_CHECKING:
    from clusterplan.core.results.floor import FloorSection
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.rack_choice import Provenance, RackChoice
    from clusterplan.sizing.accelerators import AcceleratorCount


def power_design(
    choices: Choices, chosen: RackChoice, *, fabric_counted: bool = True
) -> power.PowerDesign:
    """IT power choices as plain figures.

    fabric_counted: whether switches can be counted; where not, the network is a share of compute.
    """
    network = _part(choices.share("power.network"))
    for name in ("network", "storage", "management"):
        part = _part(choices.share(f"power.{name}"))
        if part is not None and part.share:
            words = f"design.power.{name}, share of compute"
            given(f"power.it_{name}.share", part.share, "", words)
    if network is None and not fabric_counted:
        network = power.PartShare(share=choices.number("power.network_uncounted"))
    return power.PowerDesign(
        rack_power_kw=chosen.capacity_kw,
        rack_nameplate_kw=chosen.nameplate_kw,
        rack_typical_kw=chosen.typical_kw,
        rack_peak_kw=chosen.peak_kw,
        servers_per_rack=chosen.shape.servers_per_rack,
        network=network,
        storage=_support_part(choices, "power.storage"),
        management=_support_part(choices, "power.management"),
    )


def power_section(
    chosen: RackChoice,
    count: AcceleratorCount,
    it: power.ItPower,
    floor: FloorSection | None,
    chain_efficiency_percent: float,
    support_mw: tuple[float | None, float | None] = (None, None),
) -> PowerSection:
    """The power section of a plan; call it while recording, so that every figure is explained.

    support_mw: counted switches of the storage and of the management networks, None: not counted.
    """
    per_rack = chosen.shape.servers_per_rack
    others = it.network_mw + it.storage_mw + it.management_mw
    given("power.other_it_mw", others, "MW", "network + storage + management, see their figures")
    _note_rack_figures(chosen)
    compute_kw = chosen.capacity_kw
    per_accelerator = None
    if count.accelerators:
        per_accelerator = power.it_per_accelerator_kw(it.total_mw, count.accelerators)
    inference_peak = None
    if chosen.inference_share > 0.0:
        fraction = 1.0 - chosen.inference_share * (1.0 - power.INFERENCE_PEAK[0])
        inference_peak = power.it_inference_peak_mw(
            count.servers, chosen.nameplate_kw, per_rack, others, fraction
        )
    white = gross = None
    if floor is not None and floor.white_space_m2 > 0.0:
        white = power.white_space_density_kw_per_m2(it.total_mw, floor.white_space_m2)
        gross = power.gross_density_kw_per_m2(it.total_mw, floor.gross_m2)
    return PowerSection(
        rack_power_kw=compute_kw,
        power_basis=chosen.power_basis,
        job=chosen.job,
        rack_nameplate_kw=chosen.nameplate_kw,
        rack_typical_kw=chosen.typical_kw,
        rack_peak_kw=chosen.peak_kw,
        rack_idle_kw=chosen.idle_kw,
        rack_utilisation_percent=power.rack_utilisation_percent(
            chosen.typical_kw, chosen.nameplate_kw
        ),
        server_power_kw=power.server_power_kw(compute_kw, per_rack),
        it_compute_mw=it.compute_mw,
        it_network_mw=it.network_mw,
        it_storage_mw=it.storage_mw,
        it_management_mw=it.management_mw,
        it_storage_network_mw=support_mw[0],
        it_management_network_mw=support_mw[1],
        it_typical_mw=it.typical_mw,
        it_peak_mw=power.it_at_rack_power_mw(count.servers, chosen.peak_kw, per_rack, others),
        it_inference_peak_mw=inference_peak,
        it_per_accelerator_kw=per_accelerator,
        rack_density_kw_per_m2=power.rack_density_kw_per_m2(
            compute_kw, chosen.width_mm, chosen.layout_depth_mm
        ),
        white_space_density_kw_per_m2=white,
        gross_density_kw_per_m2=gross,
        chain_efficiency_percent=chain_efficiency_percent,
    )


def _part(share: tuple[str, float] | None) -> power.PartShare | None:
    if share is None:
        return None
    kind, value = share
    return power.PartShare(stated_mw=value) if kind == "mw" else power.PartShare(share=value)


def _support_part(choices: Choices, path: str) -> power.PartShare:
    """Storage or management: a power of the user's own stands whatever is counted."""
    part = _part(choices.share(path)) or power.PartShare()
    return dataclasses.replace(part, fixed=choices.is_given(path))


def warn_of_support(
    design: power.PowerDesign,
    it: power.ItPower,
    support_mw: tuple[float | None, float | None],
    ledger: Ledger,
) -> None:
    """Say where counted switches take more than the part that is planned for them."""
    for name, counted, part in (
        ("storage", support_mw[0], design.storage),
        ("management", support_mw[1], design.management),
    ):
        planned = part.share * it.compute_mw + part.stated_mw
        if counted is None or counted <= planned:
            continue
        end = "the power given stands" if part.fixed else "the counted power is used"
        ledger.warn(
            f"{name}_network_power",
            f"power.it_{name}_mw",
            f"the counted switches of the {name} networks take {counted:.4g} MW, more than the"
            f" {planned:.4g} MW planned for {name}; {end}",
        )


def _note_rack_figures(chosen: RackChoice) -> None:
    """Record the rack powers of the section with their sources."""
    origin = chosen.provenance
    capacity = "typical_kw" if chosen.power_basis == "typical" else "nameplate_kw"
    notes: dict[str, tuple[Any, Provenance]] = {
        "rack_power_kw": (chosen.capacity_kw, origin[capacity]),
        "rack_nameplate_kw": (chosen.nameplate_kw, origin["nameplate_kw"]),
        "rack_typical_kw": (chosen.typical_kw, origin["typical_kw"]),
        "rack_peak_kw": (chosen.peak_kw, origin["peak_kw"]),
        "rack_idle_kw": (chosen.idle_kw, origin["idle_kw"]),
    }
    for name, (value, (source, verified)) in notes.items():
        given(f"power.{name}", value, "kW", source, verified)
