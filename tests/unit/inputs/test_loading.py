"""Loading a site: which files are taken, what --set changes, and all problems at once."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.core.equipment import Rack
from clusterplan.core.errors import InputError
from clusterplan.inputs.datum import Datum, value_of
from clusterplan.inputs.document import Document
from clusterplan.inputs.grid_file import Grid
from clusterplan.inputs.loading import load_design, load_rack
from clusterplan.inputs.validation import validate
from clusterplan.inputs.yaml_text import parse_yaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Load = Callable[..., Any]

RACK = """\
id: mine
accelerator: nvidia-b300
servers_per_rack: 18
accelerators_per_server: 4
nameplate: {value: 142 kW, source: data sheet, verified: true}
typical: 115 kW
liquid_heat_fraction: 85 %
flow: 1.5 L/min/kW
scale_out: 800 Gb/s
flow_table:
  - {supply_temp: 40 degC, flow: 120 L/min, pressure_drop: 100 kPa}
"""


def problems(call: Callable[..., Any], *args: Any, **named: Any) -> list[str]:
    with pytest.raises(InputError) as error:
        call(*args, **named)
    return [str(problem) for problem in error.value.problems]


def test_a_site(folder: Path, load: Load) -> None:
    inputs = load(folder)
    site, grid = inputs.site, inputs.grid
    assert (site.id, site.country, site.climate.id) == ("here", "US", "abilene-tx")
    assert site.land.gross_acres == Datum(400.0, "acre", text="400 acre")
    assert (inputs.region.iso3, inputs.state.code) == ("USA", "TX")
    assert [stage.firm_mw.value for stage in grid.stages] == [100.0, 250.0]
    assert grid.stages[0].energised.value == date(2027, 1, 1)
    assert (grid.short_circuit.min.value, grid.short_circuit.min.unit) == (20.0, "kA")
    assert (inputs.rack, inputs.rack_id, inputs.workload) == (None, "gb300-nvl72", None)
    assert inputs.design == {}
    assert inputs.warnings == ()


def test_file_and_folder_are_the_same(folder: Path, load: Load) -> None:
    assert load(folder / "site.yaml").grid == load(folder).grid


def test_models_are_frozen(folder: Path, load: Load) -> None:
    inputs = load(folder)
    with pytest.raises(ValueError, match="frozen"):
        inputs.site.name = "other"
    with pytest.raises(AttributeError):
        inputs.site.elevation_m.value = 3.0


def test_places(folder: Path, load: Load) -> None:
    inputs = load(folder, "site.land.price=8000 USD/acre")
    site = inputs.site
    assert site.place("land.buildable") == (str(folder / "site.yaml"), 12)
    assert site.place("land.price") == ("--set", None)
    assert site.line_of("nothing.there") == 1
    assert str(site.problem("climate", "unknown climate", "did you mean x?")) == (
        f"{folder}/site.yaml:8: site.climate: unknown climate; did you mean x?"
    )
    assert inputs.rack_problem("unknown rack").line == 9
    assert inputs.grid.line_of("stages.1.firm") == 9


def test_long_form_keeps_range_and_source(folder: Path, load: Load) -> None:
    long = "{value: 400 acre, low: 1.5 km2, high: 500 acre, source: deed, date: 2026-02-01}"
    site = load(folder, f"site.land.gross={long}", "site.name={value: N, source: map}").site
    gross = site.land.gross_acres
    assert gross.low == pytest.approx(370.66, rel=1e-4)  # 1 acre = 4,046.86 m2
    assert (gross.high, gross.source, gross.date) == (500.0, "deed", date(2026, 2, 1))
    assert gross.verified == "false"
    assert site.name == "N"
    assert site.provenance("name").source == "map"
    assert site.provenance("id") is None


def test_verified_needs_a_source(folder: Path, load: Load) -> None:
    for more, flag in (("", "false"), (", source: x", "true")):
        site = load(folder, f"site.elevation={{value: 5 m, verified: true{more}}}").site
        assert site.elevation_m.verified == flag


def test_files_beside_and_files_named(folder: Path, load: Load, tmp_path: Path) -> None:
    (folder / "design.yaml").write_text("power_basis: typical\n")
    (folder / "workload.yaml").write_text("jobs: [{kind: training, share: 0.5}]\n")
    (folder / "other.yaml").write_text("power_basis: nameplate\nups: none\n")
    inputs = load(folder)
    assert inputs.design == {"power_basis": "typical"}
    assert inputs.workload.jobs[0].share.value == 0.5
    assert set(inputs.files) == {"site", "grid", "design", "workload"}
    named = load(folder, design=folder / "other.yaml")
    assert named.design == {"power_basis": "nameplate", "ups": "none"}
    assert load(folder, "site.design=other.yaml").design == named.design


def test_a_site_file_of_another_name_stands_alone(folder: Path, load: Load) -> None:
    (folder / "site.yaml").rename(folder / "abilene.yaml")
    assert load(folder / "abilene.yaml").grid is None
    assert load(folder / "abilene.yaml", grid=folder / "grid.yaml").grid is not None


def test_racks(folder: Path, load: Load) -> None:
    assert load(folder, rack="dgx-h100-x4").rack_id == "dgx-h100-x4"
    (folder / "racks").mkdir()
    (folder / "racks" / "mine.yaml").write_text(RACK)
    inputs = load(folder, "site.rack=racks/mine.yaml")
    assert (inputs.rack.id, inputs.rack_id) == ("mine", None)
    (folder / "rack.yaml").write_text(RACK)
    assert load(folder).rack_id == "gb300-nvl72"  # the site names one
    assert load(folder, "site.rack=mine").rack.id == "mine"
    told = problems(load, folder, rack="nowhere.yaml")
    assert told == ['--rack: "nowhere.yaml": no such file']


def test_rack_as_the_catalogue_has_it(folder: Path) -> None:
    (folder / "rack.yaml").write_text(RACK)
    rack = load_rack(folder / "rack.yaml").to_rack()
    assert isinstance(rack, Rack)
    assert (rack.id, rack.name, rack.accelerators_per_rack) == ("mine", "mine", 72)
    assert (rack.nameplate_kw, rack.typical_kw) == (142.0, 115.0)
    assert rack.liquid_heat_fraction == pytest.approx(0.85)
    assert (rack.flow_l_per_min_per_kw, rack.scale_out_gbps) == (1.5, 800.0)
    assert rack.flow_table[0].pressure_drop_kpa == 100.0
    assert rack.source.endswith("rack.yaml")
    assert rack.verified_of("nameplate_kw") == "true"
    assert rack.verified_of("typical_kw") == "false"
    assert rack.peak_kw is None


def test_set_changes_a_catalogue_rack(folder: Path, load: Load) -> None:
    inputs = load(folder, "rack.nameplate=150 kW", "rack.su_servers=144")
    assert inputs.rack_changes == {"nameplate_kw": 150.0, "su_servers": 144}
    told = problems(load, folder, "rack.nameplate=150 MVA", "rack.namplate=1 kW")
    assert [line.split(":")[1].strip() for line in told] == ["rack.nameplate", "rack.namplate"]


@pytest.mark.parametrize(
    ("override", "read", "value"),
    [
        ("grid.stages.1.firm=200 MW", lambda i: i.grid.stages[1].firm_mw.value, 200.0),
        ("grid.stages.two.firm=0.2 GW", lambda i: i.grid.stages[1].firm_mw.value, 200.0),
        ("grid.stages.2={name: x, firm: 260 MW}", lambda i: len(i.grid.stages), 3),
        ("grid.stages=[]", lambda i: len(i.grid.stages), 0),
        ("site.country='US'", lambda i: i.site.country, "US"),
        ("site.land.price=8e3 USD/acre", lambda i: i.site.land.price_usd_per_acre.value, 8000),
        ("site.water.source=none", lambda i: i.site.water.source, "none"),
        ("site.generation.0.type=ccgt", None, "site.generation.0.gross"),
        ("site.climate={weather: a.epw}", None, "no such file"),
        ("design.cooling.tcs_supply=40 degC", lambda i: i.design["cooling.tcs_supply"], 40.0),
        ("design.electrical.bus_current_max=2.5 kA", lambda i: [*i.design.values()], [2500.0]),
        ("workload.jobs=[{kind: inference}]", lambda i: i.workload.jobs[0].kind, "inference"),
        ("site.pue_peak=1.3", lambda i: value_of(i.site.pue_peak), 1.3),
        ("site.name= spaced out ", lambda i: i.site.name, "spaced out"),
        ("site.name==cmd|x", lambda i: i.site.name, "=cmd|x"),
        ("site.name=@x", lambda i: i.site.name, "@x"),
    ],
)
def test_overrides(folder: Path, load: Load, override: str, read: Any, value: Any) -> None:
    if read is None:
        assert value in "\n".join(problems(load, folder, override))
    else:
        assert read(load(folder, override)) == value


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("site.land", "--set: 'site.land' has no value; write PATH=VALUE"),
        ("land.gross=5 acre", "--set: land.gross: unknown path; paths begin with site, grid"),
        ("sit.name=x", '--set: sit.name: unknown path; did you mean "site"?'),
        ("site=5", "--set: site: the path is not complete"),
        ("site..name=5", "the path is not complete"),
        ("site.name.x=5", "--set: site.name: 'Here' is a single value, it has no 'x'"),
        ("grid.stages.third.firm=5 MW", "--set: grid.stages: has no item 'third'"),
        ("grid.stages.tow.firm=5 MW", 'did you mean "two"?'),
        ("grid.stages.9.firm=5 MW", "has no item '9'; items: 0 to 1"),
        ("site.lnad.gross=5 acre", "--set: site.lnad: unknown key 'lnad'; did you mean \"land\"?"),
        ("site.land.gross=5", '--set: site.land.gross: 5 has no unit; write "5 acre"'),
        ("site.land.gross=", "--set: site.land.gross: is empty"),
        ("site.land.gross={value: 5", "--set: site.land.gross: is not valid YAML"),
        ("design.coolin.tcs_supply=4", "design.coolin: unknown key 'coolin'"),
        ("design.tcs_supply=40 degC", 'did you mean "design.cooling.tcs_supply"?'),
        ("grid.requested=300 MVA", "MVA times power factor is MW"),
        ("rack.nameplate=NaN", "--set: rack.nameplate"),
        ("workload.jobs.0.kind=dream", "is not one of training, inference"),
    ],
)
def test_bad_overrides(folder: Path, load: Load, override: str, told: str) -> None:
    assert told in "\n".join(problems(load, folder, override))


def test_aliased_values_are_changed_apart(folder: Path, load: Load) -> None:
    text = (folder / "grid.yaml").read_text()
    text = text.replace("- {name: one", "- &one {name: one").replace("requested: 300 MW\n", "")
    (folder / "grid.yaml").write_text(text + "transformers: [&t {mva: 100 MVA}, *t]\n")
    grid = load(folder, "grid.transformers.0.mva=80 MVA").grid
    assert [unit.top_mva.value for unit in grid.transformers] == [80.0, 100.0]


def test_all_problems_of_all_files_at_once(folder: Path, load: Load) -> None:
    (folder / "site.yaml").write_text("id: X\nname: n\ncountry: NO\nlatitude: 95\nlongitude: 9\n")
    (folder / "grid.yaml").write_text("voltage: 345\nrequested: 5 MW\nstages:\n - {name: a}\n")
    (folder / "design.yaml").write_text("cooling: {tcs_suply: 4}\n")
    (folder / "workload.yaml").write_text("jobs: [")
    (folder / "rack.yaml").write_text("")
    told = "\n".join(problems(load, folder))
    for due in (
        "site.yaml:1: site.id",
        "site.yaml:4: site.latitude",
        "grid.yaml:1: grid.voltage",
        "grid.yaml:4: grid.stages.0.firm: is missing",
        "design.yaml:1: design.cooling.tcs_suply: unknown key 'tcs_suply'; did you mean \"tcs_",
        "workload.yaml:",
        "rack.yaml:1: rack: is empty",
    ):
        assert due in told


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"# only a comment\n", "is empty"),
        (b"just text", "keys are due here, not 'just text'"),
        (b"- a\n- b\n", "keys are due here"),
        (b"5", "keys are due here, not 5"),
        (b"\xff\xfei\x00d\x00", "UTF-16"),
        (b"id: \xe9t\xe9\n", "not UTF-8"),
        (b"\x7fELF\x00\x00", "binary"),
        (b"a: 1\n" * 400_000, "larger than 1 MB"),
        (b"id: x\x00y", "binary"),
    ],
)
def test_files_that_are_none(folder: Path, load: Load, content: bytes, says: str) -> None:
    for name in ("site", "grid", "rack", "design", "workload"):
        path = folder / f"{name}.yaml"
        before = path.read_bytes() if path.exists() else None
        path.write_bytes(content)
        overrides = ["site.rack=rack.yaml"] if name == "rack" else []
        assert any(
            line.startswith(str(path)) and says in line
            for line in problems(load, folder, *overrides)
        )
        path.unlink() if before is None else path.write_bytes(before)


def test_byte_order_mark_and_windows_lines(folder: Path, load: Load) -> None:
    data = (folder / "site.yaml").read_bytes()
    (folder / "site.yaml").write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert load(folder).site.place("land.gross") == (str(folder / "site.yaml"), 11)


def test_paths_that_are_none(folder: Path, load: Load) -> None:
    (told,) = problems(load, folder / "site.yam")
    assert told == f'{folder}/site.yam: no such file; did you mean "site.yaml"?'
    (told,) = problems(load, folder, grid=folder)
    assert "is a folder" in told
    (folder / "sub").mkdir()
    (told,) = problems(load, folder / "sub")
    assert "holds no site.yaml" in told
    (told,) = problems(load, folder, "site.grid=nowhere.yaml")
    assert told.startswith("--set: site.grid")
    assert "no such file" in told
    assert "cannot be read" in problems(load, "a\0b")[0]
    assert "cannot be read" in problems(load, "x" * 5000)[0]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(folder: Path, load: Load) -> None:
    (folder / "grid.yaml").chmod(0)
    assert "permission denied" in problems(load, folder)[0]


def test_design_alone(folder: Path) -> None:
    fields = catalog.design_fields()
    path = folder / "design.yaml"
    path.write_text(
        "cooling:\n  tcs_supply: {value: 40 degC, low: 95 degF}\npower: {storage: 2 MW}\n"
    )
    design = load_design(fields, path, ["design.power.network=3 %"])
    assert design.chosen == {
        "cooling.tcs_supply": 40.0,
        "power.storage": ("mw", 2.0),
        "power.network": ("fraction", 0.03),
    }
    assert design.data["cooling.tcs_supply"].low == pytest.approx(35.0)
    assert design.place("cooling.tcs_supply") == (str(path), 2)
    assert design.place("power.network") == ("--set", None)
    assert load_design(fields).chosen == {}
    with pytest.raises(InputError, match="only design"):
        load_design(fields, None, ["site.name=x"])


@settings(max_examples=40, deadline=None)
@given(mw=st.floats(1.0, 5000.0), kv=st.floats(2.001, 700.0))
def test_spelling_of_the_unit_changes_nothing(mw: float, kv: float) -> None:
    grids = []
    for power, scale, voltage, volts in (
        ("kW", 1e3, "V", 1e3),
        ("MW", 1, "kV", 1),
        ("GW", 1e-3, "kV", 1),
    ):
        text = (
            f"voltage: {kv * volts!r} {voltage}\nrequested: {mw * scale!r} {power}\n"
            f"approved: {mw * scale!r} {power}\nstages: [{{name: a, firm: {mw!r} MW}}]\n"
            "utility: x\n"
        )
        grid, found = validate(Grid, Document("grid.yaml", parse_yaml(text, "grid.yaml"), "grid"))
        assert found == []
        grids.append(grid)
    for grid in grids:
        assert grid.requested_mw is not None
        assert grid.requested_mw.value == pytest.approx(mw, rel=1e-9)
        assert grid.voltage_kv.value == pytest.approx(kv, rel=1e-9)
        from clusterplan.inputs.checks import check_grid

        assert check_grid(grid).problems == []
