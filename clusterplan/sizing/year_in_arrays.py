"""The year of a cooling plant over the bins of a climate, on arrays: for thousands of sites.

The bins of `climate_bins.bins_of` and the plant of `machines.operate`, all bins at once by
`hourly_operation`: about a tenth of the time. NumPy is imported inside the functions.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from clusterplan.sizing.climate_bins import (
    DRIEST_DEW_POINT_C,
    beta_year,
    bin_hours,
    design_dew_point_c,
)
from clusterplan.sizing.cooling_year import YearSums
from clusterplan.sizing.heat_rejection import ADIABATIC, TOWER_KINDS
from clusterplan.sizing.hourly_operation import operate_hours
from clusterplan.sizing.hourly_year import shares
from clusterplan.sizing.moist_air_hours import HourlyAir, saturated_humidity_ratios, wet_bulbs_c
from clusterplan.sizing.towers import tower_mean_makeup_per_kw

if TYPE_CHECKING:
    from clusterplan.sizing.climate_bins import BetaYear, BinClimate
    from clusterplan.sizing.cooling_year import YearLoad
    from clusterplan.sizing.machines import FixedPlant
    from clusterplan.sizing.moist_air_hours import Hours

_LEAST_HOURS = 1e-3


def year_sums_in_arrays(
    load: YearLoad,
    plant: FixedPlant,
    air_plant: FixedPlant | None,
    climate: BinClimate,
    warm_width_k: float,
) -> YearSums:
    """Sums of `cooling_year.year_sums` over the bins of `climate`; MWh, m3 and h.

    The PUE is within 5e-6 of it, the water within 1e-4 (the wet bulb there is within 0.0001 K).
    """
    import numpy as np

    share, room = shares(load)
    span, air = _air_of(climate, warm_width_k, plant, share)
    towers = plant.kind in TOWER_KINDS
    done = operate_hours(plant, air, share, water=not towers)
    chilled = 0.0
    if air_plant is not None:
        machine = operate_hours(air_plant, air, room)
        chilled = float(span @ (machine.trim_power + machine.fan))
    if towers:
        makeup = tower_mean_makeup_per_kw(plant.tower.latent_fraction, plant.tower.cycles)
        water = makeup * float(span @ done.tower_heat)
    else:
        water = float(span @ done.water_l_per_s)
    hours, heat = float(span.sum()), load.design_heat_mw
    rooms = hours * (load.room_fan_mw + load.air_pump_mw)
    return YearSums(
        hours * load.it_mw,
        hours * load.cdu_pump_mw,
        hours * load.fws_pump_mw,
        heat * float(span @ done.fan),
        heat * float(span @ done.tower_pump),
        heat * float(span @ done.trim_power),
        rooms + load.design_air_heat_mw * chilled,
        hours * load.house_load_mw,
        3600.0 * heat * water,
        float(np.dot(span, done.wet)),
        float(np.dot(span, done.trim_heat > 0.0)),
    )


@lru_cache(maxsize=256)
def _bin_arrays(
    year: BetaYear, mean_db_c: float, width_k: float, warm_width_k: float
) -> tuple[Hours, Hours]:
    """Middle (degC) and hours of each bin that is not empty."""
    import numpy as np

    pairs = bin_hours(year, mean_db_c, width_k, warm_width_k)
    middle, hours = np.array([pair for pair in pairs if pair[1] >= _LEAST_HOURS]).T
    return middle, hours


def _air_of(
    climate: BinClimate, warm_width_k: float, plant: FixedPlant, share: float
) -> tuple[Hours, HourlyAir]:
    """Hours and air of the bins; the wet bulb only where the plant asks for it, else not a number.

    Coolers with pads ask for it above the dry bulb at which the pads start.
    """
    import numpy as np

    year = beta_year(climate.heating_99p6_c, climate.mean_db_c, climate.db_0p4_c)
    middle, hours = _bin_arrays(year, climate.mean_db_c, 1.0, warm_width_k)
    rise = design_dew_point_c(climate) - climate.mean_dp_c
    slope = rise / (climate.db_0p4_c - climate.mean_db_c)
    dew = np.minimum(climate.mean_dp_c + slope * (middle - climate.mean_db_c), middle)
    dew = np.maximum(dew, DRIEST_DEW_POINT_C) + climate.warming_k
    dry = middle + climate.warming_k
    pressure = np.full(dry.shape, climate.pressure_kpa)
    ratio = saturated_humidity_ratios(dew, pressure)
    near = dry - (dry - dew) / 3.0  # of the wet bulb, within some kelvin
    if plant.kind in TOWER_KINDS:
        return hours, HourlyAir(dry, wet_bulbs_c(dry, ratio, pressure, near), ratio, pressure)
    wet_bulb = np.full(dry.shape, math.nan)
    if plant.kind == ADIABATIC:
        reach = (plant.approach_k + plant.rise_k) * share
        asked = dry > plant.supply_c + plant.rise_k - reach - 1e-6
        if asked.any():
            wet_bulb[asked] = wet_bulbs_c(dry[asked], ratio[asked], pressure[asked], near[asked])
    return hours, HourlyAir(dry, wet_bulb, ratio, pressure)
