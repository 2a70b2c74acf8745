"""`clusterplan cooling`: the cooling alone, of the heat of racks or of a heat load.

Nothing is added to the heat: no network, storage, management or losses; PUE is on that heat.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.cli.cooling_views import PLAN, view_report
from clusterplan.cli.discipline_report import discipline_report
from clusterplan.cli.option_values import read_option, within
from clusterplan.cli.rack_option import accelerator_row, rack_row
from clusterplan.core.errors import InfeasibleError, InputError, Problem
from clusterplan.core.record import recording
from clusterplan.core.units import parse_fraction, parse_quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusterplan.core.equipment import Climate, Rack
    from clusterplan.core.results.plan import Report
    from clusterplan.inputs.weather_file import WeatherFile
    from clusterplan.planning.choices import Choices, Ledger
    from clusterplan.planning.cooling_case import CoolingCase
    from clusterplan.planning.cooling_plan import CoolingDesign, CoolingSite, ItLoad
    from clusterplan.planning.rack_choice import RackChoice

DEFAULT_CLIMATE = "abilene-tx"
_MOST_RACKS = 1_000_000
_UNFOLDED = tuple(f"cooling.{name}" for name in ("loops", "air_side", "ride_through", "heat_reuse"))
_OPTION_OF_PATH = {
    "design.cooling.tcs_supply": "--tcs-supply",
    "design.cooling.tcs_rise": "--tcs-return",
    "design.cooling.tcs_coolant": "--coolant",
    "design.cooling.cdu": "--cdu",
}


class _Load(NamedTuple):
    rack: Rack | None
    racks: int | None
    heat_mw: float | None
    fraction: float | None


def run(
    *,
    rack: str | Rack | None = None,
    racks: int | None = None,
    it_power: str | None = None,
    liquid_fraction: str | None = None,
    tcs_supply: str | None = None,
    tcs_return: str | None = None,
    coolant: str | None = None,
    cdu: str | None = None,
    climate: str | None = None,
    weather: str | None = None,
    hours: str | None = None,
    overrides: Sequence[str] = (),
    view: str = PLAN,
) -> Report:
    """Size the cooling of `racks` racks, or of `it_power` of which a fraction goes to liquid.

    rack: catalogue id, file or row; with `it_power` it says how that heat is cooled. Quantities are
    text with units. view: the plan, every type of heat rejection side by side (`compare`), or the
    plan against the supply temperature (`sweep`). Raises InputError naming the options that are
    wrong, also where no CDU of the catalogue can serve the racks.
    """
    from clusterplan import catalog
    from clusterplan.inputs.loading import load_design
    from clusterplan.planning.choices import Choices, Ledger

    problems: list[Problem] = []
    heat_mw = read_option(problems, "--it-power", it_power, _heat)
    fraction = read_option(problems, "--liquid-fraction", liquid_fraction, _fraction)
    supply = read_option(problems, "--tcs-supply", tcs_supply, _temperature)
    back = read_option(problems, "--tcs-return", tcs_return, _temperature)
    _check(
        problems,
        {
            "rack": rack,
            "racks": racks,
            "it_power": it_power,
            "weather": weather,
            "hours": hours,
            "view": view,
        },
    )
    if rack is None and it_power is not None and liquid_fraction is None:
        problems.append(Problem("give the share of the heat to liquid", path="--liquid-fraction"))
    if coolant not in (None, "water", "pg25"):
        problems.append(Problem(f"{coolant!r} is not water or pg25", path="--coolant"))
    row = _gathered(problems, lambda: None if rack is None else _rack_row(rack, fraction))
    file = _gathered(problems, lambda: None if weather is None else _weather_file(weather))
    ledger = Ledger()
    station = _gathered(problems, lambda: _place(climate, file, ledger))
    chosen = _gathered(
        problems, lambda: load_design(catalog.design_fields(), None, tuple(overrides)).chosen
    )
    if problems or station is None or chosen is None:
        raise InputError(problems)
    chosen = dict(chosen) | _given(supply, coolant, cdu)
    load = _Load(row, racks, heat_mw, fraction)
    with recording() as record:
        try:
            if back is not None:
                silent = Choices(catalog.design_fields(), chosen, Ledger())
                chosen["cooling.tcs_rise"] = _rise(_design(silent, load, station)[0], back)
            choices = Choices(catalog.design_fields(), chosen, ledger)
            if view != PLAN:
                return view_report(view, *_case(choices, load, station), record)
            section, title = _section(choices, load, station, hours)
        except InputError as error:
            raise InputError([_as_option(problem) for problem in error.problems]) from None
        except InfeasibleError as error:
            # no count of racks would help: the temperature or the unit chosen cannot work
            option = "--cdu" if cdu is not None else "--tcs-supply"
            raise InputError(Problem(str(error), path=option)) from None
    return discipline_report("cooling", title, section, ledger, record, unfolded=_UNFOLDED)


def _design(
    choices: Choices, load: _Load, place: CoolingSite
) -> tuple[CoolingDesign, RackChoice | None]:
    from clusterplan.planning.cooling_choices import heat_only_chain
    from clusterplan.planning.cooling_plan import cooling_design
    from clusterplan.planning.rack_choice import choose_rack

    chosen = None
    if load.rack is not None:
        chosen = choose_rack(load.rack, accelerator_row(load.rack), choices)
    chain = heat_only_chain(choices)
    return cooling_design(choices, chosen, place, chain, load.fraction), chosen


def _section(
    choices: Choices, load: _Load, place: CoolingSite, hours: str | None
) -> tuple[Any, str]:
    from clusterplan.planning.cooling_figures import cooling_section

    design, chosen = _design(choices, load, place)
    it, typical = _loads(chosen, load.racks, load.heat_mw)
    if chosen is None:
        _note_heat_alone(choices, it)
    section = cooling_section(design, it, typical)
    if hours is not None:
        _write_hours(hours, design, it, typical)
    return section, _title(chosen, it, place.climate)


def _write_hours(hours: str, design: CoolingDesign, it: ItLoad, typical: ItLoad) -> None:
    """The year hour by hour as a CSV file."""
    from pathlib import Path

    from clusterplan.planning.cooling_plan import cooling_quick
    from clusterplan.planning.hour_table import hour_table
    from clusterplan.reporting.hours_csv import write_hours

    with recording():  # the record of the plan has the year already
        table = hour_table(design, it, typical, cooling_quick(design, it))
    try:
        write_hours(Path(hours), table)
    except InputError as error:
        raise InputError([replace(item, path="--hours") for item in error.problems]) from None


def _case(choices: Choices, load: _Load, place: CoolingSite) -> tuple[CoolingCase, str]:
    """The cooling as a case that can be planned again, and what it is of."""
    from clusterplan.planning.cooling_case import CoolingCase
    from clusterplan.planning.cooling_choices import heat_only_chain
    from clusterplan.planning.rack_choice import choose_rack

    chosen = None
    if load.rack is not None:
        chosen = choose_rack(load.rack, accelerator_row(load.rack), choices)
    it, typical = _loads(chosen, load.racks, load.heat_mw)
    if chosen is None:
        _note_heat_alone(choices, it)
    chain = heat_only_chain(choices)
    case = CoolingCase(choices, chosen, place, chain, load.fraction, it, typical)
    return case, _title(chosen, it, place.climate)


def _note_heat_alone(choices: Choices, it: ItLoad) -> None:
    words = "heat without racks: the year is at it too"
    choices.ledger.assume("cooling.typical_power", it.total_mw, "MW", words)


def _loads(
    chosen: RackChoice | None, racks: int | None, heat_mw: float | None
) -> tuple[ItLoad, ItLoad]:
    """Heat at the capacity basis and at typical power; heat alone is carried as 1 kW racks."""
    from clusterplan.planning.cooling_plan import ItLoad

    if chosen is None:
        power = heat_mw or 0.0
        return ItLoad(1000.0 * power, power), ItLoad(1000.0 * power, power)
    count = float(racks) if racks is not None else 1000.0 * (heat_mw or 0.0) / chosen.capacity_kw
    capacity, typical = count * chosen.capacity_kw, count * chosen.typical_kw
    return ItLoad(count, capacity / 1000.0), ItLoad(count, typical / 1000.0)


def _title(chosen: RackChoice | None, it: ItLoad, station: Climate) -> str:
    what = f"{it.total_mw:.4g} MW of heat"
    if chosen is not None:
        what = f"{it.racks:.4g} racks of {chosen.rack.id}"
    return f"Cooling of {what} at {station.name or station.id}"


def _rise(design: CoolingDesign, back_c: float) -> float:
    from clusterplan.sizing.tcs_loop import supply_temp_c

    if design.coil_loop is None:
        raise InputError(Problem("no heat goes to liquid", path="--tcs-return"))
    supply = supply_temp_c(design.coil_loop.supply)
    if not 2.0 <= back_c - supply <= 40.0:
        raise InputError(
            Problem(
                f"a return of {back_c:g} degC does not go with the supply of {supply:g} degC",
                path="--tcs-return",
                hint=f"2 to 40 K above it are accepted: {supply + 2:g} to {supply + 40:g} degC",
            )
        )
    return back_c - supply


def _given(supply_c: float | None, coolant: str | None, cdu: str | None) -> dict[str, Any]:
    options = {
        "cooling.tcs_supply": supply_c,
        "cooling.tcs_coolant": coolant,
        "cooling.cdu": cdu,
    }
    return {path: value for path, value in options.items() if value is not None}


def _check(problems: list[Problem], options: dict[str, Any]) -> None:
    racks, it_power = options["racks"], options["it_power"]
    if options["hours"] is not None and options["weather"] is None:
        problems.append(
            Problem(
                "there are no hours without a weather file",
                path="--hours",
                hint="give --weather FILE",
            )
        )
    if options["hours"] is not None and options["view"] != PLAN:
        problems.append(
            Problem(f"the hours are those of a plan, not of --{options['view']}", path="--hours")
        )
    if options["rack"] is None and it_power is None:
        problems.append(
            Problem("give --rack and --racks, or --it-power and --liquid-fraction", path="cooling")
        )
    elif racks is not None and it_power is not None:
        problems.append(Problem("--racks and --it-power exclude each other", path="--it-power"))
    elif options["rack"] is not None and racks is None and it_power is None:
        problems.append(Problem("give the number of racks", path="--racks"))
    elif racks is not None and options["rack"] is None:
        problems.append(Problem("name the rack", path="--rack"))
    if racks is not None and not 1 <= racks <= _MOST_RACKS:
        problems.append(
            Problem(f"{racks} is not a whole number from 1 to {_MOST_RACKS}", path="--racks")
        )


def _rack_row(rack: str | Rack, fraction: float | None) -> Rack:
    row = rack_row(rack)
    return row if fraction is None else replace(row, liquid_heat_fraction=fraction)


def _weather_file(weather: str) -> WeatherFile:
    from pathlib import Path

    from clusterplan.inputs.weather_file import read_weather

    return read_weather(Path(weather), Problem("", path="--weather"))


def _place(climate: str | None, file: WeatherFile | None, ledger: Ledger) -> CoolingSite:
    """Where the plant stands: at a station of the catalogue, or where the weather file is from."""
    from clusterplan.planning.cooling_plan import CoolingSite

    if file is None:
        station = _climate_row(climate)
        _note_climate(ledger, climate, station)
        return CoolingSite(station, station.elevation_m)
    from clusterplan.planning import weather_plan
    from clusterplan.planning.stations import nearest_station

    named = None if climate is None else _climate_row(climate)
    elevation = file.elevation_m
    if elevation is None:
        near = named
        if near is None and file.latitude_deg is not None and file.longitude_deg is not None:
            near = nearest_station(file.latitude_deg, file.longitude_deg)[0]
        elevation = 0.0 if near is None else near.elevation_m
        source = "sea level" if near is None else f"that of {near.id}"
        ledger.assume("climate.elevation", elevation, "m", f"{source}; the file gives none")
    weather = weather_plan.site_weather(file, elevation, ledger)
    if named is None:
        station = weather_plan.weather_climate(file, weather, ledger)
    else:
        station = weather_plan.with_means(named, weather)
    weather_plan.warn_hotter(station, weather, ledger, "weather")
    station = replace(station, elevation_m=elevation)
    return CoolingSite(station, elevation, weather=weather)


def _climate_row(climate: str | None) -> Climate:
    from clusterplan import catalog

    try:
        return catalog.climate(climate or DEFAULT_CLIMATE)
    except catalog.UnknownRowError as error:
        hint = error.hint or None
        raise InputError(
            Problem(f"unknown climate {climate!r}", path="--climate", hint=hint)
        ) from None


def _note_climate(ledger: Ledger, climate: str | None, station: Climate) -> None:
    if climate is not None:
        return
    ledger.assume("climate", station.id, "", "no --climate given", verified="false")
    ledger.warn(
        "climate_assumed",
        "climate",
        f"no climate given: plant, PUE and water are those of {station.name or station.id}",
    )


def _gathered(problems: list[Problem], make: Callable[[], Any]) -> Any:
    try:
        return make()
    except InputError as error:
        problems += error.problems
        return None


def _heat(text: str) -> float:
    value = parse_quantity(text, "power")
    if not 0.0 < value <= 20_000.0:
        raise ValueError(f"{value:g} MW is not above 0 and at most 20,000 MW")
    return value


def _temperature(text: str) -> float:
    return within(parse_quantity(text, "temperature"), 5.0, 80.0, "degC")


def _fraction(text: str) -> float:
    value = parse_fraction(text)
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{value:g} is not a share from 0 to 1")
    return value


def _as_option(problem: Problem) -> Problem:
    """The same problem under the name of the option that caused it."""
    option = _OPTION_OF_PATH.get(problem.path or "")
    return problem if option is None else replace(problem, path=option)
