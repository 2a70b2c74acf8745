"""Distribution of a whole plan: sums close, schemes show, traps are refused."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from clusterplan.cli.size import load
from clusterplan.core.errors import InputError
from clusterplan.planning.size_site import size_site
from clusterplan.reporting.sheets import unexplained

SITES = Path(__file__).parents[3] / "sample_sites"


def planned(site="abilene", **chosen):
    sets = [f"design.electrical.{key}={value}" for key, value in chosen.items()]
    return size_site(load(str(SITES / site), {}, sets))


def codes(plan):
    return {warning.code for warning in plan.warnings}


@pytest.mark.parametrize(
    ("site", "chosen"),
    [
        ("abilene", {}),
        ("university-room", {}),
        ("memphis", {"distribution": "dc800"}),
        ("abilene", {"ups_kind": "mv-static"}),
        ("abilene", {"ups_kind": "rack-bbu"}),
        ("abilene", {"ups_placement": "distributed", "mv_topology": "ring"}),
        ("dona-ana", {"standby": "gensets-and-bess", "critical_share": 0.1}),
    ],
)
def test_the_chain_closes_at_the_meter(site, chosen):
    """Racks, motors and every loss are what the meter reads, and each figure has its sheet."""
    plan = planned(site, **chosen)
    found = plan.distribution
    assert found.it_mw == pytest.approx(plan.summary.it_power_mw)
    assert found.meter_mw == pytest.approx(plan.summary.facility_power_mw, rel=1e-9)
    assert found.chain_loss_mw == pytest.approx(sum(r.loss_mw for r in plan.substation.losses))
    section = plan.substation
    triangle = math.hypot(section.active_power_mw, section.reactive_power_mvar)
    assert section.apparent_power_mva == pytest.approx(triangle)
    assert unexplained(plan.report(), undeclared=True) == []


def test_2n_is_shown_as_half_and_all_and_not_called_oversized():
    plan = planned(redundancy="2N", mechanical_redundancy="2N")
    for row in plan.distribution.blocks:
        assert row.loading_degraded_percent == pytest.approx(2.0 * row.loading_normal_percent)
        assert 97.0 < row.loading_degraded_percent <= 100.0
    assert not [w for w in plan.warnings if "oversized" in w.message or "large" in w.code]


def test_scheme_decides_the_number():
    installed = {
        scheme: next(
            row.installed
            for row in planned(redundancy=scheme).distribution.blocks
            if row.blocks == "UPS"
        )
        for scheme in ("N", "N+1", "2N")
    }
    assert installed["2N"] == 2 * installed["N"]
    assert installed["N+1"] == installed["N"] + math.ceil(installed["N"] / 3)


def test_full_load_strains_the_ups():
    assert "ups_efficiency_at_load" in codes(planned(redundancy="N"))
    assert "ups_efficiency_at_load" not in codes(planned())


def test_ring_has_two_feeders_each():
    plan = planned(mv_topology="ring")
    found = plan.distribution
    assert found.feeder_loading_degraded_percent == pytest.approx(
        2.0 * found.feeder_loading_normal_percent
    )
    assert found.feeder_loading_degraded_percent <= 100.0
    assert found.feeders_installed % (2 * plan.substation.transformers) == 0


def test_distributed_ups_follows_the_unit_substations():
    blocks = {row.blocks: row for row in planned(ups_placement="distributed").distribution.blocks}
    racks, ups = blocks["unit substations, racks"], blocks["UPS, one a block"]
    assert (ups.installed, ups.redundant) == (racks.installed, racks.redundant)


def test_battery_in_the_rack_leaves_the_pumps_without():
    plan = planned(ups_kind="rack-bbu")
    assert "pumps_without_ups" in codes(plan)
    assert [row.stage for row in plan.substation.losses][-1] == "battery in the rack"
    assert plan.distribution.ups_autonomy_s == 60.0
    assert not [row for row in plan.distribution.blocks if row.blocks.startswith("UPS")]


def test_800_v_dc_moves_the_rectifier_out_and_says_so():
    ac, dc = planned("memphis"), planned("memphis", distribution="dc800")
    assert "not inside rack power" in dc.distribution.boundary
    assert [r.blocks for r in dc.distribution.blocks][1] == "800 V DC rectifiers"
    assert dc.power.rack_power_kw == pytest.approx(0.975 * ac.power.rack_power_kw)
    # the rectifier joins the chain, the MV/LV transformer leaves it
    assert {r.stage for r in dc.substation.losses} >= {"MV to 800 V DC rectifier"}


def test_standby_is_sized_on_the_critical_share_of_the_facility():
    plan = planned(standby="gensets-and-bess", critical_share=0.25)
    found, facility = plan.distribution, plan.summary.facility_power_mw
    assert found.critical_load_mw == pytest.approx(0.25 * facility)
    duty = found.gensets - found.gensets_redundant
    assert (duty - 1) * 2.5 < 1.25 * found.critical_load_mw <= duty * 2.5
    assert found.genset_loading_percent <= 80.0
    assert found.standby_fuel_m3 == pytest.approx(found.critical_load_mw * 24.0 * 0.262)
    # a quarter of an hour at 92.2 % one way in a window of 90 %: more than MW over 4C
    assert found.bess_mwh == pytest.approx(found.critical_load_mw * 0.25 / math.sqrt(0.85) / 0.9)
    assert "ride_through_short" not in codes(plan)


def test_batteries_that_end_before_the_sets_start():
    plan = planned(standby="gensets", critical_share=0.1, ups_autonomy="20 s")
    assert "ride_through_short" in codes(plan)


def test_storage_on_the_site_is_named():
    plan = planned("memphis")  # 150 MW and 600 MWh stand there
    share = 100.0 * 150.0 / plan.summary.facility_power_mw
    assert plan.distribution.carried == (
        f"UPS 5 min, then site storage, {share:.0f} % of the facility for 4 h"
    )


def test_no_standby_by_default():
    found = planned().distribution
    assert found.gensets is None
    assert found.carried == "UPS 5 min, then nothing"


def test_stages_are_built_out_to_the_final_yard():
    section = planned().substation
    assert [row.transformers for row in section.build] == sorted(
        row.transformers for row in section.build
    )
    assert sum(row.added for row in section.build) == section.transformers
    assert section.build[-1].transformers == section.transformers
    assert section.build[-1].loading_n1_percent == pytest.approx(section.loading_n1_percent)
    assert all(row.loading_n1_percent <= 95.0 for row in section.build)
    assert section.build[-1].order_by == "2023-10-08"  # 160 weeks before 2026-11-01
    assert section.build[0].order_by == "in service"


def test_voltage_drop_of_a_given_feeder():
    """R P + X Q over V squared, by hand with 1000 kcmil copper at 2 km."""
    assert planned().distribution.feeder_voltage_drop_percent is None
    plan = planned(feeder_length="2 km")
    section, found = plan.substation, plan.distribution
    sections = section.transformers * section.secondaries
    each = section.apparent_power_mva / sections / (found.feeders_installed / sections - 1)
    active = each * section.power_factor_hv
    reactive = math.sqrt(each**2 - active**2)
    drop = 100.0 * (0.096 * active + 0.250 * reactive) / 34.5**2
    assert found.feeder_voltage_drop_percent == pytest.approx(drop, rel=1e-6)
    assert "feeder_voltage_drop" in codes(planned(feeder_length="40 km"))
    aluminium = planned(feeder_length="2 km", feeder_cable="al-1000-kcmil-35").distribution
    assert aluminium.feeder_voltage_drop_percent > found.feeder_voltage_drop_percent
    with pytest.raises(InputError, match="unknown MV cable"):
        planned(feeder_length="2 km", feeder_cable="rope")


def test_a_gas_insulated_yard_takes_less_land():
    def yard(plan):
        return next(row.area_m2 for row in plan.floor.yards if row.kind == "HV substation")

    ratio = yard(planned(yard="gis")) / yard(planned())
    assert 0.15 <= ratio <= 0.5


def test_part_of_the_compensation_follows_the_swing():
    section = planned(power_factor_mv=0.9).substation
    total, dynamic = section.compensation_mvar, section.compensation_dynamic_mvar
    assert 0.0 < dynamic < total
    rest = 1.0 - planned(power_factor_mv=0.9).swing.swing_mw / section.active_power_mw
    load = section.active_power_mw * math.tan(math.acos(0.9))
    low = rest * load + rest**2 * section.transformer_reactive_n1_mvar
    low -= rest * section.active_power_mw * math.tan(math.acos(0.95))
    assert dynamic == pytest.approx(total - max(0.0, low))


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("lv=415 V", "line voltage"),  # phase or line is not said
        ("lv=415", "no unit"),
        ("lv=34.5 kV", "line voltage"),
        ("unit_substation=3 MW", "MVA times power factor is MW"),
        ("ups_block=2.5 MVA", "MVA times power factor is MW"),
        ("power_factor_lv=98", "out of range"),
        ("redundancy=N+2", "N+1"),
        ("genset=2500", "no unit"),
        ("critical_share=0", "out of range"),
    ],
)
def test_unit_traps_are_refused(setting, words):
    with pytest.raises(InputError) as error:
        load(str(SITES / "abilene"), {}, [f"design.electrical.{setting}"])
    assert words in str(error.value), str(error.value)


def test_phase_voltage_is_read_as_line_voltage():
    plan = planned(lv="240 V L-N")
    assert plan.distribution.lv == "415.692 V line to line"
