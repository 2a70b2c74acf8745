"""Every step of the project's own method that a source names is in docs/method.md."""

import csv
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

from clusterplan import sizing
from clusterplan.core.record import FORMULAS

ROOT = Path(__file__).parents[2]
NAMED = re.compile(
    r"\b(counting|fabric|cooling|electrical|floor|siting)(?: method)?,? (?:rule|step|section)s? "
    r"(\d+)(?:(?:,| and| to) (\d+))?"
)


def _numbered() -> set[tuple[str, int]]:
    found, discipline = set(), ""
    for line in (ROOT / "docs" / "method.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            discipline = line[3:].split()[0].lower()
        elif match := re.match(r"(\d+)\. ", line):
            found.add((discipline, int(match.group(1))))
    return found


def _formula_sources() -> list[str]:
    for module in pkgutil.iter_modules(sizing.__path__, "clusterplan.sizing."):
        import_module(module.name)
    return [entry.source for entry in FORMULAS.values()]


def _program_text() -> list[str]:
    files = (ROOT / "clusterplan").rglob("*.py")
    return [path.read_text(encoding="utf-8") for path in files]


def _default_sources() -> list[str]:
    with (ROOT / "data" / "design_fields.csv").open(encoding="utf-8", newline="") as stream:
        return [row["source"] for row in csv.DictReader(stream)]


@pytest.mark.parametrize("texts", [_formula_sources, _program_text, _default_sources])
def test_named_steps_exist(texts):
    numbered = _numbered()
    named = {
        (match[1], int(number))
        for text in texts()
        for match in NAMED.finditer(text)
        for number in match.groups()[1:]
        if number is not None
    }
    assert named
    assert named <= numbered, named - numbered


def test_formulas_cite_something():
    sources = _formula_sources()
    assert len(sources) > 200
    assert all(sources)
