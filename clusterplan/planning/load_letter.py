"""The load letter of one site, or of several halls at one connection point, from their plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import given
from clusterplan.core.results.load_letter import (
    LetterGeneration,
    LetterSwing,
    LoadFigures,
    LoadLetter,
    LoadMix,
    RideThrough,
    Service,
)
from clusterplan.core.shown_units import unit_of
from clusterplan.inputs.datum import value_of
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.connection import grid_connection
from clusterplan.planning.interconnection import JudgedLoad, rule_verdicts, rules_for
from clusterplan.planning.letter_questions import open_questions
from clusterplan.planning.letter_ramp import ramp_of
from clusterplan.planning.site_case import site_case
from clusterplan.planning.swing_limits import Swing, limits_for, verdicts
from clusterplan.sizing.load_letter import (
    load_factor_percent,
    load_share_percent,
    site_load_mw,
    worst_swing_mw,
)
from clusterplan.sizing.power_swing import combined_swing_mw

if TYPE_CHECKING:
    from clusterplan.core.results.load_letter import LetterStage, RuleVerdict
    from clusterplan.core.results.plan import SitePlan
    from clusterplan.core.results.substation import SwingSection, SwingVerdict
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.inputs.loading import SiteInputs

PROOF = {
    None: "not stated",
    "none": "none yet",
    "draft": "draft",
    "met": "met, says the applicant",
}


class Hall(NamedTuple):
    """One sized site of the letter."""

    plan: SitePlan
    inputs: SiteInputs
    grid: Grid

    @property
    def name(self) -> str:
        """What the letter calls it."""
        return self.plan.site.name


def load_letter(plans: list[tuple[SitePlan, SiteInputs]]) -> LoadLetter:
    """The letter of all halls; the first one's grid file describes the service point.

    Raises InputError where a hall has no grid file, or halls are at different points.
    """
    halls = [_hall(plan, inputs) for plan, inputs in plans]
    _check_one_point(halls)
    first = halls[0]
    existing = max((_existing_mw(hall.grid) for hall in halls), default=0.0)
    ramp = ramp_of(halls, existing)
    load = _load(halls, ramp, existing)
    mix = tuple(_mix(hall) for hall in halls)
    share = sum(
        one.computational_percent * hall.plan.summary.facility_power_mw
        for one, hall in zip(mix, halls, strict=True)
    ) / sum(hall.plan.summary.facility_power_mw for hall in halls)
    judged = JudgedLoad(
        utility=_utility(first.grid),
        country=first.plan.site.country,
        state=first.plan.site.state or "",
        islanded=False,
        kv=first.grid.voltage_kv.value,
        planned_mw=load.final_load_mw,
        requested_mw=load.requested_mw + existing,
        power_factor=load.power_factor,
        computational_percent=share,
    )
    choices = Choices(catalog.design_fields(), first.inputs.design, Ledger())
    rules = rule_verdicts(judged, choices.number("interconnection.boundary"))
    largest = max(halls, key=lambda hall: hall.plan.swing.swing_mw)
    judged_rows = _verdicts(halls, load.final_load_mw)
    _note_swing(largest.plan.swing, judged_rows)
    return LoadLetter(
        service=_service(first),
        load=load,
        ramp=ramp,
        mix=mix,
        ride_through=_ride_through(judged, rules, first.grid),
        swing=_swing(halls),
        transitions=largest.plan.swing.transitions,
        verdicts=judged_rows,
        layers=largest.plan.swing.layers,
        generation=tuple(row for hall in halls for row in _generation(hall)),
        rules=rules,
        open_questions=open_questions([(hall.plan, hall.inputs, hall.grid) for hall in halls]),
    )


def _hall(plan: SitePlan, inputs: SiteInputs) -> Hall:
    if inputs.grid is None:
        raise InputError(
            Problem(
                f"{plan.site.id} has no grid file, so there is no utility to write to",
                file=inputs.files.get("site"),
                path="site.grid",
                hint="add grid.yaml with utility, voltage and stages",
            )
        )
    return Hall(plan, inputs, inputs.grid)


def _check_one_point(halls: list[Hall]) -> None:
    first = halls[0].grid
    problems = []
    for hall in halls[1:]:
        grid = hall.grid
        names = {"utility": (first.utility, grid.utility), "poi_name": (first.poi_name,) * 2}
        if grid.poi_name is not None:
            names["poi_name"] = (first.poi_name, grid.poi_name)
        different = [name for name, (one, two) in names.items() if one != two]
        if grid.voltage_kv.value != first.voltage_kv.value:
            different.append("voltage")
        for name in different:
            message = f"{hall.plan.site.id} and {halls[0].plan.site.id} differ in {name}"
            hint = "halls of one letter share one service point"
            problems.append(grid.problem(name, message, hint))
    if problems:
        raise InputError(problems)


def _utility(grid: Grid) -> str:
    return " ".join(filter(None, (grid.iso, grid.operator, grid.utility)))


def _existing_mw(grid: Grid) -> float:
    return 0.0 if grid.existing_load is None else grid.existing_load.power_mw.value


def _service(first: Hall) -> Service:
    grid, site = first.grid, first.inputs.site
    place = ", ".join(filter(None, (site.county, first.plan.site.state, first.plan.site.country)))
    where = f"{first.plan.site.latitude:.4f}, {first.plan.site.longitude:.4f}"
    given("service.service_kv", grid.voltage_kv.value, "kV", "grid file")
    given("service.circuits", first.plan.substation.hv_circuits, "", "grid file, or assumed")
    return Service(
        project=first.name,
        location=f"{place} ({where})",
        utility=grid.utility or "not named",
        operator=grid.operator or grid.iso or "not named",
        connection_point=grid.poi_name or "not named",
        service_kv=grid.voltage_kv.value,
        circuits=first.plan.substation.hv_circuits,
        queue_position=grid.docket_or_queue_id or "none",
        stage=grid.stage or "none",
    )


def _requested_mw(grid: Grid) -> float:
    """What is asked of the utility: as stated, else the last stage with its non-firm part."""
    if grid.requested_mw is not None:
        return grid.requested_mw.value
    last = max(grid.stages, key=lambda stage: stage.firm_mw.value)
    return last.firm_mw.value + (value_of(last.nonfirm_mw) or 0.0)


def _load(halls: list[Hall], ramp: tuple[LetterStage, ...], existing: float) -> LoadFigures:
    plans = [hall.plan for hall in halls]
    loads = tuple(plan.summary.facility_power_mw for plan in plans)
    first = next((row for row in ramp if row.load_mw > 0.0), ramp[-1])
    final = {row.hall: row for row in ramp}  # the last row of each hall
    contracted = sum(row.contracted_mw for row in final.values())
    speculative = sum(row.speculative_mw for row in final.values())
    on_grid = sum(row.grid_mw for row in final.values())
    apparent = sum(plan.substation.apparent_power_mva for plan in plans)
    active = sum(plan.substation.active_power_mw for plan in plans)
    asked = halls[0].grid.power_factor_min
    figures = {
        "requested_mw": sum(_requested_mw(hall.grid) for hall in halls),
        "contracted_mw": contracted,
        "speculative_mw": speculative,
        "final_grid_mw": on_grid,
        "existing_load_mw": existing,
        "apparent_power_mva": apparent,
        "power_factor": active / apparent if apparent else plans[0].substation.power_factor_hv,
    }
    why = "sum of the halls: last step of the ramp, substation, grid file"
    for name, value in figures.items():
        given(f"load.{name}", value, "", why)
    lag = None if asked is None else asked.lag.value
    given("load.power_factor_asked", lag, "", "grid file")
    return LoadFigures(
        initial_load_mw=first.total_load_mw,
        initial_date=first.energised,
        final_load_mw=site_load_mw(loads, existing),
        final_date=ramp[-1].energised,
        power_factor_asked=lag,
        load_factor_percent=_load_factor(halls),
        **figures,
    )


def _load_factor(halls: list[Hall]) -> float | None:
    if len(halls) > 1:
        return None
    plan, site = halls[0].plan, halls[0].inputs.site
    if site.load_factor is not None:
        value = 100.0 * site.load_factor.value
        given("load.load_factor_percent", value, "%", "site.yaml, given to override", "given")
        return value
    if plan.summary.pue_annual is None:
        return None
    return load_factor_percent(
        plan.power.it_typical_mw, plan.summary.pue_annual, plan.summary.facility_power_mw
    )


def _mix(hall: Hall) -> LoadMix:
    """Shares of the peak: IT by what stands before it, cooling motors, the rest."""
    plan = hall.plan
    whole = plan.summary.facility_power_mw
    stages = {stage.stage: stage for stage in plan.substation.losses}
    it_mw = plan.summary.it_power_mw
    behind_ups = stages["UPS"].input_mw if "UPS" in stages else 0.0
    direct = 0.0 if "UPS" in stages else it_mw
    pumps = plan.cooling.cdu_pump_mw if "UPS" in stages else 0.0
    motors = plan.cooling.cooling_power_peak_mw - pumps
    rest = max(0.0, whole - behind_ups - direct - motors)
    return LoadMix(
        hall=hall.name,
        computational_percent=load_share_percent(it_mw, whole),
        ups_percent=load_share_percent(behind_ups, whole),
        direct_percent=load_share_percent(direct, whole),
        motor_percent=load_share_percent(motors, whole),
        rest_percent=load_share_percent(rest, whole),
    )


def _ride_through(
    judged: JudgedLoad, rules: tuple[RuleVerdict, ...], grid: Grid
) -> tuple[RideThrough, ...]:
    asked = {row.name: row.recovery for row in rules_for(judged) if row.recovery}
    return tuple(
        RideThrough(
            rule=rule.name,
            asked=asked[rule.name],
            proof=PROOF[grid.ride_through],
            verdict=rule.verdict,
            status=rule.status,
        )
        for rule in rules
        if rule.name in asked
    )


def _swing(halls: list[Hall]) -> tuple[LetterSwing, ...]:
    rows = []
    for place, hall in enumerate(halls):
        swing = hall.plan.swing
        for name in ("edge_s", "swing_frequency_hz"):
            given(f"swing.{place}.{name}", getattr(swing, name), "", "section swing of the plan")
        for name in ("buffer_mw", "buffer_mwh"):
            if getattr(swing, name) == 0.0:
                words = "the swing keeps every limit that applies"
                given(f"swing.{place}.{name}", 0.0, unit_of(name), words)
        rows.append(
            LetterSwing(
                hall=hall.name,
                swing_mw=swing.swing_mw,
                ramp_mw_per_s=swing.ramp_mw_per_s,
                edge_s=swing.edge_s,
                swing_frequency_hz=swing.swing_frequency_hz,
                step_voltage_percent=swing.step_voltage_percent,
                buffer_mw=swing.buffer_mw,
                buffer_mwh=swing.buffer_mwh,
            )
        )
    if len(rows) > 1:
        swings = tuple(row.swing_mw for row in rows)
        for words, value in (
            ("all halls, one job or one trip", worst_swing_mw(swings)),
            ("all halls, independent jobs", combined_swing_mw(swings)),
        ):
            rows.append(
                LetterSwing(
                    hall=words,
                    swing_mw=value,
                    ramp_mw_per_s=None,
                    edge_s=None,
                    swing_frequency_hz=None,
                    step_voltage_percent=None,
                    buffer_mw=None,
                    buffer_mwh=None,
                )
            )
    return tuple(rows)


def _verdicts(halls: list[Hall], load_mw: float) -> tuple[SwingVerdict, ...]:
    """The limits against the swing of all halls at once; one hall has been judged already."""
    if len(halls) == 1:
        return halls[0].plan.swing.verdicts
    swings = [hall.plan.swing for hall in halls]
    first = halls[0]
    case = site_case(first.inputs.site, first.grid, Ledger())
    grid = grid_connection(case, first.grid, Ledger())
    largest = max(swings, key=lambda swing: swing.swing_mw)
    together = Swing(
        swing_mw=worst_swing_mw(tuple(swing.swing_mw for swing in swings)),
        edge_s=min(swing.edge_s for swing in swings),
        frequency_hz=largest.swing_frequency_hz,
        load_mw=load_mw,
        hv_kv=first.grid.voltage_kv.value,
        step_percent=None,  # a step of all halls needs the substations of all halls
        plt=None,
        duty=1.0 - (largest.communication_percent or 50.0) / 100.0,
        repeating_mw=combined_swing_mw(tuple(swing.repeating_mw or 0.0 for swing in swings)),
    )
    return tuple(verdicts(together, grid, grid.own_limits + limits_for(grid.utility)))


def _note_swing(swing: SwingSection, judged: tuple[SwingVerdict, ...]) -> None:
    for place, row in enumerate(judged):
        source = f"{row.who}, {row.status}: {row.source}"
        given(f"verdicts.{place}.limit", row.limit, row.unit, source, row.verified)
    for place, change in enumerate(swing.transitions):
        words = "one over the step time"
        given(f"transitions.{place}.repeats_hz", change.repeats_hz, "Hz", words)
    for place, layer in enumerate(swing.layers):
        for name in ("power_mw", "from_hz", "to_hz"):
            value = getattr(layer, name)
            given(f"layers.{place}.{name}", value, "", "section swing of the plan")


def _generation(hall: Hall) -> list[LetterGeneration]:
    site = hall.inputs.site
    rows = []
    for unit in site.generation:
        day = value_of(unit.energised)
        rows.append(
            LetterGeneration(
                hall=hall.name,
                plant=unit.name or unit.type.replace("_", " "),
                kind=unit.type.replace("_", " "),
                gross_mw=unit.gross_mw.value,
                units=value_of(unit.units) or 1,
                energised=None if day is None else day.isoformat(),
                status=unit.status or "not stated",
            )
        )
    if site.storage is not None:
        rows.append(
            LetterGeneration(
                hall=hall.name,
                plant=f"battery storage, {site.storage.energy_mwh.value:,g} MWh",
                kind="storage",
                gross_mw=site.storage.power_mw.value,
                units=1,
                energised=None,
                status="not stated",
            )
        )
    for place, row in enumerate(rows):
        for name in ("gross_mw", "units"):
            given(f"generation.{place}.{name}", getattr(row, name), "", "site.yaml")
    return rows
