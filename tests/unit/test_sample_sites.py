"""The sample sites load without a problem and name what the catalogue has."""

from pathlib import Path

import pytest

from clusterplan import catalog
from clusterplan.catalog.kinds import design_fields
from clusterplan.inputs.loading import load_site_folder

SAMPLES = Path(__file__).parents[2] / "sample_sites"
FOLDERS = sorted(path for path in SAMPLES.iterdir() if path.is_dir())


def load(folder):
    return load_site_folder(
        folder, fields=design_fields(), regions=catalog.regions(), states=catalog.us_states()
    )


def test_the_samples_are_there():
    assert {folder.name for folder in FOLDERS} >= {
        "abilene",
        "dona-ana",
        "west-texas-5gw",
        "memphis",
        "ashburn",
        "lulea",
        "johor",
        "university-room",
    }


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_sample_site(folder):
    inputs = load(folder)
    assert inputs.site.id == folder.name
    assert catalog.rack(inputs.rack_id).id == inputs.rack_id
    climate = inputs.site.climate
    if climate.id is not None:
        assert catalog.climate(climate.id).id == climate.id
    expected = {"stage_above_approved", "short_circuit_assumed", "single_gas_lateral"}
    assert {warning.code for warning in inputs.warnings} <= expected


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_not_sourced_is_marked(folder):
    """A reader must see which figures are real: each file of a sample names sources or says so."""
    for path in folder.glob("*.yaml"):
        if path.name == "design.yaml":  # choices, not facts; each says why
            assert path.read_text(encoding="utf-8").startswith("#"), path
            continue
        text = path.read_text(encoding="utf-8")
        whole = text + (folder / "site.yaml").read_text(encoding="utf-8")
        assert "source:" in text or "illustrative" in whole, path


def test_abilene_is_staged_to_1200_mw():
    grid = load(SAMPLES / "abilene").grid
    assert [stage.firm_mw.value for stage in grid.stages] == [200.0, 600.0, 1200.0]


def test_dona_ana_has_no_grid_and_fuel_cells():
    inputs = load(SAMPLES / "dona-ana")
    assert inputs.grid is None
    assert {unit.type for unit in inputs.site.generation} == {"fuel_cell"}
    assert sum(unit.gross_mw.value for unit in inputs.site.generation) == 2450.0


def test_university_room_has_no_land_and_a_medium_voltage_service():
    inputs = load(SAMPLES / "university-room")
    assert inputs.site.land is None
    assert inputs.grid.voltage_kv.value == 13.8
