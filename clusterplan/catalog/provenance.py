"""The named sources of the catalogue. Only here is YAML read."""

from __future__ import annotations

from functools import cache

from clusterplan.catalog.location import MARKER, data_dir
from clusterplan.core.equipment import Source
from clusterplan.core.errors import CatalogError

_TEXT = ("title", "publisher", "address", "date_read", "licence")


@cache
def sources() -> dict[str, Source]:
    """The entries of SOURCES.yaml by id. Raises CatalogError where the file is broken."""
    import yaml

    path = data_dir() / MARKER
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        with path.open(encoding="utf-8") as stream:
            entries = yaml.load(stream, Loader=loader)
    except (OSError, yaml.YAMLError) as error:
        raise CatalogError(f"{path}: cannot be read: {error}") from error
    if not isinstance(entries, dict):
        raise CatalogError(f"{path}: a mapping of source ids is due")
    found = {}
    for source_id, entry in entries.items():
        if not isinstance(entry, dict) or not entry.get("title"):
            raise CatalogError(f"{path}: source {source_id!r} has no title")
        unknown = sorted(set(entry) - {*_TEXT, "notes"})
        if unknown:
            raise CatalogError(f"{path}: source {source_id!r}: unknown {', '.join(unknown)}")
        texts = {name: str(entry.get(name) or "") for name in _TEXT}
        found[str(source_id)] = Source(
            id=str(source_id), notes=tuple(entry.get("notes") or ()), **texts
        )
    return found


def sources_of(text: str) -> tuple[Source, ...]:
    """The sources that a row's `source` cell names (`a;b`). Raises CatalogError for unknown ids."""
    known = sources()
    found = []
    for part in filter(None, (item.strip() for item in text.split(";"))):
        if part not in known:
            raise CatalogError(f"source {part!r} is not in {MARKER}")
        found.append(known[part])
    return tuple(found)
