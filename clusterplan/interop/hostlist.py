"""Lists of names in the bracket form that schedulers read: `node[0001-0032,0040]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def hostlist(names: Iterable[str]) -> str:
    """The names, those that differ in their last number folded together.

    Names keep the order in which they come. Only numbers of the same width are folded, so that
    every name reads back as it was.
    """
    folded: list[tuple[str, int, list[list[int]]]] = []
    for name in names:
        prefix = name.rstrip("0123456789")
        digits = name[len(prefix) :]
        number = int(digits or 0)
        if not digits:
            folded.append((prefix, 0, []))
        elif folded and folded[-1][:2] == (prefix, len(digits)):
            runs = folded[-1][2]
            if runs[-1][1] + 1 == number:
                runs[-1][1] = number
            else:
                runs.append([number, number])
        else:
            folded.append((prefix, len(digits), [[number, number]]))
    return ",".join(_folded(*one) for one in folded)


def _folded(prefix: str, width: int, runs: list[list[int]]) -> str:
    if not runs:
        return prefix
    words = [
        f"{low:0{width}d}" if low == high else f"{low:0{width}d}-{high:0{width}d}"
        for low, high in runs
    ]
    if len(words) == 1 and "-" not in words[0]:
        return f"{prefix}{words[0]}"
    return f"{prefix}[{','.join(words)}]"
