from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from clusterplan import catalog
from clusterplan.catalog import kinds
from clusterplan.core.equipment import Switch

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_and_get_agree() -> None:
    for name in catalog.KINDS:
        for row in catalog.rows(name):
            assert catalog.get(name, row.id) is row


def test_rows_are_kept() -> None:
    assert catalog.racks()[0] is catalog.racks()[0]


def test_unknown_kind_carries_near_names() -> None:
    with pytest.raises(catalog.UnknownRowError) as caught:
        catalog.rows("swiches")
    assert caught.value.nearest[0] == "switches"
    assert str(caught.value) == "unknown kind 'swiches'; did you mean \"switches\"?"


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("gb300", "gb300-nvl72"),
        ("GB300_NVL72", "gb300-nvl72"),
        ("vr-nvl144", "vr-nvl72"),
        ("dgx-h100", "dgx-h100-x4"),
    ],
)
def test_unknown_rack_carries_near_names(wrong: str, near: str) -> None:
    with pytest.raises(KeyError) as caught:
        catalog.rack(wrong)
    assert isinstance(caught.value, catalog.UnknownRowError)
    assert caught.value.nearest[0] == near
    assert caught.value.what == "rack"


def test_nothing_near() -> None:
    error = kinds.UnknownRowError("rack", "qqqq", ["gb300-nvl72"])
    assert error.nearest == ()
    assert error.hint == ""
    assert str(error) == "unknown rack 'qqqq'"


def test_unknown_country_and_state() -> None:
    with pytest.raises(catalog.UnknownRowError):
        catalog.region("XX")
    with pytest.raises(catalog.UnknownRowError):
        catalog.get("us-states", "zz")


def test_one_kind_reads_its_own_file_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = kinds.read_rows

    def spy(path: Path, row_class: type) -> list[object]:
        read.append(path.name)
        return real(path, row_class)

    monkeypatch.setattr(kinds, "read_rows", spy)
    kinds._table.cache_clear()
    kinds._rows.cache_clear()
    catalog.switches()
    assert read == ["switches.csv"]
    catalog.switch("qm9700")
    assert read == ["switches.csv"]
    catalog.racks()
    assert read == ["switches.csv", "racks.csv", "rack_flow.csv"]


def test_flag_of_a_field() -> None:
    about = {"vendor": "x", "kind": "ethernet", "ports": 64, "cages": 64, "gbps_per_port": 800.0}
    row = Switch(
        id="a",
        verified="true",
        unverified_fields=("cages",),
        secondary_fields=("ports",),
        **about,
    )
    assert row.verified_of("cages") == "false"
    assert row.verified_of("ports") == "secondary"
    assert row.verified_of("kind") == "true"
    partial = Switch(id="b", verified="partial", **about)
    assert partial.verified_of("ports") == "true"
    false = Switch(
        id="c",
        verified="false",
        secondary_fields=("ports",),
        **about,
    )
    assert false.verified_of("ports") == "false"
    assert repr(false) == "Switch('c')"


def test_catalogue_loads_neither_yaml_nor_heavy_modules() -> None:
    code = (
        "import sys; from clusterplan import catalog; catalog.racks(); catalog.design_fields();"
        "print([m for m in ('yaml', 'numpy', 'pandas', 'pint', 'pydantic', 'tempfile')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
