"""From files to validated inputs: every problem of every file in one error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.units import seen
from clusterplan.inputs.design_file import DesignFile, validate_design
from clusterplan.inputs.document import SET, Document
from clusterplan.inputs.leaf import did_you_mean
from clusterplan.inputs.overrides import KINDS, split_overrides, with_value
from clusterplan.inputs.text_file import is_file, is_folder, read_text
from clusterplan.inputs.yaml_text import Block, parse_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusterplan.core.equipment import Region, State
    from clusterplan.core.fields import FieldSpec
    from clusterplan.core.results.plan import Warning
    from clusterplan.inputs.checks import Findings
    from clusterplan.inputs.datum import Datum
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.inputs.rack_file import RackFile
    from clusterplan.inputs.site_file import Site
    from clusterplan.inputs.weather_file import WeatherFile
    from clusterplan.inputs.workload_file import Workload

_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, kw_only=True)
class SiteInputs:
    """All that the user gave for one site.

    design: choices by path below `design.`, in the units of the field table; design_data: figures
    and dates among them with range and provenance. documents: the files
    by kind, as they were written. rack is the user's own rack, else rack_id names one of the
    catalogue, whose fields rack_changes replaces (`--set rack.`); both None where no rack is named.
    screen: whether the means of the region fill what the files leave out.
    """

    site: Site
    grid: Grid | None = None
    design: dict[str, Any] = field(default_factory=dict)
    design_data: dict[str, Datum[Any]] = field(default_factory=dict)
    workload: Workload | None = None
    rack: RackFile | None = None
    rack_id: str | None = None
    rack_changes: dict[str, Any] = field(default_factory=dict)
    rack_place: Problem | None = None
    region: Region | None = None
    state: State | None = None
    weather: WeatherFile | None = None
    folder: Path = Path()
    files: dict[str, str] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    warnings: tuple[Warning, ...] = ()
    screen: bool = False

    def rack_problem(self, message: str, hint: str | None = None) -> Problem:
        """A problem with the rack id, at the place that names it."""
        at = self.rack_place or Problem("", path="rack")
        return Problem(message, at.file, at.line, at.path, hint)

    def placed(self, problem: Problem) -> Problem:
        """The problem with file and line, where its path names a value that the user wrote."""
        kind, _, path = (problem.path or "").partition(".")
        document = self.documents.get(kind)
        if problem.file is not None or document is None or document.node(path) is None:
            return problem
        file, line = document.place(path)
        return replace(problem, file=file, line=line)


def load_site_folder(  # noqa: PLR0913  the options of the command line
    path: str | Path,
    *,
    fields: Mapping[str, FieldSpec],
    regions: Iterable[Region] | Mapping[str, Region] = (),
    states: Iterable[State] | Mapping[str, State] = (),
    grid: str | Path | None = None,
    design: str | Path | None = None,
    workload: str | Path | None = None,
    rack: str | Path | None = None,
    overrides: Sequence[str] = (),
) -> SiteInputs:
    """Load a site folder, or a site file, with its grid, design, workload and rack.

    A file that is named (argument, else key of site.yaml) is used, else grid.yaml, design.yaml,
    workload.yaml and rack.yaml beside a site.yaml. fields: the design table; regions, states: what
    countries and US states are checked against (none: not checked); overrides: PATH=VALUE.
    Raises InputError with every problem of every file.
    """
    named = {"grid": grid, "design": design, "workload": workload, "rack": rack}
    loader = _Loader(Path(path), {k: str(v) for k, v in named.items() if v is not None})
    loader.read(overrides)
    return loader.validated(fields, _rows(regions), _rows(states))


def load_rack(path: str | Path) -> RackFile:
    """A rack file by itself. Raises InputError with every problem."""
    found = check_document("rack", _document(Path(path), "rack"))
    if found.problems:
        raise InputError(found.problems)
    model: RackFile = found.model
    return model


def load_design(
    fields: Mapping[str, FieldSpec],
    path: str | Path | None = None,
    overrides: Sequence[str] = (),
) -> DesignFile:
    """A design file by itself, or none, with `--set design.` overrides.

    Raises InputError with every problem; overrides of other kinds are refused.
    """
    document = Document("", None, "design") if path is None else _document(Path(path), "design")
    parsed, problems = split_overrides(list(overrides))
    tree = document.tree
    for kind, below, value in parsed:
        if kind != "design":
            problems.append(Problem("only design. can be set here", SET, path=f"{kind}."))
            continue
        try:
            tree = with_value(tree, below, value, kind)
        except InputError as error:
            problems += error.problems
    checked, found = validate_design(Document(document.file, tree, "design"), fields)
    if problems + found:
        raise InputError(problems + found)
    return checked


def _rows(rows: Any) -> tuple[Any, ...]:
    return tuple(rows.values() if isinstance(rows, Mapping) else rows)


def _document(path: Path, kind: str, named_at: Problem | None = None) -> Document:
    return Document(str(path), parse_yaml(read_text(path, named_at), str(path)), kind)


class _Loader:
    """Finds and reads the files of one site, then validates them together."""

    def __init__(self, path: Path, named: dict[str, str]) -> None:
        self.named = named
        self.problems: list[Problem] = []
        self.documents: dict[str, Document] = {}
        self.rack_id: str | None = None
        self.rack_place: Problem | None = None
        self.rack_tree: Block | None = None
        self.site_path = path
        if is_folder(path):
            self.site_path = path / "site.yaml"
            if not is_file(self.site_path) and is_file(path / "site.yml"):
                self.site_path = path / "site.yml"
        self.folder = self.site_path.parent
        self.beside = self.site_path.stem == "site"

    def read(self, overrides: Sequence[str]) -> None:
        """Read all files that are named or stand beside the site file, and change the trees."""
        changes, problems = split_overrides(list(overrides))
        self.problems += problems
        try:
            self.documents["site"] = _document(self.site_path, "site")
        except InputError as error:
            self.problems += self._no_site(error)
        self._change(changes, "site")
        for kind in ("grid", "design", "workload"):
            self._read_kind(kind)
        self._read_rack()
        for kind in KINDS[1:]:
            self._change(changes, kind)

    def _no_site(self, error: InputError) -> Sequence[Problem]:
        missing = is_folder(self.folder) and not is_file(self.site_path)
        if missing and self.site_path.suffix in _SUFFIXES and self.beside:
            others = sorted(item.name for item in self.folder.glob("*.y*ml"))[:5]
            hint = f"it holds {', '.join(others)}" if others else '"clusterplan init" makes one'
            return (Problem("holds no site.yaml", str(self.folder), hint=hint),)
        return error.problems

    def _change(self, changes: list[tuple[str, tuple[str, ...], Any]], kind: str) -> None:
        mine = [(below, value) for name, below, value in changes if name == kind]
        if not mine or (kind == "site" and kind not in self.documents):
            return
        document = self.documents.get(kind, Document("", None, kind))
        tree = document.tree
        for below, value in mine:
            try:
                tree = with_value(tree, below, value, kind)
            except InputError as error:
                self.problems += error.problems
        if kind == "rack" and kind not in self.documents:
            self.rack_tree = tree
            return
        self.documents[kind] = Document(document.file, tree, kind)

    def _mention(self, kind: str) -> tuple[str | None, Problem | None, Path]:
        """What names the file of a kind, where, and the folder its path starts from."""
        if kind in self.named:
            return self.named[kind], Problem("", None, None, f"--{kind}"), Path()
        site = self.documents.get("site")
        value = site.tree.get(kind) if site and isinstance(site.tree, dict) else None
        if isinstance(value, dict):
            value = value.get("value")
        if isinstance(value, str) and value.strip() and site is not None:
            return value, site.problem(kind, ""), self.folder
        return None, None, self.folder

    def _read_kind(self, kind: str) -> None:
        name, place, base = self._mention(kind)
        path = self._beside(kind) if name is None else base / name
        if path is None:
            return
        try:
            self.documents[kind] = _document(path, kind, place)
        except InputError as error:
            self.problems += error.problems

    def _beside(self, kind: str) -> Path | None:
        if not self.beside:
            return None
        paths = (self.folder / f"{kind}{suffix}" for suffix in _SUFFIXES)
        return next((path for path in paths if is_file(path)), None)

    def _read_rack(self) -> None:
        name, place, base = self._mention("rack")
        path = self._beside("rack")
        if name is not None:
            named = base / name
            is_path = name.endswith(_SUFFIXES) or "/" in name
            if is_path or is_file(named):
                path = named
            elif path is None or not _has_id(path, name):
                self.rack_id, self.rack_place = name, place
                return
        if path is None:
            return
        try:
            self.documents["rack"] = _document(path, "rack", place)
        except InputError as error:
            self.problems += error.problems

    def validated(
        self,
        fields: Mapping[str, FieldSpec],
        regions: tuple[Region, ...],
        states: tuple[State, ...],
    ) -> SiteInputs:
        """The inputs, or InputError with all problems found since the start."""
        from clusterplan.inputs.places import check_place

        models: dict[str, Any] = {}
        warnings: list[Warning] = []
        region = state = None
        for kind in ("site", "grid", "workload", "rack"):
            if kind not in self.documents:
                continue
            found = check_document(kind, self.documents[kind])
            models[kind] = found.model
            if kind == "site":
                region, state = check_place(found.model, found, regions, states)
            self.problems += found.problems
            warnings += found.warnings
        design = DesignFile()
        if "design" in self.documents:
            design, problems = validate_design(self.documents["design"], fields)
            self.problems += problems
        changes = self._rack_changes()
        weather = self._weather(models.get("site"))
        if self.problems:
            raise InputError(self.problems)
        return SiteInputs(
            **models,
            design=design.chosen,
            design_data=design.data,
            rack_id=self.rack_id,
            rack_changes=changes,
            rack_place=self.rack_place,
            region=region,
            state=state,
            weather=weather,
            folder=self.folder,
            files={kind: document.file for kind, document in self.documents.items()},
            documents=self.documents,
            warnings=tuple(warnings),
        )

    def _rack_changes(self) -> dict[str, Any]:
        """What `--set rack.` changes of a catalogue rack."""
        if self.rack_tree is None:
            return {}
        from clusterplan.inputs.rack_file import RackFile, rack_changes
        from clusterplan.inputs.validation import salvage, validate

        document = Document("", self.rack_tree, "rack")
        _, problems = validate(RackFile, document)
        self.problems += [p for p in problems if p.message != "is missing"]
        return rack_changes(salvage(RackFile, self.rack_tree))

    def _weather(self, site: Site | None) -> WeatherFile | None:
        """The hourly weather that the site's climate names; what is wrong with it is gathered."""
        if site is None or site.climate is None or site.climate.weather is None:
            return None
        from clusterplan.inputs.weather_file import read_weather

        try:
            named_at = site.problem("climate.weather", "")
            return read_weather(self.folder / site.climate.weather, named_at)
        except InputError as error:
            self.problems += error.problems
            return None


def _has_id(path: Path, name: str) -> bool:
    """Whether a rack file is the rack of that id. A file that cannot be read is not."""
    try:
        tree = parse_yaml(read_text(path), str(path))
    except InputError:
        return False
    return isinstance(tree, dict) and tree.get("id") == name


def check_document(kind: str, document: Document) -> Findings:
    """Validate one site, grid, rack or workload document: the model, problems and warnings."""
    from clusterplan.inputs import checks
    from clusterplan.inputs.validation import validate

    model, problems = validate(model_of(kind), document)
    if not isinstance(document.tree, dict):
        found = checks.Findings(model, kind)
    else:
        check: Any = getattr(checks, f"check_{kind}")
        found = check(model)
    found.problems[:0] = problems
    return found


def model_of(kind: str) -> Any:
    """The model of a kind of file. Imported when asked for: defining one takes milliseconds."""
    if kind == "site":
        from clusterplan.inputs.site_file import Site

        return Site
    if kind == "grid":
        from clusterplan.inputs.grid_file import Grid

        return Grid
    if kind == "rack":
        from clusterplan.inputs.rack_file import RackFile

        return RackFile
    if kind == "workload":
        from clusterplan.inputs.workload_file import Workload

        return Workload
    raise InputError(Problem(f"unknown kind {seen(kind)}", hint=did_you_mean(kind, KINDS)))
