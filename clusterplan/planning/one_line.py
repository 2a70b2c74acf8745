"""The one-line diagram of a sized site, from its plan and what the user said of its sources."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan.core.results.one_line import Apparatus, Column, OneLine, Tier
from clusterplan.inputs.datum import value_of
from clusterplan.planning.one_line_blocks import amount, behind_the_feeders, kept, kiloampere

if TYPE_CHECKING:
    from clusterplan.core.results.plan import SitePlan
    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.inputs.grid_file import Grid
    from clusterplan.inputs.loading import SiteInputs
    from clusterplan.inputs.site_file import Generation, Site

TIES = {
    "transfer-bus": "transfer bus, ties open",
    "paralleled": "ties closed: in parallel",
    "pair": "tie in each pair, open",
    "two-neighbours": "ties to both neighbours, open",
}
MOST_SOURCES = 3  # columns of generation; above that plants of one kind are drawn as one
SHARED_BREAKERS = "breaker-and-a-half"


def one_line(plan: SitePlan, inputs: SiteInputs) -> OneLine:
    """The diagram of a plan; what the plan leaves unknown is said to be so."""
    section = plan.substation
    groups = max(1, section.transformer_groups)
    buses, tiers = [_hv_bus(section)], []
    if section.bulk_transformers and section.intermediate_kv:
        tiers.append(Tier(columns=(_bulk(section),)))
        buses.append(_intermediate_bus(section))
    bay = _bay(plan, inputs)
    tiers.append(Tier(columns=(bay,), groups=groups, tie=TIES.get(section.running_arrangement, "")))
    return OneLine(
        title=f"{plan.site.name}: {amount(plan.summary.facility_power_mw)} MW at the meter",
        notes=_notes(section),
        sources=Tier(columns=_sources(section, inputs)),
        buses=tuple(buses),
        tiers=tuple(tiers),
    )


def _hv_bus(section: SubstationSection) -> Apparatus:
    breakers = ""
    if section.bus_arrangement == SHARED_BREAKERS:
        breakers = f"{math.ceil(1.5 * section.bus_elements)} breakers"
    return Apparatus(
        symbol="bus",
        name=f"{section.hv_kv:g} kV bus",
        ratings=kept(
            section.bus_arrangement,
            f"{section.bus_elements} elements",
            breakers,
            kiloampere(section.hv_fault_level_ka),
        ),
    )


def _notes(section: SubstationSection) -> tuple[str, ...]:
    found = ["Planning diagram from the sized plan; not for construction."]
    if section.bus_arrangement == SHARED_BREAKERS:
        found.append("A breaker is drawn for each element; two elements share three.")
    if section.service == "islanded":
        found.append("No grid: fault levels and breakers need machine data.")
    return tuple(found)


def _sources(section: SubstationSection, inputs: SiteInputs) -> tuple[Column, ...]:
    columns = []
    if inputs.grid is not None:
        columns.append(_grid_column(section, inputs.grid))
    elif section.service != "islanded":
        columns.append(_grid_column(section, None))
    if section.service == "islanded" or _joins_hv(section, inputs):
        columns += [_generation_column(*plant) for plant in _plants(inputs.site)]
        if inputs.site.storage is not None:
            columns.append(_storage_column(inputs.site))
    return tuple(columns)


def _joins_hv(section: SubstationSection, inputs: SiteInputs) -> bool:
    """Whether on-site units join the HV bus: as the grid file says, else above 100 MW."""
    from clusterplan.planning.site_case import HV_GENERATION_MIN_MW

    if not inputs.site.generation or section.service == "mv":
        return False
    said = None if inputs.grid is None else inputs.grid.generation_connects_at
    gross = sum(unit.gross_mw.value for unit in inputs.site.generation)
    return gross > HV_GENERATION_MIN_MW if said is None else said == "hv"


def _grid_column(section: SubstationSection, grid: Grid | None) -> Column:
    names = () if grid is None else (grid.poi_name or "", grid.utility or grid.operator or "")
    loss = section.hv_circuit_current_a
    lines = Apparatus(
        symbol="line",
        name="circuit",
        ratings=kept(
            f"{section.hv_kv:g} kV",
            f"{amount(section.hv_current_a)} A in all",
            "" if loss is None else f"{amount(loss)} A with one out",
            "no N-1 of lines" if section.hv_circuits == 1 else "",
        ),
        count=section.hv_circuits,
        each=section.hv_circuits,
    )
    source = Apparatus(
        symbol="grid",
        name="grid",
        ratings=kept(*names, f"{section.hv_kv:g} kV", section.grid_fault),
    )
    return Column(name="grid", items=(source, lines, _hv_breaker(section, section.hv_circuits)))


def _hv_breaker(section: SubstationSection, count: int) -> Apparatus:
    ratings = kept(
        kiloampere(section.hv_breaker_ka),
        "" if section.hv_breaker_a is None else f"{amount(section.hv_breaker_a)} A",
    )
    return Apparatus(
        symbol="breaker",
        name=(
            "HV breaker position" if section.bus_arrangement == SHARED_BREAKERS else "HV breaker"
        ),
        ratings=ratings or ("rating unknown",),
        count=count,
        each=1 if count == 0 else count,
    )


def _plants(site: Site) -> list[tuple[str, float, int, str]]:
    """(name, gross MW, units, kind) of each plant, or of each kind where there are many."""
    found: dict[str, tuple[str, float, int, str]] = {}
    many = len(site.generation) > MOST_SOURCES
    for place, unit in enumerate(site.generation):
        if unit.gross_mw.value <= 0.0:
            continue
        kind = unit.type.replace("_", " ")
        key = kind if many else str(place)
        name = kind if many else unit.name or kind
        _, mw, count, _ = found.get(key, ("", 0.0, 0, ""))
        found[key] = (name, mw + unit.gross_mw.value, count + _units(unit), kind)
    return list(found.values())


def _units(unit: Generation) -> int:
    return value_of(unit.units) or 1


def _generation_column(name: str, gross_mw: float, units: int, kind: str) -> Column:
    each = f"{amount(gross_mw / units)} MW each" if units > 1 else ""
    machine = Apparatus(
        symbol="generator",
        name=f"{name} unit" if units > 1 else name,
        ratings=kept("" if kind == name else kind, each, f"{amount(gross_mw)} MW gross"),
        count=units,
        each=units,
    )
    breaker = Apparatus(symbol="breaker", name="generator breaker", count=units, each=units)
    return Column(name="generation", items=(machine, breaker))


def _storage_column(site: Site) -> Column:
    return Column(
        name="storage", items=(_storage(site), Apparatus(symbol="breaker", name="breaker"))
    )


def _storage(site: Site) -> Apparatus:
    storage = site.storage
    ratings: tuple[str, ...] = ()
    if storage is not None:
        ratings = (
            f"{amount(storage.power_mw.value)} MW",
            f"{amount(storage.energy_mwh.value)} MWh",
        )
    return Apparatus(symbol="storage", name="battery storage", ratings=ratings)


def _bulk(section: SubstationSection) -> Column:
    units, spare = section.bulk_transformers or 0, section.bulk_transformers_redundant or 0
    rating = section.bulk_transformer_mva
    unit = Apparatus(
        symbol="transformer",
        name="B",
        ratings=kept(
            "" if rating is None else f"{amount(rating)} MVA",
            f"{section.hv_kv:g}/{section.intermediate_kv:g} kV",
        ),
        count=units,
    )
    return Column(name="B", items=(_one_each(section, units), unit), alike=units, redundant=spare)


def _one_each(section: SubstationSection, count: int) -> Apparatus:
    breaker = _hv_breaker(section, count)
    return Apparatus(symbol="breaker", name=breaker.name, ratings=breaker.ratings, count=count)


def _intermediate_bus(section: SubstationSection) -> Apparatus:
    return Apparatus(
        symbol="bus",
        name=f"{section.intermediate_kv:g} kV bus",
        ratings=kept(kiloampere(section.bulk_fault_level_ka)),
    )


def _bay(plan: SitePlan, inputs: SiteInputs) -> Column:
    """One transformer with all behind it, as many alike as a group has."""
    section = plan.substation
    units = section.transformers
    unit = Apparatus(
        symbol="transformer",
        name="T",
        ratings=kept(
            f"{amount(section.transformer_mva)} MVA",
            f"{section.hv_kv:g}/{section.mv_kv:g} kV",
            f"{section.transformer_impedance_percent:.3g} % on"
            f" {amount(section.transformer_onan_mva)} MVA",
            "two secondaries" if section.secondaries > 1 else "",
        ),
        count=units,
    )
    if section.service == "mv" or section.bulk_transformers:
        breaker = Apparatus(symbol="breaker", name="breaker", count=units)
    else:
        breaker = _one_each(section, units)
    items = [breaker, unit, *_sections(section)]
    if section.service != "mv":
        items.append(_feeders(section))
        if inputs.site.generation and not _joins_hv(section, inputs):
            items += _taps_at_mv(section, inputs.site)
    items += behind_the_feeders(plan)
    groups = max(1, section.transformer_groups)
    return Column(
        name="T",
        items=tuple(items),
        alike=max(1, math.ceil(units / groups)),
        redundant=section.transformers_redundant // groups,
    )


def _sections(section: SubstationSection) -> list[Apparatus]:
    count = section.transformers * section.secondaries
    low = section.service == "mv"
    main = kept(
        kiloampere(section.mv_breaker_ka),
        "" if section.mv_breaker_a is None else f"{amount(section.mv_breaker_a)} A",
    )
    return [
        Apparatus(
            symbol="breaker",
            name="LV main breaker" if low else "MV main breaker",
            ratings=main,
            count=count,
            each=section.secondaries,
        ),
        Apparatus(
            symbol="bus",
            name="LV board" if low else "MV section",
            ratings=kept(f"{section.mv_kv:g} kV", kiloampere(section.fault_level_ka)),
            count=count,
            each=section.secondaries,
        ),
    ]


def _feeders(section: SubstationSection) -> Apparatus:
    spare = section.feeders_spare or 0
    in_all = section.feeders + spare
    return Apparatus(
        symbol="feeder",
        name="MV feeder",
        ratings=kept(
            f"{amount(section.rating_power_mva / section.feeders)} MVA each"
            if section.feeders
            else "",
            f"{spare} spare on the site" if spare else "",
        ),
        count=in_all,
        each=max(1, math.ceil(in_all / max(1, section.transformers))),
    )


def _taps_at_mv(section: SubstationSection, site: Site) -> list[Apparatus]:
    taps = []
    if section.service != "islanded":
        for name, gross_mw, units, _ in _plants(site):
            taps.append(
                Apparatus(
                    symbol="tap",
                    name=f"{name} at MV",
                    ratings=(f"{amount(gross_mw)} MW on the site",),
                    count=units,
                )
            )
        if site.storage is not None:
            storage = _storage(site)
            taps.append(
                Apparatus(symbol="tap", name="battery storage at MV", ratings=storage.ratings)
            )
    return taps
