"""What the liquid loops were sized with, in the calculation record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.record import given

if TYPE_CHECKING:
    from clusterplan.core.equipment import Coolant
    from clusterplan.sizing.liquid_loop import Basis, LiquidDesign, LiquidLoop


def note_choices(loop: LiquidLoop) -> None:
    """Record what was picked from a list rather than calculated."""
    size = "smallest standard size within the velocity and friction limits"
    notes = (
        (
            "cdu_group_racks",
            loop.cdu_group_racks,
            "",
            "clusterplan method, cooling step 4: whole scalable units",
        ),
        ("cdu_pipe_dn", loop.cdu_pipe_dn, "", size),
        ("fws_main_dn", loop.fws_main_dn, "", size),
        ("fws_main_pairs", loop.fws_main_pairs, "", size),
        ("tcs_rise_k", loop.tcs_rise_k, "K", "the steps of one rack"),
        ("fws_rise_k", loop.fws_rise_k, "K", "clusterplan method, cooling step 5"),
    )
    for name, value, unit, source in notes:
        given(f"cooling.{name}", value, unit, source)


def note_ratings(design: LiquidDesign, basis: Basis) -> None:
    """Note what the steps take from the rating of the CDU, the pipes and the coolants."""
    cdu, limit = basis.cdu, basis.full_group.limit
    row = f"CDU {cdu.id} of the catalogue"
    pump = f"{row}; where that has no power, design.cooling.cdu_pump_power"
    given("cooling.cdu_rating.capacity_heat_kw", cdu.capacity_kw, "kW", row)
    given("cooling.cdu_rating.pump_kw_per_l_per_min", cdu.pump_kw_per_l_per_min, "", pump)
    given("cooling.cdu_rating.rated_approach_k", cdu.approach_rated_k, "K", row)
    words = "one rack: its liquid heat and its part of liquid-cooled switches"
    given("cooling.rack_heat_kw", basis.load.heat_kw, "kW", words)
    spare = design.cdus_redundant_per_group
    given("cooling.cdu_redundant_per_group", spare, "", "design.cooling.cdu_redundancy")
    capacity = cdu.rating_mj_per_m3_k
    given("cooling.cdu_rating.heat_capacity", capacity, "MJ/m³K", "PG25 at 30 °C, as rated")
    if limit != "approach":
        words = f"one: {limit} sets the units, the approach needs no more"
        given("cooling.cdu_rating.units_for_approach", 1, "", words)
    mean_c = basis.rack.supply_c + basis.rack.rise_k / 2
    words = (
        f"mean of TCS supply and return: {basis.rack.supply_c:.6g} + {basis.rack.rise_k:.6g} / 2"
    )
    given("cooling.tcs_mean_temp_c", mean_c, "°C", words)
    row, supply = f"rack {design.rack.rack_id}, or the default of the method", design.supply
    given("cooling.tcs_supply.rack_max_c", supply.rack_max_c, "°C", row)
    given("cooling.tcs_supply.rack_min_c", supply.rack_min_c, "°C", row)
    _note_coolant("tcs_coolant", design.tcs_coolant)
    _note_coolant("fws_coolant", design.fws.coolant)
    _note_coolant("water", design.water)
    for pipe in design.pipes:
        diameter = pipe.inner_diameter_mm
        given(f"cooling.pipes.dn{pipe.dn}.inner_diameter_mm", diameter, "mm", pipe.source)


def _note_coolant(path: str, coolant: Coolant) -> None:
    source = f"{coolant.id}: {coolant.source}" if coolant.source else coolant.id
    for name in ("density_poly", "heat_capacity_poly", "ln_viscosity_poly"):
        given(f"cooling.{path}.{name}", getattr(coolant, name), "", source, coolant.verified)
