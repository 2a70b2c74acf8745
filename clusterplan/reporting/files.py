"""Writing a report to a file: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

FORMAT_OF_SUFFIX = {
    ".txt": "table",
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xlsx": "xlsx",
}


def format_of(path: Path) -> str:
    """The format that a file's suffix stands for. Raises InputError for one that is not known."""
    found = FORMAT_OF_SUFFIX.get(path.suffix.lower())
    if found is None and path.is_dir():
        raise _refused(path, "is a directory", "name a file in it")
    if found is None:
        known = " ".join(FORMAT_OF_SUFFIX)
        raise InputError(
            Problem(
                f"cannot tell the format of {str(path)!r} from its name",
                path="--output",
                hint=f"use one of {known}, or give --format",
            )
        )
    return found


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file beside its place and put it there when it is complete.

    A failure leaves what was there before and nothing else. A link is followed, the mode of an
    existing file is kept, a device or pipe is written to directly. Raises InputError that names
    the path and the reason.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content

    def write(file: BinaryIO) -> None:
        file.write(data)

    write_atomic_by(path, write)


def write_atomic_by(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """As `write_atomic`, for what is too large to hold: `write` is handed the open file."""
    try:
        target = path.resolve()
        if target.is_symlink():  # newer Pythons leave a loop of links unresolved
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        mode = _checked(path, target)
        if mode is not None and not stat.S_ISREG(mode):
            with target.open("wb") as file:
                write(file)
        else:
            _replace(target, write, mode)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before 3.13
        reason = getattr(error, "strerror", None) or str(error)
        raise _refused(path, f"cannot be written: {reason}") from error


def _checked(path: Path, target: Path) -> int | None:
    """The mode of what is there, None for nothing."""
    if target.is_dir():
        raise _refused(path, "is a directory", "name a file in it")
    if not target.parent.is_dir():
        raise _refused(path, f"has no directory: {target.parent} does not exist", "create it first")
    if not target.exists():
        return None
    if not os.access(target, os.W_OK):
        raise _refused(path, "is there and may not be changed", "choose another name")
    return target.stat().st_mode


def _replace(target: Path, write: Callable[[BinaryIO], object], mode: int | None) -> None:
    beside = target.with_name(f".{target.name[:200]}.{os.urandom(6).hex()}.part")
    try:
        # the mode that the umask leaves, as for any new file
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _sync_directory(target.parent)


def _sync_directory(directory: Path) -> None:
    # makes the new name last through a power cut; not every system can open a directory
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _refused(path: Path, message: str, hint: str | None = None) -> InputError:
    return InputError(Problem(f"{str(path)!r} {message}", path="--output", hint=hint))
