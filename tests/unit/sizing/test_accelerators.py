"""Rules of counting 1 and 13: hand counts for the racks named in them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterplan.core.equipment import Accelerator
from clusterplan.core.errors import InputError
from clusterplan.sizing.accelerators import (
    RackShape,
    count_for_accelerators,
    count_for_racks,
    h100_basis,
    h100_equivalents,
)

DGX_H100_X4 = RackShape(4, 8, su_servers=32, scale_up_domain_size=8)
DGX_B300_AC = RackShape(4, 8, su_servers=72, scale_up_domain_size=8)
NVL72 = RackShape(18, 4, su_servers=144, scale_up_domain_size=72)
TRN2_HALF = RackShape(2, 16, scale_up_domain_size=64)
TPU_CUBE = RackShape(16, 4, scale_up_domain_size=8960)
XE8712 = RackShape(36, 4, scale_up_domain_size=4)


class TestAskedAccelerators:
    def test_separate_servers_may_part_fill_the_last_rack(self):
        # 10,000 / 8 = 1,250 servers; / 4 = 312.5 racks; / 32 = 39.06 scalable units
        assert count_for_accelerators(10_000, DGX_H100_X4) == (10_000, 1250, 313, 40)

    def test_rounded_up_to_whole_servers(self):
        assert count_for_accelerators(10_001, DGX_H100_X4).accelerators == 10_008

    def test_nvl72_is_bought_whole(self):
        # 100 of 72 a rack: 2 racks, 144 accelerators, 36 trays, one (part) scalable unit
        assert count_for_accelerators(100, NVL72) == (144, 36, 2, 1)

    def test_part_of_a_larger_domain_is_bought_whole(self):
        assert count_for_accelerators(33, TRN2_HALF) == (64, 4, 2, None)
        assert count_for_accelerators(65, TPU_CUBE) == (128, 32, 2, None)

    def test_many_small_domains_in_one_rack_may_part_fill_it(self):
        assert count_for_accelerators(10, XE8712) == (12, 3, 1, None)

    def test_whole_sus_go_up(self):
        assert count_for_accelerators(10_000, DGX_H100_X4, whole_sus=True) == (
            10_240,
            1280,
            320,
            40,
        )
        assert count_for_accelerators(577, NVL72, whole_sus=True) == (1152, 288, 16, 2)

    def test_nothing_asked_is_refused(self):
        with pytest.raises(InputError, match="at least 1"):
            count_for_accelerators(0, NVL72)

    def test_whole_sus_without_a_published_one_is_refused(self):
        with pytest.raises(InputError, match="nodes_per_su"):
            count_for_accelerators(64, TRN2_HALF, whole_sus=True)


class TestFilling:
    def test_whole_racks(self):
        assert count_for_racks(312, DGX_H100_X4) == (9984, 1248, 312, 39)

    def test_whole_sus_go_down_when_filling_and_up_when_asked(self):
        assert count_for_racks(313, DGX_H100_X4, whole_sus=True).racks == 312
        assert count_for_racks(313, DGX_H100_X4, whole_sus=True, filling=False).racks == 320
        assert count_for_racks(7, NVL72, whole_sus=True) == (0, 0, 0, 0)

    def test_su_that_is_no_multiple_of_a_rack(self):
        shape = RackShape(8, 8, su_servers=12, scale_up_domain_size=8)
        # 4 racks hold 32 servers: two units of 12, in 3 racks
        assert count_for_racks(4, shape, whole_sus=True) == (192, 24, 3, 2)

    def test_negative_is_refused(self):
        with pytest.raises(InputError):
            count_for_racks(-1, NVL72)


shapes = st.builds(
    RackShape,
    st.integers(1, 36),
    st.sampled_from([2, 4, 8, 16]),
    st.one_of(st.none(), st.integers(1, 200)),
    st.one_of(st.none(), st.integers(1, 9216)),
)


class TestLaws:
    @given(asked=st.integers(1, 500_000), shape=shapes)
    @settings(max_examples=80, deadline=None)
    def test_never_fewer_than_asked_and_less_than_one_unit_more(self, asked, shape):
        count = count_for_accelerators(asked, shape)
        unit = (
            shape.accelerators_per_server
            if shape.may_be_part_filled
            else shape.accelerators_per_rack
        )
        assert asked <= count.accelerators < asked + unit
        assert count.accelerators == count.servers * shape.accelerators_per_server
        assert count.racks * shape.servers_per_rack >= count.servers
        assert (count.racks - 1) * shape.servers_per_rack < count.servers

    @given(cap=st.integers(0, 500_000), shape=shapes)
    @settings(max_examples=80, deadline=None)
    def test_never_over_the_cap_and_no_further_rack_fits(self, cap, shape):
        count = count_for_racks(cap // shape.accelerators_per_rack, shape)
        assert count.accelerators <= cap
        assert count.accelerators + shape.accelerators_per_rack > cap
        assert count.accelerators % shape.accelerators_per_rack == 0

    @given(number=st.integers(1, 5_000), shape=shapes)
    @settings(max_examples=80, deadline=None)
    def test_whole_sus_bracket_the_racks(self, number, shape):
        if shape.su_servers is None:
            return
        down = count_for_racks(number, shape, whole_sus=True)
        up = count_for_racks(number, shape, whole_sus=True, filling=False)
        assert down.servers <= number * shape.servers_per_rack <= up.servers
        if shape.may_be_part_filled:
            assert down.servers % shape.su_servers == 0
        else:
            assert down.servers % shape.servers_per_rack == 0
        if shape.su_servers:
            asked = count_for_accelerators(
                number * shape.accelerators_per_rack, shape, whole_sus=True
            )
            assert asked.accelerators >= number * shape.accelerators_per_rack

    @given(asked=st.integers(1, 100_000), shape=shapes)
    @settings(max_examples=40, deadline=None)
    def test_counting_what_was_counted_changes_nothing(self, asked, shape):
        once = count_for_accelerators(asked, shape)
        assert count_for_accelerators(once.accelerators, shape) == once


def _chip(fp8, bf16):
    return Accelerator(id="x", vendor="x", fp8_tflops=fp8, bf16_tflops=bf16)


# dense peaks of the H100 SXM5 data sheet: 1,979 FP8, 989 bf16
H100 = _chip(1979.0, 989.0)


class TestH100Equivalents:
    def test_eight_bit_ratio(self):
        chip, reference, precision = h100_basis(_chip(4500.0, 2250.0), H100)
        assert precision == "dense 8-bit"
        assert h100_equivalents(1000, chip, reference) == pytest.approx(1000 * 4500 / 1979)

    def test_bf16_where_the_chip_has_no_eight_bit(self):
        chip, reference, precision = h100_basis(_chip(None, 312.0), H100)  # A100
        assert precision == "dense bf16"
        assert h100_equivalents(1, chip, reference) == pytest.approx(312 / 989)

    def test_unknown_is_none(self):
        assert h100_basis(_chip(None, None), H100) is None
