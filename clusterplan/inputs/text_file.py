"""Reading a file that a user names: its text, or a clear InputError."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from pathlib import Path

_MAX_BYTES = 1_000_000


def read_text(path: Path, named_at: Problem | None = None, *, most_bytes: int = _MAX_BYTES) -> str:
    """The text of a UTF-8 file of at most 1 MB, or another size.

    named_at: where the user named the file, when another file did (its place is reported too).
    Raises InputError: no such file, a folder, unreadable, too large, binary or not UTF-8.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise InputError(_unreadable(path, error, named_at)) from None
    name = str(path)
    if len(data) > most_bytes:
        size = f"{most_bytes // 1_000_000} MB"
        raise InputError(Problem(f"is larger than {size}, too large for an input file", name))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(Problem("is UTF-16 text", name, 1, hint="save it as UTF-8"))
    if b"\0" in data:
        raise InputError(Problem("is a binary file, not text", name))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            Problem("is not UTF-8 text on this line", name, line, hint="save it as UTF-8")
        ) from None


def is_file(path: Path) -> bool:
    """Whether a file is there; no path at all (too long, a loop of links) is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether a folder is there; no path at all is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _unreadable(path: Path, error: Exception, named_at: Problem | None) -> Problem:
    hint = None
    if isinstance(error, FileNotFoundError):
        message = "no such file"
        near = _nearest_file(path)
        hint = f'did you mean "{near}"?' if near else None
    elif isinstance(error, IsADirectoryError):
        message = "is a folder; a file is due here"
    elif isinstance(error, PermissionError):
        message = "cannot be read: permission denied"
    else:
        message = f"cannot be read: {getattr(error, 'strerror', None) or error}"
    if named_at is not None:
        return Problem(
            f'"{path}": {message}', named_at.file, named_at.line, named_at.path, hint=hint
        )
    return Problem(message, str(path), hint=hint)


def _nearest_file(path: Path) -> str | None:
    try:
        names = [item.name for item in path.parent.iterdir()][:1000]
    except OSError:
        return None
    near = difflib.get_close_matches(path.name, names, n=1)
    return near[0] if near else None
