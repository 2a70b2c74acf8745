"""A small report made by hand; every expected figure in these tests is worked out beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from clusterplan.core.figures import figure
from clusterplan.core.record import Formula, Given, Recorder, Step
from clusterplan.core.results.plan import Report


@dataclass(frozen=True, kw_only=True)
class PlaceSection:
    id: str
    name: str
    note: str | None = None
    latitude: float = 32.4
    elevation_m: float = figure("Elevation", formula="given")


@dataclass(frozen=True, kw_only=True)
class ModuleRow:
    id: str
    modules: int
    power_kw: float


@dataclass(frozen=True, kw_only=True)
class YearFigures:
    energy_gwh: float = figure("Energy a year", basis="typical")


@dataclass(frozen=True, kw_only=True)
class PlantSection:
    heat_rejection: str
    racks: int = figure("Racks", formula="given")
    it_power_mw: float = figure("IT power")
    pue_peak: float = figure("PUE, peak", basis="hot point", digits=3, formula="plant_pue.peak")
    facility_power_mw: float = figure("Facility power")
    supply_temp_c: float = figure("TCS supply", formula="given")
    coldest_temp_c: float = figure("Coldest hour", formula="given")
    approach_k: float = figure("Approach")
    flow_l_per_min: float = figure("TCS flow")
    water_m3_per_year: float | None = figure("Water a year")
    loading_percent: float = figure("Loading")
    loss_mw: float = figure("Losses")
    spare_racks: int = figure("Spare racks", detail=True)
    modules: tuple[ModuleRow, ...] = ()
    verdicts: tuple[str, ...] = ()
    year: YearFigures | None = None


@dataclass(frozen=True, kw_only=True)
class LimitRow:
    name: str
    allows_racks: int | None = figure("Allows racks", formula="given")
    used: float | None
    available: float | None
    unit: str
    binding: bool
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class AssumedRow:
    path: str
    value: object
    unit: str
    source: str
    verified: str


# `value` must be declared as the contract's own class does
AssumedRow.__dataclass_fields__["value"].type = "Any"


@dataclass(frozen=True, kw_only=True)
class WarningRow:
    code: str
    path: str
    message: str


def make_plant(**changes):
    values = {
        "heat_rejection": "dry-cooler",
        "racks": 6416,
        "it_power_mw": 164.25,
        "pue_peak": 1.2137,
        "facility_power_mw": 199.350225,  # 164.25 x 1.2137 = 197.1 + 2.250225
        "supply_temp_c": 45.0,  # 45 x 1.8 + 32 = 113 F
        "coldest_temp_c": -5.2,  # -9.36 + 32 = 22.64 F
        "approach_k": 4.0,  # 7.2 F
        "flow_l_per_min": 3785.411784,  # 1,000 US gal of 3.785411784 L
        "water_m3_per_year": 1233.48183754752,  # 1 acre-ft = 4046.8564224 m2 x 0.3048 m
        "loading_percent": 84.2,
        "loss_mw": math.nan,
        "spare_racks": 12,
        "modules": (
            ModuleRow(id="osfp|dr4", modules=1024, power_kw=16.384),
            ModuleRow(id="osfp-fr4", modules=64, power_kw=1.088),
        ),
        "verdicts": ("ramp 12 MW/min: within 20 MW/min", "step 1.2 %: within 3 %"),
        "year": YearFigures(energy_gwh=1438.83),
    }
    return PlantSection(**(values | changes))


def make_parts(name="Abilene [TX] campus", **changes):
    return {
        "site": PlaceSection(id="abilene", name=name, elevation_m=524.0),  # 524/0.3048 = 1719.16
        "plant": make_plant(**changes),
        "limits": (
            LimitRow(
                name="grid",
                allows_racks=6416,
                used=199.350225,
                available=200.0,
                unit="MW",
                binding=True,
            ),
            LimitRow(
                name="water_annual",
                allows_racks=None,
                used=1233.48183754752,
                available=None,
                unit="m3/yr",
                binding=False,
                note="no limit is known for this place",
            ),
        ),
        "assumptions": (
            AssumedRow(
                path="design.cooling.approach",
                value=4.0,
                unit="K",
                source="CDU data sheet",
                verified="true",
            ),
            AssumedRow(
                path="design.cooling.pad_efficiency",
                value=0.85,
                unit="",
                source="judgement",
                verified="false",
            ),
        ),
        "warnings": (
            WarningRow(code="water-unknown", path="site.water", message="no water limit is given"),
        ),
        "verdict": "fits",
        "absent": None,
    }


IT_POWER = Formula(
    "it_power_mw", "IT power", "racks * rack_power_kw / 1000", "MW", "counting rule", plain=True
)
PUE = Formula("plant_pue", "PUE", "highest of the points", "", "IEC 30134-2", plain=False)
FACILITY = Formula(
    "facility_power_mw", "Facility power", "it_power_mw * pue_peak", "MW", "rule 4", plain=True
)
RACK_POWER = Formula(
    "rack_share_kw", "Rack power", "total_kw / racks", "kW", "rack data sheet", plain=True
)


@dataclass(frozen=True)
class Pue:
    peak: float
    annual: float


def make_record():
    """Explains the plant but for loading, flow and water."""
    given = [
        Given("site.elevation_m", 524.0, "m", "site.yaml", "given"),
        Given("plant.racks", 6416, "", "chosen by the solve", "true"),
        Given("plant.supply_temp_c", 45.0, "°C", "design.yaml", "given"),
        Given("plant.coldest_temp_c", -5.2, "°C", "station file", "true"),
        Given("plant.approach_k", 4.0, "K", "CDU data sheet", "false"),
        Given("limits.grid.allows_racks", 6416, "", "solve", "true"),
    ]
    steps = [
        Step(RACK_POWER, {"total_kw": 164250.0, "racks": 6416}, 164250.0 / 6416),
        Step(IT_POWER, {"racks": 6416, "rack_power_kw": 164250.0 / 6416}, 164.25),
        Step(PUE, {"approach_k": 4.0}, Pue(1.2137, 1.1)),
        Step(FACILITY, {"it_power_mw": 164.25, "pue_peak": 1.2137}, 199.350225),
    ]
    return Recorder(steps, {item.path: item for item in given})


@pytest.fixture
def make_report():
    def make(**changes):
        options = {
            "feasible": changes.pop("feasible", True),
            "infeasible_reason": changes.pop("infeasible_reason", None),
            "record": changes.pop("record", None),
        }
        name = changes.pop("name", "Abilene [TX] campus")
        return Report(
            schema="clusterplan/size/1",
            title=f"{name} on gb300-nvl72",
            parts=make_parts(name, **changes),
            **options,
        )

    return make


@pytest.fixture
def report(make_report):
    return make_report()


@pytest.fixture
def recorded(make_report):
    return make_report(record=make_record())
