"""Power of 10,000 H100 at nameplate.

Public answers to this question run from 11.83 MW (700 W x 1.3 x PUE 1.3) over 13.39 MW (8.5 kW a
node x 1.2 x 1.05; AI-Datacenter-Microgrid-Analysis) to 16.58 MW (aiinframap.com power calculator).
Right, on nameplate: 10.2 kW a DGX H100 (DGX H100 user guide), 1,250 nodes, no other load.
"""

import pytest

from clusterplan.sizing.accelerators import RackShape, count_for_accelerators
from clusterplan.sizing.power import PartShare, PowerDesign, it_power
from clusterplan.sizing.supply import facility_power_mw

NOTHING = PartShare()


def _it(rack_kw):
    count = count_for_accelerators(10_000, RackShape(4, 8, 32, 8))
    design = PowerDesign(
        rack_power_kw=rack_kw,
        rack_nameplate_kw=40.8,
        rack_typical_kw=31.0,
        rack_peak_kw=40.8,
        servers_per_rack=4,
        network=NOTHING,
        storage=NOTHING,
        management=NOTHING,
    )
    return count, it_power(design, count.servers)


def test_nameplate():
    count, it = _it(40.8)
    assert count.servers == 1250
    assert it.total_mw == pytest.approx(12.75, rel=1e-12)
    assert facility_power_mw(it.total_mw, 1.3) == pytest.approx(16.575, rel=1e-12)


def test_part_filled_last_rack_is_not_charged_whole():
    count, it = _it(40.8)
    assert count.racks == 313
    assert it.total_mw < count.racks * 40.8 / 1000


def test_measured_mean_lies_between_the_public_answers():
    # 0.76 of nameplate (LBNL, arXiv 2506.14551) at PUE 1.3
    _, it = _it(31.0)
    assert 11.8 < facility_power_mw(it.typical_mw, 1.3) < 16.6
