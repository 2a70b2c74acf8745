"""IT power choices and the power section: shares, bases, explanation of every figure."""

import pytest

from clusterplan import catalog
from clusterplan.catalog.kinds import design_fields
from clusterplan.core.equipment import Accelerator, Rack
from clusterplan.core.figures import rows_of
from clusterplan.core.record import recording
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.floor_plan import FloorQuantities, floor_design, floor_section
from clusterplan.planning.power_plan import power_design, power_section
from clusterplan.planning.rack_choice import JobLoad, choose_rack
from clusterplan.sizing.accelerators import count_for_accelerators
from clusterplan.sizing.power import PartShare, it_power

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


class TestDesign:
    def test_basis(self):
        chosen = choose_rack(rack(typical_kw=80.0), CHIP, choices(power_basis="typical"))
        assert chosen.capacity_kw == 80.0
        assert chosen.power_basis == "typical"

    def test_shares(self):
        made = choices(power__network=("mw", 2.0), power__management=("fraction", 0.0))
        design = power_design(made, choose_rack(rack(), CHIP, made))
        assert design.network == PartShare(stated_mw=2.0)
        assert design.storage == PartShare(share=0.03)
        assert design.management == PartShare(fixed=True)

    def test_network_that_cannot_be_counted_is_5_percent(self):
        made = choices()
        chosen = choose_rack(rack(), CHIP, made)
        assert power_design(made, chosen).network is None
        assert "design.power.network_uncounted" not in assumed(made)
        assert power_design(made, chosen, fabric_counted=False).network == PartShare(share=0.05)
        assert "design.power.network_uncounted" in assumed(made)

    def test_su_of_the_user(self):
        chosen = choose_rack(rack(su_servers=32), CHIP, choices(fabric__nodes_per_su=64))
        assert chosen.shape.su_servers == 64


@pytest.mark.parametrize("basis", ["nameplate", "typical"])
@pytest.mark.parametrize("kind", ["training", "inference"])
def test_every_figure_of_the_power_section_is_explained(basis, kind):
    row = catalog.rack("gb300-nvl72")
    made = choices(power_basis=basis)
    chip = catalog.accelerator(row.accelerator)
    chosen = choose_rack(row, chip, made, jobs=(JobLoad(kind, 1.0, 0.8),))
    count = count_for_accelerators(7200, chosen.shape)
    space = FloorQuantities(racks=100, it_mw=15.0, facility_mw=20.0)
    with recording() as record:
        it = it_power(power_design(made, chosen), count.servers, (300.0, 120.0))
        floor = floor_section(floor_design(made, chosen), space)
        section = power_section(chosen, count, it, floor, 93.1)
    assert section.white_space_density_kw_per_m2 > section.gross_density_kw_per_m2
    assert section.it_compute_mw == pytest.approx(100 * chosen.capacity_kw / 1000)
    for item in rows_of("power", section):
        if item.value is None or item.name == "chain_efficiency_percent":
            continue
        if item.info.formula == "given":
            assert record.givens[item.path].value == item.value
        else:
            assert record.find(item.info.formula or item.name, item.value), item.path
