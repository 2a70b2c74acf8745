"""A site's inputs as plain figures: climate, supply steps, land, water, connection.

What the user left out is taken from the catalogue and listed as an assumption.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.catalog import UnknownRowError
from clusterplan.core.equipment import Climate
from clusterplan.core.errors import InputError
from clusterplan.core.frozen import frozen
from clusterplan.inputs.datum import value_of
from clusterplan.planning.floor_plan import buildable_acres
from clusterplan.planning.stations import great_circle_km, nearest_station
from clusterplan.sizing import supply

if TYPE_CHECKING:
    from datetime import date

    from clusterplan.core.equipment import Region
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.inputs.site_file import Generation, Site
    from clusterplan.inputs.weather_file import WeatherFile
    from clusterplan.planning.choices import Ledger
    from clusterplan.planning.weather_plan import SiteWeather

VARIABLE = ("solar", "wind")  # no firm power of their own
FAR_STATION_KM = 150.0
HV_GENERATION_MIN_MW = 100.0


class SupplyStep(NamedTuple):
    """One dated step of supply; MW are cumulative. `nonfirm_mw` is None where not stated."""

    name: str
    energised: str | None
    status: str
    grid_firm_mw: float
    nonfirm_mw: float | None
    onsite: tuple[float, float, float]  # stated firm, gross of the rest, largest unit of the rest

    @property
    def onsite_firm_mw(self) -> float:
        """Firm on-site MW, the largest unit out."""
        return supply.onsite_firm_mw(*self.onsite)


@frozen
class SiteCase:
    """What the disciplines need to know of a site."""

    climate: Climate
    climate_name: str
    elevation_m: float
    region: Region
    steps: tuple[SupplyStep, ...]
    has_grid: bool
    has_generation: bool
    generation: tuple[tuple[str, float], ...]
    storage_mwh: float
    generation_at_hv: bool
    acres: float | None
    water_available: bool
    water_annual_m3: float | None
    water_peak_l_per_s: float | None
    rack_cap: int | None
    pue_peak: float | None
    pue_annual: float | None
    weather: SiteWeather | None = None

    @property
    def islanded(self) -> bool:
        """On-site generation without grid supply."""
        return self.has_generation and not self.has_grid


def site_case(
    site: Site, grid: Grid | None, ledger: Ledger, weather_file: WeatherFile | None = None
) -> SiteCase:
    """Resolve a site and its service point; weather_file is the one that its climate names.

    Raises InputError for an unknown climate, or a grid file without any supply.
    """
    region = catalog.region(site.country)
    weather = None
    if weather_file is None:
        climate, name = _climate(site, ledger)
        elevation = _elevation(site, climate, ledger)
    else:
        climate, name, elevation, weather = _hourly_climate(site, weather_file, ledger)
    land, water = site.land, site.water
    generation = tuple((unit.type, unit.gross_mw.value) for unit in site.generation)
    return SiteCase(
        climate=climate,
        climate_name=name,
        elevation_m=elevation,
        region=region,
        steps=_steps(site, grid, ledger),
        has_grid=grid is not None,
        has_generation=bool(generation),
        generation=generation,
        storage_mwh=site.storage.energy_mwh.value if site.storage else 0.0,
        generation_at_hv=_at_hv(grid, sum(mw for _, mw in generation), ledger),
        acres=None
        if land is None
        else buildable_acres(land.gross_acres.value, value_of(land.buildable_acres), ledger),
        water_available=water is None or water.source != "none",
        water_annual_m3=None if water is None else value_of(water.annual_m3_per_year),
        water_peak_l_per_s=None if water is None else value_of(water.peak_l_per_s),
        rack_cap=value_of(site.rack_cap),
        pue_peak=value_of(site.pue_peak),
        pue_annual=value_of(site.pue_annual),
        weather=weather,
    )


def _climate(site: Site, ledger: Ledger) -> tuple[Climate, str]:
    given = site.climate
    if given is not None and given.id is not None:
        try:
            return catalog.climate(given.id), given.id
        except UnknownRowError as error:
            near = catalog.nearest_names(given.id, [row.id for row in catalog.climates()])
            raise InputError(
                site.problem(
                    "climate",
                    f'unknown climate "{given.id}"',
                    f"did you mean {', '.join(near)}?" if near else str(error),
                )
            ) from None
    station, distance_km = nearest_station(site.latitude_deg.value, site.longitude_deg.value)
    if given is not None and given.dry_bulb_0p4_c is not None:
        return _own_climate(site, station, ledger), "site.climate"
    ledger.assume(
        "site.climate",
        station.id,
        "",
        f"nearest station of the catalogue, {distance_km:.0f} km away; {station.source}",
        verified=station.verified,
    )
    if distance_km > FAR_STATION_KM:
        ledger.warn(
            "climate_far",
            "site.climate",
            f"nearest design station {station.name} is {distance_km:.0f} km away; name a better"
            " one or give design temperatures",
        )
    return station, station.id


def _hourly_climate(
    site: Site, file: WeatherFile, ledger: Ledger
) -> tuple[Climate, str, float, SiteWeather]:
    """Climate, its name, elevation and hours where the site names a weather file."""
    from clusterplan.planning import weather_plan  # only for an hourly year

    own, at = site.climate, "site.climate"
    named = own is not None and (own.id is not None or own.dry_bulb_0p4_c is not None)
    found = _climate(site, ledger) if named else None
    if site.elevation_m is None and file.elevation_m is not None:
        elevation = file.elevation_m
        ledger.assume("site.elevation", elevation, "m", "that of the weather file's station")
    else:
        nearest = nearest_station(site.latitude_deg.value, site.longitude_deg.value)[0]
        elevation = _elevation(site, found[0] if found else nearest, ledger)
    weather = weather_plan.site_weather(file, elevation, ledger, f"{at}.weather")
    if found is not None:
        climate, name = weather_plan.with_means(found[0], weather), found[1]
    else:
        climate = weather_plan.weather_climate(file, weather, ledger, at)
        name = weather_plan.file_name(file)
    _warn_far_file(site, file, ledger)
    weather_plan.warn_hotter(climate, weather, ledger, f"{at}.weather")
    return climate, name, elevation, weather


def _warn_far_file(site: Site, file: WeatherFile, ledger: Ledger) -> None:
    if file.latitude_deg is None or file.longitude_deg is None:
        return
    here = (site.latitude_deg.value, site.longitude_deg.value)
    distance_km = great_circle_km(here, (file.latitude_deg, file.longitude_deg))
    if distance_km > FAR_STATION_KM:
        ledger.warn(
            "weather_far",
            "site.climate.weather",
            f"the weather file is of {file.station or 'a station'}, {distance_km:.0f} km away",
        )


def _own_climate(site: Site, station: Climate, ledger: Ledger) -> Climate:
    """Design conditions of the user; what is missing by the stated offsets or the next station."""
    own = site.climate
    if own is None or own.dry_bulb_0p4_c is None or own.wet_bulb_0p4_c is None:
        raise InputError(
            site.problem(
                "climate",
                "own design conditions need dry_bulb_0p4 and wet_bulb_0p4",
                'as "38 degC" and "24 degC", or name a climate of the catalogue',
            )
        )
    dry, wet = own.dry_bulb_0p4_c.value, own.wet_bulb_0p4_c.value
    offsets = "clusterplan method, cooling step 10 (54 stations)"

    def known(name: str, value: float | None, default: float, source: str) -> float:
        if value is not None:
            return value
        ledger.assume(f"site.climate.{name}", default, "degC", source)
        return default

    nearest = f"nearest station, {station.id}"
    mean_db = value_of(own.annual_mean_dry_bulb_c)
    return Climate(
        id=f"{site.id}-own",
        name=f"{site.name}, own design conditions",
        source="site.yaml",
        verified="given",
        latitude=site.latitude_deg.value,
        longitude=site.longitude_deg.value,
        elevation_m=station.elevation_m,
        db_0p4_c=dry,
        wb_0p4_c=wet,
        mcwb_0p4_c=known(
            "mean_coincident_wet_bulb", value_of(own.mean_coincident_wet_bulb_c), wet - 2, offsets
        ),
        db_n20_c=known("dry_bulb_n20", value_of(own.dry_bulb_n20_c), dry + 6, offsets),
        heating_99p6_c=known(
            "heating_99p6", value_of(own.heating_99p6_c), station.heating_99p6_c, nearest
        ),
        annual_mean_db_c=station.annual_mean_db_c if mean_db is None else mean_db,
        annual_mean_wb_c=value_of(own.annual_mean_wet_bulb_c) or station.annual_mean_wb_c,
        annual_mean_dp_c=value_of(own.annual_mean_dew_point_c) or station.annual_mean_dp_c,
        verified_means=mean_db is not None,
    )


def _elevation(site: Site, climate: Climate, ledger: Ledger) -> float:
    if site.elevation_m is not None:
        return site.elevation_m.value
    ledger.assume(
        "site.elevation", climate.elevation_m, "m", f"that of the design station {climate.id}"
    )
    ledger.warn(
        "elevation_assumed",
        "site.elevation",
        f"no elevation given; {climate.elevation_m:.0f} m of the design station is used",
    )
    return climate.elevation_m


def _at_hv(grid: Grid | None, gross_mw: float, ledger: Ledger) -> bool:
    if grid is None or gross_mw == 0.0:
        return False
    if grid.generation_connects_at is not None:
        return grid.generation_connects_at == "hv"
    at_hv = gross_mw > HV_GENERATION_MIN_MW
    ledger.assume(
        "grid.generation_connects_at",
        "hv" if at_hv else "mv",
        "",
        "clusterplan method, siting section 8: mv, hv above 100 MW",
    )
    return at_hv


def _steps(site: Site, grid: Grid | None, ledger: Ledger) -> tuple[SupplyStep, ...]:
    """Grid stages in their order, and a step where on-site units come at another date."""
    units = site.generation
    for place, unit in enumerate(units):
        if unit.firm_mw is None and unit.type in VARIABLE and unit.gross_mw.value > 0.0:
            ledger.warn(
                "variable_generation",
                f"site.generation.{place}",
                f"{unit.type} has no firm power; give `firm` if storage makes some of it firm",
            )
        elif unit.firm_mw is None and unit.units is None and unit.gross_mw.value > 0.0:
            ledger.warn(
                "generation_units",
                f"site.generation.{place}.units",
                "number of units not given: counted as one unit, so none of it is firm",
            )
    grid_steps = [] if grid is None else _grid_steps(grid, ledger)
    steps: list[SupplyStep] = []
    last_firm, last_nonfirm = 0.0, None
    pending = _generation_dates(units)
    for day, step in _in_time(grid_steps):
        # a stage that is never dated comes after all that are
        while pending and (day is None or pending[0] < day):
            moment = pending.pop(0)
            steps.append(_generation_step(units, moment, last_firm, last_nonfirm))
        pending = [moment for moment in pending if moment != day]
        last_firm, last_nonfirm = step.grid_firm_mw, step.nonfirm_mw
        steps.append(step._replace(onsite=_onsite(units, day)))
    steps += [_generation_step(units, moment, last_firm, last_nonfirm) for moment in pending]
    if not grid_steps and not pending and units:
        steps.append(_generation_step(units, None, 0.0, None))
    return _with_own_names(steps)


def _in_time(
    steps: list[tuple[date | None, SupplyStep]],
) -> list[tuple[date | None, SupplyStep]]:
    """Stages are cumulative: one without a date is there when the next dated one is."""
    dated: list[tuple[date | None, SupplyStep]] = []
    following: date | None = None
    for day, step in reversed(steps):
        following = day or following
        dated.append((following, step))
    return dated[::-1]


def _with_own_names(steps: list[SupplyStep]) -> tuple[SupplyStep, ...]:
    """Steps with the date, or their place, behind a name that another one has."""
    names = [step.name for step in steps]
    return tuple(
        step._replace(name=f"{step.name}, {step.energised or place}")
        if names.count(step.name) > 1
        else step
        for place, step in enumerate(steps, start=1)
    )


def _grid_steps(grid: Grid, ledger: Ledger) -> list[tuple[date | None, SupplyStep]]:
    default = grid.stage or "none"
    nothing = (0.0, 0.0, 0.0)
    if not grid.stages:
        if grid.requested_mw is None:
            raise InputError(
                grid.problem("", "neither stages nor requested is given", 'add requested: "300 MW"')
            )
        firm = grid.requested_mw.value
        ledger.assume("grid.stages", firm, "MW", "one stage, from requested")
        return [(None, SupplyStep("requested", None, default, firm, None, nothing))]
    approved = value_of(grid.approved_mw)
    steps: list[tuple[date | None, SupplyStep]] = []
    for place, stage in enumerate(grid.stages):
        day = value_of(stage.energised)
        firm = stage.firm_mw.value
        if approved is not None and firm > approved:
            ledger.warn(
                "stage_above_approved",
                f"grid.stages.{place}.firm",
                f'stage "{stage.name}": {firm:g} MW is above the {approved:g} MW approved;'
                " what is above is speculative",
            )
        step = SupplyStep(
            stage.name,
            None if day is None else day.isoformat(),
            stage.status or default,
            firm,
            value_of(stage.nonfirm_mw),
            nothing,
        )
        steps.append((day, step))
    return steps


def _generation_dates(units: tuple[Generation, ...]) -> list[date]:
    """Dates at which on-site units enter service."""
    return sorted({unit.energised.value for unit in units if unit.energised is not None})


def _onsite(units: tuple[Generation, ...], day: date | None) -> tuple[float, float, float]:
    """(stated firm, gross of the rest, largest unit of the rest) in service at a date."""
    stated = gross = largest = 0.0
    for unit in units:
        since = value_of(unit.energised)
        if since is not None and day is not None and since > day:
            continue
        if unit.firm_mw is not None:
            stated += unit.firm_mw.value
        elif unit.type not in VARIABLE:
            count = unit.units.value if unit.units is not None else 1
            gross += unit.gross_mw.value
            largest = max(largest, unit.gross_mw.value / count)
    return stated, gross, largest


def _generation_step(
    units: tuple[Generation, ...], day: date | None, firm_mw: float, nonfirm_mw: float | None
) -> SupplyStep:
    new = [unit for unit in units if day is None or value_of(unit.energised) == day]
    names = [unit.name or unit.type.replace("_", " ") for unit in new]
    return SupplyStep(
        "on-site " + ", ".join(dict.fromkeys(names)),
        None if day is None else day.isoformat(),
        (new[0].status if new else None) or "none",
        firm_mw,
        nonfirm_mw,
        _onsite(units, day),
    )
