"""Reading what was found: the forms that real dumps and schedules have, and what is refused.

Line forms of the dump are those of ibnetdiscover(8) of infiniband-diags and of published dumps of
Quantum switches, which list an aggregation node on one port more than their front has.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.cabling import Cable, Cabling
from clusterplan.core.errors import InputError
from clusterplan.interop.discovered import read_cabling
from clusterplan.planning.wiring_check import check_wiring
from clusterplan.sizing.wiring_scope import Selection

AGGREGATION = "Mellanox Technologies Aggregation Node"

DUMP = """\
#
# Topology file: generated on Mon Jan  5 10:00:00 2026
#
# Initiated from node 946dae0300000001 port 946dae0300000001

vendid=0x2c9
devid=0xd2f2
sysimgguid=0xfc6a1c0300000100
switchguid=0xfc6a1c0300000100(fc6a1c0300000100)
Switch\t65 "S-fc6a1c0300000100"\t\t# "MF0;leaf-1:MQM9700/U1" enhanced port 0 lid 1 lmc 0
[1]\t"H-946dae0300000001"[1](946dae0300000001) \t\t# "Node01.cluster.local mlx5_0" lid 5 4xNDR
[2]\t"H-946dae0300000003"[1](946dae0300000003) \t\t# "node02 mlx5_0" lid 6 2xNDR
[33]\t"S-fc6a1c0300000200"[1]\t\t# "MF0;spine-1:MQM9700/U1" lid 2 4xNDR
[65]\t"H-fc6a1c0300000108"[1](fc6a1c0300000108) \t\t# "{AN}" lid 9 4xNDR

vendid=0x2c9
devid=0xd2f2
sysimgguid=0xfc6a1c0300000200
switchguid=0xfc6a1c0300000200(fc6a1c0300000200)
Switch\t65 "S-fc6a1c0300000200"\t\t# "MF0;spine-1:MQM9700/U1" enhanced port 0 lid 2 lmc 0
[1]\t"S-fc6a1c0300000100"[33]\t\t# "MF0;leaf-1:MQM9700/U1" lid 1 4xNDR

vendid=0x2c9
devid=0xcf09
sysimgguid=0xfc6a1c0300000100
caguid=0xfc6a1c0300000108
Ca\t1 "H-fc6a1c0300000108"\t\t# "{AN}"
[1](fc6a1c0300000108)\t"S-fc6a1c0300000100"[65]\t\t# lid 9 lmc 0 "MF0;leaf-1:MQM9700/U1" lid 1 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0x946dae0300000001
caguid=0x946dae0300000001
Ca\t1 "H-946dae0300000001"\t\t# "Node01.cluster.local mlx5_0"
[1](946dae0300000001) \t"S-fc6a1c0300000100"[1]\t\t# lid 5 lmc 0 "MF0;leaf-1:MQM9700/U1" lid 1 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0x946dae0300000003
caguid=0x946dae0300000003
Ca\t1 "H-946dae0300000003"\t\t# "node02 mlx5_0"
[1](946dae0300000003) \t"S-fc6a1c0300000100"[2]\t\t# lid 6 lmc 0 "MF0;leaf-1:MQM9700/U1" lid 1 2xNDR
""".replace("{AN}", AGGREGATION)

CABLES = {
    ("Node01.cluster.local", "mlx5_0", "leaf-1", "1", 400.0),
    ("node02", "mlx5_0", "leaf-1", "2", 200.0),
    ("leaf-1", "33", "spine-1", "1", 400.0),
}


def read(tmp_path: Path, content: str | bytes) -> Cabling:
    path = tmp_path / "found"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_cabling(path)


def both_ways(cables: object) -> set[tuple[object, ...]]:
    """Links whichever end is first, each with its lower name first."""
    return {
        (*sorted([(c.a_device, c.a_port), (c.z_device, c.z_port)]), c.speed_gbps) for c in cables
    }


def expected() -> set[tuple[object, ...]]:
    return both_ways(Cable(*cable) for cable in CABLES)


@pytest.mark.parametrize(
    "change",
    [
        str,
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\t", " "),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("[33]", "[33][ext 17]"),
        lambda text: text.replace("\n[1]", "\n# a comment\n[1]"),
        lambda text: text.replace("[1](946dae0300000001) \t", "[1] \t"),
        lambda text: text.replace(
            '"[1](946dae0300000001)', '"(946dae0300000001)'
        ),  # [1] is implied
    ],
)
def test_a_dump_is_read_once_a_link(tmp_path: Path, change: object) -> None:
    found = read(tmp_path, change(DUMP))  # type: ignore[operator]
    assert both_ways(found.cables) == expected()
    assert len(found.cables) == 3
    assert found.is_dump
    assert found.aggregation_nodes == 1
    assert found.switches == {"leaf-1", "spine-1"}
    assert found.devices == {"leaf-1", "spine-1", "Node01.cluster.local", "node02"}
    assert not found.one_sided


# Width times the nominal rate of a lane (InfiniBand Trade Association roadmap: 4x in Gb/s).
@pytest.mark.parametrize(
    ("word", "gbps"),
    [
        ("4xXDR", 800.0),
        ("4xNDR", 400.0),
        ("2xNDR", 200.0),
        ("1xNDR", 100.0),
        ("4xHDR", 200.0),
        ("4xEDR", 100.0),
        ("4xFDR", 56.0),
        ("4xFDR10", 40.0),
        ("4xQDR", 40.0),
        ("4xSDR", 10.0),
        ("4xUnknown", None),
        ("", None),
    ],
)
def test_speed_is_width_times_lane(tmp_path: Path, word: str, gbps: float | None) -> None:
    found = read(tmp_path, DUMP.replace("4xNDR", word).replace("2xNDR", word))
    assert {cable.speed_gbps for cable in found.cables} == {gbps}


def test_the_lower_of_two_speeds_counts(tmp_path: Path) -> None:
    found = read(tmp_path, DUMP.replace("lid 5 4xNDR", "lid 5 1xNDR"))
    assert sorted(cable.speed_gbps or 0.0 for cable in found.cables) == [100.0, 200.0, 400.0]


def test_a_link_that_one_end_lists(tmp_path: Path) -> None:
    line = next(line for line in DUMP.splitlines() if line.startswith("[1]\t") and '"S-' in line)
    found = read(tmp_path, DUMP.replace(line + "\n", ""))
    assert both_ways(found.cables) == expected()
    assert [(c.a_device, c.z_device) for c in found.one_sided] == [("leaf-1", "spine-1")]


def test_an_end_that_lists_another_link_keeps_it(tmp_path: Path) -> None:
    text = DUMP.replace('[2]\t"H-946dae0300000003"', '[2]\t"H-946dae0300000001"')
    found = read(tmp_path, text)
    ends = [(c.a_device, c.a_port) for c in found.cables]
    ends += [(c.z_device, c.z_port) for c in found.cables]
    assert len(ends) == len(set(ends))
    assert len(found.one_sided) == 2


def test_switches_without_names_are_told_apart_by_id(tmp_path: Path) -> None:
    text = DUMP.replace("MF0;leaf-1:MQM9700/U1", "Quantum-2 Mellanox Technologies")
    text = text.replace("MF0;spine-1:MQM9700/U1", "Quantum-2 Mellanox Technologies")
    found = read(tmp_path, text)
    assert found.switches == {"S-fc6a1c0300000100", "S-fc6a1c0300000200"}
    assert found.nameless == found.switches
    assert not found.notes


def test_switches_of_one_name_are_told_apart_by_id(tmp_path: Path) -> None:
    found = read(tmp_path, DUMP.replace("spine-1", "leaf-1"))
    assert found.switches == {"S-fc6a1c0300000100", "S-fc6a1c0300000200"}
    assert found.notes == ('2 devices are called "leaf-1"; they are told apart by chip or id',)


def test_chips_of_one_chassis_are_told_apart(tmp_path: Path) -> None:
    text = DUMP.replace("MF0;leaf-1:MQM9700/U1", "MF0;big:CS8500/L1/U1")
    text = text.replace("MF0;spine-1:MQM9700/U1", "MF0;big:CS8500/S1/U1")
    assert read(tmp_path, text).switches == {"big/L1/U1", "big/S1/U1"}


def test_a_second_port_of_an_adapter(tmp_path: Path) -> None:
    text = DUMP.replace('Ca\t1 "H-946dae0300000003"', 'Ca\t2 "H-946dae0300000003"')
    text = text.replace("[1](946dae0300000003)", "[2](946dae0300000003)")
    found = read(tmp_path, text)
    assert ("node02", "mlx5_0/2") in {
        end for c in found.cables for end in [(c.a_device, c.a_port), (c.z_device, c.z_port)]
    }


SCHEDULE = """\
a_device,a_port,z_device,z_port,speed_gbps,tier
Node01.cluster.local,mlx5_0,leaf-1,1,400,endpoint
node02,mlx5_0,leaf-1,2,200,endpoint
leaf-1,33,spine-1,1,400,leaf-spine
"""


@pytest.mark.parametrize(
    "change",
    [
        str,
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(",", ";"),
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace(",", " , "),
        lambda text: "# found on site\n\n" + text.replace("\nleaf", "\n\n# a note\nleaf"),
        lambda text: text.replace("node02", '"node02"'),
        lambda text: text.upper().replace("NODE", "node"),
    ],
)
def test_a_schedule_is_read(tmp_path: Path, change: object) -> None:
    found = read(tmp_path, change(SCHEDULE))  # type: ignore[operator]
    told = {tuple(str(x).lower() for x in cable[:5]) for cable in found.cables}
    assert told == {tuple(str(x).lower() for x in cable) for cable in CABLES}
    assert {name.lower() for name in found.switches} == {"leaf-1", "spine-1"}
    assert not found.is_dump


def test_four_columns_do_and_speeds_may_be_left_out(tmp_path: Path) -> None:
    found = read(tmp_path, "z_port,z_device,a_port,a_device\n7,leaf-1,mlx5_0,node1\n")
    assert list(found.cables) == [Cable("node1", "mlx5_0", "leaf-1", "7")]
    found = read(tmp_path, SCHEDULE.replace("400", ""))
    assert {cable.speed_gbps for cable in found.cables} == {None, 200.0}


def test_two_fabrics_may_use_one_adapter_name(tmp_path: Path) -> None:
    text = "fabric,a_device,a_port,z_device,z_port\n"
    rows = "compute,node1,mlx5_0,leaf-1,1\nstorage,node1,mlx5_0,storage-leaf-1,1\n"
    assert len(read(tmp_path, text + rows).cables) == 2


HEAD = 'Switch 2 "S-1" # "MF0;leaf-1:x/U1"\n'


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "found: is empty"),
        (b"\xef\xbb\xbf\n  \n", "found: is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "found: is a binary file"),
        (b"\xff\xfes\x00", "found: is UTF-16 text"),
        (SCHEDULE.encode() + b"\xe9t\xe9,1,leaf-1,9,400,endpoint\n", "found: is not UTF-8 text"),
        (b"# nothing but this\n", "found: holds comments only"),
        (b'{\n "schema": "x"\n}\n', "found:1: cannot read '{'"),
        (b"\n\nhello\n", "found:3: cannot read 'hello'"),
        (
            "a_device,a_prt,z_device,z_port\n",
            'found:1: no column a_port; a_port: did you mean "a_prt"?',
        ),
        ("left,right\n1,2\n", "found:1: no column a_device, a_port, z_device, z_port"),
        ("a_device,a_port,a_port,z_device,z_port\n", "found:1: two columns a_port"),
        (SCHEDULE[:46], "found: has a header and no links"),
        (SCHEDULE + "node03,mlx5_0,leaf-1\n", "found:5: 3 cells where the header has 6"),
        (SCHEDULE + "node03,,leaf-1,3,400,endpoint\n", "found:5: a_port is empty"),
        (SCHEDULE + "node03,mlx5_0,leaf-1,3,fast,endpoint\n", "found:5: speed_gbps 'fast'"),
        (SCHEDULE + "node03,mlx5_0,leaf-1,3,nan,endpoint\n", "found:5: speed_gbps 'nan'"),
        (SCHEDULE + "node03,mlx5_0,leaf-1,3,-4,endpoint\n", "found:5: speed_gbps '-4'"),
        (
            SCHEDULE + "node03,mlx5_0,leaf-1,2,400,endpoint\n",
            "found:5: port 2 of leaf-1 is already linked on line 3",
        ),
        (SCHEDULE + "x,1,x,1,400,leaf-spine\n", "found:5: port 1 of x is linked to itself"),
        (HEAD + '[1] "S-2"[1]\n', 'found:2: "S-2" is linked here and has no record'),
        (HEAD + '[1] "S-2"[1]\n[1] "S-2"[2]\n', 'found:3: port 1 of "S-1" is listed twice'),
        (HEAD + '[1] "S-1"[1]\n', 'found:2: port 1 of "S-1" is linked to itself'),
        (HEAD + '[3] "S-2"[1]\n', 'found:2: port 3 of "S-1", which has 2 ports'),
        (HEAD + '[0] "S-2"[1]\n', 'found:2: port 0 of "S-1"'),
        (HEAD + '[1] "S-2', "found:2: cannot read the port '[1] \"S-2'; is the file cut off?"),
        (HEAD + "\n" + HEAD, 'found:3: a second record of "S-1"'),
        (HEAD + '\n[1] "S-2"[1]\n', "found:3: a port before any record"),
        (HEAD + '\nSwitch 2 "S-', "found:3: cannot read the record"),
        (HEAD + "\n\nwhat\n", "found:4: cannot read 'what'"),
        ('Switch 99999999 "S-1" # "x"\n', "found:1: 99999999 ports are more"),
        ("vendid=0x0\n", "found: holds no device"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: str | bytes, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, content)
    assert len(caught.value.problems) == 1
    assert f"{tmp_path}/{told}" in str(caught.value)


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_cabling(tmp_path / "none")
    with pytest.raises(InputError, match="is a folder"):
        read_cabling(tmp_path)


def test_a_dump_cut_anywhere_is_read_or_refused(tmp_path: Path) -> None:
    for end in range(0, len(DUMP), 7):
        with suppress(InputError):  # anything else is a defect
            assert len(read(tmp_path, DUMP[:end]).cables) <= 3


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([DUMP, SCHEDULE]), st.data())
def test_a_file_with_damage_is_read_or_refused(text: str, data: st.DataObject) -> None:
    lines = text.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(lines) - 1))
        line = lines[place]
        cut = data.draw(st.integers(0, len(line)))
        new = data.draw(st.text('09[]"(),#-xSH\n\r\0\u0663 ', max_size=6))
        lines[place] = data.draw(
            st.sampled_from([line[:cut] + new + line[cut:], line[:cut], line + line, "9" * 5000])
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "found"
        path.write_bytes("".join(lines).encode())
        with suppress(InputError):  # anything else is a defect
            found = read_cabling(path)
            ends = [end for c in found.cables for end in ((c[0], c[1]), (c[2], c[3]))]
            assert len(ends) == len(set(ends))
            with suppress(InputError):
                assert check_wiring(found, found, Selection()).agrees == (not found.one_sided)
