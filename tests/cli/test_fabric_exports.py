"""`clusterplan fabric --export`, `--cabling`, `--optimise`, `--torus` and `--site`, as typed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from clusterplan.cli.export_formats import EXPORTS
from clusterplan.cli.main import main

ROOT = Path(__file__).parents[2]
SITE = str(ROOT / "sample_sites" / "university-room")
H100 = ("--rack", "dgx-h100-x4", "--accelerators", "248")
ETHERNET = ("--rack", "gb300-nvl72", "--accelerators", "288", "--switch", "sn5610", "--planes", "2")


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["fabric", *arguments])
    return int(caught.value.code or 0)


@pytest.mark.parametrize("kind", sorted(EXPORTS))
def test_every_format_is_written_to_a_file_and_to_stdout(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ETHERNET if kind == "cvt-dot" else H100
    path = tmp_path / "out.file"
    assert run(*options, "--export", kind, "-o", str(path)) == 0
    assert capsys.readouterr().out == ""
    assert run(*options, "--export", kind) == 0
    printed = capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == printed
    assert len(printed) > 100
    beside = {one.name for one in tmp_path.iterdir()} - {"out.file"}
    assert bool(beside) == (kind == "ibdm")


def test_list_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--export", "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(EXPORTS)


def test_the_schedule_has_a_row_a_link(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*H100, "--export", "cables") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 248 + 256  # published table of the DGX SuperPOD, less its manager cables
    assert {row["tier"] for row in rows} == {"endpoint", "leaf-spine"}
    assert rows[0]["label"] == "node01:mlx5_0/leaf-s1-r1:P1"


def test_one_plane_of_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*ETHERNET, "--export", "cables", "--plane", "2") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["plane"] for row in rows} == {"2"}
    assert len(rows) == 288 + 512


def test_all_fabrics_and_one_beside(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*H100, "--export", "cables", "--fabric", "all") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["fabric"] for row in rows} == {"compute", "storage", "in-band", "out-of-band"}
    assert run(*H100, "--export", "cables", "--fabric", "out-of-band") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["fabric"] for row in rows} == {"out-of-band"}


@pytest.mark.parametrize("kind", ["cables", "bom"])
def test_a_fabric_alone_has_the_cables_that_it_has_among_all(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # 32 storage ports more a unit make its row longer: the same devices, farther apart
    def lines(*options: str) -> list[dict[str, str]]:
        assert run("--rack", "dgx-h100-x4", "--nodes", "127", "--export", kind, *options) == 0
        return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    together = lines("--fabric", "all")
    for name in ("compute", "storage", "in-band", "out-of-band"):
        assert lines("--fabric", name) == [row for row in together if row["fabric"] == name]
    assert lines() == lines("--fabric", "compute")


def test_a_split_nic_port_takes_no_straight_fibre(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*ETHERNET, "--export", "bom") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    fibres = {row["part"] for row in rows if row["item"] == "fibre"}
    assert fibres == {"MPO-12 single mode shuffle to 2 planes"}
    # each port of VR NVL72 is a plane of its own, and goes whole to one switch
    own = ("--rack", "vr-nvl72", "--accelerators", "576", "--ports-as", "planes")
    assert run(*own, "--export", "bom") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["part"] for row in rows if row["item"] == "fibre"} == {"MPO-12 single mode"}


def test_racks_of_a_fabric_are_those_of_its_devices(capsys: pytest.CaptureFixture[str]) -> None:
    def racks(*options: str) -> dict[str, str]:
        assert run(*H100, "--export", "racks", *options) == 0
        rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
        return {row["device"]: f"{row['rack']} {row['unit']}" for row in rows}

    together, compute, storage = racks("--fabric", "all"), racks(), racks("--fabric", "storage")
    assert compute.items() | storage.items() < together.items()
    assert "leaf-s1-r1" in compute
    assert not any("storage" in name for name in compute)
    assert run(*H100, "--cabling", "--format", "json") == 0
    cabling = json.loads(capsys.readouterr().out)["cabling"]
    # 31 servers, 4 a rack; 8 leaves and 4 spines, each in a rack
    assert (cabling["compute_racks"], cabling["network_racks"]) == (8, 2)


def test_optics_by_rack_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*H100, "--export", "racks") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len({row["device"] for row in rows}) == len(rows) == 31 + 8 + 4
    by_rack = {row["rack"]: float(row["rack_optics_w"]) for row in rows}
    assert run(*H100, "--cabling", "--format", "json") == 0
    cabling = json.loads(capsys.readouterr().out)["cabling"]
    assert sum(by_rack.values()) / 1000 == pytest.approx(cabling["optics_power_kw"])
    assert max(by_rack.values()) / 1000 == pytest.approx(cabling["rack_optics_max_kw"])


def test_netbox_has_the_names_of_its_device_type(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*H100, "--export", "netbox") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows[0]["side_b_name"] == "P0.0"  # P1 of the maker
    assert rows[-1]["side_b_name"].startswith("P31.")


def test_a_torus(capsys: pytest.CaptureFixture[str]) -> None:
    # Google Cloud: TPU v5p pod of 16 x 20 x 28 = 8,960; fact file: 2 x nodes / longest side
    assert run("--rack", "tpu-v5p-cube", "--torus", "16x20x28", "--format", "json") == 0
    section = json.loads(capsys.readouterr().out)["fabric"]
    assert (section["accelerators"], section["racks"], section["links"]) == (8960, 140, 26880)
    assert section["link_gbps"] == 800.0
    assert section["bisection_tb_per_s"] == pytest.approx(2 * 8960 / 28 * 0.8)
    assert section["worst_link_hops"] == 8 + 10 + 14
    assert run("--rack", "tpu-v5p-cube", "--torus", "4x4x4", "--export", "slurm-yaml") == 0
    assert 'nodes: "chip[01-64]"' in capsys.readouterr().out


@pytest.mark.parametrize("by", ["switches", "optics", "power", "cost"])
def test_optimise_plans_the_best_and_shows_the_others(
    by: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--rack", "vr-nvl72", "--nodes", "864", "--optimise", by, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    rows = found["options"]["rows"]
    key = {"switches": "switches", "optics": "modules", "power": "power_kw", "cost": "cost_musd"}
    figures = [row[key[by]] for row in rows]
    assert figures == sorted(figures)
    best, section = rows[0], found["fabric"]
    assert best["switch"] == section["switch"]
    assert best["switches"] == section["switches"]
    assert best["tiers"] == section["tiers"]
    power = section["switch_power_kw"] + section["optics_power_kw"]
    assert best["power_kw"] == pytest.approx(power)
    assert found["options"]["tried"] >= found["options"]["held"] >= len(rows)


def test_optimise_keeps_what_is_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--optimise", "power", "--switch", "qm9700", "--format", "json")
    assert run("--rack", "dgx-h100-x4", "--nodes", "512", *options) == 0
    rows = json.loads(capsys.readouterr().out)["options"]["rows"]
    assert {row["switch"] for row in rows} == {"qm9700"}


def test_the_fabric_of_a_site(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--site", SITE, "--format", "json") == 0
    fabric = json.loads(capsys.readouterr().out)["fabric"]
    with pytest.raises(SystemExit):
        main(["size", SITE, "--format", "json"])
    sized = json.loads(capsys.readouterr().out)["fabric"]
    for name in ("accelerators", "leaf_switches", "endpoint_links", "switch_power_kw"):
        assert fabric[name] == sized[name]
    assert run("--site", SITE, "--export", "cables") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    links = ("endpoint_links", "leaf_spine_links", "spine_core_links")
    assert len(rows) == sum(sized[name] for name in links)


def test_stages_of_a_site_name_the_cables(capsys: pytest.CaptureFixture[str]) -> None:
    site = str(ROOT / "sample_sites" / "lulea")
    assert run("--site", site, "--cabling", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)["cabling"]
    assert sum(row["links_added"] for row in found["stages"]) in (0, found["links"])


@pytest.mark.parametrize("width", ["80", "120"])
def test_the_table_fits_and_shows_the_diagram(
    width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    for options in (
        H100,
        ETHERNET,
        ("--rack", "dgx-h100-x4", "--nodes", "2048"),
        ("--rack", "dgx-h100-x4", "--nodes", "2048", "--topology", "dragonfly-plus"),
        ("--rack", "dgx-h100-x4", "--nodes", "64", "--topology", "rail-only"),
        ("--rack", "tpu-v5p-cube", "--torus", "8x8"),
        ("--nodes", "8", "--rails", "8", "--nic", "400 Gb/s"),
    ):
        assert run(*options) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= int(width)
        assert any("□" in line for line in lines)


BAD = [
    (("--export", "cable"), "--export", "cables"),
    (("--export", "cables", "--plane", "3"), "--plane", "1 to 1"),
    (("--export", "graphml", "--fabric", "all"), "--export", "--fabric"),
    (("--export", "cables", "--fabric", "stor"), "--fabric", "storage"),
    (("--fabric", "all"), "--fabric", "--cabling"),
    (("--export", "containerlab", "--unit", "9"), "unit", "1"),
    (("--export", "cvt-dot"), "fabric", "infiniband"),
    (("--stages", "8,4"), "--stages", "ascending"),
    (("--stages", "800"), "--stages", "ascending"),
    (("--spares", "lots"), "--spares", "5 %"),
    (("--spares", "150 %"), "--spares", "100"),
    (("--topology", "mesh"), "--topology", "rail-only"),
    (("--medium", "air"), "--medium", "by-length"),
    (("--optimise", "beauty"), "--optimise", "power"),
    (("--optimise", "power", "--planes", "3"), "--planes", "offers"),
    (("--torus", "4x4"), "--accelerators", "--torus"),
    (("--topology", "dragonfly-plus", "--leaf-mode", "rail"), "--leaf-mode", "packed"),
    (("--site", SITE), "--rack", "site"),
]


@pytest.mark.parametrize(("options", "where", "hint"), BAD)
def test_bad_options_are_refused_and_nothing_is_written(
    options: tuple[str, ...],
    where: str,
    hint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "out.csv"
    assert run(*H100, *options, "-o", str(path)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert where in told.err
    assert hint in told.err
    assert "Traceback" not in told.err
    assert not list(tmp_path.iterdir())


def test_a_flat_torus_uses_some_of_the_chips_links(capsys: pytest.CaptureFixture[str]) -> None:
    # a TPU v5p chip has links along three dimensions: 1,200 GB/s both ways / 2 / 6 = 800 Gb/s
    assert run("--rack", "tpu-v5p-cube", "--torus", "16x16", "--format", "json") == 0
    section = json.loads(capsys.readouterr().out)["fabric"]
    assert section["link_gbps"] == 800.0
    assert section["bisection_tb_per_s"] == pytest.approx(32 * 0.8)


def test_modules_whose_lanes_differ_are_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    # 200G lanes of an XDR cage against the 100G lanes of a 400G NIC module
    options = ("--rack", "dgx-h100-x4", "--nodes", "64", "--switch", "q3400-ra", "--format", "json")
    assert run(*options) == 0
    found = json.loads(capsys.readouterr().out)["warnings"]
    assert "lanes_differ" in {one["code"] for one in found}
    # an 800G NIC port on two 400G planes takes a module with the lanes of the switch
    assert run(*ETHERNET, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert "lanes_differ" not in {one["code"] for one in found["warnings"]}
    modules = {row["place"]: row["id"] for row in found["fabric"]["optics"]}
    assert modules["node"] == modules["leaf"] == "2xdr4-800-500m"


def test_nothing_splits_the_port_of_an_active_optical_cable(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ("--rack", "dgx-a100-x4", "--nodes", "32", "--planes", "2", "--cabling")
    assert run(*options, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)["warnings"]
    assert any("nothing in the catalogue" in one["message"] for one in found)


def test_an_export_says_what_its_file_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--rack", "dgx-a100-x4", "--nodes", "32", "--planes", "2", "--export", "cables")
    assert run(*options) == 0
    told = capsys.readouterr()
    assert "no medium of the catalogue makes some endpoint cables" in told.err
    rows = list(csv.DictReader(io.StringIO(told.out)))
    empty = [row for row in rows if not row["medium"]]
    assert {row["tier"] for row in empty} == {"endpoint"}
    options = ("--rack", "dgx-h100-x4", "--nodes", "64", "--switch", "q3400-ra")
    assert run(*options, "--export", "bom") == 0
    assert "[lanes_differ]" in capsys.readouterr().err


def test_a_switched_domain_is_no_torus(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--rack", "gb300-nvl72", "--torus", "4x4") == 2
    assert "nvlink5" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["4x", "0x4", "4x4x4x4", "4,4", "9999x2", "x"])
def test_bad_torus(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--rack", "tpu-v5p-cube", "--torus", text) == 2
    assert "--torus" in capsys.readouterr().err


def test_infeasible_exports_write_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cables.csv"
    options = ("--rack", "dgx-h100-x4", "--nodes", "9000", "--export", "cables", "-o", str(path))
    assert run(*options) == 3
    told = capsys.readouterr()
    assert "not feasible" in told.err
    assert not path.exists()


def test_ibnetdiscover_of_ethernet_names_what_fits(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*ETHERNET, "--export", "ibnetdiscover") == 2
    assert "cable schedule" in capsys.readouterr().err
