"""`clusterplan substation`: the substation alone, at a load in MW at the meter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import recording
from clusterplan.core.results.plan import Report
from clusterplan.core.units import parse_fraction, parse_quantity

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.planning.substation_plan import ElectricalDesign

DEFAULT_COUNTRY = "US"


def run(
    *,
    load: str,
    power_factor: str | float | None = None,
    hv: str | None = None,
    mv: str | None = None,
    short_circuit: str | None = None,
    x_over_r: float | None = None,
    transformer: str | None = None,
    redundancy: int | None = None,
    impedance: str | float | None = None,
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
    load_mw = _read(problems, "--load", load, _power) or 0.0
    chosen: dict[str, Any] = {
        "electrical.power_factor": _read(problems, "--power-factor", power_factor, _factor),
        "electrical.mv": _read(problems, "--mv", mv, _mv),
        "electrical.transformer": _read(problems, "--transformer", transformer, _rating),
        "electrical.transformer_redundancy": _read(problems, "--redundancy", redundancy, _spares),
        "electrical.transformer_impedance": _read(problems, "--impedance", impedance, _impedance),
    }
    level = _read(problems, "--short-circuit", short_circuit, fault_level)
    ratio = _read(problems, "--x-over-r", x_over_r, _ratio)
    hv_kv = _read(problems, "--hv", hv, voltage)
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
    return Report(
        schema="clusterplan/substation/1",
        title=f"Substation for {load_mw:g} MW",
        parts={
            "substation": section,
            "assumptions": ledger.assumptions,
            "warnings": ledger.warnings,
        },
        record=record,
        feasible=reason is None,
        infeasible_reason=reason,
    )


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


def _read(problems: list[Problem], option: str, value: Any, parse: Callable[[Any], Any]) -> Any:
    """The parsed option, None where left out; what is wrong is gathered."""
    if value is None:
        return None
    try:
        return parse(value)
    except ValueError as error:
        problems.append(Problem(str(error), path=option))
        return None


def _within(value: float, low: float, high: float, unit: str) -> float:
    if not low <= value <= high:
        raise ValueError(
            f"{value:g} {unit} is outside {low:g} to {high:g} {unit}".replace("  ", " ")
        )
    return value


def _power(text: str) -> float:
    return _within(parse_quantity(text, "power"), 0.01, 7500.0, "MW")


def _factor(text: str | float) -> float:
    if isinstance(text, str):
        text = float(text) if "%" not in text and _is_number(text) else text
    return _within(parse_fraction(text), 0.5, 1.0, "")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def voltage(text: str) -> float:
    """A service voltage in kV, 0.4 to 800. Raises ValueError."""
    return _within(parse_quantity(text, "voltage"), 2.0, 800.0, "kV")


def _mv(text: str) -> float:
    return _within(parse_quantity(text, "voltage"), 1.0, 40.0, "kV")


def _rating(text: str) -> float:
    return _within(parse_quantity(text, "apparent_power"), 0.1, 1500.0, "MVA")


def _spares(value: int) -> int:
    return int(_within(value, 0, 8, ""))


def _impedance(text: str | float) -> float:
    if isinstance(text, str):
        if "%" not in text:
            raise ValueError(f'{text!r} has no unit; write "{text} %"')
        return _within(100.0 * parse_fraction(text), 2.0, 25.0, "%")
    return _within(float(text), 2.0, 25.0, "%")


def _ratio(value: float) -> float:
    return _within(float(value), 1.0, 100.0, "")


def fault_level(text: str) -> tuple[float | None, float | None]:
    """A short-circuit level as (MVA, kA), one of them None. Raises ValueError."""
    try:
        value = parse_quantity(text, "current")
    except ValueError:
        mva = parse_quantity(text, "apparent_power")
        if mva <= 0.0:
            raise ValueError(f"{text!r}: a short-circuit level is above 0") from None
        return mva, None
    return None, _within(value, 0.5, 100.0, "kA")
