"""SOURCES.yaml: every entry is complete and used."""

from __future__ import annotations

from clusterplan import catalog

# Named for their licence, though no row copies them.
KEPT = {"epoch-ai"}


def test_entries_are_complete() -> None:
    for source in catalog.sources().values():
        assert source.title
        if source.address:
            assert source.address.startswith(("https://", "http://")), source.id
            assert " " not in source.address
        if source.date_read:
            assert len(source.date_read) == len("2026-11-30")


def test_every_entry_is_used() -> None:
    used = {
        part
        for kind in catalog.KINDS
        for row in catalog.rows(kind)
        for part in row.source.split(";")
    }
    lines = (catalog.data_dir() / "rack_flow.csv").read_text(encoding="utf-8").splitlines()
    used |= {line.split(",")[4] for line in lines[1:]}
    assert used | KEPT == set(catalog.sources())


def test_attribution_that_licences_ask_for() -> None:
    sources = catalog.sources()
    assert sources["epoch-ai"].licence == "CC BY 4.0"
    assert "ASHRAE" in sources["ashrae-2013"].licence
    assert sources["ashrae-2013"].notes
    assert sources["coolprop-8"].licence == "MIT"


def test_rows_that_rest_on_no_address_are_not_called_verified() -> None:
    """A text whose address was not kept cannot be checked by the reader."""
    weak = {"unrecorded", "recalled", "engineering-practice", "climate-normals", "cdu-round-up"}
    for kind in catalog.KINDS:
        for row in catalog.rows(kind):
            if set(row.source.split(";")) <= weak:
                assert row.verified == "false", (kind, row.id)
