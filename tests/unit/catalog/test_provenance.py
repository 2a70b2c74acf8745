from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusterplan.catalog import provenance
from clusterplan.core.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def sources_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    provenance.sources.cache_clear()
    monkeypatch.setattr(provenance, "data_dir", lambda: tmp_path)
    yield tmp_path / "SOURCES.yaml"
    provenance.sources.cache_clear()


def test_entries(sources_file: Path) -> None:
    sources_file.write_text("a:\n  title: Text\n  notes: [one]\nb:\n  title: Other\n")
    found = provenance.sources()
    assert found["a"].title == "Text"
    assert found["a"].notes == ("one",)
    assert [source.id for source in provenance.sources_of("b;a")] == ["b", "a"]
    with pytest.raises(CatalogError, match="'c' is not in"):
        provenance.sources_of("a;c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: {title: x, colour: red}", "unknown colour"),
        ("a: {publisher: x}", "has no title"),
        ("a: x", "has no title"),
        ("- a", "a mapping of source ids is due"),
        ("a: [", "cannot be read"),
    ],
)
def test_broken_files(sources_file: Path, text: str, message: str) -> None:
    sources_file.write_text(text)
    with pytest.raises(CatalogError, match=message):
        provenance.sources()


def test_missing_file(sources_file: Path) -> None:
    assert not sources_file.exists()
    with pytest.raises(CatalogError, match="cannot be read"):
        provenance.sources()
