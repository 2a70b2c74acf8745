"""The README shows what the program prints today, and names every command.

Refresh the screen with `python tests/cli/test_readme.py`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from clusterplan.cli.main import app

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SCREEN = re.compile(r"<!-- screen: clusterplan (.*?) -->\n```text\n(.*?)```", re.DOTALL)
LINES = 46


def _printed(command: str) -> str:
    hidden = ("CLUSTERPLAN_DEBUG", "FORCE_COLOR")
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    result = subprocess.run(
        [sys.executable, "-m", "clusterplan", *command.split()],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment | {"COLUMNS": "80", "NO_COLOR": "1"},
    )
    return result.stdout


def _screen(command: str) -> str:
    lines = _printed(command).splitlines()[:LINES]
    while not lines[-1].strip():
        lines.pop()
    return "\n".join([f"$ clusterplan {command}", *lines, "..."]) + "\n"


def test_the_screen_is_current() -> None:
    match = SCREEN.search(README.read_text(encoding="utf-8"))
    assert match is not None
    assert match[2] == _screen(match[1])


def test_every_command_is_named() -> None:
    text = README.read_text(encoding="utf-8")
    for command in app.registered_commands:
        name = command.name or (command.callback.__name__ if command.callback else "")
        assert f"`clusterplan {name}" in text, name


def test_ci_runs_the_readme_test_command() -> None:
    assert "\npython3 check.py\n" in README.read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").endswith("\npython3 check.py\n")


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    fresh = SCREEN.sub(
        lambda m: f"<!-- screen: clusterplan {m[1]} -->\n```text\n{_screen(m[1])}```", text
    )
    README.write_text(fresh, encoding="utf-8")
