"""The whole cooling against the TCS supply temperature, 20 to 50 degC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import given, recording
from clusterplan.core.results.cooling_options import SupplyPoint, SupplySweep
from clusterplan.planning.cooling_assumptions import note_assumptions
from clusterplan.planning.cooling_case import first_words
from clusterplan.planning.cooling_plan import ItLoad
from clusterplan.sizing import supply_sweep as sizing

if TYPE_CHECKING:
    from clusterplan.planning.cooling_case import CoolingCase, Planned

SUPPLIES_C = tuple(20.0 + 2.5 * step for step in range(13))
_ITERATIONS = 20


def supply_sweep(case: CoolingCase, supplies_c: tuple[float, ...] = SUPPLIES_C) -> SupplySweep:
    """Plan the case at each supply; all points share the facility power of the plan as it is.

    The choice of heat rejection follows the temperature unless the user has made it. Raises
    InputError or InfeasibleError where the plan itself cannot be made.
    """
    base = case.planned()
    note_assumptions(base.design, base.quick)
    if base.quick.loop is None:
        hint = "leave it out, or give racks or a share of heat that goes to liquid"
        words = "no heat goes to liquid: there is no TCS supply to vary"
        raise InputError(Problem(words, path="--sweep", hint=hint))
    reference = base.quick.loop.tcs_supply_temp_c
    given("sweep.reference_supply_c", reference, "°C", "the plan's own TCS supply")
    facility = sizing.sweep_facility_mw(case.it.total_mw, base.quick.pue_peak)
    for place, supply in enumerate(supplies_c):
        given(f"sweep.points.{place}.tcs_supply_temp_c", supply, "°C", "a step of the sweep")
    points = tuple(_point(case, supply, facility) for supply in supplies_c)
    return SupplySweep(
        facility_power_mw=facility,
        reference_supply_c=reference,
        best=_best(points),
        points=points,
    )


def _point(case: CoolingCase, supply_c: float, facility_mw: float) -> SupplyPoint:
    changed = case.with_choices({"cooling.tcs_supply": supply_c})
    try:
        planned = changed.planned()
        racks = _hosted(changed, facility_mw) if case.rack is not None else None
    except (InputError, InfeasibleError) as error:
        return SupplyPoint(tcs_supply_temp_c=supply_c, note=first_words(error))
    note_assumptions(planned.design, planned.quick)
    for item in changed.choices.ledger.assumptions:
        case.choices.ledger.assume(
            item.path, item.value, item.unit, item.source, verified=item.verified
        )
    return _row(changed, planned, supply_c, facility_mw, racks)


def _row(
    case: CoolingCase, planned: Planned, supply_c: float, facility_mw: float, racks: int | None
) -> SupplyPoint:
    quick, year = planned.quick, planned.year
    plant, loop = quick.plant, quick.loop
    shape = None if case.rack is None else case.rack.shape
    return SupplyPoint(
        tcs_supply_temp_c=supply_c,
        heat_rejection=plant.kind,
        fws_supply_temp_c=loop.fws_supply_temp_c if loop else None,
        rack_flow_l_per_min=loop.rack_flow_l_per_min if loop and case.rack else None,
        cdus=loop.cdus if loop else None,
        pump_mw=sizing.sweep_pump_mw(
            quick.load.cdu_pump_mw, quick.load.fws_pump_mw, plant.peak.tower_pump_mw
        ),
        trim_mw=plant.trim_mw,
        trim_hours_h=year.sums.trim_hours_h if year else None,
        pue_peak=plant.pue_peak,
        pue_annual=year.pue if year else None,
        wue_l_per_kwh=year.wue if year else None,
        water_m3_per_year=year.sums.water_m3 if year else None,
        racks_hosted=racks,
        accelerators_hosted=None
        if racks is None or shape is None
        else sizing.accelerators_hosted(racks, shape.accelerators_per_rack),
        it_hosted_mw=sizing.it_hosted_mw(facility_mw, plant.pue_peak) if racks is None else None,
    )


def _hosted(case: CoolingCase, facility_mw: float) -> int:
    """Racks that the facility power carries at the PUE of just that many racks."""
    assert case.rack is not None
    rack_kw = case.rack.capacity_kw
    design = case.design()
    count = max(1, round(case.it.racks))
    best = None
    for _ in range(_ITERATIONS):
        it = ItLoad(float(count), count * rack_kw / 1000.0)
        with recording():
            pue = case._replace(it=it).planned_points(design).pue_peak
            found = sizing.racks_hosted(facility_mw, rack_kw, pue)
        if count * rack_kw / 1000.0 * pue <= facility_mw * (1 + 1e-12):
            best = (found, pue) if best is None or count > best[0] else best
        if found == count or found < 1:
            break
        count = found
    if best is None:
        return 0
    return sizing.racks_hosted(facility_mw, rack_kw, best[1])


def _best(points: tuple[SupplyPoint, ...]) -> str:
    """What the sweep says in a sentence."""
    planned = [point for point in points if point.pue_peak is not None]
    if not planned:
        return "no supply temperature of the sweep can be planned"
    hosts = max(planned, key=_hosts)
    alike = [point for point in planned if _hosts(point) == _hosts(hosts)]
    dry = next((p for p in planned if p.trim_mw == 0.0), None)
    words = f"{hosts.tcs_supply_temp_c:g} °C hosts the most"
    if len(alike) > 1:
        names = ", ".join(f"{point.tcs_supply_temp_c:g}" for point in alike)
        words = f"{names} °C host the most"
    if hosts.accelerators_hosted is not None:
        words += f" ({hosts.accelerators_hosted:,} accelerators)"
    elif hosts.it_hosted_mw is not None:
        words += f" ({hosts.it_hosted_mw:.4g} MW of IT)"
    if dry is None:
        return f"{words}; every supply needs chillers on the FWS loop"
    return f"{words}; no chillers on the FWS loop from {dry.tcs_supply_temp_c:g} °C on"


def _hosts(point: SupplyPoint) -> float:
    if point.accelerators_hosted is not None:
        return float(point.accelerators_hosted)
    return point.it_hosted_mw or 0.0
