"""The facility water loop between the CDUs and the plant: temperatures, flow, pump power."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import formula, given
from clusterplan.sizing.cdu import FwsRule
from clusterplan.sizing.coolants import penalty, recorded_rho_c

if TYPE_CHECKING:
    from clusterplan.core.equipment import Coolant

_STEP_5 = "clusterplan method, cooling step 5"
_STEP_7 = "clusterplan method, cooling step 7"
HOT_END_MIN_K = 1.0
PUMP_FLOOR_FRACTION = 0.25
_ROUNDING = 1e-9


class FwsChoice(NamedTuple):
    """FWS choices: temperatures where the user gives them, approach, fluid, pumps.

    head_kpa is the total head for water; pump_efficiency is pump, motor and drive together.
    """

    supply_given_c: float | None
    return_given_c: float | None
    approach_design_k: float
    approach_max_k: float
    coolant: Coolant
    coolant_id: str
    head_kpa: float
    pump_efficiency: float


@formula(
    title="FWS supply temperature",
    equation="tcs_supply_temp_c - max(approach_design_k, cdu_approach_k)",
    unit="°C",
    source=_STEP_5,
)
def fws_supply_temp_c(
    tcs_supply_temp_c: float, approach_design_k: float, cdu_approach_k: float
) -> float:
    """Warmest facility water with which the CDUs hold the TCS supply."""
    return tcs_supply_temp_c - max(approach_design_k, cdu_approach_k)


@formula(
    title="FWS temperature rise",
    equation="(full_groups * full_heat_kw + last_heat_kw)"
    " / (full_groups * full_heat_kw / full_rise_k + last_heat_kw / last_rise_k)",
    unit="K",
    source="mixing of the groups' returns",
)
def fws_rise_mixed_k(
    full_groups: int,
    full_heat_kw: float,
    full_rise_k: float,
    last_heat_kw: float,
    last_rise_k: float,
) -> float:
    """Rise of the mixed return where the last group needs more FWS flow than the others."""
    heat = full_groups * full_heat_kw + last_heat_kw
    return heat / (full_groups * full_heat_kw / full_rise_k + last_heat_kw / last_rise_k)


@formula(
    title="FWS rise",
    equation="fws_return_temp_c - fws_supply_temp_c",
    unit="K",
    source="definition",
)
def fws_rise_given_k(fws_return_temp_c: float, fws_supply_temp_c: float) -> float:
    """Rise between given or derived FWS temperatures."""
    return fws_return_temp_c - fws_supply_temp_c


@formula(
    title="FWS return temperature",
    equation="fws_supply_temp_c + fws_rise_k",
    unit="°C",
    source="definition",
)
def fws_return_temp_c(fws_supply_temp_c: float, fws_rise_k: float) -> float:
    """Return from the CDUs to the plant."""
    return fws_supply_temp_c + fws_rise_k


@formula(
    title="Heat to the FWS",
    equation="liquid_heat_mw + cdu_pump_kw / 1000",
    unit="MW",
    source=_STEP_5 + ": CDU pump power ends as heat in the water",
)
def fws_heat_mw(liquid_heat_mw: float, cdu_pump_kw: float) -> float:
    """Liquid heat and CDU pump power."""
    return liquid_heat_mw + cdu_pump_kw / 1000


@formula(
    title="FWS flow",
    equation="60000 * fws_heat_mw / (heat_capacity_mj_per_m3_k * fws_rise_k)",
    unit="L/min",
    source="heat balance; " + _STEP_5,
)
def fws_flow_l_per_min(
    fws_heat_mw: float, heat_capacity_mj_per_m3_k: float, fws_rise_k: float
) -> float:
    """Facility water flow of the site."""
    return 60000 * fws_heat_mw / (heat_capacity_mj_per_m3_k * fws_rise_k)


@formula(
    title="FWS pump power",
    equation="fws_flow_l_per_min / 60000 * head_kpa * drop_penalty / pump_efficiency",
    unit="kW",
    source="P = V dp / eta; the head is for water, glycol raises it; " + _STEP_7,
)
def fws_pump_kw(
    fws_flow_l_per_min: float, head_kpa: float, drop_penalty: float, pump_efficiency: float
) -> float:
    """Electric power of the FWS pumps; drop_penalty is the glycol's pressure drop against water."""
    return fws_flow_l_per_min / 60000 * head_kpa * drop_penalty / pump_efficiency


@formula(
    title="Pump power at part load",
    equation="max(flow_fraction, floor_fraction)**2.7",
    unit="",
    source=_STEP_7 + ": (V/Vd)^2.7 with a floor of speed",
)
def pump_part_load(flow_fraction: float, floor_fraction: float) -> float:
    """Share of design pump power at flow_fraction of the design flow."""
    share: float = max(flow_fraction, floor_fraction) ** 2.7
    return share


@formula(
    title="Plant blocks with FWS mains of their own",
    equation="max(1, ceil(it_power_mw / plant_block_mw - 1e-9))",
    unit="",
    source="clusterplan method, cooling step 6: mains are sized per plant block",
)
def fws_main_blocks(it_power_mw: float, plant_block_mw: float) -> int:
    """Number of plant blocks."""
    return max(1, math.ceil(it_power_mw / plant_block_mw - _ROUNDING))


def exchanger_rule(choice: FwsChoice, tcs_supply_c: float, tcs_return_c: float) -> FwsRule:
    """What the CDU exchangers have to meet, from the given FWS temperatures or the defaults.

    Raises InputError where the given temperatures cannot cool the loop at all.
    """
    supply, back = choice.supply_given_c, choice.return_given_c
    if supply is not None and supply >= tcs_supply_c:
        raise _refusal(
            f"FWS supply of {supply:g} degC cannot give a TCS supply of {tcs_supply_c:g} degC",
            "fws_supply",
            f"give an FWS supply below {tcs_supply_c:g} degC, or a warmer TCS supply",
        )
    if back is not None:
        check_hot_end(tcs_return_c, back)
        if supply is not None and back <= supply:
            raise _refusal(
                f"FWS return of {back:g} degC is not above the supply of {supply:g} degC",
                "fws_return",
                "give a warmer return",
            )
    if supply is not None:
        available = tcs_supply_c - supply
        rise = None if back is None else back - supply
        return FwsRule(available, min(choice.approach_design_k, available), rise_k=rise)
    if back is None:
        return FwsRule(choice.approach_max_k, choice.approach_design_k)
    if back <= tcs_supply_c - choice.approach_design_k:
        raise _refusal(
            f"FWS return of {back:g} degC is not above an FWS supply of"
            f" {tcs_supply_c - choice.approach_design_k:g} degC",
            "fws_return",
            "give a warmer return, or the FWS supply too",
        )
    return FwsRule(
        choice.approach_max_k,
        choice.approach_design_k,
        return_less_tcs_supply_k=back - tcs_supply_c,
    )


def check_hot_end(tcs_return_c: float, fws_return_c: float) -> None:
    """Refuse an FWS return within 1 K of the TCS return."""
    if tcs_return_c - fws_return_c < HOT_END_MIN_K - _ROUNDING:
        raise _refusal(
            f"FWS return of {fws_return_c:.1f} degC against a TCS return of"
            f" {tcs_return_c:.1f} degC leaves less than {HOT_END_MIN_K:g} K at the hot end",
            "fws_return",
            f"give a return of at most {tcs_return_c - HOT_END_MIN_K:.1f} degC",
        )


def fws_temperatures(
    choice: FwsChoice, tcs_supply_c: float, approach_k: float, rise_k: float
) -> tuple[float, float, float]:
    """FWS supply, return (degC) and rise (K), given or computed."""
    if choice.supply_given_c is None:
        supply = fws_supply_temp_c(tcs_supply_c, choice.approach_design_k, approach_k)
    else:
        supply = choice.supply_given_c
        given("cooling.fws_supply_temp_c", supply, "°C", "design.yaml", "given")
    if choice.return_given_c is None:
        return supply, fws_return_temp_c(supply, rise_k), rise_k
    back = choice.return_given_c
    given("cooling.fws_return_temp_c", back, "°C", "design.yaml", "given")
    return supply, back, fws_rise_given_k(back, supply)


class FwsLoop(NamedTuple):
    """The facility water of a site at design."""

    supply_c: float
    return_c: float
    rise_k: float
    flow_l_per_min: float
    pump_kw: float

    @property
    def mean_c(self) -> float:
        """Mean of supply and return, degC."""
        return (self.supply_c + self.return_c) / 2


def size_fws(
    choice: FwsChoice,
    water: Coolant,
    tcs_c: tuple[float, float],
    exchanger_k: tuple[float, float],
    heat_mw: float,
) -> FwsLoop:
    """Temperatures, flow and pump power of the FWS.

    tcs_c: TCS supply and return; exchanger_k: approach of the CDUs and FWS rise; heat_mw: liquid
    heat and CDU pump heat. Raises InputError where the hot end has less than 1 K.
    """
    supply_c, return_c, rise = fws_temperatures(choice, tcs_c[0], *exchanger_k)
    check_hot_end(tcs_c[1], return_c)
    mean_c = (supply_c + return_c) / 2
    flow = fws_flow_l_per_min(heat_mw, recorded_rho_c(choice.coolant, mean_c), rise)
    drop = penalty(choice.coolant, water, mean_c).pressure_drop
    pump = fws_pump_kw(flow, choice.head_kpa, drop, choice.pump_efficiency)
    return FwsLoop(supply_c, return_c, rise, flow, pump)


def _refusal(message: str, field: str, hint: str) -> InputError:
    return InputError(Problem(message, path=f"design.cooling.{field}", hint=hint))
