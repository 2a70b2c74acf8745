"""The row of a site in a long list is that of its whole plan, whatever limits it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.cli.size import load
from clusterplan.core.errors import InfeasibleError
from clusterplan.planning.quick_size import quick_row
from clusterplan.planning.size_site import size_site

SAMPLES = Path(__file__).parents[2] / "sample_sites"
SITES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())


def _agree(site: str, *overrides: str) -> None:
    inputs = load(str(SAMPLES / site), {}, overrides)
    row = quick_row(inputs)
    plan, limit = None, None
    try:
        plan = size_site(inputs, record=False)
    except InfeasibleError as error:
        limit = error.limit
    if plan is None:
        assert (row.racks, row.limited_by) == (0, limit)
        return
    summary = plan.summary
    for name in (
        "accelerators",
        "racks",
        "it_power_mw",
        "facility_power_mw",
        "pue_peak",
        "limited_by",
        "h100_equivalents",
    ):
        assert getattr(row, name) == getattr(summary, name), (site, overrides, name)
    # the year of a row runs on arrays, whose wet bulb is the closer one
    assert row.pue_annual == pytest.approx(summary.pue_annual, rel=5e-6)
    assert row.water_m3_per_year == pytest.approx(plan.cooling.water_m3_per_year, rel=1e-4)
    section = plan.substation
    assert row.transformers == f"{section.transformers} x {section.transformer_mva:g} MVA"
    assert row.heat_rejection == plan.cooling.heat_rejection
    first = next((stage for stage in plan.stages if stage.racks > 0), None)
    assert row.first_power == (None if first is None else first.energised)


@pytest.mark.parametrize("site", SITES)
def test_sample_sites(site: str) -> None:
    _agree(site)


@pytest.mark.parametrize(
    ("site", "overrides"),
    [
        ("abilene", ("site.rack_cap=777",)),
        ("abilene", ("site.land.buildable=90 acre",)),
        ("abilene", ("design.whole_sus=true",)),
        ("abilene", ("design.single_cluster=true",)),
        ("abilene", ("design.power_basis=typical",)),
        ("abilene", ("grid.circuits=1",)),
        ("ashburn", ("site.water.annual=20 m3/yr",)),
        ("memphis", ("site.water.peak=1 L/s",)),
        ("west-texas-5gw", ("grid.circuits=2",)),
        ("lulea", ("site.pue_peak=1.3",)),
        ("university-room", ("site.rack=dgx-a100-x4",)),
        # the last CDU group lowers the FWS supply of the site from 11,352 to 11,354 racks
        (
            "dona-ana",
            (
                "site.rack=gb300-nvl72",
                "design.cooling.tcs_supply=33 degC",
                "design.heat_rejection=air-cooled-chiller",
                "site.water.source=municipal",
                "design.fabric.oversubscription_leaf=2",
            ),
        ),
    ],
)
def test_each_limit(site: str, overrides: tuple[str, ...]) -> None:
    _agree(site, *overrides)


@settings(max_examples=25, deadline=None)
@given(
    site=st.sampled_from(["abilene", "ashburn", "johor"]),
    firm=st.floats(5.0, 900.0),
    acres=st.floats(20.0, 900.0),
    rack=st.sampled_from(["gb300-nvl72", "dgx-b200-x4", "mi355x-8x8-liquid"]),
)
def test_random_power_and_land(site: str, firm: float, acres: float, rack: str) -> None:
    inputs = load(str(SAMPLES / site), {}, ())
    assert inputs.grid is not None
    last = len(inputs.grid.stages) - 1
    overrides = [f"grid.stages.{place}.firm={firm:.3f} MW" for place in range(last + 1)]
    _agree(
        site,
        *overrides,
        "grid.requested=1000 MW",
        "grid.approved=1000 MW",
        f"site.land.gross={2 * acres:.2f} acre",
        f"site.land.buildable={acres:.2f} acre",
        f"site.rack={rack}",
    )
