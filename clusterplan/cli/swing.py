"""`clusterplan swing`: the power swing of one training job on all racks of a rack type."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.cli.discipline_report import discipline_report
from clusterplan.cli.option_values import (
    read_option,
    service_voltage_kv,
    short_circuit_level,
    within,
    x_over_r_ratio,
)
from clusterplan.cli.rack_option import accelerator_row, rack_row
from clusterplan.cli.substation import nearest
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import given, recording
from clusterplan.core.units import parse_fraction, parse_quantity

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack
    from clusterplan.core.results.plan import Report
    from clusterplan.planning.swing_plan import JobShape
    from clusterplan.sizing.grid_connection import GridConnection

# Facility over IT where the command knows no cooling plant: liquid cooling in a warm climate
ASSUMED_PUE = 1.25


def run(
    *,
    rack: str | Rack | None = None,
    racks: int | None = None,
    accelerators: int | None = None,
    hv: str | None = None,
    short_circuit: str | None = None,
    x_over_r: float | None = None,
    utility: str = "",
    country: str = "US",
    swing: str | None = None,
    load: str | None = None,
    edge_time: str | None = None,
    step_time: str | None = None,
    communication_share: str | None = None,
    jobs: int | None = None,
) -> Report:
    """Swing, ramp, step voltage and flicker of a job on `racks` racks (or `accelerators`).

    The facility load from which the swing falls is assumed from IT power (`ASSUMED_PUE`), unless
    `load` gives it. With `swing` the MW at the connection point are given, without any rack.
    utility: whose limits apply; `all` for every published one. Raises InputError naming the
    options that are wrong.
    """
    from clusterplan import catalog
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.power_plan import power_design
    from clusterplan.planning.rack_choice import choose_rack
    from clusterplan.planning.substation_plan import electrical_design
    from clusterplan.planning.swing_plan import job_swing, swing_section
    from clusterplan.sizing.power import it_power

    told = _told(load, edge_time, step_time, communication_share, jobs)
    if swing is not None:
        if (rack, racks, accelerators) != (None, None, None):
            raise InputError(Problem("--swing needs no rack, and takes none", path="--swing"))
        grid = _grid(hv, short_circuit, x_over_r, utility)
        return _of_power(swing, told, grid, country)
    if rack is None:
        hint = "such as gb300-nvl72, or give --swing and --load"
        raise InputError(Problem("a rack is due", path="--rack", hint=hint))
    row = rack_row(rack)
    accelerator = accelerator_row(row)
    count = _count(row, racks, accelerators)
    grid = _grid(hv, short_circuit, x_over_r, utility)
    ledger = Ledger()
    choices = Choices(catalog.design_fields(), {}, ledger)
    with recording() as record:
        chosen = choose_rack(row, accelerator, choices)
        power = power_design(choices, chosen, fabric_counted=False)
        it = it_power(power, count * row.servers_per_rack)
        facility_mw = told.load_mw
        if facility_mw is None:
            facility_mw = it.total_mw * ASSUMED_PUE
            words = "no cooling plant is sized here"
            ledger.assume("swing.facility_over_it", ASSUMED_PUE, "", words)
        elif facility_mw < it.total_mw:
            message = f"{facility_mw:g} MW are less than the {it.total_mw:.4g} MW of IT"
            raise InputError(Problem(message, path="--load", hint="give the load at the meter"))
        design = electrical_design(choices, grid, country)
        substation, reason = nearest(design, facility_mw)
        if substation is None:
            raise InfeasibleError(reason or "no substation passes", "transformers")
        if reason is not None:
            # the largest plan: as many racks as that substation carries
            most = int(count * substation.active_power_mw / facility_mw + 1e-9)
            reason = f"{reason}, {most:,} of {count:,} racks"
            count = most
        job = job_swing(
            choices,
            count * chosen.typical_kw / 1000.0,
            count * chosen.idle_kw / 1000.0,
            count * chosen.peak_kw / 1000.0,
            told.step_time_s,
            told.shape(count * row.accelerators_per_rack, row.storage_joule_per_accelerator),
        )
        section = swing_section(design, substation, job)
    title = f"Power swing of {count} {'rack' if count == 1 else 'racks'} of {row.name or row.id}"
    return discipline_report("swing", title, section, ledger, record, infeasible_reason=reason)


class _Told(NamedTuple):
    """What options say of load and job; None where left out."""

    load_mw: float | None
    edge_s: float | None
    step_time_s: float | None
    share: float | None
    jobs: int | None

    def shape(self, accelerators: float = 0.0, joule: float | None = None) -> JobShape:
        """The job, on racks that store so many joules an accelerator."""
        from clusterplan.planning.swing_plan import JobShape

        return JobShape(self.share, self.edge_s, self.jobs or 1, accelerators, joule)


def _told(
    load: str | None, edge: str | None, step: str | None, share: str | None, jobs: int | None
) -> _Told:
    problems: list[Problem] = []
    found = _Told(
        read_option(problems, "--load", load, _power),
        read_option(problems, "--edge-time", edge, lambda text: _seconds(text, 0.001, 60.0)),
        read_option(problems, "--step-time", step, lambda text: _seconds(text, 0.01, 3600.0)),
        read_option(problems, "--communication-share", share, _share),
        read_option(problems, "--jobs", jobs, lambda value: int(within(value, 1, 100_000))),
    )
    if problems:
        raise InputError(problems)
    return found


def _power(text: str) -> float:
    return within(parse_quantity(text, "power"), 0.01, 7500.0, "MW")


def _seconds(text: str, low: float, high: float) -> float:
    return within(parse_quantity(text, "duration"), low, high, "s")


def _share(text: str) -> float:
    return within(parse_fraction(text), 0.0, 0.95)


def _of_power(swing: str, told: _Told, grid: GridConnection, country: str) -> Report:
    """The report of a swing of so many MW at the connection point, whatever makes it."""
    from clusterplan import catalog
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.substation_plan import chain, electrical_design
    from clusterplan.planning.swing_plan import job_swing, swing_section

    problems: list[Problem] = []
    swing_mw = read_option(problems, "--swing", swing, _power)
    load_mw = told.load_mw
    if load_mw is None:
        problems.append(Problem("the load that swings is due", path="--load", hint='as "100 MW"'))
    elif swing_mw is not None and swing_mw > load_mw:
        message = f"{swing_mw:g} MW are more than the load of {load_mw:g} MW"
        problems.append(Problem(message, path="--swing"))
    if problems or swing_mw is None or load_mw is None:
        raise InputError(problems)
    ledger = Ledger()
    choices = Choices(catalog.design_fields(), {}, ledger)
    with recording() as record:
        design = electrical_design(choices, grid, country)
        substation, reason = nearest(design, load_mw)
        if substation is None or reason is not None:
            raise InfeasibleError(reason or "no substation passes", "transformers")
        # at the racks, so that the chain brings it to the meter as it was given
        at_racks = swing_mw * chain(design, substation.active_power_mw).it
        given("swing.given_mw", swing_mw, "MW", "--swing", "given")
        given("swing.given.high_mw", at_racks, "MW", "--swing x chain efficiency", "given")
        job = job_swing(choices, at_racks, 0.0, None, told.step_time_s, told.shape())
        section = swing_section(design, substation, job)
    title = f"Power swing of {swing_mw:g} MW in {job.edge_s:g} s, on a load of {load_mw:g} MW"
    return discipline_report("swing", title, section, ledger, record)


def _grid(
    hv: str | None, short_circuit: str | None, x_over_r: float | None, utility: str
) -> GridConnection:
    """The connection that the options describe. Raises InputError with every problem."""
    from clusterplan.sizing.grid_connection import GridConnection

    problems: list[Problem] = []
    level = read_option(problems, "--short-circuit", short_circuit, short_circuit_level)
    hv_kv = read_option(problems, "--hv", hv, service_voltage_kv)
    ratio = read_option(problems, "--x-over-r", x_over_r, x_over_r_ratio)
    if problems:
        raise InputError(problems)
    level_mva, level_ka = level or (None, None)
    return GridConnection(
        voltage_kv=hv_kv,
        short_circuit_min_mva=level_mva,
        short_circuit_min_ka=level_ka,
        x_over_r=ratio,
        utility=utility,
    )


def _count(row: Rack, racks: int | None, accelerators: int | None) -> int:
    """Whole racks: as given, or what holds the accelerators."""
    if (racks is None) == (accelerators is None):
        raise InputError(Problem("give either --racks or --accelerators", path="swing"))
    option, value = ("--racks", racks) if accelerators is None else ("--accelerators", accelerators)
    if value is None or not 1 <= value <= 100_000_000:
        raise InputError(Problem(f"{value} is outside 1 to 100000000", path=option))
    return value if accelerators is None else math.ceil(value / row.accelerators_per_rack)
