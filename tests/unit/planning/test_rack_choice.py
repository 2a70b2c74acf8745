"""Rack rows without gaps: unknown-field defaults, flags, jobs, and the power section.

Defaults as the rack method states them: 600 x 1200 mm, 1.0 t air or 1.5 t liquid, liquid fraction
0.85, 1.5 L/min per kW, 100 kPa, typical 0.76 (air) or 0.80 (liquid) of nameplate, idle 0.15.
"""

import pytest

from clusterplan import catalog
from clusterplan.catalog.kinds import design_fields
from clusterplan.core.equipment import Accelerator, Rack
from clusterplan.core.errors import InputError
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.rack_choice import (
    RACK_FIELDS,
    JobLoad,
    choose_rack,
)

CHIP = Accelerator(id="chip", vendor="x")


def choices(**chosen):
    paths = {name.replace("__", "."): value for name, value in chosen.items()}
    return Choices(design_fields(), paths, Ledger())


def rack(**changes):
    values = {
        "id": "own",
        "accelerator": "chip",
        "servers_per_rack": 4,
        "accelerators_per_server": 8,
        "nameplate_kw": 100.0,
        "verified": "true",
        "source": "data sheet",
    }
    return Rack(**(values | changes))


def assumed(made):
    return {item.path: item for item in made.ledger.assumptions}


def warned(made):
    return {item.code for item in made.ledger.warnings}


class TestUnknownFields:
    def test_air_rack(self):
        made = choices()
        chosen = choose_rack(rack(liquid_heat_fraction=0.0), CHIP, made)
        assert (chosen.width_mm, chosen.layout_depth_mm) == (600, 1200)
        assert chosen.weight_kg == 1000.0
        assert chosen.typical_kw == pytest.approx(76.0)
        assert chosen.idle_kw == pytest.approx(15.0)
        assert chosen.peak_kw == 100.0
        assert chosen.flow_l_per_min_per_kw is None
        paths = assumed(made)
        for name in ("width_mm", "depth_mm", "weight_kg", "typical_kw", "idle_kw", "peak_kw"):
            assert paths[f"rack.{name}"].verified == "false"
        assert "nameplate" in paths["rack.peak_kw"].source
        assert paths["rack.typical_kw"].unit == "kW"

    def test_liquid_rack(self):
        made = choices()
        chosen = choose_rack(rack(coolant="pg25"), CHIP, made)
        assert chosen.liquid_heat_fraction == 0.85
        assert chosen.typical_kw == pytest.approx(80.0)
        assert chosen.weight_kg == 1500.0
        assert chosen.flow_l_per_min_per_kw == 1.5
        assert chosen.pressure_drop_kpa == 100.0
        assert (chosen.supply_temp_min_c, chosen.supply_temp_max_c) == (17.0, 40.0)
        assert "rack.liquid_heat_fraction" in assumed(made)
        assert "design.cooling.rack_drop_default" in assumed(made)

    def test_no_coolant_and_no_fraction_is_air(self):
        assert choose_rack(rack(), CHIP, choices()).liquid_heat_fraction == 0.0

    def test_double_width_weight(self):
        assert choose_rack(rack(width_mm=1200.0), CHIP, choices()).weight_kg == 3000.0

    def test_layout_depth_is_at_least_1200(self):
        assert choose_rack(rack(depth_mm=1068.0), CHIP, choices()).layout_depth_mm == 1200.0
        assert choose_rack(rack(depth_mm=1219.0), CHIP, choices()).layout_depth_mm == 1219.0

    def test_known_rise_needs_no_flow(self):
        made = choices()
        chosen = choose_rack(rack(coolant="pg25", rise_k=8.0), CHIP, made)
        assert chosen.flow_l_per_min_per_kw is None
        assert "rack.flow_l_per_min_per_kw" not in assumed(made)

    def test_no_power_is_refused(self):
        with pytest.raises(InputError, match="nameplate"):
            choose_rack(rack(nameplate_kw=None), CHIP, choices())

    def test_estimate_is_used_with_a_warning(self):
        made = choices()
        chosen = choose_rack(rack(nameplate_kw=None, estimate_kw=40.0), CHIP, made)
        assert chosen.nameplate_kw == 40.0
        assert "rack_power_estimated" in warned(made)
        assert assumed(made)["rack.nameplate_kw"].verified == "false"

    @pytest.mark.parametrize("changes", [{"nameplate_kw": 0.0}, {"liquid_heat_fraction": 1.2}])
    def test_senseless_figures_are_refused(self, changes):
        with pytest.raises(InputError):
            choose_rack(rack(**changes), CHIP, choices())


class TestFlags:
    def test_doubtful_catalogue_figures_are_listed(self):
        made = choices()
        doubtful = rack(
            typical_kw=80.0, weight_kg=900.0, peak_kw=120.0,
            unverified_fields=("typical_kw",), secondary_fields=("peak_kw",),
        )  # fmt: skip
        choose_rack(doubtful, CHIP, made)
        paths = assumed(made)
        assert paths["rack.typical_kw"].verified == "false"
        assert paths["rack.typical_kw"].source == "data sheet"
        assert paths["rack.peak_kw"].verified == "secondary"
        assert "rack.weight_kg" not in paths
        assert "rack.nameplate_kw" not in paths

    def test_figures_of_the_user_are_not_assumptions(self):
        made = choices()
        own = rack(verified="false", typical_kw=80.0)
        chosen = choose_rack(own, CHIP, made, given_fields=RACK_FIELDS)
        assert "rack.typical_kw" not in assumed(made)
        assert "rack.weight_kg" in assumed(made)
        assert chosen.provenance["typical_kw"].verified == "given"


class TestJobs:
    # nameplate 100, training 80, idle 20 kW
    ROW = {"typical_kw": 80.0, "idle_kw": 20.0}

    def mean(self, *jobs):
        made = choices()
        return choose_rack(rack(**self.ROW), CHIP, made, jobs=jobs), made

    def test_training_all_the_time(self):
        assert self.mean(JobLoad("training"))[0].typical_kw == pytest.approx(80.0)
        assert self.mean()[0].typical_kw == 80.0

    def test_training_part_of_the_time(self):
        # 0.9 of the time at 80, else idle at 20
        assert self.mean(JobLoad("training", 1.0, 0.9))[0].typical_kw == pytest.approx(74.0)

    def test_inference_with_a_stated_mean(self):
        # busy at 0.80 of 100 kW for half of the time, idle at 20
        chosen, made = self.mean(JobLoad("inference", 1.0, 0.5))
        assert chosen.typical_kw == pytest.approx(50.0)
        assert chosen.job == "inference"
        assert "inference_mean_assumed" not in warned(made)

    def test_inference_without_one(self):
        chosen, made = self.mean(JobLoad("inference"))
        assert chosen.typical_kw == pytest.approx(73.0)
        assert "inference_mean_assumed" in warned(made)

    def test_mix_and_idle_rest(self):
        chosen, _ = self.mean(JobLoad("training", 0.5), JobLoad("inference", 0.25, 1.0))
        assert chosen.typical_kw == pytest.approx(0.5 * 80 + 0.25 * 80 + 0.25 * 20)
        assert chosen.job == "mixed"

    def test_more_than_all_is_refused(self):
        with pytest.raises(InputError, match="120 %"):
            self.mean(JobLoad("training", 0.7), JobLoad("inference", 0.5))

    def test_capacity_never_falls_with_the_job(self):
        chosen, _ = self.mean(JobLoad("inference", 1.0, 0.1))
        assert chosen.capacity_kw == 100.0


@pytest.mark.parametrize("row", catalog.racks(), ids=lambda row: row.id)
def test_every_rack_of_the_catalogue_resolves(row):
    chosen = choose_rack(row, catalog.accelerator(row.accelerator), choices())
    assert 0.0 < chosen.idle_kw < chosen.typical_kw <= chosen.nameplate_kw <= chosen.peak_kw
    assert (chosen.liquid_heat_fraction > 0.0) == (chosen.coolant != "none")
