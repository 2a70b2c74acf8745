"""Units as they are shown: the unit in a field's name, and US customary units at print."""

from __future__ import annotations

from functools import cache

from clusterplan.core.units import ACRE_M2, GAL_L

# Suffix of a field name -> unit shown. Longest match wins.
SUFFIX_UNITS: dict[str, str] = {
    "_gw": "GW",
    "_mw": "MW",
    "_kw": "kW",
    "_w": "W",
    "_mwh": "MWh",
    "_kwh": "kWh",
    "_gwh": "GWh",
    "_mj": "MJ",
    "_j": "J",
    "_mva": "MVA",
    "_mvar": "Mvar",
    "_kv": "kV",
    "_v": "V",
    "_a": "A",
    "_ka": "kA",
    "_c": "°C",
    "_k": "K",
    "_percent": "%",
    "_hz": "Hz",
    "_s": "s",
    "_h": "h",
    "_l_per_mwh": "L/MWh",
    "weeks_min": "weeks",
    "weeks_max": "weeks",
    "_weeks": "weeks",
    "_minutes": "min",  # not _min, which is a minimum
    "_ms": "ms",
    "_months": "months",
    "_years": "years",
    "_g": "g",
    "_mmbtu_per_day": "MMBtu/day",
    "_btu_per_kwh": "BTU/kWh",
    "_usd_per_acre": "USD/acre",
    "_usd_per_mwh": "USD/MWh",
    "_usd_per_kw_month": "USD/kW-month",
    "_usd_per_mw": "USD/MW",
    "_usd_per_kw": "USD/kW",
    "_k_per_s": "K/s",
    "_usd_per_w": "USD/W",
    "_usd_per_it_kw": "USD/IT kW",
    "_usd_per_kw_year": "USD/kW-yr",
    "_usd_per_mmbtu": "USD/MMBtu",
    "_kg_per_mmbtu": "kg/MMBtu",
    "_usd_per_h100e_hour": "USD/H100e-h",
    "_musd": "MUSD",
    "_musd_per_year": "MUSD/yr",
    "_g_per_kwh": "g/kWh",
    "_mwh_per_year": "MWh/yr",
    "_l_per_min": "L/min",
    "_l_per_s": "L/s",
    "_l_per_min_per_kw": "L/min/kW",
    "_l_per_kwh": "L/kWh",
    "_m3_per_year": "m³/yr",
    "_m3_per_s": "m³/s",
    "_m3_per_h": "m³/h",
    "_m3": "m³",
    "_l": "L",
    "_kpa": "kPa",
    "_pa_per_m": "Pa/m",
    "_m": "m",
    "_km": "km",
    "_mm": "mm",
    "_m2": "m²",
    "_m2_per_mw": "m²/MW",
    "_acres": "acres",
    "_acres_per_mw": "acres/MW",
    "_kg": "kg",
    "_kg_per_s": "kg/s",
    "_kg_per_m3": "kg/m³",
    "_m_per_s": "m/s",
    "_kw_per_m2": "kW/m²",
    "_kw_per_rack": "kW/rack",
    "_hz_per_s": "Hz/s",
    "_mw_s": "MW·s",
    "_mw_per_s": "MW/s",
    "_mw_per_min": "MW/min",
    "_gbps": "Gb/s",
    "_tb_per_s": "Tb/s",
    "_gb_per_s": "GB/s",
    "_tflops": "TFLOP/s",
    "_cfm": "CFM",
    "_cfm_per_kw": "CFM/kW",
    "_ohm": "Ω",
    "_ohm_per_km": "Ω/km",
    "mvar_per_km": "Mvar/km",
    "_mj_per_m3_k": "MJ/m³K",
    "_j_per_kg_k": "J/kgK",
    "_kj_per_kg_k": "kJ/kgK",
    "_kj_per_kg": "kJ/kg",
    "_mpa_s": "mPa·s",
    "_kg_per_kg": "kg/kg",
    "_deg": "°",
    "_gb": "GB",
    "_kw_per_kw": "kW/kW",
    "_acres_per_mwh": "acres/MWh",
    "_l_per_s_per_kw": "L/s/kW",
    "_kw_per_l_per_min": "kW per L/min",
    # a bound: the unit does not stand last, or `min` would read as minutes
    "kv_max": "kV",
    "mva_min": "MVA",
    "mva_max": "MVA",
    "_mw_min": "MW",
    "kv_above": "kV",
    "gbps_per_port": "Gb/s",
    "lat_min": "°",
    "lat_max": "°",
    "lon_min": "°",
    "lon_max": "°",
}
_SUFFIX_BY_LENGTH = sorted(SUFFIX_UNITS, key=len, reverse=True)


@cache
def unit_of(name: str) -> str:
    """The unit in a field's name (`tcs_flow_l_per_min` -> L/min), '' for counts and ratios."""
    for suffix in _SUFFIX_BY_LENGTH:
        if name.endswith(suffix):
            # `widgets_per_kw` is no kW
            return "" if name[: -len(suffix)].endswith("_per") else SUFFIX_UNITS[suffix]
        if "_per_" in suffix and name == suffix[1:]:
            return SUFFIX_UNITS[suffix]
    return ""


# Shown unit -> (US customary unit, factor, offset): us = metric * factor + offset.
US_UNITS: dict[str, tuple[str, float, float]] = {
    "°C": ("°F", 1.8, 32.0),
    "K": ("°F diff.", 1.8, 0.0),
    "L/min": ("gpm", 1 / GAL_L, 0.0),
    "L/s": ("gpm", 60 / GAL_L, 0.0),
    "L/min/kW": ("gpm/kW", 1 / GAL_L, 0.0),
    "L/kWh": ("gal/kWh", 1 / GAL_L, 0.0),
    "m³/yr": ("acre-ft/yr", 1 / (ACRE_M2 * 0.3048), 0.0),
    "m³/s": ("CFM", 60 / 0.3048**3, 0.0),
    "m³/h": ("gpm", 1000 / 60 / GAL_L, 0.0),
    "m³": ("gal", 1000 / GAL_L, 0.0),
    "L": ("gal", 1 / GAL_L, 0.0),
    "kPa": ("psi", 1 / 6.894757293168361, 0.0),
    "m": ("ft", 1 / 0.3048, 0.0),
    "km": ("mi", 1 / 1.609344, 0.0),
    "mm": ("in", 1 / 25.4, 0.0),
    "m²": ("ft²", 1 / 0.3048**2, 0.0),
    "m²/MW": ("ft²/MW", 1 / 0.3048**2, 0.0),
    "kW/m²": ("W/ft²", 1000 * 0.3048**2, 0.0),
    "kg": ("lb", 1 / 0.45359237, 0.0),
    "m/s": ("ft/s", 1 / 0.3048, 0.0),
    "Pa/m": ("psi/100 ft", 30.48 / 6894.757293168361, 0.0),
}


def shown(value: float, unit: str, system: str = "metric") -> tuple[float, str]:
    """Value and unit as printed in `metric` or `us` units."""
    if system == "us" and unit in US_UNITS:
        name, factor, offset = US_UNITS[unit]
        return value * factor + offset, name
    return value, unit
