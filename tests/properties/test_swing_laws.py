"""Laws of the swing: verdicts follow from their figures, and layers close on what limits leave."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clusterplan import catalog
from clusterplan.planning.choices import Choices, Ledger
from clusterplan.planning.substation_plan import electrical_design, substation_section
from clusterplan.planning.swing_plan import JobShape, job_swing, swing_section
from clusterplan.sizing import power_swing
from clusterplan.sizing.grid_connection import GridConnection

UTILITIES = ("all", "ERCOT", "IESO", "Georgia Power", "LIPA", "AESO", "Dominion", "elsewhere")
LOAD_MW = 240.0


def section_of(utility, typical, idle_share, step_s, shape):
    choices = Choices(catalog.design_fields(), {}, Ledger())
    grid = GridConnection(
        voltage_kv=230.0, short_circuit_min_mva=8000.0, x_over_r=15.0, utility=utility
    )
    design = electrical_design(choices, grid, "US")
    substation = substation_section(design, LOAD_MW)
    job = job_swing(choices, typical, idle_share * typical, None, step_s, shape)
    return swing_section(design, substation, job)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(UTILITIES),
    st.floats(1.0, 200.0),
    st.floats(0.0, 0.95),
    st.floats(0.2, 20.0),
    st.floats(0.05, 0.95),
    st.floats(0.01, 30.0),
    st.integers(1, 50),
)
def test_verdicts_and_layers(utility, typical, idle_share, step_s, share, edge_s, jobs):
    shape = JobShape(share, edge_s, jobs, 100_000.0, 65.0)
    section = section_of(utility, typical, idle_share, step_s, shape)
    assert section.repeating_mw == pytest.approx(section.swing_mw / jobs**0.5)
    for row in section.verdicts:
        if not row.verdict.startswith("n/a"):
            expected = "pass" if row.value <= row.limit else "fail"
            assert row.verdict.startswith(expected), (row.who, row.quantity)
    published = [row for row in section.verdicts if row.who != "IEEE 1453, HV"]
    broken = [r for r in published if r.verdict.startswith("fail") and r.unit != "%"]
    # a band that only its brick-wall reading breaks asks for no buffer: the strict one is read
    strict = [row for row in broken if not row.quantity.endswith("brick-wall")]
    if section.buffer_mw is not None:
        assert (section.buffer_mw > 0.0) == bool(strict)
        assert section.buffer_mw <= section.swing_mw * (1 + 1e-9)
    for layer in section.layers:
        if layer.layer == "BESS at MV":
            assert layer.nameplate_mwh >= layer.usable_mwh / 0.9 * (1 - 1e-9)
            assert layer.nameplate_mwh >= layer.power_mw / 4.0 * (1 - 1e-9)
        if layer.layer == "software ballast":
            assert 0.0 <= layer.power_mw <= section.repeating_mw * (1 + 1e-9)
    assert bool(section.layers) == (section.layers_for is not None)


@settings(max_examples=60, deadline=None)
@given(
    st.floats(1.0, 2000.0),
    st.floats(0.05, 0.95),
    st.floats(0.1, 5.0),
    st.floats(0.0, 0.09),
)
def test_the_whole_band_of_a_trapezoid_is_near_its_swing(swing, duty, hertz, edge):
    assume(edge < min(duty, 1.0 - duty) / hertz)
    inside = power_swing.band_swing_mw(swing, duty, hertz, edge, 0.0, 1e6)
    # the series stops at 180 harmonics: instant edges ring by 9 % each way (Gibbs)
    assert 0.7 * swing <= inside <= 1.2 * swing
    part = power_swing.band_swing_mw(swing, duty, hertz, edge, hertz * 1.5, 1e6)
    assert part <= 2.0 * swing


@given(st.floats(1.0, 2000.0), st.floats(0.1, 0.9), st.floats(1e-4, 10.0), st.floats(1.01, 9.0))
def test_more_storage_reaches_lower(swing, duty, energy, more):
    first = power_swing.flattens_from_hz(swing, duty, energy)
    assert power_swing.flattens_from_hz(swing, duty, more * energy) < first
    # at that frequency the buffer of the formula is just the store
    buffer = power_swing.smoothing_buffer(swing, duty, first)
    assert buffer.energy_mwh == pytest.approx(energy)
