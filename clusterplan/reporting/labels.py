"""Labels and units as they are printed, derived from field names."""

from __future__ import annotations

import re

from clusterplan.core.shown_units import SUFFIX_UNITS, unit_of

# Words that are not written as in a field name.
_WORDS = {
    "cdu": "CDU",
    "cdus": "CDUs",
    "ettr": "ETTR",
    "fws": "FWS",
    "h100": "H100",
    "hv": "HV",
    "id": "ID",
    "it": "IT",
    "lv": "LV",
    "mv": "MV",
    "n1": "N-1",
    "nic": "NIC",
    "nics": "NICs",
    "nonfirm": "non-firm",
    "pst": "Pst",
    "psu": "PSU",
    "pue": "PUE",
    "su": "SU",
    "sus": "SUs",
    "tcs": "TCS",
    "tdd": "TDD",
    "ups": "UPS",
    "usd": "USD",
    "wue": "WUE",
}
_POWERS = re.compile(r"\b(k?m|c?m|mm|ft)([23])\b")
_SUFFIXES = sorted(SUFFIX_UNITS, key=len, reverse=True)


def label_of(name: str) -> str:
    """A field name in words: `heat_rejection` gives "Heat rejection", `cdu_limit` "CDU limit"."""
    text = " ".join(_WORDS.get(word, word) for word in name.split("_") if word)
    return text[:1].upper() + text[1:]


def stem_of(name: str) -> str:
    """A field name without its unit: `facility_power_mw` gives `facility_power`."""
    if not unit_of(name):
        return name
    return next(name[: -len(s)] for s in _SUFFIXES if name.endswith(s)) or name


def pretty_unit(unit: str) -> str:
    """A unit as an input file writes it in the spelling of reports (degC gives °C, m3/yr m³/yr)."""
    if unit.isalpha() and unit != "degC":
        return unit
    text = unit.replace("degC", "°C").replace("degF", "°F")
    return _POWERS.sub(lambda match: match[1] + "²³"[match[2] == "3"], text)
