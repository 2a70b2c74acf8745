"""The liquid loops of a site: racks to CDUs (TCS) and CDUs to the plant (FWS).

`LiquidDesign` holds everything that does not depend on the count of racks, resolved once;
`size_liquid_loop` is the fast, pure evaluation that the solve loop calls. What depends only on the
heat of one rack (its flow, the choice of CDU, a full group) is kept between calls; while a
calculation record is active nothing is taken from there, so that every step is recorded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import ClusterplanError, InfeasibleError, InputError, Problem
from clusterplan.core.record import active_recorder
from clusterplan.sizing import fws_loop as fws
from clusterplan.sizing.cdu import (
    CduGroup,
    CduSpec,
    FwsRule,
    GroupLoad,
    least_approach_k,
    size_group,
)
from clusterplan.sizing.cdu_groups import (
    GroupRule,
    cdu_groups,
    cdu_pump_kw,
    cdus,
    cdus_redundant,
    full_groups,
    group_load,
    group_racks,
    last_group_racks,
)
from clusterplan.sizing.coolants import (
    coolant_density_kg_per_m3,
    coolant_flow_l_per_min,
    coolant_viscosity_mpa_s,
)
from clusterplan.sizing.density import liquid_heat_mw, rack_liquid_kw
from clusterplan.sizing.liquid_notes import note_choices, note_ratings
from clusterplan.sizing.pipes import Fluid, PipeChoice, choose_pipe
from clusterplan.sizing.tcs_loop import RackLoop, rack_loop, tcs_flow_l_per_min

if TYPE_CHECKING:
    from clusterplan.core.equipment import Coolant, PipeSize
    from clusterplan.sizing.tcs_loop import RackLiquid, TcsSupply


_ROUNDING = 1e-6  # of racks


@dataclass(frozen=True, kw_only=True, eq=False)
class LiquidDesign:
    """Everything of the liquid loops that does not depend on the count of racks.

    cdus are in the order of choice; cdu_chosen says that the user named the only one. pipes are in
    ascending order. Compared and kept by identity.
    """

    rack: RackLiquid
    supply: TcsSupply
    tcs_coolant: Coolant
    water: Coolant
    cdus: tuple[CduSpec, ...]
    cdu_chosen: bool
    cdus_redundant_per_group: int
    grouping: GroupRule
    manifold_drop_kpa: float
    fws: fws.FwsChoice
    pipes: tuple[PipeSize, ...]
    pipe_roughness_mm: float
    pipe_friction_max_pa_per_m: float
    plant_block_mw: float


class LiquidLoop(NamedTuple):
    """Liquid loops of a whole site. Flows are totals; redundant CDUs draw no power.

    cdu_approach_k is what the exchangers need at duty flow (the worst group's); fws_supply_temp_c
    keeps at least the planned approach. cdu_limit: heat, flow or approach, what sets the units.
    """

    liquid_heat_mw: float
    rack_liquid_kw: float
    rack_flow_l_per_min: float
    rack_drop_kpa: float
    tcs_supply_temp_c: float
    tcs_return_temp_c: float
    tcs_rise_k: float
    tcs_flow_l_per_min: float
    tcs_coolant: str
    cdu: str
    cdus: int
    cdus_redundant: int
    cdu_groups: int
    cdu_group_racks: float
    cdu_limit: str
    cdu_approach_k: float
    cdu_pump_kw: float
    cdu_pipe_dn: int
    fws_coolant: str
    fws_supply_temp_c: float
    fws_return_temp_c: float
    fws_rise_k: float
    fws_heat_mw: float
    fws_flow_l_per_min: float
    fws_pump_kw: float
    fws_main_blocks: int
    fws_main_pairs: int
    fws_main_dn: int
    fws_main_velocity_m_per_s: float
    fws_main_friction_pa_per_m: float
    full_groups: int
    full_group: CduGroup
    last_group: CduGroup | None


class Basis(NamedTuple):
    """What depends on the heat of one rack only."""

    rack: RackLoop
    load: GroupLoad
    rule: FwsRule
    cdu: CduSpec
    group_racks: float
    full_group: CduGroup
    cdu_pipe_dn: int


class _Groups(NamedTuple):
    """Groups of the site: `full` equal ones and perhaps a part-filled last."""

    full: int
    last: CduGroup | None
    number: int


def size_liquid_loop(
    design: LiquidDesign,
    racks: float,
    rack_power_kw: float,
    extra_liquid_kw: float = 0.0,
    it_power_mw: float | None = None,
) -> LiquidLoop | None:
    """Liquid loops for `racks` racks of `rack_power_kw` each; None where no heat goes to liquid.

    racks may be a fraction for a part-filled rack (heat without racks: kW of heat, of 1 kW each).
    extra_liquid_kw is heat of liquid-cooled switches, carried at the racks' rise and spread over
    the groups. it_power_mw (all IT; compute racks alone when left out) sets how many plant blocks
    share the FWS mains. Raises InputError for temperatures that cannot work and for a chosen CDU
    that does not pass, InfeasibleError where no CDU passes.
    """
    heat_mw = liquid_heat_mw(racks, rack_power_kw, design.rack.liquid_fraction, extra_liquid_kw)
    if heat_mw <= 0 or racks <= 0:
        return None
    own_kw = rack_liquid_kw(rack_power_kw, design.rack.liquid_fraction)
    extra_kw = extra_liquid_kw / racks
    basis = (_kept_basis if active_recorder() is None else _basis)(design, own_kw, extra_kw)
    groups = _groups(design, basis, racks)
    last_pump = groups.last.pump_kw if groups.last else 0.0
    pump = cdu_pump_kw(groups.full, basis.full_group.pump_kw, last_pump)
    it_mw = racks * rack_power_kw / 1000 if it_power_mw is None else it_power_mw
    return _assemble(design, basis, groups, (heat_mw, pump, it_mw))


def _basis(design: LiquidDesign, rack_kw: float, extra_kw: float) -> Basis:
    """Flow of one rack, choice of CDU, a full group."""
    rack = rack_loop(design.rack, design.supply, design.tcs_coolant, rack_kw)
    heat = rack_kw + extra_kw
    flow = coolant_flow_l_per_min(heat, rack.heat_capacity_mj_per_m3_k, rack.rise_k)
    load = GroupLoad(heat, flow, rack.rise_k)
    rule = fws.exchanger_rule(design.fws, rack.supply_c, rack.return_c)
    cdu, group_size, group = _choose_cdu(design, rack, load, rule)
    mean_c = rack.supply_c + rack.rise_k / 2
    pipe = choose_pipe(
        group.unit_flow_l_per_min,
        design.pipes,
        _fluid(design.tcs_coolant, mean_c),
        design.pipe_roughness_mm,
        design.pipe_friction_max_pa_per_m,
    )
    return Basis(rack, load, rule, cdu, group_size, group, pipe.dn)


_kept_basis = lru_cache(maxsize=512)(_basis)
_kept_group = lru_cache(maxsize=2048)(size_group)


def _choose_cdu(
    design: LiquidDesign, rack: RackLoop, load: GroupLoad, rule: FwsRule
) -> tuple[CduSpec, float, CduGroup]:
    """The first CDU that passes head and approach, its group, and how the group runs."""
    need_kpa = rack.drop_kpa + design.manifold_drop_kpa
    failures = []
    by_approach = False
    for spec in design.cdus:
        if spec.head_kpa is not None and need_kpa > spec.head_kpa:
            failures.append(
                f"{spec.id}: racks and manifold need {need_kpa:.0f} kPa,"
                f" it gives {spec.head_kpa:.0f} kPa"
            )
            continue
        racks = group_racks(spec, load, rule, design.grouping)
        group = None
        if racks is not None:
            group = size_group(spec, group_load(load, racks), rule, design.grouping.turndown)
        if racks is not None and group is not None:
            return spec, racks, group
        by_approach = True
        least_flow = max(design.grouping.turndown, 0.1) * spec.flow_max_l_per_min
        least = least_approach_k(spec, load.tcs_rise_k, least_flow)
        failures.append(
            f"{spec.id}: needs an approach of at least {least:.1f} K at a TCS rise of"
            f" {load.tcs_rise_k:.1f} K, {rule.approach_max_k:.1f} K allowed"
        )
    raise _no_cdu(design, failures, by_approach=by_approach)


def _no_cdu(design: LiquidDesign, failures: list[str], *, by_approach: bool) -> ClusterplanError:
    reasons = "; ".join(failures)
    given_c = (design.fws.supply_given_c, design.fws.return_given_c)
    if by_approach and given_c != (None, None):
        return InputError(
            Problem(
                f"no CDU holds the TCS supply with the FWS temperatures given ({reasons})",
                path="design.cooling.fws_supply",
                hint="give a colder FWS supply, a colder FWS return, or a warmer TCS supply",
            )
        )
    if design.cdu_chosen:
        return InputError(
            Problem(
                f"the chosen CDU cannot serve the racks ({reasons})",
                path="design.cooling.cdu",
                hint="leave it out to have one chosen",
            )
        )
    return InfeasibleError(f"no CDU of the catalogue can serve the racks ({reasons})", "cdu")


def _groups(design: LiquidDesign, basis: Basis, racks: float) -> _Groups:
    """Full groups, and the last one sized by itself."""
    count = cdu_groups(racks, basis.group_racks)
    full = full_groups(racks, basis.group_racks)
    if full == count:
        return _Groups(full, None, count)
    load = group_load(basis.load, last_group_racks(racks, full, basis.group_racks))
    # With as many units as a full group each runs at less flow, so that the approach is kept.
    most = basis.full_group.duty_units
    size = size_group if active_recorder() is not None else _kept_group
    last = size(basis.cdu, load, basis.rule, design.grouping.turndown, most)
    if last is None:
        raise InfeasibleError("the last CDU group cannot keep the approach", "cdu")
    return _Groups(full, last, count)


def racks_past_dip(design: LiquidDesign, loop: LiquidLoop, racks: float) -> int | None:
    """Racks of the site from which the last group has one CDU more, or is full.

    A last group whose CDUs are loaded more than those of a full one needs a larger approach, which
    lowers the FWS supply of the whole site; more racks end that. None where it does not.
    """
    last, full = loop.last_group, loop.full_group
    if last is None or loop.full_groups == 0 or last.approach_k <= full.approach_k:
        return None
    before = loop.full_groups * loop.cdu_group_racks
    whole = math.ceil(before + loop.cdu_group_racks - _ROUNDING)
    spec = next(row for row in design.cdus if row.id == loop.cdu)
    by_heat = (last.heat_kw + last.flow_l_per_min * spec.pump_kw_per_l_per_min) / spec.capacity_kw
    by_flow = last.flow_l_per_min / spec.flow_max_l_per_min
    units_per_rack = max(by_heat, by_flow) / (racks - before)
    another = math.floor(before + last.duty_units / units_per_rack + _ROUNDING) + 1
    return min(whole, another)


def _assemble(
    design: LiquidDesign, basis: Basis, groups: _Groups, totals: tuple[float, float, float]
) -> LiquidLoop:
    """Site totals from the groups; totals: liquid heat MW, CDU pump kW, IT MW."""
    heat_mw, pump_kw, it_mw = totals
    rack, full, last = basis.rack, basis.full_group, groups.last
    approach, rise = _worst(groups, full)
    to_fws = fws.fws_heat_mw(heat_mw, pump_kw)
    water = fws.size_fws(
        design.fws, design.water, (rack.supply_c, rack.return_c), (approach, rise), to_fws
    )
    blocks, main = _mains(design, water, it_mw)
    spare = design.cdus_redundant_per_group
    last_units = last.duty_units if last else 0
    loop = LiquidLoop(
        liquid_heat_mw=heat_mw,
        rack_liquid_kw=rack.liquid_kw,
        rack_flow_l_per_min=rack.flow_l_per_min,
        rack_drop_kpa=rack.drop_kpa,
        tcs_supply_temp_c=rack.supply_c,
        tcs_return_temp_c=rack.return_c,
        tcs_rise_k=rack.rise_k,
        tcs_flow_l_per_min=tcs_flow_l_per_min(heat_mw, rack.heat_capacity_mj_per_m3_k, rack.rise_k),
        tcs_coolant=design.tcs_coolant.id,
        cdu=basis.cdu.id,
        cdus=cdus(groups.full, full.duty_units, last_units, groups.number, spare),
        cdus_redundant=cdus_redundant(groups.number, spare),
        cdu_groups=groups.number,
        cdu_group_racks=basis.group_racks,
        cdu_limit=full.limit if groups.full or last is None else last.limit,
        cdu_approach_k=approach,
        cdu_pump_kw=pump_kw,
        cdu_pipe_dn=basis.cdu_pipe_dn,
        fws_coolant=design.fws.coolant_id,
        fws_supply_temp_c=water.supply_c,
        fws_return_temp_c=water.return_c,
        fws_rise_k=water.rise_k,
        fws_heat_mw=to_fws,
        fws_flow_l_per_min=water.flow_l_per_min,
        fws_pump_kw=water.pump_kw,
        fws_main_blocks=blocks,
        fws_main_pairs=main.parallel,
        fws_main_dn=main.dn,
        fws_main_velocity_m_per_s=main.velocity_m_per_s,
        fws_main_friction_pa_per_m=main.friction_pa_per_m,
        full_groups=groups.full,
        full_group=full,
        last_group=last,
    )
    if active_recorder() is not None:
        note_choices(loop)
        note_ratings(design, basis)
    return loop


def _mains(design: LiquidDesign, water: fws.FwsLoop, it_mw: float) -> tuple[int, PipeChoice]:
    """Plant blocks, and the FWS main of one."""
    blocks = fws.fws_main_blocks(it_mw, design.plant_block_mw)
    main = choose_pipe(
        water.flow_l_per_min / blocks,
        design.pipes,
        _fluid(design.fws.coolant, water.mean_c),
        design.pipe_roughness_mm,
        design.pipe_friction_max_pa_per_m,
    )
    return blocks, main


def _worst(groups: _Groups, full: CduGroup) -> tuple[float, float]:
    """The largest approach of the groups, and the rise of the mixed FWS return."""
    last = groups.last
    if last is None:
        return full.approach_k, full.fws_rise_k
    if groups.full == 0:
        return last.approach_k, last.fws_rise_k
    approach = max(full.approach_k, last.approach_k)
    if last.fws_rise_k == full.fws_rise_k:
        return approach, full.fws_rise_k
    rise = fws.fws_rise_mixed_k(
        groups.full, full.heat_kw, full.fws_rise_k, last.heat_kw, last.fws_rise_k
    )
    return approach, rise


def _fluid(coolant: Coolant, temp_c: float) -> Fluid:
    return Fluid(
        coolant_density_kg_per_m3(temp_c, coolant.density_poly),
        coolant_viscosity_mpa_s(temp_c, coolant.ln_viscosity_poly),
    )


def cdu_pump_kw_at(loop: LiquidLoop, utilisation: float) -> float:
    """CDU pump power in kW when the racks run at `utilisation` (0 to 1) of the design power.

    Flow follows heat at constant rise; no unit goes below its turndown flow.
    """
    last = 0.0
    if loop.last_group is not None:
        group = loop.last_group
        last = group.pump_kw * fws.pump_part_load(utilisation, group.flow_floor_fraction)
    full = loop.full_group
    each = full.pump_kw * fws.pump_part_load(utilisation, full.flow_floor_fraction)
    return loop.full_groups * each + last


def fws_pump_kw_at(loop: LiquidLoop, utilisation: float) -> float:
    """FWS pump power in kW at `utilisation` (0 to 1) of the design heat; at least 25 % speed."""
    return loop.fws_pump_kw * fws.pump_part_load(utilisation, fws.PUMP_FLOOR_FRACTION)
