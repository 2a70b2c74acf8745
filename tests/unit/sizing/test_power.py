"""Rack and IT power: rules of counting 1 to 3, by hand arithmetic."""

import pytest

from clusterplan.sizing import power
from clusterplan.sizing.power import PartShare, PowerDesign, it_power


def design(**changes):
    values = {
        "rack_power_kw": 142.0,
        "rack_nameplate_kw": 142.0,
        "rack_typical_kw": 108.0,
        "rack_peak_kw": 155.0,
        "servers_per_rack": 18,
        "network": None,
        "storage": PartShare(share=0.03),
        "management": PartShare(share=0.01),
    }
    return PowerDesign(**(values | changes))


def test_counted_network_is_switches_and_modules():
    it = it_power(design(), 18 * 100, (300.0, 120.0))
    assert it.compute_mw == pytest.approx(14.2)
    assert it.network_mw == pytest.approx(0.42)
    assert it.storage_mw == pytest.approx(0.426)
    assert it.management_mw == pytest.approx(0.142)
    assert it.total_mw == pytest.approx(14.2 + 0.42 + 0.426 + 0.142)


def test_the_three_do_not_fall_when_racks_run_at_typical():
    it = it_power(design(), 18 * 100, (300.0, 120.0))
    assert it.typical_mw == pytest.approx(10.8 + 0.42 + 0.426 + 0.142)


def test_percent_is_of_compute_at_the_capacity_basis():
    it = it_power(design(rack_power_kw=108.0), 18 * 100, (0.0, 0.0))
    assert it.storage_mw == pytest.approx(0.03 * 10.8)
    assert it.typical_mw == pytest.approx(it.total_mw)


def test_share_or_stated_power_replaces_the_counted_network():
    share = it_power(design(network=PartShare(share=0.05)), 1800, (300.0, 120.0))
    assert share.network_mw == pytest.approx(0.71)
    stated = it_power(design(network=PartShare(stated_mw=2.0)), 1800, (300.0, 120.0))
    assert stated.network_mw == 2.0


def test_nothing_beside_compute():
    none = PartShare()
    it = it_power(design(network=none, storage=none, management=none), 1800, (300.0, 120.0))
    assert it.total_mw == it.compute_mw


def test_part_filled_rack_takes_its_servers_share():
    # 5 servers of a 4-server rack at 40.8 kW: one rack and a quarter
    assert power.it_compute_mw(5, 40.8, 4) * 1000 == pytest.approx(51.0)


def test_bases_and_shares():
    assert power.rack_typical_kw(40.8, 0.76) == pytest.approx(31.0, rel=0.001)  # dgx-h100-x4 row
    assert power.rack_idle_kw(132.0) == pytest.approx(20.0, abs=0.2)  # GB200 idle estimate
    assert power.rack_utilisation_percent(108.0, 142.0) == pytest.approx(76.06, abs=0.01)
    assert power.server_power_kw(40.8, 4) == pytest.approx(10.2)
    # inference fleet: 80 % of 14.2 MW and 0.4 MW beside
    assert power.it_inference_peak_mw(1800, 142.0, 18, 0.4) == pytest.approx(11.76)
    assert power.it_at_rack_power_mw(1800, 155.0, 18, 1.0) == pytest.approx(16.5)
    assert power.it_per_accelerator_kw(14.2, 7200) == pytest.approx(1.972, abs=0.001)


def test_densities():
    # 132 kW on 0.6 x 1.2 m; 1.2 MW on 45.9 m2 and on 249 m2
    assert power.rack_density_kw_per_m2(132.0, 600.0, 1200.0) == pytest.approx(183.3, abs=0.05)
    assert power.white_space_density_kw_per_m2(1.2, 45.9) == pytest.approx(26.1, abs=0.05)
    assert power.gross_density_kw_per_m2(1.2, 249.0) == pytest.approx(4.82, abs=0.01)
