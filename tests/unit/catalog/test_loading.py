from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from clusterplan.catalog.loading import read_rows
from clusterplan.core.equipment import Breakout
from clusterplan.core.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Thing:
    id: str
    power_kw: float
    count: int | None = None
    share: float = 0.5
    verified: bool = True
    words: tuple[str, ...] = ()
    ratings_ka: tuple[float, ...] = ()
    breakouts: tuple[Breakout, ...] = ()
    nested: tuple[Breakout, ...] | dict[str, int] = ()


def read(tmp_path: Path, text: str) -> list[Thing]:
    path = tmp_path / "things.csv"
    path.write_text(text, encoding="utf-8")
    return read_rows(path, Thing)


def test_cells_become_typed_values(tmp_path: Path) -> None:
    (row,) = read(
        tmp_path,
        "id,power_kw,count,share,verified,words,ratings_ka,breakouts\n"
        "a,142,,0.25,false,x; y,31.5;40,128x400;256x200\n",
    )
    assert row.power_kw == 142.0
    assert isinstance(row.power_kw, float)
    assert row.count is None
    assert row.share == 0.25
    assert row.verified is False
    assert row.words == ("x", "y")
    assert row.ratings_ka == (31.5, 40.0)
    assert row.breakouts == (Breakout(128, 400.0), Breakout(256, 200.0))


def test_empty_cells_take_the_default(tmp_path: Path) -> None:
    (row,) = read(tmp_path, "id,power_kw,count,share,verified,words\na,1,,,,\n")
    assert (row.count, row.share, row.verified, row.words) == (None, 0.5, True, ())


def test_blank_lines_and_quoted_commas(tmp_path: Path) -> None:
    rows = read(tmp_path, 'id,power_kw,words\n"a",1,"x, y"\n\nb,2,\n')
    assert [row.id for row in rows] == ["a", "b"]
    assert rows[0].words == ("x, y",)


BROKEN = [
    ("", "things.csv:1: the file is empty"),
    ("id,power\na,1\n", "things.csv:1: unknown column: power"),
    ("id,count\na,1\n", "things.csv:1: missing column: power_kw"),
    ("id,power_kw,power_kw\na,1,2\n", "things.csv:1: column twice: power_kw"),
    ("id,power_kw\na,1\nb,2,3\n", "things.csv:3: 3 cells, but the header has 2"),
    ("id,power_kw\na,1\nb\n", "things.csv:3: 1 cells, but the header has 2"),
    ("id,power_kw\na,\n", "things.csv:2: power_kw is empty"),
    ("id,power_kw\na,much\n", "things.csv:2: power_kw: could not convert"),
    ("id,power_kw\na,nan\n", "things.csv:2: power_kw: 'nan' is not a finite number"),
    ("id,power_kw\na,inf\n", "things.csv:2: power_kw: 'inf' is not a finite number"),
    ("id,power_kw,count\na,1,2.5\n", "things.csv:2: count: invalid literal"),
    ("id,power_kw,verified\na,1,yes\n", "things.csv:2: verified: 'yes' is neither"),
    ("id,power_kw,breakouts\na,1,128\n", "things.csv:2: breakouts: "),
    ("id,power_kw\na,1\na,2\n", "things.csv:3: 'a' stands already on line 2"),
    ('id,power_kw\n"a,1\n', "things.csv:2: "),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_broken_files_name_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CatalogError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"none\.csv: cannot be read"):
        read_rows(tmp_path / "none.csv", Thing)


def test_file_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "things.csv"
    path.write_bytes(b"id,power_kw\n\xff\xfe,1\n")
    with pytest.raises(CatalogError, match="cannot be read"):
        read_rows(path, Thing)
