import dataclasses

import pytest

from clusterplan import catalog
from clusterplan.core.equipment import Cdu, Coolant, GlycolPoint, PipeSize, Rack
from clusterplan.core.errors import InputError
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.liquid_plan import (
    LiquidRows,
    liquid_design,
    liquid_design_for_heat,
    liquid_fraction,
    rack_density,
    with_fws_fluid,
)
from clusterplan.planning.rack_choice import choose_rack
from clusterplan.sizing.liquid_loop import size_liquid_loop


def coolant(name, fraction, density):
    return Coolant(
        id=name,
        mass_fraction=fraction,
        density_poly=(density,),
        heat_capacity_poly=(4000.0,),
        ln_viscosity_poly=(fraction,),
        min_temp_c=0.0,
        max_temp_c=60.0,
    )


def cdu(name, **figures):
    base = {"capacity_kw": 1368.0, "approach_k": 4.0, "flow_max_l_per_min": 1200.0}
    return Cdu(id=name, vendor="v", kind="in-row L2L", **(base | figures))


ROWS = LiquidRows(
    cdus=(
        cdu("auto-1", automatic=True, head_kpa=250.0, electric_kw=13.7),
        cdu("auto-2", automatic=True, head_kpa=400.0, electric_kw=20.0),
        cdu("no-head", flow_verified=False),
        cdu("no-flow", flow_max_l_per_min=None),
    ),
    coolants=(
        coolant("water", 0.0, 1000.0),
        coolant("pg25", 0.25, 1010.0),
        coolant("pg50", 0.5, 1030.0),
    ),
    pipes=(
        PipeSize(id="dn600", dn=600, inner_diameter_mm=575.0, velocity_max_m_per_s=3.0),
        PipeSize(id="dn150", dn=150, inner_diameter_mm=154.0, velocity_max_m_per_s=2.4),
    ),
    glycol=(
        GlycolPoint(id="a", min_temp_c=-7.0, pg_vol_percent=18.0),
        GlycolPoint(id="b", min_temp_c=-18.0, pg_vol_percent=36.0),
        GlycolPoint(id="c", min_temp_c=-46.0, pg_vol_percent=57.0),
    ),
)
RACK = Rack(
    id="rack",
    accelerator="nvidia-gb200",
    servers_per_rack=18,
    accelerators_per_server=4,
    nameplate_kw=120.0,
    liquid_heat_fraction=0.85,
    coolant="pg25",
    supply_temp_min_c=20.0,
    supply_temp_max_c=45.0,
    su_servers=144,
    verified="true",
)


def setup(rack=RACK, **chosen):
    names = {f"cooling.{name}": value for name, value in chosen.items()}
    choices = Choices(catalog.design_fields(), names, Ledger())
    return choices, choose_rack(rack, catalog.accelerator("nvidia-gb200"), choices)


def design(rack=RACK, heating=10.0, outdoor=True, **chosen):
    choices, resolved = setup(rack, **chosen)
    return liquid_design(choices, resolved, ROWS, heating, outdoor), choices.ledger


def assumed(ledger):
    return {item.path: item.value for item in ledger.assumptions}


def codes(ledger):
    return [item.code for item in ledger.warnings]


def test_defaults_stand_in_the_assumptions():
    built, ledger = design()
    paths = assumed(ledger)
    for name, value in (
        ("tcs_supply_preferred", 40.0),
        ("tcs_rise_default", 10.0),
        ("cdu_approach_design", 4.0),
        ("cdu_duty_units_max", 6),
        ("cdu_redundancy", 1),
        ("manifold_drop", 50.0),
        ("fws_pump_head", 300.0),
        ("pipe_friction_max", 400.0),
        ("plant_block", 50.0),
    ):
        assert paths[f"design.cooling.{name}"] == value
    assert paths["rack.return_temp_max_c"] == 65.0
    assert built.rack.drop_kpa == 100.0
    assert built.grouping.block_racks == 8
    assert [unit.id for unit in built.cdus] == ["auto-1", "auto-2"]
    assert [pipe.dn for pipe in built.pipes] == [150, 600]


def test_what_is_given_is_not_assumed():
    _, ledger = design(tcs_supply=38.0, tcs_rise=12.0)
    assert "design.cooling.tcs_supply_preferred" not in assumed(ledger)
    loop = size_liquid_loop(design(tcs_supply=38.0, tcs_rise=12.0)[0], 10, 120.0)
    assert (loop.tcs_supply_temp_c, loop.tcs_return_temp_c) == (38.0, 50.0)


def test_a_rack_without_flow_rises_ten_kelvin():
    loop = size_liquid_loop(design()[0], 10, 120.0)
    assert loop.tcs_return_temp_c - loop.tcs_supply_temp_c == pytest.approx(10.0)
    assert loop.rack_drop_kpa == 100.0


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"tcs_supply": 47.0}, "above the 45 degC"),
        ({"tcs_supply": 18.0}, "least supply of rack"),
        ({"tcs_supply": 21.0, "room_dew_point": 20.0}, "room dew point"),
        ({"room_dew_point": 25.0, "dew_point_margin": 21.0}, "dry the room"),
        ({"cdu": "auto-3"}, r"no CDU auto-3 in the catalogue; did you mean auto-"),
        ({"cdu": "no-flow"}, "no published flow"),
        ({"fws_coolant": "brine"}, "FWS coolant brine is not known"),
        ({"fws_coolant": "pg"}, "FWS coolant pg is not known"),
        ({"fws_coolant": "pg120"}, "not known"),
        ({"fws_coolant": "pg70"}, "outside the property data"),
        ({"method": "air"}, "cannot be cooled by air"),
        ({"method": "rear-door"}, "cannot be cooled by rear-door"),
    ],
)
def test_choices_that_cannot_work_are_refused(chosen, words):
    with pytest.raises(InputError, match=words) as caught:
        design(**chosen)
    assert caught.value.problems[0].path.startswith("design.cooling.")


def test_a_supply_limit_that_is_only_assumed_does_not_refuse():
    """Racks without a published range are planned below 40 degC but may be given more."""
    rack = dataclasses.replace(RACK, supply_temp_max_c=None, supply_temp_min_c=None)
    assert size_liquid_loop(design(rack)[0], 1, 120.0).tcs_supply_temp_c == 35.0
    assert design(rack, tcs_supply=45.0)[0].supply.given_c == 45.0


def test_a_named_cdu_with_doubtful_figures_is_used_with_a_warning():
    built, ledger = design(cdu="no-head")
    assert [unit.id for unit in built.cdus] == ["no-head"]
    assert built.cdu_chosen
    assert "cdu_unverified" in codes(ledger)
    # the default of 0.0114 kW per L/min; the plan lists it if this CDU is what it is made of
    assert built.cdus[0].pump_kw_per_l_per_min == pytest.approx(0.0114)


def test_a_rise_that_starves_the_rack_is_a_warning():
    rack = dataclasses.replace(RACK, flow_l_per_min_per_kw=1.5)
    assert "tcs_flow_below_rack" in codes(design(rack, tcs_rise=14.0)[1])
    assert "tcs_flow_below_rack" not in codes(design(rack, tcs_rise=9.0)[1])


def test_a_rise_that_the_racks_flow_limit_rules_out_is_a_warning():
    """102 kW at 5 K is more than the 130 L/min that the rack takes: 11.7 K (4.04 MJ/m3K)."""
    rack = dataclasses.replace(RACK, flow_l_per_min_per_kw=1.27, flow_max_l_per_min=130.0)
    built, ledger = design(rack, tcs_rise=5.0)
    assert "11.7 K, not 5 K" in next(
        item.message for item in ledger.warnings if item.code == "tcs_rise_capped"
    )
    assert size_liquid_loop(built, 10, 120.0).rack_flow_l_per_min == 130.0


def test_a_chosen_group_counts_racks_not_kilowatts():
    assert design(cdu_group_racks=12)[0].grouping.racks == 12.0
    chosen = Choices(catalog.design_fields(), {"cooling.cdu_group_racks": 12}, Ledger())
    assert liquid_design_for_heat(chosen, 0.8, ROWS, 20.0, True).grouping.racks is None


@pytest.mark.parametrize(
    ("heating", "outdoor", "name", "code"),
    [
        (10.0, True, "water", None),  # coldest hour -2 degC: see the next row
        (-3.0, True, "pg32", None),  # -15 degC: 18 + 18 x 8/11 = 31.1
        (-3.0, False, "water", None),  # open tower
        (-18.7, True, "pg40", "fws_freeze"),
        (None, True, "water", "fws_freeze_unknown"),
    ],
)
def test_fluid_of_the_fws(heating, outdoor, name, code):
    heating = 12.5 if heating == 10.0 else heating
    built, ledger = design(heating=heating, outdoor=outdoor)
    assert built.fws.coolant_id == name
    assert [item for item in codes(ledger) if item.startswith("fws")] == ([code] if code else [])


def test_the_freeze_warning_says_what_would_protect():
    """-30.7 degC: 36 + 21 x 12.7/28 = 45.5 -> 46 %."""
    _, ledger = design(heating=-18.7)
    message = next(item.message for item in ledger.warnings if item.code == "fws_freeze")
    assert "46 % glycol" in message
    assert "-30.7 degC" in message


def test_a_chosen_fluid_that_can_freeze_is_a_warning():
    built, ledger = design(heating=-3.0, fws_coolant="water")
    assert built.fws.coolant_id == "water"
    assert "the coils can freeze" in ledger.warnings[0].message
    built, ledger = design(heating=-3.0, fws_coolant="pg45")
    assert built.fws.coolant_id == "pg45"
    assert "fws_freeze" not in codes(ledger)


def test_the_fluid_can_be_settled_after_the_plant():
    choices, rack = setup()
    base = liquid_design(choices, rack, ROWS, -3.0, None)
    assert base.fws.coolant_id == "water"
    assert with_fws_fluid(base, choices, ROWS, -3.0, True).fws.coolant_id == "pg32"
    assert with_fws_fluid(base, choices, ROWS, -3.0, False).fws.coolant_id == "water"


def test_heat_without_racks():
    choices = Choices(catalog.design_fields(), {}, Ledger())
    built = liquid_design_for_heat(choices, 0.8, ROWS, 20.0, True)
    loop = size_liquid_loop(built, 1000.0, 1.0)
    assert loop.liquid_heat_mw == pytest.approx(0.8)
    assert loop.tcs_supply_temp_c == 40.0
    wet = Choices(catalog.design_fields(), {"cooling.tcs_supply": 15.0}, Ledger())
    with pytest.raises(InputError, match="room dew point"):
        liquid_design_for_heat(wet, 0.8, ROWS, 20.0, True)


@pytest.mark.parametrize(
    ("method", "own", "expected"),
    [
        ("", 0.85, 0.85),
        ("direct-to-chip", 0.9, 0.9),
        ("direct-to-chip", 0.0, 0.85),
        ("all-liquid", 0.85, 0.97),
        ("all-liquid", 1.0, 1.0),
        ("immersion", 0.0, 1.0),
        ("air", 0.0, 0.0),
    ],
)
def test_the_method_may_change_the_liquid_share(method, own, expected):
    chosen = {"cooling.method": method} if method else {}
    choices = Choices(catalog.design_fields(), chosen, Ledger())
    assert liquid_fraction(choices, own, "rack") == expected
    changed = [item for item in choices.ledger.assumptions if item.path.startswith("rack.")]
    assert bool(changed) == (own != expected)


def test_dense_air_racks_are_warned_with_their_airflow():
    """41 kW of air heat at 108 CFM per kW."""
    rack = dataclasses.replace(
        RACK,
        nameplate_kw=40.8,
        liquid_heat_fraction=0.0,
        coolant="none",
        airflow_cfm_per_kw=108.0,
        supply_temp_min_c=None,
        supply_temp_max_c=None,
    )
    choices, resolved = setup(rack)
    thresholds = catalog.density_thresholds()
    result = rack_density(choices, resolved, thresholds)
    assert result.density_class == "rear-door"
    assert "4406 CFM" in choices.ledger.warnings[0].message
    choices, resolved = setup()
    assert rack_density(choices, resolved, thresholds).density_class == "direct-to-chip"
    assert not choices.ledger.warnings
