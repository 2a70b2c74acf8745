"""`clusterplan init DIR`: a commented starter site that validates and sizes as it stands."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from pathlib import Path

from clusterplan.core.errors import InputError, Problem

_SITE = """\
# A candidate site. Every figure has its unit; leave out what is unknown.
# Any value may also be given with its range and source:
#   gross: {value: 400 acre, low: 380 acre, high: 420 acre, source: deed of 2026, verified: true}
id: @ID@
name: Example site near Abilene, Texas     # illustrative figures, not a real offer
country: US                         # ISO 3166, two or three letters
state: TX
latitude: 32.45
longitude: -99.73                   # west is negative
elevation: 530 m
climate: abilene-tx                 # "clusterplan catalog climates" lists them
rack: gb300-nvl72                   # "clusterplan catalog racks", or a file: rack: rack.yaml

land:                               # leave out for a room in a building
  gross: 400 acre
  buildable: 300 acre
  control: option                   # none, option, lease, owned

water:
  source: municipal                 # none rules wet cooling out
  annual: 800 acre-ft/yr
  peak: 1500 gpm

# generation:                       # on-site units
#   - {type: gas_turbine, gross: 120 MW, units: 4, firm: 90 MW, energised: 2028-01-01}
"""

_GRID = """\
# The grid connection: one service point.
utility: Example Electric
iso: ERCOT
voltage: 138 kV
requested: 150 MW                   # MW at the meter, not MVA
circuits: 2
short_circuit: {min: 12 kA, max: 20 kA}   # kA or MVA at that voltage
x_over_r: 15
power_factor_min: 0.95

stages:                             # cumulative
  - name: first power
    energised: 2027-06-30
    firm: 50 MW
    status: agreement               # none, request, sis, facilities, agreement, energised
  - name: full
    energised: 2028-06-30
    firm: 150 MW
    nonfirm: 0 MW                   # curtailable, on top of firm
    status: facilities
"""

_DESIGN = """\
# Engineering choices. Everything left out takes a default, which the plan lists as an assumption.
# "clusterplan schema design" describes every key.
power_basis: nameplate              # or typical

cooling:
  tcs_supply: 40 degC               # supply of the technology cooling loop

electrical:
  transformer_redundancy: 1         # N+1

# For the calendar of compare-sites; what is not dated is ordered at the start.
# orders: {power_transformer: 2026-06-30, shell_start: 2026-09-30}
# deliveries:                       # all that is on site by then
#   - {date: 2027-09-30, racks: 100}
"""

_RACK_HINT = """\
# A rack of your own. To use it: rename this file to rack.yaml, and write "rack: rack.yaml" in
# site.yaml. The racks that ship need no file: "clusterplan catalog racks".
id: my-rack
accelerator: nvidia-gb300           # "clusterplan catalog accelerators"
servers_per_rack: 18
accelerators_per_server: 4
nameplate: 142 kW                   # largest continuous power
typical: 115 kW
liquid_heat_fraction: 85 %
coolant: pg25                       # none, pg25 or water
flow: 1.5 L/min/kW                  # per kW of liquid heat
width: 600 mm
depth: 1200 mm
weight: 1600 kg
scale_out_ports_per_accelerator: 1
scale_out: 800 Gb/s
"""

_FILES = {
    "site.yaml": _SITE,
    "grid.yaml": _GRID,
    "design.yaml": _DESIGN,
    "rack.yaml.example": _RACK_HINT,
}


def run(directory: str | Path) -> str:
    """Write the starter site and return what was written. Nothing is ever overwritten.

    All files are written beside the folder first and then moved, so that a failure leaves no half
    site. Raises InputError where a file is there already or the folder cannot be written.
    """
    folder = Path(directory)
    there = [name for name in _FILES if os.path.lexists(folder / name)]
    if there:
        raise InputError([Problem("is there already", str(folder / name)) for name in there])
    if folder.exists() and not folder.is_dir():
        raise InputError(Problem("is not a folder", str(folder)))
    slug = re.sub(r"[^a-z0-9_]+", "-", folder.resolve().name.lower()).strip("-_")
    try:
        _write(folder, slug or "my-site")
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(Problem(f"cannot be written: {reason}", str(folder))) from None
    names = "\n".join(f"  {folder / name}" for name in _FILES)
    return f"wrote\n{names}\nnext: clusterplan size {shlex.quote(str(folder))}"


def _write(folder: Path, slug: str) -> None:
    made = not folder.exists()
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for name, text in _FILES.items():
            (beside / name).write_text(text.replace("@ID@", slug), encoding="utf-8")
        if made:
            beside.chmod(0o755)
            beside.rename(folder)
        else:
            _move_into(beside, folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _move_into(beside: Path, folder: Path) -> None:
    """Move the files into a folder that is there: all of them, or none where one fails."""
    moved: list[Path] = []
    try:
        for name in _FILES:
            target = folder / name
            with target.open("x"):  # claims the name; fails where another has it by now
                moved.append(target)
            (beside / name).replace(target)
    except OSError:
        for target in moved:
            target.unlink(missing_ok=True)
        raise
