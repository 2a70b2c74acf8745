"""Substations worked by hand, checked with pandapower 3.5.6 (IEC 60909 and load flow).

A: 240 MW (200 MW IT at PUE 1.20), pf 0.97, 230/34.5 kV, grid 10 GVA at X/R 15, units of
90/120/150 MVA with z 10 % on ONAN and r 0.25 %. B: one 180/240/300 MVA unit, z 9.5 %, r 0.25 % on
ONAN, same grid. C: 96 MW at pf 0.95 on 60 MVA units. D: textbook N-1, 90 MVA on 50 MVA units.
Counts are exact; the rest within 1 %, the rounding of the printed figures.
"""

import pytest

from clusterplan.sizing import breakers, electrical_load, short_circuit, transformers
from clusterplan.sizing.substation import choose_substation
from clusterplan.sizing.substation_tables import (
    BreakerFamily,
    FaultDefault,
    SubstationDuty,
    SubstationRules,
    SubstationTables,
    UnitRating,
    VoltageStep,
)

MV_38_KV = (16.0, 25.0, 31.5, 40.0)
GRID = (10_000.0, 15.0)


def near(value):
    return pytest.approx(value, rel=0.01)


# ONAN ratings of the US three-phase series (IEEE C57.12.00/.10) by HV class; top stage 5/3
SERIES = {
    138: (12, 15, 20, 25, 30, 37.5, 50, 60, 75, 90, 100, 120),
    230: (25, 30, 37.5, 50, 60, 75, 90, 100, 120, 150, 180, 200),
    345: (90, 100, 120, 150, 180, 200, 240, 300, 336, 400),
    500: (180, 200, 240, 300, 336, 400, 450),
    765: (450,),
}
TOP = {mva: round(mva * 5 / 3, 1) for row in SERIES.values() for mva in row}
TABLES = SubstationTables(
    practice="ieee",
    ratings=tuple(
        UnitRating(
            float(mva), TOP[mva], tuple(float(kv) for kv, row in SERIES.items() if mva in row)
        )
        for mva in sorted(TOP)
    ),
    losses=((60.0, 0.0006, 0.0027), (90.0, 0.00055, 0.0025), (180.0, 0.0005, 0.0025)),
    impedance_by_kv=((138.0, 0.095), (230.0, 0.10), (345.0, 0.12), (500.0, 0.135), (765.0, 0.15)),
    voltages=(
        VoltageStep(138.0, 250.0, 1200.0),
        VoltageStep(230.0, 700.0, 2000.0),
        VoltageStep(345.0, 1500.0, 3000.0),
        VoltageStep(500.0, 2600.0, 3500.0),
        VoltageStep(765.0, 4600.0, 4000.0),
    ),
    mv_breakers=(
        BreakerFamily(15.0, (1200.0, 2000.0, 3000.0), (25.0, 40.0, 50.0, 63.0)),
        BreakerFamily(27.0, (1200.0, 2000.0), (16.0, 22.0, 25.0, 40.0)),
        BreakerFamily(38.0, (1200.0, 2000.0, 2500.0, 3000.0, 4000.0), MV_38_KV),
    ),
    hv_breakers=(
        BreakerFamily(800.0, (1200.0, 2000.0, 3000.0, 4000.0, 5000.0), (40.0, 50.0, 63.0, 80.0)),
    ),
    fault_defaults=(FaultDefault(800.0, 10.0, 63.0, 18.0),),
)
RULES = SubstationRules(frequency_hz=60.0)


def duty(**figures):
    known = {"hv_kv": 230.0, "fault_min_mva": 10_000.0, "x_over_r": 15.0} | figures
    return SubstationDuty(**known)


def chosen(rules=RULES, **figures):
    scheme = choose_substation(duty(**figures), rules, TABLES).scheme
    assert scheme is not None
    return scheme


class TestVectorA:
    LOAD = 240.0 / 0.97

    def test_load(self):
        assert electrical_load.apparent_load_mva(240.0, 0.97) == near(247.4)
        assert electrical_load.load_mvar(240.0, 0.97) == near(60.1)
        assert electrical_load.three_phase_current_a(self.LOAD, 230.0) == near(621.0)

    def test_transformers(self):
        units = transformers.fewest_units(self.LOAD, 150.0, 1, 1.0, "transfer-bus")
        assert units == 3
        firm = transformers.group_firm_mva(units, 1, 150.0, None)
        assert firm == 300.0
        assert electrical_load.loading_percent(self.LOAD, firm) == near(82.5)
        assert electrical_load.mv_bus_current_a(150.0, 1, 34.5) == near(2510.0)

    @pytest.mark.parametrize(("together", "expected"), [(1, 13.8), (2, 25.5), (3, 35.6)])
    def test_mva_method(self, together, expected):
        level = short_circuit.fault_level_mva_method_ka(10_000.0, 90.0, 0.10, together, 34.5)
        assert level == near(expected)

    @pytest.mark.parametrize(
        ("together", "current", "peak", "ratio", "breaker"),
        [
            (1, 15.27, 41.4, 34.7, 25.0),
            (2, 27.99, 75.6, 31.3, 40.0),
            (3, 38.75, 104.3, 28.9, None),
        ],
    )
    def test_iec_60909(self, together, current, peak, ratio, breaker):
        level = short_circuit.bus_fault(*GRID, 90.0, 0.10, 0.0025, together, 34.5)
        assert level.current_ka == near(current)
        assert level.peak_ka == near(peak)
        assert level.x_over_r == near(ratio)
        assert (
            breakers.breaker_rating_ka(
                level.current_ka, level.peak_ka, level.x_over_r, MV_38_KV, 60.0
            )
            == breaker
        )

    def test_asymmetry_binds(self):
        # two paralleled: 31.5 kA fails on k 1.147, three on 43.6 kA and the peak
        assert breakers.asymmetry_factor(31.285, 60.0) == near(1.147)
        assert breakers.breaker_duty_ka(27.99, 31.285, 31.5, 60.0) == near(32.1)
        assert breakers.breaker_duty_ka(38.75, 28.87, 40.0, 60.0) == near(43.6)

    def test_earth_fault_of_a_solid_neutral(self):
        level = short_circuit.bus_fault(*GRID, 90.0, 0.10, 0.0025, 1, 34.5)
        earth = short_circuit.single_phase_fault_ka(
            level.resistance_ohm, level.reactance_ohm, 90.0, 0.10, 0.0025, 1, 34.5
        )
        assert earth == near(15.8)
        assert earth > level.current_ka

    def test_feeders(self):
        each = electrical_load.section_feeders(self.LOAD / 3, 34.5, 600.0, 0.8)
        assert electrical_load.feeders(3, each) == 9
        # three feeders of 35.9 MVA for 82.5: one lost leaves 71.7, so each section needs a spare
        assert electrical_load.feeders_spare(3, self.LOAD / 3, 34.5, 600.0, each) == 3

    @pytest.mark.parametrize(("units", "losses", "mvar"), [(3, 0.72, 22.7), (2, 0.95, 34.0)])
    def test_losses_and_mvar(self, units, losses, mvar):
        found = transformers.transformer_losses_mw(units, self.LOAD, 90.0, 0.00055, 0.0025)
        assert found == near(losses)
        assert transformers.transformer_mvar(units, self.LOAD, 90.0, 0.10) == near(mvar)

    def test_power_factor_from_mv(self):
        behind = electrical_load.load_mvar(240.0, 0.99)
        at_mv = electrical_load.apparent_load_mva(240.0, 0.99)
        taken = [transformers.transformer_mvar(units, at_mv, 90.0, 0.10) for units in (3, 2)]
        apparent = [electrical_load.apparent_power_mva(240.0, behind + q) for q in taken]
        factors = [electrical_load.power_factor_hv(240.0, mva) for mva in apparent]
        assert factors == [near(0.974), near(0.963)]
        assert electrical_load.compensation_mvar(240.0, behind + taken[1], 0.97) == near(6.7)
        assert electrical_load.compensation_mvar(240.0, behind + taken[1], 0.95) == 0.0

    def test_pairs_fail(self):
        assert transformers.survivor_loading_percent(self.LOAD, 3, 1, 150.0) == near(110.0)

    def test_choice(self):
        scheme = chosen(active_mw=240.0)  # 3 x 125 would run at 99 %
        assert (scheme.installed, scheme.rating.top_mva, scheme.secondaries) == (3, 150.0, 1)
        assert scheme.mv_kv == 34.5

    def test_never_two_of_300_on_one_secondary(self):
        found = choose_substation(
            duty(active_mw=240.0, rating_mva=300.0, secondaries=1), RULES, TABLES
        )
        assert found.scheme is None
        assert "5020 A > 3000 A" in " ".join(found.failures)
        forced = SubstationRules(frequency_hz=60.0, bus_current_max_a=4000.0)
        found = choose_substation(
            duty(active_mw=240.0, rating_mva=300.0, secondaries=1), forced, TABLES
        )
        assert found.scheme is None  # 5,020 A is above 4,000 A too

    def test_two_of_300_paralleled_fail_on_fault_level(self):
        wide = SubstationRules(frequency_hz=60.0, running="paralleled", bus_current_max_a=6000.0)
        found = choose_substation(
            duty(active_mw=240.0, rating_mva=300.0, secondaries=1), wide, TABLES
        )
        assert found.scheme is None
        assert "2 in parallel: fault level" in " ".join(found.failures)


def test_vector_b():
    level = short_circuit.bus_fault(*GRID, 180.0, 0.095, 0.0025, 1, 34.5)
    assert level.current_ka == near(29.14)
    assert level.peak_ka == near(78.6)
    assert level.x_over_r == near(30.0)
    assert breakers.asymmetry_factor(level.x_over_r, 60.0) == near(1.136)
    duty_ka = breakers.breaker_duty_ka(level.current_ka, level.x_over_r, 31.5, 60.0)
    assert duty_ka == near(33.1)
    rating = breakers.breaker_rating_ka(
        level.current_ka, level.peak_ka, level.x_over_r, MV_38_KV, 60.0
    )
    assert rating == 40.0
    plain = short_circuit.fault_level_mva_method_ka(10_000.0, 180.0, 0.095, 1, 34.5)
    assert plain == near(26.66)
    # the same unit restated on its top stage: K_T differs, 3 % more
    restated = short_circuit.bus_fault(*GRID, 300.0, 0.095 / 0.6, 0.0025 / 0.6, 1, 34.5)
    assert restated.current_ka == near(30.00)


def test_vector_c():
    load = electrical_load.apparent_load_mva(96.0, 0.95)
    assert load == near(101.05)
    assert transformers.fewest_units(load, 60.0, 1, 1.0, "transfer-bus") == 3
    assert electrical_load.loading_percent(load, 60.0) == near(168.0)
    assert electrical_load.loading_percent(load, 120.0) == near(84.2)
    assert electrical_load.loading_percent(load, 180.0) == near(56.1)


def test_vector_c_with_the_reactive_power_of_the_units_added():
    # A with pf 0.97 at MV: 56.4 % normal and 85.9 % with one out once Q_T is added
    at_mv = 240.0 / 0.97
    behind = electrical_load.load_mvar(240.0, 0.97)
    for units, capacity, expected in ((3, 450.0, 56.4), (2, 300.0, 85.9)):
        taken = transformers.transformer_mvar(units, at_mv, 90.0, 0.10)
        apparent = electrical_load.apparent_power_mva(240.0, behind + taken)
        assert electrical_load.loading_percent(apparent, capacity) == near(expected)


def test_vector_d():
    units = transformers.fewest_units(90.0, 50.0, 1, 1.0, "transfer-bus")
    firm = transformers.group_firm_mva(units, 1, 50.0, None)
    assert (units, firm) == (3, 100.0)
    assert electrical_load.loading_percent(90.0, 150.0) == near(60.0)
    assert electrical_load.loading_percent(90.0, firm) == near(90.0)


class TestPublicSites:
    """Sanity from public sites at pf 0.97."""

    def test_currents_of_a_1200_mw_campus(self):
        load = electrical_load.apparent_load_mva(1200.0, 0.97)
        assert load == near(1237.0)
        assert electrical_load.three_phase_current_a(load, 345.0) == near(2070.0)
        assert electrical_load.three_phase_current_a(load, 138.0) == near(5176.0)

    def test_345_kv_choice_is_five_units_of_two_secondaries(self):
        # as Abilene's five, not two groups of 5 x 167
        scheme = chosen(active_mw=1200.0, hv_kv=345.0, fault_min_mva=30_000.0, x_over_r=18.0)
        assert (scheme.groups, scheme.units, scheme.secondaries) == (1, 5, 2)
        assert scheme.rating.top_mva == pytest.approx(333.3)

    def test_138_kv_is_above_the_largest_breaker(self):
        found = choose_substation(duty(active_mw=1200.0, hv_kv=138.0), RULES, TABLES)
        assert found.scheme is None
        assert "5176 A > 5000 A" in found.failures[0]

    def test_open_voltage_takes_345_kv(self):
        assert chosen(active_mw=1200.0, hv_kv=None).hv_kv == 345.0

    def test_two_stages_at_500_kv(self):
        scheme = chosen(active_mw=2000.0, hv_kv=None)
        assert scheme.hv_kv == 500.0
        assert scheme.bulk is not None
        assert scheme.bulk.mid_kv == 345.0
        firm = (scheme.bulk.units - 1) * scheme.bulk.rating.top_mva * scheme.bulk.groups
        assert 2000.0 / 0.97 <= 0.95 * firm

    def test_one_unit_of_100_mva_for_90_mw(self):
        # a vendor's 60/80/100 MVA unit for about 90 MW: 94.7 % of the top stage at pf 0.95
        load = electrical_load.apparent_load_mva(90.0, 0.95)
        assert electrical_load.loading_percent(load, 100.0) == near(94.7)

    @pytest.mark.parametrize(("current", "expected"), [(3000.0, 179.0), (4000.0, 239.0)])
    def test_mva_of_a_bus_at_34_5_kv(self, current, expected):
        assert electrical_load.mv_bus_current_a(expected, 1, 34.5) == near(current)
