from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusterplan.catalog.location import data_dir, find_data
from clusterplan.core.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path


def test_data_inside_the_package_comes_first(tmp_path: Path) -> None:
    package = tmp_path / "clusterplan"
    (package / "data").mkdir(parents=True)
    beside = tmp_path / "data"
    beside.mkdir()
    (beside / "SOURCES.yaml").touch()
    assert find_data(package) == package / "data"


def test_data_beside_the_package_needs_its_marker(tmp_path: Path) -> None:
    package = tmp_path / "clusterplan"
    package.mkdir()
    beside = tmp_path / "data"
    beside.mkdir()
    with pytest.raises(CatalogError):
        find_data(package)
    (beside / "SOURCES.yaml").touch()
    assert find_data(package) == beside


def test_missing_data_names_both_places(tmp_path: Path) -> None:
    package = tmp_path / "clusterplan"
    with pytest.raises(CatalogError) as caught:
        find_data(package)
    assert str(package / "data") in str(caught.value)
    assert str(tmp_path / "data") in str(caught.value)


def test_running_program_has_its_data() -> None:
    assert (data_dir() / "SOURCES.yaml").is_file()
