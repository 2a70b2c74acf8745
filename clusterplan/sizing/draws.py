"""Seeded draws that do not depend on order, workers or the other sites.

Each figure has a stream of its own, named by a key; numpy is loaded when the first one is drawn.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# from a P10 to P90 spread to the feet of the triangle: exact where both sides are equal
FOOT = 1.8
WORSE_FOOT = {"true": 1.8, "given": 1.8, "partial": 2.25, "secondary": 2.25, "false": 2.7}
# width of a bare scored figure towards the worse side, on the value scale
BARE_WIDTH = {"true": 0.0, "given": 0.0, "partial": 0.1, "secondary": 0.1, "false": 0.2}


def generator(seed: int, key: str) -> np.random.Generator:
    """The generator of one stream: Philox keyed by SHA-256 of "seed/key" (first 16 bytes).

    Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011), as built into numpy.
    """
    import numpy as np

    digest = hashlib.sha256(f"{seed}/{key}".encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "little")))


def uniforms(seed: int, key: str, count: int) -> Floats:
    """Stratified uniforms in 0..1: one in the middle of each of `count` equal strata, shuffled.

    Source: Latin hypercube sampling, McKay, Beckman and Conover 1979, with centred strata.
    """
    order = generator(seed, key).permutation(count)
    found: Floats = (order + 0.5) / count
    return found


def triangle(u: Floats, low: float, mode: float, high: float) -> Floats:
    """Values of a triangular distribution at uniforms `u`; all in the unit of the figure.

    Source: inverse of the triangular distribution function.
    """
    import numpy as np

    if high <= low:
        return np.full(u.shape, float(mode))
    span = high - low
    split = (mode - low) / span
    rising = low + np.sqrt(u * span * (mode - low))
    falling = high - np.sqrt((1.0 - u) * span * (high - mode))
    found: Floats = np.where(u < split, rising, falling)
    return found


def feet(
    low: float, typical: float, high: float, low_foot: float = FOOT, high_foot: float = FOOT
) -> tuple[float, float, float]:
    """Feet and mode of the triangle whose low and high are about P10 and P90.

    Source: clusterplan method, siting section 3.
    """
    return typical - low_foot * (typical - low), typical, typical + high_foot * (high - typical)


def weight_draws(
    seed: int, weights: Sequence[float], count: int, concentration: float | None
) -> Floats:
    """Weights drawn around the given ones, shape (count, criteria); a weight of 0 stays 0.

    Dirichlet with concentration x weight; `None` is ignorance: every positive weight alike.
    Source: Lahdelma and Salminen, SMAA-2, Operations Research 49 (2001).
    """
    import numpy as np

    used = [place for place, weight in enumerate(weights) if weight > 0.0]
    found = np.zeros((count, len(weights)))
    alpha = [1.0 if concentration is None else concentration * weights[place] for place in used]
    key = "weights" if concentration is not None else "weights, ignorance"
    found[:, used] = generator(seed, key).dirichlet(alpha, count)
    return found
