"""The fluid of the facility water loop: the user's, or water or glycol by frost."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.sizing.coolants import (
    BURST_PROTECTED_VOL_PERCENT,
    coolant_at,
    freeze_protection,
    glycol_mass_fraction,
)
from clusterplan.sizing.design_points import cold_dry_bulb_c

if TYPE_CHECKING:
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.liquid_plan import LiquidRows
    from clusterplan.sizing.liquid_loop import LiquidDesign


def with_fws_fluid(
    design: LiquidDesign,
    choices: Choices,
    rows: LiquidRows,
    heating_99p6_c: float | None,
    outdoor_coils: bool | None,
) -> LiquidDesign:
    """The design with the fluid of its FWS: the user's, else by frost on outdoor coils.

    Water where outdoor_coils is False (open towers keep an isolating exchanger) or None.
    """
    if outdoor_coils is None:
        return design
    asked = choices.text("cooling.fws_coolant")
    cold = None
    if outdoor_coils and heating_99p6_c is not None:
        cold = cold_dry_bulb_c(heating_99p6_c, choices.number("cooling.cold_allowance"))
    protection = freeze_protection(0.0 if cold is None else cold, rows.glycol, outdoor_coils)
    percent = _vol_percent(asked) if asked else float(protection.used_vol_percent)
    if outdoor_coils and cold is None and not asked:
        choices.ledger.warn(
            "fws_freeze_unknown",
            "cooling.fws_coolant",
            "no climate given: the FWS is planned on water, freezing not checked",
        )
    full = protection.full_vol_percent
    if percent < full:
        kept = (
            "it keeps pipes from bursting, not the water from freezing"
            if percent >= BURST_PROTECTED_VOL_PERCENT
            else "the coils can freeze"
        )
        choices.ledger.warn(
            "fws_freeze",
            "cooling.fws_coolant",
            f"FWS on {_fluid_name(percent)} at a coldest hour of {protection.cold_point_c:.1f}"
            f" degC: {kept}; {full} % glycol by volume protects in full, or an exchanger that"
            " isolates the outdoor loop",
        )
    coolant = design.water
    if percent > 0:
        coolant = coolant_at(rows.coolants, glycol_mass_fraction(percent / 100))
    fws = design.fws._replace(coolant=coolant, coolant_id=_fluid_name(percent))
    return dataclasses.replace(design, fws=fws)


def _vol_percent(text: str) -> float:
    """Glycol by volume of `water` or `pg<percent>`."""
    if text == "water":
        return 0.0
    try:
        percent = float(text.removeprefix("pg")) if text.startswith("pg") else math.nan
    except ValueError:
        percent = math.nan
    if not 0 < percent < 100:
        raise InputError(
            Problem(
                f"FWS coolant {text} is not known",
                path="design.cooling.fws_coolant",
                hint="give water or pg<volume percent>",
            )
        )
    return percent


def _fluid_name(vol_percent: float) -> str:
    return f"pg{vol_percent:g}" if vol_percent > 0 else "water"
