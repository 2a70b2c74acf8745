"""One cooling to be planned, with everything needed to plan it again with a choice changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clusterplan.core.errors import InfeasibleError, InputError
from clusterplan.planning.cooling_plan import annual, cooling_design, cooling_quick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterplan.planning.choices import Choices
    from clusterplan.planning.cooling_plan import (
        CoolingDesign,
        CoolingQuick,
        CoolingSite,
        ItLoad,
    )
    from clusterplan.planning.rack_choice import RackChoice
    from clusterplan.sizing.cooling_year import CoolingYear
    from clusterplan.sizing.pue import Chain


class Planned(NamedTuple):
    """A cooling at its design points, and its year (None without annual means)."""

    design: CoolingDesign
    quick: CoolingQuick
    year: CoolingYear | None


class CoolingCase(NamedTuple):
    """Choices, rack, site and loads. rack None: heat of which `liquid_fraction` goes to liquid."""

    choices: Choices
    rack: RackChoice | None
    site: CoolingSite
    chain: Chain
    liquid_fraction: float | None
    it: ItLoad
    typical: ItLoad

    def with_choices(self, changed: Mapping[str, Any]) -> CoolingCase:
        """The same with some choices changed, and a ledger of its own."""
        return self._replace(choices=self.choices.varied(changed))

    def design(self) -> CoolingDesign:
        """Resolve it. Raises InputError for choices that cannot work."""
        return cooling_design(self.choices, self.rack, self.site, self.chain, self.liquid_fraction)

    def planned_points(self, design: CoolingDesign) -> CoolingQuick:
        """The plant at its design points alone, without a year."""
        return cooling_quick(design, self.it)

    def planned(self, design: CoolingDesign | None = None) -> Planned:
        """Plant and year of the case, or of a `design` made from it.

        Raises InputError or InfeasibleError of the liquid loops.
        """
        design = self.design() if design is None else design
        quick = cooling_quick(design, self.it)
        return Planned(design, quick, annual(design, self.it, self.typical, quick))


def first_words(error: InputError | InfeasibleError) -> str:
    """What is wrong, without the paths and hints that go with a file."""
    if isinstance(error, InputError):
        return error.problems[0].message
    return str(error)
