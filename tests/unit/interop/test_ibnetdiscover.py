"""ibnetdiscover text: records, both ends, names, identifiers, speeds and what is refused."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from clusterplan.core.errors import InputError
from clusterplan.interop.ibdm import ibnl_files, write_topo
from clusterplan.interop.ibnetdiscover import guid, speed_word, write_ibnetdiscover

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.wired_fabric import WiredFabric


def text_of(fabric: WiredFabric, **options: object) -> str:
    out = io.StringIO()
    write_ibnetdiscover(fabric, out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def test_a_record_of_an_adapter_and_of_a_switch(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(fabric_manager_cables=1)
    text = text_of(fabric)
    own, leaf = guid(fabric, "node1 mlx5_0"), guid(fabric, "leaf-s1-r1")
    assert (
        f'\n\nsysimgguid=0x{own}\ncaguid=0x{own}\nCa\t1 "H-{own}"\t\t# "node1 mlx5_0"\n'
        f'[1]({own}) \t"S-{leaf}"[1]\t\t'
        '# lid 0 lmc 0 "MF0;leaf-s1-r1:small-switch/U1" lid 0 4xNDR\n\n'
    ) in text
    assert (
        f'Switch\t8 "S-{leaf}"\t\t# "MF0;leaf-s1-r1:small-switch/U1" enhanced port 0 lid 0 lmc 0\n'
        f'[1]\t"H-{own}"[1]({own}) \t\t# "node1 mlx5_0" lid 0 4xNDR\n'
    ) in text
    # ibsim runs the subnet manager on the first record
    assert re.search(r'Ca\t1 "H-\w+"\t\t# "([^"]+)"', text)[1] == "manager-1 mlx5_0"


def test_every_link_stands_at_both_ends_and_ids_are_unique(
    wire: Callable[..., WiredFabric],
) -> None:
    fabric = wire(14, planes=2, fabric_manager_cables=3)
    text = text_of(fabric)
    ids = re.findall(r'^(?:Switch|Ca)\t\d+ "([SH])-(\w+)"', text, re.MULTILINE)
    assert Counter(kind for kind, _ in ids) == {
        "S": sum(device.role in ("leaf", "spine", "core") for device in fabric.devices),
        "H": 14 * 2 * 2 + 3,
    }
    assert len({one for _, one in ids}) == len(ids)
    assert {len(one) for _, one in ids} == {16}
    links = list(fabric.links())
    assert len(re.findall(r"^\[", text, re.MULTILINE)) == 2 * len(links)
    # adapters are named by two words: the host and the adapter
    names = re.findall(r'^Ca\t.*# "([^"]+)"', text, re.MULTILINE)
    assert all(re.fullmatch(r"(node\d\d|manager-\d) mlx5_\d", name) for name in names)
    assert len(set(names)) == len(names)


def test_a_plane_holds_its_own_links_only(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(14, planes=2)
    one, two = (text_of(fabric, plane=plane) for plane in (1, 2))
    assert "p1-leaf" in one
    assert "p2-leaf" not in one
    records = [set(re.findall(r"^(?:Switch|Ca).*", text, re.MULTILINE)) for text in (one, two)]
    assert not records[0] & records[1]
    every = set(re.findall(r"^(?:Switch|Ca).*", text_of(fabric), re.MULTILINE))
    assert every == records[0] | records[1]


def test_identifiers_stay_as_the_plan_grows(wire: Callable[..., WiredFabric]) -> None:
    small, large = text_of(wire(5)), text_of(wire(6))
    record = re.compile(r"^(?:Switch|Ca)\t.*", re.MULTILINE)
    assert set(record.findall(small)) < set(record.findall(large))


@pytest.mark.parametrize(
    ("generation", "gbps", "word"),
    [
        ("EDR", 100.0, "4xEDR"),
        ("HDR", 200.0, "4xHDR"),
        ("HDR", 100.0, "2xHDR"),
        ("NDR", 400.0, "4xNDR"),
        ("NDR", 200.0, "2xNDR"),
        ("XDR", 800.0, "4xXDR"),
        ("XDR", 400.0, "2xXDR"),
    ],
)
def test_speed_words(generation: str, gbps: float, word: str) -> None:
    assert speed_word(generation, gbps) == word


@pytest.mark.parametrize(("generation", "gbps"), [("", 400.0), ("NDR", 800.0), ("NDR", 150.0)])
def test_speeds_that_infiniband_has_not(generation: str, gbps: float) -> None:
    with pytest.raises(InputError):
        speed_word(generation, gbps)


def test_a_speed_may_be_told(wire: Callable[..., WiredFabric]) -> None:
    fabric = replace(wire(), generation="")  # a speed of no known generation
    with pytest.raises(InputError, match="generation"):
        text_of(fabric)
    assert " 4xHDR\n" in text_of(fabric, link_word="4xHDR")


def test_what_is_refused(wire: Callable[..., WiredFabric]) -> None:
    with pytest.raises(InputError, match="describes infiniband fabrics; compute is ethernet"):
        text_of(wire(kind="ethernet"))
    with pytest.raises(InputError, match="compute has no plane 3") as caught:
        text_of(wire(planes=2), plane=3)
    assert caught.value.problems[0].hint == "1 to 2"
    with pytest.raises(InputError, match="no plane 0"):
        text_of(wire(), plane=0)
    wide = wire(200, ports=256, nodes_per_su=None)
    for writer in (text_of, ibnl_files, lambda fabric: write_topo(fabric, io.StringIO())):
        with pytest.raises(InputError, match="256 ports; InfiniBand numbers ports in one octet"):
            writer(wide)


def test_topo_sections_and_types(wire: Callable[..., WiredFabric]) -> None:
    fabric = wire(fabric_manager_cables=1)
    out = io.StringIO()
    write_topo(fabric, out)
    sections = out.getvalue().split("\n\n")[1:]
    # the first leaf has no free port; on the second the node ports end at P4
    assert sections[0] == "FABRIC_MANAGER_2P manager-1\n   P1 -> SMALL_SWITCH_8P leaf-s2-r1 P4"
    assert sections[1] == (
        "SERVER_2P node1\n   P1 -> SMALL_SWITCH_8P leaf-s1-r1 P1\n"
        "   P2 -> SMALL_SWITCH_8P leaf-s1-r2 P1"
    )
    lines = [
        (section.split()[1], *line.replace("->", "").split())
        for section in sections
        for line in section.splitlines()[1:]
    ]
    assert len(lines) == 2 * len(list(fabric.links()))
    ends = {((name, port), (peer, peer_port)) for name, port, _, peer, peer_port in lines}
    assert {(z, a) for a, z in ends} == ends
    files = ibnl_files(fabric)
    assert set(files) == {"FABRIC_MANAGER_2P.ibnl", "SMALL_SWITCH_8P.ibnl", "SERVER_2P.ibnl"}
    assert files["SERVER_2P.ibnl"] == (
        "TOPSYSTEM SERVER_2P\n\nNODE CA 1 SERVER U1\n1 -> P1\n\nNODE CA 1 SERVER U2\n1 -> P2\n"
    )
    assert files["SMALL_SWITCH_8P.ibnl"].startswith(
        "TOPSYSTEM SMALL_SWITCH_8P\n\nNODE SW 8 SMALLSWITCH U1\n1 -> P1\n2 -> P2\n"
    )
