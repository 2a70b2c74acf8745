"""Distribution chain: products of the stages that a plan has.

Figures of the planning chain: HV/MV 0.9955, MV 0.997, MV/LV 0.992, UPS 0.97, busway 0.993.
"""

import pytest

from clusterplan.sizing.distribution import (
    chain_efficiency,
    chain_stages,
    dc_input_power,
    stage_losses,
)

E = {
    "hv_mv_transformer": 0.9955,
    "mv_distribution": 0.997,
    "mv_lv_transformer": 0.992,
    "ups": 0.97,
    "busway": 0.993,
    "rectifier": 0.9825,
}


def test_with_ups():
    chain = chain_efficiency(chain_stages(E, 1, ups=True))
    assert chain.it == pytest.approx(0.948, abs=5e-4)
    assert chain.mechanical == pytest.approx(0.985, abs=5e-4)
    assert chain.mechanical_on_ups == pytest.approx(0.955, abs=5e-4)


def test_without_ups():
    chain = chain_efficiency(chain_stages(E, 1, ups=False))
    assert chain.it == pytest.approx(0.978, abs=5e-4)
    assert chain.mechanical_on_ups == chain.mechanical


def test_stages_of_the_service():
    one = chain_efficiency(chain_stages(E, 1, ups=True)).it
    assert chain_efficiency(chain_stages(E, 0, ups=True)).it == pytest.approx(one / 0.9955)
    assert chain_efficiency(chain_stages(E, 2, ups=True)).it == pytest.approx(one * 0.9955)


@pytest.mark.parametrize("ups", [True, False])
def test_800_v_dc_raises_pue_and_lowers_facility_power(ups):
    ac = chain_efficiency(chain_stages(E, 1, ups=ups)).it
    dc = chain_efficiency(chain_stages(E, 1, ups, "dc800")).it
    assert 1.0 / dc > 1.0 / ac  # PUE on the restated IT power
    assert dc_input_power(100.0, 0.975) / dc < 100.0 / ac


def test_losses_by_stage_from_the_meter_inwards():
    stages = chain_stages(E, 1, ups=True)
    rows = stage_losses(stages, 100.0, 20.0, 2.0)
    assert [row.stage for row in rows] == [
        "HV/MV transformer",
        "MV distribution",
        "MV/LV transformer",
        "UPS",
        "LV busway",
    ]
    # busway: 100/0.993 - 100; UPS: what racks and pumps take, over 0.97
    assert rows[-1].loss_mw == pytest.approx(100.0 / 0.993 - 100.0)
    carried = 100.0 / 0.993 + 2.0
    assert rows[-2].loss_mw == pytest.approx(carried / 0.97 - carried)
