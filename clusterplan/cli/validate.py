"""`clusterplan validate PATH...`: check input files of any kind and report every problem."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusterplan.core.errors import InputError, Problem
from clusterplan.inputs.overrides import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusterplan.core.results.plan import Warning

_YAML = (".yaml", ".yml")


def run(paths: Sequence[str], overrides: Sequence[str] = ()) -> tuple[int, str]:
    """Check files and folders: (exit code 0 or 2, text with one line per problem and warning).

    A folder with a site.yaml is checked as a site with all its files; a file alone by its kind,
    told from its name or its keys.
    """
    problems: list[Problem] = []
    lines: list[str] = []
    for path in paths:
        try:
            checked = _check(Path(path), overrides)
        except InputError as error:
            problems += [problem for problem in error.problems if problem not in problems]
        else:
            lines += checked
    if problems:
        count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"
        return 2, "\n".join([*lines, *map(str, problems), count])
    return 0, "\n".join(lines)


def _check(path: Path, overrides: Sequence[str]) -> list[str]:
    from clusterplan.inputs.text_file import is_folder, read_text

    if is_folder(path):
        return _check_folder(path, overrides)
    from clusterplan.inputs.document import Document
    from clusterplan.inputs.yaml_text import parse_yaml

    tree = parse_yaml(read_text(path), str(path))
    kind = kind_of(path, tree)
    if kind == "site":
        return _check_site(path, overrides)
    if kind == "design":
        from clusterplan.catalog import design_fields
        from clusterplan.inputs.loading import load_design

        load_design(design_fields(), path)
        return [f"{path}: design file, no problems"]
    from clusterplan.inputs.loading import check_document

    found = check_document(kind, Document(str(path), tree, kind))
    if found.problems:
        raise InputError(found.problems)
    return [f"{path}: {kind} file, no problems", *_warnings(str(path), found.warnings)]


def _check_folder(folder: Path, overrides: Sequence[str]) -> list[str]:
    if any((folder / f"site{suffix}").exists() for suffix in _YAML):
        return _check_site(folder, overrides)
    below = [item for item in sorted(folder.iterdir()) if item.is_dir()]
    sites = [item for item in below if any((item / f"site{s}").exists() for s in _YAML)]
    if not sites:
        return _check_site(folder, overrides)  # says that there is no site.yaml
    lines: list[str] = []
    problems: list[Problem] = []
    for site in sites:
        try:
            lines += _check_site(site, overrides)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return lines


def _check_site(path: Path, overrides: Sequence[str]) -> list[str]:
    from clusterplan import catalog
    from clusterplan.inputs.loading import load_site_folder

    inputs = load_site_folder(
        path,
        fields=catalog.design_fields(),
        regions=catalog.regions(),
        states=catalog.us_states(),
        overrides=overrides,
    )
    names = ", ".join(Path(file).name for file in inputs.files.values() if file)
    return [f"{path}: no problems in {names}", *_warnings(str(path), inputs.warnings)]


def _warnings(name: str, warnings: Iterable[Warning]) -> list[str]:
    return [f"{name}: warning: {item.path}: {item.message}" for item in warnings]


def kind_of(path: Path, tree: object) -> str:
    """The kind of an input file: by its name, else by the keys that it shares with each kind."""
    stem = path.stem.lower()
    if stem in KINDS:
        return stem
    keys = set(tree) if isinstance(tree, dict) else set()
    marks = {
        "grid": {"voltage", "stages", "requested", "short_circuit"},
        "rack": {"accelerator", "servers_per_rack", "nameplate"},
        "workload": {"jobs"},
        "site": {"latitude", "longitude", "country", "land"},
        "design": set(
            "power_basis heat_rejection cooling electrical fabric floor orders deliveries".split()
        ),
    }
    score = {kind: len(keys & known) for kind, known in marks.items()}
    best = max(score, key=lambda kind: score[kind])
    if score[best]:
        return best
    for kind in KINDS:  # grid-north.yaml, my_rack.yaml
        if kind in stem:
            return kind
    raise InputError(
        Problem(
            "cannot tell which kind of file this is",
            str(path),
            hint=f"name it {', '.join(f'{kind}.yaml' for kind in KINDS)}",
        )
    )
