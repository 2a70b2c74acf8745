"""From choices, rack and catalogue to the liquid loops' design: `LiquidDesign`.

Every default that is used becomes an assumption; what cannot work is refused here or, where it
depends on the rack's heat, when the loop is sized.
"""

from __future__ import annotations

import difflib
import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.planning.cooling_assumptions import silent
from clusterplan.planning.fws_fluid import with_fws_fluid
from clusterplan.planning.rack_choice import LIQUID_FRACTION, SUPPLY_TEMP_C, UNKNOWN
from clusterplan.sizing import density as dens
from clusterplan.sizing.cdu import CduSpec, cdu_spec
from clusterplan.sizing.cdu_groups import GroupRule
from clusterplan.sizing.coolants import rho_c
from clusterplan.sizing.fws_loop import FwsChoice
from clusterplan.sizing.liquid_loop import LiquidDesign
from clusterplan.sizing.tcs_loop import RackLiquid, TcsSupply, rack_loop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusterplan.core.equipment import Cdu, Coolant, DensityThreshold, GlycolPoint, PipeSize
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.rack_choice import RackChoice

__all__ = [
    "LiquidRows",
    "liquid_design",
    "liquid_design_for_heat",
    "liquid_fraction",
    "rack_density",
    "with_fws_fluid",
]

RETURN_MAX_C = 65.0
_FLOW_TOLERANCE = 0.98
_RISE_TOLERANCE = 1.001
_RISE_K = 10.0
"""Rise of heat from liquid-cooled switches where the racks themselves give none."""
_RATING_TEMP_C = 30.0
"""Mean temperature at which CDU ratings on PG25 are read (4.003 MJ/m3K)."""


class LiquidRows(NamedTuple):
    """The catalogue rows that the liquid loops need."""

    cdus: Sequence[Cdu]
    coolants: Sequence[Coolant]
    pipes: Sequence[PipeSize]
    glycol: Sequence[GlycolPoint]


def liquid_fraction(choices: Choices, rack_fraction: float, rack_id: str) -> float:
    """Share of rack heat to liquid: the rack's own, unless `cooling.method` changes the rack.

    Raises InputError where the method would put a liquid-cooled rack on air.
    """
    method = choices.text("cooling.method")
    if method in (dens.AIR, dens.REAR_DOOR) and rack_fraction > 0:
        raise _refusal(
            f"{rack_id} gives {100 * rack_fraction:.0f} % of its heat to liquid; it cannot be"
            f" cooled by {method}",
            "method",
            "leave cooling.method out, or plan another rack",
        )
    if method == dens.IMMERSION or (method == dens.ALL_LIQUID and rack_fraction < 1):
        fraction = max(rack_fraction, 1.0 if method == dens.IMMERSION else dens.ALL_LIQUID_FRACTION)
    elif method == dens.DIRECT_TO_CHIP and rack_fraction == 0:
        fraction = LIQUID_FRACTION
    else:
        return rack_fraction
    if fraction != rack_fraction:
        source = f"cooling.method {method}; the rack row has {rack_fraction:g}"
        choices.ledger.assume("rack.liquid_heat_fraction", fraction, "", source)
    return fraction


def rack_density(
    choices: Choices, chosen: RackChoice, thresholds: Iterable[DensityThreshold]
) -> dens.Density:
    """Cooling method of the rack at nameplate, with the threshold that decided."""
    fraction = liquid_fraction(choices, chosen.liquid_heat_fraction, chosen.rack.id)
    method = choices.text("cooling.method")
    limits = dens.density_limits(thresholds)
    result = dens.density(fraction, chosen.nameplate_kw, limits, method)
    if result.beyond_air or (fraction == 0 and result.air_class == dens.REAR_DOOR):
        airflow = chosen.rack.airflow_cfm_per_kw
        cfm = "" if airflow is None else f" ({result.air_kw * airflow:.0f} CFM)"
        most = limits.rear_door_max_kw if result.beyond_air else limits.air_max_kw
        choices.ledger.warn(
            "air_density",
            "cooling.density_class",
            f"{chosen.rack.id} gives {result.air_kw:.1f} kW to air{cfm}, above the {most:.0f} kW"
            f" of {dens.REAR_DOOR if result.beyond_air else 'room air without doors'}",
        )
    return result


def liquid_design(
    choices: Choices,
    chosen: RackChoice,
    rows: LiquidRows,
    heating_99p6_c: float | None,
    outdoor_coils: bool | None,
    su_racks: int | None = None,
) -> LiquidDesign:
    """Resolve the liquid loops for a rack.

    heating_99p6_c in degC, None where the climate is unknown. outdoor_coils: whether the FWS runs
    through coils outdoors; None leaves the loop on water until `with_fws_fluid` is called, which
    changes no temperature and no CDU. su_racks: racks of a scalable unit, from the rack row when
    left out. Raises InputError for choices that cannot work.
    """
    row = chosen.rack
    fraction = liquid_fraction(choices, chosen.liquid_heat_fraction, row.id)
    name = choices.text("cooling.tcs_coolant") or chosen.coolant
    coolant = _coolant(rows, "pg25" if name in ("", "none") else name)
    rack = _rack_liquid(choices, chosen, rows, fraction)
    low, high = chosen.supply_temp_min_c, chosen.supply_temp_max_c
    supply = _supply(
        choices,
        SUPPLY_TEMP_C[0] if low is None else low,
        SUPPLY_TEMP_C[1] if high is None else high,
    )
    _check_supply(supply, row.id, row.supply_temp_min_c, row.supply_temp_max_c)
    _warn_about_flow(choices, rack, supply, coolant, chosen.capacity_kw * fraction)
    if su_racks is None:
        servers = chosen.shape.su_servers
        su_racks = 1 if servers is None else math.ceil(servers / row.servers_per_rack)
    design = _design(choices, rows, rack, (supply, coolant), su_racks)
    return with_fws_fluid(design, choices, rows, heating_99p6_c, outdoor_coils)


def liquid_design_for_heat(
    choices: Choices,
    fraction: float,
    rows: LiquidRows,
    heating_99p6_c: float | None,
    outdoor_coils: bool | None,
) -> LiquidDesign:
    """Resolve the liquid loops for heat without racks.

    Size it with `size_liquid_loop(design, heat_kw, 1.0)`. A group is what the duty units serve.
    """
    rack = RackLiquid(
        rack_id="the heat load",
        liquid_fraction=fraction,
        return_max_c=RETURN_MAX_C,
        rise_k=choices.number("cooling.tcs_rise_default"),
        drop_kpa=choices.number("cooling.rack_drop_default"),
        rise_given_k=choices.optional("cooling.tcs_rise"),
    )
    coolant = _coolant(rows, choices.text("cooling.tcs_coolant") or "pg25")
    supply = _supply(choices, SUPPLY_TEMP_C[0], None)
    _check_supply(supply, rack.rack_id, None, None)
    design = _design(choices, rows, rack, (supply, coolant), 0)
    return with_fws_fluid(design, choices, rows, heating_99p6_c, outdoor_coils)


def _design(
    choices: Choices,
    rows: LiquidRows,
    rack: RackLiquid,
    tcs: tuple[TcsSupply, Coolant],
    block_racks: int,
) -> LiquidDesign:
    water = _coolant(rows, "water")
    cdus, chosen = _cdus(choices, rows)
    group = choices.optional("cooling.cdu_group_racks") if block_racks else None
    return LiquidDesign(
        rack=rack,
        supply=tcs[0],
        tcs_coolant=tcs[1],
        water=water,
        cdus=cdus,
        cdu_chosen=chosen,
        cdus_redundant_per_group=choices.integer("cooling.cdu_redundancy"),
        grouping=GroupRule(
            racks=group,
            block_racks=block_racks,
            duty_units_max=choices.integer("cooling.cdu_duty_units_max"),
            turndown=choices.number("cooling.turndown"),
        ),
        manifold_drop_kpa=choices.number("cooling.manifold_drop"),
        fws=FwsChoice(
            supply_given_c=choices.optional("cooling.fws_supply"),
            return_given_c=choices.optional("cooling.fws_return"),
            approach_design_k=choices.number("cooling.cdu_approach_design"),
            approach_max_k=choices.number("cooling.cdu_approach_max"),
            coolant=water,
            coolant_id="water",
            head_kpa=choices.number("cooling.fws_pump_head"),
            pump_efficiency=choices.number("cooling.pump_efficiency"),
        ),
        pipes=tuple(sorted(rows.pipes, key=lambda pipe: pipe.inner_diameter_mm)),
        pipe_roughness_mm=choices.number("cooling.pipe_roughness"),
        pipe_friction_max_pa_per_m=choices.number("cooling.pipe_friction_max"),
        plant_block_mw=choices.number("cooling.plant_block"),
    )


def _cdus(choices: Choices, rows: LiquidRows) -> tuple[tuple[CduSpec, ...], bool]:
    """The CDUs to try, in order, and whether the user named the only one."""
    rating = rho_c(_coolant(rows, "pg25"), _RATING_TEMP_C)
    asked = choices.text("cooling.cdu")
    named = [row for row in rows.cdus if row.id == asked]
    if asked and not named:
        near = difflib.get_close_matches(asked, [row.id for row in rows.cdus], 1)
        hint = f"did you mean {near[0]}?" if near else "see `clusterplan catalog cdus`"
        raise _refusal(f"no CDU {asked} in the catalogue", "cdu", hint)
    picked = named or [row for row in rows.cdus if row.automatic]
    default = 0.0
    if any(row.electric_kw is None and row.electric_kw_per_l_per_min is None for row in picked):
        # listed as an assumption only where the CDU that is chosen needs it
        default = silent(choices).number("cooling.cdu_pump_power")
    for row in named:
        _warn_about(choices, row)
    return tuple(cdu_spec(row, default, rating) for row in picked), bool(named)


def _warn_about(choices: Choices, row: Cdu) -> None:
    doubts = []
    if not row.flow_verified:
        doubts.append("its flow limit was not read in a source")
    if row.head_kpa is None:
        doubts.append("it has no published head, so the pressure drop is not checked")
    if doubts:
        choices.ledger.warn(
            "cdu_unverified", "cooling.cdu", f"CDU {row.id}: {' and '.join(doubts)}"
        )


def _supply(choices: Choices, low_c: float, high_c: float | None) -> TcsSupply:
    """What sets the TCS supply; high_c is None where no rack limits it."""
    asked = choices.optional("cooling.tcs_supply")
    preferred, margin = 40.0, 5.0
    if asked is None:
        preferred = choices.number("cooling.tcs_supply_preferred")
        margin = choices.number("cooling.tcs_supply_margin")
    return TcsSupply(
        given_c=asked,
        preferred_c=preferred,
        rack_min_c=low_c,
        rack_max_c=preferred + margin if high_c is None else high_c,
        rack_margin_k=margin,
        room_dew_point_c=choices.number("cooling.room_dew_point"),
        dew_point_margin_k=choices.number("cooling.dew_point_margin"),
    )


def _check_supply(
    supply: TcsSupply, rack_id: str, low_c: float | None, high_c: float | None
) -> None:
    """Refuse a supply outside what the rack row states, or with pipes that sweat."""
    dry_c = supply.room_dew_point_c + supply.dew_point_margin_k
    if high_c is not None and dry_c > high_c:
        raise _refusal(
            f"room dew point and margin need {dry_c:g} degC, {rack_id} takes {high_c:g} degC",
            "room_dew_point",
            "dry the room",
        )
    asked = supply.given_c
    if asked is None:
        return
    if high_c is not None and asked > high_c:
        raise _refusal(
            f"TCS supply of {asked:g} degC is above the {high_c:g} degC that {rack_id} takes",
            "tcs_supply",
            f"give at most {high_c:g} degC",
        )
    least = dry_c if low_c is None else max(dry_c, low_c)
    if asked < least:
        why = "room dew point and margin" if least == dry_c else f"least supply of {rack_id}"
        raise _refusal(
            f"TCS supply of {asked:g} degC is below the {least:g} degC of the {why}",
            "tcs_supply",
            f"give at least {least:g} degC",
        )


def _rack_liquid(
    choices: Choices, chosen: RackChoice, rows: LiquidRows, fraction: float
) -> RackLiquid:
    """The liquid side of the rack; what its row does not state by default."""
    row, table = chosen.rack, chosen.rack.flow_table
    published = row.flow_l_per_min_per_kw
    needs_rise = not (row.return_temp_c or table or published or row.rise_k)
    drop = chosen.pressure_drop_kpa
    if drop is None:
        drop = 0.0 if table else choices.number("cooling.rack_drop_default")
    return RackLiquid(
        rack_id=row.id,
        liquid_fraction=fraction,
        return_max_c=_return_max(choices, row.return_temp_max_c if fraction > 0 else RETURN_MAX_C),
        rise_k=choices.number("cooling.tcs_rise_default") if needs_rise else row.rise_k or _RISE_K,
        drop_kpa=drop,
        rise_given_k=choices.optional("cooling.tcs_rise"),
        return_temp_c=row.return_temp_c,
        flow_table=tuple(sorted(table, key=lambda point: point.supply_temp_c)),
        flow_table_liquid_kw=row.flow_table_liquid_kw,
        flow_table_coolant=_coolant(rows, row.flow_table_coolant or "pg25") if table else None,
        flow_l_per_min_per_kw=published,
        flow_max_l_per_min=row.flow_max_l_per_min,
    )


def _warn_about_flow(
    choices: Choices, rack: RackLiquid, supply: TcsSupply, coolant: Coolant, rack_kw: float
) -> None:
    """Warn where the user's rise starves the rack of flow, or its flow limit rules the rise out."""
    published = rack._replace(rise_given_k=None, rise_k=rack.rise_given_k or rack.rise_k)
    if rack.rise_given_k is None:
        return
    loop = rack_loop(rack, supply, coolant, rack_kw)
    flow = loop.flow_l_per_min
    if loop.rise_k > rack.rise_given_k * _RISE_TOLERANCE:
        choices.ledger.warn(
            "tcs_rise_capped",
            "cooling.tcs_return_temp_c",
            f"{rack.rack_id} takes at most {flow:.0f} L/min: the TCS rises {loop.rise_k:.1f} K,"
            f" not {rack.rise_given_k:g} K",
        )
    least = rack_loop(published, supply, coolant, rack_kw).flow_l_per_min
    if flow < _FLOW_TOLERANCE * least:
        choices.ledger.warn(
            "tcs_flow_below_rack",
            "cooling.tcs_flow_l_per_min",
            f"a TCS rise of {rack.rise_given_k:g} K gives {rack.rack_id} {flow:.0f} L/min;"
            f" its maker asks for {least:.0f} L/min",
        )


def _return_max(choices: Choices, published_c: float | None) -> float:
    if published_c is not None:
        return published_c
    source = f"limit of GB200 NVL72 racks (QCT); {UNKNOWN}"
    choices.ledger.assume("rack.return_temp_max_c", RETURN_MAX_C, "°C", source)
    return RETURN_MAX_C


def _coolant(rows: LiquidRows, coolant_id: str) -> Coolant:
    for row in rows.coolants:
        if row.id == coolant_id:
            return row
    raise _refusal(f"no coolant {coolant_id} in the catalogue", "tcs_coolant", "water or pg25")


def _refusal(message: str, field: str, hint: str) -> InputError:
    return InputError(Problem(message, path=f"design.cooling.{field}", hint=hint))
