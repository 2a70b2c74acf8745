"""`--explain [SECTION]`: an option whose value may be left out, which the parser does not know."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SECTIONS = ("all", "summary", "power", "cooling", "substation", "swing", "fabric", "floor", "data")


def with_explain_value(arguments: Sequence[str]) -> list[str]:
    """The arguments, with a value for each `--explain`: what follows it, or `all`.

    What follows is its value where it can be nothing else: a section, or what is neither an option
    nor a file or folder.
    """
    filled: list[str] = []
    for place, argument in enumerate(arguments):
        filled.append(argument)
        following = arguments[place + 1] if place + 1 < len(arguments) else "-"
        if argument == "--explain" and not _is_section(following):
            filled.append("all")
    return filled


def _is_section(text: str) -> bool:
    if text in SECTIONS:
        return True
    return bool(text) and not text.startswith("-") and "/" not in text and not os.path.exists(text)  # noqa: PTH110  pathlib costs start-up time
