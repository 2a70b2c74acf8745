"""`compare-sites`: one row a site, each sized as `size` sizes it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from clusterplan.cli import compare
from clusterplan.cli.size import run as size
from clusterplan.core.errors import InputError

SAMPLES = Path(__file__).parents[2] / "sample_sites"


def test_rows_are_those_of_size_by_rank() -> None:
    names = ["lulea", "abilene"]
    report = compare.run([str(SAMPLES / name) for name in names])
    assert report.schema == "clusterplan/compare/1"
    rows = report.parts["sites"]
    assert sorted(row.id for row in rows) == sorted(names)
    assert [row.rank for row in rows] == [1, 2]
    for row in rows:
        summary = size(str(SAMPLES / row.id), files={}).parts["summary"]
        for figure in ("accelerators", "racks", "it_power_mw", "facility_power_mw", "pue_peak"):
            assert getattr(row, figure) == getattr(summary, figure)
        assert 0.0 < row.score < 1.0


def test_a_folder_of_sites_stands_for_its_sites() -> None:
    report = compare.run([str(SAMPLES)])
    expected = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
    assert sorted(row.id for row in report.parts["sites"]) == expected


def test_two_sites_of_one_id_are_refused(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SAMPLES / "lulea", copy)
    with pytest.raises(InputError, match='id "lulea" is also that of'):
        compare.run([str(SAMPLES / "lulea"), str(copy)])


def test_a_site_where_nothing_fits_has_a_row_of_zeros(tmp_path: Path) -> None:
    small = tmp_path / "small"
    shutil.copytree(SAMPLES / "lulea", small)
    grid = small / "grid.yaml"
    text = grid.read_text(encoding="utf-8")
    start = text.index("stages:")
    head = "\n".join(line for line in text[:start].splitlines() if "approved" not in line)
    grid.write_text(f"{head}\nstages:\n  - {{name: a, firm: 60 kW}}\n", encoding="utf-8")
    (row,) = compare.run([str(small)]).parts["sites"]
    assert row.accelerators == 0
    assert row.limited_by == "grid"
