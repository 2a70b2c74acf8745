"""What is done of a long run, kept beside its result, so that a run that stops can go on.

One line of JSON a row, after a first line that says what the run is of. A line that was not
written to its end is not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.planning.candidates import Options, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_BLOCK_BYTES = 1 << 20


def fingerprint(options: Options, version: str) -> str:
    """What must be the same for results to be taken over: the file, the options, the program."""
    digest = hashlib.sha256()
    table = options.table
    folders = {(table.path / file).parent for file in table.files}
    inside = sorted(file for folder in folders for file in folder.iterdir() if file.is_file())
    rack = [] if options.rack is None else [Path(options.rack)]
    for path in [*(inside or [table.path]), *(file for file in rack if file.is_file())]:
        digest.update(str(path).encode("utf-8", "surrogateescape"))
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK_BYTES):
                digest.update(block)
    comparison = options.comparison
    weights = None if comparison.weights is None else sorted(comparison.weights.chosen.items())
    # draws enter the shortlist alone, which is made anew
    comparison = comparison._replace(weights=None, draws=None)
    rest = (options.rack, weights, comparison, version)
    digest.update(repr(rest).encode())
    return digest.hexdigest()


class Journal:
    """The outcomes of a run on disk, in the order of the rows."""

    def __init__(self, path: Path, mark: str, today: str, *, lasting: bool = True) -> None:
        """Start day is `today`, or that of the run that stopped; `lasting` where it may go on."""
        self.path = path
        self._lasting = lasting
        self.start = today
        self._mark = mark
        self._stream: BinaryIO | None = None

    def open(self) -> int:
        """Open it, and give the number of rows that it holds already."""
        done, size = self._held()
        try:
            if size:
                self._stream = self.path.open("r+b")
                self._stream.truncate(size)
                self._stream.seek(size)
            else:
                self._stream = self.path.open("wb")
                self._write({"run": self._mark, "start": self.start})
        except OSError as error:
            self.close()
            raise self._full(error) from None
        return done

    def add(self, outcomes: list[Outcome]) -> None:
        """Keep the outcomes of a chunk. Raises InputError where the disk takes no more."""
        try:
            self._write(*(list(outcome) for outcome in outcomes))
        except OSError as error:
            raise self._full(error) from None

    def close(self) -> None:
        """Close the file; it stays."""
        if self._stream is not None:
            with contextlib.suppress(OSError):
                self._stream.close()

    def remove(self) -> None:
        """Close and delete: the result is complete."""
        self.close()
        with contextlib.suppress(OSError):
            self.path.unlink()

    def outcomes(self) -> Iterator[tuple[int, Outcome]]:
        """Each outcome with its offset in the file."""
        with self.path.open("rb") as stream:
            offset = len(stream.readline())
            for line in stream:
                yield offset, _outcome(line)
                offset += len(line)

    def at(self, stream: BinaryIO, offset: int) -> Outcome:
        """The outcome at an offset of the open file."""
        stream.seek(offset)
        return _outcome(stream.readline())

    def _held(self) -> tuple[int, int]:
        """Rows and bytes of complete lines of this very run, else (0, 0)."""
        rows = size = 0
        try:
            with self.path.open("rb") as stream:
                for place, line in enumerate(stream):
                    if not line.endswith(b"\n"):
                        break
                    entry = json.loads(line)
                    if place == 0:
                        if entry["run"] != self._mark:
                            return 0, 0
                        self.start = str(entry["start"])
                    rows += 1 if place else 0
                    size += len(line)
        except FileNotFoundError:
            return 0, 0
        except (OSError, ValueError, KeyError, TypeError):
            return rows, size
        return rows, size

    def _write(self, *entries: object) -> None:
        if self._stream is None:
            return
        lines = [json.dumps(one, ensure_ascii=True, separators=(",", ":")) for one in entries]
        self._stream.write("".join(f"{line}\n" for line in lines).encode())
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _full(self, error: OSError) -> InputError:
        message = f"{str(self.path)!r} cannot be written: {error.strerror or error}"
        if not self._lasting:
            hint = "with -o FILE.csv rows are kept beside that file; or set TMPDIR"
            return InputError(Problem(message, hint=hint))
        hint = "the rows done are kept; the same command goes on from there"
        return InputError(Problem(message, path="--output", hint=hint))


def _outcome(line: bytes) -> Outcome:
    number, name, row, problems, verdicts = json.loads(line)
    return Outcome(number, name, row, tuple(problems), tuple((gate, one) for gate, one in verdicts))
