"""Cables as NetBox imports them: one CSV row a cable, both ends named by device and interface.

The links of a breakout assembly share a cable. NetBox 4.7 takes several terminations an end, as
lists with commas in the columns of device and name (one device for all names, or one each), so an
assembly is one row. Earlier releases take one termination an end and refuse such a row;
`one_termination` writes a row a link for them, which makes NetBox count links and not assemblies.
The interfaces must exist before the import.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from clusterplan.core.wired_fabric import CableRow

_INTERFACE = "dcim.interface"
# NetBox knows cables; of a module it is the fibre that counts
TYPE_OF_KIND = {
    "dac": "dac-passive",
    "acc": "dac-active",
    "aec": "dac-active",
    "lacc": "dac-active",
    "aoc": "aoc",
    "dr": "smf-os2",
    "fr": "smf-os2",
    "lr": "smf-os2",
    "lpo": "smf-os2",
    "cpo": "smf-os2",
    "sr": "mmf-om4",
    "copper": "cat6",
}


class NetboxNames(NamedTuple):
    """What NetBox calls things.

    site       name of the NetBox site that both ends are searched in; empty: any
    kinds      kind of each medium of the catalogue (dac, aoc, dr ..), by its id
    interface  name of the interface of a device's port, from device name and port label; None: the
               label
    status     planned, connected or decommissioning
    """

    site: str = ""
    kinds: Mapping[str, str] = {}
    interface: Callable[[str, str], str] | None = None
    status: str = "planned"


def cable_type(kind: str) -> str:
    """NetBox's word for a cable of that kind, twin and lane numbers apart; empty where unknown."""
    return TYPE_OF_KIND.get(kind.removeprefix("2x").rstrip("0123456789"), "")


def write_netbox_cables(
    rows: Iterable[CableRow],
    out: TextIO,
    *,
    names: NetboxNames | None = None,
    one_termination: bool = False,
) -> int:
    """Write the rows of a cable schedule; returns how many cables were written.

    Links of a cable may stand apart within their tier where an assembly serves two switches; only
    those are kept until the tier ends.
    """
    names = names or NetboxNames()
    site = ["site"] if names.site else []
    ends = [f"side_{end}_{word}" for end in "ab" for word in (*site, "device", "type", "name")]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*ends, "type", "status", "label", "length", "length_unit"])
    count = 0
    for links in ([row] for row in rows) if one_termination else _assemblies(rows):
        writer.writerow(_cable(links, names))
        count += 1
    return count


def _cable(links: list[CableRow], names: NetboxNames) -> list[str]:
    first = links[0]
    ends = []
    for pairs in (
        [(row.a_device, row.a_port) for row in links],
        [(row.z_device, row.z_port) for row in links],
    ):
        # two links of a port that NetBox does not split are one termination
        found = list(dict.fromkeys((device, _interface(device, p, names)) for device, p in pairs))
        devices = [device for device, _ in found]
        device = devices[0] if len(set(devices)) == 1 else ",".join(devices)
        site = [names.site] if names.site else []
        ends += [*site, device, _INTERFACE, ",".join(name for _, name in found)]
    length = "" if first.length_m is None else f"{first.length_m:g}"
    slug = cable_type(names.kinds.get(first.medium, ""))
    return [*ends, slug, names.status, first.cable_id, length, "m" if length else ""]


def _interface(device: str, port: str, names: NetboxNames) -> str:
    return port if names.interface is None else names.interface(device, port)


def _assemblies(rows: Iterable[CableRow]) -> Iterator[list[CableRow]]:
    """Links by cable, in the order of the schedule; those that stand apart come last in the tier.

    A run with as many links as the fullest cable of the tier so far is complete.
    """
    tier: tuple[str, str] | None = None
    run: list[CableRow] = []
    apart: dict[str, list[CableRow]] = {}
    most = 0
    for row in rows:
        if run and row.cable_id == run[0].cable_id:
            run.append(row)
            continue
        if run:
            most = max(most, len(run))
            if len(run) == most:
                yield run
            else:
                apart.setdefault(run[0].cable_id, []).extend(run)
        if (row.fabric, row.tier) != tier:
            yield from apart.values()
            tier, apart, most = (row.fabric, row.tier), {}, 0
        run = [row]
    if run and len(run) >= most:
        yield run
    elif run:
        apart.setdefault(run[0].cable_id, []).extend(run)
    yield from apart.values()
