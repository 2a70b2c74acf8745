"""What a cooling plant is made of, as plain numbers resolved once from the engineering choices.

Fans, pumps and sprays are in kW per kW of heat at design; drift is a share of the water flow.
"""

from __future__ import annotations

from typing import NamedTuple


class DrySpec(NamedTuple):
    """Dry and adiabatic coolers, rated at 18 K ITD and a 10 K rise."""

    approach_k: float = 8.0
    unit_kw: float = 1200.0
    dry_fan: float = 0.020
    adiabatic_fan: float = 0.022
    pad_efficiency: float = 0.8
    pad_bleed: float = 1.2
    air_rise_k: float = 12.0
    coil_penalty_k: float = 0.0


class TowerSpec(NamedTuple):
    """Open and closed towers, and water taken from a river or the sea.

    A closed tower's approach is split 2:1 between water and coil. source_c: highest temperature of
    the water taken; source_rise_k: by how much it may return warmer.
    """

    approach_k: float = 4.0
    exchanger_k: float = 2.0
    fan: float = 0.010
    pump: float = 0.0075
    unit_kw: float = 5000.0
    ntu_coefficient: float = 1.92
    latent_fraction: float = 0.86
    closed_approach_k: float = 6.0
    closed_fan: float = 0.015
    closed_spray: float = 0.004
    cycles: float = 5.0
    drift: float = 0.00005
    source_c: float = 0.0
    source_pump: float = 0.010
    source_rise_k: float = 7.0
    source_unit_kw: float = 5000.0


class ChillerSpec(NamedTuple):
    """Air- and water-cooled chillers, for trim, chiller plants and room air."""

    air_unit_kw: float = 1600.0
    water_unit_kw: float = 7000.0
    air_carnot: float = 0.43
    air_cop_max: float = 9.0
    water_cop_max: float = 10.0
    free_fan: float = 0.020


class AirSpec(NamedTuple):
    """Room air: fan-wall units on chilled water, and active rear doors."""

    air_rise_k: float = 14.0
    fan: float = 0.040
    door_fan: float = 0.02
    water_supply_c: float = 20.0
    water_return_c: float = 30.0
    pump: float = 0.010
