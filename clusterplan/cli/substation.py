"""`clusterplan substation`: the substation alone, at a load in MW at the meter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clusterplan.cli.discipline_report import discipline_report
from clusterplan.cli.option_values import (
    read_option,
    service_voltage_kv,
    short_circuit_level,
    within,
    x_over_r_ratio,
)
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import recording
from clusterplan.core.units import parse_fraction, parse_quantity

if TYPE_CHECKING:
    from clusterplan.core.results.plan import Report
    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.planning.substation_plan import ElectricalDesign

DEFAULT_COUNTRY = "US"


def run(
    *,
    load: str,
    power_factor: str | None = None,
    hv: str | None = None,
    mv: str | None = None,
    short_circuit: str | None = None,
    x_over_r: float | None = None,
    transformer: str | None = None,
    redundancy: int | None = None,
    impedance: str | None = None,
    country: str = DEFAULT_COUNTRY,
) -> Report:
    """Size the substation for `load`; what is left out is chosen.

    Quantities as text with units; short_circuit in kA or MVA; impedance in percent on the ONAN
    rating. Raises InputError naming the options that are wrong. Where the asked-for design fails,
    the report is infeasible and holds the nearest one that passes.
    """
    from clusterplan import catalog
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.substation_plan import electrical_design
    from clusterplan.sizing.grid_connection import GridConnection

    problems: list[Problem] = []
    load_mw = read_option(problems, "--load", load, _power) or 0.0
    chosen: dict[str, Any] = {
        "electrical.power_factor": read_option(problems, "--power-factor", power_factor, _factor),
        "electrical.mv": read_option(problems, "--mv", mv, _mv),
        "electrical.transformer": read_option(problems, "--transformer", transformer, _rating),
        "electrical.transformer_redundancy": read_option(
            problems, "--redundancy", redundancy, _spares
        ),
        "electrical.transformer_impedance": read_option(
            problems, "--impedance", impedance, _impedance
        ),
    }
    level = read_option(problems, "--short-circuit", short_circuit, short_circuit_level)
    ratio = read_option(problems, "--x-over-r", x_over_r, x_over_r_ratio)
    hv_kv = read_option(problems, "--hv", hv, service_voltage_kv)
    if problems:
        raise InputError(problems)
    mva, ka = level or (None, None)
    grid = GridConnection(
        voltage_kv=hv_kv, short_circuit_min_mva=mva, short_circuit_min_ka=ka, x_over_r=ratio
    )
    chosen = {path: value for path, value in chosen.items() if value is not None}
    ledger = Ledger()
    with recording() as record:
        design = electrical_design(Choices(catalog.design_fields(), chosen, ledger), grid, country)
        section, reason = nearest(design, load_mw)
    if section is None:
        raise InfeasibleError(str(reason), "substation")
    title = f"Substation for {load_mw:g} MW"
    return discipline_report("substation", title, section, ledger, record, infeasible_reason=reason)


def nearest(
    design: ElectricalDesign, load_mw: float
) -> tuple[SubstationSection | None, str | None]:
    """The substation as asked for, or the reason why not and the nearest one that passes.

    Kept longest is the service voltage, then the load: rating and secondaries are given up first,
    then MV; where no substation at that voltage carries the load, the largest load that one does.
    """
    from clusterplan.planning.substation_plan import substation_section

    reason = None
    duty = design.duty
    no_rating = replace(duty, rating_mva=None, secondaries=None)
    no_mv = replace(no_rating, mv_kv=None)
    for trial in (duty, no_rating, no_mv):
        try:
            return substation_section(replace(design, duty=trial), load_mw), reason
        except InfeasibleError as error:
            reason = reason or str(error)
    anywhere = replace(design, duty=replace(no_mv, hv_kv=None))
    for trial in (duty, no_mv):
        at_most = _largest_load(replace(design, duty=trial), load_mw)
        if at_most > 0.0:
            section = substation_section(replace(design, duty=trial), at_most)
            hint = _other_voltage(anywhere, load_mw) if duty.hv_kv is not None else ""
            return section, f"{reason}; {at_most:g} MW is the most{hint}"
    try:
        return substation_section(anywhere, load_mw), reason
    except InfeasibleError:
        return None, reason


def _largest_load(design: ElectricalDesign, load_mw: float) -> float:
    """The largest load in steps of 0.1 % that passes, by bisection; 0 where none does."""
    from clusterplan.planning.substation_plan import choose

    low, high = 0, 1000
    while high - low > 1:
        middle = (low + high) // 2
        if choose(design, load_mw * middle / 1000.0).scheme is not None:
            low = middle
        else:
            high = middle
    return load_mw * low / 1000.0


def _other_voltage(design: ElectricalDesign, load_mw: float) -> str:
    from clusterplan.planning.substation_plan import choose

    scheme = choose(design, load_mw).scheme
    return "" if scheme is None else f", {scheme.hv_kv:g} kV would carry all of it"


def _power(text: str) -> float:
    return within(parse_quantity(text, "power"), 0.01, 7500.0, "MW")


def _factor(text: str) -> float:
    return within(parse_fraction(text), 0.5, 1.0)


def _mv(text: str) -> float:
    return within(parse_quantity(text, "voltage"), 1.0, 40.0, "kV")


def _rating(text: str) -> float:
    return within(parse_quantity(text, "apparent_power"), 0.1, 1500.0, "MVA")


def _spares(value: int) -> int:
    return int(within(value, 0, 7))  # a group holds eight units, one at least on duty


def _impedance(text: str) -> float:
    if "%" not in text:
        raise ValueError(f'{text!r} has no unit; write "{text} %"')
    return within(100.0 * parse_fraction(text), 2.0, 25.0, "%")
