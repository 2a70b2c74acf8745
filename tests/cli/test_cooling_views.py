"""`cooling --compare` and `--sweep`: every option planned as if it were chosen."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from clusterplan import catalog
from clusterplan.cli.cooling import run
from clusterplan.cli.cooling_views import view_of, write_plot
from clusterplan.core.errors import InputError
from clusterplan.reporting.as_text import to_text
from clusterplan.reporting.render import FORMATS, render
from clusterplan.reporting.sheets import unexplained
from clusterplan.sizing.heat_rejection import KINDS

_GB300 = {"rack": "gb300-nvl72", "racks": 700}


def _words(report, kind):
    rows = {row.heat_rejection: row.verdict for row in report.parts["heat_rejection_verdicts"]}
    return rows[kind]


def _options(**asked):
    report = run(**asked, view="compare")
    return {row.heat_rejection: row for row in report.parts["heat_rejection_options"]}, report


def test_each_type_is_what_choosing_it_gives():
    source = "design.cooling.source_water=24 degC"
    options, _ = _options(**_GB300, climate="abilene-tx", overrides=(source,))
    assert tuple(options) == KINDS
    for kind, row in options.items():
        plan = run(
            **_GB300, climate="abilene-tx", overrides=(source, f"design.heat_rejection={kind}")
        ).parts["cooling"]
        for name in (
            "trim_mw",
            "cooling_power_peak_mw",
            "pue_peak",
            "pue_annual",
            "water_m3_per_year",
            "water_peak_l_per_s",
            "fws_coolant",
        ):
            assert getattr(row, name) == getattr(plan, name), (kind, name)
        assert row.units == plan.heat_rejection_units


def test_once_through_needs_the_temperature_of_its_water():
    options, report = _options(**_GB300, climate="abilene-tx")
    assert options["once-through"].mode == "no water"
    assert "design.cooling.source_water" in _words(report, "once-through")
    with pytest.raises(InputError, match="needs the temperature of the water"):
        run(**_GB300, climate="abilene-tx", overrides=("design.heat_rejection=once-through",))
    chosen = ("design.heat_rejection=once-through", "design.cooling.source_water=24 degC")
    section = run(**_GB300, climate="abilene-tx", overrides=chosen).parts["cooling"]
    # 91.5 MW over 4.17 MJ/m3K and 7 K
    assert section.source_water_l_per_s == pytest.approx(
        1000 * section.heat_rejection_mw / (4.17 * 7), rel=0.005
    )
    assert section.water_m3_per_year == 0.0
    assert section.trim_mw == 0.0
    warm = (*chosen[:1], "design.cooling.source_water=38 degC")
    trimmed = run(**_GB300, climate="abilene-tx", overrides=warm).parts["cooling"]
    rise = trimmed.fws_return_temp_c - trimmed.fws_supply_temp_c
    share = (38.0 + 2.0 - trimmed.fws_supply_temp_c) / rise
    assert trimmed.trim_mw == pytest.approx(share * trimmed.heat_rejection_mw)


def test_a_hybrid_tower_is_dry_when_cold_and_never_drinks_more_than_a_closed_one():
    for climate in ("abilene-tx", "lulea", "singapore", "ashburn-va"):
        options, _ = _options(**_GB300, climate=climate)
        hybrid, closed = options["hybrid-tower"], options["closed-cooling-tower"]
        assert hybrid.water_m3_per_year <= closed.water_m3_per_year + 1e-6
        assert hybrid.trim_mw <= closed.trim_mw + 1e-9
    section = run(
        **_GB300, climate="lulea", overrides=("design.heat_rejection=hybrid-tower",)
    ).parts["cooling"]
    assert section.wet_hours_h < 10.0
    assert section.fws_coolant.startswith("pg")


def test_ground_and_cost_by_hand():
    """88 coolers of 1.2 MW at 160 USD/kW; the room-air heat on 7 and 1 chillers at 300 USD/kW."""
    options, report = _options(**_GB300, climate="abilene-tx")
    row = options["adiabatic-cooler"]
    assert row.units == 88
    plan = run(**_GB300, climate="abilene-tx").parts["cooling"]
    chillers_kw = 1000 * plan.air_plant_mw * 8 / 7
    assert row.capex_musd == pytest.approx((88 * 1200 * 160 + chillers_kw * 300) / 1e6)
    ground = plan.heat_rejection_mw * 60 * 88 / 80 + plan.air_plant_mw * 60 * 8 / 7
    assert row.footprint_m2 == pytest.approx(ground)
    paths = {item.path for item in report.parts["assumptions"]}
    assert "catalog.heat_rejection_footprints.adiabatic-cooler.cost_usd_per_kw" in paths


def test_dry_is_trimmed_between_supply_and_return_and_infeasible_above():
    options, report = _options(**_GB300, climate="abilene-tx")
    dry = options["dry-cooler"]
    assert dry.mode == "trimmed"
    assert 0.0 < dry.trim_mw
    words = _words(report, "dry-cooler")
    assert "Without chillers here: adiabatic-cooler, open-cooling-tower" in words
    # about 43 degC against a return of 26 degC
    asked = {"it_power": "20 MW", "liquid_fraction": "0.9", "climate": "lulea"}
    options, report = _options(**asked, tcs_supply="20 degC")
    assert options["dry-cooler"].mode == "infeasible"
    words = _words(report, "dry-cooler")
    assert "cools nothing in the worst hour" in words
    # what it names must work, and 1 K less must not
    words = words.partition("With a TCS supply of ")[2]
    supply = float(words.partition(" ")[0])
    for temp, trimmed in ((supply, False), (supply - 1.0, True)):
        plan = run(
            **asked,
            tcs_supply=f"{temp} degC",
            overrides=("design.heat_rejection=dry-cooler",),
        ).parts["cooling"]
        assert (plan.trim_mw > 0.0) is trimmed


def test_a_chosen_type_that_falls_short_says_what_would_work():
    def codes(*overrides):
        report = run(
            it_power="20 MW", liquid_fraction="0.9", climate="phoenix-az", overrides=overrides
        )
        return {item.code: item.message for item in report.parts["warnings"]}

    infeasible = codes("design.heat_rejection=dry-cooler")["heat_rejection_infeasible"]
    assert "towers would do at this supply" in infeasible
    assert "coldest supply is: dry-cooler 58.9 °C" in infeasible
    trimmed = codes("design.heat_rejection=dry-cooler", "design.cooling.tcs_supply=55 degC")
    assert "between FWS supply and return" in trimmed["heat_rejection_trimmed"]
    assert "heat_rejection_infeasible" not in trimmed
    assert not {"heat_rejection_trimmed", "heat_rejection_infeasible"} & set(codes())


def test_cdus_side_by_side_are_what_choosing_each_gives():
    report = run(**_GB300, climate="abilene-tx", view="compare")
    part = report.parts["cdu_options"]
    assert part.planned == "xdu1350"
    assert len(part.rows) + len(part.cannot_serve) + len(part.rating_incomplete.split(", ")) == len(
        catalog.cdus()
    )
    for row in part.rows:
        plan = run(**_GB300, climate="abilene-tx", cdu=row.cdu).parts["cooling"]
        assert (row.cdus, row.limit) == (plan.cdus, plan.cdu_limit)
        assert row.cdu_approach_k == plan.cdu_approach_k
    for words in part.cannot_serve:
        with pytest.raises(InputError, match=r"cannot serve the racks"):
            run(**_GB300, climate="abilene-tx", cdu=words.partition(":")[0])


def test_room_air_alone_has_no_cdus():
    report = run(it_power="2 MW", liquid_fraction="0", climate="ashburn-va", view="compare")
    assert report.parts["cdu_options"] is None
    rows = {row.heat_rejection: row for row in report.parts["heat_rejection_options"]}
    assert tuple(rows) == KINDS
    # 40.3 + 8 degC at the hot point against 20/30: all heat, fans and pumps of the rooms included
    plan = run(it_power="2 MW", liquid_fraction="0", climate="ashburn-va").parts["cooling"]
    assert rows["dry-cooler"].mode == "infeasible"
    assert rows["dry-cooler"].trim_mw == pytest.approx(plan.heat_rejection_mw)
    assert 0.0 < rows["open-cooling-tower"].trim_mw <= plan.heat_rejection_mw
    with pytest.raises(InputError, match="no heat goes to liquid"):
        run(it_power="2 MW", liquid_fraction="0", climate="ashburn-va", view="sweep")


def test_the_sweep_is_the_plan_at_each_supply():
    sweep = run(**_GB300, climate="abilene-tx", view="sweep").parts["sweep"]
    supplies = [point.tcs_supply_temp_c for point in sweep.points]
    assert (supplies[0], supplies[-1]) == (20.0, 50.0)
    base = run(**_GB300, climate="abilene-tx").parts["cooling"]
    assert sweep.reference_supply_c == base.tcs_supply_temp_c
    for point in sweep.points:
        if point.note:
            assert point.pue_peak is None
            continue
        plan = run(
            **_GB300, climate="abilene-tx", tcs_supply=f"{point.tcs_supply_temp_c} degC"
        ).parts["cooling"]
        for name in ("heat_rejection", "pue_peak", "pue_annual", "trim_mw", "cdus"):
            assert getattr(point, name) == getattr(plan, name)


def test_racks_hosted_fit_the_facility_power_and_one_more_does_not():
    sweep = run(**_GB300, climate="abilene-tx", view="sweep").parts["sweep"]
    for point in sweep.points:
        if point.racks_hosted is None:
            continue
        assert point.accelerators_hosted == 72 * point.racks_hosted
        supply = f"{point.tcs_supply_temp_c} degC"
        for racks, fits in ((point.racks_hosted, True), (point.racks_hosted + 1, False)):
            plan = run(
                rack="gb300-nvl72", racks=racks, climate="abilene-tx", tcs_supply=supply
            ).parts["cooling"]
            used = racks * 0.142 * plan.pue_peak
            assert (used <= sweep.facility_power_mw * (1 + 1e-9)) is fits, supply


def test_warmer_supply_never_takes_more_trim_in_the_sweep():
    for climate in ("singapore", "lulea", "phoenix-az"):
        report = run(it_power="20 MW", liquid_fraction="0.9", climate=climate, view="sweep")
        trims = [point.trim_mw for point in report.parts["sweep"].points]
        # 0.1 %: pump heat, which chillers carry too, varies with the fluids' properties
        assert all(b <= 1.001 * a + 1e-9 for a, b in zip(trims, trims[1:], strict=False)), trims


def test_a_supply_beyond_the_rack_is_a_note():
    sweep = run(rack="gb200-nvl72", racks=16, climate="ashburn-va", view="sweep").parts["sweep"]
    assert "above the 45 degC" in sweep.points[-1].note


@pytest.mark.parametrize("view", ["compare", "sweep"])
def test_every_figure_is_explained_and_every_format_prints(view):
    report = run(**_GB300, climate="chicago-il", view=view)
    assert [row.path for row in unexplained(report, undeclared=True)] == []
    for name in FORMATS:
        assert render(report, name)
    for width in (80, 120):
        lines = to_text(report, width=width).splitlines()
        assert max(len(line) for line in lines) <= width


def test_the_picture_is_svg_with_every_point(tmp_path):
    report = run(**_GB300, climate="abilene-tx", view="sweep")
    path = tmp_path / "sweep.svg"
    write_plot(report, str(path))
    root = ET.fromstring(path.read_text(encoding="utf-8"))
    circles = [item for item in root.iter() if item.tag.endswith("circle")]
    planned = sum(point.pue_peak is not None for point in report.parts["sweep"].points)
    assert len(circles) == 6 * planned  # PUE has two lines, four panels have one
    texts = {item.text for item in root.iter() if item.tag.endswith("text")}
    assert {"PUE", "Accelerators hosted", "adiabatic-cooler"} <= texts


def test_a_picture_that_cannot_be_written_names_its_option(tmp_path):
    report = run(rack="gb300-nvl72", racks=18, climate="lulea", view="sweep")
    with pytest.raises(InputError) as caught:
        write_plot(report, str(tmp_path / "missing" / "sweep.svg"))
    assert caught.value.problems[0].path == "--plot"


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"compare": True, "sweep": True, "plot": None}, "exclude each other"),
        ({"compare": True, "sweep": False, "plot": "a.svg"}, "picture of a sweep"),
        ({"compare": False, "sweep": True, "plot": "a.png"}, "cannot draw"),
    ],
)
def test_flags_that_do_not_go_together(flags, words):
    with pytest.raises(InputError, match=words):
        view_of(**flags)
