"""Whether a site is where it says: country, state and coordinates against what the caller knows."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import TYPE_CHECKING

from clusterplan.core.units import seen
from clusterplan.inputs.datum import value_of
from clusterplan.inputs.leaf import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterplan.core.equipment import Region, State
    from clusterplan.inputs.checks import Findings
    from clusterplan.inputs.site_file import Site

_LONGEST_CODE = 3
_SPOKEN = {"UK": "GB", "ENGLAND": "GB", "USA": "US", "AMERICA": "US", "HOLLAND": "NL", "UAE": "AE"}


def find_region(country: str, regions: Iterable[Region]) -> Region | None:
    """The country of an ISO 3166 code of two or three letters, in either case."""
    return _by_code(tuple(regions)).get(country.strip().upper())


@lru_cache(maxsize=8)
def _by_code(regions: tuple[Region, ...]) -> dict[str, Region]:
    return {code: region for region in regions for code in (region.iso2, region.iso3)}


def find_state(state: str, states: Iterable[State]) -> State | None:
    """The state of a two-letter code, in either case."""
    code = state.strip().upper()
    return next((row for row in states if row.code == code), None)


def check_place(
    site: Site,
    found: Findings,
    regions: Iterable[Region],
    states: Iterable[State],
) -> tuple[Region | None, State | None]:
    """The site's country and US state; what is wrong with them goes to `found`."""
    if site.country is None or not regions:
        return None, None
    region = find_region(site.country, regions)
    if region is None:
        found.wrong("country", f"unknown country {seen(site.country)}", _country(site, regions))
        return None, None
    state = None
    if region.iso2 == "US" and states:
        state = _state(site, found, states)
    latitude, longitude = value_of(site.latitude_deg), value_of(site.longitude_deg)
    if latitude is None or longitude is None:
        return region, state
    where = f"{latitude:g}, {longitude:g}"
    if not region.contains(latitude, longitude):
        found.wrong(
            "latitude",
            f"{where} is outside {region.name} ({site.country})",
            _turned(region, latitude, longitude),
        )
    elif state is not None and not state.contains(latitude, longitude):
        found.wrong("latitude", f"{where} is outside {state.name}", None)
    return region, state


def _turned(region: Region, latitude: float, longitude: float) -> str | None:
    """What was probably meant: west counts negative, latitude comes first."""
    for lat, lon, hint in (
        (latitude, -longitude, "west is negative"),
        (-latitude, longitude, "south is negative"),
        (-latitude, -longitude, "south and west are negative"),
        (longitude, latitude, "latitude and longitude are exchanged"),
    ):
        if abs(lat) <= 90.0 and region.contains(lat, lon):
            return hint
    return f"latitude {region.lat_min:g} to {region.lat_max:g} north is accepted"


def _country(site: Site, regions: Iterable[Region]) -> str | None:
    text = site.country.strip()
    rows = list(regions)
    by_name = {row.name.lower(): row for row in rows}
    row = by_name.get(text.lower())
    if row is not None:
        return f"write the ISO 3166 code, {row.iso2}"
    if text.upper() in _SPOKEN:
        return f'did you mean "{_SPOKEN[text.upper()]}"?'
    near = _near_name(text, {row.name: row.iso2 for row in rows})
    if near is None:
        near = did_you_mean(text, [code for row in rows for code in (row.iso2, row.iso3)])
    return near or "an ISO 3166 code of two or three letters is due"


def _near_name(text: str, codes: dict[str, str]) -> str | None:
    """A hint with the code of the place whose name is nearest, where one is near at all."""
    if len(text.strip()) <= _LONGEST_CODE:
        return None
    by_name = {name.lower(): name for name in codes}
    near = difflib.get_close_matches(text.strip().lower(), by_name, n=1, cutoff=0.75)
    if not near:
        return None
    name = by_name[near[0]]
    return f'did you mean "{codes[name]}" ({name})?'


def _state(site: Site, found: Findings, states: Iterable[State]) -> State | None:
    if site.state is None:
        if site.written("state") is None:
            found.wrong("state", "is missing", 'required in the US, such as "TX"')
        return None
    state = find_state(site.state, states)
    if state is None:
        by_name = {row.name.lower(): row.code for row in states}
        code = by_name.get(site.state.strip().lower())
        hint = f"write {code}" if code else _near_name(site.state, {r.name: r.code for r in states})
        hint = hint or did_you_mean(site.state, [*by_name.values()])
        found.wrong("state", f"unknown state {seen(site.state)}", hint)
    return state
