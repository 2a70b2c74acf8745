"""Checks across fields: each error and warning of a site data sheet, and the boundary beside it."""

from __future__ import annotations

from typing import Any

import pytest

from clusterplan.inputs.document import Document
from clusterplan.inputs.loading import check_document
from clusterplan.inputs.yaml_text import parse_yaml

SITE = "id: x\nname: X\ncountry: NO\nlatitude: 60\nlongitude: 10\nelevation: 5 m\n"
GRID = "utility: u\nvoltage: 345 kV\nshort_circuit: {min: 20 kA, max: 40 kA}\n"
RACK = "id: x\naccelerator: a\nservers_per_rack: 1\naccelerators_per_server: 8\n"
BASE = {"site": SITE, "grid": GRID, "rack": RACK, "workload": ""}


MW5 = "requested: 5 MW\n"


def findings(kind: str, text: str) -> Any:
    name = f"{kind}.yaml"
    given = {line.split(":")[0] for line in text.splitlines()}
    base = [row for row in BASE[kind].splitlines() if row.split(":")[0] not in given]
    tree = parse_yaml("\n".join([*base, text]), name)
    return check_document(kind, Document(name, tree, kind))


def stages(*rows: str) -> str:
    return "stages: [" + ", ".join(f"{{{row}}}" for row in rows) + "]\n"


ERRORS = [
    ("site", "land: {gross: 10 acre, buildable: 11 acre}", "land.buildable", "above land.gross"),
    ("site", "land: {gross: 1 km2, buildable: 101 ha}", "land.buildable", "above land.gross"),
    ("site", "pue_peak: 1.2\npue_annual: 1.3", "pue_annual", "above pue_peak 1.2"),
    ("site", "climate: {dry_bulb_0p4: 30 degC, wet_bulb_0p4: 31 degC}", "climate.wet_bulb_0p4", ""),
    ("site", "climate: {dry_bulb_0p4: 86 degF, wet_bulb_0p4: 31 degC}", "climate.wet_bulb_0p4", ""),
    ("site", "climate: {dry_bulb_0p4: 30 degC}", "climate.wet_bulb_0p4", "is missing"),
    ("site", "climate: {wet_bulb_0p4: 20 degC}", "climate.dry_bulb_0p4", "is missing"),
    ("site", "climate: {id: oslo, mean_coincident_wet_bulb: 30 degC, dry_bulb_0p4: 29 degC}",
     "climate.mean_coincident_wet_bulb", ""),
    ("site", "climate: {id: oslo, dry_bulb_0p4: 31 degC, dry_bulb_n20: 30 degC}",
     "climate.dry_bulb_0p4", "above climate.dry_bulb_n20"),
    ("site", "phases: [{date: 2027-01-01, it: 5 MW}, {date: 2027-01-01, it: 6 MW}]",
     "phases.1.date", "not above"),
    ("site", "phases: [{date: 2027-01-01, it: 5 MW}, {date: 2028-01-01, it: 5 MW}]",
     "phases.1.it", "not above 5 MW"),
    ("site", "phases: [{date: 2027-01-01, it: 5 MW, facility: 4 MW}]", "phases.0.it", "facility"),
    ("site", "generation: [{type: ccgt, gross: 5 MW, firm: 6 MW}]", "generation.0.firm", "gross"),
    ("site", "generation: [{name: a, type: ccgt, gross: 5 MW, firm: 4 MW}, "
     "{name: a, type: wind, gross: 5 MW, firm: 0 MW}]", "generation.1.name", "generation.0 too"),
    ("site", "storage: {power: 10 MW, energy: 1 MWh}", "storage.energy", "0.1 h"),
    ("site", "storage: {power: 1 MW, energy: 25 MWh}", "storage.energy", "25 h"),
    ("grid", "", "requested", "is missing"),
    ("grid", "requested: 5 MW\napproved: 6 MW", "approved", "6 MW is above requested 5 MW"),
    ("grid", "requested: 5 MW\n" + stages("name: a, firm: 6 MW"), "stages.0.firm", "requested"),
    ("grid", "requested: 5 MW\n" + stages("name: a, firm: 4 MW, nonfirm: 2 MW"),
     "stages.0.nonfirm", "above requested"),
    ("grid", stages("name: a, firm: 6 MW", "name: b, firm: 5 MW"), "stages.1.firm", "never falls"),
    ("grid", stages("name: a, firm: 6 MW", "name: a, firm: 7 MW"), "stages.1.name", "stages.0 too"),
    ("grid", stages("name: a, firm: 6 MW, energised: 2028-01-01",
                    "name: b, firm: 7 MW, energised: 2027-01-01"), "stages.1.energised", "before"),
    ("grid", MW5 + "short_circuit: {min: 3 kA, max: 2 kA}", "short_circuit.min", "max"),
    ("grid", MW5 + "short_circuit: {min: 0.5 kA, max: 20 kA}", "short_circuit.min", "1 to"),
    ("grid", MW5 + "short_circuit: {min: 5 kA, max: 81 kA}", "short_circuit.max", "80 kA"),
    # 60 GVA at 345 kV is 60000/(1.7321 x 345) = 100 kA
    ("grid", MW5 + "short_circuit: {min: 5 kA, max: 60 GVA}", "short_circuit.max", "100 kA"),
    ("grid", "requested: 5 MW\nrequest_date: 2027-01-02\nstudy_due: 2027-01-01",
     "study_due", "before request_date"),
    ("grid", "requested: 5 MW\nrequest_date: 2027-01-02\nagreement_date: 2027-01-01",
     "agreement_date", "before request_date"),
    ("grid", "requested: 5 MW\ntransformers: [{mva: 60 MVA, mva_onan: 61 MVA}]",
     "transformers.0.mva_onan", "above transformers.0.mva"),
    ("grid", "requested: 5 MW\ntransformers: [{mva: 1600 MVA}]", "transformers.0.mva", "1,500"),
    ("grid", "requested: 5 MW\ntransformers: [{mva: 60 MW}]", "transformers.0.mva", "is power"),
    ("grid", "requested: 5 MW\nupgrades: [{name: a}, {name: a}]", "upgrades.1.name", "twice"),
    ("grid", "requested: 5 MW\noscillation_limits: [{peak_to_peak: 1 MW, frequency_min: 5 Hz, "
     "frequency_max: 1 Hz}]", "oscillation_limits.0.frequency_min", "above"),
    ("grid", "requested: 5 MW\npower_factor_min: 0.8", "power_factor_min", "0.9 to 1"),
    ("grid", "requested: 5 MW\npower_factor_min: {lag: 0.95}", "power_factor_min.lead", "missing"),
    ("rack", "nameplate: 10 kW\ntypical: 11 kW", "typical", "above nameplate"),
    ("rack", "nameplate: 10 kW\nidle: 11 kW", "idle", "above nameplate"),
    ("rack", "typical: 10 kW\nidle: 11 kW", "idle", "above typical"),
    ("rack", "nameplate: 10 kW\npeak: 9 kW", "nameplate", "above peak"),
    ("rack", "supply_temp_min: 40 degC\nsupply_temp_max: 30 degC", "supply_temp_min", "above"),
    ("rack", "coolant: none\nliquid_heat_fraction: 0.8", "coolant", "above 0"),
    ("rack", "coolant: pg25\nliquid_heat_fraction: 0", "coolant", "is 0"),
    ("rack", "flow_table: [{supply_temp: 40 degC, flow: 1 L/min, pressure_drop: 1 kPa}, "
     "{supply_temp: 40 degC, flow: 1 L/min, pressure_drop: 1 kPa}]",
     "flow_table.1.supply_temp", "not above"),
    ("workload", "jobs: []", "jobs", "no job"),
    ("workload", "notes: x", "jobs", "is missing"),
    ("workload", "jobs: [{kind: training, share: 0.7}, {kind: inference, share: 0.4}]",
     "jobs", "add up to 1.1"),
    ("workload", "jobs: [{name: a, kind: training}, {name: a, kind: inference}]",
     "jobs.1.name", "jobs.0 too"),
    ("workload", "jobs: [{kind: training, model: {parameters: 1e9, active_parameters: 2e9}}]",
     "jobs.0.model.active_parameters", "above"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "path", "says"), ERRORS)
def test_errors(kind: str, text: str, path: str, says: str) -> None:
    found = findings(kind, text).problems
    assert [problem.path for problem in found] == [f"{kind}.{path}"]
    assert says in str(found[0])
    assert found[0].line is not None


GOOD = [
    ("site", "land: {gross: 10 acre, buildable: 10 acre}"),
    ("site", "pue_peak: 1.2\npue_annual: 1.2"),
    ("site", "climate: {dry_bulb_0p4: 30 degC, wet_bulb_0p4: 86 degF}"),
    ("site", "climate: {id: oslo, dry_bulb_0p4: 30 degC}"),
    ("site", "climate: {weather: a.epw}"),
    ("site", "storage: {power: 4 MW, energy: 1 MWh}"),
    ("site", "storage: {power: 0 MW, energy: 0 MWh}"),
    ("site", "phases: [{date: 2027-01-01, it: 5 MW}, {date: 2028-01-01, facility: 9 MW}]"),
    ("grid", "requested: 70 MW\napproved: 0.07 GW\n" + stages("name: a, firm: 70000 kW")),
    ("grid", stages("name: a, firm: 6 MW", "name: b, firm: 6 MW")),
    ("grid", MW5 + "short_circuit: {min: 20 kA, max: 20 kA}"),
    ("grid", MW5 + "short_circuit: {min: 11951.2 MVA, max: 40 kA}"),
    ("grid", "requested: 5 MW\npower_factor_min: 95 %"),
    ("rack", "nameplate: 10 kW\ntypical: 10 kW\nidle: 10 kW\npeak: 10 kW"),
    ("workload", "jobs: [{kind: training, share: 0.7}, {kind: inference, share: 0.3}]"),
]


@pytest.mark.parametrize(("kind", "text"), GOOD)
def test_the_boundary_is_accepted(kind: str, text: str) -> None:
    assert findings(kind, text).problems == []


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        ("site", "fibre: {routes: 1}", "single_fibre_route"),
        ("site", "gas: {laterals: 1}", "single_gas_lateral"),
        ("site", "generation: [{type: ccgt, gross: 5 MW}]", "generation_firm_assumed"),
        ("grid", "requested: 5 MW\ntransformers: [{mva: 9 MVA}]", "existing_load_unknown"),
        ("grid", "requested: 5 MW\ntariff: {energy: 15 USD/MWh}", "energy_price_unusual"),
        ("grid", "requested: 9 MW\napproved: 5 MW\n" + stages("name: a, firm: 6 MW"),
         "stage_above_approved"),
    ],
)  # fmt: skip
def test_warnings(kind: str, text: str, code: str) -> None:
    found = findings(kind, text)
    assert found.problems == []
    assert [warning.code for warning in found.warnings] == [code]
    assert found.warnings[0].path.startswith(f"{kind}.")


def test_warnings_of_a_bare_file() -> None:
    tree = parse_yaml("voltage: 340 kV\nrequested: 5 MW\n", "g")
    codes = [w.code for w in check_document("grid", Document("g", tree, "grid")).warnings]
    assert codes == ["grid_operator_unknown", "voltage_unusual", "short_circuit_assumed"]


def test_cross_checks_run_beside_other_errors() -> None:
    text = "requested: 300\n" + stages("name: a, firm: 6 MW, status: sure", "name: a, firm: 5 MW")
    paths = {problem.path for problem in findings("grid", text + "iso: mars").problems}
    assert paths == {
        "grid.requested",
        "grid.stages.0.status",
        "grid.stages.1.name",
        "grid.stages.1.firm",
        "grid.iso",
    }


def test_a_bad_shorthand_is_told_once() -> None:
    (problem,) = findings("grid", "requested: 5 MW\npower_factor_min: 5 MW").problems
    assert str(problem).startswith("grid.yaml:5: grid.power_factor_min: a fraction such as")
    (problem,) = findings("site", "climate: 5").problems
    assert problem.path == "site.climate"
