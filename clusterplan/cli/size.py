"""`clusterplan size`: load, plan, report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clusterplan import catalog
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.units import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusterplan.core.results.plan import Report
    from clusterplan.inputs.loading import SiteInputs


def load(site: str, files: Mapping[str, str | None], overrides: Sequence[str]) -> SiteInputs:
    """The inputs of one site. Raises InputError with every problem."""
    from clusterplan.inputs.loading import load_site_folder

    return load_site_folder(
        site,
        fields=catalog.design_fields(),
        regions=catalog.regions(),
        states=catalog.us_states(),
        grid=files.get("grid"),
        design=files.get("design"),
        workload=files.get("workload"),
        rack=files.get("rack"),
        overrides=overrides,
    )


def run(
    site: str,
    *,
    files: Mapping[str, str | None],
    accelerators: int | None = None,
    racks: int | None = None,
    it_power: str | None = None,
    overrides: Sequence[str] = (),
    record: bool = True,
    screen: bool = False,
) -> Report:
    """The plan of one site as a report, with its calculation record on demand.

    Raises InputError, InfeasibleError.
    """
    from clusterplan.planning.size_site import NothingFitsError, Request, size_site

    asked = {"--accelerators": accelerators, "--racks": racks, "--it-power": it_power}
    given = [name for name, value in asked.items() if value is not None]
    if len(given) > 1:
        raise InputError(Problem(f"{' and '.join(given)} exclude each other", hint="give one"))
    for name in ("--accelerators", "--racks"):
        value = asked[name]
        if isinstance(value, int) and value < 1:
            raise InputError(Problem(f"{name} {value}: at least 1 is due"))
    it_mw = None
    if it_power is not None:
        try:
            it_mw = parse_quantity(it_power, "power")
        except ValueError as error:
            raise InputError(Problem(f"--it-power: {error}")) from None
    inputs = load(site, files, overrides)
    if screen:
        inputs = replace(inputs, screen=True)
    try:
        return size_site(inputs, Request(accelerators, racks, it_mw), record=record).report()
    except NothingFitsError as error:
        return error.report
