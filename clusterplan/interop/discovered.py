"""The links of a file, whichever of two formats it is in: told by what it holds, not its name.

A cable schedule (CSV) or the text that ibnetdiscover prints. Lines are read one by one.
"""

from __future__ import annotations

import csv
from itertools import chain
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.interop.discovered_dump import is_dump_line, read_dump
from clusterplan.interop.discovered_schedule import read_schedule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clusterplan.core.cabling import Cabling

_BINARY_PROBE = 4096
_MOST_LEADING_LINES = 1000
_DUE = "a cable schedule (CSV) or the output of ibnetdiscover is due"


def read_cabling(path: Path) -> Cabling:
    """Every link of a cable schedule or an ibnetdiscover dump.

    Raises InputError naming file and line: not there, unreadable, empty, neither of the two, cut
    off, a port twice, a peer without a record, columns that are missing.
    """
    name = str(path)
    try:
        with path.open("rb") as stream:
            probe = stream.read(_BINARY_PROBE)
        if not probe.strip(b"\xef\xbb\xbf \t\r\n"):
            raise InputError(Problem("is empty", name, hint=_DUE))
        if probe[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise InputError(Problem("is UTF-16 text", name, hint="save it as UTF-8"))
        if b"\0" in probe:
            raise InputError(Problem("is a binary file, not text", name, hint=_DUE))
        with path.open(encoding="utf-8-sig", newline="") as text:
            return _read(name, iter(text))
    except UnicodeDecodeError:
        raise InputError(Problem("is not UTF-8 text", name, hint="save it as UTF-8")) from None
    except csv.Error as error:
        raise InputError(Problem(f"is no CSV file: {error}", name)) from None
    except (OSError, ValueError) as error:
        raise InputError(_unreadable(name, error)) from None


def _read(name: str, lines: Iterator[str]) -> Cabling:
    leading: list[str] = []
    for line in lines:
        leading.append(line)
        bare = line.strip()
        if not bare or bare.startswith("#"):
            if len(leading) > _MOST_LEADING_LINES:
                break
            continue
        numbered = chain(leading, lines)
        if is_dump_line(bare):
            return read_dump(name, numbered)
        if "_device" in bare.lower() or (_looks_like_header(bare)):
            return read_schedule(name, numbered)
        raise InputError(Problem(f"cannot read {_short(bare)!r}", name, len(leading), hint=_DUE))
    raise InputError(Problem("holds comments only", name, hint=_DUE))


def _looks_like_header(line: str) -> bool:
    """Whether a first line can be column names: at least two plain words between delimiters."""
    for delimiter in ",;\t":
        words = [word.strip().strip('"') for word in line.split(delimiter)]
        if len(words) > 1 and all(
            word.replace("_", " ").replace(" ", "a").isalnum() for word in words
        ):
            return True
    return False


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _unreadable(name: str, error: Exception) -> Problem:
    if isinstance(error, FileNotFoundError):
        return Problem("no such file", name)
    if isinstance(error, IsADirectoryError):
        return Problem("is a folder; a file is due here", name)
    if isinstance(error, PermissionError):
        return Problem("cannot be read: permission denied", name)
    return Problem(f"cannot be read: {getattr(error, 'strerror', None) or error}", name)
