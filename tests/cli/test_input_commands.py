"""`validate`, `init` and `schema`: what they print, write and refuse."""

from __future__ import annotations

import json
import os
import re
import stat
from typing import TYPE_CHECKING, Any

import pytest

from clusterplan import catalog
from clusterplan.cli import init, schema, validate
from clusterplan.core.errors import InputError
from clusterplan.core.units import DIMENSIONS
from clusterplan.inputs.loading import load_rack, load_site_folder, model_of
from clusterplan.inputs.overrides import KINDS
from clusterplan.inputs.yaml_text import parse_yaml

if TYPE_CHECKING:
    from pathlib import Path

Json = dict[str, Any]


def test_starter_site_is_good(tmp_path: Path) -> None:
    folder = tmp_path / "my site"
    told = init.run(folder)
    names = {"site.yaml", "grid.yaml", "design.yaml", "rack.yaml.example"}
    assert {path.name for path in folder.iterdir()} == names
    assert all(str(folder / name) in told for name in names)
    assert [path.name for path in tmp_path.iterdir()] == ["my site"]
    inputs = load_site_folder(
        folder,
        fields=catalog.design_fields(),
        regions=catalog.regions(),
        states=catalog.us_states(),
    )
    assert inputs.site.id == "my-site"
    assert inputs.warnings == ()
    # what it names is in the catalogue
    assert catalog.climate(inputs.site.climate.id)
    assert catalog.rack(inputs.rack_id or "")
    (folder / "rack.yaml.example").rename(folder / "rack.yaml")
    rack = load_rack(folder / "rack.yaml").to_rack()
    assert catalog.accelerator(rack.accelerator)


def test_starter_comments_are_true_too(tmp_path: Path) -> None:
    init.run(tmp_path / "x")
    site = tmp_path / "x" / "site.yaml"
    text = site.read_text().replace("# generation:", "generation:").replace("#   - {t", "  - {t")
    site.write_text(re.sub(r"^#   (gross: \{.*)$", "", text, flags=re.MULTILINE))
    assert validate.run([str(tmp_path / "x")])[0] == 0


def test_starter_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text("mine")
    with pytest.raises(InputError, match=r"grid\.yaml: is there already"):
        init.run(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["grid.yaml"]
    assert (tmp_path / "grid.yaml").read_text() == "mine"


def test_starter_joins_other_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    init.run(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 5


def test_starter_in_new_parents(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b" / "Ünï"
    init.run(folder)
    assert parse_yaml((folder / "site.yaml").read_text(), "s")["id"] == "n"
    mode = stat.S_IMODE(folder.stat().st_mode)
    assert mode & 0o500 == 0o500


def test_starter_where_it_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is not a folder"):
        init.run(tmp_path / "file")
    with pytest.raises(InputError, match="cannot be written"):
        init.run(tmp_path / "file" / "below")


def test_starter_leaves_nothing_when_one_file_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = type(tmp_path).replace

    def failing(self: Path, target: Path) -> Path:
        if self.name == "design.yaml":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(type(tmp_path), "replace", failing)
    with pytest.raises(InputError, match="No space left"):
        init.run(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_starter_in_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="cannot be written"):
        init.run(tmp_path / "x")


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("grid.yaml", "x: 1", "grid"),
        ("GRID.yml", "x: 1", "grid"),
        ("north.yaml", "voltage: 345 kV\nstages: []", "grid"),
        ("north.yaml", "latitude: 5\nid: x", "site"),
        ("north.yaml", "cooling: {}", "design"),
        ("north.yaml", "jobs: []", "workload"),
        ("north.yaml", "accelerator: x\nid: y", "rack"),
        ("my-rack.yaml", "idd: y", "rack"),
        ("grid-north.yaml", "", "grid"),
    ],
)
def test_kind_is_told_from_name_or_keys(tmp_path: Path, name: str, text: str, kind: str) -> None:
    assert validate.kind_of(tmp_path / name, parse_yaml(text, name)) == kind


def test_kind_unknown(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("a: 1\n")
    code, told = validate.run([str(tmp_path / "x.yaml")])
    assert code == 2
    assert "cannot tell which kind of file" in told


def test_a_folder_of_sites(tmp_path: Path) -> None:
    for name in ("a", "b"):
        init.run(tmp_path / name)
    (tmp_path / "other").mkdir()
    code, told = validate.run([str(tmp_path)])
    assert code == 0
    assert len(told.splitlines()) == 2
    (tmp_path / "b" / "grid.yaml").write_text("voltage: 5\n")
    code, told = validate.run([str(tmp_path), str(tmp_path / "b" / "grid.yaml")])
    assert code == 2
    # the same problems of the same file are told once
    assert told.count("grid.voltage") == 1


def schema_for(kind: str) -> Json:
    text = schema.run(kind)
    assert text.endswith("}\n")
    loaded: Json = json.loads(text)
    return loaded


def test_unknown_schema() -> None:
    with pytest.raises(InputError, match='did you mean "site"'):
        schema.run("sites")
    with pytest.raises(InputError, match="one of site, grid, design, workload, rack"):
        schema.run("qqqq")


def nodes(node: Any) -> list[Json]:
    if isinstance(node, list):
        return [found for item in node for found in nodes(item)]
    if not isinstance(node, dict):
        return []
    return [node, *(found for item in node.values() for found in nodes(item))]


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_closed_and_described(kind: str) -> None:
    whole = schema_for(kind)
    assert whole["$schema"].endswith("2020-12/schema")
    groups = [node for node in nodes(whole) if node.get("type") == "object"]
    assert groups
    assert all(group["additionalProperties"] is False for group in groups)
    for group in groups:
        if "value" in group.get("required", []):
            continue
        for key, field in group["properties"].items():
            if kind == "design" and "properties" in field:
                continue  # a group of the table has no text of its own
            assert field["description"], key
    for node in nodes(whole):
        if "$ref" in node:
            assert node["$ref"].removeprefix("#/$defs/") in whole["$defs"]
        if isinstance(node.get("pattern"), str):
            re.compile(node["pattern"])


def test_schema_patterns_take_what_the_program_takes() -> None:
    patterns = {
        node["examples"][0]: re.compile(node["pattern"])
        for kind in KINDS
        for node in nodes(schema_for(kind))
        if "pattern" in node and "examples" in node
    }
    seen = 0
    for entry in DIMENSIONS.values():
        pattern = patterns.get(entry.example)
        if pattern is None:
            continue
        seen += 1
        for spelling in entry.spellings:
            for text in (f"5 {spelling}", f"-1.5e3{spelling}", f".5  {spelling}"):
                assert pattern.search(text), (entry.name, text)
        for text in ("5", f"{entry.unit}", f"5 {entry.unit}x", f"x5 {entry.unit}", "five"):
            assert not pattern.search(text), (entry.name, text)
    assert seen > 25


def test_required_keys_are_those_of_the_models() -> None:
    assert schema_for("site")["required"] == ["id", "name", "country", "latitude", "longitude"]
    assert schema_for("grid")["required"] == ["voltage"]
    assert schema_for("workload")["required"] == ["jobs"]
    assert "required" not in schema_for("design")
    for kind in ("site", "grid", "rack", "workload"):
        keys = {
            field.alias or name: field.is_required()
            for name, field in model_of(kind).model_fields.items()
        }
        whole = schema_for(kind)
        assert list(whole["properties"]) == list(keys)
        assert whole["required"] == [key for key, required in keys.items() if required]


def test_design_schema_has_every_choice() -> None:
    whole = schema_for("design")
    for path, spec in catalog.design_fields().items():
        node = whole
        for part in path.split("."):
            node = node["properties"][part]
        assert spec.text in node["description"]


def test_starter_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from clusterplan.cli.main import main

    init.run(tmp_path / "x")
    with pytest.raises(SystemExit) as done:
        main(["size", str(tmp_path / "x"), "--format", "json"])
    assert done.value.code == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["limited_by"] == "grid"
    assert summary["facility_power_mw"] <= 150.0
