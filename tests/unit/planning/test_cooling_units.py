"""Machine counts by hand: N+1 per block of at most ten."""

from __future__ import annotations

import math

import pytest

from clusterplan import catalog
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.cooling_plan import CoolingSite, ItLoad, cooling_design, cooling_quick
from clusterplan.planning.cooling_units import plant_units
from clusterplan.sizing.pue import Chain


def _units(kind, **chosen):
    paths = {"heat_rejection": kind} | chosen
    choices = Choices(catalog.design_fields(), paths, Ledger())
    station = catalog.climate("abilene-tx")
    site = CoolingSite(station, station.elevation_m)
    design = cooling_design(choices, None, site, Chain(0.948, 0.985, 0.955), 1.0)
    quick = cooling_quick(design, ItLoad(90_000.0, 90.0))
    return plant_units(design, quick), quick.plant


def _with_spares(heat_mw, unit_kw):
    duty = math.ceil(1000 * heat_mw / unit_kw)
    return duty, math.ceil(duty / 10), duty + math.ceil(duty / 10)


def test_towers():
    units, plant = _units("open-cooling-tower")
    assert units.main == units.towers == _with_spares(plant.heat_rejection_mw, 5000)
    assert units.trim.installed == 0
    assert units.air.installed == 0  # no air heat


def test_adiabatic_coolers_at_altitude():
    """ITD 18 K, 10 K rise: 1.2 MW x sigma^0.75."""
    units, plant = _units("adiabatic-cooler")
    sigma = plant.specific.plant.density_ratio
    assert units.unit_kw == pytest.approx(1200 * sigma**0.75)
    assert units.main == _with_spares(plant.heat_rejection_mw, units.unit_kw)


def test_dry_coolers_with_trim_chillers():
    units, plant = _units("dry-cooler")
    chiller_kw = 1600 * (1 - 0.015 * plant.specific.plant.elevation_m / 1000)
    assert plant.trim_mw > 0
    assert units.trim == _with_spares(plant.trim_mw, chiller_kw)


def test_water_cooled_chiller_plant_has_towers_beside():
    cold = {"cooling.fws_supply": 20.0, "cooling.fws_return": 30.0}
    units, plant = _units("water-cooled-chiller", **cold)
    assert units.main == _with_spares(plant.heat_rejection_mw, 7000)
    with_condensers = plant.heat_rejection_mw * plant.specific.plant.tower_heat_per_kw
    assert with_condensers > plant.heat_rejection_mw
    assert units.towers == _with_spares(with_condensers, 5000)
