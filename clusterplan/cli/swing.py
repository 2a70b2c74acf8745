"""`clusterplan swing`: the power swing of one training job on all racks of a rack type."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan.cli.discipline_report import discipline_report
from clusterplan.cli.option_values import (
    read_option,
    service_voltage_kv,
    short_circuit_level,
    x_over_r_ratio,
)
from clusterplan.cli.rack_option import accelerator_row, rack_row
from clusterplan.cli.substation import nearest
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import recording

if TYPE_CHECKING:
    from clusterplan.core.equipment import Rack
    from clusterplan.core.results.plan import Report
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
) -> Report:
    """Swing, ramp, step voltage and flicker of a job on `racks` racks (or `accelerators`).

    The facility load from which the swing falls is assumed from IT power (`ASSUMED_PUE`).
    Raises InputError naming the options that are wrong.
    """
    from clusterplan import catalog
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.power_plan import power_design
    from clusterplan.planning.rack_choice import choose_rack
    from clusterplan.planning.substation_plan import electrical_design
    from clusterplan.planning.swing_plan import job_swing, swing_section
    from clusterplan.sizing.power import it_power

    if rack is None:
        raise InputError(Problem("a rack is due", path="--rack", hint="such as gb300-nvl72"))
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
        ledger.assume("swing.facility_over_it", ASSUMED_PUE, "", "no cooling plant is sized here")
        design = electrical_design(choices, grid, country)
        substation, reason = nearest(design, it.total_mw * ASSUMED_PUE)
        if substation is None:
            raise InfeasibleError(reason or "no substation passes", "transformers")
        if reason is not None:
            # the largest plan: as many racks as that substation carries
            most = int(count * substation.active_power_mw / (it.total_mw * ASSUMED_PUE) + 1e-9)
            reason = f"{reason}, {most:,} of {count:,} racks"
            count = most
        job = job_swing(
            choices,
            count * chosen.typical_kw / 1000.0,
            count * chosen.idle_kw / 1000.0,
            count * chosen.peak_kw / 1000.0,
        )
        section = swing_section(design, substation, job)
    title = f"Power swing of {count} {'rack' if count == 1 else 'racks'} of {row.name or row.id}"
    return discipline_report("swing", title, section, ledger, record, infeasible_reason=reason)


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
