"""`clusterplan size`: load, plan, report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.units import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusterplan.core.results.plan import Report, SitePlan
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.planning.size_site import Request


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


class Asked(NamedTuple):
    """The size that is asked for on the command line; all None fills the site."""

    accelerators: int | None = None
    racks: int | None = None
    it_power: str | None = None


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
    from clusterplan.planning.size_site import NothingFitsError

    asked = Asked(accelerators, racks, it_power)
    try:
        plan, _ = planned(
            site, files=files, asked=asked, overrides=overrides, record=record, screen=screen
        )
    except NothingFitsError as error:
        return error.report
    return plan.report()


def planned(
    site: str,
    *,
    files: Mapping[str, str | None],
    asked: Asked,
    overrides: Sequence[str] = (),
    record: bool = False,
    screen: bool = False,
) -> tuple[SitePlan, SiteInputs]:
    """The plan of one site and the inputs it was made from; screen: regional data fill gaps.

    Raises InputError, InfeasibleError (NothingFitsError with the report of limits and stages).
    """
    from clusterplan.planning.size_site import size_site

    request = _request(asked)
    inputs = load(site, files, overrides)
    if screen:
        inputs = replace(inputs, screen=True)
    return size_site(inputs, request, record=record), inputs


def _request(asked: Asked) -> Request:
    from clusterplan.planning.size_site import Request

    accelerators, racks, it_power = asked
    options = {"--accelerators": accelerators, "--racks": racks, "--it-power": it_power}
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise InputError(Problem(f"{' and '.join(given)} exclude each other", hint="give one"))
    for name in ("--accelerators", "--racks"):
        value = options[name]
        if isinstance(value, int) and value < 1:
            raise InputError(Problem(f"{name} {value}: at least 1 is due"))
    it_mw = None
    if it_power is not None:
        try:
            it_mw = parse_quantity(it_power, "power")
        except ValueError as error:
            raise InputError(Problem(f"--it-power: {error}")) from None
    return Request(accelerators, racks, it_mw)
