"""What a command may import: start-up is gated on modules, not on milliseconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("pandas", "numpy", "pint")


def _modules(*arguments: str) -> set[str]:
    code = (
        "import sys\n"
        "from clusterplan.cli.main import main\n"
        "try:\n"
        f"    main({list(arguments)!r})\n"
        "except SystemExit as stop:\n"
        "    assert not stop.code, stop.code\n"
        "print('\\n'.join(['', '--modules--', *sys.modules]))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(result.stdout.split("--modules--")[1].split())


def test_help_loads_nothing_heavy() -> None:
    loaded = _modules("--help")
    assert not loaded & {*HEAVY, "pydantic", "yaml", "rich"}


@pytest.mark.parametrize("output", [[], ["--format", "json"], ["--explain"]])
def test_size_loads_no_frames_and_no_registry(output: list[str]) -> None:
    loaded = _modules("size", "sample_sites/abilene", *output)
    assert not loaded & set(HEAVY)


def test_cooling_without_weather_loads_no_arrays() -> None:
    loaded = _modules("cooling", "--rack", "gb300-nvl72", "--racks", "8", "--climate", "abilene-tx")
    assert not loaded & set(HEAVY)
