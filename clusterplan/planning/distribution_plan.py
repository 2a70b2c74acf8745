"""Distribution of one plan: feeders, blocks by redundancy scheme, what carries on without grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.core.results.distribution import DistributionSection, PowerBlocks
from clusterplan.core.shown_units import unit_of
from clusterplan.planning.feeder_plan import feeder_figures
from clusterplan.planning.standby_plan import standby_figures
from clusterplan.planning.substation_plan import stages_of
from clusterplan.sizing import power_blocks
from clusterplan.sizing.distribution import MV_LV, RECTIFIER, UPS
from clusterplan.sizing.electrical_load import mv_bus_current_a

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.substation_plan import ChainLoads, ElectricalDesign
    from clusterplan.sizing.distribution import ChainStage

BOUNDARY = {
    "ac": "AC input: the power supplies are inside rack power, not in the chain",
    "dc800": "800 V DC input: the rectifiers are in the chain, not inside rack power",
}
STRAIN = 0.002  # of UPS efficiency below the planned one


class _Lv(NamedTuple):
    """Blocks behind MV: low voltage in kV, power factor, scheme and group of the racks' chain."""

    kv: float
    power_factor: float
    scheme: str
    group: int


def distribution_section(
    design: ElectricalDesign,
    choices: Choices,
    substation: SubstationSection,
    loads: ChainLoads,
    facility_mw: float,
    storage: tuple[float, float] | None = None,
) -> DistributionSection:
    """Size what stands behind the MV buses. Recorded where a record is kept.

    loads: MW at the ends of the chain, of the whole facility; facility_mw at the meter; storage:
    MW and usable MWh that stand on the site.
    """
    stages = stages_of(design, substation.active_power_mw)
    lv = _low_voltage(design, choices)
    motors = loads.mechanical_mw + loads.mechanical_on_ups_mw
    given("distribution.it_mw", loads.it_mw, "MW", "IT of the plan at the racks' input")
    given("distribution.mechanical_mw", motors, "MW", "cooling at its PUE peak, and house load")
    lost = power_blocks.chain_loss_mw(tuple(row.loss_mw for row in substation.losses))
    values: dict[str, Any] = {
        "boundary": BOUNDARY[design.distribution],
        "lv": "800 V DC to the racks" if design.distribution == "dc800" else _volts(lv.kv),
        "it_mw": loads.it_mw,
        "mechanical_mw": motors,
        "chain_loss_mw": lost,
        "meter_mw": power_blocks.meter_mw(loads.it_mw, motors, lost),
    }
    values |= feeder_figures(design, choices, substation)
    blocks, ups_load_mva = _blocks(design, choices, substation, (stages, lv), loads)
    values |= _ups_figures(design, choices, ups_load_mva * lv.power_factor, blocks)
    autonomy = values["ups_autonomy_s"]
    values |= standby_figures(design, choices, loads, facility_mw, autonomy, storage)
    return DistributionSection(**values, blocks=tuple(blocks))


def _volts(kv: float) -> str:
    return f"{1000.0 * kv:g} V line to line"


def _low_voltage(design: ElectricalDesign, choices: Choices) -> _Lv:
    volts = choices.optional("electrical.lv")
    kv = design.tables.boards[0].lv_kv if volts is None else volts / 1000.0
    if volts is None:
        source = f"unit substations of {design.tables.practice} practice"
        choices.ledger.assume("design.electrical.lv", 1000.0 * kv, "V L-L", source)
    return _Lv(
        kv,
        choices.number("electrical.power_factor_lv"),
        choices.text("electrical.redundancy"),
        choices.integer("electrical.redundancy_group"),
    )


def _blocks(
    design: ElectricalDesign,
    choices: Choices,
    substation: SubstationSection,
    chain: tuple[Sequence[ChainStage], _Lv],
    loads: ChainLoads,
) -> tuple[list[PowerBlocks], float]:
    """Rows of blocks in the order of the chain, and the load of the UPS in MVA (0 without)."""
    stages, lv = chain
    rows: list[PowerBlocks] = []
    it, plant, on_ups = loads
    dc = design.distribution == "dc800"
    racks_sized = 0
    if substation.service != "mv":
        racks_sized = _unit_substations(design, choices, chain, loads, rows)
    if dc:
        ahead = power_blocks.efficiency_behind(stages, RECTIFIER)
        load = power_blocks.block_load_mva(it, ahead.it, 0.0, 1.0, 1.0)
        rating = choices.number("electrical.rectifier_block")
        racks_sized = _add(rows, "800 V DC rectifiers", load, rating, (lv.scheme, lv.group))
    if design.ups is None or design.ups.position == "rack":
        load = 0.0
        if design.ups is not None:
            _warn_pumps(choices)
            load = power_blocks.block_load_mva(it, 1.0, 0.0, 1.0, lv.power_factor)
        return rows, load
    ahead = power_blocks.efficiency_behind(stages, UPS)
    motors, efficiency = on_ups, ahead.mechanical_on_ups
    if design.ups.position == "mv":
        motors, efficiency = plant + on_ups, ahead.mechanical
    load = power_blocks.block_load_mva(it, ahead.it, motors, efficiency, lv.power_factor)
    if choices.text("electrical.ups_placement") == "distributed" and racks_sized:
        # one behind each block of the racks, so as many and as redundant as those
        rating = load / racks_sized
        _add(rows, "UPS, one a block", load, rating, (lv.scheme, lv.group), needed=racks_sized)
    else:
        _add(rows, "UPS", load, choices.number("electrical.ups_block"), (lv.scheme, lv.group))
    return rows, load


def _unit_substations(
    design: ElectricalDesign,
    choices: Choices,
    chain: tuple[Sequence[ChainStage], _Lv],
    loads: ChainLoads,
    rows: list[PowerBlocks],
) -> int:
    """Unit substations of racks and plant apart; how many the racks need, 0 with rectifiers."""
    stages, lv = chain
    it, plant, on_ups = loads
    rating = choices.optional("electrical.unit_substation")
    if rating is None:
        limit = design.rules.board_current_max_a
        fitting = [
            board.mva
            for board in design.tables.boards
            if mv_bus_current_a(board.mva, 1, lv.kv) <= limit
        ]
        rating = max(fitting, default=min(board.mva for board in design.tables.boards))
        source = f"largest of the catalogue with a board to {limit:g} A"
        choices.ledger.assume("design.electrical.unit_substation", rating, "MVA", source)
    ahead = power_blocks.efficiency_behind(stages, MV_LV)
    needed = 0
    if design.distribution == "dc800":
        plant, motors = plant + on_ups / ahead.mechanical_on_ups, 0.0
    else:
        motors = on_ups
        load = power_blocks.block_load_mva(
            it, ahead.it, motors, ahead.mechanical_on_ups, lv.power_factor
        )
        needed = _add(rows, "unit substations, racks", load, rating, (lv.scheme, lv.group))
    load = power_blocks.block_load_mva(0.0, 1.0, plant, ahead.mechanical, lv.power_factor)
    scheme = choices.text("electrical.mechanical_redundancy")
    if plant > 0.0:
        _add(rows, "unit substations, plant", load, rating, (scheme, lv.group))
    return needed


def _add(
    rows: list[PowerBlocks],
    name: str,
    load: float,
    rating: float,
    scheme: tuple[str, int],
    needed: int | None = None,
) -> int:
    """Append a row of blocks and give the number that carries the load."""
    given(f"distribution.blocks.{len(rows)}.rating_mva", rating, "MVA", f"rating: {name}", "false")
    if needed is None:
        found = power_blocks.blocks_for(load, rating, *scheme)
    else:
        found = power_blocks.blocks_of(load, rating, needed, *scheme)
    rows.append(
        PowerBlocks(
            blocks=name,
            scheme=scheme[0],
            load_mva=load,
            rating_mva=rating,
            installed=found.installed,
            redundant=found.redundant,
            loading_normal_percent=found.loading_normal_percent,
            loading_degraded_percent=found.loading_degraded_percent,
            lost_percent=found.lost_percent,
        )
    )
    return found.needed


def _warn_pumps(choices: Choices) -> None:
    choices.ledger.warn(
        "pumps_without_ups",
        "design.electrical.ups_kind",
        "batteries in the racks carry no pumps: the CDU pumps stop with the grid unless they have"
        " a UPS of their own",
    )


def _ups_figures(
    design: ElectricalDesign, choices: Choices, load_mw: float, blocks: list[PowerBlocks]
) -> dict[str, Any]:
    """Kind, battery time and energy; a warning where the load is beyond the planned efficiency."""
    row = design.ups
    if row is None:
        return {"ups": "none", "ups_autonomy_s": None, "ups_energy_mwh": None}
    seconds = choices.optional("electrical.ups_autonomy")
    if seconds is None:
        seconds = row.autonomy_s
        path = "design.electrical.ups_autonomy"
        choices.ledger.assume(path, seconds, "s", f"UPS row {row.id}")
    given("distribution.ups_autonomy_s", seconds, unit_of("_s"), f"{row.id}, or design.yaml")
    place = choices.text("electrical.ups_placement") if row.position == "lv" else row.position
    planned = design.efficiencies["ups"]
    found = next((block for block in blocks if block.blocks.startswith("UPS")), None)
    if (
        found is not None
        and row.curve_percent
        and not choices.is_given("electrical.efficiency.ups")
    ):
        expected = catalog.ups_efficiency(row, found.loading_normal_percent) / 100.0
        if expected < planned - STRAIN:
            choices.ledger.warn(
                "ups_efficiency_at_load",
                "design.electrical.efficiency.ups",
                f"at {found.loading_normal_percent:.0f} % load such a UPS has {100 * expected:.1f}"
                f" % efficiency, below the {100 * planned:.1f} % planned",
            )
    return {
        "ups": f"{row.id}, {place}",
        "ups_autonomy_s": seconds,
        "ups_energy_mwh": power_blocks.ups_energy_mwh(load_mw, seconds),
    }
