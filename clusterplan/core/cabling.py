"""Links by name, as a file lists them: what a plan asks for, or what was found in a fabric."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan.core.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEDULE, DUMP = "cable schedule", "ibnetdiscover"


class Cable(NamedTuple):
    """One link between two named ports; text is empty and speed None where the file is silent."""

    a_device: str
    a_port: str
    z_device: str
    z_port: str
    speed_gbps: float | None = None
    fabric: str = ""
    plane: str = ""
    stage: str = ""


@frozen
class Cabling:
    """The links of one file.

    source      name of the file
    format      cable schedule, or ibnetdiscover: its switch ports are numbers, not labels
    columns     columns that a schedule has; those of a dump are none
    cables      every link once, in the order of the file
    one_sided   links that only their A-end lists, though the device of the other end is there;
                they are among the cables too, unless the other end lists another link
    devices     every device, also those without a link
    switches    the devices that are switches, as far as the file tells
    nameless    switches that have no name of their own: their id stands for it
    aggregation_nodes   of in-network reduction, inside the switches: left out
    notes       what the reader decided, one sentence each
    """

    source: str
    format: str
    columns: frozenset[str] = frozenset()
    cables: Sequence[Cable]
    one_sided: Sequence[Cable] = ()
    devices: frozenset[str]
    switches: frozenset[str]
    nameless: frozenset[str] = frozenset()
    aggregation_nodes: int = 0
    notes: tuple[str, ...] = ()

    @property
    def is_dump(self) -> bool:
        """Whether switch ports are numbers."""
        return self.format == DUMP
