"""Electrical discipline of one plan: choices and grid to design, chain, substation section."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.frozen import frozen
from clusterplan.core.record import active_recorder, given
from clusterplan.core.results.substation import ChainLoss
from clusterplan.planning.electrical_choices import (
    ambient,
    check_voltages,
    efficiencies_of,
    power_factor_min,
)
from clusterplan.planning.substation_inputs import practice_of, rules_of, tables_of
from clusterplan.planning.substation_section import build_section
from clusterplan.sizing.distribution import (
    ChainEfficiency,
    ChainStage,
    chain_efficiency,
    chain_stages,
    stage_losses,
)
from clusterplan.sizing.electrical_load import substation_load_mw
from clusterplan.sizing.existing_units import UnitSet, existing_sets, firm_of_existing_mva
from clusterplan.sizing.service_voltage import hv_candidates, is_mv_service
from clusterplan.sizing.substation import Choice, choose_substation
from clusterplan.sizing.substation_tables import (
    EHV_MIN_KV,
    SubstationDuty,
    SubstationRules,
    SubstationTables,
)
from clusterplan.sizing.transformers import existing_firm_mva as firm_left_mva

if TYPE_CHECKING:
    from clusterplan.core.equipment import Climate, Ups
    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.sizing.grid_connection import GridConnection

CIRCUITS = 2
METHOD = "clusterplan method, electrical step"
_REASONS = 3  # of the candidates tried last: the higher voltages


class ChainLoads(NamedTuple):
    """Loads at the ends of the chain in MW: racks, plant motors and house, motors on the UPS."""

    it_mw: float
    mechanical_mw: float
    mechanical_on_ups_mw: float = 0.0


@frozen
class ElectricalDesign:
    """Everything electrical that does not depend on the size of the plan."""

    grid: GridConnection
    tables: SubstationTables
    rules: SubstationRules
    duty: SubstationDuty
    efficiencies: dict[str, float]
    ups: Ups | None
    distribution: str
    psu_efficiency: float | None
    power_factor_min: float
    existing: tuple[UnitSet, ...]
    ledger: Ledger


def electrical_design(
    choices: Choices, grid: GridConnection, country: str, climate: Climate | None = None
) -> ElectricalDesign:
    """Resolve the electrical choices once. Raises catalog.UnknownRowError for the country.

    climate: derates existing transformers by its 24 h mean (0.4 % dry bulb less 5 K) and
    elevation; units bought for the site are specified for it.
    """
    ledger = choices.ledger
    tables, rules, distribution, ups = choices.once(
        ("practice", country), lambda own: _practice(own, country)
    )
    duty = _duty(choices, grid)
    efficiencies = choices.once(
        ("efficiencies", distribution), lambda own: efficiencies_of(own, distribution, ups)
    )
    return ElectricalDesign(
        grid=grid,
        tables=tables,
        rules=rules,
        duty=duty,
        efficiencies=efficiencies,
        ups=ups,
        distribution=distribution,
        psu_efficiency=(
            choices.number("electrical.efficiency.psu") if distribution == "dc800" else None
        ),
        power_factor_min=power_factor_min(grid, ledger),
        existing=existing_sets(grid, tables, *ambient(climate, grid, ledger)),
        ledger=ledger,
    )


def _practice(
    choices: Choices, country: str
) -> tuple[SubstationTables, SubstationRules, str, Ups | None]:
    practice, frequency_hz = practice_of(country)
    practice = choices.text("electrical.practice") or practice
    frequency_hz = choices.optional("electrical.frequency") or frequency_hz
    tables = tables_of(practice, frequency_hz)
    rules = rules_of(choices, frequency_hz)
    distribution = choices.text("electrical.distribution")
    ups = None
    if choices.text("ups") != "none":
        ups = catalog.ups(choices.text("electrical.ups_kind"))
    return tables, rules, distribution, ups


def _duty(choices: Choices, grid: GridConnection) -> SubstationDuty:
    """The duty without its load. The grid file's voltage rules over the design's."""
    hv_kv = grid.voltage_kv
    if hv_kv is None:
        hv_kv = choices.optional("electrical.hv")
    mv_kv = choices.optional("electrical.mv")
    check_voltages(hv_kv, mv_kv, islanded=grid.islanded)
    impedance = choices.optional("electrical.transformer_impedance")
    secondaries = choices.optional("electrical.secondaries")
    circuits = grid.circuits
    if circuits is None:
        circuits = CIRCUITS
        if not grid.islanded:
            choices.ledger.assume("grid.circuits", circuits, "", "counting rule 15")
    power_factor_mv = choices.optional("electrical.power_factor_mv")
    return SubstationDuty(
        active_mw=0.0,
        power_factor=(
            choices.number("electrical.power_factor") if power_factor_mv is None else 1.0
        ),
        power_factor_mv=power_factor_mv,
        hv_kv=hv_kv,
        mv_kv=mv_kv,
        rating_mva=choices.optional("electrical.transformer"),
        impedance=None if impedance is None else impedance / 100.0,
        secondaries=None if secondaries is None else int(secondaries),
        fault_min_mva=grid.short_circuit_min_mva,
        fault_max_mva=grid.short_circuit_max_mva,
        fault_min_ka=grid.short_circuit_min_ka,
        fault_max_ka=grid.short_circuit_max_ka,
        x_over_r=grid.x_over_r,
        machines_mva=grid.machines_mva,
        machines_mv_mva=grid.machines_mv_mva,
        machines_mv_x_over_r=grid.machines_mv_x_over_r,
        circuits=circuits,
        islanded=grid.islanded,
    )


def duty_of(
    design: ElectricalDesign, load_mw: float, swing_mw: float | None = None
) -> SubstationDuty:
    """The duty at a load in MW through the substation."""
    fraction = None if swing_mw is None or load_mw <= 0 else min(1.0, swing_mw / load_mw)
    return dataclasses.replace(design.duty, active_mw=load_mw, swing_fraction=fraction)


def hv_stages(design: ElectricalDesign, load_mw: float | None = None) -> int:
    """Transformations from the service to MV: 0 at MV service, 2 at 500 kV and above, else 1.

    load_mw decides where the service voltage is open, and whether a small islanded site has one;
    without it such a site counts one.
    """
    known = design.duty
    if load_mw is None:
        if known.hv_kv is None or known.islanded:
            return 1
        return _stages_at(known, known.hv_kv)
    duty = dataclasses.replace(known, active_mw=load_mw)
    return _stages_at(duty, hv_candidates(duty, design.tables)[0])


def _stages_at(duty: SubstationDuty, hv_kv: float) -> int:
    if is_mv_service(duty, hv_kv):
        return 0
    return 2 if hv_kv >= EHV_MIN_KV else 1


def stages_of(design: ElectricalDesign, load_mw: float | None = None) -> tuple[ChainStage, ...]:
    """The stages from the meter to the rack."""
    position = design.ups.position if design.ups else ""
    return chain_stages(
        design.efficiencies,
        hv_stages(design, load_mw),
        bool(position),
        design.distribution,
        position,
    )


def chain(design: ElectricalDesign, load_mw: float | None = None) -> ChainEfficiency:
    """Efficiencies from the meter to the racks and the cooling plant; see `hv_stages`.

    With `dc800` rack power is to be restated first: x `design.psu_efficiency`.
    """
    return chain_efficiency(stages_of(design, load_mw))


def chain_losses(
    design: ElectricalDesign,
    loads: ChainLoads,
    load_mw: float | None = None,
    facility_mw: float | None = None,
) -> tuple[ChainLoss, ...]:
    """Losses by stage in MW, from the meter inwards; with the loads they add up to the meter.

    facility_mw: where a PUE was given, what the meter reads: then all but IT is scaled to it, so
    that the table splits the loss that is already inside. Raises InputError where the chain to
    the racks alone loses more than that PUE leaves.
    """
    stages = stages_of(design, load_mw)
    at = chain_efficiency(stages)
    if facility_mw is not None:
        loads = _scaled(loads, at, facility_mw)
    found = stage_losses(stages, *loads)
    if active_recorder() is not None:
        _note_branches(stages, loads)
    return tuple(
        ChainLoss(
            stage=row.stage,
            efficiency_percent=row.efficiency_percent,
            input_mw=row.input_mw,
            loss_mw=row.loss_mw,
        )
        for row in found
    )


def loads_at_meter(
    design: ElectricalDesign, loads: ChainLoads, load_mw: float, facility_mw: float
) -> ChainLoads:
    """The loads that with the losses of `chain_losses` make up what the meter reads."""
    return _scaled(loads, chain_efficiency(stages_of(design, load_mw)), facility_mw)


def _note_branches(stages: tuple[ChainStage, ...], loads: ChainLoads) -> None:
    """Note what each stage delivers to the branches behind it, which the next one takes in."""
    branches = list(loads)
    source = "load at the end of the branch"
    for place, stage in zip(range(len(stages) - 1, -1, -1), reversed(stages), strict=True):
        passes = (stage.it, stage.mechanical, stage.mechanical_on_ups)
        for name, mw in zip(loads._fields, branches, strict=True):
            given(f"substation.losses.{place}.{name}", mw, "MW", source)
        source = f"what {stage.stage} takes in for it: / {stage.efficiency:g} where it passes"
        branches = [
            mw / stage.efficiency if through else mw
            for mw, through in zip(branches, passes, strict=True)
        ]


def _scaled(loads: ChainLoads, at: ChainEfficiency, facility_mw: float) -> ChainLoads:
    """The loads with all but IT changed so that the meter reads `facility_mw`."""
    it_mw = loads.it_mw / at.it
    rest = loads.mechanical_mw / at.mechanical + loads.mechanical_on_ups_mw / at.mechanical_on_ups
    left = facility_mw - it_mw
    if abs(left - rest) <= 1e-9 * facility_mw:
        return loads
    if left < 0.0:
        raise InputError(
            Problem(
                f"a PUE of {facility_mw / loads.it_mw:.3f} is below {1.0 / at.it:.3f}, what the"
                " distribution chain alone takes",
                path="site.pue_peak",
                hint="raise it, or give the efficiencies or `ups: none` in design.yaml",
            )
        )
    share = left / rest if rest > 0.0 else 0.0
    return ChainLoads(loads.it_mw, loads.mechanical_mw * share, loads.mechanical_on_ups_mw * share)


def existing_firm_mva(design: ElectricalDesign) -> float | None:
    """Firm MVA that existing transformers leave for the site; None where none stand or unknown.

    Capabilities without the redundant largest units, less the load already on them. That load
    unknown: None and a warning, never 0.
    """
    if not design.existing:
        return None
    if design.grid.existing_load_mva is None:
        design.ledger.warn(
            "existing_load_unknown",
            "grid.existing_load",
            "the load already on the existing transformers is unknown, so their firm capacity is "
            "unknown and does not limit the plan",
        )
        return None
    firm = firm_of_existing_mva(design.existing, design.rules.redundant, design.rules.running)
    return firm_left_mva(firm, design.grid.existing_load_mva)


def choose(design: ElectricalDesign, load_mw: float, swing_mw: float | None = None) -> Choice:
    """The substation for a load; the scheme is None where none passes."""
    return choose_substation(duty_of(design, load_mw, swing_mw), design.rules, design.tables)


def substation_section(
    design: ElectricalDesign,
    facility_mw: float,
    onsite_mv_mw: float = 0.0,
    swing_mw: float | None = None,
    loads: ChainLoads | None = None,
) -> SubstationSection:
    """Size and evaluate the substation; recorded where a record is kept.

    onsite_mv_mw: firm on-site MW that join at MV. swing_mw: swing of the job at the meter, which
    then moves the MV voltage, less the grid's part, within the limit of the rules. loads: adds the
    losses of the distribution chain by stage. Raises InfeasibleError where no design passes, with
    the reasons of the candidates that came nearest, InputError as `chain_losses`.
    """
    duty = duty_of(design, substation_load_mw(facility_mw, onsite_mv_mw), swing_mw)
    _warn_machines(design, onsite_mv_mw)
    firm_left = existing_firm_mva(design) if design.existing else None
    scheme = None
    if not design.existing:
        found = choose_substation(duty, design.rules, design.tables)
        scheme = found.scheme
        if scheme is None:
            raise InfeasibleError(failure_text(found), "substation")
    section = build_section(design, duty, scheme, (facility_mw, onsite_mv_mw), firm_left)
    if loads is None:
        return section
    through = max(0.0, facility_mw - onsite_mv_mw)
    rows = chain_losses(design, loads, through, facility_mw)
    return dataclasses.replace(section, losses=rows)


def _warn_machines(design: ElectricalDesign, onsite_mv_mw: float) -> None:
    """On-site machines whose fault contribution is unknown."""
    level = ""
    if onsite_mv_mw > 0.0:
        level = "" if design.grid.machines_mv_mva else "MV"
    elif design.grid.generators_at_hv and not design.grid.machines_mva and not design.duty.islanded:
        level = "HV"
    if level:
        design.ledger.warn(
            "onsite_fault_contribution",
            "site.generation",
            f"on-site machines that join at {level} raise the {level} fault level; it is left out "
            "until their subtransient reactances are known",
        )


def failure_text(choice: Choice) -> str:
    """Why no substation passes, in one line."""
    return f"no substation passes: {'; '.join(choice.failures[-_REASONS:])}"
