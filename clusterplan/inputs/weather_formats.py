"""Which of the three written forms of an hourly year a file has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.inputs.weather_csv import parse_plain
from clusterplan.inputs.weather_epw import parse_epw, parse_tmy3

if TYPE_CHECKING:
    from clusterplan.inputs.weather_table import Table


def parse_table(file: str, text: str) -> Table:
    """The table of a weather file. Raises InputError where a line is not what is due."""
    lines = text.splitlines()
    first = lines[0].lstrip().upper()
    if first.startswith("LOCATION"):
        return parse_epw(file, lines)
    if len(lines) > 1 and "dry-bulb (c)" in lines[1].lower():
        return parse_tmy3(file, lines)
    return parse_plain(file, lines)
