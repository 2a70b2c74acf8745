"""Where the catalogue's files are: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from clusterplan.core.errors import CatalogError

MARKER = "SOURCES.yaml"


def find_data(package: Path) -> Path:
    """The data folder of the package that lives in the folder `package`.

    `data/` inside the package comes first (that is where a wheel puts it); `data/` beside the
    package (a checkout) counts only if it holds `SOURCES.yaml`, so that a stray folder of that name
    is never taken. Raises CatalogError naming both places.
    """
    inside = package / "data"
    if inside.is_dir():
        return inside
    beside = package.parent / "data"
    if (beside / MARKER).is_file():
        return beside
    raise CatalogError(
        f"the catalogue is missing: neither {inside} nor {beside} (with {MARKER}) exists; "
        "reinstall clusterplan"
    )


@cache
def data_dir() -> Path:
    """The data folder of the running program.

    The package's own folder is read from this file's place: `importlib.resources.files` gives the
    same path but costs 20 ms to import.
    """
    return find_data(Path(__file__).resolve().parents[1])
