"""Which service and medium voltages a load is tried at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterplan.sizing.substation_tables import MV_SERVICE_MAX_KV

if TYPE_CHECKING:
    from clusterplan.sizing.substation_tables import SubstationDuty, SubstationTables

MV_CAMPUS_MIN_MW = 60.0
GENERATION_BUS_KV = 13.8


def hv_candidates(duty: SubstationDuty, tables: SubstationTables) -> tuple[float, ...]:
    """Service voltages to try: the given one, else the classes that hold the load, rising."""
    if duty.hv_kv is not None:
        return (duty.hv_kv,)
    if duty.islanded:
        return (GENERATION_BUS_KV,)
    holding = tuple(step.kv for step in tables.voltages if step.load_mw_max >= duty.active_mw)
    return holding or (tables.voltages[-1].kv,)


def mv_candidates(
    duty: SubstationDuty, hv_kv: float, tables: SubstationTables
) -> tuple[float, ...]:
    """Medium voltages to try: the given one, else by load, the higher one after the lower.

    At MV service the low voltage of the unit substations.
    """
    low, high = (13.8, 34.5) if tables.practice == "ieee" else (11.0, 33.0)
    small = duty.active_mw < MV_CAMPUS_MIN_MW
    if is_mv_service(duty, hv_kv):
        return tuple(dict.fromkeys(board.lv_kv for board in tables.boards))[:1]
    if duty.mv_kv is not None:
        return (duty.mv_kv,)
    return (low, high) if small and not duty.islanded else (high,)


def is_mv_service(duty: SubstationDuty, hv_kv: float) -> bool:
    """Whether there is no HV/MV stage: service at 34.5 kV and below.

    An islanded site has a stage from its generation bus to MV from 60 MW, or where MV is given.
    """
    if hv_kv > MV_SERVICE_MAX_KV:
        return False
    if not duty.islanded:
        return True
    return duty.active_mw < MV_CAMPUS_MIN_MW and duty.mv_kv in (None, hv_kv)
