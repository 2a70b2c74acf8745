"""A small good site, and a way to write it with changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusterplan import catalog
from clusterplan.inputs.loading import load_site_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SITE = """\
id: here
name: Here
country: US
state: TX
latitude: 32.45
longitude: -99.73
elevation: 530 m
climate: abilene-tx
rack: gb300-nvl72
land:
  gross: 400 acre
  buildable: 300 acre
"""
GRID = """\
utility: Oncor
iso: ERCOT
voltage: 345 kV
requested: 300 MW
approved: 250 MW
short_circuit: {min: 20 kA, max: 40 kA}
stages:
  - {name: one, energised: 2027-01-01, firm: 100 MW}
  - {name: two, energised: 2028-01-01, firm: 250 MW}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good site and grid."""
    (tmp_path / "site.yaml").write_text(SITE)
    (tmp_path / "grid.yaml").write_text(GRID)
    return tmp_path


@pytest.fixture
def load() -> Callable[..., Any]:
    """`load_site_folder` with the catalogue's tables."""

    def call(path: Any, *overrides: str, **named: Any) -> Any:
        return load_site_folder(
            path,
            fields=catalog.design_fields(),
            regions=catalog.regions(),
            states=catalog.us_states(),
            overrides=overrides,
            **named,
        )

    return call
