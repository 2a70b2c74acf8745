"""Breaker duty and ratings, HV bus arrangement."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clusterplan.core.record import formula

if TYPE_CHECKING:
    from collections.abc import Sequence

_STANDARD = "IEEE C37.010 / IEC 62271-100"
RATED_TIME_CONSTANT_S = 0.045
CONTACT_PARTING_S = 0.05
_JUST = 1.0 + 1e-9  # a duty equal to the rating passes, whatever the last bit says


def rated_x_over_r(frequency_hz: float) -> float:
    """X/R that a breaker's 45 ms rating covers: 17 at 60 Hz, 14 at 50 Hz."""
    return 17.0 if frequency_hz > 55.0 else 14.0


def peak_factor(frequency_hz: float) -> float:
    """Peak (making) rating over the interrupting rating: 2.6 at 60 Hz, 2.5 at 50 Hz."""
    return 2.6 if frequency_hz > 55.0 else 2.5


@formula(
    title="Asymmetry factor above the rated X/R",
    equation="sqrt((1 + 2 * exp(-2 * parting_s * 2 * pi * frequency_hz / x_over_r))"
    " / (1 + 2 * exp(-2 * parting_s / 0.045)))",
    unit="",
    source=_STANDARD,
)
def asymmetry_factor(
    x_over_r: float, frequency_hz: float, parting_s: float = CONTACT_PARTING_S
) -> float:
    """Factor on the fault current when X/R is above that of the 45 ms rating."""
    decay = math.exp(-2.0 * parting_s * 2.0 * math.pi * frequency_hz / x_over_r)
    rated = math.exp(-2.0 * parting_s / RATED_TIME_CONSTANT_S)
    return math.sqrt((1.0 + 2.0 * decay) / (1.0 + 2.0 * rated))


@formula(
    title="Interrupting duty of a breaker",
    equation="k * current_ka if x_over_r > rated X/R and current_ka > 0.8 * rating_ka"
    " else current_ka",
    unit="kA",
    source=_STANDARD,
    plain=False,
)
def breaker_duty_ka(
    current_ka: float, x_over_r: float, rating_ka: float, frequency_hz: float
) -> float:
    """Current to compare with the rating: raised by `asymmetry_factor` where X/R is high."""
    if x_over_r > _JUST * rated_x_over_r(frequency_hz) and current_ka > 0.8 * _JUST * rating_ka:
        return current_ka * max(1.0, asymmetry_factor(x_over_r, frequency_hz))
    return current_ka


def breaker_passes(
    current_ka: float, peak_ka: float, x_over_r: float, rating_ka: float, frequency_hz: float
) -> bool:
    """Whether a rating holds interrupting duty and peak current."""
    held = _JUST * rating_ka
    if current_ka > held or peak_ka > peak_factor(frequency_hz) * held:
        return False
    return breaker_duty_ka(current_ka, x_over_r, rating_ka, frequency_hz) <= held


@formula(
    title="Breaker interrupting rating",
    equation="least rating with duty <= rating and ip <= 2.6 (60 Hz) or 2.5 (50 Hz) * rating",
    unit="kA",
    source=_STANDARD,
    plain=False,
)
def breaker_rating_ka(
    current_ka: float,
    peak_ka: float,
    x_over_r: float,
    ratings_ka: Sequence[float],
    frequency_hz: float,
) -> float | None:
    """Least of `ratings_ka` (rising) that passes, or None where none does."""
    for rating in ratings_ka:
        if breaker_passes(current_ka, peak_ka, x_over_r, rating, frequency_hz):
            return rating
    return None


@formula(
    title="Continuous current rating",
    equation="least rating that is not below the current",
    unit="A",
    source="preferred continuous currents, IEEE C37.06 / IEC 62271-1",
    plain=False,
)
def continuous_rating_a(current_a: float, ratings_a: Sequence[float]) -> float | None:
    """Least of `ratings_a` that carries the current, or None where none does."""
    fitting = [rating for rating in ratings_a if current_a <= _JUST * rating]
    return min(fitting) if fitting else None


@formula(
    title="Elements on the HV bus",
    equation="circuits + transformers + generators",
    unit="",
    source="clusterplan method, electrical step 16",
)
def bus_elements(circuits: int, transformers: int, generators: int = 0) -> int:
    """Circuits, transformers and generators that join the HV bus, whole site."""
    return circuits + transformers + generators


def bus_arrangement(elements: int) -> str:
    """Single bus to two elements, ring bus to six, breaker-and-a-half above (IEEE 605 practice)."""
    if elements <= 2:
        return "single bus"
    return "ring bus" if elements <= 6 else "breaker-and-a-half"


@formula(
    title="HV breakers",
    equation="ceil(1.5 * elements) if arrangement == 'breaker-and-a-half' else elements",
    unit="",
    source="clusterplan method, electrical step 16: one an element, one and a half in that scheme",
)
def hv_breakers(elements: int, arrangement: str) -> int:
    """Breakers of the HV bus."""
    return math.ceil(1.5 * elements) if arrangement == "breaker-and-a-half" else elements


@formula(
    title="MV bus sections",
    equation="units * secondaries",
    unit="",
    source="clusterplan method, electrical step 19: one a secondary winding",
)
def mv_sections(units: int, secondaries: int) -> int:
    """Sections of the MV bus, each with the main breaker of its winding."""
    return units * secondaries
