"""One site as a function of the count of servers: what the solve for racks calls.

Everything that does not depend on the count is resolved once; a count is evaluated once and kept.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import active_recorder
from clusterplan.planning import (
    cooling_plan,
    floor_plan,
    substation_plan,
)
from clusterplan.planning.cooling_plan import CoolingSite
from clusterplan.planning.cooling_units import plant_units
from clusterplan.planning.it_model import ItModel
from clusterplan.sizing import supply
from clusterplan.sizing.distribution import chain_efficiency, chain_stages
from clusterplan.sizing.electrical_load import substation_load_mw
from clusterplan.sizing.floor import FloorQuantities
from clusterplan.sizing.heat_rejection import TOWER_KINDS
from clusterplan.sizing.liquid_loop import racks_past_dip
from clusterplan.sizing.plant import plumes
from clusterplan.sizing.pue import Chain

if TYPE_CHECKING:
    from clusterplan.core.results.substation import SubstationSection
    from clusterplan.planning.choices import Choices
    from clusterplan.planning.cooling_plan import CoolingDesign, CoolingQuick, ItLoad
    from clusterplan.planning.rack_choice import RackChoice
    from clusterplan.planning.site_case import SiteCase, SupplyStep
    from clusterplan.planning.substation_plan import ElectricalDesign
    from clusterplan.sizing.fabric_site import SiteFabric
    from clusterplan.sizing.floor import FloorDesign
    from clusterplan.sizing.onsite_plants import Plant
    from clusterplan.sizing.power import ItPower
    from clusterplan.sizing.substation_tables import Scheme
    from clusterplan.sizing.support_totals import SupportFabric

_FIRST_PUE = 1.2  # only to guess the number of transformations where the HV voltage is open


class Point(NamedTuple):
    """A site at one count of servers; up to it_regime as in `ItPoint`."""

    servers: int
    racks: int
    it: ItPower
    fabric: SiteFabric | None
    support: tuple[SupportFabric, ...]
    support_mw: tuple[float | None, float | None]
    load: ItLoad
    it_regime: tuple[object, ...]
    cooling: CoolingQuick
    pue_peak: float
    facility_mw: float


class SiteModel:
    """A site, its rack and its choices; `at` evaluates a count of servers."""

    def __init__(
        self,
        case: SiteCase,
        chosen: RackChoice,
        choices: Choices,
        electrical: ElectricalDesign,
        plants: tuple[Plant, ...] = (),
    ) -> None:
        self.plants = plants
        self.case = case
        self.chosen = chosen
        self.choices = choices
        self.electrical = electrical
        self.it = choices.once(("it", chosen), lambda own: ItModel(own, chosen))
        self.fabric, self.support, self.power = self.it.fabric, self.it.support, self.it.power
        self.single_cluster = self.it.single_cluster
        self.growth_margin = choices.number("growth_margin")
        self.servers_per_rack = chosen.shape.servers_per_rack
        self._points: dict[int, Point] = {}
        self._schemes: dict[float, Scheme | None] = {}
        self._acres: dict[int, float] = {}
        stages = substation_plan.hv_stages(electrical)
        self._first_cooling = cooling_plan.cooling_design(
            choices,
            chosen,
            CoolingSite(case.climate, case.elevation_m, case.water_available, case.weather),
            self.chain(stages),
            su_racks=chosen.shape.su_racks,
        )
        self._cooling: dict[int, CoolingDesign] = {stages: self._first_cooling}
        self._floor = choices.once(
            ("floor", chosen), lambda own: floor_plan.floor_design(own, chosen)
        )

    @cached_property
    def floor(self) -> FloorDesign:
        """The floor design, with the acres that the site holds."""
        return dataclasses.replace(self._floor, acres_held=self.case.acres)

    def chain(self, hv_stages: int) -> Chain:
        """Efficiencies from the meter with so many HV transformations."""
        design = self.electrical
        names = design.efficiencies
        position = design.ups.position if design.ups else ""
        stages = chain_stages(names, hv_stages, bool(position), design.distribution, position)
        # a UPS at medium voltage stands outside the cooled rooms
        in_rooms = names.get("ups", 1.0) if position != "mv" else 1.0
        return Chain(*chain_efficiency(stages), busway=names["busway"], ups=in_rooms)

    def cooling(self, hv_stages: int) -> CoolingDesign:
        """The cooling design behind so many HV transformations."""
        if hv_stages not in self._cooling:
            first = self._first_cooling
            plant = dataclasses.replace(first.plant, chain=self.chain(hv_stages))
            self._cooling[hv_stages] = dataclasses.replace(first, plant=plant, kept={})
        return self._cooling[hv_stages]

    def at(self, servers: int) -> Point:
        """The site with so many servers; kept.

        Raises InputError or InfeasibleError of the liquid loops, InfeasibleError of a fabric that
        does not even reach one rack.
        """
        point = self._points.get(servers)
        if point is None:
            point = self._points[servers] = self.evaluate(servers)
        return point

    def evaluate(self, servers: int) -> Point:
        """The site with so many servers, calculated anew (recorded where a record is kept)."""
        found = (self.it.at if active_recorder() is None else self.it.evaluate)(servers)
        it, load = found.it, found.load
        stages = self._stages(_FIRST_PUE * it.total_mw)
        quick = cooling_plan.cooling_quick(self.cooling(stages), load)
        pue = self.case.pue_peak or quick.pue_peak
        settled = self._stages(it.total_mw * pue)
        if settled != stages:
            quick = cooling_plan.cooling_quick(self.cooling(settled), load)
            pue = self.case.pue_peak or quick.pue_peak
        return Point(
            servers,
            -(-servers // self.servers_per_rack),
            *found,
            quick,
            pue,
            supply.facility_power_mw(it.total_mw, pue),
        )

    def stages_of(self, point: Point) -> int:
        """HV transformations between the meter and the MV buses of a point."""
        return self._stages(point.facility_mw)

    def _stages(self, facility_mw: float) -> int:
        if self._fixed_stages is not None:
            return self._fixed_stages
        return substation_plan.hv_stages(self.electrical, self.through_substation_mw(facility_mw))

    @cached_property
    def _fixed_stages(self) -> int | None:
        """HV transformations where the load does not decide: a given voltage, not islanded."""
        duty = self.electrical.duty
        if duty.hv_kv is None or duty.islanded:
            return None
        return substation_plan.hv_stages(self.electrical)

    def regime(self, servers: int) -> tuple[object, ...]:
        """What makes a need of power or water jump when it changes: plant and fabric."""
        return (*self.plant_regime(servers), *self.at(servers).it_regime)

    def past_dip(self, servers: int) -> int | None:
        """The servers at which the last CDU group no longer lowers the FWS supply of the site.

        None where it does not with so many.
        """
        point = self.at(servers)
        design = self.cooling(self.stages_of(point))
        loop_design = cooling_plan.loop_design(design, point.cooling.plant.kind)
        if loop_design is None or point.cooling.loop is None:
            return None
        racks = racks_past_dip(loop_design, point.cooling.loop, point.load.racks)
        return None if racks is None else racks * self.servers_per_rack

    def is_alike(self, servers: int, more: int) -> bool:
        """Whether two counts surely have the same `regime`, told without evaluating `more`.

        False also where it takes an evaluation to tell.
        """
        one, other = self.it.at(servers), self.it.at(more)
        return one.regime == other.regime and self._same_plant(servers, more)

    def takes_no_less(self, servers: int, more: int) -> bool:
        """Whether `more` servers surely draw no less from the meter, told without evaluating."""
        design = self._comparable
        if design is None or not self._same_plant(servers, more):
            return False
        one, other = self.it.at(servers), self.it.at(more)
        kind = self.at(servers).cooling.plant.kind
        return cooling_plan.is_no_less(design, one.load, other.load, kind)

    def _same_plant(self, servers: int, more: int) -> bool:
        design = self._comparable
        if design is None:
            return False
        kind = self.at(servers).cooling.plant.kind
        one, other = (
            cooling_plan.conditions(design, self.it.at(count).load, kind)
            for count in (servers, more)
        )
        return one == other

    @cached_property
    def _comparable(self) -> CoolingDesign | None:
        """The cooling design where the count changes neither it nor the hour that decides."""
        if self._fixed_stages is None or self.case.weather is not None:
            return None
        return self.cooling(self._fixed_stages)

    def plant_regime(self, servers: int) -> tuple[object, ...]:
        """HV stages, kind of heat rejection and the plume that counts for it."""
        point = self.at(servers)
        stages = self.stages_of(point)
        plant = point.cooling.plant
        plume = plumes(self.cooling(stages).plant, point.cooling.load, hung=plant.hung)
        counts = (plume.tower_k, plume.air_k) if plant.kind in TOWER_KINDS else (plume.dry_k,)
        return (stages, plant.kind, counts)

    def typical_load(self, point: Point) -> ItLoad:
        """IT of a point at typical rack power; the rest does not fall with the racks."""
        load = point.load
        others = load.network_air_mw + load.network_liquid_mw + load.other_mw
        return load._replace(compute_mw=point.it.typical_mw - others)

    @cached_property
    def onsite_at_mv_mw(self) -> float:
        """Firm on-site MW of the last step that join at MV and so do not pass the transformers."""
        return self.onsite_at_mv_of(self.case.steps[-1]) if self.case.steps else 0.0

    def onsite_at_mv_of(self, step: SupplyStep) -> float:
        """The same of another supply step."""
        case = self.case
        return 0.0 if not case.has_grid or case.generation_at_hv else step.onsite_firm_mw

    def through_substation_mw(self, facility_mw: float, onsite_mw: float | None = None) -> float:
        """MW that the substation carries, without growth margin.

        onsite_mw: firm on-site MW at MV, those of the last step where None.
        """
        return max(0.0, facility_mw - (self.onsite_at_mv_mw if onsite_mw is None else onsite_mw))

    @property
    def rating_mva_per_mw(self) -> float:
        """MVA of transformers that a MW through them asks for, growth margin included."""
        duty = self.electrical.duty
        return (1.0 + self.growth_margin) / (duty.power_factor_mv or duty.power_factor)

    def scheme(self, servers: int, onsite_mw: float | None = None) -> Scheme | None:
        """The new substation for so many servers; None where no design passes, or none is built.

        One that on-site units leave without load is still built, at the least load there is.
        """
        onsite_mw = self.onsite_at_mv_mw if onsite_mw is None else onsite_mw
        load_mw = substation_load_mw(self.at(servers).facility_mw, onsite_mw)
        if load_mw not in self._schemes:
            found = None
            if not self.electrical.existing:
                found = substation_plan.choose(self.electrical, load_mw).scheme
            self._schemes[load_mw] = found
        return self._schemes[load_mw]

    def can_be_supplied(self, servers: int, onsite_mw: float | None = None) -> bool:
        """Whether a substation can be built for so many servers; existing ones are a limit."""
        return bool(self.electrical.existing) or self.scheme(servers, onsite_mw) is not None

    def annual_water_m3(self, servers: int) -> float:
        """Site water of a year at typical power; 0 where the climate has no annual means."""
        point = self.at(servers)
        design = self.cooling(self.stages_of(point))
        water = cooling_plan.annual_water_m3(design, point.load, self.typical_load(point))
        return 0.0 if water is None else water

    def acres(self, servers: int) -> float:
        """Acres of the whole plot for so many servers; kept."""
        if servers not in self._acres:
            self._acres[servers] = self._acres_of(servers)
        return self._acres[servers]

    def _acres_of(self, servers: int) -> float:
        scheme = self.scheme(servers)
        if scheme is None:  # where none passes, land must not seem to shrink
            return self.acres_at_least(servers)
        installed = scheme.installed * scheme.rating.top_mva
        if scheme.bulk:
            installed += scheme.bulk.groups * scheme.bulk.units * scheme.bulk.rating.top_mva
        quantities = self.quantities(self.at(servers), installed, scheme.hv_kv)
        return floor_plan.acres_needed(self._floor, quantities)

    def acres_at_least(self, servers: int) -> float:
        """Acres with a yard for no more transformers than the load: never above `acres`."""
        point = self.at(servers)
        load_mw = 0.0
        if not self.electrical.existing:
            load_mw = self.through_substation_mw(point.facility_mw)
        quantities = self.quantities(point, load_mw, self.electrical.duty.hv_kv or 0.0)
        return floor_plan.acres_needed(self._floor, quantities)

    def quantities(self, point: Point, installed_mva: float, hv_kv: float) -> FloorQuantities:
        """What the disciplines ask room for."""
        quick, case, fabric = point.cooling, self.case, point.fabric
        loop = quick.loop
        plant = plant_units(self.cooling(self.stages_of(point)), quick)
        row = catalog.cdu(loop.cdu) if loop else None
        return FloorQuantities(
            racks=point.racks,
            it_mw=point.it.total_mw,
            facility_mw=point.facility_mw,
            su_racks=self.chosen.shape.su_racks,
            switch_units=None if fabric is None else fabric.switch_rack_units,
            network_kw=1000.0 * point.it.network_mw,
            support_kw=1000.0 * (point.it.storage_mw + point.it.management_mw),
            cdus=loop.cdus if loop else 0,
            cdu_width_m=row.width_m if row else None,
            cdu_depth_m=row.depth_m if row else None,
            cdu_weight_kg=row.weight_wet_kg if row else None,
            cdu_in_rack=row is not None and row.kind.startswith("in-rack"),
            heat_rejection=quick.plant.kind,
            heat_rejection_mw=quick.plant.heat_rejection_mw,
            heat_rejection_is_air_plant=loop is None,
            trim_mw=quick.plant.trim_mw,
            air_plant_mw=0.0 if quick.plant.hung else quick.plant.air_plant_mw,
            water_peak_l_per_s=quick.water_peak_l_per_s,
            hv_kv=hv_kv,
            installed_mva=installed_mva,
            generation=case.generation,
            storage_mwh=case.storage_mwh,
            heat_rejection_units=plant.main.installed,
            heat_rejection_redundant=plant.main.redundant,
            trim_units=plant.trim.installed,
            trim_redundant=plant.trim.redundant,
            air_plant_units=plant.air.installed,
            air_plant_redundant=plant.air.redundant,
        )


def section_quantities(
    model: SiteModel, point: Point, substation: SubstationSection
) -> FloorQuantities:
    """The same quantities from the finished substation section; existing yards take no land."""
    if model.electrical.existing:
        return model.quantities(point, 0.0, substation.hv_kv)
    installed = substation.transformers * substation.transformer_mva
    if substation.bulk_transformers and substation.bulk_transformer_mva:
        installed += substation.bulk_transformers * substation.bulk_transformer_mva
    return model.quantities(point, installed, substation.hv_kv)
