"""Counting accelerators, servers, racks and scalable units, up from an order or down from a limit.

What is bought is a whole *unit*: a server, a rack that is one scale-up domain (or part of one), or
a scalable unit where only whole ones are wanted. An order is rounded up to whole units, a limit is
filled with whole racks or scalable units and rounded down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.errors import InputError, Problem
from clusterplan.core.record import formula

if TYPE_CHECKING:
    from clusterplan.core.equipment import Accelerator

RULE_1 = "clusterplan method, counting rule 1"
RULE_13 = "clusterplan method, counting rule 13 (dense peaks of the vendor data sheets)"


@dataclass(frozen=True, eq=False, repr=False)
class RackShape:
    """How a rack is made up, as far as counting goes.

    su_servers: servers of the published scalable unit, None where there is none.
    scale_up_domain_size: accelerator packages of one scale-up domain, None where unknown.
    """

    servers_per_rack: int
    accelerators_per_server: int
    su_servers: int | None = None
    scale_up_domain_size: int | None = None

    @property
    def accelerators_per_rack(self) -> int:
        """Accelerator packages in a full rack."""
        return self.servers_per_rack * self.accelerators_per_server

    @property
    def may_be_part_filled(self) -> bool:
        """Whether a rack may stand with fewer servers: not where it is one scale-up domain."""
        domain = self.scale_up_domain_size
        return domain is None or domain < self.accelerators_per_rack

    @property
    def su_racks(self) -> int | None:
        """Racks that one scalable unit takes, None where there is no scalable unit."""
        return None if self.su_servers is None else -(-self.su_servers // self.servers_per_rack)


class AcceleratorCount(NamedTuple):
    """What stands on the floor. `scalable_units` is None where the rack has no published one."""

    accelerators: int
    servers: int
    racks: int
    scalable_units: int | None


@formula(
    title="Units bought for an order",
    equation="ceil(asked_accelerators / accelerators_per_unit)",
    unit="",
    source=RULE_1,
)
def units_ordered(asked_accelerators: int, accelerators_per_unit: int) -> int:
    """Whole units that give at least `asked_accelerators`."""
    return -(-asked_accelerators // accelerators_per_unit)


@formula(title="Servers", equation="units * servers_per_unit", unit="", source=RULE_1)
def servers(units: int, servers_per_unit: int) -> int:
    """Servers of so many units (server, rack or scalable unit)."""
    return units * servers_per_unit


@formula(
    title="Accelerators", equation="server_count * accelerators_per_server", unit="", source=RULE_1
)
def accelerators(server_count: int, accelerators_per_server: int) -> int:
    """Accelerator packages (72 in an NVL72; dies are not counted)."""
    return server_count * accelerators_per_server


@formula(title="Racks", equation="ceil(server_count / servers_per_rack)", unit="", source=RULE_1)
def racks(server_count: int, servers_per_rack: int) -> int:
    """Compute racks; the last one may be part-filled."""
    return -(-server_count // servers_per_rack)


@formula(
    title="Scalable units", equation="ceil(server_count / su_servers)", unit="", source=RULE_13
)
def scalable_units(server_count: int, su_servers: int) -> int:
    """Scalable units, the part-filled one counted as one."""
    return -(-server_count // su_servers)


@formula(
    title="H100 equivalents",
    equation="accelerator_count * dense_tflops / h100_dense_tflops",
    unit="",
    source=RULE_13,
)
def h100_equivalents(
    accelerator_count: int, dense_tflops: float, h100_dense_tflops: float
) -> float:
    """H100 equivalents: ratio of dense peaks (TFLOP/s) of the same precision, times the count."""
    return accelerator_count * dense_tflops / h100_dense_tflops


def count_for_accelerators(
    asked: int, shape: RackShape, *, whole_sus: bool = False
) -> AcceleratorCount:
    """Count for an order of `asked` accelerators: rounded up to whole servers, racks or SUs.

    Raises InputError for an order below 1, or for whole SUs where the rack has none.
    """
    if asked < 1:
        raise InputError(Problem(f"{asked} accelerators asked for; at least 1 is due"))
    per_unit = _unit_servers(shape, whole_sus, rack_at_least=not shape.may_be_part_filled)
    units = units_ordered(asked, per_unit * shape.accelerators_per_server)
    return _count(units, per_unit, shape)


def count_for_racks(
    asked: int, shape: RackShape, *, whole_sus: bool = False, filling: bool = True
) -> AcceleratorCount:
    """Count for `asked` whole racks; with `whole_sus` down to whole SUs, or up if not `filling`.

    Raises InputError for a negative count, or for whole SUs where the rack has none.
    """
    if asked < 0:
        raise InputError(Problem(f"{asked} racks asked for; a count is due"))
    if not whole_sus:
        return _count(asked, shape.servers_per_rack, shape)
    per_unit = _unit_servers(shape, whole_sus, rack_at_least=True)
    wanted = asked * shape.servers_per_rack
    units = wanted // per_unit if filling else -(-wanted // per_unit)
    return _count(units, per_unit, shape)


def count_for_servers(server_count: int, shape: RackShape) -> AcceleratorCount:
    """Count for so many installed servers, racks and scalable units rounded up."""
    return _count(server_count, 1, shape)


def filling_unit_servers(shape: RackShape, *, whole_sus: bool = False) -> int:
    """Servers by which a site is filled: those of a rack, or of a scalable unit.

    Raises InputError for whole SUs where the rack has none.
    """
    return _unit_servers(shape, whole_sus, rack_at_least=True)


def h100_basis(accelerator: Accelerator, h100: Accelerator) -> tuple[float, float, str] | None:
    """Dense TFLOP/s of the chip and of an H100 at one precision, and its name.

    Dense 8-bit; dense bf16 where the chip has no 8-bit figure; None where it has neither.
    """
    for precision, chip, reference in (
        ("dense 8-bit", accelerator.fp8_tflops, h100.fp8_tflops),
        ("dense bf16", accelerator.bf16_tflops, h100.bf16_tflops),
    ):
        if chip is not None and reference is not None:
            return chip, reference, precision
    return None


def _unit_servers(shape: RackShape, whole_sus: bool, *, rack_at_least: bool) -> int:
    """Servers of the unit that is bought."""
    if whole_sus:
        if shape.su_servers is None:
            raise InputError(
                Problem(
                    "whole scalable units asked for, but this rack has no published one",
                    path="design.whole_sus",
                    hint="give design.fabric.nodes_per_su",
                )
            )
        if shape.may_be_part_filled:
            return shape.su_servers
        return racks(shape.su_servers, shape.servers_per_rack) * shape.servers_per_rack
    return shape.servers_per_rack if rack_at_least else 1


def _count(units: int, per_unit: int, shape: RackShape) -> AcceleratorCount:
    total = servers(units, per_unit)
    return AcceleratorCount(
        accelerators(total, shape.accelerators_per_server),
        total,
        racks(total, shape.servers_per_rack),
        None if shape.su_servers is None else scalable_units(total, shape.su_servers),
    )
