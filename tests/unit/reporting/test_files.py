"""A file is written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from clusterplan.core.errors import InputError
from clusterplan.reporting import files
from clusterplan.reporting.files import format_of, write_atomic


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.json", "json"),
        ("a.CSV", "csv"),
        ("a.b.md", "markdown"),
        ("a.html", "html"),
        ("a.xlsx", "xlsx"),
        ("a.txt", "table"),
    ],
)
def test_format_of_a_suffix(name, format):
    assert format_of(Path(name)) == format


@pytest.mark.parametrize("name", ["plan.pdf", "plan", "json"])
def test_unknown_suffix_lists_the_known(name):
    with pytest.raises(InputError, match=r"\.json \.csv \.md .* \.xlsx"):
        format_of(Path(name))


def test_writes_text_and_bytes_with_the_usual_mode(tmp_path):
    write_atomic(tmp_path / "a.txt", "45 °C\n")
    write_atomic(tmp_path / "b.xlsx", b"\x00\xff")
    assert (tmp_path / "a.txt").read_bytes() == "45 °C\n".encode()
    assert (tmp_path / "b.xlsx").read_bytes() == b"\x00\xff"
    assert names(tmp_path) == ["a.txt", "b.xlsx"]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o666 & ~umask


def test_keeps_mode_and_link_of_what_it_replaces(tmp_path):
    target = tmp_path / "real.json"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(target)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step, error):
    target = tmp_path / "plan.json"
    target.write_text("old")

    def fail(*_):
        raise error

    monkeypatch.setattr(*((files.os, "fsync") if step == "fsync" else (Path, "replace")), fail)
    expected = InputError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as caught:
        write_atomic(target, "new")
    assert target.read_text() == "old"
    assert names(tmp_path) == ["plan.json"]
    if expected is InputError:
        assert "No space left on device" in str(caught.value)
        assert "plan.json" in str(caught.value)


def test_refuses_what_cannot_be_a_file(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        write_atomic(tmp_path, "x")
    with pytest.raises(InputError, match="does not exist"):
        write_atomic(tmp_path / "none" / "a.json", "x")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError):
        write_atomic(tmp_path / "file" / "a.json", "x")
    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    with pytest.raises(InputError):
        write_atomic(loop, "x")


def test_refuses_a_protected_file(tmp_path, monkeypatch):
    target = tmp_path / "a.json"
    target.write_text("old")
    monkeypatch.setattr(files.os, "access", lambda *_: False)  # root may write anything
    with pytest.raises(InputError, match="may not be changed"):
        write_atomic(target, "new")
    assert target.read_text() == "old"


def test_a_device_is_written_to():
    write_atomic(Path(os.devnull), "x")
    assert not Path(os.devnull).is_file()
