"""`clusterplan fabric-check`: what it tells of two small files, in every format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from clusterplan.cli.exit_codes import run_app
from clusterplan.cli.fabric_check import run
from clusterplan.cli.main import app
from clusterplan.core.errors import InputError
from clusterplan.core.results.wiring_check import WiringCheckSection

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "fabric,tier,plane,a_device,a_port,z_device,z_port,speed_gbps,stage\n"
NODES, RAILS, SPINES = 3, 2, 2


def plan_rows() -> list[list[str]]:
    """Three nodes on two rails, two spines; node 3 comes with stage 2."""
    rows = [
        ["compute", "endpoint", "1", f"node{n}", f"mlx5_{r - 1}", f"leaf-r{r}", f"P{n}", "400"]
        + ["two" if n == NODES else "one"]
        for n in range(1, NODES + 1)
        for r in range(1, RAILS + 1)
    ]
    rows += [
        ["compute", "leaf-spine", "1", f"leaf-r{r}", f"P{62 + s}", f"spine-{s}", f"P{r}", "400"]
        + ["one"]
        for r in range(1, RAILS + 1)
        for s in range(1, SPINES + 1)
    ]
    return rows


def written(path: Path, rows: list[list[str]]) -> str:
    path.write_text(HEADER + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def swapped(rows: list[list[str]], i: int, j: int) -> list[list[str]]:
    """The Z-ends of two rows exchanged."""
    rows = [list(row) for row in rows]
    rows[i][5:7], rows[j][5:7] = rows[j][5:7], rows[i][5:7]
    return rows


def check(tmp_path: Path, rows: list[list[str]], **options: object) -> WiringCheckSection:
    plan = written(tmp_path / "plan.csv", plan_rows())
    found = written(tmp_path / "found.csv", rows)
    section = run(plan, found, **options).parts["wiring"]  # type: ignore[arg-type]
    assert isinstance(section, WiringCheckSection)
    return section


def call(*arguments: str) -> int:
    return run_app(app, list(arguments))


@pytest.mark.parametrize(
    ("rows", "kind", "finding"),
    [
        (
            swapped(plan_rows(), 0, 1),  # node1: each rail on port P1 of the other's leaf
            "swapped-rails",
            "node1 mlx5_0, mlx5_1 exchanged: planned leaf-r1 P1, leaf-r2 P1",
        ),
        (
            swapped(plan_rows(), 0, 2),
            "swapped-nodes",
            "leaf-r1 P1, P2 exchanged: planned node1 mlx5_0, node2 mlx5_0",
        ),
        (
            swapped(plan_rows(), 6, 7),
            "swapped-uplinks",
            "leaf-r1 P63, P64 exchanged: planned spine-1 P1, spine-2 P1",
        ),
        (
            swapped(plan_rows(), 0, 3),
            "swapped-cables",
            "node1 mlx5_0 - leaf-r1 P1; node2 mlx5_1 - leaf-r2 P2: "
            "found node1 mlx5_0 - leaf-r2 P2; node2 mlx5_1 - leaf-r1 P1",
        ),
        (plan_rows()[1:], "missing", "node1 mlx5_0 - leaf-r1 P1"),
        (plan_rows()[2:], "absent-device", "node1: none of its 2 links is there"),
        (
            [*plan_rows(), ["compute", "endpoint", "1", "x", "mlx5_0", "leaf-r1", "P9", "400", ""]],
            "extra",
            "x mlx5_0 - leaf-r1 P9",
        ),
        (
            [[*plan_rows()[0][:6], "P9", "400", ""], *plan_rows()[1:]],
            "wrong-peer",
            "node1 mlx5_0 - leaf-r1 P1: found node1 mlx5_0 - leaf-r1 P9",
        ),
        (
            [[*plan_rows()[0][:7], "100", ""], *plan_rows()[1:]],
            "wrong-speed",
            "node1 mlx5_0 - leaf-r1 P1: 100 Gb/s, planned 400",
        ),
        (
            [[w.replace("leaf-r2", "sw7") for w in row] for row in plan_rows()],
            "misnamed-device",
            "leaf-r2: found under the name sw7; 5 links then agree",
        ),
    ],
)
def test_one_mistake_is_one_finding(
    tmp_path: Path, rows: list[list[str]], kind: str, finding: str
) -> None:
    section = check(tmp_path, rows)
    assert [(row.kind, row.finding) for row in section.findings] == [(kind, finding)]
    assert not section.agrees


def test_two_switches_exchanged_are_one_finding(tmp_path: Path) -> None:
    names = {"leaf-r1": "leaf-r2", "leaf-r2": "leaf-r1"}
    section = check(tmp_path, [[names.get(w, w) for w in row] for row in plan_rows()])
    assert [row.kind for row in section.findings] == ["exchanged-devices"]
    assert section.findings[0].links == 10
    assert "leaf-r1 and leaf-r2: exchanged, or named wrongly" in section.findings[0].finding


def test_three_rails_in_a_ring_are_one_finding(tmp_path: Path) -> None:
    header = "a_device,a_port,z_device,z_port\n"
    plan, found = tmp_path / "plan.csv", tmp_path / "found.csv"
    plan.write_text(header + "".join(f"n1,mlx5_{r},leaf-{r},P1\n" for r in range(3)))
    found.write_text(header + "".join(f"n1,mlx5_{r},leaf-{(r + 1) % 3},P1\n" for r in range(3)))
    section = run(str(plan), str(found)).parts["wiring"]
    assert [row.kind for row in section.findings] == ["swapped-rails"]
    assert section.findings[0].finding.endswith("found leaf-1 P1, leaf-2 P1, leaf-0 P1")


def test_switches_are_not_exchanged_where_their_ports_differ(tmp_path: Path) -> None:
    header = "a_device,a_port,z_device,z_port\n"
    plan, found = tmp_path / "plan.csv", tmp_path / "found.csv"
    places = [(node, rail) for node in range(3) for rail in range(2)]
    plan.write_text(header + "".join(f"n{n},mlx5_{rail},leaf-{rail},P{n}\n" for n, rail in places))
    found.write_text(
        header + "".join(f"n{n},mlx5_{rail},leaf-{1 - rail},P{(n + 1) % 3}\n" for n, rail in places)
    )
    section = run(str(plan), str(found)).parts["wiring"]
    assert [(row.kind, row.findings) for row in section.kinds] == [("wrong-peer", 6)]


def test_a_stage_is_compared_with_what_stands_then(tmp_path: Path) -> None:
    first = [row for row in plan_rows() if row[8] == "one"]
    assert check(tmp_path, first, stage="one").agrees
    assert not check(tmp_path, first, stage="two").agrees
    early = check(tmp_path, plan_rows(), stage="one")
    assert {row.finding for row in early.findings} == {
        "node3 mlx5_0 - leaf-r1 P3: planned for stage two",
        "node3 mlx5_1 - leaf-r2 P3: planned for stage two",
    }


def test_other_planes_and_fabrics_are_left_out(tmp_path: Path) -> None:
    second = [
        [w.replace("leaf", "p2-leaf").replace("spine", "p2-spine") for w in row]
        for row in plan_rows()
    ]
    for row in second:
        row[2] = "2"
        if row[1] == "endpoint":
            row[4] = row[4].replace("mlx5_", "mlx5_1")
    third = [["storage", "endpoint", "1", "node1", "mlx5_0", "storage-leaf", "P1", "400", "one"]]
    plan = written(tmp_path / "plan.csv", plan_rows() + second + third)
    found = written(tmp_path / "found.csv", plan_rows())
    section = run(plan, found).parts["wiring"]
    assert section.agrees
    assert section.planned_links == 10
    assert section.not_covered == (
        "compute plane 2: none of its 4 switches was found; 10 links not compared",
        "storage plane 1: none of its 1 switches was found; 1 links not compared",
    )
    both = written(tmp_path / "both.csv", plan_rows() + second[1:] + third)
    section = run(plan, both, plane="1", fabric="compute").parts["wiring"]
    assert section.agrees
    assert section.outside_links == 10
    section = run(plan, both, plane="2").parts["wiring"]
    assert [row.finding for row in section.findings] == ["node1 mlx5_10 - p2-leaf-r1 P1"]


@pytest.mark.parametrize(
    ("found", "agrees"),
    [
        ("node{n}.cluster.local mlx5_{h}", True),
        ("NODE{n} mlx5_{h}", True),
        ("node{n} HCA-{h1}", True),
        ("node{n} mlx5_{far}", True),  # numbered with gaps: matched in order
        ("node{n} mlx5_{turned}", False),
    ],
)
def test_hosts_and_adapters_by_other_names(tmp_path: Path, found: str, agrees: bool) -> None:
    section = check_dump(tmp_path, found)
    assert section.agrees == agrees
    if not agrees:
        assert {row.kind for row in section.findings} == {"swapped-rails"}
    assert section.discovered_format == "ibnetdiscover"


def check_dump(tmp_path: Path, host: str, **options: object) -> WiringCheckSection:
    """The planned fabric as a dump; `host` is the description of an adapter."""
    links = [(row[3], row[4], row[5], int(row[6][1:])) for row in plan_rows()]
    records: dict[str, tuple[str, list[str]]] = {}
    for a, a_port, z, z_port in links:
        up = f'"S-{z}"[{z_port}] # "MF0;{z}:x/U1" lid 1 4xNDR'
        if a.startswith("leaf"):
            lower, port, name = f"S-{a}", int(a_port[1:]), f"MF0;{a}:x/U1"
        else:
            h = int(a_port[-1])
            words = {"n": a[-1], "h": h, "h1": h + 1, "far": 5 * h + 3, "turned": 1 - h}
            lower, port, name = f"H-{a}{a_port}", 1, host.format(**words)
        kind = "Switch 64" if lower[0] == "S" else "Ca 1"
        records.setdefault(lower, (f'{kind} "{lower}" # "{name}"', []))[1].append(f"[{port}] {up}")
        upper = records.setdefault(f"S-{z}", (f'Switch 64 "S-{z}" # "MF0;{z}:x/U1"', []))
        upper[1].append(f'[{z_port}] "{lower}"[{port}] # "{name}" lid 1 4xNDR')
    text = "\n\n".join("\n".join([head, *lines]) for head, lines in records.values()) + "\n"
    (tmp_path / "found.txt").write_text(text)
    plan = written(tmp_path / "plan.csv", plan_rows())
    section = run(plan, str(tmp_path / "found.txt"), **options).parts["wiring"]  # type: ignore[arg-type]
    assert isinstance(section, WiringCheckSection)
    return section


def test_two_hosts_that_fit_one_name_are_not_guessed(tmp_path: Path) -> None:
    rows = plan_rows()
    more = [[*rows[0][:3], "node1.b", "mlx5_0", "leaf-r1", "P9", "400", ""]]
    rows = [[w.replace("node1", "node1.a") for w in row] for row in rows] + more
    section = check(tmp_path, rows)
    assert not section.agrees
    assert {row.finding for row in section.findings} == {
        "node1: found under the name node1.a; 2 links then agree",
        "node1.b mlx5_0 - leaf-r1 P9",
    }


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        (("sw1p1", "sw2p2"), ("1", "4")),
        (("sw1p1s0", "sw2p2s1"), ("1", "8")),
        (("P1/1", "P2/2"), ("1", "4")),
        (("P2/2", "P3"), ("4", "5")),  # split below port 3
        (("P2", "P3/2"), ("2", "4")),  # split from port 3 on
        (("P7", "8"), ("7", "8")),
        (("sw7", "Sw8"), ("7", "8")),
    ],
)
def test_labels_are_port_numbers_of_a_dump(
    tmp_path: Path, labels: tuple[str, str], number: tuple[str, str]
) -> None:
    plan, found = tmp_path / "plan.csv", tmp_path / "found.txt"
    rows = "".join(f"n{n},mlx5_0,leaf-1,{label}\n" for n, label in enumerate(labels))
    plan.write_text("a_device,a_port,z_device,z_port\n" + rows)
    ports = [f'[{port}] "H-{n}"[1] # "n{n} mlx5_0" lid 1' for n, port in enumerate(number)]
    hosts = [
        f'Ca 1 "H-{n}" # "n{n} mlx5_0"\n[1] "S-1"[{port}] # lid 1\n'
        for n, port in enumerate(number)
    ]
    head = 'Switch 8 "S-1" # "MF0;leaf-1:x/U1"'
    found.write_text("\n".join([head, *ports, "", *hosts]))
    section = run(str(plan), str(found)).parts["wiring"]
    assert section.agrees
    assert section.links_with_speed == 0


def test_a_label_without_a_number_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "plan.csv", plan_rows())
    check_dump(tmp_path, "node{n} mlx5_{h}")
    plan = written(
        tmp_path / "plan.csv", [[w.replace("P1", "left") for w in r] for r in plan_rows()]
    )
    with pytest.raises(InputError, match='label "left" of a port of leaf-r1 stands for no port'):
        run(plan, str(tmp_path / "found.txt"))


def test_stages_named_by_numbers_are_in_their_order(tmp_path: Path) -> None:
    stages = {"one": "2", "two": "10"}
    rows = [[stages.get(word, word) for word in row] for row in plan_rows()]
    plan = written(tmp_path / "plan.csv", sorted(rows, key=lambda row: row[8]))
    first = written(tmp_path / "first.csv", [row for row in rows if row[8] == "2"])
    assert run(plan, first, stage="2").parts["wiring"].agrees
    assert not run(plan, first, stage="10").parts["wiring"].agrees


def test_a_found_link_belongs_to_the_fabric_of_its_switch(tmp_path: Path) -> None:
    other = ["storage", "endpoint", "1", "node1", "mlx5_0", "storage-leaf", "P1", "400", "one"]
    rows = [other, *plan_rows()]
    plan = written(tmp_path / "plan.csv", rows)
    assert run(plan, plan).parts["wiring"].agrees
    found = tmp_path / "found.csv"
    lines = [",".join(row[3:7]) for row in rows if row[3:5] != ["node1", "mlx5_0"] or row == other]
    found.write_text("a_device,a_port,z_device,z_port\n" + "\n".join(lines) + "\n")
    section = run(plan, str(found)).parts["wiring"]
    assert [row.finding for row in section.findings] == ["node1 mlx5_0 - leaf-r1 P1"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"plane": "3"}, "--plane: the plan has no plane '3'; one of 1"),
        (
            {"fabric": "compuet"},
            "--fabric: the plan has no fabric 'compuet'; did you mean \"compute\"?",
        ),
        ({"stage": "three"}, "--stage: the plan has no stage 'three'"),
    ],
)
def test_a_selection_that_the_plan_has_not(
    tmp_path: Path, options: dict[str, str], told: str
) -> None:
    with pytest.raises(InputError) as caught:
        check(tmp_path, plan_rows(), **options)
    assert told in str(caught.value)


def test_a_plan_without_the_column_and_files_of_two_fabrics(tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("a_device,a_port,z_device,z_port\nn1,mlx5_0,leaf-9,P1\n")
    with pytest.raises(InputError, match="has no column plane"):
        run(str(bare), str(bare), plane="1")
    plan = written(tmp_path / "plan.csv", plan_rows())
    strange = tmp_path / "strange.csv"
    strange.write_text("a_device,a_port,z_device,z_port\nnode1,mlx5_7,leaf-9,P5\n")
    with pytest.raises(InputError, match=r"no switch of .*plan.csv is in it"):
        run(plan, str(strange))
    with pytest.raises(
        InputError, match=r"no switch of .*plan.csv is in it; .*this file has leaf-9"
    ):
        run(plan, str(bare))


def test_exit_codes_and_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = written(tmp_path / "plan.csv", plan_rows())
    found = written(tmp_path / "found.csv", swapped(plan_rows(), 0, 1))
    assert call("fabric-check", plan, plan) == 0
    text, told = capsys.readouterr()
    assert "as planned" in text
    assert told == ""
    assert call("fabric-check", plan, found) == 3
    text, told = capsys.readouterr()
    assert "node1 mlx5_0, mlx5_1 exchanged" in " ".join(text.split())
    assert told == "not as planned: 1 finding (1 swapped-rails)\n"
    for name in ("json", "csv", "markdown", "html"):
        assert call("fabric-check", plan, found, "--format", name) == 3
        assert "node1 mlx5_0 - leaf-r1 P1; node1 mlx5_1 - leaf-r2 P1" in capsys.readouterr().out
    for suffix in ("txt", "json", "csv", "md", "html", "xlsx"):
        target = tmp_path / f"out.{suffix}"
        assert call("fabric-check", plan, found, "-o", str(target)) == 3
        assert target.stat().st_size > 100
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["schema"] == "clusterplan/fabric-check/1"
    assert document["wiring"]["agrees"] is False
    assert document["wiring"]["matched_links"] == 8
    capsys.readouterr()
    assert call("fabric-check", plan, str(tmp_path / "none.csv")) == 2
    assert capsys.readouterr().err == f"error: {tmp_path}/none.csv: no such file\n"


def test_a_terminal_shows_the_first_of_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    header = "a_device,a_port,z_device,z_port,speed_gbps\n"
    rows = [f"n{n},mlx5_0,leaf-1,P{n}," for n in range(1, 134)]
    plan, found = tmp_path / "plan.csv", tmp_path / "found.csv"
    plan.write_text(header + "".join(f"{row}400\n" for row in rows))
    found.write_text(header + "".join(f"{row}200\n" for row in rows))
    assert call("fabric-check", str(plan), str(found)) == 3
    text = capsys.readouterr().out
    assert "wrong-speed: 123 more; -o FILE lists all" in text
    assert text.count("planned 400") == 10
    assert max(map(len, text.splitlines())) <= 80
    assert call("fabric-check", str(plan), str(found), "--format", "json") == 3
    assert len(json.loads(capsys.readouterr().out)["wiring"]["findings"]) == 133
    assert call("fabric-check", str(plan), str(found), "--ignore-speed") == 0


@pytest.mark.parametrize(
    "options",
    [
        ["--nodes", "20", "--rails", "4", "--nic", "400 Gb/s", "--switch", "qm9700"],
        [
            "--nodes",
            "70",
            "--rails",
            "2",
            "--nic",
            "400 Gb/s",
            "--switch",
            "qm9700",
            "--planes",
            "2",
        ],
        ["--nodes", "40", "--rails", "4", "--nic", "800 Gb/s", "--switch", "q3400-ra"],
        ["--nodes", "40", "--rails", "4", "--nic", "800 Gb/s", "--switch", "q3450-ld"],
    ],
)
def test_the_exports_of_one_plan_agree(
    tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    plan, dump = str(tmp_path / "plan.csv"), str(tmp_path / "found.txt")
    assert call("fabric", *options, "--export", "cables", "-o", plan) == 0
    plane = ["--plane", "2"] if "--planes" in options else []
    assert call("fabric", *options, "--export", "ibnetdiscover", *plane, "-o", dump) == 0
    capsys.readouterr()
    for pair in ((plan, dump), (dump, plan)) if not plane else ((plan, dump),):
        assert call("fabric-check", *pair, "--format", "json") == 0
        section = json.loads(capsys.readouterr().out)["wiring"]
        assert section["matched_links"] == section["links_with_speed"] == section["found_links"] > 0
        assert len(section["not_covered"]) == len(plane) // 2
